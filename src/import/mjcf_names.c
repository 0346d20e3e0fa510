/* Names. A part that is repeated or attached several times has its names several times: the full name is
 *
 *     prefix of attached models, name, numbers of the copies it stands in.
 *
 * Elements that refer to a name by what their own file calls it mean every copy of it; of two names in one element those
 * of the same copy belong together. A full name is understood everywhere. */
#include "import/mjcf.h"

#include "base/memory.h"

#include <string.h>

/* Texts that live as long as the reader. */
struct mjcf_memory {
    struct mjcf_memory *next;
    char text[];
};

enum { MAX_NAMES = 256 * 1024, MAX_LENGTH = 1024 };

const char *sn__mjcf_keep(struct mjcf *mjcf, const char *a, const char *b, const char *c, const char *d) {
    const char *part[] = {a, b, c, d};
    size_t length = 0, at = 0;
    for (int i = 0; i < 4; i++)
        length += strlen(part[i]);
    struct mjcf_memory *memory = sn__alloc(1, sizeof *memory + length + 1);
    if (!memory) {
        sn__mjcf_no_memory(mjcf);
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        memcpy(memory->text + at, part[i], strlen(part[i]));
        at += strlen(part[i]);
    }
    memory->next = mjcf->strings;
    mjcf->strings = memory;
    return memory->text;
}

void sn__mjcf_names_free(struct mjcf *mjcf) {
    while (mjcf->strings) {
        struct mjcf_memory *next = mjcf->strings->next;
        sn__free(mjcf->strings);
        mjcf->strings = next;
    }
    sn__free(mjcf->name);
}

static const char *const kind_name[MJCF_KINDS] = {"body", "joint", "geom", "tendon"};

static const struct mjcf_name *find_full(const struct mjcf *mjcf, enum mjcf_kind kind, const char *full) {
    for (int i = 0; i < mjcf->nname; i++)
        if (mjcf->name[i].kind == kind && strcmp(mjcf->name[i].full, full) == 0) return &mjcf->name[i];
    return NULL;
}

const char *sn__mjcf_name(struct mjcf *mjcf, const struct sn__xml_node *node, enum mjcf_kind kind,
                          int index) {
    const struct mjcf_scope *s = &mjcf->scope;
    const char *raw = sn__xml_string(node, "name");
    if (!raw || !raw[0]) return "";
    size_t length = strlen(s->prefix) + strlen(raw) + strlen(s->copy) + strlen(s->suffix);
    if (length > (kind == MJCF_BODY ? SN_MAX_NAME : MAX_LENGTH)) {
        sn__xml_fail_attribute(node, "name", mjcf->error, "'%.63s...' is longer than %d bytes", raw,
                               kind == MJCF_BODY ? (int)SN_MAX_NAME : (int)MAX_LENGTH);
        return NULL;
    }
    const char *full = sn__mjcf_keep(mjcf, s->prefix, raw, s->copy, s->suffix);
    if (!full) return NULL;
    if (kind != MJCF_GEOM && find_full(mjcf, kind, full)) {
        sn__xml_fail_attribute(node, "name", mjcf->error, "'%.63s' is the name of a %s already", full,
                               kind_name[kind]);
        return NULL;
    }
    if (!sn__mjcf_may_add(mjcf, node, mjcf->nname, MAX_NAMES, "names are read")) return NULL;
    struct mjcf_name *grown = sn__grow(mjcf->name, &mjcf->name_capacity, mjcf->nname + 1, sizeof *grown);
    if (!grown) {
        sn__mjcf_no_memory(mjcf);
        return NULL;
    }
    mjcf->name = grown;
    mjcf->name[mjcf->nname++] = (struct mjcf_name){
        .kind = kind, .raw = raw, .full = full, .copy = s->copy, .file = s->file, .index = index};
    return full;
}

/* Whether a name of this file is the one meant, whatever its copy. */
static bool is_meant(const struct mjcf *mjcf, const struct mjcf_name *name, enum mjcf_kind kind,
                     const char *raw) {
    return name->kind == kind && name->file == mjcf->scope.file && strcmp(name->raw, raw) == 0;
}

const struct mjcf_name *sn__mjcf_find(const struct mjcf *mjcf, enum mjcf_kind kind, const char *raw,
                                      const char *copy) {
    const struct mjcf_name *single = NULL;
    for (int i = 0; i < mjcf->nname; i++) {
        const struct mjcf_name *name = &mjcf->name[i];
        if (!is_meant(mjcf, name, kind, raw)) continue;
        if (strcmp(name->copy, copy) == 0) return name;
        if (!name->copy[0]) single = name;
    }
    return single ? single : find_full(mjcf, kind, raw);
}

/* Nothing has that name: forgiven where parts of the model are not there. */
static bool miss(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                 enum mjcf_kind kind, const char *raw) {
    if (mjcf->depth > 0) return true; /* of an attached model only a part is there */
    if (mjcf->incomplete) {
        sn__mjcf_warn_once(mjcf, node, "left out", "names a %s that was left out, and is left out too",
                           kind_name[kind]);
        return true;
    }
    sn__xml_fail_attribute(node, attribute, mjcf->error, "there is no %s '%.63s'", kind_name[kind], raw);
    return false;
}

bool sn__mjcf_need(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                   enum mjcf_kind kind, const char *copy, const struct mjcf_name **found) {
    const char *raw = sn__xml_string(node, attribute);
    if (!raw || !raw[0]) {
        sn__xml_fail_attribute(node, attribute, mjcf->error, "is missing");
        return false;
    }
    *found = sn__mjcf_find(mjcf, kind, raw, copy);
    return *found || miss(mjcf, node, attribute, kind, raw);
}

bool sn__mjcf_each(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                   enum mjcf_kind kind,
                   bool (*use)(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy)) {
    const char *raw = sn__xml_string(node, attribute);
    if (!raw || !raw[0]) {
        sn__xml_fail_attribute(node, attribute, mjcf->error, "is missing");
        return false;
    }
    bool any = false;
    const int count = mjcf->nname; /* what use adds does not count */
    for (int i = 0; i < count; i++) {
        if (!is_meant(mjcf, &mjcf->name[i], kind, raw)) continue;
        any = true;
        if (!use(mjcf, node, mjcf->name[i].copy)) return false;
    }
    if (any) return true;
    if (find_full(mjcf, kind, raw)) return use(mjcf, node, "");
    return miss(mjcf, node, attribute, kind, raw);
}
