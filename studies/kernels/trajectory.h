/* Many trajectories at once (pbad-2018 section 5.2, figure 1): every lane is at an iteration of its own step of its own
 * trajectory. A tick is one sweep of all lanes; then each lane, by masks alone, goes on with its line search, accepts what it
 * has found, or ends its step and begins the next one. No lane waits for another, unless it is asked to.
 *
 * Newton's method is that of studies/position_solve.c. Its search for a next pose and the guess at the start of a step are
 * both a pose and a displacement, so that one move serves whichever each lane is at. */
#ifndef SINEW_STUDIES_KERNELS_TRAJECTORY_H
#define SINEW_STUDIES_KERNELS_TRAJECTORY_H

#include "studies/kernels/poses.h"
#include "studies/kernels/table.h"

/* As worlds sweep: study_lanes.c. */
static void sweep_pose(const struct sn__position_args *a, int hessian);

/* What a sweep says of a pose. */
struct look {
    real energy, square, slope, residual, move; /* sum of g^2, g . delta, largest |g|, largest |delta| */
};

KERNEL mask is_set(real x) {
    return less(splat(0), x);
}

KERNEL real flag_of(mask m) {
    return choose(m, splat(1), splat(0));
}

KERNEL struct look look_at_sweep(const struct sn__position_args *a, int nv) {
    const real *g = a->g[0], *delta = a->delta[0], zero = splat(0);
    struct look l = {*(const real *)a->energy, zero, zero, zero, zero};
    for (int v = 0; v < nv; v++) {
        l.square = l.square + g[v] * g[v];
        l.slope = l.slope + g[v] * delta[v];
        l.residual = maximum(l.residual, absolute(g[v]));
        l.move = maximum(l.move, absolute(delta[v]));
    }
    return l;
}

/* As `acceptable` there: the energy falls by a part of what its slope promises, or that is near its noise and the gradient
   falls. */
KERNEL mask is_better(const struct look *old, const struct look *new, real part, real eps) {
    const real promise = absolute(old->slope) * part, size = absolute(old->energy) + absolute(new->energy);
    const mask falls = not_less(old->energy + R(1e-4) * part * old->slope, new->energy);
    const mask noise = ~less(R(1e4) * eps * size, promise) & ~less(old->square, new->square);
    const mask faint = ~less(R(1e8) * eps * size, promise) & ~less(R(0.25) * old->square, new->square);
    const mask finite = less(new->square, splat(R(1e30))) & less(absolute(new->energy), splat(R(1e30)));
    return finite & (falls | noise | faint);
}

KERNEL mask is_stuck(const struct look *old, const struct look *new, real eps) {
    return ~less(R(1e5) * eps, new->move) & less(R(0.25) * old->square, new->square);
}

KERNEL void take(int n, mask m, const real *from, real *to) {
    for (int i = 0; i < n; i++)
        to[i] = choose(m, from[i], to[i]);
}

/* The affine pose of a body as the last sweep found it. */
KERNEL void affine_of(const tree_body *b, const struct place *f, real *P) {
    mat_store(P, f->R);
    vec_store(P + 9, moves_origin(b) ? f->x : vec_zero());
}

/* Those of lanes that wait, before the next sweep takes others. */
KERNEL void hold_places(const struct sn__position_args *a, mask m, real *P) {
    const tree *t = a->tree;
    const struct place *place = (const struct place *)a->work + 1;
    for (int i = 0; i < t->nbody; i++, P += SN__AFFINE) {
        real own[SN__AFFINE];
        affine_of(&t->body[i], &place[i], own);
        take(SN__AFFINE, m, own, P);
    }
}

/* sum_h W_h P_h of one value. */
KERNEL real past_term(const struct sn__trajectory_args *t, int i) {
    const struct sn__position_args *a = &t->position;
    real sum = R(a->W[0][0]) * ((const real *)t->past_P[0])[i];
    for (int h = 1; h < a->past; h++)
        sum = sum + rounded(R(a->W[0][h]) * ((const real *)t->past_P[h])[i]);
    return sum;
}

/* The pose that was found is the newest of the past, of lanes that begin a step. Others find what they had. */
KERNEL void push_places(const struct sn__trajectory_args *t, mask m) {
    const struct sn__position_args *a = &t->position;
    const tree *tr = a->tree;
    const struct place *place = (const struct place *)a->work + 1;
    for (int i = 0, at = 0; i < tr->nbody; i++) {
        real own[SN__AFFINE];
        if (!t->wait) affine_of(&tr->body[i], &place[i], own);
        for (int k = 0; k < SN__AFFINE; k++, at++) {
            for (int h = a->past - 1; h > 0; h--) {
                const real *from = t->past_P[h - 1];
                real *to = t->past_P[h];
                to[at] = choose(m, from[at], to[at]);
            }
            real *newest = t->past_P[0];
            newest[at] = choose(m, t->wait ? ((const real *)t->held)[at] : own[k], newest[at]);
            ((real *)t->T)[at] = past_term(t, at);
        }
    }
}

/* Where the next search begins: as far on as in this step, or with the change from the one before, whichever would have
   come closer to where this step ended. */
KERNEL void guess_next(const struct sn__trajectory_args *t, mask m, int nv) {
    real *lane = t->lane, *u1 = t->row, *u2 = t->last[0], *u3 = t->last[1], *delta = t->delta;
    real even = splat(0), bent = splat(0);
    for (int v = 0; v < nv; v++) {
        const real change = u1[v] - u2[v], second = change - (u2[v] - u3[v]);
        even = even + change * change;
        bent = bent + second * second;
    }
    const mask smooth = less(bent, even) & less(splat(R(1.5)), lane[SN__LANE_AGE]);
    for (int v = 0; v < nv; v++) {
        const real change = u1[v] - u2[v];
        delta[v] = choose(m, choose(smooth, u1[v] + change, u1[v]), delta[v]);
        u3[v] = choose(m, u2[v], u3[v]);
        u2[v] = choose(m, u1[v], u2[v]);
    }
}

/* Lanes whose step has ended begin the next one. */
KERNEL void roll_lanes(const struct sn__trajectory_args *t, mask m) {
    const struct sn__position_args *a = &t->position;
    const tree *tr = a->tree;
    const int nq = tr->nq, nv = tr->nv;
    real *lane = t->lane;
    if (t->velocity) { /* read from where the step began, which moves on now */
        struct sn__position_args own = *a;
        own.q[0] = t->q;
        velocity(&own, 0, t->velocity);
    }
    difference(tr, t->q, t->past_q[0], t->row);
    guess_next(t, m, nv);
    for (int h = a->past - 1; h > 0; h--)
        take(nq, m, t->past_q[h - 1], t->past_q[h]);
    take(nq, m, t->q, t->past_q[0]);
    push_places(t, m);
    lane[SN__LANE_AGE] = choose(m, lane[SN__LANE_AGE] + R(1), lane[SN__LANE_AGE]);
}

KERNEL void try_next(const struct sn__trajectory_args *t) {
    const struct sn__position_args *a = &t->position;
    const real *part = (const real *)t->lane + SN__LANE_PART;
    if (t->by_bodies)
        move_bodies(a->tree, a->work, t->q, t->delta, part, t->try_q);
    else
        move(a->tree, t->q, t->delta, part, t->try_q);
}

static void trajectory_tick(const struct sn__trajectory_args *t) {
    const struct sn__position_args *a = &t->position;
    const tree *tr = a->tree;
    const int nv = tr->nv;
    const real zero = splat(0), one = splat(1),
               eps = splat(LANE_BITS == 64 ? R(2.220446049250313e-16) : R(1.1920929e-7));
    real *lane = t->lane;
    sweep_pose(a, t->hessian);
    const struct look new = look_at_sweep(a, nv);
    const struct look old = {lane[SN__LANE_ENERGY], lane[SN__LANE_SQUARE], lane[SN__LANE_SLOPE], zero,
                             lane[SN__LANE_MOVE]};
    const real part = lane[SN__LANE_PART];
    const mask fresh = is_set(lane[SN__LANE_FRESH]), settling = is_set(lane[SN__LANE_SETTLING]);
    const mask active = ~(is_set(lane[SN__LANE_IDLE]) | is_set(lane[SN__LANE_WAITING]));
    const real sweeps = lane[SN__LANE_SWEEPS] + R(1);

    const mask lost = active & fresh & ~less(new.square, splat(R(1e30))); /* NaN, too */
    const mask accept = ((fresh | settling) & ~lost) | is_better(&old, &new, part, eps);
    const mask arrived = ~less(splat(R(t->tolerance)), new.residual) | ~less(R(32) * eps, new.move);
    const mask tired = not_less(sweeps, splat(R(t->most)));
    const mask stuck = is_stuck(&old, &new, eps) & ~fresh;
    const mask solved = arrived | stuck | settling;
    const mask ends = active & accept & (solved | tired);
    const mask gives_up = (stuck & is_stuck(&old, &old, eps)) | tired | less(part, splat(R(1e-9)));
    const mask settles = active & ~accept & gives_up; /* once more where it was, to end there */

    const mask keep = active & accept;
    take(tr->nq, keep, t->try_q, t->q);
    take(nv, keep, a->delta[0], t->delta);
    lane[SN__LANE_ENERGY] = choose(keep, new.energy, old.energy);
    lane[SN__LANE_SQUARE] = choose(keep, new.square, old.square);
    lane[SN__LANE_SLOPE] = choose(keep, new.slope, old.slope);
    lane[SN__LANE_MOVE] = choose(keep, new.move, old.move);
    lane[SN__LANE_SOLVED] =
        choose(ends & ~settling, flag_of(solved), choose(settles, flag_of(stuck), lane[SN__LANE_SOLVED]));
    lane[SN__LANE_SWEEPS] = choose(active, sweeps, lane[SN__LANE_SWEEPS]);
    lane[SN__LANE_SETTLING] = flag_of(settles);
    lane[SN__LANE_FRESH] = choose(active, zero, lane[SN__LANE_FRESH]);

    const mask waiting = is_set(lane[SN__LANE_WAITING]) | ends, idle = is_set(lane[SN__LANE_IDLE]);
    if (t->wait && any(ends)) hold_places(a, ends, t->held);
    const mask rolls = !t->wait || !any(~(waiting | idle | lost)) ? waiting : waiting & ~waiting;
    if (any(rolls)) roll_lanes(t, rolls);
    lane[SN__LANE_WAITING] = flag_of(waiting & ~rolls);
    lane[SN__LANE_FRESH] = choose(rolls, one, lane[SN__LANE_FRESH]);
    lane[SN__LANE_EVENT] =
        choose(lost, splat(R(SN__LANE_LOST)), choose(rolls, splat(R(SN__LANE_STEPPED)), zero));
    lane[SN__LANE_PART] =
        choose(rolls | (keep & ~ends), one, choose(settles, zero, choose(active, R(0.5) * part, part)));
    try_next(t);
}

/* Lanes that `load` names begin a trajectory from start_q and start_qd, with a past in which it moved evenly. */
static void trajectory_start(const struct sn__trajectory_args *t) {
    const struct sn__position_args *a = &t->position;
    const tree *tr = a->tree;
    const int nq = tr->nq, nv = tr->nv, nP = SN__AFFINE * tr->nbody;
    const mask m = is_set(*(const real *)t->load);
    const real dt = R(a->dt) + splat(0), zero = splat(0);
    real *lane = t->lane, *even = t->row;
    for (int h = 0; h < a->past; h++) {
        const real back = splat(R(t->past_node[h] * a->dt));
        move(tr, t->start_q, t->start_qd, &back, t->try_q);
        take(nq, m, h ? t->try_q : t->start_q, t->past_q[h]);
        affine(tr, a->work, t->past_q[h], t->T);
        take(nP, m, t->T, t->past_P[h]);
    }
    for (int v = 0; v < nv; v++)
        even[v] = dt * ((const real *)t->start_qd)[v];
    take(nq, m, t->past_q[0], t->q);
    take(nv, m, even, t->delta);
    take(nv, m, even, t->last[0]);
    take(nv, m, even, t->last[1]);
    for (int i = 0; i < nP; i++)
        ((real *)t->T)[i] = past_term(t, i);
    for (int k = 0; k < SN__LANE_VALUES; k++)
        lane[k] = choose(m, zero, lane[k]);
    lane[SN__LANE_FRESH] = choose(m, splat(1), lane[SN__LANE_FRESH]);
    lane[SN__LANE_PART] = choose(m, splat(1), lane[SN__LANE_PART]);
    try_next(t);
}

#endif
