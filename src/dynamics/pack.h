/* A pack: any number of characters of one model, their state in lanes: the copies of a member of a world, or the states
 * a calculator works on. */
#ifndef SINEW_DYNAMICS_PACK_H
#define SINEW_DYNAMICS_PACK_H

#include "dynamics/study.h"
#include "kernels/select.h"
#include "model/model.h"
#include "sinew/dynamics.h"

/* Arrays in lanes. Each block of `width` characters has those before SN__SHARED; all blocks share the others. */
enum sn__array {
    SN__Q,           /* [nq] position */
    SN__QD,          /* [nv] velocity */
    SN__QDD,         /* [nv] acceleration of the last step */
    SN__TARGET_Q,    /* [nq] */
    SN__TARGET_QD,   /* [nv] */
    SN__FEEDFORWARD, /* [nv] */
    SN__TORQUE,      /* [nv] drive torque of the last step, when reported */
    SN__MIDDLE,      /* [nv] velocity of which it had the products, as above */
    SN__PUSH,        /* [6 nbody] force and torque on each body; of worlds when first set */
    SN__SPRING,      /* [nv] force of passive springs, when the model has any */
    SN__FROZEN,      /* [1] of worlds: 1 where a copy has diverged, else 0 */
    SN__TOUCH,       /* [6] a point that may touch the ground: force of the last step, and slip */
    SN__STOP,        /* [1] a side of a joint limit: its force */
    SN__PAST,   /* [past nq] poses before the present one, roots relative to it: kernels/position/step.h */
    SN__STEADY, /* [1] 1 where there are such poses */
    SN__SHARED, /* from here on once for all, unless sn__pack_own gave every block its own */
    SN__KP = SN__SHARED,
    SN__KD,
    SN__KW,         /* [nv] factor of -qd */
    SN__K,          /* [nv] factor of -qdd */
    SN__KW_PASSIVE, /* [nv] their passive shares */
    SN__K_PASSIVE,
    SN__LIMIT,    /* [nv] torque limits */
    SN__ARMATURE, /* [nv] */
    SN__MASS,    /* [1] factor of all masses; this and the next three only where some character has its own */
    SN__GRAVITY, /* [3] */
    SN__DT,      /* [1] */
    SN__FRICTION,          /* [1] factor of the coefficient of friction */
    SN__SCRATCH,           /* from here on working memory: of each thread its own */
    SN__TAU = SN__SCRATCH, /* [nv] */
    SN__TAU2,              /* [nv] */
    SN__STAGE,             /* of Runge-Kutta methods: see integrate.c */
    SN__MATRIX,            /* [nv * nv] of LAPACK, or made by sn__pack_need_matrix */
    SN__FIELDS
};

/* How a pack is stepped. */
struct sn__pack_def {
    sn_precision precision;
    const char *lanes; /* by name, or NULL: see sn__kernels_find */
    double gravity[3];
    double dt;
    sn_form form;
    sn_solver solver;
    sn_integrator integrator;
    sn_route route;
    const sn_study *study; /* of worlds, or NULL */
    bool report_torque;    /* every step fills SN__TORQUE */
    int refinements;       /* of velocity products, and to what: struct sn__args */
    double refine_to;
    double predict_to; /* 0: not predicted */
    double still;      /* as above */
    int past;          /* poses kept beside the present one, of worlds with the position stepper */
};

struct sn__pack {
    const sn_model *model;
    const struct sn__kernels *k;
    const void *tree; /* the model's, in the precision of the lanes */
    struct sn__pack_def def;
    int count;  /* characters */
    int blocks; /* of k->info.width characters */
    void *field[SN__FIELDS];
    size_t stride[SN__FIELDS]; /* bytes from block to block; 0 when shared */
    void *work;                /* of the kernels: sn__pack_work_bytes */
    bool borrows;              /* work, scratch and ground_work are lent to it: struct sn__loan */
    struct sn__gains *gains;   /* that it shares with others, or NULL: KP to ARMATURE, and the next three */
    double *kp, *kd;           /* [nv] gains as given */
    uint8_t *per_axis;         /* [nbody] balls whose axes have different gains */
    double *scratch;           /* [nv + nq], and [nv * nv] more for LAPACK */
    bool any_per_axis;
    bool has_target_qd, has_feedforward, has_push;
    bool passive_plain;                 /* its passive share is zero everywhere */
    bool plain;                         /* K is zero everywhere */
    bool wants_matrix;                  /* the kernels' working memory has room for the mass matrix */
    bool freezes;                       /* characters that diverge are frozen one by one */
    bool spread;                        /* each block holds one character, the same in all its lanes */
    bool torque_limits;                 /* some character may have some */
    bool joint_limits;                  /* kept, with or without ground */
    struct sn__effort effort;           /* of solves with contacts and limits: the world's */
    struct sn__pack_ground *ground;     /* what may touch what, or NULL: the world's */
    struct sn__pack_position *position; /* what position-based steps need, or NULL: the world's */
    size_t touch_size, stop_size;       /* values per character of SN__TOUCH and SN__STOP */
    uint8_t *live;                      /* [blocks][points and sides] 1: what is remembered is not all zero */
    size_t ground_bytes;                /* of ground_work */
    int extras;                         /* contacts beside those of points that there is room for in it */
    void *ground_work;                  /* working memory of contacts */
};

/* Shares gains, limits and armature with other packs of the model as long as they are the same: `of` is what such packs share so
   far, or NULL, and what they do afterwards. A pack that is given others parts with them: share.c */
void sn__pack_share_gains(struct sn__pack *p, struct sn__gains **of);
bool sn__pack_part(struct sn__pack *p); /* has its own from now on; false: no memory, nothing happened */
void sn__gains_give_back(struct sn__gains *g); /* NULL is allowed */

/* Working memory that packs take turns with: what of a pack is needed between two steps is elsewhere. */
struct sn__loan {
    void *work;      /* sn__pack_work_bytes */
    double *scratch; /* [nv + nq] */
};

/* With a loan, which may be NULL, the pack has no working memory of its own. */
sn_status sn__pack_init(struct sn__pack *p, const sn_model *model, const struct sn__pack_def *def, int count,
                        bool wide, const struct sn__loan *loan, sn_error *error);
void sn__pack_release(struct sn__pack *p);
/* Room for a mass matrix, which most packs never need. */
sn_status sn__pack_need_matrix(struct sn__pack *p);

/* Whether all n values are finite in the precision of the pack. */
bool sn__pack_holds(const struct sn__pack *p, int n, const double *x);
/* Values of one character, or zeros for NULL, to lanes and back. The last character fills the unused lanes of its block, too. */
void sn__pack_put(struct sn__pack *p, enum sn__array field, int character, int n, const double *values);
void sn__pack_get(const struct sn__pack *p, enum sn__array field, int character, int n, double *values);
void sn__pack_put_shared(struct sn__pack *p, enum sn__array field, int n, const double *values);
double sn__pack_value(const struct sn__pack *p, enum sn__array field, int character, int index);
void sn__pack_put_value(struct sn__pack *p, enum sn__array field, int character, int index, double value);
/* Inline: sn__pack_args asks for twenty of them in every step. */
static inline void *sn__pack_at(const struct sn__pack *p, enum sn__array field, int block) {
    return p->field[field] ? (char *)p->field[field] + p->stride[field] * (size_t)block : NULL;
}

/* Copies a pose with its quaternions made of unit length; those whose squared length is within `slack` of one are
   copied as they are. False: some value is not finite, or a quaternion has no length. */
bool sn__pack_tidy(const struct sn__pack *p, const double *q, double slack, double *out);
/* Checked setters. NULL values are left alone or mean zero, as sinew.h
   says. */
sn_status sn__pack_set_state(struct sn__pack *p, int character, const double *q, const double *qd);
sn_status sn__pack_set_target(struct sn__pack *p, int character, const double *q, const double *qd);
sn_status sn__pack_set_gains(struct sn__pack *p, const double *kp, const double *kd);
sn_status sn__pack_set_dt(struct sn__pack *p, double dt);

/* Works out kw, K and their passive shares from gains, form and dt: drive.c. */
void sn__pack_update_drive(struct sn__pack *p);

/* Gives every block its own copy of a field that was shared, or of one that nobody needed so far (push); then
   sn__pack_put may set it character by character. After a change of KP, KD, ARMATURE or DT update_character. */
sn_status sn__pack_own(struct sn__pack *p, enum sn__array field);
/* The other way: one for all again, or none where nobody needs it; its values are the caller's to put. */
sn_status sn__pack_share(struct sn__pack *p, enum sn__array field);
void sn__pack_update_character(struct sn__pack *p, int character);
/* What is worked out from gains, armature and dt. */
enum { SN__PART_KW = 1, SN__PART_K = 2, SN__PART_PASSIVE = 4, SN__PART_ALL = 7 };
/* The parts that follow a change of KP, KD, ARMATURE or DT. */
unsigned sn__pack_parts(const struct sn__pack *p, enum sn__array changed);
/* Some parts in some lanes of a block, whose arrays of them are its own. With SN__PART_PASSIVE: whether some passive share of qdd
   is not zero. The pack is not plain then, which is left to the caller. */
bool sn__pack_update_lanes(const struct sn__pack *p, int block, int lane, int end, unsigned parts);
/* The block of a character and the lanes it fills, up to `end`. */
int sn__pack_lanes_of(const struct sn__pack *p, int character, int *lane, int *end);
/* Gains of one degree of freedom of one character, whose arrays of them are its own; the gain stiff / dt^2 is added to kp in
   the full form, whatever the form of the others. */
void sn__pack_put_drive(struct sn__pack *p, int character, int v, double kp, double kd, double stiff);
size_t sn__pack_field_size(const struct sn__pack *p, enum sn__array field); /* values */

/* Another thread's view of the same characters: all but the working memory is shared. `follow` after the original has
   changed. */
sn_status sn__pack_clone(const struct sn__pack *p, struct sn__pack *clone, const struct sn__loan *loan);
sn_status sn__pack_follow(struct sn__pack *clone, const struct sn__pack *p);
void sn__pack_release_clone(struct sn__pack *clone);
size_t sn__pack_memory(const struct sn__pack *p, bool clone); /* bytes, of its arrays in lanes */

/* What the kernels need to know about a block. */
struct sn__args sn__pack_args(const struct sn__pack *p, int block);
/* qdd of the drives as set, by the solver and the route of the definition: solve.c. */
void sn__pack_accelerate(struct sn__pack *p, struct sn__args *args, int block, void *qdd);
/* Drive torque that belongs to a qdd, by inverse dynamics (eq. 5). */
void sn__pack_torque(struct sn__pack *p, const struct sn__args *args, const void *qdd, void *tau);
size_t sn__pack_bytes(const struct sn__pack *p, int n); /* of n values in lanes */
/* Memory of kernels: first what a solve reports (sn__args.residual, one value per lane), then their working memory. */
enum { SN__RESIDUAL_BYTES = 64 };
size_t sn__work_bytes(const struct sn__kernels *k, const sn_model *m, bool matrix);
size_t sn__pack_work_bytes(const struct sn__pack *p);
/* One step of dt of one block, whatever becomes of it: step.c. Blocks do not share anything that is written, clones
   apart. */
void sn__pack_advance(struct sn__pack *p, int block);

/* Stages an integrator needs beyond Euler's: integrate.c. */
int sn__integrator_stages(sn_integrator integrator);
size_t sn__integrator_scratch(const struct sn__pack *p); /* values in lanes */
void sn__pack_runge_kutta(struct sn__pack *p, int block);

#endif
