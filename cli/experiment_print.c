#include "experiment_print.h"

#include "table.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1024 }; /* of a value: settings may be whole sentences */

static void step_text(double dt, char out[WORDS]) {
    if (dt > 0 && isfinite(dt))
        snprintf(out, WORDS, "1/%.0f", 1 / dt);
    else
        snprintf(out, WORDS, "no step");
}

static void value_text(const struct value *value, char out[WORDS]) {
    switch (value->kind) {
    case VALUE_NONE:
        snprintf(out, WORDS, "-");
        break;
    case VALUE_TEXT:
        snprintf(out, WORDS, "%s", value->text);
        break;
    case VALUE_FLAG:
        snprintf(out, WORDS, "%s", value->flag ? "yes" : "no");
        break;
    case VALUE_STEP:
        step_text(value->number, out);
        break;
    case VALUE_NUMBER:
        if (isfinite(value->number))
            number_text(value->number, out);
        else
            snprintf(out, WORDS, "diverges");
        break;
    }
}

static void print_one_table(const struct record *row, int nrow) {
    enum { MOST = 32 };
    const char *heading[MOST];
    const int skip = table_name(row)[0] != '\0', ncolumn = row->count - skip;
    if (ncolumn < 1 || ncolumn > MOST) return;
    for (int i = 0; i < ncolumn; i++)
        heading[i] = row->field[skip + i].key;
    struct table table;
    table_start(&table, ncolumn, heading);
    for (int r = 0; r < nrow; r++)
        for (int i = 0; i < ncolumn; i++) {
            const struct value *value = &row[r].field[skip + i].value;
            char cell[WORDS];
            value_text(value, cell);
            table_add(&table, cell, value->kind == VALUE_TEXT || value->kind == VALUE_STEP);
        }
    if (skip) printf("%s%s%s\n", style(stdout, STYLE_DIM), table_name(row), style(stdout, STYLE_PLAIN));
    table_print(&table, stdout);
    table_free(&table);
}

void print_rows(const struct record *row, int nrow) {
    for (int first = 0, last; first < nrow; first = last) {
        for (last = first + 1; last < nrow && same_table(&row[first], &row[last]); last++)
            continue;
        print_one_table(&row[first], last - first);
        if (last < nrow) putchar('\n');
    }
}

static void print_settings(const struct record *settings) {
    if (settings->count == 0) return;
    printf("settings: ");
    for (int i = 0; i < settings->count; i++) {
        char value[WORDS];
        value_text(&settings->field[i].value, value);
        printf("%s%s = %s", i ? ", " : "", settings->field[i].key, value);
    }
    printf("\n\n");
}

/* "at most 2 (promise)" */
static void bound_text(const struct claim *claim, char out[2 * WORDS + 64]) {
    const struct bound *bound = &claim->bound;
    char least[WORDS], most[WORDS];
    value_text(&(struct value){.kind = claim->ours.kind, .number = bound->least}, least);
    value_text(&(struct value){.kind = claim->ours.kind, .number = bound->most}, most);
    const char *source = bound_sources[bound->source];
    if (bound->least >= bound->most)
        snprintf(out, 2 * WORDS + 64, "%s (%s)", most, source);
    else if (isinf(bound->least))
        snprintf(out, 2 * WORDS + 64, "at most %s (%s)", most, source);
    else if (isinf(bound->most))
        snprintf(out, 2 * WORDS + 64, "at least %s (%s)", least, source);
    else
        snprintf(out, 2 * WORDS + 64, "%s to %s (%s)", least, most, source);
}

static void print_claim(const struct claim *claim) {
    char paper[WORDS], ours[WORDS], bound[2 * WORDS + 64];
    bound_text(claim, bound);
    value_text(&claim->paper, paper);
    value_text(&claim->ours, ours);
    printf("  %s%s%s  %s", style(stdout, claim->holds ? STYLE_GOOD : STYLE_BAD),
           claim->holds ? "holds         " : "does not hold ", style(stdout, STYLE_PLAIN), claim->claim);
    if (claim->paper.kind == VALUE_NONE)
        printf(" [ours %s, bound %s]\n", ours, bound);
    else
        printf(" [paper %s, ours %s, bound %s]\n", paper, ours, bound);
}

void print_experiment(const struct experiment *experiment, const struct result *result) {
    printf("%s%s%s  %s (%s)\n", style(stdout, STYLE_BOLD), experiment->name, style(stdout, STYLE_PLAIN),
           experiment->description, experiment->paper);
    print_settings(&result->settings);
    print_rows(result->row, result->nrow);
    if (result->nclaim) printf("\nclaims\n");
    for (int i = 0; i < result->nclaim; i++)
        print_claim(&result->claim[i]);
    if (result->closing) printf("\n%s\n", result->closing);
}

static cJSON *value_json(const struct value *value) {
    char words[WORDS];
    switch (value->kind) {
    case VALUE_TEXT:
        return cJSON_CreateString(value->text);
    case VALUE_STEP:
        step_text(value->number, words);
        return cJSON_CreateString(words);
    case VALUE_FLAG:
        return cJSON_CreateBool(value->flag);
    case VALUE_NUMBER:
        return isfinite(value->number) ? cJSON_CreateNumber(value->number) : cJSON_CreateNull();
    case VALUE_NONE:
        break;
    }
    return cJSON_CreateNull();
}

cJSON *record_json(const struct record *record) {
    cJSON *object = cJSON_CreateObject();
    for (int i = 0; i < record->count; i++)
        cJSON_AddItemToObject(object, record->field[i].key, value_json(&record->field[i].value));
    return object;
}

/* {"least", "most", "from"}; null where there is none. */
static cJSON *bound_json(const struct claim *claim) {
    cJSON *json = cJSON_CreateObject();
    const struct value least = {.kind = claim->ours.kind, .number = claim->bound.least};
    const struct value most = {.kind = claim->ours.kind, .number = claim->bound.most};
    cJSON_AddItemToObject(json, "least", isinf(least.number) ? cJSON_CreateNull() : value_json(&least));
    cJSON_AddItemToObject(json, "most", isinf(most.number) ? cJSON_CreateNull() : value_json(&most));
    cJSON_AddStringToObject(json, "from", bound_sources[claim->bound.source]);
    return json;
}

cJSON *experiment_json(const struct result *result) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "experiment", result->experiment);
    cJSON_AddItemToObject(json, "settings", record_json(&result->settings));
    cJSON *rows = cJSON_AddArrayToObject(json, "rows");
    for (int i = 0; i < result->nrow; i++)
        cJSON_AddItemToArray(rows, record_json(&result->row[i]));
    cJSON *claims = cJSON_AddArrayToObject(json, "claims");
    for (int i = 0; i < result->nclaim; i++) {
        cJSON *claim = cJSON_CreateObject();
        cJSON_AddStringToObject(claim, "claim", result->claim[i].claim);
        cJSON_AddItemToObject(claim, "paper", value_json(&result->claim[i].paper));
        cJSON_AddItemToObject(claim, "ours", value_json(&result->claim[i].ours));
        cJSON_AddItemToObject(claim, "bound", bound_json(&result->claim[i]));
        cJSON_AddBoolToObject(claim, "holds", result->claim[i].holds);
        cJSON_AddItemToArray(claims, claim);
    }
    cJSON_AddItemToObject(json, "closing",
                          result->closing ? cJSON_CreateString(result->closing) : cJSON_CreateNull());
    return json;
}

void print_json(FILE *out, cJSON *json) {
    char *printed = cJSON_Print(json);
    if (printed) fprintf(out, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(json);
}

void print_part(struct cJSON *json, const char *key, const char *heading, struct result *part) {
    if (json) {
        cJSON *array = cJSON_AddArrayToObject(json, key);
        for (int i = 0; i < part->nrow; i++)
            cJSON_AddItemToArray(array, record_json(&part->row[i]));
    } else if (part->nrow > 0) {
        printf("%s%s%s\n", style(stdout, STYLE_DIM), heading, style(stdout, STYLE_PLAIN));
        print_rows(part->row, part->nrow);
        putchar('\n');
    }
    result_free(part);
}
