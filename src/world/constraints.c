/* Constraints of the user's own, behind handles.
 *
 * A handle is a place and a generation: the generation counts how often the place was given away, so that an old
 * handle never means a new constraint. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "world/world.h"

sn_constraint_def sn_constraint_def_default(sn_constraint_type type) {
    return (sn_constraint_def){.type = type, .member2 = -1, .settle = 0.1, .max_force = INFINITY};
}

static sn_constraint handle_of(const sn_world *w, const struct sn__tie *t) {
    return (uint64_t)t->generation << 32 | (uint32_t)(t - w->tie + 1);
}

static struct sn__tie *find(const sn_world *w, sn_constraint c) {
    const uint32_t place = (uint32_t)c;
    if (place < 1 || place > (uint32_t)w->ntie) return NULL;
    struct sn__tie *t = &w->tie[place - 1];
    return t->used && t->generation == c >> 32 ? t : NULL;
}

/* ------------------------------------------------------------------------------------------------ handles */

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static const sn_body_info *body_of(const sn_world *w, int member, int body) {
    const struct sn__member *m = sn__world_member(w, member);
    return m ? sn_model_body(m->model, body) : NULL;
}

sn_status sn__tie_check(const sn_world *w, const sn_constraint_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the definition is NULL");
    if ((unsigned)d->type > SN_SPRING)
        return sn__fail(error, SN_ERROR_ARGUMENT, "no such kind of constraint");
    const sn_body_info *b = body_of(w, d->member, d->body);
    if (!b) return sn__fail(error, SN_ERROR_ARGUMENT, "no member %d with a body %d", d->member, d->body);
    if (d->type == SN_PIN && d->member2 >= 0 && !body_of(w, d->member2, d->body2))
        return sn__fail(error, SN_ERROR_ARGUMENT, "no member %d with a body %d", d->member2, d->body2);
    if (d->type == SN_PIN && d->member == d->member2 && d->body == d->body2)
        return sn__fail(error, SN_ERROR_ARGUMENT, "body %d cannot be pinned to itself", d->body);
    if (!all_finite(d->point, 3) || !all_finite(d->point2, 3) || !all_finite(d->target, 7) ||
        !all_finite(d->target_velocity, 6))
        return sn__fail(error, SN_ERROR_ARGUMENT, "a point or a target is not finite");
    if (d->type == SN_JOINT_PATH && b->nv == 0)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the joint of body %d has no degree of freedom", d->body);
    if ((d->type == SN_POINT_PATH || d->type == SN_JOINT_PATH) && !(d->settle > 0 && isfinite(d->settle)))
        return sn__fail(error, SN_ERROR_ARGUMENT, "settle is %g: it must be positive and finite", d->settle);
    if (!(d->max_force > 0))
        return sn__fail(error, SN_ERROR_ARGUMENT, "max_force is %g: it must be positive", d->max_force);
    if (d->type == SN_SPRING &&
        (!(d->stiffness >= 0) || !(d->damping >= 0) || !(d->stiffness + d->damping > 0) ||
         !isfinite(d->stiffness) || !isfinite(d->damping)))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "stiffness %g and damping %g: none may be negative, one must be positive",
                        d->stiffness, d->damping);
    return SN_OK;
}

/* A quaternion in the target of a joint, made of unit length; one that has none means no turn. */
static void tidy_target(const sn_world *w, const sn_constraint_def *d, double *target) {
    if (d->type != SN_JOINT_PATH) return;
    const sn_body_info *b = body_of(w, d->member, d->body);
    double *q = b->joint.type == SN_JOINT_BALL ? target : b->joint.type == SN_JOINT_FREE ? target + 3 : NULL;
    if (q && !dquat_normalise(q)) dquat_identity(q);
}

/* Room for constraints in every copy. */
bool sn__ties_reserve(sn_world *w, int ties) {
    if (ties <= w->tie_room) return true;
    const int room = ties > 2 * w->tie_room ? ties : 2 * w->tie_room;
    struct sn__tie *tie = sn__alloc((size_t)room, sizeof *tie);
    if (!tie) return false;
    if (w->ntie) memcpy(tie, w->tie, sizeof *tie * (size_t)w->ntie);
    sn__free(w->tie);
    w->tie = tie;
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__tied *tied = sn__alloc((size_t)room, sizeof *tied);
        if (!tied) return false;
        if (w->ntie) memcpy(tied, w->copy[i].tied, sizeof *tied * (size_t)w->ntie);
        sn__free(w->copy[i].tied);
        w->copy[i].tied = tied;
    }
    w->tie_room = room;
    return true;
}

static void begin(sn_world *w, int place) {
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__tied *t = &w->copy[i].tied[place];
        memset(t, 0, sizeof *t);
        memcpy(t->target, w->tie[place].def.target, sizeof t->target);
        memcpy(t->target_velocity, w->tie[place].def.target_velocity, sizeof t->target_velocity);
    }
}

sn_constraint sn_world_add_constraint(sn_world *w, const sn_constraint_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (sn__tie_check(w, def, error)) return 0;
    int place = 0;
    while (place < w->ntie && w->tie[place].used)
        place++;
    sn__world_touch(w);
    if (!sn__ties_reserve(w, place + 1)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a constraint");
        return 0;
    }
    if (place == w->ntie) w->ntie++;
    struct sn__tie *t = &w->tie[place];
    *t = (struct sn__tie){.def = *def, .generation = t->generation + 1, .used = true};
    if (t->generation == 0) t->generation = 1;
    tidy_target(w, &t->def, t->def.target);
    begin(w, place);
    w->used_ties++;
    sn__member_wake(w->member[def->member], 0, w->def.copies);
    if (!sn__world_settle(w, error)) return handle_of(w, t);
    t->used = false;
    w->used_ties--;
    return 0;
}

sn_status sn_world_remove_constraint(sn_world *w, sn_constraint c) {
    struct sn__tie *t = find(w, c);
    if (!t) return SN_ERROR_ARGUMENT;
    sn__world_touch(w);
    sn__member_wake(w->member[t->def.member], 0, w->def.copies);
    t->used = false;
    w->used_ties--;
    return sn__world_settle(w, NULL);
}

void sn__ties_drop(sn_world *w, int member) {
    for (int i = 0; i < w->ntie; i++) {
        struct sn__tie *t = &w->tie[i];
        const bool other = t->def.type == SN_PIN && t->def.member2 == member;
        if (!t->used || (t->def.member != member && !other)) continue;
        t->used = false;
        w->used_ties--;
    }
}

sn_status sn_world_set_constraint(sn_world *w, sn_constraint c, int copy, const double *target,
                                  const double *velocity) {
    struct sn__tie *t = find(w, c);
    if (!t || copy < -1 || copy >= w->def.copies) return SN_ERROR_ARGUMENT;
    int nq = 3, nv = 3;
    if (t->def.type == SN_JOINT_PATH) {
        const sn_body_info *b = body_of(w, t->def.member, t->def.body);
        nq = b->nq, nv = b->nv;
    }
    if ((target && !all_finite(target, nq)) || (velocity && !all_finite(velocity, nv)))
        return SN_ERROR_ARGUMENT;
    const int first = copy < 0 ? 0 : copy, last = copy < 0 ? w->def.copies - 1 : copy;
    for (int i = first; i <= last; i++) {
        struct sn__tied *tied = &w->copy[i].tied[t - w->tie];
        if (target) memcpy(tied->target, target, sizeof *target * (size_t)nq);
        if (velocity) memcpy(tied->target_velocity, velocity, sizeof *velocity * (size_t)nv);
        tidy_target(w, &t->def, tied->target);
    }
    sn__member_wake(w->member[t->def.member], first, last - first + 1);
    sn__world_touch(w);
    return SN_OK;
}

int sn_world_constraint_force(const sn_world *w, sn_constraint c, int copy, double *force) {
    const struct sn__tie *t = find(w, c);
    if (!t || copy < 0 || copy >= w->def.copies) return -1;
    const struct sn__tied *tied = &w->copy[copy].tied[t - w->tie];
    if (force) memcpy(force, tied->force, sizeof *force * (size_t)tied->rows);
    return tied->rows;
}
