#include "import/json.h"

#include "base/memory.h"

#include <cjson/cJSON.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- parsing */

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (const char *newline = text; (newline = memchr(newline, '\n', (size_t)(at - newline))); newline++)
        line++;
    return line;
}

/* What would cost memory or stack is refused before cJSON sees it: every value but the first stands behind
   a comma, a colon or an opening bracket. */
static sn_status check_extent(const char *text, size_t size, const char *path, sn_error *error) {
    int depth = 0, values = 0;
    bool in_string = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (in_string) {
            if (c == '\\') i++;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '[' || c == '{') depth++;
        if (c == ']' || c == '}') depth--;
        if (c == '[' || c == '{' || c == ',' || c == ':') values++;
        if (depth > SN__JSON_MAX_DEPTH)
            return sn__fail(error, SN_ERROR_TOO_LARGE, "%s:%d: more than %d arrays and objects in each other",
                            path, line_of(text, text + i), SN__JSON_MAX_DEPTH);
        if (values > SN__JSON_MAX_VALUES)
            return sn__fail(error, SN_ERROR_TOO_LARGE, "%s:%d: more than %d values in one file", path,
                            line_of(text, text + i), SN__JSON_MAX_VALUES);
    }
    return SN_OK;
}

/* A few characters from the place of the error, without what would spoil a message. */
static void quote(const char *at, const char *end, char out[24]) {
    int n = 0;
    while (n < 20 && at < end && *at >= ' ' && *at != 127)
        out[n++] = *at++;
    out[n] = '\0';
}

struct cJSON *sn__json_parse(const char *text, size_t size, const char *path, sn_error *error) {
    while (size > 0 && (text[size - 1] == '\0' || strchr(" \t\r\n", text[size - 1])))
        size--;
    if (size == 0) {
        sn__fail(error, SN_ERROR_FORMAT, "%s: the file is empty", path);
        return NULL;
    }
    if (check_extent(text, size, path, error) != SN_OK) return NULL;

    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(text, size, &end, 0);
    if (root && end == text + size) return root;
    /* cJSON stops at the last byte of a text that is cut off. */
    char found[24];
    if (!end || end < text || end > text + size) end = text + size;
    while (end < text + size && strchr(" \t\r\n", *end))
        end++;
    quote(end, text + size, found);
    if (root)
        sn__fail(error, SN_ERROR_FORMAT, "%s:%d: '%s' follows the end of the JSON text", path,
                 line_of(text, end), found);
    else if (end >= text + size - 1)
        sn__fail(error, SN_ERROR_FORMAT, "%s:%d: the JSON text ends too early, or out of memory", path,
                 line_of(text, end));
    else
        sn__fail(error, SN_ERROR_FORMAT, "%s:%d: this is not JSON: '%s'", path, line_of(text, end), found);
    cJSON_Delete(root);
    return NULL;
}

void sn__json_free(struct cJSON *root) {
    cJSON_Delete(root);
}

/* ------------------------------------------------------------------------------------------------ places */

struct sn__json sn__json_root(const struct cJSON *root, const char *path) {
    return (struct sn__json){.value = root, .path = path};
}

struct sn__json sn__json_member(const struct sn__json *object, const char *key) {
    struct sn__json member = {.path = object->path, .within = object, .key = key};
    if (cJSON_IsObject(object->value)) member.value = cJSON_GetObjectItemCaseSensitive(object->value, key);
    return member;
}

struct sn__json sn__json_first(const struct sn__json *array) {
    struct sn__json element = {.path = array->path, .within = array};
    if (sn__json_is_array(array) || sn__json_is_object(array)) element.value = array->value->child;
    if (element.value) element.key = element.value->string;
    return element;
}

struct sn__json sn__json_next(const struct sn__json *element) {
    struct sn__json next = *element;
    next.index++;
    next.value = element->value ? element->value->next : NULL;
    next.key = next.value ? next.value->string : NULL;
    return next;
}

bool sn__json_is_array(const struct sn__json *place) {
    return cJSON_IsArray(place->value);
}

bool sn__json_is_object(const struct sn__json *place) {
    return cJSON_IsObject(place->value);
}

int sn__json_count(const struct sn__json *place) {
    return sn__json_is_array(place) || sn__json_is_object(place) ? cJSON_GetArraySize(place->value) : 0;
}

/* "Skeleton.Joints[3].Parent" into text, which has room for size bytes; returns what is used of it. */
static size_t write_way(const struct sn__json *place, char *text, size_t size) {
    const struct sn__json *chain[SN__JSON_MAX_DEPTH + 2];
    int n = 0;
    for (; place->within && n < SN__JSON_MAX_DEPTH + 2; place = place->within)
        chain[n++] = place;
    size_t used = 0;
    text[0] = '\0';
    while (n-- > 0) {
        const struct sn__json *step = chain[n];
        int wrote = step->key ? snprintf(text + used, size - used, "%s%.64s", used > 0 ? "." : "", step->key)
                              : snprintf(text + used, size - used, "[%d]", step->index);
        if (wrote < 0 || (size_t)wrote >= size - used) break; /* cut: long enough to find the place */
        used += (size_t)wrote;
    }
    return used;
}

bool sn__json_fail(const struct sn__json *place, sn_error *error, const char *format, ...) {
    char way[200], reason[300];
    write_way(place, way, sizeof way);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    sn__fail(error, SN_ERROR_FORMAT, "%s: %s%s%s", place->path, way, way[0] ? ": " : "", reason);
    return false;
}

/* ----------------------------------------------------------------------------------------------- getters */

static const char *kind_of(const struct cJSON *value) {
    if (cJSON_IsNumber(value)) return "a number";
    if (cJSON_IsString(value)) return "a text";
    if (cJSON_IsArray(value)) return "an array";
    if (cJSON_IsObject(value)) return "an object";
    if (cJSON_IsBool(value)) return "a truth value";
    return "null";
}

static bool read_number(const struct sn__json *place, double *value, sn_error *error) {
    if (!cJSON_IsNumber(place->value))
        return sn__json_fail(place, error, "should be a number, but is %s", kind_of(place->value));
    if (!isfinite(place->value->valuedouble)) return sn__json_fail(place, error, "the number is too large");
    *value = place->value->valuedouble;
    return true;
}

bool sn__json_double(const struct sn__json *object, const char *key, double *value, sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    return !place.value || read_number(&place, value, error);
}

bool sn__json_numbers(const struct sn__json *array, int count, double *value, sn_error *error) {
    if (!sn__json_is_array(array))
        return sn__json_fail(array, error, "should be an array of %d numbers, but is %s", count,
                             kind_of(array->value));
    struct sn__json element = sn__json_first(array);
    for (int i = 0; i < count; i++, element = sn__json_next(&element)) {
        if (!element.value) return sn__json_fail(array, error, "has %d numbers, but %d are needed", i, count);
        if (!read_number(&element, &value[i], error)) return false;
    }
    if (element.value)
        return sn__json_fail(array, error, "has %d numbers, but %d are needed", sn__json_count(array), count);
    return true;
}

bool sn__json_doubles(const struct sn__json *object, const char *key, int count, double *value,
                      sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    return !place.value || sn__json_numbers(&place, count, value, error);
}

bool sn__json_int(const struct sn__json *object, const char *key, int *value, sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    double number = 0;
    if (!place.value) return true;
    if (!read_number(&place, &number, error)) return false;
    if (!(fabs(number) < INT_MAX) || number != floor(number))
        return sn__json_fail(&place, error, "%g should be a whole number", number);
    *value = (int)number;
    return true;
}

bool sn__json_bool(const struct sn__json *object, const char *key, bool *value, sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    if (!place.value) return true;
    if (cJSON_IsBool(place.value)) {
        *value = cJSON_IsTrue(place.value);
        return true;
    }
    double number = 2;
    if (cJSON_IsNumber(place.value)) number = place.value->valuedouble;
    if (number != 0 && number != 1)
        return sn__json_fail(&place, error, "should be true or false, but is %s", kind_of(place.value));
    *value = number == 1;
    return true;
}

bool sn__json_string(const struct sn__json *object, const char *key, const char **value, sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    if (!place.value) return true;
    if (!cJSON_IsString(place.value))
        return sn__json_fail(&place, error, "should be a text, but is %s", kind_of(place.value));
    *value = place.value->valuestring;
    return true;
}

bool sn__json_need(const struct sn__json *object, const char *key, sn_error *error) {
    struct sn__json place = sn__json_member(object, key);
    return place.value || sn__json_fail(object, error, "key '%s' is missing", key);
}

sn_hull *sn__json_hull(const struct sn__json *object, sn_error *error) {
    struct sn__json points = sn__json_member(object, "points");
    if (!sn__json_need(object, "points", error)) return NULL;
    const int n = sn__json_is_array(&points) ? sn__json_count(&points) : 0;
    if (n < 12 || n % 3 != 0) {
        sn__json_fail(&points, error, "should be an array of threes of numbers, four at least");
        return NULL;
    }
    double *value = sn__alloc((size_t)n, sizeof *value);
    sn_error why = {.status = SN_ERROR_MEMORY, .message = "out of memory"};
    sn_hull *hull = NULL;
    if (value && !sn__json_numbers(&points, n, value, error)) {
        sn__free(value);
        return NULL;
    }
    if (value) hull = sn_hull_create(value, n / 3, 0, &why);
    sn__free(value);
    if (hull) return hull;
    sn__json_fail(&points, error, "%s", why.message);
    if (error) error->status = why.status == SN_ERROR_MEMORY ? why.status : error->status;
    return NULL;
}
