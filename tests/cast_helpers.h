/* What the tests of rays and of moving shapes share. */
#ifndef SINEW_TESTS_CAST_HELPERS_H
#define SINEW_TESTS_CAST_HELPERS_H

#include "collide/cast.h"
#include "collide_helpers.h"

/* How many cases a test tries: 10,000, or less under valgrind. */
int cases(void);
/* At least this part of the cases was of the kind it should be. */
void check_share(int count, double share);
void check_shares(const int count[3], const double share[3]);
/* Tries that number of cases with each type up to `last`; `check` says of which of three kinds one was, and each kind must
   have its share. Types begin with other seeds. */
void try_types(enum sn__geom_type last, uint64_t seed, const double share[3],
               int (*check)(int n, enum sn__geom_type type, uint64_t *seed));
/* from + t way */
void point_at(const double from[3], double t, const double way[3], double p[3]);
/* The solid, t of the way on. */
struct sn__geom moved(const struct sn__geom *g, double t, const double way[3]);
/* Each coordinate from -reach to reach. */
void random_point(uint64_t *seed, double reach, double p[3]);
/* t in range, a unit normal, finite numbers. */
void check_hit_form(const struct sn__hit *hit);
/* The first t where the signed distance is not above `near`; above 1: none. Along a face it goes on for very long: then
   the t it has come to is too early, and 2 too late. */
double march(const struct sn__geom *g, const double from[3], const double way[3], double near, bool early);
/* How far p is above the ground; HUGE_VAL beside it. */
double over_ground(const struct sn__field *f, const double p[3]);
/* Is p over or under the border of the field? */
bool on_border(const struct sn__field *f, const double p[3]);

#endif
