/* Drag as pushes: beside a body cut into small pieces, and beside the drag of the position-based study. */
#include "model_helpers.h"

#include "scenes/creatures.h"
#include "scenes/shapes.h"

#include <sinew/dynamics.h>
#include <sinew/studies.h>

static const double along = 2, across = 7;

static double draw(uint32_t *state) { /* -1 to 1 */
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static void turn(const double q[4], const double x[3], double out[3]) {
    const double *u = q + 1;
    const double a[3] = {u[1] * x[2] - u[2] * x[1] + q[0] * x[0], u[2] * x[0] - u[0] * x[2] + q[0] * x[1],
                         u[0] * x[1] - u[1] * x[0] + q[0] * x[2]};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = x[k] + 2 * (u[i] * a[j] - u[j] * a[i]);
    }
}

static void add_piece(const double pose[7], const double velocity[6], const double piece[3], double mass,
                      double push[6]) {
    double r[3], a[3], v[3], f[3];
    turn(pose + 3, piece, r);
    turn(pose + 3, (const double[3]){1, 0, 0}, a); /* the longest edge */
    const double *w = velocity + 3;
    for (int k = 0; k < 3; k++)
        v[k] = velocity[k] + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3];
    const double va = v[0] * a[0] + v[1] * a[1] + v[2] * a[2];
    for (int k = 0; k < 3; k++)
        f[k] = -mass * (across * v[k] + (along - across) * va * a[k]);
    for (int k = 0; k < 3; k++) {
        push[k] += f[k];
        push[3 + k] += r[(k + 1) % 3] * f[(k + 2) % 3] - r[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

/* A box away from its body's origin, cut into 40^3 pieces: their second moments are short by 1/1600. */
TEST(drag_is_that_of_every_gram) {
    enum { CUTS = 40 };
    const double half[3] = {.4, .2, .1}, mass = 3, centre[3] = {.3, -.2, .5};
    sn_shape_def box = box_of(half[0], half[1], half[2], mass);
    memcpy(box.pos, centre, sizeof centre);
    sn_error error;
    sn_model *model = scene_body_model(&box, &error);
    assert_non_null(model);
    uint32_t seed = 5;
    for (int trial = 0; trial < 4; trial++) {
        double pose[7], velocity[6], push[6], pieces[6] = {0}, size = 0;
        for (int k = 0; k < 7; k++)
            pose[k] = draw(&seed), size += k < 3 ? 0 : pose[k] * pose[k];
        for (int k = 3; k < 7; k++)
            pose[k] /= sqrt(size);
        for (int k = 0; k < 6; k++)
            velocity[k] = draw(&seed);
        assert_int_equal(sn_drag_push(model, along, across, 1, pose, velocity, push), SN_OK);
        for (int i = 0; i < CUTS * CUTS * CUTS; i++) {
            const int at[3] = {i % CUTS, i / CUTS % CUTS, i / CUTS / CUTS};
            double piece[3];
            for (int k = 0; k < 3; k++)
                piece[k] = centre[k] + half[k] * ((2 * at[k] + 1.0) / CUTS - 1);
            add_piece(pose, velocity, piece, mass / (CUTS * CUTS * CUTS), pieces);
        }
        for (int k = 0; k < 6; k++)
            assert_true(fabs(push[k] - pieces[k]) < 2e-3 * (1 + fabs(pieces[k])));
        double power = 0;
        for (int k = 0; k < 6; k++)
            power += push[k] * velocity[k];
        assert_true(power < 0);
    }
    sn_model_free(model);
}

/* The swimmer's centre of mass after two seconds of the gait made by hand, in a world of two copies. */
static double swim_in_world(sn_stepper stepper, double dt) {
    enum { NQ = 10, NV = 9, NB = 4 };
    sn_error error;
    sn_model *model = swimmer_model(&error);
    sn_world_def def = sn_world_def_default();
    def.copies = 2;
    def.dt = dt;
    def.form = SN_FORM_FULL;
    def.stepper = stepper;
    def.contact = SN_CONTACT_NONE;
    memset(def.gravity, 0, sizeof def.gravity);
    sn_world *world = sn_world_create(&def, &error);
    assert_non_null(world);
    assert_int_equal(sn_world_add(world, model, &error), 0);
    double q[NQ], qd[NV], kp[NV], kd[NV], push[2 * NB * 6];
    creature_gains(model, 20, 2, kp, kd);
    sn_world_set_gains(world, 0, kp, kd);
    swimmer_gait(model, 0, q, qd);
    sn_world_set_state(world, 0, q, (const double[NV]){0});
    sn_summary before, after;
    sn_world_summary(world, 0, 1, &before);
    for (int i = 1; i <= (int)lround(2 / dt); i++) {
        swimmer_gait(model, i * dt, q, qd);
        sn_world_set_target(world, 0, q, qd);
        const double *pose = sn_world_view(world, 0, SN_FIELD_BODY_POSE),
                     *velocity = sn_world_view(world, 0, SN_FIELD_BODY_VELOCITY);
        assert_int_equal(sn_drag_push(model, 1, 10, 2, pose, velocity, push), SN_OK);
        assert_int_equal(sn_world_put(world, 0, SN_FIELD_PUSH, NULL, push), SN_OK);
        assert_int_equal(sn_world_step(world), SN_OK);
    }
    sn_world_summary(world, 0, 1, &after);
    sn_world_free(world);
    sn_model_free(model);
    return after.com[0] - before.com[0];
}

static double swim_by_energy(double dt) {
    enum { NQ = 10, NV = 9 };
    sn_error error;
    sn_model *model = swimmer_model(&error);
    sn_position_def def = sn_position_def_default();
    const sn_dynamics_def questions = sn_dynamics_def_default();
    def.dt = dt;
    memset(def.gravity, 0, sizeof def.gravity);
    sn_position *p = sn_position_create(model, &def, &error);
    sn_dynamics *d = sn_dynamics_create(model, &questions, &error);
    assert_non_null(p);
    assert_non_null(d);
    double q[NQ], qd[NV], kp[NV], kd[NV];
    creature_gains(model, 20, 2, kp, kd);
    sn_position_set_gains(p, kp, kd);
    swimmer_gait(model, 0, q, qd);
    sn_position_start(p, q, (const double[NV]){0}, false);
    sn_position_ground_def drag = sn_position_ground_def_default();
    drag.drag_along = 1, drag.drag_across = 10;
    assert_int_equal(sn_position_set_ground(p, &drag, 0, NULL, NULL), SN_OK);
    sn_summary before, after;
    sn_dynamics_bodies(d, q, NULL, NULL, NULL, &before);
    for (int i = 1; i <= (int)lround(2 / dt); i++) {
        swimmer_gait(model, i * dt, q, qd);
        sn_position_set_target(p, 0, q, qd);
        assert_int_equal(sn_position_step(p, NULL), SN_OK);
    }
    sn_position_state(p, q, qd);
    sn_dynamics_bodies(d, q, NULL, NULL, NULL, &after);
    sn_dynamics_free(d);
    sn_position_free(p);
    sn_model_free(model);
    return after.com[0] - before.com[0];
}

/* One takes drag at the start of a step and one at its end: as the step falls they meet, from both sides. */
TEST(pushes_and_the_energy_of_drag_swim_alike) {
    const double fine = 1.0 / 960, coarse = 1.0 / 240;
    const double energy = swim_by_energy(fine),
                 apart = fabs(swim_by_energy(coarse) - swim_in_world(SN_STEPPER_TIME, coarse));
    assert_true(energy > .3);
    for (int k = 0; k < 2; k++) {
        const double way = swim_in_world(k ? SN_STEPPER_POSITION : SN_STEPPER_TIME, fine);
        assert_true(fabs(way - energy) < .03 * energy);
        assert_true(fabs(way - energy) < .5 * apart);
    }
}

TEST(drag_refuses_what_cannot_be) {
    double pose[7] = {0, 0, 0, 1}, velocity[6] = {0}, push[6];
    const sn_shape_def box = box_of(.1, .1, .1, 1);
    sn_error error;
    sn_model *model = scene_body_model(&box, &error);
    assert_int_equal(sn_drag_push(model, 1, 1, 0, NULL, NULL, NULL), SN_OK);
    assert_int_equal(sn_drag_push(NULL, 1, 1, 1, pose, velocity, push), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_drag_push(model, -1, 1, 1, pose, velocity, push), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_drag_push(model, 1, NAN, 1, pose, velocity, push), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_drag_push(model, 1, 1, 1, NULL, velocity, push), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_drag_push(model, 1, 1, -1, pose, velocity, push), SN_ERROR_ARGUMENT);
    sn_model_free(model);
}

int main(void) {
    return run_all("drag");
}
