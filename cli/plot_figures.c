/* sinew plot: the figures of experiments as SVG. */
#include "commands.h"
#include "experiment.h"
#include "options.h"
#include "plot.h"
#include "plot_bars.h"
#include "progress.h"
#include "terminal.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--out DIR  where the figures go, a folder for each experiment (default: plots)\n"
            "--seed N  seed of everything random (default 1)\n"
            "--quick  fewer and shorter runs: to try out, not to compare\n"};

void help_plot(void) {
    printf(
        "usage: sinew plot EXPERIMENT... [--out DIR] [--seed N] [--quick]\n\n"
        "Runs experiments ('sinew reproduce --list' names them) and writes their figures as SVG: those the\n"
        "experiment draws itself, or else bars for every column of its tables.\n\noptions\n");
    options_print(&options);
}

/* Figures in a folder that experiments drew themselves: plot_bars gives its own names that start with "table". */
static int count_figures(const char *folder) {
    DIR *list = opendir(folder);
    int count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        const size_t length = strlen(entry->d_name);
        count += length > 4 && strcmp(entry->d_name + length - 4, ".svg") == 0 &&
                 strncmp(entry->d_name, "table", 5) != 0;
    }
    if (list) closedir(list);
    return count;
}

/* "maba/speed" draws into OUT/maba-speed. */
static int plot_experiment(const struct experiment *e, struct run_settings settings, const char *out) {
    char folder[4096];
    struct result result = {.experiment = e->name};
    int written = snprintf(folder, sizeof folder, "%s/%s", out, e->name);
    if (written >= (int)sizeof folder) return complain(EXIT_USAGE, "the folder's name is too long");
    *strrchr(folder, '/') = '-';
    if (!plot_make_folder(folder)) return EXIT_FAILED;
    settings.plot = folder;
    const bool ran = e->run(&settings, &result);
    progress_end();
    written = ran ? count_figures(folder) : -1;
    if (written == 0) written = plot_bars(&result, folder);
    result_free(&result);
    if (written < 0) return EXIT_FAILED;
    printf("%s: %d figure%s in %s\n", e->name, written, written == 1 ? "" : "s", folder);
    return interrupted() ? complain(EXIT_INTERRUPTED, "interrupted: the figures are not complete")
                         : EXIT_DONE;
}

static int plot_all(const struct options *line, const struct run_settings *settings) {
    int code = EXIT_DONE;
    for (int i = 0; i < line->nword; i++)
        if (!experiment_find(line->word[i], &code)) return code;
    for (int i = 0; i < line->nword && code == EXIT_DONE; i++)
        code = plot_experiment(experiment_find(line->word[i], &code), *settings,
                               option_text(&options, "--out", "plots"));
    return code;
}

int command_plot(int argc, char **argv) {
    long seed = 1;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--seed", 0, LONG_MAX, &seed);
    if (code != EXIT_DONE) return code;
    if (options.nword == 0)
        return complain(EXIT_USAGE, "plot needs an experiment; 'sinew reproduce --list' names them");
    const struct run_settings settings = {.seed = (uint64_t)seed, .quick = option_given(&options, "--quick")};
    return plot_all(&options, &settings);
}
