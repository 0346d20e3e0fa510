#include "dynamics_helpers.h"

#include "base/quat.h"
#include "model/model.h"
#include "scenes/parts.h"

/* ------------------------------------------------------------------------------------------------ numbers
   */

double uniform(struct rng *rng, double low, double high) {
    rng->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    uint64_t z = rng->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

void random_values(struct rng *rng, double size, double *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = uniform(rng, -size, size);
}

void random_direction(struct rng *rng, double v[3]) {
    do
        random_values(rng, 1, v, 3);
    while (dvec_length(v) > 1 || !(dvec_length(v) > 0.1));
    dvec_normalise(v);
}

void random_quaternion(struct rng *rng, double q[4]) {
    do
        random_values(rng, 1, q, 4);
    while (norm(q, 4) > 1 || !(norm(q, 4) > 0.1));
}

double inner(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double norm(const double *a, int n) {
    return sqrt(inner(a, a, n));
}

double relative_error(const double *a, const double *b, int n) {
    double d[6 * MAX_NV];
    for (int i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    const double size = norm(b, n);
    return norm(d, n) / (size > 0 ? size : 1);
}

void axpy(double s, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

void multiply(const double *A, const double *x, double *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] = inner(A + i * n, x, n);
}

bool solve_spd(const double *A, const double *b, double *x, int n) {
    static double L[MAX_NV * MAX_NV];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double sum = A[i * n + j] - inner(L + i * n, L + j * n, j);
            if (i == j && !(sum > 0)) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    for (int i = 0; i < n; i++)
        x[i] = (b[i] - inner(L + i * n, x, i)) / L[i * n + i];
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= L[i * n + i];
        axpy(-x[i], L + i * n, x, i);
    }
    return true;
}

void round_to_float(double *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = (double)(float)a[i];
}

void worst_add(struct worst *worst, double value, const char *format, ...) {
    if (value <= worst->value) return; /* NaN goes on */
    worst->value = value;
    va_list list;
    va_start(list, format);
    vsnprintf(worst->where, sizeof worst->where, format, list);
    va_end(list);
}

void assert_worst(const struct worst *worst, double bound, const char *what) {
    print_message("  %s: %.2g (%s)\n", what, worst->value, worst->where);
    if (!(worst->value <= bound))
        fail_msg("%s: %g is above %g for %s", what, worst->value, bound, worst->where);
}

/* ------------------------------------------------------------------------------------------------- models
   */

/* Inertia of a few point masses about their centre of mass: physical, and full. */
static void random_inertia(struct rng *rng, double mass, double J[6]) {
    enum { N = 6 };
    double p[N][3], centre[3] = {0};
    for (int i = 0; i < N; i++) {
        random_values(rng, 0.15, p[i], 3);
        axpy(1.0 / N, p[i], centre, 3);
    }
    memset(J, 0, 6 * sizeof *J);
    for (int i = 0; i < N; i++) {
        const double x = p[i][0] - centre[0], y = p[i][1] - centre[1], z = p[i][2] - centre[2], m = mass / N;
        J[0] += m * (y * y + z * z), J[1] += m * (x * x + z * z), J[2] += m * (x * x + y * y);
        J[3] -= m * x * y, J[4] -= m * x * z, J[5] -= m * y * z;
    }
}

static sn_joint_def random_joint(struct rng *rng, sn_joint_type type, unsigned mix) {
    sn_joint_def joint = sn_joint_def_default(type);
    if (type != SN_JOINT_FREE) random_values(rng, 0.1, joint.anchor, 3);
    random_direction(rng, joint.axis);
    do
        random_direction(rng, joint.axis2);
    while (fabs(dvec_dot(joint.axis, joint.axis2)) > 0.7);
    if (mix & MIX_DAMPING) joint.damping = uniform(rng, 0, 0.5);
    if (mix & MIX_ARMATURE) joint.armature = uniform(rng, 0, 0.2);
    if ((mix & MIX_SPRING) && type != SN_JOINT_FREE) {
        joint.stiffness = uniform(rng, 0, 20);
        random_values(rng, 0.3, joint.rest, 2);
        if (type == SN_JOINT_BALL) {
            joint.rest[0] = 1;
            random_values(rng, 0.3, joint.rest + 1, 3);
        }
    }
    if (mix & MIX_LIMIT) joint.torque_limit = uniform(rng, 5, 60);
    return joint;
}

sn_model *mixed_model(uint64_t seed, unsigned mix) {
    enum { N = 15 };
    /* every joint type at a root, inside and at a leaf somewhere; -1: on the world */
    static const int parent[N] = {-1, 0, 1, 2, 3, 4, 1, 6, 7, 0, 9, -1, 11, 12, 11};
    static const sn_joint_type type[N] = {
        SN_JOINT_FREE,  SN_JOINT_UNIVERSAL, SN_JOINT_SLIDE, SN_JOINT_BALL,      SN_JOINT_HINGE,
        SN_JOINT_BALL,  SN_JOINT_HINGE,     SN_JOINT_WELD,  SN_JOINT_UNIVERSAL, SN_JOINT_HINGE,
        SN_JOINT_SLIDE, SN_JOINT_HINGE,     SN_JOINT_BALL,  SN_JOINT_SLIDE,     SN_JOINT_WELD};
    struct rng rng = {seed};
    sn_builder *builder = sn_builder_create();
    const int turn = (int)uniform(&rng, 0, 4); /* other seeds, other joints at the second root */
    char names[N][16];
    for (int i = 0; i < N; i++) {
        static const sn_joint_type second[] = {SN_JOINT_HINGE, SN_JOINT_BALL, SN_JOINT_UNIVERSAL,
                                               SN_JOINT_SLIDE};
        sn_body_def body = sn_body_def_default();
        snprintf(names[i], sizeof names[i], "b%d", i);
        body.name = names[i];
        body.parent = parent[i] >= 0 ? names[parent[i]] : NULL;
        sn_joint_type kind = i == 11 ? second[turn] : type[i];
        if (i == 0 && (mix & MIX_FIXED)) kind = SN_JOINT_BALL;
        body.joint = random_joint(&rng, kind, mix);
        random_values(&rng, 0.3, body.pos, 3);
        random_quaternion(&rng, body.rot);
        body.mass_given = true;
        body.mass = uniform(&rng, 0.5, 3);
        random_values(&rng, 0.1, body.com, 3);
        random_inertia(&rng, body.mass, body.inertia);
        /* links that carry other bodies need no mass of their own */
        if ((mix & MIX_MASSLESS) && (i == 2 || i == 6 || i == 9)) {
            body.mass = 0;
            memset(body.inertia, 0, sizeof body.inertia);
        }
        sn_builder_add_body(builder, &body);
    }
    return build_and_free(builder);
}

static const struct {
    const char *name;
    unsigned mix;
    uint64_t seed;
} mixed[ZOO_COUNT - BUILTIN_COUNT] = {
    {"mixed", 0, 1},
    {"mixed2", 0, 5},
    {"mixed passive", MIX_PASSIVE, 2},
    {"mixed massless", MIX_MASSLESS, 3},
    {"mixed passive massless", MIX_PASSIVE | MIX_MASSLESS, 4},
    {"mixed fixed", MIX_FIXED | MIX_ARMATURE, 6},
};

const char *zoo_name(int index) {
    return index < BUILTIN_COUNT ? sn_builtin_name(index) : mixed[index - BUILTIN_COUNT].name;
}

sn_model *zoo_model(int index) {
    if (index >= BUILTIN_COUNT)
        return mixed_model(mixed[index - BUILTIN_COUNT].seed, mixed[index - BUILTIN_COUNT].mix);
    sn_model *model = sn_builtin_create(sn_builtin_name(index), NULL);
    assert_non_null(model);
    return model;
}

struct study *zoo_study(int index) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    return study_of(zoo_model(index), &def);
}

void zoo_study_free(struct study *study) {
    sn_model *model = (sn_model *)study->model;
    study_free(study);
    sn_model_free(model);
}

sn_body_def simple_body(const char *name, const char *parent, sn_joint_type type, double mass,
                        const double com[3], const double inertia[3]) {
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.parent = parent;
    body.joint = sn_joint_def_default(type);
    body.mass_given = true;
    body.mass = mass;
    memcpy(body.com, com, sizeof body.com);
    memcpy(body.inertia, inertia, 3 * sizeof *inertia);
    return body;
}

sn_model *build_bodies(const sn_body_def *body, int n) {
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < n; i++)
        sn_builder_add_body(builder, &body[i]);
    return build_and_free(builder);
}

sn_model *two_links(void) {
    const double com[3] = {0, 0, -0.25}, inertia[3] = {0.02, 0.02, 0.002};
    sn_body_def body[2] = {simple_body("upper", NULL, SN_JOINT_HINGE, 1, com, inertia),
                           simple_body("lower", "upper", SN_JOINT_HINGE, 1, com, inertia)};
    body[1].pos[2] = -0.5;
    for (int i = 0; i < 2; i++)
        body[i].joint.axis[1] = 1, body[i].joint.axis[2] = 0;
    return build_bodies(body, 2);
}

/* ------------------------------------------------------------------------------------------------- states
   */

void random_state(struct rng *rng, const sn_model *model, double reach, double speed, double *q, double *qd) {
    double dv[MAX_NV], zero[MAX_NQ];
    const int nv = sn_model_get(model)->nv;
    sn_model_zero_pose(model, zero);
    random_values(rng, reach, dv, nv);
    sn_model_pose_add(model, 1, zero, dv, q);
    random_values(rng, speed, qd, nv);
}

void disturb(struct rng *rng, struct study *study, enum drive drive) {
    const sn_model *model = study->model;
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv, nbody = sn_model_get(model)->nbody;
    double q[MAX_NQ], qd[MAX_NV], tau[MAX_NV], force[3], torque[3];
    random_state(rng, model, 0.8, 2, q, qd);
    round_to_float(q, nq), round_to_float(qd, nv); /* the same state in either precision */
    assert_int_equal(study_set_state(study, q, qd), SN_OK);
    random_state(rng, model, 0.8, 2, q, qd);
    round_to_float(q, nq), round_to_float(qd, nv);
    assert_int_equal(study_set_target(study, q, drive == DRIVE_ALL ? qd : NULL), SN_OK);
    random_values(rng, 20, tau, nv);
    round_to_float(tau, nv);
    assert_int_equal(study_set_feedforward(study, drive == DRIVE_ALL ? tau : NULL), SN_OK);
    for (int i = 0; i < nbody && drive == DRIVE_ALL; i += 3) {
        random_values(rng, 50, force, 3);
        random_values(rng, 5, torque, 3);
        round_to_float(force, 3), round_to_float(torque, 3);
        assert_int_equal(study_set_push(study, i, force, torque), SN_OK);
    }
}

void paper_gains(const sn_model *model, double *kp, double *kd) {
    sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kd);
}

void per_axis_gains(struct rng *rng, const sn_model *model, double *kp, double *kd) {
    paper_gains(model, kp, kd);
    for (int i = 0; i < sn_model_get(model)->nv; i++) {
        kp[i] = (double)(float)(kp[i] * uniform(rng, 0.5, 2));
        kd[i] = (double)(float)(kd[i] * uniform(rng, 0.5, 2));
    }
}

/* ------------------------------------------------------------------------- the controller, written plainly
   */

/* The gradient of e^T Kp e / 2 with respect to turning the body about its own axes, Jr(e)^-T Kp e:
   Jr(e)^-T = 1 - [e]/2 + (1/t^2 - (1 + cos t)/(2 t sin t)) [e]^2, t = |e|. */
static void gradient_of_error(const double kp[3], const double e[3], double out[3]) {
    const double t = dvec_length(e), Ke[3] = {kp[0] * e[0], kp[1] * e[1], kp[2] * e[2]};
    const double b = t > 1e-3 ? 1 / (t * t) - (1 + cos(t)) / (2 * t * sin(t)) : 1.0 / 12;
    double once[3], twice[3];
    dvec_cross(e, Ke, once);
    dvec_cross(e, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = Ke[i] - 0.5 * once[i] + b * twice[i];
}

/* The three rotations at q, v of a ball or free joint. */
static void turn_terms(const struct pd *pd, int q, int v, const double e[3], double *Q) {
    double spring[3], there[4], turn[4], wt[3];
    gradient_of_error(pd->kp + v, e, spring);
    for (int k = 0; k < 3; k++)
        Q[v + k] = -spring[k];
    if (!pd->target_qd) return;
    dquat_conjugate(pd->q + q, turn); /* from the target's axes to the body's */
    memcpy(there, pd->target + q, sizeof there);
    dquat_multiply(turn, there, turn);
    dquat_rotate(turn, pd->target_qd + v, wt);
    for (int k = 0; k < 3; k++)
        Q[v + k] += pd->kd[v + k] * wt[k];
}

void pd_terms(const struct pd *pd, double *Q, double *K) {
    const int nv = sn_model_get(pd->model)->nv;
    const bool ahead = pd->form == SN_FORM_STABLE || pd->form == SN_FORM_FULL;
    const double h = pd->dt;
    double e[MAX_NV];
    sn_model_pose_subtract(pd->model, 1, pd->q, pd->target, e);
    for (int v = 0; v < nv; v++)
        Q[v] = -pd->kp[v] * e[v] + (pd->target_qd ? pd->kd[v] * pd->target_qd[v] : 0);
    for (int i = 0; i < sn_model_get(pd->model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(pd->model, i);
        const int skip = b->joint.type == SN_JOINT_FREE ? 3 : 0;
        if (b->joint.type == SN_JOINT_BALL || b->joint.type == SN_JOINT_FREE)
            turn_terms(pd, b->q_index + skip, b->v_index + skip, e + b->v_index + skip, Q);
    }
    for (int v = 0; v < nv; v++) {
        Q[v] -= pd->kd[v] * pd->qd[v] + (ahead ? pd->kp[v] * h * pd->qd[v] : 0);
        if (pd->feedforward) Q[v] += pd->feedforward[v];
        K[v] = pd->form == SN_FORM_EXPLICIT ? 0 : h * pd->kd[v];
        if (pd->form == SN_FORM_FULL) K[v] += h * h * pd->kp[v];
    }
}

void passive_terms(const struct pd *pd, double *K, double *C) {
    for (int i = 0; i < sn_model_get(pd->model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(pd->model, i);
        for (int v = b->v_index; v < b->v_index + b->nv; v++) {
            K[v] = pd->dt * b->joint.damping + pd->dt * pd->dt * b->joint.stiffness;
            C[v] = pd->dt * b->joint.stiffness * pd->qd[v];
        }
    }
}

void pd_acceleration(const struct pd *pd, struct study *study, const double *Q, const double *K,
                     double *qdd) {
    static double M[MAX_NV * MAX_NV];
    const int nv = sn_model_get(pd->model)->nv;
    double zero[MAX_NV] = {0}, C[MAX_NV], K_passive[MAX_NV], C_passive[MAX_NV];
    assert_int_equal(study_mass_matrix(study, M), SN_OK);
    assert_int_equal(study_inverse_dynamics(study, zero, C), SN_OK);
    passive_terms(pd, K_passive, C_passive);
    for (int v = 0; v < nv; v++) {
        M[v * nv + v] += K[v] + K_passive[v];
        C[v] = Q[v] - C[v] - C_passive[v];
    }
    assert_true(solve_spd(M, C, qdd, nv));
}

void drive_give(struct drive_scene *s) {
    assert_int_equal(study_set_target(s->study, s->target, s->target_qd), SN_OK);
    assert_int_equal(study_set_feedforward(s->study, s->feedforward), SN_OK);
    assert_int_equal(study_set_gains(s->study, s->kp, s->kd), SN_OK);
}

void drive_close(struct drive_scene *s) {
    study_free(s->study);
    sn_model_free(s->model);
}

void swing(const sn_model *model, double t, double *q, double *qd) {
    const double w = 2 * 3.14159265358979 * 3;
    uint64_t seed = 1;
    sn_model_zero_pose(model, q);
    memset(qd, 0, (size_t)model->nv * sizeof *qd);
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        const double z = 2 * scene_uniform(&seed, 0, 1) - 1,
                     turn = 2 * 3.14159265358979 * scene_uniform(&seed, 0, 1);
        const double phase = 2 * 3.14159265358979 * scene_uniform(&seed, 0, 1), r = sqrt(1 - z * z);
        const double axis[3] = {r * cos(turn), r * sin(turn), z};
        if (b->joint.type != SN_JOINT_BALL) continue;
        double v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = axis[k] * 0.75 * sin(w * t + phase);
            qd[b->v_index + k] = axis[k] * 0.75 * w * cos(w * t + phase);
        }
        dquat_exp(v, q + b->q_index);
    }
}
