/* What steps change of a world, in as few bytes as they take: for rollback.
 *
 *     head       magic, structure, size
 *     world      time, dt, the last step's stats; ground that moves or was moved
 *     members    flags, values of every copy, what their points and limits remember, sleep, reactions
 *     copies     contacts, constraints
 *     checksum   of all words before it
 *
 * Values are those of this machine. A snapshot (snapshot.c) can be read anywhere and brings structure, gains and parameters with
 * it; here they must be what they were, as a hash of the structure tells. Numbers that are zero as a rule take a bit each. One
 * function per part writes, checks and takes over, as in snapshots. */
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "collide/mesh.h"
#include "model/hull.h"
#include "world/device.h"
#include "world/conduct.h"
#include "world/rollback.h"
#include "world/shuttle.h"
#include "world/triggers.h"

#define MAGIC UINT64_C(0x31455441545357e5) /* "SWSTATE1", and a byte that no text has */
enum { HEAD = 3 * WORD };

/* ---------------------------------------------------------------------------------------- values in lanes */

/* The place of a copy in a pack: its block, and the lanes that hold it. */
struct seat {
    int block, first, last;
};

static struct seat seat_of(const sn_world *w, int copy) {
    const int width = w->k->info.width;
    if (w->spread) return (struct seat){copy, 0, width - 1};
    return (struct seat){copy / width, copy % width, copy == w->def.copies - 1 ? width - 1 : copy % width};
}

/* A copy that shares its block is one lane; one that has it for itself is all of them, and the first stands for all. */
#define CARRY_LANES(type)                                                                                    \
    do {                                                                                                     \
        type *x = (type *)lanes + at.first, *value = (type *)(void *)there;                                  \
        if (s->task == SN__WRITE)                                                                            \
            for (size_t i = 0; i < n; i++)                                                                   \
                value[i] = x[i * width];                                                                     \
        else                                                                                                 \
            for (size_t i = 0; i < n; i++)                                                                   \
                for (size_t k = 0; k < held; k++)                                                            \
                    x[i * width + k] = value[i];                                                             \
    } while (0)

/* n values of one copy. The bytes may have any alignment. */
static void carry_values(struct sn__shuttle *s, const sn_world *w, struct seat at, void *lanes, size_t n) {
    typedef double __attribute__((__aligned__(1), __may_alias__)) any_double;
    typedef float __attribute__((__aligned__(1), __may_alias__)) any_float;
    const size_t width = (size_t)w->k->info.width, held = (size_t)(at.last - at.first + 1);
    unsigned char *there = step_over(s, n * w->k->elem_size);
    if (!there) return;
    if (w->def.precision == SN_PRECISION_DOUBLE)
        CARRY_LANES(any_double);
    else
        CARRY_LANES(any_float);
}

static void put_zeros(const sn_world *w, struct seat at, void *lanes, size_t n) {
    const size_t e = w->k->elem_size, width = (size_t)w->k->info.width;
    for (size_t i = 0; i < n; i++)
        memset((char *)lanes + (i * width + (size_t)at.first) * e, 0, (size_t)(at.last - at.first + 1) * e);
}

/* An array of all copies. One that was not used when the state was saved is zero again. */
static void carry_array(struct sn__shuttle *s, const sn_world *w, const struct sn__member *m,
                        enum sn__array array, bool used) {
    const struct sn__pack *p = &m->pack;
    const size_t n = sn__pack_field_size(p, array);
    for (int copy = 0; copy < w->def.copies && !s->wrong; copy++) {
        const struct seat at = seat_of(w, copy);
        void *lanes = sn__pack_at(p, array, at.block);
        if (used)
            carry_values(s, w, at, lanes, n);
        else if (s->task == SN__TAKE && lanes)
            put_zeros(w, at, lanes, n);
    }
}

/* What points and sides of limits remember: as a rule most have nothing to. */
static void carry_memory(struct sn__shuttle *s, const sn_world *w, const struct sn__pack *p, size_t points,
                         size_t sides, int copy) {
    const struct seat at = seat_of(w, copy);
    const size_t all = points + sides, value = w->k->elem_size * (size_t)w->k->info.width;
    uint8_t *live = p->live + all * (size_t)at.block;
    char *touch = sn__pack_at(p, SN__TOUCH, at.block), *stop = sn__pack_at(p, SN__STOP, at.block);
    for (size_t first = 0; first < all; first += 64) {
        const size_t n = all - first < 64 ? all - first : 64;
        uint64_t bits = 0;
        for (size_t i = 0; i < n && s->task == SN__WRITE; i++)
            bits |= (uint64_t)(live[first + i] != 0) << i;
        carry_number(s, &bits);
        for (size_t i = first; i < first + n && !s->wrong; i++) {
            const bool kept = bits >> (i - first) & 1, point = i < points;
            const size_t count = point ? 6 : 1;
            if (s->task == SN__CHECK) {
                if (kept) step_over(s, count * w->k->elem_size);
                continue;
            }
            void *lanes = point ? touch + 6 * i * value : stop + (i - points) * value;
            if (kept)
                carry_values(s, w, at, lanes, count);
            else if (s->task == SN__TAKE && live[i])
                put_zeros(w, at, lanes, count);
            if (s->task == SN__TAKE && kept) live[i] = 1;
        }
    }
}

/* -------------------------------------------------------------------------------------------------- members */

enum { TARGET_QD = 1, FEEDFORWARD = 2, PUSH = 4, ACTIVE = 8, CONDUCTS = 16, TIMED = 32 };

/* Whether some push ends by itself. */
static bool is_timed(const struct sn__member *m) {
    for (int i = 0; m->push_left && i < m->model->nbody; i++)
        if (m->push_left[i] > 0) return true;
    return false;
}

static uint64_t flags_of(const struct sn__member *m) {
    const struct sn__pack *p = &m->pack;
    return (uint64_t)(p->has_target_qd * TARGET_QD | p->has_feedforward * FEEDFORWARD | p->has_push * PUSH |
                      m->active * ACTIVE | is_timed(m) * TIMED | (m->conduct ? CONDUCTS : 0));
}

static void carry_sleep(struct sn__shuttle *s, const sn_world *w, struct sn__member *m) {
    const size_t copies = (size_t)w->def.copies;
    carry(s, m->phase, copies * sizeof *m->phase);
    if (!m->sleeps) return;
    carry(s, m->still, copies * sizeof *m->still);
    carry(s, m->asleep, copies * sizeof *m->asleep);
    carry(s, m->island, copies * sizeof *m->island);
    carry(s, m->mean, copies * (size_t)m->model->nv * sizeof *m->mean);
    for (size_t i = 0; i < copies && s->task == SN__TAKE; i++) /* whatever is written there */
        if (m->island[i] < 0 || m->island[i] >= w->nmember) m->island[i] = m->number;
}

static void carry_conduct(struct sn__shuttle *s, const sn_world *w, struct sn__member *m) {
    struct sn__conduct *c = m->conduct;
    const size_t copies = (size_t)w->def.copies, nv = (size_t)m->model->nv, nbody = (size_t)m->model->nbody;
    carry(s, &c->reacts, sizeof c->reacts);
    carry(s, &c->assisted, sizeof c->assisted);
    carry(s, &c->animates, sizeof c->animates);
    carry(s, &c->def, sizeof c->def);
    carry(s, c->budget, sizeof c->budget);
    carry(s, c->kp, copies * nv * sizeof *c->kp);
    carry(s, c->kd, copies * nv * sizeof *c->kd);
    carry(s, c->limb, copies * nbody * sizeof *c->limb);
    carry(s, c->aid, copies * sizeof *c->aid);
    carry(s, c->impacts, copies * sizeof *c->impacts);
}

/* Limbs had no modes and nobody reacted when the state was saved: the drives have all their gains again. */
static void end_conduct(const sn_world *w, struct sn__member *m) {
    const struct sn__conduct *c = m->conduct;
    for (int copy = 0; copy < w->def.copies; copy++)
        for (int v = 0; v < m->model->nv; v++) {
            const size_t at = (size_t)copy * (size_t)m->model->nv + (size_t)v;
            sn__pack_put_drive(&m->pack, copy, v, c->kp[at], c->kd[at], 0);
        }
    sn__conduct_free(m->conduct);
    m->conduct = NULL;
}

static void take_flags(const sn_world *w, struct sn__member *m, uint64_t flags) {
    struct sn__pack *p = &m->pack;
    m->active = flags & ACTIVE;
    p->has_target_qd = flags & TARGET_QD, p->has_feedforward = flags & FEEDFORWARD;
    p->has_push = flags & PUSH;
    if (m->conduct && !(flags & CONDUCTS)) end_conduct(w, m);
}

static void check_flags(struct sn__shuttle *s, const struct sn__member *m, uint64_t flags) {
    const struct sn__pack *p = &m->pack;
    if ((flags & CONDUCTS) && !m->conduct)
        s->wrong = "a member reacted or had limbs with modes, and has not now";
    if ((flags & TARGET_QD && !p->field[SN__TARGET_QD]) ||
        (flags & FEEDFORWARD && !p->field[SN__FEEDFORWARD]) || (flags & PUSH && !p->stride[SN__PUSH]) ||
        (flags & TIMED && !m->push_left))
        s->wrong = "a member had values that it has no memory for now";
}

static void carry_member(struct sn__shuttle *s, const sn_world *w, struct sn__member *m) {
    const struct sn__pack *p = &m->pack;
    uint64_t flags = flags_of(m), points = p->touch_size / 6, sides = p->stop_size;
    carry_number(s, &flags);
    carry_number(s, &points);
    carry_number(s, &sides);
    if (s->task == SN__CHECK) check_flags(s, m, flags);
    if (s->task == SN__CHECK && (points > 1 << 24 || sides > 1 << 24)) s->wrong = "a number is out of range";
    if (s->task == SN__TAKE && (points != p->touch_size / 6 || sides != p->stop_size))
        s->wrong = "it remembers other points or limits than there are";
    if (s->wrong) return;
    static const enum sn__array always[] = {SN__Q,      SN__QD,     SN__QDD,  SN__TARGET_Q, SN__FROZEN,
                                            SN__TORQUE, SN__MIDDLE, SN__PAST, SN__STEADY};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (p->field[always[i]]) carry_array(s, w, m, always[i], true);
    carry_array(s, w, m, SN__TARGET_QD, flags & TARGET_QD);
    carry_array(s, w, m, SN__FEEDFORWARD, flags & FEEDFORWARD);
    carry_array(s, w, m, SN__PUSH, flags & PUSH);
    for (int copy = 0; copy < w->def.copies && !s->wrong; copy++)
        carry_memory(s, w, p, points, sides, copy);
    if (s->task == SN__TAKE) sn__member_forget_pushes(m);
    if (flags & TIMED) carry(s, m->push_left, (size_t)m->model->nbody * sizeof *m->push_left);
    carry_sleep(s, w, m);
    if (flags & CONDUCTS) carry_conduct(s, w, m);
    if (s->task == SN__TAKE) take_flags(w, m, flags);
    for (int k = 0; k < w->def.copies && s->task == SN__TAKE && p->stride[SN__K]; k++)
        sn__pack_update_character(&m->pack, k);
}

/* --------------------------------------------------------------------------------------------------- ground */

/* What a step changes of ground. */
struct stand {
    double base[3], rot[4], linear[3], angular[3], pos[3], R[3][3];
};

static void bring(double *to, const double *from, size_t bytes) {
    memcpy(to, from, bytes);
}

static struct stand stand_of(const struct sn__solid *g) {
    struct stand x;
    bring(x.base, g->base, sizeof x.base), bring(x.rot, g->rot, sizeof x.rot);
    bring(x.linear, g->linear, sizeof x.linear), bring(x.angular, g->angular, sizeof x.angular);
    bring(x.pos, g->geom.pos, sizeof x.pos), bring(x.R[0], g->geom.R[0], sizeof x.R);
    return x;
}

static void put_ground(sn_world *w, struct sn__solid *g, const struct stand *x) {
    const bool moved = g->moves;
    bring(g->base, x->base, sizeof x->base), bring(g->rot, x->rot, sizeof x->rot);
    bring(g->linear, x->linear, sizeof x->linear), bring(g->angular, x->angular, sizeof x->angular);
    bring(g->geom.pos, x->pos, sizeof x->pos), bring(g->geom.R[0], x->R[0], sizeof x->R);
    g->moves = sn__solid_moves(g);
    w->moving += g->moves - moved;
    if (g->moves != moved) w->surfaces_stale = true;
}

static struct sn__home *home_of(const sn_world *w, int ground) {
    for (int i = 0; i < w->nhome; i++)
        if (w->home[i].ground == ground) return &w->home[i];
    return NULL;
}

bool sn__world_keep_home(sn_world *w, int ground) {
    if (home_of(w, ground)) return true;
    struct sn__home *home = sn__grow(w->home, &w->home_room, w->nhome + 1, sizeof *home);
    if (!home) return false;
    w->home = home;
    home[w->nhome++] = (struct sn__home){ground, w->solid[w->ground[ground]]};
    return true;
}

void sn__world_forget_home(sn_world *w, int ground) {
    struct sn__home *home = home_of(w, ground);
    if (home) *home = w->home[--w->nhome];
}

/* Ground that is not where it was added, or on its way. What was moved since goes back to where it was first. */
static void carry_grounds(struct sn__shuttle *s, sn_world *w) {
    uint64_t count = 0, number = 0;
    for (int g = 0; g < w->nground && s->task == SN__WRITE; g++)
        count += w->ground[g] >= 0 && (w->solid[w->ground[g]].moves || home_of(w, g));
    carry_number(s, &count);
    for (int i = 0; i < w->nhome && s->task == SN__TAKE; i++) {
        const struct stand first = stand_of(&w->home[i].solid);
        put_ground(w, &w->solid[w->ground[w->home[i].ground]], &first);
    }
    for (int g = 0; s->task == SN__WRITE && g < w->nground; g++) {
        if (w->ground[g] < 0 || !(w->solid[w->ground[g]].moves || home_of(w, g))) continue;
        struct stand now = stand_of(&w->solid[w->ground[g]]);
        number = (uint64_t)g;
        carry_number(s, &number);
        carry(s, &now, sizeof now);
    }
    for (uint64_t i = 0; s->task != SN__WRITE && i < count && !s->wrong; i++) {
        struct stand then;
        carry_number(s, &number);
        carry(s, &then, sizeof then);
        const bool there = number < (uint64_t)w->nground && w->ground[number] >= 0;
        if (!there) s->wrong = "it names ground that does not exist";
        if (there && s->task == SN__TAKE && !s->wrong) put_ground(w, &w->solid[w->ground[number]], &then);
    }
}

/* ------------------------------------------------------------------------------------------------- the world */

static uint64_t mix(uint64_t hash, const void *x, size_t bytes) {
    return sn__hash(x, bytes, hash);
}

static uint64_t hash_ground(const sn_world *w, int number, uint64_t hash) {
    const int at = w->ground[number];
    hash = mix(hash, &at, sizeof at);
    if (at < 0) return hash;
    const struct sn__solid *g = &w->solid[at];
    const uint64_t form = g->geom.field  ? g->geom.field->hash
                          : g->geom.hull ? g->geom.hull->hash
                          : g->geom.mesh ? g->geom.mesh->hash
                                         : (uint64_t)g->geom.type;
    hash = mix(mix(hash, &form, sizeof form), g->geom.size, sizeof g->geom.size);
    hash = mix(mix(hash, g->pos, sizeof g->pos), g->R, sizeof g->R);
    const double material[] = {g->friction, g->restitution, g->group, g->mask};
    return mix(hash, material, sizeof material);
}

/* What a state has no meaning without. Every change of it settles the world. */
static uint64_t structure_of(sn_world *w) {
    if (w->state_of == w->settled) return w->state_hash;
    uint64_t hash = sn__definition_hash("sn_world_def", &w->def, 1);
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        const uint64_t part[3] = {m ? w->known[m->known].hash : 0, m ? (uint64_t)m->first_solid : 0,
                                  m ? (uint64_t)m->handle : 0};
        hash = mix(hash, part, sizeof part);
    }
    for (int g = 0; g < w->nground; g++)
        hash = hash_ground(w, g, hash);
    for (int i = 0; i < w->ntie; i++) {
        const struct sn__tie *t = &w->tie[i];
        const uint64_t part[] = {t->used, t->used ? t->generation : 0, t->used ? (uint64_t)t->def.type : 0};
        hash = mix(hash, part, sizeof part);
    }
    w->state_of = w->settled;
    return w->state_hash = hash;
}

static void carry_world(struct sn__shuttle *s, sn_world *w) {
    double dt = w->def.dt, time = w->time;
    carry(s, &time, sizeof time);
    carry(s, &dt, sizeof dt);
    carry(s, &w->stats, sizeof w->stats);
    carry_grounds(s, w);
    if (s->task == SN__TAKE && !s->wrong) {
        w->time = time;
        if (dt != w->def.dt) sn_world_set_dt(w, dt);
        if (w->surfaces_stale ? sn__world_settle(w, NULL) : w->nhome && sn__surfaces_make(w))
            s->wrong = "there is no memory for ground that moves";
    }
    for (int i = 0; i < w->nmember && !s->wrong; i++)
        if (w->member[i]) carry_member(s, w, w->member[i]);
    for (int i = 0; i < w->def.copies && !s->wrong; i++)
        sn__carry_copy(s, w, &w->copy[i]);
}

/* Four sums side by side, so that they need not wait for each other. An odd factor loses no bit. */
static uint64_t sum_of(const unsigned char *bytes, size_t size) {
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t a = 1, b = 2, c = 3, d = 4, word[4];
    size_t i = 0;
    for (; i + sizeof word <= size; i += sizeof word) {
        memcpy(word, bytes + i, sizeof word);
        a = (a ^ word[0]) * factor, b = (b ^ word[1]) * factor;
        c = (c ^ word[2]) * factor, d = (d ^ word[3]) * factor;
    }
    for (; i + WORD <= size; i += WORD) {
        memcpy(word, bytes + i, WORD);
        a = (a ^ word[0]) * factor;
    }
    return ((a * 31 + b) * 31 + c) * 31 + d + size;
}

size_t sn_world_save_state(const sn_world *world, void *bytes, size_t room) {
    sn_world *w = (sn_world *)world; /* writing only reads it */
    sn__world_fetch(w);
    struct sn__shuttle s = {.task = SN__WRITE, .to = bytes, .size = HEAD, .room = bytes ? room : 0};
    carry_world(&s, w);
    if (!bytes || s.size + WORD > room) return s.size + WORD;
    const uint64_t head[3] = {MAGIC, structure_of(w), s.size + WORD};
    memcpy(bytes, head, sizeof head);
    const uint64_t sum = sum_of(bytes, s.size);
    memcpy((unsigned char *)bytes + s.size, &sum, WORD);
    return s.size + WORD;
}

static sn_status check(sn_world *w, const unsigned char *bytes, size_t size, struct sn__shuttle *s,
                       sn_error *error) {
    uint64_t head[3] = {0}, sum;
    if (size >= HEAD + WORD) memcpy(head, bytes, sizeof head);
    if (head[0] != MAGIC)
        return sn__fail(error, SN_ERROR_FORMAT, "These bytes are not the state of a world.");
    if (head[2] > size || head[2] < HEAD + WORD || head[2] % WORD)
        return sn__fail(error, SN_ERROR_FORMAT, "The state has %llu bytes, of which %zu are there.",
                        (unsigned long long)head[2], size);
    memcpy(&sum, bytes + head[2] - WORD, WORD);
    if (sum_of(bytes, (size_t)head[2] - WORD) != sum)
        return sn__fail(error, SN_ERROR_FORMAT, "The state is damaged.");
    if (head[1] != structure_of(w))
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "Members, ground or constraints of the world have changed since the state was saved, or "
            "it is the state of a different world. Use sn_world_snapshot and sn_world_restore.");
    *s = (struct sn__shuttle){.task = SN__CHECK, .from = bytes, .size = HEAD, .room = (size_t)head[2] - WORD};
    carry_world(s, w);
    if (!s->wrong && s->size != s->room) s->wrong = "its size does not fit what it holds";
    if (s->wrong) return sn__fail(error, SN_ERROR_FORMAT, "The state does not fit the world: %s.", s->wrong);
    return SN_OK;
}

sn_status sn_world_load_state(sn_world *w, const void *bytes, size_t size, sn_error *error) {
    struct sn__shuttle s;
    sn__succeed(error);
    if (!w || !bytes) return sn__fail(error, SN_ERROR_ARGUMENT, "The world or the state is NULL.");
    sn__world_fetch(w);
    const sn_status status = check(w, bytes, size, &s, error);
    if (status) return status;
    if (!sn__world_grow_contacts(w, s.contacts))
        return sn__fail(error, SN_ERROR_MEMORY, "There is no memory for %d contacts.", s.contacts);
    s.task = SN__TAKE, s.size = HEAD;
    carry_world(&s, w);
    sn__world_touch(w);
    sn__triggers_forget(w);
    w->structure++; /* places of those who sleep are to be found again */
    if (!s.wrong) return SN_OK;
    return sn__fail(error, SN_ERROR_FORMAT, "The state does not fit the world: %s.", s.wrong);
}
