/* The short forms: state and drives of a member, the same in all copies; starting afresh; energy. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/joint.h"

#include "world/device.h"
#include "world/conduct.h"
#include "world/constraints.h"
#include "world/fields.h"

/* The member, if it takes these values of two fields; NULL stands for none. */
static struct sn__member *accept(sn_world *w, int member, sn_field first, const double *q, sn_field second,
                                 const double *qd) {
    struct sn__member *m = sn__world_want(w, member);
    if (!m || (q && sn__field_accept(w, m, first, -1, q)) || (qd && sn__field_accept(w, m, second, -1, qd)))
        return NULL;
    return m;
}

/* Puts both fields, or one of them, into all copies. */
static void put(sn_world *w, struct sn__member *m,
                sn_status (*set)(struct sn__pack *p, int copy, const double *q, const double *qd),
                const double *q, const double *qd) {
    for (int i = 0; i < w->def.copies; i++)
        set(&m->pack, i, q, qd);
    sn__world_touch(w);
}

sn_status sn_world_set_state(sn_world *w, int member, const double *q, const double *qd) {
    struct sn__member *m = accept(w, member, SN_FIELD_Q, q, SN_FIELD_QD, qd);
    if (!m) return SN_ERROR_ARGUMENT;
    put(w, m, sn__pack_set_state, q, qd);
    sn__world_thaw(w, m, 0, w->def.copies);
    return SN_OK;
}

sn_status sn_world_get_state(const sn_world *w, int member, double *q, double *qd) {
    const struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    if (q) sn__pack_get(&m->pack, SN__Q, 0, m->model->nq, q);
    if (qd) sn__pack_get(&m->pack, SN__QD, 0, m->model->nv, qd);
    return SN_OK;
}

sn_status sn_world_set_target(sn_world *w, int member, const double *q, const double *qd) {
    struct sn__member *m = accept(w, member, SN_FIELD_TARGET_Q, q, SN_FIELD_TARGET_QD, qd);
    if (!m) return SN_ERROR_ARGUMENT;
    put(w, m, sn__pack_set_target, q, qd);
    if (!qd) m->pack.has_target_qd = false; /* zero in all of them */
    sn__member_wake(m, 0, w->def.copies);
    return SN_OK;
}

/* Whether a copy has a dt or an armature other than everybody's. The others keep the factors that all share, bit by bit,
   whoever is beside them. */
static bool is_special(const struct sn__pack *p, int copy) {
    double everybodys;
    sn__field_default(p, SN__DT, 1, &everybodys);
    if (p->stride[SN__DT] && sn__pack_value(p, SN__DT, copy, 0) != everybodys) return true;
    for (int v = 0; v < p->model->nv && p->stride[SN__ARMATURE]; v++) {
        const double armature = p->model->armature[v];
        if (sn__pack_value(p, SN__ARMATURE, copy, v) !=
            (p->def.precision == SN_PRECISION_DOUBLE ? armature : (double)(float)armature))
            return true;
    }
    return false;
}

/* Why gains of all copies were refused. */
static sn_status tell_gains(const sn_world *w, const struct sn__member *m, sn_status status, const double *kp,
                            const double *kd) {
    sn__world_refuse(w, status, "%s",
                     status == SN_ERROR_MEMORY ? "There is no memory for gains of its own."
                                               : "A gain is negative or not finite.");
    if (status == SN_ERROR_MEMORY) return status;
    if (!kp || !sn__field_accept(w, m, SN_FIELD_KP, -1, kp))
        if (kd) sn__field_accept(w, m, SN_FIELD_KD, -1, kd);
    return status;
}

sn_status sn_world_set_gains(sn_world *w, int member, const double *kp, const double *kd) {
    struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    const sn_status status = sn__pack_set_gains(&m->pack, kp ? kp : m->pack.kp, kd ? kd : m->pack.kd);
    if (status) return tell_gains(w, m, status, kp, kd);
    sn__member_mark_axes(w, m);
    for (int i = 0; i < w->def.copies && m->pack.stride[SN__K]; i++)
        if (is_special(&m->pack, i)) sn__pack_update_character(&m->pack, i);
    for (int i = 0; i < w->def.copies && m->conduct; i++) {
        sn__conduct_take_gains(m, SN_FIELD_KP, i, m->pack.kp);
        sn__conduct_take_gains(m, SN_FIELD_KD, i, m->pack.kd);
    }
    sn__member_wake(m, 0, w->def.copies);
    sn__world_touch(w);
    return SN_OK;
}

/* ---------------------------------------------------------------------------------------------------- pushes */

void sn__member_forget_pushes(struct sn__member *m) {
    for (int i = 0; m->push_left && i < m->model->nbody; i++)
        m->push_left[i] = 0;
}

static void put_push(sn_world *w, struct sn__member *m, int body, const double push[6]) {
    for (int i = 0; i < w->def.copies; i++)
        for (int k = 0; k < 6; k++)
            sn__pack_put_value(&m->pack, SN__PUSH, i, 6 * body + k, push[k]);
    m->pack.has_push = false;
    for (int i = 0; i < w->def.copies && !m->pack.has_push; i++)
        for (int k = 0; k < 6 * m->model->nbody; k++)
            m->pack.has_push |= sn__pack_value(&m->pack, SN__PUSH, i, k) != 0;
    sn__member_wake(m, 0, w->def.copies);
    sn__world_touch(w);
}

static bool has_body(const sn_world *w, const struct sn__member *m, int body) {
    if (body >= 0 && body < m->model->nbody) return true;
    sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no body %d: the model has %d.", body, m->model->nbody);
    return false;
}

sn_status sn_world_push(sn_world *w, int member, int body, const double force[3], const double torque[3],
                        double duration) {
    struct sn__member *m = sn__world_want(w, member);
    if (!m || !has_body(w, m, body)) return SN_ERROR_ARGUMENT;
    if (!(duration > 0))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The duration is %g s. It must be positive.", duration);
    double push[6] = {0};
    for (int k = 0; k < 3; k++) {
        if (force) push[k] = force[k];
        if (torque) push[3 + k] = torque[k];
    }
    if (!sn__pack_holds(&m->pack, 6, push))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The force or the torque is not finite.");
    const bool timed = isfinite(duration);
    if (timed && !m->push_left) m->push_left = sn__alloc((size_t)m->model->nbody, sizeof *m->push_left);
    if ((timed && !m->push_left) || sn__pack_own(&m->pack, SN__PUSH))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for pushes.");
    put_push(w, m, body, push);
    if (m->push_left) m->push_left[body] = timed ? duration : 0;
    return SN_OK;
}

bool sn__world_pushes_end(const sn_world *w, double span) {
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        for (int b = 0; m && m->push_left && b < m->model->nbody; b++)
            if (m->push_left[b] > 0 && m->push_left[b] - span < 0.5 * w->def.dt) return true;
    }
    return false;
}

void sn__world_pass_pushes(sn_world *w, double span) {
    const double none[6] = {0};
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = w->member[i];
        for (int b = 0; m && m->push_left && b < m->model->nbody; b++) {
            if (!(m->push_left[b] > 0)) continue;
            m->push_left[b] -= span;
            if (m->push_left[b] >= 0.5 * w->def.dt) continue;
            m->push_left[b] = 0;
            put_push(w, m, b, none);
        }
    }
}

/* --------------------------------------------------------------------------------------------- in one call */

/* Its model's own gains, or chosen ones where that has none; none at a free root. */
static sn_status usual_gains(const sn_world *w, const sn_model *model, double *kp, double *kd) {
    bool none = true;
    for (int v = 0; v < model->nv; v++)
        none &= !(model->kp[v] > 0), kp[v] = model->kp[v], kd[v] = model->kd[v];
    if (!none) return SN_OK;
    sn_gains_def def = sn_gains_def_default();
    def.dt = w->def.dt, def.form = w->def.form, def.precision = w->def.precision, def.widen = true;
    memcpy(def.gravity, w->def.gravity, sizeof def.gravity);
    return sn_gains_choose(model, &def, kp, kd, NULL);
}

sn_status sn_world_hold(sn_world *w, int member, double kp, double kd) {
    const struct sn__member *m = w ? sn__world_want(w, member) : NULL;
    if (!m) return SN_ERROR_ARGUMENT;
    if (!(kp >= 0) || !(kd >= 0))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The gains are %g and %g. They must not be negative.",
                                kp, kd);
    const sn_model *model = m->model;
    double *q = sn__alloc((size_t)model->nq + 2 * (size_t)model->nv + 1, sizeof *q);
    if (!q) return SN_ERROR_MEMORY;
    double *kps = q + model->nq, *kds = kps + model->nv;
    sn_status status = SN_OK;
    sn_model_home_pose(model, q);
    if (sn__joint_is_free(&model->body[0]) && m->nsolid > 0 && w->nground > 0)
        status = sn_world_stand(w, member, q);
    if (kp > 0 || kd > 0)
        sn_gains_uniform(model, 0, 0, kp, kd, kps, kds);
    else if (!status)
        status = usual_gains(w, model, kps, kds);
    if (!status) status = sn_world_set_gains(w, member, kps, kds);
    if (!status) status = sn_world_set_state(w, member, q, NULL);
    for (int v = 0; v < model->nv; v++)
        kps[v] = 0; /* at rest */
    if (!status) status = sn_world_set_state(w, member, NULL, kps);
    if (!status) status = sn_world_set_target(w, member, q, NULL);
    sn__free(q);
    return status;
}

sn_status sn_world_body_pose(const sn_world *w, int member, int body, double pos[3], double rot[4]) {
    const struct sn__member *m = w ? sn__world_want(w, member) : NULL;
    if (!m || !has_body(w, m, body)) return SN_ERROR_ARGUMENT;
    const struct sn__frame frame = sn__frame_now(&m->pack, 0, body);
    if (pos) memcpy(pos, frame.pos, sizeof frame.pos);
    if (rot) memcpy(rot, frame.rot, sizeof frame.rot);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------ starting afresh */

sn_status sn_world_reset(sn_world *w, int member, const uint8_t *which, const double *q, const double *qd) {
    struct sn__member *m = member == -1 ? NULL : sn__world_want(w, member);
    if (member != -1 && !m) return SN_ERROR_ARGUMENT;
    if (m && ((q && sn__field_accept(w, m, SN_FIELD_Q, -1, q)) ||
              (qd && sn__field_accept(w, m, SN_FIELD_QD, -1, qd))))
        return SN_ERROR_ARGUMENT;
    sn__world_fetch(w);
    double *zero = w->values;
    memset(zero, 0, w->largest * sizeof *zero);
    for (int i = 0; i < w->def.copies; i++) {
        if (which && !which[i]) continue;
        if (m) sn__pack_set_state(&m->pack, i, q, qd ? qd : q ? zero : NULL);
        sn__world_forget_copy(w, i);
        for (int k = 0; k < w->nmember; k++) {
            struct sn__pack *p = w->member[k] ? &w->member[k]->pack : NULL;
            if (!p) continue;
            sn__pack_put(p, SN__QDD, i, p->model->nv, NULL);
            for (int f = SN__TORQUE; f <= SN__MIDDLE; f++)
                if (p->field[f]) sn__pack_put(p, (enum sn__array)f, i, p->model->nv, NULL);
        }
    }
    sn__world_touch(w);
    return SN_OK;
}

sn_status sn_world_summary(sn_world *w, int member, int copy, sn_summary *s) {
    const struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    if (!s || copy < 0 || copy >= w->def.copies)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no copy %d: the world has %d.", copy,
                                w->def.copies);
    const struct sn__pack *p = &m->pack;
    const int width = p->k->info.width, lane = w->spread ? 0 : copy % width;
    const struct sn__args args = sn__pack_args(p, w->spread ? copy : copy / width);
    double v[11];
    p->k->summary(&args, w->scratch[0]);
    for (int i = 0; i < 11; i++)
        sn__world_widen(w, 1, (const char *)w->scratch[0] + (size_t)(i * width + lane) * p->k->elem_size,
                        &v[i]);
    *s = (sn_summary){v[0], v[1], {v[2], v[3], v[4]}, {v[5], v[6], v[7]}, {v[8], v[9], v[10]}};
    return SN_OK;
}
