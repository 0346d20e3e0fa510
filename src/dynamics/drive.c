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
#include "dynamics/pack.h"
#include "model/joint.h"

static void passive(const struct sn__pack *p, int v, double h, double armature, double *kw, double *K) {
    const sn_model *m = p->model;
    const bool implicit = sn__integrator_stages(p->def.integrator) == 1;
    *kw = m->damping[v] + (implicit ? h * m->stiffness[v] : 0);
    *K = armature + (implicit ? h * (m->damping[v] + h * m->stiffness[v]) : 0);
}

/* The four factors of a degree of freedom, in the order of their fields. */
static void factors(const struct sn__pack *p, int v, double h, double kp, double kd, double armature,
                    double out[4]) {
    const sn_form form = p->def.form;
    double kw, K;
    passive(p, v, h, armature, &kw, &K);
    out[SN__KW - SN__KW] = kw + kd + (form == SN_FORM_STABLE || form == SN_FORM_FULL ? h * kp : 0);
    out[SN__K - SN__KW] =
        K + (form == SN_FORM_EXPLICIT ? 0 : h * kd) + (form == SN_FORM_FULL ? h * h * kp : 0);
    out[SN__KW_PASSIVE - SN__KW] = kw;
    out[SN__K_PASSIVE - SN__KW] = K;
}

/* Whether the three axes at v have different gains, and the kernels must use the per-axis form. */
static bool differs(const struct sn__pack *p, int v) {
    return p->kp[v] != p->kp[v + 1] || p->kp[v] != p->kp[v + 2] || p->kd[v] != p->kd[v + 1] ||
           p->kd[v] != p->kd[v + 2];
}

/* As the lanes hold it: gains given to all and gains given to each must come to the same. */
static double held(const struct sn__pack *p, double x) {
    return p->def.precision == SN_PRECISION_FLOAT ? (double)(float)x : x;
}

/* Gives all characters these values: where every block has its own, character by character. */
static void put_all(struct sn__pack *p, enum sn__array field, const double *values) {
    if (!p->stride[field]) {
        sn__pack_put_shared(p, field, p->model->nv, values);
        return;
    }
    for (int i = 0; i < p->count; i++)
        sn__pack_put(p, field, i, p->model->nv, values);
}

void sn__pack_update_drive(struct sn__pack *p) {
    const sn_model *m = p->model;
    const int nv = m->nv;
    double *row = p->scratch;
    p->plain = p->passive_plain = true;
    for (int field = SN__KW; field <= SN__K_PASSIVE; field++) {
        for (int v = 0; v < nv; v++) {
            double value[4];
            factors(p, v, held(p, p->def.dt), held(p, p->kp[v]), held(p, p->kd[v]), held(p, m->armature[v]),
                    value);
            row[v] = value[field - SN__KW];
            /* "plain" must not hinge on gains that happen to be zero, or a zero-gain MABA could not be
               timed */
            if (value[SN__K_PASSIVE - SN__KW] != 0) p->passive_plain = false;
        }
        put_all(p, (enum sn__array)field, row);
    }
    if (p->stride[SN__ARMATURE]) p->passive_plain = false; /* whatever it holds at the moment */
    p->plain = p->passive_plain && p->def.form == SN_FORM_EXPLICIT;
    put_all(p, SN__KP, p->kp);
    put_all(p, SN__KD, p->kd);
    p->any_per_axis = false;
    for (int i = 0; i < m->nbody; i++) {
        const sn_body_info *b = &m->body[i];
        p->per_axis[i] = (sn__joint_is_ball(b) && differs(p, b->v_index)) ||
                         (sn__joint_is_free(b) && (differs(p, b->v_index) || differs(p, b->v_index + 3)));
        p->any_per_axis |= p->per_axis[i];
    }
}

/* The factors of degree of freedom v in some lanes of a block, as `factors` has them, without its calls. Lanes are arrays
   [nv][width]; those of dt [width], or NULL: all have h. True: some passive K is not zero. */
struct factor_lanes {
    const void *kp, *kd, *armature, *dt;
    void *out[4]; /* KW, K, KW_PASSIVE, K_PASSIVE */
};

#define FACTORS_OF(name, real)                                                                               \
    static bool name(const struct sn__pack *p, const struct factor_lanes *l, int v, int lane, int end) {     \
        const bool implicit = sn__integrator_stages(p->def.integrator) == 1,                                 \
                   full = p->def.form == SN_FORM_FULL, ahead = full || p->def.form == SN_FORM_STABLE,        \
                   plain = p->def.form == SN_FORM_EXPLICIT;                                                  \
        const double damping = p->model->damping[v], stiffness = p->model->stiffness[v],                     \
                     all = held(p, p->def.dt);                                                               \
        const int row = v * p->k->info.width;                                                                \
        bool any = false;                                                                                    \
        for (; lane < end; lane++) {                                                                         \
            const double h = l->dt ? (double)((const real *)l->dt)[lane] : all,                              \
                         kp = (double)((const real *)l->kp)[row + lane],                                     \
                         kd = (double)((const real *)l->kd)[row + lane],                                     \
                         armature = (double)((const real *)l->armature)[row + lane],                         \
                         kw = damping + (implicit ? h * stiffness : 0),                                      \
                         K = armature + (implicit ? h * (damping + h * stiffness) : 0);                      \
            ((real *)l->out[0])[row + lane] = (real)(kw + kd + (ahead ? h * kp : 0));                        \
            ((real *)l->out[1])[row + lane] = (real)(K + (plain ? 0 : h * kd) + (full ? h * h * kp : 0));    \
            ((real *)l->out[2])[row + lane] = (real)kw;                                                      \
            ((real *)l->out[3])[row + lane] = (real)K;                                                       \
            any |= K != 0;                                                                                   \
        }                                                                                                    \
        return any;                                                                                          \
    }
FACTORS_OF(factors_f32, float)
FACTORS_OF(factors_f64, double)

bool sn__pack_update_lanes(const struct sn__pack *p, int block, int lane, int end) {
    struct factor_lanes l = {.kp = sn__pack_at(p, SN__KP, block),
                             .kd = sn__pack_at(p, SN__KD, block),
                             .armature = sn__pack_at(p, SN__ARMATURE, block),
                             .dt = sn__pack_at(p, SN__DT, block)};
    bool any = false;
    for (int k = 0; k < 4; k++)
        l.out[k] = sn__pack_at(p, (enum sn__array)(SN__KW + k), block);
    for (int v = 0; v < p->model->nv; v++)
        any |= p->def.precision == SN_PRECISION_DOUBLE ? factors_f64(p, &l, v, lane, end)
                                                       : factors_f32(p, &l, v, lane, end);
    return any;
}

void sn__pack_update_character(struct sn__pack *p, int character) {
    int lane, end;
    const int block = sn__pack_lanes_of(p, character, &lane, &end);
    if (sn__pack_update_lanes(p, block, lane, end) || p->stride[SN__ARMATURE])
        p->plain = p->passive_plain = false;
}

void sn__pack_put_drive(struct sn__pack *p, int character, int v, double kp, double kd, double stiff) {
    double h = held(p, p->def.dt), value[4];
    if (p->field[SN__DT]) sn__pack_get(p, SN__DT, character, 1, &h);
    stiff = held(p, stiff / (h * h));
    factors(p, v, h, held(p, kp), held(p, kd), sn__pack_value(p, SN__ARMATURE, character, v), value);
    sn__pack_put_value(p, SN__KP, character, v, kp + stiff);
    sn__pack_put_value(p, SN__KD, character, v, kd);
    sn__pack_put_value(p, SN__KW, character, v, value[SN__KW - SN__KW] + h * stiff);
    sn__pack_put_value(p, SN__K, character, v, value[SN__K - SN__KW] + h * h * stiff);
}

struct sn__args sn__pack_args(const struct sn__pack *p, int block) {
    struct sn__args a = {
        .tree = p->tree,
        .work = (char *)p->work + SN__RESIDUAL_BYTES,
        .residual = p->work,
        .q = sn__pack_at(p, SN__Q, block),
        .qd = sn__pack_at(p, SN__QD, block),
        .target_q = sn__pack_at(p, SN__TARGET_Q, block),
        .target_qd = p->has_target_qd ? sn__pack_at(p, SN__TARGET_QD, block) : NULL,
        .feedforward = p->has_feedforward ? sn__pack_at(p, SN__FEEDFORWARD, block) : NULL,
        .spring = sn__pack_at(p, SN__SPRING, block),
        .kp = sn__pack_at(p, SN__KP, block),
        .kd = sn__pack_at(p, SN__KD, block),
        .kw = sn__pack_at(p, SN__KW, block),
        .K = sn__pack_at(p, SN__K, block),
        .kw_passive = sn__pack_at(p, SN__KW_PASSIVE, block),
        .K_passive = sn__pack_at(p, SN__K_PASSIVE, block),
        .limit = p->torque_limits ? sn__pack_at(p, SN__LIMIT, block) : NULL,
        .push = p->has_push ? sn__pack_at(p, SN__PUSH, block) : NULL,
        .per_axis = p->any_per_axis ? p->per_axis : NULL,
        .effort = p->effort,
        .gravity = {p->def.gravity[0], p->def.gravity[1], p->def.gravity[2]},
        .dt = p->def.dt,
        .refinements = p->def.refinements,
        .refine_to = p->def.refine_to,
        .still = p->def.still,
        .polarised = p->def.study && p->def.study->polarised,
        .mass_scale = sn__pack_at(p, SN__MASS, block),
        .own_gravity = sn__pack_at(p, SN__GRAVITY, block),
        .own_dt = sn__pack_at(p, SN__DT, block),
        .friction = sn__pack_at(p, SN__FRICTION, block),
        .frozen = sn__pack_at(p, SN__FROZEN, block),
    };
    return a;
}
