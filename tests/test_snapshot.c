/* Snapshots: a world taken back goes on with the same bits. */
#include "snapshot_helpers.h"

TEST(a_world_taken_back_goes_on_with_the_same_bits) {
    for (enum kind kind = 0; kind < KINDS; kind++) {
        uint64_t first[AFTER], again[AFTER];
        struct scene s = make_scene(kind);
        run_snapshot_scene(&s, kind, 0, BEFORE, NULL);
        size_t size, size_again;
        unsigned char *bytes = snapshot_of(s.world, &size);
        const struct scene then = s;
        const uint64_t now = hash_scene(&s);
        run_snapshot_scene(&s, kind, BEFORE, AFTER, first);
        assert_true(first[AFTER - 1] != first[0]);

        sn_error error;
        memcpy(s.tie, then.tie, sizeof s.tie);
        if (sn_world_restore(s.world, bytes, size, &error))
            fail_msg("%s: %s", kind_name[kind], error.message);
        assert_true(hash_scene(&s) == now);
        unsigned char *same = snapshot_of(s.world, &size_again);
        assert_true(size == size_again && memcmp(bytes, same, size) == 0);
        run_snapshot_scene(&s, kind, BEFORE, AFTER, again);
        compare_hashes(first, again, kind, "the same world");

        struct scene other = make_scene(kind);
        memcpy(other.tie, then.tie, sizeof other.tie);
        if (sn_world_restore(other.world, bytes, size, &error))
            fail_msg("%s: %s", kind_name[kind], error.message);
        assert_true(hash_scene(&other) == now);
        run_snapshot_scene(&other, kind, BEFORE, AFTER, again);
        compare_hashes(first, again, kind, "a new world");
        free(bytes);
        free(same);
        free_scene(&s);
        free_scene(&other);
    }
}

TEST(constraints_come_back_with_their_handles) {
    struct scene s = make_scene(TIED), bare = make_scene(TIED);
    const sn_constraint old = s.tie[3];
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    sn_constraint many[40];
    d.stiffness = 1;
    assert_int_equal(sn_world_remove_constraint(s.world, old), SN_OK);
    for (int i = 0; i < COUNT(many); i++)
        many[i] = tie_of(s.world, &d);
    run_snapshot_scene(&s, TIED, 0, 20, NULL);
    size_t size;
    unsigned char *bytes = snapshot_of(s.world, &size);
    assert_int_equal(sn_world_restore(bare.world, bytes, size, NULL), SN_OK);
    double force[6], same[6];
    for (int i = 0; i < COUNT(many); i++) {
        assert_int_equal(constraint_force(s.world, many[i], 0, force), 3);
        assert_int_equal(constraint_force(bare.world, many[i], 0, same), 3);
        assert_memory_equal(force, same, 3 * sizeof *force);
    }
    assert_int_equal(constraint_force(bare.world, old, 0, force), -1);
    run_snapshot_scene(&s, TIED, 20, 50, NULL);
    run_snapshot_scene(&bare, TIED, 20, 50, NULL);
    memcpy(bare.tie, s.tie, sizeof s.tie);
    assert_true(hash_scene(&s) == hash_scene(&bare));
    /* the next one added gets the same handle in both */
    assert_true(sn_world_remove_constraint(s.world, many[7]) == SN_OK);
    assert_true(sn_world_remove_constraint(bare.world, many[7]) == SN_OK);
    assert_true(tie_of(s.world, &d) == tie_of(bare.world, &d));
    free(bytes);
    free_scene(&s);
    free_scene(&bare);
}

TEST(an_empty_world_has_a_snapshot) {
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    size_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
    assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
    assert_true(sn_world_time(world) == 0);
    free(bytes);
    sn_world_free(world);
}

int main(void) {
    return run_all("snapshots");
}
