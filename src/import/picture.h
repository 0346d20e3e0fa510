/* Pictures, which MJCF takes for heights. */
#ifndef SINEW_IMPORT_PICTURE_H
#define SINEW_IMPORT_PICTURE_H

#include "sinew/sinew.h"

#include <stdint.h>

enum { SN__PICTURE_SIDE = 32768, SN__PICTURE_POINTS = 1 << 22 }; /* at most: each way, and in all */

struct sn__picture {
    int rows, columns;
    uint8_t *value; /* [rows][columns] the first row is the top one; sn__free it */
};

/* Whether the bytes begin as a PNG does. */
bool sn__picture_is_png(const char *data, size_t size);
/* The red of each point, or what stands for it in shades of grey and in palettes, to 8 bits: what MuJoCo reads.
   SN_ERROR_UNSUPPORTED in a library without libpng; the message does not name the file. */
sn_status sn__picture_read(const char *data, size_t size, struct sn__picture *picture, sn_error *error);

#endif
