/* Accelerations under the drives, with implicit contacts inside where the world wants them.
 *
 * An implicit contact is a damper B = time constant / compliance on the velocity beyond what is wanted, which holds
 *
 *     gap > 0:  -gap / h            speculative: the point may come to the surface and no further
 *     gap < 0:  min(-gap / tau, 1)  recovery
 *     across:   0.2 (anchor - x) / h  where it sticks, so that it does not creep
 *
 * With no compliance given, B = 100 m_c / h with m_c an eighth of the character's mass. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

struct sn__args sn__member_args(const struct sn__member *m) {
    struct sn__args args = sn__pack_args(&m->character->pack, 0);
    if (!args.K) args.K = m->zero;
    args.contacts = m->contacts.count ? &m->contacts : NULL;
    return args;
}

/* The arrays of the kernel's contacts in the member's block of lanes. */
static void lay_out(struct sn__member *m) {
    const struct sn__pack *p = &m->character->pack;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width, n = (size_t)m->implicit_room;
    char *at = m->implicit_lanes;
    struct sn__contacts *c = &m->contacts;
    *c = (struct sn__contacts){.body = m->implicit_body};
    c->point = at, at += 3 * n * value;
    c->normal = at, at += 3 * n * value;
    c->wanted = at, at += 3 * n * value;
    c->Bn = at, at += n * value;
    c->Bt = at, at += n * value;
    c->mu = at, at += n * value;
    c->force = at, at += 3 * n * value;
    c->scratch = at;
}

/* Where the first body's point is relative to the second's. */
static void anchor_place(const struct sn__contact *c, const struct sn__solid *ground, double x[3]) {
    for (int k = 0; k < 3; k++)
        x[k] = c->pos[k] + 0.5 * c->gap * c->normal[k];
    if (ground->geom.type == SN__GEOM_PLANE || ground->geom.type == SN__GEOM_FIELD)
        for (int k = 0; k < 3; k++)
            x[k] -= ground->geom.pos[k];
    else {
        const double d[3] = {x[0] - ground->geom.pos[0], x[1] - ground->geom.pos[1],
                             x[2] - ground->geom.pos[2]};
        for (int k = 0; k < 3; k++)
            x[k] = ground->geom.R[0][k] * d[0] + ground->geom.R[1][k] * d[1] + ground->geom.R[2][k] * d[2];
    }
}

/* From the ground's own axes back to the world's. */
static void anchor_error(const struct sn__contact *c, const struct sn__solid *ground, const double x[3],
                         double e[3]) {
    double d[3] = {c->anchor[0] - x[0], c->anchor[1] - x[1], c->anchor[2] - x[2]};
    if (ground->geom.type == SN__GEOM_PLANE || ground->geom.type == SN__GEOM_FIELD)
        memcpy(e, d, sizeof d);
    else
        for (int k = 0; k < 3; k++)
            e[k] = ground->geom.R[k][0] * d[0] + ground->geom.R[k][1] * d[1] + ground->geom.R[k][2] * d[2];
    const double along = dvec_dot(e, c->normal);
    for (int k = 0; k < 3; k++)
        e[k] -= along * c->normal[k];
}

static void put_implicit(sn_world *w, struct sn__member *m, int index, double h, double B) {
    struct sn__contact *c = &w->contact[index];
    const struct sn__solid *solid = &w->solid[c->solid[0]], *ground = &w->solid[c->solid[1]];
    struct sn__contacts *set = &m->contacts;
    const int k = set->count++;
    const double *x = m->place + SN__PLACE * solid->body;
    double wanted[3], point[3], here[3], pull[3] = {0, 0, 0};
    sn__solid_velocity(w, ground, c->pos, wanted);
    anchor_place(c, ground, here);
    if (!c->anchored) {
        memcpy(c->anchor, here, sizeof here);
        c->anchored = true;
    }
    anchor_error(c, ground, here, pull);
    const double up = c->gap > 0 ? -c->gap / h : fmin(-c->gap / sn__world_recovery(w, h), 1);
    const double force[3] = {c->old ? c->force[0] : 0, c->old ? c->force[1] : 0, c->old ? c->force[2] : 0};
    for (int i = 0; i < 3; i++) {
        wanted[i] += up * c->normal[i] + 0.2 / h * pull[i];
        point[i] = c->pos[i] - x[i];
    }
    m->implicit_body[k] = solid->body;
    m->implicit_contact[k] = index;
    sn__member_spread(m, (void *)set->point, 3 * k, 3, point);
    sn__member_spread(m, (void *)set->normal, 3 * k, 3, c->normal);
    sn__member_spread(m, (void *)set->wanted, 3 * k, 3, wanted);
    sn__member_spread(m, (void *)set->Bn, k, 1, &B);
    sn__member_spread(m, (void *)set->Bt, k, 1, &B);
    sn__member_spread(m, (void *)set->mu, k, 1, w->def.friction == SN_FRICTION_NONE ? &(double){0} : &c->mu);
    sn__member_spread(m, set->force, 3 * k, 3, force);
}

/* Contacts come in the order of solids, and solids of a member in the order of bodies; planes come before shapes,
   so that the bodies of two kinds of ground are merged by insertion. */
static void gather_implicit(sn_world *w, int member, double h) {
    struct sn__member *m = &w->member[member];
    m->contacts.count = 0;
    if (w->def.contact != SN_CONTACT_IMPLICIT || !m->nsolid) return;
    lay_out(m);
    const double mass = m->character->pack.model->mass / 8;
    const double B = w->def.compliance > 0 ? sn__world_recovery(w, h) / w->def.compliance : 100 * mass / h;
    m->contacts.soft = 4 * mass / h;
    m->contacts.sweeps = w->def.sweeps;
    m->contacts.tolerance = w->def.sweep_tolerance;
    for (int body = 0; body < m->character->pack.model->nbody; body++) {
        for (int i = 0; i < w->ncontact; i++) {
            const struct sn__contact *c = &w->contact[i];
            const struct sn__solid *s = &w->solid[c->solid[0]];
            if (!c->implicit || s->member != member || s->body != body) continue;
            if (m->contacts.count == m->implicit_room) {
                w->stats.dropped++;
                continue;
            }
            put_implicit(w, m, i, h, B);
        }
    }
}

/* Forces of the implicit contacts as the solve left them. Where friction is at its bound the anchor follows. */
static void read_implicit(sn_world *w, int member) {
    struct sn__member *m = &w->member[member];
    for (int k = 0; k < m->contacts.count; k++) {
        struct sn__contact *c = &w->contact[m->implicit_contact[k]];
        const struct sn__solid *ground = &w->solid[c->solid[1]];
        const size_t offset =
            (size_t)(3 * k) * m->character->pack.k->elem_size * (size_t)m->character->pack.k->info.width;
        sn__member_gather(m, (const char *)m->contacts.force + offset, 3, c->force);
        const double fn = dvec_dot(c->force, c->normal), ft2 = dvec_dot(c->force, c->force) - fn * fn;
        c->sliding = fn > 0 && ft2 >= 0.998 * c->mu * c->mu * fn * fn;
        if (!(fn > 0) || c->sliding) anchor_place(c, ground, c->anchor);
    }
}

void sn__world_solve_free(sn_world *w, double h) {
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        if (!m->active) continue;
        gather_implicit(w, i, h);
        struct sn__args args = sn__member_args(m);
        void *qdd = p->field[SN__QDD];
        if (args.spring) p->k->springs(&args, p->field[SN__SPRING]);
        m->sweeps = p->k->solve(&args, qdd);
        if (m->sweeps > w->stats.sweeps && args.contacts) w->stats.sweeps = m->sweeps;
        p->k->combine(p->model->nv, p->field[SN__QD], 1, &h, (const void *const[]){qdd}, m->free_qd);
        if (args.contacts) read_implicit(w, i);
        if (!sn__world_has_rows(w)) continue;
        p->k->velocities(&args, m->free_qd, m->rate_lanes);
        sn__member_gather(m, m->rate_lanes, 6 * p->model->nbody, m->rate);
        sn__member_gather(m, m->free_qd, p->model->nv, m->qd);
    }
}

/* Whether anything may make rows in this step. */
bool sn__world_has_rows(const sn_world *w) {
    if (w->ntie) return true;
    for (int i = 0; i < w->nmember; i++)
        if (w->def.joint_limits && w->member[i].nlimit) return true;
    for (int i = 0; i < w->ncontact; i++)
        if (!w->contact[i].implicit) return true;
    return false;
}
