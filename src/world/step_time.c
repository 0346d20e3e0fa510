/* The time stepper: velocities and impulses of one whole step at once, fixed cost.
 *
 *     v+ = v + h (M + K)^-1 (Q - C) + (M + K)^-1 J^T f,   f from the rows
 *
 * Recovery from penetration moves positions and nothing else: the rows are solved once more with it, and only
 * the positions take what comes out. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/joint.h"
#include "world/conduct.h"
#include "world/constraints.h"
#include "world/probes.h"
#include "world/rows.h"
#include "world/step.h"
#include "world/steppers.h"

/* ------------------------------------------------------------------------------------- state, and its guard */

void sn__worker_back_up(struct sn__worker *w) {
    w->fires = w->world->stepping->impulses;
    for (int i = 0; i < w->world->ntie; i++) {
        w->tied[i].rows_before = w->tied[i].rows;
        memcpy(w->tied[i].force_before, w->tied[i].force, sizeof w->tied[i].force);
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on) sn__hand_save(w, &w->hand[i], w->hand[i].backup);
}

void sn__worker_go_back(struct sn__worker *w) {
    for (int i = 0; i < w->world->ntie; i++) {
        w->tied[i].rows = w->tied[i].rows_before;
        memcpy(w->tied[i].force, w->tied[i].force_before, sizeof w->tied[i].force);
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on) sn__hand_load(w, &w->hand[i], w->hand[i].backup);
}

/* Says which velocity is not one, in lanes; of the first member that has such. */
static sn_status blame(struct sn__worker *w, int member, const void *qd) {
    struct sn__hand *m = &w->hand[member];
    const sn_model *model = m->pack->model;
    const bool first = !w->bad;
    m->bad = w->bad = true;
    if (!first) return SN_ERROR_NOT_FINITE;
    w->stats.bad_copy = w->copy, w->stats.bad_member = member, w->stats.bad_dof = -1;
    sn__hand_gather(m, qd, model->nv, m->values);
    for (int v = 0; v < model->nv; v++) {
        if (fabs(m->values[v]) < SN__MOST_SPEED) continue;
        w->stats.bad_dof = v;
        return SN_ERROR_NOT_FINITE;
    }
    sn__pack_get(m->pack, SN__Q, w->copy, model->nq, m->values);
    for (int b = 0; b < model->nbody; b++)
        for (int k = 0; k < model->body[b].nq; k++)
            if (!(fabs(m->values[model->body[b].q_index + k]) < SN__MOST_VALUE) && w->stats.bad_dof < 0)
                w->stats.bad_dof = model->body[b].v_index;
    return SN_ERROR_NOT_FINITE;
}

sn_status sn__worker_check(struct sn__worker *w) {
    sn_status status = SN_OK;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        const struct sn__pack *p = m->pack;
        const void *qd = sn__hand_at(w, m, SN__QD);
        if (!p->k->all_below(p->model->nv, qd, SN__MOST_SPEED) ||
            !p->k->all_below(p->model->nq, sn__hand_at(w, m, SN__Q), SN__MOST_VALUE))
            status = blame(w, i, qd);
    }
    return status;
}

sn_status sn__worker_check_free(struct sn__worker *w) {
    sn_status status = SN_OK;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (m->on && !m->pack->k->all_below(m->pack->model->nv, m->free_qd, SN__MOST_SPEED))
            status = blame(w, i, m->free_qd);
    }
    return status;
}

/* Contacts that the kernel found for a member. */
static void tell(struct sn__worker *w, const struct sn__hand *m) {
    struct sn__contact *told =
        sn__grow(w->told, &w->told_room, w->ntold + m->ground->contacts.count, sizeof *told);
    if (!told) return;
    w->told = told;
    w->ntold = sn__probes_report(w->world, m, 0, w->ntold, told, w->told_room);
}

/* Forces of records for the next step, and contacts that kernels found for whoever asks. */
void sn__worker_remember(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!(m->ground->contacts.count + m->ground->contacts.nlimit)) continue;
        if (m->nextra) sn__worker_read_extras(w, m);
        if (w->world->def.report_contacts) tell(w, m);
        const struct sn__args args = sn__pack_args(m->pack, w->copy);
        m->pack->k->remember(&args, m->ground);
    }
}

/* ----------------------------------------------------------------------------------------------- the stages */

/* Takes balls back to where they were before hold_balls, in `start`, if they carry what a constraint holds: the constraint would
   not see that they were moved. Their limits recover by velocities alone. */
static void leave_tied_balls(const struct sn__worker *w, int member, void *q) {
    const struct sn__hand *m = &w->hand[member];
    const sn_model *model = m->pack->model;
    for (int i = 0; i < m->ground->nstops; i++) {
        const int b = m->ground->stops[i].body;
        const size_t at = sn__pack_bytes(m->pack, model->body[b].q_index);
        if (sn__joint_is_ball(&model->body[b]) && sn__ties_hold_beyond(w->world, member, b, true))
            memcpy((char *)q + at, (const char *)m->start + at, sn__pack_bytes(m->pack, model->body[b].nq));
    }
}

/* Positions after a step with the velocities moved_qd, and the velocities `known`. */
static void put_member(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    void *q = sn__hand_at(w, m, SN__Q), *qd = sn__hand_at(w, m, SN__QD);
    p->k->integrate(p->tree, h, m->zero, q, m->moved_qd, 0);
    memcpy(qd, m->known, sn__pack_bytes(p, p->model->nv));
    if (!m->ground->nstops || m->stops) return;
    const struct sn__args args = sn__pack_args(p, w->copy);
    const bool tied = sn__ties_hold(w->world, member);
    if (tied) memcpy(m->start, q, sn__pack_bytes(p, p->model->nq));
    p->k->hold_balls(&args, m->ground, q, qd);
    if (tied) leave_tied_balls(w, member, q);
    sn__worker_keep_limits(w, member, h);
}

void sn__worker_move_less(struct sn__worker *w, int member, const struct sn__less *less, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    if (w->level != SN__LEVEL_STEP) {
        sn__worker_substep_less(w, member, less, h);
        return;
    }
    sn__hand_slow(m, m->known, less);
    sn__hand_slow(m, m->moved_qd, less);
    memcpy(sn__hand_at(w, m, SN__Q), m->backup, sn__pack_bytes(p, p->model->nq));
    put_member(w, member, h);
}

/* Velocities and positions of a member after the step. */
static void move_member(struct sn__worker *w, int member, double h, bool biased) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const int nv = p->model->nv;
    const double over[2] = {1 / h, -1 / h};
    void *qd = sn__hand_at(w, m, SN__QD), *qdd = sn__hand_at(w, m, SN__QDD);
    if (m->nrow && biased) { /* recovery */
        sn__worker_impulse(w, member, w->f_moved, m->change);
        const double part = sn__worker_recovery_part(w, member, h);
        p->k->combine(nv, m->known, 1, &part, (const void *const[]){m->change}, m->moved_qd);
    } else {
        memcpy(m->moved_qd, m->known, sn__pack_bytes(p, nv));
    }
    if (m->nrow) {
        memcpy(m->wrench, m->given, sizeof *m->wrench * (size_t)(6 * p->model->nbody));
        memcpy(m->tau, m->given_tau, sizeof *m->tau * (size_t)nv);
        p->k->combine(nv, m->zero, 2, over, (const void *const[]){m->known, qd}, qdd);
    }
    if (m->nbrace) {
        const struct sn__args args = sn__hand_args(w, m);
        p->k->rows->velocities(&args, m->known, m->rate);
        sn__worker_read_braces(w, member, h);
    }
    if (p->def.report_torque) sn__worker_torque(w, member, h);
    put_member(w, member, h);
}

/* Members whose last solve has ended unsettled. */
static void count_unsettled(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on || m->settled) continue;
        w->stats.unsettled++;
        w->stats.sweep_residual = fmax(w->stats.sweep_residual, m->off);
    }
}

/* The current members, from the forces of the last step to where they have moved. */
sn_status sn__worker_step_crew(struct sn__worker *w, double h) {
    w->iterations = 0;
    w->bounced = false;
    sn__worker_time(w, SN_STEP_PART_SOLVE);
    sn__worker_expect_forces(w, h);
    sn__worker_solve_free(w, h);
    sn__worker_mind_forces(w, h);
    sn_status status = sn__worker_check_free(w);
    sn__worker_time(w, SN_STEP_PART_ROWS);
    const bool biased = !status && sn__worker_solve_scene(w, h);
    if (!w->lack.any) sn__worker_time(w, SN_STEP_PART_MOVE);
    if (w->lack.any) return (sn_status)SN__SHORT;
    if (!status) {
        sn__worker_read_rows(w, h);
        if (sn__conduct_hit(w)) status = (sn_status)SN__AGAIN;
    }
    if (!status) {
        for (int i = w->crew; i >= 0; i = w->hand[i].next)
            move_member(w, i, h, biased);
        sn__worker_slow(w, h);
        count_unsettled(w);
        status = sn__worker_check(w);
    }
    if (w->iterations > w->stats.iterations) w->stats.iterations = w->iterations;
    if (!status) sn__worker_ties_end(w);
    return status;
}

/* Where everybody is, and what touches; whoever is touched takes part from the start. */
static void find_all(struct sn__worker *w, double h) {
    do {
        if (w->equipped) w->equipped = sn__worker_equip(w);
        sn__worker_place(w);
        sn__worker_find_contacts(w, h);
    } while (sn__worker_wake(w) && (sn__worker_take_contacts_back(w), true));
}

sn_status sn__worker_step_time(struct sn__worker *w) {
    const double h = w->world->def.dt;
    w->level = SN__LEVEL_STEP;
    w->equipped = w->seats <= SN__EQUIPPED;
    sn__worker_back_up(w);
    sn__worker_time(w, SN_STEP_PART_FIND);
    find_all(w, h);
    sn__worker_time(w, SN_STEP_PART_OTHER);
    const sn_status status = w->lack.any ? (sn_status)SN__SHORT : sn__worker_step_isles(w, h);
    sn__worker_unequip(w);
    if (status) {
        sn__worker_go_back(w);
        sn__worker_take_contacts_back(w);
        return status;
    }
    sn__worker_rest(w, h);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------- a block of copies */

void sn__worker_step_lanes(struct sn__worker *w, struct sn__hand *h, int block) {
    struct sn__pack *p = h->pack;
    const struct sn__drives_ahead *ahead = sn__study_ahead(p->def.study);
    struct sn__args args = sn__pack_args(p, block);
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block),
         *qdd = sn__pack_at(p, SN__QDD, block);
    if (!h->ground->nprobed && !h->ground->nstops && !ahead) {
        sn__pack_advance(p, block); /* in one kernel */
        if (args.limit) sn__probes_settled(p, sn__world_copies_in(w->world, block), &w->stats);
        return;
    }
    args.torque = sn__pack_at(p, SN__TORQUE, block);
    args.middle = sn__pack_at(p, SN__MIDDLE, block);
    if (args.spring) p->k->springs(&args, sn__pack_at(p, SN__SPRING, block));
    if (ahead) ahead->torque(p, &args);
    const int sweeps = p->k->step_ground(&args, h->ground, q, qd, qdd);
    const bool touched = h->ground->contacts.count + h->ground->contacts.nlimit > 0;
    if ((touched || args.limit) && sweeps > w->stats.sweeps) w->stats.sweeps = sweeps;
    if (touched || args.limit) sn__probes_settled(p, sn__world_copies_in(w->world, block), &w->stats);
    if (w->world->def.report_contacts) sn__worker_report_block(w, h, block);
    p->k->remember(&args, h->ground);
}
