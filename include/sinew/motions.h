/* Sinew: clips and motions. sinew.h includes this file.
 *
 * A clip is a skeleton and how it moves. A motion (sn_motion) is a clip that was carried over to a model:
 * poses in that model's q. docs/formats.md says what is read of each format. */
#ifndef SINEW_MOTIONS_H
#define SINEW_MOTIONS_H

#include "sinew/files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -----------------------------------------------------------------------------------------------------
   Clips */

/* In the rest pose of a clip all joint frames have the world's axes (z up). Frame k gives the root's
   position and the rotation of every joint against its parent. */
typedef struct sn_clip sn_clip;

typedef struct sn_clip_joint {
    const char *name;
    /* Index of the parent, smaller than its own; -1 for the root, which is joint 0. */
    int parent;
    /* From the parent's joint, in the rest pose, m. */
    double offset[3];
} sn_clip_joint;

/* The data of a clip. Make one with sn_clip_def_default. */
typedef struct sn_clip_def {
    /* Set by sn_clip_def_default. */
    uint32_t struct_size;
    /* Number of joints. [default 0; from 0] */
    int njoint;
    /* Number of frames. [default 0; from 0] */
    int nframe;
    /* [njoint] The skeleton. [default NULL] */
    const sn_clip_joint *joint;
    /* [nframe] Times, from 0, increasing. [s; default NULL] */
    const double *time;
    /* [nframe][3] Positions of the root. [m; default NULL] */
    const double *position;
    /* [nframe][njoint][4] Rotations of the joints. [default NULL] */
    const double *rotation;
    /* Whether the last frame is the first of the next round. The root has then moved on and turned about z.
       [default false] */
    bool loop;
} sn_clip_def;

static inline sn_clip_def sn_clip_def_default(void) {
    SN_RETURN_DEFAULT(sn_clip_def);
}

/* Makes a clip of arrays, which are copied. */
SN_API sn_clip *sn_clip_create(const sn_clip_def *definition, sn_error *error);
/* Frees a clip. NULL is allowed. */
SN_API void sn_clip_free(sn_clip *clip);
/* The data of a clip as it is now. Quaternions have unit length. Its last time is its duration. It
   belongs to the clip. */
SN_API const sn_clip_def *sn_clip_data(const sn_clip *clip);
/* Reads BVH, AMC ("11.asf+11_01.amc" or an AMC beside its ASF), DeepMimic and motion_imitation motions, and
   Sinew's own JSON. */
SN_API sn_clip *sn_clip_load(const char *path, const sn_load_def *options, sn_error *error);
/* Writes a clip, by the ending of the name: .json or .bvh. */
SN_API sn_status sn_clip_save(const sn_clip *clip, const char *path, sn_error *error);

/* What to change in a clip, in the order of the members. Make one with sn_clip_edit_def_default. */
typedef struct sn_clip_edit_def {
    /* Set by sn_clip_edit_def_default. */
    uint32_t struct_size;
    /* Start of the part to keep. [s; default 0; from 0] */
    double start;
    /* End of the part to keep. 0: the end of the clip. [s; default 0; from 0] */
    double end;
    /* Whether left and right change places, by names. The mirror is the xz plane, or yz for a skeleton
       that faces y. [default false] */
    bool mirror;
    /* Factor of the duration. [default 1; above 0] */
    double factor;
    /* Whether feet that stand are kept in one place; the legs follow by inverse kinematics. For captures
       whose feet slide. [default false] */
    bool plant;
    /* Whether the floor of the clip (see sn_clip_floor) is moved to z = 0. [default false] */
    bool ground;
    /* A clip with the same skeleton and frames to blend with. NULL: none. [default NULL] */
    const sn_clip *other;
    /* Weight of that clip, from 0 to 1. [default 0; 0 to 1] */
    double weight;
    /* Time in which the clip gains its speed from rest in its first pose, so that a character that
       follows it is not jerked. 0: it starts at full speed. [s; default 0; from 0] */
    double ease;
    /* Frames per second of the result. 0: the frames stay as they are. [1/s; default 0; from 0] */
    double rate;
} sn_clip_edit_def;

static inline sn_clip_edit_def sn_clip_edit_def_default(void) {
    SN_RETURN_DEFAULT(sn_clip_edit_def);
}

/* Makes a changed copy of a clip, or returns NULL and an error. */
SN_API sn_clip *sn_clip_edit(const sn_clip *clip, const sn_clip_edit_def *edit, sn_error *error);

/* Where the floor of a clip is: the level of the lowest joints while they stand still, whatever part of
   the body they belong to. Tails and single frames far below do not count. */
typedef struct sn_floor {
    /* z of the floor, m. */
    double height;
    /* Height of the lowest joint of the feet over the floor, m: quantiles of 10, 50 and 90 % over all
       frames. */
    double feet[3];
    /* Fraction of the frames in which something stands on the floor or on another level. */
    double stance;
    /* False: feet stand on several levels, as on stairs. `height` is then that of the lowest. */
    bool level;
} sn_floor;

SN_API sn_status sn_clip_floor(const sn_clip *clip, sn_floor *floor);
/* The floor under anything whose lowest point is at `low` at these times; n values each, times ascending. */
SN_API sn_status sn_floor_under(int n, const double *time, const double *low, double *height);
/* Makes a character for the skeleton: capsules along the bones, with masses by their volume and
   `total_mass` kg altogether. */
SN_API sn_model *sn_clip_build_model(const sn_clip *clip, double total_mass, sn_error *error);

/* ---------------------------------------------------------------------------------------------------
   Motions */

/* Carries a clip over to a model, which must outlive the motion. With a map of NULL, joints are found by
   equal names or by what names mean (CMU, Mixamo-like, DeepMimic, Bip01, quadrupeds as FL_hip, robots
   with hinges in a row as left_hip_yaw). Otherwise `map` is a JSON text {"model body": "clip joint",
   ...}. Limb lengths are scaled. */
SN_API sn_motion *sn_motion_create(const sn_clip *clip, const sn_model *model, const char *map,
                                   sn_error *error);
/* Reads a clip and carries it over by options->map, or reads numbers that were written for this model, as
   a table or as "Frames". */
SN_API sn_motion *sn_motion_load(const char *path, const sn_model *model, const sn_load_def *options,
                                 sn_error *error);
/* Whether sn_motion_load would take the file for numbers that were written for this model, not for a
   clip. With a model of NULL: whether it is a table of numbers at all. */
SN_API bool sn_motion_is_numbers(const char *path, const sn_model *model);
/* The part between two times, which does not loop. NULL and an error if it is not inside the motion. */
SN_API sn_motion *sn_motion_cut(const sn_motion *motion, double start, double end, sn_error *error);
/* Makes a motion of poses: q [nframe][nq] at the given times. A loop of them moves on, but does not turn. */
SN_API sn_motion *sn_motion_from_poses(const sn_model *model, int nframe, const double *time, const double *q,
                                       bool loop, sn_error *error);
/* Frees a motion. NULL is allowed. */
SN_API void sn_motion_free(sn_motion *motion);

/* What a motion has. It belongs to the motion. */
typedef struct sn_motion_info {
    /* s. */
    double duration;
    bool loops;
    /* How well a clip was carried over: the mean angle (rad) between the limbs of the model and those of
       the clip, each from where it begins to where it ends. 0 for other motions. */
    double apart;
} sn_motion_info;

SN_API const sn_motion_info *sn_motion_get(const sn_motion *motion);
/* The way back: makes a clip of poses of the model, q [nframe][nq] at times that start with 0, on the
   skeleton of the clip that the motion came from. Joints that drive no body move as in the clip. */
SN_API sn_clip *sn_motion_clip(const sn_motion *motion, int nframe, const double *time, const double *q,
                               sn_error *error);
/* Pose q [nq] and velocity qd [nv] at a time. Either may be NULL. */
SN_API void sn_motion_sample(const sn_motion *motion, double time, double *q, double *qd);
/* Poses q [n][nq] and velocities qd [n][nv] at n times. Either may be NULL. */
SN_API void sn_motion_sample_many(const sn_motion *motion, int n, const double *time, double *q, double *qd);

/* Makes a motion that comes with the library, for one of its models: "walk", "run", "cartwheel", "backflip"
   (humanoid), "pace", "trot", "canter" (dog), "slither" (snakes), "kick", "pass" or "catch" (humanoid, for
   balls). */
SN_API sn_motion *sn_builtin_motion_create(const char *name, const sn_model *model, sn_error *error);
/* Their names, from index 0 on; NULL after the last one. */
SN_API const char *sn_builtin_motion_name(int index);

#ifdef __cplusplus
}
#endif

#endif
