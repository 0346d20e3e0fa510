/* Free bodies that have come to rest sleep: nothing is computed for them until something touches or changes them.
 *
 * Members that touch each other and are all slow for long enough fall asleep together, an island at a time, and wake
 * together. A member that is driven, pushed or held by a constraint does not sleep, nor does what touches it.
 *
 * One distance decides both: members touch where the gap between them is below TOUCH, or will be at the end of the step
 * at the speed they approach each other with. Sleepers farther away than that sleep on, and are walls to the others
 * for the current step: if something is thrown against one within the step, it touches in the next one and wakes it. */
#include <math.h>
#include <string.h>

#include "solve/islands.h"
#include "world/conduct.h"
#include "world/snapshot.h"
#include "world/worker.h"

static const double LONG_ENOUGH = 0.5; /* s */
static const double MEMORY = 0.2;      /* s, of mean velocities */
static const double JITTER = 20;       /* times as fast as it may be at most, as long as the mean is slow */
static const double TOUCH = 1e-3;      /* m */

static bool touches(const struct sn__worker *w, const struct sn__contact *c) {
    return c->gap + w->world->def.dt * fmin(0, c->approach) < TOUCH;
}

/* --------------------------------------------------------------------------------------------------- waking */

void sn__member_wake(struct sn__member *m, int first, int count) {
    for (int i = first; m->sleeps && i < first + count; i++)
        m->asleep[i] = 0, m->still[i] = 0;
}

void sn__world_wake_all(sn_world *w) {
    for (int i = 0; i < w->nmember && w->def.sleep > 0; i++)
        if (w->member[i]) sn__member_wake(w->member[i], 0, w->def.copies);
}

/* Marks the islands of members that sleep and are touched: mark[island]. Whether there are any. */
static bool mark_touched(const struct sn__worker *w, int *mark) {
    bool any = false;
    memset(mark, 0, sizeof *mark * (size_t)w->world->nmember);
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        for (int s = 0; s < 2; s++) {
            const int member = w->solid[c->solid[s]].member;
            if (member < 0 || !w->hand[member].member->asleep[w->copy] || !touches(w, c)) continue;
            mark[w->hand[member].member->island[w->copy]] = 1;
            any = true;
        }
    }
    return any;
}

bool sn__worker_wake(struct sn__worker *w) {
    if (!(w->world->def.sleep > 0) || !mark_touched(w, w->island)) return false;
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *h = &w->hand[i];
        if (!h->member || !h->member->active || !h->member->asleep[w->copy]) continue;
        if (!w->island[h->member->island[w->copy]]) continue;
        sn__member_wake(h->member, w->copy, 1);
        h->on = true;
        sn__hand_save(w, h, h->backup);
    }
    sn__worker_call_all(w);
    return true;
}

/* -------------------------------------------------------------------------------------------- falling asleep */

/* Members that a constraint holds: held[member]. */
static void mark_held(const struct sn__worker *w, int *held) {
    memset(held, 0, sizeof *held * (size_t)w->world->nmember);
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (!t->used || w->tied[i].spent || w->tied[i].broken) continue;
        if (t->def.member >= 0) held[t->def.member] = 1;
        if (t->def.member2 >= 0) held[t->def.member2] = 1;
    }
}

/* Part of the gains that acts on a joint: none on limp limbs. Whoever reacts, is assisted or animated is never limp. */
static double acting(const struct sn__worker *w, const struct sn__hand *h, int body) {
    const struct sn__conduct *c = h->member->conduct;
    if (!c) return 1;
    const struct sn__limb *l = &c->limb[(size_t)w->copy * (size_t)h->pack->model->nbody + (size_t)body];
    return c->reacts || c->assisted || l->held > 0 ? 1 : l->scale;
}

/* No springs, no push: rest is up to contacts alone. Drives that only brake let what rests rest. */
static bool may_sleep(const struct sn__worker *w, const struct sn__hand *h) {
    const struct sn__pack *p = h->pack;
    if (p->has_push || p->has_feedforward || h->member->motion) return false;
    for (int b = 0; b < p->model->nbody; b++) {
        const sn_body_info *body = &p->model->body[b];
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            if ((p->kp[v] != 0 || (p->kd[v] != 0 && p->has_target_qd)) && acting(w, h, b) != 0) return false;
    }
    return true;
}

/* Slow now, or slow on the whole: contacts of a heap are solved by some iterations only, and what lies in it may quiver for
   ever without going anywhere. With v the velocity and m its mean, m+ = m + h / (h + MEMORY) (v - m). How fast a body turns
   counts by what that moves its farthest point, where it is smaller than 1 m. */
static bool is_slow(const struct sn__worker *w, const struct sn__hand *h, double dt) {
    const int nv = h->pack->model->nv;
    const double most = w->world->def.sleep, part = dt / (dt + MEMORY);
    double *mean = h->member->mean + (size_t)w->copy * (size_t)nv;
    double *qd = w->world->values + w->world->largest * (size_t)(w - w->world->worker);
    bool now = true, whole = true;
    sn__pack_get(h->pack, SN__QD, w->copy, nv, qd);
    for (int v = 0; v < nv; v++) {
        const double speed = fabs(qd[v]);
        mean[v] += part * (qd[v] - mean[v]);
        now = now && speed < most;
        const double arm = v < 3 ? 1 : h->member->arm;
        whole = whole && arm * fabs(mean[v]) < most && arm * speed < JITTER * most;
    }
    return now || whole;
}

/* Islands of members that touch. */
static void find_islands(const struct sn__worker *w, int *parent) {
    sn__islands_begin(parent, w->world->nmember);
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        const int a = w->solid[c->solid[0]].member, b = w->solid[c->solid[1]].member;
        if (a >= 0 && b >= 0 && w->hand[a].on && w->hand[b].on && touches(w, c))
            sn__islands_join(parent, a, b);
    }
}

/* It is placed where it has come to: as long as it sleeps nobody does that again. */
static void fall_asleep(struct sn__worker *w, int member, int island) {
    struct sn__hand *h = &w->hand[member];
    h->member->asleep[w->copy] = 1;
    h->member->island[w->copy] = island;
    memset(sn__hand_at(w, h, SN__QD), 0, sn__pack_bytes(h->pack, h->pack->model->nv));
    memset(sn__hand_at(w, h, SN__QDD), 0, sn__pack_bytes(h->pack, h->pack->model->nv));
    sn__worker_place_member(w, member);
}

void sn__worker_rest(struct sn__worker *w, double h) {
    sn_world *world = w->world;
    if (!(world->def.sleep > 0)) return;
    int *parent = w->island, *restless = w->island + world->nmember, *held = restless + world->nmember;
    find_islands(w, parent);
    mark_held(w, held);
    memset(restless, 0, sizeof *restless * (size_t)world->nmember);
    for (int i = 0; i < world->nmember; i++) {
        struct sn__hand *hand = &w->hand[i];
        if (!hand->on) continue;
        double *still = &hand->member->still[w->copy];
        *still = !held[i] && may_sleep(w, hand) && is_slow(w, hand, h) ? *still + h : 0;
        if (*still < LONG_ENOUGH) restless[sn__islands_root(parent, i)] = 1;
    }
    for (int i = 0; i < world->nmember; i++) {
        struct sn__hand *hand = &w->hand[i];
        if (hand->member && hand->member->active && hand->member->asleep[w->copy]) w->stats.asleep++;
        if (hand->on && !restless[sn__islands_root(parent, i)])
            fall_asleep(w, i, sn__islands_root(parent, i));
    }
}

/* -------------------------------------------------------------------------------------------------- snapshots */

/* Mean velocities of one that may sleep. */
static void pass_mean(struct sn__stream *s, const sn_world *w, struct sn__member *m, int nv, int copy) {
    const size_t first = (size_t)copy * (size_t)nv;
    for (int v = 0; v < nv && w->def.sleep > 0; v++) {
        double x = s->task == SN__WRITE ? m->mean[first + (size_t)v] : 0;
        sn__pass_finite(s, &x, 1);
        if (s->task == SN__TAKE) m->mean[first + (size_t)v] = x;
    }
}

void sn__member_pass_sleep(struct sn__stream *s, const sn_world *w, struct sn__member *m, int nv, int copy) {
    double still = 0, phase = 0;
    bool asleep = false;
    int island = 0;
    if (s->task == SN__WRITE) {
        phase = m->phase[copy];
        if (m->sleeps) still = m->still[copy], asleep = m->asleep[copy] != 0, island = m->island[copy];
    }
    sn__pass_finite(s, &phase, 1);
    sn__pass_finite(s, &still, 1);
    sn__pass_bool(s, &asleep);
    sn__pass_int(s, &island, 0, 1 << 24);
    if (s->task == SN__CHECK && asleep && !(w->def.sleep > 0))
        sn__stream_refuse(s, "it sleeps where nobody may");
    pass_mean(s, w, m, nv, copy);
    if (s->task != SN__TAKE) return;
    m->phase[copy] = phase;
    if (!m->sleeps) return;
    m->still[copy] = still, m->asleep[copy] = asleep;
    m->island[copy] =
        island < w->nmember ? island : m->number; /* a member's number, whatever is written there */
}
