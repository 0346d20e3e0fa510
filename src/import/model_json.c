/* Sinew's own model format, in JSON; docs/formats.md describes it. What is written reads back to the last
   bit. */
#include "base/memory.h"
#include "base/quat.h"
#include "import/json.h"
#include "import/load.h"
#include "import/readers.h"
#include "base/text.h"
#include "model/hull.h"
#include "model/builder.h"
#include "model/joint.h"
#include "model/model.h"
#include "model/shape.h"

#include <cjson/cJSON.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { VERSION = 1 };

/* ----------------------------------------------------------------------------------------------- writing */

/* Bits are compared: minus zero is not the default zero. */
static bool is_same(const double *a, const double *b, int count) {
    return memcmp(a, b, sizeof *a * (size_t)count) == 0;
}

static void write_numbers(struct sn__text *text, const char *key, const double *value, int count) {
    sn__text_add(text, ", \"%s\": ", key);
    if (count > 1) sn__text_add(text, "[");
    sn__text_numbers(text, value, count, ", ");
    if (count > 1) sn__text_add(text, "]");
}

static void write_unless_default(struct sn__text *text, const char *key, const double *value,
                                 const double *usual, int count) {
    if (!is_same(value, usual, count)) write_numbers(text, key, value, count);
}

/* Limits in a file: two, or as many as a joint of three axes has. */
static int nlimit_of(int type) {
    return sn__joint_kind[type].nlimit > 2 ? sn__joint_kind[type].nlimit : 2;
}

static void write_joint(struct sn__text *text, const sn_joint_def *joint) {
    const sn_joint_def usual = sn_joint_def_default(joint->type);
    sn__text_add(text, "     \"joint\": {\"type\": \"%s\"", sn__joint_kind[joint->type].name);
    if (joint->name[0]) {
        sn__text_add(text, ", \"name\": ");
        sn__text_json_string(text, joint->name);
    }
    write_unless_default(text, "anchor", joint->anchor, usual.anchor, 3);
    write_unless_default(text, "axis", joint->axis, usual.axis, 3);
    write_unless_default(text, "axis2", joint->axis2, usual.axis2, 3);
    write_unless_default(text, "pitch", &joint->pitch, &usual.pitch, 1);
    if (joint->limited) sn__text_add(text, ", \"limited\": true");
    write_unless_default(text, "lower", joint->lower, usual.lower, nlimit_of(joint->type));
    write_unless_default(text, "upper", joint->upper, usual.upper, nlimit_of(joint->type));
    write_unless_default(text, "armature", &joint->armature, &usual.armature, 1);
    write_unless_default(text, "damping", &joint->damping, &usual.damping, 1);
    write_unless_default(text, "stiffness", &joint->stiffness, &usual.stiffness, 1);
    write_unless_default(text, "friction", &joint->friction, &usual.friction, 1);
    write_unless_default(text, "rest", joint->rest, usual.rest, 4);
    write_unless_default(text, "kp", &joint->kp, &usual.kp, 1);
    write_unless_default(text, "kd", &joint->kd, &usual.kd, 1);
    int nq = sn__joint_kind[joint->type].nq;
    if (joint->home_given) {
        sn__text_add(text, ", \"home\": [");
        sn__text_numbers(text, joint->home, nq, ", ");
        sn__text_add(text, "]");
    }
    if (isfinite(joint->torque_limit)) write_numbers(text, "torque_limit", &joint->torque_limit, 1);
    sn__text_add(text, "}");
}

static void write_shape(struct sn__text *text, const sn_shape_def *shape) {
    const sn_shape_def usual = sn_shape_def_default(shape->type);
    sn__text_add(text, "{\"type\": \"%s\"", sn__shape_name(shape->type));
    if (shape->type == SN_SHAPE_HULL)
        write_numbers(text, "points", shape->hull->info.vertex[0], 3 * shape->hull->info.nvertex);
    else
        write_numbers(text, "size", shape->size, 3);
    write_unless_default(text, "pos", shape->pos, usual.pos, 3);
    write_unless_default(text, "rot", shape->rot, usual.rot, 4);
    write_unless_default(text, "density", &shape->density, &usual.density, 1);
    write_unless_default(text, "mass", &shape->mass, &usual.mass, 1);
    write_unless_default(text, "friction", &shape->friction, &usual.friction, 1);
    write_unless_default(text, "restitution", &shape->restitution, &usual.restitution, 1);
    if (shape->group != usual.group) sn__text_add(text, ", \"group\": %" PRIu32, shape->group);
    if (shape->mask != usual.mask) sn__text_add(text, ", \"mask\": %" PRIu32, shape->mask);
    write_unless_default(text, "surface_velocity", shape->surface_velocity, usual.surface_velocity, 3);
    if (shape->trigger) sn__text_add(text, ", \"trigger\": true");
    sn__text_add(text, "}");
}

static void write_body(struct sn__text *text, const sn_model *model, const sn_body_info *body) {
    const sn_body_def usual = sn_body_def_default();
    sn__text_add(text, "    {\"name\": ");
    sn__text_json_string(text, body->name);
    if (body->parent >= 0) {
        sn__text_add(text, ", \"parent\": ");
        sn__text_json_string(text, model->body[body->parent].name);
    }
    write_unless_default(text, "pos", body->pos, usual.pos, 3);
    write_unless_default(text, "rot", body->rot, usual.rot, 4);
    sn__text_add(text, ",\n");
    write_joint(text, &body->joint);
    sn__text_add(text, ",\n     \"mass\": ");
    sn__text_number(text, body->mass);
    write_numbers(text, "com", body->com, 3);
    write_numbers(text, "inertia", body->inertia, 6);
    write_unless_default(text, "lift", &body->lift, &usual.lift, 1);
    if (body->nshape > 0) sn__text_add(text, ",\n     \"shapes\": [");
    for (int i = 0; i < body->nshape; i++) {
        if (i > 0) sn__text_add(text, ",\n                ");
        write_shape(text, &model->shape[body->first_shape + i]);
    }
    sn__text_add(text, body->nshape > 0 ? "]}" : "}");
}

static void write_exclusions(struct sn__text *text, const sn_model *model) {
    if (model->nexclusion == 0) return;
    sn__text_add(text, ",\n  \"exclude\": [\n");
    for (int i = 0; i < model->nexclusion; i++) {
        sn__text_add(text, "    [");
        sn__text_json_string(text, model->body[model->exclusion[i].a].name);
        sn__text_add(text, ", ");
        sn__text_json_string(text, model->body[model->exclusion[i].b].name);
        sn__text_add(text, i + 1 < model->nexclusion ? "],\n" : "]\n");
    }
    sn__text_add(text, "  ]");
}

static const char *constraint_name(int type) {
    return type == SN_CONSTRAINT_PIN              ? "pin"
           : type == SN_CONSTRAINT_WELD           ? "weld"
           : type == SN_CONSTRAINT_COUPLING       ? "coupling"
           : type == SN_CONSTRAINT_COUPLING_LIMIT ? "coupling_limit"
                                                  : "";
}

static void write_constraint(struct sn__text *text, const sn_model *model, const sn_constraint_def *def) {
    const sn_constraint_def usual = sn_constraint_def_default(def->type);
    sn__text_add(text, "    {\"type\": \"%s\", \"body\": ", constraint_name((int)def->type));
    sn__text_json_string(text, model->body[def->body].name);
    if (def->member2 >= 0) {
        sn__text_add(text, ", \"body2\": ");
        sn__text_json_string(text, model->body[def->body2].name);
    }
    write_unless_default(text, "point", def->point, usual.point, 3);
    write_unless_default(text, "point2", def->point2, usual.point2, 3);
    write_unless_default(text, "target", def->target, usual.target, 7);
    write_unless_default(text, "target_velocity", def->target_velocity, usual.target_velocity, 6);
    write_unless_default(text, "ratio", def->ratio, usual.ratio, 5);
    write_unless_default(text, "stiffness", &def->stiffness, &usual.stiffness, 1);
    write_unless_default(text, "damping", &def->damping, &usual.damping, 1);
    if (isfinite(def->max_force)) write_numbers(text, "max_force", &def->max_force, 1);
    if (def->collide) sn__text_add(text, ", \"collide\": true");
    sn__text_add(text, "}");
}

static void write_constraints(struct sn__text *text, const sn_model *model) {
    if (model->nconstraint == 0) return;
    sn__text_add(text, ",\n  \"constraints\": [\n");
    for (int i = 0; i < model->nconstraint; i++) {
        write_constraint(text, model, &model->constraint[i]);
        sn__text_add(text, i + 1 < model->nconstraint ? ",\n" : "\n");
    }
    sn__text_add(text, "  ]");
}

char *sn__model_json_write(const sn_model *model, size_t *size) {
    struct sn__text text = {0};
    sn__text_add(&text, "{\n  \"format\": \"sinew-model\",\n  \"version\": %d,\n  \"bodies\": [\n", VERSION);
    for (int i = 0; i < model->nbody; i++) {
        write_body(&text, model, &model->body[i]);
        sn__text_add(&text, i + 1 < model->nbody ? ",\n" : "\n");
    }
    sn__text_add(&text, "  ]");
    write_exclusions(&text, model);
    write_constraints(&text, model);
    sn__text_add(&text, "\n}\n");
    return sn__text_take(&text, size);
}

/* ----------------------------------------------------------------------------------------------- reading */

struct reader {
    const sn_load_def *options;
    sn_error *error;
    sn_builder *builder;
};

/* A key that means nothing here is likely a slip of the pen. */
static void warn_of_strangers(const struct reader *reader, const struct sn__json *object,
                              const char *const *known) {
    for (struct sn__json member = sn__json_first(object); member.value; member = sn__json_next(&member)) {
        int i = 0;
        while (known[i] && strcmp(known[i], member.key) != 0)
            i++;
        if (!known[i])
            sn__warn(reader->options, "%s: key '%.64s' means nothing here and is passed over", object->path,
                     member.key);
    }
}

/* One of the names of a kind: index, or -1 and a message. */
static int read_choice(const struct sn__json *object, const char *key, int count, const char *(*name)(int),
                       sn_error *error) {
    const char *word = NULL;
    if (!sn__json_need(object, key, error) || !sn__json_string(object, key, &word, error)) return -1;
    for (int i = 0; i < count; i++)
        if (strcmp(name(i), word) == 0) return i;
    struct sn__json place = sn__json_member(object, key);
    sn__json_fail(&place, error, "'%.64s' is not known", word);
    return -1;
}

static const char *joint_name(int type) {
    return sn__joint_kind[type].name;
}

static const char *shape_name(int type) {
    return sn__shape_name((sn_shape_type)type);
}

static bool read_joint(const struct reader *reader, const struct sn__json *place, sn_joint_def *joint) {
    static const char *const known[] = {
        "type", "anchor",   "axis",    "axis2",     "limited",      "lower",    "upper", "kp",   "kd", "home",
        "rest", "armature", "damping", "stiffness", "torque_limit", "friction", "pitch", "name", NULL};
    sn_error *error = reader->error;
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    int type = read_choice(place, "type", SN_JOINT_TYPE_COUNT, joint_name, error);
    if (type < 0) return false;
    *joint = sn_joint_def_default((sn_joint_type)type);
    struct sn__json home = sn__json_member(place, "home");
    joint->home_given = home.value != NULL;
    warn_of_strangers(reader, place, known);
    return sn__json_string(place, "name", &joint->name, error) &&
           sn__json_doubles(place, "anchor", 3, joint->anchor, error) &&
           sn__json_doubles(place, "axis", 3, joint->axis, error) &&
           sn__json_doubles(place, "axis2", 3, joint->axis2, error) &&
           sn__json_double(place, "pitch", &joint->pitch, error) &&
           sn__json_bool(place, "limited", &joint->limited, error) &&
           sn__json_doubles(place, "lower", nlimit_of(type), joint->lower, error) &&
           sn__json_doubles(place, "upper", nlimit_of(type), joint->upper, error) &&
           sn__json_double(place, "armature", &joint->armature, error) &&
           sn__json_double(place, "damping", &joint->damping, error) &&
           sn__json_double(place, "stiffness", &joint->stiffness, error) &&
           sn__json_double(place, "friction", &joint->friction, error) &&
           sn__json_doubles(place, "rest", 4, joint->rest, error) &&
           sn__json_double(place, "kp", &joint->kp, error) &&
           sn__json_double(place, "kd", &joint->kd, error) &&
           sn__json_doubles(place, "home", sn__joint_kind[type].nq, joint->home, error) &&
           sn__json_double(place, "torque_limit", &joint->torque_limit, error);
}

/* A word of bits as a whole number. */
static bool read_bits(const struct sn__json *object, const char *key, uint32_t *bits, sn_error *error) {
    double number = *bits;
    if (!sn__json_double(object, key, &number, error)) return false;
    struct sn__json place = sn__json_member(object, key);
    if (!(number >= 0 && number <= UINT32_MAX) || number != floor(number))
        return sn__json_fail(&place, error, "%g should be a whole number from 0 to %" PRIu32, number,
                             UINT32_MAX);
    *bits = (uint32_t)number;
    return true;
}

static bool read_shape(const struct reader *reader, const struct sn__json *place, const char *body) {
    static const char *const known[] = {
        "type",     "size",        "pos",   "rot",  "density",          "mass",    "points",
        "friction", "restitution", "group", "mask", "surface_velocity", "trigger", NULL};
    sn_error *error = reader->error;
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    int type = read_choice(place, "type", SN_SHAPE_TYPE_COUNT, shape_name, error);
    if (type < 0 || (type != SN_SHAPE_HULL && !sn__json_need(place, "size", error))) return false;
    sn_shape_def shape = sn_shape_def_default((sn_shape_type)type);
    warn_of_strangers(reader, place, known);
    /* as many sizes as the shape has, or all three */
    struct sn__json size = sn__json_member(place, "size");
    int nsize = sn__json_count(&size) == 3 ? 3 : sn__shape_nsize(shape.type);
    sn_hull *hull = type == SN_SHAPE_HULL ? sn__json_hull(place, error) : NULL;
    if (type == SN_SHAPE_HULL && !hull) return false;
    shape.hull = hull;
    bool good = (hull || sn__json_numbers(&size, nsize, shape.size, error)) &&
                sn__json_doubles(place, "pos", 3, shape.pos, error) &&
                sn__json_doubles(place, "rot", 4, shape.rot, error) &&
                sn__json_double(place, "density", &shape.density, error) &&
                sn__json_double(place, "mass", &shape.mass, error) &&
                sn__json_double(place, "friction", &shape.friction, error) &&
                sn__json_double(place, "restitution", &shape.restitution, error) &&
                read_bits(place, "group", &shape.group, error) &&
                read_bits(place, "mask", &shape.mask, error) &&
                sn__json_doubles(place, "surface_velocity", 3, shape.surface_velocity, error) &&
                sn__json_bool(place, "trigger", &shape.trigger, error);
    if (good) sn_builder_add_shape(reader->builder, body, &shape);
    sn_hull_free(hull);
    return good;
}

static bool read_body(const struct reader *reader, const struct sn__json *place) {
    static const char *const known[] = {"name", "parent",  "pos",    "rot",  "joint", "mass",
                                        "com",  "inertia", "shapes", "lift", NULL};
    sn_error *error = reader->error;
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    sn_body_def body = sn_body_def_default();
    struct sn__json joint = sn__json_member(place, "joint"), mass = sn__json_member(place, "mass"),
                    shapes = sn__json_member(place, "shapes");
    warn_of_strangers(reader, place, known);
    body.mass_given = mass.value != NULL;
    if (!sn__json_need(place, "name", error) || !sn__json_string(place, "name", &body.name, error) ||
        !sn__json_string(place, "parent", &body.parent, error) ||
        !sn__json_doubles(place, "pos", 3, body.pos, error) ||
        !sn__json_doubles(place, "rot", 4, body.rot, error) ||
        !sn__json_double(place, "mass", &body.mass, error) ||
        !sn__json_doubles(place, "com", 3, body.com, error) ||
        !sn__json_doubles(place, "inertia", 6, body.inertia, error) ||
        !sn__json_double(place, "lift", &body.lift, error))
        return false;
    if (joint.value && !read_joint(reader, &joint, &body.joint)) return false;
    sn_builder_add_body(reader->builder, &body);
    if (!shapes.value) return true;
    if (!sn__json_is_array(&shapes)) return sn__json_fail(&shapes, error, "should be an array");
    for (struct sn__json shape = sn__json_first(&shapes); shape.value; shape = sn__json_next(&shape))
        if (!read_shape(reader, &shape, body.name)) return false;
    return true;
}

static bool read_bodies(const struct reader *reader, const struct sn__json *root) {
    int version = VERSION;
    if (!sn__json_int(root, "version", &version, reader->error)) return false;
    if (version < 1 || version > VERSION)
        return sn__json_fail(root, reader->error, "version %d of the format is not known, only %d", version,
                             VERSION);
    struct sn__json bodies = sn__json_member(root, "bodies");
    if (!sn__json_need(root, "bodies", reader->error)) return false;
    if (!sn__json_is_array(&bodies)) return sn__json_fail(&bodies, reader->error, "should be an array");
    if (sn__json_count(&bodies) > SN_MAX_BODIES)
        return sn__json_fail(&bodies, reader->error, "%d bodies are too many: a model holds at most %d",
                             sn__json_count(&bodies), SN_MAX_BODIES);
    for (struct sn__json body = sn__json_first(&bodies); body.value; body = sn__json_next(&body))
        if (!read_body(reader, &body)) return false;
    return true;
}

/* Pairs of names. */
static bool read_exclusions(const struct reader *reader, const struct sn__json *root) {
    struct sn__json list = sn__json_member(root, "exclude");
    if (!list.value) return true;
    if (!sn__json_is_array(&list)) return sn__json_fail(&list, reader->error, "should be an array");
    for (struct sn__json pair = sn__json_first(&list); pair.value; pair = sn__json_next(&pair)) {
        struct sn__json one = sn__json_first(&pair), two = sn__json_next(&one);
        if (!sn__json_is_array(&pair) || sn__json_count(&pair) != 2 || !cJSON_IsString(one.value) ||
            !cJSON_IsString(two.value))
            return sn__json_fail(&pair, reader->error, "should be an array of two names");
        sn_builder_exclude(reader->builder, one.value->valuestring, two.value->valuestring);
    }
    return true;
}

static bool read_constraint(const struct reader *reader, const struct sn__json *place) {
    static const char *const known[] = {
        "type",      "body",    "body2",     "point",           "point2",  "target", "ratio",
        "stiffness", "damping", "max_force", "target_velocity", "collide", NULL};
    sn_error *error = reader->error;
    const char *body = NULL, *body2 = NULL;
    if (!sn__json_is_object(place)) return sn__json_fail(place, error, "should be an object");
    int type = read_choice(place, "type", SN_CONSTRAINT_TYPE_COUNT, constraint_name, error);
    if (type < 0) return false;
    sn_constraint_def def = sn_constraint_def_default((sn_constraint_type)type);
    warn_of_strangers(reader, place, known);
    bool good = sn__json_need(place, "body", error) && sn__json_string(place, "body", &body, error) &&
                sn__json_string(place, "body2", &body2, error) &&
                sn__json_doubles(place, "point", 3, def.point, error) &&
                sn__json_doubles(place, "point2", 3, def.point2, error) &&
                sn__json_doubles(place, "target", 7, def.target, error) &&
                sn__json_doubles(place, "target_velocity", 6, def.target_velocity, error) &&
                sn__json_doubles(place, "ratio", 5, def.ratio, error) &&
                sn__json_double(place, "stiffness", &def.stiffness, error) &&
                sn__json_double(place, "damping", &def.damping, error) &&
                sn__json_double(place, "max_force", &def.max_force, error) &&
                sn__json_bool(place, "collide", &def.collide, error);
    if (good) sn_builder_add_constraint(reader->builder, body, body2, &def);
    return good;
}

static bool read_constraints(const struct reader *reader, const struct sn__json *root) {
    struct sn__json list = sn__json_member(root, "constraints");
    if (!list.value) return true;
    if (!sn__json_is_array(&list)) return sn__json_fail(&list, reader->error, "should be an array");
    for (struct sn__json one = sn__json_first(&list); one.value; one = sn__json_next(&one))
        if (!read_constraint(reader, &one)) return false;
    return true;
}

/* ------------------------------------------------------------------------------------------ the last bit */

/* Scaling to unit length again what was scaled before may change the last bit. Where the file has a unit
   vector, up to rounding, the model gets those very numbers. */
static void restore_unit(const struct sn__json *object, const char *key, int count, double *value) {
    double file[4], sum = 0;
    struct sn__json place = sn__json_member(object, key);
    if (!place.value || !sn__json_numbers(&place, count, file, NULL)) return;
    for (int i = 0; i < count; i++)
        sum += file[i] * file[i];
    if (fabs(sum - 1) < 1e-14) memcpy(value, file, sizeof *file * (size_t)count);
}

/* A file with the bodies in depth-first order, as written above, has its k-th body there in the draft too. */
static void restore_units(sn_model *model, const struct sn__json *root) {
    struct sn__json bodies = sn__json_member(root, "bodies"), place = sn__json_first(&bodies);
    for (int k = 0; k < model->nbody && place.value; k++, place = sn__json_next(&place)) {
        sn_body_info *body = &model->body[k];
        const char *name = "";
        sn__json_string(&place, "name", &name, NULL);
        if (strcmp(name, body->name) != 0) return;
        struct sn__json joint = sn__json_member(&place, "joint"), shapes = sn__json_member(&place, "shapes"),
                        shape = sn__json_first(&shapes);
        restore_unit(&place, "rot", 4, body->rot);
        restore_unit(&joint, "axis", 3, body->joint.axis);
        restore_unit(&joint, "axis2", 3, body->joint.axis2);
        if (sn__joint_kind[body->joint.type].quaternion >= 0)
            restore_unit(&joint, "rest", 4, body->joint.rest);
        for (int i = 0; i < body->nshape && shape.value; i++, shape = sn__json_next(&shape))
            restore_unit(&shape, "rot", 4, model->shape[body->first_shape + i].rot);
    }
}

static sn_model *make_model(const sn_builder *builder, const struct sn__json *root, sn_error *error) {
    sn_model *model = sn__model_draft(builder, NULL, error);
    if (!model) return NULL;
    restore_units(model, root);
    if (sn__model_compile(model) == SN_OK) return model;
    sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_model_free(model);
    return NULL;
}

sn_model *sn__model_json_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                              sn_error *error) {
    struct sn__json top = sn__json_root(root, path);
    struct reader reader = {options, error, sn_builder_create()};
    if (reader.builder &&
        !(read_bodies(&reader, &top) && read_exclusions(&reader, &top) && read_constraints(&reader, &top))) {
        sn_builder_free(reader.builder);
        return NULL;
    }
    sn_error why = {.status = SN_ERROR_MEMORY, .message = "out of memory"};
    sn_model *model = reader.builder ? make_model(reader.builder, &top, &why) : NULL;
    sn_builder_free(reader.builder);
    if (!model) sn__fail(error, why.status, "%s: %s", path, why.message);
    return model;
}
