/* The rows of a world as a bounded problem (solve/problem.h), and its answer. Where it turns out to lead a joint past its
 * limit, there are more rows, and it is solved again from where it stands: rows are only ever added. Velocities and
 * recovery share the iterations that a solve may take. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/tie.h"

enum { ROUNDS = 8 };                   /* solves of a step, at most: the header names it */
static const double LEAST_WORK = 3000; /* multiplications per contact */
static const double LATER_PART = 0.25; /* of what the first round's subspace steps may cost: all later ones */
enum {
    LATER_WORK = 8,
    DENSE_ROWS = 80
}; /* after the first round, where a member has this many rows, subspace steps are
                                             an eighth as many */
static const double FLOAT_ROUNDING = 1e-6; /* of a response computed in float, over its diagonal */

struct sn__problem sn__worker_problem(struct sn__worker *w) {
    return (struct sn__problem){.gauss_seidel = w->world->gauss_seidel,
                                .room = &w->problem_room,
                                .n = w->nrow,
                                .nblock = w->seats,
                                .row = w->row,
                                .block = w->block,
                                .max_iterations = w->world->def.iterations,
                                .tolerance = w->world->def.tolerance,
                                .method = w->world->def.study ? w->world->def.study->rows : NULL,
                                .may_contradict = w->world->used_ties > 0};
}

/* Where a mechanism has no way out, or nearly none, rows of constraints ask for what no impulse does, and what is
   asked for beyond a solution would cost impulses without end. Recovery, and what rows ask for when they look ahead,
   is taken by impulses that are drawn to where they are, by a small part of the row's response:  (A + part diag A)
   (f' - f) = what is missing. */
static void draw(struct sn__worker *w, const struct sn__problem *p, const double *f, double part) {
    for (int i = 0; i < w->nrow; i++) {
        struct sn__pgs_row *row = &w->row[i];
        struct sn__world_row *m = &w->more[i];
        m->kept[0] = row->b, m->kept[1] = row->soft;
        if (!m->owner || !(row->lo < 0) || !(row->hi > 0)) continue;
        const double more = part * (sn__problem_coupling(p, i, i) - row->soft);
        row->soft += more;
        row->b -= more * f[i];
    }
}

static void let_go(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b = w->more[i].kept[0], w->row[i].soft = w->more[i].kept[1];
}

static const double RECOVERED = 1e-3,
                    LOOKED_AHEAD = 1e-4; /* parts by which impulses are drawn to where they are */

void sn__worker_solve_rows(struct sn__worker *w, double *f, bool biased, double share) {
    struct sn__problem p = sn__worker_problem(w);
    const double sign = biased ? 1 : 0;
    const int left = p.max_iterations - w->used;
    if (biased) p.may_contradict = true;
    p.max_iterations = (int)ceil(share * left);
    p.work = fmax(1, w->work);
    if (w->world->def.precision == SN_PRECISION_FLOAT) sn__problem_soften(&p, FLOAT_ROUNDING);
    const bool drawn = (biased || w->near) && w->world->used_ties;
    p.near = drawn;
    if (drawn) draw(w, &p, f, biased ? RECOVERED : LOOKED_AHEAD);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b -= sign * w->more[i].bias;
    if (left > 0) sn__problem_solve_apart(&p, f);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b += sign * w->more[i].bias;
    if (drawn) let_go(w);
    w->used += p.iterations;
    w->work = p.work;
    w->stats.fallbacks += p.fell_back;
    if (!biased) w->residual = p.residual; /* recovery is as good as it can be */
}

static bool any_bias(const struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        if (w->more[i].bias != 0) return true;
    return false;
}

/* Contacts that were called begin a solve with what the last one gave them. */
static void keep_called(struct sn__worker *w, double h) {
    for (int i = 0; i < w->ncontact; i++)
        if (w->contact[i].called) sn__worker_read_contact(w, &w->contact[i], h);
}

/* The impulses that a round of newton.c starts with are those that members were solved with. Contacts know theirs, also those
   that were called and have other forces by now. Others, from `known` on, have what the last round gave them: in the first round
   that is nothing, whatever their forces were in the last step. */
static void keep_start(struct sn__worker *w, double h, int known) {
    const size_t rest = sizeof *w->f * (size_t)(w->nrow - known);
    if (w->round > 0)
        memcpy(w->f_start + known, w->f + known, rest);
    else
        memset(w->f_start + known, 0, rest);
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        if (c->implicit || c->row < known || (w->round > 0 && !c->called)) continue;
        w->f_start[c->row] = h * dvec_dot(c->begun, c->normal);
        for (int r = c->row + 1, t = 0; r < w->nrow && w->row[r].normal == c->row; r++, t++)
            w->f_start[r] = h * dvec_dot(c->begun, c->tangent[t]);
    }
}

/* Recovery matters to nothing but positions. So it may wait until the velocities are known, unless limits or contacts have to be
   asked where it leads, or bounces have left their rows to it. Whether it waits. */
static bool may_wait(const struct sn__worker *w) {
    bool stops = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        stops |= w->hand[i].on && w->hand[i].stops;
    return w->level == SN__LEVEL_STEP && !w->bounced && !stops && !w->world->used_ties;
}

void sn__worker_recover(struct sn__worker *w) {
    if (!w->postponed) return;
    memcpy(w->df, w->f_moved, sizeof *w->f_moved * (size_t)w->nrow);
    sn__worker_solve_rows(w, w->f_moved, true, 1);
    for (int i = 0; i < w->nrow; i++)
        w->f_moved[i] -= w->df[i];
    if (w->used > w->iterations) w->iterations = w->used;
    w->postponed = false;
}

/* Rows built, answered and solved once; with the impulses of the first `known` rows as they stand. Whether positions move
   on their own. */
static bool solve_once(struct sn__worker *w, double h, int known) {
    w->used = 0;
    w->postponed = false;
    if (known) memcpy(w->f_moved, w->f, sizeof *w->f * (size_t)known);
    if (known && w->lasting < w->nrow) keep_called(w, h);
    sn__worker_build_rows(w, h);
    if (!w->nrow || !sn__worker_respond(w, w->world->def.study ? w->world->def.study->respond : NULL))
        return false;
    keep_start(w, h, known);
    if (known) memcpy(w->f, w->f_moved, sizeof *w->f * (size_t)known);
    w->bounced = w->level == SN__LEVEL_STEP && sn__worker_bounce(w, h);
    const bool biased = w->bounced || any_bias(w);
    const double share = biased ? 2.0 / 3 : 1;
    if (!w->bounced) sn__worker_solve_rows(w, w->f, false, share);
    if (!w->bounced && w->world->used_ties) sn__worker_refine(w, h, share);
    memcpy(w->f_moved, w->f, sizeof *w->f * (size_t)w->nrow);
    w->postponed = biased && may_wait(w);
    if (biased && !w->postponed) sn__worker_solve_rows(w, w->f_moved, true, 1);
    if (w->used > w->iterations) w->iterations = w->used;
    return biased;
}

/* Rows that a step begins with beside those of contacts and constraints. */
void sn__worker_begin_rows(struct sn__worker *w, double h) {
    w->nrow = w->nadded = w->ntension = w->lasting = w->waiting = w->calls = 0;
    w->residual = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].nrow = 0;
    sn__worker_find_stops(w, h);
}

/* Impulses of the limits that had rows in the last solve, for the next round of newton.c. */
static void keep_limits(struct sn__worker *w, int built) {
    const int first = w->lasting - built;
    for (int i = 0; i < built && first >= 0 && !w->lack.any; i++)
        w->added[i].impulse = w->f[first + i];
}

/* What subspace steps may cost: of the whole step's share as much as the crew has of all contacts, and what a small island
   needs. */
static double work_of(const struct sn__worker *w) {
    const double all = (double)SN__FACTOR_WORK * w->world->def.iterations;
    return fmin(all, fmax(all * w->share, LEAST_WORK * (w->ncontact + 1)));
}

bool sn__worker_solve_round(struct sn__worker *w, double h) {
    bool biased = false, again = true, open = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        open |= w->hand[i].on && w->hand[i].stops;
    const bool fewer = w->round > 0 && sn__worker_densest(w) > DENSE_ROWS;
    const bool shared = w->round > 0 && !w->world->used_ties; /* constraints must hold, whatever it costs */
    const double all = work_of(w), most = shared ? fmax(0, w->later_work) : all;
    const double work = fmin(most, all / (fewer ? LATER_WORK : 1));
    w->work = work;
    int built = 0; /* limits with rows: those that are seen after the last solve have none yet */
    for (int round = 0, known = 0; round < ROUNDS && again && !w->lack.any; round++) {
        biased = solve_once(w, h, known);
        built = w->nadded;
        known = w->lasting;
        again = open && sn__worker_see_stops(w, h, biased ? w->f_moved : w->f);
        again |= sn__worker_call_contacts(w, h, biased ? w->f_moved : w->f);
    }
    w->later_work = (w->round == 0 ? LATER_PART * all : w->later_work) - (work - w->work);
    keep_limits(w, built);
    w->stats.residual = fmax(w->stats.residual, w->residual);
    if (w->nrow - w->ntension > w->stats.rows) w->stats.rows = w->nrow - w->ntension;
    return biased;
}

bool sn__worker_solve_constraints(struct sn__worker *w, double h) {
    w->round = 0;
    if (sn__worker_has_rows(w)) {
        sn__worker_begin_rows(w, h);
        return sn__worker_solve_round(w, h);
    }
    w->nrow = w->nadded = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].nrow = 0;
    return false;
}
