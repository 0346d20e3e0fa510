/* The world as one block of bytes. */
#include "world/world.h"
size_t sn_world_snapshot_size(const sn_world *w) { (void)w; return 0; }
sn_status sn_world_snapshot(const sn_world *w, void *bytes, size_t size) { (void)w; (void)bytes; (void)size; return SN_ERROR_UNSUPPORTED; }
sn_status sn_world_restore(sn_world *w, const void *bytes, size_t size, sn_error *error) { (void)w; (void)bytes; (void)size; (void)error; return SN_ERROR_UNSUPPORTED; }
