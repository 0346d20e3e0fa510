/* Contacts begin, stay and end. */
#include "world_helpers.h"

static sn_world *world_for(const struct way *way) {
    const sn_world_def def = def_of(way);
    return world_of(&def);
}

/* How many contacts of the last step are in each phase; checks what each phase promises. */
static void count_phases(const sn_world *world, int phase[4]) {
    int count;
    const sn_contact *c = sn_world_contacts(world, 0, &count);
    bool ended = false;
    memset(phase, 0, 4 * sizeof *phase);
    for (int i = 0; i < count; i++) {
        assert_true(c[i].phase >= SN_CONTACT_PHASE_NEAR && c[i].phase <= SN_CONTACT_PHASE_ENDED);
        phase[c[i].phase]++;
        const double force = norm(c[i].force, 3);
        if (c[i].phase == SN_CONTACT_PHASE_NEAR || c[i].phase == SN_CONTACT_PHASE_ENDED)
            assert_true(force == 0);
        else
            assert_true(force > 0);
        assert_false(ended && c[i].phase != SN_CONTACT_PHASE_ENDED); /* these come last */
        ended = c[i].phase == SN_CONTACT_PHASE_ENDED;
    }
}

TEST_EACH_WAY(a_ball_that_falls_and_is_lifted_goes_through_all_phases, body_of(sphere_of(0.1, 1))) {
    sn_world *world = world_for(way);
    const int floor = floor_of(world, NULL), m = member_of(world, model);
    put_body(world, m, (const double[3]){0, 0, 0.3}, NULL, NULL);
    int phase[4], near = 0, began = 0, stayed = 0, ended = 0;
    for (int i = 0; i < 240; i++) {
        step_world(world);
        count_phases(world, phase);
        assert_true(phase[SN_CONTACT_PHASE_NEAR] + phase[SN_CONTACT_PHASE_BEGAN] +
                        phase[SN_CONTACT_PHASE_STAYED] <=
                    1);
        if (phase[SN_CONTACT_PHASE_STAYED]) assert_true(began > 0);
        if (phase[SN_CONTACT_PHASE_BEGAN] && began == 0) assert_int_equal(stayed, 0);
        near += began == 0 && phase[SN_CONTACT_PHASE_NEAR], began += phase[SN_CONTACT_PHASE_BEGAN];
        stayed += phase[SN_CONTACT_PHASE_STAYED], ended += phase[SN_CONTACT_PHASE_ENDED];
        int count;
        const sn_contact *c = sn_world_contacts(world, 0, &count);
        for (int j = 0; j < count; j++)
            assert_true(c[j].member[0] == m && c[j].member[1] == -1 && c[j].body[1] == floor);
    }
    print_message("  %s: near in %d steps, began %d times, stayed %d steps\n", way->name, near, began,
                  stayed);
    assert_true(near > 0 && stayed > 100);
    assert_int_equal(began, ended + 1); /* at rest at the end, whatever it did on landing */
    count_phases(world, phase);
    assert_int_equal(phase[SN_CONTACT_PHASE_STAYED], 1);

    put_body(world, m, (const double[3]){0, 0, 1}, NULL, NULL); /* lifted */
    int last = 0;
    for (int i = 0; i < 20; i++) {
        step_world(world);
        count_phases(world, phase);
        assert_int_equal(phase[SN_CONTACT_PHASE_BEGAN] + phase[SN_CONTACT_PHASE_STAYED], 0);
        assert_int_equal(phase[SN_CONTACT_PHASE_ENDED], i == 0);
        last += phase[SN_CONTACT_PHASE_ENDED];
    }
    assert_int_equal(last, 1);
    sn_world_free(world);
}

TEST_EACH_WAY(two_members_that_meet_and_part_tell_so, body_of(sphere_of(0.1, 1))) {
    sn_world_def def = def_of(way);
    def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    for (int i = 0; i < 2; i++)
        put_body(world, member_of(world, model), (const double[3]){0.3 * i, 0, 0}, NULL,
                 (const double[6]){i ? -1 : 1, 0, 0, 0, 0, 0});
    int phase[4], began = 0, ended = 0;
    for (int i = 0; i < 60; i++) {
        step_world(world);
        count_phases(world, phase);
        began += phase[SN_CONTACT_PHASE_BEGAN], ended += phase[SN_CONTACT_PHASE_ENDED];
    }
    assert_true(began > 0);
    for (int i = 0; i < 2; i++) /* apart */
        put_body(world, i, (const double[3]){2.0 * i, 0, 0}, NULL, NULL);
    step_world(world);
    count_phases(world, phase);
    ended += phase[SN_CONTACT_PHASE_ENDED];
    assert_int_equal(began, ended);
    sn_world_free(world);
}

/* The floor under a ball at rest is taken away: the contact has ended, or has gone with the floor, and stays away. */
TEST_EACH_WAY(a_contact_whose_ground_is_gone_is_not_told_again, body_of(sphere_of(0.1, 1))) {
    sn_world *world = world_for(way);
    const int floor = floor_of(world, NULL), m = member_of(world, model);
    put_body(world, m, (const double[3]){0, 0, 0.1}, NULL, NULL);
    for (int i = 0; i < 30; i++)
        step_world(world);
    assert_int_equal(sn_world_remove_ground(world, floor), SN_OK);
    int phase[4], ended = 0;
    for (int i = 0; i < 10; i++) {
        step_world(world);
        count_phases(world, phase);
        assert_int_equal(
            phase[SN_CONTACT_PHASE_BEGAN] + phase[SN_CONTACT_PHASE_STAYED] + phase[SN_CONTACT_PHASE_NEAR], 0);
        ended += phase[SN_CONTACT_PHASE_ENDED];
        assert_true(i == 0 || phase[SN_CONTACT_PHASE_ENDED] == 0);
    }
    assert_true(ended <= 1);
    sn_world_free(world);
}

/* The same with what belongs to each body: forces and flags agree with the list. */
TEST_EACH_WAY(forces_and_flags_of_bodies_agree_with_the_contacts, sn_builtin_create("humanoid", NULL)) {
    sn_world *world = world_for(way);
    floor_of(world, NULL);
    const int m = member_of(world, model), nbody = sn_model_get(model)->nbody;
    double q[MAX_NQ], sum[MAX_NV][3], force[MAX_NV][3], touching[MAX_NV];
    stand_humanoid(world, m, q);
    uniform_gains(world, m, 0, 0, 300, 30);
    for (int i = 0; i < 120; i++) {
        step_world(world);
        int count;
        const sn_contact *c = sn_world_contacts(world, 0, &count);
        memset(sum, 0, sizeof sum);
        for (int j = 0; j < count; j++)
            axpy(1, c[j].force, sum[c[j].body[0]], 3);
        assert_int_equal(sn_world_get(world, m, SN_FIELD_CONTACT_FORCE, 0, 1, force[0]), SN_OK);
        assert_int_equal(sn_world_get(world, m, SN_FIELD_TOUCHING, 0, 1, touching), SN_OK);
        for (int b = 0; b < nbody; b++) {
            assert_near_n(force[b], sum[b], 3, 1e-9 * (1 + norm(sum[b], 3)));
            assert_true(touching[b] == (norm(sum[b], 3) > 0));
        }
    }
    sn_world_free(world);
}

int main(void) {
    return run_all("world phases");
}
