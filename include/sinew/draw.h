/* Sinew: a world drawn through functions of yours: lines, shapes and text. sinew.h includes this file.
 *
 *     static void line(void *user, const double from[3], const double to[3], uint32_t color) { ... }
 *
 *     sn_drawer drawer = {.line = line};
 *     sn_world_draw(world, 0, SN_DRAW_SHAPES | SN_DRAW_GROUND | SN_DRAW_CONTACTS, &drawer);
 *
 * examples/draw.c writes a picture in this way. */
#ifndef SINEW_DRAW_H
#define SINEW_DRAW_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to draw; add up what you want. */
typedef enum sn_draw {
    /* Shapes of members. */
    SN_DRAW_SHAPES = 1 << 0,
    /* Planes as grids of 1 m, height fields and meshes by their edges. */
    SN_DRAW_GROUND = 1 << 1,
    /* Triggers of members and ground. */
    SN_DRAW_TRIGGERS = 1 << 2,
    /* Axes of bodies: x red, y green, z blue. */
    SN_DRAW_AXES = 1 << 3,
    /* A line from each joint to its parent's, and the axis of each hinge and slide. */
    SN_DRAW_JOINTS = 1 << 4,
    /* The range of hinges, slides and balls, and where they are in it. */
    SN_DRAW_LIMITS = 1 << 5,
    /* A line between the two points of each constraint that is not broken. */
    SN_DRAW_CONSTRAINTS = 1 << 6,
    /* A cross and the normal of each contact. */
    SN_DRAW_CONTACTS = 1 << 7,
    /* Forces of contacts on the first body, and pushes, with their size as text. */
    SN_DRAW_FORCES = 1 << 8,
    /* Centres of mass of bodies. */
    SN_DRAW_MASSES = 1 << 9,
    /* Names of bodies, as text. */
    SN_DRAW_NAMES = 1 << 10,
    SN_DRAW_ALL = (1 << 11) - 1
} sn_draw;

/* Your functions. Colors are 0xRRGGBB. Zero it, then set what differs. */
typedef struct sn_drawer {
    /* First argument of the functions. */
    void *user;
    void (*line)(void *user, const double from[3], const double to[3], uint32_t color);
    /* Draws a shape of a member or of ground at a place in the world; the shape's own pos and rot are
       already part of it. False, or NULL instead of the function: lines draw its outline. */
    bool (*shape)(void *user, const sn_shape_def *shape, const double pos[3], const double rot[4],
                  uint32_t color);
    /* NULL: no text. */
    void (*text)(void *user, const double pos[3], const char *text, uint32_t color);
    /* Length of axes, normals and ranges, m. 0: 0.1. */
    double size;
    /* Length that stands for 1 N, m. 0: 0.001. */
    double force;
} sn_drawer;

/* Draws one copy as it is now. `what` is a sum of sn_draw. Contacts and forces are those of the last step. */
SN_API sn_status sn_world_draw(sn_world *world, int copy, unsigned what, const sn_drawer *drawer);

#ifdef __cplusplus
}
#endif

#endif
