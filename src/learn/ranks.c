#include "learn/ranks.h"

#include <string.h>

#include "base/error.h"

sn_status sn__ranks_init(struct sn__ranks *ranks, const sn_exchange *of, sn_error *error) {
    *ranks = (struct sn__ranks){.of = {.ranks = 1}};
    if (!of) return SN_OK;
    if (of->ranks < 1 || of->ranks > SN__MOST_RANKS || of->rank < 0 || of->rank >= of->ranks || !of->share)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "rank %d of %d ranks: from 1 to %d are possible, numbered from 0, with a way to share", of->rank,
            of->ranks, SN__MOST_RANKS);
    ranks->of = *of;
    return SN_OK;
}

static sn_status exchange(struct sn__ranks *ranks, void *data, sn_error *error) {
    return ranks->of.share(ranks->of.user, data, ranks->begin, error);
}

sn_status sn__ranks_share(struct sn__ranks *ranks, void *data, int items, size_t item_size, sn_error *error) {
    if (ranks->of.ranks == 1) return SN_OK;
    for (int r = 0; r <= ranks->of.ranks; r++)
        ranks->begin[r] = (size_t)sn__ranks_first(ranks, items, r) * item_size;
    return exchange(ranks, data, error);
}

sn_status sn__ranks_share_at(struct sn__ranks *ranks, void *data, int items, const size_t *at,
                             sn_error *error) {
    if (ranks->of.ranks == 1) return SN_OK;
    for (int r = 0; r <= ranks->of.ranks; r++)
        ranks->begin[r] = at[sn__ranks_first(ranks, items, r)];
    return exchange(ranks, data, error);
}

/* What one rank has, all have. */
static sn_status tell_from(struct sn__ranks *ranks, int from, void *data, size_t size, sn_error *error) {
    for (int r = 0; r <= ranks->of.ranks; r++)
        ranks->begin[r] = r > from ? size : 0;
    return exchange(ranks, data, error);
}

sn_status sn__ranks_tell(struct sn__ranks *ranks, void *data, size_t size, sn_error *error) {
    return ranks->of.ranks == 1 ? SN_OK : tell_from(ranks, 0, data, size, error);
}

sn_status sn__ranks_agree(struct sn__ranks *ranks, sn_status status, sn_error *error) {
    sn_error told = {SN_OK, ""};
    if (ranks->of.ranks == 1) return status;
    ranks->status[ranks->of.rank] = (int)status;
    sn_status broken = sn__ranks_share(ranks, ranks->status, ranks->of.ranks, sizeof *ranks->status, error);
    for (int r = 0; r < ranks->of.ranks && !broken; r++) {
        if (!ranks->status[r]) continue;
        if (r == ranks->of.rank && error) told = *error;
        told.status = (sn_status)ranks->status[r];
        broken = tell_from(ranks, r, &told, sizeof told, error);
        if (!broken && error) *error = told;
        return broken ? broken : told.status;
    }
    return broken;
}

sn_status sn__ranks_same(struct sn__ranks *ranks, uint64_t number, const char *what, sn_error *error) {
    uint64_t all[SN__MOST_RANKS];
    if (ranks->of.ranks == 1) return SN_OK;
    all[ranks->of.rank] = number;
    const sn_status status = sn__ranks_share(ranks, all, ranks->of.ranks, sizeof *all, error);
    for (int r = 1; r < ranks->of.ranks && !status; r++)
        if (all[r] != all[0])
            return sn__fail(error, SN_ERROR_ARGUMENT, "%s of rank %d is not that of rank 0", what, r);
    return status;
}
