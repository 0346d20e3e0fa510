/* Contacts as the user sees them: those of the last step beside those of the step before, which tells which began, which
 * stay, and which have ended. */
#include <string.h>

#include "base/memory.h"
#include "world/copy.h"
#include "world/scene.h"

static bool pushes(const struct sn__contact *c) {
    return c->force[0] != 0 || c->force[1] != 0 || c->force[2] != 0;
}

static void fill(const sn_world *w, int copy, const struct sn__contact *c, sn_contact_phase phase,
                 sn_contact *r) {
    *r = (sn_contact){.copy = copy, .feature = c->feature, .phase = phase, .gap = c->gap};
    for (int k = 0; k < 2; k++) {
        const struct sn__solid *s = &w->solid[c->solid[k]];
        r->member[k] = sn__world_handle(w, s->member), r->body[k] = s->body, r->shape[k] = s->shape;
    }
    memcpy(r->pos, c->pos, sizeof r->pos);
    memcpy(r->normal, c->normal, sizeof r->normal);
    if (phase == SN_CONTACT_PHASE_ENDED) return;
    memcpy(r->force, c->force, sizeof r->force);
    r->sliding = c->sliding;
    r->slip_speed = c->lambda;
}

/* The one of a sorted list that is the same contact; *k goes on through the list. */
static const struct sn__contact *match(const struct sn__contact *list, int n, int *k,
                                       const struct sn__contact *c) {
    while (*k < n && sn__contact_before(&list[*k], c))
        ++*k;
    return *k < n && list[*k].pair == c->pair && list[*k].feature == c->feature ? &list[*k] : NULL;
}

/* Appends the contacts of a copy to the n that are there; how many there are then, -1: out of memory. */
static int append(sn_world *w, int copy, int n) {
    const struct sn__copy *c = &w->copy[copy];
    sn_contact *report = sn__grow(w->report, &w->report_room, n + c->ncontact + c->nlast + 1, sizeof *report);
    if (!report) return -1;
    w->report = report;
    for (int i = 0, k = 0; i < c->ncontact; i++) {
        const struct sn__contact *old = match(c->last, c->nlast, &k, &c->contact[i]);
        const bool pushed = old && pushes(old), now = pushes(&c->contact[i]);
        if (!now && pushed) continue; /* has ended: below */
        fill(w, copy, &c->contact[i],
             !now     ? SN_CONTACT_PHASE_NEAR
             : pushed ? SN_CONTACT_PHASE_STAYED
                      : SN_CONTACT_PHASE_BEGAN,
             &report[n++]);
    }
    for (int i = 0, k = 0; i < c->nlast; i++) {
        if (!pushes(&c->last[i])) continue;
        const struct sn__contact *now = match(c->contact, c->ncontact, &k, &c->last[i]);
        if (!now || !pushes(now))
            fill(w, copy, now ? now : &c->last[i], SN_CONTACT_PHASE_ENDED, &report[n++]);
    }
    return n;
}

const sn_contact *sn_world_contacts(const sn_world *world, int copy, int *count) {
    sn_world *w = (sn_world *)world; /* its report is not a part of what it is */
    *count = 0;
    if (copy < -1 || copy >= w->def.copies) return NULL;
    const int first = copy < 0 ? 0 : copy, last = copy < 0 ? w->def.copies - 1 : copy;
    int n = 0;
    for (int i = first; i <= last && n >= 0; i++)
        n = append(w, i, n);
    if (n < 0) return NULL;
    *count = n;
    return w->report;
}
