/* What the tests of crowds share: humanoids that stand, fall and are pushed on the ground. */
#ifndef SINEW_TESTS_CROWD_HELPERS_H
#define SINEW_TESTS_CROWD_HELPERS_H

#include "world_helpers.h"

/* A crowd of humanoids: gains 300, 30, free roots. */
sn_crowd *crowd_of(const sn_model *model, const sn_crowd_def *def);
/* The plane z = 0. */
void crowd_floor(sn_crowd *crowd, const sn_shape_def *material);
/* Where character `who` begins: every third stands, every third falls, every third lies in the air at random. */
void crowd_start(const sn_model *model, int who, double *q, double *qd);
/* Puts `who` at place `at` of the crowd, in its pose as target. */
void crowd_put(sn_crowd *crowd, const sn_model *model, int at, int who);
/* Whether every value a crowd gives out is finite. */
bool crowd_finite(sn_crowd *crowd);

#endif
