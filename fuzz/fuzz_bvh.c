/* BVH texts. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    sn_error error = {0};
    fuzz_check_clip(sn__bvh_read((const char *)data, size, "fuzz", &options, &error), &error);
    return 0;
}
