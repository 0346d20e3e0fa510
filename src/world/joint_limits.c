/* Joint limits as rows (kokkevis-2004 section 8.2): a joint may reach its limit in this step and not pass it. A ball
 * has a cone for its swing and two sides for its twist.
 *
 * With t the twist axis, q = swing twist, and t' = R t where the body has carried it (both in the parent's axes):
 *
 *     swing  angle between t and t',      rate (t x t') / |t x t'| . w
 *     twist  2 atan2(q . t, q_w),         rate (t + t') / (1 + t . t') . w */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

/* One side of a limit: `gap` left, `w` the row that opens it. */
static void limit_row(sn_world *w, int member, const struct sn__row *r, double gap, double h) {
    struct sn__pgs_row *row = sn__world_add_row(w);
    if (!row) return;
    if (!sn__world_add_side(w, row, 0, member, r)) {
        w->nrow--;
        return;
    }
    row->b = sn__world_row_velocity(w, row);
    if (gap > 0) row->b += gap / h;
    row->lo = 0, row->hi = INFINITY;
    if (gap < 0) w->more[w->nrow - 1].bias = fmin(-gap / sn__world_recovery(w, h), 10);
    if (gap > 0.02 && row->b > 0.02 / h) { /* far from it, and not on its way */
        w->nrow--;
        w->member[member].nrow--;
    }
}

static void axis_limits(sn_world *w, int member, int body, int axis, double q, double lower, double upper,
                        double h) {
    struct sn__row r = {.body = body, .joint = 1};
    r.w[axis] = 1;
    limit_row(w, member, &r, q - lower, h);
    r.w[axis] = -1;
    limit_row(w, member, &r, upper - q, h);
}

/* A row on the angular velocity of a ball joint: `axis` in the parent's axes, velocities in the child's. */
static struct sn__row ball_row(int body, const double q[4], const double axis[3], double sign) {
    double back[4], own[3];
    struct sn__row r = {.body = body, .joint = 1};
    dquat_conjugate(q, back);
    dquat_rotate(back, axis, own);
    for (int k = 0; k < 3; k++)
        r.w[k] = sign * own[k];
    return r;
}

static void ball_limits(sn_world *w, int member, int body, const double q[4], const sn_joint_def *j,
                        double h) {
    double carried[3], across[3];
    const double *t = j->axis;
    dquat_rotate(q, t, carried);
    dvec_cross(t, carried, across);
    const double sine = dvec_length(across), cosine = dvec_dot(t, carried), swing = atan2(sine, cosine);
    if (sine > 1e-6) {
        for (int k = 0; k < 3; k++)
            across[k] /= sine;
        const struct sn__row r = ball_row(body, q, across, -1);
        limit_row(w, member, &r, j->upper[1] - swing, h);
    }
    if (1 + cosine < 1e-3) return; /* swung right round: twist has no meaning */
    const double sign = q[0] < 0 ? -1 : 1;
    const double twist = 2 * atan2(sign * dvec_dot(q + 1, t), sign * q[0]);
    double axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = (t[k] + carried[k]) / (1 + cosine);
    const struct sn__row up = ball_row(body, q, axis, 1), down = ball_row(body, q, axis, -1);
    limit_row(w, member, &up, twist - j->lower[0], h);
    limit_row(w, member, &down, j->upper[0] - twist, h);
}

void sn__world_limit_rows(sn_world *w, int member, double h) {
    struct sn__member *m = &w->member[member];
    const struct sn__pack *p = &m->character->pack;
    double *q = m->character->row;
    sn__pack_get(p, SN__Q, 0, p->model->nq, q);
    for (int i = 0; i < m->nlimit; i++) {
        const int body = m->limit[i];
        const sn_body_info *b = &p->model->body[body];
        if (b->joint.type == SN_JOINT_BALL) {
            ball_limits(w, member, body, q + b->q_index, &b->joint, h);
            continue;
        }
        for (int k = 0; k < b->nv; k++)
            axis_limits(w, member, body, k, q[b->q_index + k], b->joint.lower[k], b->joint.upper[k], h);
    }
}
