#include "policy_run.h"

#include "progress.h"
#include "ranks.h"
#include "report_html.h"
#include "subject.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of an environment's copies. */
struct rows {
    sn_environment_info info;
    float *observation, *action, *reward;
    bool *terminated, *truncated;
    sn_environment_out out;
};

static struct rows make_rows(const sn_environment *env) {
    struct rows r = {0};
    sn_environment_get_info(env, &r.info);
    const size_t n = (size_t)r.info.copies;
    r.observation = need_memory(NULL, n * (size_t)r.info.observations * sizeof(float));
    r.action = need_memory(NULL, n * (size_t)r.info.actions * sizeof(float));
    r.reward = need_memory(NULL, n * sizeof(float));
    r.terminated = need_memory(NULL, n);
    r.truncated = need_memory(NULL, n);
    r.out = (sn_environment_out){.observation = r.observation,
                                 .reward = r.reward,
                                 .terminated = r.terminated,
                                 .truncated = r.truncated};
    return r;
}

static void free_rows(struct rows *r) {
    free(r->observation), free(r->action), free(r->reward), free(r->terminated), free(r->truncated);
}

/* The settings, without what disturbs in training unless that is asked for; the caller ends its episodes. */
static bool open_task(struct learn_task *task, sn_policy *policy, const struct learn_settings *s, int copies,
                      double limit) {
    struct learn_settings own = *s;
    sn_error error;
    if (!own.disturbed) learn_settings_calm(&own);
    own.imitation.draw_motions = false;
    own.environment.autoreset = SN_AUTORESET_OFF;
    if (!learn_task_open(task, &own, copies, limit)) return false;
    if (sn_policy_check(policy, task->env, &error) == SN_OK) return true;
    complain(EXIT_FAILED, "%s", error.message);
    learn_task_close(task);
    return false;
}

static bool advance(sn_policy *policy, const struct learn_task *task, struct rows *r) {
    sn_error error;
    sn_policy_act(policy, r->info.copies, r->observation, r->action);
    return sn_environment_step(task->env, r->action, &r->out, &error) == SN_OK ||
           complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
}

static void push_copy(const struct learn_task *task, int copy, double x, double y) {
    const size_t values = 6 * (size_t)sn_model_get(task->model)->nbody;
    double *push = need_memory(NULL, values * sizeof *push);
    int number = 0;
    sn_world *world = sn_environment_world(task->env, copy, &number);
    memset(push, 0, values * sizeof *push);
    push[0] = x;
    push[1] = y;
    sn_world_set(world, 0, SN_FIELD_PUSH, number, 1, push);
    free(push);
}

/* -------------------------------------------------------------------------------------------------------- recording */

static void take(sn_recorder *recorder, const struct learn_task *task, double time, double reward,
                 double *q) {
    if (sn_environment_reference(task->env, 0, q))
        sn_recorder_pose(recorder, "reference", task->model, q, NULL);
    sn_recorder_number(recorder, "reward", reward);
    sn_recorder_take(recorder, time);
}

/* The push of a step of the show: .2 s at the end of every two seconds. */
static void show_push(const struct learn_task *task, sn_recorder *recorder, int step, int rate, double push) {
    const int window = 2 * rate, length = (rate + 4) / 5, at = step % window - (window - length);
    if (!(push > 0) || (at != 0 && step % window != 0)) return;
    const double angle = 1.5707963267948966 * (step / window % SIDES);
    push_copy(task, 0, at ? 0 : push * cos(angle), at ? 0 : push * sin(angle));
    if (at == 0) sn_recorder_event(recorder, (double)step / rate, "push", push_side[step / window % SIDES]);
}

static bool run_episode(sn_policy *policy, const struct learn_task *task, sn_recorder *recorder,
                        double seconds, uint64_t seed, double push, struct policy_run *run) {
    struct rows r = make_rows(task->env);
    const int rate = r.info.rate, steps = (int)fmax(1, round(seconds * rate));
    double *q = need_memory(NULL, (size_t)sn_model_get(task->model)->nq * sizeof *q), sum = 0;
    sn_error error;
    bool good = sn_environment_reset(task->env, NULL, &seed, r.observation, &error) == SN_OK ||
                complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
    int step = 0;
    if (good) take(recorder, task, 0, 1, q);
    for (; good && step < steps && !run->fell && !run->stopped;) {
        show_push(task, recorder, step, rate, push);
        good = advance(policy, task, &r);
        step++;
        sum += (double)r.reward[0];
        run->fell = r.terminated[0];
        run->stopped = interrupted();
        if (good) take(recorder, task, (double)step / rate, (double)r.reward[0], q);
        if (r.truncated[0]) break; /* a motion that does not loop is over */
    }
    run->seconds = (double)step / rate;
    run->reward = step ? sum / step : 0;
    if (run->fell)
        sn_recorder_event(recorder, run->seconds, "fell", "a body that may not touched the ground");
    free(q);
    free_rows(&r);
    return good;
}

sn_recorder *policy_run(sn_policy *policy, const struct learn_settings *s, double seconds, uint64_t seed,
                        double push, struct policy_run *run) {
    struct learn_task task;
    sn_recorder_def def = sn_recorder_def_default();
    sn_error error;
    *run = (struct policy_run){0};
    if (!open_task(&task, policy, s, 1, seconds + 1)) return NULL;
    def.rate = s->imitation.rate;
    def.contacts = false;
    def.name = s->character;
    sn_recorder *recorder = sn_recorder_create(sn_environment_world(task.env, 0, NULL), &def, &error);
    if (!recorder) complain(EXIT_FAILED, "%s", error.message);
    if (recorder && !run_episode(policy, &task, recorder, seconds, seed, push, run)) {
        sn_recorder_free(recorder);
        recorder = NULL;
    }
    if (recorder) sn_recorder_note(recorder, "ground", "{\"point\":[0,0,0],\"normal\":[0,0,1]}");
    if (recorder && !sn_recorder_text(recorder, NULL)) { /* while the model lives */
        complain(EXIT_FAILED, "the recording does not fit into memory");
        sn_recorder_free(recorder);
        recorder = NULL;
    }
    learn_task_close(&task);
    return recorder;
}

/* ---------------------------------------------------------------------------------------------------------- pushes */

const char *const push_side[SIDES] = {"along x", "along y", "against x", "against y"};

bool policy_push(sn_policy *policy, const struct learn_settings *s, double force, int copies,
                 int standing[SIDES]) {
    const double before = 1, during = .2, after = 3;
    struct learn_task task;
    const int all = copies * SIDES;
    if (!open_task(&task, policy, s, all, before + during + after + 1)) return false;
    struct rows r = make_rows(task.env);
    const int rate = r.info.rate, begin = (int)round(before * rate),
              end = begin + (int)fmax(1, round(during * rate)), steps = end + (int)round(after * rate);
    bool *fell = need_memory(NULL, (size_t)all), good;
    sn_error error;
    memset(fell, 0, (size_t)all);
    memset(standing, 0, SIDES * sizeof *standing);
    good = sn_environment_reset(task.env, NULL, NULL, r.observation, &error) == SN_OK ||
           complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
    for (int step = 0; step < steps && good; step++) {
        for (int i = 0; i < all && (step == begin || step == end); i++) {
            const double angle = 1.5707963267948966 * (i % SIDES), size = step == begin ? force : 0;
            push_copy(&task, i, size * cos(angle), size * sin(angle));
        }
        good = advance(policy, &task, &r);
        for (int i = 0; i < all && good; i++)
            fell[i] = fell[i] || r.terminated[i];
    }
    for (int i = 0; i < all; i++)
        standing[i % SIDES] += !fell[i];
    free(fell);
    free_rows(&r);
    learn_task_close(&task);
    return good;
}

void policy_push_print(double force, int copies, const int standing[SIDES]) {
    int all = 0;
    for (int i = 0; i < SIDES; i++) {
        printf("pushed %-10s %d of %d stand\n", push_side[i], standing[i], copies);
        all += standing[i];
    }
    printf("pushed by %.0f N for 0.2 s, %d of %d stand 3 s later\n", force, all, SIDES * copies);
}

/* ----------------------------------------------------------------------------------------------------------- pages */

static void note(sn_recorder *recorder, const char *key, cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    if (text) sn_recorder_note(recorder, key, text);
    cJSON_free(text);
    cJSON_Delete(json);
}

void policy_notes(sn_recorder *recorder, const struct learn_settings *s, cJSON *result) {
    cJSON_AddStringToObject(result, "character", s->character);
    cJSON_AddStringToObject(result, "clip", s->motion[0] ? s->motion : "locomotion");
    note(recorder, "result", result);
    cJSON *settings = learn_settings_json(s), *words = cJSON_CreateObject();
    for (const cJSON *item = settings->child; item; item = item->next) {
        char *text = cJSON_IsString(item) ? copy_text(item->valuestring) : cJSON_PrintUnformatted(item);
        if (text && text[0]) cJSON_AddStringToObject(words, item->string, text);
        free(text);
    }
    cJSON_Delete(settings);
    note(recorder, "settings", words);
}

static bool has_ending(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

bool policy_write(sn_recorder *recorder, const char *path) {
    const bool page_wanted = has_ending(path, ".html");
    struct whole_file out = {0};
    sn_error error;
    if (has_ending(path, ".glb") || has_ending(path, ".bvh"))
        return sn_recorder_save(recorder, path, &error) == SN_OK ||
               complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
    const char *text = sn_recorder_text(recorder, NULL);
    char *page = page_wanted ? report_template() : NULL;
    bool good = text && (page || !page_wanted) && whole_file_open(&out, path);
    if (good && page) report_fill(out.file, page, text);
    if (good && !page) fprintf(out.file, "%s\n", text);
    if (good) good = whole_file_close(&out);
    free(page);
    return good;
}

static uint64_t seed_of(int episode) {
    return 1000003 * (uint64_t)(episode + 1);
}

/* Episodes from `first` on, each of which has its own seed. */
static int run_episodes(sn_policy *policy, const struct learn_settings *s, int first, int count,
                        double seconds, int threads, sn_policy_episode *episode) {
    struct learn_settings own = *s;
    struct learn_task task;
    sn_error error;
    if (!own.disturbed) learn_settings_calm(&own);
    own.imitation.draw_motions = false;
    own.environment.autoreset = SN_AUTORESET_OFF;
    own.environment.threads = threads;
    if (!learn_task_open(&task, &own, count, seconds)) return EXIT_FAILED;
    uint64_t *seed = need_memory(NULL, (size_t)count * sizeof *seed);
    for (int i = 0; i < count; i++)
        seed[i] = seed_of(first + i);
    const sn_status status = sn_policy_evaluate(policy, task.env, seed, episode, &error);
    if (status) complain(EXIT_FAILED, "%s", error.message);
    free(seed);
    learn_task_close(&task);
    return status ? EXIT_FAILED : EXIT_DONE;
}

/* The motion of an episode follows from its seed. */
static void add_up_by_motion(int episodes, const sn_policy_episode *episode, int motions,
                             sn_policy_score *score) {
    sn_policy_episode *own = need_memory(NULL, (size_t)episodes * sizeof *own);
    for (int m = 0; m < motions; m++) {
        int count = 0;
        for (int i = 0; i < episodes; i++)
            if (seed_of(i) % (uint64_t)motions == (uint64_t)m) own[count++] = episode[i];
        score[m] = (sn_policy_score){0};
        if (count) sn_policy_add_up(count, own, &score[m]);
    }
    free(own);
}

bool policy_judge(sn_policy *policy, const struct learn_settings *s, int episodes, double seconds,
                  int threads, sn_policy_score *score, sn_policy_score *by_motion) {
    enum { BLOCK = 16 }; /* copies that are stepped side by side */
    sn_policy_episode *episode = need_memory(NULL, (size_t)episodes * sizeof *episode);
    const int rank = ranks_exchange() ? ranks_exchange()->rank : 0,
              first = ranks_begin(episodes, BLOCK, rank),
              count = ranks_begin(episodes, BLOCK, rank + 1) - first;
    const int code =
        count ? run_episodes(policy, s, first, count, seconds, threads, episode + first) : EXIT_DONE;
    const bool good = ranks_agree(code) == EXIT_DONE;
    if (good) {
        ranks_share(episode, episodes, BLOCK, sizeof *episode);
        sn_policy_add_up(episodes, episode, score);
        if (by_motion) add_up_by_motion(episodes, episode, learn_settings_motions(s), by_motion);
    }
    free(episode);
    return good;
}
