/* Bounces of the time stepper, one after the other within the step.
 *
 * First everything but the bounces is solved: what supports, holds and drives acts over the whole step, and leads to the
 * acceleration a with which two surfaces approach. The bounce itself is an impact on top of that. Velocities of
 * semi-implicit Euler stand half a step behind: under a constant acceleration its positions lie on the parabola that
 * starts with u = v + a h / 2,
 *
 *     x(t) = gap + u t + a t^2 / 2,   x(h) = gap + h (v + h a).
 *
 * It meets the surface after t = 2 gap / (s - u) with the speed s of its energy there, s^2 = u^2 - 2 a gap, leaves with
 * e s, and what is left of the step, r = h - t, is spent on the parabola of the rebound, or on several where they are
 * short:
 *
 *     x = e s r + a r^2 / 2,   v+ = e s + a r - a h / 2.
 *
 * The impulse acts on positions for what is left of the step: they get the part r / h of it, which keeps the energy
 * wherever in the step the impact is, and more where that would leave the surfaces in each other.
 *
 * Where an impact drives others together, as in a row of balls, they collide in the next round with u+ = -e u-, half
 * a step before its end. Each round is a problem of its own, with the velocities of the one before: for e = 1 none of them changes the energy. */
#include <math.h>

#include "world/world.h"

enum { ROUNDS = 8, FLIGHTS = 16 };
static const double SHARE =
    0.5; /* of the iterations that are left, to each round: together as many as one solve */

/* What a bounce leaves of a step: where it ends along the normal, and how fast. */
struct rebound {
    double gap, velocity;
};

/* False where the surface is not reached in this step, or not fast enough. */
static bool rebound(double v, double a, double gap, double e, double h, double slowest, struct rebound *end) {
    const double u = v + 0.5 * h * a, apart = fmax(gap, 0), square = u * u - 2 * a * apart;
    if (!(u < 0) || !(square > slowest * slowest)) return false;
    double s = sqrt(square), left = h - 2 * apart / (s - u);
    if (!(left > 0)) return false;
    for (int i = 0; i < FLIGHTS && s > slowest; i++) {
        s *= e;
        const double x = s * left + 0.5 * a * left * left;
        if (x >= 0) {
            *end = (struct rebound){fmin(gap, 0) + x, s + a * left - 0.5 * a * h};
            return true;
        }
        left += 2 * s / a; /* a < 0: it lands again */
    }
    *end = (struct rebound){fmin(gap, 0), 0};
    return true;
}

/* Velocities after impulses f take the place of those before them: b += A f, less what compliance gives. */
static void take_impulses(struct sn__worker *w, const double *f) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        for (int k = 0; k < w->hand[i].nrow; k++)
            w->hand[i].v[k] = 0;
    for (int i = 0; i < w->nrow; i++)
        for (int s = 0; s < 2; s++) {
            const struct sn__side side = w->row[i].side[s];
            if (side.block >= 0) sn__worker_seat(w, side)->v[side.index] = f[i];
        }
    for (int i = 0; i < w->nrow; i++)
        for (int s = 0; s < 2; s++) {
            const struct sn__side side = w->row[i].side[s];
            if (side.block < 0) continue;
            const struct sn__hand *m = sn__worker_seat(w, side);
            const double *K = m->K + (size_t)side.index * (size_t)m->stride;
            double sum = 0;
            for (int k = 0; k < m->nrow; k++)
                sum += K[k] * m->v[k];
            w->row[i].b += sum;
        }
}

/* The velocity of a row as it is, not what is missing of the wanted one. */
static double velocity_of(const struct sn__worker *w, int row) {
    return w->row[row].b + w->more[row].wanted;
}

/* How much of its impulse a contact may have: all of it unless friction works more than restitution loses. Part s of it
   works s f . u + s^2 f . du / 2, where the normal has du = -(1 + e) u. */
static double part_allowed(const struct sn__worker *w, int normal, const double *f, int end) {
    const double u = w->more[normal].before + w->more[normal].wanted,
                 e = w->more[normal].contact->restitution;
    double work = f[normal] * u, change = -(1 + e) * work, rubbed = 0;
    for (int k = normal + 1; k < end; k++) {
        const double du = w->row[k].b - w->more[k].before;
        work += f[k] * w->more[k].before, change += f[k] * du;
        rubbed += f[k] * (w->more[k].before + 0.5 * du);
    }
    if (!(rubbed > 0) || !(u < 0) || !(work + 0.5 * change > 0)) return 1;
    return fmin(fmax(-2 * work / change, 1 / (1 + e)), 1);
}

void sn__worker_tame(struct sn__worker *w, double *f) {
    for (int i = 0; i < w->nrow; i++)
        w->more[i].before = w->row[i].b;
    take_impulses(w, f);
    bool tamed = false;
    for (int i = 0, end; i < w->nrow; i = end) {
        for (end = i + 1; end < w->nrow && w->row[end].normal == i;)
            end++;
        if (!w->more[i].contact || !(f[i] > 0)) continue;
        const double part = part_allowed(w, i, f, end);
        for (int k = i; k < end && part < 1; k++)
            f[k] *= part;
        tamed |= part < 1;
    }
    if (!tamed) return;
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b = w->more[i].before;
    take_impulses(w, f);
}

static bool is_bouncy(const struct sn__world_row *r) {
    return r->contact && r->contact->restitution > 0;
}

static bool may_bounce(const struct sn__worker *w, const struct sn__world_row *r) {
    return is_bouncy(r) && r->contact->approach < -w->world->def.bounce;
}

/* The rows that collide in the first round, with what approaches at the beginning of the step. */
static int first_round(struct sn__worker *w, double h) {
    int n = 0;
    for (int i = 0; i < w->nrow; i++) {
        struct sn__world_row *more = &w->more[i];
        struct rebound end;
        if (!is_bouncy(more)) continue;
        const struct sn__contact *c = more->contact;
        const double u = velocity_of(w, i), a = (u - c->approach) / h;
        w->row[i].hi = 0;
        if (!may_bounce(w, more) ||
            !rebound(c->approach, a, c->gap, c->restitution, h, w->world->def.bounce, &end))
            continue;
        w->row[i].hi = INFINITY;
        w->row[i].b = u - end.velocity;
        more->wanted = end.velocity;
        more->part = ((end.gap - c->gap) / h - u) / (end.velocity - u);
        n++;
    }
    return n;
}

/* Those that the round before has driven together. In the last round whatever is left stops. */
static int next_round(struct sn__worker *w, bool last) {
    const double slow = fmax(w->world->def.tolerance, 0.1 * w->world->def.bounce);
    int n = 0;
    for (int i = 0; i < w->nrow; i++) {
        struct sn__world_row *more = &w->more[i];
        if (!is_bouncy(more)) continue;
        const double u = velocity_of(w, i), e = last ? 0 : more->contact->restitution;
        const bool collides = u < more->surface - slow;
        w->row[i].hi = collides || last ? INFINITY : 0;
        more->wanted = collides && u < -w->world->def.bounce ? -e * u : more->surface;
        w->row[i].b = u - more->wanted;
        more->part = 0.5;
        n += collides;
    }
    return n;
}

/* Rows as they are before anything bounces; and as they are for positions, which start from the velocities without rows. */
static void keep_rows(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++) {
        const struct sn__pgs_row *row = &w->row[i];
        struct sn__world_row *more = &w->more[i];
        more->b = row->b, more->lo = row->lo, more->hi = row->hi, more->middle = row->middle;
        more->surface = more->wanted;
        more->least = 0;
    }
}

static void give_rows_back(struct sn__worker *w) {
    for (int i = 0; i < w->nrow; i++) {
        struct sn__pgs_row *row = &w->row[i];
        const struct sn__world_row *more = &w->more[i];
        row->b = more->b, row->lo = more->lo, row->hi = more->hi, row->middle = more->middle;
        if (is_bouncy(more)) row->lo = more->least;
    }
}

bool sn__worker_bounce(struct sn__worker *w, double h) {
    bool any = false;
    for (int i = 0; i < w->nrow; i++)
        any |= may_bounce(w, &w->more[i]);
    if (!any) return false;
    keep_rows(w);
    for (int i = 0; i < w->nrow; i++)
        if (may_bounce(w, &w->more[i])) w->row[i].hi = 0;
    sn__worker_solve_rows(w, w->f, false, SHARE);
    take_impulses(w, w->f);
    const int most = w->world->def.iterations;
    for (int round = 0, n = first_round(w, h); n && round < ROUNDS && w->used < most; round++) {
        for (int i = 0; i < w->nrow; i++)
            w->f_moved[i] = 0;
        sn__worker_solve_rows(w, w->f_moved, false, SHARE);
        sn__worker_tame(w, w->f_moved);
        for (int i = 0; i < w->nrow; i++) {
            w->f[i] += w->f_moved[i];
            if (is_bouncy(&w->more[i])) w->more[i].least += w->more[i].part * w->f_moved[i];
        }
        n = next_round(w, round + 2 == ROUNDS || most - w->used < 4);
    }
    give_rows_back(w);
    w->used = 0;
    return true;
}
