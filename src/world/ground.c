/* Ground: planes, shapes that stand or are moved, height fields. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/mesh.h"
#include "collide/shape.h"
#include "model/hull.h"
#include "model/shape.h"
#include "world/fields.h"
#include "world/rollback.h"
#include "world/steppers.h"

/* ---------------------------------------------------------------------------------------------------- checks */

static bool all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* The material of ground, or the default where none is given; NULL: an error is set. */
static const sn_shape_def *take_material(const sn_shape_def *given, sn_shape_def *own, sn_error *error) {
    *own = sn_shape_def_default(SN_SHAPE_BOX);
    if (given && !sn__definition_take("sn_shape_def", given, own, error)) return NULL;
    return sn__definition_check("sn_shape_def", own, "", SN_ERROR_ARGUMENT, error) ? NULL : own;
}

/* The same, and the definition of the ground itself. */
static const sn_shape_def *take_both(const sn_shape_def *material, sn_shape_def *own, const char *name,
                                     const void *def, void *given, sn_error *error) {
    sn__succeed(error);
    material = take_material(material, own, error);
    return material && sn__definition_take(name, def, given, error) ? material : NULL;
}

static sn_status check_field(const sn_heightfield_def *d, sn_error *error) {
    if (!d || d->nx < 2 || d->ny < 2 || d->nx > 1 << 15 || d->ny > 1 << 15 || !d->height ||
        !(d->size[0] > 0) || !(d->size[1] > 0) || !all_finite(d->size, 2) || !all_finite(d->origin, 3))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a height field needs 2 to 32768 points each way, a size and an origin");
    const size_t n = (size_t)d->nx * (size_t)d->ny;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(d->height[i])) return sn__fail(error, SN_ERROR_ARGUMENT, "height %zu is not finite", i);
    return SN_OK;
}

/* ----------------------------------------------------------------------------------------------- coming, going */

/* Counts what the layout depends on. */
static void count(sn_world *w, const struct sn__solid *s, int by) {
    w->unprobed += isinf(s->reach) || s->trigger ? 0 : by;
    w->moving += s->moves ? by : 0;
    w->surfaces_stale = true;
    w->structure++;
}

sn_status sn__ground_insert(sn_world *w, int number, int place, const struct sn__solid *solid) {
    int *ground = sn__grow(w->ground, &w->ground_room, number + 1, sizeof *ground);
    double(*belt)[3] = sn__grow(w->belt, &w->belt_room, number + 1, sizeof *belt);
    if (ground) w->ground = ground;
    if (belt) w->belt = belt;
    const int at = ground && belt && place < 0 ? sn__solids_take(w, 1) : place;
    if (!ground || !belt || at < 0) return SN_ERROR_MEMORY;
    for (; w->nground <= number; w->nground++)
        w->ground[w->nground] = -1;
    w->ground[number] = at;
    memset(w->belt[number], 0, sizeof w->belt[number]);
    w->solid[at] = *solid;
    w->solid[at].member = SN__GROUND, w->solid[at].body = number;
    count(w, &w->solid[at], 1);
    sn__solid_count(w, &w->solid[at], 1);
    return SN_OK;
}

void sn__ground_take_out(sn_world *w, int number) {
    const int at = w->ground[number];
    sn__world_forget_home(w, number);
    count(w, &w->solid[at], -1);
    sn__solids_give_back(w, at, 1);
    w->ground[number] = -1;
    while (w->nground > 0 && w->ground[w->nground - 1] < 0)
        w->nground--;
}

/* Enters ground at the first number that is free. */
static int enter(sn_world *w, const struct sn__solid *solid, const sn_shape_def *material, sn_error *error) {
    int number = 0;
    if (solid->trigger && solid->geom.type >= SN__GEOM_FIELD) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "a height field or a mesh cannot be a trigger. Use a plane or a shape.");
        return -1;
    }
    while (number < w->nground && w->ground[number] >= 0)
        number++;
    sn__world_touch(w);
    if (sn__ground_insert(w, number, -1, solid)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for more ground");
        return -1;
    }
    sn__world_forget_user(w, number);
    memcpy(w->belt[number], material->surface_velocity, sizeof w->belt[number]);
    if (!sn__world_settle(w, error)) return number;
    const sn_error why = *error;
    sn__ground_take_out(w, number);
    sn__world_settle(w, NULL);
    *error = why;
    return -1;
}

sn_status sn_world_remove_ground(sn_world *w, int ground) {
    if (ground < 0 || ground >= w->nground || w->ground[ground] < 0)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no ground %d.", ground);
    sn__world_touch(w);
    sn__world_wake_all(w);
    sn__ground_take_out(w, ground);
    return sn__world_settle(w, NULL);
}

/* The world keeps a share of each hull that was ever ground; false: out of memory. */
static bool keep_hull(sn_world *w, const sn_hull *hull) {
    for (int i = 0; i < w->nhull; i++)
        if (w->hull[i] == hull) return true;
    const sn_hull **grown = sn__grow(w->hull, &w->hull_room, w->nhull + 1, sizeof *grown);
    if (!grown) return false;
    w->hull = grown;
    w->hull[w->nhull++] = sn__hull_share(hull);
    return true;
}

/* --------------------------------------------------------------------------------------------------- kinds */

int sn_world_add_plane(sn_world *w, const double point[3], const double normal[3],
                       const sn_shape_def *material, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_shape_def own;
    if (!(material = take_material(material, &own, error))) return -1;
    const double length = normal ? dvec_length(normal) : 0;
    if (!point || !all_finite(point, 3) || !(length > 1e-150) || !isfinite(length)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a plane needs a finite point and a normal that is not zero");
        return -1;
    }
    const double unit[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
    struct sn__solid s = {.geom = {.type = SN__GEOM_PLANE}, .reach = INFINITY};
    memcpy(s.geom.pos, point, sizeof s.geom.pos);
    memcpy(s.base, point, sizeof s.base);
    dquat_from_z(unit, s.rot);
    dquat_to_matrix(s.rot, s.geom.R);
    for (int i = 0; i < 3; i++)
        s.geom.R[i][2] = unit[i];
    sn__solid_set_material(&s, material);
    return enter(w, &s, material, error);
}

/* Ground whose geometry of contact is not the shape itself touches as a hull of it: cylinders, ellipsoids. */
static bool is_faceted(const sn_shape_def *shape) {
    if ((unsigned)shape->type >= SN_SHAPE_TYPE_COUNT || sn__shape_kinds[shape->type].exact) return false;
    for (int i = 0; i < sn__shape_nsize(shape->type); i++)
        if (!(shape->size[i] > 0)) return false; /* no extent: an error later */
    return true;
}

static int add_geom(sn_world *w, const sn_shape_def *shape, const double pos[3], const double rot[4],
                    sn_error *error) {
    struct sn__solid s = {0};
    double own[4];
    if (!sn__geom_make(shape, &s.geom, s.pos, own) || !(s.geom.size[0] > 0) || s.geom.size[1] < 0 ||
        (s.geom.type == SN__GEOM_BOX && !(s.geom.size[1] > 0 && s.geom.size[2] > 0)) ||
        !isfinite(sn__geom_reach(&s.geom))) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "the shape has no extent, too much of it, or its kind does not exist");
        return -1;
    }
    memcpy(s.rot, rot, sizeof s.rot);
    if (!dquat_normalise(s.rot)) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "the orientation is not a quaternion: its length is 0 or not finite");
        return -1;
    }
    dquat_to_matrix(own, s.R);
    s.reach = sn__geom_reach(&s.geom);
    sn__solid_set_material(&s, shape);
    memcpy(s.base, pos, sizeof s.base);
    s.arm = dvec_length(s.pos) + s.reach;
    sn__solid_place_ground(&s);
    if (s.geom.hull && !keep_hull(w, s.geom.hull)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for more ground");
        return -1;
    }
    return enter(w, &s, shape, error);
}

int sn_world_add_shape(sn_world *w, const sn_shape_def *shape, const double pos[3], const double rot[4],
                       sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_shape_def taken;
    if (!shape || !pos || !rot || !all_finite(pos, 3) || !all_finite(rot, 4)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a shape, a finite position and a finite orientation are needed");
        return -1;
    }
    if (!(shape = take_material(shape, &taken, error))) return -1;
    sn_hull *facets = NULL;
    sn_shape_def plain = *shape;
    if (is_faceted(shape)) {
        plain.type = SN_SHAPE_HULL, plain.hull = facets = sn__shape_facets(shape, error);
        if (!facets) return -1;
    }
    const int number = add_geom(w, &plain, pos, rot, error);
    sn_hull_free(facets); /* the world has a share of it */
    return number;
}

/* Heights, in both precisions where the world is of the other one. */
static struct sn__field *make_field(const sn_world *w, const sn_heightfield_def *d) {
    const size_t n = (size_t)d->nx * (size_t)d->ny;
    const bool narrow = w->def.precision == SN_PRECISION_FLOAT;
    struct sn__field *f = sn__alloc(1, sizeof *f);
    if (f) f->height = sn__alloc(n, sizeof *f->height);
    if (f && narrow) f->height32 = sn__alloc(n, sizeof *f->height32);
    if (f) f->sharp = sn__alloc(n, sizeof *f->sharp);
    if (!f || !f->height || !f->sharp || (narrow && !f->height32)) {
        if (f) sn__free_all(f->height, f->height32, f->sharp);
        sn__free(f);
        return NULL;
    }
    f->nx = d->nx, f->ny = d->ny;
    f->step[0] = d->size[0] / (d->nx - 1), f->step[1] = d->size[1] / (d->ny - 1);
    memcpy(f->origin, d->origin, sizeof f->origin);
    f->lowest = INFINITY, f->highest = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        f->height[i] = d->height[i];
        if (narrow) f->height32[i] = (float)d->height[i];
        f->lowest = fmin(f->lowest, d->origin[2] + d->height[i]);
        f->highest = fmax(f->highest, d->origin[2] + d->height[i]);
    }
    sn__field_mark_sharp(f);
    f->hash = sn__hash(f->height, n * sizeof *f->height, (uint64_t)f->nx);
    f->hash = sn__hash(f->step, sizeof f->step, sn__hash(f->origin, sizeof f->origin, f->hash));
    return f;
}

int sn_world_add_heightfield(sn_world *w, const sn_heightfield_def *d, const sn_shape_def *material,
                             sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn_shape_def own;
    sn_heightfield_def given;
    material = take_both(material, &own, "sn_heightfield_def", d, &given, error);
    if (!material || check_field(d = &given, error)) return -1;
    struct sn__field **field = sn__grow(w->field, &w->field_room, w->nfield + 1, sizeof *field);
    if (field) w->field = field;
    struct sn__field *f = field ? make_field(w, d) : NULL;
    if (!f) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a height field of %d by %d points", d->nx, d->ny);
        return -1;
    }
    w->field[w->nfield++] = f; /* kept even if ground goes again: snapshots may want it back */
    struct sn__solid s = {.geom = {.type = SN__GEOM_FIELD, .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .field = f},
                          .rot = {1, 0, 0, 0},
                          .reach = INFINITY};
    sn__solid_set_material(&s, material);
    return enter(w, &s, material, error);
}

static sn_status check_mesh(const sn_mesh_def *d, sn_error *error) {
    if (!d || d->nvertex < 3 || d->ntriangle < 1 || d->ntriangle > 1 << 26 || !d->vertex || !d->triangle)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a mesh needs 3 vertices and 1 to %d triangles", 1 << 26);
    for (int i = 0; i < d->nvertex; i++)
        for (int k = 0; k < 3; k++) /* so that no distance overflows */
            if (!(fabs(d->vertex[i][k]) < 1e30))
                return sn__fail(error, SN_ERROR_ARGUMENT,
                                "vertex %d of the mesh is not finite, or too far away", i);
    for (int i = 0; i < d->ntriangle; i++)
        for (int k = 0; k < 3; k++)
            if (d->triangle[i][k] < 0 || d->triangle[i][k] >= d->nvertex)
                return sn__fail(error, SN_ERROR_ARGUMENT, "triangle %d of the mesh names vertex %d of %d", i,
                                d->triangle[i][k], d->nvertex);
    return SN_OK;
}

/* The world keeps every mesh that was ever ground: snapshots may want it back. NULL: an error is set. */
static struct sn__mesh *keep_mesh(sn_world *w, const sn_mesh_def *d, sn_error *error) {
    struct sn__mesh **grown = sn__grow(w->mesh, &w->mesh_room, w->nmesh + 1, sizeof *grown);
    if (grown) w->mesh = grown;
    struct sn__mesh *m = grown ? sn__mesh_make(d->nvertex, d->vertex, d->ntriangle, d->triangle) : NULL;
    if (!m) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a mesh of %d triangles", d->ntriangle);
        return NULL;
    }
    if (!m->ntriangle) {
        sn__fail(error, SN_ERROR_ARGUMENT, "no triangle of the mesh has an area");
        sn__mesh_free(m);
        return NULL;
    }
    return w->mesh[w->nmesh++] = m;
}

int sn_world_add_mesh(sn_world *w, const sn_mesh_def *d, const sn_shape_def *material, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn_shape_def own;
    sn_mesh_def given;
    material = take_both(material, &own, "sn_mesh_def", d, &given, error);
    if (!material || check_mesh(d = &given, error)) return -1;
    const struct sn__mesh *m = keep_mesh(w, d, error);
    if (!m) return -1;
    struct sn__solid s = {.geom = {.type = SN__GEOM_MESH, .size = {m->reach}, .mesh = m},
                          .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                          .rot = {1, 0, 0, 0},
                          .reach = m->reach,
                          .arm = m->reach};
    memcpy(s.base, m->centre, sizeof s.base);
    sn__solid_place_ground(&s);
    sn__solid_set_material(&s, material);
    return enter(w, &s, material, error);
}

/* ---------------------------------------------------------------------------------------------------- moving */

void sn__solid_place_ground(struct sn__solid *s) {
    double R[3][3];
    dquat_to_matrix(s->rot, R);
    if (s->geom.type == SN__GEOM_PLANE) {
        memcpy(s->geom.R, R, sizeof R);
        return;
    }
    for (int i = 0; i < 3; i++) {
        s->geom.pos[i] = s->base[i];
        for (int j = 0; j < 3; j++) {
            s->geom.pos[i] += R[i][j] * s->pos[j];
            s->geom.R[i][j] = R[i][0] * s->R[0][j] + R[i][1] * s->R[1][j] + R[i][2] * s->R[2][j];
        }
    }
}

bool sn__solid_moves(const struct sn__solid *s) {
    for (int k = 0; k < 3; k++)
        if (s->linear[k] != 0 || s->angular[k] != 0) return true;
    return false;
}

void sn__world_move_grounds(struct sn__solid *solid, const sn_world *w, double h) {
    for (int g = 0; g < w->nground; g++) {
        if (w->ground[g] < 0) continue;
        struct sn__solid *s = &solid[w->ground[g]];
        if (!s->moves) continue;
        double turn[4], rot[4], v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = h * s->angular[k];
            if (s->geom.type == SN__GEOM_PLANE) s->geom.pos[k] += h * s->linear[k];
            s->base[k] += h * s->linear[k];
        }
        dquat_exp(v, turn);
        dquat_multiply(turn, s->rot, rot);
        memcpy(s->rot, rot, sizeof rot);
        dquat_normalise(s->rot);
        sn__solid_place_ground(s);
    }
}

sn_status sn_world_move(sn_world *w, int ground, const double pos[3], const double rot[4],
                        const double linear[3], const double angular[3]) {
    if (ground < 0 || ground >= w->nground || w->ground[ground] < 0)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no ground %d.", ground);
    struct sn__solid *s = &w->solid[w->ground[ground]];
    if (s->geom.type >= SN__GEOM_FIELD)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "Height fields and meshes cannot be moved.");
    if ((pos && !all_finite(pos, 3)) || (rot && !all_finite(rot, 4)) || (linear && !all_finite(linear, 3)) ||
        (angular && !all_finite(angular, 3)))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "A position, rotation or velocity is not finite.");
    const bool still = w->stepping->ground_stands || sn__study_ahead(w->def.study);
    for (int i = 0; i < 3 && still; i++) /* whose ground stands still */
        if ((linear && linear[i] != 0) || (angular && angular[i] != 0))
            return sn__world_refuse(w, SN_ERROR_UNSUPPORTED,
                                    "This stepper or study needs ground that stands still.");
    double turned[4];
    memcpy(turned, rot ? rot : s->rot, sizeof turned);
    if (rot && !dquat_normalise(turned))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The rotation is a quaternion of length zero.");
    if (!sn__world_keep_home(w, ground))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory to move ground.");
    sn__world_touch(w);
    sn__world_wake_all(w);
    const bool moved = s->moves;
    memcpy(s->rot, turned, sizeof turned);
    for (int i = 0; i < 3; i++) {
        if (pos && s->geom.type == SN__GEOM_PLANE) s->geom.pos[i] = pos[i];
        if (pos) s->base[i] = pos[i];
        s->linear[i] = linear ? linear[i] : 0;
        s->angular[i] = angular ? angular[i] : 0;
    }
    s->moves = sn__solid_moves(s);
    sn__solid_place_ground(s);
    if (moved != s->moves) w->surfaces_stale = true;
    w->moving += s->moves - moved;
    w->structure++;
    if (s->probed && !s->moves && sn__surfaces_make(w)) return SN_ERROR_MEMORY;
    return sn__world_settle(w, NULL);
}

sn_status sn_world_set_surface_velocity(sn_world *w, int ground, const double velocity[3]) {
    if (ground < 0 || ground >= w->nground || w->ground[ground] < 0)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no ground %d.", ground);
    struct sn__solid *s = &w->solid[w->ground[ground]];
    if (!velocity || !all_finite(velocity, 3))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The surface velocity is not finite.");
    if (s->trigger)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "A trigger touches nothing and has no surface velocity.");
    const bool carries = velocity[0] != 0 || velocity[1] != 0 || velocity[2] != 0, before = s->carries;
    if (carries && w->def.stepper == SN_STEPPER_POSITION)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "The position stepper has no surface velocities.");
    sn__world_touch(w);
    sn__world_wake_all(w);
    memcpy(w->belt[ground], velocity, sizeof w->belt[ground]);
    if (carries == before) return SN_OK;
    s->carries = carries;
    w->carriers += carries ? 1 : -1;
    w->surfaces_stale = true;
    w->structure++;
    return sn__world_settle(w, NULL);
}

int sn_world_add_floor(sn_world *w) {
    return sn_world_add_plane(w, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL);
}

/* --------------------------------------------------------------------------------------------------- looking */

/* The columns of R are the shape's axes: a quaternion of them by the largest of its squares. */
static void quat_of(double R[3][3], double q[4]) {
    const double square[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                              1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
    const double product[4][4] = {
        {square[0], R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]},
        {R[2][1] - R[1][2], square[1], R[1][0] + R[0][1], R[0][2] + R[2][0]},
        {R[0][2] - R[2][0], R[1][0] + R[0][1], square[2], R[2][1] + R[1][2]},
        {R[1][0] - R[0][1], R[0][2] + R[2][0], R[2][1] + R[1][2], square[3]},
    };
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[largest]) largest = i;
    memcpy(q, product[largest], sizeof product[0]);
    dquat_normalise(q);
}

bool sn_world_ground_shape(const sn_world *w, int ground, sn_shape_def *shape) {
    if (ground < 0 || ground >= w->nground || w->ground[ground] < 0) return false;
    const struct sn__solid *s = &w->solid[w->ground[ground]];
    struct sn__geom geom = s->geom;
    if (geom.type >= SN__GEOM_FIELD || geom.type == SN__GEOM_HULL) return false;
    *shape = sn_shape_def_default(geom.type == SN__GEOM_SPHERE    ? SN_SHAPE_SPHERE
                                  : geom.type == SN__GEOM_CAPSULE ? SN_SHAPE_CAPSULE
                                                                  : SN_SHAPE_BOX);
    for (int i = 0; i < 3; i++) {
        shape->size[i] = geom.type == SN__GEOM_PLANE ? 0 : geom.size[i];
        shape->pos[i] = geom.pos[i];
    }
    quat_of(geom.R, shape->rot);
    shape->friction = s->friction, shape->restitution = s->restitution;
    shape->group = s->group, shape->mask = s->mask;
    shape->trigger = s->trigger;
    memcpy(shape->surface_velocity, w->belt[ground], sizeof w->belt[ground]);
    return true;
}
