/* sinew track: a character follows a motion under stable PD, root and joints (maba-2020 section 4.1); sinew crowd: many
 * do at once. Both take the same options. */
#include "commands.h"
#include "crowd.h"
#include "experiment_print.h"
#include "report_html.h"
#include "subject.h"
#include "terminal.h"
#include "track_run.h"
#include "whole_file.h"
#include "workload.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void help_track(void) {
    printf(
        "usage: sinew track CHARACTER MOTION [OPTIONS]\n\n"
        "Simulates the character following the motion and says how well it does. Both are built-in names\n"
        "(humanoid, dog, snake36, ...; walk, run, cartwheel, backflip, pace, trot, canter, slither,\n"
        "kick, pass, catch) or files. Errors of end effectors are distances of the vectors from the root to "
        "them, against the\n"
        "motion as it was carried over to the character. The angle between the limbs of the clip and of "
        "that\n"
        "motion is printed as well. On the ground, a fall is reported with its time: the root is lower than\n"
        "the motion's by half of its standing height, or turned by 60 degrees from it, for 0.25 s. With -n,\n"
        "many characters are simulated, as by 'sinew crowd'.\n\noptions\n");
    track_options_print();
}

void help_crowd(void) {
    printf("usage: sinew crowd CHARACTER MOTION [-n N] [OPTIONS]\n\n"
           "Lets N characters follow a motion, root and joints, each from its own place in it, at 30, 60,\n"
           "120 and 240 steps per second, on one thread and on all. Says what a step of one character\n"
           "costs, how many of them that makes in real time, how well they follow, and how many diverged;\n"
           "exits 1 when some did. Character and motion are built-in names or files, as for 'sinew track'.\n"
           "\noptions\n");
    track_options_print();
    printf("\nexamples\n"
           "  sinew crowd humanoid run -n 1000\n"
           "  sinew crowd dog canter -n 4096 --precision double --threads 1\n"
           "  sinew crowd humanoid walk --ground --limits --dt 1/120\n");
}

/* ---------------------------------------------------------------------------------------- what is reported of it */

/* The four joints with the largest torques. */
static void print_peaks(FILE *out, const struct track_run *r) {
    const int nbody = sn_model_get(r->model)->nbody;
    char *told = need_memory(NULL, (size_t)nbody);
    memset(told, 0, (size_t)nbody);
    fprintf(out, "torque peaks  ");
    for (int n = 0; n < 4; n++) {
        int best = -1;
        for (int i = 0; i < nbody; i++)
            if (!told[i] && sn_model_body(r->model, i)->joint.type != SN_JOINT_FREE &&
                (best < 0 || r->peak[i] > r->peak[best]))
                best = i;
        if (best < 0) break;
        told[best] = 1;
        fprintf(out, "%s%s %.0f", n ? ", " : "", sn_model_body(r->model, best)->name, r->peak[best]);
    }
    fprintf(out, " N m\n");
    free(told);
}

static void print_text(FILE *out, const struct track_run *r) {
    const struct track_task *t = r->task;
    fprintf(out, "%s tracks %s: %d degrees of freedom, %ld steps of %.6g s%s\n", t->character, t->clip,
            sn_model_get(r->model)->nv, r->steps, r->task->world.dt, r->stopped ? " (stopped)" : "");
    if (r->diverged) {
        fprintf(out, "%sdiverged%s after %.3f s\n", style(out, STYLE_BAD), style(out, STYLE_PLAIN),
                (double)r->steps * r->task->world.dt);
    } else {
        fprintf(out, "end effectors mean %.2f mm, max %.2f mm\n", 1e3 * r->error.effector_mean,
                1e3 * r->error.effector_max);
        if (sn_model_body(r->model, 0)->joint.type == SN_JOINT_FREE)
            fprintf(out, "root          mean %.2f mm, max %.2f mm from where the motion has it\n",
                    1e3 * r->error.root_mean, 1e3 * r->error.root_max);
        if (!isnan(r->fell))
            fprintf(out, "%sfell%s          after %.3f s: nothing balances it; see docs/ragdolls.md\n",
                    style(out, STYLE_BAD), style(out, STYLE_PLAIN), r->fell);
        if (sn_motion_get(r->motion)->apart > 0)
            fprintf(out,
                    "carried over  limbs %.1f degrees from the clip's; the errors are against the motion "
                    "carried over\n",
                    sn_motion_get(r->motion)->apart * 180 / M_PI);
        fprintf(out, "joint angles  mean %.4f rad, max %.4f rad (the worst joint of each step)\n",
                r->error.joint_mean, r->error.joint_max);
        print_peaks(out, r);
    }
    if (t->record) fprintf(out, "recording     %s\n", t->record);
    if (t->report) fprintf(out, "report        %s\n", t->report);
}

static cJSON *result_json(const struct track_run *r) {
    const struct track_task *t = r->task;
    cJSON *root = cJSON_CreateObject(), *error = cJSON_CreateObject(), *peaks = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "character", t->character);
    cJSON_AddStringToObject(root, "clip", t->clip);
    cJSON_AddNumberToObject(root, "nv", sn_model_get(r->model)->nv);
    cJSON_AddNumberToObject(root, "dt", r->task->world.dt);
    cJSON_AddStringToObject(root, "solver", solver_text(r->task->solver));
    cJSON_AddStringToObject(root, "form", form_name(r->task->world.form));
    cJSON_AddStringToObject(root, "stepper", stepper_name(r->task->world.stepper));
    cJSON_AddStringToObject(root, "precision", precision_name(r->task->world.precision));
    cJSON_AddNumberToObject(root, "duration", r->task->duration);
    cJSON_AddBoolToObject(root, "ground", r->task->ground);
    cJSON_AddNumberToObject(root, "steps", (double)r->steps);
    cJSON_AddBoolToObject(root, "diverged", r->diverged);
    cJSON_AddItemToObject(root, "error", error);
    cJSON_AddNumberToObject(error, "effector_mean", r->error.effector_mean);
    cJSON_AddNumberToObject(error, "effector_max", r->error.effector_max);
    cJSON_AddNumberToObject(error, "joint_mean", r->error.joint_mean);
    cJSON_AddNumberToObject(error, "joint_max", r->error.joint_max);
    cJSON_AddNumberToObject(error, "root_mean", r->error.root_mean);
    cJSON_AddNumberToObject(error, "root_max", r->error.root_max);
    if (isnan(r->fell))
        cJSON_AddNullToObject(root, "fell");
    else
        cJSON_AddNumberToObject(root, "fell", r->fell);
    cJSON_AddNumberToObject(root, "limbs_apart", sn_motion_get(r->motion)->apart);
    cJSON_AddItemToObject(root, "torque_peaks", peaks);
    for (int i = 0; i < sn_model_get(r->model)->nbody; i++)
        if (sn_model_body(r->model, i)->nv)
            cJSON_AddNumberToObject(peaks, sn_model_body(r->model, i)->name, r->peak[i]);
    return root;
}

static void print_as_json(FILE *out, const struct track_run *r) {
    cJSON *root = result_json(r);
    if (r->task->record) cJSON_AddStringToObject(root, "recording", r->task->record);
    if (r->task->report) cJSON_AddStringToObject(root, "report", r->task->report);
    print_json(out, root);
}

/* In words for people, in the order they should be read. */
static cJSON *settings_json(const struct track_run *r) {
    const struct track_task *t = r->task;
    cJSON *root = cJSON_CreateObject();
    char words[96];
    const bool chosen = t->frequency > 0;
    snprintf(words, sizeof words, "%.6g s (%.6g Hz)", r->task->world.dt, 1 / r->task->world.dt);
    cJSON_AddStringToObject(root, "time step", words);
    cJSON_AddStringToObject(root, "form", form_name(r->task->world.form));
    cJSON_AddStringToObject(root, "stepper", stepper_name(r->task->world.stepper));
    cJSON_AddStringToObject(root, "solver", solver_text(r->task->solver));
    cJSON_AddStringToObject(root, "precision", precision_name(r->task->world.precision));
    if (chosen)
        snprintf(words, sizeof words, "%g Hz, damping ratio %g", t->frequency, t->damping);
    else
        snprintf(words, sizeof words, "kp %g, kd %g", t->kp, t->kd);
    cJSON_AddStringToObject(root, "joint gains", !chosen && t->file_gains ? "as the file says" : words);
    snprintf(words, sizeof words, "kp %g, kd %g", t->root_kp, t->root_kd);
    cJSON_AddStringToObject(root, "root gains", t->free_root ? "none" : words);
    cJSON_AddStringToObject(root, "targets", t->target_velocity ? "positions and velocities" : "positions");
    snprintf(words, sizeof words, "at %.3f m, contact by %s", r->ground, contact_name(t->world.contact));
    cJSON_AddStringToObject(root, "ground", t->ground ? words : "none");
    return root;
}

/* ------------------------------------------------------------------------------------------------- the command */

/* Files that are open from before the run, so that a name that cannot be used is reported at once. */
struct outputs {
    struct whole_file record, report;
    char *page;
};

/* Where the result is reported: not in the midst of what goes to standard output. */
static FILE *beside_outputs(const struct track_task *t) {
    const bool taken =
        (t->record && is_standard_output(t->record)) || (t->report && is_standard_output(t->report));
    return taken ? stderr : stdout;
}

static bool outputs_open(struct outputs *o, const struct track_task *t) {
    if (t->report && !(o->page = report_template())) return false;
    if (t->record && !whole_file_open(&o->record, t->record)) return false;
    return !t->report || whole_file_open(&o->report, t->report);
}

/* .bvh and .glb are the library's own to write. */
static bool is_other_format(const char *path) {
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && (strcmp(ending, ".bvh") == 0 || strcmp(ending, ".glb") == 0);
}

/* A BVH has the skeleton of the clip that was followed, where there is one. */
static bool save_other(const struct track_run *run, const char *path, sn_recorder *recorder) {
    sn_clip *clip = strcmp(strrchr(path, '.'), ".bvh") == 0 ? track_clip(run) : NULL;
    sn_error error;
    const sn_status status =
        clip ? sn_clip_save(clip, path, &error) : sn_recorder_save(recorder, path, &error);
    sn_clip_free(clip);
    return status == SN_OK || complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
}

static bool outputs_write(struct outputs *o, const struct track_run *run, sn_recorder *recorder) {
    const struct track_task *t = run->task;
    const char *text = sn_recorder_text(recorder, NULL);
    if (!text) return complain(EXIT_FAILED, "the recording does not fit into memory") == EXIT_DONE;
    if (o->record.file && is_other_format(t->record)) {
        whole_file_drop(&o->record);
        if (!save_other(run, t->record, recorder)) return false;
    }
    if (o->record.file) fprintf(o->record.file, "%s\n", text);
    if (o->report.file) report_fill(o->report.file, o->page, text);
    const bool recorded = whole_file_close(&o->record);
    return whole_file_close(&o->report) && recorded;
}

static void outputs_free(struct outputs *o) {
    whole_file_drop(&o->record);
    whole_file_drop(&o->report);
    free(o->page);
}

/* The recorder keeps the value as text. */
static void note(sn_recorder *recorder, const char *key, cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    if (text) sn_recorder_note(recorder, key, text);
    cJSON_free(text);
    cJSON_Delete(json);
}

/* Runs it and writes what is asked for. */
static int track_and_record(struct track_run *run) {
    const struct track_task *t = run->task;
    struct outputs outputs = {0};
    const bool recorded = t->record || t->report;
    bool good = outputs_open(&outputs, t);
    sn_recorder *recorder = good && recorded ? track_recorder(run) : NULL;
    good = good && (recorder || !recorded);
    if (good) track_steps(run, recorder);
    if (good && recorder) {
        note(recorder, "settings", settings_json(run));
        note(recorder, "result", result_json(run));
        good = outputs_write(&outputs, run, recorder);
    }
    sn_recorder_free(recorder);
    outputs_free(&outputs);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int track(struct track_task *t, const sn_model *model, const sn_motion *motion) {
    struct track_run run;
    const double length = sn_motion_get(motion)->duration;
    if (t->duration <= 0) t->duration = sn_motion_get(motion)->loops ? fmax(5, length) : length;
    t->world.report_torque = true;
    int code = track_create(&run, t, model, motion);
    if (code == EXIT_DONE) code = track_and_record(&run);
    if (code == EXIT_DONE) {
        (t->json ? print_as_json : print_text)(beside_outputs(t), &run);
        code = run.stopped ? EXIT_INTERRUPTED : run.diverged ? EXIT_FAILED : EXIT_DONE;
    }
    track_free(&run);
    return code;
}

/* ------------------------------------------------------------------------------------------------ both commands */

static int run_task(const char *command, int argc, char **argv) {
    struct track_task t;
    int code = track_task_read(&t, command, argc, argv);
    if (code != EXIT_DONE) return code;
    char *map = t.map ? read_text(t.map) : NULL;
    sn_model *model = t.map && !map ? NULL : subject_model(t.character, &t.load);
    sn_motion *motion = model ? subject_motion(t.clip, model, map, &t.load, &t.cut) : NULL;
    code = motion ? (t.many ? crowd : track)(&t, model, motion) : EXIT_FAILED;
    sn_motion_free(motion);
    sn_model_free(model);
    free(map);
    return code;
}

int command_track(int argc, char **argv) {
    return run_task("track", argc, argv);
}

int command_crowd(int argc, char **argv) {
    return run_task("crowd", argc, argv);
}
