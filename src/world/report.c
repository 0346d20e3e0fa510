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

/* Appends the contacts of a copy to a report; false: out of memory. */
static bool append(const sn_world *w, int copy, struct sn__report *to) {
    const struct sn__copy *c = &w->copy[copy];
    const int most = to->count + c->ncontact + c->nlast + 1;
    sn_contact *report = sn__grow(to->contact, &to->room, most, sizeof *report);
    if (!report) return false;
    to->contact = report;
    for (int i = 0, k = 0; i < c->ncontact; i++) {
        const struct sn__contact *old = match(c->last, c->nlast, &k, &c->contact[i]);
        const bool pushed = old && pushes(old), now = pushes(&c->contact[i]);
        if (!now && pushed) continue; /* has ended: below */
        fill(w, copy, &c->contact[i],
             !now     ? SN_CONTACT_PHASE_NEAR
             : pushed ? SN_CONTACT_PHASE_STAYED
                      : SN_CONTACT_PHASE_BEGAN,
             &report[to->count++]);
    }
    for (int i = 0, k = 0; i < c->nlast; i++) {
        if (!pushes(&c->last[i])) continue;
        const struct sn__contact *now = match(c->contact, c->ncontact, &k, &c->last[i]);
        if (!now || !pushes(now))
            fill(w, copy, now ? now : &c->last[i], SN_CONTACT_PHASE_ENDED, &report[to->count++]);
    }
    return true;
}

/* The first who asks after a change fills the report; a thread that asks meanwhile waits. */
static bool bring_up_to_date(sn_world *w, int first, int last, struct sn__report *report) {
    while (atomic_flag_test_and_set_explicit(&w->reporting, memory_order_acquire)) {
    }
    bool good = report->version == w->version;
    if (!good) {
        good = true, report->count = 0;
        for (int i = first; i <= last && good; i++)
            good = append(w, i, report);
        if (good) report->version = w->version;
    }
    atomic_flag_clear_explicit(&w->reporting, memory_order_release);
    return good;
}

const sn_contact *sn_world_contacts(const sn_world *world, int copy, int *count) {
    sn_world *w = (sn_world *)world; /* its reports are not a part of what it is */
    *count = 0;
    if (copy < -1 || copy >= w->def.copies) return NULL;
    const int first = copy < 0 ? 0 : copy, last = copy < 0 ? w->def.copies - 1 : copy;
    struct sn__report *report = copy < 0 ? &w->report : &w->copy[copy].report;
    if (!bring_up_to_date(w, first, last, report)) return NULL;
    *count = report->count;
    return report->contact;
}
