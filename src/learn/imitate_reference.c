/* The reference: a motion sampled so closely that the nearest row will do. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate_parts.h"

enum { ROWS_PER_SECOND = 480, MOST_ROWS = 1 << 20 };

int sn__reference_row(const struct sn__reference *r, double time) {
    const double x = r->duration > 0 ? time / r->duration * r->rows : 0;
    const int row = (int)floor(x + .5);
    if (r->loop) return row >= r->rows ? row % r->rows : row < 0 ? 0 : row;
    return row >= r->rows ? r->rows - 1 : row < 0 ? 0 : row;
}

static double row_time(const struct sn__reference *r, int row) {
    return r->loop || r->rows < 2 ? r->duration * row / r->rows : r->duration * row / (r->rows - 1);
}

/* What the model's bodies do there: asked of a world that holds the pose. */
static sn_status fill_row(struct sn__reference *r, const struct sn__imitate *im, sn_world *world, int row,
                          double *q, double *qd) {
    const double time = row_time(r, row), little = 1e-4;
    sn_motion_sample(im->def.motion, time + little, NULL, qd); /* velocities jump at keys: just after them */
    sn_motion_sample(im->def.motion, time, q, NULL);
    const sn_status status = sn_world_set_state(world, 0, q, qd);
    if (status) return status;
    const struct sn__imitate_view view = {
        .q = r->q + (size_t)row * (size_t)r->nq,
        .qd = r->qd + (size_t)row * (size_t)r->nv,
        .pose = sn_world_view(world, 0, SN_FIELD_BODY_POSE),
        .velocity = sn_world_view(world, 0, SN_FIELD_BODY_VELOCITY),
    };
    if (!view.pose || !view.velocity) return SN_ERROR_MEMORY;
    for (int i = 0; i < r->nq; i++)
        r->q[row * r->nq + i] = (float)q[i];
    for (int i = 0; i < r->nv; i++)
        r->qd[row * r->nv + i] = (float)qd[i];
    sn__effectors_of(im, &view, r->effector + row * r->effectors * 3, r->com_velocity + row * 3);
    const double height = q[2];
    if (sn_model_nshape(im->def.model) == 0) return SN_OK;
    const sn_status stands = sn_world_stand(world, 0, q);
    r->lift[row] = (float)fmax(q[2] - height, 0);
    return stands;
}

static sn_status fill(struct sn__reference *r, const struct sn__imitate *im, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    def.precision = SN_FLOAT;
    def.contact = SN_CONTACT_NONE;
    sn_world *world = sn_world_create(&def, error);
    double *q = sn__alloc((size_t)r->nq, sizeof(double)), *qd = sn__alloc((size_t)r->nv, sizeof(double));
    sn_status status = world && q && qd ? SN_OK : SN_ERROR_MEMORY;
    if (!status && sn_world_add(world, im->def.model, error) < 0) status = SN_ERROR_MEMORY;
    if (!status && sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) < 0)
        status = SN_ERROR_MEMORY;
    for (int row = 0; row < r->rows && !status; row++)
        status = fill_row(r, im, world, row, q, qd);
    if (status) sn__fail(error, status, "the motion cannot be sampled");
    sn__free_all(q, qd);
    sn_world_free(world);
    return status;
}

sn_status sn__reference_make(struct sn__reference *r, const struct sn__imitate *im, sn_error *error) {
    const double duration = sn_motion_duration(im->def.motion);
    const double rows = ceil(duration * ROWS_PER_SECOND) + 1;
    if (!(rows <= MOST_ROWS))
        return sn__fail(error, SN_ERROR_TOO_LARGE, "a motion of %g s is too long to be imitated", duration);
    *r = (struct sn__reference){.rows = (int)rows,
                                .duration = duration,
                                .loop = sn_motion_loops(im->def.motion),
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
    if (!r->q || !r->qd || !r->effector || !r->com_velocity || !r->lift)
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a motion of %g s", duration);
    return fill(r, im, error);
}

void sn__reference_free(struct sn__reference *r) {
    sn__free_all(r->q, r->qd, r->effector, r->com_velocity, r->lift);
    *r = (struct sn__reference){0};
}
