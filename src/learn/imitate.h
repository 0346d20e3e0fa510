/* Imitation of a motion as DeepMimic has it (Peng and others 2018; docs/learning.md lists the differences), and locomotion
 * without one: a task (sn_task) over worlds. Nothing here knows of environments or trainers. */
#ifndef SINEW_LEARN_IMITATE_H
#define SINEW_LEARN_IMITATE_H

#include "sinew/learn.h"
#include "motion/rise.h"

/* A motion, sampled. All that rewards and targets need of it, as floats. */
struct sn__reference {
    int rows;        /* over the duration; in a looping motion the last is just before the first */
    double duration; /* s */
    bool loop;
    int nq, nv, effectors;
    float *q, *qd;       /* [rows][nq], [rows][nv] */
    float *effector;     /* [rows][effectors][3] in the heading frame, height above the ground */
    float *com_velocity; /* [rows][3] */
    float *lift; /* [rows] m by which the pose is in the ground: an episode that begins there is raised by it */
    float *stood; /* [rows] m by which it would have to rise to stand; negative: it is above the ground */
};

/* What a copy is commanded. Angles are those by which the motion is turned about the vertical. */
struct sn__command {
    double heading;   /* rad: where to go */
    double following; /* rad: where the reference goes, which turns at a limited rate */
    double speed;     /* m/s, without a motion */
};

/* The state of a copy, kept by the environment (sn_part.state). */
struct sn__imitate_copy {
    double time;      /* s into the motion, of its present round */
    double offset[2]; /* where the reference's round has its origin, m */
    struct sn__command command;
    int64_t motion; /* which of the motions */
    double lasted;  /* s of the episode so far */
    int64_t fell;
};
/* How a copy did in one of the motions. A copy has one for each behind its state, if episodes draw their motion. */
struct sn__imitate_record {
    double kept, seconds; /* part of the episodes that did not fall; their length; the last ones count most */
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

/* Working memory of a part (sn_part.own). Nothing in it outlives a call of the environment. */
struct sn__imitate_room {
    float *target;             /* [copies][nq] */
    float *state_q, *state_qd; /* [copies][nq], [copies][nv]: starts of episodes */
    bool *fallen;              /* [copies] in the last control step */
    float *push;               /* [copies][nbody][6] if there are pushes, or drag */
    double *swim;              /* to compute drag in (imitate_swim.c) */
    uint8_t *which;            /* [copies] whose balls are moved */
    float *values;             /* [copies] times the larger of 16 and nv: values to be put into the world */
    float *limit;              /* [nv] torque limits of the character, if episodes change them */
};
enum { SN__CHARACTER, SN__BALL }; /* members of the worlds */

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
    sn_imitation_def def; /* with the usual values instead of 0; its arrays are not used after creation */
    bool locomotion;      /* without a motion */
    bool observe_root;
    struct stride *stride; /* NULL: no stick steers it */
    float *lying;          /* [ragdolls][nq] as they fell, to get up from; NULL: it begins on its feet */
    int ragdolls;
    int *twin; /* [nbody] the body on the other side, or itself; with a stick */
    int motions;
    struct sn__reference *reference; /* [motions] */
    struct sn__imitate_body *body;   /* [nbody] */
    double *gains;                   /* [2][nv] kp, kd */
    sn_model *ball;                  /* NULL: none is thrown */
    struct sn__imitate_terrain terrain;
    int nbody, nq, nv, joints; /* J of the reward: as many as bodies, as DeepMimic counts */
    float mass;                /* altogether */
    int observations, actions;
    char said[128];    /* what observations and actions mean */
    char *names;       /* the texts that observation_name and action_name point to */
    const char **name; /* [observations + actions] */
};

/* Whether actions turn ball joints by an angle and an axis. Near no turn at all an axis is all noise, so residual actions are
   exponential maps, always. */
static inline bool sn__by_axis(const struct sn__imitate *im) {
    return im->def.features == SN_FEATURES_2018 && im->def.targets == SN_TARGETS_ABSOLUTE;
}

static inline size_t sn__imitate_state(const struct sn__imitate *im) {
    return sizeof(struct sn__imitate_copy) +
           (im->def.draw_motions ? (size_t)im->motions * sizeof(struct sn__imitate_record) : 0);
}

static inline struct sn__imitate_copy *sn__imitate_copy(const struct sn__imitate *im, const sn_part *part,
                                                        int copy) {
    return (struct sn__imitate_copy *)((char *)part->state + (size_t)copy * sn__imitate_state(im));
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
void sn__wanted_of(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                   const struct sn__imitate_view *view, struct sn__wanted *w);

/* The definition checked, and with the usual values filled in (imitate_def.c). */
sn_status sn__imitate_check(const sn_imitation_def *def, sn_error *error);
void sn__imitate_fill(struct sn__imitate *im, const sn_imitation_def *def);
/* What stands in for a motion in locomotion, to be freed. */
sn_motion *sn__imitate_stand(const sn_imitation_def *def, sn_error *error);
/* What observations and actions mean as a hash, and everything else that a training depends on; names of them. */
uint64_t sn__imitate_meaning(const struct sn__imitate *im);
uint64_t sn__imitate_identity(const struct sn__imitate *im);
bool sn__imitate_name_all(struct sn__imitate *im); /* false: out of memory */

sn_status sn__reference_make(struct sn__reference *r, const struct sn__imitate *im, const sn_motion *motion,
                             sn_error *error);
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

/* The character of a copy, its targets and its reward, on a view of any member (imitate_observe.c). */
enum { SN__TERMS = 5, SN__LOCOMOTION_TERMS = 3 };
extern const char *const sn__imitate_terms[SN__TERMS], *const sn__locomotion_terms[SN__LOCOMOTION_TERMS];
void sn__imitate_observe(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                         const struct sn__imitate_view *view, float *observation);
void sn__imitate_reward(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                        const struct sn__imitate_view *view, double *term);
void sn__imitate_target(const struct sn__imitate *im, const struct sn__imitate_copy *c, const float *action,
                        float *target);

/* The rows of all copies, false: no memory; those of one (imitate.c). */
bool sn__imitate_look(const sn_part *part, struct sn__imitate_view *all);
struct sn__imitate_view sn__imitate_view_of(const struct sn__imitate *im, const sn_part *part,
                                            const struct sn__imitate_view *all, int copy);
/* All that the worlds must know of episodes that begin; pushes and balls of the control step that comes. */
sn_status sn__imitate_put_start(const struct sn__imitate *im, sn_part *part, const uint8_t *which);
sn_status sn__imitate_disturb(const struct sn__imitate *im, sn_part *part, sn_error *error);

/* Weighted squares of angles and rates of all joints; a free root counts with its rotation. */
void sn__joint_errors(const struct sn__imitate *im, const struct sn__imitate_view *view,
                      const struct sn__wanted *w, double *pose, double *velocity);

/* The state of a copy that a stick steers (stick.c). */
struct sn__stick_copy {
    struct stride_state plan;
    double time, place[2], yaw;    /* of the motion by which it gets up, in the way that it does */
    double hold, late;             /* s for which it still waits; for which it has waited for it   */
    int64_t way;                   /* enum rise_way; RISE_NONE: it is on its feet                 */
    int64_t stood;                 /* control steps since it got up                              */
    struct stride_frame now, next; /* the poses to have now and after the control step that comes */
};
enum { SN__STICK_TERMS = 5, SN__STICK_OBSERVATIONS = 45 }; /* observations besides bodies */
extern const char *const sn__stick_terms[SN__STICK_TERMS];
/* What a stick needs of the model; the functions of its task in place of those of imitation. */
sn_status sn__stick_make(struct sn__imitate *im, sn_error *error);
void sn__stick_table(const struct sn__imitate *im, sn_task *task);
struct sn__stick_copy *sn__stick_copy(const sn_part *part, int copy);
/* For a view of any member. Begins where the view is, at rest. Goes on by a control step under a stick; false: it could not get
   up. Observes. Says what an action means. */
void sn__stick_begin(const struct sn__imitate *im, struct sn__stick_copy *c,
                     const struct sn__imitate_view *view);
bool sn__stick_advance(const struct sn__imitate *im, struct sn__stick_copy *c, const double stick[3],
                       const struct sn__imitate_view *view);
void sn__stick_observe(const struct sn__imitate *im, const struct sn__stick_copy *c,
                       const struct sn__imitate_view *view, float *observation);
void sn__stick_target(const struct sn__imitate *im, const struct sn__stick_copy *c, const float *action,
                      double *target);

/* Getting up (stick_rise.c): begins with the root where it lies; goes on; whether it stands upright; the part of the motion that
   is over. It goes on to false, and begins again, if the motion is over and it does not stand, or if the motion has waited for
   it for too long. */
void sn__stick_rise(const struct sn__imitate *im, struct sn__stick_copy *c, const float root[7]);
bool sn__stick_rise_advance(const struct sn__imitate *im, struct sn__stick_copy *c,
                            const struct sn__imitate_view *view);
/* Who turns over the other side than it should goes on that way. */
void sn__stick_change_side(struct sn__stick_copy *c, const float root[7]);
bool sn__stick_stands(const struct sn__imitate *im, const struct sn__imitate_view *view);
double sn__stick_risen(const struct sn__stick_copy *c);
/* How much of its gains a ragdoll keeps; ragdolls that have fallen; the start of an episode with one. */
#define SN__LIMP_KP .02
#define SN__LIMP_KD .05
struct sn__random;
sn_status sn__stick_lie_make(struct sn__imitate *im, sn_error *error);
void sn__stick_draw_lying(const struct sn__imitate *im, struct sn__random *r, struct sn__stick_copy *c,
                          float *q, float *qd);

/* Drag on all copies of a part in the coming substep (imitate_swim.c). */
sn_status sn__swim(const struct sn__imitate *im, sn_part *part, sn_error *error);
/* The forces on all copies of a part in the coming control step (imitate_push.c). */
sn_status sn__imitate_push(const struct sn__imitate *im, sn_part *part, sn_error *error);
/* Worlds of parts (imitate_world.c): made; the substeps of a control step, which fill `fallen`. */
sn_status sn__imitate_open(void *im, sn_part *part, sn_error *error);
void sn__imitate_close(void *im, sn_part *part);
sn_status sn__imitate_run(const struct sn__imitate *im, sn_part *part, sn_error *error);
/* Balls (imitate_ball.c): a model of one; thrown and taken away before a control step; away where an episode begins. */
sn_model *sn__ball_make(double mass, sn_error *error);
sn_status sn__ball_throw(const struct sn__imitate *im, sn_part *part, sn_error *error);
sn_status sn__ball_park(sn_part *part, const uint8_t *which);
/* Masses, friction, gains and strength of the episodes that begin; targets of the copies whose delay is over in this substep;
   noise on an observation (imitate_vary.c). */
sn_status sn__imitate_vary(const struct sn__imitate *im, sn_part *part, const uint8_t *which);
sn_status sn__imitate_aim(const struct sn__imitate *im, sn_part *part, int substep, sn_error *error);
void sn__imitate_blur(const struct sn__imitate *im, const sn_episode *e, float *observation);
/* Many motions (imitate_library.c): the motion of an episode that begins, after what became of the last one; how many numbers are
   observed of the poses to come; these. */
struct sn__random;
void sn__library_draw(const struct sn__imitate *im, const sn_episode *e, struct sn__random *r,
                      struct sn__imitate_copy *c);
int sn__library_observations(const struct sn__imitate *im);
float *sn__library_observe(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                           const struct sn__imitate_view *view, const float heading[2], float *out);
enum { SN__AHEAD = 3 };
extern const int sn__library_ahead[SN__AHEAD]; /* control steps */
/* Commands (imitate_command.c): the first of an episode; after a control step; observed, 3 numbers. */
void sn__command_begin(const struct sn__imitate *im, const sn_episode *e, struct sn__command *c);
void sn__command_advance(const struct sn__imitate *im, const sn_episode *e, struct sn__imitate_copy *c);
float *sn__command_observe(const struct sn__command *c, const float heading[2], float *out);
/* Terrain (imitate_terrain.c): made; its height at a place; what is seen of it from the root; where an episode begins;
   whether the root is so far out that it has to end. */
sn_status sn__terrain_make(struct sn__imitate *im, sn_error *error);
sn_status sn__terrain_add(const struct sn__imitate *im, sn_world *world, const sn_shape_def *ground,
                          sn_error *error);
double sn__terrain_height(const struct sn__imitate_terrain *t, double x, double y);
float *sn__terrain_observe(const struct sn__imitate *im, const struct sn__imitate_view *view,
                           const float heading[2], float *out);
sn_status sn__terrain_place(const struct sn__imitate *im, sn_part *part, int copy, size_t row);
bool sn__terrain_left(const struct sn__imitate *im, const float *q);

#endif
