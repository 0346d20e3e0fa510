/* Ground for a pack: the points of a model that may touch it, in the same places where src/collide finds contacts with
 * a plane: middles of spheres, ends of capsules, corners of boxes. */
#include "world/pack_ground.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/collide.h"
#include "dynamics/gains.h"
#include "world/world.h"

struct sn__pack_ground {
    struct sn__ground g; /* what all blocks share */
    int nprobe, nside;
    struct sn__probed *probed;
    struct sn__probe *probe;
    int32_t *body; /* [nprobe] */
    struct sn__stops *stops;
    struct sn__terrain terrain;
    void *height;
    uint8_t *live; /* [blocks][nprobe + nside] */
};

/* ------------------------------------------------------------------------------------------------- points */

static bool meets(const sn_shape_def *a, const sn_shape_def *b) {
    return (a->group & b->mask) || (b->group & a->mask);
}

/* The points of a shape, in its own axes; their number. */
static int shape_points(const struct sn__geom *g, double at[8][3], double *radius) {
    *radius = g->type == SN__GEOM_BOX ? 0 : g->size[0];
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

/* Writes the points of one shape and returns how many; with probe NULL only counts. */
static int add_shape(const sn_model *model, int body, const sn_shape_def *shape, const sn_shape_def *ground,
                     bool friction, struct sn__probe *probe, double *reach) {
    struct sn__geom g;
    double rot[4], at[8][3], radius;
    if (!meets(shape, ground) || !sn__geom_make(shape, &g, rot)) return 0;
    const int n = shape_points(&g, at, &radius);
    for (int i = 0; probe && i < n; i++) {
        double turned[3];
        dquat_rotate(rot, at[i], turned);
        for (int k = 0; k < 3; k++)
            probe[i].at[k] = turned[k] + shape->pos[k] - model->body[body].joint.anchor[k];
        probe[i].radius = radius;
        probe[i].mu = friction ? sqrt(shape->friction * ground->friction) : 0;
        *reach = fmax(*reach, dvec_length(probe[i].at) + radius);
    }
    return n;
}

static bool make_probes(struct sn__pack_ground *pg, const sn_model *model, const sn_shape_def *ground,
                        bool friction) {
    int room = 0;
    for (int b = 0; b < model->nbody; b++)
        for (int k = 0; k < model->body[b].nshape; k++)
            room += add_shape(model, b, &model->shape[model->body[b].first_shape + k], ground, friction, NULL,
                              NULL);
    pg->probe = sn__alloc((size_t)room + 1, sizeof *pg->probe);
    pg->body = sn__alloc((size_t)room + 1, sizeof *pg->body);
    pg->probed = sn__alloc((size_t)model->nbody, sizeof *pg->probed);
    if (!pg->probe || !pg->body || !pg->probed) return false;
    for (int b = 0; b < model->nbody; b++) {
        struct sn__probed *p = &pg->probed[pg->g.nprobed];
        *p = (struct sn__probed){.body = b, .first = pg->nprobe};
        for (int k = 0; k < model->body[b].nshape; k++)
            p->count += add_shape(model, b, &model->shape[model->body[b].first_shape + k], ground, friction,
                                  pg->probe + p->first + p->count, &p->reach);
        for (int k = 0; k < p->count; k++)
            pg->body[p->first + k] = b;
        pg->nprobe += p->count;
        pg->g.nprobed += p->count > 0;
    }
    return true;
}

static bool make_stops(struct sn__pack_ground *pg, const sn_model *model) {
    double *inertia = sn__alloc((size_t)model->nv + 1, sizeof *inertia);
    pg->stops = sn__alloc((size_t)model->nbody, sizeof *pg->stops);
    bool fine = inertia && pg->stops;
    fine = fine && !sn__joint_inertia(model, NULL, inertia);
    for (int i = 0; fine && i < model->nbody; i++) {
        const sn_joint_def *j = &model->body[i].joint;
        if (!j->limited || j->type == SN_JOINT_FREE || j->type == SN_JOINT_WELD) continue;
        struct sn__stops *s = &pg->stops[pg->g.nstops++];
        *s = (struct sn__stops){i, pg->nside, {j->lower[0], j->lower[1]}, {j->upper[0], j->upper[1]}, {0}};
        for (int k = 0; k < model->body[i].nv; k++)
            s->inertia[k] = inertia[model->body[i].v_index + k];
        pg->nside += SN__SIDES;
    }
    sn__free(inertia);
    return fine;
}

/* ------------------------------------------------------------------------------------------------- memory */

void sn__pack_release_ground(struct sn__pack *p) {
    struct sn__pack_ground *pg = p->ground;
    if (!pg) return;
    sn__free(pg->probed);
    sn__free(pg->probe);
    sn__free(pg->body);
    sn__free(pg->stops);
    sn__free(pg->height);
    sn__free(pg->live);
    sn__free(pg);
    sn__free(p->ground_work);
    p->ground = p->ground_work = NULL;
    for (enum sn__array f = SN__TOUCH; f <= SN__STOP; f++) {
        sn__free(p->field[f]);
        p->field[f] = NULL, p->stride[f] = 0;
    }
}

/* Records in lanes, then four lists. */
static size_t ground_work(const struct sn__pack *p) {
    const struct sn__pack_ground *pg = p->ground;
    const size_t nprobe = (size_t)pg->nprobe, nside = (size_t)pg->nside;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    return (nprobe * SN__CONTACT_VALUES + nside * SN__LIMIT_VALUES) * value +
           2 * (nprobe + nside) * sizeof(int32_t) + 64;
}

struct sn__ground sn__pack_ground_of(const struct sn__pack *p, int block) {
    const struct sn__pack_ground *pg = p->ground;
    const size_t nprobe = (size_t)pg->nprobe, nside = (size_t)pg->nside;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    struct sn__ground g = pg->g;
    char *work = p->ground_work;
    g.touch = sn__pack_at(p, SN__TOUCH, block);
    g.stop = sn__pack_at(p, SN__STOP, block);
    g.live = pg->live + (nprobe + nside) * (size_t)block;
    g.stops_live = pg->nprobe;
    g.contacts.value = work;
    g.contacts.limit = work + nprobe * SN__CONTACT_VALUES * value;
    int32_t *list =
        (int32_t *)(void *)(work + (nprobe * SN__CONTACT_VALUES + nside * SN__LIMIT_VALUES) * value);
    g.contacts.body = list, g.which = list + nprobe;
    g.contacts.limit_body = list + 2 * nprobe, g.which_side = list + 2 * nprobe + nside;
    return g;
}

/* What ground of any kind begins with. */
static sn_status begin(struct sn__pack *p, const struct sn__touch_def *def, const sn_shape_def *material,
                       sn_error *error) {
    const struct sn__pack_def *d = &p->def;
    if (d->solver != SN_SOLVER_MABA || d->route != SN_ROUTE_DIRECT || d->integrator != SN_SEMI_IMPLICIT_EULER)
        return sn__fail(
            error, SN_ERROR_UNSUPPORTED,
            "ground and joint limits need the MABA solver, the direct route and semi-implicit Euler");
    struct sn__pack_ground *pg = sn__alloc(1, sizeof *pg);
    if (!pg) return sn__fail(error, SN_ERROR_MEMORY, "no memory for ground");
    sn__pack_release_ground(p);
    p->ground = pg;
    pg->g.mass = p->model->mass / 8;
    pg->g.compliance = def->compliance;
    pg->g.recovery = def->recovery;
    pg->g.margin = def->margin;
    pg->g.tolerance = def->tolerance;
    pg->g.sweeps = def->sweeps;
    pg->g.any = material != NULL;
    bool fine = (!material || make_probes(pg, p->model, material, def->friction)) &&
                (!p->joint_limits || make_stops(pg, p->model));
    pg->g.probed = pg->probed, pg->g.probe = pg->probe, pg->g.stops = pg->stops;
    const size_t memory = (size_t)(pg->nprobe + pg->nside);
    p->touch_size = 6 * (size_t)pg->nprobe, p->stop_size = (size_t)pg->nside;
    p->ground_bytes = ground_work(p);
    fine = fine && (pg->live = sn__alloc(memory * (size_t)p->blocks + 1, 1)) &&
           (p->ground_work = sn__alloc_aligned(p->ground_bytes));
    fine = fine && !sn__pack_own(p, SN__TOUCH) && !sn__pack_own(p, SN__STOP);
    if (fine) return SN_OK;
    sn__pack_release_ground(p);
    return sn__fail(error, SN_ERROR_MEMORY, "no memory for ground");
}

/* -------------------------------------------------------------------------------------------------- ground */

sn_status sn__pack_set_stops(struct sn__pack *p, const struct sn__touch_def *def, sn_error *error) {
    return begin(p, def, NULL, error);
}

static sn_status check_material(const sn_shape_def *m, sn_error *error) {
    if (m->friction >= 0 && isfinite(m->friction)) return SN_OK;
    return sn__fail(error, SN_ERROR_ARGUMENT, "friction is %g: it must be finite and not negative",
                    m->friction);
}

sn_status sn__pack_set_plane(struct sn__pack *p, const struct sn__touch_def *def, const double point[3],
                             const double normal[3], const sn_shape_def *material, sn_error *error) {
    const sn_shape_def plain = sn_shape_def_default(SN_SHAPE_BOX);
    if (!material) material = &plain;
    const double length = point && normal ? dvec_length(normal) : 0;
    if (!(length > 0) || !isfinite(length) || !isfinite(dvec_length(point)))
        return sn__fail(error, SN_ERROR_ARGUMENT, "a plane needs a point and a normal that is not zero");
    sn_status status = check_material(material, error);
    if (!status) status = begin(p, def, material, error);
    if (status) return status;
    struct sn__ground *g = &p->ground->g;
    for (int k = 0; k < 3; k++) {
        g->normal[k] = normal[k] / length;
        g->offset += g->normal[k] * point[k];
    }
    return SN_OK;
}

sn_status sn__pack_set_field(struct sn__pack *p, const struct sn__touch_def *def,
                             const sn_heightfield_def *field, const sn_shape_def *material, sn_error *error) {
    const sn_shape_def plain = sn_shape_def_default(SN_SHAPE_BOX);
    if (!material) material = &plain;
    if (!field || field->nx < 2 || field->ny < 2 || !field->height || !(field->size[0] > 0) ||
        !(field->size[1] > 0) || !isfinite(field->size[0] + field->size[1]) ||
        !isfinite(dvec_length(field->origin)))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a height field needs two points and more each way, and a size");
    const size_t n = (size_t)field->nx * (size_t)field->ny;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(field->height[i]))
            return sn__fail(error, SN_ERROR_ARGUMENT, "height %zu is not finite", i);
    sn_status status = check_material(material, error);
    if (!status) status = begin(p, def, material, error);
    if (status) return status;
    struct sn__pack_ground *pg = p->ground;
    if (!(pg->height = sn__alloc(n, p->k->elem_size))) {
        sn__pack_release_ground(p);
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a height field");
    }
    double top = field->height[0];
    for (size_t i = 0; i < n; i++) {
        top = fmax(top, field->height[i]);
        if (p->def.precision == SN_DOUBLE)
            ((double *)pg->height)[i] = field->height[i];
        else
            ((float *)pg->height)[i] = (float)field->height[i];
    }
    pg->terrain = (struct sn__terrain){field->nx,
                                       field->ny,
                                       {field->origin[0], field->origin[1], field->origin[2]},
                                       {field->size[0] / (field->nx - 1), field->size[1] / (field->ny - 1)},
                                       field->origin[2] + top,
                                       pg->height};
    pg->g.terrain = &pg->terrain;
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------- what came out */

void sn__pack_touch_force(const struct sn__pack *p, int character, double *force) {
    memset(force, 0, 3 * (size_t)p->model->nbody * sizeof *force);
    if (!p->ground) return;
    for (int i = 0; i < p->ground->nprobe; i++)
        for (int k = 0; k < 3; k++)
            force[3 * p->ground->body[i] + k] += sn__pack_value(p, SN__TOUCH, character, 6 * i + k);
}

void sn__pack_forget(struct sn__pack *p, int character) {
    if (!p->ground) return;
    for (int i = 0; i < 6 * p->ground->nprobe; i++)
        sn__pack_put_value(p, SN__TOUCH, character, i, 0);
    for (int i = 0; i < p->ground->nside; i++)
        sn__pack_put_value(p, SN__STOP, character, i, 0);
}

/* Over ground, with joint limits, or for a crowd that wants torques. */
void sn__pack_step_ground(struct sn__pack *p, int block) {
    struct sn__args args = sn__pack_args(p, block);
    struct sn__ground ground = sn__pack_ground_of(p, block);
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block),
         *qdd = sn__pack_at(p, SN__QDD, block);
    args.torque = sn__pack_at(p, SN__TORQUE, block);
    if (args.spring) p->k->springs(&args, sn__pack_at(p, SN__SPRING, block));
    p->k->step_ground(&args, &ground, q, qd, qdd);
}
