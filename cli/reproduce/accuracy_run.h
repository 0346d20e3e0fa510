/* Tracking a motion and measuring an end-effector's error: one run of maba-2020 figures 5 and 6. */
#ifndef SINEW_CLI_REPRODUCE_ACCURACY_RUN_H
#define SINEW_CLI_REPRODUCE_ACCURACY_RUN_H

#include "motion_gen.h"

#include <sinew/dynamics.h>
#include <stdbool.h>

/* A model, its motion and the end-effector to watch. */
struct scene {
    sn_model *model;
    sn_motion *motion;    /* keys with straight lines between them: its velocity jumps at the keys */
    struct motion *sines; /* smooth, when there is no motion                            */
    int root, effector;   /* bodies                                                     */
    sn_dynamics *look;    /* answers questions about poses                              */
    double *body_pose;    /* [nbody][7] its answer                                      */
};

/* What the model follows, the first that is given: a clip, which stays the caller's; a built-in motion by
   its name; sines drawn with the seed. */
struct scene_motion {
    const sn_clip *clip;
    const char *builtin;
    const struct motion_style *style;
    uint64_t seed;
};

/* Takes the model over, also when it fails; a NULL model fails with the `error` its maker left. */
bool scene_create(struct scene *scene, sn_model *model, const char *effector,
                  const struct scene_motion *motion, sn_error *error);
void scene_free(struct scene *scene);

struct variant {
    const char *name;
    sn_solver solver;
    sn_route route;
};

struct error_norms {
    bool measured;    /* false: not run */
    bool diverged;    /* not finite, the error passed 1 m, or a joint is 3 rad off: turned round. Quick
                         motions leave a joint up to 2.6 rad behind for a moment at dt = 1/30 s */
    double mean, max; /* m, of all steps; NAN when it diverged                            */
    double joint;     /* rad, the largest error of any joint at any step; NAN if there is none    */
};

/* The error is the distance between the simulated and the reference vector from root to end-effector. Where `path` is
   given, [steps][3], it is filled with the simulated vector after each step. */
struct error_norms scene_run(const struct scene *scene, const struct variant *variant, sn_precision precision,
                             double dt, double duration, bool target_velocity, double (*path)[3]);

/* The mean error of joints that do as kp (q_ref - q) = kd q' says, without mass: what a controller without target velocity
   leaves of the motion when its step goes to zero. */
double scene_lag(const struct scene *scene, double duration);

/* The steps that maba/accuracy tries, and the fine one they are compared with. */
enum { ACCURACY_STEPS = 7, FINE_HERTZ = 2400 };
extern const int accuracy_hertz[ACCURACY_STEPS];
extern const char *const accuracy_step[ACCURACY_STEPS];

/* Where refining the step leads: what is left at the fine step, and how far the steps are from it; accuracy_fine.c. */
struct refinement {
    double left;                  /* m, mean error of the fine step, against the motion */
    double lag;                   /* m, scene_lag; NAN with a target velocity */
    double apart[ACCURACY_STEPS]; /* m, mean distance of the end-effector from that of the fine step */
    int falls;                    /* refinements with which it falls, of ACCURACY_STEPS - 1 */
};
struct refinement scene_refine(const struct scene *scene, double duration, bool target_velocity);

/* The smallest inertia a degree of freedom shows with all others free, 1 / (M^-1)_ii, where the motion
   starts. */
double smallest_inertia(const struct scene *scene);

#endif
