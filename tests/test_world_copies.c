/* A copy of a scene gives the same bits alone and in any company: in any place, with any number of threads, beside
   copies that diverge. */
#include "world_helpers.h"

#include "base/hash.h"

enum { COPIES = 5 };

/* --------------------------------------------------------------------------------------------------- scenes */

enum kind {
    IMPLICIT,
    ROWS,
    SELF,
    SELF_IMPLICIT,
    MEETING,
    MEETING_ROWS,
    CONSTRAINED,
    BOUNCING,
    EVENT,
    FLOAT,
    SLEEPING,
    HILLS,
    KINDS
};

static const char *const kind_name[KINDS] = {"implicit",
                                             "rows",
                                             "self contact, rows",
                                             "self contact, implicit",
                                             "two that meet, implicit",
                                             "two that meet, rows",
                                             "constraints",
                                             "balls that bounce",
                                             "event stepper",
                                             "float",
                                             "sleeping",
                                             "height field"};

static sn_world_def def_of_kind(enum kind kind, int copies) {
    sn_world_def def = sn_world_def_default();
    def.copies = copies;
    if (kind == ROWS || kind == SELF || kind == MEETING_ROWS || kind == EVENT) def.contact = SN_CONTACT_ROWS;
    if (kind == SELF || kind == SELF_IMPLICIT) def.self_contact = true;
    if (kind == EVENT) def.stepper = SN_STEPPER_EVENT, def.shortest = 1.0 / 64;
    if (kind == FLOAT) def.precision = SN_PRECISION_FLOAT;
    if (kind == SLEEPING) def.sleep = 0.1;
    if (kind == ROWS || kind == IMPLICIT) def.report_torque = true;
    def.max_contacts = 128;
    return def;
}

struct models {
    sn_model *human, *ball, *box;
};

static struct models make_models(void) {
    sn_shape_def ball = sphere_of(0.15, 5), box = box_of(0.2, 0.15, 0.1, 4);
    ball.restitution = 0.6;
    return (struct models){sn_builtin_create("humanoid", NULL), free_body(&ball), free_body(&box)};
}

static void free_models(struct models *m) {
    sn_model_free(m->human);
    sn_model_free(m->ball);
    sn_model_free(m->box);
}

struct scene {
    sn_world *world;
    enum kind kind;
    sn_constraint tie[2];
};

static struct scene scene_of(const struct models *m, enum kind kind, const sn_world_def *def) {
    struct scene s = {.world = world_of(def), .kind = kind};
    if (kind == HILLS) {
        double height[21 * 21];
        for (int i = 0; i < 21 * 21; i++)
            height[i] = 0.08 * sin(0.8 * (i % 21)) * cos(0.7 * (i / 21));
        const sn_heightfield_def field = {sizeof(sn_heightfield_def), 21, 21, {8, 8}, {-4, -4, 0}, height};
        assert_true(sn_world_add_heightfield(s.world, &field, NULL, NULL) >= 0);
    } else
        floor_of(s.world, NULL);
    if (kind == EVENT || kind == SLEEPING || kind == BOUNCING) {
        member_of(s.world, m->box);
        member_of(s.world, kind == SLEEPING ? m->box : m->ball);
        return s;
    }
    uniform_gains(s.world, member_of(s.world, m->human), 0, 0, 300, 30);
    if (kind == MEETING || kind == MEETING_ROWS)
        uniform_gains(s.world, member_of(s.world, m->human), 0, 0, 300, 30);
    if (kind != CONSTRAINED) return s;
    member_of(s.world, m->box);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.body = 3, d.member2 = 1, d.max_force = 500;
    s.tie[0] = sn_world_add_constraint(s.world, &d, NULL);
    d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    d.body = 5, d.stiffness = 200, d.damping = 20, d.target[2] = 1.5;
    s.tie[1] = sn_world_add_constraint(s.world, &d, NULL);
    assert_true(s.tie[0] && s.tie[1]);
    return s;
}

/* State, target and parameters of copy k of the many, put into copy `at`. */
static void set_copy(struct scene *s, int k, int at) {
    struct rng rng = {(uint64_t)(100 + k)};
    for (int i = 0; i < sn_world_get_info(s->world).members; i++) {
        const sn_model *model = sn_world_model(s->world, i);
        double q[MAX_NQ], qd[MAX_NV], target[MAX_NQ];
        const double scale = 1 + 0.1 * k, rough = 1 / (1 + 0.1 * k);
        random_state(&rng, model, s->kind == SELF || s->kind == SELF_IMPLICIT ? 1.2 : 0.3, 1, q, qd);
        sn_model_zero_pose(model, target);
        q[0] = 0.35 * i + 0.01 * k, q[1] = 0, q[2] = sn_model_get(model)->nbody > 1 ? 0.95 : 0.3 + 0.5 * i;
        if (s->kind == SLEEPING) { /* two boxes that lie, one in contact with the other in some copies */
            sn_model_zero_pose(model, q);
            memset(qd, 0, sizeof qd);
            q[0] = 0.4 * i + 0.01 * (k % 2), q[2] = 0.1 + 0.02 * k;
        }
        assert_int_equal(sn_world_set(s->world, i, SN_FIELD_Q, at, 1, q), SN_OK);
        assert_int_equal(sn_world_set(s->world, i, SN_FIELD_QD, at, 1, qd), SN_OK);
        assert_int_equal(sn_world_set(s->world, i, SN_FIELD_TARGET_Q, at, 1, target), SN_OK);
        assert_int_equal(sn_world_set(s->world, i, SN_FIELD_MASS_SCALE, at, 1, &scale), SN_OK);
        assert_int_equal(sn_world_set(s->world, i, SN_FIELD_FRICTION, at, 1, &rough), SN_OK);
    }
    if (s->kind == CONSTRAINED) {
        const double target[3] = {0.1 * k, 0, 1.5};
        assert_int_equal(sn_world_set_constraint(s->world, s->tie[1], at, target, NULL), SN_OK);
    }
}

/* All that can be seen of one copy. */
static uint64_t look(struct scene *s, int copy) {
    uint64_t hash = hash_contacts(s->world, copy);
    for (int i = 0; i < sn_world_get_info(s->world).members; i++) {
        const uint64_t fields = sn_world_model(s->world, i) ? hash_fields(s->world, i, copy) : 0;
        hash = sn__hash(&fields, sizeof fields, hash);
    }
    for (int i = 0; i < COUNT(s->tie); i++) {
        double force[6];
        const int rows = constraint_force(s->world, s->tie[i], copy, force);
        if (rows > 0) hash = sn__hash(force, sizeof *force * (size_t)rows, hash);
    }
    return hash;
}

static int steps_of(enum kind kind) {
    return FAST ? 50 : kind == SLEEPING ? 200 : 90;
}

/* ---------------------------------------------------------------------------------------------------- company */

/* Copies together in one world, and each of them alone in a world of its own. */
static void company_of(const struct models *m, enum kind kind, struct scene *many,
                       struct scene alone[COPIES]) {
    sn_world_def def = def_of_kind(kind, COPIES);
    *many = scene_of(m, kind, &def);
    def.copies = 1, def.lanes = sn_world_get_info(many->world).lanes;
    for (int k = 0; k < COPIES; k++) {
        set_copy(many, k, k);
        alone[k] = scene_of(m, kind, &def);
        set_copy(&alone[k], k, 0);
    }
}

static void company_free(struct scene *many, struct scene alone[COPIES]) {
    sn_world_free(many->world);
    for (int k = 0; k < COPIES; k++)
        sn_world_free(alone[k].world);
}

static void for_each_kind(void (*check)(enum kind kind, const struct models *m)) {
    struct models m = make_models();
    for (enum kind kind = 0; kind < KINDS; kind++)
        check(kind, &m);
    free_models(&m);
}

/* A test that runs with each kind of scene, which is made of `m`. */
#define TEST_EACH_KIND(sentence)                                                                             \
    static void sentence##_in(enum kind kind, const struct models *m);                                       \
    TEST(sentence) {                                                                                         \
        for_each_kind(sentence##_in);                                                                        \
    }                                                                                                        \
    static void sentence##_in(enum kind kind, const struct models *m)

TEST_EACH_KIND(a_copy_has_the_bits_it_has_alone) {
    struct scene many, alone[COPIES];
    company_of(m, kind, &many, alone);
    int touched = 0;
    for (int i = 0; i < steps_of(kind); i++) {
        step_world(many.world);
        for (int k = 0; k < COPIES; k++) {
            step_world(alone[k].world);
            if (look(&many, k) != look(&alone[k], 0))
                fail_msg("%s: copy %d has other bits after %d steps", kind_name[kind], k, i + 1);
            touched += contact_count(alone[k].world);
        }
    }
    assert_true(touched > 0);
    company_free(&many, alone);
}

static const sn_lanes_info *lanes_named(const char *name) {
    const sn_lanes_info *info;
    for (int i = 0; (info = sn_lanes_get(i)); i++)
        if (strcmp(info->name, name) == 0) return info;
    fail_msg("no lanes are called %s", name);
    return NULL;
}

/* Whatever lanes each world chooses for itself, the bits agree where both fuse their multiply-adds, or neither. */
TEST_EACH_KIND(the_number_of_copies_changes_no_bits) {
    static const int numbers[] = {1, 2, 3, 8, 17};
    uint64_t first = 0;
    bool fma = false;
    for (int i = 0; i < COUNT(numbers); i++) {
        const sn_world_def def = def_of_kind(kind, numbers[i]);
        struct scene s = scene_of(m, kind, &def);
        for (int k = 0; k < numbers[i]; k++)
            set_copy(&s, k == numbers[i] - 1 ? 0 : k + 1, k); /* the one we look at stands last */
        for (int k = 0; k < (FAST ? 20 : 70); k++)
            step_world(s.world);
        const uint64_t hash = look(&s, numbers[i] - 1);
        const sn_lanes_info *lanes = lanes_named(sn_world_get_info(s.world).lanes);
        if (i == 0) first = hash, fma = lanes->fma;
        if (lanes->fma == fma && hash != first)
            fail_msg("%s: other bits among %d copies in %s", kind_name[kind], numbers[i], lanes->name);
        sn_world_free(s.world);
    }
}

TEST_EACH_KIND(the_number_of_threads_changes_no_bits) {
    static const int threads[] = {1, 2, 3, 7, 0};
    enum { MANY = 19 };
    uint64_t first[40];
    for (int t = 0; t < COUNT(threads); t++) {
        sn_world_def def = def_of_kind(kind, MANY);
        def.threads = threads[t];
        struct scene s = scene_of(m, kind, &def);
        for (int k = 0; k < MANY; k++)
            set_copy(&s, k % 9, k);
        for (int i = 0; i < (FAST ? 5 : COUNT(first)); i++) {
            step_world(s.world);
            const uint64_t hash = sn_world_hash(s.world) ^ hash_contacts(s.world, MANY - 1);
            if (t == 0) first[i] = hash;
            if (hash != first[i])
                fail_msg("%s: other bits with %d threads after %d steps", kind_name[kind], threads[t], i + 1);
        }
        sn_world_free(s.world);
    }
}

TEST_EACH_KIND(copies_with_the_same_state_stay_the_same) {
    const sn_world_def def = def_of_kind(kind, COPIES);
    struct scene s = scene_of(m, kind, &def);
    for (int k = 0; k < COPIES; k++)
        set_copy(&s, 2, k);
    for (int i = 0; i < 30; i++) {
        step_world(s.world);
        for (int k = 1; k < COPIES; k++)
            if (look(&s, k) != look(&s, 0))
                fail_msg("%s: copy %d went another way after %d steps", kind_name[kind], k, i + 1);
    }
    sn_world_free(s.world);
}

/* -------------------------------------------------------------------------------------------------- divergence */

TEST_EACH_KIND(a_copy_that_diverges_is_frozen_and_the_others_notice_nothing) {
    enum { BAD = 2 };
    const sn_world_def def = def_of_kind(kind, COPIES);
    struct scene s = scene_of(m, kind, &def), same = scene_of(m, kind, &def);
    for (int k = 0; k < COPIES; k++)
        set_copy(&s, k, k), set_copy(&same, k, k);
    double push[6 * MAX_NV] = {0}, flag[COPIES], q[2][MAX_NQ], qd[2][MAX_NV];
    push[0] = 1e30;
    for (int i = 0; i < 10; i++)
        step_world(s.world), step_world(same.world);
    assert_int_equal(sn_world_set(s.world, 0, SN_FIELD_PUSH, BAD, 1, push), SN_OK);
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_Q, BAD, 1, q[0]), SN_OK);
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_QD, BAD, 1, qd[0]), SN_OK);
    const sn_model *model = sn_world_model(s.world, 0);
    for (int i = 0; i < 30; i++) {
        step_world(s.world);
        step_world(same.world);
        const sn_world_stats stats = stats_of(s.world);
        assert_int_equal(stats.diverged, 1);
        assert_int_equal(stats.bad_copy, BAD);
        for (int k = 0; k < COPIES; k++)
            if (k != BAD && look(&s, k) != look(&same, k))
                fail_msg("%s: copy %d has other bits after %d steps", kind_name[kind], k, i + 1);
    }
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_DIVERGED, 0, COPIES, flag), SN_OK);
    for (int k = 0; k < COPIES; k++)
        assert_true(flag[k] == (k == BAD));
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_Q, BAD, 1, q[1]), SN_OK);
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_QD, BAD, 1, qd[1]), SN_OK);
    assert_memory_equal(q[0], q[1], sizeof **q * (size_t)sn_model_get(model)->nq);
    assert_memory_equal(qd[0], qd[1], sizeof **qd * (size_t)sn_model_get(model)->nv);
    push[0] = 0;
    assert_int_equal(sn_world_set(s.world, 0, SN_FIELD_PUSH, BAD, 1, push), SN_OK);
    const uint8_t which[COPIES] = {[BAD] = 1};
    assert_int_equal(sn_world_reset(s.world, -1, which, NULL, NULL), SN_OK);
    step_world(s.world);
    assert_int_equal(stats_of(s.world).diverged, 0);
    assert_int_equal(sn_world_get(s.world, 0, SN_FIELD_Q, BAD, 1, q[1]), SN_OK);
    assert_memory_not_equal(q[0], q[1], sizeof **q * (size_t)sn_model_get(model)->nq); /* it moves again */
    sn_world_free(s.world);
    sn_world_free(same.world);
}

/* ------------------------------------------------------------------------------------------- edits and snapshots */

/* Members come and go in all copies at once; each copy is still what it would be alone. */
TEST_EACH_KIND(edits_of_many_copies_are_those_of_one) {
    struct scene many, alone[COPIES];
    company_of(m, kind, &many, alone);
    int spawned = -1;
    for (int i = 0; i < 40; i++) {
        for (int k = -1; k < COPIES; k++) {
            sn_world *w = k < 0 ? many.world : alone[k].world;
            if (i == 5 || i == 25) {
                const int number = member_of(w, i == 5 ? m->ball : m->box);
                assert_true(k < 0 || number == spawned);
                spawned = number;
                put_body(w, number, (const double[3]){0.1, 0, 2}, NULL, (const double[6]){0, 0, -5});
            }
            if (i == 20) assert_int_equal(sn_world_remove(w, spawned), SN_OK);
            step_world(w);
        }
        for (int k = 0; k < COPIES; k++)
            if (look(&many, k) != look(&alone[k], 0))
                fail_msg("%s: copy %d has other bits after %d steps", kind_name[kind], k, i + 1);
    }
    company_free(&many, alone);
}

TEST_EACH_KIND(many_copies_are_taken_back_together) {
    const sn_world_def def = def_of_kind(kind, COPIES);
    struct scene s = scene_of(m, kind, &def);
    uint64_t first[COPIES];
    for (int k = 0; k < COPIES; k++)
        set_copy(&s, k, k);
    for (int i = 0; i < 20; i++)
        step_world(s.world);
    const size_t size = sn_world_snapshot(s.world, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_int_equal(sn_world_snapshot(s.world, bytes, size), size);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 30; i++)
            step_world(s.world);
        for (int k = 0; k < COPIES; k++) {
            if (round == 0) first[k] = look(&s, k);
            if (look(&s, k) != first[k]) fail_msg("%s: copy %d has other bits", kind_name[kind], k);
        }
        assert_int_equal(sn_world_restore(s.world, bytes, size, NULL), SN_OK);
    }
    free(bytes);
    sn_world_free(s.world);
}

int main(void) {
    return run_all("world copies");
}
