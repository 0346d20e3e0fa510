#include "bench.h"

#include "experiment.h"
#include "experiment_print.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The time of one combination; NAN when it was not measured. */
static double time_of(const struct bench *bench, const char *model, const char *solver, const char *lanes) {
    for (int i = 0; i < bench->nrow; i++) {
        const struct bench_row *row = &bench->row[i];
        if (strcmp(row->model, model) == 0 && strcmp(row->solver, solver) == 0 &&
            strcmp(row->lanes->name, lanes) == 0)
            return row->us;
    }
    return (double)NAN;
}

static const char *widest_float(void) {
    const sn_lanes_info *widest = lanes_widest(SN_PRECISION_FLOAT);
    return widest ? widest->name : "f32";
}

static void put_rows(const struct bench *bench, struct result *result) {
    for (int i = 0; i < bench->nrow; i++) {
        const struct bench_row *measured = &bench->row[i];
        add_row(result, NULL, {"model", text(measured->model)}, {"n", number(measured->n)},
                {"d", number(measured->d)}, {"solver", text(measured->solver)},
                {"precision", text(precision_name(measured->lanes->precision))},
                {"lanes", text(measured->lanes->name)}, {"us", number(measured->us)});
    }
}

/* How the cost grows from the 36- to the 195-degree chain: 5.4 would be linear, 159 cubic. */
static void put_growth(const struct bench *bench, struct result *result) {
    for (int i = 0; i < bench->nrow; i++) {
        const struct bench_row *longest = &bench->row[i];
        if (strcmp(longest->model, "snake195") != 0) continue;
        const double growth = longest->us / time_of(bench, "snake36", longest->solver, longest->lanes->name);
        if (isnan(growth)) continue;
        add_row(result, NULL, {"solver", text(longest->solver)}, {"lanes", text(longest->lanes->name)},
                {"snake195/snake36", number(growth)});
    }
}

static void put_ratio(struct result *result, const char *model, const char *key, double ratio) {
    if (isnan(ratio)) return;
    add_row(result, NULL, {"model", text(model)}, {"ratio", text(key)}, {"value", number(ratio)});
}

static void put_ratios(const struct bench *bench, struct result *result) {
    for (int m = 0; sn_builtin_name(m); m++) {
        const char *model = sn_builtin_name(m);
        const double scalar = time_of(bench, model, "maba", "f64");
        put_ratio(result, model, "maba over dense, f64", time_of(bench, model, "dense", "f64") / scalar);
        put_ratio(result, model, "maba over lapack, f64", time_of(bench, model, "lapack", "f64") / scalar);
        put_ratio(result, model, "maba over sparse, f64", time_of(bench, model, "sparse", "f64") / scalar);
        put_ratio(result, model, "maba over pcg, f64", time_of(bench, model, "pcg", "f64") / scalar);
        char key[48];
        snprintf(key, sizeof key, "%s over f64, maba", widest_float());
        put_ratio(result, model, key, scalar / time_of(bench, model, "maba", widest_float()));
    }
}

static int put_check(struct result *result, const char *what, double ours, bool at_least, double target) {
    const bool met = at_least ? ours >= target : ours <= target; /* NAN: not measured, not met */
    add_row(result, NULL, {"target", text(what)}, {"bound", text(at_least ? "at least" : "at most")},
            {"value", number(target)}, {"ours", isnan(ours) ? none() : number(ours)},
            {"check", text(met ? "pass" : "FAIL")});
    return met ? 0 : 1;
}

/* The project's targets, for AVX-512 and for AVX2. On narrower machines only the scalar ones count. */
static int put_checks(const struct bench *bench, struct result *result) {
    const sn_lanes_info *wide = lanes_widest(SN_PRECISION_FLOAT);
    const int width = wide ? wide->width : 1;
    const double humanoid = time_of(bench, "humanoid", "maba", "f64");
    const double humanoid_wide = time_of(bench, "humanoid", "maba", widest_float());
    int missed = 0;
    if (width >= 8) {
        const double dog_wide = time_of(bench, "dog", "maba", widest_float());
        missed += put_check(result, "humanoid, maba, widest float: us", humanoid_wide, false,
                            width >= 16 ? 0.12 : 0.212);
        missed +=
            put_check(result, "dog, maba, widest float: us", dog_wide, false, width >= 16 ? 0.26 : 0.392);
        missed += put_check(result, "humanoid, widest float over f64", humanoid / humanoid_wide, true,
                            width >= 16 ? 8.0 : 5.9);
    }
    missed += put_check(result, "humanoid, maba, f64: us", humanoid, false, 1.5);
    static const struct {
        const char *model, *what;
        double ratio;
    } against_dense[] = {{"humanoid", "maba over dense, f64, humanoid (n = 34)", 3.5},
                         {"dog", "maba over dense, f64, dog (n = 72)", 10},
                         {"snake195", "maba over dense, f64, snake195 (n = 195)", 35}};
    for (int i = 0; i < 3; i++) {
        const char *model = against_dense[i].model;
        const double ratio = time_of(bench, model, "dense", "f64") / time_of(bench, model, "maba", "f64");
        missed += put_check(result, against_dense[i].what, ratio, true, against_dense[i].ratio);
    }
    const char *const lanes[] = {"f64", widest_float()};
    for (int i = 0; i < 2; i++) {
        char what[64];
        snprintf(what, sizeof what, "maba, snake195 over snake36, %s", lanes[i]);
        const double growth =
            time_of(bench, "snake195", "maba", lanes[i]) / time_of(bench, "snake36", "maba", lanes[i]);
        missed += put_check(result, what, growth, false, 7.5);
    }
    return missed;
}

int bench_print(const struct bench *bench, bool as_json, bool check) {
    struct result rows = {0}, growth = {0}, ratios = {0}, checks = {0};
    put_rows(bench, &rows);
    put_growth(bench, &growth);
    put_ratios(bench, &ratios);
    const int missed = check ? put_checks(bench, &checks) : 0;
    cJSON *json = as_json ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "microseconds per character-step", &rows);
    print_part(json, "growth", "cost growth from 36 to 195 degrees of freedom (5.4 would be linear)",
               &growth);
    print_part(json, "ratios", "how many times faster", &ratios);
    if (check) print_part(json, "checks", "targets", &checks);
    if (json) print_json(stdout, json);
    return missed;
}
