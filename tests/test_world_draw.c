/* A world drawn through functions of the test: what is drawn is where geometry says. */
#include "world_helpers.h"

enum { MOST = 4096 };

struct page {
    int nline, nshape, ntext;
    double line[MOST][2][3];
    uint32_t color[MOST];
    sn_shape_def shape;
    double pos[3], rot[4];
    char text[64][16];
    double at[64][3];
    bool takes; /* draws shapes itself */
};

static void take_line(void *user, const double from[3], const double to[3], uint32_t color) {
    struct page *page = user;
    assert_true(page->nline < MOST);
    for (int k = 0; k < 3; k++) {
        assert_true(isfinite(from[k]) && isfinite(to[k]));
        page->line[page->nline][0][k] = from[k], page->line[page->nline][1][k] = to[k];
    }
    page->color[page->nline++] = color;
}

static bool take_shape(void *user, const sn_shape_def *shape, const double pos[3], const double rot[4],
                       uint32_t color) {
    struct page *page = user;
    (void)color;
    page->nshape++;
    page->shape = *shape;
    memcpy(page->pos, pos, sizeof page->pos);
    memcpy(page->rot, rot, sizeof page->rot);
    return page->takes;
}

static void take_text(void *user, const double pos[3], const char *text, uint32_t color) {
    struct page *page = user;
    (void)color;
    assert_true(page->ntext < 64);
    memcpy(page->at[page->ntext], pos, sizeof page->at[0]);
    snprintf(page->text[page->ntext++], sizeof page->text[0], "%s", text);
}

static struct page *page_of(sn_world *world, unsigned what, bool takes) {
    struct page *page = calloc(1, sizeof *page);
    page->takes = takes;
    const sn_drawer drawer = {
        .user = page, .line = take_line, .shape = take_shape, .text = take_text, .size = 0.25, .force = 0.01};
    assert_int_equal(sn_world_draw(world, 0, what, &drawer), SN_OK);
    return page;
}

static double length_of(const struct page *page, int i) {
    const double *a = page->line[i][0], *b = page->line[i][1];
    return sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + (b[2] - a[2]) * (b[2] - a[2]));
}

/* Twelve edges, four of each length, all around the middle. */
TEST(a_box_is_drawn_by_its_twelve_edges) {
    sn_world_def def = sn_world_def_default();
    sn_model *model = body_of(box_of(0.1, 0.2, 0.3, 1));
    sn_world *world = world_of(&def);
    double rot[4], sum[3] = {0, 0, 0};
    turn_about((const double[3]){1, 2, 3}, 0.7, rot);
    put_body(world, member_of(world, model), (const double[3]){1, 2, 3}, rot, NULL);
    struct page *page = page_of(world, SN_DRAW_SHAPES, false);
    assert_int_equal(page->nshape, 1);
    assert_int_equal(page->nline, 12);
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 3; k++) {
            count[k] += fabs(length_of(page, i) - 0.2 * (k + 1)) < 1e-12;
            sum[k] += (page->line[i][0][k] + page->line[i][1][k]) / 24;
        }
        for (int e = 0; e < 2; e++) { /* each end is a corner */
            const double d[3] = {page->line[i][e][0] - 1, page->line[i][e][1] - 2, page->line[i][e][2] - 3};
            assert_near(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), sqrt(0.01 + 0.04 + 0.09), 1e-12);
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(count[k], 4);
        assert_near(sum[k], k + 1, 1e-12);
    }
    free(page);
    page = page_of(world, SN_DRAW_SHAPES, true); /* the test draws it itself */
    assert_int_equal(page->nline, 0);
    assert_int_equal(page->shape.type, SN_SHAPE_BOX);
    for (int k = 0; k < 3; k++)
        assert_near(page->pos[k], k + 1, 1e-12);
    for (int k = 0; k < 4; k++)
        assert_near(page->rot[k], rot[k], 1e-12);
    free(page);
    end_scene(world, model);
}

/* Points of each outline are on the surface, as far as that is easily said: at most as far from the axis as the radius. */
TEST(outlines_stay_on_their_shapes) {
    const sn_shape_type type[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_CYLINDER, SN_SHAPE_CONE,
                                  SN_SHAPE_ELLIPSOID};
    for (int i = 0; i < COUNT(type); i++) {
        sn_world_def def = sn_world_def_default();
        sn_shape_def shape = sn_shape_def_default(type[i]);
        shape.size[0] = 0.3, shape.size[1] = 0.4, shape.size[2] = 0.5;
        sn_model *model = body_of(shape);
        sn_world *world = world_of(&def);
        put_body(world, member_of(world, model), (const double[3]){0, 0, 0}, NULL, NULL);
        struct page *page = page_of(world, SN_DRAW_SHAPES, false);
        double most = 0, high = 0;
        assert_true(page->nline > 20);
        for (int k = 0; k < page->nline; k++) {
            most = fmax(most, hypot(page->line[k][0][0], page->line[k][0][1]));
            high = fmax(high, fabs(page->line[k][0][2]));
        }
        const double tall[] = {0.3, 0.7, 0.4, 0.4, 0.5}, wide[] = {0.3, 0.3, 0.3, 0.3, 0.4};
        assert_near(most, wide[i], 1e-9);
        assert_near(high, tall[i], 1e-9);
        free(page);
        end_scene(world, model);
    }
}

/* What contacts are drawn with carries the box. */
TEST(arrows_of_contacts_add_up_to_the_weight) {
    sn_world_def def = sn_world_def_default();
    sn_model *model = body_of(box_of(0.1, 0.1, 0.1, 2));
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    put_body(world, member_of(world, model), (const double[3]){0, 0, 0.1}, NULL, NULL);
    run_for(world, 1, def.dt);
    struct page *page = page_of(world, SN_DRAW_FORCES, false);
    assert_int_equal(page->nline, 4);
    assert_int_equal(page->ntext, 4);
    double up = 0;
    for (int i = 0; i < 4; i++)
        up += (page->line[i][1][2] - page->line[i][0][2]) / 0.01;
    assert_near(up, 2 * 9.81, 0.05);
    assert_string_equal(page->text[0], "5 N");
    free(page);
    page = page_of(world, SN_DRAW_CONTACTS, false); /* three lines of a cross, and the normal */
    assert_int_equal(page->nline, 16);
    for (int i = 3; i < 16; i += 4) {
        assert_near(length_of(page, i), 0.25, 1e-9);
        assert_near(page->line[i][1][2] - page->line[i][0][2], 0.25, 1e-6);
    }
    free(page);
    end_scene(world, model);
}

/* A hinge within half a radian: the arc has that angle, and the line of where it is turns with it. */
TEST(the_arc_of_a_hinge_is_its_range) {
    sn_world_def def = sn_world_def_default();
    sn_model *model = limited_arm();
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    const sn_joint_def *joint = &sn_model_body(model, 0)->joint;
    for (double q = -0.3; q < 0.4; q += 0.3) {
        assert_int_equal(sn_world_set_state(world, member, &q, NULL), SN_OK);
        struct page *page = page_of(world, SN_DRAW_LIMITS, false);
        double arc = 0;
        assert_true(page->nline > 2);
        for (int i = 1; i < page->nline; i++)
            arc += 2 * asin(length_of(page, i) / 2 / 0.25);
        assert_near(arc, joint->upper[0] - joint->lower[0], 1e-9);
        /* from the first end of the arc to the line of now is q - lower */
        double dot = 0;
        for (int k = 0; k < 3; k++)
            dot += (page->line[0][1][k] - page->line[0][0][k]) * (page->line[1][0][k] - page->line[0][0][k]);
        assert_near(acos(dot / 0.0625), q - joint->lower[0], 1e-6);
        free(page);
    }
    end_scene(world, model);
}

/* Everything at once is the sum of its parts; nothing is nothing. */
TEST(flags_choose_what_is_drawn) {
    sn_world_def def = sn_world_def_default();
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = world_of(&def);
    double q[MAX_NQ];
    const int member = member_of(world, model);
    floor_of(world, NULL);
    sn_shape_def door = box_of(0.1, 1, 1, 1);
    door.trigger = true;
    sn_world_add_shape(world, &door, (const double[3]){2, 0, 1}, (const double[4]){1, 0, 0, 0}, NULL);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    pin.member = member, pin.body = 3;
    stand_humanoid(world, member, q);
    assert_true(sn_world_add_constraint(world, &pin, NULL) != 0);
    step_world(world);
    int lines = 0, texts = 0;
    for (unsigned flag = 1; flag < SN_DRAW_ALL; flag <<= 1) {
        struct page *page = page_of(world, flag, true);
        assert_true(page->nline + page->nshape + page->ntext > 0);
        lines += page->nline, texts += page->ntext;
        free(page);
    }
    struct page *all = page_of(world, SN_DRAW_ALL, true), *none = page_of(world, 0, true);
    assert_int_equal(all->nline, lines);
    assert_int_equal(all->ntext, texts);
    assert_int_equal(all->nshape, sn_model_get(model)->nshape + 1);
    assert_int_equal(none->nline + none->ntext + none->nshape, 0);
    free(all), free(none);
    const uint64_t hash = sn_world_hash(world); /* looking changes nothing, and no function need be there */
    assert_int_equal(sn_world_draw(world, 0, SN_DRAW_ALL, &(sn_drawer){.size = 0}), SN_OK);
    assert_true(sn_world_hash(world) == hash);
    assert_int_equal(sn_world_draw(world, 1, SN_DRAW_ALL, &(sn_drawer){.size = 0}), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_draw(world, 0, SN_DRAW_ALL, NULL), SN_ERROR_ARGUMENT);
    end_scene(world, model);
}

TEST(meshes_and_height_fields_are_drawn_by_their_edges) {
    static const double height[6] = {0, 1, 2, 3, 4, 5};
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_world_add_heightfield(
        world, &(sn_heightfield_def){sizeof(sn_heightfield_def), 3, 2, {2, 1}, {0, 0, 0}, height}, NULL,
        NULL);
    struct page *page = page_of(world, SN_DRAW_GROUND, false);
    assert_int_equal(page->nline, 2 * 2 + 3);
    free(page);
    sn_world_remove_ground(world, 0);
    sn_world_add_mesh(world, &(sn_mesh_def){sizeof(sn_mesh_def), 4, 2, corner, triangle}, NULL, NULL);
    page = page_of(world, SN_DRAW_GROUND, false);
    assert_int_equal(page->nline, 5); /* the edge between the two comes once */
    free(page);
    sn_world_free(world);
}

int main(void) {
    return run_all("world_draw");
}
