/* Contacts that are near and will not be reached in a step have no rows; what is thrown against them within the step calls
 * them. */
#include "world_helpers.h"

enum { BALLS = 16, SIDE = 6 };

static const sn_contact_method method[] = {SN_CONTACT_IMPLICIT, SN_CONTACT_ROWS};

/* Balls in a row, weightless, `gap` apart; the first is thrown against the second. */
static sn_world *row_of_balls(sn_model **model, sn_precision precision, double gap, double speed) {
    const sn_shape_def ball = sphere_of(0.1, 2);
    sn_world_def def = rows_def();
    def.dt = 1.0 / 60, def.precision = precision, def.setting = SN_SETTING_EXACT;
    memset(def.gravity, 0, sizeof def.gravity);
    sn_world *world = world_of(&def);
    *model = free_body(&ball);
    for (int i = 0; i < BALLS; i++) {
        const double at[3] = {(0.2 + gap) * i, 0, 0}, v[6] = {i ? 0 : speed, 0, 0, 0, 0, 0};
        put_body(world, member_of(world, *model), at, NULL, v);
    }
    return world;
}

/* 13 cm in a step, and 4 mm to the next: all of them are hit within one. */
TEST(a_push_goes_through_a_row_of_gaps_within_a_step) {
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int g = 0; g < 4; g++) {
            sn_model *model;
            const double gap[] = {1e-3, 3e-3, 6e-3, 9e-3}, speed = 8;
            sn_world *world = row_of_balls(&model, (sn_precision)precision, gap[g], speed);
            for (int i = 0; i < 30; i++) {
                double x[BALLS], momentum = 0;
                step_world(world);
                for (int b = 0; b < BALLS; b++) {
                    double q[7], qd[6];
                    sn_world_get_state(world, b, q, qd);
                    x[b] = q[0], momentum += qd[0];
                }
                assert_near(momentum, speed, 1e-4 * speed);
                for (int b = 1; b < BALLS; b++)
                    assert_true(x[b] - x[b - 1] > 0.2 - 5e-4);
            }
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* What moves away from what it nearly touches, or stands beside it, has no rows. */
TEST(neighbours_at_rest_cost_no_rows) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    for (int k = 0; k < 2 * COUNT(method); k++) {
        sn_world_def def = sn_world_def_default();
        def.contact = method[k % 2], def.precision = k < 2 ? SN_PRECISION_DOUBLE : SN_PRECISION_FLOAT;
        sn_world *world = world_of(&def);
        sn_model *model = free_body(&box);
        floor_of(world, NULL);
        for (int i = 0; i < SIDE * SIDE; i++)
            put_body(world, member_of(world, model),
                     (const double[3]){0.205 * (i % SIDE), 0.205 * (i / SIDE), 0.1}, NULL, NULL);
        for (int i = 0; i < 240; i++) {
            step_world(world);
            assert_true(stats_of(world).contacts > 8 * SIDE * SIDE);
            assert_int_equal(stats_of(world).rows, k % 2 ? 12 * SIDE * SIDE : 0); /* four corners each */
        }
        sn_world_free(world);
        sn_model_free(model);
    }
}

int main(void) {
    return run_all("world waiting");
}
