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

/* What is to be done with a limit that may be reached: `side` as in limit_side, `gap` is left, x are the
   factors of the joint's velocities on the way away from it. */
typedef void take_limit(sn_world *w, int member, int side, const double x[3], double gap, double h);

/* As a row. */
static void limit_row(sn_world *w, int member, int side, const double x[3], double gap, double h) {
    struct sn__pgs_row *row = sn__world_add_row(w);
    const struct sn__row r = {
        .body = w->member[member].limit[side / SN__SIDES].body, .joint = 1, .w = {x[0], x[1], x[2]}};
    if (!row) return;
    if (!sn__world_add_side(w, row, 0, member, &r)) {
        w->nrow--;
        return;
    }
    row->b = sn__world_row_velocity(w, row);
    if (gap > 0) row->b += gap / h;
    row->lo = 0, row->hi = INFINITY;
    if (gap < 0 && w->level != SN__LEVEL_IMPACT)
        w->more[w->nrow - 1].bias = fmin(-gap / sn__world_recovery(w, h), 10);
}

/* As a damper inside the solve, strong beside the joint's own inertia and gains. */
static void limit_damper(sn_world *w, int member, int side, const double x[3], double gap, double h) {
    struct sn__member *m = &w->member[member];
    const struct sn__limited *l = &m->limit[side / SN__SIDES];
    const int body = l->body;
    const struct sn__pack *p = &m->character->pack;
    const sn_body_info *b = &p->model->body[body];
    double K[3] = {0}, most = 0;
    if (m->contacts.nlimit == m->limit_room) return;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    sn__member_gather(m, (const char *)p->field[SN__K] + value * (size_t)b->v_index, b->nv, K);
    for (int k = 0; k < b->nv; k++)
        most = fmax(most, m->inertia[b->v_index + k] + K[k]);
    const double wanted = gap > 0 ? -gap / h : fmin(-gap / sn__world_recovery(w, h), 10);
    const double record[] = {x[0], x[1], x[2], wanted, 400 * most / h, (l->pushing >> side % SN__SIDES) & 1};
    const int k = m->contacts.nlimit++;
    m->limit_body[k] = body;
    m->limit_side[k] = side;
    sn__member_spread(m, m->limit_lanes, SN__LIMIT_VALUES * k, 6, record);
}

/* Near enough to matter in this step: it will come within this of the limit at the present rate. */
static const double NEAR = 0.05;

static void axis_limits(sn_world *w, int member, int side, int axis, double q, double qd,
                        const sn_joint_def *j, double h, take_limit *take) {
    double x[3] = {0};
    const double low = q - j->lower[axis], high = j->upper[axis] - q;
    x[axis] = 1;
    if (low < NEAR - fmin(0, h * qd)) take(w, member, side + 2 * axis, x, low, h);
    x[axis] = -1;
    if (high < NEAR + fmax(0, h * qd)) take(w, member, side + 2 * axis + 1, x, high, h);
}

/* A row on the angular velocity of a ball joint: `axis` in the parent's axes, velocities in the child's. */
static void own_axes(const double q[4], const double axis[3], double sign, double own[3]) {
    double back[4];
    dquat_conjugate(q, back);
    dquat_rotate(back, axis, own);
    for (int k = 0; k < 3; k++)
        own[k] *= sign;
}

static void ball_limits(sn_world *w, int member, int side, const double q[4], const double qd[3], double h,
                        take_limit *take) {
    const struct sn__limited *l = &w->member[member].limit[side / SN__SIDES];
    const sn_joint_def *j = &w->member[member].character->pack.model->body[l->body].joint;
    const double *t = j->axis;
    const double ahead = NEAR + h * (fabs(qd[0]) + fabs(qd[1]) + fabs(qd[2]));
    const double along = dvec_dot(q + 1, t), length = sqrt(along * along + q[0] * q[0]);
    double carried[3], across[3], x[3];
    dquat_rotate(q, t, carried);
    const double cosine = dvec_dot(t, carried);
    if (cosine < l->cos_swing + ahead) {
        dvec_cross(t, carried, across);
        const double sine = dvec_length(across), gap = j->upper[1] - atan2(sine, cosine);
        if (sine > 1e-6 && gap < ahead) {
            for (int k = 0; k < 3; k++)
                across[k] /= sine;
            own_axes(q, across, -1, x);
            take(w, member, side, x, gap, h);
        }
    }
    if (1 + cosine < 1e-3 || length < 1e-9) return;           /* swung right round: twist has no meaning */
    const double half = (q[0] < 0 ? -along : along) / length; /* sine of half the twist */
    if (half > l->sin_lower + 0.5 * ahead && half < l->sin_upper - 0.5 * ahead) return;
    const double twist = 2 * atan2(half, fabs(q[0]) / length);
    double axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = (t[k] + carried[k]) / (1 + cosine);
    own_axes(q, axis, 1, x);
    if (twist - j->lower[0] < ahead) take(w, member, side + 1, x, twist - j->lower[0], h);
    own_axes(q, axis, -1, x);
    if (j->upper[0] - twist < ahead) take(w, member, side + 2, x, j->upper[0] - twist, h);
}

static void each_limit(sn_world *w, int member, double h, take_limit *take) {
    struct sn__member *m = &w->member[member];
    const struct sn__pack *p = &m->character->pack;
    double *q = m->character->row, *qd = q + p->model->nq;
    sn__pack_get(p, SN__Q, 0, p->model->nq, q);
    sn__pack_get(p, SN__QD, 0, p->model->nv, qd);
    for (int i = 0; i < m->nlimit; i++) {
        const sn_body_info *b = &p->model->body[m->limit[i].body];
        const double *own = q + b->q_index, *rate = qd + b->v_index;
        if (b->joint.type == SN_JOINT_BALL)
            ball_limits(w, member, SN__SIDES * i, own, rate, h, take);
        else
            for (int k = 0; k < b->nv; k++)
                axis_limits(w, member, SN__SIDES * i, k, own[k], rate[k], &b->joint, h, take);
    }
}

void sn__world_limit_rows(sn_world *w, int member, double h) {
    each_limit(w, member, h, limit_row);
}

void sn__world_limit_dampers(sn_world *w, int member, double h) {
    each_limit(w, member, h, limit_damper);
}
