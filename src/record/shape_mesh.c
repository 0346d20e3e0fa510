/* Round shapes are a grid of rings from pole to pole; each ring has a height, a radius and the slope of its normal. */
#include "record/shape_mesh.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "model/shape.h"

#include <math.h>

enum { AROUND = 24 };

static bool make_room(struct sn__shape_mesh *mesh, int points, int triangles) {
    mesh->point = sn__alloc((size_t)points, 3 * sizeof *mesh->point);
    mesh->normal = sn__alloc((size_t)points, 3 * sizeof *mesh->normal);
    mesh->corner = sn__alloc((size_t)triangles, 3 * sizeof *mesh->corner);
    return mesh->point && mesh->normal && mesh->corner;
}

void sn__shape_mesh_free(struct sn__shape_mesh *mesh) {
    sn__free_all(mesh->point, mesh->normal, mesh->corner);
    *mesh = (struct sn__shape_mesh){0};
}

static void add_point(struct sn__shape_mesh *mesh, const double p[3], const double n[3]) {
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
        mesh->point[3 * mesh->npoint + k] = (float)p[k];
        mesh->normal[3 * mesh->npoint + k] = (float)(n[k] / length);
    }
    mesh->npoint++;
}

static void add_triangle(struct sn__shape_mesh *mesh, int a, int b, int c) {
    uint16_t *corner = mesh->corner + 3 * mesh->ntriangle++;
    corner[0] = (uint16_t)a, corner[1] = (uint16_t)b, corner[2] = (uint16_t)c;
}

/* Rings from below; scale in x, y and z, by whose inverse normals turn. Triangles without area are left out. */
static bool make_round(struct sn__shape_mesh *mesh, const struct sn__ring *ring, int n,
                       const double scale[3]) {
    if (!make_room(mesh, n * (AROUND + 1), 2 * (n - 1) * AROUND)) return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= AROUND; k++) {
            const double angle = 2 * M_PI * (k % AROUND) / AROUND, c = sn__cos(angle), s = sn__sin(angle);
            const double p[3] = {scale[0] * ring[i].radius * c, scale[1] * ring[i].radius * s,
                                 scale[2] * ring[i].z};
            const double normal[3] = {ring[i].across * c / scale[0], ring[i].across * s / scale[1],
                                      ring[i].along / scale[2]};
            add_point(mesh, p, normal);
        }
    for (int i = 0; i + 1 < n; i++)
        for (int k = 0; k < AROUND; k++) {
            const int a = i * (AROUND + 1) + k, b = a + AROUND + 1;
            if (ring[i].radius > 0) add_triangle(mesh, a, a + 1, b);
            if (ring[i + 1].radius > 0) add_triangle(mesh, a + 1, b + 1, b);
        }
    return true;
}

static bool make_box(struct sn__shape_mesh *mesh, const double size[3]) {
    if (!make_room(mesh, 24, 12)) return false;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3, first = mesh->npoint;
            double normal[3] = {0};
            normal[axis] = side;
            for (int i = 0; i < 4; i++) {
                double p[3];
                p[axis] = side * size[axis];
                p[u] = (i == 1 || i == 2 ? 1 : -1) * size[u] * side; /* the same turning seen from outside */
                p[v] = (i >= 2 ? 1 : -1) * size[v];
                add_point(mesh, p, normal);
            }
            add_triangle(mesh, first, first + 1, first + 2);
            add_triangle(mesh, first, first + 2, first + 3);
        }
    return true;
}

/* Each face has corners of its own, so that it is flat to the eye. */
static bool make_hull(struct sn__shape_mesh *mesh, const sn_hull_info *hull) {
    const int corners = hull->first[hull->nface];
    if (!make_room(mesh, corners, corners)) return false;
    for (int f = 0; f < hull->nface; f++) {
        const int begin = hull->first[f], end = hull->first[f + 1], first = mesh->npoint;
        const double *o = hull->vertex[hull->corner[begin]];
        double normal[3] = {0};
        for (int i = begin + 1; i + 1 < end; i++) {
            const double *a = hull->vertex[hull->corner[i]], *b = hull->vertex[hull->corner[i + 1]];
            for (int k = 0; k < 3; k++) {
                const int m = (k + 1) % 3, n = (k + 2) % 3;
                normal[k] += (a[m] - o[m]) * (b[n] - o[n]) - (a[n] - o[n]) * (b[m] - o[m]);
            }
        }
        for (int i = begin; i < end; i++)
            add_point(mesh, hull->vertex[hull->corner[i]], normal);
        for (int i = 1; i + 1 < end - begin; i++)
            add_triangle(mesh, first, first + i, first + i + 1);
    }
    return true;
}

bool sn__shape_mesh_of(struct sn__shape_mesh *mesh, const struct sn__figure_shape *shape) {
    const struct sn__shape_kind *kind = &sn__shape_kinds[shape->type];
    struct sn__ring ring[SN__MOST_RINGS];
    double scale[3];
    if (kind->rings) {
        const int n = kind->rings(shape->size, ring, scale);
        return make_round(mesh, ring, n, scale);
    }
    return shape->hull ? make_hull(mesh, sn_hull_get(shape->hull)) : make_box(mesh, shape->size);
}
