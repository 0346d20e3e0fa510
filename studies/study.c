/* Every study of worlds there is: one for each combination of methods, so that a definition can point to it for ever. */
#include "studies/study.h"

enum {
    SOLVERS = SN_ROW_SOLVER_DANTZIG + 1,
    RESPONSES = SN_ROW_RESPONSE_CACHED + 1,
    DRIVES = SN_DRIVES_LAPACK + 1
};

/* The index of a combination is the number of its study. */
static int number_of(sn_study_def d) {
    return (int)d.row_solver +
           SOLVERS * ((int)d.response + RESPONSES * ((int)d.drives + DRIVES * d.polarised));
}

#define STUDY(solver, response, drives, polarised)                                                           \
    {                                                                                                        \
        (solver) + SOLVERS *((response) + RESPONSES * ((drives) + DRIVES * (polarised))), ROWS_##solver,     \
            RESPOND_##response, AHEAD_##drives, polarised                                                    \
    }
#define ROWS_0 NULL
#define ROWS_1 &sn__rows_lemke
#define ROWS_2 &sn__rows_dantzig
#define RESPOND_0 NULL
#define RESPOND_1 sn__respond_test_forces
#define RESPOND_2 sn__respond_cached
#define AHEAD_0 NULL
#define AHEAD_1 &sn__ahead_maba
#define AHEAD_2 &sn__ahead_dense
#define AHEAD_3 &sn__ahead_lapack

#define EACH_SOLVER(response, drives, polarised)                                                             \
    STUDY(0, response, drives, polarised), STUDY(1, response, drives, polarised),                            \
        STUDY(2, response, drives, polarised)
#define EACH_RESPONSE(drives, polarised)                                                                     \
    EACH_SOLVER(0, drives, polarised), EACH_SOLVER(1, drives, polarised), EACH_SOLVER(2, drives, polarised)
#define EACH_DRIVES(polarised)                                                                               \
    EACH_RESPONSE(0, polarised), EACH_RESPONSE(1, polarised), EACH_RESPONSE(2, polarised),                   \
        EACH_RESPONSE(3, polarised)

static const struct sn_study STUDIES[] = {EACH_DRIVES(0), EACH_DRIVES(1)}, NOT_VALID = {.number = -1};

_Static_assert(sizeof STUDIES / sizeof *STUDIES == 2 * SOLVERS * RESPONSES * DRIVES,
               "one for each combination");

const sn_study *sn_study_find(sn_study_def d) {
    if ((unsigned)d.row_solver >= SOLVERS || (unsigned)d.response >= RESPONSES ||
        (unsigned)d.drives >= DRIVES)
        return &NOT_VALID;
    const int number = number_of(d);
    return number ? &STUDIES[number] : NULL;
}
