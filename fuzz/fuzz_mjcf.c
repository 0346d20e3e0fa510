/* MJCF texts that name no other files. */
#define _GNU_SOURCE /* memmem */
#include "fuzz_helpers.h"

#include "import/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (memmem(data, size, "file", 4)) return 0;
    const sn_load_options options = fuzz_options();
    sn_error error = {0};
    struct sn__xml *xml = sn__xml_parse((const char *)data, size, "fuzz", &error);
    if (!xml) {
        fuzz_must_explain(&error);
        return 0;
    }
    fuzz_check(sn__mjcf_read(xml->root, "fuzz", &options, &error), &error);
    sn__xml_free(xml);
    return 0;
}
