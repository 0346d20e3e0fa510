/* Sinew: files, clips, motions and recordings, what goes into a world and what comes out. Sections 9 to 11 of sinew.h,
 * which includes this file. */
#ifndef SINEW_FILES_H
#define SINEW_FILES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------- 9. Files */

/* What a reader may forgive, and whom it tells. */
typedef struct sn_load_options {
    bool allow_missing_mesh; /* a mesh that cannot be read is left out, with a warning; default false */
    const char *map;         /* clips for a model: joint-name map, see 10; default NULL */
    const char *keyframe;    /* MJCF: name or number of the pose to start with; default NULL: the first */
    void (*warn)(void *user, const char *message); /* one call for each thing passed over; default NULL */
    void *user;
    /* Of clips, what files leave open; default: decided from the motion, and told by note. */
    const char *up; /* the file's axis that points up, as "y" or "-z"; default NULL */
    const char *
        facing; /* the file's axis that the rest pose faces, which becomes x; default NULL: turned to no side */
    double scale;           /* metres per unit of the file; default 0 */
    const char *quaternion; /* tables of poses: "wxyz" or "xyzw"; default NULL */
    bool keep_first;        /* first frames of a pose apart (a T-pose) are not left out; default false */
    void (*note)(void *user, const char *message); /* one call for each thing decided; default NULL */
} sn_load_options;

SN_API sn_load_options sn_load_options_default(void);

/* The format is recognised by content: MJCF, URDF, DeepMimic character, Sinew's own JSON; from a bare BVH
   or ASF skeleton a character is made. A controller file of DeepMimic may follow a '+':
   "dog3d.txt+dog3d_ctrl.txt" gives the gains. Errors name file, line and reason. options may be NULL. */
SN_API sn_model *sn_model_load(const char *path, const sn_load_options *options, sn_error *error);
/* A model from memory; name stands for the file in messages and says where included files are looked for. */
SN_API sn_model *sn_model_parse(const char *text, size_t size, const char *name,
                                const sn_load_options *options, sn_error *error);
/* A whole world from a file. An MJCF scene: each character and free body a member of its own (those that share joint
   couplings or exclusions are one), geoms of the world and of bodies that cannot move as ground, equalities as constraints,
   a keyframe as state, its controls, or zero, as targets; gravity, timestep and what flags switch off are the file's,
   everything else is as def says (NULL: the default), and bodies of one member touch each other. Of any other file the
   character stands on the plane z = 0 in its home pose, and gravity and step are those of def. The models belong to the
   world. */
SN_API sn_world *sn_world_load(const char *path, const sn_world_def *definition,
                               const sn_load_options *options, sn_error *error);
SN_API sn_world *sn_world_parse(const char *text, size_t size, const char *name,
                                const sn_world_def *definition, const sn_load_options *options,
                                sn_error *error);
/* Ground as a shape in its place in the world, for pictures: false where there is no such number, or it is a height field or hull. A
   plane is a box of no height (size 0) whose z axis is its normal. */
SN_API bool sn_world_ground_shape(const sn_world *world, int ground, sn_shape_def *shape);
SN_API int sn_world_ground_count(const sn_world *world); /* all ground has smaller numbers */
/* The member that has a body of that name, and which of its bodies it is (body may be NULL); -1: none has. */
SN_API int sn_world_find_body(const sn_world *world, const char *name, int *body);
/* Writes the model as JSON text, as much as there is room for; sn_model_parse reads it back to the last bit. Returns the length of
   all of it, without the final zero; 0: out of memory. */
SN_API size_t sn_model_write(const sn_model *model, char *text, size_t room);
/* By the name's ending: .json (own format, exact) or .xml (MJCF). */
SN_API sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error);

/* -------------------------------------------------------------------------------- 10. Clips and motions */

/* A clip is a skeleton and how it moves. In its rest pose all joint frames have the world's axes (Z up);
   frame k gives the root's position and every joint's rotation against its parent. */
typedef struct sn_clip sn_clip;

typedef struct sn_clip_joint {
    const char *name;
    int parent;       /* index, smaller than its own; -1 for the root, which is joint 0 */
    double offset[3]; /* from the parent's joint, in the rest pose */
} sn_clip_joint;

typedef struct sn_clip_def {
    int njoint, nframe;
    const sn_clip_joint *joint; /* [njoint] */
    const double *time;         /* [nframe] s, from 0, increasing */
    const double *position;     /* [nframe][3] of the root */
    const double *rotation;     /* [nframe][njoint][4] */
    bool loop; /* the last frame is the first of the next round, the root having moved on and turned about z */
} sn_clip_def;

SN_API sn_clip *sn_clip_create(const sn_clip_def *definition, sn_error *error);
SN_API void sn_clip_free(sn_clip *clip);
SN_API const sn_clip_def *sn_clip_data(const sn_clip *clip); /* as it is now, quaternions of unit length */
SN_API double sn_clip_duration(const sn_clip *clip);
/* BVH, AMC ("11.asf+11_01.amc" or an AMC beside its ASF), DeepMimic and motion_imitation motions, own
   JSON. */
SN_API sn_clip *sn_clip_load(const char *path, const sn_load_options *options, sn_error *error);
SN_API sn_clip *sn_clip_parse(const char *text, size_t size, const char *name, const sn_load_options *options,
                              sn_error *error);
SN_API sn_status sn_clip_save(const sn_clip *clip, const char *path, sn_error *error); /* .json or .bvh */

/* Pose at any time: linear in positions, the short way round in rotations; velocities are the exact
   derivatives of that. Before the start and past the end a clip that does not loop stands still. Any
   pointer may be NULL. position[3], rotation[njoint][4], velocity[3] in world axes, angular[njoint][3] in
   the joint's own axes. */
SN_API void sn_clip_sample(const sn_clip *clip, double time, double *position, double *rotation,
                           double *velocity, double *angular);
/* New clips from old ones; NULL and an error when it cannot be. */
SN_API sn_clip *sn_clip_resample(const sn_clip *clip, double rate, sn_error *error);
/* Left and right change places, by names; the mirror stands between them: xz, or yz for a skeleton that faces y. */
SN_API sn_clip *sn_clip_mirror(const sn_clip *clip, sn_error *error);
/* A clip between two that have the same skeleton: weight 0 is a, 1 is b. */
SN_API sn_clip *sn_clip_blend(const sn_clip *a, const sn_clip *b, double weight, sn_error *error);
SN_API sn_clip *sn_clip_warp(const sn_clip *clip, double factor, sn_error *error); /* times longer */
SN_API sn_clip *sn_clip_cut(const sn_clip *clip, double start, double end, sn_error *error);
/* From rest in the first pose the motion comes up to its speed within this time (s): who follows it is not jerked. */
SN_API sn_clip *sn_clip_ease(const sn_clip *clip, double time, sn_error *error);
/* Where the floor of a clip is: the level of the lowest joints while they stand still, whatever part of the body they are of;
   tails and single frames far below do not count. */
typedef struct sn_floor {
    double height;  /* z of the floor, m */
    double feet[3]; /* m, lowest joint of the feet over it: quantiles of 10, 50 and 90 % over all frames */
    double stance;  /* part of the frames in which something stands on it or on another level */
    bool level;     /* false: feet stand on several levels, as on stairs; height is that of the lowest */
} sn_floor;
SN_API sn_status sn_clip_floor(const sn_clip *clip, sn_floor *floor);
/* That floor at z = 0. */
SN_API sn_clip *sn_clip_ground(const sn_clip *clip, sn_error *error);
/* That floor under anything whose lowest point is at `low` at these times, n values each, times ascending. */
SN_API sn_status sn_floor_under(int n, const double *time, const double *low, double *height);
/* Feet that stand are kept in one place, the legs following by inverse kinematics: captures whose feet slide. */
SN_API sn_clip *sn_clip_plant(const sn_clip *clip, sn_error *error);
/* A character for the skeleton: capsules along the bones, masses by their volume, total_mass altogether
   (kg). */
SN_API sn_model *sn_clip_build_model(const sn_clip *clip, double total_mass, sn_error *error);

/* A motion (sn_motion) is a clip carried over to a model: poses in that model's q. */

/* map: NULL, then equal names or what names mean (CMU, Mixamo-like, DeepMimic,
   Bip01, quadrupeds as FL_hip, robots with hinges in a row as left_hip_yaw) is found; or a JSON text
   {"model body": "clip joint", ...}. Limb lengths are scaled. The model must outlive the motion. */
SN_API sn_motion *sn_motion_create(const sn_clip *clip, const sn_model *model, const char *map,
                                   sn_error *error);
/* From a file: a clip, carried over by options->map; or numbers that were written for this model, as a table or as "Frames"
   (docs/formats.md). */
SN_API sn_motion *sn_motion_load(const char *path, const sn_model *model, const sn_load_options *options,
                                 sn_error *error);
/* Whether sn_motion_load would take the file for numbers that were written for this model, not for a clip. model NULL: whether it
   is a table of numbers at all, of whatever character. */
SN_API bool sn_motion_is_numbers(const char *path, const sn_model *model);
/* The part between two times, which does not loop; NULL and an error when it is not inside the motion. */
SN_API sn_motion *sn_motion_cut(const sn_motion *motion, double start, double end, sn_error *error);
/* Straight from poses: q [nframe][nq] at the given times. A loop of them moves on, but does not turn. */
SN_API sn_motion *sn_motion_from_poses(const sn_model *model, int nframe, const double *time, const double *q,
                                       bool loop, sn_error *error);
SN_API void sn_motion_free(sn_motion *motion);
SN_API double sn_motion_duration(const sn_motion *motion);
SN_API bool sn_motion_loops(const sn_motion *motion);
/* How well a clip was carried over: the mean angle (rad) between the model's limbs and the clip's, from where each begins to
   where it ends. 0 for other motions. */
SN_API double sn_motion_apart(const sn_motion *motion);
/* The way back: poses of the model, q [nframe][nq] at times that start with 0, on the skeleton of the clip that the motion
   came from. Joints that drive no body move as in the clip. */
SN_API sn_clip *sn_motion_clip(const sn_motion *motion, int nframe, const double *time, const double *q,
                               sn_error *error);
SN_API void sn_motion_sample(const sn_motion *motion, double time, double *q, double *qd);
/* At n times: q [n][nq] and qd [n][nv], either of which may be NULL. */
SN_API void sn_motion_sample_many(const sn_motion *motion, int n, const double *time, double *q, double *qd);
/* Motions that come with the library, for its built-in models: "walk", "run", "cartwheel", "backflip"
   (humanoid), "pace", "trot", "canter" (dog), "slither" (snakes), "kick", "pass", "catch" (humanoid, for balls);
   names in order, then NULL. */
SN_API const char *sn_builtin_motion_name(int index);
SN_API sn_motion *sn_builtin_motion_create(const char *name, const sn_model *model, sn_error *error);

/* -------------------------------------------------------------------------------------- 11. Recordings */

/* What a world did, frame by frame: for the page that `sinew report` makes, for pictures and for study. The format is
   JSON, told in docs/recording.md.

       sn_recorder_def def = sn_recorder_def_default();
       sn_recorder *recorder = sn_recorder_create(world, &def, NULL);
       sn_recorder_take(recorder, sn_world_time(world));
       while (...) sn_world_step(world), sn_recorder_take(recorder, sn_world_time(world));
       sn_recorder_save(recorder, "run.json", NULL), sn_recorder_free(recorder);

   Members that come and go while it records are in the frames in which they were there. */
typedef struct sn_recorder sn_recorder;

typedef struct sn_recorder_def {
    int first, count; /* copies first .. first + count - 1; default 0, 1 */
    double rate;      /* frames per second of the time told to sn_recorder_take; default 60 */
    bool contacts;    /* record those that push; default true */
    bool torques;     /* record those of the drives, see report_torque of the world; default false */
    const char *name; /* of the first member's model; others go by their first body; default NULL: likewise */
} sn_recorder_def;

SN_API sn_recorder_def sn_recorder_def_default(void);
/* The world must live until the last sn_recorder_take; NULL: there is only what sn_recorder_pose shows. */
SN_API sn_recorder *sn_recorder_create(sn_world *world, const sn_recorder_def *definition, sn_error *error);
SN_API void sn_recorder_free(sn_recorder *recorder);
/* After each step: takes a frame when one is due at this time (s), the first one at once. After an error the
   recording ends with the frame before. */
SN_API sn_status sn_recorder_take(sn_recorder *recorder, double time);

/* What the world does not know. A pose, and torques or NULL, of another character, from the next frame on until changed:
   role "reference" is a ghost that shows where the first member should be, "simulated" a character that no world steps.
   The model must live until the last sn_recorder_take. */
SN_API sn_status sn_recorder_pose(sn_recorder *recorder, const char *role, const sn_model *model,
                                  const double *q, const double *torque);
/* A number per frame, from the next frame on until changed: "effector" (m) and "joint" (rad) are plotted. */
SN_API sn_status sn_recorder_number(sn_recorder *recorder, const char *name, double value);
/* Something that happened: a kind, as "diverged", and a sentence. */
SN_API sn_status sn_recorder_event(sn_recorder *recorder, double time, const char *kind, const char *text);
/* A JSON value, which is not checked, under a key of its own: "settings", "result", "ground". The last one counts. */
SN_API sn_status sn_recorder_note(sn_recorder *recorder, const char *key, const char *json);

/* The recording as text that belongs to the recorder, until the next call; size may be NULL. NULL: out of memory, or no
   frame was taken. */
SN_API const char *sn_recorder_text(sn_recorder *recorder, size_t *size);
/* By the name's ending: .glb (binary glTF 2.0: all characters as mannequins that move, for Blender, three.js and others),
   .bvh (the first simulated character, Y up, metres); else the recording itself. */
SN_API sn_status sn_recorder_save(sn_recorder *recorder, const char *path, sn_error *error);
/* A recording from a file, to be saved in another format. */
SN_API sn_recorder *sn_recorder_load(const char *path, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
