#ifndef SINEW_MOTION_KEYFRAMES_H
#define SINEW_MOTION_KEYFRAMES_H

#include "sinew/sinew.h"

/* The drives for a step of dt that ends at `time`, from the pose q: gains [nv] and target [nq]. */
void sn__keyframes_drive(const sn_keyframes *keyframes, double time, double dt, const double *q, double *kp,
                         double *kd, double *target_q);
const sn_model *sn__keyframes_model(const sn_keyframes *keyframes); /* whose poses they are */

#endif
