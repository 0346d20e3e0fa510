/* Shapes that touch: from those of models and of ground. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "world/world.h"

/* The kinds of shape that touch others. A cylinder touches as the capsule inside it, an ellipsoid as a
   capsule along its longest axis. */
bool sn__geom_make(const sn_shape_def *s, struct sn__geom *g, double rot[4]) {
    *g = (struct sn__geom){.size = {s->size[0], s->size[1], s->size[2]}};
    memcpy(rot, s->rot, 4 * sizeof *rot);
    if (!dquat_normalise(rot)) return false;
    switch (s->type) {
    case SN_SHAPE_SPHERE:
        g->type = SN__GEOM_SPHERE;
        return true;
    case SN_SHAPE_BOX:
        g->type = SN__GEOM_BOX;
        return true;
    case SN_SHAPE_CYLINDER:
        g->size[0] = fmin(s->size[0], s->size[1]);
        g->size[1] = s->size[1] - g->size[0];
        g->type = SN__GEOM_CAPSULE;
        return true;
    case SN_SHAPE_CAPSULE:
        g->type = SN__GEOM_CAPSULE;
        return true;
    case SN_SHAPE_ELLIPSOID: {
        static const double turn[3][4] = {
            {M_SQRT1_2, 0, M_SQRT1_2, 0}, {M_SQRT1_2, -M_SQRT1_2, 0, 0}, {1, 0, 0, 0}};
        int longest = 2;
        for (int i = 0; i < 2; i++)
            if (s->size[i] > s->size[longest]) longest = i;
        const double a = s->size[(longest + 1) % 3], b = s->size[(longest + 2) % 3],
                     own[4] = {rot[0], rot[1], rot[2], rot[3]};
        g->size[0] = fmax(a, b);
        g->size[1] = fmax(0, s->size[longest] - g->size[0]);
        dquat_multiply(own, turn[longest], rot);
        g->type = SN__GEOM_CAPSULE;
        return true;
    }
    default:
        return false;
    }
}

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
