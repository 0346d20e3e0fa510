/* Worlds for tests of velocity products. */
#ifndef SINEW_TESTS_PRODUCTS_HELPERS_H
#define SINEW_TESTS_PRODUCTS_HELPERS_H

#include "study_helpers.h"
#include "world_helpers.h"

static inline sn_world_def products_def(int products, sn_precision precision, double dt) {
    sn_world_def def = sn_world_def_default();
    set_products(&def, products);
    def.precision = precision, def.dt = dt;
    def.joint_limits = false, def.report_torque = true;
    return def;
}

static inline double largest_difference(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

#endif
