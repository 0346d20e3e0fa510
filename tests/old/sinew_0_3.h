/* The public interface as an early program of version 0.3 saw it. It is frozen: do not bring it up to date. program.c is
 * compiled with it and linked with the library of today. Its definitions are shorter than those of today. Structures that
 * the library fills have no size of their own, so they must stay as large as they are here. */
#ifndef OLD_SINEW_H
#define OLD_SINEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sn_builder sn_builder;
typedef struct sn_hull sn_hull;
typedef struct sn_model sn_model;
typedef struct sn_world sn_world;
typedef struct sn_study sn_study;
typedef struct sn_curve_def sn_curve_def;
typedef struct sn_surface_def sn_surface_def;
typedef int32_t sn_member;
typedef uint64_t sn_constraint;

typedef enum sn_status { SN_OK = 0, SN_ERROR_ARGUMENT = 1 } sn_status;

typedef struct sn_error {
    sn_status status;
    char message[1020];
} sn_error;

typedef enum sn_joint_type {
    SN_JOINT_WELD,
    SN_JOINT_HINGE,
    SN_JOINT_SLIDE,
    SN_JOINT_UNIVERSAL,
    SN_JOINT_BALL,
    SN_JOINT_FREE,
    SN_JOINT_PLANAR,
    SN_JOINT_CYLINDRICAL,
    SN_JOINT_SCREW,
    SN_JOINT_TYPE_COUNT
} sn_joint_type;

typedef enum sn_shape_type {
    SN_SHAPE_SPHERE,
    SN_SHAPE_CAPSULE,
    SN_SHAPE_BOX,
    SN_SHAPE_CYLINDER,
    SN_SHAPE_ELLIPSOID,
    SN_SHAPE_HULL,
    SN_SHAPE_CONE,
    SN_SHAPE_TYPE_COUNT
} sn_shape_type;

typedef enum sn_form { SN_FORM_STABLE, SN_FORM_EXPLICIT, SN_FORM_IMPLICIT_D, SN_FORM_FULL } sn_form;

typedef enum sn_precision { SN_PRECISION_DOUBLE, SN_PRECISION_FLOAT } sn_precision;

typedef enum sn_contact_method { SN_CONTACT_IMPLICIT, SN_CONTACT_ROWS, SN_CONTACT_NONE } sn_contact_method;

typedef enum sn_stepper { SN_STEPPER_TIME, SN_STEPPER_EVENT, SN_STEPPER_POSITION } sn_stepper;

typedef enum sn_scheme { SN_SCHEME_PBAD2, SN_SCHEME_BDF2 } sn_scheme;

typedef enum sn_friction {
    SN_FRICTION_CONE,
    SN_FRICTION_PYRAMID,
    SN_FRICTION_ONE_WAY,
    SN_FRICTION_NONE
} sn_friction;

typedef enum sn_products { SN_PRODUCTS_MIDPOINT, SN_PRODUCTS_EXPLICIT } sn_products;

typedef enum sn_setting { SN_SETTING_GAME, SN_SETTING_EXACT, SN_SETTING_CROWD } sn_setting;

typedef enum sn_constraint_type {
    SN_CONSTRAINT_PIN,
    SN_CONSTRAINT_POINT_PATH,
    SN_CONSTRAINT_JOINT_PATH,
    SN_CONSTRAINT_SPRING,
    SN_CONSTRAINT_DIRECTION_PATH,
    SN_CONSTRAINT_ORIENTATION_PATH,
    SN_CONSTRAINT_WELD,
    SN_CONSTRAINT_POINT_ACCELERATION,
    SN_CONSTRAINT_DIRECTION_ACCELERATION,
    SN_CONSTRAINT_JOINT_ACCELERATION,
    SN_CONSTRAINT_POINT_IMPULSE,
    SN_CONSTRAINT_DIRECTION_IMPULSE,
    SN_CONSTRAINT_JOINT_IMPULSE,
    SN_CONSTRAINT_COUPLING,
    SN_CONSTRAINT_COUPLING_LIMIT,
    SN_CONSTRAINT_JOINT_FRICTION,
    SN_CONSTRAINT_HINGE,
    SN_CONSTRAINT_SLIDER,
    SN_CONSTRAINT_ORIENTATION,
    SN_CONSTRAINT_DISTANCE,
    SN_CONSTRAINT_ROPE,
    SN_CONSTRAINT_CURVE,
    SN_CONSTRAINT_SURFACE,
    SN_CONSTRAINT_MOTOR,
    SN_CONSTRAINT_LINEAR_MOTOR,
    SN_CONSTRAINT_TYPE_COUNT
} sn_constraint_type;

/* Without a name. */
typedef struct sn_joint_def {
    uint32_t struct_size;
    sn_joint_type type;
    double anchor[3];
    double axis[3];
    double axis2[3];
    double pitch;
    bool limited;
    double lower[3];
    double upper[3];
    double armature;
    double damping;
    double stiffness;
    double friction;
    double rest[4];
    double kp;
    double kd;
    bool home_given;
    double home[7];
    double torque_limit;
} sn_joint_def;

typedef struct sn_body_def {
    uint32_t struct_size;
    const char *name;
    const char *parent;
    double pos[3];
    double rot[4];
    sn_joint_def joint;
    bool mass_given;
    double mass;
    double com[3];
    double inertia[6];
    double lift;
} sn_body_def;

/* Without surface_velocity and trigger. */
typedef struct sn_shape_def {
    uint32_t struct_size;
    sn_shape_type type;
    double size[3];
    double pos[3];
    double rot[4];
    double density;
    double mass;
    double friction;
    double restitution;
    uint32_t group;
    uint32_t mask;
    const sn_hull *hull;
} sn_shape_def;

/* Without jobs, log and measure_time. */
typedef struct sn_world_def {
    uint32_t struct_size;
    sn_setting setting;
    int copies;
    int threads;
    int substeps;
    double dt;
    double gravity[3];
    sn_form form;
    sn_contact_method contact;
    bool joint_limits;
    bool torque_limits;
    bool self_contact;
    bool report_torque;
    bool report_contacts;
    double sleep;
    int max_contacts;
    sn_precision precision;
    const char *lanes;
    sn_stepper stepper;
    sn_scheme scheme;
    sn_friction friction;
    sn_products products;
    bool gains_by_axis;
    int iterations;
    double tolerance;
    double slop;
    double recovery;
    double recovery_speed;
    double limit_speed;
    double pin_speed;
    double margin;
    double bounce;
    double compliance;
    int sweeps;
    double sweep_tolerance;
    double shortest;
    const sn_study *study;
} sn_world_def;

typedef struct sn_constraint_def {
    uint32_t struct_size;
    sn_constraint_type type;
    sn_member member;
    int body;
    double point[3];
    sn_member member2;
    int body2;
    double point2[3];
    double direction[3];
    double target[7];
    double target_velocity[6];
    double settle;
    double kp;
    double kd;
    double stiffness;
    double damping;
    double frequency;
    double damping_ratio;
    sn_form form;
    bool rows;
    bool collide;
    const sn_curve_def *curve;
    const sn_surface_def *surface;
    double ratio[5];
    double max_force;
    double break_force;
    double break_torque;
} sn_constraint_def;

typedef struct sn_world_info {
    int copies;
    int members;
    int grounds;
    const char *lanes;
    double dt, time;
    const sn_world_def *definition;
} sn_world_info;

typedef struct sn_world_stats {
    int contacts;
    int rows;
    int rounds;
    int iterations;
    int fallbacks;
    double residual;
    double apart;
    int sweeps;
    int unsettled;
    double sweep_residual;
    int substeps;
    int impacts;
    int dropped;
    int asleep;
    int diverged;
    int bad_copy;
    sn_member bad_member;
    int bad_dof;
    sn_member stiff_member;
    int stiff_dof;
    double microseconds[6];
} sn_world_stats;

void sn_def_default(const char *name, void *definition, size_t size, size_t inner);
sn_builder *sn_builder_create(void);
void sn_builder_add_body(sn_builder *builder, const sn_body_def *body);
void sn_builder_add_shape(sn_builder *builder, const char *body, const sn_shape_def *shape);
sn_model *sn_builder_build(const sn_builder *builder, sn_error *error);
void sn_builder_free(sn_builder *builder);
void sn_model_free(sn_model *model);
sn_world *sn_world_create(const sn_world_def *definition, sn_error *error);
void sn_world_free(sn_world *world);
sn_member sn_world_add(sn_world *world, const sn_model *model, sn_error *error);
int sn_world_add_floor(sn_world *world);
sn_constraint sn_world_add_constraint(sn_world *world, const sn_constraint_def *definition, sn_error *error);
sn_status sn_world_set_state(sn_world *world, sn_member member, const double *q, const double *qd);
sn_status sn_world_get_state(const sn_world *world, sn_member member, double *q, double *qd);
sn_status sn_world_step(sn_world *world);
sn_world_info sn_world_get_info(const sn_world *world);
void sn_world_get_stats(const sn_world *world, sn_world_stats *stats);

#endif
