/* Default classes, and the attributes of the elements that draw on them. A class holds an element of each kind with
 * every attribute set: first as its parent class has it, then as its own elements say. An element starts as a copy of
 * its class's and changes what it mentions, so that a partial size or gear keeps the rest. */
#include "import/mjcf.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char *const limited_words[] = {"false", "true", "auto", NULL};

/* ------------------------------------------------------------------------------------------------- joints */

bool sn__mjcf_joint_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_joint *joint) {
    static const char *const types[] = {"free", "ball", "slide", "hinge", NULL};
    sn_error *error = mjcf->error;
    return sn__xml_choice(node, "type", types, &joint->type, error) >= 0 &&
           sn__xml_choice(node, "limited", limited_words, &joint->limited, error) >= 0 &&
           sn__xml_choice(node, "actuatorfrclimited", limited_words, &joint->force_limited, error) >= 0 &&
           sn__xml_vector(node, "pos", 3, joint->pos, error) >= 0 &&
           sn__xml_vector(node, "axis", 3, joint->axis, error) >= 0 &&
           sn__xml_vector(node, "range", 2, joint->range, error) >= 0 &&
           sn__xml_vector(node, "actuatorfrcrange", 2, joint->force_range, error) >= 0 &&
           sn__xml_vector(node, "springdamper", 2, joint->springdamper, error) >= 0 &&
           sn__xml_number(node, "ref", &joint->ref, error) >= 0 &&
           sn__xml_number(node, "springref", &joint->springref, error) >= 0 &&
           sn__xml_number(node, "stiffness", &joint->stiffness, error) >= 0 &&
           sn__xml_number(node, "damping", &joint->damping, error) >= 0 &&
           sn__xml_number(node, "armature", &joint->armature, error) >= 0 &&
           sn__xml_number(node, "frictionloss", &joint->frictionloss, error) >= 0;
}

bool sn__mjcf_is_limited(const struct mjcf *mjcf, int limited, const double range[2]) {
    if (limited != MJCF_LIMITED_AUTO) return limited == MJCF_LIMITED_TRUE;
    return mjcf->compiler.autolimits && (range[0] != 0 || range[1] != 0);
}

/* -------------------------------------------------------------------------------------------------- geoms */

/* A word of bits. MuJoCo has it as a number with a sign, so that -1 is all of them; without one it is understood
   too. */
static int read_bits(const struct sn__xml_node *node, const char *name, uint32_t *bits, sn_error *error) {
    double number;
    int found = sn__xml_number(node, name, &number, error);
    if (found <= 0) return found;
    if (number != floor(number) || number < INT32_MIN || number > UINT32_MAX) {
        sn__xml_fail_attribute(node, name, error, "%g is not a whole number of 32 bits", number);
        return -1;
    }
    *bits = (uint32_t)(int64_t)number;
    return 1;
}

bool sn__mjcf_geom_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_geom *geom) {
    static const char *const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh",   "sdf",     NULL};
    sn_error *error = mjcf->error;
    if (sn__xml_choice(node, "type", types, &geom->type, error) < 0 ||
        sn__xml_numbers(node, "size", 1, 3, geom->size, error) < 0 ||
        sn__xml_number(node, "density", &geom->density, error) < 0 ||
        sn__xml_numbers(node, "friction", 1, 3, geom->friction, error) < 0 ||
        read_bits(node, "contype", &geom->contype, error) < 0 ||
        read_bits(node, "conaffinity", &geom->conaffinity, error) < 0 ||
        sn__xml_integer(node, "group", &geom->group, error) < 0 ||
        sn__xml_bool(node, "shellinertia", &geom->shell, error) < 0 ||
        !sn__mjcf_frame_read(mjcf, node, &geom->frame))
        return false;
    int mass = sn__xml_number(node, "mass", &geom->mass, error);
    int fromto = mass < 0 ? -1 : sn__xml_vector(node, "fromto", 6, geom->fromto, error);
    geom->has_mass |= mass > 0;
    geom->has_fromto |= fromto > 0;
    const char *mesh = sn__xml_string(node, "mesh");
    const char *hfield = sn__xml_string(node, "hfield");
    if (mesh) geom->mesh = mesh;
    if (hfield) geom->hfield = hfield;
    return fromto >= 0;
}

/* ------------------------------------------------------------------------------------------------ tendons */

bool sn__mjcf_tendon_attributes(const struct mjcf *mjcf, const struct sn__xml_node *node,
                                struct mjcf_tendon *tendon) {
    sn_error *error = mjcf->error;
    int rest = sn__xml_numbers(node, "springlength", 1, 2, tendon->springlength, error);
    if (rest == 1) tendon->springlength[1] = tendon->springlength[0];
    return rest >= 0 && sn__xml_number(node, "stiffness", &tendon->stiffness, error) >= 0 &&
           sn__xml_number(node, "damping", &tendon->damping, error) >= 0 &&
           sn__xml_number(node, "frictionloss", &tendon->frictionloss, error) >= 0 &&
           sn__xml_choice(node, "limited", limited_words, &tendon->limited, error) >= 0 &&
           sn__xml_vector(node, "range", 2, tendon->range, error) >= 0;
}

/* ---------------------------------------------------------------------------------------------- actuators */

static bool read_general(const struct mjcf *mjcf, const struct sn__xml_node *node,
                         struct mjcf_actuator *actuator) {
    double gain[10] = {actuator->gain}, bias[10] = {0};
    memcpy(bias, actuator->bias, sizeof actuator->bias);
    if (sn__xml_numbers(node, "gainprm", 1, 10, gain, mjcf->error) < 0 ||
        sn__xml_numbers(node, "biasprm", 1, 10, bias, mjcf->error) < 0)
        return false;
    actuator->gain = gain[0];
    memcpy(actuator->bias, bias, sizeof actuator->bias);
    const char *gaintype = sn__xml_string(node, "gaintype"), *biastype = sn__xml_string(node, "biastype");
    if (gaintype) actuator->fixed_gain = strcmp(gaintype, "fixed") == 0;
    if (biastype) actuator->has_bias = strcmp(biastype, "affine") == 0;
    return true;
}

/* A servo: gain times control, minus gain times position or velocity, which is bias[index]. */
static bool read_servo(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                       int index, struct mjcf_actuator *actuator) {
    actuator->bias[0] = actuator->bias[3 - index] = 0;
    actuator->fixed_gain = actuator->has_bias = true;
    if (sn__xml_number(node, attribute, &actuator->gain, mjcf->error) < 0) return false;
    actuator->bias[index] = -actuator->gain;
    return true;
}

static bool read_kind(const struct mjcf *mjcf, const struct sn__xml_node *node,
                      struct mjcf_actuator *actuator) {
    if (strcmp(node->name, "general") == 0) return read_general(mjcf, node, actuator);
    if (strcmp(node->name, "motor") == 0) {
        actuator->gain = 1;
        actuator->fixed_gain = true;
        actuator->has_bias = false;
        return true;
    }
    if (strcmp(node->name, "velocity") == 0) return read_servo(mjcf, node, "kv", 2, actuator);
    double damping = -actuator->bias[2]; /* position, intvelocity */
    if (sn__xml_number(node, "kv", &damping, mjcf->error) < 0 || !read_servo(mjcf, node, "kp", 1, actuator))
        return false;
    actuator->bias[2] = -damping;
    return sn__xml_number(node, "dampratio", &actuator->dampratio, mjcf->error) >= 0;
}

bool sn__mjcf_actuator_read(struct mjcf *mjcf, const struct sn__xml_node *node,
                            struct mjcf_actuator *actuator) {
    static const char *const others[] = {"cranksite", "site", "body"};
    sn_error *error = mjcf->error;
    if (sn__xml_choice(node, "ctrllimited", limited_words, &actuator->ctrl_limited, error) < 0 ||
        sn__xml_choice(node, "forcelimited", limited_words, &actuator->force_limited, error) < 0 ||
        sn__xml_vector(node, "ctrlrange", 2, actuator->ctrl_range, error) < 0 ||
        sn__xml_vector(node, "forcerange", 2, actuator->force_range, error) < 0 ||
        sn__xml_numbers(node, "gear", 1, 6, actuator->gear, error) < 0)
        return false;
    const char *joint = sn__xml_string(node, "joint");
    if (!joint) joint = sn__xml_string(node, "jointinparent");
    if (joint) actuator->target = MJCF_TARGET_JOINT;
    if (sn__xml_string(node, "tendon")) actuator->target = MJCF_TARGET_TENDON;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sn__xml_string(node, others[i])) actuator->target = MJCF_TARGET_OTHER;
    return read_kind(mjcf, node, actuator);
}

/* ------------------------------------------------------------------------------------------------ classes */

static bool add_class(struct mjcf *mjcf, const struct mjcf_class *class) {
    struct mjcf_class *grown =
        sn__grow(mjcf->class, &mjcf->class_capacity, mjcf->nclass + 1, sizeof *mjcf->class);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    mjcf->class = grown;
    mjcf->class[mjcf->nclass++] = *class;
    return true;
}

bool sn__mjcf_class_init(struct mjcf *mjcf) {
    struct mjcf_class top = {
        .name = "main",
        .joint = {.type = MJCF_HINGE,
                  .limited = MJCF_LIMITED_AUTO,
                  .force_limited = MJCF_LIMITED_AUTO,
                  .axis = {0, 0, 1}},
        .geom = {.type = MJCF_SPHERE,
                 .density = 1000,
                 .contype = 1,
                 .conaffinity = 1,
                 .friction = {1, 0.005, 0.0001},
                 .frame = sn__mjcf_frame_identity},
        .actuator = {.ctrl_limited = MJCF_LIMITED_AUTO,
                     .force_limited = MJCF_LIMITED_AUTO,
                     .gear = {1},
                     .fixed_gain = true,
                     .gain = 1},
        .tendon = {.springlength = {-1, -1}, .limited = MJCF_LIMITED_AUTO},
        .mesh_scale = {1, 1, 1},
    };
    return add_class(mjcf, &top);
}

int sn__mjcf_class_of(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                      int otherwise) {
    const char *name = sn__xml_string(node, attribute);
    if (!name) return otherwise;
    for (int i = 0; i < mjcf->nclass; i++)
        if (strcmp(mjcf->class[i].name, name) == 0) return i;
    if (strcmp(name, "main") == 0) return 0;
    sn__xml_fail_attribute(node, attribute, mjcf->error, "there is no default class '%.63s'", name);
    return -1;
}

static bool is_actuator(const char *name) {
    static const char *const names[] = {"general", "motor", "position", "velocity", "intvelocity"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* The elements of a class, then the classes inside it: they start from what it has in the end. */
static bool fill_class(struct mjcf *mjcf, const struct sn__xml_node *node, int index) {
    const struct sn__xml_node *child;
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        struct mjcf_class *class = &mjcf->class[index];
        bool good = true;
        if (strcmp(child->name, "joint") == 0)
            good = sn__mjcf_joint_read(mjcf, child, &class->joint);
        else if (strcmp(child->name, "geom") == 0)
            good = sn__mjcf_geom_read(mjcf, child, &class->geom);
        else if (strcmp(child->name, "mesh") == 0)
            good = sn__xml_vector(child, "scale", 3, class->mesh_scale, mjcf->error) >= 0;
        else if (strcmp(child->name, "tendon") == 0)
            good = sn__mjcf_tendon_attributes(mjcf, child, &class->tendon);
        else if (is_actuator(child->name))
            good = sn__mjcf_actuator_read(mjcf, child, &class->actuator);
        if (!good) return false;
    }
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        if (strcmp(child->name, "default") != 0) continue;
        struct mjcf_class inner = mjcf->class[index];
        inner.name = sn__xml_string(child, "class");
        if (!inner.name || !inner.name[0]) {
            sn__xml_fail_attribute(child, "class", mjcf->error, "is missing");
            return false;
        }
        for (int i = 0; i < mjcf->nclass; i++)
            if (strcmp(mjcf->class[i].name, inner.name) == 0) {
                sn__xml_fail_attribute(child, "class", mjcf->error, "'%.63s' is there already", inner.name);
                return false;
            }
        if (mjcf->nclass == MJCF_MAX_CLASSES) {
            sn__xml_fail(child, mjcf->error, SN_ERROR_TOO_LARGE,
                         "is one too many: at most %d classes are read", (int)MJCF_MAX_CLASSES);
            return false;
        }
        if (!add_class(mjcf, &inner) || !fill_class(mjcf, child, mjcf->nclass - 1)) return false;
    }
    return true;
}

bool sn__mjcf_class_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    const char *name = sn__xml_string(node, "class");
    if (name && name[0]) mjcf->class[0].name = name;
    return fill_class(mjcf, node, 0);
}
