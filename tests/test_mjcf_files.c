/* The MJCF reader and the files that files name: includes and meshes. */
#include "mjcf_helpers.h"
#include "room.h"

/* ------------------------------------------------------------------------------------------------- files */

static const char *const files[] = {"main.xml", "part.xml", "loop.xml",  "bad.xml",  "t.stl",
                                    "t.obj",    "text.stl", "short.stl", "main.msh", NULL};

static int remove_folder(void **state) {
    remove_names(files);
    return leave_room(state);
}

static sn_model *read_in_folder(const char *text, bool allow_missing_mesh) {
    return read_as(text, in_room("main.xml"), allow_missing_mesh);
}

static void refused_in_folder(const char *text, const char *message) {
    assert_null(read_in_folder(text, false));
    if (!strstr(error.message, message)) fail_msg("'%s' does not say '%s'", error.message, message);
}

TEST(included_files_stand_where_they_are_included) {
    write_text("part.xml", "<mujocoinclude><body name='b'><joint/>" BALL
                           "</body>\n<body name='c'><joint/>" BALL "</body></mujocoinclude>");
    write_text("loop.xml", "<mujoco><compiler angle='radian'/><include file='main.xml'/></mujoco>");
    write_text("bad.xml", "<mujoco><body>\n<joint axis='1 0'/></body></mujoco>");
    sn_model *model = read_in_folder("<mujoco><worldbody><body name='a'><joint/>" BALL
                                     "<include file='part.xml'/><body name='d'><joint/>" BALL "</body></body>"
                                     "</worldbody></mujoco>",
                                     false);
    if (!model) fail_msg("%s", error.message);
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(sn_model_body(model, i)->name, names[i]);
    assert_int_equal(sn_model_body(model, 3)->parent, 0);
    sn_model_free(model);

    refused_in_folder("<mujoco>\n<include file='loop.xml'/></mujoco>",
                      "loop.xml:1: <include> 'main.xml' includes itself");
    refused_in_folder("<mujoco>\n<include file='none.xml'/></mujoco>", "main.xml:2: <include> ");
    refused_in_folder("<mujoco>\n<include file='none.xml'/></mujoco>", "none.xml: cannot be read");
    refused_in_folder("<mujoco>\n<include/></mujoco>", "main.xml:2: <include> attribute 'file': is missing");
    refused_in_folder("<mujoco>\n<include file='.'/></mujoco>", "'.' is not a file");
    refused_in_folder("<mujoco><worldbody><include file='bad.xml'/></worldbody></mujoco>",
                      "bad.xml:2: <joint> attribute 'axis': has 2 numbers, needs 3");
}

/* A cube of side 2 about 1 1 1, twelve triangles outwards. */
static const char cube_obj[] =
    "# cube\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
    "f 4 3 2 1\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\nf 2 3 7 6\nf 3 4 8 7\n"
    "f -5 -8 -4 -1\n";

static void write_cube(void) {
    static const float v[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    static const int quad[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    char stl[84 + 12 * 50] = {0}, text[4096] = "solid cube\n";
    uint32_t count = 12, header[4] = {8, 0, 0, 12};
    char msh[16 + 8 * 12 + 12 * 12];
    memcpy(stl + 80, &count, 4);
    memcpy(msh, header, 16);
    memcpy(msh + 16, v, sizeof v);
    for (int t = 0; t < 12; t++) {
        int corner[3] = {quad[t / 2][0], quad[t / 2][1 + t % 2], quad[t / 2][2 + t % 2]};
        memcpy(msh + 16 + sizeof v + 12 * t, corner, 12);
        for (int k = 0; k < 3; k++) {
            memcpy(stl + 84 + 50 * t + 12 + 12 * k, v[corner[k]], 12);
            snprintf(text + strlen(text), sizeof text - strlen(text), "  vertex %g %g %g\n",
                     (double)v[corner[k]][0], (double)v[corner[k]][1], (double)v[corner[k]][2]);
        }
    }
    write_in_room("t.stl", stl, sizeof stl);
    write_in_room("short.stl", stl, 300);
    write_in_room("main.msh", msh, sizeof msh);
    write_text("text.stl", text);
    write_text("t.obj", cube_obj);
}

TEST(meshes_give_mass_and_inertia) {
    static const char *const mesh[] = {"file='t.stl'",
                                       "file='t.obj'",
                                       "file='text.stl'",
                                       "file='main.msh'",
                                       "file='t.obj' inertia='exact'",
                                       "vertex='0 0 0 2 0 0 0 2 0 0 0 2' face='0 2 1 0 1 3 1 2 3 2 0 3'"};
    write_cube();
    for (int i = 0; i < COUNT(mesh); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><asset><mesh name='m' %s/></asset><worldbody><body name='a'><joint/>"
                 "<geom type='mesh' mesh='m' density='3' pos='10 0 0'/></body></worldbody></mujoco>",
                 mesh[i]);
        sn_model *model = read_in_folder(text, false);
        if (!model) fail_msg("%s", error.message);
        const sn_body_info *a = body_of(model, "a");
        if (i < 5) {
            assert_near(a->mass, 24, 1e-12);
            assert_near_n(a->com, VECTOR(11, 1, 1), 3, 1e-12);
            assert_near_n(a->inertia, VECTOR(16, 16, 16, 0, 0, 0), 6, 1e-12);
        } else { /* a corner of that cube: m/80 (b^2 + c^2) 3, products m b c / 80 */
            assert_near(a->mass, 4, 1e-12);
            assert_near_n(a->com, VECTOR(10.5, .5, .5), 3, 1e-12);
            assert_near_n(a->inertia, VECTOR(1.2, 1.2, 1.2, .2, .2, .2), 6, 1e-12);
        }
        sn_model_free(model);
    }
}

TEST(meshes_are_moved_scaled_and_fitted) {
    write_cube();
    sn_model *model = read_in_folder(
        "<mujoco><compiler meshdir='.'/><default><mesh scale='1 1 2'/></default><asset>"
        "<mesh file='t.stl' refpos='1 1 1'/><mesh name='mirror' file='t.obj' scale='-1 1 1' inertia='exact'/>"
        "<mesh name='skin' file='t.obj' scale='1 1 1' inertia='shell'/></asset><worldbody>"
        "<body name='a'><joint/><geom type='mesh' mesh='t' mass='6'/></body>"
        "<body name='b'><joint/><geom type='mesh' mesh='mirror' density='1'/></body>"
        "<body name='c'><joint/><geom type='box' mesh='t' density='1'/></body>"
        "<body name='d'><joint/><geom type='mesh' mesh='skin' density='1'/></body></worldbody></mujoco>",
        false);
    if (!model) fail_msg("%s", error.message);
    const sn_body_info *a = body_of(model, "a"), *b = body_of(model, "b"), *c = body_of(model, "c");
    assert_near_n(a->com, VECTOR(0, 0, 0), 3, 1e-12);
    assert_near_n(a->inertia, VECTOR(10, 10, 4, 0, 0, 0), 6, 1e-12);
    assert_near(b->mass, 8, 1e-12);
    assert_near_n(b->com, VECTOR(-1, 1, 1), 3, 1e-12);
    assert_near(c->mass, 16, 1e-12);
    const sn_shape_def *box = (&sn_model_get(model)->shape[c->first_shape]),
                       *hull = (&sn_model_get(model)->shape[a->first_shape]);
    assert_int_equal(hull->type, SN_SHAPE_HULL);
    assert_near(sn_hull_get(hull->hull)->volume, 16, 1e-12);
    assert_int_equal(sn_hull_get(hull->hull)->nface, 6);
    assert_near_n(sn_hull_get(sn_model_get(model)->shape[b->first_shape].hull)->centre, VECTOR(-1, 1, 1), 3,
                  1e-12);
    assert_near_n(box->size, VECTOR(1, 1, 2), 3, 1e-12);
    assert_near(body_of(model, "d")->mass, 24, 1e-12);
    /* Two faces with 4 (1/3 + 1/3), four with 4 (1/3 + 1). */
    assert_near(body_of(model, "d")->inertia[0], 80.0 / 3, 1e-11);
    sn_model_free(model);
}

TEST(a_missing_mesh_is_an_error_a_warning_or_nothing) {
    write_cube();
    const char *needed =
        "<mujoco><asset>\n<mesh name='m' file='none.stl'/></asset><worldbody><body><joint/>" BALL
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>";
    refused_in_folder(needed,
                      "main.xml:2: <geom> attribute 'mesh': its body has its mass from this mesh, but ");
    assert_int_equal(error.status, SN_ERROR_FILE);
    sn_model *model = read_in_folder(needed, true);
    assert_non_null(model);
    assert_non_null(strstr(warnings, "<geom> is left out: "));
    sn_model_free(model);

    model =
        read_in_folder("<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody><body><joint/>"
                       "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                       "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/></body></worldbody></mujoco>",
                       false);
    assert_non_null(model);
    assert_int_equal(nwarning, 0);
    sn_model_free(model);

    const char *pattern = "<mujoco><asset><mesh name='m' %s/></asset><worldbody><body><joint/>"
                          "<geom type='mesh' mesh='%s'/></body></worldbody></mujoco>";
    static const struct {
        const char *asset, *mesh, *message;
    } wrong[] = {
        {"file='short.stl'", "m", "the STL file does not have the size it should"},
        {"file='t.stl'", "n", "attribute 'mesh': there is no mesh 'n'"},
        {"file='.'", "m", "is not a file"},
        {"file='main.xml'", "m", "main.xml: "},
        {"vertex='0 0 0 1 0 0 0 1 0'", "m", "there are no faces"},
        {"vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'", "m", "the faces are not threes of vertices"},
        {"vertex='0 0 0 1 0 0 0 1'", "m", "the vertices are not threes of numbers"},
        {"vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'", "m", "encloses nothing"},
        {"", "m", "attribute 'file': is missing"},
        {"file='t.stl' refquat='0 0 0 0'", "m", "attribute 'refquat': is zero"},
    };
    write_text("main.xml", "<mujoco/>");
    for (int i = 0; i < COUNT(wrong); i++) {
        char text[512];
        snprintf(text, sizeof text, pattern, wrong[i].asset, wrong[i].mesh);
        refused_in_folder(text, wrong[i].message);
    }
}

int main(void) {
    return run_all_each("mjcf files", make_room, remove_folder);
}
