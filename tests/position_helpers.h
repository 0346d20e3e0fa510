/* What the tests of position-based steps share. */
#ifndef SINEW_TESTS_POSITION_HELPERS_H
#define SINEW_TESTS_POSITION_HELPERS_H

#include "studies/position_inner.h"
#include "dynamics_helpers.h"
#include "scenes/shapes.h"

/* A position-based character, whatever is not said as by default. */
struct sn__position *position_of(const sn_model *model, enum sn__position_method method, double dt,
                                 double tolerance);
/* A step that must not fail. */
struct sn__position_report position_step(struct sn__position *p);

/* Chains of rods, bent a little in every joint as pbad-2018 figure 2 needs it. */
sn_model *links_model(const struct rods *links);
void bend(const sn_model *model, double angle, double *q);

/* Solves A x = b by Gaussian elimination with pivots; A [n][n] and b are left alone. */
void solve_general(const double *A, const double *b, double *x, int n);
/* Kinetic and potential energy. */
double total_energy(const sn_model *model, const double *q, const double *qd);

#endif
