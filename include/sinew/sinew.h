/* Sinew: physics-based characters under stable PD control, in linear time.
 *
 * This header is a tutorial; read it from the top.
 *   1. Status and errors
 *   2. Building a model            sn_builder -> sn_model (immutable, share it freely)
 *   3. A world                     members, ground, state, drives, step: one copy of a scene or thousands
 *   4. Looking and setting         fields of every copy, energy; contacts and casts
 *   5. Constraints
 *   6. Snapshots
 *   7. Gains; reactions and active ragdolls
 *   8. Built-in models
 *   9. Files                       MJCF, URDF, DeepMimic, BVH, ASF and AMC in; JSON, MJCF and BVH out
 *  10. Clips and motions           how a skeleton moves, and how a model shall move
 *  11. Recordings
 *  12. Expert: lanes
 *
 * dynamics.h has the questions without a world: mass matrices, inverse dynamics, solvers, integrators.
 *
 * Conventions. Units are m, kg, s, rad. Quaternions are (w, x, y, z). Gravity points along -Z by default.
 * A model has nbody bodies, nq position values and nv velocity values (degrees of freedom):
 *
 *   joint      q                                  qd
 *   weld       -                                  -
 *   hinge      angle                              rate
 *   slide      displacement                       speed
 *   universal  two angles (axis, then axis2)      two rates
 *   ball       quaternion, child to parent        angular velocity in the child's own axes (3)
 *   free       position in the world, quaternion  velocity in world axes, angular velocity in own axes (6)
 *
 * Threads. A model may be read from any number of threads. A world belongs to one thread at a time. No function here
 * prints, exits or keeps global mutable state. Step functions do not allocate, except to make room for more contacts than
 * there were before: see max_contacts of sn_world_def. */
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

/* -------------------------------------------------------------------------------- 1. Status and errors */

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

SN_API const char *sn_status_name(sn_status status); /* "SN_ERROR_MODEL" */
SN_API const char *sn_status_text(sn_status status); /* "the model is not valid" */

/* Filled by functions that can fail in more ways than a code can tell. Passing NULL is always allowed. */
typedef struct sn_error {
    sn_status status;
    char message[1020]; /* names the body, joint, file or line at fault */
} sn_error;

SN_API const char *sn_version(void); /* "0.3.0" */

/* Definitions. A structure whose name ends in _def says how something is made. Make it with its *_default function, change the
   members that should differ, and pass it on; the library copies it. The comment above each member ends with its unit, default
   and range in square brackets. The same text gives the defaults, the checks and their messages, the JSON form, the options of
   the command and docs/definitions.md, so that they always agree.

   `struct_size` is the size that the structure had when your program was compiled. It lets a program built with an older header
   run with a newer library: members that it does not know have their default values. */

/* Fills a definition with its defaults: what the *_default functions call. `name` is the name of its type, `inner` the size of
   the definition inside it, or 0. */
SN_API void sn_def_default(const char *name, void *definition, size_t size, size_t inner);
/* Changes the members that a JSON object names, as {"dt": 0.01, "form": "full"}. Nothing changes if one of them is refused. */
SN_API sn_status sn_def_read(const char *name, void *definition, const char *json, sn_error *error);
/* Writes a definition as JSON, as much as there is room for; returns the length of all of it, without the final zero. */
SN_API size_t sn_def_write(const char *name, const void *definition, char *text, size_t room);
/* Writes the whole interface as JSON in the same way: definitions, enumerations, fields, structures and functions with their
   comments. Bindings to other languages are made from it. docs/schema.json describes its form. */
SN_API size_t sn_schema(char *text, size_t room);

/* --------------------------------------------------------------------------------- 2. Building a model */

typedef struct sn_builder sn_builder; /* collects bodies and shapes */
typedef struct sn_model sn_model;     /* the finished, immutable tree */
typedef struct sn_motion sn_motion;   /* how a model shall move: see 10 */
typedef struct sn_hull sn_hull;       /* a convex hull: hulls.h */

enum {
    SN_MAX_BODIES = 4096,      /* in one model */
    SN_MAX_NAME = 63,          /* bytes in a name */
    SN_MAX_SHAPES = 64 * 1024, /* in one model */
};

typedef enum sn_joint_type {
    SN_JOINT_WELD,
    SN_JOINT_HINGE,
    SN_JOINT_SLIDE,
    SN_JOINT_UNIVERSAL,
    SN_JOINT_BALL,
    SN_JOINT_FREE,        /* only on bodies whose parent is the world */
    SN_JOINT_PLANAR,      /* slides along axis2 and along axis x axis2, then turns about axis */
    SN_JOINT_CYLINDRICAL, /* slides along axis, then turns about it */
    SN_JOINT_SCREW,       /* turns about axis and slides along it, by pitch for each radian */
    SN_JOINT_TYPE_COUNT
} sn_joint_type;

typedef enum sn_shape_type {
    SN_SHAPE_SPHERE,    /* size[0] radius */
    SN_SHAPE_CAPSULE,   /* size[0] radius, size[1] half length of the cylinder part, along local z */
    SN_SHAPE_BOX,       /* size[0..2] half extents */
    SN_SHAPE_CYLINDER,  /* size[0] radius, size[1] half length, along local z */
    SN_SHAPE_ELLIPSOID, /* size[0..2] semi-axes */
    SN_SHAPE_HULL,      /* the convex hull `hull`; size is not used */
    SN_SHAPE_CONE,      /* size[0] radius of the base, size[1] half height, along local z; the tip is up */
    SN_SHAPE_TYPE_COUNT
} sn_shape_type;

/* The joint that ties a body to its parent. Make one with sn_joint_def_default(type). */
typedef struct sn_joint_def {
    /* Set by sn_joint_def_default. */
    uint32_t struct_size;
    /* How the body moves against its parent. [default SN_JOINT_WELD] */
    sn_joint_type type;
    /* Position of the joint in the frame of the body. [m; default 0 0 0] */
    double anchor[3];
    /* Axis of a hinge, slide, cylindrical or screw joint, first axis of a universal joint, twist axis of a ball, normal of a
       planar joint. Any length but 0. [default 0 0 1] */
    double axis[3];
    /* Second axis of a universal joint, fixed in the body; of a planar joint the first direction in which it slides. Any length
       but 0. [default 1 0 0] */
    double axis2[3];
    /* How far a screw joint slides for each radian. [m/rad; default 0] */
    double pitch;
    /* Whether `lower` and `upper` apply. [default false] */
    bool limited;
    /* Lower limits, one for each axis in the order of q; ball: [0] is the twist. [rad or m; default 0 0 0] */
    double lower[3];
    /* Upper limits, in the same order; ball: [0] is the twist, [1] the swing, which is half the angle of the cone.
       [rad or m; default 0 0 0] */
    double upper[3];
    /* Inertia that is added to each degree of freedom. [kg m^2 or kg; default 0; from 0] */
    double armature;
    /* Passive damping, torque per rate. [N m s/rad or N s/m; default 0; from 0] */
    double damping;
    /* Passive spring, torque per angle. [N m/rad or N/m; default 0; from 0] */
    double stiffness;
    /* Largest torque or force of dry friction on each axis. Worlds solve it together with their rows.
       [N m or N; default 0; from 0] */
    double friction;
    /* Where the spring rests, as in q. All zero: the zero pose. [default 0 0 0 0] */
    double rest[4];
    /* Proportional gain that comes with the model, see sn_model_gains. [N m/rad or N/m; default 0; from 0] */
    double kp;
    /* Derivative gain that comes with the model. [N m s/rad or N s/m; default 0; from 0] */
    double kd;
    /* Whether `home` applies. [default false] */
    bool home_given;
    /* Where the joint starts, as in q, see sn_model_home_pose. [default 0 0 0 0 0 0 0] */
    double home[7];
    /* Largest torque or force of the drive on each axis. For a ball, and for each half of a free joint, this limits the length of
       the vector unless its axes have different gains. [N m or N; default infinity; 0 to infinity] */
    double torque_limit;
    /* Name of the joint, as MJCF and URDF files have it, of which SN_MAX_NAME bytes are kept. NULL or "": it has none.
       [default NULL] */
    const char *name;
} sn_joint_def;

/* A body and its frame. Make one with sn_body_def_default(). Bodies may be added in any order. */
typedef struct sn_body_def {
    /* Set by sn_body_def_default. */
    uint32_t struct_size;
    /* Name of the body: unique in the model, not empty. [default NULL] */
    const char *name;
    /* Name of the parent body. NULL: the world. [default NULL] */
    const char *parent;
    /* Position of the body's frame in the parent's frame at q = 0. [m; default 0 0 0] */
    double pos[3];
    /* Orientation of the body's frame there. It is normalised. [default 1 0 0 0] */
    double rot[4];
    /* The joint that ties the body to its parent: a weld by default. */
    sn_joint_def joint;
    /* Whether `mass`, `com` and `inertia` apply. Otherwise they follow from the shapes. [default false] */
    bool mass_given;
    /* Mass of the body. [kg; default 0] */
    double mass;
    /* Centre of mass in the frame of the body. [m; default 0 0 0] */
    double com[3];
    /* Inertia about the centre of mass, in the axes of the body: xx yy zz xy xz yz. [kg m^2; default 0 0 0 0 0 0] */
    double inertia[6];
    /* Part of the weight that something else carries, water for example. 1 floats, more rises. [default 0] */
    double lift;
} sn_body_def;

/* A shape on a body. Make one with sn_shape_def_default(type). */
typedef struct sn_shape_def {
    /* Set by sn_shape_def_default. */
    uint32_t struct_size;
    /* What the shape is. [default SN_SHAPE_SPHERE] */
    sn_shape_type type;
    /* Its measures, see sn_shape_type. [m; default 0 0 0] */
    double size[3];
    /* Position of its centre in the frame of the body. [m; default 0 0 0] */
    double pos[3];
    /* Orientation in the frame of the body. It is normalised. [default 1 0 0 0] */
    double rot[4];
    /* Density, which gives the mass where `mass` is 0. [kg/m^3; default 1000; from 0] */
    double density;
    /* Mass of the shape. 0: from the density. [kg; default 0; from 0] */
    double mass;
    /* Coulomb's coefficient. Between two shapes the geometric mean applies. [default 1; from 0] */
    double friction;
    /* 0: does not bounce, 1: loses no speed. Between two shapes the larger one applies. [default 0; 0 to 1] */
    double restitution;
    /* Category bits. [default 1] */
    uint32_t group;
    /* Categories it collides with. Two shapes touch if either has a category bit in the mask of the other. A shape whose group
       and mask are 0 never touches anything. [default 0xffffffff] */
    uint32_t mask;
    /* Form of an SN_SHAPE_HULL, from sn_hull_create. [default NULL] */
    const sn_hull *hull;
    /* Velocity of the surface along itself, as of a conveyor belt. In world axes for ground, in the axes of its
       body for a shape of a member. The part across the surface has no effect. [m/s; default 0 0 0] */
    double surface_velocity[3];
    /* Whether it is a trigger: it touches nothing, has no mass, and reports which shapes are inside it. See
       sn_world_triggers. [default false] */
    bool trigger;
} sn_shape_def;

static inline sn_joint_def sn_joint_def_default(sn_joint_type type) {
    sn_joint_def def;
    sn_def_default("sn_joint_def", &def, sizeof def, 0);
    def.type = type;
    return def;
}

static inline sn_body_def sn_body_def_default(void) {
    sn_body_def def;
    sn_def_default("sn_body_def", &def, sizeof def, sizeof def.joint);
    return def;
}

static inline sn_shape_def sn_shape_def_default(sn_shape_type type) {
    sn_shape_def def;
    sn_def_default("sn_shape_def", &def, sizeof def, 0);
    def.type = type;
    return def;
}

SN_API sn_builder *sn_builder_create(void); /* NULL when out of memory */
SN_API void sn_builder_free(sn_builder *builder);
/* Both copy what they are given. sn_builder_build reports the first mistake. */
SN_API void sn_builder_add_body(sn_builder *builder, const sn_body_def *body);
SN_API void sn_builder_add_shape(sn_builder *builder, const char *body, const sn_shape_def *shape);
/* Shapes of these two bodies never touch each other, beyond what is left out anyway: parent and child. */
SN_API void sn_builder_exclude(sn_builder *builder, const char *body1, const char *body2);
/* Checks everything; NULL and a message that names the body at fault when something is wrong. The builder
   stays usable and must still be freed. */
SN_API sn_model *sn_builder_build(const sn_builder *builder, sn_error *error);

SN_API void sn_model_free(sn_model *model);
SN_API int sn_model_nbody(const sn_model *model);
SN_API int sn_model_nq(const sn_model *model);
SN_API int sn_model_nv(const sn_model *model);
SN_API int sn_model_depth(const sn_model *model);   /* most degrees of freedom from the root to a leaf */
SN_API double sn_model_mass(const sn_model *model); /* of all bodies together */
SN_API int sn_model_find_body(const sn_model *model, const char *name); /* -1: no such body */
/* The body whose joint has this name, see `name` of sn_joint_def; -1: there is none. */
SN_API int sn_model_find_joint(const sn_model *model, const char *name);

/* A body of a finished model. Bodies stand in depth-first order: parents before children. */
typedef struct sn_body_info {
    const char *name;
    int parent;            /* index; -1 for the world */
    int q_index, nq;       /* its joint's place in q */
    int v_index, nv;       /* its joint's place in qd */
    double pos[3], rot[4]; /* frame in the parent's frame at q = 0; rot of unit length */
    sn_joint_def joint;    /* axes of unit length; its name is "" if it has none */
    double mass, com[3], inertia[6], lift;
    int first_shape, nshape;
} sn_body_info;

SN_API const sn_body_info *sn_model_body(const sn_model *model, int index); /* NULL when out of range */
SN_API int sn_model_nshape(const sn_model *model);
SN_API const sn_shape_def *sn_model_shape(const sn_model *model, int index); /* grouped by body */
SN_API void sn_model_zero_pose(const sn_model *model,
                               double *q); /* nq values; a free joint: the body's pos, rot */
SN_API void sn_model_home_pose(const sn_model *model,
                               double *q); /* zero pose, with the joints' home where given */
SN_API void sn_model_gains(const sn_model *model, double *kp,
                           double *kd); /* nv values each, as the joints say */

/* Algebra on positions: q (+) dv, the pose reached from q with constant velocity dv in unit time, and its inverse. A pose
   between two steps, part t of the way: q0 (+) t (q1 (-) q0). */
SN_API void sn_model_pose_add(const sn_model *model, const double *q, const double *dv, double *result);
SN_API void sn_model_pose_subtract(const sn_model *model, const double *q1, const double *q0, double *dv);
/* Both for n poses at once: rows [n][nq] and [n][nv]. */
SN_API void sn_model_pose_add_many(const sn_model *model, int n, const double *q, const double *dv,
                                   double *result);
SN_API void sn_model_pose_subtract_many(const sn_model *model, int n, const double *q1, const double *q0,
                                        double *dv);

/* ------------------------------------------------------------------------------------------ 3. A world */

/* A world is a scene in one copy or in thousands: members (characters and free bodies), ground, and constraints between
   them. The scene is described once; each copy has its own state. A character alone is a world of one copy.

       sn_model *model = sn_builtin_create("humanoid", NULL);
       sn_world_def def = sn_world_def_default();
       sn_world *world = sn_world_create(&def, NULL);
       int human = sn_world_add(world, model, NULL);
       sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL);
       sn_world_set_gains(world, human, kp, kd);
       sn_world_stand(world, human, q), sn_world_set_state(world, human, q, NULL), sn_world_set_target(world, human, q, NULL);
       while (...) sn_world_step(world);

   Contacts, joint limits and constraints are solved together with the drives: every response contains the stable-PD
   gains. A copy gives the same bits alone and in any company: in any place, with any number of threads, beside copies
   that diverge. */
typedef struct sn_world sn_world;

/* Of states and responses. Rows are solved in double either way; in float each has a compliance of no less than 1e-6 of its
   own response, since rounding alone leaves a matrix of them indefinite: a contact under ten thousand times its body's
   weight gives by a millimetre. */
typedef enum sn_precision { SN_PRECISION_DOUBLE, SN_PRECISION_FLOAT } sn_precision;

/* How a drive enters the equations of motion; e = q - target, h = dt.
     explicit    tau = -kp e - kd qd                                    the classical PD controller
     implicit D  tau = -kp e - kd (qd + h qdd)
     stable      tau = -kp (e + h qd) - kd (qd + h qdd)                 spd-2011 eq. 3, maba-2020 eq. 6
     full        tau = -kp (e + h qd + h^2 qdd) - kd (qd + h qdd)       stable for any gains >= 0 */
typedef enum sn_form { SN_FORM_STABLE, SN_FORM_EXPLICIT, SN_FORM_IMPLICIT_D, SN_FORM_FULL } sn_form;

typedef enum sn_contact_method {
    SN_CONTACT_IMPLICIT, /* contacts with the ground, joint limits and torque limits are one convex problem inside MABA,
                            linear in the size of the character; contacts of two members, and those that bounce, are
                            rows */
    SN_CONTACT_ROWS, /* every contact is three rows of one complementarity problem */
    SN_CONTACT_NONE  /* nothing touches */
} sn_contact_method;

typedef enum sn_stepper {
    SN_STEPPER_TIME, /* velocity level, one solve per step, fixed cost */
    SN_STEPPER_EVENT, /* kokkevis-2004 section 7: accelerations, impacts, steps halved back to the time of contact;
                        contact by rows only */
    SN_STEPPER_POSITION /* pbad-2018 in linear time: the step looks for the pose at its end, where an energy is least.
                        Stiff drives at long steps, where every solver of accelerations gives up: with SN_FORM_FULL a drive
                        is a spring and a damper at the end of the step; what other forms take from its start is a given
                        torque. Ground of planes and height fields, implicit contact or none; members that do not meet:
                        of several at most one has shapes, unless contact is none; no bounces, no constraints, no
                        sleep. docs/position.md */
} sn_stepper;

/* Of the position stepper: what an acceleration is, in terms of poses. */
typedef enum sn_scheme {
    SN_SCHEME_PBAD2, /* implicit Euler: first order, takes energy out of all that swings */
    SN_SCHEME_BDF2   /* second order: spin and swing last; stiff drives lag a little more */
} sn_scheme;

typedef enum sn_friction {
    SN_FRICTION_CONE,    /* |f_t| <= mu f_n */
    SN_FRICTION_PYRAMID, /* |f_x| <= mu f_n and |f_y| <= mu f_n; of rows */
    SN_FRICTION_ONE_WAY, /* of rows, kokkevis-2004 eq. 19-21: one tangent t, against the sliding; with u_t the velocity
                            along it at the end of the step
                              u_t + lambda >= 0  complementary to  f_t >= 0
                              mu f_n - f_t >= 0  complementary to  lambda >= 0; lambda is in sn_contact */
    SN_FRICTION_NONE
} sn_friction;

/* What velocities do to accelerations (Coriolis, centrifugal and gyroscopic terms) in a step. Where limp limbs turn so far in
   a step with implicit contacts or joint limits that it would win energy even at the middle or implicitly, the joints of that
   character are damped in it, except with SN_SETTING_CROWD. */
typedef enum sn_products {
    SN_PRODUCTS_MIDPOINT, /* at the velocity halfway through the step: keeps energy of spinning bodies, linear time */
    SN_PRODUCTS_EXPLICIT /* at the start of the step: cheapest, wins energy */
} sn_products;

/* How much work a step may do. Where `iterations`, `tolerance`, `sweeps` or `sweep_tolerance` of the definition are 0 they
   are what the setting says. */
typedef enum sn_setting {
    SN_SETTING_GAME,  /* bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3 */
    SN_SETTING_EXACT, /* 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float) */
    SN_SETTING_CROWD  /* the same cost in every step: as game, with 4 sweeps */
} sn_setting;

/* Methods that experiments put in the place of the world's own: studies.h declares where they come from. */
typedef struct sn_study sn_study;

/* Your threads and your log: engine.h. */
typedef struct sn_jobs sn_jobs;
typedef struct sn_log sn_log;

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
    /* Precision of states and responses. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Lane type by name, see sn_lanes_get. NULL: what suits the scene. [default NULL] */
    const char *lanes;
    /* Gravity of all members; SN_FIELD_GRAVITY can give each copy its own. [m/s^2; default 0 0 -9.81] */
    double gravity[3];
    /* Duration of one substep. [s; default 1/240; 1e-9 to 1e3; not hashed] */
    double dt;
    /* How drives enter the equations of motion. [default SN_FORM_STABLE] */
    sn_form form;
    /* How contacts are solved. [default SN_CONTACT_IMPLICIT] */
    sn_contact_method contact;
    /* How a world gets from one step to the next. [default SN_STEPPER_TIME] */
    sn_stepper stepper;
    /* What the position stepper takes for an acceleration. [default SN_SCHEME_PBAD2] */
    sn_scheme scheme;
    /* Law of friction. [default SN_FRICTION_CONE] */
    sn_friction friction;
    /* At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken. [default SN_PRODUCTS_MIDPOINT] */
    sn_products products;
    /* Whether joints stay within their limits. [default true] */
    bool joint_limits;
    /* Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits. [default false] */
    bool torque_limits;
    /* Whether the three axes of a ball joint may have different gains, copy by copy. [default false] */
    bool gains_by_axis;
    /* Whether bodies of one member touch each other. Parent and child never do. [default false] */
    bool self_contact;
    /* Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD. [default false] */
    bool report_torque;
    /* Whether each step fills sn_world_contacts. [default true] */
    bool report_contacts;
    /* Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints reach their
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
    /* Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until something touches or
       changes them. 0: none does. docs/worlds.md has the details. [m/s and rad/s; default 0; from 0] */
    double sleep;
    /* Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0 keeps all, and memory grows as
       steps find more. [default 0; 0 to 1048576] */
    int max_contacts;
    /* Methods of papers in place of the world's own, from studies.h. NULL: none. [default NULL] */
    const sn_study *study;
    /* Your job system, see engine.h: the world uses it and starts no threads; `threads` is then ignored. It is copied. NULL: the
       world has threads of its own. [default NULL; not hashed] */
    const sn_jobs *jobs;
    /* Receives warnings as text, see engine.h. It is copied. NULL: there are none. [default NULL; not hashed] */
    const sn_log *log;
    /* Whether each step measures how long its parts take, for sn_world_times. [default false; not hashed] */
    bool measure_time;
} sn_world_def;

static inline sn_world_def sn_world_def_default(void) {
    sn_world_def def;
    sn_def_default("sn_world_def", &def, sizeof def, 0);
    return def;
}

SN_API sn_world *sn_world_create(const sn_world_def *definition, sn_error *error);
SN_API void sn_world_free(sn_world *world);
SN_API int sn_world_copies(const sn_world *world);
SN_API const char *sn_world_lanes(const sn_world *world); /* the lanes in use, as "f32x16" */
SN_API size_t sn_world_memory(const sn_world *world);     /* bytes it holds, all threads together */
/* Fills a definition that you made with sn_world_def_default with what the world was made with. Numbers that were left to the
   setting have their values, and `lanes` belongs to the world. */
SN_API void sn_world_get_def(const sn_world *world, sn_world_def *definition);
/* Why the last call on this world that failed did so, as a sentence: "q of copy 5: value 12 is nan, which is not a number."
   It stays until the next call that fails; "" before the first. Functions with an sn_error write it there instead. */
SN_API const char *sn_world_message(const sn_world *world);

/* Members may be added and removed at any time between steps, in time proportional to what is added. The number that
   sn_world_add returns (-1: error) stays the member's until it is removed; it may then be given to a later one. The
   model must outlive the world. A member starts in the zero pose, at rest, without gains. */
SN_API int sn_world_add(sn_world *world, const sn_model *model, sn_error *error);
SN_API sn_status sn_world_remove(sn_world *world, int member);
SN_API int sn_world_count(const sn_world *world); /* all members have smaller numbers */
SN_API const sn_model *sn_world_model(const sn_world *world, int member); /* NULL: no such member */
/* One that is not active stays where it is and touches nothing. All are active at first. */
SN_API sn_status sn_world_set_active(sn_world *world, int member, bool active);

/* Ground. Each call returns a number, from 0, or -1; numbers stay as those of members do. A shape's friction,
   restitution, group and mask count, its mass does not. Every shape can be ground; one that is neither sphere, capsule, box nor
   hull touches as a hull that is within 1 % of its surface. material NULL: the
   default. */
SN_API int sn_world_add_plane(sn_world *world, const double point[3], const double normal[3],
                              const sn_shape_def *material, sn_error *error);
SN_API int sn_world_add_shape(sn_world *world, const sn_shape_def *shape, const double pos[3],
                              const double rot[4], sn_error *error);

typedef struct sn_heightfield_def {
    int nx, ny;           /* points along x and y, 2 to 32768 each */
    double size[2];       /* extent along x and y, m */
    double origin[3];     /* its corner with the smallest x and y; heights count from origin[2] */
    const double *height; /* [ny][nx], copied */
} sn_heightfield_def;

SN_API int sn_world_add_heightfield(sn_world *world, const sn_heightfield_def *field,
                                    const sn_shape_def *material, sn_error *error);
/* A triangle mesh as ground: a level, a staircase, a cave. Its triangles hold what is in front of them, where their corners
   run counterclockwise; what is behind them passes. Corners at the same place count as one, so that a mesh of many level
   triangles is as smooth as a plane. */
typedef struct sn_mesh_def {
    int nvertex, ntriangle;
    const double (*vertex)[3]; /* [nvertex] m, copied */
    const int (*triangle)[3];  /* [ntriangle] three vertices each, copied */
} sn_mesh_def;

/* Meshes stand still. The position stepper does not take them. */
SN_API int sn_world_add_mesh(sn_world *world, const sn_mesh_def *mesh, const sn_shape_def *material,
                             sn_error *error);
SN_API sn_status sn_world_remove_ground(sn_world *world, int ground);
/* Puts ground somewhere else, in all copies, and lets it move on from there with these velocities (NULL: zero). Not for
   height fields and meshes. */
SN_API sn_status sn_world_move(sn_world *world, int ground, const double pos[3], const double rot[4],
                               const double linear[3], const double angular[3]);

/* State and drives of a member, the same in all copies; section 4 has each copy's own. A pointer that is NULL leaves
   that half alone; a target velocity of NULL means zero. Quaternions are normalised on the way in. The target is what the
   member shall reach at the END of the coming step. Gains have nv values each, none negative. */
SN_API sn_status sn_world_set_state(sn_world *world, int member, const double *q, const double *qd);
SN_API sn_status sn_world_get_state(const sn_world *world, int member, double *q, double *qd); /* of copy 0 */
SN_API sn_status sn_world_set_target(sn_world *world, int member, const double *q, const double *qd);
SN_API sn_status sn_world_set_gains(sn_world *world, int member, const double *kp, const double *kd);
/* Force (N) through the body's origin and torque (N m), both in world axes, until changed; NULL: zero. */
SN_API sn_status sn_world_set_push(sn_world *world, int member, int body, const double force[3],
                                   const double torque[3]);
/* Targets from a motion of the member's model, each copy at its own phase (SN_FIELD_PHASE), which every step moves on by
   dt; the motion is copied. NULL: targets are set by hand again. */
SN_API sn_status sn_world_set_motion(sn_world *world, int member, const sn_motion *motion);
/* Moves the root in q against gravity until the member's lowest point stands on the ground below it. */
SN_API sn_status sn_world_stand(const sn_world *world, int member, double *q);

/* Makes `substeps` substeps of dt. If a velocity of a member would stop being finite, or exceed 1e5 m/s or rad/s, the member is
   frozen in that copy, in the state before the substep. Members that constraints join to it are frozen with it. The others
   continue, and a frozen member is a wall to them. It continues when its state is set or the copy is reset.
   Returns SN_ERROR_NOT_FINITE if no member of any copy is left that moves. sn_world_get_stats names the member and the degree
   of freedom, and the drive that is too stiff if there is one; sn_gains_check in dynamics.h suggests gains that work. */
SN_API sn_status sn_world_step(sn_world *world);
SN_API sn_status sn_world_set_dt(sn_world *world, double dt);
SN_API double sn_world_dt(const sn_world *world);
SN_API double sn_world_time(const sn_world *world);

typedef struct sn_world_stats { /* of the last step, over all copies */
    int contacts;               /* with a gap below the margin, altogether */
    int rows;                   /* of contacts, limits and constraints, the most of any copy */
    int rounds;      /* in which members were solved again for what rows do to them, the most of any copy */
    int iterations;  /* of Gauss-Seidel, or pivots, the most of any solve, recovery included */
    int fallbacks;   /* solves by Gauss-Seidel where a study asked for pivoting, altogether */
    double residual; /* how far the worst row is from its condition, m/s */
    double apart;    /* m between the points of the worst rigid constraint, after the step */
    int sweeps;      /* of implicit contact, the most of any block */
    int unsettled;   /* copies whose implicit contacts, limits and torque limits ended so */
    double sweep_residual;             /* how far the worst of their forces is from its law, relative */
    int substeps;                      /* of the event stepper, the most of any copy */
    int impacts;                       /* resolved by the event stepper, altogether */
    int dropped;                       /* contacts left out because of max_contacts, altogether */
    int asleep;                        /* members that slept through it, over all copies */
    int diverged;                      /* copies in which a member is frozen */
    int bad_copy, bad_member, bad_dof; /* where a value stopped being finite last, or -1 */
    int stiff_member,
        stiff_dof; /* whose gains break the condition of the drives' form most, in that copy or else
                                          in copy 0; -1: none does. Known before the first step */
} sn_world_stats;

SN_API void sn_world_get_stats(const sn_world *world, sn_world_stats *stats);

/* ----------------------------------------------------------------------------------- 4. Looking and setting */

/* Values of a member. One list says what there is: name, number of values (of NQ, NV, NBODY), what may be set. */
#define SN_FIELD_MAP(X)                                                                                      \
    X(Q, NQ, POSE)        /* position */                                                                     \
    X(QD, NV, FINITE)     /* velocity */                                                                     \
    X(TARGET_Q, NQ, POSE) /* to be reached at the end of the coming step */                                  \
    X(TARGET_QD, NV, FINITE)                                                                                 \
    X(FEEDFORWARD, NV, FINITE) /* torque */                                                                  \
    X(KP, NV, GAINS)                                                                                         \
    X(KD, NV, GAINS)                                                                                         \
    X(TORQUE_LIMIT, NV, LIMITS) /* infinity: none; see torque_limits of the definition */                    \
    X(ARMATURE, NV, NOT_NEGATIVE)                                                                            \
    X(PUSH, 6 * NBODY, FINITE)   /* [nbody][6] force through the body's origin, torque; world axes */        \
    X(MASS_SCALE, 1, POSITIVE)   /* factor of all masses and inertias */                                     \
    X(FRICTION, 1, NOT_NEGATIVE) /* factor of friction; of two members the geometric mean */                 \
    X(GRAVITY, 3, FINITE)                                                                                    \
    X(DT, 1, POSITIVE)                     /* where the scene needs no rows */                               \
    X(PHASE, 1, FINITE)                    /* s into the motion of sn_world_set_motion */                    \
    X(QDD, NV, READ_ONLY)                  /* acceleration of the last step */                               \
    X(TORQUE, NV, READ_ONLY)               /* of the drives in the last step, see report_torque */           \
    X(BODY_POSE, 7 * NBODY, READ_ONLY)     /* [nbody][7] position and orientation of the bodies' frames */   \
    X(BODY_VELOCITY, 6 * NBODY, READ_ONLY) /* [nbody][6] linear and angular, world axes */                   \
    X(CONTACT_FORCE, 3 * NBODY, READ_ONLY) /* [nbody][3] on each body in the last step, N, world axes */     \
    X(TOUCHING, NBODY, READ_ONLY)          /* [nbody] 1: something pushed it in the last step, else 0 */     \
    X(DIVERGED, 1, READ_ONLY)              /* 1: it is frozen in this copy, see sn_world_step */             \
    X(ASLEEP, 1, READ_ONLY)                /* 1: the member sleeps in this copy */                           \
    X(GAIN_SCALE, NBODY, READ_ONLY)        /* [nbody] part of its gains that acts on each joint */           \
    X(IMPACTS, 1, READ_ONLY)               /* impacts counted since sn_world_set_reaction */                 \
    X(MIDDLE_QD, NV,                                                                                         \
      READ_ONLY) /* velocity whose products the last step had, see report_torque; not of positions */

typedef enum sn_field {
#define X(name, size, rule) SN_FIELD_##name,
    SN_FIELD_MAP(X)
#undef X
        SN_FIELD_COUNT
} sn_field;

/* What a field is. A copy has `rows` times `columns` values of it. */
typedef struct sn_field_info {
    const char *name; /* as "body_pose" */
    const char *rows; /* "nq", "nv" or "nbody" of the member's model, or "1" */
    int columns;      /* 7 for body_pose */
    bool settable;
} sn_field_info;

SN_API const sn_field_info *sn_field_get(sn_field field); /* NULL: there is no such field */

SN_API int sn_world_size(const sn_world *world, int member, sn_field field); /* values per copy; 0: no such */
/* Of copies first .. first + count - 1: values [count][size]. Nothing is changed when a value is refused. */
SN_API sn_status sn_world_set(sn_world *world, int member, sn_field field, int first, int count,
                              const double *values);
SN_API sn_status sn_world_get(sn_world *world, int member, sn_field field, int first, int count,
                              double *values);
/* The fast way, for all copies: [copies][size] in the world's own precision. `put` takes the copies with which[i] != 0
   (NULL: all). `view` fills the world's own memory when first asked after a change; it stays there, to be read, until the
   world is changed or stepped; NULL when there is no such field or no memory. */
SN_API sn_status sn_world_put(sn_world *world, int member, sn_field field, const uint8_t *which,
                              const void *values);
SN_API const void *sn_world_view(sn_world *world, int member, sn_field field);
/* Fills your own memory, [copies][size] in the world's precision, on the world's threads. */
SN_API sn_status sn_world_take(sn_world *world, int member, sn_field field, void *values);
/* Makes the copies with which[i] != 0 (NULL: all) the same as copy `source` in every respect, with contacts and warm starts, so
   that they continue with the same bits. */
SN_API sn_status sn_world_copy(sn_world *world, int source, const uint8_t *which);
/* Copies with which[i] != 0 (NULL: all) start afresh: contacts are forgotten, flags cleared, and the member (-1: none)
   gets the pose q and the velocity qd; q NULL: it keeps its state; qd NULL and q not: at rest. */
SN_API sn_status sn_world_reset(sn_world *world, int member, const uint8_t *which, const double *q,
                                const double *qd);

typedef struct sn_summary {
    double kinetic, potential;  /* J; of the bodies, without armature; of gravity and of passive springs */
    double com[3];              /* centre of mass of all */
    double linear_momentum[3];  /* kg m/s */
    double angular_momentum[3]; /* about the centre of mass */
} sn_summary;

SN_API sn_status sn_world_summary(sn_world *world, int member, int copy, sn_summary *summary);
/* A hash of all positions and velocities, bit by bit, for comparing runs. */
SN_API uint64_t sn_world_hash(const sn_world *world);

#include "sinew/queries.h"     /* contacts and casts */
#include "sinew/contact.h"     /* filter of contacts, surface velocities, triggers */
#include "sinew/draw.h"        /* drawing by your own functions */
#include "sinew/constraints.h" /* 5. Constraints */

/* ---------------------------------------------------------------------------------------- 6. Snapshots */

/* The whole world as one block of bytes: structure, state, warm starts, targets, gains and constraints of all copies.
   Restoring gives the same bits again, also after members, ground or constraints have come and gone since: numbers and
   handles go back, too. The world must have been made with the same definition and must have held every model of the
   snapshot at some time; a block that is damaged or of another world is refused and changes nothing. The size is that of
   the largest state the present structure can have, as a rule: in crowded scenes it grows with the contacts there are. */
SN_API size_t sn_world_snapshot_size(const sn_world *world);
SN_API sn_status sn_world_snapshot(const sn_world *world, void *bytes, size_t size);
SN_API sn_status sn_world_restore(sn_world *world, const void *bytes, size_t size, sn_error *error);

#include "sinew/gains.h"    /* 7. Gains */
#include "sinew/ragdolls.h" /* reactions, modes of limbs, assistance */

/* ---------------------------------------------------------------------------------- 8. Built-in models */

/* "humanoid" (34 degrees of freedom), "dog" (72), "snake36", "snake72", "snake195", "mouse" (a toy with a long tail, 54);
   names in order, then NULL. */
SN_API const char *sn_builtin_name(int index);
SN_API sn_model *sn_builtin_create(const char *name, sn_error *error);

#include "sinew/hulls.h"     /* 2. Convex hulls */
#include "sinew/files.h"     /* 9. Files, 10. Clips and motions, 11. Recordings */
#include "sinew/keyframes.h" /* 10. Keyframes */

#include "sinew/engine.h" /* hooks, user data, timing, rollback */

/* ----------------------------------------------------------------------------------- 12. Expert: lanes */

/* A lane type is a precision and a width, "f64", "f64x2", "f64x4", "f64x8", "f32", "f32x4", "f32x8",
   "f32x16": how many values one vector holds. Which can run depends on the machine. The environment variable
   SINEW_LANES names the type to use where a definition leaves it open and the precision agrees. f64x8 steps by MABA on
   the direct route with Euler's methods only: in dynamics.h it has no mass matrix, forward dynamics and Jacobians
   (SN_ERROR_UNSUPPORTED). Scenes with rows use types of at most 256 bits. */
typedef struct sn_lanes_info {
    const char *name; /* "f32x16" */
    const char *isa;  /* "x86-64-v4", "x86-64-v3", "x86-64-v2", "base" */
    sn_precision precision;
    int width;
    bool fma; /* multiply-adds are fused: bits agree among all vector types with the same value here */
} sn_lanes_info;

SN_API const sn_lanes_info *
sn_lanes_get(int index); /* that can run on this machine, from 0; NULL past the end */
/* Whether the library was built with "lapack" (for SN_SOLVER_LAPACK), or "strict" (SINEW_STRICT: no contraction). */
SN_API bool sn_built_with(const char *part);

#ifdef __cplusplus
}
#endif

#endif
