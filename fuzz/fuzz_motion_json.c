/* Clips in JSON: DeepMimic's, motion_imitation's and Sinew's own, as they are recognised. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    sn_error error = {0};
    struct cJSON *tree = fuzz_json(data, size);
    if (!tree) return 0;
    struct sn__json root = sn__json_root(tree, "fuzz"), format = sn__json_member(&root, "format"),
                    duration = sn__json_member(&root, "FrameDuration");
    sn_clip *clip = format.value     ? sn__clip_json_read(tree, "fuzz", &options, &error)
                    : duration.value ? sn__motion_imitation_read(tree, "fuzz", &options, &error)
                                     : sn__deepmimic_motion_read(tree, "fuzz", &options, &error);
    fuzz_check_clip(clip, &error);
    sn__json_free(tree);
    return 0;
}
