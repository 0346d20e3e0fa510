/* Velocity products at the middle of the step: the implicit midpoint rule for C, in linear time.
 *
 *     (M + K) qdd = Q - C(qd + (h/2) qdd)
 *
 * C is quadratic in the velocity, and taken at the start of a step it gains energy. After a sweep has solved with C of
 * some velocity, a refinement moves that to vbar = qd + (h/2) qdd and corrects the solution:
 *
 *     qdd += (M + K)^-1 (C_before - C(vbar)),
 *
 * which asks nothing of the drives, contacts, limits and pushes that the sweep has solved with: at the same qdd none of
 * them changes. From the root to the leaves accelerations at the same qdd drift by what c and d change,
 *
 *     delta alpha = delta alpha_p + delta c,   delta a = delta a_p + delta d + delta alpha_p x r,
 *     n = J delta alpha + mc x delta a + [w x J w],   f = m delta a + delta alpha x mc + [w x (w x mc)],
 *
 * [ ] for new less old; back to the root these go as biases through the eliminated joints, and out again as changes
 * of qdd (biases.h). Gyroscopic matrices of roots make each round semi-implicit (spin.h); at the fixed point they
 * cancel. A lane that has settled is frozen. Whatever else a solve iterates over should be settled before: vbar of a
 * guess at contacts that is wrong is wrong, too.
 *
 * What turns by radians within the step has no middle to speak of, while C grows with the square of its speed and
 * throws it on: there C is taken of c v instead of v. c is 1 up to 1.75 rad, which changes no bit, and soon after 1
 * / (h |w|), with |w| over all that turns. */
#ifndef SINEW_KERNELS_TREE_MIDPOINT_H
#define SINEW_KERNELS_TREE_MIDPOINT_H

#include "kernels/tree/aba.h"

/* How a round goes about it. */
struct round {
    int first;    /* of its solve */
    int masked;   /* whether any lane is settled */
    mask settled; /* lanes that stay as they are */
    real half;    /* h / 2 */
    real calm;    /* c of the velocities at the start */
};

/* |w|^2 of velocities or accelerations: the squares of roots, whose gyroscopic term is implicit (spin.h), and twice those of all
   other degrees of freedom that turn. */
static __attribute__((noinline)) real turning_squares(const tree *t, const real *v) {
    real roots = splat(0), joints = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        real own = splat(0);
        for (int k = b->v + b->nslide; k < b->v + b->nv; k++)
            own = own + v[k] * v[k];
        if (spins(b))
            roots = roots + own;
        else
            joints = joints + own;
    }
    return roots + R(2) * joints;
}

/* rad: as far as a top that spins keeps its energy. */
#define TURN_MOST 1.75
#define MAY_TURN_FAR 1.5006249999999999 /* 0.49 TURN_MOST^2 */

/* c of what turns by the square root of that within a step: 1 up to TURN_MOST, 1 / turned soon after. */
KERNEL real calm_at(real turned2) {
    const real one = splat(1), most = splat(R(TURN_MOST));
    const mask far = less(most * most, turned2);
    if (!any(far)) return one;
    const real turned = rounded(square_root_each(choose(far, turned2, most)));
    return choose(far, maximum(one / turned, one - R(4) * rounded(turned - most)), one);
}

/* Whether `squares`, the sum over all degrees of freedom, may mean that anything turns too far: |w|^2 is at most twice it. */
KERNEL int may_turn_far(real squares) {
    return any(less(splat(R(MAY_TURN_FAR)), squares));
}

/* rad: a change of the middle velocity turns things by more than its velocity products bear. What they leave of the energy is in
   proportion to the speed and to this, whatever the step: where rows follow, from 60 Hz on the speed that changes counts,
   1.2 rad/s. */
KERNEL real little_turn(real h, int rows) {
    const real little = splat(R(0.02));
    return rows ? minimum(little, R(1.2) * h) : little;
}

/* Whether a velocity is one at which a free root moves on: what looks at how far things turn does not ask for it, since all is as
   it would be at rest. */
KERNEL int is_course(const tree *t, int v) {
    return v < 3 && is_free(&t->body[0]);
}

/* c of the velocities v. */
KERNEL real calm_of(const struct sn__args *args, const real *v) {
    const tree *t = args->tree;
    const real h2 = step_size(args) * step_size(args);
    real even = splat(0), odd = splat(0);
    for (int k = 0; k + 1 < t->nv; k += 2)
        even = even + v[k] * v[k], odd = odd + v[k + 1] * v[k + 1];
    if (t->nv & 1) even = even + v[t->nv - 1] * v[t->nv - 1];
    return args->refinements && may_turn_far(h2 * (even + odd)) ? calm_at(h2 * turning_squares(t, v))
                                                                : splat(1);
}

KERNEL int is_calm(real c) {
    return !any(less(c, splat(1)));
}

/* The frames of the start of the step as they are at c qd: c and d are products of two velocities. */
static void calm_frames(const struct sn__args *args, struct work *w) {
    const real c = w->calm = calm_of(args, args->qd), c2 = rounded(c * c);
    if (is_calm(c)) return;
    for (int i = 0; i < ((const tree *)args->tree)->nbody; i++) {
        struct frame *f = &w->frame[i];
        f->w = scale(f->w, c), f->c = scale(f->c, c2), f->d = scale(f->d, c2);
    }
}

/* The frame at vbar. Angular velocities take half a step of what qdd turns the body by: alpha without velocity products,
   or in later rounds the change of that. Of balls and hinges c = w_p x (w - w_p). */
KERNEL void move_to_middle(const struct sn__args *args, struct work *w, int i, vec3 turn,
                           const struct round *round, const real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *p = &w->frame[b->parent];
    const real *qd = args->qd;
    struct frame *f = &w->frame[i];
    if (is_ball(b) || b->joint == SN__JOINT_HINGE || is_free(b)) {
        f->w = add_scaled(f->w, turn, round->half);
        if (b->parent < 0) return; /* c and d are zero */
        f->c = cross(p->w, f->w);
        f->d = cross(p->w, cross(p->w, f->r));
        return;
    }
    for (int v = b->v; v < b->v + b->nv; v++)
        w->vbar[v] = choose(round->settled, w->vbar[v], rounded(round->calm * qd[v]) + round->half * qdd[v]);
    enter_velocity(b, p, w->vbar + b->v, f);
}

/* As above, but settled lanes stay. */
KERNEL void enter_middle(const struct sn__args *args, struct work *w, int i, vec3 turn,
                         const struct round *round, const real *qdd) {
    struct frame *f = &w->frame[i];
    const vec3 old_w = f->w, old_c = f->c, old_d = f->d;
    move_to_middle(args, w, i, turn, round, qdd);
    if (!round->masked) return;
    f->w = vec_choose(round->settled, old_w, f->w);
    f->c = vec_choose(round->settled, old_c, f->c);
    f->d = vec_choose(round->settled, old_d, f->d);
}

/* Root to leaves, for one body: its frame at vbar, and the force that it lacks there at the same qdd. What has turned it
   is kept in delta.m for its children in a first round, and stands in drift in later ones. */
KERNEL void drift_body(const struct sn__args *args, struct work *w, int i, const struct round *round,
                       const real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const int up = b->parent;
    const struct motion p = w->drift[up];
    struct frame *f = &w->frame[i];
    struct rigid *own = &w->rigid[i];
    struct delta *d = &w->delta[i];
    const vec3 c = f->c, dd = f->d, mc = own->mc;
    vec3 turn = w->drift[i].alpha;
    if (round->first) {
        turn = sub(w->motion[i].alpha, c);
        if (up >= 0) turn = add(w->delta[up].m, sub(turn, w->motion[up].alpha));
        d->m = turn;
    }
    if (!round->first) own->n = cross(f->w, sym_mul(own->J, f->w)), own->f = cross(f->w, cross(f->w, mc));
    enter_middle(args, w, i, turn, round, qdd);
    const vec3 dn = sub(cross(f->w, sym_mul(own->J, f->w)), own->n);
    const vec3 df = sub(cross(f->w, cross(f->w, mc)), own->f);
    if (up < 0 && b->joint != SN__JOINT_AXES) { /* c and d are zero */
        w->drift[i] = p;
        d->n = dn, d->f = df;
        return;
    }
    const struct motion m = {add(p.alpha, sub(f->c, c)), add_cross(add(p.a, sub(f->d, dd)), p.alpha, f->r)};
    real mass = splat(b->mass);
    if (args->mass_scale) mass = mass * *(const real *)args->mass_scale;
    w->drift[i] = m;
    d->n = add_cross(add_sym_mul(dn, own->J, m.alpha), mc, m.a);
    d->f = add_scaled(add_cross(df, m.alpha, mc), m.a, mass);
}

/* The root under its biases, G inside: m and f become what moves it, and the moment that sweeps hold later is kept. */
KERNEL void spin_again(const struct sn__args *args, struct work *w, int i, struct ball_gain g, mask settled) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct response *s = &w->response[i];
    const struct motion rest = {vec_zero(), vec_zero()};
    struct spin *spin = &w->spin[i];
    struct delta *d = &w->delta[i];
    real unused[6];
    const struct motion o = bias_out(b, &w->frame[i], s, g, (struct bias){d->m, d->f}, rest, unused);
    const vec3 moment = mul(spin->G, mul(spin->Z, o.alpha));
    d->m = sub(d->m, moment);
    if (is_free(b)) d->f = add_mul_t(d->f, s->free.W, moment);
    spin->moment = vec_choose(settled, spin->moment, moment);
}

/* What a refinement goes by. */
struct refining {
    const struct sn__args *args;
    struct work *w;
    const real *K; /* as the sweep had them */
    int kind;
    int turned;   /* pass 3 has left qdd of balls in work.turn */
    mask settled; /* lanes that stay as they are */
};

/* Leaves to root. */
KERNEL void drift_in(const struct refining *r, int i) {
    const struct sn__args *args = r->args;
    struct work *w = r->w;
    const mask settled = r->settled;
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const struct ball_gain g = gain_of(args, w, i, r->K, r->kind);
    struct delta *d = &w->delta[i];
    const int root = spins(b);
    if (root) d->n = sub(d->n, vec_choose(settled, vec_zero(), w->spin[i].moment));
    bias_in(b, f, &w->response[i], g, 0, d);
    if (root) spin_again(args, w, i, g, settled);
    if (b->parent < 0) return;
    struct delta *p = &w->delta[b->parent];
    p->f = add(p->f, d->f);
    p->n = add(p->n, add_cross(d->n, f->r, d->f));
}

/* Root to leaves, for one body: the change of qdd, whose square is added up. Where pass 3 has `turned`, a ball's qdd is made
   of work.turn; else w->motion is refined, too. */
KERNEL void drift_out(const struct refining *r, int i, real *square, real *qdd) {
    const struct sn__args *args = r->args;
    struct work *w = r->w;
    const mask settled = r->settled;
    const int turned = r->turned;
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const struct delta *d = &w->delta[i];
    const struct motion p = w->drift[b->parent], m = w->drift[i];
    const struct ball_gain g = gain_of(args, w, i, r->K, r->kind);
    struct motion o;
    qdd += b->v;
    if (is_ball(b)) {
        o.a = add_cross(p.a, p.alpha, f->r);
        const struct ball_response *s = &w->response[i].ball;
        o.alpha = sub_mul(ball_forth(s, g, d->m, p.alpha), s->W, o.a);
        const vec3 turn = sub(o.alpha, p.alpha), x = vec_load(qdd), all = add(vec_load(w->turn + b->v), turn);
        *square = *square + dot(turn, turn);
        if (turned && args->refinements > 1) vec_store(w->turn + b->v, all);
        vec_store(qdd, vec_choose(settled, x, turned ? mul_t(f->R, all) : add(x, mul_t(f->R, turn))));
    } else {
        real change[6];
        o = bias_out(b, f, &w->response[i], g, (struct bias){d->m, d->f}, p, change);
        for (int k = 0; k < b->nv; k++) {
            *square = *square + change[k] * change[k];
            qdd[k] = choose(settled, qdd[k], qdd[k] + change[k]);
        }
    }
    w->drift[i] = o;
    if (turned) return;
    struct motion *x = &w->motion[i];
    x->alpha = vec_choose(settled, x->alpha, add(x->alpha, add(m.alpha, o.alpha)));
    x->a = vec_choose(settled, x->a, add(x->a, add(m.a, o.a)));
}

/* A round after drift_body for all. Returns the square of the change of qdd. */
KERNEL real refine_round(const struct refining *r, real *qdd) {
    const tree *t = r->args->tree;
    real square = splat(0);
    for (int i = t->nbody - 1; i >= 0; i--)
        drift_in(r, i);
    for (int i = 0; i < t->nbody; i++)
        drift_out(r, i, &square, qdd);
    return square;
}

static void drift_all(const struct sn__args *args, struct work *w, int first, mask settled, real half,
                      const real *qdd) {
    const tree *t = args->tree;
    const struct round round = {first, any(settled), settled, half, w->calm};
    for (int i = 0; i < t->nbody; i++)
        drift_body(args, w, i, &round, qdd);
}

/* Half of the step, or less: where the step changes velocities by more than they are, as an impact does, its middle says
   nothing about the way there; nor where it turns by radians because of them. */
static real half_step(const struct sn__args *args, const real *qdd) {
    const tree *t = args->tree;
    const real *qd = args->qd, h = step_size(args), half = R(0.5) * h;
    real fast = splat(0), change = splat(0);
    for (int v = 0; v < t->nv; v++) {
        fast = fast + qd[v] * qd[v];
        change = change + (half * qdd[v]) * (half * qdd[v]);
    }
    fast = maximum(fast, R(0.01) / (h * h));
    const mask over = less(fast, change);
    const real most = may_turn_far(h * h * change)
                          ? half * calm_at(R(0.25) * (h * h) * (h * h) * turning_squares(t, qdd))
                          : half;
    if (!any(over)) return most;
    return minimum(choose(over, half * square_root_each(choose(over, fast / change, splat(1))), half), most);
}

/* Roots solve with G after a sweep that did not: what spin_roots does between the passes. */
static void spin_late(const struct sn__args *args, struct work *w, const real *K, int kind, real *qdd) {
    const tree *t = args->tree;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        struct delta *d = &w->delta[i];
        *d = (struct delta){vec_zero(), vec_zero(), vec_zero()};
        w->drift[i] = (struct motion){vec_zero(), vec_zero()};
        if (!spins(b)) continue;
        const vec3 back = spin_up(args, w, i, gain_of(args, w, i, K, kind), w->motion[i].alpha);
        d->m = sub(d->m, back);
        if (is_free(b)) d->f = mul_t(w->response[i].free.W, back);
    }
    const struct refining r = {args, w, K, kind, 0, (mask){0}};
    real square = splat(0);
    for (int i = 0; i < t->nbody; i++)
        drift_out(&r, i, &square, qdd);
}

/* Lanes whose roots hold no gyroscopic moment. */
static void hold_spins(const tree *t, struct work *w, mask still) {
    for (int i = 0; i < t->nbody; i++)
        if (spins(&t->body[i])) w->spin[i].moment = vec_choose(still, vec_zero(), w->spin[i].moment);
}

/* The square of a change of qdd that is ignored. */
static real small_change(const struct sn__args *args) {
    const tree *t = args->tree;
    const real *qd = args->qd, h = step_size(args);
    if (args->refine_to < 0) return splat(-1);
    real square = splat(0);
    for (int v = 0; v < t->nv; v++)
        square = square + qd[v] * qd[v];
    return square * (R(args->refine_to) * R(args->refine_to) / (h * h));
}

/* Rounds until all lanes have settled, from the n-th. One that changes more than the round before is the last. */
KERNEL void refine_on(struct refining r, int n, real change, real *qdd) {
    const struct sn__args *args = r.args;
    const real small = small_change(args), half = n ? R(0.5) * step_size(args) : half_step(args, qdd);
    if (n > 0) r.settled = ~less(small, change);
    for (; n < args->refinements && any(~r.settled); n++) {
        const real before = change;
        drift_all(args, r.w, n == 0, r.settled, half, qdd);
        change = refine_round(&r, qdd);
        r.settled |= ~less(small, change);
        if (n > 0) r.settled |= ~less(change, before);
    }
    r.w->products = PRODUCTS_HELD;
}

/* After drift_body in a pass 3 that has turned. */
static __attribute__((noinline)) void refine_rounds(const struct sn__args *args, struct work *w,
                                                    const real *K, int kind, real *qdd) {
    const struct refining r = {args, w, K, kind, 1, (mask){0}};
    const real change = refine_round(&r, qdd);
    if (args->refinements > 1) refine_on(r, 1, change, qdd);
    w->products = PRODUCTS_HELD;
}

/* Refines the solution of a first sweep, work.products having been PRODUCTS_START or PRODUCTS_START_SPINNING there; K and
   kind as the sweep had them. Leaves frames at vbar, qdd and w->motion there, and w->products such that later sweeps solve
   the same problem: their response is the symmetric one. Lanes that are `still` keep the products of the start. */
static __attribute__((noinline)) void refine_products(const struct sn__args *args, struct work *w,
                                                      const real *K, int kind, mask still, real *qdd) {
    if (!args->refinements) return;
    if (w->products == PRODUCTS_START) spin_late(args, w, K, kind, qdd);
    refine_on((struct refining){args, w, K, kind, 0, still}, 0, splat(0), qdd);
    if (any(still)) hold_spins(args->tree, w, still);
    w->stale = w->rigid_stands = 1;
}

/* As if refined, with the products of the start in all lanes, ahead of a first sweep. */
static void keep_products(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const real *heavier = args->mass_scale;
    hold_spins(t, w, ~(mask){0});
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        struct rigid *own = &w->rigid[i];
        own->J = rigid_inertia(b, f), own->mc = mul(f->R, vec_splat(b->mc));
        if (heavier) own->J = sym_scale(own->J, *heavier), own->mc = scale(own->mc, *heavier);
    }
    w->products = PRODUCTS_HELD;
    w->stale = w->rigid_stands = 1;
}

/* How the first sweep of a solve takes the velocity products. */
KERNEL void start_products(const struct sn__args *args, struct work *w, int how) {
    if (!args->refinements) return;
    w->products = how;
    w->drift[-1] = (struct motion){vec_zero(), vec_zero()};
}

#endif
