/* What the makers of motions share. */
#ifndef SINEW_MOTION_MOTION_H
#define SINEW_MOTION_MOTION_H

#include "model/place.h"

/* What captures need: velocities across jumps are not taken for real, and loops that turn go on turning. False: out of
   memory. apart: for sn_motion_apart. */
bool sn__motion_of_clip(sn_motion *motion, double apart);

/* What its root gains a round; all zero where it does not loop or has no free root. */
struct round_gain;
const struct round_gain *sn__motion_gain(const sn_motion *motion);

/* The model whose poses a motion has. */
const sn_model *sn__motion_model(const sn_motion *motion);

#endif
