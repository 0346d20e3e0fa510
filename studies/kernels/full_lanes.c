/* Full coordinates in one scalar lane type: memory, the step, and the table that exports them. */
#pragma GCC diagnostic ignored "-Wunused-function" /* headers of other kernels, of which a part is used */
#include "studies/kernels/full_kkt.h"
#include "studies/kernels/full_products.h"
#include "studies/kernels/full_repair.h"
#include "studies/kernels/table.h"

#include "sinew/studies.h"

#include <string.h>

/* Hands out pieces of one block; with NULL, the sum of their sizes. */
struct full_memory {
    char *at;
    size_t used;
};

static void *piece(struct full_memory *m, size_t count, size_t size) {
    void *at = m->at ? m->at + m->used : NULL;
    m->used += (count * size + 63) / 64 * 64;
    return at;
}

static size_t lay_out(struct full_memory m, int nbody, struct full *own) {
    struct full *f = piece(&m, 1, sizeof *f);
    if (!f) f = own;
    const size_t n = (size_t)nbody, more = n + 1;
    f->body = piece(&m, n, sizeof *f->body);
    f->state = piece(&m, more, sizeof *f->state);
    f->joint = piece(&m, n, sizeof *f->joint);
    f->rows = piece(&m, n, sizeof *f->rows);
    f->factor = piece(&m, more, sizeof *f->factor);
    f->slot = piece(&m, n, sizeof *f->slot);
    f->response = piece(&m, n, sizeof *f->response);
    f->motion = piece(&m, more, sizeof *f->motion);
    f->products = piece(&m, more, sizeof *f->products);
    f->sum = piece(&m, 4 * n, sizeof *f->sum);
    if (m.at) {
        f->state++, f->factor++, f->motion++, f->products++;
        f->nbody = nbody;
    }
    return m.used;
}

static size_t full_size(int nbody) {
    struct full none;
    return lay_out((struct full_memory){0}, nbody, &none);
}

static int hard_rows(const tree_body *b) {
    return is_free(b) ? 0 : 6 - b->nv;
}

static size_t full_dense_size(const struct sn__full_setup *setup) {
    const tree *t = setup->tree;
    size_t n = (size_t)(FULL_N * t->nbody);
    for (int i = 0; i < t->nbody; i++)
        n += (size_t)hard_rows(&t->body[i]);
    return n * (n + 1) * sizeof(real);
}

static vec3 own_vec(const double *x) {
    return (vec3){(real)x[0], (real)x[1], (real)x[2]};
}

static void put_part(const struct sn__full_setup *setup, const tree_body *t, int i, struct full_body *b) {
    const struct sn__full_part *part = &setup->part[i];
    const double *J = part->J;
    b->tree = t;
    b->m = (real)part->mass;
    b->J = (sym3){(real)J[0], (real)J[1], (real)J[2], (real)J[3], (real)J[4], (real)J[5]};
    b->child_arm = own_vec(part->child_arm), b->parent_arm = own_vec(part->parent_arm);
    b->bend = (real)part->bend;
    b->hard = hard_rows(t);
    for (int k = 0; k < t->nv; k++)
        b->kp[k] = (real)setup->kp[t->v + k], b->kw[k] = (real)setup->kw[t->v + k],
        b->K[k] = (real)setup->K[t->v + k];
    for (int k = t->nslide + 1; k < t->nv && has_rotation(t); k++)
        b->per_axis |=
            b->kp[k] != b->kp[t->nslide] || b->kw[k] != b->kw[t->nslide] || b->K[k] != b->K[t->nslide];
}

static void full_begin(void *work, const struct sn__full_setup *setup, const double *state, void *dense) {
    const tree *t = setup->tree;
    struct full *f = work;
    lay_out((struct full_memory){.at = work}, t->nbody, f);
    f->visit = t->visit;
    f->h = (real)setup->dt;
    f->gravity = own_vec(setup->gravity);
    f->method = setup->method, f->repair = setup->repair;
    f->way = setup->products;
    f->accelerations = setup->accelerations || f->way != SN_FULL_PRODUCTS_ROWS;
    f->dense = dense;
    f->state[-1].Q = (quat){R(1), R(0), R(0), R(0)};
    for (int i = 0; i < t->nbody; i++) {
        const double *s = state + SN__FULL_STATE * i;
        put_part(setup, &t->body[i], i, &f->body[i]);
        f->state[i] = (struct full_state){
            own_vec(s), {(real)s[3], (real)s[4], (real)s[5], (real)s[6]}, own_vec(s + 7), own_vec(s + 10)};
    }
}

static bool full_solve(void *work, const double *target) {
    struct full *f = work;
    for (int i = 0; i < f->nbody; i++)
        full_enter(f, i, target);
    if (f->way != SN_FULL_PRODUCTS_ROWS) return full_products_solve(f);
    switch (f->method) {
    case SN_FULL_METHOD_COUPLED:
        return full_coupled(f);
    case SN_FULL_METHOD_SOFT_ROWS:
        return full_soft(f);
    case SN_FULL_METHOD_NULL_SPACE:
        return full_null_space(f);
    default:
        return full_kkt(f);
    }
}

/* Accelerations of the centre of mass and of the body. */
KERNEL struct motion full_motion(const struct full *f, int i) {
    if (f->method != SN_FULL_METHOD_NULL_SPACE)
        return (struct motion){vec_load(f->factor[i].a + 3), vec_load(f->factor[i].a)};
    const struct motion m = f->motion[i]; /* of the joint's place, gravity taken off */
    return (struct motion){m.alpha, sub(add(m.a, f->gravity), cross(m.alpha, f->joint[i].rc))};
}

static void full_move(void *work) {
    struct full *f = work;
    if (f->way != SN_FULL_PRODUCTS_ROWS) {
        full_products_move(f);
        return;
    }
    for (int i = 0; i < f->nbody; i++) {
        struct full_state *s = &f->state[i];
        const struct motion m = full_motion(f, i);
        s->v = add_scaled(s->v, m.a, f->h);
        s->w = add_scaled(s->w, m.alpha, f->h);
        s->x = add_scaled(s->x, s->v, f->h);
        repair_turn(s, scale(s->w, f->h));
    }
    if (f->repair == SN_FULL_REPAIR_PROJECTION) full_project(f, f->method == SN_FULL_METHOD_SOFT_ROWS);
    if (f->repair == SN_FULL_REPAIR_SNAP) full_snap(f);
}

static void full_state_out(const void *work, double *state) {
    const struct full *f = work;
    for (int i = 0; i < f->nbody; i++) {
        const struct full_state *s = &f->state[i];
        const real all[SN__FULL_STATE] = {s->x.x, s->x.y, s->x.z, s->Q.w, s->Q.x, s->Q.y, s->Q.z,
                                          s->v.x, s->v.y, s->v.z, s->w.x, s->w.y, s->w.z};
        for (int k = 0; k < SN__FULL_STATE; k++)
            state[SN__FULL_STATE * i + k] = (double)all[k];
    }
}

static double full_gap(const void *work) {
    const struct full *f = work;
    real most = R(0);
    for (int i = 0; i < f->nbody; i++) {
        if (!f->body[i].hard) continue;
        const vec3 gap = repair_gap(f, i);
        const real square = dot(gap, gap);
        if (!(square <= most)) most = square;
    }
    return (double)square_root(most);
}

static int full_solution(const void *work, double *qdd, double *tau, double *force) {
    const struct full *f = work;
    int rows = 0;
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        const struct full_joint *j = &f->joint[i];
        for (int k = 0; k < b->tree->nv; k++)
            qdd[b->tree->v + k] = (double)j->qdd[k], tau[b->tree->v + k] = (double)j->tau[k];
        for (int k = 0; k < b->hard; k++)
            force[rows++] = (double)j->force[k];
    }
    return rows;
}

const struct sn__full_kernels FULL_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .size = full_size,
    .dense_size = full_dense_size,
    .begin = full_begin,
    .solve = full_solve,
    .move = full_move,
    .state = full_state_out,
    .gap = full_gap,
    .solution = full_solution,
};
