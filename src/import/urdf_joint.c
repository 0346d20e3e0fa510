/* The joints of a URDF: what kind each is, which links it ties, its axis, limits and friction. */
#include "import/urdf.h"

#include "base/memory.h"
#include "import/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A safety controller keeps the joint within soft limits, which then are those that count, where they lie within the hard
   ones. */
static bool read_soft_limits(struct urdf_robot *robot, struct urdf_joint *joint) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "safety_controller");
    sn_joint_def *def = &joint->def;
    double lower = def->lower[0], upper = def->upper[0];
    if (!node || !def->limited || joint->kind == URDF_BALL) return true;
    if (sn__xml_number(node, "soft_lower_limit", &lower, robot->error) < 0 ||
        sn__xml_number(node, "soft_upper_limit", &upper, robot->error) < 0)
        return false;
    lower = fmax(lower, def->lower[0]), upper = fmin(upper, def->upper[0]);
    if (lower < upper) def->lower[0] = lower, def->upper[0] = upper;
    return true;
}

/* Limits count when both ends make sense: lower > upper, and a revolute joint that gives neither, mean
   none. */
static bool read_limits(struct urdf_robot *robot, struct urdf_joint *joint, bool limitable) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "limit");
    sn_joint_def *def = &joint->def;
    double lower = 0, upper = 0, twist = 0, effort = (double)INFINITY;
    if (!node) return true;
    int has_lower = sn__xml_number(node, "lower", &lower, robot->error);
    int has_upper = sn__xml_number(node, "upper", &upper, robot->error);
    int has_twist = sn__xml_number(node, "twist", &twist, robot->error);
    int has_effort = sn__xml_number(node, "effort", &effort, robot->error);
    if (has_lower < 0 || has_upper < 0 || has_twist < 0 || has_effort < 0) return false;
    if (limitable && (has_lower || has_upper) && lower <= upper) {
        def->limited = true;
        def->lower[0] = lower, def->upper[0] = upper;
    }
    if (joint->kind == URDF_BALL && has_twist && (has_lower || has_upper)) {
        def->limited = true;
        def->upper[0] = fabs(twist), def->lower[0] = -fabs(twist);
        def->upper[1] = fmax(fabs(lower), fabs(upper));
        if (fabs(lower) != fabs(upper))
            sn__warn(robot->options, "%s:%d: joint '%.64s': its swing is limited to a cone of %g rad",
                     node->file, node->line, joint->name, def->upper[1]);
    }
    if (!read_soft_limits(robot, joint)) return false;
    if (has_effort && effort != 0) def->torque_limit = fabs(effort);
    if (has_effort && effort == 0 && robot->no_effort++ == 0) robot->no_effort_name = joint->name;
    return true;
}

static bool read_dynamics(struct urdf_robot *robot, struct urdf_joint *joint) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "dynamics");
    static const char *const name[] = {"damping", "friction"};
    double *const value[] = {joint->damping, joint->friction};
    if (!node) return true;
    for (int k = 0; k < 2; k++) {
        int n = sn__xml_numbers(node, name[k], 1, 3, value[k], robot->error);
        if (n < 0) return false;
        for (int i = 1; n > 0 && i < 3; i++)
            if (i >= n) value[k][i] = value[k][0];
        for (int i = 0; i < 3; i++)
            if (value[k][i] < 0) {
                sn__xml_fail_attribute(node, name[k], robot->error, "of joint '%.64s': %g is negative",
                                       joint->name, value[k][i]);
                return false;
            }
    }
    joint->def.damping = joint->damping[0];
    if (joint->kind != URDF_FIXED && joint->kind != URDF_FLOATING) joint->def.friction = joint->friction[0];
    return true;
}

static bool read_ends(struct urdf_robot *robot, struct urdf_joint *joint) {
    static const char *const end[2] = {"parent", "child"};
    int *index[2] = {&joint->parent, &joint->child};
    for (int i = 0; i < 2; i++) {
        const struct sn__xml_node *node = sn__xml_child(joint->node, end[i]);
        const char *name = node ? sn__xml_string(node, "link") : NULL;
        if (!name) {
            sn__xml_fail(joint->node, robot->error, SN_ERROR_FORMAT, "'%.64s' has no <%s link=\"...\">",
                         joint->name, end[i]);
            return false;
        }
        *index[i] = sn__urdf_find(robot, name);
        if (*index[i] < 0 && !(i == 0 && strcmp(name, "world") == 0)) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT, "of joint '%.64s': there is no link '%.64s'",
                         joint->name, name);
            return false;
        }
    }
    return true;
}

static bool read_joint(struct urdf_robot *robot, struct urdf_joint *joint) {
    static const char *const words[] = {"fixed", "revolute",  "continuous", "prismatic", "spherical",
                                        "ball",  "universal", "planar",     "floating",  NULL};
    static const enum urdf_kind kinds[] = {URDF_FIXED, URDF_HINGE,     URDF_HINGE,  URDF_SLIDE,   URDF_BALL,
                                           URDF_BALL,  URDF_UNIVERSAL, URDF_PLANAR, URDF_FLOATING};
    static const sn_joint_type types[] = {SN_JOINT_WELD,      SN_JOINT_HINGE,  SN_JOINT_SLIDE, SN_JOINT_BALL,
                                          SN_JOINT_UNIVERSAL, SN_JOINT_PLANAR, SN_JOINT_FREE};
    joint->name = sn__xml_string(joint->node, "name");
    if (!joint->name || !joint->name[0]) {
        sn__xml_fail(joint->node, robot->error, SN_ERROR_FORMAT, "has no name");
        return false;
    }
    int word = -1;
    if (sn__xml_choice(joint->node, "type", words, &word, robot->error) < 0) return false;
    if (word < 0) {
        sn__xml_fail(joint->node, robot->error, SN_ERROR_FORMAT, "'%.64s' has no type", joint->name);
        return false;
    }
    joint->kind = kinds[word];
    joint->def = sn_joint_def_default(types[joint->kind]);
    if (!read_ends(robot, joint) || !sn__urdf_origin(joint->node, &joint->frame, robot->error)) return false;

    const struct sn__xml_node *axis = sn__xml_child(joint->node, "axis");
    double direction[3] = {1, 0, 0};
    if (axis && sn__xml_vector(axis, "xyz", 3, direction, robot->error) < 0) return false;
    bool uses_axis = joint->kind == URDF_HINGE || joint->kind == URDF_SLIDE || joint->kind == URDF_PLANAR;
    bool zero = direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
    if (zero && uses_axis) {
        sn__xml_fail(axis, robot->error, SN_ERROR_FORMAT, "of joint '%.64s' is zero", joint->name);
        return false;
    }
    if (!zero) memcpy(joint->def.axis, direction, sizeof direction);
    if (joint->kind == URDF_UNIVERSAL) { /* Drake's: about x, then about the turned y */
        joint->def.axis[0] = 1, joint->def.axis[1] = joint->def.axis[2] = 0;
        joint->def.axis2[1] = 1, joint->def.axis2[0] = joint->def.axis2[2] = 0;
    }
    return read_limits(robot, joint, word == 1 || joint->kind == URDF_SLIDE) && read_dynamics(robot, joint);
}

/* Names of joints are unique. */
static bool check_names(const struct urdf_robot *robot) {
    struct urdf_name *names = sn__alloc((size_t)robot->njoint + 1, sizeof *names);
    if (!names) {
        sn__fail(robot->error, SN_ERROR_MEMORY, "%s: out of memory", robot->path);
        return false;
    }
    for (int i = 0; i < robot->njoint; i++)
        names[i] = (struct urdf_name){robot->joint[i].name, i};
    qsort(names, (size_t)robot->njoint, sizeof *names, sn__urdf_compare_names);
    int twice = 0;
    for (int i = 1; i < robot->njoint && !twice; i++)
        if (strcmp(names[i - 1].name, names[i].name) == 0) twice = names[i].index;
    sn__free(names);
    if (!twice) return true;
    sn__xml_fail(robot->joint[twice].node, robot->error, SN_ERROR_FORMAT, "two joints have the name '%.64s'",
                 robot->joint[twice].name);
    return false;
}

bool sn__urdf_joints(struct urdf_robot *robot, const struct sn__xml_node *root) {
    int n = 0;
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        if (!sn__urdf_is_joint(node)) continue;
        struct urdf_joint *joint = &robot->joint[n];
        *joint = (struct urdf_joint){.node = node, .sibling = -1};
        if (!read_joint(robot, joint)) return false;
        struct urdf_link *child = &robot->link[joint->child];
        if (child->joint >= 0) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT,
                         "'%.64s': link '%.64s' is already the child of joint '%.64s'", joint->name,
                         child->name, robot->joint[child->joint].name);
            return false;
        }
        child->joint = n++;
    }
    for (int i = robot->njoint - 1; i >= 0; i--) { /* backwards, each in front of its siblings */
        struct urdf_joint *joint = &robot->joint[i];
        if (joint->parent < 0) continue;
        joint->sibling = robot->link[joint->parent].first;
        robot->link[joint->parent].first = i;
    }
    if (robot->no_effort > 0)
        sn__warn(robot->options, "%s: an effort limit of 0 on %d joints ('%.64s' first) is taken as none",
                 robot->path, robot->no_effort, robot->no_effort_name);
    return check_names(robot);
}
