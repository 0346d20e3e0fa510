#include "model/solid.h"

#include <math.h>

#include "base/quat.h"

/* Corners of a triangle as seen from a point, and what they span: its area, or the signed volume of the pyramid over it
   with the top in that point. */
static double span(const struct sn__triangles *mesh, int face, const double from[3], enum sn__mesh_fill fill,
                   double corner[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = mesh->vertex[mesh->face[face][i]][k] - from[k];
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++)
        a[k] = corner[1][k] - corner[0][k], b[k] = corner[2][k] - corner[0][k];
    dvec_cross(a, b, normal);
    if (fill == SN__MESH_SHELL) return dvec_length(normal) / 2;
    double volume = dvec_dot(corner[0], normal) / 6;
    return fill == SN__MESH_ABSOLUTE ? fabs(volume) : volume;
}

/* The middle of a triangle is a third of the sum of its corners; that of a pyramid three quarters as far. */
static double add_up(const struct sn__triangles *mesh, const double from[3], enum sn__mesh_fill fill,
                     double middle[3]) {
    double all = 0, sum[3] = {0}, corner[3][3], part = fill == SN__MESH_SHELL ? 3 : 4;
    for (int f = 0; f < mesh->nface; f++) {
        double amount = span(mesh, f, from, fill, corner);
        all += amount;
        for (int k = 0; k < 3; k++)
            sum[k] += amount * (corner[0][k] + corner[1][k] + corner[2][k]) / part;
    }
    for (int k = 0; k < 3; k++)
        middle[k] = from[k] + (all != 0 ? sum[k] / all : 0);
    return all;
}

bool sn__triangles_inertia(const struct sn__triangles *mesh, enum sn__mesh_fill fill,
                           struct inertia *inertia) {
    const double nothing = 1e-15, origin[3] = {0};
    double middle[3];
    if (!(add_up(mesh, origin, SN__MESH_SHELL, middle) > nothing)) return false;
    if (!(add_up(mesh, middle, fill, inertia->com) > nothing)) return false;

    /* Second moments about the centre: for corners p, q, r of a triangle, the sum of (p + q + r)(p + q + r)^T + p p^T +
       q q^T + r r^T, over 12 for the triangle and over 20 for the pyramid. */
    double P[3][3] = {{0}}, corner[3][3];
    inertia->mass = 0;
    for (int f = 0; f < mesh->nface; f++) {
        double amount = span(mesh, f, inertia->com, fill, corner);
        inertia->mass += amount;
        double scale = amount / (fill == SN__MESH_SHELL ? 12 : 20);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double squares = 0, si = 0, sj = 0;
                for (int c = 0; c < 3; c++)
                    squares += corner[c][i] * corner[c][j], si += corner[c][i], sj += corner[c][j];
                P[i][j] += scale * (si * sj + squares);
            }
    }
    inertia->J[0] = P[1][1] + P[2][2];
    inertia->J[1] = P[0][0] + P[2][2];
    inertia->J[2] = P[0][0] + P[1][1];
    inertia->J[3] = -P[0][1], inertia->J[4] = -P[0][2], inertia->J[5] = -P[1][2];
    return inertia->mass > nothing && isfinite(inertia->mass);
}
