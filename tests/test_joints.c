/* Joints made of several axes against chains of hinges and slides with massless bodies between them: a planar joint is two
 * slides and a hinge, and both have the same coordinates in the same order. */
#include "sinew/files.h"
#include "study_helpers.h"
#include "world_helpers.h"

/* A joint, and the chain that moves as it does. */
struct pair {
    sn_joint_type type;
    int naxes;
    struct {
        bool slides;
        double axis[3];
    } axis[3]; /* in the body's axes */
};

static const struct pair planar = {
    SN_JOINT_PLANAR, 3, {{true, {0.6, 0, -0.8}}, {true, {0, 1, 0}}, {false, {0.8, 0, 0.6}}}};

static const struct pair cylindrical = {
    SN_JOINT_CYLINDRICAL, 2, {{true, {0.8, 0, 0.6}}, {false, {0.8, 0, 0.6}}}};
static const struct pair screw = {SN_JOINT_SCREW, 1, {{false, {0.8, 0, 0.6}}}};

/* What all have: a joint somewhere, turned, with springs, dampers and limits. */
static sn_body_def jointed(const struct pair *pair, unsigned mix) {
    const double com[3] = {0.1, -0.05, 0.2}, inertia[3] = {0.03, 0.05, 0.04};
    sn_body_def body = simple_body("jointed", "base", pair->type, 2, com, inertia);
    const double pos[3] = {0.3, 0.1, -0.2}, rot[4] = {0.8, 0.2, -0.5, 0.26}, anchor[3] = {0.05, 0.02, -0.04};
    memcpy(body.pos, pos, sizeof pos);
    memcpy(body.rot, rot, sizeof rot);
    memcpy(body.joint.anchor, anchor, sizeof anchor);
    memcpy(body.joint.axis, (const double[]){0.8, 0, 0.6}, sizeof body.joint.axis);
    memcpy(body.joint.axis2, (const double[]){0.6, 0, -0.8}, sizeof body.joint.axis2);
    if (pair->type == SN_JOINT_SCREW) body.joint.pitch = 0.07;
    if (mix & MIX_ARMATURE) body.joint.armature = 0.02;
    if (mix & MIX_DAMPING) body.joint.damping = 0.3;
    if (mix & MIX_SPRING) body.joint.stiffness = 4;
    if (mix & MIX_LIMIT) body.joint.torque_limit = 3;
    for (int k = 0; k < 3; k++)
        body.joint.lower[k] = -0.1, body.joint.upper[k] = 0.15, body.joint.rest[k] = 0.02 * (k + 1);
    return body;
}

/* Adds the body by a chain in place of its joint. */
static void add_chain(sn_builder *builder, const struct pair *pair, const sn_body_def *body) {
    static const char *const name[3] = {"first", "second", "third"};
    for (int k = 0; k < pair->naxes; k++) {
        const bool last = k == pair->naxes - 1;
        sn_body_def link = last ? *body : sn_body_def_default();
        if (!last) link.joint = body->joint, link.name = name[k], link.mass_given = true;
        link.joint.type = pair->axis[k].slides ? SN_JOINT_SLIDE : SN_JOINT_HINGE;
        memcpy(link.joint.axis, pair->axis[k].axis, sizeof link.joint.axis);
        link.joint.lower[0] = body->joint.lower[k], link.joint.upper[0] = body->joint.upper[k];
        link.joint.rest[0] = body->joint.rest[k];
        link.parent = k ? name[k - 1] : body->parent;
        memcpy(link.pos, k ? (const double[]){0, 0, 0} : body->pos, sizeof link.pos);
        memcpy(link.rot, k ? (const double[]){1, 0, 0, 0} : body->rot, sizeof link.rot);
        sn_builder_add_body(builder, &link);
    }
}

/* A base, free or on a ball, the joint, and an arm on a hinge beyond it. */
static sn_model *model_of(const struct pair *pair, bool chain, sn_joint_type root, bool limited,
                          unsigned mix) {
    const double com[3] = {0, 0.02, 0.1}, inertia[3] = {0.08, 0.06, 0.07};
    sn_builder *builder = sn_builder_create();
    sn_body_def base = simple_body("base", NULL, root, 3, com, inertia), body = jointed(pair, mix);
    sn_body_def arm = simple_body("arm", "jointed", SN_JOINT_HINGE, 0.5, com, inertia);
    body.joint.limited = limited;
    arm.pos[2] = 0.3, arm.joint.axis[1] = 1;
    sn_builder_add_body(builder, &base);
    if (chain)
        add_chain(builder, pair, &body);
    else
        sn_builder_add_body(builder, &body);
    sn_builder_add_body(builder, &arm);
    return build_and_free(builder);
}

/* ---------------------------------------------------------------------------------------------------- dynamics */

struct twins {
    sn_model *model[2]; /* the joint, the chain */
    sn_dynamics *dynamics[2];
};

static struct twins twins_of(const struct pair *pair, unsigned mix, const sn_dynamics_def *def) {
    struct twins t;
    for (int i = 0; i < 2; i++) {
        t.model[i] = model_of(pair, i, mix & MIX_FIXED ? SN_JOINT_BALL : SN_JOINT_FREE, false, mix);
        t.dynamics[i] = sn_dynamics_create(t.model[i], def, NULL);
        assert_non_null(t.dynamics[i]);
    }
    assert_int_equal(sn_model_get(t.model[0])->nv, sn_model_get(t.model[1])->nv);
    return t;
}

static void twins_free(struct twins *t) {
    for (int i = 0; i < 2; i++) {
        sn_dynamics_free(t->dynamics[i]);
        sn_model_free(t->model[i]);
    }
}

/* Forward and inverse dynamics, the mass matrix, poses and a driven step from random states. */
static void compare_dynamics(const struct pair *pair, unsigned mix, struct worst *worst) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct twins t = twins_of(pair, mix, &def);
    const int nv = sn_model_get(t.model[0])->nv;
    struct rng rng = {7 + mix};
    for (int trial = 0; trial < 20; trial++) {
        double q[MAX_NQ], qd[MAX_NV], tau[MAX_NV], kp[MAX_NV], kd[MAX_NV], x[2][MAX_NV], y[2][MAX_NV],
            driven[2][MAX_NV], M[2][400], pose[2][7 * 8];
        random_state(&rng, t.model[0], 1, 3, q, qd);
        random_values(&rng, 5, tau, nv);
        for (int v = 0; v < nv; v++)
            kp[v] = 50 + 10 * v, kd[v] = 3 + v;
        const sn_drive drive = {.kp = kp, .kd = kd, .feedforward = tau};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(sn_dynamics_forward(t.dynamics[i], q, qd, NULL, tau, x[i]), SN_OK);
            assert_int_equal(sn_dynamics_inverse(t.dynamics[i], q, qd, NULL, tau, y[i]), SN_OK);
            assert_int_equal(sn_dynamics_step(t.dynamics[i], &drive, 0, q, qd, driven[i], NULL), SN_OK);
            assert_int_equal(sn_dynamics_mass_matrix(t.dynamics[i], q, M[i]), SN_OK);
            assert_int_equal(sn_dynamics_bodies(t.dynamics[i], q, qd, pose[i], NULL, NULL), SN_OK);
        }
        const double *arm = pose[1] + 7 * (sn_model_get(t.model[1])->nbody - 1);
        worst_add(worst, relative_error(x[0], x[1], nv), "forward, mix %u", mix);
        worst_add(worst, relative_error(y[0], y[1], nv), "inverse, mix %u", mix);
        worst_add(worst, relative_error(driven[0], driven[1], nv), "driven, mix %u", mix);
        worst_add(worst, relative_error(M[0], M[1], nv * nv), "mass matrix, mix %u", mix);
        worst_add(worst, relative_error(pose[0] + 14, arm, 7), "pose, mix %u", mix);
    }
    twins_free(&t);
}

static void assert_moves_as_chain(const struct pair *pair) {
    static const unsigned mixes[] = {0, MIX_FIXED, MIX_PASSIVE, MIX_LIMIT | MIX_PASSIVE | MIX_FIXED};
    struct worst worst = {0};
    for (int i = 0; i < COUNT(mixes); i++)
        compare_dynamics(pair, mixes[i], &worst);
    assert_worst(&worst, 1e-12, "a joint and its chain apart, relative");
}

TEST(a_planar_joint_moves_as_two_slides_and_a_hinge) {
    assert_moves_as_chain(&planar);
}

TEST(a_cylindrical_joint_moves_as_a_slide_and_a_hinge) {
    assert_moves_as_chain(&cylindrical);
}

/* The rows of M and C of a cylindrical joint, in which a screw moves: q = (p x, x), and so do qd and qdd. `at`: the slide. */
static void narrow(const double *wide, double p, int at, int n, double *narrow) {
    for (int v = 0, k = 0; v < n; v++) {
        if (v == at) continue;
        narrow[k++] = v == at + 1 ? wide[v] + p * wide[at] : wide[v];
    }
}

static void widen(const double *x, double p, int at, int n, double *wide) {
    for (int v = 0; v < n; v++)
        wide[v] = v < at ? x[v] : v == at ? p * x[at] : x[v - 1];
}

/* S^T M S qdd = tau - S^T C, with S of the coupling constant. */
TEST(a_screw_moves_as_a_cylindrical_joint_held_to_its_pitch) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_model *model[2] = {model_of(&screw, false, SN_JOINT_FREE, false, 0),
                          model_of(&cylindrical, false, SN_JOINT_FREE, false, 0)};
    sn_dynamics *one = sn_dynamics_create(model[0], &def, NULL),
                *two = sn_dynamics_create(model[1], &def, NULL);
    enum { N = 8, WIDE = 9, AT = 6 };
    const double p = 0.07;
    struct rng rng = {21};
    struct worst worst = {0};
    assert_int_equal(sn_model_get(model[0])->nv, N);
    for (int trial = 0; trial < 20; trial++) {
        double q[N + 1], qd[N], tau[N], x[N], wide_q[WIDE + 1], wide_qd[WIDE], M[WIDE * WIDE], C[WIDE],
            zero[WIDE] = {0};
        double half[WIDE * WIDE], small[N * N], rhs[N], want[N];
        random_state(&rng, model[0], 1, 3, q, qd);
        random_values(&rng, 5, tau, N);
        widen(q, p, AT + 1, WIDE + 1, wide_q);
        widen(qd, p, AT, WIDE, wide_qd);
        assert_int_equal(sn_dynamics_forward(one, q, qd, NULL, tau, x), SN_OK);
        assert_int_equal(sn_dynamics_mass_matrix(two, wide_q, M), SN_OK);
        assert_int_equal(sn_dynamics_inverse(two, wide_q, wide_qd, NULL, zero, C), SN_OK);
        for (int v = 0; v < WIDE; v++)
            narrow(M + WIDE * v, p, AT, WIDE, half + N * v);
        for (int k = 0; k < N; k++) {
            double column[WIDE], own[N];
            for (int v = 0; v < WIDE; v++)
                column[v] = half[N * v + k];
            narrow(column, p, AT, WIDE, own);
            for (int v = 0; v < N; v++)
                small[N * v + k] = own[v];
        }
        narrow(C, p, AT, WIDE, rhs);
        for (int v = 0; v < N; v++)
            rhs[v] = tau[v] - rhs[v];
        assert_true(solve_spd(small, rhs, want, N));
        worst_add(&worst, relative_error(x, want, N), "trial %d", trial);
    }
    assert_worst(&worst, 1e-12, "a screw and the joint it is cut from apart, relative");
    sn_dynamics_free(one);
    sn_dynamics_free(two);
    sn_model_free(model[0]);
    sn_model_free(model[1]);
}

/* --------------------------------------------------------------------------------------------- energy, momentum */

/* Free in space, nothing acting: Runge-Kutta steps keep energy and momentum as far as its order goes. */
static void assert_conserves(const struct pair *pair) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.gravity[2] = 0, def.integrator = SN_INTEGRATOR_RK4, def.dt = 1e-3;
    sn_model *model = model_of(pair, false, SN_JOINT_FREE, false, 0);
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double q[MAX_NQ], qd[MAX_NV];
    struct rng rng = {3};
    sn_summary before, after;
    const sn_drive none = {0};
    random_state(&rng, model, 0.3, 2, q, qd);
    assert_int_equal(sn_dynamics_bodies(dynamics, q, qd, NULL, NULL, &before), SN_OK);
    assert_int_equal(sn_dynamics_step(dynamics, &none, 500, q, qd, NULL, NULL), SN_OK);
    assert_int_equal(sn_dynamics_bodies(dynamics, q, qd, NULL, NULL, &after), SN_OK);
    assert_near(after.kinetic, before.kinetic, 1e-9 * before.kinetic);
    assert_near_n(after.linear_momentum, before.linear_momentum, 3, 1e-9);
    assert_near_n(after.angular_momentum, before.angular_momentum, 3, 1e-9);
    sn_dynamics_free(dynamics);
    sn_model_free(model);
}

TEST(joints_of_axes_conserve_energy_and_momentum) {
    assert_conserves(&planar);
    assert_conserves(&cylindrical);
    assert_conserves(&screw);
}

/* ------------------------------------------------------------------------------------------------------ worlds */

struct run {
    const char *name;
    sn_stepper stepper;
    sn_contact_method contact;
    int products;
};

static const struct run runs[] = {
    {"implicit", SN_STEPPER_TIME, SN_CONTACT_IMPLICIT, SN_PRODUCTS_MIDPOINT},
    {"implicit, products of the start", SN_STEPPER_TIME, SN_CONTACT_IMPLICIT, SN_PRODUCTS_EXPLICIT},
    {"implicit, polarised", SN_STEPPER_TIME, SN_CONTACT_IMPLICIT, POLARISED},
    {"rows", SN_STEPPER_TIME, SN_CONTACT_ROWS, SN_PRODUCTS_MIDPOINT},
    {"event", SN_STEPPER_EVENT, SN_CONTACT_ROWS, SN_PRODUCTS_MIDPOINT},
    {"position", SN_STEPPER_POSITION, SN_CONTACT_IMPLICIT, SN_PRODUCTS_MIDPOINT},
};

static sn_world *world_for(const struct run *run, const sn_model *model, double kp, double speed) {
    sn_world_def def = sn_world_def_default();
    def.stepper = run->stepper, def.contact = run->contact;
    set_products(&def, run->products);
    sn_world *world = world_of(&def);
    double q[MAX_NQ], qd[MAX_NV];
    struct rng rng = {11};
    member_of(world, model);
    uniform_gains(world, 0, kp, kp / 10, kp, kp / 10);
    random_state(&rng, model, 0.05, speed, q, qd);
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
    return world;
}

/* Half a second under weak drives and gravity, in every stepper: the farthest apart on the way. */
static void assert_steps_as_chain(const struct pair *pair) {
    for (int i = 0; i < COUNT(runs); i++) {
        sn_model *model[2];
        sn_world *world[2];
        struct worst worst = {0};
        for (int chain = 0; chain < 2; chain++) {
            model[chain] = model_of(pair, chain, SN_JOINT_BALL, false, MIX_PASSIVE | MIX_LIMIT);
            world[chain] = world_for(&runs[i], model[chain], 10, 6);
        }
        for (int k = 0; k < 120; k++) {
            double q[2][MAX_NQ];
            for (int chain = 0; chain < 2; chain++) {
                step_world(world[chain]);
                assert_int_equal(sn_world_get(world[chain], 0, SN_FIELD_Q, 0, 1, q[chain]), SN_OK);
            }
            for (int n = 0; n < sn_model_get(model[0])->nq; n++)
                worst_add(&worst, fabs(q[0][n] - q[1][n]), "%s, step %d", runs[i].name, k);
        }
        assert_worst(&worst, runs[i].stepper == SN_STEPPER_POSITION ? 1e-5 : 1e-10, "joint and chain apart");
        for (int chain = 0; chain < 2; chain++) {
            sn_world_free(world[chain]);
            sn_model_free(model[chain]);
        }
    }
}

TEST(joints_of_axes_step_as_their_chains_in_every_stepper) {
    assert_steps_as_chain(&planar);
    assert_steps_as_chain(&cylindrical);
}

/* A nut on a vertical screw that stands still: m p g turns it with the inertia J + m p^2, so it falls by p x with
   x'' = m p g / (J + m p^2). Euler's steps are off by a part dt / t, so are those of the position stepper. */
TEST(a_nut_falls_along_its_screw_in_every_stepper) {
    const double mass = 2, J = 0.01, p = 0.05, seconds = 0.25, com[3] = {0}, inertia[3] = {J, J, J};
    for (int i = 0; i < COUNT(runs); i++) {
        sn_body_def body = simple_body("nut", NULL, SN_JOINT_SCREW, mass, com, inertia);
        body.joint.pitch = p;
        sn_model *model = build_bodies(&body, 1);
        sn_world_def def = sn_world_def_default();
        def.stepper = runs[i].stepper, def.contact = runs[i].contact;
        set_products(&def, runs[i].products);
        sn_world *world = world_of(&def);
        member_of(world, model);
        run_for(world, seconds, def.dt);
        double q, pos[3];
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, 1, &q), SN_OK);
        body_pose(world, 0, 0, pos, NULL);
        const double rate = -mass * p * 9.81 / (J + mass * p * p);
        assert_near(q, 0.5 * rate * seconds * seconds, 0.02 * fabs(0.5 * rate * seconds * seconds));
        assert_near(pos[2], p * q, 1e-12);
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* Thrown against its limits, undriven. */
static void assert_keeps_limits(const struct pair *pair) {
    for (int i = 0; i < COUNT(runs); i++) {
        sn_model *model = model_of(pair, false, SN_JOINT_BALL, true, 0);
        sn_world *world = world_for(&runs[i], model, 0, 3);
        struct worst worst = {0};
        double q[MAX_NQ], reached = 0;
        for (int k = 0; k < 240; k++) {
            step_world(world);
            assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, 1, q), SN_OK);
            worst_add(&worst, past_limits(model, q), "%s, step %d", runs[i].name, k);
            for (int n = 0; n < pair->naxes; n++)
                reached = fmax(reached, fmax(q[4 + n] / 0.15, -q[4 + n] / 0.1));
        }
        assert_true(reached > 0.95); /* else nothing was kept */
        assert_worst(&worst, 0.005, "past a limit, rad or m");
        sn_world_free(world);
        sn_model_free(model);
    }
}

TEST(joints_of_axes_keep_their_limits_in_every_stepper) {
    assert_keeps_limits(&planar);
    assert_keeps_limits(&cylindrical);
    assert_keeps_limits(&screw);
}

/* ------------------------------------------------------------------------------------------------------- files */

/* The model from a file that was written of it moves as it did. */
static void assert_survives(const struct pair *pair, const char *path, double bound) {
    sn_model *model = model_of(pair, false, SN_JOINT_FREE, true, MIX_PASSIVE);
    sn_error error;
    if (sn_model_save(model, path, &error) != SN_OK) fail_msg("%s", error.message);
    sn_model *again = sn_model_load(path, NULL, &error);
    if (!again) fail_msg("%s", error.message);
    remove(path);
    const int nv = sn_model_get(model)->nv;
    assert_int_equal(sn_model_get(again)->nv, nv);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *one = sn_dynamics_create(model, &def, NULL), *two = sn_dynamics_create(again, &def, NULL);
    double q[MAX_NQ], qd[MAX_NV], tau[MAX_NV] = {0}, x[MAX_NV], y[MAX_NV];
    struct rng rng = {5};
    random_state(&rng, model, 0.5, 2, q, qd);
    assert_int_equal(sn_dynamics_forward(one, q, qd, NULL, tau, x), SN_OK);
    assert_int_equal(sn_dynamics_forward(two, q, qd, NULL, tau, y), SN_OK);
    if (!(relative_error(x, y, nv) <= bound)) fail_msg("%s: %g apart", path, relative_error(x, y, nv));
    sn_dynamics_free(one);
    sn_dynamics_free(two);
    sn_model_free(again);
    sn_model_free(model);
}

TEST(joints_of_axes_survive_files) {
    assert_survives(&planar, "joints_planar.json", 0);
    assert_survives(&planar, "joints_planar.xml", 1e-12);
    assert_survives(&cylindrical, "joints_cylindrical.json", 0);
    assert_survives(&cylindrical, "joints_cylindrical.xml", 1e-12);
    assert_survives(&screw, "joints_screw.json", 0);
}

/* MuJoCo has no screw: it becomes a hinge and a slide that an equality ties to it. */
TEST(a_screw_is_written_to_mjcf_as_a_coupling) {
    sn_model *model = model_of(&screw, false, SN_JOINT_FREE, false, 0);
    sn_error error;
    assert_int_equal(sn_model_save(model, "joints_screw.xml", &error), SN_OK);
    sn_model *again = sn_model_load("joints_screw.xml", NULL, &error);
    if (!again) fail_msg("%s", error.message);
    remove("joints_screw.xml");
    assert_int_equal(sn_model_get(again)->nv, sn_model_get(model)->nv + 1);
    assert_int_equal(sn_model_get(again)->nconstraint, 1);
    assert_int_equal(sn_model_get(again)->constraint[0].type, SN_CONSTRAINT_COUPLING);
    assert_near(sn_model_get(again)->constraint[0].ratio[1], 0.07, 0);
    sn_model_free(again);
    sn_model_free(model);
}

int main(void) {
    return run_all("joints");
}
