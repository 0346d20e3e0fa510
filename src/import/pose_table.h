/* Skeletons whose motion files hold bare numbers: names, parents and places of the joints, Z up, X forward, metres. */
#ifndef SINEW_IMPORT_POSE_TABLE_H
#define SINEW_IMPORT_POSE_TABLE_H

#include "import/json.h"
#include "clip/clip.h"

struct pose_joint {
    const char *name;
    int parent;
    enum { POSE_ROOT, POSE_BALL, POSE_HINGE, POSE_FIXED } kind;
    double offset[3];
    double axis[3]; /* of a hinge */
};

/* The joints into the draft. */
bool sn__pose_joints(struct clip_draft *draft, const struct pose_joint *table, int njoint, sn_error *error);
/* Turns of the hinge. */
void sn__pose_hinge(const struct pose_joint *joint, double angle, double q[4]);
/* A motion file: its tree, its frames, and the clip that is made of them. */
struct pose_file {
    struct sn__json top, frames;
    struct clip_draft draft;
};

/* Under which key a file says whether its clip loops, and the words for a clip that does and one that does not. */
struct pose_words {
    const char *key, *loops, *ends;
};

/* Finds the frames and whether the clip loops; without a word it does not. False and a message when something is wrong. */
bool sn__pose_open(struct pose_file *file, const struct cJSON *root, const char *path,
                   const struct pose_words *words, sn_error *error);
/* The clip, the root of its first frame over the origin; NULL when it is not good. The draft is released. */
sn_clip *sn__pose_finish(struct clip_draft *draft, bool good, const char *path, sn_error *error);

#endif
