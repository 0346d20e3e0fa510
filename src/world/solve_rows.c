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
                                .direct = w->world->def.row_solver == SN_ROWS_DIRECT,
                                .may_contradict = w->world->used_ties > 0};
}

/* Of the iterations a step may take this solve gets `share` of those that are left. */
void sn__worker_solve_rows(struct sn__worker *w, double *f, bool biased, double share) {
    struct sn__problem p = sn__worker_problem(w);
    const double sign = biased ? 1 : 0;
    const int left = p.max_iterations - w->used;
    if (biased) p.may_contradict = true;
    p.max_iterations = (int)ceil(share * left);
    if (w->world->def.precision == SN_FLOAT) sn__problem_soften(&p, FLOAT_ROUNDING);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b -= sign * w->more[i].bias;
    if (left > 0) sn__problem_solve(&p, f);
    for (int i = 0; i < w->nrow; i++)
        w->row[i].b += sign * w->more[i].bias;
    w->used += p.iterations;
    w->stats.fallbacks += p.fell_back;
    if (!biased) w->residual = p.residual; /* recovery is as good as it can be */
}
