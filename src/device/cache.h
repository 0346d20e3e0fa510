/* Compiled programs of devices, kept in the user's cache folder: sinew/ in XDG_CACHE_HOME, in .cache at home, or in LOCALAPPDATA.
 * A file that cannot be read or written, or is damaged, is as good as none. */
#ifndef SINEW_DEVICE_CACHE_H
#define SINEW_DEVICE_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* The program with that hash, the caller's to sn__free; NULL: it is not there. */
unsigned char *sn__cache_read(uint64_t hash, size_t *size);
void sn__cache_write(uint64_t hash, const unsigned char *program, size_t size);

#endif
