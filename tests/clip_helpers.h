/* What the tests of clips and motions share. */
#ifndef SINEW_TESTS_CLIP_HELPERS_H
#define SINEW_TESTS_CLIP_HELPERS_H

#include "parse_helpers.h"
#include "model_helpers.h"

#include "base/quat.h"

#include <stdlib.h>

/* The path of a file of the data folder, or NULL when SINEW_DATA is not set: the test should skip then. */
static inline const char *data_path(const char *name) {
    static char path[4][1024];
    static int next;
    const char *folder = getenv("SINEW_DATA");
    if (!folder || !folder[0]) return NULL;
    char *text = path[next++ % 4];
    snprintf(text, sizeof path[0], "%s/%s", folder, name);
    return text;
}

#define SKIP_WITHOUT_DATA()                                                                                  \
    do {                                                                                                     \
        if (!data_path("")) {                                                                                \
            print_message("skipped: SINEW_DATA does not name the data folder\n");                            \
            skip();                                                                                          \
        }                                                                                                    \
    } while (0)

/* What a reader made, which must be something. */
static inline void *must(void *made, const sn_error *error) {
    if (!made) fail_msg("%s", error->message);
    return made;
}

static inline sn_clip *load_clip(const char *path) {
    sn_error error;
    return must(sn_clip_load(path, NULL, &error), &error);
}

static inline sn_clip *parse_clip(const char *text) {
    sn_error error;
    return must(clip_from(text, strlen(text), "text", NULL, &error), &error);
}

static inline void assert_clip_refused(const char *text, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(clip_from(text, strlen(text), "text", NULL, &error));
    assert_int_not_equal(error.status, SN_OK);
    assert_message_has(&error, part);
}

static inline int joint_of(const sn_clip *clip, const char *name) {
    const sn_clip_def *def = sn_clip_data(clip);
    for (int i = 0; i < def->njoint; i++)
        if (strcmp(def->joint[i].name, name) == 0) return i;
    fail_msg("there is no joint '%s'", name);
    return -1;
}

/* Orientation in the world of a joint at a frame. */
static inline void global_rotation(const sn_clip *clip, int frame, int joint, double q[4]) {
    const sn_clip_def *def = sn_clip_data(clip);
    dquat_identity(q);
    for (; joint >= 0; joint = def->joint[joint].parent)
        dquat_multiply(def->rotation + 4 * ((size_t)frame * (size_t)def->njoint + (size_t)joint), q, q);
}

/* The angle between two orientations. */
static inline double angle_between(const double a[4], const double b[4]) {
    double back[4], v[3];
    dquat_conjugate(a, back);
    dquat_multiply(back, b, back);
    dquat_log(back, v);
    return dvec_length(v);
}

/* Turns one after the other, each a vector in degrees. */
static inline void turn_by_degrees(const double (*about)[3], int count, double q[4]) {
    dquat_identity(q);
    for (int i = 0; i < count; i++) {
        double turn[4], v[3];
        for (int k = 0; k < 3; k++)
            v[k] = about[i][k] * M_PI / 180;
        dquat_exp(v, turn);
        dquat_multiply(q, turn, q);
    }
}

static char notes[4096]; /* what a reader with the options of listening() has told */

static inline void keep_note(void *user, const char *message) {
    (void)user;
    snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s\n", message);
}

static inline sn_load_def listening(void) {
    sn_load_def options = sn_load_def_default();
    options.note = keep_note;
    notes[0] = '\0';
    return options;
}

static inline sn_model *model_of_text(const char *text) {
    sn_error error;
    return must(model_from(text, strlen(text), "robot", NULL, &error), &error);
}

/* A loop of a second along a quarter of a circle of 2 m, looking where it goes. */
static inline sn_clip *quarter_circle(void) {
    enum { KEYS = 10 };
    double time[KEYS], position[KEYS][3], rotation[KEYS][1][4];
    for (int k = 0; k < KEYS; k++) {
        const double angle = M_PI / 2 * k / (KEYS - 1), turn[3] = {0, 0, angle};
        time[k] = k / 9.0;
        position[k][0] = 2 * sin(angle), position[k][1] = 2 - 2 * cos(angle), position[k][2] = 0.9;
        dquat_exp(turn, rotation[k][0]);
    }
    const sn_clip_joint root = {"root", -1, {0}};
    const sn_clip_def def = {sizeof(sn_clip_def), 1, KEYS, &root, time, position[0], rotation[0][0], true};
    return sn_clip_create(&def, NULL);
}

#endif
