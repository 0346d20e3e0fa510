/* Recovery from penetration moves positions beside the velocities, and knows of nothing but the rows: by itself it may turn a
 * light limb past its joint's limit, or lift a whole character within one step. So it is cut short, by one factor for each
 * character,
 *
 *     q+ = q (+) h (v+ + t dv),   0 <= t <= 1,
 *
 * until no limit is passed by it, no joint turns far and the centre of mass hardly rises. What is left of the penetration is
 * for the next steps.
 *
 * Limits are kept last of all, by positions alone. Rows may throw a limb by a radian or two within a step, further than the
 * tangent of a curved limit is of any use, and a step whose rounds have run out may leave a limb beyond its limit. Such a joint
 * follows its way only as far as its limits allow. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "model/joint.h"
#include "world/constraints.h"
#include "world/rows.h"

static const double SLACK = 2e-3;     /* rad or m beyond a limit that recovery may lead to */
static const double MOST_TURN = 0.05; /* rad of any joint in a step */
static const double MOST_RISE = 3e-4; /* m of the centre of mass in a step */

/* The part of dv that turns no joint too far. */
static double part_by_turn(const sn_model *model, const double *dv, double h) {
    double most = 0;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        if (sn__joint_is_free(body)) continue;
        for (int v = body->v_index + sn__joint_nslide(body); v < body->v_index + body->nv; v++)
            most = fmax(most, fabs(h * dv[v]));
    }
    return most > MOST_TURN ? MOST_TURN / most : 1;
}

/* The part that hardly lifts the whole. `rate` are the velocities of the bodies under dv. */
static double part_by_rise(const struct sn__worker *w, const struct sn__hand *m, double h) {
    const sn_model *model = m->pack->model;
    double gravity[3], rise = 0, mass = 0;
    sn__hand_gravity(w, m, gravity);
    const double g = dvec_length(gravity);
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        const double *R = m->place + SN__PLACE * b + 3, *rate = m->rate + 6 * b;
        double local[3], arm[3], v[3];
        for (int k = 0; k < 3; k++)
            local[k] = body->com[k] - body->joint.anchor[k];
        for (int k = 0; k < 3; k++)
            arm[k] = R[3 * k] * local[0] + R[3 * k + 1] * local[1] + R[3 * k + 2] * local[2];
        dvec_cross(rate + 3, arm, v);
        for (int k = 0; k < 3; k++)
            rise -= h * body->mass * (rate[k] + v[k]) * gravity[k];
        mass += body->mass;
    }
    return rise > MOST_RISE * mass * g ? MOST_RISE * mass * g / rise : 1;
}

/* What is left before each limit after a step at the velocity qd. */
static void gaps_after(const struct sn__worker *w, struct sn__hand *m, const void *qd, double h,
                       double *gap) {
    const struct sn__pack *p = m->pack;
    struct sn__args args = sn__hand_args(w, m);
    memcpy(m->start, sn__hand_at(w, m, SN__Q), sn__pack_bytes(p, p->model->nq));
    memcpy((char *)m->start + sn__pack_bytes(p, p->model->nq), qd, sn__pack_bytes(p, p->model->nv));
    p->k->integrate(p->tree, h, m->zero, m->start, (char *)m->start + sn__pack_bytes(p, p->model->nq), 0);
    args.q = m->start, args.qd = m->zero;
    p->k->rows->limit_gaps(&args, m->ground, gap);
}

/* The part that passes no limit by more than the step does without it. */
static double part_by_limits(struct sn__worker *w, struct sn__hand *m, double part, double h) {
    const struct sn__pack *p = m->pack;
    const int n = (int)p->stop_size; /* sides of limits */
    double *before = m->values, *after = m->values + n;
    if (!n) return part;
    gaps_after(w, m, m->known, h, before);
    for (int i = 0; i < 4; i++) {
        double less = 1;
        p->k->combine(p->model->nv, m->known, 1, &part, (const void *const[]){m->change}, m->moved_qd);
        gaps_after(w, m, m->moved_qd, h, after);
        for (int k = 0; k < n; k++) {
            const double least = fmin(before[k], -SLACK);
            if (after[k] < least - 1e-6) less = fmin(less, (before[k] - least) / (before[k] - after[k]));
        }
        if (less >= 1) return part;
        part *= less;
    }
    return 0;
}

double sn__worker_recovery_part(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const sn_model *model = m->pack->model;
    if (w->bounced || m->stops || model->nbody == 1) return 1;
    double part = 1;
    if (!w->world->used_ties) {
        const struct sn__args args = sn__hand_args(w, m);
        sn__hand_gather(m, m->change, model->nv, m->values);
        part = part_by_turn(model, m->values, h);
        m->pack->k->rows->velocities(&args, m->change, m->rate);
        part = fmin(part, part_by_rise(w, m, h));
    }
    return part_by_limits(w, m, part, h);
}

/* ------------------------------------------------------------------------------------------ limits, by positions */

static const double PIECE = 0.25; /* rad of a ball's way that is looked at together */
enum { PIECES = 32 };

/* q = swing twist of a ball with the twist axis t, as the rotation vector of the swing and an angle. False: it points the
   other way, and has no twist. */
static bool swing_and_twist(const double q[4], const double t[3], double swing[3], double *twist) {
    const double along = dvec_dot(q + 1, t), length = sqrt(q[0] * q[0] + along * along);
    double turn[4] = {q[0], along * t[0], along * t[1], along * t[2]}, rest[4], about[3];
    if (!(length > 1e-6)) return false;
    for (int k = 0; k < 4; k++)
        turn[k] /= length;
    dquat_log(turn, about);
    *twist = dvec_dot(about, t);
    dquat_conjugate(turn, rest);
    dquat_multiply(q, rest, rest);
    dquat_log(rest, swing);
    return true;
}

/* Where a ball may be: within its limits, and no further out than it was at the start of the step. */
struct reach {
    double swing, lower, upper;
};

/* Whether a ball is nowhere near its limits: neither swing nor twist is more than the whole turn, the sine of whose half is
   the length of (x, y, z), and sin x >= x - x^3 / 6. */
static bool is_far(const struct reach *r, const double q[4]) {
    const double half = 0.5 * fmin(fmin(r->swing, 3), fmin(-r->lower, r->upper));
    const double sine = half - half * half * half / 6;
    return half > 0 && dvec_dot(q + 1, q + 1) < sine * sine;
}

/* Takes a ball back to where it may be. Whether it was anywhere else. */
static bool keep_within(const struct reach *r, const double t[3], double q[4]) {
    double swing[3], about[3], twist, turn[4];
    if (is_far(r, q) || !swing_and_twist(q, t, swing, &twist)) return false;
    const double angle = dvec_length(swing), kept = fmin(fmax(twist, r->lower), r->upper);
    if (angle <= r->swing && kept == twist) return false;
    for (int k = 0; k < 3; k++)
        swing[k] *= angle > r->swing ? r->swing / angle : 1, about[k] = kept * t[k];
    dquat_exp(swing, q);
    dquat_exp(about, turn);
    dquat_multiply(q, turn, q);
    return true;
}

/* A ball that has turned by `way` from where it was to q ends within its limits, or no further out than it was. Whether it did
   not. */
static bool keep_ball(const struct sn__stops *s, const double t[3], const double from[4], const double way[3],
                      double q[4]) {
    struct reach r = {s->upper[1] + SLACK, s->lower[0] - SLACK, s->upper[0] + SLACK};
    double swing[3], twist, piece[3], turn[4], end[4] = {q[0], q[1], q[2], q[3]};
    if (!keep_within(&r, t, end) || !swing_and_twist(from, t, swing, &twist)) return false;
    r.swing = fmax(r.swing, dvec_length(swing));
    r.lower = fmin(r.lower, twist), r.upper = fmax(r.upper, twist);
    const int n = (int)fmin(PIECES, 1 + dvec_length(way) / PIECE);
    for (int k = 0; k < 3; k++)
        piece[k] = way[k] / n;
    dquat_exp(piece, turn);
    for (int k = 0; k < 4; k++)
        q[k] = from[k];
    for (int i = 0; i < n; i++) {
        dquat_multiply(q, turn, q);
        keep_within(&r, t, q);
    }
    return true;
}

static bool keep_axes(const struct sn__stops *s, int n, const double *from, double *q) {
    bool any = false;
    for (int k = 0; k < n; k++) {
        const double lower = fmin(from[k], s->lower[k] - SLACK), upper = fmax(from[k], s->upper[k] + SLACK);
        const double kept = fmin(fmax(q[k], lower), upper);
        any |= kept != q[k];
        q[k] = kept;
    }
    return any;
}

/* The joint of a body set to q, with everything beyond it where it is: the root moves instead. */
static void set_from_beyond(struct sn__worker *w, struct sn__hand *m, const sn_body_info *body,
                            const double *q) {
    void *pose = sn__hand_at(w, m, SN__Q);
    const int number = (int)(body - m->pack->model->body);
    const struct sn__frame stays = sn__frame_now(m->pack, w->copy, number),
                           root = sn__frame_now(m->pack, w->copy, 0);
    sn__hand_spread(m, pose, body->q_index, body->nq, q);
    const struct sn__frame goes = sn__frame_now(m->pack, w->copy, number);
    double turn[4], back[4], arm[3], at[7];
    dquat_conjugate(goes.rot, back);
    dquat_multiply(stays.rot, back, turn);
    for (int k = 0; k < 3; k++)
        arm[k] = root.pos[k] - goes.pos[k];
    dquat_rotate(turn, arm, at);
    for (int k = 0; k < 3; k++)
        at[k] += stays.pos[k];
    dquat_multiply(turn, root.rot, at + 3);
    dquat_normalise(at + 3);
    sn__hand_spread(m, pose, 0, 7, at);
}

/* Constraints do not see that a joint between them and the root is set to q. If they hold nothing else and the root is free, it
   is the root that moves, unless all of it hangs on the world, which would be to lift it. Else nothing does, and limits recover
   by velocities alone. */
static void set_joint(struct sn__worker *w, int member, const sn_body_info *body, const double *q) {
    struct sn__hand *m = &w->hand[member];
    const sn_body_info *root = &m->pack->model->body[0];
    const int number = (int)(body - root);
    if (!sn__ties_hold_beyond(w->world, member, number, true))
        sn__hand_spread(m, sn__hand_at(w, m, SN__Q), body->q_index, body->nq, q);
    else if (!m->hangs && sn__joint_is_free(root) && dvec_length(root->joint.anchor) == 0 &&
             !sn__ties_hold_beyond(w->world, member, number, false))
        set_from_beyond(w, m, body, q);
}

void sn__worker_keep_limits(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    char *q = sn__hand_at(w, m, SN__Q);
    for (int i = 0; i < m->ground->nstops; i++) {
        const struct sn__stops *s = &m->ground->stops[i];
        const sn_body_info *body = &p->model->body[s->body];
        const size_t at = sn__pack_bytes(p, body->q_index);
        double from[6], to[6], way[6];
        sn__hand_gather(m, q + at, body->nq, to);
        sn__hand_gather(m, (const char *)m->backup + at, body->nq, from);
        sn__hand_gather(m, (const char *)m->moved_qd + sn__pack_bytes(p, body->v_index), body->nv, way);
        for (int k = 0; k < 3; k++)
            way[k] *= h;
        const bool kept = sn__joint_is_ball(body) ? keep_ball(s, body->joint.axis, from, way, to)
                                                  : keep_axes(s, body->nq, from, to);
        if (kept) set_joint(w, member, body, to);
    }
}
