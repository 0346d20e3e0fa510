/* A world as lines, shapes and text, for functions of the user's: sn_world_draw. */
#include "world/device.h"
#include "world/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/hull.h"
#include "world/copy.h"
#include "world/fields.h"
#include "world/triggers.h"

enum {
    RED = 0xd03030,
    GREEN = 0x30a030,
    BLUE = 0x3050d0,
    GREY = 0x909090,
    BODY = 0x707a88,
    ASLEEP = 0x9aa0a8,
    YELLOW = 0xd0a000,
    PURPLE = 0x9040b0,
    ORANGE = 0xe07020,
    BLACK = 0x202020,
};

struct picture {
    const sn_drawer *d;
    sn_world *w;
    int copy;
    unsigned what;
    double size, force;
    double *values; /* of one member */
};

static bool wants(const struct picture *p, unsigned what) {
    return (p->what & what) != 0;
}

static void line(const struct picture *p, const double from[3], const double to[3], uint32_t color) {
    sn__draw_line(p->d, from, to, color);
}

/* A line from a point, `length` along v. */
static void ray(const struct picture *p, const double from[3], const double v[3], double length,
                uint32_t color) {
    const double to[3] = {from[0] + length * v[0], from[1] + length * v[1], from[2] + length * v[2]};
    line(p, from, to, color);
}

static void text(const struct picture *p, const double pos[3], const char *words, uint32_t color) {
    if (p->d->text) p->d->text(p->d->user, pos, words, color);
}

static void cross(const struct picture *p, const double at[3], uint32_t color) {
    for (int k = 0; k < 3; k++) {
        double from[3], to[3];
        memcpy(from, at, sizeof from);
        memcpy(to, at, sizeof to);
        from[k] -= 0.1 * p->size, to[k] += 0.1 * p->size;
        line(p, from, to, color);
    }
}

/* A force that acts at a point, with its size. */
static void arrow(const struct picture *p, const double at[3], const double force[3]) {
    const double size = dvec_length(force);
    char words[32];
    if (!(size > 0) || !isfinite(size)) return;
    const double end[3] = {at[0] + p->force * force[0], at[1] + p->force * force[1],
                           at[2] + p->force * force[2]};
    line(p, at, end, ORANGE);
    snprintf(words, sizeof words, "%.0f N", size);
    text(p, end, words, ORANGE);
}

/* The frame of a body, from its pose. */
static struct sn__at frame_of(const double pose[7]) {
    struct sn__at at;
    memcpy(at.pos, pose, sizeof at.pos);
    dquat_to_matrix(pose + 3, at.R);
    return at;
}

static void point_of(const struct sn__at *at, const double local[3], double p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = at->pos[k] + at->R[k][0] * local[0] + at->R[k][1] * local[1] + at->R[k][2] * local[2];
}

static void turned(const struct sn__at *at, const double local[3], double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = at->R[k][0] * local[0] + at->R[k][1] * local[1] + at->R[k][2] * local[2];
}

/* ------------------------------------------------------------------------------------------------- shapes */

static void draw_shape(const struct picture *p, const sn_shape_def *shape, const double pos[3],
                       const double rot[4], uint32_t color) {
    struct sn__at at;
    sn_shape_def plain = *shape;
    memset(plain.pos, 0, sizeof plain.pos);
    dquat_identity(plain.rot);
    if (p->d->shape && p->d->shape(p->d->user, &plain, pos, rot, color)) return;
    memcpy(at.pos, pos, sizeof at.pos);
    dquat_to_matrix(rot, at.R);
    sn__draw_outline(p->d, &plain, &at, color);
}

static void draw_shapes(const struct picture *p, const struct sn__member *m, int body, const double pose[7]) {
    const sn_body_info *b = &m->model->body[body];
    const struct sn__at at = frame_of(pose);
    const bool asleep = m->sleeps && m->asleep[p->copy];
    for (int i = b->first_shape; i < b->first_shape + b->nshape; i++) {
        const sn_shape_def *shape = &m->model->shape[i];
        if (!wants(p, shape->trigger ? SN_DRAW_TRIGGERS : SN_DRAW_SHAPES)) continue;
        double pos[3], rot[4];
        point_of(&at, shape->pos, pos);
        dquat_multiply(pose + 3, shape->rot, rot);
        draw_shape(p, shape, pos, rot, shape->trigger ? YELLOW : asleep ? ASLEEP : BODY);
    }
}

/* Where the first member is: planes are drawn around it. */
static void middle_of(const struct picture *p, double middle[3]) {
    memset(middle, 0, 3 * sizeof *middle);
    for (int i = 0; i < p->w->nmember; i++) {
        const double *pose = p->w->member[i] ? sn__world_poses(p->w, p->w->member[i], p->copy) : NULL;
        if (!pose || !p->w->member[i]->model->nbody) continue;
        memcpy(middle, pose, 3 * sizeof *middle);
        return;
    }
}

static void draw_grounds(const struct picture *p) {
    double middle[3];
    middle_of(p, middle);
    for (int g = 0; g < p->w->nground; g++) {
        const struct sn__solid *s = p->w->ground[g] >= 0 ? &p->w->solid[p->w->ground[g]] : NULL;
        if (!s || !wants(p, s->trigger ? SN_DRAW_TRIGGERS : SN_DRAW_GROUND)) continue;
        const uint32_t color = s->trigger ? YELLOW : GREY;
        sn_shape_def shape;
        if (s->geom.type >= SN__GEOM_PLANE) {
            sn__draw_ground(p->d, &s->geom, middle, color);
        } else if (sn_world_ground_shape(p->w, g, &shape)) {
            draw_shape(p, &shape, shape.pos, shape.rot, color);
        } else if (s->geom.hull) { /* its corners count from its centre here */
            for (int i = 0; i < s->geom.hull->nedge; i++) {
                struct sn__at at;
                double from[3], to[3];
                memcpy(at.pos, s->geom.pos, sizeof at.pos);
                memcpy(at.R, s->geom.R, sizeof at.R);
                point_of(&at, s->geom.hull->vertex[s->geom.hull->edge[i].from], from);
                point_of(&at, s->geom.hull->vertex[s->geom.hull->edge[i].to], to);
                line(p, from, to, color);
            }
        }
    }
}

/* ------------------------------------------------------------------------------------------------- joints */

/* The frame that a body has when its joint is at zero, as far as it turns. */
static struct sn__at at_rest(const sn_body_info *b, const double *poses) {
    static const double world[7] = {0, 0, 0, 1, 0, 0, 0};
    const double *parent = b->parent >= 0 ? poses + 7 * b->parent : world;
    double pose[7] = {0};
    dquat_multiply(parent + 3, b->rot, pose + 3);
    return frame_of(pose);
}

/* A unit vector across another. */
static void across(const double v[3], double u[3]) {
    const double e[3] = {fabs(v[0]) < 0.6, fabs(v[0]) >= 0.6, 0};
    dvec_cross(v, e, u);
    dvec_normalise(u);
}

/* A hinge: the arc that it may turn in, and where it is. */
static void draw_hinge(const struct picture *p, const sn_body_info *b, const double anchor[3],
                       const struct sn__at *rest, const struct sn__at *now) {
    double axis[3], side[3], u[3], v[3];
    across(b->joint.axis, side);
    turned(now, side, u);
    ray(p, anchor, u, p->size, RED);
    turned(rest, b->joint.axis, axis);
    turned(rest, side, u);
    dvec_cross(axis, u, v);
    for (int k = 0; k < 3; k++)
        u[k] *= p->size, v[k] *= p->size;
    sn__draw_arc(p->d, anchor, u, v, b->joint.lower[0], b->joint.upper[0] - b->joint.lower[0], YELLOW);
}

/* A ball: the cone that its twist axis may swing in, and where that is. */
static void draw_ball(const struct picture *p, const sn_body_info *b, const double anchor[3],
                      const struct sn__at *rest, const struct sn__at *now) {
    double axis[3], side[3], u[3], v[3], c[3];
    const double swing = b->joint.upper[1];
    turned(now, b->joint.axis, axis);
    ray(p, anchor, axis, p->size, RED);
    across(b->joint.axis, side);
    turned(rest, b->joint.axis, axis);
    turned(rest, side, u);
    dvec_cross(axis, u, v);
    for (int k = 0; k < 3; k++) {
        c[k] = anchor[k] + p->size * sn__cos(swing) * axis[k];
        u[k] *= p->size * sn__sin(swing), v[k] *= p->size * sn__sin(swing);
    }
    sn__draw_arc(p->d, c, u, v, 0, 6.283185307179586, YELLOW);
}

static void draw_limits(const struct picture *p, const sn_body_info *b, const double *poses,
                        const double pose[7], const double anchor[3]) {
    const struct sn__at rest = at_rest(b, poses), now = frame_of(pose);
    if (!b->joint.limited) return;
    if (b->joint.type == SN_JOINT_HINGE) draw_hinge(p, b, anchor, &rest, &now);
    if (b->joint.type == SN_JOINT_BALL) draw_ball(p, b, anchor, &rest, &now);
    if (b->joint.type != SN_JOINT_SLIDE) return;
    double axis[3], from[3];
    turned(&rest, b->joint.axis, axis);
    for (int k = 0; k < 3; k++)
        from[k] = anchor[k] + (b->joint.lower[0] - p->values[b->q_index]) * axis[k];
    ray(p, from, axis, b->joint.upper[0] - b->joint.lower[0], YELLOW);
}

static void draw_joint(const struct picture *p, const struct sn__member *m, int body, const double *poses) {
    const sn_body_info *b = &m->model->body[body];
    const struct sn__at now = frame_of(poses + 7 * body);
    double anchor[3], axis[3];
    point_of(&now, b->joint.anchor, anchor);
    if (wants(p, SN_DRAW_JOINTS) && b->parent >= 0) {
        const struct sn__at up = frame_of(poses + 7 * b->parent);
        double above[3];
        point_of(&up, m->model->body[b->parent].joint.anchor, above);
        line(p, above, anchor, BLUE);
    }
    turned(&now, b->joint.axis, axis);
    if (wants(p, SN_DRAW_JOINTS) && b->nv == 1) ray(p, anchor, axis, p->size, PURPLE);
    if (wants(p, SN_DRAW_LIMITS)) draw_limits(p, b, poses, poses + 7 * body, anchor);
}

/* ------------------------------------------------------------------------------------------------- members */

static void draw_body(const struct picture *p, const struct sn__member *m, int body, const double *poses) {
    static const uint32_t color[3] = {RED, GREEN, BLUE};
    const struct sn__at at = frame_of(poses + 7 * body);
    double com[3];
    draw_shapes(p, m, body, poses + 7 * body);
    for (int k = 0; k < 3 && wants(p, SN_DRAW_AXES); k++)
        ray(p, at.pos, (const double[3]){at.R[0][k], at.R[1][k], at.R[2][k]}, p->size, color[k]);
    draw_joint(p, m, body, poses);
    point_of(&at, m->model->body[body].com, com);
    if (wants(p, SN_DRAW_MASSES)) cross(p, com, BLACK);
    if (wants(p, SN_DRAW_NAMES)) text(p, com, m->model->body[body].name, BLACK);
}

static bool draw_member(struct picture *p, struct sn__member *m) {
    const double *poses = sn__world_poses(p->w, m, p->copy);
    double *values = sn__alloc((size_t)(6 * m->model->nbody + m->model->nq) + 1, sizeof *values);
    if (!poses || !values) {
        sn__free(values);
        return false;
    }
    p->values = values;
    sn__field_read(p->w, m, SN_FIELD_Q, p->copy, values);
    for (int b = 0; b < m->model->nbody; b++)
        draw_body(p, m, b, poses);
    if (wants(p, SN_DRAW_FORCES)) sn__field_read(p->w, m, SN_FIELD_PUSH, p->copy, values);
    for (int b = 0; b < m->model->nbody && wants(p, SN_DRAW_FORCES); b++)
        arrow(p, poses + 7 * b, values + 6 * b);
    sn__free(values);
    return true;
}

/* ------------------------------------------------------------------------------------- contacts, constraints */

static void draw_contacts(const struct picture *p) {
    int n;
    const sn_contact *c = sn_world_contacts(p->w, p->copy, &n);
    for (int i = 0; i < n; i++) {
        if (c[i].phase == SN_CONTACT_PHASE_ENDED) continue;
        const uint32_t color = c[i].phase == SN_CONTACT_PHASE_NEAR ? GREY : RED;
        if (wants(p, SN_DRAW_CONTACTS))
            cross(p, c[i].pos, color), ray(p, c[i].pos, c[i].normal, p->size, color);
        if (wants(p, SN_DRAW_FORCES)) arrow(p, c[i].pos, c[i].force);
    }
}

/* The end of a constraint in the world; false: out of memory. */
static bool end_of(const struct picture *p, int member, int body, const double point[3], double x[3]) {
    if (member < 0) {
        memcpy(x, point, 3 * sizeof *x);
        return true;
    }
    const double *poses = sn__world_poses(p->w, p->w->member[member], p->copy);
    if (!poses) return false;
    const struct sn__at at = frame_of(poses + 7 * body);
    point_of(&at, point, x);
    return true;
}

static bool draw_constraints(const struct picture *p) {
    for (int i = 0; i < p->w->ntie; i++) {
        const sn_constraint_def *d = &p->w->tie[i].def;
        if (!p->w->tie[i].used || p->w->copy[p->copy].tied[i].broken) continue;
        double from[3], to[3];
        if (!end_of(p, d->member, d->body, d->point, from)) return false;
        if (!end_of(p, d->member2, d->body2, d->point2, to)) return false;
        const bool aims = d->type == SN_CONSTRAINT_SPRING || d->type == SN_CONSTRAINT_POINT_PATH;
        line(p, from, aims ? p->w->copy[p->copy].tied[i].target : to, PURPLE);
        cross(p, from, PURPLE);
    }
    return true;
}

sn_status sn_world_draw(sn_world *w, int copy, unsigned what, const sn_drawer *drawer) {
    sn__world_fetch(w);
    if (!drawer) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is nothing to draw with (NULL).");
    if (copy < 0 || copy >= w->def.copies)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no copy %d: the world has %d.", copy,
                                w->def.copies);
    struct picture p = {.d = drawer,
                        .w = w,
                        .copy = copy,
                        .what = what,
                        .size = drawer->size > 0 ? drawer->size : 0.1,
                        .force = drawer->force > 0 ? drawer->force : 1e-3};
    bool good = true;
    if (wants(&p, SN_DRAW_GROUND | SN_DRAW_TRIGGERS)) draw_grounds(&p);
    for (int i = 0; i < w->nmember && good; i++)
        if (w->member[i] && w->member[i]->active) good = draw_member(&p, w->member[i]);
    if (good && wants(&p, SN_DRAW_CONSTRAINTS)) good = draw_constraints(&p);
    if (wants(&p, SN_DRAW_CONTACTS | SN_DRAW_FORCES)) draw_contacts(&p);
    return good ? SN_OK : sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory to draw.");
}
