/* Contact as stable PD inside MABA: spd-2011 section 4.3 taken further.
 *
 * Each contact is an implicit damper on the velocity its point will have, with friction by secants:
 *
 *     u   = J (qd + dt qdd) - wanted,   u_n = n . u,   u_t = u - u_n n
 *     f_n = -bn u_n                     bn = Bn where u_n < 0, else 0
 *     f_t = -bt u_t                     bt = min(Bt, mu f_n / |u_t|)
 *
 * `wanted` holds the ground's velocity, the recovery from penetration and the pull of the anchor. The coefficients
 * are found by sweeps: solve, look at u, choose again, until nothing changes. A lane that has settled is frozen,
 * so that its bits do not depend on its neighbours. */
#ifndef SINEW_KERNELS_CONTACT_H
#define SINEW_KERNELS_CONTACT_H

#include "kernels/limits.h"

/* Where every body is and how it moves. */
static void enter(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_all(t, args->q, args->qd, &w);
    w.rate[-1] = w.bias[-1] = (struct motion){vec_zero(), vec_zero()};
    real *o = out;
    for (int i = 0; i < t->nbody; i++, o += SN__PLACE) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        vec3 x, v;
        origin_motion(b, &w.frame[b->parent], f, w.bias[b->parent].a, w.rate[b->parent].a, args->q, args->qd,
                      &x, &v);
        w.bias[i].a = x; /* until solve */
        w.rate[i] = (struct motion){f->w, v};
        vec_store(o, x);
        const mat3 A = f->R;
        o[3] = A.xx, o[4] = A.xy, o[5] = A.xz, o[6] = A.yx, o[7] = A.yy, o[8] = A.yz;
        o[9] = A.zx, o[10] = A.zy, o[11] = A.zz;
        vec_store(o + 12, v);
        vec_store(o + 15, f->w);
    }
}

/* Velocity of each origin and angular velocity under other joint velocities, at the same pose. */
static void velocities(const struct sn__args *args, const void *qd_, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    const real *qd = qd_;
    real *o = out;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++, o += 6) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion p = b->parent < 0 ? rest : w.motion[b->parent];
        struct motion m = {p.alpha, add_cross(p.a, p.alpha, f->r)};
        unfold(b, f, qd + b->v, &m.alpha, &m.a);
        w.motion[i] = m;
        vec_store(o, m.a);
        vec_store(o + 3, m.alpha);
    }
}

/* Marks the bodies between contacts and the root, and finds what of u does not depend on the solve:
     s = J qd - wanted - dt (a0 + alpha0 x r),   a0, alpha0 the accelerations at qdd = 0. */
static void prepare_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = splat(R(args->dt));
    for (int i = 0, k = 0; i <= t->nbody; i++) {
        w->first[i] = k;
        if (i < t->nbody) set.hot[i] = 0;
        while (i < t->nbody && k < c->count && c->body[k] == i)
            k++;
    }
    for (int k = 0; k < c->count; k++)
        for (int i = c->body[k]; i >= 0 && !set.hot[i]; i = t->body[i].parent)
            set.hot[i] = 1;
    w->bias[-1] = w->motion[-1];
    for (int i = 0; i < t->nbody; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->bias[t->body[i].parent];
        const struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        w->bias[i] = m;
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            const vec3 r = vec_load((const real *)c->point + 3 * k);
            const vec3 v = add_cross(w->rate[i].a, w->rate[i].alpha, r);
            const vec3 a0 = add_cross(m.a, m.alpha, r);
            const vec3 s = add_scaled(sub(v, vec_load((const real *)c->wanted + 3 * k)), a0, -dt);
            vec_store(contact_scratch(c, k), s);
        }
    }
}

/* f_t = -bt u_t with |f_t| <= mu f_n and bt <= Bt. */
KERNEL real secant(real most, real mu_fn, real ut2) {
    const mask loaded = less(splat(0), mu_fn);
    const real slip = square_root(ut2), stick = choose(loaded, mu_fn, splat(1)) / most;
    return choose(loaded, mu_fn / maximum(slip, stick), splat(0));
}

/* The coefficients to begin with: contacts that carried a force are expected to go on. */
static void expect_contacts(const struct sn__contacts *c) {
    const real *Bn = c->Bn, *Bt = c->Bt, *mu = c->mu;
    for (int k = 0; k < c->count; k++) {
        real *s = contact_scratch(c, k);
        const vec3 n = vec_load((const real *)c->normal + 3 * k);
        const real fn = dot(vec_load((const real *)c->force + 3 * k), n);
        const mask on = less(splat(0), fn);
        s[3] = choose(on, Bn[k], splat(0));
        s[4] = choose(on, choose(less(splat(0), mu[k]), Bt[k], splat(0)), splat(0));
    }
}

/* The velocity u a contact's point gets. */
KERNEL vec3 contact_velocity(const struct sn__args *args, const struct work *w, int k) {
    const struct sn__contacts *c = args->contacts;
    const struct motion m = w->motion[c->body[k]];
    const vec3 r = vec_load((const real *)c->point + 3 * k);
    return add_scaled(vec_load(contact_scratch(c, k)), add_cross(m.a, m.alpha, r), splat(R(args->dt)));
}

/* Forces that belong to the coefficients of the sweep, and what the coefficients should be; which lanes want
   others. */
static mask choose_contacts(const struct sn__args *args, const struct work *w, mask settled) {
    const struct sn__contacts *c = args->contacts;
    const real *Bn = c->Bn, *Bt = c->Bt, *mu = c->mu, zero = splat(0);
    mask changed = (mask){0};
    for (int k = 0; k < c->count; k++) {
        real *s = contact_scratch(c, k), *force = (real *)c->force + 3 * k;
        const vec3 n = vec_load((const real *)c->normal + 3 * k);
        const vec3 u = contact_velocity(args, w, k);
        const real un = dot(u, n), bn = s[3], bt = s[4];
        const vec3 ut = add_scaled(u, n, -un);
        const vec3 F = add_scaled(scale(ut, -bt), n, -(bn * un));
        force[0] = choose(settled, force[0], F.x);
        force[1] = choose(settled, force[1], F.y);
        force[2] = choose(settled, force[2], F.z);
        const mask on = less(un, zero), was = less(zero, bn);
        const real entering = minimum(Bn[k], splat(R(c->soft)));
        const real new_bn = choose(on, choose(was, Bn[k], entering), zero);
        const real new_bt =
            choose(on, secant(Bt[k], mu[k] * maximum(zero, -(new_bn * un)), dot(ut, ut)), zero);
        const real change = absolute(new_bt - bt), size = maximum(new_bt, bt);
        changed |= is_nonzero(bits_of(new_bn) ^ bits_of(bn)) | less(R(c->tolerance) * size, change);
        s[5] = new_bn, s[6] = new_bt;
    }
    return changed & ~settled;
}

/* Takes the new coefficients over in the lanes that changed; the others stay with those of their forces. */
static void change_contacts(const struct sn__contacts *c, mask changed) {
    for (int k = 0; k < c->count; k++) {
        real *s = contact_scratch(c, k);
        s[3] = choose(changed, s[5], s[3]);
        s[4] = choose(changed, s[6], s[4]);
    }
}

/* Over frames that stand: qdd under drives, torque limits and contacts. Returns how many sweeps it took. */
static int solve(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    real *qdd = out, *Q = w.tmp[0], *trial = w.tmp[5];
    if (args->contacts) {
        prepare_contacts(args, &w);
        expect_contacts(args->contacts);
    }
    mask settled = (mask){0};
    int n = 0;
    if (!args->limit) drive_all(args, Q);
    for (;;) {
        if (args->limit)
            solve_limited(args, w, trial);
        else if (!args->contacts)
            sweep(args, &w, Q, args->K, ABA_GENERAL, trial);
        else
            sweep_general(args, &w, Q, args->K, n > 0, trial);
        n++;
        if (!args->contacts) break;
        const mask changed = choose_contacts(args, &w, settled);
        if (n == args->contacts->sweeps || !any(changed)) break;
        change_contacts(args->contacts, changed);
        settled |= ~changed;
    }
    const struct touching set = touching_of(t, &w);
    for (int i = 0; args->contacts && !args->limit && i < t->nbody; i++)
        if (!set.hot[i])
            accelerate_body(t, i, &w, args->K, args->per_axis && args->per_axis[i], ABA_GENERAL, trial);
    for (int v = 0; v < t->nv; v++)
        qdd[v] = trial[v];
    if (args->limit) relinearise(args, w, qdd, trial);
    return n;
}

#endif
