/* Stable PD as a torque ahead of the step, as DeepMimic and others compute it: the acceleration under the drives alone,
 *
 *     (M + K) a = Q - C        maba-2020 eq. 7, by whichever solver; nothing touches in it
 *     tau = Q - K a            eq. 6, cut to the torque limits
 *
 * and then a step, contacts and all, under tau as it is. A foot on the ground does not move as this foresees: with m what turns
 * of it in the air, its drive is weaker by a factor of m / (m + K) than the law says. */
#include <string.h>

#include "dynamics/lapack.h"
#include "dynamics/pack.h"
#include "studies/study.h"

/* All three take velocity products at the start of the step, so that they agree. */
static void foresee(struct sn__pack *p, const struct sn__args *args, void *a) {
    struct sn__args free = *args;
    free.limit = NULL;
    free.refinements = 0;
    free.polarised = NULL;
    switch (p->def.study->ahead->solver) {
    case SN_SOLVER_DENSE:
        p->k->study->dense(&free, a);
        break;
    case SN_SOLVER_LAPACK:
        sn__lapack_solve(p, &free, a);
        break;
    default:
        p->k->maba(&free, a);
    }
}

static void torque_ahead(struct sn__pack *p, struct sn__args *args) {
    void *tau = p->field[SN__TAU], *a = p->field[SN__TAU2];
    foresee(p, args, a);
    p->k->study->pd_torque(args, a, tau);
    if (args->limit) p->k->study->cut_torques(args, tau);
    if (args->torque) memcpy(args->torque, tau, sn__pack_bytes(p, p->model->nv));
    args->torque = NULL;
    memset(a, 0, sn__pack_bytes(p, p->model->nv));
    args->kp = a, args->target_qd = NULL, args->per_axis = NULL;
    args->kw = args->kw_passive, args->K = args->K_passive, args->limit = NULL;
    args->feedforward = tau;
}

const struct sn__drives_ahead sn__ahead_maba = {SN_SOLVER_MABA, torque_ahead},
                              sn__ahead_dense = {SN_SOLVER_DENSE, torque_ahead},
                              sn__ahead_lapack = {SN_SOLVER_LAPACK, torque_ahead};
