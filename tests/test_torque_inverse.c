/* Torques that are reported against inverse dynamics of what else a world tells: the acceleration, the contact forces, and the
 * velocity whose products the step had. */
#include "base/quat.h"
#include "study_helpers.h"
#include "world_helpers.h"

static const double WEIGHT = 500; /* N: less than that of the humanoid */

#define EXACT SN_SETTING_EXACT
#define GAME SN_SETTING_GAME
#define MIDDLE SN_PRODUCTS_MIDPOINT
#define INSIDE SN_CONTACT_IMPLICIT
#define ROWS SN_CONTACT_ROWS

struct scene {
    const char *name;
    sn_setting setting;
    int products;
    sn_contact_method contact;
    bool self, joint_limits, torque_limits;
    double hertz;
    double rate; /* of what targets swing with */
    bool event;
};

/* How far off, relative to the weight and to the largest torque: the wrench at the free root as it is reported, and by inverse
   dynamics; the torques of joints. */
struct off {
    struct worst told, root, joints;
    int touched, met; /* steps with contacts, and with those of the humanoid with itself */
};

/* Every joint swings by 0.8 rad about its zero: the character falls and thrashes about, or moves like a sleeper. */
static void set_targets(sn_world *world, const sn_model *model, int seed, double time) {
    struct rng rng = {(uint64_t)seed};
    double zero[MAX_NQ], dv[MAX_NV], q[MAX_NQ];
    for (int v = 0; v < sn_model_get(model)->nv; v++) {
        const double phase = uniform(&rng, 0, 6.28), rate = uniform(&rng, 0.5, 2);
        dv[v] = v < 6 ? 0 : 0.8 * (sin(phase + 6.28 * rate * time) - sin(phase));
    }
    sn_model_zero_pose(model, zero);
    sn_model_pose_add(model, 1, zero, dv, q);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, 0, 1, q), SN_OK);
}

/* Contact forces as pushes at the origins of the bodies in the pose that they act in. */
static void pushes_of(sn_world *world, const sn_model *model, const double *pose, double *push,
                      struct off *off) {
    int n, met = 0;
    const sn_contact *c = contacts_of(world, &n);
    memset(push, 0, sizeof *push * 6 * (size_t)sn_model_get(model)->nbody);
    for (int i = 0; i < n; i++) {
        met |= c[i].member[1] == 0 && norm(c[i].force, 3) > 0;
        for (int s = 0; s < 2; s++) {
            if (c[i].member[s] != 0) continue;
            double r[3], f[3], m[3], *to = push + 6 * c[i].body[s];
            for (int k = 0; k < 3; k++)
                r[k] = c[i].pos[k] - pose[7 * c[i].body[s] + k], f[k] = (s ? -1 : 1) * c[i].force[k];
            dvec_cross(r, f, m);
            for (int k = 0; k < 3; k++)
                to[k] += f[k], to[3 + k] += m[k];
        }
    }
    off->touched += n > 0, off->met += met;
}

/* After a step that began with q and in the poses of bodies of it. */
static void compare(sn_world *world, const sn_model *model, sn_dynamics *dynamics, const double *q,
                    const double *pose, const char *where, struct off *off) {
    double middle[MAX_NV], qdd[MAX_NV], told[MAX_NV], asked[MAX_NV], push[6 * MAX_NV], most = 1, worst = 0;
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_QDD, 0, 1, qdd), SN_OK);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_MIDDLE_QD, 0, 1, middle), SN_OK);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_TORQUE, 0, 1, told), SN_OK);
    pushes_of(world, model, pose, push, off);
    assert_int_equal(sn_dynamics_inverse(dynamics, q, middle, push, qdd, asked), SN_OK);
    for (int v = 6; v < sn_model_get(model)->nv; v++) {
        most = fmax(most, fabs(told[v]));
        worst = fmax(worst, fabs(told[v] - asked[v]));
    }
    worst_add(&off->told, norm(told, 6) / WEIGHT, "%s", where);
    worst_add(&off->root, norm(asked, 6) / WEIGHT, "%s", where);
    worst_add(&off->joints, worst / most, "%s", where);
}

static sn_world *make_world(const struct scene *s, const sn_model *model) {
    double q[MAX_NQ], limit[MAX_NV];
    sn_world_def def = sn_world_def_default();
    def.setting = s->setting, def.dt = 1 / s->hertz;
    set_products(&def, s->products);
    def.contact = s->contact, def.stepper = s->event ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
    def.self_contact = s->self, def.joint_limits = s->joint_limits, def.torque_limits = s->torque_limits;
    def.report_torque = true;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 300, 10);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        limit[v] = v < 6 ? (double)INFINITY : 60;
    if (s->torque_limits) assert_int_equal(sn_world_set(world, 0, SN_FIELD_TORQUE_LIMIT, 0, 1, limit), SN_OK);
    sn_model_zero_pose(model, q);
    q[2] = 1;
    assert_int_equal(sn_world_set_state(world, 0, q, NULL), SN_OK);
    return world;
}

static void watch(const sn_model *model, const struct scene *s, int seed, struct off *off) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    sn_world *world = make_world(s, model);
    assert_non_null(dynamics);
    for (int k = 0; k < 4 * s->hertz; k++) {
        double q[MAX_NQ], pose[7 * MAX_NV];
        char where[80];
        snprintf(where, sizeof where, "%s, seed %d, step %d", s->name, seed, k);
        set_targets(world, model, seed, s->rate * k / s->hertz);
        assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
        assert_int_equal(sn_dynamics_bodies(dynamics, q, NULL, pose, NULL, NULL), SN_OK);
        step_world(world);
        compare(world, model, dynamics, q, pose, where, off);
    }
    sn_dynamics_free(dynamics);
    sn_world_free(world);
}

static struct off watch_all(const struct scene *scene, int count) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct off all = {0};
    for (int i = 0; i < count; i++) {
        struct off off = {0};
        for (int seed = 1; seed <= (FAST ? 1 : 2); seed++)
            watch(model, &scene[i], seed, &off);
        print_message("  %s: told root %.1e, root %.1e, joints %.1e; touched %d, self %d\n", scene[i].name,
                      off.told.value, off.root.value, off.joints.value, off.touched, off.met);
        assert_true(off.touched > 20);
        if (scene[i].self) assert_true(off.met > 20);
        if (off.told.value > all.told.value) all.told = off.told;
        if (off.root.value > all.root.value) all.root = off.root;
        if (off.joints.value > all.joints.value) all.joints = off.joints;
    }
    sn_model_free(model);
    return all;
}

/* Slow enough that no step damps joints on its own account. */
TEST(torques_told_are_those_of_inverse_dynamics) {
    static const struct scene scene[] = {
        {"ground", EXACT, MIDDLE, INSIDE, .hertz = 60, .rate = 0.3},
        {"ground, 240 Hz", EXACT, MIDDLE, INSIDE, .hertz = 240, .rate = 0.3},
        {"ground, explicit products", EXACT, SN_PRODUCTS_EXPLICIT, INSIDE, .hertz = 60, .rate = 0.3},
        {"ground by rows", EXACT, MIDDLE, ROWS, .hertz = 60, .rate = 0.3},
        {"self contact", EXACT, MIDDLE, INSIDE, .self = true, .hertz = 120, .rate = 0.3},
        {"torque limits", EXACT, MIDDLE, INSIDE, .torque_limits = true, .hertz = 60, .rate = 0.3},
        {"both", EXACT, MIDDLE, INSIDE, .self = true, .torque_limits = true, .hertz = 120, .rate = 0.3},
        {"both by rows", EXACT, MIDDLE, ROWS, .self = true, .torque_limits = true, .hertz = 120, .rate = 0.3},
    };
    const struct off off = watch_all(scene, COUNT(scene));
    assert_worst(&off.told, 1e-6, "wrench at the root as it is told, over the weight");
    assert_worst(&off.root, 1e-6, "wrench at the root by inverse dynamics, over the weight");
    assert_worst(&off.joints, 1e-6, "torque told against inverse dynamics, relative");
}

/* What limits of joints and dampers of the step do is between two bodies: the root feels nothing of it. */
TEST(nobody_pushes_the_root_of_one_who_thrashes_about) {
    static const struct scene scene[] = {
        {"joint limits", EXACT, MIDDLE, INSIDE, .joint_limits = true, .hertz = 60, .rate = 1},
        {"joint limits, self contact", EXACT, MIDDLE, INSIDE, .self = true, .joint_limits = true, .hertz = 60,
         .rate = 1},
        {"all limits", EXACT, MIDDLE, INSIDE, true, true, true, 60, 1, false},
        {"all limits by rows", EXACT, MIDDLE, ROWS, true, true, true, 60, 1, false},
    };
    const struct off off = watch_all(scene, COUNT(scene));
    assert_worst(&off.told, 1e-6, "wrench at the root as it is told, over the weight");
    assert_worst(&off.root, 1e-6, "wrench at the root by inverse dynamics, over the weight");
}

TEST(no_setting_tells_of_a_wrench_at_the_root) {
    static const struct scene scene[] = {
        {"game", GAME, MIDDLE, INSIDE, true, true, true, 60, 1, false},
        {"game by rows", GAME, MIDDLE, ROWS, true, true, true, 60, 1, false},
        {"implicit products", GAME, POLARISED, INSIDE, true, true, true, 60, 1, false},
        {"crowd", SN_SETTING_CROWD, MIDDLE, INSIDE, false, true, false, 60, 1, false},
        {"event", GAME, MIDDLE, ROWS, true, true, true, 60, 1, true},
    };
    const struct off off = watch_all(scene, COUNT(scene));
    assert_worst(&off.told, 1e-6, "wrench at the root as it is told, over the weight");
}

int main(void) {
    return run_all("torque against inverse dynamics");
}
