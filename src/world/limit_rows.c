/* Joint limits as rows (kokkevis-2004 section 8.2): a joint may reach its limit in this step and not pass it. Which joints
 * are near their limits, and which way is away from them, is for the kernels to say (kernels/contact/stops.h). They are asked
 * twice: with the velocity that drives alone lead to, which rows the step begins with,
 *
 *     a . v+ + gap / h >= 0,   a the way away from the limit;
 *
 * and at the pose that the rows lead to, whether a limit was passed there after all. Another row is then laid through that
 * pose, where the gap is g and the way a': with phi = h v the turn of the step in the body's axes,
 *
 *     a'' . v+ + (g / h - a'' . v) >= 0,   a'' = Jr(phi)^T a'.
 *
 * The way along a ball's limit is not straight, but what it encloses is convex: every such row cuts off nothing that may
 * be reached, and so all of them stay. Where a turn is so large that this does not hold, standing still is still allowed,
 * v+ = 0, so that no row ever asks for more than that.
 *
 * The event stepper has rows of the limits that joints stand at, a . v+ >= 0. One that is reached within a substep is
 * an event: the substep is made shorter, and an impact takes the velocity towards the limit away. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/probes.h"
#include "world/rows.h"
#include "model/joint.h"

static const double TOO_FAR = 2e-3; /* rad or m beyond a limit that are ignored */
static const double STANDS_AT =
    1e-3;                        /* rad or m from a limit where the event stepper takes it to be reached */
static const double HITS = 1e-4; /* rad/s or m/s towards it that are an impact */

/* Calls the kernel's `find` for limits alone, at a pose and a velocity in lanes. */
static struct sn__ground ask(const struct sn__worker *w, const struct sn__hand *m, const void *q,
                             const void *qd) {
    struct sn__args args = sn__hand_args(w, m);
    struct sn__ground g = sn__probes_of(m->pack, w->copy);
    args.q = q, args.qd = qd;
    g.nprobed = g.nextra = 0;
    m->pack->k->find(&args, &g);
    return g;
}

static void read_record(const struct sn__hand *m, const struct sn__ground *g, int k, double *record) {
    const size_t value = m->pack->k->elem_size * (size_t)m->pack->k->info.width;
    sn__hand_gather(m, (const char *)g->contacts.limit + value * SN__LIMIT_VALUES * (size_t)k,
                    SN__LIMIT_GAP + 1, record);
}

static struct sn__added *added_for(struct sn__worker *w, int member, int side) {
    for (int i = 0; i < w->nadded; i++)
        if (w->added[i].member == member && w->added[i].side == side) return &w->added[i];
    return NULL;
}

static struct sn__added *add_limit(struct sn__worker *w, int member, int body, int side) {
    struct sn__added *a = &w->added[w->nadded++];
    *a = (struct sn__added){.member = member, .body = body, .side = side};
    return a;
}

void sn__worker_find_stops(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->stops) continue;
        const struct sn__ground g = ask(w, m, sn__hand_at(w, m, SN__Q), m->free_qd);
        for (int k = 0; k < g.contacts.nlimit; k++) {
            double record[SN__LIMIT_GAP + 1];
            read_record(m, &g, k, record);
            if (w->level != SN__LEVEL_STEP && record[SN__LIMIT_GAP] >= STANDS_AT) continue;
            struct sn__added *a = add_limit(w, i, g.contacts.limit_body[k], g.which_side[k]);
            memcpy(a->axis, record + SN__LIMIT_AXIS, sizeof a->axis);
            a->gap = record[SN__LIMIT_GAP];
            a->rest = w->level == SN__LEVEL_STEP ? fmax(0, a->gap) / h : 0;
        }
    }
}

/* Where the impulses f lead a member: pose and velocity, in its `start` and `moved_qd`. */
static void look_ahead(struct sn__worker *w, int member, double h, const double *f) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const double one = 1;
    memset(m->change, 0, sn__pack_bytes(p, p->model->nv));
    if (m->nrow) sn__worker_impulse(w, member, f, m->change);
    p->k->combine(p->model->nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->moved_qd);
    memcpy(m->start, sn__hand_at(w, m, SN__Q), sn__pack_bytes(p, p->model->nq));
    p->k->integrate(p->tree, h, m->zero, m->start, m->moved_qd, 0);
}

/* Jr(phi)^T a = a + (1 - cos x) / x^2 phi x a + (x - sin x) / x^3 phi x (phi x a),   x = |phi|. */
static void turn_back(const double phi[3], const double a[3], double out[3]) {
    const double x = dvec_length(phi), x2 = x * x;
    double cosine, sinc;
    sn__cos_sinc(x, &cosine, &sinc); /* not libm's: bits would depend on it */
    const double p = x > 1e-4 ? (1 - cosine) / x2 : 0.5, q = x > 1e-4 ? (1 - sinc) / x2 : 1.0 / 6;
    double once[3], twice[3];
    dvec_cross(phi, a, once);
    dvec_cross(phi, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + p * once[k] + q * twice[k];
}

/* The row of a limit through the end of the step, where the joint is beyond what it may be by `over` < 0. */
static void lay_row(const struct sn__hand *m, struct sn__added *a, const double *axis, double over,
                    double h) {
    const sn_body_info *b = &m->pack->model->body[a->body];
    const double *v = m->values + b->v_index;
    double phi[3] = {0, 0, 0}, along = 0;
    for (int k = 0; k < 3 && sn__joint_is_ball(b); k++)
        phi[k] = h * v[k];
    turn_back(phi, axis, a->axis);
    for (int k = 0; k < b->nv && k < 3; k++)
        along += a->axis[k] * v[k];
    a->rest = fmax(0, over / h - along);
}

bool sn__worker_see_stops(struct sn__worker *w, double h, const double *f) {
    bool any = false;
    if (w->level == SN__LEVEL_IMPACT) return false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->stops) continue;
        look_ahead(w, i, h, f);
        sn__hand_gather(m, m->moved_qd, m->pack->model->nv, m->values);
        const struct sn__ground g = ask(w, m, m->start, m->zero);
        for (int k = 0; k < g.contacts.nlimit; k++) {
            double record[SN__LIMIT_GAP + 1];
            read_record(m, &g, k, record);
            struct sn__added *a = added_for(w, i, g.which_side[k]);
            if (!a && w->level != SN__LEVEL_STEP) continue;
            const double over = record[SN__LIMIT_GAP] - (a && a->gap < 0 ? a->gap : 0);
            if (!(over < -TOO_FAR)) continue;
            a = add_limit(w, i, g.contacts.limit_body[k], g.which_side[k]);
            lay_row(m, a, record + SN__LIMIT_AXIS, over, h);
            any = true;
        }
    }
    return any;
}

/* The velocity along a limit's way, of n velocities from the joint's first on. */
static double rate_of(const struct sn__hand *m, int body, const double *axis, const double *qd) {
    const sn_body_info *b = &m->pack->model->body[body];
    double rate = 0;
    for (int k = 0; k < b->nv && k < 3; k++)
        rate += axis[k] * qd[b->v_index + k];
    return rate;
}

/* The least of what is said of each limit that is near at the pose as it is, by the velocity as it is or, `moved`, by the
   one that positions were moved with. */
static double least_of(const struct sn__worker *w, bool moved,
                       double (*says)(double gap, double rate, double h), double h) {
    double least = 1;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || !sn__probes_of(m->pack, w->copy).nstops) continue;
        const void *qd = moved ? m->change : sn__hand_at(w, m, SN__QD);
        const struct sn__ground g = ask(w, m, sn__hand_at(w, m, SN__Q), qd);
        if (g.contacts.nlimit) sn__hand_gather(m, qd, m->pack->model->nv, m->values);
        for (int k = 0; k < g.contacts.nlimit; k++) {
            double record[SN__LIMIT_GAP + 1];
            read_record(m, &g, k, record);
            const double rate = rate_of(m, g.contacts.limit_body[k], record + SN__LIMIT_AXIS, m->values);
            least = fmin(least, says(record[SN__LIMIT_GAP], rate, h));
        }
    }
    return least;
}

static double hits(double gap, double rate, double h) {
    (void)h;
    return gap < STANDS_AT && rate < -HITS ? 0 : 1;
}

bool sn__worker_hits_stops(const struct sn__worker *w) {
    return least_of(w, false, hits, 0) < 1;
}

/* How far the limit's rate moves the joint back in a step shows where the joint was. */
static double passes(double gap, double rate, double h) {
    const double before = gap - h * rate;
    if (gap > -STANDS_AT) return 1;
    if (before > STANDS_AT) return before / (before - gap);
    return gap < before - TOO_FAR ? 0.5 : 1;
}

double sn__worker_passes_stops(const struct sn__worker *w, double h) {
    return least_of(w, true, passes, h);
}

void sn__worker_limit_row(struct sn__worker *w, const struct sn__added *a, double h) {
    const struct sn__row r = {.body = a->body, .joint = 1, .w = {a->axis[0], a->axis[1], a->axis[2]}};
    struct sn__pgs_row *row = sn__worker_add_row(w);
    if (!row) return;
    if (!sn__worker_add_side(w, row, 0, a->member, &r)) {
        w->nrow--;
        return;
    }
    row->b = sn__worker_row_velocity(w, row) + a->rest;
    row->lo = 0, row->hi = INFINITY;
    w->f[w->nrow - 1] = a->impulse;
    if (a->gap < 0 && w->level != SN__LEVEL_IMPACT)
        w->more[w->nrow - 1].bias =
            fmin(-a->gap / sn__world_recovery(w->world, h), w->world->def.limit_speed);
}
