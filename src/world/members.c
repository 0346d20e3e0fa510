/* Members of a world: how they come and go. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/shape.h"
#include "dynamics/gains.h"
#include "model/hash.h"
#include "world/conduct.h"
#include "world/constraints.h"
#include "world/probes.h"
#include "model/joint.h"
#include "world/setting.h"
#include "world/steppers.h"

/* A handle has the number of its member in its low bits, and above them how many members have had this number before. A
   number that has had them all is not given again. */
enum { NUMBER_BITS = 20, NUMBERS = 1 << NUMBER_BITS };
_Static_assert(SN__GENERATIONS <= 1 << (31 - NUMBER_BITS), "a handle is not negative");

struct sn__member *sn__world_member(const sn_world *w, int handle) {
    const int number = handle & (NUMBERS - 1);
    if (handle < 0 || number >= w->nmember || !w->member[number]) return NULL;
    return w->member[number]->handle == handle ? w->member[number] : NULL;
}

int sn__world_handle(const sn_world *w, int number) {
    return number >= 0 && number < w->nmember && w->member[number] ? w->member[number]->handle : -1;
}

int sn__world_generation(const sn_world *w, int number) {
    return number < w->ngeneration ? w->generation[number] : 0;
}

bool sn__world_set_generation(sn_world *w, int number, int generation) {
    int *grown = sn__grow(w->generation, &w->generation_room, number + 1, sizeof *grown);
    if (!grown) return false;
    w->generation = grown;
    for (; w->ngeneration <= number; w->ngeneration++)
        w->generation[w->ngeneration] = 0;
    w->generation[number] = generation;
    if (number < w->nmember && w->member[number])
        w->member[number]->handle = generation << NUMBER_BITS | number;
    return true;
}

/* -------------------------------------------------------------------------------------------------- models */

int sn__world_know(sn_world *w, const sn_model *model) {
    for (int i = 0; i < w->nknown; i++)
        if (w->known[i].model == model) return i;
    struct sn__known *known = sn__grow(w->known, &w->known_room, w->nknown + 1, sizeof *known);
    double *inertia = sn__alloc((size_t)model->nv + 1, sizeof *inertia);
    if (known) w->known = known;
    if (!known || !inertia || sn__joint_inertia(model, NULL, inertia)) {
        sn__free(inertia);
        return -1;
    }
    known[w->nknown] = (struct sn__known){.model = model, .hash = sn__model_hash(model), .inertia = inertia};
    return w->nknown++;
}

/* -------------------------------------------------------------------------------------------------- solids */

void sn__solid_set_material(struct sn__solid *s, const sn_shape_def *shape) {
    const double *belt = shape->surface_velocity;
    s->friction = shape->friction, s->restitution = shape->trigger ? 0 : shape->restitution;
    s->group = shape->group, s->mask = shape->mask;
    s->trigger = shape->trigger;
    s->carries = !shape->trigger && (belt[0] != 0 || belt[1] != 0 || belt[2] != 0);
}

bool sn__solids_meet(const struct sn__solid *a, const struct sn__solid *b) {
    return ((a->group & b->mask) || (b->group & a->mask)) && !a->trigger && !b->trigger;
}

void sn__solid_count(sn_world *w, const struct sn__solid *s, int by) {
    w->bouncy += s->restitution > 0 ? by : 0;
    w->carriers += s->carries ? by : 0;
    w->triggers += s->trigger ? by : 0;
}

/* The first free run that is long enough, so that the same edits lead to the same places. */
int sn__solids_take(sn_world *w, int n) {
    int run = 0, first = -1;
    for (int i = w->first_free_solid; i < w->nsolid && w->free_solids >= n && n > 0; i++) {
        run = w->solid[i].member == SN__NOBODY ? run + 1 : 0;
        if (run && first < 0) first = i;
        if (run < n) continue;
        w->free_solids -= n;
        memset(&w->solid[i - n + 1], 0, sizeof *w->solid * (size_t)n);
        w->first_free_solid = first == i - n + 1 ? i + 1 : first;
        return i - n + 1;
    }
    struct sn__solid *solid = sn__grow(w->solid, &w->solid_room, w->nsolid + n, sizeof *solid);
    if (!solid) return n ? -1 : 0;
    w->solid = solid;
    memset(&solid[w->nsolid], 0, sizeof *solid * (size_t)n);
    w->nsolid += n;
    return w->nsolid - n;
}

void sn__solids_give_back(sn_world *w, int first, int n) {
    for (int i = first; i < first + n; i++) {
        sn__solid_count(w, &w->solid[i], -1);
        sn__world_forget_solid(w, i);
        w->solid[i] = (struct sn__solid){.member = SN__NOBODY};
    }
    w->free_solids += n;
    if (n > 0 && first < w->first_free_solid) w->first_free_solid = first;
    w->structure++;
    while (w->nsolid > 0 && w->solid[w->nsolid - 1].member == SN__NOBODY)
        w->nsolid--, w->free_solids--;
}

static int shapes_of(const sn_model *model) {
    int n = 0;
    struct sn__geom g;
    double pos[3], rot[4];
    for (int k = 0; k < model->nshape; k++)
        n += sn__geom_make(&model->shape[k], &g, pos, rot);
    return n;
}

static void fill_solids(sn_world *w, const struct sn__member *m) {
    struct sn__solid *s = &w->solid[m->first_solid];
    for (int b = 0; b < m->model->nbody; b++) {
        const sn_body_info *body = &m->model->body[b];
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++) {
            const sn_shape_def *shape = &m->model->shape[k];
            double pos[3], rot[4];
            if (!sn__geom_make(shape, &s->geom, pos, rot)) continue;
            s->reach = sn__geom_reach(&s->geom);
            s->member = m->number, s->body = b, s->shape = k;
            for (int i = 0; i < 3; i++)
                s->pos[i] = pos[i] - body->joint.anchor[i];
            dquat_to_matrix(rot, s->R);
            s->arm = dvec_length(s->pos) + s->reach;
            sn__solid_set_material(s, shape);
            sn__solid_count(w, s, 1);
            s++;
        }
    }
}

static double arm_of(const sn_world *w, const struct sn__member *m) {
    double arm = 0;
    if (m->model->nbody > 1 || !sn__joint_is_free(&m->model->body[0]) || !m->nsolid) return 1;
    for (int i = m->first_solid; i < m->first_solid + m->nsolid; i++)
        arm = fmax(arm, w->solid[i].arm);
    return fmin(arm, 1);
}

/* ------------------------------------------------------------------------------------------- coming, going */

/* How velocity products are taken, by the definition and its setting. */
static void take_products(const sn_world_def *d, struct sn__pack_def *how) {
    if (d->products != SN_PRODUCTS_MIDPOINT || (d->study && d->study->polarised)) return;
    const struct sn__setting *s = sn__setting_of(d);
    how->refinements = s->refinements;
    how->refine_to = s->refine_to;
    how->predict_to = s->predict_to;
    how->still = s->still;
}

/* The pack of a member, as the layout wants it. */
sn_status sn__member_make_pack(sn_world *w, struct sn__member *m, sn_error *error) {
    struct sn__pack *p = &m->pack;
    struct sn__pack_def def = {
        .precision = w->def.precision,
        .lanes = w->k->info.name,
        .gravity = {w->def.gravity[0], w->def.gravity[1], w->def.gravity[2]},
        .dt = w->def.dt,
        .form = w->def.form,
        .study = w->def.study,
        .report_torque = w->def.report_torque,
    };
    take_products(&w->def, &def);
    if (w->stepping->past) def.past = w->stepping->past(w);
    memset(p, 0, sizeof *p);
    p->freezes = true, p->spread = w->spread;
    if (w->spread && !sn__world_lend(w, m->model))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a member");
    const sn_status status =
        sn__pack_init(p, m->model, &def, w->def.copies, true, w->spread ? &w->worker[0].loan : NULL, error);
    if (status) return status;
    for (int f = SN__KP; f <= SN__K_PASSIVE && w->stepping->own_factors; f++)
        if (sn__pack_own(
                p, (enum sn__array)f)) { /* copies have substeps of their own, which the factors depend on */
            sn__pack_release(p);
            return sn__fail(error, SN_ERROR_MEMORY, "no memory for a member");
        }
    p->torque_limits = w->def.torque_limits || m->model->has_torque_limit;
    sn__member_mark_axes(w, m);
    if (w->spread) sn__pack_share_gains(p, &w->known[m->known].gains);
    return SN_OK;
}

void sn__member_release(sn_world *w, struct sn__member *m) {
    (void)w;
    if (!m) return;
    if (m->pack.k) {
        sn__probes_release(&m->pack);
        sn__pack_release(&m->pack);
    }
    for (int f = 0; m->view && f < SN_FIELD_COUNT; f++)
        sn__free(m->view[f].memory);
    sn__conduct_free(m->conduct);
    sn__free_all(m->view, m->user, m->phase, m->push_left, m->still, m->asleep, m->island, m->mean, m);
}

void sn__member_take_out(sn_world *w, struct sn__member *m) {
    sn__ties_drop(w, m->number);
    sn__hands_drop(w, m->number);
    sn__solids_give_back(w, m->first_solid, m->nsolid);
    w->shaped -= m->nsolid > 0;
    w->members--;
    w->member[m->number] = NULL;
    w->generation[m->number]++;
    if (m->number < w->first_hole) w->first_hole = m->number;
    while (w->nmember > 0 && !w->member[w->nmember - 1])
        w->nmember--;
    sn__member_release(w, m);
}

sn_status sn__member_insert(sn_world *w, const sn_model *model, int number, int first_solid,
                            sn_error *error) {
    struct sn__member **member = sn__grow(w->member, &w->member_room, number + 1, sizeof *member);
    struct sn__member *m = sn__alloc(1, sizeof *m);
    if (member) w->member = member;
    const bool counted = sn__world_set_generation(w, number, sn__world_generation(w, number));
    const int known = member && m && counted ? sn__world_know(w, model) : -1;
    const size_t copies = (size_t)w->def.copies;
    if (known >= 0) {
        *m = (struct sn__member){.number = number, .known = known, .model = model, .active = true};
        m->handle = w->generation[number] << NUMBER_BITS | number;
        m->phase = sn__alloc(copies, sizeof *m->phase);
        m->sleeps = w->def.sleep > 0;
        m->still = sn__alloc(m->sleeps ? copies : 1, sizeof *m->still);
        m->asleep = sn__alloc(m->sleeps ? copies : 1, sizeof *m->asleep);
        m->island = sn__alloc(m->sleeps ? copies : 1, sizeof *m->island);
        m->mean = sn__alloc(m->sleeps ? copies * (size_t)model->nv : 1, sizeof *m->mean);
        m->nsolid = shapes_of(model);
        m->first_solid = first_solid >= 0 ? first_solid : sn__solids_take(w, m->nsolid);
    }
    if (known < 0 || !m->phase || !m->still || !m->asleep || !m->island || !m->mean || m->first_solid < 0) {
        sn__member_release(w, m);
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a member");
    }
    for (; w->nmember <= number; w->nmember++)
        w->member[w->nmember] = NULL;
    w->member[number] = m;
    if (number == w->first_hole) w->first_hole++;
    w->shaped += m->nsolid > 0;
    w->members++;
    w->structure++;
    fill_solids(w, m);
    m->arm = arm_of(w, m);
    return SN_OK;
}

/* ----------------------------------------------------------------------------------------------- the user's */

int sn_world_add(sn_world *w, const sn_model *model, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!w || !model) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the world or the model is NULL");
        return -1;
    }
    int number = w->first_hole < w->nmember ? w->first_hole : w->nmember;
    while (number < w->nmember ? w->member[number] != NULL || w->generation[number] >= SN__GENERATIONS
                               : sn__world_generation(w, number) >= SN__GENERATIONS)
        number++;
    if (number >= NUMBERS) {
        sn__fail(error, SN_ERROR_TOO_LARGE, "A world has at most %d members. Use several worlds.", NUMBERS);
        return -1;
    }
    w->first_hole = number;
    sn__world_touch(w);
    if (sn__member_insert(w, model, number, -1, error)) return -1;
    if (!sn__world_settle_member(w, number, error) && !sn__ties_of_model(w, number, error))
        return w->member[number]->handle;
    const sn_error why = *error;
    sn__member_take_out(w, w->member[number]);
    sn__world_settle(w, error); /* as it was before */
    *error = why;
    return -1;
}

sn_status sn_world_remove(sn_world *w, int member) {
    struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    sn__world_touch(w);
    sn__world_wake_all(w);
    sn__member_take_out(w, m);
    return sn__world_settle(w, NULL);
}

int sn_world_member(const sn_world *w, int index) {
    return sn__world_handle(w, index);
}

const sn_model *sn_world_model(const sn_world *w, int member) {
    const struct sn__member *m = sn__world_member(w, member);
    return m ? m->model : NULL;
}

sn_status sn_world_set_active(sn_world *w, int member, bool active) {
    struct sn__member *m = sn__world_want(w, member);
    if (!m) return SN_ERROR_ARGUMENT;
    if (m->active != active) sn__world_wake_all(w);
    m->active = active;
    sn__world_touch(w);
    return SN_OK;
}
