/* Velocity products against mass matrix and inverse dynamics: midpoint and Kahan's rule for every joint. */
#include "products_helpers.h"

#include "world/scene.h"

enum { SPEED = 6 };

/* A world with one member, in a random state under random drives. */
struct trial {
    sn_model *model;
    sn_world *world;
    int nv;
    double dt;
    double q[MAX_NQ], qd[MAX_NV], target[MAX_NQ], target_qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    double qdd[MAX_NV], tau[MAX_NV];
};

static void open_trial(struct trial *t, sn_model *model, const sn_world_def *def, uint64_t seed, double speed,
                       bool by_axis) {
    struct rng rng = {seed};
    t->model = model;
    t->nv = sn_model_get(model)->nv;
    t->dt = def->dt;
    random_state(&rng, model, 0.8, speed, t->q, t->qd);
    random_state(&rng, model, 0.8, 2, t->target, t->target_qd);
    if (by_axis)
        per_axis_gains(&rng, model, t->kp, t->kd);
    else
        sn_gains_uniform(model, 50, 5, 300, 20, t->kp, t->kd);
    t->world = world_of(def);
    member_of(t->world, model);
    assert_int_equal(sn_world_set_state(t->world, 0, t->q, t->qd), SN_OK);
    assert_int_equal(sn_world_get_state(t->world, 0, t->q, t->qd), SN_OK); /* as the world holds it */
    assert_int_equal(sn_world_set_target(t->world, 0, t->target, t->target_qd), SN_OK);
    assert_int_equal(sn_world_set_gains(t->world, 0, t->kp, t->kd), SN_OK);
}

static void step_trial(struct trial *t) {
    step_world(t->world);
    assert_int_equal(sn_world_get(t->world, 0, SN_FIELD_QDD, 0, 1, t->qdd), SN_OK);
    assert_int_equal(sn_world_get(t->world, 0, SN_FIELD_TORQUE, 0, 1, t->tau), SN_OK);
}

static void close_trial(struct trial *t) {
    sn_world_free(t->world);
    sn_model_free(t->model);
}

/* As many refinements as it takes. */
static void refine_fully(sn_world *world) {
    for (int i = 0; i < world->nmember; i++) {
        struct sn__pack *p = &world->member[i]->pack;
        p->def.refinements = 100, p->def.refine_to = 1e-15;
    }
}

/* tau = M qdd + C(v), what is passive at the end of the step. */
static void torque_at(const struct trial *t, const double *v, double *tau) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = t->dt;
    struct study *study = study_of(t->model, &def);
    const struct pd pd = {.model = t->model, .dt = t->dt, .q = t->q, .qd = t->qd};
    double K[MAX_NV], C[MAX_NV];
    assert_int_equal(study_set_state(study, t->q, v), SN_OK);
    assert_int_equal(study_inverse_dynamics(study, t->qdd, tau), SN_OK);
    passive_terms(&pd, K, C);
    for (int i = 0; i < sn_model_get(t->model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(t->model, i);
        for (int k = b->v_index; k < b->v_index + b->nv; k++)
            tau[k] += C[k] + K[k] * t->qdd[k] - b->joint.damping * (v[k] - t->qd[k]);
    }
    study_free(study);
}

/* The drives' law at the acceleration that came out. */
static void law_of(const struct trial *t, double *tau) {
    const struct pd pd = {t->model,  SN_FORM_STABLE, t->dt, t->q,  t->qd,
                          t->target, t->target_qd,   NULL,  t->kp, t->kd};
    double K[MAX_NV];
    pd_terms(&pd, tau, K);
    for (int v = 0; v < t->nv; v++)
        tau[v] -= K[v] * t->qdd[v];
}

static void middle_of(const struct trial *t, double *v) {
    for (int k = 0; k < t->nv; k++)
        v[k] = t->qd[k] + 0.5 * t->dt * t->qdd[k];
}

/* Largest of the terms: what rounding is relative to. */
static double size_of(const struct trial *t) {
    struct trial still = *t;
    double most = 1, C[MAX_NV];
    memset(still.qdd, 0, sizeof still.qdd);
    torque_at(&still, t->qd, C);
    for (int v = 0; v < t->nv; v++)
        most = fmax(most, fabs(C[v]));
    for (int v = 0; v < t->nv; v++)
        most = fmax(most, fabs(t->kp[v]) + t->kd[v] * (fabs(t->qd[v]) + t->dt * fabs(t->qdd[v])));
    return most;
}

TEST(the_fixed_point_is_the_midpoint_rule_for_every_joint) {
    struct worst law = {0}, midpoint = {0};
    for (int i = 0; i < ZOO_COUNT; i++)
        for (int by_axis = 0; by_axis < 2; by_axis++) {
            struct trial t;
            const sn_world_def def = products_def(SN_PRODUCTS_MIDPOINT, SN_PRECISION_DOUBLE, 1.0 / 240);
            open_trial(&t, zoo_model(i), &def, (uint64_t)(17 + i), SPEED, by_axis);
            if (sn_world_size(t.world, 0, SN_FIELD_TORQUE) == 0 || !t.nv) continue;
            double limit[MAX_NV], v[MAX_NV], tau[MAX_NV], wanted[MAX_NV];
            for (int k = 0; k < t.nv; k++)
                limit[k] = INFINITY;
            sn_world_set(t.world, 0, SN_FIELD_TORQUE_LIMIT, 0, 1, limit);
            refine_fully(t.world);
            step_trial(&t);
            middle_of(&t, v);
            torque_at(&t, v, tau);
            law_of(&t, wanted);
            worst_add(&law, largest_difference(t.tau, wanted, t.nv) / size_of(&t), "%s, %d", zoo_name(i),
                      by_axis);
            worst_add(&midpoint, largest_difference(tau, t.tau, t.nv) / size_of(&t), "%s, %d", zoo_name(i),
                      by_axis);
            close_trial(&t);
        }
    assert_worst(&law, 1e-11, "torque reported, off the law");
    assert_worst(&midpoint, 1e-12, "torque reported, off inverse dynamics at the middle of the step");
}

/* Unless told otherwise a world comes near it. */
TEST(settings_come_as_near_as_they_say) {
    static const struct {
        sn_setting setting;
        double bound;
    } row[] = {{SN_SETTING_CROWD, 0.1}, {SN_SETTING_GAME, 5e-3}, {SN_SETTING_EXACT, 1e-8}};
    for (int s = 0; s < COUNT(row); s++) {
        struct worst worst = {0};
        for (int i = 0; i < BUILTIN_COUNT; i++) {
            struct trial t, exact;
            sn_world_def def = products_def(SN_PRODUCTS_MIDPOINT, SN_PRECISION_DOUBLE, 1.0 / 240);
            def.setting = row[s].setting;
            open_trial(&t, zoo_model(i), &def, 5, 3, false);
            open_trial(&exact, zoo_model(i), &def, 5, 3, false);
            refine_fully(exact.world);
            step_trial(&t);
            step_trial(&exact);
            worst_add(&worst, def.dt * largest_difference(t.qdd, exact.qdd, t.nv) / SPEED, "%s", zoo_name(i));
            close_trial(&t);
            close_trial(&exact);
        }
        assert_worst(&worst, row[s].bound, "velocity after a step, off the fixed point");
    }
}

/* C(x, y) by polarisation of inverse dynamics, without gravity. */
static void bilinear(struct study *study, const double *q, const double *x, const double *y, int n,
                     double *C) {
    static const double zero[MAX_NV];
    double part[4][MAX_NV], v[MAX_NV];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++)
            v[i] = (k == 0 || k == 1 ? x[i] : 0) + (k == 0 || k == 2 ? y[i] : 0);
        assert_int_equal(study_set_state(study, q, v), SN_OK);
        assert_int_equal(study_inverse_dynamics(study, zero, part[k]), SN_OK);
    }
    for (int i = 0; i < n; i++)
        C[i] = 0.5 * (part[0][i] - part[1][i] - part[2][i] + part[3][i]);
}

/* How far tau is from M qdd + C(qd, qd + h qdd), relative to what polarising changes. */
static double off_polarised(const struct trial *t) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = t->dt;
    struct study *study = study_of(t->model, &def);
    double tau[MAX_NV], more[MAX_NV], change[MAX_NV], wanted[MAX_NV], off[MAX_NV];
    torque_at(t, t->qd, tau);
    for (int v = 0; v < t->nv; v++)
        change[v] = t->dt * t->qdd[v];
    bilinear(study, t->q, t->qd, change, t->nv, more);
    law_of(t, wanted);
    for (int v = 0; v < t->nv; v++)
        off[v] = tau[v] + more[v] - wanted[v];
    study_free(study);
    return norm(off, t->nv) / norm(more, t->nv);
}

/* Up to terms of h^2 of the velocity products: where polarising changes them by a part h, it is right up to h. A single
   body has no such terms. */
TEST(polarised_products_are_kahans_for_every_joint) {
    struct worst worst = {0}, slope = {0};
    for (int seed = 0; seed < 8; seed++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            struct trial t;
            const sn_world_def def = products_def(POLARISED, SN_PRECISION_DOUBLE, k ? 5e-7 : 1e-6);
            open_trial(&t, mixed_model((uint64_t)seed + 3, seed % 2 ? MIX_FIXED : 0), &def, 40, SPEED,
                       seed % 4 > 1);
            step_trial(&t);
            off[k] = off_polarised(&t);
            close_trial(&t);
        }
        worst_add(&worst, off[0], "mixed %d", seed);
        worst_add(&slope, fabs(off[0] / off[1] - 2), "mixed %d: %g, %g", seed, off[0], off[1]);
    }
    assert_worst(&worst, 1e-4, "off the polarised products, of what polarising changes");
    assert_worst(&slope, 0.1, "off by how much more at twice the step, less 2");
    struct trial t;
    const sn_world_def def = products_def(POLARISED, SN_PRECISION_DOUBLE, 1.0 / 60);
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 0.3, box.size[1] = 0.2, box.size[2] = 0.05, box.pos[1] = 0.1;
    open_trial(&t, body_of(box), &def, 3, SPEED, false);
    step_trial(&t);
    assert_true(off_polarised(&t) < 1e-10);
    close_trial(&t);
}

/* Whichever way, and whatever acts beside: the torque reported is the law's, and what was applied. */
TEST(the_torque_is_reported_as_it_was_applied) {
    for (int products = SN_PRODUCTS_MIDPOINT; products <= POLARISED; products++) {
        struct worst worst = {0};
        for (int limited = 0; limited < 2; limited++)
            for (int ground = 0; ground < 3; ground++) { /* none, implicit contact, rows */
                struct trial t;
                sn_world_def def = products_def(products, SN_PRECISION_DOUBLE, 1.0 / 120);
                if (ground == 2) def.contact = SN_CONTACT_ROWS;
                def.torque_limits = limited;
                def.sweeps = 100;
                def.sweep_tolerance = 1e-9;
                open_trial(&t, sn_builtin_create("humanoid", NULL), &def, 9, 2, false);
                if (ground) floor_of(t.world, NULL);
                double limit[MAX_NV], wanted[MAX_NV];
                for (int v = 0; v < t.nv; v++)
                    limit[v] = 1e4;
                if (limited) sn_world_set(t.world, 0, SN_FIELD_TORQUE_LIMIT, 0, 1, limit);
                t.q[2] += ground ? 0.2 : 0;
                sn_world_set_state(t.world, 0, t.q, NULL);
                step_trial(&t);
                law_of(&t, wanted);
                worst_add(&worst, largest_difference(t.tau, wanted, t.nv) / size_of(&t),
                          "limits %d, ground %d", limited, ground);
                close_trial(&t);
            }
        assert_worst(&worst, 1e-8, "torque reported, off the law");
    }
}

int main(void) {
    return run_all("products_oracle");
}
