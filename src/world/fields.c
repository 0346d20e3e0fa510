/* The fields of a member: what they may hold, and how values of single copies go in and out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "world/conduct.h"
#include "world/copy.h"
#include "world/fields.h"
#include "world/probes.h"
#include "world/worker.h"
#include "model/joint.h"

/* The array of the pack that holds each field. */
enum {
    ARRAY_Q = SN__Q,
    ARRAY_QD = SN__QD,
    ARRAY_TARGET_Q = SN__TARGET_Q,
    ARRAY_TARGET_QD = SN__TARGET_QD,
    ARRAY_FEEDFORWARD = SN__FEEDFORWARD,
    ARRAY_KP = SN__KP,
    ARRAY_KD = SN__KD,
    ARRAY_TORQUE_LIMIT = SN__LIMIT,
    ARRAY_ARMATURE = SN__ARMATURE,
    ARRAY_PUSH = SN__PUSH,
    ARRAY_MASS_SCALE = SN__MASS,
    ARRAY_FRICTION = SN__FRICTION,
    ARRAY_GRAVITY = SN__GRAVITY,
    ARRAY_DT = SN__DT,
    ARRAY_QDD = SN__QDD,
    ARRAY_TORQUE = SN__TORQUE,
    ARRAY_MIDDLE_QD = SN__MIDDLE,
    ARRAY_PHASE = SN__FIELDS,
    ARRAY_BODY_POSE = SN__FIELDS,
    ARRAY_BODY_VELOCITY = SN__FIELDS,
    ARRAY_CONTACT_FORCE = SN__FIELDS,
    ARRAY_TOUCHING = SN__FIELDS,
    ARRAY_DIVERGED = SN__FIELDS,
    ARRAY_ASLEEP = SN__FIELDS,
    ARRAY_GAIN_SCALE = SN__FIELDS,
    ARRAY_IMPACTS = SN__FIELDS,
};

static const struct sn__field_info FIELD[SN_FIELD_COUNT] = {
#define X(name, size, rule) [SN_FIELD_##name] = {(enum sn__array)ARRAY_##name, SN__RULE_##rule},
    SN_FIELD_MAP(X)
#undef X
};

const struct sn__field_info *sn__field(sn_field field) {
    return (unsigned)field < SN_FIELD_COUNT ? &FIELD[field] : NULL;
}

static int size_of(const struct sn__member *m, sn_field field) {
    const int NQ = m->model->nq, NV = m->model->nv, NBODY = m->model->nbody;
    switch ((unsigned)field) {
#define X(name, size, rule)                                                                                  \
    case SN_FIELD_##name:                                                                                    \
        return size;
        SN_FIELD_MAP(X)
#undef X
    default:
        return 0;
    }
}

int sn_world_size(const sn_world *w, int member, sn_field field) {
    const struct sn__member *m = sn__world_member(w, member);
    if (!m || (!w->def.report_torque && (field == SN_FIELD_TORQUE || field == SN_FIELD_MIDDLE_QD))) return 0;
    return size_of(m, field);
}

/* --------------------------------------------------------------------------------------------- quaternions */

int sn__quaternion_of(const sn_body_info *body) {
    return sn__joint_quaternion(body);
}

double sn__unit_tolerance(sn_precision precision) {
    return 16 * (precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON);
}

static double square_of(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

void sn__pose_tidy(const sn_model *model, sn_precision precision, double *q, bool exact) {
    const double tolerance = exact ? 0 : sn__unit_tolerance(precision);
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        const int at = sn__quaternion_of(b);
        if (at < 0) continue;
        double *w = q + b->q_index + at;
        const double square = square_of(w);
        if (fabs(square - 1) <= tolerance) continue;
        for (int k = 0; k < 4; k++)
            w[k] /= sqrt(square);
    }
}

/* ------------------------------------------------------------------------------------------------- checks */

/* Lengths that can be divided by, and whose squares are numbers: as sn__pack_set_state wants it. */
static bool check_pose(const sn_model *model, const double *q) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        const int at = sn__quaternion_of(b);
        if (at < 0) continue;
        const double n = sqrt(square_of(q + b->q_index + at));
        if (!(n > 1e-150) || !isfinite(n)) return false;
    }
    return true;
}

/* The kernels know one gain, and one limit, for the three axes of a ball or of either half of a free joint. */
static bool check_axes(const sn_world *w, const sn_model *model, const double *x) {
    if (w->def.gains_by_axis) return true;
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        if (sn__quaternion_of(b) < 0) continue;
        for (int v = b->v_index; v < b->v_index + b->nv; v += 3)
            if (x[v] != x[v + 1] || x[v] != x[v + 2]) return false;
    }
    return true;
}

/* From `least` to `most`, apart from infinity where that is allowed. */
static bool within(const double *x, int n, double least, double most, bool infinite) {
    for (int i = 0; i < n; i++)
        if (!(x[i] >= least && x[i] <= most) && !(infinite && x[i] == (double)INFINITY)) return false;
    return true;
}

/* Rows have one dt for all; a copy may be given what it has. */
static bool is_the_worlds(const sn_world *w, sn_field field, const double *x) {
    if (!w->spread || field != SN_FIELD_DT) return true;
    return w->def.precision == SN_PRECISION_DOUBLE ? x[0] == w->def.dt : (float)x[0] == (float)w->def.dt;
}

sn_status sn__field_check(const sn_world *w, const struct sn__member *m, sn_field field, const double *x) {
    const bool wide = w->def.precision == SN_PRECISION_DOUBLE;
    const double most = wide ? DBL_MAX : (double)FLT_MAX, least = wide ? DBL_MIN : (double)FLT_MIN;
    const int n = size_of(m, field);
    bool good = false;
    switch (FIELD[field].rule) {
    case SN__RULE_READ_ONLY:
        break;
    case SN__RULE_FINITE:
        good = within(x, n, -most, most, false);
        break;
    case SN__RULE_POSE:
        good = within(x, n, -most, most, false) && check_pose(m->model, x);
        break;
    case SN__RULE_NOT_NEGATIVE:
        good = within(x, n, 0, most, false);
        break;
    case SN__RULE_POSITIVE:
        good = within(x, n, least, most, false);
        break;
    case SN__RULE_GAINS:
        good = within(x, n, 0, most, false) && check_axes(w, m->model, x);
        break;
    case SN__RULE_LIMITS:
        good = within(x, n, 0, most, true) && check_axes(w, m->model, x);
        break;
    }
    if (!good) return SN_ERROR_ARGUMENT;
    return is_the_worlds(w, field, x) ? SN_OK : SN_ERROR_UNSUPPORTED;
}

/* ------------------------------------------------------------------------------------------------ writing */

void sn__member_mark_axes(const sn_world *w, struct sn__member *m) {
    if (!w->def.gains_by_axis) return;
    for (int i = 0; i < m->model->nbody; i++)
        if (sn__quaternion_of(&m->model->body[i]) >= 0) {
            m->pack.any_per_axis = true;
            if (!m->pack.per_axis[i] && sn__pack_part(&m->pack)) m->pack.per_axis[i] = 1;
        }
}

bool sn__field_drives(sn_field field) {
    return field == SN_FIELD_KP || field == SN_FIELD_KD || field == SN_FIELD_ARMATURE || field == SN_FIELD_DT;
}

static void raise_flags(struct sn__pack *p, sn_field field) {
    p->has_target_qd |= field == SN_FIELD_TARGET_QD;
    p->has_feedforward |= field == SN_FIELD_FEEDFORWARD;
    p->has_push |= field == SN_FIELD_PUSH;
}

sn_status sn__field_prepare(sn_world *w, struct sn__member *m, sn_field field) {
    struct sn__pack *p = &m->pack;
    const enum sn__array array = FIELD[field].array;
    if (field == SN_FIELD_TORQUE_LIMIT && !p->torque_limits)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "Drives of this member have no torque limits. Set torque_limits in the "
                                "definition of the world.");
    if (w->spread && field == SN_FIELD_DT) return SN_OK;
    sn_status status = SN_OK;
    if (array != SN__FIELDS && (array >= SN__SHARED || array == SN__PUSH || !p->field[array]))
        status = sn__pack_own(p, array);
    if (sn__field_drives(field)) { /* what the factors are made of, and they */
        for (int f = SN__KP; f <= SN__K_PASSIVE && !status; f++)
            status = sn__pack_own(p, (enum sn__array)f);
    }
    if (status) return sn__world_refuse(w, status, "There is no memory for this field of each copy.");
    raise_flags(p, field);
    return SN_OK;
}

void sn__world_thaw(sn_world *w, struct sn__member *m, int first, int count) {
    sn__member_wake(m, first, count);
    for (int copy = first; copy < first + count; copy++) {
        sn__member_restart(m, copy);
        if (sn__member_frozen(m, copy)) sn__world_thaw_member(w, m, copy);
    }
}

void sn__field_write(sn_world *w, struct sn__member *m, sn_field field, int copy, const double *values) {
    if (field == SN_FIELD_PHASE) {
        m->phase[copy] = values[0];
        return;
    }
    if (w->spread && field == SN_FIELD_DT) return; /* it is so already */
    if (field == SN_FIELD_DT && sn__pack_value(&m->pack, SN__DT, copy, 0) != values[0])
        sn__member_restart(m, copy);
    sn__pack_put(&m->pack, FIELD[field].array, copy, size_of(m, field), values);
    if (sn__field_drives(field)) sn__pack_update_character(&m->pack, copy);
    if (m->conduct) sn__conduct_take_gains(m, field, copy, values);
}

/* ------------------------------------------------------------------------------------------------ reading */

void sn__field_default(const struct sn__pack *p, enum sn__array array, int n, double *values) {
    for (int i = 0; i < n; i++) {
        const double x = array == SN__MASS || array == SN__FRICTION ? 1
                         : array == SN__GRAVITY                     ? p->def.gravity[i]
                         : array == SN__DT                          ? p->def.dt
                                                                    : 0;
        values[i] = p->def.precision == SN_PRECISION_DOUBLE ? x : (double)(float)x;
    }
}

/* Poses or velocities of a copy's bodies, from those of its block, which the pack of a thread computes into `lanes`. */
static void read_bodies(const sn_world *w, const struct sn__pack *p, void *lanes, int copy, int first, int n,
                        double *values) {
    const int width = p->k->info.width, lane = w->spread ? 0 : copy % width;
    const struct sn__args args = sn__pack_args(p, w->spread ? copy : copy / width);
    p->k->kinematics(&args, lanes);
    for (int b = 0; b < p->model->nbody; b++)
        for (int k = 0; k < n; k++) {
            const size_t from = ((size_t)b * 13 + (size_t)(first + k)) * (size_t)width + (size_t)lane;
            sn__world_widen(w, 1, (const char *)lanes + from * p->k->elem_size, &values[b * n + k]);
        }
}

/* Of the ground, itself and others on each body, [nbody][3]. */
static void read_force(const sn_world *w, const struct sn__member *m, int copy, double *force) {
    memset(force, 0, 3 * sizeof *force * (size_t)m->model->nbody);
    if (!sn__member_frozen(m, copy)) sn__probes_force(&m->pack, copy, force);
    const struct sn__copy *c = &w->copy[copy];
    for (int i = 0; i < c->ncontact && w->spread; i++) {
        const struct sn__contact *x = &c->contact[i];
        for (int s = 0; s < 2 && !x->probe; s++) {
            const struct sn__solid *solid = &w->solid[x->solid[s]];
            for (int k = 0; k < 3 && solid->member == m->number; k++)
                force[3 * solid->body + k] += s ? -x->force[k] : x->force[k];
        }
    }
}

static void read_touching(const sn_world *w, const struct sn__member *m, int copy, int thread,
                          double *values) {
    double *force =
        w->values + (size_t)thread * w->largest + 3 * m->model->nbody; /* `values` may be before */
    read_force(w, m, copy, force);
    for (int b = 0; b < m->model->nbody; b++)
        values[b] = force[3 * b] != 0 || force[3 * b + 1] != 0 || force[3 * b + 2] != 0;
}

/* With the pack and the working memory of a thread. */
static void read_field(sn_world *w, const struct sn__member *m, const struct sn__pack *p, sn_field field,
                       int copy, int thread, double *values) {
    const enum sn__array array = FIELD[field].array;
    const int n = size_of(m, field);
    switch ((unsigned)field) {
    case SN_FIELD_PHASE:
        values[0] = m->phase[copy];
        return;
    case SN_FIELD_DIVERGED:
        values[0] = sn__member_frozen(m, copy);
        return;
    case SN_FIELD_ASLEEP:
        values[0] = m->sleeps && m->asleep[copy];
        return;
    case SN_FIELD_GAIN_SCALE:
        for (int b = 0; b < n; b++)
            values[b] = m->conduct ? m->conduct->limb[(size_t)copy * (size_t)n + (size_t)b].scale : 1;
        return;
    case SN_FIELD_IMPACTS:
        values[0] = m->conduct ? m->conduct->impacts[copy] : 0;
        return;
    case SN_FIELD_BODY_POSE:
        read_bodies(w, p, w->scratch[thread], copy, 0, 7, values);
        return;
    case SN_FIELD_BODY_VELOCITY:
        read_bodies(w, p, w->scratch[thread], copy, 7, 6, values);
        return;
    case SN_FIELD_CONTACT_FORCE:
        read_force(w, m, copy, values);
        return;
    case SN_FIELD_TOUCHING:
        read_touching(w, m, copy, thread, values);
        return;
    default:
        break;
    }
    if (m->pack.field[array])
        sn__pack_get(&m->pack, array, copy, n, values);
    else
        sn__field_default(&m->pack, array, n, values);
}

void sn__field_read(sn_world *w, struct sn__member *m, sn_field field, int copy, double *values) {
    read_field(w, m, &m->pack, field, copy, 0, values);
}

void sn__field_read_on(sn_world *w, const struct sn__member *m, sn_field field, int copy, int thread,
                       double *values) {
    read_field(w, m, w->worker[thread].hand[m->number].pack, field, copy, thread, values);
}

/* --------------------------------------------------------------------------------------------- by the range */

static bool has_range(const sn_world *w, int first, int count) {
    return first >= 0 && count >= 0 && count <= w->def.copies && first <= w->def.copies - count;
}

static sn_status check_range(const sn_world *w, const struct sn__member *m, sn_field field, int first,
                             int count, const double *values) {
    const size_t n = (size_t)size_of(m, field);
    if (!has_range(w, first, count))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "Copies %d to %lld are not all among the world's %d.",
                                first, (long long)first + count - 1, w->def.copies);
    if (!values && count) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There are no values (NULL).");
    sn_status status = sn__field_settable(w, field);
    for (int i = 0; i < count && !status; i++)
        status = sn__field_accept(w, m, field, first + i, values + (size_t)i * n);
    return status;
}

sn_status sn_world_set(sn_world *w, int member, sn_field field, int first, int count, const double *values) {
    struct sn__member *m = sn__world_want_of(w, member, field);
    if (!m) return SN_ERROR_ARGUMENT;
    sn_status status = check_range(w, m, field, first, count, values);
    if (!status && count) status = sn__field_prepare(w, m, field);
    sn__world_touch_field(w, field);
    if (status) return status;
    const size_t n = (size_t)size_of(m, field);
    for (int i = 0; i < count; i++) {
        memcpy(w->values, values + (size_t)i * n, n * sizeof *values);
        if (FIELD[field].rule == SN__RULE_POSE) sn__pose_tidy(m->model, w->def.precision, w->values, false);
        sn__field_write(w, m, field, first + i, w->values);
    }
    if (field == SN_FIELD_Q || field == SN_FIELD_QD)
        sn__world_thaw(w, m, first, count);
    else
        sn__member_wake(m, first, count);
    return SN_OK;
}

sn_status sn_world_get(sn_world *w, int member, sn_field field, int first, int count, double *values) {
    struct sn__member *m = sn__world_want_of(w, member, field);
    const size_t n = (size_t)sn_world_size(w, member, field);
    if (!m) return SN_ERROR_ARGUMENT;
    if (!n) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "This world has no field %d.", (int)field);
    if (!has_range(w, first, count) || (!values && count))
        return sn__world_refuse(
            w, SN_ERROR_ARGUMENT,
            "Copies %d to %lld are not all among the world's %d, or there is no memory for "
            "their values.",
            first, (long long)first + count - 1, w->def.copies);
    for (int i = 0; i < count; i++)
        sn__field_read(w, m, field, first + i, values + (size_t)i * n);
    return SN_OK;
}
