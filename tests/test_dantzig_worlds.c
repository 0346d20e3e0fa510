/* Worlds under Dantzig's algorithm and under Lemke's step alike. */
#include "study_helpers.h"
#include "world_helpers.h"

enum scene { SLOPE, STACK, STANDING, HANGING, SCENES };
static const char *const scene_name[SCENES] = {"slope", "stack", "standing", "hanging"};

static sn_world *scene_world(enum scene scene, sn_friction friction, sn_row_solver solver,
                             const sn_model *box, const sn_model *human) {
    sn_world_def def = rows_def();
    def.friction = friction, def.study = solved_by(solver), def.dt = 1.0 / 120;
    def.iterations = 1; /* whatever falls back on Gauss-Seidel is seen */
    if (scene == SLOPE) def.gravity[0] = 3;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    if (scene == STANDING) {
        double q[MAX_NQ];
        const int m = member_of(world, human);
        uniform_gains(world, m, 0, 0, 3000, 100);
        stand_humanoid(world, m, q);
        return world;
    }
    for (int i = 0; i < (scene == STACK ? 3 : 1); i++)
        put_body(world, member_of(world, box), (const double[3]){0.02 * i, 0, 0.1 + 0.2 * i}, NULL, NULL);
    if (scene == HANGING) {
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
        d.point[0] = d.point2[0] = 0.1, d.point2[2] = 0.3, d.max_force = 30;
        assert_true(sn_world_add_constraint(world, &d, NULL) != 0);
    }
    return world;
}

TEST(worlds_step_alike_under_dantzig_and_lemke) {
    static const sn_friction friction[] = {SN_FRICTION_PYRAMID, SN_FRICTION_ONE_WAY, SN_FRICTION_NONE};
    sn_model *box = body_of(box_of(0.1, 0.1, 0.1, 2)), *human = sn_builtin_create("humanoid", NULL);
    double worst = 0, residual = 0;
    for (enum scene scene = SLOPE; scene < SCENES; scene++)
        for (int k = 0; k < COUNT(friction); k++) {
            sn_world *w[2] = {scene_world(scene, friction[k], SN_ROW_SOLVER_LEMKE, box, human),
                              scene_world(scene, friction[k], SN_ROW_SOLVER_DANTZIG, box, human)};
            const int nv = sn_model_get(sn_world_model(w[0], 0))->nv;
            double most = 0;
            for (int i = 0; i < 60; i++) {
                double q[MAX_NQ], qd[MAX_NV], v[2][MAX_NV];
                for (int m = 0; m < sn_world_get_info(w[0]).members; m++) {
                    sn_world_get_state(w[0], m, q, qd);
                    sn_world_set_state(w[1], m, q, qd);
                }
                for (int s = 0; s < 2; s++) {
                    step_world(w[s]);
                    sn_world_get_state(w[s], 0, NULL, v[s]);
                    residual = fmax(residual, stats_of(w[s]).residual);
                }
                axpy(-1, v[0], v[1], nv);
                most = fmax(most, norm(v[1], nv));
            }
            print_message("  %s, friction %d: velocities differ by at most %.2g\n", scene_name[scene],
                          friction[k], most);
            worst = fmax(worst, most);
            sn_world_free(w[0]), sn_world_free(w[1]);
        }
    print_message("  residual at most %.2g m/s\n", residual);
    assert_true(worst < 1e-8 && residual < 1e-8);
    sn_model_free(box), sn_model_free(human);
}

int main(void) {
    return run_all("dantzig in worlds");
}
