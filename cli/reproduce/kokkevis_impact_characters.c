/* Impacts of characters: two that collide, and one that lands on many points at once. */
#include "kokkevis_impact.h"
#include "need.h"
#include "paper_world.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 2, DROPS = 2 };
static const int hertz[STEPS] = {240, 60};

/* --------------------------------------------------------------------------------------------- collisions */

/* Momentum and angular momentum about the origin of the world, of all characters. */
static void total_momentum(sn_world *world, double p[3], double L[3], double *kinetic) {
    memset(p, 0, 3 * sizeof *p);
    memset(L, 0, 3 * sizeof *L);
    *kinetic = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        sn_summary s;
        sn_world_summary(world, sn_world_member(world, i), 0, &s);
        *kinetic += s.kinetic;
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            p[k] += s.linear_momentum[k];
            L[k] += s.angular_momentum[k] + s.com[a] * s.linear_momentum[b] - s.com[b] * s.linear_momentum[a];
        }
    }
}

static void pose(sn_world *world, int i, const sn_model *model, double x, double y, double speed) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    double *q = need_memory(NULL, (size_t)(nq + nv) * sizeof *q), *qd = q + nq;
    memset(qd, 0, (size_t)nv * sizeof *qd);
    sn_model_zero_pose(model, q);
    q[0] += x, q[1] += y, qd[0] = speed;
    set_uniform_gains(world, i, 0, 0, 100, 10);
    sn_world_set_target(world, i, q, NULL);
    sn_world_set_state(world, i, q, qd);
    free(q);
}

/* One flies into the other, off its middle, in empty space. */
static void run_collision(const sn_model *model, int s, int h, double seconds, struct characters_seen *seen,
                          struct result *result) {
    sn_error error = {0};
    const double dt = 1.0 / hertz[h];
    sn_world *world = impact_world(impact_stepper[s], dt, 0, NULL, &error);
    double p0[3], L0[3], kinetic0, p[3], L[3], kinetic, most = 0, dp = 0, dL = 0;
    need(world != NULL, &error);
    pose(world, need_member(world, model), model, -0.5, 0, 3);
    pose(world, need_member(world, model), model, 0, 0.1, 0);
    total_momentum(world, p0, L0, &kinetic0);
    for (int i = 0; i < seconds / dt; i++) {
        need_step(world);
        sn_world_stats stats;
        sn_world_get_stats(world, &stats);
        most = fmax(most, stats.contacts);
    }
    total_momentum(world, p, L, &kinetic);
    for (int k = 0; k < 3; k++) {
        dp = fmax(dp, fabs(p[k] - p0[k]));
        dL = fmax(dL, fabs(L[k] - L0[k]));
    }
    const double size = p0[0], arm = p0[0] * 1.0; /* of 1 m */
    add_row(result, "a humanoid flies into another at 3 m/s, no gravity",
            {"stepper", text(impact_steppers[s])}, {"dt", number(dt)}, {"most_contacts", number(most)},
            {"momentum", number(size)}, {"momentum_change", number(dp / size)},
            {"angular_change", number(dL / arm)}, {"kinetic_before_J", number(kinetic0)},
            {"kinetic_after_J", number(kinetic)});
    seen->momentum[s] = fmax(seen->momentum[s], dp / size);
    if (h == 0) seen->angular[s] = fmax(seen->angular[s], dL / arm);
    seen->contacts[s] = fmax(seen->contacts[s], most);
    sn_world_free(world);
}

/* ----------------------------------------------------------------------------------------------- landings */

/* How fast a contact that presses still closes, m/s, beyond what closes its gap in the step: the time
   stepper takes what comes closer into account before it touches. */
static double closing_speed(const sn_contact *c, const double *pose, const double *velocity, double dt) {
    const double *pos = pose + 7 * c->body[0], *linear = velocity + 6 * c->body[0], *angular = linear + 3;
    double speed = 0;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double v = linear[k] + angular[a] * (c->pos[b] - pos[b]) - angular[b] * (c->pos[a] - pos[a]);
        speed -= c->normal[k] * v;
    }
    return speed - fmax(c->gap, 0) / dt;
}

struct landing {
    double approach, gain, depth, most, before, after;
};

static void land(struct ground_scene *scene, double dt, double seconds, struct landing *l) {
    sn_summary now, last;
    const int nbody = sn_model_get(sn_world_model(scene->world, 0))->nbody;
    double *pose = need_memory(NULL, (size_t)nbody * 13 * sizeof *pose), *velocity = pose + 7 * nbody;
    sn_world_summary(scene->world, 0, 0, &last);
    for (int i = 0; i < seconds / dt; i++) {
        need_step(scene->world);
        sn_world_summary(scene->world, 0, 0, &now);
        sn_world_get(scene->world, 0, SN_FIELD_BODY_POSE, 0, 1, pose);
        sn_world_get(scene->world, 0, SN_FIELD_BODY_VELOCITY, 0, 1, velocity);
        int count, touching = 0;
        const sn_contact *contact = sn_world_contacts(scene->world, 0, &count);
        for (int k = 0; k < count; k++) {
            l->depth = fmax(l->depth, -contact[k].gap);
            if (!(contact[k].force[2] > 0)) continue;
            touching++;
            l->approach = fmax(l->approach, closing_speed(&contact[k], pose, velocity, dt));
        }
        l->most = fmax(l->most, touching);
        const double gain = now.kinetic + now.potential - last.kinetic - last.potential;
        if (last.kinetic > 1) l->gain = fmax(l->gain, gain / last.kinetic);
        last = now;
    }
    l->after = last.kinetic;
    free(pose);
}

/* Without drives: they could put energy in. */
static void run_landing(const sn_model *model, bool flat, int s, int h, double seconds,
                        struct characters_seen *seen, struct result *result) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = paper_world_def();
    def.world.dt = 1.0 / hertz[h];
    def.world.stepper = s ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
    def.kp = 0;
    def.kd = 5;
    struct ground_scene scene = need_ground_scene(model, &def);
    if (flat) { /* on its back, as low as it goes */
        const double back[4] = {sqrt(0.5), 0, -sqrt(0.5), 0};
        memcpy(scene.q + 3, back, sizeof back);
        sn_world_stand(scene.world, 0, scene.q);
    }
    scene.q[2] += 0.05;
    scene.qd[2] = -3;
    sn_world_set_state(scene.world, 0, scene.q, scene.qd);
    struct landing l = {0};
    sn_summary start;
    sn_world_summary(scene.world, 0, 0, &start);
    land(&scene, def.world.dt, seconds, &l);
    ground_scene_free(&scene);
    add_row(result, "a limp humanoid lands at 3 m/s, e = 0",
            {"lands", text(flat ? "on its back" : "feet first")}, {"stepper", text(impact_steppers[s])},
            {"dt", number(def.world.dt)}, {"most_contacts", number(l.most)},
            {"still_closing_m_s", number(l.approach)}, {"penetration_mm", number(1e3 * l.depth)},
            {"energy_gain", number(l.gain)}, {"kinetic_before_J", number(start.kinetic)},
            {"kinetic_after_J", number(l.after)});
    seen->gain[s] = fmax(seen->gain[s], l.gain);
    seen->approach[s] = fmax(seen->approach[s], l.approach);
    seen->contacts[s] = fmax(seen->contacts[s], l.most);
}

void impact_characters(const struct run_settings *settings, struct characters_seen *seen,
                       struct result *result) {
    sn_model *model = need_builtin("humanoid");
    progress_step("two characters");
    for (int i = 0; i < STEPPERS * STEPS && !interrupted(); i++)
        run_collision(model, i / STEPS, i % STEPS, settings->quick ? 0.3 : 1, seen, result);
    for (int flat = 0; flat < DROPS; flat++) {
        progress_step("landing %s", flat ? "on the back" : "feet first");
        for (int i = 0; i < STEPPERS * STEPS && !interrupted(); i++)
            run_landing(model, flat, i / STEPS, i % STEPS, settings->quick ? 0.1 : 0.5, seen, result);
    }
    sn_model_free(model);
}
