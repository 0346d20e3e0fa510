/* Energies of material points: a point at x with gradient F and Hessian K moves with its body, so that about the body's
 * origin, c away,
 *
 *     force += F,  moment += c x F,  Y += F c^T,  M += K,  H += [c] K,  J += [c] K [c]^T.
 *
 * Drag is quadratic in where a body's points are, and six points with its mass, centre and second moments stand for all. */
#include "studies/position_points.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "dynamics/mass_points.h"
#include "studies/position_inner.h"

enum { PLACE = 12 }; /* R by rows, then the origin */

/* ----------------------------------------------------------------------------------------------------- memory */

struct sn__points *sn__points_create(const struct sn__position *p) {
    struct sn__points *s = sn__alloc(1, sizeof *s);
    if (!s) return NULL;
    const size_t nbody = (size_t)p->model->nbody;
    s->nbody = p->model->nbody;
    s->mass_point = sn__alloc(18 * nbody, sizeof *s->mass_point);
    s->long_axis = sn__alloc(3 * nbody, sizeof *s->long_axis);
    s->start = sn__alloc(PLACE * nbody, sizeof *s->start);
    s->now = sn__alloc(PLACE * nbody, sizeof *s->now);
    s->extra = sn__alloc(SN__EXTRA_VALUES * nbody, sizeof *s->extra);
    s->index = sn__alloc(nbody, sizeof *s->index);
    s->lanes = sn__alloc_aligned(sn__position_bytes(p, SN__EXTRA_VALUES * p->model->nbody + 1));
    if (!s->mass_point || !s->long_axis || !s->start || !s->now || !s->extra || !s->index || !s->lanes) {
        sn__points_free(s);
        return NULL;
    }
    for (int i = 0; i < s->nbody; i++) {
        const struct tree_body_f64 *b = &p->model->tree_f64.body[i];
        s->index[i] = i;
        if (!(b->mass > 0)) continue;
        double S[3][3];
        sn__mass_spread(b->mass, b->mc, b->J, S);
        sn__mass_points(b->mass, b->mc, (const double(*)[3])S, (double(*)[3])(s->mass_point + 18 * i));
        sn__mass_axis((const double(*)[3])S, s->long_axis + 3 * i);
    }
    return s;
}

void sn__points_free(struct sn__points *s) {
    if (!s) return;
    sn__free_all(s->body, s->point, s->normal, s->mass_point, s->long_axis, s->start, s->now, s->extra,
                 s->index, s->lanes, s);
}

/* --------------------------------------------------------------------------------------------------- the terms */

/* Where bodies are: their affine poses, and their origins one on the other. */
static void find_places(struct sn__position *p, const void *P, double *place) {
    sn__position_get(p, P, SN__AFFINE * p->model->nbody, place);
    for (int i = 0; i < p->model->nbody; i++) {
        const struct tree_body_f64 *b = &p->model->tree_f64.body[i];
        double *at = place + PLACE * i;
        const double *up = b->parent < 0 ? NULL : place + PLACE * b->parent;
        for (int k = 0; k < 3; k++) {
            if (b->joint == SN__JOINT_FREE)
                at[9 + k] += p->anchor[3 * i + k];
            else
                at[9 + k] += up ? up[9 + k] + dvec_dot(up + 3 * k, b->offset) : b->offset[k];
        }
    }
}

/* R p, and R p + t. */
static void turn_point(const double *place, const double p[3], double c[3], double x[3]) {
    for (int k = 0; k < 3; k++) {
        c[k] = dvec_dot(place + 3 * k, p);
        x[k] = c[k] + place[9 + k];
    }
}

static void add_point(double *extra, const double c[3], const double F[3], const double K[3][3]) {
    double moment[3], cK[3][3];
    dvec_cross(c, F, moment);
    for (int j = 0; j < 3; j++) { /* [c] K by columns */
        const double column[3] = {K[0][j], K[1][j], K[2][j]};
        double turned[3];
        dvec_cross(c, column, turned);
        for (int i = 0; i < 3; i++)
            cK[i][j] = turned[i];
    }
    for (int i = 0; i < 3; i++) {
        extra[SN__EXTRA_FORCE + i] += F[i];
        extra[SN__EXTRA_MOMENT + i] += moment[i];
        for (int j = 0; j < 3; j++) {
            extra[SN__EXTRA_Y + 3 * i + j] += F[i] * c[j];
            extra[SN__EXTRA_H + 3 * i + j] += cK[i][j];
        }
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        double turned[3]; /* [c] K [c]^T: c x each row of [c] K */
        dvec_cross(c, cK[row[k]], turned);
        extra[SN__EXTRA_J + k] += turned[column[k]];
        extra[SN__EXTRA_M + k] += K[row[k]][column[k]];
    }
}

/* 1/2 v^T D v dt of a sixth of the body, v = (x - x_start) / dt. */
static double drag_point(const struct sn__points *s, int body, int k, double mass, double dt, double *extra) {
    const double *p = s->mass_point + 18 * body + 3 * k;
    double c[3], x[3], c0[3], x0[3], a[3], unused[3], F[3], K[3][3];
    turn_point(s->now + PLACE * body, p, c, x);
    turn_point(s->start + PLACE * body, p, c0, x0);
    turn_point(s->start + PLACE * body, s->long_axis + 3 * body, a, unused);
    const double across = mass * s->ground.drag_across, along = mass * s->ground.drag_along;
    const double v[3] = {(x[0] - x0[0]) / dt, (x[1] - x0[1]) / dt, (x[2] - x0[2]) / dt}, va = dvec_dot(v, a);
    for (int i = 0; i < 3; i++) {
        F[i] = across * v[i] + (along - across) * va * a[i];
        for (int j = 0; j < 3; j++)
            K[i][j] = ((i == j) * across + (along - across) * a[i] * a[j]) / dt;
    }
    add_point(extra, c, F, (const double(*)[3])K);
    return 0.5 * dt * dvec_dot(F, v);
}

/* Eq. 9; its Hessian without the product of both factors' slopes, which has no sign. */
static double equation_9(const sn_position_ground_def *g, double d, const double v[2], double dt, double F[3],
                         double K[3][3]) {
    const double square = v[0] * v[0] + v[1] * v[1], stiff = g->d1 + g->d2 * square;
    F[2] = -2 * d * stiff;
    K[2][2] = 2 * stiff;
    for (int i = 0; i < 2; i++) {
        F[i] = 2 * g->d2 * d * d * v[i] / dt;
        K[i][i] = 2 * g->d2 * d * d / (dt * dt);
    }
    return d * d * stiff;
}

/* mu N dt (|v|, smoothed): its gradient by x is mu N v / |v|. */
static double coulomb(const sn_position_ground_def *g, double d, double normal, const double v[2], double dt,
                      double F[3], double K[3][3]) {
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + g->slow * g->slow), most = g->mu * normal;
    F[2] = -2 * g->d1 * d;
    K[2][2] = d > 0 ? 2 * g->d1 : 0;
    for (int i = 0; i < 2; i++) {
        F[i] = most * v[i] / size;
        for (int j = 0; j < 2; j++)
            K[i][j] = most / (dt * size) * ((i == j) - v[i] * v[j] / (size * size));
    }
    return g->d1 * d * d + most * dt * size;
}

static double ground_point(const struct sn__points *s, int i, double dt, double *extra) {
    const int body = s->body[i];
    double c[3], x[3], c0[3], x0[3], F[3] = {0}, K[3][3] = {{0}};
    turn_point(s->now + PLACE * body, s->point + 3 * i, c, x);
    turn_point(s->start + PLACE * body, s->point + 3 * i, c0, x0);
    const double d = fmax(0, -x[2]), v[2] = {(x[0] - x0[0]) / dt, (x[1] - x0[1]) / dt};
    double energy = 0;
    if (s->ground.friction == SN_POSITION_FRICTION_EQUATION_9 && d > 0)
        energy = equation_9(&s->ground, d, v, dt, F, K);
    if (s->ground.friction == SN_POSITION_FRICTION_COULOMB && (d > 0 || s->normal[i] > 0))
        energy = coulomb(&s->ground, d, s->normal[i], v, dt, F, K);
    add_point(extra, c, F, (const double(*)[3])K);
    return energy;
}

void sn__points_begin(struct sn__position *p) {
    struct sn__points *s = p->points;
    find_places(p, p->past_P[0], s->start);
    for (int i = 0; i < s->npoint; i++) {
        double c[3], x[3];
        turn_point(s->start + PLACE * s->body[i], s->point + 3 * i, c, x);
        s->normal[i] = 2 * s->ground.d1 * fmax(0, -x[2]);
    }
}

double sn__points_at(struct sn__position *p, const void *q) {
    struct sn__points *s = p->points;
    double energy = 0;
    p->pk->affine(p->args.tree, p->args.work, q, p->P[0]);
    find_places(p, p->P[0], s->now);
    memset(s->extra, 0, SN__EXTRA_VALUES * (size_t)s->nbody * sizeof *s->extra);
    for (int i = 0; s->has_drag && i < s->nbody; i++)
        for (int k = 0; k < 6; k++)
            energy += drag_point(s, i, k, p->model->tree_f64.body[i].mass / 6, p->args.dt,
                                 s->extra + SN__EXTRA_VALUES * i);
    for (int i = 0; s->has_ground && i < s->npoint; i++)
        energy += ground_point(s, i, p->args.dt, s->extra + SN__EXTRA_VALUES * s->body[i]);
    sn__position_put(p, s->lanes, SN__EXTRA_VALUES * s->nbody, s->extra);
    p->args.nextra = s->nbody;
    p->args.extra_body = s->index;
    p->args.extra[0] = s->lanes;
    return energy;
}
