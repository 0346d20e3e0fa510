/* sinew evaluate: how good a policy is, over many episodes. */
#include "commands.h"
#include "experiment_print.h"
#include "learn_settings.h"
#include "policy_run.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static struct options options = {
    .help =
        "--episodes N  number of episodes, each from its own place in the motion (default 128)\n"
        "--seconds S  of each (default 20)\n"
        "--push N  push tests as well: newtons for 0.2 s at the root, a quarter of the episodes from "
        "each side\n"
        "--disturbed  with the pushes, balls, masses, friction and gains of its training, instead of calmly\n"
        "--least R  exit 1 where the normalised return is less\n"
        "--standing R  exit 1 where less of those who were pushed still stand 3 s later, as 0.9\n" HOLD_OPTION
        "--threads T  number of threads (default: one per core)\n"
        "--json  print JSON instead of text\n"};

void help_evaluate(void) {
    printf(
        "usage: sinew evaluate POLICY [OPTIONS]\n\n"
        "Lets a policy act without noise in many episodes and prints the normalised return: the mean reward\n"
        "per step, at most 1, and 0 after a fall.\n\noptions\n");
    options_print(&options);
}

/* What is asked, and what came of it. */
struct evaluation {
    long episodes, threads;
    double seconds, least, push, standing;
    sn_policy_score score;
    sn_policy_score *motion; /* [motions] of each */
    int motions;
    int each, stood[SIDES]; /* pushed from each side, and how many of them stood */
};

static double part_standing(const struct evaluation *e) {
    double sum = 0;
    for (int i = 0; i < SIDES; i++)
        sum += e->stood[i];
    return e->each ? sum / (SIDES * e->each) : 1;
}

static void add_pushes(cJSON *root, const struct evaluation *e) {
    cJSON *sides = cJSON_AddObjectToObject(root, "standing_by_side");
    for (int i = 0; i < SIDES; i++)
        cJSON_AddNumberToObject(sides, push_side[i], (double)e->stood[i] / e->each);
    cJSON_AddNumberToObject(root, "push", e->push);
    cJSON_AddNumberToObject(root, "standing", part_standing(e));
}

/* One line, or one entry, for each motion where there are several. */
static void print_motions(const struct evaluation *e, const struct learn_settings *s) {
    for (int i = 0; i < e->motions && e->motions > 1; i++) {
        char *name = learn_settings_motion(s, i);
        printf("  %-28s %.3f, %d of %d lasted\n", name, e->motion[i].normalised, e->motion[i].lasted,
               e->motion[i].episodes);
        free(name);
    }
}

static void add_motions(cJSON *root, const struct evaluation *e, const struct learn_settings *s) {
    cJSON *all = cJSON_AddArrayToObject(root, "motions");
    for (int i = 0; i < e->motions; i++) {
        cJSON *one = cJSON_CreateObject();
        char *name = learn_settings_motion(s, i);
        cJSON_AddStringToObject(one, "motion", name);
        cJSON_AddNumberToObject(one, "normalised_return", e->motion[i].normalised);
        cJSON_AddNumberToObject(one, "episodes", e->motion[i].episodes);
        cJSON_AddNumberToObject(one, "lasted", e->motion[i].lasted);
        cJSON_AddItemToArray(all, one);
        free(name);
    }
}

static void print_score(const struct evaluation *e, const struct learn_settings *s) {
    const sn_policy_score *score = &e->score;
    if (option_given(&options, "--json")) {
        cJSON *root = cJSON_CreateObject();
        cJSON_AddNumberToObject(root, "normalised_return", score->normalised);
        cJSON_AddNumberToObject(root, "episodes", score->episodes);
        cJSON_AddNumberToObject(root, "lasted", score->lasted);
        cJSON_AddNumberToObject(root, "shortest", score->shortest);
        cJSON_AddNumberToObject(root, "mean_seconds", score->mean);
        if (e->motions > 1) add_motions(root, e, s);
        if (e->each) add_pushes(root, e);
        print_json(stdout, root);
        return;
    }
    printf("normalised return %.3f\n%d of %d episodes lasted their %g s; the shortest %.1f s, on average "
           "%.1f s\n",
           score->normalised, score->lasted, score->episodes, e->seconds, score->shortest, score->mean);
    print_motions(e, s);
    if (e->each) policy_push_print(e->push, e->each, e->stood);
}

static int read_evaluation(struct evaluation *e) {
    *e = (struct evaluation){.episodes = 128, .seconds = 20};
    int code = option_number(&options, "--episodes", 1, 1 << 20, &e->episodes);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 4096, &e->threads);
    if (code == EXIT_DONE) code = option_real(&options, "--seconds", .1, 1e5, &e->seconds);
    if (code == EXIT_DONE) code = option_real(&options, "--least", 0, 1, &e->least);
    if (code == EXIT_DONE) code = option_real(&options, "--push", 0, 1e6, &e->push);
    if (code == EXIT_DONE) code = option_real(&options, "--standing", 0, 1, &e->standing);
    if (code == EXIT_DONE && e->standing > 0 && !(e->push > 0))
        code = complain(EXIT_USAGE, "--standing needs --push");
    if (e->push > 0) e->each = (int)((e->episodes + SIDES - 1) / SIDES);
    return code;
}

static bool evaluate(sn_policy *policy, const struct learn_settings *s, struct evaluation *e) {
    e->motions = learn_settings_motions(s);
    e->motion = need_memory(NULL, ((size_t)e->motions + 1) * sizeof *e->motion);
    return policy_judge(policy, s, (int)e->episodes, e->seconds, (int)e->threads, &e->score, e->motion) &&
           (!e->each || policy_push(policy, s, e->push, e->each, e->stood));
}

int command_evaluate(int argc, char **argv) {
    struct evaluation e;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = read_evaluation(&e);
    if (code != EXIT_DONE) return code;
    if (options.nword != 1)
        return complain(EXIT_USAGE, "evaluate needs one policy, a file that 'sinew train' wrote or a name");
    struct learn_settings settings;
    sn_policy *policy = learn_policy_open(options.word[0], option_given(&options, "--disturbed"), &settings);
    if (policy && (code = learn_settings_hold(&settings, &options)) != EXIT_DONE) {
        sn_policy_free(policy);
        learn_settings_free(&settings);
        return code;
    }
    const bool good = policy && evaluate(policy, &settings, &e);
    if (good) print_score(&e, &settings);
    free(e.motion);
    sn_policy_free(policy);
    learn_settings_free(&settings);
    return good && e.score.normalised >= e.least && part_standing(&e) >= e.standing ? EXIT_DONE : EXIT_FAILED;
}
