/* Sinew: building a model. sinew.h includes this file.
 *
 *     sn_builder *builder = sn_builder_create();
 *     sn_body_def body = sn_body_def_default();
 *     body.name = "ball", body.joint = sn_joint_def_default(SN_JOINT_FREE);
 *     sn_builder_add_body(builder, &body);
 *     sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
 *     shape.size[0] = 0.1;
 *     sn_builder_add_shape(builder, "ball", &shape);
 *     sn_model *model = sn_builder_build(builder, &error);
 *     sn_builder_free(builder);
 *
 * A model never changes. Any number of worlds and threads can share it. */
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collects bodies and shapes. */
typedef struct sn_builder sn_builder;
/* A convex hull, see hulls.h. */
typedef struct sn_hull sn_hull;

enum {
    /* Most bodies of one model. */
    SN_MAX_BODIES = 4096,
    /* Most bytes of a name. */
    SN_MAX_NAME = 63,
    /* Most shapes of one model. */
    SN_MAX_SHAPES = 64 * 1024,
};

/* How a body moves against its parent. sinew.h says what each joint has in q and qd. */
typedef enum sn_joint_type {
    SN_JOINT_WELD,
    SN_JOINT_HINGE,
    SN_JOINT_SLIDE,
    SN_JOINT_UNIVERSAL,
    SN_JOINT_BALL,
    /* Moves in any way. Only on bodies whose parent is the world. */
    SN_JOINT_FREE,
    /* Slides along axis2 and along axis x axis2, then turns about axis. */
    SN_JOINT_PLANAR,
    /* Slides along axis, then turns about it. */
    SN_JOINT_CYLINDRICAL,
    /* Turns about axis and slides along it, by pitch for each radian. */
    SN_JOINT_SCREW,
    SN_JOINT_TYPE_COUNT
} sn_joint_type;

typedef enum sn_shape_type {
    /* size[0] is the radius. */
    SN_SHAPE_SPHERE,
    /* size[0] is the radius, size[1] half the length of the cylindrical part, along local z. */
    SN_SHAPE_CAPSULE,
    /* size[0..2] are half the edges. */
    SN_SHAPE_BOX,
    /* size[0] is the radius, size[1] half the length, along local z. */
    SN_SHAPE_CYLINDER,
    /* size[0..2] are the semi-axes. */
    SN_SHAPE_ELLIPSOID,
    /* The convex hull `hull`. size is not used. */
    SN_SHAPE_HULL,
    /* size[0] is the radius of the base, size[1] half the height, along local z. The tip is up. */
    SN_SHAPE_CONE,
    SN_SHAPE_TYPE_COUNT
} sn_shape_type;

/* The joint that ties a body to its parent. */
typedef struct sn_joint_def {
    /* Set by sn_joint_def_default. */
    uint32_t struct_size;
    /* How the body moves against its parent. [default SN_JOINT_WELD] */
    sn_joint_type type;
    /* Position of the joint in the frame of the body. [m; default 0 0 0] */
    double anchor[3];
    /* Axis of a hinge, slide, cylindrical or screw joint, first axis of a universal joint, twist axis of a
       ball, normal of a planar joint. Any length but 0. [default 0 0 1] */
    double axis[3];
    /* Second axis of a universal joint, fixed in the body; of a planar joint the first direction in which it
       slides. Any length but 0. [default 1 0 0] */
    double axis2[3];
    /* How far a screw joint slides for each radian. [m/rad; default 0] */
    double pitch;
    /* Whether `lower` and `upper` apply. [default false] */
    bool limited;
    /* Lower limits, one for each axis in the order of q; ball: [0] is the twist. [rad or m; default 0 0 0] */
    double lower[3];
    /* Upper limits, in the same order; ball: [0] is the twist, [1] the swing, which is half the angle of the
       cone. [rad or m; default 0 0 0] */
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
    /* Proportional gain that comes with the model, see sn_model_get. [N m/rad or N/m; default 0; from 0] */
    double kp;
    /* Derivative gain that comes with the model. [N m s/rad or N s/m; default 0; from 0] */
    double kd;
    /* Whether `home` applies. [default false] */
    bool home_given;
    /* Where the joint starts, as in q, see sn_model_home_pose. [default 0 0 0 0 0 0 0] */
    double home[7];
    /* Largest torque or force of the drive on each axis. For a ball, and for each half of a free joint, this
       limits the length of the vector unless its axes have different gains. [N m or N; default infinity; 0
       to infinity] */
    double torque_limit;
    /* Name of the joint, as MJCF and URDF files have it, of which SN_MAX_NAME bytes are kept. NULL or "":
       it has none. [default NULL] */
    const char *name;
} sn_joint_def;

/* A body and its frame. Bodies may be added in any order. */
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
    /* Inertia about the centre of mass, in the axes of the body: xx yy zz xy xz yz. [kg m^2; default 0 0 0 0
       0 0] */
    double inertia[6];
    /* Part of the weight that something else carries, water for example. 1 floats, more rises. [default 0] */
    double lift;
} sn_body_def;

/* A shape on a body, or on the world. */
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
    /* 0: does not bounce, 1: loses no speed. Between two shapes the larger one applies. [default 0; 0 to
       1] */
    double restitution;
    /* Category bits. [default 1] */
    uint32_t group;
    /* Categories it collides with. Two shapes touch if either has a category bit in the mask of the other. A
       shape whose group and mask are 0 never touches anything. [default 0xffffffff] */
    uint32_t mask;
    /* Form of an SN_SHAPE_HULL, from sn_hull_create. [default NULL] */
    const sn_hull *hull;
    /* Velocity of the surface along itself, as of a conveyor belt. In world axes for ground, in the axes
       of its body for a shape of a member. The part across the surface has no effect. [m/s; default 0 0
       0] */
    double surface_velocity[3];
    /* Whether it is a trigger: it touches nothing, has no mass, and reports which shapes are inside it. See
       sn_world_triggers. [default false] */
    bool trigger;
} sn_shape_def;

static inline sn_joint_def sn_joint_def_default(sn_joint_type type) {
    SN_RETURN_DEFAULT_WITH(sn_joint_def, def.type = type);
}

static inline sn_body_def sn_body_def_default(void) {
    sn_body_def def;
    sn_def_default("sn_body_def", &def, sizeof def, sizeof def.joint);
    return def;
}

static inline sn_shape_def sn_shape_def_default(sn_shape_type type) {
    SN_RETURN_DEFAULT_WITH(sn_shape_def, def.type = type);
}

/* Makes an empty builder. Returns NULL when memory runs out. */
SN_API sn_builder *sn_builder_create(void);
SN_API void sn_builder_free(sn_builder *builder);
/* Adds a copy of a body. The builder remembers the first mistake, and sn_builder_build reports it. */
SN_API void sn_builder_add_body(sn_builder *builder, const sn_body_def *body);
/* Adds a copy of a shape to the body with that name. */
SN_API void sn_builder_add_shape(sn_builder *builder, const char *body, const sn_shape_def *shape);
/* Keeps the shapes of two bodies from touching each other. Parent and child never touch anyway. */
SN_API void sn_builder_exclude(sn_builder *builder, const char *body1, const char *body2);
/* Checks everything and returns the model, or NULL and a message that names the body at fault. The builder
   can still be used and must still be freed. */
SN_API sn_model *sn_builder_build(const sn_builder *builder, sn_error *error);

/* ----------------------------------------------------------------------------------------- A finished
   model */

/* Makes a model that comes with the library: "humanoid" (34 degrees of freedom), "dog" (72), "snake36",
   "snake72", "snake195" or "mouse" (a toy with a long tail, 54). */
SN_API sn_model *sn_builtin_create(const char *name, sn_error *error);
/* Names of the built-in models, from index 0 on; NULL after the last one. */
SN_API const char *sn_builtin_name(int index);
/* Frees a model. NULL is allowed. */
SN_API void sn_model_free(sn_model *model);

/* What a model has. Everything belongs to the model. */
typedef struct sn_model_info {
    /* Numbers of bodies, position values, velocity values (degrees of freedom), shapes and constraints. */
    int nbody, nq, nv, nshape, nconstraint;
    /* The largest number of degrees of freedom from the root to a leaf. */
    int depth;
    /* Mass of all bodies together, kg. */
    double mass;
    /* [nv] Gains of the joint definitions. */
    const double *kp, *kd;
    /* [nshape] Grouped by body. */
    const sn_shape_def *shape;
    /* [nconstraint] Constraints that every member of the model brings along, see
       sn_builder_add_constraint. Their bodies are indices; member is 0, member2 is 0 or -1. */
    const struct sn_constraint_def *constraint;
} sn_model_info;

SN_API const sn_model_info *sn_model_get(const sn_model *model);

/* A body of a finished model. Bodies are in depth-first order: parents come before their children. */
typedef struct sn_body_info {
    const char *name;
    /* Index of the parent; -1 for the world. */
    int parent;
    /* Where the values of its joint begin in q, and how many there are. */
    int q_index, nq;
    /* Where they begin in qd, and how many there are. */
    int v_index, nv;
    /* Frame in the parent's frame at q = 0. rot has unit length. */
    double pos[3], rot[4];
    /* Its joint, with axes of unit length. Its name is "" if it has none. */
    sn_joint_def joint;
    /* Mass (kg), centre of mass (m), inertia as in sn_body_def, part of the weight that something else
       carries. */
    double mass, com[3], inertia[6], lift;
    /* Its shapes, among those of the model. */
    int first_shape, nshape;
} sn_body_info;

/* NULL if there is no such body. */
SN_API const sn_body_info *sn_model_body(const sn_model *model, int index);
/* The index of the body that has this name; if none has, of the body whose joint has it (see `name` of
   sn_joint_def). -1 if there is neither. */
SN_API int sn_model_find_body(const sn_model *model, const char *name);
/* Fills q [nq] with the zero pose. A free joint is at the body's pos and rot. */
SN_API void sn_model_zero_pose(const sn_model *model, double *q);
/* Fills q [nq] with the zero pose, and with `home` of the joints that have one. */
SN_API void sn_model_home_pose(const sn_model *model, double *q);

/* The poses result [n][nq] reached from q [n][nq] with the constant velocities dv [n][nv] in unit time. A
   pose between two others, part t of the way, is q0 + t (q1 - q0) with this sum and the difference below. */
SN_API void sn_model_pose_add(const sn_model *model, int n, const double *q, const double *dv,
                              double *result);
/* The velocities dv [n][nv] that lead from q0 to q1 [n][nq] in unit time. */
SN_API void sn_model_pose_subtract(const sn_model *model, int n, const double *q1, const double *q0,
                                   double *dv);

#ifdef __cplusplus
}
#endif

#endif
