/* Shapes as the public interface describes them become geometry; the lowest point of a shape. */
#include "collide/shape.h"

#include <string.h>

#include "collide/pairs.h"
#include "model/hull.h"
#include "model/shape.h"

/* A hull stands at its centre. */
static bool make_hull(const sn_shape_def *s, struct sn__geom *g, double pos[3], const double rot[4]) {
    if (!s->hull) return false;
    *g = (struct sn__geom){.type = SN__GEOM_HULL, .size = {s->hull->inner}, .hull = s->hull};
    dquat_rotate(rot, s->hull->info.centre, pos);
    add_scaled(pos, 1, s->pos, pos);
    return true;
}

bool sn__geom_make(const sn_shape_def *s, struct sn__geom *g, double pos[3], double rot[4]) {
    static const enum sn__geom_type type[] = {[SN__CONTACT_SPHERE] = SN__GEOM_SPHERE,
                                              [SN__CONTACT_CAPSULE] = SN__GEOM_CAPSULE,
                                              [SN__CONTACT_BOX] = SN__GEOM_BOX};
    memcpy(pos, s->pos, 3 * sizeof *pos);
    memcpy(rot, s->rot, 4 * sizeof *rot);
    if ((unsigned)s->type >= SN_SHAPE_TYPE_COUNT || !dquat_normalise(rot)) return false;
    const struct sn__shape_kind *kind = &sn__shape_kinds[s->type];
    if (kind->contact == SN__CONTACT_HULL) return make_hull(s, g, pos, rot);
    *g = (struct sn__geom){.type = type[kind->contact], .size = {s->size[0], s->size[1], s->size[2]}};
    if (kind->capsule) {
        double turn[4], own[4];
        memcpy(own, rot, sizeof own);
        kind->capsule(s->size, g->size, turn);
        dquat_multiply(own, turn, rot);
    }
    return true;
}

/* -1, 0 or 1. Directions that differ from level by rounding only are level. */
static double side_of(double rise) {
    return fabs(rise) <= SN__NO_LENGTH ? 0.0 : sign_of(rise);
}

/* The middle of all vertices that are as low as the lowest. */
static double lowest_of_hull(const struct sn__geom *g, const double up[3], double at[3]) {
    const struct sn_hull *h = g->hull;
    double along[3], low = HUGE_VAL, sum[3] = {0, 0, 0};
    int n = 0;
    rotate_back(g->R, up, along);
    for (int i = 0; i < h->info.nvertex; i++)
        low = least(low, dvec_dot(along, h->vertex[i]));
    for (int i = 0; i < h->info.nvertex; i++) {
        if (dvec_dot(along, h->vertex[i]) > low + SN__NO_LENGTH * h->reach + h->flat) continue;
        add_scaled(sum, 1, h->vertex[i], sum);
        n++;
    }
    for (int i = 0; i < 3; i++)
        sum[i] /= n;
    rotate(g->R, sum, at);
    add_scaled(at, 1, g->pos, at);
    add_scaled(at, low - dvec_dot(along, sum), up, at);
    return dvec_dot(up, at);
}

/* A box or the axis of a capsule has the points pos + sum of s_k size_k R_k with |s_k| <= 1, and up . x is
   least where every s_k is the opposite of the sign of up . R_k. */
double sn__lowest_point(const struct sn__geom *g, const double up[3], double at[3]) {
    double along[3];
    if (g->type >= SN__GEOM_PLANE) return -HUGE_VAL;
    if (g->type == SN__GEOM_HULL) return lowest_of_hull(g, up, at);
    rotate_back(g->R, up, along);
    double sphere = g->type == SN__GEOM_BOX ? 0 : g->size[0];
    add_scaled(g->pos, -sphere, up, at);
    for (int k = 0; k < 3; k++) {
        double half = g->type == SN__GEOM_BOX ? g->size[k] : 0;
        if (g->type == SN__GEOM_CAPSULE && k == 2) half = g->size[1];
        for (int i = 0; i < 3; i++)
            at[i] -= side_of(along[k]) * half * g->R[i][k];
    }
    return dvec_dot(up, at);
}
