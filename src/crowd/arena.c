/* Contact by rows: so many characters in a row stand in a world of their own, where they meet each other, themselves if
 * they shall, and a copy of the ground. Threads share out the worlds. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "crowd/crowd.h"
#include "world/world.h"

struct sn__arenas {
    int size, count; /* characters in each but the last; worlds */
    int characters;
    sn_world **world;
    uint8_t *frozen; /* [characters] */
};

/* As of crowds in lanes: kernels/integrate.h. */
static const double MOST_SPEED = 1e5;

static sn_world *world_of(const struct sn__arenas *a, int character) {
    return a->world[character / a->size];
}

static struct sn__member *member_of(const struct sn__arenas *a, int character) {
    return &world_of(a, character)->member[character % a->size];
}

struct sn__pack *sn__arenas_pack(const struct sn__arenas *a, int character) {
    return &member_of(a, character)->character->pack;
}

bool sn__arenas_frozen(const struct sn__arenas *a, int character) {
    return a->frozen[character] != 0;
}

/* ---------------------------------------------------------------------------------------------------- making */

/* Contacts there is room for: a shape that lies on the ground, or on another, has four at most times. */
static int room_for_contacts(const sn_crowd *c) {
    const int least = 64, most = sn_world_def_default().max_contacts;
    const double wanted = 6.0 * c->model->nshape * c->def.arena;
    return wanted < least ? least : wanted > most ? most : (int)wanted;
}

static sn_world_def world_def(const sn_crowd *c) {
    const sn_crowd_def *d = &c->def;
    sn_world_def w = sn_world_def_default();
    w.precision = d->character.precision;
    memcpy(w.gravity, d->character.gravity, sizeof w.gravity);
    w.dt = d->character.dt;
    w.contact = SN_CONTACT_ROWS;
    w.friction = d->friction;
    w.joint_limits = d->joint_limits;
    w.recovery = d->recovery;
    w.margin = d->margin;
    w.compliance = d->compliance;
    w.sweeps = d->sweeps;
    w.sweep_tolerance = d->sweep_tolerance;
    w.max_contacts = room_for_contacts(c);
    return w;
}

/* A world of n characters, and the ground. */
static sn_world *make_world(const sn_crowd *c, int n, const struct sn__floor *floor, sn_error *error) {
    const sn_world_def def = world_def(c);
    sn_member_def member = sn_member_def_default();
    member.form = c->def.character.form;
    member.report_torque = c->def.character.report_torque;
    member.self_collision = c->def.self_collision;
    sn_world *w = sn_world_create(&def, error);
    bool good = w != NULL;
    for (int i = 0; i < n && good; i++) {
        good = sn_world_add(w, c->model, &member, error) == i;
        if (good) w->member[i].character->pack.torque_limits = c->def.torque_limits;
    }
    if (good && floor)
        good =
            (floor->field ? sn_world_add_heightfield(w, floor->field, floor->material, error)
                          : sn_world_add_plane(w, floor->point, floor->normal, floor->material, error)) >= 0;
    if (good) return w;
    sn_world_free(w);
    return NULL;
}

static struct sn__arenas *make_arenas(const sn_crowd *c, const struct sn__floor *floor, sn_error *error) {
    struct sn__arenas *a = sn__alloc(1, sizeof *a);
    if (a) {
        a->characters = c->def.count;
        a->size = c->def.arena;
        a->count = (c->def.count - 1) / c->def.arena + 1;
        a->world = sn__alloc((size_t)a->count, sizeof *a->world);
        a->frozen = sn__alloc((size_t)a->characters, sizeof *a->frozen);
    }
    if (!a || !a->world || !a->frozen) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for %d characters", c->def.count);
        sn__arenas_free(a);
        return NULL;
    }
    for (int i = 0; i < a->count; i++) {
        const int left = a->characters - i * a->size;
        a->world[i] = make_world(c, left < a->size ? left : a->size, floor, error);
        if (a->world[i]) continue;
        sn__arenas_free(a);
        return NULL;
    }
    return a;
}

void sn__arenas_free(struct sn__arenas *a) {
    if (!a) return;
    for (int i = 0; i < a->count && a->world; i++)
        sn_world_free(a->world[i]);
    sn__free(a->world);
    sn__free(a->frozen);
    sn__free(a);
}

/* What a world does with its characters is not to be chosen. */
sn_status sn__arenas_create(sn_crowd *c, sn_error *error) {
    const sn_character_def *d = &c->def.character;
    if ((unsigned)d->solver > SN_SOLVER_PCG || (unsigned)d->route > SN_ROUTE_TORQUE_EQ6 ||
        (unsigned)d->integrator > SN_RK4 || (unsigned)d->form > SN_FORM_FULL)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (d->solver != SN_SOLVER_MABA || d->route != SN_ROUTE_DIRECT || d->integrator != SN_SEMI_IMPLICIT_EULER)
        return sn__fail(
            error, SN_ERROR_UNSUPPORTED,
            "contact by rows goes with the MABA solver, the direct route and semi-implicit Euler");
    c->arenas = make_arenas(c, NULL, error);
    return c->arenas ? SN_OK : error->status;
}

/* ---------------------------------------------------------------------------------------------------- ground */

/* Everything one character has, to another of the same kind. */
static void copy_character(struct sn__pack *to, const struct sn__pack *from) {
    sn__pack_set_gains(to, from->kp, from->kd);
    for (enum sn__array f = 0; f < SN__SCRATCH; f++)
        if (to->field[f] && from->field[f])
            memcpy(to->field[f], from->field[f], sn__pack_bytes(to, (int)sn__pack_field_size(to, f)));
    to->has_target_qd = from->has_target_qd;
    to->has_feedforward = from->has_feedforward;
    to->has_push = from->has_push;
}

/* A world's ground is there for good: other ground, other worlds, with the same characters. Nothing has changed when it
   fails. */
sn_status sn__arenas_set_floor(sn_crowd *c, const struct sn__floor *floor, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    struct sn__arenas *fresh = make_arenas(c, floor, error);
    if (!fresh) return error->status;
    for (int i = 0; i < c->def.count; i++) {
        copy_character(sn__arenas_pack(fresh, i), sn__arenas_pack(c->arenas, i));
        fresh->frozen[i] = c->arenas->frozen[i];
        member_of(fresh, i)->active = !fresh->frozen[i];
    }
    sn__arenas_free(c->arenas);
    c->arenas = fresh;
    return SN_OK;
}

/* -------------------------------------------------------------------------------------------------- stepping */

static void freeze(struct sn__arenas *a, int world, int member) {
    struct sn__pack *p = &a->world[world]->member[member].character->pack;
    sn_world_set_active(a->world[world], member, false);
    a->frozen[world * a->size + member] = 1;
    memset(p->field[SN__QDD], 0, sn__pack_bytes(p, p->model->nv));
}

/* The fastest of those who are faster than anything can be, -1: none. */
static int too_fast(const sn_world *w, double *row) {
    int fastest = -1;
    double most = MOST_SPEED;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__pack *p = &w->member[i].character->pack;
        if (!w->member[i].active) continue;
        sn__pack_get(p, SN__QD, 0, p->model->nv, row);
        for (int v = 0; v < p->model->nv; v++)
            if (fabs(row[v]) > most) most = fabs(row[v]), fastest = i;
    }
    return fastest;
}

/* Steps the world. Whoever diverges is frozen where it was, and the step is made again without it, so that nobody it
   touches gets anything of it. */
static sn_status step_world(struct sn__arenas *a, int world, double *row) {
    sn_world *w = a->world[world];
    for (int left = w->nmember; left >= 0; left--) {
        const int before = too_fast(w, row);
        if (before >= 0) {
            freeze(a, world, before);
            continue;
        }
        const sn_status status = sn_world_step(w);
        int bad = w->stats.bad_character;
        if (status && status != SN_ERROR_NOT_FINITE) return status;
        if (!status) {
            bad = too_fast(w, row);
            if (bad < 0) return SN_OK;
            sn__world_go_back(w);
            sn__world_take_contacts_back(w);
            w->time -= w->def.dt;
        }
        for (int i = 0; i < w->nmember; i++)
            if (bad == i || bad < 0) freeze(a, world, i);
    }
    return SN_OK;
}

struct stepping {
    sn_crowd *c;
    atomic_int status;
};

static void step_arena(void *user, int thread, int world) {
    struct stepping *s = user;
    sn_crowd *c = s->c;
    struct sn__arenas *a = c->arenas;
    const int first = world * a->size, members = a->world[world]->nmember;
    for (int k = 0; k < c->def.substeps; k++) {
        for (int i = first; i < first + members && c->motion; i++)
            if (!a->frozen[i]) sn__crowd_follow(c, sn__arenas_pack(a, i), 0, i, 1);
        const sn_status status = step_world(a, world, c->row + (size_t)thread * c->largest);
        if (status) atomic_store(&s->status, (int)status);
    }
}

sn_status sn__arenas_step(sn_crowd *c) {
    struct stepping s = {c, SN_OK};
    for (int i = 0; i < c->def.count && c->motion; i++)
        sn__arenas_pack(c->arenas, i)->has_target_qd = true;
    sn__pool_run(c->pool, step_arena, &s, c->arenas->count);
    return (sn_status)atomic_load(&s.status);
}

/* Takes out the contacts of one member; the others stay in order. */
static void forget_contacts(sn_world *w, int member) {
    int n = 0;
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *x = &w->contact[i];
        if (w->solid[x->solid[0]].member == member || w->solid[x->solid[1]].member == member) continue;
        if (n != i) w->contact[n] = *x;
        n++;
    }
    w->ncontact = n;
}

void sn__arenas_restart(sn_crowd *c, int character) {
    struct sn__arenas *a = c->arenas;
    struct sn__member *m = member_of(a, character);
    forget_contacts(world_of(a, character), character % a->size);
    for (int k = 0; k < m->nlimit; k++)
        m->limit[k].pushing = 0;
    a->frozen[character] = 0;
    sn_world_set_active(world_of(a, character), character % a->size, true);
}

/* ---------------------------------------------------------------------------------------------------- asking */

/* Ground never stands first in a contact. */
void sn__arenas_contact_force(const sn_crowd *c, int character, double *force) {
    const struct sn__arenas *a = c->arenas;
    const sn_world *w = world_of(a, character);
    memset(force, 0, 3 * sizeof *force * (size_t)c->model->nbody);
    if (a->frozen[character]) return;
    for (int i = 0; i < w->ncontact; i++) {
        const struct sn__contact *x = &w->contact[i];
        const struct sn__solid *s = &w->solid[x->solid[0]];
        if (s->member != character % a->size || w->solid[x->solid[1]].member >= 0) continue;
        for (int k = 0; k < 3; k++)
            force[3 * s->body + k] += x->force[k];
    }
}

/* The large parts of a world; the rest is small beside them. */
static size_t world_memory(const sn_world *w) {
    const size_t contacts = (size_t)w->def.max_contacts, rows = (size_t)w->row_room;
    const bool single = w->def.precision == SN_FLOAT;
    size_t bytes = sizeof *w + contacts * (2 * sizeof *w->contact + sizeof *w->report);
    bytes += rows * (sizeof *w->row + sizeof *w->more + 2 * sizeof *w->f);
    bytes += w->pool_size * (sizeof *w->pool + (single ? sizeof *w->pool_float : 0));
    bytes += sn__problem_room_bytes(&w->problem_room);
    bytes += (size_t)w->solid_room * sizeof *w->solid + (size_t)w->pair_room * sizeof *w->pair;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__pack *p = &w->member[i].character->pack;
        bytes += sizeof *w->member + sn__pack_memory(p, false);
        bytes += (size_t)w->member[i].row_room * sizeof *w->member[i].row;
    }
    return bytes;
}

size_t sn__arenas_memory(const struct sn__arenas *a) {
    size_t bytes = sizeof *a + (size_t)a->count * sizeof *a->world + (size_t)a->characters;
    for (int i = 0; i < a->count; i++)
        bytes += world_memory(a->world[i]);
    return bytes;
}
