/* An ASF skeleton, and behind the first zero byte, where there is one, an AMC motion. */
#include "fuzz_helpers.h"

#include "import/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    const char *asf = (const char *)data, *amc = memchr(asf, '\0', size);
    size_t first = amc ? (size_t)(amc - asf) : size;
    sn_error error = {0};
    const struct sn__source skeleton = {.text = asf, .size = first, .path = "fuzz"},
                            motion = {.text = amc ? amc + 1 : NULL,
                                      .size = amc ? size - first - 1 : 0,
                                      .path = "fuzz_amc"};
    sn_clip *clip = amc ? sn__asf_amc_read(&skeleton, &motion, &options, &error)
                        : sn__asf_skeleton_read(asf, size, "fuzz", &options, &error);
    fuzz_check_clip(clip, &error);
    return 0;
}
