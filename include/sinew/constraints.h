/* Sinew: constraints between members, or between a member and the world. sinew.h includes this file.
 *
 *     sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_HINGE);
 *     def.member = door, def.point2[2] = 1;              (member2 is -1: the world)
 *     sn_constraint hinge = sn_world_add_constraint(world, &def, &error);
 *
 * docs/constraints.md shows every kind. */
#ifndef SINEW_CONSTRAINTS_H
#define SINEW_CONSTRAINTS_H

#include "sinew/model.h"
#include "sinew/expert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A constraint acts in every copy. You can add and remove constraints between steps. A handle is valid
   until its constraint is removed, and is never used again. 0 means none. */
typedef uint64_t sn_constraint;

/* A path is followed as in kokkevis-2004 eq. 22: with e the deviation from the target,

       e'' + Kd e' + Kp e = 0,

   solved exactly over each step. A deviation dies away as that oscillator does, whatever dt is, and a
   target that moves by its target_velocity is followed without lag. The target is what the constraint
   should reach at the END of the coming step, with its velocity there. Set both before every step of a
   target that moves. A velocity that jumps is followed at once, a target that jumps is not.

   An acceleration acts as it is, without feedback: positions drift. An impulse takes a velocity to its
   target in the coming step and is then spent: the constraint has no effect until its target is set
   again. Both use `target` and have no target_velocity. */
typedef enum sn_constraint_type {
    /* A point of a body stays on a point of another body, or of the world: 3 rows. */
    SN_CONSTRAINT_PIN,
    /* A point of a body follows target and target_velocity: 3 rows. */
    SN_CONSTRAINT_POINT_PATH,
    /* The joint of a body follows target (as in q) and target_velocity (as in qd), kokkevis-2004 section 8.3:
       one row per degree of freedom. */
    SN_CONSTRAINT_JOINT_PATH,
    /* An implicit spring pulls a point of a body to target: the mouse. */
    SN_CONSTRAINT_SPRING,
    /* direction . (point - point2) follows target[0] and target_velocity[0]; the other two directions are
       free: 1 row. */
    SN_CONSTRAINT_DIRECTION_PATH,
    /* The orientation of a body follows target (a quaternion, body to world) and target_velocity (angular
       velocity, world axes): 3 rows. */
    SN_CONSTRAINT_ORIENTATION_PATH,
    /* A pin that also keeps the orientation of one body in the frame of the other, or of the world, at target
       (a quaternion; all 0: as it is in each copy now): 6 rows. */
    SN_CONSTRAINT_WELD,
    /* A point of a body has the acceleration target[3]: 3 rows. */
    SN_CONSTRAINT_POINT_ACCELERATION,
    /* direction . (point - point2) has the second derivative target[0]: 1 row. */
    SN_CONSTRAINT_DIRECTION_ACCELERATION,
    /* The joint of a body has the acceleration target (as in qd): one row per degree of freedom. */
    SN_CONSTRAINT_JOINT_ACCELERATION,
    /* A point of a body gets the velocity target[3]: 3 rows. */
    SN_CONSTRAINT_POINT_IMPULSE,
    /* direction . (point - point2) gets the rate of change target[0]: 1 row. */
    SN_CONSTRAINT_DIRECTION_IMPULSE,
    /* The joint of a body gets the velocity target (as in qd): one row per degree of freedom. */
    SN_CONSTRAINT_JOINT_IMPULSE,
    /* Couples two joints with one degree of freedom each, q1 of body and q2 of body2 (member2 -1: q2 is
       0). The difference s = q1 - (ratio[0] + ratio[1] q2 + ... + ratio[4] q2^4) is held at target[0].
       With stiffness or damping, an implicit spring pulls s to target[0] and target_velocity[0] instead:
       1 row. */
    SN_CONSTRAINT_COUPLING,
    /* The s of a coupling stays between target[0] and target[1]: 1 row. */
    SN_CONSTRAINT_COUPLING_LIMIT,
    /* The joint of a body resists its motion, with max_force at most: one row per degree of freedom. */
    SN_CONSTRAINT_JOINT_FRICTION,
    /* A pin that leaves one turn free, about direction: 5 rows. Like SN_CONSTRAINT_PIN, _WELD and those up to
       _SURFACE it is rigid, or soft with a stiffness or a frequency. The orientation to keep is in target as
       for SN_CONSTRAINT_WELD. */
    SN_CONSTRAINT_HINGE,
    /* Keeps the orientation, and the point on the line through point2 along direction: 5 rows. */
    SN_CONSTRAINT_SLIDER,
    /* Keeps the orientation of one body in the frame of the other, or of the world: 3 rows. */
    SN_CONSTRAINT_ORIENTATION,
    /* point and point2 stay target[0] apart: 1 row. */
    SN_CONSTRAINT_DISTANCE,
    /* point and point2 come no further apart than target[0]: 1 row, which only pulls. */
    SN_CONSTRAINT_ROPE,
    /* The point stays on a curve and slides along it: 2 rows. */
    SN_CONSTRAINT_CURVE,
    /* The point stays on a surface and slides over it: 1 row. */
    SN_CONSTRAINT_SURFACE,
    /* Drives the turn of a body against the other about direction at target_velocity[0], with at most
       max_force: 1 row. */
    SN_CONSTRAINT_MOTOR,
    /* Drives the point against the other body along direction at target_velocity[0], with at most max_force:
       1 row. */
    SN_CONSTRAINT_LINEAR_MOTOR,
    SN_CONSTRAINT_TYPE_COUNT
} sn_constraint_type;

/* A curve in the frame of body2 or of the world, with its origin at point2: points joined by straight
   lines, or a smooth curve through them. If it is open, its first and last parts continue straight. */
typedef struct sn_curve_def {
    /* Set by sn_curve_def_default. */
    uint32_t struct_size;
    /* Number of points. [default 0; 0 to 1000000] */
    int npoint;
    /* [npoint][3] points; copied. [m; default NULL] */
    const double *points;
    /* Whether the last point is joined to the first. [default false] */
    bool closed;
    /* Whether cubic pieces join the points, with `tangents` or with those of the chords beside each point.
       [default false] */
    bool smooth;
    /* [npoint][3] derivatives by the number of the point. NULL: from the points. [default NULL] */
    const double *tangents;
    /* A function to use instead of points. It is asked npoint times as the constraint is added, at s =
       start ... end, for its place and its derivative by s. Cubic pieces replace it: four times the
       points leave 1/256 of the error. [default NULL] */
    void (*sample)(void *user, double s, double place[3], double derivative[3]);
    /* First argument of `sample`. [default NULL] */
    void *user;
    /* First value of s. [default 0] */
    double start;
    /* Last value of s. [default 0] */
    double end;
} sn_curve_def;

typedef enum sn_surface_type {
    /* Through point2, across direction. */
    SN_SURFACE_PLANE,
    /* Around point2. */
    SN_SURFACE_SPHERE,
    /* Around the line through point2 along direction. */
    SN_SURFACE_CYLINDER,
    /* z over x and y, from point2: smooth through a grid of heights. */
    SN_SURFACE_HEIGHTS,
    SN_SURFACE_TYPE_COUNT
} sn_surface_type;

/* A surface in the frame of body2 or of the world. */
typedef struct sn_surface_def {
    /* Set by sn_surface_def_default. */
    uint32_t struct_size;
    /* What the surface is. [default SN_SURFACE_PLANE] */
    sn_surface_type type;
    /* Radius of a sphere or cylinder. [m; default 0] */
    double radius;
    /* Number of heights along x. [default 0; 0 to 4096] */
    int nx;
    /* Number of heights along y. [default 0; 0 to 4096] */
    int ny;
    /* Extent along x and y, from point2. Beyond it the heights of the edge continue. [m; default 0 0] */
    double size[2];
    /* [ny][nx] heights; copied. [m; default NULL] */
    const double *height;
    /* A function to use instead of heights. It is asked nx * ny times as the constraint is added.
       [default NULL] */
    double (*sample)(void *user, double x, double y);
    /* First argument of `sample`. [default NULL] */
    void *user;
} sn_surface_def;

/* Make one with sn_constraint_def_default(type). */
typedef struct sn_constraint_def {
    /* Set by sn_constraint_def_default. */
    uint32_t struct_size;
    /* What the constraint does. [default SN_CONSTRAINT_PIN] */
    sn_constraint_type type;
    /* Member at the first end. [default 0] */
    sn_member member;
    /* Body of that member. [default 0] */
    int body;
    /* Point of that body, in its frame. [m; default 0 0 0] */
    double point[3];
    /* Member at the other end, for constraints that have one. -1: the world. [default -1] */
    sn_member member2;
    /* Body of that member. [default 0] */
    int body2;
    /* Point of that body in its frame, or of the world. [m; default 0 0 0] */
    double point2[3];
    /* Direction fixed in that body or in the world, for SN_CONSTRAINT_DIRECTION_*, hinges, sliders,
       motors and surfaces. Any length but 0. [default 0 0 1] */
    double direction[3];
    /* What to reach; see sn_constraint_type. Points have three values, joints as many as in q.
       [default 0 0 0 0 0 0 0] */
    double target[7];
    /* Velocity of the target, as in qd. [default 0 0 0 0 0 0] */
    double target_velocity[6];
    /* Paths: the t of Kp = 1/t^2, Kd = sqrt(2)/t. After 2.65 t a tenth of the way is left. [s; default
       0.1; above 0] */
    double settle;
    /* Paths: Kp. 0: from `settle`. [1/s^2; default 0; from 0] */
    double kp;
    /* Paths: Kd. 0: from `settle`. [1/s; default 0; from 0] */
    double kd;
    /* Stiffness of what holds (pin, weld, hinge, ... surface), of SN_CONSTRAINT_SPRING and of
       SN_CONSTRAINT_COUPLING. What has no stiffness, damping or frequency is rigid. [N/m or N m/rad;
       default 0; from 0] */
    double stiffness;
    /* Damping of the same. [N s/m or N m s/rad; default 0; from 0] */
    double damping;
    /* Frequency of the inertia that each row meets, instead of stiffness. [Hz; default 0; from 0] */
    double frequency;
    /* Damping ratio that goes with the frequency. 1 is critical. [default 1; from 0] */
    double damping_ratio;
    /* How stiffness and damping enter, as those of a drive do. SN_FORM_STABLE is spd-2011 eq. 13, where a
       damping of 0 means 1.5 stiffness dt; SN_FORM_EXPLICIT is the penalty method. [default SN_FORM_FULL] */
    sn_form form;
    /* Whether it is solved as rows in any case. Pins, distances, curves and surfaces of the world that
       have a stiffness and no max_force are otherwise terms inside MABA, at constant cost each. [default
       false] */
    bool rows;
    /* Whether the two members, or the two bodies of one member, that the constraint joins can touch each
       other. They always can once it is broken. [default false] */
    bool collide;
    /* The curve of SN_CONSTRAINT_CURVE; copied. [default NULL] */
    const sn_curve_def *curve;
    /* The surface of SN_CONSTRAINT_SURFACE; copied. [default NULL] */
    const sn_surface_def *surface;
    /* Polynomial of SN_CONSTRAINT_COUPLING and SN_CONSTRAINT_COUPLING_LIMIT. The default means equal
       angles. [default 0 1 0 0 0] */
    double ratio[5];
    /* Largest force of each row; of an impulse, the largest impulse. [N or N m; default infinity; above 0
       to infinity] */
    double max_force;
    /* The constraint breaks, in one copy, after a step in which its force was larger than this. Impulses
       do not break. [N; default infinity; above 0 to infinity] */
    double break_force;
    /* The constraint breaks after a step in which its torque was larger than this. [N m; default
       infinity; above 0 to infinity] */
    double break_torque;
} sn_constraint_def;

static inline sn_curve_def sn_curve_def_default(void) {
    SN_RETURN_DEFAULT(sn_curve_def);
}

static inline sn_surface_def sn_surface_def_default(sn_surface_type type) {
    SN_RETURN_DEFAULT_WITH(sn_surface_def, def.type = type);
}

static inline sn_constraint_def sn_constraint_def_default(sn_constraint_type type) {
    SN_RETURN_DEFAULT_WITH(sn_constraint_def, def.type = type);
}

SN_API sn_constraint sn_world_add_constraint(sn_world *world, const sn_constraint_def *definition,
                                             sn_error *error);
SN_API sn_status sn_world_remove_constraint(sn_world *world, sn_constraint constraint);
/* Sets target and velocity, as in the definition, of one copy or of all (copy -1). NULL leaves that half
   unchanged. A new target lets an impulse act again. */
SN_API sn_status sn_world_set_constraint(sn_world *world, sn_constraint constraint, int copy,
                                         const double *target, const double *velocity);

/* How a constraint is doing in one copy. */
typedef struct sn_constraint_state {
    /* Whether it is broken. It then does nothing until sn_world_mend_constraint. */
    bool broken;
    /* How far it is from what it holds, as the copy is now: distance of the points (m) and angle of the turn
       (rad). Both are 0 for paths, springs, accelerations, impulses and motors. */
    double distance, angle;
    /* Number of rows in the last step. 0: it did not act. */
    int rows;
    /* Force of each row in the last step, or its impulse. */
    double force[6];
} sn_constraint_state;

SN_API sn_status sn_world_get_constraint(const sn_world *world, sn_constraint constraint, int copy,
                                         sn_constraint_state *state);
/* Mends a broken constraint, in one copy or in all (copy -1). */
SN_API sn_status sn_world_mend_constraint(sn_world *world, sn_constraint constraint, int copy);

/* Adds a constraint that every member of the model brings along: a pin, weld, coupling or coupling limit
   (body2 NULL: the world). A pin or weld to the world is at the place that the definition says, in every
   copy. Members and bodies of the definition do not count. sn_builder_build reports a mistake. */
SN_API void sn_builder_add_constraint(sn_builder *builder, const char *body, const char *body2,
                                      const sn_constraint_def *definition);
/* The handle of a constraint that came with a member; 0 if there is none, or if it was removed. */
SN_API sn_constraint sn_world_model_constraint(const sn_world *world, sn_member member, int index);

#ifdef __cplusplus
}
#endif

#endif
