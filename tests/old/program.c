/* A program that was compiled against an older header and runs with the library of today. sinew_0_3.h is that header, and the
 * only one of the project that it includes. A box hangs from a rod and another one falls on the floor, with definitions that
 * lack what was added since. What the library fills must still fit into the structures of the old header. */
#include "sinew_0_3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The layout of the old header on 64-bit machines. A change here means that it was edited, which it must not be. */
_Static_assert(sizeof(void *) != 8 || sizeof(sn_joint_def) == 296,
               "sn_joint_def of the old header has 296 bytes");
_Static_assert(sizeof(void *) != 8 || sizeof(sn_shape_def) == 136,
               "sn_shape_def of the old header has 136 bytes");
_Static_assert(sizeof(void *) != 8 || sizeof(sn_world_def) == 224,
               "sn_world_def of the old header has 224 bytes");

static int failures;

static void expect(bool holds, const char *what) {
    if (!holds) failures += fprintf(stderr, "old program: %s\n", what) > 0;
}

static sn_joint_def make_joint(sn_joint_type type) {
    sn_joint_def def;
    sn_def_default("sn_joint_def", &def, sizeof def, 0);
    def.type = type;
    return def;
}

/* One box of 2 kg, 0.2 m wide, on a joint. */
static sn_model *make_box(sn_joint_type type, double stiffness) {
    sn_error error;
    sn_body_def body;
    sn_shape_def shape;
    sn_def_default("sn_body_def", &body, sizeof body, sizeof body.joint);
    sn_def_default("sn_shape_def", &shape, sizeof shape, 0);
    expect(body.struct_size == sizeof body && shape.struct_size == sizeof shape,
           "definitions have the sizes of the old header");
    expect(body.rot[0] == 1 && shape.mask == 0xffffffff && shape.density == 1000,
           "members have their defaults");
    body.name = "box", body.joint = make_joint(type), body.joint.stiffness = stiffness, body.lift = 0;
    shape.type = SN_SHAPE_BOX, shape.mass = 2, shape.friction = 0.5;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.1;
    sn_builder *builder = sn_builder_create();
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "box", &shape);
    sn_model *model = sn_builder_build(builder, &error);
    expect(model != NULL, model ? "" : error.message);
    sn_builder_free(builder);
    return model;
}

/* What the library fills, with something behind it that must stay. */
static void look(const sn_world *world) {
    struct {
        sn_world_stats stats;
        unsigned char behind[64];
    } s;
    memset(&s, 0x5a, sizeof s);
    sn_world_get_stats(world, &s.stats);
    for (size_t i = 0; i < sizeof s.behind; i++)
        expect(s.behind[i] == 0x5a, "sn_world_stats has grown");
    expect(s.stats.contacts > 0 && s.stats.diverged == 0, "the statistics are in their places");
    const sn_world_info info = sn_world_get_info(world);
    expect(info.copies == 1 && info.members == 2 && info.grounds == 1 && info.dt == 0.005 &&
               fabs(info.time - 2) < 1e-9,
           "the info is in its places");
}

static void refuse(void) {
    struct {
        sn_world_def def;
        char more[64];
    } newer;
    sn_error error = {0};
    memset(&newer, 0, sizeof newer);
    sn_def_default("sn_world_def", &newer.def, sizeof newer.def, 0);
    newer.def.struct_size = 100000;
    expect(!sn_world_create(&newer.def, &error) && error.status == SN_ERROR_ARGUMENT,
           "a size of no header is refused");
    sn_def_default("sn_world_def", &newer.def, sizeof newer.def, 0);
    newer.def.recovery = -1; /* a member near the end of the old structure */
    expect(!sn_world_create(&newer.def, &error) && strstr(error.message, "recovery"),
           "members are checked in their places");
}

int main(void) {
    sn_error error = {0};
    sn_model *box = make_box(SN_JOINT_FREE, 0), *spring = make_box(SN_JOINT_SLIDE, 2 * 9.81 / 0.1);
    sn_world_def def;
    sn_def_default("sn_world_def", &def, sizeof def, 0);
    expect(def.dt == 1.0 / 240 && def.study == NULL && def.gravity[2] == -9.81, "the world has its defaults");
    def.dt = 0.005, def.setting = SN_SETTING_EXACT, def.contact = SN_CONTACT_ROWS, def.shortest = 1.0 / 512;
    sn_world *world = sn_world_create(&def, &error);
    if (!world || !box || !spring) return fprintf(stderr, "old program: %s\n", error.message), 1;
    const int floor = sn_world_add_floor(world);
    const sn_member falling = sn_world_add(world, box, &error), hanging = sn_world_add(world, spring, &error);
    expect(floor == 0 && falling >= 0 && hanging >= 0, error.message);
    sn_world_set_state(world, falling, (double[]){3, 0, 0.3, 1, 0, 0, 0}, NULL);
    sn_world_set_state(world, hanging, (double[]){1}, NULL);

    /* It hangs from the world by a rod of 0.5 m, at rest. */
    sn_constraint_def rod;
    sn_def_default("sn_constraint_def", &rod, sizeof rod, 0);
    rod.type = SN_CONSTRAINT_DISTANCE, rod.member = hanging, rod.point2[2] = 1.5, rod.target[0] = 0.5;
    expect(sn_world_add_constraint(world, &rod, &error) != 0, error.message);
    for (int i = 0; i < 400; i++)
        expect(sn_world_step(world) == SN_OK, "a step");

    double q[7], slide;
    sn_world_get_state(world, falling, q, NULL);
    sn_world_get_state(world, hanging, &slide, NULL);
    expect(fabs(q[2] - 0.1) < 1e-3 && fabs(q[0] - 3) < 1e-3, "the box lies on the floor");
    expect(fabs(slide - 1) < 1e-6, "the rod holds");
    look(world);
    refuse();
    sn_world_free(world);
    sn_model_free(box), sn_model_free(spring);
    if (!failures) puts("a program of the older header runs");
    return failures != 0;
}
