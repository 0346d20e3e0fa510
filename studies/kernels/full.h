/* Stable PD in full coordinates: bodies, joints, and their rows.
 *
 * Body i has the acceleration a_i = (of the centre of mass, angular), world axes, and the equation M_i a_i = f_i + joints with
 * f_i = (m g, -w x J w). The joint of a child c and its parent p has m hard rows and d = 6 - m free axes S:
 *
 *     hard    Jc a_c + Jp a_p = gamma        anchors: a_c + alpha_c x r_c - a_p - alpha_p x r_p;  axes: b . (alpha_c - alpha_p)
 *     drive   qdd = W^T (alpha_c - alpha_p) - c,   tau = Q - K qdd,   W = S (S^T S)^-1
 *
 * W is the dual basis, not S: they agree for hinges and balls only. In the solve for accelerations gamma and c are the velocity
 * products. In a step they take the rows to zero at its end: gamma = -(J v) / h, c = 0.
 *
 * Files beside this one solve it in four ways: full_coupled.h, full_soft.h, full_null_space.h and full_kkt.h; full_repair.h
 * closes the joints again. */
#ifndef SINEW_STUDIES_KERNELS_FULL_H
#define SINEW_STUDIES_KERNELS_FULL_H

#include "kernels/tree/eliminate.h"
#include "kernels/tree/move.h"
#include "studies/full.h"

enum { FULL_N = SN__FULL_ROWS };

/* What does not change. */
struct full_body {
    const tree_body *tree;
    real m;
    sym3 J;                     /* about the centre of mass, own axes */
    vec3 child_arm, parent_arm; /* as in struct sn__full_part */
    real bend;
    int hard; /* hard rows: m; the free axes are tree->nv */
    real kp[FULL_N], kw[FULL_N], K[FULL_N];
    int per_axis; /* a rotation whose axes have different gains */
};

struct full_state {
    vec3 x; /* centre of mass */
    quat Q;
    vec3 v, w;
};

/* A joint in the present state. */
struct full_joint {
    struct pose pose; /* of the child: R, axes s */
    sym3 J;           /* of the child about its centre of mass, world axes */
    vec3 rc, rp;      /* from both centres of mass to the joint */
    vec3 W[3];        /* dual axes; of a rotation: the columns of R */
    vec3 b[2];        /* angular directions of hard rows */
    vec3 part;        /* gamma of the anchor; of a free joint: c of its linear part */
    vec3 turn;        /* gamma of the hard angular rows is b . turn, c is W^T turn */
    real Q[FULL_N];   /* of the drive */
    real qdd[FULL_N], tau[FULL_N], force[FULL_N]; /* found: force of hard rows */
    int root; /* the body that carries it, of those on the world (full_repair.h) */
};

/* Rows on child and parent: hard ones, then those of the drive. */
struct full_rows {
    real child[FULL_N][FULL_N], parent[FULL_N][FULL_N];
    real gamma[FULL_N];  /* of hard rows */
    real torque[FULL_N]; /* of the drive: Q + K c */
    real c[FULL_N];
};

/* What the elimination keeps of a body and its joint (full_coupled.h, full_soft.h). */
struct full_factor {
    real A[FULL_N][FULL_N]; /* articulated, then its Cholesky factor L */
    real Z[FULL_N][FULL_N]; /* L^-1 on the joint's rows, row by row */
    real G[FULL_N][FULL_N]; /* the parent's side of the pivot rows */
    real D[FULL_N][FULL_N]; /* Cholesky factor of the joint's pivot */
    real f[FULL_N], z[FULL_N], g[FULL_N], a[FULL_N];
};

/* Joint coordinates, and velocity products in several ways: full_products.h. */
struct full_products {
    real qd[FULL_N];
    vec3 part, turn, spin; /* of a round */
    vec3 v, w;             /* what the body brings along */
    quat turned;
};

struct full {
    int nbody;
    real h;
    vec3 gravity;
    int method, repair, accelerations;
    int way, spins,
        moved; /* full_products.h: sn_full_products; the spin of a round counts; there was a step */
    const SHARED struct tree_visit *visit; /* [2 nbody] of the tree */
    struct full_body *body;
    struct full_state *state; /* [-1] is the world */
    struct full_joint *joint;
    struct full_rows *rows;
    struct full_factor *factor; /* [-1] is the world: what is added there is not read */
    struct inertia *slot;       /* full_null_space.h, as the next two */
    struct response *response;
    struct motion *motion;          /* [-1] is the world */
    struct full_products *products; /* [-1] is the world */
    real *sum;                      /* [4 nbody] full_repair.h */
    real *dense;                    /* full_kkt.h */
};

/* A quaternion to own axes from those of the parent, as the joint has turned it. */
KERNEL quat full_turned(const struct full_state *s, const tree_body *b, int i) {
    const quat up = b->rotated ? quat_mul(s[b->parent].Q, quat_splat(b->rot)) : s[b->parent].Q;
    return quat_conj_mul(up, s[i].Q);
}

/* Both angles of two axes from the turn P = turn(a, q0) turn(b, q1): P takes b where turn(a, q0) does. */
static void full_two_angles(const tree_body *t, quat P, real angle[2]) {
    const vec3 a = vec_splat(t->axis[0]), b = vec_splat(t->axis[1]);
    const vec3 across = cross(a, b), to = mul(quat_matrix(P), b);
    const vec3 start = cross(across, a);
    angle[0] = (real)__builtin_atan2((double)dot(to, across), (double)dot(to, start));
    const quat rest = quat_conj_mul(quat_turn(a, angle[0]), P);
    const real s = dot((vec3){rest.x, rest.y, rest.z}, b);
    angle[1] = R(2) * (real)__builtin_atan2((double)flip_sign(s, rest.w), (double)absolute(rest.w));
}

/* The difference of two angles, at most pi. */
KERNEL real full_angle_between(real a, real b) {
    const real turns = (a - b) * R(1 / (2 * PI));
    return (turns - (real)__builtin_rint((double)turns)) * R(2 * PI);
}

/* Q of the drive of a rotation: -kp e - kw w, with e = log(target^-1 P), own axes (src/kernels/tree/drive.h). */
KERNEL void full_drive_rotation(const struct full_body *b, int k, quat P, const double *target, vec3 w,
                                real *Q) {
    const quat to = {(real)target[0], (real)target[1], (real)target[2], (real)target[3]};
    const vec3 e = quat_log(quat_conj_mul(to, P));
    vec3 spring = times(vec_load(b->kp + k), e);
    if (b->per_axis) spring = right_jacobian_inverse((vec3){-e.x, -e.y, -e.z}, spring);
    const vec3 damper = times(vec_load(b->kw + k), w);
    vec_store(Q + k, (vec3){-spring.x - damper.x, -spring.y - damper.y, -spring.z - damper.z});
}

/* ------------------------------------------------------------------------------------------- joints as they are */

/* Axes, dual axes and hard directions. */
KERNEL void full_axes(const struct full_body *b, const struct full_state *s, struct full_joint *j) {
    const tree_body *t = b->tree;
    if (has_rotation(t)) {
        j->W[0] = column_x(j->pose.R), j->W[1] = column_y(j->pose.R), j->W[2] = column_z(j->pose.R);
    } else if (t->naxes == 1) {
        const vec3 a = mul(j->pose.R, vec_splat(t->axis[0]));
        const vec3 away = absolute(a.x) < R(0.6) ? (vec3){R(1), R(0), R(0)} : (vec3){R(0), R(1), R(0)};
        const vec3 n = cross(a, away);
        j->pose.s[0] = j->W[0] = a;
        j->b[0] = scale(n, R(1) / square_root(dot(n, n)));
        j->b[1] = cross(a, j->b[0]);
    } else { /* the first axis stands in the parent, the second in the child */
        const quat up = t->rotated ? quat_mul(s[t->parent].Q, quat_splat(t->rot)) : s[t->parent].Q;
        const vec3 a = mul(quat_matrix(up), vec_splat(t->axis[0])), c = mul(j->pose.R, vec_splat(t->axis[1]));
        const real bend = dot(a, c), q = R(1) / (R(1) - bend * bend);
        j->pose.s[0] = a, j->pose.s[1] = c;
        j->W[0] = scale(add_scaled(a, c, -bend), q);
        j->W[1] = scale(add_scaled(c, a, -bend), q);
        j->b[0] = cross(a, c);
    }
}

/* What velocities make of the rows: gamma of the anchor, and the turn that the rows are asked for. `w`: child against parent. */
KERNEL void full_bias(const struct full *f, const struct full_body *b, const struct full_state *p,
                      const struct full_state *c, vec3 w, const real *qd, struct full_joint *j) {
    const tree_body *t = b->tree;
    if (f->accelerations) { /* the velocity products */
        const vec3 inward = cross(c->w, cross(c->w, j->rc));
        j->part = is_free(t) ? sub(vec_zero(), inward) : sub(cross(p->w, cross(p->w, j->rp)), inward);
        j->turn = is_free(t) ? vec_zero() : cross(p->w, w);
        if (t->naxes == 2) j->turn = add(j->turn, scale(cross(j->pose.s[0], j->pose.s[1]), qd[0] * qd[1]));
        return;
    }
    const real rate = R(-1) / f->h;
    if (is_free(t)) {
        j->part = j->turn = vec_zero();
        return;
    }
    const vec3 apart = sub(add_cross(c->v, c->w, j->rc), add_cross(p->v, p->w, j->rp));
    j->part = scale(apart, rate);
    vec3 rest = w; /* less what the axes let through */
    for (int k = 0; k < t->naxes; k++)
        rest = add_scaled(rest, j->pose.s[k], -qd[k]);
    j->turn = is_ball(t) ? vec_zero() : scale(rest, rate);
}

/* The joint of body i in the present state, and its drive. */
KERNEL void full_enter(struct full *f, int i, const double *target) {
    const struct full_body *b = &f->body[i];
    const tree_body *t = b->tree;
    const struct full_state *s = f->state, *c = &s[i], *p = &s[t->parent];
    struct full_joint *j = &f->joint[i];
    j->pose.Q = c->Q;
    j->pose.R = quat_matrix(c->Q);
    j->J = sym_rotate(j->pose.R, b->J);
    j->rc = mul(j->pose.R, b->child_arm);
    j->rp = t->parent < 0 ? b->parent_arm : mul(f->joint[t->parent].pose.R, b->parent_arm);
    full_axes(b, s, j);
    const vec3 w = sub(c->w, p->w);
    real qd[2] = {R(0), R(0)}; /* of axes */
    const double *to = target + t->q;
    if (is_free(t)) {
        const vec3 x = add(c->x, j->rc), v = add_cross(c->v, c->w, j->rc);
        const vec3 e = {x.x - (real)to[0], x.y - (real)to[1], x.z - (real)to[2]};
        for (int k = 0; k < 3; k++)
            j->Q[k] = -b->kp[k] * (k == 0   ? e.x
                                   : k == 1 ? e.y
                                            : e.z) -
                      b->kw[k] * (k == 0   ? v.x
                                  : k == 1 ? v.y
                                           : v.z);
        full_drive_rotation(b, 3, c->Q, to + 3, mul_t(j->pose.R, w), j->Q);
    } else if (is_ball(t)) {
        full_drive_rotation(b, 0, full_turned(s, t, i), to, mul_t(j->pose.R, w), j->Q);
    } else {
        const quat P = full_turned(s, t, i);
        real angle[2];
        if (t->naxes == 2)
            full_two_angles(t, P, angle);
        else {
            const quat off = quat_conj_mul(quat_turn(vec_splat(t->axis[0]), (real)to[0]), P);
            angle[0] = dot(quat_log(off), vec_splat(t->axis[0]));
        }
        for (int k = 0; k < t->naxes; k++) {
            const real e = t->naxes == 2 ? full_angle_between(angle[k], (real)to[k]) : angle[k];
            qd[k] = dot(j->W[k], w);
            j->Q[k] = -b->kp[k] * e - b->kw[k] * qd[k];
        }
    }
    full_bias(f, b, p, c, w, qd, j);
}

/* ------------------------------------------------------------------------------------------------------------ rows */

KERNEL void full_put_row(real row[FULL_N], vec3 linear, vec3 angular) {
    vec_store(row, linear);
    vec_store(row + 3, angular);
}

/* The direction e of an anchor, or of the velocity of a free body's origin: e . (a + alpha x r) = e . a + (r x e) . alpha. */
KERNEL void full_put_point(struct full_rows *r, const struct full_joint *j, int k, int axis) {
    const vec3 e = {R(axis == 0), R(axis == 1), R(axis == 2)}, o = vec_zero();
    full_put_row(r->child[k], e, cross(j->rc, e));
    full_put_row(r->parent[k], sub(o, e), cross(e, j->rp));
}

KERNEL void full_put_turn(struct full_rows *r, int k, vec3 direction) {
    const vec3 o = vec_zero();
    full_put_row(r->child[k], o, direction);
    full_put_row(r->parent[k], o, sub(o, direction));
}

/* All rows of a joint. */
static void full_make_rows(struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const struct full_joint *j = &f->joint[i];
    struct full_rows *r = &f->rows[i];
    const real part[3] = {j->part.x, j->part.y, j->part.z};
    const int d = b->tree->nv;
    for (int k = 0; k < 3; k++) {
        full_put_point(r, j, k, k);
        if (b->hard)
            r->gamma[k] = part[k];
        else
            r->c[k] = part[k];
    }
    for (int k = 3; k < b->hard; k++) {
        full_put_turn(r, k, j->b[k - 3]);
        r->gamma[k] = dot(j->b[k - 3], j->turn);
    }
    const int first = b->hard ? 0 : 3; /* of the drive's turning axes */
    for (int k = first; k < d; k++) {
        full_put_turn(r, b->hard + k, j->W[k - first]);
        r->c[k] = dot(j->W[k - first], j->turn);
    }
    for (int k = 0; k < d; k++)
        r->torque[k] = j->Q[k] + b->K[k] * r->c[k];
}

/* M and f of a body. */
static void full_put_body(const struct full *f, int i, struct full_factor *out) {
    const struct full_body *b = &f->body[i];
    const sym3 J = f->joint[i].J;
    const vec3 w = f->state[i].w;
    for (int k = 0; k < FULL_N; k++)
        for (int l = 0; l < FULL_N; l++)
            out->A[k][l] = k == l && k < 3 ? b->m : R(0);
    out->A[3][3] = J.xx, out->A[4][4] = J.yy, out->A[5][5] = J.zz;
    out->A[3][4] = out->A[4][3] = J.xy;
    out->A[3][5] = out->A[5][3] = J.xz;
    out->A[4][5] = out->A[5][4] = J.yz;
    vec_store(out->f, scale(f->gravity, b->m));
    vec_store(out->f + 3, cross(sym_mul(J, w), w));
}

/* What the drive's rows make of both accelerations. NULL: the parent is the world. */
KERNEL void full_found(const struct full *f, int i, const real *child, const real *parent) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_joint *j = &f->joint[i];
    for (int k = 0; k < b->tree->nv; k++) {
        const real *row = r->child[b->hard + k], *up = r->parent[b->hard + k];
        real qdd = -r->c[k];
        for (int l = 0; l < FULL_N; l++)
            qdd += row[l] * child[l] + (parent ? up[l] * parent[l] : R(0));
        j->qdd[k] = qdd;
        j->tau[k] = j->Q[k] - b->K[k] * qdd;
    }
}

/* -------------------------------------------------------------------------------------------------- small matrices */

/* A = L L^T in place, lower part. False: not positive definite. */
static bool full_cholesky(int n, real A[FULL_N][FULL_N]) {
    for (int j = 0; j < n; j++) {
        real d = A[j][j];
        for (int k = 0; k < j; k++)
            d -= A[j][k] * A[j][k];
        if (!(d > R(0))) return false;
        const real root = square_root(d), inverse = R(1) / root;
        A[j][j] = root;
        for (int i = j + 1; i < n; i++) {
            real x = A[i][j];
            for (int k = 0; k < j; k++)
                x -= A[i][k] * A[j][k];
            A[i][j] = x * inverse;
        }
    }
    return true;
}

/* x := L^-1 x; x := L^-T x. */
KERNEL void full_forth(int n, real L[FULL_N][FULL_N], real *x) {
    for (int i = 0; i < n; i++) {
        real s = x[i];
        for (int k = 0; k < i; k++)
            s -= L[i][k] * x[k];
        x[i] = s / L[i][i];
    }
}

/* G := L^-1 G. */
KERNEL void full_forth_columns(int n, real L[FULL_N][FULL_N], real G[FULL_N][FULL_N]) {
    for (int l = 0; l < FULL_N; l++) {
        real column[FULL_N];
        for (int k = 0; k < n; k++)
            column[k] = G[k][l];
        full_forth(n, L, column);
        for (int k = 0; k < n; k++)
            G[k][l] = column[k];
    }
}

KERNEL void full_back(int n, real L[FULL_N][FULL_N], real *x) {
    for (int i = n - 1; i >= 0; i--) {
        real s = x[i];
        for (int k = i + 1; k < n; k++)
            s -= L[k][i] * x[k];
        x[i] = s / L[i][i];
    }
}

KERNEL real full_dot(const real *a, const real *b) {
    real s = R(0);
    for (int k = 0; k < FULL_N; k++)
        s += a[k] * b[k];
    return s;
}

KERNEL void full_add(real *x, const real *y, real s) {
    for (int k = 0; k < FULL_N; k++)
        x[k] += y[k] * s;
}

/* A += G^T G, of the first n rows of G. */
KERNEL void full_add_squares(int n, real A[FULL_N][FULL_N], real G[FULL_N][FULL_N]) {
    for (int u = 0; u < n; u++)
        for (int k = 0; k < FULL_N; k++)
            full_add(A[k], G[u], G[u][k]);
}

#endif
