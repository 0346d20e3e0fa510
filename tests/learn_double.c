/* The sources of learning once more, in double precision: formulas without rounding, for comparisons. */
#define LEARN_BITS 64
#include "learn/advantage.c"
#include "learn/net.c"
#include "learn/normalise.c"
#include "learn/optimise.c"
#include "learn/ppo.c"
#include "learn/ppo_collect.c"
#include "learn/ppo_loss.c"
#include "learn/ppo_ranks.c"
#include "learn/ppo_update.c"
