/* The scenes of scenes/ themselves: each runs, and a copy does the same alone and among others. */
#include "scenes/scenes.h"
#include "model_helpers.h"

#include <stdlib.h>

enum { STEPS = 60 };

static sn_world_def def_of(const struct scene_kind *kind, int copies) {
    sn_world_def def = sn_world_def_default();
    def.copies = copies;
    def.self_contact = strcmp(kind->name, "tangle") == 0;
    return def;
}

static void create(struct scene *s, const struct scene_kind *kind, int copies, uint64_t seed) {
    const sn_world_def def = def_of(kind, copies);
    if (!scene_create(s, kind->name, &def, seed)) fail_msg("%s", s->error.message);
}

static void run(struct scene *s) {
    if (!scene_run(s, STEPS)) fail_msg("%s", s->error.message);
}

TEST(every_scene_runs_and_nothing_diverges) {
    for (const struct scene_kind *kind = scene_kinds; kind->name; kind++) {
        struct scene s;
        sn_world_stats stats;
        create(&s, kind, 3, 1);
        const uint64_t before = sn_world_hash(s.world);
        run(&s);
        sn_world_get_stats(s.world, &stats);
        assert_int_equal(stats.diverged, 0);
        assert_true(sn_world_hash(s.world) != before || strcmp(kind->name, "slope") == 0);
        scene_free(&s);
    }
}

TEST(a_copy_does_the_same_alone_and_in_company) {
    for (const struct scene_kind *kind = scene_kinds; kind->name; kind++) {
        struct scene three, one;
        create(&three, kind, 3, 7);
        create(&one, kind, 1, 9); /* who copy 2 of the others is */
        run(&three);
        run(&one);
        for (int m = 0; m < sn_world_get_info(one.world).members; m++) {
            double a[SCENE_VALUES], b[SCENE_VALUES];
            const size_t size = (size_t)sn_world_size(one.world, m, SN_FIELD_Q) * sizeof *a;
            assert_int_equal(sn_world_get(three.world, m, SN_FIELD_Q, 2, 1, a), SN_OK);
            assert_int_equal(sn_world_get(one.world, m, SN_FIELD_Q, 0, 1, b), SN_OK);
            if (memcmp(a, b, size) != 0) fail_msg("%s: member %d differs", kind->name, m);
        }
        scene_free(&three);
        scene_free(&one);
    }
}

TEST(a_scene_that_does_not_exist_is_refused) {
    struct scene s;
    const sn_world_def def = sn_world_def_default();
    assert_false(scene_create(&s, "opera", &def, 1));
    assert_int_equal(s.error.status, SN_ERROR_ARGUMENT);
}

int main(void) {
    return run_all("scenes");
}
