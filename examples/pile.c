/* Two humanoids under a rain of 40 bodies, as a game would have them: every contact by rows, 60 steps per second, the
 * default setting, whose cost is bounded. Prints how long the steps took; `pile 200` drops 200 bodies and no humanoids. */
#define _POSIX_C_SOURCE 199309L
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NQ = 43, NV = 34, STEPS = 300, KINDS = 3 };

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static sn_model *make_body(sn_shape_type type, double x, double y, double z, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(type);
    body.name = "body";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = x, shape.size[1] = y, shape.size[2] = z;
    shape.mass = 2;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "body", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* Two that hold themselves upright, 0.8 m apart. */
static sn_status add_humans(sn_world *world, const sn_model *human, sn_error *error) {
    double q[NQ], kp[NV], kd[NV];
    sn_status status = SN_OK;
    sn_gains_uniform(human, 0, 0, 1000, 100, kp, kd);
    for (int i = 0; i < 2 && !status; i++) {
        if (sn_world_add(world, human, error) < 0) return error->status;
        sn_model_zero_pose(human, q);
        q[0] = 0.8 * i - 0.4;
        status = sn_world_stand(world, i, q);
        if (!status) status = sn_world_set_gains(world, i, kp, kd);
        if (!status) status = sn_world_set_state(world, i, q, NULL);
        if (!status) status = sn_world_set_target(world, i, q, NULL);
    }
    return status;
}

/* In layers of a square, turned this way and that. */
static sn_status add_bodies(sn_world *world, sn_model *const *model, int n, double height, sn_error *error) {
    const int side = n > 100 ? 5 : 3;
    sn_status status = SN_OK;
    for (int i = 0; i < n && !status; i++) {
        const int member = sn_world_add(world, model[i % KINDS], error);
        if (member < 0) return error->status;
        const double a = 0.7 * i, x = i % side - 0.5 * (side - 1), y = i / side % side - 0.5 * (side - 1);
        const double q[7] = {0.3 * x + 0.02 * sin(3 * a),
                             0.3 * y + 0.02 * cos(5 * a),
                             height + 0.3 * (i / (side * side)),
                             cos(a),
                             0.6 * sin(a),
                             0.8 * sin(a),
                             0};
        status = sn_world_set_state(world, member, q, NULL);
    }
    return status;
}

static sn_status run(sn_world *world) {
    double worst = 0, sum = 0;
    int rows = 0, iterations = 0;
    for (int k = 0; k < STEPS; k++) {
        const double start = milliseconds();
        const sn_status status = sn_world_step(world);
        const double took = milliseconds() - start;
        if (status) return status;
        sn_world_stats stats;
        sn_world_get_stats(world, &stats);
        if (stats.rows > rows) rows = stats.rows;
        if (stats.iterations > iterations) iterations = stats.iterations;
        if (took > worst) worst = took;
        sum += took;
    }
    printf("%d steps of 1/60 s: up to %d rows and %d iterations.\n", STEPS, rows, iterations);
    fprintf(stderr, "%.2f ms on average, %.2f ms at most\n", sum / STEPS, worst);
    return SN_OK;
}

int main(int argc, char **argv) {
    const int bodies = argc > 1 ? atoi(argv[1]) : 40;
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_error error = {0};
    sn_model *human = sn_builtin_create("humanoid", &error);
    sn_model *model[KINDS] = {make_body(SN_SHAPE_BOX, 0.1, 0.1, 0.1, &error),
                              make_body(SN_SHAPE_SPHERE, 0.1, 0, 0, &error),
                              make_body(SN_SHAPE_CAPSULE, 0.07, 0.1, 0, &error)};
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60;
    def.contact = SN_CONTACT_ROWS;
    sn_world *world = human && model[0] && model[1] && model[2] ? sn_world_create(&def, &error) : NULL;
    sn_status status = world ? SN_OK : error.status;
    if (!status && sn_world_add_plane(world, origin, up, NULL, &error) < 0) status = error.status;
    if (!status && bodies <= 100) status = add_humans(world, human, &error);
    if (!status) status = add_bodies(world, model, bodies, bodies <= 100 ? 2 : 0.3, &error);
    if (!status) status = run(world);
    if (status) fprintf(stderr, "%s\n", sn_status_text(status));
    sn_world_free(world);
    for (int i = 0; i < KINDS; i++)
        sn_model_free(model[i]);
    sn_model_free(human);
    return status != SN_OK;
}
