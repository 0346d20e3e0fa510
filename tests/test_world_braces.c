/* Constraints inside MABA: the same as rows of the same compliance; curves and surfaces; spd-2011 eq. 13. */
#include "world_helpers.h"

#include <sinew/studies.h>

#include "base/quat.h"

/* A helix of radius 1 about the z axis, 0.3 up in a turn. */
static void helix(void *user, double s, double x[3], double dx[3]) {
    (void)user;
    const double up = 0.3 / (2 * M_PI);
    x[0] = cos(s), x[1] = sin(s), x[2] = up * s;
    dx[0] = -sin(s), dx[1] = cos(s), dx[2] = up;
}
static const sn_curve_def coil = {
    .struct_size = sizeof(sn_curve_def), .npoint = 200, .sample = helix, .start = -10, .end = 10};

/* Heights of x + 2 y + x y, which cubics meet exactly except for the cells at the edges. */
static double saddle(void *user, double x, double y) {
    (void)user;
    return 0.1 * (x + 2 * y + x * y);
}
static const sn_surface_def hills = {.struct_size = sizeof(sn_surface_def),
                                     .type = SN_SURFACE_HEIGHTS,
                                     .nx = 21,
                                     .ny = 31,
                                     .size = {4, 6},
                                     .sample = saddle};

/* --------------------------------------------------------------------------------------------- against rows */

/* A humanoid in the air whose hands and feet are held four ways. */
static sn_world *held_humanoid(const sn_model *model, bool rows, sn_form form, double dt, bool ground,
                               sn_constraint tie[4]) {
    sn_world_def def = sn_world_def_default();
    def.contact = ground ? SN_CONTACT_IMPLICIT : SN_CONTACT_NONE, def.dt = dt;
    def.setting = SN_SETTING_EXACT, def.tolerance = 1e-14, def.iterations = 2000, def.report_torque = true;
    def.sweep_tolerance = 1e-12, def.joint_limits = false;
    def.products = SN_PRODUCTS_EXPLICIT; /* rows take those of the motion without constraints */
    sn_world *world = world_of(&def);
    const int person = member_of(world, model);
    if (ground)
        sn_world_add_plane(world, (const double[3]){0, 0, -0.02}, (const double[3]){0, 0, 1}, NULL, NULL);
    double q[128];
    stand_humanoid(world, person, q);
    uniform_gains(world, person, 0, 0, 300, 30);
    static const sn_constraint_type type[] = {SN_CONSTRAINT_CURVE, SN_CONSTRAINT_SURFACE,
                                              SN_CONSTRAINT_DISTANCE, SN_CONSTRAINT_PIN};
    const int nbody = sn_model_get(model)->nbody;
    for (int i = 0; i < 4; i++) {
        sn_constraint_def d = sn_constraint_def_default(type[i]);
        double pos[3], rot[4], offset[3] = {0.03, 0.01, -0.02};
        d.body = nbody - 1 - 3 * i, d.rows = rows, d.form = form;
        d.curve = &coil, d.surface = &hills;
        d.stiffness = 1e5, d.damping = 1.5e5 * dt;
        memcpy(d.point, offset, sizeof offset);
        body_pose(world, person, d.body, pos, rot);
        memcpy(d.point2, pos, sizeof pos);
        d.point2[0] -= type[i] == SN_CONSTRAINT_CURVE ? 1 : 0.2, d.target[0] = 0.2;
        tie[i] = tie_of(world, &d);
    }
    return world;
}

static double difference(sn_world *a, sn_world *b, sn_field field) {
    double x[128], y[128], most = 0;
    const int n = sn_world_size(a, 0, field);
    sn_world_get(a, 0, field, 0, 1, x), sn_world_get(b, 0, field, 0, 1, y);
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

TEST(inside_maba_it_is_as_rows_of_the_same_compliance) {
    static const sn_form form[] = {SN_FORM_FULL, SN_FORM_STABLE, SN_FORM_IMPLICIT_D};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    double worst = 0, force_off = 0, torque_off = 0;
    for (int f = 0; f < COUNT(form); f++)
        for (int ground = 0; ground < 2; ground++) {
            sn_constraint ta[4], tb[4];
            const double dt = 1.0 / 120;
            sn_world *a = held_humanoid(model, false, form[f], dt, ground, ta),
                     *b = held_humanoid(model, true, form[f], dt, ground, tb);
            for (int i = 0; i < 10; i++) {
                step_world(a), step_world(b);
                assert_int_equal(stats_of(a).rows, 0);
                assert_int_equal(stats_of(b).rows, 7);
                if (ground && stats_of(a).contacts)
                    break; /* contacts and rows are solved one after the other */
                worst = fmax(worst, difference(a, b, SN_FIELD_QD));
                torque_off = fmax(torque_off, difference(a, b, SN_FIELD_TORQUE));
                for (int k = 0; k < 4; k++) {
                    double x[6], y[6];
                    const int n = constraint_force(a, ta[k], 0, x);
                    assert_int_equal(n, constraint_force(b, tb[k], 0, y));
                    for (int j = 0; j < n; j++)
                        force_off = fmax(force_off, fabs(x[j] - y[j]) / (1 + fabs(y[j])));
                }
            }
            sn_world_free(a), sn_world_free(b);
        }
    if (getenv("SINEW_TEST_VERBOSE"))
        print_message("velocities %.2g, forces %.2g, torques %.2g\n", worst, force_off, torque_off);
    assert_true(worst < 1e-9);
    assert_true(force_off < 1e-6);
    assert_true(torque_off < 1e-6);
    sn_model_free(model);
}

/* Rows on top see the braces in their responses, whichever way these are made. */
TEST(responses_contain_what_is_inside) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_constraint tie[4];
    sn_world *world = held_humanoid(model, false, SN_FORM_FULL, 1.0 / 120, true, tie);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
    d.body = sn_model_get(model)->nbody - 2;
    tie_of(world, &d);
    d.type = SN_CONSTRAINT_PIN, d.body = 3;
    tie_of(world, &d);
    double A[3][81], most = 0, off = 0, loose[81];
    for (int way = 0; way < 3; way++)
        assert_int_equal(sn_study_response_matrix(world, 0, (sn_row_response)way, A[way], 9), 9);
    for (int i = 0; i < 81; i++)
        for (int way = 1; way < 3; way++)
            most = fmax(most, fabs(A[0][i])), off = fmax(off, fabs(A[way][i] - A[0][i]));
    assert_true(off < 1e-9 * most);
    for (int i = 0; i < 4; i++)
        sn_world_remove_constraint(world, tie[i]);
    sn_study_response_matrix(world, 0, SN_ROW_RESPONSE_DELTAS, loose, 9);
    for (int i = 0; i < 81; i += 10) /* what is held gives less */
        assert_true(A[0][i] <= loose[i]);
    assert_true(A[0][0] < 0.9 * loose[0]);
    sn_world_free(world);
    sn_model_free(model);
}

/* However stiff, in double and in float; and nothing is gained or lost by it in another precision than its own rounding. */
TEST(no_stiffness_is_too_large) {
    for (int precision = 0; precision < 2; precision++)
        for (double k = 1e3; k <= 1e12; k *= 1000) {
            sn_model *model = body_of(sphere_of(0.05, 0.1));
            sn_world_def def = sn_world_def_default();
            def.contact = SN_CONTACT_NONE, def.dt = 1.0 / 30,
            def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
            sn_world *world = world_of(&def);
            member_of(world, model);
            put_body(world, 0, (const double[3]){1, 0, 0}, NULL, NULL);
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
            d.curve = &coil, d.stiffness = k;
            const sn_constraint tie = tie_of(world, &d);
            double far, most = 0;
            for (int i = 0; i < 90; i++) {
                step_world(world);
                constraint_error(world, tie, 0, &far, NULL);
                most = fmax(most, far);
            }
            if (getenv("SINEW_TEST_VERBOSE"))
                print_message("%s, %g N/m: %.2g m\n", precision ? "float" : "double", k, most);
            assert_true(most < 0.1 * 9.81 / k * 10 + (precision ? 1e-4 : 1e-7));
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* A particle by hand: (m + kd dt N) a = m g - kp N (x + dt v - c) - kd N v, N across the line. */
TEST(a_particle_on_a_line_obeys_equation_13) {
    const double dt = 1.0 / 60, m = 0.7, kp = 1e6, kd = 1.5 * kp * dt, g = 9.81;
    sn_model *model = body_of(sphere_of(0.05, m));
    sn_world_def def = sn_world_def_default();
    def.dt = dt, def.contact = SN_CONTACT_NONE;
    sn_world *world = world_of(&def);
    member_of(world, model);
    const double x0[3] = {0.2, 0.01, -0.03}, v0[6] = {0.4, -0.2, 0.3};
    put_body(world, 0, x0, NULL, v0);
    const double line[2][3] = {{-1, 0, 0}, {1, 0, 0}};
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    d.curve = &(sn_curve_def){.struct_size = sizeof(sn_curve_def), .npoint = 2, .points = &line[0][0]};
    d.stiffness = kp, d.damping = kd, d.form = SN_FORM_STABLE;
    tie_of(world, &d);
    step_world(world);
    double v[6];
    sn_world_get_state(world, 0, NULL, v);
    for (int k = 0; k < 3; k++) {
        const double across = k > 0, pull = k == 2 ? -m * g : 0;
        const double a = (pull - across * (kp * (x0[k] + dt * v0[k]) + kd * v0[k])) / (m + across * kd * dt);
        assert_near(v[k], v0[k] + dt * a, 1e-12);
    }
    sn_world_free(world);
    sn_model_free(model);
}

/* --------------------------------------------------------------------------------------- curves and surfaces */

static sn_world *point_world(sn_model *model) {
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_NONE;
    sn_world *world = world_of(&def);
    member_of(world, model);
    return world;
}

static double error_at(sn_world *world, sn_constraint tie, const double x[3]) {
    double far;
    put_body(world, 0, x, NULL, NULL);
    assert_int_equal(constraint_error(world, tie, 0, &far, NULL), SN_OK);
    return far;
}

TEST(the_nearest_place_of_a_polyline_is_the_nearest_of_all) {
    enum { N = 77 };
    struct rng rng = {3};
    double points[N][3];
    for (int i = 0; i < 3 * N; i++)
        points[i / 3][i % 3] = uniform(&rng, -1, 1);
    sn_model *model = body_of(sphere_of(0.05, 1));
    for (int closed = 0; closed < 2; closed++) {
        sn_world *world = point_world(model);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
        d.curve = &(sn_curve_def){
            .struct_size = sizeof(sn_curve_def), .npoint = N, .points = &points[0][0], .closed = closed};
        const sn_constraint tie = tie_of(world, &d);
        for (int t = 0; t < 200; t++) {
            double x[3], best = INFINITY;
            for (int k = 0; k < 3; k++)
                x[k] = uniform(&rng, -1.5, 1.5);
            for (int i = 0; i < (closed ? N : N - 1); i++) {
                const double *p = points[i], *q = points[(i + 1) % N];
                double u[3], v[3], s, far = 0;
                for (int k = 0; k < 3; k++)
                    u[k] = q[k] - p[k], v[k] = x[k] - p[k];
                s = dvec_dot(u, v) / dvec_dot(u, u);
                if (closed || i > 0) s = fmax(0, s); /* open ends go on */
                if (closed || i < N - 2) s = fmin(1, s);
                for (int k = 0; k < 3; k++)
                    far += (v[k] - s * u[k]) * (v[k] - s * u[k]);
                best = fmin(best, sqrt(far));
            }
            assert_near(error_at(world, tie, x), best, 1e-12);
        }
        sn_world_free(world);
    }
    sn_model_free(model);
}

TEST(functions_are_met_by_cubics_and_heights) {
    struct rng rng = {5};
    sn_model *model = body_of(sphere_of(0.05, 1));
    sn_world *world = point_world(model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    d.curve = &coil;
    const sn_constraint curve = tie_of(world, &d);
    d = sn_constraint_def_default(SN_CONSTRAINT_SURFACE), d.surface = &hills;
    const sn_constraint surface = tie_of(world, &d);
    for (int t = 0; t < 100; t++) {
        double x[3], unused[3];
        helix(NULL, uniform(&rng, -9.9, 9.9), x, unused);
        assert_true(error_at(world, curve, x) < 1e-6);
        const double u = uniform(&rng, 0.4, 3.6), v = uniform(&rng, 0.4, 5.6);
        const double y[3] = {u, v, saddle(NULL, u, v)};
        assert_true(error_at(world, surface, y) < 1e-12);
    }
    static const sn_surface_def tube = {.struct_size = sizeof(sn_surface_def),
                                        .type = SN_SURFACE_CYLINDER,
                                        .radius = 0.5},
                                globe = {.struct_size = sizeof(sn_surface_def),
                                         .type = SN_SURFACE_SPHERE,
                                         .radius = 0.5},
                                plane = {.struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_PLANE};
    const sn_surface_def *shape[] = {&tube, &globe, &plane};
    const double far[] = {4.5, sqrt(50) - 0.5, 5};
    for (int i = 0; i < 3; i++) {
        d.surface = shape[i];
        assert_near(error_at(world, tie_of(world, &d), (const double[3]){3, 4, 5}), far[i], 1e-12);
    }
    sn_world_free(world);
    sn_model_free(model);
}

/* A bead on a smooth ring of radius 1 upright in gravity keeps its energy and stays on it. */
TEST(a_bead_swings_on_a_ring) {
    const double dt = 1.0 / 240;
    sn_model *model = body_of(sphere_of(0.05, 1));
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_NONE, def.dt = dt;
    sn_world *world = world_of(&def);
    member_of(world, model);
    put_body(world, 0, (const double[3]){1, 0, 0}, NULL, NULL);
    double points[64][3];
    for (int i = 0; i < 64; i++)
        points[i][0] = cos(M_PI * i / 32), points[i][1] = 0, points[i][2] = sin(M_PI * i / 32);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    d.curve = &(sn_curve_def){.struct_size = sizeof(sn_curve_def),
                              .npoint = 64,
                              .points = &points[0][0],
                              .closed = true,
                              .smooth = true};
    d.stiffness = 1e8;
    const sn_constraint tie = tie_of(world, &d);
    double far, most = 0, top = -2;
    for (int i = 0; i < 240 * 10; i++) {
        double q[7];
        step_world(world);
        constraint_error(world, tie, 0, &far, NULL);
        sn_world_get_state(world, 0, q, NULL);
        most = fmax(most, far);
        if (i > 240 * 8) top = fmax(top, q[2]);
    }
    if (getenv("SINEW_TEST_VERBOSE")) print_message("off by %.2g m, top at %.4f m\n", most, top);
    assert_true(most < 1e-4);
    assert_true(top > -0.1 && top < 0.05);
    sn_world_free(world);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------- copies and snapshots */

TEST(inside_it_has_the_same_bits_in_copies_in_threads_and_after_a_snapshot) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    uint64_t alone = 0;
    for (int run = 0; run < 3; run++) {
        sn_world_def def = sn_world_def_default();
        def.contact = SN_CONTACT_IMPLICIT, def.dt = 1.0 / 60;
        def.copies = run == 1 ? 5 : 1, def.threads = run == 1 ? 3 : 1;
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        const int person = member_of(world, model);
        double q[128];
        stand_humanoid(world, person, q);
        uniform_gains(world, person, 0, 0, 300, 30);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
        d.curve = &coil, d.stiffness = 1e6, d.body = sn_model_get(model)->nbody - 1, d.point2[2] = 1;
        const sn_constraint tie = tie_of(world, &d);
        for (int i = 0; i < 60; i++) {
            step_world(world);
            if (run < 2 || i != 30) continue;
            size_t size;
            unsigned char *block = snapshot_of(world, &size);
            sn_world_remove_constraint(world, tie);
            for (int k = 0; k < 5; k++)
                step_world(world);
            assert_int_equal(sn_world_restore(world, block, size, NULL), SN_OK);
            free(block);
        }
        if (run == 0) alone = hash_fields(world, person, 0);
        for (int c = 0; c < def.copies; c++)
            assert_true(hash_fields(world, person, c) == alone);
        sn_world_free(world);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("world braces");
}
