/* Volume, mass and inertia of the shapes a body is made of. */
#ifndef SINEW_MODEL_SHAPE_H
#define SINEW_MODEL_SHAPE_H

#include "model/inertia.h"
#include "sinew/sinew.h"

/* How many of size[] a shape type uses. */
int sn__shape_nsize(sn_shape_type type);
const char *sn__shape_name(sn_shape_type type);

double sn__shape_volume(const sn_shape_def *shape);
/* In the frame of the body; rot of unit length. */
struct inertia sn__shape_inertia(const sn_shape_def *shape);

#endif
