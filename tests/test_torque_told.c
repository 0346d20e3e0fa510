/* Torques that are reported under torque limits: never beyond them, in every setting and precision, on the ground and off it. */
#include "world_helpers.h"

static const double LIMIT = 100;

struct drive_case {
    sn_setting setting;
    sn_precision precision;
    double hertz, kp, kd, seconds;
    int seed, copies;
    sn_contact_method contact;
    sn_stepper stepper;
    bool self;
};

static const char *const setting_name[] = {
    [SN_SETTING_GAME] = "game", [SN_SETTING_EXACT] = "exact", [SN_SETTING_CROWD] = "crowd"};

/* Every joint swings by 0.8 rad about its zero, at 0.5 to 2 Hz: the character falls and thrashes about. */
static void set_targets(sn_world *world, const sn_model *model, int copy, int seed, double time) {
    struct rng rng = {(uint64_t)seed};
    double zero[MAX_NQ], q[MAX_NQ], dv[MAX_NV];
    for (int v = 0; v < sn_model_get(model)->nv; v++) {
        const double phase = uniform(&rng, 0, 6.28), rate = uniform(&rng, 0.5, 2);
        dv[v] = v < 6 ? 0 : 0.8 * sin(phase + 6.28 * rate * time);
    }
    sn_model_zero_pose(model, zero);
    sn_model_pose_add(model, 1, zero, dv, q);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, q), SN_OK);
}

/* The largest torque of one copy: of a ball by length. */
static double largest(sn_world *world, const sn_model *model, int copy) {
    double tau[MAX_NV], most = 0;
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_TORQUE, copy, 1, tau), SN_OK);
    for (int b = 0, v = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_joint_type type = sn_model_body(model, b)->joint.type;
        const int n = type == SN_JOINT_FREE        ? 6
                      : type == SN_JOINT_BALL      ? 3
                      : type == SN_JOINT_UNIVERSAL ? 2
                                                   : type != SN_JOINT_WELD;
        for (int k = v; k < v + n && n < 3; k++)
            most = fmax(most, fabs(tau[k]));
        if (n == 3) most = fmax(most, norm(tau + v, n));
        v += n;
    }
    return most;
}

static void drive(const sn_model *model, const struct drive_case *d, struct worst *worst) {
    double q[MAX_NQ], limit[MAX_NV];
    sn_world_def def = sn_world_def_default();
    def.setting = d->setting, def.precision = d->precision, def.dt = 1 / d->hertz;
    def.copies = d->copies, def.report_torque = def.torque_limits = true;
    def.contact = d->contact, def.stepper = d->stepper, def.self_contact = d->self;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, d->kp, d->kd);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        limit[v] = v < 6 ? (double)INFINITY : LIMIT;
    sn_model_zero_pose(model, q);
    q[2] = 1;
    for (int c = 0; c < d->copies; c++) {
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, c, 1, q), SN_OK);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_TORQUE_LIMIT, c, 1, limit), SN_OK);
    }
    for (int k = 0; k < d->seconds * d->hertz; k++) {
        for (int c = 0; c < d->copies; c++)
            set_targets(world, model, c, d->seed + c, k / d->hertz);
        step_world(world);
        for (int c = 0; c < d->copies; c++)
            worst_add(worst, largest(world, model, c) / LIMIT - 1,
                      "%s, %s, %g Hz, kp %g, %s%s%s, seed %d, step %d", setting_name[d->setting],
                      d->precision ? "float" : "double", d->hertz, d->kp,
                      d->contact == SN_CONTACT_ROWS ? "rows" : "inside", d->self ? ", self" : "",
                      d->stepper == SN_STEPPER_EVENT ? ", event" : "", d->seed + c, k);
    }
    sn_world_free(world);
}

/* The ways in which rows come about: the humanoid touches itself, the ground by rows, in both steppers. */
static void try_rows(sn_setting setting, sn_precision precision, double allowed) {
    static const struct drive_case way[] = {
        {.contact = SN_CONTACT_IMPLICIT, .stepper = SN_STEPPER_TIME, .self = true},
        {.contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_TIME, .self = true},
        {.contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_EVENT, .self = true},
    };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int i = 0; i < COUNT(way); i++) {
        struct worst worst = {0};
        for (int h = 60; h <= 240; h *= 4)
            for (int stiff = 0; stiff < 2; stiff++) {
                struct drive_case d = way[i];
                d.setting = setting, d.precision = precision, d.hertz = h, d.seed = 1 + stiff, d.copies = 1;
                d.kp = stiff ? 1000 : 300, d.kd = stiff ? 30 : 10, d.seconds = FAST ? 1 : 2;
                drive(model, &d, &worst);
            }
        assert_worst(&worst, allowed, "beyond the torque limit, relative");
    }
    sn_model_free(model);
}

static void try_precision(sn_precision precision, double allowed) {
    static const sn_setting settings[] = {SN_SETTING_GAME, SN_SETTING_EXACT, SN_SETTING_CROWD};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int s = 0; s < COUNT(settings); s++) {
        struct worst worst = {0};
        for (int h = 60; h <= 240; h *= 2)
            for (int seed = 1; seed <= (FAST ? 1 : 4); seed++)
                for (int stiff = 0; stiff < 2; stiff++)
                    drive(model,
                          &(struct drive_case){.setting = settings[s],
                                               .precision = precision,
                                               .hertz = h,
                                               .kp = stiff ? 1000 : 300,
                                               .kd = stiff ? 30 : 10,
                                               .seconds = 4,
                                               .seed = seed,
                                               .copies = settings[s] == SN_SETTING_CROWD ? 5 : 1},
                          &worst);
        assert_worst(&worst, allowed, "beyond the torque limit, relative");
    }
    sn_model_free(model);
}

TEST(no_torque_is_beyond_its_limit_in_double) {
    try_precision(SN_PRECISION_DOUBLE, 1e-3);
}

/* In float, 126 N m were reported under a limit of 100. */
TEST(no_torque_is_beyond_its_limit_in_float) {
    try_precision(SN_PRECISION_FLOAT, 5e-3);
}

TEST(rows_drive_no_torque_beyond_its_limit) {
    static const sn_setting settings[] = {SN_SETTING_GAME, SN_SETTING_EXACT, SN_SETTING_CROWD};
    for (int s = 0; s < COUNT(settings); s++)
        for (int p = 0; p < 2; p++)
            try_rows(settings[s], (sn_precision)p, p ? 5e-3 : 1e-3);
}

int main(void) {
    return run_all("torque told");
}
