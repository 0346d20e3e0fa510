/* The scenes of `sinew bench crowd`: many characters of one model at work, each a little different from the others. */
#ifndef SINEW_CLI_CROWD_SCENE_H
#define SINEW_CLI_CROWD_SCENE_H

#include <sinew/sinew.h>
#include <stdbool.h>
#include <stdint.h>

extern const char *const crowd_scene_names[]; /* "track", "stand", "fall", "push", then NULL */

enum { CROWD_SCENE_HERTZ = 240 }; /* steps per second in all of them */

struct crowd_scene_def {
    const char *scene; /* one of the names:
                            track  no ground, root and joints follow a motion under the gains of maba-2020 section 4.1
                            stand  on a plane in the zero pose, joints held by the drives of `sinew bench contact`
                            fall   from 0.2 m above it, 1.5 m/s forward, 1 rad/s about y
                            push   standing, and 200 N on the chest for 0.1 s every 0.5 s, each character in its own
                                   direction at its own time; after 2 s those that fell stand up again */
    const sn_lanes_info *lanes;
    sn_products products;
    double torque_limit; /* of every joint, N m; 0: none */
    int threads, count;
    int steps; /* of a run, after which it starts again; 0: 1 s of track, 2 s of the others, fewer of large crowds */
    uint64_t seed;
};

struct crowd_scene {
    int kind; /* index of the name */
    const sn_model *model;
    sn_world *world; /* a copy per character, which is member 0 */
    int count, nq, nv, steps;
    sn_precision precision;
    double *start_q, *start_qd; /* [count][nq], [count][nv] */
    double *pose;               /* [nq] on the ground: the zero pose, the feet on the plane */
    double *frame;              /* track: [steps of a period][nq] */
    void *target;               /* track: [count][nq] in the world's precision */
    int *phase;                 /* [count] number of steps that a character is ahead of the first */
    double *force;              /* push: [count][2] N, horizontal */
    double *load;               /* push: [nbody][6] room for the pushes of one character */
    int chest;                  /* body that is pushed */
    double *fastest;            /* [steps] seconds of each step, the least of all runs */
    int diverged;               /* characters, the most of all runs */
};

/* On failure says why in `error` and leaves nothing to free. The model must outlive the scene. */
bool crowd_scene_create(struct crowd_scene *scene, const sn_model *model, const struct crowd_scene_def *def,
                        sn_error *error);
void crowd_scene_free(struct crowd_scene *scene);
/* One run. Only the steps are timed: what is put in from outside between them is not. Stops when interrupted. */
void crowd_scene_run(struct crowd_scene *scene);
/* Microseconds per character-step by the fastest times so far, of the first `steps` steps; 0: of all. Infinite: not
   all of them were done. */
double crowd_scene_us(const struct crowd_scene *scene, int steps);

#endif
