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

static sn_character *bench_character(const sn_model *model, sn_world *world, const sn_character_def *def) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    if (!world) return sn_character_create(model, def, NULL);
    if (sn_world_add(world, model, NULL, NULL) < 0 || sn_world_add_plane(world, origin, up, NULL, NULL) < 0)
        return NULL;
    return sn_world_character(world, 0);
}

/* For measuring: steps of a lone character that follows its motion under the gains of maba-2020, or, with contact, of
   one that stands on the ground, its root free. A target is set every step; they are sampled before. Returns how many
   steps were good. */
PLAY_API int play_bench_steps(const struct subject *subject, int precision, int contact, double dt,
                              int steps) {
    enum { TARGETS = 64 };
    const size_t nq = (size_t)sn_model_nq(subject->model), nv = (size_t)sn_model_nv(subject->model),
                 row = nq + nv;
    double *room = malloc((TARGETS * row + 2 * nv) * sizeof *room), *kp = room + TARGETS * row, *kd = kp + nv;
    sn_character_def def = sn_character_def_default();
    sn_world_def world_def = sn_world_def_default();
    def.dt = world_def.dt = dt;
    def.precision = world_def.precision = (sn_precision)precision;
    world_def.contact = SN_CONTACT_IMPLICIT;
    sn_world *world = contact ? sn_world_create(&world_def, NULL) : NULL;
    sn_character *c = room && (world || !contact) ? bench_character(subject->model, world, &def) : NULL;
    int good = 0;
    if (c) {
        for (int i = 0; i < TARGETS; i++)
            subject_sample(subject, i * dt, room + (size_t)i * row, room + (size_t)i * row + nq);
        sn_gains_uniform(subject->model, contact ? 0 : 20000, contact ? 0 : 2000, contact ? 1000 : 75000,
                         contact ? 100 : 4000, kp, kd);
        sn_character_set_gains(c, kp, kd);
        sn_character_set_state(c, room, room + nq);
        for (; good < steps; good++) {
            const int turn = good % (2 * TARGETS); /* there and back */
            const double *target = room + (size_t)(turn < TARGETS ? turn : 2 * TARGETS - 1 - turn) * row;
            sn_character_set_target(c, target, NULL);
            if (world ? sn_world_step(world) : sn_character_step(c)) break;
        }
    }
    if (world)
        sn_world_free(world);
    else
        sn_character_free(c);
    free(room);
    return good;
}
