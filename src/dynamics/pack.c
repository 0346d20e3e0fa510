/* Memory of a pack, and the way of values into lanes and out of them. */
#include "dynamics/pack.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/joint.h"

bool sn__pack_holds(const struct sn__pack *p, int n, const double *x) {
    const double most = p->def.precision == SN_PRECISION_DOUBLE ? DBL_MAX : (double)FLT_MAX;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) return false;
    return true;
}

size_t sn__pack_field_size(const struct sn__pack *p, enum sn__array field) {
    const size_t nq = (size_t)p->model->nq, nv = (size_t)p->model->nv, nbody = (size_t)p->model->nbody;
    switch (field) {
    case SN__Q:
    case SN__TARGET_Q:
        return nq;
    case SN__PUSH:
        return 6 * nbody;
    case SN__PAST:
        return (size_t)p->def.past * nq;
    case SN__FROZEN:
    case SN__STEADY:
    case SN__MASS:
    case SN__DT:
    case SN__FRICTION:
        return 1;
    case SN__GRAVITY:
        return 3;
    case SN__TOUCH:
        return p->touch_size;
    case SN__STOP:
        return p->stop_size;
    case SN__STAGE:
        return sn__integrator_scratch(p);
    case SN__MATRIX:
        return nv * nv;
    default:
        return nv;
    }
}

/* What solves with a mass matrix, if anything does. */
static sn_solver solver_of(const struct sn__pack_def *def) {
    const struct sn__drives_ahead *ahead = sn__study_ahead(def->study);
    return ahead && ahead->solver != SN_SOLVER_MABA ? ahead->solver : def->solver;
}

/* Whether a pack has the field from the start. */
static bool needed(const struct sn__pack *p, enum sn__array field) {
    switch (field) {
    case SN__TORQUE:
    case SN__MIDDLE:
        return p->def.report_torque;
    case SN__SPRING:
        return p->model->has_stiffness;
    case SN__FROZEN:
        return p->freezes;
    case SN__TARGET_QD: /* made when they are set */
    case SN__FEEDFORWARD:
        return !p->borrows;
    case SN__PAST:
    case SN__STEADY:
        return p->def.past > 0;
    case SN__MATRIX:
        return solver_of(&p->def) == SN_SOLVER_LAPACK;
    case SN__PUSH:
    case SN__MASS:
    case SN__GRAVITY:
    case SN__DT:
    case SN__FRICTION:
    case SN__TOUCH:
    case SN__STOP:
        return false;
    default:
        return true;
    }
}

/* Bytes of a field of one block, rounded up to whole cache lines. */
static size_t field_bytes(const struct sn__pack *p, enum sn__array field) {
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    return (sn__pack_field_size(p, field) * value + 63) & ~(size_t)63;
}

/* A field for every block, or one for all. */
static bool allocate_field(struct sn__pack *p, enum sn__array field, bool each) {
    const size_t bytes = field_bytes(p, field), copies = each ? (size_t)p->blocks : 1;
    if (!bytes) return true;
    if (bytes > SIZE_MAX / 2 / copies || !(p->field[field] = sn__alloc_aligned(bytes * copies))) return false;
    p->stride[field] = each ? bytes : 0;
    return true;
}

size_t sn__work_bytes(const struct sn__kernels *k, const sn_model *m, bool matrix) {
    return SN__RESIDUAL_BYTES + k->work_size(m->nbody, m->nv, m->tree_f64.nslot, matrix);
}

size_t sn__pack_work_bytes(const struct sn__pack *p) {
    return sn__work_bytes(p->k, p->model, p->wants_matrix);
}

static void take_loan(struct sn__pack *p, const struct sn__loan *loan) {
    p->borrows = loan != NULL;
    if (loan) p->work = loan->work, p->scratch = loan->scratch;
}

static bool allocate_scratch(struct sn__pack *p) {
    const size_t nv = (size_t)p->model->nv, nq = (size_t)p->model->nq;
    if (p->borrows) return true;
    for (enum sn__array f = SN__SCRATCH; f < SN__FIELDS; f++)
        if (needed(p, f) && !allocate_field(p, f, false)) return false;
    p->work = sn__alloc_aligned(sn__pack_work_bytes(p));
    p->scratch =
        sn__alloc(solver_of(&p->def) == SN_SOLVER_LAPACK ? nv * nv + nv + nq : nv + nq, sizeof *p->scratch);
    return p->work && p->scratch;
}

static bool allocate(struct sn__pack *p) {
    for (enum sn__array f = 0; f < SN__SCRATCH; f++)
        if (needed(p, f) && !allocate_field(p, f, f < SN__SHARED)) return false;
    p->kp = sn__alloc((size_t)p->model->nv, sizeof *p->kp);
    p->kd = sn__alloc((size_t)p->model->nv, sizeof *p->kd);
    p->per_axis = sn__alloc((size_t)p->model->nbody, sizeof *p->per_axis);
    return allocate_scratch(p) && p->kp && p->kd && p->per_axis;
}

/* ----------------------------------------------------------------------------------- each character's own */

/* What all have that nobody has set. */
static void fill_default(struct sn__pack *p, enum sn__array field) {
    const double one = 1, *value = field == SN__GRAVITY ? p->def.gravity
                                   : field == SN__DT    ? &p->def.dt
                                                        : &one;
    if (field != SN__MASS && field != SN__FRICTION && field != SN__GRAVITY && field != SN__DT) return;
    for (int i = 0; i < p->count; i++)
        sn__pack_put(p, field, i, (int)sn__pack_field_size(p, field), value);
}

static bool is_gain(enum sn__array field) {
    return field >= SN__KP && field <= SN__ARMATURE;
}

sn_status sn__pack_own(struct sn__pack *p, enum sn__array field) {
    if (p->stride[field]) return SN_OK;
    if (is_gain(field) && !sn__pack_part(p)) return SN_ERROR_MEMORY;
    const bool fused = solver_of(&p->def) == SN_SOLVER_MABA && p->def.route == SN_ROUTE_DIRECT &&
                       p->def.integrator == SN_INTEGRATOR_SEMI_IMPLICIT_EULER;
    if ((field == SN__MASS || field == SN__DT) && !fused) return SN_ERROR_UNSUPPORTED;
    void *shared = p->field[field];
    if (!allocate_field(p, field, true)) {
        p->field[field] = shared;
        return SN_ERROR_MEMORY;
    }
    if (shared)
        for (int block = 0; block < p->blocks; block++)
            memcpy(sn__pack_at(p, field, block), shared, p->stride[field]);
    else
        fill_default(p, field);
    sn__free(shared);
    if (field != SN__KP && field != SN__KD && field != SN__ARMATURE && field != SN__DT) return SN_OK;
    for (enum sn__array f = SN__KW; f <= SN__K_PASSIVE; f++) /* which depend on these */
        if (sn__pack_own(p, f)) return SN_ERROR_MEMORY;
    return SN_OK;
}

sn_status sn__pack_share(struct sn__pack *p, enum sn__array field) {
    void *own = p->field[field];
    if (!p->stride[field]) return SN_OK;
    p->field[field] = NULL;
    if (needed(p, field) && !allocate_field(p, field, false)) {
        p->field[field] = own;
        return SN_ERROR_MEMORY;
    }
    p->stride[field] = 0;
    sn__free(own);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------- clones */

sn_status sn__pack_follow(struct sn__pack *clone, const struct sn__pack *p) {
    const struct sn__pack own = *clone;
    *clone = *p;
    for (enum sn__array f = SN__SCRATCH; f < SN__FIELDS; f++)
        clone->field[f] = own.field[f];
    clone->work = own.work;
    clone->scratch = own.scratch;
    clone->ground_work = own.ground_work;
    if (p->borrows) return SN_OK;
    if (p->ground == own.ground && (clone->ground_work || !p->ground)) return SN_OK;
    sn__free(clone->ground_work);
    clone->ground_work = p->ground ? sn__alloc_aligned(p->ground_bytes) : NULL;
    return clone->ground_work || !p->ground ? SN_OK : SN_ERROR_MEMORY;
}

sn_status sn__pack_clone(const struct sn__pack *p, struct sn__pack *clone, const struct sn__loan *loan) {
    *clone = *p;
    for (enum sn__array f = SN__SCRATCH; f < SN__FIELDS; f++)
        clone->field[f] = NULL;
    clone->work = clone->scratch = clone->ground_work = NULL;
    clone->ground = NULL;
    take_loan(clone, loan);
    if (allocate_scratch(clone) && !sn__pack_follow(clone, p)) return SN_OK;
    sn__pack_release_clone(clone);
    return SN_ERROR_MEMORY;
}

static void free_scratch(struct sn__pack *p) {
    if (!p->borrows) sn__free_all(p->work, p->scratch, p->ground_work);
}

void sn__pack_release_clone(struct sn__pack *clone) {
    for (enum sn__array f = SN__SCRATCH; f < SN__FIELDS; f++)
        sn__free(clone->field[f]);
    free_scratch(clone);
    memset(clone, 0, sizeof *clone);
}

size_t sn__pack_memory(const struct sn__pack *p, bool clone) {
    size_t bytes = p->borrows ? 0 : sn__pack_work_bytes(p) + (p->ground ? p->ground_bytes : 0);
    for (enum sn__array f = clone ? SN__SCRATCH : 0; f < SN__FIELDS; f++)
        if (p->field[f] && !(p->gains && is_gain(f)))
            bytes += p->stride[f] ? p->stride[f] * (size_t)p->blocks : field_bytes(p, f);
    return bytes;
}

/* ------------------------------------------------------------------------------------------------- making */

sn_status sn__pack_need_matrix(struct sn__pack *p) {
    const size_t nv = (size_t)p->model->nv, value = p->k->elem_size * (size_t)p->k->info.width;
    if (!p->field[SN__MATRIX]) p->field[SN__MATRIX] = sn__alloc_aligned(nv * nv * value);
    if (!p->field[SN__MATRIX]) return SN_ERROR_MEMORY;
    if (p->wants_matrix) return SN_OK;
    void *work = sn__alloc_aligned(sn__work_bytes(p->k, p->model, true));
    if (!work) return SN_ERROR_MEMORY;
    sn__free(p->work);
    p->work = work;
    p->wants_matrix = true;
    return SN_OK;
}

static sn_status check_def(const struct sn__pack_def *def, sn_error *error) {
    if (!(def->dt > 0) || !isfinite(def->dt))
        return sn__fail(error, SN_ERROR_ARGUMENT, "dt is %g: it must be positive and finite", def->dt);
    if (!(fabs(def->gravity[0]) + fabs(def->gravity[1]) + fabs(def->gravity[2]) <= (double)FLT_MAX))
        return sn__fail(error, SN_ERROR_ARGUMENT, "gravity is not finite");
    if ((unsigned)def->precision > SN_PRECISION_FLOAT || (unsigned)def->form > SN_FORM_FULL ||
        (unsigned)def->solver > SN_SOLVER_PCG || (unsigned)def->integrator > SN_INTEGRATOR_RK4 ||
        (unsigned)def->route > SN_ROUTE_TORQUE_EQ6)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (solver_of(def) == SN_SOLVER_LAPACK && !sn_built_with("lapack"))
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "this build of the library has no LAPACK");
    return SN_OK;
}

/* A torque limit is met by the solver that knows active sets. */
static sn_status check_limits(const sn_model *model, const struct sn__pack_def *def, sn_error *error) {
    if (!model->has_torque_limit || (def->solver == SN_SOLVER_MABA && def->route == SN_ROUTE_DIRECT))
        return SN_OK;
    return sn__fail(error, SN_ERROR_UNSUPPORTED,
                    "the model has torque limits: only the MABA solver on the direct route can keep them");
}

/* All but the plain use of MABA needs kernels that not every lane type has. */
static bool wants_study(const struct sn__pack_def *def) {
    return def->solver != SN_SOLVER_MABA || sn__study_ahead(def->study) || def->route != SN_ROUTE_DIRECT ||
           sn__integrator_stages(def->integrator) > 1;
}

/* The lane type asked for, or one that can do what the definition wants. */
static const struct sn__kernels *choose_lanes(const struct sn__pack_def *def, bool wide, sn_error *error) {
    const enum sn__part part = wants_study(def) ? SN__STUDY : SN__NO_PART;
    if (!def->lanes) return sn__kernels_with(part, def->precision, wide, error);
    const struct sn__kernels *k = sn__kernels_find(def->lanes, def->precision, wide, error);
    if (!k || sn__kernels_have(k, part)) return k;
    char names[64];
    sn__kernels_names(part, def->precision, sizeof names, names);
    sn__fail(error, SN_ERROR_UNSUPPORTED,
             "lanes '%s' have MABA, the direct route and Euler's methods only; all others are in %s",
             k->info.name, names);
    return NULL;
}

sn_status sn__pack_init(struct sn__pack *p, const sn_model *model, const struct sn__pack_def *def, int count,
                        bool wide, const struct sn__loan *loan, sn_error *error) {
    const bool freezes = p->freezes, spread = p->spread;
    memset(p, 0, sizeof *p);
    p->freezes = freezes, p->spread = spread;
    take_loan(p, loan);
    if (!model || !def) return sn__fail(error, SN_ERROR_ARGUMENT, "the model or the definition is NULL");
    if (count < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a count of %d characters: at least one is needed", count);
    sn_status status = check_def(def, error);
    if (!status) status = check_limits(model, def, error);
    if (status) return status;
    p->k = choose_lanes(def, wide, error);
    if (!p->k) return error ? error->status : SN_ERROR_UNSUPPORTED;
    p->model = model;
    p->tree = def->precision == SN_PRECISION_DOUBLE ? (const void *)&model->tree_f64
                                                    : (const void *)&model->tree_f32;
    p->def = *def;
    p->def.lanes = p->k->info.name;
    p->count = count;
    p->blocks = p->spread ? count : (count - 1) / p->k->info.width + 1;
    p->wants_matrix = solver_of(def) != SN_SOLVER_MABA;
    p->torque_limits = model->has_torque_limit;
    if (!allocate(p)) {
        sn__pack_release(p);
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d characters of %d degrees of freedom", count,
                        model->nv);
    }
    double *q = p->scratch;
    sn_model_zero_pose(model, q);
    for (int i = 0; i < count; i++) {
        sn__pack_put(p, SN__Q, i, model->nq, q);
        sn__pack_put(p, SN__TARGET_Q, i, model->nq, q);
    }
    sn__pack_put_shared(p, SN__LIMIT, model->nv, model->torque_limit);
    sn__pack_put_shared(p, SN__ARMATURE, model->nv, model->armature);
    sn__pack_update_drive(p);
    return SN_OK;
}

void sn__pack_release(struct sn__pack *p) {
    free_scratch(p);
    for (int f = 0; f < SN__FIELDS; f++)
        if (!p->gains || !is_gain((enum sn__array)f)) sn__free(p->field[f]);
    if (!p->gains) sn__free_all(p->kp, p->kd, p->per_axis);
    sn__gains_give_back(p->gains);
    memset(p, 0, sizeof *p);
}

static void put_lane(const struct sn__pack *p, void *lanes, int lane, int n, const double *values) {
    const int width = p->k->info.width;
    if (p->def.precision == SN_PRECISION_DOUBLE)
        for (int i = 0; i < n; i++)
            ((double *)lanes)[i * width + lane] = values ? values[i] : 0;
    else
        for (int i = 0; i < n; i++)
            ((float *)lanes)[i * width + lane] = values ? (float)values[i] : 0;
}

/* Where a character stands. Spread out it fills a block; the last one fills the lanes of its block that are left. */
static int block_of(const struct sn__pack *p, int character) {
    return p->spread ? character : character / p->k->info.width;
}

static int lane_of(const struct sn__pack *p, int character) {
    return p->spread ? 0 : character % p->k->info.width;
}

static int last_lane(const struct sn__pack *p, int character) {
    return p->spread || character == p->count - 1 ? p->k->info.width - 1 : lane_of(p, character);
}

int sn__pack_lanes_of(const struct sn__pack *p, int character, int *lane, int *end) {
    *lane = lane_of(p, character), *end = last_lane(p, character) + 1;
    return block_of(p, character);
}

void sn__pack_put(struct sn__pack *p, enum sn__array field, int character, int n, const double *values) {
    void *lanes = sn__pack_at(p, field, block_of(p, character));
    for (int lane = lane_of(p, character); lane <= last_lane(p, character); lane++)
        put_lane(p, lanes, lane, n, values);
}

/* Whether all characters have these values. */
static bool has_shared(const struct sn__pack *p, enum sn__array field, int n, const double *values) {
    for (int i = 0; i < n; i++) {
        const double x = sn__pack_value(p, field, 0, i);
        if (x != (p->def.precision == SN_PRECISION_DOUBLE ? values[i] : (double)(float)values[i]))
            return false;
    }
    return true;
}

void sn__pack_put_shared(struct sn__pack *p, enum sn__array field, int n, const double *values) {
    if (p->gains && is_gain(field) && (has_shared(p, field, n, values) || !sn__pack_part(p))) return;
    for (int lane = 0; lane < p->k->info.width; lane++)
        put_lane(p, p->field[field], lane, n, values);
}

void sn__pack_get(const struct sn__pack *p, enum sn__array field, int character, int n, double *values) {
    const int width = p->k->info.width, lane = lane_of(p, character);
    const void *lanes = sn__pack_at(p, field, p->stride[field] ? block_of(p, character) : 0);
    if (p->def.precision == SN_PRECISION_DOUBLE)
        for (int i = 0; i < n; i++)
            values[i] = ((const double *)lanes)[i * width + lane];
    else
        for (int i = 0; i < n; i++)
            values[i] = (double)((const float *)lanes)[i * width + lane];
}

double sn__pack_value(const struct sn__pack *p, enum sn__array field, int character, int index) {
    const int width = p->k->info.width, at = index * width + lane_of(p, character);
    const void *lanes = sn__pack_at(p, field, p->stride[field] ? block_of(p, character) : 0);
    return p->def.precision == SN_PRECISION_DOUBLE ? ((const double *)lanes)[at]
                                                   : (double)((const float *)lanes)[at];
}

void sn__pack_put_value(struct sn__pack *p, enum sn__array field, int character, int index, double value) {
    const int width = p->k->info.width, last = last_lane(p, character);
    void *lanes = sn__pack_at(p, field, p->stride[field] ? block_of(p, character) : 0);
    for (int lane = lane_of(p, character); lane <= last; lane++) {
        if (p->def.precision == SN_PRECISION_DOUBLE)
            ((double *)lanes)[index * width + lane] = value;
        else
            ((float *)lanes)[index * width + lane] = (float)value;
    }
}

bool sn__pack_tidy(const struct sn__pack *p, const double *q, double slack, double *out) {
    const sn_model *model = p->model;
    if (!sn__pack_holds(p, model->nq, q)) return false;
    memcpy(out, q, sizeof *q * (size_t)model->nq);
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        if (sn__joint_quaternion(b) < 0) continue;
        double *w = out + b->q_index + sn__joint_quaternion(b);
        const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3], n = sqrt(square);
        if (!(n > 1e-150) || !isfinite(n)) return false;
        if (fabs(square - 1) <= slack) continue;
        for (int k = 0; k < 4; k++)
            w[k] /= n;
    }
    return true;
}

/* Positions and velocities into two fields; all of it, or nothing when something is wrong. */
static sn_status put_pair(struct sn__pack *p, int character, enum sn__array fq, enum sn__array fv,
                          const double *q, const double *qd) {
    double *tidy = p->scratch;
    if (qd && !sn__pack_holds(p, p->model->nv, qd)) return SN_ERROR_ARGUMENT;
    const double slack = 16 * (p->def.precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON);
    if (q && !sn__pack_tidy(p, q, slack, tidy))
        return SN_ERROR_ARGUMENT; /* what comes from lanes goes back as it is */
    if (q) sn__pack_put(p, fq, character, p->model->nq, tidy);
    if (qd) sn__pack_put(p, fv, character, p->model->nv, qd);
    return SN_OK;
}

sn_status sn__pack_set_state(struct sn__pack *p, int character, const double *q, const double *qd) {
    return put_pair(p, character, SN__Q, SN__QD, q, qd);
}

sn_status sn__pack_set_target(struct sn__pack *p, int character, const double *q, const double *qd) {
    if (qd && !p->field[SN__TARGET_QD] && sn__pack_own(p, SN__TARGET_QD)) return SN_ERROR_MEMORY;
    const sn_status status = put_pair(p, character, SN__TARGET_Q, SN__TARGET_QD, q, qd);
    if (status) return status;
    if (qd) {
        p->has_target_qd = true;
    } else if (p->has_target_qd) {
        memset(p->scratch, 0, sizeof(double) * (size_t)p->model->nv);
        sn__pack_put(p, SN__TARGET_QD, character, p->model->nv, p->scratch);
        if (p->count == 1) p->has_target_qd = false;
    }
    return SN_OK;
}

sn_status sn__pack_set_gains(struct sn__pack *p, const double *kp, const double *kd) {
    if (!kp || !kd) return SN_ERROR_ARGUMENT;
    if (!sn__pack_holds(p, p->model->nv, kp) || !sn__pack_holds(p, p->model->nv, kd))
        return SN_ERROR_ARGUMENT;
    for (int i = 0; i < p->model->nv; i++)
        if (kp[i] < 0 || kd[i] < 0) return SN_ERROR_ARGUMENT;
    const size_t size = sizeof *kp * (size_t)p->model->nv;
    if (p->gains && !memcmp(kp, p->kp, size) && !memcmp(kd, p->kd, size)) return SN_OK;
    if (!sn__pack_part(p)) return SN_ERROR_MEMORY;
    memmove(p->kp, kp, size);
    memmove(p->kd, kd, size);
    sn__pack_update_drive(p);
    return SN_OK;
}

sn_status sn__pack_set_dt(struct sn__pack *p, double dt) {
    if (!(dt > 0) || !sn__pack_holds(p, 1, &dt)) return SN_ERROR_ARGUMENT;
    if (p->gains && dt == p->def.dt) return SN_OK;
    if (!sn__pack_part(p)) return SN_ERROR_MEMORY;
    p->def.dt = dt;
    if (p->stride[SN__K]) /* gains may be each character's own */
        for (int i = 0; i < p->count; i++)
            sn__pack_update_character(p, i);
    else
        sn__pack_update_drive(p);
    return SN_OK;
}
