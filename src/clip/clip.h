/* A clip as the library sees it, and the draft that readers fill. */
#ifndef SINEW_CLIP_CLIP_H
#define SINEW_CLIP_CLIP_H

#include "sinew/sinew.h"

typedef char clip_name[SN_MAX_NAME + 1];

struct sn_clip {
    sn_clip_def def;      /* what the public sees: points into the arrays below                  */
    sn_clip_joint *joint; /* [njoint]                                                            */
    clip_name *name;      /* [njoint]                                                            */
    double *time;         /* [nframe] s, the first 0, increasing                                 */
    double *position;     /* [nframe][3] of the root, world axes                                 */
    double *rotation;     /* [nframe][njoint][4] unit length; each in the half space of the last */
};

/* A clip in the making. All zero is an empty draft. Joints first, then frames. */
struct clip_draft {
    clip_name *name;  /* [njoint]              */
    int *parent;      /* [njoint]              */
    double *offset;   /* [njoint][3]           */
    double *time;     /* [nframe]              */
    double *position; /* [nframe][3]           */
    double *rotation; /* [nframe][njoint][4]   */
    int njoint, nframe;
    int joint_room, frame_room; /* allocated */
    bool loop;
};

/* Both give false when out of memory or beyond a limit of the library, and say so. A name that is too long is
   refused; whether names are unique is seen when the draft is finished. */
bool sn__draft_add_joint(struct clip_draft *draft, const char *name, int parent, const double offset[3],
                         sn_error *error);
/* A frame of identity rotations at the origin. */
bool sn__draft_add_frame(struct clip_draft *draft, double time, sn_error *error);
/* Index of the joint, -1: none. */
int sn__draft_find(const struct clip_draft *draft, const char *name);

static inline double *sn__draft_rotation(const struct clip_draft *draft, int frame, int joint) {
    return draft->rotation + 4 * ((size_t)frame * (size_t)draft->njoint + (size_t)joint);
}

/* The clip, which takes over the memory; or NULL and a message, after `where` ("file: ", may be ""). Either way the
   draft is empty afterwards. */
sn_clip *sn__draft_finish(struct clip_draft *draft, const char *where, sn_error *error);
void sn__draft_release(struct clip_draft *draft);

/* A new draft with the joints of the clip and no frames. */
bool sn__draft_joints_of(struct clip_draft *draft, const sn_clip *clip, sn_error *error);

/* Samples a clip at any time: linear in positions, the short way round in rotations. Velocities are the exact derivatives of
   that. Before the start and past the end, a clip that does not loop stands still. Any pointer may be NULL. position[3],
   rotation[njoint][4], velocity[3] in world axes, angular[njoint][3] in the joint's own axes. */
void sn__clip_sample(const sn_clip *clip, double time, double *position, double *rotation, double *velocity,
                     double *angular);
/* From the first frame to the last, s. */
double sn__clip_duration(const sn_clip *clip);
/* New clips from old ones, as sn_clip_edit makes them; NULL and an error when it cannot be. */
sn_clip *sn__clip_resample(const sn_clip *clip, double rate, sn_error *error);
sn_clip *sn__clip_mirror(const sn_clip *clip, sn_error *error);
sn_clip *sn__clip_blend(const sn_clip *a, const sn_clip *b, double weight, sn_error *error);
sn_clip *sn__clip_warp(const sn_clip *clip, double factor, sn_error *error);
sn_clip *sn__clip_cut(const sn_clip *clip, double start, double end, sn_error *error);
sn_clip *sn__clip_ease(const sn_clip *clip, double time, sn_error *error);
sn_clip *sn__clip_ground(const sn_clip *clip, sn_error *error);
sn_clip *sn__clip_plant(const sn_clip *clip, sn_error *error);

/* Where the joints are, all in world axes: position[njoint][3] and rotation[njoint][4] from the root's position and the
   rotations against the parents. rotation may be NULL: the rest pose; global_rotation may be NULL then. */
void sn__clip_globals(const sn_clip_def *clip, const double root[3], const double *rotation,
                      double *global_position, double *global_rotation);

/* The other side's name: left and right changed, as in LeftArm, lfemur, arm_l, arm.L; "" when the name has no side.
   The side is +1 for left, -1 for right, 0 for neither. */
int sn__side_of(const char *name, clip_name other);

/* Files as text, '\0' at the end, given back with sn__free; NULL when out of memory. */
char *sn__clip_json_write(const sn_clip *clip, size_t *size);
char *sn__bvh_write(const sn_clip *clip, size_t *size);

#endif
