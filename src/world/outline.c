/* Shapes and ground as lines. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "collide/mesh.h"
#include "model/hull.h"
#include "world/draw.h"

static const double TURN = 6.283185307179586;
enum { PIECES = 24 }; /* of a whole circle */

void sn__draw_line(const sn_drawer *d, const double from[3], const double to[3], uint32_t color) {
    if (d->line) d->line(d->user, from, to, color);
}

void sn__draw_arc(const sn_drawer *d, const double c[3], const double u[3], const double v[3], double from,
                  double turn, uint32_t color) {
    const int pieces = (int)ceil(fmin(fabs(turn) / TURN, 1) * PIECES);
    double last[3] = {0, 0, 0};
    for (int i = 0; i <= pieces; i++) {
        const double a = from + turn * i / (pieces > 0 ? pieces : 1);
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = c[k] + sn__cos(a) * u[k] + sn__sin(a) * v[k];
        if (i > 0) sn__draw_line(d, last, p, color);
        memcpy(last, p, sizeof p);
    }
}

/* A point of the shape's own axes in the world. */
static void to_world(const struct sn__at *at, double x, double y, double z, double p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = at->pos[k] + at->R[k][0] * x + at->R[k][1] * y + at->R[k][2] * z;
}

static void axis_of(const struct sn__at *at, int axis, double scale, double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = scale * at->R[k][axis];
}

/* An ellipse in the plane of two axes, with half axes a and b, or a part of it. */
struct ring {
    int axis, axis2;
    double a, b, turn;
};

static void draw_ring(const sn_drawer *d, const struct sn__at *at, struct ring ring, uint32_t color) {
    double u[3], v[3];
    axis_of(at, ring.axis, ring.a, u), axis_of(at, ring.axis2, ring.b, v);
    sn__draw_arc(d, at->pos, u, v, 0, ring.turn, color);
}

/* A place moved along its own z. */
static struct sn__at raised(const struct sn__at *at, double z) {
    struct sn__at up = *at;
    for (int k = 0; k < 3; k++)
        up.pos[k] += z * at->R[k][2];
    return up;
}

static void edge(const sn_drawer *d, const struct sn__at *at, const double from[3], const double to[3],
                 uint32_t color) {
    double p[3], q[3];
    to_world(at, from[0], from[1], from[2], p);
    to_world(at, to[0], to[1], to[2], q);
    sn__draw_line(d, p, q, color);
}

/* The lines between the end circles of a capsule, cylinder or cone, whose radii are r and top. */
static void sides(const sn_drawer *d, const struct sn__at *at, double r, double top, double half,
                  uint32_t color) {
    static const double way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int i = 0; i < 4; i++)
        edge(d, at, (const double[3]){r * way[i][0], r * way[i][1], -half},
             (const double[3]){top * way[i][0], top * way[i][1], half}, color);
}

static void draw_capsule(const sn_drawer *d, double r, double half, const struct sn__at *at, uint32_t color) {
    for (int end = -1; end <= 1; end += 2) {
        const struct sn__at cap = raised(at, end * half);
        draw_ring(d, &cap, (struct ring){0, 1, r, r, TURN}, color);
        draw_ring(d, &cap, (struct ring){0, 2, r, end * r, TURN / 2}, color);
        draw_ring(d, &cap, (struct ring){1, 2, r, end * r, TURN / 2}, color);
    }
    sides(d, at, r, r, half, color);
}

static void draw_box(const sn_drawer *d, const double size[3], const struct sn__at *at, uint32_t color) {
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            if (i >> k & 1) continue;
            double from[3], to[3];
            for (int j = 0; j < 3; j++)
                from[j] = to[j] = i >> j & 1 ? size[j] : -size[j];
            to[k] = size[k];
            edge(d, at, from, to, color);
        }
}

static void draw_hull(const sn_drawer *d, const sn_hull *hull, const struct sn__at *at, uint32_t color) {
    for (int i = 0; hull && i < hull->nedge; i++)
        edge(d, at, hull->given[hull->edge[i].from], hull->given[hull->edge[i].to], color);
}

void sn__draw_outline(const sn_drawer *d, const sn_shape_def *shape, const struct sn__at *at,
                      uint32_t color) {
    const double *size = shape->size;
    switch ((unsigned)shape->type) {
    case SN_SHAPE_CAPSULE:
        draw_capsule(d, size[0], size[1], at, color);
        return;
    case SN_SHAPE_BOX:
        draw_box(d, size, at, color);
        return;
    case SN_SHAPE_HULL:
        draw_hull(d, shape->hull, at, color);
        return;
    case SN_SHAPE_CYLINDER:
    case SN_SHAPE_CONE: {
        const double top = shape->type == SN_SHAPE_CONE ? 0 : size[0];
        const struct sn__at low = raised(at, -size[1]), high = raised(at, size[1]);
        draw_ring(d, &low, (struct ring){0, 1, size[0], size[0], TURN}, color);
        if (top > 0) draw_ring(d, &high, (struct ring){0, 1, top, top, TURN}, color);
        sides(d, at, size[0], top, size[1], color);
        return;
    }
    default: {
        const bool ball = shape->type == SN_SHAPE_SPHERE;
        const double s[3] = {size[0], ball ? size[0] : size[1], ball ? size[0] : size[2]};
        for (int k = 0; k < 3; k++)
            draw_ring(d, at, (struct ring){k, (k + 1) % 3, s[k], s[(k + 1) % 3], TURN}, color);
    }
    }
}

/* ------------------------------------------------------------------------------------------------- ground */

enum { SQUARES = 5 }; /* of a plane, to each side */

static void draw_plane(const sn_drawer *d, const struct sn__geom *g, const double middle[3], uint32_t color) {
    struct sn__at at;
    double in[3];
    memcpy(at.pos, g->pos, sizeof at.pos);
    memcpy(at.R, g->R, sizeof at.R);
    for (int k = 0; k < 3; k++) { /* whole metres from the point of the plane to below the middle */
        in[k] = 0;
        for (int j = 0; j < 3; j++)
            in[k] += g->R[j][k] * (middle[j] - g->pos[j]);
        in[k] = round(in[k]);
    }
    for (int i = -SQUARES; i <= SQUARES; i++) {
        const double x = in[0], y = in[1], far = SQUARES;
        edge(d, &at, (const double[3]){x + i, y - far, 0}, (const double[3]){x + i, y + far, 0}, color);
        edge(d, &at, (const double[3]){x - far, y + i, 0}, (const double[3]){x + far, y + i, 0}, color);
    }
}

static void draw_field(const sn_drawer *d, const struct sn__field *f, uint32_t color) {
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++) {
            const double *h = f->height + (size_t)j * (size_t)f->nx + i;
            const double x = f->origin[0] + i * f->step[0], y = f->origin[1] + j * f->step[1],
                         z = f->origin[2], p[3] = {x, y, z + *h};
            if (i + 1 < f->nx) sn__draw_line(d, p, (const double[3]){x + f->step[0], y, z + h[1]}, color);
            if (j + 1 < f->ny) sn__draw_line(d, p, (const double[3]){x, y + f->step[1], z + h[f->nx]}, color);
        }
}

void sn__draw_ground(const sn_drawer *d, const struct sn__geom *g, const double middle[3], uint32_t color) {
    if (g->type == SN__GEOM_PLANE) draw_plane(d, g, middle, color);
    if (g->type == SN__GEOM_FIELD) draw_field(d, g->field, color);
    for (int i = 0; g->type == SN__GEOM_MESH && i < g->mesh->ntriangle; i++) {
        const struct sn__mesh_triangle *t = &g->mesh->triangle[i];
        for (int k = 0; k < 3; k++) /* an edge of two triangles comes once */
            if (t->beside[k] < i)
                sn__draw_line(d, g->mesh->vertex[t->corner[k]], g->mesh->vertex[t->corner[(k + 1) % 3]],
                              color);
    }
}
