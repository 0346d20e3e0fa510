/* What no step can follow: targets that jump, boxes that spin by many radians in a step, flat bullets. All of it stays finite.
 * SINEW_DROPS=1 fires as many bullets as the project's targets speak of; else a few. */
#include "world_helpers.h"

#include "base/quat.h"

/* ------------------------------------------------------------------------------------------- targets that jump */

enum { WHOS = 32 };

/* Each target is an angle of `jump` off its zero, to either side, another one in every step. */
struct jumps {
    sn_setting setting;
    sn_precision precision;
    double jump, kd;
    int steps;
};

static void jump_targets(sn_world *world, const sn_model *model, struct rng *rng, double jump, int copy) {
    double zero[MAX_NQ], dv[MAX_NV], q[MAX_NQ];
    sn_model_zero_pose(model, zero);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        dv[v] = v < 6 ? 0 : uniform(rng, 0, 1) < 0.5 ? -jump : jump;
    sn_model_pose_add(model, 1, zero, dv, q);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, q), SN_OK);
}

/* How many of the copies have diverged in the end; every drive has 1000 N m/rad and 100 N m at most. */
static int jump_about(const sn_model *model, const struct jumps *j, int copies, int first) {
    double q[MAX_NQ], limit[MAX_NV];
    struct rng rng[WHOS];
    sn_world_def def = sn_world_def_default();
    def.setting = j->setting, def.precision = j->precision, def.dt = 1.0 / 60;
    def.copies = copies, def.torque_limits = true;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 1000, j->kd);
    sn_model_zero_pose(model, q);
    q[2] = 1;
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        limit[v] = v < 6 ? (double)INFINITY : 100;
    for (int c = 0; c < copies; c++) {
        rng[c] = (struct rng){(uint64_t)(first + c) + 1};
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, c, 1, q), SN_OK);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_TORQUE_LIMIT, c, 1, limit), SN_OK);
    }
    for (int k = 0; k < j->steps; k++) {
        for (int c = 0; c < copies; c++)
            jump_targets(world, model, &rng[c], j->jump, c);
        if (sn_world_step(world) && copies == 1) break;
    }
    const int lost = stats_of(world).diverged;
    sn_world_free(world);
    return lost;
}

static void try_jumps(double jump, double kd, int allowed) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    int worst = 0;
    for (int p = 0; p < 2; p++) {
        struct jumps j = {SN_SETTING_CROWD, (sn_precision)p, jump, kd, FAST ? 60 : 300};
        int game = 0;
        const int crowd = jump_about(model, &j, WHOS, 0);
        j.setting = SN_SETTING_GAME;
        for (int i = 0; i < (FAST ? 4 : WHOS); i++)
            game += jump_about(model, &j, 1, i) > 0;
        print_message("  %s: %d of %d diverge in a crowd, %d in a game\n", p ? "float" : "double", crowd,
                      WHOS, game);
        worst = worst > crowd ? worst : crowd;
        worst = worst > game ? worst : game;
    }
    assert_true(worst <= allowed);
    sn_model_free(model);
}

TEST(targets_that_jump_by_a_radian_in_every_step_break_nobody) {
    try_jumps(1, 30, 0);
}

TEST(targets_that_jump_by_a_quarter_turn_break_hardly_anybody) {
    try_jumps(1.5, 25, 1);
}

/* ---------------------------------------------------------------------------------------------------- spin */

/* A flat box about a skew axis, 10 s of it in the air. */
TEST(a_flat_box_may_spin_at_any_speed) {
    static const double speed[] = {100, 300, 1000, 1e4};
    static const double axis[3] = {0.48, 0.6, 0.64};
    sn_model *box = body_of(box_of(0.2, 0.15, 0.01, 1));
    double most = 0;
    for (int s = 0; s < stepper_count; s++)
        for (int p = 0; p < 2; p++)
            for (int k = 0; k < COUNT(speed); k++) {
                double q[7], velocity[6] = {0};
                sn_world_def def = sn_world_def_default();
                def.stepper = stepper_case[s].stepper, def.precision = (sn_precision)p, def.dt = 1.0 / 60;
                def.gravity[2] = 0;
                if (def.stepper == SN_STEPPER_EVENT) def.contact = SN_CONTACT_ROWS;
                sn_world *world = world_of(&def);
                floor_of(world, NULL);
                member_of(world, box);
                for (int i = 0; i < 3; i++)
                    velocity[3 + i] = speed[k] * axis[i];
                put_body(world, 0, (const double[3]){0, 0, 5}, NULL, velocity);
                run_for(world, 10, def.dt);
                sn_world_get_state(world, 0, q, velocity);
                most = fmax(most, norm(velocity + 3, 3) / speed[k]);
                sn_world_free(world);
            }
    print_message("  at most %.2f times as fast after 10 s\n", most);
    assert_true(most < 2);
    sn_model_free(box);
}

/* --------------------------------------------------------------------------------------------------- bullets */

static bool flat_bullet_is_lost(const sn_model *bullet, const struct stepper_case *stepper, int number) {
    struct rng rng = {(uint64_t)number + 1};
    double rot[4], velocity[6];
    const double speed = uniform(&rng, 5, 100), slant = uniform(&rng, 0, 1.2);
    sn_world_def def = sn_world_def_default();
    def.stepper = stepper->stepper, def.dt = number % 2 ? 1.0 / 60 : 1.0 / 120;
    if (stepper->stepper == SN_STEPPER_EVENT) def.contact = SN_CONTACT_ROWS;
    sn_world *world = world_of(&def);
    const sn_shape_def bounce = material_of(0.6, number % 3 * 0.4);
    floor_of(world, &bounce);
    member_of(world, bullet);
    random_quaternion(&rng, rot);
    dquat_normalise(rot);
    velocity[0] = speed * sin(slant), velocity[1] = 0, velocity[2] = -speed * cos(slant);
    random_values(&rng, 20, velocity + 3, 3);
    put_body(world, 0, (const double[3]){0, 0, 1}, rot, velocity);
    bool lost = false;
    for (int i = 0; i < 90 && !lost; i++)
        lost = sn_world_step(world) != SN_OK;
    sn_world_free(world);
    return lost;
}

/* What an impact sets spinning at hundreds of radians per second: half of them went not finite. */
TEST(no_flat_bullet_is_lost) {
    sn_model *bullet = body_of(box_of(0.05, 0.03, 0.003, 0.2));
    const int n = getenv("SINEW_DROPS") ? 600 : FAST ? 20 : 120;
    int all = 0;
    for (int s = 0; s < stepper_count; s++) {
        int lost = 0;
        for (int i = 0; i < n; i++)
            lost += flat_bullet_is_lost(bullet, &stepper_case[s], i);
        print_message("  %s: %d of %d lost\n", stepper_case[s].name, lost, n);
        all += lost;
    }
    assert_int_equal(all, 0);
    sn_model_free(bullet);
}

int main(void) {
    return run_all("wild");
}
