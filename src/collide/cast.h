/* Queries about shapes in the world: what a ray meets, what a moving shape meets, do two shapes overlap. */
#ifndef SINEW_COLLIDE_CAST_H
#define SINEW_COLLIDE_CAST_H

#include "collide/collide.h"

/* Where something that moves along `way` first meets a shape. */
struct sn__hit {
    double t;         /* 0..1: the fraction of the way that lies before it */
    double pos[3];    /* on the surface of the shape that is met */
    double normal[3]; /* unit; out of the shape that is met */
};

/* The first point of from + t way, 0 <= t <= 1, on a shape of any type; false: there is none, and hit is not
   written.

     - A ray that starts inside hits at t = 0. Then pos is `from`, and the normal is against the way, or z if
       the way is zero.

     - A ray that starts on the surface hits at t = 0 when it goes in, and not when it goes along or out.

     - A mesh is met from the front of its triangles only; there is no inside.

     - A height field is the solid below its surface, all the way down. It ends at its border, so that a ray
       from outside meets its side walls, and one that passes beyond the border meets nothing. */
bool sn__cast_ray(const struct sn__geom *g, const double from[3], const double way[3], struct sn__hit *hit);

/* Moves a sphere, capsule or box along `way`, without turning, until it touches g, of any type. False: it
   does not, and hit is not written; so too where `moving` is a plane or a height field.

     - Nothing is missed, however thin. At hit->t the shapes are apart by less than SN__CAST_NEAR of their
       size (and of 1e-5 of the distances), and at no smaller t do they come as near.

     - Shapes that touch or overlap before the motion hit at t = 0, wherever the way leads. pos and normal are
       then those of the deepest point of sn__collide; where it has none, the normal is against the way. */
bool sn__cast_shape(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                    struct sn__hit *hit);

/* Do the shapes overlap or touch? True where sn__cast_shape of one hits the other at t = 0 (for rounding, a way
   of kilometres sees contact a little sooner). Two shapes that are planes or height fields never do. */
bool sn__overlap(const struct sn__geom *a, const struct sn__geom *b);

#define SN__CAST_NEAR 1e-9

#endif
