/* Sinew: gains that suit a character. sinew.h includes this file. */
#ifndef SINEW_GAINS_H
#define SINEW_GAINS_H

#include "sinew/model.h"
#include "sinew/expert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What holds a model up in its pose. */
typedef enum sn_stance {
    /* The ground, below the lowest bodies. These are all bodies with a shape that reaches down to the lowest
       point of all, within 2 % of the height, of every tree with a free root. */
    SN_STANCE_LOWEST,
    /* The ground, below the bodies of `standing`. */
    SN_STANCE_BODIES,
    /* Its roots, which the world or drives hold: everything hangs. */
    SN_STANCE_NONE
} sn_stance;

/* What gains are for. Make one with sn_gains_def_default. */
typedef struct sn_gains_def {
    /* Set by sn_gains_def_default. */
    uint32_t struct_size;
    /* [nq] The pose. NULL: the zero pose. [default NULL] */
    const double *q;
    /* Frequency of each joint. 0: 8. [Hz; default 0; from 0] */
    double frequency;
    /* Damping ratio of each joint. 1 is critical. 0: 1. [default 0; from 0] */
    double damping_ratio;
    /* What holds the model up. [default SN_STANCE_LOWEST] */
    sn_stance stance;
    /* [nbody] 1: this body stands on the ground. For SN_STANCE_BODIES. [default NULL] */
    const uint8_t *standing;
    /* Gravity. All zero: 0 0 -9.81. [m/s^2; default 0 0 0] */
    double gravity[3];
    /* Duration of the steps. 0: 1/240, as a world's. [s; default 0; from 0] */
    double dt;
    /* Form of the drives. [default SN_FORM_STABLE] */
    sn_form form;
    /* Precision of the steps. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Whether to raise kd where the form needs more. Otherwise such gains are refused. [default false] */
    bool widen;
} sn_gains_def;

static inline sn_gains_def sn_gains_def_default(void) {
    SN_RETURN_DEFAULT(sn_gains_def);
}

/* Chooses kp and kd [nv] for a model: kp = I w^2 + G, kd = 2 z I w, with w = 2 pi frequency and z the
   damping ratio. I is the inertia that the joint moves when all others are locked, and G the stiffness by
   which gravity would topple it. A joint between the ground and what stands on it moves everything that
   it carries, if that is more than what hangs on it; every standing body bears the same part of the
   weight. Ball joints get one gain for their three axes. If something stands, a free root gets no gains:
   nothing holds it.

   Gains that break the condition of the form at this dt (see sn_gains_check) are refused, with a message
   that names the joint and suggests other values, or widened. A definition of NULL means all defaults. */
SN_API sn_status sn_gains_choose(const sn_model *model, const sn_gains_def *definition, double *kp,
                                 double *kd, sn_error *error);
/* Fills kps and kds [nv] with the same gains everywhere, apart from those of a free root. maba-2020
   section 4.1 uses 20000, 2000, 75000, 4000. */
SN_API void sn_gains_uniform(const sn_model *model, double root_kp, double root_kd, double kp, double kd,
                             double *kps, double *kds);

/* What is wrong with the gains of one degree of freedom. I is the inertia it shows with all others free. */
typedef enum sn_gain_flag {
    SN_GAIN_OK = 0,
    /* Stable form: kd < kp dt. This breaks the condition of spd-2011. */
    SN_GAIN_UNDERDAMPED = 1,
    /* eps K / I > 0.1 in float, with K what the form adds to the inertia (stable: kd dt). Torques by the PD
       formula would be mostly rounding; steps are not affected. */
    SN_GAIN_FLOAT_STIFF = 2,
    /* Swings up under semi-implicit Euler. Explicit form: kp dt^2 + 2 kd dt > 4 I; implicit D:
       kp dt^2 > 4 I + 2 kd dt; stable: 3 kp dt^2 > 4 I + 2 kd dt; full: never. Other joints can prevent it by
       their damping, or cause it together: see theory.md, section 6. */
    SN_GAIN_OVERSHOOTS = 4
} sn_gain_flag;

/* Checks gains for the pose, dt, form and precision of a definition (NULL: defaults); its other members
   do not matter. Fills one flag word per degree of freedom (flags may be NULL). Returns how many are not
   SN_GAIN_OK, or -1 if an argument is wrong. The error names the worst joint and suggests other values.
   With `widen`, kd is raised first to what the form needs; the flags then show what was wrong before and
   what could not be repaired. */
SN_API int sn_gains_check(const sn_model *model, const sn_gains_def *definition, const double *kp, double *kd,
                          unsigned *flags, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
