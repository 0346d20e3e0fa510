/* A file, or a text in memory, that a reader is chosen for by what is in it. */
#ifndef SINEW_IMPORT_SOURCE_H
#define SINEW_IMPORT_SOURCE_H

#include "sinew/sinew.h"

struct cJSON;
struct sn__xml;

/* The formats, and how error messages describe them. */
#define FORMATS(X)                                                                                           \
    X(UNKNOWN, "of no known format")                                                                         \
    X(MJCF, "an MJCF model")                                                                                 \
    X(URDF, "a URDF model")                                                                                  \
    X(MODEL_JSON, "a Sinew model")                                                                           \
    X(DEEPMIMIC_CHARACTER, "a DeepMimic character")                                                          \
    X(DEEPMIMIC_CONTROLLER, "a DeepMimic controller")                                                        \
    X(BVH, "a BVH clip")                                                                                     \
    X(ASF, "an ASF skeleton")                                                                                \
    X(AMC, "an AMC motion")                                                                                  \
    X(CLIP_JSON, "a Sinew clip")                                                                             \
    X(DEEPMIMIC_MOTION, "a DeepMimic motion")                                                                \
    X(MOTION_IMITATION, "a motion_imitation clip")                                                           \
    X(SMPL, "a motion of an SMPL body")                                                                      \
    X(GLTF, "a glTF scene")

enum sn__format {
#define FORMAT_OF(name, words) FORMAT_##name,
    FORMATS(FORMAT_OF)
#undef FORMAT_OF
};

/* A text and as much of it as is known. */
struct sn__source {
    const char *text, *path;
    size_t size;
    enum sn__format format;
    struct sn__xml *xml; /* MJCF, URDF     */
    struct cJSON *json;  /* the JSON kinds */
    char *owned;         /* what has to be freed: the text, when it comes from a file */
};

/* Recognises the text and takes it apart where its family has a tree. Close the source in any case. */
sn_status sn__source_open(struct sn__source *source, sn_error *error);
/* Reads a file and opens it. */
sn_status sn__source_read(struct sn__source *source, const char *path, sn_error *error);
void sn__source_close(struct sn__source *source);

/* "path: is a BVH clip, not a model"; returns NULL. */
void *sn__source_refuse(const struct sn__source *source, const char *wanted, sn_error *error);

/* Splits "a+b" into two paths. The second is looked for as it stands, then beside the first. A file whose own name has a '+' is
   one file: *second is then NULL. Both are freed with sn__free, also after an error. */
sn_status sn__path_pair(const char *path, char **first, char **second, sn_error *error);
/* The path of the skeleton in the folder of an AMC motion, freed with sn__free; NULL after an error. */
char *sn__path_of_asf(const char *amc_path, sn_error *error);

#endif
