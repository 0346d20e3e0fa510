/* What position-based stepping is given: data alone.
 *
 * A step looks for poses q_1 ... q_m at the stages of a scheme at which every body obeys
 *
 *     acceleration of stage i = (sum_j C_ij P_j - T_i) / dt^2,         P = [R t] the body's affine pose
 *
 * with T_i what the history of poses contributes. Arrays are in lanes as in kernels/args.h. */
#ifndef SINEW_KERNELS_POSITION_ARGS_H
#define SINEW_KERNELS_POSITION_ARGS_H

#include "kernels/args.h"

enum {
    SN__POSITION_STAGES = 3, /* poses solved for at once, at most */
    SN__POSITION_PAST = 4,   /* poses of the past that a scheme looks at, at most */
    SN__AFFINE = 12 /* values of a body in an affine pose: R by rows, then the translation within the joint:
                                s q of a slide, the position of a free root, zero for others */
};

/* What of the second variation of the energy a sweep keeps. */
enum sn__position_hessian {
    SN__GAUSS_NEWTON, /* c M / dt^2 + K */
    SN__CLAMPED,      /* and the positive semidefinite part of each body's geometric stiffness G */
    SN__MIRRORED, /* and |G|, the eigenvalues below zero with their signs turned: fewer iterations on wild motion */
    SN__EXACT /* all of it; may be indefinite. By `block` only */
};

/* Terms of a body beyond its inertia, for contact and drag: derivatives of an energy by displacements of the body, in
   world axes about its joint. */
enum sn__position_extra {
    SN__EXTRA_J = 0,       /* [6] xx yy zz xy xz yz: Hessian by turns (work.h) */
    SN__EXTRA_H = 6,       /* [9] by rows */
    SN__EXTRA_M = 15,      /* [6] */
    SN__EXTRA_MOMENT = 21, /* [3] gradient by turns */
    SN__EXTRA_FORCE = 24,  /* [3] and by translations */
    SN__EXTRA_Y = 27, /* [9] sum of F c^T over material points c under a gradient F: the geometric stiffness
                                      comes from it. The moment does not: it must be in MOMENT, too */
    SN__EXTRA_VALUES = 36
};

/* Joint limits in a step of a world; arrays in lanes. */
struct sn__position_stops {
    const struct sn__args *args;     /* gains and dt: what a limit must be stiffer than */
    const struct sn__ground *ground; /* its stops */
    sn__lanes *allowed;              /* [nside] gap that counts as none */
};

/* Contact with the ground in a step of a world; arrays in lanes. */
struct sn__position_touch {
    struct sn__ground *ground; /* its contacts are what touches in the current iterate */
    sn__lanes *anchor;         /* [nbody][3] what the positions of free roots are relative to */
    sn__lanes *origin;         /* [nbody][3] origins of bodies in the current iterate, as above */
    sn__lanes *start;          /* [nbody][SN__AFFINE] rotations and origins at the start of the step */
    sn__lanes *allowed;        /* [nprobe] gap that counts as none */
    sn__lanes *bound;          /* [nprobe] N: what friction may reach */
    sn__lanes *extra;          /* [nextra][SN__EXTRA_VALUES] */
    sn__lanes *stiffness;      /* [1] N/m */
    const sn__lanes *friction; /* [1] factor of mu, or NULL */
    int exact;                 /* sweeps take the true stiffness of what slides, else its secant */
    int begins;                /* bounds are those of the forces of the last step */
};

struct sn__position_args {
    const sn__tree *tree;                                   /* struct tree_f64 or tree_f32 */
    char *work;                                             /* position->work_size bytes */
    int m;                                                  /* stages */
    int past;                                               /* poses of the past */
    sn__number C[SN__POSITION_STAGES][SN__POSITION_STAGES]; /* accelerations, times dt^2 */
    sn__number W[SN__POSITION_STAGES][SN__POSITION_PAST];   /* what the past takes off them */
    sn__number velocity[SN__POSITION_STAGES]; /* the same for dt times the velocity at the start */
    sn__number rate[SN__POSITION_STAGES][SN__POSITION_STAGES];    /* velocities of joints, times dt */
    sn__number rate_past[SN__POSITION_STAGES][SN__POSITION_PAST]; /* what the past takes off them */
    sn__number dt;
    sn__number gravity[3];

    const sn__lanes *q[SN__POSITION_STAGES];    /* [nq] the poses looked for */
    const sn__lanes *T[SN__POSITION_STAGES];    /* [nbody][SN__AFFINE] from `history` */
    const sn__lanes *past_q[SN__POSITION_PAST]; /* [nq] read where joints have dampers or armature */
    const sn__lanes *past_qd; /* [nv] velocity at the start, where a scheme has one and joints armature */
    const sn__lanes *target_q[SN__POSITION_STAGES];  /* [nq] or NULL: no drives */
    const sn__lanes *target_qd[SN__POSITION_STAGES]; /* [nv] or NULL: zero */
    const sn__lanes *kp, *kd;                        /* [nv] of the drives; read with target_q */
    const sn__lanes *damping;                        /* [nv] passive, or NULL */
    const sn__lanes *armature;                       /* [nv] or NULL */
    const sn__lanes *feedforward;                    /* [nv] or NULL */
    const sn__lanes *lambda;                         /* [nv] added to the diagonal of the Hessian, or NULL */
    const sn__lanes *push;          /* [nbody][6] force at the body's origin and torque, or NULL */
    int springs;                    /* some joint of the model has a passive spring */
    const SHARED uint8_t *per_axis; /* [nbody] 1: the ball's three gains differ; NULL: none does */

    /* Of worlds: position/ground.h, position/stops.h. NULL: none. */
    const sn__lanes *limit;                 /* [nv] torque limits, infinity for none */
    const struct sn__position_stops *stops; /* joint limits */
    struct sn__position_touch *touch;       /* ground: fills the extra terms as bodies are placed */
    const SHARED uint8_t *wide;             /* [nbody] 1: K of the ball is a matrix, as per_axis makes it */

    int nextra;
    const SHARED int32_t *extra_body;            /* [nextra] ascending */
    const sn__lanes *extra[SN__POSITION_STAGES]; /* [nextra][SN__EXTRA_VALUES] */

    /* Each copy's own; NULL: the same for all. */
    const sn__lanes *mass_scale, *own_gravity, *own_dt;

    sn__lanes *g[SN__POSITION_STAGES];     /* out: [nv] gradient */
    sn__lanes *delta[SN__POSITION_STAGES]; /* out: [nv] of sweeps */
    sn__lanes *energy;                     /* out: [1] or NULL. Schemes of one stage have one */
};

/* A step of a block of copies of a world (position/step.h). Arrays in lanes. */
struct sn__position_step {
    const struct sn__args *args;            /* what acts on them, as the other steppers have it */
    const struct sn__position_args *scheme; /* tree, weights, gravity and dt alone: of one pose */
    struct sn__ground *ground;              /* or NULL */
    int nextra, nside;
    const SHARED int32_t *extra_body; /* [nextra] bodies with points that may touch the ground */
    sn__lanes *past;      /* [past - 1][nq] the poses before the present one, roots relative to it */
    sn__lanes *steady;    /* [1] 0: there is no history */
    char *memory;         /* step_memory bytes */
    sn__lanes *unsettled; /* [1] out: 1 where Newton's method has not met the tolerance */
    const sn__lanes *damping, *armature;   /* [nv] or NULL */
    const SHARED uint8_t *wide;            /* [nbody] balls with limits */
    const struct sn__position_args *plain; /* weights of PBAD-2 where the scheme is another one, or NULL */
    int driven;                            /* some gain is not zero; then the form: */
    int end_spring, ahead, explicit_drive;
    int hessian;
    int sweeps; /* exactly so many; or */
    int newton,
        rounds; /* at most so many passes of Newton's method, so often for friction's bounds; 0: fixed sweeps */
    int late;   /* passes of Newton's method that lanes may take after fixed sweeps */
    int limp;   /* some lane may have no springs to targets */
    sn__number tolerance, force_scale;
};

#endif
