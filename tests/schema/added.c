/* A small `sinew` for tests/schema/run.sh, which has added an option to a header. It prints the help of its one command, the
 * schema, the JSON form and the hash of a definition, all by the code of the library and the command. */
#include "commands.h"
#include "definition_options.h"
#include "options.h"

#include "base/definition.h"

#include <sinew/learn.h>

#include <stdio.h>
#include <string.h>

static struct options options = {.help = ""};
static const char *const none[] = {NULL};

static void print_help(const char *command) {
    const bool train = strcmp(command, "train") == 0;
    definition_options_add(&options, train ? "sn_trainer_def" : "sn_world_def", none);
    printf("usage: sinew %s\n\noptions\n", command);
    options_print(&options);
}

/* The settings of a training with what the arguments say. */
static int print_settings(int argc, char **argv) {
    sn_trainer_def def = sn_trainer_def_default();
    char text[8192];
    definition_options_add(&options, "sn_trainer_def", none);
    if (options_parse(&options, argc, argv) ||
        definition_options_read(&options, "sn_trainer_def", none, &def))
        return 2;
    sn_def_write("sn_trainer_def", &def, text, sizeof text);
    return printf("%s\n", text) < 0;
}

/* The definition as JSON, and the hash of it; then with what the arguments say. */
static int print_values(int argc, char **argv) {
    sn_world_def def = sn_world_def_default();
    char text[8192];
    definition_options_add(&options, "sn_world_def", none);
    if (options_parse(&options, argc, argv) || definition_options_read(&options, "sn_world_def", none, &def))
        return 2;
    sn_def_write("sn_world_def", &def, text, sizeof text);
    printf("%s\n%016llx\n", text, (unsigned long long)sn__definition_hash("sn_world_def", &def, 0));
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--version") == 0) return printf("sinew %s\n", sn_version()) < 0;
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return printf("\n\ncommands\n  run        step a scene\n  train      let it learn\n\n") < 0;
    if (argc > 1 && strcmp(argv[1], "schema") == 0) return command_schema(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "values") == 0) return print_values(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "settings") == 0) return print_settings(argc - 2, argv + 2);
    print_help(argc > 2 ? argv[2] : "run");
    return 0;
}
