/* Files that are in memory: `text` of sn_load_def in one call. */
#ifndef SINEW_TESTS_PARSE_HELPERS_H
#define SINEW_TESTS_PARSE_HELPERS_H

#include <sinew/sinew.h>

static inline sn_load_def load_of(const char *text, size_t size, const sn_load_def *options) {
    sn_load_def def = options ? *options : sn_load_def_default();
    def.text = text, def.size = size;
    return def;
}

static inline sn_model *model_from(const char *text, size_t size, const char *name,
                                   const sn_load_def *options, sn_error *error) {
    const sn_load_def def = load_of(text, size, options);
    return sn_model_load(name, &def, error);
}

static inline sn_clip *clip_from(const char *text, size_t size, const char *name, const sn_load_def *options,
                                 sn_error *error) {
    const sn_load_def def = load_of(text, size, options);
    return sn_clip_load(name, &def, error);
}

static inline sn_world *world_from(const char *text, size_t size, const char *name, const sn_world_def *world,
                                   const sn_load_def *options, sn_error *error) {
    const sn_load_def def = load_of(text, size, options);
    return sn_world_load(name, world, &def, error);
}

static inline sn_keyframes *keyframes_from(const char *text, size_t size, const char *name,
                                           const sn_model *model, sn_error *error) {
    const sn_load_def def = load_of(text, size, NULL);
    return sn_keyframes_load(name, model, &def, error);
}

#endif
