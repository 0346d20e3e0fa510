#include "collide_oracle.h"

#include <math.h>
#include <stdint.h>

#include "sinew/sinew.h"
#include <string.h>

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void into_frame(const struct sn__geom *g, const double p[3], double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = 0;
        for (int i = 0; i < 3; i++)
            x[k] += g->R[i][k] * (p[i] - g->pos[i]);
    }
}

/* A vertex of a hull in the world. */
static void hull_vertex(const struct sn__geom *g, int i, double x[3]) {
    const sn_hull_info *h = sn_hull_get(g->hull);
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = h->vertex[i][k] - h->centre[k];
    for (int k = 0; k < 3; k++)
        x[k] = g->pos[k] + dot(g->R[k], p);
}

static double hull_support(const struct sn__geom *g, const double n[3]) {
    double best = -HUGE_VAL, x[3];
    for (int i = 0; i < sn_hull_get(g->hull)->nvertex; i++) {
        hull_vertex(g, i, x);
        best = fmax(best, dot(x, n));
    }
    return best;
}

double oracle_support(const struct sn__geom *g, const double n[3]) {
    double along[3], h = dot(g->pos, n);
    for (int k = 0; k < 3; k++)
        along[k] = fabs(g->R[0][k] * n[0] + g->R[1][k] * n[1] + g->R[2][k] * n[2]);
    switch (g->type) {
    case SN__GEOM_SPHERE:
        return h + g->size[0];
    case SN__GEOM_CAPSULE:
        return h + g->size[0] + g->size[1] * along[2];
    case SN__GEOM_BOX:
        return h + dot(g->size, along);
    case SN__GEOM_HULL:
        return hull_support(g, n);
    default:
        return h;
    }
}

double oracle_apart(const struct sn__geom *a, const struct sn__geom *b, const double n[3]) {
    const double m[3] = {-n[0], -n[1], -n[2]};
    return -oracle_support(a, m) - oracle_support(b, n);
}

static void unit(double n[3]) {
    double length = sqrt(dot(n, n));
    for (int i = 0; i < 3; i++)
        n[i] /= length;
}

/* Steps in random directions, shorter when they do not help. */
static double climb(const struct sn__geom *a, const struct sn__geom *b, double n[3], double step,
                    uint64_t *seed) {
    double best = oracle_apart(a, b, n);
    for (int tries = 0; step > 1e-9 && tries < 600; tries++) {
        double m[3], d[3];
        oracle_direction(seed, d);
        for (int i = 0; i < 3; i++)
            m[i] = n[i] + step * d[i];
        unit(m);
        double apart = oracle_apart(a, b, m);
        if (apart > best) {
            best = apart;
            memcpy(n, m, sizeof m);
            step *= 1.5;
        } else {
            step *= 0.9;
        }
    }
    return best;
}

double oracle_signed_distance(const struct sn__geom *a, const struct sn__geom *b, uint64_t seed) {
    enum { STARTS = 300, KEPT = 3 };
    double kept[KEPT][3], value[KEPT] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, best = -HUGE_VAL;
    for (int s = 0; s < STARTS; s++) {
        double n[3];
        oracle_direction(&seed, n);
        double apart = oracle_apart(a, b, n);
        for (int k = 0; k < KEPT; k++)
            if (apart > value[k]) {
                memmove(&value[k + 1], &value[k], sizeof value[0] * (size_t)(KEPT - 1 - k));
                memmove(&kept[k + 1], &kept[k], sizeof kept[0] * (size_t)(KEPT - 1 - k));
                value[k] = apart;
                memcpy(kept[k], n, sizeof n);
                break;
            }
    }
    for (int k = 0; k < KEPT; k++)
        best = fmax(best, climb(a, b, kept[k], 0.1, &seed));
    return best;
}

static double distance_to_line(const double a[3], const double b[3], const double p[3]) {
    double d[3], w[3], dd = 0, dw = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = b[i] - a[i], w[i] = p[i] - a[i];
        dd += d[i] * d[i], dw += d[i] * w[i];
    }
    double t = fmin(1, fmax(0, dw / dd));
    for (int i = 0; i < 3; i++)
        sum += (w[i] - t * d[i]) * (w[i] - t * d[i]);
    return sqrt(sum);
}

/* To the three sides, and to the inside where the foot lies there (all three turns go the same way). */
static double distance_to_triangle(double p[3][3], const double c[3]) {
    double best = HUGE_VAL, n[3], u[3], v[3], foot[3];
    for (int k = 0; k < 3; k++)
        best = fmin(best, distance_to_line(p[k], p[(k + 1) % 3], c));
    for (int i = 0; i < 3; i++)
        u[i] = p[1][i] - p[0][i], v[i] = p[2][i] - p[0][i];
    n[0] = u[1] * v[2] - u[2] * v[1], n[1] = u[2] * v[0] - u[0] * v[2], n[2] = u[0] * v[1] - u[1] * v[0];
    unit(n);
    double above = dot(n, c) - dot(n, p[0]);
    for (int i = 0; i < 3; i++)
        foot[i] = c[i] - above * n[i];
    int turns = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = p[k], *b = p[(k + 1) % 3];
        double turn = 0; /* n . ((b - a) x (foot - a)) */
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            turn += n[i] * ((b[j] - a[j]) * (foot[l] - a[l]) - (b[l] - a[l]) * (foot[j] - a[j]));
        }
        turns += turn > 0 ? 1 : -1;
    }
    return turns == 3 || turns == -3 ? fmin(best, fabs(above)) : best;
}

/* To the nearest triangle of its faces; negative where it is below all of them. */
static double hull_distance(const struct sn__geom *g, const double c[3]) {
    const sn_hull_info *h = sn_hull_get(g->hull);
    double best = HUGE_VAL, p[3][3];
    bool inside = true;
    for (int f = 0; f < h->nface; f++)
        for (int i = h->first[f] + 1; i + 1 < h->first[f + 1]; i++) {
            const int corner[3] = {h->corner[h->first[f]], h->corner[i], h->corner[i + 1]};
            double side = 0;
            for (int k = 0; k < 3; k++)
                hull_vertex(g, corner[k], p[k]);
            best = fmin(best, distance_to_triangle(p, c));
            for (int k = 0; k < 3; k++) {
                const int m = (k + 1) % 3, n = (k + 2) % 3;
                side += (c[k] - p[0][k]) * ((p[1][m] - p[0][m]) * (p[2][n] - p[0][n]) -
                                            (p[1][n] - p[0][n]) * (p[2][m] - p[0][m]));
            }
            inside = inside && side <= 0;
        }
    return inside ? -best : best;
}

double oracle_point_distance(const struct sn__geom *g, const double p[3]) {
    double x[3], outside = 0, inside = -HUGE_VAL;
    into_frame(g, p, x);
    switch (g->type) {
    case SN__GEOM_SPHERE:
        return sqrt(dot(x, x)) - g->size[0];
    case SN__GEOM_CAPSULE:
        x[2] = fmax(fabs(x[2]) - g->size[1], 0);
        return sqrt(dot(x, x)) - g->size[0];
    case SN__GEOM_BOX:
        for (int i = 0; i < 3; i++) {
            double over = fabs(x[i]) - g->size[i];
            outside += over > 0 ? over * over : 0;
            inside = fmax(inside, over);
        }
        return inside > 0 ? sqrt(outside) : inside;
    case SN__GEOM_HULL:
        return hull_distance(g, p);
    default:
        return x[2];
    }
}

/* ---------------------------------------------------------------------------------------------- height fields */

static void field_point(const struct sn__field *f, int i, int j, double p[3]) {
    p[0] = f->origin[0] + f->step[0] * i;
    p[1] = f->origin[1] + f->step[1] * j;
    p[2] = f->origin[2] + f->height[j * f->nx + i];
}

/* Corner k of a triangle of cell (i, j). */
static void triangle_corner(const struct sn__field *f, int i, int j, int upper, int k, double p[3]) {
    int di = k == 2 || (k == 1 && !upper), dj = k == 2 || (k == 1 && upper);
    field_point(f, i + di, j + dj, p);
}

bool oracle_field_height(const struct sn__field *f, double x, double y, double *z) {
    for (int j = 0; j + 1 < f->ny; j++)
        for (int i = 0; i + 1 < f->nx; i++)
            for (int upper = 0; upper < 2; upper++) {
                double p[3][3], w[3], sum = 0;
                for (int k = 0; k < 3; k++)
                    triangle_corner(f, i, j, upper, k, p[k]);
                for (int k = 0; k < 3; k++) {
                    const double *q = p[(k + 1) % 3], *r = p[(k + 2) % 3];
                    w[k] = (q[0] - x) * (r[1] - y) - (q[1] - y) * (r[0] - x);
                    sum += w[k];
                }
                if (w[0] / sum < -1e-13 || w[1] / sum < -1e-13 || w[2] / sum < -1e-13) continue;
                *z = (w[0] * p[0][2] + w[1] * p[1][2] + w[2] * p[2][2]) / sum;
                return true;
            }
    return false;
}

double oracle_field_distance(const struct sn__field *f, const double c[3]) {
    double best = HUGE_VAL, p[3][3];
    for (int j = 0; j + 1 < f->ny; j++)
        for (int i = 0; i + 1 < f->nx; i++)
            for (int upper = 0; upper < 2; upper++) {
                for (int k = 0; k < 3; k++)
                    triangle_corner(f, i, j, upper, k, p[k]);
                best = fmin(best, distance_to_triangle(p, c));
            }
    return best;
}

/* ----------------------------------------------------------------------------------------------------- random */

double oracle_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

double oracle_between(uint64_t *seed, double low, double high) {
    return low + (high - low) * oracle_random(seed);
}

void oracle_direction(uint64_t *seed, double n[3]) {
    do
        for (int i = 0; i < 3; i++)
            n[i] = oracle_between(seed, -1, 1);
    while (dot(n, n) > 1 || dot(n, n) < 0.01);
    unit(n);
}

void oracle_rotation(uint64_t *seed, double R[3][3]) {
    double x[3], y[3], z[3], along;
    oracle_direction(seed, z);
    do {
        oracle_direction(seed, x);
        along = dot(x, z);
    } while (fabs(along) > 0.9);
    for (int i = 0; i < 3; i++)
        x[i] -= along * z[i];
    unit(x);
    y[0] = z[1] * x[2] - z[2] * x[1], y[1] = z[2] * x[0] - z[0] * x[2], y[2] = z[0] * x[1] - z[1] * x[0];
    for (int i = 0; i < 3; i++)
        R[i][0] = x[i], R[i][1] = y[i], R[i][2] = z[i];
}
