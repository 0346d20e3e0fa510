/* Many trajectories at once (pbad-2018 section 5.2): blocks of lanes, one per thread, that take trajectories from a common
 * heap. What a tick does stands in kernels/position/trajectory.h; here lanes are filled and emptied. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "studies/position_inner.h"
#include "sinew/studies.h"
#include "model/joint.h"

enum { MOST_LANES = 16, MOST_ARRAYS = 2 * SN__POSITION_PAST + 24 };

/* The lanes that one thread works on. */
struct block {
    struct sn__trajectory_args args;
    void *array[MOST_ARRAYS]; /* all of them, to be given back */
    int narray;
    void *start_q, *start_qd, *load, *qd, *target, *kp, *kd, *damping, *armature;
    double *anchor;       /* [MOST_LANES][nbody][3] where free roots began */
    double *pose;         /* [nq] room for one */
    int32_t *step, *item; /* [MOST_LANES] steps done; which trajectory, -1: none */
    sn_trajectories_report report;
};

struct sn_trajectories {
    const sn_model *model;
    const struct sn__kernels *k;
    sn_trajectories_def def;
    struct sn__pool *pool;
    struct block *block; /* [threads] */
    int threads;
    /* of the run under way */
    const sn_trajectories_run *run;
    double *q, *qd;
    atomic_int next;
};

/* ------------------------------------------------------------------------------------------------- one lane's values */

static double get_lane(const sn_trajectories *t, const void *array, int i, int lane) {
    const int at = i * t->k->info.width + lane;
    return t->def.precision == SN_PRECISION_DOUBLE ? ((const double *)array)[at]
                                                   : (double)((const float *)array)[at];
}

static void put_lane(const sn_trajectories *t, void *array, int i, int lane, double x) {
    const int at = i * t->k->info.width + lane;
    if (t->def.precision == SN_PRECISION_DOUBLE)
        ((double *)array)[at] = x;
    else
        ((float *)array)[at] = (float)x;
}

static void put_all(const sn_trajectories *t, void *array, int n, const double *x) {
    for (int i = 0; i < n; i++)
        for (int lane = 0; lane < t->k->info.width; lane++)
            put_lane(t, array, i, lane, x[i]);
}

static double *anchor_of(const sn_trajectories *t, const struct block *b, int lane) {
    return b->anchor + 3 * (size_t)lane * (size_t)t->model->nbody;
}

/* A pose, less where free roots began. */
static void put_pose(const sn_trajectories *t, const struct block *b, void *array, int lane,
                     const double *q) {
    memcpy(b->pose, q, (size_t)t->model->nq * sizeof *q);
    sn__position_shift(t->model, anchor_of(t, b, lane), -1, b->pose);
    for (int i = 0; i < t->model->nq; i++)
        put_lane(t, array, i, lane, b->pose[i]);
}

static void get_pose(const sn_trajectories *t, const struct block *b, const void *array, int lane,
                     double *q) {
    for (int i = 0; i < t->model->nq; i++)
        q[i] = get_lane(t, array, i, lane);
    sn__position_shift(t->model, anchor_of(t, b, lane), 1, q);
}

/* ------------------------------------------------------------------------------------------------------- making */

static void *make_array(const sn_trajectories *t, struct block *b, int n) {
    void *array = sn__alloc_aligned(t->k->elem_size * (size_t)t->k->info.width * ((size_t)n + 1));
    b->array[b->narray++] = array;
    return array;
}

static void prepare_block(const sn_trajectories *t, struct block *b) {
    const sn_model *m = t->model;
    struct sn__trajectory_args *args = &b->args;
    struct sn__position_args *a = &args->position;
    const struct sn__position_scheme scheme = sn__position_scheme_of((enum sn__position_method)t->def.method);
    bool damping = false, armature = false, ball = false;
    sn__position_scheme_put(&scheme, a);
    memcpy(args->past_node, scheme.past_node, sizeof args->past_node);
    a->tree =
        t->def.precision == SN_PRECISION_DOUBLE ? (const void *)&m->tree_f64 : (const void *)&m->tree_f32;
    a->dt = t->def.dt;
    memcpy(a->gravity, t->def.gravity, sizeof a->gravity);
    for (int v = 0; v < m->nv; v++)
        damping |= m->damping[v] != 0, armature |= m->armature[v] != 0;
    for (int i = 0; i < m->nbody; i++)
        ball |= sn__joint_is_ball(&m->body[i]);
    put_all(t, b->damping, m->nv, m->damping);
    put_all(t, b->armature, m->nv, m->armature);
    a->damping = damping ? b->damping : NULL;
    a->armature = armature ? b->armature : NULL;
    a->springs = m->has_stiffness;
    for (int h = 0; h < scheme.past; h++)
        a->past_q[h] = args->past_q[h];
    a->q[0] = args->try_q;
    a->T[0] = args->T;
    args->tolerance = t->def.tolerance * sn__position_force_scale(m, t->def.gravity);
    args->most = t->def.most;
    args->hessian = (int)t->def.hessian;
    args->wait = t->def.wait;
    args->by_bodies = ball;
    args->load = b->load, args->start_q = b->start_q, args->start_qd = b->start_qd;
}

static bool make_block(const sn_trajectories *t, struct block *b) {
    const sn_model *m = t->model;
    const int nP = SN__AFFINE * m->nbody;
    struct sn__trajectory_args *a = &b->args;
    for (int h = 0; h < SN__POSITION_PAST; h++) {
        a->past_q[h] = make_array(t, b, m->nq);
        a->past_P[h] = make_array(t, b, nP);
    }
    a->try_q = make_array(t, b, m->nq);
    a->q = make_array(t, b, m->nq);
    a->delta = make_array(t, b, m->nv);
    a->T = make_array(t, b, nP);
    a->held = make_array(t, b, nP);
    a->last[0] = make_array(t, b, m->nv);
    a->last[1] = make_array(t, b, m->nv);
    a->row = make_array(t, b, m->nv);
    a->lane = make_array(t, b, SN__LANE_VALUES);
    a->position.g[0] = make_array(t, b, m->nv);
    a->position.delta[0] = make_array(t, b, m->nv);
    a->position.energy = make_array(t, b, 1);
    b->start_q = make_array(t, b, m->nq);
    b->start_qd = make_array(t, b, m->nv);
    b->load = make_array(t, b, 1);
    b->qd = make_array(t, b, m->nv);
    b->target = make_array(t, b, m->nq);
    b->kp = make_array(t, b, m->nv);
    b->kd = make_array(t, b, m->nv);
    b->damping = make_array(t, b, m->nv);
    b->armature = make_array(t, b, m->nv);
    a->position.work = b->array[b->narray++] =
        sn__alloc_aligned(sn__study_table(t->k)->work_size(m->nbody, m->nv, m->tree_f64.nslot, 1));
    b->anchor = sn__alloc(3 * MOST_LANES * (size_t)m->nbody, sizeof *b->anchor);
    b->pose = sn__alloc((size_t)m->nq + 1, sizeof *b->pose);
    b->step = sn__alloc(MOST_LANES, sizeof *b->step);
    b->item = sn__alloc(MOST_LANES, sizeof *b->item);
    bool made = b->anchor && b->pose && b->step && b->item;
    for (int i = 0; i < b->narray; i++)
        made = made && b->array[i];
    if (made) prepare_block(t, b);
    return made;
}

static sn_status check_def(const sn_model *model, const sn_trajectories_def *d, sn_error *error) {
    if (sn__position_given(model, d, error)) return error->status;
    if (!(d->dt > 0) || !isfinite(d->dt))
        return sn__fail(error, SN_ERROR_ARGUMENT, "dt is %g: it must be positive and finite", d->dt);
    for (int k = 0; k < 3; k++)
        if (!isfinite(d->gravity[k])) return sn__fail(error, SN_ERROR_ARGUMENT, "gravity is not finite");
    if (d->method != SN_POSITION_METHOD_PBAD2 && d->method != SN_POSITION_METHOD_BDF2)
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "many trajectories take schemes of one pose: PBAD-2 and BDF2");
    if ((unsigned)d->hessian >= SN_POSITION_HESSIAN_EXACT)
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "many trajectories take Gauss-Newton, clamped or mirrored sweeps");
    if (!(d->tolerance >= 0) || d->most < 1 || d->threads < 0)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "tolerance and threads must not be negative, and there must be a sweep");
    return SN_OK;
}

sn_trajectories *sn_trajectories_create(const sn_model *model, const sn_trajectories_def *def,
                                        sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_trajectories_def own;
    if (!sn__definition_take_or("sn_trajectories_def", def, &own, error)) return NULL;
    def = &own;
    if (check_def(model, def, error)) return NULL;
    const struct sn__kernels *k = sn__kernels_find(def->lanes, def->precision, true, error);
    if (!k) return NULL;
    sn_trajectories *t = sn__alloc(1, sizeof *t);
    bool made = t != NULL;
    if (t) {
        t->model = model, t->k = k, t->def = *def;
        t->def.lanes = k->info.name;
        t->pool = sn__pool_create(def->threads, error);
        if (!t->pool) {
            sn__free(t);
            return NULL;
        }
        t->threads = sn__pool_threads(t->pool);
        t->block = sn__alloc((size_t)t->threads, sizeof *t->block);
        made = t->block != NULL;
    }
    for (int i = 0; made && i < t->threads; i++)
        made = make_block(t, &t->block[i]);
    if (made) return t;
    sn_trajectories_free(t);
    sn__fail(error, SN_ERROR_MEMORY, "no memory for trajectories");
    return NULL;
}

void sn_trajectories_free(sn_trajectories *t) {
    if (!t) return;
    for (int i = 0; t->block && i < t->threads; i++) {
        struct block *b = &t->block[i];
        for (int k = 0; k < b->narray; k++)
            sn__free(b->array[k]);
        sn__free_all(b->anchor, b->pose, b->step, b->item);
    }
    sn__pool_free(t->pool);
    sn__free_all(t->block, t);
}

/* ------------------------------------------------------------------------------------------------------ a run */

/* The target of the step that the lane is about to take. */
static void aim(const sn_trajectories *t, struct block *b, int lane) {
    const sn_trajectories_run *run = t->run;
    if (!run->target || b->item[lane] < 0 || b->step[lane] >= run->steps) return;
    const size_t at = (size_t)b->item[lane] * (size_t)run->steps + (size_t)b->step[lane];
    put_pose(t, b, b->target, lane, run->target + at * (size_t)t->model->nq);
}

/* A new trajectory, or nothing to do. */
static void fill(sn_trajectories *t, struct block *b, int lane) {
    const sn_model *m = t->model;
    int item = atomic_fetch_add(&t->next, 1);
    if (item >= t->run->count) item = -1;
    b->item[lane] = item;
    b->step[lane] = 0;
    put_lane(t, b->args.lane, SN__LANE_IDLE, lane, item < 0);
    put_lane(t, b->args.lane, SN__LANE_WAITING, lane, 0);
    put_lane(t, b->load, 0, lane, item >= 0);
    if (item < 0) return;
    const double *q = t->q + (size_t)item * (size_t)m->nq, *qd = t->qd + (size_t)item * (size_t)m->nv;
    sn__position_anchor(m, q, anchor_of(t, b, lane));
    put_pose(t, b, b->start_q, lane, q);
    for (int v = 0; v < m->nv; v++)
        put_lane(t, b->start_qd, v, lane, qd[v]);
    aim(t, b, lane);
}

static void count_step(const sn_trajectories *t, struct block *b, int lane) {
    const int sweeps = (int)get_lane(t, b->args.lane, SN__LANE_SWEEPS, lane);
    sn_trajectories_report *r = &b->report;
    r->sweeps += sweeps;
    r->unsolved += get_lane(t, b->args.lane, SN__LANE_SOLVED, lane) == 0;
    if (sweeps > r->most) r->most = sweeps;
    if (!r->least || sweeps < r->least) r->least = sweeps;
    if (t->run->sweeps) t->run->sweeps[b->item[lane]] += sweeps;
    put_lane(t, b->args.lane, SN__LANE_SWEEPS, lane, 0);
}

/* Where the lane ended its step; true: that was its last one. */
static bool leave_step(const sn_trajectories *t, struct block *b, int lane) {
    const sn_trajectories_run *run = t->run;
    const size_t nq = (size_t)t->model->nq, item = (size_t)b->item[lane];
    count_step(t, b, lane);
    if (run->path)
        get_pose(t, b, b->args.past_q[0], lane,
                 run->path + (item * (size_t)run->steps + (size_t)b->step[lane]) * nq);
    b->step[lane]++;
    if (b->step[lane] < run->steps) {
        aim(t, b, lane);
        return false;
    }
    get_pose(t, b, b->args.past_q[0], lane, t->q + item * nq);
    for (int v = 0; v < t->model->nv; v++)
        t->qd[item * (size_t)t->model->nv + (size_t)v] = get_lane(t, b->qd, v, lane);
    return true;
}

/* It stays where its last good step left it. */
static void leave_lost(const sn_trajectories *t, struct block *b, int lane) {
    const size_t nq = (size_t)t->model->nq, nv = (size_t)t->model->nv, item = (size_t)b->item[lane];
    b->report.lost++;
    get_pose(t, b, b->args.past_q[0], lane, t->q + item * nq);
    for (int v = 0; v < t->model->nv; v++)
        t->qd[item * nv + (size_t)v] = get_lane(t, b->args.last[0], v, lane) / t->def.dt;
    for (int s = b->step[lane]; t->run->path && s < t->run->steps; s++)
        memcpy(t->run->path + (item * (size_t)t->run->steps + (size_t)s) * nq, t->q + item * nq,
               nq * sizeof *t->q);
}

/* Velocities are wanted where a step may be the last of a trajectory. */
static void want_velocity(const sn_trajectories *t, struct block *b) {
    b->args.velocity = NULL;
    for (int lane = 0; lane < t->k->info.width; lane++)
        if (b->item[lane] >= 0 && b->step[lane] == t->run->steps - 1) b->args.velocity = b->qd;
}

static void run_block(void *user, int thread, int item) {
    sn_trajectories *t = user;
    struct block *b = &t->block[item];
    const int width = t->k->info.width;
    bool load = true, live = true;
    (void)thread;
    b->report = (sn_trajectories_report){0};
    for (int lane = 0; lane < width; lane++)
        fill(t, b, lane);
    while (live) {
        if (load) sn__study_table(t->k)->trajectory_start(&b->args);
        put_all(t, b->load, 1, &(double){0});
        load = live = false;
        for (int lane = 0; lane < width; lane++)
            live |= b->item[lane] >= 0;
        if (!live) break;
        want_velocity(t, b);
        sn__study_table(t->k)->trajectory_tick(&b->args);
        b->report.ticks++;
        for (int lane = 0; lane < width; lane++) {
            const int event = (int)get_lane(t, b->args.lane, SN__LANE_EVENT, lane);
            if (!event || b->item[lane] < 0) continue;
            if (event == SN__LANE_LOST)
                leave_lost(t, b, lane);
            else if (!leave_step(t, b, lane))
                continue;
            fill(t, b, lane);
            load |= b->item[lane] >= 0;
        }
    }
}

static bool all_finite(size_t n, const double *x) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool good_run(const sn_trajectories *t, const sn_trajectories_run *run, const double *q,
                     const double *qd) {
    if (!run || !q || !qd || run->count < 0 || run->steps < 0) return false;
    const size_t count = (size_t)run->count, nq = (size_t)t->model->nq, nv = (size_t)t->model->nv;
    if (!all_finite(count * nq, q) || !all_finite(count * nv, qd)) return false;
    if (!run->target) return true;
    if (!run->kp || !run->kd || !all_finite(nv, run->kp) || !all_finite(nv, run->kd)) return false;
    for (size_t v = 0; v < nv; v++)
        if (run->kp[v] < 0 || run->kd[v] < 0) return false;
    return all_finite(count * (size_t)run->steps * nq, run->target);
}

static void set_gains(sn_trajectories *t) {
    for (int i = 0; i < t->threads; i++) {
        struct block *b = &t->block[i];
        struct sn__position_args *a = &b->args.position;
        const bool driven = t->run->target != NULL;
        a->target_q[0] = driven ? b->target : NULL;
        a->kp = b->kp, a->kd = b->kd;
        if (driven) {
            put_all(t, b->kp, t->model->nv, t->run->kp);
            put_all(t, b->kd, t->model->nv, t->run->kd);
        }
        b->args.by_bodies = b->args.by_bodies && !driven;
    }
}

sn_status sn_trajectories_go(sn_trajectories *t, const sn_trajectories_run *run, double *q, double *qd,
                             sn_trajectories_report *report) {
    sn_trajectories_report sum = {0};
    if (!t || !good_run(t, run, q, qd)) return SN_ERROR_ARGUMENT;
    if (report) *report = (sn_trajectories_report){.lanes = t->k->info.width};
    if (!run->count || !run->steps) return SN_OK;
    t->run = run, t->q = q, t->qd = qd;
    atomic_store(&t->next, 0);
    for (int i = 0; run->sweeps && i < run->count; i++)
        run->sweeps[i] = 0;
    for (int i = 0; i < t->threads; i++)
        prepare_block(t, &t->block[i]);
    set_gains(t);
    sn__pool_run(t->pool, run_block, t, t->threads);
    for (int i = 0; i < t->threads; i++) {
        const sn_trajectories_report *r = &t->block[i].report;
        sum.ticks += r->ticks, sum.sweeps += r->sweeps, sum.unsolved += r->unsolved, sum.lost += r->lost;
        if (r->most > sum.most) sum.most = r->most;
        if (r->least && (!sum.least || r->least < sum.least)) sum.least = r->least;
    }
    sum.lanes = t->k->info.width;
    if (report) *report = sum;
    return sum.lost ? SN_ERROR_NOT_FINITE : SN_OK;
}
