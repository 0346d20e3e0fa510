/* Where a height field is sharp. Over smooth ground the triangle below a point says all about what touches there; near an
   edge that stands out, in a corner and at the border it does not. A cell is sharp when the surface bends by more than a
   bound at an edge of it: cos of the angle of two normals. The field keeps sums,

       sharp[j][i] = number of sharp cells with indices below i and j,

   so that four of them say how many there are in any rectangle. */
#include "base/memory.h"
#include "collide/field.h"

static const double BEND = 0.9; /* cos of 25.8 degrees */

/* Slopes of one of the two triangles of a cell. */
static void slopes_of(const struct sn__field *f, int i, int j, int upper, double slope[2]) {
    const double *h = f->height + (size_t)j * (size_t)f->nx + i, first = upper ? h[f->nx] : h[1],
                 last = h[f->nx + 1];
    slope[0] = (upper ? last - first : first - h[0]) / f->step[0];
    slope[1] = (upper ? first - h[0] : last - first) / f->step[1];
}

/* Normals are (-slope, 1), normalised. */
static bool bends(const double a[2], const double b[2]) {
    const double dot = a[0] * b[0] + a[1] * b[1] + 1;
    const double lengths = (a[0] * a[0] + a[1] * a[1] + 1) * (b[0] * b[0] + b[1] * b[1] + 1);
    return !(dot > 0 && dot * dot > BEND * BEND * lengths);
}

/* Its own diagonal, and the four edges that it shares with others. */
static bool is_sharp(const struct sn__field *f, int i, int j) {
    /* from the lower triangle: below, right; from the upper one: left, above */
    static const struct { int i, j, own; } beside[4] = {{0, -1, 0}, {1, 0, 0}, {-1, 0, 1}, {0, 1, 1}};
    double own[2][2], other[2];
    for (int upper = 0; upper < 2; upper++)
        slopes_of(f, i, j, upper, own[upper]);
    if (bends(own[0], own[1])) return true;
    for (int k = 0; k < 4; k++) {
        const int bi = i + beside[k].i, bj = j + beside[k].j;
        if (bi < 0 || bj < 0 || bi > f->nx - 2 || bj > f->ny - 2) continue;
        slopes_of(f, bi, bj, !beside[k].own, other);
        if (bends(own[beside[k].own], other)) return true;
    }
    return false;
}

void sn__field_mark_sharp(struct sn__field *f) {
    const size_t nx = (size_t)f->nx;
    for (int i = 0; i < f->nx; i++)
        f->sharp[i] = 0;
    for (int j = 1; j < f->ny; j++) {
        int32_t *row = f->sharp + (size_t)j * nx, count = 0;
        row[0] = 0;
        for (int i = 1; i < f->nx; i++) {
            count += is_sharp(f, i - 1, j - 1);
            row[i] = row[i - (ptrdiff_t)nx] + count;
        }
    }
}

bool sn__field_is_sharp(const struct sn__field *f, const double min[2], const double max[2]) {
    int low[2], high[2];
    bool beyond = false;
    for (int k = 0; k < 2; k++) {
        const int n = (k ? f->ny : f->nx) - 1; /* cells */
        const double first = floor((min[k] - f->origin[k]) / f->step[k]),
                     last = floor((max[k] - f->origin[k]) / f->step[k]);
        if (!(last >= 0 && first < n)) return false;
        beyond |= first < 0 || last >= n;
        low[k] = (int)most(first, 0), high[k] = (int)least(last + 1, n);
    }
    if (beyond || !f->sharp) return true;
    const int32_t *bottom = f->sharp + (size_t)low[1] * (size_t)f->nx,
                  *top = f->sharp + (size_t)high[1] * (size_t)f->nx;
    return top[high[0]] - top[low[0]] - bottom[high[0]] + bottom[low[0]] > 0;
}
