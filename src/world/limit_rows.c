/* Joint limits as rows (kokkevis-2004 section 8.2): a joint may reach its limit in this step and not pass it. Which joints
 * are near their limits, and which way is away from them, is for the kernels to say (kernels/stops.h). They are asked
 * three times: with the velocity that drives alone lead to, which rows the step begins with; at the pose that the rows
 * lead to, whether a limit was passed there after all; and, for those that were and have no row yet, at the pose of the
 * beginning once more. A row's way is straight where that of a ball is not: what a joint went too far is taken off the way
 * it may go. */
#include <math.h>
#include <string.h>

#include "world/world.h"

static const double TOO_FAR = 1e-3; /* rad or m beyond a limit that are let be */

/* Calls the kernel's `find` for limits alone, at a pose and a velocity in lanes. */
static struct sn__ground ask(const struct sn__worker *w, const struct sn__hand *m, const void *q, const void *qd) {
    struct sn__args args = sn__hand_args(w, m);
    struct sn__ground g = sn__probes_of(m->pack, w->copy);
    args.q = q, args.qd = qd;
    g.nprobed = g.nextra = 0;
    m->pack->k->find(&args, &g);
    return g;
}

static void read_record(const struct sn__hand *m, const struct sn__ground *g, int k, double *record) {
    const size_t value = m->pack->k->elem_size * (size_t)m->pack->k->info.width;
    sn__hand_gather(m, (const char *)g->contacts.limit + value * SN__LIMIT_VALUES * (size_t)k, SN__LIMIT_GAP + 1,
                    record);
}

static struct sn__added *added_for(struct sn__worker *w, int member, int side) {
    for (int i = 0; i < w->nadded; i++)
        if (w->added[i].member == member && w->added[i].side == side) return &w->added[i];
    return NULL;
}

static void add_limit(struct sn__worker *w, int member, const struct sn__ground *g, int k) {
    double record[SN__LIMIT_GAP + 1];
    read_record(&w->hand[member], g, k, record);
    struct sn__added *a = &w->added[w->nadded++];
    *a = (struct sn__added){.member = member,
                            .body = g->contacts.limit_body[k],
                            .n = 1,
                            .side = g->which_side[k],
                            .gap = record[SN__LIMIT_GAP]};
    memcpy(a->axis, record + SN__LIMIT_AXIS, sizeof a->axis);
}

void sn__worker_find_stops(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->stops) continue;
        const struct sn__ground g = ask(w, m, sn__hand_at(w, m, SN__Q), m->free_qd);
        for (int k = 0; k < g.contacts.nlimit; k++)
            add_limit(w, i, &g, k);
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

/* Limits without a row that are passed at the end: marked in `passed`, which has a place for each side. */
static bool see_passed(struct sn__worker *w, int member, uint8_t *passed, bool *any_without) {
    const struct sn__hand *m = &w->hand[member];
    const struct sn__ground g = ask(w, m, m->start, m->zero);
    bool any = false;
    *any_without = false;
    memset(passed, 0, m->pack->stop_size);
    for (int k = 0; k < g.contacts.nlimit; k++) {
        double record[SN__LIMIT_GAP + 1];
        read_record(m, &g, k, record);
        struct sn__added *a = added_for(w, member, g.which_side[k]);
        const double may = a && a->gap < 0 ? a->gap : 0, gap = record[SN__LIMIT_GAP];
        if (!(gap < may - TOO_FAR)) continue;
        any = true;
        if (a)
            a->shift += gap - may;
        else
            passed[g.which_side[k]] = 1, *any_without = true;
    }
    return any;
}

bool sn__worker_see_stops(struct sn__worker *w, double h, const double *f) {
    bool any = false;
    if (w->level == SN__LEVEL_IMPACT) return false;
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *m = &w->hand[i];
        bool more;
        if (!m->on || !m->stops) continue;
        look_ahead(w, i, h, f);
        if (!see_passed(w, i, m->passed, &more)) continue;
        any = true;
        if (!more) continue;
        const struct sn__ground g = ask(w, m, sn__hand_at(w, m, SN__Q), m->moved_qd);
        for (int k = 0; k < g.contacts.nlimit; k++)
            if (m->passed[g.which_side[k]]) add_limit(w, i, &g, k);
    }
    return any;
}

void sn__worker_limit_row(struct sn__worker *w, const struct sn__added *a, double h) {
    const struct sn__row r = {.body = a->body, .joint = 1, .w = {a->axis[0], a->axis[1], a->axis[2]}};
    struct sn__pgs_row *row = sn__worker_add_row(w);
    if (!row) return;
    if (!sn__worker_add_side(w, row, 0, a->member, &r)) {
        w->nrow--;
        return;
    }
    row->b = sn__worker_row_velocity(w, row) + (fmax(0, a->gap) + a->shift) / h;
    row->lo = 0, row->hi = INFINITY;
    if (a->gap < 0 && w->level != SN__LEVEL_IMPACT)
        w->more[w->nrow - 1].bias = fmin(-a->gap / sn__world_recovery(w->world, h), w->world->def.limit_speed);
}
