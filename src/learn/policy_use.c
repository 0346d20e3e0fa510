/* Policies as programs use them: from and to files, memory and arrays; asked for actions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/policy.h"
#include "learn/ppo.h"

sn_policy *sn__policy_wrap(struct sn__policy *of, sn_error *error) {
    sn_policy *policy = sn__alloc(1, sizeof *policy);
    if (policy) {
        policy->of = *of;
        policy->gemm = sn__gemm_best();
        policy->room = sn__alloc(sn__cells(SN__POLICY_ROWS, of->net.width[0]), sizeof(float));
        if (policy->room && sn__tape_make(&policy->tape, &of->net, SN__POLICY_ROWS)) {
            sn__succeed(error);
            return policy;
        }
        sn_policy_free(policy);
    } else {
        sn__policy_free(of);
    }
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
    return NULL;
}

sn_policy *sn_policy_load(const char *path, sn_error *error) {
    struct sn__policy of;
    return sn__policy_read(&of, path, error) ? NULL : sn__policy_wrap(&of, error);
}

sn_status sn_policy_save(const sn_policy *policy, const char *path, sn_error *error) {
    const size_t length = strlen(path);
    if (length >= 5 && !strcmp(path + length - 5, ".onnx"))
        return sn__policy_write_onnx(&policy->of, path, error);
    return sn__policy_write(&policy->of, path, error);
}

sn_policy *sn_policy_parse(const void *bytes, size_t size, sn_error *error) {
    struct sn__policy of;
    return sn__policy_parse(&of, bytes, size, error) ? NULL : sn__policy_wrap(&of, error);
}

size_t sn_policy_write(const sn_policy *policy, void *bytes, size_t size) {
    size_t needed = 0;
    char *data = sn__policy_bytes(&policy->of, &needed);
    if (!data) return 0;
    if (bytes && needed <= size) memcpy(bytes, data, needed);
    sn__free(data);
    return needed;
}

void sn_policy_free(sn_policy *policy) {
    if (!policy) return;
    sn__policy_free(&policy->of);
    sn__tape_free(&policy->tape);
    sn__free_all(policy->room, policy);
}

/* -------------------------------------------------------------------------------------------------------- arrays */

void sn_policy_get(const sn_policy *policy, sn_policy_data *data) {
    const struct sn__policy *p = &policy->of;
    *data = (sn_policy_data){.layers = p->net.layers,
                             .tanh = p->net.hidden == SN__TANH,
                             .squash = p->net.output == SN__TANH,
                             .shift = p->shift,
                             .scale = p->scale,
                             .clip = p->clip,
                             .noise = p->noise,
                             .note = p->note ? p->note : ""};
    for (int i = 0; i <= p->net.layers; i++)
        data->width[i] = p->net.width[i];
    for (int i = 0; i < p->net.layers; i++) {
        data->weight[i] = p->theta + p->net.weights[i];
        data->bias[i] = p->theta + p->net.bias[i];
    }
}

/* A copy of an array whose numbers are all finite. */
static bool copy_finite(float *to, const float *from, size_t count) {
    bool good = from != NULL;
    for (size_t i = 0; i < count && good; i++)
        good = isfinite(to[i] = from[i]);
    return good;
}

static sn_status copy_arrays(struct sn__policy *p, const sn_policy_data *data, sn_error *error) {
    const struct sn__net *net = &p->net;
    const size_t n = (size_t)net->width[0], actions = (size_t)net->width[net->layers];
    bool good = isfinite(data->clip) && data->clip > 0 && copy_finite(p->shift, data->shift, n) &&
                copy_finite(p->scale, data->scale, n);
    if (data->noise) good = good && copy_finite(p->noise, data->noise, actions);
    for (int i = 0; i < net->layers && good; i++)
        good = copy_finite(p->theta + net->weights[i], data->weight[i],
                           sn__cells(net->width[i], net->width[i + 1])) &&
               copy_finite(p->theta + net->bias[i], data->bias[i], (size_t)net->width[i + 1]);
    p->clip = data->clip;
    if (!good)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "an array of the policy is missing, or has a number that is not finite");
    if (data->note && !sn__policy_set_note(p, data->note))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
    return SN_OK;
}

static sn_status fill_policy(struct sn__policy *p, const sn_policy_data *data, sn_error *error) {
    if (data->layers < 1 || data->layers > SN_MAX_POLICY_LAYERS)
        return sn__fail(error, SN_ERROR_ARGUMENT, "%d layers: from 1 to %d are possible", data->layers,
                        SN_MAX_POLICY_LAYERS);
    p->net = (struct sn__net){.layers = data->layers,
                              .hidden = data->tanh ? SN__TANH : SN__RELU,
                              .output = data->squash ? SN__TANH : SN__LINEAR};
    memcpy(p->net.width, data->width, sizeof data->width);
    const sn_status status = sn__net_init(&p->net, error);
    if (status) return status;
    if (!sn__policy_make(p)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
    return copy_arrays(p, data, error);
}

sn_policy *sn_policy_create(const sn_policy_data *data, const sn_environment *env, sn_error *error) {
    struct sn__policy of = {0};
    if (fill_policy(&of, data, error)) {
        sn__policy_free(&of);
        return NULL;
    }
    if (env) sn__policy_sign(&of, env);
    sn_policy *policy = sn__policy_wrap(&of, error);
    if (!policy || !env || !sn_policy_check(policy, env, error)) return policy;
    sn_policy_free(policy);
    return NULL;
}

void sn__policy_sign(struct sn__policy *p, const sn_environment *env) {
    p->model_hash = env->info.model;
    p->features_hash = env->info.features;
    snprintf(p->model, sizeof p->model, "%s", env->model);
    snprintf(p->features, sizeof p->features, "%.*s", (int)sizeof p->features - 1, env->info.name);
}

bool sn__policy_set_note(struct sn__policy *p, const char *note) {
    const size_t size = strlen(note) + 1;
    char *copy = sn__alloc(size, 1);
    if (!copy) return false;
    memcpy(copy, note, size);
    sn__free(p->note);
    p->note = copy;
    return true;
}

/* --------------------------------------------------------------------------------------------------------- asked */

static int observations_of(const sn_policy *policy) {
    return policy->of.net.width[0];
}

static int actions_of(const sn_policy *policy) {
    return policy->of.net.width[policy->of.net.layers];
}

sn_status sn_policy_act(sn_policy *policy, int rows, const float *observation, float *action) {
    const int n = observations_of(policy), actions = actions_of(policy);
    if (rows < 0 || !observation || !action) return SN_ERROR_ARGUMENT;
    const int blas = sn__gemm_begin();
    for (int at = 0; at < rows; at += SN__POLICY_ROWS) {
        const int some = rows - at < SN__POLICY_ROWS ? rows - at : SN__POLICY_ROWS;
        sn__policy_act(&policy->of, &policy->gemm, some, observation + sn__cells(at, n), policy->room,
                       &policy->tape, action + sn__cells(at, actions));
    }
    sn__gemm_end(blas);
    return SN_OK;
}

sn_status sn_policy_check(const sn_policy *policy, const sn_environment *env, sn_error *error) {
    const sn_environment_info *info = &env->info;
    const sn_status status =
        sn__policy_fits(&policy->of, info->model, env->model, info->features, info->name, error);
    if (status) return status;
    if (observations_of(policy) == info->observations && actions_of(policy) == info->actions)
        return sn__succeed(error);
    return sn__fail(error, SN_ERROR_ARGUMENT,
                    "the policy has %d observations and %d actions, the environment %d and %d",
                    observations_of(policy), actions_of(policy), info->observations, info->actions);
}
