/* URDF: links tied by joints into a tree, in any order.
 *
 * A link becomes a body of its name; a link on a fixed joint is merged into the body that holds it. The
 * root floats freely, unless it is named "world" or neither it nor what is fixed to it has mass: then it
 * stands still. */
#include "import/urdf.h"

#include "base/memory.h"
#include "import/load.h"
#include "import/readers.h"
#include "model/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { FIXED, HINGE, SLIDE, BALL, UNIVERSAL, PLANAR, FLOATING };

struct joint {
    const struct sn__xml_node *node;
    const char *name;
    enum kind kind;
    int parent, child;  /* links; parent -1: a world that the file does not list */
    int sibling;        /* the next joint of the same parent, -1                 */
    struct frame frame; /* of the child in the parent                            */
    sn_joint_def def;   /* of kinds that are one joint; planar: axis and rest    */
    double damping[3], friction[3];
};

struct link {
    const struct sn__xml_node *node;
    const char *name;
    int joint;              /* that ties it to its parent, -1                                  */
    int first;              /* the first joint that has it as parent, -1                       */
    double carried;         /* mass of it and all that hangs on it                             */
    double rigid;           /* mass of it and all that is fixed to it                          */
    int owner;              /* the link whose body holds it: often itself; -1: the world       */
    bool still;             /* cannot move                                                     */
    struct frame place;     /* in the owner's frame                                            */
    struct frame world;     /* of a link that is still: in the world                           */
    struct inertia inertia; /* own, in its frame; of an owner later: of the whole body         */
};

struct name {
    const char *name;
    int index;
};

struct robot {
    const char *path;
    const sn_load_options *options;
    sn_error *error;
    struct link *link;
    struct joint *joint;
    struct name *names; /* [nlink] sorted         */
    int *order;         /* [nlink] parents first  */
    int nlink, njoint;
    int no_effort; /* joints that have it as 0 */
    const char *no_effort_name;
    struct urdf_meshes meshes;
    sn_builder *builder;
};

/* -------------------------------------------------------------------------------------------- collecting */

static bool is_joint(const struct sn__xml_node *node) {
    const char *colon = strchr(node->name, ':'); /* <drake:joint> */
    return strcmp(colon ? colon + 1 : node->name, "joint") == 0;
}

static int compare_names(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int find_link(const struct robot *robot, const char *name) {
    int low = 0, high = robot->nlink;
    while (low < high) {
        int middle = low + (high - low) / 2, order = strcmp(robot->names[middle].name, name);
        if (order == 0) return robot->names[middle].index;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Elements beside links and joints that change nothing here: a warning for each name. */
static void warn_of_extras(const struct robot *robot, const struct sn__xml_node *root) {
    static const char *const silent[] = {"link", "joint", "material", NULL};
    const char *told[16];
    int ntold = 0;
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        bool known = is_joint(node);
        for (int i = 0; silent[i] && !known; i++)
            known = strcmp(silent[i], node->name) == 0;
        for (int i = 0; i < ntold && !known; i++)
            known = strcmp(told[i], node->name) == 0;
        if (known || ntold == 16) continue;
        told[ntold++] = node->name;
        sn__warn(robot->options, "%s:%d: <%.64s> is passed over", node->file, node->line, node->name);
    }
}

static bool collect_links(struct robot *robot, const struct sn__xml_node *root) {
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        robot->nlink += strcmp(node->name, "link") == 0;
        robot->njoint += is_joint(node);
    }
    if (robot->nlink == 0) {
        sn__xml_fail(root, robot->error, SN_ERROR_FORMAT, "has no links");
        return false;
    }
    robot->link = sn__alloc((size_t)robot->nlink, sizeof *robot->link);
    robot->joint = sn__alloc((size_t)robot->njoint, sizeof *robot->joint);
    robot->names = sn__alloc((size_t)robot->nlink, sizeof *robot->names);
    robot->order = sn__alloc((size_t)robot->nlink, sizeof *robot->order);
    if (!robot->link || !robot->joint || !robot->names || !robot->order) {
        sn__fail(robot->error, SN_ERROR_MEMORY, "%s: out of memory", robot->path);
        return false;
    }
    int n = 0;
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        if (strcmp(node->name, "link") != 0) continue;
        struct link *link = &robot->link[n];
        *link = (struct link){.node = node, .name = sn__xml_string(node, "name"), .joint = -1, .first = -1};
        if (!link->name || !link->name[0]) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT, "has no name");
            return false;
        }
        if (!sn__urdf_inertia(node, &link->inertia, &robot->meshes, robot->options, robot->error))
            return false;
        robot->names[n] = (struct name){link->name, n};
        n++;
    }
    qsort(robot->names, (size_t)n, sizeof *robot->names, compare_names);
    for (int i = 1; i < n; i++)
        if (strcmp(robot->names[i - 1].name, robot->names[i].name) == 0) {
            const struct link *second = &robot->link[robot->names[i].index];
            sn__xml_fail(second->node, robot->error, SN_ERROR_FORMAT, "two links have the name '%.64s'",
                         second->name);
            return false;
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------ joints */

/* A safety controller keeps the joint within soft limits, which then are those that count, where they lie within the hard
   ones. */
static bool read_soft_limits(struct robot *robot, struct joint *joint) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "safety_controller");
    sn_joint_def *def = &joint->def;
    double lower = def->lower[0], upper = def->upper[0];
    if (!node || !def->limited || joint->kind == BALL) return true;
    if (sn__xml_number(node, "soft_lower_limit", &lower, robot->error) < 0 ||
        sn__xml_number(node, "soft_upper_limit", &upper, robot->error) < 0)
        return false;
    lower = fmax(lower, def->lower[0]), upper = fmin(upper, def->upper[0]);
    if (lower < upper) def->lower[0] = lower, def->upper[0] = upper;
    return true;
}

/* Limits count when both ends make sense: lower > upper, and a revolute joint that gives neither, mean
   none. */
static bool read_limits(struct robot *robot, struct joint *joint, bool limitable) {
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
    if (joint->kind == BALL && has_twist && (has_lower || has_upper)) {
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

static bool read_dynamics(struct robot *robot, struct joint *joint) {
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
    if (joint->kind != FIXED && joint->kind != FLOATING) joint->def.friction = joint->friction[0];
    return true;
}

static bool read_ends(struct robot *robot, struct joint *joint) {
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
        *index[i] = find_link(robot, name);
        if (*index[i] < 0 && !(i == 0 && strcmp(name, "world") == 0)) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT, "of joint '%.64s': there is no link '%.64s'",
                         joint->name, name);
            return false;
        }
    }
    return true;
}

static bool read_joint(struct robot *robot, struct joint *joint) {
    static const char *const words[] = {"fixed", "revolute",  "continuous", "prismatic", "spherical",
                                        "ball",  "universal", "planar",     "floating",  NULL};
    static const enum kind kinds[] = {FIXED, HINGE, HINGE, SLIDE, BALL, BALL, UNIVERSAL, PLANAR, FLOATING};
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
    bool uses_axis = joint->kind == HINGE || joint->kind == SLIDE || joint->kind == PLANAR;
    bool zero = direction[0] == 0 && direction[1] == 0 && direction[2] == 0;
    if (zero && uses_axis) {
        sn__xml_fail(axis, robot->error, SN_ERROR_FORMAT, "of joint '%.64s' is zero", joint->name);
        return false;
    }
    if (!zero) memcpy(joint->def.axis, direction, sizeof direction);
    if (joint->kind == UNIVERSAL) { /* Drake's: about x, then about the turned y */
        joint->def.axis[0] = 1, joint->def.axis[1] = joint->def.axis[2] = 0;
        joint->def.axis2[1] = 1, joint->def.axis2[0] = joint->def.axis2[2] = 0;
    }
    return read_limits(robot, joint, word == 1 || joint->kind == SLIDE) && read_dynamics(robot, joint);
}

/* Names of joints are unique. */
static bool check_names(const struct robot *robot) {
    struct name *names = sn__alloc((size_t)robot->njoint + 1, sizeof *names);
    if (!names) {
        sn__fail(robot->error, SN_ERROR_MEMORY, "%s: out of memory", robot->path);
        return false;
    }
    for (int i = 0; i < robot->njoint; i++)
        names[i] = (struct name){robot->joint[i].name, i};
    qsort(names, (size_t)robot->njoint, sizeof *names, compare_names);
    int twice = 0;
    for (int i = 1; i < robot->njoint && !twice; i++)
        if (strcmp(names[i - 1].name, names[i].name) == 0) twice = names[i].index;
    sn__free(names);
    if (!twice) return true;
    sn__xml_fail(robot->joint[twice].node, robot->error, SN_ERROR_FORMAT, "two joints have the name '%.64s'",
                 robot->joint[twice].name);
    return false;
}

static bool collect_joints(struct robot *robot, const struct sn__xml_node *root) {
    int n = 0;
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        if (!is_joint(node)) continue;
        struct joint *joint = &robot->joint[n];
        *joint = (struct joint){.node = node, .sibling = -1};
        if (!read_joint(robot, joint)) return false;
        struct link *child = &robot->link[joint->child];
        if (child->joint >= 0) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT,
                         "'%.64s': link '%.64s' is already the child of joint '%.64s'", joint->name,
                         child->name, robot->joint[child->joint].name);
            return false;
        }
        child->joint = n++;
    }
    for (int i = robot->njoint - 1; i >= 0; i--) { /* backwards, each in front of its siblings */
        struct joint *joint = &robot->joint[i];
        if (joint->parent < 0) continue;
        joint->sibling = robot->link[joint->parent].first;
        robot->link[joint->parent].first = i;
    }
    if (robot->no_effort > 0)
        sn__warn(robot->options, "%s: an effort limit of 0 on %d joints ('%.64s' first) is taken as none",
                 robot->path, robot->no_effort, robot->no_effort_name);
    return check_names(robot);
}

/* ---------------------------------------------------------------------------------------------- the tree */

/* Links with parents first; every link must be reached. */
static bool make_order(struct robot *robot) {
    int count = 0, root = -1;
    for (int i = 0; i < robot->nlink; i++) {
        int joint = robot->link[i].joint;
        if (joint >= 0 && robot->joint[joint].parent >= 0) continue;
        robot->order[count++] = i;
        if (joint >= 0) continue;
        if (root >= 0) {
            sn__xml_fail(robot->link[i].node, robot->error, SN_ERROR_FORMAT,
                         "'%.64s' hangs on nothing, and nor does '%.64s': a robot has one root",
                         robot->link[i].name, robot->link[root].name);
            return false;
        }
        root = i;
    }
    for (int k = 0; k < count; k++)
        for (int j = robot->link[robot->order[k]].first; j >= 0; j = robot->joint[j].sibling)
            robot->order[count++] = robot->joint[j].child;
    if (count == robot->nlink) return true;
    int lost = 0; /* going up from any link that was not reached stays among such links */
    bool *reached = sn__alloc((size_t)robot->nlink, sizeof *reached);
    for (int k = 0; reached && k < count; k++)
        reached[robot->order[k]] = true;
    while (reached && reached[lost])
        lost++;
    sn__free(reached);
    sn__xml_fail(robot->link[lost].node, robot->error, SN_ERROR_FORMAT,
                 "'%.64s' hangs on itself: its joints make a ring", robot->link[lost].name);
    return false;
}

/* How much each link carries. A joint that moves no mass at all is taken as fixed. */
static void add_up_masses(struct robot *robot) {
    for (int k = robot->nlink - 1; k >= 0; k--) {
        struct link *link = &robot->link[robot->order[k]];
        struct joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
        link->carried += link->inertia.mass;
        link->rigid += link->inertia.mass;
        if (!joint) continue;
        if (joint->kind != FIXED && !(link->carried > 0)) {
            sn__warn(robot->options,
                     "%s:%d: joint '%.64s' moves no mass: link '%.64s' is fixed to its parent",
                     joint->node->file, joint->node->line, joint->name, link->name);
            joint->kind = FIXED;
            joint->def = sn_joint_def_default(SN_JOINT_WELD);
        }
        if (joint->parent < 0) continue;
        robot->link[joint->parent].carried += link->carried;
        if (joint->kind == FIXED) robot->link[joint->parent].rigid += link->rigid;
    }
}

/* Which body holds the link, and where. */
static bool place_link(struct robot *robot, int index) {
    struct link *link = &robot->link[index];
    const struct joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
    const struct link world = {
        .owner = -1, .still = true, .place = frame_identity(), .world = frame_identity()};
    const struct link *parent = joint && joint->parent >= 0 ? &robot->link[joint->parent] : &world;
    link->owner = index;
    link->place = link->world = frame_identity();
    if (!joint) {
        bool is_world = strcmp(link->name, "world") == 0;
        link->still = is_world || !(link->rigid > 0);
        if (is_world && link->inertia.mass == 0 && !sn__xml_child(link->node, "collision")) link->owner = -1;
        return true;
    }
    struct frame place = frame_compose(&parent->place, &joint->frame);
    if (joint->kind == FIXED && parent->owner >= 0) {
        link->owner = parent->owner;
        link->place = place;
    }
    link->still = joint->kind == FIXED && parent->still;
    if (parent->still) link->world = frame_compose(&parent->world, &joint->frame);
    if (joint->kind == FLOATING && !parent->still) {
        sn__xml_fail(joint->node, robot->error, SN_ERROR_UNSUPPORTED,
                     "'%.64s' is floating, but its parent '%.64s' moves: a body floats in the world only",
                     joint->name, parent->name);
        return false;
    }
    return true;
}

static void join_inertias(struct robot *robot) {
    for (int k = 0; k < robot->nlink; k++) {
        struct link *link = &robot->link[robot->order[k]];
        if (link->owner < 0 || link->owner == robot->order[k]) continue;
        struct link *owner = &robot->link[link->owner];
        struct inertia part = sn__inertia_move(&link->inertia, link->place.pos, link->place.rot);
        owner->inertia = sn__inertia_join(&owner->inertia, &part);
    }
}

/* ---------------------------------------------------------------------------------------------- building */

/* Whether the three axes of a planar joint have the same damping and friction, as one joint has them. */
static bool is_one_joint(const struct joint *joint) {
    const double *d = joint->damping, *f = joint->friction;
    return d[0] == d[1] && d[0] == d[2] && f[0] == f[1] && f[0] == f[2];
}

/* The slides lie in the plane across the axis. Axes that differ become two slides and a hinge, massless except for the last
   body. */
static void add_planar(const struct robot *robot, const struct joint *joint, sn_body_def *body) {
    static const char *const suffix[2] = {"_plane_x", "_plane_y"};
    char name[2][SN_MAX_NAME + 32];
    double normal[3], turn[4];
    memcpy(normal, joint->def.axis, sizeof normal);
    dvec_normalise(normal);
    dquat_from_z(normal, turn);
    if (is_one_joint(joint)) {
        dquat_rotate(turn, (const double[]){1, 0, 0}, body->joint.axis2);
        sn_builder_add_body(robot->builder, body);
        return;
    }
    body->joint.type = SN_JOINT_HINGE;
    for (int i = 0; i < 2; i++) {
        double along[3] = {i == 0, i == 1, 0};
        snprintf(name[i], sizeof name[i], "%.*s%s", SN_MAX_NAME + 1, body->name, suffix[i]);
        sn_body_def link = sn_body_def_default();
        link.name = name[i];
        link.parent = body->parent;
        memcpy(link.pos, body->pos, sizeof link.pos);
        memcpy(link.rot, body->rot, sizeof link.rot);
        link.joint = sn_joint_def_default(SN_JOINT_SLIDE);
        dquat_rotate(turn, along, link.joint.axis);
        link.joint.damping = joint->damping[i];
        link.joint.friction = joint->friction[i];
        link.joint.torque_limit = joint->def.torque_limit;
        sn_builder_add_body(robot->builder, &link);
        body->parent = name[i];
        memset(body->pos, 0, sizeof body->pos);
        dquat_identity(body->rot);
    }
    body->joint.damping = joint->damping[2];
    body->joint.friction = joint->friction[2];
    sn_builder_add_body(robot->builder, body);
}

static void add_body(const struct robot *robot, const struct link *link) {
    const struct joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
    const struct link *parent = joint && joint->parent >= 0 ? &robot->link[joint->parent] : NULL;
    sn_body_def body = sn_body_def_default();
    struct frame frame = link->world; /* the identity, when it cannot be still */
    body.name = link->name;
    if (joint) body.joint = joint->def;
    if (!joint && !link->still) body.joint = sn_joint_def_default(SN_JOINT_FREE);
    if (parent && parent->owner >= 0 && joint->kind != FLOATING) {
        body.parent = robot->link[parent->owner].name;
        frame = frame_compose(&parent->place, &joint->frame);
    }
    memcpy(body.pos, frame.pos, sizeof body.pos);
    memcpy(body.rot, frame.rot, sizeof body.rot);
    body.mass_given = true;
    body.mass = link->inertia.mass;
    memcpy(body.com, link->inertia.com, sizeof body.com);
    memcpy(body.inertia, link->inertia.J, sizeof body.inertia);
    if (joint && joint->kind == PLANAR)
        add_planar(robot, joint, &body);
    else
        sn_builder_add_body(robot->builder, &body);
}

/* q = multiplier q' + offset of another joint. */
static bool add_mimic(const struct robot *robot, const struct joint *joint) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "mimic");
    const char *name = node ? sn__xml_string(node, "joint") : NULL;
    const struct joint *other = NULL;
    sn_constraint_def def = sn_constraint_def_default(SN_COUPLING);
    if (!node) return true;
    for (int i = 0; i < robot->njoint && name && !other; i++)
        if (strcmp(robot->joint[i].name, name) == 0) other = &robot->joint[i];
    if (!other || other == joint) {
        sn__xml_fail(node, robot->error, SN_ERROR_FORMAT, "of joint '%.64s': there is no other joint '%.64s'",
                     joint->name, name ? name : "");
        return false;
    }
    if (sn__xml_number(node, "multiplier", &def.ratio[1], robot->error) < 0 ||
        sn__xml_number(node, "offset", &def.ratio[0], robot->error) < 0)
        return false;
    const bool single = joint->kind == HINGE || joint->kind == SLIDE,
               both = other->kind == HINGE || other->kind == SLIDE;
    if (!single || !both) {
        sn__warn(robot->options,
                 "%s:%d: joint '%.64s': <mimic> is passed over: one of the two does not turn or slide",
                 node->file, node->line, joint->name);
        return true;
    }
    sn_builder_add_constraint(robot->builder, robot->link[joint->child].name, robot->link[other->child].name,
                              &def);
    return true;
}

static bool build(struct robot *robot) {
    for (int k = 0; k < robot->nlink; k++)
        if (!place_link(robot, robot->order[k])) return false;
    join_inertias(robot);
    for (int k = 0; k < robot->nlink; k++) {
        const struct link *link = &robot->link[robot->order[k]];
        if (link->owner == robot->order[k]) add_body(robot, link);
    }
    for (int i = 0; i < robot->njoint; i++)
        if (!add_mimic(robot, &robot->joint[i])) return false;
    const char *first_mesh = NULL;
    for (int k = 0; k < robot->nlink; k++) {
        const struct link *link = &robot->link[robot->order[k]];
        if (link->owner < 0) continue;
        if (!sn__urdf_add_shapes(link->node, &link->place, robot->link[link->owner].name, robot->builder,
                                 &robot->meshes, robot->options, robot->error))
            return false;
        if (robot->meshes.missing > 0 && !first_mesh) first_mesh = link->name;
    }
    if (robot->meshes.missing > 0)
        sn__warn(
            robot->options,
            "%s: %d collision meshes (of link '%.64s' first: %s) are passed over: masses do not come from "
            "them, but they will touch nothing",
            robot->path, robot->meshes.missing, first_mesh, robot->meshes.why);
    if (robot->meshes.coarse > 0)
        sn__note(robot->options,
                 "%s: %d mesh%s as a hull of fewer vertices than its own, up to %.2g m within it ('%s')",
                 robot->path, robot->meshes.coarse, robot->meshes.coarse == 1 ? " touches" : "es touch, each",
                 robot->meshes.by, robot->meshes.coarsest);
    return true;
}

/* The model; or a message with the line of the link that it is about. */
static sn_model *finish(const struct robot *robot) {
    sn_error why = {.status = SN_ERROR_MEMORY, .message = "out of memory"};
    char culprit[SN_MAX_NAME + 1] = "";
    sn_model *model = robot->builder ? sn__model_build(robot->builder, culprit, &why) : NULL;
    if (model) return model;
    const int link = culprit[0] ? find_link(robot, culprit) : -1;
    if (link >= 0)
        sn__xml_fail(robot->link[link].node, robot->error, why.status, "%s", why.message);
    else
        sn__fail(robot->error, why.status, "%s: %s", robot->path, why.message);
    return NULL;
}

sn_model *sn__urdf_read(const struct sn__xml_node *root, const char *path, const sn_load_options *options,
                        sn_error *error) {
    struct robot robot = {.path = path, .options = options, .error = error};
    sn_model *model = NULL;
    warn_of_extras(&robot, root);
    if (collect_links(&robot, root) && collect_joints(&robot, root) && make_order(&robot)) {
        add_up_masses(&robot);
        robot.builder = sn_builder_create();
        if (build(&robot)) model = finish(&robot);
        sn_builder_free(robot.builder);
    }
    sn__urdf_meshes_free(&robot.meshes);
    sn__free(robot.link);
    sn__free(robot.joint);
    sn__free(robot.names);
    sn__free(robot.order);
    return model;
}
