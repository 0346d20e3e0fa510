/* Studies in the definition of a world, by one method each. */
#ifndef SINEW_TESTS_STUDY_HELPERS_H
#define SINEW_TESTS_STUDY_HELPERS_H

#include <sinew/studies.h>

enum { POLARISED = SN_PRODUCTS_EXPLICIT + 1 }; /* beside the values of sn_products */

static inline void set_products(sn_world_def *def, int products) {
    def->study = sn_study_find((sn_study_def){.polarised = products == POLARISED});
    if (products != POLARISED) def->products = (sn_products)products;
}

static inline const sn_study *solved_by(sn_row_solver solver) {
    return sn_study_find((sn_study_def){.row_solver = solver});
}

static inline const sn_study *driven_by(sn_drives drives) {
    return sn_study_find((sn_study_def){.drives = drives});
}

#endif
