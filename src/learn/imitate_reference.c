/* The reference: a motion sampled so closely that the nearest row will do. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate.h"

enum { ROWS_PER_SECOND = 480, MOST_ROWS = 1 << 20 };

int sn__reference_row(const struct sn__reference *r, double time) {
    const int parts = r->loop || r->rows < 2 ? r->rows : r->rows - 1;
    const double x = r->duration > 0 ? time / r->duration * parts : 0;
    const int row = (int)floor(x + .5);
    if (r->loop) return row >= r->rows ? row % r->rows : row < 0 ? 0 : row;
    return row >= r->rows ? r->rows - 1 : row < 0 ? 0 : row;
}

static double row_time(const struct sn__reference *r, int row) {
    return r->loop || r->rows < 2 ? r->duration * row / r->rows : r->duration * row / (r->rows - 1);
}

/* Position and velocity of all rows. */
static sn_status fill_states(struct sn__reference *r, const sn_motion *motion) {
    const double little = 1e-4;
    double *q = sn__alloc((size_t)(r->nq + r->nv), sizeof *q), *qd = q + r->nq;
    if (!q) return SN_ERROR_MEMORY;
    for (int row = 0; row < r->rows; row++) {
        const double time = row_time(r, row);
        sn_motion_sample(motion, time + little, NULL, qd); /* velocities jump at keys: just after them */
        sn_motion_sample(motion, time, q, NULL);
        for (int i = 0; i < r->nq; i++)
            r->q[row * r->nq + i] = (float)q[i];
        for (int i = 0; i < r->nv; i++)
            r->qd[row * r->nv + i] = (float)qd[i];
    }
    sn__free(q);
    return SN_OK;
}

/* Clips of few keys have velocities that jump, and some frames that do: nothing could follow those. As DeepMimic does, only
   what is slower than 6 Hz counts, by a Butterworth filter of second order, forwards and backwards. Together both multiply
   the frequency f by 1 / (1 + (f / 6 Hz)^4), which is the convolution with
     k(t) = w / 2 exp(-w |t| / sqrt 2) sin(w |t| / sqrt 2 + pi / 4),  w = 2 pi 6 Hz. */
static sn_status smooth(struct sn__reference *r) {
    const double w = 6.283185307179586 * 6, root = 1.4142135623730951;
    const double step = r->rows > 1 ? row_time(r, 1) : 0;
    const int reach = step > 0 ? (int)(8 * root / w / step) : 0;
    const size_t nv = (size_t)r->nv;
    float *out = sn__alloc((size_t)r->rows * nv, sizeof *out);
    double *sum = sn__alloc(nv, sizeof *sum), *k = sn__alloc((size_t)reach + 1, sizeof *k);
    for (int i = 0; k && i <= reach; i++) {
        const double x = w * i * step / root;
        k[i] = sn__exp(-x) * sn__sin(x + .7853981633974483);
    }
    for (int row = 0; out && sum && k && row < r->rows; row++) {
        double weight = 0;
        memset(sum, 0, nv * sizeof *sum);
        for (int d = -reach; d <= reach; d++) {
            int at = row + d;
            if (r->loop) at = ((at % r->rows) + r->rows) % r->rows;
            if (at < 0 || at >= r->rows) continue;
            const double share = k[d < 0 ? -d : d];
            weight += share;
            for (size_t i = 0; i < nv; i++)
                sum[i] += share * (double)r->qd[(size_t)at * nv + i];
        }
        for (size_t i = 0; i < nv; i++)
            out[(size_t)row * nv + i] = (float)(sum[i] / weight);
    }
    const bool good = out && sum && k;
    if (good) memcpy(r->qd, out, (size_t)r->rows * nv * sizeof *out);
    sn__free_all(out, sum, k);
    return good ? SN_OK : SN_ERROR_MEMORY;
}

/* What the model's bodies do in a row: asked of a world that holds the pose. */
static sn_status fill_row(struct sn__reference *r, const struct sn__imitate *im, sn_world *world, int row,
                          double *q, double *qd) {
    const size_t at = (size_t)row;
    for (int i = 0; i < r->nq; i++)
        q[i] = (double)r->q[row * r->nq + i];
    for (int i = 0; i < r->nv; i++)
        qd[i] = (double)r->qd[row * r->nv + i];
    const sn_status status = sn_world_set_state(world, 0, q, qd);
    if (status) return status;
    const struct sn__imitate_view view = {
        .q = r->q + at * (size_t)r->nq,
        .qd = r->qd + at * (size_t)r->nv,
        .pose = sn_world_view(world, 0, SN_FIELD_BODY_POSE),
        .velocity = sn_world_view(world, 0, SN_FIELD_BODY_VELOCITY),
    };
    if (!view.pose || !view.velocity) return SN_ERROR_MEMORY;
    sn__effectors_of(im, &view, r->effector + row * r->effectors * 3, r->com_velocity + row * 3);
    const double height = q[2];
    if (sn_model_get(im->def.model)->nshape == 0) return SN_OK;
    const sn_status stands = sn_world_stand(world, 0, q);
    r->lift[row] = (float)fmax(q[2] - height, 0);
    r->stood[row] = (float)(q[2] - height);
    return stands;
}

static sn_status fill_bodies(struct sn__reference *r, const struct sn__imitate *im, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    def.precision = SN_PRECISION_FLOAT;
    def.contact = SN_CONTACT_NONE;
    sn_world *world = sn_world_create(&def, error);
    double *q = sn__alloc((size_t)r->nq, sizeof(double)), *qd = sn__alloc((size_t)r->nv, sizeof(double));
    sn_status status = world && q && qd ? SN_OK : SN_ERROR_MEMORY;
    if (!status && sn_world_add(world, im->def.model, error) < 0) status = SN_ERROR_MEMORY;
    if (!status && sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) < 0)
        status = SN_ERROR_MEMORY;
    for (int row = 0; row < r->rows && !status; row++)
        status = fill_row(r, im, world, row, q, qd);
    sn__free_all(q, qd);
    sn_world_free(world);
    return status;
}

static sn_status fill(struct sn__reference *r, const struct sn__imitate *im, const sn_motion *motion,
                      sn_error *error) {
    sn_status status = fill_states(r, motion);
    if (!status) status = smooth(r);
    if (!status) status = fill_bodies(r, im, error);
    return status ? sn__fail(error, status, "the motion cannot be sampled") : SN_OK;
}

sn_status sn__reference_make(struct sn__reference *r, const struct sn__imitate *im, const sn_motion *motion,
                             sn_error *error) {
    const double duration = sn_motion_get(motion)->duration;
    const double rows = ceil(duration * ROWS_PER_SECOND) + 1;
    if (!(rows <= MOST_ROWS))
        return sn__fail(error, SN_ERROR_TOO_LARGE, "a motion of %g s is too long to be imitated", duration);
    *r = (struct sn__reference){.rows = (int)rows,
                                .duration = duration,
                                .loop = sn_motion_get(motion)->loops,
                                .nq = im->nq,
                                .nv = im->nv};
    for (int i = 0; i < im->nbody; i++)
        r->effectors += im->body[i].effector;
    const size_t n = (size_t)r->rows;
    r->q = sn__alloc(n * (size_t)r->nq, sizeof(float));
    r->qd = sn__alloc(n * (size_t)r->nv, sizeof(float));
    r->effector = sn__alloc(n * (size_t)r->effectors * 3, sizeof(float));
    r->com_velocity = sn__alloc(n * 3, sizeof(float));
    r->lift = sn__alloc(n, sizeof(float));
    r->stood = sn__alloc(n, sizeof(float));
    if (!r->q || !r->qd || !r->effector || !r->com_velocity || !r->lift || !r->stood)
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a motion of %g s", duration);
    return fill(r, im, motion, error);
}

void sn__reference_free(struct sn__reference *r) {
    sn__free_all(r->q, r->qd, r->effector, r->com_velocity, r->lift, r->stood);
    *r = (struct sn__reference){0};
}
