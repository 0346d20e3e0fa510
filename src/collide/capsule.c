/* Capsules against capsules and boxes. */
#include "collide/pairs.h"

int sn__capsule_capsule(const struct sn__geom *a, const struct sn__geom *b, double margin,
                        struct sn__touch touch[SN__MOST_TOUCHES]) {
    const struct sn__segment axis[2] = {capsule_axis(a), capsule_axis(b)};
    const double radius[2] = {a->size[0], b->size[0]};
    double across[3], d[3];
    double reach = a->size[0] + a->size[1] + b->size[0] + b->size[1] + margin;
    difference(a->pos, b->pos, d);
    if (!(reach > 0) || dvec_dot(d, d) >= reach * reach) return 0;
    column(a->size[1] >= b->size[1] ? a->R : b->R, 0, across); /* across the longer axis */
    return sn__capsules_touch(axis, radius, across, margin, touch);
}

/* A capsule and a box, in the frame of the box. */
struct in_box {
    const struct sn__geom *capsule, *box;
    struct sn__segment axis;
    double scale, margin;
    int n; /* touches so far */
    struct sn__touch *touch;
};

/* The point of the axis at x, with this normal in the frame of the box. */
static void add_touch(struct in_box *p, const double x[3], const double out[3], double gap,
                      uint32_t feature) {
    double on_a[3], pos[3], normal[3];
    if (gap >= p->margin) return;
    add_scaled(x, -p->capsule->size[0], out, on_a);
    rotate(p->box->R, on_a, pos);
    add_scaled(pos, 1, p->box->pos, pos);
    rotate(p->box->R, out, normal);
    set_touch(&p->touch[p->n++], pos, normal, gap, feature);
}

/* The stretch of the axis with |x_i| <= h_i for the axes i in `which` (bits). Empty: low > high. */
static void clip_axis(const struct in_box *p, int which, double *low, double *high) {
    *low = -1, *high = 1;
    for (int i = 0; i < 3; i++) {
        double c = p->axis.centre[i], d = p->axis.half[i], h = p->box->size[i];
        if (!(which & 1 << i)) continue;
        h += SN__NO_LENGTH * p->scale; /* a corner right on the edge is in */
        if (d == 0) {
            if (fabs(c) > h) *low = 2;
            continue;
        }
        double t = (-h - c) / d, u = (h - c) / d;
        *low = most(*low, least(t, u));
        *high = least(*high, most(t, u));
    }
}

/* On face k, on the side of `sign`: the two ends of the stretch of the axis over the face. `nearest`, if
   there is one, is in it even if rounding says it is not. */
static void touch_face(struct in_box *p, int k, double sign, const double *nearest) {
    double low, high, out[3] = {0, 0, 0}, x[3];
    out[k] = sign;
    clip_axis(p, 7 & ~(1 << k), &low, &high);
    if (low > high)
        low = high = nearest ? *nearest : sign * p->axis.half[k] > 0 ? -1 : 1; /* the deepest end */
    if (nearest) low = least(low, *nearest), high = most(high, *nearest);
    bool one = (high - low) * p->capsule->size[1] < 1e4 * SN__NO_LENGTH * p->scale;
    for (int end = 0; end < 2; end++) {
        if (one && end != (low > 0)) continue;
        segment_at(&p->axis, end ? high : low, x);
        add_touch(p, x, out, sign * x[k] - p->box->size[k] - p->capsule->size[0], (uint32_t)end);
    }
}

/* The way from the solid box to x; its length. */
static double way_out(const struct in_box *p, const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = x[i] - clamp(x[i], -p->box->size[i], p->box->size[i]);
    return dvec_length(out);
}

/* The sphere of the capsule at t, whose centre is outside the box. */
static void touch_outside(struct in_box *p, double t, uint32_t feature) {
    double x[3], out[3];
    segment_at(&p->axis, t, x);
    double distance = way_out(p, x, out);
    for (int i = 0; i < 3; i++)
        out[i] /= distance;
    add_touch(p, x, out, distance - p->capsule->size[0], feature);
}

/* The axis passes an edge or a corner at t. Beside it, the ends of the stretch along the edge, or of the
   whole axis. */
static void touch_edge(struct in_box *p, double t, const double out[3], double distance) {
    int along = 0;
    double low, high, x[3], away[3];
    for (int i = 0; i < 3; i++)
        if (fabs(out[i]) <= 1e-9 * distance) along |= 1 << i;
    clip_axis(p, along, &low, &high);
    double length = p->capsule->size[1],
           same = 1e-4 * p->scale; /* the nearest point stands for an end so near */
    bool at_low = (t - low) * length < same, at_high = (high - t) * length < same;
    double nearest = HUGE_VAL; /* of the ends */
    for (int end = 0; end < 2; end++) {
        double at = end ? high : low;
        if (end ? at_high : at_low) continue;
        segment_at(&p->axis, at, x);
        nearest = least(nearest, way_out(p, x, away));
        touch_outside(p, at, (uint32_t)end);
    }
    if (at_low || at_high)
        touch_outside(p, t, at_low ? 0 : 1);
    else if (distance < nearest - 1e-13 * p->scale) /* not along the edge: there all are as near */
        touch_outside(p, t, 2);
}

/* The axis meets the box. The sum of the box and the axis is bounded by planes across the faces' normals
   e_k and across e_k x d; the shortest way out is over one of them, and the radius comes on top. A face is
   preferred. */
static void touch_inside(struct in_box *p) {
    const double *c = p->axis.centre, *d = p->axis.half, *h = p->box->size;
    int face = 0, edge = -1;
    double best_face = -HUGE_VAL, best_edge = -HUGE_VAL, out[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        double apart = fabs(c[k]) - h[k] - fabs(d[k]);
        if (apart > best_face) best_face = apart, face = k;
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double length = sqrt(d[i] * d[i] + d[j] * d[j]);
        if (length <= 1e-8 * p->scale) continue;
        double ui = -d[j] / length, uj = d[i] / length, side = ui * c[i] + uj * c[j];
        double apart = fabs(side) - fabs(ui) * h[i] - fabs(uj) * h[j];
        if (apart <= best_edge) continue;
        best_edge = apart, edge = k;
        out[k] = 0, out[i] = sign_of(side) * ui, out[j] = sign_of(side) * uj;
    }
    if (edge < 0 || best_edge <= best_face + 1e-3 * fabs(best_face) + 1e-7 * p->scale) {
        touch_face(p, face, sign_of(c[face]), 0);
        return;
    }
    /* the axis passes the edge where c + t d - q is along out, which is across d */
    int i = (edge + 1) % 3, j = (edge + 2) % 3;
    double qi = sign_of(out[i]) * h[i], qj = sign_of(out[j]) * h[j], x[3];
    double t = -((c[i] - qi) * d[i] + (c[j] - qj) * d[j]) / (d[i] * d[i] + d[j] * d[j]);
    segment_at(&p->axis, clamp(t, -1, 1), x);
    add_touch(p, x, out, best_edge - p->capsule->size[0], 2);
}

int sn__capsule_box(const struct sn__geom *a, const struct sn__geom *b, double margin,
                    struct sn__touch touch[SN__MOST_TOUCHES]) {
    const double *h = b->size, r = a->size[0];
    struct in_box p = {.capsule = a, .box = b, .margin = margin, .touch = touch};
    double d[3], x[3], out[3];
    difference(a->pos, b->pos, d);
    rotate_back(b->R, d, p.axis.centre);
    column(a->R, 2, d);
    rotate_back(b->R, d, p.axis.half);
    for (int i = 0; i < 3; i++) {
        p.axis.half[i] *= a->size[1];
        if (fabs(p.axis.centre[i]) - fabs(p.axis.half[i]) - h[i] - r >= margin) return 0;
    }
    p.scale = h[0] + h[1] + h[2] + a->size[1] + r;
    double t = sn__segment_box_nearest(&p.axis, h);
    segment_at(&p.axis, t, x);
    double distance = way_out(&p, x, out);
    if (distance - r >= margin) return 0;
    if (distance <= SN__NO_LENGTH * p.scale) {
        touch_inside(&p);
        return p.n;
    }
    for (int k = 0; k < 3; k++)
        if (fabs(out[(k + 1) % 3]) + fabs(out[(k + 2) % 3]) <= 1e-9 * distance) {
            touch_face(&p, k, sign_of(out[k]), &t);
            return p.n;
        }
    touch_edge(&p, t, out, distance);
    return p.n;
}
