/* Stiff constraints inside MABA: spd-2011 section 4.3. Points that are held to the world by dampers on the velocity they will
 * have, on curves, on surfaces, at a distance, or in a place; each is O(1), a term of its body's inertia
 * (kernels/contact/brace.h). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "world/steppers.h"
#include "world/tie.h"

bool sn__tie_is_inside(const sn_world *w, const struct sn__tie *t) {
    const sn_constraint_def *d = &t->def;
    const bool kind = d->type == SN_CONSTRAINT_PIN || d->type == SN_CONSTRAINT_DISTANCE ||
                      d->type == SN_CONSTRAINT_CURVE || d->type == SN_CONSTRAINT_SURFACE;
    return kind && !d->rows && d->member2 < 0 && isinf(d->max_force) &&
           (d->stiffness > 0 || d->damping > 0) && w->stepping->ties_inside;
}

void sn__ties_count_inside(sn_world *w) {
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i]) w->member[i]->braces = 0;
    for (int i = 0; i < w->ntie; i++)
        if (w->tie[i].used && sn__tie_is_inside(w, &w->tie[i])) w->member[w->tie[i].def.member]->braces++;
}

bool sn__braces_reserve(struct sn__hand *h) {
    const int room = 2 * h->member->braces;
    if (h->member->braces <= h->brace_room) return true;
    const size_t value = h->pack->k->elem_size * (size_t)h->pack->k->info.width;
    const size_t lanes = ((size_t)room * SN__BRACE_VALUES * value + 63) & ~(size_t)63;
    const size_t braces = (size_t)room * sizeof *h->brace;
    const size_t firsts = ((size_t)h->pack->model->nbody + 1) * sizeof *h->brace_first;
    char *memory = sn__alloc_aligned(lanes + braces + firsts);
    if (!memory) return false;
    sn__free(h->brace_memory);
    h->brace_memory = h->brace_value = memory;
    h->brace = (struct sn__brace *)(memory + lanes);
    h->brace_first = (int32_t *)(memory + lanes + braces);
    h->brace_room = room;
    return true;
}

/* In float a body must still feel its own mass beside the damper: no h B is more than 1e5 times it. */
static double most_damping(const struct sn__worker *w, const struct sn__hand *m, int body, double h) {
    if (w->world->def.precision == SN_PRECISION_DOUBLE) return INFINITY;
    return 1e5 * fmax(m->pack->model->body[body].mass, 1e-3 * sn_model_get(m->pack->model)->mass) / h;
}

/* One constraint's, among those of its member in the order of bodies. */
static void add(struct sn__worker *w, int tie, double h) {
    const struct sn__tie *t = &w->world->tie[tie];
    struct sn__hand *m = &w->hand[t->def.member];
    struct sn__line line[3];
    struct sn__ends e;
    struct sn__brace x = {.tie = tie, .body = t->def.body};
    const double most = most_damping(w, m, x.body, h);
    x.n = sn__lines_of(w, t, &w->tied[tie], h, &e, line);
    for (int k = 0; k < 3; k++)
        x.r[k] = e.x[k] - m->place[SN__PLACE * x.body + k];
    for (int k = 0; k < x.n; k++) {
        const struct sn__damper damper = sn__damper_of(&t->def, &line[k], h);
        memcpy(x.d[k], line[k].d, sizeof x.d[k]);
        x.B[k] = fmin(damper.B, most), x.wanted[k] = damper.wanted, x.push[k] = damper.push;
    }
    int at = m->nbrace++;
    for (; at > 0 && m->brace[at - 1].body > x.body; at--)
        m->brace[at] = m->brace[at - 1];
    m->brace[at] = x;
}

/* As the kernel reads it: F = G - B u. */
static void hand_over(struct sn__hand *m, int k) {
    const struct sn__brace *x = &m->brace[k];
    double v[SN__BRACE_VALUES] = {x->r[0], x->r[1], x->r[2]}, *B = v + SN__BRACE_B, *G = v + SN__BRACE_G;
    for (int i = 0; i < x->n; i++) {
        const double *d = x->d[i], b = x->B[i], g = b * x->wanted[i] + x->push[i];
        const double part[6] = {d[0] * d[0], d[1] * d[1], d[2] * d[2], d[0] * d[1], d[0] * d[2], d[1] * d[2]};
        for (int j = 0; j < 6; j++)
            B[j] += b * part[j];
        for (int j = 0; j < 3; j++)
            G[j] += g * d[j];
    }
    sn__hand_spread(m, m->brace_value, SN__BRACE_VALUES * k, SN__BRACE_VALUES, v);
}

void sn__worker_brace(struct sn__worker *w, double h) {
    sn__worker_forget_frames(w);
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (t->used && !w->tied[i].broken && w->hand[t->def.member].on && sn__tie_is_inside(w->world, t))
            add(w, i, h);
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->nbrace) continue;
        for (int b = 0, k = 0; b <= m->pack->model->nbody; b++) {
            m->brace_first[b] = k;
            while (k < m->nbrace && m->brace[k].body == b)
                hand_over(m, k++);
        }
    }
}

void sn__worker_read_braces(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    if (!m->nrow) {
        memset(m->wrench, 0, sizeof *m->wrench * (size_t)(6 * m->pack->model->nbody));
        memset(m->tau, 0, sizeof *m->tau * (size_t)m->pack->model->nv);
    }
    for (int k = 0; k < m->nbrace; k++) {
        const struct sn__brace *x = &m->brace[k];
        const double *rate = m->rate + 6 * x->body;
        struct sn__tied *tied = &w->tied[x->tie];
        double v[3], F[3] = {0, 0, 0}, moment[3], *wrench = m->wrench + 6 * x->body;
        dvec_cross(rate + 3, x->r, v);
        for (int i = 0; i < 3; i++)
            v[i] += rate[i];
        tied->rows = x->n;
        for (int i = 0; i < x->n; i++) {
            tied->force[i] = x->push[i] - x->B[i] * (dvec_dot(x->d[i], v) - x->wanted[i]);
            for (int j = 0; j < 3; j++)
                F[j] += tied->force[i] * x->d[i][j];
        }
        dvec_cross(x->r, F, moment);
        for (int j = 0; j < 3; j++)
            wrench[j] += h * moment[j], wrench[3 + j] += h * F[j];
    }
}
