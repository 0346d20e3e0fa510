/* What the library is and holds. */
#include "play.h"

#include <stdlib.h>

PLAY_API const char *play_version(void) {
    return sn_version();
}
PLAY_API const char *play_model_name(int index) {
    return sn_builtin_name(index);
}
PLAY_API const char *play_motion_name(int index) {
    return sn_builtin_motion_name(index);
}

enum { TARGETS = 64 };

static sn_world *bench_world(const sn_model *model, int precision, bool ground, double dt) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.precision = (sn_precision)precision;
    if (!ground) def.contact = SN_CONTACT_NONE;
    sn_world *world = sn_world_create(&def, NULL);
    if (world && sn_world_add(world, model, NULL) == 0 &&
        (!ground || sn_world_add_plane(world, origin, up, NULL, NULL) == 0))
        return world;
    sn_world_free(world);
    return NULL;
}

/* targets [TARGETS][nq + nv], followed there and back. */
static int bench_run(sn_world *world, const double *targets, size_t size, int steps) {
    for (int i = 0; i < steps; i++) {
        const int turn = i % (2 * TARGETS);
        sn_world_set_target(world, 0,
                            targets + (size_t)(turn < TARGETS ? turn : 2 * TARGETS - 1 - turn) * size, NULL);
        if (sn_world_step(world)) return i;
    }
    return steps;
}

/* For measuring: steps of one character that follows its motion under the gains of maba-2020, without ground, or that
   stands on the ground, its root free. A target is set before every step; they are sampled before. Returns how many
   steps were good. */
PLAY_API int play_bench_steps(const struct subject *subject, int precision, int ground, double dt,
                              int steps) {
    const size_t nq = (size_t)sn_model_get(subject->model)->nq, nv = (size_t)sn_model_get(subject->model)->nv;
    const size_t size = nq + nv;
    double *targets = malloc((TARGETS * size + 2 * nv) * sizeof *targets), *kp = targets + TARGETS * size;
    sn_world *world = targets ? bench_world(subject->model, precision, ground, dt) : NULL;
    int good = 0;
    if (world) {
        for (int i = 0; i < TARGETS; i++)
            subject_sample(subject, i * dt, targets + (size_t)i * size, targets + (size_t)i * size + nq);
        sn_gains_uniform(subject->model, ground ? 0 : 20000, ground ? 0 : 2000, ground ? 1000 : 75000,
                         ground ? 100 : 4000, kp, kp + nv);
        sn_world_set_gains(world, 0, kp, kp + nv);
        sn_world_set_state(world, 0, targets, targets + nq);
        good = bench_run(world, targets, size, steps);
    }
    sn_world_free(world);
    free(targets);
    return good;
}
