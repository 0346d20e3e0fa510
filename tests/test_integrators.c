/* Integrators: their order, what they conserve, and stable PD under each of them. */
#include "dynamics_helpers.h"

static const char *const integrator_name[] = {
    "semi-implicit Euler", "explicit Euler", "midpoint", "RK2", "RK3", "RK4"};

/* Motion without drives from a random start. */
struct flight {
    const sn_model *model;
    double gravity[3];
    double reach, speed, duration;
    uint64_t seed;
};

struct end {
    double q[MAX_NQ], qd[MAX_NV];
    sn_summary first, last;
};

static void fly(const struct flight *f, sn_integrator integrator, int steps, struct end *end) {
    sn_dynamics_def def = sn_dynamics_def_default();
    memcpy(def.gravity, f->gravity, sizeof def.gravity);
    def.form = SN_FORM_EXPLICIT;
    def.integrator = integrator;
    def.dt = f->duration / steps;
    struct study *c = study_of(f->model, &def);
    struct rng rng = {f->seed};
    random_state(&rng, f->model, f->reach, f->speed, end->q, end->qd);
    assert_int_equal(study_set_state(c, end->q, end->qd), SN_OK);
    assert_int_equal(study_summary(c, &end->first), SN_OK);
    for (int i = 0; i < steps; i++)
        assert_int_equal(study_step(c), SN_OK);
    study_get_state(c, end->q, end->qd);
    assert_int_equal(study_summary(c, &end->last), SN_OK);
    study_free(c);
}

/* Distance of two ends: poses and velocities, the latter in units of the duration. */
static double distance(const struct flight *f, const struct end *a, const struct end *b) {
    double d[2 * MAX_NV];
    const int nv = sn_model_get(f->model)->nv;
    sn_model_pose_subtract(f->model, 1, a->q, b->q, d);
    for (int v = 0; v < nv; v++)
        d[nv + v] = f->duration * (a->qd[v] - b->qd[v]);
    return norm(d, 2 * nv);
}

static double energy_drift(const struct end *e) {
    return fabs(e->last.kinetic + e->last.potential - e->first.kinetic - e->first.potential);
}

static double momentum_drift(const struct end *e) {
    double d[6];
    for (int i = 0; i < 3; i++) {
        d[i] = e->last.linear_momentum[i] - e->first.linear_momentum[i];
        d[3 + i] = e->last.angular_momentum[i] - e->first.angular_momentum[i];
    }
    return norm(d, 6);
}

/* ------------------------------------------------------------------------------------------------ order */

/* From errors at a step and at half of it. */
static double order(double coarse, double fine) {
    return log2(coarse / fine);
}

static const struct {
    sn_integrator integrator;
    double order;
    int steps;
} expected[] = {
    {SN_INTEGRATOR_SEMI_IMPLICIT_EULER, 0.9, 1600},
    {SN_INTEGRATOR_EXPLICIT_EULER, 0.9, 1600},
    {SN_INTEGRATOR_MIDPOINT, 1.9, 400},
    {SN_INTEGRATOR_RK2, 1.9, 400},
    {SN_INTEGRATOR_RK3, 2.8, 200},
    {SN_INTEGRATOR_RK4, 3.8, 100},
};

static void measure_order(const struct flight *f, const char *name, bool conserves_momentum) {
    static struct end reference, coarse, fine;
    fly(f, SN_INTEGRATOR_RK4, 3200, &reference);
    for (int i = 0; i < COUNT(expected); i++) {
        fly(f, expected[i].integrator, expected[i].steps, &coarse);
        fly(f, expected[i].integrator, 2 * expected[i].steps, &fine);
        const double state = order(distance(f, &coarse, &reference), distance(f, &fine, &reference));
        const double energy = order(energy_drift(&coarse), energy_drift(&fine));
        print_message("  %s, %s: order %.2f, of energy %.2f", name, integrator_name[expected[i].integrator],
                      state, energy);
        assert_true(state >= expected[i].order);
        assert_true(energy >= expected[i].order);
        if (conserves_momentum) {
            const double momentum = order(momentum_drift(&coarse), momentum_drift(&fine));
            print_message(", of momentum %.2f (%.1g)", momentum, momentum_drift(&fine));
            assert_true(momentum >= expected[i].order || momentum_drift(&fine) < 1e-11);
        }
        print_message("\n");
    }
}

TEST(errors_of_a_free_humanoid_shrink_with_the_order) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const struct flight f = {model, {0}, 0.5, 1, 0.5, 3};
    measure_order(&f, "humanoid", true);
    sn_model_free(model);
}

TEST(errors_of_a_mixed_tree_shrink_with_the_order) {
    sn_model *model = mixed_model(8, MIX_MASSLESS);
    const struct flight f = {model, {0, 0, 0}, 0.5, 1, 0.5, 4};
    measure_order(&f, "mixed", false);
    sn_model_free(model);
}

/* Springs and gravity do work and give it back; one ball spins fast, so that its quaternion matters. */
TEST(errors_under_gravity_and_springs_shrink_with_the_order) {
    const double com[3] = {0.1, 0.05, -0.2}, inertia[3] = {0.02, 0.03, 0.04};
    sn_body_def body[2] = {simple_body("top", NULL, SN_JOINT_BALL, 1, com, inertia),
                           simple_body("tip", "top", SN_JOINT_UNIVERSAL, 0.5, com, inertia)};
    body[1].pos[2] = -0.4;
    body[0].joint.stiffness = 3;
    body[1].joint.stiffness = 2;
    sn_model *model = build_bodies(body, 2);
    const struct flight f = {model, {0, 0, -9.81}, 0.5, 4, 0.5, 5};
    measure_order(&f, "springs", false);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------ conservation
   */

static sn_model *pendulum(void) {
    const double com[3] = {0, 0, -0.5}, inertia[3] = {0.02, 0.02, 0.001};
    sn_body_def body = simple_body("bob", NULL, SN_JOINT_HINGE, 1, com, inertia);
    body.joint.axis[1] = 1, body.joint.axis[2] = 0;
    return build_bodies(&body, 1);
}

static struct study *study_by(const sn_model *model, sn_form form, sn_integrator integrator, double dt) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.form = form;
    def.integrator = integrator;
    def.dt = dt;
    return study_of(model, &def);
}

/* Largest energy above and below the start, of a swing over many periods. */
static double worst_of_a_swing(sn_integrator integrator, double dt, double duration) {
    sn_model *model = pendulum();
    struct study *c = study_by(model, SN_FORM_EXPLICIT, integrator, dt);
    const double q = 1;
    double worst = 0;
    sn_summary first, s;
    assert_int_equal(study_set_state(c, &q, NULL), SN_OK);
    assert_int_equal(study_summary(c, &first), SN_OK);
    for (int i = 0; i * dt < duration; i++) {
        assert_int_equal(study_step(c), SN_OK);
        assert_int_equal(study_summary(c, &s), SN_OK);
        worst = fmax(worst, fabs(s.kinetic + s.potential - first.kinetic - first.potential));
    }
    study_free(c);
    sn_model_free(model);
    return worst;
}

TEST(semi_implicit_euler_does_not_drift_on_a_pendulum) {
    const double dt = 1.0 / 240, soon = worst_of_a_swing(SN_INTEGRATOR_SEMI_IMPLICIT_EULER, dt, 10),
                 late = worst_of_a_swing(SN_INTEGRATOR_SEMI_IMPLICIT_EULER, dt, 300);
    const double explicit_soon = worst_of_a_swing(SN_INTEGRATOR_EXPLICIT_EULER, dt, 2);
    print_message("  energy off by %.3g J in 10 s, %.3g J in 300 s; explicit Euler %.3g J in 2 s\n", soon,
                  late, explicit_soon);
    assert_true(late < 1.01 * soon);
    assert_true(late < 0.1);
    assert_true(explicit_soon > 2 * late);
}

TEST(rk4_keeps_energy_and_momentum_of_a_free_humanoid) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const struct flight f = {model, {0}, 0.5, 1, 1, 6};
    static struct end end;
    fly(&f, SN_INTEGRATOR_RK4, 480, &end);
    const double energy = energy_drift(&end) / end.first.kinetic;
    print_message("  1 s at 1/480 s: energy %.2g, momentum %.2g\n", energy, momentum_drift(&end));
    assert_true(energy < 1e-6);
    assert_true(momentum_drift(&end) < 1e-6);
    sn_model_free(model);
}

TEST_EACH_INTEGRATOR(quaternions_stay_of_unit_length) {
    struct study *c = study_of(model, def);
    double q[MAX_NQ], qd[MAX_NV], target[MAX_NQ], unused[MAX_NV], worst = 0;
    struct rng rng = {9};
    random_state(&rng, model, 0.5, 3, q, qd);
    qd[3] = 30; /* a spin of the whole body, which nothing stops */
    assert_int_equal(study_set_state(c, q, qd), SN_OK);
    random_state(&rng, model, 0.5, 3, target, unused);
    assert_int_equal(study_set_target(c, target, NULL), SN_OK);
    study_uniform_gains(c, 0, 0, 300, 10);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(study_step(c), SN_OK);
    study_get_state(c, q, NULL);
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (body->nq >= 4) worst = fmax(worst, fabs(norm(q + body->q_index + body->nq - 4, 4) - 1));
    }
    if (!(worst < (def->precision == SN_PRECISION_DOUBLE ? 1e-15 : 2e-7)))
        fail_msg("%s, precision %d: length off by %g", integrator_name[def->integrator], (int)def->precision,
                 worst);
    study_free(c);
}

/* ------------------------------------------------------------------------------------------ stable PD */

/* Largest error while tracking cos t and cos t + 1 (spd-2011 section 3.4) for ten seconds; infinity when it
   diverges. */
static double track(sn_form form, sn_integrator integrator, double kp, double damping, double dt) {
    sn_model *model = two_links();
    struct study *c = study_by(model, form, integrator, dt);
    double worst = 0;
    study_uniform_gains(c, 0, 0, kp, damping * kp * dt);
    for (int i = 0; i * dt < 10 && worst < 100; i++) {
        const double t = (i + 1) * dt, q[2] = {cos(t), 1 + cos(t)};
        const double start[2] = {1, 2};
        if (i == 0) assert_int_equal(study_set_state(c, start, NULL), SN_OK);
        assert_int_equal(study_set_target(c, q, NULL), SN_OK);
        if (study_step(c) != SN_OK) worst = (double)INFINITY;
        double at[2];
        study_get_state(c, at, NULL);
        worst = fmax(worst, fmax(fabs(at[0] - q[0]), fabs(at[1] - q[1])));
    }
    study_free(c);
    sn_model_free(model);
    return worst < 100 ? worst : (double)INFINITY;
}

/* kd = kp dt is the bound of spd-2011, made for explicit Euler. Semi-implicit Euler uses the new
   velocity once more for the position, and where gains outweigh inertia needs kd > 1.5 kp dt
   (SN_GAIN_OVERSHOOTS): there the eigenvalues of a step are the roots of x^2 - (1 - 2/c) x - 1/c, c = kd / (kp dt). */
TEST(stable_pd_works_under_every_integrator) {
    static const double kp[] = {30, 300, 3000, 3e4, 3e5, 3e6};
    for (int i = SN_INTEGRATOR_SEMI_IMPLICIT_EULER; i <= SN_INTEGRATOR_RK4; i++) {
        const double damping = i == SN_INTEGRATOR_SEMI_IMPLICIT_EULER ? 1.6 : 1;
        print_message("  %s, kd = %g kp dt, largest error:", integrator_name[i], damping);
        for (int k = 0; k < COUNT(kp); k++) {
            const double error = track(SN_FORM_STABLE, (sn_integrator)i, kp[k], damping, 1.0 / 60);
            print_message(" %.3g", error);
            assert_true(error < (kp[k] < 100 ? 1 : kp[k] < 1000 ? 0.2 : 0.05));
        }
        print_message("\n");
    }
    assert_true(track(SN_FORM_STABLE, SN_INTEGRATOR_SEMI_IMPLICIT_EULER, 3e6, 1.55, 1.0 / 60) < 0.05);
    assert_true(isinf(track(SN_FORM_STABLE, SN_INTEGRATOR_SEMI_IMPLICIT_EULER, 3e6, 1.4, 1.0 / 60)));
}

TEST(the_full_form_works_under_eulers_methods_without_damping) {
    assert_true(track(SN_FORM_FULL, SN_INTEGRATOR_SEMI_IMPLICIT_EULER, 3e6, 0, 1.0 / 60) < 0.05);
}

TEST(explicit_pd_diverges_where_stable_pd_does_not) {
    assert_true(track(SN_FORM_EXPLICIT, SN_INTEGRATOR_EXPLICIT_EULER, 30, 1, 1.0 / 60) < 10);
    assert_true(isinf(track(SN_FORM_EXPLICIT, SN_INTEGRATOR_EXPLICIT_EULER, 3000, 1, 1.0 / 60)));
    assert_true(isinf(track(SN_FORM_EXPLICIT, SN_INTEGRATOR_SEMI_IMPLICIT_EULER, 3000, 1, 1.0 / 60)));
}

int main(void) {
    return run_all("integrators");
}
