/* maba-2020 section 4.3 and figure 7: learning curves of a running humanoid and a cantering dog, by what computes stable PD.
 *
 * The paper puts MABA inside its engine's articulated-body algorithm and compares it with DeepMimic's way: a torque ahead of the
 * step, from a dense factorisation that does not know the contacts. Both are here, and two more that show what is the solver's
 * doing and what the way's: MABA ahead of the step, and LAPACK. Seconds are those of one core.
 *
 * What is compared are curves of single seeds, in pairs, one of each way: of 25 pairs of five seeds chance alone gives fewer than
 * 3, or more than 22, in 5 % of all cases, and more than 20 in 5 % (Mann and Whitney). */
#include "training_data.h"

#include "progress.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>

static struct training_plan plan_of(const struct run_settings *settings) {
    struct training_plan plan = {
        .copies = 64, .hidden = 128, .horizon = 16, .points = 10, .seeds = MOST_SEEDS};
    plan.iterations[0] = 240, plan.iterations[1] = 160, plan.iterations[2] = 240;
    plan.judged = 64, plan.judged_seconds = 10, plan.seed = (int)(settings->seed % 1000000);
    if (!settings->quick) return plan;
    plan.copies = 32, plan.hidden = 16, plan.points = 2, plan.seeds = 1;
    plan.judged = 16, plan.judged_seconds = 1;
    for (int i = 0; i < TASKS; i++)
        plan.iterations[i] = 4;
    return plan;
}

static bool way_exists(int way) {
    return way != WAY_LAPACK || sn_built_with("lapack");
}

/* --------------------------------------------------------------------------------------------------------- trainings */

/* Whether all ways of a task have all their seeds. */
static bool complete(const struct training_set *set, int task) {
    for (int w = 0; w < WAYS; w++)
        for (int s = 0; s < set->plan.seeds && way_exists(w); s++)
            if (!set->curve[task][w][s].known) return false;
    return true;
}

static void say(const struct training_task *task, int way, int seed, const struct training_curve *c) {
    const struct training_point *last = &c->point[c->points - 1];
    fprintf(
        stderr, "%s, %s, seed %d: %.3f after %.2f million samples, %.0f s of one core, %.1f us per sample\n",
        task->name, training_ways[way].name, seed, last->score, 1e-6 * last->samples, last->seconds, c->us);
}

/* Seed by seed, so that what is there when time is up can be compared. */
static bool train_all(struct training_set *set, const struct training_task *task,
                      const struct run_settings *settings) {
    const double begun = clock_seconds();
    for (int s = 0; s < set->plan.seeds; s++)
        for (int t = 0; t < TASKS; t++)
            for (int w = 0; w < WAYS; w++) {
                struct training_curve *c = &set->curve[t][w][s];
                progress_step("%s, %s, seed %d", task[t].name, training_ways[w].name, s + 1);
                if (!task[t].model || !way_exists(w) || c->known || interrupted()) continue;
                if (settings->minutes > 0 && clock_seconds() - begun > 60 * settings->minutes) return true;
                if (!training_run(&task[t], t, w, set->plan.seed + s, &set->plan, c)) return false;
                if (!settings->data || !c->known) continue;
                progress_end();
                say(&task[t], w, s + 1, c);
                if (!training_data_write(set, settings->data)) return false;
            }
    return true;
}

/* -------------------------------------------------------------------------------------------------------- comparisons */

/* Of all pairs of seeds, how many have the higher measure in way a; a tie is half a pair. */
static double pairs_won(const struct training_set *set, int task, int a, int b,
                        double (*measure)(const struct training_curve *, double), double at) {
    double won = 0;
    for (int i = 0; i < set->plan.seeds; i++)
        for (int k = 0; k < set->plan.seeds; k++) {
            const double x = measure(&set->curve[task][a][i], at), y = measure(&set->curve[task][b][k], at);
            won += x > y ? 1 : x == y ? .5 : 0;
        }
    return won;
}

static double last_score(const struct training_curve *c, double unused) {
    (void)unused;
    return c->point[c->points - 1].score;
}

/* The mean over so many seconds, between points. */
static double over_seconds(const struct training_curve *c, double seconds) {
    double area = 0, x = 0, y = 0;
    for (int i = 0; i < c->points && x < seconds; i++) {
        const struct training_point *p = &c->point[i];
        const double to = fmin(p->seconds, seconds), end = y + (p->score - y) * (to - x) / (p->seconds - x);
        area += (to - x) * (y + end) / 2;
        x = to, y = end;
    }
    return (area + fmax(0, seconds - x) * y) / seconds;
}

static double least_us(const struct training_set *set, int task, int way) {
    double least = (double)INFINITY;
    for (int s = 0; s < set->plan.seeds; s++)
        least = fmin(least, set->curve[task][way][s].us);
    return least;
}

/* When the median first reaches a level; NaN: it does not. */
static double reaches(const struct training_set *set, int task, int way, bool seconds, double level) {
    const struct training_curve *c = &set->curve[task][way][0];
    const struct training_point *last = &c->point[c->points - 1];
    const double end = seconds ? 1.5 * last->seconds : last->samples;
    for (int i = 1; i <= 400; i++) {
        const double at = end * i / 400;
        if (training_spread_at(set, task, way, seconds, at).median >= level) return at;
    }
    return (double)NAN;
}

/* ------------------------------------------------------------------------------------------------------------ results */

static void put_curves(const struct training_set *set, int task, const char *name, struct result *result) {
    const char *table = said("%s: normalised return", name);
    double level = (double)INFINITY;
    for (int w = 0; w < WAY_LAPACK; w++)
        level =
            fmin(level, .9 * training_spread_at(set, task, w, false,
                                                set->curve[task][w][0].point[set->plan.points - 1].samples)
                                 .median);
    for (int w = 0; w < WAYS; w++) {
        const struct training_curve *c = &set->curve[task][w][0];
        if (!c->known) continue;
        const struct training_spread end =
            training_spread_at(set, task, w, false, c->point[c->points - 1].samples);
        add_row(result, table, {"way", text(training_ways[w].name)},
                {"us_per_sample", number(least_us(set, task, w))},
                {"million_samples", number(1e-6 * c->point[c->points - 1].samples)},
                {"median", number(end.median)}, {"lowest", number(end.low)}, {"highest", number(end.high)},
                {"level", number(level)},
                {"million_samples_to_level", number(1e-6 * reaches(set, task, w, false, level))},
                {"seconds_to_level", number(reaches(set, task, w, true, level))});
    }
}

static void claim_cost(const struct training_set *set, int task, const char *name, double paper,
                       struct result *result) {
    static const int ours[2] = {WAY_INSIDE, WAY_MABA};
    for (int i = 0; i < 2; i++)
        add_claims(result, {at_least(1, FROM_PAPER), number(paper),
                            number(least_us(set, task, WAY_DENSE) / least_us(set, task, ours[i])),
                            said("a sample costs less with %s than with a dense factorisation: times (%s; "
                                 "the paper's value is of its table 2, without learning)",
                                 training_ways[ours[i]].name, name)});
    add_claims(result,
               {at_most(.01, FROM_ROUNDING), none(),
                number(fabs(set->curve[task][WAY_MABA][0].first / set->curve[task][WAY_DENSE][0].first - 1)),
                said("MABA and dense, both ahead of the step, begin alike: mean reward of the first rollout, "
                     "relative difference (%s)",
                     name)});
}

/* Seeds are needed for these. */
static void claim_curves(const struct training_set *set, int task, const char *name, struct result *result) {
    const double all = set->curve[task][WAY_DENSE][0].point[set->plan.points - 1].samples;
    const double seconds = set->curve[task][WAY_MABA][0].point[set->plan.points - 1].seconds;
    add_claims(result, {between(3, 22, FROM_PROMISE), none(),
                        number(pairs_won(set, task, WAY_MABA, WAY_DENSE, training_area, all)),
                        said("at equal samples MABA and dense, both ahead of the step, learn alike: of 25 "
                             "pairs of seeds MABA has the higher curve in (%s)",
                             name)});
    if (set->curve[task][WAY_LAPACK][0].known) {
        const struct training_curve *c = &set->curve[task][WAY_LAPACK][0];
        add_claims(result, {between(3, 22, FROM_PROMISE), none(),
                            number(pairs_won(set, task, WAY_LAPACK, WAY_DENSE, training_area,
                                             c->point[c->points - 1].samples)),
                            said("at equal samples LAPACK and dense in lanes learn alike: of 25 pairs LAPACK "
                                 "has the higher curve in (%s)",
                                 name)});
    }
    for (int w = WAY_INSIDE; w <= WAY_MABA; w++)
        add_claims(result, {at_least(21, FROM_PAPER), number(25),
                            number(pairs_won(set, task, w, WAY_DENSE, over_seconds, seconds)),
                            said("MABA learns faster in seconds: of 25 pairs %s has the higher curve than "
                                 "dense, ahead, in (%s)",
                                 training_ways[w].name, name)});
    add_claims(
        result,
        {at_least(21, FROM_PAPER), number(25),
         number(pairs_won(set, task, WAY_INSIDE, WAY_DENSE, training_area, all)),
         said("MABA needs fewer samples: of 25 pairs MABA inside the step has the higher curve at equal "
              "samples in (%s)",
              name)},
        {at_least(21, FROM_PAPER), number(25),
         number(pairs_won(set, task, WAY_INSIDE, WAY_DENSE, last_score, 0)),
         said("MABA converges to better solutions: of 25 pairs MABA inside the step ends higher in (%s)",
              name)});
}

/* ------------------------------------------------------------------------------------------------------ longest steps */

static void put_steps(const struct training_task *task, const struct run_settings *settings, bool dog,
                      struct result *result) {
    for (int stiff = 0; stiff < 2; stiff++) {
        double longest[WAYS];
        const char *gains = stiff ? "kp = 75000, kd = 4000" : "its own gains";
        for (int w = 0; w < WAYS && !interrupted(); w++) {
            longest[w] = way_exists(w) ? training_longest_step(task, w, stiff, settings->quick) : (double)NAN;
            add_row(result,
                    "longest step at which a character that is dropped, holding a pose, comes to rest",
                    {"character", text(task->name)}, {"gains", text(gains)},
                    {"way", text(training_ways[w].name)}, {"step", time_step(longest[w])});
        }
        if (interrupted()) return;
        add_claims(
            result,
            {at_least(1.0 / 30, FROM_PAPER), time_step(1.0 / 30), time_step(longest[WAY_INSIDE]),
             said("MABA inside the step is stable up to 1/30 s on the ground (%s, %s)", task->name, gains)});
        /* none of those tried: less than the shortest */
        const double dense =
            isnan(longest[WAY_DENSE]) ? training_shortest_step(settings->quick) : longest[WAY_DENSE];
        if (dog)
            add_claims(result, {at_least(2, FROM_PAPER), number(2), number(longest[WAY_INSIDE] / dense),
                                said("MABA bears a step at least twice as long as the dense factorisation "
                                     "does, which the paper loses from 1/60 s on: times, or more (%s, %s)",
                                     task->name, gains)});
    }
}

/* --------------------------------------------------------------------------------------------------------- experiment */

static void put_settings(const struct training_plan *plan, struct result *result) {
    add_settings(
        result,
        {"training", text(said("PPO, %d copies x %d steps per iteration, networks %d-%d, 2 epochs, residual "
                               "targets, torque limits of the model, 8 steps of 1/240 s per control step of "
                               "1/30 s, friction 0.9; one thread per training",
                               plan->copies, plan->horizon, plan->hidden, plan->hidden))},
        {"length",
         text(said("%d seeds; %d, %d, %d iterations (humanoid, dog, DeepMimic's), LAPACK a third of them",
                   plan->seeds, plan->iterations[0], plan->iterations[1], plan->iterations[2]))},
        {"normalised_return", text(said("mean reward per step over %g s, 0 after a fall, %d episodes without "
                                        "noise; LAPACK's policies are judged with the dense solver in lanes",
                                        plan->judged_seconds, plan->judged))},
        {"gains", text("DeepMimic's of its humanoid; of built-in characters 6 Hz, critically "
                       "damped; none at the root")},
        {"ahead", text("tau = Q - K a (eq. 6) in float, a without contacts, cut to the torque "
                       "limits; then a step with contacts under that torque")},
        {"paper", text("PhysX, 12 threads and a GPU, DeepMimic's networks and settings; figure 7 "
                       "has no numbers that can be read off")});
}

static void close_result(const struct training_set *set, bool all, struct result *result) {
    if (!all) {
        result_close(result,
                     "Not all trainings are done: what is said of curves is left out. Go on with --data.");
        return;
    }
    if (set->plan.seeds < MOST_SEEDS) {
        result_close(result,
                     "%d of %d claims hold. A quick run has too few seeds to compare curves: only costs, the "
                     "first rollout and steps are claimed.",
                     result_held(result), result->nclaim);
        return;
    }
    result_close(result,
                 "%d of %d claims hold. Ahead of the step MABA, dense and LAPACK compute the same torque, "
                 "and what they teach is the same within the noise of seeds; MABA is ahead in seconds by "
                 "what a factorisation costs. What the paper says beyond that is a matter of where the "
                 "torque is computed, not of what solves for it: inside the step it knows the contacts.",
                 result_held(result), result->nclaim);
}

static bool show(struct training_set *set, const struct training_task *task,
                 const struct run_settings *settings, struct result *result) {
    static const char *const names[TASKS] = {"humanoid, run", "dog, canter", "DeepMimic's humanoid, run"};
    static const double paper[TASKS] = {20523.0 / 14109, 11700.0 / 6498,
                                        20523.0 / 14109}; /* table 2, MABA over DF */
    bool all = true;
    for (int t = 0; t < TASKS; t++) {
        set->open[t] = complete(set, t);
        all = all && (set->open[t] || !task[t].model);
        if (!set->open[t]) continue;
        put_curves(set, t, names[t], result);
        claim_cost(set, t, names[t], paper[t], result);
        if (set->plan.seeds == MOST_SEEDS) claim_curves(set, t, names[t], result);
    }
    for (int t = 0; t < TASKS && !interrupted(); t++)
        if (task[t].model && (t != TASK_CAPTURED || !settings->quick))
            put_steps(&task[t], settings, t == TASK_DOG, result);
    close_result(set, all, result);
    return !settings->plot || training_draw(set, settings->plot);
}

bool run_maba_training(const struct run_settings *settings, struct result *result) {
    static struct training_set set;
    struct training_task task[TASKS] = {0};
    set = (struct training_set){.plan = plan_of(settings)};
    put_settings(&set.plan, result);
    bool good = !settings->data || training_data_read(&set, settings->data);
    for (int t = 0; t < TASKS && good; t++) {
        sn_error error = {0};
        if (t == TASK_CAPTURED && settings->quick) continue;
        if (training_open(&task[t], t, &error)) continue;
        good =
            t == TASK_CAPTURED || complain(EXIT_FAILED, "%s: %s", task[t].name, error.message) == EXIT_DONE;
        result_setting(result, "not_run", text(error.message));
    }
    progress_start("maba/training", set.plan.seeds * TASKS * WAYS);
    good = good && train_all(&set, task, settings) && show(&set, task, settings, result);
    progress_end();
    for (int t = 0; t < TASKS; t++)
        training_close(&task[t]);
    return good;
}
