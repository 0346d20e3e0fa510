/* Geometric stiffness of what constraints pull.
 *
 * A force f at r from the point that a body turns about has the moment r x f. When the body turns by a small t the
 * moment changes by
 *
 *     (t x r) x f = -K t,     K = (f . r) 1 - r f^T,
 *
 * of which the symmetric part is a stiffness: a link under tension swings like a string, with w^2 = K / I, and one
 * under compression buckles. Rows have forces of the pose at the beginning, which is explicit: where h w comes near
 * 2 a rope of light links with a heavy end tears itself apart. What of |K| is above SAFE I / h^2 becomes a damper B
 * = h |K| on the body's angular velocity, as in an implicit step: soft rows about up to three axes. What swings
 * slowly is not damped at all.
 *
 * In a tree, x = sum of R_i l_i: each body on the way to the root has the force at the next joint outwards, l_i from
 * its own. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "model/inertia.h"
#include "world/tie.h"
#include "model/joint.h"

static const double SAFE = 0.25;  /* (h w)^2 that needs no damping */
static const double NEAR = 0.125; /* (h w)^2 from which there are rows that may damp */
enum { VALUES = 9, FORCE = 6 }; /* of a body in its hand's scratch: K as xx yy zz xy xz yz, then the force */

static void add_stiffness(double k[6], const double r[3], const double f[3]) {
    const double s = dvec_dot(r, f);
    for (int i = 0; i < 3; i++)
        k[i] += s - r[i] * f[i];
    k[3] -= 0.5 * (r[0] * f[1] + r[1] * f[0]);
    k[4] -= 0.5 * (r[0] * f[2] + r[2] * f[0]);
    k[5] -= 0.5 * (r[1] * f[2] + r[2] * f[1]);
}

/* What a body turns about: its joint, or, where it is free, its centre of mass. */
static void pivot_of(struct sn__worker *w, struct sn__hand *m, int body, double pivot[3]) {
    const sn_body_info *b = &m->pack->model->body[body];
    memcpy(pivot, m->place + SN__PLACE * body, 3 * sizeof *pivot);
    if (!sn__joint_is_free(b)) return;
    const struct sn__frame f = sn__hand_frame(w, m, body, SN__MOMENT_NOW, 0, 0);
    dquat_rotate(f.rot, b->com, pivot);
    for (int k = 0; k < 3; k++)
        pivot[k] += f.pos[k];
}

static void pull(struct sn__worker *w, int member, int body, const double x[3], const double f[3],
                 double sign) {
    struct sn__hand *m = &w->hand[member];
    double *k = m->values + VALUES * body, pivot[3], r[3], g[3];
    pivot_of(w, m, body, pivot);
    for (int i = 0; i < 3; i++) {
        r[i] = x[i] - pivot[i], g[i] = sign * f[i];
        k[FORCE + i] += g[i];
    }
    add_stiffness(k, r, g);
}

static bool pulls(const struct sn__tie *t, const struct sn__tied *tied) {
    return t->used && tied->rows && sn__tie_kind(t->def.type)->holds && !sn__tie_is_soft(&t->def) &&
           t->def.type != SN_CONSTRAINT_ORIENTATION && t->def.type != SN_CONSTRAINT_SLIDER &&
           t->def.type != SN_CONSTRAINT_CURVE && t->def.type != SN_CONSTRAINT_SURFACE;
}

/* The force of a constraint on its body, from impulses over h. Rods and ropes pull along themselves. */
static struct sn__ends pull_of(struct sn__worker *w, int tie, double h, double f[3]) {
    const struct sn__tie *t = &w->world->tie[tie];
    const struct sn__ends e = sn__ends_at(w, &t->def, SN__MOMENT_NOW, h, 0);
    const double *impulse = w->f + w->tied[tie].row;
    double along[3] = {e.x[0] - e.y[0], e.x[1] - e.y[1], e.x[2] - e.y[2]};
    const bool rod = t->def.type == SN_CONSTRAINT_DISTANCE || t->def.type == SN_CONSTRAINT_ROPE;
    if (rod) dvec_normalise(along);
    for (int k = 0; k < 3; k++)
        f[k] = (rod ? impulse[0] * along[k] : impulse[k]) / h;
    return e;
}

/* K and the forces of all bodies under the current impulses. */
static void find_stiffness(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on)
            memset(w->hand[i].values, 0, VALUES * sizeof(double) * (size_t)w->hand[i].pack->model->nbody);
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        const sn_constraint_def *d = &t->def;
        if (!pulls(t, &w->tied[i])) continue;
        double f[3];
        const struct sn__ends e = pull_of(w, i, h, f);
        pull(w, d->member, d->body, e.x, f, 1);
        if (d->member2 >= 0) pull(w, d->member2, d->body2, e.y, f, -1);
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        for (int b = m->on ? m->pack->model->nbody - 1 : 0; b > 0; b--) {
            const double *f = m->values + VALUES * b + FORCE;
            const int parent = m->pack->model->body[b].parent;
            if (parent >= 0 && (f[0] != 0 || f[1] != 0 || f[2] != 0))
                pull(w, i, parent, m->place + SN__PLACE * b, f, 1);
        }
    }
}

/* One rotation of Jacobi's method: A becomes diagonal, the columns of V its axes. */
static void rotate(double A[3][3], double V[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    const double over = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    const double t = copysign(1 / (fabs(over) + sqrt(over * over + 1)), over), c = 1 / sqrt(t * t + 1),
                 s = t * c;
    for (int k = 0; k < 3; k++) {
        const double a = A[k][p], b = A[k][q];
        A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = A[p][k], b = A[q][k], x = V[k][p], y = V[k][q];
        A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
        V[k][p] = c * x - s * y, V[k][q] = s * x + c * y;
    }
}

/* The inertia that a body has by itself, at least. */
static double least_inertia(const sn_body_info *b) {
    double value[3];
    sn__sym_eigenvalues(b->inertia, value);
    return fmin(value[0], fmin(value[1], value[2]));
}

/* Whether a constraint of the body has not pulled so far: then nothing is known. */
static bool is_fresh(struct sn__worker *w, int member, int body) {
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        const sn_constraint_def *d = &t->def;
        if (!pulls(t, &w->tied[i])) continue;
        double force[3];
        pull_of(w, i, 1, force);
        if (force[0] != 0 || force[1] != 0 || force[2] != 0) continue;
        if ((d->member == member && d->body == body) || (d->member2 == member && d->body2 == body))
            return true;
    }
    return false;
}

/* The turns of a body that may need damping. */
static void find_turns(struct sn__worker *w, int member, int body, double h) {
    const struct sn__hand *m = &w->hand[member];
    const double *k = m->values + VALUES * body;
    const bool fresh = is_fresh(w, member, body);
    if (!fresh && k[0] == 0 && k[1] == 0 && k[2] == 0 && k[3] == 0 && k[4] == 0 && k[5] == 0) return;
    const double near = NEAR * least_inertia(&m->pack->model->body[body]) / (h * h);
    double A[3][3] = {{k[0], k[3], k[4]}, {k[3], k[1], k[5]}, {k[4], k[5], k[2]}};
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; i++)
        rotate(A, V, 0, 1), rotate(A, V, 0, 2), rotate(A, V, 1, 2);
    for (int i = 0; i < 3 && w->ntension < w->row_room; i++)
        if (fresh || fabs(A[i][i]) > near)
            w->tension[w->ntension++] =
                (struct sn__tension){.member = member, .body = body, .axis = {V[0][i], V[1][i], V[2][i]}};
}

static bool damp_row(struct sn__worker *w, struct sn__tension *t, double h) {
    const struct sn__row r = {.body = t->body, .w = {t->axis[0], t->axis[1], t->axis[2]}};
    struct sn__pgs_row *row = sn__worker_add_row(w);
    if (!row) return false;
    if (!sn__worker_add_side(w, row, 0, t->member, &r)) {
        w->nrow--;
        return false;
    }
    row->b = sn__worker_row_velocity(w, row);
    w->f[w->nrow - 1] = h * t->torque;
    w->more[w->nrow - 1].owner = &t->torque;
    w->more[w->nrow - 1].still = true;
    return true;
}

void sn__worker_tension_rows(struct sn__worker *w, double h) {
    bool any = false;
    for (int i = 0; i < w->world->ntie; i++)
        any |= pulls(&w->world->tie[i], &w->tied[i]);
    if (!any || w->ntension < 0) return;
    if (!w->ntension) { /* the first rows of the step */
        find_stiffness(w, h);
        for (int i = w->crew; i >= 0; i = w->hand[i].next)
            for (int b = 0; w->hand[i].on && b < w->hand[i].pack->model->nbody; b++)
                find_turns(w, i, b, h);
    }
    w->first_tension = w->nrow;
    for (int i = 0; i < w->ntension; i++)
        if (!damp_row(w, &w->tension[i], h)) w->ntension = i; /* the step is made again */
}

/* t . K t */
static double stiffness_about(const double k[6], const double t[3]) {
    return k[0] * t[0] * t[0] + k[1] * t[1] * t[1] + k[2] * t[2] * t[2] +
           2 * (k[3] * t[0] * t[1] + k[4] * t[0] * t[2] + k[5] * t[1] * t[2]);
}

/* Damping is only ever added: the rounds of refine.c would go in circles. */
void sn__worker_tension(struct sn__worker *w, double h) {
    const struct sn__problem p = sn__worker_problem(w);
    if (w->ntension <= 0 || w->level != SN__LEVEL_STEP) return;
    find_stiffness(w, h);
    for (int i = 0; i < w->ntension; i++) {
        struct sn__tension *t = &w->tension[i];
        const int at = w->first_tension + i;
        const double *k = w->hand[t->member].values + VALUES * t->body;
        const double answer = sn__problem_coupling(&p, at, at) - w->row[at].soft;
        if (answer > 0) t->E = fmax(t->E, h * h * fabs(stiffness_about(k, t->axis)) - SAFE / answer);
    }
    sn__worker_set_tension(w);
}

void sn__worker_set_tension(struct sn__worker *w) {
    for (int i = 0; i < w->ntension; i++) {
        const double E = w->tension[i].E;
        struct sn__pgs_row *row = &w->row[w->first_tension + i];
        row->soft = E > 0 ? 1 / E : 0;
        row->hi = E > 0 ? INFINITY : 0, row->lo = -row->hi;
        if (!(E > 0)) w->f[w->first_tension + i] = 0;
    }
}
