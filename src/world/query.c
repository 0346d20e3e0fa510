/* Questions about where things are: casts, overlaps, and a pose that stands on the ground. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/definition.h"
#include "base/memory.h"
#include "base/quat.h"
#include "collide/cast.h"
#include "collide/shape.h"
#include "world/device.h"
#include "world/fields.h"
#include "world/triggers.h"
#include "model/joint.h"

/* --------------------------------------------------------------------------------------------------- placing */

/* shape.pos counts from the body's frame. */
struct sn__geom sn__solid_placed(const struct sn__member *m, const struct sn__solid *s, const double *pose) {
    struct sn__geom g = s->geom;
    double R[3][3], at[3];
    dquat_to_matrix(pose + 3, R);
    for (int i = 0; i < 3; i++)
        at[i] = s->pos[i] + m->model->body[s->body].joint.anchor[i];
    for (int i = 0; i < 3; i++) {
        g.pos[i] = pose[i] + R[i][0] * at[0] + R[i][1] * at[1] + R[i][2] * at[2];
        for (int j = 0; j < 3; j++)
            g.R[i][j] = R[i][0] * s->R[0][j] + R[i][1] * s->R[1][j] + R[i][2] * s->R[2][j];
    }
    return g;
}

const double *sn__world_poses(sn_world *w, struct sn__member *m, int copy) {
    double *poses = sn__grow(w->poses, &w->pose_room, 7 * m->model->nbody + 1, sizeof *poses);
    if (!poses) return NULL;
    w->poses = poses;
    sn__world_fetch(w);
    sn__field_read(w, m, SN_FIELD_BODY_POSE, copy, poses);
    return poses;
}

/* What one question needs beside the world, so that several threads may ask at once. */
struct room {
    void *memory;  /* NULL: no member has shapes, or there is no memory */
    double *poses; /* [nbody][7] of one member at a time */
    char *work;    /* of the kernels, on a boundary */
    char *out, *q; /* lanes [nbody][13], [nq] */
};

static size_t round_up(size_t bytes) {
    return (bytes + SN__ALIGNMENT - 1) / SN__ALIGNMENT * SN__ALIGNMENT;
}

/* Enough for the largest member, or for the one that is given. */
static struct room make_room(const sn_world *w, const struct sn__member *only) {
    struct room r = {0};
    sn__world_fetch(w);
    size_t work = 0, bodies = 0, nq = 0;
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        if (!m || !m->nsolid || (only && m != only)) continue;
        const size_t own = sn__pack_work_bytes(&m->pack);
        if (own > work) work = own;
        if ((size_t)m->model->nbody > bodies) bodies = (size_t)m->model->nbody;
        if ((size_t)m->model->nq > nq) nq = (size_t)m->model->nq;
    }
    if (!bodies) return r;
    const size_t value = w->k->elem_size * (size_t)w->k->info.width;
    const size_t part[4] = {round_up(work), round_up(13 * bodies * value), round_up(nq * value),
                            7 * bodies * sizeof *r.poses};
    r.memory = sn__resize(NULL, part[0] + part[1] + part[2] + part[3] + SN__ALIGNMENT);
    if (!r.memory) return r;
    r.work = (char *)r.memory + (SN__ALIGNMENT - (uintptr_t)r.memory % SN__ALIGNMENT);
    r.out = r.work + part[0], r.q = r.out + part[1];
    r.poses = (double *)(void *)(r.q + part[2]);
    return r;
}

/* Poses of a member's bodies, with these arguments, of one lane. */
static const double *find_poses(const sn_world *w, const struct sn__member *m, struct sn__args args, int lane,
                                const struct room *r) {
    const size_t width = (size_t)w->k->info.width;
    args.work = r->work + SN__RESIDUAL_BYTES;
    m->pack.k->kinematics(&args, r->out);
    for (int b = 0; b < m->model->nbody; b++)
        for (int k = 0; k < 7; k++)
            sn__world_widen(w, 1, r->out + ((size_t)(13 * b + k) * width + (size_t)lane) * w->k->elem_size,
                            &r->poses[7 * b + k]);
    return r->poses;
}

static const double *poses_of(const sn_world *w, const struct sn__member *m, int copy, const struct room *r) {
    const int width = w->k->info.width;
    const struct sn__args args = sn__pack_args(&m->pack, w->spread ? copy : copy / width);
    return find_poses(w, m, args, w->spread ? 0 : copy % width, r);
}

/* Poses of a member's bodies in a pose of its own. */
static const double *poses_at(const sn_world *w, const struct sn__member *m, const double *q,
                              const struct room *r) {
    const size_t value = w->k->elem_size * (size_t)w->k->info.width;
    struct sn__args args = sn__pack_args(&m->pack, 0);
    memcpy(r->poses, q, sizeof *q * (size_t)m->model->nq); /* nq is at most 7 nbody */
    sn__pose_tidy(m->model, w->def.precision, r->poses, true);
    for (int i = 0; i < m->model->nq; i++)
        for (int lane = 0; lane < w->k->info.width; lane++)
            sn__world_narrow(w, 1, &r->poses[i], r->q + (size_t)i * value + (size_t)lane * w->k->elem_size);
    args.q = r->q;
    return find_poses(w, m, args, 0, r);
}

/* ---------------------------------------------------------------------------------------------------- queries */

/* Called for each solid whose group has a bit in the mask, where it is in the copy. */
typedef void look_at(void *user, const struct sn__solid *s, const struct sn__geom *g);

static void look_at_all(const sn_world *w, int copy, uint32_t mask, look_at *look, void *user) {
    const struct room room = make_room(w, NULL);
    for (int i = 0; i < w->nground; i++) {
        const struct sn__solid *s = w->ground[i] >= 0 ? &w->solid[w->ground[i]] : NULL;
        if (s && (s->group & mask) && !s->trigger) look(user, s, &s->geom);
    }
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        const bool there = m && m->active && m->nsolid && room.memory;
        const double *pose = there ? poses_of(w, m, copy, &room) : NULL;
        for (int k = 0; pose && k < m->nsolid; k++) {
            const struct sn__solid *s = &w->solid[m->first_solid + k];
            if (!(s->group & mask) || s->trigger) continue;
            const struct sn__geom g = sn__solid_placed(m, s, pose + 7 * s->body);
            look(user, s, &g);
        }
    }
    sn__free(room.memory);
}

static sn_hit hit_of(const struct sn__solid *s, const struct sn__hit *hit) {
    sn_hit h = {.t = hit->t, .member = s->member, .body = s->body, .shape = s->shape};
    memcpy(h.pos, hit->pos, sizeof h.pos);
    memcpy(h.normal, hit->normal, sizeof h.normal);
    return h;
}

/* What is cast, and the first thing it has met. */
struct cast {
    const double *from, *way;
    const struct sn__geom *moving; /* NULL: a ray */
    bool met;
    sn_hit first;
};

static void cast_at(void *user, const struct sn__solid *s, const struct sn__geom *g) {
    struct cast *c = user;
    struct sn__hit hit;
    const bool met =
        c->moving ? sn__cast_shape(c->moving, c->way, g, &hit) : sn__cast_ray(g, c->from, c->way, &hit);
    if (!met || (c->met && !(hit.t < c->first.t))) return;
    c->met = true;
    c->first = hit_of(s, &hit);
}

static bool finite3(const double *x) {
    return x && isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool run_cast(const sn_world *w, int copy, uint32_t mask, struct cast *c, sn_hit *hit) {
    if (copy < 0 || copy >= w->def.copies) return false;
    look_at_all(w, copy, mask, cast_at, c);
    if (!c->met || !hit) return c->met;
    *hit = c->first;
    hit->member = sn__world_handle(w, hit->member);
    return c->met;
}

bool sn_world_cast_ray(const sn_world *w, int copy, const double from[3], const double way[3], uint32_t mask,
                       sn_hit *hit) {
    if (!finite3(from) || !finite3(way)) return false;
    return run_cast(w, copy, mask, &(struct cast){.from = from, .way = way}, hit);
}

struct rays {
    const sn_ray *ray;
    sn_hit *hit;
    int count;
};

static void cast_rays_at(void *user, const struct sn__solid *s, const struct sn__geom *g) {
    const struct rays *r = user;
    struct sn__hit hit;
    for (int i = 0; i < r->count; i++)
        if ((s->group & r->ray[i].mask) && sn__cast_ray(g, r->ray[i].origin, r->ray[i].way, &hit) &&
            hit.t < r->hit[i].t)
            r->hit[i] = hit_of(s, &hit);
}

/* Where a ray is not finite, nothing comes before its t of -1, and so it meets nothing. */
int sn_world_cast_rays(const sn_world *w, int copy, int count, const sn_ray *rays, sn_hit *hits) {
    const struct rays all = {rays, hits, count};
    uint32_t mask = 0;
    int met = 0;
    if (copy < 0 || copy >= w->def.copies || count < 1 || !rays || !hits) return 0;
    for (int i = 0; i < count; i++) {
        const bool finite = finite3(rays[i].origin) && finite3(rays[i].way);
        hits[i] = (sn_hit){.t = finite ? 2 : -1, .member = SN__NOBODY, .body = -1, .shape = -1};
        if (finite) mask |= rays[i].mask;
    }
    look_at_all(w, copy, mask, cast_rays_at, (void *)&all);
    for (int i = 0; i < count; i++) {
        met += hits[i].member != SN__NOBODY;
        if (hits[i].member >= 0) hits[i].member = sn__world_handle(w, hits[i].member);
        if (hits[i].t < 0) hits[i].t = 2;
    }
    return met;
}

/* A shape of the user's where the user puts it; false: it is none. */
static bool make_shape(const sn_shape_def *given, const double pos[3], const double rot[4],
                       struct sn__geom *g) {
    sn_shape_def taken;
    const sn_shape_def *shape = sn__definition_take("sn_shape_def", given, &taken, NULL) ? &taken : NULL;
    double own[4], turn[4] = {1, 0, 0, 0}, all[4], at[3], offset[3];
    if (!shape || !finite3(pos) || !finite3(shape->size) || !finite3(shape->pos) ||
        !sn__geom_make(shape, g, at, own) || !(g->size[0] > 0))
        return false;
    if (rot) memcpy(turn, rot, sizeof turn);
    if (!dquat_normalise(turn)) return false;
    dquat_multiply(turn, own, all);
    dquat_to_matrix(all, g->R);
    dquat_rotate(turn, at, offset);
    for (int i = 0; i < 3; i++)
        g->pos[i] = pos[i] + offset[i];
    return true;
}

bool sn_world_cast_shape(const sn_world *w, int copy, const sn_shape_def *shape, const double pos[3],
                         const double rot[4], const double way[3], uint32_t mask, sn_hit *hit) {
    struct sn__geom g;
    if (!finite3(way) || !make_shape(shape, pos, rot, &g)) return false;
    return run_cast(w, copy, mask, &(struct cast){.way = way, .moving = &g}, hit);
}

struct overlap {
    const struct sn__geom *shape;
    sn_hit *hits;
    int room, count;
};

static void overlap_with(void *user, const struct sn__solid *s, const struct sn__geom *g) {
    struct overlap *o = user;
    if (!sn__overlap(o->shape, g)) return;
    struct sn__hit hit = {
        .t = 0, .pos = {o->shape->pos[0], o->shape->pos[1], o->shape->pos[2]}, .normal = {0, 0, 1}};
    struct sn__touch touch[SN__MOST_TOUCHES];
    const bool shape_first = g->type >= SN__GEOM_PLANE || o->shape->type <= g->type;
    const int n = shape_first ? sn__collide(o->shape, g, 0, touch) : sn__collide(g, o->shape, 0, touch);
    if (n) { /* the deepest point, and the way out */
        int deepest = 0;
        for (int i = 1; i < n; i++)
            if (touch[i].gap < touch[deepest].gap) deepest = i;
        memcpy(hit.pos, touch[deepest].pos, sizeof hit.pos);
        for (int k = 0; k < 3; k++)
            hit.normal[k] = shape_first ? touch[deepest].normal[k] : -touch[deepest].normal[k];
    }
    if (o->count < o->room) o->hits[o->count] = hit_of(s, &hit);
    o->count++;
}

int sn_world_overlap(const sn_world *w, int copy, const sn_shape_def *shape, const double pos[3],
                     const double rot[4], uint32_t mask, sn_hit *hits, int room) {
    struct sn__geom g;
    if (copy < 0 || copy >= w->def.copies || !make_shape(shape, pos, rot, &g)) return 0;
    struct overlap o = {&g, hits, hits ? room : 0, 0};
    look_at_all(w, copy, mask, overlap_with, &o);
    for (int i = 0; i < o.count && i < o.room; i++)
        hits[i].member = sn__world_handle(w, hits[i].member);
    return o.count;
}

/* --------------------------------------------------------------------------------------------------- standing */

/* How far a shape is above a piece of ground along `up`; infinity: not above it. */
static double height_over(const struct sn__geom *g, const struct sn__solid *ground, const double up[3]) {
    double at[3];
    if (ground->geom.type == SN__GEOM_PLANE) {
        const double n[3] = {ground->geom.R[0][2], ground->geom.R[1][2], ground->geom.R[2][2]};
        const double slope = dvec_dot(n, up);
        if (!(slope > 1e-6)) return HUGE_VAL; /* a wall or a ceiling */
        return (sn__lowest_point(g, n, at) - dvec_dot(n, ground->geom.pos)) / slope;
    }
    /* moved up out of the way, then cast down */
    const double far = 1e3;
    struct sn__geom lifted = *g;
    double way[3];
    struct sn__hit hit;
    for (int k = 0; k < 3; k++) {
        lifted.pos[k] += far * up[k];
        way[k] = -2 * far * up[k];
    }
    return sn__cast_shape(&lifted, way, &ground->geom, &hit) ? 2 * far * hit.t - far : HUGE_VAL;
}

/* How far a member in that pose is above the ground; infinity: it is above none. */
static double clearance(const sn_world *w, const struct sn__member *m, const double *poses,
                        const double up[3]) {
    double least = HUGE_VAL;
    for (int i = 0; i < m->nsolid; i++) {
        const struct sn__solid *s = &w->solid[m->first_solid + i];
        const struct sn__geom g = sn__solid_placed(m, s, poses + 7 * s->body);
        for (int k = 0; k < w->nground; k++) {
            const struct sn__solid *ground = w->ground[k] >= 0 ? &w->solid[w->ground[k]] : NULL;
            if (ground && sn__solids_meet(s, ground)) least = fmin(least, height_over(&g, ground, up));
        }
    }
    return least;
}

sn_status sn_world_stand(const sn_world *w, int member, double *q) {
    const struct sn__member *m = sn__world_want(w, member);
    if (!m || !q || sn__field_accept(w, m, SN_FIELD_Q, -1, q)) return SN_ERROR_ARGUMENT;
    if (!m->model->nbody || !sn__joint_is_free(&m->model->body[0])) return SN_OK; /* cannot be moved */
    if (!m->nsolid) return SN_OK;                                                 /* touches nothing */
    const double size = dvec_length(w->def.gravity);
    double up[3] = {0, 0, 1};
    for (int k = 0; k < 3 && size > 0; k++)
        up[k] = -w->def.gravity[k] / size;
    const struct room room = make_room(w, m);
    if (!room.memory) return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for poses of bodies.");
    const double least = clearance(w, m, poses_at(w, m, q, &room), up);
    sn__free(room.memory);
    for (int k = 0; k < 3 && isfinite(least); k++)
        q[m->model->body[0].q_index + k] -= least * up[k];
    return SN_OK;
}
