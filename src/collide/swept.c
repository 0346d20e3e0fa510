/* Contact points of two solids in fast motion: where they will meet, instead of where they are nearest now.
 *
 * The first moves along `way` relative to the second, without turning, and meets it after the part t of the way. A point
 * of contact there with the normal n lies ahead by gap - t way . n now: the way that is left along its normal. Where a
 * solid turns in the impact, the points around its centre say little about the centre itself; the ball inside it,
 * which no turn changes, meets the other as a point of its own. */
#include "collide/cast.h"
#include "collide/pairs.h"

double sn__geom_inner(const struct sn__geom *g) {
    if (g->type == SN__GEOM_BOX) return fmin(g->size[0], fmin(g->size[1], g->size[2]));
    return g->type < SN__GEOM_PLANE ? g->size[0] : HUGE_VAL;
}

int sn__collide_core(const struct sn__geom *a, const double way[3], const struct sn__geom *b,
                     struct sn__swept *swept) {
    const bool first = sn__geom_reach(a) <= sn__geom_reach(b);
    const double sign = first ? 1 : -1, back[3] = {sign * way[0], sign * way[1], sign * way[2]};
    struct sn__geom core = first ? *a : *b;
    struct sn__hit hit;
    if (core.type == SN__GEOM_SPHERE) return 0;
    const bool hull =
        core.type == SN__GEOM_HULL; /* it may turn over a corner, and its ball counts though it touches */
    core.size[0] = sn__geom_inner(&core);
    core.type = SN__GEOM_SPHERE;
    if (!sn__cast_shape(&core, back, first ? b : a, &hit) || !(hit.t > 0 || hull)) return 0;
    for (int i = 0; i < 3; i++) {
        swept->touch.normal[i] = sign * hit.normal[i];
        swept->touch.pos[i] = hit.pos[i] + (first ? 0 : hit.t * way[i]); /* b stands where it is */
    }
    swept->touch.gap = -hit.t * dvec_dot(back, hit.normal);
    swept->touch.feature = SN__CORE;
    swept->t = hit.t;
    return 1;
}

int sn__collide_swept(const struct sn__geom *a, const double way[3], const struct sn__geom *b, double margin,
                      double reach, struct sn__swept swept[SN__MOST_TOUCHES]) {
    struct sn__touch touch[SN__MOST_TOUCHES];
    struct sn__hit hit = {.t = 0};
    int n = sn__collide(a, b, reach > 0 ? reach : margin, touch);
    if (!n && sn__cast_shape(a, way, b, &hit)) {
        struct sn__geom there = *a;
        add_scaled(a->pos, hit.t, way, there.pos);
        n = sn__collide(&there, b, 2 * fmin(sn__geom_reach(a), sn__geom_reach(b)), touch);
    }
    for (int i = 0; i < n; i++) {
        swept[i] = (struct sn__swept){touch[i], hit.t};
        swept[i].touch.gap -= hit.t * dvec_dot(way, touch[i].normal);
    }
    if (n == SN__MOST_TOUCHES) n--;
    return n + sn__collide_core(a, way, b, &swept[n]);
}
