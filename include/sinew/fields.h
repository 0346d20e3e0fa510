/* Sinew: the values of members, of every copy. sinew.h includes this file.
 *
 * To work on a few copies in double, use sn_world_set and sn_world_get. For all copies at once,
 * sn_world_put and sn_world_view are faster: they use the precision of the world. docs/copies.md shows
 * how to use them. */
#ifndef SINEW_FIELDS_H
#define SINEW_FIELDS_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One list says what there is: name, number of values (of NQ, NV, NBODY), and what may be set. */
#define SN_FIELD_MAP(X)                                                                                      \
    X(Q, NQ, POSE)                         /* position */                                                    \
    X(QD, NV, FINITE)                      /* velocity */                                                    \
    X(TARGET_Q, NQ, POSE)                  /* pose to reach at the end of the coming step */                 \
    X(TARGET_QD, NV, FINITE)               /* velocity to have there */                                      \
    X(FEEDFORWARD, NV, FINITE)             /* torque added to that of the drives */                          \
    X(KP, NV, GAINS)                       /* proportional gains */                                          \
    X(KD, NV, GAINS)                       /* derivative gains */                                            \
    X(TORQUE_LIMIT, NV, LIMITS)            /* infinity: none; see torque_limits of the definition */         \
    X(ARMATURE, NV, NOT_NEGATIVE)          /* inertia added to each degree of freedom */                     \
    X(PUSH, 6 * NBODY, FINITE)             /* [nbody][6] force at the body's origin, torque; world axes */   \
    X(MASS_SCALE, 1, POSITIVE)             /* factor of all masses and inertias */                           \
    X(FRICTION, 1, NOT_NEGATIVE)           /* factor of friction; of two members the geometric mean */       \
    X(GRAVITY, 3, FINITE)                  /* gravity of this copy */                                        \
    X(DT, 1, POSITIVE)                     /* step of this copy, in scenes without rows */                   \
    X(PHASE, 1, FINITE)                    /* s into the motion of sn_world_set_motion */                    \
    X(QDD, NV, READ_ONLY)                  /* acceleration in the last step */                               \
    X(TORQUE, NV, READ_ONLY)               /* of the drives in the last step, see report_torque */           \
    X(BODY_POSE, 7 * NBODY, READ_ONLY)     /* [nbody][7] position and orientation of the bodies' frames */   \
    X(BODY_VELOCITY, 6 * NBODY, READ_ONLY) /* [nbody][6] linear and angular, world axes */                   \
    X(CONTACT_FORCE, 3 * NBODY, READ_ONLY) /* [nbody][3] on each body in the last step, N, world axes */     \
    X(TOUCHING, NBODY, READ_ONLY)          /* [nbody] 1: something pushed it in the last step, else 0 */     \
    X(DIVERGED, 1, READ_ONLY)              /* 1: it is frozen in this copy, see sn_world_step */             \
    X(ASLEEP, 1, READ_ONLY)                /* 1: the member sleeps in this copy */                           \
    X(GAIN_SCALE, NBODY, READ_ONLY)        /* [nbody] part of its gains that acts on each joint */           \
    X(IMPACTS, 1, READ_ONLY)               /* impacts counted since sn_world_set_reaction */                 \
    X(MIDDLE_QD, NV, READ_ONLY)            /* velocity of the Coriolis terms in the last step, as TORQUE */

typedef enum sn_field {
#define X(name, size, rule) SN_FIELD_##name,
    SN_FIELD_MAP(X)
#undef X
        SN_FIELD_COUNT
} sn_field;

/* The number of values of a field per copy; 0 if there is no such field. */
SN_API int sn_world_size(const sn_world *world, sn_member member, sn_field field);
/* Sets a field of the copies first .. first + count - 1; values are [count][size]. If a value is refused,
   nothing changes. */
SN_API sn_status sn_world_set(sn_world *world, sn_member member, sn_field field, int first, int count,
                              const double *values);
/* Reads a field of the copies first .. first + count - 1. */
SN_API sn_status sn_world_get(sn_world *world, sn_member member, sn_field field, int first, int count,
                              double *values);
/* Sets a field of all copies with which[i] != 0, or of all if `which` is NULL. Values are [copies][size]
   in the precision of the world. */
SN_API sn_status sn_world_put(sn_world *world, sn_member member, sn_field field, const uint8_t *which,
                              const void *values);
/* Returns a field of all copies, [copies][size] in the precision of the world, in memory of the world.
   You can read it until the world is changed or stepped. NULL if there is no such field or no memory. */
SN_API const void *sn_world_view(sn_world *world, sn_member member, sn_field field);
/* Fills your own memory with a field of all copies, [copies][size] in the precision of the world, on the
   threads of the world. */
SN_API sn_status sn_world_take(sn_world *world, sn_member member, sn_field field, void *values);
/* Makes the copies with which[i] != 0, or all if `which` is NULL, the same as copy `source` in every
   respect, with contacts and warm starts, so that they continue with the same bits. */
SN_API sn_status sn_world_copy(sn_world *world, int source, const uint8_t *which);
/* Restarts the copies with which[i] != 0, or all if `which` is NULL: contacts are forgotten, flags
   cleared, and the member gets the pose q and the velocity qd. A member of -1 or a q of NULL keeps the
   states; a qd of NULL with a q means rest. */
SN_API sn_status sn_world_reset(sn_world *world, sn_member member, const uint8_t *which, const double *q,
                                const double *qd);

#ifdef __cplusplus
}
#endif

#endif
