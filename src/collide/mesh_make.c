/* A mesh made ready for contacts: corners that coincide are joined, edges find their two triangles, and a tree of
 * boxes is laid over all.
 *
 * An edge stands out where its two triangles fall away from each other by more than a little, and at a border. Only
 * there can anything touch it: on smooth ground, and where the ground bends up, the faces beside it say all. So what
 * slides over many level triangles meets no inner edge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/mesh.h"
#include "collide/pairs.h"

enum { LEAF = 4 };                /* triangles, at most */
static const double LEVEL = 1e-6; /* slope up to which two triangles are one plane, */
static const double SMOOTH =
    0.0349; /* rad up to which their edge does not count: 2 degrees. Contacts err by 0.06 % */

/* ------------------------------------------------------------------------------------------------- corners */

/* A value that is sorted together with a number. */
struct keyed {
    double key[3];
    int32_t number;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Fills the mesh's vertices, each place once, and says for every vertex given which one it is. */
static bool join_vertices(struct sn__mesh *m, int n, const double (*vertex)[3], int32_t *which) {
    struct keyed *sorted = sn__alloc((size_t)n + 1, sizeof *sorted);
    if (!sorted) return false;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            sorted[i].key[k] = vertex[i][k] + 0.0; /* -0 is 0 */
        sorted[i].number = i;
    }
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    for (int i = 0; i < n; i++) {
        if (!i || memcmp(sorted[i].key, sorted[i - 1].key, sizeof sorted[i].key) != 0)
            memcpy(m->vertex[m->nvertex++], sorted[i].key, sizeof *m->vertex);
        which[sorted[i].number] = m->nvertex - 1;
    }
    sn__free(sorted);
    return true;
}

/* False: it has no area. */
static bool set_triangle(const struct sn__mesh *m, const int given[3], const int32_t *which,
                         struct sn__mesh_triangle *t) {
    double a[3], b[3];
    *t = (struct sn__mesh_triangle){.beside = {-1, -1, -1}};
    for (int k = 0; k < 3; k++)
        t->corner[k] = which[given[k]];
    difference(m->vertex[t->corner[1]], m->vertex[t->corner[0]], a);
    difference(m->vertex[t->corner[2]], m->vertex[t->corner[0]], b);
    dvec_cross(a, b, t->normal);
    const double area = dvec_length(t->normal), size = dvec_dot(a, a) + dvec_dot(b, b);
    return area > 1e-12 * size && dvec_normalise(t->normal);
}

/* ---------------------------------------------------------------------------------------------------- tree */

static double middle_of(const struct sn__mesh *m, int triangle, int axis) {
    const int32_t *c = m->triangle[triangle].corner;
    return m->vertex[c[0]][axis] + m->vertex[c[1]][axis] + m->vertex[c[2]][axis];
}

static struct sn__box box_of(const struct sn__mesh *m, int first, int count) {
    struct sn__box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = HUGE_VAL, box.max[k] = -HUGE_VAL;
        for (int i = first; i < first + count; i++)
            for (int c = 0; c < 3; c++) {
                const double x = m->vertex[m->triangle[i].corner[c]][k];
                box.min[k] = least(box.min[k], x), box.max[k] = most(box.max[k], x);
            }
    }
    return box;
}

static void swap_triangles(struct sn__mesh *m, int a, int b) {
    const struct sn__mesh_triangle t = m->triangle[a];
    m->triangle[a] = m->triangle[b];
    m->triangle[b] = t;
}

/* Hoare's selection: puts the triangle that stands in the middle by its place along the axis there, smaller ones before it. */
static void part_at(struct sn__mesh *m, int first, int last, int middle, int axis) {
    while (first < last) {
        const double pivot = middle_of(m, (first + last) / 2, axis);
        int i = first, j = last;
        while (i <= j) {
            while (middle_of(m, i, axis) < pivot)
                i++;
            while (middle_of(m, j, axis) > pivot)
                j--;
            if (i <= j) swap_triangles(m, i++, j--);
        }
        if (middle <= j)
            last = j;
        else if (middle >= i)
            first = i;
        else
            return;
    }
}

/* The nodes over some triangles, which it orders: halves along the widest side of their box. */
static void grow_tree(struct sn__mesh *m, int first, int count) {
    const int node = m->nnode++;
    struct sn__mesh_node *n = &m->node[node];
    n->box = box_of(m, first, count);
    n->first = first, n->count = count <= LEAF ? count : 0;
    if (count > LEAF) {
        int axis = 0;
        for (int k = 1; k < 3; k++)
            if (n->box.max[k] - n->box.min[k] > n->box.max[axis] - n->box.min[axis]) axis = k;
        const int half = count / 2;
        part_at(m, first, first + count - 1, first + half, axis);
        grow_tree(m, first, half);
        grow_tree(m, first + half, count - half);
    }
    n->next = m->nnode;
}

/* --------------------------------------------------------------------------------------------------- edges */

/* An edge as one of its triangles has it. */
struct half_edge {
    int32_t low, high; /* corners */
    int32_t triangle;
    uint8_t side;
};

static int by_corners(const void *a, const void *b) {
    const struct half_edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static void list_edges(const struct sn__mesh *m, struct half_edge *list) {
    for (int t = 0; t < m->ntriangle; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = m->triangle[t].corner[k], b = m->triangle[t].corner[(k + 1) % 3];
            *list++ = (struct half_edge){a < b ? a : b, a < b ? b : a, t, (uint8_t)k};
        }
}

/* How far the third corner of one triangle is above the plane of the other, as a slope. */
static double rise_beyond(const struct sn__mesh *m, const struct half_edge *own,
                          const struct half_edge *other) {
    const struct sn__mesh_triangle *t = &m->triangle[own->triangle], *o = &m->triangle[other->triangle];
    double d[3];
    difference(m->vertex[o->corner[(other->side + 2) % 3]], m->vertex[own->low], d);
    return dvec_dot(t->normal, d) / dvec_length(d);
}

/* The ways an edge is had by n triangles. Two that go round it in opposite directions are neighbours. */
static void join_edge(struct sn__mesh *m, const struct half_edge *e, int n) {
    struct sn__mesh_triangle *a = &m->triangle[e[0].triangle],
                             *b = n == 2 ? &m->triangle[e[1].triangle] : NULL;
    if (!b || a->corner[e[0].side] == b->corner[e[1].side]) { /* a border, or more than a surface */
        for (int i = 0; i < n; i++)
            m->triangle[e[i].triangle].edges |= (uint8_t)(1u << e[i].side),
                m->triangle[e[i].triangle].sharp |= (uint8_t)(1u << e[i].side);
        return;
    }
    a->beside[e[0].side] = e[1].triangle, b->beside[e[1].side] = e[0].triangle;
    const uint8_t own = (uint8_t)(1u << e[0].side), other = (uint8_t)(1u << e[1].side);
    if (rise_beyond(m, &e[0], &e[1]) > LEVEL)
        a->hollow |= own, b->hollow |= other;
    else if (dvec_dot(a->normal, b->normal) < sn__cos(SMOOTH))
        a->edges |= own, a->sharp |= own, b->sharp |= other;
}

/* Every corner that an edge standing out ends at belongs to one triangle. */
static void own_corners(struct sn__mesh *m, uint8_t *out) {
    for (int t = 0; t < m->ntriangle; t++)
        for (int k = 0; k < 3; k++)
            if (m->triangle[t].edges >> k & 1)
                out[m->triangle[t].corner[k]] = out[m->triangle[t].corner[(k + 1) % 3]] = 1;
    for (int t = 0; t < m->ntriangle; t++)
        for (int k = 0; k < 3; k++) {
            uint8_t *o = &out[m->triangle[t].corner[k]];
            if (*o == 1) m->triangle[t].corners |= (uint8_t)(1u << k), *o = 2;
        }
}

/* Which corners an edge leads to, from the sorted list of n different edges. */
static void list_neighbours(struct sn__mesh *m, const struct half_edge *e, int n) {
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            if (i && e[i].low == e[i - 1].low && e[i].high == e[i - 1].high) continue;
            if (pass)
                m->near[m->near_first[e[i].low]] = e[i].high, m->near[m->near_first[e[i].high]] = e[i].low;
            m->near_first[e[i].low]++, m->near_first[e[i].high]++;
        }
        /* counts become where each list starts; after the second pass each stands at its end, which is the next one's start */
        for (int v = m->nvertex; v > 0 && pass; v--)
            m->near_first[v] = m->near_first[v - 1];
        if (pass) m->near_first[0] = 0;
        for (int v = 0, sum = 0; v <= m->nvertex && !pass; v++) {
            const int count = m->near_first[v];
            m->near_first[v] = sum;
            sum += count;
        }
    }
}

static bool join_edges(struct sn__mesh *m) {
    const int n = 3 * m->ntriangle;
    struct half_edge *e = sn__alloc((size_t)n + 1, sizeof *e);
    uint8_t *out = sn__alloc((size_t)m->nvertex + 1, sizeof *out);
    if (e && out) {
        list_edges(m, e);
        qsort(e, (size_t)n, sizeof *e, by_corners);
        for (int i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && e[end].low == e[i].low && e[end].high == e[i].high;)
                end++;
            join_edge(m, e + i, end - i);
        }
        own_corners(m, out);
        list_neighbours(m, e, n);
    }
    const bool done = e && out;
    sn__free_all(e, out);
    return done;
}

/* ------------------------------------------------------------------------------------------------ the whole */

static void set_extent(struct sn__mesh *m) {
    const struct sn__box box = m->nnode ? m->node[0].box : (struct sn__box){{0}, {0}};
    double half[3];
    for (int k = 0; k < 3; k++) {
        m->centre[k] = 0.5 * (box.min[k] + box.max[k]);
        half[k] = 0.5 * (box.max[k] - box.min[k]);
    }
    m->reach = dvec_length(half);
}

static struct sn__mesh *reserve(int nvertex, int ntriangle) {
    struct sn__mesh *m = sn__alloc(1, sizeof *m);
    const size_t v = (size_t)nvertex + 1, t = (size_t)ntriangle + 1;
    if (!m) return NULL;
    m->vertex = sn__alloc(v, sizeof *m->vertex);
    m->triangle = sn__alloc(t, sizeof *m->triangle);
    m->node = sn__alloc(
        t, sizeof *m->node); /* halves of more than LEAF have more than one: fewer nodes than triangles */
    m->near_first = sn__alloc(v + 1, sizeof *m->near_first);
    m->near = sn__alloc(6 * t, sizeof *m->near);
    if (m->vertex && m->triangle && m->node && m->near_first && m->near) return m;
    sn__mesh_free(m);
    return NULL;
}

struct sn__mesh *sn__mesh_make(int nvertex, const double (*vertex)[3], int ntriangle,
                               const int (*triangle)[3]) {
    struct sn__mesh *m = reserve(nvertex, ntriangle);
    int32_t *which = sn__alloc((size_t)nvertex + 1, sizeof *which);
    bool done = m && which && join_vertices(m, nvertex, vertex, which);
    for (int t = 0; t < ntriangle && done; t++)
        m->ntriangle += set_triangle(m, triangle[t], which, &m->triangle[m->ntriangle]);
    if (done && m->ntriangle) grow_tree(m, 0, m->ntriangle);
    done = done && join_edges(m);
    sn__free(which);
    if (!done) {
        sn__mesh_free(m);
        return NULL;
    }
    set_extent(m);
    m->hash = sn__hash(m->vertex, (size_t)m->nvertex * sizeof *m->vertex, (uint64_t)m->ntriangle);
    for (int t = 0; t < m->ntriangle; t++)
        m->hash = sn__hash(m->triangle[t].corner, sizeof m->triangle[t].corner, m->hash);
    return m;
}

void sn__mesh_free(struct sn__mesh *m) {
    if (!m) return;
    sn__free_all(m->vertex, m->triangle, m->node, m->near_first, m->near);
    sn__free(m);
}

size_t sn__mesh_bytes(const struct sn__mesh *m) {
    const size_t v = (size_t)m->nvertex, t = (size_t)m->ntriangle;
    return sizeof *m + v * (sizeof *m->vertex + sizeof *m->near_first) +
           t * (sizeof *m->triangle + 6 * sizeof *m->near) + (size_t)m->nnode * sizeof *m->node;
}
