/* The list of solids of a world. */
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

struct sn__solid *sn__world_add_solid(sn_world *w) {
    struct sn__solid *s = sn__grow(w->solid, &w->solid_room, w->nsolid + 1, sizeof *s);
    if (!s) return NULL;
    w->solid = s;
    memset(&s[w->nsolid], 0, sizeof *s);
    return &s[w->nsolid++];
}

void sn__solid_set_material(struct sn__solid *s, const sn_shape_def *shape) {
    s->friction = shape->friction, s->restitution = shape->restitution;
    s->group = shape->group, s->mask = shape->mask;
}
