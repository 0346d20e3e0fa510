/* Worlds that benchmarks and experiments share: a character on the ground, and simple bodies. */
#ifndef SINEW_CLI_STAGE_H
#define SINEW_CLI_STAGE_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct stage_def {
    sn_world_def world;
    bool fall;       /* as bench/peers has it: 0.2 m above the ground, 1.5 m/s forward, 1 rad/s about y;
                        false: in touch, at rest */
    double kp, kd;   /* of all joints; the root is not driven */
    double friction; /* of the ground */
};

struct stage_def stage_def_default(void); /* stands, kp = 1000, kd = 100, friction 1, the library's world */

/* A character on a plane at z = 0, its drives at the zero pose. */
struct stage {
    sn_world *world;
    sn_character *character;
    int nq, nv;
    double *q, *qd; /* the state it starts in; stage_watch leaves the one at the end */
};

/* On failure says why in `error` and leaves nothing to free. The model must outlive the stage. */
bool stage_create(struct stage *stage, const sn_model *model, const struct stage_def *def, sn_error *error);
void stage_free(struct stage *stage);

/* What is seen of a run. */
struct watched {
    bool finite; /* false: the run ended early */
    int steps;
    double contacts, rows, iterations, sweeps, substeps; /* means of a step */
    int impacts, dropped;                                /* in all */
    double penetration;                                  /* worst, m */
    double residual;                                     /* worst, m/s */
    double drift;  /* horizontal way of the root from t = 1 s, or the start of a shorter run, to the end, m */
    double height; /* of the root, end minus start, m */
    double speed;  /* fastest degree of freedom at the end, m/s or rad/s */
    double rest;   /* s: from here on the kinetic energy stays below 0.1 J; infinite: it does not */
};

/* Takes steps and looks at each. */
struct watched stage_watch(struct stage *stage, double dt, double seconds);

/* Height of the lowest point of all shapes above z = 0, at the character's present state. */
double stage_lowest(sn_character *character);

/* A free body of one shape, its frame in its middle, with the given mass. */
sn_model *stage_build_body(const sn_shape_def *shape, sn_error *error);
/* A hinge about y at the origin with a rod of 1 m and 1 kg that hangs along -z; limits where lower < upper. */
sn_model *stage_build_pendulum(double lower, double upper, sn_error *error);

#endif
