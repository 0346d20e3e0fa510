/* What scenes are made of: random numbers, shapes, models of one body or a chain, ground, states. Functions that take a
 * scene do nothing when its error is set, and set it when they fail; the others serve programs without a scene, too. */
#ifndef SINEW_SCENES_PARTS_H
#define SINEW_SCENES_PARTS_H

#include "scenes.h"

void scene_fail(struct scene *s, sn_status status, const char *message);
/* Fails unless the status is SN_OK; `what` names the call in the message. True: all is well. */
bool scene_check(struct scene *s, sn_status status, const char *what);

/* SplitMix64 (Steele et al. 2014): uniform in [low, high), the same on every machine. */
double scene_uniform(uint64_t *state, double low, double high);
/* A state of the generator for one who and one step. */
uint64_t scene_seed(uint64_t who, int step);

sn_shape_def scene_sphere(double radius, double mass);
sn_shape_def scene_capsule(double radius, double half_length, double mass);
sn_shape_def scene_box(double x, double y, double z, double mass); /* half extents */
sn_shape_def scene_material(double friction, double restitution);

/* One free body called "body". */
sn_model *scene_body_model(const sn_shape_def *shape, sn_error *error);
/* Capsules "link0", "link1", ... of 0.2 m and 0.5 kg along z, one below the other, tied by such joints; the first link
   is free or hangs on the world by a joint of the same kind. Hinges turn about y. */
sn_model *scene_chain_model(int links, sn_joint_type joint, bool free_root, sn_error *error);

/* Adds a member; returns its number, -1 on failure. The first two make the model as well and keep it. */
int scene_add_builtin(struct scene *s, const char *name);
int scene_add_body(struct scene *s, const sn_shape_def *shape);
int scene_add_model(struct scene *s, sn_model *model); /* takes the model over, also on failure; NULL fails */
int scene_add_again(struct scene *s, int member);      /* one more of the same model */

/* Ground; each returns its number. */
int scene_add_plane(struct scene *s, const double point[3], const double normal[3], double friction);
int scene_add_floor(struct scene *s, double friction);               /* z = 0 */
int scene_add_slope(struct scene *s, double angle, double friction); /* through the origin, rises along x */
void scene_add_walls(struct scene *s, double half);                  /* planes at x and y = -half and half */
int scene_add_hills(struct scene *s, double height); /* 16 m by 16 m about the origin, at most 0 */

/* Gains of all joints but a free root, in all copies. */
void scene_hold(struct scene *s, int member, double kp, double kd);
/* State of one copy, and the pose as its target; qd NULL: at rest. */
void scene_put(struct scene *s, int member, int copy, const double *q, const double *qd);
/* The same for a member that is one free body; rot NULL: upright; velocity NULL: at rest. */
void scene_place(struct scene *s, int member, int copy, const double pos[3], const double rot[4],
                 const double velocity[6]);
/* A pose on the ground: the zero pose at (x, y), every joint off by up to `off`. */
void scene_pose(struct scene *s, int member, double x, double y, double off, uint64_t *random, double *q);
/* A force through the origin of one body and none on the others, in one copy; NULL: none at all. */
void scene_push(struct scene *s, int member, int copy, int body, const double force[3]);
/* One value or vector of a copy's own. */
void scene_set(struct scene *s, int member, sn_field field, int copy, const double *values);

#endif
