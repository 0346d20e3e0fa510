/* The lambda of kokkevis-2004 eq. 20 and 21: what one-way friction leaves of the sliding. */
#include "study_helpers.h"
#include "world_helpers.h"

static double largest_lambda(sn_world *world, int *sliding, double *force) {
    int n;
    const sn_contact *c = contacts_of(world, &n);
    double most = 0;
    *sliding = 0;
    memset(force, 0, 3 * sizeof *force);
    for (int i = 0; i < n; i++) {
        most = fmax(most, c[i].slip_speed);
        *sliding += c[i].sliding;
        axpy(1, c[i].force, force, 3);
        assert_true(c[i].slip_speed >= 0 && (c[i].sliding || c[i].slip_speed == 0)); /* eq. 21 */
    }
    return most;
}

static sn_world *box_world(sn_stepper stepper, sn_friction friction, sn_row_solver solver, double speed,
                           const sn_model *model) {
    sn_world_def def = rows_def();
    def.stepper = stepper, def.friction = friction, def.study = solved_by(solver), def.dt = 1.0 / 120;
    def.setting = SN_SETTING_EXACT;
    sn_world *world = world_of(&def);
    const sn_shape_def ground = material_of(0.5, 0);
    floor_of(world, &ground);
    put_body(world, member_of(world, model), (const double[3]){0, 0, 0.05}, NULL, (const double[6]){speed});
    return world;
}

/* A flat box slides with v and loses mu g dt in each step: lambda is v at its end while it slides, and nothing once it
   stands. u_t + lambda = 0 all the way: eq. 20. */
TEST(lambda_is_the_speed_that_friction_leaves) {
    sn_shape_def box = box_of(0.3, 0.3, 0.05, 2);
    box.friction = 0.5;
    sn_model *model = body_of(box);
    for (int s = 0; s < stepper_count; s++)
        for (int solver = SN_ROW_SOLVER_PGS; solver <= SN_ROW_SOLVER_DANTZIG; solver++) {
            sn_world *world =
                box_world(stepper_case[s].stepper, SN_FRICTION_ONE_WAY, (sn_row_solver)solver, 1, model);
            int slid = 0, stood = 0;
            for (int k = 0; k < 60; k++) {
                double before[6], qd[6], force[3];
                int sliding;
                sn_world_get_state(world, 0, NULL, before);
                step_world(world);
                sn_world_get_state(world, 0, NULL, qd);
                const double lambda = largest_lambda(world, &sliding, force);
                if (k < 2) continue; /* it may settle first */
                if (qd[0] > 1e-3) {
                    assert_near(lambda, qd[0],
                                1e-4); /* every corner slides as the box does, except for its turning */
                    assert_near(-force[0], 0.5 * force[2], 1e-6);
                    assert_near(before[0] - qd[0], 0.5 * force[2] / 2 / 120, 1e-6);
                    slid++;
                } else if (before[0] < 1e-6) {
                    assert_near(lambda, 0, 1e-7);
                    stood++;
                }
            }
            assert_true(slid > 20 && stood > 20);
            sn_world_free(world);
        }
    sn_model_free(model);
}

TEST(other_friction_has_no_lambda) {
    sn_shape_def box = box_of(0.3, 0.3, 0.05, 2);
    sn_model *model = body_of(box);
    static const sn_friction friction[] = {SN_FRICTION_CONE, SN_FRICTION_PYRAMID, SN_FRICTION_NONE};
    for (int k = 0; k < COUNT(friction); k++) {
        sn_world *world = box_world(SN_STEPPER_TIME, friction[k], SN_ROW_SOLVER_PGS, 1, model);
        double force[3];
        int sliding;
        run_for(world, 0.1, 1.0 / 120);
        assert_true(largest_lambda(world, &sliding, force) == 0);
        sn_world_free(world);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("world lambda");
}
