/* A trainer: made, run, asked. */
#include "learn/ppo.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"

/* -------------------------------------------------------------------------------------------------- checks */

static bool inside(double x, double low, double high) {
    return x >= low && x <= high; /* false for NaN */
}

sn_status sn__ppo_check(const sn_environment *env, const sn_trainer_def *def, sn_error *error) {
    if (def->horizon < 1 || def->minibatch < SN__SHARDS || def->epochs < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "horizon %d, minibatch %d, epochs %d: at least 1, %d and 1 are needed", def->horizon,
                        def->minibatch, def->epochs, SN__SHARDS);
    const int64_t total = (int64_t)env->parts * env->copies * def->horizon;
    if (total > 1 << 28) return sn__fail(error, SN_ERROR_TOO_LARGE, "a rollout of more than 2^28 samples");
    if (total % def->minibatch)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "a rollout has %lld samples (%d copies, %d steps): minibatches of %d do not divide it",
            (long long)total, env->parts * env->copies, def->horizon, def->minibatch);
    const struct {
        const char *name;
        double value, low, high;
    } range[] = {
        {"gamma", def->gamma, 0, 1},
        {"gae_lambda", def->gae_lambda, 0, 1},
        {"clip", def->clip, 1e-6, 1e6},
        {"advantage_clip", def->advantage_clip, 0, 1e6},
        {"actor_rate", def->actor_rate, 0, 1e3},
        {"critic_rate", def->critic_rate, 0, 1e3},
        {"kl_target", def->kl_target, 0, 1e3},
        {"kl_stop", def->kl_stop, 0, 1e6},
        {"rate_low", def->rate_low, 0, 1e3},
        {"rate_high", def->rate_high, def->rate_low, 1e3},
        {"gradient_norm", def->gradient_norm, 0, 1e9},
        {"noise", def->noise, 1e-6, 1e3},
        {"entropy", def->entropy, 0, 1e3},
        {"last_layer", def->last_layer, 0, 1e3},
        {"normalise_samples", def->normalise_samples, 0, 1e18},
        {"value_low", def->value_low, -1e9, 1e9},
        {"value_high", def->value_high, def->value_low, 1e9},
    };
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (!inside(range[i].value, range[i].low, range[i].high))
            return sn__fail(error, SN_ERROR_ARGUMENT, "%s is %g: it must be from %g to %g", range[i].name,
                            range[i].value, range[i].low, range[i].high);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------ made and freed */

enum { MOST_HIDDEN = sizeof((sn_trainer_def *)0)->hidden / sizeof(int) };

static sn_status init_net(struct sn__net *net, const struct sn__ppo *ppo, int outputs, sn_error *error) {
    int hidden = 0;
    *net = (struct sn__net){.hidden = ppo->def.tanh ? SN__TANH : SN__RELU, .output = SN__LINEAR};
    net->width[0] = ppo->env->observations;
    while (hidden < MOST_HIDDEN && ppo->def.hidden[hidden]) {
        net->width[hidden + 1] = ppo->def.hidden[hidden];
        hidden++;
    }
    net->width[hidden + 1] = outputs;
    net->layers = hidden + 1;
    return sn__net_init(net, error);
}

/* Parameters and gradients; `extra` of them stand behind the net's. */
static bool make_learner(struct sn__learner *learner, const sn_trainer_def *def, int extra, bool learned) {
    const int room = learner->net.count + extra;
    const size_t bytes = (size_t)room * sizeof(real);
    learner->count = learned ? room : learner->net.count;
    learner->theta = sn__alloc_aligned(bytes);
    learner->gradient = sn__alloc_aligned(bytes);
    learner->transposed = sn__alloc_aligned(bytes);
    learner->squares = sn__alloc((size_t)(room / SN__PIECE + 1), sizeof *learner->squares);
    bool made = learner->theta && learner->gradient && learner->transposed && learner->squares;
    for (int i = 0; i < SN__SHARDS; i++) {
        learner->shard[i] = sn__alloc_aligned(bytes);
        made = made && learner->shard[i];
    }
    return made && sn__optimiser_make(&learner->optimiser, def->momentum ? SN__MOMENTUM : SN__ADAM, room);
}

static void free_learner(struct sn__learner *learner) {
    sn__free_all(learner->theta, learner->gradient, learner->transposed, learner->squares);
    for (int i = 0; i < SN__SHARDS; i++)
        sn__free(learner->shard[i]);
    sn__optimiser_free(&learner->optimiser);
}

static bool make_bench(struct sn__ppo_bench *bench, const struct sn__ppo *ppo) {
    const size_t copies = (size_t)ppo->env->copies, n = (size_t)ppo->env->observations;
    const size_t actions = (size_t)ppo->env->actions;
    const int shard = ppo->def.minibatch / SN__SHARDS + 1;
    bench->rows = ppo->env->copies > shard ? ppo->env->copies : shard;
    const size_t rows = (size_t)bench->rows;
    bench->observation = sn__alloc(rows * n, sizeof(real));
    bench->output = sn__alloc(rows * actions, sizeof(real));
    bench->batch_action = sn__alloc(rows * actions, sizeof(real));
    bench->batch_scalar = sn__alloc(rows * 2, sizeof(real));
    bench->action = sn__alloc(copies * actions, sizeof(float));
    bench->out.reward = sn__alloc(copies, sizeof(float));
    bench->out.terminated = sn__alloc(copies, sizeof(bool));
    bench->out.truncated = sn__alloc(copies, sizeof(bool));
    bench->out.final = sn__alloc(copies * n, sizeof(float));
    bench->out.episode_return = sn__alloc(copies, sizeof(double));
    bench->out.episode_length = sn__alloc(copies, sizeof(int32_t));
    return bench->observation && bench->output && bench->batch_action && bench->batch_scalar &&
           bench->action && bench->out.reward && bench->out.terminated && bench->out.truncated &&
           bench->out.final && bench->out.episode_return && bench->out.episode_length &&
           sn__tape_make(&bench->actor, &ppo->actor.net, bench->rows) &&
           sn__tape_make(&bench->critic, &ppo->critic.net, bench->rows);
}

static void free_bench(struct sn__ppo_bench *bench) {
    sn__free_all(bench->observation, bench->output, bench->batch_action, bench->batch_scalar, bench->action,
                 bench->out.reward, bench->out.terminated, bench->out.truncated, bench->out.final,
                 bench->out.episode_return, bench->out.episode_length);
    sn__tape_free(&bench->actor);
    sn__tape_free(&bench->critic);
}

static bool make_parts(struct sn__ppo *ppo) {
    const size_t n = (size_t)ppo->env->observations, parts = (size_t)ppo->env->parts;
    ppo->part = sn__alloc(parts, sizeof *ppo->part);
    ppo->moments = sn__alloc(parts * 2 * n, sizeof *ppo->moments);
    ppo->tally = sn__alloc(parts, sizeof *ppo->tally);
    if (!ppo->part || !ppo->moments || !ppo->tally) return false;
    for (size_t i = 0; i < parts; i++)
        ppo->part[i] = (struct sn__ppo_part){.sum = ppo->moments + 2 * i * n,
                                             .square = ppo->moments + (2 * i + 1) * n,
                                             .tally = ppo->tally + i};
    return true;
}

static bool make_rollout(struct sn__ppo *ppo) {
    const size_t total = (size_t)ppo->total, n = (size_t)ppo->env->observations;
    const size_t row = (size_t)ppo->env->parts * (size_t)ppo->env->copies;
    ppo->now = sn__alloc(row * n, sizeof(float));
    ppo->observation = sn__alloc(total * n, sizeof(real));
    ppo->action = sn__alloc(total * (size_t)ppo->env->actions, sizeof(real));
    ppo->log_probability = sn__alloc(total, sizeof(real));
    ppo->reward = sn__alloc(total, sizeof(real));
    ppo->advantage = sn__alloc(total, sizeof(real));
    ppo->target = sn__alloc(total, sizeof(real));
    ppo->value = sn__alloc(total + row, sizeof(real));
    ppo->final_value = sn__alloc(total, sizeof(real));
    ppo->terminated = sn__alloc(total, sizeof(bool));
    ppo->truncated = sn__alloc(total, sizeof(bool));
    ppo->order = sn__alloc(total, sizeof(int));
    ppo->deviation = sn__alloc((size_t)ppo->env->actions, sizeof(double));
    return ppo->now && ppo->observation && ppo->action && ppo->log_probability && ppo->reward &&
           ppo->advantage && ppo->target && ppo->value && ppo->final_value && ppo->terminated &&
           ppo->truncated && ppo->order && ppo->deviation;
}

static bool make_memory(struct sn__ppo *ppo) {
    const int threads = sn__pool_threads(ppo->pool), actions = ppo->env->actions;
    ppo->bench = sn__alloc((size_t)threads, sizeof *ppo->bench);
    bool made = ppo->bench && make_learner(&ppo->actor, &ppo->def, actions, ppo->def.learn_noise) &&
                make_learner(&ppo->critic, &ppo->def, 0, false) && make_parts(ppo) && make_rollout(ppo) &&
                sn__normaliser_make(&ppo->normaliser, ppo->env->observations) && sn__ppo_wire_make(ppo);
    for (int i = 0; made && i < threads; i++)
        made = make_bench(&ppo->bench[i], ppo);
    return made;
}

static sn_status make(struct sn__ppo *ppo, sn_error *error) {
    const sn_trainer_def *def = &ppo->def;
    sn_status status = init_net(&ppo->actor.net, ppo, ppo->env->actions, error);
    if (!status) status = init_net(&ppo->critic.net, ppo, 1, error);
    if (status) return status;
    ppo->pool = sn__pool_create(def->threads, error);
    if (!ppo->pool) return SN_ERROR_UNSUPPORTED; /* the error says why */
    if (!make_memory(ppo))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a rollout of %d samples and the networks",
                        ppo->total);
    sn__net_fill(&ppo->actor.net, def->seed, 0, def->last_layer, ppo->actor.theta);
    sn__net_fill(&ppo->critic.net, def->seed, 1, 1, ppo->critic.theta);
    for (int j = 0; j < ppo->env->actions; j++)
        ppo->actor.theta[ppo->actor.net.count + j] = (real)sn__log(def->noise);
    ppo->actor.rate = def->actor_rate;
    ppo->critic.rate = def->critic_rate;
    return SN_OK;
}

/* NULL, or one that may only be half made: the status says. */
static struct sn__ppo *create(sn_environment *env, const sn_trainer_def *def, const struct sn__ranks *ranks,
                              sn_status *status, sn_error *error) {
    *status = sn__ppo_check(env, def, error);
    if (*status) return NULL;
    struct sn__ppo *ppo = sn__alloc(1, sizeof *ppo);
    if (!ppo) {
        *status = sn__fail(error, SN_ERROR_MEMORY, "no memory for a trainer");
        return NULL;
    }
    ppo->def = *def;
    ppo->def.exchange = NULL;
    ppo->env = env;
    ppo->ranks = *ranks;
    ppo->gemm = sn__gemm_best();
    ppo->total = env->parts * env->copies * def->horizon;
    *status = make(ppo, error);
    return ppo;
}

struct sn__ppo *sn__ppo_create(sn_environment *env, const sn_trainer_def *def, sn_error *error) {
    struct sn__ranks ranks;
    sn_status status;
    if (sn__ranks_init(&ranks, def->exchange, error)) return NULL;
    struct sn__ppo *ppo = create(env, def, &ranks, &status, error);
    if (!sn__ranks_agree(&ranks, status, error)) return ppo;
    sn__ppo_free(ppo);
    return NULL;
}

void sn__ppo_free(struct sn__ppo *ppo) {
    if (!ppo) return;
    for (int i = 0; ppo->bench && i < sn__pool_threads(ppo->pool); i++)
        free_bench(&ppo->bench[i]);
    free_learner(&ppo->actor);
    free_learner(&ppo->critic);
    sn__normaliser_free(&ppo->normaliser);
    sn__free_all(ppo->bench, ppo->part, ppo->now, ppo->observation, ppo->action, ppo->log_probability,
                 ppo->reward, ppo->advantage, ppo->target, ppo->value, ppo->final_value, ppo->terminated,
                 ppo->truncated, ppo->order, ppo->deviation, ppo->moments, ppo->tally, ppo->wire.bytes);
    sn__pool_free(ppo->pool);
    sn__free(ppo);
}

/* ------------------------------------------------------------------------------------------------- used */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Parts in their order, so that the sums do not depend on who was first. */
static void merge_parts(struct sn__ppo *ppo, sn_training *report) {
    const double most = ppo->def.normalise_samples;
    const bool learn = most <= 0 || (double)ppo->samples <= most;
    struct sn__ppo_part *all = &ppo->part[0];
    report->episodes = 0;
    double returns = 0, lengths = 0, rewards = 0;
    for (int i = 0; i < ppo->env->parts; i++) {
        const struct sn__ppo_part *p = &ppo->part[i];
        report->episodes += (int)p->tally->episodes;
        returns += p->tally->returns;
        lengths += p->tally->lengths;
        rewards += p->tally->rewards;
        for (int j = 0; i && j < ppo->env->observations; j++) {
            all->sum[j] += p->sum[j];
            all->square[j] += p->square[j];
        }
    }
    if (learn) sn__normaliser_merge(&ppo->normaliser, ppo->total, all->sum, all->square);
    report->mean_return = report->episodes ? returns / report->episodes : (double)NAN;
    report->mean_length = report->episodes ? lengths / report->episodes / ppo->env->info.rate : (double)NAN;
    report->mean_reward = rewards / ppo->total;
}

/* How much of what came the critic had foretold; of a rollout that was all alike 0. */
static double explained(const struct sn__ppo *ppo) {
    const int steps = ppo->def.horizon, copies = ppo->env->copies;
    double mean = 0, miss = 0, spread = 0;
    for (int i = 0; i < ppo->total; i++)
        mean += (double)ppo->target[i] / ppo->total;
    for (int i = 0; i < ppo->total; i++) {
        const int part = i / (steps * copies);
        const double off = (double)(ppo->target[i] - ppo->value[i + part * copies]);
        const double away = (double)ppo->target[i] - mean;
        miss += off * off;
        spread += away * away;
    }
    return spread > 0 ? 1 - miss / spread : 0;
}

static double mean_noise(struct sn__ppo *ppo) {
    double sum = 0;
    sn__ppo_set_deviation(ppo);
    for (int j = 0; j < ppo->env->actions; j++)
        sum += ppo->deviation[j];
    return sum / ppo->env->actions;
}

/* Ranks on machines of different kinds could drift apart, which nothing else would tell. */
static sn_status compare_bits(struct sn__ppo *ppo, sn_error *error) {
    enum { EVERY = 8 }; /* iterations */
    if (ppo->ranks.of.ranks == 1 || ppo->iterations % EVERY != 1) return SN_OK;
    const uint64_t actor = sn__hash(ppo->actor.theta, sn__cells(ppo->actor.count, sizeof(real)), 0),
                   both = sn__hash(ppo->critic.theta, sn__cells(ppo->critic.count, sizeof(real)), actor);
    return sn__ranks_same(&ppo->ranks, both, "the network, which must have the same bits on all machines,",
                          error);
}

sn_status sn__ppo_iterate(struct sn__ppo *ppo, sn_training *report, sn_error *error) {
    const double start = seconds();
    const int blas = sn__gemm_begin();
    sn_training r = {0};
    sn_status status = sn__ppo_collect(ppo, error);
    r.collect_seconds = seconds() - start;
    r.explained = status ? 0 : explained(ppo);
    if (!status && ppo->iterations) status = sn__ppo_update(ppo, &r, error);
    if (!status) merge_parts(ppo, &r);
    sn__gemm_end(blas);
    if (!status) status = compare_bits(ppo, error);
    if (status) return status;
    ppo->iterations++;
    r.iterations = ppo->iterations;
    r.samples = ppo->samples;
    r.actor_rate = ppo->actor.rate;
    r.noise = mean_noise(ppo);
    r.update_seconds = seconds() - start - r.collect_seconds;
    if (report) *report = r;
    if (!isfinite(r.kl) || !isfinite(r.value_loss) || !isfinite(r.mean_reward) || !isfinite(r.noise))
        return sn__fail(error, SN_ERROR_NOT_FINITE,
                        "the training diverged in iteration %llu: a loss or a reward is not finite",
                        (unsigned long long)ppo->iterations);
    return sn__succeed(error);
}

void sn__ppo_act(struct sn__ppo *ppo, int rows, const float *observation, float *action) {
    struct sn__ppo_bench *bench = &ppo->bench[0];
    const int n = ppo->env->observations, actions = ppo->env->actions, blas = sn__gemm_begin();
    for (int at = 0; at < rows; at += bench->rows) {
        const int some = rows - at < bench->rows ? rows - at : bench->rows;
        sn__normaliser_apply(&ppo->normaliser, some, observation + (size_t)at * (size_t)n,
                             bench->observation);
        const real *mean = sn__net_forward(&ppo->actor.net, &ppo->gemm, ppo->actor.theta, some,
                                           bench->observation, &bench->actor);
        for (int i = 0; i < some * actions; i++)
            action[at * actions + i] = (float)mean[i];
    }
    sn__gemm_end(blas);
}
