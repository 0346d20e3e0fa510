/* A model of some of the bodies of another. */
#include "base/error.h"
#include "model/model.h"

#include <string.h>

static void add_body(sn_builder *builder, const sn_model *model, int index, bool shaped) {
    const sn_body_info *body = &model->body[index];
    sn_body_def def = sn_body_def_default();
    def.name = body->name;
    def.parent = body->parent >= 0 ? model->body[body->parent].name : NULL;
    memcpy(def.pos, body->pos, sizeof def.pos);
    memcpy(def.rot, body->rot, sizeof def.rot);
    def.joint = body->joint;
    def.mass_given = true;
    def.mass = body->mass, def.lift = body->lift;
    memcpy(def.com, body->com, sizeof def.com);
    memcpy(def.inertia, body->inertia, sizeof def.inertia);
    sn_builder_add_body(builder, &def);
    for (int i = 0; shaped && i < body->nshape; i++)
        sn_builder_add_shape(builder, body->name, &model->shape[body->first_shape + i]);
}

sn_model *sn__model_part(const sn_model *model, const uint8_t *take, const uint8_t *shaped, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    if (!builder) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (int i = 0; i < model->nbody; i++)
        if (take[i]) add_body(builder, model, i, shaped[i]);
    for (int i = 0; i < model->nexclusion; i++) {
        const struct exclusion *pair = &model->exclusion[i];
        if (take[pair->a] && take[pair->b])
            sn_builder_exclude(builder, model->body[pair->a].name, model->body[pair->b].name);
    }
    for (int i = 0; i < model->nconstraint; i++) {
        const sn_constraint_def *def = &model->constraint[i];
        if (!take[def->body] || (def->member2 >= 0 && !take[def->body2])) continue;
        sn_builder_add_constraint(builder, model->body[def->body].name,
                                  def->member2 >= 0 ? model->body[def->body2].name : NULL, def);
    }
    sn_model *part = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return part;
}
