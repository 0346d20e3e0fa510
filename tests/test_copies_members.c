/* Copies of several members that meet, against worlds of one copy made by hand. */
#include "copies_helpers.h"

enum { GROUPS = 3, MOST_MEMBERS = 4 };

/* Members of one model, all with gains 300 and 30, on a floor. Ground that has come and gone leaves no trace. */
static sn_world *group_of(const sn_model *model, const sn_world_def *def, int members) {
    const double tilted[3] = {1, 0, 1}, origin[3] = {0};
    sn_world *w = driven_copies_of(model, def);
    double kp[MAX_NV], kd[MAX_NV];
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    const int slope = sn_world_add_plane(w, origin, tilted, NULL, NULL);
    assert_true(slope >= 0);
    for (int m = 1; m < members; m++) {
        assert_int_equal(sn_world_add(w, model, NULL), m);
        assert_int_equal(sn_world_set_gains(w, m, kp, kd), SN_OK);
    }
    assert_int_equal(sn_world_remove_ground(w, slope), SN_OK);
    floor_of(w, NULL);
    return w;
}

/* Every contact acts on two bodies, or on one and the ground: all that one member feels. */
static void forces_on(const sn_world *w, int copy, int member, double *sum) {
    int n;
    const sn_contact *contact = sn_world_contacts(w, copy, &n);
    memset(sum, 0, sizeof *sum * MOST_SIZE);
    for (int k = 0; k < n; k++)
        for (int side = 0; side < 2; side++)
            if (contact[k].member[side] == member)
                axpy(side ? -1 : 1, contact[k].force, sum + 3 * contact[k].body[side], 3);
}

/* Forces, flags and torques of a copy; returns the size of the forces. */
static double compare_reports(sn_world *w, int copy, sn_world *alone, int member, int nbody, int nv) {
    static double force[2][MOST_SIZE], sum[MOST_SIZE], flag[2][MOST_SIZE], tau[2][MAX_NV];
    for (int side = 0; side < 2; side++) {
        sn_world *from = side ? alone : w;
        const int k = side ? 0 : copy;
        assert_int_equal(sn_world_get(from, member, SN_FIELD_CONTACT_FORCE, k, 1, force[side]), SN_OK);
        assert_int_equal(sn_world_get(from, member, SN_FIELD_TOUCHING, k, 1, flag[side]), SN_OK);
        assert_int_equal(sn_world_get(from, member, SN_FIELD_TORQUE, k, 1, tau[side]), SN_OK);
        forces_on(from, k, member, sum);
        assert_near_n(force[side], sum, 3 * nbody, 1e-9 * (1 + norm(sum, 3 * nbody)));
    }
    assert_memory_equal(force[0], force[1], sizeof(double) * 3 * (size_t)nbody);
    assert_memory_equal(flag[0], flag[1], sizeof(double) * (size_t)nbody);
    assert_memory_equal(tau[0], tau[1], sizeof(double) * (size_t)nv);
    return norm(force[0], 3 * nbody);
}

static sn_world_def group_def(int copies, sn_precision precision, sn_contact_method contact) {
    sn_world_def def = copies_def(copies, precision);
    def.contact = contact, def.self_contact = true, def.joint_limits = true;
    def.report_torque = def.report_contacts = true;
    return def;
}

static void check_groups(const sn_model *model, sn_precision precision, sn_contact_method contact,
                         int members, int steps) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv, size = nq + nv,
              nbody = sn_model_get(model)->nbody;
    sn_world_def def = group_def(GROUPS, precision, contact);
    def.threads = 2;
    sn_world *w = group_of(model, &def, members), *alone[GROUPS];
    double a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV];
    struct rng rng = {41};
    def.threads = def.copies = 1;
    for (int k = 0; k < GROUPS; k++) {
        alone[k] = group_of(model, &def, members);
        for (int m = 0; m < members; m++) {
            random_state(&rng, model, 0.4, 1, a, b);
            a[0] = 0.2 * m, a[1] = 0, a[2] = 0.7 + 0.4 * m;
            copy_put(w, m, k, a, b);
            assert_int_equal(sn_world_set_state(alone[k], m, a, b), SN_OK);
        }
    }
    for (int i = 0; i < steps; i++) {
        step_many(w, 1);
        for (int k = 0; k < GROUPS; k++) {
            step_world(alone[k]);
            for (int m = 0; m < members; m++) {
                copy_get(w, m, k, a, a + nq);
                assert_int_equal(sn_world_get_state(alone[k], m, b, b + nq), SN_OK);
                if (memcmp(a, b, sizeof *a * (size_t)size) != 0)
                    fail_msg("%d members, step %d, copy %d: member %d is elsewhere", members, i, k, m);
            }
        }
    }
    double touching = 0;
    for (int k = 0; k < GROUPS; k++) {
        for (int m = 0; m < members; m++)
            touching += compare_reports(w, k, alone[k], m, nbody, nv);
        sn_world_free(alone[k]);
    }
    assert_true(touching > 10);
    sn_world_free(w);
}

TEST(a_copy_of_many_members_is_a_world_of_its_own) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int steps = in_short() ? 40 : 80;
    check_groups(model, SN_PRECISION_DOUBLE, SN_CONTACT_ROWS, 1, steps / 2);
    check_groups(model, SN_PRECISION_DOUBLE, SN_CONTACT_ROWS, 2, steps);
    check_groups(model, SN_PRECISION_FLOAT, SN_CONTACT_ROWS, 3, steps);
    check_groups(model, SN_PRECISION_DOUBLE, SN_CONTACT_IMPLICIT, 2, steps);
    check_groups(model, SN_PRECISION_FLOAT, SN_CONTACT_IMPLICIT, 3, steps);
    sn_model_free(model);
}

/* Every field of every member, in a scene of rows; a dt of a copy's own needs one without. */
TEST(values_of_all_members_come_back) {
    sn_model *model = mixed_model(5, MIX_PASSIVE);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_world_def def = copies_def(MANY, (sn_precision)precision);
        def.contact = SN_CONTACT_ROWS, def.torque_limits = true;
        sn_world *w = group_of(model, &def, MOST_MEMBERS);
        static double x[MANY * MOST_SIZE], got[MOST_SIZE];
        struct rng rng = {51};
        for (int f = 0; f <= SN_FIELD_PHASE; f++)
            for (int way = 0; way < WAYS_IN && f != SN_FIELD_DT; way++) {
                const sn_field field = (sn_field)f;
                const int m = (f + way) % MOST_MEMBERS, n = sn_world_size(w, m, field);
                struct values other;
                values_take(w, (m + 1) % MOST_MEMBERS, &other);
                for (int i = 0; i < MANY; i++)
                    good_values(&rng, model, field, n, x + i * n);
                put_in(w, m, (sn_precision)precision, field, (enum way_in)way, x);
                const double tolerance = is_pose(field) ? precision == SN_PRECISION_DOUBLE ? 1e-15 : 2e-7 : 0;
                for (int i = 0; i < MANY; i++) {
                    assert_int_equal(sn_world_get(w, (m + 1) % MOST_MEMBERS, field, i, 1, got), SN_OK);
                    assert_same(got, other.of[f] + i * n, n, 0, "another member", f, i);
                    if (!chosen((enum way_in)way, i)) continue;
                    as_kept(model, (sn_precision)precision, field, n, x + i * n);
                    if (precision == SN_PRECISION_FLOAT && way != BY_RANGE) round_to_float(x + i * n, n);
                    assert_int_equal(sn_world_get(w, m, field, i, 1, got), SN_OK);
                    assert_same(got, x + i * n, n, tolerance, "member", f, i);
                }
                values_free(&other);
            }
        step_many(w, 3);
        for (int f = 0; f < SN_FIELD_COUNT; f++)
            for (int m = 0; m < MOST_MEMBERS; m++)
                assert_true((sn_world_view(w, m, (sn_field)f) == NULL) ==
                            (f == SN_FIELD_TORQUE || f == SN_FIELD_MIDDLE_QD));
        sn_world_free(w);
    }
    sn_model_free(model);
}

/* The rows of a copy are solved with one dt. All else may be a copy's own, and is refused only when it makes no sense. */
TEST(rows_refuse_a_dt_of_a_copys_own) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = copies_def(4, SN_PRECISION_FLOAT);
    def.contact = SN_CONTACT_ROWS;
    sn_world *w = copies_of(model, &def);
    floor_of(w, NULL);
    double x[MAX_NV], same[MAX_NV], got[MAX_NV];
    static const sn_field field[] = {SN_FIELD_MASS_SCALE, SN_FIELD_FRICTION, SN_FIELD_GRAVITY, SN_FIELD_DT,
                                     SN_FIELD_ARMATURE};
    for (int i = 0; i < COUNT(field); i++) {
        const int n = sn_world_size(w, 0, field[i]);
        const bool taken = field[i] != SN_FIELD_DT;
        assert_int_equal(sn_world_get(w, 0, field[i], 1, 1, same), SN_OK);
        for (int v = 0; v < n; v++)
            x[v] = same[v] + 0.5;
        assert_int_equal(sn_world_set(w, 0, field[i], 1, 1, x), taken ? SN_OK : SN_ERROR_UNSUPPORTED);
        assert_int_equal(sn_world_get(w, 0, field[i], 1, 1, got), SN_OK);
        round_to_float(x, n);
        assert_same(got, taken ? x : same, n, 0, "in rows", field[i], 1);
        assert_int_equal(sn_world_set(w, 0, field[i], 1, 1, same), SN_OK); /* what all have */
        x[0] = (double)NAN;
        assert_int_equal(sn_world_set(w, 0, field[i], 1, 1, x), SN_ERROR_ARGUMENT);
    }
    step_many(w, 3);
    assert_true(sn_world_memory(w) > 4 * 1024);
    assert_non_null(sn_world_get_info(w).lanes);
    sn_world_free(w);
    sn_model_free(model);
}

/* A box on rows: one of twice the mass presses twice as hard, one under another gravity accordingly. */
TEST(rows_know_the_masses_and_gravities_of_the_copies) {
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 5);
    sn_model *model = free_body(&box);
    sn_world_def def = copies_def(3, SN_PRECISION_DOUBLE);
    def.contact = SN_CONTACT_ROWS;
    sn_world *w = copies_of(model, &def);
    floor_of(w, NULL);
    const double q[7] = {0, 0, 0.1, 1, 0, 0, 0}, mass[3] = {1, 2, 1},
                 gravity[9] = {0, 0, -9.81, 0, 0, -9.81, 0, 0, -3};
    double force[9];
    assert_int_equal(sn_world_set_state(w, 0, q, NULL), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_MASS_SCALE, 0, 3, mass), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_GRAVITY, 0, 3, gravity), SN_OK);
    step_many(w, 120);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_CONTACT_FORCE, 0, 3, force), SN_OK);
    for (int k = 0; k < 3; k++)
        assert_near(force[3 * k + 2], 5 * mass[k] * -gravity[3 * k + 2], 1e-3);
    sn_world_free(w);
    sn_model_free(model);
}

int main(void) {
    return run_all("copies members");
}
