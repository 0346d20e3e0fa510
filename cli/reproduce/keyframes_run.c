/* One run of the mouse: only its root is keyed, six times in six seconds; all other joints are held in the zero pose with
 * the same profile. Nothing touches, and there is no gravity: what moves the tail is the body alone. */
#include "keyframes_run.h"

#include "need.h"
#include "terminal.h"
#include "scenes/whole.h"

#include <sinew/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mouse {
    const struct mouse_trial *trial;
    sn_model *model;
    sn_keyframes *keys;
    sn_world *world;
    sn_dynamics *dynamics;
    int nq, nv, nbody, tip;
    double *q, *qd, *rigid, *pose, *M, *head[2];
};

static void make_mouse(struct mouse *m) {
    sn_error error = {0};
    sn_world_def def = sn_world_def_default();
    sn_dynamics_def study = sn_dynamics_def_default();
    def.dt = 1.0 / MOUSE_RATE / m->trial->substeps, def.form = m->trial->form;
    def.gravity[2] = 0, study.gravity[2] = 0, def.contact = SN_CONTACT_NONE, def.joint_limits = false;
    m->model = need_builtin("mouse");
    m->keys = mouse_keyframes(m->model, &m->trial->mouse, &error);
    need(m->keys != NULL, &error);
    m->dynamics = need_dynamics(m->model, &study);
    m->world = need_world(&def);
    need_member(m->world, m->model);
    m->nq = sn_model_get(m->model)->nq, m->nv = sn_model_get(m->model)->nv,
    m->nbody = sn_model_get(m->model)->nbody;
    m->tip = m->nbody - 1;
    const size_t size = (size_t)(2 * m->nq + m->nv + 7 * m->nbody + m->nv * m->nv + 2 * MOUSE_SAMPLES);
    m->q = need_memory(NULL, size * sizeof *m->q);
    m->rigid = m->q + m->nq, m->qd = m->rigid + m->nq, m->pose = m->qd + m->nv;
    m->M = m->pose + 7 * m->nbody, m->head[0] = m->M + m->nv * m->nv, m->head[1] = m->head[0] + MOUSE_SAMPLES;
    sn_keyframes_spline(m->keys, 0, m->q, NULL);
    sn_world_set_state(m->world, 0, m->q, NULL);
    memset(m->qd, 0, (size_t)m->nv * sizeof *m->qd);
}

static void free_mouse(struct mouse *m) {
    sn_world_free(m->world);
    sn_dynamics_free(m->dynamics);
    sn_keyframes_free(m->keys), sn_model_free(m->model);
    free(m->q);
}

/* ------------------------------------------------------------------------------------------------------ measures */

static double length(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* How far the root is from a key, in place and in angle, each over the way from the key before. */
static double miss_of(struct mouse *m, int key) {
    double *here = m->rigid, *before = m->M, *off = m->pose, *way = off + m->nv, worst = 0;
    sn_keyframes_spline(m->keys, sn_keyframes_get(m->keys)->time[key], here, NULL);
    sn_keyframes_spline(m->keys, sn_keyframes_get(m->keys)->time[key - 1], before, NULL);
    sn_model_pose_subtract(m->model, 1, m->q, here, off);
    sn_model_pose_subtract(m->model, 1, here, before, way);
    for (int half = 0; half < 2; half++)
        if (length(way + 3 * half) > 1e-6)
            worst = fmax(worst, length(off + 3 * half) / length(way + 3 * half));
    return worst;
}

/* Ratio of the largest to the smallest eigenvalue of M, by powers of M and of its inverse (Cholesky). */
static double condition_of(struct mouse *m) {
    const int n = m->nv;
    double *A = m->M, *x = need_memory(NULL, 2 * (size_t)n * sizeof *x), *y = x + n, most = 0, least = 0;
    sn_dynamics_mass_matrix(m->dynamics, m->q, A);
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.1 * (i % 7);
    for (int round = 0; round < 100; round++) {
        double norm = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int k = 0; k < n; k++)
                y[i] += A[i * n + k] * x[k];
            norm += y[i] * y[i];
        }
        most = sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / most;
    }
    for (int j = 0; j < n; j++) /* L L^T in place, below the diagonal */
        for (int i = j; i < n; i++) {
            double s = A[i * n + j];
            for (int k = 0; k < j; k++)
                s -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = i == j ? sqrt(s) : s / A[j * n + j];
        }
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.1 * (i % 5);
    for (int round = 0; round < 100; round++) {
        double norm = 0;
        for (int i = 0; i < n; i++) {
            y[i] = x[i];
            for (int k = 0; k < i; k++)
                y[i] -= A[i * n + k] * y[k];
            y[i] /= A[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                y[i] -= A[k * n + i] * y[k];
            y[i] /= A[i * n + i];
            norm += y[i] * y[i];
        }
        least = 1 / sqrt(norm);
        for (int i = 0; i < n; i++)
            x[i] = y[i] * least;
    }
    free(x);
    return most / least;
}

static void tip_of(struct mouse *m, const double *q, double tip[3]) {
    sn_dynamics_bodies(m->dynamics, q, NULL, m->pose, NULL, NULL);
    memcpy(tip, m->pose + 7 * m->tip, 3 * sizeof *tip);
}

/* An angle without jumps: the one of those that are the same which is nearest to the last. */
static double unwrapped(double angle, double last) {
    return angle - 2 * M_PI * floor((angle - last) / (2 * M_PI) + 0.5);
}

/* The tail against a rigid one: how far its tip is off, its heading beside the body's, and the energy in it. */
static void look_at_tail(struct mouse *m, int sample, struct mouse_outcome *o) {
    double tip[3], stiff[3], off[3], along[3];
    sn_summary whole, rigid;
    tip_of(m, m->q, tip);
    for (int k = 0; k < 3; k++)
        along[k] = m->pose[k] - tip[k];
    sn_model_zero_pose(m->model, m->rigid);
    memcpy(m->rigid, m->q, 7 * sizeof *m->q);
    tip_of(m, m->rigid, stiff);
    for (int k = 0; k < 3; k++)
        off[k] = tip[k] - stiff[k];
    o->amplitude = fmax(o->amplitude, length(off));
    const double *r = m->q + 3;
    const double body = atan2(2 * (r[1] * r[2] + r[0] * r[3]), 1 - 2 * (r[2] * r[2] + r[3] * r[3]));
    const double tail = atan2(along[1], along[0]);
    m->head[0][sample] = unwrapped(body, sample ? m->head[0][sample - 1] : 0);
    m->head[1][sample] = unwrapped(tail, sample ? m->head[1][sample - 1] : 0);
    sn_dynamics_bodies(m->dynamics, m->q, m->qd, NULL, NULL, &whole);
    memset(m->M, 0,
           (size_t)m->nv * sizeof *m->M); /* the same motion of the body with a tail that keeps its shape */
    memcpy(m->M, m->qd, 6 * sizeof *m->qd);
    sn_dynamics_bodies(m->dynamics, m->q, m->M, NULL, NULL, &rigid);
    o->energy = fmax(o->energy, whole.kinetic);
    o->tail_energy = fmax(o->tail_energy, fabs(whole.kinetic - rigid.kinetic));
    o->speed = fmax(o->speed, length(m->qd));
}

/* The shift at which the tail's turning goes best with the body's, to a tenth of a sample. */
static double lag_of(struct mouse *m, int samples) {
    double best = -1, at = 0;
    for (int tenth = 0; tenth < 600; tenth++) {
        double sum = 0, a2 = 0, b2 = 0;
        for (int i = 1; i + 1 + tenth / 10 + 1 < samples; i++) {
            const int j = i + tenth / 10;
            const double part = 0.1 * (tenth % 10), a = m->head[0][i + 1] - m->head[0][i];
            const double b = (1 - part) * (m->head[1][j + 1] - m->head[1][j]) +
                             part * (m->head[1][j + 2] - m->head[1][j + 1]);
            sum += a * b, a2 += a * a, b2 += b * b;
        }
        const double match = sum / sqrt(a2 * b2 + 1e-300);
        if (match > best + 1e-9) best = match, at = 0.1 * tenth / MOUSE_RATE;
    }
    return at;
}

/* ----------------------------------------------------------------------------------------------------------- a run */

static bool advance(struct mouse *m, int sample) {
    const double end = (double)(sample + 1) / MOUSE_RATE, dt = 1.0 / MOUSE_RATE / m->trial->substeps;
    if (m->trial->spline) {
        sn_keyframes_spline(m->keys, end, m->q, m->qd);
        return true;
    }
    for (int i = 1; i <= m->trial->substeps; i++) {
        const double time = end - (m->trial->substeps - i) * dt;
        sn_keyframes_apply(m->keys, m->world, 0, -1, m->trial->form == SN_FORM_EXPLICIT ? time - dt : time);
        if (step_whole(m->world) != SN_OK) return false;
    }
    sn_world_get_state(m->world, 0, m->q, m->qd);
    for (int v = 0; v < m->nv; v++)
        if (!(fabs(m->qd[v]) < 1e4)) return false; /* a thousand turns per second */
    return true;
}

void mouse_run(const struct mouse_trial *trial, struct mouse_outcome *o) {
    struct mouse m = {.trial = trial};
    *o = (struct mouse_outcome){.finite = true, .diverged_at = (double)NAN};
    make_mouse(&m);
    const int samples = (int)lround(mouse_key_time(MOUSE_KEYS - 1) * MOUSE_RATE);
    for (int i = 0, key = 1; i < samples && o->finite; i++) {
        o->finite = advance(&m, i);
        const double time = (double)(i + 1) / MOUSE_RATE;
        if (!o->finite) {
            o->diverged_at = time;
            break;
        }
        look_at_tail(&m, i, o);
        if (i % 12 == 0) o->conditioning = fmax(o->conditioning, condition_of(&m));
        if (key < MOUSE_KEYS && fabs(time - mouse_key_time(key)) < 1e-9) {
            o->miss[key] = miss_of(&m, key);
            o->worst = fmax(o->worst, o->miss[key++]);
        }
    }
    if (o->finite) o->lag = lag_of(&m, samples);
    free_mouse(&m);
}
