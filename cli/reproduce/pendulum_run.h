/* The two-link pendulum of spd-2011 section 3.4 and one run of it. */
#ifndef SINEW_CLI_REPRODUCE_PENDULUM_RUN_H
#define SINEW_CLI_REPRODUCE_PENDULUM_RUN_H

#include <sinew/dynamics.h>
#include <stdbool.h>

/* The paper gives no masses and lengths. These make its tables come out: bobs on massless rods that hang
   straight down at q = 0. */
#define PENDULUM_MASS_1 0.6   /* kg */
#define PENDULUM_MASS_2 0.25  /* kg */
#define PENDULUM_LENGTH 1.0   /* m, both links */
#define PENDULUM_RADIUS 0.05  /* m, of both bobs */
#define PENDULUM_DURATION 6.3 /* s, a period of the reference: 378 steps at 60 Hz */

sn_model *pendulum_build(sn_error *error);

/* How the reference reaches the controller. */
enum reference { REFERENCE_EXACT, REFERENCE_LINEAR_30, REFERENCE_HELD_30 };

struct trial {
    bool stable;              /* stable PD; false: PD                   */
    bool velocity;            /* with the reference velocity, eq. 4, 5  */
    double kp, kd_over_kp_dt; /* kd = kd_over_kp_dt * kp * dt           */
    double dt, duration;
    enum reference reference;
    sn_integrator integrator;
};

struct tracking {
    bool diverged;
    double inf[2]; /* largest error of each degree of freedom; NAN when it diverged        */
    double two[2]; /* root of the sum of the squared errors of all samples, one each step  */
};

/* The run of the paper: kd = kp dt, explicit Euler, exact reference, dt = 1/60 s. */
struct trial trial_default(bool stable, bool velocity, double kp);
struct tracking trial_run(const sn_model *model, const struct trial *trial);

#endif
