/* Archives and arrays of numpy. */
#include "fuzz_helpers.h"

#include "import/npy.h"
#include "import/strange.h"
#include "import/zip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sn_load_def options = fuzz_options();
    const char *text = (const char *)data;
    sn_error error = {0};
    (void)sn__strange_file(text, size);
    if (sn__zip_is(text, size) || sn__npy_is(text, size))
        fuzz_check_clip(sn__smpl_read(text, size, "fuzz", &options, &error), &error);
    return 0;
}
