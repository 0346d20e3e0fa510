#include "motion_gen.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frequency, both amplitudes, harmonic, speed, bob and rock. */
const struct motion_style motion_run = {1.4, 0.2, 0.6, 0.25, 3.0, 0.04, 0.08};
const struct motion_style motion_canter = {2.0, 0.1, 0.4, 0.25, 4.0, 0.05, 0.15};
const struct motion_style motion_swing = {1.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.25};

enum { MOST_AXES = 2 }; /* a universal joint swings about two axes, all others about one */

struct swing {
    double axis[3]; /* of a ball or free joint, unit length */
    double a[MOST_AXES], b[MOST_AXES], phase[MOST_AXES], phase2[MOST_AXES];
};

struct motion {
    const sn_model *model;
    struct motion_style style;
    struct swing *swing; /* [nbody] */
};

double random_uniform(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void random_axis(uint64_t *state, double axis[3]) {
    const double z = 2.0 * random_uniform(state) - 1.0, angle = 2.0 * M_PI * random_uniform(state);
    const double r = sqrt(1.0 - z * z);
    axis[0] = r * cos(angle);
    axis[1] = r * sin(angle);
    axis[2] = z;
}

struct motion *motion_create(const sn_model *model, const struct motion_style *style, uint64_t seed) {
    const int nbody = sn_model_get(model)->nbody;
    struct motion *motion = need_memory(NULL, sizeof *motion);
    motion->model = model;
    motion->style = *style;
    motion->swing = need_memory(NULL, (size_t)nbody * sizeof *motion->swing);
    for (int i = 0; i < nbody; i++) {
        struct swing *s = &motion->swing[i];
        random_axis(&seed, s->axis);
        for (int k = 0; k < MOST_AXES; k++) {
            const double span = style->amplitude_upper - style->amplitude_lower;
            s->a[k] = style->amplitude_lower + span * random_uniform(&seed);
            if (sn_model_body(model, i)->joint.type == SN_JOINT_FREE) s->a[k] = style->rock;
            s->b[k] = style->harmonic * s->a[k];
            s->phase[k] = 2.0 * M_PI * random_uniform(&seed);
            s->phase2[k] = 2.0 * M_PI * random_uniform(&seed);
        }
    }
    return motion;
}

void motion_free(struct motion *motion) {
    if (!motion) return;
    free(motion->swing);
    free(motion);
}

static double swing_angle(const struct swing *s, int k, double w, double t, double *rate) {
    *rate = w * (s->a[k] * cos(w * t + s->phase[k]) + 2.0 * s->b[k] * cos(2.0 * w * t + s->phase2[k]));
    return s->a[k] * sin(w * t + s->phase[k]) + s->b[k] * sin(2.0 * w * t + s->phase2[k]);
}

/* Turning about an axis that stays put: the angular velocity is axis * rate in the parent's axes and in
   its own. */
static void sample_rotation(const struct swing *s, double w, double t, double quaternion[4],
                            double omega[3]) {
    double rate;
    const double half = 0.5 * swing_angle(s, 0, w, t, &rate);
    quaternion[0] = cos(half);
    for (int k = 0; k < 3; k++) {
        quaternion[1 + k] = sin(half) * s->axis[k];
        omega[k] = rate * s->axis[k];
    }
}

static void sample_root(const struct motion_style *style, double w, double t, double position[3],
                        double velocity[3]) {
    memset(position, 0, 3 * sizeof(double));
    memset(velocity, 0, 3 * sizeof(double));
    position[0] = style->speed * t;
    velocity[0] = style->speed;
    position[2] = style->bob * sin(2.0 * w * t);
    velocity[2] = style->bob * 2.0 * w * cos(2.0 * w * t);
}

static void sample_body(const struct motion *motion, int body, double t, double *q, double *qd) {
    const sn_body_info *info = sn_model_body(motion->model, body);
    const struct swing *s = &motion->swing[body];
    const double w = 2.0 * M_PI * motion->style.frequency;
    switch (info->joint.type) {
    case SN_JOINT_FREE:
        sample_root(&motion->style, w, t, q, qd);
        sample_rotation(s, w, t, q + 3, qd + 3);
        break;
    case SN_JOINT_BALL:
        sample_rotation(s, w, t, q, qd);
        break;
    default: /* an angle or a displacement each */
        for (int k = 0; k < info->nv; k++)
            q[k] = swing_angle(s, k, w, t, &qd[k]);
        break;
    }
}

void motion_sample(const struct motion *motion, double t, double *q, double *qd) {
    for (int i = 0; i < sn_model_get(motion->model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(motion->model, i);
        double rate[6];
        sample_body(motion, i, t, q + info->q_index, rate);
        if (qd) memcpy(qd + info->v_index, rate, (size_t)info->nv * sizeof(double));
    }
}
