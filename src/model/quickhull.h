/* The convex hull of points as triangles. */
#ifndef SINEW_MODEL_QUICKHULL_H
#define SINEW_MODEL_QUICKHULL_H

#include <stdbool.h>

enum sn__quickhull_result {
    SN__QUICKHULL_GOOD,
    SN__QUICKHULL_MEMORY, /* out of memory */
    SN__QUICKHULL_FLAT,   /* all points lie in one plane, or nearly */
    SN__QUICKHULL_FAILED, /* rounding got the better of it */
};

struct sn__quickhull {
    int (*face)[3]; /* [nface] indices of points, counterclockwise seen from outside; the caller frees it */
    int nface;
    double apart; /* how far the furthest point is outside, where there were too many */
};

/* Of n >= 4 finite points. Corners are at most `most` of them, the furthest out first. */
enum sn__quickhull_result sn__quickhull(const double (*point)[3], int n, int most, struct sn__quickhull *out);

#endif
