/* What readers and writers of all formats share. */
#ifndef SINEW_IMPORT_LOAD_H
#define SINEW_IMPORT_LOAD_H

#include "base/text.h"

enum { SN__MAX_FILE = 256 << 20 }; /* bytes */

/* The whole file with a '\0' behind it, given back with sn__free; or NULL and "path: cannot be read:
   reason". */
char *sn__file_read(const char *path, size_t *size, sn_error *error);

/* What a reader of something for a model is asked, options in `own`; or false and an error. */
bool sn__load_begin(const char *path, const sn_model *model, const sn_load_def *options, sn_load_def *own,
                    sn_error *error);

/* How much of a path is its folder, with the slash. */
size_t sn__folder_length(const char *path);
/* The path of `name` in the folder of the file `beside`, or `name` itself if it begins with a slash. Free it with sn__free;
   NULL: out of memory. */
char *sn__path_beside(const char *beside, const char *name);

/* One call for each thing that a reader passes over. */
void sn__warn(const sn_load_def *options, const char *format, ...) SN__PRINTF(2, 3);
/* One call for each thing that a reader decides where the file leaves it open. */
void sn__note(const sn_load_def *options, const char *format, ...) SN__PRINTF(2, 3);

/* Builds, frees the builder (NULL: out of memory) and puts the path before the message of a model that is
   not valid. */
sn_model *sn__finish_model(sn_builder *builder, const char *path, sn_error *error);

#endif
