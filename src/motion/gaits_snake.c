/* Slithering: every joint of the chain follows the same curve on the ground, y = A sin(2 pi x / L), so that no link slips
 * sideways more than a chord differs from its arc. The tail moves along it at an even speed; each next joint is the point
 * of the curve one link further on. After one wave length all comes round. */
#include "motion/gait.h"
#include "motion/motion.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 512 }; /* of a wave, for its arc length */

struct snake {
    const sn_model *model;
    int nlink;
    double link, radius;     /* m */
    double amplitude, wave;  /* m */
    double T;                /* s a wave length */
    double along[STEPS + 1]; /* arc length from x = 0 to i / STEPS of a wave */
};

static double height(const struct snake *s, double x) {
    return s->amplitude * sn__sin(2 * M_PI * x / s->wave);
}

/* Where the curve is after the arc length: x. */
static double at_arc(const struct snake *s, double arc) {
    int low = 0, high = STEPS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s->along[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    const double u = (arc - s->along[low]) / (s->along[high] - s->along[low]);
    return s->wave * (low + u) / STEPS;
}

/* The x of the point on the curve that is one link from the one at x. */
static double one_link_on(const struct snake *s, double x) {
    double low = x, high = x + s->link;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (sn__hypot(middle - x, height(s, middle) - height(s, x)) < s->link)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void pose_snake(void *gait, double t, double *q) {
    struct snake *s = gait;
    const double round = floor(t / s->T), part = t / s->T - round;
    double x = round * s->wave + at_arc(s, part * s->along[STEPS]), before = 0;
    q[0] = x, q[1] = height(s, x), q[2] = s->radius;
    for (int i = 0; i < s->nlink; i++) {
        const double next = one_link_on(s, x), yaw = sn__atan2(height(s, next) - height(s, x), next - x);
        sn__turn_xyz(0, 0, yaw - before, q + (i == 0 ? 3 : 3 + 4 * i));
        before = yaw;
        x = next;
    }
}

static bool find_links(struct snake *s, const char *name, sn_error *error) {
    s->nlink = sn_model_get(s->model)->nbody;
    for (int i = 0; i < s->nlink; i++) {
        char body[24];
        snprintf(body, sizeof body, "link%d", i);
        const sn_body_info *info = sn_model_body(s->model, i);
        if (strcmp(info->name, body) != 0 || info->parent != i - 1 ||
            sn__joint_quaternion(info) != (i == 0 ? 3 : 0)) {
            sn__fail(error, SN_ERROR_ARGUMENT,
                     "the motion '%s' does not fit the model: body %d should be '%s', on a %s joint", name, i,
                     body, i == 0 ? "free" : "ball");
            return false;
        }
    }
    const sn_body_info *first = sn_model_body(s->model, 0), *second = sn_model_body(s->model, 1);
    if (!second || first->nshape < 1) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the motion '%s' does not fit the model: it is too short", name);
        return false;
    }
    s->link = second->pos[0];
    s->radius = sn_model_get(s->model)->shape[first->first_shape].size[0];
    return true;
}

sn_motion *sn__gait_snake(const char *name, const sn_model *model, sn_error *error) {
    struct snake s = {.model = model};
    if (!find_links(&s, name, error)) return NULL;
    s.wave = 8 * s.link;
    s.amplitude = 0.16 * s.wave;
    for (int i = 0; i < STEPS; i++) {
        const double x = s.wave * i / STEPS, dx = s.wave / STEPS;
        s.along[i + 1] = s.along[i] + sn__hypot(dx, height(&s, x + dx) - height(&s, x));
    }
    s.T = s.along[STEPS] / 1.0; /* at 1 m/s along the curve */
    return sn__gait_record(model, s.T, 120, pose_snake, &s, error);
}
