/* Where is the ground, what is in the way, who touches whom: a pose put on the ground, casts, and contacts that begin and
 * end. */
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>

enum { HUMAN, BALL }; /* members, in the order in which they are added */
enum { FLOOR, STEP }; /* ground, as above */
enum { NQ = 43, NV = 34, ALL = -1 };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

static sn_model *make_ball(sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = 0.1;
    shape.mass = 0.5;
    shape.restitution = 0.7; /* it bounces */
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* A floor, a step of 0.2 m at x >= 1, a humanoid and a ball. */
static int build(sn_world *world, const sn_model *human, const sn_model *ball, sn_error *error) {
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, middle[3] = {2, 0, 0.1}, upright[4] = {1, 0, 0, 0};
    sn_shape_def step = sn_shape_def_default(SN_SHAPE_BOX);
    step.size[0] = step.size[1] = 1; /* half extents */
    step.size[2] = 0.1;
    return sn_world_add_plane(world, origin, up, NULL, error) == FLOOR &&
           sn_world_add_shape(world, &step, middle, upright, error) == STEP &&
           sn_world_add(world, human, error) == HUMAN && sn_world_add(world, ball, error) == BALL;
}

/* The same pose twice: sn_world_stand finds the height that belongs to the place. */
static sn_status stand(sn_world *world, const sn_model *human) {
    double q[NQ], kp[NV], kd[NV];
    const double above[7] = {0, 1, 1, 1, 0, 0, 0};
    sn_status status = SN_OK;
    for (int x = 2; x >= 0 && status == SN_OK; x -= 2) {
        sn_model_zero_pose(human, q);
        q[0] = x;
        status = sn_world_stand(world, HUMAN, q);
        printf("At x = %d m the pelvis stands %.3f m high.\n", x, q[2]);
    }
    sn_gains_uniform(human, 0, 0, 1000, 100, kp, kd);
    if (!status) status = sn_world_set_gains(world, HUMAN, kp, kd);
    if (!status) status = sn_world_set_state(world, HUMAN, q, NULL);
    if (!status) status = sn_world_set_target(world, HUMAN, q, NULL);
    if (!status) status = sn_world_set_state(world, BALL, above, NULL);
    return status;
}

static const char *name_of(const sn_world *world, int member, int body) {
    if (member < 0) return body == STEP ? "the step" : "the floor";
    return sn_model_body(sn_world_model(world, member), body)->name;
}

/* A ray and a thick ray. The last argument but one says which groups of shapes count: here all. */
static void look(sn_world *world) {
    const double from[3] = {-2, 0, 1.2}, ahead[3] = {5, 0, 0}, high[3] = {2, 0, 3}, down[3] = {0, 0, -5};
    const double upright[4] = {1, 0, 0, 0};
    sn_hit hit;
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    ball.size[0] = 0.5;
    if (sn_world_cast_ray(world, 0, from, ahead, (uint32_t)ALL, &hit))
        printf("A ray ahead meets %s after %.2f m.\n", name_of(world, hit.member, hit.body), 5 * hit.t);
    if (sn_world_cast_shape(world, 0, &ball, high, upright, down, (uint32_t)ALL, &hit))
        printf("A ball of 0.5 m meets %s after it fell %.2f m.\n", name_of(world, hit.member, hit.body),
               5 * hit.t);
}

/* Contacts of the last step whose story changed. */
static void tell(const sn_world *world) {
    int count;
    const sn_contact *contact = sn_world_contacts(world, 0, &count);
    for (int i = 0; i < count; i++) {
        const sn_contact *c = &contact[i];
        const char *what = c->phase == SN_CONTACT_PHASE_BEGAN ? "touches" : "leaves";
        if (c->member[0] != BALL ||
            (c->phase != SN_CONTACT_PHASE_BEGAN && c->phase != SN_CONTACT_PHASE_ENDED))
            continue;
        printf("t = %.3f s: the ball %s %s, force %.1f N\n", sn_world_time(world), what,
               name_of(world, c->member[1], c->body[1]), c->force[2]);
    }
}

int main(void) {
    sn_error error;
    sn_model *human = sn_builtin_create("humanoid", &error), *ball = make_ball(&error);
    if (!human || !ball) return fail("models", error.message);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &error);
    if (!world || !build(world, human, ball, &error)) return fail("world", error.message);

    sn_status status = stand(world, human);
    if (status == SN_OK) look(world);
    for (int i = 0; i < 300 && status == SN_OK; i++) {
        status = sn_world_step(world);
        tell(world);
    }
    if (status != SN_OK) return fail("run", sn_status_text(status));
    sn_world_free(world);
    sn_model_free(ball);
    sn_model_free(human);
    return 0;
}
