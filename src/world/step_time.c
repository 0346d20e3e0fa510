/* The time stepper: velocities and impulses of one whole step at once, fixed cost.
 *
 *     v+ = v + h (M + K)^-1 (Q - C) + (M + K)^-1 J^T f,   f from the rows
 *
 * Recovery from penetration moves positions and nothing else: the rows are solved once more with it, and only
 * the positions take what comes out. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

/* ------------------------------------------------------------------------------------- state, and its guard */

void sn__world_back_up(sn_world *w) {
    for (int g = 0; g < w->nground; g++)
        w->ground_backup[g] = w->solid[w->ground[g]];
    for (int i = 0; i < w->ntie; i++) {
        w->tie[i].rows_before = w->tie[i].rows;
        memcpy(w->tie[i].force_before, w->tie[i].force, sizeof w->tie[i].force);
    }
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        const struct sn__pack *p = &m->character->pack;
        if (!m->active || !p->model->nv) continue;
        for (int k = 0; k < m->nlimit; k++)
            m->limit[k].pushed = m->limit[k].pushing;
        sn__pack_save_state(p, m->backup);
    }
}

void sn__world_go_back(sn_world *w) {
    for (int g = 0; g < w->nground; g++)
        w->solid[w->ground[g]] = w->ground_backup[g];
    for (int i = 0; i < w->ntie; i++) {
        w->tie[i].rows = w->tie[i].rows_before;
        memcpy(w->tie[i].force, w->tie[i].force_before, sizeof w->tie[i].force);
    }
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        if (!m->active || !p->model->nv) continue;
        for (int k = 0; k < m->nlimit; k++)
            m->limit[k].pushing = m->limit[k].pushed;
        sn__pack_load_state(p, m->backup);
    }
}

/* The degree of freedom of the first value that is not finite. */
static int bad_dof(const struct sn__member *m) {
    const struct sn__pack *p = &m->character->pack;
    double *x = m->character->row;
    sn__pack_get(p, SN__QD, 0, p->model->nv, x);
    for (int v = 0; v < p->model->nv; v++)
        if (!(fabs(x[v]) < SN__MOST_VALUE)) return v;
    sn__pack_get(p, SN__Q, 0, p->model->nq, x);
    for (int b = 0; b < p->model->nbody; b++)
        for (int k = 0; k < p->model->body[b].nq; k++)
            if (!(fabs(x[p->model->body[b].q_index + k]) < SN__MOST_VALUE)) return p->model->body[b].v_index;
    return -1;
}

sn_status sn__world_check_finite(sn_world *w) {
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = &w->member[i];
        const struct sn__pack *p = &m->character->pack;
        if (!m->active) continue;
        if (p->k->all_finite(p->model->nq, p->field[SN__Q]) &&
            p->k->all_finite(p->model->nv, p->field[SN__QD]))
            continue;
        w->stats.bad_character = i;
        w->stats.bad_dof = bad_dof(m);
        return SN_ERROR_NOT_FINITE;
    }
    return SN_OK;
}

/* The same of the velocities before rows: one character's overflow shall not be blamed on another it
   touches. */
static sn_status check_free(sn_world *w) {
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = &w->member[i];
        const struct sn__pack *p = &m->character->pack;
        if (!m->active || p->k->all_finite(p->model->nv, m->free_qd)) continue;
        double *x = m->character->row;
        sn__member_gather(m, m->free_qd, p->model->nv, x);
        w->stats.bad_character = i;
        for (int v = 0; v < p->model->nv && w->stats.bad_dof < 0; v++)
            if (!(fabs(x[v]) < SN__MOST_VALUE)) w->stats.bad_dof = v;
        return SN_ERROR_NOT_FINITE;
    }
    return SN_OK;
}

/* ----------------------------------------------------------------------------------------------- the stages */

static bool any_bias(const sn_world *w) {
    for (int i = 0; i < w->nrow; i++)
        if (w->more[i].bias != 0) return true;
    return false;
}

/* Velocities and positions of a member after the step. */
static void move_member(sn_world *w, int member, double h, bool biased) {
    struct sn__member *m = &w->member[member];
    struct sn__pack *p = &m->character->pack;
    const int nv = p->model->nv;
    const double one = 1, inverse = 1 / h, minus = -1 / h;
    const void *moved = m->free_qd;
    void *qd = p->field[SN__QD], *qdd = p->field[SN__QDD];
    if (m->nrow) {
        if (biased) {
            sn__world_impulse(w, member, w->f_moved, m->change);
            p->k->combine(nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->moved_qd);
        }
        sn__world_impulse(w, member, w->f, m->change);
        p->k->combine(nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->free_qd);
        p->k->combine(nv, m->zero, 2, (const double[]){inverse, minus}, (const void *const[]){m->free_qd, qd},
                      qdd);
        moved = biased ? m->moved_qd : m->free_qd;
    }
    if (p->def.report_torque) sn__member_torque(w, member, h);
    p->k->integrate(p->tree, h, m->zero, p->field[SN__Q], (void *)moved, 0);
    memcpy(qd, m->free_qd, sn__pack_bytes(p, nv));
}

void sn__world_move_grounds(sn_world *w, double h) {
    for (int g = 0; g < w->nground; g++) {
        struct sn__solid *s = &w->solid[w->ground[g]];
        double turn[4], rot[4], v[3];
        bool moves = false;
        for (int k = 0; k < 3; k++) {
            moves |= s->linear[k] != 0 || s->angular[k] != 0;
            v[k] = h * s->angular[k];
            if (s->geom.type == SN__GEOM_PLANE) s->geom.pos[k] += h * s->linear[k];
            s->base[k] += h * s->linear[k];
        }
        if (!moves) continue;
        dquat_exp(v, turn);
        dquat_multiply(turn, s->rot, rot);
        memcpy(s->rot, rot, sizeof rot);
        dquat_normalise(s->rot);
        sn__solid_place_ground(s);
    }
}

bool sn__world_solve_constraints(sn_world *w, double h) {
    bool biased = false;
    w->nrow = 0;
    for (int i = 0; i < w->nmember; i++)
        w->member[i].nrow = 0;
    if (!sn__world_has_rows(w)) return false;
    sn__world_build_rows(w, h);
    if (w->nrow && sn__world_respond(w, w->def.response, h)) {
        sn__world_solve_rows(w, w->f, false);
        biased = any_bias(w);
        if (biased) {
            memcpy(w->f_moved, w->f, sizeof *w->f * (size_t)w->nrow);
            sn__world_solve_rows(w, w->f_moved, true);
        }
    }
    if (w->nrow > w->stats.rows) w->stats.rows = w->nrow;
    return biased;
}

sn_status sn__world_step_time(sn_world *w) {
    const double h = w->def.dt;
    w->stats = (sn_world_stats){.bad_character = -1, .bad_dof = -1, .substeps = 1};
    w->level = SN__LEVEL_STEP;
    sn__world_back_up(w);
    sn__world_place(w);
    sn__world_find_contacts(w, h);
    sn__world_solve_free(w, h);
    sn_status status = check_free(w);
    if (!status) {
        const bool biased = sn__world_solve_constraints(w, h);
        sn__world_read_rows(w, h);
        for (int i = 0; i < w->nmember; i++)
            if (w->member[i].active) move_member(w, i, h, biased);
        status = sn__world_check_finite(w);
    }
    if (status) {
        sn__world_go_back(w);
        sn__world_take_contacts_back(w);
        return status;
    }
    sn__world_move_grounds(w, h);
    w->stats.contacts = w->ncontact;
    w->time += h;
    return SN_OK;
}
