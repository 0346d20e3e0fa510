/* Axes that change places, as between files with Y up and those with Z up. */
#ifndef SINEW_CLIP_AXES_H
#define SINEW_CLIP_AXES_H

#include "clip/clip.h"

/* v'[i] = sign[i] v[from[i]], a rotation: exact, whatever the numbers. */
struct sn__axes {
    int from[3];
    double sign[3];
};

/* An axis with a sign: 0, 1, 2 for x, y, z and 3, 4, 5 for -x, -y, -z. -1: the text is none. */
int sn__axis_of(const char *text);
const char *sn__axis_name(int axis);
double sn__along(int axis, const double v[3]);

/* The rotation that takes this axis to z. */
struct sn__axes sn__axes_up(int axis);
/* The same, and a quarter turn, a half or none about z after it, so that `facing` comes to lie along x. False: facing
   lies along up. */
bool sn__axes_up_facing(int up, int facing, struct sn__axes *axes);
/* `then` after `first` was taken back. */
struct sn__axes sn__axes_instead(const struct sn__axes *first, const struct sn__axes *then);
void sn__axes_turn(const struct sn__axes *axes, double v[3]);

/* Turns the world by `world` and the rest pose by `rest`, and scales lengths:
     p' = s W p,  offset' = s R offset,  root' = W root R^-1,  joint' = R joint R^-1
   The joints' places are those of before, turned by W, whatever R is. */
void sn__clip_reframe(sn_clip *clip, const struct sn__axes *world, const struct sn__axes *rest, double scale);

#endif
