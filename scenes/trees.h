/* Random trees of bodies, for tests and experiments. */
#ifndef SINEW_SCENES_TREES_H
#define SINEW_SCENES_TREES_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct random_tree {
    int bodies;
    sn_joint_type joint; /* SN_JOINT_FREE: hinges, universal joints and balls by chance */
    bool free_root;      /* else the root has a joint like the others */
    bool chain;          /* each body on the one before; else on any */
};
/* Boxes of 0.1 to 0.3 m and 0.5 to 2 kg, with joints, axes and frames in any direction. The two axes of a universal joint are 60
   to 120 degrees apart. */
sn_model *scene_random_tree(const struct random_tree *tree, uint64_t seed, sn_error *error);
/* A pose of random angles up to `reach`, and velocities up to `speed`, from seed; q [nq], qd [nv]. */
void scene_random_state(const sn_model *model, double reach, double speed, uint64_t seed, double *q,
                        double *qd);

#endif
