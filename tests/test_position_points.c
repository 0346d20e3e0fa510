/* Drag and ground of position-based studies: gradients by differences, laws that can be worked out, creatures that move. */
#include "position_helpers.h"

#include "studies/position_points.h"
#include "scenes/creatures.h"
#include "scenes/shapes.h"

#include <sinew/studies.h>

/* Drag without ground. */
static sn_status set_drag(sn_position *p, double along, double across) {
    sn_position_ground_def def = sn_position_ground_def_default();
    def.drag_along = along, def.drag_across = across;
    return sn_position_set_ground(p, &def, 0, NULL, NULL);
}

static sn_position *open_position(const sn_model *model, double dt, const double *gravity) {
    sn_position_def def = sn_position_def_default();
    sn_error error;
    def.dt = dt;
    def.tolerance = 1e-10;
    if (gravity) memcpy(def.gravity, gravity, sizeof def.gravity);
    sn_position *p = sn_position_create(model, &def, &error);
    if (!p) fail_msg("%s", error.message);
    return p;
}

static const double weightless[3] = {0, 0, 0};

/* The energy at p->q (+) u, and the gradient there if it is wanted. */
static double energy_at(struct sn__position *p, const double *q0, const double *u, double *g) {
    double q[MAX_NQ];
    sn_model_pose_add(p->model, 1, q0, u, q);
    sn__position_put(p, p->q[0], p->model->nq, q);
    const struct sn__position_value v = sn__position_evaluate(p, p->q, p->g, p->delta, SN__GRADIENT);
    if (g) sn__position_get(p, p->g[0], p->model->nv, g);
    return v.energy;
}

/* All terms at once, and each on its own. */
TEST(gradients_are_those_of_the_energies) {
    struct worst worst = {0};
    for (int kind = 0; kind < 3; kind++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            sn_model *model = mixed_model(seed, 0);
            sn_position *p = open_position(model, 0.05, NULL);
            struct rng rng = {seed};
            double q[MAX_NQ], qd[MAX_NV], u[MAX_NV] = {0}, g[MAX_NV], unused[MAX_NV];
            random_state(&rng, model, 1, 2, q, qd);
            assert_int_equal(sn_position_start(p, q, qd, false), SN_OK);
            if (kind == 0) assert_int_equal(set_drag(p, 3, 20), SN_OK);
            if (kind) {
                sn_position_ground_def ground = sn_position_ground_def_default();
                int body[8];
                double point[24];
                ground.friction = kind == 1 ? SN_POSITION_FRICTION_EQUATION_9 : SN_POSITION_FRICTION_COULOMB;
                ground.d1 = 300, ground.d2 = 200, ground.slow = 0.5;
                for (int i = 0; i < 8; i++) {
                    body[i] = i % model->nbody;
                    random_values(&rng, 1, point + 3 * i, 3);
                    point[3 * i + 2] -= 3; /* well below the ground, then and now */
                }
                assert_int_equal(sn_position_set_ground(p, &ground, 8, body, point), SN_OK);
            }
            sn__position_guess(p);
            sn__points_begin(p);
            sn__position_get(p, p->past_q[0], model->nq, q);
            random_values(&rng, 0.1, unused, model->nv);
            sn_model_pose_add(model, 1, q, unused, q);
            energy_at(p, q, u, g);
            double size = norm(g, model->nv), lost = 0;
            for (int v = 0; v < model->nv; v++) {
                const double h = 1e-5;
                u[v] = h;
                const double up = energy_at(p, q, u, NULL);
                u[v] = -h;
                const double down = energy_at(p, q, u, NULL);
                u[v] = 0;
                lost = fmax(lost, fabs((up - down) / (2 * h) - g[v]));
            }
            worst_add(&worst, lost / size, "kind %d, model %d", kind, (int)seed);
            sn_position_free(p);
            sn_model_free(model);
        }
    assert_worst(&worst, 1e-6, "gradient less the difference of energies");
}

/* Implicit Euler: v <- v / (1 + drag dt), turning or not, whatever the shape. */
TEST(even_drag_slows_a_body_as_it_should) {
    const double dt = 0.02, drag = 3;
    const sn_shape_def box = box_of(0.3, 0.2, 0.1, 2);
    sn_model *model = scene_body_model(&box, NULL);
    sn_position *p = open_position(model, dt, weightless);
    double q[7], qd[6] = {1, -2, 3, 0, 0, 0}, factor = 1;
    sn_model_zero_pose(model, q);
    assert_int_equal(sn_position_start(p, q, qd, false), SN_OK);
    assert_int_equal(set_drag(p, drag, drag), SN_OK);
    for (int i = 0; i < 50; i++) {
        position_step(p);
        factor /= 1 + drag * dt;
    }
    sn_position_state(p, NULL, qd);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(qd[k] - factor * ((const double[]){1, -2, 3})[k]) < 1e-9);
    sn_position_free(p);
    sn_model_free(model);
}

/* Along its axis a rod meets the one coefficient, across it the other. */
TEST(drag_knows_the_long_axis) {
    const double dt = 0.02;
    sn_shape_def rod = capsule_of(0.05, 0.5, 1); /* along z */
    sn_model *model = scene_body_model(&rod, NULL);
    for (int k = 0; k < 3; k++) {
        sn_position *p = open_position(model, dt, weightless);
        double q[7], qd[6] = {0};
        qd[k] = 1;
        sn_model_zero_pose(model, q);
        sn_position_start(p, q, qd, false);
        set_drag(p, 1, 10);
        position_step(p);
        sn_position_state(p, NULL, qd);
        assert_true(fabs(qd[k] - 1 / (1 + (k == 2 ? 1 : 10) * dt)) < 1e-9);
        sn_position_free(p);
    }
    sn_model_free(model);
}

/* mu g under Coulomb's law; next to nothing under equation 9. */
TEST(a_box_slows_down_by_its_friction) {
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 1);
    const double corner[12] = {.2, .2, -.1, .2, -.2, -.1, -.2, .2, -.1, -.2, -.2, -.1};
    const int body[4] = {0};
    sn_model *model = scene_body_model(&box, NULL);
    for (int kind = 0; kind < 2; kind++) {
        sn_position *p = open_position(model, 1.0 / 120, NULL);
        sn_position_ground_def ground = sn_position_ground_def_default();
        double q[7], qd[6] = {3, 0, 0, 0, 0, 0};
        ground.friction = kind ? SN_POSITION_FRICTION_COULOMB : SN_POSITION_FRICTION_EQUATION_9;
        sn_model_zero_pose(model, q);
        q[2] = 0.1 - 9.81 / (8 * ground.d1);
        sn_position_start(p, q, qd, false);
        assert_int_equal(sn_position_set_ground(p, &ground, 4, body, corner), SN_OK);
        for (int i = 0; i < 30; i++)
            position_step(p);
        sn_position_state(p, NULL, qd);
        const double slowed = (3 - qd[0]) * 4;
        if (kind && !(fabs(slowed / (0.8 * 9.81) - 1) < 0.01)) fail_msg("slows down by %g m/s^2", slowed);
        if (!kind && !(slowed < 0.1)) fail_msg("equation 9 slows it down by %g m/s^2", slowed);
        sn_position_free(p);
    }
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------ creatures */

typedef void gait_function(const sn_model *, double, double *, double *);

/* Where the centre of mass went. */
static void move_creature(sn_position *p, gait_function *gait, double dt, double seconds, double moved[3]) {
    double q[32], qd[32], before[3];
    sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *d = sn_dynamics_create(p->model, &def, NULL);
    sn_summary s;
    for (int i = 0; i <= (int)lround(seconds / dt); i++) {
        if (i) {
            gait(p->model, i * dt, q, qd);
            assert_int_equal(sn_position_set_target(p, 0, q, qd), SN_OK);
            position_step(p);
        }
        sn_position_state(p, q, qd);
        sn_dynamics_bodies(d, q, qd, NULL, NULL, &s);
        if (!i) memcpy(before, s.com, sizeof before);
    }
    for (int k = 0; k < 3; k++)
        moved[k] = s.com[k] - before[k];
    sn_dynamics_free(d);
}

static void start_creature(sn_position *p, gait_function *gait, double kp, double kd) {
    double q[32], qd[32], gain_p[32], gain_d[32];
    creature_gains(p->model, kp, kd, gain_p, gain_d);
    assert_int_equal(sn_position_set_gains(p, gain_p, gain_d), SN_OK);
    gait(p->model, 0, q, qd);
    memset(qd, 0, sizeof qd);
    assert_int_equal(sn_position_start(p, q, qd, false), SN_OK);
}

TEST(a_swimmer_needs_uneven_drag) {
    const double seconds = getenv("SINEW_TEST_SHORT") ? 2 : 20;
    sn_model *model = swimmer_model(NULL);
    assert_int_equal(model->nv, 9);
    for (int uneven = 0; uneven < 2; uneven++) {
        sn_position *p = open_position(model, 1.0 / 60, weightless);
        double moved[3];
        start_creature(p, swimmer_gait, 20, 2);
        set_drag(p, uneven ? 1 : 2, uneven ? 10 : 2);
        move_creature(p, swimmer_gait, 1.0 / 60, seconds, moved);
        const double way = sqrt(inner(moved, moved, 3));
        if (!uneven && !(way < 1e-3)) fail_msg("even drag moves the centre by %g m", way);
        if (uneven && !(way > 0.1 * seconds)) fail_msg("it swims %g m in %g s", way, seconds);
        sn_position_free(p);
    }
    sn_model_free(model);
}

TEST(a_spider_walks) {
    const double seconds = getenv("SINEW_TEST_SHORT") ? 1 : 10;
    sn_model *model = spider_model(NULL);
    assert_int_equal(model->nv, 18);
    for (int k = 0; k < 2; k++) {
        const double dt = k ? 1.0 / 30 : 1.0 / 60;
        sn_position *p = open_position(model, dt, NULL);
        const sn_position_ground_def ground = sn_position_ground_def_default();
        int body[SPIDER_LEGS];
        double foot[3 * SPIDER_LEGS], moved[3];
        spider_feet(model, body, foot);
        start_creature(p, spider_gait, 300, 20);
        assert_int_equal(sn_position_set_ground(p, &ground, SPIDER_LEGS, body, foot), SN_OK);
        move_creature(p, spider_gait, dt, seconds, moved);
        if (!(moved[0] > 0.2 * seconds)) fail_msg("it walks %g m in %g s", moved[0], seconds);
        if (!(fabs(moved[2]) < 0.1)) fail_msg("it does not stay on its legs: %g m", moved[2]);
        sn_position_free(p);
    }
    sn_model_free(model);
}

TEST(what_makes_no_sense_is_refused) {
    sn_model *model = swimmer_model(NULL);
    sn_position *p = open_position(model, 0.01, NULL);
    sn_position_ground_def ground = sn_position_ground_def_default();
    const int body[1] = {99};
    const double point[3] = {0};
    assert_int_equal(set_drag(p, -1, 1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_position_set_ground(NULL, NULL, 0, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_position_set_ground(p, &ground, 1, body, point), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_position_set_ground(p, &ground, 1, NULL, point), SN_ERROR_ARGUMENT);
    ground.slow = 0;
    assert_int_equal(sn_position_set_ground(p, &ground, 0, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_position_set_ground(p, NULL, 0, NULL, NULL), SN_OK);
    sn_position_free(p);
    sn_position_def def = sn_position_def_default();
    def.method = SN_POSITION_METHOD_RADAU2;
    p = sn_position_create(model, &def, NULL);
    assert_int_equal(set_drag(p, 1, 1), SN_ERROR_UNSUPPORTED);
    sn_position_free(p);
    p = sn_position_create(model, NULL, NULL); /* all defaults */
    assert_non_null(p);
    sn_position_free(p);
    def.gravity[0] = (double)NAN;
    assert_null(sn_position_create(model, &def, NULL));
    sn_model_free(model);
}

int main(void) {
    return run_all("drag and ground of position-based steps");
}
