/* Sinew: puppets, characters that a player steers. learn.h includes this file.
 *
 *     sn_policy *go = sn_policy_load("humanoid-stick.sinew", &error);
 *     sn_puppet *puppet = sn_puppet_create(world, member, 0, go, NULL, &error);
 *     sn_puppet_stick(puppet, (double[]){1.2, 0, 0.5});            // m/s ahead, m/s to the left, rad/s
 *     while (...) sn_puppets_step(&puppet, 1, &error), sn_world_step(world);
 *
 * A puppet drives a member of your world with policies that `sinew train humanoid stick` has trained. The
 * rest of the world is yours: ground, props, other puppets. docs/puppets.md is the tutorial. */
#ifndef SINEW_PUPPET_H
#define SINEW_PUPPET_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_policy sn_policy; /* learn.h */
typedef struct sn_puppet sn_puppet;

typedef enum sn_puppet_mode {
    /* It is on its feet and follows the stick. */
    SN_PUPPET_GOES,
    /* It falls or lies, limp. With a policy for it, it soon gets up. */
    SN_PUPPET_LIES,
    /* It gets up. */
    SN_PUPPET_GETS_UP,
    /* You let it go: it is a ragdoll. */
    SN_PUPPET_LIMP
} sn_puppet_mode;

/* Makes a puppet of one copy of a member, and sets the gains of that copy. The member must be the built-in
   humanoid; it should stand or go. `go` is a policy of `sinew train humanoid stick`. `get_up` is one of the
   same with --get-up; NULL: the puppet lies where it falls. Any number of puppets can share policies. World
   and policies must outlive the puppet. 1/30 s must be a whole number of steps of the world. */
SN_API sn_puppet *sn_puppet_create(sn_world *world, sn_member member, int copy, sn_policy *go,
                                   sn_policy *get_up, sn_error *error);
/* NULL is allowed. */
SN_API void sn_puppet_free(sn_puppet *puppet);

/* Where to go: stick [3] is speed ahead and to the left, m/s, and turn to the left, rad/s, as the character
   sees it. It stays until you move it. Speeds beyond 4.5 ahead, 1.2 back and 1 aside are lowered, and so are
   turns that are too fast for the speed. NULL lets the puppet go: it is a ragdoll until you give it a stick
   again. Then it goes on if it is still on its feet, and lies otherwise. */
SN_API void sn_puppet_stick(sn_puppet *puppet, const double *stick);

/* Call this before each step of the world, with all puppets: 30 times per second it sets new targets of the
   drives. One matrix product serves all puppets that share a policy. */
SN_API sn_status sn_puppets_step(sn_puppet *const *puppets, int count, sn_error *error);

/* What it does. Fills planned [3], the stick that it can follow at the moment, and reference [nq], the pose
   that it should have now; both may be NULL. */
SN_API sn_puppet_mode sn_puppet_get(const sn_puppet *puppet, double *planned, double *reference);

/* The state of a puppet beside the world's, for rollback: `size` bytes that you copy to keep and copy back to
   restore, together with a state or snapshot of the world. Both then go on with the same bits. */
SN_API void *sn_puppet_state(sn_puppet *puppet, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
