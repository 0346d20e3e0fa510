/* Accelerations under the drives, with implicit contacts and joint limits inside (kernels/contact/ground.h has their
 * law). Kernels
 * find what touches planes and height fields; contacts with other ground, as contacts.c found them, are given to them as
 * extras and become records the same way. */
#include <string.h>

#include "base/quat.h"
#include "world/constraints.h"
#include "world/probes.h"
#include "world/rows.h"

struct sn__args sn__hand_args(const struct sn__worker *w, const struct sn__hand *h) {
    struct sn__args args = sn__pack_args(h->pack, w->copy);
    if (!args.K) args.K = h->zero;
    if (w->level == SN__LEVEL_IMPACT && args.limit) args.K = h->impact_K, args.limit = NULL;
    const struct sn__contacts *c = &h->ground->contacts;
    args.contacts = c->count || c->nlimit || c->nbrace ? c : NULL;
    return args;
}

struct sn__ground *sn__hand_ground(struct sn__hand *h) {
    const bool any = h->ground->nprobed || (h->ground->nstops && !h->ground->stops_apart);
    return any ? h->ground : NULL;
}

/* Which contacts are whose, in the order of bodies. */
static void share_out(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].nextra = 0;
    for (int i = 0; i < w->ncontact; i++) {
        if (!w->contact[i].implicit) continue;
        const struct sn__solid *s = &w->solid[w->contact[i].solid[0]];
        struct sn__hand *h = &w->hand[s->member];
        if (h->nextra == h->extra_room) {
            w->stats.dropped++;
            continue;
        }
        int k = h->nextra++;
        for (; k > 0 && w->solid[w->contact[h->extra_contact[k - 1]].solid[0]].body > s->body; k--)
            h->extra_contact[k] = h->extra_contact[k - 1];
        h->extra_contact[k] = i;
    }
}

/* A contact as the kernel wants it. */
static void fill_extra(const struct sn__worker *w, struct sn__hand *h, int k) {
    const struct sn__contact *c = &w->contact[h->extra_contact[k]];
    const struct sn__solid *solid = &w->solid[c->solid[0]], *ground = &w->solid[c->solid[1]];
    const double *x = h->place + SN__PLACE * solid->body;
    struct sn__extra *e = &h->extra[k];
    *e = (struct sn__extra){.body = solid->body, .gap = c->gap};
    if (w->world->def.friction != SN_FRICTION_NONE) e->mu = c->mu;
    if (ground->moves) sn__solid_velocity(w, ground, c->pos, e->drift);
    for (int i = 0; i < 3; i++) {
        e->drift[i] += c->belt[i];
        e->point[i] = c->pos[i] - x[i];
        e->normal[i] = c->normal[i];
        e->force[i] = c->old ? c->force[i] : 0;
        e->slip[i] = c->old ? c->anchor[i] : 0;
    }
}

/* Records of the current copy; limits become rows where contacts do, and in the event stepper (limit_rows.c). */
static void find_records(struct sn__worker *w, struct sn__hand *h) {
    const struct sn__args args = sn__pack_args(h->pack, w->copy);
    *h->ground = sn__probes_of(h->pack, w->copy);
    h->ground->gives = w->world->moving || w->world->carriers || w->world->filter.call;
    h->stops = false;
    for (int k = 0; k < h->nextra; k++)
        fill_extra(w, h, k);
    h->ground->nextra = h->nextra, h->ground->extra = h->extra, h->ground->extra_touch = h->extra_touch;
    if (!h->ground->nprobed && !h->ground->nstops && !h->nextra) return;
    h->pack->k->find(&args, h->ground);
    if (!h->ground->stops_apart) return;
    h->stops = h->ground->nstops > 0;
    h->ground->contacts.nlimit = 0;
}

/* Forces of the extras as the solve left them; slip where friction is not at its bound. */
void sn__worker_read_extras(struct sn__worker *w, struct sn__hand *h) {
    const struct sn__ground *g = h->ground;
    const size_t value = h->pack->k->elem_size * (size_t)h->pack->k->info.width;
    for (int k = 0; k < g->contacts.count; k++) {
        const int e = g->which[k] - g->nprobe;
        if (e < 0) continue;
        struct sn__contact *c = &w->contact[h->extra_contact[e]];
        const char *record = (const char *)g->contacts.value + value * SN__CONTACT_VALUES * (size_t)k;
        sn__hand_gather(h, record + value * SN__FORCE, 3, c->force);
        sn__hand_gather(h, (const char *)h->extra_touch + value * (6 * (size_t)e + 3), 3, c->anchor);
        const double fn = dvec_dot(c->force, c->normal), ft2 = dvec_dot(c->force, c->force) - fn * fn;
        c->sliding = fn > 0 && ft2 >= 0.98 * c->mu * c->mu * fn * fn;
    }
}

/* Forces of rows that the member is given: newton.c. */
void sn__hand_take_pushes(const struct sn__hand *m, struct sn__args *args) {
    const double one = 1;
    const int nv = m->pack->model->nv;
    args->push = m->push, args->row_push = m->row_push, args->row_tau = m->row_tau;
    if (args->spring)
        m->pack->k->combine(nv, m->row_tau, 1, &one, &args->spring, m->spring);
    else
        memcpy(m->spring, m->row_tau, sn__pack_bytes(m->pack, nv));
    args->spring = m->spring;
}

/* What kernels need for a solve of a member. */
static struct sn__args solve_args(struct sn__worker *w, struct sn__hand *m, bool rows) {
    struct sn__args args = sn__hand_args(w, m);
    args.ground = sn__hand_ground(m);
    args.rows_follow = rows;
    args.loose = m->loose;
    if (args.spring) m->pack->k->springs(&args, sn__hand_at(w, m, SN__SPRING));
    if (m->pushed) sn__hand_take_pushes(m, &args);
    return args;
}

/* What came of it: counts, and the velocity at the end of the step. */
static void take_solution(struct sn__worker *w, struct sn__hand *m, const struct sn__args *args, int sweeps,
                          double h, void *qd) {
    const struct sn__pack *p = m->pack;
    const bool touched = m->ground->contacts.count + m->ground->contacts.nlimit > 0;
    sn_world_stats own = {0};
    if ((touched || args->limit) && sweeps > w->stats.sweeps) w->stats.sweeps = sweeps;
    if (touched || args->limit) sn__probes_settled(p, 1, &own);
    m->settled = !own.unsettled;
    m->off = own.sweep_residual;
    p->k->combine(p->model->nv, sn__hand_at(w, m, SN__QD), 1, &h,
                  (const void *const[]){sn__hand_at(w, m, SN__QDD)}, qd);
}

/* The free velocity of a member, and what rows and braces ask of it. */
static void solve_member(struct sn__worker *w, struct sn__hand *m, double h, bool rows) {
    const struct sn__pack *p = m->pack;
    const struct sn__args args = solve_args(w, m, rows);
    take_solution(w, m, &args, p->k->solve(&args, sn__hand_at(w, m, SN__QDD)), h, m->free_qd);
    if (!rows) return;
    p->k->rows->velocities(&args, m->free_qd, m->rate);
    sn__hand_gather(m, m->free_qd, p->model->nv, m->qd);
}

void sn__worker_solve_member(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const struct sn__args args = solve_args(w, m, true);
    void *qdd = sn__hand_at(w, m, SN__QDD);
    const bool afresh = args.polarised || !(args.contacts || args.ground || args.limit);
    if (afresh) p->k->enter(&args, m->place); /* velocity products as they were before */
    take_solution(w, m, &args, afresh ? p->k->solve(&args, qdd) : p->k->rows->resolve(&args, qdd), h,
                  m->known);
}

/* Braces are set for where their member would be without them. */
static void set_braces(struct sn__worker *w, double h) {
    const sn_world_stats before = w->stats;
    bool any = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        m->nbrace = 0;
        if (!m->on || !m->member->braces) continue;
        any = true;
        solve_member(w, m, h, true);
        const struct sn__args args = sn__hand_args(w, m);
        m->pack->k->enter(&args, m->place); /* velocity products as they were before */
    }
    w->stats = before;
    if (!any) return;
    sn__worker_brace(w, h);
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        struct sn__contacts *c = &m->ground->contacts;
        if (m->on && m->nbrace)
            c->nbrace = m->nbrace, c->brace_first = m->brace_first, c->brace = m->brace_value;
    }
}

void sn__worker_solve_free(struct sn__worker *w, double h) {
    const bool implicit = w->world->def.contact == SN_CONTACT_IMPLICIT;
    if (implicit) share_out(w);
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (m->on) find_records(w, m);
    }
    if (w->world->used_ties) set_braces(w, h);
    const bool rows = sn__worker_has_rows(w);
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on) solve_member(w, &w->hand[i], h, rows);
}

void sn__worker_solve_unpushed(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->pushed) continue;
        m->pushed = false;
        const struct sn__args args = sn__hand_args(w, m);
        m->pack->k->enter(&args, m->place); /* velocity products as they were before */
        find_records(w, m);
        solve_member(w, m, h, true);
    }
}

/* Whether anything may make rows in this step. */
bool sn__worker_has_rows(const struct sn__worker *w) {
    if (w->world->used_ties) return true;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].stops) return true;
    for (int i = 0; i < w->ncontact; i++)
        if (!w->contact[i].implicit) return true;
    return false;
}

bool sn__worker_has_limits(const struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].pack->torque_limits) return true;
    return false;
}
