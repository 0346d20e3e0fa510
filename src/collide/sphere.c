/* Spheres against spheres, capsules and boxes: the nearest point of the other to the centre. */
#include "collide/pairs.h"

/* The sphere a against a point of the other's core, which is thick by `radius`. `spare` is the normal
   where the centre is on the point. */
static int touch_core(const struct sn__geom *a, const double core[3], double radius, const double spare[3],
                      double scale, double margin, struct sn__touch *touch) {
    double normal[3], on_a[3];
    difference(a->pos, core, normal);
    double distance = dvec_length(normal), gap = distance - a->size[0] - radius;
    if (gap >= margin) return 0;
    for (int i = 0; i < 3; i++)
        normal[i] = distance > scale * SN__NO_LENGTH ? normal[i] / distance : spare[i];
    add_scaled(a->pos, -a->size[0], normal, on_a);
    set_touch(touch, on_a, normal, gap, 0);
    return 1;
}

int sn__sphere_sphere(const struct sn__geom *a, const struct sn__geom *b, double margin,
                      struct sn__touch touch[SN__MOST_TOUCHES]) {
    const double up[3] = {0, 0, 1};
    return touch_core(a, b->pos, b->size[0], up, a->size[0] + b->size[0], margin, touch);
}

int sn__sphere_capsule(const struct sn__geom *a, const struct sn__geom *b, double margin,
                       struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct sn__segment axis = capsule_axis(b);
    double core[3], across[3], scale = a->size[0] + b->size[0] + b->size[1];
    segment_at(&axis, sn__segment_nearest(&axis, a->pos), core);
    column(b->R, 0, across); /* on the axis all ways out across it are equally short */
    return touch_core(a, core, b->size[0], across, scale, margin, touch);
}

int sn__sphere_box(const struct sn__geom *a, const struct sn__geom *b, double margin,
                   struct sn__touch touch[SN__MOST_TOUCHES]) {
    const double *h = b->size;
    double d[3], x[3], out[3], squared = 0, r = a->size[0];
    difference(a->pos, b->pos, d);
    rotate_back(b->R, d, x);
    for (int i = 0; i < 3; i++) {
        out[i] = x[i] - clamp(x[i], -h[i], h[i]);
        squared += out[i] * out[i];
    }
    double distance = sqrt(squared);
    if (distance - r >= margin) return 0;
    if (distance <= SN__NO_LENGTH * (h[0] + h[1] + h[2])) {
        /* the centre is inside: out through the nearest face */
        int k = 0;
        for (int i = 1; i < 3; i++)
            if (fabs(x[i]) - h[i] > fabs(x[k]) - h[k]) k = i;
        out[0] = out[1] = out[2] = 0;
        out[k] = sign_of(x[k]);
        distance = fabs(x[k]) - h[k];
    } else {
        for (int i = 0; i < 3; i++)
            out[i] /= distance;
    }
    double normal[3], on_a[3];
    rotate(b->R, out, normal);
    add_scaled(a->pos, -r, normal, on_a);
    set_touch(touch, on_a, normal, distance - r, 0);
    return 1;
}
