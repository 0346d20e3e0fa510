/* Characters that hold something: one who stands on a lift with a crate in its arms, and limp ones whose hands are
 * welded to a bar. SINEW_DROPS=1 rides for longer and at more speeds; SINEW_FILMS=FOLDER saves what happened. */
#include "trial_helpers.h"

#include "base/quat.h"

static int hand_of(const sn_model *model, const char *side) {
    char name[32];
    snprintf(name, sizeof name, "%s_forearm", side);
    const int body = sn_model_find_body(model, name);
    assert_true(body >= 0);
    return body;
}

/* Where the palm is, in the frame of the forearm. */
static const double palm[3] = {0, 0, -0.26};

static void palm_at(sn_world *world, int body, double at[3]) {
    double pos[3], rot[4];
    body_pose(world, 0, body, pos, rot);
    dquat_rotate(rot, palm, at);
    for (int k = 0; k < 3; k++)
        at[k] += pos[k];
}

/* Holds a point of member 1 that is at `at` in its frame by a hand: a pin or a weld. */
static sn_constraint take(sn_world *world, sn_constraint_type type, const char *side, const double at[3]) {
    sn_constraint_def d = sn_constraint_def_default(type);
    sn_error error = {0};
    d.member = 0, d.body = hand_of(sn_world_model(world, 0), side), d.member2 = 1;
    memcpy(d.point, palm, sizeof palm);
    memcpy(d.point2, at, sizeof d.point2);
    const sn_constraint c = sn_world_add_constraint(world, &d, &error);
    if (!c) fail_msg("%s", error.message);
    return c;
}

/* ------------------------------------------------------------------------------------------------------ the lift */

struct ride {
    const char *name;
    sn_precision precision;
    double hertz, speed;
    sn_constraint_type hold;
};

/* Both arms forward, forearms level. */
static void lift_arms(const sn_model *model, double *q) {
    static const char *const side[] = {"left", "right"};
    const double y[3] = {0, 1, 0};
    for (int s = 0; s < 2; s++) {
        char name[32];
        snprintf(name, sizeof name, "%s_upper_arm", side[s]);
        const int arm = sn_model_find_body(model, name), fore = hand_of(model, side[s]);
        assert_true(arm >= 0);
        turn_about(y, -0.5, q + sn_model_body(model, arm)->q_index);
        q[sn_model_body(model, fore)->q_index] = -1.07;
    }
}

struct cabin {
    sn_world *world;
    int lift;
    sn_constraint held[2];
    double weight, height;
};

/* Chest of 4 kg between the palms. The stance is on the lift at z = 0. */
static struct cabin board(const sn_model *model, const sn_model *crate, const struct ride *r) {
    static const double low[3] = {0, 0, -0.1}, upright[4] = {1, 0, 0, 0};
    double q[MAX_NQ], kp[MAX_NV], kd[MAX_NV], at[2][3], mid[3], left[3], right[3];
    sn_error error = {0};
    sn_world_def def = sn_world_def_default();
    def.precision = r->precision, def.dt = 1 / r->hertz, def.report_torque = true;
    struct cabin c = {.world = world_of(&def)};
    const sn_shape_def floor = box_of(2, 2, 0.1, 1);
    c.lift = sn_world_add_shape(c.world, &floor, low, upright, NULL);
    member_of(c.world, model), member_of(c.world, crate);
    sn_model_zero_pose(model, q);
    lift_arms(model, q);
    assert_int_equal(sn_world_set_state(c.world, 0, q, NULL), SN_OK);
    q[2] -= lowest_point(c.world, 0);
    assert_int_equal(sn_world_set_state(c.world, 0, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(c.world, 0, q, NULL), SN_OK);
    const sn_gains_def gains = {
        .struct_size = sizeof(sn_gains_def), .q = q, .dt = def.dt, .precision = r->precision, .widen = true};
    if (sn_gains_choose(model, &gains, kp, kd, &error)) fail_msg("%s", error.message);
    assert_int_equal(sn_world_set_gains(c.world, 0, kp, kd), SN_OK);
    palm_at(c.world, hand_of(model, "left"), at[0]), palm_at(c.world, hand_of(model, "right"), at[1]);
    for (int k = 0; k < 3; k++)
        mid[k] = 0.5 * (at[0][k] + at[1][k]), left[k] = at[0][k] - mid[k], right[k] = at[1][k] - mid[k];
    put_body(c.world, 1, mid, NULL, NULL);
    c.held[0] = take(c.world, r->hold, "left", left), c.held[1] = take(c.world, r->hold, "right", right);
    c.weight = 9.81 * (sn_model_get(model)->mass + sn_model_get(crate)->mass), c.height = q[2];
    return c;
}

/* What the lift bears, N, upwards. */
static double force_below(sn_world *world) {
    int n;
    double sum = 0;
    const sn_contact *c = contacts_of(world, &n);
    for (int k = 0; k < n; k++)
        sum += c[k].member[1] < 0 ? c[k].force[2] : c[k].member[0] < 0 ? -c[k].force[2] : 0;
    return sum;
}

struct seen {
    struct worst force, apart, sunk;
};

static double apart(const struct cabin *c) {
    double worst = 0;
    for (int i = 0; i < 2; i++) {
        double far;
        assert_int_equal(constraint_error(c->world, c->held[i], 0, &far, NULL), SN_OK);
        worst = fmax(worst, far);
    }
    return worst;
}

/* A second at rest, then the lift goes, at once; from a second later on, at constant speed, the mean over half a second
   of what the lift bears is the weight. */
static void go_up(const sn_model *model, const sn_model *crate, const struct ride *r, double seconds,
                  struct seen *seen) {
    static const double low[3] = {0, 0, -0.1}, upright[4] = {1, 0, 0, 0};
    struct cabin c = board(model, crate, r);
    struct trial trial;
    double mean = 0, q[MAX_NQ];
    trial_begin(&trial, c.world, r->name);
    trial.counts = false; /* the lift gives energy */
    for (int i = 0; i < seconds * r->hertz; i++) {
        if (i == (int)r->hertz)
            sn_world_move(c.world, c.lift, low, upright, (const double[3]){0, 0, r->speed}, NULL);
        trial_step(&trial);
        const double part = fmin(1, 2 / r->hertz);
        mean += (i < r->hertz ? 1 : part) * (force_below(c.world) - mean);
        worst_add(&seen->apart, 1e3 * apart(&c), "%s, step %d", r->name, i);
        if (i < 3 * r->hertz) continue;
        sn_world_get_state(c.world, 0, q, NULL);
        const double rise = r->speed * ((i + 1) / r->hertz - 1);
        worst_add(&seen->force, fabs(mean / c.weight - 1), "%s, step %d", r->name, i);
        worst_add(&seen->sunk, c.height + rise - q[2], "%s, step %d", r->name, i);
    }
    trial_end(&trial);
    sn_world_free(c.world);
}

TEST(who_carries_a_crate_stays_on_a_lift) {
    static const struct ride rides[] = {
        {"lift 1 m_s 60 Hz", SN_PRECISION_DOUBLE, 60, 1, SN_CONSTRAINT_WELD},
        {"lift 2 m_s 60 Hz", SN_PRECISION_DOUBLE, 60, 2, SN_CONSTRAINT_WELD},
        {"lift 2 m_s 30 Hz", SN_PRECISION_DOUBLE, 30, 2, SN_CONSTRAINT_WELD},
        {"lift 2 m_s 60 Hz float", SN_PRECISION_FLOAT, 60, 2, SN_CONSTRAINT_WELD},
        {"lift 2 m_s 30 Hz float", SN_PRECISION_FLOAT, 30, 2, SN_CONSTRAINT_WELD},
        {"lift 2 m_s 60 Hz pins", SN_PRECISION_DOUBLE, 60, 2, SN_CONSTRAINT_PIN},
        {"lift -1 m_s 60 Hz", SN_PRECISION_DOUBLE, 60, -1, SN_CONSTRAINT_WELD},
        {"lift 0 m_s 60 Hz", SN_PRECISION_DOUBLE, 60, 0, SN_CONSTRAINT_WELD},
    };
    sn_model *model = sn_builtin_create("humanoid", NULL), *crate = body_of(box_of(0.15, 0.1, 0.1, 4));
    struct seen seen = {0};
    for (int i = 0; i < COUNT(rides); i++)
        go_up(model, crate, &rides[i], trial_size(20, 5, 4), &seen);
    sn_model_free(model), sn_model_free(crate);
    assert_worst(&seen.apart, 1, "hands and crate apart, mm");
    assert_worst(&seen.force, 0.01, "force of the lift beside the weight, relative");
    assert_worst(&seen.sunk, 0.1, "lower than it stood, m");
}

/* ------------------------------------------------------------------------------------------------- the welded bar */

/* Knees and elbows of random poses, back within their limits. */
static void keep_limits(const sn_model *model, double *q) {
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        const sn_joint_def *j = &body->joint;
        if (!j->limited || j->type != SN_JOINT_HINGE) continue;
        q[body->q_index] = fmin(fmax(q[body->q_index], j->lower[0]), j->upper[0]);
    }
    assert_true(past_limits(model, q) < 1e-9);
}

struct hung {
    char name[48];
    sn_world *world;
    sn_constraint weld[2];
};

/* A limp humanoid in some pose, its lowest point a metre above the ground. */
static void put_limp(sn_world *world, int seed) {
    const sn_model *model = sn_world_model(world, 0);
    struct rng rng = {(uint64_t)seed};
    double q[MAX_NQ], qd[MAX_NV];
    random_state(&rng, model, 0.15, 1, q, qd);
    random_quaternion(&rng, q + 3);
    lift_arms(model, q);
    keep_limits(model, q);
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
    q[2] += 1 - lowest_point(world, 0);
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
}

/* The bar from palm to palm, welded to both. */
static void weld_bar(struct hung *h) {
    const sn_model *model = sn_world_model(h->world, 0);
    const double z[3] = {0, 0, 1};
    double at[2][3], mid[3], along[3], axis[3], rot[4];
    for (int s = 0; s < 2; s++)
        palm_at(h->world, hand_of(model, s ? "right" : "left"), at[s]);
    for (int k = 0; k < 3; k++)
        mid[k] = 0.5 * (at[0][k] + at[1][k]), along[k] = at[0][k] - at[1][k];
    dvec_cross(z, along, axis);
    const double size = norm(axis, 3), half = 0.5 * norm(along, 3);
    for (int k = 0; k < 3; k++)
        axis[k] /= size;
    turn_about(axis, atan2(size, along[2]), rot);
    put_body(h->world, 1, mid, rot, NULL);
    h->weld[0] = take(h->world, SN_CONSTRAINT_WELD, "left", (const double[3]){0, 0, half});
    h->weld[1] = take(h->world, SN_CONSTRAINT_WELD, "right", (const double[3]){0, 0, -half});
}

/* What was seen of all seeds: J in a step, degrees, mm. */
struct swung {
    struct worst won, past, open;
};

static void watch_bar(const struct hung *h, const sn_world_def *def, struct swung *seen) {
    struct trial trial;
    trial_begin(&trial, h->world, h->name);
    for (int i = 0; i * def->dt < 3; i++) {
        trial.counts = i * def->dt >= 0.25;
        trial_step(&trial);
        for (int s = 0; s < 2 && trial.counts; s++) {
            double far;
            assert_int_equal(constraint_error(h->world, h->weld[s], 0, &far, NULL), SN_OK);
            worst_add(&seen->open, 1e3 * far, "%s, step %d", h->name, i);
        }
    }
    trial_end(&trial);
    if (trial.won.value > seen->won.value) seen->won = trial.won;
    if (def->joint_limits && trial.past.value > seen->past.value) seen->past = trial.past;
}

static void hang(const sn_model *model, const sn_model *bar, const sn_world_def *def, int seed,
                 struct swung *seen) {
    struct hung h = {.world = world_of(def)};
    snprintf(h.name, sizeof h.name, "bar %.0f Hz limits %s seed %d", 1 / def->dt,
             def->joint_limits ? "on" : "off", seed);
    floor_of(h.world, NULL);
    member_of(h.world, model), member_of(h.world, bar);
    put_limp(h.world, seed);
    weld_bar(&h);
    watch_bar(&h, def, seen);
    sn_world_free(h.world);
}

/* At 30 Hz a spine that swung by half a radian in a step passed its curved limit by 12 degrees. */
TEST(limp_hands_welded_to_a_bar_win_nothing) {
    static const double hertz[] = {30, 60, 240};
    sn_model *model = sn_builtin_create("humanoid", NULL), *bar = body_of(capsule_of(0.02, 0.5, 4));
    for (int k = 0; k < 2 * COUNT(hertz); k++) {
        sn_world_def def = sn_world_def_default();
        def.dt = 1 / hertz[k / 2], def.joint_limits = k % 2 == 0, def.self_contact = true;
        struct swung seen = {0};
        for (int seed = 1; seed <= trial_size(20, 2, 1); seed++)
            hang(model, bar, &def, seed, &seen);
        assert_worst(&seen.won, 0.3, "won in a step, J");
        assert_worst(&seen.past, 2, "beyond a limit, degrees");
        assert_worst(&seen.open, 7, "weld open, mm");
    }
    sn_model_free(model), sn_model_free(bar);
}

/* ------------------------------------------------------------------------------------------- who is caught */

/* T + V half a step ago: the velocity at the end of a step is its mean. At its end the energy of what swings goes up and down. */
static double energy_between(sn_world *world, sn_world *scale, const double *q, const double *qd) {
    double after[MAX_NV], unused[MAX_NQ];
    sn_world_get_state(world, 0, unused, after);
    for (int k = 0; k < sn_model_get(sn_world_model(world, 0))->nv; k++)
        after[k] = 0.5 * (qd[k] + after[k]);
    sn_world_set_state(scale, 0, q, after);
    return energy_of(scale);
}

/* The tie of one body, where it is, with the world. */
static void catch_by(sn_world *world, sn_constraint_type type, const char *name) {
    sn_constraint_def d = sn_constraint_def_default(type);
    sn_error error = {0};
    double pos[3], rot[4], at[3];
    d.body = sn_model_find_body(sn_world_model(world, 0), name), d.member2 = -1;
    assert_true(d.body >= 0);
    body_pose(world, 0, d.body, pos, rot);
    d.point[2] = -0.1;
    dquat_rotate(rot, d.point, at);
    for (int k = 0; k < 3; k++)
        d.point2[k] = pos[k] + at[k], d.direction[k] = k == 1;
    if (!sn_world_add_constraint(world, &d, &error)) fail_msg("%s", error.message);
}

static void fly_into(const sn_model *model, const sn_world_def *def, sn_constraint_type type,
                     const char *body, int seed, struct worst *won) {
    sn_world *world = world_of(def), *scale = world_of(def);
    double q[MAX_NQ], qd[MAX_NV], before = INFINITY;
    floor_of(world, NULL), floor_of(scale, NULL);
    member_of(world, model), member_of(scale, model);
    put_limp(world, seed);
    sn_world_get_state(world, 0, q, qd);
    qd[0] += 2;
    sn_world_set_state(world, 0, q, qd);
    catch_by(world, type, body);
    for (int i = 0; i * def->dt < 2; i++) {
        sn_world_get_state(world, 0, q, qd);
        step_world(world);
        const double now = energy_between(world, scale, q, qd);
        worst_add(won, now - before, "%s, constraint %d, %.0f Hz, seed %d, step %d", body, (int)type,
                  1 / def->dt, seed, i);
        before = now;
    }
    sn_world_free(world), sn_world_free(scale);
}

/* A rigid tie gives nothing: it takes what runs into it. It gave kilojoules while the energy guard let every constraint be. */
TEST(a_tie_that_catches_who_moves_gives_nothing) {
    static const sn_constraint_type types[] = {SN_CONSTRAINT_PIN, SN_CONSTRAINT_HINGE, SN_CONSTRAINT_WELD};
    static const char *const bodies[] = {"left_forearm", "chest", "right_shin"};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst won = {0};
    for (int k = 0; k < 2 * COUNT(types) * COUNT(bodies); k++) {
        sn_world_def def = sn_world_def_default();
        def.dt = k % 2 ? 1.0 / 30 : 1.0 / 60, def.self_contact = true;
        for (int seed = 1; seed <= trial_size(10, 2, 1); seed++)
            fly_into(model, &def, types[k / 2 % COUNT(types)], bodies[k / 2 / COUNT(types)], seed, &won);
    }
    sn_model_free(model);
    assert_worst(&won, 4, "won in a step, J");
}

/* Whoever flies away on a rope, with 0.3 m of slack, or on a rod half a metre long: how far it opens, mm. */
static void fly_away(const sn_model *model, const sn_world_def *def, sn_constraint_type type, double speed,
                     int seed, struct worst *open) {
    sn_constraint_def d = sn_constraint_def_default(type);
    struct rng rng = {(uint64_t)seed};
    double q[MAX_NQ], qd[MAX_NV], way[3], pos[3], rot[4], at[3], far;
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, 0.5);
    random_state(&rng, model, 0.15, 1, q, qd);
    random_quaternion(&rng, q + 3);
    random_direction(&rng, way);
    for (int k = 0; k < 3; k++)
        q[k] = k == 2 ? 2.5 : 0, qd[k] += speed * way[k];
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
    d.body = hand_of(model, "left"), d.member2 = -1, d.point[2] = -0.1;
    d.target[0] = type == SN_CONSTRAINT_ROPE ? 0.8 : 0.5;
    body_pose(world, 0, d.body, pos, rot);
    dquat_rotate(rot, d.point, at);
    for (int k = 0; k < 3; k++)
        d.point2[k] = pos[k] + at[k] - 0.5 * way[k];
    const sn_constraint tie = tie_of(world, &d);
    for (int i = 0; i * def->dt < 1; i++) {
        step_world(world);
        assert_int_equal(constraint_error(world, tie, 0, &far, NULL), SN_OK);
        worst_add(open, 1e3 * far, "%s, %g m/s, seed %d, step %d",
                  type == SN_CONSTRAINT_ROPE ? "rope" : "rod", speed, seed, i);
    }
    sn_world_free(world);
}

/* The row of a rod was its tangent at the start of the step: it opened by 80 mm. */
TEST(ropes_and_rods_that_catch_who_flies_away_hardly_open) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = sn_world_def_default();
    struct worst open = {0};
    def.dt = 1.0 / 60, def.self_contact = true;
    for (int seed = 1; seed <= trial_size(20, 4, 2); seed++)
        for (int k = 0; k < 4; k++)
            fly_away(model, &def, k / 2 ? SN_CONSTRAINT_ROPE : SN_CONSTRAINT_DISTANCE, k % 2 ? 8 : 4, seed,
                     &open);
    sn_model_free(model);
    assert_worst(&open, 10, "open, mm");
}

int main(void) {
    return run_all("carry");
}
