/* The drives' torque under contact: inverse dynamics with all forces of contacts and rows as pushes; what rows put on
 * joints, and what is passive, taken off. */
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

/* Adds a force through the body's kernel origin and a moment about it to the push, which is about the
   body's frame: the anchor lies between the two. */
static void add_wrench(const struct sn__member *m, int body, const double moment[3], const double force[3],
                       double *push) {
    const double *R = m->place + SN__PLACE * body + 3, *a = m->character->pack.model->body[body].joint.anchor;
    const double arm[3] = {R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
                           R[6] * a[0] + R[7] * a[1] + R[8] * a[2]};
    double shifted[3];
    dvec_cross(arm, force, shifted);
    for (int i = 0; i < 3; i++) {
        push[6 * body + i] += force[i];
        push[6 * body + 3 + i] += moment[i] + shifted[i];
    }
}

static void add_contact(const struct sn__member *m, int body, const struct sn__contact *c, double *push) {
    const double *x = m->place + SN__PLACE * body;
    const double r[3] = {c->pos[0] - x[0], c->pos[1] - x[1], c->pos[2] - x[2]};
    double moment[3];
    dvec_cross(r, c->force, moment);
    add_wrench(m, body, moment, c->force, push);
}

static void add_rows(const struct sn__member *m, double h, double *push) {
    for (int b = 0; b < m->character->pack.model->nbody; b++) {
        double x[6];
        for (int k = 0; k < 6; k++)
            x[k] = m->wrench[6 * b + k] / h;
        add_wrench(m, b, x, x + 3, push);
    }
}

/* Takes off what limits inside the solve do. */
static void take_limits(const struct sn__member *m, double *tau) {
    const struct sn__pack *p = &m->character->pack;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    for (int k = 0; k < m->contacts.nlimit; k++) {
        const sn_body_info *b = &p->model->body[m->limit_body[k]];
        double record[SN__LIMIT_FORCE + 1];
        const char *lanes = (const char *)m->limit_lanes + value * SN__LIMIT_VALUES * (size_t)k;
        sn__member_gather(m, lanes, SN__LIMIT_FORCE + 1, record);
        for (int j = 0; j < b->nv; j++)
            tau[b->v_index + j] -= record[SN__LIMIT_AXIS + j] * record[SN__LIMIT_FORCE];
    }
}

void sn__member_torque(sn_world *w, int member, double h) {
    struct sn__member *m = &w->member[member];
    struct sn__pack *p = &m->character->pack;
    const int nbody = p->model->nbody, nv = p->model->nv;
    double *push = m->character->row; /* room for 13 nbody values */
    memset(push, 0, sizeof *push * (size_t)(6 * nbody));
    if (p->has_push) sn__pack_get(p, SN__PUSH, 0, 6 * nbody, push);
    for (int k = 0; k < m->contacts.count; k++)
        add_contact(m, m->implicit_body[k], &w->contact[m->implicit_contact[k]], push);
    if (m->nrow) add_rows(m, h, push); /* as sn__world_impulse left them */
    sn__member_spread(m, m->push_lanes, 0, 6 * nbody, push);
    struct sn__args args = sn__pack_args(p, 0);
    args.push = m->push_lanes;
    sn__pack_torque(p, &args, p->field[SN__QDD], p->field[SN__TORQUE]);
    if (!m->nrow && !m->contacts.nlimit) return;
    double *tau = m->character->row;
    sn__pack_get(p, SN__TORQUE, 0, nv, tau);
    for (int v = 0; m->nrow && v < nv; v++)
        tau[v] -= m->tau[v] / h;
    take_limits(m, tau);
    sn__pack_put_shared(p, SN__TORQUE, nv, tau);
}
