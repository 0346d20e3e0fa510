/* The event stepper, kokkevis-2004 section 7: accelerations under the constraints that hold now; a step that ends in
 * a new penetration is halved back to the time of contact; impacts change velocities at once. No substep is shorter
 * than a given part of dt, so that a step always ends. */
#include <math.h>
#include <string.h>

#include "world/world.h"

double sn__world_touch(const sn_world *w) {
    return w->def.slop > 1e-5 ? w->def.slop : 1e-5;
}

/* ------------------------------------------------------------------------------------------------ impacts */

/* Contacts that touch and come closer: line 12 of the paper's procedure. */
static bool need_impact(const sn_world *w) {
    for (int i = 0; i < w->ncontact; i++)
        if (w->contact[i].gap < sn__world_touch(w) && w->contact[i].approach < -1e-4) return true;
    return false;
}

/* The velocities as they are take the place of those a step would lead to. */
static void take_velocities(sn_world *w) {
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        const struct sn__pack *p = &m->character->pack;
        if (!m->active) continue;
        memcpy(m->free_qd, p->field[SN__QD], sn__pack_bytes(p, p->model->nv));
        sn__pack_get(p, SN__QD, 0, p->model->nv, m->qd);
        for (int b = 0; b < p->model->nbody; b++)
            memcpy(m->rate + 6 * b, m->place + SN__PLACE * b + 12, 6 * sizeof *m->rate);
    }
}

/* Section 5: one acceleration problem with delta t = 1, all impacts at once. */
static void resolve_impacts(sn_world *w, double h) {
    const double one = 1;
    sn__world_solve_free(w, h); /* for the articulated inertias */
    take_velocities(w);
    w->level = SN__LEVEL_IMPACT;
    sn__world_solve_constraints(w, h);
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        if (!m->active || !m->nrow) continue;
        sn__world_impulse(w, i, w->f, m->change);
        p->k->combine(p->model->nv, m->free_qd, 1, &one, (const void *const[]){m->change}, p->field[SN__QD]);
    }
    w->stats.impacts++;
    sn__world_place(w);
    sn__world_refresh_approach(w);
}

/* ------------------------------------------------------------------------------------------ accelerations */

/* Accelerations under the constraints into QDD; velocities that positions have beyond them into moved_qd. */
static void accelerate(sn_world *w, double h) {
    const double one = 1, over = 1 / h, under = -1 / h;
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i].active) sn__pack_set_dt(&w->member[i].character->pack, h);
    sn__world_solve_free(w, h);
    w->level = SN__LEVEL_ACCELERATION;
    const bool biased = sn__world_solve_constraints(w, h);
    sn__world_read_rows(w, h);
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        const int nv = p->model->nv;
        if (!m->active) continue;
        memset(m->moved_qd, 0, sn__pack_bytes(p, nv));
        if (m->nrow) {
            void *qd = p->field[SN__QD];
            if (biased) sn__world_impulse(w, i, w->f_moved, m->moved_qd);
            sn__world_impulse(w, i, w->f, m->change);
            if (biased)
                p->k->combine(nv, m->moved_qd, 1, &(double){-1}, (const void *const[]){m->change},
                              m->moved_qd);
            p->k->combine(nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->free_qd);
            p->k->combine(nv, m->zero, 2, (const double[]){over, under},
                          (const void *const[]){m->free_qd, qd}, p->field[SN__QDD]);
        }
        if (p->def.report_torque) sn__member_torque(w, i, h);
        sn__pack_save_state(p, m->start);
    }
}

/* ----------------------------------------------------------------------------------------------- attempts */

static void integrate(sn_world *w, double h) {
    const double one = 1;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        const int nv = p->model->nv;
        if (!m->active) continue;
        void *qd = p->field[SN__QD];
        sn__pack_load_state(p, m->start);
        p->k->combine(nv, qd, 1, &h, (const void *const[]){p->field[SN__QDD]}, qd);
        p->k->combine(nv, qd, 1, &one, (const void *const[]){m->moved_qd}, m->change);
        p->k->integrate(p->tree, h, m->zero, p->field[SN__Q], m->change, 0);
    }
    sn__world_move_grounds(w, h);
}

/* Whether something that did not touch before is now in something else. What touched already may be a little
   deeper. */
static bool need_backtrack(const sn_world *w) {
    const double touch = sn__world_touch(w);
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *c = &w->contact[i];
        if (c->gap > -touch) continue;
        double before = INFINITY; /* how deep the pair was */
        for (int k = 0; k < w->nlast; k++)
            if (w->last[k].pair == c->pair && w->last[k].gap < before) before = w->last[k].gap;
        if (before > touch || c->gap < before - touch) return true;
    }
    return false;
}

/* One substep of at most `left`; what it covered, or 0 when a value stopped being finite. */
static double substep(sn_world *w, double left) {
    const double shortest = w->def.shortest * w->def.dt;
    if (need_impact(w)) resolve_impacts(w, left);
    accelerate(w, left);
    for (double h = left;; h *= 0.5) {
        integrate(w, h);
        if (sn__world_check_finite(w)) return 0;
        sn__world_place(w);
        sn__world_find_contacts(w, left);
        if (h * 0.5 < shortest || !need_backtrack(w)) return h;
        sn__world_take_contacts_back(w);
        sn__world_move_grounds(w, -h);
    }
}

static void give_up(sn_world *w) {
    sn__world_go_back(w);
    memcpy(w->contact, w->before, sizeof *w->before * (size_t)w->nbefore);
    w->ncontact = w->nbefore;
    w->nlast = 0;
}

sn_status sn__world_step_event(sn_world *w) {
    const double dt = w->def.dt;
    sn_status status = SN_OK;
    w->stats = (sn_world_stats){.bad_character = -1, .bad_dof = -1};
    memcpy(w->before, w->contact, sizeof *w->before * (size_t)w->ncontact);
    w->nbefore = w->ncontact;
    sn__world_back_up(w);
    sn__world_place(w);
    sn__world_find_contacts(w, dt);
    for (double left = dt; left > 1e-9 * dt && !status; w->stats.substeps++) {
        const double h = substep(w, left);
        if (h == 0) status = SN_ERROR_NOT_FINITE;
        left -= h;
    }
    for (int i = 0; i < w->nmember; i++)
        sn__pack_set_dt(&w->member[i].character->pack, dt);
    if (!status && need_impact(w)) {
        resolve_impacts(w, dt);
        status = sn__world_check_finite(w);
    }
    if (status) {
        give_up(w);
        return status;
    }
    w->stats.contacts = w->ncontact;
    w->time += dt;
    return SN_OK;
}
