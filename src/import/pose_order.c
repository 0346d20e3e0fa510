/* Files of bare numbers do not say whether a quaternion is (w, x, y, z) or (x, y, z, w). How fast things turn does not tell,
 * either: |q1 - q0| is the same in both. What tells is the ground. Somebody who walks, crawls or stands on their hands keeps
 * the lowest point of the body in one place while it bears, and at one height; read in the wrong order, it slides and bobs.
 * Besides, the floor of such files is near z = 0, bodies are upright more often than not, and ball joints are nearer to
 * rest than to half a turn from it.
 *
 * Each measure m counts as m / (m + least + small), where least is the smallest among the readings: 1/2 at most for the best
 * one, near 1 for one that is far worse, whatever the size and speed of the character. */
#include "import/pose_order.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/shape.h"
#include "model/place.h"
#include "model/joint.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKS = 256, MOST_POINTS = 4096 };

/* ---------------------------------------------------------------------------------------------------- reordering */

/* Where the quaternion of a joint starts in its values, -1: none. */
static int quaternion_at(const sn_body_info *body) {
    return sn__joint_quaternion(body);
}

static void turn_up(double v[3]) {
    const double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

void sn__pose_reorder(const sn_model *model, int n, double *q, struct sn__pose_reading reading) {
    const size_t nq = (size_t)sn_model_get(model)->nq;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        const int at = quaternion_at(body);
        for (int k = 0; k < n && at >= 0; k++) {
            double *own = q + (size_t)k * nq + body->q_index, *turn = own + at;
            if (reading.w_last) {
                const double w = turn[3];
                memmove(turn + 1, turn, 3 * sizeof *turn);
                turn[0] = w;
            }
            if (reading.y_up) turn_up(turn + 1);
            if (reading.y_up && at == 3) turn_up(own);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------- points */

/* A ball fixed to a body: its centre in the body's axes and its radius. */
struct point {
    int body;
    double at[3], radius;
};

/* All points so far, and the body whose shapes are being added. */
struct points {
    struct point *point;
    int count, body;
};

static void add_point(struct points *points, const sn_shape_def *shape, const double local[3],
                      double radius) {
    if (points->count >= MOST_POINTS) return;
    struct point *p = &points->point[points->count++];
    p->body = points->body;
    p->radius = radius;
    dquat_rotate(shape->rot, local, p->at);
    for (int k = 0; k < 3; k++)
        p->at[k] += shape->pos[k];
}

/* The ends of the core of what is rounded, the vertices of a hull, or corners of the box around other shapes, moved in to where
   the surface is. */
static void add_shape(struct points *points, const sn_shape_def *shape) {
    const struct sn__shape_kind *kind = &sn__shape_kinds[shape->type];
    const double radius = kind->rounded ? shape->size[0] : 0;
    if (!kind->support) {
        for (int i = 0; i < sn_hull_get(shape->hull)->nvertex; i++)
            add_point(points, shape, sn_hull_get(shape->hull)->vertex[i], 0);
        return;
    }
    const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double half[3], corner[3];
    for (int k = 0; k < 3; k++)
        half[k] = kind->corner * (kind->support(shape->size, axis[k]) - radius);
    for (int i = 0; i < 8; i++) {
        bool again = false; /* a corner that is there already: the box is flat */
        for (int k = 0; k < 3; k++) {
            corner[k] = i >> k & 1 ? -half[k] : half[k];
            again |= half[k] == 0 && i >> k & 1;
        }
        if (!again) add_point(points, shape, corner, radius);
    }
}

/* Points of all shapes; of bodies without any, where no body of the model has one. */
static int find_points(const sn_model *model, struct point *point) {
    struct points points = {.point = point};
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        points.body = i;
        for (int s = 0; s < body->nshape; s++)
            add_shape(&points, (&sn_model_get(model)->shape[body->first_shape + s]));
    }
    for (int i = 0; i < sn_model_get(model)->nbody && i < MOST_POINTS && sn_model_get(model)->nshape == 0;
         i++)
        point[points.count++] = (struct point){.body = i};
    return points.count;
}

static void place_of(const struct point *p, const double *pos, const double *rot, double x[3]) {
    dquat_rotate(rot + 4 * (size_t)p->body, p->at, x);
    for (int k = 0; k < 3; k++)
        x[k] += pos[3 * (size_t)p->body + (size_t)k];
}

/* ------------------------------------------------------------------------------------------------------- looking */

struct survey {
    const sn_model *model;
    struct point *point;
    double *pos, *rot, *unit; /* of the bodies at the current pose, and that pose with unit quaternions */
    int npoint;
    double up[3]; /* of the root in the zero pose */
};

static void set_pose(const struct survey *s, const double *q) {
    memcpy(s->unit, q, (size_t)sn_model_get(s->model)->nq * sizeof *q);
    for (int i = 0; i < sn_model_get(s->model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(s->model, i);
        const int at = quaternion_at(body);
        if (at >= 0 && !dquat_normalise(s->unit + body->q_index + at))
            dquat_identity(s->unit + body->q_index + at);
    }
    sn__pose_globals(s->model, s->unit, s->pos, s->rot);
}

static bool is_leaf(const sn_model *model, int body) {
    for (int i = body + 1; i < sn_model_get(model)->nbody; i++)
        if (sn_model_body(model, i)->parent == body) return false;
    return true;
}

/* Where all limbs go to one side of the root, as the legs of an animal do, up is the other one; else it is z. */
static void find_up(struct survey *s) {
    double mean[3] = {0}, furthest = 0;
    int count = 0;
    sn_model_zero_pose(s->model, s->unit);
    sn__pose_globals(s->model, s->unit, s->pos, s->rot);
    for (int i = 1; i < sn_model_get(s->model)->nbody; i++) {
        double from[3];
        if (!is_leaf(s->model, i)) continue;
        for (int k = 0; k < 3; k++)
            from[k] = s->pos[3 * i + k] - s->pos[k], mean[k] += from[k];
        furthest = fmax(furthest, dvec_length(from));
        count++;
    }
    s->up[0] = s->up[1] = 0, s->up[2] = 1;
    for (int k = 0; k < 3 && count > 0; k++)
        if (fabs(mean[k] / count) > 0.45 * furthest) {
            s->up[2] = 0;
            s->up[k] = mean[k] > 0 ? -1 : 1;
            break;
        }
}

/* 1 - w^2 of the unit quaternion: 0 at rest, 1 at half a turn. */
static void add_turns(const struct survey *s, struct sn__pose_look *look) {
    double sum[2] = {0};
    int count[2] = {0};
    for (int i = 0; i < sn_model_get(s->model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(s->model, i);
        const int at = quaternion_at(body);
        if (at < 0) continue;
        const double w = s->unit[body->q_index + at];
        sum[at == 3] += 1 - w * w;
        count[at == 3]++;
    }
    if (count[0] > 0) look->bent += sum[0] / count[0];
    if (count[1] > 0) look->turned += sum[1] / count[1];
}

/* The lowest point at this pose, where it is, and its height. */
static int find_lowest(const struct survey *s, double place[3], double *height) {
    int lowest = -1;
    *height = 0;
    for (int i = 0; i < s->npoint; i++) {
        double x[3];
        place_of(&s->point[i], s->pos, s->rot, x);
        if (lowest >= 0 && x[2] - s->point[i].radius >= *height) continue;
        lowest = i;
        *height = x[2] - s->point[i].radius;
        memcpy(place, x, sizeof x);
    }
    return lowest;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void look_at(struct survey *s, int n, const double *time, const double *q,
                    struct sn__pose_look *look) {
    const size_t nq = (size_t)sn_model_get(s->model)->nq;
    const int count = n < LOOKS ? n : LOOKS;
    double height[LOOKS];
    int pairs = 0;
    for (int i = 0; i < count; i++) {
        const int k = (int)((long long)i * n / count);
        double before[3] = {0}, after[3], up[3];
        set_pose(s, q + (size_t)k * nq);
        dquat_rotate(s->rot, s->up, up);
        look->upright += up[2] / count;
        add_turns(s, look);
        const int lowest = find_lowest(s, before, &height[i]);
        if (k + 1 >= n || lowest < 0 || !(time[k + 1] > time[k])) continue;
        set_pose(s, q + (size_t)(k + 1) * nq);
        place_of(&s->point[lowest], s->pos, s->rot, after);
        for (int c = 0; c < 3; c++)
            after[c] -= before[c];
        look->slip += fmin(3, dvec_length(after) / (time[k + 1] - time[k]));
        pairs++;
    }
    look->bent /= count, look->turned /= count;
    if (pairs > 0) look->slip /= pairs;
    qsort(height, (size_t)count, sizeof *height, by_size);
    look->spread = height[count * 9 / 10] - height[count / 10];
    look->off = fabs(height[count / 2]);
}

bool sn__pose_look(const sn_model *model, int n, const double *time, const double *q,
                   struct sn__pose_look *look) {
    const size_t nbody = (size_t)sn_model_get(model)->nbody;
    struct survey s = {.model = model};
    *look = (struct sn__pose_look){0};
    s.point = sn__alloc(MOST_POINTS, sizeof *s.point);
    s.pos = sn__alloc(nbody, 3 * sizeof *s.pos);
    s.rot = sn__alloc(nbody, 4 * sizeof *s.rot);
    s.unit = sn__alloc((size_t)sn_model_get(model)->nq + 1, sizeof *s.unit);
    const bool good = s.point && s.pos && s.rot && s.unit;
    if (good && n > 0) {
        s.npoint = find_points(model, s.point);
        find_up(&s);
        look_at(&s, n, time, q, look);
    }
    sn__free_all(s.point, s.pos, s.rot, s.unit);
    return good;
}

/* ------------------------------------------------------------------------------------------------------ choosing */

enum { MOST_READINGS = 4 };

static double against(double m, double least, double small) {
    return m / (m + least + small);
}

/* Weights: what the ground says counts most; joints bent by half a turn are out of the question. */
static void weigh(const struct sn__pose_look *look, int count, double *cost) {
    struct sn__pose_look least = look[0];
    for (int i = 1; i < count; i++) {
        least.slip = fmin(least.slip, look[i].slip);
        least.spread = fmin(least.spread, look[i].spread);
        least.off = fmin(least.off, look[i].off);
    }
    for (int i = 0; i < count; i++)
        cost[i] = against(look[i].slip, least.slip, 0.02) +
                  0.5 * against(look[i].spread, least.spread, 0.01) +
                  0.4 * against(look[i].off, least.off, 0.05) + 0.3 * (1 - look[i].upright) / 2 +
                  2 * look[i].bent + 0.1 * look[i].turned;
}

int sn__pose_choose(const sn_model *model, int n, const double *time, const double *q,
                    const struct sn__pose_reading *reading, int nreading, double *margin) {
    const size_t size = (size_t)n * (size_t)sn_model_get(model)->nq;
    struct sn__pose_look look[MOST_READINGS];
    double cost[MOST_READINGS], *copy = sn__alloc(size, sizeof *copy);
    bool good = copy != NULL && nreading <= MOST_READINGS;
    int best = 0;
    for (int i = 0; i < nreading && good; i++) {
        memcpy(copy, q, size * sizeof *copy);
        sn__pose_reorder(model, n, copy, reading[i]);
        good = sn__pose_look(model, n, time, copy, &look[i]);
    }
    sn__free(copy);
    if (!good) return -1;
    weigh(look, nreading, cost);
    for (int i = 1; i < nreading; i++)
        if (cost[i] < cost[best]) best = i;
    *margin = INFINITY;
    for (int i = 0; i < nreading; i++)
        if (i != best) *margin = fmin(*margin, cost[i] - cost[best]);
    return best;
}
