/* Height fields from files, MuJoCo's own or pictures, and worlds with them. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_helpers.h"

#include "record/channel.h"

#include <sys/mman.h>
#include <unistd.h>

/* Sums of a picture's chunks made right, so that what lies behind them is reached. */
static void mend(uint8_t *data, size_t size) {
    for (size_t at = 8; at + 12 <= size;) {
        const size_t length =
            (size_t)data[at] << 24 | (size_t)data[at + 1] << 16 | (size_t)data[at + 2] << 8 | data[at + 3];
        if (length > size - at - 12) return;
        const uint32_t sum = sn__channel_checksum(data + at + 4, length + 4);
        for (int i = 0; i < 4; i++)
            data[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const int file = memfd_create("field", 0);
    uint8_t *bytes = malloc(size + 1);
    MUST(file >= 0 && bytes);
    memcpy(bytes, data, size);
    if (size > 8 && data[0] == 0x89) mend(bytes, size);
    MUST(write(file, bytes, size) == (ssize_t)size);
    free(bytes);
    char text[256];
    snprintf(text, sizeof text,
             "<mujoco><asset><hfield name='h' file='/proc/self/fd/%d' size='1 1 1 1'/></asset>"
             "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
             file);
    const sn_load_def options = fuzz_text(text, strlen(text));
    sn_error error = {0};
    sn_world *world = sn_world_load("fuzz", NULL, &options, &error);
    if (!world) fuzz_must_explain(&error);
    sn_world_free(world);
    close(file);
    return 0;
}
