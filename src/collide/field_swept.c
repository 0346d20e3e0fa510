/* A solid in motion over a height field or a mesh. What is slow touches where it is near now. What is fast may be on
 * the other side of a ridge at the end of the step: it follows its way to where it meets the ground, slides on along
 * it from there, and meets what is next, a few times. Each point of contact met at the displacement D asks of the
 * step's own displacement x only
 *
 *     gap(D) - n . D + n . x >= 0,
 *
 * that it ends on the right side of the plane there. So the gap given for it is gap(D) - n . D, and where the solid
 * touches now D is zero. */
#include "collide/cast.h"
#include "collide/field.h"
#include "collide/mesh.h"

enum { LEGS = 3 }; /* straight parts of the way */

struct path {
    const struct sn__geom *a, *field;
    double margin,
        near; /* near: kept away from the ground on the way, so that level ground is not an obstacle */
    struct sn__met *met;
    int n;
};

/* How far the place D is above the plane of a contact. */
static double above(const struct sn__met *m, const double D[3]) {
    return m->touch.gap + dvec_dot(m->touch.normal, D);
}

/* The same point of the ground, met on two legs, counts once. */
static bool is_known(const struct path *p, const struct sn__touch *t, const double D[3]) {
    for (int k = 0; k < p->n; k++) {
        const struct sn__met *m = &p->met[k];
        if (dvec_dot(m->touch.normal, t->normal) > 1 - 1e-4 && fabs(above(m, D) - t->gap) < p->near)
            return true;
    }
    return false;
}

/* How far a place is inside the border, and the way out to its nearest side. */
static double from_border(const struct sn__field *f, const double p[3], double out[3]) {
    double nearest = HUGE_VAL;
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double x = p[k] - f->origin[k], size = ((k ? f->ny : f->nx) - 1) * f->step[k];
            const double d = side < 0 ? x : size - x;
            if (d >= nearest) continue;
            nearest = d;
            out[0] = out[1] = out[2] = 0, out[k] = side;
        }
    return nearest;
}

/* Ground ends at its border in a wall. What is deeper in the ground than inside the border came in there, as a plate does
   that tips over it, and goes out there: up through the surface would be a long way. */
static void mind_the_wall(const struct path *p, struct sn__touch *t) {
    double deepest[3], normal[3], above, out[3] = {0, 0, 1};
    uint32_t triangle;
    if (t->gap >= -p->margin || p->field->type == SN__GEOM_MESH) return;
    add_scaled(t->pos, 0.5 * t->gap, t->normal, deepest);
    if (!sn__field_triangle(p->field->field, deepest, normal, &above, &triangle)) return;
    const double inside = from_border(p->field->field, deepest, out);
    if (!(-above > (inside + p->margin) * normal[2])) return; /* above is along the normal */
    t->gap = -inside;
    add_scaled(out, 0, out, t->normal);
    add_scaled(deepest, -0.5 * t->gap, out, t->pos);
}

/* Contact points at the displacement D. */
static void meet_at(struct path *p, const double D[3], double margin, bool now) {
    struct sn__touch touch[SN__MOST_TOUCHES];
    struct sn__geom there = *p->a;
    add_scaled(p->a->pos, 1, D, there.pos);
    const int n = sn__collide(&there, p->field, margin, touch);
    for (int i = 0; i < n && p->n < SN__MOST_TOUCHES; i++) {
        mind_the_wall(p, &touch[i]);
        if (!now && is_known(p, &touch[i], D)) continue;
        struct sn__met *m = &p->met[p->n++];
        m->touch = touch[i];
        m->touch.gap -= dvec_dot(touch[i].normal, D);
        add_scaled(D, 0, D, m->back);
    }
}

/* Moves x as little as it takes to be `near` above all planes, some of which may be opposite: by turns. */
static void stay_above(const struct path *p, double x[3]) {
    for (int round = 0; round < 8; round++)
        for (int k = 0; k < p->n; k++) {
            const double low = p->near - above(&p->met[k], x);
            if (low > 0) add_scaled(x, low, p->met[k].touch.normal, x);
        }
}

/* From D to `end`, or to the first thing in between; false: nothing was. */
static bool go(struct path *p, double D[3], const double end[3]) {
    struct sn__geom start = *p->a;
    struct sn__hit hit;
    double leg[3];
    difference(end, D, leg);
    add_scaled(p->a->pos, 1, D, start.pos);
    if (!sn__cast_shape(&start, leg, p->field, &hit)) return false;
    add_scaled(D, hit.t, leg, D);
    return true;
}

struct sn__stride sn__stride_over(const struct sn__geom *a, const struct sn__field *f, const double linear[3],
                                  const double angular[3], double h, double margin) {
    struct sn__stride s = {.fast = false};
    const double inner = sn__geom_inner(a);
    double min[2], max[2];
    for (int k = 0; k < 3; k++)
        s.way[k] = h * linear[k];
    if (a->type != SN__GEOM_SPHERE) s.turn = least(h * dvec_length(angular), 1) * sn__geom_reach(a);
    const double length = dvec_length(s.way);
    s.reach = margin + s.turn + length;
    if (!(length > most(margin, 0.5 * inner))) return s;
    const double level = sqrt(s.way[0] * s.way[0] + s.way[1] * s.way[1]);
    const struct sn__box box = sn__geom_bounds(a);
    for (int k = 0; k < 2; k++) {
        min[k] = box.min[k] + least(s.way[k], 0) - margin;
        max[k] = box.max[k] + most(s.way[k], 0) + margin;
    }
    s.fast = !f || level > least(f->step[0], f->step[1]) || sn__field_is_sharp(f, min, max);
    /* one that is hit at a corner turns in the step, and its other corners come down */
    if (s.fast) s.reach = margin + s.turn + (a->type == SN__GEOM_SPHERE ? 0 : least(length, inner));
    return s;
}

/* Follows the way from where the solid is now; how many points were met on it. */
static int follow(struct path *p, const double way[3]) {
    const int now = p->n;
    double D[3] = {0, 0, 0}, end[3];
    stay_above(p, D);
    for (int leg = 0; leg < LEGS; leg++) {
        const int before = p->n;
        add_scaled(way, 0, way, end);
        stay_above(p, end);
        if (!go(p, D, end)) break;
        meet_at(p, D, p->margin, false);
        if (p->n == before) break;
        stay_above(p, D);
    }
    return p->n - now;
}

/* A solid that is hit beside its middle turns, and its points say little about the middle then. The ball inside it meets
   the ground as a point of its own, whichever way the solid turns: the first point that it meets, and, where the solid
   turns already, one that is near now. A box that slides must not rest on its ball, which has no friction. */
static void add_core(struct path *p, const double way[3], bool turns) {
    struct sn__met met[SN__MOST_TOUCHES];
    struct sn__geom core = *p->a;
    core.size[0] = sn__geom_inner(p->a);
    core.type = SN__GEOM_SPHERE;
    struct path q = {&core, p->field, p->margin, p->near, met, 0};
    meet_at(&q, (const double[3]){0, 0, 0}, p->margin, true);
    const int now = q.n, ahead = follow(&q, way);
    if ((!ahead && !(now && turns)) || p->n == SN__MOST_TOUCHES) return;
    p->met[p->n] = met[ahead ? now : 0];
    p->met[p->n++].touch.feature = SN__CORE;
}

static bool stays_away(const struct sn__box *box, double reach, const struct sn__mesh *mesh) {
    struct sn__mesh_walk walk = {.mesh = mesh, .box = *box};
    for (int k = 0; k < 3; k++)
        walk.box.min[k] -= reach, walk.box.max[k] += reach;
    return sn__mesh_next(&walk) < 0;
}

/* Is all ground below where the solid may come lower than that, or all of a mesh elsewhere? */
static bool stays_above(const struct sn__geom *a, const struct sn__stride *stride,
                        const struct sn__geom *ground) {
    const struct sn__field *f = ground->field;
    struct sn__box box = sn__geom_bounds(a);
    struct sn__patch patch;
    for (int k = 0; k < 3; k++) {
        box.min[k] += least(stride->way[k], 0);
        box.max[k] += most(stride->way[k], 0);
    }
    if (ground->type == SN__GEOM_MESH) return stays_away(&box, stride->reach, ground->mesh);
    if (!sn__patch_under(f, &box, stride->reach, &patch)) return true;
    const double low = box.min[2] - stride->reach - f->origin[2];
    for (int j = patch.j0; j <= patch.j1; j++)
        for (int i = patch.i0; i <= patch.i1; i++)
            if (f->height[(size_t)j * (size_t)f->nx + (size_t)i] >= low) return false;
    return true;
}

int sn__collide_field(const struct sn__geom *a, const struct sn__stride *stride, const struct sn__geom *field,
                      double margin, struct sn__met met[SN__MOST_TOUCHES]) {
    if (stays_above(a, stride, field)) return 0;
    struct path p = {a, field, margin, 0.1 * least(margin, sn__geom_inner(a)), met, 0};
    meet_at(&p, (const double[3]){0, 0, 0}, stride->reach, true);
    if (!stride->fast) return p.n;
    const bool turns = stride->turn > margin;
    if ((follow(&p, stride->way) || turns) && a->type != SN__GEOM_SPHERE) add_core(&p, stride->way, turns);
    return p.n;
}
