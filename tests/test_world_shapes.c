/* Cylinders, ellipsoids and cones as ground, in every way of contact: against what geometry says. */
#include "parse_helpers.h"
#include "world_helpers.h"

#include "base/quat.h"
#include "base/memory.h"
#include "import/readers.h"

/* Facets of 90 / 7 by 360 / 32 degrees are within 1 - cos(pi / 28) cos(pi / 32) of the true surface, in parts of a radius. */
static const double FACETS = 0.011;

static sn_shape_def shape_of(sn_shape_type type, double x, double y, double z) {
    sn_shape_def shape = sn_shape_def_default(type);
    shape.size[0] = x, shape.size[1] = y, shape.size[2] = z;
    return shape;
}

static void add_ground(sn_world *world, const sn_shape_def *shape, double x, double z, const double rot[4]) {
    sn_error error = {0};
    const double pos[3] = {x, 0, z}, upright[4] = {1, 0, 0, 0};
    if (sn_world_add_shape(world, shape, pos, rot ? rot : upright, &error) < 0) fail_msg("%s", error.message);
}

/* Where a member comes to rest that starts at a height, in the middle. */
static double rest_of(sn_world *world, const sn_model *model, double height, const sn_world_def *def) {
    const double pos[3] = {0, 0, height};
    double q[7], qd[6];
    const int c = member_of(world, model);
    put_body(world, c, pos, NULL, NULL);
    run_for(world, 3, def->dt);
    sn_world_get_state(world, c, q, qd);
    assert_true(norm(qd, 6) < 0.02);
    assert_true(fabs(q[0]) < 0.02 && fabs(q[1]) < 0.02);
    return q[2];
}

TEST_EACH_WAY(a_box_rests_on_the_flat_end_of_a_cylinder, body_of(box_of(0.2, 0.15, 0.1, 3))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    const sn_shape_def cylinder = shape_of(SN_SHAPE_CYLINDER, 0.5, 0.3, 0);
    add_ground(world, &cylinder, 0, 0.3, NULL);
    assert_near(rest_of(world, model, 0.71, &def), 0.7, 2e-3);
    sn_world_free(world);
}

/* The centres of three circles that touch make a triangle: two cylinders of 0.5 m, 1.2 m apart, and a ball of 0.3 m. */
TEST_EACH_WAY(a_ball_rests_between_two_cylinders_that_lie, body_of(sphere_of(0.3, 2))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    const sn_shape_def cylinder = shape_of(SN_SHAPE_CYLINDER, 0.5, 1, 0);
    const double lying[4] = {M_SQRT1_2, M_SQRT1_2, 0, 0}, right = sqrt(0.8 * 0.8 - 0.6 * 0.6);
    add_ground(world, &cylinder, -0.6, 0, lying);
    add_ground(world, &cylinder, 0.6, 0, lying);
    assert_near(rest_of(world, model, right + 0.01, &def), right, 2e-3 + 2 * FACETS * 0.5);
    sn_world_free(world);
}

TEST_EACH_WAY(a_plate_rests_on_two_ellipsoids, body_of(box_of(0.8, 0.2, 0.05, 5))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    const sn_shape_def ellipsoid = shape_of(SN_SHAPE_ELLIPSOID, 0.2, 0.3, 0.4);
    add_ground(world, &ellipsoid, -0.5, 0, NULL);
    add_ground(world, &ellipsoid, 0.5, 0, NULL);
    assert_near(rest_of(world, model, 0.46, &def), 0.45, 2e-3 + FACETS * 0.4);
    sn_world_free(world);
}

/* Rays towards the middle meet x / a on the unit ball. */
TEST(rays_meet_an_ellipsoid_where_its_equation_says) {
    const sn_world_def def = sn_world_def_default();
    const double size[3] = {0.2, 0.3, 0.4};
    struct rng rng = {5};
    sn_world *world = world_of(&def);
    const sn_shape_def ellipsoid = shape_of(SN_SHAPE_ELLIPSOID, size[0], size[1], size[2]);
    add_ground(world, &ellipsoid, 0, 0, NULL);
    for (int i = 0; i < 1000; i++) {
        double from[3], way[3], unit = 0;
        sn_hit hit;
        for (int k = 0; k < 3; k++)
            from[k] = uniform(&rng, -1, 1);
        if (dvec_length(from) < 0.5) continue;
        for (int k = 0; k < 3; k++)
            way[k] = -from[k];
        assert_true(sn_world_cast_ray(world, 0, from, way, UINT32_MAX, &hit));
        for (int k = 0; k < 3; k++)
            unit += hit.pos[k] * hit.pos[k] / (size[k] * size[k]);
        assert_near(sqrt(unit), 1, FACETS);
    }
    sn_world_free(world);
}

/* ------------------------------------------------------------------------------------------------------------ cones */

static sn_shape_def cone_of(double radius, double half, double mass) {
    sn_shape_def cone = shape_of(SN_SHAPE_CONE, radius, half, 0);
    cone.mass = mass;
    return cone;
}

/* Slices of the cone, summed up. */
TEST(the_mass_of_a_cone_is_that_of_its_slices) {
    const double r = 0.3, h = 0.4;
    const int slices = 20000;
    sn_shape_def cone = shape_of(SN_SHAPE_CONE, r, h, 0);
    sn_model *model = free_body(&cone);
    const sn_body_info *body = sn_model_body(model, 0);
    double mass = 0, moment = 0, across = 0, along = 0;
    for (int i = 0; i < slices; i++) {
        const double part = (i + 0.5) / slices, z = h * (2 * part - 1), radius = r * (1 - part),
                     m = 1000 * M_PI * radius * radius * 2 * h / slices;
        mass += m, moment += m * z, along += m * radius * radius / 2;
        across += m * (radius * radius / 4 + z * z);
    }
    const double centre = moment / mass;
    assert_near(body->mass, mass, 1e-6 * mass);
    assert_near(body->com[2], centre, 1e-6);
    assert_near(body->inertia[0], across - mass * centre * centre, 1e-6 * across);
    assert_near(body->inertia[2], along, 1e-6 * along);
    sn_model_free(model);
}

TEST_EACH_WAY(a_cone_stands_on_its_base, body_of(cone_of(0.3, 0.4, 2))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    assert_near(rest_of(world, model, 0.41, &def), 0.4, 2e-3);
    sn_world_free(world);
}

/* A ball between two cones whose sides slope by atan(2): its centre is r above each side, along the normal. */
TEST_EACH_WAY(a_ball_rests_between_cones, body_of(sphere_of(0.3, 2))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    const sn_shape_def cone = cone_of(0.5, 0.5, 0);
    const double side = hypot(1, 2), height = 0.5 + (0.3 - 0.7 * 2 / side) * side;
    add_ground(world, &cone, -0.7, 0, NULL);
    add_ground(world, &cone, 0.7, 0, NULL);
    const double pos[3] = {0, 0, height + 0.01};
    double q[7];
    const int c = member_of(world, model);
    put_body(world, c, pos, NULL, NULL);
    run_for(world, 0.5, def.dt);
    sn_world_get_state(world, c, q, NULL);
    assert_near(q[2], height, 2e-3 + 2 * side * FACETS * 0.5);
    sn_world_free(world);
}

TEST(a_cone_comes_back_from_its_file) {
    const sn_shape_def cone = cone_of(0.3, 0.4, 2);
    sn_model *model = free_body(&cone);
    size_t size;
    char *text = sn__model_json_write(model, &size);
    assert_non_null(text);
    sn_model *again = model_from(text, size, "cone", NULL, NULL);
    sn__free(text);
    assert_non_null(again);
    assert_int_equal(sn_model_get(again)->shape[0].type, SN_SHAPE_CONE);
    assert_near_n(sn_model_get(again)->shape[0].size, cone.size, 2, 0);
    assert_near_n(sn_model_body(again, 0)->inertia, sn_model_body(model, 0)->inertia, 6, 0);
    sn_model_free(model);
    sn_model_free(again);
}

int main(void) {
    return run_all("world_shapes");
}
