/* Islands of rows, each solved by itself: rows that share no block, directly or through others, do not know of each other.
 * A stack that creeps towards its solution then costs the iterations of its own rows, and subspace steps and direct solvers
 * see small problems.
 *
 * The rows of an island are copied side by side, with blocks numbered from 0, and what comes out is copied back. Work that
 * subspace steps may cost is shared by rows; no island gets less than what a small one needs. */
#include <math.h>

#include "solve/islands.h"
#include "solve/problem.h"

static const double LEAST_WORK = 3000; /* multiplications per row, for subspace steps of an island */

/* Numbers the blocks of each island from 0, in ascending order; first[k] is where those of island k begin in the room. */
static void number_blocks(const struct sn__problem *p, int islands, int *first) {
    struct sn__apart *a = &p->room->apart;
    for (int k = 0; k <= islands; k++)
        first[k] = 0;
    for (int c = 0; c < p->nblock; c++)
        if (a->island[c] >= 0) a->local[c] = first[a->island[c] + 1]++;
    for (int k = 0; k < islands; k++)
        first[k + 1] += first[k];
    for (int c = 0; c < p->nblock; c++)
        if (a->island[c] >= 0) a->block[first[a->island[c]] + a->local[c]] = p->block[c];
}

static void copy_rows(const struct sn__problem *p, int from, int to, const double *f) {
    struct sn__apart *a = &p->room->apart;
    for (int j = from; j < to; j++) {
        struct sn__pgs_row *r = &a->row[j];
        *r = p->row[a->order[j]];
        a->f[j] = f[a->order[j]];
        if (r->normal >= 0) r->normal = a->place[r->normal] - from;
        for (int s = 0; s < 2; s++)
            if (r->side[s].block >= 0) r->side[s].block = a->local[r->side[s].block];
    }
}

/* Impulses, and what Gauss-Seidel fills in. */
static void copy_back(struct sn__problem *p, int from, int to, double *f) {
    const struct sn__apart *a = &p->room->apart;
    for (int j = from; j < to; j++) {
        struct sn__pgs_row *r = &p->row[a->order[j]];
        f[a->order[j]] = a->f[j];
        r->d = a->row[j].d, r->most = a->row[j].most;
        r->off[0] = a->row[j].off[0], r->off[1] = a->row[j].off[1];
    }
}

/* Rows from .. to of the room on blocks of it. */
static void solve_island(struct sn__problem *p, int from, int to, const int *first, double work, double *f) {
    struct sn__apart *a = &p->room->apart;
    struct sn__problem one = *p;
    copy_rows(p, from, to, f);
    one.n = to - from, one.nblock = first[1] - first[0];
    one.row = a->row + from, one.block = a->block + first[0];
    one.work = fmax(work * one.n / p->n, LEAST_WORK * one.n);
    const double given = one.work;
    sn__problem_solve(&one, a->f + from);
    copy_back(p, from, to, f);
    p->work -= given - one.work;
    if (one.iterations > p->iterations) p->iterations = one.iterations;
    p->residual = fmax(p->residual, one.residual);
    p->fell_back = p->fell_back || one.fell_back;
}

void sn__problem_solve_apart(struct sn__problem *p, double *f) {
    struct sn__apart *a = &p->room->apart;
    const int islands =
        sn__islands_of_rows(p->row, p->n, p->nblock, a->parent, a->island, a->begin, a->order);
    if (islands < 2) {
        sn__problem_solve(p, f);
        return;
    }
    if (!(p->work > 0)) p->work = (double)SN__FACTOR_WORK * p->max_iterations;
    for (int j = 0; j < p->n; j++)
        a->place[a->order[j]] = j;
    int *first = a->parent; /* islands are known */
    number_blocks(p, islands, first);
    const double work = p->work;
    p->iterations = 0;
    p->residual = 0;
    p->fell_back = false;
    for (int k = 0; k < islands; k++)
        solve_island(p, a->begin[k], a->begin[k + 1], first + k, work, f);
    p->work = fmax(p->work, 0);
}
