/* Sinew: characters that are hit, give way, and recover. sinew.h includes this file.
 *
 * All of this acts on a member's gains, copy by copy. SN_FIELD_KP and SN_FIELD_KD, and
 * sn_world_set_gains, set the gains that the member tracks its target with. When you read them, they are
 * the gains that act at the moment. Everything is part of snapshots. docs/ragdolls.md shows how to use
 * it. */
#ifndef SINEW_RAGDOLLS_H
#define SINEW_RAGDOLLS_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reactions: the schedule of spd-2011 section 4.1. On an impact gains fall to `reaction` of what they
   are, stay there for `hold` seconds (t_e), and return in a straight line over `recover` seconds (t_f).
   Each impact starts the schedule afresh, also while the member recovers. kp and kd change together, so
   that kd / (kp dt) stays.

   An impact is an impulse on one body, by other members or by pushes (SN_FIELD_PUSH), above `threshold`.
   Impulses of the steps are added up with a memory of `window` seconds: many small ones count as one blow
   does, whatever dt is. The lower gains act already in the step of the impact: the time stepper repeats
   that step with them. With the event stepper, and for impacts of the ground (see `ground`), they act
   from the next step on. */
typedef struct sn_reaction_def {
    /* Set by sn_reaction_def_default. */
    uint32_t struct_size;
    /* Impulse above which a member reacts. [N s; default 5; from 0] */
    double threshold;
    /* Time over which impulses are added up. [s; default 0.1; above 0] */
    double window;
    /* Part of the gains that is left. [default 0.01; 0 to 1] */
    double reaction;
    /* Time for which gains stay low, t_e. [s; default 0.1; from 0] */
    double hold;
    /* Time in which gains return, t_f. [s; default 0.5; from 0] */
    double recover;
    /* Joints that are at most this many joints away from the body that was hit give way. 0: its own
       joint, 1: its parent's and its children's, too; -1: all joints. [default -1; from -1] */
    int around;
    /* Whether the drive of a free root gives way as well. [default false] */
    bool root;
    /* Whether impacts of the ground count, footsteps among them. [default false] */
    bool ground;
} sn_reaction_def;

static inline sn_reaction_def sn_reaction_def_default(void) {
    SN_RETURN_DEFAULT(sn_reaction_def);
}

/* Makes a member react to impacts in all copies. NULL: it does not react any more. */
SN_API sn_status sn_world_set_reaction(sn_world *world, sn_member member, const sn_reaction_def *definition);
/* Starts the reaction to an impact on a body (-1: on all), in one copy or in all (-1). */
SN_API sn_status sn_world_react(sn_world *world, sn_member member, int copy, int body);

/* What moves a limb. */
typedef enum sn_limb_mode {
    /* Its drives, with the gains that it has. */
    SN_LIMB_DRIVEN,
    /* Gravity and what touches it. Passive damping and springs of its joints remain. */
    SN_LIMB_LIMP,
    /* It is where its target is, whatever pushes it: drives in the full form (sn_form) with 1e4 times the
       stiffness that the inertia shows in a step (1e3 in float). Not with SN_STEPPER_EVENT. */
    SN_LIMB_ANIMATED
} sn_limb_mode;

/* Changes the mode of a body's joint and of all bodies that hang on it, over `blend` seconds (0: at
   once), in one copy or in all (-1). A body of -1, or the root's, is the whole member. Between driven and
   limp, gains change in a straight line; an animated limb lets go with the eighth power of the time that
   is left. */
SN_API sn_status sn_world_set_limb(sn_world *world, sn_member member, int copy, int body, sn_limb_mode mode,
                                   double blend);

/* Assistance: the drive of a free root is an outside force that helps the character stay upright. */
typedef struct sn_assistance {
    /* Force (world axes) and torque (axes of the root) in the last step. */
    double force[3], torque[3];
    /* Largest force and torque so far, N and N m. */
    double peak_force, peak_torque;
    /* Integrals of their lengths over time, N s and N m s. */
    double impulse, angular_impulse;
    /* Work done, J. Negative: it took energy out. */
    double work;
    /* Sum of the absolute work of all steps, J. */
    double effort;
    /* Time in which force or torque was within 0.1 % of the budget, s. */
    double at_budget;
} sn_assistance;

/* Limits the force (N) and torque (N m) of the root's drive in all copies (INFINITY: no limit), as
   SN_FIELD_TORQUE_LIMIT of the root does, and sets the sums above to zero. Returns SN_ERROR_UNSUPPORTED
   unless the definition of the world has report_torque, and torque_limits if one of them is finite. */
SN_API sn_status sn_world_set_assistance(sn_world *world, sn_member member, double force, double torque);
SN_API sn_status sn_world_get_assistance(const sn_world *world, sn_member member, int copy,
                                         sn_assistance *used);

#ifdef __cplusplus
}
#endif

#endif
