/* Chains that swing down, as in section 6.1 of pbad-2018, under any of the integrators it compares and those beside them. */
#ifndef SINEW_CLI_REPRODUCE_PBAD_CHAIN_H
#define SINEW_CLI_REPRODUCE_PBAD_CHAIN_H

#include <sinew/dynamics.h>
#include <sinew/studies.h>

/* Rods of water's density, one behind the other along x at the zero pose, the first held by the world. */
struct chain_shape {
    int links;
    bool ball; /* three degrees of freedom a joint; else two, which is what the paper calls ball joints */
    double length, radius; /* m, of a link */
    double bend;           /* rad in every joint at the start, and half of it about the other axis */
};

enum chain_way {
    WAY_EULER,
    WAY_SEMI_IMPLICIT,
    WAY_RK2,
    WAY_RK3,
    WAY_RK4,
    WAY_SCHEME_R, /* a world's own: semi-implicit, velocity products at the middle of the step */
    WAY_PBAD2,
    WAY_PBAD3,
    WAY_BDF2,
    WAY_RADAU2,
    CHAIN_WAYS
};
extern const char *const chain_way_name[CHAIN_WAYS];

struct chain {
    sn_model *model;
    int nq, nv;
    double dt, fall; /* J from the straight chain lying level to it hanging */
    double *q, *qd;
    sn_dynamics *dynamics; /* one of the three steps it, the first answers questions, too */
    sn_world *world;
    sn_position *position;
    sn_position_report report; /* of the last step of the third */
};

sn_model *chain_model(const struct chain_shape *shape);
void chain_pose(const sn_model *model, double bend, double *q); /* [nq] */

/* The second: position-based steps as defined. */
void chain_open(struct chain *chain, const struct chain_shape *shape, enum chain_way way, double dt);
void chain_open_position(struct chain *chain, const struct chain_shape *shape, const sn_position_def *def);
bool chain_step(struct chain *chain); /* false: a value is not finite any more */
double chain_energy(struct chain *chain);
void chain_close(struct chain *chain);

#endif
