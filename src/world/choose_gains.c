/* Gains for a pose and a stance.

   A joint splits its tree into the outer side, the bodies that hang on it, and the inner side, all others. With every
   other joint locked a unit of its rate moves the outer side by the screw S, and its inertia is S^T I_outer S, the
   diagonal of the mass matrix. Where the outer side stands on the ground it cannot move: the inner side does, by -S, with
   the inertia S^T I_inner S. Of n standing bodies each bears 1/n of the weight; a limb that bears more than it weighs
   carries the rest, in part:

       share = (m n_outer / n - m_outer) / m_inner,     I = max(I_outer, share I_inner)

   share is 1 on one leg, a little less than 1/2 for each of two, and 0 for a limb that only lies on the ground.

   Gravity topples what is above the joint: turned by x about the axis w a centre of mass at r moves by
   w x r x + w x (w x r) x^2 / 2, so that the potential energy has the second derivative -m g . (w x (w x r)). What is
   positive of G = m g . (w x (w x r)) joins kp. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/shape.h"
#include "dynamics/gains.h"
#include "model/model.h"
#include "model/joint.h"

struct chooser {
    const sn_model *model;
    sn_gains_def def;
    sn_dynamics *dynamics;
    double *q, *pose, *com, *jacobian; /* [nq]; [nbody][7] frames in the world; [nbody][3]; [6][nv] */
    double *topple;                    /* [nv] G */
    int *end;                          /* [nbody] one past the last body that hangs on it */
    uint8_t *standing;                 /* [nbody] */
};

/* ---------------------------------------------------------------------------------------------- the stance */

static int tree_of(const sn_model *model, int body) {
    while (model->body[body].parent >= 0)
        body = model->body[body].parent;
    return body;
}

/* The lowest or, of -up, the highest a body's shapes reach, as a height along up; infinity: it has none. */
static double lowest_of(const struct chooser *c, int body, const double up[3]) {
    const sn_body_info *b = &c->model->body[body];
    const double *frame = c->pose + 7 * body;
    double least = HUGE_VAL, at[3], pos[3], rot[4], turn[4];
    for (int i = b->first_shape; i < b->first_shape + b->nshape; i++) {
        const sn_shape_def *s = &c->model->shape[i];
        struct sn__geom g;
        if (!(s->group | s->mask) || !sn__geom_make(s, &g, pos, rot)) continue;
        dquat_multiply(frame + 3, rot, turn);
        dquat_to_matrix(turn, g.R);
        dquat_rotate(frame + 3, pos, g.pos);
        for (int k = 0; k < 3; k++)
            g.pos[k] += frame[k];
        least = fmin(least, sn__lowest_point(&g, up, at));
    }
    return least;
}

/* Marks the lowest bodies of the tree of one free root. */
static void stand_on_lowest(struct chooser *c, int root) {
    const double size = dvec_length(c->def.gravity);
    double up[3], down[3], lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (int k = 0; k < 3; k++)
        up[k] = -c->def.gravity[k] / size, down[k] = -up[k];
    for (int i = root; i < c->end[root]; i++) {
        lowest = fmin(lowest, lowest_of(c, i, up));
        highest = fmax(highest, -lowest_of(c, i, down));
    }
    for (int i = root; i < c->end[root] && isfinite(lowest); i++)
        c->standing[i] = lowest_of(c, i, up) <= lowest + 0.02 * (highest - lowest);
}

static void take_stance(struct chooser *c) {
    const sn_model *model = c->model;
    for (int i = 0; i < model->nbody; i++) {
        if (c->def.stance == SN_STANCE_BODIES) c->standing[i] = c->def.standing[i] != 0;
        if (c->def.stance == SN_STANCE_LOWEST && sn__joint_is_free(&model->body[i])) stand_on_lowest(c, i);
    }
}

/* -------------------------------------------------------------------------------------------- what is carried */

/* The part of the inner side's weight that goes through the joint of a body to the ground. */
static double share_of(const struct chooser *c, int body) {
    const int root = tree_of(c->model, body);
    double mass = 0, outer = 0;
    int n = 0, n_outer = 0;
    for (int i = root; i < c->end[root]; i++) {
        const bool out = i >= body && i < c->end[body];
        mass += c->model->body[i].mass, n += c->standing[i];
        if (out) outer += c->model->body[i].mass, n_outer += c->standing[i];
    }
    if (n_outer == 0 || !(mass - outer > 0)) return 0;
    return fmax(0, (mass * n_outer / n - outer) / (mass - outer));
}

/* Inertia and toppling stiffness of one body under the screw of unit rate that has the angular velocity w and moves the
   point `at` by v. */
static void add_body(const struct chooser *c, int body, const double w[3], const double v[3],
                     const double at[3], double *inertia, double *topple) {
    const sn_body_info *b = &c->model->body[body];
    const double *J = b->inertia;
    double r[3], speed[3], bend[3], own[3], back[4];
    for (int k = 0; k < 3; k++)
        r[k] = c->com[3 * body + k] - at[k];
    dvec_cross(w, r, speed);
    for (int k = 0; k < 3; k++)
        speed[k] += v[k];
    dvec_cross(w, speed, bend);
    dquat_conjugate(c->pose + 7 * body + 3, back);
    dquat_rotate(back, w, own);
    const double Jw[3] = {J[0] * own[0] + J[3] * own[1] + J[4] * own[2],
                          J[3] * own[0] + J[1] * own[1] + J[5] * own[2],
                          J[4] * own[0] + J[5] * own[1] + J[2] * own[2]};
    *inertia += b->mass * dvec_dot(speed, speed) + dvec_dot(own, Jw);
    *topple += b->mass * dvec_dot(c->def.gravity, bend);
}

/* Of degree of freedom v of a body: its inertia, which is that of the outer side so far, and its toppling stiffness. */
static void weigh(struct chooser *c, int body, int v, double share, double *inertia) {
    const int nv = c->model->nv, root = tree_of(c->model, body);
    double w[3], speed[3], carried = 0, over = 0, outer = 0, hanging = 0;
    for (int k = 0; k < 3; k++)
        speed[k] = c->jacobian[k * nv + v], w[k] = c->jacobian[(3 + k) * nv + v];
    for (int i = root; i < c->end[root]; i++) {
        const bool out = i >= body && i < c->end[body];
        add_body(c, i, w, speed, c->pose + 7 * body, out ? &outer : &carried, out ? &hanging : &over);
    }
    inertia[v] = fmax(inertia[v], share * carried + c->model->armature[v]);
    c->topple[v] = fmax(0, fmax(hanging, share * over));
}

/* Inertias, and G; a ball's three axes get the mean of the former and the largest of the latter. */
static sn_status weigh_all(struct chooser *c, double *inertia) {
    const double origin[3] = {0};
    sn_status status = SN_OK;
    for (int i = 0; i < c->model->nbody && !status; i++) {
        const sn_body_info *b = &c->model->body[i];
        if (b->nv == 0 || sn__joint_is_free(b)) continue;
        const double share = share_of(c, i);
        double *G = c->topple + b->v_index;
        status = sn_dynamics_jacobian(c->dynamics, c->q, i, origin, c->jacobian);
        for (int v = b->v_index; v < b->v_index + b->nv && !status; v++)
            weigh(c, i, v, share, inertia);
        if (sn__joint_is_ball(b)) G[0] = G[1] = G[2] = fmax(G[0], fmax(G[1], G[2]));
    }
    sn__mean_axes(c->model, inertia);
    return status;
}

/* ------------------------------------------------------------------------------------------------- interface */

static bool takes(const sn_model *model, const sn_gains_def *d) {
    return model && d->frequency > 0 && isfinite(d->frequency) && d->damping_ratio >= 0 &&
           isfinite(d->damping_ratio) && d->dt > 0 && isfinite(d->dt) && (unsigned)d->form <= SN_FORM_FULL &&
           (unsigned)d->stance <= SN_STANCE_NONE && (unsigned)d->precision <= SN_PRECISION_FLOAT &&
           isfinite(dvec_length(d->gravity)) && (d->stance != SN_STANCE_BODIES || d->standing);
}

static sn_gains_def with_defaults(sn_gains_def d) {
    if (d.frequency == 0) d.frequency = 8;
    if (d.damping_ratio == 0) d.damping_ratio = 1;
    if (d.dt == 0) d.dt = 1.0 / 240;
    if (dvec_dot(d.gravity, d.gravity) == 0) d.gravity[2] = -9.81;
    return d;
}

static void release(struct chooser *c) {
    sn_dynamics_free(c->dynamics);
    sn__free(c->q), sn__free(c->pose), sn__free(c->com), sn__free(c->jacobian);
    sn__free(c->topple), sn__free(c->end), sn__free(c->standing);
}

/* Where everything is in the pose. */
static sn_status prepare(struct chooser *c, sn_error *error) {
    const sn_model *model = c->model;
    const size_t nbody = (size_t)model->nbody, nv = (size_t)model->nv;
    c->dynamics = sn__dynamics_for_study(model);
    c->q = sn__alloc((size_t)model->nq, sizeof *c->q), c->pose = sn__alloc(7 * nbody, sizeof *c->pose);
    c->com = sn__alloc(3 * nbody, sizeof *c->com), c->jacobian = sn__alloc(6 * nv, sizeof *c->jacobian);
    c->topple = sn__alloc(nv, sizeof *c->topple), c->end = sn__alloc(nbody, sizeof *c->end);
    c->standing = sn__alloc(nbody, sizeof *c->standing);
    if (!c->dynamics || !c->q || !c->pose || !c->com || !c->jacobian || !c->topple || !c->end || !c->standing)
        return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_model_zero_pose(model, c->q);
    if (c->def.q) memcpy(c->q, c->def.q, (size_t)model->nq * sizeof *c->q);
    if (sn_dynamics_bodies(c->dynamics, c->q, NULL, c->pose, NULL, NULL))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the pose is not valid");
    for (int i = model->nbody - 1; i >= 0; i--) {
        const int parent = model->body[i].parent;
        if (c->end[i] == 0) c->end[i] = i + 1;
        if (parent >= 0 && c->end[parent] < c->end[i]) c->end[parent] = c->end[i];
        dquat_rotate(c->pose + 7 * i + 3, model->body[i].com, c->com + 3 * i);
        for (int k = 0; k < 3; k++)
            c->com[3 * i + k] += c->pose[7 * i + k];
    }
    return SN_OK;
}

/* kp holds the inertias. A free root gets gains only where nothing of its tree stands. */
static void gains_from_inertia(const struct chooser *c, double *kp, double *kd) {
    const double w = 6.283185307179586477 * c->def.frequency;
    for (int v = 0; v < c->model->nv; v++) {
        kd[v] = 2 * c->def.damping_ratio * kp[v] * w;
        kp[v] = kp[v] * w * w + c->topple[v];
    }
    for (int i = 0; i < c->model->nbody; i++) {
        const sn_body_info *b = &c->model->body[i];
        bool stands = false;
        for (int k = i; k < c->end[i] && sn__joint_is_free(b); k++)
            stands |= c->standing[k] != 0;
        for (int v = b->v_index; v < b->v_index + b->nv && stands; v++)
            kp[v] = kd[v] = 0;
    }
}

/* Only float torques by the formula of PD, which no step uses, are not a reason to refuse. */
static sn_status check(const struct chooser *c, const double *kp, double *kd, sn_error *error) {
    sn_gains_def def = c->def;
    def.precision = SN_PRECISION_DOUBLE;
    return sn_gains_check(c->model, &def, kp, kd, NULL, error) == 0 ? SN_OK : SN_ERROR_ARGUMENT;
}

sn_status sn_gains_choose(const sn_model *model, const sn_gains_def *def, double *kp, double *kd,
                          sn_error *error) {
    struct chooser c = {.model = model};
    if (!sn__definition_take_or("sn_gains_def", def, &c.def, error)) return SN_ERROR_ARGUMENT;
    c.def = with_defaults(c.def);
    if (!takes(model, &c.def) || !kp || !kd)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "gains cannot be chosen: a value of the definition is not valid");
    sn_status status = prepare(&c, error);
    if (!status) {
        take_stance(&c);
        status = sn__joint_inertia(model, c.q, kp);
        if (!status) status = weigh_all(&c, kp);
        if (status) sn__fail(error, status, "gains cannot be chosen: the model has no inertias at this pose");
    }
    if (!status) {
        gains_from_inertia(&c, kp, kd);
        status = check(&c, kp, kd, error);
    }
    release(&c);
    return status;
}
