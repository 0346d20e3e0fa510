/* Rollback, as in a game over a network: take a snapshot, go on, learn that the past was different, go back and play it
 * again. A restored world gives the same bits, also when members have come and gone since. */
#include <sinew/sinew.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NQ = 43, NV = 34 };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* A ball of 0.11 m and 4 kg: a model of one free body. */
static sn_model *make_ball(sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = 0.11;
    shape.mass = 4;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* A new member, thrown at the humanoid's chest. */
static sn_status throw_ball(sn_world *world, const sn_model *ball) {
    const double q[7] = {1.5, 0.05, 1.2, 1, 0, 0, 0}, qd[6] = {-8, 0, 1, 0, 0, 0};
    const int member = sn_world_add(world, ball, NULL);
    return member < 0 ? SN_ERROR_MEMORY : sn_world_set_state(world, member, q, qd);
}

/* Half a second. A ball is thrown in the given step; -1: none is. */
static sn_status play(sn_world *world, const sn_model *ball, int throw_at) {
    sn_status status = SN_OK;
    for (int i = 0; i < 120 && status == SN_OK; i++) {
        if (i == throw_at) status = throw_ball(world, ball);
        if (status == SN_OK) status = sn_world_step(world);
    }
    if (status == SN_OK)
        printf("  t = %.2f s: %d members, hash %016" PRIx64 "\n", sn_world_time(world),
               sn_world_get_info(world).members, sn_world_hash(world));
    return status;
}

static sn_status start(sn_world *world, const sn_model *human) {
    double q[NQ], kp[NV], kd[NV];
    sn_gains_uniform(human, 0, 0, 1000, 100, kp, kd);
    sn_model_zero_pose(human, q);
    sn_status status = sn_world_stand(world, 0, q);
    if (!status) status = sn_world_set_gains(world, 0, kp, kd);
    if (!status) status = sn_world_set_state(world, 0, q, NULL);
    if (!status) status = sn_world_set_target(world, 0, q, NULL);
    return status;
}

/* Plays the same half second three times; returns whether the first and the last agree. */
static sn_status run(sn_world *world, const sn_model *ball, void *block, size_t size, int *same) {
    sn_status status = sn_world_snapshot(world, block, size);
    puts("A ball is thrown in step 10.");
    if (!status) status = play(world, ball, 10);
    const uint64_t first = sn_world_hash(world);

    puts("Back, and no ball at all.");
    if (!status) status = sn_world_restore(world, block, size, NULL);
    if (!status) status = play(world, ball, -1);

    puts("Back again, and the ball once more.");
    if (!status) status = sn_world_restore(world, block, size, NULL);
    if (!status) status = play(world, ball, 10);
    *same = sn_world_hash(world) == first;
    return status;
}

int main(void) {
    sn_error error;
    sn_model *human = sn_builtin_create("humanoid", &error), *ball = make_ball(&error);
    if (!human || !ball) return fail("models", error.message);

    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &error);
    if (!world) return fail("world", error.message);
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    if (sn_world_add(world, human, &error) < 0) return fail("humanoid", error.message);
    if (sn_world_add_plane(world, origin, up, NULL, &error) < 0) return fail("ground", error.message);
    sn_status status = start(world, human);
    if (!status) status = play(world, ball, -1);
    if (status != SN_OK) return fail("start", sn_status_text(status));

    int same = 0;
    const size_t size = sn_world_snapshot_size(world);
    void *block = malloc(size);
    if (!block) return fail("snapshot", "out of memory");
    status = run(world, ball, block, size, &same);
    if (status != SN_OK) return fail("run", sn_status_text(status));
    printf("The first and the last run are %s, bit by bit.\n", same ? "the same" : "NOT the same");

    free(block);
    sn_world_free(world);
    sn_model_free(ball);
    sn_model_free(human);
    return !same;
}
