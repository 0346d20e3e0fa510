/* The state of a world alone, for rollback: the same bits after it, in every kind of scene; few bytes; refusals. */
#include <string.h>

#include "base/hash.h"
#include "engine_helpers.h"

/* Sanitizers make a step twenty times as slow: fewer steps then, and every second kind in the tests after the first. */
enum { STEPS = FAST ? 12 : 120, SOME = FAST ? 10 : 40, STRIDE = FAST ? 2 : 1 };

/* Which scene, and how it is stepped. */
struct kind {
    const char *name;
    sn_contact_method contact;
    sn_stepper stepper;
    sn_precision precision;
    int copies, threads;
    bool alone, ties, sleep, moves, reacts, torque;
};

static const struct kind kind[] = {
    {.name = "implicit", .copies = 1},
    {.name = "implicit, float", .precision = SN_PRECISION_FLOAT, .copies = 1},
    {.name = "rows", .contact = SN_CONTACT_ROWS, .copies = 1},
    {.name = "rows, event", .contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_EVENT, .copies = 1},
    {.name = "constraints", .copies = 1, .ties = true},
    {.name = "constraints, event",
     .contact = SN_CONTACT_ROWS,
     .stepper = SN_STEPPER_EVENT,
     .copies = 1,
     .ties = true},
    {.name = "sleep", .copies = 1, .sleep = true},
    {.name = "three copies, float, sleep, threads",
     .precision = SN_PRECISION_FLOAT,
     .copies = 3,
     .threads = 2,
     .ties = true,
     .sleep = true},
    {.name = "moving ground", .copies = 2, .moves = true},
    {.name = "reactions", .copies = 2, .reacts = true, .torque = true},
    {.name = "in lanes", .copies = 7, .alone = true},
    {.name = "in lanes, float, reactions",
     .precision = SN_PRECISION_FLOAT,
     .copies = 19,
     .threads = 2,
     .alone = true,
     .reacts = true},
    {.name = "in lanes, then moving ground", .copies = 3, .alone = true, .moves = true},
    {.name = "positions", .stepper = SN_STEPPER_POSITION, .copies = 3, .alone = true, .torque = true},
};

static void add_human(sn_world *w, const sn_model *human, double x, const struct kind *k) {
    const sn_member member = add_held(w, human, x, 0.05);
    if (!k->reacts) return;
    sn_reaction_def reaction = sn_reaction_def_default();
    reaction.ground = true;
    assert_int_equal(sn_world_set_reaction(w, member, &reaction), SN_OK);
}

/* Two humanoids and six boxes, which fall onto them; or one humanoid. */
static sn_world *make_world(const struct kind *k, struct models m) {
    sn_world_def def = sn_world_def_default();
    def.copies = k->copies, def.threads = k->threads ? k->threads : 1, def.dt = 1.0 / 120;
    def.precision = k->precision, def.contact = k->contact, def.stepper = k->stepper;
    def.sleep = k->sleep ? 0.2 : 0, def.report_torque = k->torque;
    sn_world *w = world_of(&def);
    floor_of(w, NULL);
    add_human(w, m.human, 0, k);
    if (k->moves) {
        const double turn[4] = {1, 0, 0, 0};
        const sn_shape_def slab = box_of(0.5, 0.5, 0.1, 1);
        assert_true(sn_world_add_shape(w, &slab, (const double[3]){5, 0, 0}, turn, NULL) == 1);
    }
    if (k->alone) return w;
    add_human(w, m.human, 1, k);
    for (int i = 0; i < 6; i++)
        put_body(w, member_of(w, m.box), (const double[3]){0.25 * i - 0.2, 0.05 * i, 0.3 + 0.3 * i}, NULL,
                 NULL);
    if (!k->ties) return w;
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.member = 2, d.member2 = 3, d.point[0] = 0.2, d.point2[0] = -0.2;
    tie_of(w, &d);
    d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    d.member = 4, d.stiffness = 200, d.damping = 10, d.target[2] = 1;
    tie_of(w, &d);
    return w;
}

/* What a game does, which depends on the step alone. */
static void play(sn_world *w, const struct kind *k, int i) {
    const double force[3] = {i % 40 == 5 ? 150 : 0, 0, 0};
    if (i % 20 == 5)
        assert_int_equal(sn_world_push(w, 0, 1, force, NULL, i % 40 == 5 ? 0.1 : HUGE_VAL), SN_OK);
    if (k->moves && i == 70)
        assert_int_equal(sn_world_move(w, 1, (const double[3]){-1, 0, 0.1}, NULL,
                                       (const double[3]){0.5, 0, 0}, (const double[3]){0, 0, 0.3}),
                         SN_OK);
    if (k->moves && i == 120) assert_int_equal(sn_world_move(w, 1, NULL, NULL, NULL, NULL), SN_OK);
    step_world(w);
}

/* All that can be seen of every copy. */
static uint64_t look(sn_world *w) {
    uint64_t hash = sn_world_hash(w);
    const double time = sn_world_time(w);
    hash = sn__hash(&time, sizeof time, hash);
    for (int copy = 0; copy < sn_world_get_info(w).copies; copy++) {
        for (int i = 0; i < sn_world_get_info(w).members; i++) {
            const uint64_t fields = hash_fields(w, i, copy);
            hash = sn__hash(&fields, sizeof fields, hash);
        }
        const uint64_t contacts = hash_contacts(w, copy);
        hash = sn__hash(&contacts, sizeof contacts, hash);
    }
    return hash;
}

static void play_on(sn_world *w, const struct kind *k, int first, int steps, uint64_t *hash) {
    for (int i = 0; i < steps; i++) {
        play(w, k, first + i);
        if (hash) hash[i] = look(w);
    }
}

static void assert_alike(const uint64_t *a, const uint64_t *b, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) fail_msg("%s: other bits after %d steps", name, i + 1);
}

struct state {
    size_t size;
    unsigned char *bytes;
};

static struct state save(const sn_world *w) {
    struct state s = {.size = sn_world_save_state(w, NULL, 0)};
    s.bytes = malloc(s.size);
    assert_true(sn_world_save_state(w, s.bytes, s.size) == s.size);
    return s;
}

/* A scene after some steps, with its state. */
struct begun {
    struct models m;
    sn_world *w;
    struct state s;
};

static struct begun begin(const struct kind *k, int steps) {
    struct begun b = {.m = make_models(0.12)};
    b.w = make_world(k, b.m);
    play_on(b.w, k, 0, steps, NULL);
    b.s = save(b.w);
    return b;
}

static void end(struct begun b) {
    free(b.s.bytes);
    free_scene(b.w, b.m);
}

static void load(sn_world *w, struct state s) {
    sn_error error;
    if (sn_world_load_state(w, s.bytes, s.size, &error)) fail_msg("%s", error.message);
}

TEST(a_state_gives_the_same_bits_for_120_steps_in_every_kind_of_scene) {
    struct models m = make_models(0.12);
    for (int i = 0; i < COUNT(kind); i++) {
        uint64_t first[STEPS], again[STEPS];
        sn_world *w = make_world(&kind[i], m);
        play_on(w, &kind[i], 0, 50, NULL);
        const struct state s = save(w);
        const uint64_t now = look(w);
        play_on(w, &kind[i], 50, STEPS, first);
        assert_true(first[0] != first[STEPS - 1]);
        for (int round = 0; round < (kind[i].stepper == SN_STEPPER_EVENT ? 1 : 2); round++) {
            load(w, s);
            if (look(w) != now) fail_msg("%s: not what was saved", kind[i].name);
            play_on(w, &kind[i], 50, STEPS, again);
            assert_alike(first, again, STEPS, kind[i].name);
        }
        free(s.bytes);
        sn_world_free(w);
    }
    free_scene(NULL, m);
}

/* The second way to the same: a whole snapshot. */
TEST(a_state_is_worth_a_snapshot) {
    struct models m = make_models(0.12);
    for (int i = 0; i < COUNT(kind); i += STRIDE) {
        uint64_t first[SOME], again[SOME];
        sn_world *w = make_world(&kind[i], m);
        play_on(w, &kind[i], 0, 60, NULL);
        const struct state s = save(w);
        size_t size;
        unsigned char *block = snapshot_of(w, &size);
        play_on(w, &kind[i], 60, 2 * SOME, NULL);
        assert_int_equal(sn_world_restore(w, block, size, NULL), SN_OK);
        play_on(w, &kind[i], 60, SOME, first);
        load(w, s);
        play_on(w, &kind[i], 60, SOME, again);
        assert_alike(first, again, SOME, kind[i].name);
        free(block), free(s.bytes);
        sn_world_free(w);
    }
    free_scene(NULL, m);
}

/* Rollback as a game does it: every few steps back by a few. */
TEST(many_short_returns_change_nothing) {
    enum { BACK = 6, ALL = 2 * SOME };
    struct models m = make_models(0.12);
    for (int i = STRIDE - 1; i < COUNT(kind); i += STRIDE) {
        uint64_t straight[ALL], hash[BACK];
        sn_world *w = make_world(&kind[i], m);
        play_on(w, &kind[i], 60, ALL, straight);
        sn_world_free(w);
        w = make_world(&kind[i], m);
        unsigned char *bytes = malloc(1 << 20);
        for (int at = 0; at + BACK <= ALL; at += 4) {
            const size_t size = sn_world_save_state(w, bytes, 1 << 20);
            assert_true(size <= 1 << 20);
            play_on(w, &kind[i], 60 + at, BACK, hash);
            assert_alike(straight + at, hash, BACK, kind[i].name);
            load(w, (struct state){size, bytes});
            play_on(w, &kind[i], 60 + at, 4, hash);
            assert_alike(straight + at, hash, 4, kind[i].name);
        }
        free(bytes);
        sn_world_free(w);
    }
    free_scene(NULL, m);
}

TEST(inputs_of_a_way_not_taken_leave_no_trace) {
    struct models m = make_models(0.12);
    uint64_t first[30], again[30];
    sn_world *w = make_world(&kind[0], m);
    play_on(w, &kind[0], 0, 4, NULL); /* before anything was pushed */
    const struct state s = save(w);
    play_on(w, &kind[0], 10, 30, first);
    load(w, s);
    double q[64] = {0};
    sn_model_zero_pose(m.human, q);
    q[7] = 0.5;
    const double force[3] = {0, 90, 0}, speed[64] = {1, 1, 1};
    assert_int_equal(sn_world_push(w, 3, 0, force, force, INFINITY), SN_OK);
    assert_int_equal(sn_world_set_target(w, 1, q, speed), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_FEEDFORWARD, 0, 1, speed), SN_OK);
    assert_int_equal(sn_world_set_limb(w, 0, -1, 3, SN_LIMB_LIMP, 0), SN_OK);
    assert_int_equal(sn_world_set_active(w, 5, false), SN_OK);
    for (int i = 0; i < 20; i++)
        step_world(w);
    load(w, s);
    play_on(w, &kind[0], 10, 30, again);
    assert_alike(first, again, 30, "another way");
    free(s.bytes);
    free_scene(w, m);
}

TEST(the_state_of_two_humanoids_and_six_bodies_in_contact_is_small) {
    struct models m = make_models(0.12);
    sn_world *w = make_world(&kind[0], m);
    size_t most = 0;
    for (int i = 0; i < 240; i++) {
        play(w, &kind[0], i);
        const size_t size = sn_world_save_state(w, NULL, 0);
        if (size > most) most = size;
    }
    int contacts;
    sn_world_contacts(w, 0, &contacts);
    print_message("  %d bytes at most, snapshot %d, contacts at the end %d\n", (int)most,
                  (int)sn_world_snapshot(w, NULL, 0), contacts);
    assert_true(contacts >= 20);
    assert_true(most <= 20000);
    free_scene(w, m);
}

TEST(a_state_is_refused_in_words_once_the_structure_has_changed) {
    struct models m = make_models(0.12);
    for (int change = 0; change < 5; change++) {
        sn_world *w = make_world(&kind[4], m);
        play_on(w, &kind[4], 0, 30, NULL);
        const struct state s = save(w);
        const double turn[4] = {1, 0, 0, 0};
        const sn_shape_def slab = box_of(0.5, 0.5, 0.1, 1);
        const sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        if (change == 0) member_of(w, m.box);
        if (change == 1) assert_int_equal(sn_world_remove(w, 7), SN_OK);
        if (change == 2)
            assert_true(sn_world_add_shape(w, &slab, (const double[3]){5, 0, 0}, turn, NULL) >= 0);
        if (change == 3) assert_int_equal(sn_world_remove_ground(w, 0), SN_OK);
        if (change == 4) tie_of(w, &pin);
        step_world(w);
        const uint64_t now = look(w);
        sn_error error = {0};
        assert_int_equal(sn_world_load_state(w, s.bytes, s.size, &error), SN_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "have changed"));
        assert_true(look(w) == now);
        free(s.bytes);
        sn_world_free(w);
    }
    free_scene(NULL, m);
}

TEST(a_state_fits_again_when_a_snapshot_has_brought_the_structure_back) {
    const struct begun b = begin(&kind[4], 30);
    const uint64_t now = look(b.w);
    size_t size;
    unsigned char *block = snapshot_of(b.w, &size);
    assert_int_equal(sn_world_remove(b.w, 7), SN_OK);
    assert_int_equal(sn_world_load_state(b.w, b.s.bytes, b.s.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_restore(b.w, block, size, NULL), SN_OK);
    step_world(b.w);
    load(b.w, b.s);
    assert_true(look(b.w) == now);
    free(block);
    end(b);
}

TEST(damaged_and_foreign_states_are_refused_and_change_nothing) {
    struct models m = make_models(0.12);
    sn_world *w = make_world(&kind[4], m), *other = make_world(&kind[2], m);
    play_on(w, &kind[4], 0, 60, NULL);
    const struct state s = save(w);
    const uint64_t now = look(w);
    for (size_t at = 0; at < s.size; at += 1 + s.size / 400) {
        s.bytes[at] ^= (unsigned char)(1 << at % 8);
        assert_true(sn_world_load_state(w, s.bytes, s.size, NULL) != SN_OK);
        s.bytes[at] ^= (unsigned char)(1 << at % 8);
    }
    for (size_t size = 0; size < s.size; size += 1 + s.size / 100)
        assert_int_equal(sn_world_load_state(w, s.bytes, size, NULL), SN_ERROR_FORMAT);
    assert_int_equal(sn_world_load_state(other, s.bytes, s.size, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_load_state(w, NULL, s.size, NULL), SN_ERROR_ARGUMENT);
    assert_true(look(w) == now);
    load(w, s);
    assert_true(look(w) == now);
    free(s.bytes);
    sn_world_free(w);
    sn_world_free(other);
    free_scene(NULL, m);
}

TEST(too_little_room_is_told_by_the_size_and_nothing_is_written_beyond_it) {
    const struct begun b = begin(&kind[0], 60);
    unsigned char *bytes = malloc(b.s.size + 64);
    for (size_t room = 0; room < b.s.size; room += 1 + b.s.size / 200) {
        memset(bytes, 0x5a, b.s.size + 64);
        assert_true(sn_world_save_state(b.w, bytes, room) == b.s.size);
        for (size_t i = room; i < b.s.size + 64; i++)
            assert_int_equal(bytes[i], 0x5a);
    }
    free(bytes);
    end(b);
}

int main(void) {
    return run_all("engine rollback");
}
