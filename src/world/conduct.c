/* Reactions, limbs and assistance in a step: what is felt, which gains follow from it, and what the root's drive spent.
 *
 * With s the time since an impact on a joint, r the reaction, t_e and t_f the times of spd-2011 table 3, a joint has
 *
 *     r                        s < t_e
 *     r + (1 - r)(s - t_e)/t_f s < t_e + t_f        of its gains
 *     1                        from then on
 *
 * times the part to which it is driven. An animated joint gets the stiffness c^8 A I / h^2 in the full form on top, with c
 * the part to which it is animated and I the inertia it moves: tau = -k (e + h qd') takes q' = q + h qd' to the target, up
 * to 1 part in A. */
#include <math.h>
#include <string.h>

#include "world/conduct.h"
#include "world/probes.h"
#include "world/worker.h"
#include "model/joint.h"

static struct sn__limb *limbs_of(const struct sn__member *m, int copy) {
    return &m->conduct->limb[(size_t)copy * (size_t)m->model->nbody];
}

static double own_dt(const struct sn__pack *p, int copy, double h) {
    return p->field[SN__DT] ? sn__pack_value(p, SN__DT, copy, 0) : h;
}

/* ----------------------------------------------------------------------------------------------------- impacts */

/* Joints on the way from one body to another through the tree; more than nbody: there is none. */
static int joints_between(const sn_model *model, int a, int b) {
    int n = 0;
    while (
        a !=
        b) { /* bodies stand in depth-first order: the later one is the deeper of the two, or in another branch */
        int *later = a > b ? &a : &b;
        *later = model->body[*later].parent;
        if (*later < 0) return model->nbody + 1;
        n++;
    }
    return n;
}

void sn__conduct_strike(struct sn__member *m, int copy, int body) {
    struct sn__conduct *c = m->conduct;
    struct sn__limb *limb = limbs_of(m, copy);
    limb[body].hit = true;
    c->impacts[copy]++;
    for (int i = 0; i < m->model->nbody; i++) {
        if (sn__joint_is_free(&m->model->body[i]) && !c->def.root) continue;
        if (c->def.around >= 0 && joints_between(m->model, i, body) > c->def.around) continue;
        limb[i].since = 0;
    }
}

/* What is left of the impulses felt before, a step later. */
static double memory_of(const struct sn__conduct *c, double h) {
    return h < c->def.window ? 1 - h / c->def.window : 0;
}

static void felt_with(const struct sn__conduct *c, const struct sn__limb *limb, const double force[3],
                      double h, double felt[3]) {
    const double memory = memory_of(c, h);
    for (int k = 0; k < 3; k++)
        felt[k] = memory * limb->felt[k] + h * force[k];
}

/* Whether the forces [nbody][3] are a blow to some body that has not been hit in this step. */
static bool is_struck(struct sn__member *m, int copy, const double *force, double h) {
    struct sn__limb *limb = limbs_of(m, copy);
    const double least = m->conduct->def.threshold;
    bool any = false;
    for (int b = 0; b < m->model->nbody; b++) {
        double felt[3];
        if (limb[b].hit) continue;
        felt_with(m->conduct, &limb[b], force + 3 * b, h, felt);
        if (!(felt[0] * felt[0] + felt[1] * felt[1] + felt[2] * felt[2] > least * least)) continue;
        sn__conduct_strike(m, copy, b);
        any = true;
    }
    return any;
}

/* Forces on the bodies, added to force [nbody][3]: pushes; contacts of a list. */
static void add_pushes(const struct sn__pack *p, int copy, double *force) {
    if (!p->has_push) return;
    for (int b = 0; b < p->model->nbody; b++)
        for (int k = 0; k < 3; k++)
            force[3 * b + k] += sn__pack_value(p, SN__PUSH, copy, 6 * b + k);
}

static void add_contacts(const sn_world *w, const struct sn__member *m, const struct sn__contact *list, int n,
                         double *force) {
    for (int i = 0; i < n; i++) {
        const struct sn__contact *x = &list[i];
        const int other[2] = {w->solid[x->solid[1]].member, w->solid[x->solid[0]].member};
        for (int s = 0; s < 2 && !x->probe; s++) {
            const struct sn__solid *solid = &w->solid[x->solid[s]];
            if (solid->member != m->number || (other[s] < 0 && !m->conduct->def.ground)) continue;
            for (int k = 0; k < 3; k++)
                force[3 * solid->body + k] += s ? -x->force[k] : x->force[k];
        }
    }
}

bool sn__conduct_hit(struct sn__worker *w) {
    bool any = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *h = &w->hand[i];
        struct sn__member *m = h->member;
        if (!h->on || !m->conduct || !m->conduct->reacts || !w->nrow) continue;
        double *force = h->values;
        memset(force, 0, 3 * sizeof *force * (size_t)m->model->nbody);
        add_pushes(&m->pack, w->copy, force);
        add_contacts(w->world, m, w->contact, w->ncontact, force);
        any |= is_struck(m, w->copy, force, w->world->def.dt);
    }
    return any;
}

/* ------------------------------------------------------------------------------------------------------- gains */

static double recovered(const sn_reaction_def *d, double since) {
    if (since < 0) return 1;
    if (since < d->hold) return d->reaction;
    if (since < d->hold + d->recover)
        return d->reaction + (1 - d->reaction) * ((since - d->hold) / d->recover);
    return 1;
}

static double share(const struct sn__limb *l, int which) {
    if (l->gone >= l->lasts) return l->will[which];
    return l->was[which] + (l->will[which] - l->was[which]) * (l->gone / l->lasts);
}

/* The gains of a joint, where they are others than its drives have. */
static void set_joint(struct sn__member *m, int copy, int body, bool always) {
    const struct sn__conduct *c = m->conduct;
    struct sn__limb *l = &limbs_of(m, copy)[body];
    const sn_body_info *b = &m->model->body[body];
    const double a = share(l, SN__ANIMATED), a2 = a * a, held = a2 * a2 * a2 * a2;
    const double scale = share(l, SN__DRIVEN) * (c->reacts ? recovered(&c->def, l->since) : 1);
    if (!always && scale == l->scale && held == l->held) return;
    l->scale = scale, l->held = held;
    const size_t at = (size_t)copy * (size_t)m->model->nv;
    for (int v = b->v_index; v < b->v_index + b->nv; v++)
        sn__pack_put_drive(&m->pack, copy, v, scale * c->kp[at + (size_t)v], scale * c->kd[at + (size_t)v],
                           held * c->stiff[v]);
}

void sn__conduct_begin(const sn_world *w, struct sn__member *m, int copy, double h) {
    struct sn__conduct *c = m->conduct;
    h = own_dt(&m->pack, copy, h);
    if (c->reacts && m->pack.has_push) {
        struct sn__limb *limb = limbs_of(m, copy);
        for (int b = 0; b < m->model->nbody; b++) { /* one by one: nobody has room for all of them here */
            double force[3], felt[3];
            for (int k = 0; k < 3; k++)
                force[k] = sn__pack_value(&m->pack, SN__PUSH, copy, 6 * b + k);
            if (limb[b].hit || (force[0] == 0 && force[1] == 0 && force[2] == 0)) continue;
            felt_with(c, &limb[b], force, h, felt);
            if (felt[0] * felt[0] + felt[1] * felt[1] + felt[2] * felt[2] >
                c->def.threshold * c->def.threshold)
                sn__conduct_strike(m, copy, b);
        }
    }
    const bool always = c->seen[copy] != w->changed;
    c->seen[copy] = w->changed;
    for (int b = 0; b < m->model->nbody; b++)
        set_joint(m, copy, b, always);
}

/* ------------------------------------------------------------------------------------------------- after a step */

/* With the velocity in the middle of the step, by which the kinetic energy changes. */
static void keep_books(struct sn__member *m, int copy, double h) {
    const struct sn__conduct *c = m->conduct;
    const struct sn__pack *p = &m->pack;
    sn_assistance *aid = &c->aid[copy];
    double work = 0, length[2];
    for (int half = 0; half < 2; half++) {
        double *x = half ? aid->torque : aid->force, square = 0;
        for (int k = 0; k < 3; k++) {
            const int v = m->model->body[0].v_index + 3 * half + k;
            const double middle =
                sn__pack_value(p, SN__QD, copy, v) - 0.5 * h * sn__pack_value(p, SN__QDD, copy, v);
            x[k] = sn__pack_value(p, SN__TORQUE, copy, v);
            work += h * x[k] * middle;
            square += x[k] * x[k];
        }
        length[half] = sqrt(square);
    }
    if (length[0] > aid->peak_force) aid->peak_force = length[0];
    if (length[1] > aid->peak_torque) aid->peak_torque = length[1];
    aid->impulse += h * length[0], aid->angular_impulse += h * length[1];
    aid->work += work, aid->effort += fabs(work);
    if (length[0] >= 0.999 * c->budget[0] || length[1] >= 0.999 * c->budget[1]) aid->at_budget += h;
}

void sn__conduct_end(const sn_world *w, struct sn__member *m, int copy, double h) {
    struct sn__conduct *c = m->conduct;
    struct sn__limb *limb = limbs_of(m, copy);
    const struct sn__copy *now = &w->copy[copy];
    double *force = c->force + (size_t)copy * 3 * (size_t)m->model->nbody;
    h = own_dt(&m->pack, copy, h);
    if (c->reacts) {
        memset(force, 0, 3 * sizeof *force * (size_t)m->model->nbody);
        add_pushes(&m->pack, copy, force);
        if (c->def.ground) sn__probes_force(&m->pack, copy, force);
        if (w->spread) add_contacts(w, m, now->contact, now->ncontact, force);
        is_struck(m, copy, force, h);
    }
    for (int b = 0; b < m->model->nbody; b++) {
        struct sn__limb *l = &limb[b];
        if (l->hit)
            memset(l->felt, 0, sizeof l->felt);
        else if (c->reacts)
            felt_with(c, l, force + 3 * b, h, l->felt);
        l->hit = false;
        if (l->since >= 0) l->since += h;
        if (l->since >= c->def.hold + c->def.recover) l->since = -1;
        if (l->gone < l->lasts) l->gone += h;
    }
    if (c->assisted) keep_books(m, copy, h);
}
