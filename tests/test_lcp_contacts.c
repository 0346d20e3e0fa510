/* Bounded problems of bodies that touch: friction, joints, stacks, and corners that want different things. */
#include "lcp_helpers.h"

#include <stdlib.h>

/* Rows of J: a normal and two directions across it for each point of a body with six degrees of freedom, or of two. */
struct contacts {
    int n, dof;
    double J[MAX][36], inverse_mass[36], v[36];
    double want[MAX]; /* speeds at which rows should leave */
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
        p->b[i] -= c->want[i];
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
    memset(c->want, 0, sizeof c->want);
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

static void assert_contacts_solved(const struct contacts *c, struct problem *p) {
    double f[MAX];
    contact_problem(c, p);
    assert_solved(p, f, 1e-9);
}

/* A test of that many problems of contact, each of which it makes and the solver must solve. */
#define TEST_PROBLEMS(sentence, count)                                                                       \
    static void sentence##_in(int k, struct contacts *c, struct problem *p);                                 \
    TEST(sentence) {                                                                                         \
        solve_problems(count, sentence##_in);                                                                \
    }                                                                                                        \
    static void sentence##_in(__attribute__((unused)) int k, struct contacts *c, struct problem *p)

static void solve_problems(int count, void (*make)(int k, struct contacts *c, struct problem *p)) {
    for (int k = 0; k < count; k++) {
        struct contacts c;
        struct problem p;
        make(k, &c, &p);
        assert_contacts_solved(&c, &p);
    }
}

TEST_PROBLEMS(contacts_with_friction_meet_every_condition, 300) {
    random_masses(c, 3);
    for (int i = 0; i < 3 + k % 8; i++) {
        const double at[3] = {noise(), noise(), 0.3 * noise() - 0.5};
        add_contact(c, p, i % 3, i % 4 == 3 ? (i + 1) % 3 : -1, at, k % 5 ? between(0, 1.2) : 0,
                    1 + (k + i) % 2);
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
        assert_true(solve_by_iteration(&p, expected));
        assert_near_n(f, expected, p.n, 1e-8);
    }
}

/* The same problems for Dantzig's algorithm, which need not end where friction is strong. */
TEST(dantzig_solves_contacts_with_friction) {
    int unsolved = 0;
    double worst = 0;
    for (int k = 0; k < 300; k++) {
        struct contacts c;
        struct problem p;
        double f[MAX], expected[MAX];
        const bool one = k % 3 == 0; /* but one solution */
        random_masses(&c, 3);
        for (int i = 0; i < (one ? 3 : 3 + k % 8); i++) {
            const double at[3] = {noise(), noise(), one ? -0.5 : 0.3 * noise() - 0.5};
            add_contact(&c, &p, i % 3, !one && i % 4 == 3 ? (i + 1) % 3 : -1, at,
                        one ? 0.15 : between(0, 1.2), 1 + (k + i) % 2);
        }
        contact_problem(&c, &p);
        const int pivots = solve_dantzig(&p, f);
        unsolved += pivots < 0;
        if (pivots < 0) continue;
        assert_solution(&p, f, 1e-9);
        if (!one) continue;
        assert_true(solve_direct(&p, expected) >= 0);
        for (int i = 0; i < p.n; i++)
            worst = fmax(worst, fabs(f[i] - expected[i]));
    }
    print_message("  %d of 300 not solved; differs from Lemke's by at most %.2g\n", unsolved, worst);
    assert_true(unsolved <= 6 && worst < 1e-9);
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
        row_velocities(&p, f, w);
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
        solve_by_iteration(&p, expected);
        row_velocities(&p, f, w);
        row_velocities(&p, expected, expected_w);
        assert_near_n(w, expected_w, p.n, 1e-8);
    }
    for (int k = 0; k < 100; k++) {
        struct contacts c;
        struct problem p;
        random_masses(&c, 1);
        box_corners(&c, &p, between(0, 1), 1 + k % 2);
        assert_contacts_solved(&c, &p);
    }
}

/* Six boxes on each other, four corners each, every other one ten thousand times as heavy. */
TEST_PROBLEMS(a_stack_of_unequal_masses_is_solved, 10) {
    random_masses(c, 6);
    for (int i = 0; i < c->dof; i++)
        c->inverse_mass[i] *= (i / 6 + k) % 2 ? 1e-2 : 1e2;
    for (int i = 0; i < 24; i++) {
        const double at[3] = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.25};
        add_contact(c, p, i / 4, i / 4 - 1, at, 0.5, 1);
    }
}

/* One-sided rows that say what bilateral rows have said: nothing but round-off is left of them. */
TEST_PROBLEMS(rows_that_bilateral_rows_imply_are_left_alone, 100) {
    random_masses(c, 1);
    for (int i = 0; i < 12; i++) {
        const double at[3] = {noise(), noise(), noise()}, axis[3] = {noise(), noise(), noise()};
        p->bound[c->n] = i < 6 ? bilateral : one_sided;
        add_row(c, 0, -1, at, axis);
    }
}

/* Each corner wants to leave the ground at a speed of its own, as when depths are being pushed out. */
TEST_PROBLEMS(corners_that_want_different_speeds_are_solved, 100) {
    random_masses(c, 1);
    box_corners(c, p, between(0, 1), k % 3);
    for (int i = 0; i < c->n; i++)
        if (p->bound[i].normal < 0) c->want[i] = 0.2 * fabs(noise());
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
        assert_int_equal(solve_direct(&p, f), -1);
        for (int i = 0; i < p.n; i++) {
            double lo, hi;
            row_limits(&p, f, i, &lo, &hi);
            assert_true(f[i] >= lo && f[i] <= hi);
        }
    }
}

int main(void) {
    return run_all("bounded problems of contacts");
}
