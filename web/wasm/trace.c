#include "trace.h"

#include "play.h"

#include <stdlib.h>

PLAY_API int trace_size(void) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int size = model ? sn_model_nq(model) + sn_model_nv(model) : 0;
    sn_model_free(model);
    return size;
}

PLAY_API int trace_targets(int steps, double dt, double *targets) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = model ? sn_builtin_motion_create("run", model, NULL) : NULL;
    if (motion) {
        const int nq = sn_model_nq(model), size = nq + sn_model_nv(model);
        for (int i = 0; i <= steps; i++, targets += size)
            sn_motion_sample(motion, i * dt, targets, targets + nq);
    }
    sn_motion_free(motion);
    sn_model_free(model);
    return motion ? 0 : 1;
}

/* Alone, or in the world when there is one. */
static sn_character *add_character(sn_world *world, const sn_model *model, double dt) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    sn_character_def def = sn_character_def_default();
    def.dt = dt;
    if (!world) return sn_character_create(model, &def, NULL);
    if (sn_world_add(world, model, NULL, NULL) < 0 || sn_world_add_plane(world, origin, up, NULL, NULL) < 0)
        return NULL;
    return sn_world_character(world, 0);
}

static int follow(sn_world *world, sn_character *character, int steps, const double *targets, double *state) {
    const sn_model *model = sn_character_model(character);
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    double *kp = malloc(2 * (size_t)nv * sizeof *kp);
    if (!kp) return 1;
    sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kp + nv); /* maba-2020 section 4.1 */
    sn_character_set_gains(character, kp, kp + nv);
    free(kp);
    sn_character_set_state(character, targets, targets + nq);
    for (int i = 0; i < steps; i++) {
        targets += nq + nv;
        sn_character_set_target(character, targets, targets + nq);
        if (world ? sn_world_step(world) : sn_character_step(character)) return 1;
    }
    sn_character_get_state(character, state, state + nq);
    return 0;
}

PLAY_API int trace_run(int contact, int steps, double dt, const double *targets, double *state) {
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.contact = (sn_contact_method)(contact - 1);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = contact ? sn_world_create(&def, NULL) : NULL;
    sn_character *character = model && (world || !contact) ? add_character(world, model, dt) : NULL;
    const int failed = character ? follow(world, character, steps, targets, state) : 1;
    if (world)
        sn_world_free(world);
    else
        sn_character_free(character);
    sn_model_free(model);
    return failed;
}
