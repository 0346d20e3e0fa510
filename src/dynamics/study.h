/* What a study puts in the place of the library's own methods. The definition of a world points to one; they come from the
 * library of studies (studies/study.c, sinew/studies.h), without which this one links and runs. */
#ifndef SINEW_DYNAMICS_STUDY_H
#define SINEW_DYNAMICS_STUDY_H

#include "kernels/table.h"
#include "sinew/dynamics.h"

struct sn__pack;
struct sn__row_method; /* solve/problem.h */

/* Torques of the drives that are computed before the step. */
struct sn__drives_ahead {
    sn_solver solver; /* what it solves with: the memory that a pack needs for it */
    void (*torque)(struct sn__pack *, struct sn__args *); /* args then have torques instead of drives */
};

/* What the rows do under a unit force of each: as `responses` of struct sn__row_kernels. */
typedef void sn__respond(const struct sn__kernels *, const struct sn__args *, int n, const struct sn__row *,
                         void *K, int stride);

struct sn_study {
    int number;                           /* above 0, another for each study: part of hashes; -1: not valid */
    const struct sn__row_method *rows;    /* tried before Gauss-Seidel, or NULL */
    sn__respond *respond;                 /* NULL: by deltas */
    const struct sn__drives_ahead *ahead; /* NULL: drives are part of the step */
    /* Polarised velocity products in the lanes of a table. NULL: as the definition says. */
    sn__polarised *(*polarised)(const struct sn__kernels *);
};

static inline int sn__study_number(const sn_study *study) {
    return study ? study->number : 0;
}

static inline const struct sn__drives_ahead *sn__study_ahead(const sn_study *study) {
    return study ? study->ahead : NULL;
}

#endif
