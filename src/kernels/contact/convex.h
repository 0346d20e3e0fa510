/* One convex problem for contact, joint limits and torque limits, in linear time.
 *
 * The velocity at the end of the step, v = qd + dt qdd, is where a strictly convex function is least (docs/theory.md):
 *
 *     l(v) = 1/2 (v - v0)^T M (v - v0) + dt C^T v + sum of phi
 *
 * Every phi (law.h, limits.h) is local to a body or a joint, so that Newton's method costs one sweep of the
 * articulated-body algorithm per iteration (newton.h). This file puts the parts of a solve in order:
 *
 *     the motion without contacts     sweep_apart
 *     the first sweep with contacts   first_sweep
 *     Newton's method                 settle_all: newton.h
 *     contacts found late             look_late: late.h
 *     energy gained                   guard_energy, guard_work: guard.h
 *     torques beyond their limits     clamp_torques, clamp_holds: clamp.h */
#ifndef SINEW_KERNELS_CONTACT_CONVEX_H
#define SINEW_KERNELS_CONTACT_CONVEX_H

#include "kernels/contact/clamp.h"
#include "kernels/contact/expose.h"
#include "kernels/contact/guard.h"
#include "kernels/contact/tame.h"
#include "kernels/contact/polarise.h"

/* Lanes that touch something and turn by less than args->still within the step. No more than that share of the velocity
   products changes by its middle, and no more than the square of it is what energy those of the start may gain, which the
   contacts take away again. */
static mask still_lanes(const struct convex *s) {
    const struct sn__args *args = &s->args;
    const real *qd = args->qd, dt = step_size(args), most = splat(R(args->still));
    if (s->bent || s->held || !args->refinements || !(args->still > 0)) return (mask){0};
    real square = splat(0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        square = square + qd[v] * qd[v];
    return less(splat(0), count_records(args->contacts)) & less(dt * dt * square, most * most);
}

/* The motion without contacts and joint limits, and the velocity products of it: an impact says nothing about the way
   there, and the velocity halfway through a step that begins with a wrong guess at contacts is wrong. Torque limits count,
   as they would be if nothing accelerated, or as a first sweep decides for a crowd: without them a drive far from its target
   makes any velocity. Lanes that are `still` have the products of the start of the step, and this motion is not asked for.
   Once the way of the contacts is known, refine_late looks again. */
static void sweep_apart(struct convex *s, mask still) {
    struct sn__args args = s->args;
    struct work *w = s->w;
    real *Q = w->solve.Q0;
    const tree *t = args.tree;
    args.contacts = &s->none, args.ground = 0;
    start_products(&args, w, PRODUCTS_START_SPINNING);
    calm_frames(&args, w);
    drive_all(&args, Q);
    prepare_contacts(&args, w);
    if (!any(~still)) {
        for (int v = 0; v < t->nv; v++)
            s->x[v] = splat(0);
        keep_products(&args, w);
        keep_middle(s);
        return;
    }
    if (s->bent) {
        s->drives = drives_of(&s->args, w);
        for (int v = 0; v < t->nv; v++)
            s->drives.Qp[v] = passive_force(&args, v);
        for (int v = 0; v < t->nv; v++)
            s->x[v] = splat(0);
        expect_drives(&s->drives, w, s->x);
        sweep_touching(&args, w, Q, args.K, 0, (mask){0}, s->x);
    } else {
        if (s->held) {
            s->holds = holds_of(&s->args, w);
            start_holds(&s->holds);
        }
        sweep_untouched(&args, w, s->Q, s->K, s->x);
        if (s->held) decide_holds(&s->holds, w, (mask){0}, s->x);
        if (s->held && any_dirty(t, w)) sweep_untouched(&args, w, s->Q, s->K, s->x);
    }
    refine_products(&args, w, s->K, ABA_GENERAL, still, s->x);
    for (int v = 0; any(still) && v < t->nv; v++)
        s->x[v] = choose(still, splat(0), s->x[v]);
    if (s->bent) look_at_drives(&s->drives, w, 0, s->x);
    if (s->held) move_holds(&s->holds, s->x, splat(1), (mask){0});
    keep_middle(s);
    w->stale = 1;
}

/* The first sweep with contacts and limits, as the last step left them; taken whole. Lanes in which nothing is near stay
   where they are. */
static void first_sweep(struct convex *s, mask touched) {
    struct work *w = s->w;
    expect_contacts(&s->args, w);
    if (s->bent) linearise_drives(&s->drives, w, s->x);
    sweep_touching(&s->args, w, s->Q, s->K, 0, (mask){0}, s->y);
    s->n++, s->total++;
    s->frozen = ~touched;
    if (s->bent) look_at_drives(&s->drives, w, s->x, s->y);
    move_joints(s, splat(1));
    s->frozen = (mask){0};
    if (!s->effort.spare) look_ahead(s); /* a crowd leaves that to look_late */
    const struct stride whole = {(mask){0}, splat(1), 0, ~(mask){0}};
    const struct fraction off = carry_contacts(&s->args, w, s->x, &whole).off;
    s->off = off.over / off.under;
}

/* Sweeps until all lanes have settled, or as many as there may be. After the first few velocity products are looked at again:
   lanes that have others begin afresh. A crowd has made all its sweeps by then, and makes some more for them. */
static void settle_all(struct convex *s) {
    const int crowd = s->effort.spare > 0, all = s->effort.sweeps, few = crowd || all < 4 ? all : 4;
    iterate_all(s, few);
    const mask turned = refine_late(s), slow = ~s->frozen & ~turned;
    const int light = s->guarded && has_light(s->args.ground) && all > LIGHT_SOON;
    const int more = light ? LIGHT_SOON - few : all - few;
    if (any(turned)) go_on(s, turned, 1, crowd ? s->effort.late : more);
    if (few < all && any(slow)) go_on(s, slow, few, more);
    if (light) settle_light(s);
}

/* The sweeps after the first, and all that looks at where they lead. Returns how many there were. */
static int finish_convex(struct convex *s) {
    settle_all(s);
    allow_sweeps(s, R(0.9));
    look_late(s, ~(mask){0});
    go_on_unsettled(s);
    allow_sweeps(s, R(1));
    const mask won = s->guarded ? guard_energy(s) : (mask){0}, kept = keep_light(&s->args, s->x);
    if (s->guarded) move_less(s, won | kept);
    if (s->guarded) keep_course(s);
    s->spent = (mask){0};
    s->n = s->effort.sweeps; /* in any case: no lane's sweeps depend on its neighbours */
    guard_work(s);
    *residual_of(s) = square_root(*residual_of(s));
    if (s->bent) clamp_torques(s);
    if (s->held) {
        clamp_holds(s);
        s->Q = total_forces(&s->holds), s->K = s->args.K_passive;
    }
#if LANE_BITS == 32
    if (!s->args.contacts->nbrace) /* which may give energy: what is held off its place */
        tame_rounding(&s->args, s->w, s->Q, s->K, less(splat(0), count_records(s->args.contacts)), s->x);
#endif
    return s->effort.spare > 0 ? s->total : most_used(s);
}

/* Over frames that stand: qdd under drives, torque limits, contacts and joint limits. Returns how many sweeps it took with
   contacts, joint limits or bent drives. `held`: in a crowd drives are not bent, but held (holds.h). */
static int solve_convex(const struct sn__args *args, struct work *w, int held, real *qdd) {
    struct convex s;
    start_convex(&s, args, w, held, qdd);
    start_undamped(args, w);
    if (args->rows_follow) keep_gains(args, w);
    sweep_apart(&s, still_lanes(&s));
    index_contacts(&s.args, w);
    look_ahead(&s);
    const mask touched = less(splat(0), count_records(s.args.contacts));
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        s.y[v] = s.x[v]; /* a root that nothing touches is not passed again */
    if (any(touched)) first_sweep(&s, touched);
    s.n = s.total = 1; /* counted in any case: no lane's sweeps depend on its neighbours */
    settle(&s);
    return finish_convex(&s);
}

/* What a last step of Newton's method at the solution would be: leaves the eliminated joints as constraint responses
   need them. */
static void relinearise(const struct sn__args *args, struct work *w, real *qdd) {
    struct convex s;
    start_convex(&s, args, w, 0, qdd);
    if (s.guarded) keep_damped(&s);
    expose_contacts(&s.args, w);
    if (args->limit) {
        s.drives = drives_of(&s.args, w);
        linearise_drives(&s.drives, w, qdd);
        make_all_dirty(args->tree, w);
    }
    if (any_dirty(args->tree, w)) sweep_touching(&s.args, w, w->solve.Q0, s.K, 1, (mask){0}, s.y);
}

/* Drives beyond their limits as constant torques: Q and K, which are returned, of the solution x with explicit products. */
static const real *hold_drives(const struct sn__args *args, struct work *w, real *x) {
    const tree *t = args->tree;
    solve_convex(args, w, 0, x);
    const struct drives d = drives_of(args, w);
    const real *K = args->K, *Kp = args->K_passive;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real s[3], length2;
            const mask over = drive_law(&d, v, n, x + v, s, &length2);
            const real f = cut_factor(&d, v, over, length2);
            for (int k = v; k < v + n; k++) {
                w->Q[k] = choose(over, f * s[k - v] + d.Qp[k], d.Q0[k]);
                w->held_K[k] = choose(over, Kp[k], K[k]);
            }
        }
    }
    return w->held_K;
}

/* For args->polarised: the springs with the force beside them that polarises the products of the solution (polarise.h). */
static const real *polarise(const struct sn__args *given, struct work *w) {
    struct sn__args args = *given;
    real *x = w->solve.y;
    const real *K = args.K;
    args.contacts = 0, args.ground = 0;
    if (args.limit)
        K = hold_drives(&args, w, w->polarising);
    else
        drive_all(&args, w->Q);
    solve_studied(&args, w->Q, K, x);
    return polarising_force(&args, w, w->Q, K, x, w->solve.Q0);
}

/* The same for worlds. */
static int solve(const struct sn__args *given, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    real *qdd = out;
    start_residual(&args);
    if (args.polarised) args.spring = polarise(given, &w);
    if (args.contacts || args.ground || args.limit) {
        const int n = solve_convex(&args, &w, 0, qdd);
        if (args.rows_follow) relinearise(&args, &w, qdd);
        return n;
    }
    if (args.rows_follow) {
        start_undamped(&args, &w);
        keep_gains(&args, &w);
    }
    start_products(&args, &w, PRODUCTS_START_SPINNING);
    calm_frames(&args, &w);
    drive_all(&args, w.solve.Q0);
    sweep_untouched(&args, &w, w.solve.Q0, args.K, qdd);
    refine_products(&args, &w, args.K, ABA_GENERAL, (mask){0}, qdd);
    return 1;
}

#endif
