/* Free bodies that have come to rest sleep: nothing is computed for them until something touches or changes them.
 *
 * Members that touch each other and are all slow for long enough fall asleep together, an island at a time, and wake
 * together. A member that is driven, pushed or held by a constraint does not sleep, nor does what touches it. */
#include <math.h>
#include <string.h>

#include "world/world.h"

static const double LONG_ENOUGH = 0.5; /* s */

/* --------------------------------------------------------------------------------------------------- waking */

void sn__member_wake(struct sn__member *m, int first, int count) {
    for (int i = first; m->sleeps && i < first + count; i++)
        m->asleep[i] = 0, m->still[i] = 0;
}

void sn__world_wake_all(sn_world *w) {
    for (int i = 0; i < w->nmember && w->def.sleep > 0; i++)
        if (w->member[i]) sn__member_wake(w->member[i], 0, w->def.copies);
}

/* Where those who sleep are: they do not move, so this is done once. */
void sn__worker_place_sleepers(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *h = &w->hand[i];
        if (h->member && h->member->active && h->member->asleep[w->copy]) sn__worker_place_member(w, i);
    }
}

/* Wakes the island a member slept in. */
static void wake_island(struct sn__worker *w, int member) {
    const int island = w->hand[member].member->island[w->copy];
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *h = &w->hand[i];
        if (!h->member || !h->member->active || !h->member->asleep[w->copy]) continue;
        if (h->member->island[w->copy] != island) continue;
        sn__member_wake(h->member, w->copy, 1);
        h->on = true;
        sn__hand_save(w, h, h->backup);
    }
}

bool sn__worker_wake(struct sn__worker *w) {
    bool any = false;
    if (!(w->world->def.sleep > 0)) return false;
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        for (int s = 0; s < 2; s++) {
            const int member = w->solid[c->solid[s]].member;
            if (member < 0 || w->hand[member].on) continue;
            wake_island(w, member);
            any = true;
        }
    }
    return any;
}

/* -------------------------------------------------------------------------------------------- falling asleep */

/* No drives, no push, no constraint: rest is up to contacts alone. */
static bool may_sleep(const struct sn__worker *w, int member) {
    const struct sn__hand *h = &w->hand[member];
    const struct sn__pack *p = h->pack;
    if (p->has_push || p->has_feedforward || h->member->motion) return false;
    for (int v = 0; v < p->model->nv; v++)
        if (p->kp[v] != 0 || p->kd[v] != 0) return false;
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (!t->used || w->tied[i].spent || w->tied[i].broken) continue;
        if (t->def.member == member || t->def.member2 == member) return false;
    }
    return true;
}

static bool is_slow(const struct sn__worker *w, const struct sn__hand *h) {
    const int nv = h->pack->model->nv;
    sn__pack_get(h->pack, SN__QD, w->copy, nv, h->values);
    for (int v = 0; v < nv; v++)
        if (!(fabs(h->values[v]) < w->world->def.sleep)) return false;
    return true;
}

static int root_of(const int *parent, int i) {
    while (parent[i] != i)
        i = parent[i];
    return i;
}

/* Islands of members that touch; parent[i] leads to the smallest number of its island. */
static void find_islands(const struct sn__worker *w, int *parent) {
    for (int i = 0; i < w->world->nmember; i++)
        parent[i] = i;
    for (int i = 0; i < w->ncontact; i++) {
        const int a = w->solid[w->contact[i].solid[0]].member, b = w->solid[w->contact[i].solid[1]].member;
        if (a < 0 || b < 0 || w->contact[i].gap > 1e-3) continue;
        const int x = root_of(parent, a), y = root_of(parent, b);
        if (x < y)
            parent[y] = x;
        else
            parent[x] = y;
    }
}

void sn__worker_rest(struct sn__worker *w, double h) {
    sn_world *world = w->world;
    if (!(world->def.sleep > 0)) return;
    int *parent = w->island, *restless = w->island + world->nmember;
    find_islands(w, parent);
    memset(restless, 0, sizeof *restless * (size_t)world->nmember);
    for (int i = 0; i < world->nmember; i++) {
        struct sn__hand *hand = &w->hand[i];
        if (!hand->on) continue;
        double *still = &hand->member->still[w->copy];
        *still = may_sleep(w, i) && is_slow(w, hand) ? *still + h : 0;
        if (*still < LONG_ENOUGH) restless[root_of(parent, i)] = 1;
    }
    for (int i = 0; i < world->nmember; i++) {
        struct sn__hand *hand = &w->hand[i];
        if (hand->member && hand->member->active && hand->member->asleep[w->copy]) w->stats.asleep++;
        if (!hand->on || restless[root_of(parent, i)]) continue;
        hand->member->asleep[w->copy] = 1;
        hand->member->island[w->copy] = root_of(parent, i);
        memset(sn__hand_at(w, hand, SN__QD), 0, sn__pack_bytes(hand->pack, hand->pack->model->nv));
        memset(sn__hand_at(w, hand, SN__QDD), 0, sn__pack_bytes(hand->pack, hand->pack->model->nv));
    }
}
