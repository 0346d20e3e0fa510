/* Characters that differ: each episode has masses, friction, gains, strength and a delay of its own. What they see is blurred. */
#include <math.h>

#include "base/error.h"
#include "learn/imitate.h"
#include "learn/random.h"

struct factors {
    double mass, friction, gain, strength, delay; /* delay: part of the longest */
};

static double draw(struct sn__random *r, double range) {
    return 1 + range * (2 * sn__random_uniform(r) - 1);
}

static struct factors factors_of(const struct sn__imitate *im, const sn_episode *e) {
    struct sn__random r = sn__random_at(e->seed, SN__STREAM_VARY, e->item, e->count);
    struct factors f;
    f.mass = draw(&r, im->def.mass_range);
    f.friction = draw(&r, im->def.friction_range);
    f.gain = draw(&r, im->def.gain_range);
    f.strength = draw(&r, im->def.strength_range);
    f.delay = sn__random_uniform(&r);
    return f;
}

/* One number of each copy. */
static sn_status put_factor(const struct sn__imitate *im, sn_part *part, sn_field field,
                            const uint8_t *which) {
    const struct sn__imitate_room *room = part->own;
    for (int i = 0; i < part->copies; i++) {
        const struct factors f = factors_of(im, &part->episode[i]);
        room->values[i] = (float)(field == SN_FIELD_MASS_SCALE ? f.mass : f.friction);
    }
    return sn_world_put(part->world, SN__CHARACTER, field, which, room->values);
}

/* Gains or torque limits of each copy. */
static sn_status put_gains(const struct sn__imitate *im, sn_part *part, sn_field field,
                           const uint8_t *which) {
    const struct sn__imitate_room *room = part->own;
    const double *gain = im->gains + (field == SN_FIELD_KP ? 0 : im->nv);
    const bool strength = field == SN_FIELD_TORQUE_LIMIT;
    for (int i = 0; i < part->copies; i++) {
        const struct factors f = factors_of(im, &part->episode[i]);
        for (int k = 0; k < im->nv; k++)
            room->values[i * im->nv + k] =
                (float)(strength ? f.strength * (double)room->limit[k] : f.gain * gain[k]);
    }
    return sn_world_put(part->world, SN__CHARACTER, field, which, room->values);
}

sn_status sn__imitate_vary(const struct sn__imitate *im, sn_part *part, const uint8_t *which) {
    sn_status status = SN_OK;
    if (im->def.mass_range > 0) status = put_factor(im, part, SN_FIELD_MASS_SCALE, which);
    if (im->def.friction_range > 0 && !status) status = put_factor(im, part, SN_FIELD_FRICTION, which);
    if (im->def.gain_range > 0 && !status) status = put_gains(im, part, SN_FIELD_KP, which);
    if (im->def.gain_range > 0 && !status) status = put_gains(im, part, SN_FIELD_KD, which);
    if (im->def.strength_range > 0 && !status) status = put_gains(im, part, SN_FIELD_TORQUE_LIMIT, which);
    return status;
}

/* -------------------------------------------------------------------------------------------------- delay and noise */

/* World steps that pass before the drives hear of an action. */
static int delay_of(const struct sn__imitate *im, const sn_episode *e) {
    const double steps = im->def.action_delay * im->def.rate * im->def.substeps;
    const int most = (int)fmin(floor(steps + 1e-6), im->def.substeps - 1);
    return (int)fmin(floor((most + 1) * factors_of(im, e).delay), most);
}

sn_status sn__imitate_aim(const struct sn__imitate *im, sn_part *part, int substep, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    const bool delayed = im->def.action_delay > 0;
    if (!delayed && substep > 0) return SN_OK;
    for (int i = 0; i < part->copies && delayed; i++)
        room->which[i] = delay_of(im, &part->episode[i]) == substep;
    const sn_status status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_TARGET_Q,
                                          delayed ? room->which : NULL, room->target);
    return status ? sn__fail(error, status, "an action is not finite, or too large to be a pose") : SN_OK;
}

/* The height of the root, places and rotations of bodies, then their velocities: after the phase, where there is one. */
void sn__imitate_blur(const struct sn__imitate *im, const sn_episode *e, float *observation) {
    const int places = 1 + im->nbody * (im->def.features == SN_FEATURES_2021 ? 9 : 7), rates = im->nbody * 6;
    if (!(im->def.observation_noise > 0)) return;
    struct sn__random r =
        sn__random_at(e->seed, SN__STREAM_NOISE, e->item, (uint64_t)e->count << 32 | (uint32_t)e->steps);
    observation += im->stride ? 0 : 1;
    for (int i = 0; i < places + rates; i++)
        observation[i] += (float)((i < places ? 1 : 10) * im->def.observation_noise * sn__random_normal(&r));
}
