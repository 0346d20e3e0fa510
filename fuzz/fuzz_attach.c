/* MJCF texts as models that another one attaches: whole, and one of its bodies. */
#define _GNU_SOURCE /* memfd_create, memmem */
#include "fuzz_helpers.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (memmem(data, size, "file", 4)) return 0;
    const int child = memfd_create("child", 0);
    MUST(child >= 0 && write(child, data, size) == (ssize_t)size);
    char text[512];
    snprintf(
        text, sizeof text,
        "<mujoco><asset><model name='m' file='/proc/self/fd/%d'/></asset><worldbody>"
        "<body name='a'><freejoint/><geom size='1'/><attach model='m' body='b' prefix='x'/></body>"
        "<replicate count='2' offset='1 0 0'><attach model='m' prefix='y'/></replicate></worldbody></mujoco>",
        child);
    const sn_load_def options = fuzz_text(text, strlen(text));
    sn_error error = {0};
    sn_model *model = sn_model_load("fuzz", &options, &error);
    if (model)
        fuzz_round_trip(&fuzz_model, model);
    else
        MUST(error.status != SN_OK && strlen(error.message) > 8);
    sn_model_free(model);
    close(child);
    return 0;
}
