/* Recordings read back, and written in other formats. */
#include "fuzz_helpers.h"

#include "record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sn_error error = {0};
    sn_recorder *recorder = sn__recorder_parse((const char *)data, size, "fuzz", &error);
    size_t length;
    if (recorder && recorder->ncharacter < 8 && recorder->frames < 4096) {
        sn__free(sn__record_glb(recorder, &length));
        sn_clip_free(sn__record_clip(recorder, &error));
    }
    sn_recorder_free(recorder);
    return 0;
}
