/* sinew bench position: the 195-dof chain, every joint swinging at 3 Hz by 0.75 rad, at steps from 1/240 to 1/10 s: stable PD
 * with explicit and with refined velocity products, the position stepper, and MuJoCo's implicit integrator where its
 * program is there. */
#include "bench_position.h"

#include "experiment.h"
#include "experiment_print.h"
#include "motion_gen.h"
#include "options.h"
#include "peer.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"
#include "scenes/whole.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--model M  another built-in model (default snake195)\n--hertz F  of the swing (default "
            "3)\n--sway A  its size, rad (default 0.75)\n--seconds S  to simulate (default 5)\n--precision P "
            " double (default) or float\n--json  print JSON instead of tables\n"};

void help_bench_position(void) {
    printf("usage: sinew bench position [--model M] [--hertz F] [--sway A] [--seconds S] [--precision P] "
           "[--json]\n\nHow well stiff drives (kp 75000, kd 4000) are followed at steps from 1/240 to 1/10 "
           "s: root mean\nsquare of the joints' errors, and the largest of the last second. Beside it "
           "MuJoCo's implicit\nintegrator when its program peer_mujoco_ground lies in ../bench or in the "
           "folder that\nSINEW_PEERS names.\n\noptions\n");
    options_print(&options);
}

enum { STEPS = 5 };
static const int hertz[STEPS] = {240, 120, 60, 30, 10};

static const struct way {
    const char *name;
    sn_stepper stepper;
    sn_form form;
    sn_products products;
    sn_scheme scheme;
    int sweeps;
} ways[] = {
    {"stable PD, explicit products", SN_STEPPER_TIME, SN_FORM_STABLE, SN_PRODUCTS_EXPLICIT, SN_SCHEME_PBAD2,
     0},
    {"stable PD, refined products", SN_STEPPER_TIME, SN_FORM_STABLE, SN_PRODUCTS_MIDPOINT, SN_SCHEME_PBAD2, 0},
    {"full form, refined products", SN_STEPPER_TIME, SN_FORM_FULL, SN_PRODUCTS_MIDPOINT, SN_SCHEME_PBAD2, 0},
    {"position, one sweep", SN_STEPPER_POSITION, SN_FORM_FULL, SN_PRODUCTS_EXPLICIT, SN_SCHEME_PBAD2, 1},
    {"position, two sweeps", SN_STEPPER_POSITION, SN_FORM_FULL, SN_PRODUCTS_EXPLICIT, SN_SCHEME_PBAD2, 2},
    {"position, BDF2, three sweeps", SN_STEPPER_POSITION, SN_FORM_FULL, SN_PRODUCTS_EXPLICIT, SN_SCHEME_BDF2,
     3},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct swing {
    const char *model;
    double hertz, sway, seconds;
    int precision;
};

/* ----------------------------------------------------------------------------------------------------- the motion */

/* Balls about axes of their own, hinges about theirs, all with phases of their own; the root stays. */
static void swing_at(const struct swing *s, const sn_model *model, double t, double *q, double *qd,
                     double *room) {
    const double turn = 2 * M_PI, w = turn * s->hertz;
    uint64_t seed = 1;
    double *zero = room, *angle = room + sn_model_get(model)->nq;
    sn_model_zero_pose(model, zero);
    memset(qd, 0, (size_t)sn_model_get(model)->nv * sizeof *qd);
    memset(angle, 0, (size_t)sn_model_get(model)->nv * sizeof *angle);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const double z = 2 * random_uniform(&seed) - 1, about = turn * random_uniform(&seed);
        const double phase = turn * random_uniform(&seed), r = sqrt(1 - z * z);
        const double axis[3] = {r * cos(about), r * sin(about), z}, one[3] = {1, 0, 0};
        const double *d = b->nv == 3 ? axis : one;
        for (int k = 0; k < b->nv && b->parent >= 0 && k < 3; k++) {
            angle[b->v_index + k] = d[k] * s->sway * sin(w * t + phase);
            qd[b->v_index + k] = d[k] * s->sway * w * cos(w * t + phase);
        }
    }
    sn_model_pose_add(model, 1, zero, angle, q);
}

/* -------------------------------------------------------------------------------------------------------- our own */

struct seen {
    bool known, finite;
    double rms, worst, us;
};

static sn_world *make_world(const struct swing *s, const struct way *way, const sn_model *model, double dt,
                            sn_error *error) {
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.precision = (sn_precision)s->precision;
    def.contact = SN_CONTACT_NONE;
    def.joint_limits = false;
    def.stepper = way->stepper, def.form = way->form, def.products = way->products;
    def.scheme = way->scheme, def.sweeps = way->sweeps;
    sn_world *world = sn_world_create(&def, error);
    if (world && sn_world_add(world, model, error) == 0) return world;
    sn_world_free(world);
    return NULL;
}

/* The largest angle between pose and target of any joint; adds squares up. */
static double pose_error(const sn_model *model, const double *d, double *squares) {
    double worst = 0;
    int joints = 0;
    double sum = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        double square = 0;
        if (b->parent < 0 || !b->nv) continue;
        for (int k = 0; k < b->nv; k++)
            square += d[b->v_index + k] * d[b->v_index + k];
        worst = fmax(worst, sqrt(square));
        sum += square;
        joints++;
    }
    *squares += joints ? sum / joints : 0;
    return worst;
}

static struct seen watch_ours(const struct swing *s, const struct way *way, const sn_model *model,
                              double dt) {
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    const int steps = (int)lround(s->seconds / dt);
    sn_error error = {0};
    struct seen seen = {.finite = true, .us = (double)INFINITY};
    sn_world *world = make_world(s, way, model, dt, &error);
    if (!world) {
        complain(EXIT_FAILED, "%s: %s", way->name, error.message);
        return seen;
    }
    double *q = need_memory(NULL, (3 * nq + 6 * nv) * sizeof *q), *target = q + nq, *room = target + nq;
    double *qd = room + nq + nv, *rate = qd + nv, *d = rate + nv, *kp = d + nv, *kd = kp + nv;
    sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kd);
    sn_world_set_gains(world, 0, kp, kd);
    swing_at(s, model, 0, q, qd, room);
    sn_world_set_state(world, 0, q, qd);
    double squares = 0;
    for (int i = 0; i < steps && seen.finite && !interrupted(); i++) {
        swing_at(s, model, (i + 1) * dt, target, rate, room);
        sn_world_set_target(world, 0, target, rate);
        const double before = clock_seconds();
        seen.finite = step_whole(world) == SN_OK;
        seen.us = fmin(seen.us, 1e6 * (clock_seconds() - before));
        sn_world_get_state(world, 0, q, NULL);
        sn_model_pose_subtract(model, 1, q, target, d);
        const double worst = pose_error(model, d, &squares);
        if ((i + 1) * dt > s->seconds - 1) seen.worst = fmax(seen.worst, worst);
    }
    seen.rms = sqrt(squares / steps);
    seen.known = true;
    free(q);
    sn_world_free(world);
    return seen;
}

/* ------------------------------------------------------------------------------------------------------- the other */

static struct seen watch_peer(const struct swing *s, const struct peer *peer, double dt) {
    const struct peer_run run = {.scene = "track",
                                 .method = "implicit",
                                 .dt = dt,
                                 .seconds = s->seconds,
                                 .kp = 75000,
                                 .kd = 4000,
                                 .repeat = 1,
                                 .hertz = s->hertz,
                                 .sway = s->sway};
    cJSON *answer = peer_ask(peer, &run);
    if (!answer) return (struct seen){0};
    const struct seen seen = {true, cJSON_IsTrue(cJSON_GetObjectItem(answer, "finite")), (double)NAN,
                              peer_number(answer, "error"), peer_number(answer, "us_per_step")};
    cJSON_Delete(answer);
    return seen;
}

/* An error of a whole turn does not count as tracking, even if it is finite. */
static void put_row(struct result *result, const char *name, int rate, const struct seen *seen) {
    const bool lost = !seen->finite || seen->worst > 2 * M_PI - 0.5 || seen->rms > 3;
    add_row(result, NULL, {"way", text(name)}, {"1/dt", number(rate)},
            {"verdict", text(!seen->finite ? "blows up"
                             : lost        ? "tumbles"
                                           : "follows")},
            {"rms_rad", seen->finite && isfinite(seen->rms) ? number(seen->rms) : text("-")},
            {"worst_rad", seen->finite ? number(seen->worst) : text("-")}, {"us", number(seen->us)});
}

static int run(const struct swing *s, const sn_model *model, bool json_wanted) {
    struct peer peer;
    struct result rows = {0};
    bool good = true;
    const bool found = peer_find(&peer, model);
    progress_start("bench position", (WAYS + found) * STEPS);
    for (int w = 0; w < WAYS + found; w++)
        for (int i = 0; i < STEPS && good && !interrupted(); i++) {
            const char *name = w < WAYS ? ways[w].name : "MuJoCo, implicit";
            progress_step("%s, 1/%d s", name, hertz[i]);
            const struct seen seen = w < WAYS ? watch_ours(s, &ways[w], model, 1.0 / hertz[i])
                                              : watch_peer(s, &peer, 1.0 / hertz[i]);
            good = seen.known || interrupted();
            if (seen.known) put_row(&rows, name, hertz[i], &seen);
        }
    progress_end();
    cJSON *json = json_wanted ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "kp 75000, kd 4000: errors of joints, microseconds of a step", &rows);
    if (json) print_json(stdout, json);
    peer_free(&peer);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return good ? EXIT_DONE : EXIT_FAILED;
}

int bench_position(int argc, char **argv) {
    static const char *const precisions[] = {"double", "float", NULL};
    struct swing s = {.hertz = 3, .sway = 0.75, .seconds = 5};
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE && options.nword > 1)
        code = complain(EXIT_USAGE, "'%s' is one word too many", options.word[1]);
    if (code == EXIT_DONE) code = option_real(&options, "--hertz", 1e-3, 1e3, &s.hertz);
    if (code == EXIT_DONE) code = option_real(&options, "--sway", 0, 3, &s.sway);
    if (code == EXIT_DONE) code = option_real(&options, "--seconds", 0.1, 1e4, &s.seconds);
    if (code == EXIT_DONE)
        code = option_choice(&options, "--precision", "precision", precisions, &s.precision);
    if (code != EXIT_DONE) return code;
    sn_error error = {0};
    s.model = option_text(&options, "--model", "snake195");
    sn_model *model = sn_builtin_create(s.model, &error);
    if (!model) return complain(EXIT_FAILED, "%s: %s", s.model, error.message);
    code = run(&s, model, option_given(&options, "--json"));
    sn_model_free(model);
    return code;
}
