/* Cases a textbook solves, and joints built in two ways. */
#include "dynamics_helpers.h"

#include "base/quat.h"

static const double G = 9.81;

/* ----------------------------------------------------------------------------------------------- textbook
   */

TEST(a_pendulum_accelerates_as_the_formula_says) {
    const double m = 1.7, l = 0.6, I = 0.05, com[3] = {0, 0, -l}, inertia[3] = {I, I, I};
    sn_body_def body = simple_body("bob", NULL, SN_JOINT_HINGE, m, com, inertia);
    body.joint.axis[0] = 0, body.joint.axis[1] = 3, body.joint.axis[2] = 0; /* any length will do */
    sn_model *model = build_bodies(&body, 1);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    for (int i = -10; i <= 10; i++) {
        const double q = 0.3 * i, qd = 0.5 * i, tau = 0.7 * i;
        double qdd;
        assert_int_equal(study_set_state(c, &q, &qd), SN_OK);
        assert_int_equal(study_forward_dynamics(c, &tau, &qdd), SN_OK);
        assert_near(qdd, (tau - m * G * l * sin(q)) / (I + m * l * l), 1e-13);
        sn_summary s;
        assert_int_equal(study_summary(c, &s), SN_OK);
        assert_near(s.kinetic, 0.5 * (I + m * l * l) * qd * qd, 1e-13);
        assert_near(s.potential, -m * G * l * cos(q), 1e-13);
    }
    study_free(c);
    sn_model_free(model);
}

/* Angles a, b of both links from the vertical; lengths to the centres c1, c2; l the first link. Lagrange:
     (I1 + m1 c1^2 + m2 l^2) a'' + m2 l c2 cos(a-b) b'' = -m2 l c2 sin(a-b) b'^2 - (m1 c1 + m2 l) g sin a
     m2 l c2 cos(a-b) a'' + (I2 + m2 c2^2) b''          =  m2 l c2 sin(a-b) a'^2 - m2 c2 g sin b */
TEST(a_compound_double_pendulum_follows_lagrange) {
    const double m1 = 1.2, m2 = 0.8, l = 0.7, c1 = 0.3, c2 = 0.25, I1 = 0.06, I2 = 0.02;
    const double com1[3] = {0, 0, -c1}, com2[3] = {0, 0, -c2}, J1[3] = {I1, I1, I1}, J2[3] = {I2, I2, I2};
    sn_body_def body[2] = {simple_body("upper", NULL, SN_JOINT_HINGE, m1, com1, J1),
                           simple_body("lower", "upper", SN_JOINT_HINGE, m2, com2, J2)};
    body[1].pos[2] = -l;
    for (int i = 0; i < 2; i++)
        body[i].joint.axis[1] = 1, body[i].joint.axis[2] = 0;
    sn_model *model = build_bodies(body, 2);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    struct rng rng = {1};
    for (int i = 0; i < 100; i++) {
        double q[2], qd[2], qdd[2];
        const double tau[2] = {0, 0};
        random_values(&rng, 3, q, 2), random_values(&rng, 5, qd, 2);
        assert_int_equal(study_set_state(c, q, qd), SN_OK);
        assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
        const double a = q[0], b = q[0] + q[1], da = qd[0], db = qd[0] + qd[1];
        const double A11 = I1 + m1 * c1 * c1 + m2 * l * l, A12 = m2 * l * c2 * cos(a - b),
                     A22 = I2 + m2 * c2 * c2;
        const double r1 = -m2 * l * c2 * sin(a - b) * db * db - (m1 * c1 + m2 * l) * G * sin(a);
        const double r2 = m2 * l * c2 * sin(a - b) * da * da - m2 * c2 * G * sin(b),
                     det = A11 * A22 - A12 * A12;
        const double dda = (A22 * r1 - A12 * r2) / det, ddb = (A11 * r2 - A12 * r1) / det;
        assert_near(qdd[0], dda, 1e-11 * (1 + fabs(dda)));
        assert_near(qdd[1], ddb - dda, 1e-11 * (1 + fabs(ddb) + fabs(dda)));
    }
    study_free(c);
    sn_model_free(model);
}

TEST(everything_free_falls_alike) {
    for (int index = 0; index < BUILTIN_COUNT; index++) {
        struct study *c = zoo_study(index);
        const int nv = sn_model_get(c->model)->nv;
        struct rng rng = {2};
        double q[MAX_NQ], qd[MAX_NV], still[MAX_NV] = {0}, qdd[MAX_NV], fall[MAX_NV] = {0, 0, -G};
        random_state(&rng, c->model, 0.8, 0, q, qd);
        assert_int_equal(study_set_state(c, q, still), SN_OK);
        assert_int_equal(study_forward_dynamics(c, still, qdd), SN_OK);
        assert_true(relative_error(qdd, fall, nv) < 1e-9);
        zoo_study_free(c);
    }
}

static sn_model *top(sn_joint_type type, const double com[3]) {
    const double inertia[3] = {0.3, 0.3, 0.5};
    const sn_body_def body = simple_body("top", NULL, type, 2, com, inertia);
    return build_bodies(&body, 1);
}

/* Without torque the angular velocity of a symmetric body goes round its axis at (C - A)/A w_z, seen from
   the body. */
TEST(a_free_symmetric_top_precesses_at_eulers_rate) {
    const double centre[3] = {0};
    sn_model *model = top(SN_JOINT_FREE, centre);
    sn_dynamics_def def = sn_dynamics_def_default();
    memset(def.gravity, 0, sizeof def.gravity);
    def.form = SN_FORM_EXPLICIT;
    def.integrator = SN_INTEGRATOR_RK4;
    def.dt = 1e-3;
    struct study *c = study_of(model, &def);
    const double w = 1.5, spin = 6, rate = (0.5 - 0.3) / 0.3 * spin, qd[6] = {0, 0, 0, w, 0, spin};
    assert_int_equal(study_set_state(c, NULL, qd), SN_OK);
    for (int i = 1; i <= 1000; i++) {
        double now[6];
        assert_int_equal(study_step(c), SN_OK);
        study_get_state(c, NULL, now);
        assert_near(now[3], w * cos(rate * i * def.dt), 1e-8);
        assert_near(now[4], w * sin(rate * i * def.dt), 1e-8);
        assert_near(now[5], spin, 1e-10);
    }
    study_free(c);
    sn_model_free(model);
}

/* A heavy top on a ball joint: steady precession P at tilt t holds (C s P - A' P^2 cos t) = m g l, s the
   spin about its own axis with the share of P in it. Then the tilt does not change: d(omega)/dt is P z x
   omega. */
TEST(a_heavy_top_precesses_steadily) {
    const double l = 0.25, com[3] = {0, 0, l};
    sn_model *model = top(SN_JOINT_BALL, com);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    const double A = 0.3 + 2 * l * l, C = 0.5, t = 0.6, P = 1.2;
    const double s = (2 * G * l + A * P * P * cos(t)) / (C * P);
    /* the body's own axes: tilted about x by t, spin axis z; omega = P e_z(world) + (s - P cos t) e_z(own)
       */
    const double q[4] = {cos(t / 2), sin(t / 2), 0, 0}, qd[3] = {0, P * sin(t), s}, tau[3] = {0};
    double qdd[3];
    assert_int_equal(study_set_state(c, q, qd), SN_OK);
    assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
    /* omega keeps still in the frame that precesses; the body turns in it at s - P cos t about z, so that
       in the body's own axes omega goes the other way round */
    assert_near(qdd[0], (s - P * cos(t)) * P * sin(t), 1e-12);
    assert_near(qdd[1], 0, 1e-12);
    assert_near(qdd[2], 0, 1e-12);
    study_free(c);
    sn_model_free(model);
}

/* A bead on a rod that turns about the vertical: r'' = r w^2 along the rod, torque 2 m r r' w across it. */
TEST(a_slider_on_a_turning_rod_feels_coriolis) {
    const double com[3] = {0}, J[3] = {0.1, 0.1, 0.1}, Jb[3] = {0.01, 0.01, 0.01}, m = 0.4;
    sn_body_def body[2] = {simple_body("rod", NULL, SN_JOINT_HINGE, 1, com, J),
                           simple_body("bead", "rod", SN_JOINT_SLIDE, m, com, Jb)};
    body[1].joint.axis[0] = 1, body[1].joint.axis[2] = 0;
    sn_model *model = build_bodies(body, 2);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    const double r = 0.8, w = 3, v = -1.5, q[2] = {0.4, r}, qd[2] = {w, v}, tau[2] = {0};
    double qdd[2];
    assert_int_equal(study_set_state(c, q, qd), SN_OK);
    assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
    assert_near(qdd[1], r * w * w, 1e-12);
    assert_near(qdd[0], -2 * m * r * v * w / (0.1 + 0.01 + m * r * r), 1e-12);
    study_free(c);
    sn_model_free(model);
}

/* -------------------------------------------------------------------------------------------- two builds
   */

static sn_body_def lump(const char *name, const char *parent, sn_joint_type type) {
    const double com[3] = {0.12, -0.05, 0.2}, inertia[3] = {0.02, 0.03, 0.035};
    sn_body_def body = simple_body(name, parent, type, 1.3, com, inertia);
    body.inertia[3] = 0.004, body.inertia[4] = -0.003, body.inertia[5] = 0.002;
    return body;
}

static sn_body_def link_without_mass(const char *name, const char *parent, sn_joint_type type,
                                     const double axis[3]) {
    const double zero[3] = {0};
    sn_body_def body = simple_body(name, parent, type, 0, zero, zero);
    memcpy(body.joint.axis, axis, sizeof body.joint.axis);
    return body;
}

/* A cart on the world, then the joint under test at (0.1, 0.2, -0.1), then a lump on a hinge beyond it. */
static sn_body_def cart(void) {
    sn_body_def body = lump("cart", NULL, SN_JOINT_FREE);
    return body;
}
static sn_body_def tail(void) {
    sn_body_def body = lump("tail", "lump", SN_JOINT_HINGE);
    body.pos[2] = 0.5;
    return body;
}
static void at_joint(sn_body_def *body) {
    body->pos[0] = 0.1, body->pos[1] = 0.2, body->pos[2] = -0.1;
}

TEST(a_universal_joint_is_two_hinges_with_a_massless_link) {
    const double a1[3] = {0.3, 1, -0.2}, a2[3] = {1, 0.2, 0.4};
    sn_body_def joint = lump("lump", "cart", SN_JOINT_UNIVERSAL), first,
                second = lump("lump", "cross", SN_JOINT_HINGE);
    memcpy(joint.joint.axis, a1, sizeof a1), memcpy(joint.joint.axis2, a2, sizeof a2);
    first = link_without_mass("cross", "cart", SN_JOINT_HINGE, a1);
    memcpy(second.joint.axis, a2, sizeof a2);
    at_joint(&joint), at_joint(&first);
    sn_model *one = build_bodies((sn_body_def[]){cart(), joint, tail()}, 3);
    sn_model *two = build_bodies((sn_body_def[]){cart(), first, second, tail()}, 4);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c1 = study_of(one, &def), *c2 = study_of(two, &def);
    const int nv = sn_model_get(one)->nv;
    assert_int_equal(nv, sn_model_get(two)->nv);
    struct rng rng = {3};
    struct worst worst = {0};
    for (int i = 0; i < 20; i++) {
        double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV], target[MAX_NQ], qdd1[MAX_NV], qdd2[MAX_NV],
            unused[MAX_NV];
        random_state(&rng, one, 1.5, 3, q, qd), random_state(&rng, one, 1.5, 3, target, unused);
        sn_gains_uniform(one, 20000, 2000, 75000, 4000, kp, kd);
        struct study *const both[] = {c1, c2};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(study_set_state(both[k], q, qd), SN_OK);
            assert_int_equal(study_set_target(both[k], target, NULL), SN_OK);
            assert_int_equal(study_set_gains(both[k], kp, kd), SN_OK);
        }
        assert_int_equal(study_drive_acceleration(c1, qdd1), SN_OK);
        assert_int_equal(study_drive_acceleration(c2, qdd2), SN_OK);
        worst_add(&worst, relative_error(qdd1, qdd2, nv), "stable PD");
        random_values(&rng, 10, kp, nv);
        assert_int_equal(study_forward_dynamics(c1, kp, qdd1), SN_OK);
        assert_int_equal(study_forward_dynamics(c2, kp, qdd2), SN_OK);
        worst_add(&worst, relative_error(qdd1, qdd2, nv), "forward dynamics");
    }
    assert_worst(&worst, 1e-10, "universal against two hinges");
    study_free(c1), study_free(c2);
    sn_model_free(one), sn_model_free(two);
}

/* Angular and linear velocity of "lump" and "tail". */
static void velocities(struct study *c, double v[12]) {
    const sn_model *model = c->model;
    assert_int_equal(study_body_velocity(c, sn_model_find_body(model, "lump"), v, v + 3), SN_OK);
    assert_int_equal(study_body_velocity(c, sn_model_find_body(model, "tail"), v + 6, v + 9), SN_OK);
}

/* Their accelerations under gravity alone: velocities a moment later and a moment earlier. */
static void accelerations(struct study *c, const double *q, const double *qd, double a[12]) {
    const sn_model *model = c->model;
    const int nv = sn_model_get(model)->nv;
    const double h = 1e-5;
    double tau[MAX_NV] = {0}, qdd[MAX_NV], later[12], earlier[12];
    assert_int_equal(study_set_state(c, q, qd), SN_OK);
    assert_int_equal(study_forward_dynamics(c, tau, qdd), SN_OK);
    for (int side = 0; side < 2; side++) {
        const double k = side ? -h : h;
        double step[MAX_NV], moved[MAX_NQ], faster[MAX_NV];
        for (int v = 0; v < nv; v++)
            step[v] = k * qd[v] + 0.5 * k * k * qdd[v], faster[v] = qd[v] + k * qdd[v];
        sn_model_pose_add(model, 1, q, step, moved);
        assert_int_equal(study_set_state(c, moved, faster), SN_OK);
        velocities(c, side ? earlier : later);
    }
    for (int i = 0; i < 12; i++)
        a[i] = (later[i] - earlier[i]) / (2 * h);
}

TEST(a_ball_joint_is_three_hinges_with_massless_links) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    sn_body_def ball = lump("lump", "cart", SN_JOINT_BALL), last = lump("lump", "l2", SN_JOINT_HINGE);
    sn_body_def first = link_without_mass("l1", "cart", SN_JOINT_HINGE, z);
    const sn_body_def second = link_without_mass("l2", "l1", SN_JOINT_HINGE, y);
    memcpy(last.joint.axis, x, sizeof x);
    at_joint(&ball), at_joint(&first);
    sn_model *one = build_bodies((sn_body_def[]){cart(), ball, tail()}, 3);
    sn_model *three = build_bodies((sn_body_def[]){cart(), first, second, last, tail()}, 5);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c1 = study_of(one, &def), *c3 = study_of(three, &def);
    struct rng rng = {4};
    struct worst worst = {0};
    for (int i = 0; i < 20; i++) {
        double q3[MAX_NQ], qd3[MAX_NV], q1[MAX_NQ], qd1[MAX_NV], v[12], cart_w[3], own[3], turn[4], part[4],
            a1[12], a3[12];
        random_state(&rng, three, 1, 2, q3, qd3); /* far from gimbal lock */
        assert_int_equal(study_set_state(c3, q3, qd3), SN_OK);
        velocities(c3, v);
        memcpy(q1, q3, 7 * sizeof *q1), memcpy(qd1, qd3, 6 * sizeof *qd1);
        const double *const axis[] = {z, y, x};
        dquat_identity(turn);
        for (int k = 0; k < 3; k++) {
            const double angle[3] = {axis[k][0] * q3[7 + k], axis[k][1] * q3[7 + k], axis[k][2] * q3[7 + k]};
            dquat_exp(angle, part);
            dquat_multiply(turn, part, turn);
        }
        memcpy(q1 + 7, turn, sizeof turn);
        q1[11] = q3[10], qd1[9] = qd3[9];
        /* the ball's rates: what the lump turns faster than the cart, in the lump's own axes */
        double rot[4];
        assert_int_equal(study_body_velocity(c3, 0, NULL, cart_w), SN_OK);
        assert_int_equal(study_body_pose(c3, sn_model_find_body(three, "lump"), NULL, rot), SN_OK);
        for (int k = 0; k < 3; k++)
            own[k] = v[3 + k] - cart_w[k];
        dquat_conjugate(rot, rot);
        dquat_rotate(rot, own, qd1 + 6);
        accelerations(c1, q1, qd1, a1);
        accelerations(c3, q3, qd3, a3);
        worst_add(&worst, relative_error(a1, a3, 12), "state %d", i);
    }
    assert_worst(&worst, 1e-7, "ball against three hinges");
    study_free(c1), study_free(c3);
    sn_model_free(one), sn_model_free(three);
}

/* Adds the inertia of a body that is turned by R about `about`, its centre being at `com`. */
static void add_inertia(const sn_body_def *b, const double com[3], const double about[3], double R[3][3],
                        double J[3][3]) {
    const double *S = b->inertia, I[3][3] = {{S[0], S[3], S[4]}, {S[3], S[1], S[5]}, {S[4], S[5], S[2]}};
    const double d[3] = {com[0] - about[0], com[1] - about[1], com[2] - about[2]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            J[i][j] += b->mass * ((i == j ? dvec_dot(d, d) : 0) - d[i] * d[j]);
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    J[i][j] += R[i][k] * I[k][l] * R[j][l];
        }
}

/* One body with the mass, centre and inertia of a base and of what is welded on it with the turn `rot`. */
static sn_body_def join(const sn_body_def *base, const sn_body_def *extra, const double rot[4]) {
    double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, R[3][3], com[3], J[3][3] = {{0}};
    sn_body_def joined = *base;
    dquat_to_matrix(rot, R);
    dquat_rotate(rot, extra->com, com);
    axpy(1, extra->pos, com, 3);
    joined.mass = base->mass + extra->mass;
    for (int i = 0; i < 3; i++)
        joined.com[i] = (base->mass * base->com[i] + extra->mass * com[i]) / joined.mass;
    add_inertia(base, base->com, joined.com, one, J);
    add_inertia(extra, com, joined.com, R, J);
    const double six[6] = {J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]};
    memcpy(joined.inertia, six, sizeof six);
    return joined;
}

static void compare_answers(const sn_model *one, const sn_model *two, const char *what) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c2 = study_of(two, &def), *c1 = study_of(one, &def);
    struct rng rng = {5};
    struct worst worst = {0};
    for (int i = 0; i < 20; i++) {
        double q[MAX_NQ], qd[MAX_NV], tau[9], a1[9], a2[9];
        random_state(&rng, one, 2, 3, q, qd);
        random_values(&rng, 10, tau, 9);
        assert_int_equal(study_set_state(c1, q, qd), SN_OK);
        assert_int_equal(study_set_state(c2, q, qd), SN_OK);
        assert_int_equal(study_forward_dynamics(c1, tau, a1), SN_OK);
        assert_int_equal(study_forward_dynamics(c2, tau, a2), SN_OK);
        worst_add(&worst, relative_error(a2, a1, 9), "forward dynamics, state %d", i);
        study_uniform_gains(c1, 20000, 2000, 75000, 4000), study_uniform_gains(c2, 20000, 2000, 75000, 4000);
        assert_int_equal(study_drive_acceleration(c1, a1), SN_OK);
        assert_int_equal(study_drive_acceleration(c2, a2), SN_OK);
        worst_add(&worst, relative_error(a2, a1, 9), "stable PD, state %d", i);
    }
    assert_worst(&worst, 1e-11, what);
    study_free(c1), study_free(c2);
}

/* A lump with a second one welded on, turned and shifted, against the joined mass, centre and inertia. */
TEST(welded_bodies_are_one_body) {
    sn_body_def base = lump("base", NULL, SN_JOINT_FREE), extra = lump("extra", "base", SN_JOINT_WELD);
    double rot[4] = {0.8, 0.2, -0.4, 0.4};
    memcpy(extra.rot, rot, sizeof rot);
    extra.pos[0] = 0.3, extra.pos[2] = -0.2;
    extra.joint.anchor[1] = 0.5; /* must not matter */
    dquat_normalise(rot);
    const sn_body_def joined = join(&base, &extra, rot);
    sn_body_def swing = lump("swing", "extra", SN_JOINT_BALL), same = lump("swing", "base", SN_JOINT_BALL);
    swing.pos[1] = 0.4; /* hangs on the welded one; the same place and turn seen from the base */
    dquat_rotate(rot, swing.pos, same.pos);
    axpy(1, extra.pos, same.pos, 3);
    memcpy(same.rot, rot, sizeof rot);
    sn_model *two = build_bodies((sn_body_def[]){base, extra, swing}, 3);
    sn_model *one = build_bodies((sn_body_def[]){joined, same}, 2);
    compare_answers(one, two, "welded bodies against one");
    sn_model_free(one), sn_model_free(two);
}

int main(void) {
    return run_all("analytic");
}
