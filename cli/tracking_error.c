#include "tracking_error.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>

bool tracking_error_create(struct tracking_error *e, const sn_model *model) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    const int values = 14 * sn_model_get(model)->nbody + sn_model_get(model)->nv;
    *e = (struct tracking_error){.model = model, .dynamics = sn_dynamics_create(model, &def, NULL)};
    e->room = need_memory(NULL, (size_t)values * sizeof *e->room);
    return e->dynamics != NULL;
}

void tracking_error_free(struct tracking_error *e) {
    sn_dynamics_free(e->dynamics);
    free(e->room);
}

double body_share(const sn_body_info *body, const double *values) {
    double square = 0;
    for (int k = 0; k < body->nv; k++)
        square += values[body->v_index + k] * values[body->v_index + k];
    return sqrt(square);
}

/* a and b: [nbody][7]. */
static double effector_error(const sn_model *model, const double *a, const double *b) {
    const int nbody = sn_model_get(model)->nbody;
    double sum = 0;
    int count = 0;
    for (int i = 1; i < nbody; i++) {
        double square = 0;
        if (i + 1 < nbody && sn_model_body(model, i + 1)->parent == i) continue; /* no leaf: depth first */
        for (int k = 0; k < 3; k++)
            square += pow((a[7 * i + k] - a[k]) - (b[7 * i + k] - b[k]), 2);
        sum += sqrt(square);
        count++;
    }
    return count ? sum / count : 0;
}

/* Of the first body: its place, and the angle between its orientation and the one it should have. */
static void root_error(struct tracking_error *e, const double *a, const double *b) {
    double square = 0, dot = 0;
    for (int k = 0; k < 3; k++)
        square += pow(a[k] - b[k], 2);
    for (int k = 3; k < 7; k++)
        dot += a[k] * b[k];
    e->root = sqrt(square);
    e->tilt = 2 * acos(fmin(1, fabs(dot)));
}

double worst_joint(const sn_model *model, const double *dv) {
    double worst = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        if (body->joint.type != SN_JOINT_FREE) worst = fmax(worst, body_share(body, dv));
    }
    return worst;
}

double joints_mean_square(const sn_model *model, const double *dv, double *most) {
    const int first = sn_model_body(model, 0)->nv, nv = sn_model_get(model)->nv;
    double sum = 0;
    *most = 0;
    for (int v = first; v < nv; v++) {
        sum += dv[v] * dv[v];
        *most = fmax(*most, fabs(dv[v]));
    }
    return sum / (nv - first);
}

void tracking_error_add(struct tracking_error *e, const double *q, const double *wanted) {
    double *a = e->room, *b = a + 7 * sn_model_get(e->model)->nbody,
           *dv = b + 7 * sn_model_get(e->model)->nbody;
    sn_dynamics_bodies(e->dynamics, q, NULL, a, NULL, NULL);
    sn_dynamics_bodies(e->dynamics, wanted, NULL, b, NULL, NULL);
    sn_model_pose_subtract(e->model, 1, q, wanted, dv);
    e->effector = effector_error(e->model, a, b);
    e->joint = worst_joint(e->model, dv);
    root_error(e, a, b);
    e->samples++;
    e->root_mean += (e->root - e->root_mean) / (double)e->samples;
    e->root_max = fmax(e->root_max, e->root);
    e->effector_mean += (e->effector - e->effector_mean) / (double)e->samples;
    e->joint_mean += (e->joint - e->joint_mean) / (double)e->samples;
    e->effector_max = fmax(e->effector_max, e->effector);
    e->joint_max = fmax(e->joint_max, e->joint);
}
