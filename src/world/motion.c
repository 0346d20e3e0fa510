/* Targets from a motion.
 *
 * The motion is sampled into rows of nq + nv values in the world's precision, close enough to each other that what lies
 * between two of them is a straight line; a step looks up two rows per copy and lets a kernel go the way in between.
 * With n pieces over the duration T, a phase t of round r = floor(t / T) stands at
 *
 *     x = (t - r T) n / T,   between rows floor(x) and floor(x) + 1,
 *
 * and r times what the root's place gains a round is added; a root that turns from round to round is turned r times. A
 * motion that does not loop rests before and after: the last two rows are for that. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "clip/keys.h"
#include "motion/motion.h"
#include "world/device.h"
#include "world/fields.h"
#include "world/table.h"
#include "model/joint.h"

void sn__table_free(struct sn__table *table) {
    if (!table) return;
    sn__free(table->row);
    sn__free(table);
}

size_t sn__table_memory(const struct sn__table *table) {
    return table ? sizeof *table + table->bytes : 0;
}

/* -------------------------------------------------------------------------------------------------- sampling */

/* Where a row is taken: the end of a round is the pose of its last key, not of the first of the next round. */
static double row_time(const struct sn__table *t, int row) {
    if (row < t->pieces) return t->duration * row / t->pieces;
    return t->loop ? t->duration * (1 - 1e-12) : t->duration;
}

/* The velocity jumps at keys, and rows often stand on keys: the mean of just before and just after. */
static void row_velocity(const struct sn__table *t, const sn_motion *motion, int row, int nv, double *spare,
                         double *qd) {
    const double time = row < t->pieces ? row_time(t, row) : t->duration;
    const double little = t->pieces ? 1e-3 * t->duration / t->pieces : 0;
    const bool before = t->loop || row > 0, after = t->loop || row < t->pieces;
    memset(qd, 0, sizeof *qd * (size_t)nv);
    if (!t->pieces) return;
    for (int side = -1; side <= 1; side += 2) {
        if (side < 0 ? !before : !after) continue;
        sn_motion_sample(motion, time + side * little, NULL, spare);
        for (int v = 0; v < nv; v++)
            qd[v] += before && after ? 0.5 * spare[v] : spare[v];
    }
}

/* Quaternions in the half space of the row before, so that a straight line is the short way. */
static void stay_near(const sn_model *model, const double *before, double *q) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *b = &model->body[i];
        const int at = b->q_index + sn__quaternion_of(b);
        if (sn__quaternion_of(b) < 0) continue;
        double dot = 0;
        for (int k = at; k < at + 4; k++)
            dot += before[k] * q[k];
        for (int k = at; k < at + 4 && dot < 0; k++)
            q[k] = -q[k];
    }
}

/* How far the middle between two rows is from the motion there, in any degree of freedom, m or rad. spare has room for
   4 nq. */
static double error_at(const sn_model *m, const struct sn__table *t, const sn_motion *motion, int piece,
                       double part, double *spare) {
    const double from = row_time(t, piece), to = row_time(t, piece + 1);
    double *a = spare, *b = a + m->nq, *exact = b + m->nq, *off = exact + m->nq, worst = 0;
    sn_motion_sample(motion, from, a, NULL);
    sn_motion_sample(motion, to, b, NULL);
    sn_motion_sample(motion, from + part * (to - from), exact, NULL);
    stay_near(m, a, b);
    for (int i = 0; i < m->nq; i++)
        a[i] += part * (b[i] - a[i]);
    sn__pose_tidy(m, SN_PRECISION_DOUBLE, a, true);
    sn_model_pose_subtract(m, 1, a, exact, off);
    for (int v = 0; v < m->nv; v++)
        worst = fmax(worst, fabs(off[v]));
    return worst;
}

static bool close_enough(const sn_model *m, const struct sn__table *t, const sn_motion *motion,
                         double *spare) {
    const double tolerance = 2e-4;
    for (int i = 0; i < t->pieces; i++)
        for (int k = 1; k < 4; k++)
            if (error_at(m, t, motion, i, 0.25 * k, spare) > tolerance) return false;
    return true;
}

/* The first rate whose rows are close enough together; 120 Hz at least. Rates of common recordings divide some of these,
   and then rows stand on keys. */
static void choose_pieces(const sn_model *m, struct sn__table *t, const sn_motion *motion, double *spare) {
    static const double rates[] = {120, 150, 180, 200, 240, 300, 360, 480, 600, 720, 960, 1440, 1920};
    const double most_rows = 1 << 16;
    const size_t n = sizeof rates / sizeof *rates;
    for (size_t i = 0; i < n; i++) {
        const double pieces = floor(t->duration * rates[i] + 0.5);
        if (i > 0 && pieces > most_rows) return;
        t->pieces = pieces < 1 ? 1 : (int)pieces;
        if (i + 1 < n && close_enough(m, t, motion, spare)) return;
    }
}

static void fill_rows(const sn_world *w, const sn_model *m, struct sn__table *t, const sn_motion *motion,
                      double *spare) {
    const int nq = m->nq, nv = m->nv;
    double *q = spare, *qd = q + nq, *before = qd + nv, *more = before + nq;
    for (int row = 0; row < t->pieces + 3; row++) {
        const bool rest = row > t->pieces;
        char *to = t->row + t->stride * (size_t)row;
        if (rest)
            sn_motion_sample(motion, row == t->pieces + 1 ? 0 : t->duration, q, NULL);
        else
            sn_motion_sample(motion, row_time(t, row), q, NULL);
        if (rest)
            memset(qd, 0, sizeof *qd * (size_t)nv);
        else
            row_velocity(t, motion, row, nv, more, qd);
        if (row > 0) stay_near(m, before, q);
        memcpy(before, q, sizeof *q * (size_t)nq);
        sn__world_narrow(w, nq, q, to);
        sn__world_narrow(w, nv, qd, to + (size_t)nq * w->k->elem_size);
    }
}

/* What the place of a free root gains a round: see sn_motion_sample. */
static void find_onward(const sn_model *m, struct sn__table *t, const sn_motion *motion, double *spare) {
    if (!t->loop || !m->nbody || !sn__joint_is_free(&m->body[0])) return;
    double *first = spare, *next = first + m->nq;
    sn_motion_sample(motion, 0, first, NULL);
    sn_motion_sample(motion, t->duration, next, NULL);
    for (int k = 0; k < 3; k++) {
        t->onward[k] = next[m->body[0].q_index + k] - first[m->body[0].q_index + k];
        t->moves_on |= t->onward[k] != 0;
    }
    t->gain = *sn__motion_gain(motion);
    if (t->gain.angle != 0) t->moves_on = false;
}

static sn_status make_table(const sn_world *w, const sn_model *m, const sn_motion *motion,
                            struct sn__table *t) {
    const size_t values = (size_t)m->nq + (size_t)m->nv;
    t->duration = sn_motion_get(motion)->duration;
    t->loop = sn_motion_get(motion)->loops;
    if (!(t->duration * 120 < 1 << 24)) return SN_ERROR_TOO_LARGE;
    double *spare = sn__alloc(4 * values + 1, sizeof *spare);
    if (!spare) return SN_ERROR_MEMORY;
    if (t->duration > 0) {
        choose_pieces(m, t, motion, spare);
        t->rounds = 1 / t->duration;
        t->rows = t->pieces / t->duration;
    }
    t->stride = (values * w->k->elem_size + 63) & ~(size_t)63;
    const size_t rows = (size_t)t->pieces + 3;
    t->bytes = rows * t->stride;
    t->row = rows <= SIZE_MAX / 2 / (t->stride + 1) ? sn__alloc_aligned(t->bytes) : NULL;
    if (t->row) {
        find_onward(m, t, motion, spare);
        fill_rows(w, m, t, motion, spare);
    }
    sn__free(spare);
    return t->row ? SN_OK : SN_ERROR_MEMORY;
}

int sn__table_number(const sn_world *w, const struct sn__table *table) {
    for (int i = 0; i < w->ntable; i++)
        if (w->table[i] == table) return i;
    return -1;
}

/* The table among the world's, which has each once; NULL: out of memory. */
static struct sn__table *keep(sn_world *w, struct sn__table *table) {
    for (int i = 0; i < w->ntable; i++) {
        struct sn__table *old = w->table[i];
        if (old->bytes != table->bytes || old->stride != table->stride || old->duration != table->duration ||
            old->loop != table->loop || memcmp(old->row, table->row, old->bytes))
            continue;
        sn__table_free(table);
        return old;
    }
    struct sn__table **list = sn__grow(w->table, &w->table_room, w->ntable + 1, sizeof *list);
    if (!list) {
        sn__table_free(table);
        return NULL;
    }
    w->table = list;
    return list[w->ntable++] = table;
}

sn_status sn_world_set_motion(sn_world *w, int member, const sn_motion *motion) {
    struct sn__member *m = sn__world_want(w, member);
    struct sn__table *table = NULL;
    if (!m) return SN_ERROR_ARGUMENT;
    if (motion && sn__motion_model(motion) != m->model)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The motion is for another model than the member's.");
    const char *not_there = motion ? sn__remote_check_motion(w, sn__motion_gain(motion)->angle != 0) : NULL;
    if (not_there) return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "%s", not_there);
    if (motion) {
        table = sn__alloc(1, sizeof *table);
        const sn_status status = table ? make_table(w, m->model, motion, table) : SN_ERROR_MEMORY;
        if (status) {
            sn__table_free(table);
            return sn__world_refuse(w, status, "The motion is too long, or there is no memory for it.");
        }
    }
    if (table && !(table = keep(w, table)))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for the motion.");
    if (table && !m->pack.field[SN__TARGET_QD] && sn__pack_own(&m->pack, SN__TARGET_QD))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for target velocities.");
    m->motion = table;
    sn__member_wake(m, 0, w->def.copies);
    sn__world_touch(w);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------- following */

enum { MOST_LANES = 16 };

/* Up to three values in lanes. */
union lanes {
    double wide[3 * MOST_LANES];
    float narrow[3 * MOST_LANES];
};

static void put(void *x, bool wide, int at, double value) {
    if (wide)
        ((double *)x)[at] = value;
    else
        ((float *)x)[at] = (float)value;
}

static double take(const void *x, bool wide, int lane) {
    return wide ? ((const double *)x)[lane] : (double)((const float *)x)[lane];
}

/* The rows a phase lies between, how far, and the whole rounds gone by. */
struct spot {
    int from, to;
    double part, round;
};

static struct spot find(const struct sn__table *t, double phase) {
    struct spot s = {0};
    double time = phase;
    if (t->loop) {
        s.round = floor(phase * t->rounds);
        if (!isfinite(s.round)) s.round = 0;
        time = phase - s.round * t->duration;
        /* rounding can leave it just outside */
        if (time < 0) time = 0;
        if (time >= t->duration) time = 0, s.round += 1;
    }
    if (!(time >= 0) || !(time < t->duration)) {
        s.from = s.to = time < 0 ? t->pieces + 1 : t->pieces + 2;
        return s;
    }
    const double x = time * t->rows;
    s.from = x < t->pieces ? (int)x : t->pieces - 1;
    s.to = s.from + 1;
    s.part = x - s.from < 1 ? x - s.from : 1;
    return s;
}

/* A step of dt as the lanes know it: in their precision, whether it is the copy's own or everybody's. */
static double own_dt(const struct sn__pack *p, int block, int lane) {
    const bool wide = p->def.precision == SN_PRECISION_DOUBLE;
    const void *own = sn__pack_at(p, SN__DT, block);
    if (own) return take(own, wide, lane);
    return wide ? p->def.dt : (double)(float)p->def.dt;
}

/* The targets of one lane's root after the rounds gone by, where rounds turn. q and qd: targets of the block. */
static void turn_lane(const struct sn__table *t, const sn_model *m, double rounds, bool wide, int width,
                      int lane, void *q, void *qd) {
    double place[3], turn[4], velocity[3];
    const int at = m->body[0].q_index, v = m->body[0].v_index;
    for (int k = 0; k < 3; k++)
        place[k] = take(q, wide, (at + k) * width + lane),
        velocity[k] = take(qd, wide, (v + k) * width + lane);
    for (int k = 0; k < 4; k++)
        turn[k] = take(q, wide, (at + 3 + k) * width + lane);
    sn__round_apply(&t->gain, rounds, place, turn, velocity);
    for (int k = 0; k < 3; k++) {
        put(q, wide, (at + k) * width + lane, place[k]);
        put(qd, wide, (v + k) * width + lane, velocity[k]);
    }
    for (int k = 0; k < 4; k++)
        put(q, wide, (at + 3 + k) * width + lane, turn[k]);
}

void sn__member_follow(const sn_world *w, struct sn__member *m, struct sn__pack *p, int block, int first,
                       int n) {
    const struct sn__table *t = m->motion;
    const bool wide = w->def.precision == SN_PRECISION_DOUBLE;
    const int width = p->k->info.width;
    const void *frozen = sn__pack_at(p, SN__FROZEN, block), *a[MOST_LANES], *b[MOST_LANES];
    _Alignas(64) union lanes part, shift;
    struct spot s = {0};
    double rounds[MOST_LANES];
    for (int lane = 0; lane < width; lane++) {
        if (lane < n) { /* the last one fills the lanes that are left */
            double *phase = &m->phase[first + lane];
            if (take(frozen, wide, lane) == 0) *phase += own_dt(p, block, lane);
            s = find(t, *phase);
        }
        a[lane] = t->row + t->stride * (size_t)s.from;
        b[lane] = t->row + t->stride * (size_t)s.to;
        put(&part, wide, lane, s.part);
        rounds[lane] = s.round;
        for (int k = 0; k < 3; k++)
            put(&shift, wide, k * width + lane, s.round * t->onward[k]);
    }
    p->k->follow(p->tree, a, b, &part, t->moves_on ? &shift : NULL, sn__pack_at(p, SN__TARGET_Q, block),
                 sn__pack_at(p, SN__TARGET_QD, block));
    for (int lane = 0; lane < width && t->gain.angle != 0; lane++)
        turn_lane(t, m->model, rounds[lane], wide, width, lane, sn__pack_at(p, SN__TARGET_Q, block),
                  sn__pack_at(p, SN__TARGET_QD, block));
}
