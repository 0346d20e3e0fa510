/* Mass, centre and inertia of what triangles enclose. */
#ifndef SINEW_MODEL_SOLID_H
#define SINEW_MODEL_SOLID_H

#include <stdbool.h>

#include "model/inertia.h"

struct sn__triangles {
    const double (*vertex)[3];
    const int (*face)[3]; /* [nface] counterclockwise seen from outside */
    int nface;
};

enum sn__mesh_fill {
    SN__MESH_SOLID,    /* pyramids over the triangles, with their signs: exact for a closed mesh     */
    SN__MESH_ABSOLUTE, /* every pyramid positive, seen from the middle of the surface: MuJoCo's way  */
    SN__MESH_SHELL,    /* the surface, of unit thickness                                             */
};

/* For density 1. False where nothing is enclosed. */
bool sn__triangles_inertia(const struct sn__triangles *mesh, enum sn__mesh_fill fill,
                           struct inertia *inertia);

#endif
