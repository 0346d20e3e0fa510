/* What an experiment cannot do without. If one of these fails, it complains and ends the command, as need_memory does: an
 * experiment that cannot be set up, or whose world diverges where that must not happen, has nothing to report. */
#ifndef SINEW_CLI_NEED_H
#define SINEW_CLI_NEED_H

#include "ground_scene.h"

#include <sinew/dynamics.h>

/* Ends the command unless `good`, with the message of `error`. */
void need(bool good, const sn_error *error);

const sn_lanes_info *
need_lanes(const char *name); /* "f64"; `make run` builds the vectors of this machine alone */
sn_model *need_builtin(const char *name);
/* Returns `made` again, which must not be NULL. */
sn_model *need_model(sn_model *made, const sn_error *error);
sn_dynamics *need_dynamics(const sn_model *model, const sn_dynamics_def *def);
sn_world *need_world(const sn_world_def *def);
int need_member(sn_world *world, const sn_model *model);
void need_step(sn_world *world); /* in which nobody may diverge */
struct ground_scene need_ground_scene(const sn_model *model, const struct ground_scene_def *def);

#endif
