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

/* What a loop gains a round: the way onward and, where the root ends in another heading than it began, the turn. */
struct round_gain {
    double way[3];    /* x, y; not the height */
    double angle;     /* rad about z; 0: below 3 degrees, or no turn about z at all */
    double centre[2]; /* that rounds turn about */
};

struct round_gain sn__round_gain(const double first[3], const double first_turn[4], const double last[3],
                                 const double last_turn[4]);
/* A root's place, orientation and velocity (world axes) after so many rounds more; any may be NULL. */
void sn__round_apply(const struct round_gain *gain, double rounds, double place[3], double turn[4],
                     double velocity[3]);

/* The short way from q0 to q1, h seconds apart, at the fraction u; omega in own axes. q or omega may be NULL. */
void sn__slerp(const double q0[4], const double q1[4], double u, double h, double q[4], double omega[3]);

#endif
