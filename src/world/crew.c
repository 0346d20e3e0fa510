/* The members of a step. A worker goes through the members of its crew alone: all who take part in the step, or one
 * island of them, whom contacts join. Islands know nothing of each other, so that each is solved by itself, with
 * memory for itself, and on any thread. */
#include "solve/islands.h"
#include "world/conduct.h"
#include "world/worker.h"

/* Takes a member in, behind those who are in. */
static void seat(struct sn__worker *w, int member, int *crew, int *seats, int *seated) {
    struct sn__hand *m = &w->hand[member];
    m->seat = *seats;
    m->next = -1;
    if (*seats)
        w->hand[seated[*seats - 1]].next = member;
    else
        *crew = member;
    seated[(*seats)++] = member;
}

void sn__worker_call_all(struct sn__worker *w) {
    w->crew = -1;
    w->seats = w->nisle = 0;
    w->share = 1;
    for (int i = 0; i < w->world->nmember; i++)
        if (w->hand[i].on) seat(w, i, &w->crew, &w->seats, w->seated);
}

/* A member of a contact that takes part, by its seat. */
static int seat_of(const struct sn__worker *w, const struct sn__contact *c) {
    for (int s = 0; s < 2; s++) {
        const int member = w->solid[c->solid[s]].member;
        if (member >= 0 && w->hand[member].on) return w->hand[member].seat;
    }
    return 0;
}

static void join(struct sn__worker *w, int *parent) {
    sn__islands_begin(parent, w->seats);
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        const int a = w->solid[c->solid[0]].member, b = w->solid[c->solid[1]].member;
        if (a >= 0 && b >= 0 && w->hand[a].on && w->hand[b].on)
            sn__islands_join(parent, w->hand[a].seat, w->hand[b].seat);
    }
}

/* Constraints see all members at once, and whoever is hit makes all do the step again. */
static bool stays_together(const struct sn__worker *w) {
    if (w->world->used_ties) return true;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].member->conduct) return true;
    return false;
}

/* Numbers of the islands, by seats, in the order of their first members. */
static void number_isles(struct sn__worker *w, int *parent, int *isle) {
    w->nisle = 0;
    for (int i = 0; i < w->seats; i++) {
        const int root = sn__islands_root(parent, i);
        isle[i] = root == i ? w->nisle++ : isle[root];
        if (root == i) w->isle[isle[i]] = (struct sn__isle){.crew = -1};
    }
}

/* Contacts stand island by island, in the order they had; each member knows how many it will be given. */
static void sort_contacts(struct sn__worker *w, const int *isle) {
    int n = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].nextra = 0;
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        w->isle[isle[seat_of(w, c)]].ncontact++;
        if (c->implicit) w->hand[w->solid[c->solid[0]].member].nextra++;
    }
    for (int k = 0; k < w->nisle; k++) {
        w->isle[k].first = n;
        n += w->isle[k].ncontact;
        w->isle[k].ncontact = 0;
    }
    if (w->nisle < 2) {
        w->isle[0].ncontact = n;
        return;
    }
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__isle *x = &w->isle[isle[seat_of(w, &w->contact[i])]];
        w->contact[i].link = x->first + x->ncontact++;
    }
    sn__contacts_move(w->contact, w->ncontact);
}

/* The members of each island become a crew; their seats are written behind those of all. */
static void seat_isles(struct sn__worker *w, const int *isle) {
    int *seated = w->seated + w->seats, at = w->seats;
    for (int i = 0; i < w->seats; i++)
        w->isle[isle[i]].seats++;
    for (int k = 0; k < w->nisle; k++) {
        w->isle[k].seated = at;
        at += w->isle[k].seats;
        w->isle[k].seats = 0;
    }
    for (int i = 0; i < w->seats; i++) {
        struct sn__isle *x = &w->isle[isle[i]];
        seat(w, w->seated[i], &x->crew, &x->seats, seated + (x->seated - w->seats));
    }
}

void sn__worker_find_isles(struct sn__worker *w) {
    int *parent = w->island, *isle = parent + w->world->nmember;
    join(w, parent);
    if (stays_together(w))
        for (int i = 1; i < w->seats; i++)
            sn__islands_join(parent, 0, i);
    number_isles(w, parent, isle);
    sort_contacts(w, isle);
    seat_isles(w, isle);
    for (int k = 0; k < w->nisle; k++)
        w->isle[k].share = w->nisle > 1 ? (double)w->isle[k].ncontact / (w->ncontact + 1) : 1;
}

void sn__worker_turn_to(struct sn__worker *w, const struct sn__isle *isle, int *seated,
                        struct sn__contact *contact) {
    w->crew = isle->crew, w->seats = isle->seats;
    w->seated = seated + isle->seated;
    w->contact = contact + isle->first, w->ncontact = isle->ncontact;
    w->share = isle->share;
}
