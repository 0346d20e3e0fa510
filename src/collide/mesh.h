/* A triangle mesh that is ground: triangles seen from the side they face, the edges and corners of them that stand out, and a
 * tree of boxes over the triangles. Private to collide, except for making one. */
#ifndef SINEW_COLLIDE_MESH_H
#define SINEW_COLLIDE_MESH_H

#include <stddef.h>

#include "collide/pairs.h"

/* A triangle, its corners counterclockwise as seen from the front. Edge k runs from corner k to the next one. */
struct sn__mesh_triangle {
    int32_t corner[3];
    uint8_t
        edges; /* bits: edges that stand out and are looked at with this triangle, not with their other one */
    uint8_t corners;   /* corners at the ends of such an edge */
    uint8_t sharp;     /* bits: all edges of it that stand out */
    uint8_t hollow;    /* bits: edges at which the ground bends up, as it does where a floor meets a wall */
    int32_t beside[3]; /* the triangle beyond each edge, -1: none */
    double normal[3];
};

/* A box around triangles first .. first + count - 1 (a leaf), or around all nodes up to `next`. */
struct sn__mesh_node {
    struct sn__box box;
    int32_t next; /* the node to look at if this box is missed */
    int32_t first, count;
};

struct sn__mesh {
    int nvertex, ntriangle, nnode;
    double (*vertex)[3];
    struct sn__mesh_triangle *triangle; /* [ntriangle] in the order of the leaves */
    struct sn__mesh_node *node;         /* [nnode] a box before those inside it */
    int32_t *near_first,
        *near; /* corners that share an edge with corner i: near[near_first[i] .. near_first[i + 1]) */
    double centre[3], reach; /* of a ball around all of it */
    uint64_t hash;
};

/* Corners at the same place become one; triangles without area are left out. Indices must be in range. NULL: out of memory. */
struct sn__mesh *sn__mesh_make(int nvertex, const double (*vertex)[3], int ntriangle,
                               const int (*triangle)[3]);
void sn__mesh_free(struct sn__mesh *mesh); /* NULL is allowed */
size_t sn__mesh_bytes(const struct sn__mesh *mesh);

/* The leaves that meet a box, in order. A solid is looked at in many small boxes: they look among these only. */
enum { SN__MESH_LEAVES = 48 };
struct sn__mesh_leaves {
    int n; /* -1: too many, look in the tree */
    int32_t node[SN__MESH_LEAVES];
};

/* The triangles whose leaves meet a box, one after the other: start with node and at 0. `leaves`: those that can, or NULL. */
struct sn__mesh_walk {
    const struct sn__mesh *mesh;
    struct sn__box box;
    int node, at;
    const struct sn__mesh_leaves *leaves;
};

static inline bool sn__boxes_meet(const struct sn__box *a, const struct sn__box *b) {
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] || a->max[k] < b->min[k]) return false;
    return true;
}

/* The leaves that a solid may touch within `margin`. */
static inline void sn__mesh_gather(const struct sn__mesh *m, const struct sn__geom *solid, double margin,
                                   struct sn__mesh_leaves *leaves) {
    struct sn__box box = sn__geom_bounds(solid);
    for (int k = 0; k < 3; k++) { /* a little more, so that rounding leaves none out */
        const double grown = margin + 1e-12 * (fabs(box.min[k]) + fabs(box.max[k]) + margin);
        box.min[k] -= grown, box.max[k] += grown;
    }
    leaves->n = 0;
    for (int i = 0; i < m->nnode;) {
        const struct sn__mesh_node *n = &m->node[i];
        if (!sn__boxes_meet(&n->box, &box)) {
            i = n->next;
            continue;
        }
        if (n->count && leaves->n == SN__MESH_LEAVES) {
            leaves->n = -1;
            return;
        }
        if (n->count) leaves->node[leaves->n++] = i;
        i++;
    }
}

static inline int sn__mesh_next_leaf(struct sn__mesh_walk *w) {
    for (; w->node < w->leaves->n; w->node++, w->at = 0) {
        const struct sn__mesh_node *n = &w->mesh->node[w->leaves->node[w->node]];
        if ((w->at > 0 || sn__boxes_meet(&n->box, &w->box)) && w->at < n->count) return n->first + w->at++;
    }
    return -1;
}

/* The next of them, -1: no more. */
static inline int sn__mesh_next(struct sn__mesh_walk *w) {
    if (w->leaves && w->leaves->n >= 0) return sn__mesh_next_leaf(w);
    while (w->node < w->mesh->nnode) {
        const struct sn__mesh_node *n = &w->mesh->node[w->node];
        if (w->at > 0 || sn__boxes_meet(&n->box, &w->box)) {
            if (w->at < n->count) return n->first + w->at++;
            w->node++;
        } else {
            w->node = n->next;
        }
        w->at = 0;
    }
    return -1;
}

/* ------------------------------------------------------------------------------------------------- the surface: mesh.c */

/* How far p is above the plane of a triangle. */
static inline double sn__mesh_above(const struct sn__mesh *m, int triangle, const double p[3]) {
    const struct sn__mesh_triangle *t = &m->triangle[triangle];
    double d[3];
    difference(p, m->vertex[t->corner[0]], d);
    return dvec_dot(t->normal, d);
}
/* Does p, `above` the plane, come to the triangle when it is moved along the normal? It may miss it by `slack`, by what lies
   between two triangles that bend by so little that their edge does not stand out, and where the ground bends up by `hollow`. */
bool sn__mesh_over(const struct sn__mesh *m, int triangle, const double p[3], double above, double slack,
                   double hollow);
struct sn__segment sn__mesh_edge(const struct sn__mesh *m, int triangle, int side);
/* A direction that leads away from the ground at an edge: between the normals beside it. */
void sn__mesh_edge_out(const struct sn__mesh *m, int triangle, int side, double out[3]);
/* Do the triangles beside an edge, or all edges that meet in a corner, fall away from the direction d? Rises up to a slope of
   `slack` count as falling. */
bool sn__mesh_edge_faces(const struct sn__mesh *m, int triangle, int side, const double d[3], double slack);
bool sn__mesh_corner_faces(const struct sn__mesh *m, int corner, const double d[3], double slack);
/* Is the face on one side of an edge less deep in the solid than `depth`? The solid's lowest point along the normal n of a
   face is at low(solid, n). Then it goes out through the face, and not over the edge. */
bool sn__mesh_face_is_nearer(const struct sn__mesh *m, int triangle, int side, double depth,
                             double (*low)(const void *solid, const double n[3]), const void *solid);
/* Features of a contact: part of the solid on a face with this normal, which neighbours have, too; and something of the
   ground that stands out against something of the solid. */
uint32_t sn__mesh_face_feature(int part, const double normal[3]);
uint32_t sn__mesh_out_feature(int number, int kind, int part);

#endif
