#include "model/check.h"

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ numbers */

/* The ranges that the header gives for the members of a definition; "what" stands before their names in the message. */
static sn_status check_ranges(const char *name, const void *def, const char *body, const char *what,
                              sn_error *error) {
    char where[2 * SN_MAX_NAME];
    snprintf(where, sizeof where, "body '%.63s': %s", body, what);
    return sn__definition_check(name, def, where, SN_ERROR_MODEL, error);
}

static bool all_finite(const double *a, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(a[i])) return false;
    return true;
}

static bool all_zero(const double *a, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != 0) return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------- joints */

static sn_status check_axes(const char *name, const sn_joint_def *joint, sn_error *error) {
    const double parallel =
        1e-3; /* sine of the angle: closer than this, float kernels cannot tell them apart */
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    double a[3], b[3], across[3];
    memcpy(a, joint->axis, sizeof a);
    memcpy(b, joint->axis2, sizeof b);
    if (kind->ndirection >= 1 && !dvec_normalise(a))
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': joint.axis is zero", name);
    if (kind->ndirection < 2) return SN_OK;
    if (!dvec_normalise(b)) return sn__fail(error, SN_ERROR_MODEL, "body '%s': joint.axis2 is zero", name);
    dvec_cross(a, b, across);
    if (dvec_length(across) < parallel)
        return sn__fail(error, SN_ERROR_MODEL,
                        "body '%s': joint.axis and joint.axis2 of its %s joint are parallel", name,
                        kind->name);
    return SN_OK;
}

static sn_status check_limits(const char *name, const sn_joint_def *joint, sn_error *error) {
    if (!joint->limited) return SN_OK;
    for (int i = 0; i < sn__joint_kind[joint->type].nlimit; i++)
        if (joint->lower[i] > joint->upper[i])
            return sn__fail(error, SN_ERROR_MODEL,
                            "body '%s': joint.lower[%d] = %g is above joint.upper[%d] = %g", name, i,
                            joint->lower[i], i, joint->upper[i]);
    if (sn__joint_kind[joint->type].quaternion == 0 && joint->upper[1] < 0)
        return sn__fail(error, SN_ERROR_MODEL,
                        "body '%s': joint.upper[1] = %g, the swing of a ball joint, is negative", name,
                        joint->upper[1]);
    return SN_OK;
}

static sn_status check_joint(const char *name, const sn_body_def *body, sn_error *error) {
    const sn_joint_def *joint = &body->joint;
    const bool is_free = sn__joint_kind[joint->type].quaternion > 0;
    if (is_free && body->parent)
        return sn__fail(error, SN_ERROR_MODEL,
                        "body '%s': a free joint needs the world as parent, but its parent is '%.63s'", name,
                        body->parent);
    if (is_free && !all_zero(joint->anchor, 3))
        return sn__fail(error, SN_ERROR_MODEL,
                        "body '%s': joint.anchor = %g %g %g of its free joint is not zero", name,
                        joint->anchor[0], joint->anchor[1], joint->anchor[2]);
    if (is_free && joint->stiffness != 0)
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': joint.stiffness = %g: a free joint has no spring",
                        name, joint->stiffness);
    const sn_status status = check_axes(name, joint, error);
    return status != SN_OK ? status : check_limits(name, joint, error);
}

/* ----------------------------------------------------------------------------------------- bodies, shapes */

/* A rigid body's principal moments A <= B <= C are sums of squares of distances: none is negative, and A + B
   >= C, with equality for a flat plate. */
static sn_status check_given_mass(const char *name, const sn_body_def *body, sn_error *error) {
    const double tolerance = 1e-6;
    if (body->mass < 0)
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': mass = %g is negative", name, body->mass);
    if (all_zero(body->inertia, 6)) return SN_OK;
    if (body->mass == 0)
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': inertia is given, but mass is 0", name);
    double moment[3];
    sn__sym_eigenvalues(body->inertia, moment);
    double largest = fmax(fabs(moment[0]), fabs(moment[2]));
    if (!(moment[0] >= -tolerance * largest))
        return sn__fail(error, SN_ERROR_MODEL,
                        "body '%s': inertia is not physical: its smallest principal moment is %g", name,
                        moment[0]);
    if (!(moment[0] + moment[1] >= moment[2] * (1 - tolerance)))
        return sn__fail(
            error, SN_ERROR_MODEL,
            "body '%s': inertia is not physical: of its principal moments %g, %g and %g the last is "
            "larger than the sum of the others",
            name, moment[0], moment[1], moment[2]);
    return SN_OK;
}

sn_status sn__check_body(const char *name, const sn_body_def *body, sn_error *error) {
    sn_status status = check_ranges("sn_body_def", body, name, "", error);
    if (status == SN_OK && all_zero(body->rot, 4))
        status = sn__fail(error, SN_ERROR_MODEL, "body '%s': rot is a zero quaternion", name);
    if (status == SN_OK) status = check_joint(name, body, error);
    if (status == SN_OK && body->mass_given) status = check_given_mass(name, body, error);
    return status;
}

/* Pins, welds and couplings are what a model can bring along. */
sn_status sn__check_constraint(const char *body, const sn_constraint_def *def, sn_error *error) {
    if (def->type != SN_CONSTRAINT_PIN && def->type != SN_CONSTRAINT_WELD &&
        def->type != SN_CONSTRAINT_COUPLING && def->type != SN_CONSTRAINT_COUPLING_LIMIT)
        return sn__fail(
            error, SN_ERROR_MODEL,
            "body '%s': its constraint is not a pin, weld or coupling. Add other types to a world instead",
            body);
    return check_ranges("sn_constraint_def", def, body, "constraint ", error);
}

sn_status sn__check_shape(const char *body, const sn_shape_def *shape, sn_error *error) {
    sn_status status = check_ranges("sn_shape_def", shape, body, "shape ", error);
    if (status != SN_OK) return status;
    if (shape->type == SN_SHAPE_HULL && !shape->hull)
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': its hull is NULL: see sn_hull_create", body);
    for (int i = 0; i < sn__shape_nsize(shape->type); i++)
        if (!(shape->size[i] > 0))
            return sn__fail(error, SN_ERROR_MODEL, "body '%s': shape size[%d] = %g of its %s is not positive",
                            body, i, shape->size[i], sn__shape_name(shape->type));
    if (all_zero(shape->rot, 4))
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': shape rot is a zero quaternion", body);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------- motion */

/* What each body and all that hangs on it weigh at q = 0, as one rigid body in the body's frame. */
static void composite_inertia(const sn_model *model, struct inertia *composite) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        composite[i].mass = body->mass;
        memcpy(composite[i].com, body->com, sizeof body->com);
        memcpy(composite[i].J, body->inertia, sizeof body->inertia);
    }
    for (int i = model->nbody - 1; i >= 0; i--) {
        const sn_body_info *body = &model->body[i];
        if (body->parent < 0) continue;
        struct inertia seen = sn__inertia_move(&composite[i], body->pos, body->rot);
        composite[body->parent] = sn__inertia_join(&composite[body->parent], &seen);
    }
}

/* Axes of a joint that turn, and the first two of them. */
static int turning_axes(const sn_joint_def *joint, double axis[2][3]) {
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    int n = 0;
    for (int k = 0; k < kind->naxes; k++)
        if (kind->axis[k].way != JOINT_SLIDES && n < 2) sn__joint_axis(joint, k, axis[n++]);
    return n;
}

/* The least inertia that the joint's rotations meet, and the size it is to be compared with. */
static double least_inertia(const sn_body_info *body, const struct inertia *carried, double *scale) {
    const sn_joint_def *joint = &body->joint;
    double J[6], value[3], arm[3], axis[2][3];
    const int nturn = turning_axes(joint, axis);
    memcpy(J, carried->J, sizeof J);
    if (sn__joint_nslide(body) <
        2) { /* what can slide both ways turns about its centre of mass, others about the anchor */
        for (int i = 0; i < 3; i++)
            arm[i] = carried->com[i] - joint->anchor[i];
        sn__sym_parallel_axis(carried->mass, arm, J);
    }
    *scale = J[0] + J[1] + J[2];
    if (nturn == 1) return sn__sym_between(axis[0], J, axis[0]);
    if (nturn == 2) { /* the smaller eigenvalue of S^T J S */
        double a = sn__sym_between(axis[0], J, axis[0]), b = sn__sym_between(axis[0], J, axis[1]);
        double c = sn__sym_between(axis[1], J, axis[1]);
        return 0.5 * (a + c) - sqrt(0.25 * (a - c) * (a - c) + b * b);
    }
    sn__sym_eigenvalues(J, value);
    return value[0];
}

static sn_status check_joint_motion(const sn_body_info *body, const struct inertia *carried,
                                    sn_error *error) {
    const double tolerance = 1e-12; /* of the trace: what rounding leaves of an inertia that is zero */
    const sn_joint_def *joint = &body->joint;
    if (body->nv == 0 || joint->armature > 0) return SN_OK;
    const char *kind = sn__joint_kind[joint->type].name;
    if (!(carried->mass > 0))
        return sn__fail(
            error, SN_ERROR_MODEL,
            "body '%s': its %s joint moves no mass: give mass to it or to a body below it, or give the "
            "joint armature",
            body->name, kind);
    if (body->nv == sn__joint_nslide(body)) return SN_OK;
    double scale, least = least_inertia(body, carried, &scale);
    if (!(least > tolerance * scale))
        return sn__fail(
            error, SN_ERROR_MODEL,
            "body '%s': its %s joint can turn about an axis without inertia (%g kg m^2): give inertia to "
            "it or to a body below it, or give the joint armature",
            body->name, kind, least);
    return SN_OK;
}

static sn_status overflow(const sn_body_info *body, sn_error *error) {
    if (!isfinite(body->mass))
        return sn__fail(error, SN_ERROR_MODEL, "body '%s': its mass is %g. Use smaller densities or sizes.",
                        body->name, body->mass);
    const bool com = !all_finite(body->com, 3);
    return sn__fail(error, SN_ERROR_MODEL,
                    "body '%s': its %s is not finite. Use smaller sizes and positions.", body->name,
                    com ? "com" : "inertia");
}

sn_status sn__check_motion(const sn_model *model, int *culprit, sn_error *error) {
    *culprit = -1;
    struct inertia *composite = sn__alloc((size_t)model->nbody, sizeof *composite);
    if (!composite) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    composite_inertia(model, composite);
    sn_status status = SN_OK;
    for (int i = 0; i < model->nbody && status == SN_OK; i++) {
        const sn_body_info *body = &model->body[i];
        /* Numbers that are finite one by one may still overflow together. */
        if (!isfinite(body->mass) || !all_finite(body->com, 3) || !all_finite(body->inertia, 6))
            status = overflow(body, error);
        if (status == SN_OK) status = check_joint_motion(body, &composite[i], error);
        if (status != SN_OK) *culprit = i;
    }
    sn__free(composite);
    return status;
}
