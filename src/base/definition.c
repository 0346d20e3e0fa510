#include "base/definition.h"

#include "base/hash.h"

#include <sinew/dynamics.h>
#include <sinew/puppet.h>
#include <sinew/studies.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SCHEMA_DEFINITIONS
#include "schema_tables.h" /* made by the build from the public headers */

enum {
    ENUMERATIONS = sizeof enumerations / sizeof *enumerations,
    DEFINITIONS = sizeof definitions / sizeof *definitions
};

const struct sn__definition *sn__definition_get(int number) {
    return number >= 0 && number < DEFINITIONS ? &definitions[number] : NULL;
}

const struct sn__enumeration *sn__enumeration_get(int number) {
    return number >= 0 && number < ENUMERATIONS ? &enumerations[number] : NULL;
}

const struct sn__enumeration *sn__option_choices(const struct sn__option *option) {
    return sn__enumeration_get(option->kind - 1);
}

const struct sn__definition *sn__definition_find(const char *name) {
    for (int i = 0; i < DEFINITIONS; i++)
        if (strcmp(definitions[i].name, name) == 0) return &definitions[i];
    return NULL;
}

const char *sn__choice_word(const struct sn__enumeration *e, int value) {
    for (int i = 0; i < e->count; i++)
        if (e->choice[i].value == value) return e->choice[i].word;
    return NULL;
}

/* ------------------------------------------------------------------------------------------- older headers */

static uint32_t size_at(const void *place) {
    uint32_t size;
    memcpy(&size, place, sizeof size);
    return size;
}

/* Members only ever come at the end of a definition. In a program that was built with an older header a definition inside another
   one may be shorter than here, and what follows it stands further in front, by `shift`. */
static bool take(const struct sn__definition *d, const unsigned char *from, unsigned char *own) {
    const uint32_t size = size_at(from);
    if (size > d->size || size < sizeof size) return false;
    memcpy(own, d->standard, d->size);
    uint32_t shift = 0;
    for (int i = 0; i < d->count; i++) {
        const struct sn__option *o = &d->option[i];
        const uint32_t at = o->offset - shift;
        if (o->type == SN__DEFINITION) {
            const struct sn__definition *inner = &definitions[o->kind];
            if (at + sizeof size > size) break;
            if (at + size_at(from + at) > size || !take(inner, from + at, own + o->offset)) return false;
            shift += inner->size - size_at(from + at);
        } else if (at + o->bytes <= size)
            memcpy(own + o->offset, from + at, o->bytes);
    }
    return true;
}

bool sn__definition_take(const char *name, const void *given, void *own, sn_error *error) {
    const struct sn__definition *d = sn__definition_find(name);
    if (!given) {
        sn__fail(error, SN_ERROR_ARGUMENT, "The definition is NULL. Make a %s with %s_default().", name,
                 name);
        return false;
    }
    if (d && take(d, given, own)) return true;
    const uint32_t size = size_at(given);
    if (d && size > d->size && size < 64 * d->size)
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "The %s has %u bytes, but this library knows only %u of them. The program was built with "
                 "the header of a "
                 "newer version: install that version of the library.",
                 name, size, d->size);
    else
        sn__fail(
            error, SN_ERROR_ARGUMENT,
            "The %s does not begin with its size. Make it with %s_default(), then change what should differ.",
            name, name);
    return false;
}

bool sn__definition_take_or(const char *name, const void *given, void *own, sn_error *error) {
    if (given) return sn__definition_take(name, given, own, error);
    const struct sn__definition *d = sn__definition_find(name);
    memcpy(own, d->standard, d->size);
    return true;
}

/* The other way: a structure of this version into one of an older header, `inner` bytes of which are the definition inside it. */
static void give(const struct sn__definition *d, const unsigned char *own, unsigned char *to, size_t size,
                 size_t inner) {
    const uint32_t all = (uint32_t)size;
    uint32_t shift = 0;
    for (int i = 0; i < d->count; i++) {
        const struct sn__option *o = &d->option[i];
        const uint32_t at = o->offset - shift;
        if (o->type == SN__DEFINITION) {
            const struct sn__definition *part = &definitions[o->kind];
            const uint32_t bytes = inner && inner < part->size ? (uint32_t)inner : part->size;
            if (at + bytes > size) break;
            give(part, own + o->offset, to + at, bytes, 0);
            shift += part->size - bytes;
        } else if (at + o->bytes <= size)
            memcpy(to + at, own + o->offset, o->bytes);
    }
    if (size >= sizeof all) memcpy(to, &all, sizeof all);
}

void sn_def_default(const char *name, void *def, size_t size, size_t inner) {
    const struct sn__definition *d = sn__definition_find(name);
    memset(def, 0, size);
    if (d) give(d, d->standard, def, size, inner);
}

void sn__definition_give(const char *name, const void *own, void *given) {
    const struct sn__definition *d = sn__definition_find(name);
    size_t inner = 0;
    for (int i = 0; i < d->count; i++)
        if (d->option[i].type == SN__DEFINITION && d->option[i].offset < size_at(given))
            inner = size_at((const unsigned char *)given + d->option[i].offset);
    give(d, own, given, size_at(given), inner);
}

/* --------------------------------------------------------------------------------------------------- values */

double sn__option_number(const struct sn__option *o, const void *own, int index) {
    const unsigned char *at = (const unsigned char *)own + o->offset;
    const size_t each = o->bytes / (size_t)(o->count ? o->count : 1);
    int whole;
    uint32_t bits;
    uint64_t seed;
    double real;
    bool flag;
    at += (size_t)index * each;
    switch (o->type) {
    case SN__INT:
    case SN__CHOICE:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case SN__BITS:
        memcpy(&bits, at, sizeof bits);
        return bits;
    case SN__SEED:
        memcpy(&seed, at, sizeof seed);
        return (double)seed;
    case SN__REAL:
        memcpy(&real, at, sizeof real);
        return real;
    case SN__FLAG:
        memcpy(&flag, at, sizeof flag);
        return flag;
    default:
        return 0;
    }
}

/* What a number may be: "a finite number from 1e-09 to 1000". */
static void say_range(const struct sn__option *o, char *text, size_t room) {
    const bool open = o->type == SN__INT ? o->high >= INT_MAX : o->high >= DBL_MAX;
    const char *noun = o->type == SN__INT ? "a whole number"
                       : isinf(o->high)   ? "a number"
                                          : "a finite number";
    const char *beyond = isinf(o->high) ? ", or to infinity" : "";
    if (!o->bounded)
        snprintf(text, room, "%s", noun);
    else if (open)
        snprintf(text, room, "%s %s %.10g%s", noun, o->above ? "above" : "of at least", o->low, beyond);
    else
        snprintf(text, room, "%s %s %.10g %s %.10g", noun, o->above ? "above" : "from", o->low,
                 o->above ? "and at most" : "to", o->high);
}

static void say_choices(const struct sn__enumeration *e, char *text, size_t room) {
    size_t length = 0;
    for (int i = 0; i < e->count && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s", i ? ", " : "", e->choice[i].name);
}

static sn_status refuse(const struct sn__option *o, double value, int index, const char *where,
                        sn_status status, sn_error *error) {
    char right[700], place[16] = "";
    if (o->count) snprintf(place, sizeof place, "[%d]", index);
    if (o->type == SN__CHOICE) {
        say_choices(sn__option_choices(o), right, sizeof right);
        return sn__fail(error, status, "%s%s is %g, which does not exist. Choose one of %s.", where, o->name,
                        value, right);
    }
    say_range(o, right, sizeof right);
    return sn__fail(error, status, "%s%s%s is %g. Set it to %s.", where, o->name, place, value, right);
}

static bool fits(const struct sn__option *o, double value) {
    if (o->type == SN__CHOICE) return sn__choice_word(sn__option_choices(o), (int)value) != NULL;
    if (o->type != SN__INT && o->type != SN__REAL) return true;
    return (o->above ? value > o->low : value >= o->low) && value <= o->high;
}

sn_status sn__definition_check(const char *name, const void *own, const char *where, sn_status status,
                               sn_error *error) {
    const struct sn__definition *d = sn__definition_find(name);
    for (int i = 0; i < d->count; i++) {
        const struct sn__option *o = &d->option[i];
        if (o->type == SN__DEFINITION) {
            char inside[128];
            snprintf(inside, sizeof inside, "%s%s.", where, o->name);
            const void *part = (const unsigned char *)own + o->offset;
            if (sn__definition_check(definitions[o->kind].name, part, inside, status, error)) return status;
            continue;
        }
        for (int k = 0; k < (o->count ? o->count : 1); k++) {
            const double value = sn__option_number(o, own, k);
            if (!fits(o, value)) return refuse(o, value, k, where, status, error);
        }
    }
    return SN_OK;
}

uint64_t sn__definition_hash(const char *name, const void *own, uint64_t seed) {
    const struct sn__definition *d = sn__definition_find(name);
    for (int i = 0; i < d->count; i++) {
        const struct sn__option *o = &d->option[i];
        if (!o->hashed) continue;
        seed = sn__hash(o->name, strlen(o->name), seed);
        if (o->type == SN__DEFINITION)
            seed =
                sn__definition_hash(definitions[o->kind].name, (const unsigned char *)own + o->offset, seed);
        for (int k = 0; o->type != SN__DEFINITION && k < (o->count ? o->count : 1); k++) {
            const double value = sn__option_number(o, own, k);
            unsigned char bytes[sizeof value]; /* the same on every machine: the least byte first */
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            for (size_t b = 0; b < sizeof bytes; b++)
                bytes[b] = (unsigned char)(bits >> (8 * b));
            seed = sn__hash(bytes, sizeof bytes, seed);
        }
    }
    return seed;
}
