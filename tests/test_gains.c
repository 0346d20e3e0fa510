/* Gains that are chosen stand, and gains that cannot be borne are named. */
#include "clip_helpers.h"
#include "world_helpers.h"

#include "sinew/dynamics.h"

/* ------------------------------------------------------------------------------------------------- the formulas */

/* A trunk on one or two legs of one hinge each, at y = 0 or y = +-d: masses are points, so that inertias are m r^2. */
enum { TRUNK, LEG };

static sn_model *stilts(int legs, double hip, double leg_mass) {
    sn_builder *builder = sn_builder_create();
    sn_body_def trunk = sn_body_def_default(), leg = sn_body_def_default();
    sn_shape_def foot = sn_shape_def_default(SN_SHAPE_SPHERE);
    trunk.name = "trunk", trunk.joint = sn_joint_def_default(SN_JOINT_FREE);
    trunk.mass_given = true, trunk.mass = 10, trunk.com[2] = hip;
    for (int k = 0; k < 3; k++)
        trunk.inertia[k] = leg.inertia[k] = 1e-3;
    sn_builder_add_body(builder, &trunk);
    foot.size[0] = 0.1, foot.pos[2] = -1;
    for (int i = 0; i < legs; i++) {
        leg.name = i ? "left" : "right", leg.parent = "trunk";
        leg.joint = sn_joint_def_default(SN_JOINT_HINGE);
        leg.joint.axis[1] = 1, leg.joint.axis[2] = 0;
        leg.mass_given = true, leg.mass = leg_mass, leg.com[2] = -0.5;
        sn_builder_add_body(builder, &leg);
        sn_builder_add_shape(builder, leg.name, &foot);
    }
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    sn_builder_free(builder);
    if (!model) fail_msg("%s", error.message);
    return model;
}

TEST(a_joint_carries_what_stands_over_it) {
    const double f = 2, w = 2 * M_PI * f, g = 9.81, small = 1e-3;
    double kp[8], kd[8];
    sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .frequency = f, .damping_ratio = 0.7};
    { /* one leg: the trunk, 10 kg at 0.6 m over the hip, and gravity that topples it */
        sn_model *model = stilts(1, 0.6, 2);
        const double inertia = 10 * 0.36 + small;
        assert_int_equal(sn_gains_choose(model, &def, kp, kd, NULL), SN_OK);
        assert_near(kp[6], inertia * w * w + 10 * g * 0.6, 1e-9 * kp[6]);
        assert_near(kd[6], 1.4 * inertia * w, 1e-9 * kd[6]);
        for (int v = 0; v < 6; v++)
            assert_true(kp[v] == 0 && kd[v] == 0); /* nothing holds the root */
        def.stance = SN_STANCE_NONE;               /* the leg alone hangs on it */
        assert_int_equal(sn_gains_choose(model, &def, kp, kd, NULL), SN_OK);
        assert_near(kp[6], (2 * 0.25 + small) * w * w, 1e-9 * kp[6]);
        assert_true(kp[0] > 0 && kp[3] > 0);
        def.stance = SN_STANCE_LOWEST;
        sn_model_free(model);
    }
    { /* two legs: each bears half of 14 kg, 2 kg of its own; the other leg hangs from the trunk that is carried */
        sn_model *model = stilts(2, 0.6, 2);
        const double share = (7 - 2) / 12.0, inertia = share * (10 * 0.36 + 2 * 0.25 + 2 * small);
        assert_int_equal(sn_gains_choose(model, &def, kp, kd, NULL), SN_OK);
        for (int v = 6; v < 8; v++)
            assert_near(kp[v], inertia * w * w + share * g * (10 * 0.6 - 2 * 0.5), 1e-9 * kp[v]);
        const uint8_t one[] = {0, 1, 0}; /* on the right leg alone */
        def.stance = SN_STANCE_BODIES, def.standing = one;
        assert_int_equal(sn_gains_choose(model, &def, kp, kd, NULL), SN_OK);
        assert_near(kp[6], inertia / share * w * w + g * (10 * 0.6 - 2 * 0.5), 1e-9 * kp[6]);
        assert_near(kp[7], (2 * 0.25 + small) * w * w, 1e-9 * kp[7]);
        sn_model_free(model);
    }
}

TEST(what_lies_on_the_ground_carries_nothing) {
    sn_model *model = sn_builtin_create("snake36", NULL);
    double lying[64], lying_kd[64], hanging[64], hanging_kd[64];
    assert_int_equal(sn_gains_choose(model, NULL, lying, lying_kd, NULL), SN_OK);
    assert_int_equal(
        sn_gains_choose(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .stance = SN_STANCE_NONE},
                        hanging, hanging_kd, NULL),
        SN_OK);
    for (int v = 6; v < sn_model_get(model)->nv; v++)
        assert_near(lying[v], hanging[v], 1e-6 * hanging[v]);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------------- standing */

struct standing {
    const sn_model *model;
    double q[MAX_NQ], frequency;
    sn_contact_method contact;
    sn_precision precision;
    int pushed;          /* body */
    double direction[2]; /* of the push */
};

/* Leans the whole body forward about its feet, which stay level: the ankles turn back. */
static void lean(const sn_model *model, double angle, double *q) {
    static const char *const feet[] = {"left_foot", "right_foot"};
    q[3] = cos(0.5 * angle), q[4] = 0, q[5] = sin(0.5 * angle), q[6] = 0;
    for (int i = 0; i < 2; i++) {
        const sn_body_info *foot = sn_model_body(model, sn_model_find_body(model, feet[i]));
        assert_int_equal(foot->joint.type, SN_JOINT_BALL);
        double *ankle = q + foot->q_index;
        ankle[0] = cos(0.5 * angle), ankle[1] = 0, ankle[2] = -sin(0.5 * angle), ankle[3] = 0;
    }
}

/* Ten seconds, 50 N for 0.2 s, and three seconds more at 60 steps per second; returns the largest change of the root's
   height. */
static double stand(const struct standing *s) {
    enum { STEPS = 780, PUSH = 600, LET_GO = 612 };
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.contact = s->contact, def.precision = s->precision;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    const int member = member_of(world, s->model);
    double q0[MAX_NQ], q[MAX_NQ], kp[MAX_NV], kd[MAX_NV], worst = 0;
    memcpy(q0, s->q, sizeof q0);
    assert_int_equal(sn_world_stand(world, member, q0), SN_OK);
    const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def),
                                .q = q0,
                                .frequency = s->frequency,
                                .dt = def.dt,
                                .precision = def.precision,
                                .widen = s->frequency > 12};
    sn_error error;
    if (sn_gains_choose(s->model, &gains, kp, kd, &error)) fail_msg("%g Hz: %s", s->frequency, error.message);
    assert_int_equal(sn_world_set_gains(world, member, kp, kd), SN_OK);
    assert_int_equal(sn_world_set_state(world, member, q0, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(world, member, q0, NULL), SN_OK);
    for (int i = 0; i < STEPS; i++) {
        const double part = i >= PUSH && i < LET_GO ? 50 : 0;
        if (i == PUSH || i == LET_GO)
            sn_world_push(world, member, s->pushed,
                          (double[]){part * s->direction[0], part * s->direction[1], 0}, NULL, INFINITY);
        if (sn_world_step(world)) return HUGE_VAL;
        sn_world_get_state(world, member, q, NULL);
        worst = fmax(worst, fabs(q[2] - q0[2]));
    }
    sn_world_free(world);
    return worst;
}

static const double frequencies[] = {2, 4, 6, 8, 10, 12, 14, 20};

/* The centre of mass over the middle of the feet, so that a push of 10 N s to any side leaves it over them: 45 kg move on
   by 0.22 m/s sqrt(0.89 / 9.81) = 0.067 m, and the feet reach 0.088 m to the front and the back. */
TEST(the_humanoid_stands_with_chosen_gains_and_is_pushed) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct standing s = {.model = model};
    double worst = 0;
    sn_model_zero_pose(model, s.q);
    lean(model, 0.055, s.q);
    for (int f = 0; f < COUNT(frequencies); f++)
        for (int k = 0; k < 4; k++)
            for (int side = 0; side < 8; side++) {
                s.frequency = frequencies[f];
                s.contact = k % 2 ? SN_CONTACT_ROWS : SN_CONTACT_IMPLICIT;
                s.precision = k / 2 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                s.pushed = sn_model_find_body(model, side % 2 == f % 2 ? "chest" : "pelvis");
                s.direction[0] = cos(M_PI / 4 * side), s.direction[1] = sin(M_PI / 4 * side);
                const double height = stand(&s);
                if (height > 0.01)
                    fail_msg("%g Hz, %s, %s, pushed at %d degrees: %g m", s.frequency,
                             k % 2 ? "rows" : "implicit", k / 2 ? "float" : "double", 45 * side, height);
                worst = fmax(worst, height);
            }
    print_message("  the root goes up or down by %.2f mm at most\n", 1e3 * worst);
    sn_model_free(model);
}

TEST(characters_from_files_stand_with_chosen_gains) {
    static const char *const file[] = {"deepmimic/characters/humanoid3d.txt", "isaacgymenvs/amp_humanoid.xml",
                                       "mujoco/model/humanoid/humanoid.xml", "menagerie_unitree_h1/h1.xml",
                                       "menagerie_boston_dynamics_spot/spot.xml"};
    SKIP_WITHOUT_DATA();
    for (int i = 0; i < COUNT(file); i++) {
        sn_model *model = sn_model_load(data_path(file[i]), NULL, NULL);
        assert_non_null(model);
        struct standing s = {.model = model, .pushed = 0, .direction = {1}};
        sn_model_home_pose(model, s.q);
        double worst = 0;
        for (int f = 2; f < 6; f += 3) /* 6 and 12 Hz */
            for (int k = 0; k < 2; k++) {
                s.frequency = frequencies[f], s.contact = k ? SN_CONTACT_ROWS : SN_CONTACT_IMPLICIT;
                s.precision = f > 2 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                worst = fmax(worst, stand(&s));
            }
        print_message("  %s: %.2f mm\n", file[i], 1e3 * worst);
        assert_true(worst < 0.01);
        sn_model_free(model);
    }
}

/* ---------------------------------------------------------------------------------------------------- refusals */

TEST(gains_too_stiff_for_their_form_are_named) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int body = sn_model_find_body(model, "left_shin"), v = sn_model_body(model, body)->v_index;
    double kp[MAX_NV], kd[MAX_NV];
    unsigned flags[MAX_NV];
    sn_error error;
    sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .dt = 1.0 / 60};
    sn_gains_uniform(model, 0, 0, 1000, 100, kp, kd);
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, &error), 0);
    assert_int_equal(error.status, SN_OK);
    kp[v] = 80000;
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, &error), 1);
    assert_int_equal(flags[v], SN_GAIN_UNDERDAMPED | SN_GAIN_OVERSHOOTS);
    print_message("  %s\n", error.message);
    assert_non_null(strstr(error.message, "joint of 'left_shin': kp 80000 with kd 100 breaks kd >= kp dt"));
    double would_do = 0;
    const char *number = strstr(error.message, "; use kd ");
    assert_true(number && sscanf(number, "; use kd %lf", &would_do) == 1);
    kd[v] = would_do;
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, &error), 0);
    kd[v] = 100, def.form = SN_FORM_FULL; /* or the full form */
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, &error), 0);
    def.form = SN_FORM_EXPLICIT;
    assert_true(sn_gains_check(model, &def, kp, kd, flags, &error) > 0);
    assert_non_null(strstr(error.message, "explicit form"));
    def.form = SN_FORM_STABLE, def.widen = true; /* or more damping, on request */
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, &error), 0);
    assert_true(kd[v] > 1000 && kd[v] <= would_do);
    for (int i = 0; i < sn_model_get(model)->nv; i++)
        assert_true(i == v || kd[i] == (i < 6 ? 0 : 100));
    sn_model_free(model);
}

TEST(a_frequency_too_high_for_the_step_is_refused_or_widened) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    double kp[MAX_NV], kd[MAX_NV], wide_kp[MAX_NV], wide_kd[MAX_NV];
    sn_error error;
    sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .frequency = 20, .dt = 1.0 / 60};
    assert_int_equal(sn_gains_choose(model, &def, kp, kd, &error), SN_ERROR_ARGUMENT);
    print_message("  %s\n", error.message);
    assert_non_null(strstr(error.message, "joint of '"));
    assert_non_null(strstr(error.message, "use "));
    def.widen = true;
    assert_int_equal(sn_gains_choose(model, &def, wide_kp, wide_kd, &error), SN_OK);
    assert_int_equal(sn_gains_check(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .dt = def.dt},
                                    wide_kp, wide_kd, NULL, NULL),
                     0);
    def.widen = false, def.form = SN_FORM_FULL;
    assert_int_equal(sn_gains_choose(model, &def, kp, kd, &error), SN_OK);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        assert_true(wide_kp[v] == kp[v] && wide_kd[v] >= kd[v]);
    sn_model_free(model);
}

/* How much a snake that is let go near its target has gained in speed after 400 steps without gravity. */
static double swing_up_as(const sn_model *model, const sn_gains_def *as, const double *kp, const double *kd) {
    const int nv = sn_model_get(model)->nv;
    double q[MAX_NQ], target[MAX_NQ], qd[MAX_NV], speed = 0;
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = as->dt, def.form = as->form;
    memset(def.gravity, 0, sizeof def.gravity);
    sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
    sn_model_zero_pose(model, q), sn_model_zero_pose(model, target);
    for (int v = 0; v < nv; v++)
        qd[v] = 1e-7 * sin(1 + 7.3 * v);
    const sn_drive drive = {.kp = kp, .kd = kd, .target_q = target};
    const sn_status status = sn_dynamics_step(d, &drive, 400, q, qd, NULL, NULL);
    assert_true(status == SN_OK || status == SN_ERROR_NOT_FINITE);
    if (status) speed = (double)INFINITY;
    for (int v = 0; v < nv; v++)
        speed = fmax(speed, fabs(qd[v]));
    sn_dynamics_free(d);
    return speed / 1e-7;
}

static double swing_up(const sn_model *model, double dt, const double *kp, const double *kd) {
    return swing_up_as(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .dt = dt}, kp, kd);
}

/* Every joint of a chain may bear its gains while the others are free, and all together not. The check is exact: a little
   less stiff, and nothing grows. */
TEST(what_is_too_stiff_together_is_flagged_together) {
    sn_model *model = sn_builtin_create("snake36", NULL);
    double kp[MAX_NV], kd[MAX_NV], stiff = 1;
    unsigned flags[MAX_NV];
    sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .dt = 1.0 / 60};
    int flagged = 0;
    while (flagged == 0 && stiff < 1e6) {
        stiff *= 1.1;
        sn_gains_uniform(model, 0, 0, stiff, 1.2 * stiff * def.dt, kp, kd);
        flagged = sn_gains_check(model, &def, kp, kd, flags, NULL);
    }
    assert_int_equal(flagged, sn_model_get(model)->nv - 6); /* all of them at once, not the first alone */
    sn_gains_uniform(model, 0, 0, 1.05 * stiff, 1.26 * stiff * def.dt, kp, kd);
    const double above = swing_up(model, def.dt, kp, kd);
    sn_gains_uniform(model, 0, 0, stiff / 1.1, 1.2 * stiff / 1.1 * def.dt, kp, kd);
    const double below = swing_up(model, def.dt, kp, kd);
    print_message("  kp %.3g: times %.2g in 400 steps; 0.87 of it: times %.2g\n", 1.05 * stiff, above, below);
    assert_true(above > 10 && below < 2);
    sn_gains_uniform(model, 0, 0, 2 * stiff, 2.4 * stiff * def.dt, kp, kd);
    def.widen = true;
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, NULL), 0);
    assert_true(swing_up(model, def.dt, kp, kd) < 2);
    sn_model_free(model);
}

/* A joint that would swing up with its neighbours free is held by their damping: the check is exact there, too. */
TEST(what_the_damping_of_others_holds_is_not_flagged) {
    sn_model *model = scene_chain_model(6, SN_JOINT_HINGE, false, NULL);
    double kp[6] = {0}, kd[6] = {0};
    unsigned flags[6];
    const sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .dt = 1.0 / 60, .form = SN_FORM_IMPLICIT_D};
    const int at = 3;
    kp[at] = 1;
    while (sn_gains_check(model, &def, kp, kd, flags, NULL) == 0)
        kp[at] *= 1.1;
    assert_true(flags[at] & SN_GAIN_OVERSHOOTS);
    assert_true(swing_up_as(model, &def, kp, kd) > 10);
    for (int v = 0; v < 6; v++)
        if (v != at) kd[v] = 0.1 * kp[at];
    assert_int_equal(sn_gains_check(model, &def, kp, kd, flags, NULL), 0);
    assert_true(swing_up_as(model, &def, kp, kd) < 2);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------ in a world */

TEST(the_statistics_name_the_drive_that_is_too_stiff) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int v = sn_model_body(model, sn_model_find_body(model, "left_shin"))->v_index;
    double kp[MAX_NV], kd[MAX_NV];
    for (int copies = 1; copies <= 9; copies += 8) {
        sn_world_def def = sn_world_def_default();
        sn_world_stats stats;
        def.dt = 1.0 / 60, def.copies = copies;
        def.products = SN_PRODUCTS_EXPLICIT; /* bounded ones keep it from diverging */
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        const int member = member_of(world, model);
        sn_gains_uniform(model, 0, 0, 1000, 100, kp, kd);
        sn_world_set_gains(world, member, kp, kd);
        sn_world_get_stats(world, &stats);
        assert_true(stats.stiff_member == -1 && stats.stiff_dof == -1);
        kp[v] = 80000;
        for (int i = copies - 1; i < copies; i++) { /* the last copy alone */
            assert_int_equal(sn_world_set(world, member, SN_FIELD_KP, i, 1, kp), SN_OK);
            assert_int_equal(sn_world_set(world, member, SN_FIELD_KD, i, 1, kd), SN_OK);
        }
        sn_world_get_stats(world, &stats);
        assert_int_equal(stats.stiff_dof, copies == 1 ? v : -1); /* said before the first step */
        for (int i = 0; i < 600 && stats.diverged == 0; i++) {
            sn_world_step(world);
            sn_world_get_stats(world, &stats);
        }
        assert_int_equal(stats.diverged, 1);
        assert_true(stats.bad_copy == copies - 1 && stats.stiff_member == member && stats.stiff_dof == v);
        sn_world_free(world);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("gains");
}
