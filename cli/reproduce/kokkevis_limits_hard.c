/* What joint limits must bear in a game: a drive whose target lies a radian past the limit, a very stiff one, and falls of
 * a character without any damping. Not of the paper; the limits are its section 8.2, the world is the library's own. */
#include "kokkevis_limits.h"

#include "motion_gen.h"
#include "need.h"
#include "progress.h"
#include "scenes/papers.h"
#include "scenes/whole.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, STEPS = 4, DROPS = 8, QUICK_DROPS = 2, STARTS = 8 };
enum { ELBOW, HINGE, FALL };

static const int hertz[STEPS] = {240, 120, 60, 30};
static const struct {
    const char *stepper, *contact;
    sn_stepper how;
    sn_contact_method method;
} ways[WAYS] = {{"time", "rows", SN_STEPPER_TIME, SN_CONTACT_ROWS},
                {"event", "rows", SN_STEPPER_EVENT, SN_CONTACT_ROWS},
                {"time", "implicit", SN_STEPPER_TIME, SN_CONTACT_IMPLICIT}};

/* How far before its limit a driven joint starts, rad, at rest: what has no velocity yet is what a limit that looks at
   the old velocity does not see coming. */
static const double starts[STARTS] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1};

struct seen {
    int runs, finite, joint;
    double worst; /* rad, of the runs that stayed finite */
};

static sn_world_def world_of(int way, int h) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / hertz[h];
    def.stepper = ways[way].how;
    def.contact = ways[way].method;
    return def;
}

/* Steps a world and looks at its member 0. `q` has room for a pose. */
static void watch(sn_world *world, double seconds, int hz, double *q, struct seen *seen) {
    const int steps = (int)(seconds * hz + 0.5);
    double worst = 0;
    int joint = -1;
    bool finite = true;
    for (int i = 0; i < steps && finite; i++) {
        finite = step_whole(world) == SN_OK;
        int which = -1;
        sn_world_get_state(world, 0, q, NULL);
        const double past = finite ? worst_past_limit(sn_world_model(world, 0), q, &which) : 0;
        if (past > worst) worst = past, joint = which;
    }
    seen->runs++;
    seen->finite += finite;
    if (finite && worst > seen->worst) seen->worst = worst, seen->joint = joint;
}

/* It stands on the ground with the gains of the README, its right elbow near the limit of bending, the target 1 rad past
   it. */
static void press_elbow(const sn_model *model, int way, int h, double seconds, double start,
                        struct seen *seen) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = world_of(way, h);
    struct ground_scene scene = need_ground_scene(model, &def);
    const sn_body_info *elbow = sn_model_body(model, sn_model_find_body(model, "right_forearm"));
    scene.q[elbow->q_index] = elbow->joint.lower[0] + start;
    sn_world_set_state(scene.world, 0, scene.q, scene.qd);
    scene.q[elbow->q_index] = elbow->joint.lower[0] - 1;
    sn_world_set_target(scene.world, 0, scene.q, NULL);
    watch(scene.world, seconds, hertz[h], scene.q, seen);
    ground_scene_free(&scene);
}

/* A rod of 1 kg and 1 m, kp = 1e6, kd = 2 kp dt, the target 1 rad past its stop. */
static void press_hinge(int way, int h, double seconds, double start, struct seen *seen) {
    const double kp = 1e6, kd = 2 * kp / hertz[h], stop = 0.5, target = stop + 1;
    const sn_world_def def = world_of(way, h);
    double q = stop - start;
    sn_error error = {0};
    sn_model *model = need_model(build_pendulum(-2, stop, &error), &error);
    sn_world *world = need_world(&def);
    need_member(world, model);
    sn_world_set_gains(world, 0, &kp, &kd);
    sn_world_set_state(world, 0, &q, NULL);
    sn_world_set_target(world, 0, &target, NULL);
    watch(world, seconds, hertz[h], &q, seen);
    sn_world_free(world);
    sn_model_free(model);
}

/* Every orientation alike: Shoemake's quaternion. */
static void turn_at_random(uint64_t *seed, double rot[4]) {
    const double u = random_uniform(seed), a = 2 * M_PI * random_uniform(seed),
                 b = 2 * M_PI * random_uniform(seed);
    rot[0] = sqrt(1 - u) * sin(a), rot[1] = sqrt(1 - u) * cos(a);
    rot[2] = sqrt(u) * sin(b), rot[3] = sqrt(u) * cos(b);
}

/* Its lowest point 1 m above the ground, without drives and without damping. */
static void drop(const sn_model *model, int way, int h, double seconds, uint64_t seed, struct seen *seen) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = world_of(way, h);
    def.kp = def.kd = 0;
    struct ground_scene scene = need_ground_scene(model, &def);
    turn_at_random(&seed, scene.q + 3);
    sn_world_stand(scene.world, 0, scene.q);
    scene.q[2] += 1;
    sn_world_set_state(scene.world, 0, scene.q, NULL);
    watch(scene.world, seconds, hertz[h], scene.q, seen);
    ground_scene_free(&scene);
}

static struct seen run_scene(const sn_model *model, int scene, int way, int h,
                             const struct run_settings *settings) {
    const double seconds = settings->quick ? 0.3 : 2;
    const int runs = scene != FALL ? STARTS : settings->quick ? QUICK_DROPS : DROPS;
    struct seen seen = {.joint = -1};
    for (int i = 0; i < runs && !interrupted(); i++)
        if (scene == ELBOW)
            press_elbow(model, way, h, seconds, starts[i], &seen);
        else if (scene == HINGE)
            press_hinge(way, h, seconds, starts[i], &seen);
        else
            drop(model, way, h, seconds, settings->seed + (uint64_t)i, &seen);
    return seen;
}

static void put_row(const sn_model *model, int scene, int way, int h, const struct seen *seen,
                    struct result *result) {
    static const char *const titles[] = {
        "driven: the target of an elbow 1 rad past its limit, kp = 1000, kd = 100, from rest 0.01 to 1 rad "
        "before it",
        "driven: a hinge, kp = 1e6, kd = 2 kp dt, target 1 rad past its limit, from rest 0.01 to 1 rad "
        "before it",
        "undamped: a humanoid without drives dropped from 1 m, orientations at random"};
    add_row(result, titles[scene], {"stepper", text(ways[way].stepper)}, {"contact", text(ways[way].contact)},
            {"dt", time_step(1.0 / hertz[h])}, {"runs", number(seen->runs)}, {"finite", number(seen->finite)},
            {"worst_degrees", seen->finite > 0 ? number(degrees(seen->worst)) : none()},
            {"worst_joint",
             text(seen->joint < 0 || scene == HINGE ? "-" : sn_model_body(model, seen->joint)->name)});
}

void hard_limits(const struct run_settings *settings, struct hard_limits *all, struct result *result) {
    sn_model *model = need_builtin("humanoid");
    for (int i = 0; i < HARD_LIMIT_RUNS && !interrupted(); i++) {
        const int scene = i / (WAYS * STEPS), way = i / STEPS % WAYS, h = i % STEPS;
        progress_step("%s, %s stepper, %s, 1/%d s", scene == FALL ? "undamped fall" : "driven",
                      ways[way].stepper, ways[way].contact, hertz[h]);
        const struct seen seen = run_scene(model, scene, way, h, settings);
        put_row(model, scene, way, h, &seen, result);
        double *worst = scene == ELBOW   ? &all->elbow
                        : scene == HINGE ? &all->hinge
                                         : &all->fall[ways[way].method == SN_CONTACT_IMPLICIT];
        if (!(degrees(seen.worst) < *worst)) *worst = degrees(seen.worst);
        if (scene != FALL && seen.finite < seen.runs) *worst = INFINITY;
        if (scene == FALL) all->falls += seen.runs, all->finite += seen.finite;
    }
    sn_model_free(model);
}
