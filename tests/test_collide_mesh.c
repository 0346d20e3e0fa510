/* Solids on triangle meshes: against planes, boxes, height fields and the nearest of all triangles. */
#include "run_tests.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collide/cast.h"
#include "collide/distance.h"
#include "collide/mesh.h"
#include "collide_helpers.h"

struct built {
    double vertex[2 * NX * NY][3];
    int triangle[2 * NX * NY][3];
    int nvertex, ntriangle;
    struct sn__mesh *mesh;
    struct sn__geom geom;
};

static void finish(struct built *b) {
    b->mesh =
        sn__mesh_make(b->nvertex, (const double(*)[3])b->vertex, b->ntriangle, (const int(*)[3])b->triangle);
    assert_non_null(b->mesh);
    b->geom = make(SN__GEOM_MESH, b->mesh->reach, 0, 0);
    b->geom.mesh = b->mesh;
    put(&b->geom, b->mesh->centre[0], b->mesh->centre[1], b->mesh->centre[2]);
}

/* The triangles of a height field, each with corners of its own, which are to be joined. */
static void mesh_of_field(const struct sn__field *f, struct built *b) {
    static const int corner[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    int points = 0;
    memset(b, 0, sizeof *b);
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++, points++) {
            b->vertex[points][0] = f->origin[0] + i * f->step[0];
            b->vertex[points][1] = f->origin[1] + j * f->step[1];
            b->vertex[points][2] = f->origin[2] + f->height[j * f->nx + i];
        }
    memcpy(b->vertex[points], b->vertex, sizeof *b->vertex * (size_t)points); /* each twice */
    b->nvertex = 2 * points;
    for (int j = 0; j + 1 < f->ny; j++)
        for (int i = 0; i + 1 < f->nx; i++)
            for (int upper = 0; upper < 2; upper++, b->ntriangle++)
                for (int k = 0; k < 3; k++)
                    b->triangle[b->ntriangle][k] =
                        (j + corner[upper][k][1]) * f->nx + i + corner[upper][k][0] + upper * points;
    finish(b);
}

/* A box, out or in: a room. */
static void mesh_of_box(const double h[3], bool room, struct built *b) {
    static const int face[6][4] = {{4, 6, 2, 0}, {1, 3, 7, 5}, {1, 5, 4, 0},
                                   {2, 6, 7, 3}, {2, 3, 1, 0}, {4, 5, 7, 6}};
    memset(b, 0, sizeof *b);
    for (int v = 0; v < 8; v++, b->nvertex++)
        for (int k = 0; k < 3; k++)
            b->vertex[v][k] = v >> k & 1 ? h[k] : -h[k];
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++, b->ntriangle++) {
            int *t = b->triangle[b->ntriangle];
            t[0] = face[f][0], t[1] = face[f][1 + half], t[2] = face[f][2 + half];
            if (room) t[1] = face[f][2 + half], t[2] = face[f][1 + half];
        }
    finish(b);
}

TEST(edges_inside_level_ground_do_not_stand_out) {
    uint64_t seed = 3;
    struct ground g;
    struct built b;
    make_ground(&g, sloping_ground, &seed);
    mesh_of_field(&g.field, &b);
    assert_int_equal(b.mesh->nvertex, NX * NY);
    assert_int_equal(b.mesh->ntriangle, 2 * (NX - 1) * (NY - 1));
    int border = 0;
    for (int t = 0; t < b.mesh->ntriangle; t++) {
        assert_int_equal(b.mesh->triangle[t].hollow, 0);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(b.mesh->triangle[t].edges >> k & 1, b.mesh->triangle[t].beside[k] < 0);
            border += b.mesh->triangle[t].beside[k] < 0;
        }
    }
    assert_int_equal(border, 2 * (NX - 1 + NY - 1));
    sn__mesh_free(b.mesh);
}

TEST(box_has_twelve_edges_that_stand_out_and_a_room_has_none) {
    const double h[3] = {1, 2, 3};
    for (int room = 0; room < 2; room++) {
        struct built b;
        int out = 0, corners = 0, hollow = 0;
        mesh_of_box(h, room, &b);
        for (int t = 0; t < 12; t++)
            for (int k = 0; k < 3; k++) {
                out += b.mesh->triangle[t].edges >> k & 1;
                corners += b.mesh->triangle[t].corners >> k & 1;
                hollow += b.mesh->triangle[t].hollow >> k & 1;
            }
        assert_int_equal(out, room ? 0 : 12);
        assert_int_equal(corners, room ? 0 : 8);
        assert_int_equal(hollow, room ? 24 : 0);
        sn__mesh_free(b.mesh);
    }
}

/* Many level triangles are a plane, whatever lies on them: same points, same normals, same gaps. */
TEST(level_mesh_is_a_plane) {
    uint64_t seed = 5;
    for (int n = 0; n < 2000; n++) {
        struct ground g;
        struct built b;
        make_ground(&g, n % 2 ? flat_ground : sloping_ground, &seed);
        mesh_of_field(&g.field, &b);
        struct sn__geom a = solid_above(&g, (enum sn__geom_type)(n % 3), 0.05, 1, &seed),
                        plane = make(SN__GEOM_PLANE, 0, 0, 0);
        put(&a, 0.5 * a.pos[0], 0.3 * a.pos[1], a.pos[2]);        /* not over the border */
        if (n % 5 == 0) put(&a, n % 2 ? 0 : 0.5, -0.2, a.pos[2]); /* right over grid points */
        plane_of_even_ground(n % 2, &plane);
        struct sn__touch touch[MOST], other[MOST];
        const double up[3] = {plane.R[0][2], plane.R[1][2], plane.R[2][2]};
        double d[3] = {a.pos[0], a.pos[1], a.pos[2] - 0.3}, deep = -HUGE_VAL;
        int count = sn__collide(&a, &b.geom, touch_margin, touch),
            expected = sn__collide(&a, &plane, touch_margin, other);
        for (int i = 0; i < expected; i++)
            deep = fmax(deep, -other[i].gap);
        /* what has its middle behind the surface, or is thin and deeper than twice that, is not held */
        const bool held = dot(d, up) > 0.01 && deep < 1.9 * sn__geom_inner(&a);
        if (held) {
            check_form(touch, count, touch_margin);
            check_same_points(touch, count, other, expected, 1);
            check_same_points(other, expected, touch, count, 1);
        }
        sn__mesh_free(b.mesh);
    }
}

/* In front of rough ground the gap of a sphere is its distance from the nearest triangle. */
static bool sphere_touches(const struct ground *g, struct sn__geom *a) {
    struct built b;
    struct sn__touch touch[MOST];
    double z;
    if (!oracle_field_height(&g->field, a->pos[0], a->pos[1], &z) || a->pos[2] <= z) return false;
    mesh_of_field(&g->field, &b);
    const int count = collide(a, &b.geom, touch);
    const double apart = oracle_field_distance(&g->field, a->pos) - a->size[0];
    /* an edge that bends by less than 2 degrees does not count: 1 - cos 2 degrees */
    const double err = 1e-9 + 6.1e-4 * (apart + a->size[0]);
    assert_true(count > 0 ? fabs(touch[deepest(touch, count)].gap - apart) < err
                          : apart > touch_margin - err);
    sn__mesh_free(b.mesh);
    return count > 0;
}

TEST(sphere_on_a_mesh_has_the_distance_of_the_surface) {
    const struct above near = {SN__GEOM_SPHERE, -0.1, 0.8};
    assert_true(try_rough_ground(3000, 11, near, sphere_touches) > 600);
}

/* How far two solids that do not meet are apart. */
static double apart_of(const struct sn__geom *a, const struct sn__geom *b) {
    static const double nowhere[3];
    struct sn__hull one, two;
    struct sn__simplex simplex = {0};
    struct sn__apart apart;
    sn__hull_of(a, b->pos, &one);
    sn__hull_of(b, b->pos, &two);
    sn__hulls_apart(&one, nowhere, &two, &simplex, &apart);
    return apart.gap;
}

/* Around a box of triangles things are as far away as from a box: outside all, inside while they are not deep. */
TEST(box_of_triangles_is_a_box) {
    uint64_t seed = 17;
    int touching = 0, inside = 0;
    for (int n = 0; n < 4000; n++) {
        struct built b;
        struct sn__geom a = random_geom((enum sn__geom_type)(n % 3), &seed),
                        box = make(SN__GEOM_BOX, 0.5, 0.7, 0.9);
        struct sn__touch touch[MOST];
        mesh_of_box(box.size, false, &b);
        for (int k = 0; k < 3; k++)
            a.pos[k] *= 1.6;
        const int count = collide(&a, &b.geom, touch);
        const bool meet = sn__overlap(&a, &box);
        const double apart = meet ? oracle_signed_distance(&a, &box, seed) : apart_of(&a, &box);
        if (!meet && apart < touch_margin - 1e-3) {
            assert_true(count > 0);
            assert_true(fabs(touch[deepest(touch, count)].gap - apart) < 1e-7);
            touching++;
        }
        if (meet && apart > -0.2 * sn__geom_inner(&a)) {
            assert_true(count > 0);
            assert_true(touch[deepest(touch, count)].gap < 0);
            inside++;
        }
        if (apart > touch_margin + 1e-3) assert_int_equal(count, 0);
        sn__mesh_free(b.mesh);
    }
    assert_true(touching > 150 && inside > 100);
}

/* In a room a box pressed a little into floor and two walls is held by all three. */
TEST(box_in_the_corner_of_a_room_touches_floor_and_walls) {
    const double h[3] = {2, 2, 2};
    struct built b;
    mesh_of_box(h, true, &b);
    for (int deep = 0; deep < 2; deep++) {
        struct sn__geom a = make(SN__GEOM_BOX, 0.3, 0.3, 0.3);
        struct sn__touch touch[MOST];
        const double x = -1.7 + (deep ? -0.002 : 0.002);
        put(&a, x, x, x);
        const int n = sn__collide(&a, &b.geom, 0.01, touch);
        int count[3] = {0, 0, 0};
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                if (touch[i].normal[k] > 1 - 1e-9) {
                    count[k]++;
                    assert_true(fabs(touch[i].gap - (deep ? -0.002 : 0.002)) < 1e-9);
                }
        for (int k = 0; k < 3; k++)
            assert_int_equal(count[k], 4);
        assert_int_equal(n, 12);
    }
    sn__mesh_free(b.mesh);
}

/* A box that stands over the rim of a block, sunk in by a little, is pushed up and not sideways. */
TEST(box_over_a_rim_is_not_pushed_sideways) {
    const double h[3] = {1, 1, 1};
    uint64_t seed = 23;
    struct built b;
    mesh_of_box(h, false, &b);
    for (int n = 0; n < 500; n++) {
        struct sn__geom a = make(SN__GEOM_BOX, 0.3, 0.3, 0.3);
        struct sn__touch touch[MOST];
        turn(&a, 2, oracle_between(&seed, 0, 6));
        put(&a, oracle_between(&seed, 0.8, 1.2), oracle_between(&seed, -0.5, 0.5), 1.3 - 0.002);
        const int count = sn__collide(&a, &b.geom, 0.01, touch);
        assert_true(count >= 3);
        for (int i = 0; i < count; i++) {
            const bool up = touch[i].normal[2] > 1 - 1e-6;
            assert_true(up ? fabs(touch[i].gap + 0.002) < 1e-6
                           : touch[i].gap > -0.002); /* a side may be nearer still */
        }
    }
    sn__mesh_free(b.mesh);
}

/* A box of half a metre and more, and a mesh of its faces, which `check` looks for in random ways; how often it met both. */
static int try_box_and_mesh(int cases, uint64_t seed,
                            bool (*check)(int n, const struct sn__geom *box, const struct sn__geom *mesh,
                                          uint64_t *seed)) {
    const double h[3] = {0.5, 0.7, 0.9};
    const struct sn__geom box = make(SN__GEOM_BOX, h[0], h[1], h[2]);
    struct built b;
    int met = 0;
    mesh_of_box(h, false, &b);
    for (int n = 0; n < cases; n++)
        met += check(n, &box, &b.geom, &seed);
    sn__mesh_free(b.mesh);
    return met;
}

static bool ray_meets_both(int n, const struct sn__geom *box, const struct sn__geom *mesh, uint64_t *seed) {
    double from[3], way[3];
    struct sn__hit hit, other;
    (void)n;
    for (int k = 0; k < 3; k++)
        from[k] = oracle_between(seed, -3, 3), way[k] = oracle_between(seed, -4, 4);
    if (oracle_point_distance(box, from) < 0) return false;
    const bool found = sn__cast_ray(mesh, from, way, &hit);
    assert_int_equal(found, sn__cast_ray(box, from, way, &other));
    if (!found) return false;
    assert_true(fabs(hit.t - other.t) < 1e-12 && distance(hit.pos, other.pos) < 1e-10);
    assert_true(distance(hit.normal, other.normal) < 1e-9);
    return true;
}

TEST(ray_meets_a_mesh_where_it_meets_the_box) {
    assert_true(try_box_and_mesh(20000, 29, ray_meets_both) > 800);
}

static bool shape_meets_both(int n, const struct sn__geom *box, const struct sn__geom *mesh, uint64_t *seed) {
    struct sn__geom a = random_geom((enum sn__geom_type)(n % 3), seed);
    double way[3];
    struct sn__hit hit, other;
    for (int k = 0; k < 3; k++)
        a.pos[k] = oracle_between(seed, -4, 4), way[k] = oracle_between(seed, -5, 5);
    if (sn__overlap(&a, box) || sn__overlap(&a, mesh)) return false;
    const bool found = sn__cast_shape(&a, way, mesh, &hit);
    assert_int_equal(found, sn__cast_shape(&a, way, box, &other));
    if (found) assert_true(fabs(hit.t - other.t) < 1e-7);
    return found;
}

TEST(shape_that_is_cast_meets_a_mesh_where_it_meets_the_box) {
    assert_true(try_box_and_mesh(3000, 31, shape_meets_both) > 180);
}

int main(void) {
    return run_all("collide mesh");
}
