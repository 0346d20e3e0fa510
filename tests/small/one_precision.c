/* A world of one precision in a library that has lanes of that precision alone. Two boxes meet, which takes constraint
 * rows, and come to rest on each other. What the library was built without is refused.
 * Exits with 1 and a sentence if something is wrong. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

static sn_error error;

static sn_world *world_of(sn_precision precision, sn_stepper stepper) {
    sn_world_def def = sn_world_def_default();
    def.precision = precision, def.stepper = stepper;
    return sn_world_create(&def, &error);
}

static int fail(const char *what) {
    printf("%s: %s\n", what, error.message);
    return 1;
}

static sn_model *box_model(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    body.name = "box";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = shape.size[1] = shape.size[2] = 0.5;
    shape.mass = 10;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "box", &shape);
    sn_model *model = sn_builder_build(builder, &error);
    sn_builder_free(builder);
    return model;
}

int main(void) {
    const sn_precision there = sn_lanes_get(0)->precision;
    const sn_precision missing = there == SN_PRECISION_FLOAT ? SN_PRECISION_DOUBLE : SN_PRECISION_FLOAT;
    sn_world *world = world_of(there, SN_STEPPER_TIME);
    sn_model *box = box_model();
    if (!world || !box) return fail("no world or no box");
    sn_world_add_floor(world);
    sn_member member[2];
    for (int i = 0; i < 2; i++) {
        member[i] = sn_world_add(world, box, &error);
        const double q[7] = {0, 0, 0.5 + 1.0 * i, 1, 0, 0, 0};
        if (member[i] < 0 || sn_world_set_state(world, member[i], q, NULL))
            return fail("a box cannot be placed");
    }
    for (int i = 0; i < 480; i++)
        if (sn_world_step(world)) return fail("a step fails");
    double low[3], high[3];
    sn_world_body_pose(world, member[0], 0, low, NULL);
    sn_world_body_pose(world, member[1], 0, high, NULL);
    printf("boxes rest at %.3f and %.3f m\n", low[2], high[2]);
    if (!(fabs(high[2] - 3 * low[2]) < 0.01 * low[2])) return fail("the upper box is not on the lower one");
    if (world_of(missing, SN_STEPPER_TIME)) return fail("a world of a precision without lanes");
    if (!strstr(error.message, "precision")) return fail("an unclear message");
    if (world_of(there, SN_STEPPER_POSITION)) return fail("position-based steps that were not built");
    if (!strstr(error.message, "SINEW_POSITION")) return fail("an unclear message");
    sn_world_free(world);
    sn_model_free(box);
}
