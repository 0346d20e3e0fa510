/* URDF texts. */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_xml(data, size, sn__urdf_read);
}
