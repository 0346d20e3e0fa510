/* Complementarity problems: Lemke's algorithm, the bounded problem with friction, and the residual. */
#include "model_helpers.h"

#include <stdlib.h>

#include "solve/lcp.h"

enum { MAX = 72 };

struct problem {
    int n;
    double A[MAX * MAX], b[MAX];
    struct sn__bound bound[MAX];
};

static const struct sn__bound bilateral = {-HUGE_VAL, HUGE_VAL, -1, 0, false};
static const struct sn__bound one_sided = {0, HUGE_VAL, -1, 0, false};

static double between(double low, double high) {
    return low + (high - low) * (noise() + 1) / 2;
}

static int solve(const struct problem *p, double *f) {
    double *work =
        malloc(sn__lcp_room(p->n) * sizeof *work); /* exactly what is asked for: a sanitizer sees more */
    const int pivots = sn__lcp_direct(p->n, p->A, p->b, p->bound, f, work);
    free(work);
    for (int i = 0; i < p->n; i++)
        assert_true(isfinite(f[i]));
    return pivots;
}

static int lemke(int n, const double *M, const double *q, double *z) {
    double *work = malloc((sn__lemke_room(n) + 1) * sizeof *work);
    const int pivots = sn__lemke(n, M, q, z, work);
    free(work);
    for (int i = 0; i < n; i++)
        assert_true(isfinite(z[i]) && z[i] >= 0);
    return pivots;
}

static void velocities(const struct problem *p, const double *f, double *w) {
    for (int i = 0; i < p->n; i++) {
        w[i] = p->b[i];
        for (int j = 0; j < p->n; j++)
            w[i] += p->A[i * p->n + j] * f[j];
    }
}

static void limits(const struct problem *p, const double *f, int i, double *lo, double *hi) {
    const struct sn__bound *r = &p->bound[i];
    *lo = r->lo, *hi = r->hi;
    if (r->normal < 0) return;
    *hi = r->mu * f[r->normal];
    *lo = r->one_way ? 0 : -*hi;
}

static double largest(const double *a, int n) {
    double m = 0;
    for (int i = 0; i < n; i++)
        m = fmax(m, fabs(a[i]));
    return m;
}

/* The conditions of lcp.h one by one; the tolerance is relative to the largest b and f. */
static void assert_solution(const struct problem *p, const double *f, double tolerance) {
    double w[MAX];
    const double small_f = tolerance * (1 + largest(f, p->n)),
                 small_w = tolerance * (1 + largest(p->b, p->n));
    velocities(p, f, w);
    for (int i = 0; i < p->n; i++) {
        double lo, hi;
        limits(p, f, i, &lo, &hi);
        assert_true(f[i] >= lo && f[i] <= hi); /* bounds hold exactly */
        const bool at_lo = f[i] <= lo + small_f, at_hi = f[i] >= hi - small_f;
        if (w[i] > small_w && !at_lo) fail_msg("row %d of %d: f %g above %g, w %g", i, p->n, f[i], lo, w[i]);
        if (w[i] < -small_w && !at_hi) fail_msg("row %d of %d: f %g below %g, w %g", i, p->n, f[i], hi, w[i]);
    }
}

/* Solved, and by pivots: projected Gauss-Seidel, which stands behind them, would hide their mistakes. */
static void assert_solved(const struct problem *p, double *f, double tolerance) {
    const int pivots = solve(p, f);
    if (pivots < 0) fail_msg("%d rows: not solved", p->n);
    assert_solution(p, f, tolerance);
    for (int i = 0; i < p->n && pivots == 0;
         i++) { /* nothing to do: all but bilateral rows as near zero as can be */
        double lo, hi;
        limits(p, f, i, &lo, &hi);
        if (isfinite(lo) || isfinite(hi)) assert_true(f[i] == fmin(fmax(0, lo), hi));
    }
}

static void positive_definite(struct problem *p, int n) {
    double R[MAX * MAX];
    p->n = n;
    for (int i = 0; i < n * n; i++)
        R[i] = noise();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.2 * n : 0;
            for (int k = 0; k < n; k++)
                sum += R[i * n + k] * R[j * n + k];
            p->A[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++)
        p->b[i] = 3 * noise();
}

/* 0: one-sided, 1: two-sided, 2: bilateral, 3: only from above, 4: any of these or a fixed one. */
static void random_bounds(struct problem *p, int kind) {
    for (int i = 0; i < p->n; i++) {
        const int k = kind < 4 ? kind : (int)between(0, 5);
        const double at = 0.3 * noise();
        p->bound[i] = bilateral;
        if (k == 0) p->bound[i].lo = kind < 4 ? 0 : at;
        if (k == 1) p->bound[i].lo = at - 0.2 * fabs(noise()), p->bound[i].hi = at + 0.2 * fabs(noise());
        if (k == 3) p->bound[i].hi = at;
        if (k == 4) p->bound[i].lo = p->bound[i].hi = at;
    }
}

/* Gaussian elimination of m equations in place. */
static bool eliminate(double *M, double *x, int m) {
    for (int k = 0; k < m; k++) {
        int at = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(M[i * m + k]) > fabs(M[at * m + k])) at = i;
        if (M[at * m + k] == 0) return false;
        for (int j = 0; j < m; j++) {
            const double t = M[k * m + j];
            M[k * m + j] = M[at * m + j], M[at * m + j] = t;
        }
        const double t = x[k];
        x[k] = x[at], x[at] = t;
        for (int i = 0; i < m; i++) {
            if (i == k) continue;
            const double a = M[i * m + k] / M[k * m + k];
            for (int j = k; j < m; j++)
                M[i * m + j] -= a * M[k * m + j];
            x[i] -= a * x[k];
        }
    }
    for (int k = 0; k < m; k++)
        x[k] /= M[k * m + k];
    return true;
}

/* Every row at its lower bound, free, or at its upper one: all combinations until one fits. */
static bool enumerate(const struct problem *p, double *f) {
    const int n = p->n;
    int count = 1;
    for (int i = 0; i < n; i++)
        count *= 3;
    for (int code = 0; code < count; code++) {
        double M[64] = {0}, x[8], w[MAX];
        bool fits = true;
        for (int i = 0, c = code; i < n; i++, c /= 3) {
            const double at = c % 3 == 1 ? p->bound[i].lo : p->bound[i].hi;
            fits = fits && (c % 3 == 0 || isfinite(at));
            for (int j = 0; j < n; j++)
                M[i * n + j] = c % 3 ? i == j : p->A[i * n + j];
            x[i] = c % 3 ? at : -p->b[i];
        }
        if (!fits || !eliminate(M, x, n)) continue;
        velocities(p, x, w);
        for (int i = 0, c = code; i < n; i++, c /= 3) {
            const bool fixed = p->bound[i].lo == p->bound[i].hi;
            fits = fits && x[i] >= p->bound[i].lo - 1e-12 && x[i] <= p->bound[i].hi + 1e-12;
            fits = fits && (fixed || c % 3 != 1 || w[i] >= -1e-12) && (fixed || c % 3 != 2 || w[i] <= 1e-12);
        }
        if (fits) memcpy(f, x, (size_t)n * sizeof *f);
        if (fits) return true;
    }
    return false;
}

/* Projected Gauss-Seidel until nothing moves. */
static bool iterate(const struct problem *p, double *f) {
    memset(f, 0, (size_t)p->n * sizeof *f);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double moved = 0;
        for (int i = 0; i < p->n; i++) {
            double w = p->b[i], lo, hi;
            for (int j = 0; j < p->n; j++)
                w += p->A[i * p->n + j] * f[j];
            limits(p, f, i, &lo, &hi);
            const double next = fmin(fmax(f[i] - w / p->A[i * p->n + i], lo), hi);
            moved = fmax(moved, fabs(next - f[i]));
            f[i] = next;
        }
        if (moved < 1e-13) return true;
    }
    return false;
}

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
        assert_true(lemke(n, p.A, p.b, z) >= 0);
        assert_solution(&p, z, 1e-10);
    }
}

TEST(lemke_does_not_mind_bad_scales) {
    for (int n = 1; n <= 40; n += 3) {
        struct problem p;
        double unit[MAX], z[MAX], scaled[MAX * MAX], q[MAX], row[MAX], col[MAX];
        positive_definite(&p, n);
        assert_true(lemke(n, p.A, p.b, unit) >= 0);
        for (int i = 0; i < n; i++)
            row[i] = pow(10, between(-8, 8)), col[i] = pow(10, between(-8, 8)), q[i] = row[i] * p.b[i];
        for (int i = 0; i < n * n; i++)
            scaled[i] = row[i / n] * p.A[i] * col[i % n];
        assert_true(lemke(n, scaled, q, z) >= 0);
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
    const int pivots = lemke(7, M, q, z);
    assert_true(pivots > 0 && pivots < 50);
    assert_near(c[0] * z[0] + c[1] * z[1] + c[2] * z[2] + c[3] * z[3], -0.05, 1e-12); /* the known optimum */
}

/* Every ratio ties: M has ones on the diagonal and twos beside it, all q are equal. */
TEST(lemke_breaks_ties) {
    for (int n = 3; n <= 31; n += 2) {
        double M[31 * 31] = {0}, q[31], z[31];
        for (int i = 0; i < n; i++)
            q[i] = -1, M[i * n + i] = 1, M[i * n + (i + 1) % n] = 2;
        const int pivots = lemke(n, M, q, z);
        assert_true(pivots > 0 && pivots < 50 * n);
        for (int i = 0; i < n; i++)
            assert_near(z[i], 1.0 / 3, 1e-12);
    }
}

TEST(lemke_ends_on_rays_and_bad_input) {
    double z[3] = {7, 7, 7};
    assert_int_equal(lemke(0, NULL, NULL, NULL), 0);
    const double zero[9] = {0}, q[3] = {1, -1, 2}, positive[3] = {1, 0, 2};
    assert_int_equal(lemke(3, zero, q, z), -1);
    assert_int_equal(lemke(3, zero, positive, z), 0);
    assert_near(largest(z, 3), 0, 0);
    const double negative[1] = {-1}, below[1] = {-1};
    assert_int_equal(lemke(1, negative, below, z), -1); /* w = -z - 1 */
    const double infeasible[4] = {1, -1, -1, 1}, both[2] = {-1, -1};
    assert_int_equal(lemke(2, infeasible, both, z), -1); /* w0 + w1 = -2 */
    for (int bad = 0; bad < 4; bad++) {
        double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, r[3] = {-1, -1, -1};
        (bad & 1 ? M : r)[2] = bad & 2 ? (double)NAN : HUGE_VAL;
        z[0] = z[1] = z[2] = 7;
        assert_int_equal(lemke(3, M, r, z), -1);
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
        if (lemke(n, p.A, p.b, z) < 0 || k % 3 == 2) continue;
        solved++;
        assert_solution(&p, z, 1e-7);
    }
    print_message("  %d of 1334 solved\n",
                  solved); /* no method solves all of them, and many have no solution */
    assert_true(solved > 300);
}

/* --------------------------------------------------------------------------------------- bounded problems */

TEST(small_problems_have_the_solution_that_enumeration_finds) {
    for (int n = 1; n <= 7; n++)
        for (int kind = 0; kind <= 4; kind++)
            for (int k = 0; k < (n < 7 ? 20 : 5); k++) {
                struct problem p;
                double f[MAX], expected[MAX];
                positive_definite(&p, n);
                random_bounds(&p, kind);
                assert_solved(&p, f, 1e-10);
                assert_true(enumerate(&p, expected));
                assert_near_n(f, expected, n, 1e-10);
            }
}

TEST(large_problems_have_the_solution_that_gauss_seidel_converges_to) {
    for (int n = 8; n <= 60; n += 4)
        for (int kind = 0; kind <= 4; kind++) {
            struct problem p;
            double f[MAX], expected[MAX];
            positive_definite(&p, n);
            random_bounds(&p, kind);
            assert_solved(&p, f, 1e-9);
            assert_true(iterate(&p, expected));
            assert_near_n(f, expected, n, 1e-8);
        }
}

/* A bound nobody reaches is as good as none, however far away it is. */
TEST(far_bounds_cost_no_digits) {
    for (double far = 1e2; far < 1e200; far *= 1e6)
        for (int k = 0; k < 10; k++) {
            struct problem p;
            double f[MAX], expected[MAX];
            positive_definite(&p, 12);
            random_bounds(&p, 4);
            assert_true(solve(&p, expected) >= 0);
            for (int i = 0; i < p.n; i++) {
                if (isinf(p.bound[i].lo)) p.bound[i].lo = i % 3 ? -far : -3 * far;
                if (isinf(p.bound[i].hi)) p.bound[i].hi = far;
            }
            assert_true(solve(&p, f) > 0);
            assert_near_n(f, expected, p.n, 1e-10);
        }
}

/* --------------------------------------------------------------------------------------------- contacts */

/* Rows of J: a normal and two directions across it for each point of a body with six degrees of freedom, or of two. */
struct contacts {
    int n, dof;
    double J[MAX][36], inverse_mass[36], v[36];
};

static void cross(const double *a, const double *b, double *c) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void add_row(struct contacts *c, int body, int other, const double *at, const double *axis) {
    double *J = c->J[c->n++], turn[3];
    memset(J, 0, sizeof c->J[0]);
    cross(at, axis, turn);
    for (int k = 0; k < 3; k++) {
        J[6 * body + k] = axis[k];
        J[6 * body + 3 + k] = turn[k];
        if (other < 0) continue;
        J[6 * other + k] = -axis[k];
        J[6 * other + 3 + k] = -turn[k]; /* about one point: enough for a test */
    }
}

static void contact_problem(const struct contacts *c, struct problem *p) {
    p->n = c->n;
    for (int i = 0; i < c->n; i++) {
        p->b[i] = 0;
        for (int k = 0; k < c->dof; k++)
            p->b[i] += c->J[i][k] * c->v[k];
        for (int j = 0; j < c->n; j++) {
            double sum = 0;
            for (int k = 0; k < c->dof; k++)
                sum += c->J[i][k] * c->inverse_mass[k] * c->J[j][k];
            p->A[i * c->n + j] = sum;
        }
    }
}

static void random_masses(struct contacts *c, int bodies) {
    c->n = 0;
    c->dof = 6 * bodies;
    for (int k = 0; k < c->dof; k++) {
        c->inverse_mass[k] = between(0.2, 2) * (k % 6 < 3 ? 1 : 4);
        c->v[k] = 2 * noise();
    }
}

/* way: 0 none, 1 two directions across, 2 one-way along one direction. */
static void add_contact(struct contacts *c, struct problem *p, int body, int other, const double *at,
                        double mu, int way) {
    static const double axis[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const int normal = c->n;
    for (int k = 0; k < (way == 0 ? 1 : way == 1 ? 3 : 2); k++) {
        p->bound[c->n] = k ? (struct sn__bound){0, 0, normal, mu, way == 2} : one_sided;
        add_row(c, body, other, at, axis[k]);
    }
}

TEST(contacts_with_friction_meet_every_condition) {
    for (int k = 0; k < 300; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 3);
        for (int i = 0; i < 3 + k % 8; i++) {
            const double at[3] = {noise(), noise(), 0.3 * noise() - 0.5};
            add_contact(&c, &p, i % 3, i % 4 == 3 ? (i + 1) % 3 : -1, at, k % 5 ? between(0, 1.2) : 0,
                        1 + (k + i) % 2);
        }
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
    }
}

/* With few contacts A is definite and a small mu leaves but one solution. */
TEST(friction_agrees_with_gauss_seidel_where_the_solution_is_one) {
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX], expected[MAX];
        random_masses(&c, 3);
        for (int i = 0; i < 3; i++) {
            const double at[3] = {noise(), noise(), -0.5};
            add_contact(&c, &p, i, -1, at, 0.15, 1 + k % 2);
        }
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
        assert_true(iterate(&p, expected));
        assert_near_n(f, expected, p.n, 1e-8);
    }
}

/* A joint between two bodies that also touch the ground. */
TEST(joints_and_contacts_are_solved_together) {
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX], w[MAX];
        static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        random_masses(&c, 2);
        for (int j = 0; j < 1 + k % 2; j++) { /* twice the same joint: singular, and consistent */
            const double at[3] = {0.5, 0, 0};
            for (int i = 0; i < 3; i++) {
                p.bound[c.n] = bilateral;
                add_row(&c, 0, 1, at, axis[i]);
            }
        }
        for (int i = 0; i < 6; i++) {
            const double at[3] = {noise(), noise(), -0.5};
            add_contact(&c, &p, i % 2, -1, at, 0.4, k % 3);
        }
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
        velocities(&p, f, w);
        assert_near(largest(w, 3), 0, 1e-10);
    }
}

static void box_corners(struct contacts *c, struct problem *p, double mu, int way) {
    for (int i = 0; i < 8; i++) {
        const double at[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.3 : -0.3, i & 4 ? 0.2 : -0.2};
        add_contact(c, p, 0, -1, at, mu, way);
    }
}

/* Eight normals, six degrees of freedom, rank three: impulses are not unique, velocities are. */
TEST(a_box_with_eight_corners_has_one_velocity) {
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX], w[MAX], expected[MAX], expected_w[MAX];
        random_masses(&c, 1);
        box_corners(&c, &p, 0, 0);
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
        iterate(&p, expected);
        velocities(&p, f, w);
        velocities(&p, expected, expected_w);
        assert_near_n(w, expected_w, p.n, 1e-8);
    }
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 1);
        box_corners(&c, &p, between(0, 1), 1 + k % 2);
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
    }
}

/* Six boxes on each other, four corners each, every other one ten thousand times as heavy. */
TEST(a_stack_of_unequal_masses_is_solved) {
    for (int k = 0; k < 10; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 6);
        for (int i = 0; i < c.dof; i++)
            c.inverse_mass[i] *= (i / 6 + k) % 2 ? 1e-2 : 1e2;
        for (int i = 0; i < 24; i++) {
            const double at[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.25};
            add_contact(&c, &p, i / 4, i / 4 - 1, at, 0.5, 1);
        }
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
    }
}

/* One-sided rows that say what bilateral rows have said: nothing but round-off is left of them. */
TEST(rows_that_bilateral_rows_imply_are_left_alone) {
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 1);
        for (int i = 0; i < 12; i++) {
            const double at[3] = {noise(), noise(), noise()}, axis[3] = {noise(), noise(), noise()};
            p.bound[c.n] = i < 6 ? bilateral : one_sided;
            add_row(&c, 0, -1, at, axis);
        }
        contact_problem(&c, &p);
        assert_solved(&p, f, 1e-9);
    }
}

/* Each corner wants to leave the ground at a speed of its own, as when depths are being pushed out. */
TEST(corners_that_want_different_speeds_are_solved) {
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 1);
        box_corners(&c, &p, between(0, 1), k % 3);
        contact_problem(&c, &p);
        for (int i = 0; i < p.n; i++)
            if (p.bound[i].normal < 0) p.b[i] -= 0.2 * fabs(noise());
        assert_solved(&p, f, 1e-9);
    }
}

/* A box between two walls that close in: no impulse serves both. */
TEST(a_squeezed_box_ends_with_a_finite_impulse) {
    for (int way = 0; way < 3; way++) {
        struct contacts c;
        struct problem p;
        double f[MAX];
        random_masses(&c, 1);
        memset(c.v, 0, sizeof c.v);
        box_corners(&c, &p, 0.5, way);
        for (int i = 0; i < c.n; i++)
            for (int k = 0; k < 6 && i >= c.n / 2; k++)
                c.J[i][k] *= -1; /* the upper corners push down */
        contact_problem(&c, &p);
        for (int i = 0; i < p.n; i++)
            p.b[i] = p.bound[i].normal < 0 ? -1 : 0;
        assert_int_equal(solve(&p, f), -1);
        for (int i = 0; i < p.n; i++) {
            double lo, hi;
            limits(&p, f, i, &lo, &hi);
            assert_true(f[i] >= lo && f[i] <= hi);
        }
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
        assert_int_equal(solve(&p, f), -1);
        assert_true(largest(f, n) < 100);
        velocities(&p, f, w);
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
    assert_true(solve(&p, f) >= 0); /* w = b: the row with two bounds goes to the upper one */
    assert_near(f[0], 0, 0);
    assert_near(f[1], 0, 0);
    assert_near(f[2], 2, 1e-15);
    p.b[0] = 1;
    assert_int_equal(solve(&p, f), -1);
    p.b[0] = 0, p.b[1] = -1; /* a ray: nothing can lift the one-sided row */
    assert_int_equal(solve(&p, f), -1);
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
        assert_int_equal(solve(&p, f), -1);
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
        const int pivots = solve(&p, f);
        for (int i = 0; i < p.n; i++) {
            double lo, hi;
            limits(&p, f, i, &lo, &hi);
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
    /* A diagonal of zero counts as one; a one-way row stays apart; what is not a number is no solution. */
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
        assert_true(solve(&p, f) >= 0);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemke_solves_standard_problems_of_every_positive_definite_matrix),
        cmocka_unit_test(lemke_does_not_mind_bad_scales),
        cmocka_unit_test(lemke_does_not_cycle),
        cmocka_unit_test(lemke_breaks_ties),
        cmocka_unit_test(lemke_ends_on_rays_and_bad_input),
        cmocka_unit_test(lemke_ends_on_matrices_of_any_kind),
        cmocka_unit_test(small_problems_have_the_solution_that_enumeration_finds),
        cmocka_unit_test(large_problems_have_the_solution_that_gauss_seidel_converges_to),
        cmocka_unit_test(far_bounds_cost_no_digits),
        cmocka_unit_test(contacts_with_friction_meet_every_condition),
        cmocka_unit_test(friction_agrees_with_gauss_seidel_where_the_solution_is_one),
        cmocka_unit_test(joints_and_contacts_are_solved_together),
        cmocka_unit_test(a_box_with_eight_corners_has_one_velocity),
        cmocka_unit_test(a_stack_of_unequal_masses_is_solved),
        cmocka_unit_test(rows_that_bilateral_rows_imply_are_left_alone),
        cmocka_unit_test(corners_that_want_different_speeds_are_solved),
        cmocka_unit_test(a_squeezed_box_ends_with_a_finite_impulse),
        cmocka_unit_test(contradictory_rows_end_with_a_small_finite_impulse),
        cmocka_unit_test(zero_matrices_and_empty_problems_are_answered),
        cmocka_unit_test(input_that_is_not_a_number_or_makes_no_sense_is_refused),
        cmocka_unit_test(any_matrix_ends_with_a_finite_feasible_impulse),
        cmocka_unit_test(friction_follows_normals_of_every_sort),
        cmocka_unit_test(the_residual_is_that_of_hand_made_examples),
        cmocka_unit_test(the_residual_is_nothing_at_the_solution_and_grows_away_from_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
