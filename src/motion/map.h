/* Which joint of a clip drives which body of a model. */
#ifndef SINEW_MOTION_MAP_H
#define SINEW_MOTION_MAP_H

#include "sinew/sinew.h"

/* joint[nbody]: the clip's joint for each body, -1: none. text is a JSON object {"model body": "clip joint", ...}; NULL:
   equal names, or the roles that names of known conventions stand for, whichever finds more. */
sn_status sn__map_find(const sn_clip_def *clip, const sn_model *model, const char *text, int *joint,
                       sn_error *error);

#endif
