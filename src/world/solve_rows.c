/* The rows of a world as a bounded problem (solve/problem.h), and its answer. */
#include <math.h>

#include "world/world.h"

static const double FLOAT_ROUNDING = 1e-6; /* of a response computed in float, over its diagonal */

struct sn__problem sn__worker_problem(struct sn__worker *w) {
    return (struct sn__problem){.gauss_seidel = w->world->solver->pgs,
                                .room = &w->problem_room,
                                .n = w->nrow,
                                .nblock = w->world->nmember,
                                .row = w->row,
                                .block = w->block,
                                .max_iterations = w->world->def.iterations,
                                .tolerance = w->world->def.tolerance,
                                .direct = w->world->def.row_solver != SN_ROWS_PGS,
                                .dantzig = w->world->def.row_solver == SN_ROWS_DANTZIG,
                                .may_contradict = w->world->used_ties > 0};
}

void sn__worker_solve_rows(struct sn__worker *w, double *f, bool biased) {
    struct sn__problem p = sn__worker_problem(w);
    const double sign = biased ? 1 : 0;
    if (biased) p.may_contradict = true;
    if (w->world->def.precision == SN_FLOAT) sn__problem_soften(&p, FLOAT_ROUNDING);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b -= sign * w->more[i].bias;
    sn__problem_solve(&p, f);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b += sign * w->more[i].bias;
    w->iterations += p.iterations;
    if (!biased)
        w->stats.residual = fmax(w->stats.residual, p.residual); /* recovery is as good as it can be */
}
