#include "need.h"

#include "scenes/whole.h"
#include "terminal.h"
#include "workload.h"

#include <stdlib.h>

void need(bool good, const sn_error *error) {
    if (!good) exit(complain(EXIT_FAILED, "the experiment cannot go on: %s", error->message));
}

const sn_lanes_info *need_lanes(const char *name) {
    const sn_lanes_info *lanes = lanes_find(name);
    if (lanes) return lanes;
    exit(complain(
        EXIT_FAILED,
        "the experiment needs the lanes '%s', which this build does not have. Build all with 'make'.", name));
}

sn_model *need_model(sn_model *made, const sn_error *error) {
    need(made != NULL, error);
    return made;
}

sn_model *need_builtin(const char *name) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create(name, &error);
    return need_model(model, &error);
}

sn_dynamics *need_dynamics(const sn_model *model, const sn_dynamics_def *def) {
    sn_error error = {0};
    sn_dynamics *dynamics = sn_dynamics_create(model, def, &error);
    need(dynamics != NULL, &error);
    return dynamics;
}

sn_world *need_world(const sn_world_def *def) {
    sn_error error = {0};
    sn_world *world = sn_world_create(def, &error);
    need(world != NULL, &error);
    return world;
}

int need_member(sn_world *world, const sn_model *model) {
    sn_error error = {0};
    const int member = sn_world_add(world, model, &error);
    need(member >= 0, &error);
    return member;
}

void need_step(sn_world *world) {
    if (step_whole(world)) exit(complain(EXIT_FAILED, "the experiment cannot go on: its world diverges"));
}

struct ground_scene need_ground_scene(const sn_model *model, const struct ground_scene_def *def) {
    struct ground_scene scene;
    sn_error error = {0};
    need(ground_scene_create(&scene, model, def, &error), &error);
    return scene;
}
