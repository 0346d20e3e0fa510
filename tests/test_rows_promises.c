/* What rows promise: any mass ratio, no more iterations than asked for, direct solves that tell when they were none,
 * torque limits and joint limits that hold, and room that grows. */
#include "world_helpers.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- mass ratios */

static sn_model *cube(double half, double mass) {
    return body_of(box_of(half, half, half, mass));
}

/* A tower of `n` cubes of 0.2 m and 1 kg, the last of them heavier; how far any cube has gone from its place after two
   seconds, in m. */
static double tower_moves(sn_world_def def, int n, double ratio, int *iterations) {
    sn_world *world = world_of(&def);
    sn_model *light = cube(0.1, 1), *heavy = cube(0.1, ratio);
    floor_of(world, NULL);
    for (int i = 0; i < n; i++)
        put_body(world, member_of(world, i == n - 1 ? heavy : light), (double[]){0, 0, 0.1 + 0.2 * i}, NULL,
                 NULL);
    *iterations = 0;
    for (int i = 0; i < (int)(2 / def.dt + 0.5); i++) {
        step_world(world);
        const int now = stats_of(world).iterations;
        if (now > *iterations) *iterations = now;
    }
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double pos[3];
        body_pose(world, i, 0, pos, NULL);
        const double d[3] = {pos[0], pos[1], pos[2] - (0.1 + 0.2 * i)};
        worst = fmax(worst, norm(d, 3));
    }
    sn_world_free(world);
    sn_model_free(light);
    sn_model_free(heavy);
    return worst;
}

TEST(towers_stand_under_a_top_of_any_weight) {
    const double ratio[] = {1, 100, 800, 1000, 1e4};
    const int cubes[] = {2, 6};
    struct worst worst[2] = {{0}};
    for (int fast = 0; fast < 2; fast++)
        for (int exact = 0; exact < 2; exact++)
            for (int precision = 0; precision < 2; precision++)
                for (int k = 0; k < 10; k++) {
                    sn_world_def def = rows_def();
                    int iterations;
                    def.dt = fast ? 1.0 / 240 : 1.0 / 60;
                    def.setting = exact ? SN_SETTING_EXACT : SN_SETTING_GAME;
                    def.precision = precision ? SN_FLOAT : SN_DOUBLE;
                    const double moved = tower_moves(def, cubes[k / 5], ratio[k % 5], &iterations);
                    worst_add(&worst[precision], moved, "%d cubes, %g : 1, %s, 1/%g", cubes[k / 5],
                              ratio[k % 5], exact ? "exact" : "game", 1 / def.dt);
                    assert_in_range(iterations, 1, exact ? 1000 : 30);
                    if (getenv("SINEW_VERBOSE"))
                        print_message("  %s %s 1/%g %d cubes %g: %.3g mm, %d iterations\n", exact ? "exact" : "game",
                                      precision ? "float" : "double", 1 / def.dt, cubes[k / 5], ratio[k % 5],
                                      1e3 * moved, iterations);
                }
    assert_worst(&worst[0], 2e-3, "way of a cube in m, double");
    assert_worst(&worst[1], 2e-3, "way of a cube in m, float");
}

int main(void) {
    return run_all("promises of rows");
}
