/* Handles of constraints, and what a world refuses. */
#include "world_helpers.h"

static sn_world *pendulum_world(sn_model **model) {
    const sn_world_def def = rows_def();
    sn_world *w = world_of(&def);
    *model = mixed_model(1, 0);
    member_of(w, *model);
    member_of(w, *model);
    return w;
}

TEST(handles_stay_and_old_ones_are_refused) {
    sn_model *model;
    sn_world *w = pendulum_world(&model);
    sn_constraint c[40];
    double force[6];
    for (int i = 0; i < COUNT(c); i++) {
        sn_constraint_def d =
            sn_constraint_def_default(i % 2 ? SN_CONSTRAINT_SPRING : SN_CONSTRAINT_POINT_PATH);
        d.body = i % sn_model_get(model)->nbody;
        d.stiffness = 1;
        c[i] = sn_world_add_constraint(w, &d, NULL);
        assert_true(c[i] != 0);
        for (int k = 0; k < i; k++)
            assert_true(c[k] != c[i]);
    }
    for (int i = 0; i < COUNT(c); i++)
        assert_true(constraint_force(w, c[i], 0, force) >= 0);
    for (int i = 0; i < COUNT(c); i += 3) {
        assert_int_equal(sn_world_remove_constraint(w, c[i]), SN_OK);
        assert_int_equal(sn_world_remove_constraint(w, c[i]), SN_ERROR_ARGUMENT);
        assert_int_equal(constraint_force(w, c[i], 0, force), -1);
        assert_int_equal(sn_world_set_constraint(w, c[i], -1, force, NULL), SN_ERROR_ARGUMENT);
    }
    for (int round = 0; round < 20; round++) { /* places are used again, handles are not */
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
        d.damping = 1;
        const sn_constraint fresh = sn_world_add_constraint(w, &d, NULL);
        for (int i = 0; i < COUNT(c); i++)
            assert_true(fresh != c[i]);
        assert_int_equal(sn_world_remove_constraint(w, c[0]), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_remove_constraint(w, fresh), SN_OK);
    }
    step_world(w);
    for (int i = 0; i < COUNT(c); i++) {
        const int rows = constraint_force(w, c[i], 0, force);
        assert_int_equal(rows, i % 3 == 0 ? -1 : 3);
        if (rows == 3) assert_true(isfinite(force[0] + force[1] + force[2]));
    }
    assert_int_equal(sn_world_remove_constraint(w, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_remove_constraint(w, UINT64_MAX), SN_ERROR_ARGUMENT);
    sn_world_free(w);
    sn_model_free(model);
}

static void refuse(sn_world *w, const sn_constraint_def *d, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_true(sn_world_add_constraint(w, d, &error) == 0);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_message_has(&error, part);
    assert_true(sn_world_add_constraint(w, d, NULL) == 0);
}

TEST(wrong_constraints_are_refused_with_a_reason) {
    sn_model *model;
    sn_world *w = pendulum_world(&model);
    const sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN),
                            path = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH),
                            joint = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH),
                            spring = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    sn_constraint_def d;
    int weld = 0;
    while (sn_model_body(model, weld)->nv)
        weld++;
    refuse(w, NULL, "NULL");
#define REFUSE(base, change, part)                                                                           \
    d = base;                                                                                                \
    change;                                                                                                  \
    refuse(w, &d, part)
    REFUSE(pin, d.type = SN_CONSTRAINT_TYPE_COUNT, "kind");
    REFUSE(pin, d.member = 2, "member 2");
    REFUSE(pin, d.member = -1, "member -1");
    REFUSE(pin, d.body = 99, "body 99");
    REFUSE(pin, d.body = -1, "body -1");
    REFUSE(pin, (d.member2 = 1, d.body2 = 77), "body 77");
    REFUSE(pin, d.member2 = 5, "member 5");
    REFUSE(pin, d.member2 = 0, "itself");
    REFUSE(pin, d.point[1] = NAN, "finite");
    REFUSE(pin, d.point2[2] = INFINITY, "finite");
    REFUSE(path, d.target[0] = NAN, "finite");
    REFUSE(path, d.target_velocity[0] = NAN, "finite");
    REFUSE(path, d.settle = 0, "settle");
    REFUSE(path, d.settle = NAN, "settle");
    REFUSE(path, d.max_force = 0, "max_force");
    REFUSE(path, d.max_force = NAN, "max_force");
    REFUSE(joint, d.body = weld, "degree of freedom");
    REFUSE(spring, d.stiffness = 0, "stiffness");
    REFUSE(spring, d.stiffness = -1, "stiffness");
    REFUSE(spring, (d.stiffness = 1, d.damping = -1), "damping");
    REFUSE(spring, d.stiffness = INFINITY, "stiffness");
#undef REFUSE
    const sn_constraint c = sn_world_add_constraint(w, &path, NULL);
    const double bad[3] = {0, NAN, 0};
    assert_int_equal(sn_world_set_constraint(w, c, -1, bad, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_constraint(w, c, -1, NULL, bad), SN_ERROR_ARGUMENT);
    step_world(w);
    sn_world_free(w);
    sn_model_free(model);
}

static void refuse_def(sn_world_def d, sn_status status, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_world_create(&d, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
}

TEST(wrong_worlds_and_ground_are_refused) {
    sn_world_def d = rows_def();
#define REFUSE(change, part)                                                                                 \
    d = rows_def();                                                                                          \
    change;                                                                                                  \
    refuse_def(d, SN_ERROR_ARGUMENT, part)
    REFUSE(d.dt = 0, "dt");
    REFUSE(d.dt = NAN, "dt");
    REFUSE(d.gravity[1] = INFINITY, "gravity");
    REFUSE(d.tolerance = -1, "tolerance");
    REFUSE(d.slop = NAN, "finite");
    REFUSE(d.iterations = -1, "iteration");
    REFUSE(d.max_contacts = -1, "contacts");
    REFUSE(d.sweeps = -1, "sweep");
    REFUSE(d.compliance = -1, "compliance is -1");
    REFUSE(d.copies = 0, "cop");
    REFUSE(d.threads = -1, "thread");
    REFUSE(d.substeps = 0, "substep");
    REFUSE(d.sleep = -1, "sleep");
    REFUSE(d.sleep = NAN, "sleep");
#undef REFUSE
    d = rows_def();
    d.contact = SN_CONTACT_IMPLICIT, d.stepper = SN_STEPPER_EVENT;
    refuse_def(d, SN_ERROR_UNSUPPORTED, "event");
    d = rows_def();
    sn_world *w = world_of(&d);
    sn_error error;
    const double zero[3] = {0}, up[3] = {0, 0, 1}, bad[3] = {NAN, 0, 0}, turn[4] = {1, 0, 0, 0},
                 none[4] = {0};
    const sn_shape_def sphere = sphere_of(1, 1), point = sphere_of(0, 1), rough = material_of(-1, 0),
                       hot = material_of(1, 1.5);
    assert_int_equal(sn_world_add_plane(w, zero, zero, NULL, &error), -1);
    assert_message_has(&error, "normal");
    assert_int_equal(sn_world_add_plane(w, bad, up, NULL, &error), -1);
    assert_int_equal(sn_world_add_plane(w, zero, up, &rough, &error), -1);
    assert_message_has(&error, "friction");
    assert_int_equal(sn_world_add_plane(w, zero, up, &hot, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &point, zero, turn, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, bad, turn, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, zero, none, &error), -1);
    assert_int_equal(sn_world_add_shape(w, NULL, zero, turn, &error), -1);
    sn_heightfield_def field = {sizeof(sn_heightfield_def), 1, 2, {1, 1}, {0, 0, 0}, zero};
    assert_int_equal(sn_world_add_heightfield(w, &field, NULL, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, zero, turn, &error), 0);
    assert_int_equal(sn_world_move(w, 1, zero, turn, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_move(w, 0, bad, turn, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_move(w, 0, zero, none, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_active(w, 0, false), SN_ERROR_ARGUMENT);
    assert_null(sn_world_model(w, 0));
    assert_int_equal(sn_world_remove(w, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_remove_ground(w, 1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_remove_ground(w, -1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_dt(w, -1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_dt(w, NAN), SN_ERROR_ARGUMENT);
    step_world(w);
    sn_world_free(w);
    sn_world_free(NULL);
}

int main(void) {
    return run_all("world interface");
}
