/* Chains of rods: what a step costs. Particles tied by distance constraints are rows; the links of an articulated chain that
 * are each held at a distance from a point above are terms inside MABA. */
#include "tinkertoy_run.h"

#include "experiment.h"
#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>

enum { SIZES = 4 };
static const int size_of[SIZES] = {25, 50, 100, 200};
static const double dt = 1.0 / 60;

/* A rod of 0.2 m from a body, or from its end, to another or to a place in the world. */
static bool add_rod(sn_world *world, int member, int body, int member2, const double place[3], double length,
                    sn_error *error) {
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    def.member = member, def.body = body, def.member2 = member2, def.target[0] = length;
    for (int k = 0; k < 3; k++)
        def.point2[k] = place[k];
    def.stiffness = TOY_KP, def.damping = TOY_KD_OVER_KP_DT * TOY_KP * dt;
    return sn_world_add_constraint(world, &def, error) != 0;
}

static sn_world *make_world(sn_error *error) {
    sn_world_def def = sn_world_def_default();
    def.dt = dt, def.contact = SN_CONTACT_NONE;
    return sn_world_create(&def, error);
}

/* n particles in a row that hangs from its first and swings down. */
static bool build_particles(sn_world *world, const sn_model *bead, int n, sn_error *error) {
    for (int i = 0; i < n; i++) {
        const double at[7] = {0.2 * (i + 1), 0, 0, 1}, zero[3] = {0};
        if (sn_world_add(world, bead, error) != i) return false;
        sn_world_set_state(world, i, at, NULL);
        if (!add_rod(world, i, 0, i - 1, zero, 0.2, error)) return false;
    }
    return true;
}

/* A chain of n links, each at a rod from a place to its side. */
static bool build_links(sn_world *world, const sn_model *chain, int n, sn_error *error) {
    if (sn_world_add(world, chain, error) != 0) return false;
    for (int i = 0; i < n; i++)
        if (!add_rod(world, 0, i, -1, (const double[3]){0.5, 0, -0.2 * i}, 0.5, error)) return false;
    return true;
}

/* us per step, the least of the repetitions; the largest error of a rod comes out, too. NAN: see the error. */
static double measure(bool inside, int n, const struct run_settings *settings, sn_error *error) {
    const sn_shape_def shape = sphere_of(0.05, TOY_MASS);
    sn_model *model =
        inside ? scene_chain_model(n, SN_JOINT_BALL, false, error) : scene_body_model(&shape, error);
    sn_world *world = model ? make_world(error) : NULL;
    const bool built =
        world && (inside ? build_links(world, model, n, error) : build_particles(world, model, n, error));
    double best = built ? (double)INFINITY : (double)NAN;
    const int repetitions = settings->quick ? 5 : 40, steps = 5;
    for (int r = 0; r < repetitions && built && !interrupted(); r++) {
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

bool toy_chains(const struct run_settings *settings, struct toy_chains *seen, struct result *result) {
    double us[2][SIZES];
    sn_error error = {0};
    for (int k = 0; k < SIZES; k++) {
        for (int inside = 0; inside < 2; inside++) {
            us[inside][k] = measure(inside, size_of[k], settings, &error);
            if (error.status) return complain(EXIT_FAILED, "spd/tinkertoy: %s", error.message) == EXIT_DONE;
        }
        add_row(result, "chains of rods: time per step", {"rods", number(size_of[k])},
                {"between_particles_us", number(us[0][k])}, {"each_us", number(us[0][k] / size_of[k])},
                {"inside_maba_us", number(us[1][k])}, {"each_inside_us", number(us[1][k] / size_of[k])});
    }
    seen->rows = log(us[0][2] / us[0][0]) / log(4);
    seen->inside = log(us[1][2] / us[1][0]) / log(4);
    return true;
}
