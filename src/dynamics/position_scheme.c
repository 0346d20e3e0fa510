/* Weights of the schemes. The collocation schemes of pbad-2018 fit a polynomial through poses at given nodes; Radau
 * methods are Runge-Kutta methods A applied twice, to positions and to velocities:
 *
 *     P = P_0 + dt c V_0 + dt^2 A^2 a,   so   C = (A^2)^-1,  T = C (P_0 + dt c V_0),   dt V = A^-1 (P - P_0). */
#include "dynamics/position_scheme.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/quat.h"

enum { MOST = SN__POSITION_STAGES, MOST_NODES = SN__POSITION_STAGES + SN__POSITION_PAST };

void sn__lagrange(int n, const double *node, double x, double *value, double *slope, double *bend) {
    for (int j = 0; j < n; j++) {
        double v = 1, s = 0, b = 0; /* of the product of (x - node_k) / (node_j - node_k), factor by factor */
        for (int k = 0; k < n; k++) {
            if (k == j) continue;
            const double scale = 1 / (node[j] - node[k]), f = (x - node[k]) * scale;
            b = b * f + 2 * s * scale;
            s = s * f + v * scale;
            v *= f;
        }
        value[j] = v;
        if (slope) slope[j] = s;
        if (bend) bend[j] = b;
    }
}

/* The polynomial through the past and the stages. */
static void collocate(struct sn__position_scheme *s) {
    double node[MOST_NODES], value[MOST_NODES], slope[MOST_NODES], bend[MOST_NODES];
    memcpy(node, s->node, sizeof s->node);
    memcpy(node + s->m, s->past_node, (size_t)s->past * sizeof *node);
    for (int i = 0; i < s->m; i++) {
        sn__lagrange(s->m + s->past, node, s->node[i], value, slope, bend);
        for (int j = 0; j < s->m; j++)
            s->C[i][j] = bend[j], s->rate[i][j] = slope[j];
        for (int j = 0; j < s->past; j++)
            s->W[i][j] = -bend[s->m + j], s->rate_past[i][j] = -slope[s->m + j];
    }
}

/* The inverse of a small matrix, by Gauss and Jordan. */
static void invert(int n, double A[MOST][MOST], double B[MOST][MOST]) {
    double a[MOST][2 * MOST] = {{0}};
    for (int i = 0; i < n; i++) {
        memcpy(a[i], A[i], (size_t)n * sizeof **A);
        a[i][n + i] = 1;
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int c = 0; c < 2 * n; c++) {
            const double x = a[k][c];
            a[k][c] = a[best][c], a[best][c] = x;
        }
        for (int i = 0; i < n; i++) {
            const double f = a[i][k] / a[k][k];
            for (int c = 0; i != k && c < 2 * n; c++)
                a[i][c] -= f * a[k][c];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = a[i][n + j] / a[i][i];
}

static void multiply(int n, double A[MOST][MOST], double B[MOST][MOST], double out[MOST][MOST]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i][j] = 0;
            for (int k = 0; k < n; k++)
                out[i][j] += A[i][k] * B[k][j];
        }
}

/* A of the collocation method on the nodes: A [c^(k-1)] = [c^k / k]; so A^-1 = [c^(k-1)] [c^k / k]^-1. */
static void radau(struct sn__position_scheme *s) {
    const int m = s->m;
    double powers[MOST][MOST] = {{0}}, integrals[MOST][MOST] = {{0}}, inverse[MOST][MOST];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            powers[i][k] = sn__pow(s->node[i], k);
            integrals[i][k] = sn__pow(s->node[i], k + 1) / (k + 1);
        }
    invert(m, integrals, inverse);
    multiply(m, powers, inverse, s->rate);
    multiply(m, s->rate, s->rate, s->C);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            s->rate_past[i][0] += s->rate[i][j];
            s->W[i][0] += s->C[i][j];
            s->velocity[i] += s->C[i][j] * s->node[j];
        }
    s->has_velocity = true;
}

struct sn__position_scheme sn__position_scheme_of(enum sn__position_method method) {
    const double legendre = 0.5 - 0.5 / sqrt(3), r = sqrt(6);
    struct sn__position_scheme s = {.m = 1, .past = 1, .node = {1}, .keep = {0}};
    switch (method) {
    case SN__BDF2: /* (3/2 - 2 z + 1/2 z^2)^2, z one step back */
        s = (struct sn__position_scheme){.name = "bdf2",
                                         .order = 2,
                                         .m = 1,
                                         .past = 4,
                                         .node = {1},
                                         .past_node = {0, -1, -2, -3},
                                         .keep = {0, -1, -2, -3},
                                         .C = {{9.0 / 4}},
                                         .W = {{6, -5.5, 2, -0.25}},
                                         .rate = {{1.5}},
                                         .rate_past = {{2, -0.5}}};
        break;
    case SN__PBAD3:
        s.name = "pbad3", s.order = 2, s.m = s.past = 2;
        s.node[0] = 0.5, s.node[1] = 1;
        s.past_node[1] = -0.5;
        s.keep[0] = 1, s.keep[1] = 0;
        collocate(&s);
        break;
    case SN__PBAD4:
        s.name = "pbad4", s.order = 3, s.m = 3, s.past = 2;
        s.node[0] = legendre, s.node[1] = 1 - legendre, s.node[2] = 1;
        s.past_node[1] = -legendre;
        s.keep[0] = 2, s.keep[1] = 1;
        collocate(&s);
        break;
    case SN__RADAU2:
        s.name = "radau2", s.order = 3, s.m = 2;
        s.node[0] = 1.0 / 3, s.node[1] = 1;
        s.keep[0] = 1;
        radau(&s);
        break;
    case SN__RADAU3:
        s.name = "radau3", s.order = 5, s.m = 3;
        s.node[0] = (4 - r) / 10, s.node[1] = (4 + r) / 10, s.node[2] = 1;
        s.keep[0] = 2;
        radau(&s);
        break;
    default: /* PBAD2: slopes of the last interval alone, as implicit Euler has them */
        s.name = "pbad2", s.order = 1, s.past = 2;
        s.past_node[1] = -1;
        s.keep[1] = -1;
        collocate(&s);
        s.rate[0][0] = s.rate_past[0][0] = 1;
        s.rate_past[0][1] = 0;
        break;
    }
    return s;
}

void sn__position_scheme_put(const struct sn__position_scheme *s, struct sn__position_args *args) {
    args->m = s->m;
    args->past = s->past;
    memcpy(args->C, s->C, sizeof s->C);
    memcpy(args->W, s->W, sizeof s->W);
    memcpy(args->velocity, s->velocity, sizeof s->velocity);
    memcpy(args->rate, s->rate, sizeof s->rate);
    memcpy(args->rate_past, s->rate_past, sizeof s->rate_past);
}

/* The moment that the character's weight would have at the end of its longest limb, and at 1 m at least. */
double sn__position_force_scale(const sn_model *m, const double gravity[3]) {
    double longest = 1, *reach = sn__alloc((size_t)m->nbody, sizeof *reach);
    for (int i = 0; reach && i < m->nbody; i++) {
        const struct tree_body_f64 *b = &m->tree_f64.body[i];
        if (b->parent >= 0) reach[i] = reach[b->parent] + dvec_length(b->offset);
        longest = fmax(longest, reach[i]);
    }
    sn__free(reach);
    const double scale = m->mass * fmax(dvec_length(gravity), 1) * longest;
    return scale > 0 ? scale : 1;
}
