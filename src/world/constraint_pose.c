/* Where the bodies at the ends of constraints are, were and will be, in plain double.
 *
 * Rows know velocities J(q) qd at the pose the step begins with. A point on a body that turns moves on a curve, and what it
 * covers in the step is not h J qd: paths look at the poses themselves. */
#include <string.h>

#include "base/quat.h"
#include "motion/motion.h"
#include "world/constraints.h"
#include "world/fields.h"

/* How a pose goes on: for a time t at qd + bend qdd, or at a velocity that is given. */
struct motion {
    double t, bend;
    const double *velocity; /* [nv], or NULL */
};

static double speed_of(const struct sn__pack *p, int copy, int v, const struct motion *m) {
    if (m->velocity) return m->velocity[v];
    double speed = sn__pack_value(p, SN__QD, copy, v);
    if (m->bend != 0) speed += m->bend * sn__pack_value(p, SN__QDD, copy, v);
    return speed;
}

/* The joint's own values of the pose. */
static void joint_at(const struct sn__pack *p, int copy, const sn_body_info *b, const struct motion *m,
                     double q[7]) {
    double moved[6];
    for (int k = 0; k < b->nq; k++)
        q[k] = sn__pack_value(p, SN__Q, copy, b->q_index + k);
    if (m->t == 0) return;
    for (int k = 0; k < b->nv; k++)
        moved[k] = m->t * speed_of(p, copy, b->v_index + k, m);
    const int turns = sn__quaternion_of(b), plain = turns < 0 ? b->nv : turns;
    for (int k = 0; k < plain; k++)
        q[k] += moved[k];
    if (turns < 0) return;
    double turn[4];
    dquat_exp(moved + plain, turn);
    dquat_multiply(q + plain, turn, q + plain);
    dquat_normalise(q + plain);
}

static struct sn__frame on_parent(const struct sn__pack *p, int copy, int body, const struct motion *m,
                                  const struct sn__frame *parent) {
    const sn_body_info *b = &p->model->body[body];
    struct sn__frame f;
    double q[7];
    joint_at(p, copy, b, m, q);
    sn__pose_of_body(b, q, parent->pos, parent->rot, f.pos, f.rot);
    return f;
}

static const struct sn__frame WORLD = {.rot = {1, 0, 0, 0}};

struct sn__frame sn__frame_now(const struct sn__pack *p, int copy, int body) {
    const int parent = p->model->body[body].parent;
    const struct sn__frame before = parent < 0 ? WORLD : sn__frame_now(p, copy, parent);
    return on_parent(p, copy, body, &(struct motion){0}, &before);
}

/* Constraints of one member share the way to the root: each body is looked at once. */
struct sn__frame sn__hand_frame(const struct sn__worker *w, struct sn__hand *m, int body, int moment,
                                double h, double bend) {
    const struct sn__pack *p = m->pack;
    const int at = moment * p->model->nbody + body, parent = p->model->body[body].parent;
    if (!m->framed[at]) {
        const struct sn__frame before = parent < 0 ? WORLD : sn__hand_frame(w, m, parent, moment, h, bend);
        const bool free = moment == SN__MOMENT_FREE;
        const struct motion go = {free ? h : 0.5 * (moment - SN__MOMENT_NOW) * h, bend, free ? m->qd : NULL};
        m->frame[at] = on_parent(p, w->copy, body, &go, &before);
        m->framed[at] = 1;
    }
    return m->frame[at];
}

void sn__worker_forget_frames(struct sn__worker *w) {
    for (int i = w->crew; i >= 0 && w->world->used_ties; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        m->accelerated = false;
        if (m->on) memset(m->framed, 0, SN__MOMENT_ROOM * (size_t)m->pack->model->nbody);
    }
}
