/* Outlines of shapes by lines: outline.c. */
#ifndef SINEW_WORLD_DRAW_H
#define SINEW_WORLD_DRAW_H

#include "world/scene.h"

/* A place in the world: columns of R are its axes. */
struct sn__at {
    double pos[3], R[3][3];
};

void sn__draw_line(const sn_drawer *d, const double from[3], const double to[3], uint32_t color);
/* An arc around c from c + u over c + v on, `turn` rad far. */
void sn__draw_arc(const sn_drawer *d, const double c[3], const double u[3], const double v[3], double from,
                  double turn, uint32_t color);
void sn__draw_outline(const sn_drawer *d, const sn_shape_def *shape, const struct sn__at *at, uint32_t color);
/* Ground of planes, height fields and meshes; planes around the point `middle`. */
void sn__draw_ground(const sn_drawer *d, const struct sn__geom *g, const double middle[3], uint32_t color);

#endif
