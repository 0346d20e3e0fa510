/* Scenes whose copies must give the same bits alone and in any company. Each humanoid is a `who`, and does the same
 * wherever it stands. */
#ifndef SINEW_TESTS_COPIES_SCENES_H
#define SINEW_TESTS_COPIES_SCENES_H

#include "copies_helpers.h"

enum scene_ground { FLAT, HILLS, TWO_PLANES };
enum scene_company { ALONE, WITH_HUMANOID, WITH_BALL };

struct scene {
    const char *name;
    sn_contact_method contact;
    enum scene_ground ground;
    enum scene_company company; /* the second member */
    bool joint_limits, torque_limits, self_contact;
    bool own;           /* masses, friction, gravity, gains and, without rows, dt of each copy's own */
    bool report_torque; /* asked for */
};

/* Scenes whose contacts are all inside the lanes come first, then those with rows. */
enum { LANE_SCENES = 6, ROW_SCENES = 5, SCENES = LANE_SCENES + ROW_SCENES };
extern const struct scene scene[SCENES];

/* The models of all scenes. */
struct cast {
    sn_model *humanoid, *ball;
};
struct cast cast_create(void);
void cast_free(struct cast *cast);

/* One way to run a scene. */
struct run {
    const struct scene *scene;
    sn_precision precision;
    const char *lanes; /* NULL: as the world likes */
    int threads, copies, steps;
    const int *who;      /* [copies] */
    const uint8_t *wild; /* [copies] 1: gets a push that nothing stands; NULL: none does */
    bool report_contacts;
    const char *device; /* NULL: the processor */
};

/* What the list of contacts said, where it was asked for: how many carried force, in all steps and copies. */
struct meetings {
    int ground, self, between;
};

/* Values of each copy at the end: for each member q, qd and the forces on its bodies. */
int run_size(const struct cast *cast, const struct scene *scene);
/* Runs it, fills values [copies][run_size] and meetings (either may be NULL), and returns the hash of the world. */
uint64_t run_scene(const struct cast *cast, const struct run *run, double *values, struct meetings *meetings);

#endif
