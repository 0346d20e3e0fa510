/* What a worker has of a member (world.h has the rest). */
#ifndef SINEW_WORLD_HAND_H
#define SINEW_WORLD_HAND_H

#include "dynamics/pack.h"

/* Place and orientation of a body. */
struct sn__frame {
    double pos[3], rot[4];
};
enum {
    SN__MOMENTS = 5, /* at which paths look at them */
    SN__MOMENT_NOW = 2,
    SN__MOMENT_FREE = 5, /* after a step of the free velocity */
    SN__MOMENT_ROOM
};

/* What a worker has of a member. */
struct sn__hand {
    struct sn__member *member; /* NULL: no such member */
    struct sn__pack *pack;     /* the member's, or this worker's clone of it, which is its own */
    struct sn__ground *ground; /* contact records of the block at hand */
    int next, seat;            /* the next of the worker's crew, -1: none; its own number among them */
    void *memory;              /* of place and backup: only where the scene needs rows */
    void *backup;              /* lanes [nq + nv] state before the step */
    double *place;             /* [nbody][SN__PLACE] filled by `enter` */
    /* what follows is lent to the crew: equip.c */
    void *push; /* lanes [nbody][6] forces of rows and the user's */
    void *row_push,
        *row_tau; /* lanes [nbody][6], [nv] forces of rows that the last solve was given: newton.c */
    void *spring; /* lanes [nv] those on joints, with the springs' */
    double *given, *given_tau; /* [nbody][6], [nv] the same as impulses, as wrench and tau have them */
    double won, kinetic, risen, allowed; /* of an island that it stands for: slow.c */
    double off;                          /* how far its last solve was from settled */
    void *known;                         /* lanes [nv] velocity under those forces */
    void *free_qd;                       /* lanes [nv] velocity without rows */
    void *moved_qd;                      /* lanes [nv] velocity that moves positions */
    void *change;                        /* lanes [nv] */
    void *zero;                          /* lanes [nv] */
    void *start;                         /* lanes [nq + nv] event stepper: where the substep starts */
    double *rate;                        /* [nbody][6] with the free velocity: linear, angular */
    double *qd;                          /* [nv] the free velocity */
    struct sn__frame *frame;             /* [SN__MOMENT_ROOM][nbody] for constraints; constraint_pose.c */
    uint8_t *framed;                     /* likewise: which there are */
    double *wrench, *tau;                /* [nbody][6], [nv] impulses of the rows */
    double *values;                      /* [13 nbody] and no less than nq + nv: scratch */
    int nrow, row_room;                  /* rows that touch it in this step */
    struct sn__row *row;
    int *row_of; /* [nrow] which of the worker's rows each is a side of, ascending */
    double *K;   /* [nrow][stride] in the pool */
    int stride;
    double *v; /* [stride] */
    int nextra, extra_room;
    struct sn__extra *extra; /* contacts with ground that is not probed, for the kernel */
    int *extra_contact;      /* which of the worker's contacts each one is */
    void *extra_touch;       /* lanes [extra_room][6] */
    int nbrace, brace_room;
    struct sn__brace *brace; /* constraints inside MABA, in the order of bodies: brace.c */
    int32_t *brace_first;    /* [nbody + 1] */
    void *brace_memory;      /* holds both, and: */
    void *brace_value;       /* lanes [brace_room][SN__BRACE_VALUES] */
    void *impact_K; /* lanes [nv] K of the drives in an impact, where some have limits: step_event.c */
    /* all that is true or false, so that it takes little memory */
    bool cloned;       /* its pack is a clone */
    bool on;           /* takes part in the step of this copy */
    bool bad;          /* some value of it has gone beyond all bounds */
    bool falls;        /* event stepper: nothing but gravity acts on it as a whole */
    bool pushed;       /* it is given forces of rows that are not all zero */
    bool tied, hangs;  /* constraints act on it; with the world, on it or on its island: slow.c */
    bool again, loose; /* it must be solved again for the forces of rows; args.loose */
    bool far,
        driven;   /* of the island it stands for: something moves far, a constraint asks for motion: slow.c */
    bool settled; /* its last solve was */
    bool accelerated; /* QDD is that of the impulses at hand */
    bool asked;       /* `values` are its velocities under the impulses at hand: waiting.c */
    bool lacks_rows;  /* there is no room for all its rows */
    bool stops;       /* its joints' limits are rows */
};

/* A constraint inside MABA: up to three dampers on a point of a body, forces -B (u - wanted) + push along d. */
struct sn__brace {
    int tie, body, n;
    double r[3]; /* from the body's origin, world axes */
    double d[3][3], B[3], wanted[3], push[3];
};

#endif
