/* Poses, velocities, Jacobians, energies and momenta against finite differences and sums over bodies. */
#include "dynamics_helpers.h"

#include "base/quat.h"

/* A character of every model of the zoo in a few random states. */
typedef void examine(struct study *character, const double *q, const double *qd, struct rng *rng,
                     const char *name, struct worst *worst);

static void for_each_state(examine *look, struct worst *worst) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        sn_dynamics_def def = sn_dynamics_def_default();
        const double gravity[3] = {1.5, -3, -8}; /* no axis is special */
        memcpy(def.gravity, gravity, sizeof gravity);
        struct study *character = study_of(model, &def);
        for (int s = 0; s < (sn_model_get(model)->nv > 50 ? 1 : 3); s++) {
            struct rng rng = {(uint64_t)(100 * index + s)};
            double q[MAX_NQ], qd[MAX_NV];
            disturb(&rng, character, DRIVE_PLAIN);
            study_get_state(character, q, qd);
            look(character, q, qd, &rng, zoo_name(index), worst);
        }
        study_free(character);
        sn_model_free(model);
    }
}

/* The worst that is seen in any state is within the bound. */
static void assert_in_each_state(examine *look, double bound, const char *what) {
    struct worst worst = {0};
    for_each_state(look, &worst);
    assert_worst(&worst, bound, what);
}

/* Puts it at q (+) h dv. */
static void move_to(struct study *c, const double *q, const double *dv, double h) {
    double step[MAX_NV], moved[MAX_NQ];
    for (int i = 0; i < sn_model_get(c->model)->nv; i++)
        step[i] = h * dv[i];
    sn_model_pose_add(c->model, 1, q, step, moved);
    assert_int_equal(study_set_state(c, moved, NULL), SN_OK);
}

/* World position of a point of a body, and the body's orientation. */
static void point_at(struct study *c, int body, const double point[3], double x[3], double rot[4]) {
    double arm[3];
    assert_int_equal(study_body_pose(c, body, x, rot), SN_OK);
    dquat_rotate(rot, point, arm);
    axpy(1, arm, x, 3);
}

/* Rate of a point and of its body's orientation along dv, by central differences: linear, then angular. */
static void rate_of_point(struct study *c, const double *q, const double *dv, int body, const double point[3],
                          double rate[6]) {
    const double h = 1e-5;
    double x[2][3], rot[2][4], turn[4];
    for (int side = 0; side < 2; side++) {
        move_to(c, q, dv, side ? -h : h);
        point_at(c, body, point, x[side], rot[side]);
    }
    for (int i = 0; i < 3; i++)
        rate[i] = (x[0][i] - x[1][i]) / (2 * h);
    dquat_conjugate(rot[1], rot[1]);
    dquat_multiply(rot[0], rot[1], turn); /* the turn from before to after, in world axes */
    dquat_log(turn, rate + 3);
    for (int i = 3; i < 6; i++)
        rate[i] /= 2 * h;
    assert_int_equal(study_set_state(c, q, NULL), SN_OK);
}

/* ------------------------------------------------------------------------------------------------ motion
   */

static void velocity_is_rate(struct study *c, const double *q, const double *qd,
                             __attribute__((unused)) struct rng *rng, const char *name, struct worst *worst) {
    const double origin[3] = {0};
    for (int body = 0; body < sn_model_get(c->model)->nbody; body++) {
        double rate[6], velocity[6];
        rate_of_point(c, q, qd, body, origin, rate);
        assert_int_equal(study_body_velocity(c, body, velocity, velocity + 3), SN_OK);
        worst_add(worst, relative_error(velocity, rate, 6), "%s, body %d", name, body);
    }
}

TEST(body_velocity_is_the_rate_of_body_pose) {
    assert_in_each_state(velocity_is_rate, 1e-8, "velocity against differences of the pose");
}

static void jacobian_is_rate(struct study *c, const double *q, const double *qd, struct rng *rng,
                             const char *name, struct worst *worst) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv, nbody = sn_model_get(model)->nbody;
    double J[6 * MAX_NV], by_rate[6 * MAX_NV], point[3], unit[MAX_NV] = {0}, rate[6], velocity[6], from_J[6];
    const double origin[3] = {0};
    for (int k = 0; k < 3; k++) {
        const int body = k == 0 ? nbody - 1 : (int)uniform(rng, 0, nbody);
        random_values(rng, 0.3, point, 3);
        assert_int_equal(study_jacobian(c, body, point, J), SN_OK);
        for (int v = 0; v < nv; v++) {
            unit[v] = 1;
            rate_of_point(c, q, unit, body, point, rate);
            unit[v] = 0;
            for (int r = 0; r < 6; r++)
                by_rate[r * nv + v] = rate[r];
        }
        worst_add(&worst[0], relative_error(J, by_rate, 6 * nv), "%s, body %d", name, body);
        assert_int_equal(study_jacobian(c, body, origin, J), SN_OK);
        for (int r = 0; r < 6; r++)
            from_J[r] = inner(J + r * nv, qd, nv);
        assert_int_equal(study_body_velocity(c, body, velocity, velocity + 3), SN_OK);
        worst_add(&worst[1], relative_error(from_J, velocity, 6), "%s, body %d", name, body);
    }
}

TEST(jacobian_is_the_derivative_of_a_point) {
    struct worst worst[2] = {0};
    for_each_state(jacobian_is_rate, worst);
    assert_worst(&worst[0], 1e-8, "Jacobian against differences of the pose");
    assert_worst(&worst[1], 1e-12, "J qd against body velocity");
}

static void push_is_jacobian(struct study *c, __attribute__((unused)) const double *q,
                             __attribute__((unused)) const double *qd, struct rng *rng, const char *name,
                             struct worst *worst) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv, nbody = sn_model_get(model)->nbody;
    const double origin[3] = {0};
    double J[6 * MAX_NV], tau[2][MAX_NV], expected[MAX_NV] = {0}, qdd[MAX_NV];
    random_values(rng, 5, qdd, nv);
    assert_int_equal(study_inverse_dynamics(c, qdd, tau[0]), SN_OK);
    for (int body = 0; body < nbody; body += 2) {
        double f[6];
        random_values(rng, 100, f, 3);
        random_values(rng, 10, f + 3, 3);
        assert_int_equal(study_set_push(c, body, f, f + 3), SN_OK);
        assert_int_equal(study_jacobian(c, body, origin, J), SN_OK);
        for (int r = 0; r < 6; r++)
            axpy(-f[r], J + r * nv, expected, nv);
    }
    assert_int_equal(study_inverse_dynamics(c, qdd, tau[1]), SN_OK);
    axpy(-1, tau[0], tau[1], nv);
    worst_add(worst, relative_error(tau[1], expected, nv), "%s", name);
    for (int body = 0; body < nbody; body++) /* NULL takes a push away again */
        assert_int_equal(study_set_push(c, body, NULL, NULL), SN_OK);
    assert_int_equal(study_inverse_dynamics(c, qdd, tau[1]), SN_OK);
    assert_true(relative_error(tau[1], tau[0], nv) == 0);
}

TEST(a_push_enters_as_jacobian_transposed_times_force) {
    assert_in_each_state(push_is_jacobian, 1e-11, "push in the inverse dynamics");
}

/* ------------------------------------------------------------------------------------------------ energy
   */

/* Kinetic energy of the armature, which belongs to M but to no body. */
static double armature_energy(const sn_model *model, const double *qd) {
    double energy = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        energy += 0.5 * body->joint.armature * inner(qd + body->v_index, qd + body->v_index, body->nv);
    }
    return energy;
}

static double damping_power(const sn_model *model, const double *qd) {
    double power = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        power += body->joint.damping * inner(qd + body->v_index, qd + body->v_index, body->nv);
    }
    return power;
}

static double energy_at(struct study *c, const double *q, const double *qd, const double *dv,
                        const double *qdd, double h, bool kinetic) {
    const sn_model *model = c->model;
    double step[MAX_NV], moved[MAX_NQ], faster[MAX_NV];
    sn_summary s;
    for (int i = 0; i < sn_model_get(model)->nv; i++) {
        step[i] = h * dv[i];
        faster[i] = qd[i] + (qdd ? h * qdd[i] : 0);
    }
    sn_model_pose_add(model, 1, q, step, moved);
    assert_int_equal(study_set_state(c, moved, faster), SN_OK);
    assert_int_equal(study_summary(c, &s), SN_OK);
    return kinetic ? s.kinetic + s.potential + armature_energy(model, faster) : s.potential;
}

/* The derivative of a function from four of its values, of fourth order. */
static const struct {
    double at, weight;
} stencil[4] = {{1, 2.0 / 3}, {-1, -2.0 / 3}, {2, -1.0 / 12}, {-2, 1.0 / 12}};

static double energy_rate(struct study *c, const double *q, const double *qd, const double *dv,
                          const double *qdd, bool kinetic) {
    const double h = 1e-5;
    double rate = 0;
    for (int i = 0; i < 4; i++)
        rate += stencil[i].weight * energy_at(c, q, qd, dv, qdd, stencil[i].at * h, kinetic);
    return rate / h;
}

static void power_balances(struct study *c, const double *q, const double *qd, struct rng *rng,
                           const char *name, struct worst *worst) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv;
    double tau[MAX_NV], qdd[MAX_NV];
    random_values(rng, 20, tau, nv);
    assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
    const double power = inner(tau, qd, nv) - damping_power(model, qd);
    const double rate = energy_rate(c, q, qd, qd, qdd, true);
    worst_add(worst, fabs(rate - power) / (norm(tau, nv) * norm(qd, nv)), "%s", name);
}

TEST(power_of_torques_is_the_rate_of_energy) {
    assert_in_each_state(power_balances, 1e-6, "power balance");
}

static void gradient_is_static_torque(struct study *c, const double *q,
                                      __attribute__((unused)) const double *qd,
                                      __attribute__((unused)) struct rng *rng, const char *name,
                                      struct worst *worst) {
    const int nv = sn_model_get(c->model)->nv;
    double still[MAX_NV] = {0}, unit[MAX_NV] = {0}, tau[MAX_NV], gradient[MAX_NV];
    assert_int_equal(study_set_state(c, q, still), SN_OK);
    assert_int_equal(study_inverse_dynamics(c, still, tau), SN_OK);
    for (int v = 0; v < nv; v++) {
        unit[v] = 1;
        gradient[v] = energy_rate(c, q, still, unit, NULL, false);
        unit[v] = 0;
    }
    worst_add(worst, relative_error(tau, gradient, nv), "%s", name);
}

TEST(static_torque_is_the_gradient_of_potential_energy) {
    assert_in_each_state(gradient_is_static_torque, 1e-7, "gradient of the potential");
}

/* ---------------------------------------------------------------------------------------------- summaries
   */

/* R J R^T w for the inertia of a body. */
static void turned_inertia(const sn_body_info *body, const double rot[4], const double w[3], double L[3]) {
    const double *J = body->inertia;
    double own[3], turned[3], back[4];
    dquat_conjugate(rot, back);
    dquat_rotate(back, w, own);
    turned[0] = J[0] * own[0] + J[3] * own[1] + J[4] * own[2];
    turned[1] = J[3] * own[0] + J[1] * own[1] + J[5] * own[2];
    turned[2] = J[4] * own[0] + J[5] * own[1] + J[2] * own[2];
    dquat_rotate(rot, turned, L);
}

static void summary_is_sum(struct study *c, __attribute__((unused)) const double *q, const double *qd,
                           __attribute__((unused)) struct rng *rng, const char *name, struct worst *worst) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv;
    double kinetic = 0, first[3] = {0}, p[3] = {0}, about_origin[3] = {0}, shift[3];
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        double x[3], rot[4], v[3], w[3], arm[3], turn[3], L[3], momentum[3];
        assert_int_equal(study_body_pose(c, i, x, rot), SN_OK);
        assert_int_equal(study_body_velocity(c, i, v, w), SN_OK);
        dquat_rotate(rot, body->com, arm);
        dvec_cross(w, arm, turn);
        axpy(1, arm, x, 3), axpy(1, turn, v, 3); /* of the centre of mass now */
        turned_inertia(body, rot, w, L);
        kinetic += 0.5 * (body->mass * dvec_dot(v, v) + dvec_dot(w, L));
        axpy(body->mass, x, first, 3), axpy(body->mass, v, p, 3);
        dvec_cross(x, v, momentum);
        axpy(body->mass, momentum, about_origin, 3), axpy(1, L, about_origin, 3);
    }
    sn_summary s;
    assert_int_equal(study_summary(c, &s), SN_OK);
    for (int i = 0; i < 3; i++)
        first[i] /= sn_model_get(model)->mass;
    dvec_cross(first, p, shift);
    axpy(-1, shift, about_origin, 3);
    worst_add(worst, fabs(s.kinetic - kinetic) / kinetic, "%s, kinetic", name);
    worst_add(worst, relative_error(s.com, first, 3), "%s, centre of mass", name);
    worst_add(worst, relative_error(s.linear_momentum, p, 3), "%s, momentum", name);
    worst_add(worst, relative_error(s.angular_momentum, about_origin, 3), "%s, angular momentum", name);
    /* and the quadratic form of M */
    static double M[MAX_NV * MAX_NV];
    double Mqd[MAX_NV];
    assert_int_equal(study_mass_matrix(c, M), SN_OK);
    multiply(M, qd, Mqd, nv);
    const double half = 0.5 * inner(qd, Mqd, nv) - armature_energy(model, qd);
    worst_add(worst, fabs(half - kinetic) / kinetic, "%s, quadratic form", name);
}

TEST(energy_and_momentum_are_sums_over_bodies) {
    assert_in_each_state(summary_is_sum, 1e-12, "energy and momentum");
}

/* Of a character that nothing holds: its weight is all that acts from outside. */
static void momentum_balances(struct study *c, const double *q, const double *qd, struct rng *rng,
                              const char *name, struct worst *worst) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv;
    if (sn_model_body(model, 0)->joint.type != SN_JOINT_FREE || strncmp(name, "mixed", 5) == 0) return;
    double tau[MAX_NV] = {0}, qdd[MAX_NV], rate[3] = {0}, turn_rate[3] = {0};
    const double h = 1e-5;
    random_values(rng, 20, tau + 6, nv - 6); /* inner torques only */
    assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
    for (int k = 0; k < 4; k++) {
        double step[MAX_NV], moved[MAX_NQ], faster[MAX_NV];
        sn_summary s;
        for (int i = 0; i < nv; i++)
            step[i] = stencil[k].at * h * qd[i], faster[i] = qd[i] + stencil[k].at * h * qdd[i];
        sn_model_pose_add(model, 1, q, step, moved);
        assert_int_equal(study_set_state(c, moved, faster), SN_OK);
        assert_int_equal(study_summary(c, &s), SN_OK);
        axpy(stencil[k].weight / h, s.linear_momentum, rate, 3);
        axpy(stencil[k].weight / h, s.angular_momentum, turn_rate, 3);
    }
    const double mass = sn_model_get(model)->mass, weight[3] = {1.5 * mass, -3 * mass, -8 * mass};
    worst_add(&worst[0], relative_error(rate, weight, 3), "%s", name);
    worst_add(&worst[1], norm(turn_rate, 3) / norm(tau, nv), "%s", name);
}

TEST(inner_torques_change_no_momentum) {
    struct worst worst[2] = {0};
    for_each_state(momentum_balances, worst);
    assert_worst(&worst[0], 1e-7, "rate of momentum against weight");
    assert_worst(&worst[1], 1e-7, "rate of angular momentum");
}

int main(void) {
    return run_all("kinematics");
}
