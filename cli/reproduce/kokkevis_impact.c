/* kokkevis-2004 section 5: impacts as acceleration constraints with delta t = 1, all of them at once. */
#include "kokkevis_impact.h"

#include "paper_world.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>

const char *const impact_steppers[STEPPERS] = {"time", "event"};
const sn_stepper impact_stepper[STEPPERS] = {SN_STEPPER_TIME, SN_STEPPER_EVENT};

/* The event stepper is the paper's; the time stepper stands beside it. What was measured in each stands in bounds
   of its own. */
static void put_body_claims(const struct bodies_seen *b, int s, struct result *result) {
    static const double ball[STEPPERS] = {1e-3, 1e-3}, box[STEPPERS] = {3e-4, 2e-4};
    const char *name = impact_steppers[s];
    add_claims(result,
               {at_most(ball[s], FROM_MEASURED), number(0), number(b->ball[s]),
                said("%s stepper: a ball bounces to e^2 h: largest error, of h", name)},
               {at_most(box[s], FROM_MEASURED), number(0), number(b->box[s]),
                said("%s stepper: so does a box that lands on four corners at once: error, of h", name)},
               {at_most(2e-6, FROM_ROUNDING), number(0), number(b->tilt[s]),
                said("%s stepper: and does not turn: rad/s", name)},
               {at_most(1e-12, FROM_ROUNDING), number(0), number(b->oblique[s]),
                said("%s stepper: friction in the impact is Coulomb's: largest error of the velocity after "
                     "an oblique impact, of the one before",
                     name)},
               {at_most(1e-12, FROM_ROUNDING), number(0), number(b->momentum[s]),
                said("%s stepper: a row of balls keeps its momentum: relative change", name)});
}

static void put_character_claims(const struct characters_seen *c, int s, struct result *result) {
    static const double momentum[STEPPERS] = {0.002, 0.01}, approach[STEPPERS] = {0.1, 2e-4};
    const char *name = impact_steppers[s];
    add_claims(
        result,
        {at_most(momentum[s], FROM_MEASURED), number(0), number(fmax(c->momentum[s], c->angular[s])),
         said("%s stepper: two characters that collide keep momentum and angular momentum, except for what "
              "Euler steps change: relative change in 1 s",
              name)},
        {at_most(1e-9, FROM_ROUNDING), number(0), number(c->gain[s]),
         said("%s stepper: dead impacts add no energy: largest gain in a step, of the kinetic energy", name)},
        {at_most(approach[s], FROM_MEASURED), number(0), number(c->approach[s]),
         said("%s stepper: after a step no touching contact closes: fastest, m/s", name)});
}

static void put_claims(const struct bodies_seen *b, const struct characters_seen *c,
                       const struct inertia_seen *i, struct result *result) {
    for (int s = STEPPERS - 1; s >= 0; s--) {
        put_body_claims(b, s, result);
        put_character_claims(c, s, result);
    }
    add_claims(
        result,
        {at_most(1e-9, FROM_ROUNDING), none(), number(b->row[1]),
         "event stepper: of five balls in a row, 1 mm apart, only the last one leaves: error of its speed"},
        {at_most(1e-9, FROM_ROUNDING), none(), number(b->row[0]), "time stepper: the same"},
        {between(0.99, 1.01, FROM_PAPER), number(1), number(i->corner),
         "impulses are those of M alone, drives (kp = 1000, kd = 100) having no part in an impact: inertia "
         "that a corner of a foot shows at 1/240 s, M + K over M"},
        {between(0.99, 1.01, FROM_PAPER), number(1), number(i->impulse),
         "the same for all eight corners at once: sum of the impulses at 1/240 s, M + K over M"},
        {between(3.6, 4.4, FROM_MEASURED), none(), number(i->coarse / i->fine),
         "M + K goes to M as the step does, in proportion to it: what a corner's inertia is above that of M, "
         "1/983040 over 1/3932160 s"});
}

static void put_closing(const struct bodies_seen *b, const struct characters_seen *c,
                        const struct inertia_seen *i, struct result *result) {
    result_close(
        result,
        "%d of %d claims hold. Up to %.0f impacts are resolved at once in one problem, and none of them adds "
        "energy. Bounces come within %.2g %% (event stepper) and %.2g %% (time stepper) of e^2 h, the "
        "longest step being 1/60 s. Five balls in a row, 1 mm apart, are Newton's cradle with both steppers. "
        "Where they touch before the impact the event stepper takes it as one, as the paper does, and "
        "simultaneous impacts with Newton's restitution do not make a cradle; the time stepper takes one "
        "after the "
        "other. The paper's impulses meet M alone; those of the library meet M + K, because stable PD "
        "answers within the step an impact belongs to: a corner of the foot of a driven character weighs "
        "%.3g times as much at 1/240 s, and as much as in the paper when the step goes to zero; what stops "
        "the whole body is nearly the same impulse. Without drives both are the same.",
        result_held(result), result->nclaim, c->contacts[1], 100 * b->ball[1], 100 * b->ball[0], i->corner);
}

bool run_kokkevis_impact(const struct run_settings *settings, struct result *result) {
    struct bodies_seen bodies = {0};
    struct characters_seen characters = {0};
    struct inertia_seen inertia = {0};
    add_settings(
        result, {"ball", text("radius 0.1 m, 1 kg, dropped from 1 m")},
        {"box", text("0.4 x 0.3 x 0.2 m, 2 kg, e = 0.5, dropped flat from 1 m")},
        {"row", text("five balls of 0.1 m, 1 mm apart, e = 1, the first at 1 m/s")},
        {"collision_drives", text("kp = 100, kd = 10 on all joints of both humanoids, roots free; they act "
                                  "between the parts of each and change neither momentum")},
        {"landing_damping", text("kp = 0, kd = 5 N m s/rad on all joints of the humanoid that lands: damping "
                                 "that takes energy, so that a gain up to what it takes would not be seen")},
        {"restitution_above", text("0.1 m/s")});
    put_paper_world(result);
    progress_start("kokkevis/impact", 8);
    impact_bodies(&bodies, result);
    if (!interrupted()) impact_characters(settings, &characters, result);
    if (!interrupted()) impact_inertia(&inertia, result);
    if (interrupted()) return true;
    put_claims(&bodies, &characters, &inertia, result);
    put_closing(&bodies, &characters, &inertia, result);
    return true;
}
