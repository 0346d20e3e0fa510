/* Keyframes from a file:
 *
 *   {"format": "sinew-keyframes", "version": 1, "model": "mouse",
 *    "fade": "polynomial", "exponent": 20, "floor": 0.005, "gain": 130, "damping": 10,
 *    "weights": {"body": 1000},
 *    "keys": [{"time": 0, "pose": {"body": [0, 0, 0.03,  1, 0, 0, 0]}}, ...]}
 *
 * A pose has the joints of the bodies it names, as in q: a number or an array of them. What is left out is as
 * sn_keyframes_def_default has it. "model" is for programs that look for one; it is not looked at here. */
#include "import/json.h"
#include "import/load.h"

#include "base/memory.h"

#include <string.h>

struct draft {
    const sn_model *model;
    int count;
    sn_keyframe *key;
    double *q;      /* [count][nq] */
    uint8_t *keyed; /* [count][nbody] */
    double *weight; /* [nbody] */
};

static int find_body(const sn_model *model, const struct sn__json *place, sn_error *error) {
    const int body = sn_model_find_body(model, place->key);
    if (body < 0) sn__json_fail(place, error, "the model has no body '%.63s'", place->key);
    return body;
}

static bool read_joint(struct draft *d, int key, const struct sn__json *place, sn_error *error) {
    const int body = find_body(d->model, place, error);
    if (body < 0) return false;
    const sn_body_info *b = sn_model_body(d->model, body);
    double *q = d->q + (size_t)key * (size_t)sn_model_get(d->model)->nq + b->q_index;
    d->keyed[(size_t)key * (size_t)sn_model_get(d->model)->nbody + (size_t)body] = 1;
    if (sn__json_is_array(place)) return sn__json_numbers(place, b->nq, q, error);
    return b->nq == 1 ? sn__json_double(place->within, place->key, q, error)
                      : sn__json_fail(place, error, "should be an array of %d numbers", b->nq);
}

static bool read_key(struct draft *d, int key, const struct sn__json *place, sn_error *error) {
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    if (!sn__json_need(place, "time", error) || !sn__json_double(place, "time", &d->key[key].time, error) ||
        !sn__json_need(place, "pose", error))
        return false;
    const struct sn__json pose = sn__json_member(place, "pose");
    if (!sn__json_is_object(&pose)) return sn__json_fail(&pose, error, "should be an object");
    d->key[key].q = d->q + (size_t)key * (size_t)sn_model_get(d->model)->nq;
    d->key[key].keyed = d->keyed + (size_t)key * (size_t)sn_model_get(d->model)->nbody;
    for (struct sn__json joint = sn__json_first(&pose); joint.value; joint = sn__json_next(&joint))
        if (!read_joint(d, key, &joint, error)) return false;
    return true;
}

static bool read_fade(const struct sn__json *top, sn_keyframes_def *def, sn_error *error) {
    const char *fade = "polynomial";
    if (!sn__json_string(top, "fade", &fade, error)) return false;
    if (strcmp(fade, "polynomial") != 0 && strcmp(fade, "linear") != 0) {
        const struct sn__json place = sn__json_member(top, "fade");
        return sn__json_fail(&place, error, "should be \"polynomial\" or \"linear\"");
    }
    def->fade = fade[0] == 'l' ? SN_FADE_LINEAR : SN_FADE_POLYNOMIAL;
    return sn__json_double(top, "exponent", &def->exponent, error) &&
           sn__json_double(top, "floor", &def->floor, error) &&
           sn__json_double(top, "gain", &def->gain, error) &&
           sn__json_double(top, "damping", &def->damping, error);
}

static bool read_weights(struct draft *d, const struct sn__json *top, sn_error *error) {
    const struct sn__json weights = sn__json_member(top, "weights");
    for (int b = 0; b < sn_model_get(d->model)->nbody; b++)
        d->weight[b] = 1;
    if (weights.value && !sn__json_is_object(&weights))
        return sn__json_fail(&weights, error, "should be an object");
    for (struct sn__json one = sn__json_first(&weights); one.value; one = sn__json_next(&one)) {
        const int body = find_body(d->model, &one, error);
        if (body < 0 || !sn__json_double(&weights, one.key, &d->weight[body], error)) return false;
    }
    return true;
}

static bool read_head(const struct sn__json *top, sn_error *error) {
    const char *format = "";
    int version = 1;
    if (!sn__json_is_object(top) || !sn__json_string(top, "format", &format, error) ||
        strcmp(format, "sinew-keyframes") != 0)
        return sn__json_fail(top, error,
                             "is not a file of keyframes: its \"format\" should be \"sinew-keyframes\"");
    if (!sn__json_int(top, "version", &version, error)) return false;
    if (version == 1) return true;
    const struct sn__json place = sn__json_member(top, "version");
    return sn__json_fail(&place, error, "%d is not known; this library reads version 1", version);
}

static bool make_room(struct draft *d, int count) {
    const size_t n = (size_t)count, nq = (size_t)sn_model_get(d->model)->nq,
                 nbody = (size_t)sn_model_get(d->model)->nbody;
    d->count = count;
    d->key = sn__alloc(n + 1, sizeof *d->key);
    d->q = sn__alloc(n * nq + 1, sizeof *d->q);
    d->keyed = sn__alloc(n * nbody + 1, 1);
    d->weight = sn__alloc(nbody + 1, sizeof *d->weight);
    return d->key && d->q && d->keyed && d->weight;
}

static sn_keyframes *read(struct draft *d, const struct sn__json *top, sn_error *error) {
    sn_keyframes_def def = sn_keyframes_def_default();
    sn_error why = {0};
    if (!read_head(top, error)) return NULL;
    const struct sn__json keys = sn__json_member(top, "keys");
    if (!sn__json_is_array(&keys)) {
        sn__json_fail(&keys, error, "should be an array of keys");
        return NULL;
    }
    if (!make_room(d, sn__json_count(&keys))) {
        sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", top->path);
        return NULL;
    }
    int n = 0;
    for (struct sn__json key = sn__json_first(&keys); key.value; key = sn__json_next(&key))
        if (!read_key(d, n++, &key, error)) return NULL;
    if (!read_fade(top, &def, error) || !read_weights(d, top, error)) return NULL;
    def.count = d->count, def.key = d->key, def.weight = d->weight;
    sn_keyframes *made = sn_keyframes_create(d->model, &def, &why);
    if (!made)
        sn__fail(error, why.status == SN_ERROR_MEMORY ? why.status : SN_ERROR_FORMAT, "%s: %s", top->path,
                 why.message);
    return made;
}

static sn_keyframes *parse(const char *text, size_t size, const char *name, const sn_model *model,
                           sn_error *error) {
    struct cJSON *root = sn__json_parse(text, size, name, error);
    struct draft draft = {.model = model};
    const struct sn__json top = sn__json_root(root, name);
    sn_keyframes *made = root ? read(&draft, &top, error) : NULL;
    sn__free_all(draft.key, draft.q, draft.keyed, draft.weight);
    sn__json_free(root);
    return made;
}

sn_keyframes *sn_keyframes_load(const char *path, const sn_model *model, const sn_load_def *options,
                                sn_error *error) {
    sn_load_def own;
    size_t size = 0;
    if (!sn__load_begin(path, model, options, &own, error)) return NULL;
    if (own.text) return parse(own.text, (size_t)own.size, path, model, error);
    char *text = sn__file_read(path, &size, error);
    sn_keyframes *made = text ? parse(text, size, path, model, error) : NULL;
    sn__free(text);
    return made;
}
