/* Torque limits inside the implicit solve: what is applied is the law, cut off at the limit. */
#include "dynamics_helpers.h"

static void drive_open(struct drive_scene *s, sn_model *model, sn_form form, double dt) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.form = form;
    def.dt = dt;
    s->model = model;
    s->study = study_of(model, &def);
    s->study->wants_torque = true;
    s->pd = (struct pd){model, form, dt, s->q, s->qd, s->target, s->target_qd, s->feedforward, s->kp, s->kd};
}

static void drive_fill(struct drive_scene *s, uint64_t seed, double stiffness) {
    struct rng rng = {seed};
    const int nv = sn_model_get(s->model)->nv;
    random_state(&rng, s->model, 0.8, 2, s->q, s->qd);
    random_state(&rng, s->model, 0.8, 2, s->target, s->target_qd);
    random_values(&rng, 10, s->feedforward, nv);
    for (int v = 0; v < nv; v++) {
        s->kp[v] = stiffness * uniform(&rng, 0.3, 1);
        s->kd[v] = s->kp[v] * uniform(&rng, 0.02, 0.1);
    }
    for (int i = 0; i < sn_model_get(s->model)->nbody;
         i++) { /* every other ball has one gain for all its axes */
        const sn_body_info *b = sn_model_body(s->model, i);
        for (int v = b->v_index; b->nv % 3 == 0 && i % 2 == 0 && v < b->v_index + b->nv; v++)
            s->kp[v] = s->kp[b->v_index], s->kd[v] = s->kd[b->v_index];
    }
    assert_int_equal(study_set_state(s->study, s->q, s->qd), SN_OK);
    study_get_state(s->study, s->q, s->qd);
    drive_give(s);
}

/* The groups of drives that share a limit: an axis, or three for balls and halves of free joints with one gain. */
struct group {
    int v, n;
    double limit;
};

static bool same_gains(const double *gain, const sn_body_info *b) {
    for (int v = b->v_index; v < b->v_index + b->nv; v++)
        if (gain[v] != gain[b->v_index + (v - b->v_index) / 3 * 3]) return false;
    return true;
}

static int groups_of(const sn_model *model, const double *kp, const double *kd, struct group *group) {
    int count = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const int n = b->nv % 3 == 0 && same_gains(kp, b) && same_gains(kd, b) ? 3 : 1;
        for (int v = b->v_index; v < b->v_index + b->nv; v += n)
            group[count++] = (struct group){v, n, b->joint.torque_limit};
    }
    return count;
}

/* How far the torque is from clamp(law at the acceleration that results), relative to the law and to the
   limit, and how far above the limit. */
static void measure(struct drive_scene *s, int seed, struct worst *clamp, struct worst *above, int *over) {
    struct group group[MAX_NV];
    const int count = groups_of(s->model, s->kp, s->kd, group);
    double Q[MAX_NV], K[MAX_NV], qdd[MAX_NV], tau[MAX_NV];
    assert_int_equal(study_drive_acceleration(s->study, qdd), SN_OK);
    assert_int_equal(study_drive_torque(s->study, tau), SN_OK);
    pd_terms(&s->pd, Q, K);
    for (int g = 0; g < count; g++) {
        double law[3], clamped[3];
        const double *applied = tau + group[g].v;
        for (int k = 0; k < group[g].n; k++)
            law[k] = Q[group[g].v + k] - K[group[g].v + k] * qdd[group[g].v + k];
        const double length = norm(law, group[g].n), limit = group[g].limit;
        for (int k = 0; k < group[g].n; k++)
            clamped[k] = length > limit ? law[k] * limit / length : law[k];
        *over += length > limit;
        axpy(-1, applied, clamped, group[g].n);
        const double scale = fmin(fmax(length, 1), limit);
        worst_add(clamp, norm(clamped, group[g].n) / scale, "seed %d, kp %.0f, drive %d, n %d", seed,
                  s->kp[0], group[g].v, group[g].n);
        worst_add(above, norm(applied, group[g].n) / limit - 1, "seed %d, drive %d", seed, group[g].v);
    }
}

TEST(torque_is_the_law_cut_off_at_the_limit) {
    static const double stiffness[] = {30, 300, 3000, 75000};
    struct worst clamp = {0}, above = {0};
    for (int k = 0; k < COUNT(stiffness); k++) {
        int over = 0, drives = 0;
        for (int m = 0; m < 4; m++)
            for (int form = SN_FORM_STABLE; form <= SN_FORM_FULL; form++) {
                struct drive_scene s;
                struct group group[MAX_NV];
                const unsigned mix = MIX_LIMIT | (m % 2 ? MIX_PASSIVE : 0);
                drive_open(&s, mixed_model((uint64_t)m, mix), (sn_form)form, 1.0 / 120);
                for (int seed = 0; seed < 10; seed++) {
                    drive_fill(&s, (uint64_t)(10 * m + seed), stiffness[k]);
                    measure(&s, seed, &clamp, &above, &over);
                    drives += groups_of(s.model, s.kp, s.kd, group);
                }
                drive_close(&s);
            }
        print_message("  kp up to %g: %d of %d drives at their limit\n", stiffness[k], over, drives);
        assert_true(over > 100 && over < drives);
    }
    assert_worst(&above, 1e-9, "torque above the limit");
    assert_worst(&clamp, 1e-6, "torque against the law cut off");
}

/* Three hinges, every set of drives at their upper or lower limit tried: one set agrees with itself. */
static sn_model *three_hinges(struct rng *rng) {
    static const char *const name[] = {"a", "b", "c"};
    const double com[3] = {0.1, 0.05, 0.1}, inertia[3] = {0.01, 0.012, 0.015};
    sn_body_def body[3];
    for (int i = 0; i < 3; i++) {
        body[i] = simple_body(name[i], i ? name[i - 1] : NULL, SN_JOINT_HINGE, 1, com, inertia);
        body[i].pos[0] = 0.2;
        body[i].joint.torque_limit = uniform(rng, 5, 60);
        body[i].joint.damping = uniform(rng, 0, 0.5);
        random_direction(rng, body[i].joint.axis);
    }
    return build_bodies(body, 3);
}

/* Returns how many sets agree with themselves; qdd of the last of them. */
static int enumerate(struct drive_scene *s, double *qdd) {
    int found = 0;
    double Q0[3], K0[3];
    pd_terms(&s->pd, Q0, K0);
    for (int set = 0; set < 27; set++) {
        const int side[3] = {set % 3 - 1, set / 3 % 3 - 1, set / 9 - 1};
        double Q[3], K[3], a[3];
        bool agrees = true;
        for (int i = 0; i < 3; i++) {
            const double limit = sn_model_body(s->model, i)->joint.torque_limit;
            Q[i] = side[i] ? side[i] * limit : Q0[i];
            K[i] = side[i] ? 0 : K0[i];
        }
        pd_acceleration(&s->pd, s->study, Q, K, a);
        for (int i = 0; i < 3; i++) {
            const double limit = sn_model_body(s->model, i)->joint.torque_limit, law = Q0[i] - K0[i] * a[i];
            agrees &= side[i] == 0 ? fabs(law) <= limit : side[i] * law > limit;
        }
        if (agrees) found++, memcpy(qdd, a, sizeof a);
    }
    return found;
}

TEST(the_active_set_is_the_one_that_trying_all_finds) {
    static const double stiffness[] = {30, 300, 3000, 75000, 1e6};
    struct worst worst = {0};
    for (int m = 0; m < 10; m++)
        for (int k = 0; k < COUNT(stiffness); k++) {
            struct rng rng = {(uint64_t)m};
            struct drive_scene s;
            drive_open(&s, three_hinges(&rng), m % 2 ? SN_FORM_STABLE : SN_FORM_FULL, 1.0 / 120);
            for (int seed = 0; seed < 40; seed++) {
                double expected[3], qdd[3];
                drive_fill(&s, (uint64_t)(100 * m + seed), stiffness[k]);
                assert_int_equal(enumerate(&s, expected), 1);
                assert_int_equal(study_drive_acceleration(s.study, qdd), SN_OK);
                worst_add(&worst, relative_error(qdd, expected, 3), "model %d, kp %g, seed %d", m,
                          stiffness[k], seed);
            }
            drive_close(&s);
        }
    assert_worst(&worst, 1e-9, "acceleration against trying all sets");
}

/* ------------------------------------------------------------------------------------------ single joints
   */

/* One body on one joint, its target far away: the torque as reported after a step. */
static void pull(sn_joint_type type, double limit, double *tau, int *nv) {
    const double com[3] = {0.1, 0.05, 0.1}, inertia[3] = {0.01, 0.012, 0.015};
    sn_body_def body = simple_body("body", NULL, type, 1, com, inertia);
    body.joint.torque_limit = limit;
    struct drive_scene s;
    drive_open(&s, build_bodies(&body, 1), SN_FORM_STABLE, 1.0 / 120);
    drive_fill(&s, 4, 75000);
    *nv = sn_model_get(s.model)->nv;
    assert_int_equal(study_step(s.study), SN_OK);
    assert_int_equal(study_get_torque(s.study, tau), SN_OK);
    drive_close(&s);
}

static const sn_joint_type type[] = {SN_JOINT_HINGE, SN_JOINT_SLIDE, SN_JOINT_UNIVERSAL, SN_JOINT_BALL,
                                     SN_JOINT_FREE};

TEST(each_joint_keeps_its_limit_in_its_own_measure) {
    for (int t = 0; t < COUNT(type); t++) {
        double free[6], limited[6];
        int nv;
        pull(type[t], (double)INFINITY, free, &nv);
        const int n = nv % 3 == 0 ? 3 : 1;
        pull(type[t], 0.5, limited, &nv);
        for (int v = 0; v < nv; v += n) {
            assert_true(norm(free + v, n) > 1); /* wants more */
            assert_near(norm(limited + v, n), 0.5, 0.5e-9);
        }
        pull(type[t], 0, limited, &nv);
        assert_true(norm(limited, nv) < 1e-9);
    }
}

TEST(a_limit_that_is_not_reached_changes_nothing) {
    for (int t = 0; t < COUNT(type); t++) {
        double free[6], limited[6];
        int nv;
        pull(type[t], (double)INFINITY, free, &nv);
        pull(type[t], 1e9, limited, &nv);
        assert_true(relative_error(limited, free, nv) < 1e-12);
    }
}

/* Only one joint has a limit: the others keep to their law. */
TEST(drives_without_limit_follow_their_law_beside_one_with) {
    struct worst clamp = {0}, above = {0};
    for (int seed = 0; seed < 20; seed++) {
        static const char *const name[] = {"a", "b", "c"};
        const double com[3] = {0.1, 0.05, 0.1}, inertia[3] = {0.01, 0.012, 0.015};
        sn_body_def body[3];
        for (int i = 0; i < 3; i++) {
            body[i] = simple_body(name[i], i ? name[i - 1] : NULL, i == 1 ? SN_JOINT_HINGE : SN_JOINT_BALL, 1,
                                  com, inertia);
            body[i].pos[0] = 0.2;
        }
        body[seed % 3].joint.torque_limit = 3;
        struct drive_scene s;
        int over = 0;
        drive_open(&s, build_bodies(body, 3), SN_FORM_STABLE, 1.0 / 120);
        drive_fill(&s, (uint64_t)seed, 3000);
        measure(&s, seed, &clamp, &above, &over);
        drive_close(&s);
    }
    assert_worst(&above, 1e-9, "torque above the limit");
    assert_worst(&clamp, 1e-6, "torque against the law cut off");
}

/* A weak humanoid that wants to stand against gravity still has a finite, limited life. */
TEST(a_step_in_either_precision_keeps_the_limit) {
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_model *model = mixed_model(5, MIX_LIMIT | MIX_DAMPING);
        struct group group[MAX_NV];
        double kp[MAX_NV], kd[MAX_NV];
        paper_gains(model, kp, kd);
        const int count = groups_of(model, kp, kd, group);
        sn_dynamics_def def = study_def((sn_precision)precision, NULL);
        struct study *c = study_of(model, &def);
        c->wants_torque = true;
        struct rng rng = {3};
        disturb(&rng, c, DRIVE_ALL);
        study_uniform_gains(c, 20000, 2000, 75000, 4000);
        double tau[MAX_NV], worst = 0;
        for (int i = 0; i < 240; i++) {
            assert_int_equal(study_step(c), SN_OK);
            assert_int_equal(study_get_torque(c, tau), SN_OK);
            for (int g = 0; g < count; g++)
                worst = fmax(worst, norm(tau + group[g].v, group[g].n) / group[g].limit - 1);
        }
        print_message("  precision %d: %.2g of the limit above it\n", precision, worst);
        /* in float the PD formula itself is good to eps kp |e|, some thousandths of these limits */
        assert_true(worst < (precision == SN_PRECISION_DOUBLE ? 1e-9 : 5e-3));
        study_free(c);
        sn_model_free(model);
    }
}

int main(void) {
    return run_all("torque limits");
}
