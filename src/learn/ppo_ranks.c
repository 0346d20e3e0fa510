/* Several ranks train one policy: each runs its own parts of the environment and its own shards of every minibatch.
 *
 * Rollouts are shared once per iteration. Of gradients only sums travel, once per minibatch: the tree that adds SN__SHARDS
 * shards (optimise.h) has nodes that cover 1, 2, 4, 8 or 16 of them. A rank adds its own shards up to the largest nodes they
 * fill, say 5 | 6, 7 | 8, 9 of 16 shards for the second of three ranks; all ranks get all nodes and finish the tree. The
 * additions are those of one rank alone, and so are the bits. */
#include <string.h>

#include "base/memory.h"
#include "learn/ppo.h"

enum { LINE = 64 }; /* bytes: what stands on the wire begins at multiples of it */

static size_t whole_lines(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Bytes of a node: the actor's parameters, then the critic's. */
static size_t node_size(const struct sn__ppo *ppo) {
    return whole_lines(sn__cells(ppo->actor.count + ppo->critic.count, sizeof(real)));
}

/* The largest node that begins with this shard and ends before `end`. */
static int node_shards(int first, int end) {
    int shards = 1;
    while (first % (2 * shards) == 0 && first + 2 * shards <= end)
        shards *= 2;
    return shards;
}

/* A rank's nodes, then what its shards measured. */
static size_t lay_out(struct sn__ppo_wire *wire, int begin, int end, size_t at, size_t size) {
    for (int i = begin; i < end; i += wire->shards[i], at += size) {
        wire->shards[i] = node_shards(i, end);
        wire->node[i] = at;
    }
    for (int i = begin; i < end; i++, at += sizeof(struct sn__ppo_shard))
        wire->measure[i] = at;
    return whole_lines(at);
}

bool sn__ppo_wire_make(struct sn__ppo *ppo) {
    struct sn__ppo_wire *wire = &ppo->wire;
    size_t at = 0;
    if (ppo->ranks.of.ranks == 1) return true;
    for (int r = 0; r < ppo->ranks.of.ranks; r++) {
        const int begin = sn__ranks_first(&ppo->ranks, SN__SHARDS, r),
                  end = sn__ranks_first(&ppo->ranks, SN__SHARDS, r + 1);
        for (int i = begin; i < end; i++)
            wire->shard[i] = at;
        at = lay_out(wire, begin, end, at, node_size(ppo));
    }
    wire->shard[SN__SHARDS] = at;
    wire->bytes = sn__alloc_aligned(at);
    return wire->bytes != NULL;
}

/* --------------------------------------------------------------------------------------------------------- rollouts */

sn_status sn__ppo_share_rollout(struct sn__ppo *ppo, sn_error *error) {
    const size_t copies = (size_t)ppo->env->copies, samples = copies * (size_t)ppo->def.horizon;
    const size_t n = (size_t)ppo->env->observations;
    const struct {
        void *data;
        size_t size; /* of a part */
    } array[] = {
        {ppo->observation, samples * n * sizeof(real)},
        {ppo->action, samples * (size_t)ppo->env->actions * sizeof(real)},
        {ppo->log_probability, samples * sizeof(real)},
        {ppo->advantage, samples * sizeof(real)},
        {ppo->target, samples * sizeof(real)},
        {ppo->value, (samples + copies) * sizeof(real)},
        {ppo->moments, 2 * n * sizeof(double)},
        {ppo->tally, sizeof *ppo->tally},
    };
    sn_status status = SN_OK;
    for (size_t i = 0; i < sizeof array / sizeof *array && !status; i++)
        status = sn__ranks_share(&ppo->ranks, array[i].data, ppo->env->parts, array[i].size, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- gradients */

/* Where a learner's part of a node stands. */
static real *node_of(struct sn__ppo *ppo, const struct sn__learner *learner, int shard) {
    real *row = (real *)(ppo->wire.bytes + ppo->wire.node[shard]);
    return learner == &ppo->critic ? row + ppo->actor.count : row;
}

void sn__ppo_pack(struct sn__ppo *ppo, struct sn__learner *learner, int first, int count) {
    const int begin = sn__ranks_first(&ppo->ranks, SN__SHARDS, ppo->ranks.of.rank),
              end = sn__ranks_first(&ppo->ranks, SN__SHARDS, ppo->ranks.of.rank + 1);
    int shards[SN__SHARDS] = {0};
    for (int i = begin; i < end; i++)
        shards[i] = 1;
    sn__gradient_join(learner->shard, shards, first, count);
    for (int i = begin; i < end; i += ppo->wire.shards[i])
        memcpy(node_of(ppo, learner, i) + first, learner->shard[i] + first, sn__cells(count, sizeof(real)));
}

sn_status sn__ppo_exchange(struct sn__ppo *ppo, sn_error *error) {
    const struct sn__ppo_wire *wire = &ppo->wire;
    const int begin = sn__ranks_first(&ppo->ranks, SN__SHARDS, ppo->ranks.of.rank),
              end = sn__ranks_first(&ppo->ranks, SN__SHARDS, ppo->ranks.of.rank + 1);
    for (int i = begin; i < end; i++)
        memcpy(wire->bytes + wire->measure[i], &ppo->shard[i], sizeof ppo->shard[i]);
    const sn_status status = sn__ranks_share_at(&ppo->ranks, wire->bytes, SN__SHARDS, wire->shard, error);
    for (int i = 0; i < SN__SHARDS && !status; i++)
        memcpy(&ppo->shard[i], wire->bytes + wire->measure[i], sizeof ppo->shard[i]);
    return status;
}

void sn__ppo_unpack(struct sn__ppo *ppo, struct sn__learner *learner, int first, int count) {
    real *row[SN__SHARDS] = {NULL};
    for (int i = 0; i < SN__SHARDS; i += ppo->wire.shards[i])
        row[i] = node_of(ppo, learner, i);
    sn__gradient_join(row, ppo->wire.shards, first, count);
    memcpy(learner->gradient + first, row[0] + first, sn__cells(count, sizeof(real)));
}
