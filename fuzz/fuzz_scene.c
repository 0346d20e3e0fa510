/* MJCF scenes that name no other files, as worlds, and a few steps of small ones. */
#define _GNU_SOURCE /* memmem */
#include "fuzz_helpers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (memmem(data, size, "file", 4)) return 0;
    const sn_load_def options = fuzz_text((const char *)data, size);
    sn_error error = {0};
    sn_world *world = sn_world_load("fuzz", NULL, &options, &error);
    if (!world) {
        fuzz_must_explain(&error);
        return 0;
    }
    int bodies = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++)
        bodies += sn_model_get(sn_world_model(world, sn_world_member(world, i)))->nbody;
    for (int i = 0; i < 2 && bodies < 16 && sn_world_get_info(world).grounds < 32; i++)
        if (sn_world_step(world) != SN_OK) break;
    sn_world_free(world);
    return 0;
}
