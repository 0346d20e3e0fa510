/* The two-link pendulum of spd-2011 section 3.4 and one run of it. */
#ifndef SINEW_CLI_REPRODUCE_PENDULUM_RUN_H
#define SINEW_CLI_REPRODUCE_PENDULUM_RUN_H

#include "scenes/papers.h"

#include <sinew/dynamics.h>
#include <stdbool.h>

/* The masses are those of a grid that come closest to tables 1 and 2 (pendulum_masses.c looks for them again). The
   duration is in the tables: an error of dt |sin t|, which is what stable PD without a reference velocity leaves at high
   gains, has the 2-norm dt sqrt(N / 2), and 0.2293 at dt = 1/60 s makes N = 378 steps. */
#define PENDULUM_DURATION 6.3 /* s, a period of the reference: 378 steps at 60 Hz */

/* Tables 1 and 2: inf- and 2-norm of the error by degree of freedom, gain and controller; 0 where PD diverged. */
enum { PENDULUM_METHODS = 4, PENDULUM_GAINS = 4, PENDULUM_DOFS = 2 };
extern const struct pendulum_method {
    const char *name;
    bool stable, velocity;
} pendulum_method[PENDULUM_METHODS];
extern const double pendulum_gain[PENDULUM_GAINS];
extern const double pendulum_paper[PENDULUM_DOFS][PENDULUM_GAINS][PENDULUM_METHODS][2];

/* How the reference reaches the controller. */
enum reference { REFERENCE_EXACT, REFERENCE_LINEAR_30, REFERENCE_HELD_30 };

struct trial {
    bool stable;              /* stable PD; false: PD                   */
    bool velocity;            /* with the reference velocity, eq. 4, 5  */
    double kp, kd_over_kp_dt; /* kd = kd_over_kp_dt * kp * dt           */
    double dt, duration;
    enum reference reference;
    sn_integrator integrator;
    double (
        *trace)[2]; /* [steps] filled with the errors q - q_ref at the end of each step, NAN once it diverged;
                           NULL: not wanted */
};

struct tracking {
    bool diverged;
    double inf[2]; /* largest error of each degree of freedom; NAN when it diverged        */
    double two[2]; /* root of the sum of the squared errors of all samples, one each step  */
};

/* The run of the paper: kd = kp dt, explicit Euler, exact reference, dt = 1/60 s. */
struct trial trial_default(bool stable, bool velocity, double kp);
struct tracking trial_run(const sn_model *model, const struct trial *trial);
long trial_steps(const struct trial *trial);

/* The largest relative deviation of our 2-norms from those of the tables; infinite where one diverges that does not in the
   paper. */
double pendulum_deviation(struct tracking run[PENDULUM_GAINS][PENDULUM_METHODS]);
/* The smallest gain of the tables from which on PD diverges, with and without reference velocity, and does not below;
   NAN: there is none. */
double pendulum_diverges_from(struct tracking run[PENDULUM_GAINS][PENDULUM_METHODS]);

struct result;
struct run_settings;

/* Looks for the masses in a grid: pendulum_masses.c. */
struct masses {
    double mass[2], deviation; /* of the best pair */
    int tried, like_paper;     /* pairs; those with which PD diverges from kp = 3000 on, as in the tables */
};
struct masses pendulum_fit(const struct run_settings *settings, struct result *result);

/* Figures 2 and 3, as tables and where asked for as SVG: pendulum_figures.c. False after a complaint. */
struct swings {
    int compared,
        smaller; /* errors of PD and stable PD at kp = 30 and 300; where that of stable PD swings less */
    double most; /* largest of stable PD's swing over PD's */
};
bool pendulum_figures(const sn_model *model, const struct run_settings *settings, struct swings *swings,
                      struct result *result);

#endif
