/* Ground: planes, shapes that stand or are moved, height fields. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/shape.h"
#include "world/world.h"

static sn_status check_material(const sn_shape_def *m, sn_error *error) {
    if (!(m->friction >= 0 && isfinite(m->friction)) || !(m->restitution >= 0 && m->restitution <= 1))
        return sn__fail(error, SN_ERROR_ARGUMENT, "friction %g or restitution %g is out of range",
                        m->friction, m->restitution);
    return SN_OK;
}

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Enters a solid that was added last as ground; its number. */
static int enter_ground(sn_world *w, sn_error *error) {
    int *ground = sn__grow(w->ground, &w->ground_room, w->nground + 1, sizeof *ground);
    if (ground) {
        w->ground = ground;
        ground[w->nground] = w->nsolid - 1;
        w->solid[w->nsolid - 1].member = -1;
        w->solid[w->nsolid - 1].body = w->nground;
        struct sn__solid *backup = sn__alloc((size_t)w->nground + 1, sizeof *backup);
        if (backup && sn__world_reserve(w)) {
            sn__free(w->ground_backup);
            w->ground_backup = backup;
            return w->nground++;
        }
        sn__free(backup);
    }
    w->nsolid--;
    sn__fail(error, SN_ERROR_MEMORY, "no memory for more ground");
    return -1;
}

int sn_world_add_plane(sn_world *w, const double point[3], const double normal[3],
                       const sn_shape_def *material, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    const sn_shape_def plain = sn_shape_def_default(SN_SHAPE_BOX);
    if (!material) material = &plain;
    if (check_material(material, error)) return -1;
    const double length =
        normal ? sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]) : 0;
    if (!point || !all_finite(point, 3) || !(length > 1e-150) || !isfinite(length)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a plane needs a finite point and a normal that is not zero");
        return -1;
    }
    struct sn__solid *s = sn__world_add_solid(w);
    if (!s) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for more ground");
        return -1;
    }
    const double unit[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
    s->geom.type = SN__GEOM_PLANE;
    memcpy(s->geom.pos, point, sizeof s->geom.pos);
    dquat_from_z(unit, s->rot);
    dquat_to_matrix(s->rot, s->geom.R);
    for (int i = 0; i < 3; i++)
        s->geom.R[i][2] = unit[i];
    s->reach = INFINITY;
    sn__solid_set_material(s, material);
    return enter_ground(w, error);
}

int sn_world_add_shape(sn_world *w, const sn_shape_def *shape, const double pos[3], const double rot[4],
                       sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!shape || !pos || !rot || !all_finite(pos, 3) || !all_finite(rot, 4) || !all_finite(shape->size, 3) ||
        !all_finite(shape->pos, 3) || !all_finite(shape->rot, 4)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a shape, a finite position and a finite orientation are needed");
        return -1;
    }
    if (check_material(shape, error)) return -1;
    struct sn__geom g;
    double own[4];
    if (!sn__geom_make(shape, &g, own) || !(g.size[0] > 0) || g.size[1] < 0 ||
        (g.type == SN__GEOM_BOX && !(g.size[1] > 0 && g.size[2] > 0))) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the shape has no extent or its kind does not exist");
        return -1;
    }
    const double n = sqrt(rot[0] * rot[0] + rot[1] * rot[1] + rot[2] * rot[2] + rot[3] * rot[3]);
    const bool turns = n > 1e-150 && isfinite(n);
    struct sn__solid *s = turns ? sn__world_add_solid(w) : NULL;
    if (!s) {
        sn__fail(error, turns ? SN_ERROR_MEMORY : SN_ERROR_ARGUMENT,
                 turns ? "no memory for more ground" : "the orientation is no quaternion");
        return -1;
    }
    s->geom = g;
    memcpy(s->pos, shape->pos, sizeof s->pos);
    dquat_to_matrix(own, s->R);
    memcpy(s->geom.pos, pos, sizeof s->geom.pos);
    for (int i = 0; i < 4; i++)
        s->rot[i] = rot[i] / n;
    s->reach = sn__geom_reach(&g);
    sn__solid_set_material(s, shape);
    memcpy(s->base, pos, sizeof s->base);
    s->arm = dvec_length(s->pos) + s->reach;
    sn__solid_place_ground(s);
    return enter_ground(w, error);
}

static void free_field(struct sn__field *f) {
    if (!f) return;
    sn__free(f->height);
    sn__free(f);
}

int sn_world_add_heightfield(sn_world *w, const sn_heightfield_def *d, const sn_shape_def *material,
                             sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    const sn_shape_def plain = sn_shape_def_default(SN_SHAPE_BOX);
    if (!material) material = &plain;
    if (check_material(material, error)) return -1;
    if (!d || d->nx < 2 || d->ny < 2 || d->nx > 1 << 15 || d->ny > 1 << 15 || !d->height ||
        !(d->size[0] > 0) || !(d->size[1] > 0) || !all_finite(d->size, 2) || !all_finite(d->origin, 3) ||
        !all_finite(d->height, d->nx * d->ny)) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "a height field needs 2 to 32768 points each way, a size and finite heights");
        return -1;
    }
    const size_t n = (size_t)d->nx * (size_t)d->ny;
    struct sn__field *f = sn__alloc(1, sizeof *f), **field = NULL;
    if (f) f->height = sn__alloc(n, sizeof *f->height);
    if (f && f->height) field = sn__grow(w->field, &w->field_room, w->nfield + 1, sizeof *field);
    struct sn__solid *s = NULL;
    if (field) {
        w->field = field;
        s = sn__world_add_solid(w);
    }
    if (!s) {
        free_field(f);
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a height field of %zu points", n);
        return -1;
    }
    f->nx = d->nx, f->ny = d->ny;
    f->step[0] = d->size[0] / (d->nx - 1), f->step[1] = d->size[1] / (d->ny - 1);
    memcpy(f->origin, d->origin, sizeof f->origin);
    memcpy(f->height, d->height, n * sizeof *f->height);
    f->lowest = INFINITY, f->highest = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        f->lowest = fmin(f->lowest, d->origin[2] + d->height[i]);
        f->highest = fmax(f->highest, d->origin[2] + d->height[i]);
    }
    s->geom = (struct sn__geom){.type = SN__GEOM_FIELD, .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .field = f};
    s->rot[0] = 1;
    s->reach = INFINITY;
    sn__solid_set_material(s, material);
    const int number = enter_ground(w, error);
    if (number < 0)
        free_field(f);
    else
        w->field[w->nfield++] = f;
    return number;
}

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

sn_status sn_world_move(sn_world *w, int ground, const double pos[3], const double rot[4],
                        const double linear[3], const double angular[3]) {
    if (ground < 0 || ground >= w->nground) return SN_ERROR_ARGUMENT;
    struct sn__solid *s = &w->solid[w->ground[ground]];
    if (s->geom.type == SN__GEOM_FIELD) return SN_ERROR_UNSUPPORTED;
    if ((pos && !all_finite(pos, 3)) || (rot && !all_finite(rot, 4)) || (linear && !all_finite(linear, 3)) ||
        (angular && !all_finite(angular, 3)))
        return SN_ERROR_ARGUMENT;
    if (rot) {
        const double n = sqrt(rot[0] * rot[0] + rot[1] * rot[1] + rot[2] * rot[2] + rot[3] * rot[3]);
        if (!(n > 1e-150) || !isfinite(n)) return SN_ERROR_ARGUMENT;
        for (int i = 0; i < 4; i++)
            s->rot[i] = rot[i] / n;
    }
    for (int i = 0; i < 3; i++) {
        if (pos && s->geom.type == SN__GEOM_PLANE) s->geom.pos[i] = pos[i];
        if (pos) s->base[i] = pos[i];
        s->linear[i] = linear ? linear[i] : 0;
        s->angular[i] = angular ? angular[i] : 0;
    }
    s->moves = sn__solid_moves(s);
    sn__solid_place_ground(s);
    return SN_OK;
}
