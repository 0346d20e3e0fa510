/* The acceleration under the drives: which solver, and which route from there to what is integrated. */
#include "dynamics/lapack.h"
#include "dynamics/pack.h"

static void solve(struct sn__pack *p, const struct sn__args *args, void *qdd) {
    switch (p->def.solver) {
    case SN_SOLVER_MABA:
        p->k->maba(args, qdd);
        break;
    case SN_SOLVER_DENSE:
        p->k->study->dense(args, qdd);
        break;
    case SN_SOLVER_SPARSE:
        p->k->study->sparse(args, qdd);
        break;
    case SN_SOLVER_PCG:
        p->k->study->pcg(args, qdd);
        break;
    case SN_SOLVER_LAPACK:
        sn__lapack_solve(p, args, qdd);
        break;
    }
}

void sn__pack_accelerate(struct sn__pack *p, struct sn__args *args, int block, void *qdd) {
    if (args->spring) p->k->springs(args, sn__pack_at(p, SN__SPRING, block));
    solve(p, args, qdd);
    if (p->def.route == SN_ROUTE_DIRECT) return;
    void *tau = p->field[SN__TAU];
    if (p->def.route == SN_ROUTE_TORQUE_RNEA)
        sn__pack_torque(p, args, qdd, tau); /* eq. 5 */
    else
        p->k->study->pd_torque(args, qdd, tau); /* eq. 6 */
    /* forward dynamics under that torque: what is passive acts as it does in the solve */
    struct sn__args forward = *args;
    forward.K = p->passive_plain ? NULL : args->K_passive;
    forward.per_axis = NULL;
    p->k->study->add_passive(args, tau);
    p->k->study->aba(&forward, tau, qdd);
}

void sn__pack_torque(struct sn__pack *p, const struct sn__args *args, const void *qdd, void *tau) {
    p->k->rnea(args, qdd, tau);
    p->k->drive_share(args, qdd, tau);
}
