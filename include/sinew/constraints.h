/* Sinew: constraints of your own between members and the world. Section 5 of sinew.h, which includes this file. */
#ifndef SINEW_CONSTRAINTS_H
#define SINEW_CONSTRAINTS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- 5. Constraints */

/* Rows of your own, in every copy, added and removed between steps. A handle stays valid until its constraint is
   removed and is never used again. */
typedef uint64_t sn_constraint; /* 0: none */

/* A path is followed as kokkevis-2004 eq. 22 has it: with e the deviation from the target,

       e'' + Kd e' + Kp e = 0,

   solved exactly over each step: a deviation dies away as that oscillator does, whatever dt is, and a target that moves on
   by its target_velocity is followed without lag. The target is what shall be reached at the END of the coming step, the
   velocity is the one it has there; set both before every step of a target that moves. A velocity that jumps is followed
   at once, a target that jumps is not.

   An acceleration is given as it is, without any feedback: positions drift as they would under it. An impulse takes a
   velocity to v+ in the coming step, at whose end it is v+, and is then spent: the constraint stays, without effect, until
   its target is set again. Both are in `target`, and have no target_velocity. */
typedef enum sn_constraint_type {
    SN_CONSTRAINT_PIN, /* a point of a body stays on a point of another body, or of the world: 3 rows */
    SN_CONSTRAINT_POINT_PATH, /* a point of a body follows target and target_velocity: 3 rows */
    SN_CONSTRAINT_JOINT_PATH, /* the joint of a body follows target (as in q) and target_velocity (as in qd);
                                  kokkevis-2004 section 8.3: one row per degree of freedom */
    SN_CONSTRAINT_SPRING,     /* a point of a body is drawn to target by an implicit spring: the mouse */
    SN_CONSTRAINT_DIRECTION_PATH, /* direction . (point - point2) follows target[0] and target_velocity[0], the other two
                                  directions are free: 1 row */
    SN_CONSTRAINT_ORIENTATION_PATH, /* a body's orientation follows target (a quaternion, body to world) and target_velocity
                                  (angular velocity, world axes): 3 rows */
    SN_CONSTRAINT_WELD, /* a pin that also keeps the orientation of one body in the other's frame, or the
                                  world's, at target (a quaternion; all 0: as it is in each copy now): 6 rows */
    SN_CONSTRAINT_POINT_ACCELERATION, /* a point of a body has the acceleration target[3]: 3 rows */
    SN_CONSTRAINT_DIRECTION_ACCELERATION, /* direction . (point - point2) has the second derivative target[0]: 1 row */
    SN_CONSTRAINT_JOINT_ACCELERATION, /* the joint of a body has the acceleration target (as in qd): one row per degree of freedom */
    SN_CONSTRAINT_POINT_IMPULSE,     /* a point of a body gets the velocity target[3]: 3 rows */
    SN_CONSTRAINT_DIRECTION_IMPULSE, /* direction . (point - point2) gets the rate of change target[0]: 1 row */
    SN_CONSTRAINT_JOINT_IMPULSE, /* the joint of a body gets the velocity target (as in qd): one row per degree of freedom */
    SN_CONSTRAINT_COUPLING, /* of joints with one degree of freedom, q1 of body and q2 of body2 (member2 -1: 0), the difference
                                  s = q1 - (ratio[0] + ratio[1] q2 + ... + ratio[4] q2^4)
                                  is held at target[0]; or, where stiffness or damping is given, drawn to target[0] and
                                  target_velocity[0] by an implicit spring: 1 row */
    SN_CONSTRAINT_COUPLING_LIMIT, /* the s of a coupling stays between target[0] and target[1]: 1 row */
    SN_CONSTRAINT_JOINT_FRICTION, /* the joint of a body resists its motion, with max_force at most: one row per degree of freedom */
    /* These hold something where it is, as SN_CONSTRAINT_PIN and SN_CONSTRAINT_WELD do: rigidly, or softly by stiffness or frequency. The
       orientation that they keep is in target as for SN_CONSTRAINT_WELD: all 0, as it is in each copy now. */
    SN_CONSTRAINT_HINGE, /* a pin that leaves one turn free, about direction: 5 rows */
    SN_CONSTRAINT_SLIDER, /* keeps the orientation, and the point on the line through point2 along direction: 5 rows */
    SN_CONSTRAINT_ORIENTATION, /* keeps the orientation of one body in the other's frame, or the world's: 3 rows */
    SN_CONSTRAINT_DISTANCE, /* point and point2 stay target[0] apart: 1 row */
    SN_CONSTRAINT_ROPE,  /* point and point2 come no further apart than target[0]: 1 row, which only pulls */
    SN_CONSTRAINT_CURVE, /* the point stays on a curve, and slides along it: 2 rows */
    SN_CONSTRAINT_SURFACE, /* the point stays on a surface, and slides over it: 1 row */
    /* These drive something at target_velocity[0] with at most max_force. */
    SN_CONSTRAINT_MOTOR,        /* the turn of a body against the other about direction: 1 row */
    SN_CONSTRAINT_LINEAR_MOTOR, /* the point against the other body along direction: 1 row */
    SN_CONSTRAINT_TYPE_COUNT
} sn_constraint_type;

/* A curve, in the frame of body2 or of the world, with its origin at point2: points joined by straight lines, or a smooth
   curve through them. Where it is open its first and last parts go on straight. Zero it, then set what differs. */
typedef struct sn_curve_def {
    int npoint;           /* 2 to 1,000,000 */
    const double *points; /* [npoint][3]; copied */
    bool closed;          /* the last point is joined to the first; default false */
    bool smooth; /* cubic pieces with tangents[], or with those of the chords beside each point; default false */
    const double *tangents; /* [npoint][3] derivative by the number of the point; NULL: from the points */
    /* Instead of points: a function, which is asked npoint times as the constraint is added, at s = start ... end, for its
       place and its derivative by s, and then met by cubic pieces: four times the points leave 1/256 of the error. */
    void (*sample)(void *user, double s, double place[3], double derivative[3]);
    void *user;
    double start, end;
} sn_curve_def;

typedef enum sn_surface_type {
    SN_SURFACE_PLANE,    /* through point2, across direction */
    SN_SURFACE_SPHERE,   /* around point2 */
    SN_SURFACE_CYLINDER, /* around the line through point2 along direction */
    SN_SURFACE_HEIGHTS,  /* z over x and y, from point2: smooth through a grid of heights */
    SN_SURFACE_TYPE_COUNT
} sn_surface_type;

/* A surface, in the frame of body2 or of the world. Zero it, then set what differs. */
typedef struct sn_surface_def {
    sn_surface_type type;
    double radius;        /* sphere, cylinder */
    int nx, ny;           /* heights: 2 to 4096 each way; */
    double size[2];       /* extent along x and y, from point2; beyond it the heights of the edge go on */
    const double *height; /* [ny][nx]; copied */
    /* Instead of them: a function, which is asked nx * ny times as the constraint is added. */
    double (*sample)(void *user, double x, double y);
    void *user;
} sn_surface_def;

typedef struct sn_constraint_def {
    /* Set by sn_constraint_def_default. */
    uint32_t struct_size;
    /* What the constraint does. [default SN_CONSTRAINT_PIN] */
    sn_constraint_type type;
    /* Member at the first end. [default 0] */
    int member;
    /* Body of that member. [default 0] */
    int body;
    /* Point of that body, in its frame. [m; default 0 0 0] */
    double point[3];
    /* Member at the other end, for constraints that have one. -1: the world. [default -1] */
    int member2;
    /* Body of that member. [default 0] */
    int body2;
    /* Point of that body in its frame, or of the world. [m; default 0 0 0] */
    double point2[3];
    /* Direction fixed in that body or in the world, for SN_CONSTRAINT_DIRECTION_*, hinges, sliders, motors and surfaces. Any length but 0.
       [default 0 0 1] */
    double direction[3];
    /* What is to be reached; see sn_constraint_type. Points have three values, joints as many as in q.
       [default 0 0 0 0 0 0 0] */
    double target[7];
    /* Velocity of the target, as in qd. [default 0 0 0 0 0 0] */
    double target_velocity[6];
    /* Paths: the t of Kp = 1/t^2, Kd = sqrt(2)/t. After 2.65 t a tenth of the way is left. [s; default 0.1; above 0] */
    double settle;
    /* Paths: Kp. 0: from `settle`. [1/s^2; default 0; from 0] */
    double kp;
    /* Paths: Kd. 0: from `settle`. [1/s; default 0; from 0] */
    double kd;
    /* Stiffness of what holds (pin, weld, hinge, ... surface), of SN_CONSTRAINT_SPRING and of SN_CONSTRAINT_COUPLING. What has no stiffness, damping
       or frequency is rigid. [N/m or N m/rad; default 0; from 0] */
    double stiffness;
    /* Damping of the same. [N s/m or N m s/rad; default 0; from 0] */
    double damping;
    /* Frequency of the inertia that each row meets, instead of stiffness. [Hz; default 0; from 0] */
    double frequency;
    /* Damping ratio that goes with the frequency. 1 is critical. [default 1; from 0] */
    double damping_ratio;
    /* How stiffness and damping enter, as those of a drive do. SN_FORM_STABLE is spd-2011 eq. 13, where a damping of 0 means 1.5
       stiffness dt; SN_FORM_EXPLICIT is the penalty method. [default SN_FORM_FULL] */
    sn_form form;
    /* Whether it is solved as rows in any case. Pins, distances, curves and surfaces of the world that have a stiffness and no
       max_force are otherwise terms inside MABA, at constant cost each. [default false] */
    bool rows;
    /* Whether the two members, or the two bodies of one member, that the constraint joins can touch each other. They always can
       once it is broken. [default false] */
    bool collide;
    /* The curve of SN_CONSTRAINT_CURVE; copied. [default NULL] */
    const sn_curve_def *curve;
    /* The surface of SN_CONSTRAINT_SURFACE; copied. [default NULL] */
    const sn_surface_def *surface;
    /* Polynomial of SN_CONSTRAINT_COUPLING and SN_CONSTRAINT_COUPLING_LIMIT. The default means equal angles. [default 0 1 0 0 0] */
    double ratio[5];
    /* Largest force of each row; of an impulse, the largest impulse. [N or N m; default infinity; above 0 to infinity] */
    double max_force;
    /* The constraint breaks, in one copy, after a step in which its force was larger than this. Impulses do not break.
       [N; default infinity; above 0 to infinity] */
    double break_force;
    /* The constraint breaks after a step in which its torque was larger than this. [N m; default infinity; above 0 to infinity] */
    double break_torque;
} sn_constraint_def;

static inline sn_constraint_def sn_constraint_def_default(sn_constraint_type type) {
    sn_constraint_def def;
    sn_def_default("sn_constraint_def", &def, sizeof def, 0);
    def.type = type;
    return def;
}

SN_API sn_constraint sn_world_add_constraint(sn_world *world, const sn_constraint_def *definition,
                                             sn_error *error);
SN_API sn_status sn_world_remove_constraint(sn_world *world, sn_constraint constraint);
/* target and velocity as in the definition, of one copy or of all (copy -1); NULL: left alone. The target of an impulse
   lets it act again. */
SN_API sn_status sn_world_set_constraint(sn_world *world, sn_constraint constraint, int copy,
                                         const double *target, const double *velocity);
/* Whether it is broken in a copy: it then does nothing there until it is mended, in one copy or in all (copy -1). */
SN_API bool sn_world_constraint_broken(const sn_world *world, sn_constraint constraint, int copy);
SN_API sn_status sn_world_mend_constraint(sn_world *world, sn_constraint constraint, int copy);
/* How far it is from what it holds, in a copy as it is now: m of the points, and rad of the turn (either may be NULL).
   Paths, springs, accelerations, impulses and motors hold nothing: 0. */
SN_API sn_status sn_world_constraint_error(const sn_world *world, sn_constraint constraint, int copy,
                                           double *distance, double *angle);
/* Force of each row in the last step, up to 6, or the impulse; returns how many rows (0: it did not act), -1: no such
   constraint. */
SN_API int sn_world_constraint_force(const sn_world *world, sn_constraint constraint, int copy,
                                     double *force);
/* Constraints that come with a model, and with every member of it: pins, welds, couplings and their limits (body2 NULL: the
   world). A pin or weld to the world is in the place the definition says, in every copy. What def says of members and
   bodies does not count. A mistake is kept and told by sn_builder_build. */
SN_API void sn_builder_add_constraint(sn_builder *builder, const char *body, const char *body2,
                                      const sn_constraint_def *definition);
SN_API int sn_model_nconstraint(const sn_model *model);
/* Its bodies as indices; member is 0, member2 0 or -1. NULL when out of range. */
SN_API const sn_constraint_def *sn_model_constraint(const sn_model *model, int index);
/* The handle of a constraint that came with a member; 0: there is no such, or it was removed. */
SN_API sn_constraint sn_world_model_constraint(const sn_world *world, int member, int index);

#ifdef __cplusplus
}
#endif

#endif
