/* Scenes of free bodies and chains. */
#include "kinds.h"
#include "parts.h"

#include <math.h>

enum { PILE = 18, STACK = 5, LINKS = 8, BOUNCE = 6 };

/* ------------------------------------------------------------------------------------------------ pile */

void build_pile(struct scene *s) {
    const sn_shape_def shape[3] = {box_of(0.12, 0.1, 0.08, 2), capsule_of(0.08, 0.12, 1.5),
                                   sphere_of(0.1, 1)};
    scene_add_floor(s, 0.8);
    scene_add_walls(s, 0.5);
    for (int i = 0; i < PILE; i++)
        if (i < 3)
            scene_add_body(s, &shape[i]);
        else
            scene_add_again(s, i - 3);
}

void start_pile(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    for (int i = 0; i < PILE; i++) {
        const double pos[3] = {scene_uniform(&random, -0.25, 0.25), scene_uniform(&random, -0.25, 0.25),
                               0.3 + 0.2 * i};
        double rot[4];
        for (int k = 0; k < 4; k++)
            rot[k] = scene_uniform(&random, 0.1, 1); /* the world makes its length 1 */
        scene_place(s, i, copy, pos, rot, NULL);
    }
}

/* ------------------------------------------------------------------------------------------------ stack */

/* Masses 0.1, 1, 10, 100 and 1000 kg from the bottom up. */
void build_stack(struct scene *s) {
    scene_add_floor(s, 0.8);
    for (int i = 0; i < STACK; i++) {
        const sn_shape_def box = box_of(0.2, 0.2, 0.1, 0.1 * pow(10, i));
        scene_add_body(s, &box);
    }
}

void start_stack(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    for (int i = 0; i < STACK; i++) {
        const double pos[3] = {scene_uniform(&random, -0.01, 0.01), scene_uniform(&random, -0.01, 0.01),
                               0.1 + 0.2 * i};
        scene_place(s, i, copy, pos, NULL, NULL);
    }
}

/* ------------------------------------------------------------------------------------------------ slope */

static const double SLOPE = 0.3490658503988659; /* 20 degrees; tan 0.364 */

/* The box has a friction of 1, the slope 0.25: together the geometric mean, 0.5. */
void build_slope(struct scene *s) {
    const sn_shape_def box = box_of(0.2, 0.15, 0.1, 5);
    scene_add_slope(s, SLOPE, 0.25);
    scene_add_body(s, &box);
}

void start_slope(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    const double along = scene_uniform(&random, -0.5, 0.5);
    const double pos[3] = {along * cos(SLOPE) - 0.1 * sin(SLOPE), 0, along * sin(SLOPE) + 0.1 * cos(SLOPE)};
    const double rot[4] = {cos(SLOPE / 2), 0, -sin(SLOPE / 2), 0};
    scene_place(s, 0, copy, pos, rot, NULL);
}

/* ------------------------------------------------------------------------------------------------ chain */

void build_chain(struct scene *s) {
    sn_error error = {0};
    sn_model *model = scene_chain_model(LINKS, SN_JOINT_BALL, true, &error);
    if (!model) scene_fail(s, error.status, error.message);
    if (scene_add_model(s, model) < 0) return;
    scene_add_floor(s, 0.5);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    pin.point2[2] = 1.8;
    s->constraint = sn_world_add_constraint(s->world, &pin, &error);
    if (!s->constraint) scene_fail(s, error.status, error.message);
}

/* Stretched out sideways, so that it swings down; its end would reach 0.2 m above the floor. */
void start_chain(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES];
    uint64_t random = scene_seed(who, 0);
    if (s->error.status != SN_OK) return;
    const double turn = scene_uniform(&random, 0.8, 1.6);
    sn_model_zero_pose(s->model[0], q);
    q[0] = q[1] = 0, q[2] = 1.8;
    q[3] = cos(turn / 2), q[4] = 0, q[5] = sin(turn / 2), q[6] = 0;
    scene_put(s, 0, copy, q, NULL);
}

/* ------------------------------------------------------------------------------------------------ bounce */

void build_bounce(struct scene *s) {
    sn_shape_def ball = sphere_of(0.1, 1);
    ball.restitution = 0.8;
    scene_add_floor(s, 0.5);
    const int first = scene_add_body(s, &ball);
    for (int i = 1; i < BOUNCE; i++)
        scene_add_again(s, first);
}

/* Two towers of three, not quite upright. */
void start_bounce(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    for (int i = 0; i < BOUNCE; i++) {
        const double pos[3] = {0.5 * (i % 2) + scene_uniform(&random, -0.02, 0.02),
                               scene_uniform(&random, -0.02, 0.02), 0.5 + 0.3 * (i / 2)};
        const double velocity[6] = {0, 0, 0, 0, scene_uniform(&random, -5, 5), 0};
        scene_place(s, i, copy, pos, NULL, velocity);
    }
}
