/* The convex problem of a character once more, when only the forces that rows give it have changed (world/newton.c): from where
 * the response to rows leads, instead of from the start. */
#ifndef SINEW_KERNELS_CONTACT_RESOLVE_H
#define SINEW_KERNELS_CONTACT_RESOLVE_H

#include "kernels/contact/convex.h"

/* Drives with limits as rows have left them, at the accelerations x; their torques have gone along (follow_torque). */
static void resume_drives(struct convex *s) {
    struct work *w = s->w;
    const tree *t = s->args.tree;
    const real *qd = s->args.qd;
    s->drives = drives_of(&s->args, w);
    for (int v = 0; v < t->nv; v++) {
        s->drives.Qp[v] = passive_force(&s->args, v) - w->damping[v] * qd[v];
        s->drives.ever[v] = w->over[v];
    }
    look_at_drives(&s->drives, w, s->x, s->x);
}

/* After rows have changed their forces on the character, which moves with the accelerations qdd by its last linearisation,
   and contacts with it (row_motion.h): on from there. Velocity products stay as they are unless that motion turns far. */
static int solve_more(const struct sn__args *args, struct work *w, real *qdd) {
    struct convex s;
    start_convex(&s, args, w, 0, qdd);
    const mask all = ~(mask){0};
    const real *qd = args->qd;
    drive_all(args, w->solve.Q0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        w->solve.Q0[v] = w->solve.Q0[v] - w->damping[v] * qd[v];
    keep_damped(&s);
    index_contacts(&s.args, w);
    rest_contacts(&s.args, w);
    enter_late(&s.args, w, all, qdd);
    if (s.bent) resume_drives(&s);
    linearise_contacts(&s.args, w, all, (mask){0});
    make_all_dirty(args->tree, w);
    w->stale = 1, w->rigid_stands = args->refinements > 0;
    s.n = 1;
    return finish_convex(&s);
}

/* Likewise, when only what rows do has changed; qdd is where the response to them leads. */
static int resolve(const struct sn__args *given, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    start_residual(&args);
    args.rows_follow = true;
    const int n = solve_more(&args, &w, out);
    relinearise(&args, &w, out);
    return n;
}

#endif
