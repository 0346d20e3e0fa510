/* Gaits that an optimiser can search for: every joint of a creature swings as
 *
 *     target = x0 + x1 cos(w t) + x2 sin(w t),   within a bound,
 *
 * and what a gait is worth is how far the creature comes along x in ten seconds. Many gaits are tried abreast, each in a copy
 * of a world, so that lanes and threads share them out. */
#ifndef SINEW_SCENES_GAITS_H
#define SINEW_SCENES_GAITS_H

#include <sinew/sinew.h>

typedef enum gait_creature { GAIT_SWIMMER, GAIT_SPIDER, GAIT_CREATURES } gait_creature;

typedef struct gait_def {
    gait_creature creature;
    sn_stepper stepper; /* SN_STEPPER_POSITION or SN_STEPPER_TIME */
    double dt;          /* s */
    double seconds;     /* that a trial lasts */
    int copies;         /* gaits that are tried at a time */
    int threads;        /* at least 1 */
} gait_def;

typedef struct gait_trial { /* what became of a gait */
    double way; /* m along x that the centre of mass (swimmer) or the trunk (spider) came; NAN: lost */
    double aside, height; /* m, at the end */
} gait_trial;

typedef struct gait_trials gait_trials;

gait_def gait_def_default(gait_creature creature, sn_stepper stepper);
gait_trials *gait_trials_create(const gait_def *def, sn_error *error);
void gait_trials_free(gait_trials *trials); /* NULL is allowed */
/* Numbers that make up a gait: three per joint, then the rate as the power of two of that of the gait made by hand. */
int gait_size(const gait_trials *trials);
int gait_joints(gait_creature creature);
double gait_rate(gait_creature creature, double x); /* Hz, from that last number */
/* The length that distances are measured by, m: nose to tail of the swimmer, the spider's trunk. */
double gait_body_length(gait_creature creature);
/* Tries gaits x [count][gait_size], at most `copies`. Which copy has which does not matter, nor does the number of threads. */
sn_status gait_try(gait_trials *trials, int count, const double *x, gait_trial *trial);
/* The gait made by hand in this form, [3 gait_joints + 1]; of the spider's lift, which is none for half the time, the mean and
   the first harmonic are taken. */
void gait_by_hand(gait_creature creature, double *x);
/* A random start: n numbers from N(0, deviation^2), from the seed alone. */
void gait_random(uint64_t seed, double deviation, int n, double *x);

#endif
