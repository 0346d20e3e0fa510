/* What the tests of many copies share: worlds of one member in many copies, humanoids that stand, fall and lie, and
 * all values of a world at a time. */
#ifndef SINEW_TESTS_COPIES_HELPERS_H
#define SINEW_TESTS_COPIES_HELPERS_H

#include "world_helpers.h"

enum { MANY = 37, MOST_SIZE = 512 }; /* copies: no multiple of any width; values of a field */

/* Fewer copies and steps: under sanitizers, valgrind or an emulator. */
bool in_short(void);

/* ------------------------------------------------------------------------------------------------- worlds */

/* Copies as they are trained with: 4 sweeps, joint limits left alone, no list of contacts. */
sn_world_def copies_def(int copies, sn_precision precision);
sn_world_def position_def(int copies, sn_precision precision, double dt); /* under the position stepper */
/* A world of one member, number 0, without gains. */
sn_world *copies_of(const sn_model *model, const sn_world_def *def);
/* The same of a humanoid, whose model the caller frees. */
sn_world *humanoids_of(int copies, sn_precision precision, sn_model **model);
/* With gains 300 and 30, and a free root. */
sn_world *driven_copies_of(const sn_model *model, const sn_world_def *def);
void step_many(sn_world *world, int steps);

/* State of a member in one copy; either pointer may be NULL. */
void copy_put(sn_world *world, int member, int copy, const double *q, const double *qd);
void copy_get(sn_world *world, int member, int copy, double *q, double *qd);

/* ---------------------------------------------------------------------------------------------- humanoids */

/* Where built-in humanoid `who` begins, 0 to STARTS - 1: every third stands, every third falls, every third lies in the
   air at random. */
enum { STARTS = 300 };
void start_of(const sn_model *model, int who, double *q, double *qd);
/* Puts `who` into a copy, with its pose as target. */
void start_copy(sn_world *world, int copy, int who);
/* Member 0 of every copy: random poses low above the ground, gains 300 and 30. */
void scatter(sn_world *world, uint64_t seed);
/* A velocity at which the next step diverges. */
void make_wild(sn_world *world, int member, int copy);

/* ------------------------------------------------------------------------------------------------- values */

bool is_pose(sn_field field);
/* Values a field takes, of one copy; poses have quaternions of a length other than one. */
void good_values(struct rng *rng, const sn_model *model, sn_field field, int n, double *x);
/* What comes back of them: unit quaternions, in the world's precision. */
void as_kept(const sn_model *model, sn_precision precision, sn_field field, int n, double *x);
void narrow(sn_precision precision, const double *from, int n, void *to);
double element(sn_precision precision, const void *values, int i);
void assert_same(const double *a, const double *b, int n, double tolerance, const char *what, int field,
                 int copy);

/* Ways to set a field: by a range of copies, by put through a mask, by put to all. */
enum way_in { BY_RANGE, BY_MASK, TO_ALL, WAYS_IN };
bool chosen(enum way_in way, int copy);
/* Sets those of MANY copies that are chosen; x [MANY][size]. */
void put_in(sn_world *world, int member, sn_precision precision, sn_field field, enum way_in way,
            const double *x);

/* All fields of one member, each [copies][size]; NULL: the world has no such field. */
struct values {
    double *of[SN_FIELD_COUNT];
};
void values_take(sn_world *world, int member, struct values *values);
void values_free(struct values *values);
/* Fails when any value of member 0 is another one. */
void assert_unchanged(sn_world *world, const struct values *values, const char *what);
/* Whether every value that a world gives out is finite. */
bool all_finite(sn_world *world);

#endif
