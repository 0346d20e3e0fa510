/* Sinew: physics-based characters under stable PD control, in linear time.
 *
 * This header is in the order of a first program. Read it from the top:
 *
 *     sn_error error;
 *     sn_model *model = sn_builtin_create("humanoid", &error);
 *     sn_world_def def = sn_world_def_default();
 *     sn_world *world = sn_world_create(&def, &error);
 *     int human = sn_world_add(world, model, &error);
 *     sn_world_add_floor(world);
 *     sn_world_hold(world, human, 1000, 100);
 *     while (...) sn_world_step(world);
 *
 * It includes model.h (bodies, joints, shapes), expert.h (choices of methods), queries.h (contacts and casts), constraints.h,
 * gains.h, ragdolls.h, hulls.h, files.h (files, clips, motions, recordings) and keyframes.h. These you include yourself: learn.h
 * (environments, training, policies), dynamics.h (mass matrices, inverse dynamics) and studies.h (methods of papers).
 *
 * Units are m, kg, s and rad. Quaternions are (w, x, y, z). Gravity points along -z by default. A model has nbody bodies, nq
 * position values and nv velocity values, which are its degrees of freedom:
 *
 *   joint      q                                  qd
 *   weld       -                                  -
 *   hinge      angle                              rate
 *   slide      displacement                       speed
 *   universal  two angles (axis, then axis2)      two rates
 *   ball       quaternion, child to parent        angular velocity in the child's own axes (3)
 *   free       position in the world, quaternion  velocity in world axes, angular velocity in own axes (6)
 *
 * Any number of threads may read a model. A world belongs to one thread at a time. No function prints, exits or keeps global
 * mutable state. Steps do not allocate, except when they find more contacts than ever before: see max_contacts. */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define SN_API
#elif defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 3
#define SN_VERSION_PATCH 0

/* -------------------------------------------------------------------------------------------- Status, errors */

/* One list makes the codes, their names and their texts. */
#define SN_STATUS_MAP(X)                                                                                     \
    X(OK, 0, "success")                                                                                      \
    X(ERROR_ARGUMENT, 1, "an argument is not valid")                                                         \
    X(ERROR_MEMORY, 2, "out of memory")                                                                      \
    X(ERROR_MODEL, 3, "the model is not valid")                                                              \
    X(ERROR_TOO_LARGE, 4, "a limit of the library is exceeded")                                              \
    X(ERROR_UNSUPPORTED, 5, "not supported by this build or this machine")                                   \
    X(ERROR_NOT_FINITE, 6, "the state stopped being finite")                                                 \
    X(ERROR_FILE, 7, "a file cannot be read or written")                                                     \
    X(ERROR_FORMAT, 8, "a file is not in the format it should be")

typedef enum sn_status {
#define X(name, code, text) SN_##name = code,
    SN_STATUS_MAP(X)
#undef X
} sn_status;

/* "SN_ERROR_MODEL". */
SN_API const char *sn_status_name(sn_status status);
/* "the model is not valid". */
SN_API const char *sn_status_text(sn_status status);

/* Filled by functions that can fail in more ways than a code can tell. You can always pass NULL instead. */
typedef struct sn_error {
    sn_status status;
    /* Names the body, joint, file or line at fault. */
    char message[1020];
} sn_error;

/* "0.3.0". */
SN_API const char *sn_version(void);

/* A finished, immutable character or body, see model.h. */
typedef struct sn_model sn_model;
/* How a model should move, see files.h. */
typedef struct sn_motion sn_motion;

/* ----------------------------------------------------------------------------------------------- Definitions */

/* A structure whose name ends in _def says how something is made. Make it with its *_default function, change the members that
   should differ, and pass it on; the library copies it. The comment above each member ends with its unit, default and range in
   square brackets. That text also gives the checks and their messages, the JSON form, the options of the command and
   docs/definitions.md, so that they always agree.

   `struct_size` is the size that the structure had when your program was compiled. It lets a program that was built with an older
   header run with a newer library: members that the program does not know have their default values. */

/* Fills a definition with its defaults. The *_default functions call it. `name` is the name of its type, `inner` the size of the
   definition inside it, or 0. */
SN_API void sn_def_default(const char *name, void *definition, size_t size, size_t inner);
/* Changes the members that a JSON object names, as in {"dt": 0.01, "form": "full"}. If one of them is refused, nothing changes. */
SN_API sn_status sn_def_read(const char *name, void *definition, const char *json, sn_error *error);
/* Writes a definition as JSON, as far as there is room. Returns the whole length, without the final zero. */
SN_API size_t sn_def_write(const char *name, const void *definition, char *text, size_t room);
/* Writes the interface of the library as JSON in the same way: definitions, enumerations, fields, structures and functions with
   their comments. Bindings to other languages are made from it. docs/schema.json describes its form. */
SN_API size_t sn_schema(char *text, size_t room);

#include "sinew/model.h"
#include "sinew/expert.h"

/* ----------------------------------------------------------------------------------------------------- World */

/* A scene in one copy or in thousands: members (characters and free bodies), ground, and constraints between them. The scene is
   described once; each copy has its own state. Contacts, joint limits and constraints are solved together with the drives. A copy
   gives the same bits alone and in any company: in any place, with any number of threads, beside copies that diverge. */
typedef struct sn_world sn_world;

/* How much work a step may do. `iterations`, `tolerance`, `sweeps` and `sweep_tolerance` override it where they are not 0. */
typedef enum sn_setting {
    /* Bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3. */
    SN_SETTING_GAME,
    /* 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float). */
    SN_SETTING_EXACT,
    /* The same cost in every step: as game, with 4 sweeps. */
    SN_SETTING_CROWD
} sn_setting;

typedef struct sn_world_def {
    /* Set by sn_world_def_default. */
    uint32_t struct_size;
    /* How much work a step may do. [default SN_SETTING_GAME] */
    sn_setting setting;
    /* Number of copies of the scene. [default 1; from 1] */
    int copies;
    /* Threads that step the world, the caller's own among them. 0 uses one per core. [default 1; not hashed] */
    int threads;
    /* Steps of `dt` that one sn_world_step makes. [default 1; from 1] */
    int substeps;
    /* Duration of one substep. [s; default 1/240; 1e-9 to 1e3; not hashed] */
    double dt;
    /* Gravity of all members; SN_FIELD_GRAVITY can give each copy its own. [m/s^2; default 0 0 -9.81] */
    double gravity[3];
    /* How drives enter the equations of motion. [default SN_FORM_STABLE] */
    sn_form form;
    /* How contacts are solved. [default SN_CONTACT_IMPLICIT] */
    sn_contact_method contact;
    /* Whether joints stay within their limits. [default true] */
    bool joint_limits;
    /* Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits. [default false] */
    bool torque_limits;
    /* Whether bodies of one member touch each other. Parent and child never do. [default false] */
    bool self_contact;
    /* Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD. [default false] */
    bool report_torque;
    /* Whether each step fills sn_world_contacts. [default true] */
    bool report_contacts;
    /* Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until something touches or
       changes them. 0: none does. docs/worlds.md has the details. [m/s and rad/s; default 0; from 0] */
    double sleep;
    /* Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0 keeps all, and memory grows as
       steps find more. [default 0; 0 to 1048576] */
    int max_contacts;

    /* The rest is for experts. */

    /* Precision of states and responses. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Lane type by name, see sn_lanes_get. NULL: what suits the scene. [default NULL] */
    const char *lanes;
    /* How a world gets from one step to the next. [default SN_STEPPER_TIME] */
    sn_stepper stepper;
    /* What the position stepper takes for an acceleration. [default SN_SCHEME_PBAD2] */
    sn_scheme scheme;
    /* Law of friction. [default SN_FRICTION_CONE] */
    sn_friction friction;
    /* At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken. [default SN_PRODUCTS_MIDPOINT] */
    sn_products products;
    /* Whether the three axes of a ball joint may have different gains, copy by copy. [default false] */
    bool gains_by_axis;
    /* Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints or drives reach their
       limits may take up to 8 solves. 0 uses the number of the setting. [default 0; from 0] */
    int iterations;
    /* Gauss-Seidel ends when no row is off by more than this. 0 uses the value of the setting. [m/s; default 0; from 0] */
    double tolerance;
    /* Penetration that rows do not correct. [m; default 1e-4; from 0] */
    double slop;
    /* Time constant in which deeper penetration is pushed out; never less than 2 dt. [s; default 0.02; from 0] */
    double recovery;
    /* Largest speed at which penetration is pushed out. [m/s; default 1; from 0] */
    double recovery_speed;
    /* Largest speed at which joints beyond their limits come back. [rad/s or m/s; default 10; from 0] */
    double limit_speed;
    /* Largest speed at which the ends of a pin that have come apart meet again. [m/s; default 2; from 0] */
    double pin_speed;
    /* Distance ahead, beyond what a step may cover, at which contacts are looked for. [m; default 0.01; from 0] */
    double margin;
    /* Speed of approach above which restitution acts. [m/s; default 0.1; from 0] */
    double bounce;
    /* Compliance of a contact. 0: rigid rows, and implicit contacts as stiff as mass and dt allow. [m/N; default 0; from 0] */
    double compliance;
    /* Largest number of sweeps per step for implicit contact. 0 uses the number of the setting. The position stepper makes
       exactly this many; its 0 means 2 sweeps for members with kp, or 4 over ground, and Newton's method for others, see
       docs/position.md. [default 0; from 0] */
    int sweeps;
    /* Implicit contact ends when no force is off its law by more than this, relative. 0 uses the value of the setting.
       [default 0; from 0] */
    double sweep_tolerance;
    /* Shortest substep of the event stepper, as a part of dt. [default 1/1024; 1e-6 to 1] */
    double shortest;
    /* Methods of papers in place of the world's own, from studies.h. NULL: none. [default NULL] */
    const sn_study *study;
} sn_world_def;

static inline sn_world_def sn_world_def_default(void) {
    sn_world_def def;
    sn_def_default("sn_world_def", &def, sizeof def, 0);
    return def;
}

SN_API sn_world *sn_world_create(const sn_world_def *definition, sn_error *error);
SN_API void sn_world_free(sn_world *world);
SN_API int sn_world_copies(const sn_world *world);
/* The lane type in use, for example "f32x16". */
SN_API const char *sn_world_lanes(const sn_world *world);
/* Bytes that the world holds, for all threads together. */
SN_API size_t sn_world_memory(const sn_world *world);

/* ------------------------------------------------------------------------------------------ Members and ground */

/* Adds a member to all copies, in the zero pose, at rest and without gains. Returns its number, or -1 and an error. The number is
   the member's until you remove it; a later member may then get it. The model must outlive the world. Members can come and go at any
   time between steps, in time proportional to what is added. */
SN_API int sn_world_add(sn_world *world, const sn_model *model, sn_error *error);
SN_API sn_status sn_world_remove(sn_world *world, int member);
/* All members have smaller numbers than this. */
SN_API int sn_world_count(const sn_world *world);
/* The model of a member; NULL if there is no such member. */
SN_API const sn_model *sn_world_model(const sn_world *world, int member);
/* A member that is not active stays where it is and touches nothing. Members are active at first. */
SN_API sn_status sn_world_set_active(sn_world *world, int member, bool active);

/* Adds the plane z = 0 as ground. Returns its number, or -1. */
SN_API int sn_world_add_floor(sn_world *world);
/* Adds a plane as ground. Ground has numbers of its own, from 0; -1 means an error. The friction, restitution, group and mask of the
   material apply, its mass does not. A material of NULL is the default one. */
SN_API int sn_world_add_plane(sn_world *world, const double point[3], const double normal[3],
                              const sn_shape_def *material, sn_error *error);
/* Adds a sphere, capsule, box or hull as ground. */
SN_API int sn_world_add_shape(sn_world *world, const sn_shape_def *shape, const double pos[3],
                              const double rot[4], sn_error *error);

/* Heights over a grid. */
typedef struct sn_heightfield_def {
    /* Points along x and y, 2 to 32768 each. */
    int nx, ny;
    /* Extent along x and y, m. */
    double size[2];
    /* The corner with the smallest x and y. Heights count from origin[2]. */
    double origin[3];
    /* [ny][nx], copied. */
    const double *height;
} sn_heightfield_def;

SN_API int sn_world_add_heightfield(sn_world *world, const sn_heightfield_def *field,
                                    const sn_shape_def *material, sn_error *error);

/* A triangle mesh: a level, a staircase, a cave. A triangle holds what is in front of it, where its corners run counterclockwise;
   what is behind it passes. Corners at the same place count as one, so that a mesh of many level triangles is as smooth as a plane. */
typedef struct sn_mesh_def {
    int nvertex, ntriangle;
    /* [nvertex] m, copied. */
    const double (*vertex)[3];
    /* [ntriangle] three vertices each, copied. */
    const int (*triangle)[3];
} sn_mesh_def;

/* Adds a mesh as ground. Meshes stand still. The position stepper does not support them. */
SN_API int sn_world_add_mesh(sn_world *world, const sn_mesh_def *mesh, const sn_shape_def *material,
                             sn_error *error);
SN_API sn_status sn_world_remove_ground(sn_world *world, int ground);
/* Puts ground somewhere else in all copies and lets it move on with these velocities. NULL means zero. Height fields and meshes
   cannot move. */
SN_API sn_status sn_world_move(sn_world *world, int ground, const double pos[3], const double rot[4],
                               const double linear[3], const double angular[3]);

/* -------------------------------------------------------------------------------------------- State and drives */

/* These functions act on all copies alike; sn_world_set below gives each copy its own values. Quaternions are normalised.

   Puts a member in its home pose on the ground below it, at rest, and holds it there: every joint but a free root gets the gains kp
   and kd, and the pose is the target. */
SN_API sn_status sn_world_hold(sn_world *world, int member, double kp, double kd);
/* Sets positions [nq] and velocities [nv]. NULL leaves that half unchanged. */
SN_API sn_status sn_world_set_state(sn_world *world, int member, const double *q, const double *qd);
/* Reads positions and velocities of copy 0. NULL skips that half. */
SN_API sn_status sn_world_get_state(const sn_world *world, int member, double *q, double *qd);
/* Sets the pose that the drives should reach at the END of the coming step, and its velocity. A q of NULL keeps the pose; a qd of
   NULL means zero. */
SN_API sn_status sn_world_set_target(sn_world *world, int member, const double *q, const double *qd);
/* Sets the drive gains of a member. `kp` and `kd` have one value per degree of freedom. Returns SN_ERROR_ARGUMENT if a gain is
   negative or not finite; the gains are then unchanged. */
SN_API sn_status sn_world_set_gains(sn_world *world, int member, const double *kp, const double *kd);
/* Pushes a body with a force (N, world axes) through its origin for some time (s), then lets go. It replaces any other push on that
   body. At most 16 such pushes act at a time; SN_ERROR_TOO_LARGE means that there are more. */
SN_API sn_status sn_world_push(sn_world *world, int member, int body, const double force[3], double duration);
/* Sets a force (N) through the body's origin and a torque (N m), both in world axes, until you change them. NULL means zero. */
SN_API sn_status sn_world_set_push(sn_world *world, int member, int body, const double force[3],
                                   const double torque[3]);
/* Takes the targets from a motion of the member's model. Each copy has its own phase (SN_FIELD_PHASE), which every step moves on by
   dt. The motion is copied. NULL: you set targets yourself again. */
SN_API sn_status sn_world_set_motion(sn_world *world, int member, const sn_motion *motion);
/* Moves the root in q against gravity until the lowest point of the member is on the ground below it. */
SN_API sn_status sn_world_stand(const sn_world *world, int member, double *q);

/* ------------------------------------------------------------------------------------------------------- Step */

/* Makes `substeps` steps of dt. If a velocity of a copy stops being finite or exceeds 1e5 m/s or rad/s, that copy is frozen in the
   state before the substep, until you set one of its states or reset it; the other copies go on. SN_ERROR_NOT_FINITE means that no
   copy moves any more. sn_world_get_stats then names the member and the degree of freedom, and the gains that are too stiff if there
   are any; sn_gains_check in dynamics.h says which gains would work. */
SN_API sn_status sn_world_step(sn_world *world);
SN_API sn_status sn_world_set_dt(sn_world *world, double dt);
SN_API double sn_world_dt(const sn_world *world);
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
    /* Copies whose implicit contacts and limits did not converge. */
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
    /* Frozen copies. */
    int diverged;
    /* Where a value last stopped being finite, or -1. */
    int bad_copy, bad_member, bad_dof;
    /* The drive whose gains violate the stability condition of its form most, in that copy or else in copy 0. -1: none. It is known
       before the first step. */
    int stiff_member, stiff_dof;
} sn_world_stats;

SN_API void sn_world_get_stats(const sn_world *world, sn_world_stats *stats);

/* ------------------------------------------------------------------------------------------------------- Look */

/* Reads where a body is in a copy: the position of its frame in the world, and its orientation. Either may be NULL. Find a body by
   its name with sn_model_find_body. */
SN_API sn_status sn_world_body_pose(sn_world *world, int member, int body, int copy, double pos[3],
                                    double rot[4]);

/* Values of a member, in every copy. One list says what there is: name, number of values (of NQ, NV, NBODY), and what may be set. */
#define SN_FIELD_MAP(X)                                                                                      \
    X(Q, NQ, POSE)              /* position */                                                               \
    X(QD, NV, FINITE)           /* velocity */                                                               \
    X(TARGET_Q, NQ, POSE)       /* pose to reach at the end of the coming step */                            \
    X(TARGET_QD, NV, FINITE)    /* velocity to have there */                                                 \
    X(FEEDFORWARD, NV, FINITE)  /* torque added to that of the drives */                                     \
    X(KP, NV, GAINS)            /* proportional gains */                                                     \
    X(KD, NV, GAINS)            /* derivative gains */                                                       \
    X(TORQUE_LIMIT, NV, LIMITS) /* infinity: none; see torque_limits of the definition */                    \
    X(ARMATURE, NV, NOT_NEGATIVE) /* inertia added to each degree of freedom */                              \
    X(PUSH, 6 * NBODY, FINITE)   /* [nbody][6] force through the body's origin, torque; world axes */        \
    X(MASS_SCALE, 1, POSITIVE)   /* factor of all masses and inertias */                                     \
    X(FRICTION, 1, NOT_NEGATIVE) /* factor of friction; between two members their geometric mean */          \
    X(GRAVITY, 3, FINITE)        /* gravity of this copy */                                                  \
    X(DT, 1, POSITIVE)           /* step of this copy, in scenes without rows */                             \
    X(PHASE, 1, FINITE)          /* s into the motion of sn_world_set_motion */                              \
    X(QDD, NV, READ_ONLY)        /* acceleration in the last step */                                         \
    X(TORQUE, NV, READ_ONLY)     /* torque of the drives in the last step, see report_torque */              \
    X(BODY_POSE, 7 * NBODY, READ_ONLY)     /* [nbody][7] position and orientation of the bodies' frames */   \
    X(BODY_VELOCITY, 6 * NBODY, READ_ONLY) /* [nbody][6] linear and angular, world axes */                   \
    X(CONTACT_FORCE, 3 * NBODY, READ_ONLY) /* [nbody][3] on each body in the last step, N, world axes */     \
    X(TOUCHING, NBODY, READ_ONLY)          /* [nbody] 1: something pushed it in the last step, else 0 */     \
    X(DIVERGED, 1, READ_ONLY)              /* 1: the copy is frozen, see sn_world_step */                    \
    X(ASLEEP, 1, READ_ONLY)                /* 1: the member sleeps in this copy */                           \
    X(GAIN_SCALE, NBODY, READ_ONLY)        /* [nbody] part of its gains that acts on each joint */           \
    X(IMPACTS, 1, READ_ONLY)               /* impacts counted since sn_world_set_reaction */                 \
    X(MIDDLE_QD, NV, READ_ONLY) /* velocity of the Coriolis terms in the last step, see report_torque */

typedef enum sn_field {
#define X(name, size, rule) SN_FIELD_##name,
    SN_FIELD_MAP(X)
#undef X
        SN_FIELD_COUNT
} sn_field;

/* The number of values of a field per copy; 0 if there is no such field. */
SN_API int sn_world_size(const sn_world *world, int member, sn_field field);
/* Sets a field of the copies first .. first + count - 1; values are [count][size]. If a value is refused, nothing changes. */
SN_API sn_status sn_world_set(sn_world *world, int member, sn_field field, int first, int count,
                              const double *values);
/* Reads a field of the copies first .. first + count - 1. */
SN_API sn_status sn_world_get(sn_world *world, int member, sn_field field, int first, int count,
                              double *values);
/* Sets a field of all copies with which[i] != 0, or of all if `which` is NULL: [copies][size] in the precision of the world. This is the
   fast way for many copies. */
SN_API sn_status sn_world_put(sn_world *world, int member, sn_field field, const uint8_t *which,
                              const void *values);
/* Returns a field of all copies, [copies][size] in the precision of the world, in memory of the world. You can read it until the world
   is changed or stepped. NULL if there is no such field or no memory. */
SN_API const void *sn_world_view(sn_world *world, int member, sn_field field);
/* Restarts the copies with which[i] != 0, or all if `which` is NULL: contacts are forgotten, flags cleared, and the member gets the pose
   q and the velocity qd. A member of -1 or a q of NULL keeps the states; a qd of NULL with a q means rest. */
SN_API sn_status sn_world_reset(sn_world *world, int member, const uint8_t *which, const double *q,
                                const double *qd);

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

SN_API sn_status sn_world_summary(sn_world *world, int member, int copy, sn_summary *summary);
/* A hash of all positions and velocities, bit by bit, for comparing runs. */
SN_API uint64_t sn_world_hash(const sn_world *world);

/* -------------------------------------------------------------------------------------------------- Snapshots */

/* A snapshot is the whole world as one block of bytes: structure, state, warm starts, targets, gains and constraints of all copies.
   Restoring it gives the same bits again, even if members, ground or constraints have come and gone since; numbers and handles go
   back, too. The world must have been made with the same definition and must have held every model of the snapshot at some time.

   Returns the number of bytes that a snapshot needs now. In crowded scenes it grows with the contacts. */
SN_API size_t sn_world_snapshot_size(const sn_world *world);
SN_API sn_status sn_world_snapshot(const sn_world *world, void *bytes, size_t size);
/* Refuses a block that is damaged or belongs to another world; the world is then unchanged. */
SN_API sn_status sn_world_restore(sn_world *world, const void *bytes, size_t size, sn_error *error);

#include "sinew/constraints.h"
#include "sinew/files.h"
#include "sinew/gains.h"
#include "sinew/hulls.h"
#include "sinew/keyframes.h"
#include "sinew/queries.h"
#include "sinew/ragdolls.h"

#ifdef __cplusplus
}
#endif

#endif
