/* Files inside a zip archive, in memory: what numpy writes as .npz. */
#ifndef SINEW_IMPORT_ZIP_H
#define SINEW_IMPORT_ZIP_H

#include "sinew/sinew.h"

struct sn__zip_entry {
    const char *name; /* not terminated */
    size_t length;    /* of the name */
    size_t size, packed;
    size_t at;  /* where its local header stands */
    int method; /* 0: stored, 8: deflated */
};

bool sn__zip_is(const char *data, size_t size);
/* The entry of a number, in the order of the directory; false: there are no more, or the archive is broken there. */
bool sn__zip_entry(const char *data, size_t size, int index, struct sn__zip_entry *entry);
/* Its bytes, at most `most` of them; NULL and a reason without the file's name. Give them back with sn__free. */
char *sn__zip_read(const char *data, size_t size, const struct sn__zip_entry *entry, size_t most,
                   sn_error *error);

#endif
