/* Worlds that benchmarks and experiments share: a character on the ground. */
#ifndef SINEW_CLI_GROUND_SCENE_H
#define SINEW_CLI_GROUND_SCENE_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct ground_scene_def {
    sn_world_def world;
    bool fall;       /* as bench/peers has it: 0.2 m above the ground, 1.5 m/s forward, 1 rad/s about y;
                        false: in contact, at rest */
    double kp, kd;   /* of all joints; the root is not driven */
    double friction; /* of the ground */
};

struct ground_scene_def
ground_scene_def_default(void); /* stands, kp = 1000, kd = 100, friction 1, contact by rows, else
                                                   the library's world */

/* A character on a plane at z = 0, its drives at the zero pose. */
struct ground_scene {
    sn_world *world; /* the character is its member 0 */
    int nq, nv;
    double *q, *qd; /* the state it starts in; ground_scene_watch leaves the one at the end */
};

/* On failure says why in `error` and leaves nothing to free. The model must outlive the scene. */
bool ground_scene_create(struct ground_scene *scene, const sn_model *model,
                         const struct ground_scene_def *def, sn_error *error);
void ground_scene_free(struct ground_scene *scene);

/* What is seen of a run. */
struct watched {
    bool finite; /* false: the run ended early */
    int steps;
    double contacts, rows, iterations, sweeps, substeps; /* means per step */
    int impacts, dropped;                                /* in all */
    double penetration;                                  /* worst, m */
    double residual;                                     /* worst, m/s */
    double drift;  /* horizontal way of the root from t = 1 s, or the start of a shorter run, to the end, m */
    double height; /* of the root, end minus start, m */
    double speed;  /* fastest degree of freedom at the end, m/s or rad/s */
    double rest;   /* s: from here on the kinetic energy stays below 0.1 J; infinite: it does not */
};

/* Takes steps and looks at each. */
struct watched ground_scene_watch(struct ground_scene *scene, double dt, double seconds);

/* Adds turning about the world's y at 1 rad/s to an angular velocity in the axes of a body with this orientation:
   R^T y is the second row of R. */
void add_tilt(const double rotation[4], double *omega);
/* sn_gains_uniform for a member of a world. */
sn_status set_uniform_gains(sn_world *world, int member, double root_kp, double root_kd, double kp,
                            double kd);

#endif
