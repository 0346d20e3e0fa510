/* sinew export: a policy for other programs. */
#include "commands.h"
#include "options.h"
#include "policy_find.h"
#include "terminal.h"

#include <sinew/learn.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {.help = ""};

void help_export(void) {
    printf(
        "usage: sinew export POLICY OUT.onnx\n\n"
        "Writes a trained policy as an ONNX graph from \"observation\" [rows, n] to \"action\" [rows, m], "
        "its\n"
        "normalisation included. docs/learning.md explains what observations and actions are.\n\noptions\n");
    options_print(&options);
}

int command_export(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    sn_error error;
    if (code != EXIT_DONE) return code;
    if (options.nword != 2) return complain(EXIT_USAGE, "export needs a policy and a file to write");
    const char *dot = strrchr(options.word[1], '.');
    if (!dot || strcmp(dot, ".onnx") != 0)
        return complain(EXIT_USAGE, "'%s' does not end with .onnx, which is what export writes",
                        options.word[1]);
    char *path = policy_find(options.word[0]);
    if (!path) return EXIT_FAILED;
    sn_policy *policy = sn_policy_load(path, &error);
    free(path);
    const bool good = policy && sn_policy_save(policy, options.word[1], &error) == SN_OK;
    if (good) {
        sn_policy_data data;
        sn_policy_get(policy, &data);
        printf("%s: %d observations, %d actions\n", options.word[1], data.width[0], data.width[data.layers]);
    } else {
        complain(EXIT_FAILED, "%s", error.message);
    }
    sn_policy_free(policy);
    return good ? EXIT_DONE : EXIT_FAILED;
}
