/* What a command line names: built-in models and motions, or files. */
#ifndef SINEW_CLI_SUBJECT_H
#define SINEW_CLI_SUBJECT_H

#include <sinew/sinew.h>
#include <stdbool.h>

/* How files are read: warnings go to stderr. */
sn_load_options subject_options(bool allow_missing_mesh);

bool is_builtin_model(const char *name);
bool is_builtin_motion(const char *name);
/* A built-in model or a file. Complains and returns NULL when there is none such. */
sn_model *subject_model(const char *name, const sn_load_options *options);
/* A built-in motion, or a clip file carried over to the model; map may be NULL. Complains likewise. */
sn_motion *subject_motion(const char *name, const sn_model *model, const char *map,
                          const sn_load_options *options);
/* Whether the options --model, --lanes and --precision name something there is. Returns 0, or complains and returns
   EXIT_USAGE. */
struct options;
int check_names(const struct options *options);
/* The whole file as text, ending with a NUL, or NULL after a complaint. */
char *read_text(const char *path);

#endif
