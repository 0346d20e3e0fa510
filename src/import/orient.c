/* Which way is up, and how large, from how the skeleton moves.
 *
 * Up      people and animals stand on their feet: over all frames the mean of the unit vectors from the feet (joints called
 *         foot, ankle, toe) to the root points up, or that from the feet to the head where legs are drawn in. An axis is
 *         taken when at least 0.8 of the mean lies along it. The rest pose is asked in the same way, and counts when feet
 *         and head are on different sides of the root; it may have another up axis than the motion.
 *         Where the two differ, either the rest pose has other axes or somebody lies down. Then the floor decides: along
 *         the axis that is up the lowest joint of each frame is always near 0. A few frames say nothing about that: then
 *         the rest pose is believed.
 *         Without feet the floor decides between Y and Z; Y, when that leaves it open.
 * Unit    from the stature, the way along the bones from the feet to the head, the mean over all feet (without such
 *         names: the extent of the rest pose, or 1.85 times the root's first height where that is more):
 *         below 4 metres, below 20 decimetres, below 36 inches / 0.45 (as CMU writes), below 80 inches, below 400
 *         centimetres, else millimetres. */
#include "import/orient.h"

#include "base/memory.h"
#include "base/quat.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 200, FEW = 5, NO_AXIS = -1 };

struct survey {
    const struct clip_draft *draft;
    double *place, *turn; /* [njoint][3], [njoint][4] of the current pose */
    int head;             /* -1: none */
    bool *foot;           /* [njoint] */
    int feet, looks;
    double from_feet[3], to_head[3];       /* sums of unit vectors: feet to root, feet to head */
    double floor[3][LOOKS], top[3][LOOKS]; /* along each axis the least and the greatest of each frame */
};

/* --------------------------------------------------------------------------------------------------- names */

static bool is_foot(const char *name) {
    return sn__name_has(name, "foot") || sn__name_has(name, "ankle") || sn__name_has(name, "toe");
}

/* --------------------------------------------------------------------------------------------------- poses */

static void set_pose(struct survey *s, int frame) {
    const struct clip_draft *d = s->draft;
    const double origin[3] = {0}, identity[4] = {1, 0, 0, 0};
    for (int i = 0; i < d->njoint; i++) {
        const int parent = d->parent[i];
        const double *before = parent < 0 ? identity : s->turn + 4 * parent;
        const double *base = parent < 0 ? origin : s->place + 3 * parent;
        double arm[3] = {0};
        if (parent >= 0) dquat_rotate(before, d->offset + 3 * (size_t)i, arm);
        for (int k = 0; k < 3; k++)
            s->place[3 * i + k] = base[k] + arm[k];
        dquat_multiply(before, frame < 0 ? identity : sn__draft_rotation(d, frame, i), s->turn + 4 * i);
    }
}

/* Vectors from the middle of the feet to the root and to the head; false: there are no feet. */
static bool find_stance(const struct survey *s, double to_root[3], double to_head[3]) {
    double feet[3] = {0};
    if (s->feet == 0) return false;
    for (int i = 0; i < s->draft->njoint; i++)
        for (int k = 0; k < 3 && s->foot[i]; k++)
            feet[k] += s->place[3 * i + k] / s->feet;
    for (int k = 0; k < 3; k++) {
        to_root[k] = s->place[k] - feet[k];
        to_head[k] = s->head >= 0 ? s->place[3 * s->head + k] - feet[k] : 0;
    }
    return true;
}

static void add_unit(const double v[3], double sum[3]) {
    double unit[3] = {v[0], v[1], v[2]};
    if (dvec_normalise(unit))
        for (int k = 0; k < 3; k++)
            sum[k] += unit[k];
}

static void look(struct survey *s, int frame) {
    double to_root[3], to_head[3];
    set_pose(s, frame);
    if (find_stance(s, to_root, to_head)) {
        add_unit(to_root, s->from_feet);
        if (s->head >= 0) add_unit(to_head, s->to_head);
    }
    for (int k = 0; k < 3; k++) {
        double least = s->place[k], most = least;
        for (int i = 1; i < s->draft->njoint; i++) {
            least = fmin(least, s->place[3 * i + k]);
            most = fmax(most, s->place[3 * i + k]);
        }
        const double root = s->draft->position[3 * (size_t)frame + (size_t)k];
        s->floor[k][s->looks] = root + least;
        s->top[k][s->looks] = -(root + most);
    }
    s->looks++;
}

/* ------------------------------------------------------------------------------------------------------- up */

/* The axis along which the vector lies to the share given, NO_AXIS: none. */
static int axis_along(const double v[3], double share, double least) {
    const double length = dvec_length(v);
    for (int k = 0; k < 3; k++)
        if (fabs(v[k]) > share * length && length > least) return v[k] > 0 ? k : k + 3;
    return NO_AXIS;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How far from 0, and how unsteady, the floor would be along this axis, against the stature. */
static double floor_off(const struct survey *s, int axis, double stature) {
    double sorted[LOOKS];
    memcpy(sorted, axis < 3 ? s->floor[axis] : s->top[axis - 3], (size_t)s->looks * sizeof *sorted);
    qsort(sorted, (size_t)s->looks, sizeof *sorted, by_size);
    const double middle = sorted[s->looks / 2], spread = sorted[s->looks * 9 / 10] - sorted[s->looks / 10];
    return (fabs(middle) + spread) / stature;
}

static int find_rest_up(struct survey *s) {
    double to_root[3], to_head[3];
    set_pose(s, -1);
    if (!find_stance(s, to_root, to_head)) return NO_AXIS;
    if (s->head < 0) return axis_along(to_root, 0.8, 0);
    /* an animal's head is ahead of its feet as much as above them, but its legs point down */
    const int below = axis_along(to_root, 0.9, 0);
    if (below >= 0 && sn__along(below, to_head) > 0.3 * dvec_length(to_head)) return below;
    const int axis = axis_along(to_head, 0.7, 0);
    if (axis < 0) return NO_AXIS;
    const double legs = sn__along(axis, to_root), trunk = sn__along(axis, to_head) - legs;
    return legs > 0 && trunk > 0 ? axis : axis_along(to_root, 0.8, 0);
}

static int find_motion_up(const struct survey *s) {
    const int legs = axis_along(s->from_feet, 0.8, 0.5 * s->looks);
    return legs >= 0 || s->head < 0 ? legs : axis_along(s->to_head, 0.8, 0.5 * s->looks);
}

static void choose_up(struct survey *s, struct orientation *o) {
    const int rest = find_rest_up(s), motion = find_motion_up(s);
    o->up = motion >= 0 ? motion : rest >= 0 ? rest : 1;
    snprintf(o->why, sizeof o->why, "%s",
             motion >= 0 ? "from the feet in motion"
             : rest >= 0 ? "from the rest pose"
                         : "as is usual");
    if (motion >= 0 && rest >= 0 && motion != rest) {
        const bool lies =
            s->looks < FEW || floor_off(s, rest, o->stature) <= floor_off(s, motion, o->stature);
        o->up = lies ? rest : motion;
        snprintf(o->why, sizeof o->why, "%s",
                 lies ? "from the rest pose and the floor" : "from the floor: the rest pose has another");
    }
    if (motion < 0 && rest < 0 && s->feet == 0 && s->looks > 1) {
        const double y = floor_off(s, 1, o->stature), z = floor_off(s, 2, o->stature);
        if (z < 0.1 && 4 * z < y) {
            o->up = 2;
            snprintf(o->why, sizeof o->why, "from the floor");
        }
    }
    o->rest_up = rest >= 0 ? rest : o->up;
}

/* ----------------------------------------------------------------------------------------------------- unit */

static double way_to_root(const struct clip_draft *draft, int joint) {
    double sum = 0;
    for (; joint > 0; joint = draft->parent[joint])
        sum += dvec_length(draft->offset + 3 * (size_t)joint);
    return sum;
}

/* The mean over feet proper; over toes where there are none but them. */
static double way_to_feet(const struct survey *s) {
    double sum[2] = {0};
    int count[2] = {0};
    for (int i = 1; i < s->draft->njoint; i++) {
        const char *name = s->draft->name[i];
        const size_t length = strlen(name);
        if (!s->foot[i] || (length > 4 && strcmp(name + length - 4, "_end") == 0)) continue;
        const int toe = !sn__name_has(name, "foot") && !sn__name_has(name, "ankle");
        sum[toe] += way_to_root(s->draft, i);
        count[toe]++;
    }
    return count[0] ? sum[0] / count[0] : count[1] ? sum[1] / count[1] : 0;
}

static double find_stature(struct survey *s) {
    const double legs = way_to_feet(s), first = s->draft->nframe > 0 ? fabs(s->draft->position[1]) : 0;
    if (s->head > 0 && legs > 0) return way_to_root(s->draft, s->head) + legs;
    double least[3] = {0}, most[3] = {0}, extent = 0;
    set_pose(s, -1);
    for (int i = 0; i < s->draft->njoint; i++)
        for (int k = 0; k < 3; k++) {
            least[k] = fmin(least[k], s->place[3 * i + k]);
            most[k] = fmax(most[k], s->place[3 * i + k]);
        }
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, most[k] - least[k]);
    return extent > 0 ? extent : first;
}

static bool has_name(const struct clip_draft *draft, const char *part) {
    for (int i = 0; i < draft->njoint; i++)
        if (sn__name_has(draft->name[i], part)) return true;
    return false;
}

/* Skeletons of one family have one unit, small and large ones: CMU's are inches over 0.45 (LHipJoint and LowerBack are its own
   names), animals' are metres, decimetres or centimetres, however short their legs. 0: of no family that is known. */
static double unit_of_family(const struct clip_draft *draft, double stature) {
    if (has_name(draft, "lhipjoint") && has_name(draft, "lowerback") && stature > 12 && stature < 48)
        return 0.0254 / 0.45;
    if (has_name(draft, "tail") || has_name(draft, "horselink"))
        return stature < 4 ? 1 : stature < 15 ? 0.1 : stature < 400 ? 0.01 : 0.001;
    return 0;
}

static double unit_for(double stature) {
    static const struct {
        double below, metres;
    } unit[] = {{4, 1}, {20, 0.1}, {36, 0.0254 / 0.45}, {80, 0.0254}, {400, 0.01}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (stature < unit[i].below) return unit[i].metres;
    return 0.001;
}

/* --------------------------------------------------------------------------------------------------- in all */

bool sn__orient(const struct clip_draft *draft, struct orientation *found) {
    const size_t n = (size_t)draft->njoint;
    struct survey *s = sn__alloc(1, sizeof *s);
    bool good = s != NULL;
    if (good) {
        *s = (struct survey){.draft = draft, .head = -1};
        s->place = sn__alloc(n, 3 * sizeof *s->place);
        s->turn = sn__alloc(n, 4 * sizeof *s->turn);
        s->foot = sn__alloc(n, sizeof *s->foot);
        good = s->place && s->turn && s->foot;
    }
    if (good) {
        for (int i = 0; i < draft->njoint; i++) {
            s->foot[i] = is_foot(draft->name[i]);
            s->feet += s->foot[i];
            if (s->head < 0 && sn__name_has(draft->name[i], "head")) s->head = i;
        }
        const int count = draft->nframe < LOOKS ? draft->nframe : LOOKS;
        for (int i = 0; i < count; i++) /* not the first frame alone: it may be a pose apart */
            look(s, (int)((long long)(i + 1) * draft->nframe / count) - 1);
        found->stature = find_stature(s);
        choose_up(s, found);
        const double height = 1.85 * fabs(draft->position[found->up % 3]);
        if ((s->head <= 0 || s->feet == 0) && height > found->stature) found->stature = height;
        const double family = unit_of_family(draft, found->stature);
        found->metres = family > 0 ? family : unit_for(found->stature);
    }
    if (s) sn__free_all(s->place, s->turn, s->foot, s);
    return good;
}
