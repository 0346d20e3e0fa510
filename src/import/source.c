/* Finding, reading and recognising files, by their content and never by their names. */
#include "import/source.h"

#include "base/memory.h"
#include "import/gltf.h"
#include "import/json.h"
#include "import/load.h"
#include "import/npy.h"
#include "import/strange.h"
#include "import/xml.h"
#include "import/zip.h"

#include <cjson/cJSON.h>

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ------------------------------------------------------------------------------------------- recognising */

void sn__source_close(struct sn__source *source) {
    sn__xml_free(source->xml);
    sn__json_free(source->json);
    sn__free(source->owned);
    *source = (struct sn__source){0};
}

static bool has(const struct cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key) != NULL;
}

static enum sn__format json_format(const struct cJSON *root) {
    if (!cJSON_IsObject(root)) return FORMAT_UNKNOWN;
    const char *own = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (own && strcmp(own, "sinew-model") == 0) return FORMAT_MODEL_JSON;
    if (own && strcmp(own, "sinew-clip") == 0) return FORMAT_CLIP_JSON;
    if (has(root, "Skeleton")) return FORMAT_DEEPMIMIC_CHARACTER;
    if (has(root, "PDControllers")) return FORMAT_DEEPMIMIC_CONTROLLER;
    if (has(root, "asset") && has(root, "nodes")) return FORMAT_GLTF;
    if (has(root, "Frames") && (has(root, "FrameDuration") || has(root, "LoopMode")))
        return FORMAT_MOTION_IMITATION;
    return has(root, "Frames") ? FORMAT_DEEPMIMIC_MOTION : FORMAT_UNKNOWN;
}

static bool starts_with(const char *text, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && strncasecmp(text, word, length) == 0;
}

/* The Acclaim pair has comments (#) first. A skeleton then has ":version" or another of its sections, a
   motion ":fully-specified", ":degrees" or straight away the number of its first frame. */
static enum sn__format acclaim_format(const char *text, const char *end) {
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
            if (starts_with(text, end, asf[i])) return FORMAT_ASF;
        for (size_t i = 0; i < sizeof amc / sizeof *amc; i++)
            if (starts_with(text, end, amc[i])) return FORMAT_AMC;
        const char *digit = text;
        while (digit < end && isdigit((unsigned char)*digit))
            digit++;
        bool number_alone = digit > text && digit < end && (*digit == '\n' || *digit == '\r');
        return number_alone ? FORMAT_AMC : FORMAT_UNKNOWN;
    }
    return FORMAT_UNKNOWN;
}

/* A binary glTF file has its JSON in a chunk. */
static sn_status open_gltf(struct sn__source *source, sn_error *error) {
    size_t size;
    const char *json = sn__gltf_json(source->text, source->size, &size);
    if (!json)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: is a glTF file whose parts are damaged or not of version 2", source->path);
    sn_error why = {0};
    source->json = sn__json_parse(json, size, source->path, &why);
    if (!source->json && error) *error = why;
    source->format = FORMAT_GLTF;
    return source->json ? SN_OK : why.status;
}

sn_status sn__source_open(struct sn__source *source, sn_error *error) {
    const char *text = source->text, *end = text + source->size;
    if (starts_with(text, end, "\xef\xbb\xbf")) text += 3;
    while (text < end && isspace((unsigned char)*text))
        text++;
    if (text == end) return sn__fail(error, SN_ERROR_FORMAT, "%s: the file is empty", source->path);
    if (sn__gltf_is_binary(source->text, source->size)) return open_gltf(source, error);
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
        if (strcmp(root, "mujoco") == 0 || strcmp(root, "mujocoinclude") == 0) source->format = FORMAT_MJCF;
        if (strcmp(root, "robot") == 0) source->format = FORMAT_URDF;
        if (source->format == FORMAT_UNKNOWN)
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
        if (source->format == FORMAT_UNKNOWN)
            return sn__fail(error, SN_ERROR_FORMAT,
                            "%s: JSON, but it has none of the keys 'format', 'Skeleton', 'PDControllers' and "
                            "'Frames' of the formats known",
                            source->path);
    } else if (sn__zip_is(source->text, source->size) || sn__npy_is(source->text, source->size)) {
        source->format = FORMAT_SMPL;
    } else if (starts_with(text, end, "HIERARCHY")) {
        source->format = FORMAT_BVH;
    } else {
        source->format = acclaim_format(text, end);
    }
    if (source->format == FORMAT_UNKNOWN)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: the format is not recognised: it is neither XML nor JSON, and starts like "
                        "neither BVH, ASF nor AMC",
                        source->path);
    return SN_OK;
}

sn_status sn__source_read(struct sn__source *source, const char *path, sn_error *error) {
    sn_error why = {0};
    *source = (struct sn__source){.path = path};
    source->text = source->owned = sn__file_read(path, &source->size, &why);
    if (!source->owned) {
        if (error) *error = why;
        return why.status;
    }
    return sn__source_open(source, error);
}

static bool file_exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* ------------------------------------------------------------------------------------------------- pairs */

sn_status sn__path_pair(const char *path, char **first, char **second, sn_error *error) {
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

char *sn__path_of_asf(const char *amc_path, sn_error *error) {
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

void *sn__source_refuse(const struct sn__source *source, const char *wanted, sn_error *error) {
#define NAME(format, words) [FORMAT_##format] = words,
    static const char *const name[] = {FORMATS(NAME)};
#undef NAME
    sn__fail(error, SN_ERROR_FORMAT, "%s: is %s, not a %s", source->path, name[source->format], wanted);
    return NULL;
}
