/* What a world is made of: characters, ground, and the memory its step needs. */
#include "world/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"

sn_world_def sn_world_def_default(void) {
    return (sn_world_def){.precision = SN_DOUBLE,
                          .gravity = {0, 0, -9.81},
                          .dt = 1.0 / 240,
                          .joint_limits = true,
                          .iterations = 1000,
                          .tolerance = 1e-7,
                          .slop = 1e-4,
                          .recovery = 0.02,
                          .margin = 0.01,
                          .bounce = 0.1,
                          .sweeps = 6,
                          .sweep_tolerance = 0.01,
                          .shortest = 1.0 / 1024,
                          .max_contacts = 1024};
}

sn_member_def sn_member_def_default(void) {
    return (sn_member_def){.form = SN_FORM_STABLE};
}

/* Zero or more, and finite. */
static bool fine(double x) {
    return x >= 0 && x <= DBL_MAX;
}

static sn_status check_def(const sn_world_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the definition is NULL");
    if (!(d->dt > 0) || !isfinite(d->dt))
        return sn__fail(error, SN_ERROR_ARGUMENT, "dt is %g: it must be positive and finite", d->dt);
    if (!(fabs(d->gravity[0]) + fabs(d->gravity[1]) + fabs(d->gravity[2]) <= (double)FLT_MAX))
        return sn__fail(error, SN_ERROR_ARGUMENT, "gravity is not finite");
    if ((unsigned)d->precision > SN_FLOAT || (unsigned)d->contact > SN_CONTACT_NONE ||
        (unsigned)d->stepper > SN_STEPPER_EVENT || (unsigned)d->friction > SN_FRICTION_NONE ||
        (unsigned)d->row_solver > SN_ROWS_DIRECT || (unsigned)d->response > SN_RESPONSE_CACHED)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (d->stepper == SN_STEPPER_EVENT && d->contact == SN_CONTACT_IMPLICIT)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "the event stepper has contact by rows only");
    if (!fine(d->tolerance) || !fine(d->slop) || !fine(d->recovery) || !fine(d->margin) || !fine(d->bounce) ||
        !fine(d->compliance) || !fine(d->sweep_tolerance) || !fine(d->shortest) || d->shortest > 1)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a length, time or tolerance of the definition is negative or not finite");
    if (d->iterations < 1 || d->sweeps < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT, "at least one iteration and one sweep are needed");
    if (d->max_contacts < 1 || d->max_contacts > 1 << 20)
        return sn__fail(error, SN_ERROR_ARGUMENT, "room for %d contacts: from 1 to %d are possible",
                        d->max_contacts, 1 << 20);
    return SN_OK;
}

sn_world *sn_world_create(const sn_world_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (check_def(def, error)) return NULL;
    sn_world *w = sn__alloc(1, sizeof *w);
    if (w) {
        w->def = *def;
        w->stats.bad_character = w->stats.bad_dof = -1;
        w->solver = sn__kernels_find(NULL, SN_DOUBLE, true, error);
        const size_t n = (size_t)def->max_contacts;
        w->contact = sn__alloc(n, sizeof *w->contact);
        w->last = sn__alloc(n, sizeof *w->last);
        w->before = sn__alloc(def->stepper == SN_STEPPER_EVENT ? n : 1, sizeof *w->before);
        w->report = sn__alloc(n, sizeof *w->report);
        w->polish = sn__alloc(SN__POLISH_ROWS * SN__POLISH_ROWS, sizeof *w->polish);
    }
    if (w && w->solver && w->polish && w->contact && w->last && w->before && w->report && sn__world_reserve(w))
        return w;
    if (error->status == SN_OK) sn__fail(error, SN_ERROR_MEMORY, "no memory for a world");
    sn_world_free(w);
    return NULL;
}

static void release_member(struct sn__member *m) {
    sn_character_free(m->character);
    sn__free(m->limit);
    sn__free(m->lanes);
    sn__free(m->place);
    sn__free(m->backup);
    sn__free(m->row);
    sn__free(m->implicit_lanes);
    sn__free(m->implicit_body);
    sn__free(m->limit_lanes);
    sn__free(m->limit_body);
    sn__free(m->limit_side);
    sn__free(m->implicit_contact);
}

void sn_world_free(sn_world *w) {
    if (!w) return;
    for (int i = 0; i < w->nmember; i++)
        release_member(&w->member[i]);
    for (int i = 0; i < w->nfield; i++) {
        sn__free(w->field[i]->height);
        sn__free(w->field[i]);
    }
    sn__sweeper_free(w->sweeper);
    void *memory[] = {w->member,        w->solid,      w->ground,  w->field, w->box,     w->moving,
                      w->swept,         w->pair,       w->contact, w->last,  w->report,  w->before,
                      w->ground_backup, w->row,        w->more,    w->f,     w->f_moved, w->block,
                      w->pool,          w->pool_float, w->direct,  w->tie};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        sn__free(memory[i]);
    sn__free(w);
}

/* ------------------------------------------------------------------------------------------------ shapes */

/* The kinds of shape that touch others. A cylinder touches as the capsule inside it, an ellipsoid as a capsule
   along its longest axis. */
static bool make_geom(const sn_shape_def *s, struct sn__geom *g, double rot[4]) {
    *g = (struct sn__geom){.size = {s->size[0], s->size[1], s->size[2]}};
    memcpy(rot, s->rot, 4 * sizeof *rot);
    if (!dquat_normalise(rot)) return false;
    switch (s->type) {
    case SN_SHAPE_SPHERE:
        g->type = SN__GEOM_SPHERE;
        return true;
    case SN_SHAPE_BOX:
        g->type = SN__GEOM_BOX;
        return true;
    case SN_SHAPE_CYLINDER:
        g->size[0] = fmin(s->size[0], s->size[1]);
        g->size[1] = s->size[1] - g->size[0];
        g->type = SN__GEOM_CAPSULE;
        return true;
    case SN_SHAPE_CAPSULE:
        g->type = SN__GEOM_CAPSULE;
        return true;
    case SN_SHAPE_ELLIPSOID: {
        static const double turn[3][4] = {
            {M_SQRT1_2, 0, M_SQRT1_2, 0}, {M_SQRT1_2, -M_SQRT1_2, 0, 0}, {1, 0, 0, 0}};
        int longest = 2;
        for (int i = 0; i < 2; i++)
            if (s->size[i] > s->size[longest]) longest = i;
        const double a = s->size[(longest + 1) % 3], b = s->size[(longest + 2) % 3],
                     own[4] = {rot[0], rot[1], rot[2], rot[3]};
        g->size[0] = fmax(a, b);
        g->size[1] = fmax(0, s->size[longest] - g->size[0]);
        dquat_multiply(own, turn[longest], rot);
        g->type = SN__GEOM_CAPSULE;
        return true;
    }
    default:
        return false;
    }
}

static struct sn__solid *add_solid(sn_world *w) {
    struct sn__solid *s = sn__grow(w->solid, &w->solid_room, w->nsolid + 1, sizeof *s);
    if (!s) return NULL;
    w->solid = s;
    memset(&s[w->nsolid], 0, sizeof *s);
    return &s[w->nsolid++];
}

static void set_material(struct sn__solid *s, const sn_shape_def *shape) {
    s->friction = shape->friction, s->restitution = shape->restitution;
    s->group = shape->group, s->mask = shape->mask;
}

/* ------------------------------------------------------------------------------------------------- ground */

static sn_status check_material(const sn_shape_def *m, sn_error *error) {
    if (!fine(m->friction) || !(m->restitution >= 0 && m->restitution <= 1))
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
    struct sn__solid *s = add_solid(w);
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
    set_material(s, material);
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
    if (!make_geom(shape, &g, own) || !(g.size[0] > 0) || g.size[1] < 0 ||
        (g.type == SN__GEOM_BOX && !(g.size[1] > 0 && g.size[2] > 0))) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the shape has no extent or its kind does not exist");
        return -1;
    }
    const double n = sqrt(rot[0] * rot[0] + rot[1] * rot[1] + rot[2] * rot[2] + rot[3] * rot[3]);
    struct sn__solid *s = n > 1e-150 ? add_solid(w) : NULL;
    if (!s) {
        sn__fail(error, n > 1e-150 ? SN_ERROR_MEMORY : SN_ERROR_ARGUMENT,
                 "no memory for more ground, or a quaternion of length zero");
        return -1;
    }
    s->geom = g;
    memcpy(s->pos, shape->pos, sizeof s->pos);
    dquat_to_matrix(own, s->R);
    memcpy(s->geom.pos, pos, sizeof s->geom.pos);
    for (int i = 0; i < 4; i++)
        s->rot[i] = rot[i] / n;
    s->reach = sn__geom_reach(&g);
    set_material(s, shape);
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
        s = add_solid(w);
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
    set_material(s, material);
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
    sn__solid_place_ground(s);
    return SN_OK;
}

/* --------------------------------------------------------------------------------------------- characters */

static bool add_shapes(sn_world *w, struct sn__member *m, const sn_model *model, int number) {
    m->first_solid = w->nsolid;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++) {
            struct sn__geom g;
            double rot[4];
            if (!make_geom(&model->shape[k], &g, rot)) continue;
            struct sn__solid *s = add_solid(w);
            if (!s) return false;
            s->geom = g;
            s->reach = sn__geom_reach(&g);
            s->member = number, s->body = b, s->shape = k;
            for (int i = 0; i < 3; i++)
                s->pos[i] = model->shape[k].pos[i] - body->joint.anchor[i];
            dquat_to_matrix(rot, s->R);
            s->arm = dvec_length(s->pos) + s->reach;
            set_material(s, &model->shape[k]);
        }
    }
    m->nsolid = w->nsolid - m->first_solid;
    return true;
}

/* The arrays of a member: those in lanes, and those of its one character. */
static bool allocate_member(struct sn__member *m, const sn_model *model) {
    const struct sn__pack *p = &m->character->pack;
    const size_t nbody = (size_t)model->nbody, nv = (size_t)model->nv, nq = (size_t)model->nq;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    const size_t count[] = {nbody * 6, nv, nv, nv, nv};
    void **array[] = {&m->push_lanes, &m->free_qd, &m->moved_qd, &m->change, &m->zero};
    size_t size = 0;
    for (int pass = 0; pass < 2; pass++) {
        size = 0;
        for (int i = 0; i < 5; i++) {
            if (m->lanes) *array[i] = (char *)m->lanes + size;
            size += (count[i] * value + 63) & ~(size_t)63;
        }
        if (!pass && !(m->lanes = sn__alloc_aligned(size + 64))) return false;
    }
    m->place = sn__alloc(nbody * (SN__PLACE + 12) + 4 * nv, sizeof(double));
    m->backup = sn__alloc((nq + nv) * value + 1, 2);
    m->start = m->backup ? (char *)m->backup + (nq + nv) * value : NULL;
    m->limit = sn__alloc(nbody, sizeof *m->limit);
    if (!m->place || !m->backup || !m->limit) return false;
    m->rate = m->place + nbody * SN__PLACE;
    m->wrench = m->rate + nbody * 6;
    m->tau = m->wrench + nbody * 6;
    m->qd = m->tau + nv;
    m->inertia = m->qd + nv;
    if (sn_gains_choose(model, NULL, 0.5 / M_PI, 1, m->inertia, m->inertia + nv)) return false; /* kp = I */
    for (int i = 0; i < model->nbody; i++) {
        const sn_joint_def *j = &model->body[i].joint;
        if (!j->limited || j->type == SN_JOINT_FREE || j->type == SN_JOINT_WELD) continue;
        m->limit[m->nlimit++] = (struct sn__limited){i, cos(j->upper[1]), sin(fmax(-M_PI, j->lower[0]) / 2),
                                                     sin(fmin(M_PI, j->upper[0]) / 2), 0};
    }
    return true;
}

int sn_world_add(sn_world *w, const sn_model *model, const sn_member_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    const sn_member_def plain = sn_member_def_default();
    if (!def) def = &plain;
    struct sn__member *member = sn__grow(w->member, &w->member_room, w->nmember + 1, sizeof *member);
    if (!member) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
        return -1;
    }
    w->member = member;
    struct sn__member *m = &member[w->nmember];
    memset(m, 0, sizeof *m);
    m->def = *def;
    m->active = true;
    sn_character_def c = sn_character_def_default();
    c.precision = w->def.precision;
    memcpy(c.gravity, w->def.gravity, sizeof c.gravity);
    c.dt = w->def.dt;
    c.form = def->form;
    c.report_torque = def->report_torque;
    /* rows are answered a lane each: wider lanes serve more at a time */
    if (w->def.contact != SN_CONTACT_IMPLICIT)
        c.lanes = sn__kernels_up_to(w->def.precision, w->def.precision == SN_DOUBLE ? 4 : 8);
    m->character = sn_character_create(model, &c, error);
    if (!m->character) return -1;
    m->character->member = true;
    const int solids = w->nsolid;
    w->nmember++;
    if (allocate_member(m, model) && add_shapes(w, m, model, w->nmember - 1) && sn__world_reserve(w))
        return w->nmember - 1;
    w->nmember--;
    w->nsolid = solids;
    release_member(m);
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
    return -1;
}

int sn_world_count(const sn_world *w) {
    return w->nmember;
}

sn_character *sn_world_character(sn_world *w, int character) {
    return character >= 0 && character < w->nmember ? w->member[character].character : NULL;
}

sn_status sn_world_set_active(sn_world *w, int character, bool active) {
    if (character < 0 || character >= w->nmember) return SN_ERROR_ARGUMENT;
    w->member[character].active = active;
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------- memory */

static bool grow(void *array, size_t count, size_t size) {
    void **a = array;
    void *fresh = sn__alloc(count ? count : 1, size);
    if (!fresh) return false;
    sn__free(*a);
    *a = fresh;
    return true;
}

/* Rows a member may have: contacts of its shapes, limits, and what users add. */
static int member_rows(const sn_world *w, const struct sn__member *m) {
    const sn_model *model = m->character->pack.model;
    int most = 36 * m->nsolid;
    most = most < 96 ? 96 : most > 384 ? 384 : most;
    if (most > 3 * w->def.max_contacts) most = 3 * w->def.max_contacts;
    return most + 2 * m->nlimit + model->nv + 6 * w->tie_room;
}

static bool reserve_member(sn_world *w, struct sn__member *m) {
    const struct sn__pack *p = &m->character->pack;
    const int rows = member_rows(w, m);
    if (rows > m->row_room) {
        if (!grow(&m->row, (size_t)rows, sizeof *m->row)) return false;
        m->row_room = rows;
    }
    if (w->def.contact != SN_CONTACT_IMPLICIT) return true;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    const int contacts = SN__MOST_TOUCHES * m->nsolid, limits = SN__SIDES * m->nlimit;
    if (contacts > m->implicit_room) {
        void *lanes = sn__alloc_aligned(SN__CONTACT_VALUES * value * (size_t)contacts);
        if (!lanes || !grow(&m->implicit_body, (size_t)contacts, sizeof(int32_t)) ||
            !grow(&m->implicit_contact, (size_t)contacts, sizeof(int))) {
            sn__free(lanes);
            return false;
        }
        sn__free(m->implicit_lanes);
        m->implicit_lanes = lanes;
        m->implicit_room = contacts;
    }
    if (limits > m->limit_room) {
        void *lanes = sn__alloc_aligned(SN__LIMIT_VALUES * value * (size_t)limits);
        if (!lanes || !grow(&m->limit_body, (size_t)limits, sizeof(int32_t)) ||
            !grow(&m->limit_side, (size_t)limits, sizeof(int))) {
            sn__free(lanes);
            return false;
        }
        sn__free(m->limit_lanes);
        m->limit_lanes = lanes;
        m->limit_room = limits;
    }
    return true;
}

bool sn__world_reserve(sn_world *w) {
    size_t pool = 1 << 12;
    int rows = 3 * w->def.max_contacts + 6 * w->tie_room;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        if (!reserve_member(w, m)) return false;
        rows += 2 * m->nlimit + m->character->pack.model->nv;
        const size_t n = ((size_t)m->row_room + 7) & ~(size_t)7;
        pool += n * n / 2 + 16 * n; /* half of the worst; more is dropped, and told */
    }
    if (rows > w->row_room) {
        if (!grow(&w->row, (size_t)rows, sizeof *w->row) || !grow(&w->more, (size_t)rows, sizeof *w->more) ||
            !grow(&w->f, (size_t)rows, sizeof *w->f) || !grow(&w->f_moved, (size_t)rows, sizeof *w->f_moved))
            return false;
        w->row_room = rows;
    }
    if (pool > w->pool_size) {
        double *fresh = sn__alloc_aligned(pool * sizeof *fresh);
        float *single = w->def.precision == SN_FLOAT ? sn__alloc_aligned(pool * sizeof *single) : NULL;
        if (!fresh || (w->def.precision == SN_FLOAT && !single)) {
            sn__free(fresh);
            sn__free(single);
            return false;
        }
        sn__free(w->pool);
        sn__free(w->pool_float);
        w->pool = fresh, w->pool_float = single;
        w->pool_size = pool;
    }
    if (w->nsolid > w->sweeper_room) {
        const int room = 2 * w->nsolid;
        struct sn__sweeper *s = sn__sweeper_create(room);
        if (!s) return false;
        sn__sweeper_free(w->sweeper);
        w->sweeper = s;
        if (!grow(&w->box, (size_t)room, sizeof *w->box) ||
            !grow(&w->moving, (size_t)room, sizeof *w->moving) ||
            !grow(&w->swept, (size_t)room, sizeof *w->swept) ||
            !grow(&w->pair, 64 * (size_t)room, sizeof *w->pair))
            return false;
        w->pair_room = 64 * room;
        w->sweeper_room = room;
    }
    if (!grow(&w->block, (size_t)w->nmember, sizeof *w->block)) return false;
    if (w->def.row_solver == SN_ROWS_DIRECT) {
        const int n = w->row_room < SN__DIRECT_ROWS ? w->row_room : SN__DIRECT_ROWS;
        if (n > w->direct_rows) {
            const size_t room = sn__world_direct_room(n);
            if (!grow(&w->direct, room, sizeof *w->direct)) return false;
            w->direct_rows = n;
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- questions */

sn_status sn_world_set_dt(sn_world *w, double dt) {
    if (!(dt > 0) || !isfinite(dt)) return SN_ERROR_ARGUMENT;
    w->def.dt = dt;
    for (int i = 0; i < w->nmember; i++)
        sn__pack_set_dt(&w->member[i].character->pack, dt);
    return SN_OK;
}

double sn_world_time(const sn_world *w) {
    return w->time;
}

int sn_world_contact_count(const sn_world *w) {
    return w->ncontact;
}

const sn_contact *sn_world_contacts(const sn_world *w) {
    sn__world_report(w);
    return w->report;
}

void sn_world_get_stats(const sn_world *w, sn_world_stats *stats) {
    if (stats) *stats = w->stats;
}

sn_status sn_world_step(sn_world *w) {
    return w->def.stepper == SN_STEPPER_EVENT ? sn__world_step_event(w) : sn__world_step_time(w);
}
