/* Responses of rows to unit forces: the methods of kokkevis-2004 section 4.2, and the matrix that a world has. */
#include "studies/study.h"
#include "world/step.h"
#include "world/tie.h"

void sn__respond_test_forces(const struct sn__row_kernels *k, const struct sn__args *args, int n,
                             const struct sn__row *row, void *K, int stride) {
    k->test_forces(args, n, row, K, stride);
}

void sn__respond_cached(const struct sn__row_kernels *k, const struct sn__args *args, int n,
                        const struct sn__row *row, void *K, int stride) {
    k->cached_forces(args, n, row, K, stride);
}

static sn__respond *const METHODS[] = {[SN_ROW_RESPONSE_DELTAS] = NULL,
                                       [SN_ROW_RESPONSE_TEST_FORCES] = sn__respond_test_forces,
                                       [SN_ROW_RESPONSE_CACHED] = sn__respond_cached};

/* The matrix of the rows that a copy has at present. Returns their number, or -1 if there was too little memory. */
static int ask_matrix(sn_world *world, int copy, sn__respond *respond, double *matrix, int room) {
    struct sn__worker *w = &world->worker[0];
    const double h = world->def.dt;
    sn__worker_take_up(w, copy);
    w->level = SN__LEVEL_STEP;
    w->lack.memory = !sn__worker_equip(w);
    if (w->lack.memory) return -1;
    sn__worker_back_up(w);
    sn__worker_place(w);
    sn__worker_find_contacts(w, h);
    sn__worker_solve_free(w, h);
    w->nadded = 0;
    w->ntension = -1; /* no rows but those of contacts, limits and constraints */
    sn__worker_find_stops(w, h);
    sn__worker_build_rows(w, h);
    const bool fits = sn__worker_respond(w, respond);
    const int n = w->nrow;
    w->ntension = 0;
    if (fits && matrix && room >= n) {
        const struct sn__problem p = sn__worker_problem(w);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                matrix[i * n + j] = sn__problem_coupling(&p, i, j);
    }
    /* nothing has happened: the contacts of the last step are the last ones again */
    sn__worker_unequip(w);
    sn__worker_take_contacts_back(w);
    sn__worker_go_back(w);
    sn__worker_put_down(w);
    return fits && !w->lack.any ? n : -1;
}

int sn_study_response_matrix(sn_world *world, int copy, sn_row_response response, double *matrix, int room) {
    if ((unsigned)response > SN_ROW_RESPONSE_CACHED || copy < 0 || copy >= world->def.copies) return -1;
    if (!world->spread) return 0; /* a scene without rows */
    for (;;) {
        const int n = ask_matrix(world, copy, METHODS[response], matrix, room);
        if (n >= 0 || !sn__world_grow(world)) return n;
    }
}
