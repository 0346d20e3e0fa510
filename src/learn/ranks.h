/* Several processes, the ranks, that train together: who does what, and how they tell each other. Alone, which is one rank,
 * all of it does nothing. */
#ifndef SINEW_LEARN_RANKS_H
#define SINEW_LEARN_RANKS_H

#include "sinew/learn.h"

enum { SN__MOST_RANKS = 256 };

struct sn__ranks {
    sn_exchange of;                   /* ranks 1: alone */
    size_t begin[SN__MOST_RANKS + 1]; /* of the current exchange */
    int status[SN__MOST_RANKS];
};

/* NULL: alone. */
sn_status sn__ranks_init(struct sn__ranks *ranks, const sn_exchange *of, sn_error *error);

/* Items are dealt evenly and in order: a rank has those from its first one up to the first of the next rank. */
static inline int sn__ranks_first(const struct sn__ranks *ranks, int items, int rank) {
    return (int)((int64_t)items * rank / ranks->of.ranks);
}

/* Each rank has filled its own of these items; now all have all. */
sn_status sn__ranks_share(struct sn__ranks *ranks, void *data, int items, size_t item_size, sn_error *error);
/* The same for items of any size: item i begins at byte at[i]; at [items + 1]. */
sn_status sn__ranks_share_at(struct sn__ranks *ranks, void *data, int items, const size_t *at,
                             sn_error *error);
/* What rank 0 has, all have. */
sn_status sn__ranks_tell(struct sn__ranks *ranks, void *data, size_t size, sn_error *error);
/* Whether all succeeded: the failure of the first rank that did not is everybody's, with its message. */
sn_status sn__ranks_agree(struct sn__ranks *ranks, sn_status status, sn_error *error);
/* Whether all have the same number; else `what`, as "the policy", is said to differ. */
sn_status sn__ranks_same(struct sn__ranks *ranks, uint64_t number, const char *what, sn_error *error);

#endif
