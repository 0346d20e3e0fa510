/* Curves and surfaces that a point is held on, as they are kept: copies of what the user gave, in a frame whose origin is
 * point2 of the constraint. */
#ifndef SINEW_WORLD_GUIDE_H
#define SINEW_WORLD_GUIDE_H

#include "sinew/sinew.h"

struct sn__guide {
    bool curve;              /* else a surface */
    int n;                   /* of a curve: points */
    bool closed;             /* of a curve */
    int pieces;              /* between its points */
    double *point, *tangent; /* [n][3]; tangents, by the number of the point, where it is smooth, else NULL */
    double *box; /* [2 leaves][6] lower and upper corner: a tree over its pieces, node 1 the root, leaves last */
    int leaves; /* a power of two */
    sn_surface_type type;
    double radius;
    int nx, ny; /* of heights */
    double size[2];
    double *height; /* [ny][nx] */
    uint64_t hash;
};

/* NULL: see the error. */
struct sn__guide *sn__guide_of_curve(const sn_curve_def *def, sn_error *error);
struct sn__guide *sn__guide_of_surface(const sn_surface_def *def, sn_error *error);
struct sn__guide *sn__guide_new(const char *what, sn_error *error); /* all zero; for the two above */
void sn__guide_free(struct sn__guide *g);
size_t sn__guide_memory(const struct sn__guide *g);

/* The nearest place of a curve, and the direction it has there. */
void sn__curve_nearest(const struct sn__guide *g, const double x[3], double place[3], double tangent[3]);
/* How far x is above a surface, and which way is up; `axis`: the direction of the constraint. */
double sn__surface_distance(const struct sn__guide *g, const double axis[3], const double x[3], double up[3]);

#endif
