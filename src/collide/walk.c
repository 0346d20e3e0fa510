/* The cells of a height field under something that moves in a straight line. A row of cells is under it for
   an interval of t, in which it passes over an interval of the row: the cost is that of the cells that are
   passed over, not of those in the rectangle around the way. */
#include "collide/walk.h"

/* Numbers of the first and the last cell of n that [low, high] may touch; one more on either side, because of
   rounding: the cells themselves are tested exactly. */
static bool cells(double low, double high, double origin, double step, int n, int out[2]) {
    double first = floor((low - origin) / step) - 1, last = floor((high - origin) / step) + 1;
    if (n < 1 || !(last >= 0 && first <= n - 1)) return false;
    out[0] = (int)clamp(first, 0, n - 1);
    out[1] = (int)clamp(last, 0, n - 1);
    return true;
}

/* The cells along axis k that are passed over for t0 <= t <= t1, in the order of the way. */
static bool passed(const struct sn__walk *w, int k, const double t[2], int out[2]) {
    const struct sn__field *f = w->field;
    double x0 = w->from[k] + t[0] * w->way[k], x1 = w->from[k] + t[1] * w->way[k];
    if (!cells(least(x0, x1) - w->extent[k], most(x0, x1) + w->extent[k], f->origin[k], f->step[k],
               (k ? f->ny : f->nx) - 1, out))
        return false;
    if (w->way[k] < 0) {
        int first = out[0];
        out[0] = out[1], out[1] = first;
    }
    return true;
}

/* When it is over cell number n along axis k. */
static bool over(const struct sn__walk *w, int k, int n, double t[2]) {
    const struct sn__field *f = w->field;
    return narrow(w->from[k], w->way[k], f->origin[k] + n * f->step[k] - w->extent[k],
                  f->origin[k] + (n + 1) * f->step[k] + w->extent[k], t);
}

static double highest_of_cell(const struct sn__field *f, int i, int j) {
    const double *h = f->height + (size_t)j * (size_t)f->nx + i;
    return f->origin[2] + most(most(h[0], h[1]), most(h[f->nx], h[f->nx + 1]));
}

static void walk_row(struct sn__walk *w, int j, const double row[2], sn__visit_cell *visit) {
    int range[2];
    if (!passed(w, 0, row, range)) return;
    int onward = range[1] < range[0] ? -1 : 1;
    for (int i = range[0]; i != range[1] + onward; i += onward) {
        double t[2] = {row[0], least(row[1], w->limit)};
        if (t[0] > t[1] || !over(w, 0, i, t)) continue;
        double high = highest_of_cell(w->field, i, j) + w->extent[2];
        if (narrow(w->from[2], w->way[2], -HUGE_VAL, high, t)) visit(w, i, j, t[0], t[1]);
    }
}

void sn__walk_cells(struct sn__walk *w, sn__visit_cell *visit) {
    const double whole[2] = {0, w->limit};
    int range[2];
    if (!passed(w, 1, whole, range)) return;
    int onward = range[1] < range[0] ? -1 : 1;
    for (int j = range[0]; j != range[1] + onward; j += onward) {
        double t[2] = {0, w->limit};
        if (over(w, 1, j, t)) walk_row(w, j, t, visit);
    }
}
