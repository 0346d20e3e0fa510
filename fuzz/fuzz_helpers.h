/* What the fuzz targets share. */
#ifndef SINEW_FUZZ_HELPERS_H
#define SINEW_FUZZ_HELPERS_H

#include "base/memory.h"
#include "import/json.h"
#include "import/readers.h"
#include "import/xml.h"
#include "clip/clip.h"
#include "sinew/sinew.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(what)                                                                                           \
    do {                                                                                                     \
        if (!(what)) {                                                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                               \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

static inline void fuzz_warn(void *user, const char *message) {
    (void)user;
    MUST(strlen(message) > 0);
}

static inline sn_load_def fuzz_options(void) {
    sn_load_def options = sn_load_def_default();
    options.warn = fuzz_warn;
    return options;
}

static inline sn_load_def fuzz_text(const char *text, size_t size) {
    sn_load_def options = fuzz_options();
    options.text = size ? text : "", options.size = size;
    return options;
}

/* What failed must say why, and name the file. */
static inline void fuzz_must_explain(const sn_error *error) {
    MUST(error->status != SN_OK);
    MUST(strncmp(error->message, "fuzz", 4) == 0);
    MUST(strlen(error->message) > 8);
}

/* Both texts are the same; the second one is freed. */
static inline void fuzz_must_equal(const char *text, size_t size, char *again, size_t size_again) {
    MUST(again && size == size_again && memcmp(text, again, size) == 0);
    sn__free(again);
}

/* A thing that was read must survive its own format: written, read and written again, the text is the same. A refusal is
   allowed where numbers at the edge of what a double holds lost their last bits. The functions are those of models or clips. */
struct fuzz_format {
    char *(*write)(const void *made, size_t *size);
    void *(*read)(const struct cJSON *tree, const sn_load_def *options, sn_error *error);
    void (*free)(void *made);
    bool may_refuse; /* what it has written itself */
};

static inline void fuzz_round_trip(const struct fuzz_format *format, const void *made) {
    const sn_load_def options = fuzz_options();
    size_t size, size_again;
    sn_error error = {0};
    char *text = format->write(made, &size);
    MUST(text);
    struct cJSON *tree = sn__json_parse(text, size, "fuzz", &error);
    MUST(tree || error.status == SN_ERROR_TOO_LARGE);
    void *again = tree ? format->read(tree, &options, &error) : NULL;
    const bool too_far = error.status == SN_ERROR_MODEL || error.status == SN_ERROR_TOO_LARGE;
    MUST(again || !tree || (format->may_refuse && too_far));
    if (again) {
        char *text_again = format->write(again, &size_again);
        fuzz_must_equal(text, size, text_again, size_again);
    }
    format->free(again);
    sn__json_free(tree);
    sn__free(text);
}

#define FUZZ_FORMAT(thing, may_refuse)                                                                       \
    static inline char *fuzz_write_##thing(const void *made, size_t *size) {                                 \
        return sn__##thing##_json_write((const sn_##thing *)made, size);                                     \
    }                                                                                                        \
    static inline void *fuzz_read_##thing(const struct cJSON *tree, const sn_load_def *options,              \
                                          sn_error *error) {                                                 \
        return sn__##thing##_json_read(tree, "fuzz", options, error);                                        \
    }                                                                                                        \
    static inline void fuzz_free_##thing(void *made) {                                                       \
        sn_##thing##_free((sn_##thing *)made);                                                               \
    }                                                                                                        \
    static const struct fuzz_format fuzz_##thing = {fuzz_write_##thing, fuzz_read_##thing,                   \
                                                    fuzz_free_##thing, may_refuse}

FUZZ_FORMAT(model, true);
FUZZ_FORMAT(clip, false);

/* The reader's answer: a clip that can be written and read again, or a reason. */
static inline void fuzz_check_clip(sn_clip *clip, const sn_error *error) {
    if (!clip) {
        fuzz_must_explain(error);
        return;
    }
    fuzz_round_trip(&fuzz_clip, clip);
    sn_clip_free(clip);
}

/* The reader's answer: a model that can be written, or a reason. */
static inline void fuzz_check(sn_model *model, const sn_error *error) {
    if (!model) {
        fuzz_must_explain(error);
        return;
    }
    fuzz_round_trip(&fuzz_model, model);
    size_t size;
    char *mjcf = sn__mjcf_write(model, &size);
    MUST(mjcf);
    sn__free(mjcf);
    sn_model_free(model);
}

/* The text as a tree, or NULL and a reason that is one. */
static inline struct cJSON *fuzz_json(const uint8_t *data, size_t size) {
    sn_error error = {0};
    struct cJSON *tree = sn__json_parse((const char *)data, size, "fuzz", &error);
    if (!tree) fuzz_must_explain(&error);
    return tree;
}

/* Texts of XML are models: those that parse go to the reader. */
typedef sn_model *fuzz_xml_reader(const struct sn__xml_node *root, const char *path,
                                  const sn_load_def *options, sn_error *error);

static inline int fuzz_xml(const uint8_t *data, size_t size, fuzz_xml_reader *read) {
    const sn_load_def options = fuzz_options();
    sn_error error = {0};
    struct sn__xml *xml = sn__xml_parse((const char *)data, size, "fuzz", &error);
    if (xml)
        fuzz_check(read(xml->root, "fuzz", &options, &error), &error);
    else
        fuzz_must_explain(&error);
    sn__xml_free(xml);
    return 0;
}

#endif
