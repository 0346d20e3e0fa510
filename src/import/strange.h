/* Files that are often given and cannot be read. */
#ifndef SINEW_IMPORT_STRANGE_H
#define SINEW_IMPORT_STRANGE_H

#include <stddef.h>

/* What the file is, and what to do about it; NULL: nothing that is known. */
const char *sn__strange_file(const char *data, size_t size);

#endif
