/* sinew keyframe: a motion from a file of keyframes, by two stable-PD controllers that fade against each other (spd-2011
 * section 4.2), as a clip, a recording or a page. */
#include "commands.h"
#include "experiment_print.h"
#include "options.h"
#include "progress.h"
#include "report_html.h"
#include "subject.h"
#include "table.h"
#include "terminal.h"
#include "whole_file.h"
#include "scenes/whole.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {.help =
                                     "--model CHARACTER  instead of the one the file names\n"
                                     "--dt S  time step in seconds, or as 1/60 (default 1/60)\n"
                                     "--duration S  seconds to simulate (default: to the last key)\n"
                                     "--gravity G  m/s^2, downward (default 0)\n"
                                     "--ground  a floor at z = 0, and contact with it\n"
                                     "--form F  stable (default), explicit, implicit-d, full\n"
                                     "--spline  cubic splines through the keys instead of a simulation\n"
                                     "--rate HZ  frames per second of what is written (default 60)\n"
                                     "--report FILE  a page with the replay and the numbers, as run.html\n"
                                     "--json  print JSON instead of a table\n"};

void help_keyframe(void) {
    printf(
        "usage: sinew keyframe FILE [TO] [OPTIONS]\n\n"
        "Makes a motion of the keyframes in FILE (docs/formats.md): near its keys a joint is stiff, between\n"
        "them it is left to physics, so that what is not keyed drags, swings and settles. Says how far the\n"
        "keys are missed, and writes the motion to TO: .bvh, .glb, or a recording (.json) for 'sinew "
        "report'.\n"
        "Exits 1 when the simulation diverges.\n\noptions\n");
    options_print(&options);
    printf("\nexamples\n"
           "  sinew keyframe mouse.json mouse.bvh\n"
           "  sinew keyframe mouse.json --report mouse.html\n"
           "  sinew keyframe mouse.json --spline spline.bvh\n");
}

struct keyframe_run {
    sn_model *model;
    sn_keyframes *keys;
    sn_world *world;
    sn_recorder *recorder;
    double dt, duration, gravity, rate, largest_speed, diverged_at;
    bool spline, diverged;
    int form;
    double *q, *qd, *off, *way, *before, *last; /* pose; velocity; scratch */
    double *miss;                               /* [keys][2] of the keyed joints: m, rad; NAN: not reached */
    double *part;                               /* [keys] the larger, of the way from the key before */
};

/* ------------------------------------------------------------------------------------------------------ measuring */

/* Linear and angular length of the values of nv: those of slides and the first half of free joints are metres. */
static void lengths(const sn_model *model, const double *v, double length[2]) {
    double square[2] = {0, 0};
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        for (int k = 0; k < b->nv; k++) {
            const bool metres = b->joint.type == SN_JOINT_SLIDE || (b->joint.type == SN_JOINT_FREE && k < 3);
            square[!metres] += v[b->v_index + k] * v[b->v_index + k];
        }
    }
    length[0] = sqrt(square[0]), length[1] = sqrt(square[1]);
}

/* Joints that no key moves are left out: what they do is secondary motion. */
static void look_at_key(struct keyframe_run *r, int key) {
    double way[2];
    sn_keyframes_spline(r->keys, sn_keyframes_get(r->keys)->time[key], r->before, NULL);
    sn_model_pose_subtract(r->model, 1, r->q, r->before, r->off);
    sn_keyframes_spline(r->keys, sn_keyframes_get(r->keys)->time[key > 0 ? key - 1 : 0], r->last, NULL);
    sn_model_pose_subtract(r->model, 1, r->before, r->last, r->way);
    lengths(r->model, r->way, way);
    for (int b = 0; b < sn_model_get(r->model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(r->model, b);
        double moved = 0;
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            moved += fabs(r->way[v]);
        for (int v = body->v_index; v < body->v_index + body->nv && moved == 0; v++)
            r->off[v] = 0;
    }
    lengths(r->model, r->off, r->miss + 2 * key);
    r->part[key] = 0;
    for (int k = 0; k < 2; k++)
        if (way[k] > 1e-9) r->part[key] = fmax(r->part[key], r->miss[2 * key + k] / way[k]);
}

/* ---------------------------------------------------------------------------------------------------------- running */

static bool step(struct keyframe_run *r, double end) {
    if (r->spline) {
        sn_keyframes_spline(r->keys, end, r->q, NULL);
        sn_recorder_pose(r->recorder, "simulated", r->model, r->q, NULL);
        return true;
    }
    if (sn_keyframes_apply(r->keys, r->world, 0, -1, end) != SN_OK || step_whole(r->world) != SN_OK)
        return false;
    sn_world_get_state(r->world, 0, r->q, r->qd);
    for (int v = 0; v < sn_model_get(r->model)->nv; v++)
        r->largest_speed = fmax(r->largest_speed, fabs(r->qd[v]));
    return true;
}

static bool run_steps(struct keyframe_run *r) {
    const double first = sn_keyframes_get(r->keys)->time[0];
    const int keys = sn_keyframes_get(r->keys)->count;
    const long steps = lround(r->duration / r->dt);
    int key = 0;
    sn_keyframes_spline(r->keys, first, r->q, NULL);
    if (r->world) sn_world_set_state(r->world, 0, r->q, NULL);
    if (r->spline) sn_recorder_pose(r->recorder, "simulated", r->model, r->q, NULL);
    progress_start("keyframe", 100);
    for (long i = 0; i <= steps && !r->diverged && !interrupted(); i++) {
        const double time = (double)i * r->dt;
        if (i * 100 / (steps + 1) != (i - 1) * 100 / (steps + 1))
            progress_step("%.2f s of %.2f s", time, r->duration);
        if (i > 0 && !step(r, first + time)) {
            r->diverged = true;
            r->diverged_at = time;
            sn_recorder_event(r->recorder, time, "diverged", "the state stopped being sane");
            break;
        }
        for (; key < keys && sn_keyframes_get(r->keys)->time[key] - first <= time + 0.5 * r->dt; key++)
            look_at_key(r, key);
        if (sn_recorder_take(r->recorder, time) != SN_OK)
            return complain(EXIT_FAILED, "the recording does not fit into memory") == EXIT_DONE;
    }
    progress_end();
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- telling */

static void print_table(const struct keyframe_run *r, const char *file) {
    static const char *const heading[] = {"key", "s", "missed by m", "rad", "of the way"};
    struct table table;
    char cell[64];
    printf("%s: %d keys, %d degrees of freedom, %s, steps of %.6g s\n", file,
           sn_keyframes_get(r->keys)->count, sn_model_get(r->model)->nv,
           r->spline ? "cubic splines" : "two stable-PD controllers", r->dt);
    if (r->diverged)
        printf("%sdiverged%s after %.3f s\n", style(stdout, STYLE_BAD), style(stdout, STYLE_PLAIN),
               r->diverged_at);
    table_start(&table, 5, heading);
    for (int i = 0; i < sn_keyframes_get(r->keys)->count; i++) {
        const double value[] = {sn_keyframes_get(r->keys)->time[i], r->miss[2 * i], r->miss[2 * i + 1]};
        snprintf(cell, sizeof cell, "%d", i);
        table_add(&table, cell, false);
        for (int k = 0; k < 3; k++) {
            snprintf(cell, sizeof cell, k ? "%.5f" : "%.3f", value[k]);
            table_add(&table, isnan(value[k]) ? "-" : cell, false);
        }
        snprintf(cell, sizeof cell, "%.2f %%", 100 * r->part[i]);
        table_add(&table, isnan(r->part[i]) ? "-" : cell, false);
    }
    table_print(&table, stdout);
    table_free(&table);
}

static cJSON *result_json(const struct keyframe_run *r, const char *file) {
    cJSON *root = cJSON_CreateObject(), *keys = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "keyframes", file);
    cJSON_AddNumberToObject(root, "nv", sn_model_get(r->model)->nv);
    cJSON_AddNumberToObject(root, "dt", r->dt);
    cJSON_AddBoolToObject(root, "spline", r->spline);
    cJSON_AddBoolToObject(root, "diverged", r->diverged);
    cJSON_AddItemToObject(root, "keys", keys);
    for (int i = 0; i < sn_keyframes_get(r->keys)->count; i++) {
        cJSON *key = cJSON_CreateObject();
        cJSON_AddNumberToObject(key, "time", sn_keyframes_get(r->keys)->time[i]);
        cJSON_AddNumberToObject(key, "missed_m", r->miss[2 * i]);
        cJSON_AddNumberToObject(key, "missed_rad", r->miss[2 * i + 1]);
        cJSON_AddNumberToObject(key, "of_the_way", r->part[i]);
        cJSON_AddItemToArray(keys, key);
    }
    return root;
}

/* ---------------------------------------------------------------------------------------------------------- making */

/* The name of the model in the file, to be freed; NULL after a complaint. */
static char *model_of(const char *file) {
    char *text = read_text(file);
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "model"));
    char *copy = name ? copy_text(name) : NULL;
    if (text && !root) complain(EXIT_FAILED, "%s is not JSON", file);
    if (root && !name) complain(EXIT_FAILED, "%s names no model; --model would", file);
    cJSON_Delete(root);
    free(text);
    return copy;
}

static int make_world(struct keyframe_run *r) {
    sn_error error = {0};
    sn_world_def def = sn_world_def_default();
    const bool ground = option_given(&options, "--ground");
    def.dt = r->dt, def.gravity[2] = -r->gravity, def.form = (sn_form)r->form;
    if (!ground) def.contact = SN_CONTACT_NONE;
    r->world = sn_world_create(&def, &error);
    if (!r->world || sn_world_add(r->world, r->model, &error) != 0)
        return complain(EXIT_FAILED, "%s", error.message);
    if (ground &&
        sn_world_add_plane(r->world, (const double[]){0, 0, 0}, (const double[]){0, 0, 1}, NULL, &error) < 0)
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_DONE;
}

static int make_run(struct keyframe_run *r, const char *file) {
    static const char *const forms[] = {"stable", "explicit", "implicit-d", "full", NULL};
    const sn_load_def load = subject_options(false);
    sn_error error = {0};
    int code = option_real(&options, "--dt", 1e-6, 1, &r->dt);
    if (code == EXIT_DONE) code = option_real(&options, "--duration", 1e-6, 1e5, &r->duration);
    if (code == EXIT_DONE) code = option_real(&options, "--gravity", -1e3, 1e3, &r->gravity);
    if (code == EXIT_DONE) code = option_real(&options, "--rate", 1e-3, 1e6, &r->rate);
    if (code == EXIT_DONE) code = option_choice(&options, "--form", "form", forms, &r->form);
    if (code != EXIT_DONE) return code;
    char *name =
        option_given(&options, "--model") ? copy_text(option_text(&options, "--model", "")) : model_of(file);
    r->model = name ? subject_model(name, &load) : NULL;
    free(name);
    if (!r->model) return EXIT_FAILED;
    r->keys = sn_keyframes_load(file, r->model, NULL, &error);
    if (!r->keys) return complain(EXIT_FAILED, "%s", error.message);
    const int keys = sn_keyframes_get(r->keys)->count;
    if (r->duration <= 0)
        r->duration = sn_keyframes_get(r->keys)->time[keys - 1] - sn_keyframes_get(r->keys)->time[0];
    r->spline = option_given(&options, "--spline");
    const size_t nq = (size_t)sn_model_get(r->model)->nq, values = 6 * nq + 3 * (size_t)keys;
    r->q = need_memory(NULL, values * sizeof *r->q);
    r->qd = r->q + nq, r->off = r->qd + nq, r->way = r->off + nq, r->before = r->way + nq,
    r->last = r->before + nq, r->miss = r->last + nq;
    r->part = r->miss + 2 * keys;
    for (size_t i = 0; i < values; i++)
        r->q[i] = i < 6 * nq ? 0 : (double)NAN;
    if (!r->spline && (code = make_world(r)) != EXIT_DONE) return code;
    sn_recorder_def def = sn_recorder_def_default();
    def.rate = r->rate;
    r->recorder = sn_recorder_create(r->world, &def, &error);
    return r->recorder ? EXIT_DONE : complain(EXIT_FAILED, "%s", error.message);
}

static int write_report(struct keyframe_run *r, const char *path) {
    struct whole_file file = {0};
    char *page = report_template();
    const char *text = sn_recorder_text(r->recorder, NULL);
    bool good = page && text && whole_file_open(&file, path);
    if (good) report_fill(file.file, page, text);
    good = good && whole_file_close(&file);
    whole_file_drop(&file);
    free(page);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int run(struct keyframe_run *r, const char *file, const char *to) {
    sn_error error = {0};
    const char *report = option_text(&options, "--report", NULL);
    int code = make_run(r, file);
    if (code == EXIT_DONE && !run_steps(r)) code = EXIT_FAILED;
    if (code != EXIT_DONE) return code;
    cJSON *result = result_json(r, file);
    char *text = cJSON_PrintUnformatted(result);
    if (text) sn_recorder_note(r->recorder, "result", text);
    cJSON_free(text);
    if (to && sn_recorder_save(r->recorder, to, &error)) code = complain(EXIT_FAILED, "%s", error.message);
    if (report && code == EXIT_DONE) code = write_report(r, report);
    if (option_given(&options, "--json")) {
        print_json(stdout, result);
    } else {
        print_table(r, file);
        if (to && code == EXIT_DONE) printf("motion  %s\n", to);
        if (report && code == EXIT_DONE) printf("report  %s\n", report);
        cJSON_Delete(result);
    }
    if (code != EXIT_DONE) return code;
    return interrupted() ? EXIT_INTERRUPTED : r->diverged ? EXIT_FAILED : EXIT_DONE;
}

int command_keyframe(int argc, char **argv) {
    struct keyframe_run r = {.dt = 1.0 / 60, .rate = 60};
    int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword < 1 || options.nword > 2)
        return complain(EXIT_USAGE, "usage: sinew keyframe FILE [TO] [OPTIONS]");
    code = run(&r, options.word[0], options.nword > 1 ? options.word[1] : NULL);
    sn_recorder_free(r.recorder);
    sn_world_free(r.world);
    sn_keyframes_free(r.keys);
    sn_model_free(r.model);
    free(r.q);
    return code;
}
