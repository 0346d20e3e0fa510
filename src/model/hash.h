/* What tells two models apart. */
#ifndef SINEW_MODEL_HASH_H
#define SINEW_MODEL_HASH_H

#include "model/model.h"

/* Of what has a say in a model's motion: not its names, and not the gains and poses it proposes. */
uint64_t sn__model_hash(const sn_model *model);

#endif
