/* Solids with corners, edges and faces, for contacts of hulls. Private to collide. */
#ifndef SINEW_COLLIDE_POLY_H
#define SINEW_COLLIDE_POLY_H

#include "collide/distance.h"
#include "model/hull.h"

/* A hull, or a box, capsule (two corners, an edge) or sphere (one corner) seen as one; in the axes of the world, from an
   origin that two of them share. */
struct sn__poly {
    struct sn__hull core; /* its corners, and how thick it is around them */
    const struct sn__geom *geom;
    int nface, nedge;
    const int *first, *corner, *side; /* as in sn_hull */
    const struct sn__hull_edge *edge;
    double volume;
    double flat; /* of sn_hull */
};

void sn__poly_of(const struct sn__geom *g, const double origin[3], struct sn__poly *poly);
/* Unit normal and offset of a face. */
double sn__poly_plane(const struct sn__poly *p, int face, double normal[3]);
/* The face that looks most along n; -1: it has none. */
int sn__poly_face(const struct sn__poly *p, const double n[3]);
/* The edge between two corners; -1: there is none. */
int sn__poly_edge(const struct sn__poly *p, int i, int j);

/* How two solids are placed: the direction, from b to a, along which they are furthest apart or least inside each other. */
struct sn__between {
    double normal[3];
    double apart;           /* of the cores along the normal; negative: inside */
    double on_a[3];         /* the points of the cores there, which differ by apart along the normal */
    int na, nb, a[4], b[4]; /* the corners between which these lie */
};

/* Two cores that meet: the shortest way out. */
void sn__cores_inside(const struct sn__hull *a, const struct sn__hull *b, struct sn__between *between);

#endif
