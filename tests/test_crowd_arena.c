/* Crowds whose contact is by rows, against worlds made by hand. */
#include "world_helpers.h"

enum { MOST_SIZE = 512 };

static sn_crowd *crowd_of(const sn_model *model, const sn_crowd_def *def) {
    sn_error error;
    sn_crowd *c = sn_crowd_create(model, def, &error);
    if (!c) fail_msg("%s", error.message);
    return c;
}

static sn_crowd_def def_for(int count, sn_precision precision) {
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.character.precision = precision;
    return def;
}

static void give_floor(sn_crowd *c) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    assert_int_equal(sn_crowd_set_plane(c, origin, up, NULL, NULL), SN_OK);
}

/* The same characters in worlds made by hand. */
static sn_world *plain_world(const sn_model *model, const sn_crowd_def *def, int n) {
    sn_world_def w = sn_world_def_default();
    sn_member_def m = sn_member_def_default();
    w.precision = def->character.precision;
    w.joint_limits = def->joint_limits;
    m.self_collision = def->self_collision;
    m.report_torque = def->character.report_torque;
    sn_world *world = world_of(&w);
    for (int i = 0; i < n; i++)
        member_of(world, model, &m);
    floor_of(world, NULL);
    return world;
}

static void check_arenas(const sn_model *model, sn_precision precision, int arena, int steps) {
    enum { N = 5 };
    const int nq = sn_model_nq(model), nv = sn_model_nv(model), size = nq + nv, nbody = sn_model_nbody(model);
    sn_crowd_def def = def_for(N, precision);
    def.contact = SN_CONTACT_ROWS, def.arena = arena, def.self_collision = true, def.joint_limits = true;
    def.threads = 2;
    def.character.report_torque = true;
    sn_crowd *c = crowd_of(model, &def);
    sn_world *world[N] = {NULL};
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV], a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV];
    struct rng rng = {41};
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    give_floor(c);
    const double tilted[3] = {1, 0, 1}, origin[3] = {0};
    assert_int_equal(sn_crowd_set_plane(c, origin, tilted, NULL, NULL), SN_OK); /* and back again */
    assert_int_equal(sn_crowd_set_gains(c, kp, kd), SN_OK);
    for (int i = 0; i < N; i++) {
        const int n = N - i < arena ? N - i : arena;
        if (i % arena == 0) world[i / arena] = plain_world(model, &def, n);
        sn_character *ch = sn_world_character(world[i / arena], i % arena);
        random_state(&rng, model, 0.4, 1, q, qd);
        q[0] = 0.2 * (i % arena), q[1] = 0, q[2] = 0.7 + 0.4 * (i % arena);
        assert_int_equal(sn_character_set_gains(ch, kp, kd), SN_OK);
        assert_int_equal(sn_character_set_state(ch, q, qd), SN_OK);
        assert_int_equal(sn_crowd_set_state(c, i, 1, q, qd), SN_OK);
    }
    give_floor(c); /* keeps what the characters have */
    double touching = 0;
    for (int k = 0; k < steps; k++) {
        assert_int_equal(sn_crowd_step(c), SN_OK);
        for (int i = 0; i < (N - 1) / arena + 1; i++)
            step_world(world[i]);
        for (int i = 0; i < N; i++) {
            sn_character_get_state(sn_world_character(world[i / arena], i % arena), b, b + nq);
            sn_crowd_get_state(c, i, 1, a, a + nq);
            if (memcmp(a, b, sizeof *a * (size_t)size) != 0)
                fail_msg("arenas of %d, step %d, character %d is elsewhere", arena, k, i);
        }
    }
    static double force[3 * MOST_SIZE], sum[3 * MOST_SIZE], flag[MOST_SIZE], tau[2 * MAX_NV];
    for (int i = 0; i < N; i++) {
        sn_world *w = world[i / arena];
        const sn_contact *contact = sn_world_contacts(w);
        memset(sum, 0, sizeof sum);
        for (int k = 0; k < sn_world_contact_count(w); k++)
            if (contact[k].character[0] == i % arena && contact[k].character[1] < 0)
                axpy(1, contact[k].force, sum + 3 * contact[k].body[0], 3);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_CONTACT_FORCE, i, 1, force), SN_OK);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_CONTACT, i, 1, flag), SN_OK);
        assert_near_n(force, sum, 3 * nbody, 1e-9);
        for (int body = 0; body < nbody; body++)
            assert_true((flag[body] != 0) == (norm(force + 3 * body, 3) != 0));
        touching += norm(force, 3 * nbody);
        sn_character_get_torque(sn_world_character(w, i % arena), tau);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_TORQUE, i, 1, tau + nv), SN_OK);
        assert_memory_equal(tau, tau + nv, sizeof *tau * (size_t)nv);
    }
    assert_true(touching > 10);
    for (int i = 0; i < N; i++)
        sn_world_free(world[i]);
    sn_crowd_free(c);
}

TEST(an_arena_is_a_world) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int steps = FAST ? 40 : 80;
    check_arenas(model, SN_DOUBLE, 1, steps / 2);
    check_arenas(model, SN_DOUBLE, 2, steps);
    check_arenas(model, SN_FLOAT, 3, steps);
    sn_model_free(model);
}

TEST(arenas_refuse_what_a_world_has_once_for_all) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_crowd_def def = def_for(4, SN_FLOAT);
    def.contact = SN_CONTACT_ROWS;
    sn_crowd *c = crowd_of(model, &def);
    double x[MAX_NV], same[MAX_NV];
    static const sn_crowd_field field[] = {SN_CROWD_MASS_SCALE, SN_CROWD_FRICTION, SN_CROWD_GRAVITY,
                                           SN_CROWD_DT, SN_CROWD_ARMATURE};
    for (int i = 0; i < COUNT(field); i++) {
        assert_int_equal(sn_crowd_get(c, field[i], 1, 1, same), SN_OK);
        for (int v = 0; v < sn_crowd_size(c, field[i]); v++)
            x[v] = same[v] + 0.5;
        assert_int_equal(sn_crowd_set(c, field[i], 1, 1, x), SN_ERROR_UNSUPPORTED);
        assert_int_equal(sn_crowd_set(c, field[i], 1, 1, same), SN_OK); /* it is so already */
        x[0] = (double)NAN;
        assert_int_equal(sn_crowd_set(c, field[i], 1, 1, x), SN_ERROR_ARGUMENT);
    }
    assert_true(sn_crowd_memory(c) > 4 * 1024);
    assert_non_null(sn_crowd_lanes(c));
    sn_crowd_free(c);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arena_is_a_world),
        cmocka_unit_test(arenas_refuse_what_a_world_has_once_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
