/* Convex hulls: made of points, shared, and asked. */
#include "model/hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/hull_faces.h"
#include "model/quickhull.h"
#include "model/solid.h"

static const double LEVEL = 3e-7; /* of the size: faces in one plane are one. Single precision leaves 1e-7 */

/* --------------------------------------------------------------------------------------------------- sharing */

const sn_hull *sn__hull_share(const sn_hull *hull) {
    if (hull) __atomic_add_fetch(&((sn_hull *)hull)->shares, 1, __ATOMIC_RELAXED);
    return hull;
}

void sn_hull_free(sn_hull *h) {
    if (!h || __atomic_sub_fetch(&h->shares, 1, __ATOMIC_ACQ_REL) > 0) return;
    sn__free_all(h->vertex, h->plane, h->edge, h->side, h->near, h->near_first, h->given, h->first, h->corner,
                 h);
}

const sn_hull_info *sn_hull_get(const sn_hull *hull) {
    return hull ? &hull->info : NULL;
}

struct inertia sn__hull_inertia(const sn_hull *hull) {
    struct inertia own = {.mass = hull->info.volume};
    memcpy(own.com, hull->info.centre, sizeof own.com);
    memcpy(own.J, hull->info.inertia, sizeof own.J);
    return own;
}

/* -------------------------------------------------------------------------------------------------- vertices */

static int compare_points(const void *one, const void *two) {
    const double *a = one, *b = two;
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* The corners of the triangles become h->given, in the order of their coordinates, whatever the order of the points was;
   the triangles then name these. */
static bool take_vertices(sn_hull *h, const double (*point)[3], struct sn__quickhull *q) {
    h->given = sn__alloc(3 * (size_t)q->nface, sizeof *h->given);
    if (!h->given) return false;
    int n = 0, unique = 0;
    for (int f = 0; f < q->nface; f++)
        for (int k = 0; k < 3; k++)
            memcpy(h->given[n++], point[q->face[f][k]], sizeof *h->given);
    qsort(h->given, (size_t)n, sizeof *h->given, compare_points);
    for (int i = 0; i < n; i++)
        if (i == 0 || compare_points(h->given[i], h->given[unique - 1]) != 0)
            memmove(h->given[unique++], h->given[i], sizeof *h->given);
    for (int f = 0; f < q->nface; f++)
        for (int k = 0; k < 3; k++) {
            const double(*found)[3] =
                bsearch(point[q->face[f][k]], h->given, (size_t)unique, sizeof *h->given, compare_points);
            q->face[f][k] = (int)(found - (const double(*)[3])h->given);
        }
    h->info.nvertex = unique;
    return true;
}

/* Vertices of no face go. */
static bool drop_unused(sn_hull *h) {
    int *place = sn__alloc((size_t)h->info.nvertex, sizeof *place), n = 0;
    if (!place) return false;
    for (int i = 0; i < h->first[h->info.nface]; i++)
        place[h->corner[i]] = 1;
    for (int i = 0; i < h->info.nvertex; i++) {
        if (!place[i]) continue;
        memmove(h->given[n], h->given[i], sizeof *h->given);
        place[i] = n++;
    }
    for (int i = 0; i < h->first[h->info.nface]; i++)
        h->corner[i] = place[h->corner[i]];
    h->info.nvertex = n;
    sn__free(place);
    return true;
}

/* About the centre; bounds, reach. */
static bool centre(sn_hull *h) {
    const size_t n = (size_t)h->info.nvertex;
    h->vertex = sn__alloc(n, sizeof *h->vertex);
    for (int k = 0; k < 3; k++)
        h->low[k] = HUGE_VAL, h->high[k] = -HUGE_VAL;
    for (size_t i = 0; i < n && h->vertex; i++) {
        for (int k = 0; k < 3; k++) {
            const double x = h->vertex[i][k] = h->given[i][k] - h->info.centre[k];
            h->low[k] = fmin(h->low[k], x), h->high[k] = fmax(h->high[k], x);
        }
        h->reach = fmax(h->reach, dvec_length(h->vertex[i]));
    }
    h->hash = sn__hash(h->given, n * sizeof *h->given, n);
    return h->vertex != NULL;
}

/* --------------------------------------------------------------------------------------------- faces and edges */

/* Newell's normal, and the plane through the corner that is furthest out. */
static bool make_planes(sn_hull *h) {
    h->plane = sn__alloc((size_t)h->info.nface, sizeof *h->plane);
    h->inner = HUGE_VAL;
    for (int f = 0; f < h->info.nface && h->plane; f++) {
        struct sn__hull_plane *p = &h->plane[f];
        const int begin = h->first[f], end = h->first[f + 1];
        double least = HUGE_VAL;
        for (int i = begin; i < end; i++) {
            const double *o = h->vertex[h->corner[begin]], *a = h->vertex[h->corner[i]],
                         *b = h->vertex[h->corner[i + 1 < end ? i + 1 : begin]];
            const double u[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]},
                         v[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
            double c[3];
            dvec_cross(u, v, c);
            for (int k = 0; k < 3; k++)
                p->normal[k] += c[k];
        }
        dvec_normalise(p->normal);
        p->offset = -HUGE_VAL;
        for (int i = begin; i < end; i++) {
            const double height = dvec_dot(p->normal, h->vertex[h->corner[i]]);
            p->offset = fmax(p->offset, height), least = fmin(least, height);
        }
        h->flat = fmax(h->flat, p->offset - least);
        h->inner = fmin(h->inner, p->offset);
        for (int i = 0; i < h->info.nvertex; i++) /* of other faces' vertices none should be above */
            h->flat = fmax(h->flat, dvec_dot(p->normal, h->vertex[i]) - p->offset);
    }
    return h->plane != NULL;
}

static int compare_edges(const void *one, const void *two) {
    const struct sn__hull_edge *a = one, *b = two;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Each side of a face, from the lower to the higher vertex, in order: the two of an edge come together. False too where
   the faces do not close. */
static bool make_edges(sn_hull *h, bool *closed) {
    const int n = h->first[h->info.nface];
    struct sn__hull_edge *all = sn__alloc((size_t)n, sizeof *all);
    h->edge = sn__alloc((size_t)n / 2 + 1, sizeof *h->edge);
    h->side = sn__alloc((size_t)n, sizeof *h->side);
    *closed = n % 2 == 0;
    if (all && h->edge && h->side) {
        for (int f = 0; f < h->info.nface; f++)
            for (int i = h->first[f]; i < h->first[f + 1]; i++) {
                const int a = h->corner[i], b = h->corner[i + 1 < h->first[f + 1] ? i + 1 : h->first[f]];
                all[i] = a < b ? (struct sn__hull_edge){a, b, f, i} : (struct sn__hull_edge){b, a, -1 - f, i};
            }
        qsort(all, (size_t)n, sizeof *all, compare_edges);
        for (int i = 0; i + 1 < n && *closed; i += 2) {
            const struct sn__hull_edge *a = &all[i], *b = &all[i + 1];
            *closed = a->from == b->from && a->to == b->to && (a->left < 0) != (b->left < 0) &&
                      (i + 2 >= n || compare_edges(b, &all[i + 2]) != 0);
            const struct sn__hull_edge *left = a->left >= 0 ? a : b, *right = a->left >= 0 ? b : a;
            h->edge[h->nedge] = (struct sn__hull_edge){a->from, a->to, left->left, -1 - right->left};
            h->side[a->right] = h->side[b->right] = h->nedge++;
        }
    }
    const bool memory = all && h->edge && h->side;
    sn__free(all);
    return memory;
}

static bool make_neighbours(sn_hull *h) {
    h->near = sn__alloc(2 * (size_t)h->nedge, sizeof *h->near);
    h->near_first = sn__alloc((size_t)h->info.nvertex + 2, sizeof *h->near_first);
    if (!h->near || !h->near_first) return false;
    int *next = h->near_first + 1; /* counts, then places, and at last the ends */
    for (int e = 0; e < h->nedge; e++)
        next[h->edge[e].from + 1]++, next[h->edge[e].to + 1]++;
    for (int i = 0; i < h->info.nvertex; i++)
        next[i + 1] += next[i];
    for (int e = 0; e < h->nedge; e++) {
        h->near[next[h->edge[e].from]++] = h->edge[e].to;
        h->near[next[h->edge[e].to]++] = h->edge[e].from;
    }
    return true;
}

/* Vertices each furthest from those before. */
static void choose_probes(sn_hull *h) {
    const int n = h->info.nvertex;
    h->nprobe = n < SN__HULL_PROBES ? n : SN__HULL_PROBES;
    for (int p = 0; p < h->nprobe; p++) {
        double most = -1;
        for (int i = 0; i < n && n <= SN__HULL_PROBES; i++)
            h->probe[i] = i;
        for (int i = 0; i < n && n > SN__HULL_PROBES; i++) {
            double least = p ? HUGE_VAL : dvec_dot(h->vertex[i], h->vertex[i]);
            for (int k = 0; k < p; k++) {
                const double *a = h->vertex[i], *b = h->vertex[h->probe[k]];
                const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
                least = fmin(least, dvec_dot(d, d));
            }
            if (least > most * (1 + 1e-9)) most = least, h->probe[p] = i;
        }
    }
}

/* --------------------------------------------------------------------------------------------------- making */

static sn_status check_points(const double *points, int n, int most, sn_error *error) {
    if (!points || n < 4)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a hull needs at least four points, not %d",
                        points ? n : 0);
    if (n > SN_MAX_HULL_POINTS)
        return sn__fail(error, SN_ERROR_TOO_LARGE, "%d points are too many for a hull: at most %d", n,
                        (int)SN_MAX_HULL_POINTS);
    if (most != 0 && most < 4)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a hull of at most %d vertices has no volume", most);
    for (int i = 0; i < 3 * n; i++)
        if (!(fabs(points[i]) < 1e9))
            return sn__fail(error, SN_ERROR_ARGUMENT, "point %d of the hull is not finite, or too far away",
                            i / 3);
    return SN_OK;
}

static sn_status no_memory(sn_error *error) {
    return sn__fail(error, SN_ERROR_MEMORY, "out of memory for a hull");
}

/* From triangles over points; `own` is what it weighs. */
static sn_status make(sn_hull *h, const double (*point)[3], struct sn__quickhull *q,
                      const struct inertia *own, sn_error *error) {
    struct inertia all;
    bool closed;
    if (!take_vertices(h, point, q)) return no_memory(error);
    const struct sn__triangles triangles = {(const double(*)[3])h->given, (const int(*)[3])q->face, q->nface};
    if (!own && !sn__triangles_inertia(&triangles, SN__MESH_SOLID, &all))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the points of the hull enclose no volume");
    if (!own) own = &all;
    h->info.volume = own->mass;
    memcpy(h->info.centre, own->com, sizeof own->com);
    memcpy(h->info.inertia, own->J, sizeof own->J);
    double size = 0;
    for (int i = 1; i < h->info.nvertex; i++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs(h->given[i][k] - h->given[0][k]));
    struct sn__hull_faces faces;
    if (!sn__hull_join(triangles.vertex, h->info.nvertex, triangles.face, q->nface, LEVEL * size, &faces))
        return no_memory(error);
    h->info.nface = faces.nface, h->first = faces.first, h->corner = faces.corner;
    if (!drop_unused(h) || !centre(h) || !make_planes(h) || !make_edges(h, &closed) || !make_neighbours(h))
        return no_memory(error);
    if (!closed || !(h->inner > 0) || h->info.nface < 4)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the points of the hull lie too nearly in one plane");
    choose_probes(h);
    h->info.vertex = (const double(*)[3])h->given, h->info.first = h->first, h->info.corner = h->corner;
    return SN_OK;
}

static sn_hull *make_of(const double (*point)[3], int n, int most, const struct inertia *own,
                        sn_error *error) {
    struct sn__quickhull q = {0};
    sn_hull *h = sn__alloc(1, sizeof *h);
    const enum sn__quickhull_result result = h ? sn__quickhull(point, n, most, &q) : SN__QUICKHULL_MEMORY;
    sn_status status = SN_OK;
    if (result == SN__QUICKHULL_MEMORY)
        status = no_memory(error);
    else if (result != SN__QUICKHULL_GOOD)
        status =
            sn__fail(error, SN_ERROR_ARGUMENT, "the points of the hull lie %s",
                     result == SN__QUICKHULL_FLAT ? "in one plane" : "too close together for their numbers");
    if (h) h->shares = 1;
    if (status == SN_OK) status = make(h, point, &q, own, error);
    if (h) h->info.apart = q.apart;
    sn__free(q.face);
    if (status == SN_OK) return h;
    sn_hull_free(h);
    return NULL;
}

/* Joining faces leaves vertices out, and without them others may be needless. A hull is made again of its own vertices
   until all of them are needed: so that it is the hull of these, and a file that has them brings it back. What it weighs
   is what was there at first. */
sn_hull *sn_hull_create(const double *points, int n, int most, sn_error *error) {
    sn__succeed(error);
    if (check_points(points, n, most, error)) return NULL;
    if (most == 0 || most > SN_MAX_HULL_VERTICES) most = SN_MAX_HULL_VERTICES;
    sn_hull *hull = make_of((const double(*)[3])points, n, most, NULL, error);
    for (bool again = true; hull && again;) {
        const struct inertia own = sn__hull_inertia(hull);
        sn_hull *next = make_of(hull->info.vertex, hull->info.nvertex, most, &own, error);
        again = next && next->info.nvertex != hull->info.nvertex;
        if (next) next->info.apart = hull->info.apart;
        sn_hull_free(hull);
        hull = next;
    }
    return hull;
}
