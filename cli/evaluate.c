/* sinew evaluate: how good a policy is, over many episodes. */
#include "commands.h"
#include "experiment_print.h"
#include "learn_settings.h"
#include "policy_run.h"
#include "terminal.h"

#include <cjson/cJSON.h>

static struct options options = {
    .help =
        "--episodes N  so many, each from its own place of the motion (default 128)\n"
        "--seconds S  of each (default 20)\n"
        "--threads T  so many threads (default: one per core)\n"
        "--disturbed  with the pushes, balls, masses, friction and gains of its training, instead of calmly\n"
        "--least R  exit 1 where the normalised return is less\n"
        "--json  print JSON instead of text\n"};

void help_evaluate(void) {
    printf(
        "usage: sinew evaluate POLICY [OPTIONS]\n\n"
        "Lets a policy act without noise in many episodes and prints the normalised return: the mean reward\n"
        "per step, at most 1, and 0 after a fall.\n\noptions\n");
    options_print(&options);
}

static void print_score(const sn_policy_score *score, double seconds) {
    if (option_given(&options, "--json")) {
        cJSON *root = cJSON_CreateObject();
        cJSON_AddNumberToObject(root, "normalised_return", score->normalised);
        cJSON_AddNumberToObject(root, "episodes", score->episodes);
        cJSON_AddNumberToObject(root, "lasted", score->lasted);
        cJSON_AddNumberToObject(root, "shortest", score->shortest);
        cJSON_AddNumberToObject(root, "mean_seconds", score->mean);
        print_json(stdout, root);
        return;
    }
    printf("normalised return %.3f\n%d of %d episodes lasted their %g s; the shortest %.1f s, on average "
           "%.1f s\n",
           score->normalised, score->lasted, score->episodes, seconds, score->shortest, score->mean);
}

int command_evaluate(int argc, char **argv) {
    long episodes = 128, threads = 0;
    double seconds = 20, least = 0;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--episodes", 1, 1 << 20, &episodes);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 4096, &threads);
    if (code == EXIT_DONE) code = option_real(&options, "--seconds", .1, 1e5, &seconds);
    if (code == EXIT_DONE) code = option_real(&options, "--least", 0, 1, &least);
    if (code != EXIT_DONE) return code;
    if (options.nword != 1)
        return complain(EXIT_USAGE, "evaluate needs one policy, a file that 'sinew train' wrote");
    struct learn_settings settings;
    sn_policy_score score;
    learn_settings_init(&settings);
    settings.disturbed = option_given(&options, "--disturbed");
    sn_policy *policy = learn_policy_load(options.word[0], &settings);
    const bool good = policy && policy_judge(policy, &settings, (int)episodes, seconds, (int)threads, &score);
    if (good) print_score(&score, seconds);
    sn_policy_free(policy);
    learn_settings_free(&settings);
    return good && score.normalised >= least ? EXIT_DONE : EXIT_FAILED;
}
