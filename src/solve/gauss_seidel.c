/* Projected Gauss-Seidel with help.
 *
 * The kernel (kernels/contact/pgs.h) makes a few iterations at a time. Between them come
 *
 *     subspace steps (subspace.c), taken back where the iterations after them say that they did not help, and then
 *     tried less often;
 *     once it has got slow, iterations in which the bounds of friction are held: following their normal rows they may
 *     go in circles.
 *
 * Where rows may contradict each other, as those of constraints and of recovery may, it ends as soon as nothing gets
 * better: impulses would only grow. */
#include <math.h>
#include <string.h>

#include "solve/problem.h"

enum {
    AT_A_TIME = 20,  /* iterations between two subspace steps, or a sixth of those allowed */
    TRIAL = 6,       /* iterations that say whether a subspace step helped, or a tenth */
    MEMORY = 10,     /* rounds of which the residual is remembered */
    LONGEST_REST = 8 /* most rounds without a subspace step after one that did not help */
};

static int within(int x, int least, int most) {
    return x < least ? least : x > most ? most : x;
}

/* Up to `most` more iterations; the residual after them. */
static double iterate(const struct sn__problem *p, struct sn__pgs *pgs, int most, int *n) {
    const int left = p->max_iterations - *n;
    pgs->iterations = most < left ? most : left;
    if (pgs->iterations > 0) *n += p->gauss_seidel(pgs);
    return pgs->residual;
}

/* A subspace step and a trial of it; whether it helped. If not, f is what it was. There must be iterations left: a step that
   was not tried may be anywhere. */
static bool try_subspace(struct sn__problem *p, struct sn__pgs *pgs, double most, double residual, int *n) {
    const size_t bytes = sizeof *pgs->f * (size_t)p->n;
    memcpy(p->room->kept, pgs->f, bytes);
    sn__problem_subspace(p, pgs->f, most);
    if (iterate(p, pgs, within(p->max_iterations / 10, 1, TRIAL), n) <= residual) return true;
    memcpy(pgs->f, p->room->kept, bytes);
    return false;
}

/* A first guess should have no more of the energy that the rows make least, f A f / 2 + b f, than zero has. Impulses of
   contradictory rows of the last step, large and of no use any more, have; so have those of a heap that has lost a
   contact. They are scaled by what makes the energy least. */
static void scale_start(const struct sn__problem *p, double *f) {
    double square = 0, linear = 0;
    sn__problem_velocities(p, f, false, p->room->w);
    for (int i = 0; i < p->n; i++) {
        square += f[i] * p->room->w[i];
        linear += f[i] * p->row[i].b;
    }
    if (0.5 * square + linear <= 0) return;
    const double best = linear < 0 && square > 0 ? -linear / square : 0;
    for (int i = 0; i < p->n; i++)
        f[i] = best > 0 ? best * f[i] : 0;
}

int sn__problem_gauss_seidel(struct sn__problem *p, double *f) {
    struct sn__pgs pgs = {
        .n = p->n, .nblock = p->nblock, .row = p->row, .block = p->block, .f = f, .tolerance = p->tolerance};
    const double most = sn__problem_largest_impulse(p);
    const int stretch = within(p->max_iterations / 6, 2, AT_A_TIME);
    double past[MEMORY]; /* residuals of the last rounds */
    int n = 0, rest = 0, pause = 1;
    bool slow = false, ordered = false;
    if (!(p->work > 0)) p->work = (double)SN__FACTOR_WORK * p->max_iterations;
    if (!p->near) scale_start(p, f);
    for (int round = 0;; round++) {
        const double left = iterate(p, &pgs, p->near && round == 0 ? 1 : stretch, &n);
        if (left <= p->tolerance || n >= p->max_iterations) break;
        if (p->may_contradict && round >= MEMORY && left > 1e-3 && left > 0.8 * past[round % MEMORY]) break;
        if (round >= 3 && left > 0.9 * past[(round - 1) % MEMORY]) slow = true;
        if (slow) {
            pgs.hold = true;
            iterate(p, &pgs, within(p->max_iterations - n - 1, 0, stretch), &n); /* one is left for a trial */
            pgs.hold = false;
        }
        past[round % MEMORY] = left;
        if (rest-- > 0) continue;
        if (!ordered) sn__problem_order(p), ordered = true;
        if (try_subspace(p, &pgs, most, left, &n)) {
            pause = 1;
            if (pgs.residual <= p->tolerance) break;
        } else {
            rest = pause;
            if (pause < LONGEST_REST) pause *= 2;
        }
    }
    p->residual = pgs.residual;
    return n;
}
