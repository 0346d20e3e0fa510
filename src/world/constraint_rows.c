/* The rows that constraints of the user's make. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "world/fields.h"
#include "world/tie.h"

struct sn__pgs_row *sn__tie_row(struct sn__build *b, const struct sn__row *r) {
    struct sn__worker *w = b->w;
    struct sn__pgs_row *row = sn__worker_add_row(w);
    if (!row) return NULL;
    if (!sn__worker_add_side(w, row, 0, b->def->member, r)) {
        w->nrow--;
        return NULL;
    }
    row->hi = b->def->max_force * (b->kind->impulse ? 1 : b->h);
    row->lo = -row->hi;
    struct sn__world_row *more = &w->more[w->nrow - 1];
    if (b->kind->impulse) {
        more->impulse = &b->tied->force[b->made];
    } else if (w->level != SN__LEVEL_IMPACT) {
        more->owner = &b->tied->force[b->made];
        w->f[w->nrow - 1] = b->tied->force[b->made] * b->h; /* a warm start */
    }
    b->made++;
    return row;
}

struct sn__pgs_row *sn__tie_point_row(struct sn__build *b, const double x[3], const double y[3],
                                      const double d[3]) {
    const sn_constraint_def *def = b->def;
    const struct sn__row r = sn__point_row(&b->w->hand[def->member], def->body, x, d, 1);
    struct sn__pgs_row *row = sn__tie_row(b, &r);
    if (!row || !b->kind->two_ended || def->member2 < 0) return row;
    const struct sn__row other = sn__point_row(&b->w->hand[def->member2], def->body2, y, d, -1);
    return sn__worker_add_side(b->w, row, 1, def->member2, &other) ? row : NULL;
}

struct sn__pgs_row *sn__tie_turn_row(struct sn__build *b, const double d[3]) {
    const sn_constraint_def *def = b->def;
    const struct sn__row r = {.body = def->body, .w = {d[0], d[1], d[2]}};
    struct sn__pgs_row *row = sn__tie_row(b, &r);
    if (!row || !b->kind->two_ended || def->member2 < 0) return row;
    const struct sn__row other = {.body = def->body2, .w = {-d[0], -d[1], -d[2]}};
    return sn__worker_add_side(b->w, row, 1, def->member2, &other) ? row : NULL;
}

static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* ------------------------------------------------------------------------------------------ where ends are */

static void point_in(const struct sn__frame *f, const double local[3], double x[3]) {
    dquat_rotate(f->rot, local, x);
    for (int k = 0; k < 3; k++)
        x[k] += f->pos[k];
}

struct sn__ends sn__ends_of(const sn_constraint_def *d, const struct sn__frame *body,
                            const struct sn__frame *other) {
    struct sn__ends e = {.body = *body, .other = {.rot = {1, 0, 0, 0}}};
    if (other) e.other = *other;
    point_in(&e.body, d->point, e.x);
    if (!sn__tie_kind(d->type)->two_ended) return e;
    point_in(&e.other, d->point2, e.y);
    dquat_rotate(e.other.rot, d->direction, e.d);
    return e;
}

struct sn__ends sn__ends_at(const struct sn__worker *w, const sn_constraint_def *d, int moment, double h,
                            double bend) {
    const bool two = sn__tie_kind(d->type)->two_ended && d->member2 >= 0;
    struct sn__frame body = sn__hand_frame(w, &w->hand[d->member], d->body, moment, h, bend), other;
    if (two) other = sn__hand_frame(w, &w->hand[d->member2], d->body2, moment, h, bend);
    return sn__ends_of(d, &body, two ? &other : NULL);
}

void sn__turn_between(const double a[4], const double b[4], double turn[3]) {
    double back[4], by[4];
    dquat_conjugate(a, back);
    dquat_multiply(b, back, by);
    dquat_log(by, turn);
}

/* What the rows of a path are about: a point, its coordinate along the direction, or the turn since `start`. */
static int coordinates(const sn_constraint_def *d, const struct sn__ends *start, const struct sn__ends *e,
                       double c[3]) {
    if (d->type == SN_CONSTRAINT_ORIENTATION_PATH) {
        sn__turn_between(start->body.rot, e->body.rot, c);
        return 3;
    }
    if (!sn__tie_kind(d->type)->directed) {
        memcpy(c, e->x, sizeof e->x);
        return 3;
    }
    c[0] = 0;
    for (int k = 0; k < 3; k++)
        c[0] += e->d[k] * (e->x[k] - e->y[k]);
    return 1;
}

/* What the step covers beyond h J v+, over h^2: with c(t) the coordinates under a constant velocity,

       arc = ((c(h) - c(0)) / h - c'(0)) / h,     c'(0) = (c(-h) - 8 c(-h/2) + 8 c(h/2) - c(h)) / 6 h.

   The velocity is qd + bend qdd. */
static int look_ahead(const struct sn__worker *w, const sn_constraint_def *d, double h, double bend,
                      double arc[3]) {
    double c[SN__MOMENTS][3];
    const struct sn__ends now = sn__ends_at(w, d, SN__MOMENT_NOW, h, bend);
    int n = 0;
    for (int i = 0; i < SN__MOMENTS; i++) {
        const struct sn__ends then = sn__ends_at(w, d, i, h, bend);
        n = coordinates(d, &now, &then, c[i]);
    }
    for (int k = 0; k < n; k++) {
        const double rate = (c[0][k] - 8 * c[1][k] + 8 * c[3][k] - c[4][k]) / (6 * h);
        arc[k] = ((c[4][k] - c[2][k]) / h - rate) / h;
    }
    return n;
}

/* ----------------------------------------------------------------------------------------------------- paths */

/* The exact solution of e'' + Kd e' + Kp e = 0 at the ends of steps: with z = exp(s h) for both roots of
   s^2 + Kd s + Kp = 0 it is e_{n+1} = (z1 + z2) e_n - z1 z2 e_{n-1}. Positions go by the velocity at the end of a step, which
   thus is the mean of the step; for those means u_n = (e_n - e_{n-1}) / h

       u_{n+1} = keep u_n - pull e_n,     keep = z1 z2,   pull = (1 - z1) (1 - z2) / h.

   When the target jumps, by -j, what changes is the present deviation and not its rate e': e_{n-1} is then that of the solution
   through both, and with (e, e')_{n+1} = P (e, e')_n

       u_{n+1} = keep u_n - pull e_n + jump j,     jump = (keep - P_22) / h. */
struct law {
    double keep, pull, jump;
};

static struct law law_of(const sn_constraint_def *d, double h) {
    double kp = d->kp > 0 ? d->kp : 1 / (d->settle * d->settle), kd = d->kd > 0 ? d->kd : M_SQRT2 / d->settle;
    kp = fmin(kp, 1e8 / (h * h)), kd = fmin(kd, 1e5 / h); /* stiffer makes no difference */
    const double half = 0.5 * kd, under = half * half - kp, size = sn__exp(-half * h), least = 1e-6 / h;
    struct law law = {.keep = sn__exp(-kd * h)};
    double even, odd; /* of (z1 + z2) / 2 and (z1 - z2) / (s1 - s2): P_22 is even - odd Kd / 2 */
    if (under < 0) {  /* |1 - z|^2 = (1 - |z|)^2 + 4 |z| sin^2 */
        const double w = sqrt(-under), sine = sn__sin(0.5 * w * h), less = sn__expm1(-half * h);
        law.pull = (less * less + 4 * size * sine * sine) / h;
        even = size * sn__cos(w * h), odd = w > least ? size * sn__sin(w * h) / w : size * h;
    } else {
        const double r = sqrt(under), fast = half + r, slow = kp / fast;
        law.pull = sn__expm1(-fast * h) * sn__expm1(-slow * h) / h;
        even = 0.5 * (sn__exp(-slow * h) + sn__exp(-fast * h));
        odd = r > least ? 0.5 * (sn__exp(-slow * h) - sn__exp(-fast * h)) / r : size * h;
    }
    law.jump = (law.keep - even + half * odd) / h;
    return law;
}

/* The mean velocity of a target in this step and in the one before, from its velocities at their ends. Within a step that
   the event stepper has cut, it changes evenly. */
static void target_means(const struct sn__build *b, int k, double *now, double *before) {
    const struct sn__tied *t = b->tied;
    const double dt = b->w->world->def.dt, v = t->target_velocity[k];
    const double a = t->followed ? (v - t->was[k]) / dt : 0;
    *now = v - 0.5 * b->h * a;
    *before = !t->followed ? v : b->h < dt ? v - 1.5 * b->h * a : t->mean[k];
}

/* Whether this is the beginning of a step, where a target may have jumped. */
static bool may_jump(const struct sn__build *b) {
    return !(b->h < b->w->world->def.dt);
}

/* The mean velocity that a coordinate c, which had the mean velocity u in the last step, should have in this one. */
static double follow(const struct sn__build *b, const struct law *law, int k, double c, double u) {
    double now, before;
    target_means(b, k, &now, &before);
    const double start = b->tied->target[k] - b->h * now, e = c - start;
    const double jumped = !may_jump(b) ? 0 : b->tied->followed ? b->tied->last[k] - start : e;
    return now + law->keep * (u - before) - law->pull * e + law->jump * jumped;
}

/* exp(-h v) q: where an orientation was that has turned by v, world axes. */
static void turn_back(const double q[4], const double v[3], double h, double out[4]) {
    const double by[3] = {-h * v[0], -h * v[1], -h * v[2]};
    double turn[4];
    dquat_exp(by, turn);
    dquat_multiply(turn, q, out);
}

/* The mean angular velocity, world axes, for an orientation that is q and was q_before, of a target that was `last`. The
   deviation is the rotation vector e with q = exp(e) target. */
static void follow_turn(const struct sn__build *b, const struct law *law, const double target[4],
                        const double last[4], const double now[3], const double before[3], const double q[4],
                        const double q_before[4], double u[3]) {
    const double h = b->h;
    double start[4], earlier[4], e[3], e_before[3], jumped[3] = {0}, next[4];
    turn_back(target, now, h, start);
    turn_back(start, before, h, earlier);
    sn__turn_between(start, q, e);
    sn__turn_between(earlier, q_before, e_before);
    const double angle = dvec_length(e_before);
    if (dvec_dot(e, e_before) < 0 &&
        angle > 0.5 * M_PI) /* past half a turn: the same deviation, the long way */
        for (int k = 0; k < 3; k++)
            e_before[k] *= 1 - 2 * M_PI / angle;
    if (may_jump(b)) sn__turn_between(start, b->tied->followed ? last : q, jumped);
    for (int k = 0; k < 3; k++)
        e[k] += law->keep * (e[k] - e_before[k]) - h * law->pull * e[k] + h * law->jump * jumped[k];
    dquat_exp(e, next);
    dquat_multiply(next, target, next);
    sn__turn_between(q, next, u);
    for (int k = 0; k < 3; k++)
        u[k] /= h;
}

/* What the coordinates should do in this step, as a mean velocity, for paths and for accelerations: of these the last two
   steps together say c_{n+1} - 2 c_n + c_{n-1} = h^2 a. */
static void wanted_means(const struct sn__build *b, const struct sn__ends *now, double u[3]) {
    const struct sn__ends before = sn__ends_at(b->w, b->def, 0, b->h, 0);
    const struct law law = law_of(b->def, b->h);
    double c[3], c_before[3];
    if (b->def->type == SN_CONSTRAINT_ORIENTATION_PATH) {
        double mean[3], mean_before[3];
        for (int k = 0; k < 3; k++)
            target_means(b, k, &mean[k], &mean_before[k]);
        follow_turn(b, &law, b->tied->target, b->tied->last, mean, mean_before, now->body.rot,
                    before.body.rot, u);
        return;
    }
    const int n = coordinates(b->def, now, now, c);
    coordinates(b->def, now, &before, c_before);
    for (int k = 0; k < n; k++) {
        u[k] = (c[k] - c_before[k]) / b->h;
        u[k] = b->kind->acceleration ? u[k] + b->h * b->tied->target[k] : follow(b, &law, k, c[k], u[k]);
    }
}

/* Points, coordinates along a direction, and orientations: paths, accelerations and impulses. Along a direction that is
   fixed in the other body, d . (x - y) changes by the velocity of x less that of the other's matter at x. */
static void cartesian_rows(struct sn__build *b) {
    const struct sn__ends now = sn__ends_at(b->w, b->def, SN__MOMENT_NOW, b->h, 0);
    double u[3];
    if (b->kind->impulse) {
        memcpy(u, b->tied->target, sizeof u);
    } else {
        wanted_means(b, &now, u);
        look_ahead(b->w, b->def, b->h, 0, b->tied->arc);
    }
    for (int k = 0; k < (b->kind->directed ? 1 : 3); k++) {
        struct sn__pgs_row *row =
            b->def->type == SN_CONSTRAINT_ORIENTATION_PATH
                ? sn__tie_turn_row(b, AXES[k])
                : sn__tie_point_row(b, now.x, now.x, b->kind->directed ? now.d : AXES[k]);
        if (!row) return;
        const double arc = b->kind->impulse ? 0 : b->h * b->tied->arc[k];
        row->b = sn__worker_row_velocity(b->w, row) - (u[k] - arc);
    }
}

/* Of a ball, or the ball in a free joint: q and the target are conjugated, so that turns in the joint's own axes become
   turns in the world's, backwards. */
static void joint_turn(const struct sn__build *b, const struct law *law, int at, const double q[4],
                       const double v[3], double u[3]) {
    double now[3], before[3], target[4], last[4], back[4], earlier[4], own[3];
    for (int k = 0; k < 3; k++) {
        target_means(b, at + k, &now[k], &before[k]);
        now[k] = -now[k], before[k] = -before[k], own[k] = -v[k];
    }
    dquat_conjugate(b->tied->target + at, target);
    dquat_conjugate(b->tied->last + at, last);
    dquat_conjugate(q, back);
    turn_back(back, own, b->h, earlier);
    follow_turn(b, law, target, last, now, before, back, earlier, u);
    for (int k = 0; k < 3; k++)
        u[k] = -u[k];
}

/* Joints: the velocity that a joint has at the end of a step is its mean velocity in it. */
static void joint_rows(struct sn__build *b) {
    const struct sn__hand *m = &b->w->hand[b->def->member];
    const struct sn__pack *p = m->pack;
    const sn_body_info *body = &p->model->body[b->def->body];
    const struct law law = law_of(b->def, b->h);
    const int turns = b->kind->path ? sn__quaternion_of(body) : -1;
    double q[7], v[6], u[6];
    for (int k = 0; k < body->nq; k++)
        q[k] = sn__pack_value(p, SN__Q, b->w->copy, body->q_index + k);
    for (int k = 0; k < body->nv; k++) {
        v[k] = sn__pack_value(p, SN__QD, b->w->copy, body->v_index + k);
        if (b->def->type == SN_CONSTRAINT_JOINT_FRICTION)
            u[k] = 0;
        else if (!b->kind->path)
            u[k] = b->tied->target[k] * (b->kind->impulse ? 1 : b->h) + (b->kind->impulse ? 0 : v[k]);
        else if (turns < 0 || k < turns)
            u[k] = follow(b, &law, k, q[k], v[k]);
    }
    if (turns >= 0) joint_turn(b, &law, turns, q + turns, v + turns, u + turns);
    for (int k = 0; k < body->nv; k++) {
        struct sn__row r = {.body = b->def->body, .joint = 1};
        r.w[k] = 1;
        struct sn__pgs_row *row = sn__tie_row(b, &r);
        if (!row) return;
        row->b = sn__worker_row_velocity(b->w, row) - u[k];
    }
}

/* ------------------------------------------------------------------------------------------------ all of them */

/* Whether a constraint's members take part in the step. */
static bool is_on(const struct sn__worker *w, const struct sn__tie *t) {
    if (!t->used || !w->hand[t->def.member].on || w->tied[t - w->world->tie].broken) return false;
    return !sn__tie_kind(t->def.type)->two_ended || t->def.member2 < 0 || w->hand[t->def.member2].on;
}

/* A path whose force is not limited keeps its velocity in an impact. */
static bool keeps_velocity(const struct sn__worker *w, const struct sn__tie *t) {
    return w->level == SN__LEVEL_IMPACT && sn__tie_kind(t->def.type)->path && isinf(t->def.max_force);
}

/* Whether it has rows at this level: in an impact nothing but what holds rigidly, and impulses. */
static bool acts(const struct sn__worker *w, const struct sn__tie *t, const struct sn__tied *tied) {
    if (sn__tie_kind(t->def.type)->impulse) return w->fires && !tied->spent;
    if (sn__tie_is_inside(w->world, t)) return false; /* brace.c */
    return w->level != SN__LEVEL_IMPACT || (sn__tie_kind(t->def.type)->holds && !sn__tie_is_soft(&t->def)) ||
           (t->def.type == SN_CONSTRAINT_COUPLING && !(t->def.stiffness + t->def.damping > 0)) ||
           keeps_velocity(w, t);
}

/* J qd of a row, with the present velocity. */
static double present_rate(const struct sn__worker *w, const struct sn__pgs_row *row) {
    double u = 0;
    for (int s = 0; s < 2; s++) {
        if (row->side[s].block < 0) continue;
        const struct sn__hand *m = sn__worker_seat(w, row->side[s]);
        const struct sn__row *r = &m->row[row->side[s].index];
        const double *v = m->place + SN__PLACE * r->body + 12;
        u += dvec_dot(r->w, v + 3) + dvec_dot(r->w + 3, v);
    }
    return u;
}

/* What is held rigidly starts from where the present velocity leads. */
static void look_at_present(struct sn__worker *w, const struct sn__tie *t, struct sn__tied *tied, double h) {
    double rate[6];
    for (int k = 0; k < tied->rows; k++)
        rate[k] = present_rate(w, &w->row[tied->row + k]);
    sn__held_ahead(w, t, tied, h, 0, rate);
}

/* Whether a constraint asks for no motion: it holds rigidly, rubs or makes one joint follow another. Springs give back what
   they have taken; motors, paths and impulses give what they ask for. */
static bool asks_no_motion(const struct sn__tie *t, const struct sn__tied *tied) {
    if (sn__tie_is_soft(&t->def)) return false;
    if (t->def.type == SN_CONSTRAINT_COUPLING) return tied->target_velocity[0] == 0;
    return sn__tie_kind(t->def.type)->holds || t->def.type == SN_CONSTRAINT_COUPLING_LIMIT ||
           t->def.type == SN_CONSTRAINT_JOINT_FRICTION;
}

void sn__worker_tie_rows(struct sn__worker *w, double h) {
    sn__worker_forget_frames(w);
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        struct sn__build b = {w, t, &t->def, sn__tie_kind(t->def.type), &w->tied[i], h, 0};
        if (w->level != SN__LEVEL_IMPACT) b.tied->rows = 0;
        if (!is_on(w, t) || !acts(w, t, b.tied)) continue;
        const int first = b.tied->row = w->nrow;
        if (t->def.type == SN_CONSTRAINT_COUPLING)
            sn__coupling_rows(&b);
        else if (t->def.type == SN_CONSTRAINT_COUPLING_LIMIT)
            sn__coupling_limit_rows(&b);
        else if (b.kind->joint)
            joint_rows(&b);
        else if (b.kind->holds || b.kind->motor || t->def.type == SN_CONSTRAINT_SPRING)
            sn__hold_rows(&b);
        else
            cartesian_rows(&b);
        for (int k = first; k < w->nrow && keeps_velocity(w, t); k++)
            w->row[k].b = 0;
        for (int k = first; k < w->nrow && asks_no_motion(t, b.tied); k++)
            w->more[k].still = true;
        if (w->level != SN__LEVEL_IMPACT || b.kind->impulse) b.tied->rows = b.made;
        if (w->level != SN__LEVEL_IMPACT && sn__tie_is_held(&t->def)) look_at_present(w, t, b.tied, h);
    }
    if (w->level == SN__LEVEL_STEP) sn__worker_tension_rows(w, h);
}

/* Paths and accelerations whose rows leave out what a curve adds. */
static bool is_curved(const struct sn__worker *w, const struct sn__tie *t) {
    const struct sn__tie_kind *kind = sn__tie_kind(t->def.type);
    return (((kind->path || kind->acceleration) && !kind->joint) || sn__tie_is_held(&t->def)) && is_on(w, t);
}

/* The accelerations that the impulses make, in QDD. */
static void take_accelerations(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const double over = 1 / h;
    if (m->accelerated) return;
    m->accelerated = true;
    const void *const parts[] = {m->free_qd, m->change, sn__hand_at(w, m, SN__QD)};
    sn__worker_impulse(w, member, w->f, m->change);
    p->k->combine(p->model->nv, m->zero, 3, (const double[]){over, over, -over}, parts,
                  sn__hand_at(w, m, SN__QDD));
}

/* The largest change of a row's velocity. */
static double refine(struct sn__worker *w, const struct sn__tie *t, struct sn__tied *tied, double h) {
    double arc[3], rate[6], most = 0;
    take_accelerations(w, t->def.member, h);
    if (sn__tie_kind(t->def.type)->two_ended && t->def.member2 >= 0) take_accelerations(w, t->def.member2, h);
    if (sn__tie_is_held(&t->def)) {
        for (int k = 0; k < tied->rows; k++) {
            const int i = tied->row + k;
            rate[k] = w->problem_room.w[i] - w->row[i].b + sn__worker_row_velocity(w, &w->row[i]);
        }
        return sn__held_ahead(w, t, tied, h, h, rate);
    }
    const int n = look_ahead(w, &t->def, h, h, arc);
    for (int k = 0; k < n && k < tied->rows; k++) {
        const double change = h * (arc[k] - tied->arc[k]);
        w->row[tied->row + k].b += change;
        tied->arc[k] = arc[k];
        most = fmax(most, fabs(change));
    }
    return most;
}

double sn__worker_ties_refine(struct sn__worker *w, double h) {
    double most = 0;
    const struct sn__problem p = sn__worker_problem(w);
    sn__worker_forget_frames(w);
    sn__problem_velocities(&p, w->f, true, w->problem_room.w);
    sn__worker_tension(w, h);
    for (int i = 0; i < w->world->ntie && w->level != SN__LEVEL_IMPACT; i++)
        if (is_curved(w, &w->world->tie[i]) && w->tied[i].rows)
            most = fmax(most, refine(w, &w->world->tie[i], &w->tied[i], h));
    return most;
}

bool sn__worker_impulses_wait(const struct sn__worker *w) {
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (is_on(w, t) && sn__tie_kind(t->def.type)->impulse && !w->tied[i].spent) return true;
    }
    return false;
}

/* More force, or more torque, than it bears: the first rows are forces. */
static void see_break(const struct sn__worker *w, const struct sn__tie *t, struct sn__tied *tied) {
    const sn_constraint_def *d = &t->def;
    double force2 = 0, torque2 = 0;
    if (isinf(d->break_force) && isinf(d->break_torque)) return;
    const sn_body_info *b = &w->hand[d->member].pack->model->body[d->body];
    const int forces = sn__tie_forces(d->type, b);
    for (int k = 0; k < tied->rows; k++)
        *(k < forces ? &force2 : &torque2) += tied->force[k] * tied->force[k];
    tied->broken = force2 > d->break_force * d->break_force || torque2 > d->break_torque * d->break_torque;
}

void sn__worker_ties_end(struct sn__worker *w) {
    if (w->world->used_ties) sn__worker_ties_apart(w);
    for (int i = 0; i < w->nrow; i++)
        if (w->more[i].impulse) *w->more[i].impulse = w->f[i];
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        struct sn__tied *tied = &w->tied[i];
        if (!is_on(w, t)) continue;
        if (sn__tie_kind(t->def.type)->impulse && tied->rows) tied->spent = true;
        see_break(w, t, tied);
        if (!sn__tie_kind(t->def.type)->path) continue;
        for (int k = 0; k < 6; k++) {
            const double v = tied->target_velocity[k];
            tied->mean[k] = tied->followed ? 0.5 * (v + tied->was[k]) : v;
            tied->was[k] = v;
        }
        memcpy(tied->last, tied->target, sizeof tied->last);
        tied->followed = true;
    }
}
