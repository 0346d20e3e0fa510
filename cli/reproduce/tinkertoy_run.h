/* The tinkertoy of spd-2011 section 4.3 and one run of it. */
#ifndef SINEW_CLI_REPRODUCE_TINKERTOY_RUN_H
#define SINEW_CLI_REPRODUCE_TINKERTOY_RUN_H

#include "scenes/toys.h"

/* How the two constraints act. */
enum toy_way {
    TOY_FULL,    /* inside MABA, with the step's acceleration in the prediction */
    TOY_ROWS,    /* the same as rows */
    TOY_EQ13,    /* inside MABA, eq. 13 as it is printed */
    TOY_PENALTY, /* PD with the same gains */
    TOY_WAYS
};
extern const char *const toy_way_names[TOY_WAYS];

struct toy_trial {
    int segments;
    double dt, duration;
    enum toy_way way;
    bool exact;         /* rows to the last digit */
    bool rows;          /* as rows, whatever the way says */
    bool alone;         /* without the rod and the other particle */
    const char *record; /* a recording of the run goes there; NULL: nowhere */
};

struct toy_seen {
    double lost; /* s after which a value was not finite or the particle 1 m from the curve; NAN: never */
    double curve, rod;      /* m, the largest distance from the curve, and error of the rod's length */
    double corner, between; /* m, the largest distance within 3 steps of a corner, and elsewhere */
    double drift;           /* m, mean distance in the last tenth of the run less that in the first */
    double won,
        lasting;   /* J, the most energy above that of the start; energy at the end less that of the start */
    double fallen; /* J, potential energy that became free */
    double speed;  /* m/s, the fastest on the curve */
};

void toy_run(const struct toy_trial *trial, struct toy_seen *seen);
/* The largest difference between the velocities of two ways in the first `steps` steps; NAN: see complain. */
double toy_difference(const struct toy_trial *a, const struct toy_trial *b, int steps);

struct result;
struct run_settings;
/* Chains of rods: time per step; false after a complaint. Exponents of the time over the number of rods. */
struct toy_chains {
    double rows, inside;
};
void toy_chains(const struct run_settings *settings, struct toy_chains *seen, struct result *result);

#endif
