/* Snapshots: a world taken back goes on with the same bits, and a block that is wrong changes nothing. */
#include "model_helpers.h"

#include <stdlib.h>

#include "base/hash.h"

enum { MAX_MEMBERS = 6, MAX_TIES = 4, MAX_VALUES = 128 };

/* ------------------------------------------------------------------------------------------------- scenes */

struct scene {
    sn_world *world;
    sn_model *model[MAX_MEMBERS];
    sn_constraint tie[MAX_TIES];
};

static sn_model *one_body(const char *name, sn_shape_type type, double a, double b, double c) {
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

static int add_member(struct scene *s, sn_model *model, const sn_member_def *def, double x, double z) {
    sn_error error;
    const int number = sn_world_add(s->world, model, def, &error);
    if (number < 0) fail_msg("%s", error.message);
    s->model[number] = model;
    sn_character *c = sn_world_character(s->world, number);
    double q[MAX_VALUES], kp[MAX_VALUES], kd[MAX_VALUES];
    sn_model_zero_pose(model, q);
    q[0] += x, q[2] += z;
    assert_int_equal(sn_character_set_state(c, q, NULL), SN_OK);
    assert_int_equal(sn_character_set_target(c, q, NULL), SN_OK);
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_character_set_gains(c, kp, kd), SN_OK);
    return number;
}

/* A humanoid whose feet are near z = 0. */
static int add_humanoid(struct scene *s, const sn_member_def *def, double x) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", &error);
    if (!model) fail_msg("%s", error.message);
    const int number = add_member(s, model, def, x, 0);
    sn_character *c = sn_world_character(s->world, number);
    double low = INFINITY, q[MAX_VALUES];
    for (int b = 0; b < sn_model_nbody(model); b++) {
        const sn_body_info *info = sn_model_body(model, b);
        double pos[3];
        assert_int_equal(sn_character_body_pose(c, b, pos, NULL), SN_OK);
        for (int k = info->first_shape; k < info->first_shape + info->nshape; k++) {
            const sn_shape_def *shape = sn_model_shape(model, k);
            const double half = shape->type == SN_SHAPE_BOX      ? shape->size[2]
                                : shape->type == SN_SHAPE_SPHERE ? shape->size[0]
                                                                 : shape->size[0] + shape->size[1];
            low = fmin(low, pos[2] + shape->pos[2] - half);
        }
    }
    sn_character_get_state(c, q, NULL);
    q[2] -= low;
    assert_int_equal(sn_character_set_state(c, q, NULL), SN_OK);
    return number;
}

static sn_constraint add_tie(sn_world *world, const sn_constraint_def *def) {
    sn_error error;
    const sn_constraint tie = sn_world_add_constraint(world, def, &error);
    if (!tie) fail_msg("%s", error.message);
    return tie;
}

static void add_ties(struct scene *s) {
    sn_constraint_def d = sn_constraint_def_default(SN_PIN);
    d.body = 3, d.character2 = 1, d.point[0] = 0.1;
    s->tie[0] = add_tie(s->world, &d);
    d = sn_constraint_def_default(SN_POINT_PATH);
    d.body = 5, d.target[2] = 1.2, d.max_force = 200;
    s->tie[1] = add_tie(s->world, &d);
    d = sn_constraint_def_default(SN_JOINT_PATH);
    d.body = 1, d.target[0] = 1;
    s->tie[2] = add_tie(s->world, &d);
    d = sn_constraint_def_default(SN_SPRING);
    d.character = 1, d.stiffness = 100, d.damping = 5, d.target[2] = 1;
    s->tie[3] = add_tie(s->world, &d);
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
    const sn_heightfield_def field = {N, N, {6, 6}, {-3, -3, 0}, height};
    sn_error error;
    assert_true(sn_world_add_heightfield(world, &field, NULL, &error) >= 0);
}

enum kind {
    STANDS,
    STANDS_IMPLICIT,
    STANDS_FLOAT,
    STANDS_FLOAT_IMPLICIT,
    CROWDED,
    TIED,
    MOVING_GROUND,
    MOVING_GROUND_IMPLICIT,
    FIELD,
    DIRECT,
    EVENTS,
    SMALL,
    KINDS
};

static const char *const kind_name[KINDS] = {"stands",
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
    sn_member_def def = sn_member_def_default();
    switch (kind) {
    case STANDS:
    case STANDS_IMPLICIT:
    case STANDS_FLOAT:
    case STANDS_FLOAT_IMPLICIT:
        add_plane(s->world, 0);
        def.report_torque = kind == STANDS || kind == STANDS_FLOAT_IMPLICIT;
        add_humanoid(s, &def, 0);
        break;
    case CROWDED:
        add_plane(s->world, 0);
        def.self_collision = true;
        add_humanoid(s, &def, 0);
        def.form = SN_FORM_FULL;
        add_humanoid(s, &def, 0.5);
        for (int i = 0; i < 3; i++)
            add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), NULL, 0.1 * i, 1.5 + 0.3 * i);
        break;
    case TIED:
        add_plane(s->world, 0);
        add_humanoid(s, NULL, 0);
        add_member(s, one_body("box", SN_SHAPE_BOX, 0.1, 0.2, 0.1), NULL, 1, 0.5);
        add_ties(s);
        break;
    case MOVING_GROUND:
    case MOVING_GROUND_IMPLICIT:
        add_box(s->world);
        add_plane(s->world, 0.1);
        add_humanoid(s, NULL, 0.2);
        add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), NULL, 1, 0.3);
        break;
    case FIELD:
        add_field(s->world);
        add_humanoid(s, NULL, 0);
        add_member(s, one_body("box", SN_SHAPE_BOX, 0.2, 0.1, 0.1), NULL, 0.3, 0.4);
        break;
    default:
        add_plane(s->world, 0.02);
        add_box(s->world);
        add_member(s, two_bodies(), NULL, 0, 0.25);
        add_member(s, one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0), NULL, 0.15, 0.5);
        if (kind == SMALL) {
            sn_constraint_def d = sn_constraint_def_default(SN_PIN);
            d.body = 1, d.character2 = 1;
            s->tie[0] = add_tie(s->world, &d);
            d = sn_constraint_def_default(SN_JOINT_PATH);
            d.body = 1, d.target[0] = 1;
            s->tie[1] = add_tie(s->world, &d);
            d = sn_constraint_def_default(SN_SPRING);
            d.stiffness = 10;
            s->tie[2] = add_tie(s->world, &d);
            assert_int_equal(sn_world_remove_constraint(s->world, s->tie[2]), SN_OK);
        }
    }
}

static struct scene make_scene(enum kind kind) {
    struct scene s = {0};
    sn_error error;
    sn_world_def def = sn_world_def_default();
    if (kind == STANDS_IMPLICIT || kind == STANDS_FLOAT_IMPLICIT || kind == MOVING_GROUND_IMPLICIT)
        def.contact = SN_CONTACT_IMPLICIT;
    if (kind == STANDS_FLOAT || kind == STANDS_FLOAT_IMPLICIT) def.precision = SN_FLOAT;
    if (kind == MOVING_GROUND) def.friction = SN_FRICTION_ONE_WAY;
    if (kind == FIELD) def.friction = SN_FRICTION_PYRAMID;
    if (kind == DIRECT) def.row_solver = SN_ROWS_DIRECT;
    if (kind == EVENTS) def.stepper = SN_STEPPER_EVENT;
    if (kind == CROWDED) def.iterations = 50; /* warm starts count */
    def.max_contacts = 64;
    s.world = sn_world_create(&def, &error);
    if (!s.world) fail_msg("%s", error.message);
    fill_scene(&s, kind);
    return s;
}

static void free_scene(struct scene *s) {
    sn_world_free(s->world);
    for (int i = 0; i < MAX_MEMBERS; i++)
        sn_model_free(s->model[i]);
}

/* What the user does before a step: the same whenever the step has the same number. */
static void act(struct scene *s, enum kind kind, int step) {
    sn_world *w = s->world;
    for (int i = 0; i < sn_world_count(w); i++) {
        sn_character *c = sn_world_character(w, i);
        const sn_model *model = sn_character_model(c);
        double q[MAX_VALUES], v[MAX_VALUES], kick[3] = {3 * sin(step), 2, 0};
        for (int k = 0; k < sn_model_nv(model); k++)
            v[k] = k < 6 ? 0 : 0.1 * cos(0.03 * step + k);
        if (sn_model_nbody(model) > 1 && step % 7 == 0) {
            sn_model_zero_pose(model, q);
            for (int b = 1; b < sn_model_nbody(model); b++)
                q[sn_model_body(model, b)->q_index + sn_model_body(model, b)->nq - 1] +=
                    0.1 * sin(0.03 * step + b);
            sn_character_set_target(c, q, step / 7 % 2 ? NULL : v);
        }
        if (step % 60 == 5) sn_character_set_feedforward(c, v);
        if (step % 60 == 40) sn_character_set_feedforward(c, NULL);
        if (step % 50 == 40) sn_character_set_push(c, 0, kick, NULL);
        if (step % 50 == 10) sn_character_set_push(c, 0, NULL, NULL);
    }
    if (kind == CROWDED && step % 100 == 60) sn_world_set_active(w, 1, step % 200 == 60);
    if (kind == TIED && step == 150) sn_world_remove_constraint(w, s->tie[0]);
    if (kind == TIED && step == 300) {
        sn_constraint_def d = sn_constraint_def_default(SN_PIN);
        d.body = 2, d.character2 = 1;
        s->tie[0] = add_tie(w, &d);
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

static uint64_t hash_contact(uint64_t hash, const sn_contact *c) {
    hash = sn__hash(c->character, sizeof c->character, hash);
    hash = sn__hash(c->body, sizeof c->body, hash);
    hash = sn__hash(c->shape, sizeof c->shape, hash);
    hash = sn__hash(&c->feature, sizeof c->feature, hash);
    hash = hash_doubles(hash_doubles(hash_doubles(hash, c->pos, 3), c->normal, 3), c->force, 3);
    hash = hash_doubles(hash, &c->gap, 1);
    return hash ^ c->sliding;
}

/* All bits a user can see. */
static uint64_t hash_scene(const struct scene *s) {
    uint64_t hash = 0;
    double x[MAX_VALUES] = {sn_world_time(s->world)};
    hash = hash_doubles(hash, x, 1);
    for (int i = 0; i < sn_world_count(s->world); i++) {
        sn_character *c = sn_world_character(s->world, i);
        const sn_model *model = sn_character_model(c);
        double qd[MAX_VALUES];
        sn_character_get_state(c, x, qd);
        hash = hash_doubles(hash_doubles(hash, x, sn_model_nq(model)), qd, sn_model_nv(model));
        sn_character_get_acceleration(c, x);
        hash = hash_doubles(hash, x, sn_model_nv(model));
        if (sn_character_get_torque(c, x) == SN_OK) hash = hash_doubles(hash, x, sn_model_nv(model));
    }
    for (int i = 0; i < sn_world_contact_count(s->world); i++)
        hash = hash_contact(hash, &sn_world_contacts(s->world)[i]);
    for (int i = 0; i < MAX_TIES; i++) {
        const int n = sn_world_constraint_force(s->world, s->tie[i], x);
        hash = sn__hash(&n, sizeof n, hash);
        if (n > 0) hash = hash_doubles(hash, x, n);
    }
    sn_world_stats stats;
    sn_world_get_stats(s->world, &stats);
    const int count[] = {stats.contacts, stats.rows,    stats.iterations, stats.sweeps,
                         stats.substeps, stats.impacts, stats.dropped};
    return hash_doubles(sn__hash(count, sizeof count, hash), &stats.residual, 1);
}

static void run(struct scene *s, enum kind kind, int first, int steps, uint64_t *hash) {
    for (int i = 0; i < steps; i++) {
        act(s, kind, first + i);
        assert_int_equal(sn_world_step(s->world), SN_OK);
        if (hash) hash[i] = hash_scene(s);
    }
}

static unsigned char *take(const sn_world *world, size_t *size) {
    *size = sn_world_snapshot_size(world);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(sn_world_snapshot(world, bytes, *size), SN_OK);
    return bytes;
}

/* -------------------------------------------------------------------------------------------------- bits */

enum { BEFORE = 200, AFTER = 200 };

static void compare(const uint64_t *a, const uint64_t *b, enum kind kind, const char *which) {
    for (int i = 0; i < AFTER; i++)
        if (a[i] != b[i]) fail_msg("%s, %s: other bits after %d steps", kind_name[kind], which, i + 1);
}

TEST(a_world_taken_back_goes_on_with_the_same_bits) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        uint64_t first[AFTER], again[AFTER];
        struct scene s = make_scene(kind);
        run(&s, kind, 0, BEFORE, NULL);
        size_t size, size_again;
        unsigned char *bytes = take(s.world, &size);
        const struct scene then = s;
        const uint64_t now = hash_scene(&s);
        run(&s, kind, BEFORE, AFTER, first);
        assert_true(first[AFTER - 1] != first[0]);

        sn_error error;
        memcpy(s.tie, then.tie, sizeof s.tie);
        if (sn_world_restore(s.world, bytes, size, &error))
            fail_msg("%s: %s", kind_name[kind], error.message);
        assert_true(hash_scene(&s) == now);
        unsigned char *same = take(s.world, &size_again);
        assert_true(size == size_again && memcmp(bytes, same, size) == 0);
        run(&s, kind, BEFORE, AFTER, again);
        compare(first, again, kind, "the same world");

        struct scene other = make_scene(kind);
        memcpy(other.tie, then.tie, sizeof other.tie);
        if (sn_world_restore(other.world, bytes, size, &error))
            fail_msg("%s: %s", kind_name[kind], error.message);
        assert_true(hash_scene(&other) == now);
        run(&other, kind, BEFORE, AFTER, again);
        compare(first, again, kind, "a new world");
        free(bytes);
        free(same);
        free_scene(&s);
        free_scene(&other);
    }
}

TEST(constraints_come_back_with_their_handles) {
    struct scene s = make_scene(TIED), bare = make_scene(TIED);
    const sn_constraint old = s.tie[3];
    sn_constraint_def d = sn_constraint_def_default(SN_SPRING);
    sn_constraint many[40];
    d.stiffness = 1;
    assert_int_equal(sn_world_remove_constraint(s.world, old), SN_OK);
    for (int i = 0; i < COUNT(many); i++)
        many[i] = add_tie(s.world, &d);
    run(&s, TIED, 0, 20, NULL);
    size_t size;
    unsigned char *bytes = take(s.world, &size);
    assert_int_equal(sn_world_restore(bare.world, bytes, size, NULL), SN_OK);
    double force[6], same[6];
    for (int i = 0; i < COUNT(many); i++) {
        assert_int_equal(sn_world_constraint_force(s.world, many[i], force), 3);
        assert_int_equal(sn_world_constraint_force(bare.world, many[i], same), 3);
        assert_memory_equal(force, same, 3 * sizeof *force);
    }
    assert_int_equal(sn_world_constraint_force(bare.world, old, force), -1);
    run(&s, TIED, 20, 50, NULL);
    run(&bare, TIED, 20, 50, NULL);
    memcpy(bare.tie, s.tie, sizeof s.tie);
    assert_true(hash_scene(&s) == hash_scene(&bare));
    /* the next one added gets the same handle in both */
    assert_true(sn_world_remove_constraint(s.world, many[7]) == SN_OK);
    assert_true(sn_world_remove_constraint(bare.world, many[7]) == SN_OK);
    assert_true(add_tie(s.world, &d) == add_tie(bare.world, &d));
    free(bytes);
    free_scene(&s);
    free_scene(&bare);
}

/* ----------------------------------------------------------------------------------------------- refusals */

static void seal(unsigned char *bytes, size_t size) {
    uint64_t sum = sn__hash(bytes, size - 8, 0);
    for (int i = 0; i < 8; i++)
        bytes[size - 8 + (size_t)i] = (unsigned char)(sum >> (8 * i));
}

static void put(unsigned char *bytes, size_t at, uint64_t x) {
    for (int i = 0; i < 8; i++)
        bytes[at + (size_t)i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get(const unsigned char *bytes, size_t at) {
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)bytes[at + (size_t)i] << (8 * i);
    return x;
}

static void assert_not_taken(sn_world *world, const unsigned char *bytes, size_t size, const char *what) {
    sn_error error = {0};
    /* a copy that ends where it should, so that sanitizers see what reads further */
    unsigned char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    if (sn_world_restore(world, copy, size, &error) != SN_ERROR_FORMAT)
        fail_msg("%s of %zu bytes: %s", what, size, sn_status_name(error.status));
    assert_int_equal(error.status, SN_ERROR_FORMAT);
    assert_true(strlen(error.message) > 10);
    free(copy);
}

/* Where a double with these bits stands in the block. */
static size_t find(const unsigned char *bytes, size_t size, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (size_t at = 0; at + 8 <= size; at += 8)
        if (get(bytes, at) == bits) return at;
    fail_msg("%g is not in the block", x);
    return 0;
}

/* A small world in the middle of things, its snapshot, and what it does next. */
struct story {
    struct scene scene;
    unsigned char *bytes, *spoilt;
    size_t size;
    uint64_t hash[AFTER];
};

static struct story begin(enum kind kind) {
    struct story t = {.scene = make_scene(kind)};
    run(&t.scene, kind, 0, BEFORE, NULL);
    t.bytes = take(t.scene.world, &t.size);
    t.spoilt = malloc(t.size);
    run(&t.scene, kind, BEFORE, AFTER, t.hash);
    assert_int_equal(sn_world_restore(t.scene.world, t.bytes, t.size, NULL), SN_OK);
    assert_true(sn_world_contact_count(t.scene.world) > 0);
    memcpy(t.spoilt, t.bytes, t.size);
    return t;
}

/* Nothing that was refused has left a trace. */
static void end(struct story *t, enum kind kind) {
    uint64_t hash[AFTER];
    run(&t->scene, kind, BEFORE, AFTER, hash);
    compare(t->hash, hash, kind, "after refusals");
    free(t->bytes);
    free(t->spoilt);
    free_scene(&t->scene);
}

TEST(a_block_cut_short_is_refused) {
    struct story t = begin(SMALL);
    for (size_t size = 0; size < t.size; size += size < 200 ? 1 : 13)
        assert_not_taken(t.scene.world, t.bytes, size, "a part");
    assert_not_taken(t.scene.world, t.bytes, t.size - 1, "all but a byte");
    end(&t, SMALL);
}

TEST(a_longer_buffer_is_accepted) {
    struct story t = begin(SMALL);
    unsigned char *room = calloc(1, t.size + 100);
    assert_int_equal(sn_world_snapshot(t.scene.world, room, t.size + 100), SN_OK);
    assert_memory_equal(room, t.bytes, t.size);
    assert_int_equal(sn_world_restore(t.scene.world, room, t.size + 100, NULL), SN_OK);
    free(room);
    end(&t, SMALL);
}

TEST(a_damaged_byte_is_refused) {
    struct story t = begin(SMALL);
    for (size_t at = 0; at < t.size; at += at < 64 ? 1 : 7) {
        t.spoilt[at] ^= (unsigned char)(1 << at % 8);
        assert_not_taken(t.scene.world, t.spoilt, t.size, "a flipped bit");
        t.spoilt[at] = t.bytes[at];
    }
    end(&t, SMALL);
}

TEST(a_head_that_lies_is_refused) {
    struct story t = begin(SMALL);
    const uint64_t lies[] = {0,          1,          2,          t.size - 8,        t.size + 8,
                             t.size * 2, UINT32_MAX, UINT64_MAX, (uint64_t)1 << 61, (uint64_t)1 << 63};
    const char *const field[] = {"magic",     "version",  "precision",  "size",
                                 "structure", "contacts", "constraints"};
    for (int i = 0; i < COUNT(field); i++)
        for (int k = 0; k < COUNT(lies); k++) {
            const size_t at = 8 * (size_t)i;
            if (get(t.bytes, at) == lies[k]) continue;
            put(t.spoilt, at, lies[k]);
            seal(t.spoilt, t.size);
            assert_not_taken(t.scene.world, t.spoilt, t.size, field[i]);
            memcpy(t.spoilt, t.bytes, t.size);
        }
    end(&t, SMALL);
}

TEST(values_that_are_not_finite_are_refused) {
    struct story t = begin(SMALL);
    double q[MAX_VALUES], qd[MAX_VALUES], kp[MAX_VALUES], force[6];
    sn_character *c = sn_world_character(t.scene.world, 0);
    sn_character_get_state(c, q, qd);
    assert_int_equal(sn_world_constraint_force(t.scene.world, t.scene.tie[0], force), 3);
    kp[0] = 300;
    const sn_contact *contact = sn_world_contacts(t.scene.world);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const double value[] = {q[0],     q[3],
                            q[7],     qd[0],
                            qd[8],    contact->force[2],
                            force[0], force[2],
                            kp[0],    sn_world_time(t.scene.world)};
    for (int i = 0; i < COUNT(value); i++)
        for (int k = 0; k < COUNT(bad); k++) {
            if (i == COUNT(value) - 1 && k > 0) continue; /* time may come to its end */
            uint64_t bits;
            memcpy(&bits, &bad[k], sizeof bits);
            put(t.spoilt, find(t.bytes, t.size, value[i]), bits);
            seal(t.spoilt, t.size);
            assert_not_taken(t.scene.world, t.spoilt, t.size, "not finite");
            memcpy(t.spoilt, t.bytes, t.size);
        }
    end(&t, SMALL);
}

TEST(a_quaternion_that_is_none_is_refused) {
    struct story t = begin(SMALL);
    double q[MAX_VALUES];
    sn_character_get_state(sn_world_character(t.scene.world, 0), q, NULL);
    for (int i = 0; i < 2; i++) {
        const double twice = i ? 2 : 0.5;
        uint64_t bits;
        memcpy(&bits, &twice, sizeof bits);
        put(t.spoilt, find(t.bytes, t.size, q[i ? 7 : 3]), bits);
        seal(t.spoilt, t.size);
        assert_not_taken(t.scene.world, t.spoilt, t.size, "not of unit length");
        memcpy(t.spoilt, t.bytes, t.size);
    }
    end(&t, SMALL);
}

/* Any number replaced by any other, under a right checksum: refused without a trace, or a state that can be
   stepped. */
TEST(no_number_of_a_block_can_do_harm) {
    struct story t = begin(SMALL);
    const uint64_t value[] = {0,
                              1,
                              2,
                              7,
                              UINT64_C(0x7ff8000000000000),
                              UINT64_C(0xffefffffffffffff),
                              UINT64_MAX,
                              (uint64_t)1 << 31,
                              (uint64_t)INT32_MAX,
                              (uint64_t)1 << 33};
    int refused = 0, taken = 0;
    for (size_t at = 0; at + 8 < t.size; at += 8)
        for (int k = 0; k < COUNT(value); k++) {
            sn_error error;
            put(t.spoilt, at, value[k]);
            seal(t.spoilt, t.size);
            const sn_status status = sn_world_restore(t.scene.world, t.spoilt, t.size, &error);
            put(t.spoilt, at, get(t.bytes, at));
            if (status) {
                assert_int_equal(status, SN_ERROR_FORMAT);
                refused++;
                continue;
            }
            taken++;
            const sn_status step = sn_world_step(t.scene.world);
            assert_true(step == SN_OK || step == SN_ERROR_NOT_FINITE);
            assert_int_equal(sn_world_restore(t.scene.world, t.bytes, t.size, NULL), SN_OK);
        }
    assert_true(refused > 1000 && taken > 1000);
    end(&t, SMALL);
}

TEST(another_world_s_block_is_refused) {
    struct story t = begin(SMALL);
    for (enum kind kind = 0; kind < KINDS; kind++) {
        if (kind == SMALL || kind == DIRECT || kind == EVENTS)
            continue; /* those have the same things in them */
        struct scene other = make_scene(kind);
        size_t size;
        unsigned char *bytes = take(other.world, &size);
        assert_not_taken(t.scene.world, bytes, size, kind_name[kind]);
        assert_not_taken(other.world, t.bytes, t.size, kind_name[kind]);
        free(bytes);
        free_scene(&other);
    }
    end(&t, SMALL);
}

/* Worlds that differ in one thing. */
static sn_world *world_with(sn_precision precision, const sn_model *model, const sn_member_def *member,
                            double friction, double height, int max_contacts) {
    sn_world_def def = sn_world_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    const double pos[3] = {0, 0, 0}, rot[4] = {1, 0, 0, 0}, heights[4] = {0, 0, 0, height};
    const sn_heightfield_def field = {2, 2, {1, 1}, {0, 0, 0}, heights};
    def.precision = precision;
    def.max_contacts = max_contacts;
    shape.friction = friction;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.1;
    sn_world *world = sn_world_create(&def, NULL);
    assert_true(sn_world_add(world, model, member, NULL) == 0);
    assert_true(sn_world_add_shape(world, &shape, pos, rot, NULL) == 0);
    assert_true(sn_world_add_heightfield(world, &field, NULL, NULL) == 1);
    return world;
}

TEST(a_world_that_differs_in_one_thing_is_another_world) {
    sn_model *model = one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0),
             *larger = one_body("ball", SN_SHAPE_SPHERE, 0.11, 0, 0),
             *twin = one_body("other name", SN_SHAPE_SPHERE, 0.1, 0, 0);
    sn_member_def form = sn_member_def_default(), torque = form, own = form;
    form.form = SN_FORM_FULL, torque.report_torque = true, own.self_collision = true;
    sn_world *world = world_with(SN_DOUBLE, model, NULL, 1, 0, 8);
    sn_world *same[] = {world_with(SN_DOUBLE, twin, NULL, 1, 0, 8),
                        world_with(SN_DOUBLE, model, NULL, 1, 0, 1)};
    sn_world *other[] = {
        world_with(SN_FLOAT, model, NULL, 1, 0, 8),    world_with(SN_DOUBLE, larger, NULL, 1, 0, 8),
        world_with(SN_DOUBLE, model, &form, 1, 0, 8),  world_with(SN_DOUBLE, model, &torque, 1, 0, 8),
        world_with(SN_DOUBLE, model, &own, 1, 0, 8),   world_with(SN_DOUBLE, model, NULL, 0.9, 0, 8),
        world_with(SN_DOUBLE, model, NULL, 1, 1e-9, 8)};
    size_t size;
    unsigned char *bytes = take(world, &size);
    for (int i = 0; i < COUNT(same); i++)
        assert_int_equal(sn_world_restore(same[i], bytes, size, NULL), SN_OK);
    for (int i = 0; i < COUNT(other); i++) {
        size_t other_size;
        unsigned char *others = take(other[i], &other_size);
        assert_not_taken(other[i], bytes, size, "of the first world");
        assert_not_taken(world, others, other_size, "of another world");
        free(others);
        sn_world_free(other[i]);
    }
    /* more contacts than there is room for */
    const double pos[7] = {0.05, 0.05, 0.15, 1, 0, 0, 0};
    sn_character_set_state(sn_world_character(world, 0), pos, NULL);
    assert_int_equal(sn_world_step(world), SN_OK);
    if (sn_world_contact_count(world) > 1) {
        free(bytes);
        bytes = take(world, &size);
        assert_not_taken(same[1], bytes, size, "too many contacts");
    }
    for (int i = 0; i < COUNT(same); i++)
        sn_world_free(same[i]);
    free(bytes);
    sn_world_free(world);
    sn_model_free(model);
    sn_model_free(larger);
    sn_model_free(twin);
}

TEST(wrong_arguments_are_refused) {
    struct story t = begin(SMALL);
    sn_world *w = t.scene.world;
    assert_int_equal(sn_world_snapshot_size(NULL), 0);
    assert_int_equal(sn_world_snapshot(w, NULL, t.size), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_snapshot(NULL, t.spoilt, t.size), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_snapshot(w, t.spoilt, t.size - 1), SN_ERROR_ARGUMENT);
    assert_memory_equal(t.spoilt, t.bytes, t.size);
    assert_int_equal(sn_world_restore(w, NULL, t.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_restore(NULL, t.bytes, t.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_restore(w, t.bytes, 3, NULL), SN_ERROR_FORMAT);
    end(&t, SMALL);
}

TEST(an_empty_world_has_a_snapshot) {
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    size_t size;
    unsigned char *bytes = take(world, &size);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
    assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
    assert_true(sn_world_time(world) == 0);
    free(bytes);
    sn_world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_taken_back_goes_on_with_the_same_bits),
        cmocka_unit_test(constraints_come_back_with_their_handles),
        cmocka_unit_test(a_block_cut_short_is_refused),
        cmocka_unit_test(a_longer_buffer_is_accepted),
        cmocka_unit_test(a_damaged_byte_is_refused),
        cmocka_unit_test(a_head_that_lies_is_refused),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(a_quaternion_that_is_none_is_refused),
        cmocka_unit_test(no_number_of_a_block_can_do_harm),
        cmocka_unit_test(another_world_s_block_is_refused),
        cmocka_unit_test(a_world_that_differs_in_one_thing_is_another_world),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(an_empty_world_has_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
