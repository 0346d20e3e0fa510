/* Standing poses, rays, moving shapes and overlaps in a world. */
#include "world_helpers.h"

#include "base/quat.h"

static const double turn[4] = {1, 0, 0, 0};
static const uint32_t everything = UINT32_MAX;

/* -------------------------------------------------------------------------------------------------- standing */

/* After sn_world_stand the pose has only moved along the vertical. */
static void assert_stands(sn_world *world, int member, const double *start, double height, double tolerance) {
    double q[MAX_NQ];
    const int nq = sn_model_get(sn_world_model(world, member))->nq;
    memcpy(q, start, sizeof *q * (size_t)nq);
    assert_int_equal(sn_world_stand(world, member, q), SN_OK);
    assert_near_n(q, start, 2, 1e-12);
    assert_near_n(q + 3, start + 3, nq - 3, 1e-12);
    assert_int_equal(sn_world_set_state(world, member, q, NULL), SN_OK);
    assert_near(lowest_point(world, member), height, tolerance);
}

TEST(a_member_stands_on_a_plane) {
    static const char *const name[] = {"humanoid", "dog", "snake36"};
    const sn_world_def def = sn_world_def_default();
    for (int i = 0; i < COUNT(name); i++)
        for (int k = 0; k < 4; k++) {
            sn_world *world = world_of(&def);
            sn_model *model = sn_builtin_create(name[i], NULL);
            const double height = 0.7 * k, point[3] = {5, 5, height}, up[3] = {0, 0, 1};
            assert_true(sn_world_add_plane(world, point, up, NULL, NULL) >= 0);
            const int m = member_of(world, model);
            struct rng rng = {(uint64_t)k};
            double q[MAX_NQ], qd[MAX_NV];
            random_state(&rng, model, 0.4, 0, q, qd);
            q[2] = uniform(&rng, -3, 3); /* above or below */
            assert_stands(world, m, q, height, 1e-9);
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* On a slope the nearest point is on it, and nothing is below. */
TEST(a_ball_stands_on_a_slope) {
    const sn_shape_def shape = sphere_of(0.2, 1);
    sn_model *ball = free_body(&shape);
    for (int k = 1; k < 6; k++) {
        const double a = 0.15 * k, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0};
        const sn_world_def def = sn_world_def_default();
        sn_world *world = world_of(&def);
        assert_true(sn_world_add_plane(world, zero, normal, NULL, NULL) >= 0);
        const int m = member_of(world, ball);
        double q[7] = {0.7, 0.3, 4, 1, 0, 0, 0};
        assert_int_equal(sn_world_stand(world, m, q), SN_OK);
        assert_near(dvec_dot(q, normal), 0.2, 1e-9);
        assert_true(q[0] == 0.7 && q[1] == 0.3);
        sn_world_free(world);
    }
    sn_model_free(ball);
}

/* A step from there meets contacts without penetration beyond rounding. */
TEST(a_humanoid_stands_on_slopes_and_height_fields) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    for (int kind = 0; kind < 3; kind++) { /* slope, flat field, hills */
        const sn_world_def def = rows_def();
        sn_world *world = world_of(&def);
        double height[41 * 41];
        for (int i = 0; i < 41 * 41; i++)
            height[i] = kind == 1 ? 0.4 : 0.1 * sin(0.5 * (i % 41)) * cos(0.4 * (i / 41));
        const sn_heightfield_def field = {sizeof(sn_heightfield_def), 41, 41, {8, 8}, {-4, -4, 0}, height};
        const double normal[3] = {-sin(0.2), 0, cos(0.2)}, zero[3] = {0};
        if (kind == 0)
            assert_true(sn_world_add_plane(world, zero, normal, NULL, NULL) >= 0);
        else
            assert_true(sn_world_add_heightfield(world, &field, NULL, NULL) >= 0);
        const int m = member_of(world, human);
        double q[MAX_NQ];
        sn_model_zero_pose(human, q);
        q[0] = 0.37, q[1] = -0.21, q[2] += 2;
        assert_int_equal(sn_world_stand(world, m, q), SN_OK);
        assert_int_equal(sn_world_set_state(world, m, q, NULL), SN_OK);
        step_world(world);
        assert_true(contact_count(world) > 0);
        int count;
        const sn_contact *c = contacts_of(world, &count);
        double least = 1;
        for (int i = 0; i < count; i++)
            least = fmin(least, c[i].gap);
        print_message("  kind %d: smallest gap %.2g mm\n", kind, 1e3 * least);
        assert_near(least, 0, 1e-3);
        if (kind == 1) assert_near(lowest_point(world, m), 0.4, 2e-3);
        sn_world_free(world);
    }
    sn_model_free(human);
}

TEST(the_highest_ground_below_counts) {
    const sn_shape_def shape = sphere_of(0.2, 1), slab = box_of(1, 1, 0.25, 1);
    sn_model *ball = free_body(&shape);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    assert_true(sn_world_add_shape(world, &slab, (const double[3]){0, 0, 0.25}, turn, NULL) >= 0);
    const int m = member_of(world, ball);
    double q[7] = {0, 0, 3, 1, 0, 0, 0};
    assert_int_equal(sn_world_stand(world, m, q), SN_OK);
    assert_near(q[2], 0.7, 1e-6);
    q[0] = 5;
    assert_int_equal(sn_world_stand(world, m, q), SN_OK);
    assert_near(q[2], 0.2, 1e-6);
    assert_int_equal(sn_world_stand(world, m + 1, q), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_stand(world, m, NULL), SN_ERROR_ARGUMENT);
    sn_world_free(world);
    sn_model_free(ball);
}

/* --------------------------------------------------------------------------------------------------- casting */

enum { DEBRIS = 4, GROUND = 8 }; /* groups; the humanoid has the default, 1 */

struct place {
    sn_world *world;
    sn_model *human, *ball;
    int floor, wall, hero, stone;
};

/* A humanoid at x = 0, a ball of radius 0.2 at x = 2, a wall at x = 4, floor. */
static struct place place_of(int copies) {
    sn_world_def def = sn_world_def_default();
    def.copies = copies;
    struct place p = {.world = world_of(&def), .human = sn_builtin_create("humanoid", NULL)};
    sn_shape_def stone = sphere_of(0.2, 1), ground = material_of(1, 0), wall = box_of(0.5, 2, 2, 1);
    stone.group = DEBRIS, ground.group = GROUND, wall.group = GROUND;
    p.ball = free_body(&stone);
    p.floor = floor_of(p.world, &ground);
    p.wall = sn_world_add_shape(p.world, &wall, (const double[3]){4.5, 0, 2}, turn, NULL);
    p.hero = member_of(p.world, p.human);
    p.stone = member_of(p.world, p.ball);
    double q[MAX_NQ];
    stand_humanoid(p.world, p.hero, q);
    put_body(p.world, p.stone, (const double[3]){2, 0, 0.2}, NULL, NULL);
    return p;
}

static void leave(struct place *p) {
    end_scene(p->world, p->human);
    sn_model_free(p->ball);
}

static void in_place(void (*check)(struct place *p)) {
    struct place p = place_of(1);
    check(&p);
    leave(&p);
}

#define TEST_IN_PLACE(sentence)                                                                              \
    static void sentence##_in(struct place *p);                                                              \
    TEST(sentence) {                                                                                         \
        in_place(sentence##_in);                                                                             \
    }                                                                                                        \
    static void sentence##_in(struct place *p)

TEST_IN_PLACE(a_ray_from_above_hits_the_head_before_the_floor) {
    const int head = sn_model_find_body(p->human, "head");
    assert_true(head >= 0);
    double pos[3];
    body_pose(p->world, p->hero, head, pos, NULL);
    const sn_body_info *info = sn_model_body(p->human, head);
    axpy(1, sn_model_get(p->human)->shape[info->first_shape].pos, pos, 2);
    const double from[3] = {pos[0], pos[1], 10}, way[3] = {0, 0, -20};
    sn_hit hit;
    assert_true(sn_world_cast_ray(p->world, 0, from, way, everything, &hit));
    assert_int_equal(hit.member, p->hero);
    assert_int_equal(hit.body, head);
    assert_true(hit.pos[2] > 1 && hit.pos[2] < 2.5);
    assert_near(hit.t, (10 - hit.pos[2]) / 20, 1e-9);
    assert_true(hit.normal[2] > 0.7);
    assert_true(hit.shape >= info->first_shape && hit.shape < info->first_shape + info->nshape);
    /* with ground alone in the mask: the floor */
    assert_true(sn_world_cast_ray(p->world, 0, from, way, GROUND, &hit));
    assert_true(hit.member == -1 && hit.body == p->floor && hit.shape == 0);
    assert_near(hit.t, 0.5, 1e-9);
    assert_near(hit.normal[2], 1, 1e-12);
    assert_false(sn_world_cast_ray(p->world, 0, from, way, DEBRIS, &hit));
    assert_false(sn_world_cast_ray(p->world, 0, from, way, 0, &hit));
    const double away[3] = {0, 0, 20}, short_way[3] = {0, 0, -1};
    assert_false(sn_world_cast_ray(p->world, 0, from, away, everything, &hit));
    assert_false(sn_world_cast_ray(p->world, 0, from, short_way, everything, &hit));
    assert_true(sn_world_cast_ray(p->world, 0, from, way, everything, NULL)); /* a question is enough */
}

TEST_IN_PLACE(rays_name_members_and_ground_and_follow_the_state) {
    sn_hit hit;
    const double from[3] = {1, 0, 0.2}, way[3] = {10, 0, 0};
    assert_true(sn_world_cast_ray(p->world, 0, from, way, everything, &hit));
    assert_true(hit.member == p->stone && hit.body == 0 && hit.shape == 0);
    assert_near(hit.pos[0], 1.8, 1e-9);
    assert_near(hit.t, 0.08, 1e-9);
    assert_near(hit.normal[0], -1, 1e-9);
    assert_true(sn_world_cast_ray(p->world, 0, from, way, GROUND, &hit));
    assert_true(hit.member == -1 && hit.body == p->wall);
    assert_near(hit.pos[0], 4, 1e-9);
    put_body(p->world, p->stone, (const double[3]){3, 0, 0.2}, NULL, NULL); /* moved by hand */
    assert_true(sn_world_cast_ray(p->world, 0, from, way, everything, &hit));
    assert_near(hit.pos[0], 2.8, 1e-9);
    const double speed[6] = {-1, 0, 0, 0, -5, 0}; /* rolls */
    put_body(p->world, p->stone, (const double[3]){3, 0, 0.2}, NULL, speed);
    for (int i = 0; i < 60; i++)
        step_world(p->world);
    double q[7];
    sn_world_get_state(p->world, p->stone, q, NULL);
    assert_true(q[0] < 2.9);
    assert_true(sn_world_cast_ray(p->world, 0, from, way, DEBRIS, &hit));
    assert_near(hit.pos[0], q[0] - 0.2, 1e-3);
    assert_int_equal(sn_world_move(p->world, p->wall, (const double[3]){6.5, 0, 2}, turn, NULL, NULL), SN_OK);
    assert_true(sn_world_cast_ray(p->world, 0, from, way, GROUND, &hit));
    assert_near(hit.pos[0], 6, 1e-9);
    assert_int_equal(sn_world_remove(p->world, p->stone), SN_OK);
    assert_int_equal(sn_world_remove_ground(p->world, p->wall), SN_OK);
    assert_false(sn_world_cast_ray(p->world, 0, from, way, everything, &hit));
}

TEST_IN_PLACE(a_ray_that_starts_inside_meets_at_once) {
    sn_hit hit;
    const double from[3] = {2, 0, 0.2}, way[3] = {0, 5, 0};
    assert_true(sn_world_cast_ray(p->world, 0, from, way, DEBRIS, &hit));
    assert_true(hit.t == 0 && hit.member == p->stone);
}

TEST_IN_PLACE(shapes_are_cast_by_their_surface) {
    sn_hit hit;
    const sn_shape_def shape[3] = {sphere_of(0.1, 1), capsule_of(0.1, 0.1, 1), box_of(0.1, 0.1, 0.1, 1)};
    const double from[3] = {1, 0, 0.25}, way[3] = {10, 0, 0};
    for (int i = 0; i < 3; i++) {
        assert_true(sn_world_cast_shape(p->world, 0, &shape[i], from, turn, way, GROUND, &hit));
        assert_true(hit.member == -1 && hit.body == p->wall);
        assert_near(hit.t, 0.29, 1e-4); /* the wall at 4, less 0.1 */
        assert_true(sn_world_cast_shape(p->world, 0, &shape[i], from, turn, way, DEBRIS, &hit));
        assert_int_equal(hit.member, p->stone);
        assert_true(hit.t > 0.06 && hit.t < 0.075);
        assert_true(sn_world_cast_shape(p->world, 0, &shape[i], from, turn, way, everything, &hit));
        assert_int_equal(hit.member, p->stone);
    }
    /* exact for spheres: |(x - 2, 0.05)| = 0.3 */
    assert_true(sn_world_cast_shape(p->world, 0, &shape[0], from, turn, way, DEBRIS, &hit));
    assert_near(hit.t, (2 - sqrt(0.09 - 0.0025) - 1) / 10, 1e-5);
    /* down to the floor */
    const double above[3] = {1, 0, 3}, down[3] = {0, 0, -4};
    for (int i = 0; i < 3; i++) {
        assert_true(sn_world_cast_shape(p->world, 0, &shape[i], above, turn, down, everything, &hit));
        assert_true(hit.member == -1 && hit.body == p->floor);
        assert_near(hit.t, (3 - (i == 1 ? 0.2 : 0.1)) / 4, 1e-4);
        assert_near(hit.normal[2], 1, 1e-6);
    }
}

TEST_IN_PLACE(overlaps_are_counted_and_named) {
    sn_hit hit[16];
    const sn_shape_def probe = sphere_of(0.3, 1), large = box_of(10, 10, 10, 1);
    int n = sn_world_overlap(p->world, 0, &probe, (const double[3]){2, 0, 0.2}, turn, everything, hit, 16);
    assert_int_equal(n, 2); /* the stone and the floor */
    bool stone = false, floor = false;
    for (int i = 0; i < n; i++) {
        assert_true(hit[i].t == 0);
        stone |= hit[i].member == p->stone;
        floor |= hit[i].member == -1 && hit[i].body == p->floor;
    }
    assert_true(stone && floor);
    assert_int_equal(
        sn_world_overlap(p->world, 0, &probe, (const double[3]){2, 0, 0.2}, turn, DEBRIS, hit, 16), 1);
    assert_int_equal(hit[0].member, p->stone);
    assert_int_equal(
        sn_world_overlap(p->world, 0, &probe, (const double[3]){2, 0, 5}, turn, everything, hit, 16), 0);
    /* all shapes of the humanoid, the stone, the wall, the floor: told even where there is no room */
    const int all = sn_model_get(p->human)->nshape + 3;
    n = sn_world_overlap(p->world, 0, &large, (const double[3]){0, 0, 1}, turn, everything, hit, 1);
    assert_int_equal(n, all);
    assert_int_equal(
        sn_world_overlap(p->world, 0, &large, (const double[3]){0, 0, 1}, turn, everything, NULL, 0), all);
    assert_int_equal(sn_world_set_active(p->world, p->stone, false), SN_OK); /* touches nothing */
    assert_int_equal(
        sn_world_overlap(p->world, 0, &probe, (const double[3]){2, 0, 0.2}, turn, DEBRIS, hit, 16), 0);
}

TEST(each_copy_is_asked_on_its_own) {
    enum { COPIES = 5 };
    struct place p = place_of(COPIES);
    for (int k = 0; k < COPIES; k++) {
        const double q[7] = {2 + 0.2 * k, 0, 0.2, 1, 0, 0, 0};
        assert_int_equal(sn_world_set(p.world, p.stone, SN_FIELD_Q, k, 1, q), SN_OK);
    }
    const double from[3] = {1, 0, 0.2}, way[3] = {10, 0, 0};
    sn_hit hit;
    for (int k = 0; k < COPIES; k++) {
        assert_true(sn_world_cast_ray(p.world, k, from, way, everything, &hit));
        assert_near(hit.pos[0], 1.8 + 0.2 * k, 1e-9);
    }
    assert_false(sn_world_cast_ray(p.world, COPIES, from, way, everything, &hit));
    assert_false(sn_world_cast_ray(p.world, -1, from, way, everything, &hit));
    leave(&p);
}

int main(void) {
    return run_all("world queries");
}
