/* Places of frames in each other, for readers that merge bodies. */
#ifndef SINEW_IMPORT_FRAME_H
#define SINEW_IMPORT_FRAME_H

#include "base/elementary.h"
#include "base/quat.h"

struct frame {
    double pos[3], rot[4]; /* of unit length */
};

static inline struct frame frame_identity(void) {
    return (struct frame){.rot = {1, 0, 0, 0}};
}

/* inner, which is given in outer, seen from where outer is given. */
static inline struct frame frame_compose(const struct frame *outer, const struct frame *inner) {
    struct frame sum;
    dquat_rotate(outer->rot, inner->pos, sum.pos);
    for (int i = 0; i < 3; i++)
        sum.pos[i] += outer->pos[i];
    dquat_multiply(outer->rot, inner->rot, sum.rot);
    return sum;
}

/* R = Rz(angle[2]) Ry(angle[1]) Rx(angle[0]): roll, pitch and yaw about fixed axes. */
static inline void frame_from_roll_pitch_yaw(const double angle[3], double rot[4]) {
    double x[4] = {sn__cos(angle[0] / 2), sn__sin(angle[0] / 2), 0, 0};
    double y[4] = {sn__cos(angle[1] / 2), 0, sn__sin(angle[1] / 2), 0};
    double z[4] = {sn__cos(angle[2] / 2), 0, 0, sn__sin(angle[2] / 2)};
    dquat_multiply(z, y, rot);
    dquat_multiply(rot, x, rot);
}

#endif
