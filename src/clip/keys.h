/* Where a time falls among keys, and what lies between two rotations. */
#ifndef SINEW_CLIP_KEYS_H
#define SINEW_CLIP_KEYS_H

#include <stdbool.h>

struct key_place {
    int frame;    /* the key at or before the time                                     */
    double u;     /* 0 <= u < 1: how far on the way to the next key                    */
    double h;     /* s to the next key; 0: outside the keys, or there is only one key  */
    double cycle; /* whole rounds gone by, of keys that loop                           */
};

/* The keys' times increase from 0. Keys that loop come back to the first at the time of the last. */
struct key_place sn__keys_find(const double *time, int nframe, bool loop, double t);

/* The short way from q0 to q1, h seconds apart, at the fraction u; omega in own axes. q or omega may be NULL. */
void sn__slerp(const double q0[4], const double q1[4], double u, double h, double q[4], double omega[3]);

#endif
