/* Shapes in one line each, and models of one body or a chain: what scenes, tests and experiments are made of. */
#ifndef SINEW_SCENES_SHAPES_H
#define SINEW_SCENES_SHAPES_H

#include <sinew/sinew.h>
#include <stdbool.h>

sn_shape_def sphere_of(double radius, double mass);
sn_shape_def capsule_of(double radius, double half_length, double mass);
sn_shape_def box_of(double x, double y, double z, double mass); /* half extents */
sn_shape_def material_of(double friction, double restitution);

/* One body of that name with one shape, tied to the world by that joint. */
sn_model *one_body_model(const char *name, const sn_joint_def *joint, const sn_shape_def *shape,
                         sn_error *error);
/* One free body called "body". */
sn_model *scene_body_model(const sn_shape_def *shape, sn_error *error);
/* The body of number i in a chain: called "linkI", its parent the one before. It keeps pointers to both names. */
sn_body_def chain_link(int i, char name[16], char parent[16]);
/* Capsules "link0", "link1", ... of 0.2 m and 0.5 kg along z, one below the other, tied by such joints; the first link
   is free or hangs on the world by a joint of the same kind. Hinges turn about y. */
sn_model *scene_chain_model(int links, sn_joint_type joint, bool free_root, sn_error *error);

/* Rods of water's density along x, one behind the other, held by the world or free (pbad-2018 section 6.1). Universal joints
   turn about y, then z: a straight chain is far from where the axes meet. */
struct rods {
    int count;
    sn_joint_type joint;
    double length, radius; /* m, of a rod */
    bool free_root;
};
sn_model *scene_rods_model(const struct rods *rods, sn_error *error);
/* Every joint bent by that much, and by half of it the other way about its other axis; q [nq]. False: no memory. */
bool scene_rods_bend(const sn_model *model, double angle, double *q);

#endif
