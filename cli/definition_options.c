#include "definition_options.h"

#include "terminal.h"

#include <cjson/cJSON.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that the library tells of itself, to be deleted. */
static cJSON *read_schema(void) {
    const size_t size = sn_schema(NULL, 0);
    char *text = need_memory(NULL, size + 1);
    sn_schema(text, size + 1);
    cJSON *schema = cJSON_Parse(text);
    free(text);
    return schema;
}

static cJSON *find_named(const cJSON *list, const char *name) {
    cJSON *one;
    cJSON_ArrayForEach(one,
                       list) if (strcmp(cJSON_GetObjectItem(one, "name")->valuestring, name) == 0) return one;
    return NULL;
}

static const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static bool is_left_out(const cJSON *option, const char *const *without) {
    const char *type = text_of(option, "type");
    if (strcmp(type, "pointer") == 0 || strcmp(type, "text") == 0) return true;
    for (; *without; without++)
        if (strcmp(text_of(option, "name"), *without) == 0) return true;
    return false;
}

/* "--sweep-tolerance" for sweep_tolerance. */
static void name_option(const cJSON *option, char *name, size_t room) {
    snprintf(name, room, "--%s", text_of(option, "name"));
    for (char *c = name + 2; *c; c++)
        if (*c == '_') *c = '-';
}

typedef void visit(void *user, const cJSON *schema, const cJSON *option, const char *path);

/* Every option of a definition and of those inside it; path is "expert." for the members of the definition `expert`. */
static void visit_options(const cJSON *schema, const char *definition, const char *const *without,
                          const char *path, visit *what, void *user) {
    const cJSON *d = find_named(cJSON_GetObjectItem(schema, "definitions"), definition), *option;
    cJSON_ArrayForEach(option, cJSON_GetObjectItem(d, "options")) {
        if (is_left_out(option, without)) continue;
        if (strcmp(text_of(option, "type"), "definition") == 0) {
            char inside[64];
            snprintf(inside, sizeof inside, "%s%s.", path, text_of(option, "name"));
            visit_options(schema, text_of(option, "definition"), without, inside, what, user);
        } else
            what(user, schema, option, path);
    }
}

/* ------------------------------------------------------------------------------------------------------- help */

struct help {
    char *text;
    size_t length;
};

static void add_text(struct help *help, const char *text) {
    const size_t n = strlen(text);
    help->text = need_memory(help->text, help->length + n + 1);
    memcpy(help->text + help->length, text, n + 1);
    help->length += n;
}

static const char *value_name(const char *type) {
    return strcmp(type, "choice") == 0 ? "WORD"
           : strcmp(type, "flag") == 0 ? "BOOL"
           : strcmp(type, "real") == 0 ? "X"
                                       : "N";
}

static void add_choices(struct help *help, const cJSON *schema, const cJSON *option) {
    const cJSON *e = find_named(cJSON_GetObjectItem(schema, "enumerations"), text_of(option, "enumeration")),
                *value;
    add_text(help, " Choices: ");
    bool first = true;
    cJSON_ArrayForEach(value, cJSON_GetObjectItem(e, "values")) {
        if (!first) add_text(help, ", ");
        add_text(help, text_of(value, "word"));
        first = false;
    }
    add_text(help, ".");
}

/* Whether a line of the help begins with this option. */
static bool has_option(const char *help, const char *name) {
    const size_t n = strlen(name);
    for (const char *line = help; line; line = strchr(line, '\n'), line += line != NULL)
        if (strncmp(line, name, n) == 0 && line[n] == ' ') return true;
    return false;
}

static void add_line(void *user, const cJSON *schema, const cJSON *option, const char *path) {
    struct help *help = user;
    char name[80], line[128];
    (void)path;
    name_option(option, name, sizeof name);
    if (has_option(help->text, name)) return;
    snprintf(line, sizeof line, "%s %s  ", name, value_name(text_of(option, "type")));
    add_text(help, line);
    add_text(help, text_of(option, "text"));
    if (strcmp(text_of(option, "type"), "choice") == 0) add_choices(help, schema, option);
    char *standard = cJSON_PrintUnformatted(cJSON_GetObjectItem(option, "default"));
    const char *unit = text_of(option, "unit");
    for (char *c = standard; c && *c; c++)
        if (*c == '"') *c = ' ';
    char *bare = standard ? standard + (*standard == ' ') : NULL;
    if (bare && *bare && bare[strlen(bare) - 1] == ' ') bare[strlen(bare) - 1] = '\0';
    snprintf(line, sizeof line, " Default: %s%s%s.\n", bare ? bare : "", *unit ? " " : "", unit);
    add_text(help, line);
    cJSON_free(standard);
}

void definition_options_add(struct options *options, const char *definition, const char *const *without) {
    if (!options->made) definition_options_append(options, definition, without);
}

void definition_options_append(struct options *options, const char *definition, const char *const *without) {
    cJSON *schema = read_schema();
    struct help help = {0};
    add_text(&help, options->help);
    visit_options(schema, definition, without, "", add_line, &help);
    free((char *)options->made);
    options->help = options->made = help.text;
    cJSON_Delete(schema);
}

/* ------------------------------------------------------------------------------------------------------ values */

struct given {
    const struct options *options;
    cJSON *values;
    int code;
};

/* "0 0 -9.81", "0,0,-9.81" and "1/240" are numbers; everything else is a word. */
static cJSON *value_of(const cJSON *option, const char *text) {
    const char *type = text_of(option, "type");
    double number;
    if (strcmp(type, "choice") == 0) return cJSON_CreateString(text);
    if (strcmp(type, "flag") == 0) {
        if (strcmp(text, "true") == 0) return cJSON_CreateTrue();
        return strcmp(text, "false") == 0 ? cJSON_CreateFalse() : NULL;
    }
    if (cJSON_GetObjectItem(option, "count")->valueint == 0) {
        if (strcmp(text, "infinity") == 0) return cJSON_CreateString(text);
        return parse_real(text, &number) ? cJSON_CreateNumber(number) : NULL;
    }
    cJSON *list = cJSON_CreateArray();
    char *copy = copy_text(text), *rest = copy;
    for (char *word; list && (word = strtok_r(rest, " ,", &rest));) {
        if (parse_real(word, &number))
            cJSON_AddItemToArray(list, cJSON_CreateNumber(number));
        else
            cJSON_Delete(list), list = NULL;
    }
    free(copy);
    return list;
}

static void take_value(void *user, const cJSON *schema, const cJSON *option, const char *path) {
    struct given *given = user;
    char name[80], inside[64];
    (void)schema;
    name_option(option, name, sizeof name);
    const char *text = option_text(given->options, name, NULL);
    if (given->code || !text) return;
    cJSON *value = value_of(option, text), *to = given->values;
    if (!value) {
        given->code = complain(
            EXIT_USAGE, "option '%s' cannot be '%s'; 'true', 'false' or a number is expected", name, text);
        return;
    }
    if (*path) {
        snprintf(inside, sizeof inside, "%.*s", (int)strcspn(path, "."), path);
        if (!cJSON_GetObjectItem(to, inside)) cJSON_AddItemToObject(to, inside, cJSON_CreateObject());
        to = cJSON_GetObjectItem(to, inside);
    }
    cJSON_AddItemToObject(to, text_of(option, "name"), value);
}

int definition_options_read(const struct options *options, const char *definition, const char *const *without,
                            void *values) {
    cJSON *schema = read_schema();
    struct given given = {.options = options, .values = cJSON_CreateObject()};
    visit_options(schema, definition, without, "", take_value, &given);
    char *json = cJSON_PrintUnformatted(given.values);
    sn_error error;
    if (!given.code && sn_def_read(definition, values, json, &error) != SN_OK)
        given.code = complain(EXIT_USAGE, "%s", error.message);
    cJSON_free(json);
    cJSON_Delete(given.values);
    cJSON_Delete(schema);
    return given.code;
}
