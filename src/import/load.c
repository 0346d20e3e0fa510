/* The one way in: a file is read, recognised by its content and handed to the reader of its format. */
#include "import/load.h"

sn_load_options sn_load_options_default(void) {
    return (sn_load_options){0};
}

#ifndef SN__HAVE_IMPORT

#include "import/scene.h"

/* A build without the libraries that the readers need, see cmake/import.cmake. */

static sn_status unsupported(const char *name, sn_error *error) {
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: this build of the library reads and writes no files",
                    name ? name : "");
}

sn_model *sn_model_load(const char *path, const sn_load_options *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

sn_clip *sn_clip_load(const char *path, const sn_load_options *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

sn_model *sn_model_parse(const char *text, size_t size, const char *name, const sn_load_options *options,
                         sn_error *error) {
    (void)text, (void)size, (void)options, unsupported(name, error);
    return NULL;
}

sn_clip *sn_clip_parse(const char *text, size_t size, const char *name, const sn_load_options *options,
                       sn_error *error) {
    (void)text, (void)size, (void)options, unsupported(name, error);
    return NULL;
}

sn_motion *sn_motion_load(const char *path, const sn_model *model, const sn_load_options *options,
                          sn_error *error) {
    (void)model, (void)options, unsupported(path, error);
    return NULL;
}

sn_status sn_def_read(const char *name, void *definition, const char *json, sn_error *error) {
    (void)definition, (void)json;
    return unsupported(name, error);
}

bool sn_motion_is_numbers(const char *path, const sn_model *model) {
    (void)path, (void)model;
    return false;
}

struct sn__scene *sn__scene_load(const char *path, const sn_load_options *options, sn_error *error) {
    (void)options, unsupported(path, error);
    return NULL;
}

struct sn__scene *sn__scene_parse(const char *text, size_t size, const char *name,
                                  const sn_load_options *options, sn_error *error) {
    (void)text, (void)size, (void)options, unsupported(name, error);
    return NULL;
}

void sn__scene_free(struct sn__scene *scene) {
    (void)scene;
}

sn_keyframes *sn_keyframes_parse(const char *text, size_t size, const char *name, const sn_model *model,
                                 sn_error *error) {
    (void)text, (void)size, (void)model, unsupported(name, error);
    return NULL;
}

sn_keyframes *sn_keyframes_load(const char *path, const sn_model *model, sn_error *error) {
    (void)model, unsupported(path, error);
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

#else

#include "base/memory.h"
#include "import/json.h"
#include "import/npy.h"
#include "import/orient.h"
#include "import/readers.h"
#include "import/scene.h"
#include "import/strange.h"
#include "import/xml.h"
#include "import/zip.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool file_exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* ------------------------------------------------------------------------------------------- recognising */

enum format {
    UNKNOWN,
    MJCF,
    URDF,
    MODEL_JSON,
    DEEPMIMIC_CHARACTER,
    DEEPMIMIC_CONTROLLER,
    BVH,
    ASF,
    AMC,
    CLIP_JSON,
    DEEPMIMIC_MOTION,
    MOTION_IMITATION,
    SMPL,
};

static const char *const format_name[] = {
    [UNKNOWN] = "of no known format",
    [MJCF] = "an MJCF model",
    [URDF] = "a URDF model",
    [MODEL_JSON] = "a Sinew model",
    [DEEPMIMIC_CHARACTER] = "a DeepMimic character",
    [DEEPMIMIC_CONTROLLER] = "a DeepMimic controller",
    [BVH] = "a BVH clip",
    [ASF] = "an ASF skeleton",
    [AMC] = "an AMC motion",
    [CLIP_JSON] = "a Sinew clip",
    [DEEPMIMIC_MOTION] = "a DeepMimic motion",
    [MOTION_IMITATION] = "a motion_imitation clip",
    [SMPL] = "a motion of an SMPL body",
};

/* A text and as much of it as is known. */
struct source {
    const char *text, *path;
    size_t size;
    enum format format;
    struct sn__xml *xml; /* MJCF, URDF     */
    struct cJSON *json;  /* the JSON kinds */
    char *owned;         /* what has to be freed: the text, when it comes from a file */
};

static void source_close(struct source *source) {
    sn__xml_free(source->xml);
    sn__json_free(source->json);
    sn__free(source->owned);
    *source = (struct source){0};
}

static bool has(const struct cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

static enum format json_format(const struct cJSON *root) {
    if (!cJSON_IsObject(root)) return UNKNOWN;
    const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (own && strcmp(own, "sinew-model") == 0) return MODEL_JSON;
    if (own && strcmp(own, "sinew-clip") == 0) return CLIP_JSON;
    if (has(root, "Skeleton")) return DEEPMIMIC_CHARACTER;
    if (has(root, "PDControllers")) return DEEPMIMIC_CONTROLLER;
    if (has(root, "Frames") && (has(root, "FrameDuration") || has(root, "LoopMode"))) return MOTION_IMITATION;
    return has(root, "Frames") ? DEEPMIMIC_MOTION : UNKNOWN;
}

static bool starts_with(const char *text, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && strncasecmp(text, word, length) == 0;
}

/* The Acclaim pair has comments (#) first. A skeleton then has ":version" or another of its sections, a
   motion ":fully-specified", ":degrees" or straight away the number of its first frame. */
static enum format acclaim_format(const char *text, const char *end) {
    static const char *const asf[] = {":version", ":name",     ":units",     ":documentation",
                                      ":root",    ":bonedata", ":hierarchy", ":skin"};
    static const char *const amc[] = {":fully-specified", ":degrees", ":radians", ":samples-per-second"};
    while (text < end) {
        while (text < end && isspace((unsigned char)*text))
            text++;
        if (text < end && *text == '#') {
            const char *line = memchr(text, '\n', (size_t)(end - text));
            text = line ? line : end;
            continue;
        }
        for (size_t i = 0; i < sizeof asf / sizeof *asf; i++)
            if (starts_with(text, end, asf[i])) return ASF;
        for (size_t i = 0; i < sizeof amc / sizeof *amc; i++)
            if (starts_with(text, end, amc[i])) return AMC;
        const char *digit = text;
        while (digit < end && isdigit((unsigned char)*digit))
            digit++;
        bool number_alone = digit > text && digit < end && (*digit == '\n' || *digit == '\r');
        return number_alone ? AMC : UNKNOWN;
    }
    return UNKNOWN;
}

/* Recognises the text and takes it apart where the family has a tree. */
static sn_status source_open(struct source *source, sn_error *error) {
    const char *text = source->text, *end = text + source->size;
    if (starts_with(text, end, "\xef\xbb\xbf")) text += 3;
    while (text < end && isspace((unsigned char)*text))
        text++;
    if (text == end) return sn__fail(error, SN_ERROR_FORMAT, "%s: the file is empty", source->path);
    const char *strange = sn__strange_file(source->text, source->size);
    if (strange) return sn__fail(error, SN_ERROR_FORMAT, "%s: is %s", source->path, strange);

    if (*text == '<') {
        sn_error why = {0};
        source->xml = sn__xml_parse(source->text, source->size, source->path, &why);
        if (!source->xml) {
            if (error) *error = why;
            return why.status;
        }
        const char *root = source->xml->root->name;
        if (strcmp(root, "mujoco") == 0 || strcmp(root, "mujocoinclude") == 0) source->format = MJCF;
        if (strcmp(root, "robot") == 0) source->format = URDF;
        if (source->format == UNKNOWN)
            return sn__fail(error, SN_ERROR_FORMAT,
                            "%s:%d: the outermost element is <%.64s>, neither <mujoco> nor <robot>",
                            source->path, source->xml->root->line, root);
    } else if (*text == '{' || *text == '[') {
        sn_error why = {0};
        source->json = sn__json_parse(source->text, source->size, source->path, &why);
        if (!source->json) {
            if (error) *error = why;
            return why.status;
        }
        source->format = json_format(source->json);
        if (source->format == UNKNOWN)
            return sn__fail(error, SN_ERROR_FORMAT,
                            "%s: JSON, but it has none of the keys 'format', 'Skeleton', 'PDControllers' and "
                            "'Frames' of the formats known",
                            source->path);
    } else if (sn__zip_is(source->text, source->size) || sn__npy_is(source->text, source->size)) {
        source->format = SMPL;
    } else if (starts_with(text, end, "HIERARCHY")) {
        source->format = BVH;
    } else {
        source->format = acclaim_format(text, end);
    }
    if (source->format == UNKNOWN)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: the format is not recognised: it is neither XML nor JSON, and starts like "
                        "neither BVH, ASF nor AMC",
                        source->path);
    return SN_OK;
}

static sn_status source_read(struct source *source, const char *path, sn_error *error) {
    sn_error why = {0};
    *source = (struct source){.path = path};
    source->text = source->owned = sn__file_read(path, &source->size, &why);
    if (!source->owned) {
        if (error) *error = why;
        return why.status;
    }
    return source_open(source, error);
}

/* ------------------------------------------------------------------------------------------------- pairs */

/* "a+b" into two paths. The second is looked for as it stands, then beside the first. A file whose own name
   has a '+' is one file: *second is then NULL. */
static sn_status split_pair(const char *path, char **first, char **second, sn_error *error) {
    const char *plus = strchr(path, '+');
    *first = *second = NULL;
    size_t length = plus && !file_exists(path) ? (size_t)(plus - path) : strlen(path);
    *first = sn__alloc(length + 1, 1);
    if (!*first) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    memcpy(*first, path, length);
    if (path[length] == '\0') return SN_OK;
    const char *name = path + length + 1;
    *second = sn__path_beside(file_exists(name) ? "" : *first, name);
    return *second ? SN_OK : sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
}

/* Whether the skeleton file is named like the motion file: "11.asf" for "11_01.amc" or "11.amc". */
static bool named_alike(const char *asf, const char *amc) {
    size_t length = strlen(asf), stem = length >= 4 ? length - 4 : 0;
    if (stem == 0 || strcasecmp(asf + stem, ".asf") != 0 || strncmp(asf, amc, stem) != 0) return false;
    return !isalnum((unsigned char)amc[stem]);
}

/* The skeleton in the folder of the motion. */
static char *find_asf(const char *amc_path, sn_error *error) {
    size_t folder = sn__folder_length(amc_path);
    char *where = folder > 0 ? sn__path_beside(amc_path, ".") : sn__path_beside("", ".");
    char found[256] = "";
    int count = 0;
    DIR *list = where ? opendir(where) : NULL;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (!named_alike(entry->d_name, amc_path + folder)) continue;
        if (count++ == 0) snprintf(found, sizeof found, "%s", entry->d_name);
    }
    if (list) closedir(list);
    sn__free(where);
    if (count == 1) {
        char *path = sn__path_beside(amc_path, found);
        if (!path) sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", amc_path);
        return path;
    }
    if (count == 0)
        sn__fail(error, SN_ERROR_FORMAT,
                 "%s: an AMC motion needs its ASF skeleton, and there is none of that name beside it: say "
                 "\"skeleton.asf+motion.amc\"",
                 amc_path);
    else
        sn__fail(error, SN_ERROR_FORMAT,
                 "%s: several ASF skeletons beside it could be the one: say \"skeleton.asf+motion.amc\"",
                 amc_path);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------- clips */

static void *refuse(const struct source *source, const char *wanted, sn_error *error) {
    sn__fail(error, SN_ERROR_FORMAT, "%s: is %s, not a %s", source->path, format_name[source->format],
             wanted);
    return NULL;
}

enum { SEEN_TO = -1, Y_UP = 1, Z_UP = 2 }; /* the up axis that a reader takes for granted */

static sn_clip *read_amc(const struct source *amc, const struct source *asf, const sn_load_options *options,
                         sn_error *error) {
    return sn__clip_settle(
        sn__asf_amc_read(asf->text, asf->size, asf->path, amc->text, amc->size, amc->path, options, error),
        Y_UP, amc->path, options, error);
}

static sn_clip *read_amc_alone(const struct source *amc, const sn_load_options *options, sn_error *error) {
    char *path = find_asf(amc->path, error);
    sn_clip *clip = NULL;
    struct source asf = {0};
    if (path && source_read(&asf, path, error) == SN_OK) {
        if (asf.format == ASF)
            clip = read_amc(amc, &asf, options, error);
        else
            refuse(&asf, "ASF skeleton", error);
    }
    source_close(&asf);
    sn__free(path);
    return clip;
}

static sn_clip *read_clip(const struct source *source, const sn_load_options *options, sn_error *error) {
    sn_load_options exact = *options; /* own files are as they were written */
    exact.keep_first = true;
    switch (source->format) {
    case BVH:
        return sn__clip_settle(sn__bvh_read(source->text, source->size, source->path, options, error),
                               SEEN_TO, source->path, options, error);
    case ASF:
        return sn__clip_settle(sn__asf_skeleton_read(source->text, source->size, source->path, options, error),
                               Y_UP, source->path, options, error);
    case AMC:
        return read_amc_alone(source, options, error);
    case CLIP_JSON:
        return sn__clip_settle(sn__clip_json_read(source->json, source->path, options, error), Z_UP,
                               source->path, &exact, error);
    case DEEPMIMIC_MOTION:
        return sn__clip_settle(sn__deepmimic_motion_read(source->json, source->path, options, error), Y_UP,
                               source->path, options, error);
    case MOTION_IMITATION:
        return sn__clip_settle(sn__motion_imitation_read(source->json, source->path, options, error), Z_UP,
                               source->path, options, error);
    case SMPL:
        return sn__clip_settle(sn__smpl_read(source->text, source->size, source->path, options, error), Z_UP,
                               source->path, options, error);
    default:
        return refuse(source, "clip", error);
    }
}

/* ------------------------------------------------------------------------------------------------ models */

/* A skeleton that only moves becomes a character of this mass. */
static const double skeleton_mass = 70; /* kg */

static sn_model *model_of_skeleton(const struct source *source, const sn_load_options *options,
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

static sn_model *read_model(const struct source *source, const struct source *controller,
                            const sn_load_options *options, sn_error *error) {
    switch (source->format) {
    case MJCF:
        return sn__mjcf_read(source->xml->root, source->path, options, error);
    case URDF:
        return sn__urdf_read(source->xml->root, source->path, options, error);
    case MODEL_JSON:
        return sn__model_json_read(source->json, source->path, options, error);
    case DEEPMIMIC_CHARACTER:
        return sn__deepmimic_character_read(source->json, source->path, controller ? controller->json : NULL,
                                            controller ? controller->path : NULL, options, error);
    case BVH:
    case ASF:
    case AMC:
    case CLIP_JSON:
    case SMPL:
        return model_of_skeleton(source, options, error);
    default:
        return refuse(source, "model", error);
    }
}

/* ------------------------------------------------------------------------------------------------ both */

/* What a file is read as, and the two formats of a pair of files. */
struct kind {
    enum format first, second;
    const char *first_name, *second_name;
    void *(*read)(const struct source *first, const struct source *second, const sn_load_options *options,
                  sn_error *error); /* second NULL: a file alone */
};

static void *read_clip_kind(const struct source *first, const struct source *second,
                            const sn_load_options *options, sn_error *error) {
    return second ? read_amc(second, first, options, error) : read_clip(first, options, error);
}

static void *read_model_kind(const struct source *first, const struct source *second,
                             const sn_load_options *options, sn_error *error) {
    return read_model(first, second, options, error);
}

void sn__scene_free(struct sn__scene *scene) {
    if (!scene) return;
    for (int i = 0; i < scene->nground; i++) {
        sn__free((void *)scene->ground[i].field.height);
        sn_hull_free((sn_hull *)scene->ground[i].shape.hull);
    }
    sn_model_free(scene->model);
    sn__free_all(scene->ground, scene->pair, scene->free, scene->qd, scene->target_q, scene->target_qd,
                 scene->forward, scene);
}

static void *read_scene_kind(const struct source *first, const struct source *second,
                             const sn_load_options *options, sn_error *error) {
    struct sn__scene *scene = sn__alloc(1, sizeof *scene);
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!scene) {
        sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", first->path);
        return NULL;
    }
    *scene = (struct sn__scene){.gravity = {0, 0, -9.81}, .dt = 0.002, .contact = true, .limits = true};
    scene->is_character = first->format != MJCF;
    if (first->format == MJCF)
        scene->model = sn__mjcf_read_scene(first->xml->root, first->path, options, scene, error);
    else
        scene->model = read_model(first, second, options, error);
    if (scene->model || (error->status == SN_OK && scene->nground > 0)) return scene;
    if (error->status == SN_OK)
        sn__fail(error, SN_ERROR_FORMAT, "%s: there is nothing in the scene", first->path);
    sn__scene_free(scene);
    return NULL;
}

static const struct kind clip_kind = {ASF, AMC, "ASF skeleton", "AMC motion", read_clip_kind};
static const struct kind model_kind = {DEEPMIMIC_CHARACTER, DEEPMIMIC_CONTROLLER, "DeepMimic character",
                                       "DeepMimic controller", read_model_kind};
static const struct kind scene_kind = {DEEPMIMIC_CHARACTER, DEEPMIMIC_CONTROLLER, "DeepMimic character",
                                       "DeepMimic controller", read_scene_kind};

static void *refuse_pair(const struct source *source, const char *wanted, const char *place,
                         sn_error *error) {
    char words[96];
    snprintf(words, sizeof words, "%s, which the %s file of such a pair should be", wanted, place);
    return refuse(source, words, error);
}

static void *read_pair(const struct kind *kind, const struct source *first, const struct source *second,
                       const sn_load_options *options, sn_error *error) {
    if (first->format != kind->first) return refuse_pair(first, kind->first_name, "first", error);
    if (second->format != kind->second) return refuse_pair(second, kind->second_name, "second", error);
    return kind->read(first, second, options, error);
}

static void *load(const struct kind *kind, const char *path, const sn_load_options *options,
                  sn_error *error) {
    const sn_load_options none = sn_load_options_default();
    char *first = NULL, *second = NULL;
    struct source one = {0}, two = {0};
    void *result = NULL;
    if (!options) options = &none;
    sn__succeed(error);
    sn_status status = path ? split_pair(path, &first, &second, error)
                            : sn__fail(error, SN_ERROR_ARGUMENT, "there is no path");
    if (status == SN_OK) status = source_read(&one, first, error);
    if (status == SN_OK && second) status = source_read(&two, second, error);
    if (status == SN_OK)
        result =
            second ? read_pair(kind, &one, &two, options, error) : kind->read(&one, NULL, options, error);
    source_close(&two);
    source_close(&one);
    sn__free(first);
    sn__free(second);
    return result;
}

static void *parse(const struct kind *kind, struct source source, const sn_load_options *options,
                   sn_error *error) {
    const sn_load_options none = sn_load_options_default();
    void *result = NULL;
    sn__succeed(error);
    if (!source.text || !source.path) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no text or no name");
        return NULL;
    }
    if (source_open(&source, error) == SN_OK)
        result = kind->read(&source, NULL, options ? options : &none, error);
    source_close(&source);
    return result;
}

sn_clip *sn_clip_load(const char *path, const sn_load_options *options, sn_error *error) {
    return load(&clip_kind, path, options, error);
}

sn_clip *sn_clip_parse(const char *text, size_t size, const char *name, const sn_load_options *options,
                       sn_error *error) {
    return parse(&clip_kind, (struct source){.text = text, .size = size, .path = name}, options, error);
}

sn_model *sn_model_load(const char *path, const sn_load_options *options, sn_error *error) {
    return load(&model_kind, path, options, error);
}

sn_model *sn_model_parse(const char *text, size_t size, const char *name, const sn_load_options *options,
                         sn_error *error) {
    return parse(&model_kind, (struct source){.text = text, .size = size, .path = name}, options, error);
}

struct sn__scene *sn__scene_load(const char *path, const sn_load_options *options, sn_error *error) {
    return load(&scene_kind, path, options, error);
}

struct sn__scene *sn__scene_parse(const char *text, size_t size, const char *name,
                                  const sn_load_options *options, sn_error *error) {
    return parse(&scene_kind, (struct source){.text = text, .size = size, .path = name}, options, error);
}

/* ---------------------------------------------------------------------------------------------- writing */

sn_status sn__file_write_made(const char *path, char *text, size_t size, sn_error *error) {
    const sn_status status = text ? sn__file_write(path, text, size, error)
                                  : sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    sn__free(text);
    return status;
}

bool sn__ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error) {
    if (!model || !path) return sn__fail(error, SN_ERROR_ARGUMENT, "there is no model or no path");
    const bool json = sn__ends_with(path, ".json");
    size_t size = 0;
    if (!json && !sn__ends_with(path, ".xml"))
        return sn__fail(error, SN_ERROR_ARGUMENT, "%s: the name should end with .json or .xml", path);
    char *text = json ? sn__model_json_write(model, &size) : sn__mjcf_write(model, &size);
    return sn__file_write_made(path, text, size, error);
}

#endif
