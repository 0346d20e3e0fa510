/* What the builder remembers until the model is made. */
#ifndef SINEW_MODEL_BUILDER_H
#define SINEW_MODEL_BUILDER_H

#include "sinew/sinew.h"

struct builder_body {
    sn_body_def def; /* its names and parent are NULL: they are below */
    char name[SN_MAX_NAME + 1];
    char joint[SN_MAX_NAME + 1]; /* "": its joint has no name */
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
    sn_error mistake;              /* the first one made; SN_OK: none yet */
    char culprit[SN_MAX_NAME + 1]; /* the name of the body that the mistake is about; empty: of none */
};

/* The body with this name, or -1: sn_model_find_body without the names of joints. */
int sn__model_find_body(const sn_model *model, const char *name);
/* The model of a builder, which can still be changed until sn__model_compile makes of it what kernels read. NULL and a message on
   an error; `culprit` (NULL: not wanted) then holds the name of the body that the message is about, or is empty. */
sn_model *sn__model_draft(const sn_builder *builder, char culprit[SN_MAX_NAME + 1], sn_error *error);
/* The same, compiled. */
sn_model *sn__model_build(const sn_builder *builder, char culprit[SN_MAX_NAME + 1], sn_error *error);

/* assemble.c: the draft of a builder without a mistake so far. *culprit: as above, NULL for none; it belongs to the builder. */
sn_model *sn__model_assemble(const sn_builder *builder, const char **culprit, sn_error *error);

/* How much of everything a model has. */
struct sn__model_size {
    int nbody, nq, nv, nshape, nexclusion, nconstraint;
    size_t names; /* bytes */
};

/* The arrays of a model that is all zero; those of exclusions and constraints are counted as they are filled. */
sn_status sn__model_allocate(sn_model *model, const struct sn__model_size *size, sn_error *error);
/* What follows from the bodies for each degree of freedom, and the depth of the tree. */
sn_status sn__model_fill_dofs(sn_model *model, sn_error *error);

#endif
