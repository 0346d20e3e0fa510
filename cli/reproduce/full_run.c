#include "full_run.h"

#include "need.h"
#include "scenes/shapes.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate = 2 * 3.14159265358979323846; /* of targets, rad/s */

struct full_trial full_trial_make(sn_model *model, int steps, double dt) {
    const sn_model_info *info = sn_model_get(model);
    struct full_trial t = {.model = model, .nq = info->nq, .nv = info->nv, .nbody = info->nbody};
    const size_t nq = (size_t)t.nq, nv = (size_t)t.nv, nbody = (size_t)t.nbody,
                 all = nq * (size_t)(steps + 1);
    t.q = need_memory(NULL, (all + 5 * nv + 9 * nbody) * sizeof *t.q);
    t.target = t.q + nq, t.qd = t.q + all, t.kp = t.qd + nv, t.kd = t.kp + nv, t.qdd = t.kd + nv;
    t.tau = t.qdd + nv, t.force = t.tau + nv, t.com = t.force + 6 * nbody;
    memset(t.qd, 0, nv * sizeof *t.qd);
    sn_model_zero_pose(model, t.q);
    for (int i = 0; i < steps; i++)
        memcpy(t.target + (size_t)i * nq, t.q, nq * sizeof *t.q);
    for (int i = 0; i < t.nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const bool root = b->joint.type == SN_JOINT_FREE;
        for (int v = b->v_index; v < b->v_index + b->nv; v++)
            t.kp[v] = root ? 20000 : 75000, t.kd[v] = root ? 2000 : 4000;
    }
    t.run = (sn_full_run){.dt = dt,
                          .gravity = {0, 0, -9.81},
                          .steps = steps,
                          .kp = t.kp,
                          .kd = t.kd,
                          .target = t.target,
                          .qdd = t.qdd,
                          .tau = t.tau,
                          .force = t.force,
                          .com = t.com};
    return t;
}

void full_trial_free(struct full_trial *t) {
    free(t->q);
    sn_model_free(t->model);
}

void full_trial_sines(struct full_trial *t, bool in_motion) {
    double *dv = need_memory(NULL, (size_t)(t->nv + t->nq) * sizeof *dv), *zero = dv + t->nv;
    sn_model_zero_pose(t->model, zero);
    for (int i = in_motion ? -1 : 0; i < t->run.steps; i++) {
        for (int v = 0; v < t->nv; v++)
            dv[v] = v < 6 ? 0 : 0.4 * sin(rate * (i + 1) * t->run.dt + v);
        sn_model_pose_add(t->model, 1, zero, dv, i < 0 ? t->q : t->target + (size_t)i * (size_t)t->nq);
    }
    for (int v = 6; v < t->nv && in_motion; v++)
        t->qd[v] = 0.4 * rate * cos(v);
    free(dv);
}

void full_trial_float(struct full_trial *t) {
    for (int v = 0; v < 6; v++)
        t->kp[v] = t->kd[v] = 0;
    memset(t->run.gravity, 0, sizeof t->run.gravity);
}

bool full_trial_go(struct full_trial *t, sn_full_method method, sn_full_repair repair) {
    t->run.method = method, t->run.repair = repair;
    t->run.gap = &t->gap, t->run.momentum = t->momentum;
    return sn_full_go(t->model, t->q, t->qd, &t->run) == SN_OK;
}

sn_model *full_chain(int bodies, sn_joint_type joint) {
    sn_error error = {0};
    return need_model(scene_chain_model(bodies, joint, true, &error), &error);
}

double full_off(const double *a, const double *b, int n) {
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
        size = fmax(size, fabs(b[i]));
    }
    return most / size;
}
