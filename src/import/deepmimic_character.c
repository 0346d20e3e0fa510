/* DeepMimic characters and the gains of their controllers.
 *
 * These files have Y up, the right side along +Z and the hinge axis along Z. Turning everything by a
 * quarter about X, (x, y, z) -> (x, -z, y), gives Z up and the left side along +Y. The axes of every joint
 * frame are turned along, so that a hinge turns about -Y, a capsule lies along Z, and quaternions change as
 * (w, x, y, z) -> (w, x, -z, y). Lengths of shapes are diameters and full sides. A body has the name of its
 * joint; fixed joints are merged.
 *
 * ColGroup says what touches what: 0 nothing, -1 everything, k > 0 what has the same k. The k-th group is bit k - 1 here,
 * so that the first, which all characters have, is the default group of shapes. */
#include "base/memory.h"
#include "import/frame.h"
#include "import/json.h"
#include "import/load.h"
#include "import/readers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct joint {
    char name[SN_MAX_NAME + 1];
    const char *type;
    int parent;         /* index, -1: the world                               */
    int owner;          /* the joint whose body holds this one: often itself  */
    struct frame frame; /* in the parent joint's frame                        */
    struct frame place; /* in the owner's frame                               */
    double lower[3], upper[3], torque_limit, force_limit;
    double kp, kd;
};

struct character {
    const sn_load_def *options;
    sn_error *error;
    const char *path;
    struct joint *joint;
    int njoint;
    sn_builder *builder;
};

/* ---------------------------------------------------------------------------------------- the other axes */

static void turn_vector(double v[3]) {
    double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

/* AttachX ..., AttachThetaX ... */
static bool read_attach(const struct sn__json *place, struct frame *frame, sn_error *error) {
    static const char *const axis[] = {"AttachX", "AttachY", "AttachZ"};
    static const char *const turn[] = {"AttachThetaX", "AttachThetaY", "AttachThetaZ"};
    double angle[3] = {0};
    *frame = frame_identity();
    for (int i = 0; i < 3; i++)
        if (!sn__json_double(place, axis[i], &frame->pos[i], error) ||
            !sn__json_double(place, turn[i], &angle[i], error))
            return false;
    frame_from_roll_pitch_yaw(angle, frame->rot);
    turn_vector(frame->pos);
    turn_vector(frame->rot + 1);
    return true;
}

/* ----------------------------------------------------------------------------------------------- reading */

static bool read_joint(const struct character *character, const struct sn__json *place, int index) {
    static const char *const types[] = {"none",      "spherical", "revolute", "fixed",
                                        "prismatic", "planar",    NULL};
    static const char *const low[] = {"LimLow0", "LimLow1", "LimLow2"};
    static const char *const high[] = {"LimHigh0", "LimHigh1", "LimHigh2"};
    sn_error *error = character->error;
    struct joint *joint = &character->joint[index];
    *joint = (struct joint){
        .type = "", .parent = -1, .torque_limit = (double)INFINITY, .force_limit = (double)INFINITY};
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");

    const char *name = NULL;
    if (!sn__json_string(place, "Name", &name, error)) return false;
    if (name && strlen(name) > SN_MAX_NAME)
        return sn__json_fail(place, error, "the name '%.63s...' is longer than %d bytes", name, SN_MAX_NAME);
    if (name && name[0])
        strcpy(joint->name, name);
    else
        snprintf(joint->name, sizeof joint->name, "joint%d", index);

    if (!sn__json_need(place, "Type", error) || !sn__json_string(place, "Type", &joint->type, error) ||
        !sn__json_int(place, "Parent", &joint->parent, error) || !read_attach(place, &joint->frame, error) ||
        !sn__json_double(place, "TorqueLim", &joint->torque_limit, error) ||
        !sn__json_double(place, "ForceLim", &joint->force_limit, error))
        return false;
    for (int i = 0; i < 3; i++) {
        joint->lower[i] = 1;
        if (!sn__json_double(place, low[i], &joint->lower[i], error) ||
            !sn__json_double(place, high[i], &joint->upper[i], error))
            return false;
    }
    int kind = 0;
    while (types[kind] && strcmp(types[kind], joint->type) != 0)
        kind++;
    if (!types[kind])
        return sn__json_fail(place, error, "joint '%s': type '%.64s' is not known", joint->name, joint->type);
    if (joint->torque_limit < 0 || joint->force_limit < 0)
        return sn__json_fail(place, error, "joint '%s': its torque or force limit is negative", joint->name);
    if (index > 0 && (joint->parent < 0 || joint->parent >= index))
        return sn__json_fail(place, error, "joint '%s': parent %d should be a joint before it, 0 to %d",
                             joint->name, joint->parent, index - 1);
    if (index > 0 && kind == 0)
        return sn__json_fail(place, error, "joint '%s': only the root may have the type 'none'", joint->name);
    if (index ==
        0) { /* the attachment that the file gives for the root does not count, and nothing drives it */
        joint->parent = -1;
        joint->frame = frame_identity();
        if (kind == 0) joint->torque_limit = (double)INFINITY;
    }
    return true;
}

static bool is_merged(const struct joint *joint) {
    return joint->parent >= 0 && strcmp(joint->type, "fixed") == 0;
}

static bool read_joints(struct character *character, const struct sn__json *root) {
    struct sn__json skeleton = sn__json_member(root, "Skeleton"),
                    joints = sn__json_member(&skeleton, "Joints");
    int count = sn__json_count(&joints);
    if (!sn__json_is_array(&joints) || count == 0)
        return sn__json_fail(&joints, character->error, "should be an array of joints");
    if (count > SN_MAX_BODIES)
        return sn__json_fail(&joints, character->error,
                             "%d joints are too many: a model holds at most %d bodies", count, SN_MAX_BODIES);
    character->joint = sn__alloc((size_t)count, sizeof *character->joint);
    if (!character->joint) return sn__json_fail(&joints, character->error, "out of memory");
    struct sn__json place = sn__json_first(&joints);
    for (int i = 0; i < count; i++, place = sn__json_next(&place)) {
        if (!read_joint(character, &place, i)) return false;
        struct joint *joint = &character->joint[i];
        joint->owner = i;
        joint->place = frame_identity();
        if (!is_merged(joint)) continue;
        joint->owner = character->joint[joint->parent].owner;
        joint->place = frame_compose(&character->joint[joint->parent].place, &joint->frame);
    }
    character->njoint = count;
    return true;
}

static bool read_gains(struct character *character, const struct sn__json *root) {
    struct sn__json list = sn__json_member(root, "PDControllers");
    if (sn__json_count(&list) != character->njoint)
        return sn__json_fail(&list, character->error,
                             "has %d entries, but the character %s has %d joints: it is for another one",
                             sn__json_count(&list), character->path, character->njoint);
    struct sn__json place = sn__json_first(&list);
    for (int i = 0; i < character->njoint; i++, place = sn__json_next(&place)) {
        struct joint *joint = &character->joint[i];
        const char *name = joint->name;
        bool in_world = false;
        if (!sn__json_double(&place, "Kp", &joint->kp, character->error) ||
            !sn__json_double(&place, "Kd", &joint->kd, character->error) ||
            !sn__json_bool(&place, "UseWorldCoord", &in_world, character->error) ||
            !sn__json_string(&place, "Name", &name, character->error))
            return false;
        if (joint->kp < 0 || joint->kd < 0)
            return sn__json_fail(&place, character->error, "the gains of '%s' are negative", joint->name);
        if (strcmp(name, joint->name) != 0)
            sn__warn(character->options, "%s: the gains of '%.64s' are taken for joint '%s' of %s",
                     place.path, name, joint->name, character->path);
        if (in_world)
            sn__warn(character->options, "%s: '%s': UseWorldCoord is passed over", place.path, joint->name);
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- building */

static void set_limits(sn_joint_def *def, double lower, double upper) {
    def->limited = lower <= upper; /* the other way round means none */
    if (def->limited) def->lower[0] = lower, def->upper[0] = upper;
}

static sn_joint_def make_axis(const struct joint *joint, sn_joint_type type, double x, double y, double z) {
    sn_joint_def def = sn_joint_def_default(type);
    def.axis[0] = x, def.axis[1] = y, def.axis[2] = z;
    turn_vector(def.axis);
    def.kp = joint->kp, def.kd = joint->kd;
    def.torque_limit = type == SN_JOINT_SLIDE ? joint->force_limit : joint->torque_limit;
    return def;
}

/* A massless body on the way, with the frame of the joint for the first of them; `body` goes on from it. */
static void add_link(sn_builder *builder, sn_body_def *body, const sn_joint_def *joint, const char *name) {
    sn_body_def link = *body;
    link.name = name;
    link.joint = *joint;
    sn_builder_add_body(builder, &link);
    body->parent = name;
    memset(body->pos, 0, sizeof body->pos);
    dquat_identity(body->rot);
}

/* Attach * Rz(theta) * T(x, y, 0): a hinge and two slides. */
static void add_planar(const struct character *character, const struct joint *joint, sn_body_def *body) {
    char turn[SN_MAX_NAME + 16], along[SN_MAX_NAME + 16];
    snprintf(turn, sizeof turn, "%s_theta", joint->name);
    snprintf(along, sizeof along, "%s_x", joint->name);
    sn_joint_def theta = make_axis(joint, SN_JOINT_HINGE, 0, 0, 1);
    sn_joint_def x = make_axis(joint, SN_JOINT_SLIDE, 1, 0, 0);
    body->joint = make_axis(joint, SN_JOINT_SLIDE, 0, 1, 0);
    set_limits(&theta, joint->lower[2], joint->upper[2]);
    set_limits(&x, joint->lower[0], joint->upper[0]);
    set_limits(&body->joint, joint->lower[1], joint->upper[1]);
    add_link(character->builder, body, &theta, turn);
    add_link(character->builder, body, &x, along);
    sn_builder_add_body(character->builder, body);
}

static void add_body(const struct character *character, const struct joint *joint) {
    if (is_merged(joint)) return;
    sn_body_def body = sn_body_def_default();
    struct frame frame = joint->frame;
    body.name = joint->name;
    if (joint->parent >= 0) {
        const struct joint *parent = &character->joint[joint->parent];
        body.parent = character->joint[parent->owner].name;
        frame = frame_compose(&parent->place, &joint->frame);
    }
    memcpy(body.pos, frame.pos, sizeof body.pos);
    memcpy(body.rot, frame.rot, sizeof body.rot);
    if (strcmp(joint->type, "none") == 0) {
        body.joint = make_axis(joint, SN_JOINT_FREE, 0, 0, 1);
    } else if (strcmp(joint->type, "spherical") == 0) {
        body.joint = make_axis(joint, SN_JOINT_BALL, 0, 0, 1);
    } else if (strcmp(joint->type, "revolute") == 0) {
        body.joint = make_axis(joint, SN_JOINT_HINGE, 0, 0, 1);
        set_limits(&body.joint, joint->lower[0], joint->upper[0]);
    } else if (strcmp(joint->type, "prismatic") == 0) {
        body.joint = make_axis(joint, SN_JOINT_SLIDE, 1, 0, 0);
        set_limits(&body.joint, joint->lower[0], joint->upper[0]);
    } else if (strcmp(joint->type, "planar") == 0) {
        add_planar(character, joint, &body);
        return;
    }
    sn_builder_add_body(character->builder, &body);
}

static bool read_group(const struct sn__json *place, sn_shape_def *shape, sn_error *error) {
    const int most = 32;
    struct sn__json member = sn__json_member(place, "ColGroup");
    if (!member.value) return true;
    int group = 0;
    if (!sn__json_int(place, "ColGroup", &group, error)) return false;
    if (group < -1 || group > most)
        return sn__json_fail(&member, error, "%d should be -1 to %d", group, most);
    shape->group = shape->mask = group > 0 ? (uint32_t)1 << (group - 1) : group == 0 ? 0 : UINT32_MAX;
    return true;
}

/* The mass is spread evenly in the shape. */
static bool add_shape(const struct character *character, const struct sn__json *place,
                      const struct joint *joint) {
    sn_error *error = character->error;
    const char *kind = "null";
    double mass = 0, size[3] = {0};
    struct frame frame;
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    if (!sn__json_string(place, "Shape", &kind, error) || !sn__json_double(place, "Mass", &mass, error) ||
        !sn__json_double(place, "Param0", &size[0], error) ||
        !sn__json_double(place, "Param1", &size[1], error) ||
        !sn__json_double(place, "Param2", &size[2], error) || !read_attach(place, &frame, error))
        return false;
    if (strcmp(kind, "null") == 0 || strcmp(kind, "plane") == 0) {
        if (mass != 0)
            sn__warn(character->options, "%s: body '%s': the mass of a '%s' shape is passed over",
                     character->path, joint->name, kind);
        return true;
    }
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    if (strcmp(kind, "box") == 0) { /* sides x y z become x z y */
        shape.size[0] = size[0] / 2, shape.size[1] = size[2] / 2, shape.size[2] = size[1] / 2;
    } else {
        shape.size[0] = size[0] / 2, shape.size[1] = size[1] / 2;
        if (strcmp(kind, "sphere") == 0)
            shape.type = SN_SHAPE_SPHERE;
        else if (strcmp(kind, "capsule") == 0)
            shape.type = SN_SHAPE_CAPSULE;
        else if (strcmp(kind, "cylinder") == 0)
            shape.type = SN_SHAPE_CYLINDER;
        else
            return sn__json_fail(place, error, "body '%s': shape '%.64s' is not known", joint->name, kind);
    }
    if (mass < 0) return sn__json_fail(place, error, "body '%s': mass %g is negative", joint->name, mass);
    if (!read_group(place, &shape, error)) return false;
    shape.friction = 0.9; /* of all characters */
    shape.mass = mass;
    if (mass == 0) shape.density = 0;
    frame = frame_compose(&joint->place, &frame);
    memcpy(shape.pos, frame.pos, sizeof shape.pos);
    memcpy(shape.rot, frame.rot, sizeof shape.rot);
    sn_builder_add_shape(character->builder, character->joint[joint->owner].name, &shape);
    return true;
}

static bool add_shapes(const struct character *character, const struct sn__json *root) {
    struct sn__json bodies = sn__json_member(root, "BodyDefs");
    if (!sn__json_need(root, "BodyDefs", character->error)) return false;
    if (sn__json_count(&bodies) != character->njoint)
        return sn__json_fail(&bodies, character->error, "has %d entries, but there are %d joints",
                             sn__json_count(&bodies), character->njoint);
    struct sn__json place = sn__json_first(&bodies);
    for (int i = 0; i < character->njoint; i++, place = sn__json_next(&place))
        if (!add_shape(character, &place, &character->joint[i])) return false;
    return true;
}

/* Nobody builds joints that no torque may move: a limit of 0 stands for none, as in URDF. */
static void drop_zero_limits(const struct character *character) {
    const char *first = NULL;
    int count = 0;
    for (int i = 0; i < character->njoint; i++) {
        struct joint *joint = &character->joint[i];
        double *limit = strcmp(joint->type, "prismatic") == 0 ? &joint->force_limit : &joint->torque_limit;
        if (*limit != 0) continue;
        *limit = (double)INFINITY;
        if (strcmp(joint->type, "fixed") == 0) continue;
        if (count++ == 0) first = joint->name;
    }
    if (count > 0)
        sn__warn(character->options, "%s: a torque limit of 0 on %d joints ('%.64s' first) is taken as none",
                 character->path, count, first);
}

sn_model *sn__deepmimic_character_read(const struct cJSON *root, const char *path,
                                       const struct cJSON *controller, const char *controller_path,
                                       const sn_load_def *options, sn_error *error) {
    struct sn__json top = sn__json_root(root, path), gains = sn__json_root(controller, controller_path);
    struct character character = {.options = options, .error = error, .path = path};
    sn_model *model = NULL;
    bool good = read_joints(&character, &top) && (!controller || read_gains(&character, &gains));
    if (good) {
        drop_zero_limits(&character);
        character.builder = sn_builder_create();
        for (int i = 0; i < character.njoint; i++)
            add_body(&character, &character.joint[i]);
        if (!character.builder || add_shapes(&character, &top))
            model = sn__finish_model(character.builder, path, error);
        else
            sn_builder_free(character.builder);
    }
    sn__free(character.joint);
    return model;
}
