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

/* What it is told, where there are commands. Angles are those by which the motion is turned about the vertical. */
struct sn__command {
    double heading;   /* rad: where to go */
    double following; /* rad: where the reference goes, which turns as fast as one can */
    double speed;     /* m/s, without a motion */
};

/* Ground that is not flat: heights in a square grid about the origin, each cell two triangles, as worlds have them. */
struct sn__imitate_terrain {
    int n;             /* points each way */
    double step, half; /* m: of the grid; from the middle to the edge */
    double *height;    /* [n][n] NULL: flat */
};
enum { SN__TERRAIN_AHEAD = 7, SN__TERRAIN_ACROSS = 5 }; /* heights that are observed */
#define SN__TERRAIN_SPACING .25
#define SN__TERRAIN_BEHIND .5

struct sn__imitate_part {
    sn_world *world;
    int member, ball;            /* ball: -1, none */
    struct sn__episode *episode; /* [copies] */
    float *target;               /* [copies][nq] */
    float *state_q, *state_qd;   /* [copies][nq], [copies][nv]: starts of episodes */
    bool *fallen;                /* [copies] */
    float *push;                 /* [copies][nbody][6] where there are pushes, or drag */
    double *swim;                /* what drag is worked out in, where there is any (imitate_swim.c) */
    struct sn__command *command; /* [copies] */
    uint8_t *which;              /* [copies] of a ball's or an episode's values that are put */
    float *values;               /* [copies] times the larger of 16 and nv: room for them */
};

/* A body in the observation, or a joint in the reward. */
struct sn__imitate_body {
    int quaternion;   /* where one starts in the q of its joint; -1: it has none */
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
    sn_model *ball;                /* NULL: none is thrown */
    struct sn__imitate_terrain terrain;
    int nbody, nq, nv, joints; /* J of the reward: as many as bodies, as DeepMimic counts */
    float mass;                /* altogether */
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
    const float *q, *qd;               /* [nq], [nv] */
    const float *pose;                 /* [nbody][7] */
    const float *velocity;             /* [nbody][6] */
    float ground;                      /* m, height of the ground below the root */
    const struct sn__command *command; /* NULL: none */
};

/* What the reference has of the root, turned as commanded, moved along with its rounds and standing on the ground there is. */
struct sn__wanted {
    const float *q, *qd; /* [nq], [nv] of the motion itself */
    double place[2];
    float root[7], root_qd[6], com_velocity[3];
};
void sn__wanted_of(const struct sn__imitate *im, const struct sn__episode *e,
                   const struct sn__imitate_view *view, struct sn__wanted *w);

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
/* Drag on all copies of a part in the coming substep; false: no memory (imitate_swim.c). */
bool sn__swim_make(const struct sn__imitate *im, struct sn__imitate_part *p);
sn_status sn__swim(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
/* The forces on all copies of a part in the coming control step (imitate_push.c). */
sn_status sn__imitate_push(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
/* Worlds of parts (imitate_world.c): made and freed; the substeps of a control step, which fill `fallen`. */
sn_status sn__imitate_make_part(struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
void sn__imitate_free_part(struct sn__imitate_part *p);
sn_status sn__imitate_run(struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
/* Balls (imitate_ball.c): a model of one; thrown and taken away before a control step; away where an episode begins. */
sn_model *sn__ball_make(const struct sn__imitate_def *def, sn_error *error);
sn_status sn__ball_throw(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error);
sn_status sn__ball_park(const struct sn__imitate *im, struct sn__imitate_part *p, const uint8_t *which);
/* Masses, friction and gains of the episodes that begin (imitate_vary.c). */
sn_status sn__imitate_vary(const struct sn__imitate *im, struct sn__imitate_part *p, const uint8_t *which);
/* Commands (imitate_command.c): the first of an episode; after a control step; observed, 3 numbers. */
void sn__command_begin(const struct sn__imitate *im, const struct sn__episode *e, struct sn__command *c);
void sn__command_advance(const struct sn__imitate *im, struct sn__episode *e, struct sn__command *c);
float *sn__command_observe(const struct sn__command *c, const float heading[2], float *out);
/* Terrain (imitate_terrain.c): made; its height at a place; what is seen of it from the root; where an episode begins;
   whether the root is so far out that it has to end. */
sn_status sn__terrain_make(struct sn__imitate *im, sn_error *error);
sn_status sn__terrain_add(const struct sn__imitate *im, sn_world *world, const sn_shape_def *ground,
                          sn_error *error);
double sn__terrain_height(const struct sn__imitate_terrain *t, double x, double y);
float *sn__terrain_observe(const struct sn__imitate *im, const struct sn__imitate_view *view,
                           const float heading[2], float *out);
sn_status sn__terrain_place(const struct sn__imitate *im, struct sn__imitate_part *p, int copy, size_t row);
bool sn__terrain_left(const struct sn__imitate *im, const float *q);

/* Control steps that the episode can last. */
int sn__episode_most(const struct sn__imitate *im, const struct sn__episode *e);
void sn__imitate_target(const struct sn__imitate *im, const struct sn__episode *e, const float *action,
                        float *target);

#endif
