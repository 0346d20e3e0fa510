/* The rollout: each part of the environment runs its `horizon` steps by itself. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "learn/advantage.h"
#include "learn/ppo.h"
#include "learn/random.h"

/* Actions about their means; the logarithm of their probability without its constant, as ppo_loss.c has it. The random
   numbers of a copy's step have their own cell. */
static void draw_actions(struct sn__ppo *ppo, int part, int sample, const real *mean, float *sent) {
    const int actions = ppo->env->actions, copies = ppo->env->copies;
    const uint64_t step =
        ppo->iterations * (uint64_t)ppo->def.horizon + (uint64_t)(sample / copies % ppo->def.horizon);
    const real *log_noise = ppo->actor.theta + ppo->actor.net.count;
    for (int i = 0; i < copies; i++) {
        struct sn__random r =
            sn__random_at(ppo->def.seed, SN__STREAM_ACTION, (uint32_t)(part * copies + i), step);
        real *action = ppo->action + sn__cells(sample + i, actions);
        double sum = 0;
        for (int j = 0; j < actions; j++) {
            const double z = sn__random_normal(&r);
            action[j] = mean[i * actions + j] + (real)(z * ppo->deviation[j]);
            sent[i * actions + j] = (float)action[j];
            sum -= .5 * z * z + (double)log_noise[j];
        }
        ppo->log_probability[sample + i] = (real)sum;
    }
}

static void value_of(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int rows, const real *observation,
                     real *value) {
    const sn_trainer_def *def = &ppo->def;
    for (int at = 0; at < rows; at += bench->rows) {
        const int some = rows - at < bench->rows ? rows - at : bench->rows;
        const real *v = sn__net_forward(&ppo->critic.net, &ppo->gemm, ppo->critic.theta, some,
                                        observation + sn__cells(at, ppo->env->observations), &bench->critic);
        for (int i = 0; i < some; i++) {
            const bool free = def->value_low >= def->value_high;
            value[at + i] = free ? v[i] : (real)fmin(fmax((double)v[i], def->value_low), def->value_high);
        }
    }
}

/* What the normaliser will learn from, in the order of steps and copies. */
static void add_moments(const struct sn__normaliser *n, int rows, const float *x, struct sn__ppo_part *part) {
    for (int i = 0; i < rows; i++, x += n->width)
        for (int j = 0; j < n->width; j++) {
            const double d = (double)(x[j] - n->shift[j]);
            part->sum[j] += d;
            part->square[j] += d * d;
        }
}

static void add_statistics(struct sn__ppo *ppo, int part, int sample, const sn_environment_out *out) {
    struct sn__ppo_part *p = &ppo->part[part];
    for (int i = 0; i < ppo->env->copies; i++) {
        const bool ended = out->terminated[i] || out->truncated[i];
        p->tally->rewards += (double)out->reward[i];
        ppo->reward[sample + i] = (real)out->reward[i];
        ppo->terminated[sample + i] = out->terminated[i];
        ppo->truncated[sample + i] = out->truncated[i] && !out->terminated[i];
        if (!ended) continue;
        p->tally->returns += out->episode_return[i];
        p->tally->lengths += out->episode_length[i];
        p->tally->episodes++;
    }
}

/* Values of the last observations of episodes whose time was up. Rows of the others hold nothing: they are cleared. */
static void value_final(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int sample) {
    const int copies = ppo->env->copies, n = ppo->env->observations;
    bool some = false;
    for (int i = 0; i < copies; i++) {
        some = some || ppo->truncated[sample + i];
        if (!ppo->truncated[sample + i])
            memset(bench->out.final + sn__cells(i, n), 0, sn__cells(n, sizeof(float)));
    }
    if (!some) return;
    sn__normaliser_apply(&ppo->normaliser, copies, bench->out.final, bench->observation);
    value_of(ppo, bench, copies, bench->observation, ppo->final_value + sample);
}

static sn_status step_part(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int part, int t) {
    sn_environment *env = ppo->env;
    const int copies = env->copies, n = env->observations, sample = (part * ppo->def.horizon + t) * copies;
    struct sn__ppo_part *p = &ppo->part[part];
    float *now = ppo->now + sn__cells(part * copies, n);
    real *observation = ppo->observation + sn__cells(sample, n);
    add_moments(&ppo->normaliser, copies, now, p);
    sn__normaliser_apply(&ppo->normaliser, copies, now, observation);
    const real *mean =
        sn__net_forward(&ppo->actor.net, &ppo->gemm, ppo->actor.theta, copies, observation, &bench->actor);
    draw_actions(ppo, part, sample, mean, bench->action);
    sn_environment_out out = bench->out;
    out.observation = now;
    const sn_status status =
        sn__environment_step_part(env, part, SN_AUTORESET_SAME_STEP, bench->action, &out, &p->error);
    if (status) return status;
    add_statistics(ppo, part, sample, &out);
    value_final(ppo, bench, sample);
    return SN_OK;
}

/* Values of all observations at once, of what comes after the last, then the advantages. */
static void judge_part(struct sn__ppo *ppo, struct sn__ppo_bench *bench, int part) {
    const int copies = ppo->env->copies, n = ppo->env->observations, steps = ppo->def.horizon;
    const int first = part * steps * copies;
    real *value = ppo->value + sn__cells(part * (steps + 1), copies);
    value_of(ppo, bench, steps * copies, ppo->observation + sn__cells(first, n), value);
    sn__normaliser_apply(&ppo->normaliser, copies, ppo->now + sn__cells(part * copies, n),
                         bench->observation);
    value_of(ppo, bench, copies, bench->observation, value + sn__cells(steps, copies));
    const struct sn__trace trace = {steps,
                                    copies,
                                    ppo->reward + first,
                                    ppo->terminated + first,
                                    ppo->truncated + first,
                                    value,
                                    ppo->final_value + first};
    sn__advantages(&trace, ppo->def.gamma, ppo->def.gae_lambda, ppo->advantage + first, ppo->target + first);
}

/* The item-th of this rank's parts. */
static void run_part(void *user, int thread, int item) {
    struct sn__ppo *ppo = user;
    struct sn__ppo_bench *bench = &ppo->bench[thread];
    const int part = sn__ranks_first(&ppo->ranks, ppo->env->parts, ppo->ranks.of.rank) + item;
    struct sn__ppo_part *p = &ppo->part[part];
    const size_t n = (size_t)ppo->env->observations;
    memset(p->sum, 0, n * sizeof *p->sum);
    memset(p->square, 0, n * sizeof *p->square);
    *p->tally = (struct sn__ppo_tally){0};
    p->error = (sn_error){SN_OK, ""};
    if (!ppo->begun)
        p->error.status = sn__environment_begin_part(
            ppo->env, part, ppo->now + sn__cells(part * ppo->env->copies, ppo->env->observations), &p->error);
    for (int t = 0; t < ppo->def.horizon && !p->error.status; t++)
        p->error.status = step_part(ppo, bench, part, t);
    if (!p->error.status) judge_part(ppo, bench, part);
}

void sn__ppo_set_deviation(struct sn__ppo *ppo) {
    for (int j = 0; j < ppo->env->actions; j++)
        ppo->deviation[j] = sn__exp((double)ppo->actor.theta[ppo->actor.net.count + j]);
}

sn_status sn__ppo_collect(struct sn__ppo *ppo, sn_error *error) {
    const int begin = sn__ranks_first(&ppo->ranks, ppo->env->parts, ppo->ranks.of.rank),
              end = sn__ranks_first(&ppo->ranks, ppo->env->parts, ppo->ranks.of.rank + 1);
    sn_status status = SN_OK;
    sn__ppo_set_deviation(ppo);
    sn__pool_run(ppo->pool, run_part, ppo, end - begin);
    for (int i = begin; i < end && !status; i++) {
        status = ppo->part[i].error.status;
        if (status && error) *error = ppo->part[i].error;
    }
    status = sn__ranks_agree(&ppo->ranks, status, error);
    if (!status) status = sn__ppo_share_rollout(ppo, error);
    if (status) return status;
    ppo->begun = true;
    ppo->samples += (uint64_t)ppo->total;
    return SN_OK;
}
