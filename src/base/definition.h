/* Definitions as data. scripts/schema.awk reads the structures of the public headers, with the comments above their members, and
 * writes a table of every definition. Defaults, checks, hashes, JSON, options of the command and the documents come from it. */
#ifndef SINEW_BASE_DEFINITION_H
#define SINEW_BASE_DEFINITION_H

#include "base/error.h"

enum sn__option_type {
    SN__INT,        /* int */
    SN__BITS,       /* uint32_t */
    SN__SEED,       /* uint64_t */
    SN__REAL,       /* double */
    SN__FLAG,       /* bool */
    SN__CHOICE,     /* an enumeration */
    SN__TEXT,       /* const char * */
    SN__POINTER,    /* anything else that the caller owns */
    SN__DEFINITION, /* a definition inside this one */
};

/* One value of an enumeration. */
struct sn__choice {
    const char *name; /* "SN_FORM_STABLE" */
    const char *word; /* "stable": as JSON and the command have it */
    int value;
    const char *text;
};

struct sn__enumeration {
    const char *name, *text, *header;
    int count;
    const struct sn__choice *choice; /* [count] */
};

/* One member of a definition. */
struct sn__option {
    const char *name;
    enum sn__option_type type;
    uint32_t offset, bytes; /* in the structure of this version */
    int count;              /* of an array; 0: a single value */
    double low, high;       /* the range; numbers only */
    bool above;             /* `low` itself is not allowed */
    bool hashed;            /* part of the hash that a snapshot keeps */
    bool bounded;           /* the header gives a range */
    int kind; /* SN__CHOICE: number of the enumeration, from 1; SN__DEFINITION: of the definition, from 0 */
    const char *declared; /* its type in C */
    const char *unit, *text;
};

struct sn__definition {
    const char *name, *text, *header;
    uint32_t size; /* of the structure in this version */
    int count;
    const struct sn__option *option; /* [count] without `size` */
    const void *standard;            /* the structure with all its defaults */
};

/* NULL: there is no such definition, or no such number. */
const struct sn__definition *sn__definition_find(const char *name);
const struct sn__definition *sn__definition_get(int number);
const struct sn__enumeration *sn__enumeration_get(int number);
/* The enumeration of a choice. */
const struct sn__enumeration *sn__option_choices(const struct sn__option *option);
/* The word of a value; NULL: there is no such value. */
const char *sn__choice_word(const struct sn__enumeration *enumeration, int value);

/* What a field is. A copy has `rows` times `columns` values of it. */
struct sn__field_meaning {
    const char *name; /* as "body_pose" */
    const char *rows; /* "nq", "nv" or "nbody" of the member's model, or "1" */
    int columns;      /* 7 for body_pose */
    bool settable;
};

/* NULL if there is no such field. */
const struct sn__field_meaning *sn__field_get(int field);

/* A definition that a program has filled in, as the structure of this version. Programs that were built with an older header have
   a shorter one: what it lacks gets its default. False, with a message, for NULL and for sizes that no header ever had. */
bool sn__definition_take(const char *name, const void *given, void *own, sn_error *error);
/* The same, with all defaults for NULL. */
bool sn__definition_take_or(const char *name, const void *given, void *own, sn_error *error);
/* The way back, into the structure that was given. */
void sn__definition_give(const char *name, const void *own, void *given);
/* Checks that every number is in its range and that every choice exists. The message begins with `where`, which may be "",
   and the name of the member. It says what the value is and which values are allowed. */
sn_status sn__definition_check(const char *name, const void *own, const char *where, sn_status status,
                               sn_error *error);
/* A hash of all values whose option is part of it. */
uint64_t sn__definition_hash(const char *name, const void *own, uint64_t seed);

/* One value as a number; a flag is 0 or 1. Not of texts and pointers. */
double sn__option_number(const struct sn__option *option, const void *own, int index);

#endif
