/* What long trials of whole scenes watch in each step: energy that nobody gave, joint limits, depths, how steps converge, and
 * time, which is only told. SINEW_FILMS=FOLDER saves a recording of each trial there, for `sinew render`. */
#ifndef SINEW_TESTS_TRIAL_HELPERS_H
#define SINEW_TESTS_TRIAL_HELPERS_H

#include "world_helpers.h"

struct trial {
    char name[48];
    sn_world *world;
    sn_recorder *recorder; /* NULL: nobody asked for a film */
    double given;     /* J that the test itself gave in the coming step, by states or pushes it knows of */
    bool counts;      /* false: the start, where random poses overlap and are beyond limits */
    double energy;    /* at the end of the last step */
    struct worst won; /* J in a step, beyond what drives and pushes did where they did positive work */
    struct worst
        strictly; /* J, beyond all that they did: the energy that dampers report to remove must be gone */
    struct worst past, deep; /* degrees; mm, of all contacts */
    int steps, with_rows, at_once, late, unsettled, most_rounds, most_sweeps;
    double ms, worst_ms; /* of the steps: altogether, and the longest */
};

/* Whether SINEW_DROPS asks for trials of full length. */
bool full_length(void);
/* So many when SINEW_DROPS is set, or else few; fewer still under sanitizers or with SINEW_TEST_SHORT. */
int trial_size(int full, int few, int fewest);

/* Begins to watch a world whose state is set. */
void trial_begin(struct trial *trial, sn_world *world, const char *name);
/* One step. What drives (of worlds that report torques) and pushes give in it is taken off what is gained. */
void trial_step(struct trial *trial);
/* Prints what was seen, and saves the film. */
void trial_end(struct trial *trial);

#endif
