/* Drag on bodies that move in a fluid at rest, as pushes for worlds. Every gram of a body meets -D v per kilogram, with
 *
 *     D = along a a^T + across (1 - a a^T),
 *
 * a the body's long axis. With v = v_c + w x p the sum over the body is linear in both velocities, in the body's own axes:
 *
 *     F = -m D v_c,   moment about the centre of mass = -T w,   T = sum over the mass of [p] D [p]^T. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "dynamics/mass_points.h"
#include "sinew/dynamics.h"

struct resistance { /* of one body, in its own axes */
    double com[3];
    double D[3][3], T[3][3]; /* N s/m, N m s */
};

static void resistance_of(const sn_body_info *body, double along, double across, struct resistance *r) {
    const double none[3] = {0, 0, 0};
    double S[3][3], axis[3], point[6][3];
    *r = (struct resistance){0};
    if (!(body->mass > 0)) return;
    memcpy(r->com, body->com, sizeof r->com);
    sn__mass_spread(body->mass, none, body->inertia, S);
    sn__mass_points(body->mass, none, (const double(*)[3])S, point);
    sn__mass_axis((const double(*)[3])S, axis);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r->D[i][j] = body->mass * ((i == j ? across : 0) + (along - across) * axis[i] * axis[j]);
    for (int k = 0; k < 6; k++)
        for (int j = 0; j < 3; j++) { /* column j: p x D (e_j x p), a sixth of the mass each */
            const double turn[3] = {j == 0, j == 1, j == 2};
            double v[3], moment[3];
            dvec_cross(turn, point[k], v);
            const double f[3] = {dvec_dot(r->D[0], v) / 6, dvec_dot(r->D[1], v) / 6,
                                 dvec_dot(r->D[2], v) / 6};
            dvec_cross(point[k], f, moment);
            for (int i = 0; i < 3; i++)
                r->T[i][j] += moment[i];
        }
}

/* -A x, x and the result in the world's axes, A in those of R. */
static void resist(const double A[3][3], const double R[3][3], const double x[3], double out[3]) {
    double own[3], f[3];
    for (int i = 0; i < 3; i++)
        own[i] = R[0][i] * x[0] + R[1][i] * x[1] + R[2][i] * x[2];
    for (int i = 0; i < 3; i++)
        f[i] = -dvec_dot(A[i], own);
    for (int i = 0; i < 3; i++)
        out[i] = dvec_dot(R[i], f);
}

static void push_of(const struct resistance *r, const double pose[7], const double velocity[6],
                    double push[6]) {
    double R[3][3], c[3], v[3], moment[3];
    dquat_to_matrix(pose + 3, R);
    for (int i = 0; i < 3; i++)
        c[i] = dvec_dot(R[i], r->com);
    dvec_cross(velocity + 3, c, v);
    for (int i = 0; i < 3; i++)
        v[i] += velocity[i];
    resist(r->D, (const double(*)[3])R, v, push);
    resist(r->T, (const double(*)[3])R, velocity + 3, push + 3);
    dvec_cross(c, push, moment); /* the force acts at the centre of mass, a push through the origin */
    for (int i = 0; i < 3; i++)
        push[3 + i] += moment[i];
}

sn_status sn_drag_push(const sn_model *model, double along, double across, int count, const double *pose,
                       const double *velocity, double *push) {
    if (!model || !(along >= 0) || !(across >= 0) || !isfinite(along) || !isfinite(across) || count < 0 ||
        (count && (!pose || !velocity || !push)))
        return SN_ERROR_ARGUMENT;
    const size_t nbody = (size_t)sn_model_get(model)->nbody;
    for (size_t b = 0; b < nbody; b++) {
        struct resistance r;
        resistance_of(sn_model_body(model, (int)b), along, across, &r);
        for (size_t i = 0; i < (size_t)count; i++) {
            const size_t at = i * nbody + b;
            push_of(&r, pose + 7 * at, velocity + 6 * at, push + 6 * at);
        }
    }
    return SN_OK;
}
