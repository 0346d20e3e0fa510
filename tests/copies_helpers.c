#include "copies_helpers.h"

bool in_short(void) {
    return FAST || getenv("SINEW_TEST_SHORT") != NULL;
}

/* ------------------------------------------------------------------------------------------------- worlds */

sn_world_def position_def(int copies, sn_precision precision, double dt) {
    sn_world_def def = sn_world_def_default();
    def.stepper = SN_STEPPER_POSITION, def.form = SN_FORM_FULL;
    def.copies = copies, def.precision = precision, def.dt = dt;
    return def;
}

sn_world_def copies_def(int copies, sn_precision precision) {
    sn_world_def def = sn_world_def_default();
    def.copies = copies, def.precision = precision, def.setting = SN_SETTING_CROWD;
    def.joint_limits = def.report_contacts = false;
    return def;
}

sn_world *copies_of(const sn_model *model, const sn_world_def *def) {
    sn_error error;
    sn_world *world = sn_world_create(def, &error);
    if (!world || sn_world_add(world, model, &error) != 0) fail_msg("%s", error.message);
    assert_int_equal(sn_world_get_info(world).copies, def->copies);
    return world;
}

sn_world *humanoids_of(int copies, sn_precision precision, sn_model **model) {
    const sn_world_def def = copies_def(copies, precision);
    *model = sn_builtin_create("humanoid", NULL);
    return copies_of(*model, &def);
}

sn_world *driven_copies_of(const sn_model *model, const sn_world_def *def) {
    sn_world *world = copies_of(model, def);
    double kp[MAX_NV], kd[MAX_NV];
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_world_set_gains(world, 0, kp, kd), SN_OK);
    return world;
}

void step_many(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
}

void copy_put(sn_world *world, int member, int copy, const double *q, const double *qd) {
    if (q) assert_int_equal(sn_world_set(world, member, SN_FIELD_Q, copy, 1, q), SN_OK);
    if (qd) assert_int_equal(sn_world_set(world, member, SN_FIELD_QD, copy, 1, qd), SN_OK);
}

void copy_get(sn_world *world, int member, int copy, double *q, double *qd) {
    if (q) assert_int_equal(sn_world_get(world, member, SN_FIELD_Q, copy, 1, q), SN_OK);
    if (qd) assert_int_equal(sn_world_get(world, member, SN_FIELD_QD, copy, 1, qd), SN_OK);
}

/* ---------------------------------------------------------------------------------------------- humanoids */

static void make_start(const sn_model *model, int who, double *q, double *qd) {
    struct rng rng = {(uint64_t)who + 1};
    const sn_world_def def = sn_world_def_default();
    sn_world *flat = copies_of(model, &def);
    floor_of(flat, NULL);
    sn_model_zero_pose(model, q);
    assert_int_equal(sn_world_stand(flat, 0, q), SN_OK);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        qd[v] = v < 6 ? 0 : uniform(&rng, -0.1, 0.1);
    if (who % 3 == 1) {
        q[2] += uniform(&rng, 0.01, 0.3);
        qd[0] = uniform(&rng, -2, 2), qd[1] = uniform(&rng, -2, 2);
        qd[4] = uniform(&rng, -2, 2);
    } else if (who % 3 == 2) {
        double still[MAX_NV];
        const double place[3] = {q[0], q[1], q[2]};
        random_state(&rng, model, 0.4, 0, q, still);
        memcpy(q, place, sizeof place);
        random_quaternion(&rng, q + 3);
        assert_int_equal(sn_world_stand(flat, 0, q), SN_OK);
        q[2] += uniform(&rng, 0, 0.1);
    }
    sn_world_free(flat);
}

void start_of(const sn_model *model, int who, double *q, double *qd) {
    enum { NQ = 64 }; /* the humanoid's are fewer */
    static struct {
        bool known;
        double q[NQ], qd[NQ];
    } kept[STARTS];
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    assert_true(who >= 0 && who < STARTS && nq <= NQ && nv <= NQ);
    if (!kept[who].known) {
        double pose[MAX_NQ], velocity[MAX_NV];
        make_start(model, who, pose, velocity);
        memcpy(kept[who].q, pose, nq * sizeof *pose);
        memcpy(kept[who].qd, velocity, nv * sizeof *velocity);
        kept[who].known = true;
    }
    memcpy(q, kept[who].q, nq * sizeof *q);
    memcpy(qd, kept[who].qd, nv * sizeof *qd);
}

void start_copy(sn_world *world, int copy, int who) {
    double q[MAX_NQ], qd[MAX_NV];
    start_of(sn_world_model(world, 0), who, q, qd);
    copy_put(world, 0, copy, q, qd);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, q), SN_OK);
}

void scatter(sn_world *world, uint64_t seed) {
    const sn_model *model = sn_world_model(world, 0);
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    struct rng rng = {seed};
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_world_set_gains(world, 0, kp, kd), SN_OK);
    for (int i = 0; i < sn_world_get_info(world).copies; i++) {
        random_state(&rng, model, 0.3, 1, q, qd);
        q[0] = 3 * i, q[2] = 0.6 + 0.02 * (i % 20);
        copy_put(world, 0, i, q, qd);
    }
}

void make_wild(sn_world *world, int member, int copy) {
    double qd[MAX_NV];
    for (int v = 0; v < sn_world_size(world, member, SN_FIELD_QD); v++)
        qd[v] = 1e30;
    assert_int_equal(sn_world_set(world, member, SN_FIELD_QD, copy, 1, qd), SN_OK);
}

/* ------------------------------------------------------------------------------------------------- values */

static bool has_quaternion(const sn_body_info *b) {
    return b->joint.type == SN_JOINT_BALL || b->joint.type == SN_JOINT_FREE;
}

bool is_pose(sn_field field) {
    return field == SN_FIELD_Q || field == SN_FIELD_TARGET_Q;
}

void good_values(struct rng *rng, const sn_model *model, sn_field field, int n, double *x) {
    const bool gains = field == SN_FIELD_KP || field == SN_FIELD_KD || field == SN_FIELD_TORQUE_LIMIT;
    const bool positive = gains || field == SN_FIELD_ARMATURE || field == SN_FIELD_MASS_SCALE ||
                          field == SN_FIELD_FRICTION || field == SN_FIELD_DT;
    double qd[MAX_NV];
    for (int i = 0; i < n; i++)
        x[i] = uniform(rng, positive ? 0.1 : -2, 2);
    if (is_pose(field)) random_state(rng, model, 0.5, 1, x, qd);
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (!has_quaternion(body)) continue;
        for (int k = 0; k < 4 && is_pose(field); k++)
            x[body->q_index + body->nq - 4 + k] *= 1.5;
        for (int v = 0; v < body->nv && gains; v++)
            x[body->v_index + v] = x[body->v_index + v / 3 * 3];
    }
    if (field == SN_FIELD_TORQUE_LIMIT && n > 0 && uniform(rng, 0, 1) < 0.3)
        for (int i = 0; i < n; i++)
            x[i] = (double)INFINITY;
}

void as_kept(const sn_model *model, sn_precision precision, sn_field field, int n, double *x) {
    for (int b = 0; b < sn_model_get(model)->nbody && is_pose(field); b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (!has_quaternion(body)) continue;
        double *w = x + body->q_index + body->nq - 4;
        const double length = norm(w, 4);
        for (int k = 0; k < 4; k++)
            w[k] /= length;
    }
    if (precision == SN_PRECISION_FLOAT && field != SN_FIELD_PHASE) round_to_float(x, n);
}

void narrow(sn_precision precision, const double *from, int n, void *to) {
    for (int i = 0; i < n; i++) {
        if (precision == SN_PRECISION_DOUBLE)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
    }
}

double element(sn_precision precision, const void *values, int i) {
    return precision == SN_PRECISION_DOUBLE ? ((const double *)values)[i]
                                            : (double)((const float *)values)[i];
}

void assert_same(const double *a, const double *b, int n, double tolerance, const char *what, int field,
                 int copy) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("%s: field %d, copy %d, value %d: %.17g, not %.17g", what, field, copy, i, a[i], b[i]);
}

bool chosen(enum way_in way, int copy) {
    return way == TO_ALL || (way == BY_RANGE ? copy >= 5 && copy < 30 : copy % 3 != 1);
}

void put_in(sn_world *world, int member, sn_precision precision, sn_field field, enum way_in way,
            const double *x) {
    static double elements[MANY * MOST_SIZE];
    uint8_t which[MANY];
    const int n = sn_world_size(world, member, field);
    for (int i = 0; i < MANY; i++)
        which[i] = chosen(way, i);
    narrow(precision, x, MANY * n, elements);
    if (way == BY_RANGE)
        assert_int_equal(sn_world_set(world, member, field, 5, 25, x + 5 * n), SN_OK);
    else
        assert_int_equal(sn_world_put(world, member, field, way == TO_ALL ? NULL : which, elements), SN_OK);
}

void values_take(sn_world *world, int member, struct values *values) {
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const sn_field field = (sn_field)f;
        const int copies = sn_world_get_info(world).copies;
        const size_t n = (size_t)sn_world_size(world, member, field);
        values->of[f] = n ? malloc(n * (size_t)copies * sizeof(double)) : NULL;
        if (n) assert_int_equal(sn_world_get(world, member, field, 0, copies, values->of[f]), SN_OK);
    }
}

void values_free(struct values *values) {
    for (int f = 0; f < SN_FIELD_COUNT; f++)
        free(values->of[f]);
}

void assert_unchanged(sn_world *world, const struct values *values, const char *what) {
    struct values now;
    values_take(world, 0, &now);
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const int n = sn_world_size(world, 0, (sn_field)f);
        for (int i = 0; n && i < sn_world_get_info(world).copies; i++)
            assert_same(now.of[f] + i * n, values->of[f] + i * n, n, 0, what, f, i);
    }
    values_free(&now);
}

bool all_finite(sn_world *world) {
    bool fine = true;
    for (int m = 0; m < sn_world_get_info(world).members; m++) {
        struct values now;
        values_take(world, m, &now);
        for (int f = 0; f < SN_FIELD_COUNT; f++) {
            const int n = sn_world_size(world, m, (sn_field)f) * sn_world_get_info(world).copies;
            if (f == SN_FIELD_TORQUE_LIMIT) continue; /* infinite where there is none */
            for (int i = 0; i < n; i++)
                fine = fine && isfinite(now.of[f][i]);
        }
        values_free(&now);
    }
    return fine;
}
