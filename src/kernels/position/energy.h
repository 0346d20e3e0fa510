/* Energy that a position-based step of a limp character has gained, and how it is given back.
 *
 * The minimum of E is a step of implicit Euler, which takes energy out of what moves little in a step. It need not
 * where limbs turn by half a radian, where the search has ended early, or where poses were turned back to their
 * limits. So the end is asked
 *
 *     won = T(q+, v+) + V(q+) - T(q, v) - V(q) - given,
 *
 * V with springs, and `given` what pushes do. What was gained is taken from the motion of limbs against each other:
 * with p, L, I, c of the whole character as if it were rigid, w = I^-1 L and v = p / m is the rigid motion of the
 * same momentum, the rest is orthogonal to it in T, and
 *
 *     qd' = rigid + s (qd - rigid),    s^2 = 1 - won / (T - T_rigid)
 *
 * keeps linear and angular momentum. Only what is left then slows down the whole. */
#ifndef SINEW_KERNELS_POSITION_ENERGY_H
#define SINEW_KERNELS_POSITION_ENERGY_H

#include "kernels/position/begin.h"

/* Of a whole character, about its free root, or the point that its pose is relative to: small where the character is, so that
   float has digits for the inertia of what is small. */
struct balance {
    real kinetic, potential, given; /* J; given: by pushes, only what is positive */
    real mass;                      /* kg */
    vec3 moment, p, L;              /* m c, momentum, angular momentum */
    sym3 I;
};

/* The motion of a body whose parent's is known. */
static void move_along(struct stepping *p, int body, const struct place *f, const real *qd) {
    const tree_body *b = &((const tree *)p->a.tree)->body[body];
    const struct motion *up = &p->rate[b->parent];
    vec3 w = up->alpha, v = add_cross(up->a, w, f->r);
    qd += b->v;
    switch (b->joint) {
    case SN__JOINT_FREE:
        w = mul(f->R, vec_load(qd + 3)), v = vec_load(qd);
        break;
    case SN__JOINT_BALL:
        w = add_mul(w, f->R, vec_load(qd));
        break;
    default:
        for (int k = 0; k < b->naxes; k++)
            move_axis(axis_of(b, &f->pose, k), qd[k], &w, &v);
        break;
    }
    p->rate[body] = (struct motion){w, v};
    p->at[body] = add(p->at[b->parent], f->r);
}

/* x^2 1 - x x^T, and for two: 2 (x . y) 1 - x y^T - y x^T. */
KERNEL sym3 turned_about(vec3 x, vec3 y) {
    const real d = R(2) * dot(x, y);
    return (sym3){d - R(2) * x.x * y.x,     d - R(2) * x.y * y.y,     d - R(2) * x.z * y.z,
                  -(x.x * y.y + y.x * x.y), -(x.x * y.z + y.x * x.z), -(x.y * y.z + y.y * x.z)};
}

KERNEL void add_balance(const struct stepping *p, int body, const struct place *f, struct balance *sum) {
    const tree_body *b = &((const tree *)p->a.tree)->body[body];
    const vec3 w = p->rate[body].alpha, v = p->rate[body].a, x = p->at[body];
    const real m = splat(b->mass);
    const vec3 mc = mul(f->R, vec_splat(b->mc)), d = vec_splat(b->J);
    const sym3 J = sym_rotate(f->R, (sym3){d.x, d.y, d.z, splat(b->J[3]), splat(b->J[4]), splat(b->J[5])});
    const vec3 momentum = add_cross(scale(v, m), w, mc), spin = add_cross(sym_mul(J, w), mc, v);
    sum->kinetic = sum->kinetic + R(0.5) * (dot(v, momentum) + dot(w, spin));
    sum->mass = sum->mass + m;
    sum->moment = add(sum->moment, add_scaled(mc, x, m));
    sum->p = add(sum->p, momentum);
    sum->L = add(sum->L, add_cross(spin, x, momentum));
    sum->I = sym_add(sum->I, sym_add(J, turned_about(x, add_scaled(mc, x, R(0.5) * m))));
    if (!p->a.push) return;
    const real *push = (const real *)p->a.push + 6 * body;
    const vec3 at = add_cross(v, w, mul(f->R, vec_splat(b->origin)));
    sum->given = sum->given + maximum(splat(0), dot(vec_load(push), at) + dot(vec_load(push + 3), w));
}

/* Springs and armature of a joint. */
KERNEL void add_own(const struct stepping *p, int body, const real *q, const real *qd, struct balance *sum) {
    const tree_body *b = &((const tree *)p->a.tree)->body[body];
    const real *armature = p->a.armature, half = splat(R(0.5));
    for (int k = 0; armature && k < b->nv; k++)
        sum->kinetic = sum->kinetic + half * armature[b->v + k] * qd[b->v + k] * qd[b->v + k];
    if (is_free(b) || !b->has_spring) return;
    real square = splat(0);
    if (is_ball(b)) {
        const vec3 d = quat_log(quat_conj_mul(quat_splat(b->rest), quat_load(q + b->q)));
        square = dot(d, d);
    } else {
        for (int k = 0; k < b->nv; k++) {
            const real e = q[b->q + k] - b->rest[k & 3];
            square = square + e * e;
        }
    }
    sum->potential = sum->potential + half * b->stiffness * square;
}

/* Whether all that moves hangs on one free body. */
static int hangs_on_one(const tree *t) {
    if (!is_free(&t->body[0])) return 0;
    for (int i = 1; i < t->nbody; i++)
        if (t->body[i].parent < 0) return 0;
    return 1;
}

static __attribute__((noinline)) struct balance balance_of(struct stepping *p, const real *q,
                                                           const real *qd) {
    const tree *t = p->a.tree;
    const real zero = splat(0);
    struct place *place = p->then[1];
    struct balance sum = {zero,       zero,       zero,       zero,
                          vec_zero(), vec_zero(), vec_zero(), {zero, zero, zero, zero, zero, zero}};
    place[-1] = world_place(vec_zero());
    const vec3 root = hangs_on_one(t) ? vec_load(q) : vec_zero();
    p->rate[-1] = (struct motion){vec_zero(), vec_zero()};
    p->at[-1] = (vec3){-root.x, -root.y, -root.z};
    for (int i = 0; i < t->nbody; i++) {
        place_body(&t->body[i], &place[t->body[i].parent], q, &place[i]);
        move_along(p, i, &place[i], qd);
        add_balance(p, i, &place[i], &sum);
    }
    sum.potential = -dot(position_gravity(&p->a), add_scaled(sum.moment, root, sum.mass));
    if (p->a.mass_scale) {
        const real more = *(const real *)p->a.mass_scale;
        sum.kinetic = sum.kinetic * more, sum.potential = sum.potential * more;
    }
    for (int i = 0; i < t->nbody; i++)
        add_own(p, i, q, qd, &sum);
    return sum;
}

/* The motion of the root of a character that moves as if it were rigid: its energy. */
static real rigid_motion(const struct stepping *p, const struct balance *b, const real *q, real root[6]) {
    const real im = R(1) / b->mass;
    const vec3 c = scale(b->moment, im), L = sub(b->L, cross(c, b->p));
    const sym3 around = sym_scale(turned_about(c, c), R(-0.5) * b->mass);
    const vec3 w = sym_mul(sym_inverse(sym_add(b->I, around)), L);
    const vec3 v = scale(b->p, im);
    real energy = R(0.5) * (dot(v, b->p) + dot(w, L));
    if (p->a.mass_scale) energy = energy * *(const real *)p->a.mass_scale;
    vec_store(root, add_cross(v, c, w));
    vec_store(root + 3, mul_t(quat_matrix(quat_load(q + 3)), w));
    return energy;
}

/* Takes `won` out of the velocities qd of the pose q. */
static void slow_down(const struct stepping *p, const struct balance *end, mask which, real won,
                      const real *q, real *qd) {
    const tree *t = p->a.tree;
    const real zero = splat(0), one = splat(1);
    const int joints = hangs_on_one(t) ? 6 : 0;
    real root[6], rigid = zero;
    if (joints) rigid = rigid_motion(p, end, q, root);
    const mask sound = less(-end->kinetic, rigid) & less(rigid, R(1.001) * end->kinetic); /* no NaN */
    rigid = choose(sound, rigid, end->kinetic);
    for (int v = 0; v < joints; v++)
        root[v] = choose(sound, root[v], qd[v]);
    const real inner = maximum(zero, end->kinetic - rigid), taken = joints ? minimum(won, inner) : zero;
    const real s = square_root(maximum(zero, one - taken / choose(less(zero, inner), inner, one)));
    const real left = end->kinetic - taken, more = minimum(won - taken, left);
    const real all = square_root(maximum(zero, one - more / choose(less(zero, left), left, one)));
    for (int v = 0; v < t->nv; v++) {
        const real slower = v < joints ? root[v] + s * (qd[v] - root[v]) : joints ? s * qd[v] : qd[v];
        qd[v] = choose(which, all * slower, qd[v]);
    }
}

/* J that rounding and the schemes themselves may gain: what lifts all by a tenth of a millimetre. */
static real may_be_won(const struct balance *start, const struct balance *end) {
    return R(1e-3) * start->mass + R(LANE_BITS == 64 ? 1e-9 : 2e-6) * (start->kinetic + end->kinetic);
}

/* Of a step from q, qd to x, end_qd: lanes that had gained energy, and are slower now. */
static mask give_back(struct stepping *p, const real *q, const real *qd, const real *x, real *end_qd) {
    if (!any(p->limp)) return p->limp;
    const struct balance start = balance_of(p, q, qd), end = balance_of(p, x, end_qd);
    const real won =
        end.kinetic + end.potential - start.kinetic - start.potential - position_dt(&p->a) * end.given;
    const mask wins = p->limp & less(may_be_won(&start, &end), won);
    if (any(wins)) slow_down(p, &end, wins, won, x, end_qd);
    return wins;
}

#endif
