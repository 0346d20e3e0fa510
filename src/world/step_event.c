/* The event stepper, kokkevis-2004 section 7: accelerations under the constraints that hold now; a step that ends in
 * a new penetration is halved back to the time of contact; impacts change velocities at once. No substep is shorter
 * than a given part of dt, so that a step always ends. */
#include <math.h>
#include <string.h>

#include "world/constraints.h"
#include "world/rows.h"
#include "world/step.h"
#include "model/joint.h"

static const double FAR =
    0.02; /* rad or m in a step: what goes less far has the same velocity products throughout */

double sn__world_touch_gap(const sn_world *w) {
    return w->def.slop > 1e-5 ? w->def.slop : 1e-5;
}

/* The step the drives look ahead, in the current copy alone. */
static void set_dt(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        m->pack->def.dt = h; /* of this worker's view: other copies set their own */
        sn__pack_update_character(m->pack, w->copy);
    }
}

/* ------------------------------------------------------------------------------------------------ impacts */

/* Contacts that touch and come closer, joints that run into their limits: line 12 of the paper's procedure. */
static bool need_impact(const struct sn__worker *w) {
    for (int i = 0; i < w->ncontact; i++)
        if (w->contact[i].gap < sn__world_touch_gap(w->world) && w->contact[i].approach < -1e-4) return true;
    return sn__worker_hits_stops(w);
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

/* An impact is too short for a drive with a torque limit to do anything: what is left of its K is passive. */
static void weaken_drives(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on || !m->pack->torque_limits) continue;
        const struct sn__pack *p = m->pack;
        for (int v = 0; v < p->model->nv; v++) {
            const bool limited = isfinite(sn__pack_value(p, SN__LIMIT, w->copy, v));
            m->values[v] = sn__pack_value(p, limited ? SN__K_PASSIVE : SN__K, w->copy, v);
        }
        sn__hand_spread(m, m->impact_K, 0, p->model->nv, m->values);
    }
}

/* Section 5: one acceleration problem with delta t = 1, all impacts at once. */
static void resolve_impacts(struct sn__worker *w, double h) {
    const double one = 1;
    w->level = SN__LEVEL_IMPACT;
    set_dt(w, h);
    weaken_drives(w);
    sn__worker_expect_forces(w, h);
    sn__worker_solve_free(w, h); /* for the articulated inertias */
    take_velocities(w);
    sn__worker_solve_constraints(w, h);
    if (w->nrow) sn__worker_tame(w, w->f);
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
    sn__worker_find_contacts(w, h); /* who is faster now reaches further */
}

/* ---------------------------------------------------------------------------------------------- free flight */

/* Whether every root is free and not driven: with no contact in the way, the whole of it falls. */
static bool may_fall(const struct sn__worker *w, const struct sn__hand *m) {
    const sn_model *model = m->pack->model;
    if (model->has_lift) return false;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        if (body->parent >= 0) continue;
        if (!sn__joint_is_free(body)) return false;
        for (int k = body->v_index; k < body->v_index + 3; k++)
            if (sn__pack_value(m->pack, SN__KP, w->copy, k) != 0 ||
                sn__pack_value(m->pack, SN__KD, w->copy, k) != 0)
                return false;
    }
    return true;
}

/* Whether any row pushes the member. */
static bool is_pushed(const struct sn__worker *w, int member) {
    for (int i = 0; i < w->nrow; i++)
        for (int s = 0; s < 2; s++)
            if (w->f[i] != 0 && w->row[i].side[s].block == w->hand[member].seat) return true;
    return false;
}

/* Steps of dt put what falls on the parabola that starts with v + g dt / 2. Substeps of h stay on it when positions
   get h g (dt - h) / 2 more than semi-implicit Euler gives them: velocities are half of dt behind, not of h. */
static void fall(const struct sn__worker *w, const struct sn__hand *m, double h) {
    const sn_model *model = m->pack->model;
    double gravity[3];
    sn__hand_gravity(w, m, gravity);
    sn__hand_gather(m, m->change, model->nv, m->values);
    for (int b = 0; b < model->nbody; b++) {
        const int v = model->body[b].v_index;
        if (model->body[b].parent >= 0) continue;
        for (int k = 0; k < 3; k++)
            m->values[v + k] += 0.5 * (w->world->def.dt - h) * gravity[k];
        sn__hand_spread(m, m->change, v, 3, m->values + v);
    }
}

/* ------------------------------------------------------------------------------------------ accelerations */

/* What rows have done to a member: its acceleration, and the velocity that positions have beyond its own. */
static void take_rows(struct sn__worker *w, int member, double h, bool biased) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const int nv = p->model->nv;
    const double over[2] = {1 / h, -1 / h};
    if (biased) sn__worker_impulse(w, member, w->f_moved, m->moved_qd);
    memcpy(m->wrench, m->given, sizeof *m->wrench * (size_t)(6 * p->model->nbody));
    memcpy(m->tau, m->given_tau, sizeof *m->tau * (size_t)nv);
    p->k->combine(nv, m->zero, 2, over, (const void *const[]){m->known, sn__hand_at(w, m, SN__QD)},
                  sn__hand_at(w, m, SN__QDD));
}

/* Accelerations under the constraints into QDD; velocities that positions have beyond them into moved_qd. Members and rows
   in turn, as in the time stepper: torque limits and velocity products see what rows do. */
static sn_status accelerate(struct sn__worker *w, double h) {
    set_dt(w, h);
    w->level = SN__LEVEL_ACCELERATION;
    w->bounced = false;
    sn__worker_expect_forces(w, h);
    sn__worker_solve_free(w, h);
    const sn_status status = sn__worker_check_free(w);
    if (status) return status;
    const bool biased = sn__worker_solve_scene(w, h);
    sn__worker_read_rows(w, h);
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        memset(m->moved_qd, 0, sn__pack_bytes(m->pack, m->pack->model->nv));
        m->falls = may_fall(w, m) && !is_pushed(w, i);
        if (m->nrow) take_rows(w, i, h, biased);
        if (m->pack->def.report_torque) sn__worker_torque(w, i, h);
        sn__hand_save(w, m, m->start);
    }
    return SN_OK;
}

/* ----------------------------------------------------------------------------------------------- attempts */

/* From where the substep starts to the end of h, under QDD. */
static void move_member(struct sn__worker *w, struct sn__hand *m, double h) {
    const double one = 1;
    const struct sn__pack *p = m->pack;
    const int nv = p->model->nv;
    void *qd = sn__hand_at(w, m, SN__QD);
    sn__hand_load(w, m, m->start);
    p->k->combine(nv, qd, 1, &h, (const void *const[]){sn__hand_at(w, m, SN__QDD)}, qd);
    p->k->combine(nv, qd, 1, &one, (const void *const[]){m->moved_qd}, m->change);
    if (m->falls && h < w->world->def.dt) fall(w, m, h);
    p->k->integrate(p->tree, h, m->zero, sn__hand_at(w, m, SN__Q), m->change, 0);
}

static void integrate(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->nmember; i++)
        if (w->hand[i].on) move_member(w, &w->hand[i], h);
    sn__world_move_grounds(w->solid, w->world, h);
}

void sn__worker_substep_less(struct sn__worker *w, int member, const struct sn__less *less, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const double over[2] = {1 / h, -1 / h};
    const char *start_qd = (const char *)m->start + sn__pack_bytes(p, p->model->nq);
    void *qdd = sn__hand_at(w, m, SN__QDD);
    memcpy(qdd, sn__hand_at(w, m, SN__QD), sn__pack_bytes(p, p->model->nv));
    sn__hand_slow(m, qdd, less);
    p->k->combine(p->model->nv, m->zero, 2, over, (const void *const[]){qdd, start_qd}, qdd);
    sn__hand_slow(m, m->moved_qd, less);
    move_member(w, m, h);
}

/* The last resort against energy that nothing gave, as in the time stepper. */
static void slow(struct sn__worker *w, double h) {
    if (w->world->used_ties || !sn__worker_slow(w, h))
        return; /* what hangs swings, and shows more and less by turns */
    sn__worker_take_contacts_back(w);
    sn__worker_place(w);
    sn__worker_find_contacts(w, h);
}

/* Whether something that did not touch before is now in something else. What touched already may be a little
   deeper. */
static bool is_inside(const struct sn__worker *w) {
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

/* Half as far as two solids can go into each other and still be seen to be. */
static double thin_of(const struct sn__worker *w, const struct sn__contact *c) {
    const struct sn__geom *a = &w->solid[c->solid[0]].geom, *b = &w->solid[c->solid[1]].geom;
    return 0.5 * fmin(sn__geom_inner(a), sn__geom_inner(b));
}

/* Something may have passed through a point of contact that it was to meet, and be out again on the other side. The part
   of the way to the first of these points, 1: none. */
static double has_passed(const struct sn__worker *w) {
    const double touch = sn__world_touch_gap(w->world);
    double part = 1;
    for (int i = 0; i < w->nlast; i++) {
        const struct sn__contact *c = &w->last[i];
        const double *a = w->solid[c->solid[0]].geom.pos, *b = w->solid[c->solid[1]].geom.pos;
        if (c->gap < touch || isinf(w->solid[c->solid[1]].reach)) continue;
        double way = 0, all = 0;
        for (int k = 0; k < 3; k++) {
            const double d = a[k] - b[k] - c->apart[k];
            way -= c->normal[k] * d, all += d * d;
        }
        if (all > thin_of(w, c) * thin_of(w, c) && way > c->gap + touch) part = fmin(part, c->gap / way);
    }
    return part;
}

/* The next substep to try, or 0 when this one was short enough. A point or a joint's limit that has been passed says
   where that was; where this does not lead to it, and for all else, half. */
static double shorter(const struct sn__worker *w, double h, bool again) {
    double part = fmin(has_passed(w), sn__worker_passes_stops(w, h));
    if (part == 1) {
        if (!is_inside(w)) return 0;
        part = 0.5;
    }
    return h * (again ? fmin(part, 0.5) : part);
}

/* Whether a solve for another length of step leads to another motion: something turns, or flies, so far in the step that its
   velocity products change. Constraints look ahead to the end of the whole step, and stay as they were solved. */
static bool depends_on_length(const struct sn__worker *w, double h) {
    if (w->world->used_ties || w->world->def.products == SN_PRODUCTS_EXPLICIT) return false;
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *m = &w->hand[i];
        if (m->on && !m->pack->k->all_below(m->pack->model->nv, sn__hand_at(w, m, SN__QD), FAR / h))
            return true;
    }
    return false;
}

/* Back to where the substep starts, from where it was tried over h. */
static void take_attempt_back(struct sn__worker *w, double h) {
    sn__worker_take_contacts_back(w);
    sn__world_move_grounds(w->solid, w->world, -h);
}

/* Accelerations for a substep of h instead of the longer one that they were solved for: velocity products are those of the middle
   of it, and those of the middle of a longer one gain energy. */
static sn_status accelerate_again(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->nmember; i++)
        if (w->hand[i].on) sn__hand_load(w, &w->hand[i], w->hand[i].start);
    sn__worker_place(w);
    return accelerate(w, h);
}

/* One substep of at most `left`; what it covered, or 0 when a value stopped being finite. */
static double substep(struct sn__worker *w, double left) {
    const double shortest = w->world->def.shortest * w->world->def.dt;
    sn__worker_time(w, SN_STEP_PART_ROWS);
    if (need_impact(w)) resolve_impacts(w, left);
    if (accelerate(w, left)) return 0;
    bool again = false;
    for (double h = left, solved = left;; again = true) {
        sn__worker_time(w, SN_STEP_PART_MOVE);
        integrate(w, h);
        if (sn__worker_check(w) || w->lack.any) return 0;
        sn__worker_time(w, SN_STEP_PART_FIND);
        sn__worker_place(w);
        sn__worker_find_contacts(w, left);
        const double next = h > shortest ? shorter(w, h, again) : 0;
        if (!(next > 0) && (h == solved || !depends_on_length(w, solved))) {
            slow(w, h);
            return h;
        }
        take_attempt_back(w, h);
        if (next > 0) {
            h = fmax(next, shortest);
            continue;
        }
        solved = h;
        sn__worker_time(w, SN_STEP_PART_ROWS);
        if (accelerate_again(w, h)) return 0;
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
    if (!sn__worker_equip(w)) w->lack.any = w->lack.memory = true;
    if (w->lack.any) return (sn_status)SN__SHORT;
    sn__worker_back_up(w);
    sn__worker_time(w, SN_STEP_PART_FIND);
    sn__worker_place(w);
    sn__worker_find_contacts(w, dt);
    for (int i = 0; i < w->world->nmember; i++)
        w->hand[i].falls = w->hand[i].on && may_fall(w, &w->hand[i]);
    if (w->lack.any) status = (sn_status)SN__SHORT;
    for (double left = dt; left > 1e-9 * dt && !status; substeps++) {
        const double h = substep(w, left);
        if (h == 0) status = w->lack.any ? (sn_status)SN__SHORT : SN_ERROR_NOT_FINITE;
        left -= h;
    }
    sn__worker_time(w, SN_STEP_PART_OTHER);
    set_dt(w, dt);
    w->fires = sn__worker_impulses_wait(w);
    if (!status && (w->fires || need_impact(w))) {
        resolve_impacts(w, dt);
        status = w->lack.any ? (sn_status)SN__SHORT : sn__worker_check(w);
    }
    if (substeps > w->stats.substeps) w->stats.substeps = substeps;
    if (w->iterations > w->stats.iterations) w->stats.iterations = w->iterations;
    if (status) {
        sn__worker_unequip(w);
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
    sn__worker_unequip(w);
    return SN_OK;
}
