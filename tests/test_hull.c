/* Convex hulls of points: against all planes through three of them, and against meshes whose mass is known. */
#include "run_tests.h"

#include "sinew/sinew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static void assert_near(double a, double b, double tolerance) {
    assert_true(fabs(a - b) <= tolerance);
}

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Volume by pyramids over the faces' fans. */
static double volume_of(const sn_hull_info *h) {
    double sum = 0;
    for (int f = 0; f < h->nface; f++)
        for (int i = h->first[f] + 1; i + 1 < h->first[f + 1]; i++) {
            double n[3];
            cross(h->vertex[h->corner[i]], h->vertex[h->corner[i + 1]], n);
            sum += dot(h->vertex[h->corner[h->first[f]]], n) / 6;
        }
    return sum;
}

/* Every point is below every face, faces close (Euler), and vertices are points. */
static void check_hull(const sn_hull_info *h, const double (*p)[3], int n, double tolerance) {
    for (int f = 0; f < h->nface; f++) {
        const double *o = h->vertex[h->corner[h->first[f]]];
        double normal[3] = {0};
        for (int i = h->first[f]; i < h->first[f + 1]; i++) {
            const double *a = h->vertex[h->corner[i]],
                         *b = h->vertex[h->corner[i + 1 < h->first[f + 1] ? i + 1 : h->first[f]]];
            double c[3], u[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]},
                         v[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
            cross(u, v, c);
            for (int k = 0; k < 3; k++)
                normal[k] += c[k];
        }
        double length = sqrt(dot(normal, normal));
        assert_true(length > 0);
        for (int i = 0; i < n; i++) {
            double d[3] = {p[i][0] - o[0], p[i][1] - o[1], p[i][2] - o[2]};
            assert_true(dot(normal, d) / length <= tolerance);
        }
    }
    assert_true(h->nvertex + h->nface - h->first[h->nface] / 2 == 2);
}

TEST(random_points_are_below_all_faces) {
    for (int trial = 0; trial < 200; trial++) {
        double p[204][3];
        int n = 4 + trial;
        for (int i = 0; i < n; i++) {
            double length = 0;
            for (int k = 0; k < 3; k++)
                p[i][k] = uniform(-1, 1), length += p[i][k] * p[i][k];
            for (int k = 0; k < 3 && trial % 2; k++) /* on a sphere: all are vertices */
                p[i][k] = 0.3 + p[i][k] / sqrt(length);
        }
        sn_error error;
        sn_hull *hull = sn_hull_create(p[0], n, 0, &error);
        assert_true(hull);
        const sn_hull_info *h = sn_hull_get(hull);
        check_hull(h, (const double(*)[3])p, n, 1e-9);
        if (trial % 2) assert_true(h->nvertex == n);
        assert_near(volume_of(h), h->volume, 1e-12);
        sn_hull_free(hull);
    }
}

/* Grids, duplicates and noise of single precision: the faces of a turned box are six. */
TEST(a_box_of_many_points_has_six_faces) {
    for (int trial = 0; trial < 60; trial++) {
        const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1),
                     l = sqrt(w * w + x * x + y * y + z * z), s[3] = {0.2, 0.5, uniform(0.1, 2)};
        const double q[4] = {w / l, x / l, y / l, z / l};
        double p[6 * 49][3];
        int n = 0;
        for (int face = 0; face < 6; face++)
            for (int i = 0; i < 49; i++) {
                double v[3], u[3], t[3];
                v[face / 2] = face % 2 ? 1 : -1;
                v[(face / 2 + 1) % 3] = i % 7 / 3.0 - 1, v[(face / 2 + 2) % 3] = i / 7 / 3.0 - 1;
                for (int k = 0; k < 3; k++)
                    v[k] *= s[k];
                cross(q + 1, v, u), cross(q + 1, u, t);
                for (int k = 0; k < 3; k++) {
                    p[n][k] = v[k] + 2 * (q[0] * u[k] + t[k]) + 3;
                    if (trial % 2) p[n][k] = (double)(float)p[n][k];
                }
                n++;
            }
        sn_error error;
        sn_hull *hull = sn_hull_create(p[0], n, 0, &error);
        assert_true(hull);
        const sn_hull_info *h = sn_hull_get(hull);
        assert_true(h->nface == 6 && h->nvertex == 8);
        const double volume = 8 * s[0] * s[1] * s[2];
        assert_near(h->volume / volume, 1, trial % 2 ? 1e-5 : 1e-11);
        for (int k = 0; k < 3; k++)
            assert_near(h->centre[k], 3, 1e-6);
        sn_hull_free(hull);
    }
}

/* Against closed forms: the tetrahedron with corners at 0 and at the axes has the moments of Tonon (2004). */
TEST(volume_centre_and_inertia_are_exact) {
    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    sn_hull *hull = sn_hull_create(corner[0], 4, 0, NULL);
    assert_true(hull);
    const sn_hull_info *h = sn_hull_get(hull);
    assert_near(h->volume, 1, 1e-14);
    const double c[3] = {0.25, 0.5, 0.75}, square[3] = {1, 4, 9};
    for (int k = 0; k < 3; k++) {
        assert_near(h->centre[k], c[k], 1e-14);
        /* second moments about the corner: a^2 / 10, less those of the centre */
        double second[3];
        for (int i = 0; i < 3; i++)
            second[i] = square[i] / 10 - c[i] * c[i];
        assert_near(h->inertia[k], second[(k + 1) % 3] + second[(k + 2) % 3], 1e-14);
    }
    assert_near(h->inertia[3], -(1.0 * 2 / 20 - c[0] * c[1]), 1e-14);
    assert_near(h->inertia[4], -(1.0 * 3 / 20 - c[0] * c[2]), 1e-14);
    assert_near(h->inertia[5], -(2.0 * 3 / 20 - c[1] * c[2]), 1e-14);
    sn_hull_free(hull);
}

/* A model of a box as a hull, far from its frame, weighs what the box weighs. */
TEST(a_box_as_a_hull_weighs_the_same) {
    const double s[3] = {0.1, 0.2, 0.35};
    double p[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = (i >> k & 1 ? s[k] : -s[k]) + 2 + k;
    sn_hull *hull = sn_hull_create(p[0], 8, 0, NULL);
    assert_true(hull);
    sn_model *model[2];
    for (int i = 0; i < 2; i++) {
        sn_builder *b = sn_builder_create();
        sn_body_def body = sn_body_def_default();
        body.name = "it", body.joint = sn_joint_def_default(SN_JOINT_FREE);
        sn_builder_add_body(b, &body);
        sn_shape_def shape = sn_shape_def_default(i ? SN_SHAPE_HULL : SN_SHAPE_BOX);
        const double rot[4] = {0.5, 0.5, -0.5, 0.5};
        memcpy(shape.rot, rot, sizeof rot);
        memcpy(shape.size, s, sizeof s);
        shape.hull = hull;
        shape.pos[0] = 1;
        sn_builder_add_shape(b, "it", &shape);
        sn_error error;
        model[i] = sn_builder_build(b, &error);
        assert_true(model[i]);
        sn_builder_free(b);
    }
    const sn_body_info *box = sn_model_body(model[0], 0), *as_hull = sn_model_body(model[1], 0);
    assert_near(as_hull->mass / box->mass, 1, 1e-12);
    for (int k = 0; k < 6; k++)
        assert_near(as_hull->inertia[k], box->inertia[k], 1e-11 * box->inertia[0]);
    sn_hull_free(hull); /* the model keeps it */
    assert_true(sn_hull_get(sn_model_get(model[1])->shape[0].hull)->nvertex == 8);
    sn_model_free(model[0]), sn_model_free(model[1]);
}

TEST(few_vertices_lie_far_out) {
    enum { N = 2000 };
    double(*p)[3] = malloc(N * sizeof *p);
    assert_true(p);
    for (int i = 0; i < N; i++) {
        double l;
        do {
            for (int k = 0; k < 3; k++)
                p[i][k] = uniform(-1, 1);
            l = sqrt(dot(p[i], p[i]));
        } while (l > 1 || l < 0.1);
        for (int k = 0; k < 3; k++)
            p[i][k] /= l;
    }
    sn_hull *hull = sn_hull_create(p[0], N, 64, NULL), *whole = sn_hull_create(p[0], N, 0, NULL);
    assert_true(hull && whole);
    assert_true(sn_hull_get(hull)->nvertex == 64);
    assert_true(sn_hull_get(whole)->nvertex == N);
    assert_true(sn_hull_get(whole)->apart == 0);
    assert_true(sn_hull_get(hull)->apart > 0 && sn_hull_get(hull)->apart < 0.12);
    assert_true(sn_hull_get(hull)->volume > 0.85 * 4.1887902);
    sn_hull_free(hull), sn_hull_free(whole);
    free(p);
}

TEST(what_is_no_hull_is_refused) {
    sn_error error;
    double p[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
    assert_true(!sn_hull_create(p[0], 5, 0, &error) && error.status == SN_ERROR_ARGUMENT);
    assert_true(!sn_hull_create(p[0], 3, 0, &error));
    assert_true(!sn_hull_create(NULL, 9, 0, &error));
    p[4][2] = 1e-14;
    assert_true(!sn_hull_create(p[0], 5, 0, &error));
    p[4][2] = (double)NAN;
    assert_true(!sn_hull_create(p[0], 5, 0, &error) && strstr(error.message, "point 4"));
    p[4][2] = 1;
    assert_true(!sn_hull_create(p[0], 5, 3, &error));
    sn_hull *hull = sn_hull_create(p[0], 5, 0, &error);
    assert_true(hull && error.status == SN_OK);
    sn_hull_free(hull);
    sn_hull_free(NULL);
    assert_true(sn_hull_get(NULL) == NULL);
    double same[30] = {0};
    assert_true(!sn_hull_create(same, 10, 0, &error));

    sn_builder *b = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "it";
    sn_builder_add_body(b, &body);
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    sn_builder_add_shape(b, "it", &shape);
    assert_true(!sn_builder_build(b, &error) && strstr(error.message, "hull"));
    sn_builder_free(b);
}

int main(void) {
    return run_all("hull");
}
