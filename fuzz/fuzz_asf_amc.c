/* An ASF skeleton, and behind the first zero byte, where there is one, an AMC motion. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_options options = fuzz_options();
    const char *asf = (const char *)data, *amc = memchr(asf, '\0', size);
    size_t first = amc ? (size_t)(amc - asf) : size;
    sn_error error = {0};
    sn_clip *clip =
        amc ? sn__asf_amc_read(asf, first, "fuzz", amc + 1, size - first - 1, "fuzz_amc", &options, &error)
            : sn__asf_skeleton_read(asf, size, "fuzz", &options, &error);
    fuzz_check_clip(clip, &error);
    return 0;
}
