/* Trials of gaits, which pbad/control optimises: the same bits in any place and on any number of threads. */
#include "model_helpers.h"

#include "scenes/gaits.h"

#include <sinew/learn.h>

enum { TRIED = 5, SIZE = 37 };

static gait_trials *open(gait_creature creature, sn_stepper stepper, int copies, int threads) {
    gait_def def = gait_def_default(creature, stepper);
    sn_error error = {0};
    def.dt = 1.0 / 60;
    def.seconds = 1;
    def.copies = copies;
    def.threads = threads;
    gait_trials *trials = gait_trials_create(&def, &error);
    assert_non_null(trials);
    return trials;
}

TEST(a_gait_goes_as_far_alone_and_in_any_company) {
    for (int k = 0; k < 4; k++) {
        const gait_creature creature = k % 2 ? GAIT_SPIDER : GAIT_SWIMMER;
        const sn_stepper stepper = k / 2 ? SN_STEPPER_TIME : SN_STEPPER_POSITION;
        double x[TRIED * SIZE];
        gait_trial all[TRIED], again[TRIED], alone;
        gait_trials *one = open(creature, stepper, TRIED, 1), *three = open(creature, stepper, TRIED + 2, 3),
                    *single = open(creature, stepper, 1, 1);
        const int n = gait_size(one);
        gait_random(7, .3, TRIED * n, x);
        assert_int_equal(gait_try(one, TRIED, x, all), SN_OK);
        assert_int_equal(gait_try(three, TRIED, x, again), SN_OK);
        assert_memory_equal(all, again, sizeof all);
        assert_int_equal(gait_try(one, TRIED, x, again), SN_OK); /* nothing is left of the trials before */
        assert_memory_equal(all, again, sizeof all);
        assert_int_equal(gait_try(single, 1, x + 3 * n, &alone), SN_OK);
        assert_memory_equal(&all[3], &alone, sizeof alone);
        assert_true(all[0].way != all[1].way);
        assert_int_equal(gait_try(single, 2, x, again), SN_ERROR_ARGUMENT);
        gait_trials_free(one), gait_trials_free(three), gait_trials_free(single);
    }
}

/* Both go forward by the gait made by hand, and about as far under both steppers. */
TEST(gaits_made_by_hand_go_as_far_under_both_steppers) {
    for (int creature = 0; creature < GAIT_CREATURES; creature++) {
        double x[SIZE];
        gait_trial trial[2];
        gait_by_hand((gait_creature)creature, x);
        for (int k = 0; k < 2; k++) {
            gait_trials *trials =
                open((gait_creature)creature, k ? SN_STEPPER_TIME : SN_STEPPER_POSITION, 1, 1);
            assert_int_equal(gait_try(trials, 1, x, &trial[k]), SN_OK);
            gait_trials_free(trials);
        }
        assert_true(trial[0].way > .05);
        assert_true(fabs(trial[0].way - trial[1].way) < .2 * trial[0].way);
    }
}

/* A few generations from a random start: further than it, and forward. */
TEST(searches_find_gaits) {
    for (int creature = 0; creature < GAIT_CREATURES; creature++) {
        gait_trials *trials = open((gait_creature)creature, SN_STEPPER_TIME, 32, 1);
        gait_trial trial[32], first, last;
        double start[SIZE], score[32];
        const int n = gait_size(trials);
        sn_search_def def = sn_search_def_default(creature ? SN_SEARCH_NATURAL : SN_SEARCH_CMA, n);
        gait_random(2, .2, n, start);
        def.start = start;
        def.width = creature ? .1 : .3;
        def.candidates = 32;
        sn_search *search = sn_search_create(&def, NULL);
        gait_try(trials, 1, sn_search_get(search).mean, &first);
        for (int g = 0; g < 6; g++) {
            assert_int_equal(gait_try(trials, 32, sn_search_ask(search, NULL), trial), SN_OK);
            for (int i = 0; i < 32; i++)
                score[i] = trial[i].way;
            assert_int_equal(sn_search_tell(search, score, NULL), SN_OK);
        }
        gait_try(trials, 1, sn_search_get(search).mean, &last);
        assert_true(last.way > .1 && last.way > first.way + .1);
        sn_search_free(search);
        gait_trials_free(trials);
    }
}

int main(void) {
    return run_all("gaits");
}
