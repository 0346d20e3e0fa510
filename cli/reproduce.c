/* sinew reproduce: runs experiments and prints their results. */
#include "commands.h"
#include "experiment.h"
#include "options.h"
#include "plot.h"
#include "progress.h"
#include "experiment_print.h"
#include "table.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--list  name the experiments and say which are done\n"
            "--json  print JSON instead of tables\n"
            "--seed N  seed of everything random (default 1)\n"
            "--quick  fewer and shorter runs: to try out, not to compare\n"
            "--plot DIR  write the figures there, as SVG (maba/accuracy, "
            "/capacity, spd/pendulum, /reactions and /tinkertoy with recordings, /stability, "
            "kokkevis/deltas, /trajectory, pbad/energy, /control, maba/training)\n"
            "--data DIR  keep what was measured there, and go on from it (maba/training)\n"
            "--minutes M  begin no training later than that (maba/training)\n"};

void help_reproduce(void) {
    printf("usage: sinew reproduce NAME... | all | --list  [--json] [--seed N] [--quick] [--plot DIR]\n"
           "                       [--data DIR] [--minutes M]\n\n"
           "Repeats experiments of the papers the library rests on and prints the paper's value\n"
           "beside the one measured here. 'all' stands for every experiment that is done.\n\noptions\n");
    options_print(&options);
}

static int list_experiments(bool json) {
    if (!json) {
        static const char *const heading[] = {"name", "done", "paper", "what it shows"};
        struct table table;
        table_start(&table, 4, heading);
        for (const struct experiment *e = experiments; e->name; e++) {
            table_add(&table, e->name, true);
            table_add(&table, e->run ? "yes" : "no", true);
            table_add(&table, e->paper, true);
            table_add(&table, e->description, true);
        }
        table_print(&table, stdout);
        table_free(&table);
        return EXIT_DONE;
    }
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "experiments");
    for (const struct experiment *e = experiments; e->name; e++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", e->name);
        cJSON_AddStringToObject(entry, "paper", e->paper);
        cJSON_AddStringToObject(entry, "description", e->description);
        cJSON_AddBoolToObject(entry, "done", e->run != NULL);
        cJSON_AddItemToArray(list, entry);
    }
    print_json(stdout, root);
    return EXIT_DONE;
}

/* The experiments the words stand for, ended by NULL, in `chosen`. */
static int choose(const struct options *line, const struct experiment **chosen) {
    int n = 0, code;
    for (int i = 0; i < line->nword; i++) {
        if (strcmp(line->word[i], "all") == 0) {
            for (const struct experiment *e = experiments; e->name; e++)
                if (e->run) chosen[n++] = e;
            continue;
        }
        chosen[n] = experiment_find(line->word[i], &code);
        if (!chosen[n++]) return code;
    }
    chosen[n] = NULL;
    return EXIT_DONE;
}

/* Runs the chosen experiments one by one; prints each as it ends, or all at the end as JSON: an object for
   one experiment, an array for several. */
static int run_experiments(const struct experiment *const *chosen, const struct run_settings *settings,
                           bool json) {
    cJSON *all = json && chosen[1] ? cJSON_CreateArray() : NULL;
    int code = EXIT_DONE;
    for (int i = 0; chosen[i] && code == EXIT_DONE; i++) {
        struct result result = {.experiment = chosen[i]->name};
        const bool ran = chosen[i]->run(settings, &result);
        progress_end();
        if (!ran) code = EXIT_FAILED;
        if (interrupted()) {
            code = EXIT_INTERRUPTED;
            result_setting(&result, "interrupted", flag(true));
        }
        if (code != EXIT_FAILED) {
            if (all)
                cJSON_AddItemToArray(all, experiment_json(&result));
            else if (json)
                print_json(stdout, experiment_json(&result));
            else {
                print_experiment(chosen[i], &result);
                if (chosen[i + 1]) putchar('\n');
            }
        }
        result_free(&result);
    }
    if (all) print_json(stdout, all);
    if (code == EXIT_INTERRUPTED) complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return code;
}

int command_reproduce(int argc, char **argv) {
    enum { MOST_EXPERIMENTS = 64 };
    long seed = 1;
    double minutes = 0;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--seed", 0, LONG_MAX, &seed);
    if (code == EXIT_DONE) code = option_real(&options, "--minutes", 0, 1e6, &minutes);
    if (code != EXIT_DONE) return code;
    if (option_given(&options, "--list"))
        return options.nword
                   ? complain(EXIT_USAGE, "--list takes no names, but '%s' is given", options.word[0])
                   : list_experiments(option_given(&options, "--json"));
    if (options.nword == 0)
        return complain(EXIT_USAGE, "name an experiment, or try 'sinew reproduce --list'");
    const struct experiment **chosen =
        need_memory(NULL, ((size_t)options.nword * MOST_EXPERIMENTS + 1) * sizeof(struct experiment *));
    code = choose(&options, chosen);
    const struct run_settings settings = {.seed = (uint64_t)seed,
                                          .quick = option_given(&options, "--quick"),
                                          .plot = option_text(&options, "--plot", NULL),
                                          .data = option_text(&options, "--data", NULL),
                                          .minutes = minutes};
    if (code == EXIT_DONE && settings.data && !plot_make_folder(settings.data)) code = EXIT_FAILED;
    if (code == EXIT_DONE && settings.plot && !plot_make_folder(settings.plot)) code = EXIT_FAILED;
    if (code == EXIT_DONE) code = run_experiments(chosen, &settings, option_given(&options, "--json"));
    free(chosen);
    return code;
}
