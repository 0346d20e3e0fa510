/* Which shapes of a scene touch: groups and masks that say contact pairs and exclusions of ground as well. */
#ifndef SINEW_WORLD_SCENE_TOUCH_H
#define SINEW_WORLD_SCENE_TOUCH_H

#include "import/scene.h"

/* Solids are the scene's ground and then the shapes of its model. */
struct sn__scene_touch {
    uint32_t *group, *mask; /* [solids] NULL: shapes keep their own */
    bool too_many; /* more kinds of solids than groups: pairs and exclusions of ground are left out */
};

bool sn__scene_touch_make(struct sn__scene_touch *touch, const struct sn__scene *scene, const uint8_t *fixed);
void sn__scene_touch_free(struct sn__scene_touch *touch);
static inline int sn__scene_touch_ground(int ground) {
    return ground;
}
static inline int sn__scene_touch_shape(const struct sn__scene *scene, int shape) {
    return scene->nground + shape;
}
/* The solid's group and mask into a shape. */
void sn__scene_touch_put(const struct sn__scene_touch *touch, int solid, sn_shape_def *shape);

#endif
