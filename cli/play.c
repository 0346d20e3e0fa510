/* sinew play: a trained policy at work. */
#include "commands.h"
#include "learn_settings.h"
#include "policy_run.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>

static struct options options = {
    .help =
        "--seconds S  so long (default 10)\n"
        "--seed N  where in the motion it begins (default 1)\n"
        "--push N  push tests: newtons for 0.2 s at the root, from four sides, at all places of the motion\n"
        "--disturbed  with the pushes, balls, masses, friction and gains of its training, instead of "
        "calmly\n" HOLD_OPTION
        "--record FILE  where the recording goes: .json, or .glb and .bvh for other programs; '-' is "
        "standard "
        "output\n"
        "--report FILE  a page with the replay, plots and numbers, as run.html\n"};

void help_play(void) {
    printf("usage: sinew play POLICY [OPTIONS]\n\n"
           "Lets the character that a policy was trained for ('sinew train') act by it, without noise, and "
           "says\n"
           "how well it does and whether it falls; exits 1 when it does. Some come with the project:\n"
           "humanoid-walk, humanoid-run, humanoid-stick, humanoid-get-up, dog-trot.\n\noptions\n");
    options_print(&options);
    printf("\nexamples\n"
           "  sinew play humanoid-walk --report walk.html\n"
           "  sinew play training/humanoid-walk/policy.sinew --report walk.html\n"
           "  sinew play training/humanoid-walk/policy.sinew --push 200\n");
}

enum { EACH = 25 }; /* push tests from each side */

static void note_pushes(cJSON *result, double force, const int standing[SIDES]) {
    int all = 0;
    for (int i = 0; i < SIDES; i++)
        all += standing[i];
    cJSON *push = cJSON_AddObjectToObject(result, "push");
    cJSON_AddNumberToObject(push, "force", force);
    cJSON_AddNumberToObject(push, "standing", all);
    cJSON_AddNumberToObject(push, "of", SIDES * EACH);
}

/* What is reported of a run goes where the recording does not. */
static int tell(const struct policy_run *run, const struct learn_settings *s, FILE *out) {
    fprintf(out, "%s, %s: %.1f s%s, mean reward %.3f\n", s->character,
            s->motion[0] ? s->motion : "locomotion", run->seconds, run->fell ? ", then it fell" : "",
            run->reward);
    return run->stopped ? EXIT_INTERRUPTED : run->fell ? EXIT_FAILED : EXIT_DONE;
}

static int play(sn_policy *policy, const struct learn_settings *s, double seconds, long seed, double push) {
    const char *const to[] = {option_text(&options, "--record", NULL),
                              option_text(&options, "--report", NULL)};
    struct policy_run run;
    sn_recorder *recorder = policy_run(policy, s, seconds, (uint64_t)seed, push, &run);
    if (!recorder) return EXIT_FAILED;
    cJSON *result = cJSON_CreateObject();
    cJSON_AddNumberToObject(result, "mean_reward", run.reward);
    cJSON_AddBoolToObject(result, "fell", run.fell);
    cJSON_AddNumberToObject(result, "seconds", run.seconds);
    int standing[SIDES];
    const bool tested = push > 0 && !run.stopped,
               testable = !tested || policy_push(policy, s, push, EACH, standing);
    if (tested && testable) note_pushes(result, push, standing);
    policy_notes(recorder, s, result);
    bool good = true, taken = false;
    for (int i = 0; i < 2; i++) {
        if (to[i]) good = policy_write(recorder, to[i]) && good;
        taken = taken || (to[i] && is_standard_output(to[i]));
    }
    sn_recorder_free(recorder);
    const int code = tell(&run, s, taken ? stderr : stdout);
    if (tested && testable) policy_push_print(push, EACH, standing);
    return good && testable ? code : EXIT_FAILED;
}

int command_play(int argc, char **argv) {
    double seconds = 10, push = 0;
    long seed = 1;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_real(&options, "--seconds", .1, 1e5, &seconds);
    if (code == EXIT_DONE) code = option_number(&options, "--seed", 0, LONG_MAX, &seed);
    if (code == EXIT_DONE) code = option_real(&options, "--push", 0, 1e6, &push);
    if (code != EXIT_DONE) return code;
    if (push > 0 && option_given(&options, "--disturbed"))
        return complain(EXIT_USAGE,
                        "--push tests a policy that nothing else disturbs: leave --disturbed out");
    if (options.nword != 1)
        return complain(EXIT_USAGE, "play needs one policy, a file that 'sinew train' wrote");
    struct learn_settings settings;
    sn_policy *policy = learn_policy_open(options.word[0], option_given(&options, "--disturbed"), &settings);
    code = policy ? learn_settings_hold(&settings, &options) : EXIT_FAILED;
    const bool ready = code == EXIT_DONE;
    if (ready) code = play(policy, &settings, seconds, seed, push);
    sn_policy_free(policy);
    learn_settings_free(&settings);
    return code;
}
