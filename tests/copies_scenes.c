#include "copies_scenes.h"

const struct scene scene[SCENES] = {
    {"ground", SN_CONTACT_IMPLICIT, .ground = FLAT},
    {"ground and joint limits", SN_CONTACT_IMPLICIT, .joint_limits = true},
    {"height field, torques reported", SN_CONTACT_IMPLICIT, .ground = HILLS, .report_torque = true},
    {"two planes", SN_CONTACT_IMPLICIT, .ground = TWO_PLANES, .joint_limits = true},
    {"torque limits and joint limits", SN_CONTACT_IMPLICIT, .joint_limits = true, .torque_limits = true},
    {"parameters of their own", SN_CONTACT_IMPLICIT, .joint_limits = true, .own = true},
    {"self contact", SN_CONTACT_IMPLICIT, .joint_limits = true, .self_contact = true},
    {"rows", SN_CONTACT_ROWS, .joint_limits = true, .report_torque = true},
    {"rows on hills, parameters of their own", SN_CONTACT_ROWS, .ground = HILLS, .own = true},
    {"two members that meet", SN_CONTACT_IMPLICIT, .company = WITH_HUMANOID, .joint_limits = true},
    {"rows and a ball", SN_CONTACT_ROWS, .ground = TWO_PLANES, .company = WITH_BALL, .torque_limits = true},
};

struct cast cast_create(void) {
    const sn_shape_def ball = sphere_of(0.15, 3);
    return (struct cast){sn_builtin_create("humanoid", NULL), free_body(&ball)};
}

void cast_free(struct cast *cast) {
    sn_model_free(cast->humanoid);
    sn_model_free(cast->ball);
}

/* ------------------------------------------------------------------------------------------------ the scene */

/* Gentle hills, always alike. */
static void add_hills(sn_world *world) {
    static double height[33 * 33];
    struct rng rng = {5};
    for (int i = 0; i < 33 * 33; i++)
        height[i] = uniform(&rng, -0.02, 0.02);
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), 33, 33, {16, 16}, {-8, -8, 0}, height};
    assert_true(sn_world_add_heightfield(world, &field, NULL, NULL) >= 0);
}

/* A floor, and a slope that rises from x = 0.1 on. */
static void add_planes(sn_world *world) {
    const double point[3] = {0.1, 0, 0}, normal[3] = {-0.1, 0, 1};
    const sn_shape_def smooth = material_of(0.4, 0);
    floor_of(world, NULL);
    assert_true(sn_world_add_plane(world, point, normal, &smooth, NULL) >= 0);
}

static const sn_model *second_of(const struct cast *cast, const struct scene *s) {
    return s->company == WITH_HUMANOID ? cast->humanoid : s->company == WITH_BALL ? cast->ball : NULL;
}

static sn_world *build(const struct cast *cast, const struct run *run) {
    const struct scene *s = run->scene;
    sn_world_def def = copies_def(run->copies, run->precision);
    def.threads = run->threads;
    def.lanes = run->lanes;
    def.contact = s->contact;
    def.joint_limits = s->joint_limits;
    def.torque_limits = s->torque_limits;
    def.self_contact = s->self_contact;
    def.report_torque = s->report_torque;
    def.report_contacts = run->report_contacts;
    def.device = run->device;
    sn_world *world = driven_copies_of(cast->humanoid, &def);
    const sn_model *second = second_of(cast, s);
    if (second) assert_int_equal(sn_world_add(world, second, NULL), 1);
    if (s->company == WITH_HUMANOID) {
        double kp[MAX_NV], kd[MAX_NV];
        sn_gains_uniform(second, 0, 0, 300, 30, kp, kd);
        assert_int_equal(sn_world_set_gains(world, 1, kp, kd), SN_OK);
    }
    if (s->ground == HILLS)
        add_hills(world);
    else if (s->ground == TWO_PLANES)
        add_planes(world);
    else
        floor_of(world, NULL);
    return world;
}

/* --------------------------------------------------------------------------------------------- one humanoid */

/* Limbs turned far enough to lie in each other. */
static void tangle(const sn_model *model, int who, double *q) {
    struct rng rng = {(uint64_t)who + 501};
    double turned[MAX_NQ], still[MAX_NV];
    random_state(&rng, model, 1.2, 0, turned, still);
    memcpy(q + 7, turned + 7, sizeof *q * (size_t)(sn_model_get(model)->nq - 7));
}

static void give_own(sn_world *world, const struct scene *s, int copy, int who) {
    struct rng rng = {(uint64_t)who + 77};
    double kp[MAX_NV];
    const double mass = uniform(&rng, 0.5, 2), friction = uniform(&rng, 0.2, 1.5),
                 dt = uniform(&rng, 0.002, 0.006);
    const double gravity[3] = {0, 0, uniform(&rng, -12, -8)}, gain = uniform(&rng, 100, 500);
    for (int v = 0; v < sn_world_size(world, 0, SN_FIELD_KP); v++)
        kp[v] = v < 6 ? 0 : gain;
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_MASS_SCALE, copy, 1, &mass), SN_OK);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_FRICTION, copy, 1, &friction), SN_OK);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_GRAVITY, copy, 1, gravity), SN_OK);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_KP, copy, 1, kp), SN_OK);
    if (s->contact != SN_CONTACT_ROWS)
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_DT, copy, 1, &dt), SN_OK);
}

/* Another humanoid that comes from the front, or a ball thrown at the chest. */
static void put_second(sn_world *world, const struct scene *s, int copy, int who) {
    double q[MAX_NQ] = {0.35, 0, 1.2, 1}, qd[MAX_NV] = {-4};
    if (s->company == WITH_HUMANOID) {
        start_of(sn_world_model(world, 1), (who + 3) % STARTS, q, qd);
        q[0] = 0.3, qd[0] = -3;
        assert_int_equal(sn_world_set(world, 1, SN_FIELD_TARGET_Q, copy, 1, q), SN_OK);
    }
    copy_put(world, 1, copy, q, qd);
}

static void put(sn_world *world, const struct scene *s, int copy, int who) {
    const sn_model *model = sn_world_model(world, 0);
    double q[MAX_NQ], qd[MAX_NV], limit[MAX_NV];
    start_of(model, who, q, qd);
    if (s->self_contact) tangle(model, who, q);
    copy_put(world, 0, copy, q, qd);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, q), SN_OK);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        limit[v] = who % 2 ? (double)INFINITY : 20;
    if (s->torque_limits)
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_TORQUE_LIMIT, copy, 1, limit), SN_OK);
    if (s->own) give_own(world, s, copy, who);
    if (s->company != ALONE) put_second(world, s, copy, who);
}

/* Pushes come and go. */
static void push(sn_world *world, int copy, int who, int step) {
    double force[MOST_SIZE] = {0};
    struct rng rng = {(uint64_t)(1000 * who + step)};
    const int nbody = sn_model_get(sn_world_model(world, 0))->nbody;
    if ((who + step / 10) % 2)
        for (int k = 0; k < 3; k++)
            force[6 * (who % nbody) + k] = uniform(&rng, -150, 150);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, copy, 1, force), SN_OK);
}

/* One that no state survives. */
static void push_away(sn_world *world, int copy) {
    double force[MOST_SIZE] = {0};
    for (int b = 0; b < sn_model_get(sn_world_model(world, 0))->nbody; b++)
        force[6 * b + b % 3] = 1e25;
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, copy, 1, force), SN_OK);
}

/* ------------------------------------------------------------------------------------------------- the run */

static int member_size(const sn_model *model) {
    return model ? sn_model_get(model)->nq + sn_model_get(model)->nv + 3 * sn_model_get(model)->nbody : 0;
}

int run_size(const struct cast *cast, const struct scene *s) {
    return member_size(cast->humanoid) + member_size(second_of(cast, s));
}

static void take(sn_world *world, int copy, double *values) {
    static const sn_field field[] = {SN_FIELD_Q, SN_FIELD_QD, SN_FIELD_CONTACT_FORCE};
    for (int m = 0; m < sn_world_get_info(world).members; m++)
        for (int f = 0; f < COUNT(field); f++) {
            assert_int_equal(sn_world_get(world, m, field[f], copy, 1, values), SN_OK);
            values += sn_world_size(world, m, field[f]);
        }
}

static void count_meetings(const sn_world *world, struct meetings *meetings) {
    for (int copy = 0; copy < sn_world_get_info(world).copies; copy++) {
        int n;
        const sn_contact *contact = sn_world_contacts(world, copy, &n);
        for (int i = 0; i < n; i++) {
            const int *member = contact[i].member;
            if (norm(contact[i].force, 3) == 0) continue;
            meetings->ground += member[1] < 0;
            meetings->self += member[1] >= 0 && member[0] == member[1];
            meetings->between += member[1] >= 0 && member[0] != member[1];
        }
    }
}

uint64_t run_scene(const struct cast *cast, const struct run *run, double *values,
                   struct meetings *meetings) {
    sn_world *world = build(cast, run);
    int expected = 0;
    for (int k = 0; k < run->copies; k++) {
        put(world, run->scene, k, run->who[k]);
        expected += run->wild && run->wild[k];
    }
    for (int i = 0; i < run->steps; i++) {
        for (int k = 0; k < run->copies && i % 10 == 0; k++)
            push(world, k, run->who[k], i);
        for (int k = 0; run->wild && k < run->copies && i == run->steps / 3; k++)
            if (run->wild[k]) push_away(world, k);
        step_many(world, 1);
        if (meetings) count_meetings(world, meetings);
    }
    assert_int_equal(stats_of(world).diverged, expected);
    assert_true(all_finite(world));
    for (int k = 0; values && k < run->copies; k++)
        take(world, k, values + k * run_size(cast, run->scene));
    const uint64_t hash = sn_world_hash(world);
    sn_world_free(world);
    return hash;
}
