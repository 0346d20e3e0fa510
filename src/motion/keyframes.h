#ifndef SINEW_MOTION_KEYFRAMES_H
#define SINEW_MOTION_KEYFRAMES_H

#include "sinew/sinew.h"

const sn_model *sn__keyframes_model(const sn_keyframes *keyframes); /* whose poses they are */

#endif
