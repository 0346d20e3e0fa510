/* Sinew: the definition of a world. sinew.h includes this file. */
#ifndef SINEW_WORLD_H
#define SINEW_WORLD_H

#include "sinew/base.h"
#include "sinew/expert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much work a step may do. `iterations`, `tolerance`, `sweeps` and `sweep_tolerance` override it
   where they are not 0. */
typedef enum sn_setting {
    /* Bounded cost: 30 iterations to 1e-4 m/s, 32 sweeps to 1e-3. */
    SN_SETTING_GAME,
    /* 1000 iterations to 1e-7 m/s, 128 sweeps to 1e-6 (1e-4 in float). */
    SN_SETTING_EXACT,
    /* Equal cost in every step: as game, with 4 sweeps. */
    SN_SETTING_CROWD
} sn_setting;

/* Parts of a step whose time a world measures, see `measure_time`. */
typedef enum sn_step_part {
    /* The whole step, by the clock; the parts below are summed over all threads. */
    SN_STEP_PART_ALL,
    /* Where bodies are, and which shapes touch. */
    SN_STEP_PART_FIND,
    /* Drives, joint limits and contacts with the ground, member by member. If no rows can occur in a
       scene, all copies pass through one kernel, and this part contains the finding and moving, too. */
    SN_STEP_PART_SOLVE,
    /* Contacts between members, constraints, and what they do to the members. */
    SN_STEP_PART_ROWS,
    /* The new velocities and positions, and their checks. */
    SN_STEP_PART_MOVE,
    /* Motions, reactions, sleep and reports. */
    SN_STEP_PART_OTHER,
    SN_STEP_PART_COUNT
} sn_step_part;

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
    /* Threads that step the world, the caller's own among them. 0 uses one per core. [default 1; not
       hashed] */
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
    /* Whether drives stay within SN_FIELD_TORQUE_LIMIT. Always so for models that have limits. [default
       false] */
    bool torque_limits;
    /* Whether bodies of one member touch each other. Parent and child never do. [default false] */
    bool self_contact;
    /* Whether each step fills SN_FIELD_TORQUE and SN_FIELD_MIDDLE_QD. [default false] */
    bool report_torque;
    /* Whether each step fills sn_world_contacts. [default true] */
    bool report_contacts;
    /* Free bodies that stay slower than this for half a second fall asleep, alone or in a heap, until
       something touches or changes them. 0: none does. docs/worlds.md has the details. [m/s and rad/s;
       default 0; from 0] */
    double sleep;
    /* Largest number of contacts kept in each copy: the deepest. Others are dropped and counted. 0 keeps all,
       and memory grows as steps find more. [default 0; 0 to 1048576] */
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
    /* At which velocity the Coriolis, centrifugal and gyroscopic terms of a step are taken. [default
       SN_PRODUCTS_MIDPOINT] */
    sn_products products;
    /* Whether the three axes of a ball joint may have different gains, copy by copy. [default false] */
    bool gains_by_axis;
    /* Largest number of Gauss-Seidel iterations in a solve, recovery included. A step in which joints reach
       their limits may take up to 8 solves. 0 uses the number of the setting. [default 0; from 0] */
    int iterations;
    /* Gauss-Seidel ends when no row is off by more than this. 0 uses the value of the setting. [m/s; default
       0; from 0] */
    double tolerance;
    /* Penetration that rows do not correct. [m; default 1e-4; from 0] */
    double slop;
    /* Time constant in which deeper penetration is pushed out; never less than 2 dt. [s; default 0.02; from
       0] */
    double recovery;
    /* Largest speed at which penetration is pushed out. [m/s; default 1; from 0] */
    double recovery_speed;
    /* Largest speed at which joints beyond their limits come back. [rad/s or m/s; default 10; from 0] */
    double limit_speed;
    /* Largest speed at which the ends of a pin that have come apart meet again. [m/s; default 2; from 0] */
    double pin_speed;
    /* Distance ahead, beyond what a step may cover, at which contacts are looked for. [m; default 0.01; from
       0] */
    double margin;
    /* Speed of approach above which restitution acts. [m/s; default 0.1; from 0] */
    double bounce;
    /* Compliance of a contact. 0: rigid rows, and implicit contacts as stiff as mass and dt allow. [m/N;
       default 0; from 0] */
    double compliance;
    /* Largest number of sweeps per step for implicit contact. 0 uses the number of the setting. The position
       stepper makes exactly this many; its 0 means 2 sweeps for members with kp, or 4 over ground, and
       Newton's method for others, see docs/position.md. [default 0; from 0] */
    int sweeps;
    /* Implicit contact ends when no force is off its law by more than this, relative. 0 uses the value of the
       setting. [default 0; from 0] */
    double sweep_tolerance;
    /* Shortest substep of the event stepper, as a part of dt. [default 1/1024; 1e-6 to 1] */
    double shortest;
    /* Methods of papers in place of the world's own, from studies.h. NULL: none. [default NULL] */
    const sn_study *study;
    /* Your job system, see engine.h: the world uses it and starts no threads; `threads` is then ignored. It
       is copied. NULL: the world has threads of its own. [default NULL; not hashed] */
    const sn_jobs *jobs;
    /* Receives warnings as text, see engine.h. It is copied. NULL: there are none. [default NULL; not
       hashed] */
    const sn_log *log;
    /* Whether each step measures how long its parts take, for `microseconds` of
       sn_world_stats. [default false; not hashed] */
    bool measure_time;
    /* Device that steps the copies, by name: "opencl:0", or the first "opencl:gpu" or "opencl:cpu". `sinew
       devices` lists them, and docs/device.md says what a device can do. NULL: the processor. [default NULL;
       not hashed] */
    const char *device;
} sn_world_def;

static inline sn_world_def sn_world_def_default(void) {
    SN_RETURN_DEFAULT(sn_world_def);
}

#ifdef __cplusplus
}
#endif

#endif
