/* Epochs over the samples of a rollout, in minibatches of SN__SHARDS shards. */
#include <math.h>
#include <string.h>

#include "learn/ppo.h"
#include "learn/random.h"

/* Mean 0, deviation 1 over the rollout, then clipped. */
static void normalise_advantages(struct sn__ppo *ppo) {
    double sum = 0, square = 0;
    for (int i = 0; i < ppo->total; i++)
        sum += (double)ppo->advantage[i];
    const double mean = sum / ppo->total;
    for (int i = 0; i < ppo->total; i++)
        square += ((double)ppo->advantage[i] - mean) * ((double)ppo->advantage[i] - mean);
    const double scale = 1 / (sqrt(square / ppo->total) + 1e-5), most = ppo->def.advantage_clip;
    for (int i = 0; i < ppo->total; i++) {
        const double a = ((double)ppo->advantage[i] - mean) * scale;
        ppo->advantage[i] = (real)(most > 0 ? fmin(fmax(a, -most), most) : a);
    }
}

/* Fisher and Yates. */
static void shuffle(struct sn__ppo *ppo, int epoch) {
    struct sn__random r = sn__random_at(ppo->def.seed, SN__STREAM_SHUFFLE, (uint32_t)epoch, ppo->iterations);
    for (int i = 0; i < ppo->total; i++)
        ppo->order[i] = i;
    for (int i = ppo->total - 1; i > 0; i--) {
        const int j = (int)sn__random_below(&r, (uint32_t)i + 1), keep = ppo->order[i];
        ppo->order[i] = ppo->order[j];
        ppo->order[j] = keep;
    }
}

/* ------------------------------------------------------------------------------------- gradients, shard by shard */

static int shard_begin(const struct sn__ppo *ppo, int shard) {
    return (int)((int64_t)ppo->def.minibatch * shard / SN__SHARDS);
}

/* The samples of a shard, side by side. Returns where they are in `order`. */
static const int *gather(const struct sn__ppo *ppo, struct sn__ppo_bench *bench, int shard, int rows) {
    const int *which = ppo->order + ppo->minibatch_at + shard_begin(ppo, shard), n = ppo->env->observations;
    for (int i = 0; i < rows; i++)
        memcpy(bench->observation + sn__cells(i, n), ppo->observation + sn__cells(which[i], n),
               sn__cells(n, sizeof(real)));
    return which;
}

static void actor_shard(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int shard,
                        struct sn__ppo_batch *batch) {
    const struct sn__learner *actor = &ppo->actor;
    const int *which = gather(ppo, bench, shard, batch->rows), actions = batch->actions;
    real *action = bench->batch_action, *log_probability = bench->batch_scalar,
         *advantage = log_probability + bench->rows;
    for (int i = 0; i < batch->rows; i++) {
        memcpy(action + sn__cells(i, actions), ppo->action + sn__cells(which[i], actions),
               sn__cells(actions, sizeof(real)));
        log_probability[i] = ppo->log_probability[which[i]];
        advantage[i] = ppo->advantage[which[i]];
    }
    batch->action = action;
    batch->log_probability = log_probability;
    batch->advantage = advantage;
    batch->log_noise = actor->theta + actor->net.count;
    batch->deviation = ppo->deviation;
    real *gradient = actor->shard[shard],
         *d_log_noise = ppo->def.learn_noise ? gradient + actor->net.count : NULL;
    bench->actor.transposed = actor->transposed;
    const real *mean = sn__net_forward(&actor->net, &ppo->gemm, actor->theta, batch->rows, bench->observation,
                                       &bench->actor);
    sn__ppo_actor_gradient(&ppo->def, batch, mean, bench->output, d_log_noise, &ppo->shard[shard]);
    sn__net_backward(&actor->net, &ppo->gemm, actor->theta, batch->rows, bench->observation, &bench->actor,
                     bench->output, gradient, NULL);
}

static void critic_shard(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int shard,
                         struct sn__ppo_batch *batch) {
    const struct sn__learner *critic = &ppo->critic;
    const int *which = gather(ppo, bench, shard, batch->rows);
    for (int i = 0; i < batch->rows; i++)
        bench->batch_scalar[i] = ppo->target[which[i]];
    batch->target = bench->batch_scalar;
    bench->critic.transposed = critic->transposed;
    const real *value = sn__net_forward(&critic->net, &ppo->gemm, critic->theta, batch->rows,
                                        bench->observation, &bench->critic);
    sn__ppo_critic_gradient(batch, value, bench->output, &ppo->shard[shard]);
    sn__net_backward(&critic->net, &ppo->gemm, critic->theta, batch->rows, bench->observation, &bench->critic,
                     bench->output, critic->shard[shard], NULL);
}

static int own_shards(const struct sn__ppo *ppo) {
    const int rank = ppo->ranks.of.rank;
    return sn__ranks_first(&ppo->ranks, SN__SHARDS, rank + 1) -
           sn__ranks_first(&ppo->ranks, SN__SHARDS, rank);
}

/* What all shards of a minibatch multiply with. */
static void transpose_weights(void *user, int thread, int item) {
    struct sn__ppo *ppo = user;
    struct sn__learner *learner = item ? &ppo->critic : &ppo->actor;
    (void)thread;
    sn__net_transpose(&learner->net, learner->theta, learner->transposed);
}

/* This rank's shards, of the actor, then of the critic. */
static void run_shard(void *user, int thread, int item) {
    struct sn__ppo *ppo = user;
    const int own = own_shards(ppo),
              shard = sn__ranks_first(&ppo->ranks, SN__SHARDS, ppo->ranks.of.rank) + item % own;
    struct sn__ppo_batch batch = {.rows = shard_begin(ppo, shard + 1) - shard_begin(ppo, shard),
                                  .actions = ppo->env->actions,
                                  .minibatch = ppo->def.minibatch};
    (item < own ? actor_shard : critic_shard)(ppo, &ppo->bench[thread], shard, &batch);
}

/* ----------------------------------------------------------------------------- sums and steps, piece by piece */

static int pieces(const struct sn__learner *learner) {
    return (learner->count + SN__PIECE - 1) / SN__PIECE;
}

/* The actor's pieces stand first. */
static struct sn__learner *learner_of(struct sn__ppo *ppo, int item, int *piece) {
    const int first = pieces(&ppo->actor);
    *piece = item < first ? item : item - first;
    return item < first ? &ppo->actor : &ppo->critic;
}

static int piece_size(const struct sn__learner *learner, int piece) {
    const int left = learner->count - piece * SN__PIECE;
    return left < SN__PIECE ? left : SN__PIECE;
}

static void pack_piece(void *user, int thread, int item) {
    int piece;
    struct sn__learner *learner = learner_of(user, item, &piece);
    (void)thread;
    sn__ppo_pack(user, learner, piece * SN__PIECE, piece_size(learner, piece));
}

static void sum_piece(void *user, int thread, int item) {
    struct sn__ppo *ppo = user;
    int piece;
    struct sn__learner *learner = learner_of(ppo, item, &piece);
    const int first = piece * SN__PIECE, count = piece_size(learner, piece);
    (void)thread;
    if (ppo->ranks.of.ranks == 1)
        sn__gradient_sum(learner->shard, first, count, learner->gradient);
    else
        sn__ppo_unpack(ppo, learner, first, count);
    learner->squares[piece] = sn__gradient_squares(first, count, learner->gradient);
}

static void step_piece(void *user, int thread, int item) {
    struct sn__ppo *ppo = user;
    int piece;
    struct sn__learner *learner = learner_of(ppo, item, &piece);
    (void)thread;
    if (ppo->resting && learner == &ppo->actor) return;
    sn__optimiser_apply(&learner->optimiser, piece * SN__PIECE, piece_size(learner, piece), learner->rate,
                        learner->scale, learner->gradient, learner->theta);
}

static void begin_step(struct sn__learner *learner, double most) {
    double squares = 0;
    for (int i = 0; i < pieces(learner); i++)
        squares += learner->squares[i];
    learner->scale = sn__gradient_scale(squares, most);
    sn__optimiser_begin(&learner->optimiser);
}

/* Gradients of all shards, added up; what the shards measured as well. */
static sn_status find_gradients(struct sn__ppo *ppo, struct sn__ppo_shard *sum, sn_error *error) {
    const int all = pieces(&ppo->actor) + pieces(&ppo->critic);
    memset(ppo->shard, 0, sizeof ppo->shard);
    sn__ppo_set_deviation(ppo);
    sn__pool_run(ppo->pool, transpose_weights, ppo, 2);
    sn__pool_run(ppo->pool, run_shard, ppo, 2 * own_shards(ppo));
    if (ppo->ranks.of.ranks > 1) {
        sn__pool_run(ppo->pool, pack_piece, ppo, all);
        const sn_status status = sn__ppo_exchange(ppo, error);
        if (status) return status;
    }
    sn__pool_run(ppo->pool, sum_piece, ppo, all);
    *sum = (struct sn__ppo_shard){0};
    for (int i = 0; i < SN__SHARDS; i++) {
        sum->surrogate += ppo->shard[i].surrogate;
        sum->value_loss += ppo->shard[i].value_loss;
        sum->kl += ppo->shard[i].kl;
        sum->clipped += ppo->shard[i].clipped;
    }
    return SN_OK;
}

static sn_status run_minibatch(struct sn__ppo *ppo, struct sn__ppo_shard *sum, sn_error *error) {
    const double most = ppo->def.kl_stop * ppo->def.kl_target;
    const sn_status status = find_gradients(ppo, sum, error);
    if (status) return status;
    if (most > 0 && sum->kl / ppo->def.minibatch > most) ppo->resting = true;
    if (!ppo->resting) begin_step(&ppo->actor, ppo->def.gradient_norm);
    begin_step(&ppo->critic, ppo->def.gradient_norm);
    sn__pool_run(ppo->pool, step_piece, ppo, pieces(&ppo->actor) + pieces(&ppo->critic));
    return SN_OK;
}

/* The actor's rate: smaller when the policy moved too far, larger when it hardly moved. */
static void adapt_rate(struct sn__ppo *ppo, double kl) {
    const sn_trainer_def *def = &ppo->def;
    double rate = ppo->actor.rate;
    if (!(def->kl_target > 0)) return;
    if (kl > 2 * def->kl_target)
        rate /= 1.5;
    else if (kl < .5 * def->kl_target)
        rate *= 1.5;
    ppo->actor.rate = fmin(fmax(rate, def->rate_low), def->rate_high);
}

sn_status sn__ppo_update(struct sn__ppo *ppo, sn_training *report, sn_error *error) {
    const sn_trainer_def *def = &ppo->def;
    const double all = (double)ppo->total * def->epochs;
    report->kl = report->clipped = report->surrogate = report->value_loss = 0;
    normalise_advantages(ppo);
    ppo->resting = false;
    for (int epoch = 0; epoch < def->epochs; epoch++) {
        shuffle(ppo, epoch);
        for (int at = 0; at < ppo->total; at += def->minibatch) {
            ppo->minibatch_at = at;
            struct sn__ppo_shard sum;
            const sn_status status = run_minibatch(ppo, &sum, error);
            if (status) return status;
            report->surrogate += sum.surrogate / all;
            report->value_loss += sum.value_loss / all;
            if (epoch < def->epochs - 1) continue;
            report->kl += sum.kl / ppo->total;
            report->clipped += sum.clipped / ppo->total;
        }
    }
    adapt_rate(ppo, report->kl);
    return SN_OK;
}
