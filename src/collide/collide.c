/* Which function serves which two shapes; how far shapes extend. */
#include "collide/mesh.h"
#include "collide/pairs.h"
#include "model/hull.h"

static sn__pair_fn *const pair_fn[SN__GEOM_FIELD][SN__GEOM_TYPES] = {
    {sn__sphere_sphere, sn__sphere_capsule, sn__sphere_box, sn__convex_convex, sn__sphere_plane,
     sn__sphere_field, sn__sphere_mesh},
    {0, sn__capsule_capsule, sn__capsule_box, sn__convex_convex, sn__capsule_plane, sn__capsule_field,
     sn__capsule_mesh},
    {0, 0, sn__box_box, sn__convex_convex, sn__box_plane, sn__box_field, sn__sharp_mesh},
    {0, 0, 0, sn__convex_convex, sn__hull_plane, sn__hull_field, sn__sharp_mesh},
    {0},
};

int sn__collide(const struct sn__geom *a, const struct sn__geom *b, double margin,
                struct sn__touch touch[SN__MOST_TOUCHES]) {
    if (a->type <= b->type) {
        /* two of ground have no entry: nothing to do */
        sn__pair_fn *fn = a->type < SN__GEOM_FIELD ? pair_fn[a->type][b->type] : 0;
        return fn ? fn(a, b, margin, touch) : 0;
    }
    int n = sn__collide(b, a, margin, touch);
    flip_normals(touch, n);
    return n;
}

/* Half the width of a solid along the world's axes. */
static void solid_extent(const struct sn__geom *g, double extent[3]) {
    const double *s = g->size;
    for (int i = 0; i < 3; i++) {
        if (g->type == SN__GEOM_SPHERE) extent[i] = s[0];
        if (g->type == SN__GEOM_CAPSULE) extent[i] = s[0] + fabs(g->R[i][2]) * s[1];
        if (g->type == SN__GEOM_BOX)
            extent[i] = fabs(g->R[i][0]) * s[0] + fabs(g->R[i][1]) * s[1] + fabs(g->R[i][2]) * s[2];
    }
}

/* Of the box around it in its own axes. */
static struct sn__box hull_bounds(const struct sn__geom *g) {
    struct sn__box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = box.max[i] = g->pos[i];
        for (int k = 0; k < 3; k++) {
            const double low = g->R[i][k] * g->hull->low[k], high = g->R[i][k] * g->hull->high[k];
            box.min[i] += least(low, high);
            box.max[i] += most(low, high);
        }
    }
    return box;
}

struct sn__box sn__geom_bounds(const struct sn__geom *g) {
    struct sn__box box;
    if (g->type == SN__GEOM_FIELD) {
        const struct sn__field *f = g->field;
        const int cells[2] = {f->nx - 1, f->ny - 1};
        for (int i = 0; i < 2; i++) {
            box.min[i] = f->origin[i];
            box.max[i] = f->origin[i] + cells[i] * f->step[i];
        }
        box.min[2] = -HUGE_VAL; /* solid below */
        box.max[2] = f->highest;
        return box;
    }
    if (g->type == SN__GEOM_HULL) return hull_bounds(g);
    if (g->type == SN__GEOM_MESH) return g->mesh->node[0].box;
    double extent[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    if (g->type < SN__GEOM_PLANE) solid_extent(g, extent);
    for (int i = 0; i < 3; i++) {
        box.min[i] = g->pos[i] - extent[i];
        box.max[i] = g->pos[i] + extent[i];
    }
    return box;
}

double sn__geom_reach(const struct sn__geom *g) {
    switch (g->type) {
    case SN__GEOM_SPHERE:
        return g->size[0];
    case SN__GEOM_CAPSULE:
        return g->size[0] + g->size[1];
    case SN__GEOM_BOX:
        return dvec_length(g->size);
    case SN__GEOM_HULL:
        return g->hull->reach;
    case SN__GEOM_MESH:
        return g->mesh->reach;
    default:
        return HUGE_VAL;
    }
}
