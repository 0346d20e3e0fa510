/* The step as a matrix: with S the state (e, qd), e the deviation from the target, every form is a torque linear in
   e, qd and qdd,

   tau = -Kp (e + a h qd + c h^2 qdd) - Kd (qd + b h qdd),     a, b, c = 0 or 1,

   so that qdd = -P e - D qd with P = M'^-1 Kp, D = M'^-1 (Kd + a h Kp), M' = M + b h Kd + c h^2 Kp. With A = (0, 1;
   -P, -D) a step of explicit Euler is 1 + h A, and of Runge-Kutta methods of order s the first s terms of exp(h A);
   semi-implicit Euler moves e by the new velocity. */
#include "stability_step.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const sn_form step_forms[FORMS] = {SN_FORM_EXPLICIT, SN_FORM_IMPLICIT_D, SN_FORM_STABLE, SN_FORM_FULL};
const char *const step_form_names[FORMS] = {"explicit (PD)", "implicit D", "stable (SPD)", "full"};
const char *const step_integrator_names[INTEGRATORS] = {
    "semi-implicit Euler", "explicit Euler", "midpoint", "Heun", "Kutta, order 3", "Runge-Kutta, order 4"};

static bool has_a(sn_form form) {
    return form == SN_FORM_STABLE || form == SN_FORM_FULL;
}

/* C = A B, all [n][n]. */
static void multiply(int n, const double *A, const double *B, double *C) {
    memset(C, 0, sizeof *C * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i * n + j] += A[i * n + k] * B[k * n + j];
}

/* Solves A X = B for n columns, by elimination with pivots; A and B [n][n] are used up, X is in B. */
static void solve(int n, double *A, double *B) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            const double a = A[k * n + j], b = B[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = a;
            B[k * n + j] = B[best * n + j], B[best * n + j] = b;
        }
        for (int i = 0; i < n; i++) {
            const double f = i == k ? 0 : A[i * n + k] / A[k * n + k];
            for (int j = 0; j < n && f != 0; j++)
                A[i * n + j] -= f * A[k * n + j], B[i * n + j] -= f * B[k * n + j];
        }
    }
    for (int i = 0; i < n * n; i++)
        B[i] /= A[i / n * n + i / n];
}

/* The largest |eigenvalue|: the norm of the 2^32nd power, to that root. */
static double radius(int n, double *S, double *T) {
    const size_t bytes = sizeof *S * (size_t)n * (size_t)n;
    double log_size = 0; /* S stands for S exp(log_size) */
    enum { SQUARINGS = 32 };
    for (int i = 0; i <= SQUARINGS; i++) {
        double norm = 0;
        for (int k = 0; k < n * n; k++)
            norm += S[k] * S[k];
        norm = sqrt(norm);
        if (!(norm > 0)) return 0;
        for (int k = 0; k < n * n; k++)
            S[k] /= norm;
        log_size += log(norm);
        if (i == SQUARINGS) break;
        multiply(n, S, S, T);
        memcpy(S, T, bytes);
        log_size *= 2;
    }
    return exp(ldexp(log_size, -SQUARINGS));
}

/* S, [2n][2n], of A [2n][2n]; T and U are scratch. */
static void make_step(int n, const double *A, double dt, sn_integrator integrator, double *S, double *T,
                      double *U) {
    static const int order[] = {1, 1, 2, 2, 3, 4};
    const int m = 2 * n;
    memset(S, 0, sizeof *S * (size_t)m * (size_t)m);
    for (int i = 0; i < m; i++)
        S[i * m + i] = 1;
    memcpy(T, S, sizeof *S * (size_t)m * (size_t)m);
    for (int s = 1; s <= order[integrator]; s++) { /* T = (h A)^s / s! */
        multiply(m, T, A, U);
        for (int i = 0; i < m * m; i++)
            T[i] = U[i] * dt / s, S[i] += T[i];
    }
    if (integrator != SN_INTEGRATOR_SEMI_IMPLICIT_EULER) return;
    for (int i = 0; i < n; i++) /* e+ = e + h qd+ */
        for (int j = 0; j < m; j++)
            S[i * m + j] = (i == j) + dt * S[(n + i) * m + j];
}

double step_radius(int n, const double *M, const double *kp, const double *kd, double dt, sn_form form,
                   sn_integrator integrator) {
    const int m = 2 * n;
    const size_t size = (size_t)m * (size_t)m;
    double *memory = need_memory(NULL, 6 * size * sizeof *memory);
    double *A = memory, *S = A + size, *T = S + size, *U = T + size, *inertia = U + size, *B = inertia + size;
    const double a = has_a(form), b = form != SN_FORM_EXPLICIT, c = form == SN_FORM_FULL;
    memset(A, 0, size * sizeof *A);
    for (int i = 0; i < n; i++)
        A[i * m + n + i] = 1;
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < n * n; i++) {
            const int v = i / n;
            const bool diagonal = v == i % n;
            inertia[i] = M[i] + (diagonal ? b * dt * kd[v] + c * dt * dt * kp[v] : 0);
            B[i] = diagonal ? (part ? kd[v] + a * dt * kp[v] : kp[v]) : 0;
        }
        solve(n, inertia, B);
        for (int i = 0; i < n * n; i++)
            A[(n + i / n) * m + part * n + i % n] = -B[i];
    }
    make_step(n, A, dt, integrator, S, T, U);
    const double result = radius(m, S, T);
    free(memory);
    return result;
}

double step_radius_one(double k, double r, sn_form form, sn_integrator integrator) {
    const double one = 1, kp = k, kd = r * k;
    return step_radius(1, &one, &kp, &kd, 1, form, integrator);
}

/* ------------------------------------------------------------------------------------------------- the library */

/* Steps from one look to the next, and how many of them are looked at: what swings is not always at its widest. */
enum { STRETCH = 500, LOOKS = 40 };

static double deviation(const sn_model *model, const double *q, const double *at, const double *rate,
                        double *dv) {
    double sum = 0;
    sn_model_pose_subtract(model, 1, at, q, dv);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        sum += dv[v] * dv[v] + rate[v] * rate[v];
    return sqrt(sum);
}

int step_grows(const sn_model *model, const double *q, const double *kp, const double *kd, double dt,
               sn_form form, sn_integrator integrator) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = dt, def.form = form, def.integrator = integrator, def.gravity[2] = 0;
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double *at = need_memory(NULL, (size_t)(nq + 2 * nv) * sizeof *at), *rate = at + nq, *dv = rate + nv;
    const sn_drive drive = {.kp = kp, .kd = kd, .target_q = q};
    double seen[2] = {0, 0};
    int grows = dynamics ? 0 : -1;
    for (int v = 0; v < nv; v++)
        dv[v] = 1e-9 * (v % 2 ? -1 : 1), rate[v] = 0;
    sn_model_pose_add(model, 1, q, dv, at);
    for (int i = 0; i < 2 && grows == 0; i++) {
        if (sn_dynamics_step(dynamics, &drive, STRETCH - LOOKS, at, rate, NULL, NULL) != SN_OK) grows = 1;
        for (int k = 0; k < LOOKS && grows == 0; k++) {
            if (sn_dynamics_step(dynamics, &drive, 1, at, rate, NULL, NULL) != SN_OK) grows = 1;
            seen[i] = fmax(seen[i], deviation(model, q, at, rate, dv));
        }
    }
    if (grows == 0) grows = seen[1] > 1.3 * seen[0] && seen[1] > 1e-15; /* 1.001^500 is 1.65 */
    sn_dynamics_free(dynamics);
    free(at);
    return grows;
}
