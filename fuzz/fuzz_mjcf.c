/* MJCF texts that name no other files. */
#define _GNU_SOURCE /* memmem */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (memmem(data, size, "file", 4)) return 0;
    return fuzz_xml(data, size, sn__mjcf_read);
}
