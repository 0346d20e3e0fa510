/* Sinew: models and worlds from files, and models to files. sinew.h includes this file.
 *
 * docs/formats.md says what is read of each format. Errors name file, line and reason. */
#ifndef SINEW_FILES_H
#define SINEW_FILES_H

#include "sinew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to read a file. Make one with sn_load_def_default; NULL means all defaults. */
typedef struct sn_load_def {
    /* Set by sn_load_def_default. */
    uint32_t struct_size;
    /* Whether a mesh that cannot be read is left out with a warning. Otherwise it is an error. [default
       false] */
    bool allow_missing_mesh;
    /* Clips for a model: which joint drives which body, see sn_motion_create. [default NULL] */
    const char *map;
    /* MJCF: name or number of the pose to start with. NULL: the first. [default NULL] */
    const char *keyframe;
    /* Called for each thing that was ignored. [default NULL] */
    void (*warn)(void *user, const char *message);
    /* First argument of `warn` and `note`. [default NULL] */
    void *user;
    /* Clips: the axis of the file that points up, as "y" or "-z". NULL: decided from the motion. [default
       NULL] */
    const char *up;
    /* Clips: the axis of the file that the rest pose faces, which becomes x. NULL: directions stay as
       they are. [default NULL] */
    const char *facing;
    /* Clips: metres per unit of the file. 0: decided from the motion. [default 0; from 0] */
    double scale;
    /* Tables of poses: "wxyz" or "xyzw". NULL: decided from the motion. [default NULL] */
    const char *quaternion;
    /* Whether first frames with a pose of their own (a T-pose) are kept. [default false] */
    bool keep_first;
    /* Called for each thing that was decided because the file leaves it open. [default NULL] */
    void (*note)(void *user, const char *message);
    /* The content of a file that is in memory. The path is then its name in messages, and included files
       are looked for beside it. NULL: the file at the path is read. [default NULL] */
    const char *text;
    /* Number of bytes of `text`. [default 0] */
    uint64_t size;
} sn_load_def;

static inline sn_load_def sn_load_def_default(void) {
    SN_RETURN_DEFAULT(sn_load_def);
}

/* Reads a model. The format is recognised by content: MJCF, URDF, a DeepMimic character or Sinew's own
   JSON. A bare BVH or ASF skeleton becomes a character. A controller file of DeepMimic can follow a '+':
   "dog3d.txt+dog3d_ctrl.txt" gives the gains. */
SN_API sn_model *sn_model_load(const char *path, const sn_load_def *options, sn_error *error);
/* Writes a model, by the ending of the name: .json (Sinew's own format, exact) or .xml (MJCF). */
SN_API sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error);
/* Writes a model as JSON text, as far as there is room. sn_model_load reads it back to the last bit.
   Returns the whole length, without the final zero; 0 if memory runs out. */
SN_API size_t sn_model_write(const sn_model *model, char *text, size_t room);

/* Reads a whole world. In an MJCF scene each character and free body becomes a member of its own; those
   that share joint couplings or exclusions become one. Geoms of the world and of bodies that cannot move
   become ground, and equalities constraints. A keyframe gives the state, and its controls, or zero, the
   targets. Gravity, timestep and disabled features are those of the file. Everything else is as in the
   definition (NULL: the default), and bodies of one member touch each other. From any other file the
   character stands on the plane z = 0 in its home pose. The models belong to the world. */
SN_API sn_world *sn_world_load(const char *path, const sn_world_def *definition, const sn_load_def *options,
                               sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
