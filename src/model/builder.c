/* Collecting bodies, shapes and exclusions. Definitions are checked as they come; what needs the whole tree waits for
   build. */
#include "model/builder.h"

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/check.h"
#include "model/hull.h"
#include "model/model.h"
#include "model/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sn_builder *sn_builder_create(void) {
    return sn__alloc(1, sizeof(sn_builder));
}

void sn_builder_free(sn_builder *builder) {
    if (!builder) return;
    for (int i = 0; i < builder->nshape; i++)
        sn_hull_free((sn_hull *)builder->shape[i].def.hull);
    sn__free_all(builder->body, builder->shape, builder->exclusion, builder->constraint, builder);
}

/* Copies a name that exists, is not empty and fits; false otherwise. */
static bool copy_name(char to[SN_MAX_NAME + 1], const char *from) {
    size_t length = from ? strnlen(from, SN_MAX_NAME + 1) : 0;
    if (length == 0 || length > SN_MAX_NAME) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

/* Room for one more in a list of the builder, which has `index` of them; false: out of memory. */
#define GROW(list)                                                                                           \
    ((grown = sn__grow(builder->list, &builder->list##_capacity, index + 1, sizeof *builder->list)) != NULL  \
         ? (builder->list = grown, true)                                                                     \
         : false)

static sn_status no_memory(const char *body, sn_error *error) {
    return sn__fail(error, SN_ERROR_MEMORY, "body '%s': out of memory", body);
}

static sn_status add_body(sn_builder *builder, const sn_body_def *given, sn_error *error) {
    int index = builder->nbody;
    sn_body_def own, *def = &own;
    if (!sn__definition_take("sn_body_def", given, &own, error)) {
        const sn_error why = *error;
        return sn__fail(error, SN_ERROR_MODEL, "body %d: %.900s", index, why.message);
    }
    if (index == SN_MAX_BODIES)
        return sn__fail(error, SN_ERROR_TOO_LARGE,
                        "body '%.63s' is one too many: a model holds at most %d bodies",
                        def->name ? def->name : "", SN_MAX_BODIES);
    if (!def->name || !def->name[0])
        return sn__fail(error, SN_ERROR_MODEL, "body %d (the first added is body 0) has no name", index);

    struct builder_body body = {.def = *def, .has_parent = def->parent != NULL};
    body.def.name = body.def.parent = body.def.joint.name = NULL;
    if (def->joint.name) snprintf(body.joint, sizeof body.joint, "%s", def->joint.name);
    if (!copy_name(body.name, def->name))
        return sn__fail(error, SN_ERROR_MODEL, "body '%.63s...': the name is longer than %d bytes", def->name,
                        SN_MAX_NAME);
    if (body.has_parent && !copy_name(body.parent, def->parent))
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': the parent '%.63s' does not exist: %s", body.name,
                        def->parent, def->parent[0] ? "the name is too long" : "the name is empty");
    sn_status status = sn__check_body(body.name, def, error);
    if (status != SN_OK) return status;

    void *grown;
    if (!GROW(body)) return no_memory(body.name, error);
    builder->body[builder->nbody++] = body;
    return SN_OK;
}

static sn_status add_shape(sn_builder *builder, const char *body, const sn_shape_def *given,
                           sn_error *error) {
    int index = builder->nshape;
    if (index == SN_MAX_SHAPES)
        return sn__fail(error, SN_ERROR_TOO_LARGE,
                        "body '%.63s': its shape is one too many: a model holds at most %d shapes",
                        body ? body : "", SN_MAX_SHAPES);
    struct builder_shape shape;
    if (!copy_name(shape.body, body))
        return sn__fail(error, SN_ERROR_MODEL, "shape %d (the first added is shape 0) is on body '%.63s': %s",
                        index, body ? body : "",
                        body && body[0] ? "the name is too long" : "the name is missing");
    if (!sn__definition_take("sn_shape_def", given, &shape.def, error)) {
        const sn_error why = *error;
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': %.900s", shape.body, why.message);
    }
    sn_status status = sn__check_shape(body, &shape.def, error);
    if (status != SN_OK) return status;

    void *grown;
    if (!GROW(shape)) return no_memory(body, error);
    const sn_shape_def def = shape.def;
    const struct sn__shape_kind *kind = &sn__shape_kinds[def.type];
    sn_error why = {0};
    if (kind->nsize == 0) memset(shape.def.size, 0, sizeof shape.def.size);
    shape.def.hull = NULL;
    if (kind->contact == SN__CONTACT_HULL)
        shape.def.hull = kind->rings ? sn__shape_facets(&def, &why) : sn__hull_share(def.hull);
    if (kind->contact == SN__CONTACT_HULL && !shape.def.hull)
        return sn__fail(error, why.status == SN_ERROR_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_MODEL,
                        "body '%s': no hull can be made of its %s: %s", body, kind->name, why.message);
    builder->shape[builder->nshape++] = shape;
    return SN_OK;
}

static sn_status exclude(sn_builder *builder, const char *body1, const char *body2, sn_error *error) {
    int index = builder->nexclusion;
    const char *name[] = {body1 ? body1 : "", body2 ? body2 : ""};
    if (index == BUILDER_MAX_EXCLUSIONS)
        return sn__fail(error, SN_ERROR_TOO_LARGE,
                        "bodies '%.63s' and '%.63s' are one exclusion too many: a model holds at most %d",
                        name[0], name[1], BUILDER_MAX_EXCLUSIONS);
    struct builder_exclusion exclusion;
    for (int i = 0; i < 2; i++)
        if (!copy_name(exclusion.body[i], name[i]))
            return sn__fail(error, SN_ERROR_MODEL,
                            "exclusion %d (the first added is exclusion 0) names body '%.63s': %s", index,
                            name[i], name[i][0] ? "the name is too long" : "the name is missing");

    void *grown;
    if (!GROW(exclusion)) return no_memory(body1, error);
    builder->exclusion[builder->nexclusion++] = exclusion;
    return SN_OK;
}

static sn_status constrain(sn_builder *builder, const char *body1, const char *body2,
                           const sn_constraint_def *def, sn_error *error) {
    int index = builder->nconstraint;
    const char *name[] = {body1 ? body1 : "", body2};
    if (index == BUILDER_MAX_CONSTRAINTS)
        return sn__fail(error, SN_ERROR_TOO_LARGE,
                        "body '%.63s': its constraint is one too many: a model holds at most %d", name[0],
                        BUILDER_MAX_CONSTRAINTS);
    struct builder_constraint constraint = {.body = {"", ""}};
    for (int i = 0; i < 2; i++)
        if (name[i] && !copy_name(constraint.body[i], name[i]))
            return sn__fail(error, SN_ERROR_MODEL,
                            "constraint %d (the first added is constraint 0) names body '%.63s': %s", index,
                            name[i], name[i][0] ? "the name is too long" : "the name is missing");
    if (!sn__definition_take("sn_constraint_def", def, &constraint.def, error)) {
        const sn_error why = *error;
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': %.900s", constraint.body[0], why.message);
    }
    sn_status status = sn__check_constraint(constraint.body[0], &constraint.def, error);
    if (status != SN_OK) return status;
    void *grown;
    if (!GROW(constraint)) return no_memory(body1, error);
    builder->constraint[builder->nconstraint++] = constraint;
    return SN_OK;
}

/* After the first mistake nothing is added any more: later ones may well follow from it. */
static bool is_open(const sn_builder *builder) {
    return builder && builder->mistake.status == SN_OK;
}

static void blame(char culprit[SN_MAX_NAME + 1], const char *name) {
    const size_t length = name ? strnlen(name, SN_MAX_NAME) : 0;
    if (!culprit) return;
    if (length > 0) memcpy(culprit, name, length);
    culprit[length] = '\0';
}

void sn_builder_add_body(sn_builder *builder, const sn_body_def *body) {
    if (is_open(builder) && add_body(builder, body, &builder->mistake))
        blame(builder->culprit, body ? body->name : NULL);
}

void sn_builder_add_shape(sn_builder *builder, const char *body, const sn_shape_def *shape) {
    if (is_open(builder) && add_shape(builder, body, shape, &builder->mistake)) blame(builder->culprit, body);
}

void sn_builder_exclude(sn_builder *builder, const char *body1, const char *body2) {
    if (is_open(builder) && exclude(builder, body1, body2, &builder->mistake)) blame(builder->culprit, body1);
}

void sn_builder_add_constraint(sn_builder *builder, const char *body, const char *body2,
                               const sn_constraint_def *def) {
    if (is_open(builder) && constrain(builder, body, body2, def, &builder->mistake))
        blame(builder->culprit, body);
}

sn_model *sn__model_draft(const sn_builder *builder, char culprit[SN_MAX_NAME + 1], sn_error *error) {
    const char *name = NULL;
    sn_model *model = NULL;
    sn__succeed(error);
    if (!builder) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no builder");
    } else if (builder->mistake.status != SN_OK) {
        if (error) *error = builder->mistake;
        name = builder->culprit;
    } else if (builder->nbody == 0) {
        sn__fail(error, SN_ERROR_MODEL, "the model has no bodies");
    } else {
        model = sn__model_assemble(builder, &name, error);
    }
    blame(culprit, name);
    return model;
}

sn_model *sn__model_build(const sn_builder *builder, char culprit[SN_MAX_NAME + 1], sn_error *error) {
    sn_model *model = sn__model_draft(builder, culprit, error);
    if (!model || sn__model_compile(model) == SN_OK) return model;
    sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_model_free(model);
    return NULL;
}

sn_model *sn_builder_build(const sn_builder *builder, sn_error *error) {
    return sn__model_build(builder, NULL, error);
}
