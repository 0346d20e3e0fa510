/* The islands of a step, one after the other or, in a world of one copy, on several threads. Every island has its members,
 * contacts and rows to itself, and nothing that it reads is written by another: the bits do not depend on who steps it.
 *
 * Where there are many members, an island has working memory only while it is stepped. It is then done with when it has been
 * stepped, except for its state: should another island fail, the copy is as it was before the step, apart from the forces that
 * contacts with ground begin the next one with. An island that finds too little room is made again by itself. */
#include <string.h>

#include "base/memory.h"
#include "world/step.h"

struct isles {
    struct sn__worker *leader; /* who has taken up the copy */
    int *seated;               /* its own */
    struct sn__contact *contact;
    double h;
};

/* Memory, and frames in it. */
static bool begin(struct sn__worker *w) {
    if (!w->equipped && !sn__worker_equip(w)) {
        w->lack.any = w->lack.memory = true;
        return false;
    }
    if (!w->equipped) sn__worker_place(w);
    return true;
}

/* Until there is room enough. */
static sn_status step_until_it_fits(struct sn__worker *w, double h) {
    const sn_world_stats before = w->stats;
    for (;;) {
        if (!begin(w)) return (sn_status)SN__SHORT;
        const sn_status status = sn__worker_step_crew(w, h);
        if ((int)status != SN__SHORT || !sn__worker_grow(w)) return status;
        w->stats = before;
        sn__worker_match_contacts(w);
        if (w->equipped) sn__worker_place(w); /* frames as they were */
    }
}

static void step_one(struct sn__worker *w, struct sn__isle *isle, double h) {
    const sn_world_stats before = w->stats;
    w->stats.rows = 0;
    w->bad = false;
    isle->status = (int)step_until_it_fits(w, h);
    isle->rows = w->stats.rows;
    isle->bad_member = w->stats.bad_member, isle->bad_dof = w->stats.bad_dof;
    w->stats.rows = before.rows;
    w->stats.bad_copy = before.bad_copy, w->stats.bad_member = before.bad_member,
    w->stats.bad_dof = before.bad_dof;
    if (w->equipped) return;
    if (!isle->status) sn__worker_remember(w);
    sn__worker_unequip(w);
}

/* Another thread takes part with what the leader has found. */
static void step_isle(void *user, int thread, int number) {
    const struct isles *all = user;
    struct sn__worker *leader = all->leader;
    struct sn__worker *w = thread ? &leader->world->worker[thread] : leader;
    const struct sn__worker own = *w;
    if (w != leader) {
        w->copy = leader->copy, w->level = leader->level, w->fires = leader->fires;
        w->equipped = leader->equipped, w->nisle = leader->nisle;
        w->hand = leader->hand, w->solid = leader->solid, w->tied = leader->tied;
        w->last = leader->last, w->nlast = leader->nlast;
    }
    sn__worker_turn_to(w, &leader->isle[number], all->seated, all->contact);
    step_one(w, &leader->isle[number], all->h);
    sn__worker_time(w, w == leader ? SN_STEP_PART_OTHER : SN_STEP_PART_ALL);
    w->hand = own.hand, w->solid = own.solid, w->seated = own.seated;
    w->contact = own.contact, w->ncontact = own.ncontact;
}

/* ------------------------------------------------------------------------------------------------ what came of them */

/* The first that failed, and how many rows there were. */
static sn_status gather(struct sn__worker *w) {
    int rows = 0;
    for (int k = 0; k < w->nisle; k++) {
        const struct sn__isle *isle = &w->isle[k];
        rows += isle->rows;
        if (!isle->status) continue;
        if (isle->bad_member >= 0) w->stats.bad_copy = w->copy;
        if (isle->bad_member >= 0) w->stats.bad_member = isle->bad_member, w->stats.bad_dof = isle->bad_dof;
        return (sn_status)isle->status;
    }
    if (rows > w->stats.rows) w->stats.rows = rows;
    return SN_OK;
}

/* What other threads told, behind what the worker did itself. */
static void hear(struct sn__worker *w, const struct sn__worker *other) {
    struct sn__contact *told = sn__grow(w->told, &w->told_room, w->ntold + other->ntold, sizeof *told);
    if (!told) return;
    w->told = told;
    if (other->ntold) memcpy(told + w->ntold, other->told, sizeof *told * (size_t)other->ntold);
    w->ntold += other->ntold;
}

/* Room for n contacts of the current copy, or as many as there may be. */
static int make_room(struct sn__worker *w, int n) {
    struct sn__copy *c = &w->world->copy[w->copy];
    const int most = w->world->def.max_contacts;
    if (most && n > most) n = most;
    if (n <= c->contact_room) return n;
    sn__worker_put_down(w);
    const int more = n + n / 2;
    if (!sn__copy_grow_contacts(c, most && more > most ? most : more)) n = c->contact_room;
    w->contact = c->contact, w->last = c->last;
    return n;
}

/* Contacts of all, in order; where there are too many, those that come first in it. */
static void collect(struct sn__worker *w, bool shared) {
    for (int t = 1; t < w->world->threads && shared; t++)
        hear(w, &w->world->worker[t]);
    const int room = make_room(w, w->ncontact + w->ntold), n = room - w->ncontact;
    if (n < w->ntold) sn__contacts_sort(w->told, w->ntold);
    if (n > 0) memcpy(w->contact + w->ncontact, w->told, sizeof *w->told * (size_t)n);
    if (n > 0) w->ncontact += n;
    if (n > 0 || w->nisle > 1) sn__contacts_sort(w->contact, w->ncontact);
    w->stats.contacts += w->ncontact;
}

sn_status sn__worker_step_isles(struct sn__worker *w, double h) {
    sn_world *world = w->world;
    const bool shared = world->def.copies == 1 && world->threads > 1;
    sn__worker_find_isles(w);
    struct isles all = {w, w->seated, w->contact, h};
    const int isles = w->nisle;
    for (int t = 0; t < world->threads && shared; t++)
        world->worker[t].ntold = 0;
    w->ntold = 0;
    if (shared)
        sn__pool_run(world->pool, step_isle, &all, isles);
    else
        for (int k = 0; k < isles; k++)
            step_isle(&all, 0, k);
    const sn_status status = gather(w);
    sn__worker_call_all(w);
    w->nisle = isles;
    if (!status && w->equipped) sn__worker_remember(w);
    if (!status) collect(w, shared);
    return status;
}
