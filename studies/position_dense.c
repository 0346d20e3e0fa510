/* The optimisers of pbad-2018 as published: Levenberg-Marquardt with a dense system, and L-BFGS by liblbfgs. Objective is
 * the energy of one pose, eq. 5, or the sum of squares of the gradients, eq. 7. Dense systems come from algorithms 1 to 3. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "studies/position_inner.h"
#include "model/joint.h"

/* ------------------------------------------------------------------------------------------------ dense systems */

void sn__position_system_free(struct sn__position_system *s) {
    if (!s) return;
    sn__adjoint_free(s->adjoint);
    sn__free_all(s->J, s->N, s->g, s->step, s->pose, s->gains, s);
}

static bool need_system(struct sn__position *p) {
    if (p->system) return true;
    const sn_model *m = p->model;
    struct sn__position_system *s = sn__alloc(1, sizeof *s);
    if (!s) return false;
    const size_t n = (size_t)p->scheme.m * (size_t)m->nv;
    s->n = (int)n;
    s->adjoint = sn__adjoint_create(m, p->scheme.m + p->scheme.past + 1);
    s->J = sn__alloc(n * n, sizeof *s->J);
    s->N = sn__alloc(n * n, sizeof *s->N);
    s->g = sn__alloc(n, sizeof *s->g);
    s->step = sn__alloc(n, sizeof *s->step);
    s->pose = sn__alloc(SN__AFFINE * (size_t)m->nbody + (size_t)m->nq, sizeof *s->pose);
    s->gains = sn__alloc(2 * (size_t)m->nv, sizeof *s->gains);
    p->system = s;
    return s->adjoint && s->J && s->N && s->g && s->step && s->pose && s->gains;
}

/* Drives, springs and dampers between stages i and j, by their gains alone. */
static void add_gains(struct sn__position *p, double *J) {
    const sn_model *m = p->model;
    const struct sn__position_scheme *s = &p->scheme;
    const int nv = m->nv, n = s->m * nv;
    double *kp = p->system->gains, *kd = kp + nv, dt = p->args.dt;
    memset(kp, 0, 2 * (size_t)nv * sizeof *kp);
    if (p->args.target_q[0]) {
        sn__position_get(p, p->kp, nv, kp);
        sn__position_get(p, p->kd, nv, kd);
    }
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->m; j++)
            for (int v = 0; v < nv; v++)
                J[(i * nv + v) * n + j * nv + v] += (i == j ? kp[v] + m->stiffness[v] : 0) +
                                                    (kd[v] + m->damping[v]) * s->rate[i][j] / dt +
                                                    m->armature[v] * s->C[i][j] / (dt * dt);
}

/* d gradient_i / d q_j = C_ij / dt^2 d^2 I(q_j, q_i) / dq_j dq_i, and on the diagonal what the second derivatives by q_i
   add: sum_k C_ik d^2 I(q_k, q_i) / dq_i^2, less that of the past, and gravity's. */
bool sn__position_system(struct sn__position *p, void *const *q, bool geometric) {
    if (!need_system(p)) return false;
    struct sn__position_system *s = p->system;
    const struct sn__position_scheme *scheme = &p->scheme;
    const int m = scheme->m, nv = p->model->nv, n = s->n;
    const double ih2 = 1 / (p->args.dt * p->args.dt);
    memset(s->J, 0, (size_t)n * (size_t)n * sizeof *s->J);
    for (int i = 0; i < m + scheme->past; i++) {
        sn__position_get(p, i < m ? q[i] : p->past_q[i - m], p->model->nq, s->pose);
        sn__adjoint_pose(s->adjoint, i, s->pose);
    }
    if (scheme->has_velocity) {
        sn__position_get(p, p->V, SN__AFFINE * p->model->nbody, s->pose);
        sn__adjoint_rate(s->adjoint, m + scheme->past, s->pose);
    }
    for (int i = 0; i < m; i++) {
        double *ii = s->J + (i * nv) * n + i * nv;
        for (int j = 0; j < m; j++) {
            sn__adjoint_mixed(s->adjoint, j, i, scheme->C[i][j] * ih2, s->J + (i * nv) * n + j * nv, n);
            if (geometric) sn__adjoint_hessian(s->adjoint, j, i, scheme->C[i][j] * ih2, ii, n);
        }
        if (!geometric) continue;
        for (int h = 0; h < scheme->past; h++)
            sn__adjoint_hessian(s->adjoint, m + h, i, -scheme->W[i][h] * ih2, ii, n);
        if (scheme->has_velocity)
            sn__adjoint_hessian(s->adjoint, m + scheme->past, i, -scheme->velocity[i] / p->args.dt, ii, n);
        sn__adjoint_gravity_hessian(s->adjoint, i, p->def.gravity, 1, ii, n);
    }
    add_gains(p, s->J);
    return true;
}

bool sn__cholesky_solve(int n, double *A, double *b) {
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i) {
                row[j] = sum / other[j];
            } else if (sum > 0) {
                row[i] = sqrt(sum);
            } else {
                return false;
            }
        }
        for (int k = 0; k < i; k++)
            b[i] -= row[k] * b[k];
        b[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] /= A[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++)
            b[k] -= A[(size_t)i * (size_t)n + (size_t)k] * b[i];
    }
    return true;
}

/* ------------------------------------------------------------------------------------------ Levenberg-Marquardt */

/* The objective is eq. 7, half the sum of squares; else eq. 5. */
static bool by_squares(const struct sn__position *p) {
    return p->scheme.m > 1 || p->def.squares;
}

static void get_gradients(struct sn__position *p, void *const *g, double *out) {
    for (int i = 0; i < p->scheme.m; i++)
        sn__position_get(p, g[i], p->model->nv, out + i * p->model->nv);
}

/* N = J^T J, and J^T g into `out`. */
static void normal_equations(const struct sn__position_system *s, double *N, double *out) {
    const int n = s->n;
    memset(N, 0, (size_t)n * (size_t)n * sizeof *N);
    memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < n; k++) {
        const double *row = s->J + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++) {
            out[i] += row[i] * s->g[k];
            if (row[i] != 0)
                for (int j = 0; j <= i; j++)
                    N[(size_t)i * (size_t)n + (size_t)j] += row[i] * row[j];
        }
    }
}

/* (H + lambda 1) step = -slope. False: not positive definite. */
static bool marquardt_step(struct sn__position *p, double lambda, double *slope) {
    struct sn__position_system *s = p->system;
    const size_t n = (size_t)s->n;
    if (by_squares(p)) {
        normal_equations(s, s->N, s->step);
    } else {
        memcpy(s->N, s->J, n * n * sizeof *s->N);
        memcpy(s->step, s->g, n * sizeof *s->step);
    }
    for (size_t i = 0; i < n; i++) {
        s->N[i * n + i] += lambda;
        s->step[i] = -s->step[i];
    }
    *slope = 0;
    double *right = s->g; /* not needed any more this time */
    memcpy(right, s->step, n * sizeof *right);
    if (!sn__cholesky_solve(s->n, s->N, s->step)) return false;
    for (size_t i = 0; i < n; i++)
        *slope -= right[i] * s->step[i];
    for (int i = 0; i < p->scheme.m; i++)
        sn__position_put(p, p->delta[i], p->model->nv, s->step + i * p->model->nv);
    return true;
}

static double objective(const struct sn__position *p, const struct sn__position_value *v) {
    return by_squares(p) ? 0.5 * v->square : v->energy;
}

bool sn__position_marquardt_dense(struct sn__position *p, struct sn__position_report *r) {
    struct sn__position_value now = sn__position_evaluate(p, p->q, p->g, p->delta, SN__GRADIENT);
    double lambda = 0, scale = by_squares(p) ? p->force_scale * p->force_scale : p->force_scale;
    r->evaluations++;
    while (now.residual > p->def.tolerance && r->iterations < p->def.most && lambda < 1e12 * scale) {
        double slope;
        r->iterations++;
        if (!sn__position_system(p, p->q, by_squares(p))) return false;
        get_gradients(p, p->g, p->system->g);
        bool good = marquardt_step(p, lambda, &slope);
        if (good) {
            sn__position_go(p, p->q, p->delta, 1, p->try_q);
            const struct sn__position_value next =
                sn__position_evaluate(p, p->try_q, p->try_g, p->try_delta, SN__GRADIENT);
            r->evaluations++;
            const double noise = 1e-13 * (fabs(objective(p, &now)) + fabs(objective(p, &next)));
            good = objective(p, &next) <= objective(p, &now) + 1e-4 * slope ||
                   (fabs(slope) <= noise && next.square <= 4 * now.square);
            if (good) now = next;
        }
        if (!good) {
            r->backtracks++;
            lambda = fmax(4 * lambda, 1e-4 * scale);
            continue;
        }
        lambda = lambda < 1e-6 * scale ? 0 : lambda / 4;
        for (int i = 0; i < p->scheme.m; i++) {
            void *q = p->q[i], *g = p->g[i];
            p->q[i] = p->try_q[i], p->try_q[i] = q;
            p->g[i] = p->try_g[i], p->try_g[i] = g;
        }
    }
    r->residual = now.residual;
    return now.residual <= p->def.tolerance;
}

/* ------------------------------------------------------------------------------------------------------- L-BFGS */

#if SN__HAVE_LBFGS
#include <lbfgs.h>

/* The step is taken in the chart around the first guess: unknowns are displacements from there. */
struct search {
    struct sn__position *p;
    struct sn__position_report *report;
    struct sn__position_value value;
    bool failed;
};

/* Gradients by turns of a body become those by the chart: Jr(u)^T g, Jr(u) = 1 - (1 - cos t)/t^2 [u] + (t - sin t)/t^3 [u]^2. */
static void pull_back(const double *u, double *g) {
    const double square = dvec_dot(u, u), t = sqrt(square);
    const double a = t < 1e-4 ? 0.5 : (1 - cos(t)) / square,
                 b = t < 1e-4 ? 1.0 / 6 : (t - sin(t)) / (square * t);
    double once[3], twice[3];
    dvec_cross(u, g, once);
    dvec_cross(u, once, twice);
    for (int k = 0; k < 3; k++)
        g[k] += a * once[k] + b * twice[k];
}

static void to_chart(const sn_model *m, const double *u, double *g) {
    for (int i = 0; i < m->nbody; i++) {
        const int quaternion = sn__joint_quaternion(&m->body[i]), v = m->body[i].v_index + quaternion;
        if (quaternion >= 0) pull_back(u + v, g + v);
    }
}

static lbfgsfloatval_t evaluate(void *self, const lbfgsfloatval_t *x, lbfgsfloatval_t *g, const int n,
                                const lbfgsfloatval_t step) {
    struct search *search = self;
    struct sn__position *p = search->p;
    const int nv = p->model->nv;
    (void)step, (void)n;
    for (int i = 0; i < p->scheme.m; i++)
        sn__position_put(p, p->delta[i], nv, x + i * nv);
    sn__position_go(p, p->q, p->delta, 1, p->try_q);
    search->value = sn__position_evaluate(p, p->try_q, p->try_g, p->try_delta, SN__GRADIENT);
    search->report->evaluations++;
    get_gradients(p, p->try_g, g);
    if (by_squares(p)) {
        if (!sn__position_system(p, p->try_q, true)) {
            search->failed = true;
            return NAN;
        }
        struct sn__position_system *s = p->system;
        memset(s->step, 0, (size_t)s->n * sizeof *s->step);
        for (int k = 0; k < s->n; k++)
            for (int j = 0; j < s->n; j++)
                s->step[j] += s->J[(size_t)k * (size_t)s->n + (size_t)j] * g[k];
        memcpy(g, s->step, (size_t)s->n * sizeof *g);
    }
    for (int i = 0; i < p->scheme.m; i++)
        to_chart(p->model, x + i * nv, g + i * nv);
    return objective(p, &search->value);
}

static int progress(void *self, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g, const lbfgsfloatval_t fx,
                    const lbfgsfloatval_t xnorm, const lbfgsfloatval_t gnorm, const lbfgsfloatval_t step,
                    int n, int k, int ls) {
    struct search *search = self;
    (void)x, (void)g, (void)fx, (void)xnorm, (void)gnorm, (void)step, (void)n;
    search->report->iterations = k;
    search->report->backtracks += ls - 1;
    return search->value.residual <= search->p->def.tolerance;
}

bool sn__position_lbfgs(struct sn__position *p, struct sn__position_report *r) {
    const int n = p->scheme.m * p->model->nv;
    struct search search = {.p = p, .report = r};
    if (n == 0) return true;
    search.value = sn__position_evaluate(p, p->q, p->try_g, p->try_delta, SN__GRADIENT);
    r->evaluations++;
    r->residual = search.value.residual;
    if (search.value.residual <= p->def.tolerance) return true;
    lbfgs_parameter_t settings;
    lbfgs_parameter_init(&settings);
    settings.epsilon = 0; /* progress() says when to end */
    settings.max_iterations = p->def.most;
    settings.max_linesearch = 60;
    lbfgsfloatval_t *x = lbfgs_malloc(n), value;
    if (!x) return false;
    memset(x, 0, (size_t)n * sizeof *x);
    lbfgs(n, x, &value, evaluate, progress, &search, &settings);
    for (int i = 0; i < p->scheme.m; i++)
        sn__position_put(p, p->delta[i], p->model->nv, x + i * p->model->nv);
    lbfgs_free(x);
    sn__position_go(p, p->q, p->delta, 1, p->try_q);
    for (int i = 0; i < p->scheme.m; i++) {
        void *q = p->q[i];
        p->q[i] = p->try_q[i], p->try_q[i] = q;
    }
    search.value = sn__position_evaluate(p, p->q, p->g, p->delta, SN__GRADIENT);
    r->residual = search.value.residual;
    return !search.failed && search.value.residual <= p->def.tolerance;
}

bool sn__position_has_lbfgs(void) {
    return true;
}

#else

bool sn__position_lbfgs(struct sn__position *p, struct sn__position_report *r) { /* refused at creation */
    (void)p, (void)r;
    return false;
}

bool sn__position_has_lbfgs(void) {
    return false;
}

#endif
