/* sinew bench: microseconds per character-step on this machine. */
#include "bench.h"

#include "bench_contact.h"
#include "bench_crowd.h"
#include "bench_learn.h"
#include "bench_position.h"
#include "bench_protocol.h"
#include "commands.h"
#include "options.h"
#include "progress.h"
#include "subject.h"
#include "experiment_print.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--json  print JSON instead of tables\n--model M  only this built-in model\n--solver S  only "
            "this solver: maba, dense, lapack, sparse, pcg\n--precision P  only this precision: float, "
            "double\n--lanes L  only this lane type, as f32x16\n--all  every solver in every lane type; else "
            "f64 and the widest float\n--count N  characters in a crowd (default 256 for maba, fewer for the "
            "slow solvers)\n--repetitions N  of each measurement; the fastest counts (default 7)\n--quick  "
            "short measurements: to try out, not to compare\n--check  compare with the project's targets; "
            "exit 1 when one is missed\n"};

void help_bench(void) {
    printf("usage: sinew bench spd [--model M] [--solver S] [--precision P] [--lanes L] [--all]\n            "
           "           [--count N] [--repetitions N] [--quick] [--check] [--json]\n\nMeasures a step of "
           "stable PD: microseconds per character, minimum of repetitions, on one\nthread, without contacts, "
           "for each model, solver and lane type.\n\noptions\n");
    options_print(&options);
    putchar('\n');
    help_bench_contact();
    putchar('\n');
    help_bench_crowd();
    putchar('\n');
    help_bench_position();
    putchar('\n');
    help_bench_learn();
    putchar('\n');
    help_bench_protocol();
}

static bool chosen(const char *option, const char *name) {
    const char *only = option_text(&options, option, NULL);
    return !only || strcmp(only, name) == 0;
}

/* MABA runs in every lane type; the others, unless asked, only in scalar double and in the widest float. */
static bool wanted(const struct solver_name *solver, const sn_lanes_info *lanes) {
    if (!chosen("--solver", solver->name) || !chosen("--lanes", lanes->name)) return false;
    if (!chosen("--precision", precision_name(lanes->precision))) return false;
    if (solver->solver == SN_SOLVER_MABA || option_given(&options, "--all") ||
        option_given(&options, "--lanes"))
        return true;
    return strcmp(lanes->name, "f64") == 0 || lanes == lanes_widest(SN_PRECISION_FLOAT);
}

static bool add_case(struct bench *bench, const sn_model *model, const char *name,
                     const struct solver_name *solver, const sn_lanes_info *lanes, long count) {
    const bool maba = solver->solver == SN_SOLVER_MABA, large = sn_model_get(model)->nv > 100;
    const int few = large ? 1 : 4, enough = maba ? 256 : few > lanes->width ? few : lanes->width;
    const struct workload_def def = {.lanes = lanes,
                                     .solver = solver->solver,
                                     .form = SN_FORM_STABLE,
                                     .count = count > 0 ? (int)count : enough,
                                     .dt = 1.0 / 240,
                                     .driven = true,
                                     .steps = maba    ? 120
                                              : large ? 4
                                                      : 12,
                                     .seed = 1};
    struct bench_row row = {.model = name,
                            .n = sn_model_get(model)->nv,
                            .d = sn_model_get(model)->depth,
                            .solver = solver->name,
                            .lanes = lanes,
                            .us = INFINITY};
    sn_error error = {0};
    const sn_status status = workload_create(&row.workload, model, &def, &error);
    if (status == SN_ERROR_UNSUPPORTED) return true; /* this build has no such solver */
    if (status != SN_OK)
        return complain(EXIT_FAILED, "%s, %s, %s: %s", name, solver->name, lanes->name, error.message) ==
               EXIT_DONE;
    bench->row = need_memory(bench->row, (size_t)(bench->nrow + 1) * sizeof *bench->row);
    bench->row[bench->nrow++] = row;
    return true;
}

static bool add_model(struct bench *bench, sn_model *model, const char *name, long count) {
    for (const struct solver_name *s = solver_names; s->name; s++)
        for (int i = 0; sn_lanes_get(i); i++)
            if (wanted(s, sn_lanes_get(i)) && !add_case(bench, model, name, s, sn_lanes_get(i), count))
                return false;
    return true;
}

/* Repetitions go round all measurements, so that a disturbance of a second or two spoils only one of each. */
static void run_repetitions(struct bench *bench, double seconds, int repetitions) {
    const struct timing once = {.seconds = seconds, .repetitions = 1};
    progress_start("bench spd", bench->nrow * repetitions);
    for (int r = 0; r < repetitions; r++)
        for (int i = 0; i < bench->nrow && !interrupted(); i++) {
            struct bench_row *row = &bench->row[i];
            progress_step("%s, %s, %s", row->model, row->solver, row->lanes->name);
            row->us = workload_time(&row->workload, &once);
        }
    progress_end();
}

/* Forgets what was not measured, and what ran away while it was. */
static void finish_rows(struct bench *bench) {
    int kept = 0;
    for (int i = 0; i < bench->nrow; i++) {
        struct bench_row *row = &bench->row[i];
        const bool lost = row->workload.lost;
        if (lost) {
            bench->failed = true;
            complain(EXIT_FAILED, "%s, %s, %s: not finite any more", row->model, row->solver,
                     row->lanes->name);
        }
        workload_free(&row->workload);
        if (!lost && isfinite(row->us)) bench->row[kept++] = *row;
    }
    bench->nrow = kept;
}

static int bench_spd(long repetitions, long count) {
    enum { MOST_MODELS = 32 };
    sn_model *model[MOST_MODELS] = {0};
    struct bench bench = {0};
    for (int m = 0; m < MOST_MODELS && sn_builtin_name(m) && !bench.failed; m++) {
        if (!chosen("--model", sn_builtin_name(m))) continue;
        sn_error error = {0};
        model[m] = sn_builtin_create(sn_builtin_name(m), &error);
        if (!model[m]) complain(EXIT_FAILED, "%s: %s", sn_builtin_name(m), error.message);
        bench.failed = !model[m] || !add_model(&bench, model[m], sn_builtin_name(m), count);
    }
    const int wanted_rows = bench.nrow;
    if (!bench.failed)
        run_repetitions(&bench, option_given(&options, "--quick") ? 0.001 : 0.03, (int)repetitions);
    finish_rows(&bench);
    const int missed =
        bench_print(&bench, option_given(&options, "--json"), option_given(&options, "--check"));
    free(bench.row);
    for (int m = 0; m < MOST_MODELS; m++)
        sn_model_free(model[m]);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    if (wanted_rows == 0 && !bench.failed)
        return complain(EXIT_FAILED, "nothing to measure: this build cannot run it");
    return bench.failed || missed > 0 ? EXIT_FAILED : EXIT_DONE;
}

static const char *const benchmarks[] = {"spd", "contact", "crowd", "position", "learn", "protocol", NULL};

/* Each benchmark has options of its own, so the word that names it is looked for before they are read. */
static const char *find_benchmark(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        for (int n = 0; benchmarks[n]; n++)
            if (strcmp(argv[i], benchmarks[n]) == 0) return benchmarks[n];
    return "spd";
}

int command_bench(int argc, char **argv) {
    const char *benchmark = find_benchmark(argc, argv);
    if (strcmp(benchmark, "contact") == 0) return bench_contact(argc, argv);
    if (strcmp(benchmark, "crowd") == 0) return bench_crowd(argc, argv);
    if (strcmp(benchmark, "position") == 0) return bench_position(argc, argv);
    if (strcmp(benchmark, "learn") == 0) return bench_learn(argc, argv);
    if (strcmp(benchmark, "protocol") == 0) return bench_protocol(argc, argv);
    long repetitions = 0, count = 0;
    int code = options_parse(&options, argc, argv), solver;
    if (code == EXIT_DONE) code = option_number(&options, "--repetitions", 1, 1000, &repetitions);
    if (code == EXIT_DONE) code = option_number(&options, "--count", 1, 1 << 20, &count);
    if (repetitions == 0) repetitions = option_given(&options, "--quick") ? 2 : 7;
    if (code != EXIT_DONE) return code;
    if (options.nword == 0)
        return complain(EXIT_USAGE, "say what to measure: 'sinew bench spd', 'bench contact', 'bench crowd', "
                                    "'bench position', 'bench learn' or 'bench protocol'");
    if (strcmp(options.word[0], "spd") != 0)
        return complain_unknown("benchmark", options.word[0], benchmarks);
    if (options.nword > 1) return complain(EXIT_USAGE, "'%s' is one word too many", options.word[1]);
    code = check_names(&options);
    if (code == EXIT_DONE)
        code =
            option_choice(&options, "--solver", "solver",
                          (const char *const[]){"maba", "dense", "lapack", "sparse", "pcg", NULL}, &solver);
    return code == EXIT_DONE ? bench_spd(repetitions, count) : code;
}
