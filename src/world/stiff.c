/* Which drive of a world is too stiff for its form and time step: the first thing to look at when a state stopped being
   finite. The inertia is the one of the zero pose with all other joints locked, which is more than with them free: what is
   found does swing up, in the air at least; sn_gains_check finds more. */
#include <math.h>

#include "dynamics/gains.h"
#include "model/model.h"
#include "world/scene.h"

/* How far one degree of freedom is beyond what it bears, in units of its inertia; 0: it bears its gains. */
static double excess(const sn_world *w, const struct sn__member *m, int copy, int v) {
    const struct sn__pack *p = &m->pack;
    const double scale = p->field[SN__MASS] ? sn__pack_value(p, SN__MASS, copy, 0) : 1;
    const struct sn__gain g = {.form = p->def.form,
                               .dt = p->field[SN__DT] ? sn__pack_value(p, SN__DT, copy, 0) : p->def.dt,
                               .inertia = scale * w->known[m->known].inertia[v],
                               .damping = m->model->damping[v],
                               .stiffness = m->model->stiffness[v]};
    const double kp = sn__pack_value(p, SN__KP, copy, v), kd = sn__pack_value(p, SN__KD, copy, v);
    if (!(sn__gain_flags(&g, kp, kd) & SN_GAIN_OVERSHOOTS)) return 0;
    return -sn__gain_margin(&g, kp, kd) / fmax(g.inertia, 1e-300);
}

void sn__world_stiffest(const sn_world *w, int copy, int *member, int *dof) {
    double most = 0;
    *member = *dof = -1;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        for (int v = 0; m && m->active && m->pack.k && v < m->model->nv; v++) {
            const double by = excess(w, m, copy, v);
            if (by > most) most = by, *member = i, *dof = v;
        }
    }
}
