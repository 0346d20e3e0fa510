/* The one way in: a file is read, recognised by its content (source.c) and handed to the reader of its format. */
#include "base/definition.h"
#include "import/load.h"

#include "base/memory.h"
#include "clip/clip.h"
#include "import/gltf.h"
#include "import/orient.h"
#include "import/readers.h"
#include "import/scene.h"
#include "import/source.h"
#include "import/xml.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- clips */

enum { SEEN_TO = -1, Y_UP = 1, Z_UP = 2 }; /* the up axis that a reader takes for granted */

static sn_clip *read_amc(const struct sn__source *amc, const struct sn__source *asf,
                         const sn_load_def *options, sn_error *error) {
    return sn__clip_settle(sn__asf_amc_read(asf, amc, options, error), Y_UP, amc->path, options, error);
}

static sn_clip *read_amc_alone(const struct sn__source *amc, const sn_load_def *options, sn_error *error) {
    char *path = sn__path_of_asf(amc->path, error);
    sn_clip *clip = NULL;
    struct sn__source asf = {0};
    if (path && sn__source_read(&asf, path, error) == SN_OK) {
        if (asf.format == FORMAT_ASF)
            clip = read_amc(amc, &asf, options, error);
        else
            sn__source_refuse(&asf, "ASF skeleton", error);
    }
    sn__source_close(&asf);
    sn__free(path);
    return clip;
}

static sn_clip *read_clip(const struct sn__source *source, const sn_load_def *options, sn_error *error) {
    sn_load_def exact = *options; /* own files are as they were written */
    exact.keep_first = true;
    switch (source->format) {
    case FORMAT_BVH:
        return sn__clip_settle(sn__bvh_read(source->text, source->size, source->path, options, error),
                               SEEN_TO, source->path, options, error);
    case FORMAT_ASF:
        return sn__clip_settle(sn__asf_skeleton_read(source->text, source->size, source->path, options, error),
                               Y_UP, source->path, options, error);
    case FORMAT_AMC:
        return read_amc_alone(source, options, error);
    case FORMAT_CLIP_JSON:
        return sn__clip_settle(sn__clip_json_read(source->json, source->path, options, error), Z_UP,
                               source->path, &exact, error);
    case FORMAT_DEEPMIMIC_MOTION:
        return sn__clip_settle(sn__deepmimic_motion_read(source->json, source->path, options, error), Y_UP,
                               source->path, options, error);
    case FORMAT_MOTION_IMITATION:
        return sn__clip_settle(sn__motion_imitation_read(source->json, source->path, options, error), Z_UP,
                               source->path, options, error);
    case FORMAT_SMPL:
        return sn__clip_settle(sn__smpl_read(source->text, source->size, source->path, options, error), Z_UP,
                               source->path, options, error);
    default:
        return sn__source_refuse(source, "clip", error);
    }
}

/* ------------------------------------------------------------------------------------------------ models */

/* A skeleton that only moves becomes a character of this mass. */
static const double skeleton_mass = 70; /* kg */

static sn_model *model_of_skeleton(const struct sn__source *source, const sn_load_def *options,
                                   sn_error *error) {
    sn_clip *clip = read_clip(source, options, error);
    if (!clip) return NULL;
    sn_error why = {0};
    sn_model *model = sn_clip_build_model(clip, skeleton_mass, &why);
    if (!model)
        sn__fail(error, why.status, "%s: no character can be made of it: %s", source->path, why.message);
    sn_clip_free(clip);
    return model;
}

static sn_model *read_model(const struct sn__source *source, const struct sn__source *controller,
                            const sn_load_def *options, sn_error *error) {
    switch (source->format) {
    case FORMAT_MJCF:
        return sn__mjcf_read(source->xml->root, source->path, options, error);
    case FORMAT_URDF:
        return sn__urdf_read(source->xml->root, source->path, options, error);
    case FORMAT_MODEL_JSON:
        return sn__model_json_read(source->json, source->path, options, error);
    case FORMAT_DEEPMIMIC_CHARACTER:
        return sn__deepmimic_character_read(source->json, source->path, controller ? controller->json : NULL,
                                            controller ? controller->path : NULL, options, error);
    case FORMAT_BVH:
    case FORMAT_ASF:
    case FORMAT_AMC:
    case FORMAT_CLIP_JSON:
    case FORMAT_SMPL:
        return model_of_skeleton(source, options, error);
    default:
        return sn__source_refuse(source, "model", error);
    }
}

/* ------------------------------------------------------------------------------------------------ both */

/* What a file is read as, and the two formats of a pair of files. */
struct kind {
    enum sn__format first, second;
    const char *first_name, *second_name;
    void *(*read)(const struct sn__source *first, const struct sn__source *second, const sn_load_def *options,
                  sn_error *error); /* second NULL: a file alone */
};

static void *read_clip_kind(const struct sn__source *first, const struct sn__source *second,
                            const sn_load_def *options, sn_error *error) {
    return second ? read_amc(second, first, options, error) : read_clip(first, options, error);
}

static void *read_model_kind(const struct sn__source *first, const struct sn__source *second,
                             const sn_load_def *options, sn_error *error) {
    return read_model(first, second, options, error);
}

void sn__scene_free(struct sn__scene *scene) {
    if (!scene) return;
    for (int i = 0; i < scene->nground; i++) {
        sn__free((void *)scene->ground[i].field.height);
        sn__free_all((void *)scene->ground[i].mesh.vertex, (void *)scene->ground[i].mesh.triangle);
        sn_hull_free((sn_hull *)scene->ground[i].shape.hull);
    }
    sn_model_free(scene->model);
    sn__free_all(scene->ground, scene->pair, scene->free, scene->qd, scene->target_q, scene->target_qd,
                 scene->forward, scene);
}

/* The triangles of a glTF file as ground. */
static bool read_level(const struct sn__source *source, const sn_load_def *options, struct sn__scene *scene,
                       sn_error *error) {
    struct sn__mesh_file *mesh = sn__gltf_read(source, options, error);
    if (!mesh) return false;
    scene->ground = sn__alloc(1, sizeof *scene->ground);
    if (scene->ground) {
        scene->nground = scene->ground_capacity = 1;
        scene->is_level = true;
        sn__mesh_to_ground(mesh, &scene->ground[0]);
        scene->ground[0].shape = sn_shape_def_default(SN_SHAPE_SPHERE); /* a material */
        scene->ground[0].shape.size[0] = 1;
    } else {
        sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", source->path);
    }
    sn__mesh_file_free(mesh);
    return scene->nground == 1;
}

static void *read_scene_kind(const struct sn__source *first, const struct sn__source *second,
                             const sn_load_def *options, sn_error *error) {
    struct sn__scene *scene = sn__alloc(1, sizeof *scene);
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!scene) {
        sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", first->path);
        return NULL;
    }
    *scene = (struct sn__scene){.gravity = {0, 0, -9.81}, .dt = 0.002, .contact = true, .limits = true};
    scene->is_character = first->format != FORMAT_MJCF && first->format != FORMAT_GLTF;
    if (first->format == FORMAT_GLTF)
        read_level(first, options, scene, error);
    else if (first->format == FORMAT_MJCF)
        scene->model = sn__mjcf_read_scene(first->xml->root, first->path, options, scene, error);
    else
        scene->model = read_model(first, second, options, error);
    if (scene->model || (error->status == SN_OK && scene->nground > 0)) return scene;
    if (error->status == SN_OK)
        sn__fail(error, SN_ERROR_FORMAT, "%s: there is nothing in the scene", first->path);
    sn__scene_free(scene);
    return NULL;
}

static const struct kind clip_kind = {FORMAT_ASF, FORMAT_AMC, "ASF skeleton", "AMC motion", read_clip_kind};
static const struct kind model_kind = {FORMAT_DEEPMIMIC_CHARACTER, FORMAT_DEEPMIMIC_CONTROLLER,
                                       "DeepMimic character", "DeepMimic controller", read_model_kind};
static const struct kind scene_kind = {FORMAT_DEEPMIMIC_CHARACTER, FORMAT_DEEPMIMIC_CONTROLLER,
                                       "DeepMimic character", "DeepMimic controller", read_scene_kind};

static void *refuse_pair(const struct sn__source *source, const char *wanted, const char *place,
                         sn_error *error) {
    char words[96];
    snprintf(words, sizeof words, "%s, which the %s file of such a pair should be", wanted, place);
    return sn__source_refuse(source, words, error);
}

static void *read_pair(const struct kind *kind, const struct sn__source *first,
                       const struct sn__source *second, const sn_load_def *options, sn_error *error) {
    if (first->format != kind->first) return refuse_pair(first, kind->first_name, "first", error);
    if (second->format != kind->second) return refuse_pair(second, kind->second_name, "second", error);
    return kind->read(first, second, options, error);
}

static void *parse(const struct kind *kind, struct sn__source source, const sn_load_def *options,
                   sn_error *error) {
    void *result = NULL;
    if (!source.path) {
        sn__fail(error, SN_ERROR_ARGUMENT, "The text has no name. Give one for messages.");
        return NULL;
    }
    if (sn__source_open(&source, error) == SN_OK) result = kind->read(&source, NULL, options, error);
    sn__source_close(&source);
    return result;
}

static void *load(const struct kind *kind, const char *path, const sn_load_def *options, sn_error *error) {
    sn_load_def own;
    char *first = NULL, *second = NULL;
    struct sn__source one = {0}, two = {0};
    void *result = NULL;
    sn__succeed(error);
    if (!sn__definition_take_or("sn_load_def", options, &own, error)) return NULL;
    options = &own;
    if (own.text)
        return parse(kind, (struct sn__source){.text = own.text, .size = (size_t)own.size, .path = path},
                     options, error);
    sn_status status = path ? sn__path_pair(path, &first, &second, error)
                            : sn__fail(error, SN_ERROR_ARGUMENT, "there is no path");
    if (status == SN_OK) status = sn__source_read(&one, first, error);
    if (status == SN_OK && second) status = sn__source_read(&two, second, error);
    if (status == SN_OK)
        result =
            second ? read_pair(kind, &one, &two, options, error) : kind->read(&one, NULL, options, error);
    sn__source_close(&two);
    sn__source_close(&one);
    sn__free(first);
    sn__free(second);
    return result;
}

sn_clip *sn_clip_load(const char *path, const sn_load_def *options, sn_error *error) {
    return load(&clip_kind, path, options, error);
}

sn_model *sn_model_load(const char *path, const sn_load_def *options, sn_error *error) {
    return load(&model_kind, path, options, error);
}

struct sn__scene *sn__scene_load(const char *path, const sn_load_def *options, sn_error *error) {
    return load(&scene_kind, path, options, error);
}

/* ---------------------------------------------------------------------------------------------- writing */

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

/* Text of what is saved: JSON, or the other format that is known for it; NULL: out of memory. */
typedef char *write_text(const void *made, bool json, size_t *size);

static char *model_text(const void *model, bool json, size_t *size) {
    return json ? sn__model_json_write(model, size) : sn__mjcf_write(model, size);
}

static char *clip_text(const void *clip, bool json, size_t *size) {
    return json ? sn__clip_json_write(clip, size) : sn__bvh_write(clip, size);
}

/* The ending of the path chooses between .json and the other one. */
static sn_status save(const void *made, const char *what, const char *path, const char *other,
                      write_text *write, sn_error *error) {
    if (!made || !path) return sn__fail(error, SN_ERROR_ARGUMENT, "there is no %s or no path", what);
    const bool json = ends_with(path, ".json");
    if (!json && !ends_with(path, other))
        return sn__fail(error, SN_ERROR_ARGUMENT, "%s: the name should end with .json or %s", path, other);
    size_t size = 0;
    char *text = write(made, json, &size);
    const sn_status status = text ? sn__file_write(path, text, size, error)
                                  : sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    sn__free(text);
    return status;
}

sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error) {
    return save(model, "model", path, ".xml", model_text, error);
}

size_t sn_model_write(const sn_model *model, char *text, size_t room) {
    size_t size = 0;
    char *all = model ? sn__model_json_write(model, &size) : NULL;
    return sn__text_hand_out(all, size, text, room);
}

sn_status sn_clip_save(const sn_clip *clip, const char *path, sn_error *error) {
    return save(clip, "clip", path, ".bvh", clip_text, error);
}
