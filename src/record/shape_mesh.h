/* Shapes as triangles, for files that know nothing else. */
#ifndef SINEW_RECORD_SHAPE_MESH_H
#define SINEW_RECORD_SHAPE_MESH_H

#include "record/figure.h"

#include <stdint.h>

/* Starts with all zero. */
struct sn__shape_mesh {
    float *point, *normal; /* [npoint][3] */
    uint16_t *corner;      /* [ntriangle][3], counterclockwise from outside */
    int npoint, ntriangle;
};

/* False: out of memory. */
bool sn__shape_mesh_of(struct sn__shape_mesh *mesh, const struct sn__figure_shape *shape);
void sn__shape_mesh_free(struct sn__shape_mesh *mesh);

#endif
