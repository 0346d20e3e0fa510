/* Constraints that hold something where it is, rigidly or softly; springs; motors.
 *
 * Each coordinate that is held at zero (struct sn__line) is a row. With e the coordinate now, e^ where a step without the
 * constraint would take it, u its rate in that step and u+ the one that the step ends with, the step leads to
 *
 *     e' = e^ + h (u+ - u),
 *
 * in which e^ is taken from poses: a point on a curve, or on a rod that turns, is led round and not off along the tangent. In
 * the other forms than the first two e^ and u are those of the present velocity, as in the paper.
 *
 *     rigid     e' = e; what e there is moves positions and is not a velocity of the state
 *     full      f = -k e' - c (e' - e) / h
 *     stable    f = -k e^ - c u+                                        spd-2011 eq. 13, 14
 *     implicit  f = -k e  - c u+
 *     explicit  f = -k e  - c u                                         the penalty method
 *
 * All soft ones are f = -B (u+ - wanted) + push. By frequency and damping ratio it is the full one, with
 * k = m w^2 and c = 2 z m w for the inertia m that the row meets. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/guide.h"
#include "world/tie.h"

bool sn__tie_is_soft(const sn_constraint_def *d) {
    return d->stiffness > 0 || d->damping > 0 || d->frequency > 0;
}

/* ---------------------------------------------------------------------------------------------- coordinates */

void sn__across(const double t[3], double n[2][3]) {
    const int least = fabs(t[0]) <= fabs(t[1]) && fabs(t[0]) <= fabs(t[2]) ? 0
                      : fabs(t[1]) <= fabs(t[2])                           ? 1
                                                                           : 2;
    const double e[3] = {least == 0, least == 1, least == 2};
    dvec_cross(t, e, n[1]);
    dvec_normalise(n[1]);
    dvec_cross(n[1], t, n[0]);
}

/* Velocity of a body's matter at a world point, as the step begins or under the free velocity; the world's is zero. */
static void matter_velocity(const struct sn__worker *w, int member, int body, const double x[3], bool free,
                            double v[3]) {
    if (member < 0) {
        v[0] = v[1] = v[2] = 0;
        return;
    }
    const double *place = w->hand[member].place + SN__PLACE * body;
    const double *rate = free ? w->hand[member].rate + 6 * body : place + 12;
    const double r[3] = {x[0] - place[0], x[1] - place[1], x[2] - place[2]};
    dvec_cross(rate + 3, r, v);
    for (int k = 0; k < 3; k++)
        v[k] += rate[k];
}

/* Whether e^ and u are those of a step without the constraint, or of the present velocity. */
static bool looks_free(const sn_constraint_def *d) {
    return d->form == SN_FORM_FULL || !(d->stiffness > 0 || d->damping > 0);
}

/* The velocity of x on the body against the other body's matter at y. */
static void relative_velocity(const struct sn__worker *w, const sn_constraint_def *d, const double x[3],
                              const double y[3], double v[3]) {
    double other[3];
    matter_velocity(w, d->member, d->body, x, looks_free(d), v);
    matter_velocity(w, d->member2, d->body2, y, looks_free(d), other);
    for (int k = 0; k < 3; k++)
        v[k] -= other[k];
}

/* x from the other end, in the other body's axes. */
void sn__seen_from_other(const struct sn__ends *e, double p[3]) {
    const double d[3] = {e->x[0] - e->y[0], e->x[1] - e->y[1], e->x[2] - e->y[2]};
    double back[4];
    dquat_conjugate(e->other.rot, back);
    dquat_rotate(back, d, p);
}

/* Which way a constraint pushes decides what becomes of the energy. What does no work over the step is across the mean of
 * the velocities before and after it; across the way that the step ends with, as spd-2011 has it, a bead on a ring of radius
 * R is braked by v^3 h / R^2. Velocities here are means of steps, so that of a rod, or on a smooth surface, the mean of two
 * of them is along the present pose. The coordinate itself is the one ahead: e^ becomes how far the point must go along the
 * first way to meet it there.
 *
 * Several of them on one body do not know of each other when they look ahead, and miss by terms of third order. Rigid ones
 * take that out of the positions. Soft ones would take it into the velocity, and chains of rods gain energy by it; where their
 * pushes lean a tenth of the way towards the way ahead, they lose it instead, a tenth of what the paper's do. */
static const double WIDEST = 0.5; /* cosine: beyond it nothing but the way ahead is sure to lead there */
static const double LEAN = 0.1;   /* of soft ones */
enum { ROUNDS = 2 }; /* of Newton's method for how far: what is left would become velocity, and energy */

/* The way to push along, or across, from the one that does no work. */
static void lean(const sn_constraint_def *d, const double ahead[3], double way[3]) {
    if (!sn__tie_is_soft(d)) return;
    for (int k = 0; k < 3; k++)
        way[k] += LEAN * (ahead[k] - way[k]);
    dvec_normalise(way);
}

static double distance_line(const struct sn__ends *e, double length, double d[3]) {
    for (int k = 0; k < 3; k++)
        d[k] = e->x[k] - e->y[k];
    const double l = dvec_length(d);
    if (!dvec_normalise(d)) d[0] = d[1] = 0, d[2] = 1;
    return l - length;
}

static int rod_line(const struct sn__tie *t, double length, const struct sn__ends *now,
                    const struct sn__ends *ahead, struct sn__line *line) {
    double d[3], to[3];
    line->now = distance_line(now, length, d);
    line->ahead = distance_line(ahead, length, to);
    lean(&t->def, to, d);
    const double c = dvec_dot(d, to), far = line->ahead + length, along = c * far;
    const double rest =
        along * along - far * far + length * length; /* |r - s d| = length: s = along - sqrt(rest) */
    const bool present = looks_free(&t->def) && c > WIDEST && rest > 0;
    memcpy(line->d, present ? d : to, sizeof line->d);
    if (present) line->ahead = along - sqrt(rest);
    if (c > WIDEST) return 1;
    line->now = -length; /* the ends pass each other: straight on, along the line ahead */
    for (int k = 0; k < 3; k++)
        line->now += to[k] * (now->x[k] - now->y[k]);
    return 1;
}

static int surface_line(const struct sn__tie *t, const struct sn__ends *now, const struct sn__ends *ahead,
                        struct sn__line *line) {
    const double *axis = t->def.direction;
    double p[3], q[3], up[3], to[3], unused[3];
    sn__seen_from_other(now, p);
    line->now = sn__surface_distance(t->guide, axis, p, up);
    sn__seen_from_other(ahead, q);
    line->ahead = sn__surface_distance(t->guide, axis, q, to);
    lean(&t->def, to, up);
    const double c = dvec_dot(up, to);
    const bool present = looks_free(&t->def) && c > WIDEST;
    dquat_rotate(ahead->other.rot, present ? up : to, line->d);
    if (!present) return 1;
    line->ahead /= c;
    for (int i = 0; i < ROUNDS; i++) {
        const double s = line->ahead, r[3] = {q[0] - s * up[0], q[1] - s * up[1], q[2] - s * up[2]};
        line->ahead += sn__surface_distance(t->guide, axis, r, unused) / c;
    }
    return 1;
}

/* A point on a curve, seen from the frame that carries it: now, and a step ahead. */
struct passage {
    double p[3], q[3];   /* the point */
    double on[3];        /* after a step of the present velocity */
    double at[3], to[3]; /* the nearest places */
    double t0[3], t1[3]; /* and the way there */
};

/* The way that the pushes of this step are across: the mean of the last step's and of this one's, as far as both go along the
   curve. A curve of straight pieces has corners, and the way now says nothing of them. */
static void mean_way(const sn_constraint_def *d, const struct passage *c, double way[3]) {
    double before[3], after[3];
    for (int k = 0; k < 3; k++)
        before[k] = c->on[k] - c->p[k], after[k] = c->to[k] - c->at[k];
    memcpy(way, c->t1, sizeof c->t1);
    if (!looks_free(d) || !dvec_normalise(before) || !dvec_normalise(after)) return;
    if (fabs(dvec_dot(before, c->t0)) < 0.9 || dvec_dot(before, after) < WIDEST) return;
    for (int k = 0; k < 3; k++)
        way[k] = before[k] + after[k];
    dvec_normalise(way);
    const double sign = dvec_dot(way, c->t1) < 0 ? -1 : 1,
                 to[3] = {sign * c->t1[0], sign * c->t1[1], sign * c->t1[2]};
    lean(d, to, way);
}

/* How far x is from the line through `to` along t, along the two ways m; nothing where they lie along it nearly. */
static void take_out(const double x[3], const double to[3], const double t[3], const double m[2][3],
                     double s[2]) {
    double n[2][3], e[2] = {0, 0}, C[2][2];
    sn__across(t, n);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            e[i] += n[i][k] * (x[k] - to[k]);
        for (int j = 0; j < 2; j++)
            C[i][j] = dvec_dot(n[i], m[j]);
    }
    const double under = C[0][0] * C[1][1] - C[0][1] * C[1][0]; /* +- the cosine between t and the way */
    if (fabs(under) < 0.5 * WIDEST) {
        s[0] = s[1] = 0;
        return;
    }
    s[0] = (C[1][1] * e[0] - C[0][1] * e[1]) / under;
    s[1] = (C[0][0] * e[1] - C[1][0] * e[0]) / under;
}

static int curve_lines(const struct sn__tie *t, const struct sn__ends *now, const struct sn__ends *ahead,
                       const struct sn__ends *on, struct sn__line line[3]) {
    struct passage c;
    double way[3], m[2][3], r[3], to[3], t1[3];
    sn__seen_from_other(now, c.p);
    sn__seen_from_other(on, c.on);
    sn__seen_from_other(ahead, c.q);
    sn__curve_nearest(t->guide, c.p, c.at, c.t0);
    sn__curve_nearest(t->guide, c.q, c.to, c.t1);
    mean_way(&t->def, &c, way);
    sn__across(way, m);
    line[0].ahead = line[1].ahead = line[0].now = line[1].now = 0;
    memcpy(r, c.q, sizeof r), memcpy(to, c.to, sizeof to), memcpy(t1, c.t1, sizeof t1);
    for (int i = 0;; i++) {
        double s[2];
        take_out(r, to, t1, (const double(*)[3])m, s);
        for (int j = 0; j < 2; j++) {
            line[j].ahead += s[j];
            for (int k = 0; k < 3; k++)
                r[k] -= s[j] * m[j][k];
        }
        if (i == ROUNDS || !looks_free(&t->def)) break;
        sn__curve_nearest(t->guide, r, to, t1);
    }
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 3; k++)
            line[j].now += m[j][k] * (c.p[k] - c.at[k]);
        dquat_rotate(ahead->other.rot, m[j], line[j].d);
    }
    return 2;
}

static int pin_lines(const struct sn__ends *now, const struct sn__ends *ahead, struct sn__line line[3]) {
    for (int k = 0; k < 3; k++) {
        line[k] = (struct sn__line){.now = now->x[k] - now->y[k], .ahead = ahead->x[k] - ahead->y[k]};
        line[k].d[k] = 1;
    }
    return 3;
}

int sn__lines_of(const struct sn__worker *w, const struct sn__tie *t, const struct sn__tied *tied, double h,
                 struct sn__ends *now, struct sn__line line[3]) {
    const sn_constraint_def *d = &t->def;
    const struct sn__ends on = sn__ends_at(w, d, SN__MOMENTS - 1, h, 0),
                          ahead = looks_free(d) ? sn__ends_at(w, d, SN__MOMENT_FREE, h, 0) : on;
    double v[3];
    *now = sn__ends_at(w, d, SN__MOMENT_NOW, h, 0);
    const int n = d->type == SN_CONSTRAINT_CURVE     ? curve_lines(t, now, &ahead, &on, line)
                  : d->type == SN_CONSTRAINT_SURFACE ? surface_line(t, now, &ahead, line)
                  : d->type == SN_CONSTRAINT_DISTANCE || d->type == SN_CONSTRAINT_ROPE
                      ? rod_line(t, tied->target[0], now, &ahead, line)
                      : pin_lines(now, &ahead, line);
    const bool guided = d->type == SN_CONSTRAINT_CURVE || d->type == SN_CONSTRAINT_SURFACE;
    relative_velocity(w, d, now->x, guided ? now->x : now->y, v);
    for (int k = 0; k < n; k++)
        line[k].rate = dvec_dot(line[k].d, v);
    return n;
}

/* ----------------------------------------------------------------------------------------------------- laws */

struct sn__damper sn__damper_of(const sn_constraint_def *d, const struct sn__line *line, double h) {
    const double k = d->stiffness, e = line->now;
    double c = d->damping;
    if (d->form == SN_FORM_STABLE) {
        if (c == 0) c = 1.5 * k * h;
        return (struct sn__damper){c, -k * line->ahead / c, 0};
    }
    if (d->form == SN_FORM_EXPLICIT) return (struct sn__damper){0, 0, -k * e - c * line->rate};
    if (d->form == SN_FORM_IMPLICIT_D)
        return c > 0 ? (struct sn__damper){c, -k * e / c, 0} : (struct sn__damper){0, 0, -k * e};
    const double B = h * k + c;
    return (struct sn__damper){B, line->rate - line->ahead / h + c * e / (h * B), 0};
}

/* A soft row: of impulse f, u + f / (h B) = wanted; what only pushes has an impulse that is known. */
static void soften(struct sn__build *b, struct sn__pgs_row *row, const struct sn__line *line) {
    const sn_constraint_def *d = b->def;
    const double h = b->h, u = sn__worker_row_velocity(b->w, row);
    if (d->frequency > 0) {
        const double w = 2 * M_PI * d->frequency, z = d->damping_ratio, under = h * w + 2 * z;
        b->w->more[b->w->nrow - 1].softness = 1 / (h * w * under);
        row->b = u - (line->rate - line->ahead / h + 2 * z * line->now / (h * under));
        return;
    }
    const struct sn__damper x = sn__damper_of(d, line, h);
    if (x.B > 0) {
        row->soft = 1 / (h * x.B);
        row->b = u - x.wanted;
        return;
    }
    row->b = u;
    row->lo = row->hi = fmax(row->lo, fmin(row->hi, h * x.push));
}

/* No velocity but what leads round; what error there is, is taken out of the positions, nearly all at once: it is not a velocity
   of the state. */
static void hold(struct sn__build *b, struct sn__pgs_row *row, double error, double wanted) {
    const double most = b->w->world->def.pin_speed, speed = error / (1.25 * b->h);
    row->b = sn__worker_row_velocity(b->w, row) - wanted;
    if (b->w->level != SN__LEVEL_IMPACT) b->w->more[b->w->nrow - 1].bias = fmax(-most, fmin(most, speed));
}

/* A row of a coordinate that goes straight: of a pin, or of a turn. */
static void hold_straight(struct sn__build *b, struct sn__pgs_row *row, double now, double rate) {
    const struct sn__line line = {.now = now, .ahead = now + b->h * rate, .rate = rate};
    if (sn__tie_is_soft(b->def))
        soften(b, row, &line);
    else
        hold(b, row, -now, 0);
}

/* The velocity that leads round, which may not be more than that of recovery: rows that contradict each other would spin each
   other up. */
static double led_round(const struct sn__build *b, double speed) {
    const double most = b->w->world->def.pin_speed;
    return b->w->level == SN__LEVEL_IMPACT ? 0 : fmax(-most, fmin(most, speed));
}

/* And of one that goes along a line of its own. */
static void hold_line(struct sn__build *b, struct sn__pgs_row *row, const struct sn__line *line) {
    if (sn__tie_is_soft(b->def))
        soften(b, row, line);
    else
        hold(b, row, -line->now, led_round(b, line->rate - (line->ahead - line->now) / b->h));
}

/* ----------------------------------------------------------------------------------------------------- rows */

static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static double turn_rate(const struct sn__build *b, const double d[3]) {
    const sn_constraint_def *def = b->def;
    const double *w = b->w->hand[def->member].place + SN__PLACE * def->body + 15;
    double rate = dvec_dot(d, w);
    if (def->member2 >= 0) rate -= dvec_dot(d, b->w->hand[def->member2].place + SN__PLACE * def->body2 + 15);
    return rate;
}

/* Turns by `off` from where they should be, a rotation vector, about n axes; false: there is no room. */
static bool turn_rows(struct sn__build *b, const double off[3], int n, const double (*axis)[3]) {
    for (int k = 0; k < n; k++) {
        struct sn__pgs_row *row = sn__tie_turn_row(b, axis[k]);
        if (!row) return false;
        hold_straight(b, row, dvec_dot(off, axis[k]), turn_rate(b, axis[k]));
    }
    return true;
}

/* The turn of the body against what the constraint keeps. */
void sn__turned(const struct sn__ends *e, const double keep[4], double off[3]) {
    double aim[4];
    dquat_multiply(e->other.rot, keep, aim);
    sn__turn_between(e->body.rot, aim, off);
    for (int k = 0; k < 3; k++)
        off[k] = -off[k];
}

/* The same of a hinge: from where its axis is in the body to where it is in the other. */
void sn__tilted(const struct sn__ends *e, const sn_constraint_def *d, const double keep[4], double off[3]) {
    double back[4], own[3], axis[3];
    dquat_conjugate(keep, back);
    dquat_rotate(back, d->direction, own);
    dquat_rotate(e->body.rot, own, axis);
    dvec_cross(e->d, axis, off);
}

/* A point held on another point. */
static bool pin_rows(struct sn__build *b, const struct sn__ends *e) {
    double v[3];
    relative_velocity(b->w, b->def, e->x, e->y, v);
    for (int k = 0; k < 3; k++) {
        struct sn__pgs_row *row = sn__tie_point_row(b, e->x, e->y, AXES[k]);
        if (!row) return false;
        hold_straight(b, row, e->x[k] - e->y[k], v[k]);
    }
    return true;
}

/* A point held on a line that the other body carries. */
static bool rail_rows(struct sn__build *b, const struct sn__ends *e) {
    const struct sn__ends ahead =
        sn__ends_at(b->w, b->def, looks_free(b->def) ? SN__MOMENT_FREE : SN__MOMENTS - 1, b->h, 0);
    double p[3], q[3], n[2][3], v[3];
    sn__seen_from_other(e, p);
    sn__seen_from_other(&ahead, q);
    sn__across(b->def->direction, n);
    relative_velocity(b->w, b->def, e->x, e->x, v);
    for (int k = 0; k < 2; k++) {
        struct sn__line line = {.now = dvec_dot(n[k], p), .ahead = dvec_dot(n[k], q)};
        dquat_rotate(e->other.rot, n[k], line.d);
        line.rate = dvec_dot(line.d, v);
        struct sn__pgs_row *row = sn__tie_point_row(b, e->x, e->x, line.d);
        if (!row) return false;
        hold_line(b, row, &line);
    }
    return true;
}

/* A rope pulls, and only where it would be too long at the end of the step; in an impact, where it is taut. */
static void rope_row(struct sn__build *b, struct sn__pgs_row *row, struct sn__line *line) {
    const bool taut = line->now > 0;
    row->hi = 0;
    if (b->w->level == SN__LEVEL_IMPACT && line->now < -1e-6) row->lo = 0;
    if (!taut) { /* it may become as long as it is */
        const double slack = b->w->level == SN__LEVEL_IMPACT ? 0 : line->rate - line->ahead / b->h;
        if (!sn__tie_is_soft(b->def)) {
            row->b = sn__worker_row_velocity(b->w, row) - slack;
            return;
        }
        line->now = 0;
    }
    hold_line(b, row, line);
    if (row->lo == row->hi) row->lo = row->hi = fmin(0, row->hi);
}

/* False: there is no room. */
static bool line_rows(struct sn__build *b) {
    struct sn__ends e;
    struct sn__line line[3];
    const int n = sn__lines_of(b->w, b->tie, b->tied, b->h, &e, line);
    const bool guided = b->def->type == SN_CONSTRAINT_CURVE || b->def->type == SN_CONSTRAINT_SURFACE;
    for (int k = 0; k < n; k++) {
        struct sn__pgs_row *row = sn__tie_point_row(b, e.x, guided ? e.x : e.y, line[k].d);
        if (!row) return false;
        if (b->def->type == SN_CONSTRAINT_ROPE)
            rope_row(b, row, &line[k]);
        else
            hold_line(b, row, &line[k]);
    }
    return true;
}

static void frame_rows(struct sn__build *b) {
    const struct sn__ends e = sn__ends_at(b->w, b->def, SN__MOMENT_NOW, b->h, 0);
    const sn_constraint_type type = b->def->type;
    double off[3], n[2][3];
    if (type == SN_CONSTRAINT_SLIDER && !rail_rows(b, &e)) return;
    if (type == SN_CONSTRAINT_HINGE && !line_rows(b)) return;
    if ((type == SN_CONSTRAINT_PIN || type == SN_CONSTRAINT_WELD) && !pin_rows(b, &e)) return;
    if (type == SN_CONSTRAINT_PIN) return;
    if (type != SN_CONSTRAINT_HINGE) {
        sn__turned(&e, b->tied->target, off);
        turn_rows(b, off, 3, AXES);
        return;
    }
    sn__tilted(&e, b->def, b->tied->target, off);
    sn__across(e.d, n);
    turn_rows(b, off, 2, (const double(*)[3])n);
}

/* A spring to the target, implicit: f = k (target - x - h u) + c (target' - u) is the soft row
     u + f h / (h (h k + c)) = (k e + c target') / (h k + c). */
static void spring_rows(struct sn__build *b) {
    const sn_constraint_def *d = b->def;
    const struct sn__ends e = sn__ends_at(b->w, d, SN__MOMENT_NOW, b->h, 0);
    const double under = b->h * d->stiffness + d->damping;
    for (int k = 0; k < 3; k++) {
        struct sn__pgs_row *row = sn__tie_point_row(b, e.x, e.x, AXES[k]);
        if (!row) return;
        row->soft = 1 / (b->h * under);
        row->b =
            sn__worker_row_velocity(b->w, row) -
            (d->stiffness * (b->tied->target[k] - e.x[k]) + d->damping * b->tied->target_velocity[k]) / under;
    }
}

static void motor_row(struct sn__build *b) {
    const struct sn__ends e = sn__ends_at(b->w, b->def, SN__MOMENT_NOW, b->h, 0);
    struct sn__pgs_row *row =
        b->def->type == SN_CONSTRAINT_MOTOR ? sn__tie_turn_row(b, e.d) : sn__tie_point_row(b, e.x, e.x, e.d);
    if (row) row->b = sn__worker_row_velocity(b->w, row) - b->tied->target_velocity[0];
}

void sn__hold_rows(struct sn__build *b) {
    const sn_constraint_type type = b->def->type;
    if (type == SN_CONSTRAINT_SPRING)
        spring_rows(b);
    else if (b->kind->motor)
        motor_row(b);
    else if (type == SN_CONSTRAINT_DISTANCE || type == SN_CONSTRAINT_ROPE || type == SN_CONSTRAINT_CURVE ||
             type == SN_CONSTRAINT_SURFACE || (type == SN_CONSTRAINT_PIN && sn__tie_is_soft(b->def)))
        line_rows(b);
    else
        frame_rows(b);
}
