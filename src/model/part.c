/* A model of some of the bodies of a draft: what was checked there is copied, so that nothing is built twice. */
#include "base/error.h"
#include "base/memory.h"
#include "model/builder.h"
#include "model/hull.h"
#include "model/model.h"

#include <string.h>

/* What goes where. */
struct cut {
    const sn_model *draft;
    const uint8_t *take, *shaped;
    int *place; /* [nbody of the draft] the body's number in the part, -1: it is not in it */
    sn_model *part;
};

static bool takes_tie(const struct cut *cut, const sn_constraint_def *def) {
    return cut->take[def->body] && (def->member2 < 0 || cut->take[def->body2]);
}

static bool takes_pair(const struct cut *cut, const struct exclusion *pair) {
    return cut->take[pair->a] && cut->take[pair->b];
}

/* Numbers the bodies and counts what comes along. */
static struct sn__model_size survey(const struct cut *cut) {
    const sn_model *draft = cut->draft;
    struct sn__model_size size = {0};
    for (int i = 0; i < draft->nbody; i++) {
        const sn_body_info *body = &draft->body[i];
        cut->place[i] = cut->take[i] ? size.nbody++ : -1;
        if (!cut->take[i]) continue;
        size.nq += body->nq, size.nv += body->nv;
        size.nshape += cut->shaped[i] ? body->nshape : 0;
        size.names += strlen(body->name) + strlen(body->joint.name) + 2;
    }
    for (int i = 0; i < draft->nexclusion; i++)
        size.nexclusion += takes_pair(cut, &draft->exclusion[i]);
    for (int i = 0; i < draft->nconstraint; i++)
        size.nconstraint += takes_tie(cut, &draft->constraint[i]);
    return size;
}

static void copy_shapes(const struct cut *cut, const sn_body_info *from, sn_body_info *to) {
    for (int i = 0; i < to->nshape; i++) {
        sn_shape_def *shape = &cut->part->shape[to->first_shape + i];
        *shape = cut->draft->shape[from->first_shape + i];
        sn__hull_share(shape->hull);
    }
}

static void copy_bodies(const struct cut *cut) {
    sn_model *part = cut->part;
    char *name = part->names;
    int q = 0, v = 0, shape = 0;
    for (int i = 0; i < cut->draft->nbody; i++) {
        const sn_body_info *from = &cut->draft->body[i];
        if (!cut->take[i]) continue;
        sn_body_info *to = &part->body[cut->place[i]];
        *to = *from;
        to->name = strcpy(name, from->name);
        name += strlen(name) + 1;
        to->joint.name = strcpy(name, from->joint.name);
        name += strlen(name) + 1;
        to->parent = from->parent >= 0 ? cut->place[from->parent] : -1;
        to->q_index = q, to->v_index = v;
        q += to->nq, v += to->nv;
        to->nshape = cut->shaped[i] ? from->nshape : 0;
        to->first_shape = shape;
        shape += to->nshape;
        copy_shapes(cut, from, to);
        part->mass += to->mass;
        part->has_lift |= to->lift != 0;
    }
}

/* The order of bodies is kept, and with it that of exclusions. */
static void copy_pairs(const struct cut *cut) {
    const sn_model *draft = cut->draft;
    sn_model *part = cut->part;
    for (int i = 0; i < draft->nexclusion; i++) {
        const struct exclusion *pair = &draft->exclusion[i];
        if (takes_pair(cut, pair))
            part->exclusion[part->nexclusion++] =
                (struct exclusion){cut->place[pair->a], cut->place[pair->b]};
    }
    for (int i = 0; i < draft->nconstraint; i++) {
        if (!takes_tie(cut, &draft->constraint[i])) continue;
        sn_constraint_def *to = &part->constraint[part->nconstraint++];
        *to = draft->constraint[i];
        to->body = cut->place[to->body];
        if (to->member2 >= 0) to->body2 = cut->place[to->body2];
    }
}

static sn_status fill(const struct cut *cut, sn_error *error) {
    const struct sn__model_size size = survey(cut);
    sn_status status = sn__model_allocate(cut->part, &size, error);
    if (status != SN_OK) return status;
    copy_bodies(cut);
    copy_pairs(cut);
    status = sn__model_fill_dofs(cut->part, error);
    if (status != SN_OK) return status;
    status = sn__model_compile(cut->part);
    return status == SN_OK ? status : sn__fail(error, status, "out of memory");
}

sn_model *sn__model_part(const sn_model *draft, const uint8_t *take, const uint8_t *shaped, sn_error *error) {
    struct cut cut = {draft, take, shaped, sn__alloc((size_t)draft->nbody, sizeof(int)),
                      sn__alloc(1, sizeof(sn_model))};
    const sn_status status =
        cut.place && cut.part ? fill(&cut, error) : sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn__free(cut.place);
    if (status == SN_OK) return cut.part;
    sn_model_free(cut.part);
    return NULL;
}
