/* Velocity products (Coriolis, centrifugal and gyroscopic terms) taken at the start of the step, halfway through it, and
 * linearly implicit: what becomes of the energy of spinning bodies. Not of a paper. A prototype was tried on scenes of the
 * same kind before the library had it; its figures stand beside ours where it has them, and where the scenes are not the
 * same in every number, neither are the figures. */
#include "products_run.h"

#include "experiment.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>

enum { PRECISIONS = 2, PRODUCTS = SPIN_PRODUCTS };
enum { EXPLICIT = SPIN_EXPLICIT, MIDPOINT = SPIN_MIDPOINT, IMPLICIT = SPIN_IMPLICIT };

static const char *const precision_names[PRECISIONS] = {"double", "float"};
static const sn_precision precisions[PRECISIONS] = {SN_PRECISION_DOUBLE, SN_PRECISION_FLOAT};
static const char *const products_names[PRODUCTS] = {"explicit", "midpoint", "implicit"};

/* What the prototype reached in double: explicit, scheme R with two sweeps, Kahan's form; below 0: lost after so many
   seconds, infinite: lost, the time is not known. */
static const struct {
    const char *name, *value;
    double prototype[PRODUCTS], prototype_fine;
} shown[SPIN_SCENES] = {
    [SPIN_PLATE] = {"plate, 20 rad/s, 60 s", "energy, end over start", {-3.1, 1.000, 1.000}, 1},
    [SPIN_TOP] = {"heavy top, 100 rad/s, 10 s", "energy gained, of 25 J", {-INFINITY, 0.001, 0.001}, 0},
    [SPIN_LIMP] = {"limp humanoid, 10 rad/s, 10 s", "energy, end over start", {-0.7, 0.748, 0.766}, 0.74},
    [SPIN_HELD] = {"held humanoid, 6 rad/s, 10 s", "energy, end over start", {1484, 0.964, 0.965}, 0.965},
    [SPIN_HELD_FAST] = {"held humanoid, 10 rad/s, 10 s",
                        "energy, end over start",
                        {-INFINITY, 0.911, 0.921},
                        0.91},
    [SPIN_CHAIN] = {"195-degree snake, 3 Hz, 10 s",
                    "tracking error, rms rad",
                    {-2.4, 0.376, 0.379},
                    (double)NAN},
    [SPIN_CHAIN_COARSE] = {"195-degree snake, 3 Hz, 10 s",
                           "tracking error, rms rad",
                           {-0.4, 0.352, 0.357},
                           (double)NAN},
};

struct spins {
    struct spin_seen at[SPIN_SCENES][PRECISIONS][PRODUCTS];
    double fine[SPIN_SCENES]; /* NAN: there is none */
};

static void put_row(const struct spins *s, int scene, int precision, int p, struct result *result) {
    const struct spin_seen *seen = &s->at[scene][precision][p];
    const double prototype = shown[scene].prototype[p];
    add_row(
        result, "spinning bodies without contact; prototype: scenes of the same kind, in double",
        {"scene", text(shown[scene].name)}, {"dt", time_step(spin_dt(scene))},
        {"precision", text(precision_names[precision])}, {"products", text(products_names[p])},
        {"measured", text(shown[scene].value)}, {"ours", isnan(seen->lost) ? number(seen->value) : none()},
        {"lost_after_s", isnan(seen->lost) ? none() : number(seen->lost)},
        {"momentum_change", isnan(seen->lost) && !isnan(seen->momentum) ? number(seen->momentum) : none()},
        {"fine", isnan(s->fine[scene]) ? none() : number(s->fine[scene])},
        {"prototype", prototype < 0 ? none() : number(prototype)},
        {"prototype_lost_s", prototype < 0 && isfinite(prototype) ? number(-prototype) : none()},
        {"prototype_fine", isnan(shown[scene].prototype_fine) ? none() : number(shown[scene].prototype_fine)});
}

/* The worst of both precisions; NAN when one was lost. */
static double worst(const struct spins *s, int scene, int p, bool momentum) {
    double off = 0;
    for (int precision = 0; precision < PRECISIONS; precision++) {
        const struct spin_seen *seen = &s->at[scene][precision][p];
        if (!isnan(seen->lost)) return (double)NAN;
        const double fine = s->fine[scene], way = fine == 0 ? 1 : fine;
        off = fmax(off, momentum ? seen->momentum : fabs((seen->value - fine) / way));
    }
    return off;
}

static int count_alive(const struct spins *s, int p) {
    int alive = 0;
    for (int precision = 0; precision < PRECISIONS; precision++)
        for (int scene = SPIN_CHAIN; scene <= SPIN_CHAIN_COARSE; scene++)
            alive += isnan(s->at[scene][precision][p].lost);
    return alive;
}

/* The same promises for the default and for the implicit form. */
static void put_claims(const struct spins *s, struct result *result) {
    for (int p = MIDPOINT; p <= IMPLICIT; p++) {
        const char *name = products_names[p];
        add_claims(result,
                   {at_most(0.01, FROM_PROMISE), none(), number(worst(s, SPIN_PLATE, p, false)),
                    said("%s, double and float: a plate keeps its energy for 60 s at 1/60 s: relative change",
                         name)},
                   {at_most(0.01, FROM_PROMISE), none(), number(worst(s, SPIN_PLATE, p, true)),
                    said("%s: and its angular momentum: relative change", name)},
                   {at_most(0.001, FROM_PROMISE), none(), number(worst(s, SPIN_TOP, p, false)),
                    said("%s: a heavy top at 100 rad/s and 1/60 s: energy gained, of all", name)});
        for (int scene = SPIN_LIMP; scene <= SPIN_HELD_FAST; scene++)
            add_claims(result,
                       {at_most(0.05, FROM_PROMISE), none(), number(worst(s, scene, p, false)),
                        said("%s: energy of the %s, 1/%.0f s, against the fine solution: relative difference",
                             name, shown[scene].name, 1 / spin_dt(scene))});
        add_claims(result,
                   {exactly(2 * PRECISIONS, FROM_PROMISE), none(), number(count_alive(s, p)),
                    said("%s: the 195-degree snake at 3 Hz lives for 10 s at 1/120 and 1/60 s: of %d runs",
                         name, 2 * PRECISIONS)});
    }
}

static void put_closing(const struct spins *s, struct result *result) {
    int lost[PRODUCTS] = {0};
    for (int p = 0; p < PRODUCTS; p++)
        for (int scene = 0; scene < SPIN_SCENES; scene++)
            for (int precision = 0; precision < PRECISIONS; precision++)
                lost[p] += !isnan(s->at[scene][precision][p].lost);
    result_close(
        result,
        "%d of %d claims hold. Of %d runs %d are lost with explicit velocity products, %d at "
        "midpoint and %d with the implicit form.%s",
        result_held(result), result->nclaim, SPIN_SCENES * PRECISIONS, lost[EXPLICIT], lost[MIDPOINT],
        lost[IMPLICIT],
        fmax(worst(s, SPIN_LIMP, MIDPOINT, false), worst(s, SPIN_LIMP, IMPLICIT, false)) > 0.05
            ? " The limp humanoid is off in float, not because of its velocity products, but of its joint "
              "limits: with an arm swung to 160 degrees, where twist hardly differs from swing, "
              "their solve ends unsettled."
            : "");
}

static void put_settings(const struct run_settings *settings, struct result *result) {
    add_settings(
        result, {"plate", text("box of 1 x 0.6 x 0.1 m, 1 kg, free, turning about (0.01, 1, 0.01)")},
        {"top", text("disc of radius 0.1 m, 0.02 m thick, 1 kg, its middle 0.2 m from a ball joint, 0.3 rad "
                     "off the vertical")},
        {"humanoids", text("free, turning as one about (1, 1, 1) from the zero pose; limp: kp = 0, kd = 1 N "
                           "m s/rad on all joints; held: kp = 3000, kd = 300; joint limits on")},
        {"snake",
         text("root 20000/2000, joints 75000/4000; every joint 3 Hz, 0.75 rad, axes and phases at random, "
              "from rest in the zero pose; target pose at the end of each step, no target velocity")},
        {"gravity", text("9.81 for the top and the snake; else 0")},
        {"damping", text("none but the kd named")},
        {"fine", text("explicit at 1/1920 and 1/7680 s in double, extrapolated to 0; of the plate and the "
                      "top what they must keep")},
        {"lost", text("a value is not finite")},
        {"seed", number((double)settings->seed)}); /* of the snake's motion */
}

bool run_sinew_products(const struct run_settings *settings, struct result *result) {
    struct spins s = {0};
    put_settings(settings, result);
    progress_start("sinew/products", SPIN_SCENES);
    for (int scene = 0; scene < SPIN_SCENES; scene++) {
        progress_step("%s", shown[scene].name);
        s.fine[scene] = spin_fine(scene, settings);
        for (int i = 0; i < PRECISIONS * PRODUCTS && !interrupted(); i++) {
            const int precision = i / PRODUCTS, p = i % PRODUCTS;
            spin_run(scene, precisions[precision], (enum spin_products)p, spin_dt(scene), settings,
                     &s.at[scene][precision][p]);
            put_row(&s, scene, precision, p, result);
        }
        if (interrupted()) return true;
    }
    put_claims(&s, result);
    put_closing(&s, result);
    return true;
}
