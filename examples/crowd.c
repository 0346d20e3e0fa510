/* A crowd on a height field: one scene with one humanoid, in 128 copies.
 *
 * The scene is described once. Copies have states of their own, do not meet each other, and run several abreast in vector
 * lanes; each gets the same bits as it would alone. */
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COPIES = 128, NQ = 43, NV = 34, POINTS = 65 };

static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* Gentle waves, 0.1 m high and 64 m by 64 m wide. */
static int add_waves(sn_world *world, sn_error *error) {
    static double height[POINTS * POINTS];
    for (int y = 0; y < POINTS; y++)
        for (int x = 0; x < POINTS; x++)
            height[POINTS * y + x] = 0.05 * sin(0.7 * x) * cos(0.5 * y);
    sn_heightfield_def field = sn_heightfield_def_default();
    field.nx = field.ny = POINTS, field.height = height;
    field.size[0] = field.size[1] = 64;
    field.origin[0] = field.origin[1] = -32;
    return sn_world_add_heightfield(world, &field, NULL, error);
}

/* Each copy stands at a place of its own, with a friction of its own, and walks off at a speed of its own. */
static sn_status start(sn_world *world, const sn_model *model) {
    double kp[NV], kd[NV], q[NQ], qd[NV] = {0};
    sn_gains_uniform(model, 0, 0, 1000, 100, kp, kd);
    sn_status status = sn_world_set_gains(world, 0, kp, kd); /* the same for all */
    for (int copy = 0; copy < COPIES && status == SN_OK; copy++) {
        const double friction = 0.5 + 0.5 * (copy % 3);
        sn_model_zero_pose(model, q);
        q[0] = 3.0 * (copy % 16) - 24;
        q[1] = 3.0 * (copy / 16) - 12;
        qd[0] = copy / (double)COPIES; /* m/s */
        status = sn_world_stand(world, 0, q);
        if (!status) status = sn_world_set(world, 0, SN_FIELD_Q, copy, 1, q);
        if (!status) status = sn_world_set(world, 0, SN_FIELD_QD, copy, 1, qd);
        if (!status) status = sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, q);
        if (!status) status = sn_world_set(world, 0, SN_FIELD_FRICTION, copy, 1, &friction);
    }
    return status;
}

/* How many have their pelvis more than 0.6 m above the origin, from the world's own memory: floats, as the world has. */
static int count_upright(sn_world *world) {
    const float *q = sn_world_view(world, 0, SN_FIELD_Q);
    int upright = 0;
    for (int copy = 0; q && copy < COPIES; copy++)
        upright += q[NQ * copy + 2] > 0.6f;
    return upright;
}

int main(void) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    if (!model) return fail("model", error.message);

    sn_world_def def = sn_world_def_default();
    def.copies = COPIES;
    def.threads = 0;                    /* one per core */
    def.precision = SN_PRECISION_FLOAT; /* twice as many in a vector */
    def.setting = SN_SETTING_CROWD;     /* a small, fixed price for contact */
    def.report_contacts = false;        /* nobody will ask for single contacts */
    sn_world *world = sn_world_create(&def, &error);
    if (!world) return fail("world", error.message);
    if (sn_world_add(world, model, &error) < 0) return fail("character", error.message);
    if (add_waves(world, &error) < 0) return fail("ground", error.message);

    sn_status status = start(world, model);
    printf("%d humanoids in lanes of %s\n", sn_world_get_info(world).copies, sn_world_get_info(world).lanes);
    for (int i = 0; i < 240 && status == SN_OK; i++) {
        status = sn_world_step(world);
        if (i % 60 == 59) printf("t = %.2f s: %d are upright\n", sn_world_time(world), count_upright(world));
    }
    if (status != SN_OK) return fail("run", sn_status_text(status));

    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    printf("%d had to be frozen because their speed went beyond all bounds\n", stats.diverged);
    sn_world_free(world);
    sn_model_free(model);
    return 0;
}
