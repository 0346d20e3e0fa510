/* Motions as numbers for one character. */
#include "fuzz_helpers.h"

#include "import/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static sn_model *model;
    const sn_load_def options = fuzz_options();
    sn_error error = {0};
    bool is_clip;
    if (!model) model = sn_builtin_create("humanoid", NULL);
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    sn_motion_free(sn__poses_read(text, size, "fuzz", model, &options, &is_clip, &error));
    free(text);
    return 0;
}
