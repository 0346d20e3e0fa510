/* First frames from which a skeleton jumps: they belong to no motion. */
#ifndef SINEW_CLIP_JUMP_H
#define SINEW_CLIP_JUMP_H

#include "clip/clip.h"

/* How many first frames are a pose apart, such as the T-pose that converters put before a capture: they stand still, and
   then everything jumps. 0: none, or out of memory. */
int sn__clip_first_pose(const sn_clip_def *clip);

#endif
