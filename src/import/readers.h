/* The readers, one per format. Each gets what source.c has already read and taken apart as far as the format's
 * family allows (an XML tree, a JSON tree, plain text), and gives a model or a clip, or NULL with a message
 * that starts with the path. `options` is never NULL here; `error` may be. Nothing is kept of what is
 * passed in. */
#ifndef SINEW_IMPORT_READERS_H
#define SINEW_IMPORT_READERS_H

#include "sinew/sinew.h"

struct cJSON;
struct sn__source;
struct sn__xml_node;

/* ------------------------------------------------------------------------------------------------ models */

sn_model *sn__mjcf_read(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                        sn_error *error);
sn_model *sn__urdf_read(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                        sn_error *error);
/* controller: the tree of a controller file, NULL without one; controller_path names it in messages. */
sn_model *sn__deepmimic_character_read(const struct cJSON *root, const char *path,
                                       const struct cJSON *controller, const char *controller_path,
                                       const sn_load_def *options, sn_error *error);
sn_model *sn__model_json_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                              sn_error *error);

/* ------------------------------------------------------------------------------------------------- clips */

sn_clip *sn__bvh_read(const char *text, size_t size, const char *path, const sn_load_def *options,
                      sn_error *error);
/* A motion and the skeleton it belongs to. */
sn_clip *sn__asf_amc_read(const struct sn__source *asf, const struct sn__source *amc,
                          const sn_load_def *options, sn_error *error);
/* The skeleton of an ASF in its rest pose: one frame. */
sn_clip *sn__asf_skeleton_read(const char *text, size_t size, const char *path, const sn_load_def *options,
                               sn_error *error);
sn_clip *sn__deepmimic_motion_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                                   sn_error *error);
sn_clip *sn__motion_imitation_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                                   sn_error *error);
sn_clip *sn__clip_json_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                            sn_error *error);

/* An archive or an array of numpy: motions of SMPL bodies. */
sn_clip *sn__smpl_read(const char *data, size_t size, const char *path, const sn_load_def *options,
                       sn_error *error);

/* Numbers that were written for this model, see poses.c. *is_clip: it is something else, to be read as a clip. The text
   is changed, and has a NUL behind it. */
sn_motion *sn__poses_read(char *text, size_t size, const char *path, const sn_model *model,
                          const sn_load_def *options, bool *is_clip, sn_error *error);

/* ----------------------------------------------------------------------------------------------- writers */

/* The whole file as text, '\0' at the end, given back with sn__free; NULL when out of memory. */
char *sn__model_json_write(const sn_model *model, size_t *size);
char *sn__mjcf_write(const sn_model *model, size_t *size);

#endif
