/* Keyframes as the drives of a member: src/motion/keyframes.c has the drives themselves. */
#include "base/memory.h"
#include "motion/keyframes.h"
#include "world/scene.h"

sn_status sn_keyframes_apply(const sn_keyframes *f, sn_world *w, int member, int copy, double time) {
    struct sn__member *m = w ? sn__world_want(w, member) : NULL;
    if (!f || !m) return SN_ERROR_ARGUMENT;
    if (copy < -1 || copy >= w->def.copies || sn__keyframes_model(f) != m->model)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "There is no copy %d, or the keyframes are for another model.", copy);
    const int nq = m->model->nq, nv = m->model->nv;
    double *q = sn__alloc(2 * (size_t)(nq + nv) + 1, sizeof *q), *target = q + nq, *kp = target + nq,
           *kd = kp + nv;
    sn_status status = q ? SN_OK : SN_ERROR_MEMORY;
    const int first = copy < 0 ? 0 : copy, last = copy < 0 ? w->def.copies - 1 : copy;
    for (int i = first; i <= last && !status; i++) {
        double dt = w->def.dt;
        sn__pack_get(&m->pack, SN__Q, i, nq, q);
        if (m->pack.field[SN__DT]) sn__pack_get(&m->pack, SN__DT, i, 1, &dt);
        sn__keyframes_drive(f, time, dt, q, kp, kd, target);
        status = sn_world_set(w, member, SN_FIELD_TARGET_Q, i, 1, target);
        if (!status) status = sn_world_set(w, member, SN_FIELD_KP, i, 1, kp);
        if (!status) status = sn_world_set(w, member, SN_FIELD_KD, i, 1, kd);
    }
    sn__free(q);
    return status;
}
