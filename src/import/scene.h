/* A scene as files describe it: a model of everything that moves, the ground it stands on, and how it starts. world/scene.c
 * makes a world of it. */
#ifndef SINEW_IMPORT_SCENE_H
#define SINEW_IMPORT_SCENE_H

#include "sinew/sinew.h"

struct cJSON;
struct sn__xml_node;

struct sn__scene_ground {
    enum { SN__SCENE_PLANE, SN__SCENE_SHAPE, SN__SCENE_FIELD, SN__SCENE_MESH } kind;
    sn_shape_def shape; /* material, and of a shape all of it; pos and rot in the world, a share of its hull */
    sn_heightfield_def field; /* its heights belong to it */
    sn_mesh_def mesh;         /* in the world; its vertices and triangles belong to it */
};

/* One of the shapes that a contact pair names. */
struct sn__scene_solid {
    int body,
        number; /* of the model, and the number among the body's shapes; body -1: ground of that number */
};

struct sn__scene {
    sn_model *
        model; /* of MJCF a draft, which is not compiled: world/scene.c cuts it into members. NULL: nothing moves */
    bool is_character; /* a file that knows of no ground and no step: the character stands on a plane */
    bool is_level;     /* nothing but ground, of a file that knows of no gravity and no step */
    double gravity[3], dt;
    bool contact, limits; /* whether shapes touch, and joints keep their limits */
    int nground, ground_capacity;
    struct sn__scene_ground *ground; /* [nground] */
    int npair, pair_capacity;
    struct sn__scene_solid (*pair)[2]; /* [npair] that touch whatever their groups say */
    int nfree, free_capacity;
    char (*free)[SN_MAX_NAME + 1]; /* [nfree] names of bodies that never touch the world's own geoms */
    double *qd;                    /* [nv] velocity it starts with, or NULL */
    double *target_q, *target_qd, *forward; /* of the drives, or NULL: [nq] [nv] [nv] */
};

/* What the file describes; every part of it belongs to the scene. NULL and a message on an error. */
struct sn__scene *sn__scene_load(const char *path, const sn_load_def *options, sn_error *error);
void sn__scene_free(struct sn__scene *scene); /* NULL is allowed */
/* MJCF with all that is in it; scene NULL: the model alone. Returns a draft of the model, to be compiled or cut into parts. */
sn_model *sn__mjcf_read_scene(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                              struct sn__scene *scene, sn_error *error);

#endif
