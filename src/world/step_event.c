/* The event stepper, kokkevis-2004 section 7: accelerations under the constraints that hold now; a step that ends in
 * a new penetration is halved back to the time of contact; impacts change velocities at once. No substep is shorter
 * than a given part of dt, so that a step always ends. */
#include <math.h>
#include <string.h>

#include "world/world.h"

double sn__world_touch_gap(const sn_world *w) {
    return w->def.slop > 1e-5 ? w->def.slop : 1e-5;
}

/* ------------------------------------------------------------------------------------------------ impacts */

/* Contacts that touch and come closer: line 12 of the paper's procedure. */
static bool need_impact(const struct sn__worker *w) {
    for (int i = 0; i < w->ncontact; i++)
        if (w->contact[i].gap < sn__world_touch_gap(w->world) && w->contact[i].approach < -1e-4) return true;
    return false;
}

/* The velocities as they are take the place of those a step would lead to. */
static void take_velocities(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        const struct sn__pack *p = m->pack;
        memcpy(m->free_qd, sn__hand_at(w, m, SN__QD), sn__pack_bytes(p, p->model->nv));
        sn__pack_get(p, SN__QD, w->copy, p->model->nv, m->qd);
        for (int b = 0; b < p->model->nbody; b++)
            memcpy(m->rate + 6 * b, m->place + SN__PLACE * b + 12, 6 * sizeof *m->rate);
    }
}

/* The impulses of the rows, kept with their contacts. */
static void add_impacts(struct sn__worker *w) {
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        if (c->row < 0) continue;
        for (int k = 0; k < 3; k++)
            c->impact[k] += w->f[c->row] * c->normal[k];
        for (int r = c->row + 1, t = 0; r < w->nrow && w->row[r].normal == c->row; r++, t++)
            for (int k = 0; k < 3; k++)
                c->impact[k] += w->f[r] * c->tangent[t][k];
    }
}

/* Section 5: one acceleration problem with delta t = 1, all impacts at once. */
static void resolve_impacts(struct sn__worker *w, double h) {
    const double one = 1;
    sn__worker_solve_free(w, h); /* for the articulated inertias */
    take_velocities(w);
    w->level = SN__LEVEL_IMPACT;
    sn__worker_solve_constraints(w, h);
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        struct sn__pack *p = m->pack;
        if (!m->on || !m->nrow) continue;
        sn__worker_impulse(w, i, w->f, m->change);
        p->k->combine(p->model->nv, m->free_qd, 1, &one, (const void *const[]){m->change},
                      sn__hand_at(w, m, SN__QD));
    }
    add_impacts(w);
    w->stats.impacts++;
    sn__worker_place(w);
    sn__worker_refresh_approach(w);
}

/* ------------------------------------------------------------------------------------------ accelerations */

/* The step the drives look ahead, in the copy at hand alone. */
static void set_dt(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        m->pack->def.dt = h; /* of this worker's view: other copies set their own */
        sn__pack_update_character(m->pack, w->copy);
    }
}

/* Accelerations under the constraints into QDD; velocities that positions have beyond them into moved_qd. */
static void accelerate(struct sn__worker *w, double h) {
    const double one = 1, over = 1 / h, under = -1 / h;
    set_dt(w, h);
    sn__worker_solve_free(w, h);
    w->level = SN__LEVEL_ACCELERATION;
    const bool biased = sn__worker_solve_constraints(w, h);
    sn__worker_read_rows(w, h);
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        struct sn__pack *p = m->pack;
        const int nv = p->model->nv;
        memset(m->moved_qd, 0, sn__pack_bytes(p, nv));
        if (m->nrow) {
            void *qd = sn__hand_at(w, m, SN__QD);
            if (biased) sn__worker_impulse(w, i, w->f_moved, m->moved_qd);
            sn__worker_impulse(w, i, w->f, m->change);
            if (biased)
                p->k->combine(nv, m->moved_qd, 1, &(double){-1}, (const void *const[]){m->change},
                              m->moved_qd);
            p->k->combine(nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->free_qd);
            p->k->combine(nv, m->zero, 2, (const double[]){over, under},
                          (const void *const[]){m->free_qd, qd}, sn__hand_at(w, m, SN__QDD));
        }
        if (p->def.report_torque) sn__worker_torque(w, i, h);
        sn__hand_save(w, m, m->start);
    }
}

/* ----------------------------------------------------------------------------------------------- attempts */

static void integrate(struct sn__worker *w, double h) {
    const double one = 1;
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        struct sn__pack *p = m->pack;
        const int nv = p->model->nv;
        void *qd = sn__hand_at(w, m, SN__QD);
        sn__hand_load(w, m, m->start);
        p->k->combine(nv, qd, 1, &h, (const void *const[]){sn__hand_at(w, m, SN__QDD)}, qd);
        p->k->combine(nv, qd, 1, &one, (const void *const[]){m->moved_qd}, m->change);
        p->k->integrate(p->tree, h, m->zero, sn__hand_at(w, m, SN__Q), m->change, 0);
    }
    sn__world_move_grounds(w->solid, w->world, h);
}

/* Whether something that did not touch before is now in something else. What touched already may be a little
   deeper. */
static bool need_backtrack(const struct sn__worker *w) {
    const double touch = sn__world_touch_gap(w->world);
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
static double substep(struct sn__worker *w, double left) {
    const double shortest = w->world->def.shortest * w->world->def.dt;
    if (need_impact(w)) resolve_impacts(w, left);
    accelerate(w, left);
    for (double h = left;; h *= 0.5) {
        integrate(w, h);
        if (sn__worker_check(w)) return 0;
        sn__worker_place(w);
        sn__worker_find_contacts(w, left);
        if (h * 0.5 < shortest || !need_backtrack(w)) return h;
        sn__worker_take_contacts_back(w);
        sn__world_move_grounds(w->solid, w->world, -h);
    }
}

static void give_up(struct sn__worker *w) {
    sn__worker_go_back(w);
    memcpy(w->contact, w->before, sizeof *w->before * (size_t)w->nbefore);
    w->ncontact = w->nbefore;
    w->nlast = 0;
}

sn_status sn__worker_step_event(struct sn__worker *w) {
    const double dt = w->world->def.dt;
    sn_status status = SN_OK;
    int substeps = 0;
    w->iterations = 0;
    memcpy(w->before, w->contact, sizeof *w->before * (size_t)w->ncontact);
    w->nbefore = w->ncontact;
    for (int i = 0; i < w->ncontact; i++)
        memset(w->contact[i].impact, 0, sizeof w->contact[i].impact);
    sn__worker_back_up(w);
    sn__worker_place(w);
    sn__worker_find_contacts(w, dt);
    for (double left = dt; left > 1e-9 * dt && !status; substeps++) {
        const double h = substep(w, left);
        if (h == 0) status = SN_ERROR_NOT_FINITE;
        left -= h;
    }
    set_dt(w, dt);
    w->fires = sn__worker_impulses_wait(w);
    if (!status && (w->fires || need_impact(w))) {
        resolve_impacts(w, dt);
        status = sn__worker_check(w);
    }
    if (substeps > w->stats.substeps) w->stats.substeps = substeps;
    if (w->iterations > w->stats.iterations) w->stats.iterations = w->iterations;
    if (status) {
        give_up(w);
        return status;
    }
    for (int i = 0; i < w->ncontact; i++)
        for (int k = 0; k < 3; k++)
            w->contact[i].force[k] += w->contact[i].impact[k] / dt;
    memcpy(w->last, w->before, sizeof *w->before * (size_t)w->nbefore); /* what the step began with */
    w->nlast = w->nbefore;
    w->stats.contacts += w->ncontact;
    sn__worker_ties_end(w);
    return SN_OK;
}
