/* sinew track: a character follows a motion under stable PD, root and joints (maba-2020 section 4.1). */
#include "commands.h"
#include "options.h"
#include "recording.h"
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

static struct option options[] = {
    {"--dt", "S", "time step in seconds, or as 1/240 (default 1/240)", NULL},
    {"--duration", "S", "seconds to simulate (default: the motion once, a looping one 5 s)", NULL},
    {"--solver", "S", "maba (default), dense, lapack, sparse, pcg", NULL},
    {"--form", "F", "stable (default), explicit, implicit-d, full", NULL},
    {"--precision", "P", "double (default) or float", NULL},
    {"--kp", "K", "gain of the joints (default 75000)", NULL},
    {"--kd", "K", "damping of the joints (default 4000)", NULL},
    {"--root-kp", "K", "gain of the root (default 20000)", NULL},
    {"--root-kd", "K", "damping of the root (default 2000)", NULL},
    {"--gain", "LIST", "gains of single joints, as knee=300:30,hip=500:50", NULL},
    {"--frequency", "HZ", "joint gains from this natural frequency instead ...", NULL},
    {"--damping", "Z", "... and this damping ratio (default 1)", NULL},
    {"--file-gains", NULL, "joint gains as the character's file says", NULL},
    {"--free-root", NULL, "nothing holds the root", NULL},
    {"--no-velocity", NULL, "track positions only, not the motion's velocities", NULL},
    {"--ground", NULL, "a floor at the motion's lowest point, and contact with it (solver maba)", NULL},
    {"--contact", "C", "with the ground: rows (default) or implicit", NULL},
    {"--limits", NULL, "with --ground: keep the joints within their limits", NULL},
    {"--map", "FILE", "JSON that maps bodies to the clip's joints", NULL},
    {"--allow-missing-mesh", NULL, "leave out meshes that cannot be read", NULL},
    {"--record", "FILE", "where the recording goes; '-' is standard output (default: no recording)", NULL},
    {"--no-record", NULL, "write no recording, whatever --record says", NULL},
    {"--rate", "HZ", "frames a second in recording and report (default 60)", NULL},
    {"--report", "FILE", "a page with the replay, plots and numbers, as run.html; or '-'", NULL},
    {"--json", NULL, "print JSON instead of tables", NULL},
    {"--help", NULL, "this text", NULL},
    {0},
};

void help_track(void) {
    printf("usage: sinew track CHARACTER MOTION [OPTIONS]\n\n"
           "Simulates the character following the motion and says how well it does. Both are built-in names\n"
           "(humanoid, dog, snake36, ...; walk, run, cartwheel, backflip, pace, trot, canter, slither) or\n"
           "files. Errors of end effectors are distances of the vectors from the root to them.\n\noptions\n");
    options_print(options);
}

/* "0.01" or "1/240". */
static bool parse_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (*end == '/' && end != text) {
        char *over = end + 1;
        *value /= strtod(over, &end);
        if (end == over) return false;
    }
    return end != text && *end == '\0' && isfinite(*value);
}

static int option_real(const char *name, double lower, double *value) {
    const char *text = option_text(options, name, NULL);
    if (!text) return EXIT_DONE;
    if (parse_number(text, value) && *value >= lower) return EXIT_DONE;
    return complain(EXIT_USAGE, "%s needs a number%s, not '%s'", name,
                    lower > 0 ? " above 0" : " of at least 0", text);
}

/* The index of a word in a list, or -1 after a complaint. */
static int option_choice(const char *name, const char *kind, const char *const *choices) {
    const char *text = option_text(options, name, choices[0]);
    for (int i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0) return i;
    complain_unknown(kind, text, choices);
    return -1;
}

/* What the command line asks for. */
struct task {
    const char *character, *clip;
    struct track_def run; /* duration 0: as the motion says */
    double kp, kd, root_kp, root_kd, frequency, damping;
    double rate;                 /* of the recording, Hz */
    const char *record, *report; /* where they go; NULL: nowhere */
    bool json;
};

/* Form, solver, precision, ground. */
static int read_choices(struct track_def *run) {
    static const char *const forms[] = {"stable", "explicit", "implicit-d", "full", NULL};
    static const char *const solvers[] = {"maba", "dense", "lapack", "sparse", "pcg", NULL};
    static const char *const precisions[] = {"double", "float", NULL};
    static const char *const contacts[] = {"rows", "implicit", NULL};
    const int form = option_choice("--form", "form", forms),
              solver = option_choice("--solver", "solver", solvers);
    const int precision = option_choice("--precision", "precision", precisions);
    const int contact = option_choice("--contact", "contact", contacts);
    if (form < 0 || solver < 0 || precision < 0 || contact < 0) return EXIT_USAGE;
    run->character.form = (sn_form)form;
    run->character.solver = (sn_solver)solver;
    run->character.precision = (sn_precision)precision;
    run->character.report_torque = true;
    run->contact = contact ? SN_CONTACT_IMPLICIT : SN_CONTACT_ROWS;
    run->ground = option_given(options, "--ground");
    run->joint_limits = option_given(options, "--limits");
    run->target_velocity = !option_given(options, "--no-velocity");
    if (run->ground && solver)
        return complain(EXIT_USAGE, "--ground goes with the solver maba, not with '%s'", solvers[solver]);
    if (!run->ground && (run->joint_limits || option_given(options, "--contact")))
        return complain(EXIT_USAGE, "--limits and --contact go with --ground");
    return EXIT_DONE;
}

static int read_task(struct task *t, const struct command_line *line) {
    if (line->nword != 2)
        return complain(EXIT_USAGE, "track needs a character and a motion; 'sinew help track' tells more");
    *t = (struct task){.character = line->words[0],
                       .clip = line->words[1],
                       .run.character = sn_character_def_default(),
                       .kp = 75000,
                       .kd = 4000,
                       .root_kp = 20000,
                       .root_kd = 2000,
                       .damping = 1,
                       .rate = 60,
                       .json = option_given(options, "--json")};
    const int choices = read_choices(&t->run);
    if (choices) return choices;
    if (!option_given(options, "--no-record")) t->record = option_text(options, "--record", NULL);
    t->report = option_text(options, "--report", NULL);
    if (t->record && t->report && strcmp(t->record, t->report) == 0)
        return complain(EXIT_USAGE, "recording and report cannot both go to '%s'", t->record);
    const struct {
        const char *name;
        double lower, *value;
    } number[] = {{"--dt", 1e-9, &t->run.character.dt},
                  {"--duration", 1e-9, &t->run.duration},
                  {"--kp", 0, &t->kp},
                  {"--kd", 0, &t->kd},
                  {"--root-kp", 0, &t->root_kp},
                  {"--root-kd", 0, &t->root_kd},
                  {"--frequency", 1e-9, &t->frequency},
                  {"--damping", 0, &t->damping},
                  {"--rate", 1e-3, &t->rate}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        const int code = option_real(number[i].name, number[i].lower, number[i].value);
        if (code) return code;
    }
    return EXIT_DONE;
}

/* "knee=300:30,hip=500:50" into the gains. */
static int single_gains(const sn_model *model, double *kp, double *kd) {
    char *list = copy_text(option_text(options, "--gain", "")), *rest = list;
    int code = EXIT_DONE;
    for (char *item; code == EXIT_DONE && (item = strsep(&rest, ","));) {
        char *equals = strchr(item, '='), *colon = equals ? strchr(equals, ':') : NULL;
        double p, d;
        if (!*item) continue;
        if (equals) *equals = '\0';
        if (colon) *colon = '\0';
        const int body = sn_model_find_body(model, item);
        if (!colon || !parse_number(equals + 1, &p) || !parse_number(colon + 1, &d) || p < 0 || d < 0)
            code = complain(EXIT_USAGE, "--gain needs BODY=KP:KD, not '%s'", item);
        else if (body < 0)
            code = complain(EXIT_USAGE, "--gain: there is no body '%s'", item);
        const sn_body_info *info = sn_model_body(model, body);
        for (int v = 0; code == EXIT_DONE && v < info->nv; v++)
            kp[info->v_index + v] = p, kd[info->v_index + v] = d;
    }
    free(list);
    return code;
}

static int set_gains(const struct task *t, const sn_model *model, sn_character *c) {
    const size_t nv = (size_t)sn_model_nv(model);
    double *kp = need_memory(NULL, 2 * nv * sizeof *kp), *kd = kp + nv;
    if (t->frequency > 0)
        sn_gains_choose(model, NULL, t->frequency, t->damping, kp, kd);
    else if (option_given(options, "--file-gains"))
        sn_model_gains(model, kp, kd);
    else
        sn_gains_uniform(model, 0, 0, t->kp, t->kd, kp, kd);
    const bool free_root = option_given(options, "--free-root");
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *info = sn_model_body(model, i);
        if (info->joint.type != SN_JOINT_FREE) continue;
        for (int v = info->v_index; v < info->v_index + info->nv; v++)
            kp[v] = free_root ? 0 : t->root_kp, kd[v] = free_root ? 0 : t->root_kd;
    }
    int code = single_gains(model, kp, kd);
    if (code == EXIT_DONE && sn_character_set_gains(c, kp, kd))
        code = complain(EXIT_FAILED, "these gains cannot be used");
    free(kp);
    return code;
}

/* ---------------------------------------------------------------------------------------- what is told of it */

/* The four joints with the largest torques. */
static void print_peaks(FILE *out, const struct track_run *r) {
    const int nbody = sn_model_nbody(r->model);
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

static void print_text(FILE *out, const struct task *t, const struct track_run *r) {
    fprintf(out, "%s tracks %s: %d degrees of freedom, %ld steps of %.6g s%s\n", t->character, t->clip,
            sn_model_nv(r->model), r->steps, r->def.character.dt, r->stopped ? " (stopped)" : "");
    if (r->diverged) {
        fprintf(out, "%sdiverged%s after %.3f s\n", style(out, STYLE_BAD), style(out, STYLE_PLAIN),
                (double)r->steps * r->def.character.dt);
    } else {
        fprintf(out, "end effectors mean %.2f mm, max %.2f mm\n", 1e3 * r->effector_mean,
                1e3 * r->effector_max);
        fprintf(out, "joint angles  mean %.4f rad, max %.4f rad (the worst joint of each step)\n",
                r->joint_mean, r->joint_max);
        print_peaks(out, r);
    }
    if (t->record) fprintf(out, "recording     %s\n", t->record);
    if (t->report) fprintf(out, "report        %s\n", t->report);
}

static cJSON *result_json(const struct task *t, const struct track_run *r) {
    cJSON *root = cJSON_CreateObject(), *error = cJSON_CreateObject(), *peaks = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "character", t->character);
    cJSON_AddStringToObject(root, "clip", t->clip);
    cJSON_AddNumberToObject(root, "nv", sn_model_nv(r->model));
    cJSON_AddNumberToObject(root, "dt", r->def.character.dt);
    cJSON_AddStringToObject(root, "solver", option_text(options, "--solver", "maba"));
    cJSON_AddStringToObject(root, "form", option_text(options, "--form", "stable"));
    cJSON_AddStringToObject(root, "precision", precision_name(r->def.character.precision));
    cJSON_AddNumberToObject(root, "duration", r->def.duration);
    cJSON_AddBoolToObject(root, "ground", r->world != NULL);
    cJSON_AddNumberToObject(root, "steps", (double)r->steps);
    cJSON_AddBoolToObject(root, "diverged", r->diverged);
    cJSON_AddItemToObject(root, "error", error);
    cJSON_AddNumberToObject(error, "effector_mean", r->effector_mean);
    cJSON_AddNumberToObject(error, "effector_max", r->effector_max);
    cJSON_AddNumberToObject(error, "joint_mean", r->joint_mean);
    cJSON_AddNumberToObject(error, "joint_max", r->joint_max);
    cJSON_AddItemToObject(root, "torque_peaks", peaks);
    for (int i = 0; i < sn_model_nbody(r->model); i++)
        if (sn_model_body(r->model, i)->nv)
            cJSON_AddNumberToObject(peaks, sn_model_body(r->model, i)->name, r->peak[i]);
    return root;
}

static void print_json(FILE *out, const struct task *t, const struct track_run *r) {
    cJSON *root = result_json(t, r);
    if (t->record) cJSON_AddStringToObject(root, "recording", t->record);
    if (t->report) cJSON_AddStringToObject(root, "report", t->report);
    char *text = cJSON_Print(root);
    fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(root);
}

/* In words for people, in the order they shall be read. */
static cJSON *settings_json(const struct task *t, const struct track_run *r) {
    cJSON *root = cJSON_CreateObject();
    char words[96];
    const bool chosen = t->frequency > 0, from_file = option_given(options, "--file-gains");
    snprintf(words, sizeof words, "%.6g s (%.6g Hz)", r->def.character.dt, 1 / r->def.character.dt);
    cJSON_AddStringToObject(root, "time step", words);
    cJSON_AddStringToObject(root, "form", option_text(options, "--form", "stable"));
    cJSON_AddStringToObject(root, "solver", option_text(options, "--solver", "maba"));
    cJSON_AddStringToObject(root, "precision", precision_name(r->def.character.precision));
    if (chosen)
        snprintf(words, sizeof words, "%g Hz, damping ratio %g", t->frequency, t->damping);
    else
        snprintf(words, sizeof words, "kp %g, kd %g", t->kp, t->kd);
    cJSON_AddStringToObject(root, "joint gains", !chosen && from_file ? "as the file says" : words);
    snprintf(words, sizeof words, "kp %g, kd %g", t->root_kp, t->root_kd);
    cJSON_AddStringToObject(root, "root gains", option_given(options, "--free-root") ? "none" : words);
    cJSON_AddStringToObject(root, "targets",
                            r->def.target_velocity ? "positions and velocities" : "positions");
    if (r->world)
        snprintf(words, sizeof words, "at %.3f m, contact by %s", r->ground_height,
                 option_text(options, "--contact", "rows"));
    cJSON_AddStringToObject(root, "ground", r->world ? words : "none");
    return root;
}

/* ------------------------------------------------------------------------------------------------- the command */

/* Files that are open from before the run, so that a name that cannot be used is told at once. */
struct outputs {
    struct whole_file record, report;
    char *page;
};

/* Where the result is told: not in the midst of what goes to standard output. */
static FILE *beside_outputs(const struct task *t) {
    const bool taken =
        (t->record && is_standard_output(t->record)) || (t->report && is_standard_output(t->report));
    return taken ? stderr : stdout;
}

static bool outputs_open(struct outputs *o, const struct task *t) {
    if (t->report && !(o->page = report_template())) return false;
    if (t->record && !whole_file_open(&o->record, t->record)) return false;
    return !t->report || whole_file_open(&o->report, t->report);
}

static bool outputs_write(struct outputs *o, const struct recording *recording) {
    if (!o->record.file && !o->report.file) return true;
    char *text = recording_text(recording);
    if (o->record.file) fprintf(o->record.file, "%s\n", text);
    if (o->report.file) report_fill(o->report.file, o->page, text);
    free(text);
    const bool recorded = whole_file_close(&o->record);
    return whole_file_close(&o->report) && recorded;
}

static void outputs_free(struct outputs *o) {
    whole_file_drop(&o->record);
    whole_file_drop(&o->report);
    free(o->page);
}

/* Everything that needs the model and the motion. */
static int track(struct task *t, const sn_model *model, const sn_motion *motion) {
    struct outputs outputs = {0};
    struct recording *recording = NULL;
    struct track_run run;
    const double length = sn_motion_duration(motion);
    if (t->run.duration <= 0) t->run.duration = sn_motion_loops(motion) ? fmax(5, length) : length;
    int code = track_create(&run, &t->run, model, motion) ? EXIT_DONE : EXIT_FAILED;
    if (code == EXIT_DONE) code = set_gains(t, model, run.simulated);
    if (code == EXIT_DONE && !outputs_open(&outputs, t)) code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        if (t->record || t->report) recording = recording_create(model, t->character, t->rate);
        track_steps(&run, recording);
        if (recording) {
            recording_put(recording, "settings", settings_json(t, &run));
            recording_put(recording, "result", result_json(t, &run));
        }
        if (!outputs_write(&outputs, recording)) code = EXIT_FAILED;
    }
    if (code == EXIT_DONE) {
        (t->json ? print_json : print_text)(beside_outputs(t), t, &run);
        code = run.stopped ? EXIT_INTERRUPTED : run.diverged ? EXIT_FAILED : EXIT_DONE;
    }
    recording_free(recording);
    outputs_free(&outputs);
    track_free(&run);
    return code;
}

int command_track(int argc, char **argv) {
    struct command_line line = {options, need_memory(NULL, (size_t)(argc + 1) * sizeof(char *)), 0};
    struct task t;
    int code = options_parse(&line, argc, argv);
    if (code == EXIT_DONE && option_given(options, "--help")) {
        help_track();
        free(line.words);
        return EXIT_DONE;
    }
    if (code == EXIT_DONE) code = read_task(&t, &line);
    if (code == EXIT_DONE) {
        const sn_load_options load = subject_options(option_given(options, "--allow-missing-mesh"));
        const char *map_path = option_text(options, "--map", NULL);
        char *map = map_path ? read_text(map_path) : NULL;
        sn_model *model = map_path && !map ? NULL : subject_model(t.character, &load);
        sn_motion *motion = model ? subject_motion(t.clip, model, map, &load) : NULL;
        code = motion ? track(&t, model, motion) : EXIT_FAILED;
        sn_motion_free(motion);
        sn_model_free(model);
        free(map);
    }
    free(line.words);
    return code;
}
