/* Height fields with stairs and ridges on them, and where they end: nothing falls through a step, nothing fast passes a
 * ridge, level cells trip nobody, and beyond the border there is no ground.
 * SINEW_DROPS=1 drops and shoots as many as the project's targets speak of; else a few. */
#include "world_helpers.h"

#include "base/quat.h"

static int as_many(int all, int few) {
    return getenv("SINEW_DROPS") ? all : FAST ? (few + 3) / 4 : few;
}

static const struct way both[] = {{"rows", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                  {"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, SN_STEPPER_TIME}};

/* ------------------------------------------------------------------------------------------------- ground */

/* A square of heights around the origin. */
struct relief {
    int n;
    double cell;
    double *height;
};

typedef double shape_of_ground(double x, double y);

static struct relief relief_of(double half, double cell, shape_of_ground *shape) {
    struct relief r = {2 * (int)(half / cell + 0.5) + 1, cell, NULL};
    r.height = calloc((size_t)r.n * (size_t)r.n, sizeof *r.height);
    for (int j = 0; j < r.n; j++)
        for (int i = 0; i < r.n; i++)
            r.height[j * r.n + i] = shape(cell * (i - r.n / 2), cell * (j - r.n / 2));
    return r;
}

static double half_of(const struct relief *r) {
    return r->cell * (r->n - 1) / 2;
}

static void add_relief(sn_world *world, const struct relief *r) {
    const double half = half_of(r);
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), r->n,     r->n, {2 * half, 2 * half},
                                      {-half, -half, 0},          r->height};
    assert_true(sn_world_add_heightfield(world, &field, NULL, NULL) >= 0);
}

/* The height of the triangle over or under a place, -infinity beyond the border. */
static double height_at(const struct relief *r, double x, double y) {
    const double u = (x + half_of(r)) / r->cell, v = (y + half_of(r)) / r->cell;
    if (!(u >= 0 && v >= 0 && u < r->n - 1 && v < r->n - 1)) return -HUGE_VAL;
    const int i = (int)u, j = (int)v;
    const double a = u - i, b = v - j, *h = r->height + j * r->n + i, *g = h + r->n;
    return b > a ? h[0] + b * (g[0] - h[0]) + a * (g[1] - g[0])
                 : h[0] + a * (h[1] - h[0]) + b * (g[1] - h[1]);
}

static double level(double x, double y) {
    (void)x, (void)y;
    return 0;
}

/* 20 cm up every 30 cm, both ways from the middle; the wall of a step is as wide as a cell. */
static double stairs(double x, double y) {
    (void)y;
    return 0.2 * floor(fabs(x + 1e-9) / 0.3);
}

static double one_way(double x, double y) {
    (void)y;
    return 0.2 * floor((x + 1e-9) / 0.3);
}

static double blocks(double x, double y) {
    const int i = (int)floor((x + 10 + 1e-9) / 0.4), j = (int)floor((y + 10 + 1e-9) / 0.4);
    return 0.2 * ((i * 7 + j * 13 + i * j) % 3);
}

/* ------------------------------------------------------------------------------------------------- stairs */

/* How far the axis of a capsule, or the middle of another shape, is below the surface at most. */
static double shape_sunk(const sn_shape_def *s, const double pose[7], const struct relief *r) {
    const double z[3] = {0, 0, s->type == SN_SHAPE_CAPSULE ? s->size[1] : 0};
    double own[4] = {s->rot[0], s->rot[1], s->rot[2], s->rot[3]}, axis[3], most = -HUGE_VAL;
    dquat_normalise(own);
    dquat_rotate(own, z, axis);
    for (int k = -10; k <= 10; k++) {
        double at[3] = {s->pos[0], s->pos[1], s->pos[2]}, c[3];
        axpy(0.1 * k, axis, at, 3);
        dquat_rotate(pose + 3, at, c);
        axpy(1, pose, c, 3);
        most = fmax(most, height_at(r, c[0], c[1]) - c[2]);
    }
    return most;
}

static double sunk(sn_world *world, int copy, const struct relief *r) {
    const sn_model *model = sn_world_model(world, 0);
    double pose[64][7], most = -HUGE_VAL;
    assert_true(sn_model_get(model)->nbody <= 64);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_BODY_POSE, copy, 1, pose[0]), SN_OK);
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++)
            most = fmax(most, shape_sunk((&sn_model_get(model)->shape[k]), pose[b], r));
    }
    return most;
}

static const struct {
    shape_of_ground *shape;
    double cell;
} flight[] = {{stairs, 0.05}, {one_way, 0.1}, {blocks, 0.05}, {stairs, 0.02}, {one_way, 0.05}, {blocks, 0.1}};

/* Limp, in some pose two metres above the stairs, and thrown at them. */
static void random_drop(int seed, const sn_model *model, double *q, double *qd) {
    struct rng rng = {(uint64_t)seed + 1};
    random_state(&rng, model, 0.3, 1, q, qd);
    random_quaternion(&rng, q + 3);
    q[0] = uniform(&rng, -1, 1), q[1] = uniform(&rng, -1, 1), q[2] = 2.2;
    qd[0] = uniform(&rng, -5, 5), qd[2] = -uniform(&rng, 0, 8);
}

static sn_world *stairs_world(const sn_model *model, const sn_world_def *def, const struct relief *r) {
    sn_world *world = world_of(def);
    add_relief(world, r);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, 0.5);
    return world;
}

static void drop_on_stairs(const sn_model *model, const struct way *way, sn_precision precision, int count,
                           struct worst *depth) {
    sn_world_def def = def_of(way);
    def.precision = precision, def.dt = 1.0 / 60;
    for (int f = 0; f < COUNT(flight); f++) {
        const struct relief r = relief_of(6, flight[f].cell, flight[f].shape);
        for (int seed = f; seed < count; seed += COUNT(flight)) {
            double q[MAX_NQ], qd[MAX_NV];
            sn_world *world = stairs_world(model, &def, &r);
            random_drop(seed, model, q, qd);
            assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
            run_for(world, 4, def.dt);
            worst_add(depth, sunk(world, 0, &r), "%s, %s, seed %d", way->name,
                      precision == SN_PRECISION_FLOAT ? "float" : "double", seed);
            sn_world_free(world);
        }
        free(r.height);
    }
}

/* Limbs that were only their two ends lay across an edge with it 9 cm above their axes. */
TEST(no_limp_humanoid_ends_below_stairs) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst depth = {-HUGE_VAL, ""};
    for (int k = 0; k < COUNT(both); k++)
        for (int p = 0; p < 2; p++)
            drop_on_stairs(model, &both[k], (sn_precision)p, as_many(30, 3), &depth);
    sn_model_free(model);
    assert_worst(&depth, 0, "axis of a limb below the surface, m");
}

/* A crowd on stairs, in lanes: nobody below, and everybody as if alone. */
TEST(a_crowd_on_stairs_stays_above_and_keeps_its_bits) {
    enum { COPIES = 24 };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const struct relief r = relief_of(6, 0.1, stairs);
    struct worst depth = {-HUGE_VAL, ""};
    for (int p = 0; p < 2; p++) {
        double q[COPIES][MAX_NQ], qd[COPIES][MAX_NV];
        sn_world_def def = sn_world_def_default();
        def.setting = SN_SETTING_CROWD, def.precision = (sn_precision)p, def.dt = 1.0 / 60;
        def.copies = COPIES;
        def.joint_limits = false; /* test_limp asks for bits with them */
        sn_world *all = stairs_world(model, &def, &r);
        for (int i = 0; i < COPIES; i++) {
            random_drop(i, model, q[i], qd[i]);
            assert_int_equal(sn_world_set(all, 0, SN_FIELD_Q, i, 1, q[i]), SN_OK);
            assert_int_equal(sn_world_set(all, 0, SN_FIELD_QD, i, 1, qd[i]), SN_OK);
        }
        run_for(all, 2, def.dt);
        def.copies = 1;
        for (int i = 0; i < COPIES; i += as_many(1, 6)) {
            double company[MAX_NQ], alone[MAX_NQ];
            sn_world *one = stairs_world(model, &def, &r);
            assert_int_equal(sn_world_set_state(one, 0, q[i], qd[i]), SN_OK);
            run_for(one, 2, def.dt);
            assert_int_equal(sn_world_get(all, 0, SN_FIELD_Q, i, 1, company), SN_OK);
            assert_int_equal(sn_world_get(one, 0, SN_FIELD_Q, 0, 1, alone), SN_OK);
            if (memcmp(company, alone, sizeof *alone * (size_t)sn_model_get(model)->nq))
                fail_msg("%s, copy %d differs in company", p ? "float" : "double", i);
            sn_world_free(one);
        }
        for (int i = 0; i < COPIES; i++)
            worst_add(&depth, sunk(all, i, &r), "%s, copy %d", p ? "float" : "double", i);
        sn_world_free(all);
    }
    free(r.height);
    sn_model_free(model);
    assert_worst(&depth, 0, "axis of a limb below the surface, m");
}

/* ------------------------------------------------------------------------------------------------- ridges */

static double ridge(double x, double y) {
    (void)y;
    return fabs(x) < 1e-9 ? 0.06 : 0;
}

static double ridges(double x, double y) {
    (void)y;
    return fabs(remainder(x, 0.5)) < 1e-9 ? 0.06 : 0;
}

enum { BALL, ROD, CUBE, HULL, KINDS };
static const char *const kind_name[KINDS] = {"balls", "capsules", "cubes", "hulls"};

/* The shape owns its hull. */
static sn_shape_def some_shape(int kind, struct rng *rng) {
    const double r = uniform(rng, 0.02, 0.05);
    if (kind != HULL)
        return kind == BALL ? sphere_of(r, 1) : kind == ROD ? capsule_of(r, 0.1, 1) : box_of(r, r, r, 1);
    double p[6][3] = {{0}};
    for (int i = 0; i < 6; i++)
        p[i][i / 2] = i % 2 ? 1.5 * r : -1.5 * r;
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    shape.hull = sn_hull_create(p[0], 6, 0, NULL);
    shape.mass = 1;
    assert_non_null(shape.hull);
    return shape;
}

/* Did its middle pass below the surface on its way? */
static bool passed_below(const struct relief *r, const double from[3], const double to[3]) {
    for (int k = 1; k <= 100; k++) {
        double p[3];
        for (int i = 0; i < 3; i++)
            p[i] = from[i] + (to[i] - from[i]) * k / 100;
        if (p[2] < height_at(r, p[0], p[1])) return true;
    }
    return false;
}

static void shoot_at_ridges(const struct way *way, int kind, int count, int *through) {
    sn_world_def def = def_of(way);
    def.dt = 1.0 / 60;
    for (int i = 0; i < count; i++) {
        struct rng rng = {(uint64_t)i + 1};
        const struct relief r = relief_of(4, i % 2 ? 0.05 : 0.1, i % 4 < 2 ? ridge : ridges);
        const sn_shape_def shape = some_shape(kind, &rng);
        sn_model *model = free_body(&shape);
        sn_hull_free((sn_hull *)shape.hull);
        def.precision = i % 3 == 2 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
        sn_world *world = world_of(&def);
        add_relief(world, &r);
        const int b = member_of(world, model);
        const double speed = uniform(&rng, 5, 30), down = uniform(&rng, 0, 3);
        const double start[3] = {-uniform(&rng, 1, 1.5), uniform(&rng, -0.5, 0.5), uniform(&rng, 0.12, 0.2)};
        double rot[4], q[7], last[3];
        random_quaternion(&rng, rot);
        put_body(world, b, start, rot, (const double[6]){speed, uniform(&rng, -2, 2), -down});
        memcpy(last, start, sizeof last);
        bool passed = false;
        for (int k = 0; k < 60 && !passed; k++) {
            step_world(world);
            sn_world_get_state(world, b, q, NULL);
            passed = passed_below(&r, last, q);
            if (passed)
                print_message("  %s, %s, shape %d, %d: at %.1f m/s, %.2f %.3f to %.2f %.3f, step %d\n",
                              way->name, def.precision == SN_PRECISION_FLOAT ? "float" : "double", kind, i,
                              speed, last[0], last[2], q[0], q[2], k);
            memcpy(last, q, sizeof last);
        }
        *through += passed;
        sn_world_free(world);
        sn_model_free(model);
        free(r.height);
    }
}

TEST(nothing_fast_passes_a_ridge) {
    int all = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < COUNT(both); k++) {
            int through = 0;
            const int count = kind ? as_many(100, 12) : as_many(150, 24);
            shoot_at_ridges(&both[k], kind, count, &through);
            print_message("  %s: %d of %d %s through\n", both[k].name, through, count, kind_name[kind]);
            all += through;
        }
    assert_int_equal(all, 0);
}

/* -------------------------------------------------------------------------------------------- level ground */

/* Something slides over a plane and over level cells: as far, as high. */
TEST(level_cells_trip_nobody) {
    struct worst height = {0}, way_off = {0};
    const struct relief r = relief_of(10, 0.1, level);
    for (int k = 0; k < COUNT(both); k++)
        for (int i = 0; i < as_many(60, 12); i++) {
            struct rng rng = {(uint64_t)i + 1};
            const sn_shape_def shape = i % 3 == 0   ? sphere_of(0.1, 1)
                                       : i % 3 == 1 ? capsule_of(0.1, 0.2, 1)
                                                    : box_of(0.2, 0.15, 0.1, 1);
            const double angle = uniform(&rng, 0, 2 * M_PI), speed = uniform(&rng, 1, 6), up[3] = {0, 0, 1},
                         v[6] = {speed * cos(angle), speed * sin(angle), 0, 0, 0, 0};
            const double start[3] = {uniform(&rng, -3, 3), uniform(&rng, -3, 3), 0.1};
            double rot[4], q[2][7], aside[4], turn[4];
            const double x[3] = {1, 0, 0};
            turn_about(up, uniform(&rng, 0, 6), turn);
            turn_about(x, i % 3 == 1 ? 0.5 * M_PI : 0, aside);
            dquat_multiply(turn, aside, rot);
            sn_world *world[2];
            sn_model *model = free_body(&shape);
            for (int f = 0; f < 2; f++) {
                sn_world_def def = def_of(&both[k]);
                def.dt = 1.0 / 60;
                world[f] = world_of(&def);
                if (f)
                    add_relief(world[f], &r);
                else
                    floor_of(world[f], NULL);
                member_of(world[f], model);
                put_body(world[f], 0, start, rot, v);
            }
            for (int s = 0; s < 90; s++) {
                for (int f = 0; f < 2; f++) {
                    step_world(world[f]);
                    sn_world_get_state(world[f], 0, q[f], NULL);
                }
                worst_add(&height, fabs(q[1][2] - 0.1), "%s, %d, step %d", both[k].name, i, s);
                worst_add(&way_off, hypot(q[1][0] - q[0][0], q[1][1] - q[0][1]), "%s, %d, step %d",
                          both[k].name, i, s);
            }
            sn_world_free(world[0]), sn_world_free(world[1]);
            sn_model_free(model);
        }
    free(r.height);
    assert_worst(&height, 1e-3, "off its height, m");
    assert_worst(&way_off, 1e-3, "off what slides on a plane, m");
}

/* ------------------------------------------------------------------------------------------------- borders */

/* Falls past the border of a field as if there were none, however near its plane. */
TEST(a_field_does_not_act_beyond_its_border) {
    const struct relief r = relief_of(2, 0.5, level);
    struct worst worst = {0};
    for (int k = 0; k < COUNT(both); k++)
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 12; i++) {
                struct rng rng = {(uint64_t)i + 1};
                sn_world_def def = def_of(&both[k]);
                def.dt = 1.0 / 60, def.precision = (sn_precision)p;
                sn_world *world = world_of(&def);
                const sn_shape_def shape = some_shape(i % KINDS, &rng);
                sn_model *model = free_body(&shape);
                sn_hull_free((sn_hull *)shape.hull);
                add_relief(world, &r);
                member_of(world, model);
                const double far = i < 6 ? 2.3 : 60, side = i % 2 ? -far : far;
                const double start[3] = {i % 4 < 2 ? side : 0.3, i % 4 < 2 ? 0.3 : side, 0.1};
                const double v[6] = {0, 0, 0, 0, 0, 3};
                double q[7], qd[6];
                put_body(world, 0, start, NULL, v);
                run_for(world, 1, def.dt);
                sn_world_get_state(world, 0, q, qd);
                const double fall = -9.81 * 0.5 * (1 + def.dt);
                worst_add(&worst, fabs(q[2] - start[2] - fall), "%s, %d: fall", both[k].name, i);
                worst_add(&worst, hypot(q[0] - start[0], q[1] - start[1]), "%s, %d: aside", both[k].name, i);
                worst_add(&worst, norm(qd, 2), "%s, %d: rolls", both[k].name, i);
                sn_world_free(world);
                sn_model_free(model);
            }
    free(r.height);
    assert_worst(&worst, 1e-4, "from a free fall, m");
}

/* A box whose middle is over the field stays, one whose middle is beyond the border tips over it and falls; a plate whose
   corners are all beyond a small field lies on it. */
TEST(the_border_holds_what_stands_on_it) {
    const struct relief wide = relief_of(2, 0.5, level), small = relief_of(0.2, 0.1, level);
    for (int k = 0; k < COUNT(both); k++)
        for (int i = 0; i < 3; i++) {
            sn_world_def def = def_of(&both[k]);
            def.dt = 1.0 / 60;
            sn_world *world = world_of(&def);
            sn_model *model = body_of(box_of(0.4, 0.4, 0.05, 5));
            double q[7];
            add_relief(world, i == 2 ? &small : &wide);
            member_of(world, model);
            put_body(world, 0, (const double[3]){i == 0 ? 1.9 : i == 1 ? 2.15 : 0, 0.1, 0.05}, NULL, NULL);
            run_for(world, 2, def.dt);
            sn_world_get_state(world, 0, q, NULL);
            print_message("  %s, %d: height %.4f\n", both[k].name, i, q[2]);
            assert_true(i == 1 ? q[2] < -0.5 : fabs(q[2] - 0.05) < 1e-3);
            sn_world_free(world);
            sn_model_free(model);
        }
    free(wide.height), free(small.height);
}

/* Balls that roll off the border leave it without a jump or a drop before it. */
TEST(a_ball_rolls_off_the_border) {
    const struct relief r = relief_of(2, 0.5, level);
    for (int k = 0; k < COUNT(both); k++)
        for (int i = 0; i < 4; i++) {
            sn_world_def def = def_of(&both[k]);
            def.dt = 1.0 / 60;
            sn_world *world = world_of(&def);
            sn_model *model = body_of(sphere_of(0.1, 1));
            double q[7], e = HUGE_VAL;
            const double v = 0.3 + 0.5 * i;
            add_relief(world, &r);
            member_of(world, model);
            put_body(world, 0, (const double[3]){1.8, 0.1, 0.1}, NULL,
                     (const double[6]){v, 0, 0, 0, v / 0.1, 0});
            for (int s = 0; s < 120; s++) {
                step_world(world);
                sn_world_get_state(world, 0, q, NULL);
                if (q[0] < 2) assert_true(fabs(q[2] - 0.1) < 1e-3);
                const double now = energy_of(world);
                assert_true(now < e + 1e-4);
                e = now;
            }
            assert_true(q[0] > 2 && q[2] < -0.5);
            sn_world_free(world);
            sn_model_free(model);
        }
    free(r.height);
}

int main(void) {
    return run_all("field edges");
}
