/* The constraint matrices, one per member, and what impulses do. */
#include <math.h>
#include <string.h>

#include "world/tie.h"

/* Takes n values from the pool, on a boundary of 64 bytes; NULL when it is empty. */
static double *take(struct sn__worker *w, size_t n) {
    n = (n + 7) & ~(size_t)7;
    if (w->pool_size - w->pool_used < n) return NULL;
    double *p = w->pool + w->pool_used;
    w->pool_used += n;
    return p;
}

static void matrix_of(struct sn__worker *w, struct sn__hand *m, sn__respond *respond) {
    const struct sn__pack *p = m->pack;
    const struct sn__args args = sn__hand_args(w, m);
    void *K = w->world->def.precision == SN_PRECISION_DOUBLE ? (void *)m->K : (void *)w->pool_float;
    if (respond)
        respond(p->k->rows, &args, m->nrow, m->row, K, m->stride);
    else
        p->k->rows->responses(&args, m->nrow, m->row, K, m->stride);
    if (w->world->def.precision == SN_PRECISION_DOUBLE) return;
    /* rounding leaves a float matrix neither symmetric nor quite positive: solve_rows.c sees to the second */
    const size_t n = (size_t)m->nrow, stride = (size_t)m->stride;
    const float *raw = w->pool_float;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            m->K[i * stride + j] = 0.5 * ((double)raw[i * stride + j] + (double)raw[j * stride + i]);
}

/* Rows that are as soft as their response says. */
static void soften(struct sn__worker *w) {
    const struct sn__problem p = sn__worker_problem(w);
    for (int i = 0; i < w->nrow; i++) {
        if (!(w->more[i].softness > 0)) continue;
        w->row[i].soft = 0;
        w->row[i].soft = w->more[i].softness * sn__problem_coupling(&p, i, i);
    }
}

bool sn__worker_respond(struct sn__worker *w, sn__respond *respond) {
    size_t need = 0;
    bool enough = true;
    w->pool_used = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->nrow) continue;
        m->stride = (m->nrow + 15) & ~15;
        m->K = take(w, (size_t)m->nrow * (size_t)m->stride);
        m->v = take(w, (size_t)m->stride);
        need += (size_t)m->nrow * (size_t)m->stride + (size_t)m->stride + 16;
        enough = enough && m->K && m->v;
    }
    if (!enough) {
        w->lack.any = true;
        w->lack.pool = need;
        return false;
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (m->nrow) matrix_of(w, m, respond);
        w->block[m->seat] =
            m->nrow ? (struct sn__pgs_block){m->nrow, m->stride, m->K, m->v} : (struct sn__pgs_block){0};
    }
    soften(w);
    sn__worker_tension(w, w->world->def.dt);
    return true;
}

void sn__worker_sum_rows(const struct sn__worker *w, int member, const double *f, double *wrench,
                         double *tau) {
    const struct sn__hand *m = &w->hand[member];
    const sn_model *model = m->pack->model;
    memset(wrench, 0, sizeof *wrench * (size_t)(6 * model->nbody));
    memset(tau, 0, sizeof *tau * (size_t)model->nv);
    for (int j = 0; j < m->nrow; j++) {
        const struct sn__row *r = &m->row[j];
        const double impulse = f[m->row_of[j]];
        if (impulse == 0) continue;
        double *to = r->joint ? tau + model->body[r->body].v_index : wrench + 6 * r->body;
        const int n = r->joint ? model->body[r->body].nv : 6;
        for (int k = 0; k < n; k++)
            to[k] += impulse * r->w[k];
    }
}

void sn__worker_apply(const struct sn__worker *w, int member, const double *wrench, const double *tau,
                      void *change) {
    const struct sn__hand *m = &w->hand[member];
    const struct sn__args args = sn__hand_args(w, m);
    m->pack->k->rows->apply(&args, wrench, tau, change);
}

void sn__worker_impulse(struct sn__worker *w, int member, const double *f, void *change) {
    struct sn__hand *m = &w->hand[member];
    sn__worker_sum_rows(w, member, f, m->wrench, m->tau);
    sn__worker_apply(w, member, m->wrench, m->tau, change);
}
