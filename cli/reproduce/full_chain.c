/* The 195-degree chain in several ways: its distance from a reference with small steps after two seconds, and the momentum that
 * its drives create. A drive between two bodies cannot change their common momentum. */
#include "full_run.h"

#include "need.h"
#include "progress.h"
#include "scenes/whole.h"
#include "terminal.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT, SNAPPED, CARRIED, START, MIDDLE, ENDS, WORLD, CHAIN_WAYS, STEPS = 3 };
static const int hertz[STEPS] = {240, 60, 30};

static const struct {
    const char *name;
    sn_full_method method;
    sn_full_repair repair;
    sn_full_products products;
} ways[CHAIN_WAYS] = {
    [KEPT] = {"full coordinates, kept factors", SN_FULL_METHOD_COUPLED, SN_FULL_REPAIR_PROJECTION,
              SN_FULL_PRODUCTS_ROWS},
    [SNAPPED] = {"full coordinates, snap", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_SNAP,
                 SN_FULL_PRODUCTS_ROWS},
    [CARRIED] = {"joints, carried", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_NONE, SN_FULL_PRODUCTS_CARRIED},
    [START] = {"joints, start", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_NONE, SN_FULL_PRODUCTS_START},
    [MIDDLE] = {"joints, middle", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_NONE, SN_FULL_PRODUCTS_MIDDLE},
    [ENDS] = {"joints, mean of both ends", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_NONE,
              SN_FULL_PRODUCTS_ENDS},
    [WORLD] = {.name = "a world, midpoint"},
};

/* By way and step. */
struct chain_seen {
    double rest[CHAIN_WAYS][STEPS], moving[CHAIN_WAYS][STEPS]; /* m off, from rest and in motion */
    double made[CHAIN_WAYS][STEPS];                            /* kg m/s, from rest in free space */
    double spin[CHAIN_WAYS];                                   /* part of an angular momentum that is left */
};

/* Centres of mass of the pose of a trial. */
static void put_centres(struct full_trial *t) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *d = need_dynamics(t->model, &def);
    double *pose = need_memory(NULL, 7 * (size_t)t->nbody * sizeof *pose);
    sn_dynamics_bodies(d, t->q, NULL, pose, NULL, NULL);
    for (int i = 0; i < t->nbody; i++) { /* x + c + 2 w (u x c) + 2 u x (u x c) */
        const double *c = sn_model_body(t->model, i)->com, *x = pose + 7 * i, *u = x + 4, w = x[3];
        const double a[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
        const double b[3] = {u[1] * a[2] - u[2] * a[1], u[2] * a[0] - u[0] * a[2], u[0] * a[1] - u[1] * a[0]};
        for (int k = 0; k < 3; k++)
            t->com[3 * i + k] = x[k] + c[k] + 2 * (w * a[k] + b[k]);
    }
    free(pose);
    sn_dynamics_free(d);
}

/* The same in a world with the default products. */
static bool run_world(struct full_trial *t) {
    sn_world_def def = sn_world_def_default();
    def.dt = t->run.dt;
    def.precision = SN_PRECISION_DOUBLE;
    memcpy(def.gravity, t->run.gravity, sizeof def.gravity);
    sn_world *world = need_world(&def);
    const int member = need_member(world, t->model);
    sn_world_set_gains(world, member, t->kp, t->kd);
    sn_world_set_state(world, member, t->q, t->qd);
    bool whole = true;
    for (int i = 0; i < t->run.steps && whole; i++) {
        sn_world_set_target(world, member, t->target + (size_t)i * (size_t)t->nq, NULL);
        whole = step_whole(world) == SN_OK;
    }
    sn_summary summary;
    sn_world_summary(world, member, 0, &summary);
    memcpy(t->momentum + 6, summary.linear_momentum, sizeof summary.linear_momentum);
    sn_world_get_state(world, member, t->q, NULL);
    if (whole) put_centres(t);
    sn_world_free(world);
    return whole;
}

struct chain_scene {
    double seconds;
    bool in_motion, floats;
};

static bool run_chain(int way, int hz, struct chain_scene scene, struct full_trial *t) {
    *t = full_trial_make(need_builtin("snake195"), (int)lround(scene.seconds * hz), 1.0 / hz);
    full_trial_sines(t, scene.in_motion);
    if (scene.floats) full_trial_float(t);
    if (way == WORLD) return run_world(t);
    t->run.products = ways[way].products;
    return full_trial_go(t, ways[way].method, ways[way].repair);
}

/* The largest distance of a centre of mass. */
static double distance(const struct full_trial *t, const double *com) {
    double most = 0;
    for (int i = 0; i < t->nbody; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += pow(t->com[3 * i + k] - com[3 * i + k], 2);
        if (!(sqrt(square) <= most)) most = sqrt(square);
    }
    return most;
}

/* How far all ways are from the smallest steps of joint coordinates. */
static void put_distances(bool quick, bool in_motion, double off[CHAIN_WAYS][STEPS]) {
    const struct chain_scene scene = {quick ? 0.2 : 2, in_motion, false};
    struct full_trial fine;
    run_chain(START, quick ? 1920 : 30720, scene, &fine);
    for (int way = 0; way < CHAIN_WAYS && !interrupted(); way++)
        for (int k = 0; k < STEPS; k++) {
            struct full_trial t;
            const bool went = run_chain(way, hertz[k], scene, &t);
            off[way][k] = went ? distance(&t, fine.com) : (double)NAN;
            full_trial_free(&t);
        }
    full_trial_free(&fine);
}

static void put_momenta(bool quick, double made[CHAIN_WAYS][STEPS]) {
    const struct chain_scene scene = {quick ? 0.2 : 2, false, true};
    for (int way = 0; way < CHAIN_WAYS && !interrupted(); way++)
        for (int k = 0; k < STEPS; k++) {
            struct full_trial t;
            const bool went = run_chain(way, hertz[k], scene, &t);
            const double *p = t.momentum + 6;
            made[way][k] = went ? sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) : (double)NAN;
            full_trial_free(&t);
        }
}

/* A humanoid that is held in a pose and turns at 6 rad/s for 10 s, at 1/60 s. */
static void put_spins(bool quick, double spin[CHAIN_WAYS]) {
    for (int way = 0; way < WORLD; way++) {
        struct full_trial t = full_trial_make(need_builtin("humanoid"), quick ? 12 : 600, 1.0 / 60);
        full_trial_float(&t);
        for (int v = 6; v < t.nv; v++)
            t.kp[v] = 3000, t.kd[v] = 300;
        for (int k = 3; k < 6; k++)
            t.qd[k] = 6 / sqrt(3);
        t.run.products = ways[way].products;
        const bool went = full_trial_go(&t, ways[way].method, ways[way].repair);
        double before = 0, after = 0;
        for (int k = 3; k < 6; k++)
            before += t.momentum[k] * t.momentum[k], after += t.momentum[6 + k] * t.momentum[6 + k];
        spin[way] = went ? sqrt(after / before) : (double)NAN;
        full_trial_free(&t);
    }
}

static void put_table(struct result *result, const char *table, double value[CHAIN_WAYS][STEPS]) {
    for (int way = 0; way < CHAIN_WAYS; way++)
        add_row(result, table, {"velocity_products", text(ways[way].name)}, {"1/240", number(value[way][0])},
                {"1/60", number(value[way][1])}, {"1/30", number(value[way][2])});
}

static void put_claims(const struct chain_seen *s, struct result *result) {
    add_claims(
        result,
        {at_most(0.5, FROM_MEASURED), none(), number(s->rest[KEPT][2] / s->rest[WORLD][2]),
         "from rest, full coordinates at 1/30 s are closer than a world: part of its distance"},
        {between(0.5, 2, FROM_MEASURED), none(), number(s->rest[CARRIED][2] / s->rest[KEPT][2]),
         "joint coordinates whose bodies carry their velocities are as close: times the distance"},
        {at_most(0.1, FROM_MEASURED), none(), number(s->made[ENDS][2] / s->made[MIDDLE][2]),
         "the mean of the products at both ends makes less momentum than products of the mean: part of it"},
        {at_most(0.5, FROM_MEASURED), none(), number(s->rest[ENDS][2] / s->rest[MIDDLE][2]),
         "and is closer: part of the distance"},
        {at_most(2, FROM_MEASURED), none(), number(s->moving[ENDS][2] / s->moving[MIDDLE][2]),
         "and not much farther where nothing starts at once: times the distance"},
        {between(0.99, 1.01, FROM_PROMISE), none(), number(s->spin[ENDS]),
         "and keeps the angular momentum of a held humanoid at 6 rad/s: part of it after 10 s"});
    result_close(result,
                 "All three eliminations solve the problem that MABA solves. From rest, the chain is %.2g m "
                 "off at 1/30 s in full "
                 "coordinates and %.2g m in a world; started in motion, %.2g and %.2g m. Coordinates are not "
                 "the reason: joint "
                 "coordinates whose bodies carry their velocities along are %.2g m off from rest. Products "
                 "of the mean velocity "
                 "turn each sudden change of qd into momentum of the whole; the mean of the products at both "
                 "ends does not, and "
                 "leaves %.2g m. Velocities that are carried along lag, which full coordinates pay for with "
                 "%.0f %% of a "
                 "humanoid's spin.",
                 s->rest[KEPT][2], s->rest[WORLD][2], s->moving[KEPT][2], s->moving[WORLD][2],
                 s->rest[CARRIED][2], s->rest[ENDS][2], 100 * (1 - s->spin[KEPT]));
}

void full_chain_rows(const struct run_settings *settings, struct result *result) {
    struct chain_seen s;
    progress_step("chain");
    put_distances(settings->quick, false, s.rest);
    put_distances(settings->quick, true, s.moving);
    put_momenta(settings->quick, s.made);
    put_spins(settings->quick, s.spin);
    if (interrupted()) return;
    put_table(result, "chain of 195 degrees of freedom after 2 s from rest: m off", s.rest);
    put_table(result, "the same, started in motion: m off", s.moving);
    put_table(result, "the same from rest in free space: momentum made, kg m/s", s.made);
    for (int way = 0; way < WORLD; way++)
        add_row(result, "humanoid held at 6 rad/s, 1/60 s: angular momentum after 10 s over that before",
                {"velocity_products", text(ways[way].name)}, {"left", number(s.spin[way])});
    put_claims(&s, result);
}
