#include "subject.h"

#include "options.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static void warn(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "%swarning:%s %s\n", style(stderr, STYLE_BOLD), style(stderr, STYLE_PLAIN), message);
}

static void note(void *user, const char *message) {
    (void)user;
    fprintf(stderr, "note: %s\n", message);
}

sn_load_options subject_options(bool allow_missing_mesh) {
    sn_load_options options = sn_load_options_default();
    options.allow_missing_mesh = allow_missing_mesh;
    options.warn = warn;
    options.note = note;
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

int clip_options_read(const struct options *options, sn_load_options *load, struct clip_task *task) {
    *task = (struct clip_task){0};
    load->up = option_text(options, "--up", NULL);
    load->facing = option_text(options, "--facing", NULL);
    load->keep_first = option_given(options, "--keep-first");
    int code = option_real(options, "--scale", 1e-9, 1e9, &load->scale);
    if (code == EXIT_DONE) code = option_real(options, "--start", 0, 1e6, &task->start);
    if (code == EXIT_DONE) code = option_real(options, "--end", 1e-9, 1e6, &task->end);
    if (code == EXIT_DONE) code = option_real(options, "--blend-in", 0, 60, &task->blend_in);
    if (code == EXIT_DONE && task->end > 0 && task->start >= task->end)
        code = complain(EXIT_USAGE, "--start %g s is not before --end %g s", task->start, task->end);
    return code;
}

/* The next clip in place of this one; NULL: there is none. */
static sn_clip *replace(sn_clip *clip, sn_clip *next) {
    sn_clip_free(clip);
    return next;
}

sn_clip *subject_clip(const char *name, const sn_load_options *load, const struct clip_task *task,
                      sn_error *error) {
    sn_error own;
    sn_clip *clip = sn_clip_load(name, load, error ? error : &own);
    if (!clip && !error) complain(EXIT_FAILED, "%s", own.message);
    if (!clip || !task) return clip;
    const double length = sn_clip_duration(clip), end = task->end > 0 ? task->end : length;
    if (task->start > 0 || task->end > 0) {
        if (end > length + 1e-9 || task->start >= end) {
            sn_clip_free(clip);
            complain(EXIT_FAILED, "%s has no motion from %g to %g s: it lasts %g s", name, task->start, end,
                     length);
            return NULL;
        }
        clip = replace(clip, sn_clip_cut(clip, task->start, end, &own));
    }
    if (clip && task->blend_in > 0) clip = replace(clip, sn_clip_ease(clip, task->blend_in, &own));
    if (!clip) complain(EXIT_FAILED, "%s: %s", name, own.message);
    return clip;
}

sn_motion *subject_motion(const char *name, const sn_model *model, const char *map,
                          const sn_load_options *options, const struct clip_task *task) {
    sn_error error = {0};
    sn_motion *motion = NULL;
    if (is_builtin_motion(name)) {
        motion = sn_builtin_motion_create(name, model, &error);
    } else {
        sn_clip *clip = subject_clip(name, options, task, NULL);
        if (!clip) return NULL;
        motion = sn_motion_create(clip, model, map, &error);
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
