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
/* "Frames" of a motion file, an array that is not empty; else an error. */
bool sn__pose_frames(const struct sn__json *top, struct sn__json *frames, sn_error *error);
/* Whether the text under a key is the word for a clip that loops or the word for one that does not; else an error. */
bool sn__pose_loop(const struct sn__json *top, const char *key, const char *text, const char *loops,
                   const char *ends, bool *loop, sn_error *error);
/* The clip, the root of its first frame over the origin; NULL when it is not good. The draft is released. */
sn_clip *sn__pose_finish(struct clip_draft *draft, bool good, const char *path, sn_error *error);

#endif
