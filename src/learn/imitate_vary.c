/* Characters that differ: each episode has masses, friction and gains of its own. */
#include "learn/imitate.h"
#include "learn/random.h"

struct factors {
    double mass, friction, gain;
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

static sn_status put_gains(const struct sn__imitate *im, sn_part *part, sn_field field,
                           const uint8_t *which) {
    const struct sn__imitate_room *room = part->own;
    const double *gain = im->gains + (field == SN_FIELD_KP ? 0 : im->nv);
    for (int i = 0; i < part->copies; i++) {
        const struct factors f = factors_of(im, &part->episode[i]);
        for (int k = 0; k < im->nv; k++)
            room->values[i * im->nv + k] = (float)(f.gain * gain[k]);
    }
    return sn_world_put(part->world, SN__CHARACTER, field, which, room->values);
}

sn_status sn__imitate_vary(const struct sn__imitate *im, sn_part *part, const uint8_t *which) {
    sn_status status = SN_OK;
    if (im->def.mass_range > 0) status = put_factor(im, part, SN_FIELD_MASS_SCALE, which);
    if (im->def.friction_range > 0 && !status) status = put_factor(im, part, SN_FIELD_FRICTION, which);
    if (im->def.gain_range > 0 && !status) status = put_gains(im, part, SN_FIELD_KP, which);
    if (im->def.gain_range > 0 && !status) status = put_gains(im, part, SN_FIELD_KD, which);
    return status;
}
