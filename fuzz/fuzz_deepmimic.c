/* DeepMimic characters, and behind the first zero byte, where there is one, a controller. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    const char *text = (const char *)data, *second = memchr(text, '\0', size);
    size_t first = second ? (size_t)(second - text) : size;
    sn_error error = {0};
    struct cJSON *character = sn__json_parse(text, first, "fuzz", &error), *controller = NULL;
    if (!character) {
        fuzz_must_explain(&error);
        return 0;
    }
    if (second) controller = sn__json_parse(second + 1, size - first - 1, "fuzz_controller", &error);
    fuzz_check(
        sn__deepmimic_character_read(character, "fuzz", controller, "fuzz_controller", &options, &error),
        &error);
    sn__json_free(character);
    sn__json_free(controller);
    return 0;
}
