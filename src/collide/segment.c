/* Nearest points of segments. */
#include "collide/pairs.h"

double sn__segment_nearest(const struct sn__segment *s, const double p[3]) {
    double d[3], squared = dvec_dot(s->half, s->half);
    difference(p, s->centre, d);
    return squared > 0 ? clamp(dvec_dot(d, s->half) / squared, -1, 1) : 0;
}

/* The middle of the stretch of a that b runs beside, in a's parameter. */
static double shared_middle(const struct sn__segment *a, const struct sn__segment *b) {
    double squared = dvec_dot(a->half, a->half), w[3];
    if (!(squared > 0)) return 0;
    difference(b->centre, a->centre, w);
    double middle = dvec_dot(w, a->half) / squared, reach = fabs(dvec_dot(b->half, a->half)) / squared;
    return 0.5 * (clamp(middle - reach, -1, 1) + clamp(middle + reach, -1, 1));
}

/* Minimises |w + s u - t v|. On the lines themselves w + s u - t v is along n = u x v, so its product with
   v x n is zero: s = -w.(v x n) / n.n. Then each parameter is clamped and the other follows. */
void sn__segments_nearest(const struct sn__segment *a, const struct sn__segment *b, double *s, double *t) {
    const double *u = a->half, *v = b->half;
    double w[3], n[3], vn[3], p[3];
    difference(a->centre, b->centre, w);
    dvec_cross(u, v, n);
    double uu = dvec_dot(u, u), vv = dvec_dot(v, v), nn = dvec_dot(n, n);
    if (nn > 1e-16 * uu * vv) {
        dvec_cross(v, n, vn);
        *s = clamp(-dvec_dot(w, vn) / nn, -1, 1);
    } else {
        *s = shared_middle(a, b);
    }
    segment_at(a, *s, p);
    *t = sn__segment_nearest(b, p);
    segment_at(b, *t, p);
    *s = sn__segment_nearest(a, p);
}

/* Two places on two thick segments: a(s) and b(t). */
struct places {
    const struct sn__segment *a, *b;
    double s, t;
    const double *radius; /* [2] */
    double no_length;     /* up to which they are at the same place; the normal is then `spare` */
    const double *spare;
};

static void touch_at(const struct places *x, uint32_t feature, struct sn__touch *touch) {
    double p[3], q[3], d[3], normal[3], on_a[3];
    segment_at(x->a, x->s, p);
    segment_at(x->b, x->t, q);
    difference(p, q, d);
    double distance = dvec_length(d);
    for (int i = 0; i < 3; i++)
        normal[i] = distance > x->no_length ? d[i] / distance : x->spare[i];
    add_scaled(p, -x->radius[0], normal, on_a);
    set_touch(touch, on_a, normal, distance - x->radius[0] - x->radius[1], feature);
}

/* Where the segments cross, the shortest way out is across both: to the side where a(s) is seen from b(t),
   or else a's centre from b's. */
static void crossing_normal(const struct sn__segment *a, const struct sn__segment *b, double s, double t,
                            double no_length, const double spare[3], double normal[3]) {
    double p[3], q[3], w[3], n[3], uu = dvec_dot(a->half, a->half), vv = dvec_dot(b->half, b->half);
    dvec_cross(a->half, b->half, n);
    double nn = dvec_dot(n, n);
    for (int i = 0; i < 3; i++)
        normal[i] = spare[i];
    if (!(nn > 1e-16 * uu * vv)) return;
    segment_at(a, s, p);
    segment_at(b, t, q);
    difference(p, q, w);
    double side = dvec_dot(w, n), length = sqrt(nn);
    if (fabs(side) <= 0.01 * no_length * length) {
        difference(a->centre, b->centre, w);
        side = dvec_dot(w, n);
    }
    for (int i = 0; i < 3; i++)
        normal[i] = sign_of(side) / length * n[i];
}

/* The two ends of the stretch where a and b run beside each other, seen along the direction between
   theirs. Each is the end of one segment and the nearest point of the other, so that it does not matter
   which segment comes first. 0: there is no such stretch. */
static int touch_ends(const struct sn__segment *a, const struct sn__segment *b, const double radius[2],
                      double no_length, const double spare[3], struct sn__touch touch[2]) {
    double length_a = dvec_length(a->half), length_b = dvec_length(b->half), along[3], w[3];
    double same = sign_of(dvec_dot(a->half, b->half)); /* -1: b runs against a */
    for (int i = 0; i < 3; i++)
        along[i] = a->half[i] / length_a + same * b->half[i] / length_b;
    difference(b->centre, a->centre, w);
    double middle = dvec_dot(w, along), reach_a = dvec_dot(a->half, along),
           reach_b = same * dvec_dot(b->half, along);
    double low = most(-reach_a, middle - reach_b), high = least(reach_a, middle + reach_b);
    if (high - low < 1e4 * no_length) return 0;
    for (int k = 0; k < 2; k++) {
        double side = k ? 1 : -1, s = side, t = side * same, p[3];
        bool ends_a = side * (middle + side * reach_b) >= reach_a; /* a ends first */
        segment_at(ends_a ? a : b, ends_a ? s : t, p);
        if (ends_a)
            t = sn__segment_nearest(b, p);
        else
            s = sn__segment_nearest(a, p);
        touch_at(&(struct places){a, b, s, t, radius, no_length, spare}, (uint32_t)k, &touch[k]);
    }
    return 2;
}

/* Axes less than 6 degrees apart: their sine. */
#define NEARLY_PARALLEL 0.1

/* The touch of the nearest points, and their parameters. Returns the sine between the segments. */
static double touch_nearest(const struct sn__segment *a, const struct sn__segment *b, const double radius[2],
                            double no_length, const double spare[3], double at[2], struct sn__touch *touch) {
    double across[3], n[3], squares = dvec_dot(a->half, a->half) * dvec_dot(b->half, b->half);
    sn__segments_nearest(a, b, &at[0], &at[1]);
    dvec_cross(a->half, b->half, n);
    double sine = dvec_length(n) / (squares > 0 ? sqrt(squares) : 1);
    /* between the ends, u x v has the direction of a short way more exactly than the way itself */
    bool between = fabs(at[0]) < 1 && fabs(at[1]) < 1 && sine > 1e-3;
    crossing_normal(a, b, at[0], at[1], no_length, spare, across);
    const struct places nearest = {a, b, at[0], at[1], radius, between ? 1e3 * no_length : no_length, across};
    touch_at(&nearest, 2, touch);
    return sine;
}

int sn__segments_touch(const struct sn__segment *a, const struct sn__segment *b, double radius_a,
                       double radius_b, const double spare[3], double margin, struct sn__touch touch[3]) {
    const double radius[2] = {radius_a, radius_b};
    double at[2], d[3], length_a = dvec_length(a->half), length_b = dvec_length(b->half);
    double scale = length_a + length_b + radius_a + radius_b, no_length = SN__NO_LENGTH * scale;
    struct sn__touch nearest;
    double sine = touch_nearest(a, b, radius, no_length, spare, at, &nearest);
    if (nearest.gap >= margin) return 0;
    touch[0] = nearest;
    if (sine > NEARLY_PARALLEL || !(length_a * length_b > 0)) return 1;
    struct sn__touch end[2];
    int ends = touch_ends(a, b, radius, no_length, nearest.normal, end), count = 0;
    if (!ends) return 1;
    bool needed = nearest.gap < least(end[0].gap, end[1].gap) - 1e-13 * scale; /* not where all are as near */
    for (int k = 0; k < ends; k++) {
        difference(end[k].pos, nearest.pos, d);
        if (needed && dvec_length(d) < 1e-4 * scale) { /* it stands for an end so near */
            end[k] = nearest;
            end[k].feature = (uint32_t)k;
            needed = false;
        }
        if (end[k].gap < margin) touch[count++] = end[k];
    }
    if (needed) touch[count++] = nearest;
    return count;
}

/* --------------------------------------------------------------------------------------------- two capsules */

enum { ENDS = 4, NEAREST = 4 }; /* places 0, 1: the ends of a; 2, 3: those of b; 4: the nearest points */

/* A point of each axis, by its parameter, and what the spheres there make of each other. */
struct place {
    double at[2];
    bool used;
    struct sn__touch touch;
};

struct capsules {
    const struct sn__segment *axis;      /* two */
    double length[2], no_length, slight; /* half lengths; places nearer than `slight` are one */
    struct place place[ENDS + 1];
};

/* End k of one, and the nearest point of the other's axis. */
static void find_end(struct capsules *c, int k, const double radius[2], double margin) {
    struct place *end = &c->place[k];
    const struct sn__touch *nearest = &c->place[NEAREST].touch;
    int own = k / 2, other = 1 - own;
    double p[3];
    end->at[own] = k % 2 ? 1 : -1;
    segment_at(&c->axis[own], end->at[own], p);
    end->at[other] = sn__segment_nearest(&c->axis[other], p);
    const struct places places = {&c->axis[0], &c->axis[1],  end->at[0],     end->at[1],
                                  radius,      c->no_length, nearest->normal};
    touch_at(&places, (uint32_t)k, &end->touch);
    /* Axes that are apart see all these normals within a right angle. Capsules so far inside each other
       that an end is pushed well aside would be pushed both ways at once: there only the nearest points
       say the way. */
    bool aside = end->touch.gap < 0 && dvec_dot(end->touch.normal, nearest->normal) < 0.5;
    end->used = end->touch.gap < margin && !aside;
}

/* An end beyond the other's end: that end meets this capsule sooner, unless each is the nearest to the
   other. */
static bool is_beyond(const struct capsules *c, int k) {
    int own = k / 2, other = 1 - own;
    double foot = c->place[k].at[other];
    if (c->length[other] > c->no_length && fabs(foot) < 1) return false;
    return c->place[2 * other + (foot > 0)].at[own] != c->place[k].at[own];
}

static bool is_same(const struct capsules *c, int k, int l) {
    const double *x = c->place[k].at, *y = c->place[l].at;
    return fabs(x[0] - y[0]) * c->length[0] + fabs(x[1] - y[1]) * c->length[1] < c->slight;
}

/* Places that are one are reported once, as the nearest of them, by the first name of an end. So a nearest
   point that comes to an end takes the end's name, and keeps it there. */
static void merge_places(struct capsules *c) {
    struct place *place = c->place;
    for (int k = 0; k < ENDS; k++)
        for (int l = k + 1; l <= NEAREST; l++) {
            if (!place[k].used || !place[l].used || !is_same(c, k, l)) continue;
            if (place[l].touch.gap <= place[k].touch.gap) place[k] = place[l];
            place[l].used = false;
        }
}

/* Nearly parallel capsules have an end of each on either side. Where both are over the other's middle they
   are beside each other and say the same: the one that holds the nearest point stays, or else the one that
   ends first. It always has a's name, for which of them ends first may change with every step. */
static void join_parallel(struct capsules *c, double nearest_gap) {
    const struct sn__segment *a = &c->axis[0], *b = &c->axis[1];
    bool against = dvec_dot(a->half, b->half) < 0;
    double along[3], p[3], q[3], d[3];
    for (int i = 0; i < 3; i++)
        along[i] = a->half[i] / c->length[0] + (against ? -1 : 1) * b->half[i] / c->length[1];
    for (int k = 0; k < 2; k++) {
        struct place *of_a = &c->place[k], *of_b = &c->place[2 + (against ? 1 - k : k)];
        if (!of_b->used) continue;
        segment_at(a, k ? 1 : -1, p);
        segment_at(b, (k == 1) != against ? 1 : -1, q);
        difference(p, q, d);
        bool b_first = (k ? 1 : -1) * dvec_dot(d, along) > 0;
        if (of_a->touch.gap <= nearest_gap) b_first = false;
        if (of_b->touch.gap <= nearest_gap) b_first = true;
        if (b_first || !of_a->used) *of_a = *of_b;
        of_b->used = false;
    }
}

/* Every sphere along one capsule stays out of the other; the nearest two say so for now, the four end
   spheres for when the capsules turn about them. */
int sn__capsules_touch(const struct sn__segment axis[2], const double radius[2], const double spare[3],
                       double margin, struct sn__touch touch[5]) {
    struct capsules c = {.axis = axis, .length = {dvec_length(axis[0].half), dvec_length(axis[1].half)}};
    struct place *nearest = &c.place[NEAREST];
    double scale = c.length[0] + c.length[1] + radius[0] + radius[1];
    c.no_length = SN__NO_LENGTH * scale;
    c.slight = 1e-3 * (radius[0] + radius[1]) + 1e4 * c.no_length;
    double sine = touch_nearest(&axis[0], &axis[1], radius, c.no_length, spare, nearest->at, &nearest->touch);
    if (nearest->touch.gap >= margin) return 0;
    const double least_gap = nearest->touch.gap;
    nearest->used = true;
    for (int k = 0; k < ENDS; k++)
        find_end(&c, k, radius, margin);
    bool beyond[ENDS];
    for (int k = 0; k < ENDS; k++)
        beyond[k] = is_beyond(&c, k);
    for (int k = 0; k < ENDS; k++)
        c.place[k].used &= !beyond[k];
    merge_places(&c);
    if (sine < NEARLY_PARALLEL && c.length[0] > c.no_length && c.length[1] > c.no_length)
        join_parallel(&c, least_gap);
    int n = 0;
    for (int k = 0; k <= NEAREST; k++) {
        if (!c.place[k].used) continue;
        touch[n] = c.place[k].touch;
        touch[n++].feature = (uint32_t)k;
        if (k < NEAREST && c.place[k].touch.gap <= least_gap + 1e-9 * scale)
            nearest->used = false; /* nothing between the ends is nearer */
    }
    return n;
}

/* ------------------------------------------------------------------------------------------ segment and box */

/* Half the slope of the squared distance to the box at t: sum of d_i (x_i - clamp(x_i)). It never falls as
   t grows. */
static double box_slope(const struct sn__segment *s, const double h[3], double t) {
    double slope = 0;
    for (int i = 0; i < 3; i++) {
        double x = s->centre[i] + t * s->half[i];
        slope += s->half[i] * (x - clamp(x, -h[i], h[i]));
    }
    return slope;
}

/* The slope is linear between the places where the segment crosses the planes of the faces. So its root
   lies between the last of these places where it is negative and the first where it is not. */
double sn__segment_box_nearest(const struct sn__segment *s, const double h[3]) {
    double low = -1, high = 1, slope_low = box_slope(s, h, low), slope_high = box_slope(s, h, high);
    if (slope_low >= 0) return low;
    if (slope_high <= 0) return high;
    for (int k = 0; k < 6; k++) {
        int i = k % 3;
        double side = k < 3 ? -h[i] : h[i];
        if (s->half[i] == 0) continue;
        double t = (side - s->centre[i]) / s->half[i];
        if (!(t > low && t < high)) continue;
        double slope = box_slope(s, h, t);
        if (slope < 0)
            low = t, slope_low = slope;
        else
            high = t, slope_high = slope;
    }
    return low + (high - low) * (slope_low / (slope_low - slope_high));
}
