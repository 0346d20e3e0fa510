/* Garbage into the builder: it is refused or it makes a model that can be stepped; nothing crashes either
   way. */
#include "dynamics_helpers.h"
#include "model_helpers.h"

/* A number as a careless program would give it: mostly sane, now and then anything at all. */
static double garbage(struct rng *rng, double madness) {
    static const double special[] = {0,
                                     -0.0,
                                     1,
                                     -1,
                                     1e-300,
                                     1e300,
                                     1e-160,
                                     -1e160,
                                     1e-9,
                                     1e9,
                                     (double)INFINITY,
                                     (double)-INFINITY,
                                     1e-30,
                                     5e-324,
                                     (double)NAN,
                                     1.7976931348623157e308};
    if (uniform(rng, 0, 1) < madness) return special[(int)uniform(rng, 0, COUNT(special))];
    return uniform(rng, -1, 1);
}

static void garbage_n(struct rng *rng, double madness, double *a, int n) {
    for (int i = 0; i < n; i++)
        a[i] = garbage(rng, madness);
}

static double positive(struct rng *rng, double madness) {
    const double x = garbage(rng, madness);
    return uniform(rng, 0, 1) < madness ? x : fabs(x);
}

static sn_joint_def garbage_joint(struct rng *rng, double madness) {
    sn_joint_def joint = sn_joint_def_default((sn_joint_type)(int)uniform(rng, 0, SN_JOINT_TYPE_COUNT));
    if (uniform(rng, 0, 1) < 0.1 * madness) joint.type = (sn_joint_type)(int)uniform(rng, -3, 20);
    if (joint.type != SN_JOINT_FREE) garbage_n(rng, madness, joint.anchor, 3);
    garbage_n(rng, madness, joint.axis, 3);
    garbage_n(rng, madness, joint.axis2, 3);
    garbage_n(rng, madness, joint.lower, 2);
    for (int i = 0; i < 2; i++)
        joint.upper[i] = joint.lower[i] + positive(rng, madness);
    garbage_n(rng, madness, joint.rest, 4);
    joint.limited = uniform(rng, 0, 1) < 0.5;
    if (uniform(rng, 0, 1) < 0.3) joint.armature = positive(rng, madness);
    if (uniform(rng, 0, 1) < 0.3) joint.damping = positive(rng, madness);
    if (uniform(rng, 0, 1) < 0.3 && joint.type != SN_JOINT_FREE) joint.stiffness = positive(rng, madness);
    if (uniform(rng, 0, 1) < 0.2) joint.torque_limit = positive(rng, madness);
    return joint;
}

static sn_shape_def garbage_shape(struct rng *rng, double madness) {
    sn_shape_def shape = sn_shape_def_default((sn_shape_type)(int)uniform(rng, 0, SN_SHAPE_TYPE_COUNT));
    if (uniform(rng, 0, 1) < 0.9) shape.hull = hull_of_tests();
    if (uniform(rng, 0, 1) < 0.1 * madness) shape.type = (sn_shape_type)(int)uniform(rng, -3, 20);
    for (int i = 0; i < 3; i++)
        shape.size[i] = positive(rng, madness);
    garbage_n(rng, madness, shape.pos, 3);
    garbage_n(rng, madness, shape.rot, 4);
    shape.density = 1000 * positive(rng, madness);
    if (uniform(rng, 0, 1) < 0.3) shape.mass = positive(rng, madness);
    return shape;
}

/* Names are few, so that some meet and some are missing. */
static const char *garbage_name(struct rng *rng, double madness, int index) {
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "", NULL};
    if (uniform(rng, 0, 1) < 0.2 * madness) return name[(int)uniform(rng, 0, COUNT(name))];
    return name[index];
}

static void garbage_bodies(struct rng *rng, double madness, sn_builder *builder) {
    const int n = (int)uniform(rng, 1, 9);
    for (int i = 0; i < n; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = garbage_name(rng, madness, i);
        body.joint = garbage_joint(rng, madness);
        if (i > 0 && uniform(rng, 0, 1) < 0.8) {
            body.parent = garbage_name(rng, madness, (int)uniform(rng, 0, i));
            if (body.joint.type == SN_JOINT_FREE) body.joint.type = SN_JOINT_BALL;
        }
        garbage_n(rng, madness, body.pos, 3);
        garbage_n(rng, madness, body.rot, 4);
        body.mass_given = uniform(rng, 0, 1) < 0.5;
        if (body.mass_given) {
            const double J = positive(rng, madness);
            body.mass = positive(rng, madness);
            garbage_n(rng, madness, body.com, 3);
            for (int k = 0; k < 3; k++)
                body.inertia[k] = uniform(rng, 0, 1) < 0.1 * madness ? garbage(rng, madness) : J;
        }
        sn_builder_add_body(builder, &body);
        const sn_shape_def shape = garbage_shape(rng, madness);
        if (uniform(rng, 0, 1) < 0.8 || !body.mass_given) sn_builder_add_shape(builder, body.name, &shape);
    }
}

/* Ten steps with some solver; a value that is not a number is refused, a state that stops being finite is reported and undone,
   nothing worse. */
static void step_a_little(struct rng *rng, double madness, const sn_model *model) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    sn_dynamics_def def = study_def((sn_precision)(int)uniform(rng, 0, 2), NULL);
    def.form = (sn_form)(int)uniform(rng, 0, 4);
    def.integrator = (sn_integrator)(int)uniform(rng, 0, 6);
    def.solver = (sn_solver)(int)uniform(rng, 0, 5);
    def.route = (sn_route)(int)uniform(rng, 0, 3);
    const bool torque = uniform(rng, 0, 1) < 0.5;
    sn_error error;
    sn_dynamics *d = sn_dynamics_create(model, &def, &error);
    if (!d) {
        assert_int_equal(error.status, SN_ERROR_UNSUPPORTED); /* limits or LAPACK */
        assert_true(error.message[0]);
        return;
    }
    const size_t room_q = (size_t)nq + 1, room_v = (size_t)nv + 1;
    double *q = calloc(room_q, sizeof *q), *qd = calloc(room_v, sizeof *qd), *kp = calloc(room_v, sizeof *kp),
           *kd = calloc(room_v, sizeof *kd), *tau = calloc(room_v, sizeof *tau),
           *target_q = calloc(room_q, sizeof *q), *target_qd = calloc(room_v, sizeof *qd),
           *before = calloc(room_q + room_v, sizeof *q);
    garbage_n(rng, madness, q, nq), garbage_n(rng, madness, qd, nv);
    garbage_n(rng, madness, target_q, nq), garbage_n(rng, madness, target_qd, nv);
    garbage_n(rng, madness, kp, nv), garbage_n(rng, madness, kd, nv);
    /* state, target and gains are each taken as a whole or left out */
    double *zero = calloc(room_q, sizeof *zero);
    sn_model_zero_pose(model, zero);
    const sn_drive gains = {.kp = kp, .kd = kd}, target = {.target_q = target_q, .target_qd = target_qd};
    const bool with_gains = sn_dynamics_step(d, &gains, 0, zero, NULL, NULL, NULL) == SN_OK,
               with_target = sn_dynamics_step(d, &target, 0, zero, NULL, NULL, NULL) == SN_OK;
    const sn_drive drive = {.kp = with_gains ? kp : NULL,
                            .kd = with_gains ? kd : NULL,
                            .target_q = with_target ? target_q : NULL,
                            .target_qd = with_target ? target_qd : NULL};
    if (sn_dynamics_bodies(d, q, qd, NULL, NULL, NULL) != SN_OK) {
        memcpy(q, zero, sizeof *q * (size_t)nq);
        memset(qd, 0, sizeof *qd * (size_t)nv);
    }
    free(zero);
    for (int i = 0; i < 10; i++) {
        memcpy(before, q, sizeof *q * (size_t)nq), memcpy(before + nq, qd, sizeof *q * (size_t)nv);
        const sn_status status = sn_dynamics_step(d, &drive, 1, q, qd, NULL, torque ? tau : NULL);
        assert_true(status == SN_OK || status == SN_ERROR_NOT_FINITE);
        for (int k = 0; k < nq; k++)
            assert_true(isfinite(q[k]));
        for (int k = 0; k < nv; k++)
            assert_true(isfinite(qd[k]));
        if (status == SN_OK) continue;
        assert_memory_equal(before, q, sizeof *q * (size_t)nq);
        assert_memory_equal(before + nq, qd, sizeof *q * (size_t)nv);
    }
    unsigned *flags = calloc((size_t)nv + 1, sizeof *flags);
    sn_gains_def gains_def = sn_gains_def_default();
    gains_def.dt = def.dt, gains_def.precision = def.precision;
    sn_gains_check(model, &gains_def, kp, kd, flags, NULL);
    gains_def.frequency = 2, gains_def.widen = true;
    sn_gains_choose(model, &gains_def, kp, kd, NULL);
    free(q), free(qd), free(before), free(kp), free(kd), free(flags), free(tau), free(target_q),
        free(target_qd);
    sn_dynamics_free(d);
}

TEST(garbage_is_refused_or_can_be_stepped) {
    static const double madness[] = {0, 0.003, 0.02, 0.1, 0.5};
    for (int m = 0; m < COUNT(madness); m++) {
        int taken = 0, count = 2000;
        for (int i = 0; i < count; i++) {
            struct rng rng = {(uint64_t)(100000 * m + i)};
            sn_builder *builder = sn_builder_create();
            garbage_bodies(&rng, madness[m], builder);
            sn_error error;
            sn_model *model = sn_builder_build(builder, &error);
            sn_builder_free(builder);
            if (!model) {
                assert_true(error.status == SN_ERROR_MODEL || error.status == SN_ERROR_TOO_LARGE);
                assert_true(error.message[0]);
                continue;
            }
            taken++;
            step_a_little(&rng, madness[m], model);
            sn_model_free(model);
        }
        print_message("  %g of the values mad: %d of %d models taken\n", madness[m], taken, count);
        if (m <= 1) assert_true(taken > count / 4);
    }
}

int main(void) {
    return run_all("fuzz model");
}
