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

int command_track(int argc, char **argv);
void help_track(void);
int command_crowd(int argc, char **argv);
void help_crowd(void);
int command_report(int argc, char **argv);
void help_report(void);
int command_render(int argc, char **argv);
void help_render(void);
int command_view(int argc, char **argv);
void help_view(void);
int command_inspect(int argc, char **argv);
void help_inspect(void);
int command_convert(int argc, char **argv);
void help_convert(void);
int command_reproduce(int argc, char **argv);
void help_reproduce(void);
int command_plot(int argc, char **argv);
void help_plot(void);
int command_bench(int argc, char **argv);
void help_bench(void);

#endif
