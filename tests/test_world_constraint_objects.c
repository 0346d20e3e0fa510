/* Constraints of every kind as objects: in copies and threads, in snapshots, asleep, removed, refused. */
#include "world_helpers.h"

static const double zero3[3] = {0};

static sn_world *plain_world(void) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE;
    return world_of(&def);
}

static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0.2}, {1, 1, 0.4}, {0, 1, 0.2}};
static const sn_curve_def ring = {.struct_size = sizeof(sn_curve_def),
                                  .npoint = 4,
                                  .points = &corners[0][0],
                                  .closed = true,
                                  .smooth = true};
static const sn_surface_def ball = {
    .struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_SPHERE, .radius = 0.4};

/* Constraints of every kind on a humanoid and a brick. */
static int add_every_kind(sn_world *world, sn_constraint *tie) {
    for (int type = 0; type < SN_CONSTRAINT_TYPE_COUNT; type++) {
        sn_constraint_def d = sn_constraint_def_default((sn_constraint_type)type);
        d.body = 1 + type % 6, d.max_force = 40, d.stiffness = 100, d.damping = 5;
        d.curve = &ring, d.surface = &ball;
        d.member2 = type % 2, d.body2 = 0, d.target[0] = 0.3, d.target_velocity[0] = 0.2,
        d.direction[1] = 0.5;
        const sn_model *human = sn_world_model(world, 0);
        const bool coupled =
            type == SN_CONSTRAINT_COUPLING || type == SN_CONSTRAINT_COUPLING_LIMIT; /* of two hinges */
        while (sn_model_body(human, d.body)->nv == 0 || (coupled && sn_model_body(human, d.body)->nv != 1))
            d.body++;
        if (coupled) d.member2 = 0, d.body2 = d.body + 1;
        while (coupled && sn_model_body(human, d.body2)->nv != 1)
            d.body2++;
        tie[type] = tie_of(world, &d);
    }
    return SN_CONSTRAINT_TYPE_COUNT;
}

static uint64_t hash_all(sn_world *world, const sn_constraint *tie, int copy) {
    uint64_t hash = hash_fields(world, 0, copy) ^ 31 * hash_fields(world, 1, copy);
    for (int i = 0; i < SN_CONSTRAINT_TYPE_COUNT; i++) {
        double force[6] = {0};
        hash = 31 * hash + (uint64_t)constraint_force(world, tie[i], copy, force);
        for (int k = 0; k < 6; k++) {
            uint64_t bits;
            memcpy(&bits, &force[k], sizeof bits);
            hash = 31 * hash + bits;
        }
    }
    return hash;
}

static void act(sn_world *world, const sn_constraint *tie, int step, int copy, int as) {
    double target[7] = {0.2 * sin(0.1 * step + as), 0.1, 0.05 * as, 0.3}, velocity[6] = {0.1 * as};
    if (step % 7 == as % 7)
        for (int i = 0; i < SN_CONSTRAINT_TYPE_COUNT; i++)
            if (i != SN_CONSTRAINT_PIN) sn_world_set_constraint(world, tie[i], copy, target, velocity);
}

static sn_world *world_of_every_kind(const sn_world_def *def, const sn_model *human, const sn_model *box,
                                     sn_constraint *tie) {
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    uniform_gains(world, member_of(world, human), 0, 0, 300, 30);
    member_of(world, box);
    add_every_kind(world, tie);
    return world;
}

TEST(every_kind_has_the_same_bits_alone_in_copies_and_in_threads) {
    for (int s = 0; s < stepper_count; s++) {
        sn_model *human = sn_builtin_create("humanoid", NULL), *box = brick();
        uint64_t alone[3] = {0};
        for (int run = 0; run < 5; run++) {
            sn_world_def def = rows_def();
            def.stepper = stepper_case[s].stepper, def.dt = 1.0 / 120;
            def.copies = run < 3 ? 1 : 3, def.threads = run == 4 ? 3 : 1;
            sn_constraint tie[SN_CONSTRAINT_TYPE_COUNT];
            sn_world *world = world_of_every_kind(&def, human, box, tie);
            for (int k = 0; k < (FAST ? 10 : 30); k++) {
                for (int c = 0; c < def.copies; c++)
                    act(world, tie, k, c, run < 3 ? run : c);
                step_world(world);
            }
            for (int c = 0; c < def.copies; c++)
                if (run < 3)
                    alone[run] = hash_all(world, tie, 0);
                else
                    assert_true(hash_all(world, tie, c) == alone[c]);
            sn_world_free(world);
        }
        assert_true(alone[0] != alone[1]);
        sn_model_free(human), sn_model_free(box);
    }
}

TEST(every_kind_comes_back_from_a_snapshot) {
    for (int s = 0; s < stepper_count; s++) {
        sn_model *human = sn_builtin_create("humanoid", NULL), *box = brick();
        sn_world_def def = rows_def();
        def.stepper = stepper_case[s].stepper, def.dt = 1.0 / 120;
        sn_constraint tie[SN_CONSTRAINT_TYPE_COUNT];
        sn_world *world = world_of_every_kind(&def, human, box, tie);
        enum { after = FAST ? 4 : 20 };
        uint64_t hash[2][after];
        void *block = NULL;
        size_t size = 0;
        for (int run = 0; run < 2; run++) {
            if (run) { /* without its constraints, which come back */
                sn_world_remove_constraint(world, tie[SN_CONSTRAINT_WELD]);
                sn_world_remove_constraint(world, tie[SN_CONSTRAINT_POINT_IMPULSE]);
                assert_int_equal(sn_world_restore(world, block, size, NULL), SN_OK);
            }
            for (int k = 0; k < 20 + after; k++) {
                if (run && k < 20) continue;
                if (k == 20 && !run) {
                    size = sn_world_snapshot(world, NULL, 0);
                    block = malloc(size);
                    assert_int_equal(sn_world_snapshot(world, block, size), size);
                }
                act(world, tie, k, 0, 1);
                step_world(world);
                if (k >= 20) hash[run][k - 20] = hash_all(world, tie, 0);
            }
        }
        for (int k = 0; k < after; k++)
            assert_true(hash[0][k] == hash[1][k]);
        free(block);
        sn_world_free(world);
        sn_model_free(human), sn_model_free(box);
    }
}

TEST(a_spent_impulse_lets_its_body_sleep_and_wakes_it_again) {
    sn_world_def def = rows_def();
    def.sleep = 0.05, def.dt = 1.0 / 120;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    sn_model *model = brick();
    member_of(world, model);
    put_body(world, 0, (const double[3]){0, 0, 0.25}, NULL, NULL);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_POINT_IMPULSE);
    const sn_constraint hit = tie_of(world, &d);
    run_for(world, 2, def.dt);
    assert_int_equal(stats_of(world).asleep, 1);
    assert_int_equal(sn_world_set_constraint(world, hit, -1, (const double[3]){0, 0, 2}, NULL), SN_OK);
    step_world(world);
    double qd[6];
    sn_world_get_state(world, 0, NULL, qd);
    assert_int_equal(stats_of(world).asleep, 0);
    assert_near(qd[2], 2, 1e-6);
    sn_world_free(world);
    sn_model_free(model);
}

TEST(removing_either_member_removes_what_ties_them) {
    static const sn_constraint_type two[] = {SN_CONSTRAINT_PIN,
                                             SN_CONSTRAINT_WELD,
                                             SN_CONSTRAINT_DIRECTION_PATH,
                                             SN_CONSTRAINT_DIRECTION_ACCELERATION,
                                             SN_CONSTRAINT_DIRECTION_IMPULSE,
                                             SN_CONSTRAINT_HINGE,
                                             SN_CONSTRAINT_SLIDER,
                                             SN_CONSTRAINT_ORIENTATION,
                                             SN_CONSTRAINT_DISTANCE,
                                             SN_CONSTRAINT_ROPE,
                                             SN_CONSTRAINT_CURVE,
                                             SN_CONSTRAINT_SURFACE,
                                             SN_CONSTRAINT_MOTOR,
                                             SN_CONSTRAINT_LINEAR_MOTOR};
    for (int i = 0; i < COUNT(two); i++)
        for (int which = 0; which < 2; which++) {
            sn_world *world = plain_world();
            sn_model *model = brick();
            member_of(world, model), member_of(world, model);
            sn_constraint_def d = sn_constraint_def_default(two[i]);
            d.member2 = 1, d.target[0] = 0.3, d.curve = &ring, d.surface = &ball;
            const sn_constraint tie = tie_of(world, &d);
            step_world(world);
            assert_int_equal(sn_world_remove(world, which), SN_OK);
            assert_int_equal(constraint_force(world, tie, 0, NULL), -1);
            step_world(world);
            sn_world_free(world);
            sn_model_free(model);
        }
}

static void refused(sn_world *world, const sn_constraint_def *d, const char *because) {
    sn_error error = {0};
    assert_true(sn_world_add_constraint(world, d, &error) == 0);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    if (!strstr(error.message, because)) fail_msg("'%s' says nothing about '%s'", error.message, because);
}

TEST(what_makes_no_sense_is_refused_with_a_reason) {
    sn_world *world = plain_world();
    sn_model *model = brick();
    member_of(world, model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_TYPE_COUNT);
    refused(world, &d, "kind");
    d = sn_constraint_def_default(SN_CONSTRAINT_DIRECTION_PATH), d.direction[2] = 0;
    refused(world, &d, "direction");
    d.direction[0] = NAN;
    refused(world, &d, "finite");
    d = sn_constraint_def_default(SN_CONSTRAINT_ORIENTATION_PATH), d.kp = -1;
    refused(world, &d, "kp is -1");
    d.kp = 0, d.kd = INFINITY;
    refused(world, &d, "kd is inf");
    d.kd = 0, d.settle = 0;
    refused(world, &d, "settle");
    d = sn_constraint_def_default(SN_CONSTRAINT_WELD), d.member2 = 0;
    refused(world, &d, "itself");
    d.member2 = 7;
    refused(world, &d, "no member 7");
    d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    refused(world, &d, "no curve");
    sn_curve_def curve = ring;
    curve.npoint = 2, d.curve = &curve;
    refused(world, &d, "2 points");
    curve = ring, curve.points = (const double[]){0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0};
    refused(world, &d, "1 and 2");
    curve.points = NULL;
    refused(world, &d, "either points or a function");
    d = sn_constraint_def_default(SN_CONSTRAINT_SURFACE);
    refused(world, &d, "no surface");
    d.surface = &(sn_surface_def){.struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_CYLINDER};
    refused(world, &d, "radius");
    d.surface = &(sn_surface_def){
        .struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_HEIGHTS, .nx = 3, .ny = 1};
    refused(world, &d, "heights");
    d = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    refused(world, &d, "length");
    d.target[0] = 1, d.stiffness = 1, d.frequency = 1;
    refused(world, &d, "both");
    d.stiffness = 0, d.frequency = -1;
    refused(world, &d, "frequency is -1");
    d.frequency = 1, d.break_force = 0;
    refused(world, &d, "break_force");
    d = sn_constraint_def_default(SN_CONSTRAINT_POINT_IMPULSE), d.break_force = 5;
    refused(world, &d, "does not break");
    d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_IMPULSE), d.max_force = 0;
    refused(world, &d, "max_force");
    d.max_force = 1, d.body = 1;
    refused(world, &d, "body 1");
    d = sn_constraint_def_default(SN_CONSTRAINT_POINT_ACCELERATION);
    const sn_constraint tie = tie_of(world, &d);
    assert_int_equal(sn_world_set_constraint(world, tie, 0, (const double[3]){0, NAN, 0}, NULL),
                     SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_constraint(world, tie, 1, zero3, NULL), SN_ERROR_ARGUMENT);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("world constraint objects");
}
