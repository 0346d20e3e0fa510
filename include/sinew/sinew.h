/* Sinew: physics-based characters under stable PD control, in linear time.
 *
 * This header is in the order of a first program. Read it from the top:
 *
 *     sn_model *model = sn_builtin_create("humanoid", &error);
 *     sn_world *world = sn_world_create(NULL, &error);
 *     sn_world_add_floor(world);
 *     sn_member human = sn_world_add(world, model, &error);
 *     sn_world_hold(world, human, 1000, 100);
 *     while (...) sn_world_step(world), sn_world_body_pose(world, human, 0, pos, rot);
 *
 * It includes, in this order:
 *   base.h         status codes, errors, definitions
 *   model.h        bodies, joints and shapes; built-in models; what a model has
 *   expert.h       methods that most programs leave at their defaults; lane types
 *   world.h        the definition of a world
 *   ground.h       planes, shapes, height fields, triangle meshes
 *   fields.h       values of members in every copy
 *   queries.h      contacts, casts and overlaps
 *   contact.h      your own filter of contacts, surfaces that move, triggers
 *   draw.h         a world drawn through functions of yours
 *   constraints.h  pins, hinges, motors, paths
 *   gains.h        gains that suit a character
 *   ragdolls.h     reactions to impacts, limp and animated limbs, assistance
 *   hulls.h        convex hulls
 *   files.h        models and worlds from files
 *   motions.h      clips, and motions made of them
 *   keyframes.h    motions made of keyframes
 *   recordings.h   what a world did, as a file
 *   engine.h       your threads, memory, log and data; time of a step; many rays; rollback
 * These you include yourself:
 *   learn.h        tasks, environments, training, policies
 *   dynamics.h     mass matrices, Jacobians, inverse dynamics; the methods of one character
 *   studies.h      methods that papers compare, in a library of their own
 *
 * Units are m, kg, s and rad. Quaternions are (w, x, y, z). Gravity points along -z by default. A model
 * has nbody bodies, nq position values and nv velocity values, which are its degrees of freedom:
 *
 *   joint        q                                  qd
 *   weld         -                                  -
 *   hinge        angle                              rate
 *   slide        displacement                       speed
 *   universal    two angles (axis, then axis2)      two rates
 *   planar       two displacements, angle           two speeds, rate
 *   cylindrical  displacement, angle                speed, rate
 *   screw        angle                              rate
 *   ball         quaternion, child to parent        angular velocity in the child's own axes (3)
 *   free         position in the world, quaternion  velocity in world axes, angular velocity in own axes (6)
 *
 * Any number of threads can read a model. A world belongs to one thread at a time; engine.h says
 * which functions many threads may call between steps. No function prints or exits, and only sn_set_memory changes global
 * state. Steps do not allocate, except when they find more contacts than ever before: see max_contacts of
 * sn_world_def. */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/base.h"
#include "sinew/model.h"
#include "sinew/expert.h"
#include "sinew/world.h"
#include "sinew/ground.h"
#include "sinew/fields.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -----------------------------------------------------------------------------------------------------
   World */

/* A world is a scene in one copy or in thousands: members (characters and free bodies), ground, and
   constraints between them. The scene is described once; each copy has its own state. Contacts, joint
   limits and constraints are solved together with the drives. A copy has the same bits whether it
   runs alone or beside others, at any index, with any number of threads, and beside copies that diverge.

   Makes an empty world. A definition of NULL means all defaults: steps of 1/240 s, gravity, contact.
   Returns NULL and an error if the definition is refused. */
SN_API sn_world *sn_world_create(const sn_world_def *definition, sn_error *error);
/* Frees a world. NULL is allowed. */
SN_API void sn_world_free(sn_world *world);

/* What a world has. */
typedef struct sn_world_info {
    /* Number of copies. */
    int copies;
    /* One more than the largest index of a member, see sn_world_member. */
    int members;
    /* One more than the largest number of ground. */
    int grounds;
    /* The lane type in use, for example "f32x16". */
    const char *lanes;
    /* Duration of a substep, and the time that has passed since the world was made, s. */
    double dt, time;
    /* The definition that the world was made with, as it is now. Numbers that were left to the setting have
       their values. It belongs to the world. */
    const sn_world_def *definition;
} sn_world_info;

SN_API sn_world_info sn_world_get_info(const sn_world *world);
/* Why the last call on this world that failed did so, as a sentence: "q of copy 5: value 12 is nan, which
   is not a number." It stays until the next call that fails; "" before the first. Functions with an
   sn_error write it there instead. */
SN_API const char *sn_world_message(const sn_world *world);
/* Bytes that the world holds, for all threads together. */
SN_API size_t sn_world_memory(const sn_world *world);

/* ----------------------------------------------------------------------------------- Members and ground */

/* Adds a member to all copies, in the zero pose, at rest and without gains. Returns its handle, or -1 and an
   error. The model must outlive the world. Members can come and go at any time between steps, in time
   proportional to what is added. */
SN_API sn_member sn_world_add(sn_world *world, const sn_model *model, sn_error *error);
SN_API sn_status sn_world_remove(sn_world *world, sn_member member);
/* The handle of the member with an index from 0 to `members` of sn_world_info; -1 if there is none there now.
   Members keep their index. It may be given to another member after they are removed. */
SN_API sn_member sn_world_member(const sn_world *world, int index);
/* The model of a member; NULL if there is no such member. */
SN_API const sn_model *sn_world_model(const sn_world *world, sn_member member);
/* The member that has a body of this name, and the index of the body (`body` may be NULL); -1 if none has. */
SN_API sn_member sn_world_find_body(const sn_world *world, const char *name, int *body);
/* A member that is not active stays where it is and touches nothing. Members are active at first. */
SN_API sn_status sn_world_set_active(sn_world *world, sn_member member, bool active);

/* Adds the plane z = 0 as ground, with the default material. Returns its number, or -1. ground.h has other
   kinds of ground. */
SN_API int sn_world_add_floor(sn_world *world);

/* ------------------------------------------------------------------------------------- State and drives */

/* These functions act on all copies alike; fields.h gives each copy its own values. Quaternions are
   normalised.

   Puts a member in its home pose on the ground below it, at rest, and holds it there: the pose becomes
   its target, and every joint except a free root gets the gains kp (N m/rad) and kd (N m s/rad). If both
   are 0, it gets the gains of its model, or gains from sn_gains_choose if the model has none. */
SN_API sn_status sn_world_hold(sn_world *world, sn_member member, double kp, double kd);
/* Sets positions [nq] and velocities [nv]. NULL leaves that half unchanged. */
SN_API sn_status sn_world_set_state(sn_world *world, sn_member member, const double *q, const double *qd);
/* Reads positions and velocities of copy 0. NULL skips that half. */
SN_API sn_status sn_world_get_state(const sn_world *world, sn_member member, double *q, double *qd);
/* Sets the pose that the drives should reach at the END of the coming step, and the velocity there. A q
   of NULL keeps the pose; a qd of NULL means zero. */
SN_API sn_status sn_world_set_target(sn_world *world, sn_member member, const double *q, const double *qd);
/* Sets the drive gains of a member. `kp` and `kd` have one value per degree of freedom. NULL leaves that half
   unchanged. Returns SN_ERROR_ARGUMENT if a gain is negative or not finite; the gains are then unchanged. */
SN_API sn_status sn_world_set_gains(sn_world *world, sn_member member, const double *kp, const double *kd);
/* Takes the targets from a motion of the member's model. Each copy has its own phase (SN_FIELD_PHASE), which
   every step moves on by dt. The motion is copied. NULL: you set targets yourself again. */
SN_API sn_status sn_world_set_motion(sn_world *world, sn_member member, const sn_motion *motion);
/* Moves the root in q against gravity until the lowest point of the member is on the ground below it. */
SN_API sn_status sn_world_stand(const sn_world *world, sn_member member, double *q);
/* Pushes a body with a force (N) through its origin and a torque (N m), both in world axes; NULL means
   zero. The push ends by itself after `duration` seconds, rounded to whole steps; INFINITY lasts until
   you change it. It replaces any other push on that body. When it ends, SN_FIELD_PUSH of that body is
   zero in all copies. */
SN_API sn_status sn_world_push(sn_world *world, sn_member member, int body, const double force[3],
                               const double torque[3], double duration);

/* ------------------------------------------------------------------------------------------------------
   Step */

/* Makes `substeps` steps of dt. If a velocity of a member would stop being finite, or exceed 1e5 m/s or
   rad/s, the member is frozen in that copy, in the state before the substep. Members that constraints
   join to it are frozen with it. The others continue, and a frozen member is a wall to them. It continues
   when its state is set or the copy is reset. Returns SN_ERROR_NOT_FINITE if no member of any copy is
   left that moves. sn_world_get_stats names the member and the degree of freedom, and the drive that is
   too stiff if there is one; sn_gains_check suggests gains that work. */
SN_API sn_status sn_world_step(sn_world *world);
/* Changes the duration of a substep, s. */
SN_API sn_status sn_world_set_dt(sn_world *world, double dt);
/* The time that has passed since the world was made, s. */
SN_API double sn_world_time(const sn_world *world);

/* What the last step took, over all copies. */
typedef struct sn_world_stats {
    /* Contacts with a gap below the margin, in all copies. */
    int contacts;
    /* Rows of contacts, limits and constraints; the largest number of any copy. */
    int rows;
    /* Rounds in which members were solved again because of rows; the largest number of any copy. */
    int rounds;
    /* Iterations of Gauss-Seidel, or pivots; the largest number of any solve, recovery included. */
    int iterations;
    /* Solves by Gauss-Seidel where a study asked for pivoting, in all copies. */
    int fallbacks;
    /* How far the worst row is from its condition, m/s. */
    double residual;
    /* Distance between the points of the worst rigid constraint after the step, m. */
    double apart;
    /* Sweeps of implicit contact; the largest number of any block. */
    int sweeps;
    /* Copies whose implicit contacts, limits and torque limits did not converge. */
    int unsettled;
    /* How far the worst of their forces is from its law, relative. */
    double sweep_residual;
    /* Substeps of the event stepper; the largest number of any copy. */
    int substeps;
    /* Impacts that the event stepper resolved, in all copies. */
    int impacts;
    /* Contacts dropped because of max_contacts, in all copies. */
    int dropped;
    /* Members that slept through the step, in all copies. */
    int asleep;
    /* Copies in which a member is frozen. */
    int diverged;
    /* Where a value last stopped being finite, or -1. */
    int bad_copy;
    sn_member bad_member;
    int bad_dof;
    /* The drive whose gains violate the stability condition of its form most, in that copy or else in copy 0.
       -1: none does. It is known before the first step. */
    sn_member stiff_member;
    int stiff_dof;
    /* Time that each part of the step took, in the order of sn_step_part, if `measure_time` of the
       definition is set; otherwise zeros. */
    double microseconds[SN_STEP_PART_COUNT];
} sn_world_stats;

SN_API void sn_world_get_stats(const sn_world *world, sn_world_stats *stats);

/* ------------------------------------------------------------------------------------------------------
   Look */

/* Reads where a body is in copy 0: the position of its frame in the world, and its orientation. Either may be
   NULL. sn_model_find_body and sn_world_find_body find a body by its name. */
SN_API sn_status sn_world_body_pose(const sn_world *world, sn_member member, int body, double pos[3],
                                    double rot[4]);

/* Energy and momentum of a member. */
typedef struct sn_summary {
    /* J, without armature; the potential is that of gravity and of passive springs. */
    double kinetic, potential;
    /* Centre of mass of all bodies, m. */
    double com[3];
    /* kg m/s. */
    double linear_momentum[3];
    /* About the centre of mass, kg m^2/s. */
    double angular_momentum[3];
} sn_summary;

SN_API sn_status sn_world_summary(sn_world *world, sn_member member, int copy, sn_summary *summary);
/* A hash of all positions and velocities, bit by bit, for comparing runs. */
SN_API uint64_t sn_world_hash(const sn_world *world);

/* -------------------------------------------------------------------------------------------------
   Snapshots */

/* A snapshot is the whole world as one block of bytes: structure, state, warm starts, targets, gains,
   pushes and constraints of all copies. Restoring it gives the same bits again, even if members, ground
   or constraints have come and gone since; numbers and handles go back, too. The world must have been
   made with the same definition and must have held every model of the snapshot at some time.

   Returns the number of bytes that a snapshot takes, and writes it if `room` is large enough. With NULL
   and 0 it only counts. In crowded scenes the number grows with the contacts. 0: out of memory. */
SN_API size_t sn_world_snapshot(const sn_world *world, void *bytes, size_t room);
/* Refuses a block that is damaged or belongs to another world; the world is then unchanged. */
SN_API sn_status sn_world_restore(sn_world *world, const void *bytes, size_t size, sn_error *error);

#ifdef __cplusplus
}
#endif

/* --------------------------------------------------------------- Constraints, files and everything else */

#include "sinew/queries.h"
#include "sinew/contact.h"
#include "sinew/draw.h"
#include "sinew/constraints.h"
#include "sinew/gains.h"
#include "sinew/ragdolls.h"
#include "sinew/hulls.h"
#include "sinew/files.h"
#include "sinew/motions.h"
#include "sinew/keyframes.h"
#include "sinew/recordings.h"
#include "sinew/engine.h"

#endif
