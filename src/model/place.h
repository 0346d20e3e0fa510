/* Where the bodies of a model are at a pose, in plain double. */
#ifndef SINEW_MODEL_PLACE_H
#define SINEW_MODEL_PLACE_H

#include "sinew/sinew.h"

/* World position of each body's frame and its orientation at the pose q: pos[nbody][3], rot[nbody][4]. */
void sn__pose_globals(const sn_model *model, const double *q, double *pos, double *rot);

/* The frame of one body with its joint at q (its own values), its parent's being `from` and `before`; the world's for a
   body without one. */
void sn__pose_of_body(const sn_body_info *body, const double *q, const double from[3], const double before[4],
                      double pos[3], double rot[4]);

/* The rotation about `axis` (unit length) that is nearest to q: its angle, from -pi to pi. */
double sn__twist_angle(const double q[4], const double axis[3]);

/* The shortest rotation that takes direction a to direction b (any length); the identity when one is zero. */
void sn__shortest_turn(const double a[3], const double b[3], double q[4]);

#endif
