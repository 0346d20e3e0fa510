/* Rows of contacts and limits in scenes: their conditions are met, by either solver. */
#include "row_view.h"
#include "study_helpers.h"

enum scene { STANDING, FALLING, RAGDOLL, PILE, SLOPE, SCENES };
static const char *const scene_name[] = {"standing", "falling", "ragdoll", "pile", "box on a slope"};

/* Returns the model its members share, to be freed after the world. */
static sn_model *make_scene(enum scene scene, const sn_world_def *def, sn_world **world) {
    sn_world *w = *world = world_of(def);
    double q[MAX_NQ];
    if (scene <= RAGDOLL) {
        floor_of(w, NULL);
        sn_model *model = sn_builtin_create("humanoid", NULL);
        const int c = member_of(w, model);
        if (scene != RAGDOLL) uniform_gains(w, c, 0, 0, 1000, 100);
        stand_humanoid(w, c, q);
        if (scene == STANDING) return model;
        q[2] += 0.3;
        turn_about((const double[3]){0.6, 0.8, 0}, 0.7, q + 3);
        assert_int_equal(sn_world_set_state(w, c, q, NULL), SN_OK);
        return model;
    }
    const double a = 0.3, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0};
    const sn_shape_def shape = scene == PILE ? capsule_of(0.05, 0.1, 1) : box_of(0.2, 0.15, 0.1, 3);
    sn_model *model = free_body(&shape);
    if (scene == PILE) {
        floor_of(w, NULL);
        struct rng rng = {5};
        for (int i = 0; i < 10; i++) {
            double rot[4];
            random_quaternion(&rng, rot);
            const double pos[3] = {uniform(&rng, -0.1, 0.1), uniform(&rng, -0.1, 0.1), 0.2 + 0.15 * i};
            put_body(w, member_of(w, model), pos, rot, NULL);
        }
    } else {
        double rot[4];
        turn_about((const double[3]){0, -1, 0}, a, rot);
        assert_true(sn_world_add_plane(w, zero, normal, NULL, NULL) >= 0);
        put_body(w, member_of(w, model), (const double[3]){-0.1 * sin(a), 0, 0.1 * cos(a)}, rot, NULL);
    }
    return model;
}

TEST(rows_meet_their_conditions_at_exact_settings) {
    struct worst told[2] = {{0}}, seen[2] = {{0}};
    for (int scene = 0; scene < SCENES; scene++) {
        const int limp = scene == RAGDOLL;
        sn_world_def def = rows_def();
        def.setting = SN_SETTING_EXACT;
        sn_world *w;
        sn_model *model = make_scene((enum scene)scene, &def, &w);
        double most[2] = {0, 0};
        int iterations = 0, rows = 0;
        for (int k = 0; k < 480; k++) {
            step_world(w);
            most[0] = fmax(most[0], stats_of(w).residual);
            most[1] = fmax(most[1], true_residual(w));
            iterations = stats_of(w).iterations > iterations ? stats_of(w).iterations : iterations;
            rows = stats_of(w).rows > rows ? stats_of(w).rows : rows;
            worst_add(&told[limp], stats_of(w).residual, "%s, step %d", scene_name[scene], k);
            worst_add(&seen[limp], true_residual(w), "%s, step %d", scene_name[scene], k);
        }
        print_message("  %s: residual %.2g as told, %.2g as seen; at most %d iterations, %d rows\n",
                      scene_name[scene], most[0], most[1], iterations, rows);
        sn_world_free(w);
        sn_model_free(model);
    }
    assert_worst(&told[0], 1e-6, "residual as told, m/s");
    assert_worst(&seen[0], 1e-6, "residual as seen, m/s");
    /* a limp body turns on points at many heights, whose friction contradicts itself (subspace.c): slow to
       the end */
    assert_worst(&told[1], 1e-5, "residual as told, limp, m/s");
    assert_worst(&seen[1], 1e-5, "residual as seen, limp, m/s");
}

/* Both step from the same state, again and again, so that nothing but the solver makes a difference. A
   pyramid on a rank-deficient matrix can have more than one answer: two that both meet all conditions are
   both right. */
TEST(worlds_step_alike_under_either_solver) {
    static const sn_friction friction[] = {SN_FRICTION_PYRAMID, SN_FRICTION_ONE_WAY};
    static const char *const friction_name[] = {"pyramid", "one way"};
    struct worst alike = {0}, residual = {0};
    int steps = 0, cycling = 0, two_answers = 0;
    for (int scene = 0; scene < SCENES; scene++)
        for (int k = 0; k < COUNT(friction); k++) {
            if (scene == PILE) continue; /* too many rows for pivoting in a test */
            sn_world_def def = rows_def();
            def.friction = friction[k];
            def.iterations = 200000, def.tolerance = 1e-13;
            def.products =
                SN_PRODUCTS_EXPLICIT; /* others are looked at again only where rows turn things far */
            sn_world *w[2];
            sn_model *model[2];
            model[0] = make_scene((enum scene)scene, &def, &w[0]);
            def.study = solved_by(SN_ROW_SOLVER_LEMKE);
            model[1] = make_scene((enum scene)scene, &def, &w[1]);
            const int nv = sn_model_get(model[0])->nv;
            double most = 0, unsolved[2] = {0, 0};
            int other = 0;
            for (int i = 0; i < 100; i++) {
                double q[MAX_NQ], qd[MAX_NV], v[2][MAX_NV], r[2];
                sn_world_get_state(w[0], 0, q, qd);
                assert_int_equal(sn_world_set_state(w[1], 0, q, qd), SN_OK);
                for (int s = 0; s < 2; s++) {
                    step_world(w[s]);
                    sn_world_get_state(w[s], 0, NULL, v[s]);
                    r[s] = true_residual(w[s]);
                    unsolved[s] = fmax(unsolved[s], r[s]);
                }
                worst_add(&residual, r[1], "%s, %s, step %d", scene_name[scene], friction_name[k], i);
                steps++;
                cycling += r[0] > 1e-10;
                axpy(-1, v[0], v[1], nv);
                const double e = norm(v[1], nv) / fmax(1, norm(v[0], nv));
                other += e > 1e-8;
                most = fmax(most, e);
                two_answers += r[0] <= 1e-10 && r[1] <= 1e-10 && e > 1e-8;
                if (scene == STANDING || scene == SLOPE)
                    worst_add(&alike, e, "%s, %s, step %d", scene_name[scene], friction_name[k], i);
            }
            print_message(
                "  %s, %s: velocities differ by at most %.2g, in %d of 100 steps by more than 1e-8; "
                "residual %.2g of PGS, %.2g direct\n",
                scene_name[scene], friction_name[k], most, other, unsolved[0], unsolved[1]);
            for (int s = 0; s < 2; s++) {
                sn_world_free(w[s]);
                sn_model_free(model[s]);
            }
        }
    print_message("  of %d steps Gauss-Seidel did not come to an end in %d and found another answer in %d\n",
                  steps, cycling, two_answers);
    assert_worst(&residual, 1e-9, "residual of the direct solver, m/s");
    assert_worst(&alike, 1e-8, "difference of velocities, standing and on a slope");
    assert_true(cycling * 100 <= steps);
    assert_true(two_answers * 100 <= steps);
}

int main(void) {
    return run_all("world rows");
}
