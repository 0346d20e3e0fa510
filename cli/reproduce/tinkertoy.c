/* spd-2011 section 4.3: constraints as stable PD controllers of a very large gain, "3D tinkertoy". Figure 7 shows a particle
 * that slides down a helix of 2400 segments, and one of 24, with another particle at a rod from it. */
#include "tinkertoy_run.h"

#include "experiment.h"
#include "plot.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>

enum { SHAPES = 2, STEPS = 2 };
static const int segments[SHAPES] = {2400, 24};
static const double steps[STEPS] = {1.0 / 60, 1.0 / 30};

static void put_row(const struct toy_trial *t, const struct toy_seen *seen, struct result *result) {
    const bool alive = isnan(seen->lost);
    add_row(result, "sliding down the helix", {"segments", number(t->segments)}, {"dt", time_step(t->dt)},
            {"way", text(toy_way_names[t->way])}, {"lost_after_s", alive ? none() : number(seen->lost)},
            {"from_curve_mm", alive ? number(1e3 * seen->curve) : none()},
            {"at_corners_mm", alive && t->segments < 1000 ? number(1e3 * seen->corner) : none()},
            {"between_mm", alive && t->segments < 1000 ? number(1e3 * seen->between) : none()},
            {"drift_mm", alive ? number(1e3 * seen->drift) : none()},
            {"rod_mm", alive ? number(1e3 * seen->rod) : none()},
            {"energy_won_J", alive ? number(seen->won) : none()},
            {"energy_left_of_fallen", alive ? number(1 + seen->lasting / seen->fallen) : none()},
            {"fastest", alive ? number(seen->speed) : none()});
}

/* The largest step, of 1/n, that the penalty method survives. */
static double largest_step(int n_segments, const struct run_settings *settings) {
    double least = 30, most = 1e5; /* rates: it is lost at the first and not at the last */
    while (most / least > 1.02 && !interrupted()) {
        const double rate = round(sqrt(least * most));
        struct toy_seen seen;
        const struct toy_trial trial = {n_segments, 1 / rate, settings->quick ? 0.5 : 2, TOY_PENALTY,
                                        .exact = false};
        toy_run(&trial, &seen);
        if (isnan(seen.lost))
            most = rate;
        else
            least = rate;
    }
    return 1 / most;
}

/* Inside MABA from rows: eq. 13 with both constraints; the full form with the curve alone, since a rod that is a row looks
   ahead from where the curve leads, or does not lead, before. */
static double difference(void) {
    double most = 0;
    for (int alone = 0; alone < 2; alone++) {
        const enum toy_way way = alone ? TOY_FULL : TOY_EQ13;
        const struct toy_trial inside = {2400, 1.0 / 60, 1, way, .exact = true, .alone = alone},
                               rows = {2400, 1.0 / 60, 1, way, .exact = true, .alone = alone, .rows = true};
        most = fmax(most, toy_difference(&inside, &rows, 60));
    }
    return most;
}

static void put_settings(const struct run_settings *settings, struct result *result) {
    add_settings(
        result,
        {"helix", text("radius 2 m, 3 turns, 0.7 m down: a guess, the paper prints no size; 20 s do not "
                       "reach its end")},
        {"particles",
         text("two of 1 kg, one on the helix, one at a rod of 0.5 m from it; from rest, the rod level")},
        {"kp", number(TOY_KP)}, {"kd", text("1.5 kp dt")}, {"gravity", number(9.81)},
        {"damping", text("none but kd")}, {"duration", number(settings->quick ? 4 : 20)},
        {"full_form", text("f = -kp e' - kd (e' - e) / dt, e' the deviation at the end of the step")},
        {"eq_13", text("f = -kp (deviation of x + dt v) - kd v', both across the curve there")},
        {"corner", text("within three steps after one")},
        {"lost", text("a value is not finite, or the particle is 1 m from the curve")});
}

/* Both helices for `sinew report`: spd-tinkertoy-2400.json and spd-tinkertoy-24.json. */
static void record_toys(const char *folder) {
    for (int s = 0; s < SHAPES; s++) {
        struct toy_seen seen;
        const struct toy_trial trial = {segments[s], steps[0], 10, TOY_FULL,
                                        .record = said("%s/spd-tinkertoy-%d.json", folder, segments[s])};
        toy_run(&trial, &seen);
    }
}

struct toys {
    struct toy_seen at[SHAPES][STEPS][TOY_WAYS];
    double penalty[SHAPES]; /* the largest step it survives */
    double differ;          /* inside MABA from rows, m/s */
    struct toy_chains chains;
};

static void put_claims(const struct toys *t, struct result *result) {
    const struct toy_seen *smooth = &t->at[0][0][TOY_FULL], *rough = &t->at[1][0][TOY_FULL];
    int alive = 0;
    for (int i = 0; i < SHAPES * STEPS; i++)
        alive += isnan(t->at[i / STEPS][i % STEPS][TOY_FULL].lost) +
                 isnan(t->at[i / STEPS][i % STEPS][TOY_EQ13].lost);
    add_claims(
        result,
        {exactly(8, FROM_PAPER), none(), number(alive),
         "stable with kp = 1e6 on both helices at 1/60 and 1/30 s, full form and eq. 13: of 8 runs"},
        {at_most(1e-3, FROM_PROMISE), none(), number(smooth->curve),
         "2400 segments, 1/60 s, full form: largest distance from the curve, m"},
        {at_most(1e-2, FROM_PROMISE), none(), number(rough->curve),
         "24 segments, 1/60 s, full form: largest distance from the curve, m"},
        {at_most(1e-3, FROM_PROMISE), none(), number(t->at[0][0][TOY_EQ13].curve),
         "2400 segments, 1/60 s, eq. 13 as printed: largest distance from the curve, m"},
        {at_most(1e-2, FROM_PROMISE), none(), number(t->at[1][0][TOY_EQ13].curve),
         "24 segments, 1/60 s, eq. 13 as printed: largest distance from the curve, m"},
        {at_most(1e-4, FROM_PROMISE), none(), number(fabs(smooth->drift)),
         "oscillations never accumulate: drift on 2400 segments, 1/60 s, full form, m"},
        {at_most(0.5, FROM_PAPER), none(), number(rough->between / rough->corner),
         "24 segments: oscillations at corners damp out quickly: distance elsewhere over that at corners"},
        {at_most(1e-9, FROM_PROMISE), none(), number(t->differ),
         "inside MABA as rows of the same compliance: largest difference of a velocity, m/s"},
        {at_most(1.0 / 240, FROM_PAPER), none(), number(fmax(t->penalty[0], t->penalty[1])),
         "the penalty method needs small steps: the largest it survives, s"},
        {at_most(1.15, FROM_PROMISE), none(), number(t->chains.rows),
         "chains of 25 to 100 rods between particles cost linear time: exponent"},
        {at_most(1.15, FROM_PROMISE), none(), number(t->chains.inside),
         "chains of 25 to 100 rods inside MABA cost linear time: exponent"});
}

static void put_closing(const struct toys *t, struct result *result) {
    result_close(
        result,
        "%d of %d claims hold. Eq. 13 as it is printed damps the velocity across the curve, which a particle "
        "on a bend must have: it stays v^2 dt^2 / r off a curve of radius r, %.1f mm here, whatever the "
        "gain. The full form damps the deviation itself and is off by %.2f mm, with %.0f %% of the energy "
        "that became free left at the end, of eq. 13 %.0f %%. On 24 segments it is off by %.1f mm, for a "
        "step in which a corner is passed. The penalty method survives steps of 1/%.0f s and less.",
        result_held(result), result->nclaim, 1e3 * t->at[0][0][TOY_EQ13].curve,
        1e3 * t->at[0][0][TOY_FULL].curve,
        100 * (1 + t->at[0][0][TOY_FULL].lasting / t->at[0][0][TOY_FULL].fallen),
        100 * (1 + t->at[0][0][TOY_EQ13].lasting / t->at[0][0][TOY_EQ13].fallen),
        1e3 * t->at[1][0][TOY_FULL].curve, 1 / fmin(t->penalty[0], t->penalty[1]));
}

bool run_spd_tinkertoy(const struct run_settings *settings, struct result *result) {
    struct toys toys = {0};
    put_settings(settings, result);
    progress_start("spd/tinkertoy", SHAPES * STEPS + SHAPES + 1);
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < STEPS; k++) {
            progress_step("%d segments, 1/%.0f s", segments[s], 1 / steps[k]);
            for (int way = 0; way < TOY_WAYS; way++) {
                const struct toy_trial trial = {segments[s], steps[k], settings->quick ? 4 : 20,
                                                (enum toy_way)way, .exact = false};
                toy_run(&trial, &toys.at[s][k][way]);
                if (interrupted()) return true;
                put_row(&trial, &toys.at[s][k][way], result);
            }
        }
    for (int s = 0; s < SHAPES; s++) {
        progress_step("penalty method, %d segments", segments[s]);
        toys.penalty[s] = largest_step(segments[s], settings);
        add_row(result, "the largest step that the penalty method survives",
                {"segments", number(segments[s])}, {"dt", time_step(toys.penalty[s])});
    }
    progress_step("chains of rods");
    toys.differ = difference();
    toy_chains(settings, &toys.chains, result);
    if (interrupted()) return true;
    put_claims(&toys, result);
    put_closing(&toys, result);
    if (settings->plot) record_toys(settings->plot);
    return true;
}
