/* Balls that are thrown at a character: one in each copy, a free body that waits high above until its time. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "learn/imitate.h"
#include "learn/random.h"

/* In each window of so many seconds one throw, so far away, that is over after so long. */
static const double WINDOW = 2, FLIGHT = 1, AWAY = 2;
static const double DENSITY = 500, PI = 3.14159265358979;
static const float WAITING = 20, GRAVITY = 9.81f; /* m above; of worlds */

sn_model *sn__ball_make(double mass, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    if (!builder) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a ball");
        return NULL;
    }
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = sn__cbrt(3 * mass / (4 * PI * DENSITY));
    shape.mass = mass;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* A copy's ball in the three fields, one after the other, [copies] each. */
static void fill(const sn_part *part, int copy, const float at[3], const float v[3], float gravity) {
    const struct sn__imitate_room *room = part->own;
    const int copies = part->copies;
    float *q = room->values + 7 * copy, *qd = room->values + 7 * copies + 6 * copy,
          *g = room->values + 13 * copies + 3 * copy;
    memset(q, 0, 7 * sizeof *q);
    memset(qd, 0, 6 * sizeof *qd);
    memcpy(q, at, 3 * sizeof *q);
    memcpy(qd, v, 3 * sizeof *qd);
    q[3] = 1;
    g[0] = g[1] = 0;
    g[2] = -gravity;
}

static sn_status put(sn_part *part, const uint8_t *which) {
    const struct sn__imitate_room *room = part->own;
    const int copies = part->copies;
    sn_status status = sn_world_put(part->world, SN__BALL, SN_FIELD_Q, which, room->values);
    if (!status) status = sn_world_put(part->world, SN__BALL, SN_FIELD_QD, which, room->values + 7 * copies);
    if (!status)
        status = sn_world_put(part->world, SN__BALL, SN_FIELD_GRAVITY, which, room->values + 13 * copies);
    return status;
}

static void wait_above(const sn_part *part, int copy) {
    const float at[3] = {0, 0, WAITING}, v[3] = {0};
    fill(part, copy, at, v, 0);
}

sn_status sn__ball_park(sn_part *part, const uint8_t *which) {
    for (int i = 0; i < part->copies; i++)
        wait_above(part, i);
    return put(part, which);
}

/* From `AWAY` on any side, at the height of the chest, so that it meets the root's surroundings: with t the time on the way,
   and the root going on as it does,
     p + v t - g t^2 / 2 = root + root's velocity t + up to .3 m up, .2 m down. */
static void throw_at(const struct sn__imitate *im, const sn_part *part, int copy, const float *q,
                     const float *qd, struct sn__random *r) {
    const double angle = 2 * PI * sn__random_uniform(r), up = .5 * sn__random_uniform(r) - .2;
    const double t = AWAY / im->def.ball_speed;
    const double from[3] = {AWAY * sn__cos(angle), AWAY * sn__sin(angle), .3};
    float at[3], v[3];
    for (int k = 0; k < 3; k++) {
        const double way = (k == 2 ? up : 0) - from[k];
        at[k] = q[k] + (float)from[k];
        v[k] = (k < 2 ? qd[k] : 0) + (float)(way / t + (k == 2 ? (double)GRAVITY * t / 2 : 0));
    }
    fill(part, copy, at, v, GRAVITY);
}

/* Which copies' balls are thrown or taken away now: a function of seed, episode and step alone. */
sn_status sn__ball_throw(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    const int window = (int)fmax(2, round(WINDOW * im->def.rate)),
              flight = (int)fmax(1, round(FLIGHT * im->def.rate));
    const float *q = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_Q),
                *qd = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_QD);
    bool some = false;
    if (!q || !qd) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        const sn_episode *e = &part->episode[i];
        struct sn__random r = sn__random_at(e->seed, SN__STREAM_BALL, e->item,
                                            (uint64_t)e->count << 32 | (uint32_t)(e->steps / window));
        const int at = e->steps % window - (int)sn__random_below(&r, (uint32_t)(window - flight));
        room->which[i] = at == 0 || at == flight;
        some = some || room->which[i];
        if (at == 0)
            throw_at(im, part, i, q + i * im->nq, qd + i * im->nv, &r);
        else
            wait_above(part, i);
    }
    const sn_status status = some ? put(part, room->which) : SN_OK;
    return status ? sn__fail(error, status, "a ball cannot be thrown") : SN_OK;
}
