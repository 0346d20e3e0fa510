/* Subspace steps between iterations of projected Gauss-Seidel.
 *
 * Contacts of a stiffly held character depend on each other nearly as those of one rigid body. Gauss-Seidel soon finds
 * which rows are free (not at a bound), and then creeps. A step of Newton's method over the free rows alone ends that:
 *
 *     (A_ff + e D) df = -w_f,   D the diagonal and e small, repeated with the new w,
 *
 * e no less than what leaves the rows within the tolerance: redundant contacts whose gaps differ a little do
 * not contradict each other then.
 *
 * Friction at its bound goes along with its normal row, in the direction t it has: the column of the normal row then
 * holds the column of that friction, too, and the matrix is not symmetric. On a cone it may turn as well: with s across t,
 * and friction against the velocity u,
 *
 *     f_t = mu f_n t,   s . u = 0,   so with df_t = g s:   s . du + |u| / (mu f_n) g = -s . u,
 *
 * a free row along s with the compliance |u| / (mu f_n).
 *
 * A step goes only as far as no free row leaves its bounds; there the next step is made without the row that came to its
 * bound. From there, whole steps are tried: what leaves its bounds is drawn back onto them, many
 * rows at a time, and rows at a bound that their velocity would leave are free; the best there was is kept. Whether the
 * steps helped is for the next iterations to say (gauss_seidel.c).
 *
 * Friction that sticks at several points of a body that turns is contradictory: points at different heights cannot all
 * stand still. Gauss-Seidel then pushes them against each other, a little more in each iteration, until one slides; a
 * step goes there at once.
 *
 * The matrix is factored within its envelope (envelope.c) in the order of order.c. What that costs is known before it is
 * done, and is taken from what the solve may cost. */
#include <math.h>
#include <string.h>

#include "solve/envelope.h"
#include "solve/problem.h"

enum { STEPS = 24, CORRECTIONS = 3, WHOLE_STEPS = 12, PATIENCE = 4 };
static const double REGULAR = 1e-9; /* e */
static const double LEFT =
    0.1; /* of the tolerance, that more of it may leave under the largest sound impulse / 100 */

enum { FREE, BOUND, SLIDING };

/* The first row of the ball that row i belongs to, or -1. */
static int ball_of(const struct sn__problem *p, int i) {
    for (int k = i; k >= 0 && k > i - 3; k--)
        if (p->row[k].cone == 2) return k;
    return -1;
}

/* Sliding friction moves `along` times as far as its normal row. */
static int kind_of(const struct sn__problem *p, const double *f, int i, double *along) {
    const struct sn__pgs_row *r = &p->row[i];
    *along = 0;
    if (!(r->d > 0)) return BOUND;
    if (r->normal < 0) {
        const int ball = ball_of(p, i);
        if (ball < 0) return f[i] > r->lo && f[i] < r->hi ? FREE : BOUND;
        double size2 = 0;
        for (int k = ball; k < ball + 3; k++)
            size2 += (f[k] - p->row[k].middle) * (f[k] - p->row[k].middle);
        return size2 < p->row[ball].hi * p->row[ball].hi * (1 - 1e-9) ? FREE : BOUND;
    }
    const double most = r->mu * f[r->normal];
    if (!(most > 0)) return BOUND;
    double size2 = f[i] * f[i];
    if (r->cone) size2 += f[i + 1] * f[i + 1];
    if (i > 0 && p->row[i - 1].cone == 1) size2 += f[i - 1] * f[i - 1];
    if (size2 < most * most * (1 - 1e-9)) return r->one_way && f[i] <= 0 ? BOUND : FREE;
    *along = f[i] / f[r->normal];
    return SLIDING;
}

/* The smallest x > 0 with a x^2 + 2 b x + c = 0, for c < 0; infinity when there is none. */
static double first_root(double a, double b, double c) {
    const double under = b * b - a * c;
    if (!(under >= 0)) return (double)INFINITY;
    const double q = b > 0 ? -(b + sqrt(under)) : -(b - sqrt(under));
    const double r = q != 0 ? c / q : (double)INFINITY, s = a != 0 ? q / a : (double)INFINITY;
    const double first = r > 0 ? r : (double)INFINITY;
    return s > 0 && s < first ? s : first;
}

/* The part s of the step x after which friction row i, alone or with the other of its cone, slides:
   |f_t + s x_t| = mu (f_n + s x_n). */
static double until_it_slides(const struct sn__problem *p, const double *f, const double *x, int i) {
    const struct sn__pgs_row *r = &p->row[i];
    const double mu2 = r->mu * r->mu, fn = f[r->normal], xn = x[r->normal];
    double a = x[i] * x[i] - mu2 * xn * xn, b = f[i] * x[i] - mu2 * fn * xn, c = f[i] * f[i] - mu2 * fn * fn;
    if (r->cone) {
        a += x[i + 1] * x[i + 1];
        b += f[i + 1] * x[i + 1];
        c += f[i + 1] * f[i + 1];
    }
    return c < 0 ? first_root(a, b, c) : 0;
}

/* The part after which a ball of three rows is at its bound: |f + s x - middle| = hi. */
static double until_it_is_full(const struct sn__problem *p, const double *f, const double *x, int i) {
    double a = 0, b = 0, c = -p->row[i].hi * p->row[i].hi;
    for (int k = i; k < i + 3; k++) {
        const double g = f[k] - p->row[k].middle;
        a += x[k] * x[k], b += g * x[k], c += g * g;
    }
    return c < 0 ? first_root(a, b, c) : 0;
}

/* The largest part of the step x that keeps every free row within its bounds. */
static double part_within(const struct sn__problem *p, const double *f, const double *x) {
    const int *kind = p->room->kind;
    double part = 1;
    for (int i = 0; i < p->n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        if (kind[i] != FREE) continue;
        if (r->normal >= 0) {
            if (i > 0 && p->row[i - 1].cone == 1) continue; /* done with the row before */
            part = fmin(part, until_it_slides(p, f, x, i));
            if (r->one_way && f[i] + part * x[i] < 0) part = -f[i] / x[i];
            continue;
        }
        const int ball = ball_of(p, i);
        if (ball >= 0) {
            if (ball == i) part = fmin(part, until_it_is_full(p, f, x, i));
            continue;
        }
        if (f[i] + part * x[i] < r->lo) part = (r->lo - f[i]) / x[i];
        if (f[i] + part * x[i] > r->hi) part = (r->hi - f[i]) / x[i];
    }
    return part > 0 ? part : 0;
}

/* An unknown of the step as a combination of rows: a free row, with the friction that slides with it; or, for the first
   of two rows of a cone that slide, the way across. */
struct mix {
    int n, row[3];
    double part[3];
};

/* The way across the friction that rows i and i + 1 have. */
static void across(const struct sn__problem *p, int i, double s[2]) {
    const double *along = p->room->along, over = 1 / sqrt(along[i] * along[i] + along[i + 1] * along[i + 1]);
    s[0] = -along[i + 1] * over, s[1] = along[i] * over;
}

/* With `whole` what an unknown changes, without it the rows that ask for it. */
static struct mix mix_of(const struct sn__problem *p, int i, bool whole) {
    const int *kind = p->room->kind;
    struct mix m = {1, {i}, {1}};
    if (kind[i] == SLIDING) {
        m.n = 2, m.row[1] = i + 1;
        across(p, i, m.part);
        return m;
    }
    for (int t = i + 1; whole && t < p->n && p->row[t].normal == i && m.n < 3; t++)
        if (kind[t] == SLIDING) m.row[m.n] = t, m.part[m.n++] = p->room->along[t];
    return m;
}

/* The envelope of the matrix of the free rows: the first row on each of its blocks. Returns what its factors
   cost; infinity: they do not fit into memory. */
static double measure(const struct sn__problem *p, int n) {
    struct sn__problem_room *room = p->room;
    int *before = room->queue; /* the first free row on each block */
    double cost = 0;
    size_t values = 0;
    for (int c = 0; c < p->nblock; c++)
        before[c] = -1;
    for (int k = 0; k < n; k++) {
        const struct sn__side *side = p->row[room->list[k]].side;
        int first = k;
        for (int s = 0; s < 2; s++) {
            if (side[s].block < 0) continue;
            if (before[side[s].block] < 0) before[side[s].block] = k;
            if (before[side[s].block] < first) first = before[side[s].block];
        }
        const double length = k - first + 1;
        room->first[k] = first;
        room->at[k] = (int)values;
        values += (size_t)length;
        cost += length * length + 20 * length + 400; /* the factors; the matrix, about */
        if (values > SN__FACTOR_VALUES) return (double)INFINITY;
    }
    return cost;
}

/* |u| / (mu f_n), where it slides against its friction. */
static double turning_compliance(const struct sn__problem *p, const double *f, int i) {
    const double *w = p->room->w, most = sqrt(f[i] * f[i] + f[i + 1] * f[i + 1]);
    return fmax(0, -(w[i] * f[i] + w[i + 1] * f[i + 1]) / (most * most));
}

/* The unknowns of each block, as combinations of its rows: with `whole` those that move, without it those that ask. Fills
   begin [blocks + 1] and the terms. */
static void list_terms(const struct sn__problem *p, int n, bool whole, int *begin, struct sn__term *term) {
    memset(begin, 0, sizeof *begin * (size_t)(p->nblock + 2));
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n; k++) {
            const struct mix m = mix_of(p, p->room->list[k], whole);
            for (int i = 0; i < m.n; i++)
                for (int s = 0; s < 2; s++) {
                    const struct sn__side side = p->row[m.row[i]].side[s];
                    if (side.block < 0) continue;
                    if (pass)
                        term[begin[side.block + 1]++] = (struct sn__term){k, side.index, m.part[i]};
                    else
                        begin[side.block + 2]++;
                }
        }
        for (int c = 0; c < p->nblock && !pass; c++)
            begin[c + 2] += begin[c + 1];
    }
}

/* What block c adds: for every unknown that asks and every one that moves, part K part. */
static void add_block(const struct sn__problem *p, int c, const struct sn__envelope *e) {
    const struct sn__problem_room *room = p->room;
    const struct sn__pgs_block *b = &p->block[c];
    for (int x = room->asks_of[c]; x < room->asks_of[c + 1]; x++) {
        const struct sn__term asks = room->asks[x];
        const double *K = b->K + (size_t)asks.index * (size_t)b->stride;
        double *L = sn__envelope_lower(e, asks.unknown);
        for (int y = room->moves_of[c]; y < room->moves_of[c + 1]; y++) {
            const struct sn__term moves = room->moves[y];
            const double a = asks.part * moves.part * K[moves.index];
            if (moves.unknown < asks.unknown)
                L[moves.unknown] += a;
            else
                sn__envelope_upper(e, moves.unknown)[asks.unknown] += a;
        }
    }
}

/* A_ff between the unknowns, block by block, and what stands on the diagonal. */
static void fill_matrix(const struct sn__problem *p, const double *f, double most,
                        const struct sn__envelope *e) {
    const struct sn__problem_room *room = p->room;
    const double least = most > 0 ? 100 * LEFT * p->tolerance / most : 0;
    const size_t values = (size_t)e->at[e->n - 1] + (size_t)(e->n - e->first[e->n - 1]);
    memset(e->L, 0, sizeof *e->L * values);
    memset(e->U, 0, sizeof *e->U * values);
    list_terms(p, e->n, false, room->asks_of, room->asks);
    list_terms(p, e->n, true, room->moves_of, room->moves);
    for (int c = 0; c < p->nblock; c++)
        add_block(p, c, e);
    for (int k = 0; k < e->n; k++) {
        const int i = room->list[k];
        const struct mix m = mix_of(p, i, false);
        double *diagonal = &sn__envelope_upper(e, k)[k];
        for (int x = 0; x < m.n; x++)
            *diagonal += m.part[x] * m.part[x] * p->row[m.row[x]].soft;
        *diagonal += fmax(REGULAR * p->row[i].d, least);
        if (room->kind[i] == SLIDING) *diagonal += turning_compliance(p, f, i);
    }
}

/* Sliding friction goes with its normal row as it stands. */
static void follow_normals(const struct sn__problem *p, const double *f) {
    for (int i = 0; i < p->n; i++)
        if (p->room->kind[i] == SLIDING) p->room->along[i] = f[i] / f[p->row[i].normal];
}

/* The step x over the unknowns, where the rows have the velocities w. */
static void find_step(const struct sn__problem *p, const struct sn__envelope *e) {
    const struct sn__problem_room *room = p->room;
    double *x = room->x, *y = room->y;
    for (int k = 0; k < e->n; k++) {
        const struct mix m = mix_of(p, room->list[k], false);
        y[k] = 0;
        for (int i = 0; i < m.n; i++)
            y[k] -= m.part[i] * room->w[m.row[i]];
    }
    sn__envelope_solve(e, y);
    memset(x, 0, sizeof *x * (size_t)p->n);
    for (int k = 0; k < e->n; k++) {
        const struct mix m = mix_of(p, room->list[k], true);
        for (int i = 0; i < m.n; i++)
            x[m.row[i]] += m.part[i] * y[k];
    }
}

/* No friction turns by more than about a radian at once. */
static double part_of_a_turn(const struct sn__problem *p, const double *f, const struct sn__envelope *e) {
    double part = 1;
    for (int k = 0; k < e->n; k++) {
        const int i = p->room->list[k];
        if (p->room->kind[i] != SLIDING) continue;
        const double most = sqrt(f[i] * f[i] + f[i + 1] * f[i + 1]), turn = fabs(p->room->y[k]);
        if (part * turn > most) part = most / turn;
    }
    return part;
}

/* f += part x, and turned friction back on its cone. */
static void make_step(const struct sn__problem *p, double *f, double part) {
    for (int i = 0; i < p->n; i++)
        f[i] += part * p->room->x[i];
    for (int i = 0; i < p->n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        if (r->cone != 1 || p->room->kind[i] != SLIDING) continue;
        const double most = r->mu * f[r->normal], length = sqrt(f[i] * f[i] + f[i + 1] * f[i + 1]);
        const double back = length > 0 ? fmax(0, most) / length : 0;
        f[i] *= back, f[i + 1] *= back;
    }
}

static bool exceeds(const struct sn__problem *p, const double *f, const double *x, double part, double most) {
    for (int i = 0; i < p->n; i++)
        if (!(fabs(f[i] + part * x[i]) <= most)) return true;
    return false;
}

/* Which rows are free, and their matrix in factors; false when there is none, or no work left for it. */
static bool prepare(struct sn__problem *p, const double *f, double most, struct sn__envelope *e) {
    struct sn__problem_room *room = p->room;
    int n = 0;
    for (int k = 0; k < p->n; k++) {
        const int i = room->order[k];
        if (room->kind[i] == FREE || (room->kind[i] == SLIDING && p->row[i].cone == 1)) room->list[n++] = i;
    }
    const double cost = measure(p, n);
    if (n < 2 || cost > p->work) return false;
    p->work -= cost;
    *e = (struct sn__envelope){n, room->first, room->at, room->L, room->U};
    fill_matrix(p, f, most, e);
    return sn__envelope_factor(e);
}

/* One step within the bounds; which part of it was made, 0: none. */
static double step(struct sn__problem *p, double *f, double most) {
    struct sn__problem_room *room = p->room;
    struct sn__envelope e;
    double part = 0;
    sn__problem_velocities(p, f, true, room->w);
    for (int i = 0; i < p->n; i++)
        room->kind[i] = kind_of(p, f, i, &room->along[i]);
    if (!prepare(p, f, most, &e)) return 0;
    for (int pass = 0; pass < CORRECTIONS; pass++) { /* again for what e has left */
        if (pass) follow_normals(p, f), sn__problem_velocities(p, f, true, room->w);
        find_step(p, &e);
        part = fmin(part_within(p, f, room->x), part_of_a_turn(p, f, &e));
        if (exceeds(p, f, room->x, part, most)) return 0; /* the rows contradict each other */
        make_step(p, f, part);
        if (part < 1) break;
    }
    return part;
}

/* f onto the bounds. Rows without a normal row stand before those that are bounded by them, or are not normal rows. */
static void project(const struct sn__problem *p, double *f) {
    for (int i = 0; i < p->n; i += p->row[i].cone + 1) {
        const struct sn__pgs_row *r = &p->row[i];
        const double most = r->normal < 0 ? r->hi : fmax(0, r->mu * f[r->normal]);
        if (r->cone) {
            double length2 = 0;
            for (int k = 0; k <= r->cone; k++)
                length2 += (f[i + k] - r[k].middle) * (f[i + k] - r[k].middle);
            for (int k = 0; k <= r->cone && length2 > most * most; k++)
                f[i + k] = r[k].middle + (f[i + k] - r[k].middle) * (most / sqrt(length2));
            continue;
        }
        const double lo = r->normal < 0 ? r->lo : r->one_way ? 0 : -most;
        f[i] = fmax(lo, fmin(most, f[i]));
    }
}

/* How far f is from a solution where the rows have the velocities w: the largest |f - P(f - w / d)| d, d the largest
   diagonal of rows that are bounded together. */
static double off_by(const struct sn__problem *p, const double *f) {
    const double *w = p->room->w;
    double worst = 0;
    for (int i = 0; i < p->n; i += p->row[i].cone + 1) {
        const struct sn__pgs_row *r = &p->row[i];
        const double most = r->normal < 0 ? r->hi : fmax(0, r->mu * f[r->normal]);
        double d = 0, x[3], length2 = 0;
        for (int k = 0; k <= r->cone; k++)
            d = fmax(d, r[k].d);
        if (!(d > 0)) continue;
        for (int k = 0; k <= r->cone; k++) {
            x[k] = f[i + k] - w[i + k] / d - r[k].middle;
            length2 += x[k] * x[k];
        }
        const double back = r->cone && length2 > most * most ? most / sqrt(length2) : 1;
        const double lo = r->normal < 0 ? r->lo : r->one_way ? 0 : -most;
        for (int k = 0; k <= r->cone; k++) {
            const double y = r->cone ? r[k].middle + back * x[k] : fmax(lo, fmin(most, x[k]));
            worst = fmax(worst, fabs(f[i + k] - y) * d);
        }
    }
    return worst;
}

/* Rows at a bound that their velocity would leave are free as well. */
static void find_kinds(const struct sn__problem *p, const double *f) {
    struct sn__problem_room *room = p->room;
    for (int i = 0; i < p->n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        room->kind[i] = kind_of(p, f, i, &room->along[i]);
        if (room->kind[i] == BOUND && r->d > 0 && r->normal < 0 && ball_of(p, i) < 0 &&
            ((f[i] <= r->lo && room->w[i] < 0) || (f[i] >= r->hi && room->w[i] > 0)))
            room->kind[i] = FREE;
        if (room->kind[i] != SLIDING) continue;
        const int first = i > 0 && p->row[i - 1].cone == 1 ? i - 1 : i;
        double along = 0;
        for (int k = first; k <= first + p->row[first].cone; k++)
            along += f[k] * room->w[k];
        if (along > 0) room->kind[i] = FREE;
    }
}

/* Whole steps, drawn back onto the bounds; f is then the best there was. The residual of it. */
static double whole_steps(struct sn__problem *p, double *f, double most) {
    struct sn__problem_room *room = p->room;
    const size_t bytes = sizeof *f * (size_t)p->n;
    double best = INFINITY;
    for (int round = 0, since = 0; round <= WHOLE_STEPS && since < PATIENCE; round++, since++) {
        struct sn__envelope e;
        sn__problem_velocities(p, f, true, room->w);
        const double off = off_by(p, f);
        if (off < best) {
            best = off, since = 0;
            memcpy(room->best, f, bytes);
        }
        if (best <= p->tolerance) break;
        find_kinds(p, f);
        if (!prepare(p, f, most, &e)) break;
        find_step(p, &e);
        if (exceeds(p, f, room->x, 1, most)) break;
        make_step(p, f, part_of_a_turn(p, f, &e));
        project(p, f);
    }
    memcpy(f, room->best, bytes);
    return best;
}

void sn__problem_subspace(struct sn__problem *p, double *f, double most) {
    for (int round = 0; round < STEPS; round++) {
        const double part = step(p, f, most);
        if (part == 0 || part == 1) break;
    }
    whole_steps(p, f, most);
}
