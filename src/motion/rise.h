/* Two ways to get up from the ground, for the built-in humanoid: from the back and from the belly. */
#ifndef SINEW_MOTION_RISE_H
#define SINEW_MOTION_RISE_H

#include "motion/stride.h"

enum rise_way { RISE_NONE, RISE_FROM_BACK, RISE_FROM_BELLY };

/* Seconds from lying to standing. */
double sn__rise_length(enum rise_way way);
/* The pose at a time, with the pelvis above `place`, turned to the left by `yaw`. The velocity is 0. Before 0 it lies, at
   the end it stands. */
void sn__rise_frame(const struct stride *stride, enum rise_way way, double time, const double place[2],
                    double yaw, struct stride_frame *frame);
/* The way that a pelvis in this orientation has to take, and the yaw at which its pose is nearest. */
enum rise_way sn__rise_choose(const double rotation[4]);
double sn__rise_yaw(enum rise_way way, double time, const double rotation[4]);

#endif
