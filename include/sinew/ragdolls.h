/* Sinew: characters that are hit, give way, and come back. Part of section 7 of sinew.h, which includes this file. */
#ifndef SINEW_RAGDOLLS_H
#define SINEW_RAGDOLLS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------- 7. Reactions, active ragdolls */

/* All of this acts on a member's gains, copy by copy. SN_FIELD_KP and SN_FIELD_KD, and sn_world_set_gains, set the gains
   that the member tracks its target with; read, they are what acts at the moment. Everything is part of snapshots.

   Reactions: the schedule of spd-2011 section 4.1. On an impact gains fall to `reaction` of what they are, stay there for
   `hold` seconds (t_e), and go back in a straight line over `recover` seconds (t_f). Any number of impacts may come, also
   while the member recovers: each starts the schedule afresh. kp and kd change together, so that kd / (kp dt) stays.

   An impact is an impulse on one body, by other members or by pushes (SN_FIELD_PUSH), above `threshold`. Impulses of the
   steps are added up with a memory of `window` seconds: many small ones count as one blow does, whatever dt is. In the step
   of the impact itself the lower gains act already: the time stepper makes that step again with them. The event stepper
   lowers them from the next step on, and so does a blow of the ground where `ground` says that those count. */
typedef struct sn_reaction_def {
    double threshold; /* N s; default 5 */
    double window;    /* s; default 0.1 */
    double reaction;  /* part of the gains that is left, 0 to 1; default 0.01 */
    double hold;      /* t_e, s; default 0.1 */
    double recover;   /* t_f, s; default 0.5 */
    int around; /* joints give way that are at most so many joints away from the body that was hit: 0 its own, 1 its
                         parent's and its children's, too; -1: the whole body; default -1 */
    bool root;   /* the drive of a free root gives way as well; default false */
    bool ground; /* blows of the ground count, footsteps among them; default false */
} sn_reaction_def;

SN_API sn_reaction_def sn_reaction_def_default(void);
/* For all copies; NULL: the member reacts no more. */
SN_API sn_status sn_world_set_reaction(sn_world *world, int member, const sn_reaction_def *definition);
/* An impact on a body (-1: on all), whatever has hit it, in one copy or in all (-1). */
SN_API sn_status sn_world_react(sn_world *world, int member, int copy, int body);

/* What moves a limb. */
typedef enum sn_limb_mode {
    SN_LIMB_DRIVEN, /* its drives, with the gains that it has */
    SN_LIMB_LIMP, /* nothing but what touches it and gravity; passive damping and springs of its joints stay */
    SN_LIMB_ANIMATED /* it is where its target is, whatever pushes it: drives in the full form (sn_form) with 1e4 times the
                        stiffness that the inertia shows in a step (1e3 in float). Not with SN_STEPPER_EVENT */
} sn_limb_mode;

/* The joint of the body and of all bodies that hang on it (body -1, or that of the root: the whole member, root and all)
   change to the mode over `blend` seconds (0: at once), in one copy or in all (-1). Between driven and limp gains go in a
   straight line; an animated limb lets go with the eighth power of the time that is left. */
SN_API sn_status sn_world_set_limb(sn_world *world, int member, int copy, int body, sn_limb_mode mode,
                                   double blend);

/* Assistance: the drive of a free root is a hand from nowhere that holds the character upright. This gives it a budget in
   all copies, N and N m (infinity: none), which is the SN_FIELD_TORQUE_LIMIT of the root, and starts its books anew. The
   definition of the world must have report_torque, and torque_limits unless both are infinite; else
   SN_ERROR_UNSUPPORTED. */
typedef struct sn_assistance {
    double force[3], torque[3];      /* of the last step; world axes, axes of the root */
    double peak_force, peak_torque;  /* N, N m */
    double impulse, angular_impulse; /* integrals of their lengths over time, N s, N m s */
    double work;                     /* J; negative: it took energy out */
    double effort;                   /* J; the sum of its sizes, step by step */
    double at_budget;                /* s in which force or torque was within 0.1 % of the budget */
} sn_assistance;

SN_API sn_status sn_world_set_assistance(sn_world *world, int member, double force, double torque);
SN_API sn_status sn_world_get_assistance(const sn_world *world, int member, int copy, sn_assistance *used);

#ifdef __cplusplus
}
#endif

#endif
