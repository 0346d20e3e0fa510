/* Sinew: your own say in what touches: a filter of contacts, surfaces that move like conveyor belts, and
   triggers. sinew.h includes this file. */
#ifndef SINEW_CONTACT_H
#define SINEW_CONTACT_H

#include "sinew/queries.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------- Contact filter */

/* Two shapes that are near each other, before the step solves the contacts between them. */
typedef struct sn_near_pair {
    /* Number of the copy. */
    int copy;
    /* Members of the first and the second shape; -1: ground, which is always the second. */
    sn_member member[2];
    /* Their bodies, or the number of the ground. */
    int body[2];
    /* Their numbers in the model; 0 for ground. */
    int shape[2];
    /* Position of the contact point with the smallest gap, in the world. */
    double pos[3];
    /* Normal there, from the second to the first. */
    double normal[3];
    /* m; negative: penetration. */
    double gap;
    /* Coulomb's coefficient. A filter can change it and the next two, which hold what the two shapes say.
       A value that is negative or not finite has no effect. */
    double friction;
    /* 0 to 1. */
    double restitution;
    /* Velocity of the second surface against the first, world axes, m/s. Only the part along it counts. */
    double surface_velocity[3];
} sn_near_pair;

/* Returns false if the two shapes are not to touch in this step. A world with several threads calls it from
   all of them at the same time, and may call it more than once for a pair in one step. So that results do
   not depend on that, its answer must follow from `pair` and from what `user` holds before the step, and it
   must not change anything but the pair. It must not call functions of the world. */
typedef bool sn_contact_filter(void *user, sn_near_pair *pair);

/* Asks `filter` about each pair of near shapes in which at least one has a category bit in `groups`, as in
   sn_shape_def. NULL: no filter. It acts on implicit contacts and on rows alike. Contacts with planes and
   height fields that a filter sees are found one copy at a time, not in lanes, so choose `groups` as small
   as you can. Snapshots do not contain the filter. SN_ERROR_UNSUPPORTED: the position stepper has none. */
SN_API sn_status sn_world_set_filter(sn_world *world, uint32_t groups, sn_contact_filter *filter, void *user);

/* Changes the surface_velocity of a piece of ground, in world axes: a belt that starts or stops. */
SN_API sn_status sn_world_set_surface_velocity(sn_world *world, int ground, const double velocity[3]);

/* --------------------------------------------------------------------------------------------------
   Triggers */

typedef enum sn_trigger_phase {
    /* It is inside, and was not after the step before. */
    SN_TRIGGER_PHASE_BEGAN,
    /* It is inside, and was so already. */
    SN_TRIGGER_PHASE_STAYED,
    /* It was inside after the step before, and is not any more. It is reported once. */
    SN_TRIGGER_PHASE_ENDED,
    /* It went all the way through within the step: it was inside neither before nor after it. */
    SN_TRIGGER_PHASE_PASSED,
    SN_TRIGGER_PHASE_COUNT
} sn_trigger_phase;

/* A shape of a member that is inside a trigger. */
typedef struct sn_trigger_visit {
    /* Member of the trigger; -1: ground. */
    sn_member trigger_member;
    /* Its body, or the number of the ground. */
    int trigger_body;
    /* Its number in the model; 0 for ground. */
    int trigger_shape;
    /* The member that is inside, its body, and its shape in the model. */
    sn_member member;
    int body, shape;
    sn_trigger_phase phase;
} sn_trigger_visit;

/* What is inside the triggers of a copy after the last step, ordered by triggers. Valid until the next call
   that changes the world. A trigger is a shape with `trigger` set, on ground (any shape, or a plane) or on
   a body. It sees the shapes of other members, asleep or awake, that it would touch by group and mask; it
   does not see ground, other triggers or members that are not active. What moves fast is followed along the
   straight line between its places before and after the step. Rays and other casts do not see triggers. */
SN_API const sn_trigger_visit *sn_world_triggers(const sn_world *world, int copy, int *count);

#ifdef __cplusplus
}
#endif

#endif
