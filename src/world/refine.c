/* Rows that look ahead. Paths, and what is held rigidly, know how far a step goes only when they know its velocities: the rows are
 * set right for them and solved again, once in any case, which makes them second order, and more often where a step turns
 * something far.
 *
 * With b what the rows ask for and r(b) how much the velocities of the answer change that, r(b) = 0 is looked for by
 * b' = b + part r, with Aitken's relaxation: a part that would have been right for the last round,
 *
 *     part' = -part r . (r' - r) / |r' - r|^2.
 *
 * Near a pose without a way out, as of a parallelogram that is flat, the plain iteration leads away. Where nothing converges the
 * best of all answers is taken. */
#include <math.h>

#include "world/setting.h"
#include "world/tie.h"

static const double LEAST_PART = 0.1;
static const double LED_AWAY = 50; /* times the smallest change so far */

static double relaxation(const struct sn__worker *w, double last) {
    double along = 0, square = 0;
    for (int i = 0; i < w->nrow; i++) {
        const struct sn__world_row *m = &w->more[i];
        const double d = w->row[i].b - m->asked - m->change;
        along += m->change * d;
        square += d * d;
    }
    return square > 0 ? fmax(LEAST_PART, fmin(1, -last * along / square)) : last;
}

static void relax(struct sn__worker *w, double part) {
    for (int i = 0; i < w->nrow; i++) {
        struct sn__world_row *m = &w->more[i];
        m->change = w->row[i].b - m->asked;
        w->row[i].b = m->asked + part * m->change;
    }
}

static void keep_asked(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->more[i].asked = w->row[i].b;
    for (int i = 0; i < w->ntension; i++)
        w->tension[i].asked = w->tension[i].E;
}

/* The answer to what was asked for last is the best so far. */
static void keep_best(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->more[i].best = w->more[i].asked, w->f_moved[i] = w->f[i];
    for (int i = 0; i < w->ntension; i++)
        w->tension[i].best = w->tension[i].asked;
}

static void take_best(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b = w->more[i].best, w->f[i] = w->f_moved[i];
    for (int i = 0; i < w->ntension; i++)
        w->tension[i].E = w->tension[i].best;
    sn__worker_set_tension(w);
}

void sn__worker_refine(struct sn__worker *w, double h, double share) {
    const struct sn__setting *s = sn__setting_of(&w->world->def);
    const int most = s->refine_rounds, used = w->used;
    const double enough = s->refine_enough;
    double best = INFINITY, part = 1;
    w->near = true;
    for (int i = 0;; i++) {
        keep_asked(w);
        const double change = sn__worker_ties_refine(w, h);
        if (change == 0 || (i > 0 && change < enough)) break;
        if (change < best) keep_best(w);
        best = fmin(best, change);
        if (i == most || change > LED_AWAY * best) {
            take_best(w);
            w->residual = fmax(w->residual, best);
            break;
        }
        if (i > 0) part = relaxation(w, part);
        relax(w, part);
        w->used = 0;
        sn__worker_solve_rows(w, w->f, false, share);
    }
    w->near = false;
    w->used = used;
}
