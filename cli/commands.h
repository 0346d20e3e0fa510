/* The commands. Each gets the arguments after its own name and returns an exit code. */
#ifndef SINEW_CLI_COMMANDS_H
#define SINEW_CLI_COMMANDS_H

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    void (*help)(void);
};

extern const struct command commands[]; /* the last one has no name */

#define COMMANDS(X)                                                                                          \
    X(track) X(crowd) X(report) X(render) X(view) X(inspect) X(convert) X(reproduce) X(plot) X(bench)
#define X(name)                                                                                              \
    int command_##name(int argc, char **argv);                                                               \
    void help_##name(void);
COMMANDS(X)
#undef X

#endif
