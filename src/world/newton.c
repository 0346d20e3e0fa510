/* One Newton method for the whole scene of a step: members with their drives, contacts with the ground and limits, and the
 * rows between them.
 *
 *     l(v) = 1/2 (v - v0)^T (M + K) (v - v0) + sum of phi(v)      subject to the rows, J v - w >= 0
 *
 * phi are the laws that kernels/contact/convex.h solves inside each member. In the impulses f of the rows the dual of this,
 *
 *     D(f) = min over v of [ l(v) - f . (J v - w) ] - soft/2 f^2,   grad D = -(J v(f) - w + soft f),
 *
 * is concave, and v(f) is the solve of each member with the forces of the rows as pushes. Its second derivative is what the
 * rows' responses are, -J (M + K + phi'')^-1 J^T, taken where that solve ended. So a round is
 *
 *     1.  v_k = v(f_k), which `known` holds; f_0 are the forces of the last step's contacts
 *     2.  the rows are solved over the linear model v(f) = v_k + A (f - f_k): f_{k+1}
 *     3.  the laws are asked again at v_k + A (f_{k+1} - f_k); where all hold, that is the answer
 *     4.  the members whose laws do not hold are solved again, for f_{k+1}
 *
 * The slope of D along the way from f_k to f_{k+1} is -df . (J v - w + soft f): where v(f_{k+1}) says that the way went up and
 * down again, and rows are not nearer to holding than before, a part of it is taken instead, and no rows are solved for that. D
 * has a corner there as a rule, where a limit lets go or a contact begins to slide: the next round has a response that lets go
 * of both (kernels/contact/expose.h). */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "model/joint.h"
#include "world/constraints.h"
#include "world/rows.h"
#include "world/setting.h"

enum {
    ROUNDS = 8,      /* at most, */
    TIED_ROUNDS = 8, /* and with constraints, which must hold in the end */
    LAST_LOOKS = 3,
    MANY_ROWS = 150,
    SHORTER = 3 /* tries at a part of the way */
};

/* How far off rows are at the end of a way, of what they were: so much less and the way is good, so much more and it is not. */
static const double BETTER = 0.9, WORSE = 2, SMALL_LACK = 0.02; /* the last in m/s */

/* J/kg that rows may do when rounds run out. */
static const double MOST_WORK = 0.003;

/* ---------------------------------------------------------------------------------------- velocities of members */

static void see_velocities(struct sn__worker *w, struct sn__hand *m, const void *qd) {
    const struct sn__args args = sn__hand_args(w, m);
    m->pack->k->rows->velocities(&args, qd, m->rate);
    sn__hand_gather(m, qd, m->pack->model->nv, m->qd);
}

/* v_k - A f_k, which the rows are built over. */
static void take_forces_off(struct sn__worker *w) {
    const double minus = -1;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        memcpy(m->free_qd, m->known, sn__pack_bytes(m->pack, m->pack->model->nv));
        if (m->pushed) {
            sn__worker_apply(w, i, m->given, m->given_tau, m->change);
            m->pack->k->combine(m->pack->model->nv, m->known, 1, &minus, (const void *const[]){m->change},
                                m->free_qd);
        }
        see_velocities(w, m, m->free_qd);
    }
}

/* What the member is given becomes the impulses f; the change of it is left in `values`. Whether there is any. */
static bool change_given(struct sn__worker *w, int member, const double *f) {
    struct sn__hand *m = &w->hand[member];
    const int nw = 6 * m->pack->model->nbody, nv = m->pack->model->nv;
    double *change = m->values;
    bool any = false;
    sn__worker_sum_rows(w, member, f, m->wrench, m->tau);
    for (int k = 0; k < nw; k++) {
        change[k] = m->wrench[k] - m->given[k];
        m->given[k] = m->wrench[k];
        any |= change[k] != 0;
    }
    for (int v = 0; v < nv; v++) {
        change[nw + v] = m->tau[v] - m->given_tau[v];
        m->given_tau[v] = m->tau[v];
        any |= change[nw + v] != 0;
    }
    return any;
}

/* How far a force may be from its law, relative to it and to the weight. */
static double law_tolerance(const struct sn__worker *w) {
    return 50 * w->world->def.sweep_tolerance;
}

/* Takes a member along to the impulses f, linearly. Whether it must be solved again for them. */
static bool advance(struct sn__worker *w, int member, const double *f, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const int nv = p->model->nv;
    const double one = 1, over[2] = {1 / h, -1 / h};
    if (!change_given(w, member, f)) return false;
    sn__worker_apply(w, member, m->values, m->values + 6 * p->model->nbody, m->change);
    p->k->combine(nv, m->known, 1, &one, (const void *const[]){m->change}, m->known);
    void *qdd = sn__hand_at(w, m, SN__QDD);
    p->k->combine(nv, m->zero, 2, over, (const void *const[]){m->known, sn__hand_at(w, m, SN__QD)}, qdd);
    sn__worker_give_forces(w, m, h);
    struct sn__args args = sn__hand_args(w, m);
    args.ground = sn__hand_ground(m);
    const bool records = m->ground->contacts.count + m->ground->contacts.nlimit > 0;
    const double off = records ? p->k->rows->yield(&args, m->change) : 0;
    sn__hand_take_pushes(m, &args);
    const bool lawful = off <= law_tolerance(w);
    if (!lawful && !args.limit) return true;
    return p->k->rows->departs(&args, m->change, qdd) || !lawful; /* torques go along in it */
}

/* All members along to the impulses f; those marked are to be solved again. Whether there are any. */
static bool advance_all(struct sn__worker *w, double h) {
    bool any = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        m->again = m->on && (m->nrow || m->pushed) && (advance(w, i, w->f, h) || !m->settled);
        any |= m->again;
    }
    return any;
}

static void solve_marked(struct sn__worker *w, bool loose, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        w->hand[i].loose = loose;
        if (w->hand[i].again) sn__worker_solve_member(w, i, h);
        w->hand[i].loose = false;
    }
}

/* ------------------------------------------------------------------------------------------ along the dual */

/* b of the rows without the free velocities, which members still have. */
static void keep_goals(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->goal[i] = w->row[i].b - sn__worker_row_velocity(w, &w->row[i]);
}

/* What a row's velocity lacks under the velocities that are known. */
static double row_lack(const struct sn__worker *w, int i) {
    return sn__worker_row_velocity(w, &w->row[i]) + w->goal[i] + w->row[i].soft * w->f[i];
}

/* Whether friction of a normal row is at its bound under impulses f. */
static bool is_sliding(const struct sn__worker *w, int normal, const double *f) {
    double square = 0, mu = 0;
    for (int i = normal + 1; i < w->nrow && w->row[i].normal == normal; i++)
        square += f[i] * f[i], mu = w->row[i].mu;
    const double most = mu * f[normal];
    return square >= 0.998 * most * most;
}

/* The way from f_start to f as the dual sees it: friction that is at its bound goes with the bound, which changes no
   energy. */
static void find_way(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++) {
        const int normal = w->row[i].normal;
        w->way[i] = w->df[i] = w->f[i] - w->f_start[i];
        if (normal >= 0 && (is_sliding(w, normal, w->f) || is_sliding(w, normal, w->f_start))) w->way[i] = 0;
    }
}

/* The work that friction at its bound does between f_start and f where it goes along with the motion, instead of against it. */
static double driving_work(const struct sn__worker *w, int i) {
    const double work = w->way[i] == 0 && w->row[i].normal >= 0 ? w->df[i] * w->problem_room.w[i] : 0;
    return fmax(0, work);
}

/* The slope of D along the way where the rows' velocities lack `problem_room.w`. */
static double slope_of(const struct sn__worker *w) {
    double slope = 0;
    for (int i = 0; i < w->nrow; i++)
        slope -= w->way[i] * w->problem_room.w[i] + driving_work(w, i);
    return slope;
}

/* Into problem_room.w. */
static void find_lacks(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++)
        w->problem_room.w[i] = row_lack(w, i);
}

static void see_known(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].nrow) see_velocities(w, &w->hand[i], w->hand[i].known);
}

/* Back to the part `to` of the way, members that follow linearly and those that are solved alike. */
static void go_to(struct sn__worker *w, double to, double h) {
    for (int i = 0; i < w->nrow; i++)
        w->f[i] = w->f_start[i] + to * w->df[i];
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (m->on && (m->nrow || m->pushed)) advance(w, i, w->f, h);
    }
    solve_marked(w, true, h);
    see_known(w);
}

/* ------------------------------------------------------------------------------------------ how far rows are off */

/* |f - P(f - u / d)| d, u = problem_room.w, of the rows that are bounded together from i on; sets how many there are. */
static double off_together(const struct sn__worker *w, const double *f, int i, int *n) {
    const struct sn__pgs_row *r = &w->row[i];
    const double most = r->normal < 0 ? r->hi : r->mu * f[r->normal];
    double x[3], d = 0, length2 = 0, off2 = 0;
    *n = r->cone + 1;
    for (int k = 0; k < *n; k++)
        d = fmax(d, r[k].d);
    for (int k = 0; k < *n; k++) {
        x[k] = f[i + k] - w->problem_room.w[i + k] / d - r[k].middle;
        length2 += x[k] * x[k];
    }
    const double s = length2 > most * most ? most / sqrt(length2) : 1;
    for (int k = 0; k < *n; k++) {
        const double e = r[k].middle + s * x[k] - f[i + k];
        off2 += e * e;
    }
    return d > 0 ? sqrt(off2) * d : 0;
}

static double off_alone(const struct sn__worker *w, const double *f, int i) {
    const struct sn__pgs_row *r = &w->row[i];
    double lo = r->lo, hi = r->hi;
    if (!(r->d > 0)) return 0;
    if (r->normal >= 0) hi = r->mu * f[r->normal], lo = r->one_way ? 0 : -hi;
    return fabs(fmin(fmax(f[i] - w->problem_room.w[i] / r->d, lo), hi) - f[i]) * r->d;
}

/* The largest of any row; constraints count a hundred times. */
static double rows_off(const struct sn__worker *w, const double *f) {
    double worst = 0;
    for (int i = 0, n = 1; i < w->nrow; i += n) {
        n = 1;
        const double off = w->row[i].cone ? off_together(w, f, i, &n) : off_alone(w, f, i);
        const bool contact = w->more[i].contact || w->row[i].normal >= 0;
        worst = fmax(worst, contact ? off : 100 * off);
    }
    return worst;
}

/* Whether the rows hold well enough at the velocities that are known: to 5 mm/s, or 3 % of what gravity gives in a long step, and
   after some rounds to four times that. Constraints must hold better, and so must all in the exact setting. */
static bool rows_hold(struct sn__worker *w) {
    const double fall = w->world->def.dt * dvec_length(w->world->def.gravity);
    double most = 5e-3;
    if (!w->world->used_ties) most = fmax(most, 0.03 * fall) * (w->round < 4 ? 1 : 4);
    find_lacks(w);
    return rows_off(w, w->f) < fmin(most, 500 * w->world->def.tolerance);
}

/* Solves the marked members for f, or for a part of the way there from f_start: less far where D climbs and falls
   again, and where rows are further off in the end than they were. Whether they are not. */
static bool search(struct sn__worker *w, double h) {
    const struct sn__problem p = sn__worker_problem(w);
    find_way(w);
    sn__problem_velocities(&p, w->f_start, true, w->problem_room.w);
    const double low = slope_of(w), before = rows_off(w, w->f_start);
    double to = 1;
    solve_marked(w, false, h);
    see_known(w);
    for (int i = 0; i < SHORTER && !w->bounced; i++) {
        find_lacks(w);
        const double high = slope_of(w), off = rows_off(w, w->f);
        const bool better = off<BETTER * before, worse = off> WORSE * fmax(before, SMALL_LACK);
        const bool beyond = !better && low > 0 && high < -0.5 * low;
        if (!beyond && !worse) return true;
        to *= beyond ? fmin(low / (low - high), 0.5) : 0.25;
        go_to(w, to, h);
    }
    find_lacks(w);
    return w->bounced || rows_off(w, w->f) <= WORSE * fmax(before, SMALL_LACK);
}

static bool all_settled(const struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && !w->hand[i].settled) return false;
    return true;
}

/* ---------------------------------------------------------------------------------------------------- the rounds */

/* When rounds run out: members that the last solve has thrown against something nobody expected are solved once more. */
static void look_again(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        for (int k = 0; k < LAST_LOOKS && m->again; k++) {
            struct sn__args args = sn__hand_args(w, m);
            args.ground = sn__hand_ground(m);
            sn__hand_take_pushes(m, &args);
            m->again = m->pack->k->rows->departs(&args, m->zero, sn__hand_at(w, m, SN__QDD));
            if (m->again) sn__worker_solve_member(w, i, h);
        }
    }
}

/* Back to f_start, where the last way has led nowhere. */
static void take_back(struct sn__worker *w, double h) {
    memcpy(w->f, w->f_start, sizeof *w->f * (size_t)w->nrow);
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->nrow) continue;
        advance(w, i, w->f, h);
        sn__worker_solve_member(w, i, h); /* so that the forces of its contacts are those of f, too */
    }
    see_known(w);
}

/* The work of the rows at the velocities that are known, J. */
static double row_work(const struct sn__worker *w) {
    double work = 0;
    for (int i = 0; i < w->nrow; i++)
        work += w->f[i] * row_lack(w, i);
    return work;
}

/* When rounds run out far from where rows hold, their forces may drive what they should stop. Along the ray from no forces to
   these D is highest where they do no work, which is never beyond that. So they are made smaller until they do next to none. */
static void drive_nothing(struct sn__worker *w, double h) {
    double mass = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].nrow) mass += w->hand[i].pack->model->mass;
    memset(w->f_start, 0, sizeof *w->f_start * (size_t)w->nrow);
    memcpy(w->df, w->f, sizeof *w->f * (size_t)w->nrow);
    double to = 1;
    for (int i = 0; i < SHORTER && row_work(w) > MOST_WORK * mass; i++) {
        to *= i + 1 < SHORTER ? 0.5 : 0;
        go_to(w, to, h);
    }
}

/* The next round starts with the forces that there are. */
static void start_from_here(struct sn__worker *w, double h) {
    sn__worker_read_rows(w, h);
    for (int i = 0; i < w->ncontact; i++)
        if (!w->contact[i].implicit)
            memcpy(w->contact[i].begun, w->contact[i].force, sizeof w->contact[i].begun);
}

static void end_rounds(struct sn__worker *w, double h) {
    if (!w->bounced) drive_nothing(w, h);
    look_again(w, h);
}

/* Constraints, and limits that are rows, hold by the linear answer; the laws of members, torque limits among them, by a last
   solve. Which is it to be when rounds run out? */
static bool rows_must_hold(const struct sn__worker *w) {
    bool stops = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        stops |= w->hand[i].on && w->hand[i].stops;
    return w->world->used_ties > 0 || (stops && !sn__worker_has_limits(w));
}

int sn__worker_densest(const struct sn__worker *w) {
    int most = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].nrow > most) most = w->hand[i].nrow;
    return most;
}

/* A round costs with the square of the rows of a member: hands with hundreds of them get fewer rounds. A pile of single
   bodies has many rows, but few on each. */
static int most_rounds(const struct sn__worker *w) {
    const int asked = sn__setting_of(&w->world->def)->scene_rounds;
    if (asked) return asked;
    if (w->world->used_ties) return TIED_ROUNDS;
    const int dense = 2 * sn__worker_densest(w), rows = w->nrow > dense ? w->nrow : dense;
    return rows <= MANY_ROWS ? ROUNDS : rows <= 2 * MANY_ROWS ? ROUNDS / 2 : 2;
}

bool sn__worker_solve_scene(struct sn__worker *w, double h) {
    int most = ROUNDS;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (m->on) memcpy(m->known, m->free_qd, sn__pack_bytes(m->pack, m->pack->model->nv));
    }
    if (!sn__worker_has_rows(w)) {
        w->nrow = w->nadded = 0;
        for (int i = w->crew; i >= 0; i = w->hand[i].next)
            w->hand[i].nrow = 0;
        return false;
    }
    bool biased = false;
    for (w->round = 0; w->round < most; w->round++) {
        take_forces_off(w);
        if (w->round == 0) sn__worker_begin_rows(w, h);
        biased = sn__worker_solve_round(w, h);
        if (w->lack.any) return false;
        const int enough = most_rounds(w); /* rows may have come since the last round */
        if (w->round == 0 || enough < most) most = enough > w->round ? enough : w->round + 1;
        keep_goals(w);
        for (int i = 0; i < w->nrow && !w->postponed; i++)
            w->f_moved[i] -= w->f[i]; /* what positions have beyond velocities */
        if (!advance_all(w, h)) break;
        if (w->round + 1 == most && rows_must_hold(w)) break;
        if (!search(w, h) && w->round + 1 == most) take_back(w, h);
        if (!w->bounced && all_settled(w) && rows_hold(w)) break;
        if (w->round + 1 < most)
            start_from_here(w, h);
        else
            end_rounds(w, h);
    }
    sn__worker_recover(w);
    if (w->round > w->stats.rounds) w->stats.rounds = w->round;
    see_known(w);
    return biased;
}
