/* sinew convert: a character, a clip, a motion or a recording in another format. */
#include "commands.h"
#include "options.h"
#include "subject.h"
#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>

static struct options options = {.help = CLIP_OPTIONS
                                 "--ground  put a clip's feet on the floor\n"
                                 "--rate HZ  frames per second of what has none of its own (default 60)\n"
                                 "--allow-missing-mesh  leave out meshes that cannot be read\n"};

void help_convert(void) {
    printf("usage: sinew convert FROM TO [OPTIONS]\n\n"
           "Reads a character, a clip or a recording ('sinew track ... --record'), or takes a built-in\n"
           "character or motion by name, and writes it in the format of TO's ending:\n"
           "  .json  Sinew's own, exact     .xml  MJCF, characters\n"
           "  .bvh   clips, motions and the first character of recordings\n"
           "  .glb   binary glTF 2.0, for Blender, three.js and others: mannequins that move\n"
           "or, where TO is '-', as .json to standard output.\n\noptions\n");
    options_print(&options);
}

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

/* A file of its own for a moment; the caller frees the path and removes the file. NULL after a complaint. */
static char *moment_file(const char *ending) {
    char path[LONGEST_PATH];
    if (!temporary_file("sinew-convert", ending, path)) {
        complain(EXIT_FAILED, "a temporary file cannot be written: %s", strerror(errno));
        return NULL;
    }
    return copy_text(path);
}

/* -------------------------------------------------------------------------------------------------- recordings */

/* The model in its zero pose, or as the motion has it at an even rate. */
static sn_recorder *record(const sn_model *model, const sn_motion *motion, double rate) {
    sn_recorder_def def = sn_recorder_def_default();
    sn_error error = {0};
    def.rate = 1e9; /* every frame that is taken */
    sn_recorder *recorder = sn_recorder_create(NULL, &def, &error);
    if (!recorder) complain(EXIT_FAILED, "%s", error.message);
    double *q = need_memory(NULL, (size_t)(sn_model_get(model)->nq + 1) * sizeof *q);
    const double length = motion ? sn_motion_get(motion)->duration : 0;
    const long steps = lround(fmin(length * rate, 1e7));
    if (steps > 0) rate = (double)steps / length; /* whole steps, from end to end */
    sn_model_home_pose(model, q);
    for (long i = 0; recorder && i <= steps; i++) {
        /* the end of a round is its last pose, not the first of the next */
        const double t = i == steps && steps > 0 ? length * (1 - 1e-12) : (double)i / rate;
        if (motion) sn_motion_sample(motion, t, q, NULL);
        sn_recorder_pose(recorder, "simulated", model, q, NULL);
        if (sn_recorder_take(recorder, (double)i / rate) != SN_OK) {
            complain(EXIT_FAILED, "the recording does not fit into memory");
            sn_recorder_free(recorder);
            recorder = NULL;
        }
    }
    free(q);
    return recorder;
}

/* A clip moves the character that is made of its skeleton. */
static sn_recorder *record_clip(const sn_clip *clip) {
    sn_error error = {0};
    const sn_clip_def *d = sn_clip_data(clip);
    const double rate = d->nframe > 1 ? (d->nframe - 1) / d->time[d->nframe - 1] : 60;
    sn_model *model = sn_clip_build_model(clip, 70, &error);
    sn_motion *motion = model ? sn_motion_create(clip, model, NULL, &error) : NULL;
    sn_recorder *recorder = motion ? record(model, motion, rate) : NULL;
    if (!motion) complain(EXIT_FAILED, "%s", error.message);
    sn_motion_free(motion);
    sn_model_free(model);
    return recorder;
}

static int save_recording(sn_recorder *recorder, const char *to) {
    sn_error error;
    if (!recorder) return EXIT_FAILED;
    const sn_status status = sn_recorder_save(recorder, to, &error);
    return status ? complain(EXIT_FAILED, "%s", error.message) : EXIT_DONE;
}

/* The motion of a recording as a clip, by way of a BVH file. */
static sn_clip *clip_of_recording(sn_recorder *recorder, bool loops) {
    sn_load_def exact = sn_load_def_default();
    sn_error error = {0};
    char *path = moment_file(".bvh");
    sn_clip *clip = NULL, *looped = NULL;
    exact.up = "y", exact.scale = 1, exact.keep_first = true;
    if (path && save_recording(recorder, path) == EXIT_DONE) {
        clip = sn_clip_load(path, &exact, &error);
        if (!clip) complain(EXIT_FAILED, "%s", error.message);
    }
    if (path) remove(path);
    free(path);
    if (!clip || !loops) return clip;
    sn_clip_def def = *sn_clip_data(clip);
    def.loop = true;
    looped = sn_clip_create(&def, &error);
    sn_clip_free(clip);
    return looped;
}

/* ----------------------------------------------------------------------------------------------------- writing */

static int save(const struct subject *s, const char *to) {
    sn_error error;
    const sn_status status =
        s->clip ? sn_clip_save(s->clip, to, &error) : sn_model_save(s->model, to, &error);
    return status ? complain(EXIT_FAILED, "%s", error.message) : EXIT_DONE;
}

/* As JSON to standard output, by way of a file: the library writes files only. */
static int save_to_output(const struct subject *s) {
    char *path = moment_file(".json");
    if (!path) return EXIT_FAILED;
    int code = save(s, path);
    size_t size = 0;
    char *text = code == EXIT_DONE ? whole_file_read(path, &size) : NULL;
    if (text)
        fwrite(text, 1, size, stdout);
    else
        code = EXIT_FAILED;
    free(text);
    remove(path);
    free(path);
    return code;
}

/* The subject with a recording of it, where the format wants one; false after a complaint. */
static bool prepare(struct subject *s, const char *to, double rate) {
    const bool scene = ends_with(to, ".glb");
    const bool moves = s->motion || s->recording;
    if (option_given(&options, "--ground") && s->clip) {
        sn_clip_edit_def edit = sn_clip_edit_def_default();
        edit.ground = true;
        sn_clip *clip = sn_clip_edit(s->clip, &edit, NULL);
        if (!clip) return complain(EXIT_FAILED, "out of memory") == EXIT_DONE;
        sn_clip_free(s->clip);
        s->clip = clip;
    }
    if (!s->recording && (scene || s->motion))
        s->recording = s->clip ? record_clip(s->clip) : record(s->model, s->motion, rate);
    if ((scene || s->motion) && !s->recording) return false;
    if (moves && !scene && !ends_with(to, ".bvh")) {
        s->clip = clip_of_recording(s->recording, s->motion && sn_motion_get(s->motion)->loops);
        return s->clip != NULL;
    }
    return true;
}

static int convert(const char *from, const char *to) {
    sn_load_def load = subject_options(option_given(&options, "--allow-missing-mesh"));
    struct clip_task task;
    struct subject s = {0};
    double rate = 60;
    int code = clip_options_read(&options, &load, &task);
    if (code == EXIT_DONE) code = option_real(&options, "--rate", 1e-3, 1e6, &rate);
    if (code != EXIT_DONE) return code;
    if (ends_with(to, ".xml")) /* a character is wanted, also of a bare skeleton */
        s.model = subject_model(from, &load);
    else
        s = subject_load(from, &load, &task);
    if (!s.model && !s.clip && !s.recording) return EXIT_FAILED;
    const bool whole =
        ends_with(to, ".glb") || (ends_with(to, ".bvh") && !s.clip && (s.motion || s.recording));
    if (!prepare(&s, to, rate))
        code = EXIT_FAILED;
    else
        code = whole                    ? save_recording(s.recording, to)
               : is_standard_output(to) ? save_to_output(&s)
                                        : save(&s, to);
    subject_release(&s);
    return code;
}

int command_convert(int argc, char **argv) {
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword != 2) return complain(EXIT_USAGE, "usage: sinew convert FROM TO");
    return convert(options.word[0], options.word[1]);
}
