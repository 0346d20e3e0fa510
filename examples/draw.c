/* Writes a picture of a scene as SVG, through the functions that a program with a window of its own would give the library:
 *
 *     draw > scene.svg */
#include <math.h>
#include <stdio.h>

#include <sinew/sinew.h>

/* Where a point of the world is in the picture, seen from the front, the right and above; pixels. */
static void project(const double p[3], double *x, double *y) {
    *x = 400 + 220 * (0.8 * p[0] + 0.6 * p[1]);
    *y = 480 - 220 * (0.94 * p[2] + 0.2 * (0.8 * p[1] - 0.6 * p[0]));
}

static void line(void *user, const double from[3], const double to[3], uint32_t color) {
    double x[2], y[2];
    project(from, &x[0], &y[0]), project(to, &x[1], &y[1]);
    fprintf(user, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#%06x'/>\n", x[0], y[0], x[1], y[1],
            (unsigned)color);
}

/* Balls and capsules as thick round strokes; lines draw the others. */
static bool shape(void *user, const sn_shape_def *s, const double pos[3], const double rot[4],
                  uint32_t color) {
    if (s->type != SN_SHAPE_SPHERE && s->type != SN_SHAPE_CAPSULE) return false;
    const double half = s->type == SN_SHAPE_CAPSULE ? s->size[1] : 0, w = rot[0];
    const double axis[3] = {2 * (rot[1] * rot[3] + w * rot[2]), 2 * (rot[2] * rot[3] - w * rot[1]),
                            1 - 2 * (rot[1] * rot[1] + rot[2] * rot[2])};
    double x[2], y[2];
    for (int i = 0; i < 2; i++) {
        double end[3];
        for (int k = 0; k < 3; k++)
            end[k] = pos[k] + (i ? half : -half) * axis[k];
        project(end, &x[i], &y[i]);
    }
    fprintf(user, "<path d='M%.1f %.1fL%.1f %.1f' stroke='#%06x' stroke-opacity='.5' stroke-width='%.1f'/>\n",
            x[0], y[0], x[1] + 0.1, y[1], (unsigned)color, 440 * s->size[0]);
    return true;
}

static void text(void *user, const double pos[3], const char *words, uint32_t color) {
    double x, y;
    project(pos, &x, &y);
    fprintf(user, "<text x='%.1f' y='%.1f' fill='#%06x' stroke='none'>%s</text>\n", x, y, (unsigned)color,
            words);
}

int main(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    int human = sn_world_add(world, model, NULL);
    double q[64], kp[64], kd[64];
    if (human < 0 || sn_model_get(model)->nq > 64) return 1;
    sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL);
    sn_shape_def door = sn_shape_def_default(SN_SHAPE_BOX);
    door.size[0] = 0.05, door.size[1] = 0.5, door.size[2] = 1, door.trigger = true;
    sn_world_add_shape(world, &door, (double[]){-0.9, 0, 1}, (double[]){1, 0, 0, 0}, NULL);
    for (int i = 0; i < sn_model_get(model)->nv; i++)
        kp[i] = i < 6 ? 0 : 300, kd[i] = i < 6 ? 0 : 30;
    sn_model_zero_pose(model, q);
    sn_world_stand(world, human, q);
    sn_world_set_state(world, human, q, NULL), sn_world_set_target(world, human, q, NULL);
    sn_world_set_gains(world, human, kp, kd);
    for (int i = 0; i < 60; i++)
        if (sn_world_step(world)) return 1;
    printf(
        "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='600' fill='none' stroke-linecap='round' "
        "font-family='sans-serif' font-size='11'>\n<rect width='800' height='600' fill='white'/>\n");
    sn_drawer drawer = {.user = stdout, .line = line, .shape = shape, .text = text, .force = 0.002};
    sn_world_draw(world, 0, SN_DRAW_ALL & ~(unsigned)SN_DRAW_NAMES, &drawer);
    printf("</svg>\n");
    sn_world_free(world);
    sn_model_free(model);
    return 0;
}
