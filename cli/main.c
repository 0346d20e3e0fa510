/* sinew: the command. It uses the library through its public header alone. */
#include "commands.h"
#include "options.h"
#include "ranks.h"
#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <sinew/sinew.h>
#include <string.h>

static int say_help(int argc, char **argv);
static void help_help(void);

const struct command commands[] = {
    {"track", "make a character follow a motion and report the error", command_track, help_track},
    {"crowd", "make many characters follow a motion and report how many run in real time", command_crowd,
     help_crowd},
    {"run", "simulate a scene and report how it ended", command_run_scene, help_run_scene},
    {"report", "turn a recording into a page: replay, plots, numbers", command_report, help_report},
    {"render", "draw a recording as pictures", command_render, help_render},
    {"view", "serve the playground to the browser", command_view, help_view},
    {"inspect", "show what a character or a clip contains", command_inspect, help_inspect},
    {"convert", "write a character or a clip in another format", command_convert, help_convert},
    {"keyframe", "make a motion from keyframes with physics", command_keyframe, help_keyframe},
    {"train", "train a policy that performs a motion", command_train, help_train},
    {"play", "run a trained policy", command_play, help_play},
    {"evaluate", "report how good a policy is", command_evaluate, help_evaluate},
    {"export", "write a policy as ONNX", command_export, help_export},
    {"reproduce", "repeat an experiment from a paper and compare", command_reproduce, help_reproduce},
    {"plot", "draw the figures of an experiment", command_plot, help_plot},
    {"bench", "measure the speed of this machine", command_bench, help_bench},
    {"devices", "list devices beside the processor that worlds can run on", command_devices, help_devices},
    {"schema", "print definitions, enumerators, fields and functions", command_schema, help_schema},
    {"help", "explain a command", say_help, help_help},
    {0},
};

static void print_overview(FILE *out) {
    fprintf(out, "sinew: physics-based characters under stable PD control, in linear time\n\n"
                 "usage: sinew COMMAND [OPTIONS] ...\n\ncommands\n");
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->summary);
    fprintf(out, "\noptions\n"
                 "  --help     this text; 'sinew help COMMAND' explains a command\n"
                 "  --version  the version and what this build and machine can do\n"
                 "\nexamples\n"
                 "  sinew track humanoid run --ground --report run.html\n"
                 "  sinew crowd humanoid run -n 1000\n"
                 "  sinew run scene.xml --seconds 10 --record run.json\n"
                 "  sinew train humanoid walk\n"
                 "  sinew inspect humanoid\n"
                 "  sinew reproduce --list\n"
                 "  sinew reproduce spd/pendulum\n"
                 "  sinew bench spd --model humanoid\n"
                 "  sinew bench contact\n");
}

static int print_version(void) {
    printf("sinew %s\nlanes: ", sn_version());
    for (int i = 0; sn_lanes_get(i); i++) {
        const sn_lanes_info *lanes = sn_lanes_get(i);
        printf("%s%s (%s)", i ? ", " : "", lanes->name, lanes->isa);
    }
    printf("\nLAPACK: %s\nstrict: %s\nMPI: %s\n", sn_built_with("lapack") ? "yes" : "no",
           sn_built_with("strict") ? "yes" : "no", ranks_possible() ? "yes" : "no");
    return EXIT_DONE;
}

static const struct command *find_command(const char *name) {
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

static int complain_command(const char *name) {
    return complain_unknown_in("command", name, commands, sizeof *commands);
}

static void help_help(void) {
    printf("usage: sinew help [COMMAND]\n\nSays what a command does and which options it takes.\n");
}

static int say_help(int argc, char **argv) {
    if (argc == 0) {
        print_overview(stdout);
        return EXIT_DONE;
    }
    if (argc > 1) return complain(EXIT_USAGE, "help takes one command, but '%s' follows", argv[1]);
    const struct command *command = find_command(argv[0]);
    if (!command) return complain_command(argv[0]);
    command->help();
    return EXIT_DONE;
}

/* "--help" or "-h" among the options. */
static bool wants_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

static int run_command(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return say_help(0, NULL);
    if (strcmp(name, "--version") == 0) return print_version();
    if (name[0] == '-')
        return complain_unknown("option", name, (const char *const[]){"--help", "--version", NULL});
    const struct command *command = find_command(name);
    if (!command) return complain_command(name);
    if (wants_help(argc - 2, argv + 2)) return say_help(1, argv + 1);
    interrupt_catch();
    return command->run(argc - 2, argv + 2);
}

/* What was printed is not delivered before standard output is closed: a full disk may only show now. */
static bool close_output(void) {
    errno = 0;
    bool good = !ferror(stdout);
    good = fflush(stdout) == 0 && good;
    const int why = errno;
    if (fclose(stdout) != 0 && errno != EBADF) good = false; /* EBADF: it was closed from the start */
    if (!good)
        complain(EXIT_FAILED, "standard output cannot be written%s%s", why ? ": " : "",
                 why ? strerror(why) : "");
    return good;
}

int main(int argc, char **argv) {
    platform_begin(&argc, &argv);
    const int code = run_command(argc, argv);
    return close_output() || code != EXIT_DONE ? code : EXIT_FAILED;
}
