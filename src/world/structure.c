/* The structure of a world in a snapshot: which members, which ground, which constraints; and the way back to it. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/mesh.h"
#include "model/hull.h"
#include "world/constraints.h"
#include "world/guide.h"
#include "world/snapshot.h"

bool sn__plan_make(struct sn__plan *p, int nmember, int nground, int ntie) {
    *p = (struct sn__plan){.nmember = nmember, .nground = nground, .ntie = ntie};
    p->member = sn__alloc((size_t)nmember + 1, sizeof *p->member);
    p->ground = sn__alloc((size_t)nground + 1, sizeof *p->ground);
    p->place = sn__alloc((size_t)nground + 1, sizeof *p->place);
    p->belt = sn__alloc((size_t)nground + 1, sizeof *p->belt);
    p->tie = sn__alloc((size_t)ntie + 1, sizeof *p->tie);
    if (p->member && p->ground && p->place && p->belt && p->tie) return true;
    sn__plan_free(p);
    return false;
}

void sn__plan_free(struct sn__plan *p) {
    sn__free_all(p->member, p->ground, p->place, p->belt, p->tie, p->read);
    memset(p, 0, sizeof *p);
}

void sn__plan_of(struct sn__plan *p, const sn_world *w) {
    p->nsolid = w->nsolid;
    p->ngeneration = w->ngeneration, p->generation = w->generation;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        p->member[i] = (struct sn__planned){.used = m != NULL, .motion = -1};
        if (!m) continue;
        p->member[i].model = w->known[m->known].hash;
        p->member[i].known = m->known;
        p->member[i].first_solid = m->first_solid, p->member[i].nsolid = m->nsolid;
        p->member[i].active = m->active;
        p->member[i].motion = sn__table_number(w, m->motion);
    }
    for (int g = 0; g < w->nground; g++) {
        p->place[g] = w->ground[g];
        memcpy(p->belt[g], w->belt[g], sizeof p->belt[g]);
        if (w->ground[g] >= 0)
            p->ground[g] = w->solid[w->ground[g]];
        else
            p->ground[g].member = SN__NOBODY;
    }
    if (w->ntie) memcpy(p->tie, w->tie, sizeof *p->tie * (size_t)w->ntie);
}

/* --------------------------------------------------------------------------------------------------- passing */

static void pass_member(struct sn__stream *s, const sn_world *w, struct sn__plan *p, int number) {
    struct sn__planned *m = &p->member[number];
    s->part = "member", s->number = number;
    sn__pass_bool(s, &m->used);
    sn__pass_u64(s, &m->model);
    sn__pass_int(s, &m->first_solid, 0, p->nsolid);
    sn__pass_int(s, &m->nsolid, 0, p->nsolid);
    sn__pass_bool(s, &m->active);
    sn__pass_int(s, &m->motion, -1, w->ntable - 1);
    if (s->task != SN__CHECK || !m->used) return;
    m->known = -1;
    for (int i = 0; i < w->nknown && m->known < 0; i++)
        if (w->known[i].hash == m->model) m->known = i;
    if (m->known < 0) sn__stream_refuse(s, "the world has never had a member of its model");
    if (m->first_solid + m->nsolid > p->nsolid) sn__stream_refuse(s, "its shapes have no place");
}

/* Where it is must be where its pose puts it. It is kept all the same: a plane that never moved has the
   normal it was given, one that did has the quaternion's, and they differ in the last bit. */
static void check_ground(struct sn__stream *s, const struct sn__solid *g) {
    if (!sn__is_unit(g->rot)) sn__stream_refuse(s, "a quaternion is not of unit length");
    if (g->geom.type >= SN__GEOM_TYPES) sn__stream_refuse(s, "there is no such kind of ground");
    if (s->refused || g->geom.type == SN__GEOM_FIELD) return;
    if (!(g->friction >= 0) || !(g->restitution >= 0 && g->restitution <= 1))
        sn__stream_refuse(s, "its material is out of range");
    if (g->geom.type != SN__GEOM_PLANE && (!(g->geom.size[0] > 0) || !(g->geom.size[1] >= 0)))
        sn__stream_refuse(s, "it has no extent");
    if (g->geom.type == SN__GEOM_HULL && g->geom.size[0] != g->geom.hull->inner)
        sn__stream_refuse(s, "it is not as large as its hull");
    if (g->geom.type != SN__GEOM_PLANE && !isfinite(sn__geom_reach(&g->geom)))
        sn__stream_refuse(s, "it is too large");
    struct sn__solid placed = *g;
    sn__solid_place_ground(&placed);
    for (int i = 0; i < 3; i++) {
        const double pos = placed.geom.pos[i];
        if (!(fabs(g->geom.pos[i] - pos) <= 1e-6 * (1 + fabs(pos))))
            sn__stream_refuse(s, "it is not where it should be");
        for (int j = 0; j < 3; j++)
            if (!(fabs(g->geom.R[i][j] - placed.geom.R[i][j]) <= 1e-6))
                sn__stream_refuse(s, "it is not turned as it should be");
    }
}

static void pass_ground(struct sn__stream *s, const sn_world *w, struct sn__plan *p, int number) {
    struct sn__solid *g = &p->ground[number];
    bool used = g->member != SN__NOBODY;
    int type = (int)g->geom.type, field = -1;
    uint64_t hash = g->geom.field  ? g->geom.field->hash
                    : g->geom.hull ? g->geom.hull->hash
                    : g->geom.mesh ? g->geom.mesh->hash
                                   : 0;
    s->part = "ground", s->number = number;
    sn__pass_bool(s, &used);
    sn__pass_int(s, &p->place[number], -1, p->nsolid - 1);
    sn__pass_int(s, &type, 0, SN__GEOM_TYPES - 1);
    sn__pass_u64(s, &hash);
    sn__pass_u32(s, &g->group);
    sn__pass_u32(s, &g->mask);
    sn__pass_finite(s, &g->friction, 1);
    sn__pass_finite(s, &g->restitution, 1);
    double *parts[] = {g->geom.size, g->geom.pos, g->geom.R[0], g->geom.R[1], g->geom.R[2], g->pos,
                       g->R[0],      g->R[1],     g->R[2],      g->linear,    g->angular,   g->base};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sn__pass_finite(s, parts[i], 3);
    sn__pass_finite(s, g->rot, 4);
    sn__pass_finite(s, p->belt[number], 3);
    sn__pass_bool(s, &g->trigger);
    if (s->task != SN__CHECK) return;
    g->member = used ? SN__GROUND : SN__NOBODY;
    g->geom.type = (enum sn__geom_type)type;
    for (int i = 0; i < w->nfield && type == SN__GEOM_FIELD; i++)
        if (w->field[i]->hash == hash) field = i;
    g->geom.field = field >= 0 ? w->field[field] : NULL;
    g->geom.hull = NULL;
    for (int i = 0; i < w->nhull && type == SN__GEOM_HULL; i++)
        if (w->hull[i]->hash == hash) g->geom.hull = w->hull[i];
    g->geom.mesh = NULL;
    for (int i = 0; i < w->nmesh && type == SN__GEOM_MESH; i++)
        if (w->mesh[i]->hash == hash) g->geom.mesh = w->mesh[i];
    if (!used) return;
    if (type == SN__GEOM_MESH && !g->geom.mesh) sn__stream_refuse(s, "the world has never had its mesh");
    if (type == SN__GEOM_HULL && !g->geom.hull) sn__stream_refuse(s, "the world has never had its hull");
    if (s->refused) return;
    if (p->place[number] < 0) sn__stream_refuse(s, "it has no place");
    if (type == SN__GEOM_FIELD && field < 0) sn__stream_refuse(s, "the world has never had its height field");
    if (!s->refused) check_ground(s, g);
    g->body = number;
    g->moves = sn__solid_moves(g);
    const double *belt = p->belt[number];
    g->carries = !g->trigger && (belt[0] != 0 || belt[1] != 0 || belt[2] != 0);
    if (g->trigger && (type >= SN__GEOM_FIELD || g->restitution > 0))
        sn__stream_refuse(s, "it cannot be a trigger");
    const bool endless = type == SN__GEOM_PLANE || type == SN__GEOM_FIELD;
    g->reach = endless ? (double)INFINITY : sn__geom_reach(&g->geom);
    g->arm = endless ? 0 : dvec_length(g->pos) + g->reach;
}

static void pass_tie(struct sn__stream *s, const sn_world *w, struct sn__plan *p, int number) {
    struct sn__tie *t = &p->tie[number];
    sn_constraint_def *d = &t->def;
    int type = (int)d->type;
    s->part = "constraint", s->number = number;
    sn__pass_u32(s, &t->generation);
    sn__pass_bool(s, &t->used);
    sn__pass_int(s, &type, 0, SN_CONSTRAINT_TYPE_COUNT - 1);
    sn__pass_int(s, &d->member, INT_MIN, INT_MAX);
    sn__pass_int(s, &d->body, INT_MIN, INT_MAX);
    sn__pass_int(s, &d->member2, INT_MIN, INT_MAX);
    sn__pass_int(s, &d->body2, INT_MIN, INT_MAX);
    sn__pass_finite(s, d->point, 3);
    sn__pass_finite(s, d->point2, 3);
    sn__pass_finite(s, d->direction, 3);
    sn__pass_finite(s, d->target, 7);
    sn__pass_finite(s, d->target_velocity, 6);
    double *one[] = {&d->settle,      &d->kp,          &d->kd,        &d->stiffness,
                     &d->damping,     &d->max_force,   &d->frequency, &d->damping_ratio,
                     &d->break_force, &d->break_torque};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        sn__pass_doubles(s, one[i], 1);
    int form = (int)d->form;
    uint64_t guide = t->guide ? t->guide->hash : 0;
    sn__pass_int(s, &form, 0, SN_FORM_FULL);
    sn__pass_bool(s, &d->rows);
    sn__pass_bool(s, &d->collide);
    sn__pass_u64(s, &guide);
    d->type = (sn_constraint_type)type, d->form = (sn_form)form;
    const bool guided = type == SN_CONSTRAINT_CURVE || type == SN_CONSTRAINT_SURFACE;
    for (int i = 0; i < w->nguide && s->task == SN__CHECK && guided; i++)
        if (w->guide[i]->hash == guide && w->guide[i]->curve == (type == SN_CONSTRAINT_CURVE))
            t->guide = w->guide[i];
    if (s->task == SN__CHECK && t->used && guided && !t->guide)
        sn__stream_refuse(s, "the world has never had its curve or surface");
    if (sn__tie_couples(d->type)) sn__pass_finite(s, d->ratio, 5);
    sn__pass_int(s, &t->origin, 0, INT_MAX);
    if (s->task == SN__CHECK && t->used && t->generation == 0)
        sn__stream_refuse(s, "it was never given away");
}

/* Whether every solid has a place of its own. */
static void check_places(struct sn__stream *s, const struct sn__plan *p) {
    uint8_t *taken = sn__alloc((size_t)p->nsolid + 1, 1);
    bool twice = !taken;
    for (int i = 0; i < p->nmember && !twice; i++)
        for (int k = 0; p->member[i].used && k < p->member[i].nsolid; k++)
            twice |= taken[p->member[i].first_solid + k]++ > 0;
    for (int g = 0; g < p->nground && !twice; g++)
        if (p->ground[g].member != SN__NOBODY) twice = taken[p->place[g]]++ > 0;
    sn__free(taken);
    if (twice) sn__stream_refuse(s, "two shapes are in one place");
}

/* Constraints are checked against the models the plan has. */
static void check_ties(struct sn__stream *s, const sn_world *w, const struct sn__plan *p) {
    for (int i = 0; i < p->ntie && !s->refused; i++) {
        const struct sn__tie *t = &p->tie[i];
        if (!t->used) continue;
        s->part = "constraint", s->number = i;
        const bool two = sn__tie_kind(t->def.type)->two_ended;
        const int ends[2][2] = {{t->def.member, t->def.body}, {two ? t->def.member2 : -1, t->def.body2}};
        const sn_body_info *first = NULL;
        for (int e = 0; e < 2; e++) {
            if (e == 1 && ends[e][0] == -1) continue;
            const bool there = ends[e][0] >= 0 && ends[e][0] < p->nmember && p->member[ends[e][0]].used;
            const sn_body_info *b =
                there ? sn_model_body(w->known[p->member[ends[e][0]].known].model, ends[e][1]) : NULL;
            if (!b) sn__stream_refuse(s, "it holds a body that does not exist");
            if (e == 0) first = b;
            if (e == 1 && b && sn__tie_couples(t->def.type) && b->nv != 1)
                sn__stream_refuse(s, "it couples a joint that has not one degree of freedom");
        }
        if (first && sn__tie_check_numbers(&t->def, first, &(sn_error){0}))
            sn__stream_refuse(s, "a number of its definition is out of range");
    }
}

/* How many members have had each number, for handles. */
static void pass_generations(struct sn__stream *s, struct sn__plan *p) {
    sn__pass_int(s, &p->ngeneration, p->nmember, 1 << 20);
    if (s->refused) return;
    if (s->task == SN__CHECK &&
        !(p->generation = p->read = sn__alloc((size_t)p->ngeneration + 1, sizeof(int)))) {
        sn__stream_refuse(s, "there is no memory for it");
        return;
    }
    for (int i = 0; i < p->ngeneration && !s->refused; i++) {
        int generation = s->task == SN__CHECK ? 0 : p->generation[i];
        sn__pass_int(s, &generation, 0, SN__GENERATIONS);
        if (s->task == SN__CHECK) p->read[i] = generation;
    }
}

void sn__pass_plan(struct sn__stream *s, const sn_world *w, struct sn__plan *p) {
    s->part = "world", s->number = 0;
    sn__pass_int(s, &p->nsolid, 0, w->solid_room > 1 << 16 ? w->solid_room : 1 << 16);
    pass_generations(s, p);
    for (int i = 0; i < p->nmember && !s->refused; i++)
        pass_member(s, w, p, i);
    for (int i = 0; i < p->nground && !s->refused; i++)
        pass_ground(s, w, p, i);
    for (int i = 0; i < p->ntie && !s->refused; i++)
        pass_tie(s, w, p, i);
    if (s->task != SN__CHECK || s->refused) return;
    s->part = "world", s->number = 0;
    check_places(s, p);
    check_ties(s, w, p);
}

/* -------------------------------------------------------------------------------------------------- going back */

static bool same_ground(const struct sn__solid *a, const struct sn__solid *b) {
    return a->geom.type == b->geom.type && a->geom.field == b->geom.field && a->geom.hull == b->geom.hull &&
           a->group == b->group && a->mask == b->mask && a->friction == b->friction &&
           a->restitution == b->restitution && a->moves == b->moves && a->carries == b->carries &&
           a->trigger == b->trigger && !memcmp(a->geom.size, b->geom.size, sizeof a->geom.size) &&
           !memcmp(a->pos, b->pos, sizeof a->pos) && !memcmp(a->R, b->R, sizeof a->R);
}

/* What a snapshot brings back is not what the user's data were set on, even if it has the same number. */
static void forget_users(sn_world *w, const struct sn__plan *p) {
    for (int g = 0; g < w->nground || g < p->nground; g++) {
        const bool here = g < w->nground && w->ground[g] >= 0;
        const bool there = g < p->nground && p->ground[g].member != SN__NOBODY;
        if (!here || !there || !same_ground(&w->solid[w->ground[g]], &p->ground[g]))
            sn__world_forget_user(w, g);
    }
}

static bool keeps_ground(const sn_world *w, const struct sn__plan *p) {
    if (w->nground != p->nground) return false;
    for (int g = 0; g < p->nground; g++) {
        const bool used = p->ground[g].member != SN__NOBODY;
        if (used != (w->ground[g] >= 0) || (used && w->ground[g] != p->place[g])) return false;
        if (used && !same_ground(&w->solid[w->ground[g]], &p->ground[g])) return false;
    }
    return true;
}

bool sn__plan_is_same(const sn_world *w, const struct sn__plan *p) {
    if (w->nmember != p->nmember || w->nsolid != p->nsolid || !keeps_ground(w, p)) return false;
    for (int i = 0; i < p->nmember; i++) {
        const struct sn__member *m = w->member[i];
        if (p->member[i].used != (m != NULL)) return false;
        if (m && (w->known[m->known].hash != p->member[i].model || m->first_solid != p->member[i].first_solid))
            return false;
    }
    bool tied = false; /* constraints decide the layout */
    for (int i = 0; i < p->ntie; i++)
        tied |= p->tie[i].used;
    return tied == (w->used_ties > 0);
}

/* Ground in the places of the plan; where only poses differ nothing is made again. */
static sn_status restore_ground(sn_world *w, const struct sn__plan *p, bool keep) {
    for (int g = 0; g < p->nground; g++) {
        if (p->ground[g].member == SN__NOBODY) continue;
        if (!keep) {
            if (sn__ground_insert(w, g, p->place[g], &p->ground[g])) return SN_ERROR_MEMORY;
            memcpy(w->belt[g], p->belt[g], sizeof w->belt[g]);
            continue;
        }
        memcpy(w->belt[g], p->belt[g], sizeof w->belt[g]);
        struct sn__solid *s = &w->solid[w->ground[g]];
        const bool probed = s->probed;
        *s = p->ground[g];
        s->probed = probed;
    }
    w->structure++;
    return keep ? sn__surfaces_make(w) : SN_OK;
}

/* Room for so many solids, those nobody has marked so. */
static bool lay_out_solids(sn_world *w, int nsolid) {
    struct sn__solid *solid = sn__grow(w->solid, &w->solid_room, nsolid, sizeof *solid);
    if (!solid) return nsolid == 0;
    w->solid = solid;
    w->first_free_solid = 0;
    for (; w->nsolid < nsolid; w->nsolid++, w->free_solids++)
        w->solid[w->nsolid] = (struct sn__solid){.member = SN__NOBODY};
    return true;
}

static void count_free_solids(sn_world *w, int nsolid) {
    w->nsolid = nsolid;
    w->first_free_solid = 0;
    w->free_solids = 0;
    for (int i = 0; i < nsolid; i++)
        w->free_solids += w->solid[i].member == SN__NOBODY;
}

sn_status sn__plan_carry_out(sn_world *w, const struct sn__plan *p, sn_error *error) {
    const bool keep = keeps_ground(w, p);
    forget_users(w, p);
    for (int i = w->nmember - 1; i >= 0; i--) {
        const struct sn__member *m = w->member[i];
        const struct sn__planned *to = i < p->nmember ? &p->member[i] : NULL;
        if (m &&
            (!to || !to->used || w->known[m->known].hash != to->model || m->first_solid != to->first_solid))
            sn__member_take_out(w, w->member[i]);
    }
    for (int g = w->nground - 1; g >= 0 && !keep; g--)
        if (g < w->nground && w->ground[g] >= 0) sn__ground_take_out(w, g);
    sn_status status = lay_out_solids(w, p->nsolid) ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; i < p->nmember && !status; i++) {
        if (!p->member[i].used) continue;
        if (i >= w->nmember || !w->member[i])
            status =
                sn__member_insert(w, w->known[p->member[i].known].model, i, p->member[i].first_solid, error);
        if (status) break;
        w->member[i]->active = p->member[i].active;
        w->member[i]->motion = p->member[i].motion >= 0 ? w->table[p->member[i].motion] : NULL;
    }
    w->ngeneration = 0; /* as it was then, of numbers that no member has as well */
    for (int i = p->ngeneration - 1; i >= 0 && !status; i--)
        if (!sn__world_set_generation(w, i, p->generation[i])) status = SN_ERROR_MEMORY;
    if (!status) status = restore_ground(w, p, keep);
    if (!status && !sn__ties_reserve(w, p->ntie)) status = SN_ERROR_MEMORY;
    if (status) return sn__fail(error, status, "no memory for what the snapshot holds");
    count_free_solids(w, p->nsolid);
    w->used_ties = 0;
    for (w->ntie = 0; w->ntie < p->ntie; w->ntie++) {
        w->tie[w->ntie] = p->tie[w->ntie];
        w->used_ties += p->tie[w->ntie].used;
    }
    return sn__world_settle(w, error);
}
