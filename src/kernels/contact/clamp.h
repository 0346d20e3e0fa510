/* Torques that end a solve beyond their limits: they are held at the limit in a few sweeps more. */
#ifndef SINEW_KERNELS_CONTACT_CLAMP_H
#define SINEW_KERNELS_CONTACT_CLAMP_H

#include "kernels/contact/newton.h"

/* Lanes that end with a torque beyond its limit, unsettled or because of rounding: a sweep more with such torques held, and
   if that leaves others beyond their limits one with all held. */
static void clamp_torques(struct convex *s) {
    for (int all = 0; all < 2; all++) {
        const mask broken = drives_broken(&s->drives, s->w);
        if (!any(broken)) return;
        if (all) take_up_all(&s->drives, s->w, s->x);
        hold_torques(&s->drives, s->w, broken, all);
        sweep_whole(s, broken);
    }
}

static void clamp_holds(struct convex *s) {
    enum { SWEEPS = 4 };
    for (int i = 0; i < SWEEPS; i++) {
        const mask broken = cut_holds(&s->holds, s->w, i < 2, i + 1 == SWEEPS);
        if (!any(broken)) return;
        sweep_whole(s, broken);
    }
}

#endif
