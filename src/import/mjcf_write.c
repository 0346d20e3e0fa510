/* A model as MJCF. What MuJoCo cannot express is listed in docs/formats.md: a universal joint becomes two
 * hinges, the twist and swing limits of a ball joint become one limit of its angle, and its spring rests at
 * zero. */
#include "base/memory.h"
#include "base/quat.h"
#include "import/mjcf.h"
#include "import/readers.h"
#include "base/text.h"
#include "model/hull.h"
#include "model/joint.h"
#include "model/model.h"
#include "model/shape.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The degrees of freedom of a joint as MuJoCo has them: each axis is a joint of its own. */
struct part {
    const char *type;   /* "hinge"                           */
    const char *suffix; /* after the body's name             */
    bool has_axis;
    double axis[3];
    int first; /* of rest, lower and upper          */
    int nv;
};

/* A screw is a hinge, and a slide that an equality ties to it. */
static const char *const TRAVEL = ".travel";

static bool is_screw(const sn_joint_def *joint) {
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    return kind->naxes == 1 && kind->axis[0].way == JOINT_SCREWS;
}

static int parts_of(const sn_joint_def *joint, struct part part[3]) {
    static const char *const suffix[3] = {".1", ".2", ".3"};
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    if (kind->quaternion >= 0) {
        part[0] = (struct part){.type = kind->name, .suffix = "", .nv = kind->nv};
        return 1;
    }
    for (int k = 0; k < kind->naxes; k++) {
        const char *type = kind->axis[k].way == JOINT_SLIDES ? "slide" : "hinge";
        part[k] = (struct part){type, kind->naxes > 1 ? suffix[k] : "", true, {0}, k, 1};
        sn__joint_axis(joint, k, part[k].axis);
    }
    if (!is_screw(joint)) return kind->naxes;
    part[1] = part[0];
    part[1].type = "slide", part[1].suffix = TRAVEL, part[1].nv = 0;
    return 2;
}

/* A massless body on the way to its only child, in the same place: MuJoCo has it as one more joint of that
   child. */
static bool is_step(const sn_model *model, int k) {
    const sn_body_info *body = &model->body[k], *child = body + 1;
    if (body->mass > 0 || body->nshape > 0 || body->nv != 1) return false;
    if (k + 1 >= model->nbody || child->parent != k) return false;
    for (int i = k + 2; i < model->nbody && model->body[i].parent >= k; i++)
        if (model->body[i].parent == k) return false; /* a second child */
    bool same_place = child->nv > 0 && child->rot[0] == 1;
    for (int i = 0; i < 3; i++)
        same_place &= child->pos[i] == 0 && child->rot[i + 1] == 0;
    return same_place;
}

/* Whether no other joint could be called so. */
static bool is_own(const sn_model *model, int k, const char *name) {
    for (int i = 0; i < model->nbody; i++) {
        const char *slash = strrchr(model->body[i].name, '/');
        if (i != k &&
            (strcmp(model->body[i].name, name) == 0 || strcmp(model->body[i].joint.name, name) == 0 ||
             (slash && strcmp(slash + 1, name) == 0)))
            return false;
    }
    return name[0] != '\0';
}

/* A joint keeps its name if no other is called so; otherwise it gets that of its body. Steps are named "body/joint" when they
   are read: of these the second part is enough, unless something else is called so. */
static const char *joint_name(const sn_model *model, int k) {
    const char *name = model->body[k].name, *slash = strrchr(name, '/');
    if (is_own(model, k, model->body[k].joint.name)) return model->body[k].joint.name;
    if (!slash || !slash[1] || !is_step(model, k)) return name;
    for (int i = 0; i < model->nbody; i++) {
        const char *other = strrchr(model->body[i].name, '/');
        if (strcmp(model->body[i].name, slash + 1) == 0) return name;
        if (i != k && other && strcmp(other, slash) == 0) return name;
    }
    return slash + 1;
}

/* ------------------------------------------------------------------------------------------------ pieces */

static void write_numbers(struct sn__text *text, const char *name, const double *value, int count) {
    sn__text_add(text, " %s=\"", name);
    sn__text_numbers(text, value, count, " ");
    sn__text_add(text, "\"");
}

static void write_unless(struct sn__text *text, const char *name, const double *value, const double *usual,
                         int count) {
    for (int i = 0; i < count; i++)
        if (value[i] != usual[i]) {
            write_numbers(text, name, value, count);
            return;
        }
}

static void write_name(struct sn__text *text, const char *attribute, const char *name, const char *suffix) {
    sn__text_add(text, " %s=\"", attribute);
    sn__text_xml_string(text, name);
    sn__text_add(text, "%s\"", suffix);
}

static void indent(struct sn__text *text, int depth) {
    sn__text_add(text, "%*s", 2 * (depth < 20 ? depth : 20), "");
}

static const double zero[6] = {0}, identity[4] = {1, 0, 0, 0};

/* ------------------------------------------------------------------------------------------------ bodies */

static void write_joint(struct sn__text *text, const sn_joint_def *joint, const struct part *part,
                        const char *name) {
    sn__text_add(text, "<joint");
    write_name(text, "name", name, part->suffix);
    sn__text_add(text, " type=\"%s\"", part->type);
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    if (kind->quaternion <= 0) write_unless(text, "pos", joint->anchor, zero, 3);
    if (part->has_axis) write_numbers(text, "axis", part->axis, 3);
    if (part->nv == 0) { /* a follower */
        sn__text_add(text, "/>\n");
        return;
    }
    if (joint->limited && kind->quaternion <= 0) {
        double range[2] = {joint->lower[part->first], joint->upper[part->first]};
        if (kind->quaternion == 0) {
            range[1] = fmax(joint->upper[1], fmax(fabs(range[0]), fabs(range[1])));
            range[0] = 0;
        }
        const double least =
            1e-9 * fmax(1, fabs(range[0])); /* a range has two ends, and MuJoCo reads no tiny numbers */
        if (!(range[1] - range[0] >= least)) range[1] = range[0] + least;
        sn__text_add(text, " limited=\"true\"");
        write_numbers(text, "range", range, 2);
    }
    write_unless(text, "armature", &joint->armature, zero, 1);
    write_unless(text, "damping", &joint->damping, zero, 1);
    write_unless(text, "stiffness", &joint->stiffness, zero, 1);
    write_unless(text, "frictionloss", &joint->friction, zero, 1);
    if (part->has_axis) write_unless(text, "springref", &joint->rest[part->first], zero, 1);
    sn__text_add(text, "/>\n");
}

/* A word of bits; MuJoCo has it with a sign, and 1 where nothing is said. */
static void write_bits(struct sn__text *text, const char *name, uint32_t bits) {
    if (bits != 1) sn__text_add(text, " %s=\"%" PRId32 "\"", name, (int32_t)bits);
}

/* Hulls as meshes of vertices alone, whose hull MuJoCo makes; named by the numbers of their shapes. */
static void write_hulls(struct sn__text *text, const sn_model *model) {
    int n = 0;
    for (int i = 0; i < model->nshape; i++) {
        const sn_shape_def *shape = &model->shape[i];
        if (!shape->hull) continue;
        if (n++ == 0) sn__text_add(text, "  <asset>\n");
        sn__text_add(text, "    <mesh name=\"hull%d\"", i);
        if (shape->hull->info.nvertex > 64) /* what a reader takes where nothing is said */
            sn__text_add(text, " maxhullvert=\"%d\"", shape->hull->info.nvertex);
        write_numbers(text, "vertex", shape->hull->info.vertex[0], 3 * shape->hull->info.nvertex);
        sn__text_add(text, "/>\n");
    }
    if (n > 0) sn__text_add(text, "  </asset>\n");
}

static void write_geom(struct sn__text *text, const sn_model *model, int number) {
    const sn_shape_def *shape = &model->shape[number];
    const double usual_density = 1000, usual_friction = 1;
    if (shape->hull) {
        sn__text_add(text, "<geom type=\"mesh\" mesh=\"hull%d\"", number);
    } else {
        sn__text_add(text, "<geom type=\"%s\"", sn__shape_name(shape->type));
        write_numbers(text, "size", shape->size, sn__shape_nsize(shape->type));
    }
    write_unless(text, "pos", shape->pos, zero, 3);
    write_unless(text, "quat", shape->rot, identity, 4);
    if (shape->mass > 0)
        write_numbers(text, "mass", &shape->mass, 1);
    else
        write_unless(text, "density", &shape->density, &usual_density, 1);
    write_unless(text, "friction", &shape->friction, &usual_friction, 1);
    write_bits(text, "contype", shape->group);
    write_bits(text, "conaffinity", shape->mask);
    sn__text_add(text, "/>\n");
}

/* The name is taken in MuJoCo. */
static const char *body_suffix(const sn_body_info *body) {
    return strcmp(body->name, "world") == 0 ? "_" : "";
}

/* MuJoCo wants principal moments that are positive and none above the sum of the others, and rounds them once more. What is
   at that border (rods, plates, points) is moved inside it, by a billionth of its largest moment. */
static void move_inside(double inertia[6], double least) {
    double moment[3], quat[4], diagonal[6] = {0};
    sn__mjcf_principal(inertia, moment, quat);
    const double hair = 1e-9 * moment[0];
    const bool flat = moment[1] + moment[2] < moment[0] + hair;
    if (!flat && moment[2] >= least) return;
    for (int i = 0; i < 3; i++)
        diagonal[i] = fmax(least, moment[i] + (flat && i > 0 ? hair : 0));
    sn__sym_rotate(quat, diagonal, inertia);
}

/* MuJoCo has no moving bodies without mass or inertia: they get what is next to nothing. */
static void write_inertial(struct sn__text *text, const sn_model *model, int first, int last, int depth) {
    const sn_body_info *body = &model->body[last];
    const double nothing = 1e-12; /* kg, kg m^2 */
    double mass = body->mass, inertia[6];
    bool moves = false;
    for (int k = first; k <= last; k++)
        moves |= model->body[k].nv > 0;
    memcpy(inertia, body->inertia, sizeof inertia);
    if (!(mass > 0) && !moves) return;
    if (moves && mass < nothing) mass = nothing;
    move_inside(inertia, nothing);
    indent(text, depth);
    sn__text_add(text, "<inertial");
    write_numbers(text, "pos", body->com, 3);
    write_numbers(text, "mass", &mass, 1);
    write_numbers(text, "fullinertia", inertia, 6);
    sn__text_add(text, "/>\n");
}

/* The body with all steps that lead to it, the first of which says where it is. */
static void open_body(struct sn__text *text, const sn_model *model, int first, int last, int depth) {
    const sn_body_info *body = &model->body[last];
    indent(text, depth);
    sn__text_add(text, "<body");
    write_name(text, "name", body->name, body_suffix(body));
    write_unless(text, "pos", model->body[first].pos, zero, 3);
    write_unless(text, "quat", model->body[first].rot, identity, 4);
    write_unless(text, "gravcomp", &body->lift, zero, 1);
    sn__text_add(text, ">\n");
    write_inertial(text, model, first, last, depth + 1);
    for (int k = first; k <= last; k++) {
        struct part part[3];
        int nparts = parts_of(&model->body[k].joint, part);
        for (int i = 0; i < nparts; i++) {
            indent(text, depth + 1);
            write_joint(text, &model->body[k].joint, &part[i], joint_name(model, k));
        }
    }
    for (int i = 0; i < body->nshape; i++) {
        indent(text, depth + 1);
        write_geom(text, model, body->first_shape + i);
    }
}

/* Bodies stand in depth-first order, so that each closes those before it that are not its ancestors. */
static bool write_bodies(struct sn__text *text, const sn_model *model) {
    const int outermost = 2;
    int *depth = sn__alloc((size_t)model->nbody, sizeof *depth), open = 0;
    if (!depth) return false;
    for (int k = 0; k <= model->nbody; k++) {
        int parent = k < model->nbody ? model->body[k].parent : -1;
        int wanted = parent >= 0 ? depth[parent] : 0; /* bodies that stay open */
        while (open > wanted) {
            indent(text, outermost + --open);
            sn__text_add(text, "</body>\n");
        }
        if (k == model->nbody) break;
        int first = k;
        while (is_step(model, k))
            k++;
        open_body(text, model, first, k, outermost + open);
        depth[k] = ++open;
    }
    sn__free(depth);
    return true;
}

/* Steps are not bodies there, and without shapes nothing touches them. */
static void write_exclusions(struct sn__text *text, const sn_model *model) {
    bool any = false;
    for (int i = 0; i < model->nexclusion; i++) {
        const struct exclusion *pair = &model->exclusion[i];
        if (is_step(model, pair->a) || is_step(model, pair->b)) continue;
        if (!any) sn__text_add(text, "  <contact>\n");
        any = true;
        const sn_body_info *one = &model->body[pair->a], *two = &model->body[pair->b];
        sn__text_add(text, "    <exclude");
        write_name(text, "body1", one->name, body_suffix(one));
        write_name(text, "body2", two->name, body_suffix(two));
        sn__text_add(text, "/>\n");
    }
    if (any) sn__text_add(text, "  </contact>\n");
}

/* ------------------------------------------------------------------------------------------- constraints */

/* A rigid coupling is an equality of joints; a spring between them, or one with a target, a fixed tendon. */
static bool is_tendon(const sn_constraint_def *def) {
    return def->type == SN_CONSTRAINT_COUPLING_LIMIT ||
           (def->type == SN_CONSTRAINT_COUPLING && (def->stiffness > 0 || def->damping > 0));
}

static void write_pair(struct sn__text *text, const sn_model *model, const sn_constraint_def *def) {
    const sn_body_info *one = &model->body[def->body], *two = &model->body[def->body2];
    write_name(text, "body1", one->name, body_suffix(one));
    if (def->member2 >= 0) write_name(text, "body2", two->name, body_suffix(two));
}

/* The pose of the second body in the first: p = point - R^T point2 with R = target, the first in the second. */
static void write_weld(struct sn__text *text, const sn_model *model, const sn_constraint_def *def) {
    double back[4], turned[3], pose[7];
    dquat_conjugate(def->target, back);
    dquat_rotate(back, def->point2, turned);
    for (int i = 0; i < 3; i++)
        pose[i] = def->point[i] - turned[i];
    memcpy(pose + 3, back, sizeof back);
    sn__text_add(text, "    <weld");
    write_pair(text, model, def);
    write_numbers(text, "relpose", pose, 7);
    sn__text_add(text, "/>\n");
}

/* Returns whether there is any. */
static bool write_screws(struct sn__text *text, const sn_model *model) {
    bool any = false;
    for (int k = 0; k < model->nbody; k++) {
        if (!is_screw(&model->body[k].joint)) continue;
        const double ratio[5] = {0, model->body[k].joint.pitch};
        sn__text_add(text, any ? "    <joint" : "  <equality>\n    <joint");
        any = true;
        write_name(text, "joint1", joint_name(model, k), TRAVEL);
        write_name(text, "joint2", joint_name(model, k), "");
        write_numbers(text, "polycoef", ratio, 5);
        sn__text_add(text, "/>\n");
    }
    return any;
}

static void write_equalities(struct sn__text *text, const sn_model *model) {
    bool any = write_screws(text, model);
    for (int i = 0; i < model->nconstraint; i++) {
        const sn_constraint_def *def = &model->constraint[i];
        if (is_tendon(def)) continue;
        if (!any) sn__text_add(text, "  <equality>\n");
        any = true;
        if (def->type == SN_CONSTRAINT_WELD) {
            write_weld(text, model, def);
        } else if (def->type == SN_CONSTRAINT_PIN) {
            sn__text_add(text, "    <connect");
            write_pair(text, model, def);
            write_numbers(text, "anchor", def->point, 3);
            sn__text_add(text, "/>\n");
        } else {
            double ratio[5];
            memcpy(ratio, def->ratio, sizeof ratio);
            ratio[0] += def->target[0];
            sn__text_add(text, "    <joint");
            write_name(text, "joint1", joint_name(model, def->body), "");
            if (def->member2 >= 0) write_name(text, "joint2", joint_name(model, def->body2), "");
            write_numbers(text, "polycoef", ratio, 5);
            sn__text_add(text, "/>\n");
        }
    }
    if (any) sn__text_add(text, "  </equality>\n");
}

/* s = q1 - ratio[1] q2 as a length, whose spring rests at target + ratio[0]. */
static void write_tendons(struct sn__text *text, const sn_model *model) {
    bool any = false;
    for (int i = 0; i < model->nconstraint; i++) {
        const sn_constraint_def *def = &model->constraint[i];
        if (!is_tendon(def)) continue;
        const double one = 1, other = -def->ratio[1], rest = def->target[0] + def->ratio[0];
        if (!any) sn__text_add(text, "  <tendon>\n");
        any = true;
        sn__text_add(text, "    <fixed");
        if (def->type == SN_CONSTRAINT_COUPLING_LIMIT) {
            const double range[2] = {def->target[0] + def->ratio[0], def->target[1] + def->ratio[0]};
            sn__text_add(text, " limited=\"true\"");
            write_numbers(text, "range", range, 2);
        } else {
            write_numbers(text, "stiffness", &def->stiffness, 1);
            write_numbers(text, "damping", &def->damping, 1);
            write_numbers(text, "springlength", &rest, 1);
        }
        sn__text_add(text, ">\n      <joint");
        write_name(text, "joint", joint_name(model, def->body), "");
        write_numbers(text, "coef", &one, 1);
        sn__text_add(text, "/>\n");
        if (def->member2 >= 0) {
            sn__text_add(text, "      <joint");
            write_name(text, "joint", joint_name(model, def->body2), "");
            write_numbers(text, "coef", &other, 1);
            sn__text_add(text, "/>\n");
        }
        sn__text_add(text, "    </fixed>\n");
    }
    if (any) sn__text_add(text, "  </tendon>\n");
}

/* ---------------------------------------------------------------------------------- drives and the start */

/* Gains and torque limit of the joint, an actuator for each of its degrees of freedom. */
static void write_actuators(struct sn__text *text, const sn_model *model, int k) {
    const sn_joint_def *joint = &model->body[k].joint;
    struct part part[3];
    int nparts = parts_of(joint, part);
    bool limited = isfinite(joint->torque_limit);
    if (joint->kp == 0 && joint->kd == 0 && !limited) return;
    for (int p = 0; p < nparts; p++)
        for (int v = 0; v < part[p].nv; v++) {
            sn__text_add(text, "    <general");
            write_name(text, "joint", joint_name(model, k), part[p].suffix);
            double gear[6] = {0}, bias[3] = {0, -joint->kp, -joint->kd};
            gear[v] = 1;
            if (part[p].nv > 1) write_numbers(text, "gear", gear, 6);
            sn__text_add(text, " gaintype=\"fixed\"");
            write_numbers(text, "gainprm", &joint->kp, 1);
            sn__text_add(text, " biastype=\"affine\"");
            write_numbers(text, "biasprm", bias, 3);
            if (limited) { /* a range of nothing is not allowed */
                double most = fmax(joint->torque_limit, 1e-30), range[2] = {-most, most};
                sn__text_add(text, " forcelimited=\"true\"");
                write_numbers(text, "forcerange", range, 2);
            }
            sn__text_add(text, "/>\n");
        }
}

static bool write_home(struct sn__text *text, const sn_model *model) {
    bool given = false;
    for (int k = 0; k < model->nbody; k++)
        given |= model->body[k].joint.home_given && model->body[k].nq > 0;
    if (!given) return true;
    double *q = sn__alloc((size_t)model->nq, sizeof *q);
    if (!q) return false;
    sn_model_home_pose(model, q);
    sn__text_add(text, "  <keyframe>\n    <key name=\"home\"");
    sn__text_add(text, " qpos=\"");
    for (int k = 0, n = 0; k < model->nbody; k++) {
        const sn_body_info *body = &model->body[k];
        const double *own = q + body->q_index;
        if (n > 0 && body->nq > 0) sn__text_add(text, " ");
        sn__text_numbers(text, own, body->nq, " ");
        n += body->nq;
        if (!is_screw(&body->joint)) continue;
        const double travel = body->joint.pitch * own[0];
        sn__text_add(text, " ");
        sn__text_number(text, travel);
    }
    sn__text_add(text, "\"/>\n  </keyframe>\n");
    sn__free(q);
    return true;
}

char *sn__mjcf_write(const sn_model *model, size_t *size) {
    struct sn__text text = {0};
    sn__text_add(&text, "<mujoco model=\"sinew\">\n"
                        "  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n");
    write_hulls(&text, model);
    sn__text_add(&text, "  <worldbody>\n");
    bool good = write_bodies(&text, model);
    sn__text_add(&text, "  </worldbody>\n");
    write_exclusions(&text, model);
    write_equalities(&text, model);
    write_tendons(&text, model);
    sn__text_add(&text, "  <actuator>\n");
    for (int k = 0; k < model->nbody; k++)
        write_actuators(&text, model, k);
    sn__text_add(&text, "  </actuator>\n");
    good = good && write_home(&text, model);
    sn__text_add(&text, "</mujoco>\n");
    if (!good) text.failed = true;
    return sn__text_take(&text, size);
}
