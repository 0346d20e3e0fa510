/* One step of a driven model as a matrix, and how large its eigenvalues are. */
#ifndef SINEW_CLI_REPRODUCE_STABILITY_STEP_H
#define SINEW_CLI_REPRODUCE_STABILITY_STEP_H

#include <sinew/dynamics.h>
#include <stdbool.h>

enum { FORMS = 4, INTEGRATORS = 6 };
extern const sn_form step_forms[FORMS];
extern const char *const step_form_names[FORMS];
extern const char *const step_integrator_names[INTEGRATORS];

/* The largest |eigenvalue| of a step of n degrees of freedom with mass matrix M [n][n] and gains kp, kd [n] about its target,
   at rest: no velocity products, no gravity. */
double step_radius(int n, const double *M, const double *kp, const double *kd, double dt, sn_form form,
                   sn_integrator integrator);
/* Of one degree of freedom of mass 1 with dt = 1: k = kp dt^2 / m, r = kd / (kp dt). */
double step_radius_one(double k, double r, sn_form form, sn_integrator integrator);

/* Whether a run of the library from a small deviation grows: -1 when it could not be made. */
int step_grows(const sn_model *model, const double *q, const double *kp, const double *kd, double dt,
               sn_form form, sn_integrator integrator);

#endif
