/* Reactions, limbs and assistance as the user sets them, and on their way through snapshots; conduct.c has the step. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/memory.h"
#include "dynamics/gains.h"
#include "world/conduct.h"
#include "world/steppers.h"
#include "model/joint.h"

/* ------------------------------------------------------------------------------------------------------ memory */

void sn__conduct_free(struct sn__conduct *c) {
    if (!c) return;
    sn__free_all(c->kp, c->kd, c->stiff, c->limb, c->aid, c->impacts, c->force, c->seen, c);
}

static size_t per_copy(const sn_model *m) {
    return 2 * (size_t)m->nv * sizeof(double) +
           (size_t)m->nbody * (sizeof(struct sn__limb) + 3 * sizeof(double)) + sizeof(sn_assistance) +
           sizeof(double) + sizeof(uint64_t);
}

size_t sn__conduct_memory(const sn_world *w, const struct sn__member *m) {
    if (!m->conduct) return 0;
    return sizeof *m->conduct + (size_t)m->model->nv * sizeof(double) +
           (size_t)w->def.copies * per_copy(m->model);
}

/* The gains that every copy has now, and the stiffness that animates each joint. */
static void fill(const sn_world *w, const struct sn__member *m, struct sn__conduct *c) {
    const int nv = m->model->nv;
    const double much = w->def.precision == SN_PRECISION_DOUBLE ? 1e4 : 1e3;
    c->budget[0] = c->budget[1] = (double)INFINITY;
    c->def = sn_reaction_def_default();
    for (int v = 0; v < nv; v++)
        c->stiff[v] = much * w->known[m->known].inertia[v];
    for (int i = 0; i < w->def.copies; i++) {
        const size_t at = (size_t)i * (size_t)nv;
        sn__pack_get(&m->pack, SN__KP, i, nv, c->kp + at);
        sn__pack_get(&m->pack, SN__KD, i, nv, c->kd + at);
        for (int b = 0; b < m->model->nbody; b++)
            c->limb[(size_t)i * (size_t)m->model->nbody + (size_t)b] =
                (struct sn__limb){.since = -1, .was = {1, 0}, .will = {1, 0}, .scale = 1};
    }
}

static bool allocate(const sn_world *w, const sn_model *model, struct sn__conduct *c) {
    const size_t copies = (size_t)w->def.copies, nv = (size_t)model->nv, nbody = (size_t)model->nbody;
    c->kp = sn__alloc(copies * nv + 1, sizeof *c->kp);
    c->kd = sn__alloc(copies * nv + 1, sizeof *c->kd);
    c->stiff = sn__alloc(nv + 1, sizeof *c->stiff);
    c->limb = sn__alloc(copies * nbody + 1, sizeof *c->limb);
    c->aid = sn__alloc(copies, sizeof *c->aid);
    c->impacts = sn__alloc(copies, sizeof *c->impacts);
    c->force = sn__alloc(copies * nbody * 3 + 1, sizeof *c->force);
    c->seen = sn__alloc(copies, sizeof *c->seen);
    return c->kp && c->kd && c->stiff && c->limb && c->aid && c->impacts && c->force && c->seen;
}

struct sn__conduct *sn__conduct_need(sn_world *w, struct sn__member *m) {
    if (m->conduct) return m->conduct;
    for (int f = SN__KP; f <= SN__K_PASSIVE; f++)
        if (sn__pack_own(&m->pack, (enum sn__array)f)) return NULL;
    struct sn__conduct *c = sn__alloc(1, sizeof *c);
    if (!c || !allocate(w, m->model, c)) {
        sn__conduct_free(c);
        return NULL;
    }
    fill(w, m, c);
    sn__world_touch(w);
    return m->conduct = c;
}

void sn__conduct_take_gains(struct sn__member *m, sn_field field, int copy, const double *values) {
    const size_t nv = (size_t)m->model->nv;
    double *to = field == SN_FIELD_KP ? m->conduct->kp : field == SN_FIELD_KD ? m->conduct->kd : NULL;
    if (to && nv) memcpy(to + (size_t)copy * nv, values, nv * sizeof *to);
}

void sn__conduct_forget(struct sn__member *m, int copy) {
    struct sn__conduct *c = m->conduct;
    for (int b = 0; b < m->model->nbody; b++) {
        struct sn__limb *l = &c->limb[(size_t)copy * (size_t)m->model->nbody + (size_t)b];
        l->since = -1, l->hit = false, l->gone = l->lasts;
        memset(l->felt, 0, sizeof l->felt);
    }
    c->aid[copy] = (sn_assistance){0};
    c->impacts[copy] = 0;
}

/* -------------------------------------------------------------------------------------------------- the user's */

static bool is_good(const sn_reaction_def *d) {
    return d->threshold >= 0 && isfinite(d->threshold) && d->window >= 0 && isfinite(d->window) &&
           d->reaction >= 0 && d->reaction <= 1 && d->hold >= 0 && isfinite(d->hold) && d->recover >= 0 &&
           isfinite(d->recover) && d->around >= -1;
}

static sn_status no_conduct(const sn_world *w) {
    return sn__world_refuse(w, SN_ERROR_UNSUPPORTED,
                            "A device has no reactions, limbs with modes or assistance.");
}

sn_status sn_world_set_reaction(sn_world *w, int member, const sn_reaction_def *def) {
    if (w->remote) return no_conduct(w);
    struct sn__member *m = sn__world_want(w, member);
    sn_reaction_def own;
    if (!m) return SN_ERROR_ARGUMENT;
    if (!sn__definition_take_or("sn_reaction_def", def, &own, NULL) || !is_good(&own))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "The reaction is not valid: numbers must be finite and not negative, and a "
                                "reaction at most 1.");
    if (!def && !m->conduct) return SN_OK;
    struct sn__conduct *c = sn__conduct_need(w, m);
    if (!c) return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for it.");
    c->reacts = def != NULL;
    if (def) c->def = own;
    for (int i = 0; i < w->def.copies; i++) {
        c->impacts[i] = 0;
        for (int b = 0; b < m->model->nbody; b++) {
            struct sn__limb *l = &c->limb[(size_t)i * (size_t)m->model->nbody + (size_t)b];
            l->since = -1;
            memset(l->felt, 0, sizeof l->felt);
        }
    }
    sn__world_touch(w);
    return SN_OK;
}

/* The copies that a number stands for; false: there is none such. */
static bool copies_of(const sn_world *w, int copy, int *first, int *last) {
    *first = copy < 0 ? 0 : copy, *last = copy < 0 ? w->def.copies - 1 : copy;
    return copy >= -1 && copy < w->def.copies;
}

sn_status sn_world_react(sn_world *w, int member, int copy, int body) {
    struct sn__member *m = sn__world_want(w, member);
    int first, last;
    if (!m) return SN_ERROR_ARGUMENT;
    if (!copies_of(w, copy, &first, &last) || body < -1 || body >= m->model->nbody)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no body %d in copy %d.", body, copy);
    if (!m->conduct || !m->conduct->reacts)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED,
                                "The member has no reaction. Call sn_world_set_reaction first.");
    for (int i = first; i <= last; i++)
        for (int b = body < 0 ? 0 : body; b <= (body < 0 ? m->model->nbody - 1 : body); b++)
            sn__conduct_strike(m, i, b);
    sn__member_wake(m, first, last - first + 1);
    sn__world_touch(w);
    return SN_OK;
}

static bool hangs_on(const sn_model *model, int body, int on) {
    while (body > on)
        body = model->body[body].parent;
    return body == on;
}

static double present(const struct sn__limb *l, int which) {
    return l->gone >= l->lasts ? l->will[which]
                               : l->was[which] + (l->will[which] - l->was[which]) * (l->gone / l->lasts);
}

sn_status sn_world_set_limb(sn_world *w, int member, int copy, int body, sn_limb_mode mode, double blend) {
    if (w->remote) return no_conduct(w);
    struct sn__member *m = sn__world_want(w, member);
    int first, last;
    if (!m) return SN_ERROR_ARGUMENT;
    if (!copies_of(w, copy, &first, &last) || body < -1 || body >= m->model->nbody ||
        (unsigned)mode > SN_LIMB_ANIMATED || !(blend >= 0) || !isfinite(blend))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "There is no body %d in copy %d, no mode %d, or a blend of %g s is not "
                                "possible.",
                                body, copy, (int)mode, blend);
    if (mode == SN_LIMB_ANIMATED && !w->stepping->animates)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "This stepper has no animated limbs.");
    struct sn__conduct *c = sn__conduct_need(w, m);
    if (!c) return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for it.");
    c->animates |= mode == SN_LIMB_ANIMATED;
    for (int i = first; i <= last; i++)
        for (int b = 0; b < m->model->nbody; b++) {
            struct sn__limb *l = &c->limb[(size_t)i * (size_t)m->model->nbody + (size_t)b];
            if (body >= 0 && !hangs_on(m->model, b, body)) continue;
            for (int k = 0; k < SN__SHARES; k++)
                l->was[k] = present(l, k);
            l->will[SN__DRIVEN] = mode != SN_LIMB_LIMP, l->will[SN__ANIMATED] = mode == SN_LIMB_ANIMATED;
            l->gone = 0, l->lasts = blend;
        }
    sn__member_wake(m, first, last - first + 1);
    sn__world_touch(w);
    return SN_OK;
}

sn_status sn_world_set_assistance(sn_world *w, int member, double force, double torque) {
    if (w->remote) return no_conduct(w);
    struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    if (!(force >= 0) || !(torque >= 0))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The force and the torque must not be negative.");
    if (!m->model->nbody || !sn__joint_is_free(&m->model->body[0]) || !w->def.report_torque)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED,
                                "Assistance needs a model with a free root, and report_torque in the "
                                "definition of the world.");
    const bool bounded = isfinite(force) || isfinite(torque);
    if (bounded && !m->pack.torque_limits)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED,
                                "Bounded assistance needs torque_limits in the definition of the world.");
    struct sn__conduct *c = sn__conduct_need(w, m);
    if (!c || (m->pack.torque_limits && sn__pack_own(&m->pack, SN__LIMIT)))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for it.");
    for (int i = 0; i < w->def.copies; i++) {
        c->aid[i] = (sn_assistance){0};
        for (int k = 0; k < 6 && m->pack.torque_limits; k++)
            sn__pack_put_value(&m->pack, SN__LIMIT, i, m->model->body[0].v_index + k, k < 3 ? force : torque);
    }
    c->assisted = true;
    c->budget[0] = force, c->budget[1] = torque;
    sn__member_wake(m, 0, w->def.copies);
    sn__world_touch(w);
    return SN_OK;
}

sn_status sn_world_get_assistance(const sn_world *w, int member, int copy, sn_assistance *used) {
    const struct sn__member *m = sn__world_want(w, member);
    if (!m || !used) return SN_ERROR_ARGUMENT;
    if (copy < 0 || copy >= w->def.copies)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no copy %d.", copy);
    if (!m->conduct || !m->conduct->assisted)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "The member has no assistance.");
    *used = m->conduct->aid[copy];
    return SN_OK;
}

/* --------------------------------------------------------------------------------------------------- snapshots */

void sn__conduct_pass_shared(struct sn__stream *s, struct sn__member *m, bool *there,
                             struct sn__conduct *shared) {
    struct sn__conduct *c = shared;
    if (s->task == SN__COUNT || s->task == SN__WRITE) {
        *there = m->conduct != NULL;
        if (*there) *c = *m->conduct;
    }
    sn__pass_bool(s, there);
    if (!*there || s->refused) return;
    bool *truth[] = {&c->reacts, &c->assisted, &c->animates, &c->def.root, &c->def.ground};
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++)
        sn__pass_bool(s, truth[i]);
    double *number[] = {&c->def.threshold, &c->def.window, &c->def.reaction, &c->def.hold, &c->def.recover};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        sn__pass_finite(s, number[i], 1);
    sn__pass_int(s, &c->def.around, -1, 1 << 24);
    sn__pass_doubles(s, c->budget, 2);
    if (s->task != SN__CHECK || s->refused) return;
    if (!is_good(&c->def)) sn__stream_refuse(s, "a number of its reaction is out of range");
    if (!(c->budget[0] >= 0) || !(c->budget[1] >= 0)) sn__stream_refuse(s, "a budget is negative");
}

sn_status sn__conduct_take_shared(sn_world *w, struct sn__member *m, bool there,
                                  const struct sn__conduct *shared) {
    if (!there) {
        sn__conduct_free(m->conduct);
        m->conduct = NULL;
        return SN_OK;
    }
    struct sn__conduct *c = sn__conduct_need(w, m);
    if (!c) return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for it.");
    c->reacts = shared->reacts, c->assisted = shared->assisted, c->animates = shared->animates;
    c->def = shared->def;
    memcpy(c->budget, shared->budget, sizeof c->budget);
    return SN_OK;
}

static void pass_limb(struct sn__stream *s, struct sn__limb *l) {
    double *number[] = {&l->since, &l->gone, &l->lasts, &l->scale, &l->held};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        sn__pass_finite(s, number[i], 1);
    sn__pass_finite(s, l->felt, 3);
    sn__pass_bool(s, &l->hit);
    sn__pass_finite(s, l->was, SN__SHARES);
    sn__pass_finite(s, l->will, SN__SHARES);
    if (s->task != SN__CHECK) return;
    bool good = l->gone >= 0 && l->lasts >= 0 && l->scale >= 0 && l->held >= 0 && l->held <= 1;
    for (int k = 0; k < SN__SHARES; k++)
        good &= l->was[k] >= 0 && l->was[k] <= 1 && l->will[k] >= 0 && l->will[k] <= 1;
    if (!good) sn__stream_refuse(s, "a limb is neither driven nor limp nor animated");
}

void sn__conduct_pass_copy(struct sn__stream *s, const sn_model *model, struct sn__member *m, int copy) {
    const bool real = s->task == SN__WRITE || s->task == SN__TAKE;
    struct sn__conduct *c = real ? m->conduct : NULL;
    for (int b = 0; b < model->nbody && !s->refused; b++) {
        struct sn__limb none = {0};
        pass_limb(s, c ? &c->limb[(size_t)copy * (size_t)model->nbody + (size_t)b] : &none);
    }
    for (int v = 0; v < 2 * model->nv && !s->refused; v++) {
        double one = 0, *x = &one;
        if (c)
            x = (v < model->nv ? c->kp : c->kd) + (size_t)copy * (size_t)model->nv + (size_t)(v % model->nv);
        sn__pass_finite(s, x, 1);
        if (s->task == SN__CHECK && *x < 0) sn__stream_refuse(s, "a gain is negative");
    }
    sn_assistance nothing = {0}, *a = c ? &c->aid[copy] : &nothing;
    double zero = 0,
           *number[] = {&a->peak_force, &a->peak_torque, &a->impulse,   &a->angular_impulse,
                        &a->work,       &a->effort,      &a->at_budget, c ? &c->impacts[copy] : &zero};
    sn__pass_finite(s, a->force, 3);
    sn__pass_finite(s, a->torque, 3);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        sn__pass_finite(s, number[i], 1);
}
