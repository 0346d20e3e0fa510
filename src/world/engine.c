/* What engines ask for: their own data on things, warnings as text, and how long the parts of a step took. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "world/worker.h"

/* ---------------------------------------------------------------------------------------------- user data */

/* Where a member's pointer is, of itself, a body or a shape; -1: there is no such thing. */
static int place_of(const sn_model *model, int body, int shape) {
    if (body == -1) return 0;
    if (body < 0 || body >= model->nbody) return -1;
    if (shape == -1) return 1 + body;
    const sn_body_info *b = &model->body[body];
    const bool its = shape >= b->first_shape && shape < b->first_shape + b->nshape;
    return its ? 1 + model->nbody + shape : -1;
}

static bool is_ground(const sn_world *w, int number) {
    return number >= 0 && number < w->nground && w->ground[number] >= 0;
}

void sn__world_forget_user(sn_world *w, int ground) {
    if (ground < w->user_room) w->ground_user[ground] = NULL;
}

static sn_status set_on_ground(sn_world *w, int ground, void *data) {
    if (!is_ground(w, ground)) return SN_ERROR_ARGUMENT;
    const int before = w->user_room;
    void **user = sn__grow(w->ground_user, &w->user_room, ground + 1, sizeof *user);
    if (!user) return SN_ERROR_MEMORY;
    w->ground_user = user;
    memset(user + before, 0, sizeof *user * (size_t)(w->user_room - before));
    user[ground] = data;
    return SN_OK;
}

sn_status sn_world_set_user_data(sn_world *w, int member, int body, int shape, void *data) {
    if (member == -1) return set_on_ground(w, body, data);
    struct sn__member *m = sn__world_member(w, member);
    const int at = m ? place_of(m->model, body, shape) : -1;
    if (at < 0) return SN_ERROR_ARGUMENT;
    if (!m->user)
        m->user = sn__alloc(1 + (size_t)m->model->nbody + (size_t)m->model->nshape, sizeof *m->user);
    if (!m->user) return SN_ERROR_MEMORY;
    m->user[at] = data;
    return SN_OK;
}

void *sn_world_user_data(const sn_world *w, int member, int body, int shape) {
    if (member == -1) return is_ground(w, body) && body < w->user_room ? w->ground_user[body] : NULL;
    const struct sn__member *m = sn__world_member(w, member);
    const int at = m && m->user ? place_of(m->model, body, shape) : -1;
    return at >= 0 ? m->user[at] : NULL;
}

/* ------------------------------------------------------------------------------------------------ warnings */

void sn__world_warn(const sn_world *w, const char *format, ...) {
    char message[512];
    if (!w->log.warn) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    w->log.warn(w->log.user, message);
}

/* The body whose joint has a degree of freedom. */
static const char *name_of(const sn_world *w, int member, int dof) {
    const struct sn__member *m = member >= 0 && member < w->nmember ? w->member[member] : NULL;
    for (int b = 0; m && b < m->model->nbody; b++)
        if (dof >= m->model->body[b].v_index && dof < m->model->body[b].v_index + m->model->body[b].nv)
            return m->model->body[b].name;
    return "?";
}

void sn__world_warn_of_step(sn_world *w, bool frozen) {
    const sn_world_stats *s = &w->stats;
    if (!w->log.warn) return;
    if (frozen) {
        int member, dof;
        sn__world_stiffest(w, s->bad_copy, &member, &dof);
        sn__world_warn(w,
                       "Member %d is frozen in copy %d at %g s: the velocity of the joint of '%s' is not "
                       "finite or above 1e5. Set its state or reset the copy to let it go on.",
                       sn__world_handle(w, s->bad_member), s->bad_copy, w->time,
                       name_of(w, s->bad_member, s->bad_dof));
        if (member >= 0)
            sn__world_warn(
                w,
                "The drive of '%s' of member %d is too stiff for dt = %g s: lower its gains or use "
                "SN_FORM_FULL.",
                name_of(w, member, dof), sn__world_handle(w, member), w->def.dt);
    }
    if (s->dropped <= w->most_dropped) return;
    w->most_dropped = s->dropped;
    sn__world_warn(w, "%d contacts were dropped in the step at %g s: max_contacts is %d.", s->dropped,
                   w->time, w->def.max_contacts);
}

/* ------------------------------------------------------------------------------------------------- timing */

void sn__worker_time(struct sn__worker *w, sn_step_part part) {
    if (!w->world->def.measure_time) return;
    const int64_t now = sn__platform_nanoseconds();
    if (w->part != SN_STEP_PART_ALL) w->spent[w->part] += now - w->since;
    w->part = part, w->since = now;
}
