/* In which order and axes the numbers of poses were written. */
#ifndef SINEW_IMPORT_POSE_ORDER_H
#define SINEW_IMPORT_POSE_ORDER_H

#include "sinew/sinew.h"

struct sn__pose_reading {
    bool w_last; /* quaternions are x, y, z, w; else w, x, y, z                        */
    bool y_up;   /* (x, y, z) of places and turns becomes (x, -z, y), as DeepMimic's do */
};

/* Rearranges n poses q [n][nq], which hold the numbers as in the file. */
void sn__pose_reorder(const sn_model *model, int n, double *q, struct sn__pose_reading reading);

/* How the poses look when they are read so. */
struct sn__pose_look {
    double slip;    /* m/s, how fast the lowest point of the body moves, the mean over frames        */
    double spread;  /* m, how much the height of that point varies: between its quantiles of 10 and 90 % */
    double off;     /* m, how far the middle of those heights is from 0                              */
    double upright; /* 1: what is above in the zero pose is above all the time; -1: upside down      */
    double bent;    /* 0: all ball joints rest; 1: all are turned by half a circle                   */
    double turned;  /* the same of free roots                                                        */
};

/* False: out of memory. */
bool sn__pose_look(const sn_model *model, int n, const double *time, const double *q,
                   struct sn__pose_look *look);

/* Which of the readings the poses look best in, n as in the file; *margin: how much better it is than the
   next, in parts of 1. -1: out of memory. */
int sn__pose_choose(const sn_model *model, int n, const double *time, const double *q,
                    const struct sn__pose_reading *reading, int nreading, double *margin);

#endif
