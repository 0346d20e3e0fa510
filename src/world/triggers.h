/* Who is inside triggers: triggers.c. Shapes where the pose of their body puts them: query.c. */
#ifndef SINEW_WORLD_TRIGGERS_H
#define SINEW_WORLD_TRIGGERS_H

#include "world/scene.h"

/* Around a step: where everybody is before it; what has changed after it. */
sn_status sn__triggers_before(sn_world *w);
sn_status sn__triggers_after(sn_world *w);
void sn__triggers_forget(sn_world *w); /* who was inside: the state was restored */
void sn__triggers_forget_solid(sn_world *w, int solid);
void sn__triggers_free(sn_world *w);
size_t sn__triggers_memory(const sn_world *w);

/* Poses [nbody][7] of a member's bodies in a copy, in the world's own room for them; NULL: out of memory. */
const double *sn__world_poses(sn_world *w, struct sn__member *m, int copy);
/* A member's shape where the pose of its body puts it. */
struct sn__geom sn__solid_placed(const struct sn__member *m, const struct sn__solid *s, const double *pose);

#endif
