/* Physics of copies on the ground: forces that add up, parameters of a copy's own, and a long time without divergence. */
#include "copies_helpers.h"

static sn_model *humanoid(void) {
    return sn_builtin_create("humanoid", NULL);
}

static sn_world_def exact_def(int copies) {
    sn_world_def def = copies_def(copies, SN_PRECISION_DOUBLE);
    def.sweeps = 200;
    def.sweep_tolerance = 1e-9;
    return def;
}

/* Sum of the contacts of one copy on each body of its only member. */
static void forces_of_contacts(const sn_world *world, int copy, int nbody, double *force) {
    int n;
    const sn_contact *contact = sn_world_contacts(world, copy, &n);
    memset(force, 0, sizeof *force * (size_t)(3 * nbody));
    for (int i = 0; i < n; i++) {
        assert_true(contact[i].member[0] == 0 && contact[i].member[1] == -1);
        axpy(1, contact[i].force, force + 3 * contact[i].body[0], 3);
    }
}

/* Implicit contact settles within its sweeps, and the list of contacts tells the forces that the bodies feel. */
static void check_forces(const sn_model *model, int who, bool limits, double compliance, int steps) {
    const int nbody = sn_model_get(model)->nbody;
    sn_world_def def = exact_def(2);
    def.report_contacts = true;
    def.joint_limits = limits;
    def.compliance = compliance;
    sn_world *world = driven_copies_of(model, &def);
    floor_of(world, NULL);
    start_copy(world, 0, who);
    start_copy(world, 1, who);
    double force[3 * 64], sum[3 * 64];
    int settled = 0, touching = 0;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(sn_world_step(world), SN_OK);
        for (int copy = 0; copy < 2; copy++) {
            forces_of_contacts(world, copy, nbody, sum);
            assert_int_equal(sn_world_get(world, 0, SN_FIELD_CONTACT_FORCE, copy, 1, force), SN_OK);
            assert_near_n(force, sum, 3 * nbody, 1e-9 * (1 + norm(sum, 3 * nbody)));
        }
        if (stats_of(world).sweeps == def.sweeps) continue;
        settled++;
        touching += norm(sum, 3 * nbody) > 0;
    }
    print_message("  %d of %d steps settled, %d of them touching\n", settled, steps, touching);
    assert_true(settled > steps / 2 && touching > steps / 4);
    sn_world_free(world);
}

TEST(contacts_settle_and_add_up) {
    sn_model *model = humanoid();
    for (int who = 0; who < (in_short() ? 3 : 9); who++)
        check_forces(model, who, who % 2 == 1, who % 4 == 3 ? 1e-6 : 0, in_short() ? 80 : 240);
    sn_model_free(model);
}

/* Standing, in either precision. */
TEST(the_weight_is_carried) {
    sn_model *model = humanoid();
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        const sn_world_def def = copies_def(1, (sn_precision)precision);
        sn_world *world = driven_copies_of(model, &def);
        floor_of(world, NULL);
        start_copy(world, 0, 0);
        step_many(world, 480);
        double force[3 * 64], flag[64], up = 0;
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_CONTACT_FORCE, 0, 1, force), SN_OK);
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_TOUCHING, 0, 1, flag), SN_OK);
        for (int b = 0; b < sn_model_get(model)->nbody; b++) {
            up += force[3 * b + 2];
            assert_true(flag[b] == (norm(force + 3 * b, 3) > 0));
        }
        assert_true(fabs(up / (9.81 * sn_model_get(model)->mass) - 1) < 0.01);
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* A tilted plane and the height field of the same slope. */
TEST(a_slope_is_a_field_of_that_slope) {
    sn_model *model = humanoid();
    const double slope = 0.1, normal[3] = {-slope, 0, 1}, point[3] = {0};
    double height[5 * 4], q[2][MAX_NQ], start[MAX_NQ], qd[MAX_NV];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            height[5 * y + x] = slope * (-8 + 4 * x);
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), 5, 4, {16, 16}, {-8, -8, 0}, height};
    sn_world_def def = exact_def(3);
    for (int way = 0; way < 2; way++) {
        sn_world *world = driven_copies_of(model, &def);
        if (way)
            assert_int_equal(sn_world_add_heightfield(world, &field, NULL, NULL), 0);
        else
            assert_int_equal(sn_world_add_plane(world, point, normal, NULL, NULL), 0);
        for (int who = 0; who < 3; who++) {
            start_of(model, who, start, qd);
            start[2] += 0.1;
            copy_put(world, 0, who, start, qd);
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, who, 1, start), SN_OK);
        }
        step_many(world, 60);
        copy_get(world, 0, 0, q[way], NULL);
        double force[3 * 64], up = 0;
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_CONTACT_FORCE, 0, 1, force), SN_OK);
        for (int b = 0; b < sn_model_get(model)->nbody; b++)
            up += force[3 * b + 2];
        assert_true(up > 10);
        sn_world_free(world);
    }
    axpy(-1, q[0], q[1], sn_model_get(model)->nq);
    assert_true(norm(q[1], sn_model_get(model)->nq) < 1e-7);
    sn_model_free(model);
}

/* Twice the mass under twice the gains and pushes moves alike, and presses twice as hard. */
TEST(mass_gains_and_pushes_scale_together) {
    sn_model *model = humanoid();
    const int nbody = sn_model_get(model)->nbody, nq = sn_model_get(model)->nq;
    sn_world_def def = exact_def(2);
    def.joint_limits = true;
    sn_world *world = driven_copies_of(model, &def);
    floor_of(world, NULL);
    double kp[MAX_NV], kd[MAX_NV], push[6 * 64] = {0}, mass = 2, q[2][MAX_NQ], force[2][3 * 64];
    sn_gains_uniform(model, 0, 0, 600, 60, kp, kd);
    push[6] = 40, push[7] = 20;
    for (int i = 0; i < 2; i++) {
        start_copy(world, i, 1);
        for (int k = 0; i == 1 && k < 6 * nbody; k++)
            push[k] *= 2;
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, i, 1, push), SN_OK);
    }
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_KP, 1, 1, kp), SN_OK);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_KD, 1, 1, kd), SN_OK);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_MASS_SCALE, 1, 1, &mass), SN_OK);
    double most = 0;
    for (int i = 0; i < 120; i++) {
        assert_int_equal(sn_world_step(world), SN_OK);
        for (int k = 0; k < 2; k++) {
            copy_get(world, 0, k, q[k], NULL);
            assert_int_equal(sn_world_get(world, 0, SN_FIELD_CONTACT_FORCE, k, 1, force[k]), SN_OK);
        }
        most = fmax(most, norm(force[0], 3 * nbody));
    }
    axpy(-1, q[0], q[1], nq);
    assert_true(norm(q[1], nq) < 1e-6);
    axpy(-2, force[0], force[1], 3 * nbody);
    assert_true(most > 100 && norm(force[1], 3 * nbody) < 1e-4 * most);
    sn_world_free(world);
    sn_model_free(model);
}

/* A copy with a dt and a gravity of its own gives the bits of a world made with these. */
TEST(a_dt_and_a_gravity_of_its_own_are_those_of_a_world_made_so) {
    sn_model *model = humanoid();
    const int nq = sn_model_get(model)->nq;
    double q[2][MAX_NQ], dt = 1.0 / 128, gravity[3] = {0.5, 0, -4};
    for (int own = 0; own < 2; own++) {
        sn_world_def def = copies_def(own ? 20 : 1, SN_PRECISION_FLOAT);
        def.dt = own ? 1.0 / 240 : dt;
        if (!own) memcpy(def.gravity, gravity, sizeof gravity);
        sn_world *world = driven_copies_of(model, &def);
        floor_of(world, NULL);
        const int at = own ? 17 : 0;
        for (int i = 0; i < def.copies; i++)
            start_copy(world, i, i == at ? 1 : i);
        if (own) {
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_DT, at, 1, &dt), SN_OK);
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_GRAVITY, at, 1, gravity), SN_OK);
        }
        step_many(world, 100);
        copy_get(world, 0, at, q[own], NULL);
        sn_world_free(world);
    }
    assert_memory_equal(q[0], q[1], sizeof(double) * (size_t)nq);
    sn_model_free(model);
}

/* On a slope of 20 degrees the one whose friction is 0.2 slides, at g (sin - mu cos), and the other stays. */
TEST(friction_of_its_own_decides_who_slides) {
    const double angle = 20 * M_PI / 180, normal[3] = {-sin(angle), 0, cos(angle)}, point[3] = {0};
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 5);
    sn_model *model = free_body(&box);
    sn_world_def def = exact_def(2);
    sn_world *world = copies_of(model, &def);
    assert_int_equal(sn_world_add_plane(world, point, normal, NULL, NULL), 0);
    double q[7] = {0.1 * normal[0], 0, 0.1 * normal[2], cos(-angle / 2), 0, sin(-angle / 2), 0}, qd[6],
           mu[2] = {1, 0.2};
    for (int i = 0; i < 2; i++)
        copy_put(world, 0, i, q, NULL);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_FRICTION, 0, 2, mu), SN_OK);
    step_many(world, 240);
    copy_get(world, 0, 0, q, qd);
    assert_true(norm(qd, 3) < 1e-3);
    copy_get(world, 0, 1, q, qd);
    assert_true(fabs(norm(qd, 3) / (9.81 * (sin(angle) - 0.2 * cos(angle))) - 1) < 0.01);
    sn_world_free(world);
    sn_model_free(model);
}

/* Random targets, pushes and resets. SINEW_SOAK says how many steps of 1024 copies; `make soak` takes 100000. */
TEST(copies_stay_finite_for_long) {
    sn_model *model = humanoid();
    const char *soak = getenv("SINEW_SOAK");
    const int steps = soak ? atoi(soak) : in_short() ? 100 : 400, count = soak ? 1024 : 64;
    const int nbody = sn_model_get(model)->nbody;
    struct rng rng = {99};
    sn_world_def def = copies_def(count, SN_PRECISION_FLOAT);
    def.threads = 2;
    def.joint_limits = true;
    def.report_torque = true;
    sn_world *world = driven_copies_of(model, &def);
    floor_of(world, NULL);
    for (int i = 0; i < count; i++)
        start_copy(world, i, i % 60);
    uint8_t *which = malloc((size_t)count);
    double q[MAX_NQ], qd[MAX_NV], push[6 * 64];
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < count / 32; k++) {
            const int who = (int)uniform(&rng, 0, count - 1e-9);
            start_of(model, (int)uniform(&rng, 0, 300), q, qd);
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, who, 1, q), SN_OK);
            for (int b = 0; b < 6 * nbody; b++)
                push[b] = b % 6 < 3 && uniform(&rng, 0, 1) < 0.1 ? uniform(&rng, -300, 300) : 0;
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, who, 1, push), SN_OK);
        }
        if (i % 50 == 49) {
            for (int k = 0; k < count; k++)
                which[k] = uniform(&rng, 0, 1) < 0.1;
            start_of(model, (int)uniform(&rng, 0, 300), q, qd);
            assert_int_equal(sn_world_reset(world, 0, which, q, qd), SN_OK);
        }
        assert_int_equal(sn_world_step(world), SN_OK);
        if (i % 100 == 99 || i == steps - 1) assert_true(all_finite(world));
        const int diverged = stats_of(world).diverged;
        if (diverged) fail_msg("step %d: %d copies diverged", i, diverged);
    }
    free(which);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("copies");
}
