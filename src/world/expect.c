/* The forces that members are given for what rows do to them (newton.c), and those that a step begins with: the contacts' of the
 * last one, unless they belong to another scene. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "model/joint.h"
#include "world/constraints.h"
#include "world/rows.h"

/* Impulses as the forces that the kernels take: all pushes and the rows' own, with the springs those on joints. */
void sn__worker_give_forces(const struct sn__worker *w, struct sn__hand *m, double h) {
    const struct sn__pack *p = m->pack;
    const int nbody = p->model->nbody, nv = p->model->nv;
    const struct sn__args args = sn__pack_args(p, w->copy);
    const double one = 1;
    memset(m->values, 0, sizeof *m->values * (size_t)(6 * nbody));
    sn__hand_push(m, m->given, h, m->row_push);
    const void *own = args.push;
    if (own)
        p->k->combine(6 * nbody, m->row_push, 1, &one, &own, m->push);
    else
        memcpy(m->push, m->row_push, sn__pack_bytes(p, 6 * nbody));
    for (int v = 0; v < nv; v++)
        m->values[v] = m->given_tau[v] / h;
    sn__hand_spread(m, m->row_tau, 0, nv, m->values);
    m->pushed = true;
}

/* A contact's force on one of its two solids, as an impulse. A body by itself answers linearly, except for velocity products,
   which are better those of its own motion. */
static void give_contact(struct sn__worker *w, const struct sn__contact *c, int side, double h) {
    const struct sn__solid *s = &w->solid[c->solid[side]];
    if (s->member < 0 || !w->hand[s->member].on) return;
    struct sn__hand *m = &w->hand[s->member];
    if (m->pack->model->nbody == 1) return;
    const struct sn__row r = sn__point_row(m, s->body, side ? c->other : c->pos, c->force, side ? -h : h);
    for (int k = 0; k < 6; k++)
        m->given[6 * s->body + k] += r.w[k];
    m->pushed = true;
}

/* The part of a contact's last force that its rows can have. */
static void keep_possible(const struct sn__worker *w, struct sn__contact *c) {
    const double fn = dvec_dot(c->force, c->normal);
    const bool rubs = c->mu > 0 && w->world->def.friction != SN_FRICTION_NONE;
    for (int k = 0; k < 3; k++)
        c->force[k] = fn <= 0 ? 0 : rubs ? c->force[k] : fn * c->normal[k];
}

/* Marks the members that constraints act on, and those that hang on the world. Forces of contacts and of constraints may work
   against each other beyond every bound: one without the other would push anything anywhere. */
static void mark_tied(struct sn__worker *w) {
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (!t->used) continue;
        const bool two = sn__tie_kind(t->def.type)->two_ended && t->def.member2 >= 0;
        w->hand[t->def.member].tied = true;
        w->hand[t->def.member].hangs |= !two;
        if (two) w->hand[t->def.member2].tied = true;
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].hangs |= w->hand[i].tied && !sn__joint_is_free(&w->hand[i].pack->model->body[0]);
}

/* Whether one of the members of a contact is on and marked. */
static bool is_tied(const struct sn__worker *w, const struct sn__contact *c) {
    for (int s = 0; s < 2; s++) {
        const int member = w->solid[c->solid[s]].member;
        if (member >= 0 && w->hand[member].tied) return true;
    }
    return false;
}

void sn__worker_expect_forces(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        m->pushed = m->again = m->loose = m->tied = m->hangs = false;
        m->settled = true;
        if (!m->on) continue;
        memset(m->given, 0, sizeof *m->given * (size_t)(6 * m->pack->model->nbody));
        memset(m->given_tau, 0, sizeof *m->given_tau * (size_t)m->pack->model->nv);
    }
    w->round = 0;
    for (int i = 0; i < w->ncontact; i++)
        memset(w->contact[i].begun, 0, sizeof w->contact[i].begun);
    mark_tied(w);
    if (w->world->def.friction == SN_FRICTION_ONE_WAY || w->level != SN__LEVEL_STEP) return;
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        if (c->implicit || !c->old || is_tied(w, c)) continue;
        keep_possible(w, c);
        memcpy(c->begun, c->force, sizeof c->begun);
        for (int side = 0; side < 2 && dvec_dot(c->force, c->force) > 0; side++)
            give_contact(w, c, side, h);
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].pushed) sn__worker_give_forces(w, &w->hand[i], h);
}

/* rad. Forces of the last step that turn a joint by more than this, beyond what its own speed does, are those of
   another scene. */
static const double FAR = 0.5;

static bool is_thrown(const struct sn__worker *w, struct sn__hand *m, double h) {
    const int nv = m->pack->model->nv;
    double *before = m->values;
    sn__hand_gather(m, m->free_qd, nv, m->qd);
    sn__hand_gather(m, sn__hand_at(w, m, SN__QD), nv, before);
    for (int v = 0; v < nv; v++)
        if (!(h * fabs(m->qd[v] - before[v]) < FAR)) return true;
    return false;
}

/* Bodies that are deep in each other push with forces that cancel: if some of these contacts have gone since, or have turned,
   what is left of them throws limbs about, and rounds would begin from there. Then they begin with nothing instead. */
void sn__worker_mind_forces(struct sn__worker *w, double h) {
    bool thrown = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        thrown |= w->hand[i].on && w->hand[i].pushed && is_thrown(w, &w->hand[i], h);
    if (!thrown) return;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        memset(m->given, 0, sizeof *m->given * (size_t)(6 * m->pack->model->nbody));
        memset(m->given_tau, 0, sizeof *m->given_tau * (size_t)m->pack->model->nv);
    }
    for (int i = 0; i < w->ncontact; i++)
        memset(w->contact[i].begun, 0, sizeof w->contact[i].begun);
    sn__worker_solve_unpushed(w, h);
}
