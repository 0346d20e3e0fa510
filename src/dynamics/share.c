/* Gains, torque limits and armature of many packs of one model. Usually nobody sets them, so that all packs share one
 * copy. A pack that writes to them gets a copy first. */
#include <string.h>

#include "base/memory.h"
#include "dynamics/pack.h"

enum { FIRST = SN__KP, LAST = SN__ARMATURE, ARRAYS = LAST - FIRST + 1 };

struct sn__gains {
    int users;
    size_t bytes; /* of an array in lanes */
    size_t nv, nbody;
    void *array[ARRAYS];
    double *kp, *kd;
    uint8_t *per_axis;
};

void sn__gains_give_back(struct sn__gains *g) {
    if (!g || --g->users) return;
    for (int i = 0; i < ARRAYS; i++)
        sn__free(g->array[i]);
    sn__free_all(g->kp, g->kd, g->per_axis, g);
}

/* What a pack has of its own, as others could share it. */
static struct sn__gains view(const struct sn__pack *p) {
    struct sn__gains g = {.bytes = sn__pack_bytes(p, p->model->nv),
                          .nv = (size_t)p->model->nv,
                          .nbody = (size_t)p->model->nbody,
                          .kp = p->kp,
                          .kd = p->kd,
                          .per_axis = p->per_axis};
    for (int i = 0; i < ARRAYS; i++)
        g.array[i] = p->field[FIRST + i];
    return g;
}

static void take(struct sn__pack *p, const struct sn__gains *g) {
    for (int i = 0; i < ARRAYS; i++)
        p->field[FIRST + i] = g->array[i];
    p->kp = g->kp, p->kd = g->kd, p->per_axis = g->per_axis;
}

static bool same(const struct sn__gains *a, const struct sn__gains *b) {
    if (a->bytes != b->bytes || a->nv != b->nv || a->nbody != b->nbody) return false;
    for (int i = 0; i < ARRAYS; i++)
        if (memcmp(a->array[i], b->array[i], a->bytes)) return false;
    return !memcmp(a->kp, b->kp, a->nv * sizeof *a->kp) && !memcmp(a->kd, b->kd, a->nv * sizeof *a->kd) &&
           !memcmp(a->per_axis, b->per_axis, a->nbody);
}

/* Every array there, and one for all characters. */
static bool may_share(const struct sn__pack *p) {
    for (int f = FIRST; f <= LAST; f++)
        if (p->stride[f] || !p->field[f]) return false;
    return !p->gains;
}

void sn__pack_share_gains(struct sn__pack *p, struct sn__gains **of) {
    if (!may_share(p)) return;
    struct sn__gains own = view(p);
    if (*of && same(*of, &own)) {
        for (int i = 0; i < ARRAYS; i++)
            sn__free(own.array[i]);
        sn__free_all(own.kp, own.kd, own.per_axis);
        take(p, *of);
    } else {
        struct sn__gains *fresh = sn__alloc(1, sizeof *fresh);
        if (!fresh) return;
        *fresh = own;
        fresh->users = 1;
        sn__gains_give_back(*of);
        *of = fresh;
    }
    p->gains = *of;
    p->gains->users++;
}

static void *copy_of(const void *from, size_t bytes, bool lanes) {
    void *to = lanes ? sn__alloc_aligned(bytes) : sn__alloc(bytes, 1);
    if (to) memcpy(to, from, bytes);
    return to;
}

bool sn__pack_part(struct sn__pack *p) {
    struct sn__gains *g = p->gains;
    if (!g) return true;
    struct sn__gains own = {.users = 1,
                            .kp = copy_of(g->kp, g->nv * sizeof *g->kp, false),
                            .kd = copy_of(g->kd, g->nv * sizeof *g->kd, false),
                            .per_axis = copy_of(g->per_axis, g->nbody, false)};
    bool fine = own.kp && own.kd && own.per_axis;
    for (int i = 0; i < ARRAYS; i++) {
        own.array[i] = copy_of(g->array[i], g->bytes, true);
        fine = fine && own.array[i];
    }
    if (fine) {
        take(p, &own);
        p->gains = NULL;
        sn__gains_give_back(g);
        return true;
    }
    for (int i = 0; i < ARRAYS; i++)
        sn__free(own.array[i]);
    sn__free_all(own.kp, own.kd, own.per_axis);
    return false;
}
