/* The parts that a study of worlds is made of (study.c). */
#ifndef SINEW_STUDIES_STUDY_H
#define SINEW_STUDIES_STUDY_H

#include "dynamics/study.h"
#include "sinew/studies.h"
#include "solve/problem.h"

extern const struct sn__row_method sn__rows_lemke, sn__rows_dantzig;                    /* direct.c */
extern const struct sn__drives_ahead sn__ahead_maba, sn__ahead_dense, sn__ahead_lapack; /* ahead.c */

/* Responses of rows: responses.c */
sn__respond sn__respond_test_forces, sn__respond_cached;

#endif
