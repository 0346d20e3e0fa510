/* Copies that diverge, are reset, stand on other ground, and are stepped by several threads. */
#include "copies_helpers.h"

static int frozen(sn_world *w) {
    double flag[MANY];
    int n = 0;
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_DIVERGED, 0, sn_world_get_info(w).copies, flag), SN_OK);
    for (int k = 0; k < sn_world_get_info(w).copies; k++)
        n += flag[k] != 0;
    return n;
}

/* Humanoids beside each other, near enough to meet, on a floor. */
static sn_world *group_of(const sn_model *model, const sn_world_def *def, int members, uint64_t seed) {
    sn_world *w = copies_of(model, def);
    scatter(w, seed);
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    for (int m = 1; m < members; m++) {
        assert_int_equal(sn_world_add(w, model, NULL), m);
        assert_int_equal(sn_world_set_gains(w, m, kp, kd), SN_OK);
        for (int k = 0; k < def->copies; k++) {
            copy_get(w, 0, k, q, qd);
            q[0] += 0.6 * m;
            copy_put(w, m, k, q, qd);
        }
    }
    floor_of(w, NULL);
    return w;
}

static void assert_state(sn_world *w, int member, int copy, const double *state, bool same) {
    const int nq = sn_world_size(w, member, SN_FIELD_Q), nv = sn_world_size(w, member, SN_FIELD_QD);
    double now[MAX_NQ + MAX_NV];
    copy_get(w, member, copy, now, now + nq);
    if (same)
        assert_memory_equal(now, state, sizeof *now * (size_t)(nq + nv));
    else
        assert_true(relative_error(now, state, nq + nv) > 1e-9);
}

/* In the wild copy the culprit stands still and the others move. Every other copy moves as in a world without the wild one. */
static void assert_frozen(sn_world *w, sn_world *calm, int wild, int culprit, double start[][MAX_NQ + MAX_NV],
                          sn_precision precision) {
    const int nq = sn_world_size(w, 0, SN_FIELD_Q), count = sn_world_get_info(w).copies;
    double flag[MANY], state[MAX_NQ + MAX_NV];
    assert_int_equal(stats_of(w).diverged, 1);
    for (int m = 0; m < sn_world_get_info(w).members; m++) {
        assert_int_equal(sn_world_get(w, m, SN_FIELD_DIVERGED, 0, count, flag), SN_OK);
        for (int k = 0; k < count; k++) {
            assert_true(flag[k] == (k == wild && m == culprit));
            assert_true(element(precision, sn_world_view(w, m, SN_FIELD_DIVERGED), k) == flag[k]);
            copy_get(calm, m, k, state, state + nq);
            if (k == wild)
                assert_state(w, m, k, start[m], m == culprit);
            else
                assert_state(w, m, k, state, true);
        }
    }
}

static void check_freezing(const sn_model *model, const sn_world_def *def, int members) {
    const int wild = def->copies / 2, culprit = members / 2, nq = sn_model_get(model)->nq;
    sn_world *w = group_of(model, def, members, 6), *calm = group_of(model, def, members, 6);
    double start[3][MAX_NQ + MAX_NV];
    make_wild(w, culprit, wild);
    for (int m = 0; m < members; m++)
        copy_get(w, m, wild, start[m], start[m] + nq);
    for (int i = 0; i < 10; i++) {
        step_many(w, 1), step_many(calm, 1);
        assert_frozen(w, calm, wild, culprit, start, def->precision);
        if (i > 0) continue;
        assert_int_equal(stats_of(w).bad_copy, wild);
        assert_int_equal(stats_of(w).bad_member, culprit);
        assert_in_range(stats_of(w).bad_dof, 0, sn_model_get(model)->nv - 1);
    }
    assert_int_equal(frozen(calm), 0);
    /* a reset clears the flag and keeps the state, unless another is given: it is as wild as before */
    uint8_t which[MANY] = {0};
    which[wild] = 1;
    assert_int_equal(sn_world_reset(w, -1, which, NULL, NULL), SN_OK);
    assert_int_equal(frozen(w), 0);
    assert_state(w, culprit, wild, start[culprit], true);
    step_many(w, 1), step_many(calm, 1);
    assert_frozen(w, calm, wild, culprit, start, def->precision);
    copy_get(calm, culprit, wild, start[culprit], start[culprit] + nq);
    assert_int_equal(sn_world_reset(w, culprit, which, start[culprit], start[culprit] + nq), SN_OK);
    assert_int_equal(frozen(w), 0);
    assert_state(w, culprit, wild, start[culprit], true);
    step_many(w, 1);
    assert_int_equal(stats_of(w).diverged, 0);
    for (int m = 0; m < members; m++)
        assert_state(w, m, wild, start[m], false);
    sn_world_free(w), sn_world_free(calm);
}

TEST(a_copy_that_diverges_is_frozen_until_it_is_reset) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int threads = 1; threads < 3; threads++) {
            sn_world_def def = copies_def(MANY, (sn_precision)precision);
            def.threads = threads;
            check_freezing(model, &def, 1);
            def.contact = SN_CONTACT_ROWS;
            def.copies = 3; /* rows are slow */
            if (!in_short() || threads == 2) check_freezing(model, &def, 3);
        }
    sn_model_free(model);
}

TEST(a_copy_that_diverges_is_frozen_until_its_state_is_set) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int way = 0; way < 3; way++) {
            const sn_world_def def = copies_def(MANY, (sn_precision)precision);
            sn_world *w = group_of(model, &def, 1, 6), *calm = group_of(model, &def, 1, 6);
            static double qd[MANY * MAX_NV], elements[MANY * MAX_NV];
            double start[MAX_NQ + MAX_NV];
            uint8_t which[MANY] = {0};
            make_wild(w, 0, 11);
            step_many(w, 3), step_many(calm, 3);
            assert_int_equal(frozen(w), 1);
            copy_get(calm, 0, 11, start, start + nq);
            copy_put(w, 0, 11, way == 0 ? start : NULL,
                     NULL); /* a pose, at a velocity that is as wild as before */
            assert_int_equal(frozen(w), way > 0);
            step_many(w, 1), step_many(calm, 1);
            assert_int_equal(frozen(w), 1);
            assert_int_equal(sn_world_get(calm, 0, SN_FIELD_QD, 0, MANY, qd), SN_OK);
            narrow(def.precision, qd, MANY * nv, elements);
            which[11] = 1;
            if (way == 2)
                assert_int_equal(sn_world_put(w, 0, SN_FIELD_QD, which, elements), SN_OK);
            else
                copy_put(w, 0, 11, NULL, qd + 11 * nv);
            assert_int_equal(frozen(w), 0);
            copy_get(w, 0, 11, start, start + nq);
            step_many(w, 1);
            assert_int_equal(stats_of(w).diverged, 0);
            assert_state(w, 0, 11, start, false);
            sn_world_free(w), sn_world_free(calm);
        }
    sn_model_free(model);
}

TEST(a_world_of_which_no_copy_moves_says_so) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int copies = 1; copies <= 3; copies += 2) {
        const sn_world_def def = copies_def(copies, SN_PRECISION_FLOAT);
        sn_world *w = group_of(model, &def, 1, 6);
        for (int k = 0; k < copies; k++) {
            if (k > 0) step_many(w, 1); /* as long as one is left */
            make_wild(w, 0, k);
        }
        const uint64_t before = sn_world_hash(w);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(sn_world_step(w), SN_ERROR_NOT_FINITE);
            assert_int_equal(stats_of(w).diverged, copies);
            assert_int_equal(stats_of(w).bad_copy, copies - 1);
            assert_int_equal(stats_of(w).bad_member, 0);
            assert_in_range(stats_of(w).bad_dof, 0, sn_model_get(model)->nv - 1);
            assert_true(sn_world_hash(w) == before);
        }
        sn_world_free(w);
    }
    sn_model_free(model);
}

/* 1e5 m/s and no more. */
TEST(a_copy_diverges_above_a_speed) {
    const sn_shape_def ball = sphere_of(0.1, 1);
    sn_model *model = free_body(&ball);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int v = 0; v < 6; v++) {
            sn_world_def def = copies_def(2, (sn_precision)precision);
            def.gravity[2] = 0;
            sn_world *w = copies_of(model, &def);
            double qd[12] = {0}, flag[2];
            qd[v] = 0.99e5, qd[6 + v] = -1.01e5;
            assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, 0, 2, qd), SN_OK);
            step_many(w, 1);
            assert_int_equal(sn_world_get(w, 0, SN_FIELD_DIVERGED, 0, 2, flag), SN_OK);
            assert_true(flag[0] == 0 && flag[1] == 1);
            assert_int_equal(stats_of(w).bad_dof, v);
            sn_world_free(w);
        }
    sn_model_free(model);
}

/* Views and single questions agree, and something touches the ground. */
static void assert_views_agree(sn_world *w, sn_precision precision) {
    struct values now;
    double touching = 0;
    values_take(w, 0, &now);
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const int n = sn_world_size(w, 0, (sn_field)f);
        const void *view = sn_world_view(w, 0, (sn_field)f);
        assert_true((view == NULL) == (n == 0));
        for (int i = 0; i < n * sn_world_get_info(w).copies; i++) {
            const double a = element(precision, view, i), b = now.of[f][i];
            if (a != b && !(fabs(a - b) <= (precision == SN_PRECISION_DOUBLE ? 1e-12 : 2e-6) * (1 + fabs(b))))
                fail_msg("field %d, value %d: a view shows %.9g, not %.9g", f, i, a, b);
            if (f == SN_FIELD_TOUCHING) touching += a;
        }
    }
    assert_true(touching > 3);
    values_free(&now);
}

/* After a reset a copy does what it does in a world that has just been made. */
static void check_reset(const sn_model *model, const sn_world_def *def) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv, size = nq + nv, count = def->copies;
    sn_world *w = copies_of(model, def), *fresh = copies_of(model, def);
    double q[MAX_NQ], qd[MAX_NV], a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV];
    static double force[MANY * MOST_SIZE];
    struct rng rng = {9};
    uint8_t which[MANY];
    scatter(w, 7), scatter(fresh, 7);
    floor_of(w, NULL), floor_of(fresh, NULL);
    step_many(w, 60);
    assert_views_agree(w, def->precision);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_CONTACT_FORCE, 0, count, force), SN_OK);
    assert_true(norm(force, count * 3 * sn_model_get(model)->nbody) > 100);
    random_state(&rng, model, 0.2, 0, q, qd);
    q[0] = q[1] = 0, q[2] = 0.7;
    for (int i = 0; i < count; i++)
        which[i] = i % 2 == 0;
    struct values before;
    values_take(w, 0, &before);
    assert_int_equal(sn_world_reset(w, 0, which, q, NULL), SN_OK);
    assert_int_equal(sn_world_reset(fresh, 0, which, q, NULL), SN_OK);
    for (int i = 0; i < count; i++) {
        double flag[MAX_NV];
        copy_get(w, 0, i, a, a + nq);
        if (!which[i]) {
            assert_same(a, before.of[SN_FIELD_Q] + i * nq, nq, 0, "not reset", SN_FIELD_Q, i);
            continue;
        }
        assert_true(norm(a + nq, nv) == 0);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_TOUCHING, i, 1, flag), SN_OK);
        assert_true(norm(flag, sn_model_get(model)->nbody) == 0);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_QDD, i, 1, flag), SN_OK);
        assert_true(norm(flag, nv) == 0);
    }
    for (int k = 0; k < 40; k++) {
        assert_int_equal(sn_world_step(w), SN_OK);
        assert_int_equal(sn_world_step(fresh), SN_OK);
    }
    for (int i = 0; i < count; i++) {
        copy_get(w, 0, i, a, a + nq);
        copy_get(fresh, 0, i, b, b + nq);
        if (which[i] && memcmp(a, b, sizeof *a * (size_t)size) != 0) fail_msg("copy %d remembers", i);
    }
    values_free(&before);
    sn_world_free(w), sn_world_free(fresh);
}

TEST(a_copy_that_is_reset_remembers_nothing) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_world_def def = copies_def(MANY, (sn_precision)precision);
        def.threads = 2;
        def.joint_limits = true;
        check_reset(model, &def);
        def.contact = SN_CONTACT_ROWS;
        def.copies = 5; /* rows are slow */
        if (!in_short() || precision == SN_PRECISION_FLOAT) check_reset(model, &def);
    }
    sn_model_free(model);
}

enum { STORY = 150 };

static uint64_t hash_of_story(const sn_model *model, int threads, sn_contact_method contact, bool views) {
    const int count = contact == SN_CONTACT_ROWS ? 7 : STORY;
    sn_world_def def = copies_def(count, SN_PRECISION_FLOAT);
    def.threads = threads;
    def.contact = contact;
    def.joint_limits = true;
    def.substeps = 2;
    sn_world *w = copies_of(model, &def);
    scatter(w, 8);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    assert_int_equal(sn_world_set_motion(w, 0, walk), SN_OK);
    sn_motion_free(walk);
    floor_of(w, NULL);
    static double push[STORY * MOST_SIZE], scale[STORY];
    struct rng rng = {1};
    for (int i = 0; i < count; i++)
        scale[i] = uniform(&rng, 0.8, 1.2);
    random_values(&rng, 20, push, count * 6 * sn_model_get(model)->nbody);
    for (int k = 0; k < 30; k++) {
        if (k == 5) assert_int_equal(sn_world_set(w, 0, SN_FIELD_PUSH, 0, count, push), SN_OK);
        if (k == 7) assert_int_equal(sn_world_set(w, 0, SN_FIELD_MASS_SCALE, 0, count, scale), SN_OK);
        if (k == 9) make_wild(w, 0, count / 2);
        assert_int_equal(sn_world_step(w), SN_OK);
        for (int f = 0; views && f < SN_FIELD_COUNT; f++)
            assert_true((sn_world_view(w, 0, (sn_field)f) == NULL) ==
                        (f == SN_FIELD_TORQUE || f == SN_FIELD_MIDDLE_QD));
    }
    assert_int_equal(stats_of(w).diverged, 1);
    const uint64_t hash = sn_world_hash(w);
    sn_world_free(w);
    return hash;
}

TEST(threads_change_no_bit) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int contact = SN_CONTACT_IMPLICIT; contact <= SN_CONTACT_NONE; contact++) {
        if (in_short() && contact == SN_CONTACT_ROWS) continue;
        const uint64_t one = hash_of_story(model, 1, (sn_contact_method)contact, false);
        assert_true(hash_of_story(model, 2, (sn_contact_method)contact, true) == one);
        if (contact == SN_CONTACT_IMPLICIT)
            assert_true(hash_of_story(model, 5, (sn_contact_method)contact, false) == one);
    }
    sn_model_free(model);
}

/* Ground that touches nothing, then hills, then a plane that carries them: each in place of the one before. */
TEST(ground_is_taken_away_and_replaced) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int contact = SN_CONTACT_IMPLICIT; contact <= SN_CONTACT_NONE; contact++) {
        sn_world_def def = copies_def(contact == SN_CONTACT_ROWS ? 3 : 11, SN_PRECISION_FLOAT);
        def.threads = 3, def.joint_limits = true, def.contact = (sn_contact_method)contact;
        sn_world *w = copies_of(model, &def);
        const double origin[3] = {0}, up[3] = {0, 0, 1}, height[9] = {0, 0.1, 0, 0.1, 0, 0.1, 0, 0.1, 0};
        const sn_heightfield_def hills = {sizeof(sn_heightfield_def), 3,     3, {20, 20},
                                          {-10, -10, -0.05},          height};
        sn_shape_def ghost = sn_shape_def_default(SN_SHAPE_BOX);
        ghost.group = ghost.mask = 0;
        double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ];
        static double force[MOST_SIZE];
        sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
        sn_model_zero_pose(model, q);
        assert_int_equal(sn_world_set_gains(w, 0, kp, kd), SN_OK);
        for (int ground = 0; ground < 3; ground++) {
            const int number = ground == 1 ? sn_world_add_heightfield(w, &hills, NULL, NULL)
                                           : sn_world_add_plane(w, origin, up, ground ? NULL : &ghost, NULL);
            assert_true(number >= 0);
            assert_int_equal(sn_world_reset(w, 0, NULL, q, NULL), SN_OK);
            step_many(w, 30);
            assert_int_equal(
                sn_world_get(w, 0, SN_FIELD_CONTACT_FORCE, sn_world_get_info(w).copies - 1, 1, force), SN_OK);
            double sum = 0;
            for (int b = 0; b < sn_model_get(model)->nbody; b++)
                sum += force[3 * b + 2];
            if (contact == SN_CONTACT_NONE || ground == 0) assert_true(sum == 0);
            /* it stands, nearly at rest */
            if (contact != SN_CONTACT_NONE && ground == 2)
                assert_near(sum / (9.81 * sn_model_get(model)->mass), 1, 0.1);
            assert_int_equal(sn_world_remove_ground(w, number), SN_OK);
        }
        step_many(w, 1);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_TOUCHING, 0, 1, force), SN_OK);
        assert_true(norm(force, sn_model_get(model)->nbody) == 0); /* there is none any more */
        assert_int_equal(stats_of(w).diverged, 0);
        sn_world_free(w);
    }
    sn_model_free(model);
}

TEST(memory_is_told_and_little) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = copies_def(2048, SN_PRECISION_FLOAT);
    sn_world *one = copies_of(model, &def);
    def.threads = 3;
    sn_world *three = copies_of(model, &def);
    floor_of(one, NULL);
    assert_in_range(sn_world_memory(one), 2048 * 8 * sn_model_get(model)->nv, 2048 * 4096);
    assert_true(sn_world_memory(three) < 2048 * 4096);
    const size_t before = sn_world_memory(three);
    assert_non_null(sn_world_view(three, 0, SN_FIELD_Q));
    assert_int_equal(sn_world_memory(three) - before, 2048 * 4 * (size_t)sn_model_get(model)->nq);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    const size_t standing = sn_world_memory(three);
    assert_int_equal(sn_world_set_motion(three, 0, walk), SN_OK);
    assert_true(sn_world_memory(three) > standing);
    const size_t walking = sn_world_memory(three);
    assert_int_equal(sn_world_set_motion(three, 0, NULL), SN_OK);
    assert_int_equal(sn_world_set_motion(three, 0, walk), SN_OK); /* a motion is kept once, for snapshots */
    assert_int_equal(sn_world_memory(three), walking);
    sn_motion_free(walk);
    sn_world_free(one), sn_world_free(three);
    sn_model_free(model);
}

int main(void) {
    return run_all("copies reset");
}
