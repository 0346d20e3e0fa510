/* Members whose state would go beyond all bounds are frozen: they stay in the state before that substep and are walls to the
 * others, which rest on them and bounce off them as they do off ground. Constraints cannot hold what does not move: members
 * that they join to a frozen one are frozen with it. All go on when a state of one of them is set. */
#include <string.h>

#include "world/tie.h"

bool sn__member_frozen(const struct sn__member *m, int copy) {
    return m->pack.field[SN__FROZEN] && sn__pack_value(&m->pack, SN__FROZEN, copy, 0) != 0;
}

/* The kernel looks at a whole block at once. */
static bool none_frozen(const sn_world *w, const struct sn__member *m, int copy) {
    const int block = w->spread ? copy : copy / w->k->info.width;
    return !m->pack.field[SN__FROZEN] || w->k->all_below(1, sn__pack_at(&m->pack, SN__FROZEN, block), 0.5);
}

bool sn__world_frozen(const sn_world *w, int copy) {
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        if (m && m->pack.k && !none_frozen(w, m, copy) && sn__member_frozen(m, copy)) return true;
    }
    return false;
}

bool sn__world_moves(const sn_world *w) {
    for (int i = 0; i < w->nmember; i++)
        for (int copy = 0; w->member[i] && w->member[i]->active && copy < w->def.copies; copy++)
            if (!sn__member_frozen(w->member[i], copy)) return true;
    return false;
}

static void set_frozen(struct sn__member *m, int copy, bool frozen) {
    sn__pack_put_value(&m->pack, SN__FROZEN, copy, 0, frozen);
}

/* Whether a constraint joins one member that is as told to another that is not; these two. */
static bool joins(const sn_world *w, int tie, int copy, bool frozen, int *other) {
    const struct sn__tie *t = &w->tie[tie];
    if (!t->used || w->copy[copy].tied[tie].broken) return false;
    if (!sn__tie_kind(t->def.type)->two_ended || t->def.member2 < 0) return false;
    const bool first = sn__member_frozen(w->member[t->def.member], copy);
    const bool second = sn__member_frozen(w->member[t->def.member2], copy);
    *other = first == frozen ? t->def.member2 : t->def.member;
    return first != second;
}

/* Freezes, or thaws, all who are joined to one that is. */
static void spread(sn_world *w, int copy, bool frozen) {
    for (bool any = true; any;) {
        any = false;
        for (int i = 0, other; i < w->ntie; i++)
            if (joins(w, i, copy, frozen, &other)) set_frozen(w->member[other], copy, frozen), any = true;
    }
}

void sn__world_thaw_member(sn_world *w, const struct sn__member *m, int copy) {
    set_frozen(w->member[m->number], copy, false);
    spread(w, copy, false);
}

void sn__worker_freeze(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++)
        if (w->hand[i].on && w->hand[i].bad) set_frozen(w->hand[i].member, w->copy, true);
    spread(w->world, w->copy, true);
    for (int i = 0; i < w->world->nmember; i++) { /* nothing of it accelerates */
        const struct sn__hand *h = &w->hand[i];
        if (h->on && sn__member_frozen(h->member, w->copy))
            memset(sn__hand_at(w, h, SN__QDD), 0, sn__pack_bytes(h->pack, h->pack->model->nv));
    }
    w->placed = -1; /* those who are frozen are placed once more */
}

/* Whoever is frozen has the velocity it had, and shows none. */
static void show_at_rest(struct sn__hand *h) {
    for (int b = 0; b < h->pack->model->nbody; b++)
        memset(h->place + SN__PLACE * b + 12, 0, 6 * sizeof *h->place);
}

/* Where those are who sleep or are frozen: they do not move, so this is done once. */
void sn__worker_place_others(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *h = &w->hand[i];
        if (!h->member || !h->member->active || h->on) continue;
        sn__worker_place_member(w, i);
        if (sn__member_frozen(h->member, w->copy)) show_at_rest(h);
    }
}
