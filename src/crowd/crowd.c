/* Many characters of one model, abreast in lanes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/pack.h"

struct sn_crowd {
    struct sn__pack pack;
};

sn_crowd_def sn_crowd_def_default(void) {
    sn_crowd_def d = {.count = 1, .character = sn_character_def_default()};
    d.character.precision = SN_FLOAT;
    return d;
}

sn_crowd *sn_crowd_create(const sn_model *model, const sn_crowd_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_crowd *c = sn__alloc(1, sizeof *c);
    if (!c || !def) {
        sn__fail(error, c ? SN_ERROR_ARGUMENT : SN_ERROR_MEMORY,
                 c ? "the definition is NULL" : "no memory for a crowd");
        sn__free(c);
        return NULL;
    }
    if (!sn__pack_init(&c->pack, model, &def->character, def->count, true, error)) return c;
    sn__free(c);
    return NULL;
}

void sn_crowd_free(sn_crowd *c) {
    if (!c) return;
    sn__pack_release(&c->pack);
    sn__free(c);
}

int sn_crowd_count(const sn_crowd *c) {
    return c->pack.count;
}

const char *sn_crowd_lanes(const sn_crowd *c) {
    return c->pack.k->info.name;
}

static bool in_range(const sn_crowd *c, int first, int count) {
    return first >= 0 && count >= 0 && count <= c->pack.count && first <= c->pack.count - count;
}

typedef sn_status put_fn(struct sn__pack *, int, const double *, const double *);

static sn_status put_range(sn_crowd *c, int first, int count, const double *q, const double *qd,
                           put_fn *put) {
    if (!in_range(c, first, count)) return SN_ERROR_ARGUMENT;
    const size_t nq = (size_t)c->pack.model->nq, nv = (size_t)c->pack.model->nv;
    for (int i = 0; i < count; i++) {
        const size_t k = (size_t)i;
        const sn_status status = put(&c->pack, first + i, q ? q + k * nq : NULL, qd ? qd + k * nv : NULL);
        if (status) return status;
    }
    return SN_OK;
}

sn_status sn_crowd_set_state(sn_crowd *c, int first, int count, const double *q, const double *qd) {
    return put_range(c, first, count, q, qd, sn__pack_set_state);
}

sn_status sn_crowd_set_target(sn_crowd *c, int first, int count, const double *q, const double *qd) {
    return put_range(c, first, count, q, qd, sn__pack_set_target);
}

sn_status sn_crowd_get_state(const sn_crowd *c, int first, int count, double *q, double *qd) {
    if (!in_range(c, first, count)) return SN_ERROR_ARGUMENT;
    const size_t nq = (size_t)c->pack.model->nq, nv = (size_t)c->pack.model->nv;
    for (int i = 0; i < count; i++) {
        if (q) sn__pack_get(&c->pack, SN__Q, first + i, (int)nq, q + (size_t)i * nq);
        if (qd) sn__pack_get(&c->pack, SN__QD, first + i, (int)nv, qd + (size_t)i * nv);
    }
    return SN_OK;
}

sn_status sn_crowd_set_gains(sn_crowd *c, const double *kp, const double *kd) {
    return sn__pack_set_gains(&c->pack, kp, kd);
}

sn_status sn_crowd_step(sn_crowd *c) {
    return sn__pack_step(&c->pack);
}

/* Hashes the state of one character on top of `hash`, and clears *finite when some value is not. */
static uint64_t fold_state(const sn_crowd *c, int character, uint64_t hash, bool *finite) {
    const struct sn__pack *p = &c->pack;
    const size_t width = (size_t)p->k->info.width, lane = (size_t)character % width;
    const enum sn__array fields[] = {SN__Q, SN__QD};
    const int counts[] = {p->model->nq, p->model->nv};
    for (int f = 0; f < 2; f++) {
        const char *lanes = sn__pack_at(p, fields[f], character / (int)width);
        for (size_t i = 0; i < (size_t)counts[f]; i++) {
            const char *value = lanes + (i * width + lane) * p->k->elem_size;
            hash = sn__hash(value, p->k->elem_size, hash);
            *finite = *finite &&
                      (p->k->elem_size == sizeof(double) ? isfinite(*(const double *)(const void *)value)
                                                         : isfinite(*(const float *)(const void *)value));
        }
    }
    return hash;
}

int sn_crowd_diverged(const sn_crowd *c) {
    int n = 0;
    for (int i = 0; i < c->pack.count; i++) {
        bool finite = true;
        fold_state(c, i, 0, &finite);
        n += !finite;
    }
    return n;
}

uint64_t sn_crowd_hash(const sn_crowd *c) {
    uint64_t hash = 0;
    bool finite = true;
    for (int i = 0; i < c->pack.count; i++)
        hash = fold_state(c, i, hash, &finite);
    return hash;
}
