/* What contacts are measured by: support functions and signed distances, written apart from src/collide. */
#ifndef SINEW_TESTS_COLLIDE_ORACLE_H
#define SINEW_TESTS_COLLIDE_ORACLE_H

#include "collide/collide.h"

/* max x . n over the solid or, for a plane with normal n, over the half space. */
double oracle_support(const struct sn__geom *g, const double n[3]);
/* min over a of x . n - max over b of x . n. Its maximum over all unit n is the signed distance: the distance of
   solids that are apart, minus the shortest way out of solids that are not. */
double oracle_apart(const struct sn__geom *a, const struct sn__geom *b, const double n[3]);
/* The largest of oracle_apart over many directions, the best few of them climbed. Never more than the signed distance. */
double oracle_signed_distance(const struct sn__geom *a, const struct sn__geom *b, uint64_t seed);
/* Signed distance of a point from the surface of a solid or plane. */
double oracle_point_distance(const struct sn__geom *g, const double p[3]);

/* Height of the field's surface over (x, y); false: outside the grid. */
bool oracle_field_height(const struct sn__field *f, double x, double y, double *z);
/* Distance of a point from the surface, to the nearest of all triangles. */
double oracle_field_distance(const struct sn__field *f, const double p[3]);

/* The same numbers every time. */
double oracle_random(uint64_t *seed); /* 0..1 */
double oracle_between(uint64_t *seed, double low, double high);
void oracle_direction(uint64_t *seed, double n[3]);
void oracle_rotation(uint64_t *seed, double R[3][3]);

#endif
