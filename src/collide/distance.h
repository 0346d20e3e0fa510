/* The distance of two convex solids. Private to collide. */
#ifndef SINEW_COLLIDE_DISTANCE_H
#define SINEW_COLLIDE_DISTANCE_H

#include "collide/pairs.h"

/* The convex hull of a few points, grown by a radius on all sides; or a shape that is a hull. */
struct sn__hull {
    int n;
    double point[8][3];
    double radius;
    const struct sn_hull *of; /* NULL: the points above; else its own, turned and moved */
    double R[3][3], at[3];
};

/* Point number i. */
void sn__hull_point(const struct sn__hull *hull, int i, double out[3]);
/* The point that is furthest along sign n. */
int sn__hull_furthest(const struct sn__hull *hull, const double n[3], double sign);

/* A sphere (1 point), capsule (2), box (8) or hull, seen from `origin`. */
void sn__hull_of(const struct sn__geom *g, const double origin[3], struct sn__hull *hull);

/* Which points of the two hulls are near each other. Start with n = 0; kept from one question to the next,
   it makes the next answer quick. */
struct sn__simplex {
    int n, a[4], b[4];
};

struct sn__apart {
    double gap;    /* the solids are at least that far apart; equal to the distance up to rounding */
    double length; /* distance of the hulls without their radii; 0: they meet, and gap is minus the radii */
    double normal[3]; /* unit, from b to a, where the length is not 0 */
    double on_b[3];   /* the point of b that is nearest to a */
};

/* a, moved by `shift`, and b. */
void sn__hulls_apart(const struct sn__hull *a, const double shift[3], const struct sn__hull *b,
                     struct sn__simplex *simplex, struct sn__apart *apart);

#endif
