/* The whole interface as JSON: definitions, enumerations, fields, constants, structures and functions. Bindings, option lists and
 * documents are made from it. docs/schema.json is the JSON schema of this text. */
#include "base/definition.h"
#include "base/memory.h"
#include "base/text.h"

#include <sinew/dynamics.h>
#include <sinew/learn.h>
#include <sinew/studies.h>

#include <math.h>
#include <string.h>

/* A row of SN_FIELD_MAP. */
struct sn__field_text {
    const char *name, *size, *rule, *text;
};

/* An enumerator of an enumeration without a name: a limit of the library. */
struct sn__constant {
    const char *name;
    int value;
    const char *text;
};

#define SCHEMA_REST
#include "schema_tables.h"

static void add_string(struct sn__text *t, const char *key, const char *value) {
    sn__text_add(t, "\"%s\": ", key);
    sn__text_json_string(t, value);
}

/* JSON has no infinity: it is a text. */
static void add_number(struct sn__text *t, double value) {
    if (isinf(value))
        sn__text_add(t, value > 0 ? "\"infinity\"" : "\"-infinity\"");
    else if (isnan(value))
        sn__text_add(t, "\"nan\"");
    else
        sn__text_number(t, value);
}

/* ---------------------------------------------------------------------------------------------- definitions */

static void add_definition(struct sn__text *t, const struct sn__definition *d, const void *own);

static void add_value(struct sn__text *t, const struct sn__option *o, const void *own, int index) {
    const double value = sn__option_number(o, own, index);
    if (o->type == SN__CHOICE) {
        const char *word = sn__choice_word(sn__option_choices(o), (int)value);
        sn__text_json_string(t, word ? word : "");
    } else if (o->type == SN__FLAG)
        sn__text_add(t, value != 0 ? "true" : "false");
    else
        add_number(t, value);
}

static void add_option_value(struct sn__text *t, const struct sn__option *o, const void *own) {
    const unsigned char *at = (const unsigned char *)own + o->offset;
    const char *text;
    if (o->type == SN__DEFINITION) {
        add_definition(t, sn__definition_get(o->kind), at);
    } else if (o->type == SN__TEXT) {
        memcpy(&text, at, sizeof text);
        if (text)
            sn__text_json_string(t, text);
        else
            sn__text_add(t, "null");
    } else if (o->type == SN__POINTER) {
        sn__text_add(t, "null");
    } else {
        if (o->count) sn__text_add(t, "[");
        for (int k = 0; k < (o->count ? o->count : 1); k++) {
            if (k) sn__text_add(t, ", ");
            add_value(t, o, own, k);
        }
        if (o->count) sn__text_add(t, "]");
    }
}

static void add_definition(struct sn__text *t, const struct sn__definition *d, const void *own) {
    sn__text_add(t, "{");
    for (int i = 0; i < d->count; i++) {
        sn__text_add(t, i ? ", \"%s\": " : "\"%s\": ", d->option[i].name);
        add_option_value(t, &d->option[i], own);
    }
    sn__text_add(t, "}");
}

/* ------------------------------------------------------------------------------------------------ the schema */

static const char *const types[] = {"int",    "bits", "seed",    "real",      "flag",
                                    "choice", "text", "pointer", "definition"};

static void add_option(struct sn__text *t, const struct sn__option *o, const void *standard) {
    sn__text_add(t, "{");
    add_string(t, "name", o->name);
    sn__text_add(t, ", \"type\": \"%s\", ", types[o->type]);
    add_string(t, "declared", o->declared);
    sn__text_add(t, ", \"count\": %d, \"offset\": %u, \"bytes\": %u, \"default\": ", o->count, o->offset,
                 o->bytes);
    add_option_value(t, o, standard);
    if (o->bounded) {
        sn__text_add(t, ", \"%s\": ", o->above ? "above" : "minimum");
        add_number(t, o->low);
        sn__text_add(t, ", \"maximum\": ");
        add_number(t, o->high);
    }
    if (o->type == SN__CHOICE) {
        sn__text_add(t, ", ");
        add_string(t, "enumeration", sn__option_choices(o)->name);
    }
    if (o->type == SN__DEFINITION) {
        sn__text_add(t, ", ");
        add_string(t, "definition", sn__definition_get(o->kind)->name);
    }
    sn__text_add(t, ", \"hashed\": %s, ", o->hashed ? "true" : "false");
    add_string(t, "unit", o->unit);
    sn__text_add(t, ", ");
    add_string(t, "text", o->text);
    sn__text_add(t, "}");
}

/* Opens entry i of a list, which says what it is and where it is declared. */
static void begin_entry(struct sn__text *t, int i, const char *name, const char *header, const char *text) {
    sn__text_add(t, i ? ",\n{" : "{");
    add_string(t, "name", name);
    sn__text_add(t, ", ");
    add_string(t, "header", header);
    sn__text_add(t, ", ");
    add_string(t, "text", text);
}

static void add_definitions(struct sn__text *t) {
    const struct sn__definition *d;
    sn__text_add(t, "\"definitions\": [\n");
    for (int i = 0; (d = sn__definition_get(i)); i++) {
        begin_entry(t, i, d->name, d->header, d->text);
        sn__text_add(t, ", \"size\": %u, \"options\": [", d->size);
        for (int k = 0; k < d->count; k++) {
            sn__text_add(t, k ? ",\n  " : "\n  ");
            add_option(t, &d->option[k], d->standard);
        }
        sn__text_add(t, "]}");
    }
    sn__text_add(t, "]");
}

static void add_enumerations(struct sn__text *t) {
    const struct sn__enumeration *e;
    sn__text_add(t, "\"enumerations\": [\n");
    for (int i = 0; (e = sn__enumeration_get(i)); i++) {
        begin_entry(t, i, e->name, e->header, e->text);
        sn__text_add(t, ", \"values\": [");
        for (int k = 0; k < e->count; k++) {
            const struct sn__choice *c = &e->choice[k];
            sn__text_add(t, k ? ",\n  {" : "\n  {");
            add_string(t, "name", c->name);
            sn__text_add(t, ", \"word\": \"%s\", \"value\": %d, ", c->word, c->value);
            add_string(t, "text", c->text);
            sn__text_add(t, "}");
        }
        sn__text_add(t, "]}");
    }
    sn__text_add(t, "]");
}

static void add_fields(struct sn__text *t) {
    sn__text_add(t, "\"fields\": [");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct sn__field_meaning *meaning = sn__field_get((int)i);
        sn__text_add(t, i ? ",\n{" : "\n{");
        add_string(t, "name", fields[i].name);
        sn__text_add(t, ", \"value\": %d, ", (int)i);
        add_string(t, "size", fields[i].size);
        sn__text_add(t, ", ");
        add_string(t, "word", meaning->name);
        sn__text_add(t, ", ");
        add_string(t, "rows", meaning->rows);
        sn__text_add(t, ", \"columns\": %d", meaning->columns);
        sn__text_add(t, ", ");
        add_string(t, "rule", fields[i].rule);
        sn__text_add(t, ", \"settable\": %s, ", strcmp(fields[i].rule, "READ_ONLY") ? "true" : "false");
        add_string(t, "text", fields[i].text);
        sn__text_add(t, "}");
    }
    sn__text_add(t, "]");
}

static void add_constants(struct sn__text *t) {
    static const struct {
        const char *name, *text;
        int value;
    } status[] = {
#define X(name, code, text) {"SN_" #name, text, code},
        SN_STATUS_MAP(X)
#undef X
    };
    sn__text_add(t, "\"statuses\": [");
    for (size_t i = 0; i < sizeof status / sizeof *status; i++)
        sn__text_add(t, "%s\n{\"name\": \"%s\", \"value\": %d, \"text\": \"%s\"}", i ? "," : "",
                     status[i].name, status[i].value, status[i].text);
    sn__text_add(t, "],\n\"constants\": [");
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        sn__text_add(t, "%s\n{\"name\": \"%s\", \"value\": %d, ", i ? "," : "", constants[i].name,
                     constants[i].value);
        add_string(t, "text", constants[i].text);
        sn__text_add(t, "}");
    }
    sn__text_add(t, "]");
}

static void add_lines(struct sn__text *t, const char *const *line, int count) {
    for (int i = 0; i < count; i++) {
        sn__text_bytes(t, line[i], (int)strlen(line[i]));
        sn__text_bytes(t, "\n", 1);
    }
}

/* As much as there is room for, and how long all of it is. */
static size_t hand_out(struct sn__text *t, char *text, size_t room) {
    size_t size = 0;
    char *all = sn__text_take(t, &size);
    return sn__text_hand_out(all, size, text, room);
}

size_t sn_schema(char *text, size_t room) {
    struct sn__text t = {0};
    sn__text_add(&t, "{\"schema\": \"sinew-schema\", \"format\": 1, \"version\": \"%s\",\n", sn_version());
    void (*const part[])(struct sn__text *) = {add_definitions, add_enumerations, add_fields, add_constants};
    for (int i = 0; i < 4; i++) {
        part[i](&t);
        sn__text_add(&t, ",\n");
    }
    add_lines(&t, structures, (int)(sizeof structures / sizeof *structures));
    sn__text_add(&t, ",\n");
    add_lines(&t, functions, (int)(sizeof functions / sizeof *functions));
    sn__text_add(&t, "}\n");
    return hand_out(&t, text, room);
}

size_t sn_def_write(const char *name, const void *def, char *text, size_t room) {
    const struct sn__definition *d = sn__definition_find(name);
    if (!d || !def) return 0;
    void *own = sn__alloc(1, d->size);
    struct sn__text t = {0};
    if (own && sn__definition_take(name, def, own, NULL)) add_definition(&t, d, own);
    sn__free(own);
    return hand_out(&t, text, room);
}
