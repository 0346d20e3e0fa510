#include "accuracy_run.h"

#include "terminal.h"
#include "tracking_error.h"

#include <math.h>
#include <stdlib.h>

static bool make_motion(struct scene *scene, const struct scene_motion *motion, sn_error *error) {
    if (motion->clip)
        scene->motion = sn_motion_create(motion->clip, scene->model, NULL, error);
    else if (motion->builtin)
        scene->motion = sn_builtin_motion_create(motion->builtin, scene->model, error);
    else
        scene->sines = motion_create(scene->model, motion->style, motion->seed);
    return scene->motion || scene->sines;
}

bool scene_create(struct scene *scene, sn_model *model, const char *effector,
                  const struct scene_motion *motion, sn_error *error) {
    *scene = (struct scene){.model = model};
    if (!model) return false;
    const sn_dynamics_def def = sn_dynamics_def_default();
    scene->effector = sn_model_find_body(scene->model, effector);
    if (scene->effector < 0)
        snprintf(error->message, sizeof error->message, "there is no body '%s'", effector);
    else if (make_motion(scene, motion, error))
        scene->look = sn_dynamics_create(scene->model, &def, error);
    scene->body_pose = need_memory(NULL, 7 * (size_t)sn_model_get(model)->nbody * sizeof *scene->body_pose);
    if (scene->look) return true;
    scene_free(scene);
    return false;
}

void scene_free(struct scene *scene) {
    sn_dynamics_free(scene->look);
    free(scene->body_pose);
    sn_motion_free(scene->motion), motion_free(scene->sines), sn_model_free(scene->model);
    *scene = (struct scene){0};
}

static void scene_sample(const struct scene *scene, double time, double *q, double *qd) {
    if (scene->motion)
        sn_motion_sample(scene->motion, time, q, qd);
    else
        motion_sample(scene->sines, time, q, qd);
}

static void root_to_effector(const struct scene *scene, const double *q, double vector[3]) {
    sn_dynamics_bodies(scene->look, q, NULL, scene->body_pose, NULL, NULL);
    for (int k = 0; k < 3; k++)
        vector[k] = scene->body_pose[7 * scene->effector + k] - scene->body_pose[7 * scene->root + k];
}

/* Between the simulated pose and the reference pose q. */
static double effector_error(const struct scene *scene, const double *own_q, const double *q) {
    double simulated[3], wanted[3];
    root_to_effector(scene, q, wanted);
    root_to_effector(scene, own_q, simulated);
    return sqrt((simulated[0] - wanted[0]) * (simulated[0] - wanted[0]) +
                (simulated[1] - wanted[1]) * (simulated[1] - wanted[1]) +
                (simulated[2] - wanted[2]) * (simulated[2] - wanted[2]));
}

static sn_dynamics *create_dynamics(const struct scene *scene, const struct variant *variant,
                                    sn_precision precision, double dt) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.precision = precision;
    def.dt = dt;
    def.solver = variant->solver;
    def.route = variant->route;
    return sn_dynamics_create(scene->model, &def, NULL);
}

struct error_norms scene_run(const struct scene *scene, const struct variant *variant, sn_precision precision,
                             double dt, double duration, bool target_velocity, double (*path)[3]) {
    const size_t nq = (size_t)sn_model_get(scene->model)->nq, nv = (size_t)sn_model_get(scene->model)->nv;
    double *q = need_memory(NULL, (2 * nq + 5 * nv) * sizeof *q), *qd = q + nq, *kp = qd + nv, *kd = kp + nv;
    double *own_q = kd + nv, *own_qd = own_q + nq, *dv = own_qd + nv;
    struct error_norms norms = {.measured = true};
    sn_dynamics *dynamics = create_dynamics(scene, variant, precision, dt);
    if (!dynamics) norms.diverged = true;
    sn_gains_uniform(scene->model, 20000, 2000, 75000, 4000, kp, kd);
    scene_sample(scene, 0.0, own_q, own_qd);
    const sn_drive drive = {.kp = kp, .kd = kd, .target_q = q, .target_qd = target_velocity ? qd : NULL};
    const long steps = lround(duration / dt);
    for (long i = 1; i <= steps && !norms.diverged; i++) {
        scene_sample(scene, (double)i * dt, q, qd);
        if (sn_dynamics_step(dynamics, &drive, 1, own_q, own_qd, NULL, NULL) != SN_OK) norms.diverged = true;
        const double error = effector_error(scene, own_q, q);
        if (path) root_to_effector(scene, own_q, path[i - 1]);
        norms.mean += error / (double)steps;
        norms.max = fmax(norms.max, error);
        sn_model_pose_subtract(scene->model, 1, own_q, q, dv);
        norms.joint = fmax(norms.joint, worst_joint(scene->model, dv));
        if (!(norms.max < 1.0 && norms.joint < 3.0)) norms.diverged = true;
    }
    sn_dynamics_free(dynamics);
    free(q);
    if (norms.diverged) norms.mean = norms.max = norms.joint = (double)NAN;
    return norms;
}

double scene_lag(const struct scene *scene, double duration) {
    const int nv = sn_model_get(scene->model)->nv, nq = sn_model_get(scene->model)->nq;
    const long steps = lround(duration * FINE_HERTZ);
    double *q = need_memory(NULL, (size_t)(3 * nq + nv) * sizeof *q), *own = q + nq, *next = own + nq,
           *dv = next + nq;
    double mean = 0;
    scene_sample(scene, 0.0, own, NULL);
    for (long i = 1; i <= steps; i++) {
        scene_sample(scene, (double)i / FINE_HERTZ, q, NULL);
        sn_model_pose_subtract(scene->model, 1, q, own, dv);
        for (int b = 0; b < sn_model_get(scene->model)->nbody; b++) {
            const sn_body_info *info = sn_model_body(scene->model, b);
            const double late = b == scene->root ? 2000.0 / 20000 : 4000.0 / 75000; /* kd / kp, s */
            for (int k = 0; k < info->nv; k++)
                dv[info->v_index + k] *= 1 - exp(-1 / (FINE_HERTZ * late));
        }
        sn_model_pose_add(scene->model, 1, own, dv, next);
        double *swap = own;
        own = next, next = swap;
        mean += effector_error(scene, own, q) / (double)steps;
    }
    free(q);
    return mean;
}

double smallest_inertia(const struct scene *scene) {
    const int nq = sn_model_get(scene->model)->nq, nv = sn_model_get(scene->model)->nv;
    double *q = need_memory(NULL, (size_t)(nq + 3 * nv) * sizeof *q), *tau = q + nq, *free_qdd = tau + nv;
    double *qdd = free_qdd + nv, smallest = INFINITY;
    scene_sample(scene, 0.0, q, NULL);
    for (int i = 0; i < nv; i++)
        tau[i] = 0.0;
    sn_dynamics_forward(scene->look, q, NULL, NULL, tau, free_qdd);
    for (int i = 0; i < nv; i++) {
        tau[i] = 1.0;
        sn_dynamics_forward(scene->look, q, NULL, NULL, tau, qdd);
        smallest = fmin(smallest, 1.0 / (qdd[i] - free_qdd[i]));
        tau[i] = 0.0;
    }
    free(q);
    return smallest;
}
