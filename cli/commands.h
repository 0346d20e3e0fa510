/* The commands. Each gets the arguments after its own name and returns an exit code. */
#ifndef SINEW_CLI_COMMANDS_H
#define SINEW_CLI_COMMANDS_H

typedef int command_run(int argc, char **argv);
typedef void command_help(void);

struct command {
    const char *name;
    const char *summary;
    command_run *run;
    command_help *help;
};

extern const struct command commands[]; /* the last one has no name */

command_run command_track, command_crowd, command_report, command_render, command_view, command_inspect,
    command_convert, command_keyframe, command_train, command_play, command_evaluate, command_export,
    command_reproduce, command_plot, command_bench, command_run_scene, command_schema, command_devices;
command_help help_track, help_crowd, help_report, help_render, help_view, help_inspect, help_convert,
    help_keyframe, help_train, help_play, help_evaluate, help_export, help_reproduce, help_plot, help_bench,
    help_run_scene, help_schema, help_devices;

#endif
