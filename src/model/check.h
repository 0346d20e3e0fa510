/* What can be wrong with a model. Each says it in the error, naming the body, and returns SN_ERROR_MODEL. */
#ifndef SINEW_MODEL_CHECK_H
#define SINEW_MODEL_CHECK_H

#include "model/model.h"

/* What can be seen from a definition alone. */
sn_status sn__check_body(const char *name, const sn_body_def *body, sn_error *error);
sn_status sn__check_constraint(const char *body, const sn_constraint_def *def, sn_error *error);
sn_status sn__check_shape(const char *body, const sn_shape_def *shape, sn_error *error);

/* What needs the whole tree: finite masses, and inertia for every degree of freedom to move. *culprit: the body that is at fault,
   or -1. */
sn_status sn__check_motion(const sn_model *model, int *culprit, sn_error *error);

#endif
