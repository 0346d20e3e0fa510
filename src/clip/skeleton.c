/* A character for a bare skeleton.
 *
 * Every joint becomes a body on a ball joint, the root on a free one; tips (leaves called "_end") only end a bone. Each
 * bone is a capsule with its round ends inside the bone. Limbs are 0.12 of their length thick (radius); bones between the
 * root and a joint where the skeleton branches are the trunk, and 0.055 of the stature. All have the same density. */
#include "clip/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"

#include <string.h>

struct frame_of_skeleton {
    const sn_clip_def *def;
    int *children; /* [njoint] with a body of their own      */
    bool *tip;     /* [njoint]                               */
    bool *trunk;   /* [njoint] the bone that ends here       */
    double stature;
};

static bool is_tip(const sn_clip_def *def, int joint) {
    const char *name = def->joint[joint].name;
    const size_t length = strlen(name);
    if (joint == 0 || length < 5 || strcmp(name + length - 4, "_end") != 0) return false;
    for (int j = joint + 1; j < def->njoint; j++)
        if (def->joint[j].parent == joint) return false;
    return true;
}

static bool survey(struct frame_of_skeleton *s) {
    const size_t n = (size_t)s->def->njoint;
    double *place = sn__alloc(n, 3 * sizeof *place), least[3] = {0}, most[3] = {0};
    const double origin[3] = {0};
    s->children = sn__alloc(n, sizeof *s->children);
    s->tip = sn__alloc(n, sizeof *s->tip);
    s->trunk = sn__alloc(n, sizeof *s->trunk);
    if (!place || !s->children || !s->tip || !s->trunk) {
        sn__free(place);
        return false;
    }
    sn__clip_globals(s->def, origin, NULL, place, NULL);
    for (int i = 0; i < s->def->njoint; i++) {
        s->tip[i] = is_tip(s->def, i);
        if (i > 0 && !s->tip[i]) s->children[s->def->joint[i].parent]++;
        for (int k = 0; k < 3; k++)
            least[k] = fmin(least[k], place[3 * i + k]), most[k] = fmax(most[k], place[3 * i + k]);
    }
    for (int k = 0; k < 3; k++)
        s->stature = fmax(s->stature, most[k] - least[k]);
    /* Children come later: a bone is of the trunk when its joint branches, or when one of the trunk hangs on it. A hand
       branches too, but its bones are small. */
    for (int i = s->def->njoint - 1; i > 0; i--) {
        const int parent = s->def->joint[i].parent;
        bool near = dvec_length(place + 3 * i) < 0.4 * s->stature;
        s->trunk[i] = near && (s->trunk[i] || s->children[i] > 1);
        if (s->trunk[i]) s->trunk[parent] = true;
    }
    sn__free(place);
    return true;
}

static void free_survey(struct frame_of_skeleton *s) {
    sn__free(s->children);
    sn__free(s->tip);
    sn__free(s->trunk);
}

/* The bone that ends at the joint, as a shape of the parent's body. False: too short to be one. */
static bool bone_shape(const struct frame_of_skeleton *s, int joint, sn_shape_def *shape) {
    const double *offset = s->def->joint[joint].offset, length = dvec_length(offset);
    if (!(length > 1e-3 * s->stature) || !(length > 1e-6)) return false;
    const double radius = s->trunk[joint] ? 0.055 * s->stature : 0.12 * length;
    double along[3];
    *shape = sn_shape_def_default(2 * radius < 0.98 * length ? SN_SHAPE_CAPSULE : SN_SHAPE_SPHERE);
    shape->size[0] = radius;
    if (shape->type == SN_SHAPE_CAPSULE) shape->size[1] = 0.5 * length - radius;
    for (int k = 0; k < 3; k++)
        shape->pos[k] = 0.5 * offset[k], along[k] = offset[k] / length;
    dquat_from_z(along, shape->rot);
    return true;
}

static double volume_of(const sn_shape_def *shape) {
    const double r = shape->size[0];
    return M_PI * r * r * (4.0 / 3 * r + 2 * shape->size[1]);
}

/* A body without a bone still needs a mass. */
static sn_shape_def lump(const struct frame_of_skeleton *s) {
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = s->stature > 1e-6 ? 0.01 * s->stature : 0.1;
    return shape;
}

/* All shapes: how much they take, or, with a builder, added to it. */
static double go_over_shapes(const struct frame_of_skeleton *s, double density, sn_builder *builder) {
    double volume = 0;
    for (int i = 0; i < s->def->njoint; i++) {
        sn_shape_def shape;
        int bones = 0;
        if (s->tip[i]) continue;
        for (int j = i + 1; j <= s->def->njoint; j++) {
            if (j == s->def->njoint) { /* the end: was there any? */
                if (bones > 0) break;
                shape = lump(s);
            } else if (s->def->joint[j].parent != i || !bone_shape(s, j, &shape)) {
                continue;
            }
            bones++;
            volume += volume_of(&shape);
            shape.density = density;
            if (builder) sn_builder_add_shape(builder, s->def->joint[i].name, &shape);
        }
    }
    return volume;
}

sn_model *sn_clip_build_model(const sn_clip *clip, double total_mass, sn_error *error) {
    if (!clip || !(total_mass > 0) || !isfinite(total_mass)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no clip, or the mass is not above 0");
        return NULL;
    }
    struct frame_of_skeleton s = {.def = &clip->def};
    sn_builder *builder = sn_builder_create();
    sn_model *model = NULL;
    if (builder && survey(&s)) {
        for (int i = 0; i < s.def->njoint; i++) {
            const sn_clip_joint *joint = &s.def->joint[i];
            if (s.tip[i]) continue;
            sn_body_def body = sn_body_def_default();
            body.name = joint->name;
            body.parent = i > 0 ? s.def->joint[joint->parent].name : NULL;
            if (i > 0) memcpy(body.pos, joint->offset, sizeof body.pos);
            body.joint = sn_joint_def_default(i > 0 ? SN_JOINT_BALL : SN_JOINT_FREE);
            sn_builder_add_body(builder, &body);
        }
        go_over_shapes(&s, total_mass / go_over_shapes(&s, 1, NULL), builder);
        model = sn_builder_build(builder, error);
    } else {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    }
    free_survey(&s);
    sn_builder_free(builder);
    return model;
}
