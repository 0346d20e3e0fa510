#include "trace.h"

#include "play.h"

#include <stdlib.h>

PLAY_API int trace_size(void) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int size = model ? sn_model_get(model)->nq + sn_model_get(model)->nv : 0;
    sn_model_free(model);
    return size;
}

PLAY_API int trace_targets(int steps, double dt, double *targets) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = model ? sn_builtin_motion_create("run", model, NULL) : NULL;
    if (motion) {
        const int nq = sn_model_get(model)->nq, size = nq + sn_model_get(model)->nv;
        for (int i = 0; i <= steps; i++, targets += size)
            sn_motion_sample(motion, i * dt, targets, targets + nq);
    }
    sn_motion_free(motion);
    sn_model_free(model);
    return motion ? 0 : 1;
}

/* The humanoid, member 0, under the gains of maba-2020 section 4.1. */
static sn_world *create_world(const sn_model *model, int contact, double dt) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    const int nv = sn_model_get(model)->nv;
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.contact = (sn_contact_method)contact;
    sn_world *world = sn_world_create(&def, NULL);
    double *kp = malloc(2 * (size_t)nv * sizeof *kp);
    bool good = world && kp && sn_world_add(world, model, NULL) == 0;
    if (good && contact != SN_CONTACT_NONE) good = sn_world_add_plane(world, origin, up, NULL, NULL) == 0;
    if (good) {
        sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kp + nv);
        good = sn_world_set_gains(world, 0, kp, kp + nv) == SN_OK;
    }
    free(kp);
    if (good) return world;
    sn_world_free(world);
    return NULL;
}

static int follow(sn_world *world, const sn_model *model, int steps, const double *targets, double *state) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    sn_world_set_state(world, 0, targets, targets + nq);
    for (int i = 0; i < steps; i++) {
        targets += nq + nv;
        sn_world_set_target(world, 0, targets, targets + nq);
        if (sn_world_step(world)) return 1;
    }
    sn_world_get_state(world, 0, state, state + nq);
    return 0;
}

PLAY_API int trace_run(int contact, int steps, double dt, const double *targets, double *state) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = model ? create_world(model, contact, dt) : NULL;
    const int failed = world ? follow(world, model, steps, targets, state) : 1;
    sn_world_free(world);
    sn_model_free(model);
    return failed;
}
