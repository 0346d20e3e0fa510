#include "papers.h"

#include "shapes.h"

sn_world_def paper_world_def(void) {
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_ROWS;
    def.products = SN_PRODUCTS_EXPLICIT;
    def.setting = SN_SETTING_EXACT;
    return def;
}

sn_world *impact_world(sn_stepper stepper, double dt, double gravity, const sn_shape_def *ground,
                       sn_error *error) {
    static const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_world_def def = paper_world_def();
    def.dt = dt;
    def.stepper = stepper;
    def.gravity[2] = -gravity;
    sn_world *world = sn_world_create(&def, error);
    if (!world || !ground || sn_world_add_plane(world, origin, up, ground, error) >= 0) return world;
    sn_world_free(world);
    return NULL;
}

static void add_link(sn_builder *builder, const char *name, const char *parent, double mass) {
    sn_body_def link = sn_body_def_default();
    link.name = name;
    link.parent = parent;
    link.pos[2] = parent ? -PENDULUM_LENGTH : 0.0;
    link.joint = sn_joint_def_default(SN_JOINT_HINGE);
    link.joint.axis[1] = 1.0;
    link.joint.axis[2] = 0.0;
    sn_builder_add_body(builder, &link);
    sn_shape_def bob = sn_shape_def_default(SN_SHAPE_SPHERE);
    bob.size[0] = PENDULUM_RADIUS;
    bob.pos[2] = -PENDULUM_LENGTH;
    bob.mass = mass;
    sn_builder_add_shape(builder, name, &bob);
}

sn_model *pendulum_build(double mass_1, double mass_2, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    add_link(builder, "upper", NULL, mass_1);
    add_link(builder, "lower", "upper", mass_2);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

sn_model *slider_model(double mass, sn_error *error) {
    sn_joint_def joint = sn_joint_def_default(SN_JOINT_SLIDE);
    joint.axis[0] = 1.0;
    joint.axis[2] = 0.0;
    const sn_shape_def sphere = sphere_of(0.1, mass);
    return one_body_model("mass", &joint, &sphere, error);
}

sn_model *build_pendulum(double lower, double upper, sn_error *error) {
    sn_joint_def joint = sn_joint_def_default(SN_JOINT_HINGE);
    joint.axis[1] = 1.0;
    joint.axis[2] = 0.0;
    joint.limited = lower < upper;
    joint.lower[0] = lower;
    joint.upper[0] = upper;
    sn_shape_def rod = capsule_of(0.02, 0.5, 1.0);
    rod.pos[2] = -0.5;
    return one_body_model("rod", &joint, &rod, error);
}

sn_model *top_model(sn_error *error) {
    const sn_joint_def joint = sn_joint_def_default(SN_JOINT_BALL);
    sn_shape_def disc = sn_shape_def_default(SN_SHAPE_CYLINDER);
    disc.size[0] = 0.1;
    disc.size[1] = 0.01;
    disc.pos[2] = 0.2;
    disc.mass = 1;
    return one_body_model("top", &joint, &disc, error);
}

sn_model *impact_ball(double friction, double restitution, sn_error *error) {
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    ball.size[0] = 0.1;
    ball.mass = 1;
    ball.friction = friction;
    ball.restitution = restitution;
    return scene_body_model(&ball, error);
}

sn_model *lighten_leaves(const sn_model *model, double scale, sn_error *error) {
    const int nbody = sn_model_get(model)->nbody;
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        bool leaf = true;
        for (int child = i + 1; child < nbody; child++)
            leaf &= sn_model_body(model, child)->parent != i;
        sn_body_def body = sn_body_def_default();
        body.name = info->name;
        body.parent = info->parent < 0 ? NULL : sn_model_body(model, info->parent)->name;
        body.joint = info->joint;
        body.mass_given = true;
        body.mass = (leaf ? scale : 1.0) * info->mass;
        for (int k = 0; k < 3; k++)
            body.pos[k] = info->pos[k], body.com[k] = info->com[k];
        for (int k = 0; k < 4; k++)
            body.rot[k] = info->rot[k];
        for (int k = 0; k < 6; k++)
            body.inertia[k] = (leaf ? scale : 1.0) * info->inertia[k];
        sn_builder_add_body(builder, &body);
        for (int k = 0; k < info->nshape; k++)
            sn_builder_add_shape(builder, info->name, (&sn_model_get(model)->shape[info->first_shape + k]));
    }
    sn_model *lighter = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return lighter;
}
