/* What the form of the controller makes of its gains (h = dt):
 *
 *     tau = Q - K qdd,   Q = -kp e - kw qd + kd qd_target + feed-forward
 *
 *     form         kw            K
 *     explicit     kd            0
 *     implicit D   kd            h kd
 *     stable       kd + h kp     h kd                 spd-2011 eq. 3, maba-2020 eq. 38, 40
 *     full         kd + h kp     h kd + h^2 kp
 *
 * Passive damping and springs are taken the full way under Euler's methods; under Runge-Kutta methods,
 * which need the true derivative, they are explicit. Armature is always part of K. */
#include "world/pack.h"

static void passive(const struct sn__pack *p, int v, double *kw, double *K) {
    const sn_model *m = p->model;
    const double h = p->def.dt;
    const bool implicit = sn__integrator_stages(p->def.integrator) == 1;
    *kw = m->damping[v] + (implicit ? h * m->stiffness[v] : 0);
    *K = m->armature[v] + (implicit ? h * (m->damping[v] + h * m->stiffness[v]) : 0);
}

/* Whether the three axes at v have different gains, and the kernels must use the per-axis form. */
static bool differs(const struct sn__pack *p, int v) {
    return p->kp[v] != p->kp[v + 1] || p->kp[v] != p->kp[v + 2] || p->kd[v] != p->kd[v + 1] ||
           p->kd[v] != p->kd[v + 2];
}

void sn__pack_update_drive(struct sn__pack *p) {
    const sn_model *m = p->model;
    const int nv = m->nv;
    const double h = p->def.dt;
    const sn_form form = p->def.form;
    double *row = p->scratch;
    p->plain = p->passive_plain = true;
    for (int field = SN__KW; field <= SN__K_PASSIVE; field++) {
        for (int v = 0; v < nv; v++) {
            double kw, K;
            passive(p, v, &kw, &K);
            const double drive_kw =
                p->kd[v] + (form == SN_FORM_STABLE || form == SN_FORM_FULL ? h * p->kp[v] : 0);
            const double drive_K =
                (form == SN_FORM_EXPLICIT ? 0 : h * p->kd[v]) + (form == SN_FORM_FULL ? h * h * p->kp[v] : 0);
            row[v] = field == SN__KW           ? kw + drive_kw
                     : field == SN__K          ? K + drive_K
                     : field == SN__KW_PASSIVE ? kw
                                               : K;
            /* "plain" must not hinge on gains that happen to be zero, or a zero-gain MABA could not be
               timed */
            if (K != 0) p->passive_plain = false;
            if (field == SN__K && (K != 0 || form != SN_FORM_EXPLICIT)) p->plain = false;
        }
        sn__pack_put_shared(p, (enum sn__array)field, nv, row);
    }
    sn__pack_put_shared(p, SN__KP, nv, p->kp);
    sn__pack_put_shared(p, SN__KD, nv, p->kd);
    p->any_per_axis = false;
    for (int i = 0; i < m->nbody; i++) {
        const sn_body_info *b = &m->body[i];
        p->per_axis[i] =
            (b->joint.type == SN_JOINT_BALL && differs(p, b->v_index)) ||
            (b->joint.type == SN_JOINT_FREE && (differs(p, b->v_index) || differs(p, b->v_index + 3)));
        p->any_per_axis |= p->per_axis[i];
    }
}

struct sn__args sn__pack_args(const struct sn__pack *p, int block) {
    struct sn__args a = {
        .tree = p->tree,
        .work = p->work,
        .q = sn__pack_at(p, SN__Q, block),
        .qd = sn__pack_at(p, SN__QD, block),
        .target_q = sn__pack_at(p, SN__TARGET_Q, block),
        .target_qd = p->has_target_qd ? sn__pack_at(p, SN__TARGET_QD, block) : NULL,
        .feedforward = p->has_feedforward ? sn__pack_at(p, SN__FEEDFORWARD, block) : NULL,
        .spring = sn__pack_at(p, SN__SPRING, block),
        .kp = p->field[SN__KP],
        .kd = p->field[SN__KD],
        .kw = p->field[SN__KW],
        .K = p->field[SN__K],
        .kw_passive = p->field[SN__KW_PASSIVE],
        .K_passive = p->field[SN__K_PASSIVE],
        .limit = p->model->has_torque_limit ? p->field[SN__LIMIT] : NULL,
        .push = p->has_push ? sn__pack_at(p, SN__PUSH, block) : NULL,
        .per_axis = p->any_per_axis ? p->per_axis : NULL,
        .gravity = {p->def.gravity[0], p->def.gravity[1], p->def.gravity[2]},
        .dt = p->def.dt,
    };
    return a;
}
