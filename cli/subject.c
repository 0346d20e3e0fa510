#include "subject.h"

#include "options.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static void warn(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "%swarning:%s %s\n", style(stderr, STYLE_BOLD), style(stderr, STYLE_PLAIN), message);
}

sn_load_options subject_options(bool allow_missing_mesh) {
    sn_load_options options = sn_load_options_default();
    options.allow_missing_mesh = allow_missing_mesh;
    options.warn = warn;
    return options;
}

bool is_builtin_model(const char *name) {
    for (int i = 0; sn_builtin_name(i); i++)
        if (strcmp(sn_builtin_name(i), name) == 0) return true;
    return false;
}

bool is_builtin_motion(const char *name) {
    for (int i = 0; sn_builtin_motion_name(i); i++)
        if (strcmp(sn_builtin_motion_name(i), name) == 0) return true;
    return false;
}

sn_model *subject_model(const char *name, const sn_load_options *options) {
    sn_error error;
    sn_model *model =
        is_builtin_model(name) ? sn_builtin_create(name, &error) : sn_model_load(name, options, &error);
    if (!model) complain(EXIT_FAILED, "%s", error.message);
    return model;
}

sn_motion *subject_motion(const char *name, const sn_model *model, const char *map,
                          const sn_load_options *options) {
    sn_error error;
    sn_motion *motion = NULL;
    if (is_builtin_motion(name)) {
        motion = sn_builtin_motion_create(name, model, &error);
    } else {
        sn_clip *clip = sn_clip_load(name, options, &error);
        if (clip) motion = sn_motion_create(clip, model, map, &error);
        sn_clip_free(clip);
    }
    if (!motion) complain(EXIT_FAILED, "%s", error.message);
    return motion;
}

int check_names(const struct options *options) {
    enum { MOST = 31 };
    const char *models[MOST + 1] = {0}, *lanes[MOST + 1] = {0};
    int which;
    for (int i = 0; sn_builtin_name(i) && i < MOST; i++)
        models[i] = sn_builtin_name(i);
    for (int i = 0; sn_lanes_get(i) && i < MOST; i++)
        lanes[i] = sn_lanes_get(i)->name;
    int code = option_choice(options, "--model", "model", models, &which);
    if (code == EXIT_DONE)
        code = option_choice(options, "--lanes", "lane type on this machine", lanes, &which);
    if (code == EXIT_DONE)
        code = option_choice(options, "--precision", "precision",
                             (const char *const[]){"float", "double", NULL}, &which);
    return code;
}

char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, got;
    if (!file) {
        complain(EXIT_FAILED, "%s cannot be read", path);
        return NULL;
    }
    do {
        text = need_memory(text, size + 4097);
        got = fread(text + size, 1, 4096, file);
        size += got;
    } while (got == 4096 && size < 1 << 24);
    text[size] = '\0';
    fclose(file);
    return text;
}
