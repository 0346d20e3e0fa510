#include "toys.h"

#include "parts.h"

#include <math.h>
#include <stdlib.h>

/* -------------------------------------------------------------------------------------------------------- tinkertoy */

void toy_free(struct toy *toy) {
    sn_world_free(toy->world);
    sn_model_free(toy->model);
    *toy = (struct toy){0};
}

static void stiffen(sn_constraint_def *tie, const struct toy_def *def) {
    tie->stiffness = TOY_KP, tie->damping = TOY_KD_OVER_KP_DT * TOY_KP * def->dt;
    tie->form = def->form;
}

static sn_constraint hold_on_helix(sn_world *world, const struct toy_def *def, sn_error *error) {
    const int n = def->segments + 1;
    double *points = calloc(3 * (size_t)n, sizeof *points);
    for (int i = 0; i < n && points; i++) {
        const double part = (double)i / def->segments, angle = 2 * M_PI * HELIX_TURNS * part;
        points[3 * i] = HELIX_RADIUS * cos(angle);
        points[3 * i + 1] = HELIX_RADIUS * sin(angle);
        points[3 * i + 2] = -HELIX_HEIGHT * part;
    }
    sn_constraint_def tie = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    tie.curve = &(sn_curve_def){.struct_size = sizeof(sn_curve_def), .npoint = n, .points = points};
    stiffen(&tie, def);
    tie.rows = def->rows;
    const sn_constraint curve = points ? sn_world_add_constraint(world, &tie, error) : 0;
    free(points);
    return curve;
}

static sn_constraint tie_with_rod(sn_world *world, const struct toy_def *def, sn_error *error) {
    sn_constraint_def tie = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    tie.member = 1, tie.member2 = 0, tie.target[0] = TOY_ROD;
    stiffen(&tie, def);
    return sn_world_add_constraint(world, &tie, error);
}

bool toy_create(struct toy *toy, const struct toy_def *def, sn_error *error) {
    const sn_shape_def bead = sphere_of(0.05, TOY_MASS);
    const double start[2][7] = {{HELIX_RADIUS, 0, 0, 1}, {HELIX_RADIUS + TOY_ROD, 0, 0, 1}};
    sn_world_def world = sn_world_def_default();
    world.dt = def->dt, world.contact = SN_CONTACT_NONE;
    if (def->exact) world.setting = SN_SETTING_EXACT, world.tolerance = 1e-14;
    *toy = (struct toy){.model = scene_body_model(&bead, error)};
    if (toy->model) toy->world = sn_world_create(&world, error);
    for (int i = 0; i < 2; i++) {
        if (!toy->world || sn_world_add(toy->world, toy->model, error) != i) return false;
        sn_world_set_state(toy->world, i, start[i], NULL);
    }
    toy->curve = hold_on_helix(toy->world, def, error);
    if (toy->curve && !def->alone) toy->rod = tie_with_rod(toy->world, def, error);
    return toy->curve && (toy->rod || def->alone);
}

/* ------------------------------------------------------------------------------------------------------------ mouse */

/* time, place, heading */
static const double keys[MOUSE_KEYS][5] = {{0, 0, 0, 0.03, 0},          {1.2, 0.35, 0, 0.03, 0},
                                           {2.4, 0.5, 0.25, 0.03, 1.8}, {3.6, 0.3, 0.45, 0.12, 2.9},
                                           {4.8, 0, 0.3, 0.03, 4.4},    {6, 0, 0, 0.03, 6.1}};

double mouse_key_time(int key) {
    return keys[key][0];
}

sn_keyframes *mouse_keyframes(const sn_model *mouse, const struct mouse_def *trial, sn_error *error) {
    double q[MOUSE_KEYS][SCENE_VALUES], weight[SCENE_VALUES];
    uint8_t keyed[SCENE_VALUES] = {1};
    sn_keyframe key[MOUSE_KEYS];
    for (int b = 0; b < sn_model_get(mouse)->nbody; b++)
        weight[b] = b ? 1 : trial->weight;
    for (int i = 0; i < MOUSE_KEYS; i++) {
        double *pose = q[i];
        sn_model_zero_pose(mouse, pose);
        for (int k = 0; k < 3; k++)
            pose[k] = keys[i][1 + k];
        pose[3] = cos(0.5 * keys[i][4]), pose[6] = sin(0.5 * keys[i][4]);
        key[i] = (sn_keyframe){.time = keys[i][0], .q = pose, .keyed = keyed};
    }
    sn_keyframes_def def = sn_keyframes_def_default();
    def.count = MOUSE_KEYS, def.key = key, def.fade = trial->fade;
    def.gain = trial->gain, def.damping = trial->damping, def.weight = weight;
    return sn_keyframes_create(mouse, &def, error);
}
