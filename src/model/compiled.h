/* The tree in the form the kernels read, once for each precision.
 *
 * A kernel's frame for a body has the body's axes but stands at the joint: its origin is the joint's
 * anchor, the one point that parent and child share. Offsets, first moments and inertias below are about
 * that origin. */
#ifndef SINEW_MODEL_COMPILED_H
#define SINEW_MODEL_COMPILED_H

#include <stdint.h>

#include "base/shared.h"

/* How a joint moves its body in its parent, as the kernels tell joints apart. */
enum sn__joint {
    SN__JOINT_AXES, /* up to three axes, one after the other; none: a weld. All that slide come before all that turn */
    SN__JOINT_HINGE, /* one axis that turns: the fast path */
    SN__JOINT_BALL,
    SN__JOINT_FREE
};

/* What an axis does for a unit of its coordinate. */
enum sn__axis_way {
    SN__TURNS,  /* turns the body about the axis, which passes through the origin */
    SN__SLIDES, /* moves it along the axis, which is fixed in the parent */
    SN__SCREWS  /* turns it, and moves it along the axis by a pitch: alone in its joint */
};

/* One visit of the depth-first walk: entering a body (pass 1) or leaving it (pass 2). */
struct tree_visit {
    int32_t body;
    int32_t leaving; /* 0 entering, 1 leaving */
};

#ifndef SN__DEVICE
#define TREE_ELEM double
#define TREE_NAME(x) x##_f64
#include "model/compiled_tree.h"
#undef TREE_ELEM
#undef TREE_NAME
#endif

#define TREE_ELEM float
#define TREE_NAME(x) x##_f32
#include "model/compiled_tree.h"
#undef TREE_ELEM
#undef TREE_NAME

#endif
