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
/* The first frame's root stands over the origin. */
void sn__pose_centre(struct clip_draft *draft);

#endif
