/* What kernels look up by themselves, copies abreast: points of members over planes and height fields, in the places where
 * src/collide finds contacts with a plane (middles of spheres, ends of capsules, corners of boxes, vertices of hulls, a
 * few where there are many), and joints with limits. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "collide/shape.h"
#include "model/hull.h"
#include "world/copy.h"
#include "world/fields.h"
#include "world/hand.h"
#include "world/probes.h"
#include "world/setting.h"
#include "world/steppers.h"
#include "model/joint.h"

/* Which point of which shape a probe is, and over which ground: for reports. */
struct named {
    int32_t solid, ground; /* solid counts from the member's first */
    uint32_t feature;
};

struct sn__pack_ground {
    int users;           /* members of one model, and the world */
    struct sn__ground g; /* what all blocks share */
    int nprobe, nside;
    struct sn__probed *probed;
    struct sn__probe *probe;
    struct named *named; /* [nprobe] */
    int32_t *body;       /* [nprobe] */
    struct sn__stops *stops;
    double *share; /* [nbody] */
    int nedge;
    struct sn__edge_solid *edge; /* [nedge]: solids over height fields */
    char *edge_own;              /* [nedge] of what edges.c knows about them */
};

/* ------------------------------------------------------------------------------------------------- surfaces */

/* Implicit contact with a plane that stands still, or with a height field. */
static bool is_surface(const sn_world *w, const struct sn__solid *s) {
    return w->def.contact == SN_CONTACT_IMPLICIT && isinf(s->reach) && !s->moves && !s->trigger;
}

static void fill_surface(sn_world *w, int number, const struct sn__solid *s) {
    struct sn__surface *surface = &w->surface[number];
    struct sn__terrain *terrain = &w->terrain[number];
    memset(surface, 0, sizeof *surface);
    if (s->geom.type == SN__GEOM_PLANE) {
        for (int k = 0; k < 3; k++) {
            surface->normal[k] = s->geom.R[k][2];
            surface->offset += s->geom.R[k][2] * s->geom.pos[k];
        }
        return;
    }
    const struct sn__field *f = s->geom.field;
    const void *height =
        w->def.precision == SN_PRECISION_DOUBLE ? (const void *)f->height : (const void *)f->height32;
    *terrain = (struct sn__terrain){
        f->nx,  f->ny,   {f->origin[0], f->origin[1], f->origin[2]}, {f->step[0], f->step[1]}, f->highest,
        height, f->sharp};
    surface->terrain = terrain;
}

sn_status sn__surfaces_make(sn_world *w) {
    w->nsurface = 0;
    for (int g = 0; g < w->nground; g++) {
        if (w->ground[g] < 0) continue;
        struct sn__solid *s = &w->solid[w->ground[g]];
        s->probed = is_surface(w, s);
        if (!s->probed) continue;
        if (w->nsurface == w->surface_room) {
            const int room = 2 * w->nsurface + 4;
            void *a = sn__alloc((size_t)room, sizeof *w->surface),
                 *b = sn__alloc((size_t)room, sizeof *w->terrain),
                 *c = sn__alloc((size_t)room, sizeof *w->surface_ground);
            if (!a || !b || !c) {
                sn__free(a), sn__free(b), sn__free(c);
                return SN_ERROR_MEMORY;
            }
            sn__free(w->surface), sn__free(w->terrain), sn__free(w->surface_ground);
            w->surface = a, w->terrain = b, w->surface_ground = c;
            w->surface_room = room;
            return sn__surfaces_make(w); /* from the start, with room */
        }
        w->surface_ground[w->nsurface] = g;
        fill_surface(w, w->nsurface++, s);
    }
    return SN_OK;
}

/* --------------------------------------------------------------------------------------------------- points */

/* The points of a shape, in its own axes; their number. */
static int shape_points(const struct sn__geom *g, double at[SN__HULL_PROBES][3], double *radius) {
    *radius = g->type >= SN__GEOM_BOX ? 0 : g->size[0];
    if (g->type == SN__GEOM_HULL) {
        for (int i = 0; i < g->hull->nprobe; i++)
            memcpy(at[i], g->hull->vertex[g->hull->probe[i]], sizeof at[i]);
        return g->hull->nprobe;
    }
    if (g->type == SN__GEOM_BOX) {
        for (int c = 0; c < 8; c++)
            for (int k = 0; k < 3; k++)
                at[c][k] = c >> k & 1 ? g->size[k] : -g->size[k];
        return 8;
    }
    const double half = g->type == SN__GEOM_CAPSULE ? g->size[1] : 0;
    memset(at, 0, 2 * sizeof *at);
    at[0][2] = -half, at[1][2] = half;
    return half > 0 ? 2 : 1;
}

static double mu_of(const sn_world *w, const struct sn__solid *s, const struct sn__solid *ground) {
    return w->def.friction == SN_FRICTION_NONE ? 0 : sqrt(s->friction * ground->friction);
}

static bool is_probed(const sn_world *w, const struct sn__solid *s, const struct sn__solid *ground) {
    return sn__solids_meet(s, ground) && sn__world_probes(w, s, ground);
}

/* Writes the points of one solid over one piece of ground and returns how many. */
static int add_solid(const sn_world *w, const struct sn__solid *s, const struct sn__solid *ground,
                     struct sn__pack_ground *pg, int at, int first_solid, double *reach) {
    double local[SN__HULL_PROBES][3], radius;
    if (!is_probed(w, s, ground)) return 0;
    const int n = shape_points(&s->geom, local, &radius);
    for (int i = 0; pg && i < n; i++) {
        struct sn__probe *probe = &pg->probe[at + i];
        for (int k = 0; k < 3; k++)
            probe->at[k] =
                s->pos[k] + s->R[k][0] * local[i][0] + s->R[k][1] * local[i][1] + s->R[k][2] * local[i][2];
        probe->radius = radius;
        probe->mu = mu_of(w, s, ground);
        *reach = fmax(*reach, dvec_length(probe->at) + radius);
        pg->body[at + i] = s->body;
        const uint32_t feature = (uint32_t)(s->geom.type == SN__GEOM_HULL ? s->geom.hull->probe[i] : i);
        pg->named[at + i] = (struct named){(int32_t)(s - w->solid) - first_solid, ground->body, feature};
    }
    return n;
}

/* Slots for the contacts of one solid with edges of a height field, from `at` on; how many. */
static int add_slots(const sn_world *w, const struct sn__solid *s, const struct sn__solid *ground,
                     struct sn__pack_ground *pg, int at, int first_solid) {
    if (!is_probed(w, s, ground)) return 0;
    const int n = sn__edge_slots(&s->geom);
    if (!pg) return n;
    sn__edge_solid_make(s, ground, mu_of(w, s, ground), at,
                        pg->edge_own + sn__edge_own_size() * (size_t)pg->nedge, &pg->edge[pg->nedge]);
    pg->nedge++;
    for (int i = 0; i < n; i++) {
        pg->body[at + i] = s->body;
        pg->named[at + i] = (struct named){(int32_t)(s - w->solid) - first_solid, ground->body,
                                           UINT32_C(0x1000) + (uint32_t)i};
    }
    return n;
}

static bool has_slots(const sn_world *w, int surface) {
    return w->surface[surface].terrain && !w->stepping->points_only;
}

/* Counts the points and slots of a member, or writes them (pg not NULL), in the order of bodies. */
static int walk_points(const sn_world *w, const struct sn__member *m, struct sn__pack_ground *pg) {
    int n = 0;
    for (int from = m->first_solid, to; from < m->first_solid + m->nsolid; from = to) {
        const int body = w->solid[from].body;
        for (to = from; to < m->first_solid + m->nsolid && w->solid[to].body == body; to++) {
        }
        for (int u = 0; u < w->nsurface; u++) {
            const struct sn__solid *ground = &w->solid[w->ground[w->surface_ground[u]]];
            struct sn__probed p = {.body = body, .surface = u, .first = n};
            for (int i = from; i < to; i++)
                p.count += add_solid(w, &w->solid[i], ground, pg, n + p.count, m->first_solid, &p.reach);
            if (pg) p.solid = pg->edge + pg->nedge;
            for (int i = from; i < to && has_slots(w, u); i++)
                p.slots += add_slots(w, &w->solid[i], ground, pg, n + p.count + p.slots, m->first_solid);
            if (pg) p.nsolid = (int32_t)(pg->edge + pg->nedge - p.solid);
            if (pg && p.count) pg->probed[pg->g.nprobed++] = p;
            n += p.count + p.slots;
        }
    }
    return n;
}

static bool make_points(const sn_world *w, const struct sn__member *m, struct sn__pack_ground *pg) {
    const size_t room = (size_t)(pg->nprobe = walk_points(w, m, NULL));
    pg->probe = sn__alloc(room + 1, sizeof *pg->probe);
    pg->named = sn__alloc(room + 1, sizeof *pg->named);
    pg->body = sn__alloc(room + 1, sizeof *pg->body);
    pg->probed = sn__alloc((size_t)m->model->nbody * (size_t)w->nsurface + 1, sizeof *pg->probed);
    const size_t solids = (size_t)m->nsolid * (size_t)w->nsurface + 1;
    pg->edge = sn__alloc(solids, sizeof *pg->edge);
    pg->edge_own = sn__alloc(solids, sn__edge_own_size());
    if (!pg->probe || !pg->named || !pg->body || !pg->probed || !pg->edge || !pg->edge_own) return false;
    walk_points(w, m, pg);
    return true;
}

/* Of a body and all that hangs on it. */
static double mass_from(const sn_model *model, int body) {
    double mass = 0;
    for (int i = body; i < model->nbody; i++) {
        int k = i;
        while (k > body)
            k = model->body[k].parent;
        if (k == body) mass += model->body[i].mass;
    }
    return mass;
}

/* What a joint's limit must hold beside the inertia that hangs on it: a light limb on which the whole character lands. */
static double load_on(const sn_model *model, int body) {
    const double mass = mass_from(model, body);
    return mass > 0 ? fmin(30, fmax(1, 0.08 * model->mass / mass)) : 1;
}

/* What is light hangs on a joint and is less than 0.3 % of the character: fingers, no feet. */
static double lightness(const sn_model *model, int body) {
    return model->mass > 0 ? mass_from(model, body) / (0.003 * model->mass) : 1;
}

/* Contacts of light parts are softer: as stiff as those of the whole body, they would be 100,000 times as stiff as what they
   carry is heavy, and a solve would have as many sharp corners as a hand has points. */
static bool make_shares(const sn_model *model, struct sn__pack_ground *pg) {
    pg->share = sn__alloc((size_t)model->nbody + 1, sizeof *pg->share);
    for (int i = 0; pg->share && i < model->nbody; i++) {
        const double light = lightness(model, i);
        pg->share[i] = light < 1 ? light * sqrt(light) : 1;
    }
    return pg->share != NULL;
}

static bool limits_are_rows(const sn_world *w) {
    return w->def.contact == SN_CONTACT_ROWS || w->stepping->limits_as_rows;
}

static bool make_stops(const sn_world *w, const struct sn__member *m, struct sn__pack_ground *pg) {
    const sn_model *model = m->model;
    const double *inertia = w->known[m->known].inertia;
    if (!w->def.joint_limits) return true;
    pg->stops = sn__alloc((size_t)model->nbody + 1, sizeof *pg->stops);
    for (int i = 0; pg->stops && i < model->nbody; i++) {
        const sn_joint_def *j = &model->body[i].joint;
        if (!j->limited || sn__joint_is_free(&model->body[i]) || !model->body[i].nv) continue;
        struct sn__stops *s = &pg->stops[pg->g.nstops++];
        const double load = load_on(model, i);
        const bool three = !sn__joint_is_ball(&model->body[i]) && model->body[i].nv == 3;
        *s = (struct sn__stops){.body = i, .side = pg->nside, .nside = three ? 6 : 4};
        memcpy(s->lower, j->lower, sizeof s->lower);
        memcpy(s->upper, j->upper, sizeof s->upper);
        for (int k = 0; k < model->body[i].nv; k++)
            s->inertia[k] = inertia[model->body[i].v_index + k] * load;
        /* an impact throws what is light past any of its limits */
        s->near = lightness(model, i) < 1 && !limits_are_rows(w) ? 10 : 0.05;
        pg->nside += s->nside;
    }
    return pg->stops != NULL;
}

/* --------------------------------------------------------------------------------------------------- memory */

static void give_back(struct sn__pack_ground *pg) {
    if (!pg || --pg->users) return;
    sn__free_all(pg->probed, pg->probe, pg->named, pg->body, pg->stops, pg->share, pg->edge, pg->edge_own,
                 pg);
}

void sn__world_forget_probes(sn_world *w) {
    for (int i = 0; i < w->nknown; i++) {
        give_back(w->known[i].ground);
        w->known[i].ground = NULL;
    }
}

void sn__probes_release(struct sn__pack *p) {
    if (!p->ground) return;
    sn__position_release(p);
    give_back(p->ground);
    sn__free_all(p->live, p->borrows ? NULL : p->ground_work);
    p->ground = p->ground_work = NULL;
    p->live = NULL;
    for (enum sn__array f = SN__TOUCH; f <= SN__STOP; f++) {
        sn__free(p->field[f]);
        p->field[f] = NULL, p->stride[f] = 0;
    }
    p->touch_size = p->stop_size = 0;
}

/* Records in lanes, then four lists. */
size_t sn__probes_bytes(const struct sn__pack *p) {
    const struct sn__pack_ground *pg = p->ground;
    const size_t contacts = (size_t)(pg->nprobe + p->extras), nside = (size_t)pg->nside;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    return (contacts * SN__CONTACT_VALUES + nside * SN__LIMIT_VALUES) * value +
           2 * (contacts + nside) * sizeof(int32_t) + 64;
}

struct sn__ground sn__probes_of(const struct sn__pack *p, int block) {
    const struct sn__pack_ground *pg = p->ground;
    const size_t contacts = (size_t)(pg->nprobe + p->extras), nside = (size_t)pg->nside;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    struct sn__ground g = pg->g;
    char *work = p->ground_work;
    g.touch = sn__pack_at(p, SN__TOUCH, block);
    g.stop = sn__pack_at(p, SN__STOP, block);
    g.live = p->live + (size_t)(pg->nprobe + pg->nside) * (size_t)block;
    g.contacts.value = work;
    g.contacts.limit = work + contacts * SN__CONTACT_VALUES * value;
    int32_t *list =
        (int32_t *)(void *)(work + (contacts * SN__CONTACT_VALUES + nside * SN__LIMIT_VALUES) * value);
    g.contacts.body = list, g.which = list + contacts;
    g.contacts.limit_body = list + 2 * contacts, g.which_side = list + 2 * contacts + nside;
    return g;
}

/* Bounds of friction follow the normal force for a while and are held then, from where on the problem is convex: after 12
   sweeps friction of a fall is within 1 % of mu f_n in the mean, after more within any tolerance.
   The majorised derivative is the better one far from the solution; a crowd is never near it. */
static struct sn__effort effort_of(const sn_world_def *d) {
    const struct sn__setting *s = sn__setting_of(d);
    const int some = d->sweeps / 2 > 24 ? d->sweeps / 2 : 12;
    return (struct sn__effort){.sweeps = d->sweeps,
                               .spare = s->spare,
                               .late = s->late,
                               .refreshes = s->refreshes ? s->refreshes : some,
                               .majorised = s->majorised ? s->majorised : d->sweeps,
                               .looks = s->looks,
                               .tolerance = d->sweep_tolerance};
}

/* What members of a model have in common. */
static struct sn__pack_ground *make_ground(const sn_world *w, const struct sn__member *m) {
    struct sn__pack_ground *pg = sn__alloc(1, sizeof *pg);
    if (!pg) return NULL;
    pg->users = 1;
    const bool fine = make_points(w, m, pg) && make_stops(w, m, pg) && make_shares(m->model, pg);
    pg->g.mass = m->model->mass / 8;
    pg->g.compliance = w->def.compliance;
    pg->g.recovery = w->def.recovery;
    pg->g.recovery_speed = w->def.recovery_speed, pg->g.limit_speed = w->def.limit_speed;
    pg->g.margin = w->def.margin;
    pg->g.inertia = sn__setting_of(&w->def)->guarded ? w->known[m->known].inertia : NULL;
    pg->g.stops_apart = limits_are_rows(w);
    pg->g.surface = w->surface;
    pg->g.probed = pg->probed, pg->g.probe = pg->probe, pg->g.stops = pg->stops, pg->g.share = pg->share;
    pg->g.nprobe = pg->nprobe;
    if (fine) return pg;
    give_back(pg);
    return NULL;
}

sn_status sn__probes_make(sn_world *w, struct sn__member *m) {
    struct sn__pack *p = &m->pack;
    struct sn__known *known = &w->known[m->known];
    if (!known->ground) known->ground = make_ground(w, m);
    struct sn__pack_ground *pg = known->ground;
    if (!pg) return SN_ERROR_MEMORY;
    pg->users++;
    p->ground = pg;
    p->extras = 0;
    p->effort = effort_of(&w->def);
    p->touch_size = 6 * (size_t)pg->nprobe, p->stop_size = (size_t)pg->nside;
    p->ground_bytes = sn__probes_bytes(p);
    bool fine = !w->stepping->make || w->stepping->make(w, m, &pg->g, pg->nside);
    const size_t memory = (size_t)(pg->nprobe + pg->nside);
    fine = fine && (p->live = sn__alloc(memory * (size_t)p->blocks + 1, 1)) &&
           (p->borrows || (p->ground_work = sn__alloc_aligned(p->ground_bytes)));
    fine = fine && !sn__pack_own(p, SN__TOUCH) && !sn__pack_own(p, SN__STOP);
    if (fine) return SN_OK;
    sn__probes_release(p);
    return SN_ERROR_MEMORY;
}

/* -------------------------------------------------------------------------------------------- what came out */

static double value_at(const struct sn__pack *p, const void *record, int index, int lane) {
    const int at = index * p->k->info.width + lane;
    return p->def.precision == SN_PRECISION_DOUBLE ? ((const double *)record)[at]
                                                   : (double)((const float *)record)[at];
}

/* What a solve says about each copy of the block: how far from their laws forces have stayed. */
void sn__probes_settled(const struct sn__pack *p, int copies, sn_world_stats *stats) {
    for (int lane = 0; lane < copies; lane++) {
        const double off = value_at(p, p->work, 0, lane);
        if (!(off > 0)) continue;
        stats->unsettled++;
        if (off > stats->sweep_residual) stats->sweep_residual = off;
    }
}

int sn__probes_report(const sn_world *w, const struct sn__hand *h, int lane, int n, struct sn__contact *list,
                      int room) {
    const struct sn__pack *p = h->pack;
    const struct sn__ground *g = h->ground;
    const struct sn__pack_ground *pg = p->ground;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    for (int k = 0; k < g->contacts.count && n < room; k++) {
        if (g->which[k] >= pg->nprobe) continue;
        const char *x = (const char *)g->contacts.value + value * SN__CONTACT_VALUES * (size_t)k;
        if (!(value_at(p, x, SN__BN, lane) > 0)) continue; /* not near in this lane */
        const struct named *name = &pg->named[g->which[k]];
        const int a = h->member->first_solid + name->solid, b = w->ground[name->ground];
        struct sn__contact *c = &list[n++];
        *c = (struct sn__contact){.pair = (uint64_t)(uint32_t)a << 31 | (uint32_t)b,
                                  .solid = {a, b},
                                  .feature = name->feature,
                                  .implicit = true,
                                  .probe = true,
                                  .row = -1};
        for (int i = 0; i < 3; i++) {
            c->pos[i] = value_at(p, x, SN__AT + i, lane);
            c->normal[i] = value_at(p, x, SN__NORMAL + i, lane);
            c->force[i] = value_at(p, x, SN__FORCE + i, lane);
        }
        c->gap = value_at(p, x, SN__GAP, lane);
        c->mu = value_at(p, x, SN__MU, lane);
        const double fn = dvec_dot(c->force, c->normal), ft2 = dvec_dot(c->force, c->force) - fn * fn;
        c->sliding = fn > 0 && ft2 >= 0.98 * c->mu * c->mu * fn * fn;
    }
    return n;
}

void sn__probes_force(const struct sn__pack *p, int copy, double *force) {
    for (int i = 0; i < p->ground->nprobe; i++)
        for (int k = 0; k < 3; k++)
            force[3 * p->ground->body[i] + k] += sn__pack_value(p, SN__TOUCH, copy, 6 * i + k);
}

void sn__probes_forget(struct sn__pack *p, int copy) {
    if (p->ground->nprobe > 0) sn__pack_put(p, SN__TOUCH, copy, 6 * p->ground->nprobe, NULL);
    if (p->ground->nside > 0) sn__pack_put(p, SN__STOP, copy, p->ground->nside, NULL);
}

void sn__probes_enliven(struct sn__pack *p) {
    memset(p->live, 1, (size_t)(p->ground->nprobe + p->ground->nside) * (size_t)p->blocks);
}
