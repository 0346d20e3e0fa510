/* Files of named sections with a hash behind them: what policies and checkpoints are made of.
 *
 *     8 bytes   what it is, as "SNPOLICY"
 *     uint32    0x01020304 in the writer's order of bytes
 *     uint32    version of that kind of file
 *     sections: 8 bytes of name (zeros behind it), uint64 size, then the bytes, with zeros up to a multiple of 8
 *     8 bytes   zeros instead of a name: the end
 *     uint64    FNV-1a of everything before it
 */
#ifndef SINEW_LEARN_CONTAINER_H
#define SINEW_LEARN_CONTAINER_H

#include <stdint.h>

#include "base/text.h"

void sn__container_begin(struct sn__text *out, const char kind[8], uint32_t version);
void sn__container_add(struct sn__text *out, const char *name, const void *data, size_t size);
/* Ends it: the bytes of the file, to be freed; NULL: out of memory. */
char *sn__container_end(struct sn__text *out, size_t *size);
/* Ends it and puts the file in place of what was there, all of it or nothing: it is written beside under another name,
   brought to the disk and renamed. Frees the text. */
sn_status sn__container_write(struct sn__text *out, const char *path, sn_error *error);
/* Replaces a file by these bytes in the same way. */
sn_status sn__file_replace(const char *path, const char *data, size_t size, sn_error *error);

struct sn__container {
    const char *path;
    char *data;
    size_t size;
    uint32_t version;
};

/* Reads and checks a file; `what` is its name in messages, as "policy". Other versions are refused. */
sn_status sn__container_read(struct sn__container *c, const char *path, const char kind[8], const char *what,
                             uint32_t version, sn_error *error);
/* The same from memory, which is copied. */
sn_status sn__container_parse(struct sn__container *c, const void *bytes, size_t size, const char kind[8],
                              const char *what, uint32_t version, sn_error *error);
void sn__container_free(struct sn__container *c);

/* The bytes of a section, which must be there. */
sn_status sn__container_find(const struct sn__container *c, const char *name, const void **data, size_t *size,
                             sn_error *error);
/* Copies a section of exactly `size` bytes. */
sn_status sn__container_take(const struct sn__container *c, const char *name, void *data, size_t size,
                             sn_error *error);

#endif
