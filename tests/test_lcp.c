/* Complementarity problems: Lemke's algorithm, the bounded problem with friction, and the residual. */
#include "lcp_helpers.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------- Lemke */

TEST(lemke_solves_standard_problems_of_every_positive_definite_matrix) {
    for (int n = 1; n <= 60; n++) {
        struct problem p;
        double z[MAX];
        positive_definite(&p, n);
        for (int i = 0; i < n; i++) {
            p.bound[i] = one_sided;
            for (int j = 0; j < i; j++) { /* not symmetric, and definite all the same */
                const double skew = 0.5 * noise();
                p.A[i * n + j] += skew;
                p.A[j * n + i] -= skew;
            }
        }
        assert_true(solve_lemke(n, p.A, p.b, z) >= 0);
        assert_solution(&p, z, 1e-10);
    }
}

TEST(lemke_does_not_mind_bad_scales) {
    for (int n = 1; n <= 40; n += 3) {
        struct problem p;
        double unit[MAX], z[MAX], scaled[MAX * MAX], q[MAX], row[MAX], col[MAX];
        positive_definite(&p, n);
        assert_true(solve_lemke(n, p.A, p.b, unit) >= 0);
        for (int i = 0; i < n; i++)
            row[i] = pow(10, between(-8, 8)), col[i] = pow(10, between(-8, 8)), q[i] = row[i] * p.b[i];
        for (int i = 0; i < n * n; i++)
            scaled[i] = row[i / n] * p.A[i] * col[i % n];
        assert_true(solve_lemke(n, scaled, q, z) >= 0);
        for (int i = 0; i < n; i++)
            assert_near(z[i] * col[i], unit[i], 1e-9);
    }
}

/* Beale's linear programme, on which the simplex method with the plain ratio test goes round for ever. */
TEST(lemke_does_not_cycle) {
    static const double G[3][4] = {{0.25, -60, -1.0 / 25, 9}, {0.5, -90, -1.0 / 50, 3}, {0, 0, 1, 0}};
    static const double h[3] = {0, 0, 1}, c[4] = {-0.75, 150, -0.02, 6};
    double M[49] = {0}, q[7], z[7];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            M[(4 + i) * 7 + j] = -G[i][j], M[j * 7 + 4 + i] = G[i][j];
    for (int j = 0; j < 4; j++)
        q[j] = c[j];
    for (int i = 0; i < 3; i++)
        q[4 + i] = h[i];
    const int pivots = solve_lemke(7, M, q, z);
    assert_true(pivots > 0 && pivots < 50);
    assert_near(c[0] * z[0] + c[1] * z[1] + c[2] * z[2] + c[3] * z[3], -0.05, 1e-12); /* the known optimum */
}

/* Every ratio ties: M has ones on the diagonal and twos beside it, all q are equal. */
TEST(lemke_breaks_ties) {
    for (int n = 3; n <= 31; n += 2) {
        double M[31 * 31] = {0}, q[31], z[31];
        for (int i = 0; i < n; i++)
            q[i] = -1, M[i * n + i] = 1, M[i * n + (i + 1) % n] = 2;
        const int pivots = solve_lemke(n, M, q, z);
        assert_true(pivots > 0 && pivots < 50 * n);
        for (int i = 0; i < n; i++)
            assert_near(z[i], 1.0 / 3, 1e-12);
    }
}

TEST(lemke_ends_on_rays_and_bad_input) {
    double z[3] = {7, 7, 7};
    assert_int_equal(solve_lemke(0, NULL, NULL, NULL), 0);
    const double zero[9] = {0}, q[3] = {1, -1, 2}, positive[3] = {1, 0, 2};
    assert_int_equal(solve_lemke(3, zero, q, z), -1);
    assert_int_equal(solve_lemke(3, zero, positive, z), 0);
    assert_near(largest(z, 3), 0, 0);
    const double negative[1] = {-1}, below[1] = {-1};
    assert_int_equal(solve_lemke(1, negative, below, z), -1); /* w = -z - 1 */
    const double infeasible[4] = {1, -1, -1, 1}, both[2] = {-1, -1};
    assert_int_equal(solve_lemke(2, infeasible, both, z), -1); /* w0 + w1 = -2 */
    for (int bad = 0; bad < 4; bad++) {
        double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, r[3] = {-1, -1, -1};
        (bad & 1 ? M : r)[2] = bad & 2 ? (double)NAN : HUGE_VAL;
        z[0] = z[1] = z[2] = 7;
        assert_int_equal(solve_lemke(3, M, r, z), -1);
        assert_near(largest(z, 3), 0, 0);
    }
}

TEST(lemke_ends_on_matrices_of_any_kind) {
    int solved = 0;
    for (int k = 0; k < 2000; k++) {
        const int n = 1 + k % 12;
        struct problem p = {.n = n};
        double z[MAX];
        for (int i = 0; i < n * n; i++)
            p.A[i] = k % 3 == 0   ? round(noise() * 1.4)
                     : k % 3 == 1 ? noise()
                                  : noise() * pow(10, 150 * noise());
        for (int i = 0; i < n; i++)
            p.b[i] = k % 3 == 0 ? round(noise() * 1.4) : noise(), p.bound[i] = one_sided;
        if (solve_lemke(n, p.A, p.b, z) < 0 || k % 3 == 2) continue;
        solved++;
        assert_solution(&p, z, 1e-7);
    }
    print_message("  %d of 1334 solved\n",
                  solved); /* no method solves all of them, and many have no solution */
    assert_true(solved > 300);
}

/* --------------------------------------------------------------------------------------- bounded problems */

/* A random problem of a kind of bounds: the answer is the one that another way of solving finds. */
static void assert_agree(int n, int kind, bool (*solve)(const struct problem *, double *), double solved,
                         double near) {
    struct problem p;
    double f[MAX], expected[MAX];
    positive_definite(&p, n);
    random_bounds(&p, kind);
    assert_solved(&p, f, solved);
    assert_true(solve(&p, expected));
    assert_near_n(f, expected, n, near);
}

TEST(small_problems_have_the_solution_that_enumeration_finds) {
    for (int n = 1; n <= 7; n++)
        for (int kind = 0; kind <= 4; kind++)
            for (int k = 0; k < (n < 7 ? 20 : 5); k++)
                assert_agree(n, kind, solve_by_enumeration, 1e-10, 1e-10);
}

TEST(large_problems_have_the_solution_that_gauss_seidel_converges_to) {
    for (int n = 8; n <= 60; n += 4)
        for (int kind = 0; kind <= 4; kind++)
            assert_agree(n, kind, solve_by_iteration, 1e-9, 1e-8);
}

/* A bound nobody reaches is as good as none, however far away it is. */
TEST(far_bounds_cost_no_digits) {
    for (double far = 1e2; far < 1e200; far *= 1e6)
        for (int k = 0; k < 10; k++) {
            struct problem p;
            double f[MAX], expected[MAX];
            positive_definite(&p, 12);
            random_bounds(&p, 4);
            assert_true(solve_direct(&p, expected) >= 0);
            for (int i = 0; i < p.n; i++) {
                if (isinf(p.bound[i].lo)) p.bound[i].lo = i % 3 ? -far : -3 * far;
                if (isinf(p.bound[i].hi)) p.bound[i].hi = far;
            }
            assert_true(solve_direct(&p, f) > 0);
            assert_near_n(f, expected, p.n, 1e-10);
        }
}

/* ------------------------------------------------------------------------------------------ odd problems */

TEST(contradictory_rows_end_with_a_small_finite_impulse) {
    for (int k = 0; k < 20; k++) {
        const int n = 6;
        struct problem p;
        double f[MAX], w[MAX];
        positive_definite(&p, n);
        random_bounds(&p, 4);
        p.bound[0] = p.bound[5] = bilateral;
        for (int i = 0; i < n; i++) /* row 5 is row 0 again, and wants something else */
            p.A[5 * n + i] = p.A[0 * n + i];
        for (int i = 0; i < n; i++)
            p.A[i * n + 5] = p.A[i * n + 0];
        p.b[5] = p.b[0] + 1;
        assert_int_equal(solve_direct(&p, f), -1);
        assert_true(largest(f, n) < 100);
        row_velocities(&p, f, w);
        assert_near(fmin(fabs(w[0]), fabs(w[5])), 0, 1e-9);
        p.b[5] = p.b[0]; /* now they agree */
        assert_solved(&p, f, 1e-9);
    }
}

TEST(zero_matrices_and_empty_problems_are_answered) {
    struct problem p = {.n = 0};
    double f[3] = {7, 7, 7};
    assert_int_equal(sn__lcp_direct(0, NULL, NULL, NULL, NULL, NULL), 0);
    assert_near(sn__lcp_residual(0, NULL, NULL, NULL, false, NULL), 0, 0);
    p.n = 3;
    p.bound[0] = bilateral;
    p.bound[1] = one_sided;
    p.bound[2] = (struct sn__bound){-1, 2, -1, 0, false};
    p.b[1] = 1, p.b[2] = -1;
    assert_true(solve_direct(&p, f) >= 0); /* w = b: the row with two bounds goes to the upper one */
    assert_near(f[0], 0, 0);
    assert_near(f[1], 0, 0);
    assert_near(f[2], 2, 1e-15);
    p.b[0] = 1;
    assert_int_equal(solve_direct(&p, f), -1);
    p.b[0] = 0, p.b[1] = -1; /* a ray: nothing can lift the one-sided row */
    assert_int_equal(solve_direct(&p, f), -1);
    assert_true(f[1] >= 0);
}

TEST(input_that_is_not_a_number_or_makes_no_sense_is_refused) {
    for (int k = 0; k < 8; k++) {
        struct problem p;
        double f[3] = {7, 7, 7};
        positive_definite(&p, 3);
        p.bound[0] = one_sided;
        p.bound[1] = (struct sn__bound){0, 0, 0, 0.5, false};
        p.bound[2] = (struct sn__bound){1, 2, -1, 0, false};
        if (k == 0) p.A[4] = (double)NAN;
        if (k == 1) p.b[1] = HUGE_VAL;
        if (k == 2) p.bound[0].lo = (double)NAN;
        if (k == 3) p.bound[1].mu = (double)NAN;
        if (k == 4) p.bound[1].mu = -1;
        if (k == 5) p.bound[1].normal = 3;
        if (k == 6) p.bound[1].normal = 1;
        if (k == 7) p.bound[0].lo = 2, p.bound[0].hi = 1;
        assert_int_equal(solve_direct(&p, f), -1);
        assert_near(f[2], 1, 0); /* the nearest to zero that its bounds allow */
    }
}

TEST(any_matrix_ends_with_a_finite_feasible_impulse) {
    int solved = 0;
    for (int k = 0; k < 2000; k++) {
        struct problem p = {.n = 1 + k % 15};
        double f[MAX];
        for (int i = 0; i < p.n * p.n; i++)
            p.A[i] = k % 3 == 0   ? round(noise() * 1.4)
                     : k % 3 == 1 ? noise()
                                  : noise() * pow(10, 250 * noise());
        for (int i = 0; i < p.n; i++)
            p.b[i] = k % 3 == 0 ? round(noise() * 1.4) : noise() * pow(10, k % 3 == 2 ? 250 * noise() : 0);
        random_bounds(&p, 4);
        p.bound[0] = one_sided;
        for (int i = 1; i < p.n; i += 3)
            p.bound[i] = (struct sn__bound){0, 0, 0, fabs(noise()), i % 2};
        const int pivots = solve_direct(&p, f);
        for (int i = 0; i < p.n; i++) {
            double lo, hi;
            row_limits(&p, f, i, &lo, &hi);
            assert_true(f[i] >= lo && f[i] <= hi);
        }
        if (pivots >= 0 && k % 3 < 2) assert_solution(&p, f, 1e-6);
        solved += pivots >= 0;
    }
    print_message("  %d of 2000 solved\n", solved);
}

TEST(friction_follows_normals_of_every_sort) {
    for (int k = 0; k < 60; k++) {
        struct problem p;
        double f[MAX];
        positive_definite(&p, 6);
        for (int i = 0; i < 6; i++)
            p.bound[i] = bilateral;
        p.bound[0] = (struct sn__bound){0.4, 0.4, -1, 0, false}; /* does not move */
        p.bound[1] = (struct sn__bound){0, 0, 0, 0.3, k % 2};
        p.bound[2] = (struct sn__bound){0.1, 0.5, -1, 0, false}; /* between bounds */
        p.bound[3] = (struct sn__bound){0, 0, 2, 0.3, k % 2};
        p.b[4] = -20; /* bilateral, and pushed well above zero */
        p.bound[5] = (struct sn__bound){0, 0, 4, 0.3, k % 2};
        assert_solved(&p, f, 1e-9);
        assert_near(f[0], 0.4, 0);
        assert_true(f[4] > 0);
    }
}

/* --------------------------------------------------------------------------------------------- residual */

TEST(the_residual_is_that_of_hand_made_examples) {
    const double A[9] = {2, 0, 0, 0, 4, 0, 0, 0, 1};
    struct sn__bound bound[3] = {one_sided, {0, 0, 0, 0.5, false}, {0, 0, 0, 0.5, false}};
    const double zero[3] = {0}, b[3] = {-1, 0, 0};
    assert_near(sn__lcp_residual(3, A, b, bound, false, zero), 1, 0); /* w = -1 where f may rise */
    const double up[3] = {1, 0, 0};
    assert_near(sn__lcp_residual(3, A, zero, bound, false, up), 2, 0); /* w = 2 where f may fall */
    const double still[3] = {-2, 0, 0};
    assert_near(sn__lcp_residual(3, A, still, bound, true, up), 0, 0);
    /* Radius 0.5, sliding along (3, 4): by axis both rows belong on the bound, in the disc at (-0.3, -0.4). */
    const double slide[3] = {-2, 30, 40}, pyramid[3] = {1, -0.5, -0.5};
    assert_near(sn__lcp_residual(3, A, slide, bound, false, pyramid), 0, 1e-15);
    assert_true(sn__lcp_residual(3, A, slide, bound, true, pyramid) > 0.1);
    const double equal[9] = {2, 0, 0, 0, 4, 0, 0, 0, 4}, disc[3] = {1, -0.3, -0.4};
    const double along[3] = {-2, 3 + 1.2, 4 + 1.6}; /* w = (3, 4) at that point */
    assert_near(sn__lcp_residual(3, equal, along, bound, true, disc), 0, 1e-14);
    assert_near(sn__lcp_residual(3, equal, along, bound, false, disc), 0.2 * 4, 1e-14); /* 0.2 to the bound */
    /* The target (0.6, 0.8), drawn back to (0.3, 0.4), is 0.5 from zero; the larger diagonal counts. */
    const double pull[3] = {-2, -2.4, -3.2}, none[3] = {1, 0, 0};
    assert_near(sn__lcp_residual(3, A, pull, bound, true, none), 0.5 * 4, 1e-14);
    /* A diagonal of zero counts as one; a one-way row stays apart; what is not a number is not a solution. */
    const double nothing[1] = {0}, push[1] = {-3};
    assert_near(sn__lcp_residual(1, nothing, push, &one_sided, false, zero), 3, 0);
    bound[1].one_way = bound[2].one_way = true;
    const double back[3] = {-2, 8, -8}, one_way[3] = {1, 0, 0.5};
    assert_near(sn__lcp_residual(3, A, back, bound, true, one_way), 0, 0);
    const double bad[3] = {1, (double)NAN, 0};
    assert_true(isinf(sn__lcp_residual(3, A, back, bound, false, bad)));
}

TEST(the_residual_is_nothing_at_the_solution_and_grows_away_from_it) {
    for (int k = 0; k < 50; k++) {
        struct problem p;
        double f[MAX];
        positive_definite(&p, 1 + k % 20);
        random_bounds(&p, k % 5);
        assert_true(solve_direct(&p, f) >= 0);
        double last = sn__lcp_residual(p.n, p.A, p.b, p.bound, false, f);
        assert_true(last < 1e-10);
        for (double size = 1e-6; size < 1e3; size *= 100) {
            double away[MAX];
            memcpy(away, f, sizeof away);
            away[k % p.n] += size;
            const double now = sn__lcp_residual(p.n, p.A, p.b, p.bound, false, away);
            assert_true(now > 1e-3 * size && now > last);
            last = now;
        }
    }
}

int main(void) {
    return run_all("bounded problems");
}
