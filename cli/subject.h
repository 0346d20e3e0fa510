/* What a command line names: built-in models and motions, or files. */
#ifndef SINEW_CLI_SUBJECT_H
#define SINEW_CLI_SUBJECT_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct options;

/* How files are read: warnings go to stderr, and what was decided where a file leaves it open. */
sn_load_def subject_options(bool allow_missing_mesh);
/* The options of clips, for the help of a command that reads them. */
#define CLIP_OPTIONS                                                                                         \
    "--start S  a clip's motion from this time on, in seconds\n"                                             \
    "--end S  ... and up to this one\n"                                                                      \
    "--blend-in S  begin with the clip's first pose, standing, and be in motion after so long\n"             \
    "--plant  keep a clip's feet in one place while they stand\n"                                            \
    "--keep-first  keep first frames that are a pose apart, as a T-pose\n"                                   \
    "--up AXIS  the axis of a clip's file that is up, as y or -z (default: decided from the motion)\n"       \
    "--facing AXIS  the axis of a clip's file that its rest pose faces\n"                                    \
    "--quaternion ORDER  of a table's numbers, wxyz or xyzw (default: decided from the motion)\n"            \
    "--scale M  metres per unit of a clip's file (default: decided from the stature)\n"

/* What is done to a clip before it is used. */
struct clip_task {
    double start, end, blend_in; /* s; end 0: the clip's own */
    bool plant;                  /* feet that stand do not slide */
};
/* Reads CLIP_OPTIONS into both. Returns 0, or complains and returns EXIT_USAGE. */
int clip_options_read(const struct options *options, sn_load_def *load, struct clip_task *task);
/* A clip file, read and cut as the task says; complains and returns NULL when that cannot be. The error of reading goes
   into `error` without a complaint where there is one. */
sn_clip *subject_clip(const char *name, const sn_load_def *load, const struct clip_task *task,
                      sn_error *error);

/* What a name stands for: a model, a clip, a recording, or a built-in motion and its model; nothing after a complaint. A
   skeleton file is a clip here, not the character that could be made of it. */
struct subject {
    sn_model *model;
    sn_clip *clip;
    sn_motion *motion;
    sn_recorder *recording;
    const char *character; /* name of the built-in model that the motion is for */
};
struct subject subject_load(const char *name, const sn_load_def *load, const struct clip_task *task);
void subject_release(struct subject *subject);

bool is_builtin_model(const char *name);
bool is_builtin_motion(const char *name);
/* A built-in model or a file. Complains and returns NULL when there is none such. */
sn_model *subject_model(const char *name, const sn_load_def *options);
/* A built-in motion, or a clip file carried over to the model; map and task may be NULL. Complains as above. */
sn_motion *subject_motion(const char *name, const sn_model *model, const char *map,
                          const sn_load_def *options, const struct clip_task *task);
/* Whether the options --model, --lanes and --precision name something there is. Returns 0, or complains and returns
   EXIT_USAGE. */
int check_names(const struct options *options);
/* The whole file as text, ending with a NUL, or NULL after a complaint. */
char *read_text(const char *path);

#endif
