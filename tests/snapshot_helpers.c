#include "snapshot_helpers.h"
#include "study_helpers.h"

#include "base/hash.h"

sn_model *one_body(const char *name, sn_shape_type type, double a, double b, double c) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(type);
    body.name = name;
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = a, shape.size[1] = b, shape.size[2] = c;
    shape.restitution = type == SN_SHAPE_SPHERE ? 0.5 : 0;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, name, &shape);
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fail_msg("%s", error.message);
    sn_builder_free(builder);
    return model;
}

/* A capsule and a limb on a ball joint with limits. */
static sn_model *two_bodies(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    shape.size[0] = 0.1, shape.size[1] = 0.2;
    body.name = "trunk";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "trunk", &shape);
    body.name = "limb", body.parent = "trunk";
    body.pos[2] = 0.35;
    body.joint = sn_joint_def_default(SN_JOINT_BALL);
    body.joint.limited = true;
    body.joint.lower[0] = -0.5, body.joint.upper[0] = 0.5, body.joint.upper[1] = 0.8;
    body.joint.anchor[2] = -0.3;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "limb", &shape);
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fail_msg("%s", error.message);
    sn_builder_free(builder);
    return model;
}

static void add_plane(sn_world *world, double tilt) {
    sn_error error;
    const double point[3] = {0, 0, 0}, normal[3] = {tilt, 0.3 * tilt, 1};
    if (sn_world_add_plane(world, point, normal, NULL, &error) < 0) fail_msg("%s", error.message);
}

static int add_member(struct scene *s, sn_model *model, double x, double z) {
    sn_error error;
    const int number = sn_world_add(s->world, model, &error);
    if (number < 0) fail_msg("%s", error.message);
    s->model[number] = model;
    double q[MAX_VALUES], kp[MAX_VALUES], kd[MAX_VALUES];
    sn_model_zero_pose(model, q);
    q[0] += x, q[2] += z;
    assert_int_equal(sn_world_set_state(s->world, number, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(s->world, number, q, NULL), SN_OK);
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_world_set_gains(s->world, number, kp, kd), SN_OK);
    return number;
}

/* A humanoid whose feet are near z = 0. */
static int add_humanoid(struct scene *s, double x) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    if (!model) fail_msg("%s", error.message);
    const int number = add_member(s, model, x, 0);
    double q[MAX_VALUES];
    sn_world_get_state(s->world, number, q, NULL);
    q[2] -= lowest_point(s->world, number);
    assert_int_equal(sn_world_set_state(s->world, number, q, NULL), SN_OK);
    return number;
}

static void add_ties(struct scene *s) {
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.body = 3, d.member2 = 1, d.point[0] = 0.1;
    s->tie[0] = tie_of(s->world, &d);
    d = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
    d.body = 5, d.target[2] = 1.2, d.max_force = 200;
    s->tie[1] = tie_of(s->world, &d);
    d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH);
    d.body = 1, d.target[0] = 1;
    s->tie[2] = tie_of(s->world, &d);
    d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    d.member = 1, d.stiffness = 100, d.damping = 5, d.target[2] = 1;
    s->tie[3] = tie_of(s->world, &d);
}

static void add_box(sn_world *world) {
    sn_error error;
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    const double pos[3] = {0, 0, -0.1}, rot[4] = {1, 0.02, 0, 0.1};
    box.size[0] = box.size[1] = 2, box.size[2] = 0.1;
    box.pos[0] = 0.05;
    assert_true(sn_world_add_shape(world, &box, pos, rot, &error) >= 0);
}

static void add_field(sn_world *world) {
    enum { N = 12 };
    double height[N * N];
    for (int i = 0; i < N * N; i++)
        height[i] = 0.05 * sin(1.7 * i) - 0.05;
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), N, N, {6, 6}, {-3, -3, 0}, height};
    sn_error error;
    assert_true(sn_world_add_heightfield(world, &field, NULL, &error) >= 0);
}

const char *const kind_name[KINDS] = {"stands",
                                      "stands implicit",
                                      "stands in float",
                                      "stands in float, implicit",
                                      "crowd",
                                      "tied",
                                      "moving ground, one way",
                                      "moving ground, implicit",
                                      "field",
                                      "direct",
                                      "events",
                                      "small"};

static void fill_scene(struct scene *s, enum kind kind) {
    switch (kind) {
    case STANDS:
    case STANDS_IMPLICIT:
    case STANDS_FLOAT:
    case STANDS_FLOAT_IMPLICIT:
        add_plane(s->world, 0);
        add_humanoid(s, 0);
        break;
    case CROWDED:
        add_plane(s->world, 0);
        add_humanoid(s, 0);
        add_humanoid(s, 0.5);
        for (int i = 0; i < 3; i++)
            add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), 0.1 * i, 1.5 + 0.3 * i);
        break;
    case TIED:
        add_plane(s->world, 0);
        add_humanoid(s, 0);
        add_member(s, one_body("box", SN_SHAPE_BOX, 0.1, 0.2, 0.1), 1, 0.5);
        add_ties(s);
        break;
    case MOVING_GROUND:
    case MOVING_GROUND_IMPLICIT:
        add_box(s->world);
        add_plane(s->world, 0.1);
        add_humanoid(s, 0.2);
        add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), 1, 0.3);
        break;
    case FIELD:
        add_field(s->world);
        add_humanoid(s, 0);
        add_member(s, one_body("box", SN_SHAPE_BOX, 0.2, 0.1, 0.1), 0.3, 0.4);
        break;
    default:
        add_plane(s->world, 0.02);
        add_box(s->world);
        add_member(s, two_bodies(), 0, 0.25);
        add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), 0.15, 0.5);
        if (kind == SMALL) {
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
            d.body = 1, d.member2 = 1;
            s->tie[0] = tie_of(s->world, &d);
            d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH);
            d.body = 1, d.target[0] = 1;
            s->tie[1] = tie_of(s->world, &d);
            d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
            d.stiffness = 10;
            s->tie[2] = tie_of(s->world, &d);
            assert_int_equal(sn_world_remove_constraint(s->world, s->tie[2]), SN_OK);
        }
    }
}

static sn_world_def def_of_kind(enum kind kind) {
    sn_world_def def = rows_def();
    if (kind == STANDS_IMPLICIT || kind == STANDS_FLOAT_IMPLICIT || kind == MOVING_GROUND_IMPLICIT)
        def.contact = SN_CONTACT_IMPLICIT;
    if (kind == STANDS_FLOAT || kind == STANDS_FLOAT_IMPLICIT) def.precision = SN_PRECISION_FLOAT;
    if (kind == MOVING_GROUND) def.friction = SN_FRICTION_ONE_WAY;
    if (kind == FIELD) def.friction = SN_FRICTION_PYRAMID;
    if (kind == DIRECT) def.study = solved_by(SN_ROW_SOLVER_LEMKE);
    if (kind == EVENTS) def.stepper = SN_STEPPER_EVENT;
    if (kind == CROWDED) def.iterations = 50; /* warm starts count */
    if (kind == CROWDED) def.self_contact = true, def.form = SN_FORM_FULL;
    def.report_torque = kind == STANDS || kind == STANDS_FLOAT_IMPLICIT;
    def.max_contacts = 64;
    return def;
}

struct scene make_scene(enum kind kind) {
    struct scene s = {0};
    const sn_world_def def = def_of_kind(kind);
    s.world = world_of(&def);
    fill_scene(&s, kind);
    return s;
}

void free_scene(struct scene *s) {
    sn_world_free(s->world);
    for (int i = 0; i < MAX_MEMBERS; i++)
        sn_model_free(s->model[i]);
}

/* What the user does before a step: the same whenever the step has the same number. */
static void act(struct scene *s, enum kind kind, int step) {
    sn_world *w = s->world;
    for (int i = 0; i < sn_world_get_info(w).members; i++) {
        const sn_model *model = sn_world_model(w, i);
        double q[MAX_VALUES], v[MAX_VALUES], zero[MAX_VALUES] = {0}, kick[3] = {3 * sin(step), 2, 0};
        for (int k = 0; k < sn_model_get(model)->nv; k++)
            v[k] = k < 6 ? 0 : 0.1 * cos(0.03 * step + k);
        if (sn_model_get(model)->nbody > 1 && step % 7 == 0) {
            sn_model_zero_pose(model, q);
            for (int b = 1; b < sn_model_get(model)->nbody; b++)
                q[sn_model_body(model, b)->q_index + sn_model_body(model, b)->nq - 1] +=
                    0.1 * sin(0.03 * step + b);
            sn_world_set_target(w, i, q, step / 7 % 2 ? NULL : v);
        }
        if (step % 60 == 5) sn_world_set(w, i, SN_FIELD_FEEDFORWARD, 0, 1, v);
        if (step % 60 == 40) sn_world_set(w, i, SN_FIELD_FEEDFORWARD, 0, 1, zero);
        if (step % 50 == 40) sn_world_push(w, i, 0, kick, NULL, INFINITY);
        if (step % 50 == 10) sn_world_push(w, i, 0, NULL, NULL, INFINITY);
    }
    if (kind == CROWDED && step % 100 == 60) sn_world_set_active(w, 1, step % 200 == 60);
    if (kind == TIED && step == 150) sn_world_remove_constraint(w, s->tie[0]);
    if (kind == TIED && step == 300) {
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        d.body = 2, d.member2 = 1;
        s->tie[0] = tie_of(w, &d);
    }
    if (kind == TIED && step % 300 == 30)
        assert_int_equal(sn_world_set_dt(w, step < 200 ? 1.0 / 200 : 1.0 / 300), SN_OK);
    if ((kind == MOVING_GROUND || kind == MOVING_GROUND_IMPLICIT) && step % 80 == 20) {
        const double linear[3] = {step % 160 == 20 ? 0.1 : -0.1, 0, 0.02}, angular[3] = {0, 0, 0.2};
        sn_world_move(w, 0, NULL, NULL, linear, angular);
    }
}

/* ------------------------------------------------------------------------------------------------- hashes */

static uint64_t hash_doubles(uint64_t hash, const double *x, int n) {
    return sn__hash(x, sizeof *x * (size_t)n, hash);
}

uint64_t hash_scene(const struct scene *s) {
    double x[MAX_VALUES] = {sn_world_time(s->world)};
    uint64_t hash = hash_doubles(0, x, 1);
    for (int i = 0; i < sn_world_get_info(s->world).members; i++) {
        const uint64_t fields = hash_fields(s->world, i, 0);
        hash = sn__hash(&fields, sizeof fields, hash);
    }
    const uint64_t contacts = hash_contacts(s->world, 0);
    hash = sn__hash(&contacts, sizeof contacts, hash);
    for (int i = 0; i < MAX_TIES; i++) {
        const int n = constraint_force(s->world, s->tie[i], 0, x);
        hash = sn__hash(&n, sizeof n, hash);
        if (n > 0) hash = hash_doubles(hash, x, n);
    }
    sn_world_stats stats;
    sn_world_get_stats(s->world, &stats);
    const int number[] = {stats.contacts, stats.rows,    stats.iterations, stats.sweeps,
                          stats.substeps, stats.impacts, stats.dropped};
    return hash_doubles(sn__hash(number, sizeof number, hash), &stats.residual, 1);
}

void run_snapshot_scene(struct scene *s, enum kind kind, int first, int steps, uint64_t *hash) {
    for (int i = 0; i < steps; i++) {
        act(s, kind, first + i);
        assert_int_equal(sn_world_step(s->world), SN_OK);
        if (hash) hash[i] = hash_scene(s);
    }
}

void compare_hashes(const uint64_t *a, const uint64_t *b, enum kind kind, const char *which) {
    for (int i = 0; i < AFTER; i++)
        if (a[i] != b[i]) fail_msg("%s, %s: other bits after %d steps", kind_name[kind], which, i + 1);
}
