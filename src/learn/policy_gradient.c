/* Episodes in all copies, then a step along the gradient. */
#include "learn/policy_gradient.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/random.h"

/* What a thread has while it runs a part. */
struct sn__pg_bench {
    struct sn__tape tape, episode; /* for all copies abreast; for all steps of one */
    real *observation;             /* [copies][steps][observations] as they came */
    real *push;                    /* [copies][steps][actions]: (a - mean) / noise^2 */
    real *now;                     /* [copies][observations] */
    float *action;                 /* [copies][actions] */
    float *seen;                   /* [copies][observations] */
    struct sn__transition out;
    bool *over; /* [copies] the episode has ended */
};

struct sn__pg_def sn__pg_default(void) {
    return (struct sn__pg_def){.activation = SN__TANH,
                               .steps = 100,
                               .gamma = 1,
                               .noise = .1,
                               .natural = true,
                               .rate = .01,
                               .natural_rate = 1,
                               .divergence = .05,
                               .damping = 1e-3};
}

/* ------------------------------------------------------------------------------------------- made and freed */

static sn_status check(const struct sn__environment *env, const struct sn__pg_def *def, sn_error *error) {
    if (!env->reset || !env->step || env->parts < 1 || env->copies < 1 || env->observations < 1 ||
        env->actions < 1)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "the environment needs reset, step, and at least 1 part, copy, observation and action");
    if ((int64_t)env->parts * env->copies > 4096)
        return sn__fail(error, SN_ERROR_TOO_LARGE, "policy gradients take at most 4096 episodes at a time");
    if (def->steps < 1 || !(def->gamma >= 0 && def->gamma <= 1) || !(def->noise > 0) || !(def->rate >= 0) ||
        !(def->natural_rate >= 0) || !(def->divergence >= 0) || !(def->damping > 0))
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "steps %d, gamma %g, noise %g, rate %g, divergence %g, damping %g: one of them cannot be",
            def->steps, def->gamma, def->noise, def->rate, def->divergence, def->damping);
    return SN_OK;
}

static sn_status init_net(struct sn__pg *pg, sn_error *error) {
    int hidden = 0;
    struct sn__net *net = &pg->net;
    *net = (struct sn__net){.hidden = pg->def.activation, .output = SN__LINEAR};
    net->width[0] = pg->env.observations;
    while (hidden < 4 && pg->def.hidden[hidden]) {
        net->width[hidden + 1] = pg->def.hidden[hidden];
        hidden++;
    }
    net->width[hidden + 1] = pg->env.actions;
    net->layers = hidden + 1;
    return sn__net_init(net, error);
}

static bool make_bench(struct sn__pg_bench *b, const struct sn__pg *pg) {
    const size_t copies = (size_t)pg->env.copies, n = (size_t)pg->env.observations,
                 steps = (size_t)pg->def.steps;
    const size_t actions = (size_t)pg->env.actions;
    b->observation = sn__alloc(copies * steps * n, sizeof(real));
    b->push = sn__alloc(copies * steps * actions, sizeof(real));
    b->now = sn__alloc(copies * n, sizeof(real));
    b->action = sn__alloc(copies * actions, sizeof(float));
    b->seen = sn__alloc(copies * n, sizeof(float));
    b->out = (struct sn__transition){.observation = b->seen,
                                     .reward = sn__alloc(copies, sizeof(float)),
                                     .terminated = sn__alloc(copies, sizeof(bool)),
                                     .truncated = sn__alloc(copies, sizeof(bool)),
                                     .final = sn__alloc(copies * n, sizeof(float))};
    b->over = sn__alloc(copies, sizeof(bool));
    return b->observation && b->push && b->now && b->action && b->seen && b->out.reward &&
           b->out.terminated && b->out.truncated && b->out.final && b->over &&
           sn__tape_make(&b->tape, &pg->net, pg->env.copies) &&
           sn__tape_make(&b->episode, &pg->net, pg->def.steps);
}

static void free_bench(struct sn__pg_bench *b) {
    sn__free_all(b->observation, b->push, b->now, b->action, b->seen, b->out.reward, b->out.terminated,
                 b->out.truncated, b->out.final, b->over);
    sn__tape_free(&b->tape);
    sn__tape_free(&b->episode);
}

static bool make_memory(struct sn__pg *pg) {
    const size_t count = (size_t)pg->net.count, episodes = (size_t)pg->episodes;
    const int threads = sn__pool_threads(pg->pool);
    pg->theta = sn__alloc(count, sizeof(real));
    pg->gradient = sn__alloc(count, sizeof(real));
    pg->psi = sn__alloc(episodes * count, sizeof(real));
    pg->returns = sn__alloc(episodes, sizeof(double));
    pg->length = sn__alloc(episodes, sizeof(int));
    pg->gram = sn__alloc(episodes * episodes, sizeof(double));
    pg->weight = sn__alloc(episodes, sizeof(double));
    pg->error = sn__alloc((size_t)pg->env.parts, sizeof(sn_error));
    pg->bench = sn__alloc((size_t)threads, sizeof *pg->bench);
    bool made = pg->theta && pg->gradient && pg->psi && pg->returns && pg->length && pg->gram && pg->weight &&
                pg->error && pg->bench && sn__optimiser_make(&pg->optimiser, SN__ADAM, pg->net.count);
    for (int i = 0; made && i < threads; i++)
        made = make_bench(&pg->bench[i], pg);
    return made;
}

struct sn__pg *sn__pg_create(const struct sn__environment *env, const struct sn__pg_def *def,
                             sn_error *error) {
    if (check(env, def, error)) return NULL;
    struct sn__pg *pg = sn__alloc(1, sizeof *pg);
    if (!pg) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a trainer");
        return NULL;
    }
    *pg = (struct sn__pg){
        .def = *def, .env = *env, .gemm = sn__gemm_best(), .episodes = env->parts * env->copies};
    bool made = !init_net(pg, error) && (pg->pool = sn__pool_create(def->threads, error));
    if (made && !make_memory(pg)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for %d episodes of %d steps", pg->episodes, def->steps);
        made = false;
    }
    if (!made) {
        sn__pg_free(pg);
        return NULL;
    }
    sn__net_fill(&pg->net, def->seed, 0, .1, pg->theta);
    return pg;
}

void sn__pg_free(struct sn__pg *pg) {
    if (!pg) return;
    for (int i = 0; pg->bench && i < sn__pool_threads(pg->pool); i++)
        free_bench(&pg->bench[i]);
    sn__optimiser_free(&pg->optimiser);
    sn__free_all(pg->theta, pg->gradient, pg->psi, pg->returns, pg->length, pg->gram, pg->weight, pg->error,
                 pg->bench);
    sn__pool_free(pg->pool);
    sn__free(pg);
}

/* ------------------------------------------------------------------------------------------------- episodes */

/* Acts in all copies; remembers what those saw and did whose episode runs. */
static void act(struct sn__pg *pg, struct sn__pg_bench *b, int part, int t) {
    const int copies = pg->env.copies, n = pg->env.observations, actions = pg->env.actions,
              steps = pg->def.steps;
    const double noise = pg->def.noise;
    for (int i = 0; i < copies * n; i++)
        b->now[i] = (real)b->seen[i];
    const real *mean = sn__net_forward(&pg->net, &pg->gemm, pg->theta, copies, b->now, &b->tape);
    for (int i = 0; i < copies; i++) {
        const uint64_t step = pg->iterations * (uint64_t)steps + (uint64_t)t;
        struct sn__random r =
            sn__random_at(pg->def.seed, SN__STREAM_ACTION, (uint32_t)(part * copies + i), step);
        const size_t row = (size_t)i * (size_t)steps + (size_t)t;
        memcpy(b->observation + row * (size_t)n, b->now + i * n, (size_t)n * sizeof(real));
        for (int j = 0; j < actions; j++) {
            const double z = sn__random_normal(&r);
            b->action[i * actions + j] = (float)((double)mean[i * actions + j] + noise * z);
            b->push[row * (size_t)actions + (size_t)j] = (real)(z / noise);
        }
    }
}

/* Rewards of a step; true: all episodes are over. */
static bool reap(struct sn__pg *pg, struct sn__pg_bench *b, int part, double discount) {
    bool all = true;
    for (int i = 0; i < pg->env.copies; i++) {
        const int e = part * pg->env.copies + i;
        if (b->over[i]) continue;
        pg->returns[e] += discount * (double)b->out.reward[i];
        pg->length[e]++;
        b->over[i] = b->out.terminated[i] || b->out.truncated[i];
        all = all && b->over[i];
    }
    return all;
}

/* psi: one pass backward over an episode's steps, from the gradients of log pi by the means. */
static void judge(struct sn__pg *pg, struct sn__pg_bench *b, int part) {
    const size_t n = (size_t)pg->env.observations, actions = (size_t)pg->env.actions,
                 steps = (size_t)pg->def.steps;
    for (int i = 0; i < pg->env.copies; i++) {
        const int e = part * pg->env.copies + i;
        const real *x = b->observation + (size_t)i * steps * n;
        sn__net_forward(&pg->net, &pg->gemm, pg->theta, pg->length[e], x, &b->episode);
        sn__net_backward(&pg->net, &pg->gemm, pg->theta, pg->length[e], x, &b->episode,
                         b->push + (size_t)i * steps * actions, pg->psi + (size_t)e * (size_t)pg->net.count,
                         NULL);
    }
}

static void run_part(void *user, int thread, int part) {
    struct sn__pg *pg = user;
    struct sn__pg_bench *b = &pg->bench[thread];
    sn_error *error = &pg->error[part];
    double discount = 1;
    memset(b->over, 0, (size_t)pg->env.copies * sizeof(bool));
    for (int i = 0; i < pg->env.copies; i++) {
        pg->returns[part * pg->env.copies + i] = 0;
        pg->length[part * pg->env.copies + i] = 0;
    }
    *error = (sn_error){SN_OK, ""};
    error->status = pg->env.reset(pg->env.user, part, b->seen, error);
    for (int t = 0; t < pg->def.steps && !error->status; t++, discount *= pg->def.gamma) {
        act(pg, b, part, t);
        error->status = pg->env.step(pg->env.user, part, b->action, &b->out, error);
        if (!error->status && reap(pg, b, part, discount)) break;
    }
    if (!error->status) judge(pg, b, part);
}

/* ---------------------------------------------------------------------------------------------------- steps */

static sn_status climb(struct sn__pg *pg, sn_error *error) {
    const int count = pg->net.count;
    if (!pg->def.natural) {
        sn__pg_plain(pg->episodes, count, pg->psi, pg->returns, pg->gradient);
        for (int k = 0; k < count; k++)
            pg->gradient[k] = -pg->gradient[k]; /* optimisers go down */
        sn__optimiser_begin(&pg->optimiser);
        sn__optimiser_apply(&pg->optimiser, 0, count, pg->def.rate, 1, pg->gradient, pg->theta);
        return SN_OK;
    }
    double rise;
    if (!sn__pg_natural(pg->episodes, count, pg->psi, pg->returns, pg->def.damping, pg->gram, pg->weight,
                        pg->gradient, &rise))
        return sn__fail(error, SN_ERROR_NOT_FINITE,
                        "the natural gradient cannot be worked out: returns are not finite");
    const double length = rise > 0 ? fmin(pg->def.natural_rate, sqrt(2 * pg->def.divergence / rise)) : 0;
    for (int k = 0; k < count; k++)
        pg->theta[k] += (real)(length * (double)pg->gradient[k]);
    return SN_OK;
}

static void fill_report(const struct sn__pg *pg, struct sn__pg_report *r) {
    *r = (struct sn__pg_report){
        .iterations = pg->iterations, .samples = pg->samples, .best_return = pg->returns[0]};
    for (int e = 0; e < pg->episodes; e++) {
        r->mean_return += pg->returns[e] / pg->episodes;
        r->mean_length += (double)pg->length[e] / pg->episodes;
        r->best_return = fmax(r->best_return, pg->returns[e]);
    }
    r->gradient_norm = sqrt(sn__gradient_squares(0, pg->net.count, pg->gradient));
}

sn_status sn__pg_iterate(struct sn__pg *pg, struct sn__pg_report *report, sn_error *error) {
    const int blas = sn__gemm_begin();
    sn__pool_run(pg->pool, run_part, pg, pg->env.parts);
    sn__gemm_end(blas);
    for (int i = 0; i < pg->env.parts; i++)
        if (pg->error[i].status) {
            if (error) *error = pg->error[i];
            return pg->error[i].status;
        }
    for (int e = 0; e < pg->episodes; e++)
        pg->samples += (uint64_t)pg->length[e];
    pg->iterations++;
    const sn_status status = climb(pg, error);
    if (status) return status;
    if (report) fill_report(pg, report);
    return sn__succeed(error);
}
