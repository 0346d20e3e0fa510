/* The passes of position-based steps against the paper's algorithms, dense matrices and finite differences. */
#include "position_helpers.h"

#include "base/quat.h"

void scalar_psd_part(const double in[6], double out[6]); /* position_scalar.c: xx yy zz xy xz yz */

static const enum sn__position_method METHODS[] = {SN__PBAD2, SN__BDF2,   SN__PBAD3,
                                                   SN__PBAD4, SN__RADAU2, SN__RADAU3};

enum { SEEDS = 6 };

/* What acts in a trial, beside gravity. */
enum acts { NOTHING, PASSIVE, DRIVES, ACTS };

/* Any poses at all stages and in the past, not a solution of anything. */
struct trial {
    sn_model *model;
    struct sn__position *p;
    int n;
    double *q[SN__POSITION_STAGES], *g, *delta;
};

static struct trial open_trial(enum sn__position_method method, uint64_t seed, enum acts acts) {
    struct trial t = {.model = mixed_model(seed, acts == PASSIVE ? MIX_PASSIVE : 0)};
    struct rng rng = {seed + 100};
    const int nv = t.model->nv;
    double pose[SN__POSITION_PAST][MAX_NQ], qd[MAX_NV], dv[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    const double *past[SN__POSITION_PAST];
    t.p = position_of(t.model, method, 0.05, 1e-10);
    t.n = t.p->scheme.m * nv;
    t.g = calloc((size_t)t.n, sizeof *t.g);
    t.delta = calloc((size_t)t.n, sizeof *t.delta);
    random_state(&rng, t.model, 1, 3, pose[0], qd);
    for (int i = 0; i < t.p->scheme.past; i++) {
        past[i] = pose[i];
        random_values(&rng, 0.2, dv, nv);
        if (i) sn_model_pose_add(t.model, 1, pose[i - 1], dv, pose[i]);
    }
    assert_int_equal(sn__position_start_from(t.p, past, qd), SN_OK);
    if (acts == DRIVES) {
        double target[MAX_NQ], push[6 * MAX_NV];
        sn_gains_uniform(t.model, 300, 30, 500, 40, kp, kd);
        assert_int_equal(sn__position_set_gains(t.p, kp, kd), SN_OK);
        for (int i = 0; i < t.p->scheme.m; i++) {
            random_values(&rng, 0.4, dv, nv);
            sn_model_pose_add(t.model, 1, pose[0], dv, target);
            assert_int_equal(sn__position_set_target(t.p, i, target, NULL), SN_OK);
        }
        random_values(&rng, 20, push, 6 * t.model->nbody);
        for (int i = 0; i < t.model->nbody; i++) /* a torque has no energy */
            memset(push + 6 * i + 3, 0, 3 * sizeof *push);
        assert_int_equal(sn__position_set_push(t.p, push), SN_OK);
    }
    for (int i = 0; i < t.p->scheme.m; i++) {
        t.q[i] = calloc((size_t)t.model->nq, sizeof **t.q);
        random_values(&rng, 0.3, dv, nv);
        sn_model_pose_add(t.model, 1, pose[0], dv, t.q[i]);
        for (int b = 0; b < t.model->nbody; b++) /* the start stands at the anchor */
            if (t.model->body[b].joint.type == SN_JOINT_FREE)
                for (int k = 0; k < 3; k++)
                    t.q[i][t.model->body[b].q_index + k] -= pose[0][t.model->body[b].q_index + k];
        sn__position_put(t.p, t.p->q[i], t.model->nq, t.q[i]);
    }
    /* T as the step makes it */
    const struct sn__position_scheme *s = &t.p->scheme;
    for (int i = 0; i < s->m; i++) {
        double w[SN__POSITION_PAST + 1];
        const void *x[SN__POSITION_PAST + 1];
        int n = 0;
        for (int h = 0; h < s->past; h++)
            w[n] = s->W[i][h], x[n++] = t.p->past_P[h];
        if (s->has_velocity) w[n] = s->velocity[i] * t.p->args.dt, x[n++] = t.p->V;
        t.p->pk->blend(SN__AFFINE * t.model->nbody, n, w, x, t.p->T[i]);
    }
    return t;
}

static void close_trial(struct trial *t) {
    for (int i = 0; i < SN__POSITION_STAGES; i++)
        free(t->q[i]);
    free(t->g), free(t->delta);
    sn__position_free(t->p);
    sn_model_free(t->model);
}

/* Gradient, and delta, at the poses of the trial. */
static double evaluate(struct trial *t, int what) {
    const int nv = t->model->nv;
    const struct sn__position_value v = sn__position_evaluate(t->p, t->p->q, t->p->g, t->p->delta, what);
    for (int i = 0; i < t->p->scheme.m; i++) {
        sn__position_get(t->p, t->p->g[i], nv, t->g + i * nv);
        sn__position_get(t->p, t->p->delta[i], nv, t->delta + i * nv);
    }
    return v.energy;
}

/* ---------------------------------------------------------------------------------------------------- gradient */

TEST(algorithm_1_gives_the_gradient_of_the_pass) {
    struct worst worst = {0};
    for (int k = 0; k < COUNT(METHODS); k++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct trial t = open_trial(METHODS[k], seed, NOTHING);
            const struct sn__position_scheme *s = &t.p->scheme;
            const int nv = t.model->nv, m = s->m;
            const double dt = t.p->args.dt, ih2 = 1 / (dt * dt);
            struct sn__adjoint *a = sn__adjoint_create(t.model, m + s->past + 1);
            double *q = calloc((size_t)(t.model->nq + 12 * t.model->nbody), sizeof *q), g[3 * MAX_NV] = {0};
            for (int i = 0; i < m + s->past; i++) {
                sn__position_get(t.p, i < m ? t.p->q[i] : t.p->past_q[i - m], t.model->nq, q);
                sn__adjoint_pose(a, i, q);
            }
            sn__position_get(t.p, t.p->V, 12 * t.model->nbody, q);
            sn__adjoint_rate(a, m + s->past, q);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < m; j++)
                    sn__adjoint_gradient(a, j, i, s->C[i][j] * ih2, g + i * nv);
                for (int h = 0; h < s->past; h++)
                    sn__adjoint_gradient(a, m + h, i, -s->W[i][h] * ih2, g + i * nv);
                if (s->has_velocity)
                    sn__adjoint_gradient(a, m + s->past, i, -s->velocity[i] / dt, g + i * nv);
                sn__adjoint_gravity(a, i, t.p->def.gravity, 1, g + i * nv);
            }
            evaluate(&t, SN__GRADIENT);
            worst_add(&worst, relative_error(t.g, g, t.n), "%s, seed %d", s->name, (int)seed);
            sn__adjoint_free(a);
            free(q);
            close_trial(&t);
        }
    assert_worst(&worst, 1e-12, "gradient against algorithm 1");
}

/* Moves one coordinate of one stage. */
static void nudge(struct trial *t, int index, double by) {
    const int nv = t->model->nv, stage = index / nv;
    double dv[MAX_NV] = {0}, q[MAX_NQ];
    dv[index % nv] = by;
    sn_model_pose_add(t->model, 1, t->q[stage], dv, q);
    sn__position_put(t->p, t->p->q[stage], t->model->nq, q);
}

TEST(the_gradient_is_that_of_the_energy) {
    struct worst worst = {0};
    for (int k = 0; k < 2; k++)
        for (int acts = NOTHING; acts < ACTS; acts++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                struct trial t = open_trial(METHODS[k], seed, (enum acts)acts);
                double slope[MAX_NV];
                const double h = 1e-5;
                for (int v = 0; v < t.n; v++) {
                    double E[4];
                    for (int side = 0; side < 4; side++) {
                        nudge(&t, v, h * (const double[]){-2, -1, 1, 2}[side]);
                        E[side] = evaluate(&t, SN__GRADIENT);
                    }
                    slope[v] = (8 * (E[2] - E[1]) - (E[3] - E[0])) / (12 * h);
                    nudge(&t, v, 0);
                }
                evaluate(&t, SN__GRADIENT);
                worst_add(&worst, relative_error(slope, t.g, t.n), "%s, acts %d, seed %d", t.p->scheme.name,
                          acts, (int)seed);
                close_trial(&t);
            }
    assert_worst(&worst, 1e-8, "gradient against differences of the energy");
}

/* ---------------------------------------------------------------------------------------------------- Hessians */

/* Differences of the gradient. In the chart of a ball the Hessian is the symmetric part within a stage: what is skew is the
   turning of the axes the gradient is in. */
static void jacobian_by_differences(struct trial *t, double *J) {
    const int n = t->n, nv = t->model->nv;
    const double h = 1e-4;
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    for (int v = 0; v < n; v++) {
        for (int i = 0; i < n; i++)
            J[i * n + v] = 0;
        for (int side = 0; side < 4; side++) {
            nudge(t, v, h * at[side]);
            evaluate(t, SN__GRADIENT);
            for (int i = 0; i < n; i++)
                J[i * n + v] += weight[side] * t->g[i] / (12 * h);
        }
        nudge(t, v, 0);
    }
    for (int s = 0; s < n; s += nv)
        for (int i = s; i < s + nv; i++)
            for (int j = s; j < i; j++)
                J[i * n + j] = J[j * n + i] = 0.5 * (J[i * n + j] + J[j * n + i]);
}

TEST(the_exact_sweep_solves_with_the_hessian_of_finite_differences) {
    struct worst worst = {0}, armature = {0};
    for (int k = 0; k < COUNT(METHODS); k++)
        for (int acts = NOTHING; acts < ACTS; acts++)
            for (uint64_t seed = 1; seed <= 2; seed++) {
                struct trial t = open_trial(METHODS[k], seed, (enum acts)acts);
                double *J = calloc((size_t)t.n * (size_t)t.n, sizeof *J),
                       *left = calloc((size_t)t.n, sizeof *left);
                jacobian_by_differences(&t, J);
                evaluate(&t, SN__EXACT);
                multiply(J, t.delta, left, t.n);
                for (int i = 0; i < t.n; i++)
                    left[i] = -left[i];
                /* a velocity at the start moves in the chart of a ball with armature: left out of J */
                const bool rough = t.p->scheme.has_velocity && acts == PASSIVE;
                worst_add(rough ? &armature : &worst, relative_error(left, t.g, t.n), "%s, acts %d, seed %d",
                          t.p->scheme.name, acts, (int)seed);
                free(J);
                free(left);
                close_trial(&t);
            }
    assert_worst(&worst, 1e-6, "J delta + g, J by differences");
    assert_worst(&armature, 1e-3, "likewise with armature under Radau methods");
}

/* J of algorithms 2 and 3. */
static void compare_dense(enum sn__position_method method, uint64_t seed, int what, struct worst *worst) {
    struct trial t = open_trial(method, seed, NOTHING);
    double *x = calloc((size_t)t.n, sizeof *x);
    evaluate(&t, what);
    assert_true(sn__position_system(t.p, t.p->q, what == SN__EXACT));
    for (int i = 0; i < t.n; i++)
        t.g[i] = -t.g[i];
    solve_general(t.p->system->J, t.g, x, t.n);
    worst_add(worst, relative_error(t.delta, x, t.n), "%s, seed %d", t.p->scheme.name, (int)seed);
    free(x);
    close_trial(&t);
}

TEST(sweeps_agree_with_algorithms_2_and_3) {
    struct worst gauss = {0}, exact = {0};
    for (int k = 0; k < COUNT(METHODS); k++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            compare_dense(METHODS[k], seed, SN__GAUSS_NEWTON, &gauss);
            compare_dense(METHODS[k], seed, SN__EXACT, &exact);
        }
    assert_worst(&gauss, 1e-10, "Gauss-Newton sweeps against algorithm 3");
    assert_worst(&exact, 1e-10, "exact sweeps against algorithms 2 and 3");
}

/* Algorithm 2 on its own, where it is the whole Hessian: that of I(q_a, q). */
TEST(algorithm_2_is_the_hessian_of_algorithm_1) {
    struct worst worst = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sn_model *model = mixed_model(seed, 0);
        const int nv = model->nv;
        struct sn__adjoint *a = sn__adjoint_create(model, 2);
        struct rng rng = {seed};
        double qa[MAX_NQ], qb[MAX_NQ], qd[MAX_NV], q[MAX_NQ], H[MAX_NV * 40] = {0};
        assert_true(nv <= 40);
        random_state(&rng, model, 1, 1, qa, qd);
        random_state(&rng, model, 1, 1, qb, qd);
        sn__adjoint_pose(a, 0, qa);
        sn__adjoint_pose(a, 1, qb);
        sn__adjoint_hessian(a, 0, 1, 1, H, nv);
        const double h = 1e-3;
        for (int i = 0; i < nv; i++) {
            double value[5], along = 0, g[MAX_NV] = {0};
            for (int k = -2; k <= 2; k++) {
                double dv[MAX_NV] = {0};
                dv[i] = k * h;
                sn_model_pose_add(model, 1, qb, dv, q);
                sn__adjoint_pose(a, 1, q);
                memset(g, 0, sizeof g);
                value[k + 2] = sn__adjoint_gradient(a, 0, 1, 1, g);
                along += k == 0 ? 0 : g[i] * (k == 1 ? 8 : k == -1 ? -8 : k == 2 ? -1 : 1) / (12 * h);
            }
            (void)value;
            worst_add(&worst, fabs(along - H[i * nv + i]) / (1 + fabs(along)), "seed %d, dof %d", (int)seed,
                      i);
        }
        sn__adjoint_free(a);
        sn_model_free(model);
    }
    assert_worst(&worst, 1e-8, "diagonal of algorithm 2 against differences of algorithm 1");
}

/* Two eliminations that share nothing but the terms: symmetric blocks, and general ones with pivots. */
TEST(block_sweeps_of_one_pose_are_sweeps) {
    struct worst worst = {0};
    for (int k = 0; k < 2; k++)
        for (int acts = NOTHING; acts < ACTS; acts++)
            for (int what = SN__GAUSS_NEWTON; what <= SN__MIRRORED; what++)
                for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                    struct trial t = open_trial(METHODS[k], seed, (enum acts)acts);
                    double x[MAX_NV];
                    evaluate(&t, what);
                    memcpy(x, t.delta, (size_t)t.n * sizeof *x);
                    t.p->pk->block(&t.p->args, what);
                    sn__position_get(t.p, t.p->delta[0], t.n, t.delta);
                    worst_add(&worst, relative_error(t.delta, x, t.n), "%s, acts %d, hessian %d, seed %d",
                              t.p->scheme.name, acts, what, (int)seed);
                    close_trial(&t);
                }
    assert_worst(&worst, 1e-10, "sweeps and block sweeps");
}

/* ------------------------------------------------------------------------------------- semidefinite part, lanes */

static void jacobi(double A[3][3], double V[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            V[i][j] = i == j;
    for (int round = 0; round < 60; round++) {
        const int p = (int[]){0, 0, 1}[round % 3], q = (int[]){1, 2, 2}[round % 3];
        const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++) {
            const double x = A[k][p], y = A[k][q], u = V[k][p], v = V[k][q];
            A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
            V[k][p] = c * u - s * v, V[k][q] = s * u + c * v;
        }
        for (int k = 0; k < 3; k++) {
            const double x = A[p][k], y = A[q][k];
            A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
    }
}

TEST(the_semidefinite_part_is_that_of_the_eigenvalues) {
    struct worst worst = {0};
    struct rng rng = {5};
    for (int trial = 0; trial < 20000; trial++) {
        double l[3], A[3][3] = {{0}}, V[3][3], B[3][3] = {{0}}, q[4];
        for (int k = 0; k < 3; k++) {
            l[k] = uniform(&rng, -1, 1);
            if (trial % 5 == 1) l[k] *= pow(10, uniform(&rng, -12, 0));
            if (trial % 5 == 2 && k) l[k] = l[k - 1] * (1 + (trial % 2) * uniform(&rng, -1e-9, 1e-9));
            if (trial % 5 == 3) l[k] *= 1e7;
            if (trial % 5 == 4 && k < 2) l[k] = 0;
        }
        double R[3][3];
        random_quaternion(&rng, q);
        dquat_to_matrix(q, R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    A[i][j] += R[i][k] * l[k] * R[j][k];
        const double X[6] = {A[0][0], A[1][1], A[2][2], A[0][1], A[0][2], A[1][2]};
        double P[6];
        scalar_psd_part(X, P);
        A[1][0] = A[0][1], A[2][0] = A[0][2], A[2][1] = A[1][2];
        jacobi(A, V);
        double size = 1e-300;
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs(A[k][k]));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    B[i][j] += V[i][k] * fmax(A[k][k], 0) * V[j][k];
        const double error = fabs(P[0] - B[0][0]) + fabs(P[1] - B[1][1]) + fabs(P[2] - B[2][2]) +
                             fabs(P[3] - B[0][1]) + fabs(P[4] - B[0][2]) + fabs(P[5] - B[1][2]);
        worst_add(&worst, error / size, "trial %d: %g %g %g", trial, l[0], l[1], l[2]);
    }
    assert_worst(&worst, 1e-7,
                 "semidefinite part"); /* where two eigenvalues are nearly zero; 1e-13 elsewhere */
}

TEST(all_lane_types_sweep_alike) {
    struct worst worst = {0};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    double first[MAX_NQ], q[MAX_NQ], qd[MAX_NV] = {0}, kp[MAX_NV], kd[MAX_NV];
    const sn_lanes_info *lanes;
    int count = 0;
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    for (int i = 0; (lanes = sn_lanes_get(i)); i++) {
        struct sn__position_def def = sn__position_def_default();
        def.precision = lanes->precision;
        def.lanes = lanes->name;
        def.solver = SN__SOLVE_SWEEPS;
        struct sn__position *p = sn__position_create(model, &def, NULL);
        assert_non_null(p);
        sn_model_zero_pose(model, q);
        q[0] = 1000;
        sn__position_set_gains(p, kp, kd);
        sn__position_set_target(p, 0, q, NULL);
        qd[3] = 2, qd[0] = 1;
        sn__position_start(p, q, qd);
        for (int step = 0; step < 30; step++)
            position_step(p);
        sn__position_state(p, q, NULL);
        if (!count++) memcpy(first, q, sizeof first);
        q[0] -= 1000;
        if (count == 1) first[0] -= 1000;
        worst_add(&worst, relative_error(q, first, model->nq), "%s", lanes->name);
        sn__position_free(p);
    }
    sn_model_free(model);
    assert_true(count >= 2);
    assert_worst(&worst, 1e-4, "30 steps in float and double, 1 km away");
}

/* Poses, history, targets and pushes of each lane its own; what one lane comes to must not depend on the others. */
struct lane_trial {
    struct sn__position *p;
    int width;
    size_t value; /* bytes */
};

static void put_lane(const struct lane_trial *t, void *lanes, int lane, int n, const double *x) {
    for (int i = 0; i < n; i++) {
        if (t->value == sizeof(double))
            ((double *)lanes)[i * t->width + lane] = x[i];
        else
            ((float *)lanes)[i * t->width + lane] = (float)x[i];
    }
}

/* Fills one lane, or with `lane` negative all of them, by the seed. */
static void fill_lane(const struct lane_trial *t, int lane, uint64_t seed) {
    struct sn__position *p = t->p;
    const sn_model *model = p->model;
    struct rng rng = {seed};
    double q[MAX_NQ], pose[MAX_NQ], qd[MAX_NV], dv[MAX_NV], T[12 * 64];
    assert_true(model->nbody <= 64);
    random_state(&rng, model, 1, 3, q, qd);
    for (int k = lane < 0 ? 0 : lane; k < (lane < 0 ? t->width : lane + 1); k++) {
        struct rng again = rng;
        for (int i = 0; i < p->scheme.past; i++) {
            random_values(&again, 0.2, dv, model->nv);
            sn_model_pose_add(model, 1, q, dv, pose);
            put_lane(t, p->past_q[i], k, model->nq, pose);
        }
        for (int i = 0; i < p->scheme.m; i++) {
            random_values(&again, 0.3, dv, model->nv);
            sn_model_pose_add(model, 1, q, dv, pose);
            put_lane(t, p->q[i], k, model->nq, pose);
            put_lane(t, p->target_q[i], k, model->nq, q);
            random_values(&again, 1, T, 12 * model->nbody);
            put_lane(t, p->T[i], k, 12 * model->nbody, T);
        }
    }
}

static void compare_lanes(const sn_lanes_info *lanes, enum sn__position_method method, int what) {
    sn_model *model = mixed_model(2, MIX_PASSIVE);
    struct sn__position_def def = sn__position_def_default();
    def.precision = lanes->precision, def.lanes = lanes->name;
    def.method = method;
    const size_t size = lanes->precision == SN_PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
    struct lane_trial t = {sn__position_create(model, &def, NULL), lanes->width, size};
    struct sn__position *p = t.p;
    double kp[MAX_NV], kd[MAX_NV], pose[MAX_NQ];
    char *together = malloc(size * (size_t)lanes->width * (size_t)(p->scheme.m * model->nv));
    sn_gains_uniform(model, 300, 30, 500, 40, kp, kd);
    sn__position_set_gains(p, kp, kd);
    sn_model_zero_pose(model, pose);
    for (int i = 0; i < p->scheme.m; i++)
        sn__position_set_target(p, i, pose, NULL);
    const size_t bytes = size * (size_t)lanes->width * (size_t)model->nv;
    for (int lane = 0; lane < lanes->width; lane++)
        fill_lane(&t, lane, (uint64_t)lane + 1);
    sn__position_evaluate(p, p->q, p->g, p->delta, what);
    for (int i = 0; i < p->scheme.m; i++)
        memcpy(together + (size_t)i * bytes, p->delta[i], bytes);
    for (int lane = 0; lane < lanes->width; lane++) {
        fill_lane(&t, -1, (uint64_t)lane + 1);
        sn__position_evaluate(p, p->q, p->g, p->delta, what);
        for (int i = 0; i < p->scheme.m; i++)
            for (int v = 0; v < model->nv; v++) {
                const size_t at = size * (size_t)(v * lanes->width + lane);
                if (memcmp(together + (size_t)i * bytes + at, (char *)p->delta[i] + at, size))
                    fail_msg("%s: lane %d depends on its neighbours", lanes->name, lane);
            }
    }
    free(together);
    sn__position_free(p);
    sn_model_free(model);
}

TEST(a_lane_does_not_depend_on_its_neighbours) {
    const sn_lanes_info *lanes;
    int with_block[2] = {0};
    for (int i = 0; (lanes = sn_lanes_get(i)); i++) {
        for (int what = SN__GAUSS_NEWTON; what <= SN__MIRRORED; what++)
            compare_lanes(lanes, SN__BDF2, what);
        if (!sn__study_table(sn__kernels_find(lanes->name, lanes->precision, false, NULL))->block) continue;
        with_block[lanes->precision]++;
        compare_lanes(lanes, SN__PBAD2, SN__EXACT);
        compare_lanes(lanes, SN__RADAU2, SN__EXACT);
        compare_lanes(lanes, SN__PBAD4, SN__CLAMPED);
    }
    assert_true(with_block[SN_PRECISION_DOUBLE] > 0 && with_block[SN_PRECISION_FLOAT] > 0);
}

int main(void) {
    return run_all("position kernels");
}
