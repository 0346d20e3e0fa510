/* Where shapes are, which of them are near, and the points where they touch, matched with those of the last
 * step. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

void sn__hand_gather(const struct sn__hand *h, const void *lanes, int n, double *values) {
    const int width = h->pack->k->info.width;
    if (h->pack->def.precision == SN_DOUBLE)
        for (int i = 0; i < n; i++)
            values[i] = ((const double *)lanes)[i * width];
    else
        for (int i = 0; i < n; i++)
            values[i] = (double)((const float *)lanes)[i * width];
}

void sn__hand_spread(const struct sn__hand *h, void *lanes, int at, int n, const double *values) {
    const int width = h->pack->k->info.width;
    if (h->pack->def.precision == SN_FLOAT) {
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
    for (int i = 0; i < w->world->nmember; i++)
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
static int whole_of(const sn_model *model, int body) {
    while (body >= 0 && model->body[body].joint.type == SN_JOINT_WELD && model->body[body].parent >= 0)
        body = model->body[body].parent;
    return body;
}

static int next_inwards(const sn_model *model, int body) {
    do
        body = model->body[body].parent;
    while (body >= 0 && model->body[body].nshape == 0);
    return whole_of(model, body);
}

/* Bodies of one character touch when it wants that, unless one hangs on the other. */
static bool may_touch(const struct sn__worker *w, const struct sn__solid *a, const struct sn__solid *b) {
    if (!sn__solids_meet(a, b)) return false;
    if (a->member != b->member) return true;
    const sn_model *model = w->hand[a->member].pack->model;
    const int x = whole_of(model, a->body), y = whole_of(model, b->body);
    if (!w->world->def.self_contact || x == y) return false;
    if (next_inwards(model, x) == y || next_inwards(model, y) == x) return false;
    return !sn__model_excluded(model, a->body, b->body);
}

/* Room for one more: where to put it, or NULL. When all is full the one with the widest gap gives way. */
static struct sn__contact *new_contact(struct sn__worker *w, double gap) {
    if (w->ncontact < w->world->contact_room) return &w->contact[w->ncontact++];
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
    sn__solid_velocity(w, &w->solid[c->solid[1]], c->pos, u);
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

/* Ground never stands first. Pairs with planes and fields come before all others. */
static void collide_pair(struct sn__worker *w, int a, int b, double reach) {
    if (w->solid[a].member < 0) {
        const int other = a;
        a = b, b = other;
    }
    const struct sn__solid *first = &w->solid[a], *second = &w->solid[b];
    struct sn__touch touch[SN__MOST_TOUCHES];
    const int n = sn__collide(&first->geom, &second->geom, reach, touch);
    const uint64_t pair = (uint64_t)!isinf(second->reach) << 63 | (uint64_t)(uint32_t)a << 31 | (uint32_t)b;
    const double mu =
        n > 0 ? sqrt(first->friction * second->friction) * friction_factor(w, first, second) : 0;
    for (int i = 0; i < n; i++) {
        struct sn__contact *c = new_contact(w, touch[i].gap);
        if (!c) continue;
        memset(c, 0, sizeof *c);
        c->pair = pair;
        c->solid[0] = a, c->solid[1] = b;
        c->feature = touch[i].feature;
        memcpy(c->pos, touch[i].pos, sizeof c->pos);
        memcpy(c->normal, touch[i].normal, sizeof c->normal);
        c->gap = touch[i].gap;
        c->mu = mu;
        c->restitution = first->restitution > second->restitution ? first->restitution : second->restitution;
        c->row = -1;
        if (c->restitution > 0 || w->world->def.stepper == SN_STEPPER_EVENT) c->approach = approach_of(w, c);
    }
}

void sn__worker_refresh_approach(struct sn__worker *w) {
    for (int i = 0; i < w->ncontact; i++)
        w->contact[i].approach = approach_of(w, &w->contact[i]);
}

/* Planes and height fields against everything that moves. */
static void collide_grounds(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        for (int k = m->member->first_solid; k < m->member->first_solid + m->member->nsolid; k++) {
            struct sn__solid *s = &w->solid[k];
            const double ahead = w->world->def.margin + stride_of(w, s, h);
            for (int g = 0; g < w->world->nground; g++) {
                if (w->world->ground[g] < 0) continue;
                const struct sn__solid *ground = &w->solid[w->world->ground[g]];
                if (!isinf(ground->reach) || !sn__solids_meet(s, ground)) continue;
                if (ground->probed && !(s->restitution > 0) && !(ground->restitution > 0))
                    continue; /* kernels do */
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
                collide_pair(w, k, w->world->ground[g], reach);
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
        if (s->member == SN__NOBODY || isinf(s->reach)) continue;
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
    if (pairs > w->pair_room) pairs = w->pair_room;
    for (int i = 0; i < pairs; i++) {
        const int a = w->swept[w->pair[i].a], b = w->swept[w->pair[i].b];
        const struct sn__solid *first = &w->solid[a], *second = &w->solid[b];
        if (!may_touch(w, first, second)) continue;
        collide_pair(w, a, b, w->world->def.margin + stride_of(w, first, h) + stride_of(w, second, h));
    }
}

/* ----------------------------------------------------------------------------------------------- matching */

bool sn__contact_before(const struct sn__contact *a, const struct sn__contact *b) {
    return a->pair != b->pair ? a->pair < b->pair : a->feature < b->feature;
}

/* Nearly sorted already: pairs come in order. */
void sn__contacts_sort(struct sn__contact *c, int n) {
    for (int i = 1; i < n; i++) {
        if (!sn__contact_before(&c[i], &c[i - 1])) continue;
        const struct sn__contact x = c[i];
        int k = i;
        for (; k > 0 && sn__contact_before(&x, &c[k - 1]); k--)
            c[k] = c[k - 1];
        c[k] = x;
    }
}

static void inherit(struct sn__worker *w) {
    for (int i = 0, k = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        while (k < w->nlast && sn__contact_before(&w->last[k], c))
            k++;
        if (k == w->nlast) return;
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
}

void sn__worker_find_contacts(struct sn__worker *w, double h) {
    struct sn__contact *last = w->last;
    w->last = w->contact, w->nlast = w->ncontact;
    w->contact = last, w->ncontact = 0;
    if (w->world->def.contact == SN_CONTACT_NONE) return;
    collide_grounds(w, h);
    collide_solids(w, h);
    sn__contacts_sort(w->contact, w->ncontact);
    inherit(w);
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        c->implicit = w->world->def.contact == SN_CONTACT_IMPLICIT && w->solid[c->solid[1]].member < 0 &&
                      !(c->restitution > 0);
    }
}

void sn__worker_take_contacts_back(struct sn__worker *w) {
    struct sn__contact *contact = w->contact;
    w->contact = w->last, w->ncontact = w->nlast;
    w->last = contact, w->nlast = 0;
}
