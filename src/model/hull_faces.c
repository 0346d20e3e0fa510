/* From the largest triangle on, each face floods over all triangles beside it that lie in its plane; its border is where
 * the flood ends. */
#include "model/hull_faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"

struct side {
    int from, to, triangle;
};

struct flat {
    double normal[3], area, height; /* height: over its longest side */
};

struct ranked {
    double area;
    int triangle;
};

struct join {
    const double (*vertex)[3];
    const int (*triangle)[3];
    int nvertex, n;
    double level;
    struct side *side;    /* [3 n] in order of from and to */
    struct flat *flat;    /* [n] */
    struct ranked *order; /* [n] by area */
    int *region;          /* [n] the face it belongs to, -1: none yet */
    int *stack, *next;    /* [n]; [nvertex] the next corner of the current border, -1 */
    int *count;           /* [nvertex] faces around it */
};

static int compare_sides(const void *one, const void *two) {
    const struct side *a = one, *b = two;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static int beside(const struct join *j, int from, int to) {
    const struct side key = {to, from, 0};
    const struct side *found = bsearch(&key, j->side, 3 * (size_t)j->n, sizeof key, compare_sides);
    return found ? found->triangle : -1;
}

static struct flat flat_of(const struct join *j, int t) {
    const double *p[3];
    double u[3][3], longest = 0;
    struct flat f;
    for (int i = 0; i < 3; i++)
        p[i] = j->vertex[j->triangle[t][i]];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            u[i][k] = p[(i + 1) % 3][k] - p[i][k];
        longest = fmax(longest, dvec_length(u[i]));
    }
    dvec_cross(u[0], u[1], f.normal);
    f.area = dvec_length(f.normal);
    f.height = longest > 0 ? f.area / longest : 0;
    dvec_normalise(f.normal);
    return f;
}

/* Does triangle t lie in the plane of the seed? A splinter has no normal worth asking. */
static bool is_level(const struct join *j, int seed, int t) {
    const struct flat *f = &j->flat[seed];
    const double *o = j->vertex[j->triangle[seed][0]];
    if (j->flat[t].height > 10 * j->level && !(dvec_dot(f->normal, j->flat[t].normal) > 0.9)) return false;
    for (int i = 0; i < 3; i++) {
        const double *p = j->vertex[j->triangle[t][i]];
        const double d[3] = {p[0] - o[0], p[1] - o[1], p[2] - o[2]};
        if (fabs(dvec_dot(f->normal, d)) > j->level) return false;
    }
    return true;
}

/* All triangles of the face, on the stack; how many. */
static int flood(struct join *j, int seed, int face) {
    int n = 1;
    j->stack[0] = seed;
    j->region[seed] = face;
    for (int i = 0; i < n; i++) {
        const int *corner = j->triangle[j->stack[i]];
        for (int k = 0; k < 3; k++) {
            const int other = beside(j, corner[k], corner[(k + 1) % 3]);
            if (other < 0 || j->region[other] >= 0 || !is_level(j, seed, other)) continue;
            j->region[other] = face;
            j->stack[n++] = other;
        }
    }
    return n;
}

/* Writes the border of n triangles on the stack, once around; how many corners, or 0 where it is not one loop. */
static int border(struct join *j, int n, int face, int *corner) {
    int sides = 0, start = -1, length = 0;
    bool simple = true;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const int from = j->triangle[j->stack[i]][k], to = j->triangle[j->stack[i]][(k + 1) % 3];
            const int other = beside(j, from, to);
            if (other >= 0 && j->region[other] == face) continue;
            simple = simple && j->next[from] < 0;
            j->next[from] = to;
            start = start < 0 || from < start ? from : start;
            sides++;
        }
    for (int at = start; simple && at >= 0 && length < sides; at = j->next[at]) {
        corner[length++] = at;
        if (j->next[at] == start) break;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            j->next[j->triangle[j->stack[i]][k]] = -1;
    return simple && length == sides ? length : 0;
}

static void make_faces(struct join *j, struct sn__hull_faces *faces) {
    for (int i = 0; i < j->n; i++) {
        const int seed = j->order[i].triangle, face = faces->nface;
        if (j->region[seed] >= 0) continue;
        int *corner = faces->corner + faces->first[face];
        const int n = flood(j, seed, face);
        int length = border(j, n, face, corner);
        if (length < 3) { /* the seed alone */
            for (int k = 1; k < n; k++)
                j->region[j->stack[k]] = -1;
            memcpy(corner, j->triangle[seed], 3 * sizeof *corner);
            length = 3;
        }
        faces->first[++faces->nface] = faces->first[face] + length;
    }
}

/* A vertex between two faces only lies on the edge between them. */
static void drop_needless(struct join *j, struct sn__hull_faces *faces) {
    for (int i = 0; i < faces->first[faces->nface]; i++)
        j->count[faces->corner[i]]++;
    for (int f = 0; f < faces->nface; f++) {
        int needed = 0;
        for (int i = faces->first[f]; i < faces->first[f + 1]; i++)
            needed += j->count[faces->corner[i]] > 2;
        for (int i = faces->first[f]; i < faces->first[f + 1] && needed < 3; i++)
            j->count[faces->corner[i]] += 3;
    }
    int n = 0, begin = 0;
    for (int f = 0; f < faces->nface; f++) {
        const int end = faces->first[f + 1];
        for (int i = begin; i < end; i++)
            if (j->count[faces->corner[i]] > 2) faces->corner[n++] = faces->corner[i];
        begin = end;
        faces->first[f + 1] = n;
    }
}

static int compare_areas(const void *one, const void *two) {
    const struct ranked *a = one, *b = two;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void prepare(struct join *j) {
    for (int t = 0; t < j->n; t++) {
        for (int k = 0; k < 3; k++)
            j->side[3 * t + k] = (struct side){j->triangle[t][k], j->triangle[t][(k + 1) % 3], t};
        j->flat[t] = flat_of(j, t);
        j->order[t] = (struct ranked){j->flat[t].area, t};
        j->region[t] = -1;
    }
    for (int i = 0; i < j->nvertex; i++)
        j->next[i] = -1;
    qsort(j->side, 3 * (size_t)j->n, sizeof *j->side, compare_sides);
    qsort(j->order, (size_t)j->n, sizeof *j->order, compare_areas);
}

bool sn__hull_join(const double (*vertex)[3], int nvertex, const int (*triangle)[3], int n, double level,
                   struct sn__hull_faces *faces) {
    const size_t room = (size_t)n, vertices = (size_t)nvertex;
    struct join j = {.vertex = vertex, .triangle = triangle, .nvertex = nvertex, .n = n, .level = level};
    j.side = sn__alloc(3 * room, sizeof *j.side);
    j.flat = sn__alloc(room, sizeof *j.flat);
    j.order = sn__alloc(room, sizeof *j.order);
    j.region = sn__alloc(room, sizeof *j.region);
    j.stack = sn__alloc(room, sizeof *j.stack);
    j.next = sn__alloc(vertices, sizeof *j.next);
    j.count = sn__alloc(vertices, sizeof *j.count);
    *faces = (struct sn__hull_faces){.first = sn__alloc(room + 1, sizeof *faces->first),
                                     .corner = sn__alloc(3 * room, sizeof *faces->corner)};
    const bool good = j.side && j.flat && j.order && j.region && j.stack && j.next && j.count &&
                      faces->first && faces->corner;
    if (good) {
        prepare(&j);
        make_faces(&j, faces);
        drop_needless(&j, faces);
    }
    sn__free_all(j.side, j.flat, j.order, j.region, j.stack, j.next, j.count);
    if (good) return true;
    sn__free_all(faces->first, faces->corner);
    *faces = (struct sn__hull_faces){0};
    return false;
}
