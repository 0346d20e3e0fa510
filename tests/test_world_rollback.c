/* A scene in which members, ground and constraints come and go, taken back and repeated: the same bits. */
#include "world_helpers.h"

#include "base/hash.h"

enum { STEPS = 120, KINDS = 4 };

static const struct {
    const char *name;
    sn_contact_method contact;
    sn_stepper stepper;
    sn_precision precision;
    double sleep;
} kind[KINDS] = {
    {"implicit", SN_CONTACT_IMPLICIT, SN_STEPPER_TIME, SN_PRECISION_DOUBLE, 0},
    {"rows", SN_CONTACT_ROWS, SN_STEPPER_TIME, SN_PRECISION_DOUBLE, 0},
    {"event", SN_CONTACT_ROWS, SN_STEPPER_EVENT, SN_PRECISION_DOUBLE, 0},
    {"implicit, float, sleeping", SN_CONTACT_IMPLICIT, SN_STEPPER_TIME, SN_PRECISION_FLOAT, 0.05},
};

static sn_world_def def_of_kind(int k) {
    sn_world_def def = sn_world_def_default();
    def.contact = kind[k].contact, def.stepper = kind[k].stepper;
    def.precision = kind[k].precision, def.sleep = kind[k].sleep;
    def.iterations = 50, def.shortest = 1.0 / 16;
    def.max_contacts = 256;
    return def;
}

/* A game: the world, and what the game itself remembers and takes back with it. */
struct game {
    sn_world *world;
    const sn_model *ball, *box, *human;
    struct {
        int spawned[32], nspawned;
        int ramp;
        sn_constraint mouse;
    } memory;
};

static struct game game_of(const sn_world_def *def, const sn_model *const model[3]) {
    struct game g = {.world = world_of(def), .ball = model[0], .box = model[1], .human = model[2]};
    double q[MAX_NQ];
    g.memory.ramp = -1;
    floor_of(g.world, NULL);
    const int human = member_of(g.world, g.human);
    stand_humanoid(g.world, human, q);
    uniform_gains(g.world, human, 0, 0, 300, 30);
    for (int i = 0; i < 3; i++)
        put_body(g.world, member_of(g.world, g.box), (const double[3]){1, 0, 0.1 + 0.2 * i}, NULL, NULL);
    return g;
}

/* What happens before step i: always the same for the same i and the same memory. */
static void play(struct game *g, int i) {
    static const double turn[4] = {1, 0, 0, 0};
    sn_world *w = g->world;
    if (i % 9 == 2 && g->memory.nspawned < COUNT(g->memory.spawned)) {
        const int m = member_of(w, i % 2 ? g->ball : g->box);
        put_body(w, m, (const double[3]){0.3 * sin(i), 0.3 * cos(i), 2.2}, NULL,
                 (const double[6]){0, 0, -3, 0, 0, 0});
        g->memory.spawned[g->memory.nspawned++] = m;
    }
    if (i % 14 == 11 && g->memory.nspawned) {
        assert_int_equal(sn_world_remove(w, g->memory.spawned[0]), SN_OK);
        memmove(g->memory.spawned, g->memory.spawned + 1, sizeof(int) * (size_t)--g->memory.nspawned);
    }
    if (i % 40 == 7) {
        const sn_shape_def slab = box_of(0.4, 0.4, 0.05, 1);
        g->memory.ramp = sn_world_add_shape(w, &slab, (const double[3]){0.1 * (i % 3), 0, 1.8}, turn, NULL);
        assert_true(g->memory.ramp >= 0);
    }
    if (i % 40 == 27) assert_int_equal(sn_world_remove_ground(w, g->memory.ramp), SN_OK);
    if (i % 50 == 20) {
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
        d.member = 2, d.stiffness = 100, d.damping = 10, d.target[2] = 1;
        g->memory.mouse = sn_world_add_constraint(w, &d, NULL);
        assert_true(g->memory.mouse != 0);
    }
    if (i % 50 == 45) assert_int_equal(sn_world_remove_constraint(w, g->memory.mouse), SN_OK);
    if (i % 30 == 15) {
        const double force[3] = {200, 0, 0};
        assert_int_equal(sn_world_push(w, 0, 1, i % 60 == 15 ? force : NULL, NULL, INFINITY), SN_OK);
    }
}

/* All that can be seen of copy 0. */
static uint64_t look(struct game *g) {
    uint64_t hash = sn_world_hash(g->world);
    const double time = sn_world_time(g->world);
    hash = sn__hash(&time, sizeof time, hash);
    for (int i = 0; i < sn_world_get_info(g->world).members; i++) {
        const sn_member m = sn_world_member(g->world, i);
        const uint64_t fields = m >= 0 ? hash_fields(g->world, m, 0) : 0;
        hash = sn__hash(&fields, sizeof fields, hash);
    }
    const uint64_t contacts = hash_contacts(g->world, 0);
    hash = sn__hash(&contacts, sizeof contacts, hash);
    double force[6];
    const int rows = constraint_force(g->world, g->memory.mouse, 0, force);
    if (rows > 0) hash = sn__hash(force, sizeof *force * (size_t)rows, hash);
    return sn__hash(&rows, sizeof rows, hash);
}

static void play_on(struct game *g, int first, int steps, uint64_t *hash) {
    for (int i = 0; i < steps; i++) {
        play(g, first + i);
        step_world(g->world);
        if (hash) hash[i] = look(g);
    }
}

static void assert_alike(const uint64_t *a, const uint64_t *b, int n, int k, const char *which) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) fail_msg("%s, %s: other bits after %d steps", kind[k].name, which, i + 1);
}

struct saved {
    unsigned char *bytes;
    size_t size;
    struct game game; /* for its memory */
};

static struct saved save(const struct game *g) {
    struct saved s = {.size = sn_world_snapshot(g->world, NULL, 0), .game = *g};
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(sn_world_snapshot(g->world, s.bytes, s.size), s.size);
    return s;
}

static void load(struct game *g, const struct saved *s) {
    sn_error error;
    if (sn_world_restore(g->world, s->bytes, s->size, &error)) fail_msg("%s", error.message);
    g->memory = s->game.memory;
}

static void make_models(sn_model *model[3]) {
    const sn_shape_def ball = sphere_of(0.1, 1), box = box_of(0.1, 0.1, 0.1, 1);
    model[0] = free_body(&ball), model[1] = free_body(&box);
    model[2] = sn_builtin_create("humanoid", NULL);
    assert_non_null(model[2]);
}

static void free_models(sn_model *model[3]) {
    for (int i = 0; i < 3; i++)
        sn_model_free(model[i]);
}

static void for_each_kind(void (*check)(int k, const sn_world_def *def, const sn_model *const *model)) {
    sn_model *model[3];
    make_models(model);
    for (int k = 0; k < KINDS; k++) {
        const sn_world_def def = def_of_kind(k);
        check(k, &def, (const sn_model *const *)model);
    }
    free_models(model);
}

/* A test with worlds of every kind: k, its definition, and the three models. */
#define TEST_EACH_KIND(sentence)                                                                             \
    static void sentence##_in(int k, const sn_world_def *def, const sn_model *const *model);                 \
    TEST(sentence) {                                                                                         \
        for_each_kind(sentence##_in);                                                                        \
    }                                                                                                        \
    static void sentence##_in(__attribute__((unused)) int k, const sn_world_def *def,                        \
                              const sn_model *const *model)

/* A game that has gone on for that number of steps, and what it was then. */
static void leave(struct game *g, struct saved *s) {
    free(s->bytes);
    sn_world_free(g->world);
}

static struct game played(const sn_world_def *def, const sn_model *const *model, int steps, struct saved *s) {
    struct game g = game_of(def, model);
    play_on(&g, 0, steps, NULL);
    *s = save(&g);
    return g;
}

TEST_EACH_KIND(a_scene_with_spawns_and_removals_repeats_bit_by_bit) {
    uint64_t first[STEPS], again[STEPS];
    struct saved s;
    struct game g = played(def, model, 35, &s);
    const uint64_t now = look(&g);
    play_on(&g, 35, STEPS, first);
    assert_true(first[0] != first[STEPS - 1]);
    for (int round = 0; round < 2; round++) {
        load(&g, &s);
        assert_true(look(&g) == now);
        play_on(&g, 35, STEPS, again);
        assert_alike(first, again, STEPS, k, round ? "a second time" : "the first time");
    }
    leave(&g, &s);
}

/* Rollback as a game does it: every few steps back by a few, across spawns and removals. */
TEST_EACH_KIND(many_short_returns_change_nothing) {
    enum { BACK = 12 };
    uint64_t straight[STEPS], hash[BACK];
    struct game g = game_of(def, model);
    play_on(&g, 0, STEPS, straight);
    sn_world_free(g.world);
    g = game_of(def, model);
    for (int i = 0; i + BACK <= STEPS; i += 5) {
        const struct saved s = save(&g);
        play_on(&g, i, BACK, hash);
        assert_alike(straight + i, hash, BACK, k, "ahead");
        load(&g, &s);
        play_on(&g, i, 5, hash);
        assert_alike(straight + i, hash, 5, k, "back");
        free(s.bytes);
    }
    sn_world_free(g.world);
}

/* What a game did wrong on the way, other things than the first time, leaves no trace. */
TEST_EACH_KIND(what_was_done_on_a_way_not_taken_leaves_no_trace) {
    uint64_t first[40], again[40];
    struct saved s;
    struct game g = played(def, model, 30, &s);
    play_on(&g, 30, 40, first);
    load(&g, &s);
    for (int i = 0; i < 25; i++) { /* a rain of balls, the boxes gone, the floor gone */
        put_body(g.world, member_of(g.world, g.ball), (const double[3]){0.25 * i - 3, 1, 1}, NULL, NULL);
        if (i == 5) assert_int_equal(sn_world_remove(g.world, 2), SN_OK);
        if (i == 9) assert_int_equal(sn_world_remove(g.world, 0), SN_OK);
        if (i == 12) assert_int_equal(sn_world_remove_ground(g.world, 0), SN_OK);
        step_world(g.world);
    }
    load(&g, &s);
    play_on(&g, 30, 40, again);
    assert_alike(first, again, 40, k, "after another way");
    leave(&g, &s);
}

TEST_EACH_KIND(a_block_goes_into_a_fresh_world_that_knows_the_models) {
    uint64_t first[60], again[60];
    struct saved s;
    struct game g = played(def, model, 60, &s);
    play_on(&g, 60, 60, first);
    struct game fresh = {.world = world_of(def), .ball = model[0], .box = model[1], .human = model[2]};
    for (int i = 2; i >= 0; i--) /* held at some time, in another order */
        assert_int_equal(sn_world_remove(fresh.world, member_of(fresh.world, model[i])), SN_OK);
    load(&fresh, &s);
    play_on(&fresh, 60, 60, again);
    assert_alike(first, again, 60, k, "in a fresh world");
    free(s.bytes);
    sn_world_free(g.world);
    sn_world_free(fresh.world);
}

TEST_EACH_KIND(a_block_with_a_model_never_seen_is_refused_and_changes_nothing) {
    struct saved s;
    struct game g = played(def, model, 60, &s);
    for (int missing = 0; missing < 3; missing++) {
        struct game other = {.world = world_of(def)};
        floor_of(other.world, NULL);
        for (int i = 0; i < 3; i++)
            if (i != missing) member_of(other.world, model[i]);
        for (int i = 0; i < 5; i++)
            step_world(other.world);
        const struct saved before = save(&other);
        const uint64_t seen = look(&other);
        sn_error error = {0};
        assert_int_equal(sn_world_restore(other.world, s.bytes, s.size, &error), SN_ERROR_FORMAT);
        assert_true(strlen(error.message) > 10);
        assert_true(look(&other) == seen);
        const struct saved after = save(&other);
        assert_true(before.size == after.size && memcmp(before.bytes, after.bytes, after.size) == 0);
        free(before.bytes);
        free(after.bytes);
        sn_world_free(other.world);
    }
    leave(&g, &s);
}

TEST_EACH_KIND(a_damaged_block_is_refused_and_changes_nothing) {
    struct saved s;
    struct game g = played(def, model, 60, &s);
    const uint64_t seen = look(&g);
    for (size_t at = 0; at < s.size; at += 1 + s.size / 500) {
        s.bytes[at] ^= (unsigned char)(1 << at % 8);
        assert_int_equal(sn_world_restore(g.world, s.bytes, s.size, NULL), SN_ERROR_FORMAT);
        s.bytes[at] ^= (unsigned char)(1 << at % 8);
    }
    assert_true(look(&g) == seen);
    uint64_t first[30], again[30];
    play_on(&g, 60, 30, first);
    load(&g, &s);
    play_on(&g, 60, 30, again);
    assert_alike(first, again, 30, k, "after refusals");
    leave(&g, &s);
}

TEST_EACH_KIND(the_size_of_a_block_does_not_grow_while_only_the_state_changes) {
    struct game g = game_of(def, model);
    const size_t size = sn_world_snapshot(g.world, NULL, 0);
    assert_true(size > 0);
    for (int i = 0; i < STEPS; i++) { /* stands, is pushed, falls among the boxes */
        const double force[3] = {500, 0, 0};
        if (i == 20) assert_int_equal(sn_world_push(g.world, 0, 1, force, NULL, INFINITY), SN_OK);
        step_world(g.world);
        assert_true(sn_world_snapshot(g.world, NULL, 0) == size);
    }
    sn_world_free(g.world);
}

int main(void) {
    return run_all("world rollback");
}
