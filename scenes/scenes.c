#include "scenes.h"

#include "kinds.h"
#include "parts.h"
#include "whole.h"

#include <string.h>

const struct scene_kind scene_kinds[] = {
    {"stand", "A humanoid is held in its pose on the floor.", build_driven, start_stand, NULL},
    {"fall", "A driven humanoid falls forward from 0.2 m.", build_driven, start_fall, NULL},
    {"limp", "A humanoid without gains falls like a doll.", build_limp, start_fall, NULL},
    {"push", "A standing humanoid is shoved twice per second.", build_driven, start_stand, act_shove},
    {"own", "Mass, friction, gravity and gains are each copy's own.", build_driven, start_own, act_shove},
    {"tangle", "Limbs lie in each other; for self_contact.", build_driven, start_tangle, NULL},
    {"track", "A humanoid in the air follows a run.", build_track, start_track, NULL},
    {"hills", "Humanoids stand and fall on a height field.", build_hills, start_hills, NULL},
    {"slopes", "A humanoid between a floor and a slope.", build_slopes, start_fall, act_shove},
    {"meet", "Two humanoids run into each other.", build_meet, start_meet, NULL},
    {"balls", "Balls are thrown at a standing humanoid.", build_balls, start_balls, act_balls},
    {"heap", "Two humanoids and ten balls between walls, pushed at random.", build_heap, start_heap, act_heap},
    {"held", "A humanoid with a pin, two paths and a spring.", build_held, start_stand, act_held},
    {"pile", "Boxes, capsules and balls drop into a heap.", build_pile, start_pile, NULL},
    {"stack", "Five boxes, each ten times as heavy as the one below.", build_stack, start_stack, NULL},
    {"slope", "A box on a slope of 20 degrees that it does not slide down.", build_slope, start_slope, NULL},
    {"chain", "A chain, pinned at one end, swings down.", build_chain, start_chain, NULL},
    {"bounce", "Elastic balls drop on the floor and on each other.", build_bounce, start_bounce, NULL},
    {"hit", "A walker is hit by a ball once per second, gives way and comes back.", build_hit, start_hit,
     act_hit},
    {"kick", "A ball of 2 kg is kicked, and slows the leg.", build_kick, start_kick, NULL},
    {"mouse", "A mouse goes by keyframes, its tail by physics.", build_mouse, start_mouse, act_mouse},
    {"tinkertoy", "A bead slides down a helix, another hangs on it by a rod.", build_tinkertoy,
     start_tinkertoy, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const struct scene_kind *find_kind(const char *name) {
    const struct scene_kind *kind = scene_kinds;
    while (kind->name && strcmp(kind->name, name) != 0)
        kind++;
    return kind->name ? kind : NULL;
}

bool scene_create(struct scene *s, const char *name, const sn_world_def *def, uint64_t seed) {
    *s = (struct scene){.kind = find_kind(name), .seed = seed};
    if (!s->kind) {
        scene_fail(s, SN_ERROR_ARGUMENT, "there is no such scene");
        return false;
    }
    s->world = sn_world_create(def, &s->error);
    if (s->world) {
        s->error = (sn_error){0};
        s->kind->build(s);
        for (int copy = 0; copy < def->copies; copy++)
            scene_start(s, copy, seed + (uint64_t)copy);
    }
    if (s->error.status == SN_OK) return true;
    const sn_error error = s->error;
    scene_free(s);
    s->error = error;
    return false;
}

void scene_free(struct scene *s) {
    sn_world_free(s->world);
    sn_motion_free(s->motion);
    sn_keyframes_free(s->keys);
    for (int i = 0; i < s->models; i++)
        sn_model_free(s->model[i]);
    *s = (struct scene){0};
}

void scene_start(struct scene *s, int copy, uint64_t who) {
    if (s->error.status == SN_OK) s->kind->start(s, copy, who);
}

void scene_act(struct scene *s, int copy, uint64_t who, int step) {
    if (s->error.status == SN_OK && s->kind->act) s->kind->act(s, copy, who, step);
}

bool scene_run(struct scene *s, int steps) {
    for (int i = 0; i < steps && s->error.status == SN_OK; i++, s->step++) {
        for (int copy = 0; s->kind->act && copy < sn_world_get_info(s->world).copies; copy++)
            scene_act(s, copy, s->seed + (uint64_t)copy, s->step);
        if (s->error.status == SN_OK) scene_check(s, step_whole(s->world), "a step");
    }
    return s->error.status == SN_OK;
}
