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

/* What `factors` multiplies gains by, for a degree of freedom under one dt. */
struct scale {
    double kw, K;               /* passive: kw itself, and K without armature */
    double ahead, by_kd, by_kp; /* kw has ahead kp; K has by_kd kd and by_kp kp */
};

static struct scale scale_of(const struct sn__pack *p, int v, double h, bool implicit) {
    const sn_form form = p->def.form;
    const double damping = p->model->damping[v], stiffness = p->model->stiffness[v];
    return (struct scale){.kw = damping + (implicit ? h * stiffness : 0),
                          .K = implicit ? h * (damping + h * stiffness) : 0,
                          .ahead = form == SN_FORM_STABLE || form == SN_FORM_FULL ? h : 0,
                          .by_kd = form == SN_FORM_EXPLICIT ? 0 : h,
                          .by_kp = form == SN_FORM_FULL ? h * h : 0};
}

/* The arrays of a block. */
struct places {
    const void *kp, *kd, *armature;
    void *kw, *K, *kw_passive, *K_passive;
};

/* `factors` of n lanes, in loops that compilers can make vectors of; only the parts that are asked for. */
#define FACTORS_OF(name, real)                                                                               \
    static void name##_kw(const struct scale *s, int n, const real *restrict kp, const real *restrict kd,    \
                          real *restrict kw) {                                                               \
        const double own = s->kw, ahead = s->ahead;                                                          \
        for (int i = 0; i < n; i++)                                                                          \
            kw[i] = (real)(own + (double)kd[i] + ahead * (double)kp[i]);                                     \
    }                                                                                                        \
    static void name##_K(const struct scale *s, int n, const real *restrict kp, const real *restrict kd,     \
                         const real *restrict armature, real *restrict K) {                                  \
        const double own = s->K, by_kd = s->by_kd, by_kp = s->by_kp;                                         \
        for (int i = 0; i < n; i++)                                                                          \
            K[i] = (real)((double)armature[i] + own + by_kd * (double)kd[i] + by_kp * (double)kp[i]);        \
    }                                                                                                        \
    static bool name##_passive(const struct scale *s, int n, const real *restrict armature,                  \
                               real *restrict kw, real *restrict K) {                                        \
        int any = 0;                                                                                         \
        for (int i = 0; i < n; i++) {                                                                        \
            kw[i] = (real)s->kw;                                                                             \
            K[i] = (real)((double)armature[i] + s->K);                                                       \
            any |= armature[i] != 0;                                                                         \
        }                                                                                                    \
        return any || s->K != 0;                                                                             \
    }                                                                                                        \
    static bool name(const struct places *x, const struct scale *s, size_t at, int n, unsigned parts) {      \
        const real *kp = (const real *)x->kp + at, *kd = (const real *)x->kd + at,                           \
                   *armature = (const real *)x->armature + at;                                               \
        if (parts & SN__PART_KW) name##_kw(s, n, kp, kd, (real *)x->kw + at);                                \
        if (parts & SN__PART_K) name##_K(s, n, kp, kd, armature, (real *)x->K + at);                         \
        return parts & SN__PART_PASSIVE &&                                                                   \
               name##_passive(s, n, armature, (real *)x->kw_passive + at, (real *)x->K_passive + at);        \
    }
FACTORS_OF(factors_f32, float)
FACTORS_OF(factors_f64, double)

bool sn__pack_update_lanes(const struct sn__pack *p, int block, int lane, int end, unsigned parts) {
    const bool wide = p->def.precision == SN_PRECISION_DOUBLE;
    const bool implicit = sn__integrator_stages(p->def.integrator) == 1;
    const void *dt = sn__pack_at(p, SN__DT, block);
    const struct places x = {.kp = sn__pack_at(p, SN__KP, block),
                             .kd = sn__pack_at(p, SN__KD, block),
                             .armature = sn__pack_at(p, SN__ARMATURE, block),
                             .kw = sn__pack_at(p, SN__KW, block),
                             .K = sn__pack_at(p, SN__K, block),
                             .kw_passive = sn__pack_at(p, SN__KW_PASSIVE, block),
                             .K_passive = sn__pack_at(p, SN__K_PASSIVE, block)};
    const double all = held(p, p->def.dt);
    bool any = false;
    for (int v = 0; v < p->model->nv; v++)
        for (int i = lane, n = dt ? 1 : end - lane; i < end;
             i += n) { /* lane by lane where each has its dt */
            const size_t at = (size_t)v * (size_t)p->k->info.width + (size_t)i;
            const double h = !dt ? all : wide ? ((const double *)dt)[i] : (double)((const float *)dt)[i];
            const struct scale s = scale_of(p, v, h, implicit);
            any |= wide ? factors_f64(&x, &s, at, n, parts) : factors_f32(&x, &s, at, n, parts);
        }
    return any;
}

unsigned sn__pack_parts(const struct sn__pack *p, enum sn__array changed) {
    if (changed == SN__KP && p->def.form != SN_FORM_FULL) return SN__PART_KW;
    return changed == SN__KP || changed == SN__KD ? SN__PART_KW | SN__PART_K : SN__PART_ALL;
}

void sn__pack_update_character(struct sn__pack *p, int character) {
    int lane, end;
    const int block = sn__pack_lanes_of(p, character, &lane, &end);
    if (sn__pack_update_lanes(p, block, lane, end, SN__PART_ALL) || p->stride[SN__ARMATURE])
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
        .predict_to = p->def.predict_to,
        .still = p->def.still,
        .polarised = p->def.study && p->def.study->polarised ? p->def.study->polarised(p->k) : NULL,
        .mass_scale = sn__pack_at(p, SN__MASS, block),
        .own_gravity = sn__pack_at(p, SN__GRAVITY, block),
        .own_dt = sn__pack_at(p, SN__DT, block),
        .friction = sn__pack_at(p, SN__FRICTION, block),
        .frozen = sn__pack_at(p, SN__FROZEN, block),
    };
    return a;
}
