/* Sinew: convex hulls, shapes of any convex form. sinew.h includes this file.
 *
 *     sn_hull *hull = sn_hull_create(points, n, 0, &error);
 *     sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
 *     shape.hull = hull;
 *     sn_builder_add_shape(builder, "rock", &shape);
 *     sn_hull_free(hull);                              (the builder has taken a share of it)
 *
 * A hull never changes. Any number of shapes, models, worlds and threads can share it; each of them keeps
 * it. */
#ifndef SINEW_HULLS_H
#define SINEW_HULLS_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Most points to make a hull of. */
    SN_MAX_HULL_POINTS = 1 << 22,
    /* Most vertices of a hull. */
    SN_MAX_HULL_VERTICES = 4096
};

/* Makes the hull of n points, x, y, z each; at least four, not all in one plane. At most `most` of them
   become vertices (0: SN_MAX_HULL_VERTICES). Those furthest out come first, so that a few of them already
   have the form. Faces in one plane up to 3e-7 of the size become one face, and vertices within it are
   left out; volume and inertia include them. Returns NULL and a message if the points have no volume, are
   not finite or too many. */
SN_API sn_hull *sn_hull_create(const double *points, int n, int most, sn_error *error);
/* Gives up one share. NULL is allowed. */
SN_API void sn_hull_free(sn_hull *hull);

/* What a hull is. Everything belongs to the hull. */
typedef struct sn_hull_info {
    int nvertex, nface;
    /* [nvertex] Vertices as they were given. */
    const double (*vertex)[3];
    /* [nface + 1] Where the corners of each face begin in `corner`. */
    const int *first;
    /* Vertices of the faces, counterclockwise seen from outside. */
    const int *corner;
    double volume, centre[3];
    /* Inertia about the centre, for density 1: xx yy zz xy xz yz. */
    double inertia[6];
    /* Distance of the furthest point outside, if `most` was too small. */
    double apart;
} sn_hull_info;

/* NULL for NULL. */
SN_API const sn_hull_info *sn_hull_get(const sn_hull *hull);

#ifdef __cplusplus
}
#endif

#endif
