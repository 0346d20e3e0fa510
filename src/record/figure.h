/* The figure of a model: what is needed to draw it and to write its motion, kept when the model is gone. */
#ifndef SINEW_RECORD_FIGURE_H
#define SINEW_RECORD_FIGURE_H

#include "base/error.h"

struct sn__figure_body {
    char name[SN_MAX_NAME + 1];
    int parent;
    double pos[3], rot[4], anchor[3]; /* as in sn_body_info */
    int first_shape, nshape;
};

struct sn__figure_shape {
    sn_shape_type type;
    double size[3], pos[3], rot[4];
    const sn_hull *hull; /* a share of it, or NULL */
};

/* Starts with all zero. */
struct sn__figure {
    int nbody, nshape, body_room, shape_room;
    struct sn__figure_body *body;
    struct sn__figure_shape *shape;
};

/* All three give false when out of memory. A shape that is added brings its share of a hull along. */
bool sn__figure_of(struct sn__figure *figure, const sn_model *model);
bool sn__figure_add_body(struct sn__figure *figure, const struct sn__figure_body *body);
bool sn__figure_add_shape(struct sn__figure *figure,
                          const struct sn__figure_shape *shape); /* of the last body */
void sn__figure_free(struct sn__figure *figure);

/* Where the bodies are in the zero pose: pos[nbody][3], rot[nbody][4]. */
void sn__figure_zero(const struct sn__figure *figure, double *pos, double *rot);

#endif
