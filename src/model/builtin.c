/* Models that come with the library, made with the builder as anyone could.
 *
 * X is forward, Y left, Z up. In the zero pose every body's axes are the world's, and a body's frame stands
 * at its joint. Tables list the middle and the left side; what has two sides is made again on the right with
 * y turned round. */
#include "base/error.h"
#include "base/quat.h"
#include "sinew/sinew.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct part {
    const char *name, *parent; /* without their side; parent NULL: the free root */
    double pos[3];             /* of the joint in the parent's frame             */
    sn_joint_type joint;
    double axis[3];      /* hinge axis, or ball twist axis: along the bone */
    double lower, upper; /* hinge angle or ball twist                      */
    double swing;        /* half angle of a ball's cone                    */
    bool sides;          /* there is a left one and a right one            */
};

/* Sphere: a centre, r radius. Capsule: from a to b, r radius. Box: a centre, b half extents. */
struct piece {
    const char *body;
    sn_shape_type type;
    double a[3], b[3], r, mass;
};

struct figure {
    const struct part *part;
    const struct piece *piece;
    int npart, npiece;
};

/* clang-format off */

/* A person of 45 kg and 1.62 m, with 34 degrees of freedom, 13 of them from the pelvis to a foot.
   Elbows bend forward, knees backward. */
static const struct part humanoid_part[] = {
    {"pelvis",    NULL,        {0, 0, 0},               SN_JOINT_FREE,  {0, 0, 1}, 0, 0, 0, false},
    {"chest",     "pelvis",    {0, 0, 0.236},           SN_JOINT_BALL,  {0, 0, 1}, -0.8, 0.8, 1.0, false},
    {"head",      "chest",     {0, 0, 0.224},           SN_JOINT_BALL,  {0, 0, 1}, -1.2, 1.2, 0.9, false},
    {"upper_arm", "chest",     {-0.024, 0.183, 0.2435}, SN_JOINT_BALL,  {0, 0, 1}, -1.5, 1.5, 2.8, true},
    {"forearm",   "upper_arm", {0, 0, -0.275},          SN_JOINT_HINGE, {0, 1, 0}, -2.6, 0, 0, true},
    {"thigh",     "pelvis",    {0, 0.085, 0},           SN_JOINT_BALL,  {0, 0, 1}, -0.8, 0.8, 2.0, true},
    {"shin",      "thigh",     {0, 0, -0.4215},         SN_JOINT_HINGE, {0, 1, 0}, 0, 2.6, 0, true},
    {"foot",      "shin",      {0, 0, -0.41},           SN_JOINT_BALL,  {0, 0, 1}, -0.5, 0.5, 0.9, true},
};

static const struct piece humanoid_piece[] = {
    {"pelvis",    SN_SHAPE_SPHERE,  {0, 0, 0.07},         {0},                    0.09, 6},
    {"chest",     SN_SHAPE_SPHERE,  {0, 0, 0.12},         {0},                    0.11, 14},
    {"head",      SN_SHAPE_SPHERE,  {0, 0, 0.175},        {0},                    0.1025, 2},
    {"upper_arm", SN_SHAPE_CAPSULE, {0, 0, -0.05},        {0, 0, -0.23},          0.045, 1.5},
    {"forearm",   SN_SHAPE_CAPSULE, {0, 0, -0.0525},      {0, 0, -0.1875},        0.04, 1},
    {"forearm",   SN_SHAPE_SPHERE,  {0, 0, -0.259},       {0},                    0.04, 0.5},
    {"thigh",     SN_SHAPE_CAPSULE, {0, 0, -0.06},        {0, 0, -0.36},          0.055, 4.5},
    {"shin",      SN_SHAPE_CAPSULE, {0, 0, -0.045},       {0, 0, -0.355},         0.05, 3},
    {"foot",      SN_SHAPE_BOX,     {0.045, 0, -0.0225},  {0.0885, 0.045, 0.0275}, 0, 1},
};

/* A dog of 25 kg, 0.54 m high at the shoulder, with 72 degrees of freedom, 24 of them from the pelvis to a
   fore paw. */
static const struct part dog_part[] = {
    {"pelvis",     NULL,         {0, 0, 0},            SN_JOINT_FREE, {1, 0, 0}, 0, 0, 0, false},
    {"loin",       "pelvis",     {0.08, 0, 0},         SN_JOINT_BALL, {1, 0, 0}, -0.4, 0.4, 0.6, false},
    {"chest",      "loin",       {0.18, 0, 0},         SN_JOINT_BALL, {1, 0, 0}, -0.4, 0.4, 0.6, false},
    {"neck",       "chest",      {0.22, 0, 0.05},      SN_JOINT_BALL, {0.8, 0, 0.6}, -0.8, 0.8, 1.0, false},
    {"head",       "neck",       {0.12, 0, 0.09},      SN_JOINT_BALL, {1, 0, 0}, -0.8, 0.8, 1.0, false},
    {"shoulder",   "chest",      {0.12, 0.06, 0.06},   SN_JOINT_BALL, {0.4, 0, -0.9}, -0.3, 0.3, 0.6, true},
    {"upper_arm",  "shoulder",   {0.06, 0.01, -0.13},  SN_JOINT_BALL, {-0.4, 0, -0.9}, -0.5, 0.5, 1.2, true},
    {"fore_leg",   "upper_arm",  {-0.06, 0, -0.14},    SN_JOINT_BALL, {0, 0, 1}, -0.5, 0.5, 1.4, true},
    {"fore_paw",   "fore_leg",   {0, 0, -0.21},        SN_JOINT_BALL, {0, 0, 1}, -0.3, 0.3, 1.4, true},
    {"thigh",      "pelvis",     {-0.03, 0.07, -0.03}, SN_JOINT_BALL, {0.3, 0, -1}, -0.5, 0.5, 1.2, true},
    {"shin",       "thigh",      {0.05, 0, -0.16},     SN_JOINT_BALL, {-0.6, 0, -0.8}, -0.4, 0.4, 1.4, true},
    {"hock",       "shin",       {-0.11, 0, -0.14},    SN_JOINT_BALL, {0, 0, 1}, -0.3, 0.3, 1.2, true},
    {"hind_paw",   "hock",       {0.01, 0, -0.10},     SN_JOINT_BALL, {1, 0, 0}, -0.3, 0.3, 1.2, true},
    {"tail",       "pelvis",     {-0.10, 0, 0.02},     SN_JOINT_BALL, {-1, 0, 0}, -0.5, 0.5, 1.2, false},
    {"tail_tip",   "tail",       {-0.15, 0, 0},        SN_JOINT_BALL, {-1, 0, 0}, -0.5, 0.5, 1.2, false},
};

static const struct piece dog_piece[] = {
    {"pelvis",     SN_SHAPE_CAPSULE, {-0.06, 0, 0},       {0.06, 0, 0},         0.08, 4},
    {"loin",       SN_SHAPE_CAPSULE, {0.04, 0, -0.01},    {0.14, 0, -0.02},     0.09, 4},
    {"chest",      SN_SHAPE_CAPSULE, {0.04, 0, -0.04},    {0.18, 0, -0.02},     0.11, 6},
    {"neck",       SN_SHAPE_CAPSULE, {0.01, 0, 0.01},     {0.10, 0, 0.08},      0.05, 1.2},
    {"head",       SN_SHAPE_CAPSULE, {0.02, 0, 0.02},     {0.14, 0, 0},         0.055, 1.8},
    {"shoulder",   SN_SHAPE_CAPSULE, {0, 0, 0},           {0.06, 0.01, -0.13},  0.035, 0.7},
    {"upper_arm",  SN_SHAPE_CAPSULE, {0, 0, 0},           {-0.06, 0, -0.14},    0.03, 0.6},
    {"fore_leg",   SN_SHAPE_CAPSULE, {0, 0, 0},           {0, 0, -0.21},        0.022, 0.4},
    {"fore_paw",   SN_SHAPE_BOX,     {0.025, 0, -0.03},   {0.05, 0.025, 0.03},  0, 0.2},
    {"thigh",      SN_SHAPE_CAPSULE, {0, 0, 0},           {0.05, 0, -0.16},     0.045, 1.1},
    {"shin",       SN_SHAPE_CAPSULE, {0, 0, 0},           {-0.11, 0, -0.14},    0.028, 0.5},
    {"hock",       SN_SHAPE_CAPSULE, {0, 0, 0},           {0.01, 0, -0.10},     0.02, 0.25},
    {"hind_paw",   SN_SHAPE_BOX,     {0.025, 0, -0.025},  {0.05, 0.025, 0.025}, 0, 0.15},
    {"tail",       SN_SHAPE_CAPSULE, {0, 0, 0},           {-0.15, 0, 0},        0.02, 0.12},
    {"tail_tip",   SN_SHAPE_CAPSULE, {0, 0, 0},           {-0.15, 0, 0},        0.015, 0.08},
};

/* A toy mouse of 0.15 kg, 0.1 m long, with a tail of 0.3 m (struct tail): 54 degrees of freedom, 51 of them from the body
   to the tip. The head is the only other joint. */
static const struct part mouse_part[] = {
    {"body", NULL,   {0, 0, 0},     SN_JOINT_FREE, {1, 0, 0}, 0, 0, 0, false},
    {"head", "body", {0.04, 0, 0.01}, SN_JOINT_BALL, {1, 0, 0}, -0.5, 0.5, 0.8, false},
};

static const struct piece mouse_piece[] = {
    {"body", SN_SHAPE_CAPSULE, {-0.025, 0, 0},    {0.025, 0, 0},    0.025, 0.11},
    {"head", SN_SHAPE_CAPSULE, {0.01, 0, 0},      {0.03, 0, -0.005}, 0.014, 0.025},
    {"head", SN_SHAPE_SPHERE,  {0.004, 0.014, 0.014}, {0},          0.008, 0.0025},
    {"head", SN_SHAPE_SPHERE,  {0.004, -0.014, 0.014}, {0},         0.008, 0.0025},
};

/* clang-format on */

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
static const struct figure humanoid = {humanoid_part, humanoid_piece, COUNT(humanoid_part),
                                       COUNT(humanoid_piece)};
static const struct figure dog = {dog_part, dog_piece, COUNT(dog_part), COUNT(dog_piece)};
static const struct figure mouse = {mouse_part, mouse_piece, COUNT(mouse_part), COUNT(mouse_piece)};

/* A chain of capsules: 6 degrees of freedom for the first link, 3 for each other. */
struct chain {
    int nlink;
    double length, radius, density; /* of a link, its round ends included */
};

static const struct chain snake36 = {11, 0.2, 0.05, 1000};
static const struct chain snake72 = {23, 0.2, 0.05, 1000};
static const struct chain snake195 = {64, 0.2, 0.05, 1000};

/* A tail that grows thinner from link to link, of balls like a chain's, behind a figure's body. */
struct tail {
    const char *on;
    int nlink;
    double from;                      /* x of its root in that body */
    double length, first_mass, taper; /* of a link; of the first, and the factor from link to link */
};

static const struct tail mouse_tail = {"body", 15, -0.05, 0.02, 1.5e-3, 0.85};

static const struct {
    const char *name;
    const struct figure *figure; /* one of the two */
    const struct chain *chain;
    const struct tail *tail; /* of a figure, or NULL */
} builtin[] = {
    {"humanoid", &humanoid, NULL, NULL}, {"dog", &dog, NULL, NULL},
    {"snake36", NULL, &snake36, NULL},   {"snake72", NULL, &snake72, NULL},
    {"snake195", NULL, &snake195, NULL}, {"mouse", &mouse, NULL, &mouse_tail},
};

/* ------------------------------------------------------------------------------------------------ figures */

static const struct part *find_part(const struct figure *figure, const char *name) {
    for (int i = 0; i < figure->npart; i++)
        if (strcmp(figure->part[i].name, name) == 0) return &figure->part[i];
    return NULL;
}

/* "thigh" becomes "right_thigh" or "left_thigh" where there are two. y is 1 on the left, -1 on the right. */
static void side_name(const struct part *part, double y, char name[SN_MAX_NAME + 1]) {
    snprintf(name, SN_MAX_NAME + 1, "%s%s", !part->sides ? "" : y < 0 ? "right_" : "left_", part->name);
}

static void add_part(sn_builder *builder, const struct figure *figure, const struct part *part, double y) {
    char name[SN_MAX_NAME + 1], parent[SN_MAX_NAME + 1];
    sn_body_def body = sn_body_def_default();
    side_name(part, y, name);
    body.name = name;
    if (part->parent) {
        side_name(find_part(figure, part->parent), y, parent);
        body.parent = parent;
    }
    memcpy(body.pos, part->pos, sizeof body.pos);
    body.pos[1] *= y;
    body.joint = sn_joint_def_default(part->joint);
    memcpy(body.joint.axis, part->axis, sizeof body.joint.axis);
    body.joint.limited = part->joint != SN_JOINT_FREE;
    body.joint.lower[0] = part->lower;
    body.joint.upper[0] = part->upper;
    body.joint.upper[1] = part->swing;
    sn_builder_add_body(builder, &body);
}

static void add_piece(sn_builder *builder, const struct figure *figure, const struct piece *piece, double y) {
    char name[SN_MAX_NAME + 1];
    double a[3], b[3];
    sn_shape_def shape = sn_shape_def_default(piece->type);
    side_name(find_part(figure, piece->body), y, name);
    memcpy(a, piece->a, sizeof a);
    memcpy(b, piece->b, sizeof b);
    a[1] *= y;
    shape.mass = piece->mass;
    shape.size[0] = piece->r;
    memcpy(shape.pos, a, sizeof a);
    if (piece->type == SN_SHAPE_BOX) memcpy(shape.size, b, sizeof b);
    if (piece->type == SN_SHAPE_CAPSULE) {
        double along[3];
        b[1] *= y;
        for (int i = 0; i < 3; i++) {
            along[i] = b[i] - a[i];
            shape.pos[i] = 0.5 * (a[i] + b[i]);
        }
        shape.size[1] = 0.5 * dvec_length(along);
        dvec_normalise(along);
        dquat_from_z(along, shape.rot);
    }
    sn_builder_add_shape(builder, name, &shape);
}

static void add_figure(sn_builder *builder, const struct figure *figure) {
    for (int i = 0; i < figure->npart; i++) {
        if (figure->part[i].sides) add_part(builder, figure, &figure->part[i], -1);
        add_part(builder, figure, &figure->part[i], 1);
    }
    for (int i = 0; i < figure->npiece; i++) {
        if (find_part(figure, figure->piece[i].body)->sides)
            add_piece(builder, figure, &figure->piece[i], -1);
        add_piece(builder, figure, &figure->piece[i], 1);
    }
}

/* ------------------------------------------------------------------------------------------------- chains */

static void add_chain(sn_builder *builder, const struct chain *chain) {
    const double forward[3] = {1, 0, 0};
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    shape.size[0] = chain->radius;
    shape.size[1] = 0.5 * chain->length - chain->radius;
    shape.density = chain->density;
    shape.pos[0] = 0.5 * chain->length;
    dquat_from_z(forward, shape.rot);
    for (int i = 0; i < chain->nlink; i++) {
        char name[16], parent[16];
        sn_body_def body = sn_body_def_default();
        snprintf(name, sizeof name, "link%d", i);
        snprintf(parent, sizeof parent, "link%d", i - 1);
        body.name = name;
        body.parent = i > 0 ? parent : NULL;
        body.pos[0] = i > 0 ? chain->length : 0;
        body.joint = sn_joint_def_default(i > 0 ? SN_JOINT_BALL : SN_JOINT_FREE);
        memcpy(body.joint.axis, forward, sizeof forward);
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, name, &shape);
    }
}

static void add_tail(sn_builder *builder, const struct tail *tail) {
    const double backward[3] = {-1, 0, 0};
    double mass = tail->first_mass;
    for (int i = 0; i < tail->nlink; i++, mass *= tail->taper) {
        char name[16], parent[16];
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
        snprintf(name, sizeof name, "tail%d", i);
        snprintf(parent, sizeof parent, "tail%d", i - 1);
        body.name = name;
        body.parent = i > 0 ? parent : tail->on;
        body.pos[0] = i > 0 ? -tail->length : tail->from;
        body.joint = sn_joint_def_default(SN_JOINT_BALL);
        memcpy(body.joint.axis, backward, sizeof backward);
        sn_builder_add_body(builder, &body);
        shape.size[0] = 0.004 - 0.0025 * i / tail->nlink;
        shape.size[1] = 0.5 * tail->length - shape.size[0];
        shape.pos[0] = -0.5 * tail->length;
        shape.mass = mass;
        dquat_from_z(backward, shape.rot);
        sn_builder_add_shape(builder, name, &shape);
    }
}

/* -------------------------------------------------------------------------------------------------- names */

const char *sn_builtin_name(int index) {
    return index >= 0 && index < COUNT(builtin) ? builtin[index].name : NULL;
}

sn_model *sn_builtin_create(const char *name, sn_error *error) {
    for (int i = 0; name && i < COUNT(builtin); i++) {
        if (strcmp(builtin[i].name, name) != 0) continue;
        sn_builder *builder = sn_builder_create();
        if (!builder) {
            sn__fail(error, SN_ERROR_MEMORY, "out of memory");
            return NULL;
        }
        if (builtin[i].figure)
            add_figure(builder, builtin[i].figure);
        else
            add_chain(builder, builtin[i].chain);
        if (builtin[i].tail) add_tail(builder, builtin[i].tail);
        sn_model *model = sn_builder_build(builder, error);
        sn_builder_free(builder);
        return model;
    }
    sn__fail(error, SN_ERROR_ARGUMENT,
             "there is no built-in model '%.63s'; there are humanoid, dog, snake36, snake72, "
             "snake195 and mouse",
             name ? name : "");
    return NULL;
}
