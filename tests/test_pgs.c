/* Gauss-Seidel over rows of every kind: the answer of the direct solver, and the same bits in all lanes. */
#include "dynamics_helpers.h"

#include "base/memory.h"
#include "kernels/select.h"
#include "studies/lcp.h"

enum { MAX_N = 48, STRIDE = 48 };

struct system {
    int n;
    double *K; /* [n][STRIDE] */
    double A[MAX_N * MAX_N], b[MAX_N];
    struct sn__pgs_row row[MAX_N];
    struct sn__bound bound[MAX_N];
};

/* Bilateral, one-sided and boxed rows, and contacts with two friction rows or one; well conditioned. */
static void random_system(struct rng *rng, struct system *s) {
    const int n = s->n = 3 + (int)uniform(rng, 0, MAX_N - 6);
    double G[MAX_N][2 * MAX_N];
    memset(s->K, 0, sizeof(double) * MAX_N * STRIDE);
    for (int i = 0; i < n; i++)
        random_values(rng, 1, G[i], 2 * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->K[i * STRIDE + j] = inner(G[i], G[j], 2 * n) / n;
    random_values(rng, 1, s->b, n);
    for (int i = 0; i < n;) {
        const int kind = (int)uniform(rng, 0, 5), more = kind == 3 ? 2 : kind == 4 ? 1 : 0;
        const int rows = i + more < n ? 1 + more : 1;
        for (int k = 0; k < rows; k++) {
            struct sn__pgs_row *r = &s->row[i + k];
            *r = (struct sn__pgs_row){.side = {{0, i + k}, {-1, 0}}, .b = s->b[i + k], .normal = -1};
            r->soft = uniform(rng, 0, 0.1);
            r->lo = kind == 0 ? -HUGE_VAL : kind == 2 ? -uniform(rng, 0, 0.5) : 0;
            r->hi = kind == 2 ? uniform(rng, 0, 0.5) : HUGE_VAL;
            if (k == 0) continue;
            r->normal = i, r->mu = uniform(rng, 0.1, 0.6), r->one_way = kind == 4;
        }
        i += rows;
    }
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &s->row[i];
        s->bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
        for (int j = 0; j < n; j++)
            s->A[i * n + j] = s->K[i * STRIDE + j] + (i == j ? r->soft : 0);
    }
}

static int solve_pgs(const struct sn__kernels *table, struct system *s, double *v, double *f) {
    const struct sn__pgs_block block = {s->n, STRIDE, s->K, v};
    struct sn__pgs p = {s->n, 1, s->row, &block, f, 100000, 1e-15, false, 0};
    memset(f, 0, sizeof *f * (size_t)s->n);
    return table->pgs(&p);
}

TEST(gauss_seidel_comes_to_the_answer_of_the_direct_solver) {
    struct rng rng = {11};
    static struct system s;
    s.K = sn__alloc_aligned(sizeof(double) * MAX_N * STRIDE);
    double *v = sn__alloc_aligned(sizeof(double) * STRIDE);
    const struct sn__kernels *table = sn__kernels_find(NULL, SN_PRECISION_DOUBLE, true, NULL);
    struct worst worst = {0}, residual = {0};
    for (int k = 0; k < 300; k++) {
        double f[MAX_N], g[MAX_N], d[MAX_N];
        random_system(&rng, &s);
        double *work = malloc(sizeof *work * sn__lcp_room(s.n));
        assert_true(sn__lcp_direct(s.n, s.A, s.b, s.bound, g, work) >= 0);
        free(work);
        solve_pgs(table, &s, v, f);
        for (int i = 0; i < s.n; i++)
            d[i] = f[i] - g[i];
        worst_add(&worst, norm(d, s.n) / norm(g, s.n), "system %d of %d rows", k, s.n);
        worst_add(&residual, sn__lcp_residual(s.n, s.A, s.b, s.bound, false, f), "system %d", k);
    }
    sn__free_all(s.K, v);
    assert_worst(&worst, 1e-8, "relative difference of impulses");
    assert_worst(&residual, 1e-12, "residual of Gauss-Seidel");
}

TEST(gauss_seidel_has_the_same_bits_in_all_lanes) {
    static struct system s;
    s.K = sn__alloc_aligned(sizeof(double) * MAX_N * STRIDE);
    double *v = sn__alloc_aligned(sizeof(double) * STRIDE);
    struct rng rng = {13};
    int compared = 0;
    for (int k = 0; k < 20; k++) {
        double first[2][MAX_N];
        bool known[2] = {false, false};
        random_system(&rng, &s);
        const struct sn__kernels *table;
        for (int i = 0; (table = sn__kernels_at(i)); i++) {
            if (table->info.precision != SN_PRECISION_DOUBLE || table->info.width == 1) continue;
            double f[MAX_N];
            solve_pgs(table, &s, v, f);
            if (known[table->info.fma]) {
                assert_memory_equal(f, first[table->info.fma], sizeof *f * (size_t)s.n);
                compared++;
            } else {
                memcpy(first[table->info.fma], f, sizeof f);
                known[table->info.fma] = true;
            }
        }
    }
    sn__free_all(s.K, v);
    print_message("  %d comparisons\n", compared);
}

int main(void) {
    return run_all("projected Gauss-Seidel");
}
