#include "subject.h"

#include "options.h"
#include "platform.h"
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

sn_load_def subject_options(bool allow_missing_mesh) {
    sn_load_def options = sn_load_def_default();
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

/* --------------------------------------------------------------------------------------------- what there is */

enum { MOST_NAMES = 63 };

static void list_names(const char *(*name_of)(int index), const char *names[MOST_NAMES + 1]) {
    int count = 0;
    for (; count < MOST_NAMES && name_of(count); count++)
        names[count] = name_of(count);
    names[count] = NULL;
}

/* A name that is neither built in nor a file: what there is, and what was probably meant. */
static void complain_missing(const char *kind, const char *name, const char *(*name_of)(int index)) {
    const char *names[MOST_NAMES + 1];
    list_names(name_of, names);
    const char *near = nearest(name, names);
    char list[1024] = "";
    for (int i = 0; names[i]; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    complain(EXIT_FAILED, "'%s' is neither a file nor a built-in %s%s%s%s; there are %s", name, kind,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", list);
}

static bool is_there(const char *name) {
    const char *plus = strchr(name, '+'); /* of two files that belong together the first */
    FILE *file = open_file(name, "rb");
    if (!file && plus) {
        char *first = copy_part(name, (size_t)(plus - name));
        file = open_file(first, "rb");
        free(first);
    }
    if (file) fclose(file);
    return file != NULL;
}

/* ---------------------------------------------------------------------------------------------------- subjects */

sn_model *subject_model(const char *name, const sn_load_def *options) {
    sn_error error;
    const bool own = is_builtin_model(name);
    if (!own && !is_there(name)) {
        complain_missing("character", name, sn_builtin_name);
        return NULL;
    }
    sn_model *model = own ? sn_builtin_create(name, &error) : sn_model_load(name, options, &error);
    if (!model) complain(EXIT_FAILED, "%s", error.message);
    return model;
}

/* A built-in motion for the first built-in model that it fits. */
static struct subject load_motion(const char *name) {
    struct subject s = {0};
    for (int i = 0; sn_builtin_name(i) && !s.motion; i++) {
        sn_model *model = sn_builtin_create(sn_builtin_name(i), NULL);
        s.motion = model ? sn_builtin_motion_create(name, model, NULL) : NULL;
        s.model = s.motion ? model : NULL;
        s.character = sn_builtin_name(i);
        if (!s.motion) sn_model_free(model);
    }
    if (!s.motion) complain(EXIT_FAILED, "no built-in character can do '%s'", name);
    return s;
}

static const char *any_name(int index) {
    int models = 0;
    while (sn_builtin_name(models))
        models++;
    return index < models ? sn_builtin_name(index) : sn_builtin_motion_name(index - models);
}

/* Why a file is neither a character nor a clip, in one line: formats that it does not resemble are not mentioned. */
static void complain_unread(const char *model, const char *clip) {
    const bool no_clip = strstr(clip, ", not a clip") != NULL,
               no_model = strstr(model, ", not a model") != NULL;
    complain(EXIT_FAILED, "%s", no_model && !no_clip ? clip : model);
}

struct subject subject_load(const char *name, const sn_load_def *load, const struct clip_task *task) {
    struct subject s = {0};
    sn_error clip_error = {0}, model_error = {0}, recording_error = {0};
    if (is_builtin_motion(name)) return load_motion(name);
    if (is_builtin_model(name)) {
        s.model = subject_model(name, load);
        return s;
    }
    if (!is_there(name)) {
        complain_missing("character or motion", name, any_name);
        return s;
    }
    if (sn_motion_is_numbers(name, NULL)) {
        complain(EXIT_FAILED,
                 "%s holds numbers of a character: name it, as in 'sinew inspect %s --character ROBOT' or "
                 "'sinew track ROBOT %s'",
                 name, name, name);
        return s;
    }
    s.clip = subject_clip(name, load, task, &clip_error);
    if (!s.clip && clip_error.status == SN_OK) return s; /* it was read, but not what was wanted */
    if (!s.clip) s.model = sn_model_load(name, load, &model_error);
    if (!s.clip && !s.model) s.recording = sn_recorder_load(name, &recording_error);
    if (!s.clip && !s.model && !s.recording) {
        complain_unread(model_error.message, clip_error.message);
    }
    return s;
}

void subject_release(struct subject *s) {
    sn_motion_free(s->motion);
    sn_model_free(s->model);
    sn_clip_free(s->clip);
    sn_recorder_free(s->recording);
}

int clip_options_read(const struct options *options, sn_load_def *load, struct clip_task *task) {
    *task = (struct clip_task){0};
    load->up = option_text(options, "--up", NULL);
    load->facing = option_text(options, "--facing", NULL);
    load->quaternion = option_text(options, "--quaternion", NULL);
    task->plant = option_given(options, "--plant");
    load->keep_first = option_given(options, "--keep-first");
    if (load->quaternion && strcmp(load->quaternion, "wxyz") != 0 && strcmp(load->quaternion, "xyzw") != 0)
        return complain(EXIT_USAGE, "--quaternion is wxyz or xyzw, not '%s'", load->quaternion);
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

sn_clip *subject_clip(const char *name, const sn_load_def *load, const struct clip_task *task,
                      sn_error *error) {
    sn_error own;
    sn_clip *clip = sn_clip_load(name, load, error ? error : &own);
    if (!clip && !error) complain(EXIT_FAILED, "%s", own.message);
    if (!clip || !task) return clip;
    const double length = sn_clip_data(clip)->time[sn_clip_data(clip)->nframe - 1];
    const double end = task->end > 0 ? task->end : length;
    if ((task->start > 0 || task->end > 0) && (end > length + 1e-9 || task->start >= end)) {
        sn_clip_free(clip);
        complain(EXIT_FAILED, "%s has no motion from %g to %g s: it lasts %g s", name, task->start, end,
                 length);
        return NULL;
    }
    sn_clip_edit_def edit = sn_clip_edit_def_default();
    edit.start = task->start, edit.end = task->end;
    edit.plant = task->plant, edit.ease = task->blend_in;
    clip = replace(clip, sn_clip_edit(clip, &edit, &own));
    if (!clip) complain(EXIT_FAILED, "%s: %s", name, own.message);
    return clip;
}

/* The piece that the task names; the motion is given up where there is none. */
static sn_motion *cut_motion(const char *name, sn_motion *motion, const struct clip_task *task) {
    const double length = sn_motion_get(motion)->duration, end = task->end > 0 ? task->end : length;
    sn_error error;
    if (task->plant || task->blend_in > 0)
        warn(NULL, "--plant and --blend-in are for clips; a table is followed as it is");
    if (!(task->start > 0) && !(task->end > 0)) return motion;
    sn_motion *piece = NULL;
    if (end > length + 1e-9 || task->start >= end)
        complain(EXIT_FAILED, "%s has no motion from %g to %g s: it lasts %g s", name, task->start, end,
                 length);
    else if (!(piece = sn_motion_cut(motion, task->start, end, &error)))
        complain(EXIT_FAILED, "%s: %s", name, error.message);
    sn_motion_free(motion);
    return piece;
}

static sn_motion *load_numbers(const char *name, const sn_model *model, const sn_load_def *options,
                               const struct clip_task *task) {
    sn_error error = {0};
    sn_motion *motion = sn_motion_load(name, model, options, &error);
    if (!motion) complain(EXIT_FAILED, "%s", error.message);
    return motion && task ? cut_motion(name, motion, task) : motion;
}

sn_motion *subject_motion(const char *name, const sn_model *model, const char *map,
                          const sn_load_def *options, const struct clip_task *task) {
    sn_error error = {0};
    sn_motion *motion = NULL;
    if (is_builtin_motion(name)) {
        motion = sn_builtin_motion_create(name, model, &error);
    } else if (!is_there(name)) {
        complain_missing("motion", name, sn_builtin_motion_name);
        return NULL;
    } else if (sn_motion_is_numbers(name, model)) {
        return load_numbers(name, model, options, task);
    } else {
        sn_error first = {0};
        sn_clip *clip = subject_clip(name, options, task, &first);
        if (!clip && first.status == SN_OK) return NULL; /* it was read, but not what was wanted */
        motion =
            clip ? sn_motion_create(clip, model, map, &error) : sn_motion_load(name, model, options, &error);
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
    FILE *file = open_file(path, "rb");
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
