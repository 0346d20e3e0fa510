/* What the sources of the imitation environment share. */
#ifndef SINEW_LEARN_IMITATE_PARTS_H
#define SINEW_LEARN_IMITATE_PARTS_H

#include "learn/imitate.h"

/* A copy's episode. */
struct sn__episode {
    double time;      /* s into the motion, of its present round */
    double offset[2]; /* where the reference's round has its origin, m */
    int steps, limit; /* control steps so far; at most */
    uint64_t seed;    /* of its random numbers, */
    uint32_t item;    /* which are told apart by this, */
    uint32_t count;   /* and by the number of episodes begun */
};

struct sn__imitate_part {
    sn_world *world;
    int member;
    struct sn__episode *episode; /* [copies] */
    float *target;               /* [copies][nq] */
    float *state_q, *state_qd;   /* [copies][nq], [copies][nv]: starts of episodes */
    bool *fallen;                /* [copies] */
    float *push;                 /* [copies][nbody][6] where there are pushes */
};

/* A body in the observation, or a joint in the reward. */
struct sn__imitate_body {
    sn_joint_type joint;
    int q, v, nq, nv; /* its joint's place */
    float mass, com[3];
    float weight;             /* of its joint, all together 1 */
    float middle[2], span[2]; /* of hinges and their like: target = middle + span * action */
    bool foot, effector;
};

struct sn__imitate {
    struct sn__imitate_def def;
    struct sn__reference reference;
    struct sn__imitate_body *body; /* [nbody] */
    double *gains;                 /* [2][nv] kp, kd */
    int nbody, nq, nv, joints;     /* J of the reward: as many as bodies, as DeepMimic counts */
    float mass;                    /* altogether */
    int observations, actions;
    int limit;                     /* control steps */
    struct sn__imitate_part *part; /* [parts] */
};

/* Whether actions turn ball joints by an angle and an axis. Near no turn at all an axis is all noise, so residual actions are
   exponential maps, always. */
static inline bool sn__by_axis(const struct sn__imitate *im) {
    return im->def.features == SN_FEATURES_2018 && im->def.targets == SN_TARGETS_ABSOLUTE;
}

/* A copy as it stands: rows of the world's views. */
struct sn__imitate_view {
    const float *q, *qd;   /* [nq], [nv] */
    const float *pose;     /* [nbody][7] */
    const float *velocity; /* [nbody][6] */
};

sn_status sn__reference_make(struct sn__reference *r, const struct sn__imitate *im, sn_error *error);
void sn__reference_free(struct sn__reference *r);
int sn__reference_row(const struct sn__reference *r, double time);

/* x turned by q; by its inverse. */
static inline void sn__turn(const float q[4], const float x[3], float out[3]) {
    const float a = q[2] * x[2] - q[3] * x[1] + q[0] * x[0], b = q[3] * x[0] - q[1] * x[2] + q[0] * x[1];
    const float c = q[1] * x[1] - q[2] * x[0] + q[0] * x[2];
    const float u = x[0] + 2 * (q[2] * c - q[3] * b), v = x[1] + 2 * (q[3] * a - q[1] * c);
    const float w = x[2] + 2 * (q[1] * b - q[2] * a);
    out[0] = u, out[1] = v, out[2] = w;
}

/* Cosine and sine of the angle about the vertical by which the root's x axis is turned. */
void sn__heading(const float root_rotation[4], float cos_sin[2]);
/* x in axes that are turned so. */
static inline void sn__into_heading(const float h[2], const float x[3], float out[3]) {
    const float a = h[0] * x[0] + h[1] * x[1], b = h[0] * x[1] - h[1] * x[0];
    out[0] = a, out[1] = b, out[2] = x[2];
}

/* Where a body's centre of mass is, and how fast. */
void sn__body_centre(const struct sn__imitate_body *body, const float pose[7], const float velocity[6],
                     float at[3], float v[3]);
/* Positions of end effectors in the heading frame, their height above the ground; velocity of the centre of mass. */
void sn__effectors_of(const struct sn__imitate *im, const struct sn__imitate_view *view, float *effector,
                      float com_velocity[3]);

void sn__imitate_observe(const struct sn__imitate *im, const struct sn__episode *e,
                         const struct sn__imitate_view *view, float *observation);
struct sn__imitate_reward sn__imitate_reward_of(const struct sn__imitate *im, const struct sn__episode *e,
                                                const struct sn__imitate_view *view);
/* The forces on all copies of a part in the coming control step (imitate_push.c). */
sn_status sn__imitate_push(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
/* Control steps that the episode can last. */
int sn__episode_most(const struct sn__imitate *im, const struct sn__episode *e);
void sn__imitate_target(const struct sn__imitate *im, const struct sn__episode *e, const float *action,
                        float *target);

#endif
