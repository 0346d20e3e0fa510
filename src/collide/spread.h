/* Of many points on a surface, the lowest and those furthest out in seven directions. Private to collide. */
#ifndef SINEW_COLLIDE_SPREAD_H
#define SINEW_COLLIDE_SPREAD_H

#include "collide/pairs.h"

enum { SN__SPREAD = 8 };

/* The directions turn with a solid, and a point must be clearly better to take another's place: so that from step to step
   the same are chosen. */
struct sn__spread {
    double way[SN__SPREAD][3], value[SN__SPREAD];
    double better;
    int best[SN__SPREAD];
};

/* Directions across the unit vector `up`, from the axes of the solid, R, and -up. */
void sn__spread_start(struct sn__spread *s, const double up[3], const double R[3][3], double better);
void sn__spread_offer(struct sn__spread *s, const double x[3], int number);
/* Numbers of the points, each once; how many. */
int sn__spread_take(const struct sn__spread *s, int number[SN__SPREAD]);

#endif
