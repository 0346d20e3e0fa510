/* The losses of PPO and their gradients by the outputs of the nets. */
#include <math.h>

#include "base/elementary.h"
#include "learn/ppo.h"

/* log N(a; mean, noise) without the constant, which no ratio sees. */
static double log_probability(const struct sn__ppo_batch *batch, int row, const real *mean) {
    double sum = 0;
    for (int j = 0; j < batch->actions; j++) {
        const int at = row * batch->actions + j;
        const double z = ((double)batch->action[at] - (double)mean[at]) / batch->deviation[j];
        sum -= .5 * z * z + (double)batch->log_noise[j];
    }
    return sum;
}

/* With r = p_now(a) / p_then(a), what is maximised is the mean of min(r A, clip(r, 1 - c, 1 + c) A). Where the clipped one
   is the smaller, moving r on gains nothing: the gradient is 0. Elsewhere it is A r times that of log p. */
void sn__ppo_actor_gradient(const sn_trainer_def *def, const struct sn__ppo_batch *batch, const real *mean,
                            real *d_mean, real *d_log_noise, struct sn__ppo_shard *sums) {
    for (int j = 0; d_log_noise && j < batch->actions; j++)
        d_log_noise[j] = 0;
    for (int i = 0; i < batch->rows; i++) {
        const double change = log_probability(batch, i, mean) - (double)batch->log_probability[i];
        const double ratio = sn__exp(fmin(change, 20)), advantage = (double)batch->advantage[i];
        const double kept = fmin(fmax(ratio, 1 - def->clip), 1 + def->clip);
        const bool idle = kept * advantage < ratio * advantage;
        const double push = idle ? 0 : -advantage * ratio / batch->minibatch; /* of the loss by log p */
        for (int j = 0; j < batch->actions; j++) {
            const int at = i * batch->actions + j;
            const double z = ((double)batch->action[at] - (double)mean[at]) / batch->deviation[j];
            d_mean[at] = (real)(push * z / batch->deviation[j]);
            if (d_log_noise) d_log_noise[j] += (real)(push * (z * z - 1) - def->entropy / batch->minibatch);
        }
        sums->surrogate += fmin(ratio * advantage, kept * advantage);
        sums->kl += ratio - 1 - change; /* at least 0, and its mean is the divergence */
        sums->clipped += kept != ratio;
    }
}

/* The mean of (V - target)^2 / 2. */
void sn__ppo_critic_gradient(const struct sn__ppo_batch *batch, const real *value, real *d_value,
                             struct sn__ppo_shard *sums) {
    for (int i = 0; i < batch->rows; i++) {
        const double miss = (double)value[i] - (double)batch->target[i];
        d_value[i] = (real)(miss / batch->minibatch);
        sums->value_loss += .5 * miss * miss;
    }
}
