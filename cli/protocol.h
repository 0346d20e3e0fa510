/* What `sinew bench protocol` does in every engine: files as other projects publish them, started and moved by the same
 * numbers. */
#ifndef SINEW_CLI_PROTOCOL_H
#define SINEW_CLI_PROTOCOL_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct protocol_scene {
    const char *name, *option, *file; /* the option that names the file; where it lies in SINEW_DATA */
    bool bare; /* without dry friction in joints, and without boxes: those of G1's feet touch no ground in MuJoCo */
    double dt;
    bool servo;   /* controls are positions of servos, else torques */
    double noise; /* part of half a joint's range, or rad */
    int hold;     /* 0: controls wander; else steps for which each stays what it is, anywhere in +-noise */
};

extern const struct protocol_scene protocol_scenes[]; /* ends with a scene without a name */

struct protocol_file {
    sn_model *given, *model; /* as it is read, and as it is run */
    int nq, nv;
    const char *path;
};

/* False after a complaint. The path has to live as long. */
bool protocol_file_open(struct protocol_file *file, const struct protocol_scene *scene, const char *path);
void protocol_file_close(struct protocol_file *file);

/* The controls of all joints but the root, of one world, step after step. Wandering controls are those of MuJoCo Warp's
   benchmark: c' = r c + (1 - r) middle + noise sqrt(1 - r^2) half (2 u - 1), r = exp(-dt / 0.1 s), where u is the
   radical inverse of (step + 1) (world + 1) in base 2 + joint. */
struct protocol_control {
    const struct protocol_scene *scene;
    double *middle, *half; /* [nv - 6] */
    double rate, scale;
    int count; /* nv - 6 */
};

void protocol_control_make(struct protocol_control *control, const struct protocol_scene *scene,
                           const struct protocol_file *file);
void protocol_control_free(struct protocol_control *control);
/* The controls of a step from those of the step before; before the first, they are in the middle. */
void protocol_control_next(const struct protocol_control *control, int world, int step, double *value);

/* Ours: a world of `worlds` copies. */
struct protocol_run {
    const struct protocol_scene *scene;
    const struct protocol_file *file;
    const struct protocol_control *control;
    const sn_lanes_info *lanes; /* NULL: the library's choice for one, in double */
    int worlds, steps, threads, substeps;
    bool exact, whole; /* whole: bodies touch each other, and the constraints of the model hold */
};

struct protocol_seen {
    double us,
        put_us; /* per step of one world: the step, and the controls put into it; each step's least so far */
    int diverged;
};

/* Runs it `repetitions` times; states, if not NULL, are [world][step][nq]. False after a complaint. */
bool protocol_run(const struct protocol_run *run, int repetitions, double *states,
                  struct protocol_seen *seen);

/* Depth of the lowest point of a pose below z = 0, m; not below 0. */
struct protocol_depth {
    sn_world *world;
    double *q;
    int nq;
};
bool protocol_depth_make(struct protocol_depth *depth, const struct protocol_file *file);
void protocol_depth_free(struct protocol_depth *depth);
double protocol_depth_of(const struct protocol_depth *depth, const double *q);

#endif
