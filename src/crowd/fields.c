/* The fields of a crowd: what they may hold, and how values of single characters go in and out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "crowd/crowd.h"
#include "world/pack_ground.h"

static const struct sn__field_info fields[SN_CROWD_FIELDS] = {
    [SN_CROWD_Q] = {SN__Q, SN__RULE_POSE},
    [SN_CROWD_QD] = {SN__QD, SN__RULE_FINITE},
    [SN_CROWD_TARGET_Q] = {SN__TARGET_Q, SN__RULE_POSE},
    [SN_CROWD_TARGET_QD] = {SN__TARGET_QD, SN__RULE_FINITE},
    [SN_CROWD_FEEDFORWARD] = {SN__FEEDFORWARD, SN__RULE_FINITE},
    [SN_CROWD_KP] = {SN__KP, SN__RULE_GAINS},
    [SN_CROWD_KD] = {SN__KD, SN__RULE_GAINS},
    [SN_CROWD_TORQUE_LIMIT] = {SN__LIMIT, SN__RULE_LIMITS},
    [SN_CROWD_ARMATURE] = {SN__ARMATURE, SN__RULE_NOT_NEGATIVE},
    [SN_CROWD_PUSH] = {SN__PUSH, SN__RULE_FINITE},
    [SN_CROWD_MASS_SCALE] = {SN__MASS, SN__RULE_POSITIVE},
    [SN_CROWD_FRICTION] = {SN__FRICTION, SN__RULE_NOT_NEGATIVE},
    [SN_CROWD_GRAVITY] = {SN__GRAVITY, SN__RULE_FINITE},
    [SN_CROWD_DT] = {SN__DT, SN__RULE_POSITIVE},
    [SN_CROWD_PHASE] = {SN__FIELDS, SN__RULE_FINITE},
    [SN_CROWD_QDD] = {SN__QDD, SN__RULE_READ_ONLY},
    [SN_CROWD_TORQUE] = {SN__TORQUE, SN__RULE_READ_ONLY},
    [SN_CROWD_BODY_POSE] = {SN__FIELDS, SN__RULE_READ_ONLY},
    [SN_CROWD_BODY_VELOCITY] = {SN__FIELDS, SN__RULE_READ_ONLY},
    [SN_CROWD_CONTACT_FORCE] = {SN__FIELDS, SN__RULE_READ_ONLY},
    [SN_CROWD_CONTACT] = {SN__FIELDS, SN__RULE_READ_ONLY},
    [SN_CROWD_DIVERGED] = {SN__FROZEN, SN__RULE_READ_ONLY},
};

const struct sn__field_info *sn__crowd_field(sn_crowd_field field) {
    return (unsigned)field < SN_CROWD_FIELDS ? &fields[field] : NULL;
}

int sn_crowd_size(const sn_crowd *c, sn_crowd_field field) {
    const int nq = c->model->nq, nv = c->model->nv, nbody = c->model->nbody;
    switch ((unsigned)field) {
    case SN_CROWD_Q:
    case SN_CROWD_TARGET_Q:
        return nq;
    case SN_CROWD_QD:
    case SN_CROWD_TARGET_QD:
    case SN_CROWD_FEEDFORWARD:
    case SN_CROWD_KP:
    case SN_CROWD_KD:
    case SN_CROWD_TORQUE_LIMIT:
    case SN_CROWD_ARMATURE:
    case SN_CROWD_QDD:
        return nv;
    case SN_CROWD_TORQUE:
        return c->def.character.report_torque ? nv : 0;
    case SN_CROWD_PUSH:
    case SN_CROWD_BODY_VELOCITY:
        return 6 * nbody;
    case SN_CROWD_BODY_POSE:
        return 7 * nbody;
    case SN_CROWD_CONTACT_FORCE:
    case SN_CROWD_GRAVITY:
        return field == SN_CROWD_GRAVITY ? 3 : 3 * nbody;
    case SN_CROWD_CONTACT:
        return nbody;
    case SN_CROWD_MASS_SCALE:
    case SN_CROWD_FRICTION:
    case SN_CROWD_DT:
    case SN_CROWD_PHASE:
    case SN_CROWD_DIVERGED:
        return 1;
    default:
        return 0;
    }
}

/* --------------------------------------------------------------------------------------------- quaternions */

int sn__quaternion_of(const sn_body_info *body) {
    return body->joint.type == SN_JOINT_BALL ? 0 : body->joint.type == SN_JOINT_FREE ? 3 : -1;
}

double sn__crowd_unit_tolerance(const sn_crowd *c) {
    return 16 * (c->elem_size == sizeof(double) ? DBL_EPSILON : (double)FLT_EPSILON);
}

static double square_of(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

void sn__crowd_tidy(const sn_crowd *c, double *q, bool exact) {
    const double tolerance = exact ? 0 : sn__crowd_unit_tolerance(c);
    for (int i = 0; i < c->model->nbody; i++) {
        const sn_body_info *b = &c->model->body[i];
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
static bool check_pose(const sn_crowd *c, const double *q) {
    for (int i = 0; i < c->model->nbody; i++) {
        const sn_body_info *b = &c->model->body[i];
        const int at = sn__quaternion_of(b);
        if (at < 0) continue;
        const double n = sqrt(square_of(q + b->q_index + at));
        if (!(n > 1e-150) || !isfinite(n)) return false;
    }
    return true;
}

/* The kernels know one gain, and one limit, for the three axes of a ball or of either half of a free joint. */
static bool check_axes(const sn_crowd *c, const double *x) {
    if (c->def.gains_by_axis) return true;
    for (int i = 0; i < c->model->nbody; i++) {
        const sn_body_info *b = &c->model->body[i];
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

/* What a world has once for all can be set only to what it is. */
static sn_status check_arena(const sn_crowd *c, sn_crowd_field field, const double *values) {
    const struct sn__pack *p = sn__arenas_pack(c->arenas, 0);
    const int n = sn_crowd_size(c, field);
    for (int i = 0; i < n; i++) {
        const double have = field == SN_CROWD_ARMATURE  ? p->model->armature[i]
                            : field == SN_CROWD_GRAVITY ? p->def.gravity[i]
                            : field == SN_CROWD_DT      ? p->def.dt
                                                        : 1;
        const bool same =
            c->elem_size == sizeof(double) ? values[i] == have : (float)values[i] == (float)have;
        if (!same) return SN_ERROR_UNSUPPORTED;
    }
    return SN_OK;
}

static bool is_the_worlds(sn_crowd_field field) {
    return field == SN_CROWD_MASS_SCALE || field == SN_CROWD_FRICTION || field == SN_CROWD_GRAVITY ||
           field == SN_CROWD_DT || field == SN_CROWD_ARMATURE;
}

sn_status sn__crowd_check(const sn_crowd *c, sn_crowd_field field, const double *x) {
    const bool wide = c->elem_size == sizeof(double);
    const double most = wide ? DBL_MAX : (double)FLT_MAX, least = wide ? DBL_MIN : (double)FLT_MIN;
    const int n = sn_crowd_size(c, field);
    bool good = false;
    switch (fields[field].rule) {
    case SN__RULE_READ_ONLY:
        break;
    case SN__RULE_FINITE:
        good = within(x, n, -most, most, false);
        break;
    case SN__RULE_POSE:
        good = within(x, n, -most, most, false) && check_pose(c, x);
        break;
    case SN__RULE_NOT_NEGATIVE:
        good = within(x, n, 0, most, false);
        break;
    case SN__RULE_POSITIVE:
        good = within(x, n, least, most, false);
        break;
    case SN__RULE_GAINS:
        good = within(x, n, 0, most, false) && check_axes(c, x);
        break;
    case SN__RULE_LIMITS:
        good = within(x, n, 0, most, true) && check_axes(c, x);
        break;
    }
    if (!good) return SN_ERROR_ARGUMENT;
    return c->arenas && is_the_worlds(field) ? check_arena(c, field, x) : SN_OK;
}

/* ------------------------------------------------------------------------------------------------ writing */

void sn__crowd_mark_axes(sn_crowd *c) {
    if (!c->def.gains_by_axis || c->arenas) return;
    for (int i = 0; i < c->model->nbody; i++)
        if (sn__quaternion_of(&c->model->body[i]) >= 0) c->pack.per_axis[i] = 1, c->pack.any_per_axis = true;
}

/* Whether the factors of qd and qdd (drive.c) are made of it. */
static bool drives(sn_crowd_field field) {
    return field == SN_CROWD_KP || field == SN_CROWD_KD || field == SN_CROWD_ARMATURE || field == SN_CROWD_DT;
}

static void raise_flags(struct sn__pack *p, sn_crowd_field field) {
    p->has_target_qd |= field == SN_CROWD_TARGET_QD;
    p->has_feedforward |= field == SN_CROWD_FEEDFORWARD;
    p->has_push |= field == SN_CROWD_PUSH;
}

/* A field of the pack that each block has a copy of from now on, and what is worked out from it. */
static sn_status own_field(struct sn__pack *p, sn_crowd_field field) {
    const enum sn__array array = fields[field].array;
    if (array == SN__FIELDS || (array < SN__SHARED && array != SN__PUSH)) return SN_OK;
    sn_status status = sn__pack_own(p, array);
    for (int f = SN__KW; f <= SN__K_PASSIVE && !status && drives(field); f++)
        status = sn__pack_own(p, (enum sn__array)f);
    return status;
}

sn_status sn__crowd_prepare(sn_crowd *c, sn_crowd_field field) {
    if (field == SN_CROWD_TORQUE_LIMIT && !c->def.torque_limits) return SN_ERROR_ARGUMENT;
    if (c->arenas) {
        for (int i = 0; i < c->def.count && field == SN_CROWD_TORQUE_LIMIT; i++)
            if (sn__pack_own(sn__arenas_pack(c->arenas, i), SN__LIMIT)) return SN_ERROR_MEMORY;
        return SN_OK;
    }
    const sn_status status = own_field(&c->pack, field);
    if (!status) raise_flags(&c->pack, field);
    return status;
}

void sn__crowd_write(sn_crowd *c, sn_crowd_field field, int character, const double *values) {
    const struct sn__place at = sn__crowd_place(c, character);
    const enum sn__array array = fields[field].array;
    if (field == SN_CROWD_PHASE) {
        c->phase[character] = values[0];
        return;
    }
    if (c->arenas && is_the_worlds(field)) return; /* it is so already */
    if (c->arenas && (field == SN_CROWD_KP || field == SN_CROWD_KD)) {
        sn__pack_set_gains(at.pack, field == SN_CROWD_KP ? values : at.pack->kp,
                           field == SN_CROWD_KD ? values : at.pack->kd);
        return;
    }
    raise_flags(at.pack, field);
    sn__pack_put(at.pack, array, at.index, sn_crowd_size(c, field), values);
    if (drives(field)) sn__pack_update_character(at.pack, at.index);
}

/* ------------------------------------------------------------------------------------------------ reading */

void sn__crowd_default(const struct sn__pack *p, enum sn__array array, int n, double *values) {
    for (int i = 0; i < n; i++) {
        const double x = array == SN__MASS || array == SN__FRICTION ? 1
                         : array == SN__GRAVITY                     ? p->def.gravity[i]
                         : array == SN__DT                          ? p->def.dt
                                                                    : 0;
        values[i] = p->def.precision == SN_DOUBLE ? x : (double)(float)x;
    }
}

/* Poses and velocities of a character's bodies from those of its block. */
static void read_bodies(sn_crowd *c, struct sn__place at, int first, int n, double *values) {
    const struct sn__pack *p = at.pack;
    const int width = p->k->info.width, lane = at.index % width;
    const int block = c->arenas ? -1 : at.index / width;
    if (c->arenas || c->posed != c->version || c->posed_block != block) {
        const struct sn__args args = sn__pack_args(p, at.index / width);
        p->k->kinematics(&args, c->lanes[0]);
        c->posed = c->version, c->posed_block = block;
    }
    for (int b = 0; b < c->model->nbody; b++)
        for (int k = 0; k < n; k++) {
            const size_t from = ((size_t)b * 13 + (size_t)(first + k)) * (size_t)width + (size_t)lane;
            sn__crowd_widen(c, 1, (const char *)c->lanes[0] + from * c->elem_size, &values[b * n + k]);
        }
}

static void read_force(const sn_crowd *c, int character, double *force) {
    const struct sn__place at = sn__crowd_place(c, character);
    if (c->arenas)
        sn__arenas_contact_force(c, character, force);
    else if (c->pack.ground)
        sn__pack_touch_force(at.pack, at.index, force);
    else
        memset(force, 0, 3 * sizeof *force * (size_t)c->model->nbody);
}

void sn__crowd_read(sn_crowd *c, sn_crowd_field field, int character, double *values) {
    const struct sn__place at = sn__crowd_place(c, character);
    const enum sn__array array = fields[field].array;
    const int n = sn_crowd_size(c, field);
    if (field == SN_CROWD_PHASE)
        values[0] = c->phase[character];
    else if (field == SN_CROWD_DIVERGED)
        values[0] = sn__crowd_frozen(c, character);
    else if (field == SN_CROWD_BODY_POSE)
        read_bodies(c, at, 0, 7, values);
    else if (field == SN_CROWD_BODY_VELOCITY)
        read_bodies(c, at, 7, 6, values);
    else if (field == SN_CROWD_CONTACT_FORCE)
        read_force(c, character, values);
    else if (field == SN_CROWD_CONTACT) {
        double *force = c->row + 3 * c->model->nbody; /* values may be the first half of it */
        read_force(c, character, force);
        for (int b = 0; b < n; b++)
            values[b] = force[3 * b] != 0 || force[3 * b + 1] != 0 || force[3 * b + 2] != 0;
    } else if (at.pack->field[array])
        sn__pack_get(at.pack, array, at.index, n, values);
    else
        sn__crowd_default(at.pack, array, n, values);
}

/* --------------------------------------------------------------------------------------------- by the range */

bool sn__crowd_has_range(const sn_crowd *c, int first, int count) {
    return first >= 0 && count >= 0 && count <= c->def.count && first <= c->def.count - count;
}

static sn_status check_range(const sn_crowd *c, sn_crowd_field field, int count, const double *values) {
    const size_t n = (size_t)sn_crowd_size(c, field);
    for (int i = 0; i < count; i++) {
        const sn_status status = sn__crowd_check(c, field, values + (size_t)i * n);
        if (status) return status;
    }
    return SN_OK;
}

/* Poses go the way of a single character's, so that the same numbers give the same bits. */
static void write_range(sn_crowd *c, sn_crowd_field field, int first, int count, const double *values) {
    const size_t n = (size_t)sn_crowd_size(c, field);
    for (int i = 0; i < count; i++) {
        const struct sn__place at = sn__crowd_place(c, first + i);
        const double *x = values + (size_t)i * n;
        if (field == SN_CROWD_Q) {
            sn__pack_set_state(at.pack, at.index, x, NULL);
        } else if (field == SN_CROWD_TARGET_Q) {
            memcpy(c->row, x, n * sizeof *x);
            sn__crowd_tidy(c, c->row, true);
            sn__pack_put(at.pack, SN__TARGET_Q, at.index, (int)n, c->row);
        } else {
            sn__crowd_write(c, field, first + i, x);
        }
    }
}

sn_status sn_crowd_set(sn_crowd *c, sn_crowd_field field, int first, int count, const double *values) {
    const struct sn__field_info *f = sn__crowd_field(field);
    if (!f || f->rule == SN__RULE_READ_ONLY || !sn__crowd_has_range(c, first, count) || (!values && count))
        return SN_ERROR_ARGUMENT;
    sn_status status = check_range(c, field, count, values);
    if (!status && count) status = sn__crowd_prepare(c, field);
    sn__crowd_touch(c);
    if (status) return status;
    write_range(c, field, first, count, values);
    return SN_OK;
}

sn_status sn_crowd_get(sn_crowd *c, sn_crowd_field field, int first, int count, double *values) {
    const size_t n = sn__crowd_field(field) ? (size_t)sn_crowd_size(c, field) : 0;
    if (!n || !sn__crowd_has_range(c, first, count) || (!values && count)) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++)
        sn__crowd_read(c, field, first + i, values + (size_t)i * n);
    return SN_OK;
}

sn_status sn_crowd_set_state(sn_crowd *c, int first, int count, const double *q, const double *qd) {
    const size_t nq = (size_t)c->model->nq, nv = (size_t)c->model->nv;
    if (!sn__crowd_has_range(c, first, count)) return SN_ERROR_ARGUMENT;
    if ((q && check_range(c, SN_CROWD_Q, count, q)) || (qd && check_range(c, SN_CROWD_QD, count, qd)))
        return SN_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++) {
        const struct sn__place at = sn__crowd_place(c, first + i);
        sn__pack_set_state(at.pack, at.index, q ? q + (size_t)i * nq : NULL, qd ? qd + (size_t)i * nv : NULL);
    }
    sn__crowd_touch(c);
    return SN_OK;
}

sn_status sn_crowd_get_state(const sn_crowd *c, int first, int count, double *q, double *qd) {
    const size_t nq = (size_t)c->model->nq, nv = (size_t)c->model->nv;
    if (!sn__crowd_has_range(c, first, count)) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++) {
        const struct sn__place at = sn__crowd_place(c, first + i);
        if (q) sn__pack_get(at.pack, SN__Q, at.index, (int)nq, q + (size_t)i * nq);
        if (qd) sn__pack_get(at.pack, SN__QD, at.index, (int)nv, qd + (size_t)i * nv);
    }
    return SN_OK;
}

sn_status sn_crowd_set_target(sn_crowd *c, int first, int count, const double *q, const double *qd) {
    const size_t nq = (size_t)c->model->nq, nv = (size_t)c->model->nv;
    if (!sn__crowd_has_range(c, first, count)) return SN_ERROR_ARGUMENT;
    if ((q && check_range(c, SN_CROWD_TARGET_Q, count, q)) ||
        (qd && check_range(c, SN_CROWD_TARGET_QD, count, qd)))
        return SN_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++) {
        const struct sn__place at = sn__crowd_place(c, first + i);
        sn__pack_set_target(at.pack, at.index, q ? q + (size_t)i * nq : NULL,
                            qd ? qd + (size_t)i * nv : NULL);
    }
    sn__crowd_touch(c);
    return SN_OK;
}

/* Whether a character has a dt or an armature other than everybody's. The others keep the factors that all share, bit by
   bit, whoever is beside them. */
static bool is_special(const struct sn__pack *p, int character) {
    double everybodys;
    sn__crowd_default(p, SN__DT, 1, &everybodys);
    if (p->stride[SN__DT] && sn__pack_value(p, SN__DT, character, 0) != everybodys) return true;
    for (int v = 0; v < p->model->nv && p->stride[SN__ARMATURE]; v++) {
        const double armature = p->model->armature[v];
        if (sn__pack_value(p, SN__ARMATURE, character, v) !=
            (p->def.precision == SN_DOUBLE ? armature : (double)(float)armature))
            return true;
    }
    return false;
}

sn_status sn_crowd_set_gains(sn_crowd *c, const double *kp, const double *kd) {
    sn__crowd_touch(c);
    for (int i = 0; i < c->def.count && c->arenas; i++) {
        const sn_status status = sn__pack_set_gains(sn__arenas_pack(c->arenas, i), kp, kd);
        if (status) return status; /* the first one's: all are given the same */
    }
    if (c->arenas) return SN_OK;
    const sn_status status = sn__pack_set_gains(&c->pack, kp, kd);
    if (status) return status;
    sn__crowd_mark_axes(c);
    for (int i = 0; i < c->def.count && c->pack.stride[SN__K]; i++)
        if (is_special(&c->pack, i)) sn__pack_update_character(&c->pack, i);
    return SN_OK;
}
