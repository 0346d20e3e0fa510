/* Random scenes of what should not happen and does: limp and driven humanoids in a heap of boxes, tied to each other and to the
 * world, on a lift, with targets that jump and pushes that come and go, at every rate, precision and setting. Nothing diverges.
 * SINEW_DROPS=1 tries as many as the project's targets speak of; else a few. SINEW_NASTY=FIRST,LAST tries these seeds. */
#include "world_helpers.h"

#include "base/quat.h"

enum { MOST_HUMANOIDS = 3, MOST_BOXES = 6, MOST_TIES = 3 };

/* A scene, as its seed has it. */
struct nasty {
    char name[128];
    struct rng rng;
    sn_world *world;
    double hertz, rise, lift_z, jump, shove;
    int humanoids, boxes, ties, lift; /* lift: -1, none */
    bool driven[MOST_HUMANOIDS];
};

static int pick(struct rng *rng, int n) {
    const int k = (int)uniform(rng, 0, n);
    return k < n ? k : n - 1;
}

static sn_world_def def_of_scene(struct nasty *n) {
    static const double hertz[] = {30, 60, 60, 120, 240};
    static const sn_setting setting[] = {SN_SETTING_GAME, SN_SETTING_GAME, SN_SETTING_CROWD,
                                         SN_SETTING_EXACT};
    sn_world_def def = sn_world_def_default();
    def.precision = (sn_precision)pick(&n->rng, 2);
    n->hertz = hertz[pick(&n->rng, COUNT(hertz))];
    def.dt = 1 / n->hertz;
    def.setting = setting[pick(&n->rng, COUNT(setting))];
    def.contact = pick(&n->rng, 4) ? SN_CONTACT_IMPLICIT : SN_CONTACT_ROWS;
    def.self_contact = pick(&n->rng, 4) > 0;
    def.torque_limits = pick(&n->rng, 2) > 0;
    return def;
}

/* Limp, with one of three dampings; or driven by gains of some frequency, or of some size. */
static void choose_drives(struct nasty *n, int member, const sn_world_def *def) {
    static const double damping[] = {0, 0.5, 2}, frequency[] = {2, 4, 8};
    const sn_model *model = sn_world_model(n->world, member);
    double kp[MAX_NV], kd[MAX_NV], limit[MAX_NV];
    sn_error error = {0};
    const int kind = pick(&n->rng, 4);
    n->driven[member] = kind > 1;
    if (kind < 2) {
        uniform_gains(n->world, member, 0, 0, 0, damping[pick(&n->rng, 3)]);
    } else if (kind == 2) {
        const double stiff = uniform(&n->rng, 100, 1000), damped = uniform(&n->rng, 5, 50);
        uniform_gains(n->world, member, 0, 0, stiff, fmax(damped, 1.5 * stiff / n->hertz));
    } else {
        const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def),
                                    .frequency = frequency[pick(&n->rng, 3)],
                                    .dt = def->dt,
                                    .precision = def->precision,
                                    .widen = true};
        if (sn_gains_choose(model, &gains, kp, kd, &error)) fail_msg("%s", error.message);
        assert_int_equal(sn_world_set_gains(n->world, member, kp, kd), SN_OK);
    }
    if (!def->torque_limits) return;
    for (int v = 0; v < 6; v++)
        limit[v] = INFINITY;
    for (int b = 1; b < sn_model_get(model)->nbody; b++) { /* one for the three axes of a ball */
        const sn_body_info *body = sn_model_body(model, b);
        const double most = uniform(&n->rng, 50, 300);
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            limit[v] = most;
    }
    assert_int_equal(sn_world_set(n->world, member, SN_FIELD_TORQUE_LIMIT, 0, 1, limit), SN_OK);
}

static void put_humanoid(struct nasty *n, const sn_model *model, const sn_world_def *def) {
    double q[MAX_NQ], qd[MAX_NV];
    const int member = member_of(n->world, model);
    choose_drives(n, member, def);
    random_state(&n->rng, model, 0.3, 1, q, qd);
    random_quaternion(&n->rng, q + 3);
    q[0] = uniform(&n->rng, -0.4, 0.4), q[1] = uniform(&n->rng, -0.4, 0.4), q[2] = 1.2 + 0.8 * member;
    qd[0] = uniform(&n->rng, -4, 4), qd[1] = uniform(&n->rng, -4, 4), qd[2] = uniform(&n->rng, -3, 3);
    assert_int_equal(sn_world_set_state(n->world, member, q, qd), SN_OK);
}

static void put_box(struct nasty *n, const sn_model *box) {
    double pos[3], rot[4], velocity[6];
    const int member = member_of(n->world, box);
    for (int k = 0; k < 2; k++)
        pos[k] = uniform(&n->rng, -1, 1);
    pos[2] = uniform(&n->rng, 0.4, 3);
    random_quaternion(&n->rng, rot);
    random_values(&n->rng, 5, velocity, 6);
    put_body(n->world, member, pos, rot, velocity);
}

/* One body, where it is, to another one or to the world; or a rope or a rod between them. */
static void add_tie(struct nasty *n) {
    static const sn_constraint_type types[] = {SN_CONSTRAINT_PIN, SN_CONSTRAINT_HINGE, SN_CONSTRAINT_WELD,
                                               SN_CONSTRAINT_ROPE, SN_CONSTRAINT_DISTANCE};
    const int members = n->humanoids + n->boxes;
    double pos[3], rot[4], at[3], pos2[3] = {0}, rot2[4] = {1, 0, 0, 0}, back[4], far[3];
    sn_constraint_def d = sn_constraint_def_default(types[pick(&n->rng, COUNT(types))]);
    d.member = pick(&n->rng, members), d.member2 = pick(&n->rng, members + 1) - 1;
    if (d.member2 == d.member) d.member2 = -1;
    d.body = pick(&n->rng, sn_model_get(sn_world_model(n->world, d.member))->nbody);
    if (d.member2 >= 0) d.body2 = pick(&n->rng, sn_model_get(sn_world_model(n->world, d.member2))->nbody);
    random_values(&n->rng, 0.1, d.point, 3);
    body_pose(n->world, d.member, d.body, pos, rot);
    if (d.member2 >= 0) body_pose(n->world, d.member2, d.body2, pos2, rot2);
    dquat_rotate(rot, d.point, at);
    dquat_conjugate(rot2, back);
    for (int k = 0; k < 3; k++)
        far[k] = at[k] += pos[k] - pos2[k];
    dquat_rotate(back, at, d.point2);
    if (d.type == SN_CONSTRAINT_ROPE || d.type == SN_CONSTRAINT_DISTANCE) {
        random_values(&n->rng, 0.5, d.point2, 3);
        dquat_rotate(rot2, d.point2, at);
        for (int k = 0; k < 3; k++)
            far[k] -= at[k];
        d.target[0] = 0.05 + norm(far, 3);
    }
    tie_of(n->world, &d);
}

static const double FLOOR_THICK = 0.1;

static void move_lift(struct nasty *n) {
    const double at[3] = {0, 0, n->lift_z - FLOOR_THICK}, upright[4] = {1, 0, 0, 0}, v[3] = {0, 0, n->rise};
    if (n->lift >= 0) sn_world_move(n->world, n->lift, at, upright, v, NULL);
}

static void build(struct nasty *n, int seed, const sn_model *model, const sn_model *box) {
    *n = (struct nasty){.rng = {(uint64_t)seed}, .lift = -1};
    const sn_world_def def = def_of_scene(n);
    n->world = world_of(&def);
    floor_of(n->world, NULL);
    n->humanoids = 1 + pick(&n->rng, MOST_HUMANOIDS), n->boxes = pick(&n->rng, MOST_BOXES + 1);
    n->ties = pick(&n->rng, 2) ? 0 : 1 + pick(&n->rng, MOST_TIES);
    n->jump = pick(&n->rng, 2) ? 0.3 : 1, n->shove = pick(&n->rng, 2) ? 0 : 500;
    if (pick(&n->rng, 3) == 0) {
        const sn_shape_def floor = box_of(1.5, 1.5, FLOOR_THICK, 1);
        const double at[3] = {0, 0, 0.2 - FLOOR_THICK}, upright[4] = {1, 0, 0, 0};
        n->lift_z = 0.2, n->rise = uniform(&n->rng, 0.5, 4);
        n->lift = sn_world_add_shape(n->world, &floor, at, upright, NULL);
    }
    for (int i = 0; i < n->humanoids; i++)
        put_humanoid(n, model, &def);
    for (int i = 0; i < n->boxes; i++)
        put_box(n, box);
    for (int i = 0; i < n->ties; i++)
        add_tie(n);
    snprintf(n->name, sizeof n->name, "seed %d: %g Hz, %s, %s%s%s%s, %d people, %d boxes, %d ties%s", seed,
             n->hertz, def.precision == SN_PRECISION_FLOAT ? "float" : "double",
             def.setting == SN_SETTING_GAME    ? "game"
             : def.setting == SN_SETTING_CROWD ? "crowd"
                                               : "exact",
             def.contact == SN_CONTACT_ROWS ? ", rows" : "", def.self_contact ? ", self" : "",
             def.torque_limits ? ", limits" : "", n->humanoids, n->boxes, n->ties,
             n->lift >= 0 ? ", lift" : "");
}

/* Targets jump, pushes change, the lift turns round at its ends. */
static void disturb_all(struct nasty *n, int step) {
    const int often = (int)(n->hertz / 10);
    n->lift_z += n->rise / n->hertz;
    if (n->lift_z > 3 || n->lift_z < 0.2) n->rise = -n->rise;
    move_lift(n);
    for (int i = 0; i < n->humanoids && step % often == 0; i++) {
        const sn_model *model = sn_world_model(n->world, i);
        double zero[MAX_NQ], dv[MAX_NV] = {0}, q[MAX_NQ], force[3];
        sn_model_zero_pose(model, zero);
        for (int v = 6; v < sn_model_get(model)->nv; v++)
            dv[v] = uniform(&n->rng, -n->jump, n->jump);
        sn_model_pose_add(model, 1, zero, dv, q);
        if (n->driven[i]) assert_int_equal(sn_world_set_target(n->world, i, q, NULL), SN_OK);
        const int pushed = pick(&n->rng, sn_model_get(model)->nbody);
        for (int k = 0; k < 3; k++)
            force[k] = uniform(&n->rng, -n->shove, n->shove);
        for (int b = 0; b < sn_model_get(model)->nbody; b++)
            assert_int_equal(sn_world_push(n->world, i, b, b == pushed ? force : NULL, NULL, INFINITY),
                             SN_OK);
    }
}

/* Whether all of it stays finite. */
static bool survives(int seed, const sn_model *model, const sn_model *box, double seconds, double *speed) {
    struct nasty n;
    bool lost = false;
    double most = 0;
    build(&n, seed, model, box);
    for (int i = 0; i < seconds * n.hertz && !lost; i++) {
        disturb_all(&n, i);
        lost = sn_world_step(n.world) != SN_OK || stats_of(n.world).diverged;
        const double now = fastest(n.world);
        most = fmax(most, now);
        if (lost)
            print_message("  %s: diverges in step %d (member %d, dof %d)\n", n.name, i,
                          stats_of(n.world).bad_member, stats_of(n.world).bad_dof);
    }
    if (most > 1000) print_message("  %s: up to %.3g rad/s\n", n.name, most);
    *speed = fmax(*speed, most);
    sn_world_free(n.world);
    return !lost;
}

TEST(random_scenes_do_not_diverge) {
    const bool all = getenv("SINEW_DROPS") != NULL;
    const char *only = getenv("SINEW_NASTY");
    int first = 1, last = all ? 150 : FAST || getenv("SINEW_TEST_SHORT") ? 4 : 24, lost = 0;
    double speed = 0;
    if (only && sscanf(only, "%d,%d", &first, &last) < 2) last = first;
    sn_model *model = sn_builtin_create("humanoid", NULL), *box = body_of(box_of(0.15, 0.2, 0.1, 6));
    for (int seed = first; seed <= last; seed++)
        lost += !survives(seed, model, box, all ? 3 : 1.5, &speed);
    print_message("  %d of %d scenes diverge; fastest %.3g rad/s\n", lost, last - first + 1, speed);
    sn_model_free(model), sn_model_free(box);
    assert_int_equal(lost, 0);
}

int main(void) {
    return run_all("nasty");
}
