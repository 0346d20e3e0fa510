/* The drives' torque under contacts and rows: inverse dynamics with all their forces as pushes (maba-2020 eq. 5), less
 * what limits and rows on joints put there. */
#include <string.h>

#include "base/quat.h"
#include "world/rows.h"

/* Adds a force through the body's kernel origin and a moment about it to the push, which is about the body's frame: the
   anchor lies between the two. */
/* A moment and a force about a body's joint, added to its push, which is about its origin. */
static void add_wrench(const struct sn__hand *m, int body, const double moment[3], const double force[3],
                       double *push) {
    const double *R = m->place + SN__PLACE * body + 3, *a = m->pack->model->body[body].joint.anchor;
    const double arm[3] = {R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
                           R[6] * a[0] + R[7] * a[1] + R[8] * a[2]};
    double shifted[3];
    dvec_cross(arm, force, shifted);
    for (int i = 0; i < 3; i++) {
        push[6 * body + i] += force[i];
        push[6 * body + 3 + i] += moment[i] + shifted[i];
    }
}

void sn__hand_push(const struct sn__hand *m, const double *impulse, double h, void *push) {
    const int nbody = m->pack->model->nbody;
    for (int b = 0; b < nbody; b++) {
        double x[6];
        for (int k = 0; k < 6; k++)
            x[k] = impulse[6 * b + k] / h;
        add_wrench(m, b, x, x + 3, m->values);
    }
    sn__hand_spread(m, push, 0, 6 * nbody, m->values);
}

/* All pushes, with the forces of rows as sn__worker_impulse and sn__worker_read_braces left them. */
static void gather_pushes(const struct sn__worker *w, struct sn__hand *m, double h) {
    const struct sn__pack *p = m->pack;
    const int nbody = p->model->nbody;
    memset(m->values, 0, sizeof *m->values * (size_t)(6 * nbody));
    if (p->has_push) sn__pack_get(p, SN__PUSH, w->copy, 6 * nbody, m->values);
    sn__hand_push(m, m->wrench, h, m->push);
}

void sn__worker_torque(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const int nv = p->model->nv;
    struct sn__args args = sn__hand_args(w, m);
    /* in float, torques with limits are the drives' own, which know nothing of rows */
    const bool rows = (m->nrow || m->nbrace) && !(p->def.precision == SN_PRECISION_FLOAT && args.limit);
    args.torque = sn__hand_at(w, m, SN__TORQUE);
    args.middle = sn__hand_at(w, m, SN__MIDDLE);
    args.ground = sn__hand_ground(m);
    if (rows) gather_pushes(w, m, h), args.push = m->push;
    p->k->torque(&args, sn__hand_at(w, m, SN__QDD));
    if (!rows) return;
    double *tau = m->values;
    sn__pack_get(p, SN__TORQUE, w->copy, nv, tau);
    for (int v = 0; v < nv; v++)
        tau[v] -= m->tau[v] / h;
    sn__hand_spread(m, sn__hand_at(w, m, SN__TORQUE), 0, nv, tau);
}
