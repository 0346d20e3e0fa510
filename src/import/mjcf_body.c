/* The tree. A body with several joints becomes a chain of bodies, one for each joint in their order, the outermost
 * of which has the body's name and mass; a body without joints is welded to its parent. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- joints */

static struct mjcf_link *add_link(struct mjcf *mjcf, const struct sn__xml_node *node) {
    if (mjcf->nlink == SN_MAX_BODIES) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                     "is one too many: a model holds at most %d bodies and joints", (int)SN_MAX_BODIES);
        return NULL;
    }
    struct mjcf_link *grown = sn__grow(mjcf->link, &mjcf->link_capacity, mjcf->nlink + 1, sizeof *mjcf->link);
    if (!grown) {
        sn__mjcf_no_memory(mjcf);
        return NULL;
    }
    mjcf->link = grown;
    struct mjcf_link *link = &mjcf->link[mjcf->nlink++];
    *link = (struct mjcf_link){
        .node = node, .def = sn_body_def_default(), .force_limit = (double)INFINITY, .up = -1};
    link->def.mass_given = true;
    return link;
}

/* A hinge or slide shows q = 0 where MuJoCo shows ref. A ball's one limit is on the whole angle: it bounds the swing, and
   the twist either way. */
static bool set_range(const struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_joint *from,
                      double unit, double ref, sn_joint_def *joint) {
    if (from->type == MJCF_FREE || !sn__mjcf_is_limited(mjcf, from->limited, from->range)) return true;
    double lower = from->range[0] * unit, upper = from->range[1] * unit;
    joint->limited = true;
    if (from->type == MJCF_BALL) {
        if (lower != 0 || !(upper > 0)) {
            sn__xml_fail_attribute(node, "range", mjcf->error,
                                   "of a ball joint must be 0 and a positive angle");
            return false;
        }
        joint->lower[0] = -upper, joint->upper[0] = joint->upper[1] = upper;
        return true;
    }
    if (!(lower < upper)) {
        sn__xml_fail_attribute(node, "range", mjcf->error, "%g is not below %g", from->range[0],
                               from->range[1]);
        return false;
    }
    joint->lower[0] = lower - ref, joint->upper[0] = upper - ref;
    return true;
}

static void set_passive(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_joint *from,
                        double rest, sn_joint_def *joint) {
    joint->armature = from->armature;
    joint->damping = from->damping;
    joint->stiffness = from->stiffness;
    if (from->type == MJCF_SLIDE || from->type == MJCF_HINGE) joint->rest[0] = rest;
    if (from->type == MJCF_FREE && from->stiffness != 0) {
        joint->stiffness = 0;
        sn__mjcf_warn_once(mjcf, node, "free stiffness",
                           "has a stiffness, which is left out: the joint is free");
    }
    joint->friction = from->frictionloss;
    if (from->springdamper[0] != 0 || from->springdamper[1] != 0)
        sn__mjcf_warn_once(mjcf, node, "springdamper", "has a springdamper, which is left out");
}

static bool add_joint(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_joint *from,
                      const struct mjcf_place *place) {
    static const sn_joint_type types[] = {SN_JOINT_FREE, SN_JOINT_BALL, SN_JOINT_SLIDE, SN_JOINT_HINGE};
    struct mjcf_link *link = add_link(mjcf, node);
    if (!link) return false;
    link->joint_name = sn__mjcf_name(mjcf, node, MJCF_JOINT, mjcf->nlink - 1);
    if (!link->joint_name) return false;

    sn_joint_def joint = sn_joint_def_default(types[from->type]);
    bool angle = from->type == MJCF_HINGE || from->type == MJCF_BALL;
    double unit = angle && mjcf->compiler.degree ? M_PI / 180 : 1;
    if (from->type == MJCF_HINGE || from->type == MJCF_SLIDE) {
        link->ref = from->ref * unit;
        dquat_rotate(place->quat, from->axis, joint.axis);
        if (!dvec_normalise(joint.axis)) {
            sn__xml_fail_attribute(node, "axis", mjcf->error, "is zero");
            return false;
        }
    }
    if (from->type != MJCF_FREE) {
        dquat_rotate(place->quat, from->pos, joint.anchor);
        for (int i = 0; i < 3; i++)
            joint.anchor[i] += place->pos[i];
    }
    if (!set_range(mjcf, node, from, unit, link->ref, &joint)) return false;
    set_passive(mjcf, node, from, from->springref * unit - link->ref, &joint);
    if (sn__mjcf_is_limited(mjcf, from->force_limited, from->force_range))
        link->force_limit = fmax(fabs(from->force_range[0]), fabs(from->force_range[1]));
    joint.name = link->joint_name;
    link->def.joint = joint;
    return true;
}

static bool read_joint(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                       int class) {
    if (strcmp(node->name, "freejoint") == 0) {
        struct mjcf_joint joint = {.type = MJCF_FREE, .axis = {0, 0, 1}};
        const char *align = sn__xml_string(node, "align");
        if (align && strcmp(align, "true") == 0)
            sn__mjcf_warn_once(mjcf, node, "align",
                               "is not aligned with the inertia: the body keeps its own axes");
        return add_joint(mjcf, node, &joint, place);
    }
    class = sn__mjcf_class_of(mjcf, node, "class", class);
    if (class < 0) return false;
    struct mjcf_joint joint = mjcf->class[class].joint;
    return sn__mjcf_joint_read(mjcf, node, &joint) && add_joint(mjcf, node, &joint, place);
}

/* ----------------------------------------------------------------------------------------------- contents */

static bool read_geom(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                      int class, struct mjcf_body *body) {
    class = sn__mjcf_class_of(mjcf, node, "class", class);
    if (class < 0) return false;
    struct mjcf_geom geom = mjcf->class[class].geom;
    return sn__mjcf_geom_read(mjcf, node, &geom) && sn__mjcf_geom_add(mjcf, node, &geom, place, body);
}

/* The world's geoms do not move: they are ground, of a scene. */
static bool read_world_geom(struct mjcf *mjcf, const struct sn__xml_node *node,
                            const struct mjcf_place *place, int class) {
    class = sn__mjcf_class_of(mjcf, node, "class", class);
    if (class < 0) return false;
    struct mjcf_geom geom = mjcf->class[class].geom;
    if (!sn__mjcf_geom_read(mjcf, node, &geom)) return false;
    if (mjcf->scene) return sn__mjcf_ground_read(mjcf, node, &geom, place);
    mjcf->nscenery += geom.type != MJCF_PLANE;
    return true;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/* Once, in the first pass: what is not read in any. */
static void skip_other(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const known[] = {"joint", "freejoint", "inertial", "geom", "body",
                                        "frame", "replicate", "attach",   NULL};
    static const char *const silent[] = {"site", "camera", "light", NULL};
    static const char *const jointed[] = {"composite", "flexcomp", NULL};
    if (is_one_of(node->name, known) || is_one_of(node->name, silent)) return;
    mjcf->incomplete |= is_one_of(node->name, jointed);
    sn__mjcf_skip(mjcf, node);
}

/* A frame, or the place in it of a frame further in, seen from the body. */
static bool read_place(const struct mjcf *mjcf, const struct sn__xml_node *node,
                       const struct mjcf_place *outer, struct mjcf_place *inner) {
    struct mjcf_frame frame = sn__mjcf_frame_identity;
    if (!sn__mjcf_frame_read(mjcf, node, &frame) || !sn__mjcf_frame_resolve(mjcf, node, &frame, inner->quat))
        return false;
    memcpy(inner->pos, frame.pos, sizeof frame.pos);
    sn__mjcf_frame_carry(outer->pos, outer->quat, inner->pos, inner->quat);
    return true;
}

/* One pass over all that stands in a body (NULL: the world), through its frames. */
bool sn__mjcf_contents_read(struct mjcf *mjcf, const struct sn__xml_node *node,
                            const struct mjcf_place *place, int class, enum mjcf_pass pass,
                            struct mjcf_body *body) {
    const struct sn__xml_node *child;
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        const char *name = child->name;
        bool joint = strcmp(name, "joint") == 0 || strcmp(name, "freejoint") == 0;
        bool inertial = strcmp(name, "inertial") == 0, good = true;
        if ((joint || inertial) && !body) {
            sn__xml_fail(child, mjcf->error, SN_ERROR_FORMAT, "cannot stand in the world itself");
            return false;
        }
        if (pass == MJCF_PASS_JOINTS) skip_other(mjcf, child);
        if (strcmp(name, "frame") == 0) {
            struct mjcf_place inner;
            int inner_class = sn__mjcf_class_of(mjcf, child, "childclass", class);
            good = inner_class >= 0 && read_place(mjcf, child, place, &inner) &&
                   sn__mjcf_contents_read(mjcf, child, &inner, inner_class, pass, body);
        } else if (strcmp(name, "replicate") == 0) {
            good = sn__mjcf_replicate(mjcf, child, place, class, pass, body);
        } else if (pass == MJCF_PASS_BODIES && strcmp(name, "attach") == 0) {
            good = sn__mjcf_attach(mjcf, child, place, body);
        } else if (pass == MJCF_PASS_JOINTS && joint) {
            good = read_joint(mjcf, child, place, class);
        } else if (pass == MJCF_PASS_INERTIAL && inertial) {
            good = sn__mjcf_inertial_read(mjcf, child, body->mass);
        } else if (pass == MJCF_PASS_GEOMS && strcmp(name, "geom") == 0) {
            good = body ? read_geom(mjcf, child, place, class, body)
                        : read_world_geom(mjcf, child, place, class);
        } else if (pass == MJCF_PASS_BODIES && strcmp(name, "body") == 0) {
            good = sn__mjcf_body_read(mjcf, child, place, class, body ? body->last : -1);
        }
        if (!good) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------- bodies */

/* When its links are there. */
static bool name_body(struct mjcf *mjcf, struct mjcf_body *body) {
    const char *name = sn__mjcf_name(mjcf, body->node, MJCF_BODY, body->last);
    if (!name) return false;
    if (!name[0])
        snprintf(body->name, sizeof body->name, "body#%d", ++mjcf->nunnamed);
    else
        memcpy(body->name, name, strlen(name) + 1);
    return true;
}

/* The chain of a body's links: the last has its name, the others that of their joint added. */
static void name_links(struct mjcf *mjcf, const struct mjcf_body *body, int up) {
    for (int i = body->first; i < mjcf->nlink; i++) {
        struct mjcf_link *link = &mjcf->link[i];
        link->up = up;
        link->has_parent = up >= 0;
        if (up >= 0) memcpy(link->parent, mjcf->link[up].name, sizeof link->parent);
        if (i == body->last) {
            memcpy(link->name, body->name, sizeof link->name);
        } else {
            const char *joint = link->joint_name;
            int length = joint && joint[0]
                             ? snprintf(link->name, sizeof link->name, "%s/%s", body->name, joint)
                             : INT_MAX;
            if (length > SN_MAX_NAME)
                snprintf(link->name, sizeof link->name, "%.40s/joint#%d", body->name, i - body->first + 1);
        }
        up = i;
    }
}

static bool read_body_attributes(struct mjcf *mjcf, const struct sn__xml_node *node, sn_body_def *def) {
    const char *mocap = sn__xml_string(node, "mocap");
    if (mocap && strcmp(mocap, "true") == 0)
        sn__mjcf_warn_once(mjcf, node, "mocap",
                           "is moved from outside in MuJoCo; here it is welded to the world");
    return sn__xml_number(node, "gravcomp", &def->lift, mjcf->error) >= 0;
}

void sn__mjcf_link_place(const struct mjcf *mjcf, int link, double pos[3], double quat[4]) {
    memset(pos, 0, 3 * sizeof *pos);
    dquat_identity(quat);
    for (; link >= 0; link = mjcf->link[link].up)
        sn__mjcf_frame_carry(mjcf->link[link].def.pos, mjcf->link[link].def.rot, pos, quat);
}

bool sn__mjcf_body_read(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                        int class, int up) {
    static const struct mjcf_place here = {.quat = {1, 0, 0, 0}};
    struct mjcf_mass mass = {0};
    struct mjcf_body body = {.node = node, .first = mjcf->nlink, .mass = &mass};
    struct mjcf_place own;
    class = sn__mjcf_class_of(mjcf, node, "childclass", class);
    if (class < 0 || !read_place(mjcf, node, place, &own)) return false;

    if (!sn__mjcf_contents_read(mjcf, node, &here, class, MJCF_PASS_JOINTS, &body)) return false;
    if (mjcf->nlink == body.first && !add_link(mjcf, node)) return false;
    body.last = mjcf->nlink - 1;
    if (!name_body(mjcf, &body)) return false;
    name_links(mjcf, &body, up);
    memcpy(mjcf->link[body.first].def.pos, own.pos, sizeof own.pos);
    memcpy(mjcf->link[body.first].def.rot, own.quat, sizeof own.quat);

    return read_body_attributes(mjcf, node, &mjcf->link[body.last].def) &&
           sn__mjcf_contents_read(mjcf, node, &here, class, MJCF_PASS_INERTIAL, &body) &&
           sn__mjcf_contents_read(mjcf, node, &here, class, MJCF_PASS_GEOMS, &body) &&
           sn__mjcf_mass_finish(mjcf, node, &mass, &mjcf->link[body.last].def) &&
           sn__mjcf_contents_read(mjcf, node, &here, class, MJCF_PASS_BODIES, &body);
}

bool sn__mjcf_world_read(struct mjcf *mjcf, const struct sn__xml_node *worldbody) {
    static const struct mjcf_place here = {.quat = {1, 0, 0, 0}};
    for (int pass = MJCF_PASS_JOINTS; pass <= MJCF_PASS_BODIES; pass++)
        if (!sn__mjcf_contents_read(mjcf, worldbody, &here, 0, (enum mjcf_pass)pass, NULL)) return false;
    return true;
}
