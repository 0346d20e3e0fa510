/* Where the bodies at the ends of constraints are, were and will be, in plain double.
 *
 * Rows know velocities J(q) qd at the pose the step begins with. A point on a body that turns moves on a curve, and what it
 * covers in the step is not h J qd: paths look at the poses themselves. */
#include "base/quat.h"
#include "motion/motion.h"
#include "world/world.h"

/* The joint's own values of q (+) t (qd + bend qdd). */
static void joint_at(const struct sn__pack *p, int copy, const sn_body_info *b, double t, double bend,
                     double q[7]) {
    double moved[6];
    for (int k = 0; k < b->nq; k++)
        q[k] = sn__pack_value(p, SN__Q, copy, b->q_index + k);
    if (t == 0) return;
    for (int k = 0; k < b->nv; k++) {
        double v = sn__pack_value(p, SN__QD, copy, b->v_index + k);
        if (bend != 0) v += bend * sn__pack_value(p, SN__QDD, copy, b->v_index + k);
        moved[k] = t * v;
    }
    const int turns = sn__quaternion_of(b), plain = turns < 0 ? b->nv : turns;
    for (int k = 0; k < plain; k++)
        q[k] += moved[k];
    if (turns < 0) return;
    double turn[4];
    dquat_exp(moved + plain, turn);
    dquat_multiply(q + plain, turn, q + plain);
    dquat_normalise(q + plain);
}

struct sn__frame sn__frame_at(const struct sn__pack *p, int copy, int body, double t, double bend) {
    const sn_body_info *b = &p->model->body[body];
    struct sn__frame before = {.rot = {1, 0, 0, 0}}, f;
    double q[7];
    if (b->parent >= 0) before = sn__frame_at(p, copy, b->parent, t, bend);
    joint_at(p, copy, b, t, bend, q);
    sn__pose_of_body(b, q, before.pos, before.rot, f.pos, f.rot);
    return f;
}
