/* What scenes are made of: random numbers, members, ground, states; shapes.h has shapes and models. Functions that take a
 * scene do nothing when its error is set, and set it when they fail; the others serve programs without a scene, too. */
#ifndef SINEW_SCENES_PARTS_H
#define SINEW_SCENES_PARTS_H

#include "scenes.h"
#include "shapes.h"

void scene_fail(struct scene *s, sn_status status, const char *message);
/* Fails unless the status is SN_OK; `what` names the call in the message. True: all is well. */
bool scene_check(struct scene *s, sn_status status, const char *what);

/* SplitMix64 (Steele et al. 2014): uniform in [low, high), the same on every machine. */
double scene_uniform(uint64_t *state, double low, double high);
/* A state of the generator for one who and one step. */
uint64_t scene_seed(uint64_t who, int step);

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
