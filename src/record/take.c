/* A frame: the poses of all members in the recorded copies, of what is shown by hand, and the contacts that push.
 *
 * A character has frames without gaps from its first one on. A member that is gone, or whose number another model has
 * now, ends its characters; the new one gets characters of its own. */
#include "record/record.h"

#include "base/memory.h"
#include "sinew/dynamics.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CONTACTS = 32767 }; /* in a frame: their count is a 16-bit number */

/* Memory for the values that are read from the world; NULL: out of memory. */
static double *need_values(sn_recorder *r, int count) {
    double *grown = sn__grow(r->values, &r->value_room, count, sizeof *r->values);
    if (grown) r->values = grown;
    return grown;
}

/* ---------------------------------------------------------------------------------------- who is in the frame */

/* Index of the model, which is written down when it is new; -1: out of memory. */
static int find_model(sn_recorder *r, const sn_model *model) {
    for (int i = 0; i < r->nmodel; i++)
        if (r->model[i].model == model) return i;
    struct sn__record_model *grown = sn__grow(r->model, &r->model_room, r->nmodel + 1, sizeof *r->model);
    if (!grown) return -1;
    r->model = grown;
    const char *name = r->nmodel == 0 && r->def.name ? r->def.name : sn_model_body(model, 0)->name;
    struct sn__record_model m = {.model = model,
                                 .nbody = sn_model_get(model)->nbody,
                                 .nv = sn_model_get(model)->nv,
                                 .json = sn__record_model_json(model, name)};
    if (!m.json || !sn__figure_of(&m.figure, model)) {
        sn__free(m.json);
        sn__figure_free(&m.figure);
        return -1;
    }
    r->model[r->nmodel] = m;
    return r->nmodel++;
}

/* Index of a new character that begins in the coming frame; -1: out of memory. */
static int add_character(sn_recorder *r, const char *role, const sn_model *model, int member, int copy) {
    const int m = find_model(r, model);
    struct sn__record_character *grown =
        m < 0 ? NULL : sn__grow(r->character, &r->character_room, r->ncharacter + 1, sizeof *r->character);
    if (!grown) return -1;
    r->character = grown;
    struct sn__record_character *c = &r->character[r->ncharacter];
    *c = (struct sn__record_character){.model = m, .member = member, .copy = copy, .first = r->frames};
    snprintf(c->role, sizeof c->role, "%s", role);
    return r->ncharacter++;
}

static bool open_member(sn_recorder *r, int member, const sn_model *model) {
    r->member[member] = (struct sn__record_member){model, sn_world_member(r->world, member), r->ncharacter};
    for (int i = 0; i < r->def.count; i++)
        if (add_character(r, "simulated", model, member, r->def.first + i) < 0) return false;
    return true;
}

/* Characters begin and end as members came and went since the last frame. */
static bool meet_members(sn_recorder *r) {
    const int count = r->world ? sn_world_get_info(r->world).members : 0;
    struct sn__record_member *grown = sn__grow(r->member, &r->member_room, count, sizeof *r->member);
    if (count > 0 && !grown) return false;
    r->member = grown;
    for (; r->nmember < count; r->nmember++)
        r->member[r->nmember] = (struct sn__record_member){0};
    for (int i = 0; i < r->nmember; i++) {
        const sn_member handle = i < count ? sn_world_member(r->world, i) : -1;
        const sn_model *model = handle >= 0 ? sn_world_model(r->world, handle) : NULL;
        if (model == r->member[i].model && (!model || handle == r->member[i].handle)) continue;
        r->member[i].model = NULL;
        if (model && !open_member(r, i, model)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ their poses */

/* pose [nbody][7] */
static bool add_pose(struct sn__record_character *c, int nbody, const double *pose) {
    if (!sn__channel_add(&c->root, pose, 3)) return false;
    for (int i = 0; i < nbody; i++) {
        const double *p = pose + 7 * i, from_root[3] = {p[0] - pose[0], p[1] - pose[1], p[2] - pose[2]};
        if (!sn__channel_add(&c->position, from_root, 3) || !sn__channel_add(&c->rotation, p + 3, 4))
            return false;
    }
    return true;
}

/* One question to the world for all copies. */
static sn_status take_member(sn_recorder *r, int member) {
    struct sn__record_character *c = r->character + r->member[member].character;
    const int nbody = r->model[c->model].nbody, nv = r->model[c->model].nv;
    const int first = r->def.first, count = r->def.count;
    double *values = need_values(r, count * (7 * nbody > nv ? 7 * nbody : nv));
    if (!values) return SN_ERROR_MEMORY;
    sn_status status =
        sn_world_get(r->world, r->member[member].handle, SN_FIELD_BODY_POSE, first, count, values);
    if (status != SN_OK) return status;
    for (int i = 0; i < count; i++)
        if (!add_pose(&c[i], nbody, values + 7 * nbody * i)) return SN_ERROR_MEMORY;
    if (!r->def.torques || nv == 0) return SN_OK;
    status = sn_world_get(r->world, r->member[member].handle, SN_FIELD_TORQUE, first, count, values);
    if (status != SN_OK) return status;
    for (int i = 0; i < count; i++)
        if (!sn__channel_add(&c[i].torque, values + nv * i, nv)) return SN_ERROR_MEMORY;
    return SN_OK;
}

static sn_status take_shown(sn_recorder *r, struct sn__record_shown *s) {
    const int nbody = sn_model_get(s->model)->nbody, nv = sn_model_get(s->model)->nv;
    if (s->character < 0) s->character = add_character(r, s->role, s->model, -1, -1);
    double *pose = s->character < 0 ? NULL : need_values(r, 7 * nbody);
    if (!pose) return SN_ERROR_MEMORY;
    struct sn__record_character *c = &r->character[s->character];
    const sn_status status = sn_dynamics_bodies(s->dynamics, s->q, NULL, pose, NULL, NULL);
    if (status != SN_OK) return status;
    if (!add_pose(c, nbody, pose)) return SN_ERROR_MEMORY;
    if (s->has_torque && !sn__channel_add(&c->torque, s->torque, nv)) return SN_ERROR_MEMORY;
    return SN_OK;
}

/* -------------------------------------------------------------------------------------------------- contacts */

/* A side of a contact: the character's number, or -1 for ground. */
static double side_of(const sn_recorder *r, sn_member member, int copy) {
    for (int i = 0; member >= 0 && i < r->nmember; i++)
        if (r->member[i].model && r->member[i].handle == member)
            return r->member[i].character + copy - r->def.first;
    return -1;
}

static bool add_contact(sn_recorder *r, int copy, const sn_contact *contact) {
    const double who[4] = {side_of(r, contact->member[0], copy), contact->body[0],
                           side_of(r, contact->member[1], copy), contact->body[1]};
    return sn__channel_add(&r->contact_who, who, 4) && sn__channel_add(&r->contact_point, contact->pos, 3) &&
           sn__channel_add(&r->contact_force, contact->force, 3);
}

/* Those that push. */
static bool take_contacts(sn_recorder *r) {
    double pushing = 0;
    for (int copy = r->def.first; copy < r->def.first + r->def.count; copy++) {
        int count = 0;
        const sn_contact *contact = sn_world_contacts(r->world, copy, &count);
        for (int i = 0; i < count && pushing < MOST_CONTACTS; i++) {
            const double *f = contact[i].force;
            if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
            if (!add_contact(r, copy, &contact[i])) return false;
            pushing++;
        }
    }
    return sn__channel_add(&r->contact_count, &pushing, 1);
}

/* ------------------------------------------------------------------------------------------------- the frame */

static sn_status take_frame(sn_recorder *r, double time) {
    sn_status status = SN_OK;
    if (!meet_members(r) || !sn__channel_add(&r->time, &time, 1)) return SN_ERROR_MEMORY;
    for (int i = 0; i < r->nmember && status == SN_OK; i++)
        if (r->member[i].model) status = take_member(r, i);
    for (int i = 0; i < r->nshown && status == SN_OK; i++)
        status = take_shown(r, &r->shown[i]);
    for (int i = 0; i < r->nnumber && status == SN_OK; i++)
        if (!sn__channel_add(&r->number[i].channel, &r->number[i].value, 1)) status = SN_ERROR_MEMORY;
    if (status == SN_OK && r->def.contacts && !take_contacts(r)) status = SN_ERROR_MEMORY;
    return status;
}

/* Everyone in the frame has one more. */
static void count_frame(sn_recorder *r) {
    for (int i = 0; i < r->nmember; i++)
        for (int k = 0; r->member[i].model && k < r->def.count; k++)
            r->character[r->member[i].character + k].frames++;
    for (int i = 0; i < r->nshown; i++)
        r->character[r->shown[i].character].frames++;
    r->frames++;
}

sn_status sn_recorder_take(sn_recorder *r, double time) {
    if (!r || !(time - time == 0)) return SN_ERROR_ARGUMENT;
    if (r->failed != SN_OK) return r->failed;
    if (r->frames == 0) r->start = time;
    if ((time - r->start) * r->def.rate < r->frames - 1e-9) return SN_OK;
    r->failed = take_frame(r, time);
    if (r->failed == SN_OK) count_frame(r); /* else what the frame had so far is not written */
    return r->failed;
}
