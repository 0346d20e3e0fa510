/* Definitions and ranges that a crowd refuses. */
#include "dynamics_helpers.h"

static void assert_create_refused(const sn_model *model, const sn_character_def *def, sn_status status,
                                  const char *part) {
    sn_error error = {SN_OK, ""};
    sn_crowd_def crowd = sn_crowd_def_default();
    crowd.character = *def;
    assert_null(sn_crowd_create(model, &crowd, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
    assert_null(sn_crowd_create(model, &crowd, NULL));
}

TEST(a_crowd_whose_definition_makes_no_sense_is_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL), *limited = mixed_model(1, MIX_LIMIT);
    const sn_character_def fine = sn_character_def_default();
    sn_character_def def;
    static const double bad_dt[] = {0, -1, (double)INFINITY, (double)NAN};
    for (int i = 0; i < COUNT(bad_dt); i++) {
        def = fine, def.dt = bad_dt[i];
        assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "dt");
    }
    def = fine, def.gravity[1] = (double)NAN;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "gravity");
    def = fine, def.lanes = "f16x3";
    assert_create_refused(model, &def, SN_ERROR_UNSUPPORTED, "f16x3");
    def = fine, def.lanes = "f32x4";
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "f32x4");
    def = fine, def.form = (sn_form)4;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.solver = (sn_solver)5;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.integrator = (sn_integrator)-1;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.precision = (sn_precision)2;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.solver = SN_SOLVER_DENSE;
    assert_create_refused(limited, &def, SN_ERROR_UNSUPPORTED, "limits");
    def = fine, def.route = SN_ROUTE_TORQUE_RNEA;
    assert_create_refused(limited, &def, SN_ERROR_UNSUPPORTED, "limits");
    assert_create_refused(NULL, &fine, SN_ERROR_ARGUMENT, "");
    if (!sn_built_with_lapack()) {
        def = fine, def.solver = SN_SOLVER_LAPACK;
        assert_create_refused(model, &def, SN_ERROR_UNSUPPORTED, "LAPACK");
    }
    sn_crowd_def crowd = sn_crowd_def_default();
    sn_error error;
    crowd.count = 0;
    assert_null(sn_crowd_create(model, &crowd, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_null(sn_crowd_create(model, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    sn_crowd_free(NULL);
    sn_model_free(model), sn_model_free(limited);
}

TEST(ranges_beyond_a_crowd_are_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_crowd_def crowd_def = sn_crowd_def_default();
    crowd_def.count = 5;
    sn_crowd *crowd = sn_crowd_create(model, &crowd_def, NULL);
    double q[2 * MAX_NQ], qd[2 * MAX_NV];
    assert_int_equal(sn_crowd_get_state(crowd, 4, 1, q, qd), SN_OK);
    assert_int_equal(sn_crowd_get_state(crowd, 4, 2, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_get_state(crowd, -1, 1, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_state(crowd, 2147483647, 2, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_target(crowd, 0, -1, q, qd), SN_ERROR_ARGUMENT);
    sn_crowd_free(crowd);
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_whose_definition_makes_no_sense_is_refused),
        cmocka_unit_test(ranges_beyond_a_crowd_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
