/* Solids against a plane. The most frequent calls of a step: project on the normal first, write only what
   touches. */
#include "collide/pairs.h"

/* The plane's normal, and how high the centre of the solid stands over the plane. */
static inline double height_over(const struct sn__geom *plane, const double p[3], double normal[3]) {
    double height = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = plane->R[i][2];
        height += normal[i] * (p[i] - plane->pos[i]);
    }
    return height;
}

/* The touch of a point of the solid at this height. */
static inline void set_low_point(struct sn__touch *touch, const double p[3], const double normal[3],
                                 double below, double gap, uint32_t feature) {
    for (int i = 0; i < 3; i++) {
        touch->normal[i] = normal[i];
        touch->pos[i] = p[i] - (below + 0.5 * gap) * normal[i];
    }
    touch->gap = gap;
    touch->feature = feature;
}

int sn__sphere_plane(const struct sn__geom *a, const struct sn__geom *b, double margin,
                     struct sn__touch touch[SN__MOST_TOUCHES]) {
    double normal[3], gap = height_over(b, a->pos, normal) - a->size[0];
    if (gap >= margin) return 0;
    set_low_point(touch, a->pos, normal, a->size[0], gap, 0);
    return 1;
}

int sn__capsule_plane(const struct sn__geom *a, const struct sn__geom *b, double margin,
                      struct sn__touch touch[SN__MOST_TOUCHES]) {
    double normal[3], middle = height_over(b, a->pos, normal) - a->size[0], half[3];
    for (int i = 0; i < 3; i++)
        half[i] = a->R[i][2] * a->size[1];
    double rise = dvec_dot(normal, half);
    if (middle - fabs(rise) >= margin) return 0;
    int n = 0, ends = a->size[1] > 0 ? 2 : 1;
    for (int end = 0; end < ends; end++) {
        double side = end ? 1.0 : -1.0, gap = middle + side * rise, p[3];
        if (gap >= margin) continue;
        add_scaled(a->pos, side, half, p);
        set_low_point(&touch[n++], p, normal, a->size[0], gap, (uint32_t)end);
    }
    return n;
}

/* The corners one axis after another, so that each sum is made once; a half or an edge that is too high is
   left out. */
int sn__box_plane(const struct sn__geom *a, const struct sn__geom *b, double margin,
                  struct sn__touch touch[SN__MOST_TOUCHES]) {
    double normal[3], middle = height_over(b, a->pos, normal), rise[3];
    for (int k = 0; k < 3; k++)
        rise[k] = a->size[k] * (normal[0] * a->R[0][k] + normal[1] * a->R[1][k] + normal[2] * a->R[2][k]);
    double low0 = fabs(rise[0]), low1 = low0 + fabs(rise[1]);
    if (middle - low1 - fabs(rise[2]) >= margin) return 0;
    double half[3][3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            half[k][i] = a->size[k] * a->R[i][k];
    int n = 0;
    for (uint32_t c2 = 0; c2 < 8; c2 += 4) {
        double side2 = c2 ? 1.0 : -1.0, height2 = middle + side2 * rise[2], p2[3];
        if (height2 - low1 >= margin) continue;
        add_scaled(a->pos, side2, half[2], p2);
        for (uint32_t c1 = 0; c1 < 4; c1 += 2) {
            double side1 = c1 ? 1.0 : -1.0, height1 = height2 + side1 * rise[1], p1[3];
            if (height1 - low0 >= margin) continue;
            add_scaled(p2, side1, half[1], p1);
            for (uint32_t c0 = 0; c0 < 2; c0++) {
                double side0 = c0 ? 1.0 : -1.0, gap = height1 + side0 * rise[0], p[3];
                if (gap >= margin) continue;
                add_scaled(p1, side0, half[0], p);
                set_low_point(&touch[n++], p, normal, 0, gap, c2 | c1 | c0);
            }
        }
    }
    return n;
}
