/* Working memory of members. A member keeps its state, where its bodies were placed and what it may have to go back to; all
 * else is lent to it by the worker that has it at hand, and the next crew gets the same memory. So a body that touches
 * nobody costs what its state takes, and a heap what its largest island needs. */
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

static size_t whole(size_t bytes) { /* cache lines */
    return (bytes + SN__ALIGNMENT - 1) & ~(size_t)(SN__ALIGNMENT - 1);
}

/* ------------------------------------------------------------------------------------ of those whom nobody has at hand */

/* All packs have the loan of their worker. */
static void hand_out(sn_world *w, struct sn__worker *k) {
    const bool first = k == w->worker;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__pack *p = NULL;
        if (first && w->member[i]) p = &w->member[i]->pack;
        if (!first && i < k->hands && k->hand[i].member) p = k->hand[i].pack;
        if (p && p->borrows) p->work = k->loan.work, p->scratch = k->loan.scratch;
    }
}

bool sn__world_lend(sn_world *w, const sn_model *model) {
    const size_t bytes = sn__work_bytes(w->k, model, false);
    const size_t values = (size_t)(model->nq + model->nv);
    for (int t = 0; t < w->threads; t++) {
        struct sn__worker *k = &w->worker[t];
        if (bytes <= k->loan_bytes && values <= k->loan_values) continue;
        void *work = sn__alloc_aligned(bytes > k->loan_bytes ? bytes : k->loan_bytes);
        double *scratch = sn__alloc(values > k->loan_values ? values : k->loan_values, sizeof *scratch);
        if (!work || !scratch) {
            sn__free_all(work, scratch);
            return false;
        }
        sn__free_all(k->loan.work, k->loan.scratch);
        k->loan = (struct sn__loan){work, scratch};
        if (bytes > k->loan_bytes) k->loan_bytes = bytes;
        if (values > k->loan_values) k->loan_values = values;
        hand_out(w, k);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------ of the crew */

/* Lends a member its arrays: those in lanes, then those of doubles. How many bytes that are; memory NULL: only counts. */
static size_t lend(struct sn__hand *h, char *memory) {
    struct sn__pack *p = h->pack;
    const size_t nbody = (size_t)p->model->nbody, nv = (size_t)p->model->nv, nq = (size_t)p->model->nq;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width, extras = (size_t)p->extras;
    struct {
        void *array; /* a pointer's address */
        size_t size;
    } part[] = {
        {&p->work, sn__pack_work_bytes(p)},
        {&p->ground_work, sn__probes_bytes(p)},
        {&h->ground, sizeof *h->ground},
        {&h->push, (6 * nbody + 6) * value}, /* and slow.c's summary */
        {&h->row_push, 6 * nbody * value},
        {&h->row_tau, nv * value},
        {&h->spring, nv * value},
        {&h->known, nv * value},
        {&h->free_qd, nv * value},
        {&h->moved_qd, nv * value},
        {&h->change, nv * value},
        {&h->zero, nv * value},
        {&h->start, (nq + nv) * value},
        {&h->extra_touch, 6 * extras * value},
        {&h->impact_K, nv * value},
        {&h->rate, 6 * nbody * sizeof(double)},
        {&h->wrench, 6 * nbody * sizeof(double)},
        {&h->tau, nv * sizeof(double)},
        {&h->given, 6 * nbody * sizeof(double)},
        {&h->given_tau, nv * sizeof(double)},
        {&h->qd, nv * sizeof(double)},
        {&h->frame, SN__MOMENT_ROOM * nbody * sizeof *h->frame},
        {&h->framed, SN__MOMENT_ROOM * nbody},
        {&h->values, (13 * nbody + nq + nv + 8) * sizeof(double)},
        {&h->extra, extras * sizeof *h->extra},
        {&h->extra_contact, extras * sizeof *h->extra_contact},
    };
    size_t size = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        void *at = memory ? memory + size : NULL;
        if (memory) memcpy(part[i].array, &at, sizeof at);
        size += whole(part[i].size);
    }
    if (memory) memset(h->zero, 0, nv * value);
    return size;
}

/* Contacts that it may be given by contacts.c: as many as there are, or as may be found. */
static int extras_of(const sn_world *w, const struct sn__hand *h, bool found) {
    const int most = SN__MOST_TOUCHES * h->member->nsolid;
    if (w->def.contact != SN_CONTACT_IMPLICIT) return 0;
    return found && h->nextra < most ? h->nextra : most;
}

size_t sn__hand_needs(const sn_world *w, struct sn__hand *h) {
    h->pack->extras = extras_of(w, h, false);
    return lend(h, NULL);
}

bool sn__worker_reserve_store(struct sn__worker *w, size_t bytes) {
    if (bytes <= w->store_bytes) return true;
    void *store = sn__alloc_aligned(bytes + bytes / 2);
    if (!store) return false;
    sn__free(w->store);
    w->store = store;
    w->store_bytes = bytes + bytes / 2;
    return true;
}

bool sn__worker_equip(struct sn__worker *w) {
    size_t bytes = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *h = &w->hand[i];
        h->pack->extras = h->extra_room = extras_of(w->world, h, w->nisle > 0);
        bytes += lend(h, NULL);
    }
    if (!sn__worker_reserve_store(w, bytes)) return false;
    bytes = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        bytes += lend(&w->hand[i], (char *)w->store + bytes);
    return true;
}

/* What was in the store is no longer theirs. */
void sn__worker_unequip(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__pack *p = w->hand[i].pack;
        const struct sn__worker *owner = w->hand[i].cloned ? w : w->world->worker;
        p->work = owner->loan.work;
        p->ground_work = NULL;
    }
}
