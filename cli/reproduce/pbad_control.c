/* pbad-2018 section 6.2, figure 5: a swimmer under drag and a spider on the ground, with gaits made by hand; pbad_search.c
 * has those that optimisers find.
 *
 * What the energies of the paper can do and what they cannot is seen without an optimiser: drag in proportion to mass acts
 * on the centre of mass like a brake on one point, and equation 9 pushes a sliding point out of the ground rather than
 * holding it. Beside them stand drag with two coefficients, and Coulomb's friction from the last step's normal force. */
#include "experiment.h"
#include "need.h"
#include "pbad_search.h"
#include "progress.h"
#include "scenes/creatures.h"
#include "scenes/shapes.h"
#include "terminal.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <sinew/studies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DTS = 3, FRICTIONS = 2, MOST = 32, STIFFNESSES = 3 };

static const double dts[DTS] = {1.0 / 240, 1.0 / 60, 1.0 / 30};
static const sn_position_friction frictions[FRICTIONS] = {SN_POSITION_FRICTION_EQUATION_9,
                                                          SN_POSITION_FRICTION_COULOMB};
static const char *const friction_names[FRICTIONS] = {"equation 9", "Coulomb, lagged"};
static const double stiffnesses[STIFFNESSES] = {1e4, 1e6, 1e8}; /* D2 */

struct outcome {
    double isotropic[DTS], anisotropic[DTS]; /* m that the swimmer's centre went */
    double walked[FRICTIONS][DTS];           /* m along x; NAN: lost */
    double eq9[STIFFNESSES], coulomb;        /* m/s^2 by which a box slows down */
};

struct creature {
    sn_model *model;
    sn_position *position;
    sn_dynamics *dynamics;
    double q[MOST], qd[MOST];
    double iterations;
    int steps;
};

static void open_creature(struct creature *c, sn_model *model, double dt, const double gravity[3],
                          sn_error *error) {
    sn_position_def def = sn_position_def_default();
    sn_dynamics_def questions = sn_dynamics_def_default();
    *c = (struct creature){.model = need_model(model, error)};
    memcpy(def.gravity, gravity, sizeof def.gravity);
    def.dt = dt;
    def.tolerance = 1e-6;
    def.most = 200;
    c->position = sn_position_create(model, &def, error);
    need(c->position != NULL, error);
    c->dynamics = need_dynamics(model, &questions);
}

static void close_creature(struct creature *c) {
    sn_dynamics_free(c->dynamics);
    sn_position_free(c->position);
    sn_model_free(c->model);
}

static void centre(struct creature *c, double com[3]) {
    sn_summary s = {0};
    sn_dynamics_bodies(c->dynamics, c->q, c->qd, NULL, NULL, &s);
    memcpy(com, s.com, sizeof s.com);
}

/* Follows the gait from rest; false: a step could not be solved. */
static bool follow(struct creature *c, void (*gait)(const sn_model *, double, double *, double *), double kp,
                   double kd, double dt, double seconds) {
    double gain_p[MOST], gain_d[MOST];
    creature_gains(c->model, kp, kd, gain_p, gain_d);
    sn_position_set_gains(c->position, gain_p, gain_d);
    const int steps = (int)lround(seconds / dt);
    for (int i = 1; i <= steps; i++) {
        sn_position_report report;
        gait(c->model, i * dt, c->q, c->qd);
        sn_position_set_target(c->position, 0, c->q, c->qd);
        if (sn_position_step(c->position, &report)) return false;
        c->iterations += report.iterations;
        c->steps++;
    }
    sn_position_state(c->position, c->q, c->qd);
    return true;
}

static void start(struct creature *c, void (*gait)(const sn_model *, double, double *, double *)) {
    gait(c->model, 0, c->q, c->qd);
    memset(c->qd, 0, sizeof c->qd);
    sn_position_start(c->position, c->q, c->qd, false);
}

/* ---------------------------------------------------------------------------------------------------- swimmer */

static void swim(const sn_position_ground_def *drag, double dt, double seconds, double *way,
                 struct result *result) {
    static const double none_at_all[3] = {0, 0, 0};
    sn_error error = {0};
    struct creature c;
    double before[3], after[3];
    open_creature(&c, swimmer_model(&error), dt, none_at_all, &error);
    start(&c, swimmer_gait);
    centre(&c, before);
    sn_position_set_ground(c.position, drag, 0, NULL, NULL);
    const bool lost = !follow(&c, swimmer_gait, 20, 2, dt, seconds);
    centre(&c, after);
    *way = lost ? (double)NAN : hypot(after[0] - before[0], after[1] - before[1]);
    add_row(result, "figure 5a: the swimmer", {"dt", time_step(dt)}, {"drag_along", number(drag->drag_along)},
            {"drag_across", number(drag->drag_across)}, {"centre_moved_m", number(*way)},
            {"iterations", number(c.iterations / c.steps)});
    close_creature(&c);
}

/* ----------------------------------------------------------------------------------------------------- spider */

static void walk(int friction, double dt, double seconds, double *way, struct result *result) {
    static const double down[3] = {0, 0, -9.81};
    sn_error error = {0};
    struct creature c;
    open_creature(&c, spider_model(&error), dt, down, &error);
    sn_position_ground_def ground = sn_position_ground_def_default();
    int body[SPIDER_LEGS];
    double foot[3 * SPIDER_LEGS];
    ground.friction = frictions[friction];
    spider_feet(c.model, body, foot);
    start(&c, spider_gait);
    sn_position_set_ground(c.position, &ground, SPIDER_LEGS, body, foot);
    const bool lost = !follow(&c, spider_gait, 300, 20, dt, seconds);
    *way = lost ? (double)NAN : c.q[0];
    add_row(result, "figure 5b: the spider", {"dt", time_step(dt)},
            {"friction", text(friction_names[friction])}, {"walked_m", number(*way)},
            {"aside_m", number(c.q[1])}, {"height_m", number(c.q[2])},
            {"iterations", number(c.iterations / c.steps)});
    close_creature(&c);
}

/* A box of 1 kg on four corners at 3 m/s for a third of a second: by how much it slows down. */
static void slide(const sn_position_ground_def *ground, double seconds, double *slowed,
                  struct result *result) {
    static const double down[3] = {0, 0, -9.81};
    const double dt = 1.0 / 240, speed = 3,
                 corner[12] = {.2, .2, -.1, .2, -.2, -.1, -.2, .2, -.1, -.2, -.2, -.1};
    const int body[4] = {0, 0, 0, 0}, steps = (int)lround(seconds / dt);
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 1);
    sn_error error = {0};
    struct creature c;
    open_creature(&c, scene_body_model(&box, &error), dt, down, &error);
    sn_model_zero_pose(c.model, c.q);
    c.q[2] = 0.1 - 9.81 / (8 * ground->d1); /* where it rests on four corners */
    c.qd[0] = speed;
    sn_position_start(c.position, c.q, c.qd, false);
    sn_position_set_ground(c.position, ground, 4, body, corner);
    for (int i = 0; i < steps; i++)
        sn_position_step(c.position, NULL);
    sn_position_state(c.position, c.q, c.qd);
    *slowed = (speed - c.qd[0]) / seconds;
    add_row(result, "a box at 3 m/s",
            {"friction", text(friction_names[ground->friction == SN_POSITION_FRICTION_COULOMB])},
            {"d2", ground->friction == SN_POSITION_FRICTION_COULOMB ? none() : number(ground->d2)},
            {"slows_by_m_s2", number(*slowed)}, {"height_m", number(c.q[2] - 0.1)});
    close_creature(&c);
}

/* ----------------------------------------------------------------------------------------------------- claims */

static double least_of(const double x[DTS]) {
    return fmin(x[0], fmin(x[1], x[2]));
}

static double most_of(const double x[DTS]) {
    return fmax(x[0], fmax(x[1], x[2]));
}

static void put_claims(const struct outcome *o, struct result *result) {
    const double mu = sn_position_ground_def_default().mu;
    add_claims(
        result,
        {at_least(1, FROM_PAPER), none(), number(1000 * most_of(o->isotropic)),
         "5a: the swimmer swims under the paper's drag: mm in 20 s, most of three steps"},
        {at_most(1, FROM_PROMISE), none(), number(1000 * most_of(o->isotropic)),
         "drag in proportion to mass cannot move the centre of mass: mm in 20 s, most of three steps"},
        {at_least(2, FROM_PROMISE), none(), number(least_of(o->anisotropic)),
         "with ten times the drag across as along it swims: m in 20 s, least of three steps"},
        {at_least(2, FROM_PROMISE), none(), number(least_of(o->walked[1])),
         "5b: the spider walks under lagged Coulomb friction: m in 10 s, least of three steps"},
        {at_most(2, FROM_PROMISE), none(), number(most_of(o->walked[1]) / least_of(o->walked[1])),
         "and about as far at every step: most over least"},
        {at_most(2, FROM_PAPER), none(), number(most_of(o->walked[0]) / fmax(least_of(o->walked[0]), 1e-3)),
         "5b: so it does under equation 9: most over least"},
        {between(0.99 * mu * 9.81, 1.01 * mu * 9.81, FROM_PROMISE), none(), number(o->coulomb),
         "a box slows down by mu g under lagged Coulomb friction: m/s^2"},
        {at_least(0.1 * mu * 9.81, FROM_PAPER), none(), number(fmax(o->eq9[0], fmax(o->eq9[1], o->eq9[2]))),
         "equation 9 is friction: a box slows down by a tenth of mu g at least for some D2: m/s^2"});
}

static void put_settings(struct result *result) {
    add_settings(result,
                 {"swimmer", text("four capsules of 0.3 m, radius 0.03 m and 1 kg; no gravity; a wave of 0.8 "
                                  "rad, once per second, a lag of 0.35 pi per joint; kp = 20, kd = 2")},
                 {"spider", text("trunk of 0.4 x 0.2 x 0.1 m and 4 kg, legs of 0.23 and 0.4 m and 0.5 kg; a "
                                 "trot of 1.5 Hz, hips 0.3 rad to and fro, 0.25 rad up; kp = 300, kd = 20")},
                 {"ground", text("D1 = D2 = 1e5, mu = 0.8, smooth below 0.01 m/s; the four tips touch")},
                 {"drag", text("1/s, force per mass and speed. Eq. of section 6.2: its force is 2 D v / dt "
                               "and would grow as the step falls; D = drag dt / 2")},
                 {"method", text("PBAD-2, mirrored sweeps to 1e-6")});
}

bool run_pbad_control(const struct run_settings *settings, struct result *result) {
    struct outcome o = {0};
    double reached[2] = {0};
    sn_position_ground_def even = sn_position_ground_def_default(), uneven = even;
    even.drag_along = even.drag_across = 2;
    uneven.drag_along = 1, uneven.drag_across = 10;
    const double swims = settings->quick ? 2 : 20, walks = settings->quick ? 1 : 10;
    put_settings(result);
    progress_start("pbad/control", 2 * DTS + FRICTIONS * DTS + STIFFNESSES + 1 + gait_search_steps(settings));
    for (int i = 0; i < DTS && !interrupted(); i++) {
        progress_step("the swimmer at %g s", dts[i]);
        swim(&even, dts[i], swims, &o.isotropic[i], result);
        progress_step("the swimmer at %g s", dts[i]);
        swim(&uneven, dts[i], swims, &o.anisotropic[i], result);
    }
    for (int i = 0; i < FRICTIONS * DTS && !interrupted(); i++) {
        progress_step("the spider at %g s", dts[i % DTS]);
        walk(i / DTS, dts[i % DTS], walks, &o.walked[i / DTS][i % DTS], result);
    }
    for (int i = 0; i <= STIFFNESSES && !interrupted(); i++) {
        sn_position_ground_def ground = sn_position_ground_def_default();
        progress_step("a box");
        if (i < STIFFNESSES) ground.friction = SN_POSITION_FRICTION_EQUATION_9, ground.d2 = stiffnesses[i];
        slide(&ground, 1.0 / 3, i < STIFFNESSES ? &o.eq9[i] : &o.coulomb, result);
    }
    if (interrupted()) return true;
    put_claims(&o, result);
    if (!run_gait_searches(settings, result, reached)) return false;
    if (interrupted()) return true;
    result_close(
        result,
        "%d of %d claims hold. Under drag in proportion to mass, which is what the paper's integral over a "
        "body of even density is, the swimmer's centre stays within %.1g mm; with ten times the drag across "
        "it goes %.1f m. Equation 9 makes a point that slides stiffer rather than holding it, so that it "
        "rises until it hardly touches: a box goes on at its speed, and how far the spider gets depends on "
        "the step. From random starts CMA-ES brings the swimmer, under uneven drag, %.1f body lengths "
        "forward at least, and policy gradients the spider, under Coulomb friction, %.1f.",
        result_held(result), result->nclaim, 1000 * most_of(o.isotropic), o.anisotropic[1], reached[0],
        reached[1]);
    return true;
}
