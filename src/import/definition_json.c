/* Definitions from JSON: any part of one, by the names of its members. */
#include "base/definition.h"
#include "base/memory.h"
#include "import/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const struct sn__option *find(const struct sn__definition *d, const char *name) {
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->option[i].name, name) == 0) return &d->option[i];
    return NULL;
}

static void put(const struct sn__option *o, int index, double number, unsigned char *own) {
    const size_t each = o->bytes / (size_t)(o->count ? o->count : 1);
    unsigned char *at = own + o->offset + (size_t)index * each;
    const int whole = o->type == SN__INT || o->type == SN__CHOICE ? (int)number : 0;
    const uint32_t bits = o->type == SN__BITS ? (uint32_t)number : 0;
    const uint64_t seed = o->type == SN__SEED ? (uint64_t)number : 0;
    const bool flag = number != 0;
    const void *from[] = {[SN__INT] = &whole,   [SN__BITS] = &bits, [SN__SEED] = &seed,
                          [SN__REAL] = &number, [SN__FLAG] = &flag, [SN__CHOICE] = &whole};
    memcpy(at, from[o->type], each);
}

/* The number that a JSON value stands for: numbers, "infinity", true and false, words of an enumeration. */
static bool number_of(const struct sn__json *place, const struct sn__option *o, double *number,
                      sn_error *error) {
    const struct cJSON *v = place->value;
    if (o->type == SN__CHOICE) {
        const struct sn__enumeration *e = sn__option_choices(o);
        for (int i = 0; i < e->count && cJSON_IsString(v); i++) {
            if (strcmp(v->valuestring, e->choice[i].word) && strcmp(v->valuestring, e->choice[i].name))
                continue;
            *number = e->choice[i].value;
            return true;
        }
        char words[500] = "";
        for (int i = 0; i < e->count && strlen(words) + 70 < sizeof words; i++) {
            if (i) strcat(words, ", ");
            strncat(words, e->choice[i].word, 64);
        }
        return sn__json_fail(place, error, "should be one of %s", words);
    }
    if (o->type == SN__FLAG) {
        if (!cJSON_IsBool(v)) return sn__json_fail(place, error, "should be true or false");
        *number = cJSON_IsTrue(v);
        return true;
    }
    const bool endless = cJSON_IsString(v) && strcmp(v->valuestring, "infinity") == 0;
    if (o->type == SN__REAL && endless) {
        *number = (double)INFINITY;
        return true;
    }
    if (!cJSON_IsNumber(v)) return sn__json_fail(place, error, "should be a number");
    *number = v->valuedouble;
    const double most = o->type == SN__INT    ? 2147483647.0
                        : o->type == SN__BITS ? 4294967295.0
                                              : 9007199254740992.0;
    const double least = o->type == SN__INT ? -2147483648.0 : 0;
    if (o->type != SN__REAL && (*number != floor(*number) || *number < least || *number > most))
        return sn__json_fail(place, error, "%g should be a whole number from %.0f to %.0f", *number, least,
                             most);
    return true;
}

static bool read_definition(const struct sn__json *object, const struct sn__definition *d, unsigned char *own,
                            sn_error *error);

static bool read_option(const struct sn__json *place, const struct sn__option *o, unsigned char *own,
                        sn_error *error) {
    double number;
    if (o->type == SN__DEFINITION)
        return read_definition(place, sn__definition_get(o->kind), own + o->offset, error);
    if (o->type == SN__TEXT || o->type == SN__POINTER) {
        if (cJSON_IsNull(place->value)) return true;
        return sn__json_fail(place, error,
                             "cannot be set from JSON. Leave it out, or set it in the program.");
    }
    if (!o->count) {
        if (!number_of(place, o, &number, error)) return false;
        put(o, 0, number, own);
        return true;
    }
    if (!sn__json_is_array(place) || sn__json_count(place) != o->count)
        return sn__json_fail(place, error, "should be an array of %d numbers", o->count);
    int k = 0;
    for (struct sn__json one = sn__json_first(place); one.value; one = sn__json_next(&one)) {
        if (!number_of(&one, o, &number, error)) return false;
        put(o, k++, number, own);
    }
    return true;
}

static bool read_definition(const struct sn__json *object, const struct sn__definition *d, unsigned char *own,
                            sn_error *error) {
    if (!sn__json_is_object(object)) return sn__json_fail(object, error, "should be an object");
    for (struct sn__json one = sn__json_first(object); one.value; one = sn__json_next(&one)) {
        const char *key = one.value->string ? one.value->string : "";
        const struct sn__option *o = find(d, key);
        struct sn__json place = sn__json_member(object, key);
        if (!o) return sn__json_fail(&place, error, "is not an option of %s", d->name);
        if (!read_option(&place, o, own, error)) return false;
    }
    return true;
}

sn_status sn_def_read(const char *name, void *def, const char *json, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    const struct sn__definition *d = name ? sn__definition_find(name) : NULL;
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "There is no definition '%s'.", name ? name : "");
    unsigned char *own = sn__alloc(1, d->size);
    if (!own) return sn__fail(error, SN_ERROR_MEMORY, "Out of memory.");
    struct cJSON *root = NULL;
    if (sn__definition_take(name, def, own, error))
        root = sn__json_parse(json ? json : "", json ? strlen(json) : 0, name, error);
    if (root) {
        struct sn__json top = sn__json_root(root, name);
        if (read_definition(&top, d, own, error) &&
            !sn__definition_check(name, own, "", SN_ERROR_ARGUMENT, error))
            sn__definition_give(name, own, def);
    }
    sn__json_free(root);
    sn__free(own);
    return error->status;
}
