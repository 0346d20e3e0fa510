/* Boxes and capsules as hulls: corner i of a box has the sign of bit k along axis k; face f is that of axis f / 2, on the
   low side or the high one. */
#include "collide/poly.h"

/* clang-format off */
static const int box_first[7] = {0, 4, 8, 12, 16, 20, 24};
static const int box_corner[24] = {4, 6, 2, 0, 1, 3, 7, 5, 1, 5, 4, 0, 2, 6, 7, 3, 2, 3, 1, 0, 4, 5, 7, 6};
static const int box_side[24] = {0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 3, 9, 1, 10, 5, 11, 11, 4, 9, 2, 8, 6, 10, 0};
static const struct sn__hull_edge box_edge[12] = {
    {4, 6, 0, 5}, {2, 6, 3, 0}, {0, 2, 4, 0}, {0, 4, 0, 2}, {1, 3, 1, 4}, {3, 7, 1, 3},
    {5, 7, 5, 1}, {1, 5, 2, 1}, {4, 5, 5, 2}, {0, 1, 2, 4}, {6, 7, 3, 5}, {2, 3, 4, 3}};
static const struct sn__hull_edge capsule_edge[1] = {{0, 1, -1, -1}};
/* clang-format on */

void sn__poly_of(const struct sn__geom *g, const double origin[3], struct sn__poly *p) {
    sn__hull_of(g, origin, &p->core);
    p->geom = g;
    p->nface = p->nedge = 0;
    p->volume = p->flat = 0;
    if (g->type == SN__GEOM_HULL) {
        const struct sn_hull *h = g->hull;
        p->nface = h->info.nface, p->nedge = h->nedge;
        p->first = h->first, p->corner = h->corner, p->side = h->side, p->edge = h->edge;
        p->volume = h->info.volume, p->flat = h->flat;
    } else if (g->type == SN__GEOM_BOX) {
        p->nface = 6, p->nedge = 12;
        p->first = box_first, p->corner = box_corner, p->side = box_side, p->edge = box_edge;
        p->volume = 8 * g->size[0] * g->size[1] * g->size[2];
    } else if (g->type == SN__GEOM_CAPSULE) {
        p->nedge = 1, p->edge = capsule_edge;
    }
}

double sn__poly_plane(const struct sn__poly *p, int face, double normal[3]) {
    const struct sn__geom *g = p->geom;
    if (g->type == SN__GEOM_BOX) {
        double corner[3];
        column(g->R, face / 2, normal);
        for (int i = 0; i < 3; i++)
            normal[i] *= face % 2 ? 1 : -1;
        sn__hull_point(&p->core, box_corner[4 * face], corner);
        return dvec_dot(normal, corner);
    }
    rotate(g->R, g->hull->plane[face].normal, normal);
    return g->hull->plane[face].offset + dvec_dot(normal, p->core.at);
}

int sn__poly_face(const struct sn__poly *p, const double n[3]) {
    double own[3], most_along = -HUGE_VAL;
    int best = -1;
    rotate_back(p->geom->R, n, own);
    for (int f = 0; f < p->nface; f++) {
        const double along = p->geom->type == SN__GEOM_BOX ? (f % 2 ? own[f / 2] : -own[f / 2])
                                                           : dvec_dot(p->geom->hull->plane[f].normal, own);
        if (along > most_along) most_along = along, best = f;
    }
    return best;
}

int sn__poly_edge(const struct sn__poly *p, int i, int j) {
    const int from = i < j ? i : j, to = i < j ? j : i;
    for (int e = 0; e < p->nedge; e++)
        if (p->edge[e].from == from && p->edge[e].to == to) return e;
    return -1;
}
