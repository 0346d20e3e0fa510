/* kokkevis-2004 section 5: impacts as acceleration constraints with delta t = 1, all of them at once. */
#include "kokkevis_impact.h"

#include "progress.h"
#include "terminal.h"

#include <math.h>

const char *const impact_steppers[STEPPERS] = {"time", "event"};

sn_world *impact_world(int stepper, double dt, double gravity, const sn_shape_def *ground, sn_error *error) {
    static const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.stepper = stepper ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
    def.gravity[2] = -gravity;
    def.contact = SN_CONTACT_ROWS;
    sn_world *world = sn_world_create(&def, error);
    if (!world || !ground || sn_world_add_plane(world, origin, up, ground, error) >= 0) return world;
    sn_world_free(world);
    return NULL;
}

/* The event stepper is the paper's; the time stepper stands beside it. */
static void put_claims(const struct bodies_seen *b, const struct characters_seen *c, struct result *result) {
    for (int s = STEPPERS - 1; s >= 0; s--) {
        const char *name = impact_steppers[s];
        result_claim(result, b->ball[s] < 0.1, number(0), number(b->ball[s]),
                     "%s stepper: a ball bounces to e^2 h: largest error, of h (bound 0.1)", name);
        result_claim(
            result, b->box[s] < 0.1 && b->tilt[s] < 1e-3, number(0), number(b->box[s]),
            "%s stepper: so does a box that lands on four corners at once, without turning: error, of h",
            name);
        result_claim(
            result, b->oblique[s] < 0.02, number(0), number(b->oblique[s]),
            "%s stepper: friction in the impact is Coulomb's: largest error of the velocity after an oblique "
            "impact, of the one before (bound 0.02)",
            name);
        result_claim(result, b->momentum[s] < 1e-6, number(0), number(b->momentum[s]),
                     "%s stepper: a row of balls keeps its momentum: relative change", name);
        result_claim(
            result, fmax(c->momentum[s], c->angular[s]) < 0.005, number(0),
            number(fmax(c->momentum[s], c->angular[s])),
            "%s stepper: two characters that collide keep momentum and angular momentum, but for what Euler "
            "steps change: relative change in 1 s (bound 0.005)",
            name);
        result_claim(result, c->gain[s] < 0.01, number(0), number(c->gain[s]),
                     "%s stepper: dead impacts win no energy: largest gain in a step, of the kinetic energy "
                     "(bound 0.01)",
                     name);
        result_claim(result, c->approach[s] < 0.05, number(0), number(c->approach[s]),
                     "%s stepper: after a step no touching contact closes: fastest, m/s (bound 0.05)", name);
    }
    result_claim(
        result, b->row[1] < 1e-3, none(), number(b->row[1]),
        "event stepper: of five balls in a row, 1 mm apart, only the last one leaves: error of its speed");
    result_claim(result, b->row[0] < 1e-3, none(), number(b->row[0]), "time stepper: the same");
    result_close(
        result,
        "Up to %.0f impacts are resolved at once in one problem, and none of them wins energy. Bounces come "
        "within %.1f %% (event stepper) and %.1f %% (time stepper) of e^2 h, the longest step being 1/60 s; "
        "an "
        "Euler step leaves an error of the order of v dt. Balls that touch before the impact take it as one: "
        "simultaneous impacts with Newton's restitution are no Newton's cradle; 1 mm apart, one impact after "
        "the other, they are, when every event is resolved.",
        c->contacts[1], 100 * b->ball[1], 100 * b->ball[0]);
}

bool run_kokkevis_impact(const struct run_settings *settings, struct result *result) {
    struct bodies_seen bodies = {0};
    struct characters_seen characters = {0};
    result_setting(result, "ball", text("radius 0.1 m, 1 kg, dropped from 1 m"));
    result_setting(result, "box", text("0.4 x 0.3 x 0.2 m, 2 kg, e = 0.5, dropped flat from 1 m"));
    result_setting(result, "row", text("five balls of 0.1 m, 1 mm apart, e = 1, the first at 1 m/s"));
    progress_start("kokkevis/impact", 7);
    if (!impact_bodies(settings, &bodies, result)) return false;
    if (interrupted() || !impact_characters(settings, &characters, result)) return interrupted();
    if (!interrupted()) put_claims(&bodies, &characters, result);
    return true;
}
