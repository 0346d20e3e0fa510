/* Sinew: puppets, characters that a player steers.
 *
 *     sn_policy *go = sn_policy_load("humanoid-stick.sinew", &error);
 *     sn_puppet *puppet = sn_puppet_create(world, member, 0, go, &error);
 *     sn_puppet_stick(puppet, 1.2, 0, 0.5);                        // m/s ahead, m/s to the left, rad/s
 *     while (...) sn_puppets_step(&puppet, 1, &error), sn_world_step(world);
 *
 * A puppet drives a member of your world with a policy that `sinew train humanoid stick` has trained. The
 * rest of the world is yours: ground, props, other puppets. docs/puppets.md is the tutorial. */
#ifndef SINEW_PUPPET_H
#define SINEW_PUPPET_H

#include "sinew/learn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_puppet sn_puppet;

typedef enum sn_puppet_mode {
    /* It stands on its feet and follows the stick. */
    SN_PUPPET_GOES,
    /* It has fallen and lies where it is, limp. Put it on its feet to let it go on. */
    SN_PUPPET_LIES,
    /* You let it go: it is a ragdoll for the time you gave. */
    SN_PUPPET_LIMP
} sn_puppet_mode;

/* Makes a puppet of one copy of a member, and sets the gains of that copy. The member must be the built-in
   humanoid; it should stand or go when you make the puppet. Any number of puppets can share a policy. World
   and policy must outlive the puppet. 1/30 s must be a whole number of steps of the world. */
SN_API sn_puppet *sn_puppet_create(sn_world *world, sn_member member, int copy, sn_policy *go,
                                   sn_error *error);
/* NULL is allowed. */
SN_API void sn_puppet_free(sn_puppet *puppet);

/* Where to go: speed ahead and to the left, m/s, and turn to the left, rad/s, as the character sees it. The
   stick stays until you move it. Speeds beyond 4.5 ahead, 1.2 back and 1 aside are lowered, and so are
   turns that are too fast for the speed. */
SN_API void sn_puppet_stick(sn_puppet *puppet, double ahead, double left, double turn);
/* Makes it a ragdoll for this many seconds. Then it goes on if it is still on its feet, and lies otherwise. */
SN_API void sn_puppet_let_go(sn_puppet *puppet, double seconds);

/* Call this before each step of the world, with all puppets: 30 times per second it sets new targets of the
   drives. One matrix product serves all puppets that share a policy. */
SN_API sn_status sn_puppets_step(sn_puppet *const *puppets, int count, sn_error *error);

/* What it does. Fills planned [3], the stick that it can follow at the moment, and reference [nq], the pose
   that it should have now; both may be NULL. */
SN_API sn_puppet_mode sn_puppet_get(const sn_puppet *puppet, double *planned, double *reference);

/* The state of a puppet beside the world's, for rollback: writes it to `bytes` if `size` is large enough and
   returns the size that is needed. Restored together with a state or snapshot of the world, both go on
   with the same bits. */
SN_API size_t sn_puppet_save(const sn_puppet *puppet, void *bytes, size_t size);
SN_API sn_status sn_puppet_restore(sn_puppet *puppet, const void *bytes, size_t size, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
