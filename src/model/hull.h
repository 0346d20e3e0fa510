/* A convex hull as collisions see it: about its own centre, with planes, edges and neighbours. */
#ifndef SINEW_MODEL_HULL_H
#define SINEW_MODEL_HULL_H

#include "model/inertia.h"
#include "sinew/sinew.h"

enum { SN__HULL_PROBES = 24 }; /* vertices that stand for a hull in implicit contact */

/* normal . x <= offset inside */
struct sn__hull_plane {
    double normal[3], offset;
};

struct sn__hull_edge {
    int from, to;    /* vertices, in the order of the face on its left */
    int left, right; /* faces */
};

struct sn_hull {
    int shares;
    sn_hull_info info;
    int nedge, nprobe;
    double (*vertex)[3];          /* [nvertex] from the centre */
    struct sn__hull_plane *plane; /* [nface] about the centre */
    struct sn__hull_edge *edge;   /* [nedge] */
    int *side;                    /* [corners] the edge from a corner of a face to the next */
    int *near, *near_first;       /* vertices beside each vertex: near[near_first[i] .. near_first[i + 1]) */
    int probe[SN__HULL_PROBES];   /* vertices */
    double low[3], high[3];       /* bounds about the centre */
    double reach, inner;          /* radii of the balls about the centre around it and within it */
    double flat;                  /* how far corners are from the planes of their faces, at most */
    uint64_t hash;                /* of the vertices */
    double (*given)[3];           /* what info.vertex points to */
    int *first, *corner;
};

/* One more share of it; NULL is allowed. */
const sn_hull *sn__hull_share(const sn_hull *hull);
/* Mass for density 1, centre and inertia. */
struct inertia sn__hull_inertia(const sn_hull *hull);

#endif
