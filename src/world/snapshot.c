/* The state of a world as one block of bytes, and back.
 *
 *     head       magic, version, precision, size of the block, structure, contacts, constraints
 *     state      the world's own; characters; ground; contacts; constraints
 *     checksum   of all bytes before it
 *
 * Every number takes eight bytes, the lowest first; a float is exact in a double, so that neither the machine nor
 * the width of its lanes matters. The structure is a hash of what a snapshot does not hold and the state has no
 * meaning without: models and ground. One function a part counts, writes, checks and takes over, and so the layout
 * is written down once. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/model.h"
#include "world/world.h"

enum { VERSION = 1, NUMBER = 8, HEAD = 7 * NUMBER };
#define MAGIC UINT64_C(0x50414e5357454e53) /* "SNEWSNAP" */

enum task { COUNT, WRITE, CHECK, TAKE };

struct stream {
    enum task task;
    unsigned char *to;         /* WRITE */
    const unsigned char *from; /* CHECK, TAKE */
    size_t size;               /* bytes passed */
    const char *part;          /* what is being passed, for messages */
    int number;
    sn_error *error;
    bool refused;
};

/* The first thing that is wrong is told. */
static void refuse(struct stream *s, const char *why) {
    if (!s->refused) sn__fail(s->error, SN_ERROR_FORMAT, "snapshot, %s %d: %s", s->part, s->number, why);
    s->refused = true;
}

/* ------------------------------------------------------------------------------------------------ numbers */

static void put_u64(unsigned char *to, uint64_t x) {
    for (int i = 0; i < NUMBER; i++)
        to[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get_u64(const unsigned char *from) {
    uint64_t x = 0;
    for (int i = 0; i < NUMBER; i++)
        x |= (uint64_t)from[i] << (8 * i);
    return x;
}

static void pass_u64(struct stream *s, uint64_t *x) {
    if (s->task == WRITE) put_u64(s->to + s->size, *x);
    if (s->task == CHECK || s->task == TAKE) *x = get_u64(s->from + s->size);
    s->size += NUMBER;
}

static void pass_doubles(struct stream *s, double *x, int n) {
    for (int i = 0; i < n && s->task != COUNT; i++) {
        uint64_t bits;
        if (s->task == WRITE) {
            memcpy(&bits, &x[i], sizeof bits);
            put_u64(s->to + s->size + (size_t)i * NUMBER, bits);
        } else {
            bits = get_u64(s->from + s->size + (size_t)i * NUMBER);
            memcpy(&x[i], &bits, sizeof bits);
        }
    }
    s->size += (size_t)n * NUMBER;
}

static void pass_u32(struct stream *s, uint32_t *x) {
    uint64_t wide = *x;
    pass_u64(s, &wide);
    if (wide > UINT32_MAX) refuse(s, "a number is out of range");
    *x = (uint32_t)wide;
}

static void pass_int(struct stream *s, int *x) {
    uint64_t wide = (uint64_t)(int64_t)*x;
    pass_u64(s, &wide);
    const int64_t value = (int64_t)wide;
    if (value < INT_MIN || value > INT_MAX) {
        refuse(s, "a number is out of range");
        return;
    }
    *x = (int)value;
}

static void pass_bool(struct stream *s, bool *x) {
    uint64_t wide = *x;
    pass_u64(s, &wide);
    if (wide > 1) refuse(s, "a truth value is neither 0 nor 1");
    *x = wide != 0;
}

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Of unit length, as far as float can hold it. */
static bool is_unit(const double q[4]) {
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-3;
}

/* ---------------------------------------------------------------------------------------------- structure */

static uint64_t mix_int(uint64_t hash, int64_t x) {
    unsigned char bytes[NUMBER];
    put_u64(bytes, (uint64_t)x);
    return sn__hash(bytes, sizeof bytes, hash);
}

static uint64_t mix(uint64_t hash, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = mix_int(hash, bits);
    }
    return hash;
}

static uint64_t mix_joint(uint64_t hash, const sn_joint_def *j) {
    hash = mix_int(mix_int(hash, j->type), j->limited);
    hash = mix(mix(mix(hash, j->anchor, 3), j->axis, 3), j->axis2, 3);
    hash = mix(mix(mix(hash, j->lower, 2), j->upper, 2), j->rest, 4);
    return mix(hash, (const double[]){j->armature, j->damping, j->stiffness, j->torque_limit}, 4);
}

/* What of a model has a say in its motion: not its names, and not the gains and poses it proposes. */
static uint64_t mix_model(uint64_t hash, const sn_model *m) {
    hash = mix_int(mix_int(hash, m->nbody), m->nshape);
    for (int i = 0; i < m->nbody; i++) {
        const sn_body_info *b = &m->body[i];
        hash = mix_int(mix_int(mix_int(hash, b->parent), b->first_shape), b->nshape);
        hash = mix(mix(mix_joint(hash, &b->joint), b->pos, 3), b->rot, 4);
        hash = mix(mix(mix(hash, &b->mass, 1), b->com, 3), b->inertia, 6);
    }
    for (int i = 0; i < m->nshape; i++) {
        const sn_shape_def *s = &m->shape[i];
        hash = mix_int(mix_int(mix_int(hash, s->type), s->group), s->mask);
        hash = mix(mix(mix(hash, s->size, 3), s->pos, 3), s->rot, 4);
        hash = mix(mix(hash, &s->friction, 1), &s->restitution, 1);
    }
    hash = mix_int(hash, m->nexclusion);
    for (int i = 0; i < m->nexclusion; i++)
        hash = mix_int(mix_int(hash, m->exclusion[i].a), m->exclusion[i].b);
    return hash;
}

static uint64_t mix_ground(uint64_t hash, const struct sn__solid *s) {
    hash = mix_int(mix_int(mix_int(hash, s->geom.type), s->group), s->mask);
    hash = mix(mix(mix(hash, s->geom.size, 3), s->pos, 3), s->R[0], 3);
    hash = mix(mix(hash, s->R[1], 3), s->R[2], 3);
    hash = mix(mix(hash, &s->friction, 1), &s->restitution, 1);
    const struct sn__field *f = s->geom.field;
    if (!f) return hash;
    hash = mix(mix(mix_int(mix_int(hash, f->nx), f->ny), f->step, 2), f->origin, 3);
    return mix(hash, f->height, (size_t)f->nx * (size_t)f->ny);
}

static uint64_t structure_of(const sn_world *w) {
    uint64_t hash = mix_int(mix_int(0, w->nmember), w->nground), last = 0;
    const sn_model *known = NULL; /* often the same again */
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = &w->member[i];
        const sn_model *model = m->character->pack.model;
        if (model != known) last = mix_model(0, model);
        known = model;
        hash = mix_int(mix_int(mix_int(hash, (int64_t)last), m->first_solid), m->nsolid);
        hash = mix_int(mix_int(hash, m->def.form), m->def.self_collision + 2 * m->def.report_torque);
    }
    for (int i = 0; i < w->nground; i++)
        hash = mix_ground(mix_int(hash, w->ground[i]), &w->solid[w->ground[i]]);
    return hash;
}

/* ------------------------------------------------------------------------------------------------ the world */

static void pass_stats(struct stream *s, sn_world_stats *t) {
    int *count[] = {&t->contacts, &t->rows,    &t->iterations,    &t->sweeps, &t->substeps,
                    &t->impacts,  &t->dropped, &t->bad_character, &t->bad_dof};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        pass_int(s, count[i]);
        if (s->task == CHECK && *count[i] < -1) refuse(s, "a count is negative");
    }
    pass_doubles(s, &t->residual, 1);
}

static void pass_own(struct stream *s, sn_world *w, int contacts) {
    double time = w->time, dt = w->def.dt;
    sn_world_stats stats = w->stats;
    s->part = "world", s->number = 0;
    pass_doubles(s, &time, 1);
    pass_doubles(s, &dt, 1);
    pass_stats(s, &stats);
    if (s->task == CHECK) {
        if (isnan(time)) refuse(s, "the time is not a number");
        if (stats.contacts > contacts) refuse(s, "it counts more contacts than there are");
        if (!(dt > 0 && dt <= (w->def.precision == SN_DOUBLE ? DBL_MAX : (double)FLT_MAX)))
            refuse(s, "dt is not positive and finite");
    }
    if (s->task == TAKE) w->time = time, w->def.dt = dt, w->stats = stats;
}

/* --------------------------------------------------------------------------------------------- characters */

enum demand { ANYTHING, FINITE, POSE, POSITIVE };

static void check_values(struct stream *s, const struct sn__pack *p, int n, const double *x,
                         enum demand demand) {
    if (demand != ANYTHING && !sn__pack_holds(p, n, x)) refuse(s, "a value is not finite");
    for (int i = 0; i < n && demand == POSITIVE; i++)
        if (x[i] < 0) refuse(s, "a gain is negative");
    for (int i = 0; i < p->model->nbody && demand == POSE; i++) {
        const sn_body_info *b = &p->model->body[i];
        if (b->joint.type != SN_JOINT_BALL && b->joint.type != SN_JOINT_FREE) continue;
        if (!is_unit(x + b->q_index + (b->joint.type == SN_JOINT_FREE ? 3 : 0)))
            refuse(s, "a quaternion is not of unit length");
    }
}

/* One array of the character's, by way of the room it has for one. */
static void pass_field(struct stream *s, sn_character *c, enum sn__array field, int n, enum demand demand) {
    if (s->task == WRITE) sn__pack_get(&c->pack, field, 0, n, c->row);
    pass_doubles(s, c->row, n);
    if (s->task == CHECK) check_values(s, &c->pack, n, c->row, demand);
    if (s->task == TAKE) sn__pack_put(&c->pack, field, 0, n, c->row);
}

static void pass_gains(struct stream *s, sn_character *c, double *gains) {
    const int n = c->pack.model->nv;
    double *x = s->task == CHECK ? c->row : gains;
    pass_doubles(s, x, n);
    if (s->task == CHECK) check_values(s, &c->pack, n, x, POSITIVE);
}

/* Which sides of limits pushed, where implicit contact begins to look. */
static void pass_limits(struct stream *s, struct sn__member *m) {
    for (int i = 0; i < m->nlimit; i++) {
        uint32_t pushing = m->limit[i].pushing;
        pass_u32(s, &pushing);
        if (s->task == CHECK && pushing >> SN__SIDES) refuse(s, "a limit pushes on a side it has not");
        if (s->task == TAKE) m->limit[i].pushing = pushing;
    }
}

/* Accelerations and torques only report the last step, which may have failed. */
static void pass_member(struct stream *s, sn_world *w, int number) {
    struct sn__member *m = &w->member[number];
    sn_character *c = m->character;
    struct sn__pack *p = &c->pack;
    const int nq = p->model->nq, nv = p->model->nv, npush = 6 * p->model->nbody;
    bool active = m->active, has_target_qd = p->has_target_qd, has_feedforward = p->has_feedforward;
    s->part = "character", s->number = number;
    pass_bool(s, &active);
    pass_bool(s, &has_target_qd);
    pass_bool(s, &has_feedforward);
    pass_field(s, c, SN__Q, nq, POSE);
    pass_field(s, c, SN__QD, nv, FINITE);
    pass_field(s, c, SN__QDD, nv, ANYTHING);
    pass_field(s, c, SN__TARGET_Q, nq, POSE);
    pass_field(s, c, SN__TARGET_QD, nv, FINITE);
    pass_field(s, c, SN__FEEDFORWARD, nv, FINITE);
    if (p->def.report_torque) pass_field(s, c, SN__TORQUE, nv, ANYTHING);
    pass_field(s, c, SN__PUSH, npush, FINITE);
    bool has_push = false;
    for (int i = 0; i < npush && s->task == TAKE; i++)
        has_push |= c->row[i] != 0;
    pass_gains(s, c, p->kp);
    pass_gains(s, c, p->kd);
    pass_limits(s, m);
    if (s->task != TAKE) return;
    m->active = active;
    p->has_target_qd = has_target_qd;
    p->has_feedforward = has_feedforward;
    p->has_push = has_push;
    sn__pack_set_dt(p, w->def.dt); /* and all that follows from it and the gains */
}

/* ------------------------------------------------------------------------------------------------- ground */

/* Where it is must be where its pose puts it. It is kept all the same: a plane that never moved has the
   normal it was given, one that did has the quaternion's, and they differ in the last bit. */
static void check_ground(struct stream *s, const struct sn__solid *g) {
    if (!all_finite(g->base, 3) || !all_finite(g->rot, 4) || !all_finite(g->linear, 3) ||
        !all_finite(g->angular, 3) || !all_finite(g->geom.pos, 3)) {
        refuse(s, "a value is not finite");
        return;
    }
    if (!is_unit(g->rot)) refuse(s, "a quaternion is not of unit length");
    struct sn__solid placed = *g;
    sn__solid_place_ground(&placed);
    for (int i = 0; i < 3; i++) {
        const double pos = placed.geom.pos[i];
        if (!(fabs(g->geom.pos[i] - pos) <= 1e-6 * (1 + fabs(pos))))
            refuse(s, "it is not where it should be");
        for (int j = 0; j < 3; j++)
            if (!(fabs(g->geom.R[i][j] - placed.geom.R[i][j]) <= 1e-6))
                refuse(s, "it is not turned as it should be");
    }
}

static void pass_ground(struct stream *s, sn_world *w, int number) {
    struct sn__solid g = w->solid[w->ground[number]];
    if (g.geom.type == SN__GEOM_FIELD) return; /* never moves */
    s->part = "ground", s->number = number;
    pass_doubles(s, g.base, 3);
    pass_doubles(s, g.rot, 4);
    pass_doubles(s, g.linear, 3);
    pass_doubles(s, g.angular, 3);
    pass_doubles(s, g.geom.pos, 3);
    for (int i = 0; i < 3; i++)
        pass_doubles(s, g.geom.R[i], 3);
    if (s->task == CHECK) check_ground(s, &g);
    g.moves = sn__solid_moves(&g);
    if (s->task == TAKE) w->solid[w->ground[number]] = g;
}

/* ----------------------------------------------------------------------------------------------- contacts */

/* Those of the last step, from which the next one inherits. Their order is not looked at: steps that ran
   out of room leave them as they fell. Their rows are gone. */
static void check_contact(struct stream *s, const sn_world *w, const struct sn__contact *c) {
    const int a = c->solid[0], b = c->solid[1];
    if (a < 0 || a >= w->nsolid || b < 0 || b >= w->nsolid || a == b || w->solid[a].member < 0) {
        refuse(s, "its shapes do not exist or cannot touch");
        return;
    }
    if ((uint32_t)(c->pair >> 31) != (uint32_t)a || (c->pair & INT_MAX) != (uint32_t)b)
        refuse(s, "its order is not that of its shapes");
    if (!all_finite(c->force, 3) || !all_finite(c->anchor, 3) || !all_finite(c->tangent[0], 3) ||
        !all_finite(c->tangent[1], 3))
        refuse(s, "a value is not finite");
}

static void pass_contact(struct stream *s, sn_world *w, int number) {
    struct sn__contact c = {.row = -1};
    if (s->task == WRITE) c = w->contact[number];
    s->part = "contact", s->number = number;
    pass_u64(s, &c.pair);
    pass_int(s, &c.solid[0]);
    pass_int(s, &c.solid[1]);
    pass_u32(s, &c.feature);
    pass_bool(s, &c.implicit);
    pass_bool(s, &c.sliding);
    pass_bool(s, &c.old);
    pass_bool(s, &c.anchored);
    pass_doubles(s, c.pos, 3);
    pass_doubles(s, c.normal, 3);
    pass_doubles(s, &c.gap, 1);
    pass_doubles(s, &c.mu, 1);
    pass_doubles(s, &c.restitution, 1);
    pass_doubles(s, c.force, 3);
    pass_doubles(s, c.anchor, 3);
    pass_doubles(s, c.tangent[0], 3);
    pass_doubles(s, c.tangent[1], 3);
    pass_doubles(s, &c.approach, 1);
    if (s->task == CHECK) check_contact(s, w, &c);
    if (s->task == TAKE) w->contact[number] = c;
}

/* -------------------------------------------------------------------------------------------- constraints */

static void pass_tie_def(struct stream *s, sn_constraint_def *d) {
    int type = (int)d->type;
    pass_int(s, &type);
    d->type = (sn_constraint_type)type;
    pass_int(s, &d->character);
    pass_int(s, &d->body);
    pass_int(s, &d->character2);
    pass_int(s, &d->body2);
    pass_doubles(s, d->point, 3);
    pass_doubles(s, d->point2, 3);
    pass_doubles(s, d->target, 7);
    pass_doubles(s, d->target_velocity, 6);
    pass_doubles(s, &d->settle, 1);
    pass_doubles(s, &d->stiffness, 1);
    pass_doubles(s, &d->damping, 1);
    pass_doubles(s, &d->max_force, 1);
}

static void check_tie(struct stream *s, const sn_world *w, const struct sn__tie *t) {
    if (t->generation == 0) refuse(s, "it was never given away");
    if (t->rows < 0 || t->rows > 6 || !all_finite(t->force, 6)) refuse(s, "its forces are not valid");
    if (!t->used) return;
    sn_error error;
    if (sn__tie_check(w, &t->def, &error)) {
        refuse(s, error.message);
        return;
    }
    if (t->def.type != SN_JOINT_PATH) return;
    const sn_joint_type joint =
        w->member[t->def.character].character->pack.model->body[t->def.body].joint.type;
    if ((joint == SN_JOINT_BALL && !is_unit(t->def.target)) ||
        (joint == SN_JOINT_FREE && !is_unit(t->def.target + 3)))
        refuse(s, "a quaternion is not of unit length");
}

/* Of a place nobody holds only the generation counts. */
static void pass_tie(struct stream *s, sn_world *w, int number) {
    struct sn__tie t = {0};
    if (s->task == WRITE && w->tie[number].used) t = w->tie[number];
    if (s->task == WRITE) t.generation = w->tie[number].generation;
    s->part = "constraint", s->number = number;
    pass_u32(s, &t.generation);
    pass_bool(s, &t.used);
    pass_int(s, &t.rows);
    pass_doubles(s, t.force, 6);
    pass_tie_def(s, &t.def);
    if (s->task == CHECK) check_tie(s, w, &t);
    if (s->task == TAKE) w->tie[number] = t;
}

/* ------------------------------------------------------------------------------------------------ the block */

struct head {
    uint64_t magic, version, precision, size, structure, contacts, ties;
};

static void pass_head(struct stream *s, struct head *h) {
    uint64_t *number[] = {&h->magic,     &h->version,  &h->precision, &h->size,
                          &h->structure, &h->contacts, &h->ties};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        pass_u64(s, number[i]);
}

/* Everything between head and checksum. */
static void pass_state(struct stream *s, sn_world *w, int contacts, int ties) {
    pass_own(s, w, contacts);
    for (int i = 0; i < w->nmember; i++)
        pass_member(s, w, i);
    for (int i = 0; i < w->nground; i++)
        pass_ground(s, w, i);
    for (int i = 0; i < contacts; i++)
        pass_contact(s, w, i);
    for (int i = 0; i < ties; i++)
        pass_tie(s, w, i);
}

/* Of a block with so many contacts and constraints; counting changes nothing. */
static size_t block_size(const sn_world *w, int contacts, int ties) {
    struct stream rest = {.task = COUNT}, contact = {.task = COUNT}, tie = {.task = COUNT};
    pass_state(&rest, (sn_world *)w, 0, 0);
    pass_contact(&contact, (sn_world *)w, 0);
    pass_tie(&tie, (sn_world *)w, 0);
    return HEAD + rest.size + (size_t)contacts * contact.size + (size_t)ties * tie.size + NUMBER;
}

size_t sn_world_snapshot_size(const sn_world *w) {
    return w ? block_size(w, w->ncontact, w->ntie) : 0;
}

sn_status sn_world_snapshot(const sn_world *w, void *bytes, size_t size) {
    if (!w || !bytes) return SN_ERROR_ARGUMENT;
    const size_t need = sn_world_snapshot_size(w);
    if (size < need) return SN_ERROR_ARGUMENT;
    struct stream s = {.task = WRITE, .to = bytes};
    struct head head = {
        MAGIC, VERSION, w->def.precision, need, structure_of(w), (uint64_t)w->ncontact, (uint64_t)w->ntie};
    pass_head(&s, &head);
    pass_state(&s, (sn_world *)w, w->ncontact, w->ntie); /* writing only reads the world */
    put_u64(s.to + s.size, sn__hash(bytes, s.size, 0));
    return SN_OK;
}

/* Whether the block is whole, and of a world like this one. */
static sn_status check_head(const sn_world *w, const struct head *h, const unsigned char *bytes, size_t size,
                            sn_error *error) {
    if (h->magic != MAGIC) return sn__fail(error, SN_ERROR_FORMAT, "these bytes are not a snapshot");
    if (h->version != VERSION)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of version %llu; this library has version %d",
                        (unsigned long long)h->version, VERSION);
    if (h->size > size || h->size < HEAD + NUMBER)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of %llu bytes, of which %zu are there",
                        (unsigned long long)h->size, size);
    if (sn__hash(bytes, (size_t)h->size - NUMBER, 0) != get_u64(bytes + h->size - NUMBER))
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot is damaged");
    if (h->precision != (uint64_t)w->def.precision)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of a world of another precision");
    if (h->structure != structure_of(w))
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of a world with other characters or ground");
    if (h->contacts > (uint64_t)w->def.max_contacts)
        return sn__fail(error, SN_ERROR_FORMAT, "a snapshot of %llu contacts; the world has room for %d",
                        (unsigned long long)h->contacts, w->def.max_contacts);
    if (h->ties > h->size / NUMBER || h->ties > INT_MAX ||
        block_size(w, (int)h->contacts, (int)h->ties) != h->size)
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot's size does not fit what it holds");
    return SN_OK;
}

/* Room for constraints, and for the rows they may make. */
static bool reserve_ties(sn_world *w, int ties) {
    const int room = w->tie_room;
    struct sn__tie *tie = sn__grow(w->tie, &w->tie_room, ties, sizeof *tie);
    if (!tie) return ties == 0;
    w->tie = tie;
    if (w->tie_room == room || sn__world_reserve(w)) return true;
    w->tie_room = room;
    return false;
}

sn_status sn_world_restore(sn_world *w, const void *bytes, size_t size, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (!w || !bytes) return sn__fail(error, SN_ERROR_ARGUMENT, "the world or the snapshot is NULL");
    if (size < HEAD + NUMBER)
        return sn__fail(error, SN_ERROR_FORMAT, "%zu bytes are too few for a snapshot", size);
    struct stream s = {.task = CHECK, .from = bytes, .error = error};
    struct head head;
    pass_head(&s, &head);
    if (check_head(w, &head, bytes, size, error)) return error->status;
    const int contacts = (int)head.contacts, ties = (int)head.ties;
    pass_state(&s, w, contacts, ties);
    if (s.refused) return error->status;
    if (!reserve_ties(w, ties)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d constraints", ties);
    s = (struct stream){.task = TAKE, .from = bytes, .size = HEAD};
    pass_state(&s, w, contacts, ties);
    w->ncontact = contacts, w->nlast = 0;
    w->ntie = ties;
    sn__world_report(w);
    return SN_OK;
}
