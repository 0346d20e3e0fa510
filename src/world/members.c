/* Characters of a world, and the arrays each one needs. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "dynamics/gains.h"
#include "world/world.h"

void sn__member_release(struct sn__member *m) {
    sn_character_free(m->character);
    sn__free(m->limit);
    sn__free(m->lanes);
    sn__free(m->place);
    sn__free(m->backup);
    sn__free(m->row);
    sn__free(m->implicit_lanes);
    sn__free(m->implicit_body);
    sn__free(m->limit_lanes);
    sn__free(m->limit_body);
    sn__free(m->limit_side);
    sn__free(m->implicit_contact);
}

static bool add_shapes(sn_world *w, struct sn__member *m, const sn_model *model, int number) {
    m->first_solid = w->nsolid;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++) {
            struct sn__geom g;
            double rot[4];
            if (!sn__geom_make(&model->shape[k], &g, rot)) continue;
            struct sn__solid *s = sn__world_add_solid(w);
            if (!s) return false;
            s->geom = g;
            s->reach = sn__geom_reach(&g);
            s->member = number, s->body = b, s->shape = k;
            for (int i = 0; i < 3; i++)
                s->pos[i] = model->shape[k].pos[i] - body->joint.anchor[i];
            dquat_to_matrix(rot, s->R);
            s->arm = dvec_length(s->pos) + s->reach;
            sn__solid_set_material(s, &model->shape[k]);
        }
    }
    m->nsolid = w->nsolid - m->first_solid;
    return true;
}

/* The arrays of a member: those in lanes, and those of its one character. */
static bool allocate_member(struct sn__member *m, const sn_model *model) {
    const struct sn__pack *p = &m->character->pack;
    const size_t nbody = (size_t)model->nbody, nv = (size_t)model->nv, nq = (size_t)model->nq;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    const size_t count[] = {nbody * 6, nv, nv, nv, nv};
    void **array[] = {&m->push_lanes, &m->free_qd, &m->moved_qd, &m->change, &m->zero};
    size_t size = 0;
    for (int pass = 0; pass < 2; pass++) {
        size = 0;
        for (int i = 0; i < 5; i++) {
            if (m->lanes) *array[i] = (char *)m->lanes + size;
            size += (count[i] * value + 63) & ~(size_t)63;
        }
        if (!pass && !(m->lanes = sn__alloc_aligned(size + 64))) return false;
    }
    m->place = sn__alloc(nbody * (SN__PLACE + 12) + 3 * nv, sizeof(double));
    m->backup = sn__alloc((nq + nv) * value + 1, 2);
    m->start = m->backup ? (char *)m->backup + (nq + nv) * value : NULL;
    m->limit = sn__alloc(nbody, sizeof *m->limit);
    if (!m->place || !m->backup || !m->limit) return false;
    m->rate = m->place + nbody * SN__PLACE;
    m->wrench = m->rate + nbody * 6;
    m->tau = m->wrench + nbody * 6;
    m->qd = m->tau + nv;
    m->inertia = m->qd + nv;
    if (sn__joint_inertia(model, NULL, m->inertia)) return false;
    for (int i = 0; i < model->nbody; i++) {
        const sn_joint_def *j = &model->body[i].joint;
        if (!j->limited || j->type == SN_JOINT_FREE || j->type == SN_JOINT_WELD) continue;
        m->limit[m->nlimit++] = (struct sn__limited){
            i, cos(j->upper[1]), sin(fmax(-M_PI, j->lower[0]) / 2), sin(fmin(M_PI, j->upper[0]) / 2), 0, 0};
    }
    return true;
}

int sn_world_add(sn_world *w, const sn_model *model, const sn_member_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    const sn_member_def plain = sn_member_def_default();
    if (!def) def = &plain;
    struct sn__member *member = sn__grow(w->member, &w->member_room, w->nmember + 1, sizeof *member);
    if (!member) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
        return -1;
    }
    w->member = member;
    struct sn__member *m = &member[w->nmember];
    memset(m, 0, sizeof *m);
    m->def = *def;
    m->active = true;
    sn_character_def c = sn_character_def_default();
    c.precision = w->def.precision;
    memcpy(c.gravity, w->def.gravity, sizeof c.gravity);
    c.dt = w->def.dt;
    c.form = def->form;
    c.report_torque = def->report_torque;
    /* rows are answered a lane each: wider lanes serve more at a time */
    if (w->def.contact != SN_CONTACT_IMPLICIT)
        c.lanes = sn__kernels_up_to(w->def.precision, w->def.precision == SN_DOUBLE ? 4 : 8);
    m->character = sn_character_create(model, &c, error);
    if (!m->character) return -1;
    m->character->member = true;
    const int solids = w->nsolid;
    w->nmember++;
    if (allocate_member(m, model) && add_shapes(w, m, model, w->nmember - 1) && sn__world_reserve(w))
        return w->nmember - 1;
    w->nmember--;
    w->nsolid = solids;
    sn__member_release(m);
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
    return -1;
}

int sn_world_count(const sn_world *w) {
    return w->nmember;
}

sn_character *sn_world_character(sn_world *w, int character) {
    return character >= 0 && character < w->nmember ? w->member[character].character : NULL;
}

sn_status sn_world_set_active(sn_world *w, int character, bool active) {
    if (character < 0 || character >= w->nmember) return SN_ERROR_ARGUMENT;
    w->member[character].active = active;
    return SN_OK;
}
