/* The surface of a mesh, as triangles, and the edges and corners of it that stand out. */
#include "collide/mesh.h"

static const double SMOOTH = 0.035; /* slope between neighbours whose edge does not stand out */

bool sn__mesh_over(const struct sn__mesh *m, int triangle, const double p[3], double above, double slack,
                   double hollow) {
    const struct sn__mesh_triangle *t = &m->triangle[triangle];
    for (int k = 0; k < 3; k++) {
        const double *from = m->vertex[t->corner[k]], *to = m->vertex[t->corner[(k + 1) % 3]];
        double along[3], d[3], outwards[3];
        difference(to, from, along);
        difference(p, from, d);
        dvec_cross(along, t->normal, outwards);
        const double beyond = dvec_dot(outwards, d);
        const double most_beyond = t->hollow >> k & 1  ? hollow
                                   : t->sharp >> k & 1 ? slack
                                                       : slack + SMOOTH * fabs(above);
        if (beyond > 0 && beyond > most_beyond * dvec_length(along)) return false;
    }
    return true;
}

struct sn__segment sn__mesh_edge(const struct sn__mesh *m, int triangle, int side) {
    const struct sn__mesh_triangle *t = &m->triangle[triangle];
    const double *from = m->vertex[t->corner[side]], *to = m->vertex[t->corner[(side + 1) % 3]];
    struct sn__segment s;
    for (int i = 0; i < 3; i++)
        s.centre[i] = 0.5 * (from[i] + to[i]), s.half[i] = 0.5 * (to[i] - from[i]);
    return s;
}

void sn__mesh_edge_out(const struct sn__mesh *m, int triangle, int side, double out[3]) {
    const struct sn__mesh_triangle *t = &m->triangle[triangle];
    if (t->beside[side] >= 0) {
        add_scaled(t->normal, 1, m->triangle[t->beside[side]].normal, out);
        return;
    }
    const struct sn__segment edge = sn__mesh_edge(m, triangle, side);
    double outwards[3];
    dvec_cross(edge.half, t->normal, outwards);
    add_scaled(t->normal, 1 / dvec_length(edge.half), outwards, out);
}

/* Is corner `other`, seen from corner `from`, clearly above the plane across d? */
static bool rises(const struct sn__mesh *m, int from, int other, const double d[3], double length,
                  double slack) {
    double w[3];
    difference(m->vertex[other], m->vertex[from], w);
    return dvec_dot(w, d) > slack * length * dvec_length(w);
}

/* The corner of a triangle that is not on the edge between two others. */
static int third_corner(const struct sn__mesh_triangle *t, int a, int b) {
    for (int k = 0; k < 2; k++)
        if (t->corner[k] != a && t->corner[k] != b) return t->corner[k];
    return t->corner[2];
}

bool sn__mesh_edge_faces(const struct sn__mesh *m, int triangle, int side, const double d[3], double slack) {
    const struct sn__mesh_triangle *t = &m->triangle[triangle];
    const int from = t->corner[side], to = t->corner[(side + 1) % 3], beside = t->beside[side];
    const double length = dvec_length(d);
    if (rises(m, from, t->corner[(side + 2) % 3], d, length, slack)) return false;
    return beside < 0 || !rises(m, from, third_corner(&m->triangle[beside], from, to), d, length, slack);
}

bool sn__mesh_corner_faces(const struct sn__mesh *m, int corner, const double d[3], double slack) {
    const double length = dvec_length(d);
    for (int i = m->near_first[corner]; i < m->near_first[corner + 1]; i++)
        if (rises(m, corner, m->near[i], d, length, slack)) return false;
    return true;
}

bool sn__mesh_face_is_nearer(const struct sn__mesh *m, int triangle, int side, double depth,
                             double (*low)(const void *solid, const double n[3]), const void *solid) {
    const int face[2] = {triangle, m->triangle[triangle].beside[side]};
    for (int k = 0; k < 2 && face[k] >= 0; k++) {
        const struct sn__mesh_triangle *t = &m->triangle[face[k]];
        if (dvec_dot(t->normal, m->vertex[t->corner[0]]) - low(solid, t->normal) < depth) return true;
    }
    return false;
}

#define STANDS_OUT UINT32_C(0x80000000)

/* 27 directions are distinguished: those of floors, walls and slopes between them. */
uint32_t sn__mesh_face_feature(int part, const double normal[3]) {
    uint32_t code = 0;
    for (int k = 0; k < 3; k++)
        code = 3 * code + (normal[k] > 0.4 ? 2 : normal[k] < -0.4 ? 0 : 1);
    return 27 * (uint32_t)part + code;
}

uint32_t sn__mesh_out_feature(int number, int kind, int part) {
    uint32_t hash = ((uint32_t)number ^ UINT32_C(2166136261)) * UINT32_C(16777619);
    hash = (hash ^ (uint32_t)(4 * part + kind)) * UINT32_C(2654435761);
    return STANDS_OUT | (hash ^ hash >> 15) >> 2;
}
