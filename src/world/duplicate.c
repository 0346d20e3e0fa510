/* One copy of the scene into others: what a snapshot would hold of it, written once and taken over by each. */
#include "base/memory.h"
#include "world/device.h"
#include "world/copy.h"
#include "world/probes.h"
#include "world/snapshot.h"

/* All that the copy has, to be freed; NULL: out of memory. */
static unsigned char *write_one(sn_world *w, const struct sn__plan *plan, int copy, size_t *size) {
    struct sn__stream s = {.task = SN__WRITE};
    const struct sn__copy *c = &w->copy[copy];
    size_t numbers = 4 + 64 * ((size_t)c->ncontact + (size_t)c->nlast) + 64 * (size_t)plan->ntie;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__pack *p = w->member[i] ? &w->member[i]->pack : NULL;
        for (enum sn__array f = 0; p && f < SN__SCRATCH; f++)
            numbers += sn__pack_field_size(p, f);
        if (p)
            numbers += 64 + 64 * (size_t)p->model->nbody + 8 * (size_t)p->model->nv; /* sleep and conduct */
    }
    s.to = sn__alloc(numbers, 8);
    if (s.to) sn__world_pass_one(&s, w, plan, copy);
    *size = s.size;
    return s.to;
}

sn_status sn_world_copy(sn_world *w, int from, const uint8_t *which) {
    if (from < 0 || from >= w->def.copies)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no copy %d: the world has %d.", from,
                                w->def.copies);
    struct sn__plan plan;
    sn__world_fetch(w);
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!sn__plan_make(&plan, w->nmember, w->nground, w->ntie))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory to copy a copy.");
    sn__plan_of(&plan, w);
    bool good = !sn__snapshot_make_room(w) && (bytes = write_one(w, &plan, from, &size));
    const int ncontact = w->copy[from].ncontact, nlast = w->copy[from].nlast;
    for (int i = 0; i < w->def.copies && good; i++)
        if (i != from && (!which || which[i]))
            good = sn__copy_grow_contacts(&w->copy[i], ncontact > nlast ? ncontact : nlast);
    for (int i = 0; i < w->def.copies && good; i++) {
        struct sn__stream s = {.task = SN__TAKE, .from = bytes, .room = size};
        if (i != from && (!which || which[i])) sn__world_pass_one(&s, w, &plan, i);
    }
    for (int i = 0; i < w->nmember && good; i++)
        if (w->member[i]) sn__probes_enliven(&w->member[i]->pack);
    sn__free(bytes);
    sn__plan_free(&plan);
    sn__world_touch(w);
    w->structure++; /* places of those who sleep are to be found again */
    return good ? SN_OK : sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory to copy a copy.");
}
