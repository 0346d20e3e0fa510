/* What moves in a straight line, and the cells of a height field under it. Private to collide. */
#ifndef SINEW_COLLIDE_WALK_H
#define SINEW_COLLIDE_WALK_H

#include "collide/field.h"

struct sn__walk {
    const struct sn__field *field;
    double from[3], way[3];
    double extent[3]; /* half the width of what moves; zero for a ray */
    double limit;     /* 0..1: only this part of the way counts; a visit that finds something lowers it */
};

/* Called for each cell (i, j) that is under what moves for some t in [t0, t1], while it is not above the
   highest corner of the cell. */
typedef void sn__visit_cell(struct sn__walk *walk, int i, int j, double t0, double t1);

/* Visits the cells row by row, first those that are reached first. */
void sn__walk_cells(struct sn__walk *walk, sn__visit_cell *visit);

/* Narrows t to where low <= x + t v <= high; false: nothing is left. */
static inline bool narrow(double x, double v, double low, double high, double t[2]) {
    if (v == 0) return x >= low && x <= high;
    double first = ((v > 0 ? low : high) - x) / v, last = ((v > 0 ? high : low) - x) / v;
    t[0] = most(t[0], first);
    t[1] = least(t[1], last);
    return t[0] <= t[1];
}

/* The normal of a hit that has none of its own: against the way, or z where the way is zero. */
static inline void sn__normal_against(const double way[3], double normal[3]) {
    for (int i = 0; i < 3; i++)
        normal[i] = -way[i];
    if (!dvec_normalise(normal)) normal[0] = normal[1] = 0, normal[2] = 1;
}

#endif
