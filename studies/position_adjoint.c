/* The adjoint method of pbad-2018 on trees. Where the paper's text has a slip, the line says so. */
#include "studies/position_adjoint.h"

#include <string.h>

#include "base/memory.h"
#include "base/quat.h"

typedef struct {
    double e[4][4];
} mat4;

enum { MOST = 6 }; /* degrees of freedom of a joint */

/* A body in one pose. */
struct link {
    mat4 T;                  /* T^i */
    mat4 rel;                /* T_(i-1)^i */
    mat4 first[MOST];        /* its derivatives by the joint's own coordinates */
    mat4 second[MOST][MOST]; /* and those once more */
};

struct sn__adjoint {
    const sn_model *model;
    struct link **pose; /* [poses][nbody] */
    int poses;
    mat4 *M; /* [nbody] M~ */
    mat4 *A; /* [nbody] scratch */
};

/* ---------------------------------------------------------------------------------------------------- 4 x 4 */

static mat4 mul(const mat4 *a, const mat4 *b) {
    mat4 c = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 4; j++)
                c.e[i][j] += a->e[i][k] * b->e[k][j];
    return c;
}

static mat4 mul_transposed(const mat4 *a, const mat4 *b) { /* a b^T */
    mat4 turned;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            turned.e[i][j] = b->e[j][i];
    return mul(a, &turned);
}

static void add(mat4 *a, const mat4 *b) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a->e[i][j] += b->e[i][j];
}

static double inner(const mat4 *a, const mat4 *b) { /* a : b */
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sum += a->e[i][j] * b->e[i][j];
    return sum;
}

static mat4 identity(void) {
    mat4 a = {{{0}}};
    for (int i = 0; i < 4; i++)
        a.e[i][i] = 1;
    return a;
}

static mat4 rotation(const double quaternion[4]) {
    mat4 a = {{{0}}};
    double R[3][3];
    dquat_to_matrix(quaternion, R);
    for (int i = 0; i < 3; i++)
        memcpy(a.e[i], R[i], sizeof R[i]);
    a.e[3][3] = 1;
    return a;
}

static mat4 turn(const double axis[3], double angle) {
    double v[3], q[4];
    for (int k = 0; k < 3; k++)
        v[k] = axis[k] * angle;
    dquat_exp(v, q);
    return rotation(q);
}

static mat4 generator(const double v[3]) { /* [v], nothing else */
    return (mat4){{{0, -v[2], v[1], 0}, {v[2], 0, -v[0], 0}, {-v[1], v[0], 0, 0}, {0}}};
}

/* ---------------------------------------------------------------------------------------------------- joints */

/* Rotations come after `before`: derivatives by turns in own axes. */
static void ball(struct link *l, const mat4 *before, const double *quaternion, int at) {
    const mat4 R = rotation(quaternion);
    mat4 turned = mul(before, &R), G[3];
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2};
        G[k] = generator(axis);
    }
    l->rel = turned;
    for (int c = 0; c < 3; c++) /* the turn does not change the translation before it */
        turned.e[c][3] = 0;
    turned.e[3][3] = 0;
    for (int k = 0; k < 3; k++) {
        l->first[at + k] = mul(&turned, &G[k]);
        for (int n = 0; n < 3; n++) {
            mat4 both = mul(&G[k], &G[n]);
            const mat4 swapped = mul(&G[n], &G[k]);
            add(&both, &swapped);
            for (int i = 0; i < 16; i++)
                both.e[i / 4][i % 4] *= 0.5;
            l->second[at + k][at + n] = mul(&turned, &both);
        }
    }
}

/* exp(q G) of each axis of a joint one after the other, differentiated `times` by each. */
static mat4 axes_product(const struct tree_body_f64 *b, const mat4 *before, const double *q,
                         const int *times) {
    mat4 all = *before;
    for (int k = 0; k < b->naxes; k++) {
        static const double none[3] = {0};
        const bool turns = b->way[k] != SN__SLIDES;
        mat4 T = turns ? turn(b->axis[k], q[k]) : identity(), G = generator(turns ? b->axis[k] : none);
        for (int c = 0; c < 3; c++) {
            G.e[c][3] = b->pitch[k] * b->axis[k][c];
            T.e[c][3] = G.e[c][3] * q[k];
        }
        all = mul(&all, &T);
        for (int n = 0; n < times[k]; n++)
            all = mul(&all, &G);
    }
    return all;
}

static void axes(struct link *l, const struct tree_body_f64 *b, const mat4 *before, const double *q) {
    int times[3] = {0, 0, 0};
    l->rel = axes_product(b, before, q, times);
    for (int k = 0; k < b->naxes; k++) {
        times[k]++;
        l->first[k] = axes_product(b, before, q, times);
        for (int n = 0; n < b->naxes; n++) {
            times[n]++;
            l->second[k][n] = axes_product(b, before, q, times);
            times[n]--;
        }
        times[k]--;
    }
}

static void set_link(struct link *l, const struct tree_body_f64 *b, const double *q) {
    memset(l, 0, sizeof *l);
    q += b->q;
    mat4 before = rotation(b->rot);
    for (int k = 0; k < 3; k++)
        before.e[k][3] = b->offset[k];
    l->rel = before;
    switch (b->joint) {
    case SN__JOINT_FREE: /* its place is in q */
        before = identity();
        for (int k = 0; k < 3; k++)
            before.e[k][3] = q[k];
        ball(l, &before, q + 3, 3);
        for (int k = 0; k < 3; k++)
            l->first[k].e[k][3] = 1;
        break;
    case SN__JOINT_BALL:
        ball(l, &before, q, 0);
        break;
    default:
        axes(l, b, &before, q);
        break;
    }
}

static int joint_nv(const sn_model *m, int body) {
    return m->body[body].nv;
}

/* --------------------------------------------------------------------------------------------------- making */

struct sn__adjoint *sn__adjoint_create(const sn_model *model, int poses) {
    const size_t nbody = (size_t)model->nbody;
    struct sn__adjoint *a = sn__alloc(1, sizeof *a);
    if (!a) return NULL;
    a->model = model;
    a->poses = poses;
    a->pose = sn__alloc((size_t)poses, sizeof *a->pose);
    a->M = sn__alloc(nbody, sizeof *a->M);
    a->A = sn__alloc(nbody, sizeof *a->A);
    bool good = a->pose && a->M && a->A;
    for (int i = 0; good && i < poses; i++)
        good = (a->pose[i] = sn__alloc(nbody, sizeof **a->pose)) != NULL;
    if (!good) {
        sn__adjoint_free(a);
        return NULL;
    }
    for (int i = 0; i < model->nbody; i++) {
        const struct tree_body_f64 *b = &model->tree_f64.body[i];
        const double *J = b->J, half = 0.5 * (J[0] + J[1] + J[2]);
        a->M[i] = (mat4){{{half - J[0], -J[3], -J[4], b->mc[0]},
                          {-J[3], half - J[1], -J[5], b->mc[1]},
                          {-J[4], -J[5], half - J[2], b->mc[2]},
                          {b->mc[0], b->mc[1], b->mc[2], b->mass}}};
    }
    return a;
}

void sn__adjoint_free(struct sn__adjoint *a) {
    if (!a) return;
    for (int i = 0; a->pose && i < a->poses; i++)
        sn__free(a->pose[i]);
    sn__free_all(a->pose, a->M, a->A, a);
}

/* T^i = T^(i-1) T_(i-1)^i: lines 1 to 6 of algorithm 1. */
void sn__adjoint_pose(struct sn__adjoint *a, int index, const double *q) {
    const sn_model *m = a->model;
    for (int i = 0; i < m->nbody; i++) {
        const struct tree_body_f64 *b = &m->tree_f64.body[i];
        struct link *l = &a->pose[index][i];
        set_link(l, b, q);
        l->T = b->parent >= 0 ? mul(&a->pose[index][b->parent].T, &l->rel) : l->rel;
    }
}

void sn__adjoint_rate(struct sn__adjoint *a, int index, const double *T) {
    const sn_model *m = a->model;
    for (int i = 0; i < m->nbody; i++, T += 12) {
        const struct tree_body_f64 *b = &m->tree_f64.body[i];
        struct link *l = &a->pose[index][i];
        memset(l, 0, sizeof *l);
        for (int r = 0; r < 3; r++) {
            memcpy(l->T.e[r], T + 3 * r, 3 * sizeof *T);
            l->T.e[r][3] = T[9 + r];
            for (int c = 0; b->parent >= 0 && c < 3; c++)
                l->T.e[r][3] += a->pose[index][b->parent].T.e[r][c] * b->offset[c];
            if (b->parent >= 0) l->T.e[r][3] += a->pose[index][b->parent].T.e[r][3];
        }
    }
}

/* ---------------------------------------------------------------------------------------------------- passes */

static const mat4 *above(const struct sn__adjoint *a, int pose, int body) {
    static const mat4 world = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    const int parent = a->model->tree_f64.body[body].parent;
    return parent >= 0 ? &a->pose[pose][parent].T : &world;
}

/* A on the way down: dI^i / dT^i(q_b) of the body, plus A T_rel^T of its children. */
static void collect(struct sn__adjoint *a, int pose_b, int body) {
    const int parent = a->model->tree_f64.body[body].parent;
    if (parent < 0) return;
    const mat4 down = mul_transposed(&a->A[body], &a->pose[pose_b][body].rel);
    add(&a->A[parent], &down);
}

/* The last row of T is constant: what A has there meets zeros of all derivatives. */
static void seed(struct sn__adjoint *a, int pose_a) {
    for (int i = 0; i < a->model->nbody; i++)
        a->A[i] = mul(&a->pose[pose_a][i].T, &a->M[i]);
}

/* -rho g . P: A_xw = -g_x M~_w4. */
static void seed_gravity(struct sn__adjoint *a, const double gravity[3]) {
    for (int i = 0; i < a->model->nbody; i++)
        for (int x = 0; x < 4; x++)
            for (int w = 0; w < 4; w++)
                a->A[i].e[x][w] = x < 3 ? -gravity[x] * a->M[i].e[w][3] : 0;
}

static void backward_gradient(struct sn__adjoint *a, int pose_b, double w, double *g) {
    for (int i = a->model->nbody - 1; i >= 0; i--) {
        const struct link *l = &a->pose[pose_b][i];
        const int v = a->model->tree_f64.body[i].v;
        for (int k = 0; k < joint_nv(a->model, i); k++) { /* line 12 */
            const mat4 dT = mul(above(a, pose_b, i), &l->first[k]);
            g[v + k] += w * inner(&dT, &a->A[i]);
        }
        collect(a, pose_b, i); /* line 13 */
    }
}

double sn__adjoint_gradient(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *g) {
    double value = 0;
    seed(a, pose_a);
    for (int i = 0; i < a->model->nbody; i++)
        value += inner(&a->A[i], &a->pose[pose_b][i].T) - a->M[i].e[3][3]; /* line 7 */
    if (g) backward_gradient(a, pose_b, w, g);
    return value;
}

void sn__adjoint_gravity(struct sn__adjoint *a, int pose_b, const double gravity[3], double w, double *g) {
    seed_gravity(a, gravity);
    backward_gradient(a, pose_b, w, g);
}

/* Algorithm 2. Its line 4 means dI/dT(q_b), as line 11 of algorithm 1; its line 6 means the transpose of the derivative. */
static void backward_hessian(struct sn__adjoint *a, int pose_b, double w, double *H, int stride) {
    const struct tree_f64 *t = &a->model->tree_f64;
    for (int i = a->model->nbody - 1; i >= 0; i--) {
        const struct link *l = &a->pose[pose_b][i];
        const int v = t->body[i].v;
        for (int k = 0; k < joint_nv(a->model, i); k++) {
            for (int n = 0; n < joint_nv(a->model, i); n++) { /* line 5 */
                const mat4 d2 = mul(above(a, pose_b, i), &l->second[k][n]);
                H[(v + k) * stride + v + n] += w * inner(&d2, &a->A[i]);
            }
            mat4 B = mul_transposed(&a->A[i], &l->first[k]); /* line 6 */
            for (int j = t->body[i].parent; j >= 0; j = t->body[j].parent) {
                const struct link *m = &a->pose[pose_b][j];
                for (int n = 0; n < joint_nv(a->model, j); n++) { /* line 8 */
                    const mat4 dT = mul(above(a, pose_b, j), &m->first[n]);
                    const double x = w * inner(&dT, &B);
                    H[(v + k) * stride + t->body[j].v + n] += x;
                    H[(t->body[j].v + n) * stride + v + k] += x;
                }
                B = mul_transposed(&B, &m->rel); /* line 9 */
            }
        }
        collect(a, pose_b, i);
    }
}

void sn__adjoint_hessian(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *H, int stride) {
    seed(a, pose_a);
    backward_hessian(a, pose_b, w, H, stride);
}

void sn__adjoint_gravity_hessian(struct sn__adjoint *a, int pose_b, const double gravity[3], double w,
                                 double *H, int stride) {
    seed_gravity(a, gravity);
    backward_hessian(a, pose_b, w, H, stride);
}

/* (X E Y^T) of algorithm 3: E_xyzw is 1_xz M_yw, so a 4 x 4 matrix M says all of it: X : E : Y^T = tr(X M Y^T). */
static double contract(const mat4 *X, const mat4 *M, const mat4 *Y) {
    const mat4 XM = mul(X, M);
    return inner(&XM, Y);
}

/* Algorithm 3. Lines 7 and 8 are the same term where j = i: it counts once. */
void sn__adjoint_mixed(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *H, int stride) {
    const struct tree_f64 *t = &a->model->tree_f64;
    memcpy(a->A, a->M, (size_t)a->model->nbody * sizeof *a->A);
    for (int i = a->model->nbody - 1; i >= 0; i--) {
        const struct link *la = &a->pose[pose_a][i], *lb = &a->pose[pose_b][i];
        const int v = t->body[i].v;
        mat4 F = a->A[i], G = a->A[i];
        for (int j = i; j >= 0; j = t->body[j].parent) {
            const struct link *ja = &a->pose[pose_a][j], *jb = &a->pose[pose_b][j];
            for (int k = 0; k < joint_nv(a->model, i); k++)
                for (int n = 0; n < joint_nv(a->model, j); n++) {
                    const mat4 ia = mul(above(a, pose_a, i), &la->first[k]);
                    const mat4 ib = mul(above(a, pose_b, i), &lb->first[k]);
                    const mat4 da = mul(above(a, pose_a, j), &ja->first[n]);
                    const mat4 db = mul(above(a, pose_b, j), &jb->first[n]);
                    H[(t->body[j].v + n) * stride + v + k] += w * contract(&ia, &F, &db); /* line 7 */
                    if (j != i)
                        H[(v + k) * stride + t->body[j].v + n] += w * contract(&da, &G, &ib); /* line 8 */
                }
            F = mul_transposed(&F, &jb->rel); /* line 9 */
            G = mul(&ja->rel, &G);
        }
        if (t->body[i].parent >= 0) { /* line 11 */
            const mat4 E = mul(&la->rel, &a->A[i]), down = mul_transposed(&E, &lb->rel);
            add(&a->A[t->body[i].parent], &down);
        }
    }
}
