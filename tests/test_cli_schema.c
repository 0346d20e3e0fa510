/* `sinew schema --json`: its form, and whether what a stranger builds from it is what the library does. */
#include "run_tests.h"
#include "cli_helpers.h"

#include <sinew/sinew.h>

#include <math.h>

static cJSON *schema; /* what the command prints */

static cJSON *named(const char *kind, const char *name) {
    cJSON *one;
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(schema, kind)) if (strcmp(text_of(one, "name"), name) ==
                                                                   0) return one;
    return NULL;
}

/* ------------------------------------------------------------------------------------------------- validation */

static bool is_type(const cJSON *value, const char *type) {
    return (strcmp(type, "object") == 0 && cJSON_IsObject(value)) ||
           (strcmp(type, "array") == 0 && cJSON_IsArray(value)) ||
           (strcmp(type, "string") == 0 && cJSON_IsString(value)) ||
           (strcmp(type, "boolean") == 0 && cJSON_IsBool(value)) ||
           (strcmp(type, "null") == 0 && cJSON_IsNull(value)) ||
           (strcmp(type, "number") == 0 && cJSON_IsNumber(value)) ||
           (strcmp(type, "integer") == 0 && cJSON_IsNumber(value) &&
            value->valuedouble == floor(value->valuedouble));
}

/* The part of JSON Schema that docs/schema.json uses. */
static bool validates(const cJSON *value, const cJSON *rule, char *where, size_t space) {
    const cJSON *type = cJSON_GetObjectItem(rule, "type"), *one,
                *properties = cJSON_GetObjectItem(rule, "properties");
    const cJSON *constant = cJSON_GetObjectItem(rule, "const"), *choices = cJSON_GetObjectItem(rule, "enum");
    const cJSON *items = cJSON_GetObjectItem(rule, "items");
    bool good = !type || (cJSON_IsString(type) && is_type(value, type->valuestring));
    if (cJSON_IsArray(type)) cJSON_ArrayForEach(one, type) good |= is_type(value, one->valuestring);
    if (constant) good = good && cJSON_Compare(value, constant, 1);
    bool chosen = !choices;
    cJSON_ArrayForEach(one, choices) chosen |= cJSON_Compare(value, one, 1);
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(rule, "required")) good =
        good && cJSON_GetObjectItem(value, one->valuestring);
    if (!good || !chosen) {
        snprintf(where, space, "%s", value->string ? value->string : "an element");
        return false;
    }
    if (properties) cJSON_ArrayForEach(one, value) {
            const cJSON *inner = cJSON_GetObjectItem(properties, one->string);
            if (inner && !validates(one, inner, where, space)) return false;
            if (!inner && cJSON_IsFalse(cJSON_GetObjectItem(rule, "additionalProperties"))) return false;
        }
    if (items) cJSON_ArrayForEach(one, value) if (!validates(one, items, where, space)) return false;
    return true;
}

TEST(the_schema_follows_its_own_json_schema) {
    char *text = read_whole("docs/schema.json", NULL), where[200] = "";
    cJSON *rule = cJSON_Parse(text);
    assert_non_null(rule);
    if (!validates(schema, rule, where, sizeof where)) fail_msg("not as docs/schema.json says: %s", where);
    cJSON_DeleteItemFromObject(cJSON_GetArrayItem(cJSON_GetObjectItem(schema, "functions"), 0), "returns");
    assert_false(validates(schema, rule, where, sizeof where)); /* the validator sees what is missing */
    cJSON_Delete(rule);
    free(text);
    assert_string_equal(text_of(schema, "version"), sn_version());
}

/* ------------------------------------------------------------------------------------------- built from the schema */

static double value_of_option(const cJSON *value, const cJSON *option) {
    if (cJSON_IsBool(value)) return cJSON_IsTrue(value);
    if (cJSON_IsNumber(value)) return value->valuedouble;
    if (strcmp(text_of(option, "type"), "choice") == 0) {
        const cJSON *one;
        cJSON_ArrayForEach(
            one, cJSON_GetObjectItem(named("enumerations", text_of(option, "enumeration")),
                                     "values")) if (strcmp(text_of(one, "word"), value->valuestring) ==
                                                    0) return cJSON_GetObjectItem(one, "value")
            ->valuedouble;
        fail_msg("no word '%s'", value->valuestring);
    }
    assert_string_equal(value->valuestring, "infinity");
    return INFINITY;
}

static void put(unsigned char *at, const char *type, double value) {
    const int whole = fabs(value) < 2e9 ? (int)value : 0;
    const uint32_t bits = value >= 0 && value < 5e9 ? (uint32_t)value : 0;
    const uint64_t seed = value >= 0 && value < 1e18 ? (uint64_t)value : 0;
    const bool flag = value != 0;
    if (strcmp(type, "real") == 0) memcpy(at, &value, sizeof value);
    if (strcmp(type, "flag") == 0) memcpy(at, &flag, sizeof flag);
    if (strcmp(type, "bits") == 0) memcpy(at, &bits, sizeof bits);
    if (strcmp(type, "seed") == 0) memcpy(at, &seed, sizeof seed);
    if (strcmp(type, "int") == 0 || strcmp(type, "choice") == 0) memcpy(at, &whole, sizeof whole);
}

/* A structure made of offsets and defaults alone; returns the size of the definition inside it, or 0. */
static uint32_t build(const cJSON *definition, unsigned char *to) {
    const cJSON *option;
    const uint32_t size = (uint32_t)cJSON_GetObjectItem(definition, "size")->valueint;
    uint32_t inner = 0;
    memcpy(to, &size, sizeof size);
    cJSON_ArrayForEach(option, cJSON_GetObjectItem(definition, "options")) {
        unsigned char *at = to + cJSON_GetObjectItem(option, "offset")->valueint;
        const cJSON *standard = cJSON_GetObjectItem(option, "default");
        const int count = cJSON_GetObjectItem(option, "count")->valueint;
        const int each = cJSON_GetObjectItem(option, "bytes")->valueint / (count ? count : 1);
        if (cJSON_IsNull(standard)) continue;
        if (cJSON_IsObject(standard)) {
            build(named("definitions", text_of(option, "definition")), at);
            inner = (uint32_t)each;
        } else
            for (int k = 0; k < (count ? count : 1); k++)
                put(at + k * each, text_of(option, "type"),
                    value_of_option(count ? cJSON_GetArrayItem(standard, k) : standard, option));
    }
    return inner;
}

TEST(defaults_built_from_the_schema_are_those_of_the_library) {
    const cJSON *d;
    cJSON_ArrayForEach(d, cJSON_GetObjectItem(schema, "definitions")) {
        unsigned char built[4096] = {0}, given[4096] = {0};
        const uint32_t inner = build(d, built);
        sn_def_default(text_of(d, "name"), given, (size_t)cJSON_GetObjectItem(d, "size")->valueint, inner);
        assert_memory_equal(built, given, sizeof built);
    }
}

/* Whether the library takes a definition with one number changed. */
static bool takes(const cJSON *d, const cJSON *option, double value) {
    unsigned char own[4096] = {0};
    char json[200], number[40];
    const int count = cJSON_GetObjectItem(option, "count")->valueint;
    if (isinf(value))
        snprintf(number, sizeof number, "\"infinity\"");
    else
        snprintf(number, sizeof number, "%.17g", value);
    int n = snprintf(json, sizeof json, count ? "{\"%s\": [" : "{\"%s\": ", text_of(option, "name"));
    for (int k = 0; k < (count ? count : 1); k++)
        n += snprintf(json + n, sizeof json - (size_t)n, "%s%s", k ? ", " : "", number);
    snprintf(json + n, sizeof json - (size_t)n, count ? "]}" : "}");
    build(d, own);
    return sn_def_read(text_of(d, "name"), own, json, NULL) == SN_OK;
}

TEST(ranges_of_the_schema_are_those_of_the_library) {
    const cJSON *d, *option;
    int checked = 0;
    cJSON_ArrayForEach(d, cJSON_GetObjectItem(schema, "definitions"))
        cJSON_ArrayForEach(option, cJSON_GetObjectItem(d, "options")) {
        const char *type = text_of(option, "type");
        const cJSON *low = cJSON_GetObjectItem(option, "minimum"),
                    *above = cJSON_GetObjectItem(option, "above");
        const cJSON *high = cJSON_GetObjectItem(option, "maximum");
        if ((strcmp(type, "int") && strcmp(type, "real")) || !(low || above)) continue;
        const double least = (low ? low : above)->valuedouble, most = value_of_option(high, option);
        const double step = strcmp(type, "int") == 0 ? 1 : fmax(fabs(least), 1) * 1e-6;
        assert_true(takes(d, option, least) == (low != NULL));
        assert_false(takes(d, option, least - step));
        assert_true(takes(d, option, most));
        if (most < 2e9) assert_false(takes(d, option, most * 2 + 1));
        if (strcmp(type, "real") == 0) assert_true(takes(d, option, INFINITY) == (isinf(most) != 0));
        checked++;
    }
    assert_true(checked > 30);
}

/* The line of help that a stranger would write. */
static void expect_help(const char *help, const cJSON *option) {
    char name[80];
    snprintf(name, sizeof name, "  --%s ", text_of(option, "name"));
    for (char *c = name + 4; *c; c++)
        if (*c == '_') *c = '-';
    const char *line = strstr(help, name);
    if (!line) fail_msg("'sinew help run' has no%s", name);
    const char *text = strstr(line, text_of(option, "text"));
    if (!text || text > strchr(line, '\n'))
        fail_msg("%s is not explained by '%s'", name, text_of(option, "text"));
    assert_non_null(strstr(line, "Default: "));
}

TEST(help_built_from_the_schema_is_that_of_the_command) {
    struct output help = run("help run");
    const cJSON *option;
    int shown = 0;
    cJSON_ArrayForEach(option, cJSON_GetObjectItem(named("definitions", "sn_world_def"), "options")) {
        const char *name = text_of(option, "name"), *type = text_of(option, "type");
        if (!strcmp(type, "pointer") || !strcmp(type, "text") || !strcmp(type, "definition") ||
            !strcmp(name, "gravity") || !strcmp(name, "dt") || !strcmp(name, "self_contact"))
            continue;
        expect_help(help.out, option);
        shown++;
    }
    assert_true(shown > 10);
    release(&help);
}

static struct output run_scene(const char *options) {
    char line[400];
    FILE *file = fopen(in_room("scene.xml"), "w");
    assert_non_null(file);
    fputs("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='ball' pos='0 0 1'><freejoint/>"
          "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>",
          file);
    fclose(file);
    snprintf(line, sizeof line, "run %s --seconds 0.05 --json %s", in_room("scene.xml"), options);
    return run(line);
}

TEST(options_of_a_definition_reach_the_world_and_mistakes_are_told) {
    struct output good = run_scene("--form full --setting exact --contact rows");
    assert_int_equal(good.code, 0);
    release(&good);
    struct output bad = run_scene("--form stiff");
    assert_int_equal(bad.code, 2);
    assert_non_null(strstr(bad.err, "stable, explicit, implicit_d, full"));
    release(&bad);
    struct output low = run_scene("--copies 0");
    assert_int_equal(low.code, 2);
    assert_non_null(strstr(low.err, "copies is 0. Set it to a whole number of at least 1."));
    release(&low);
}

/* Every public function is there, with as many arguments as it takes. */
TEST(functions_and_structures_are_in_the_schema) {
    const cJSON *cast = named("functions", "sn_world_cast_ray");
    assert_non_null(cast);
    assert_string_equal(text_of(cast, "returns"), "bool");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cast, "arguments")), 6);
    assert_string_equal(text_of(cJSON_GetArrayItem(cJSON_GetObjectItem(cast, "arguments"), 2), "type"),
                        "const double [3]");
    assert_non_null(named("structures", "sn_contact"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(schema, "fields")), SN_FIELD_COUNT);
}

int main(void) {
    if (!find_command()) return 0;
    struct output printed = run("schema --json");
    schema = cJSON_Parse(printed.out);
    release(&printed);
    free(command); /* it is looked for again below */
    if (!schema) return 1;
    const int code = run_tests_in_room("cli_schema");
    cJSON_Delete(schema);
    return code;
}
