/* Rollback, as in a game over a network: save, go on, learn that the past was different, go back and play it again. A
 * restored world gives the same bits. There are two ways back: a snapshot has everything in it, also members that have
 * come and gone since; a state has only what steps change, and is much smaller and faster. */
#include <sinew/sinew.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NQ = 43, NV = 34, BOXES = 6 };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* A free body of one shape and 4 kg. */
static sn_model *make_body(const char *name, sn_shape_type type, double size, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(type);
    body.name = name;
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = shape.size[1] = shape.size[2] = size;
    shape.mass = 4;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, name, &shape);
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

/* Two humanoids that stand, and boxes in a heap between them. */
static sn_status start(sn_world *world, const sn_model *human, const sn_model *box) {
    double q[NQ], kp[NV], kd[NV];
    sn_status status = SN_OK;
    sn_gains_uniform(human, 0, 0, 1000, 100, kp, kd);
    for (int i = 0; i < 2 && !status; i++) {
        const int member = sn_world_add(world, human, NULL);
        sn_model_zero_pose(human, q);
        q[0] = -1.5 * i;
        status = sn_world_stand(world, member, q);
        if (!status) status = sn_world_set_gains(world, member, kp, kd);
        if (!status) status = sn_world_set_state(world, member, q, NULL);
        if (!status) status = sn_world_set_target(world, member, q, NULL);
    }
    for (int i = 0; i < BOXES && !status; i++) {
        const double pose[7] = {-0.75 + 0.05 * (i % 2), 0.1 * (i % 3), 0.15 + 0.3 * i, 1, 0, 0, 0};
        status = sn_world_set_state(world, sn_world_add(world, box, NULL), pose, NULL);
    }
    return status;
}

/* Plays the same half second three times; returns whether the first and the last agree. */
static sn_status run(sn_world *world, const sn_model *ball, void *block, size_t size, int *same) {
    sn_status status = sn_world_snapshot(world, block, size) == size ? SN_OK : SN_ERROR_MEMORY;
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

static double microseconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static void keep_least(double *least, double began) {
    const double took = microseconds() - began;
    if (took < *least) *least = took;
}

/* The cheap way, as long as nobody comes or goes: the last 120 steps once more. Prints what both ways cost. */
static sn_status run_state(sn_world *world, const sn_model *ball, void *block, size_t size, int *same) {
    sn_error error;
    const size_t bytes = sn_world_save_state(world, block, size);
    sn_status status = bytes <= size ? SN_OK : SN_ERROR_MEMORY;
    puts("The same by a state: ahead, back, and ahead once more.");
    if (!status) status = play(world, ball, -1);
    const uint64_t first = sn_world_hash(world);
    if (!status) status = sn_world_load_state(world, block, bytes, &error);
    if (!status) status = play(world, ball, -1);
    *same = *same && sn_world_hash(world) == first;

    double least[4] = {1e9, 1e9, 1e9, 1e9};
    for (int i = 0; i < 100 && !status; i++) {
        double began = microseconds();
        sn_world_save_state(world, block, size);
        keep_least(&least[0], began), began = microseconds();
        status = sn_world_load_state(world, block, size, &error);
        keep_least(&least[1], began), began = microseconds();
        sn_world_snapshot(world, block, size);
        keep_least(&least[2], began), began = microseconds();
        if (!status) status = sn_world_restore(world, block, size, &error);
        keep_least(&least[3], began);
    }
    printf("  state     %7zu bytes\n  snapshot  %7zu bytes\n", bytes, size);
    fprintf(stderr, "state saved in %.1f us, loaded in %.1f us\n", least[0], least[1]);
    fprintf(stderr, "snapshot saved in %.1f us, loaded in %.1f us\n", least[2], least[3]);
    return status;
}

int main(void) {
    sn_error error;
    sn_model *human = sn_builtin_create("humanoid", &error);
    sn_model *ball = make_body("ball", SN_SHAPE_SPHERE, 0.11, &error);
    sn_model *box = make_body("box", SN_SHAPE_BOX, 0.12, &error);
    if (!human || !ball || !box) return fail("models", error.message);

    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &error);
    if (!world) return fail("world", error.message);
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    if (sn_world_add_plane(world, origin, up, NULL, &error) < 0) return fail("ground", error.message);
    sn_status status = start(world, human, box);
    if (!status) status = play(world, ball, -1);
    if (status != SN_OK) return fail("start", sn_status_text(status));

    int same = 0;
    const size_t size = sn_world_snapshot(world, NULL, 0);
    void *block = malloc(size);
    if (!block) return fail("snapshot", "out of memory");
    status = run(world, ball, block, size, &same);
    if (!status) status = sn_world_restore(world, block, size, &error);
    if (!status) status = run_state(world, ball, block, size, &same);
    if (status != SN_OK) return fail("run", sn_status_text(status));
    printf("The first and the last run are %s, bit by bit.\n", same ? "the same" : "NOT the same");

    free(block);
    sn_world_free(world);
    sn_model_free(box);
    sn_model_free(ball);
    sn_model_free(human);
    return !same;
}
