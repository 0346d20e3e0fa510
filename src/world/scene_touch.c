/* Pairs of geoms that touch whatever their groups say, and bodies that never touch some of the ground, in groups and masks.
 *
 * Solids that meet the same others are of one kind. With no more than 32 kinds each has a bit of its own as its group, and
 * those of the kinds it meets as its mask: any relation can be said so. */
#include "world/scene_touch.h"

#include <string.h>

#include "base/memory.h"
#include "model/model.h"

enum { KINDS = 32 };

/* A solid as far as it matters here. */
struct solid {
    uint32_t group, mask;
    int body;      /* of the model; -1: the scene's ground */
    bool is_fixed; /* ground, or a body that cannot move */
    bool is_free;  /* never touches the world's own geoms */
    bool is_named; /* stands in a pair: a kind of its own */
    bool excludes; /* its body does, some that cannot move, by body */
    int kind;
};

static int solid_of(const struct sn__scene *scene, const struct sn__scene_solid *named) {
    if (named->body < 0) return named->number;
    return scene->nground + sn_model_body(scene->model, named->body)->first_shape + named->number;
}

static void describe(const struct sn__scene *scene, const uint8_t *fixed, struct solid *s) {
    const sn_model *m = scene->model;
    for (int i = 0; i < scene->nground; i++)
        s[i] = (struct solid){.group = scene->ground[i].shape.group,
                              .mask = scene->ground[i].shape.mask,
                              .body = -1,
                              .is_fixed = true};
    for (int b = 0; m && b < m->nbody; b++)
        for (int k = 0; k < m->body[b].nshape; k++) {
            const int at = m->body[b].first_shape + k;
            struct solid *one = &s[scene->nground + at];
            *one = (struct solid){
                .group = m->shape[at].group, .mask = m->shape[at].mask, .body = b, .is_fixed = fixed[b]};
            for (int f = 0; f < scene->nfree; f++)
                one->is_free |= strcmp(scene->free[f], m->body[b].name) == 0;
            for (int e = 0; e < m->nexclusion; e++)
                one->excludes |= (m->exclusion[e].a == b || m->exclusion[e].b == b) &&
                                 fixed[m->exclusion[e].a] + fixed[m->exclusion[e].b] == 1;
        }
    for (int i = 0; i < 2 * scene->npair; i++)
        s[solid_of(scene, &scene->pair[i / 2][i % 2])].is_named = true;
}

static bool same_kind(const struct solid *a, const struct solid *b) {
    if (a->is_named || b->is_named || a->group != b->group || a->mask != b->mask) return false;
    if (a->excludes || b->excludes) return a->body == b->body;
    return a->is_fixed == b->is_fixed && a->is_free == b->is_free && (a->body < 0) == (b->body < 0);
}

static bool meet(const struct sn__scene *scene, const struct solid *s, int a, int b) {
    for (int i = 0; i < scene->npair; i++) {
        const int x = solid_of(scene, &scene->pair[i][0]), y = solid_of(scene, &scene->pair[i][1]);
        if ((x == a && y == b) || (x == b && y == a)) return true;
    }
    const struct solid *p = &s[a], *q = &s[b];
    if ((p->is_free && q->body < 0) || (q->is_free && p->body < 0)) return false;
    if (p->is_fixed != q->is_fixed && p->body >= 0 && q->body >= 0 &&
        sn__model_excluded(scene->model, p->body, q->body))
        return false;
    return (p->group & q->mask) || (q->group & p->mask);
}

/* A solid of each kind, and how many there are; more than KINDS: too many. */
static int sort_kinds(struct solid *s, int n, int example[KINDS]) {
    int kinds = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < kinds && !same_kind(&s[i], &s[example[k]]))
            k++;
        if (k == KINDS) return KINDS + 1;
        if (k == kinds) example[kinds++] = i;
        s[i].kind = k;
    }
    return kinds;
}

/* Whether groups as they are do not say it all. */
static bool is_special(const struct solid *s, int n) {
    for (int i = 0; i < n; i++)
        if (s[i].is_named || s[i].is_free || s[i].excludes) return true;
    return false;
}

bool sn__scene_touch_make(struct sn__scene_touch *touch, const struct sn__scene *scene,
                          const uint8_t *fixed) {
    const int n = scene->nground + (scene->model ? scene->model->nshape : 0);
    struct solid *s = sn__alloc((size_t)n + 1, sizeof *s);
    int example[KINDS];
    *touch = (struct sn__scene_touch){0};
    if (!s) return false;
    describe(scene, fixed, s);
    const int kinds = is_special(s, n) ? sort_kinds(s, n, example) : 0;
    touch->too_many = kinds > KINDS;
    bool good = true;
    if (kinds > 0 && kinds <= KINDS) {
        uint32_t mask[KINDS] = {0};
        for (int a = 0; a < kinds; a++)
            for (int b = 0; b < kinds; b++)
                if (meet(scene, s, example[a], example[b])) mask[a] |= UINT32_C(1) << b;
        touch->group = sn__alloc((size_t)n, sizeof *touch->group);
        touch->mask = sn__alloc((size_t)n, sizeof *touch->mask);
        good = touch->group && touch->mask;
        for (int i = 0; i < n && good; i++)
            touch->group[i] = UINT32_C(1) << s[i].kind, touch->mask[i] = mask[s[i].kind];
    }
    sn__free(s);
    return good;
}

void sn__scene_touch_free(struct sn__scene_touch *touch) {
    sn__free(touch->group);
    sn__free(touch->mask);
}

void sn__scene_touch_put(const struct sn__scene_touch *touch, int solid, sn_shape_def *shape) {
    if (!touch->group) return;
    shape->group = touch->group[solid], shape->mask = touch->mask[solid];
}
