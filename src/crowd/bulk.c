/* Values of all characters at once: rows of the user's into lanes, and lanes into the rows of a view.
 *
 * Whole blocks are turned over by a kernel; a block of which not all are wanted, and the last one where it is not full,
 * go lane by lane. Blocks are shared out among the threads. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "crowd/crowd.h"
#include "world/pack_ground.h"

/* ------------------------------------------------------------------------------------------ single values */

void sn__crowd_widen(const sn_crowd *c, int n, const void *from, double *to) {
    if (c->elem_size == sizeof(double))
        memcpy(to, from, sizeof *to * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            to[i] = (double)((const float *)from)[i];
}

void sn__crowd_narrow(const sn_crowd *c, int n, const double *from, void *to) {
    if (c->elem_size == sizeof(double))
        memcpy(to, from, sizeof *from * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            ((float *)to)[i] = (float)from[i];
}

/* -------------------------------------------------------------------------------------------------- putting */

/* What the threads need to know about a put. */
struct put {
    sn_crowd *c;
    sn_crowd_field field;
    enum sn__array array;
    int size;
    const uint8_t *which;
    const char *values;
    atomic_int status; /* the first that was found */
};

static const void *row_of(const struct put *put, int character) {
    return put->values + (size_t)character * (size_t)put->size * put->c->elem_size;
}

static bool wanted(const struct put *put, int character) {
    return !put->which || put->which[character];
}

/* How many of the lanes of a block are characters, and whether all of it is to be put. */
static int lanes_of(const struct sn__pack *p, int block) {
    const int left = p->count - block * p->k->info.width;
    return left < p->k->info.width ? left : p->k->info.width;
}

static bool whole(const struct put *put, const struct sn__pack *p, int block) {
    const int width = p->k->info.width;
    if (lanes_of(p, block) < width) return false;
    for (int lane = 0; lane < width && put->which; lane++)
        if (!put->which[block * width + lane]) return false;
    return true;
}

/* Bodies with a quaternion in this block of poses, in lanes, that is off unit length: in some lane. */
static bool off_unit_f32(const float *w, int width, float tolerance) {
    int off = 0;
    for (int k = 0; k < width; k++) {
        const float a = w[k], b = w[width + k], c = w[2 * width + k], d = w[3 * width + k];
        off |= !(fabsf(a * a + b * b + c * c + d * d - 1) <= tolerance);
    }
    return off;
}

static bool off_unit_f64(const double *w, int width, double tolerance) {
    int off = 0;
    for (int k = 0; k < width; k++) {
        const double a = w[k], b = w[width + k], c = w[2 * width + k], d = w[3 * width + k];
        off |= !(fabs(a * a + b * b + c * c + d * d - 1) <= tolerance);
    }
    return off;
}

/* Whether every quaternion of a block is of unit length, as nearly as its precision can say. */
static bool all_unit(const sn_crowd *c, const struct sn__pack *p, const void *lanes) {
    const int width = p->k->info.width;
    const double tolerance = sn__crowd_unit_tolerance(c);
    for (int i = 0; i < c->model->nbody; i++) {
        const sn_body_info *b = &c->model->body[i];
        const int at = (b->q_index + sn__quaternion_of(b)) * width;
        if (sn__quaternion_of(b) < 0) continue;
        if (c->elem_size == sizeof(double) ? off_unit_f64((const double *)lanes + at, width, tolerance)
                                           : off_unit_f32((const float *)lanes + at, width, (float)tolerance))
            return false;
    }
    return true;
}

static void refuse(struct put *put, sn_status status) {
    int none = SN_OK;
    atomic_compare_exchange_strong(&put->status, &none, (int)status);
}

/* One character's values, with a look at each. */
static void check_row(struct put *put, int thread, int character) {
    sn_crowd *c = put->c;
    double *row = c->row + (size_t)thread * c->largest;
    sn__crowd_widen(c, put->size, row_of(put, character), row);
    const sn_status status = sn__crowd_check(c, put->field, row);
    if (status) refuse(put, status);
}

/* A block's values: those which need only be finite, and poses whose quaternions are fine, in lanes. */
static void check_block(void *user, int thread, int block) {
    struct put *put = user;
    sn_crowd *c = put->c;
    const struct sn__pack *p = sn__crowd_pack(c, thread);
    const int first = block * p->k->info.width, n = lanes_of(p, block);
    const enum sn__rule rule = sn__crowd_field(put->field)->rule;
    if ((rule == SN__RULE_FINITE || rule == SN__RULE_POSE) && put->array != SN__FIELDS &&
        whole(put, p, block)) {
        void *lanes = c->lanes[thread];
        p->k->to_lanes(put->size, row_of(put, first), (size_t)put->size, lanes);
        if (p->k->all_finite(put->size, lanes) && (rule == SN__RULE_FINITE || all_unit(c, p, lanes))) return;
    }
    for (int i = first; i < first + n; i++)
        if (wanted(put, i)) check_row(put, thread, i);
}

/* Poses are made of unit length where they are not. */
static void put_lane(struct put *put, int thread, struct sn__pack *p, int character) {
    sn_crowd *c = put->c;
    double *row = c->row + (size_t)thread * c->largest;
    sn__crowd_widen(c, put->size, row_of(put, character), row);
    if (sn__crowd_field(put->field)->rule == SN__RULE_POSE) sn__crowd_tidy(c, row, false);
    sn__pack_put(p, put->array, character, put->size, row);
}

static void put_block(void *user, int thread, int block) {
    struct put *put = user;
    struct sn__pack *p = sn__crowd_pack(put->c, thread);
    const int first = block * p->k->info.width, n = lanes_of(p, block);
    const bool poses = sn__crowd_field(put->field)->rule == SN__RULE_POSE;
    if (whole(put, p, block)) {
        void *lanes = sn__pack_at(p, put->array, block);
        p->k->to_lanes(put->size, row_of(put, first), (size_t)put->size, lanes);
        if (!poses || all_unit(put->c, p, lanes)) return;
    }
    for (int i = first; i < first + n; i++)
        if (wanted(put, i)) put_lane(put, thread, p, i);
}

/* One by one: in arenas, and what does not stand in lanes. */
static sn_status put_singly(struct put *put) {
    sn_crowd *c = put->c;
    for (int i = 0; i < c->def.count; i++)
        if (wanted(put, i)) check_row(put, 0, i);
    sn_status status = (sn_status)atomic_load(&put->status);
    if (!status) status = sn__crowd_prepare(c, put->field);
    for (int i = 0; i < c->def.count && !status; i++) {
        if (!wanted(put, i)) continue;
        sn__crowd_widen(c, put->size, row_of(put, i), c->row);
        if (sn__crowd_field(put->field)->rule == SN__RULE_POSE) sn__crowd_tidy(c, c->row, false);
        sn__crowd_write(c, put->field, i, c->row);
    }
    return status;
}

sn_status sn_crowd_put(sn_crowd *c, sn_crowd_field field, const uint8_t *which, const void *values) {
    const struct sn__field_info *f = sn__crowd_field(field);
    if (!f || f->rule == SN__RULE_READ_ONLY || !values) return SN_ERROR_ARGUMENT;
    struct put put = {c, field, f->array, sn_crowd_size(c, field), which, values, SN_OK};
    sn__crowd_touch(c);
    if (c->arenas || f->array == SN__FIELDS) return put_singly(&put);
    sn__crowd_sync(c);
    sn__pool_run(c->pool, check_block, &put, c->pack.blocks);
    sn_status status = (sn_status)atomic_load(&put.status);
    if (!status) status = sn__crowd_prepare(c, field);
    if (status) return status;
    c->stale = true;
    sn__crowd_sync(c);
    sn__pool_run(c->pool, put_block, &put, c->pack.blocks);
    const bool drives =
        field == SN_CROWD_KP || field == SN_CROWD_KD || field == SN_CROWD_ARMATURE || field == SN_CROWD_DT;
    for (int i = 0; i < c->def.count && drives; i++)
        if (wanted(&put, i)) sn__pack_update_character(&c->pack, i);
    c->stale = true;
    return SN_OK;
}

/* -------------------------------------------------------------------------------------------------- viewing */

struct fill {
    sn_crowd *c;
    sn_crowd_field field;
    int size;
    char *to;
};

/* Rows of a view, whole blocks of them. */
static void *view_memory(sn_crowd *c, sn_crowd_field field) {
    struct sn__view *v = &c->view[field];
    if (v->memory) return v->memory;
    const size_t width = c->arenas ? 1 : (size_t)c->pack.k->info.width, count = (size_t)c->def.count;
    const size_t row = (size_t)sn_crowd_size(c, field) * c->elem_size,
                 rows = (count + width - 1) / width * width;
    if (row && rows > SIZE_MAX / 2 / row) return NULL;
    return v->memory = sn__alloc_aligned(rows * row);
}

/* Poses and velocities of the bodies come from one pass; both views are filled where both are there. */
static void fill_bodies(sn_crowd *c, int thread, int block) {
    const struct sn__pack *p = sn__crowd_pack(c, thread);
    const size_t width = (size_t)p->k->info.width, nbody = (size_t)c->model->nbody,
                 value = width * c->elem_size;
    const struct sn__args args = sn__pack_args(p, block);
    p->k->kinematics(&args, c->lanes[thread]);
    for (size_t b = 0; b < nbody; b++) {
        const char *from = (const char *)c->lanes[thread] + 13 * b * value;
        char *pose = c->view[SN_CROWD_BODY_POSE].memory, *velocity = c->view[SN_CROWD_BODY_VELOCITY].memory;
        if (pose)
            p->k->from_lanes(7, from, pose + ((size_t)block * width * nbody + b) * 7 * c->elem_size,
                             7 * nbody);
        if (velocity)
            p->k->from_lanes(6, from + 7 * value,
                             velocity + ((size_t)block * width * nbody + b) * 6 * c->elem_size, 6 * nbody);
    }
}

/* Forces of the ground on the bodies of a block, [nbody][3] in lanes: of the points that have touched it. */
static void *force_lanes(sn_crowd *c, int thread, int block) {
    const struct sn__pack *p = sn__crowd_pack(c, thread);
    const struct sn__ground g = sn__pack_ground_of(p, block);
    const size_t value = (size_t)p->k->info.width * c->elem_size;
    char *force = c->lanes[thread];
    memset(force, 0, 3 * value * (size_t)c->model->nbody);
    for (int b = 0; b < g.nprobed; b++)
        for (int i = g.probed[b].first; i < g.probed[b].first + g.probed[b].count; i++) {
            const void *touch = (const char *)g.touch + 6 * value * (size_t)i;
            void *sum = force + 3 * value * (size_t)g.probed[b].body;
            if (g.live[i]) p->k->combine(3, sum, 1, &(const double){1}, &touch, sum);
        }
    return force;
}

/* [nbody] in place of [nbody][3]: 1 where a force is not zero. What is written has been read. */
static void mark_touching(const sn_crowd *c, int width, void *force) {
    for (int b = 0; b < c->model->nbody; b++)
        for (int lane = 0; lane < width; lane++) {
            const int from = 3 * b * width + lane, to = b * width + lane;
            double f[3];
            for (int k = 0; k < 3; k++)
                sn__crowd_widen(c, 1, (const char *)force + (size_t)(from + k * width) * c->elem_size, &f[k]);
            const double touches = f[0] != 0 || f[1] != 0 || f[2] != 0;
            sn__crowd_narrow(c, 1, &touches, (char *)force + (size_t)to * c->elem_size);
        }
}

/* What nobody has set is the same for all. */
static void fill_default(const struct fill *fill, int thread, int first, int n) {
    const sn_crowd *c = fill->c;
    double *row = c->row + (size_t)thread * c->largest;
    sn__crowd_default(&c->pack, sn__crowd_field(fill->field)->array, fill->size, row);
    for (int i = first; i < first + n; i++)
        sn__crowd_narrow(c, fill->size, row, fill->to + (size_t)i * (size_t)fill->size * c->elem_size);
}

static void fill_block(void *user, int thread, int block) {
    const struct fill *fill = user;
    sn_crowd *c = fill->c;
    const struct sn__pack *p = sn__crowd_pack(c, thread);
    const int width = p->k->info.width, first = block * width;
    const enum sn__array array = sn__crowd_field(fill->field)->array;
    const void *lanes = NULL;
    if (fill->field == SN_CROWD_BODY_POSE || fill->field == SN_CROWD_BODY_VELOCITY) {
        fill_bodies(c, thread, block);
        return;
    }
    if (fill->field == SN_CROWD_CONTACT_FORCE || fill->field == SN_CROWD_CONTACT) {
        void *force = force_lanes(c, thread, block);
        if (fill->field == SN_CROWD_CONTACT) mark_touching(c, width, force);
        lanes = force;
    } else {
        lanes = sn__pack_at(p, array, block);
    }
    if (lanes)
        p->k->from_lanes(fill->size, lanes, fill->to + (size_t)first * (size_t)fill->size * c->elem_size,
                         (size_t)fill->size);
    else
        fill_default(fill, thread, first, lanes_of(p, block));
}

const void *sn_crowd_view(sn_crowd *c, sn_crowd_field field) {
    const struct sn__field_info *f = sn__crowd_field(field);
    struct fill fill = {c, field, f ? sn_crowd_size(c, field) : 0, NULL};
    if (!fill.size || !(fill.to = view_memory(c, field))) return NULL;
    struct sn__view *v = &c->view[field];
    if (v->version == c->version) return v->memory;
    const bool forces = field == SN_CROWD_CONTACT_FORCE || field == SN_CROWD_CONTACT;
    if (c->arenas || field == SN_CROWD_PHASE || (forces && !c->pack.ground)) {
        for (int i = 0; i < c->def.count; i++) {
            sn__crowd_read(c, field, i, c->row);
            sn__crowd_narrow(c, fill.size, c->row, fill.to + (size_t)i * (size_t)fill.size * c->elem_size);
        }
    } else {
        sn__crowd_sync(c);
        c->posed = 0; /* lanes[0] is about to be used */
        sn__pool_run(c->pool, fill_block, &fill, c->pack.blocks);
    }
    v->version = c->version;
    if (!c->arenas && (field == SN_CROWD_BODY_POSE || field == SN_CROWD_BODY_VELOCITY)) {
        struct sn__view *other = &c->view[SN_CROWD_BODY_POSE + SN_CROWD_BODY_VELOCITY - field];
        if (other->memory) other->version = c->version;
    }
    return v->memory;
}
