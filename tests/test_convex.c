/* Contact, joint limits and torque limits as one convex problem: it settles, and keeps its laws. */
#include "convex_helpers.h"

#include "base/quat.h"
#include "world/scene.h"

TEST(limp_drops_settle_in_every_step) {
    static const double hertz[] = {240, 120, 60, 30};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    int most = 0, unsettled = 0;
    for (int h = 0; h < COUNT(hertz); h++)
        for (int seed = 1; seed <= (FAST ? 1 : 5); seed++) {
            sn_world_def def = sn_world_def_default();
            def.dt = 1 / hertz[h];
            sn_world *world = drop_of(&def, model, 2, (uint64_t)seed);
            for (int k = 0; k < 2 * hertz[h]; k++) {
                step_world(world);
                const sn_world_stats stats = stats_of(world);
                unsettled += stats.unsettled;
                if (stats.sweeps > most) most = stats.sweeps;
            }
            sn_world_free(world);
        }
    print_message("  at most %d sweeps, %d steps unsettled\n", most, unsettled);
    sn_model_free(model);
    assert_int_equal(unsettled, 0);
    assert_true(most <= 32);
}

TEST(a_solve_that_is_cut_short_is_counted) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.sweeps = 2;
    sn_world *world = drop_of(&def, model, 2, 1);
    int unsettled = 0;
    double residual = 0;
    for (int k = 0; k < 60; k++) {
        step_world(world);
        unsettled += stats_of(world).unsettled;
        residual = fmax(residual, stats_of(world).sweep_residual);
    }
    end_scene(world, model);
    assert_true(unsettled > 0);
    assert_true(residual > 1e-3);
}

TEST(standing_costs_one_sweep) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int hertz = 240; hertz >= 30; hertz /= 2) {
        sn_world *world = standing_world(model, hertz, 1e4);
        run_for(world, 3, 1.0 / hertz);
        for (int k = 0; k < hertz; k++) {
            step_world(world);
            assert_int_equal(stats_of(world).sweeps, 1);
        }
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Every hinge in turn, its target a radian beyond either limit. */
TEST(a_driven_hinge_stays_within_half_a_degree_of_its_limit) {
    static const double gain[][2] = {{300, 30}, {3000, 300}, {1e6, 1e5}};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (int hertz = 240; hertz >= 30; hertz /= 2)
        for (int g = 0; g < COUNT(gain); g++) {
            sn_world_def def = sn_world_def_default();
            def.dt = 1.0 / hertz;
            sn_world *world = world_of(&def);
            const int c = member_of(world, model);
            double q[MAX_NQ], qd[MAX_NV] = {0};
            uniform_gains(world, c, 0, 0, gain[g][0], gain[g][1]);
            sn_world_get_state(world, c, q, NULL);
            for (int b = 0; b < sn_model_get(model)->nbody; b++) {
                const sn_body_info *body = sn_model_body(model, b);
                if (body->joint.type != SN_JOINT_HINGE || !body->joint.limited) continue;
                for (int side = -1; side <= 1; side += 2) {
                    double target[MAX_NQ], x[MAX_NQ];
                    const double limit = side > 0 ? body->joint.upper[0] : body->joint.lower[0];
                    memcpy(target, q, sizeof target);
                    target[body->q_index] = limit + side;
                    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
                    assert_int_equal(sn_world_set_target(world, c, target, NULL), SN_OK);
                    for (int k = 0; k < hertz; k++) {
                        step_world(world);
                        sn_world_get_state(world, c, x, NULL);
                        worst_add(&worst, side * (x[body->q_index] - limit) * 57.3, "%d Hz, kp %g, body %d",
                                  hertz, gain[g][0], b);
                    }
                }
            }
            sn_world_free(world);
        }
    sn_model_free(model);
    assert_worst(&worst, 0.5, "degrees beyond a limit");
}

/* Undamped humanoids dropped at random orientations, many at once: the worst of them. A limit that carries next to nothing
   is let go of and taken up again by rounding, feet meet the ground with the whole weight behind them, and balls turn by more
   than half a radian in a step. Limbs that spin themselves up are not what limits are about: a copy that gains 50 J in a step
   counts no more. */
TEST(undamped_drops_stay_within_two_degrees_of_limits) {
    enum { COPIES = FAST ? 32 : 128 };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int nq = sn_model_get(model)->nq;
    double *q = calloc((size_t)(COPIES * nq), sizeof *q), energy[COPIES];
    struct worst worst = {0};
    for (int hertz = 240; hertz >= 30; hertz /= 2)
        for (int precision = 0; precision < 2; precision++) {
            struct rng rng = {7};
            sn_world_def def = sn_world_def_default();
            def.copies = COPIES, def.dt = 1.0 / hertz,
            def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
            sn_world *world = world_of(&def);
            floor_of(world, NULL);
            const int c = member_of(world, model);
            for (int k = 0; k < COPIES; k++) {
                sn_model_home_pose(model, q + k * nq);
                random_quaternion(&rng, q + k * nq + 3);
                assert_int_equal(sn_world_stand(world, c, q + k * nq), SN_OK);
                q[k * nq + 2] += 1;
                energy[k] = HUGE_VAL;
            }
            assert_int_equal(sn_world_set(world, c, SN_FIELD_Q, 0, COPIES, q), SN_OK);
            for (int i = 0; i < hertz; i++) {
                step_world(world);
                sn_world_get(world, c, SN_FIELD_Q, 0, COPIES, q);
                for (int k = 0; k < COPIES; k++) {
                    sn_summary now;
                    assert_int_equal(sn_world_summary(world, c, k, &now), SN_OK);
                    const double e = now.kinetic + now.potential;
                    energy[k] = e < energy[k] + 50 ? e : -HUGE_VAL;
                    if (energy[k] > 0)
                        worst_add(&worst, past_limits(model, q + k * nq) * 180 / M_PI,
                                  "%s, %d Hz, copy %d, step %d", precision ? "float" : "double", hertz, k, i);
                }
            }
            sn_world_free(world);
        }
    free(q);
    sn_model_free(model);
    assert_worst(&worst, 2, "degrees beyond a limit");
}

/* ------------------------------------------------------------------------------------- the function and its least point */

/* The problem of a box that is thrown at a plane, dense: velocities v of the box, contacts as the world told them. */
struct thrown {
    double mass[6], v0[6], dt, B, mu;
    int n;
    double r[8][3], normal[3], wanted[8], force[8][3];
};

static void thrown_velocity(const struct thrown *t, int k, const double *v, double u[3]) {
    const double *w = v + 3, *r = t->r[k];
    u[0] = v[0] + w[1] * r[2] - w[2] * r[1], u[1] = v[1] + w[2] * r[0] - w[0] * r[2];
    u[2] = v[2] + w[0] * r[1] - w[1] * r[0];
    axpy(-t->wanted[k], t->normal, u, 3);
}

/* phi of docs/theory.md, section 8, with L of the force that the contact had. */
static double contact_potential(const struct thrown *t, int k, const double u[3]) {
    const double un = dvec_dot(u, t->normal), s = sqrt(fmax(0, dvec_dot(u, u) - un * un));
    const double L = t->mu * fmax(0, dvec_dot(t->force[k], t->normal)), push = fmin(0, un);
    return 0.5 * t->B * push * push + (t->B * s <= L ? 0.5 * t->B * s * s : L * s - 0.5 * L * L / t->B);
}

static double potential(const struct thrown *t, const double *v) {
    double sum = 0, u[3];
    for (int i = 0; i < 6; i++)
        sum += 0.5 * t->mass[i] * (v[i] - t->v0[i]) * (v[i] - t->v0[i]);
    sum += t->dt * 9.81 * t->mass[2] * v[2];
    for (int k = 0; k < t->n; k++) {
        thrown_velocity(t, k, v, u);
        sum += t->dt * contact_potential(t, k, u);
    }
    return sum;
}

static void potential_gradient(const struct thrown *t, const double *v, double *gradient) {
    for (int i = 0; i < 6; i++) {
        double x[6], y[6];
        memcpy(x, v, sizeof x), memcpy(y, v, sizeof y);
        x[i] += 1e-5, y[i] -= 1e-5;
        gradient[i] = (potential(t, x) - potential(t, y)) / 2e-5;
    }
}

/* A x = b, 6 by 6, symmetric and positive: Gauss. */
static void solve_six(double A[6][6], double *x) {
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++) {
            if (i == k) continue;
            const double f = A[i][k] / A[k][k];
            for (int j = k; j < 6; j++)
                A[i][j] -= f * A[k][j];
            x[i] -= f * x[k];
        }
    for (int k = 0; k < 6; k++)
        x[k] /= A[k][k];
}

/* Dense Newton with differences for derivatives; the step is halved until the function falls. */
static void least_point(const struct thrown *t, double *v) {
    memcpy(v, t->v0, sizeof t->v0);
    for (int n = 0; n < 60; n++) {
        double A[6][6], g[6], high[6], low[6], x[6], f = potential(t, v), part = 1;
        potential_gradient(t, v, g);
        for (int i = 0; i < 6; i++) {
            memcpy(x, v, sizeof x);
            x[i] += 1e-5, potential_gradient(t, x, high);
            x[i] -= 2e-5, potential_gradient(t, x, low);
            for (int j = 0; j < 6; j++)
                A[i][j] = (high[j] - low[j]) / 2e-5;
        }
        solve_six(A, g);
        for (int k = 0; k < 30; k++, part *= 0.5) {
            memcpy(x, v, sizeof x);
            axpy(-part, g, x, 6);
            if (potential(t, x) < f) break;
        }
        if (!(potential(t, x) < f)) return;
        memcpy(v, x, sizeof x);
    }
}

static struct thrown throw_box(struct rng *rng, double *v) {
    sn_world_def def = sn_world_def_default();
    def.setting = SN_SETTING_EXACT, def.sweeps = 400, def.sweep_tolerance = 1e-10, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    struct thrown t = {.dt = def.dt, .mu = 0.5, .v0 = {uniform(rng, -3, 3), uniform(rng, -3, 3), -2}};
    const double x[3] = {uniform(rng, -0.02, 0.02), uniform(rng, -0.02, 0.02), 1}, zero[3] = {0};
    for (int k = 0; k < 3; k++)
        t.normal[k] = x[k] / dvec_length(x);
    sn_shape_def box = box_of(0.2, 0.15, 0.1, 3);
    const sn_shape_def ground = material_of(t.mu, 0);
    box.friction = t.mu;
    sn_model *model = free_body(&box);
    assert_int_equal(sn_world_add_plane(world, zero, t.normal, &ground, NULL), 0);
    const int c = member_of(world, model);
    put_body(world, c, (const double[3]){0, 0, 0.11}, NULL, t.v0);
    step_world(world);
    double qdd[6];
    assert_int_equal(sn_world_get(world, c, SN_FIELD_QDD, 0, 1, qdd), SN_OK);
    const double inertia[3] = {0.15 * 0.15 + 0.01, 0.04 + 0.01, 0.04 + 0.15 * 0.15};
    for (int i = 0; i < 6; i++) {
        t.mass[i] = i < 3 ? 3 : inertia[i - 3];
        v[i] = t.v0[i] + t.dt * qdd[i];
    }
    t.B = 100 * 3.0 / 8 / t.dt;
    const sn_contact *contact = contacts_of(world, &t.n);
    assert_true(t.n >= 2 && t.n <= 8);
    for (int k = 0; k < t.n; k++) {
        const double gap = contact[k].gap;
        for (int j = 0; j < 3; j++)
            t.r[k][j] = contact[k].pos[j] - (j == 2 ? 0.11 : 0);
        t.wanted[k] = gap > 0 ? -gap / t.dt : fmin(-gap / (2 * t.dt), 1);
        memcpy(t.force[k], contact[k].force, sizeof t.force[k]);
    }
    end_scene(world, model);
    return t;
}

TEST(forces_are_the_gradient_and_the_step_is_the_least_point) {
    struct rng rng = {5};
    struct worst force = {0}, steep = {0}, twin = {0};
    for (int i = 0; i < 20; i++) {
        double v[6], dense[6], g[6];
        const struct thrown t = throw_box(&rng, v);
        for (int k = 0; k < t.n; k++) {
            double u[3], f[3], most = dvec_length(t.force[k]);
            thrown_velocity(&t, k, v, u);
            for (int j = 0; j < 3; j++) {
                double a[3] = {u[0], u[1], u[2]}, b[3] = {u[0], u[1], u[2]};
                a[j] += 1e-6, b[j] -= 1e-6;
                f[j] = -(contact_potential(&t, k, a) - contact_potential(&t, k, b)) / 2e-6;
                worst_add(&force, fabs(f[j] - t.force[k][j]) / (most + 1), "throw %d, contact %d", i, k);
            }
        }
        potential_gradient(&t, v, g);
        least_point(&t, dense);
        for (int j = 0; j < 6; j++) {
            worst_add(&steep, fabs(g[j]), "throw %d, %d", i, j);
            worst_add(&twin, fabs(v[j] - dense[j]), "throw %d, %d", i, j);
        }
    }
    assert_worst(&force, 1e-7, "force against the difference of the function");
    assert_worst(&steep, 1e-6, "gradient at the end of a step, N s");
    assert_worst(&twin, 1e-6, "velocity against the dense least point, m/s");
}

/* ------------------------------------------------------------------------------------------------------ torque limits */

/* By how much the worst torque of a copy is beyond the limit, relative. */
static double beyond_limit(const sn_model *model, const double *tau, double limit) {
    double most = 0;
    for (int b = 1; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        most = fmax(most, norm(tau + body->v_index, body->nv) / limit - 1);
    }
    return most;
}

/* Humanoids that fall over, or float, while their targets jump a radian four times per second. */
struct jumping {
    sn_precision precision;
    double kp;
    int hertz;
    bool floats; /* torques of such are worked out by inverse dynamics */
};

enum { JUMPING = 32, TORQUE = 100 };

static sn_world *jumping_world(const sn_model *model, const struct jumping *j, sn_setting setting) {
    static double limit[JUMPING * MAX_NV];
    const int nv = sn_model_get(model)->nv;
    sn_world_def def = sn_world_def_default();
    def.setting = setting, def.copies = JUMPING, def.precision = j->precision, def.dt = 1.0 / j->hertz;
    def.torque_limits = def.report_torque = true;
    sn_world *world = world_of(&def);
    if (!j->floats) floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, j->kp, 0.1 * j->kp);
    for (int i = 0; i < JUMPING * nv; i++)
        limit[i] = i % nv < 6 ? (double)INFINITY : TORQUE;
    assert_int_equal(sn_world_set(world, c, SN_FIELD_TORQUE_LIMIT, 0, JUMPING, limit), SN_OK);
    return world;
}

static void start_jumping(sn_world *world, const sn_model *model, double *pose) {
    static double q[JUMPING * MAX_NQ];
    const int nq = sn_model_get(model)->nq;
    sn_model_zero_pose(model, pose);
    pose[2] = 0.95;
    for (int i = 0; i < JUMPING; i++)
        memcpy(q + i * nq, pose, (size_t)nq * sizeof *q);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, 0, JUMPING, q), SN_OK);
}

static void choose_targets(const sn_model *model, struct rng *rng, const double *pose, double *target) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    for (int i = 0; i < JUMPING; i++) {
        double dv[MAX_NV] = {0};
        random_values(rng, 1, dv + 6, nv - 6);
        sn_model_pose_add(model, 1, pose, dv, target + i * nq);
    }
}

/* Returns how many diverge. */
static int jumping_crowd(const sn_model *model, const struct jumping *j, struct worst *worst) {
    static double target[JUMPING * MAX_NQ], tau[JUMPING * MAX_NV];
    const int nv = sn_model_get(model)->nv;
    double pose[MAX_NQ];
    struct rng rng = {7};
    sn_world *world = jumping_world(model, j, SN_SETTING_CROWD);
    start_jumping(world, model, pose);
    for (int k = 0; k < (FAST ? 1 : 2) * j->hertz; k++) {
        if (k % (j->hertz / 4) == 0) choose_targets(model, &rng, pose, target);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, 0, JUMPING, target), SN_OK);
        step_world(world);
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_TORQUE, 0, JUMPING, tau), SN_OK);
        for (int i = 0; i < JUMPING; i++)
            worst_add(worst, beyond_limit(model, tau + i * nv, TORQUE), "kp %g, %d Hz, copy %d, step %d",
                      j->kp, j->hertz, i, k);
    }
    const int diverged = stats_of(world).diverged;
    sn_world_free(world);
    return diverged;
}

TEST(a_crowd_under_torque_limits_does_not_diverge) {
    static const struct jumping cases[] = {
        {SN_PRECISION_DOUBLE, 500, 60, false}, {SN_PRECISION_FLOAT, 500, 60, false},
        {SN_PRECISION_FLOAT, 5000, 60, false}, {SN_PRECISION_FLOAT, 5000, 60, true},
        {SN_PRECISION_DOUBLE, 5000, 60, true}, {SN_PRECISION_FLOAT, 75000, 240, true}};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(jumping_crowd(model, &cases[i], &worst), 0);
    sn_model_free(model);
    assert_worst(&worst, 1e-3, "torque beyond its limit");
}

/* Steps of a crowd against those of the convex problem from the same states: 0.75 % of the limit off in the mean at kp 500,
   2.0 % at kp 5000. */
TEST(torques_of_a_crowd_are_those_of_the_convex_problem) {
    static double q[JUMPING * MAX_NQ], qd[JUMPING * MAX_NV], target[JUMPING * MAX_NQ];
    static double tau[JUMPING * MAX_NV], exact[JUMPING * MAX_NV];
    const struct jumping j = {SN_PRECISION_DOUBLE, 500, 60, true};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *crowd = jumping_world(model, &j, SN_SETTING_CROWD),
             *other = jumping_world(model, &j, SN_SETTING_EXACT);
    const int nv = sn_model_get(model)->nv, steps = FAST ? 20 : 60;
    double pose[MAX_NQ], sum = 0;
    struct rng rng = {7};
    start_jumping(crowd, model, pose);
    for (int k = 0; k < steps; k++) {
        if (k % (j.hertz / 4) == 0) choose_targets(model, &rng, pose, target);
        assert_int_equal(sn_world_get(crowd, 0, SN_FIELD_Q, 0, JUMPING, q), SN_OK);
        assert_int_equal(sn_world_get(crowd, 0, SN_FIELD_QD, 0, JUMPING, qd), SN_OK);
        assert_int_equal(sn_world_set(other, 0, SN_FIELD_Q, 0, JUMPING, q), SN_OK);
        assert_int_equal(sn_world_set(other, 0, SN_FIELD_QD, 0, JUMPING, qd), SN_OK);
        assert_int_equal(sn_world_set(crowd, 0, SN_FIELD_TARGET_Q, 0, JUMPING, target), SN_OK);
        assert_int_equal(sn_world_set(other, 0, SN_FIELD_TARGET_Q, 0, JUMPING, target), SN_OK);
        step_world(crowd), step_world(other);
        assert_int_equal(sn_world_get(crowd, 0, SN_FIELD_TORQUE, 0, JUMPING, tau), SN_OK);
        assert_int_equal(sn_world_get(other, 0, SN_FIELD_TORQUE, 0, JUMPING, exact), SN_OK);
        for (int i = 0; i < JUMPING * nv; i++)
            sum += fabs(tau[i] - exact[i]) / TORQUE / (JUMPING * (nv - 6) * steps);
    }
    sn_world_free(crowd), end_scene(other, model);
    assert_true(sum < 0.02);
}

int main(void) {
    return run_all("convex");
}
