/* Sinew's own model format. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    sn_error error = {0};
    struct cJSON *tree = fuzz_json(data, size);
    if (tree) fuzz_check(sn__model_json_read(tree, "fuzz", &options, &error), &error);
    sn__json_free(tree);
    return 0;
}
