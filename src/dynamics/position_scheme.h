/* Schemes of position-based steps: what an acceleration is, in terms of poses (docs of the table: kernels/position/table.h). */
#ifndef SINEW_DYNAMICS_POSITION_SCHEME_H
#define SINEW_DYNAMICS_POSITION_SCHEME_H

#include <stdbool.h>

#include "kernels/position/table.h"
#include "model/model.h"

enum sn__position_method {
    SN__PBAD2,  /* pbad-2018 eq. 5: implicit Euler, first order */
    SN__BDF2,   /* BDF2 for velocities of velocities: second order, one pose as well */
    SN__PBAD3,  /* pbad-2018 eq. 6 with Legendre points, K = 3: second order, two poses */
    SN__PBAD4,  /* K = 4: third order, three poses; not stable at every step */
    SN__RADAU2, /* Radau IIA: third order, two poses */
    SN__RADAU3, /* fifth order, three poses */
    SN__POSITION_METHODS
};

struct sn__position_scheme {
    const char *name;
    int order;
    int m, past;                      /* poses sought, poses of the past; past[0] is where the step starts */
    double node[SN__POSITION_STAGES]; /* of the stages, in steps; the last one is 1 */
    double past_node[SN__POSITION_PAST]; /* 0 and below */
    int keep[SN__POSITION_PAST]; /* the past of the next step: a stage, or -1 - (a pose of this past) */
    bool has_velocity;           /* the velocity at the start counts, not only poses */
    double C[SN__POSITION_STAGES][SN__POSITION_STAGES]; /* as in sn__position_args */
    double W[SN__POSITION_STAGES][SN__POSITION_PAST];
    double velocity[SN__POSITION_STAGES];
    double rate[SN__POSITION_STAGES][SN__POSITION_STAGES];
    double rate_past[SN__POSITION_STAGES][SN__POSITION_PAST];
};

struct sn__position_scheme sn__position_scheme_of(enum sn__position_method method);
/* Puts the weights where the kernels read them. */
void sn__position_scheme_put(const struct sn__position_scheme *s, struct sn__position_args *args);

/* What gradients are compared with, N m. */
double sn__position_force_scale(const sn_model *model, const double gravity[3]);

/* The values, slopes and bends at x of the polynomials that are 1 at one of n nodes and 0 at the others. */
void sn__lagrange(int n, const double *node, double x, double *value, double *slope, double *bend);

#endif
