/* Ground for a pack: which points of a character may touch it, and what is remembered of each. */
#ifndef SINEW_WORLD_PACK_GROUND_H
#define SINEW_WORLD_PACK_GROUND_H

#include "dynamics/pack.h"

/* How contacts are treated, as in sn_world_def. */
struct sn__touch_def {
    bool friction;
    double recovery, margin, compliance, tolerance;
    int sweeps;
};

/* Joint limits, where the pack keeps them, and no ground. */
sn_status sn__pack_set_stops(struct sn__pack *p, const struct sn__touch_def *def, sn_error *error);
/* The same and ground, in place of what was there. */
sn_status sn__pack_set_plane(struct sn__pack *p, const struct sn__touch_def *def, const double point[3],
                             const double normal[3], const sn_shape_def *material, sn_error *error);
sn_status sn__pack_set_field(struct sn__pack *p, const struct sn__touch_def *def,
                             const sn_heightfield_def *field, const sn_shape_def *material, sn_error *error);
void sn__pack_release_ground(struct sn__pack *p);

/* For the kernel: everything of one block, working memory of this pack or clone. */
struct sn__ground sn__pack_ground_of(const struct sn__pack *p, int block);
/* One step of a block over ground, with joint limits, or for a crowd that wants torques. */
void sn__pack_step_ground(struct sn__pack *p, int block);

/* Force of the ground on each body in the last step, [nbody][3]. */
void sn__pack_touch_force(const struct sn__pack *p, int character, double *force);
/* Forgets contacts and limits of the last step. */
void sn__pack_forget(struct sn__pack *p, int character);

#endif
