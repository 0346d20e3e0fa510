/* The bounded problem as a plain struct: its matrix, its solvers, its memory. No world is needed. */
#include "dynamics_helpers.h"

#include <stdlib.h>

#include "kernels/select.h"
#include "solve/problem.h"
#include "studies/lcp.h"
#include "studies/study.h"

enum { MAX_N = 48, STRIDE = 48, BLOCKS = 2 };

/* Rows that touch one block or both. Row i stands at place i of every block that it touches. */
struct example {
    struct sn__pgs_row row[MAX_N];
    struct sn__pgs_block block[BLOCKS];
    _Alignas(64) double K[BLOCKS][MAX_N * STRIDE];
    _Alignas(64) double v[BLOCKS][STRIDE];
    struct sn__problem_room room;
    struct sn__problem problem;
};

static void begin(struct example *e, int n, bool pivots) {
    memset(e, 0, sizeof *e);
    assert_true(sn__problem_reserve(&e->room, n, BLOCKS, pivots ? &sn__rows_lemke : NULL));
    for (int c = 0; c < BLOCKS; c++)
        e->block[c] = (struct sn__pgs_block){n, STRIDE, e->K[c], e->v[c]};
    e->problem =
        (struct sn__problem){.gauss_seidel = sn__kernels_find(NULL, SN_PRECISION_DOUBLE, true, NULL)->pgs,
                             .room = &e->room,
                             .n = n,
                             .nblock = BLOCKS,
                             .row = e->row,
                             .block = e->block,
                             .max_iterations = 20000,
                             .tolerance = 1e-14,
                             .method = pivots ? &sn__rows_lemke : NULL};
    for (int i = 0; i < n; i++)
        e->row[i] =
            (struct sn__pgs_row){.side = {{0, i}, {-1, 0}}, .normal = -1, .lo = -HUGE_VAL, .hi = HUGE_VAL};
}

static void end(struct example *e) {
    sn__problem_release(&e->room);
    assert_null(e->room.kept);
    assert_int_equal(sn__problem_room_bytes(&e->room), 0);
}

/* K = G G^T, G [n][rank]. */
static void random_block(struct rng *rng, double *K, int n, int rank) {
    double G[MAX_N][2 * MAX_N];
    for (int i = 0; i < n; i++)
        random_values(rng, 1, G[i], rank);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += G[i][k] * G[j][k];
            K[i * STRIDE + j] = sum / rank;
        }
}

/* Contacts with two friction rows by axis, and rows with bounds of their own. */
static void random_example(struct rng *rng, struct example *e, bool direct) {
    const int n = 6 + (int)uniform(rng, 0, MAX_N - 6);
    begin(e, n, direct);
    for (int c = 0; c < BLOCKS; c++)
        random_block(rng, e->K[c], n, 2 * n);
    for (int i = 0; i < n; i++) {
        struct sn__pgs_row *r = &e->row[i];
        const int kind = (int)uniform(rng, 0, 3);
        r->b = uniform(rng, -1, 1);
        r->soft = uniform(rng, 0, 0.1);
        if (kind != 0) r->side[1] = (struct sn__side){1, i};
        if (kind == 1) r->side[0].block = -1;
        if (i % 3 == 0) r->lo = i % 2 ? 0 : -uniform(rng, 0, 0.5);
        if (i % 3 == 0 && i % 4 == 0) r->hi = uniform(rng, 0, 0.5);
        if (i % 3 != 0 && e->row[i - i % 3].lo == 0) r->normal = i - i % 3, r->mu = 0.4;
    }
}

/* How far f is from a solution, by the whole matrix. */
static double residual(const struct example *e, const double *f) {
    static double A[MAX_N * MAX_N], b[MAX_N];
    static struct sn__bound bound[MAX_N];
    const int n = e->problem.n;
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &e->row[i];
        bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
        b[i] = r->b;
        for (int j = 0; j < n; j++)
            A[i * n + j] = sn__problem_coupling(&e->problem, i, j);
    }
    return sn__lcp_residual(n, A, b, bound, false, f);
}

/* ------------------------------------------------------------------------------------------------- matrix */

TEST(the_matrix_is_that_of_the_sides_on_shared_blocks) {
    static struct example e;
    begin(&e, 3, false);
    const double K0[3][3] = {{4, 1, 2}, {1, 5, 3}, {2, 3, 6}},
                 K1[3][3] = {{7, 0.5, 0.25}, {0.5, 8, 0.125}, {0.25, 0.125, 9}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            e.K[0][i * STRIDE + j] = K0[i][j], e.K[1][i * STRIDE + j] = K1[i][j];
    e.row[0].soft = 100;
    e.row[1].side[1] = (struct sn__side){1, 1};
    e.row[2].side[0] = (struct sn__side){1, 0}, e.row[2].side[1] = (struct sn__side){1, 2}; /* both on one */
    const double A[3][3] = {{104, 1, 0}, {1, 13, 0.625}, {0, 0.625, 16.5}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(sn__problem_coupling(&e.problem, i, j), A[i][j], 0);
    sn__problem_soften(&e.problem, 0.5);
    assert_near(e.row[0].soft, 100, 0); /* is soft enough */
    assert_near(e.row[1].soft, 6.5, 0);
    assert_near(e.row[2].soft, 8.25, 0);
    end(&e);
}

TEST(the_largest_impulse_stops_every_block_at_once) {
    static struct example e;
    begin(&e, 2, false);
    e.K[0][0] = 2, e.K[0][STRIDE + 1] = 4, e.K[1][0] = e.K[1][STRIDE + 1] = 0.01;
    e.row[0].b = -3, e.row[1].b = 1;
    assert_near(sn__problem_largest_velocity(&e.problem), 3, 0);
    assert_near(sn__problem_largest_impulse(&e.problem), 100 * 3 * (0.5 + 100), 1e-9);
    end(&e);
}

/* ------------------------------------------------------------------------------------------------ solvers */

TEST(gauss_seidel_and_the_direct_solver_agree) {
    static struct example e;
    struct rng rng = {5};
    struct worst difference = {0}, left[2] = {{0}};
    for (int k = 0; k < 200; k++) {
        double f[2][MAX_N] = {{0}};
        random_example(&rng, &e, true);
        for (int direct = 0; direct < 2; direct++) {
            e.problem.method = direct ? &sn__rows_lemke : NULL;
            sn__problem_solve(&e.problem, f[direct]);
            assert_true(e.problem.iterations >= 0);
            worst_add(&left[direct], residual(&e, f[direct]), "problem %d", k);
        }
        double far = 0, size = 0;
        for (int i = 0; i < e.problem.n; i++)
            far = fmax(far, fabs(f[0][i] - f[1][i])), size = fmax(size, fabs(f[1][i]));
        worst_add(&difference, far / size, "problem %d of %d rows", k, e.problem.n);
        end(&e);
    }
    assert_worst(&left[0], 1e-12, "residual of Gauss-Seidel");
    assert_worst(&left[1], 1e-10, "residual of the direct solver");
    assert_worst(&difference, 1e-8, "relative difference of impulses");
}

/* Twenty rows on six degrees of freedom, a little compliance: Gauss-Seidel alone creeps. */
TEST(subspace_steps_end_what_gauss_seidel_alone_does_not) {
    static struct example e;
    struct rng rng = {7};
    int alone = 0, helped = 0;
    for (int k = 0; k < 20; k++) {
        double f[MAX_N] = {0}, g[MAX_N] = {0};
        begin(&e, 20, false);
        random_block(&rng, e.K[0], 20, 6);
        double x[MAX_N]; /* b = K x: velocities that the six degrees of freedom can have */
        random_values(&rng, 1, x, 20);
        for (int i = 0; i < 20; i++) {
            e.row[i].soft = 1e-6, e.row[i].lo = 0;
            for (int j = 0; j < 20; j++)
                e.row[i].b += e.K[0][i * STRIDE + j] * x[j];
        }
        e.problem.tolerance = 1e-10;
        struct sn__pgs pgs = {20,    BLOCKS, e.row, e.block, g, e.problem.max_iterations, e.problem.tolerance,
                              false, 0};
        alone += e.problem.gauss_seidel(&pgs);
        sn__problem_solve(&e.problem, f);
        helped += e.problem.iterations;
        assert_true(e.problem.residual <= e.problem.tolerance);
        assert_true(residual(&e, f) < 1e-9);
        end(&e);
    }
    print_message("  %d iterations instead of %d\n", helped, alone);
    assert_true(10 * helped < alone);
}

/* The same row twice, with two wishes: impulses would grow by as much in each iteration. */
TEST(rows_that_contradict_each_other_end_early) {
    static struct example e;
    double size[2];
    int iterations[2];
    for (int told = 0; told < 2; told++) {
        double f[MAX_N] = {0};
        begin(&e, 2, false);
        e.K[0][0] = e.K[0][1] = e.K[0][STRIDE] = e.K[0][STRIDE + 1] = 1;
        e.row[0].b = 1, e.row[1].b = -1;
        e.problem.may_contradict = told;
        sn__problem_solve(&e.problem, f);
        iterations[told] = e.problem.iterations;
        size[told] = fabs(f[0]);
        assert_true(isfinite(f[0]) && isfinite(f[1]));
        end(&e);
    }
    assert_int_equal(iterations[0], 20000);
    assert_true(iterations[1] < 1000);
    assert_true(size[1] < size[0]);
}

TEST(a_guess_that_is_not_sound_is_forgotten) {
    static struct example e;
    struct rng rng = {9};
    double f[MAX_N] = {0}, g[MAX_N];
    random_example(&rng, &e, false);
    for (int i = 0; i < MAX_N; i++)
        g[i] = 1e9;
    sn__problem_solve(&e.problem, f);
    sn__problem_solve(&e.problem, g);
    assert_memory_equal(f, g, sizeof *f * (size_t)e.problem.n);
    end(&e);
}

/* ------------------------------------------------------------------------------------------------- memory */

TEST(a_used_room_gives_the_same_bits_as_a_fresh_one) {
    static struct example e;
    struct rng rng = {11};
    struct sn__problem_room used = {0};
    assert_true(sn__problem_reserve(&used, 4, BLOCKS, false));
    assert_true(sn__problem_reserve(&used, MAX_N, BLOCKS, &sn__rows_lemke));
    const size_t bytes = sn__problem_room_bytes(&used);
    for (int k = 0; k < 40; k++) {
        double f[2][MAX_N] = {{0}};
        random_example(&rng, &e, k % 2);
        assert_true(
            sn__problem_reserve(&used, e.problem.n, BLOCKS, &sn__rows_lemke)); /* is large enough already */
        for (int i = 0; i < 2; i++) {
            e.problem.room = i ? &used : &e.room;
            sn__problem_solve(&e.problem, f[i]);
        }
        assert_memory_equal(f[0], f[1], sizeof f[0]);
        end(&e);
    }
    assert_int_equal(sn__problem_room_bytes(&used), bytes);
    sn__problem_release(&used);
}

TEST(what_does_not_fit_the_direct_solver_goes_to_gauss_seidel) {
    static struct example e;
    struct rng rng = {13};
    double f[2][MAX_N] = {{0}};
    random_example(&rng, &e, false);
    for (int direct = 0; direct < 2; direct++) {
        e.problem.method = direct ? &sn__rows_lemke : NULL;
        sn__problem_solve(&e.problem, f[direct]);
    }
    assert_memory_equal(f[0], f[1], sizeof f[0]);
    end(&e);
    struct sn__problem_room large = {0};
    assert_true(sn__problem_reserve(&large, 2 * SN__METHOD_ROWS, BLOCKS, &sn__rows_lemke));
    assert_int_equal(large.rows, 2 * SN__METHOD_ROWS);
    assert_int_equal(large.method_rows, SN__METHOD_ROWS);
    sn__problem_release(&large);
}

TEST(a_problem_without_rows_is_solved) {
    static struct example e;
    for (int direct = 0; direct < 2; direct++) {
        begin(&e, 0, direct);
        sn__problem_solve(&e.problem, NULL);
        assert_near(e.problem.residual, 0, 0);
        end(&e);
    }
}

int main(void) {
    return run_all("problem");
}
