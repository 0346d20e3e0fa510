/* Levels from glTF 2.0: all triangles of a file as one mesh that is ground. */
#ifndef SINEW_IMPORT_GLTF_H
#define SINEW_IMPORT_GLTF_H

#include "import/mesh.h"
#include "import/source.h"

/* The JSON part of a binary file, or of a text file all of it; NULL and its size 0: the file is damaged. */
const char *sn__gltf_json(const char *data, size_t size, size_t *json_size);
bool sn__gltf_is_binary(const char *data, size_t size);
/* All triangles of the default scene, z up; NULL and "path: reason". */
struct sn__mesh_file *sn__gltf_read(const struct sn__source *source, const sn_load_def *options,
                                    sn_error *error);

#endif
