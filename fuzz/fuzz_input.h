/* Bytes as a program of calls: numbers from sensible to absurd, and small models for worlds. */
#ifndef SINEW_FUZZ_INPUT_H
#define SINEW_FUZZ_INPUT_H

#include "fuzz_helpers.h"

#include <math.h>

struct input {
    const uint8_t *data;
    size_t size;
    bool wild; /* it has had numbers no physics has */
};

static inline uint8_t take(struct input *in) {
    if (!in->size) return 0;
    in->size--;
    return *in->data++;
}

/* Mostly a small number; now and then one from the edges, or any eight bytes. */
static inline double any_number(struct input *in) {
    static const double edge[] = {NAN,    INFINITY, -INFINITY, 1e308, -1e308, 1e150, -1e150,
                                  1e40,   -1e40,    1e15,      -1e15, 1e6,    -1e6,  1e-6,
                                  1e-160, 1e-320,   0,         -0.0,  1,      -1};
    const uint8_t kind = take(in);
    if (kind < 200) return ((double)kind - 100) / 50;
    if (kind < 240) return edge[(kind - 200) % (int)(sizeof edge / sizeof *edge)];
    if (kind < 250) return (double)(int8_t)take(in);
    double x;
    uint8_t byte[sizeof x];
    for (size_t i = 0; i < sizeof x; i++)
        byte[i] = take(in);
    memcpy(&x, byte, sizeof x);
    return x;
}

static inline double number(struct input *in) {
    const double x = any_number(in);
    if (!(fabs(x) <= 1e6) || (x != 0 && fabs(x) < 1e-6)) in->wild = true;
    return x;
}

static inline void numbers(struct input *in, double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = number(in);
}

/* Mostly what is usual. */
static inline double usual_or_any(struct input *in, double usual) {
    return take(in) < 224 ? usual : number(in);
}

static inline bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------- models */

enum { MODELS = 4, MOST_VALUES = 32 }; /* no field of these models is longer */

static const sn_joint_type chain[MODELS][3] = {{SN_JOINT_FREE, SN_JOINT_WELD, SN_JOINT_WELD},
                                               {SN_JOINT_FREE, SN_JOINT_BALL, SN_JOINT_WELD},
                                               {SN_JOINT_FREE, SN_JOINT_HINGE, SN_JOINT_UNIVERSAL},
                                               {SN_JOINT_BALL, SN_JOINT_SLIDE, SN_JOINT_WELD}};

static inline sn_model *make_model(int which) {
    static const char *const name[] = {"a", "b", "c"};
    static const int length[MODELS] = {1, 2, 3, 2};
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < length[which]; i++) {
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default((sn_shape_type)((which + i) % SN_SHAPE_HULL));
        shape.size[0] = 0.1, shape.size[1] = 0.12, shape.size[2] = 0.08;
        sn_hull *hull = NULL;
        if (which == 1 && i == 1) { /* a wedge */
            static const double point[] = {-0.1, -0.1, -0.1, 0.1, -0.1, -0.1, 0.1,  0.1, -0.1,
                                           -0.1, 0.1,  -0.1, 0,   -0.1, 0.1,  0.02, 0.1, 0.1};
            MUST(hull = sn_hull_create(point, 6, 0, NULL));
            shape = sn_shape_def_default(SN_SHAPE_HULL);
            shape.hull = hull;
        }
        shape.restitution = which == 0 ? 0.5 : 0;
        body.name = name[i];
        body.parent = i ? name[i - 1] : NULL;
        body.joint = sn_joint_def_default(chain[which][i]);
        body.joint.limited =
            which > 0 && chain[which][i] != SN_JOINT_FREE && chain[which][i] != SN_JOINT_WELD;
        for (int k = 0; k < 2; k++)
            body.joint.lower[k] = -0.3, body.joint.upper[k] = 0.4;
        if (which == 2 && i == 1) body.joint.torque_limit = 5, body.joint.stiffness = 2;
        if (i) body.joint.anchor[2] = -0.1, body.pos[2] = 0.2;
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, name[i], &shape);
        sn_hull_free(hull);
    }
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fprintf(stderr, "%s\n", error.message);
    MUST(model);
    sn_builder_free(builder);
    return model;
}

/* Made once and kept, as worlds need it. */
static inline const sn_model *model_of(int which) {
    static sn_model *model[MODELS];
    if (!model[which]) model[which] = make_model(which);
    return model[which];
}

#endif
