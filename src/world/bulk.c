/* Values of all copies at once: rows of the user's into lanes, and lanes into the rows of a view.
 *
 * Whole blocks are turned over by a kernel; a block of which not all are wanted, the last one where it is not full, and
 * copies that fill a block each go one by one. Blocks are shared out among the threads. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "model/joint.h"
#include "world/fields.h"
#include "world/probes.h"
#include "world/worker.h"

/* ------------------------------------------------------------------------------------------ single values */

void sn__world_widen(const sn_world *w, int n, const void *from, double *to) {
    if (w->def.precision == SN_PRECISION_DOUBLE)
        memcpy(to, from, sizeof *to * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            to[i] = (double)((const float *)from)[i];
}

void sn__world_narrow(const sn_world *w, int n, const double *from, void *to) {
    if (w->def.precision == SN_PRECISION_DOUBLE)
        memcpy(to, from, sizeof *from * (size_t)n);
    else
        for (int i = 0; i < n; i++)
            ((float *)to)[i] = (float)from[i];
}

/* -------------------------------------------------------------------------------------------------- putting */

/* What the threads need to know about a put. */
struct put {
    sn_world *w;
    struct sn__member *m;
    sn_field field;
    int size;
    const uint8_t *which;
    const char *values;
    atomic_int bad;      /* the first copy that is refused; none: the number of copies */
    atomic_bool passive; /* some copy has a passive share of qdd, see drive.c */
};

static const void *row_of(const struct put *put, int copy) {
    return put->values + (size_t)copy * (size_t)put->size * put->w->k->elem_size;
}

static bool wanted(const struct put *put, int copy) {
    return !put->which || put->which[copy];
}

static struct sn__pack *pack_of(const sn_world *w, const struct sn__member *m, int thread) {
    return w->worker[thread].hand[m->number].pack;
}

/* The copies of a block. */
static int first_of(const struct sn__pack *p, int block) {
    return p->spread ? block : block * p->k->info.width;
}

static int count_of(const struct sn__pack *p, int block) {
    const int left = p->count - block * p->k->info.width;
    return p->spread ? 1 : left < p->k->info.width ? left : p->k->info.width;
}

/* Whether all lanes of a block are copies that are to be put. */
static bool whole(const struct put *put, const struct sn__pack *p, int block) {
    const int width = p->k->info.width, first = first_of(p, block);
    if (p->spread || count_of(p, block) < width) return false;
    for (int lane = 0; lane < width && put->which; lane++)
        if (!put->which[first + lane]) return false;
    return true;
}

/* Whether a quaternion in lanes is off unit length in some lane, in the precision of the lanes. */
#define OFF_UNIT(name, real, magnitude)                                                                      \
    static bool name(const real *w, int width, real tolerance) {                                             \
        int off = 0;                                                                                         \
        for (int k = 0; k < width; k++) {                                                                    \
            const real a = w[k], b = w[width + k], c = w[2 * width + k], d = w[3 * width + k];               \
            off |= !(magnitude(a * a + b * b + c * c + d * d - 1) <= tolerance);                             \
        }                                                                                                    \
        return off;                                                                                          \
    }
OFF_UNIT(off_unit_f32, float, fabsf)
OFF_UNIT(off_unit_f64, double, fabs)

/* Whether every quaternion of a block is of unit length, as nearly as its precision can say. */
static bool all_unit(const struct sn__pack *p, const void *lanes) {
    const int width = p->k->info.width;
    const double tolerance = sn__unit_tolerance(p->def.precision);
    for (int i = 0; i < p->model->nbody; i++) {
        const sn_body_info *b = &p->model->body[i];
        const int at = (b->q_index + sn__quaternion_of(b)) * width;
        if (sn__quaternion_of(b) < 0) continue;
        if (p->def.precision == SN_PRECISION_DOUBLE
                ? off_unit_f64((const double *)lanes + at, width, tolerance)
                : off_unit_f32((const float *)lanes + at, width, (float)tolerance))
            return false;
    }
    return true;
}

/* One copy's values, with a look at each. */
static void check_row(struct put *put, int thread, int copy) {
    sn_world *w = put->w;
    double *row = w->values + (size_t)thread * w->largest;
    sn__world_widen(w, put->size, row_of(put, copy), row);
    if (!sn__field_check(w, put->m, put->field, row)) return;
    int bad = atomic_load(&put->bad);
    while (copy < bad && !atomic_compare_exchange_weak(&put->bad, &bad, copy))
        ;
}

/* Whether no value in lanes is negative, and those of the three axes of every joint with a quaternion are equal. */
#define EVEN(name, real)                                                                                     \
    static bool name(const sn_model *model, int width, const real *x) {                                      \
        int off = 0;                                                                                         \
        for (int i = 0; i < model->nv * width; i++)                                                          \
            off |= x[i] < 0;                                                                                 \
        for (int i = 0; i < model->nbody; i++) {                                                             \
            const sn_body_info *b = &model->body[i];                                                         \
            if (!sn__joint_is_ball(b) && !sn__joint_is_free(b)) continue;                                    \
            for (int v = b->v_index; v < b->v_index + b->nv; v += 3) {                                       \
                const real *a = x + v * width;                                                               \
                for (int k = 0; k < width; k++)                                                              \
                    off |= (a[k] != a[width + k]) | (a[k] != a[2 * width + k]);                              \
            }                                                                                                \
        }                                                                                                    \
        return !off;                                                                                         \
    }
EVEN(even_f32, float)
EVEN(even_f64, double)

/* Whether values in lanes, all of them finite, suit the rule; those that do not are looked at again, one by one. */
static bool suits(const struct sn__pack *p, enum sn__rule rule, const void *lanes) {
    if (rule == SN__RULE_FINITE) return true;
    if (rule == SN__RULE_POSE) return all_unit(p, lanes);
    return p->def.precision == SN_PRECISION_DOUBLE ? even_f64(p->model, p->k->info.width, lanes)
                                                   : even_f32(p->model, p->k->info.width, lanes);
}

/* A block's values: those which need only be finite, poses whose quaternions are fine, and gains, in lanes. */
static void check_block(void *user, int thread, int block) {
    struct put *put = user;
    const struct sn__pack *p = pack_of(put->w, put->m, thread);
    const int first = first_of(p, block), n = count_of(p, block);
    const struct sn__field_info *f = sn__field(put->field);
    if ((f->rule == SN__RULE_FINITE || f->rule == SN__RULE_POSE || f->rule == SN__RULE_GAINS) &&
        f->array != SN__FIELDS && whole(put, p, block)) {
        void *lanes = put->w->scratch[thread];
        p->k->to_lanes(put->size, row_of(put, first), (size_t)put->size, lanes);
        if (p->k->all_below(put->size, lanes, SN__MOST_VALUE) && suits(p, f->rule, lanes)) return;
    }
    for (int i = first; i < first + n; i++)
        if (wanted(put, i)) check_row(put, thread, i);
}

/* Poses are made of unit length where they are not. */
static void put_one(struct put *put, int thread, int copy) {
    sn_world *w = put->w;
    double *row = w->values + (size_t)thread * w->largest;
    sn__world_widen(w, put->size, row_of(put, copy), row);
    if (sn__field(put->field)->rule == SN__RULE_POSE)
        sn__pose_tidy(put->m->model, w->def.precision, row, false);
    sn__field_write(w, put->m, put->field, copy, row);
}

/* Whether a whole block of the field can be put at once. Gains that reactions scale are noted copy by copy, and so is a dt. */
static bool by_block(const struct put *put, const struct sn__pack *p, int block) {
    if (sn__field(put->field)->array == SN__FIELDS || put->field == SN_FIELD_DT || !whole(put, p, block))
        return false;
    return !sn__field_drives(put->field) || !put->m->conduct;
}

static void put_block(void *user, int thread, int block) {
    struct put *put = user;
    struct sn__pack *p = pack_of(put->w, put->m, thread);
    const int first = first_of(p, block), n = count_of(p, block);
    const struct sn__field_info *f = sn__field(put->field);
    if (by_block(put, p, block)) {
        void *lanes = sn__pack_at(p, f->array, block);
        p->k->to_lanes(put->size, row_of(put, first), (size_t)put->size, lanes);
        if (sn__field_drives(put->field) &&
            sn__pack_update_lanes(p, block, 0, p->k->info.width, sn__pack_parts(p, f->array)))
            atomic_store(&put->passive, true);
        if (f->rule != SN__RULE_POSE || all_unit(p, lanes)) return;
    }
    for (int i = first; i < first + n; i++)
        if (wanted(put, i)) put_one(put, thread, i);
}

/* Which copy is refused, and why. */
static sn_status tell_bad(const struct put *put) {
    sn_world *w = put->w;
    const int copy = atomic_load(&put->bad);
    if (copy == w->def.copies) return SN_OK;
    sn__world_widen(w, put->size, row_of(put, copy), w->values);
    return sn__field_accept(w, put->m, put->field, copy, w->values);
}

sn_status sn_world_put(sn_world *w, int member, sn_field field, const uint8_t *which, const void *values) {
    struct sn__member *m = sn__world_want_of(w, member, field);
    if (!m || sn__field_settable(w, field)) return SN_ERROR_ARGUMENT;
    if (!values) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There are no values (NULL).");
    struct put put = {w, m, field, sn_world_size(w, member, field), which, values, w->def.copies, false};
    sn__world_touch_field(w, field);
    sn__hands_follow(w, m);
    sn__pool_run(w->pool, check_block, &put, w->blocks);
    sn_status status = tell_bad(&put);
    if (!status) status = sn__field_prepare(w, m, field);
    if (!status) status = sn__hands_follow(w, m);
    if (status) return status;
    sn__pool_run(w->pool, put_block, &put, w->blocks);
    if (atomic_load(&put.passive) || (sn__field_drives(field) && m->pack.stride[SN__ARMATURE]))
        m->pack.plain = m->pack.passive_plain = false;
    const bool state = field == SN_FIELD_Q || field == SN_FIELD_QD;
    for (int i = 0; i < w->def.copies && (state || m->sleeps); i++) {
        if (!wanted(&put, i)) continue;
        if (state)
            sn__world_thaw(w, m, i, 1);
        else
            sn__member_wake(m, i, 1);
    }
    return SN_OK;
}

/* -------------------------------------------------------------------------------------------------- viewing */

struct fill {
    sn_world *w;
    struct sn__member *m;
    sn_field field;
    int size;
    int first;             /* copy whose row stands first in: */
    char *to;              /* rows of the field */
    char *pose, *velocity; /* of both fields of bodies, which come from one pass; NULL: not wanted */
};

/* Rows of a view, whole blocks of them. */
static void *view_memory(const sn_world *w, struct sn__member *m, sn_field field, int size) {
    if (!m->view && !(m->view = sn__alloc(SN_FIELD_COUNT, sizeof *m->view))) return NULL;
    struct sn__view *v = &m->view[field];
    if (v->memory) return v->memory;
    const size_t width = (size_t)w->k->info.width, count = (size_t)w->def.copies;
    const size_t row = (size_t)size * w->k->elem_size, rows = (count + width - 1) / width * width;
    if (row && rows > SIZE_MAX / 2 / row) return NULL;
    return v->memory = sn__alloc_aligned(rows * row);
}

/* Poses and velocities of the bodies. */
static void fill_bodies(const struct fill *fill, int thread, int block) {
    sn_world *w = fill->w;
    const struct sn__pack *p = pack_of(w, fill->m, thread);
    const size_t width = (size_t)p->k->info.width, nbody = (size_t)p->model->nbody, elem = p->k->elem_size;
    const size_t row = (size_t)(first_of(p, block) - fill->first) * nbody;
    const struct sn__args args = sn__pack_args(p, block);
    p->k->kinematics(&args, w->scratch[thread]);
    for (size_t b = 0; b < nbody; b++) {
        const char *from = (const char *)w->scratch[thread] + 13 * b * width * elem;
        if (fill->pose) p->k->from_lanes(7, from, fill->pose + (row + b) * 7 * elem, 7 * nbody);
        if (fill->velocity)
            p->k->from_lanes(6, from + 7 * width * elem, fill->velocity + (row + b) * 6 * elem, 6 * nbody);
    }
}

/* Forces of the ground on the bodies of a block, [nbody][3] in lanes: of the points that have touched it. */
static void *force_lanes(const struct fill *fill, int thread, int block) {
    const struct sn__pack *p = pack_of(fill->w, fill->m, thread);
    const struct sn__ground g = sn__probes_of(p, block);
    const size_t value = (size_t)p->k->info.width * p->k->elem_size;
    char *force = fill->w->scratch[thread];
    memset(force, 0, 3 * value * (size_t)p->model->nbody);
    for (int b = 0; b < g.nprobed; b++)
        for (int i = g.probed[b].first; i < g.probed[b].first + g.probed[b].count + g.probed[b].slots; i++) {
            const void *touch = (const char *)g.touch + 6 * value * (size_t)i;
            void *sum = force + 3 * value * (size_t)g.probed[b].body;
            if (g.live[i]) p->k->combine(3, sum, 1, &(const double){1}, &touch, sum);
        }
    return force;
}

/* [nbody] in place of [nbody][3]: 1 where a force is not zero. What is written has been read. */
static void mark_touching(const sn_world *w, int nbody, void *force) {
    const int width = w->k->info.width;
    const size_t elem = w->k->elem_size;
    for (int b = 0; b < nbody; b++)
        for (int lane = 0; lane < width; lane++) {
            double f[3];
            for (int k = 0; k < 3; k++)
                sn__world_widen(w, 1, (const char *)force + (size_t)((3 * b + k) * width + lane) * elem,
                                &f[k]);
            const double touches = f[0] != 0 || f[1] != 0 || f[2] != 0;
            sn__world_narrow(w, 1, &touches, (char *)force + (size_t)(b * width + lane) * elem);
        }
}

static char *row_to(const struct fill *fill, int copy) {
    return fill->to + (size_t)(copy - fill->first) * (size_t)fill->size * fill->w->k->elem_size;
}

static void fill_one(void *user, int thread, int copy) {
    const struct fill *fill = user;
    double *row = fill->w->values + (size_t)thread * fill->w->largest;
    sn__field_read_on(fill->w, fill->m, fill->field, copy, thread, row);
    sn__world_narrow(fill->w, fill->size, row, row_to(fill, copy));
}

static void fill_block(void *user, int thread, int block) {
    const struct fill *fill = user;
    sn_world *w = fill->w;
    const struct sn__pack *p = pack_of(w, fill->m, thread);
    const int first = first_of(p, block);
    const void *lanes = NULL;
    if (fill->field == SN_FIELD_BODY_POSE || fill->field == SN_FIELD_BODY_VELOCITY) {
        fill_bodies(fill, thread, block);
        return;
    }
    if (fill->field == SN_FIELD_CONTACT_FORCE || fill->field == SN_FIELD_TOUCHING) {
        void *force = force_lanes(fill, thread, block);
        if (fill->field == SN_FIELD_TOUCHING) mark_touching(w, p->model->nbody, force);
        lanes = force;
    } else if (p->stride[sn__field(fill->field)->array]) {
        lanes = sn__pack_at(p, sn__field(fill->field)->array, block);
    }
    if (lanes) {
        p->k->from_lanes(fill->size, lanes, row_to(fill, first), (size_t)fill->size);
        return;
    }
    for (int i = 0; i < count_of(p, block); i++) /* the same for all */
        fill_one(user, thread, first + i);
}

static bool of_bodies(sn_field field) {
    return field == SN_FIELD_BODY_POSE || field == SN_FIELD_BODY_VELOCITY;
}

/* Whether copies are read one by one: they have a block each, or the field is not in lanes. */
static bool one_by_one(const sn_world *w, sn_field field) {
    return w->spread || (sn__field(field)->array == SN__FIELDS && !of_bodies(field) &&
                         field != SN_FIELD_CONTACT_FORCE && field != SN_FIELD_TOUCHING);
}

const void *sn_world_view(sn_world *w, int member, sn_field field) {
    struct sn__member *m = sn__world_want_of(w, member, field);
    struct fill fill = {w, m, field, m ? sn_world_size(w, member, field) : 0, 0, NULL, NULL, NULL};
    if (!fill.size || !(fill.to = view_memory(w, m, field, fill.size))) return NULL;
    struct sn__view *v = &m->view[field];
    if (v->version == w->version) return v->memory;
    sn__hands_follow(w, m);
    if (one_by_one(w, field)) {
        sn__pool_run(w->pool, fill_one, &fill, w->def.copies);
    } else {
        fill.pose = m->view[SN_FIELD_BODY_POSE].memory;
        fill.velocity = m->view[SN_FIELD_BODY_VELOCITY].memory;
        sn__pool_run(w->pool, fill_block, &fill, w->blocks);
    }
    v->version = w->version;
    if (!one_by_one(w, field) && of_bodies(field)) {
        struct sn__view *other = &m->view[SN_FIELD_BODY_POSE + SN_FIELD_BODY_VELOCITY - field];
        if (other->memory) other->version = w->version;
    }
    return v->memory;
}

/* The last block, of which only some rows have room in the caller's memory. */
static sn_status fill_last(struct fill *fill, char *values, int first, int count) {
    sn_world *w = fill->w;
    const size_t row = (size_t)fill->size * w->k->elem_size;
    char *rows = sn__alloc_aligned(row * (size_t)w->k->info.width);
    if (!rows) return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for a block of rows.");
    fill->to = fill->pose = fill->velocity = rows;
    if (fill->field == SN_FIELD_BODY_POSE) fill->velocity = NULL;
    if (fill->field == SN_FIELD_BODY_VELOCITY) fill->pose = NULL;
    fill->first = first;
    fill_block(fill, 0, first / w->k->info.width);
    memcpy(values + (size_t)first * row, rows, row * (size_t)count);
    sn__free(rows);
    return SN_OK;
}

sn_status sn_world_take(sn_world *w, int member, sn_field field, void *values) {
    struct sn__member *m = sn__world_want_of(w, member, field);
    struct fill fill = {w, m, field, m ? sn_world_size(w, member, field) : 0, 0, values, NULL, NULL};
    if (!m) return SN_ERROR_ARGUMENT;
    if (!fill.size) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "This world has no field %d.", (int)field);
    if (!values) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no memory for the values (NULL).");
    sn__hands_follow(w, m);
    if (one_by_one(w, field)) {
        sn__pool_run(w->pool, fill_one, &fill, w->def.copies);
        return SN_OK;
    }
    const int width = w->k->info.width, whole_blocks = w->def.copies / width, left = w->def.copies % width;
    if (field == SN_FIELD_BODY_POSE) fill.pose = values;
    if (field == SN_FIELD_BODY_VELOCITY) fill.velocity = values;
    sn__pool_run(w->pool, fill_block, &fill, whole_blocks);
    return left ? fill_last(&fill, values, whole_blocks * width, left) : SN_OK;
}
