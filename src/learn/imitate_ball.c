/* Balls that are thrown at a character: one in each copy, a free body that waits high above until its time. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "learn/imitate_parts.h"
#include "learn/random.h"

/* In each window of so many seconds one throw, so far away, that is over after so long. */
static const double WINDOW = 2, FLIGHT = 1, AWAY = 2;
static const double DENSITY = 500, PI = 3.14159265358979;
static const float WAITING = 20, GRAVITY = 9.81f; /* m above; of worlds */

sn_model *sn__ball_make(const struct sn__imitate_def *def, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    if (!builder) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a ball");
        return NULL;
    }
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = cbrt(3 * def->ball / (4 * PI * DENSITY));
    shape.mass = def->ball;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* A copy's ball in the three fields, one after the other, [copies] each. */
static void fill(const struct sn__imitate *im, struct sn__imitate_part *p, int copy, const float at[3],
                 const float v[3], float gravity) {
    const int copies = im->def.copies;
    float *q = p->values + 7 * copy, *qd = p->values + 7 * copies + 6 * copy,
          *g = p->values + 13 * copies + 3 * copy;
    memset(q, 0, 7 * sizeof *q);
    memset(qd, 0, 6 * sizeof *qd);
    memcpy(q, at, 3 * sizeof *q);
    memcpy(qd, v, 3 * sizeof *qd);
    q[3] = 1;
    g[0] = g[1] = 0;
    g[2] = -gravity;
}

static sn_status put(const struct sn__imitate *im, struct sn__imitate_part *p, const uint8_t *which) {
    const int copies = im->def.copies;
    sn_status status = sn_world_put(p->world, p->ball, SN_FIELD_Q, which, p->values);
    if (!status) status = sn_world_put(p->world, p->ball, SN_FIELD_QD, which, p->values + 7 * copies);
    if (!status) status = sn_world_put(p->world, p->ball, SN_FIELD_GRAVITY, which, p->values + 13 * copies);
    return status;
}

static void wait_above(const struct sn__imitate *im, struct sn__imitate_part *p, int copy) {
    const float at[3] = {0, 0, WAITING}, v[3] = {0};
    fill(im, p, copy, at, v, 0);
}

sn_status sn__ball_park(const struct sn__imitate *im, struct sn__imitate_part *p, const uint8_t *which) {
    for (int i = 0; i < im->def.copies; i++)
        wait_above(im, p, i);
    return put(im, p, which);
}

/* From `AWAY` on any side, at the height of the chest, so that it meets the root's surroundings: with t the time on the way,
   and the root going on as it does,
     p + v t - g t^2 / 2 = root + root's velocity t + up to .3 m up, .2 m down. */
static void throw_at(const struct sn__imitate *im, struct sn__imitate_part *p, int copy, const float *q,
                     const float *qd, struct sn__random *r) {
    const double angle = 2 * PI * sn__random_uniform(r), up = .5 * sn__random_uniform(r) - .2;
    const double t = AWAY / im->def.ball_speed;
    const double from[3] = {AWAY * cos(angle), AWAY * sin(angle), .3};
    float at[3], v[3];
    for (int k = 0; k < 3; k++) {
        const double way = (k == 2 ? up : 0) - from[k];
        at[k] = q[k] + (float)from[k];
        v[k] = (k < 2 ? qd[k] : 0) + (float)(way / t + (k == 2 ? (double)GRAVITY * t / 2 : 0));
    }
    fill(im, p, copy, at, v, GRAVITY);
}

/* Which copies' balls are thrown or taken away now: a function of seed, episode and step alone. */
sn_status sn__ball_throw(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    const int window = (int)fmax(2, round(WINDOW * im->def.rate)),
              flight = (int)fmax(1, round(FLIGHT * im->def.rate));
    const float *q = sn_world_view(p->world, p->member, SN_FIELD_Q),
                *qd = sn_world_view(p->world, p->member, SN_FIELD_QD);
    bool some = false;
    if (!q || !qd) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < im->def.copies; i++) {
        const struct sn__episode *e = &p->episode[i];
        struct sn__random r = sn__random_at(e->seed, SN__STREAM_BALL, e->item,
                                            (uint64_t)e->count << 32 | (uint32_t)(e->steps / window));
        const int at = e->steps % window - (int)sn__random_below(&r, (uint32_t)(window - flight));
        p->which[i] = at == 0 || at == flight;
        some = some || p->which[i];
        if (at == 0)
            throw_at(im, p, i, q + i * im->nq, qd + i * im->nv, &r);
        else
            wait_above(im, p, i);
    }
    const sn_status status = some ? put(im, p, p->which) : SN_OK;
    return status ? sn__fail(error, status, "a ball cannot be thrown") : SN_OK;
}
