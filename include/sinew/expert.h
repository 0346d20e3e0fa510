/* Sinew: choices of a world that most programs leave at their defaults. sinew.h includes this file.
 *
 * docs/theory.md and docs/worlds.md explain the methods. studies.h has the methods that only papers need. */
#ifndef SINEW_EXPERT_H
#define SINEW_EXPERT_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Precision of states and responses. Rows are always solved in double. In float each row has a compliance
   of at least 1e-6 of its own response, because rounding would otherwise make the matrix of rows
   indefinite: a contact under ten thousand times the weight of its body gives way by a millimetre. */
typedef enum sn_precision { SN_PRECISION_DOUBLE, SN_PRECISION_FLOAT } sn_precision;

/* How a drive enters the equations of motion; e = q - target, h = dt.
     explicit    tau = -kp e - kd qd                                    the classical PD controller
     implicit D  tau = -kp e - kd (qd + h qdd)
     stable      tau = -kp (e + h qd) - kd (qd + h qdd)                 spd-2011 eq. 3, maba-2020 eq. 6
     full        tau = -kp (e + h qd + h^2 qdd) - kd (qd + h qdd)       stable for any gains >= 0 */
typedef enum sn_form { SN_FORM_STABLE, SN_FORM_EXPLICIT, SN_FORM_IMPLICIT_D, SN_FORM_FULL } sn_form;

typedef enum sn_contact_method {
    /* Contacts with the ground, joint limits and torque limits are one convex problem inside MABA, linear in
       the size of the character. Contacts between two members, and contacts that bounce, are rows. */
    SN_CONTACT_IMPLICIT,
    /* Every contact is three rows of one complementarity problem. */
    SN_CONTACT_ROWS,
    /* Nothing touches. */
    SN_CONTACT_NONE
} sn_contact_method;

typedef enum sn_stepper {
    /* Velocity level: one solve per step, at a fixed cost. */
    SN_STEPPER_TIME,
    /* Accelerations and impacts, with steps halved back to the time of contact (kokkevis-2004 section 7).
       Contact by rows only. */
    SN_STEPPER_EVENT,
    /* The step finds the pose at its end where an energy is least (pbad-2018, in linear time). It is for
       stiff drives at long steps, where solvers of accelerations give up. With SN_FORM_FULL a drive is a
       spring and a damper at the end of the step; what other forms take from its start is a given torque.
       It works with planes and height fields, and with implicit contact or none. It has no constraints,
       no bounces and no sleep, and members do not touch each other: of several, at most one has shapes
       unless contact is none. See docs/position.md. */
    SN_STEPPER_POSITION
} sn_stepper;

/* What the position stepper takes for an acceleration. */
typedef enum sn_scheme {
    /* Implicit Euler: first order. It takes energy out of everything that swings. */
    SN_SCHEME_PBAD2,
    /* Second order: spin and swing last, and stiff drives lag a little more. */
    SN_SCHEME_BDF2
} sn_scheme;

typedef enum sn_friction {
    /* |f_t| <= mu f_n. */
    SN_FRICTION_CONE,
    /* |f_x| <= mu f_n and |f_y| <= mu f_n. For rows. */
    SN_FRICTION_PYRAMID,
    /* For rows, kokkevis-2004 eq. 19-21: one tangent t against the sliding. With u_t the velocity along it at
       the end of the step and s the slip_speed of sn_contact,
         u_t + s >= 0       complementary to  f_t >= 0
         mu f_n - f_t >= 0  complementary to  s >= 0 */
    SN_FRICTION_ONE_WAY,
    SN_FRICTION_NONE
} sn_friction;

/* At which velocity a step takes Coriolis, centrifugal and gyroscopic terms. If limp limbs turn so fast
   that a step with implicit contacts or joint limits would still gain energy, the world damps the joints
   of that character, except with SN_SETTING_CROWD. */
typedef enum sn_products {
    /* At the velocity halfway through the step: keeps the energy of spinning bodies, in linear time. */
    SN_PRODUCTS_MIDPOINT,
    /* At the start of the step: cheapest, but it gains energy. */
    SN_PRODUCTS_EXPLICIT
} sn_products;

/* Methods that experiments use instead of the world's own. studies.h declares them. */
typedef struct sn_study sn_study;

/* A lane type is a precision and a width: how many values one vector holds, as in "f64", "f64x2", "f32x8"
   or "f32x16". The machine decides which types can run. The environment variable SINEW_LANES names the
   type to use if a definition does not, provided that the precision agrees. Scenes with rows use types of
   at most 256 bits. f64x8 steps by MABA on the direct route with Euler's methods only: in dynamics.h it
   has no mass matrix, forward dynamics and Jacobians (SN_ERROR_UNSUPPORTED). */
typedef struct sn_lanes_info {
    /* "f32x16". */
    const char *name;
    /* "x86-64-v4", "x86-64-v3", "x86-64-v2" or "base". */
    const char *isa;
    sn_precision precision;
    int width;
    /* Whether multiply-adds are fused. All vector types with the same value here give the same bits. */
    bool fma;
} sn_lanes_info;

/* The lane types that can run on this machine, from index 0 on; NULL after the last one. Below 0 are the
   devices that `device` of sn_world_def can name, from -1 down: `name` is "opencl:0", `isa` what the device
   calls itself. */
SN_API const sn_lanes_info *sn_lanes_get(int index);
/* Whether the library was built with a part: "lapack" (for SN_SOLVER_LAPACK), "lbfgs" (for studies.h) or
   "strict" (SINEW_STRICT: no contraction). */
SN_API bool sn_built_with(const char *part);

#ifdef __cplusplus
}
#endif

#endif
