/* The state of a world as one block of bytes, and back.
 *
 *     head       magic, version, precision, size of the block, definition, members, ground
 *     structure  members, ground, constraints: structure.c
 *     state      the world's own; members; every copy: its members, contacts, constraints
 *     zeros      up to the size of the largest state that the structure can have
 *     checksum   of all bytes before it */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/device.h"
#include "world/conduct.h"
#include "world/copy.h"
#include "world/fields.h"
#include "world/probes.h"
#include "world/snapshot.h"
#include "world/steppers.h"
#include "world/triggers.h"

enum { VERSION = 10, NUMBER = 8, HEAD = 7 * NUMBER };
#define MAGIC UINT64_C(0x50414e5357454e53) /* "SNEWSNAP" */

/* ------------------------------------------------------------------------------------------------ the world */

/* What of the definition a state has no meaning without: all but the options that the header marks "not hashed". */
static uint64_t definition_of(const sn_world *w) {
    return sn__definition_hash("sn_world_def", &w->def, (uint64_t)sn__study_number(w->def.study) + 1);
}

static void pass_stats(struct sn__stream *s, sn_world_stats *t) {
    int *count[] = {&t->contacts,   &t->rows,    &t->iterations, &t->sweeps,    &t->substeps,
                    &t->impacts,    &t->dropped, &t->asleep,     &t->diverged,  &t->bad_copy,
                    &t->bad_member, &t->bad_dof, &t->unsettled,  &t->fallbacks, &t->rounds};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        sn__pass_int(s, count[i], -1, 1 << 30);
    sn__pass_doubles(s, &t->residual, 1);
    sn__pass_doubles(s, &t->apart, 1);
    sn__pass_doubles(s, &t->sweep_residual, 1);
}

static void pass_own(struct sn__stream *s, sn_world *w) {
    double time = w->time, dt = w->def.dt;
    sn_world_stats stats = w->stats;
    s->part = "world", s->number = 0;
    sn__pass_doubles(s, &time, 1);
    sn__pass_doubles(s, &dt, 1);
    pass_stats(s, &stats);
    if (s->task == SN__CHECK && isnan(time)) sn__stream_refuse(s, "the time is not a number");
    if (s->task == SN__CHECK && !(dt >= 1e-9 && dt <= 1e3)) sn__stream_refuse(s, "dt is out of range");
    if (s->task != SN__TAKE) return;
    w->time = time, w->stats = stats;
    sn_world_set_dt(w, dt);
}

/* ------------------------------------------------------------------------------------------------- members */

enum demand { ANYTHING, FINITE, POSE, NOT_NEGATIVE, POSITIVE, LIMITS };

/* Values of one copy, by way of the world's room for them. */
struct view {
    sn_world *w;
    const sn_model *model;
    struct sn__pack *pack; /* NULL while counting or checking what is not there */
    int copy;
};

static void check_values(struct sn__stream *s, const struct view *v, int n, const double *x,
                         enum demand demand) {
    const double most = v->w->def.precision == SN_PRECISION_DOUBLE ? DBL_MAX : (double)FLT_MAX;
    for (int i = 0; i < n && demand != ANYTHING; i++) {
        const bool endless = demand == LIMITS && x[i] == (double)INFINITY;
        if (!(fabs(x[i]) <= most) && !endless) sn__stream_refuse(s, "a value is not finite");
        if (demand >= NOT_NEGATIVE && x[i] < 0) sn__stream_refuse(s, "a value is negative");
        if (demand == POSITIVE && x[i] == 0) sn__stream_refuse(s, "a value is zero");
    }
    for (int i = 0; i < v->model->nbody && demand == POSE; i++) {
        const sn_body_info *b = &v->model->body[i];
        const int at = sn__quaternion_of(b);
        if (at >= 0 && !sn__is_unit(x + b->q_index + at))
            sn__stream_refuse(s, "a quaternion is not of unit length");
    }
}

/* One array of a copy. */
static void pass_array(struct sn__stream *s, const struct view *v, enum sn__array array, int n,
                       enum demand demand) {
    double one, *x = s->task == SN__COUNT ? &one : v->w->snapshot_values;
    for (int i = 0; i < n && !s->refused && s->task == SN__CHECK && demand == FINITE; i++) {
        sn__pass_doubles(s, &one, 1); /* one by one: nobody knows yet whether there is room for so many */
        check_values(s, v, 1, &one, FINITE);
    }
    if (s->refused || (s->task == SN__CHECK && demand == FINITE)) return;
    const bool there = v->pack && v->pack->field[array];
    if (s->task == SN__WRITE && there) sn__pack_get(v->pack, array, v->copy, n, x);
    if (s->task == SN__WRITE && !there) memset(x, 0, sizeof *x * (size_t)n);
    sn__pass_doubles(s, x, n);
    if (s->refused) return;
    if (s->task == SN__CHECK) check_values(s, v, n, x, demand);
    if (s->task == SN__TAKE && there) sn__pack_put(v->pack, array, v->copy, n, x);
}

/* Arrays that only some worlds have for each copy. */
static const struct {
    enum sn__array array;
    enum demand demand;
} OWN[] = {{SN__PUSH, FINITE},    {SN__KP, NOT_NEGATIVE},       {SN__KD, NOT_NEGATIVE},
           {SN__LIMIT, LIMITS},   {SN__ARMATURE, NOT_NEGATIVE}, {SN__MASS, POSITIVE},
           {SN__GRAVITY, FINITE}, {SN__DT, POSITIVE},           {SN__FRICTION, NOT_NEGATIVE}};
enum { OWNS = sizeof OWN / sizeof *OWN };

/* What a member has once for all its copies. */
struct shared {
    bool target_qd, feedforward, push, timed, own[OWNS];
    int touches, stops;
    bool conducts;
    struct sn__conduct conduct; /* what of it all copies share */
};

static int own_size(const sn_model *m, enum sn__array array) {
    return array == SN__PUSH                                               ? 6 * m->nbody
           : array == SN__GRAVITY                                          ? 3
           : array == SN__MASS || array == SN__DT || array == SN__FRICTION ? 1
                                                                           : m->nv;
}

static struct shared shared_of(const struct sn__member *m) {
    const struct sn__pack *p = &m->pack;
    struct shared h = {.target_qd = p->has_target_qd,
                       .feedforward = p->has_feedforward,
                       .push = p->has_push,
                       .touches = (int)p->touch_size,
                       .stops = (int)p->stop_size};
    for (int i = 0; i < OWNS; i++)
        h.own[i] = p->stride[OWN[i].array] != 0;
    for (int i = 0; m->push_left && i < m->model->nbody; i++)
        h.timed |= m->push_left[i] > 0;
    return h;
}

/* When pushes end by themselves, behind the gains. */
static void pass_timers(struct sn__stream *s, const struct view *v, const struct sn__member *m,
                        struct shared *h) {
    double one, *x = s->task == SN__COUNT ? &one : v->w->snapshot_values + 2 * (size_t)v->model->nv;
    sn__pass_bool(s, &h->timed);
    if (s->task == SN__COUNT) h->timed = true; /* the most there can be */
    if (!h->timed || s->refused) return;
    if (s->task == SN__WRITE) memcpy(x, m->push_left, sizeof *x * (size_t)v->model->nbody);
    sn__pass_doubles(s, x, v->model->nbody);
    for (int i = 0; i < v->model->nbody && s->task == SN__CHECK && !s->refused; i++)
        if (!(x[i] >= 0)) sn__stream_refuse(s, "a push ends at no time");
}

static void pass_shared(struct sn__stream *s, const struct view *v, struct sn__member *m, struct shared *h) {
    sn__pass_bool(s, &h->target_qd);
    sn__pass_bool(s, &h->feedforward);
    sn__pass_bool(s, &h->push);
    for (int i = 0; i < OWNS; i++)
        sn__pass_bool(s, &h->own[i]);
    sn__pass_int(s, &h->touches, 0, 1 << 24);
    sn__pass_int(s, &h->stops, 0, 1 << 24);
    sn__conduct_pass_shared(s, m, &h->conducts, &h->conduct);
    if (s->refused) return;
    for (int k = 0; k < 2; k++) {
        double one,
            *x = s->task == SN__COUNT ? &one : v->w->snapshot_values + (size_t)k * (size_t)v->model->nv;
        if (s->task == SN__WRITE) memcpy(x, k ? v->pack->kd : v->pack->kp, sizeof *x * (size_t)v->model->nv);
        sn__pass_doubles(s, x, v->model->nv);
        if (s->refused) return;
        if (s->task == SN__CHECK) check_values(s, v, v->model->nv, x, NOT_NEGATIVE);
    }
    pass_timers(s, v, m, h);
    if (s->task == SN__CHECK && h->push && !h->own[0]) sn__stream_refuse(s, "it is pushed by nothing");
}

/* Whether the factors of qd and qdd are each copy's own. */
static bool owns_factors(const sn_world *w, const struct shared *h) {
    bool own = w->stepping->own_factors;
    for (int i = 0; i < OWNS; i++)
        if (OWN[i].array == SN__KP || OWN[i].array == SN__KD || OWN[i].array == SN__ARMATURE ||
            OWN[i].array == SN__DT)
            own |= h->own[i];
    return own;
}

/* Gives the pack arrays of its own where the snapshot has them, and shared ones where it has not. */
static sn_status take_shared(sn_world *w, struct sn__member *m, const struct shared *h) {
    struct sn__pack *p = &m->pack;
    const int nv = m->model->nv;
    sn_status status = SN_OK;
    for (int i = 0; i < OWNS && !status; i++)
        status = h->own[i] ? sn__pack_own(p, OWN[i].array) : sn__pack_share(p, OWN[i].array);
    for (int f = SN__KW; f <= SN__K_PASSIVE && !status; f++)
        status =
            owns_factors(w, h) ? sn__pack_own(p, (enum sn__array)f) : sn__pack_share(p, (enum sn__array)f);
    if (!status && h->target_qd) status = sn__pack_own(p, SN__TARGET_QD);
    if (!status && h->feedforward) status = sn__pack_own(p, SN__FEEDFORWARD);
    if (status) return status;
    if (!p->stride[SN__LIMIT]) sn__pack_put_shared(p, SN__LIMIT, nv, m->model->torque_limit);
    if (!p->stride[SN__ARMATURE]) sn__pack_put_shared(p, SN__ARMATURE, nv, m->model->armature);
    status = sn__pack_set_gains(p, w->snapshot_values, w->snapshot_values + nv);
    p->has_target_qd = h->target_qd, p->has_feedforward = h->feedforward, p->has_push = h->push;
    sn__member_mark_axes(w, m);
    sn__member_forget_pushes(m);
    if (h->timed && !m->push_left) m->push_left = sn__alloc((size_t)m->model->nbody, sizeof *m->push_left);
    if (h->timed && !m->push_left) return SN_ERROR_MEMORY;
    if (h->timed)
        memcpy(m->push_left, w->snapshot_values + 2 * nv, sizeof *m->push_left * (size_t)m->model->nbody);
    return status ? status : sn__conduct_take_shared(w, m, h->conducts, &h->conduct);
}

/* Accelerations and torques are those of the last step, which may have failed. The next step guesses by the accelerations, and
   checks what comes of it. */
static void pass_member(struct sn__stream *s, const struct view *v, struct sn__member *m,
                        const struct shared *h) {
    const int nq = v->model->nq, nv = v->model->nv;
    pass_array(s, v, SN__Q, nq, POSE);
    pass_array(s, v, SN__QD, nv, FINITE);
    pass_array(s, v, SN__QDD, nv, ANYTHING);
    pass_array(s, v, SN__TARGET_Q, nq, POSE);
    pass_array(s, v, SN__TARGET_QD, nv, FINITE);
    pass_array(s, v, SN__FEEDFORWARD, nv, FINITE);
    for (int f = SN__TORQUE; f <= SN__MIDDLE && v->w->def.report_torque; f++)
        pass_array(s, v, (enum sn__array)f, nv, ANYTHING);
    for (int i = 0; i < OWNS && !s->refused; i++)
        if (h->own[i]) pass_array(s, v, OWN[i].array, own_size(v->model, OWN[i].array), OWN[i].demand);
    const int past = v->w->stepping->past ? v->w->stepping->past(v->w) : 0;
    if (past) {
        pass_array(s, v, SN__PAST, past * nq, FINITE);
        pass_array(s, v, SN__STEADY, 1, NOT_NEGATIVE);
    }
    if (h->touches) pass_array(s, v, SN__TOUCH, h->touches, FINITE);
    if (h->stops) pass_array(s, v, SN__STOP, h->stops, FINITE);
    bool frozen = s->task == SN__WRITE && sn__member_frozen(m, v->copy);
    sn__pass_bool(s, &frozen);
    if (s->task == SN__TAKE) sn__pack_put_value(&m->pack, SN__FROZEN, v->copy, 0, frozen);
    sn__member_pass_sleep(s, v->w, m, v->model->nv, v->copy);
    if (h->conducts) sn__conduct_pass_copy(s, v->model, m, v->copy);
}

/* ------------------------------------------------------------------------------------------------- the block */

/* Everything between structure and checksum. Counting and writing look at the world, checking at the plan alone. */
static sn_status pass_state(struct sn__stream *s, sn_world *w, const struct sn__plan *p, int room) {
    sn_status status = SN_OK;
    pass_own(s, w);
    for (int i = 0; i < p->nmember && !s->refused; i++) {
        if (!p->member[i].used) continue;
        struct sn__member *m = s->task == SN__CHECK ? NULL : w->member[i];
        struct view v = {w, w->known[p->member[i].known].model, m ? &m->pack : NULL, 0};
        struct shared h = m ? shared_of(m) : (struct shared){0};
        if (s->task == SN__COUNT) memset(h.own, true, sizeof h.own); /* the worst */
        s->part = "member", s->number = i;
        pass_shared(s, &v, m, &h);
        const struct sn__pack *here = s->task == SN__CHECK && p->same ? &w->member[i]->pack : NULL;
        if (here && ((size_t)h.touches != here->touch_size || (size_t)h.stops != here->stop_size))
            sn__stream_refuse(s, "it remembers other points or limits than there are");
        if (s->task == SN__TAKE) status = status ? status : take_shared(w, m, &h);
        const bool fits =
            !m || ((size_t)h.touches == m->pack.touch_size && (size_t)h.stops == m->pack.stop_size);
        if (s->task == SN__TAKE && !fits) return SN_ERROR_FORMAT;
        for (v.copy = 0; v.copy < w->def.copies && !s->refused && !status; v.copy++)
            pass_member(s, &v, m, &h);
        for (int k = 0; k < w->def.copies && s->task == SN__TAKE && !status; k++)
            if (m->pack.stride[SN__K]) sn__pack_update_character(&m->pack, k);
        if (s->task == SN__TAKE) sn__probes_enliven(&m->pack);
    }
    for (int i = 0; i < w->def.copies && !s->refused && !status; i++)
        sn__copy_pass(s, w, p, room, i);
    return status;
}

/* Contacts that any block may hold. */
static int most_contacts(const sn_world *w) {
    return w->def.max_contacts ? w->def.max_contacts : 1 << 20;
}

void sn__world_pass_one(struct sn__stream *s, sn_world *w, const struct sn__plan *p, int copy) {
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = w->member[i];
        if (!m) continue;
        struct shared h = shared_of(m);
        h.conducts = m->conduct != NULL;
        const struct view v = {w, m->model, &m->pack, copy};
        pass_member(s, &v, m, &h);
        if (s->task == SN__TAKE && m->pack.stride[SN__K]) sn__pack_update_character(&m->pack, copy);
    }
    sn__copy_pass(s, w, p, most_contacts(w), copy);
}

sn_status sn__snapshot_make_room(sn_world *w) {
    size_t most = 64;
    for (int i = 0; i < w->nknown; i++) {
        const sn_model *m = w->known[i].model;
        const size_t n = 13 * (size_t)m->nbody + 4 * (size_t)m->nq + 64;
        if (n > most) most = n;
    }
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i] && w->member[i]->pack.touch_size + w->member[i]->pack.stop_size > most)
            most = w->member[i]->pack.touch_size + w->member[i]->pack.stop_size;
    if (most <= w->snapshot_room) return SN_OK;
    double *fresh = sn__alloc(most, sizeof *fresh);
    if (!fresh) return SN_ERROR_MEMORY;
    sn__free(w->snapshot_values);
    w->snapshot_values = fresh, w->snapshot_room = most;
    return SN_OK;
}

struct head {
    uint64_t magic, version, precision, size, definition, members, grounds, ties;
};

static void pass_head(struct sn__stream *s, struct head *h) {
    uint64_t *number[] = {&h->magic,      &h->version, &h->precision, &h->size,
                          &h->definition, &h->members, &h->grounds};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        sn__pass_u64(s, number[i]);
}

/* Contacts that each list of a block has room for: what the structure suggests, or what there are, rounded up. It follows
   from the state alone, so that the same state makes the same block. */
static int room_of(const sn_world *w) {
    int most = 0, room = 1;
    for (int i = 0; i < w->def.copies; i++) {
        if (w->copy[i].ncontact > most) most = w->copy[i].ncontact;
        if (w->copy[i].nlast > most) most = w->copy[i].nlast;
    }
    if (most <= w->contact_first) return w->contact_first;
    while (room < most)
        room *= 2;
    return room;
}

/* Writes a block of that size, or counts with bytes NULL; the size, 0: out of memory. */
static size_t write_block(const sn_world *world, unsigned char *bytes, size_t size) {
    sn_world *w = (sn_world *)world; /* writing only reads it */
    struct sn__plan plan;
    if (sn__snapshot_make_room(w) || !sn__plan_make(&plan, w->nmember, w->nground, w->ntie)) return 0;
    sn__plan_of(&plan, w);
    struct sn__stream s = {.task = bytes ? SN__WRITE : SN__COUNT, .to = bytes};
    struct head head = {
        MAGIC, VERSION, w->def.precision, size, definition_of(w), (uint64_t)w->nmember, (uint64_t)w->nground,
        0};
    uint64_t ties = (uint64_t)w->ntie;
    pass_head(&s, &head);
    sn__pass_u64(&s, &ties);
    sn__pass_plan(&s, w, &plan);
    pass_state(&s, w, &plan, room_of(w));
    sn__plan_free(&plan);
    if (!bytes) return s.size + NUMBER;
    memset(bytes + s.size, 0, size - NUMBER - s.size);
    s.size = size - NUMBER;
    uint64_t sum = sn__hash(bytes, s.size, 0);
    sn__pass_u64(&s, &sum);
    return s.size;
}

size_t sn_world_snapshot(const sn_world *w, void *bytes, size_t room) {
    if (w) sn__world_fetch(w);
    const size_t need = w ? write_block(w, NULL, 0) : 0;
    return need && bytes && room >= need ? write_block(w, bytes, need) : need;
}

/* Whether the block is whole, and of a world like this one. */
static sn_status check_head(const sn_world *w, const struct head *h, const unsigned char *bytes, size_t size,
                            sn_error *error) {
    if (h->magic != MAGIC) return sn__fail(error, SN_ERROR_FORMAT, "these bytes are not a snapshot");
    if (h->version != VERSION)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of version %llu; this library has version %d",
                        (unsigned long long)h->version, VERSION);
    if (h->size > size || h->size < HEAD + 2 * NUMBER)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of %llu bytes, of which %zu are there",
                        (unsigned long long)h->size, size);
    struct sn__stream s = {.task = SN__TAKE, .from = bytes + h->size - NUMBER, .room = NUMBER};
    uint64_t sum = 0;
    sn__pass_u64(&s, &sum);
    if (sn__hash(bytes, (size_t)h->size - NUMBER, 0) != sum)
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot is damaged");
    if (h->precision != (uint64_t)w->def.precision)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of a world of another precision");
    if (h->definition != definition_of(w))
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of a world with another definition");
    const uint64_t most = h->size / NUMBER;
    if (h->members > most || h->grounds > most || h->ties > most)
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot's size does not fit what it holds");
    return SN_OK;
}

/* Looks at everything and changes nothing. */
static sn_status check_block(sn_world *w, const unsigned char *bytes, const struct head *head,
                             struct sn__plan *plan, sn_error *error) {
    const size_t room = (size_t)head->size - NUMBER;
    struct sn__stream s = {
        .task = SN__CHECK, .from = bytes, .size = HEAD + NUMBER, .room = room, .error = error};
    sn__pass_plan(&s, w, plan);
    plan->state = s.size;
    plan->same = !s.refused && sn__plan_is_same(w, plan);
    if (!s.refused) pass_state(&s, w, plan, most_contacts(w));
    plan->contacts = s.contacts;
    if (s.refused) return error->status;
    if (s.size > room)
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot's size does not fit what it holds");
    return SN_OK;
}

static sn_status take_block(sn_world *w, const unsigned char *bytes, const struct head *head,
                            const struct sn__plan *plan, sn_error *error) {
    const size_t room = (size_t)head->size - NUMBER;
    sn_status status = sn__plan_carry_out(w, plan, error);
    if (status) return status;
    if (sn__snapshot_make_room(w) || !sn__world_grow_contacts(w, plan->contacts))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for what the snapshot holds");
    struct sn__stream s = {.task = SN__TAKE, .from = bytes, .size = plan->state, .room = room, .error = error};
    status = pass_state(&s, w, plan, most_contacts(w));
    sn__world_touch(w);
    sn__triggers_forget(w);
    w->structure++; /* places of those who sleep are to be found again */
    if (!status && !s.refused) return SN_OK;
    return sn__fail(error, status == SN_ERROR_MEMORY ? status : SN_ERROR_FORMAT,
                    "the snapshot does not fit its own structure");
}

sn_status sn_world_restore(sn_world *w, const void *bytes, size_t size, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!w || !bytes) return sn__fail(error, SN_ERROR_ARGUMENT, "the world or the snapshot is NULL");
    if (size < HEAD + 2 * NUMBER)
        return sn__fail(error, SN_ERROR_FORMAT, "%zu bytes are too few for a snapshot", size);
    struct sn__stream s = {.task = SN__TAKE, .from = bytes, .room = size, .error = error};
    struct head head = {0};
    pass_head(&s, &head);
    sn__pass_u64(&s, &head.ties);
    if (check_head(w, &head, bytes, size, error)) return error->status;
    struct sn__plan plan;
    if (sn__snapshot_make_room(w) ||
        !sn__plan_make(&plan, (int)head.members, (int)head.grounds, (int)head.ties))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a snapshot's structure");
    const size_t need = sn_world_snapshot(w, NULL, 0);
    void *backup = NULL; /* should the structure turn out not to fit the state */
    sn_status status = check_block(w, bytes, &head, &plan, error);
    if (!status && !plan.same && (!(backup = sn__alloc(need, 1)) || !sn_world_snapshot(w, backup, need)))
        status = sn__fail(error, SN_ERROR_MEMORY, "no memory to change the structure");
    if (!status) {
        status = take_block(w, bytes, &head, &plan, error);
        if (status && backup) sn_world_restore(w, backup, need, NULL);
    }
    sn__free(backup);
    sn__plan_free(&plan);
    return status;
}
