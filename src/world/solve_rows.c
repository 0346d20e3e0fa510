/* Impulses of all rows: projected Gauss-Seidel over the blocks, or the direct solver on the whole matrix. */
#include <math.h>
#include <string.h>

#include "world/lcp.h"
#include "world/world.h"

/* Entry (i, j) of the whole matrix. */
double sn__world_coupling(const sn_world *w, int i, int j) {
    double a = i == j ? w->row[i].soft : 0;
    for (int s = 0; s < 2; s++)
        for (int z = 0; z < 2; z++) {
            const struct sn__side x = w->row[i].side[s], y = w->row[j].side[z];
            if (x.block < 0 || x.block != y.block) continue;
            const struct sn__member *m = &w->member[x.block];
            a += m->K[(size_t)x.index * (size_t)m->stride + (size_t)y.index];
        }
    return a;
}

/* Matrix, right side, bounds, and what the solver needs. */
size_t sn__world_direct_room(int n) {
    const size_t m = (size_t)n;
    return m * m + m + (m * sizeof(struct sn__bound) + 7) / 8 + sn__lcp_room(n);
}

static int solve_direct(sn_world *w, double *f, double *residual) {
    const int n = w->nrow;
    double *A = w->direct, *b = A + (size_t)n * (size_t)n;
    struct sn__bound *bound = (struct sn__bound *)(b + n);
    double *work = (double *)(void *)bound + ((size_t)n * sizeof *bound + 7) / 8;
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &w->row[i];
        for (int j = 0; j < n; j++)
            A[(size_t)i * (size_t)n + (size_t)j] = sn__world_coupling(w, i, j);
        b[i] = r->b;
        bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
    }
    const int pivots = sn__lcp_direct(n, A, b, bound, f, work);
    *residual = sn__lcp_residual(n, A, b, bound, false, f);
    return pivots;
}

/* The largest velocity the rows have to deal with. An impulse that alone would change a row's velocity by
   many times that belongs to no sound solution: contradictory rows push against each other without end. */
static double largest_velocity(const sn_world *w) {
    double most = 0;
    for (int i = 0; i < w->nrow; i++)
        most = fmax(most, fabs(w->row[i].b));
    return most;
}

static bool is_sound(const sn_world *w, const double *f, double most) {
    for (int i = 0; i < w->nrow; i++) {
        double d = w->row[i].soft; /* of a row with both ends on one character, not all of it */
        for (int s = 0; s < 2; s++) {
            const struct sn__side side = w->row[i].side[s];
            if (side.block >= 0)
                d += w->member[side.block].K[side.index * (w->member[side.block].stride + 1)];
        }
        if (!(fabs(f[i]) * d <= most)) return false;
    }
    return true;
}

/* Some sweeps of Gauss-Seidel; what is left. */
static double sweep(sn_world *w, struct sn__pgs *p, int most, int *n) {
    const int left = w->def.iterations - *n;
    p->iterations = most < left ? most : left;
    if (p->iterations > 0) *n += w->solver->rows->pgs(p);
    return p->residual;
}

/* Gauss-Seidel, with a step over the free rows now and then where it is slow, taken back where it did not
   help. Ends early where nothing gets better and rows may contradict each other, as constraints and
   recovery may: impulses would only grow. */
static int solve_pgs(sn_world *w, double *f, bool may_contradict, double *residual) {
    enum { MEMORY = 10 };
    struct sn__pgs p = {w->nrow, w->nmember, w->row, w->block, f, 0, w->def.tolerance, false, 0};
    const double most = largest_velocity(w);
    const size_t bytes = sizeof *f * (size_t)w->nrow;
    double past[MEMORY];
    int n = 0, rest = 0, pause = 1;
    bool held = false;
    if (!is_sound(w, f, 100 * most)) memset(f, 0, bytes); /* a start that only hurts */
    for (int round = 0;; round++) {
        double left = sweep(w, &p, SN__POLISH_AFTER, &n);
        if (left <= p.tolerance || n >= w->def.iterations) break;
        if (may_contradict && round >= MEMORY && left > 1e-3 && left > 0.8 * past[round % MEMORY]) break;
        if (round >= 3 && left > 0.9 * past[(round - 1) % MEMORY]) held = true;
        if (held) {
            p.hold = true;
            sweep(w, &p, SN__POLISH_AFTER, &n);
            p.hold = false;
        }
        past[round % MEMORY] = left;
        if (rest-- > 0) continue;
        memcpy(w->f_kept, f, bytes);
        sn__world_polish(w, f, 1000 * most);
        if (sweep(w, &p, 6, &n) <= left) {
            pause = 1;
            if (p.residual <= p.tolerance) break;
        } else {
            memcpy(f, w->f_kept, bytes);
            rest = pause;
            if (pause < 8) pause *= 2;
        }
    }
    *residual = p.residual;
    return n;
}

/* A matrix of float responses is positive only up to its rounding: every row gets that much compliance. */
static void soften(sn_world *w) {
    for (int i = 0; i < w->nrow; i++) {
        const double least = 1e-6 * (sn__world_coupling(w, i, i) - w->row[i].soft);
        if (w->row[i].soft < least) w->row[i].soft = least;
    }
}

void sn__world_solve_rows(sn_world *w, double *f, bool biased) {
    const double sign = biased ? 1 : 0;
    if (w->def.precision == SN_FLOAT) soften(w);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b -= sign * w->more[i].bias;
    int n = -1;
    double residual = 0;
    if (w->def.row_solver == SN_ROWS_DIRECT && w->nrow <= w->direct_rows) {
        n = solve_direct(w, f, &residual);
        if (!is_sound(w, f, 1000 * largest_velocity(w))) n = -1;
    }
    if (n < 0) n = solve_pgs(w, f, biased || w->ntie > 0, &residual);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b += sign * w->more[i].bias;
    w->stats.iterations += n;
    if (!biased) w->stats.residual = fmax(w->stats.residual, residual); /* recovery is as good as it can be */
}
