/* Impacts of single bodies, which have solutions in closed form. */
#include "kokkevis_impact.h"
#include "need.h"
#include "progress.h"
#include "scenes/shapes.h"

#include <math.h>

enum { STEPS = 2, BALLS = 5 };
static const int hertz[STEPS] = {240, 60};
static const double gravity = 9.81;

static sn_model *make_ball(double friction, double restitution) {
    sn_error error = {0};
    return need_model(impact_ball(friction, restitution, &error), &error);
}

static sn_world *make_world(int stepper, double dt, double g, const sn_shape_def *ground) {
    sn_error error = {0};
    sn_world *world = impact_world(impact_stepper[stepper], dt, g, ground, &error);
    need(world != NULL, &error);
    return world;
}

/* ------------------------------------------------------------------------------------------------ bounces */

/* Drops a body from `height` above its resting place and returns how high it comes after the first impact. */
static void bounce(const sn_model *model, int stepper, double dt, double rest, double height, double *rebound,
                   double *turning) {
    const sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    sn_world *world = make_world(stepper, dt, gravity, &ground);
    double q[7] = {0, 0, rest + height, 1, 0, 0, 0}, qd[6] = {0};
    bool hit = false;
    sn_world_set_state(world, need_member(world, model), q, qd);
    *rebound = *turning = 0;
    const int steps =
        (int)(2.2 * sqrt(2 * height / gravity) / dt); /* before it could land a second time at e = 1 */
    for (int i = 0; i < steps; i++) {
        need_step(world);
        const double before = qd[2];
        sn_world_get_state(world, 0, q, qd);
        if (hit && qd[2] < 0 && before < 0 && *rebound > 0.01) break; /* over the top */
        hit |= before < -1 && qd[2] > 0.5 * before;
        if (hit) {
            *rebound = fmax(*rebound, q[2] - rest);
            *turning = fmax(*turning, sqrt(qd[3] * qd[3] + qd[4] * qd[4] + qd[5] * qd[5]));
        }
    }
    sn_world_free(world);
}

static void put_bounce(struct result *result, const char *body, int stepper, int h, double e,
                       double rebound) {
    add_row(result, "dropped from 1 m: height of the rebound", {"body", text(body)},
            {"stepper", text(impact_steppers[stepper])}, {"dt", number(1.0 / hertz[h])}, {"e", number(e)},
            {"ours_m", number(rebound)}, {"e2h_m", number(e * e)}, {"error", number(rebound - e * e)});
}

static void run_balls(struct bodies_seen *seen, struct result *result) {
    static const double e[] = {0, 0.3, 0.5, 0.8, 1};
    for (int s = 0; s < STEPPERS; s++)
        for (int h = 0; h < STEPS; h++)
            for (int i = 0; i < 5; i++) {
                sn_model *model = make_ball(1, e[i]);
                double rebound, turning;
                bounce(model, s, 1.0 / hertz[h], 0.1, 1, &rebound, &turning);
                sn_model_free(model);
                put_bounce(result, "ball", s, h, e[i], rebound);
                seen->ball[s] = fmax(seen->ball[s], fabs(rebound - e[i] * e[i]));
            }
}

static void run_boxes(struct bodies_seen *seen, struct result *result) {
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 0.2, box.size[1] = 0.15, box.size[2] = 0.1;
    box.mass = 2;
    box.restitution = 0.5;
    sn_error error = {0};
    sn_model *model = need_model(scene_body_model(&box, &error), &error);
    for (int i = 0; i < STEPPERS * STEPS; i++) {
        const int s = i / STEPS, h = i % STEPS;
        double rebound, turning;
        bounce(model, s, 1.0 / hertz[h], 0.1, 1, &rebound, &turning);
        put_bounce(result, "box on 4 corners", s, h, 0.5, rebound);
        seen->box[s] = fmax(seen->box[s], fabs(rebound - 0.25));
        seen->tilt[s] = fmax(seen->tilt[s], turning);
    }
    sn_model_free(model);
}

/* ----------------------------------------------------------------------------------------------- friction */

/* A ball meets the ground at (v, 0, -u) with spin w about y. The slip at the contact is v - w r. The
   normal impulse is (1 + e) u m; friction up to mu times that stops the slip at 2/7 m slip, for a sphere
   of inertia 2/5 m r^2. */
struct oblique {
    double v, u, w, mu, e;
};

static void coulomb(const struct oblique *o, double *v, double *w) {
    const double r = 0.1, slip = o->v - o->w * r;
    const double most = o->mu * (1 + o->e) * o->u, stop = 2.0 / 7.0 * fabs(slip);
    const double impulse = copysign(fmin(most, stop), slip);
    *v = o->v - impulse;
    *w = o->w + impulse / (0.4 * r);
}

/* Without gravity, so that nothing but the impact changes the velocity. */
static void hit_ground(const struct oblique *o, int stepper, double dt, double *v, double *w, double *up) {
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = o->mu;
    sn_model *model = make_ball(o->mu, o->e);
    sn_world *world = make_world(stepper, dt, 0, &ground);
    double q[7] = {0, 0, 0.2, 1, 0, 0, 0}, qd[6] = {o->v, 0, -o->u, 0, o->w, 0}, velocity[6];
    sn_world_set_state(world, need_member(world, model), q, qd);
    const int steps = (int)(0.1 / o->u / dt) + 12;
    for (int i = 0; i < steps; i++)
        need_step(world);
    sn_world_get(world, 0, SN_FIELD_BODY_VELOCITY, 0, 1, velocity); /* linear, angular */
    *v = velocity[0], *w = velocity[4], *up = velocity[2];
    sn_world_free(world);
    sn_model_free(model);
}

static void run_oblique(struct bodies_seen *seen, struct result *result) {
    static const struct oblique cases[] = {{3, 2, 0, 0, 0.5},   {3, 2, 0, 0.1, 0.5}, {3, 2, 0, 0.2, 0.5},
                                           {3, 2, 0, 0.5, 0.5}, {3, 2, 0, 1, 0},     {0, 2, 40, 0.1, 0.5},
                                           {0, 2, 40, 0.5, 0},  {-3, 2, 40, 0.2, 0}};
    for (int s = 0; s < STEPPERS; s++)
        for (int i = 0; i < 8; i++) {
            const struct oblique *o = &cases[i];
            double v = 0, w = 0, up = 0, paper_v, paper_w;
            hit_ground(o, s, 1.0 / hertz[0], &v, &w, &up);
            coulomb(o, &paper_v, &paper_w);
            add_row(result, "a ball meets the ground at (v, 0, -2) m/s with spin w, no gravity",
                    {"stepper", text(impact_steppers[s])}, {"friction", number(o->mu)}, {"e", number(o->e)},
                    {"v", number(o->v)}, {"w", number(o->w)}, {"v_after", number(v)},
                    {"coulomb_v", number(paper_v)}, {"w_after", number(w)}, {"coulomb_w", number(paper_w)},
                    {"up_after", number(up)}, {"newton_up", number(o->e * o->u)});
            const double scale = fmax(fabs(o->v), fabs(o->w) * 0.1);
            const double off = fmax(fmax(fabs(v - paper_v), 0.1 * fabs(w - paper_w)), fabs(up - o->e * o->u));
            seen->oblique[s] = fmax(seen->oblique[s], off / scale);
        }
}

/* ------------------------------------------------------------------------------------------- balls in a row */

static void run_row(int stepper, double gap, struct bodies_seen *seen, struct result *result) {
    static const char *const key[BALLS] = {"v1", "v2", "v3", "v4", "v5"};
    sn_model *model = make_ball(0, 1);
    sn_world *world = make_world(stepper, 1.0 / 240, 0, NULL);
    for (int i = 0; i < BALLS; i++) {
        const double q[7] = {i == 0 ? -0.3 : i * (0.2 + gap), 0, 0, 1, 0, 0, 0}, qd[6] = {i == 0 ? 1.0 : 0.0};
        sn_world_set_state(world, need_member(world, model), q, qd);
    }
    for (int i = 0; i < 240; i++)
        need_step(world);
    double momentum = 0, energy = 0;
    struct record *row =
        add_row(result, "five balls in a row, the first at 1 m/s, e = 1: velocities after, m/s",
                {"stepper", text(impact_steppers[stepper])}, {"gap_mm", number(1e3 * gap)});
    for (int i = 0; i < BALLS; i++) {
        double qd[6];
        sn_world_get_state(world, i, NULL, qd);
        record_put(row, key[i], number(fabs(qd[0]) < 1e-12 ? 0 : qd[0]));
        momentum += qd[0];
        energy += qd[0] * qd[0];
        if (i == BALLS - 1 && gap > 0) seen->row[stepper] = fabs(qd[0] - 1);
    }
    add_fields(row, {"momentum", number(momentum)}, {"energy", number(energy)});
    seen->momentum[stepper] = fmax(seen->momentum[stepper], fabs(momentum - 1));
    sn_world_free(world);
    sn_model_free(model);
}

void impact_bodies(struct bodies_seen *seen, struct result *result) {
    progress_step("balls");
    run_balls(seen, result);
    progress_step("boxes");
    run_boxes(seen, result);
    progress_step("friction");
    run_oblique(seen, result);
    progress_step("balls in a row");
    for (int s = 0; s < STEPPERS; s++)
        run_row(s, 1e-3, seen, result), run_row(s, 0, seen, result);
}
