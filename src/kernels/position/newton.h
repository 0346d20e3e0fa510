/* Newton's method for a position-based step, a lane at a time.
 *
 * Each pass is a sweep at a trial pose. A lane takes the trial if its energy falls. If not, it goes on from there
 * twice more, since a step into something stiff that it did not know of is put right by the next sweep, which does:
 * the energy of a point that turns about another in the ground rises by k (|r| a^2 / 2)^2 / 2 however well the step
 * is chosen (Maratos effect). Only if it has not come below the lowest energy by then, it returns to that pose and
 * tries a quarter of the step. Lanes never wait for each other's decisions and those that are done stay where they
 * are, so that no bit depends on a neighbour. */
#ifndef SINEW_KERNELS_POSITION_NEWTON_H
#define SINEW_KERNELS_POSITION_NEWTON_H

#include "kernels/position/begin.h"

static void sweep_at(struct stepping *p, real *x, real *g, real *delta, real *energy) {
    p->a.q[0] = x, p->a.g[0] = g, p->a.delta[0] = delta;
    p->a.energy = energy;
    sweep_position(&p->a, p->s->hessian);
}

static const struct motion *motions_of(const struct stepping *p) {
    return position_work_of(&p->a, 0).motion;
}

static int fixed_sweeps(struct stepping *p) {
    const tree *t = p->a.tree;
    for (int n = 0; n < p->s->sweeps; n++) {
        sweep_at(p, p->x, p->g, p->delta, 0);
        if (p->a.touch) settle_touches(&p->a, motions_of(p), 1);
        p->touch.begins = 0;
        for (int i = 0; i < t->nbody; i++)
            move_joint(&t->body[i], p->x, p->delta, splat(1), p->x);
    }
    return p->s->sweeps;
}

/* What decides in each lane. */
struct step_look {
    real energy, square, residual, slope, move;
};

static struct step_look step_look_at(const struct stepping *p, const real *g, const real *delta) {
    struct step_look l = {*p->energy, splat(0), splat(0), splat(0), splat(0)};
    for (int v = 0; v < ((const tree *)p->a.tree)->nv; v++) {
        l.square = l.square + g[v] * g[v];
        l.slope = l.slope + g[v] * delta[v];
        l.residual =
            choose(not_less(l.residual, absolute(g[v])), l.residual, absolute(g[v])); /* a NaN stays */
        l.move = choose(not_less(l.move, absolute(delta[v])), l.move, absolute(delta[v]));
    }
    return l;
}

KERNEL struct step_look step_look_choose(mask m, struct step_look a, struct step_look b) {
    return (struct step_look){choose(m, a.energy, b.energy), choose(m, a.square, b.square),
                              choose(m, a.residual, b.residual), choose(m, a.slope, b.slope),
                              choose(m, a.move, b.move)};
}

#if LANE_BITS == 64
#define POSITION_EPS R(0x1p-52)
#define POSITION_NOWHERE R(2e-11) /* m, rad: below it a search may end */
#else
#define POSITION_EPS R(0x1p-23)
#define POSITION_NOWHERE R(4e-6)
#endif

static mask finite_look(struct step_look l) {
    const real most = splat(LANE_BITS == 64 ? R(1e300) : R(1e36));
    return less(l.square, most) & less(absolute(l.energy), most);
}

/* The energy falls by a part of what its slope promises; or that promise is near the energy's noise, and the gradient falls. */
static mask acceptable(struct step_look old, struct step_look new, real s) {
    const real promise = absolute(old.slope) * s, size = absolute(old.energy) + absolute(new.energy);
    const mask falls = not_less(old.energy + R(1e-4) * s * old.slope, new.energy);
    const mask noise = not_less(R(1e4) * POSITION_EPS * size, promise) & not_less(old.square, new.square);
    const mask small =
        not_less(R(1e8) * POSITION_EPS * size, promise) & not_less(R(0.25) * old.square, new.square);
    return finite_look(new) & (falls | noise | small);
}

/* Nothing is left to gain: the tolerance is met, or what is left to go is rounding of the poses. */
static mask arrived(const struct stepping *p, struct step_look l) {
    return less(l.residual, splat(R(p->s->tolerance) * R(p->s->force_scale))) |
           less(l.move, splat(R(32) * POSITION_EPS));
}

static mask stuck(struct step_look old, struct step_look new) {
    return less(new.move, splat(POSITION_NOWHERE)) & less(R(0.25) * old.square, new.square);
}

enum {
    EXACT_FROM = 3, /* passes before: friction's secant, which is safer far from the minimum */
    UPHILL = 2      /* passes that a lane may spend above its lowest energy */
};

/* Where the search of each lane is: what is known of its lowest pose, the part of the displacement from there that is tried,
   and how many trials since then have not been taken. */
struct search {
    struct step_look low;
    real part, age;
    mask done, given_up;
};

static void make_trial(struct stepping *p, const struct search *s) {
    const tree *t = p->a.tree;
    const real part = choose(less(splat(0), s->age), splat(1), s->part);
    if (p->a.target_q[0])
        move(t, p->from, p->way, &part, p->trial);
    else
        move_bodies(t, p->a.work, p->from, p->way, &part, p->trial);
    for (int k = 0; k < t->nq; k++)
        p->trial[k] = choose(s->done, p->x[k], p->trial[k]);
}

/* Takes the trial, goes on from it, or goes back. */
static void judge_trial(struct stepping *p, struct search *s) {
    const tree *t = p->a.tree;
    const struct step_look next = step_look_at(p, p->new_g, p->new_delta), low = s->low;
    const mask taken = ~s->done & acceptable(low, next, s->part), refused = ~s->done & ~taken;
    const mask back = refused & (~finite_look(next) | not_less(s->age, splat(R(UPHILL))));
    p->astray = refused;
    for (int k = 0; k < t->nq; k++) {
        p->x[k] = choose(taken, p->trial[k], p->x[k]);
        p->from[k] = choose(back, p->x[k], p->trial[k]);
    }
    for (int v = 0; v < t->nv; v++) {
        p->delta[v] = choose(taken, p->new_delta[v], p->delta[v]);
        p->way[v] = choose(back, p->delta[v], p->new_delta[v]);
    }
    s->low = step_look_choose(taken, next, low);
    s->part = choose(taken, splat(1), choose(back, R(0.25) * s->part, s->part));
    s->age = choose(refused & ~back, s->age + R(1), splat(0));
    s->done |= (taken & (arrived(p, next) | stuck(low, next))) | (back & stuck(low, low));
    s->given_up |= ~s->done & less(s->part, splat(R(1e-9)));
    s->done |= s->given_up;
}

/* One minimum in the lanes `which`: bounds of friction are held. Leaves those that have found it. */
static mask newton(struct stepping *p, mask which, int most, int *passes) {
    const tree *t = p->a.tree;
    struct search s = {.part = splat(1), .age = splat(0), .done = ~which, .given_up = (mask){0}};
    p->touch.exact = 0;
    p->astray = (mask){0};
    sweep_at(p, p->x, p->g, p->delta, p->energy);
    s.low = step_look_at(p, p->g, p->delta);
    s.done |= arrived(p, s.low);
    for (int k = 0; k < t->nq; k++)
        p->from[k] = p->x[k];
    for (int v = 0; v < t->nv; v++)
        p->way[v] = p->delta[v];
    for (int n = 1; n < most && any(~s.done); n++) {
        ++*passes;
        make_trial(p, &s);
        p->touch.exact = n >= EXACT_FROM;
        sweep_at(p, p->trial, p->new_g, p->new_delta, p->energy);
        judge_trial(p, &s);
    }
    return s.done & ~s.given_up;
}

/* Bounds of friction follow the normal force from round to round. */
static int newton_rounds(struct stepping *p, mask which, int most) {
    const int rounds = p->a.touch ? p->s->rounds : 1;
    int passes = 1;
    mask done = (mask){0};
    for (int n = 0; n < rounds; n++) {
        done = newton(p, which, most, &passes);
        if (!p->a.touch) break;
        if (any(p->astray)) sweep_at(p, p->x, p->g, p->delta, p->energy); /* records of where it ended */
        settle_touches(&p->a, motions_of(p), 0);
        p->touch.begins = 0;
    }
    *(real *)p->s->unsettled =
        choose(which & ~done, splat(1), choose(which, splat(0), *(real *)p->s->unsettled));
    return passes;
}

#endif
