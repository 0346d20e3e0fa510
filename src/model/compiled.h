/* The tree in the form the kernels read, once for each precision.
 *
 * A kernel's frame for a body has the body's axes but stands at the joint: its origin is the joint's
 * anchor, the one point that parent and child share. Offsets, first moments and inertias below are about
 * that origin. */
#ifndef SINEW_MODEL_COMPILED_H
#define SINEW_MODEL_COMPILED_H

#include <stdint.h>

/* The values of sn_joint_type, which the kernels do not see: compile.c checks that they agree. */
enum sn__joint_type {
    SN__JOINT_WELD,
    SN__JOINT_HINGE,
    SN__JOINT_SLIDE,
    SN__JOINT_UNIVERSAL,
    SN__JOINT_BALL,
    SN__JOINT_FREE,
    SN__JOINT_TYPES
};

/* One visit of the depth-first walk: entering a body (pass 1) or leaving it (pass 2). */
struct tree_visit {
    int32_t body;
    int32_t leaving; /* 0 entering, 1 leaving */
};

#define TREE_ELEM double
#define TREE_NAME(x) x##_f64
#include "model/compiled_tree.h"
#undef TREE_ELEM
#undef TREE_NAME

#define TREE_ELEM float
#define TREE_NAME(x) x##_f32
#include "model/compiled_tree.h"
#undef TREE_ELEM
#undef TREE_NAME

#endif
