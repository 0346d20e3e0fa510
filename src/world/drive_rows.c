/* Torque limits under rows. A drive's law is tau = P(Qd - Kd qdd), P the clamp to its limit (kernels/contact/limits.h). Drives
 * that stay below their limits are inside the response of their member, as everywhere. One that is at its limit without
 * rows, or would exceed it under them, is held: its gains leave the response, its torque without rows tau0 becomes a
 * constant, and what rows change about it is a bounded soft row of its own. With qdd = (v+ - v) / h and the impulse
 * f = h (tau - tau0):
 *
 *     w = v+ + f / Kd - (v + h (Qd - tau0) / Kd),   w = 0 where |tau0 + f / h| < limit
 *
 * The three rows of a ball with one gain are bounded by their length together. All of it is one convex problem with the
 * other rows. Held drives are never let go within a step, so that looking for them ends. */
#include <math.h>
#include <string.h>

#include "world/world.h"
#include "model/joint.h"

/* A drive is held when it would exceed its limit by this part of it. */
static const double OVER = 1e-4;

/* The member's own drives, whether held or not. */
static struct sn__args own_args(const struct sn__worker *w, const struct sn__hand *m) {
    struct sn__args args = sn__pack_args(m->pack, w->copy);
    if (!args.K) args.K = m->zero;
    return args;
}

static int group_size(const struct sn__args *args, const sn_body_info *b, int body) {
    const bool round = sn__joint_quaternion(b) >= 0;
    return round && !(args->per_axis && args->per_axis[body]) ? 3 : 1;
}

static double length_of(const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

bool sn__worker_has_limits(const struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on && w->hand[i].pack->torque_limits) return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------------- holding */

/* One value of lanes from one array to another. */
static void copy_value(const struct sn__hand *m, void *to, const void *from, int v) {
    const size_t value = m->pack->k->elem_size * (size_t)m->pack->k->info.width;
    memcpy((char *)to + value * (size_t)v, (const char *)from + value * (size_t)v, value);
}

/* The drives as the kernels shall see them: those that are held are no more than a constant torque. */
static void make_held_drives(struct sn__worker *w, struct sn__hand *m) {
    const struct sn__args own = own_args(w, m);
    const int nv = m->pack->model->nv;
    for (int v = 0; v < nv; v++) {
        const bool held = m->held[v];
        copy_value(m, m->held_kp, held ? m->zero : own.kp, v);
        copy_value(m, m->held_kd, held || !own.kd ? m->zero : own.kd, v);
        copy_value(m, m->held_kw, held ? own.kw_passive : own.kw, v);
        copy_value(m, m->held_K, held ? own.K_passive : own.K, v);
        copy_value(m, m->held_torque, held || !own.feedforward ? m->zero : own.feedforward, v);
        if (held) sn__hand_spread(m, m->held_torque, v, 1, &m->base[v]);
    }
}

/* The free solve once more, with the held drives held. */
static void solve_again(struct sn__worker *w, struct sn__hand *m, double h) {
    const struct sn__pack *p = m->pack;
    make_held_drives(w, m);
    struct sn__args args = sn__hand_args(w, m);
    args.rows_follow = true;
    void *qdd = sn__hand_at(w, m, SN__QDD);
    p->k->solve(&args, qdd);
    if (w->level == SN__LEVEL_IMPACT) return; /* for the response alone: velocities are as they are */
    p->k->combine(p->model->nv, sn__hand_at(w, m, SN__QD), 1, &h, (const void *const[]){qdd}, m->free_qd);
    p->k->rows->velocities(&args, m->free_qd, m->rate);
    sn__hand_gather(m, m->free_qd, p->model->nv, m->qd);
}

static void hold(struct sn__worker *w, int member, int body, int v, int n) {
    struct sn__hand *m = &w->hand[member];
    for (int k = v; k < v + n; k++)
        m->held[k] = 1;
    m->nheld++;
    if (w->level == SN__LEVEL_IMPACT || !(m->gain[v] > 0)) return; /* nothing that rows could change */
    w->added[w->nadded++] = (struct sn__added){.member = member, .body = body, .dof = v, .n = n, .side = -1};
}

/* Holds the groups whose law exceeds their limits by more than the part `over`; s [nv] are their torques by the law,
   `most` [nv] the limits. Whether there were any. */
static bool hold_those_above(struct sn__worker *w, int member, const double *s, const double *most,
                             double over) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__args own = own_args(w, m);
    const sn_model *model = m->pack->model;
    const int before = m->nheld;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *info = &model->body[b];
        const int n = group_size(&own, info, b);
        for (int v = info->v_index; v < info->v_index + info->nv; v += n)
            if (!m->held[v] && length_of(s + v, n) > most[v] * (1 + over)) hold(w, member, b, v, n);
    }
    return m->nheld > before;
}

/* Torque by the law, not clamped, at the acceleration qdd, in lanes. */
static void law_at(struct sn__worker *w, struct sn__hand *m, const void *qdd, double *s) {
    const struct sn__args own = own_args(w, m);
    m->pack->k->study->pd_torque(&own, qdd, m->change);
    sn__hand_gather(m, m->change, m->pack->model->nv, s);
}

/* What the drives do without rows: Qd, Kd, the limits, and tau0 = P(Qd - Kd qdd). */
static void look_at_drives(struct sn__worker *w, struct sn__hand *m) {
    const struct sn__args own = own_args(w, m);
    const sn_model *model = m->pack->model;
    double *passive = m->values;
    sn__hand_gather(m, own.K, model->nv, m->gain);
    sn__hand_gather(m, own.K_passive, model->nv, passive);
    for (int v = 0; v < model->nv; v++)
        m->gain[v] -= passive[v];
    sn__hand_gather(m, own.limit, model->nv, m->most);
    law_at(w, m, m->zero, m->law);
    law_at(w, m, sn__hand_at(w, m, SN__QDD), m->base);
}

static void clamp_base(struct sn__worker *w, struct sn__hand *m) {
    const struct sn__args own = own_args(w, m);
    const sn_model *model = m->pack->model;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *info = &model->body[b];
        const int n = group_size(&own, info, b);
        for (int v = info->v_index; v < info->v_index + info->nv; v += n) {
            const double length = length_of(m->base + v, n);
            for (int k = v; k < v + n && length > m->most[v]; k++)
                m->base[k] *= m->most[v] / length;
        }
    }
}

/* Before rows: those at their limits are held. Impacts are too short for drives with limits to do anything: all are. */
void sn__worker_hold_drives(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->pack->torque_limits) continue;
        const int nv = m->pack->model->nv;
        memset(m->held, 0, sizeof *m->held * (size_t)nv);
        m->nheld = 0;
        look_at_drives(w, m);
        if (w->level == SN__LEVEL_IMPACT) {
            for (int v = 0; v < nv; v++)
                m->values[v] = isfinite(m->most[v]) ? 1 : 0, m->base[v] = 0;
            hold_those_above(w, i, m->values, m->base, 0);
        } else {
            memcpy(m->values, m->base, sizeof *m->base * (size_t)nv);
            clamp_base(w, m);
            hold_those_above(w, i, m->values, m->most, -1e-9);
        }
        if (m->nheld) solve_again(w, m, h);
    }
}

/* After rows: drives that the impulses f have driven beyond their limits are held. Whether there were any. */
bool sn__worker_hold_more(struct sn__worker *w, double h) {
    bool any = false;
    if (w->level == SN__LEVEL_IMPACT) return false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->pack->torque_limits || !m->nrow) continue;
        const struct sn__pack *p = m->pack;
        const int nv = p->model->nv;
        const double over = 1 / h;
        sn__worker_impulse(w, i, w->f, m->change);
        p->k->combine(nv, sn__hand_at(w, m, SN__QDD), 1, &over, (const void *const[]){m->change},
                      m->moved_qd);
        law_at(w, m, m->moved_qd, m->values);
        if (!hold_those_above(w, i, m->values, m->most, OVER)) continue;
        solve_again(w, m, h);
        any = true;
    }
    return any;
}

/* ------------------------------------------------------------------------------------------------------- rows */

void sn__worker_drive_rows(struct sn__worker *w, const struct sn__added *a, double h) {
    const struct sn__hand *m = &w->hand[a->member];
    const int first = m->pack->model->body[a->body].v_index;
    for (int k = 0; k < a->n; k++) {
        const int v = a->dof + k;
        struct sn__row r = {.body = a->body, .joint = 1};
        r.w[v - first] = 1;
        struct sn__pgs_row *row = sn__worker_add_row(w);
        if (!row) return;
        if (!sn__worker_add_side(w, row, 0, a->member, &r)) {
            w->nrow--;
            return;
        }
        const double old = sn__pack_value(m->pack, SN__QD, w->copy, v);
        row->soft = 1 / m->gain[v];
        row->b = m->qd[v] - old - h * (m->law[v] - m->base[v]) / m->gain[v];
        row->lo = -h * (m->most[a->dof] + m->base[v]), row->hi = h * (m->most[a->dof] - m->base[v]);
        w->more[w->nrow - 1].drive = true;
    }
    if (a->n < 3) return;
    struct sn__pgs_row *row = &w->row[w->nrow - 3];
    row->cone = 2;
    row->hi = h * m->most[a->dof];
    for (int k = 0; k < 3; k++)
        row[k].middle = -h * m->base[a->dof + k];
}

/* What of the impulses on a member's joints is the drives' own: added to tau [nv] as torque. */
void sn__worker_add_drives(const struct sn__worker *w, int member, double h, double *tau) {
    const struct sn__hand *m = &w->hand[member];
    for (int i = 0; i < w->nrow; i++) {
        if (!w->more[i].drive || w->row[i].side[0].block != m->seat) continue;
        const struct sn__row *r = &m->row[w->row[i].side[0].index];
        const sn_body_info *b = &m->pack->model->body[r->body];
        for (int k = 0; k < b->nv; k++)
            tau[b->v_index + k] += r->w[k] * w->f[i] / h;
    }
}
