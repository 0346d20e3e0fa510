/* What the tests of dynamics share: models with every kind of joint, random states, and norms. */
#ifndef SINEW_TESTS_DYNAMICS_HELPERS_H
#define SINEW_TESTS_DYNAMICS_HELPERS_H

#include "model_helpers.h"
#include "study.h"

#include <stdlib.h>

enum {
    MAX_NV = 200, /* snake195 is the largest model here */
    MAX_NQ = 270,
};

/* ------------------------------------------------------------------------------------------------ numbers
   */

/* Repeatable numbers, one stream a test, so that tests do not depend on each other's order. */
struct rng {
    uint64_t state;
};
double uniform(struct rng *rng, double low, double high);
void random_direction(struct rng *rng, double v[3]);
void random_quaternion(struct rng *rng, double q[4]);

double norm(const double *a, int n);
double relative_error(const double *a, const double *b, int n); /* |a - b| / |b| */
void axpy(double s, const double *x, double *y, int n);         /* y += s x */
double inner(const double *a, const double *b, int n);
void multiply(const double *A, const double *x, double *y, int n); /* y = A x */
/* Solves A x = b by Cholesky; false when A is not positive definite. Leaves A and b alone. */
bool solve_spd(const double *A, const double *b, double *x, int n);
void round_to_float(double *a, int n);

/* Fails when the value is above the bound; remembers the worst for figure(). */
struct worst {
    double value;
    char where[96];
};
void worst_add(struct worst *worst, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints "what: value", then fails when it is above the bound. */
void assert_worst(const struct worst *worst, double bound, const char *what);

/* ------------------------------------------------------------------------------------------------- models
   */

enum mix {
    MIX_DAMPING = 1,
    MIX_SPRING = 2,
    MIX_ARMATURE = 4,
    MIX_LIMIT = 8,     /* torque limits */
    MIX_MASSLESS = 16, /* links without mass in between */
    MIX_FIXED = 32,    /* no free root */
    MIX_PASSIVE = MIX_DAMPING | MIX_SPRING | MIX_ARMATURE,
};
/* A tree of all joint types, with anchors, rotations and two or three roots. */
sn_model *mixed_model(uint64_t seed, unsigned mix);

/* The built-in models, then mixed ones with and without passive parts. */
enum { BUILTIN_COUNT = 5, ZOO_COUNT = 11 };
sn_model *zoo_model(int index);
/* A study of one of them with the default definition, and its end together with the model's. */
struct study *zoo_study(int index);
void zoo_study_free(struct study *study);
const char *zoo_name(int index);

/* One body on the world by one joint: mass 2, centre of mass and inertia as given. */
sn_body_def simple_body(const char *name, const char *parent, sn_joint_type type, double mass,
                        const double com[3], const double inertia[3]);
sn_model *build_bodies(const sn_body_def *body, int n);
sn_model *two_links(void); /* two rods of 0.5 m and 1 kg, tied by hinges about y */

/* ------------------------------------------------------------------------------------------------- states
   */

/* A pose up to `reach` from the zero pose, and velocities up to `speed`. */
void random_state(struct rng *rng, const sn_model *model, double reach, double speed, double *q, double *qd);
void random_values(struct rng *rng, double size, double *a, int n);
/* State, target, target velocity, feed-forward and a push, all from one stream: the same seed, the same for
   any study of the model. */
enum drive { DRIVE_PLAIN, DRIVE_ALL };
void disturb(struct rng *rng, struct study *study, enum drive drive);
/* The gains of maba-2020 section 4.1; and such that differ by axis. */
void paper_gains(const sn_model *model, double *kp, double *kd);
void per_axis_gains(struct rng *rng, const sn_model *model, double *kp, double *kd);

/* ------------------------------------------------------------------------- the controller, written plainly
   */

/* All that decides the torque of a drive. */
struct pd {
    const sn_model *model;
    sn_form form;
    double dt;
    const double *q, *qd, *target, *target_qd, *feedforward; /* the last two may be NULL */
    const double *kp, *kd;
};
/* tau = Q - K qdd, K diagonal: sinew.h, sn_form, word by word. */
void pd_terms(const struct pd *pd, double *Q, double *K);
/* What Euler's methods add to M and C for passive dampers and springs, taken at the end of the step. */
void passive_terms(const struct pd *pd, double *K, double *C);
/* (M + K) qdd = Q - C by a dense solve, M and C as the study gives them. */
void pd_acceleration(const struct pd *pd, struct study *study, const double *Q, const double *K, double *qdd);

/* Everything a drive depends on, kept beside the study it was given to. */
struct drive_scene {
    sn_model *model;
    struct study *study;
    double q[MAX_NQ], qd[MAX_NV], target[MAX_NQ], target_qd[MAX_NV], feedforward[MAX_NV], kp[MAX_NV],
        kd[MAX_NV];
    struct pd pd;
};
/* Gives the study target, feed-forward and gains. */
void drive_give(struct drive_scene *scene);
void drive_close(struct drive_scene *scene); /* frees study and model */

/* Every joint of a chain swings at 3 Hz by 0.75 rad about an axis and with a phase of its own; the root stays. */
void swing(const sn_model *model, double t, double *q, double *qd);

#endif
