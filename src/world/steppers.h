/* The steppers that a world can have, one entry each. Nothing else asks which of them it is: what differs between them is a
 * function or a property here. To add one, write these and add its entry to steppers.c. */
#ifndef SINEW_WORLD_STEPPERS_H
#define SINEW_WORLD_STEPPERS_H

#include "world/scene.h"

struct sn__hand;

struct sn__stepper {
    const char *name;
    /* Whether a definition suits it, and a scene, which is asked whenever members, ground or constraints change. NULL: any. */
    sn_status (*check)(const sn_world_def *def, sn_error *error);
    sn_status (*check_scene)(const sn_world *w, sn_error *error);
    /* Whether a copy of the scene may need rows, and then has a block of lanes of its own. */
    bool (*needs_rows)(const sn_world *w);
    /* Poses kept beside the present one. NULL: none. */
    int (*past)(const sn_world *w);
    /* What it needs of a member beside its pack; false: out of memory. NULL: nothing. */
    bool (*make)(const sn_world *w, struct sn__member *m, const struct sn__ground *g, int nside);
    /* Steps the copy that a worker has taken up, where there may be rows; and one member of a block of copies elsewhere. */
    sn_status (*step_copy)(struct sn__worker *w);
    void (*step_block)(struct sn__worker *w, struct sn__hand *h, int block);

    bool drives_ahead;  /* it knows that study */
    bool ties_inside;   /* compliant constraints can be part of the elimination: brace.c */
    bool impulses;      /* the user's impulses are among the rows from the start, instead of after the step */
    bool animates;      /* limbs can follow their targets exactly */
    bool own_sweeps;    /* 0 sweeps stay 0: it decides by itself */
    bool points_only;   /* over the ground it looks up points, not edges and faces */
    bool ground_stands; /* ground has no velocity */
    bool limits_as_rows; /* whatever contacts are */
    bool own_factors; /* copies have substeps of their own, and factors of qd and qdd that follow from them */
    bool moves_ground; /* to and fro within a step: even a single copy has solids of its own */
    bool keeps_before; /* the contacts that a step began with */
    bool first_touch; /* a fast shape meets another member where they first touch, not where they are nearest */
};

/* The one a definition names. */
const struct sn__stepper *sn__stepper_of(const sn_world_def *def);

/* The position stepper's: step_position.c. */
sn_status sn__position_check(const sn_world_def *def, sn_error *error);
sn_status sn__position_check_scene(const sn_world *w, sn_error *error);
int sn__position_past(const sn_world *w);
bool sn__position_make(const sn_world *w, struct sn__member *m, const struct sn__ground *g, int nside);

#endif
