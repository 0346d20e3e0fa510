/* A step allocates nothing: every way to memory is counted. */
#include "parse_helpers.h"
#include "dynamics_helpers.h"
#include "study_helpers.h"
#include "refused_memory.h"

#if !MEMORY_IS_OWNED

#include <sinew/studies.h>

TEST(the_counter_sees_every_function) {
    void *volatile memory;
    const int before = memory_calls;
    memory = malloc(1);
    memory = realloc(memory, 100);
    free(memory);
    memory = calloc(1, 1);
    free(memory);
    memory = aligned_alloc(64, 64);
    free(memory);
    void *aligned = NULL;
    assert_int_equal(posix_memalign(&aligned, 64, 64), 0);
    free(aligned);
    assert_int_equal(memory_calls - before, 9);
}

/* Steps of a study, and all that one does between steps. */
static int calls_of_study(const sn_model *model, const sn_dynamics_def *def, bool torque) {
    struct study *c = study_of(model, def);
    c->wants_torque = torque;
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV], tau[MAX_NV];
    const double force[3] = {1, 2, 3};
    struct rng rng = {5};
    random_state(&rng, model, 0.3, 1, q, qd);
    paper_gains(model, kp, kd);
    const int before = memory_calls;
    bool fine = study_set_gains(c, kp, kd) == SN_OK;
    fine &= study_set_feedforward(c, qd) == SN_OK;
    fine &= study_set_push(c, 0, force, NULL) == SN_OK;
    for (int i = 0; i < 5; i++) {
        fine &= study_set_target(c, q, qd) == SN_OK;
        fine &= study_step(c) == SN_OK;
        fine &= study_get_torque(c, tau) == (torque ? SN_OK : SN_ERROR_ARGUMENT);
        study_get_state(c, q, qd);
    }
    const int n = memory_calls - before;
    assert_true(fine);
    study_free(c);
    return n;
}

/* Steps of many copies without ground, and all that one does between steps. */
static int calls_of_copies(const sn_model *model, sn_precision precision, bool report_torque) {
    enum { N = 37 };
    sn_world_def def = sn_world_def_default();
    def.copies = N, def.precision = precision, def.report_torque = report_torque;
    sn_world *w = sn_world_create(&def, NULL);
    assert_non_null(w);
    assert_int_equal(sn_world_add(w, model, NULL), 0);
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    const double force[3] = {1, 2, 3};
    struct rng rng = {6};
    sn_world_stats stats;
    random_state(&rng, model, 0.3, 1, q, qd);
    paper_gains(model, kp, kd);
    bool fine =
        sn_world_push(w, 0, 0, force, NULL, INFINITY) == SN_OK; /* the first push makes room for pushes */
    const int before = memory_calls;
    fine &= sn_world_set_gains(w, 0, kp, kd) == SN_OK;
    fine &= sn_world_set(w, 0, SN_FIELD_FEEDFORWARD, 5, 1, qd) == SN_OK;
    fine &= sn_world_push(w, 0, 0, force, NULL, INFINITY) == SN_OK;
    for (int i = 0; i < 5; i++) {
        fine &= sn_world_set(w, 0, SN_FIELD_TARGET_Q, 3 * i, 1, q) == SN_OK;
        fine &= sn_world_set(w, 0, SN_FIELD_TARGET_QD, 3 * i, 1, qd) == SN_OK;
        fine &= sn_world_set_target(w, 0, q, qd) == SN_OK;
        fine &= sn_world_step(w) == SN_OK;
        sn_world_get_stats(w, &stats);
        fine &= stats.diverged == 0;
        fine &= sn_world_get(w, 0, SN_FIELD_TORQUE, 7, 1, kp) == (report_torque ? SN_OK : SN_ERROR_ARGUMENT);
        fine &= sn_world_get_state(w, 0, q, qd) == SN_OK;
        sn_world_hash(w);
    }
    const int n = memory_calls - before;
    assert_true(fine);
    sn_world_free(w);
    return n;
}

TEST(a_step_of_many_copies_allocates_nothing) {
    sn_model *model[] = {sn_builtin_create("humanoid", NULL), mixed_model(3, MIX_PASSIVE | MIX_MASSLESS),
                         mixed_model(4, MIX_LIMIT)};
    for (int m = 0; m < COUNT(model); m++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            for (int torque = 0; torque < 2; torque++)
                assert_int_equal(calls_of_copies(model[m], (sn_precision)precision, torque), 0);
    for (int m = 0; m < COUNT(model); m++)
        sn_model_free(model[m]);
}

static void assert_no_calls(const sn_model *model, const char *name, const sn_dynamics_def *def,
                            bool torque) {
    const int n = calls_of_study(model, def, torque);
    if (n)
        fail_msg("%s, solver %d, integrator %d, route %d: %d calls", name, def->solver, def->integrator,
                 def->route, n);
}

TEST(a_step_allocates_nothing) {
    sn_model *model[] = {sn_builtin_create("humanoid", NULL), mixed_model(3, MIX_PASSIVE | MIX_MASSLESS),
                         mixed_model(4, MIX_LIMIT)};
    for (int m = 0; m < COUNT(model); m++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            for (int solver = SN_SOLVER_MABA; solver <= SN_SOLVER_PCG; solver++)
                for (int integrator = SN_INTEGRATOR_SEMI_IMPLICIT_EULER; integrator <= SN_INTEGRATOR_RK4;
                     integrator++)
                    for (int route = SN_ROUTE_DIRECT; route <= SN_ROUTE_TORQUE_EQ6; route++) {
                        if (solver == SN_SOLVER_LAPACK) continue; /* may allocate as it likes */
                        if (m == 2 && (solver != SN_SOLVER_MABA || route)) continue; /* refused with limits */
                        sn_dynamics_def def = study_def((sn_precision)precision, NULL);
                        def.solver = (sn_solver)solver;
                        def.integrator = (sn_integrator)integrator;
                        def.route = (sn_route)route;
                        assert_no_calls(model[m],
                                        m == 0   ? "humanoid"
                                        : m == 1 ? "mixed"
                                                 : "limits",
                                        &def, integrator % 2);
                    }
    for (int m = 0; m < COUNT(model); m++)
        sn_model_free(model[m]);
}

/* Two humanoids fall onto the ground, a box and each other, one of them on a pin; torques asked for. */
static int calls_of_world(const sn_model *model, const sn_world_def *def) {
    sn_world *w = sn_world_create(def, NULL);
    assert_non_null(w);
    const double origin[3] = {0}, up[3] = {0, 0, 1}, turn[4] = {1, 0, 0, 0};
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = box.size[1] = box.size[2] = 0.1;
    assert_true(sn_world_add_plane(w, origin, up, NULL, NULL) >= 0);
    assert_true(sn_world_add_shape(w, &box, origin, turn, NULL) >= 0);
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    struct rng rng = {7};
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sn_world_add(w, model, NULL), i);
        random_state(&rng, model, 0.3, 1, q, qd);
        q[0] = 0.1 * i, q[1] = 0, q[2] = 0.5 + 0.3 * i;
        assert_int_equal(sn_world_set_gains(w, i, kp, kd), SN_OK);
        assert_int_equal(sn_world_set_state(w, i, q, qd), SN_OK);
    }
    const sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    assert_true(sn_world_add_constraint(w, &pin, NULL) != 0);
    sn_constraint_def curve = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    const double line[2][3] = {{0, 0, 0}, {1, 0, 0}};
    curve.curve = &(sn_curve_def){.struct_size = sizeof(sn_curve_def), .npoint = 2, .points = &line[0][0]},
    curve.stiffness = 100, curve.body = 3;
    assert_true(sn_world_add_constraint(w, &curve, NULL) != 0);
    const int before = memory_calls;
    bool fine = true;
    int touching = 0;
    for (int i = 0; i < 120; i++) {
        fine &= sn_world_step(w) == SN_OK;
        for (int copy = 0; copy < def->copies; copy++) {
            int count;
            sn_world_contacts(w, copy, &count);
            touching += count;
        }
    }
    const int n = memory_calls - before;
    assert_true(fine);
    assert_true(touching > 100 * def->copies || def->contact == SN_CONTACT_NONE);
    sn_world_free(w);
    return n;
}

TEST(a_step_of_a_world_allocates_nothing) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int contact = SN_CONTACT_IMPLICIT; contact <= SN_CONTACT_ROWS; contact++)
            for (int stepper = SN_STEPPER_TIME; stepper <= SN_STEPPER_EVENT; stepper++)
                for (int solver = SN_ROW_SOLVER_PGS; solver <= SN_ROW_SOLVER_LEMKE; solver++) {
                    if (contact == SN_CONTACT_IMPLICIT && stepper == SN_STEPPER_EVENT) continue;
                    if (stepper == SN_STEPPER_EVENT && solver == SN_ROW_SOLVER_LEMKE) continue; /* slow */
                    sn_world_def def = sn_world_def_default();
                    def.copies = solver == SN_ROW_SOLVER_PGS && stepper == SN_STEPPER_TIME ? 2 : 1;
                    def.report_torque = true;
                    def.precision = (sn_precision)precision;
                    def.contact = (sn_contact_method)contact;
                    def.stepper = (sn_stepper)stepper;
                    def.study = solved_by((sn_row_solver)solver);
                    if (solver == SN_ROW_SOLVER_LEMKE && contact == SN_CONTACT_ROWS)
                        def.friction = SN_FRICTION_ONE_WAY;
                    def.dt = 1.0 / 120;
                    assert_int_equal(calls_of_world(model, &def), 0);
                }
    sn_model_free(model);
}

/* Copies with everything, on two threads; views once they are there. */
static int calls_of_full_copies(const sn_model *model, sn_contact_method contact, sn_stepper stepper) {
    enum { N = 37 };
    sn_world_def def = sn_world_def_default();
    def.copies = N, def.threads = 2, def.substeps = 2, def.precision = SN_PRECISION_FLOAT,
    def.contact = contact;
    def.stepper = stepper;
    sn_world *w = sn_world_create(&def, NULL);
    assert_non_null(w);
    assert_int_equal(sn_world_add(w, model, NULL), 0);
    const double origin[3] = {0, 0, -1}, up[3] = {0, 0, 1};
    double kp[MAX_NV], kd[MAX_NV], scale[N];
    static double push[N * 6 * 64];
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    bool fine = sn_world_set_gains(w, 0, kp, kd) == SN_OK && sn_world_set_motion(w, 0, walk) == SN_OK;
    fine &= sn_world_add_plane(w, origin, up, NULL, NULL) >= 0;
    push[6] = 1e4; /* a blow in copy 0 */
    fine &= sn_world_set(w, 0, SN_FIELD_PUSH, 0, N, push) == SN_OK;
    const sn_reaction_def reaction = sn_reaction_def_default();
    fine &= sn_world_set_reaction(w, 0, &reaction) == SN_OK;
    fine &= sn_world_set_limb(w, 0, 1, 3, SN_LIMB_LIMP, 0.1) == SN_OK;
    for (int i = 0; i < N; i++)
        scale[i] = 1 + 0.01 * i;
    fine &= sn_world_set(w, 0, SN_FIELD_MASS_SCALE, 0, N, scale) == SN_OK;
    const sn_field seen[] = {SN_FIELD_Q, SN_FIELD_QD, SN_FIELD_BODY_POSE, SN_FIELD_TOUCHING};
    for (int i = 0; i < COUNT(seen); i++)
        fine &= sn_world_view(w, 0, seen[i]) != NULL;
    const int before = memory_calls;
    for (int i = 0; i < 10; i++) {
        fine &= sn_world_step(w) == SN_OK;
        for (int k = 0; k < COUNT(seen); k++)
            fine &= sn_world_view(w, 0, seen[k]) != NULL;
        fine &= sn_world_put(w, 0, SN_FIELD_Q, NULL, sn_world_view(w, 0, SN_FIELD_Q)) == SN_OK;
        fine &= sn_world_get(w, 0, SN_FIELD_BODY_VELOCITY, 3, 5, push) == SN_OK;
        if (i == 5) fine &= sn_world_reset(w, -1, NULL, NULL, NULL) == SN_OK;
    }
    const int n = memory_calls - before;
    assert_true(fine);
    sn_motion_free(walk);
    sn_world_free(w);
    return n;
}

TEST(a_step_of_copies_with_everything_allocates_nothing) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int contact = SN_CONTACT_IMPLICIT; contact <= SN_CONTACT_NONE; contact++)
        assert_int_equal(calls_of_full_copies(model, (sn_contact_method)contact, SN_STEPPER_TIME), 0);
    assert_int_equal(calls_of_full_copies(model, SN_CONTACT_IMPLICIT, SN_STEPPER_POSITION), 0);
    sn_model_free(model);
}

TEST(asking_allocates_nothing) {
    sn_model *model = mixed_model(3, MIX_PASSIVE);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    static double M[MAX_NV * MAX_NV];
    double a[6 * MAX_NV], b[MAX_NV] = {0}, point[3] = {0};
    sn_summary s;
    assert_int_equal(study_mass_matrix(c, M), SN_OK); /* the first time makes room for it */
    const int before = memory_calls;
    study_mass_matrix(c, M);
    study_inverse_dynamics(c, b, a);
    study_forward_dynamics(c, b, a);
    study_drive_acceleration(c, a);
    study_drive_torque(c, a);
    study_jacobian(c, 1, point, a);
    study_summary(c, &s);
    study_body_pose(c, 1, a, b);
    study_body_velocity(c, 1, a, b);
    assert_int_equal(memory_calls - before, 0);
    study_free(c);
    sn_model_free(model);
}

/* Position-based studies without memory, wherever it ends: refused, and nothing is lost that a leak checker would find. */
TEST(studies_of_position_based_steps_bear_the_end_of_memory) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_trajectories_def def = sn_trajectories_def_default();
    const sn_position_def one = sn_position_def_default();
    const sn_position_ground_def ground = sn_position_ground_def_default();
    const int body[1] = {0};
    const double point[3] = {0};
    int granted = 0;
    for (bool made = false; !made; granted++) {
        sn_error error;
        until_refused = granted;
        sn_trajectories *t = sn_trajectories_create(model, &def, &error);
        until_refused = -1;
        made = t != NULL;
        if (!made) assert_int_equal(error.status, SN_ERROR_MEMORY);
        sn_trajectories_free(t);
    }
    assert_true(granted > 10);
    granted = 0;
    for (bool made = false; !made; granted++) {
        sn_error error;
        until_refused = granted;
        sn_position *p = sn_position_create(model, &one, &error);
        const sn_status stands = p ? sn_position_set_ground(p, &ground, 1, body, point) : SN_ERROR_MEMORY;
        until_refused = -1;
        made = p && stands == SN_OK;
        if (!made) assert_int_equal(stands, SN_ERROR_MEMORY);
        if (!p) assert_int_equal(error.status, SN_ERROR_MEMORY);
        sn_position_free(p);
    }
    assert_true(granted > 10);
    sn_model_free(model);
}

/* --------------------------------------------------------------------------------------------- the end of memory */

enum { CONDUCT_CALLS = 3, COMPANY = 5 };

static sn_world *world_of_walkers(const sn_model *model) {
    double kp[MAX_NV], kd[MAX_NV];
    sn_world_def def = sn_world_def_default();
    def.copies = COMPANY, def.report_torque = def.torque_limits = true;
    sn_world *w = sn_world_create(&def, NULL);
    assert_non_null(w);
    assert_int_equal(sn_world_add(w, model, NULL), 0);
    sn_gains_uniform(model, 2000, 200, 300, 30, kp, kd);
    assert_int_equal(sn_world_set_gains(w, 0, kp, kd), SN_OK);
    return w;
}

static sn_status conduct_call(sn_world *w, int which) {
    const sn_reaction_def reaction = sn_reaction_def_default();
    if (which == 0) return sn_world_set_reaction(w, 0, &reaction);
    if (which == 1) return sn_world_set_limb(w, 0, -1, 3, SN_LIMB_ANIMATED, 0.1);
    return sn_world_set_assistance(w, 0, 500, 200);
}

/* Reactions, limbs and assistance that are refused leave a world that steps as one in which nobody asked for them; asked once
   more, they are there. */
TEST(characters_that_are_hit_bear_the_end_of_memory) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *plain = world_of_walkers(model);
    assert_int_equal(sn_world_step(plain), SN_OK);
    const uint64_t expected = sn_world_hash(plain);
    sn_world_free(plain);
    for (int which = 0; which < CONDUCT_CALLS; which++) {
        const long before = memory_held;
        int granted = 0;
        for (bool made = false; !made; granted++) {
            sn_world *w = world_of_walkers(model);
            until_refused = granted;
            const sn_status status = conduct_call(w, which);
            until_refused = -1;
            made = status == SN_OK;
            if (!made) {
                assert_int_equal(status, SN_ERROR_MEMORY);
                assert_int_equal(sn_world_step(w), SN_OK);
                assert_true(sn_world_hash(w) == expected);
            }
            assert_int_equal(conduct_call(w, which), SN_OK);
            assert_int_equal(sn_world_step(w), SN_OK);
            sn_world_free(w);
            assert_true(memory_held == before);
        }
        assert_true(granted > 5);
    }
    sn_model_free(model);
}

static const char keyframe_text[] =
    "{\"format\": \"sinew-keyframes\", \"keys\": [{\"time\": 0, \"pose\": {\"body\": [0, 0, 0, 1, 0, 0, "
    "0]}}, "
    "{\"time\": 1, \"pose\": {\"body\": [0.3, 0, 0, 1, 0, 0, 0]}}], \"weights\": {\"body\": 100}}";

/* Read from a text, and at work. A text that is cut off and a JSON reader without memory look alike: both are named. */
TEST(keyframes_bear_the_end_of_memory) {
    sn_model *mouse = sn_builtin_create("mouse", NULL);
    sn_error error;
    sn_keyframes *keys = keyframes_from(keyframe_text, strlen(keyframe_text), "keys", mouse, &error);
    if (!keys) fail_msg("%s", error.message);
    sn_world *w = world_of_walkers(mouse);
    const long before = memory_held;
    int granted = 0;
    for (bool made = false; !made; granted++) {
        until_refused = granted;
        sn_keyframes *read = keyframes_from(keyframe_text, strlen(keyframe_text), "keys", mouse, &error);
        until_refused = -1;
        made = read != NULL;
        if (!made) assert_true(error.status == SN_ERROR_MEMORY || strstr(error.message, "out of memory"));
        sn_keyframes_free(read);
        assert_true(memory_held == before);
    }
    assert_true(granted > 5);
    const uint64_t hash = sn_world_hash(w);
    granted = 0;
    for (bool applied = false; !applied; granted++) {
        until_refused = granted;
        const sn_status status = sn_keyframes_apply(keys, w, 0, -1, 0.3);
        until_refused = -1;
        applied = status == SN_OK;
        if (!applied) assert_int_equal(status, SN_ERROR_MEMORY);
        if (!applied) assert_true(sn_world_hash(w) == hash);
    }
    assert_true(granted > 1);
    sn_world_free(w);
    sn_keyframes_free(keys);
    sn_model_free(mouse);
}

#endif

int main(void) {
    return run_all("allocation");
}
