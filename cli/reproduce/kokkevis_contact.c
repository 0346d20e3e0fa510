/* kokkevis-2004 sections 7 and 8.1: a humanoid stands on the ground, falls on it and comes to rest, with the paper's
 * step (accelerations, impacts, backtracking to the time of contact) and with one solve for velocities per step. */
#include "experiment.h"
#include "need.h"
#include "paper_world.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>

enum { SCENES = 3, WAYS = 5, STEPS = 2 };
enum { STAND, FALL, LIMP };
enum { TIME_ROWS, TIME_IMPLICIT, TIME_ONE_WAY, EVENT, EVENT_ONE_WAY };

static const struct {
    const char *name;
    bool fall;
    double kp, kd, seconds;
} scenes[SCENES] = {{"stand", false, 1000, 100, 10}, {"fall", true, 1000, 100, 6}, {"limp", true, 0, 2, 6}};

static const struct {
    const char *stepper, *contact, *friction;
    sn_stepper how;
    sn_contact_method method;
    sn_friction cone;
} ways[WAYS] = {
    {"time", "rows", "cone", SN_STEPPER_TIME, SN_CONTACT_ROWS, SN_FRICTION_CONE},
    {"time", "implicit", "cone", SN_STEPPER_TIME, SN_CONTACT_IMPLICIT, SN_FRICTION_CONE},
    {"time", "rows", "one way", SN_STEPPER_TIME, SN_CONTACT_ROWS, SN_FRICTION_ONE_WAY},
    {"event", "rows", "cone", SN_STEPPER_EVENT, SN_CONTACT_ROWS, SN_FRICTION_CONE},
    {"event", "rows", "one way", SN_STEPPER_EVENT, SN_CONTACT_ROWS, SN_FRICTION_ONE_WAY},
};

static const int hertz[STEPS] = {240, 60};

struct contacts {
    struct watched at[SCENES][WAYS][STEPS];
};

static void run_one(struct contacts *c, const sn_model *model, int scene, int way, int h, bool quick) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = paper_world_def();
    def.world.dt = 1.0 / hertz[h];
    def.world.stepper = ways[way].how;
    def.world.contact = ways[way].method;
    def.world.friction = ways[way].cone;
    def.fall = scenes[scene].fall;
    def.kp = scenes[scene].kp;
    def.kd = scenes[scene].kd;
    struct ground_scene ground = need_ground_scene(model, &def);
    c->at[scene][way][h] = ground_scene_watch(&ground, def.world.dt, quick ? 0.3 : scenes[scene].seconds);
    ground_scene_free(&ground);
}

static struct value unless_lost(const struct watched *w, double x) {
    return number(w->finite ? x : (double)NAN);
}

static void put_row(const struct contacts *c, int scene, int way, int h, struct result *result) {
    static const char *const title[SCENES] = {
        "stands for 10 s, kp = 1000, kd = 100",
        "falls on the ground with its drives on, kp = 1000, kd = 100, 6 s",
        "falls on the ground limp (kp = 0, kd = 2), 6 s"};
    const struct watched *w = &c->at[scene][way][h];
    add_row(result, title[scene], {"stepper", text(ways[way].stepper)}, {"contact", text(ways[way].contact)},
            {"friction", text(ways[way].friction)}, {"dt", number(1.0 / hertz[h])},
            {"contacts", number(w->contacts)}, {"substeps", number(w->substeps)},
            {"impacts", number(w->impacts)}, {"iterations", number(w->iterations)},
            {"residual", number(w->residual)}, {"penetration_mm", unless_lost(w, 1e3 * w->penetration)},
            {"drift_mm", unless_lost(w, 1e3 * w->drift)}, {"height_m", unless_lost(w, w->height)},
            {"speed_at_end", unless_lost(w, w->speed)},
            {"rests_after_s", isfinite(w->rest) ? number(w->rest) : none()});
}

static bool stands(const struct watched *w) {
    return w->finite && fabs(w->height) < 0.1;
}

/* Of one way, over all scenes and steps; -1 for the scene or the way: all of them. */
struct tally {
    int runs, finite, stand, rest;
    double penetration, drift;
    double lowest, highest; /* heights of the root at the end, against the start */
};

static struct tally count(const struct contacts *c, int scene, int way) {
    struct tally t = {.lowest = INFINITY, .highest = -INFINITY};
    for (int s = 0; s < SCENES; s++)
        for (int w = 0; w < WAYS; w++)
            for (int h = 0; h < STEPS; h++) {
                const struct watched *seen = &c->at[s][w][h];
                if ((scene >= 0 && s != scene) || (way >= 0 && w != way)) continue;
                t.runs++;
                t.finite += seen->finite;
                t.stand += stands(seen);
                t.rest += isfinite(seen->rest);
                t.penetration = fmax(t.penetration, seen->penetration);
                t.drift = fmax(t.drift, isnan(seen->drift) ? (double)INFINITY : seen->drift);
                t.lowest = fmin(t.lowest, seen->height);
                t.highest = fmax(t.highest, seen->height);
            }
    return t;
}

static void put_stand_claims(const struct contacts *c, struct result *result) {
    const struct tally all = count(c, -1, -1), stand = count(c, STAND, -1);
    static const struct {
        int way;
        const char *name;
    } cones[] = {{EVENT, "event stepper"},
                 {TIME_ROWS, "time stepper with rows"},
                 {TIME_IMPLICIT, "time stepper with implicit contact"}},
      one_way[] = {{EVENT_ONE_WAY, "event stepper"}, {TIME_ONE_WAY, "time stepper"}};
    add_claims(result,
               {exactly(all.runs, FROM_PROMISE), none(), number(all.finite),
                said("every run stays finite: of %d", all.runs)},
               {exactly(stand.runs, FROM_PROMISE), none(), number(stand.stand),
                said("the humanoid stands, its root within 0.1 m of where it was: of %d runs", stand.runs)});
    for (int i = 0; i < 3; i++)
        add_claims(
            result,
            {at_most(0.5, FROM_MEASURED), none(), number(1e3 * count(c, STAND, cones[i].way).drift),
             said("no creeping while standing, friction cone, %s, from 1 s to 10 s: mm", cones[i].name)});
    for (int i = 0; i < 2; i++)
        add_claims(result, {at_most(0.5, FROM_MEASURED), text("works fairly well"),
                            number(1e3 * count(c, STAND, one_way[i].way).drift),
                            said("nor with the paper's friction along one tangent (eq. 19-21), %s: mm, the "
                                 "bound being that of the cone",
                                 one_way[i].name)});
}

static void put_fall_claims(const struct contacts *c, struct result *result) {
    const struct tally fall = count(c, FALL, -1), limp = count(c, LIMP, -1);
    const double implicit_falls =
        fmax(count(c, FALL, TIME_IMPLICIT).penetration, count(c, LIMP, TIME_IMPLICIT).penetration);
    add_claims(result,
               {at_most(1, FROM_MEASURED), number(0), number(1e3 * count(c, -1, EVENT).penetration),
                "the paper's step goes back before bodies interpenetrate: worst depth of all scenes, mm"},
               {at_most(3, FROM_MEASURED), none(), number(1e3 * count(c, -1, TIME_ROWS).penetration),
                "one solve per step: worst depth of all scenes, mm"},
               {at_most(0.3, FROM_MEASURED), none(), number(1e3 * count(c, STAND, TIME_IMPLICIT).penetration),
                "implicit contact: worst depth while standing, mm"},
               {at_most(10, FROM_MEASURED), none(), number(1e3 * implicit_falls),
                "implicit contact: worst depth in falls, mm"},
               {exactly(fall.runs, FROM_PROMISE), none(), number(fall.rest),
                said("a humanoid that falls with its drives on comes to rest within 6 s, kinetic energy "
                     "below 0.1 J: of %d runs",
                     fall.runs)},
               {exactly(limp.runs, FROM_PROMISE), none(), number(limp.rest),
                said("so does a limp one: of %d runs", limp.runs)},
               {at_most(20, FROM_MEASURED), none(), number(1e3 * (fall.highest - fall.lowest)),
                "falls with drives end at the same height in every way and step: spread of the root's, mm"},
               {at_most(60, FROM_MEASURED), none(), number(1e3 * (limp.highest - limp.lowest)),
                "so do limp ones: mm"});
    for (int way = EVENT; way <= EVENT_ONE_WAY; way++)
        add_claims(result, {at_most(0.002, FROM_ROUNDING), none(), number(1e3 * count(c, LIMP, way).drift),
                            said("what lies limp does not creep, event stepper, %s, from 1 s to 6 s: mm",
                                 way == EVENT ? "friction cone" : "the paper's one-way friction")});
}

static void put_closing(const struct contacts *c, struct result *result) {
    const struct tally event = count(c, -1, EVENT), one_way = count(c, -1, EVENT_ONE_WAY);
    const struct tally rows = count(c, -1, TIME_ROWS), slow = count(c, STAND, TIME_ONE_WAY),
                       standing = count(c, STAND, EVENT_ONE_WAY);
    double substeps = 0;
    for (int s = 0; s < SCENES; s++)
        substeps = fmax(substeps, c->at[s][EVENT][1].substeps);
    result_close(
        result,
        "%d of %d claims hold. Worst depth in all scenes: event stepper %.3g mm (with the paper's one-way "
        "friction %.3g), time stepper with rows %.3g. The event stepper pays with up to %.1f substeps per "
        "step of 1/60 s. Friction along one tangent, the last direction of sliding, cannot hold a foot "
        "across it: what the paper calls fairly good lets a standing humanoid creep by up to %.0f mm (event "
        "stepper) and %.0f mm (time stepper) in 9 s, where the friction cone holds it.",
        result_held(result), result->nclaim, 1e3 * event.penetration, 1e3 * one_way.penetration,
        1e3 * rows.penetration, substeps, 1e3 * standing.drift, 1e3 * slow.drift);
}

bool run_kokkevis_contact(const struct run_settings *settings, struct result *result) {
    struct contacts c = {0};
    sn_model *model = need_builtin("humanoid");
    add_settings(result, {"ground", text("plane, friction 1")},
                 {"fall", text("from 0.2 m, 1.5 m/s forward, 1 rad/s about y")},
                 {"drives", text("stand and fall: kp = 1000, kd = 100 on all joints, target the zero pose; "
                                 "limp: kp = 0, kd = 2 N m s/rad on all joints; the root is free")},
                 {"inertia", text("rows meet M + K, see kokkevis/impact for M alone")},
                 {"limits", flag(true)});
    put_paper_world(result);
    progress_start("kokkevis/contact", SCENES * WAYS * STEPS);
    for (int i = 0; i < SCENES * WAYS * STEPS && !interrupted(); i++) {
        const int scene = i / (WAYS * STEPS), way = i / STEPS % WAYS, h = i % STEPS;
        progress_step("%s, %s stepper, %s, 1/%d s", scenes[scene].name, ways[way].stepper, ways[way].contact,
                      hertz[h]);
        run_one(&c, model, scene, way, h, settings->quick);
        put_row(&c, scene, way, h, result);
    }
    sn_model_free(model);
    if (interrupted()) return true;
    put_stand_claims(&c, result);
    put_fall_claims(&c, result);
    put_closing(&c, result);
    return true;
}
