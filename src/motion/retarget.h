/* A clip on its way to a model; the letters are those of retarget.c. */
#ifndef SINEW_MOTION_RETARGET_H
#define SINEW_MOTION_RETARGET_H

#include "sinew/sinew.h"

struct retarget {
    const sn_clip_def *clip;
    const sn_model *model;
    int nbody;
    int *joint;     /* [nbody] that drives it, -1: none                                   */
    int *above;     /* [nbody] nearest body towards the root that is driven, -1: none     */
    int *group;     /* [nbody] hinges above it that are solved with it: how many          */
    double *anchor; /* [nbody][3] of the joint, zero pose, world axes                     */
    double *Z;      /* [nbody][4]                                                         */
    double *C;      /* [nbody][4]                                                         */
    double *K;      /* [nbody][4]                                                         */
    double *place;  /* [njoint][3] in the reference pose, the root at 0                   */
    double *G;      /* [njoint][4] in the reference pose, then in each frame              */
    double *B;      /* [nbody][4]                                                         */
    double *q;      /* [nframe][nq]                                                       */
    double *tip;    /* [nbody][3] from the anchor to the end of a limb, zero pose          */
    int *beyond;    /* [nbody] the clip's joint at that end, -1: no such limb              */
    double *
        whole; /* [nbody] m, how long the clip's limb is from its beginning to the paw at its end, where the model's limb
                       ends with this body and has fewer parts; 0: each part follows its own      */
    double *pos, *rot; /* [nbody][3], [nbody][4] room */
    const double *at;  /* [3] the clip's root in the current frame */
    double H[4], scale;
    double shift[3]; /* from the clip's root to the model's, in the axes of the clip's root joint */
    int root;        /* the first body that is driven */
    double fixed[4]; /* turns all orientations: not the identity when the root cannot move */
};

/* The angle of a rotation, 0 to pi. */
double sn__angle_of(const double q[4]);

/* The joint of one body in q, and B of it, as the clip's current frame wants them. before: the pose of the last key, NULL at the
   first. */
void sn__retarget_place(struct retarget *r, int body, const double root[3], double *q, const double *before);

/* limb.c: whether a limb ends with this driven body, and the first driven body of that limb. */
bool sn__limb_ends(const struct retarget *r, int body);
int sn__limb_start(const struct retarget *r, int end);
/* The mean angle between the limbs of the model and those of the clip, from where they begin to where they end, over at
   most 100 frames; 0: there are none. B is taken as room. */
double sn__retarget_apart(struct retarget *r);

/* tip.c: where limbs end that have no driven body there: shins and forearms. Fills tip, beyond and whole. */
void sn__retarget_tips(struct retarget *r);
/* How long the model's limb is from its beginning to the tip of the body that ends it. */
double sn__limb_length(const struct retarget *r, int end);

/* reach.c: the limbs of a model, and the joints of each of them once more and together, when all bodies of a frame are placed. */
struct sn__limbs *sn__limbs_create(struct retarget *r); /* NULL: out of memory; sn__free it */
void sn__limbs_reach(struct sn__limbs *limbs, double *q, const double *before);

#endif
