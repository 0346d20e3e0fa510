/* Chains of rods: what a step costs. Particles tied by distance constraints are rows; the links of an articulated chain that
 * are each held at a distance from a point above are terms inside MABA. */
#include "tinkertoy_run.h"

#include "experiment.h"
#include "need.h"
#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>

enum { SIZES = 4 };
static const int size_of[SIZES] = {25, 50, 100, 200};
static const double dt = 1.0 / 60;

/* A rod of 0.2 m from a body, or from its end, to another or to a place in the world. */
static void add_rod(sn_world *world, int member, int body, int member2, const double place[3],
                    double length) {
    sn_error error = {0};
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    def.member = member, def.body = body, def.member2 = member2, def.target[0] = length;
    for (int k = 0; k < 3; k++)
        def.point2[k] = place[k];
    def.stiffness = TOY_KP, def.damping = TOY_KD_OVER_KP_DT * TOY_KP * dt;
    need(sn_world_add_constraint(world, &def, &error) != 0, &error);
}

static sn_world *make_world(void) {
    sn_world_def def = sn_world_def_default();
    def.dt = dt, def.contact = SN_CONTACT_NONE;
    return need_world(&def);
}

/* n particles in a row that hangs from its first and swings down. */
static void build_particles(sn_world *world, const sn_model *bead, int n) {
    for (int i = 0; i < n; i++) {
        const double at[7] = {0.2 * (i + 1), 0, 0, 1}, zero[3] = {0};
        sn_world_set_state(world, need_member(world, bead), at, NULL);
        add_rod(world, i, 0, i - 1, zero, 0.2);
    }
}

/* A chain of n links, each at a rod from a place to its side. */
static void build_links(sn_world *world, const sn_model *chain, int n) {
    need_member(world, chain);
    for (int i = 0; i < n; i++)
        add_rod(world, 0, i, -1, (const double[3]){0.5, 0, -0.2 * i}, 0.5);
}

/* us per step, the least of the repetitions; NAN: the world diverges. */
static double measure(bool inside, int n, const struct run_settings *settings) {
    const sn_shape_def shape = sphere_of(0.05, TOY_MASS);
    sn_error error = {0};
    sn_model *model = need_model(inside ? scene_chain_model(n, SN_JOINT_BALL, false, &error)
                                        : scene_body_model(&shape, &error),
                                 &error);
    sn_world *world = make_world();
    double best = INFINITY;
    const int repetitions = settings->quick ? 5 : 40, steps = 5;
    if (inside)
        build_links(world, model, n);
    else
        build_particles(world, model, n);
    for (int r = 0; r < repetitions && !interrupted(); r++) {
        const double start = clock_seconds();
        for (int i = 0; i < steps; i++)
            if (step_whole(world) != SN_OK) best = (double)NAN;
        const double us = 1e6 * (clock_seconds() - start) / steps;
        if (us < best) best = us;
    }
    sn_world_free(world);
    sn_model_free(model);
    return best;
}

void toy_chains(const struct run_settings *settings, struct toy_chains *seen, struct result *result) {
    double us[2][SIZES];
    for (int k = 0; k < SIZES; k++) {
        for (int inside = 0; inside < 2; inside++)
            us[inside][k] = measure(inside, size_of[k], settings);
        add_row(result, "chains of rods: time per step", {"rods", number(size_of[k])},
                {"between_particles_us", number(us[0][k])}, {"each_us", number(us[0][k] / size_of[k])},
                {"inside_maba_us", number(us[1][k])}, {"each_inside_us", number(us[1][k] / size_of[k])});
    }
    seen->rows = log(us[0][2] / us[0][0]) / log(4);
    seen->inside = log(us[1][2] / us[1][0]) / log(4);
}
