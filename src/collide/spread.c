#include "collide/spread.h"

void sn__spread_start(struct sn__spread *s, const double up[3], const double R[3][3], double better) {
    /* seven even parts of a circle: cosine and sine */
    static const double circle[7][2] = {
        {1, 0},
        {0.62348980185873353, 0.78183148246802981},
        {-0.22252093395631440, 0.97492791218182361},
        {-0.90096886790241913, 0.43388373911755812},
        {-0.90096886790241913, -0.43388373911755812},
        {-0.22252093395631440, -0.97492791218182361},
        {0.62348980185873353, -0.78183148246802981},
    };
    double axis[3], x[3], y[3], level[3];
    int k = 0;
    rotate_back(R, up, level);
    for (int i = 1; i < 3; i++)
        if (fabs(level[i]) < fabs(level[k]) - 1e-3) k = i;
    column(R, k, axis);
    dvec_cross(up, axis, y);
    dvec_cross(y, up, x);
    s->better = better;
    for (int d = 0; d < SN__SPREAD; d++) {
        for (int i = 0; i < 3; i++)
            s->way[d][i] = d < 7 ? circle[d][0] * x[i] + circle[d][1] * y[i] : -up[i];
        s->value[d] = -HUGE_VAL;
        s->best[d] = -1;
    }
}

void sn__spread_offer(struct sn__spread *s, const double x[3], int number) {
    for (int d = 0; d < SN__SPREAD; d++) {
        const double value = dvec_dot(s->way[d], x);
        if (s->best[d] < 0 || value > s->value[d] + s->better) s->value[d] = value, s->best[d] = number;
    }
}

int sn__spread_take(const struct sn__spread *s, int number[SN__SPREAD]) {
    int n = 0;
    for (int d = 0; d < SN__SPREAD; d++) {
        bool is_new = s->best[d] >= 0;
        for (int i = 0; i < n; i++)
            is_new = is_new && number[i] != s->best[d];
        if (is_new) number[n++] = s->best[d];
    }
    return n;
}
