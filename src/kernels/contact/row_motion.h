/* How bodies move, as constraint rows ask for it: over the frames that `enter` has left in the working memory. */
#ifndef SINEW_KERNELS_CONTACT_ROW_MOTION_H
#define SINEW_KERNELS_CONTACT_ROW_MOTION_H

#include "kernels/contact/convex.h"

/* Velocity of each origin and angular velocity under joint velocities, at the same pose, into w.motion. */
KERNEL void move_bodies(const struct sn__args *args, struct work *w, const real *qd) {
    const tree *t = args->tree;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const struct motion p = b->parent < 0 ? rest : w->motion[b->parent];
        struct motion m = {p.alpha, add_cross(p.a, p.alpha, f->r)};
        unfold(b, f, qd + b->v, &m.alpha, &m.a);
        w->motion[i] = m;
    }
}

static void velocities(const struct sn__args *args, const void *qd, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    move_bodies(args, &w, qd);
    for (int i = 0; i < t->nbody; i++, o += 6) {
        put_first(o, w.motion[i].a);
        put_first(o + 3, w.motion[i].alpha);
    }
}

/* A contact goes along when rows change the velocity of its point by du: F -= B du, B of the last sweep, of which the
   response to rows is. */
KERNEL void yield_contact(real *x, vec3 du) {
    const real *swept = x + SN__SWEPT;
    const vec3 n = vec_load(x + SN__NORMAL), d = vec_load(swept + SN__T_NOW);
    const real un = dot(du, n), bt = swept[SN__BT_NOW];
    const vec3 ut = add_scaled(du, n, -un);
    const vec3 back = add_scaled(scale(ut, bt), d, (swept[SN__ALONG_NOW] - bt) * dot(ut, d));
    vec_store(x + SN__FORCE, sub(vec_load(x + SN__FORCE), add_scaled(back, n, swept[SN__BN_NOW] * un)));
    vec_store(x + SN__U, add(vec_load(x + SN__U), du));
}

/* How far its force is then from its law. */
KERNEL struct fraction contact_yields(real *x, vec3 du, real small2, struct fraction worst) {
    yield_contact(x, du);
    const vec3 P = vec_load(x + SN__FORCE);
    const real most = friction_bound(x, x + SN__FORCE);
    const struct slip slip = slip_of(x, vec_load(x + SN__U), most);
    return contact_off(P, contact_law(x, &slip, most), small2, worst);
}

/* Implicit contacts and limits answer when rows change velocities by dv. Forces are measured against a quarter of the
   weight, moments of limits against that at a tenth of a metre. */
static double yield(const struct sn__args *args, const void *dv) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    struct work w = work_of(args, 0);
    const real small = splat(R(200) * R(c->small)), small2 = small * small;
    struct fraction off = {splat(0), splat(1)};
    move_bodies(args, &w, dv);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const struct motion m = w.motion[c->body[k]];
        if (idle(x[SN__BN], (mask){0})) continue;
        off = contact_yields(x, add_cross(m.a, m.alpha, vec_load(x + SN__POINT)), small2, off);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k), u = splat(0);
        const tree_body *b = &t->body[c->limit_body[k]];
        if (idle(x[SN__LIMIT_B], (mask){0})) continue;
        for (int j = 0; j < b->nv; j++)
            u = u + x[SN__LIMIT_AXIS + j] * ((const real *)dv)[b->v + j];
        x[SN__LIMIT_FORCE] = x[SN__LIMIT_FORCE] - x[SN__LIMIT_SWEPT] * u;
        x[SN__LIMIT_U] = x[SN__LIMIT_U] + u;
        off = limit_off(x[SN__LIMIT_FORCE], limit_law(x, x[SN__LIMIT_U]), R(0.01) * small2, off);
    }
    return first_lane(square_root(off.over / off.under));
}

/* Whether the step turns things by more than the velocity products bear that it was solved with: those of the middle in
   work.vbar, or where nothing can touch of the motion before rows. But not where it turns them too far to know anything
   about its middle. */
static mask turned_by_rows(const struct sn__args *args, const struct work *w, const real *dv,
                           const real *qdd) {
    const real h = step_size(args), half = R(0.5) * h, little = little_turn(h, 1), far = splat(R(2));
    const real *qd = args->qd;
    const int kept = args->contacts || args->ground || args->limit;
    real change = splat(0), turned = splat(0);
    if (!args->refinements) return (mask){0};
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        const real middle = qd[v] + half * qdd[v], more = kept ? middle - w->vbar[v] : R(0.5) * dv[v];
        change = change + more * more;
        if (!is_course(args->tree, v)) turned = turned + middle * middle;
    }
    return less(little * little, h * h * change) & less(h * h * turned, far * far);
}

/* Whether a drive is beyond its torque limit, or no longer beyond it: its torque by the last linearisation against its law, and
   the one that balances the dynamics, which goes along with what rows change, against the limit itself. */
static mask torques_depart(const struct sn__args *args, struct work *w, const real *dv, const real *qdd) {
    const real over_h = R(1) / step_size(args);
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    const struct drives d = drives_of(args, w);
    const real *limit = args->limit, *qd = args->qd;
    mask off = (mask){0};
    drive_all(args, d.Q0);
    for (int v = 0; v < t->nv; v++) {
        d.Qp[v] = passive_force(args, v) - w->damping[v] * qd[v];
        d.Q0[v] = d.Q0[v] - w->damping[v] * qd[v];
    }
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real s[3], P[3], length2, e = splat(0);
            const mask over = drive_law(&d, v, n, qdd + v, s, &length2), bent = less(splat(0), w->over[v]);
            if (!set.driven[i] && !any(over)) continue;
            const real f = cut_factor(&d, v, over, length2);
            if (set.driven[i]) {
                real dx[3];
                for (int k = 0; k < n; k++)
                    dx[k] = over_h * dv[v + k];
                follow_torque(&d, w, i, v, n, dx);
                sweep_torque(&d, w, i, v, n, qdd, P);
                off |= less(R(1.0016) * limit[v] * limit[v], length2_of(d.P + v, n));
            }
            for (int k = 0; k < n; k++) {
                const real tau = set.driven[i] ? choose(bent, P[k], s[k]) : s[k], more = tau - f * s[k];
                e = e + more * more;
            }
            off |= less(R(8e-4) * R(8e-4) * limit[v] * limit[v], e) & less(limit[v], splat(R(1e30)));
        }
    }
    return off;
}

static bool departs(const struct sn__args *given, const void *dv, const void *qdd) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    args.K = w.damped_K[0], args.K_passive = w.damped_K[1];
    const int limbs =
        ((const tree *)args.tree)->nbody > 1; /* a body by itself has the same inertia wherever it turns */
    const mask torques = args.limit ? torques_depart(&args, &w, dv, qdd) : (mask){0};
    if (any(torques) || (limbs && any(turned_by_rows(&args, &w, dv, qdd)))) return true;
    if (!args.ground) return false;
    if (!args.contacts) args.contacts = &args.ground->contacts;
    const real before = count_records(args.contacts);
    find_again(&args, &w, qdd);
    if (any(less(before, count_records(args.contacts)))) return true;
    if (!args.ground->inertia || args.contacts->nbrace || !(args.refinements || args.polarised)) return false;
    drive_all(&args, w.solve.Q0);
    return any(winning_lanes(&args, &w, w.solve.Q0, given->K, qdd));
}

/* What is left before each limit at the pose args->q, by the numbers of its sides; negative: beyond it. */
static void limit_gaps(const struct sn__args *args, const struct sn__ground *g, double *gap) {
    for (int i = 0; i < g->nstops; i++) {
        struct side side[SN__SIDES];
        const int n = sides_of(args, &g->stops[i], 0, side);
        for (int k = 0; k < g->stops[i].nside; k++)
            gap[g->stops[i].side + k] = 1;
        for (int k = 0; k < n; k++)
            gap[g->stops[i].side + side[k].number] = first_lane(side[k].gap);
    }
}

/* What drives, args->push and, where it `gives`, the ground may have given in a step with the accelerations qdd. */
static double given_in_step(const struct sn__args *args, const void *qdd, bool gives) {
    struct work w = work_of(args, 0);
    struct course course;
    real given = args->push ? energy_growth(args, &w, qdd, &course).pushed : splat(0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        const real start = ((const real *)args->qd)[v];
        w.end_qd[v] = start + step_size(args) * ((const real *)qdd)[v];
        w.solve.y[v] =
            minimum(absolute(start), absolute(w.end_qd[v])); /* what rows throw does not count as a swing */
    }
    drive_all(args, w.solve.Q0);
    given = given + work_of_drives(args, &w, w.solve.Q0, args->K, qdd, w.solve.y);
    if (args->contacts && gives) given = given + contacts_work(args);
    return first_lane(given);
}

#endif
