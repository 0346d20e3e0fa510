/* Stable PD in full coordinates: three eliminations and a dense matrix over bodies and joints, against joint coordinates. */
#include "dynamics_helpers.h"

#include "base/quat.h"
#include "scenes/shapes.h"
#include "scenes/trees.h"

#include <sinew/studies.h>

static const char *const method_names[] = {"coupled", "soft rows", "null space", "kkt"};

/* A model, a state, drives, and room for what comes of them. */
struct trial {
    sn_model *model;
    const char *name;
    int nq, nv, nbody;
    double *q, *qd, *target, *kp, *kd, *qdd, *tau, *force, *com;
    sn_full_run run;
};

static void gains_of_the_paper(struct trial *t) {
    for (int i = 0; i < t->nbody; i++) {
        const sn_body_info *b = sn_model_body(t->model, i);
        const bool free_root = b->joint.type == SN_JOINT_FREE;
        for (int v = b->v_index; v < b->v_index + b->nv; v++)
            t->kp[v] = free_root ? 20000 : 75000, t->kd[v] = free_root ? 2000 : 4000;
    }
}

static struct trial trial_of(sn_model *model, const char *name, uint64_t seed, double reach, double speed) {
    assert_non_null(model);
    const sn_model_info *info = sn_model_get(model);
    struct trial t = {.model = model, .name = name, .nq = info->nq, .nv = info->nv, .nbody = info->nbody};
    const size_t nq = (size_t)t.nq, nv = (size_t)t.nv, nbody = (size_t)t.nbody;
    t.q = calloc(2 * nq + 6 * nv + 9 * nbody, sizeof *t.q);
    assert_non_null(t.q);
    t.target = t.q + nq, t.qd = t.target + nq, t.kp = t.qd + nv, t.kd = t.kp + nv, t.qdd = t.kd + nv;
    t.tau = t.qdd + nv, t.force = t.tau + nv + nv, t.com = t.force + 6 * nbody;
    scene_random_state(model, reach, 0, seed + 1, t.target, t.qd);
    scene_random_state(model, reach, speed, seed, t.q, t.qd);
    gains_of_the_paper(&t);
    t.run = (sn_full_run){.dt = 1.0 / 240,
                          .gravity = {0.3, -0.2, -9.81},
                          .steps = 1,
                          .accelerations = true,
                          .kp = t.kp,
                          .kd = t.kd,
                          .target = t.target,
                          .qdd = t.qdd,
                          .tau = t.tau,
                          .force = t.force,
                          .com = t.com};
    return t;
}

static void end_trial(struct trial *t) {
    free(t->q);
    sn_model_free(t->model);
}

static void go(struct trial *t, sn_full_method method) {
    t->run.method = method;
    const sn_status status = sn_full_go(t->model, t->q, t->qd, &t->run);
    if (status != SN_OK)
        fail_msg("%s, %s: %s (step %d)", t->name, method_names[method], sn_status_text(status), t->run.lost);
}

/* What a dense solve in joint coordinates says. */
static void solve_reduced(const struct trial *t, double *qdd, double *tau) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = t->run.dt;
    def.form = t->run.form;
    def.solver = SN_SOLVER_DENSE;
    memcpy(def.gravity, t->run.gravity, sizeof def.gravity);
    sn_dynamics *d = sn_dynamics_create(t->model, &def, NULL);
    const sn_drive drive = {.kp = t->kp, .kd = t->kd, .target_q = t->target};
    assert_int_equal(sn_dynamics_step(d, &drive, 0, t->q, t->qd, qdd, tau), SN_OK);
    sn_dynamics_free(d);
}

static double largest(const double *a, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Relative to the largest entry. */
static double off(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
    return most / largest(b, n);
}

static sn_model *some_tree(int i, const char **name) {
    static const struct {
        const char *name;
        struct random_tree tree;
    } kinds[] = {{"hinges", {10, SN_JOINT_HINGE, true, true}},
                 {"universal joints", {10, SN_JOINT_UNIVERSAL, true, true}},
                 {"balls", {10, SN_JOINT_BALL, true, true}},
                 {"hinges on the world", {10, SN_JOINT_HINGE, false, true}},
                 {"universal joints on the world", {10, SN_JOINT_UNIVERSAL, false, true}},
                 {"balls on the world", {10, SN_JOINT_BALL, false, true}},
                 {"a tree", {40, SN_JOINT_FREE, true, false}},
                 {"a tree on the world", {40, SN_JOINT_FREE, false, false}}};
    if (i >= COUNT(kinds)) return NULL;
    *name = kinds[i].name;
    return scene_random_tree(&kinds[i].tree, 100 + (uint64_t)i, NULL);
}

TEST(accelerations_and_torques_are_those_of_joint_coordinates) {
    static const char *const builtin[] = {"humanoid", "dog", "snake36", "snake195", "mouse"};
    const char *name = NULL;
    struct worst qdd = {0}, tau = {0};
    for (int i = 0; i < COUNT(builtin) + 8; i++) {
        sn_model *model =
            i < COUNT(builtin) ? sn_builtin_create(builtin[i], NULL) : some_tree(i - COUNT(builtin), &name);
        struct trial t = trial_of(model, i < COUNT(builtin) ? builtin[i] : name, (uint64_t)i, 0.6, 3);
        double *wanted = calloc(2 * (size_t)t.nv, sizeof *wanted);
        for (int full = 0; full < 2; full++) {
            t.run.form = full ? SN_FORM_FULL : SN_FORM_STABLE;
            t.run.dt = full ? 1.0 / 60 : 1.0 / 240;
            solve_reduced(&t, wanted, wanted + t.nv);
            for (int m = SN_FULL_METHOD_COUPLED; m <= SN_FULL_METHOD_NULL_SPACE; m++) {
                go(&t, (sn_full_method)m);
                worst_add(&qdd, off(t.qdd, wanted, t.nv), "%s, %s", t.name, method_names[m]);
                worst_add(&tau, off(t.tau, wanted + t.nv, t.nv), "%s, %s", t.name, method_names[m]);
            }
        }
        free(wanted);
        end_trial(&t);
    }
    assert_worst(&qdd, 1e-12, "qdd, relative");
    assert_worst(&tau, 1e-10, "tau, relative");
}

TEST(forces_of_joints_are_those_of_a_dense_matrix) {
    const char *name;
    struct worst force = {0}, qdd = {0};
    for (int i = 0; i < 9; i++) {
        sn_model *model = i < 8 ? some_tree(i, &name) : sn_builtin_create("humanoid", NULL);
        struct trial t = trial_of(model, i < 8 ? name : "humanoid", 50 + (uint64_t)i, 0.6, 3);
        double *wanted = calloc((size_t)(6 * t.nbody + t.nv), sizeof *wanted);
        for (int level = 0; level < 2; level++) {
            t.run.accelerations = level == 0;
            go(&t, SN_FULL_METHOD_KKT);
            memcpy(wanted, t.force, (size_t)t.run.rows * sizeof *wanted);
            memcpy(wanted + 6 * t.nbody, t.qdd, (size_t)t.nv * sizeof *wanted);
            for (int m = SN_FULL_METHOD_COUPLED; m <= SN_FULL_METHOD_NULL_SPACE; m++) {
                go(&t, (sn_full_method)m);
                worst_add(&qdd, off(t.qdd, wanted + 6 * t.nbody, t.nv), "%s, %s", t.name, method_names[m]);
                if (m == SN_FULL_METHOD_NULL_SPACE) continue;
                worst_add(&force, off(t.force, wanted, t.run.rows), "%s, %s", t.name, method_names[m]);
            }
        }
        free(wanted);
        end_trial(&t);
    }
    assert_worst(&force, 1e-11, "forces, relative");
    assert_worst(&qdd, 1e-11, "qdd, relative");
}

/* Targets as a motion: every joint a sine of 0.4 rad and 1 Hz. It starts in it. */
static double *sines(const struct trial *t, int steps, double dt) {
    const double rate = 2 * 3.14159265358979;
    double *target = calloc((size_t)steps * (size_t)t->nq, sizeof *target);
    double *dv = calloc((size_t)t->nv, sizeof *dv), *zero = calloc((size_t)t->nq, sizeof *zero);
    sn_model_zero_pose(t->model, zero);
    for (int i = -1; i < steps; i++) {
        for (int v = 0; v < t->nv; v++)
            dv[v] = t->kp[v] == 75000 ? 0.4 * sin(rate * (i + 1) * dt + v) : 0;
        sn_model_pose_add(t->model, 1, zero, dv, i < 0 ? t->q : target + (size_t)i * (size_t)t->nq);
    }
    for (int v = 0; v < t->nv; v++)
        t->qd[v] = t->kp[v] == 75000 ? 0.4 * rate * cos(v) : 0;
    free(dv);
    free(zero);
    return target;
}

TEST(joints_stay_closed_at_large_steps) {
    static const struct {
        sn_full_method method;
        sn_full_repair repair;
        double most;
    } ways[] = {{SN_FULL_METHOD_COUPLED, SN_FULL_REPAIR_PROJECTION, 2e-4},
                {SN_FULL_METHOD_SOFT_ROWS, SN_FULL_REPAIR_PROJECTION, 2e-4},
                {SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_SNAP, 2e-6}};
    for (int model = 0; model < 2; model++)
        for (int precision = 0; precision < 2; precision++)
            for (int i = 0; i < COUNT(ways); i++) {
                struct trial t = trial_of(sn_builtin_create(model ? "dog" : "humanoid", NULL), "", 1, 0, 0);
                double gap, *target = sines(&t, 60, 1.0 / 30);
                t.run.dt = 1.0 / 30, t.run.steps = 60, t.run.accelerations = false;
                t.run.target = target, t.run.gap = &gap;
                t.run.repair = ways[i].repair;
                t.run.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                go(&t, ways[i].method);
                if (!(gap < ways[i].most))
                    fail_msg("%s, %s: a gap of %g m", method_names[ways[i].method],
                             precision ? "float" : "double", gap);
                free(target);
                end_trial(&t);
            }
}

TEST(joints_come_apart_without_repair) {
    struct trial t = trial_of(sn_builtin_create("humanoid", NULL), "humanoid", 1, 0, 0);
    double gap, *target = sines(&t, 60, 1.0 / 30);
    t.run.dt = 1.0 / 30, t.run.steps = 60, t.run.accelerations = false, t.run.target = target,
    t.run.gap = &gap;
    go(&t, SN_FULL_METHOD_COUPLED);
    assert_true(gap > 0.02);
    free(target);
    end_trial(&t);
}

TEST(linear_momentum_is_kept_by_every_method_and_repair) {
    static const sn_full_repair repairs[] = {SN_FULL_REPAIR_NONE, SN_FULL_REPAIR_PROJECTION,
                                             SN_FULL_REPAIR_SNAP};
    for (int m = SN_FULL_METHOD_COUPLED; m <= SN_FULL_METHOD_NULL_SPACE; m++)
        for (int r = 0; r < 3; r++) {
            if (m == SN_FULL_METHOD_NULL_SPACE && r == 1) continue;
            struct trial t = trial_of(sn_builtin_create("humanoid", NULL), "humanoid", 3, 0.3, 0.5);
            double momentum[12], *target = calloc(120 * (size_t)t.nq, sizeof *target);
            for (int i = 0; i < 120; i++)
                memcpy(target + i * t.nq, t.target, (size_t)t.nq * sizeof *target);
            for (int v = 0; v < 6; v++)
                t.kp[v] = t.kd[v] = 0;
            memset(t.run.gravity, 0, sizeof t.run.gravity);
            t.run.dt = 1.0 / 60, t.run.steps = 120, t.run.accelerations = false;
            t.run.target = target, t.run.momentum = momentum, t.run.repair = repairs[r];
            go(&t, (sn_full_method)m);
            const double size = largest(momentum, 3);
            assert_true(size > 1);
            for (int k = 0; k < 3; k++)
                if (!(fabs(momentum[6 + k] - momentum[k]) < 1e-12 * size))
                    fail_msg("%s, repair %d: %g of %g", method_names[m], r, momentum[6 + k] - momentum[k],
                             size);
            free(target);
            end_trial(&t);
        }
}

TEST(torques_of_soft_rows_keep_their_digits_in_float) {
    struct trial t = trial_of(sn_builtin_create("humanoid", NULL), "humanoid", 2, 0.4, 2);
    t.run.dt = 1.0 / 60;
    for (int v = 0; v < t.nv; v++)
        t.kp[v] = 1e7, t.kd[v] = 1e6;
    double *wanted = calloc((size_t)t.nv, sizeof *wanted);
    go(&t, SN_FULL_METHOD_SOFT_ROWS);
    memcpy(wanted, t.tau, (size_t)t.nv * sizeof *wanted);
    t.run.precision = SN_PRECISION_FLOAT;
    go(&t, SN_FULL_METHOD_SOFT_ROWS);
    const double soft = off(t.tau, wanted, t.nv);
    go(&t, SN_FULL_METHOD_COUPLED);
    const double coupled = off(t.tau, wanted, t.nv);
    print_message("torques in float: soft rows %.2g, coupled %.2g\n", soft, coupled);
    assert_true(soft < 1e-5 && coupled > 10 * soft);
    free(wanted);
    end_trial(&t);
}

TEST(axes_without_gains_are_free) {
    struct trial t = trial_of(some_tree(6, &(const char *){0}), "a tree", 9, 0.5, 2);
    for (int v = 0; v < t.nv; v += 2)
        t.kp[v] = t.kd[v] = 0;
    double *wanted = calloc(2 * (size_t)t.nv, sizeof *wanted);
    solve_reduced(&t, wanted, wanted + t.nv);
    for (int m = SN_FULL_METHOD_COUPLED; m <= SN_FULL_METHOD_KKT; m++) {
        go(&t, (sn_full_method)m);
        if (!(off(t.qdd, wanted, t.nv) < 1e-11))
            fail_msg("%s: %g", method_names[m], off(t.qdd, wanted, t.nv));
    }
    free(wanted);
    end_trial(&t);
}

/* Bodies that follow joint coordinates make the steps of sn_dynamics. */
TEST(products_of_the_start_make_the_steps_of_joint_coordinates) {
    const char *name;
    for (int i = 0; i < 8; i++) {
        struct trial t = trial_of(some_tree(i, &name), "", 70 + (uint64_t)i, 0.3, 0.5);
        double *target = calloc(20 * (size_t)t.nq, sizeof *target),
               *pose = calloc(7 * (size_t)t.nbody, sizeof *pose);
        for (int step = 0; step < 20; step++)
            memcpy(target + step * t.nq, t.target, (size_t)t.nq * sizeof *target);
        sn_dynamics_def def = sn_dynamics_def_default();
        memcpy(def.gravity, t.run.gravity, sizeof def.gravity);
        sn_dynamics *d = sn_dynamics_create(t.model, &def, NULL);
        t.run.accelerations = false, t.run.steps = 20, t.run.target = target;
        t.run.products = SN_FULL_PRODUCTS_START;
        go(&t, SN_FULL_METHOD_NULL_SPACE);
        const sn_drive drive = {.kp = t.kp, .kd = t.kd, .target_q = t.target};
        assert_int_equal(sn_dynamics_step(d, &drive, 20, t.q, t.qd, NULL, NULL), SN_OK);
        sn_dynamics_bodies(d, t.q, NULL, pose, NULL, NULL);
        for (int b = 0; b < t.nbody; b++) {
            double com[3];
            dquat_rotate(pose + 7 * b + 3, sn_model_body(t.model, b)->com, com);
            for (int k = 0; k < 3; k++)
                if (!(fabs(com[k] + pose[7 * b + k] - t.com[3 * b + k]) < 1e-10))
                    fail_msg("%s: body %d is %g m off", name, b, com[k] + pose[7 * b + k] - t.com[3 * b + k]);
        }
        sn_dynamics_free(d);
        free(target);
        free(pose);
        end_trial(&t);
    }
}

/* The momentum that drives make of nothing in the snake's first steps, where all joints start at once: with products of the
   middle, h/4 (change of qd)^2 is left over in each step. */
TEST(mean_products_make_less_momentum_of_a_start_than_products_of_the_mean) {
    double made[SN_FULL_PRODUCTS_CARRIED + 1];
    for (int products = SN_FULL_PRODUCTS_ROWS; products <= SN_FULL_PRODUCTS_CARRIED; products++) {
        struct trial t = trial_of(sn_builtin_create("snake36", NULL), "snake36", 1, 0, 0);
        double momentum[12], *target = sines(&t, 30, 1.0 / 30);
        for (int v = 0; v < 6; v++)
            t.kp[v] = t.kd[v] = 0;
        sn_model_zero_pose(t.model, t.q);
        memset(t.qd, 0, (size_t)t.nv * sizeof *t.qd);
        memset(t.run.gravity, 0, sizeof t.run.gravity);
        t.run.dt = 1.0 / 30, t.run.steps = 30, t.run.accelerations = false;
        t.run.target = target, t.run.momentum = momentum;
        t.run.products = (sn_full_products)products;
        go(&t, SN_FULL_METHOD_NULL_SPACE);
        made[products] = norm(momentum + 6, 3);
        free(target);
        end_trial(&t);
    }
    print_message("momentum made: rows %.2g, start %.2g, middle %.2g, ends %.2g, carried %.2g kg m/s\n",
                  made[0], made[1], made[2], made[3], made[4]);
    assert_true(made[SN_FULL_PRODUCTS_ROWS] < 1e-12);
    assert_true(made[SN_FULL_PRODUCTS_MIDDLE] > 20 * made[SN_FULL_PRODUCTS_ENDS]);
}

TEST(what_it_cannot_do_is_refused) {
    struct trial t = trial_of(sn_builtin_create("humanoid", NULL), "humanoid", 2, 0.4, 2);
    t.run.repair = SN_FULL_REPAIR_PROJECTION, t.run.method = SN_FULL_METHOD_NULL_SPACE;
    assert_int_equal(sn_full_go(t.model, t.q, t.qd, &t.run), SN_ERROR_ARGUMENT);
    t.run.repair = SN_FULL_REPAIR_NONE;
    t.kd[3] = -1;
    assert_int_equal(sn_full_go(t.model, t.q, t.qd, &t.run), SN_ERROR_ARGUMENT);
    t.kd[3] = 1;
    t.q[2] = (double)NAN;
    assert_int_equal(sn_full_go(t.model, t.q, t.qd, &t.run), SN_ERROR_ARGUMENT);
    t.q[2] = 0, t.qd[3] = 1e300;
    assert_int_equal(sn_full_go(t.model, t.q, t.qd, &t.run), SN_ERROR_NOT_FINITE);
    assert_int_equal(t.run.lost, 1);
    end_trial(&t);
    const sn_joint_def slide = sn_joint_def_default(SN_JOINT_SLIDE);
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 1);
    sn_model *model = one_body_model("body", &slide, &box, NULL);
    const double one = 1;
    sn_full_run run = {.dt = 0.01, .steps = 1, .kp = &one, .kd = &one, .target = &one};
    assert_int_equal(sn_full_go(model, &one, &one, &run), SN_ERROR_UNSUPPORTED);
    sn_model_free(model);
}

int main(void) {
    return run_all("stable PD in full coordinates");
}
