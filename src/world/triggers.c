/* Triggers: who is inside which, after each step of a world. Nothing here is state of the simulation. The lists say what has
 * changed since the step before; after a snapshot was restored, what is inside at that moment counts as having been there. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "collide/cast.h"
#include "world/fields.h"
#include "world/triggers.h"

/* A list of visits, in the order of the solids of triggers, then of visitors. */
struct visit_list {
    int n, room, key_room;
    struct {
        int trigger, solid;
    } * key;
    sn_trigger_visit *visit;
};

struct sn__visits {
    bool known; /* who was inside before the step */
    struct visit_list now, before;
    int from_room;
    double (*from)[3]; /* [nsolid] where centres were before the step */
};

/* ------------------------------------------------------------------------------------------------- memory */

static void list_free(struct visit_list *list) {
    sn__free(list->key);
    sn__free(list->visit);
}

void sn__triggers_free(sn_world *w) {
    for (int i = 0; w->visits && i < w->def.copies; i++) {
        list_free(&w->visits[i].now);
        list_free(&w->visits[i].before);
        sn__free(w->visits[i].from);
    }
    sn__free_all(w->visits, w->placed_solid);
}

size_t sn__triggers_memory(const sn_world *w) {
    size_t bytes = (size_t)w->placed_room * sizeof *w->placed_solid;
    for (int i = 0; w->visits && i < w->def.copies; i++) {
        const struct sn__visits *v = &w->visits[i];
        const size_t room = (size_t)(v->now.room + v->before.room);
        bytes += sizeof *v + room * (sizeof *v->now.visit + sizeof *v->now.key) +
                 (size_t)v->from_room * sizeof *v->from;
    }
    return bytes;
}

void sn__triggers_forget(sn_world *w) {
    for (int i = 0; w->visits && i < w->def.copies; i++)
        w->visits[i].known = false;
}

static void forget_in(struct visit_list *list, int solid) {
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        if (list->key[i].trigger == solid || list->key[i].solid == solid) continue;
        list->key[n] = list->key[i], list->visit[n++] = list->visit[i];
    }
    list->n = n;
}

void sn__triggers_forget_solid(sn_world *w, int solid) {
    for (int i = 0; w->visits && i < w->def.copies; i++)
        forget_in(&w->visits[i].now, solid);
}

static bool list_add(struct visit_list *list, const sn_world *w, int trigger, int solid,
                     sn_trigger_phase phase) {
    void *key = sn__grow(list->key, &list->key_room, list->n + 1, sizeof *list->key);
    if (key) list->key = key;
    sn_trigger_visit *visit = sn__grow(list->visit, &list->room, list->n + 1, sizeof *visit);
    if (visit) list->visit = visit;
    if (!key || !visit) return false;
    const struct sn__solid *t = &w->solid[trigger], *s = &w->solid[solid];
    list->key[list->n].trigger = trigger, list->key[list->n].solid = solid;
    list->visit[list->n++] = (sn_trigger_visit){sn__world_handle(w, t->member),
                                                t->body,
                                                t->shape,
                                                sn__world_handle(w, s->member),
                                                s->body,
                                                s->shape,
                                                phase};
    return true;
}

/* ------------------------------------------------------------------------------------------------- looking */

/* Every solid of a copy where it is now, in the world's room for them; false: out of memory. */
static bool place_all(sn_world *w, int copy) {
    struct sn__geom *placed = sn__grow(w->placed_solid, &w->placed_room, w->nsolid, sizeof *placed);
    if (!placed) return w->nsolid == 0;
    w->placed_solid = placed;
    for (int g = 0; g < w->nground; g++)
        if (w->ground[g] >= 0) placed[w->ground[g]] = w->solid[w->ground[g]].geom;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = w->member[i];
        if (!m || !m->active || !m->nsolid) continue;
        const double *pose = sn__world_poses(w, m, copy);
        if (!pose) return false;
        for (int k = m->first_solid; k < m->first_solid + m->nsolid; k++)
            placed[k] = sn__solid_placed(m, &w->solid[k], pose + 7 * w->solid[k].body);
    }
    return true;
}

/* Whether a trigger looks for a solid at all. */
static bool looks_for(const sn_world *w, const struct sn__solid *t, const struct sn__solid *s) {
    if (s->member < 0 || s->trigger || s->member == t->member || !w->member[s->member]->active) return false;
    return (t->group & s->mask) || (s->group & t->mask);
}

/* Whether boxes around a trigger and around the way of a solid to where it is overlap. */
static bool boxes_meet(const struct sn__geom *t, const struct sn__geom *s, const double way[3]) {
    if (t->type == SN__GEOM_PLANE) return true;
    const struct sn__box a = sn__geom_bounds(t), b = sn__geom_bounds(s);
    for (int k = 0; k < 3; k++)
        if (b.min[k] - fmax(0, way[k]) > a.max[k] || b.max[k] - fmin(0, way[k]) < a.min[k]) return false;
    return true;
}

/* Whether a solid that came by `way` to where it is now, against the trigger, went through the trigger. */
static bool passed(const struct sn__geom *t, const struct sn__geom *s, const double way[3]) {
    struct sn__geom start = *s;
    struct sn__hit hit;
    if (t->type == SN__GEOM_PLANE || !(dvec_dot(way, way) > 0)) return false;
    for (int k = 0; k < 3; k++)
        start.pos[k] -= way[k];
    return sn__cast_shape(&start, way, t, &hit);
}

/* Whether the list has a pair that was inside; *k goes on through the list. */
static bool was_inside(const struct visit_list *list, int *k, int trigger, int solid) {
    for (; *k < list->n; ++*k) {
        const int at = list->key[*k].trigger;
        if (at < trigger || (at == trigger && list->key[*k].solid < solid)) continue;
        const sn_trigger_phase phase = list->visit[*k].phase;
        return at == trigger && list->key[*k].solid == solid &&
               (phase == SN_TRIGGER_PHASE_BEGAN || phase == SN_TRIGGER_PHASE_STAYED);
    }
    return false;
}

/* Everybody inside one trigger of a copy, added to `now`; `moved`: since `from`. */
static bool look_inside(const sn_world *w, struct sn__visits *v, int trigger, bool moved, int *k) {
    const struct sn__geom *t = &w->placed_solid[trigger];
    for (int i = 0; i < w->nsolid; i++) {
        if (!(w->solid[i].member == SN__NOBODY) && looks_for(w, &w->solid[trigger], &w->solid[i])) {
            const struct sn__geom *s = &w->placed_solid[i];
            double way[3] = {0, 0, 0};
            for (int j = 0; j < 3 && moved; j++)
                way[j] = s->pos[j] - v->from[i][j] - (t->pos[j] - v->from[trigger][j]);
            const bool was = was_inside(&v->before, k, trigger, i), near = boxes_meet(t, s, way);
            if (!was && !near) continue;
            const bool inside = near && sn__overlap(s, t);
            if (!inside && !was && !(moved && passed(t, s, way))) continue;
            if (!list_add(&v->now, w, trigger, i,
                          !inside ? was ? SN_TRIGGER_PHASE_ENDED : SN_TRIGGER_PHASE_PASSED
                          : was   ? SN_TRIGGER_PHASE_STAYED
                                  : SN_TRIGGER_PHASE_BEGAN))
                return false;
        } else if (was_inside(&v->before, k, trigger, i)) { /* it is not active any more */
            if (!list_add(&v->now, w, trigger, i, SN_TRIGGER_PHASE_ENDED)) return false;
        }
    }
    return true;
}

static bool look_in_copy(const sn_world *w, struct sn__visits *v, bool moved) {
    int k = 0;
    v->now.n = 0;
    for (int i = 0; i < w->nsolid; i++) {
        const struct sn__solid *t = &w->solid[i];
        const bool there = t->member != SN__NOBODY && t->trigger;
        if (there && (t->member < 0 || w->member[t->member]->active) && !look_inside(w, v, i, moved, &k))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ around a step */

sn_status sn__triggers_before(sn_world *w) {
    if (!w->visits && !(w->visits = sn__alloc((size_t)w->def.copies, sizeof *w->visits)))
        return SN_ERROR_MEMORY;
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__visits *v = &w->visits[i];
        double(*from)[3] = sn__grow(v->from, &v->from_room, w->nsolid, sizeof *from);
        if (from) v->from = from;
        if (!from || !place_all(w, i)) return SN_ERROR_MEMORY;
        for (int k = 0; k < w->nsolid; k++)
            memcpy(v->from[k], w->placed_solid[k].pos, sizeof v->from[k]);
        if (v->known) continue;
        v->before.n = 0;
        if (!look_in_copy(w, v, false)) return SN_ERROR_MEMORY;
        v->known = true;
    }
    return SN_OK;
}

sn_status sn__triggers_after(sn_world *w) {
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__visits *v = &w->visits[i];
        const struct visit_list before = v->before;
        if (!place_all(w, i)) return SN_ERROR_MEMORY;
        v->before = v->now, v->now = before;
        if (!look_in_copy(w, v, true)) return SN_ERROR_MEMORY;
    }
    return SN_OK;
}

const sn_trigger_visit *sn_world_triggers(const sn_world *w, int copy, int *count) {
    *count = 0;
    if (copy < 0 || copy >= w->def.copies || !w->visits || !w->visits[copy].known) return NULL;
    *count = w->visits[copy].now.n;
    return w->visits[copy].now.visit;
}
