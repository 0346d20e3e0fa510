/* spd-2011 section 4.2: keyframes by two stable-PD controllers that fade against each other, a toy mouse with a tail.
 *
 * Where a controller outweighs the inertia it moves, kd e' + kp e = 0: what is left of the way falls with the time constant
 * kd / kp = 10 dt = 0.17 s, whatever the gain. With k = 130 m_sup per kg the root of the mouse is not there yet: between
 * keys 0.005 k leaves it to its inertia, and near them 130 / s^2 are too few. Its gain is a thousand times that here; the
 * tail has the paper's. */
#include "experiment.h"
#include "keyframes_run.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS = 7 };
enum { OURS, PAPER, LINEAR, SPLINE, PD, PD_SMALL, PD_FINE };

static const struct {
    const char *name;
    struct mouse_trial trial;
} runs[RUNS] = {
    [OURS] = {"stable PD, root 1000 times", {{130, 10, 1000, SN_FADE_POLYNOMIAL}, SN_FORM_STABLE, 1, false}},
    [PAPER] = {"stable PD, k = 130 m_sup throughout",
               {{130, 10, 1, SN_FADE_POLYNOMIAL}, SN_FORM_STABLE, 1, false}},
    [LINEAR] = {"the same as the first, linear", {{130, 10, 1000, SN_FADE_LINEAR}, SN_FORM_STABLE, 1, false}},
    [SPLINE] = {"cubic splines", {{130, 10, 1, SN_FADE_POLYNOMIAL}, SN_FORM_STABLE, 1, true}},
    [PD] = {"PD, k = 10 m_sup", {{10, 10, 1, SN_FADE_POLYNOMIAL}, SN_FORM_EXPLICIT, 1, false}},
    [PD_SMALL] = {"PD, k = 0.005 m_sup", {{0.005, 10, 1, SN_FADE_POLYNOMIAL}, SN_FORM_EXPLICIT, 1, false}},
    [PD_FINE] = {"PD, k = 10 m_sup, dt halved until it lives",
                 {{10, 10, 1, SN_FADE_POLYNOMIAL}, SN_FORM_EXPLICIT, 1, false}},
};

static void put_row(int run, const struct mouse_outcome *o, int substeps, struct result *result) {
    add_row(result, "the mouse, six keys in six seconds", {"method", text(runs[run].name)},
            {"dt", time_step(1.0 / MOUSE_RATE / substeps)}, {"lives", flag(o->finite)},
            {"diverges_at_s", o->finite ? none() : number(o->diverged_at)},
            {"keys_missed_by", o->finite ? number(o->worst) : none()},
            {"tip_off_m", o->finite ? number(o->amplitude) : none()},
            {"tail_lag_s", o->finite ? number(o->lag) : none()},
            {"energy_mJ", o->finite ? number(1e3 * o->energy) : none()},
            {"of_the_tail_mJ", o->finite ? number(1e3 * o->tail_energy) : none()},
            {"fastest_m/s", o->finite ? number(o->speed) : none()});
}

static void put_claims(const struct mouse_outcome *o, int fine, struct result *result) {
    add_claims(
        result,
        {at_most(0.01, FROM_PROMISE), none(), number(o[OURS].finite ? o[OURS].worst : (double)NAN),
         "keys are met at their times: the worst miss in place or angle, of the way from the key before"},
        {at_most(0.01, FROM_PAPER), none(), number(o[PAPER].finite ? o[PAPER].worst : (double)NAN),
         "the same with k = 130 m_sup for the root as well"},
        {at_least(0.05, FROM_MEASURED), none(), number(o[OURS].amplitude),
         "the tail has a secondary motion as the mouse accelerates and turns: its tip from where a rigid one "
         "is, m"},
        {at_least(0.03, FROM_MEASURED), none(), number(o[OURS].lag), "it follows the body's turning later: s"},
        {at_most(1e-9, FROM_PAPER), number(0), number(o[SPLINE].amplitude),
         "with cubic splines the tail is rigid: its tip from where a rigid one is, m"},
        {at_least(10, FROM_PAPER), none(), number(o[OURS].amplitude / o[LINEAR].amplitude),
         "a linear fade is stiff: the tip's motion with the polynomial over that with it"},
        {exactly(1, FROM_PAPER), number(1), number(!o[PD].finite), "PD explodes with k = 10 m_sup at 1/60 s"},
        {at_least(0.5, FROM_PAPER), none(),
         number(o[PD_SMALL].finite ? o[PD_SMALL].worst : o[PD_SMALL].miss[1]),
         "with k = 0.005 m_sup it lives longer and does not meet the keys: miss of the first, or the worst"},
        {at_least(5e8, FROM_MEASURED), none(), number(o[OURS].conditioning),
         "the mass matrix is ill-conditioned: largest over smallest eigenvalue"});
    result_close(
        result,
        "The paper prints neither the mouse nor its keys; ours has 54 degrees of freedom, and its tail "
        "weighs 9 g of 149 g. With k = 130 m_sup for the root, too, keys are missed by %.0f %%: 130 per "
        "second squared acts only for the moment around a key in which a^20 is large, and 0.005 of it "
        "between. With a thousand times that the root is overdamped, and what is left of the way falls by kd "
        "/ kp = 10 dt = 0.17 s. PD with k = 10 m_sup lives from dt = 1/%d s on.",
        100 * o[PAPER].worst, MOUSE_RATE * fine);
}

bool run_spd_keyframes(const struct run_settings *settings, struct result *result) {
    struct mouse_outcome outcome[RUNS];
    int fine = 1;
    add_settings(result, {"dt", time_step(1.0 / MOUSE_RATE)},
                 {"k", text("130 m_sup, kd = 10 k dt, (1 - a)^20 and a^20 + 0.005")},
                 {"keyed", text("place and orientation of the root; all other joints rest in the zero pose")},
                 {"world", text("no gravity, no contact, no joint limits")});
    progress_start("spd/keyframes", RUNS);
    for (int i = 0; i < RUNS && !interrupted(); i++) {
        struct mouse_trial trial = runs[i].trial;
        progress_step("%s", runs[i].name);
        const int most = settings->quick ? 4 : 4096;
        do {
            mouse_run(&trial, &outcome[i]);
            if (i == PD_FINE) fine = trial.substeps;
        } while (i == PD_FINE && !outcome[i].finite && (trial.substeps *= 2) <= most && !interrupted());
        put_row(i, &outcome[i], i == PD_FINE ? fine : 1, result);
    }
    if (!interrupted()) put_claims(outcome, fine, result);
    return true;
}
