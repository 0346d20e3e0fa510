/* Snapshots that are damaged or of another world are refused and change nothing. */
#include "snapshot_helpers.h"
#include "study_helpers.h"

#include "base/hash.h"

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
        fail_msg("%s of %zu bytes: %s", what, size, sn_status_text(error.status));
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
    run_snapshot_scene(&t.scene, kind, 0, BEFORE, NULL);
    t.bytes = snapshot_of(t.scene.world, &t.size);
    t.spoilt = malloc(t.size);
    run_snapshot_scene(&t.scene, kind, BEFORE, AFTER, t.hash);
    assert_int_equal(sn_world_restore(t.scene.world, t.bytes, t.size, NULL), SN_OK);
    assert_true(contact_count(t.scene.world) > 0);
    memcpy(t.spoilt, t.bytes, t.size);
    return t;
}

/* Nothing that was refused has left a trace. */
static void end(struct story *t, enum kind kind) {
    uint64_t hash[AFTER];
    run_snapshot_scene(&t->scene, kind, BEFORE, AFTER, hash);
    compare_hashes(t->hash, hash, kind, "after refusals");
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
    assert_int_equal(sn_world_snapshot(t.scene.world, room, t.size + 100), t.size);
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
    sn_world_get_state(t.scene.world, 0, q, qd);
    assert_int_equal(constraint_force(t.scene.world, t.scene.tie[0], 0, force), 3);
    kp[0] = 300;
    int count;
    const sn_contact *contact = contacts_of(t.scene.world, &count);
    assert_true(count > 0);
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
    sn_world_get_state(t.scene.world, 0, q, NULL);
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
        if (kind == SMALL) continue;
        struct scene other = make_scene(kind);
        size_t size;
        unsigned char *bytes = snapshot_of(other.world, &size);
        assert_not_taken(t.scene.world, bytes, size, kind_name[kind]);
        assert_not_taken(other.world, t.bytes, t.size, kind_name[kind]);
        free(bytes);
        free_scene(&other);
    }
    end(&t, SMALL);
}

/* ------------------------------------------------------------------------ worlds that differ in one thing */

/* A ball over a box and a height field. */
static sn_world *world_with(const sn_world_def *def, const sn_model *model, double friction, double height) {
    sn_shape_def shape = box_of(0.1, 0.1, 0.1, 1);
    const double pos[3] = {0, 0, 0}, rot[4] = {1, 0, 0, 0}, heights[4] = {0, 0, 0, height};
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), 2, 2, {1, 1}, {0, 0, 0}, heights};
    shape.friction = friction;
    sn_world *world = world_of(def);
    assert_int_equal(sn_world_add(world, model, NULL), 0);
    assert_int_equal(sn_world_add_shape(world, &shape, pos, rot, NULL), 0);
    assert_int_equal(sn_world_add_heightfield(world, &field, NULL, NULL), 1);
    put_body(world, 0, (const double[3]){0.05, 0.05, 0.25}, NULL, (const double[6]){0.5, 0.2, 0, 0, 0, 0});
    return world;
}

static void assert_goes_on_alike(sn_world *a, sn_world *b) {
    for (int i = 0; i < 100; i++) {
        step_world(a);
        step_world(b);
        if (sn_world_hash(a) != sn_world_hash(b) || hash_fields(a, 0, 0) != hash_fields(b, 0, 0))
            fail_msg("other bits after %d steps", i + 1);
    }
}

/* Neither world takes the other's block, and nothing changes by the refusal. */
static void assert_strangers(sn_world *a, sn_world *b, const char *what) {
    size_t size[2], size_again[2];
    sn_world *world[2] = {a, b};
    unsigned char *bytes[2] = {snapshot_of(a, &size[0]), snapshot_of(b, &size[1])};
    for (int i = 0; i < 2; i++) {
        assert_not_taken(world[i], bytes[!i], size[!i], what);
        unsigned char *again = snapshot_of(world[i], &size_again[i]);
        assert_true(size[i] == size_again[i] && memcmp(bytes[i], again, size[i]) == 0);
        free(again);
    }
    free(bytes[0]);
    free(bytes[1]);
}

TEST(a_world_of_another_definition_or_model_is_another_world) {
    sn_model *model = one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0),
             *larger = one_body("ball", SN_SHAPE_SPHERE, 0.11, 0, 0);
    const sn_world_def plain = rows_def();
    sn_world *world = world_with(&plain, model, 1, 0);
    sn_world_def def;
    const char *what;
#define STRANGER(change)                                                                                     \
    def = plain;                                                                                             \
    change;                                                                                                  \
    what = #change;                                                                                          \
    {                                                                                                        \
        sn_world *other = world_with(&def, model, 1, 0);                                                     \
        assert_strangers(world, other, what);                                                                \
        sn_world_free(other);                                                                                \
    }
    STRANGER(def.precision = SN_PRECISION_FLOAT);
    STRANGER(def.form = SN_FORM_FULL);
    STRANGER(def.report_torque = true);
    STRANGER(def.self_contact = true);
    STRANGER(def.copies = 2);
    STRANGER(def.contact = SN_CONTACT_IMPLICIT);
    STRANGER(def.friction = SN_FRICTION_PYRAMID);
    STRANGER(def.stepper = SN_STEPPER_EVENT);
    STRANGER(def.study = solved_by(SN_ROW_SOLVER_LEMKE));
    STRANGER(def.gravity[2] = -9.8);
    STRANGER(def.max_contacts = 8);
#undef STRANGER
    sn_world *other = world_with(&plain, larger, 1, 0);
    assert_strangers(world, other, "a larger ball");
    sn_world_free(other);
    sn_world_free(world);
    sn_model_free(model);
    sn_model_free(larger);
}

TEST(a_model_of_the_same_content_is_the_same_model) {
    sn_model *model = one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0),
             *twin = one_body("other name", SN_SHAPE_SPHERE, 0.1, 0, 0);
    const sn_world_def def = rows_def();
    sn_world *world = world_with(&def, model, 1, 0), *same = world_with(&def, twin, 1, 0);
    for (int i = 0; i < 20; i++)
        step_world(world);
    size_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    assert_int_equal(sn_world_restore(same, bytes, size, NULL), SN_OK);
    assert_goes_on_alike(world, same);
    free(bytes);
    sn_world_free(world);
    sn_world_free(same);
    sn_model_free(model);
    sn_model_free(twin);
}

/* A block brings its ground along. Heights may be too many for that: then a world that never held them refuses. */
TEST(ground_that_differs_comes_with_the_block_or_is_refused) {
    sn_model *model = one_body("ball", SN_SHAPE_SPHERE, 0.1, 0, 0);
    const sn_world_def def = rows_def();
    for (int kind = 0; kind < 2; kind++) {
        sn_world *world = world_with(&def, model, 1, 0);
        sn_world *other = world_with(&def, model, kind ? 1 : 0.9, kind ? 1e-9 : 0);
        for (int i = 0; i < 20; i++)
            step_world(world);
        size_t size, before_size;
        unsigned char *bytes = snapshot_of(world, &size), *before = snapshot_of(other, &before_size);
        const sn_status status = sn_world_restore(other, bytes, size, NULL);
        if (kind == 0) assert_int_equal(status, SN_OK);
        if (status == SN_OK) {
            assert_goes_on_alike(world, other);
        } else {
            assert_int_equal(status, SN_ERROR_FORMAT);
            unsigned char *after = snapshot_of(other, &size);
            assert_true(size == before_size && memcmp(before, after, size) == 0);
            free(after);
        }
        free(bytes);
        free(before);
        sn_world_free(world);
        sn_world_free(other);
    }
    sn_model_free(model);
}

TEST(wrong_arguments_are_refused) {
    struct story t = begin(SMALL);
    sn_world *w = t.scene.world;
    assert_int_equal(sn_world_snapshot(NULL, NULL, 0), 0);
    assert_int_equal(sn_world_snapshot(w, NULL, t.size), t.size);
    assert_int_equal(sn_world_snapshot(NULL, t.spoilt, t.size), 0);
    assert_int_equal(sn_world_snapshot(w, t.spoilt, t.size - 1), t.size);
    assert_memory_equal(t.spoilt, t.bytes, t.size);
    assert_int_equal(sn_world_restore(w, NULL, t.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_restore(NULL, t.bytes, t.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_restore(w, t.bytes, 3, NULL), SN_ERROR_FORMAT);
    end(&t, SMALL);
}

int main(void) {
    return run_all("refused snapshots");
}
