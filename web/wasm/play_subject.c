/* A character and what it should do: built in, or from files that were dropped on the page. */
#include "play.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void warn(void *user, const char *message) {
    struct subject *s = user;
    const size_t used = strlen(s->warnings), length = strlen(message);
    if (used + length + 2 > sizeof s->warnings) return;
    memcpy(s->warnings + used, message, length);
    memcpy(s->warnings + used + length, "\n", 2);
}

bool is_builtin(const char *(*name)(int), const char *wanted) {
    for (int i = 0; name(i); i++)
        if (strcmp(name(i), wanted) == 0) return true;
    return false;
}

/* The home pose, put down on the ground when the root is free. */
static bool find_home(struct subject *s) {
    s->home = malloc((size_t)(sn_model_get(s->model)->nq + 1) * sizeof *s->home);
    if (!s->home) return false;
    sn_model_home_pose(s->model, s->home);
    const sn_body_info *root = sn_model_body(s->model, 0);
    if (!root || root->joint.type != SN_JOINT_FREE) return true;
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &s->error);
    const bool good = world && sn_world_add(world, s->model, &s->error) == 0 &&
                      sn_world_add_plane(world, origin, up, NULL, &s->error) == 0;
    if (good) sn_world_stand(world, 0, s->home); /* a body without shapes stays where it is */
    sn_world_free(world);
    return good;
}

static bool find_motion(struct subject *s, const char *name, const sn_load_def *options) {
    if (strcmp(name, "keyframes") == 0) { /* the mouse's own */
        s->keys = make_mouse_keys(s->model, &s->error);
        s->loops = true;
        if (s->keys) s->duration = sn_keyframes_get(s->keys)->time[sn_keyframes_get(s->keys)->count - 1];
        return s->keys != NULL;
    }
    s->serve = serve_kind(name);
    if (is_builtin(sn_builtin_motion_name, name)) {
        s->motion = sn_builtin_motion_create(name, s->model, &s->error);
    } else {
        sn_clip *clip = sn_clip_load(name, options, &s->error);
        if (clip) s->motion = sn_motion_create(clip, s->model, NULL, &s->error);
        sn_clip_free(clip);
    }
    if (!s->motion) return false;
    s->duration = sn_motion_get(s->motion)->duration;
    s->loops = sn_motion_get(s->motion)->loops;
    return true;
}

PLAY_API void play_subject_free(struct subject *s) {
    if (!s) return;
    sn_motion_free(s->motion);
    sn_keyframes_free(s->keys);
    sn_model_free(s->model);
    free(s->home), free(s->curve), free(s);
}

/* model and motion are built-in names or paths; motion "": the home pose is held. The subject comes back in any case:
   play_subject_error says whether it can be used. NULL: out of memory. */
PLAY_API struct subject *play_subject_create(const char *model, const char *motion) {
    struct subject *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    sn_load_def options = sn_load_def_default();
    options.allow_missing_mesh = true;
    options.warn = warn;
    options.user = s;
    s->model = is_tinkertoy(model)                  ? make_tinkertoy(&s->error)
               : is_builtin(sn_builtin_name, model) ? sn_builtin_create(model, &s->error)
                                                    : sn_model_load(model, &options, &s->error);
    bool good = s->model && (is_tinkertoy(model) ? tinkertoy_start(s, motion) : find_home(s));
    if (good && *motion && !s->curve) good = find_motion(s, motion, &options);
    if (good)
        s->error.status = SN_OK;
    else if (s->error.status == SN_OK)
        s->error = (sn_error){SN_ERROR_MEMORY, "out of memory"};
    return s;
}

PLAY_API const char *play_subject_error(const struct subject *s) {
    return s->error.status ? s->error.message : "";
}
PLAY_API const char *play_subject_warnings(const struct subject *s) {
    return s->warnings;
}
PLAY_API double play_subject_duration(const struct subject *s) {
    return s->duration;
}
PLAY_API int play_subject_loops(const struct subject *s) {
    return s->loops;
}
PLAY_API int play_subject_nbody(const struct subject *s) {
    return sn_model_get(s->model)->nbody;
}
PLAY_API int play_subject_nq(const struct subject *s) {
    return sn_model_get(s->model)->nq;
}
PLAY_API int play_subject_nv(const struct subject *s) {
    return sn_model_get(s->model)->nv;
}
PLAY_API double play_subject_mass(const struct subject *s) {
    return sn_model_get(s->model)->mass;
}
PLAY_API const char *play_subject_body_name(const struct subject *s, int body) {
    return sn_model_body(s->model, body)->name;
}
PLAY_API int play_subject_body_parent(const struct subject *s, int body) {
    return sn_model_body(s->model, body)->parent;
}
PLAY_API int play_subject_body_nshape(const struct subject *s, int body) {
    return sn_model_body(s->model, body)->nshape;
}

/* pos[3], rot[4] in the parent's frame at the zero pose, and the joint's anchor[3]. */
PLAY_API void play_subject_body(const struct subject *s, int body, double out[10]) {
    const sn_body_info *info = sn_model_body(s->model, body);
    memcpy(out, info->pos, sizeof info->pos);
    memcpy(out + 3, info->rot, sizeof info->rot);
    memcpy(out + 7, info->joint.anchor, sizeof info->joint.anchor);
}

/* type, size[3], pos[3], rot[4] of a shape of a body. */
PLAY_API void play_subject_shape(const struct subject *s, int body, int index, double out[11]) {
    const sn_shape_def *shape =
        (&sn_model_get(s->model)->shape[sn_model_body(s->model, body)->first_shape + index]);
    out[0] = shape->type;
    memcpy(out + 1, shape->size, sizeof shape->size);
    memcpy(out + 4, shape->pos, sizeof shape->pos);
    memcpy(out + 7, shape->rot, sizeof shape->rot);
}

/* Of a shape that is a hull: how many vertices and where they are (double[3]), how many faces, where the beginnings of
   their corners and the corners are (int). */
PLAY_API void play_subject_hull(const struct subject *s, int body, int index, double out[5]) {
    const sn_shape_def *shape =
        (&sn_model_get(s->model)->shape[sn_model_body(s->model, body)->first_shape + index]);
    const sn_hull_info *hull = sn_hull_get(shape->hull);
    memset(out, 0, 5 * sizeof *out);
    if (!hull) return;
    out[0] = hull->nvertex, out[1] = (double)(uintptr_t)hull->vertex;
    out[2] = hull->nface, out[3] = (double)(uintptr_t)hull->first, out[4] = (double)(uintptr_t)hull->corner;
}

/* Bytes of a message of play_file_kind. */
PLAY_API int play_message_size(void) {
    return (int)sizeof((sn_error *)0)->message;
}

/* What a file can be, as bits: 1 for a character, 2 for a clip. If the result is 0, error[play_message_size()] says why the
   file is not a character or, if it looks like a clip, why it is not a clip. */
PLAY_API int play_file_kind(const char *path, char *error) {
    sn_error model_error = {0}, clip_error = {0};
    sn_load_def options = sn_load_def_default();
    options.allow_missing_mesh = true;
    sn_model *model = sn_model_load(path, &options, &model_error);
    sn_clip *clip = sn_clip_load(path, &options, &clip_error);
    const int kind = (model ? 1 : 0) | (clip ? 2 : 0);
    const char *dot = strrchr(path, '.');
    const bool clip_name =
        dot && (!strcmp(dot, ".bvh") || !strcmp(dot, ".BVH") || !strcmp(dot, ".amc") || !strcmp(dot, ".AMC"));
    memcpy(error, clip_name ? clip_error.message : model_error.message, sizeof model_error.message);
    sn_model_free(model);
    sn_clip_free(clip);
    return kind;
}

void subject_sample(const struct subject *s, double time, double *q, double *qd) {
    if (s->motion) {
        sn_motion_sample(s->motion, time, q, qd);
        return;
    }
    if (s->keys) {
        sn_keyframes_spline(s->keys, fmod(time, s->duration), q, qd);
        return;
    }
    memcpy(q, s->home, (size_t)sn_model_get(s->model)->nq * sizeof *q);
    if (qd) memset(qd, 0, (size_t)sn_model_get(s->model)->nv * sizeof *qd);
}
