/* Dantzig's algorithm against Lemke's, against the conditions one by one, and in worlds. */
#include "lcp_helpers.h"

TEST(dantzig_agrees_with_lemke_on_random_problems) {
    double worst = 0;
    for (int n = 1; n <= 60; n += n < 12 ? 1 : 4)
        for (int kind = 0; kind <= 4; kind++)
            for (int k = 0; k < 10; k++) {
                struct problem p;
                double f[MAX], expected[MAX];
                positive_definite(&p, n);
                random_bounds(&p, kind);
                const int pivots = solve_dantzig(&p, f);
                if (pivots < 0) fail_msg("%d rows of kind %d: not solved", n, kind);
                assert_solution(&p, f, 1e-10);
                assert_true(solve_direct(&p, expected) >= 0);
                for (int i = 0; i < n; i++)
                    worst = fmax(worst, fabs(f[i] - expected[i]));
            }
    print_message("  they differ by at most %.2g\n", worst);
    assert_true(worst < 1e-9);
}

/* Friction of contacts on a definite matrix: a small mu leaves but one solution. */
TEST(dantzig_agrees_with_lemke_on_friction) {
    double worst = 0;
    int unsolved = 0;
    for (int k = 0; k < 400; k++) {
        struct problem p;
        double f[MAX], expected[MAX];
        const int contacts = 1 + k % 12;
        positive_definite(&p, 3 * contacts);
        for (int i = 0; i < p.n; i++)
            p.bound[i] = i % 3 ? (struct sn__bound){0, 0, i - i % 3, 0.2, k % 2} : one_sided;
        if (solve_dantzig(&p, f) < 0) {
            unsolved++;
            continue;
        }
        assert_solution(&p, f, 1e-10);
        assert_true(solve_direct(&p, expected) >= 0);
        for (int i = 0; i < p.n; i++)
            worst = fmax(worst, fabs(f[i] - expected[i]));
    }
    print_message("  they differ by at most %.2g; %d of 400 not solved\n", worst, unsolved);
    assert_true(worst < 1e-9 && unsolved == 0);
}

/* Many rows on few degrees of freedom: A = J J^T of a lower rank than rows; the velocities J^T f are one. */
TEST(dantzig_has_the_velocities_of_lemke_on_singular_problems) {
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        struct problem p;
        double J[MAX][6], f[2][MAX], v[2][6] = {{0}};
        p.n = 7 + k % 20;
        for (int i = 0; i < p.n; i++)
            for (int j = 0; j < 6; j++)
                J[i][j] = noise();
        double push[6];
        for (int j = 0; j < 6; j++)
            push[j] = noise();
        for (int i = 0; i < p.n; i++) {
            p.b[i] = 0;
            for (int j = 0; j < 6; j++)
                p.b[i] += J[i][j] * push[j]; /* what can be: f = 0 and f with J^T f = -push are both about */
            for (int j = 0; j < p.n; j++) {
                p.A[i * p.n + j] = 0;
                for (int l = 0; l < 6; l++)
                    p.A[i * p.n + j] += J[i][l] * J[j][l];
            }
            p.bound[i] = i < k % 5 ? bilateral : one_sided;
        }
        if (solve_dantzig(&p, f[0]) < 0) fail_msg("problem %d of %d rows: not solved", k, p.n);
        assert_solution(&p, f[0], 1e-9);
        assert_true(solve_direct(&p, f[1]) >= 0);
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < p.n; i++)
                for (int j = 0; j < 6; j++)
                    v[s][j] += J[i][j] * f[s][i];
        for (int j = 0; j < 6; j++)
            worst = fmax(worst, fabs(v[0][j] - v[1][j]));
    }
    print_message("  velocities differ by at most %.2g\n", worst);
    assert_true(worst < 1e-9);
}

TEST(dantzig_ends_whatever_it_is_given) {
    int solved = 0;
    for (int k = 0; k < 1000; k++) {
        struct problem p;
        double f[MAX];
        p.n = 1 + k % 16;
        for (int i = 0; i < p.n * p.n; i++)
            p.A[i] = k % 3 == 0   ? round(noise() * 1.4)
                     : k % 3 == 1 ? noise()
                                  : noise() * pow(10, 100 * noise());
        for (int i = 0; i < p.n; i++)
            p.b[i] = noise();
        random_bounds(&p, k % 5);
        const int pivots = solve_dantzig(&p, f);
        for (int i = 0; i < p.n; i++)
            assert_true(f[i] >= p.bound[i].lo && f[i] <= p.bound[i].hi);
        if (pivots >= 0 && k % 3 != 2) solved++, assert_solution(&p, f, 1e-6);
    }
    print_message("  %d of 667 solved\n", solved); /* many have no solution */
    struct problem p = {.n = 2, .A = {1, 0, 0, 1}, .b = {NAN, 0}, .bound = {one_sided, one_sided}};
    double f[MAX];
    assert_int_equal(solve_dantzig(&p, f), -1);
    p = (struct problem){.n = 2, .A = {1, 1, 1, 1}, .b = {1, 2}, .bound = {bilateral, bilateral}};
    assert_int_equal(solve_dantzig(&p, f), -1); /* contradictory */
    assert_int_equal(sn__lcp_dantzig(0, NULL, NULL, NULL, NULL, NULL), 0);
}

int main(void) {
    return run_all("dantzig");
}
