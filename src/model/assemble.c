/* From what the builder holds to a model: names become indices, bodies get their depth-first order, shapes
 * become masses, joints become degrees of freedom. */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/builder.h"
#include "model/check.h"
#include "model/hull.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/model.h"
#include "model/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- the plan */

/* Bodies by the index of adding. */
struct plan {
    int *memory;         /* all of the arrays below                                    */
    int *parent;         /* [nbody] index, -1 for the world                            */
    int *child;          /* [nbody] the first child, -1                                */
    int *sibling;        /* [nbody] the next child of the same parent, -1              */
    int *order;          /* [nbody] the body that comes k-th, depth first              */
    int *place;          /* [nbody] its inverse; -1 for a body no walk has reached yet */
    int *shape_body;     /* [nshape] the body it is on                                 */
    int *excluded;       /* [2 * nexclusion] the two bodies of each                    */
    int *tied;           /* [2 * nconstraint] the two bodies of each, -1 for the world  */
    int *table;          /* [table_size] open addressing from names to bodies, -1      */
    int table_size;      /* a power of two                                             */
    const char *culprit; /* the body that is looked at: an error is about it       */
};

static sn_status plan_create(struct plan *plan, const sn_builder *builder, sn_error *error) {
    size_t nbody = (size_t)builder->nbody, nshape = (size_t)builder->nshape;
    size_t nexcluded = 2 * (size_t)builder->nexclusion, ntied = 2 * (size_t)builder->nconstraint;
    plan->table_size = 16;
    while (plan->table_size < 2 * builder->nbody)
        plan->table_size *= 2;
    size_t total = 5 * nbody + nshape + nexcluded + ntied + (size_t)plan->table_size;
    plan->memory = sn__alloc(total, sizeof(int));
    if (!plan->memory) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < total; i++)
        plan->memory[i] = -1;
    plan->parent = plan->memory;
    plan->child = plan->parent + nbody;
    plan->sibling = plan->child + nbody;
    plan->order = plan->sibling + nbody;
    plan->place = plan->order + nbody;
    plan->shape_body = plan->place + nbody;
    plan->excluded = plan->shape_body + nshape;
    plan->tied = plan->excluded + nexcluded;
    plan->table = plan->tied + ntied;
    return SN_OK;
}

/* The place in the table where the name is, or where it would go. */
static int *find_entry(const struct plan *plan, const sn_builder *builder, const char *name) {
    size_t mask = (size_t)plan->table_size - 1, at = (size_t)sn__hash(name, strlen(name), 0) & mask;
    while (plan->table[at] >= 0 && strcmp(builder->body[plan->table[at]].name, name) != 0)
        at = (at + 1) & mask;
    return &plan->table[at];
}

static sn_status resolve_constraints(struct plan *plan, const sn_builder *builder, sn_error *error) {
    for (int i = 0; i < 2 * builder->nconstraint; i++) {
        const struct builder_constraint *constraint = &builder->constraint[i / 2];
        const char *name = constraint->body[i % 2];
        if (!name[0]) continue;
        plan->culprit = name;
        plan->tied[i] = *find_entry(plan, builder, name);
        if (plan->tied[i] < 0)
            return sn__fail(error, SN_ERROR_MODEL, "body '%s' does not exist, but a constraint holds it",
                            name);
        const struct joint_kind *kind = &sn__joint_kind[builder->body[plan->tied[i]].def.joint.type];
        if ((constraint->def.type == SN_CONSTRAINT_COUPLING ||
             constraint->def.type == SN_CONSTRAINT_COUPLING_LIMIT) &&
            kind->nv != 1)
            return sn__fail(error, SN_ERROR_MODEL, "body '%s': its joint, a %s, cannot be coupled", name,
                            kind->name);
        if (i % 2 == 1 && plan->tied[i] == plan->tied[i - 1])
            return sn__fail(error, SN_ERROR_MODEL, "body '%s' cannot be tied to itself", name);
    }
    return SN_OK;
}

static sn_status resolve_names(struct plan *plan, const sn_builder *builder, sn_error *error) {
    for (int i = 0; i < builder->nbody; i++) {
        int *entry = find_entry(plan, builder, builder->body[i].name);
        plan->culprit = builder->body[i].name;
        if (*entry >= 0)
            return sn__fail(error, SN_ERROR_MODEL, "body '%s': two bodies have this name",
                            builder->body[i].name);
        *entry = i;
    }
    for (int i = 0; i < builder->nbody; i++) {
        const struct builder_body *body = &builder->body[i];
        if (!body->has_parent) continue;
        plan->culprit = body->name;
        plan->parent[i] = *find_entry(plan, builder, body->parent);
        if (plan->parent[i] < 0)
            return sn__fail(error, SN_ERROR_MODEL, "body '%s': the parent '%s' does not exist", body->name,
                            body->parent);
    }
    for (int i = 0; i < builder->nshape; i++) {
        plan->culprit = builder->shape[i].body;
        plan->shape_body[i] = *find_entry(plan, builder, builder->shape[i].body);
        if (plan->shape_body[i] < 0)
            return sn__fail(error, SN_ERROR_MODEL,
                            "body '%s' does not exist, but shape %d (the first added is shape 0) is on it",
                            builder->shape[i].body, i);
    }
    for (int i = 0; i < builder->nexclusion; i++)
        for (int k = 0; k < 2; k++) {
            const char *name = builder->exclusion[i].body[k];
            plan->culprit = name;
            int body = plan->excluded[2 * i + k] = *find_entry(plan, builder, name);
            if (body < 0)
                return sn__fail(error, SN_ERROR_MODEL,
                                "body '%s' does not exist, but is excluded from touching '%s'", name,
                                builder->exclusion[i].body[1 - k]);
        }
    return resolve_constraints(plan, builder, error);
}

/* "bodies 'a', 'b', 'c' and 'a' again": each the child of the next. Starts from a body that no walk from the
   world reaches; nbody steps up from it lie surely on the cycle. */
static sn_status tell_cycle(struct plan *plan, const sn_builder *builder, int body, sn_error *error) {
    for (int i = 0; i < builder->nbody; i++)
        body = plan->parent[body];
    int first = body; /* of the cycle, the one that was added first */
    for (int i = plan->parent[body]; i != body; i = plan->parent[i])
        if (i < first) first = i;
    plan->culprit = builder->body[first].name;

    char list[400] = "";
    size_t length = 0;
    int i = first;
    do {
        const char *name = builder->body[i].name;
        size_t more = strlen(name) + 6; /* quotes, arrow */
        if (length + more + 10 > sizeof list) {
            strcpy(list + length, "... -> ");
            length += 7;
            break;
        }
        memcpy(list + length, "'", 1);
        memcpy(list + length + 1, name, more - 6);
        memcpy(list + length + more - 5, "' -> ", 6);
        length += more;
        i = plan->parent[i];
    } while (i != first);
    return sn__fail(error, SN_ERROR_MODEL, "body '%s' is its own ancestor, child -> parent: %s'%s'",
                    builder->body[first].name, list, builder->body[first].name);
}

/* Depth first, children in the order of adding. */
static sn_status make_order(struct plan *plan, const sn_builder *builder, sn_error *error) {
    int root = -1, count = 0;
    for (int i = builder->nbody - 1; i >= 0; i--) { /* backwards, each in front of its siblings */
        int *list = plan->parent[i] >= 0 ? &plan->child[plan->parent[i]] : &root;
        plan->sibling[i] = *list;
        *list = i;
    }
    for (int i = root; i >= 0;) {
        plan->order[count] = i;
        plan->place[i] = count++;
        if (plan->child[i] >= 0) {
            i = plan->child[i];
            continue;
        }
        while (i >= 0 && plan->sibling[i] < 0)
            i = plan->parent[i];
        if (i >= 0) i = plan->sibling[i];
    }
    for (int i = 0; i < builder->nbody; i++)
        if (plan->place[i] < 0) return tell_cycle(plan, builder, i, error);
    return SN_OK;
}

/* ---------------------------------------------------------------------------------------------- the model */

sn_status sn__model_allocate(sn_model *model, const struct sn__model_size *size, sn_error *error) {
    const size_t nv = (size_t)size->nv;
    model->nbody = size->nbody, model->nshape = size->nshape;
    model->nq = size->nq, model->nv = size->nv;
    model->body = sn__alloc((size_t)size->nbody, sizeof *model->body);
    model->shape = sn__alloc((size_t)size->nshape, sizeof *model->shape);
    model->exclusion = sn__alloc((size_t)size->nexclusion, sizeof *model->exclusion);
    model->constraint = sn__alloc((size_t)size->nconstraint, sizeof *model->constraint);
    model->names = sn__alloc(size->names, 1);
    model->dof_parent = sn__alloc(nv, sizeof *model->dof_parent);
    model->armature = sn__alloc(nv, sizeof(double));
    model->damping = sn__alloc(nv, sizeof(double));
    model->stiffness = sn__alloc(nv, sizeof(double));
    model->torque_limit = sn__alloc(nv, sizeof(double));
    if (!model->body || !model->shape || !model->exclusion || !model->constraint || !model->names ||
        !model->dof_parent || !model->armature || !model->damping || !model->stiffness ||
        !model->torque_limit)
        return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    return SN_OK;
}

/* Whether an axis of a joint lies across both of its directions: the second is made perpendicular to the first then. */
static bool has_across(sn_joint_type type) {
    for (int k = 0; k < sn__joint_kind[type].naxes; k++)
        if (sn__joint_kind[type].axis[k].along == JOINT_ACROSS) return true;
    return false;
}

static struct sn__model_size size_of(const sn_builder *builder) {
    struct sn__model_size size = {.nbody = builder->nbody,
                                  .nshape = builder->nshape,
                                  .nexclusion = builder->nexclusion,
                                  .nconstraint = builder->nconstraint};
    for (int i = 0; i < builder->nbody; i++) {
        const struct joint_kind *kind = &sn__joint_kind[builder->body[i].def.joint.type];
        size.names += strlen(builder->body[i].name) + strlen(builder->body[i].joint) + 2;
        size.nq += kind->nq, size.nv += kind->nv;
    }
    return size;
}

/* The joint with axes and quaternions of unit length. */
static sn_joint_def tidy_joint(sn_joint_def joint) {
    dvec_normalise(joint.axis);
    dvec_normalise(joint.axis2);
    if (has_across(joint.type)) {
        const double along = dvec_dot(joint.axis, joint.axis2);
        for (int k = 0; along != 0 && k < 3; k++)
            joint.axis2[k] -= along * joint.axis[k];
        dvec_normalise(joint.axis2);
    }
    bool turns = sn__joint_kind[joint.type].quaternion >= 0;
    if (turns && !dquat_normalise(joint.rest)) dquat_identity(joint.rest);
    return joint;
}

static void fill_bodies(sn_model *model, const struct plan *plan, const sn_builder *builder) {
    char *name = model->names;
    int q = 0, v = 0;
    for (int k = 0; k < model->nbody; k++) {
        int from = plan->order[k];
        const sn_body_def *def = &builder->body[from].def;
        const struct joint_kind *kind = &sn__joint_kind[def->joint.type];
        sn_body_info *body = &model->body[k];
        body->name = strcpy(name, builder->body[from].name);
        name += strlen(name) + 1;
        body->parent = plan->parent[from] >= 0 ? plan->place[plan->parent[from]] : -1;
        body->q_index = q, body->nq = kind->nq;
        body->v_index = v, body->nv = kind->nv;
        q += kind->nq, v += kind->nv;
        memcpy(body->pos, def->pos, sizeof body->pos);
        memcpy(body->rot, def->rot, sizeof body->rot);
        dquat_normalise(body->rot);
        body->joint = tidy_joint(def->joint);
        body->joint.name = strcpy(name, builder->body[from].joint);
        name += strlen(name) + 1;
        body->lift = def->lift;
        model->has_lift |= def->lift != 0;
        body->mass = def->mass;
        memcpy(body->com, def->com, sizeof body->com);
        memcpy(body->inertia, def->inertia, sizeof body->inertia);
    }
}

/* Shapes go to their bodies, those of one body in the order of adding. */
static void fill_shapes(sn_model *model, const struct plan *plan, const sn_builder *builder) {
    for (int i = 0; i < builder->nshape; i++)
        model->body[plan->place[plan->shape_body[i]]].nshape++;
    int first = 0;
    for (int k = 0; k < model->nbody; k++) {
        model->body[k].first_shape = first;
        first += model->body[k].nshape;
        model->body[k].nshape = 0; /* counted again below, as they come in */
    }
    for (int i = 0; i < builder->nshape; i++) {
        sn_body_info *body = &model->body[plan->place[plan->shape_body[i]]];
        sn_shape_def *shape = &model->shape[body->first_shape + body->nshape++];
        *shape = builder->shape[i].def;
        sn__hull_share(shape->hull);
        dquat_normalise(shape->rot);
    }
}

/* In ascending order, each pair once. A body never touches itself anyway. */
static void fill_exclusions(sn_model *model, const struct plan *plan, const sn_builder *builder) {
    struct exclusion *list = model->exclusion;
    int count = 0;
    for (int i = 0; i < builder->nexclusion; i++) {
        int one = plan->place[plan->excluded[2 * i]], two = plan->place[plan->excluded[2 * i + 1]];
        if (one != two) list[count++] = (struct exclusion){one < two ? one : two, one < two ? two : one};
    }
    qsort(list, (size_t)count, sizeof *list, sn__exclusion_compare);
    for (int i = 0; i < count; i++)
        if (i == 0 || sn__exclusion_compare(&list[i - 1], &list[i]) != 0) list[model->nexclusion++] = list[i];
}

static void fill_constraints(sn_model *model, const struct plan *plan, const sn_builder *builder) {
    for (int i = 0; i < builder->nconstraint; i++) {
        sn_constraint_def *to = &model->constraint[model->nconstraint++];
        const int *body = &plan->tied[2 * i];
        *to = builder->constraint[i].def;
        to->member = 0, to->body = plan->place[body[0]];
        to->member2 = body[1] < 0 ? -1 : 0, to->body2 = body[1] < 0 ? 0 : plan->place[body[1]];
        double length = 0; /* what has unit length already keeps its bits */
        for (int k = 0; k < 4; k++)
            length += to->target[k] * to->target[k];
        if (to->type == SN_CONSTRAINT_WELD && !(fabs(length - 1) < 1e-14) && !dquat_normalise(to->target))
            dquat_identity(to->target);
    }
}

static void fill_masses(sn_model *model, const struct plan *plan, const sn_builder *builder) {
    for (int k = 0; k < model->nbody; k++) {
        sn_body_info *body = &model->body[k];
        if (!builder->body[plan->order[k]].def.mass_given) {
            struct inertia sum = {0};
            for (int i = 0; i < body->nshape; i++) {
                struct inertia part = sn__shape_inertia(&model->shape[body->first_shape + i]);
                if (model->shape[body->first_shape + i].trigger) continue;
                sum = sn__inertia_join(&sum, &part);
            }
            if (sum.mass == 0) sum = (struct inertia){0}; /* the centre of nothing is the origin */
            body->mass = sum.mass;
            memcpy(body->com, sum.com, sizeof body->com);
            memcpy(body->inertia, sum.J, sizeof body->inertia);
        }
        model->mass += body->mass;
    }
}

/* Within a joint each degree of freedom hangs on the one before it; the first hangs on the last of the
   nearest ancestor that has any. */
sn_status sn__model_fill_dofs(sn_model *model, sn_error *error) {
    struct {
        int last;  /* degree of freedom at or above the body, -1 */
        int count; /* of them, from the world to here            */
    } *path = sn__alloc((size_t)model->nbody, sizeof *path);
    if (!path) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int k = 0; k < model->nbody; k++) {
        const sn_body_info *body = &model->body[k];
        const sn_joint_def *joint = &body->joint;
        int last = body->parent >= 0 ? path[body->parent].last : -1;
        for (int v = body->v_index; v < body->v_index + body->nv; v++) {
            model->dof_parent[v] = last;
            model->armature[v] = joint->armature;
            model->damping[v] = joint->damping;
            model->stiffness[v] = joint->stiffness;
            model->torque_limit[v] = joint->torque_limit;
            model->has_stiffness |= joint->stiffness > 0;
            model->has_torque_limit |= isfinite(joint->torque_limit) != 0;
            last = v;
        }
        path[k].last = last;
        path[k].count = (body->parent >= 0 ? path[body->parent].count : 0) + body->nv;
        if (path[k].count > model->depth) model->depth = path[k].count;
    }
    sn__free(path);
    return SN_OK;
}

static sn_status make_model(sn_model *model, struct plan *plan, const sn_builder *builder, sn_error *error) {
    const struct sn__model_size size = size_of(builder);
    sn_status status = sn__model_allocate(model, &size, error);
    if (status != SN_OK) return status;
    fill_bodies(model, plan, builder);
    fill_shapes(model, plan, builder);
    fill_exclusions(model, plan, builder);
    fill_constraints(model, plan, builder);
    fill_masses(model, plan, builder);
    status = sn__model_fill_dofs(model, error);
    if (status != SN_OK) return status;
    int body;
    status = sn__check_motion(model, &body, error);
    if (body >= 0) plan->culprit = builder->body[plan->order[body]].name;
    return status;
}

sn_model *sn__model_assemble(const sn_builder *builder, const char **culprit, sn_error *error) {
    struct plan plan = {0};
    sn_model *model = NULL;
    sn_status status = plan_create(&plan, builder, error);
    if (status != SN_OK) return NULL;
    status = resolve_names(&plan, builder, error);
    if (status == SN_OK) status = make_order(&plan, builder, error);
    if (status == SN_OK) {
        plan.culprit = NULL;
        model = sn__alloc(1, sizeof *model);
        status = model ? make_model(model, &plan, builder, error)
                       : sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    }
    sn__free(plan.memory);
    *culprit = plan.culprit;
    if (status == SN_OK) return model;
    sn_model_free(model);
    return NULL;
}
