#include "record/figure.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/hull.h"

#include <stdio.h>
#include <string.h>

bool sn__figure_add_body(struct sn__figure *f, const struct sn__figure_body *body) {
    void *grown = sn__grow(f->body, &f->body_room, f->nbody + 1, sizeof *f->body);
    if (!grown) return false;
    f->body = grown;
    f->body[f->nbody] = *body;
    f->body[f->nbody].first_shape = f->nshape;
    f->body[f->nbody++].nshape = 0;
    return true;
}

bool sn__figure_add_shape(struct sn__figure *f, const struct sn__figure_shape *shape) {
    void *grown = sn__grow(f->shape, &f->shape_room, f->nshape + 1, sizeof *f->shape);
    if (!grown) {
        sn_hull_free((sn_hull *)shape->hull);
        return false;
    }
    f->shape = grown;
    f->shape[f->nshape++] = *shape;
    f->body[f->nbody - 1].nshape++;
    return true;
}

bool sn__figure_of(struct sn__figure *f, const sn_model *model) {
    bool good = true;
    for (int i = 0; i < sn_model_get(model)->nbody && good; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        struct sn__figure_body body = {.parent = info->parent};
        snprintf(body.name, sizeof body.name, "%s", info->name);
        memcpy(body.pos, info->pos, sizeof body.pos);
        memcpy(body.rot, info->rot, sizeof body.rot);
        memcpy(body.anchor, info->joint.anchor, sizeof body.anchor);
        good = sn__figure_add_body(f, &body);
        for (int s = 0; s < info->nshape && good; s++) {
            const sn_shape_def *def = (&sn_model_get(model)->shape[info->first_shape + s]);
            struct sn__figure_shape shape = {.type = def->type};
            memcpy(shape.size, def->size, sizeof shape.size);
            memcpy(shape.pos, def->pos, sizeof shape.pos);
            memcpy(shape.rot, def->rot, sizeof shape.rot);
            good = dquat_normalise(shape.rot);
            shape.hull = sn__hull_share(def->hull);
            good = sn__figure_add_shape(f, &shape) && good;
        }
    }
    return good;
}

void sn__figure_free(struct sn__figure *f) {
    for (int i = 0; i < f->nshape; i++)
        sn_hull_free((sn_hull *)f->shape[i].hull);
    sn__free_all(f->body, f->shape);
    *f = (struct sn__figure){0};
}

void sn__figure_zero(const struct sn__figure *f, double *pos, double *rot) {
    for (int i = 0; i < f->nbody; i++) {
        const struct sn__figure_body *body = &f->body[i];
        double *p = pos + 3 * i, *r = rot + 4 * i;
        memcpy(p, body->pos, sizeof body->pos);
        memcpy(r, body->rot, sizeof body->rot);
        if (body->parent < 0) continue;
        dquat_rotate(rot + 4 * body->parent, p, p);
        for (int k = 0; k < 3; k++)
            p[k] += pos[3 * body->parent + k];
        dquat_multiply(rot + 4 * body->parent, r, r);
    }
}
