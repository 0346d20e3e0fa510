/* A build without the libraries that the readers need, see cmake/import.cmake: every way in and out says so. */
#include "import/scene.h"

#include "base/error.h"

#ifndef SN__HAVE_IMPORT

static sn_status unsupported(const char *name, sn_error *error) {
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: this build of the library reads and writes no files",
                    name ? name : "");
}

sn_model *sn_model_load(const char *path, const sn_load_def *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

sn_clip *sn_clip_load(const char *path, const sn_load_def *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

sn_motion *sn_motion_load(const char *path, const sn_model *model, const sn_load_def *options,
                          sn_error *error) {
    (void)model, (void)options, unsupported(path, error);
    return NULL;
}

size_t sn_model_write(const sn_model *model, char *text, size_t room) {
    (void)model;
    if (room) text[0] = '\0';
    return 0;
}

sn_status sn_def_read(const char *name, void *definition, const char *json, sn_error *error) {
    (void)definition, (void)json;
    return unsupported(name, error);
}

bool sn_motion_is_numbers(const char *path, const sn_model *model) {
    (void)path, (void)model;
    return false;
}

struct sn__scene *sn__scene_load(const char *path, const sn_load_def *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

void sn__scene_free(struct sn__scene *scene) {
    (void)scene;
}

sn_keyframes *sn_keyframes_load(const char *path, const sn_model *model, const sn_load_def *options,
                                sn_error *error) {
    (void)model, (void)options, unsupported(path, error);
    return NULL;
}

sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error) {
    (void)model;
    return unsupported(path, error);
}

sn_status sn_clip_save(const sn_clip *clip, const char *path, sn_error *error) {
    (void)clip;
    return unsupported(path, error);
}

#endif
