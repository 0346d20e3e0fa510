/* The equality section: joints that follow others, points and bodies that hold others. MuJoCo's are springs by their solref;
 * here they are rigid. */
#include "import/mjcf.h"

#include "base/quat.h"
#include "model/joint.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------- joints */

/* q1 = p(q2), both from where the file places them. */
static bool use_joint(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    const struct mjcf_name *one, *two = NULL;
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_COUPLING);
    const bool both = sn__xml_string(node, "joint2") != NULL;
    if (sn__xml_numbers(node, "polycoef", 1, 5, def.ratio, mjcf->error) < 0 ||
        !sn__mjcf_need(mjcf, node, "joint1", MJCF_JOINT, copy, &one) ||
        (both && !sn__mjcf_need(mjcf, node, "joint2", MJCF_JOINT, copy, &two)))
        return false;
    if (!one || (both && !two)) return true;
    const struct mjcf_link *a = &mjcf->link[one->index], *b = two ? &mjcf->link[two->index] : NULL;
    if (a == b) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT, "needs two joints, hinges or slides");
        return false;
    }
    if (sn__joint_kind[a->def.joint.type].nv != 1 || (b && sn__joint_kind[b->def.joint.type].nv != 1)) {
        sn__mjcf_warn_once(mjcf, node, "ball equality",
                           "ties a joint that is neither a hinge nor a slide, and is left out");
        return true;
    }
    sn_builder_add_constraint(mjcf->builder, a->name, b ? b->name : NULL, &def);
    return true;
}

/* ------------------------------------------------------------------------------------------------- tendons */

/* L1 - L1(0) = p(L2 - L2(0)): one tendon of two joints at a constant, or two of one joint each. */
static bool use_tendon(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    const struct mjcf_name *one, *two = NULL;
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_COUPLING);
    double p[5] = {0, 1};
    const bool both = sn__xml_string(node, "tendon2") != NULL;
    if (sn__xml_numbers(node, "polycoef", 1, 5, p, mjcf->error) < 0 ||
        !sn__mjcf_need(mjcf, node, "tendon1", MJCF_TENDON, copy, &one) ||
        (both && !sn__mjcf_need(mjcf, node, "tendon2", MJCF_TENDON, copy, &two)))
        return false;
    if (!one || (both && !two)) return true;
    if (one->index < 0 || (two && two->index < 0)) return true;
    const struct mjcf_rope *a = &mjcf->rope[one->index], *b = two ? &mjcf->rope[two->index] : NULL;
    if (b && (a->njoint > 1 || b->njoint > 1 || a->link[0] == b->link[0])) {
        sn__mjcf_warn_once(mjcf, node, "tendons",
                           "ties tendons of several joints to each other and is left out");
        return true;
    }
    memset(def.ratio, 0, sizeof def.ratio);
    def.ratio[0] = p[0] / a->coef[0];
    if (!b && a->njoint == 2) def.ratio[1] = -a->coef[1] / a->coef[0];
    double power = 1 / a->coef[0];
    for (int i = 1; b && i < 5; i++)
        def.ratio[i] = p[i] * (power *= b->coef[0]);
    const int other = b ? b->link[0] : a->njoint == 2 ? a->link[1] : -1;
    sn_builder_add_constraint(mjcf->builder, mjcf->link[a->link[0]].name,
                              other >= 0 ? mjcf->link[other].name : NULL, &def);
    return true;
}

/* -------------------------------------------------------------------------------------------------- bodies */

/* A body that is named, or the world: its link or -1. *there is false where its absence is forgiven. */
static bool find_body(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                      const char *copy, int *link, bool *there) {
    const char *raw = sn__xml_string(node, attribute);
    const struct mjcf_name *name = NULL;
    *link = -1, *there = true;
    if (!raw || strcmp(raw, "world") == 0) return true;
    if (!sn__mjcf_need(mjcf, node, attribute, MJCF_BODY, copy, &name)) return false;
    *there = name != NULL;
    if (name) *link = name->index;
    return true;
}

/* A place and orientation of the world, seen from a link. */
static void see(const struct mjcf *mjcf, int link, const double pos[3], const double quat[4], double seen[3],
                double turn[4]) {
    double at[3], rot[4], way[3];
    sn__mjcf_link_place(mjcf, link, at, rot);
    for (int i = 0; i < 3; i++)
        way[i] = pos[i] - at[i];
    dquat_conjugate(rot, rot);
    dquat_rotate(rot, way, seen);
    dquat_multiply(rot, quat, turn);
}

/* Both meet where the first one's point, and its orientation, are when all joints are at 0. */
static void hold(struct mjcf *mjcf, sn_constraint_def *def, int one, int two) {
    double pos[3], rot[4];
    memcpy(pos, def->point, sizeof pos);
    dquat_identity(rot);
    double at[3], turn[4];
    sn__mjcf_link_place(mjcf, one, at, turn);
    sn__mjcf_frame_carry(at, turn, pos, rot);
    see(mjcf, two, pos, rot, def->point2, def->target);
}

static void add(struct mjcf *mjcf, sn_constraint_def *def, int one, int two) {
    if (one < 0) { /* the world is the second end */
        double point[3];
        memcpy(point, def->point, sizeof point);
        memcpy(def->point, def->point2, sizeof point);
        memcpy(def->point2, point, sizeof point);
        dquat_conjugate(def->target, def->target);
        one = two, two = -1;
    }
    if (def->type == SN_CONSTRAINT_PIN) memset(def->target, 0, sizeof def->target);
    sn_builder_add_constraint(mjcf->builder, mjcf->link[one].name, two >= 0 ? mjcf->link[two].name : NULL,
                              def);
}

static bool use_bodies(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    const bool weld = strcmp(node->name, "weld") == 0;
    sn_constraint_def def = sn_constraint_def_default(weld ? SN_CONSTRAINT_WELD : SN_CONSTRAINT_PIN);
    int one, two;
    bool here, there;
    if (!find_body(mjcf, node, "body1", copy, &one, &here) ||
        !find_body(mjcf, node, "body2", copy, &two, &there))
        return false;
    if (!here || !there) return true;
    if (one == two) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT, "ties a body to itself");
        return false;
    }
    double anchor[3] = {0}, pose[7] = {0};
    int given = sn__xml_vector(node, "anchor", 3, anchor, mjcf->error);
    int posed = sn__xml_vector(node, "relpose", 7, pose, mjcf->error);
    if (given < 0 || posed < 0) return false;
    if (!weld && given == 0) {
        sn__xml_fail_attribute(node, "anchor", mjcf->error, "is missing");
        return false;
    }
    if (!weld) {
        memcpy(def.point, anchor, sizeof anchor);
        hold(mjcf, &def, one, two);
    } else if (posed > 0 && dquat_normalise(pose + 3)) { /* the second in the first */
        double turned[3];
        dquat_rotate(pose + 3, anchor, turned);
        for (int i = 0; i < 3; i++)
            def.point[i] = pose[i] + turned[i], def.point2[i] = anchor[i];
        dquat_conjugate(pose + 3, def.target);
    } else { /* as they are, at the second's origin or at its anchor */
        double pos[3], rot[4], turn[4];
        memcpy(pos, anchor, sizeof pos);
        dquat_identity(rot);
        double at[3], turned[4];
        sn__mjcf_link_place(mjcf, two, at, turned);
        sn__mjcf_frame_carry(at, turned, pos, rot);
        see(mjcf, one, pos, rot, def.point, turn);
        hold(mjcf, &def, one, two);
    }
    add(mjcf, &def, one, two);
    return true;
}

/* ----------------------------------------------------------------------------------------------- the section */

static bool read_one(struct mjcf *mjcf, const struct sn__xml_node *node) {
    bool active = true;
    if (sn__xml_bool(node, "active", &active, mjcf->error) < 0) return false;
    if (!active) return true;
    if (strcmp(node->name, "joint") == 0) return sn__mjcf_each(mjcf, node, "joint1", MJCF_JOINT, use_joint);
    if (strcmp(node->name, "tendon") == 0)
        return sn__mjcf_each(mjcf, node, "tendon1", MJCF_TENDON, use_tendon);
    if (strcmp(node->name, "connect") != 0 && strcmp(node->name, "weld") != 0) {
        sn__mjcf_skip(mjcf, node);
        return true;
    }
    if (sn__xml_string(node, "site1") || sn__xml_string(node, "site2")) {
        sn__mjcf_warn_once(mjcf, node, "sites", "ties sites, not bodies, and is left out");
        return true;
    }
    const char *first = sn__xml_string(node, "body1");
    const bool from_world = first && strcmp(first, "world") == 0;
    if (from_world && !sn__xml_string(node, "body2")) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_FORMAT, "ties the world to itself");
        return false;
    }
    return sn__mjcf_each(mjcf, node, from_world ? "body2" : "body1", MJCF_BODY, use_bodies);
}

bool sn__mjcf_equality_read(struct mjcf *mjcf, const struct sn__xml_node *section) {
    const struct sn__xml_node *node;
    for (struct mjcf_walk walk = sn__mjcf_walk(section); (node = sn__mjcf_next(mjcf, &walk));)
        if (!read_one(mjcf, node)) return false;
    return true;
}
