/* URDF: links tied by joints into a tree, in any order.
 *
 * A link becomes a body of its name; a link on a fixed joint is merged into the body that holds it. The
 * root floats freely, unless it is named "world" or neither it nor what is fixed to it has mass: then it
 * stands still. */
#include "import/attributes.h"
#include "import/urdf.h"

#include "base/memory.h"
#include "import/load.h"
#include "import/readers.h"
#include "model/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------- collecting */

bool sn__urdf_is_joint(const struct sn__xml_node *node) {
    const char *colon = strchr(node->name, ':'); /* <drake:joint> */
    return strcmp(colon ? colon + 1 : node->name, "joint") == 0;
}

int sn__urdf_compare_names(const void *a, const void *b) {
    const struct urdf_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

int sn__urdf_find(const struct urdf_robot *robot, const char *name) {
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
static void warn_of_extras(const struct urdf_robot *robot, const struct sn__xml_node *root) {
    static const char *const silent[] = {"link", "joint", "material", NULL};
    const char *told[16];
    int ntold = 0;
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        bool known = sn__urdf_is_joint(node);
        for (int i = 0; silent[i] && !known; i++)
            known = strcmp(silent[i], node->name) == 0;
        for (int i = 0; i < ntold && !known; i++)
            known = strcmp(told[i], node->name) == 0;
        if (known || ntold == 16) continue;
        told[ntold++] = node->name;
        sn__warn(robot->options, "%s:%d: <%.64s> is passed over", node->file, node->line, node->name);
    }
}

static bool collect_links(struct urdf_robot *robot, const struct sn__xml_node *root) {
    for (const struct sn__xml_node *node = root->child; node; node = node->next) {
        robot->nlink += strcmp(node->name, "link") == 0;
        robot->njoint += sn__urdf_is_joint(node);
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
        struct urdf_link *link = &robot->link[n];
        *link =
            (struct urdf_link){.node = node, .name = sn__xml_string(node, "name"), .joint = -1, .first = -1};
        if (!link->name || !link->name[0]) {
            sn__xml_fail(node, robot->error, SN_ERROR_FORMAT, "has no name");
            return false;
        }
        if (!sn__urdf_inertia(node, &link->inertia, &robot->meshes, robot->options, robot->error))
            return false;
        robot->names[n] = (struct urdf_name){link->name, n};
        n++;
    }
    qsort(robot->names, (size_t)n, sizeof *robot->names, sn__urdf_compare_names);
    for (int i = 1; i < n; i++)
        if (strcmp(robot->names[i - 1].name, robot->names[i].name) == 0) {
            const struct urdf_link *second = &robot->link[robot->names[i].index];
            sn__xml_fail(second->node, robot->error, SN_ERROR_FORMAT, "two links have the name '%.64s'",
                         second->name);
            return false;
        }
    return true;
}

/* ---------------------------------------------------------------------------------------------- the tree */

/* Links with parents first; every link must be reached. */
static bool make_order(struct urdf_robot *robot) {
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
static void add_up_masses(struct urdf_robot *robot) {
    for (int k = robot->nlink - 1; k >= 0; k--) {
        struct urdf_link *link = &robot->link[robot->order[k]];
        struct urdf_joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
        link->carried += link->inertia.mass;
        link->rigid += link->inertia.mass;
        if (!joint) continue;
        if (joint->kind != URDF_FIXED && !(link->carried > 0)) {
            sn__warn(robot->options,
                     "%s:%d: joint '%.64s' moves no mass: link '%.64s' is fixed to its parent",
                     joint->node->file, joint->node->line, joint->name, link->name);
            joint->kind = URDF_FIXED;
            joint->def = sn_joint_def_default(SN_JOINT_WELD);
        }
        if (joint->parent < 0) continue;
        robot->link[joint->parent].carried += link->carried;
        if (joint->kind == URDF_FIXED) robot->link[joint->parent].rigid += link->rigid;
    }
}

/* Which body holds the link, and where. */
static bool place_link(struct urdf_robot *robot, int index) {
    struct urdf_link *link = &robot->link[index];
    const struct urdf_joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
    const struct urdf_link world = {
        .owner = -1, .still = true, .place = frame_identity(), .world = frame_identity()};
    const struct urdf_link *parent = joint && joint->parent >= 0 ? &robot->link[joint->parent] : &world;
    link->owner = index;
    link->place = link->world = frame_identity();
    if (!joint) {
        bool is_world = strcmp(link->name, "world") == 0;
        link->still = is_world || !(link->rigid > 0);
        if (is_world && link->inertia.mass == 0 && !sn__xml_child(link->node, "collision")) link->owner = -1;
        return true;
    }
    struct frame place = frame_compose(&parent->place, &joint->frame);
    if (joint->kind == URDF_FIXED && parent->owner >= 0) {
        link->owner = parent->owner;
        link->place = place;
    }
    link->still = joint->kind == URDF_FIXED && parent->still;
    if (parent->still) link->world = frame_compose(&parent->world, &joint->frame);
    if (joint->kind == URDF_FLOATING && !parent->still) {
        sn__xml_fail(joint->node, robot->error, SN_ERROR_UNSUPPORTED,
                     "'%.64s' is floating, but its parent '%.64s' moves: a body floats in the world only",
                     joint->name, parent->name);
        return false;
    }
    return true;
}

static void join_inertias(struct urdf_robot *robot) {
    for (int k = 0; k < robot->nlink; k++) {
        struct urdf_link *link = &robot->link[robot->order[k]];
        if (link->owner < 0 || link->owner == robot->order[k]) continue;
        struct urdf_link *owner = &robot->link[link->owner];
        struct inertia part = sn__inertia_move(&link->inertia, link->place.pos, link->place.rot);
        owner->inertia = sn__inertia_join(&owner->inertia, &part);
    }
}

/* ---------------------------------------------------------------------------------------------- building */

/* Whether the three axes of a planar joint have the same damping and friction, as one joint has them. */
static bool is_one_joint(const struct urdf_joint *joint) {
    const double *d = joint->damping, *f = joint->friction;
    return d[0] == d[1] && d[0] == d[2] && f[0] == f[1] && f[0] == f[2];
}

/* The slides lie in the plane across the axis. Axes that differ become two slides and a hinge; only the last
   body has mass. */
static void add_planar(const struct urdf_robot *robot, const struct urdf_joint *joint, sn_body_def *body) {
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

static void add_body(const struct urdf_robot *robot, const struct urdf_link *link) {
    const struct urdf_joint *joint = link->joint >= 0 ? &robot->joint[link->joint] : NULL;
    const struct urdf_link *parent = joint && joint->parent >= 0 ? &robot->link[joint->parent] : NULL;
    sn_body_def body = sn_body_def_default();
    struct frame frame = link->world; /* the identity, when it cannot be still */
    body.name = link->name;
    if (joint) body.joint = joint->def, body.joint.name = joint->name;
    if (!joint && !link->still) body.joint = sn_joint_def_default(SN_JOINT_FREE);
    if (parent && parent->owner >= 0 && joint->kind != URDF_FLOATING) {
        body.parent = robot->link[parent->owner].name;
        frame = frame_compose(&parent->place, &joint->frame);
    }
    memcpy(body.pos, frame.pos, sizeof body.pos);
    memcpy(body.rot, frame.rot, sizeof body.rot);
    body.mass_given = true;
    body.mass = link->inertia.mass;
    memcpy(body.com, link->inertia.com, sizeof body.com);
    memcpy(body.inertia, link->inertia.J, sizeof body.inertia);
    if (joint && joint->kind == URDF_PLANAR)
        add_planar(robot, joint, &body);
    else
        sn_builder_add_body(robot->builder, &body);
}

/* q = multiplier q' + offset of another joint. */
static bool add_mimic(const struct urdf_robot *robot, const struct urdf_joint *joint) {
    const struct sn__xml_node *node = sn__xml_child(joint->node, "mimic");
    const char *name = node ? sn__xml_string(node, "joint") : NULL;
    const struct urdf_joint *other = NULL;
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_COUPLING);
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
    const bool single = joint->kind == URDF_HINGE || joint->kind == URDF_SLIDE,
               both = other->kind == URDF_HINGE || other->kind == URDF_SLIDE;
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

static bool build(struct urdf_robot *robot) {
    for (int k = 0; k < robot->nlink; k++)
        if (!place_link(robot, robot->order[k])) return false;
    join_inertias(robot);
    for (int k = 0; k < robot->nlink; k++) {
        const struct urdf_link *link = &robot->link[robot->order[k]];
        if (link->owner == robot->order[k]) add_body(robot, link);
    }
    for (int i = 0; i < robot->njoint; i++)
        if (!add_mimic(robot, &robot->joint[i])) return false;
    const char *first_mesh = NULL;
    for (int k = 0; k < robot->nlink; k++) {
        const struct urdf_link *link = &robot->link[robot->order[k]];
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
static sn_model *finish(const struct urdf_robot *robot) {
    sn_error why = {.status = SN_ERROR_MEMORY, .message = "out of memory"};
    char culprit[SN_MAX_NAME + 1] = "";
    sn_model *model = robot->builder ? sn__model_build(robot->builder, culprit, &why) : NULL;
    if (model) return model;
    const int link = culprit[0] ? sn__urdf_find(robot, culprit) : -1;
    if (link >= 0)
        sn__xml_fail(robot->link[link].node, robot->error, why.status, "%s", why.message);
    else
        sn__fail(robot->error, why.status, "%s: %s", robot->path, why.message);
    return NULL;
}

sn_model *sn__urdf_read(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                        sn_error *error) {
    struct urdf_robot robot = {.path = path, .options = options, .error = error};
    sn_model *model = NULL;
    warn_of_extras(&robot, root);
    sn__urdf_warn_attributes(root, options);
    if (collect_links(&robot, root) && sn__urdf_joints(&robot, root) && make_order(&robot)) {
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
