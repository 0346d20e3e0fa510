#include "clip/axes.h"

#include "base/quat.h"

#include <string.h>

static const char *const names[6] = {"x", "y", "z", "-x", "-y", "-z"};

int sn__axis_of(const char *text) {
    if (text[0] == '+') text++;
    for (int i = 0; i < 6; i++)
        if (text[0] && (text[0] | 32) == (names[i][0] | 32) && (text[1] | 32) == (names[i][1] | 32) &&
            text[strlen(names[i])] == '\0')
            return i;
    return -1;
}

const char *sn__axis_name(int axis) {
    return names[axis];
}

double sn__along(int axis, const double v[3]) {
    return axis < 3 ? v[axis] : -v[axis - 3];
}

void sn__axes_turn(const struct sn__axes *axes, double v[3]) {
    const double old[3] = {v[0], v[1], v[2]};
    for (int k = 0; k < 3; k++) /* 0 - x: no zero with a sign */
        v[k] = axes->sign[k] < 0 ? 0.0 - old[axes->from[k]] : old[axes->from[k]];
}

struct sn__axes sn__axes_up(int axis) {
    static const struct sn__axes turns[6] = {
        {{2, 1, 0}, {-1, 1, 1}}, /* x:  (-z, y, x)  */
        {{0, 2, 1}, {1, -1, 1}}, /* y:  (x, -z, y)  */
        {{0, 1, 2}, {1, 1, 1}},  /* z               */
        {{2, 1, 0}, {1, 1, -1}}, /* -x: (z, y, -x)  */
        {{0, 2, 1}, {1, 1, -1}}, /* -y: (x, z, -y)  */
        {{0, 1, 2}, {1, -1, -1}} /* -z: (x, -y, -z) */
    };
    return turns[axis];
}

bool sn__axes_up_facing(int up, int facing, struct sn__axes *axes) {
    *axes = sn__axes_up(up);
    if (facing < 0) return true;
    double forward[3] = {0};
    forward[facing % 3] = facing < 3 ? 1 : -1;
    for (int quarter = 0; quarter < 4; quarter++) {
        double turned[3] = {forward[0], forward[1], forward[2]};
        sn__axes_turn(axes, turned);
        if (turned[0] > 0.5) return true;
        const struct sn__axes before = *axes; /* (x, y, z) -> (y, -x, z) */
        axes->from[0] = before.from[1], axes->sign[0] = before.sign[1];
        axes->from[1] = before.from[0], axes->sign[1] = -before.sign[0];
    }
    return false;
}

struct sn__axes sn__axes_instead(const struct sn__axes *first, const struct sn__axes *then) {
    struct sn__axes back, both;
    for (int k = 0; k < 3; k++)
        back.from[first->from[k]] = k, back.sign[first->from[k]] = first->sign[k];
    for (int k = 0; k < 3; k++) {
        both.from[k] = back.from[then->from[k]];
        both.sign[k] = then->sign[k] * back.sign[then->from[k]];
    }
    return both;
}

/* The same rotation as a quaternion: its matrix has one number in each row, which are the columns of the identity. */
static void axes_quaternion(const struct sn__axes *axes, double q[4]) {
    double R[3][3] = {{0}}, best = -1;
    for (int k = 0; k < 3; k++)
        R[k][axes->from[k]] = axes->sign[k];
    /* of the four ways to begin the one with the largest square: 4 w^2, 4 x^2, 4 y^2, 4 z^2 */
    const double square[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                              1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
    int first = 0;
    for (int i = 0; i < 4; i++)
        if (square[i] > best) best = square[i], first = i;
    const double wx = R[2][1] - R[1][2], wy = R[0][2] - R[2][0], wz = R[1][0] - R[0][1];
    const double xy = R[0][1] + R[1][0], xz = R[0][2] + R[2][0], yz = R[1][2] + R[2][1];
    const double row[4][4] = {{best, wx, wy, wz}, {wx, best, xy, xz}, {wy, xy, best, yz}, {wz, xz, yz, best}};
    memcpy(q, row[first], 4 * sizeof *q);
    dquat_normalise(q);
}

static void scaled_turn(const struct sn__axes *axes, double scale, double v[3]) {
    sn__axes_turn(axes, v);
    for (int k = 0; k < 3; k++)
        v[k] *= scale;
}

void sn__clip_reframe(sn_clip *clip, const struct sn__axes *world, const struct sn__axes *rest,
                      double scale) {
    const size_t n = (size_t)clip->def.njoint;
    const bool apart = memcmp(world->from, rest->from, sizeof world->from) != 0 ||
                       memcmp(world->sign, rest->sign, sizeof world->sign) != 0;
    double between[4], back[4]; /* W R^-1 */
    axes_quaternion(world, between);
    axes_quaternion(rest, back);
    dquat_conjugate(back, back);
    dquat_multiply(between, back, between);
    for (size_t i = 0; i < n; i++)
        scaled_turn(rest, scale, clip->joint[i].offset);
    for (size_t k = 0; k < (size_t)clip->def.nframe; k++) {
        double *rotation = clip->rotation + 4 * n * k;
        scaled_turn(world, scale, clip->position + 3 * k);
        sn__axes_turn(world, rotation + 1); /* W root W^-1 */
        if (apart) dquat_multiply(rotation, between, rotation);
        for (size_t i = 1; i < n; i++)
            sn__axes_turn(rest, rotation + 4 * i + 1);
    }
}
