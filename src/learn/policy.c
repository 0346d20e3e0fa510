#include "learn/policy.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/container.h"
#include "learn/ppo.h"

static const char KIND[8] = {'S', 'N', 'P', 'O', 'L', 'I', 'C', 'Y'};

/* The section "net". */
struct shape {
    int32_t layers, hidden, output;
    int32_t width[SN__NET_LAYERS + 1]; /* zeros behind the last */
};

/* The section "about". */
struct about {
    uint64_t model_hash, features_hash;
    char model[SN__POLICY_NAME], features[SN__POLICY_NAME]; /* zeros behind the text */
};

bool sn__policy_make(struct sn__policy *p) {
    const size_t n = (size_t)p->net.width[0], actions = (size_t)p->net.width[p->net.layers];
    p->theta = sn__alloc((size_t)p->net.count, sizeof(float));
    p->shift = sn__alloc(n, sizeof(float));
    p->scale = sn__alloc(n, sizeof(float));
    p->noise = sn__alloc(actions, sizeof(float));
    if (p->theta && p->shift && p->scale && p->noise) return true;
    sn__policy_free(p);
    return false;
}

bool sn__policy_of(const struct sn__ppo *ppo, struct sn__policy *p) {
    *p = (struct sn__policy){.net = ppo->actor.net, .clip = (float)ppo->normaliser.clip};
    if (!sn__policy_make(p)) return false;
    const size_t n = (size_t)ppo->env->observations;
    memcpy(p->theta, ppo->actor.theta, (size_t)p->net.count * sizeof(float));
    memcpy(p->shift, ppo->normaliser.shift, n * sizeof(float));
    memcpy(p->scale, ppo->normaliser.scale, n * sizeof(float));
    for (int j = 0; j < ppo->env->actions; j++)
        p->noise[j] = (float)sn__exp((double)ppo->actor.theta[p->net.count + j]);
    return true;
}

void sn__policy_free(struct sn__policy *p) {
    sn__free_all(p->theta, p->shift, p->scale, p->noise, p->note);
    p->theta = p->shift = p->scale = p->noise = NULL;
    p->note = NULL;
}

void sn__policy_act(const struct sn__policy *p, const struct sn__gemm *gemm, int rows,
                    const float *observation, float *room, struct sn__tape *tape, float *action) {
    const int n = p->net.width[0];
    for (int i = 0; i < rows * n; i++) {
        const float z = (observation[i] - p->shift[i % n]) * p->scale[i % n];
        room[i] = z < -p->clip ? -p->clip : z > p->clip ? p->clip : z;
    }
    const float *mean = sn__net_forward(&p->net, gemm, p->theta, rows, room, tape);
    memcpy(action, mean, sn__cells(rows, p->net.width[p->net.layers]) * sizeof *action);
}

/* --------------------------------------------------------------------------------------------- written and read */

static void add_all(const struct sn__policy *p, struct sn__text *out) {
    const size_t n = (size_t)p->net.width[0] * sizeof(float);
    struct shape shape = {p->net.layers, (int32_t)p->net.hidden, (int32_t)p->net.output, {0}};
    struct about about = {.model_hash = p->model_hash, .features_hash = p->features_hash};
    memcpy(shape.width, p->net.width, (size_t)(p->net.layers + 1) * sizeof *shape.width);
    memcpy(about.model, p->model, strnlen(p->model, sizeof about.model - 1));
    memcpy(about.features, p->features, strnlen(p->features, sizeof about.features - 1));
    sn__container_begin(out, KIND, SN__POLICY_VERSION);
    sn__container_add(out, "about", &about, sizeof about);
    sn__container_add(out, "net", &shape, sizeof shape);
    sn__container_add(out, "weights", p->theta, (size_t)p->net.count * sizeof(float));
    sn__container_add(out, "shift", p->shift, n);
    sn__container_add(out, "scale", p->scale, n);
    sn__container_add(out, "clip", &p->clip, sizeof p->clip);
    sn__container_add(out, "noise", p->noise, (size_t)p->net.width[p->net.layers] * sizeof(float));
    if (p->note) sn__container_add(out, "note", p->note, strlen(p->note));
}

sn_status sn__policy_write(const struct sn__policy *p, const char *path, sn_error *error) {
    struct sn__text out = {0};
    add_all(p, &out);
    return sn__container_write(&out, path, error);
}

char *sn__policy_bytes(const struct sn__policy *p, size_t *size) {
    struct sn__text out = {0};
    add_all(p, &out);
    return sn__container_end(&out, size);
}

static bool all_finite(size_t count, const float *x) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static sn_status take_shape(const struct sn__container *c, struct sn__net *net, sn_error *error) {
    struct shape shape;
    const sn_status status = sn__container_take(c, "net", &shape, sizeof shape, error);
    if (status) return status;
    const bool known = shape.hidden >= SN__LINEAR && shape.hidden <= SN__TANH && shape.output >= SN__LINEAR &&
                       shape.output <= SN__TANH;
    if (!known || shape.layers < 1 || shape.layers > SN__NET_LAYERS)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: its network has %d layers with activations %d and %d: that is not known",
                        c->path, (int)shape.layers, (int)shape.hidden, (int)shape.output);
    *net = (struct sn__net){.layers = shape.layers,
                            .hidden = (enum sn__activation)shape.hidden,
                            .output = (enum sn__activation)shape.output};
    memcpy(net->width, shape.width, sizeof net->width);
    sn_error why;
    if (sn__net_init(net, &why)) return sn__fail(error, SN_ERROR_FORMAT, "%s: %s", c->path, why.message);
    return SN_OK;
}

static sn_status take_arrays(const struct sn__container *c, struct sn__policy *p, sn_error *error) {
    const size_t n = (size_t)p->net.width[0], actions = (size_t)p->net.width[p->net.layers];
    const struct {
        const char *name;
        float *data;
        size_t count;
    } array[] = {{"weights", p->theta, (size_t)p->net.count},
                 {"shift", p->shift, n},
                 {"scale", p->scale, n},
                 {"clip", &p->clip, 1},
                 {"noise", p->noise, actions}};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        const sn_status status =
            sn__container_take(c, array[i].name, array[i].data, array[i].count * sizeof(float), error);
        if (status) return status;
        if (!all_finite(array[i].count, array[i].data))
            return sn__fail(error, SN_ERROR_FORMAT, "%s: its section '%s' has a number that is not finite",
                            c->path, array[i].name);
    }
    return SN_OK;
}

/* A text, which need not be there. */
static sn_status take_note(const struct sn__container *c, struct sn__policy *p, sn_error *error) {
    const void *text;
    size_t size;
    if (sn__container_find(c, "note", &text, &size, NULL)) return SN_OK;
    p->note = sn__alloc(size + 1, 1);
    if (!p->note) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", c->path);
    memcpy(p->note, text, size);
    return SN_OK;
}

/* Frees the container. */
static sn_status take_all(struct sn__container *c, struct sn__policy *p, sn_error *error) {
    struct about about;
    sn_status status = sn__container_take(c, "about", &about, sizeof about, error);
    if (!status) status = take_shape(c, &p->net, error);
    if (!status && (size_t)p->net.count * sizeof(float) > c->size) /* before memory is asked for */
        status = sn__fail(error, SN_ERROR_FORMAT,
                          "%s: its network has more parameters than the file has bytes", c->path);
    if (!status && !sn__policy_make(p))
        status = sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", c->path);
    if (!status) status = take_arrays(c, p, error);
    if (!status) status = take_note(c, p, error);
    sn__container_free(c);
    if (status) {
        sn__policy_free(p);
        return status;
    }
    p->model_hash = about.model_hash;
    p->features_hash = about.features_hash;
    memcpy(p->model, about.model, sizeof about.model - 1);
    memcpy(p->features, about.features, sizeof about.features - 1);
    return sn__succeed(error);
}

sn_status sn__policy_read(struct sn__policy *p, const char *path, sn_error *error) {
    struct sn__container c;
    *p = (struct sn__policy){0};
    const sn_status status = sn__container_read(&c, path, KIND, "policy", SN__POLICY_VERSION, error);
    return status ? status : take_all(&c, p, error);
}

sn_status sn__policy_parse(struct sn__policy *p, const void *bytes, size_t size, sn_error *error) {
    struct sn__container c;
    *p = (struct sn__policy){0};
    const sn_status status = sn__container_parse(&c, bytes, size, KIND, "policy", SN__POLICY_VERSION, error);
    return status ? status : take_all(&c, p, error);
}

sn_status sn__policy_fits(const struct sn__policy *p, uint64_t model_hash, const char *model,
                          uint64_t features_hash, const char *features, sn_error *error) {
    if (p->model_hash && model_hash && p->model_hash != model_hash)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the policy was trained for another model ('%s', not '%s' as it is now)", p->model,
                        model);
    if (p->features_hash && features_hash && p->features_hash != features_hash)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the policy was trained with other features ('%s', not '%s')", p->features, features);
    return sn__succeed(error);
}
