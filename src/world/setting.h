/* What a setting of a world stands for (sn_setting): everything that depends on it, in one table. */
#ifndef SINEW_WORLD_SETTING_H
#define SINEW_WORLD_SETTING_H

#include <stdbool.h>

#include "sinew/sinew.h"

struct sn__setting {
    /* What a definition leaves open. */
    int iterations;            /* of Gauss-Seidel over rows */
    double tolerance;          /* of rows, m/s */
    int sweeps;                /* of the implicit solve, at most */
    double sweep_tolerance[2]; /* of its forces, relative, by sn_precision */
    /* The implicit solve: struct sn__effort says what these do. */
    int spare, late, looks;
    int refreshes; /* 0: half of the sweeps */
    int majorised; /* 0: all sweeps */
    bool guarded;  /* joints are damped where a step would gain energy */
    /* Velocity products at the middle of the step: struct sn__args. */
    int refinements;
    double refine_to, predict_to, still;
    /* Rounds of constraints that bend (refine.c), and when a change is small enough, m/s and rad/s; rounds of solves of the
       scene (newton.c), 0: by the number of rows. */
    int refine_rounds;
    double refine_enough;
    int scene_rounds;
    /* The position stepper: passes of Newton's method, rounds for the bounds of friction; whether driven characters make do
       with a fixed number of sweeps. */
    int passes, rounds;
    bool fixed_sweeps;
};

const struct sn__setting *sn__setting_of(const sn_world_def *d);

#endif
