/* What the builder remembers until the model is made. */
#ifndef SINEW_MODEL_BUILDER_H
#define SINEW_MODEL_BUILDER_H

#include "sinew/sinew.h"

struct builder_body {
    sn_body_def def; /* its name and parent are NULL: they are below */
    char name[SN_MAX_NAME + 1];
    char parent[SN_MAX_NAME + 1];
    bool has_parent; /* false: the world */
};

struct builder_shape {
    sn_shape_def def;
    char body[SN_MAX_NAME + 1];
};

struct builder_exclusion {
    char body[2][SN_MAX_NAME + 1];
};

struct builder_constraint {
    sn_constraint_def def;
    char body[2][SN_MAX_NAME + 1]; /* the second empty: the world */
};

enum {
    BUILDER_MAX_EXCLUSIONS = 64 * 1024, /* in one model */
    BUILDER_MAX_CONSTRAINTS = 4096,
};

struct sn_builder {
    struct builder_body *body; /* [nbody] in the order of adding  */
    int nbody, body_capacity;
    struct builder_shape *shape; /* [nshape] in the order of adding */
    int nshape, shape_capacity;
    struct builder_exclusion *exclusion; /* [nexclusion] in the order of adding */
    int nexclusion, exclusion_capacity;
    struct builder_constraint *constraint; /* [nconstraint] in the order of adding */
    int nconstraint, constraint_capacity;
    sn_error mistake; /* the first one made; SN_OK: none yet */
};

/* The model of a builder without a mistake so far; NULL and a message otherwise. */
sn_model *sn__model_assemble(const sn_builder *builder, sn_error *error);

#endif
