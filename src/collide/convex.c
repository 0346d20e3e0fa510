/* Hulls against all solids, and each other: how the cores are placed (distance.c, inside.c), then the part of one face that
   lies over the other, or the nearest points. The choices are those of box_box.c. */
#include "collide/poly.h"
#include "collide/spread.h"

/* Features: corner of a, corner of b, then edge of a and edge of b, 4 a pair; other corners from OTHER on, by a hash. */
#define CORNER_B UINT32_C(0x2000)
#define EDGES UINT32_C(0x4000)
#define OTHER UINT32_C(0x80000000)

enum { MOST_CORNERS = 256 };

struct pair {
    struct sn__poly poly[2]; /* a, b */
    double margin, scale, slack;
    struct sn__between best;
};

static uint32_t corner_feature(int corner, bool of_b) {
    return (uint32_t)corner + (of_b ? CORNER_B : 0);
}

static uint32_t edges_feature(const struct pair *s, int edge_a, int edge_b) {
    return EDGES + 4 * ((uint32_t)edge_a * (uint32_t)s->poly[1].nedge + (uint32_t)edge_b);
}

static uint32_t mix(uint32_t hash, int value) {
    return (hash ^ (uint32_t)value) * UINT32_C(16777619);
}

/* ------------------------------------------------------------------------------------------ a face on a face */

/* Corner of the polygon that is left of the other solid's face. Its line to the next corner is an edge of the other (0 and
   up), or lies above a side of the face (CLIP - number). */
struct corner {
    double x[3];
    uint32_t feature;
    int line;
};

enum { CLIP = -1 };

/* The face of poly[of] onto which the other is clipped. */
struct face {
    const struct pair *pair;
    int of, number;
    double normal[3], offset;
};

static struct face face_of(const struct pair *s, int of, int number) {
    struct face f = {.pair = s, .of = of, .number = number};
    f.offset = sn__poly_plane(&s->poly[of], number, f.normal);
    return f;
}

/* How far the other's core is above the face. */
static double above_face(const struct face *f) {
    const struct sn__hull *other = &f->pair->poly[!f->of].core;
    double x[3];
    sn__hull_point(other, sn__hull_furthest(other, f->normal, -1), x);
    return dvec_dot(f->normal, x) - f->offset;
}

/* The face that looks most along n among those that have a corner as far along n as any; -1: there are no faces. */
static int furthest_face(const struct sn__poly *p, const double n[3], double slack) {
    const int face = sn__poly_face(p, n), corner = sn__hull_furthest(&p->core, n, 1);
    if (face < 0) return -1;
    double x[3], normal[3], most_along = -HUGE_VAL;
    sn__hull_point(&p->core, corner, x);
    const double far = dvec_dot(n, x) - slack;
    for (int i = p->first[face]; i < p->first[face + 1]; i++) {
        sn__hull_point(&p->core, p->corner[i], x);
        if (dvec_dot(n, x) >= far) return face;
    }
    int best = face;
    for (int f = 0; f < p->nface; f++)
        for (int i = p->first[f]; i < p->first[f + 1]; i++) {
            if (p->corner[i] != corner) continue;
            sn__poly_plane(p, f, normal);
            const double along = dvec_dot(n, normal);
            if (along > most_along) most_along = along, best = f;
        }
    return best;
}

/* The other's face that looks most against this one, or all its corners where it has no faces. */
static int other_face(const struct face *f, struct corner polygon[MOST_CORNERS]) {
    const struct sn__poly *p = &f->pair->poly[!f->of];
    const double back[3] = {-f->normal[0], -f->normal[1], -f->normal[2]};
    const int face = furthest_face(p, back, f->pair->slack);
    int n = face < 0 ? p->core.n : p->first[face + 1] - p->first[face], step = 1;
    while (n / step > MOST_CORNERS / 2)
        step++;
    for (int i = 0; i < n / step; i++) {
        const int at = face < 0 ? 0 : p->first[face] + i * step, corner = face < 0 ? i : p->corner[at];
        sn__hull_point(&p->core, corner, polygon[i].x);
        polygon[i].feature = corner_feature(corner, !f->of);
        polygon[i].line = face < 0 ? 0 : p->side[at];
    }
    return n / step;
}

/* Where a line of the polygon passes side c of the face: two edges, or a corner of the face itself. */
static uint32_t cut_feature(const struct face *f, int line, int c) {
    const struct sn__poly *p = &f->pair->poly[f->of];
    const int first = p->first[f->number], n = p->first[f->number + 1] - first;
    if (line >= 0) {
        const int mine = p->side[first + c];
        return f->of ? edges_feature(f->pair, line, mine) : edges_feature(f->pair, mine, line);
    }
    const int d = CLIP - line;
    if ((c + 1) % n == d) return corner_feature(p->corner[first + d], f->of);
    if ((d + 1) % n == c) return corner_feature(p->corner[first + c], f->of);
    return OTHER | mix(mix(mix(2166136261u, f->number), c), d) >> 2;
}

/* Sutherland and Hodgman: keeps the part of the polygon on the inner side of side c. */
static int clip_polygon(const struct face *f, int c, const struct corner *in, int n, struct corner *out) {
    const struct sn__poly *p = &f->pair->poly[f->of];
    const int first = p->first[f->number], sides = p->first[f->number + 1] - first;
    const double slack = f->pair->slack;
    double o[3], q[3], along[3], inwards[3];
    int count = 0;
    sn__hull_point(&p->core, p->corner[first + c], o);
    sn__hull_point(&p->core, p->corner[first + (c + 1) % sides], q);
    difference(q, o, along);
    dvec_cross(f->normal, along, inwards);
    const double length = dvec_length(inwards), level = dvec_dot(inwards, o);
    for (int k = 0; k < n; k++) {
        const struct corner *x = &in[k], *y = &in[(k + 1) % n];
        const double over[2] = {(level - dvec_dot(inwards, x->x)) / length,
                                (level - dvec_dot(inwards, y->x)) / length};
        const bool x_in = over[0] <= slack, y_in = over[1] <= slack;
        if (x_in && count < MOST_CORNERS) out[count++] = *x;
        if (x_in == y_in || count == MOST_CORNERS) continue;
        struct corner *cut = &out[count++];
        cut_line(x->x, y->x, over, cut->x);
        cut->feature = cut_feature(f, x->line, c);
        cut->line = x_in ? CLIP - c : x->line;
    }
    return count;
}

static double gap_over(const struct face *f, const double x[3]) {
    const struct pair *s = f->pair;
    return dvec_dot(f->normal, x) - f->offset - s->poly[0].core.radius - s->poly[1].core.radius;
}

static void set_face_touch(const struct face *f, const struct corner *c, struct sn__touch *touch) {
    const struct pair *s = f->pair;
    const double gap = gap_over(f, c->x), sign = f->of ? 1 : -1;
    add_scaled(c->x, -(s->poly[!f->of].core.radius + 0.5 * gap), f->normal, touch->pos);
    for (int i = 0; i < 3; i++)
        touch->normal[i] = sign * f->normal[i];
    touch->gap = gap;
    touch->feature = c->feature;
}

static bool has_feature(const struct sn__touch *touch, int n, uint32_t feature) {
    for (int k = 0; k < n; k++)
        if (touch[k].feature == feature) return true;
    return false;
}

/* Of many corners a few. */
static int choose_corners(const struct face *f, struct corner *c, int n) {
    struct sn__spread spread;
    struct corner all[SN__SPREAD];
    int kept[SN__SPREAD];
    sn__spread_start(&spread, f->normal, f->pair->poly[f->of].geom->R, 1e-6 * f->pair->scale);
    for (int i = 0; i < n; i++)
        sn__spread_offer(&spread, c[i].x, i);
    const int count = sn__spread_take(&spread, kept);
    for (int i = 0; i < count; i++)
        all[i] = c[kept[i]];
    for (int i = 0; i < count; i++)
        c[i] = all[i];
    return count;
}

/* Where the other may come far within the margin it may turn on its way, so that any of its corners over the face may
   come down first: all of them join. */
static int add_corners_above(const struct face *f, struct corner *polygon, int n) {
    const struct sn__poly *p = &f->pair->poly[f->of], *other = &f->pair->poly[!f->of];
    const int first = p->first[f->number], sides = p->first[f->number + 1] - first;
    for (int i = 0; i < other->core.n && n < MOST_CORNERS; i++) {
        struct corner *c = &polygon[n];
        bool over = true;
        sn__hull_point(&other->core, i, c->x);
        for (int s = 0; s < sides && over; s++) {
            double o[3], q[3], along[3], inwards[3], d[3];
            sn__hull_point(&p->core, p->corner[first + s], o);
            sn__hull_point(&p->core, p->corner[first + (s + 1) % sides], q);
            difference(q, o, along);
            dvec_cross(f->normal, along, inwards);
            difference(c->x, o, d);
            over = dvec_dot(inwards, d) >= 0;
        }
        c->feature = corner_feature(i, !f->of);
        for (int k = 0; k < n && over; k++)
            over = polygon[k].feature != c->feature;
        n += over;
    }
    return n;
}

/* The other's part over the face. *deepest is its smallest gap, whether or not within the margin. */
static int touch_face(const struct face *f, double *deepest, struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct corner polygon[2][MOST_CORNERS];
    const struct sn__poly *p = &f->pair->poly[f->of];
    const int sides = p->first[f->number + 1] - p->first[f->number];
    int n = other_face(f, polygon[0]), near = 0, count = 0;
    for (int c = 0; c < sides; c++)
        n = clip_polygon(f, c, polygon[c % 2], n, polygon[(c + 1) % 2]);
    struct corner *left = polygon[sides % 2];
    const struct sn__geom *other = f->pair->poly[!f->of].geom;
    if (n > 0 && other->type == SN__GEOM_HULL && f->pair->margin > sn__geom_inner(other))
        n = add_corners_above(f, left, n);
    *deepest = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        const double gap = gap_over(f, left[k].x);
        *deepest = least(*deepest, gap);
        if (gap < f->pair->margin) left[near++] = left[k];
    }
    if (near > SN__SPREAD) near = choose_corners(f, left, near);
    for (int k = 0; k < near; k++)
        if (!has_feature(touch, count, left[k].feature)) set_face_touch(f, &left[k], &touch[count++]);
    return count;
}

/* ----------------------------------------------------------------------------------------- nearest features */

static struct sn__segment edge_of(const struct sn__poly *p, int edge) {
    struct sn__segment s;
    double x[3], y[3];
    sn__hull_point(&p->core, p->edge[edge].from, x);
    sn__hull_point(&p->core, p->edge[edge].to, y);
    for (int i = 0; i < 3; i++)
        s.centre[i] = 0.5 * (x[i] + y[i]), s.half[i] = 0.5 * (y[i] - x[i]);
    return s;
}

/* The corners by number, whatever their order. */
static uint32_t mix_corners(uint32_t hash, const int *corner, int n) {
    int last = -1;
    for (int k = 0; k < n; k++) {
        int next = -1;
        for (int i = 0; i < n; i++)
            if (corner[i] > last && (next < 0 || corner[i] < next)) next = corner[i];
        hash = mix(hash, last = next);
    }
    return mix(hash, -n);
}

static int touch_nearest(const struct pair *s, struct sn__touch *touch) {
    const struct sn__between *x = &s->best;
    const double r[2] = {s->poly[0].core.radius, s->poly[1].core.radius}, gap = x->apart - r[0] - r[1];
    const int a = x->na == 2 ? sn__poly_edge(&s->poly[0], x->a[0], x->a[1]) : -1,
              b = x->nb == 2 ? sn__poly_edge(&s->poly[1], x->b[0], x->b[1]) : -1;
    double on_a[3];
    add_scaled(x->on_a, 0, x->on_a, on_a);
    if (a >= 0 && b >= 0) {
        const struct sn__segment one = edge_of(&s->poly[0], a), two = edge_of(&s->poly[1], b);
        if (x->apart > s->slack) {
            const int n = sn__segments_touch(&one, &two, r[0], r[1], x->normal, s->margin, touch);
            for (int k = 0; k < n; k++)
                touch[k].feature += edges_feature(s, a, b);
            return n;
        }
        double t, u;
        sn__segments_nearest(&one, &two, &t, &u);
        segment_at(&one, t, on_a);
    }
    if (!(gap < s->margin)) return 0;
    uint32_t feature = OTHER | mix_corners(mix_corners(2166136261u, x->a, x->na), x->b, x->nb) >> 2;
    if (a >= 0 && b >= 0) feature = edges_feature(s, a, b) + 2;
    if (x->apart <= s->slack && !(a >= 0 && b >= 0)) feature = OTHER; /* of a face's corners any three */
    add_scaled(on_a, -r[0], x->normal, on_a);
    set_touch(touch, on_a, x->normal, gap, feature);
    return 1;
}

/* ---------------------------------------------------------------------------------------------- the choice */

/* Of two faces that are as good, the one of the larger solid. The margin within which a face counts as good: apart only
   by rounding; inside each other a little more, so that the choice does not flicker. */
static int touch_all(const struct pair *s, struct sn__touch *touch) {
    const double r = s->poly[0].core.radius + s->poly[1].core.radius, apart = s->best.apart;
    const bool inside = apart <= s->slack;
    const double worse = inside ? 5e-7 * s->scale + s->slack : s->slack;
    const double back[3] = {-s->best.normal[0], -s->best.normal[1], -s->best.normal[2]};
    for (int i = 0, k = s->poly[0].volume < s->poly[1].volume; i < 2; i++, k = !k) {
        const int number = sn__poly_face(&s->poly[k], k ? s->best.normal : back);
        if (number < 0) continue;
        const struct face f = face_of(s, k, number);
        if (above_face(&f) < apart - worse) continue;
        double deepest;
        int n = touch_face(&f, &deepest, touch);
        if (deepest <= apart - r + worse) return n;
        if (!inside || n >= SN__MOST_TOUCHES) continue;
        /* nothing so deep is over this face: they only just meet, where they are nearest */
        struct pair nearest = *s;
        for (int j = 0; j < 3; j++)
            nearest.best.normal[j] = k ? f.normal[j] : -f.normal[j];
        nearest.best.apart = above_face(&f);
        return n + touch_nearest(&nearest, &touch[n]);
    }
    return touch_nearest(s, touch);
}

static void take_distance(const struct sn__apart *apart, const struct sn__simplex *simplex, double radii,
                          double radius_b, struct sn__between *out) {
    *out = (struct sn__between){.apart = apart->gap + radii};
    add_scaled(apart->normal, 0, apart->normal, out->normal);
    add_scaled(apart->on_b, out->apart - radius_b, apart->normal, out->on_a);
    for (int k = 0; k < simplex->n; k++) {
        bool a = true, b = true;
        for (int i = 0; i < out->na; i++)
            a = a && out->a[i] != simplex->a[k];
        for (int i = 0; i < out->nb; i++)
            b = b && out->b[i] != simplex->b[k];
        if (a) out->a[out->na++] = simplex->a[k];
        if (b) out->b[out->nb++] = simplex->b[k];
    }
}

int sn__convex_convex(const struct sn__geom *a, const struct sn__geom *b, double margin,
                      struct sn__touch touch[SN__MOST_TOUCHES]) {
    static const double nowhere[3];
    struct pair s = {.margin = margin, .scale = sn__geom_reach(a) + sn__geom_reach(b)};
    struct sn__simplex simplex = {0};
    struct sn__apart apart;
    sn__poly_of(a, b->pos, &s.poly[0]);
    sn__poly_of(b, b->pos, &s.poly[1]);
    s.slack = SN__NO_LENGTH * s.scale + s.poly[0].flat + s.poly[1].flat;
    sn__hulls_apart(&s.poly[0].core, nowhere, &s.poly[1].core, &simplex, &apart);
    if (apart.gap >= margin) return 0;
    const double radii = s.poly[0].core.radius + s.poly[1].core.radius;
    if (apart.length > 1e-8 * s.scale)
        take_distance(&apart, &simplex, radii, s.poly[1].core.radius, &s.best);
    else
        sn__cores_inside(&s.poly[0].core, &s.poly[1].core, &s.best);
    int n;
    if (a->type == SN__GEOM_SPHERE || b->type == SN__GEOM_SPHERE) {
        n = touch_nearest(&s, touch);
        touch[0].feature = 0;
    } else {
        n = touch_all(&s, touch);
    }
    for (int k = 0; k < n; k++)
        add_scaled(touch[k].pos, 1, b->pos, touch[k].pos);
    return n;
}
