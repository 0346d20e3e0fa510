/* Joint limits are kept, and what contact gives to one member it takes from the other. */
#include "world_helpers.h"

#include "base/quat.h"
#include "sinew/dynamics.h"

/* ------------------------------------------------------------------------------------------------- limits */

static const struct {
    const char *name;
    sn_joint_type type;
    double spin[3]; /* velocity at first */
} pendulum[] = {
    {"hinge", SN_JOINT_HINGE, {8, 0, 0}},         {"universal", SN_JOINT_UNIVERSAL, {6, 5, 0}},
    {"slide", SN_JOINT_SLIDE, {3, 0, 0}},         {"ball, swing", SN_JOINT_BALL, {5, 4, 0}},
    {"ball, twist", SN_JOINT_BALL, {0, 0, 9}},    {"ball, both", SN_JOINT_BALL, {5, -3, 7}},
    {"hinge at rest", SN_JOINT_HINGE, {0, 0, 0}},
};

/* How far a joint is past its limits. Swing is the angle between the axis and where it went; twist is what
   is left when the shortest turn between them is taken off. */
static double past_limit(const sn_joint_def *j, const double *q) {
    double past = 0;
    if (j->type != SN_JOINT_BALL) {
        for (int k = 0; k < (j->type == SN_JOINT_UNIVERSAL ? 2 : 1); k++)
            past = fmax(past, fmax(j->lower[k] - q[k], q[k] - j->upper[k]));
        return past;
    }
    double carried[3], half[3], swing[4], back[4], twist[4];
    dquat_rotate(q, j->axis, carried);
    const double cosine = dvec_dot(j->axis, carried);
    dvec_cross(j->axis, carried, half);
    memcpy(swing + 1, half, sizeof half);
    swing[0] = 1 + cosine;
    dquat_normalise(swing);
    dquat_conjugate(swing, back);
    dquat_multiply(back, q, twist);
    double v[3];
    dquat_log(twist, v);
    const double t = dvec_dot(v, j->axis);
    past = fmax(acos(fmin(1, cosine)) - j->upper[1], fmax(j->lower[0] - t, t - j->upper[0]));
    return fmax(0, past);
}

TEST(a_pendulum_keeps_its_limits) {
    for (int s = 0; s < stepper_count; s++) {
        struct worst worst = {0};
        for (int i = 0; i < COUNT(pendulum); i++)
            for (int rate = 60; rate <= 480; rate *= 2)
                for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
                    sn_body_def body =
                        simple_body("bob", NULL, pendulum[i].type, 2, (const double[3]){0.1, 0.05, -0.4},
                                    (const double[3]){0.03, 0.03, 0.01});
                    body.joint.axis[0] =
                        pendulum[i].type == SN_JOINT_HINGE || pendulum[i].type == SN_JOINT_UNIVERSAL;
                    body.joint.axis[2] = !body.joint.axis[0];
                    body.joint.axis2[0] = 0, body.joint.axis2[1] = 1;
                    body.joint.limited = true;
                    body.joint.lower[0] = -0.5, body.joint.upper[0] = 0.4;
                    body.joint.lower[1] = -0.3, body.joint.upper[1] = 0.6;
                    sn_model *model = build_bodies(&body, 1);
                    sn_world_def def = rows_def();
                    def.dt = 1.0 / rate, def.stepper = stepper_case[s].stepper;
                    def.precision = (sn_precision)precision;
                    def.gravity[0] = 3;
                    sn_world *world = world_of(&def);
                    const int c = member_of(world, model);
                    assert_int_equal(sn_world_set_state(world, c, NULL, pendulum[i].spin), SN_OK);
                    for (int k = 0; k < 3 * rate; k++) {
                        double q[4];
                        step_world(world);
                        sn_world_get_state(world, c, q, NULL);
                        worst_add(&worst, past_limit(&sn_model_body(model, 0)->joint, q),
                                  "%s, %d Hz, %s, step %d, %s", pendulum[i].name, rate,
                                  precision ? "float" : "double", k, stepper_case[s].name);
                    }
                    sn_world_free(world);
                    sn_model_free(model);
                }
        assert_worst(&worst, 1e-3, "past the limit, rad or m");
    }
}

/* ----------------------------------------------------------------------------------------------- momentum */

static sn_dynamics *dynamics_of(const sn_model *model) {
    sn_dynamics_def def = sn_dynamics_def_default();
    memset(def.gravity, 0, sizeof def.gravity);
    sn_error error;
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, &error);
    if (!dynamics) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    return dynamics;
}

/* Momentum at the pose q with other velocities. */
static void momentum_with(sn_dynamics *dynamics, const double *q, const double *qd, double p[6]) {
    sn_summary s;
    double moment[3];
    assert_int_equal(sn_dynamics_bodies(dynamics, q, qd, NULL, NULL, &s), SN_OK);
    dvec_cross(s.com, s.linear_momentum, moment);
    for (int k = 0; k < 3; k++)
        p[k] = s.linear_momentum[k], p[3 + k] = s.angular_momentum[k] + moment[k];
}

/* Two members fly into each other without gravity. Each step is taken with and without contact from the
   same state: what contact adds to the momentum of one it takes from the other. Relative to what passes
   over. */
static double momentum_lost(const sn_model *const model[2], bool driven, bool limits, const struct way *way,
                            int *touched) {
    sn_world_def def = def_of(way);
    def.joint_limits = limits;
    def.products = SN_PRODUCTS_EXPLICIT; /* others are not the same with and without contact */
    def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    def.contact = SN_CONTACT_NONE;
    sn_world *apart = world_of(&def);
    sn_dynamics *dynamics[2];
    struct rng rng = {31};
    for (int m = 0; m < 2; m++) {
        double q[MAX_NQ], qd[MAX_NV];
        const int c = member_of(world, model[m]);
        const int d = member_of(apart, model[m]);
        dynamics[m] = dynamics_of(model[m]);
        random_state(&rng, model[m], 0.3, 0.5, q, qd);
        q[0] = m ? 0.75 : -0.1, qd[0] = m ? -2 : 1;
        q[2] = m ? 1.2 : 1;
        assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
        sn_world *both[2] = {world, apart};
        const int member[2] = {c, d};
        for (int k = 0; k < 2; k++) {
            if (driven && sn_model_get(model[m])->nbody > 1)
                uniform_gains(both[k], member[k], 0, 0, 2000, 200);
            assert_int_equal(sn_world_set_target(both[k], member[k], q, NULL), SN_OK);
        }
    }
    double worst = 0;
    *touched = 0;
    for (int k = 0; k < (FAST ? 60 : 200); k++) {
        double change[6] = {0}, passed[2] = {0, 0}, q[2][MAX_NQ], qd[MAX_NV];
        for (int m = 0; m < 2; m++) {
            sn_world_get_state(world, m, q[m], qd);
            assert_int_equal(sn_world_set_state(apart, m, q[m], qd), SN_OK);
        }
        step_world(world);
        step_world(apart);
        for (int m = 0; m < 2; m++) {
            double with[6], without[6];
            sn_world_get_state(world, m, NULL, qd);
            momentum_with(dynamics[m], q[m], qd, with);
            sn_world_get_state(apart, m, NULL, qd);
            momentum_with(dynamics[m], q[m], qd, without);
            axpy(-1, without, with, 6);
            axpy(1, with, change, 6);
            passed[0] = fmax(passed[0], norm(with, 3)), passed[1] = fmax(passed[1], norm(with + 3, 3));
        }
        /* some 100 kg m/s move about: where next to nothing is passed, the rounding of that is what one sees */
        if (!(passed[0] > 1e-2 && passed[1] > 1e-2)) continue;
        ++*touched;
        worst = fmax(worst, fmax(norm(change, 3) / passed[0], norm(change + 3, 3) / passed[1]));
    }
    for (int m = 0; m < 2; m++)
        sn_dynamics_free(dynamics[m]);
    sn_world_free(world);
    sn_world_free(apart);
    return worst;
}

TEST(contact_between_members_conserves_momentum) {
    const sn_shape_def shape = sphere_of(0.25, 10);
    sn_model *human = sn_builtin_create("humanoid", NULL), *dog = sn_builtin_create("dog", NULL),
             *ball = free_body(&shape);
    const sn_model *const pairs[][2] = {{human, human}, {human, ball}, {ball, ball}, {dog, human}};
    static const char *const name[] = {"two humanoids", "humanoid and ball", "two balls", "dog and humanoid"};
    struct worst worst[2] = {{0}}; /* rows, implicit */
    for (const struct way *way = ways(); way->name[0]; way++)
        for (int i = 0; i < COUNT(pairs); i++)
            for (int driven = 0; driven < 2; driven++) {
                if (i == 2 && driven) continue;
                if (way->stepper != SN_STEPPER_TIME) continue; /* substeps have poses of their own */
                /* in the world to compare with, where nothing touches, joint limits are dampers: with rows they
                   would be compared with something else */
                const bool implicit = way->contact == SN_CONTACT_IMPLICIT;
                int touched;
                const double lost = momentum_lost(pairs[i], driven, implicit, way, &touched);
                if (touched < 1) fail_msg("%s do not meet", name[i]);
                worst_add(&worst[implicit], lost, "%s, %s, %s, %d steps in touch", name[i],
                          driven ? "driven" : "limp", way->name, touched);
            }
    sn_model_free(human), sn_model_free(dog), sn_model_free(ball);
    assert_worst(&worst[0], 1e-8, "momentum lost, relative");
    /* joint limits are stiff dampers there, and their rounding is 400 times that of the inertias */
    assert_worst(&worst[1], 5e-8, "momentum lost, implicit, relative");
}

TEST(rigid_bodies_conserve_momentum_over_a_whole_run) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world_def def = rows_def();
        def.gravity[2] = 0, def.stepper = stepper_case[s].stepper;
        sn_world *world = world_of(&def);
        const sn_shape_def shape[3] = {sphere_of(0.2, 3), box_of(0.1, 0.2, 0.15, 5), capsule_of(0.1, 0.2, 2)};
        sn_model *model[3];
        struct rng rng = {41};
        for (int i = 0; i < 12; i++) {
            if (i < 3) model[i] = free_body(&shape[i]);
            const int c = member_of(world, model[i % 3]);
            double pos[3], rot[4], v[6];
            random_direction(&rng, pos);
            for (int k = 0; k < 3; k++)
                pos[k] *= 0.8 + 0.35 * (i / 2), v[k] = -1.5 * pos[k];
            random_values(&rng, 1, v + 3, 3);
            random_quaternion(&rng, rot);
            put_body(world, c, pos, rot, v);
        }
        double before[3] = {0}, after[3] = {0}, size = 0;
        int touched = 0;
        for (int i = 0; i < 12; i++) {
            double p[6];
            momentum_of(world, i, p);
            axpy(1, p, before, 3);
            size += norm(p, 3);
        }
        for (int k = 0; k < 480; k++) {
            step_world(world);
            int count;
            const sn_contact *contact = contacts_of(world, &count);
            for (int i = 0; i < count; i++)
                touched += norm(contact[i].force, 3) > 0;
        }
        for (int i = 0; i < 12; i++) {
            double p[6];
            momentum_of(world, i, p);
            axpy(1, p, after, 3);
        }
        axpy(-1, before, after, 3);
        print_message("  %s: momentum changed by %.2g over 2 s and %d contacts, relative\n",
                      stepper_case[s].name, norm(after, 3) / size, touched);
        assert_true(touched > 20);
        assert_true(norm(after, 3) / size < 1e-12);
        sn_world_free(world);
        for (int i = 0; i < 3; i++)
            sn_model_free(model[i]);
    }
}

int main(void) {
    return run_all("world momentum");
}
