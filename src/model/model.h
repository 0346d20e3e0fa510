/* The model as the library sees it: the data given to the builder, checked and put in depth-first order, and
 * beside it the same tree compiled into the constants the kernels read, in both precisions. */
#ifndef SINEW_MODEL_MODEL_H
#define SINEW_MODEL_MODEL_H

#include "model/compiled.h"
#include "sinew/sinew.h"

/* Two bodies whose shapes never touch each other. */
struct exclusion {
    int a, b; /* a < b */
};

struct sn_model {
    union {
        sn_model_info info; /* what users see of it */
        struct {            /* the same members, for short */
            int nbody, nq, nv, nshape, nconstraint;
            int depth;                     /* most degrees of freedom from the root to a leaf */
            double mass;                   /* of all bodies together */
            double *kp, *kd;               /* [nv] filled by sn__model_compile */
            sn_shape_def *shape;           /* [nshape], grouped by body */
            sn_constraint_def *constraint; /* [nconstraint] in the order of adding; member 0, member2 0 or -1 */
        };
    };
    sn_body_info *body; /* [nbody] */
    int nexclusion;
    struct exclusion *exclusion; /* [nexclusion] in ascending order of (a, b), none twice */
    char *names;                 /* the bodies' names, one after the other */
    int *dof_parent;             /* [nv] the next degree of freedom towards the root, -1 at the end */
    double *armature;            /* [nv] */
    double *damping;             /* [nv] */
    double *stiffness;           /* [nv] */
    double *torque_limit;        /* [nv] infinity where there is none */
    bool has_stiffness;          /* some joint has a passive spring */
    bool has_lift;               /* some body is carried */
    bool has_torque_limit;       /* some joint has a torque limit */
    struct tree_f64 tree_f64;    /* what kernels over double read */
    struct tree_f32 tree_f32;    /* what kernels over float read */
};

/* As qsort wants it. */
int sn__exclusion_compare(const void *one, const void *two);

/* Fills both trees from the public part, once: from then on the model does not change. SN_OK or SN_ERROR_MEMORY. */
sn_status sn__model_compile(sn_model *model);
void sn__model_release_compiled(sn_model *model);

/* A model of some of the bodies of a draft or of a model: those with take[body] != 0, whole trees of them; shapes
   only of those with shaped[body] != 0. Exclusions and constraints between them stay, those with others do not. */
sn_model *sn__model_part(const sn_model *draft, const uint8_t *take, const uint8_t *shaped, sn_error *error);

/* Whether sn_builder_exclude keeps the shapes of two bodies apart. */
bool sn__model_excluded(const sn_model *model, int body1, int body2);

#endif
