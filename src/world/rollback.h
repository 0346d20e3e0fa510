/* Where ground was before it was moved, so that states saved before can put it back: rollback.c. */
#ifndef SINEW_WORLD_ROLLBACK_H
#define SINEW_WORLD_ROLLBACK_H

#include "world/copy.h"
#include "world/scene.h"

/* Before ground is moved for the first time; false: out of memory. And when it goes. */
bool sn__world_keep_home(sn_world *w, int ground);
void sn__world_forget_home(sn_world *w, int ground);

#endif
