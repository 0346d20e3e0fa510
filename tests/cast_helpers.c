#include "cast_helpers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int cases(void) {
    return getenv("SINEW_TEST_SHORT") ? 300 : 10000;
}

void check_share(int count, double share) {
    assert_true(count > share * cases());
}

void check_shares(const int count[3], const double share[3]) {
    for (int i = 0; i < 3; i++)
        check_share(count[i], share[i]);
}

void try_types(enum sn__geom_type last, uint64_t seed, const double share[3],
               int (*check)(int n, enum sn__geom_type type, uint64_t *seed)) {
    for (int type = SN__GEOM_SPHERE; type <= (int)last; type++) {
        uint64_t own = seed + (uint64_t)type;
        int count[3] = {0, 0, 0};
        for (int n = 0; n < cases(); n++)
            count[check(n, (enum sn__geom_type)type, &own)]++;
        check_shares(count, share);
    }
}

void point_at(const double from[3], double t, const double way[3], double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = from[i] + t * way[i];
}

struct sn__geom moved(const struct sn__geom *g, double t, const double way[3]) {
    struct sn__geom m = *g;
    point_at(g->pos, t, way, m.pos);
    return m;
}

void random_point(uint64_t *seed, double reach, double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = oracle_between(seed, -reach, reach);
}

void check_hit_form(const struct sn__hit *hit) {
    assert_true(hit->t >= 0 && hit->t <= 1);
    assert_true(fabs(dot(hit->normal, hit->normal) - 1) < 1e-12);
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(hit->pos[i]));
}

double march(const struct sn__geom *g, const double from[3], const double way[3], double near, bool early) {
    double length = sqrt(dot(way, way)), t = 0, p[3];
    for (int step = 0; step < 5000 && t <= 1; step++) {
        point_at(from, t, way, p);
        double d = oracle_point_distance(g, p);
        if (d <= near + 1e-12) return t;
        t += (d - near) / length;
    }
    return early ? t : 2;
}

/* ------------------------------------------------------------------------------------------------ height fields */

double over_ground(const struct sn__field *f, const double p[3]) {
    double z;
    return oracle_field_height(f, p[0], p[1], &z) ? p[2] - z : HUGE_VAL;
}

bool on_border(const struct sn__field *f, const double p[3]) {
    double x = p[0] - f->origin[0], y = p[1] - f->origin[1], nx = (f->nx - 1) * f->step[0],
           ny = (f->ny - 1) * f->step[1];
    return fmin(fmin(fabs(x), fabs(x - nx)), fmin(fabs(y), fabs(y - ny))) < 1e-9;
}
