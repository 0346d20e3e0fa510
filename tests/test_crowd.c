/* Physics of crowds on the ground, against worlds, against themselves with other parameters, and over a long time. */
#include <math.h>
#include <string.h>

#include "crowd_helpers.h"

static sn_model *humanoid(void) {
    return sn_builtin_create("humanoid", NULL);
}

static sn_crowd_def double_def(int count) {
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.character.precision = SN_DOUBLE;
    def.sweeps = 200;
    def.sweep_tolerance = 1e-9;
    return def;
}

static sn_world *like(const sn_crowd_def *def, const sn_model *model, bool torque) {
    sn_world_def w = sn_world_def_default();
    w.contact = SN_CONTACT_IMPLICIT;
    w.dt = def->character.dt;
    w.sweeps = def->sweeps;
    w.sweep_tolerance = def->sweep_tolerance;
    w.joint_limits = def->joint_limits;
    w.compliance = def->compliance;
    sn_member_def member = sn_member_def_default();
    member.report_torque = torque;
    sn_world *world = world_of(&w);
    set_gains(sn_world_character(world, member_of(world, model, &member)), 0, 0, 300, 30);
    return world;
}

/* Of the ground on each body. */
static void world_forces(const sn_world *world, int nbody, double *force) {
    memset(force, 0, sizeof *force * (size_t)(3 * nbody));
    for (int i = 0; i < sn_world_contact_count(world); i++)
        for (int k = 0; k < 3; k++)
            force[3 * sn_world_contacts(world)[i].body[0] + k] += sn_world_contacts(world)[i].force[k];
}

/* The crowd's character is put where the world's is before every step, and both make it: the same forces, torques and
   velocities come out. What settles within its sweeps is compared closely, the rest is counted. */
static void compare_with_world(const sn_model *model, int who, bool limits, double compliance, int steps) {
    const int nbody = sn_model_nbody(model), nv = sn_model_nv(model);
    sn_crowd_def def = double_def(1);
    def.character.report_torque = true;
    def.joint_limits = limits;
    def.compliance = compliance;
    sn_crowd *crowd = crowd_of(model, &def);
    sn_world *world = like(&def, model, true);
    sn_character *c = sn_world_character(world, 0);
    floor_of(world, NULL);
    crowd_floor(crowd, NULL);
    double q[MAX_NQ], qd[MAX_NV], after[MAX_NV], force[3 * 64], expected[3 * 64], tau[MAX_NV], torque[MAX_NV];
    crowd_start(model, who, q, qd);
    assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
    assert_int_equal(sn_character_set_target(c, q, NULL), SN_OK);
    assert_int_equal(sn_crowd_set_target(crowd, 0, 1, q, NULL), SN_OK);
    struct worst forces = {0}, velocities = {0}, torques = {0};
    int settled = 0, touching = 0, apart = 0;
    for (int i = 0; i < steps; i++) {
        sn_character_get_state(c, q, qd);
        assert_int_equal(sn_crowd_set_state(crowd, 0, 1, q, qd), SN_OK);
        assert_int_equal(sn_crowd_step(crowd), SN_OK);
        step_world(world);
        if (stats_of(world).sweeps == def.sweeps) continue;
        settled++;
        touching += sn_world_contact_count(world) > 0;
        world_forces(world, nbody, expected);
        sn_character_get_state(c, NULL, qd);
        assert_int_equal(sn_character_get_torque(c, tau), SN_OK);
        assert_int_equal(sn_crowd_get(crowd, SN_CROWD_CONTACT_FORCE, 0, 1, force), SN_OK);
        assert_int_equal(sn_crowd_get_state(crowd, 0, 1, NULL, after), SN_OK);
        assert_int_equal(sn_crowd_get(crowd, SN_CROWD_TORQUE, 0, 1, torque), SN_OK);
        axpy(-1, expected, force, 3 * nbody);
        axpy(-1, qd, after, nv);
        axpy(-1, tau, torque, nv);
        const double error[3] = {norm(force, 3 * nbody) / (1 + norm(expected, 3 * nbody)),
                                 norm(after, nv) / (1 + norm(qd, nv)),
                                 norm(torque, nv) / (1 + norm(tau, nv))};
        apart += error[0] > 1e-6 || error[1] > 1e-8 || error[2] > 1e-5;
        worst_add(&forces, error[0], "who %d step %d", who, i);
        worst_add(&velocities, error[1], "who %d step %d", who, i);
        worst_add(&torques, error[2], "who %d step %d", who, i);
    }
    print_message("  %d of %d steps settled, %d of them touching, %d apart\n", settled, steps, touching,
                  apart);
    assert_true(settled > steps * 8 / 10 && touching > steps / 4);
    /* Coulomb friction may have more than one answer; in an impact rounding then chooses */
    assert_true(apart <= steps / 50);
    assert_worst(&forces, 1e-2, "contact force, relative");
    assert_worst(&velocities, 1e-3, "velocity after the step, relative");
    assert_worst(&torques, 1e-2, "drive torque, relative");
    sn_world_free(world);
    sn_crowd_free(crowd);
}

static void test_like_world(void **state) {
    (void)state;
    sn_model *model = humanoid();
    for (int who = 0; who < (FAST ? 3 : 9); who++)
        compare_with_world(model, who, who % 2 == 1, who % 4 == 3 ? 1e-6 : 0, FAST ? 80 : 240);
    sn_model_free(model);
}

/* Forces of the float crowd beside the double one's, standing: the weight is carried. */
static void test_weight_is_carried(void **state) {
    (void)state;
    sn_model *model = humanoid();
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        sn_crowd_def def = sn_crowd_def_default();
        def.character.precision = (sn_precision)precision;
        sn_crowd *crowd = crowd_of(model, &def);
        crowd_floor(crowd, NULL);
        crowd_put(crowd, model, 0, 0);
        for (int i = 0; i < 480; i++)
            assert_int_equal(sn_crowd_step(crowd), SN_OK);
        double force[3 * 64], flag[64], up = 0;
        assert_int_equal(sn_crowd_get(crowd, SN_CROWD_CONTACT_FORCE, 0, 1, force), SN_OK);
        assert_int_equal(sn_crowd_get(crowd, SN_CROWD_CONTACT, 0, 1, flag), SN_OK);
        for (int b = 0; b < sn_model_nbody(model); b++) {
            up += force[3 * b + 2];
            assert_true(flag[b] == (norm(force + 3 * b, 3) > 0));
        }
        assert_true(fabs(up / (9.81 * sn_model_mass(model)) - 1) < 0.01);
        sn_crowd_free(crowd);
    }
    sn_model_free(model);
}

/* A tilted plane and the height field of the same slope. */
static void test_slope_as_field(void **state) {
    (void)state;
    sn_model *model = humanoid();
    const double slope = 0.1, normal[3] = {-slope, 0, 1}, point[3] = {0};
    double height[5 * 4], q[2][MAX_NQ], start[MAX_NQ], qd[MAX_NV];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            height[5 * y + x] = slope * (-8 + 4 * x);
    const sn_heightfield_def field = {5, 4, {16, 16}, {-8, -8, 0}, height};
    sn_crowd_def def = double_def(3);
    for (int way = 0; way < 2; way++) {
        sn_crowd *crowd = crowd_of(model, &def);
        if (way)
            assert_int_equal(sn_crowd_set_heightfield(crowd, &field, NULL, NULL), SN_OK);
        else
            assert_int_equal(sn_crowd_set_plane(crowd, point, normal, NULL, NULL), SN_OK);
        for (int who = 0; who < 3; who++) {
            crowd_start(model, who, start, qd);
            start[2] += 0.1;
            assert_int_equal(sn_crowd_set_state(crowd, who, 1, start, qd), SN_OK);
            assert_int_equal(sn_crowd_set_target(crowd, who, 1, start, NULL), SN_OK);
        }
        for (int i = 0; i < 60; i++)
            assert_int_equal(sn_crowd_step(crowd), SN_OK);
        assert_int_equal(sn_crowd_get_state(crowd, 0, 1, q[way], NULL), SN_OK);
        double force[3 * 64], up = 0;
        assert_int_equal(sn_crowd_get(crowd, SN_CROWD_CONTACT_FORCE, 0, 1, force), SN_OK);
        for (int b = 0; b < sn_model_nbody(model); b++)
            up += force[3 * b + 2];
        assert_true(up > 10);
        sn_crowd_free(crowd);
    }
    axpy(-1, q[0], q[1], sn_model_nq(model));
    assert_true(norm(q[1], sn_model_nq(model)) < 1e-7);
    sn_model_free(model);
}

/* Twice the mass under twice the gains and pushes moves alike, and presses twice as hard. */
static void test_mass_scale(void **state) {
    (void)state;
    sn_model *model = humanoid();
    const int nv = sn_model_nv(model), nbody = sn_model_nbody(model), nq = sn_model_nq(model);
    sn_crowd_def def = double_def(2);
    def.joint_limits = true;
    sn_crowd *crowd = crowd_of(model, &def);
    crowd_floor(crowd, NULL);
    double kp[MAX_NV], kd[MAX_NV], push[6 * 64] = {0}, mass = 2, q[2][MAX_NQ], force[2][3 * 64];
    sn_gains_uniform(model, 0, 0, 600, 60, kp, kd);
    push[6] = 40, push[7] = 20;
    for (int i = 0; i < 2; i++) {
        crowd_put(crowd, model, i, 1);
        for (int k = 0; i == 1 && k < 6 * nbody; k++)
            push[k] *= 2;
        assert_int_equal(sn_crowd_set(crowd, SN_CROWD_PUSH, i, 1, push), SN_OK);
    }
    assert_int_equal(sn_crowd_set(crowd, SN_CROWD_KP, 1, 1, kp), SN_OK);
    assert_int_equal(sn_crowd_set(crowd, SN_CROWD_KD, 1, 1, kd), SN_OK);
    assert_int_equal(sn_crowd_set(crowd, SN_CROWD_MASS_SCALE, 1, 1, &mass), SN_OK);
    double most = 0;
    for (int i = 0; i < 120; i++) {
        assert_int_equal(sn_crowd_step(crowd), SN_OK);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(sn_crowd_get_state(crowd, k, 1, q[k], NULL), SN_OK);
            assert_int_equal(sn_crowd_get(crowd, SN_CROWD_CONTACT_FORCE, k, 1, force[k]), SN_OK);
        }
        most = fmax(most, norm(force[0], 3 * nbody));
    }
    axpy(-1, q[0], q[1], nq);
    assert_true(norm(q[1], nq) < 1e-6);
    axpy(-2, force[0], force[1], 3 * nbody);
    assert_true(most > 100 && norm(force[1], 3 * nbody) < 1e-4 * most);
    (void)nv;
    sn_crowd_free(crowd);
    sn_model_free(model);
}

/* A character with a dt, a gravity and gains of its own gives the bits of a crowd made with these. */
static void test_own_settings(void **state) {
    (void)state;
    sn_model *model = humanoid();
    const int nq = sn_model_nq(model);
    double q[2][MAX_NQ], dt = 1.0 / 128, gravity[3] = {0.5, 0, -4};
    for (int own = 0; own < 2; own++) {
        sn_crowd_def def = sn_crowd_def_default();
        def.count = own ? 20 : 1;
        def.character.dt = own ? 1.0 / 240 : dt;
        if (!own) memcpy(def.character.gravity, gravity, sizeof gravity);
        sn_crowd *crowd = crowd_of(model, &def);
        crowd_floor(crowd, NULL);
        const int at = own ? 17 : 0;
        for (int i = 0; i < def.count; i++)
            crowd_put(crowd, model, i, i == at ? 1 : i);
        if (own) {
            assert_int_equal(sn_crowd_set(crowd, SN_CROWD_DT, at, 1, &dt), SN_OK);
            assert_int_equal(sn_crowd_set(crowd, SN_CROWD_GRAVITY, at, 1, gravity), SN_OK);
        }
        for (int i = 0; i < 100; i++)
            assert_int_equal(sn_crowd_step(crowd), SN_OK);
        assert_int_equal(sn_crowd_get_state(crowd, at, 1, q[own], NULL), SN_OK);
        sn_crowd_free(crowd);
    }
    assert_memory_equal(q[0], q[1], sizeof(double) * (size_t)nq);
    sn_model_free(model);
}

/* On a slope of 20 degrees the one whose friction is 0.2 slides, at g (sin - mu cos), and the other stays. */
static void test_friction_of_their_own(void **state) {
    (void)state;
    const double angle = 20 * M_PI / 180, normal[3] = {-sin(angle), 0, cos(angle)}, point[3] = {0};
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 5);
    sn_model *model = free_body(&box);
    sn_crowd_def def = double_def(2);
    sn_error error;
    sn_crowd *crowd = sn_crowd_create(model, &def, &error);
    assert_int_equal(sn_crowd_set_plane(crowd, point, normal, NULL, NULL), SN_OK);
    double q[7] = {0.1 * normal[0], 0, 0.1 * normal[2], cos(-angle / 2), 0, sin(-angle / 2), 0}, qd[6],
           mu[2] = {1, 0.2};
    for (int i = 0; i < 2; i++)
        assert_int_equal(sn_crowd_set_state(crowd, i, 1, q, NULL), SN_OK);
    assert_int_equal(sn_crowd_set(crowd, SN_CROWD_FRICTION, 0, 2, mu), SN_OK);
    for (int i = 0; i < 240; i++)
        assert_int_equal(sn_crowd_step(crowd), SN_OK);
    assert_int_equal(sn_crowd_get_state(crowd, 0, 1, q, qd), SN_OK);
    assert_true(norm(qd, 3) < 1e-3);
    assert_int_equal(sn_crowd_get_state(crowd, 1, 1, q, qd), SN_OK);
    assert_true(fabs(norm(qd, 3) / (9.81 * (sin(angle) - 0.2 * cos(angle))) - 1) < 0.01);
    sn_crowd_free(crowd);
    sn_model_free(model);
}

/* Random targets, pushes and resets. SINEW_SOAK says how many steps of 1024 characters; `make soak-crowd` takes 100000. */
static void test_soak(void **state) {
    (void)state;
    sn_model *model = humanoid();
    const char *soak = getenv("SINEW_SOAK");
    const int steps = soak ? atoi(soak) : FAST ? 100 : 400, count = soak ? 1024 : 64, nq = sn_model_nq(model);
    const int nbody = sn_model_nbody(model);
    struct rng rng = {99};
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.threads = 2;
    def.joint_limits = true;
    def.character.report_torque = true;
    sn_crowd *crowd = crowd_of(model, &def);
    crowd_floor(crowd, NULL);
    for (int i = 0; i < count; i++)
        crowd_put(crowd, model, i, i % 60);
    uint8_t *which = malloc((size_t)count);
    double q[MAX_NQ], qd[MAX_NV], push[6 * 64];
    long diverged = 0;
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < count / 32; k++) {
            const int who = (int)uniform(&rng, 0, count - 1e-9);
            crowd_start(model, (int)uniform(&rng, 0, 300), q, qd);
            assert_int_equal(sn_crowd_set_target(crowd, who, 1, q, NULL), SN_OK);
            for (int b = 0; b < 6 * nbody; b++)
                push[b] = b % 6 < 3 && uniform(&rng, 0, 1) < 0.1 ? uniform(&rng, -300, 300) : 0;
            assert_int_equal(sn_crowd_set(crowd, SN_CROWD_PUSH, who, 1, push), SN_OK);
        }
        if (i % 50 == 49) {
            for (int k = 0; k < count; k++)
                which[k] = uniform(&rng, 0, 1) < 0.1;
            crowd_start(model, (int)uniform(&rng, 0, 300), q, qd);
            assert_int_equal(sn_crowd_reset(crowd, which, q, qd), SN_OK);
        }
        assert_int_equal(sn_crowd_step(crowd), SN_OK);
        if (i % 100 == 99 || i == steps - 1) assert_true(crowd_finite(crowd));
        diverged = sn_crowd_diverged(crowd);
        if (diverged) fail_msg("step %d: %ld characters diverged", i, diverged);
    }
    (void)nq;
    free(which);
    sn_crowd_free(crowd);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_world),     cmocka_unit_test(test_weight_is_carried),
        cmocka_unit_test(test_slope_as_field), cmocka_unit_test(test_mass_scale),
        cmocka_unit_test(test_own_settings),   cmocka_unit_test(test_friction_of_their_own),
        cmocka_unit_test(test_soak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
