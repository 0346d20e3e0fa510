/* The layout of a world follows from its structure alone. A copy fills a block of lanes, and rows are answered a lane each, if
 * rows may be needed: two members, a member that may meet itself, a bounce, a constraint, ground that moves or is neither a plane
 * nor a height field. The same holds for a surface with a velocity and for a filter of contacts. Otherwise copies stand side by
 * side in the lanes of a block. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernels/position/table.h"
#include "kernels/select.h"
#include "world/device.h"
#include "world/probes.h"
#include "world/steppers.h"

/* Lanes that suit: alone the narrowest, and with rows as well. Those are answered a lane each, but it is the solves between
   that take the time. */
static const struct sn__kernels *find_kernels(const sn_world *w, bool spread, sn_error *error) {
    const sn_precision precision = w->def.precision;
    if (w->lanes[0]) {
        const struct sn__kernels *k = sn__kernels_find(w->lanes, precision, false, error);
        if (!k || !spread || k->rows) return k;
        return sn__kernels_with(SN__ROWS, precision, false, error); /* those are too wide for rows */
    }
    if (spread) return sn__kernels_with(SN__ROWS, precision, false, error);
    if (sn__study_ahead(w->def.study))
        return sn__kernels_with(SN__STUDY, precision, w->def.copies > 1, error);
    return sn__kernels_find(NULL, precision, w->def.copies > 1, error);
}

/* Everything one copy has of a member, to another pack. */
static void copy_values(struct sn__pack *to, const struct sn__pack *from, enum sn__array field,
                        double *values) {
    const int n = (int)sn__pack_field_size(to, field);
    for (int i = 0; i < to->count; i++) {
        sn__pack_get(from, field, i, n, values);
        sn__pack_put(to, field, i, n, values);
    }
}

/* A member's values in a pack of the new layout. What contacts remember is forgotten. */
static sn_status move_member(sn_world *w, struct sn__member *m, sn_error *error) {
    struct sn__pack old = m->pack;
    sn_status status = sn__member_make_pack(w, m, error);
    double *values =
        status ? NULL
               : sn__alloc(13 * (size_t)m->model->nbody + 4 * (size_t)m->model->nq + 8, sizeof *values);
    if (!status && !values) status = sn__fail(error, SN_ERROR_MEMORY, "no memory for another layout");
    if (!status && !sn__pack_part(&m->pack))
        status = sn__fail(error, SN_ERROR_MEMORY, "no memory for another layout");
    for (enum sn__array f = 0; f < SN__SCRATCH && !status; f++) {
        if (!old.field[f] || f == SN__TOUCH || f == SN__STOP) continue;
        if (f >= SN__SHARED && !old.stride[f]) continue;
        if (!m->pack.stride[f] && sn__pack_own(&m->pack, f))
            status = sn__fail(error, SN_ERROR_MEMORY, "no memory for another layout");
    }
    if (status) {
        if (m->pack.k && m->pack.field[SN__Q] != old.field[SN__Q]) sn__pack_release(&m->pack);
        sn__free(values);
        m->pack = old;
        return status;
    }
    sn__pack_set_gains(&m->pack, old.kp, old.kd);
    sn__pack_set_dt(&m->pack, old.def.dt);
    for (enum sn__array f = 0; f < SN__SCRATCH; f++)
        if (old.field[f] && f != SN__TOUCH && f != SN__STOP && (f < SN__SHARED || old.stride[f]))
            copy_values(&m->pack, &old, f, values);
    sn__member_mark_axes(w, m);
    m->pack.plain = old.plain, m->pack.passive_plain = old.passive_plain;
    m->pack.has_target_qd = old.has_target_qd;
    m->pack.has_feedforward = old.has_feedforward;
    m->pack.has_push = old.has_push;
    sn__free(values);
    sn__probes_release(&old);
    sn__pack_release(&old);
    return SN_OK;
}

/* Every member's pack, probes and hands in the new layout. */
static sn_status change_layout(sn_world *w, bool spread, const struct sn__kernels *k, sn_error *error) {
    w->spread = spread, w->k = k;
    w->blocks = spread ? w->def.copies : (w->def.copies - 1) / k->info.width + 1;
    sn_status status = SN_OK;
    for (int i = 0; i < w->nmember && !status; i++) {
        struct sn__member *m = w->member[i];
        if (!m) continue;
        sn__hands_drop(w, i);
        if (m->pack.k) status = move_member(w, m, error);
    }
    return status;
}

/* A member's pack, points and hands, where it has none. */
static sn_status settle_one(sn_world *w, struct sn__member *m, sn_error *error) {
    if (m->pack.ground && sn__hands_are_made(w, m)) return SN_OK;
    const sn_status status = m->pack.k ? SN_OK : sn__member_make_pack(w, m, error);
    if (status) return status;
    if (!m->pack.ground && sn__probes_make(w, m))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for points that touch the ground");
    if (!sn__hands_make(w, m)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for a member");
    return SN_OK;
}

/* What the world is made of changes nothing about the members that were there, as a rule: the thousandth costs what the
   first did. */
sn_status sn__world_settle_member(sn_world *w, int number, sn_error *error) {
    const bool last = number == w->nmember - 1;
    w->settled++;
    if (!last || !w->k || w->surfaces_stale || w->spread != w->stepping->needs_rows(w) ||
        w->stepping->check_scene || w->remote)
        return sn__world_settle(w, error);
    const sn_status status = settle_one(w, w->member[number], error);
    if (status) return status;
    return sn__world_reserve_last(w) ? SN_OK : sn__fail(error, SN_ERROR_MEMORY, "no memory for contacts");
}

sn_status sn__world_settle(sn_world *w, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    w->settled++;
    if (w->stepping->check_scene && w->stepping->check_scene(w, error)) return error->status;
    if (w->remote && sn__remote_check_scene(w, error)) return error->status;
    const bool spread = w->stepping->needs_rows(w);
    if (spread && sn__study_ahead(w->def.study))
        return sn__fail(
            error, SN_ERROR_UNSUPPORTED,
            "drives ahead of the step are for scenes without rows: one member that does not touch "
            "itself, planes and height fields, no bounces, no constraints");
    if (!w->k || spread != w->spread) {
        const struct sn__kernels *k = find_kernels(w, spread, error);
        if (k && w->def.stepper == SN_STEPPER_POSITION && !k->position->step)
            return sn__fail(error, SN_ERROR_UNSUPPORTED,
                            "this library was built without position-based steps: set SINEW_POSITION=ON");
        const sn_status status = k ? change_layout(w, spread, k, error) : error->status;
        if (status) return status;
    }
    if (w->surfaces_stale) {
        if (sn__surfaces_make(w)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for ground");
        for (int i = 0; i < w->nmember; i++) {
            if (!w->member[i] || !w->member[i]->pack.k) continue;
            sn__hands_drop(w, i);
            if (w->member[i]->pack.ground) sn__probes_release(&w->member[i]->pack);
        }
        sn__world_forget_probes(w);
        w->surfaces_stale = false;
    }
    for (int i = 0; i < w->nmember; i++) {
        const sn_status status = w->member[i] ? settle_one(w, w->member[i], error) : SN_OK;
        if (status) return status;
    }
    if (!sn__world_reserve(w)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for contacts");
    return SN_OK;
}
