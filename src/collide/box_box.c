/* Box against box: the axis along which they are furthest apart or least inside each other (15
   candidates), then the part of one face that lies over the other, or the two edges. */
#include "collide/pairs.h"

/* Features: corner of a 0..7, corner of b 8..15; edge of a and edge of b 16 + 3 (12 edge_a + edge_b) +
   0..2; other nearest features from NEAREST on, 27 region_a + region_b; MEET where there are none. */
enum { CORNER_B = 8, EDGES = 16, NEAREST = EDGES + 3 * 144, MEET = NEAREST + 27 * 27 };

/* Number of the edge along `axis` at the corner whose signs are the bits. */
static uint32_t edge_number(int axis, uint32_t corner) {
    return (uint32_t)axis * 4 + (corner >> (axis + 1) % 3 & 1) * 2 + (corner >> (axis + 2) % 3 & 1);
}

static uint32_t edges_feature(uint32_t edge_a, uint32_t edge_b) {
    return EDGES + 3 * (12 * edge_a + edge_b) + 2;
}

/* b as a sees it: C[i][j] = a_i . b_j, and where b's centre is. */
struct view {
    const struct sn__geom *from, *to;
    double C[3][3], at[3];
};

static struct view view_of(const struct sn__geom *from, const struct sn__geom *to) {
    struct view v = {.from = from, .to = to};
    double d[3];
    difference(to->pos, from->pos, d);
    rotate_back(from->R, d, v.at);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v.C[i][j] =
                from->R[0][i] * to->R[0][j] + from->R[1][i] * to->R[1][j] + from->R[2][i] * to->R[2][j];
    return v;
}

/* --------------------------------------------------------------------------------------------------- axes */

struct axis {
    double apart;  /* negative: the way out */
    double sign;   /* of the direction to the other box */
    int i, j;      /* face i; edges i of a and j of b */
    double out[3]; /* edges: unit, from a to b, in the frame of a */
};

/* The face of v->from that is furthest from the other box. */
static struct axis best_face(const struct view *v) {
    const double *h = v->from->size, *g = v->to->size;
    struct axis best = {.apart = -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        double reach = h[i] + fabs(v->C[i][0]) * g[0] + fabs(v->C[i][1]) * g[1] + fabs(v->C[i][2]) * g[2];
        double apart = fabs(v->at[i]) - reach;
        if (apart > best.apart) best = (struct axis){.apart = apart, .sign = sign_of(v->at[i]), .i = i};
    }
    return best;
}

/* Of the axes a_i x b_j; those of nearly parallel edges say nothing that the faces do not say. */
static struct axis best_edges(const struct view *v) {
    const double *h = v->from->size, *g = v->to->size, least_sine = 1e-5;
    struct axis best = {.apart = -HUGE_VAL};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = (i + 1) % 3, l = (i + 2) % 3;
            /* e_i x C_j has the parts -C_lj along k and C_kj along l */
            double uk = -v->C[l][j], ul = v->C[k][j], squared = uk * uk + ul * ul;
            if (squared < least_sine * least_sine) continue;
            double side = v->at[k] * uk + v->at[l] * ul;
            double reach = h[k] * fabs(uk) + h[l] * fabs(ul) + g[(j + 1) % 3] * fabs(v->C[i][(j + 2) % 3]) +
                           g[(j + 2) % 3] * fabs(v->C[i][(j + 1) % 3]);
            double length = sqrt(squared), apart = (fabs(side) - reach) / length;
            if (apart <= best.apart) continue;
            best = (struct axis){.apart = apart, .sign = sign_of(side), .i = i, .j = j};
            best.out[k] = best.sign * uk / length;
            best.out[l] = best.sign * ul / length;
        }
    return best;
}

/* ----------------------------------------------------------------------------------------- a face on a face */

/* Corner of the polygon that is left of the other box's face. Its line to the next corner is an edge of
   the other box (0..11) or lies in a clipping plane (CLIP + 0..3). */
struct corner {
    double x[3];
    uint32_t feature;
    int line;
};

enum { CLIP = 12, MOST_CORNERS = 8 };

/* The face of v->from on side `sign` of axis k, onto which the other box is clipped. */
struct face {
    const struct view *v;
    int k;
    double sign;
    bool of_b;
};

/* The clipping plane c: the side of the face at axis k + 1 or k + 2. */
static int clip_axis(const struct face *f, int c) {
    return (f->k + 1 + c / 2) % 3;
}

static uint32_t sign_bit(int axis, double sign) {
    return sign > 0 ? 1u << axis : 0;
}

static uint32_t clip_bits(const struct face *f, int c) {
    return sign_bit(clip_axis(f, c), c % 2 ? 1 : -1);
}

/* Where a line of the polygon goes through clipping plane c: two edges, or a corner of the face itself. */
static uint32_t cut_feature(const struct face *f, int line, int c) {
    uint32_t bits = sign_bit(f->k, f->sign) | clip_bits(f, c);
    if (line >= CLIP) return (bits | clip_bits(f, line - CLIP)) + (f->of_b ? CORNER_B : 0);
    uint32_t mine = edge_number(3 - f->k - clip_axis(f, c), bits), other = (uint32_t)line;
    return f->of_b ? edges_feature(other, mine) : edges_feature(mine, other);
}

/* The face of the other box that looks most against this one. */
static int other_face(const struct face *f, struct corner polygon[MOST_CORNERS]) {
    const struct view *v = f->v;
    const double *g = v->to->size;
    int m = 0;
    for (int j = 1; j < 3; j++)
        if (fabs(v->C[f->k][j]) > fabs(v->C[f->k][m])) m = j;
    int p = (m + 1) % 3, q = (m + 2) % 3;
    uint32_t base = sign_bit(m, -f->sign * sign_of(v->C[f->k][m]));
    for (int n = 0; n < 4; n++) {
        /* around the face: (-, -), (+, -), (+, +), (-, +) */
        uint32_t bits = base | (n == 1 || n == 2 ? 1u << p : 0) | (n >= 2 ? 1u << q : 0);
        double y[3];
        for (int j = 0; j < 3; j++)
            y[j] = bits >> j & 1 ? g[j] : -g[j];
        rotate(v->C, y, polygon[n].x);
        add_scaled(polygon[n].x, 1, v->at, polygon[n].x);
        polygon[n].feature = bits + (f->of_b ? 0 : CORNER_B);
        polygon[n].line = (int)edge_number(n % 2 ? q : p, bits);
    }
    return 4;
}

/* Sutherland and Hodgman: keeps the part of the polygon on the inner side of plane c. */
static int clip_polygon(const struct face *f, int c, double slack, const struct corner *in, int n,
                        struct corner out[MOST_CORNERS]) {
    int i = clip_axis(f, c), count = 0;
    double side = c % 2 ? 1 : -1, h = f->v->from->size[i];
    for (int k = 0; k < n; k++) {
        const struct corner *p = &in[k], *q = &in[(k + 1) % n];
        const double over[2] = {side * p->x[i] - h, side * q->x[i] - h};
        bool p_in = over[0] <= slack, q_in = over[1] <= slack;
        if (p_in && count < MOST_CORNERS) out[count++] = *p;
        if (p_in == q_in || count == MOST_CORNERS) continue;
        struct corner *cut = &out[count++];
        cut_line(p->x, q->x, over, cut->x);
        cut->feature = cut_feature(f, p->line, c);
        cut->line = p_in ? CLIP + c : p->line;
    }
    return count;
}

/* A point of the other box at x, in the frame of the face, as a touch. */
static void set_face_touch(const struct face *f, const double x[3], uint32_t feature,
                           struct sn__touch *touch) {
    const struct sn__geom *g = f->v->from;
    double middle[3] = {x[0], x[1], x[2]}, gap = f->sign * x[f->k] - g->size[f->k];
    double towards_a = f->of_b ? f->sign : -f->sign;
    middle[f->k] -= 0.5 * f->sign * gap;
    rotate(g->R, middle, touch->pos);
    add_scaled(touch->pos, 1, g->pos, touch->pos);
    for (int i = 0; i < 3; i++)
        touch->normal[i] = towards_a * g->R[i][f->k];
    touch->gap = gap;
    touch->feature = feature;
}

static bool has_feature(const struct sn__touch *touch, int n, uint32_t feature) {
    for (int k = 0; k < n; k++)
        if (touch[k].feature == feature) return true;
    return false;
}

/* The other box's part over the face. *deepest is its smallest gap, whether or not within the margin. */
static int touch_face(const struct face *f, double slack, double margin, double *deepest,
                      struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct corner polygon[2][MOST_CORNERS];
    int n = other_face(f, polygon[0]), count = 0;
    for (int c = 0; c < 4; c++)
        n = clip_polygon(f, c, slack, polygon[c % 2], n, polygon[(c + 1) % 2]);
    *deepest = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        const struct corner *p = &polygon[0][k];
        double gap = f->sign * p->x[f->k] - f->v->from->size[f->k];
        *deepest = least(*deepest, gap);
        if (gap < margin && !has_feature(touch, count, p->feature))
            set_face_touch(f, p->x, p->feature, &touch[count++]);
    }
    return count;
}

/* -------------------------------------------------------------------------------------------------- edges */

/* The edge of a box along `axis` at a corner, in the world. */
static struct sn__segment box_edge(const struct sn__geom *g, int axis, uint32_t corner) {
    struct sn__segment s;
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = i == axis ? 0 : corner >> i & 1 ? g->size[i] : -g->size[i];
    rotate(g->R, x, s.centre);
    add_scaled(s.centre, 1, g->pos, s.centre);
    for (int i = 0; i < 3; i++)
        s.half[i] = g->R[i][axis] * g->size[axis];
    return s;
}

/* The corner of a box that is furthest along d, a direction in the world. */
static uint32_t furthest_corner(const struct sn__geom *g, const double d[3]) {
    double x[3];
    rotate_back(g->R, d, x);
    return sign_bit(0, x[0]) | sign_bit(1, x[1]) | sign_bit(2, x[2]);
}

/* Two edges that look at each other across a gap. */
static int touch_edges_apart(const struct view *v, const int axis[2], const uint32_t corner[2],
                             const double spare[3], double margin, struct sn__touch *touch) {
    struct sn__segment a = box_edge(v->from, axis[0], corner[0]), b = box_edge(v->to, axis[1], corner[1]);
    int n = sn__segments_touch(&a, &b, 0, 0, spare, margin, touch);
    for (int k = 0; k < n; k++)
        touch[k].feature +=
            edges_feature(edge_number(axis[0], corner[0]), edge_number(axis[1], corner[1])) - 2;
    return n;
}

/* The two edges of this axis. Apart: true only if their distance is what the axis says. */
static bool touch_edges(const struct view *v, const struct axis *e, double slack, double margin, int *n,
                        struct sn__touch *touch) {
    double out[3], normal[3], s, t, p[3], q[3], d[3];
    rotate(v->from->R, e->out, out);
    for (int i = 0; i < 3; i++)
        normal[i] = -out[i];
    uint32_t corner_a = furthest_corner(v->from, out), corner_b = furthest_corner(v->to, normal);
    struct sn__segment a = box_edge(v->from, e->i, corner_a), b = box_edge(v->to, e->j, corner_b);
    sn__segments_nearest(&a, &b, &s, &t);
    segment_at(&a, s, p);
    segment_at(&b, t, q);
    if (e->apart > slack) {
        difference(p, q, d);
        if (dvec_length(d) > e->apart + slack) return false;
        *n = touch_edges_apart(v, (const int[]){e->i, e->j}, (const uint32_t[]){corner_a, corner_b}, normal,
                               margin, touch);
        return true;
    }
    set_touch(touch, p, normal, e->apart,
              edges_feature(edge_number(e->i, corner_a), edge_number(e->j, corner_b)));
    *n = 1;
    return true;
}

/* ----------------------------------------------------------------------------------------- nearest features */

/* Nearest points of two boxes that are apart, in the frame of a. */
struct nearest {
    double distance, on_a[3], on_b[3];
};

static void keep_nearer(struct nearest *best, const double on_a[3], const double on_b[3]) {
    double d[3];
    difference(on_a, on_b, d);
    double distance = dvec_length(d);
    if (distance >= best->distance) return;
    best->distance = distance;
    for (int i = 0; i < 3; i++)
        best->on_a[i] = on_a[i], best->on_b[i] = on_b[i];
}

static void nearest_in(const double h[3], const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = clamp(x[i], -h[i], h[i]);
}

/* Either an edge of b is nearest to some point of a, or a corner of a to a face of b. */
static struct nearest find_nearest(const struct view *ab, const struct view *ba) {
    struct nearest best = {.distance = HUGE_VAL};
    const double *h = ab->from->size, *g = ab->to->size;
    for (int e = 0; e < 12; e++) {
        int j = e / 4, p = (j + 1) % 3, q = (j + 2) % 3;
        double y[3], x[3], on_a[3];
        y[j] = 0, y[p] = e & 2 ? g[p] : -g[p], y[q] = e & 1 ? g[q] : -g[q];
        struct sn__segment s;
        rotate(ab->C, y, s.centre);
        add_scaled(s.centre, 1, ab->at, s.centre);
        for (int i = 0; i < 3; i++)
            s.half[i] = ab->C[i][j] * g[j];
        segment_at(&s, sn__segment_box_nearest(&s, h), x);
        nearest_in(h, x, on_a);
        keep_nearer(&best, on_a, x);
    }
    for (uint32_t corner = 0; corner < 8; corner++) {
        double x[3], y[3], in_b[3], on_b[3];
        for (int i = 0; i < 3; i++)
            x[i] = corner >> i & 1 ? h[i] : -h[i];
        rotate(ba->C, x, y);
        add_scaled(y, 1, ba->at, y);
        nearest_in(g, y, in_b);
        rotate(ab->C, in_b, on_b);
        add_scaled(on_b, 1, ab->at, on_b);
        keep_nearer(&best, x, on_b);
    }
    return best;
}

/* Which corner, edge or face a point of the surface is on: for each axis low 0, between 1, high 2. */
static uint32_t region_of(const double h[3], const double x[3], double slack) {
    uint32_t number = 0;
    for (int i = 0; i < 3; i++)
        number = 3 * number + (x[i] <= -h[i] + slack ? 0 : x[i] >= h[i] - slack ? 2 : 1);
    return number;
}

/* The axis across n, a direction in the world; -1: none. */
static int axis_across(const struct sn__geom *g, const double n[3]) {
    double x[3];
    rotate_back(g->R, n, x);
    for (int i = 0; i < 3; i++)
        if (fabs(x[i]) < 1e-6) return i;
    return -1;
}

/* The normal of a face of box k, towards box 0. */
static void face_normal(const struct view v[2], const struct axis *face, int k, double normal[3]) {
    const double towards_a = k ? face->sign : -face->sign;
    column(v[k].from->R, face->i, normal);
    for (int i = 0; i < 3; i++)
        normal[i] *= towards_a;
}

/* The boxes are apart and no axis has their distance: corners against corners or edges, parallel edges. `spare`: the normal where
   the nearest points are one, as rounding has it. */
static int touch_nearest(const struct view v[2], const double spare[3], double slack, double margin,
                         struct sn__touch *touch) {
    const struct view *ab = &v[0];
    const struct sn__geom *a = ab->from, *b = ab->to;
    struct nearest near = find_nearest(ab, &v[1]);
    double d[3], normal[3], back[3], in_b[3], on_a[3];
    if (near.distance >= margin) return 0;
    difference(near.on_a, near.on_b, d);
    for (int i = 0; i < 3; i++)
        d[i] /= near.distance > 0 ? near.distance : 1;
    rotate(a->R, d, normal);
    for (int i = 0; i < 3; i++) {
        if (!(near.distance > 0)) normal[i] = spare[i];
        back[i] = -normal[i];
    }
    const int axis[2] = {axis_across(a, normal), axis_across(b, normal)};
    if (axis[0] >= 0 && axis[1] >= 0) { /* the nearest points are on these edges */
        const uint32_t corner[2] = {furthest_corner(a, back), furthest_corner(b, normal)};
        return touch_edges_apart(ab, axis, corner, normal, margin, touch);
    }
    difference(near.on_b, ab->at, d);
    rotate_back(ab->C, d, in_b);
    uint32_t at_a = region_of(a->size, near.on_a, slack), at_b = region_of(b->size, in_b, slack);
    rotate(a->R, near.on_a, on_a);
    add_scaled(on_a, 1, a->pos, on_a);
    set_touch(touch, on_a, normal, near.distance, NEAREST + 27 * at_a + at_b);
    return 1;
}

/* ----------------------------------------------------------------------------------------------- the choice */

/* Of two faces that are as good, the one of the larger box: that does not depend on the order, nor on the
   motion. */
static int larger_box(const struct view v[2]) {
    const double *h = v[0].from->size, *g = v[0].to->size;
    return h[0] * h[1] * h[2] < g[0] * g[1] * g[2];
}

/* Apart: an axis whose distance is reached by two points is exact; a face that ties is preferred. */
static int touch_apart(const struct view v[2], const struct axis face[2], const struct axis *edge,
                       double slack, double margin, struct sn__touch *touch) {
    double most_apart = most(edge->apart, most(face[0].apart, face[1].apart)), deepest;
    for (int i = 0, k = larger_box(v); i < 2; i++, k = !k) {
        if (face[k].apart < most_apart - slack) continue;
        struct face f = {&v[k], face[k].i, face[k].sign, k == 1};
        int n = touch_face(&f, slack, margin, &deepest, touch);
        if (deepest <= most_apart + slack) return n;
    }
    int n = 0;
    if (edge->apart >= most_apart - slack && touch_edges(&v[0], edge, slack, margin, &n, touch)) return n;
    double spare[3];
    const int k = face[1].apart > face[0].apart;
    face_normal(v, &face[k], k, spare);
    return touch_nearest(v, spare, slack, margin, touch);
}

/* Inside each other: the shortest way out, but a face unless edges are clearly better, and the larger
   box's face unless the other's is, so that the choice does not flicker. */
static int touch_inside(const struct view v[2], const struct axis face[2], const struct axis *edge,
                        double scale, double slack, double margin, struct sn__touch *touch) {
    double bias = 1e-6 * scale, deepest;
    int k = larger_box(v), n = 0;
    if (face[!k].apart > face[k].apart + 1e-3 * fabs(face[k].apart) + bias) k = !k;
    if (edge->apart > face[k].apart + 1e-3 * fabs(face[k].apart) + bias) {
        touch_edges(&v[0], edge, slack, margin, &n, touch);
        return n;
    }
    struct face f = {&v[k], face[k].i, face[k].sign, k == 1};
    n = touch_face(&f, slack, margin, &deepest, touch);
    if (deepest > face[k].apart + 1e-3 * fabs(face[k].apart) + bias && n < MOST_CORNERS) {
        /* The preferred face is not quite the shortest way, and nothing so deep is over it: the boxes only
           just meet, at the place where they are nearest. */
        struct nearest near = find_nearest(&v[0], &v[1]);
        double normal[3], on_a[3];
        face_normal(v, &face[k], k, normal);
        rotate(v[0].from->R, near.on_a, on_a);
        add_scaled(on_a, 1, v[0].from->pos, on_a);
        set_touch(&touch[n++], on_a, normal, face[k].apart, MEET);
    }
    return n;
}

int sn__box_box(const struct sn__geom *a, const struct sn__geom *b, double margin,
                struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct view v[2] = {view_of(a, b)};
    const double scale = a->size[0] + a->size[1] + a->size[2] + b->size[0] + b->size[1] + b->size[2];
    const double slack = SN__NO_LENGTH * scale;
    struct axis face[2] = {best_face(&v[0])};
    if (face[0].apart >= margin) return 0;
    v[1] = view_of(b, a);
    face[1] = best_face(&v[1]);
    if (face[1].apart >= margin) return 0;
    struct axis edge = best_edges(&v[0]);
    if (edge.apart >= margin) return 0;
    if (most(edge.apart, most(face[0].apart, face[1].apart)) > slack)
        return touch_apart(v, face, &edge, slack, margin, touch);
    return touch_inside(v, face, &edge, scale, slack, margin, touch);
}
