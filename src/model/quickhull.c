/* Quickhull (Barber, Dobkin and Huhdanpaa, ACM Trans. Math. Software 22, 1996), in three dimensions.
 *
 * Every point that is outside the hull so far belongs to one triangle it can see. The furthest of all joins the hull: the
 * triangles it sees go, and a fan from it to their horizon takes their place. A point counts as outside when it is above
 * a triangle by more than a tolerance; where rounding makes a fan impossible all is done again with a larger one. */
#include "model/quickhull.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"

struct triangle {
    int corner[3];
    int beside[3]; /* the triangle across the side from corner k to k + 1 */
    double normal[3], offset;
    int outside; /* the first of its points, -1: none */
    int furthest;
    double most; /* its distance */
    int seen;    /* by which point last, counted */
    bool gone;
};

struct horizon {
    int from, to; /* corners */
    int beyond;   /* the triangle that stays */
};

struct builder {
    const double (*point)[3];
    int n;
    double tolerance, size;
    int *next; /* [n] the next point of the same triangle */
    struct triangle *triangle;
    int ntriangle, triangle_room;
    struct horizon *horizon;
    int nhorizon, horizon_room;
    struct visit *visit;
    int visit_room;
    int round;
};

/* A triangle on the way through those that are seen: the side it was entered by, and how many have been looked at. */
struct visit {
    int triangle, entered, done;
};

static double height(const struct triangle *t, const double p[3]) {
    return dvec_dot(t->normal, p) - t->offset;
}

/* False: it has no area, or there is no memory (then *memory). */
static bool add_triangle(struct builder *b, int i, int j, int k, bool *memory) {
    struct triangle *grown = sn__grow(b->triangle, &b->triangle_room, b->ntriangle + 1, sizeof *grown);
    if (!grown) {
        *memory = true;
        return false;
    }
    b->triangle = grown;
    struct triangle *t = &b->triangle[b->ntriangle];
    *t = (struct triangle){.corner = {i, j, k}, .beside = {-1, -1, -1}, .outside = -1, .furthest = -1};
    double u[3], v[3];
    for (int m = 0; m < 3; m++) {
        u[m] = b->point[j][m] - b->point[i][m];
        v[m] = b->point[k][m] - b->point[i][m];
    }
    dvec_cross(u, v, t->normal);
    const double area = dvec_length(t->normal);
    if (!(area > 1e-3 * b->tolerance * b->size)) return false;
    for (int m = 0; m < 3; m++)
        t->normal[m] /= area;
    for (int m = 0; m < 3; m++) /* the mean of the three */
        t->offset += dvec_dot(t->normal, b->point[t->corner[m]]) / 3;
    b->ntriangle++;
    return true;
}

/* Gives a point to the triangle, from `first` on, that it is highest above; or to none. */
static void assign(struct builder *b, int first, int p) {
    double most = b->tolerance;
    int best = -1;
    for (int i = first; i < b->ntriangle; i++) {
        const double h = b->triangle[i].gone ? 0 : height(&b->triangle[i], b->point[p]);
        if (h > most) most = h, best = i;
    }
    if (best < 0) return;
    struct triangle *t = &b->triangle[best];
    b->next[p] = t->outside;
    t->outside = p;
    if (most > t->most) t->most = most, t->furthest = p;
}

/* ------------------------------------------------------------------------------------------- the first four */

/* The point furthest from p, from the line through p and q, or from the plane through p, q and r. */
static int furthest_from(const struct builder *b, const int *p, int count, double *most) {
    double u[3] = {0}, v[3] = {0}, normal[3] = {0}, d[3], c[3];
    int best = 0;
    *most = -1;
    for (int k = 0; k < 3 && count > 1; k++) {
        u[k] = b->point[p[1]][k] - b->point[p[0]][k];
        v[k] = count > 2 ? b->point[p[2]][k] - b->point[p[0]][k] : 0;
    }
    dvec_normalise(u);
    dvec_cross(u, v, normal);
    dvec_normalise(normal);
    for (int i = 0; i < b->n; i++) {
        for (int k = 0; k < 3; k++)
            d[k] = b->point[i][k] - b->point[p[0]][k];
        dvec_cross(u, d, c);
        const double away = count == 1   ? dvec_length(d)
                            : count == 2 ? dvec_length(c)
                                         : fabs(dvec_dot(normal, d));
        if (away > *most) *most = away, best = i;
    }
    return best;
}

static enum sn__quickhull_result start(struct builder *b) {
    int p[4] = {0};
    double away;
    bool memory = false;
    for (int i = 1; i < b->n; i++)
        if (b->point[i][0] < b->point[p[0]][0]) p[0] = i;
    for (int count = 1; count < 4; count++) {
        p[count] = furthest_from(b, p, count, &away);
        if (!(away > 100 * b->tolerance)) return SN__QUICKHULL_FLAT;
    }
    double d[3];
    if (!add_triangle(b, p[0], p[1], p[2], &memory))
        return memory ? SN__QUICKHULL_MEMORY : SN__QUICKHULL_FLAT;
    for (int k = 0; k < 3; k++)
        d[k] = b->point[p[3]][k];
    if (height(&b->triangle[0], d) > 0) { /* the fourth must be below the first three */
        const int other = p[1];
        p[1] = p[2], p[2] = other;
    }
    b->ntriangle = 0;
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        if (!add_triangle(b, p[corner[i][0]], p[corner[i][1]], p[corner[i][2]], &memory))
            return memory ? SN__QUICKHULL_MEMORY : SN__QUICKHULL_FLAT;
        memcpy(b->triangle[i].beside, beside[i], sizeof beside[i]);
    }
    for (int i = 0; i < b->n; i++)
        assign(b, 0, i);
    return SN__QUICKHULL_GOOD;
}

/* ------------------------------------------------------------------------------------------------- a point more */

static int side_towards(const struct triangle *t, int other) {
    for (int k = 0; k < 3; k++)
        if (t->beside[k] == other) return k;
    return -1;
}

/* Walks over all triangles that see the point, from one to the next across their sides, always turning the same way: the
   sides at which it has to turn back are the horizon, in order. */
static bool find_horizon(struct builder *b, int first, const double eye[3]) {
    struct visit *stack = sn__grow(b->visit, &b->visit_room, b->ntriangle + 1, sizeof *stack);
    struct horizon *horizon = sn__grow(b->horizon, &b->horizon_room, 3 * b->ntriangle, sizeof *horizon);
    if (stack) b->visit = stack;
    if (horizon) b->horizon = horizon;
    if (!stack || !horizon) return false;
    int depth = 1;
    b->nhorizon = 0, b->round++;
    stack[0] = (struct visit){first, 0, 0};
    b->triangle[first].seen = b->round, b->triangle[first].gone = true;
    while (depth > 0) {
        struct visit *v = &stack[depth - 1];
        if (v->done == (depth == 1 ? 3 : 2)) {
            depth--;
            continue;
        }
        const int side = (v->entered + v->done++ + (depth == 1 ? 0 : 1)) % 3;
        const struct triangle *t = &b->triangle[v->triangle];
        const int other = t->beside[side];
        struct triangle *o = &b->triangle[other];
        if (o->seen == b->round) continue;
        if (height(o, eye) > b->tolerance) {
            o->seen = b->round, o->gone = true;
            stack[depth++] = (struct visit){other, side_towards(o, v->triangle), 0};
        } else {
            horizon[b->nhorizon++] = (struct horizon){t->corner[side], t->corner[(side + 1) % 3], other};
        }
    }
    return true;
}

static enum sn__quickhull_result add_fan(struct builder *b, int eye) {
    const int first = b->ntriangle, n = b->nhorizon;
    bool memory = false;
    if (n < 3) return SN__QUICKHULL_FAILED;
    for (int k = 0; k < n; k++) {
        const struct horizon *h = &b->horizon[k];
        if (h->to != b->horizon[(k + 1) % n].from) return SN__QUICKHULL_FAILED;
        if (!add_triangle(b, h->from, h->to, eye, &memory))
            return memory ? SN__QUICKHULL_MEMORY : SN__QUICKHULL_FAILED;
        struct triangle *t = &b->triangle[first + k], *o = &b->triangle[h->beyond];
        int side = 0;
        while (side < 3 && !(o->corner[side] == h->to && o->corner[(side + 1) % 3] == h->from))
            side++;
        if (side == 3) return SN__QUICKHULL_FAILED;
        o->beside[side] = first + k;
        t->beside[0] = h->beyond;
        t->beside[1] = first + (k + 1) % n;
        t->beside[2] = first + (k + n - 1) % n;
    }
    return SN__QUICKHULL_GOOD;
}

/* Points of the triangles that are gone look for a new one. */
static void give_away(struct builder *b, int first, int eye) {
    for (int i = 0; i < first; i++) {
        struct triangle *t = &b->triangle[i];
        if (!t->gone || t->outside < 0) continue;
        for (int p = t->outside, next; p >= 0; p = next) {
            next = b->next[p];
            if (p != eye) assign(b, first, p);
        }
        t->outside = -1;
    }
}

static int furthest_triangle(const struct builder *b) {
    int best = -1;
    for (int i = 0; i < b->ntriangle; i++) {
        const struct triangle *t = &b->triangle[i];
        if (!t->gone && t->outside >= 0 && (best < 0 || t->most > b->triangle[best].most)) best = i;
    }
    return best;
}

/* Triangles that are gone leave the list when they are most of it. */
static bool compact(struct builder *b) {
    int gone = 0, n = 0;
    for (int i = 0; i < b->ntriangle; i++)
        gone += b->triangle[i].gone;
    if (2 * gone < b->ntriangle) return true;
    int *place = sn__alloc((size_t)b->ntriangle, sizeof *place);
    if (!place) return false;
    for (int i = 0; i < b->ntriangle; i++)
        place[i] = b->triangle[i].gone ? -1 : n++;
    for (int i = 0; i < b->ntriangle; i++) {
        if (place[i] < 0) continue;
        for (int k = 0; k < 3; k++)
            b->triangle[i].beside[k] = place[b->triangle[i].beside[k]];
        b->triangle[place[i]] = b->triangle[i];
    }
    b->ntriangle = n;
    sn__free(place);
    return true;
}

static enum sn__quickhull_result grow(struct builder *b, int most, double *apart) {
    enum sn__quickhull_result result = start(b);
    for (int corners = 4; result == SN__QUICKHULL_GOOD; corners++) {
        const int at = furthest_triangle(b);
        *apart = at < 0 ? 0 : b->triangle[at].most;
        if (at < 0 || corners >= most) return SN__QUICKHULL_GOOD;
        const int eye = b->triangle[at].furthest, first = b->ntriangle;
        if (!find_horizon(b, at, b->point[eye])) return SN__QUICKHULL_MEMORY;
        result = add_fan(b, eye);
        if (result == SN__QUICKHULL_GOOD) give_away(b, first, eye);
        if (result == SN__QUICKHULL_GOOD && !compact(b)) return SN__QUICKHULL_MEMORY;
    }
    return result;
}

/* Are all corners below all triangles, except for a little? The lists of points are not needed any more: they hold the
   corners in a row. */
static bool is_convex(struct builder *b) {
    const double little = 100 * b->tolerance + 1e-9 * b->size;
    int first = -1;
    for (int i = 0; i < b->n; i++)
        b->next[i] = -2;
    for (int i = 0; i < b->ntriangle; i++)
        for (int m = 0; m < 3 && !b->triangle[i].gone; m++) {
            const int corner = b->triangle[i].corner[m];
            if (b->next[corner] != -2) continue;
            b->next[corner] = first;
            first = corner;
        }
    for (int i = 0; i < b->ntriangle; i++)
        for (int p = first; p >= 0 && !b->triangle[i].gone; p = b->next[p])
            if (height(&b->triangle[i], b->point[p]) > little) return false;
    return true;
}

static bool take_faces(const struct builder *b, struct sn__quickhull *out) {
    out->face = sn__alloc((size_t)b->ntriangle, sizeof *out->face);
    out->nface = 0;
    for (int i = 0; i < b->ntriangle && out->face; i++)
        if (!b->triangle[i].gone) memcpy(out->face[out->nface++], b->triangle[i].corner, sizeof *out->face);
    return out->face != NULL;
}

enum sn__quickhull_result sn__quickhull(const double (*point)[3], int n, int most,
                                        struct sn__quickhull *out) {
    struct builder b = {.point = point, .n = n};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            b.size = fmax(b.size, fabs(point[i][k] - point[0][k]));
    *out = (struct sn__quickhull){0};
    if (!(b.size > 0)) return SN__QUICKHULL_FLAT;
    b.next = sn__alloc((size_t)n, sizeof *b.next);
    if (!b.next) return SN__QUICKHULL_MEMORY;
    enum sn__quickhull_result result = SN__QUICKHULL_FAILED;
    for (double part = 1e-13; part < 1e-5 && result == SN__QUICKHULL_FAILED; part *= 100) {
        b.tolerance = part * b.size;
        b.ntriangle = 0;
        result = grow(&b, most, &out->apart);
        if (result == SN__QUICKHULL_GOOD && !is_convex(&b)) result = SN__QUICKHULL_FAILED;
    }
    if (result == SN__QUICKHULL_GOOD && !take_faces(&b, out)) result = SN__QUICKHULL_MEMORY;
    sn__free_all(b.next, b.triangle, b.horizon, b.visit);
    return result;
}
