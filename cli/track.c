/* sinew track: a character follows a motion under stable PD, root and joints (maba-2020 section 4.1). */
#include "commands.h"
#include "options.h"
#include "progress.h"
#include "recording.h"
#include "subject.h"
#include "table.h"
#include "terminal.h"
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
    {"--map", "FILE", "JSON that maps bodies to the clip's joints", NULL},
    {"--allow-missing-mesh", NULL, "leave out meshes that cannot be read", NULL},
    {"--record", "FILE", "where the recording goes (default sinew-track.json)", NULL},
    {"--no-record", NULL, "write no recording", NULL},
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
    sn_character_def def;
    double duration; /* 0: as the motion says */
    double kp, kd, root_kp, root_kd, frequency, damping;
    bool json, target_velocity;
};

static int read_task(struct task *t, const struct command_line *line) {
    static const char *const forms[] = {"stable", "explicit", "implicit-d", "full", NULL};
    static const char *const solvers[] = {"maba", "dense", "lapack", "sparse", "pcg", NULL};
    static const char *const precisions[] = {"double", "float", NULL};
    if (line->nword != 2)
        return complain(EXIT_USAGE, "track needs a character and a motion; 'sinew help track' tells more");
    *t = (struct task){line->words[0],
                       line->words[1],
                       sn_character_def_default(),
                       0,
                       75000,
                       4000,
                       20000,
                       2000,
                       0,
                       1,
                       option_given(options, "--json"),
                       !option_given(options, "--no-velocity")};
    const int form = option_choice("--form", "form", forms),
              solver = option_choice("--solver", "solver", solvers);
    const int precision = option_choice("--precision", "precision", precisions);
    if (form < 0 || solver < 0 || precision < 0) return EXIT_USAGE;
    t->def.form = (sn_form)form;
    t->def.solver = (sn_solver)solver;
    t->def.precision = (sn_precision)precision;
    t->def.report_torque = true;
    const struct {
        const char *name;
        double lower, *value;
    } number[] = {{"--dt", 1e-9, &t->def.dt},
                  {"--duration", 1e-9, &t->duration},
                  {"--kp", 0, &t->kp},
                  {"--kd", 0, &t->kd},
                  {"--root-kp", 0, &t->root_kp},
                  {"--root-kd", 0, &t->root_kd},
                  {"--frequency", 1e-9, &t->frequency},
                  {"--damping", 0, &t->damping}};
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

/* What a run measures. */
struct measure {
    double effector_mean, effector_max; /* m */
    double joint_mean, joint_max;       /* rad, of the largest joint error each step */
    double *peak;                       /* [nbody] N m or N, largest drive torque */
    long steps;
    bool diverged, stopped;
};

static double effector_error(const sn_model *model, sn_character *a, sn_character *b) {
    double sum = 0, root_a[3], root_b[3];
    int count = 0;
    sn_character_body_pose(a, 0, root_a, NULL);
    sn_character_body_pose(b, 0, root_b, NULL);
    const int nbody = sn_model_nbody(model);
    for (int i = 1; i < nbody; i++) {
        bool leaf = i + 1 == nbody || sn_model_body(model, i + 1)->parent != i; /* depth first */
        double pa[3], pb[3], square = 0;
        if (!leaf) continue;
        sn_character_body_pose(a, i, pa, NULL);
        sn_character_body_pose(b, i, pb, NULL);
        for (int k = 0; k < 3; k++) {
            const double d = (pa[k] - root_a[k]) - (pb[k] - root_b[k]);
            square += d * d;
        }
        sum += sqrt(square);
        count++;
    }
    return count ? sum / count : 0;
}

/* The length of a body's share of dv. */
static double part_length(const sn_body_info *info, const double *dv) {
    double square = 0;
    for (int k = 0; k < info->nv; k++)
        square += dv[info->v_index + k] * dv[info->v_index + k];
    return sqrt(square);
}

static void measure_step(struct measure *m, const sn_model *model, sn_character *simulated,
                         sn_character *reference, double *room) {
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    double *q = room, *wanted = q + nq, *dv = wanted + nq, *tau = dv + nv, joint = 0;
    sn_character_get_state(simulated, q, NULL);
    sn_character_get_state(reference, wanted, NULL);
    sn_model_pose_subtract(model, q, wanted, dv);
    sn_character_get_torque(simulated, tau);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *info = sn_model_body(model, i);
        if (info->joint.type != SN_JOINT_FREE) joint = fmax(joint, part_length(info, dv));
        m->peak[i] = fmax(m->peak[i], part_length(info, tau));
    }
    const double effector = effector_error(model, simulated, reference);
    m->steps++;
    m->effector_mean += (effector - m->effector_mean) / (double)m->steps;
    m->joint_mean += (joint - m->joint_mean) / (double)m->steps;
    m->effector_max = fmax(m->effector_max, effector);
    m->joint_max = fmax(m->joint_max, joint);
    if (!(joint < 1e3)) m->diverged = true;
}

static void run(const struct task *t, const sn_motion *motion, sn_character *simulated,
                sn_character *reference, struct recording *recording, struct measure *m) {
    const sn_model *model = sn_character_model(simulated);
    const size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
    double *q = need_memory(NULL, (3 * nq + 3 * nv) * sizeof *q), *qd = q + nq, *room = qd + nv;
    const long steps = lround(t->duration / t->def.dt);
    sn_motion_sample(motion, 0, q, qd);
    sn_character_set_state(simulated, q, qd);
    sn_character_set_state(reference, q, NULL);
    recording_add(recording, 0, simulated, reference);
    progress_start("track", 100);
    for (long i = 1; i <= steps && !m->diverged; i++) {
        const double time = (double)i * t->def.dt;
        if (i * 100 / steps != (i - 1) * 100 / steps) progress_step("%.2f s of %.2f s", time, t->duration);
        sn_motion_sample(motion, time, q, qd);
        sn_character_set_target(simulated, q, t->target_velocity ? qd : NULL);
        sn_character_set_state(reference, q, NULL);
        if (sn_character_step(simulated)) m->diverged = true;
        measure_step(m, model, simulated, reference, room);
        recording_add(recording, time, simulated, reference);
        if (interrupted()) {
            m->stopped = true;
            break;
        }
    }
    progress_end();
    free(q);
}

/* The three joints with the largest torques. */
static void print_peaks(const sn_model *model, const struct measure *m) {
    const int nbody = sn_model_nbody(model);
    char *told = need_memory(NULL, (size_t)nbody);
    memset(told, 0, (size_t)nbody);
    printf("torque peaks  ");
    for (int n = 0; n < 4; n++) {
        int best = -1;
        for (int i = 0; i < nbody; i++)
            if (!told[i] && sn_model_body(model, i)->joint.type != SN_JOINT_FREE &&
                (best < 0 || m->peak[i] > m->peak[best]))
                best = i;
        if (best < 0) break;
        told[best] = 1;
        printf("%s%s %.0f", n ? ", " : "", sn_model_body(model, best)->name, m->peak[best]);
    }
    printf(" N m\n");
    free(told);
}

static void print_text(const struct task *t, const sn_model *model, const struct measure *m,
                       const char *path) {
    printf("%s tracks %s: %d degrees of freedom, %ld steps of %.6g s%s\n", t->character, t->clip,
           sn_model_nv(model), m->steps, t->def.dt, m->stopped ? " (stopped)" : "");
    if (m->diverged) {
        printf("%sdiverged%s after %.3f s\n", style(stdout, STYLE_BAD), style(stdout, STYLE_PLAIN),
               (double)m->steps * t->def.dt);
    } else {
        printf("end effectors mean %.2f mm, max %.2f mm\n", 1e3 * m->effector_mean, 1e3 * m->effector_max);
        printf("joint angles  mean %.4f rad, max %.4f rad (the worst joint of each step)\n", m->joint_mean,
               m->joint_max);
        print_peaks(model, m);
    }
    if (path) printf("recording     %s\n", path);
}

static void print_json(const struct task *t, const sn_model *model, const struct measure *m,
                       const char *path) {
    cJSON *root = cJSON_CreateObject(), *error = cJSON_CreateObject(), *peaks = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "character", t->character);
    cJSON_AddStringToObject(root, "clip", t->clip);
    cJSON_AddNumberToObject(root, "nv", sn_model_nv(model));
    cJSON_AddNumberToObject(root, "dt", t->def.dt);
    cJSON_AddStringToObject(root, "solver", option_text(options, "--solver", "maba"));
    cJSON_AddStringToObject(root, "form", option_text(options, "--form", "stable"));
    cJSON_AddStringToObject(root, "precision", precision_name(t->def.precision));
    cJSON_AddNumberToObject(root, "duration", t->duration);
    cJSON_AddNumberToObject(root, "steps", (double)m->steps);
    cJSON_AddBoolToObject(root, "diverged", m->diverged);
    cJSON_AddItemToObject(root, "error", error);
    cJSON_AddNumberToObject(error, "effector_mean", m->effector_mean);
    cJSON_AddNumberToObject(error, "effector_max", m->effector_max);
    cJSON_AddNumberToObject(error, "joint_mean", m->joint_mean);
    cJSON_AddNumberToObject(error, "joint_max", m->joint_max);
    cJSON_AddItemToObject(root, "torque_peaks", peaks);
    for (int i = 0; i < sn_model_nbody(model); i++)
        if (sn_model_body(model, i)->nv)
            cJSON_AddNumberToObject(peaks, sn_model_body(model, i)->name, m->peak[i]);
    if (path) cJSON_AddStringToObject(root, "recording", path);
    char *text = cJSON_Print(root);
    puts(text);
    free(text);
    cJSON_Delete(root);
}

/* Everything that needs the model and the motion. */
static int track(struct task *t, const sn_model *model, const sn_motion *motion) {
    sn_error error;
    sn_character_def still = sn_character_def_default();
    sn_character *simulated = sn_character_create(model, &t->def, &error);
    sn_character *reference = sn_character_create(model, &still, NULL);
    struct measure m = {.peak = need_memory(NULL, (size_t)sn_model_nbody(model) * sizeof(double))};
    for (int i = 0; i < sn_model_nbody(model); i++)
        m.peak[i] = 0;
    int code =
        simulated && reference ? set_gains(t, model, simulated) : complain(EXIT_FAILED, "%s", error.message);
    const bool records = !option_given(options, "--no-record");
    const char *path = records ? option_text(options, "--record", "sinew-track.json") : NULL;
    if (t->duration <= 0)
        t->duration =
            sn_motion_loops(motion) ? fmax(5, sn_motion_duration(motion)) : sn_motion_duration(motion);
    if (code == EXIT_DONE) {
        struct recording *recording = path ? recording_open(path, model, t->character, t->clip, 60) : NULL;
        if (path && !recording) code = EXIT_FAILED;
        if (code == EXIT_DONE) run(t, motion, simulated, reference, recording, &m);
        if (!recording_close(recording)) code = EXIT_FAILED;
    }
    if (code == EXIT_DONE) {
        (t->json ? print_json : print_text)(t, model, &m, path);
        code = m.stopped ? EXIT_INTERRUPTED : m.diverged ? EXIT_FAILED : EXIT_DONE;
    }
    sn_character_free(simulated);
    sn_character_free(reference);
    free(m.peak);
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
