/* sinew train: a character learns a motion, or to walk on by itself; what it learned is a file. */
#include "commands.h"
#include "experiment_print.h"
#include "learn_settings.h"
#include "plot.h"
#include "policy_run.h"
#include "ranks.h"
#include "report_html.h"
#include "platform.h"
#include "terminal.h"
#include "train_files.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct options options = {
    .help = "--task T  imitate (default) or locomotion: no motion, forward at --speed\n"
            "--seconds S  train so long (default 60)\n"
            "--samples N  ... or until this number of samples\n"
            "--until R  ... or until the normalised return is so high, measured when rewards are near it\n"
            "--episodes N  that it is judged by (default 128)\n"
            "--threads T  number of threads (default: one per core; of each rank); the result is the same "
            "for any number\n"
            "--out DIR  folder of all files (default: training/CHARACTER-MOTION)\n"
            "--resume  go on from the checkpoint in the folder, with its settings\n"
            "--overwrite  start again if the folder holds a training\n"
            "--checkpoint S  write one every S seconds (default 10)\n"
            "--config FILE  JSON with any of the settings that settings.json holds\n" LEARN_OPTIONS
            "--no-report  make no page at the end\n"
            "--json  print JSON instead of text\n"};

void help_train(void) {
    learn_options_add(&options);
    printf(
        "usage: sinew train CHARACTER MOTION... [OPTIONS]\n"
        "       sinew train --resume --out DIR [OPTIONS]\n\n"
        "A character learns to imitate a motion by itself, its root free, under gravity and on the ground\n"
        "(DeepMimic's task; PPO). Both are built-in names or files. Several motions make one policy that "
        "can\n"
        "do all of them. With 'stick' instead of a motion it learns to go where a stick says:\n"
        "docs/puppets.md. The folder gets policy.sinew, for\n"
        "'sinew play', 'evaluate' and 'export'; settings.json; checkpoint.sinew, whole at any moment;\n"
        "curve.csv, curve.svg and events for TensorBoard; and report.html with curve and replay. Ctrl-C,\n"
        "or a file named 'stop' put into the folder, ends the training and keeps everything. Several\n"
        "processes, here or on many machines, train one policy when mpirun starts them; their number\n"
        "changes no bit.\n\noptions\n");
    options_print(&options);
    printf("\nexamples\n"
           "  sinew train humanoid walk\n"
           "  sinew train humanoid walk run cartwheel --touch foot,forearm\n"
           "  sinew train humanoid stick --push 250\n"
           "  sinew train humanoid run --seconds 120 --out runner\n"
           "  sinew train --resume --out runner --seconds 60\n"
           "  mpirun -n 4 sinew train humanoid run\n"
           "  sinew play runner/policy.sinew --report runner.html\n");
}

struct training {
    struct learn_settings settings;
    char *folder;
    double seconds, until, every; /* every: s between checkpoints */
    long samples, threads, episodes;
    bool resume, report, json;
    struct learn_task task;
    sn_trainer *trainer;
    struct curve curve;
    sn_training now;
    sn_policy_score score;
    double before, start;       /* s of training in earlier runs; when this one began */
    double judging;             /* s that were spent on judging, which do not count */
    double shown, kept, judged; /* when the line was shown last, ... */
    double smooth;              /* return, smoothed, for the line */
    bool reached, unsaved;      /* the goal; the last checkpoint could not be written */
};

/* --------------------------------------------------------------------------------------------------- what is asked */

static int read_limits(struct training *t) {
    long every = 10;
    int code = option_real(&options, "--seconds", 0, 1e7, &t->seconds);
    if (code == EXIT_DONE) code = option_number(&options, "--samples", 1, LONG_MAX, &t->samples);
    if (code == EXIT_DONE) code = option_real(&options, "--until", 0, 1, &t->until);
    if (code == EXIT_DONE) code = option_number(&options, "--episodes", 1, 1 << 20, &t->episodes);
    t->threads = ranks_threads();
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 4096, &t->threads);
    if (code == EXIT_DONE) code = option_number(&options, "--checkpoint", 0, 1000000, &every);
    t->every = (double)every;
    if (t->samples && !option_given(&options, "--seconds")) t->seconds = 1e7;
    return code;
}

/* The last part of a file's name, without its ending. */
static char *short_name(const char *name) {
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    return copy_part(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static char *usual_folder(const struct learn_settings *s) {
    char *character = short_name(s->character), *motion = short_name(s->motion[0] ? s->motion : "locomotion");
    char several[32];
    const int motions = learn_settings_motions(s);
    if (motions > 1) {
        free(motion);
        snprintf(several, sizeof several, "%d-motions", motions);
        motion = copy_text(several);
    }
    const size_t size = strlen(character) + strlen(motion) + 16;
    char *folder = need_memory(NULL, size);
    snprintf(folder, size, "training/%s-%s", character, motion);
    free(character);
    free(motion);
    return folder;
}

/* One policy for several motions sees the poses to come, and draws its motions, unless told otherwise. */
static void take_several(struct training *t) {
    sn_imitation_def *def = &t->settings.imitation;
    if (t->resume || learn_settings_motions(&t->settings) < 2) return;
    if (!option_given(&options, "--look-ahead")) def->look_ahead = true;
    if (!option_given(&options, "--draw-motions")) def->draw_motions = true;
}

static int read_words(struct training *t) {
    static const char *const tasks[] = {"imitate", "locomotion", NULL};
    int task = t->resume && !t->settings.motion[0] ? 1 : 0;
    const int code = option_choice(&options, "--task", "task", tasks, &task);
    if (code != EXIT_DONE) return code;
    learn_settings_words(&t->settings, &options);
    take_several(t);
    if (!t->settings.character[0])
        return complain(EXIT_USAGE, "train needs a character and a motion; 'sinew help train' tells more");
    if (task == 1 && t->settings.motion[0])
        return complain(EXIT_USAGE, "locomotion has no motion, but '%s' is given", t->settings.motion);
    if (task == 0 && !t->settings.motion[0])
        return complain(EXIT_USAGE, "imitation needs a motion; --task locomotion needs none");
    return EXIT_DONE;
}

/* The folder's own settings first, then a file's, then options. */
static int read_settings(struct training *t) {
    const char *config = option_text(&options, "--config", NULL), *out = option_text(&options, "--out", NULL);
    if (t->resume && !out && options.nword < 1)
        return complain(EXIT_USAGE, "--resume needs --out DIR, the folder of the training");
    if (!out) learn_settings_words(&t->settings, &options);
    t->folder = out ? copy_text(out) : usual_folder(&t->settings);
    if (t->resume) {
        char *path = train_path(t->folder, "settings.json");
        const bool good = learn_settings_read(&t->settings, path);
        free(path);
        if (!good) return EXIT_FAILED;
    }
    if (config && !learn_settings_read(&t->settings, config)) return EXIT_FAILED;
    const int code = learn_settings_options(&t->settings, &options);
    return code == EXIT_DONE ? read_words(t) : code;
}

static int read_task(struct training *t, int argc, char **argv) {
    *t = (struct training){.seconds = 60, .episodes = 128};
    learn_settings_init(&t->settings);
    learn_options_add(&options);
    int code = options_parse(&options, argc, argv);
    t->resume = option_given(&options, "--resume");
    t->report = !option_given(&options, "--no-report");
    t->json = option_given(&options, "--json");
    if (code == EXIT_DONE) code = read_limits(t);
    if (code == EXIT_DONE) code = read_settings(t);
    if (code == EXIT_DONE && !option_given(&options, "--out")) { /* a file may have named the motion */
        free(t->folder);
        t->folder = usual_folder(&t->settings);
    }
    return code;
}

/* Minibatches must divide a rollout. If only the number of copies is given, the nearest minibatch size that divides is used. */
static void fit_minibatch(struct learn_settings *s) {
    const long total = (long)s->environment.copies * s->trainer.horizon;
    if (s->trainer.minibatch != sn_trainer_def_default().minibatch) return;
    for (int size = s->trainer.minibatch; size >= 16; size--)
        if (total % size == 0) {
            s->trainer.minibatch = size;
            return;
        }
}

/* ----------------------------------------------------------------------------------------------------------- files */

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double trained(const struct training *t) {
    return t->before + clock_now() - t->start - t->judging;
}

static bool write_settings(const struct training *t) {
    struct whole_file out;
    char *path = train_path(t->folder, "settings.json");
    cJSON *json = learn_settings_json(&t->settings);
    char *text = cJSON_Print(json);
    bool good = text && whole_file_open(&out, path);
    if (good) {
        fprintf(out.file, "%s\n", text);
        good = whole_file_close(&out);
    }
    cJSON_free(text);
    cJSON_Delete(json);
    free(path);
    return good;
}

/* What is said when the ranks are ended from outside. */
static void promise(const struct training *t, const char *path) {
    ranks_last_words(EXIT_FAILED,
                     "sinew: a rank ended, or mpirun was stopped. %s has everything up to iteration %llu: "
                     "use --resume to continue from there\n",
                     path, (unsigned long long)t->now.iterations);
}

/* A disk that is full now may have room later: the training goes on, the older checkpoint stays. All ranks come here. */
static void keep(struct training *t) {
    char *path = train_path(t->folder, "checkpoint.sinew");
    sn_error error;
    const bool flushed = !ranks_leader() || curve_flush(&t->curve);
    const sn_status status = sn_trainer_save(t->trainer, path, &error);
    if (status)
        complain(EXIT_FAILED, "%s%s", error.message, can_read(path) ? "; the one before is kept" : "");
    else
        promise(t, path);
    t->unsaved = status != SN_OK || !flushed;
    t->kept = clock_now();
    free(path);
}

static sn_policy *policy_of(const struct training *t) {
    sn_error error;
    cJSON *json = learn_settings_json(&t->settings);
    char *text = cJSON_PrintUnformatted(json);
    sn_policy *policy = text ? sn_trainer_policy(t->trainer, text, &error) : NULL;
    if (!policy) complain(EXIT_FAILED, "out of memory");
    cJSON_free(text);
    cJSON_Delete(json);
    return policy;
}

/* -------------------------------------------------------------------------------------------------------- training */

static double judge(struct training *t) {
    const double from = clock_now();
    sn_policy *policy = policy_of(t);
    const bool good =
        policy && policy_judge(policy, &t->settings, (int)t->episodes, 20, (int)t->threads, &t->score, NULL);
    sn_policy_free(policy);
    t->judging += clock_now() - from;
    t->judged = clock_now();
    return good ? t->score.normalised : (double)NAN;
}

/* "1.26 M samples, 18,300 /s, return 453.6, 20.0 s long, 0:34 left" */
static void show_line(struct training *t) {
    const double now = clock_now(), spent = trained(t) - t->before;
    const bool plain =
        ranks_number() > 1; /* output through mpirun is not a terminal, but somebody waits there */
    if (!(plain || is_terminal(stderr)) || now - t->shown < (plain ? 10 : .2)) return;
    const double per_second = spent > 0 ? (double)t->now.samples / trained(t) : 0;
    double left = t->seconds - spent;
    if (t->samples && per_second > 0)
        left = fmin(left, ((double)t->samples - (double)t->now.samples) / per_second);
    fprintf(stderr, "%strain %.2f M samples, %.0f /s, return %.1f, reward %.3f", plain ? "" : "\r\033[K",
            1e-6 * (double)t->now.samples, per_second, t->smooth, t->now.mean_reward);
    if (t->score.episodes) fprintf(stderr, ", normalised %.3f", t->score.normalised);
    fprintf(stderr, ", %d:%02d left%s", (int)fmax(left, 0) / 60, (int)fmax(left, 0) % 60, plain ? "\n" : "");
    fflush(stderr);
    t->shown = now;
}

/* Clocks and Ctrl-C are the first rank's: the others do as it does. */
static bool leader_says(bool answer) {
    ranks_tell(&answer, sizeof answer);
    return answer;
}

/* A judging takes a second or two: every five seconds where the reward, with noise and young episodes in it, is near the
   goal, every half minute elsewhere. Without noise the walk's return is .05 higher than that, the run's .02. */
static bool worth_judging(const struct training *t) {
    const double since = clock_now() - t->judged;
    return since >= (t->now.mean_reward >= t->until - .07 ? 5 : 30);
}

/* A file named `stop` in the folder ends a training as Ctrl-C does, and goes with it: whoever started the ranks, and
   whichever signals that passes on, the first rank sees the file after the current iteration. */
static void look_for_stop(const struct training *t) {
    char *path = train_path(t->folder, "stop");
    if (remove_file(path)) interrupt_now();
    free(path);
}

/* What is done after an iteration; false: it was the last. */
static bool go_on(struct training *t) {
    const sn_training *now = &t->now;
    double normalised = (double)NAN;
    if (isfinite(now->mean_return))
        t->smooth = t->smooth > 0 ? .9 * t->smooth + .1 * now->mean_return : now->mean_return;
    if (t->until > 0 && leader_says(worth_judging(t))) normalised = judge(t);
    t->reached = isfinite(normalised) && normalised >= t->until;
    if (ranks_leader()) {
        curve_add(&t->curve, now, trained(t), normalised);
        show_line(t);
        look_for_stop(t);
    }
    bool order[2] = {t->reached || interrupted() || trained(t) - t->before >= t->seconds ||
                     (t->samples && now->samples >= (uint64_t)t->samples)};
    order[1] = order[0] || ranks_hurry() || clock_now() - t->kept >= t->every;
    ranks_tell(order, sizeof order);
    if (order[1]) keep(t);
    return !order[0];
}

static int check_folder(const struct training *t) {
    char *path = train_path(t->folder, "checkpoint.sinew");
    const bool there = exists(path);
    free(path);
    if (!there || t->resume || option_given(&options, "--overwrite")) return EXIT_DONE;
    return complain(
        EXIT_USAGE,
        "%s holds a training. Use --resume to continue it, --overwrite to start again, or --out to name "
        "another folder",
        t->folder);
}

/* The files of a training; the first rank's. */
static int open_files(struct training *t) {
    if (!plot_make_folder(t->folder) || !write_settings(t)) return EXIT_FAILED;
    if (!curve_open(&t->curve, t->folder, t->now.iterations)) return EXIT_FAILED;
    if (t->curve.count) t->before = t->curve.row[t->curve.count - 1][CURVE_SECONDS];
    char *stop = train_path(t->folder, "stop"); /* meant for a training that has ended */
    remove_file(stop);
    free(stop);
    return EXIT_DONE;
}

static int open_training(struct training *t) {
    sn_error error;
    int code = ranks_leader() ? check_folder(t) : EXIT_DONE;
    fit_minibatch(&t->settings);
    if (code == EXIT_DONE && !learn_task_open(&t->task, &t->settings, 0, 0)) code = EXIT_FAILED;
    code = ranks_agree(code);
    if (code != EXIT_DONE) return code;
    sn_trainer_def def = t->settings.trainer;
    def.threads = (int)t->threads;
    def.exchange = ranks_exchange();
    t->trainer = sn_trainer_create(t->task.env, &def, &error);
    if (!t->trainer) return complain(EXIT_FAILED, "%s", error.message);
    if (t->resume) {
        char *path = train_path(t->folder, "checkpoint.sinew");
        const sn_status status = sn_trainer_restore(t->trainer, path, &t->now, &error);
        if (status == SN_OK) promise(t, path);
        free(path);
        if (status) return complain(EXIT_FAILED, "%s", error.message);
    }
    return ranks_agree(ranks_leader() ? open_files(t) : EXIT_DONE);
}

static int train(struct training *t) {
    sn_error error;
    t->start = t->kept = t->judged = t->shown = clock_now();
    sn_status status;
    do
        status = sn_trainer_iterate(t->trainer, &t->now, &error);
    while (status == SN_OK && go_on(t));
    if (is_terminal(stderr)) fputs("\r\033[K", stderr);
    if (status == SN_OK) return EXIT_DONE;
    return complain(EXIT_FAILED, "%s; the last checkpoint and the curve up to here are in %s", error.message,
                    t->folder);
}

/* ------------------------------------------------------------------------------------------------ what came of it */

static cJSON *result_json(const struct training *t) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "folder", t->folder);
    cJSON_AddNumberToObject(root, "iterations", (double)t->now.iterations);
    cJSON_AddNumberToObject(root, "samples", (double)t->now.samples);
    cJSON_AddNumberToObject(root, "seconds",
                            t->curve.count ? t->curve.row[t->curve.count - 1][CURVE_SECONDS] : 0);
    cJSON_AddNumberToObject(root, "normalised_return", t->score.normalised);
    cJSON_AddNumberToObject(root, "episodes", t->score.episodes);
    cJSON_AddNumberToObject(root, "lasted", t->score.lasted);
    cJSON_AddNumberToObject(root, "explained", t->now.explained);
    return root;
}

/* The page draws the curve. */
static void note_curve(const struct training *t, sn_recorder *recorder) {
    char *json = curve_json(&t->curve);
    if (json) sn_recorder_note(recorder, "learning", json);
    cJSON_free(json);
}

static bool make_page(struct training *t, sn_policy *policy) {
    struct policy_run run;
    char *path = train_path(t->folder, "report.html");
    sn_recorder *recorder = policy_run(policy, &t->settings, 10, 1, 0, &run);
    bool good = recorder != NULL;
    if (good) {
        policy_notes(recorder, &t->settings, result_json(t));
        note_curve(t, recorder);
        good = policy_write(recorder, path);
    }
    sn_recorder_free(recorder);
    free(path);
    return good;
}

/* What must not be lost: before it is judged. */
static bool write_policy(struct training *t) {
    char *path = train_path(t->folder, "policy.sinew"), *name = short_name(t->folder);
    sn_policy *policy = policy_of(t);
    sn_error error;
    bool good = policy && (sn_policy_save(policy, path, &error) == SN_OK ||
                           complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE);
    good = curve_draw(&t->curve, name) && good;
    if (good && !t->unsaved)
        ranks_last_words(EXIT_INTERRUPTED,
                         "sinew: stopped; checkpoint, policy and curve are in %s, but there was no time to "
                         "judge the policy\n",
                         t->folder);
    sn_policy_free(policy);
    free(name);
    free(path);
    return good;
}

static bool write_page(struct training *t) {
    sn_policy *policy = policy_of(t);
    const bool good = policy && make_page(t, policy);
    sn_policy_free(policy);
    return good;
}

static void print_result(const struct training *t) {
    if (t->json) {
        print_json(stdout, result_json(t));
        return;
    }
    const double seconds = t->curve.count ? t->curve.row[t->curve.count - 1][CURVE_SECONDS] : 0;
    printf("%s learns %s: %.2f million samples in %.1f s, %.0f per second\n", t->settings.character,
           t->settings.motion[0] ? t->settings.motion : "to walk", 1e-6 * (double)t->now.samples, seconds,
           seconds > 0 ? (double)t->now.samples / seconds : 0);
    printf("normalised return %.3f; %d of %d episodes of 20 s lasted\n", t->score.normalised, t->score.lasted,
           t->score.episodes);
    printf("policy            %s/policy.sinew\n", t->folder);
    if (t->report) printf("report            %s/report.html\n", t->folder);
}

static int finish(struct training *t) {
    bool good = !ranks_leader() || write_policy(t);
    if (!t->reached && isnan(judge(t))) return EXIT_FAILED;
    if (!ranks_leader()) return EXIT_DONE;
    if (good && t->report) good = write_page(t);
    print_result(t);
    if (t->unsaved) return complain(EXIT_FAILED, "the last checkpoint could not be written");
    if (!good) return EXIT_FAILED;
    return interrupted() ? EXIT_INTERRUPTED : EXIT_DONE;
}

int command_train(int argc, char **argv) {
    struct training t;
    int code = ranks_open();
    if (code != EXIT_DONE) return ranks_close(code);
    code = ranks_agree(read_task(&t, argc, argv));
    if (code == EXIT_DONE) code = open_training(&t);
    if (code == EXIT_DONE) code = train(&t);
    if (code == EXIT_DONE) code = finish(&t);
    if (t.curve.folder && !curve_close(&t.curve)) code = EXIT_FAILED;
    sn_trainer_free(t.trainer);
    learn_task_close(&t.task);
    learn_settings_free(&t.settings);
    free(t.folder);
    return ranks_close(code);
}
