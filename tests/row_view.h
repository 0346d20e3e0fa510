/* The rows of a world as tests see them. This is the only file of the tests that knows the world's insides. */
#ifndef SINEW_TESTS_ROW_VIEW_H
#define SINEW_TESTS_ROW_VIEW_H

#include "world_helpers.h"

#include "studies/lcp.h"
#include "world/rows.h"

enum { MAX_ROWS = 400 };

enum row_kind { ROW_CONSTRAINT, ROW_LIMIT, ROW_CONTACT };

struct seen_row {
    enum row_kind kind;
    double soft;         /* compliance on the diagonal */
    int member[2];       /* contact: both, -1 for ground; limit: the first */
    int body[2];         /* as above */
    double pos[3];       /* contact: in the world */
    double direction[3]; /* contact: the normal or a tangent */
    double factor[6];    /* limit: velocity of the row for each unit qd of the joint */
};

static inline void see_limit(const struct sn__worker *w, int row, struct seen_row *seen) {
    const struct sn__side side = w->row[row].side[0];
    const struct sn__row *r = &w->hand[side.block].row[side.index];
    const int nv = sn_model_body(w->hand[side.block].member->model, r->body)->nv;
    seen->kind = ROW_LIMIT;
    seen->member[0] = side.block, seen->body[0] = r->body;
    memcpy(seen->factor, r->w, sizeof(double) * (size_t)nv);
}

static inline bool is_limit(const struct sn__worker *w, int row) {
    const struct sn__side side = w->row[row].side[0];
    return side.block >= 0 && w->row[row].side[1].block < 0 && w->hand[side.block].row[side.index].joint;
}

/* The rows that sn_study_response_matrix built last, of which the first `constraints` are of constraints; those of
   contacts follow, then those of limits. Returns how many there are. */
static inline int see_rows(const sn_world *world, int constraints, struct seen_row *seen) {
    const struct sn__worker *w = &world->worker[0];
    assert_true(w->nrow <= MAX_ROWS);
    int row = 0;
    for (int i = 0; i < w->nrow; i++)
        seen[i] = (struct seen_row){.kind = ROW_CONSTRAINT, .soft = w->row[i].soft, .member = {-1, -1}};
    int contacts = w->nrow;
    while (contacts > constraints && is_limit(w, contacts - 1))
        contacts--;
    for (int i = contacts; i < w->nrow; i++)
        see_limit(w, i, &seen[i]);
    row = constraints;
    for (int i = 0; row < contacts; i++) { /* what response_matrix found stands in last */
        assert_true(i < world->contact_room);
        const struct sn__contact *c = &w->last[i];
        if (c->row != row) continue;
        const double *direction[3] = {c->normal, c->tangent[0], c->tangent[1]};
        for (int k = 0; k < 3 && row < contacts && (k == 0 || w->row[row].normal == c->row); k++, row++) {
            seen[row].kind = ROW_CONTACT;
            memcpy(seen[row].pos, c->pos, sizeof c->pos);
            memcpy(seen[row].direction, direction[k], sizeof c->pos);
            for (int s = 0; s < 2; s++) {
                const struct sn__solid *solid = &w->solid[c->solid[s]];
                seen[row].member[s] = solid->member, seen[row].body[s] = solid->body;
            }
        }
    }
    return w->nrow;
}

/* The residual of the last step by a full matrix, independent of what the solver says of itself. */
static inline double true_residual(sn_world *world) {
    struct sn__worker *w = &world->worker[0];
    static double A[MAX_ROWS * MAX_ROWS], b[MAX_ROWS];
    static struct sn__bound bound[MAX_ROWS];
    const struct sn__problem p = sn__worker_problem(w);
    const int n = w->nrow;
    assert_true(n <= MAX_ROWS);
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &w->row[i];
        bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
        b[i] = r->b;
        for (int j = 0; j < n; j++)
            A[i * n + j] = sn__problem_coupling(&p, i, j);
    }
    return n ? sn__lcp_residual(n, A, b, bound, world->def.friction == SN_FRICTION_CONE, w->f) : 0;
}

#endif
