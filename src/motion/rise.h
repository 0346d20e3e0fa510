/* A way to get up from the ground, for the built-in humanoid: it turns over to its belly and pushes itself up. */
#ifndef SINEW_MOTION_RISE_H
#define SINEW_MOTION_RISE_H

#include "motion/stride.h"

/* The side that is up while it turns over. The two ways mirror each other. */
enum rise_way { RISE_NONE, RISE_RIGHT_UP, RISE_LEFT_UP };

/* Seconds from the back to the belly, before time 0, and from the belly to its feet, after it. */
double sn__rise_turn(void);
double sn__rise_length(void);
/* The pose at a time, with the pelvis above `place` and the head turned to the left by `yaw` while it lies. The velocity is 0.
   At -sn__rise_turn() it lies on its back, at 0 on its belly, at sn__rise_length() it stands. */
void sn__rise_frame(const struct stride *stride, enum rise_way way, double time, const double place[2],
                    double yaw, struct stride_frame *frame);
/* The way that a pelvis in this orientation has to take, and the time at which it is turned over as far. */
enum rise_way sn__rise_choose(const double rotation[4], double *time);
/* The yaw at which the pose of that time is nearest. */
double sn__rise_yaw(enum rise_way way, double time, const double rotation[4]);

#endif
