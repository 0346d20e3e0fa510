/* Humanoids in copies under the position stepper. */
#ifndef SINEW_TESTS_POSITION_CROWD_H
#define SINEW_TESTS_POSITION_CROWD_H

#include "copies_helpers.h"
#include "model/model.h"
#include "scenes/parts.h"

/* How much of a trial is run: `usual`, less under SINEW_TEST_SHORT, and with SINEW_POSITION_COPIES=N that many copies for
   5 s on all threads. */
struct crowd_size {
    int copies, threads;
    double seconds;
};

static inline struct crowd_size crowd_size(struct crowd_size usual, struct crowd_size brief) {
    const char *many = getenv("SINEW_POSITION_COPIES");
    if (many) return (struct crowd_size){atoi(many), 0, 5};
    return in_short() ? brief : usual;
}

/* Humanoids in a world with a floor: standing by gains, limp in the air, standing and pushed. */
enum trial { STANDS, FALLS, PUSHED, TRIALS };

static inline sn_world *crowd_of(const sn_model *model, const sn_world_def *def, enum trial trial) {
    sn_world *world = world_of(def);
    const int member = member_of(world, model);
    double q[MAX_NQ], kp[MAX_NV] = {0}, kd[MAX_NV] = {0}, start[MAX_NQ], d[MAX_NV], qd[MAX_NV];
    uint64_t seed = 5;
    floor_of(world, NULL);
    stand_humanoid(world, member, q);
    const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def), .q = q, .dt = def->dt, .form = def->form};
    if (trial != FALLS) assert_int_equal(sn_gains_choose(model, &gains, kp, kd, NULL), SN_OK);
    sn_world_set_gains(world, member, kp, kd);
    sn_world_set_target(world, member, q, NULL);
    for (int i = 0; i < def->copies; i++) {
        for (int v = 0; v < model->nv; v++) {
            d[v] = trial == FALLS ? scene_uniform(&seed, 0, 1) - 0.5 : 0;
            qd[v] = trial == FALLS ? 2 * scene_uniform(&seed, 0, 1) - 1 : 0;
        }
        if (trial == FALLS) d[2] = 0.3 + 0.3 * scene_uniform(&seed, 0, 1);
        sn_model_pose_add(model, 1, q, d, start);
        copy_put(world, member, i, start, qd);
    }
    return world;
}

/* A fifth of every second each copy is pushed somewhere, its own way. */
static inline void push_crowd(sn_world *world, const sn_model *model, int step, int a_second) {
    const int when = step % a_second;
    if (when && when != a_second / 5) return;
    for (int i = 0; i < sn_world_get_info(world).copies; i++) {
        uint64_t seed = (uint64_t)(step * 7919 + i);
        double push[6 * MAX_NV] = {0};
        const int body = (int)(scene_uniform(&seed, 0, 1) * model->nbody);
        for (int k = 0; k < 3 && !when; k++)
            push[6 * body + k] = 600 * (scene_uniform(&seed, 0, 1) - 0.5);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, i, 1, push), SN_OK);
    }
}

#endif
