/* Sinew: gains of drives, chosen. Section 7 of sinew.h, which includes this file. */
#ifndef SINEW_GAINS_H
#define SINEW_GAINS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------- 7. Gains */

/* What holds a model up in its pose. */
typedef enum sn_stance {
    SN_STANCE_LOWEST, /* the ground, below the lowest bodies: those with a shape that reaches down to the lowest point of
                         all, within 2 % of the height, of every tree with a free root */
    SN_STANCE_BODIES, /* the ground, below the bodies of `standing` */
    SN_STANCE_NONE    /* its roots, which the world or drives hold: everything hangs */
} sn_stance;

/* What gains are for. Zero it, then set what differs: (sn_gains_def){.frequency = 6, .dt = 1.0 / 60}. */
typedef struct sn_gains_def {
    const double *q;         /* the pose; NULL: the zero pose */
    double frequency;        /* of each joint, Hz; 0: 8 */
    double damping_ratio;    /* 0: 1, critical */
    sn_stance stance;        /* default SN_STANCE_LOWEST */
    const uint8_t *standing; /* [nbody] 1: this body stands on the ground; of SN_STANCE_BODIES */
    double gravity[3];       /* m/s^2; all zero: 0 0 -9.81 */
    double dt;               /* of the steps, s; 0: 1/240, as a world's */
    sn_form form;            /* of the drives; default SN_FORM_STABLE */
    sn_precision precision;  /* of the steps; default SN_PRECISION_DOUBLE */
    bool widen;              /* raise kd where the form needs more; default false: refuse such gains */
} sn_gains_def;

/* kp = I w^2 + G, kd = 2 z I w, with w = 2 pi frequency, z the damping ratio, I the inertia the joint moves when all
   others are locked, and G the stiffness by which gravity would topple it. A joint between the ground and what stands on
   it moves all that is carried over it, where that is more than what hangs on it; every standing body bears the same part
   of the weight. Ball joints get one gain for their three axes. Where something stands a free root gets none: nothing
   holds it. What breaks the condition of the form at this dt (SN_GAIN_UNDERDAMPED or SN_GAIN_OVERSHOOTS of
   sn_gains_check in dynamics.h) is refused, with a message that names the joint and says what would do, or widened. def
   NULL: all defaults. */
SN_API sn_status sn_gains_choose(const sn_model *model, const sn_gains_def *definition, double *kp,
                                 double *kd, sn_error *error);

/* The same gains everywhere, apart from those of a free root: maba-2020 section 4.1 uses 20000, 2000,
   75000, 4000. */
SN_API void sn_gains_uniform(const sn_model *model, double root_kp, double root_kd, double kp, double kd,
                             double *kps, double *kds);

#ifdef __cplusplus
}
#endif

#endif
