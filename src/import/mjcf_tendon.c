/* Fixed tendons: a length that is a sum of joints, each times a coefficient. Those of one joint are that joint's own spring,
 * limit and friction; those of two are couplings: with s = q1 + (c2 / c1) q2 the length is c1 s, and a stiffness k of the
 * length is c1^2 k of s. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

void sn__mjcf_rope_spring(struct mjcf *mjcf, const struct mjcf_rope *rope, double stiffness, double damping,
                          double length, double speed, double max_force) {
    const double c = rope->coef[0];
    struct mjcf_link *link = &mjcf->link[rope->link[0]];
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_COUPLING);
    def.stiffness = c * c * stiffness, def.damping = c * c * damping;
    def.target[0] = (length - rope->length) / c, def.target_velocity[0] = speed / c;
    def.ratio[1] = rope->njoint == 2 ? -rope->coef[1] / c : 0;
    def.max_force = fabs(c) * max_force;
    if (def.max_force > 0)
        sn_builder_add_constraint(mjcf->builder, link->name,
                                  rope->njoint == 2 ? mjcf->link[rope->link[1]].name : NULL, &def);
}

/* A range of the length as one of s. */
static void limit_rope(struct mjcf *mjcf, const struct mjcf_rope *rope, const double range[2]) {
    const double c = rope->coef[0];
    const double one = (range[0] - rope->length) / c, two = (range[1] - rope->length) / c;
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_COUPLING_LIMIT);
    def.ratio[1] = -rope->coef[1] / c;
    def.target[0] = fmin(one, two), def.target[1] = fmax(one, two);
    sn_builder_add_constraint(mjcf->builder, mjcf->link[rope->link[0]].name, mjcf->link[rope->link[1]].name,
                              &def);
}

/* Its own spring, limits and friction, of the joint itself where there is but one. */
static void apply(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_tendon *tendon,
                  const struct mjcf_rope *rope) {
    const bool alone = rope->njoint == 1, limited = sn__mjcf_is_limited(mjcf, tendon->limited, tendon->range);
    const double c = rope->coef[0];
    sn_joint_def *joint = &mjcf->link[rope->link[0]].def.joint;
    const double rest = tendon->springlength[0] < 0
                            ? rope->length
                            : 0.5 * (tendon->springlength[0] + tendon->springlength[1]);
    if (tendon->springlength[0] != tendon->springlength[1])
        sn__mjcf_warn_once(mjcf, node, "dead band",
                           "has a spring with a dead band: it rests in the middle of it");
    if (tendon->stiffness > 0 || tendon->damping > 0)
        sn__mjcf_rope_spring(mjcf, rope, tendon->stiffness, tendon->damping, rest, 0, (double)INFINITY);
    if (alone) joint->friction += fabs(c) * fmax(0, tendon->frictionloss);
    if (!alone && tendon->frictionloss > 0)
        sn__mjcf_warn_once(mjcf, node, "tendon friction",
                           "has a frictionloss over two joints, which is left out");
    if (!limited) return;
    if (!alone) {
        limit_rope(mjcf, rope, tendon->range);
        return;
    }
    double lower = (tendon->range[0] - rope->length) / c, upper = (tendon->range[1] - rope->length) / c;
    if (lower > upper) {
        double swap = lower;
        lower = upper, upper = swap;
    }
    if (joint->limited) lower = fmax(lower, joint->lower[0]), upper = fmin(upper, joint->upper[0]);
    if (lower <= upper) joint->limited = true, joint->lower[0] = lower, joint->upper[0] = upper;
}

/* The joints of a tendon in one copy; njoint 0: it is not available, and that has been reported. */
static bool collect(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy,
                    struct mjcf_rope *rope) {
    const struct sn__xml_node *child;
    int count = 0;
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        const struct mjcf_name *name;
        double coef = 0;
        if (strcmp(child->name, "joint") != 0) continue;
        if (!sn__mjcf_need(mjcf, child, "joint", MJCF_JOINT, copy, &name)) return false;
        int given = sn__xml_number(child, "coef", &coef, mjcf->error);
        if (given < 0) return false;
        if (given == 0) {
            sn__xml_fail_attribute(child, "coef", mjcf->error, "is missing");
            return false;
        }
        if (!name) return true;
        const struct mjcf_link *link = &mjcf->link[name->index];
        if (sn__joint_kind[link->def.joint.type].nv != 1) {
            sn__mjcf_warn_once(mjcf, node, "ball tendon",
                               "runs over '%.63s', which is neither a hinge nor a slide, and is left out",
                               name->full);
            rope->njoint = 0;
            return true;
        }
        if (coef == 0) continue;
        if (count == 1 && rope->link[0] == name->index) {
            rope->coef[0] += coef;
        } else if (count++ < 2) {
            rope->link[count - 1] = name->index, rope->coef[count - 1] = coef;
        }
        rope->length += coef * link->ref;
    }
    if (count > 2)
        sn__mjcf_warn_once(mjcf, node, "long tendon", "couples %d joints, where two can be, and is left out",
                           count);
    rope->njoint = count <= 2 && rope->coef[0] != 0 ? count : 0;
    return true;
}

static bool use_fixed(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    int class = sn__mjcf_class_of(mjcf, node, "class", 0);
    if (class < 0) return false;
    struct mjcf_tendon tendon = mjcf->class[class].tendon;
    struct mjcf_rope rope = {0};
    if (!sn__mjcf_tendon_attributes(mjcf, node, &tendon) || !collect(mjcf, node, copy, &rope)) return false;
    if (tendon.stiffness < 0 || tendon.damping < 0 || tendon.frictionloss < 0) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT, "has a negative stiffness, damping or frictionloss");
        return false;
    }
    int index = -1;
    if (rope.njoint > 0) {
        struct mjcf_rope *grown = sn__grow(mjcf->rope, &mjcf->rope_capacity, mjcf->nrope + 1, sizeof *grown);
        if (!grown) return sn__mjcf_no_memory(mjcf);
        mjcf->rope = grown;
        mjcf->rope[index = mjcf->nrope++] = rope;
        apply(mjcf, node, &tendon, &rope);
    }
    const char *outer = mjcf->scope.copy;
    mjcf->scope.copy = copy;
    const bool good = sn__mjcf_name(mjcf, node, MJCF_TENDON, index) != NULL;
    mjcf->scope.copy = outer;
    return good;
}

/* A tendon over sites has no counterpart; what refers to it is left out with it. */
static bool skip_tendon(struct mjcf *mjcf, const struct sn__xml_node *node) {
    sn__mjcf_warn_once(mjcf, node, "spatial tendon",
                       "runs over sites, which has no counterpart, and is left out");
    return sn__mjcf_name(mjcf, node, MJCF_TENDON, -1) != NULL;
}

bool sn__mjcf_tendons_read(struct mjcf *mjcf, const struct sn__xml_node *section) {
    const struct sn__xml_node *node, *first;
    for (struct mjcf_walk walk = sn__mjcf_walk(section); (node = sn__mjcf_next(mjcf, &walk));) {
        if (strcmp(node->name, "fixed") != 0) {
            if (!skip_tendon(mjcf, node)) return false;
            continue;
        }
        struct mjcf_walk inner = sn__mjcf_walk(node);
        first = sn__mjcf_next(mjcf, &inner);
        const char *joint = first ? sn__xml_string(first, "joint") : NULL;
        if (!joint) {
            sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT, "has no joints");
            return false;
        }
        /* as many tendons as there are copies of its first joint */
        bool any = false;
        const int count = mjcf->nname;
        for (int i = 0; i < count; i++) {
            const struct mjcf_name *name = &mjcf->name[i];
            if (name->kind != MJCF_JOINT || name->file != mjcf->scope.file || strcmp(name->raw, joint) != 0)
                continue;
            any = true;
            if (!use_fixed(mjcf, node, name->copy)) return false;
        }
        if (!any && !use_fixed(mjcf, node, "")) return false;
    }
    return true;
}
