/* Where shapes are, which of them are near, and the points where they touch, matched with those of the last
 * step. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "collide/cast.h"
#include "world/constraints.h"
#include "world/rows.h"
#include "world/steppers.h"
#include "model/joint.h"

void sn__hand_gather(const struct sn__hand *h, const void *lanes, int n, double *values) {
    const int width = h->pack->k->info.width;
    if (h->pack->def.precision == SN_PRECISION_DOUBLE)
        for (int i = 0; i < n; i++)
            values[i] = ((const double *)lanes)[i * width];
    else
        for (int i = 0; i < n; i++)
            values[i] = (double)((const float *)lanes)[i * width];
}

void sn__hand_spread(const struct sn__hand *h, void *lanes, int at, int n, const double *values) {
    const int width = h->pack->k->info.width;
    if (h->pack->def.precision == SN_PRECISION_FLOAT) {
        float *x = (float *)lanes + at * width;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < width; k++)
                *x++ = (float)values[i];
        return;
    }
    double *x = (double *)lanes + at * width;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < width; k++)
            *x++ = values[i];
}

void *sn__hand_at(const struct sn__worker *w, const struct sn__hand *h, enum sn__array field) {
    return sn__pack_at(h->pack, field, w->copy);
}

void sn__hand_save(const struct sn__worker *w, const struct sn__hand *h, void *to) {
    const struct sn__pack *p = h->pack;
    memcpy(to, sn__hand_at(w, h, SN__Q), sn__pack_bytes(p, p->model->nq));
    memcpy((char *)to + sn__pack_bytes(p, p->model->nq), sn__hand_at(w, h, SN__QD),
           sn__pack_bytes(p, p->model->nv));
}

void sn__hand_load(const struct sn__worker *w, const struct sn__hand *h, const void *from) {
    const struct sn__pack *p = h->pack;
    memcpy(sn__hand_at(w, h, SN__Q), from, sn__pack_bytes(p, p->model->nq));
    memcpy(sn__hand_at(w, h, SN__QD), (const char *)from + sn__pack_bytes(p, p->model->nq),
           sn__pack_bytes(p, p->model->nv));
}

void sn__hand_gravity(const struct sn__worker *w, const struct sn__hand *h, double gravity[3]) {
    memcpy(gravity, w->world->def.gravity, 3 * sizeof *gravity);
    if (h->pack->field[SN__GRAVITY]) sn__pack_get(h->pack, SN__GRAVITY, w->copy, 3, gravity);
}

/* A solid where its body, at `place`, has it; how it is turned only when someone wants to know. */
static void place_solid(struct sn__solid *s, const double *place) {
    const double *x = place, *R = place + 3;
    for (int i = 0; i < 3; i++)
        s->geom.pos[i] = x[i] + R[3 * i] * s->pos[0] + R[3 * i + 1] * s->pos[1] + R[3 * i + 2] * s->pos[2];
}

static void turn_solid(struct sn__worker *w, struct sn__solid *s) {
    if (s->member < 0 || s->geom.type == SN__GEOM_SPHERE) return;
    const double *R = w->hand[s->member].place + SN__PLACE * s->body + 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->geom.R[i][j] = R[3 * i] * s->R[0][j] + R[3 * i + 1] * s->R[1][j] + R[3 * i + 2] * s->R[2][j];
}

void sn__worker_place_member(struct sn__worker *w, int member) {
    struct sn__hand *h = &w->hand[member];
    const struct sn__args args = sn__pack_args(h->pack, w->copy);
    h->pack->k->enter(&args, h->place);
    if (w->world->def.contact == SN_CONTACT_NONE) return;
    for (int k = h->member->first_solid; k < h->member->first_solid + h->member->nsolid; k++)
        place_solid(&w->solid[k], h->place + SN__PLACE * w->solid[k].body);
}

void sn__worker_place(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (w->hand[i].on) sn__worker_place_member(w, i);
}

/* Velocity of a solid's material point. */
void sn__solid_velocity(const struct sn__worker *w, const struct sn__solid *s, const double point[3],
                        double v[3]) {
    const double *linear = s->linear, *angular = s->angular, *origin = s->base;
    if (s->member >= 0) {
        const double *place = w->hand[s->member].place + SN__PLACE * s->body;
        origin = place, linear = place + 12, angular = place + 15;
    } else if (s->geom.type == SN__GEOM_PLANE) {
        origin = s->geom.pos;
    }
    const double r[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
    dvec_cross(angular, r, v);
    for (int i = 0; i < 3; i++)
        v[i] += linear[i];
}

static double size_of(const double v[3]) {
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* How far a solid may get in a step: a bound, not the distance. */
static double stride_of(const struct sn__worker *w, const struct sn__solid *s, double h) {
    if (s->member < 0) return h * (size_of(s->linear) + size_of(s->angular) * s->arm);
    const double *place = w->hand[s->member].place + SN__PLACE * s->body;
    return h * (size_of(place + 12) + size_of(place + 15) * s->arm);
}

/* ------------------------------------------------------------------------------------------------- pairs */

/* The body a weld makes it part of; and the next one inwards that has shapes: chains of bare bodies stand
   for one joint. */
int sn__body_whole(const sn_model *model, int body) {
    while (body >= 0 && model->body[body].nv == 0 && model->body[body].parent >= 0)
        body = model->body[body].parent;
    return body;
}

static int next_inwards(const sn_model *model, int body) {
    do
        body = model->body[body].parent;
    while (body >= 0 && model->body[body].nshape == 0);
    return sn__body_whole(model, body);
}

/* Bodies of one character touch when it wants that, unless one hangs on the other. */
static bool may_touch(const struct sn__worker *w, const struct sn__solid *a, const struct sn__solid *b) {
    if (!sn__solids_meet(a, b)) return false;
    if (a->member < 0 || b->member < 0) return true;
    if (a->member != b->member) return !sn__worker_joins(w, a->member, 0, b->member, 0);
    const sn_model *model = w->hand[a->member].pack->model;
    const int x = sn__body_whole(model, a->body), y = sn__body_whole(model, b->body);
    if (!w->world->def.self_contact || x == y) return false;
    if (next_inwards(model, x) == y || next_inwards(model, y) == x) return false;
    return !sn__model_excluded(model, a->body, b->body) && !sn__worker_joins(w, a->member, x, a->member, y);
}

/* Room for one more: where to put it, or NULL. When there are as many as the definition allows the one with the widest gap
   gives way; where only memory is short the step is made again. */
static struct sn__contact *new_contact(struct sn__worker *w, double gap) {
    const sn_world *world = w->world;
    const int most = world->def.max_contacts, room = world->contact_room;
    if (!most || w->ncontact < most) {
        if (w->ncontact < room) return &w->contact[w->ncontact++];
        w->lack.any = true;
        if (!w->lack.contacts) w->lack.contacts = w->ncontact;
        w->lack.contacts++;
        return NULL;
    }
    w->stats.dropped++;
    struct sn__contact *widest = &w->contact[0];
    for (int i = 1; i < w->ncontact; i++)
        if (w->contact[i].gap > widest->gap) widest = &w->contact[i];
    return widest->gap > gap ? widest : NULL;
}

/* Relative velocity along the normal: negative when they come closer. */
static double approach_of(const struct sn__worker *w, const struct sn__contact *c) {
    double v[3], u[3];
    sn__solid_velocity(w, &w->solid[c->solid[0]], c->pos, v);
    sn__solid_velocity(w, &w->solid[c->solid[1]], c->other, u);
    return c->normal[0] * (v[0] - u[0]) + c->normal[1] * (v[1] - u[1]) + c->normal[2] * (v[2] - u[2]);
}

/* What the members' own factors make of friction: of two members the geometric mean. */
static double friction_factor(const struct sn__worker *w, const struct sn__solid *a,
                              const struct sn__solid *b) {
    double factor[2] = {1, 1};
    const struct sn__solid *solid[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (solid[i]->member < 0) continue;
        const struct sn__pack *p = w->hand[solid[i]->member].pack;
        if (p->field[SN__FRICTION]) factor[i] = sn__pack_value(p, SN__FRICTION, w->copy, 0);
    }
    return b->member < 0 ? factor[0] : sqrt(factor[0] * factor[1]);
}

/* How the first of two solids moves past the second in a step. */
struct passing {
    double way[3]; /* of its centre */
    double turn;   /* of either, rad, where it matters */
    bool fast;     /* that is far for their size */
};

static struct passing passing_of(const struct sn__worker *w, const struct sn__solid *a,
                                 const struct sn__solid *b, double h) {
    struct passing p = {.fast = false};
    if (isinf(b->reach)) return p; /* what is behind a plane stays there */
    const struct sn__solid *solid[2] = {a, b};
    double v[2][3];
    for (int s = 0; s < 2; s++) {
        const struct sn__solid *x = solid[s];
        const double *angular =
            x->member < 0 ? x->angular : w->hand[x->member].place + SN__PLACE * x->body + 15;
        sn__solid_velocity(w, x, x->geom.pos, v[s]);
        if (x->geom.type != SN__GEOM_SPHERE) p.turn = fmax(p.turn, h * dvec_length(angular));
    }
    for (int k = 0; k < 3; k++)
        p.way[k] = h * (v[0][k] - v[1][k]);
    const double size = fmin(sn__geom_inner(&a->geom), b->member < 0 ? HUGE_VAL : sn__geom_inner(&b->geom));
    p.fast = dvec_length(p.way) > fmax(w->world->def.margin, 0.5 * size);
    return p;
}

/* The second's point lies where the touch is, the first's `back` from there. */
static void add_contact(struct sn__worker *w, int a, int b, const struct sn__touch *touch,
                        const double back[3]) {
    const struct sn__solid *first = &w->solid[a], *second = &w->solid[b];
    struct sn__contact *c = new_contact(w, touch->gap);
    if (!c) return;
    memset(c, 0, sizeof *c);
    c->pair = (uint64_t)!isinf(second->reach) << 63 | (uint64_t)(uint32_t)a << 31 | (uint32_t)b;
    c->solid[0] = a, c->solid[1] = b;
    c->feature = touch->feature;
    c->gap = touch->gap;
    c->row = -1;
    for (int k = 0; k < 3; k++) {
        c->pos[k] = touch->pos[k] - back[k];
        c->other[k] = touch->pos[k];
        c->apart[k] = first->geom.pos[k] - second->geom.pos[k];
        c->normal[k] = touch->normal[k];
    }
    if (touch->feature != SN__CORE) {
        c->mu = sqrt(first->friction * second->friction) * friction_factor(w, first, second);
        c->restitution = fmax(first->restitution, second->restitution);
    }
    c->approach = approach_of(w, c);
}

static const double TURNS_FAR = 0.2; /* rad in a step: where it will touch is open */

/* Points where they will meet. */
static void collide_swept(struct sn__worker *w, int a, int b, double reach, const struct passing *p) {
    struct sn__swept swept[SN__MOST_TOUCHES];
    const int n = sn__collide_swept(&w->solid[a].geom, p->way, &w->solid[b].geom, w->world->def.margin,
                                    p->turn > TURNS_FAR ? reach : 0, swept);
    for (int i = 0; i < n; i++) {
        const double t = swept[i].t, back[3] = {t * p->way[0], t * p->way[1], t * p->way[2]};
        add_contact(w, a, b, &swept[i].touch, back);
    }
}

static const double NOWHERE[3] = {0, 0, 0};

/* Points where they are nearest now, and none farther than the margin if they will not meet. */
static void collide_nearest(struct sn__worker *w, int a, int b, double reach, const struct passing *p) {
    const struct sn__geom *first = &w->solid[a].geom, *second = &w->solid[b].geom;
    struct sn__touch touch[SN__MOST_TOUCHES];
    struct sn__swept core;
    struct sn__hit hit;
    int n = sn__collide(first, second, reach, touch);
    if (!n) return;
    const bool meet = p->turn > TURNS_FAR || sn__cast_shape(first, p->way, second, &hit);
    for (int i = 0; i < n; i++)
        if (meet || touch[i].gap < w->world->def.margin) add_contact(w, a, b, &touch[i], NOWHERE);
    const double thin = fmin(sn__geom_inner(first), sn__geom_inner(second));
    if (!meet || dvec_length(p->way) < 2 * thin || !sn__collide_core(first, p->way, second, &core)) return;
    for (int k = 0;
         k < 3 && first->type != SN__GEOM_SPHERE && sn__geom_reach(first) <= sn__geom_reach(second); k++)
        core.touch.pos[k] -= core.t * p->way[k];
    add_contact(w, a, b, &core.touch, NOWHERE);
}

/* A height field or a mesh. Over smooth ground what does not go farther than a cell meets no edge that would matter. */
static void collide_field(struct sn__worker *w, int a, int b, double reach, double h) {
    const struct sn__geom *geom = &w->solid[a].geom, *field = &w->solid[b].geom;
    const double *angular = w->hand[w->solid[a].member].place + SN__PLACE * w->solid[a].body + 15;
    struct sn__met met[SN__MOST_TOUCHES];
    double v[3];
    sn__solid_velocity(w, &w->solid[a], geom->pos, v);
    struct sn__stride stride = sn__stride_over(geom, field->field, v, angular, h, w->world->def.margin);
    if (!stride.fast) stride.reach = reach;
    const int n = sn__collide_field(geom, &stride, field, w->world->def.margin, met);
    for (int i = 0; i < n; i++)
        add_contact(w, a, b, &met[i].touch, met[i].back);
}

/* Ground never stands first. Pairs with planes and fields come before all others. What is fast meets ground where a cast
   says. Forces between two members must act at one point, or they would turn both: they are laid where the two are
   nearest, except for the event stepper, which has forces only at what touches. */
static void collide_pair(struct sn__worker *w, int a, int b, double reach, double h) {
    if (w->solid[a].member < 0) {
        const int other = a;
        a = b, b = other;
    }
    if (w->solid[b].geom.type == SN__GEOM_FIELD || w->solid[b].geom.type == SN__GEOM_MESH) {
        collide_field(w, a, b, reach, h);
        return;
    }
    const struct passing p = passing_of(w, &w->solid[a], &w->solid[b], h);
    if (p.fast && (w->solid[b].member < 0 || w->world->stepping->first_touch)) {
        collide_swept(w, a, b, reach, &p);
    } else if (p.fast) {
        collide_nearest(w, a, b, reach, &p);
    } else {
        struct sn__touch touch[SN__MOST_TOUCHES];
        const int n = sn__collide(&w->solid[a].geom, &w->solid[b].geom, reach, touch);
        for (int i = 0; i < n; i++)
            add_contact(w, a, b, &touch[i], NOWHERE);
    }
}

/* Planes and height fields against everything that moves. */
static void collide_grounds(struct sn__worker *w, double h) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        for (int k = m->member->first_solid; k < m->member->first_solid + m->member->nsolid; k++) {
            struct sn__solid *s = &w->solid[k];
            const double ahead = w->world->def.margin + stride_of(w, s, h);
            for (int g = 0; g < w->world->nground; g++) {
                if (w->world->ground[g] < 0) continue;
                const struct sn__solid *ground = &w->solid[w->world->ground[g]];
                if (!isinf(ground->reach) || !sn__solids_meet(s, ground)) continue;
                if (ground->probed && sn__world_probes(w->world, s, ground)) continue; /* kernels do */
                double reach = ahead;
                if (ground->geom.type == SN__GEOM_PLANE) {
                    if (ground->moves) {
                        double v[3];
                        sn__solid_velocity(w, ground, s->geom.pos, v);
                        reach += h * size_of(v);
                    }
                    double d = -s->reach;
                    for (int j = 0; j < 3; j++)
                        d += ground->geom.R[j][2] * (s->geom.pos[j] - ground->geom.pos[j]);
                    if (!(d < reach)) continue;
                }
                turn_solid(w, s);
                collide_pair(w, k, w->world->ground[g], reach, h);
            }
        }
    }
}

/* Whether there is anything a sweep could find. */
static bool solids_may_meet(const struct sn__worker *w) {
    return w->world->shaped > 1 || w->world->def.self_contact || w->world->unprobed > 0;
}

/* All else, by bounding boxes grown by what may be covered in the step. */
static void collide_solids(struct sn__worker *w, double h) {
    if (!solids_may_meet(w)) return;
    int n = 0;
    for (int i = 0; i < w->world->nsolid; i++) {
        struct sn__solid *s = &w->solid[i];
        if (s->member == SN__NOBODY || isinf(s->reach) || s->trigger) continue;
        if (s->member >= 0 && !w->hand[s->member].member->active) continue;
        turn_solid(w, s);
        struct sn__box box = sn__geom_bounds(&s->geom);
        const double ahead = 0.5 * w->world->def.margin + stride_of(w, s, h);
        for (int k = 0; k < 3; k++)
            box.min[k] -= ahead, box.max[k] += ahead;
        w->box[n] = box;
        w->moving[n] = s->member >= 0 && w->hand[s->member].on;
        w->swept[n++] = i;
    }
    int pairs = sn__sweeper_pairs(w->sweeper, n, w->box, w->moving, w->pair, w->pair_room);
    if (pairs > w->pair_room) {
        w->lack.any = true;
        w->lack.pairs = pairs;
        pairs = w->pair_room;
    }
    for (int i = 0; i < pairs; i++) {
        const int a = w->swept[w->pair[i].a], b = w->swept[w->pair[i].b];
        const struct sn__solid *first = &w->solid[a], *second = &w->solid[b];
        if (!may_touch(w, first, second)) continue;
        collide_pair(w, a, b, w->world->def.margin + stride_of(w, first, h) + stride_of(w, second, h), h);
    }
}

/* ----------------------------------------------------------------------------------------------- matching */

/* The load of contacts of a pair that are gone, list[first .. end) of the last step, goes to those of the pair that are
   new, or to all: a first guess for rows. */
static void pass_load_on(struct sn__contact *list, int first, int end, const double lost[3]) {
    int fresh = 0;
    for (int i = first; i < end; i++)
        fresh += !list[i].old;
    const double share = 1.0 / (fresh ? fresh : end - first);
    for (int i = first; i < end; i++)
        for (int k = 0; k < 3 && (!fresh || !list[i].old); k++)
            list[i].force[k] += share * lost[k];
}

static void share_lost_loads(struct sn__worker *w) {
    for (int i = 0, k = 0, end; i < w->ncontact; i = end) {
        const uint64_t pair = w->contact[i].pair;
        double lost[3] = {0, 0, 0};
        int old = i;
        for (end = i; end < w->ncontact && w->contact[end].pair == pair;)
            end++;
        while (k < w->nlast && w->last[k].pair < pair)
            k++;
        for (; k < w->nlast && w->last[k].pair == pair; k++) {
            while (old < end && w->contact[old].feature < w->last[k].feature)
                old++;
            if (old < end && w->contact[old].feature == w->last[k].feature) continue;
            for (int j = 0; j < 3; j++)
                lost[j] += w->last[k].force[j];
        }
        if (lost[0] != 0 || lost[1] != 0 || lost[2] != 0) pass_load_on(w->contact, i, end, lost);
    }
}

static void inherit(struct sn__worker *w) {
    for (int i = 0, k = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        while (k < w->nlast && sn__contact_before(&w->last[k], c))
            k++;
        if (k == w->nlast) break;
        const struct sn__contact *old = &w->last[k];
        if (old->pair != c->pair || old->feature != c->feature) continue;
        c->old = true;
        c->sliding = old->sliding;
        c->lambda = old->lambda;
        memcpy(c->force, old->force, sizeof c->force);
        memcpy(c->anchor, old->anchor, sizeof c->anchor);
        memcpy(c->impact, old->impact, sizeof c->impact);
        memcpy(c->tangent, old->tangent, sizeof c->tangent);
    }
    share_lost_loads(w);
}

/* Contact inside MABA gives way a little, which must not be more than what it holds back is thick. What is in the front of a
   mesh must stay there, or the mesh does not hold it any more. */
static bool is_soft_enough(const struct sn__worker *w, const struct sn__contact *c, double h) {
    const struct sn__geom *a = &w->solid[c->solid[0]].geom, *b = &w->solid[c->solid[1]].geom;
    const double part = b->type == SN__GEOM_MESH ? 0.5 : 2;
    return c->feature != SN__CORE &&
           -c->approach * h - c->gap < part * fmin(sn__geom_inner(a), sn__geom_inner(b));
}

void sn__worker_find_contacts(struct sn__worker *w, double h) {
    struct sn__contact *last = w->last;
    w->last = w->contact, w->nlast = w->ncontact;
    w->contact = last, w->ncontact = 0;
    if (w->world->def.contact == SN_CONTACT_NONE) return;
    collide_grounds(w, h);
    collide_solids(w, h);
    sn__contacts_sort(w->contact, w->ncontact);
    if (w->world->carriers || w->world->filter.call) sn__worker_filter_contacts(w);
    inherit(w);
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        c->implicit = w->world->def.contact == SN_CONTACT_IMPLICIT && w->solid[c->solid[1]].member < 0 &&
                      !(c->restitution > 0) && is_soft_enough(w, c, h);
    }
}

void sn__worker_match_contacts(struct sn__worker *w) {
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        c->old = c->sliding = c->waits = c->called = false;
        c->lambda = 0;
        c->row = -1;
        memset(c->force, 0, sizeof c->force);
        memset(c->anchor, 0, sizeof c->anchor);
        memset(c->impact, 0, sizeof c->impact);
        memset(c->tangent, 0, sizeof c->tangent);
    }
    inherit(w);
}

void sn__worker_take_contacts_back(struct sn__worker *w) {
    struct sn__contact *contact = w->contact;
    w->contact = w->last, w->ncontact = w->nlast;
    w->last = contact, w->nlast = 0;
}
