#include "ground_scene.h"

#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ground_scene_def ground_scene_def_default(void) {
    struct ground_scene_def def = {.world = sn_world_def_default(), .kp = 1000, .kd = 100, .friction = 1};
    def.world.contact = SN_CONTACT_ROWS;
    return def;
}

void add_tilt(const double r[4], double *omega) {
    omega[0] += 2 * (r[1] * r[2] + r[0] * r[3]);
    omega[1] += 1 - 2 * (r[1] * r[1] + r[3] * r[3]);
    omega[2] += 2 * (r[2] * r[3] - r[0] * r[1]);
}

sn_status set_uniform_gains(sn_world *world, int member, double root_kp, double root_kd, double kp,
                            double kd) {
    const sn_model *model = sn_world_model(world, member);
    const size_t nv = (size_t)sn_model_get(model)->nv;
    double *kps = need_memory(NULL, (2 * nv + 1) * sizeof *kps);
    sn_gains_uniform(model, root_kp, root_kd, kp, kd, kps, kps + nv);
    const sn_status status = sn_world_set_gains(world, member, kps, kps + nv);
    free(kps);
    return status;
}

/* The root's values stand first: position, quaternion; velocity in the world, turning in its own axes. */
static sn_status place(struct ground_scene *scene, const sn_model *model,
                       const struct ground_scene_def *def) {
    double *q = scene->q, *qd = scene->qd;
    sn_model_zero_pose(model, q);
    memset(qd, 0, (size_t)scene->nv * sizeof *qd);
    sn_status status = sn_world_stand(scene->world, 0, q);
    if (def->fall) {
        q[2] += 0.2;
        qd[0] = 1.5;
        add_tilt(q + 3, qd + 3);
    }
    if (status == SN_OK) status = sn_world_set_state(scene->world, 0, q, qd);
    return status == SN_OK ? sn_world_set_target(scene->world, 0, q, NULL) : status;
}

bool ground_scene_create(struct ground_scene *scene, const sn_model *model,
                         const struct ground_scene_def *def, sn_error *error) {
    *scene = (struct ground_scene){.nq = sn_model_get(model)->nq, .nv = sn_model_get(model)->nv};
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = def->friction;
    scene->q = need_memory(NULL, (size_t)(scene->nq + scene->nv) * sizeof *scene->q);
    scene->qd = scene->q + scene->nq;
    scene->world = sn_world_create(&def->world, error);
    bool good = scene->world && sn_world_add_plane(scene->world, origin, up, &ground, error) >= 0 &&
                sn_world_add(scene->world, model, error) == 0;
    if (good) {
        sn_status status = set_uniform_gains(scene->world, 0, 0, 0, def->kp, def->kd);
        if (status == SN_OK) status = place(scene, model, def);
        good = status == SN_OK;
        if (!good && error) {
            error->status = status;
            snprintf(error->message, sizeof error->message, "it cannot be put on the ground: %s",
                     sn_status_text(status));
        }
    }
    if (!good) ground_scene_free(scene);
    return good;
}

void ground_scene_free(struct ground_scene *scene) {
    sn_world_free(scene->world);
    free(scene->q);
    *scene = (struct ground_scene){0};
}

static void add_step(struct watched *w, const sn_world *world) {
    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    w->contacts += stats.contacts;
    w->rows += stats.rows;
    w->iterations += stats.iterations;
    w->sweeps += stats.sweeps;
    w->substeps += stats.substeps;
    w->impacts += stats.impacts;
    w->dropped += stats.dropped;
    w->residual = fmax(w->residual, stats.residual);
    int count;
    const sn_contact *contact = sn_world_contacts(world, 0, &count);
    for (int i = 0; i < count; i++)
        w->penetration = fmax(w->penetration, -contact[i].gap);
}

struct watched ground_scene_watch(struct ground_scene *scene, double dt, double seconds) {
    struct watched w = {.finite = true, .drift = (double)NAN, .height = (double)NAN, .rest = 0};
    const int steps = (int)(seconds / dt + 0.5), second = steps * dt > 1 ? (int)(1 / dt + 0.5) : 0;
    double *q = scene->q, *qd = scene->qd, from[2] = {q[0], q[1]};
    const double height = q[2];
    for (; w.steps < steps; w.steps++) {
        if (w.steps == second) {
            sn_world_get_state(scene->world, 0, q, NULL);
            from[0] = q[0], from[1] = q[1];
        }
        if (step_whole(scene->world) != SN_OK) {
            w.finite = false;
            break;
        }
        add_step(&w, scene->world);
        sn_summary now;
        sn_world_summary(scene->world, 0, 0, &now);
        if (!(now.kinetic < 0.1)) w.rest = (w.steps + 1) * dt;
    }
    sn_world_get_state(scene->world, 0, q, qd);
    if (!w.finite || w.rest >= steps * dt) w.rest = INFINITY;
    if (w.finite) {
        w.drift = hypot(q[0] - from[0], q[1] - from[1]);
        w.height = q[2] - height;
        for (int i = 0; i < scene->nv; i++)
            w.speed = fmax(w.speed, fabs(qd[i]));
    }
    const double n = w.steps > 0 ? w.steps : 1;
    w.contacts /= n, w.rows /= n, w.iterations /= n, w.sweeps /= n, w.substeps /= n;
    return w;
}
