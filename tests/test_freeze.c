/* One body whose state goes beyond all bounds: it alone is frozen, and the others go on. */
#include "world_helpers.h"

enum { BOXES = 8, COUNT_ALL = BOXES + 2 };

/* A humanoid that stands and lets its arms swing, a heap of boxes that falls beside it, and far away a box. */
struct yard {
    sn_model *human, *box;
    sn_world *world;
    int person, first, far; /* members; far: -1 where there is none */
};

static struct yard yard_of(const struct way *way, sn_precision precision, bool far) {
    struct yard y = {sn_builtin_create("humanoid", NULL), body_of(box_of(0.1, 0.1, 0.1, 2)), NULL, 0, 1, -1};
    sn_world_def def = def_of(way);
    double q[MAX_NQ];
    def.precision = precision, def.self_contact = true;
    y.world = world_of(&def);
    floor_of(y.world, NULL);
    member_of(y.world, y.human);
    uniform_gains(y.world, 0, 0, 0, 300, 20);
    stand_humanoid(y.world, 0, q);
    for (int i = 0; i < BOXES; i++) {
        member_of(y.world, y.box);
        put_body(y.world, 1 + i, (const double[3]){2 + 0.03 * (i % 3), 0.02 * i, 0.15 + 0.25 * i}, NULL,
                 NULL);
    }
    if (!far) return y;
    y.far = member_of(y.world, y.box);
    put_body(y.world, y.far, (const double[3]){50, 0, 20}, NULL, NULL);
    return y;
}

static void yard_free(struct yard *y) {
    sn_world_free(y->world);
    sn_model_free(y->human);
    sn_model_free(y->box);
}

/* A test that runs in a yard for each way of contact; far: whether the box far away is there. */
#define TEST_IN_YARDS(sentence, far)                                                                         \
    static void sentence##_in(struct yard *y);                                                               \
    TEST(sentence) {                                                                                         \
        in_yards(far, sentence##_in);                                                                        \
    }                                                                                                        \
    static void sentence##_in(struct yard *y)

static void in_yards(bool far, void (*check)(struct yard *y)) {
    for (const struct way *way = ways(); way->name[0]; way++) {
        struct yard y = yard_of(way, SN_PRECISION_DOUBLE, far);
        check(&y);
        yard_free(&y);
    }
}

/* A step in which something may be frozen. */
static void step_frozen(sn_world *world) {
    assert_int_equal(sn_world_step(world), SN_OK);
}

static void blow_up(struct yard *y, int member) {
    assert_int_equal(sn_world_push(y->world, member, 0, (const double[3]){1e30, 0, 0}, NULL, INFINITY),
                     SN_OK);
}

static bool is_frozen(sn_world *world, int member) {
    double flag;
    assert_int_equal(sn_world_get(world, member, SN_FIELD_DIVERGED, 0, 1, &flag), SN_OK);
    return flag != 0;
}

static void assert_same_bits(const struct yard *a, const struct yard *b, const char *what, int step) {
    for (int m = 0; m <= BOXES; m++)
        if (hash_fields(a->world, m, 0) != hash_fields(b->world, m, 0))
            fail_msg("%s: member %d has other bits in step %d", what, m, step);
}

TEST(what_blows_up_far_away_changes_no_bit_of_the_others) {
    for (const struct way *way = ways(); way->name[0]; way++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
            struct yard with = yard_of(way, (sn_precision)precision, true);
            struct yard without = yard_of(way, (sn_precision)precision, false);
            for (int i = 0; i < 60; i++) {
                if (i == 20) blow_up(&with, with.far);
                step_frozen(with.world), step_frozen(without.world);
                assert_same_bits(&with, &without, way->name, i);
                assert_int_equal(stats_of(with.world).diverged, i >= 20);
                assert_true(is_frozen(with.world, with.far) == (i >= 20));
                if (i < 20) continue;
                assert_int_equal(stats_of(with.world).bad_copy, 0);
                assert_int_equal(stats_of(with.world).bad_member, with.far);
                assert_int_equal(stats_of(with.world).bad_dof, 0);
            }
            yard_free(&with), yard_free(&without);
        }
}

/* The lowest box of the heap is frozen as the others are about to land on it. */
TEST_IN_YARDS(others_come_to_rest_on_what_is_frozen, false) {
    double before[7], after[7], q[MAX_NQ];
    for (int i = 0; i < 240; i++) {
        if (i == 5) blow_up(y, y->first);
        step_frozen(y->world);
        assert_int_equal(sn_world_get_state(y->world, y->first, i < 5 ? before : after, NULL), SN_OK);
        if (i >= 5) assert_memory_equal(before, after, sizeof before);
    }
    assert_true(is_frozen(y->world, y->first));
    for (int m = y->first + 1; m <= BOXES; m++) {
        assert_false(is_frozen(y->world, m));
        sn_world_get_state(y->world, m, q, NULL);
        assert_true(q[2] > 0.09);
    }
    assert_true(penetration(y->world) < 5e-3);
    assert_true(fastest(y->world) < 1);
    assert_true(lowest_point(y->world, y->person) > -5e-3);
}

TEST_IN_YARDS(what_is_frozen_goes_on_when_its_state_is_set, true) {
    double q[7], before[7];
    blow_up(y, y->far);
    step_frozen(y->world);
    assert_int_equal(sn_world_push(y->world, y->far, 0, NULL, NULL, INFINITY), SN_OK);
    step_frozen(y->world);
    assert_true(is_frozen(y->world, y->far)); /* until its state is set */
    put_body(y->world, y->person + 1, (const double[3]){5, 5, 1}, NULL, NULL);
    assert_true(is_frozen(y->world, y->far));
    put_body(y->world, y->far, (const double[3]){50, 0, 20}, NULL, NULL);
    assert_false(is_frozen(y->world, y->far));
    sn_world_get_state(y->world, y->far, before, NULL);
    step_frozen(y->world);
    sn_world_get_state(y->world, y->far, q, NULL);
    assert_true(q[2] < before[2]);
    assert_int_equal(stats_of(y->world).diverged, 0);
}

/* A constraint cannot hold to what does not move: the two are frozen together, and go on together. */
TEST_IN_YARDS(what_a_constraint_joins_is_frozen_together, true) {
    const int a = y->far, b = member_of(y->world, y->box);
    put_body(y->world, b, (const double[3]){50.3, 0, 20}, NULL, NULL);
    sn_constraint_def weld = sn_constraint_def_default(SN_CONSTRAINT_WELD);
    weld.member = a, weld.member2 = b;
    assert_true(sn_world_add_constraint(y->world, &weld, NULL) != 0);
    step_frozen(y->world);
    blow_up(y, a);
    step_frozen(y->world);
    assert_true(is_frozen(y->world, a) && is_frozen(y->world, b));
    for (int m = 0; m <= BOXES; m++)
        assert_false(is_frozen(y->world, m));
    assert_int_equal(stats_of(y->world).bad_member, a);
    assert_int_equal(sn_world_push(y->world, a, 0, NULL, NULL, INFINITY), SN_OK);
    put_body(y->world, b, (const double[3]){50.3, 0, 20}, NULL, NULL);
    assert_true(!is_frozen(y->world, a) && !is_frozen(y->world, b));
    for (int i = 0; i < 10; i++)
        step_frozen(y->world);
    assert_int_equal(stats_of(y->world).diverged, 0);
}

TEST_IN_YARDS(a_snapshot_remembers_who_is_frozen, true) {
    blow_up(y, y->far);
    for (int i = 0; i < 10; i++)
        step_frozen(y->world);
    const size_t size = sn_world_snapshot(y->world, NULL, 0);
    void *block = malloc(size);
    assert_int_equal(sn_world_snapshot(y->world, block, size), size);
    uint64_t hash[2] = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 20; i++)
            step_frozen(y->world);
        hash[round] = sn_world_hash(y->world);
        assert_true(is_frozen(y->world, y->far));
        put_body(y->world, y->far, (const double[3]){50, 0, 20}, NULL, NULL); /* thawed, and frozen again: */
        assert_int_equal(sn_world_restore(y->world, block, size, NULL), SN_OK);
        assert_true(is_frozen(y->world, y->far));
    }
    assert_true(hash[0] == hash[1]);
    free(block);
}

/* The step fails when nobody is left who moves. */
TEST_IN_YARDS(a_step_fails_when_all_are_frozen, true) {
    for (int m = 0; m < COUNT_ALL - 1; m++)
        blow_up(y, m);
    step_frozen(y->world);
    blow_up(y, y->far);
    assert_int_equal(sn_world_step(y->world), SN_ERROR_NOT_FINITE);
    assert_int_equal(stats_of(y->world).bad_member, y->far);
}

int main(void) {
    return run_all("freezing");
}
