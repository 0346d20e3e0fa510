/* Any text, through the entries that recognise formats. XML is left to the targets of its formats: an MJCF
 * may include files of the machine. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const sn_load_def options = fuzz_text(text, size);
    if (memchr(text, '<', size)) return 0;
    sn_error error = {0};
    sn_model *model = sn_model_load("fuzz", &options, &error);
    if (!model) fuzz_must_explain(&error);
    sn_model_free(model);
    sn_clip *clip = sn_clip_load("fuzz", &options, &error);
    if (!clip) fuzz_must_explain(&error);
    sn_clip_free(clip);
    return 0;
}
