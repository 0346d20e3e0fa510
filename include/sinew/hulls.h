/* Convex hulls: shapes of any convex form. Part of sinew.h, which includes it.
 *
 *     sn_hull *hull = sn_hull_create(points, n, 0, &error);
 *     sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
 *     shape.hull = hull;
 *     sn_builder_add_shape(builder, "rock", &shape);
 *     sn_hull_free(hull);                              (the builder has taken a share of it)
 *
 * A hull never changes and may be shared by any number of shapes, models, worlds and threads: whoever keeps a shape keeps
 * its hull as well. */
#ifndef SINEW_HULLS_H
#define SINEW_HULLS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SN_MAX_HULL_POINTS = 1 << 22, SN_MAX_HULL_VERTICES = 4096 };

/* Of n points, x, y, z each; at least four, not all in one plane. Vertices are at most `most` of them, 0 for
   SN_MAX_HULL_VERTICES: those furthest out come first, so that few of them already have the form. NULL and a message when
   the points have no volume, are not finite or too many. Faces in one plane up to 3e-7 of the size are one face, and
   vertices within it are left out; volume and inertia are those with them. */
SN_API sn_hull *sn_hull_create(const double *points, int n, int most, sn_error *error);
SN_API void sn_hull_free(sn_hull *hull); /* gives up one share; NULL is allowed */

/* What a hull is. All of it belongs to the hull. */
typedef struct sn_hull_info {
    int nvertex, nface;
    const double (*vertex)[3]; /* [nvertex] as they were given */
    const int *first;          /* [nface + 1] where the corners of each face begin in `corner` */
    const int *corner;         /* vertices, counterclockwise seen from outside */
    double volume, centre[3];
    double inertia[6]; /* about the centre, for density 1: xx yy zz xy xz yz */
    double apart;      /* how far the furthest of the points is outside, where `most` was too few */
} sn_hull_info;

SN_API const sn_hull_info *sn_hull_get(const sn_hull *hull); /* NULL for NULL */

#ifdef __cplusplus
}
#endif

#endif
