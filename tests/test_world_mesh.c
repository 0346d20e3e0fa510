/* Triangle meshes as ground: level ones are as smooth as a plane, thin ones let nothing through, rooms keep what is in them. */
#include "world_helpers.h"

#include "base/quat.h"

static const struct way both[] = {{"rows", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                  {"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, SN_STEPPER_TIME}};

/* ------------------------------------------------------------------------------------------------- ground */

struct grid {
    int nvertex, ntriangle;
    double (*vertex)[3];
    int (*triangle)[3];
};

typedef double height_of(double x, double y);

static double level(double x, double y) {
    (void)x, (void)y;
    return 0;
}

static double hills(double x, double y) {
    return 0.06 * sin(4.5 * x) * cos(3.5 * y);
}

/* n by n cells around the origin, every second one split the other way, corners a little off their places so that triangles
   are of many forms. */
static struct grid grid_of(double half, int n, height_of *height) {
    struct grid g = {(n + 1) * (n + 1), 2 * n * n, NULL, NULL};
    g.vertex = calloc((size_t)g.nvertex, sizeof *g.vertex);
    g.triangle = calloc((size_t)g.ntriangle, sizeof *g.triangle);
    struct rng rng = {7};
    for (int j = 0, v = 0; j <= n; j++)
        for (int i = 0; i <= n; i++, v++) {
            const bool inner = i > 0 && j > 0 && i < n && j < n;
            const double off = inner ? 0.5 * half / n : 0;
            g.vertex[v][0] = half * (2.0 * i / n - 1) + off * uniform(&rng, -1, 1);
            g.vertex[v][1] = half * (2.0 * j / n - 1) + off * uniform(&rng, -1, 1);
            g.vertex[v][2] = height(g.vertex[v][0], g.vertex[v][1]);
        }
    for (int j = 0, t = 0; j < n; j++)
        for (int i = 0; i < n; i++, t += 2) {
            const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1, other = (i + j) % 2;
            const int cell[2][2][3] = {{{a, b, c}, {a, c, d}}, {{a, b, d}, {b, c, d}}};
            memcpy(g.triangle[t], cell[other], sizeof cell[other]);
        }
    return g;
}

static int add_grid(sn_world *world, const struct grid *g) {
    const sn_mesh_def def = {sizeof(sn_mesh_def), g->nvertex, g->ntriangle, (const double(*)[3])g->vertex,
                             (const int(*)[3])g->triangle};
    const int ground = sn_world_add_mesh(world, &def, NULL, NULL);
    assert_true(ground >= 0);
    return ground;
}

static void free_grid(struct grid *g) {
    free(g->vertex), free(g->triangle);
}

/* The inside of a box. */
static int add_room(sn_world *world, double half) {
    static const int face[6][4] = {{4, 6, 2, 0}, {1, 3, 7, 5}, {1, 5, 4, 0},
                                   {2, 6, 7, 3}, {2, 3, 1, 0}, {4, 5, 7, 6}};
    double vertex[8][3];
    int triangle[12][3];
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++)
            vertex[v][k] = v >> k & 1 ? half : -half;
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 2; k++) {
            int *t = triangle[2 * f + k];
            t[0] = face[f][0], t[1] = face[f][2 + k], t[2] = face[f][1 + k];
        }
    const sn_mesh_def def = {sizeof(sn_mesh_def), 8, 12, (const double(*)[3])vertex,
                             (const int(*)[3])triangle};
    return sn_world_add_mesh(world, &def, NULL, NULL);
}

/* --------------------------------------------------------------------------------------------- like a plane */

static sn_shape_def shape_number(int i) {
    return i % 3 == 0 ? sphere_of(0.15, 2) : i % 3 == 1 ? capsule_of(0.1, 0.2, 2) : box_of(0.2, 0.15, 0.1, 2);
}

/* Thrown flat over it, from a skew pose: where it ends, and every normal on the way. */
static void throw(const struct way *way, const struct grid *g, int kind, double end[7]) {
    sn_world_def def = def_of(way);
    def.report_contacts = true;
    sn_world *world = world_of(&def);
    sn_model *model = body_of(shape_number(kind));
    double rot[4], q[7];
    if (g)
        add_grid(world, g);
    else
        floor_of(world, NULL);
    const int body = member_of(world, model);
    turn_about((const double[3]){0.6, 0.8, 0}, 0.3, rot);
    put_body(world, body, (const double[3]){-3, 0.2, 0.5}, rot, (const double[6]){4, 0.5, 0, 0, 0, 0});
    for (int i = 0; i < 180; i++) {
        step_world(world);
        int n;
        const sn_contact *c = contacts_of(world, &n);
        for (int k = 0; k < n; k++)
            assert_true(c[k].normal[2] > 1 - 1e-6);
    }
    assert_int_equal(sn_world_get(world, body, SN_FIELD_Q, 0, 1, q), SN_OK);
    memcpy(end, q, sizeof q);
    sn_world_free(world);
    sn_model_free(model);
}

TEST(what_slides_over_level_triangles_ends_where_it_does_on_a_plane) {
    struct grid g = grid_of(6, 60, level);
    for (int i = 0; i < COUNT(both); i++)
        for (int kind = 0; kind < 3; kind++) {
            double mesh[7], plane[7];
            throw(&both[i], &g, kind, mesh);
            throw(&both[i], NULL, kind, plane);
            const double way = hypot(plane[0] + 3, plane[1] - 0.2);
            assert_true(way > 0.5);
            assert_true(hypot(mesh[0] - plane[0], mesh[1] - plane[1]) < 0.01 * way);
            assert_true(fabs(mesh[2] - plane[2]) < 1e-4);
        }
    free_grid(&g);
}

/* A humanoid whose root is held follows a walk: how far its feet and all its joints are from the motion, rms. */
static double track(const struct grid *g) {
    sn_world_def def = sn_world_def_default();
    def.report_contacts = true;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = sn_builtin_motion_create("walk", model, NULL);
    sn_world *world = world_of(&def);
    double q[MAX_NQ], target[MAX_NQ], sum = 0;
    int touching = 0;
    assert_non_null(motion);
    if (g)
        add_grid(world, g);
    else
        floor_of(world, NULL);
    const int human = member_of(world, model);
    uniform_gains(world, human, 3000, 300, 300, 30);
    sn_motion_sample(motion, 0, q, NULL);
    assert_int_equal(sn_world_set_state(world, human, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_motion(world, human, motion), SN_OK);
    for (int i = 0; i < 180; i++) {
        step_world(world);
        touching += contact_count(world) > 0;
        sn_motion_sample(motion, (i + 1) * def.dt, target, NULL);
        assert_int_equal(sn_world_get(world, human, SN_FIELD_Q, 0, 1, q), SN_OK);
        for (int k = 7; k < sn_world_size(world, human, SN_FIELD_Q); k++)
            sum += (q[k] - target[k]) * (q[k] - target[k]);
    }
    assert_true(touching > 150);
    sn_world_free(world);
    sn_motion_free(motion);
    sn_model_free(model);
    return sqrt(sum);
}

TEST(walk_over_level_triangles_is_tracked_as_on_a_plane) {
    struct grid g = grid_of(8, 80, level);
    const double mesh = track(&g), plane = track(NULL);
    print_message("  off the motion: %.9g on triangles, %.9g on a plane\n", mesh, plane);
    assert_true(fabs(mesh - plane) < 0.01 * plane);
    free_grid(&g);
}

/* ---------------------------------------------------------------------------------------- nothing goes through */

TEST(limp_humanoids_stay_on_hills_of_triangles) {
    struct grid g = grid_of(4, 40, hills);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int i = 0; i < COUNT(both); i++)
        for (int seed = 1; seed <= (FAST ? 1 : 4); seed++) {
            sn_world_def def = def_of(&both[i]);
            struct rng rng = {(uint64_t)seed};
            sn_world *world = world_of(&def);
            double q[MAX_NQ], qd[MAX_NV];
            add_grid(world, &g);
            const int human = member_of(world, model);
            uniform_gains(world, human, 0, 0, 0, 1);
            random_state(&rng, model, 0.3, 1, q, qd);
            random_quaternion(&rng, q + 3);
            q[0] = q[1] = 0, q[2] = 1.5;
            assert_int_equal(sn_world_set_state(world, human, q, qd), SN_OK);
            run_for(world, 3, def.dt);
            assert_true(lowest_point(world, human) > -0.08);
            assert_true(fastest(world) < 2);
            sn_world_free(world);
        }
    sn_model_free(model);
    free_grid(&g);
}

/* A sheet has no thickness at all. */
TEST(shots_do_not_pass_a_sheet) {
    struct grid g = grid_of(20, 80, hills);
    const int shots = getenv("SINEW_DROPS") ? 500 : FAST ? 12 : 60;
    int through = 0;
    for (int i = 0; i < COUNT(both); i++)
        for (int shot = 0; shot < shots; shot++) {
            sn_world_def def = def_of(&both[i]);
            struct rng rng = {(uint64_t)shot + 1};
            sn_world *world = world_of(&def);
            sn_model *model = body_of(shape_number(shot));
            const int body = member_of(world, model);
            const double speed = uniform(&rng, 10, 100), down = uniform(&rng, 0.3, 1),
                         round = uniform(&rng, 0, 6.28), side = sqrt(1 - down * down);
            double rot[4],
                velocity[6] = {speed * side * cos(round), speed * side * sin(round), -speed * down}, q[7];
            add_grid(world, &g);
            random_quaternion(&rng, rot);
            for (int k = 3; k < 6; k++)
                velocity[k] = uniform(&rng, -10, 10);
            put_body(world, body,
                     (const double[3]){uniform(&rng, -1, 1), uniform(&rng, -1, 1), uniform(&rng, 0.5, 1.5)},
                     rot, velocity);
            run_for(world, 0.5, def.dt);
            assert_int_equal(sn_world_get(world, body, SN_FIELD_Q, 0, 1, q), SN_OK);
            const bool over = fabs(q[0]) < 19.5 && fabs(q[1]) < 19.5;
            if (over && q[2] < hills(q[0], q[1]) - 0.05) {
                through++;
                print_message("  %s, shot %d: ends at z = %g\n", both[i].name, shot, q[2]);
            }
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_int_equal(through, 0);
    free_grid(&g);
}

TEST(room_keeps_what_is_in_it_whichever_way_is_down) {
    for (int i = 0; i < COUNT(both); i++) {
        sn_world_def def = def_of(&both[i]);
        sn_world *world = world_of(&def);
        sn_model *model[3];
        struct rng rng = {5};
        assert_int_equal(add_room(world, 1.5), 0);
        for (int k = 0; k < 3; k++)
            model[k] = body_of(shape_number(k));
        for (int k = 0; k < 9; k++)
            put_body(world, member_of(world, model[k % 3]),
                     (const double[3]){0.8 * (k % 3 - 1), 0.8 * (k / 3 - 1), uniform(&rng, -0.5, 0.5)}, NULL,
                     NULL);
        for (int turn = 0; turn < (FAST ? 3 : 8); turn++) {
            for (int k = 0; k < 9; k++) {
                double gravity[3];
                random_direction(&rng, gravity);
                for (int j = 0; j < 3; j++)
                    gravity[j] *= 9.81;
                assert_int_equal(sn_world_set(world, k, SN_FIELD_GRAVITY, 0, 1, gravity), SN_OK);
            }
            run_for(world, 1.5, def.dt);
            for (int k = 0; k < 9; k++) {
                double q[7];
                assert_int_equal(sn_world_get(world, k, SN_FIELD_Q, 0, 1, q), SN_OK);
                for (int j = 0; j < 3; j++)
                    assert_true(fabs(q[j]) < 1.5);
            }
        }
        sn_world_free(world);
        for (int k = 0; k < 3; k++)
            sn_model_free(model[k]);
    }
}

/* -------------------------------------------------------------------------------------------------- the rest */

TEST(snapshot_brings_a_mesh_back) {
    struct grid g = grid_of(4, 8, hills);
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_model *model = body_of(shape_number(2));
    const int ground = add_grid(world, &g), body = member_of(world, model);
    put_body(world, body, (const double[3]){0, 0, 0.5}, NULL, NULL);
    run_for(world, 0.5, def.dt);
    const struct promise promise = promise_of(world, 0.5, def.dt);
    assert_int_equal(sn_world_remove_ground(world, ground), SN_OK);
    run_for(world, 0.5, def.dt);
    assert_true(sn_world_hash(world) != promise.hash);
    keep_promise(world, promise);
    sn_world_free(world);
    sn_model_free(model);
    free_grid(&g);
}

TEST(ray_and_shape_find_a_mesh_and_stand_puts_a_humanoid_on_it) {
    struct grid g = grid_of(4, 40, hills);
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int ground = add_grid(world, &g), human = member_of(world, model);
    double q[MAX_NQ] = {0};
    sn_hit hit;
    assert_int_equal(sn_world_get(world, human, SN_FIELD_Q, 0, 1, q), SN_OK);
    q[2] = 5;
    assert_int_equal(sn_world_stand(world, human, q), SN_OK);
    assert_true(q[2] > 0.7 && q[2] < 1.2);
    assert_true(
        sn_world_cast_ray(world, 0, (const double[3]){1, 1, 9}, (const double[3]){0, 0, -20}, 1, &hit));
    assert_int_equal(hit.body, ground);
    assert_true(fabs(hit.pos[2] - hills(1, 1)) < 0.02);
    assert_false(
        sn_world_cast_ray(world, 0, (const double[3]){1, 1, -9}, (const double[3]){0, 0, 8.7}, 1, &hit));
    sn_world_free(world);
    sn_model_free(model);
    free_grid(&g);
}

TEST(meshes_that_are_none_are_refused_in_words) {
    static const double vertex[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                        away[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
    static const int triangle[1][3] = {{0, 1, 2}}, wrong[1][3] = {{0, 1, 3}};
    const struct {
        sn_mesh_def def;
        const char *words;
    } bad[] = {
        {{sizeof(sn_mesh_def), 3, 1, vertex, triangle}, "no triangle of the mesh has an area"},
        {{sizeof(sn_mesh_def), 3, 1, away, triangle}, "vertex 2"},
        {{sizeof(sn_mesh_def), 3, 1, vertex, wrong}, "names vertex 3 of 3"},
        {{sizeof(sn_mesh_def), 0, 0, NULL, NULL}, "a mesh needs"},
    };
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    for (int i = 0; i < COUNT(bad); i++) {
        sn_error error;
        assert_int_equal(sn_world_add_mesh(world, &bad[i].def, NULL, &error), -1);
        assert_int_equal(error.status, SN_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, bad[i].words));
    }
    assert_int_equal(sn_world_get_info(world).grounds, 0);
    sn_world_free(world);
}

int main(void) {
    return run_all("world mesh");
}
