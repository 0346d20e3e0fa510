/* Accelerations under the drives, with implicit contacts inside where the world wants them.
 *
 * An implicit contact is a damper B = time constant / compliance on the velocity beyond what is wanted, which holds
 *
 *     gap > 0:  -gap / h            speculative: the point may come to the surface and no further
 *     gap < 0:  min(-gap / tau, 1)  recovery
 *     across:   -0.2 slip / h       the slip since it stuck, so that it does not creep
 *
 * With no compliance given, B = 100 m_c / h with m_c an eighth of the character's mass. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

struct sn__args sn__member_args(const struct sn__member *m) {
    struct sn__args args = sn__pack_args(&m->character->pack, 0);
    if (!args.K) args.K = m->zero;
    args.contacts = m->contacts.count || m->contacts.nlimit ? &m->contacts : NULL;
    return args;
}

/* How far the body's material has slipped since the contact stuck, and must go back: what rolls does not
   slip. */
static void follow_slip(const sn_world *w, struct sn__contact *c, const double ground[3], double h) {
    double u[3];
    if (!c->anchored) memset(c->anchor, 0, sizeof c->anchor);
    c->anchored = true;
    sn__solid_velocity(w, &w->solid[c->solid[0]], c->pos, u);
    const bool stuck = c->old && !c->sliding && dvec_dot(c->force, c->normal) > 0;
    for (int k = 0; k < 3 && stuck; k++)
        c->anchor[k] -= h * (u[k] - ground[k]);
    const double along = dvec_dot(c->anchor, c->normal);
    for (int k = 0; k < 3; k++)
        c->anchor[k] -= along * c->normal[k];
    const double size2 = dvec_dot(c->anchor, c->anchor), most = 1e-3; /* creep, not a way back */
    for (int k = 0; k < 3 && size2 > most * most; k++)
        c->anchor[k] *= most / sqrt(size2);
}

/* The record of a contact for the kernel. */
static void put_implicit(sn_world *w, struct sn__member *m, int k, double h, double B) {
    struct sn__contact *c = &w->contact[m->implicit_contact[k]];
    const struct sn__solid *solid = &w->solid[c->solid[0]], *ground = &w->solid[c->solid[1]];
    const double *x = m->place + SN__PLACE * solid->body;
    const double up = c->gap > 0 ? -c->gap / h : fmin(-c->gap / sn__world_recovery(w, h), 1);
    double record[SN__REST], *wanted = record + SN__WANTED;
    wanted[0] = wanted[1] = wanted[2] = 0;
    if (ground->moves) sn__solid_velocity(w, ground, c->pos, wanted);
    follow_slip(w, c, wanted, h);
    for (int i = 0; i < 3; i++) {
        record[SN__POINT + i] = c->pos[i] - x[i];
        record[SN__NORMAL + i] = c->normal[i];
        record[SN__FORCE + i] = c->old ? c->force[i] : 0;
        wanted[i] += up * c->normal[i] + 0.2 / h * c->anchor[i];
    }
    record[SN__BN] = record[SN__BT] = B;
    record[SN__MU] = w->def.friction == SN_FRICTION_NONE ? 0 : c->mu;
    m->implicit_body[k] = solid->body;
    sn__member_spread(m, m->implicit_lanes, SN__CONTACT_VALUES * k, SN__REST, record);
}

/* Which contacts are whose, in the order of bodies. Contacts with planes and fields come first and in that
   order already; those with other ground are sorted in. */
static void share_out(sn_world *w) {
    for (int i = 0; i < w->nmember; i++)
        w->member[i].contacts.count = w->member[i].contacts.nlimit = 0;
    for (int i = 0; i < w->ncontact; i++) {
        if (!w->contact[i].implicit) continue;
        const struct sn__solid *s = &w->solid[w->contact[i].solid[0]];
        struct sn__member *m = &w->member[s->member];
        if (m->contacts.count == m->implicit_room) {
            w->stats.dropped++;
            continue;
        }
        int k = m->contacts.count++;
        for (; k > 0 && w->solid[w->contact[m->implicit_contact[k - 1]].solid[0]].body > s->body; k--)
            m->implicit_contact[k] = m->implicit_contact[k - 1];
        m->implicit_contact[k] = i;
    }
}

static void gather_implicit(sn_world *w, int member, double h) {
    struct sn__member *m = &w->member[member];
    if (w->def.joint_limits && m->nlimit) sn__world_limit_dampers(w, member, h);
    const double mass = m->character->pack.model->mass / 8;
    const double B = w->def.compliance > 0 ? sn__world_recovery(w, h) / w->def.compliance : 100 * mass / h;
    for (int k = 0; k < m->contacts.count; k++)
        put_implicit(w, m, k, h, B);
    m->contacts.body = m->implicit_body, m->contacts.limit_body = m->limit_body;
    m->contacts.value = m->implicit_lanes, m->contacts.limit = m->limit_lanes;
    m->contacts.small = mass * 0.1; /* N: a hundredth of the weight of an eighth */
    m->contacts.sweeps = w->def.sweeps;
    m->contacts.tolerance = w->def.sweep_tolerance;
}

/* Forces of the implicit contacts as the solve left them. Where friction is at its bound the anchor
   follows. */
static void read_implicit(sn_world *w, int member) {
    struct sn__member *m = &w->member[member];
    const struct sn__pack *p = &m->character->pack;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    for (int k = 0; k < m->contacts.count; k++) {
        struct sn__contact *c = &w->contact[m->implicit_contact[k]];
        const char *record = (const char *)m->implicit_lanes + value * SN__CONTACT_VALUES * (size_t)k;
        sn__member_gather(m, record + value * SN__FORCE, 3, c->force);
        const double fn = dvec_dot(c->force, c->normal), ft2 = dvec_dot(c->force, c->force) - fn * fn;
        c->sliding = fn > 0 && ft2 >= 0.98 * c->mu * c->mu * fn * fn;
        if (!(fn > 0) || c->sliding) memset(c->anchor, 0, sizeof c->anchor);
    }
    for (int i = 0; i < m->nlimit; i++)
        m->limit[i].pushing = 0;
    for (int k = 0; k < m->contacts.nlimit; k++) {
        double force;
        const char *record = (const char *)m->limit_lanes + value * SN__LIMIT_VALUES * (size_t)k;
        sn__member_gather(m, record + value * SN__LIMIT_FORCE, 1, &force);
        const int side = m->limit_side[k];
        if (force > 0) m->limit[side / SN__SIDES].pushing |= 1U << side % SN__SIDES;
    }
}

void sn__world_solve_free(sn_world *w, double h) {
    const bool rows = sn__world_has_rows(w);
    if (w->def.contact == SN_CONTACT_IMPLICIT) share_out(w);
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        struct sn__pack *p = &m->character->pack;
        if (!m->active) continue;
        if (w->def.contact == SN_CONTACT_IMPLICIT) gather_implicit(w, i, h);
        struct sn__args args = sn__member_args(m);
        void *qdd = p->field[SN__QDD];
        if (args.spring) p->k->springs(&args, p->field[SN__SPRING]);
        m->sweeps = p->k->solve(&args, qdd);
        if (m->sweeps > w->stats.sweeps && args.contacts) w->stats.sweeps = m->sweeps;
        p->k->combine(p->model->nv, p->field[SN__QD], 1, &h, (const void *const[]){qdd}, m->free_qd);
        if (args.contacts) read_implicit(w, i);
        if (!rows) continue;
        p->k->rows->velocities(&args, m->free_qd, m->rate);
        sn__member_gather(m, m->free_qd, p->model->nv, m->qd);
    }
}

/* Whether anything may make rows in this step. */
bool sn__world_has_rows(const sn_world *w) {
    if (w->ntie) return true;
    for (int i = 0; i < w->nmember; i++)
        if (w->def.joint_limits && w->def.contact != SN_CONTACT_IMPLICIT && w->member[i].nlimit) return true;
    for (int i = 0; i < w->ncontact; i++)
        if (!w->contact[i].implicit) return true;
    return false;
}
