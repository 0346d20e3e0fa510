/* A humanoid loses its muscles, falls like a doll, and gets up again when they come back.
 *
 * Gains are all that tells a character from a rag doll: with gains of zero the joints swing freely. Coming back, they
 * grow over a second, so that the body is not torn up; the root gets some as well, as if a hand helped. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>

enum { NQ = 43, NV = 34, SECOND = 240 };

/* Prints what went wrong and ends the program's work. */
static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* The drives at a part of their full strength, from 0 to 1; with help the root is driven, too. */
static sn_status set_strength(sn_world *world, const sn_model *model, double part, double help) {
    double kp[NV], kd[NV];
    sn_gains_uniform(model, 3000 * part * help, 600 * part * help, 1000 * part, 100 * part, kp, kd);
    return sn_world_set_gains(world, 0, kp, kd);
}

/* One second of the world; says afterwards how high the pelvis is. */
static sn_status run_second(sn_world *world, const char *what) {
    double q[NQ];
    sn_status status = SN_OK;
    for (int i = 0; i < SECOND && status == SN_OK; i++)
        status = sn_world_step(world);
    if (status == SN_OK) status = sn_world_get_state(world, 0, q, NULL);
    if (status == SN_OK) printf("%3.0f s  %-22s pelvis at %.2f m\n", sn_world_time(world), what, q[2]);
    return status;
}

static sn_status run(sn_world *world, const sn_model *model) {
    double q[NQ];
    sn_model_zero_pose(model, q);
    sn_status status = sn_world_stand(world, 0, q);
    if (!status) status = sn_world_set_state(world, 0, q, NULL);
    if (!status) status = sn_world_set_target(world, 0, q, NULL);

    if (!status) status = set_strength(world, model, 1, 0);
    if (!status) status = run_second(world, "stands");

    /* Nothing holds the joints any more. A little push decides where it falls. */
    if (!status) status = set_strength(world, model, 0, 0);
    if (!status) status = sn_world_push(world, 0, 1, (const double[3]){20, 5, 0}, NULL, INFINITY);
    if (!status) status = run_second(world, "falls");
    if (!status) status = sn_world_push(world, 0, 1, NULL, NULL, INFINITY);
    if (!status) status = run_second(world, "lies there");

    /* The muscles come back in ten stages. */
    for (int stage = 1; stage <= 10 && !status; stage++) {
        status = set_strength(world, model, stage / 10.0, 1);
        for (int i = 0; i < SECOND / 10 && !status; i++)
            status = sn_world_step(world);
    }
    if (!status) status = run_second(world, "gets up");
    if (!status) status = run_second(world, "stands again");
    return status;
}

int main(void) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    if (!model) return fail("model", error.message);

    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &error);
    if (!world) return fail("world", error.message);

    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    if (sn_world_add(world, model, &error) < 0) return fail("character", error.message);
    if (sn_world_add_plane(world, origin, up, NULL, &error) < 0) return fail("ground", error.message);

    const sn_status status = run(world, model);
    if (status != SN_OK) return fail("run", sn_status_text(status));
    sn_world_free(world);
    sn_model_free(model);
    return 0;
}
