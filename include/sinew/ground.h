/* Sinew: the ground of a world: planes, shapes, height fields and triangle meshes. sinew.h includes this
 * file.
 *
 * Ground is the same in all copies. It has numbers of its own, from 0; -1 means an error. The number is
 * the ground's until you remove it; later ground may then get it. The friction, restitution, group and
 * mask of `material` apply, its mass does not. NULL is the default material. */
#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a plane through a point. What is on the side of the normal is free. */
SN_API int sn_world_add_plane(sn_world *world, const double point[3], const double normal[3],
                              const sn_shape_def *material, sn_error *error);
/* Adds a shape of any kind. One that is neither sphere, capsule, box nor hull touches as a hull that is
   within 1 % of its surface. */
SN_API int sn_world_add_shape(sn_world *world, const sn_shape_def *shape, const double pos[3],
                              const double rot[4], sn_error *error);

/* Heights over a grid. Make one with sn_heightfield_def_default. */
typedef struct sn_heightfield_def {
    /* Set by sn_heightfield_def_default. */
    uint32_t struct_size;
    /* Number of points along x. [default 2; 2 to 32768] */
    int nx;
    /* Number of points along y. [default 2; 2 to 32768] */
    int ny;
    /* Extent along x and y. [m; default 1 1; above 0] */
    double size[2];
    /* The corner with the smallest x and y. Heights count from origin[2]. [m; default 0 0 0] */
    double origin[3];
    /* [ny][nx] heights; copied. [m; default NULL] */
    const double *height;
} sn_heightfield_def;

static inline sn_heightfield_def sn_heightfield_def_default(void) {
    SN_RETURN_DEFAULT(sn_heightfield_def);
}

/* Adds a height field. */
SN_API int sn_world_add_heightfield(sn_world *world, const sn_heightfield_def *field,
                                    const sn_shape_def *material, sn_error *error);

/* A triangle mesh: a level, a staircase, a cave. A triangle holds what is in front of it, where its
   corners run counterclockwise; what is behind it passes. Corners at the same place count as one, so that
   a mesh of many level triangles is as smooth as a plane. Make one with sn_mesh_def_default. */
typedef struct sn_mesh_def {
    /* Set by sn_mesh_def_default. */
    uint32_t struct_size;
    /* Number of vertices. [default 0] */
    int nvertex;
    /* Number of triangles. [default 0] */
    int ntriangle;
    /* [nvertex] vertices; copied. [m; default NULL] */
    const double (*vertex)[3];
    /* [ntriangle] three vertices each; copied. [default NULL] */
    const int (*triangle)[3];
} sn_mesh_def;

static inline sn_mesh_def sn_mesh_def_default(void) {
    SN_RETURN_DEFAULT(sn_mesh_def);
}

/* Adds a mesh. Meshes stand still. The position stepper does not support them. */
SN_API int sn_world_add_mesh(sn_world *world, const sn_mesh_def *mesh, const sn_shape_def *material,
                             sn_error *error);

SN_API sn_status sn_world_remove_ground(sn_world *world, int ground);
/* Puts ground somewhere else in all copies and lets it move on with these velocities; NULL means zero. Height
   fields and meshes cannot move. */
SN_API sn_status sn_world_move(sn_world *world, int ground, const double pos[3], const double rot[4],
                               const double linear[3], const double angular[3]);
/* Fills a shape with ground in its place in the world, for pictures. Returns false if there is no such
   ground, or if it is a height field, a mesh or a hull. A plane becomes a box of no height (size 0) whose
   z axis is its normal. */
SN_API bool sn_world_ground_shape(const sn_world *world, int ground, sn_shape_def *shape);

#ifdef __cplusplus
}
#endif

#endif
