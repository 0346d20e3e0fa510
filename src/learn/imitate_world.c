/* The worlds of an imitation: one per part, with the character, the ground and, where one is thrown, a ball. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate_parts.h"

/* ----------------------------------------------------------------------------------------------------- worlds */

/* Only then the field TOUCHING could mean something else than ground. */
static bool touched_by_others(const struct sn__imitate *im) {
    return im->ball || im->def.self_contact;
}

static sn_status lift_limits(const struct sn__imitate *im, struct sn__imitate_part *p) {
    const size_t count = (size_t)im->def.copies * (size_t)im->nv;
    float *none = sn__alloc(count, sizeof *none);
    for (size_t i = 0; none && i < count; i++)
        none[i] = HUGE_VALF;
    const sn_status status =
        none ? sn_world_put(p->world, p->member, SN_FIELD_TORQUE_LIMIT, NULL, none) : SN_ERROR_MEMORY;
    sn__free(none);
    return status;
}

static sn_status add_ground(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = im->def.friction;
    if (im->terrain.height) return sn__terrain_add(im, p->world, &ground, error);
    const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    return sn_world_add_plane(p->world, point, up, &ground, error) < 0 ? SN_ERROR_MEMORY : SN_OK;
}

static sn_status fill_world(struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    p->member = sn_world_add(p->world, im->def.model, error);
    if (p->member < 0) return error ? error->status : SN_ERROR_MODEL;
    if (!(im->def.drag[1] > 0) && add_ground(im, p, error)) return SN_ERROR_MEMORY;
    p->ball = im->ball ? sn_world_add(p->world, im->ball, error) : -1;
    if (im->ball && p->ball < 0) return SN_ERROR_MEMORY;
    if (!im->def.torque_limits && lift_limits(im, p))
        return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    const sn_status status = sn_world_set_gains(p->world, p->member, im->gains, im->gains + im->nv);
    if (status) return sn__fail(error, status, "the gains cannot be set");
    return SN_OK;
}

sn_status sn__imitate_make_part(struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    const size_t copies = (size_t)im->def.copies;
    sn_world_def def = sn_world_def_default();
    def.setting = im->def.setting;
    def.copies = im->def.copies;
    def.precision = SN_FLOAT;
    def.dt = 1.0 / (im->def.rate * im->def.substeps);
    def.study = im->def.study;
    def.self_contact = im->def.self_contact;
    def.report_contacts = touched_by_others(im);
    if (im->def.drag[1] > 0) {
        def.contact = SN_CONTACT_NONE;
        memset(def.gravity, 0, sizeof def.gravity);
    }
    p->world = sn_world_create(&def, error);
    if (!p->world) return SN_ERROR_MEMORY;
    p->episode = sn__alloc(copies, sizeof *p->episode);
    p->target = sn__alloc(copies * (size_t)im->nq, sizeof(float));
    p->state_q = sn__alloc(copies * (size_t)im->nq, sizeof(float));
    p->state_qd = sn__alloc(copies * (size_t)im->nv, sizeof(float));
    p->fallen = sn__alloc(copies, sizeof *p->fallen);
    p->push = sn__alloc(im->def.push > 0 || im->def.drag[1] > 0 ? copies * (size_t)im->nbody * 6 : 1,
                        sizeof(float));
    p->command = sn__alloc(copies, sizeof *p->command);
    p->which = sn__alloc(copies, sizeof *p->which);
    p->values = sn__alloc(copies * (size_t)(im->nv > 16 ? im->nv : 16), sizeof(float));
    if (!p->episode || !p->target || !p->state_q || !p->state_qd || !p->fallen || !p->push || !p->command ||
        !p->which || !p->values || !sn__swim_make(im, p))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d copies", im->def.copies);
    for (int i = 0; i < im->def.copies; i++)
        p->episode[i] = (struct sn__episode){.seed = im->def.seed,
                                             .item = (uint32_t)((int)(p - im->part) * im->def.copies + i)};
    return fill_world(im, p, error);
}

void sn__imitate_free_part(struct sn__imitate_part *p) {
    sn_world_free(p->world);
    sn__free_all(p->episode, p->target, p->state_q, p->state_qd, p->fallen, p->push, p->command, p->which,
                 p->values, p->swim);
}

/* ---------------------------------------------------------------------------------------------------- stepped */

/* Whether the ground, rather than a ball or another body, pushed a body that is no foot. */
static sn_status ask_ground(const struct sn__imitate *im, const struct sn__imitate_part *p, int copy,
                            bool *fallen) {
    int count;
    const sn_contact *c = sn_world_contacts(p->world, copy, &count);
    if (!c) return SN_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        const int own = c[i].member[0] == p->member ? 0 : 1, other = 1 - own;
        if (c[i].member[own] != p->member || c[i].member[other] >= 0) continue;
        if (c[i].phase != SN_CONTACT_BEGAN && c[i].phase != SN_CONTACT_STAYED) continue;
        if (!im->body[c[i].body[own]].foot) *fallen = true;
    }
    return SN_OK;
}

static sn_status look_for_falls(const struct sn__imitate *im, struct sn__imitate_part *p) {
    const float *touching = sn_world_view(p->world, p->member, SN_FIELD_TOUCHING);
    sn_status status = touching ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; i < im->def.copies && !status; i++) {
        bool touched = false;
        for (int b = 0; b < im->nbody; b++)
            if (touching[i * im->nbody + b] > 0 && !im->body[b].foot) touched = true;
        if (!touched || p->fallen[i]) continue;
        if (touched_by_others(im))
            status = ask_ground(im, p, i, &p->fallen[i]);
        else
            p->fallen[i] = true;
    }
    return status;
}

/* The substeps of a control step. A copy falls when the ground touches a body other than a foot in any of them, or when it
   diverges. */
sn_status sn__imitate_run(struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    memset(p->fallen, 0, (size_t)im->def.copies * sizeof *p->fallen);
    for (int s = 0; s < im->def.substeps; s++) {
        sn_status status = im->def.drag[1] > 0 ? sn__swim(im, p, error) : SN_OK;
        if (status) return status;
        status = sn_world_step(p->world);
        if (status && status != SN_ERROR_NOT_FINITE) return sn__fail(error, status, "a step failed");
        if (look_for_falls(im, p)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    }
    const float *diverged = sn_world_view(p->world, p->member, SN_FIELD_DIVERGED);
    if (!diverged) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < im->def.copies; i++)
        if (diverged[i] > 0) p->fallen[i] = true;
    return SN_OK;
}
