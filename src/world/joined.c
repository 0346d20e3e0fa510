/* Members that constraints join. What a pin, weld, hinge, slider, curve or surface joins is in one place and often overlaps: two
 * members that one of them joins do not touch each other, nor do the two bodies of one member, unless it says `collide`. In a
 * copy where it is broken they touch again. */
#include <stdlib.h>

#include "base/memory.h"
#include "world/constraints.h"

static bool joins(const struct sn__tie *t) {
    const sn_constraint_def *d = &t->def;
    const bool kind = d->type == SN_CONSTRAINT_PIN || d->type == SN_CONSTRAINT_WELD ||
                      d->type == SN_CONSTRAINT_HINGE || d->type == SN_CONSTRAINT_SLIDER ||
                      d->type == SN_CONSTRAINT_CURVE || d->type == SN_CONSTRAINT_SURFACE;
    return t->used && kind && !d->collide && d->member2 >= 0;
}

/* The members, or the bodies of one, the lower first. */
static uint64_t pair_of(int a, int b) {
    return a < b ? (uint64_t)(uint32_t)a << 32 | (uint32_t)b : (uint64_t)(uint32_t)b << 32 | (uint32_t)a;
}

static int compare(const void *x, const void *y) {
    const struct sn__join *a = x, *b = y;
    if (a->members != b->members) return a->members < b->members ? -1 : 1;
    if (a->bodies != b->bodies) return a->bodies < b->bodies ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

bool sn__ties_join(sn_world *w) {
    w->njoin = 0;
    if (!w->used_ties) return true;
    struct sn__join *list = sn__grow(w->join, &w->join_room, w->ntie, sizeof *list);
    if (!list) return false;
    w->join = list;
    for (int i = 0; i < w->ntie; i++) {
        const sn_constraint_def *d = &w->tie[i].def;
        if (!joins(&w->tie[i])) continue;
        const sn_model *model = w->member[d->member]->model;
        const bool one = d->member == d->member2;
        list[w->njoin++] = (struct sn__join){
            .members = pair_of(d->member, d->member2),
            .bodies = one ? pair_of(sn__body_whole(model, d->body), sn__body_whole(model, d->body2)) : 0,
            .tie = i};
    }
    if (w->njoin > 1) qsort(list, (size_t)w->njoin, sizeof *list, compare);
    return true;
}

bool sn__worker_joins(const struct sn__worker *w, int member, int body, int member2, int body2) {
    const struct sn__join *list = w->world->join;
    const struct sn__join wanted = {.members = pair_of(member, member2),
                                    .bodies = member == member2 ? pair_of(body, body2) : 0,
                                    .tie = -1};
    int first = 0, n = w->world->njoin;
    while (n > 0) {
        const int half = n / 2;
        if (compare(&list[first + half], &wanted) < 0)
            first += half + 1, n -= half + 1;
        else
            n = half;
    }
    for (int i = first; i < w->world->njoin; i++) {
        if (list[i].members != wanted.members || list[i].bodies != wanted.bodies) return false;
        if (w->world->tie[list[i].tie].used && !w->tied[list[i].tie].broken) return true;
    }
    return false;
}
