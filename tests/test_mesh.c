/* Meshes of files: STL, both kinds, and OBJ, as MJCF and URDF name them; damaged ones; and a robot made of meshes alone,
 * which weighs what it should, stands, is recorded and comes out as glTF. */
#include "file_helpers.h"
#include "room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "import/mesh.h"

/* --------------------------------------------------------------------------------------------------- files */

static const char *const files[] = {"robot.xml", "robot.urdf", "run.json", "run.glb",  "arm/meshes/foot.stl",
                                    "foot.stl",  "trunk.stl",  "leg.obj",  "ball.stl", "model.json",
                                    "model.xml", NULL};

static int remove_folder(void **state) {
    (void)state;
    remove_names(files);
    rmdir(in_room("arm/meshes")), rmdir(in_room("arm/urdf")), rmdir(in_room("arm"));
    return rmdir(room);
}

/* A box about a centre as twelve triangles, outwards. */
static void box_triangles(const double half[3], const double centre[3], double out[12][3][3]) {
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++) {
            const int corner = quad[t / 2][c == 0 ? 0 : c + t % 2];
            for (int k = 0; k < 3; k++)
                out[t][c][k] = centre[k] + (corner >> k & 1 ? half[k] : -half[k]);
        }
}

static size_t stl_binary(const double (*triangle)[3][3], int n, char *out) {
    const uint32_t count = (uint32_t)n;
    memset(out, ' ', 80);
    memcpy(out + 80, &count, 4);
    for (int t = 0; t < n; t++) {
        char *at = out + 84 + 50 * t;
        memset(at, 0, 50);
        for (int i = 0; i < 9; i++) {
            const float x = (float)triangle[t][i / 3][i % 3];
            memcpy(at + 12 + 4 * i, &x, 4);
        }
    }
    return 84 + 50 * (size_t)n;
}

static size_t stl_text(const double (*triangle)[3][3], int n, char *out) {
    size_t used = (size_t)sprintf(out, "solid thing\n");
    for (int t = 0; t < n; t++) {
        used += (size_t)sprintf(out + used, " facet normal 0 0 0\n  outer loop\n");
        for (int c = 0; c < 3; c++)
            used += (size_t)sprintf(out + used, "   vertex %.17g %.17g %.17g\n", triangle[t][c][0],
                                    triangle[t][c][1], triangle[t][c][2]);
        used += (size_t)sprintf(out + used, "  endloop\n endfacet\n");
    }
    return used + (size_t)sprintf(out + used, "endsolid thing\n");
}

static size_t obj_text(const double (*triangle)[3][3], int n, char *out) {
    size_t used = 0;
    for (int t = 0; t < n; t++)
        for (int c = 0; c < 3; c++)
            used += (size_t)sprintf(out + used, "v %.17g %.17g %.17g\n", triangle[t][c][0], triangle[t][c][1],
                                    triangle[t][c][2]);
    for (int t = 0; t < n; t++)
        used += (size_t)sprintf(out + used, "f %d %d/1 %d//1\n", 3 * t + 1, 3 * t + 2, 3 * t + 3);
    return used;
}

static void write_box(const char *name, double x, double y, double z, const double centre[3]) {
    double triangle[12][3][3];
    char text[16 * 1024];
    box_triangles((double[]){x, y, z}, centre, triangle);
    const double(*t)[3][3] = (const double(*)[3][3])triangle;
    const size_t size = strstr(name, ".obj")    ? obj_text(t, 12, text)
                        : strstr(name, "trunk") ? stl_text(t, 12, text)
                                                : stl_binary(t, 12, text);
    write_in_room(name, text, size);
}

/* -------------------------------------------------------------------------------------------- mass and hull */

/* A convex mesh: random points of a sphere, and their hull's triangles. By both ways over pyramids it weighs the same
   as its hull. */
TEST(a_convex_mesh_weighs_what_its_hull_weighs) {
    uint64_t seed = 3;
    for (int trial = 0; trial < 50; trial++) {
        struct sn__mesh_file *mesh = calloc(1, sizeof *mesh);
        assert_non_null(mesh);
        for (int i = 0; i < 60; i++) {
            double p[3], l = 0;
            for (int k = 0; k < 3; k++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                p[k] = (double)(seed >> 11) * 0x1p-53 - 0.5, l += p[k] * p[k];
            }
            for (int k = 0; k < 3; k++)
                p[k] = (k + 1) * p[k] / sqrt(l) + 5 * trial;
            assert_true(sn__mesh_add_vertex(mesh, p));
        }
        assert_true(sn__mesh_close(mesh, NULL));
        sn_hull *hull = sn__mesh_hull(mesh, 0, NULL);
        assert_non_null(hull);
        const sn_hull_info *h = sn_hull_get(hull);
        struct inertia solid, all;
        assert_true(sn__mesh_inertia(mesh, SN__MESH_SOLID, &solid));
        assert_true(sn__mesh_inertia(mesh, SN__MESH_ABSOLUTE, &all));
        const struct inertia *both[2] = {&solid, &all};
        for (int i = 0; i < 2; i++) {
            assert_near(both[i]->mass / h->volume, 1, 1e-9);
            assert_near_n(both[i]->com, h->centre, 3, 1e-9);
            assert_near_n(both[i]->J, h->inertia, 6, 1e-9 * (h->inertia[0] + h->inertia[1] + h->inertia[2]));
        }
        sn_hull_free(hull);
        sn__mesh_file_free(mesh);
    }
}

/* Every prefix of a file, and every byte of its head changed, is read or refused with a message. */
static struct inertia weigh_obj(const char *text, enum sn__mesh_fill fill) {
    sn_error error = {.status = SN_OK};
    struct sn__mesh_file *mesh = sn__mesh_parse("a.obj", text, strlen(text), &error);
    if (!mesh) fail_msg("%s", error.message);
    struct inertia inertia;
    assert_true(sn__mesh_inertia(mesh, fill, &inertia));
    sn__mesh_file_free(mesh);
    return inertia;
}

/* A cube of side 1 with one corner of its lid pulled up: the lid is cut along its shorter diagonal, which leaves that corner
   a triangle of its own, whichever corner of the lid the file names first. */
TEST(faces_of_four_corners_are_cut_along_the_shorter_diagonal) {
    static const char *const lid[4] = {"5 6 8 7", "6 8 7 5", "8 7 5 6", "7 5 6 8"};
    const double raised = 0.3;
    for (int i = 0; i < 4; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 %g\n"
                 "f 1 3 4 2\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\nf %s\n",
                 1 + raised, lid[i]);
        assert_true(fabs(weigh_obj(text, SN__MESH_SOLID).mass - (1 + raised / 6)) < 1e-12);
    }
}

/* A cross of five cubes, whose two largest faces have twelve corners, four of which point inwards. Seen from its middle no
   face hides another, so that both ways over pyramids give the volume, if no two triangles overlap. */
TEST(faces_that_are_not_convex_are_cut_into_triangles_that_do_not_overlap) {
    static const double corner[12][2] = {{-3, -1}, {-1, -1}, {-1, -3}, {1, -3}, {1, -1}, {3, -1},
                                         {3, 1},   {1, 1},   {1, 3},   {-1, 3}, {-1, 1}, {-3, 1}};
    for (int first = 0; first < 12; first++) {
        char text[1200];
        size_t used = 0;
        for (int i = 0; i < 24; i++)
            used += (size_t)sprintf(text + used, "v %g %g %d\n", corner[i % 12][0], corner[i % 12][1],
                                    i < 12 ? -1 : 1);
        for (int side = 0; side < 2; side++) {
            used += (size_t)sprintf(text + used, "f");
            for (int i = 0; i < 12; i++)
                used += (size_t)sprintf(text + used, " %d",
                                        side ? 13 + (first + i) % 12 : 1 + (first + 12 - i) % 12);
            used += (size_t)sprintf(text + used, "\n");
        }
        for (int i = 0; i < 12; i++)
            used += (size_t)sprintf(text + used, "f %d %d %d %d\n", 1 + i, 1 + (i + 1) % 12,
                                    13 + (i + 1) % 12, 13 + i);
        assert_true(fabs(weigh_obj(text, SN__MESH_SOLID).mass - 40) < 1e-12);
        assert_true(fabs(weigh_obj(text, SN__MESH_ABSOLUTE).mass - 40) < 1e-12);
    }
}

/* As in MuJoCo: the second object adds vertices, which count for the hull, but no mass. */
TEST(only_the_first_object_of_a_file_is_weighed) {
    static const char text[] = "o empty\no first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                               "o second\nv 5 5 5\nv 6 5 5\nv 5 6 5\nv 5 5 6\n"
                               "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
    assert_true(fabs(weigh_obj(text, SN__MESH_SOLID).mass - 1. / 6) < 1e-12);
    struct sn__mesh_file *mesh = sn__mesh_parse("a.obj", text, strlen(text), NULL);
    assert_non_null(mesh);
    assert_int_equal(mesh->nvertex, 8);
    sn__mesh_file_free(mesh);
}

TEST(damaged_files_are_refused_or_read) {
    double triangle[12][3][3];
    char text[3][16 * 1024];
    const char *const name[3] = {"a.stl", "b.stl", "c.obj"};
    box_triangles((double[]){1, 1, 1}, (double[]){0, 0, 0}, triangle);
    const double(*t)[3][3] = (const double(*)[3][3])triangle;
    const size_t size[3] = {stl_binary(t, 12, text[0]), stl_text(t, 12, text[1]), obj_text(t, 12, text[2])};
    int refused = 0, taken = 0;
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < size[kind] + 600; i++) {
            char copy[16 * 1024 + 1];
            sn_error error = {.status = SN_OK};
            memcpy(copy, text[kind], size[kind]);
            const size_t length = i < size[kind] ? i : size[kind];
            if (i >= size[kind]) copy[i - size[kind]] = (char)(37 * i);
            copy[length] = '\0';
            struct sn__mesh_file *mesh = sn__mesh_parse(name[kind], copy, length, &error);
            assert_true(mesh != NULL || (error.status == SN_ERROR_FORMAT && error.message[0]));
            sn_hull *hull = mesh ? sn__mesh_hull(mesh, SN__MESH_HULL, &error) : NULL;
            assert_true(hull != NULL || error.status != SN_OK);
            *(hull ? &taken : &refused) += 1;
            sn_hull_free(hull);
            sn__mesh_file_free(mesh);
        }
    assert_true(taken > 100 && refused > 1000);
}

/* ------------------------------------------------------------------------------------------------------- robots */

static void write_parts(void) {
    write_box("trunk.stl", 0.2, 0.15, 0.1, (double[]){0, 0, 0});
    write_box("leg.obj", 0.03, 0.03, 0.15, (double[]){0, 0, -0.15});
    write_box("foot.stl", 80, 40, 15, (double[]){20, 0, -15}); /* millimetres */
}

static const char robot_xml[] =
    "<mujoco><asset><mesh file='trunk.stl'/><mesh file='leg.obj'/><mesh name='sole' file='foot.stl' "
    "scale='.001 .001 .001'/>"
    "</asset><worldbody><body name='trunk' pos='0 0 1'><freejoint/><geom type='mesh' mesh='trunk' "
    "density='400'/>"
    "<body name='l' pos='0 .1 -.1'><joint name='lj' axis='0 1 0'/><geom type='mesh' mesh='leg'/>"
    "<body name='lf' pos='0 0 -.3'><joint name='la' axis='0 1 0'/><geom type='mesh' "
    "mesh='sole'/></body></body>"
    "<body name='r' pos='0 -.1 -.1'><joint name='rj' axis='0 1 0'/><geom type='mesh' mesh='leg'/>"
    "<body name='rf' pos='0 0 -.3'><joint name='ra' axis='0 1 0'/><geom type='mesh' "
    "mesh='sole'/></body></body>"
    "</body></worldbody></mujoco>";

static sn_model *load(const char *name, struct warnings *warnings) {
    sn_error error;
    const sn_load_def options = options_with(warnings);
    sn_model *model = sn_model_load(in_room(name), &options, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

/* Stands for three seconds under drives, on a plane or on a slab; how far its trunk has moved. */
static double stands(const sn_model *model, sn_contact_method contact, int precision, sn_recorder **record) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 120, def.contact = contact,
    def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    sn_world *world = sn_world_create(&def, NULL);
    assert_non_null(world);
    const int it = sn_world_add(world, model, NULL);
    assert_true(sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL) >= 0);
    double q[32], now[32], kp[32], kd[32];
    sn_model_home_pose(model, q);
    assert_int_equal(sn_world_stand(world, it, q), SN_OK);
    assert_near(q[2], 0.43, 1e-6); /* half the trunk, leg and sole: 0.1 + 0.3 + 0.03 */
    sn_gains_uniform(model, 0, 0, 400, 20, kp, kd);
    sn_world_set_gains(world, it, kp, kd);
    sn_world_set_state(world, it, q, NULL);
    sn_world_set_target(world, it, q, NULL);
    const sn_recorder_def record_def = sn_recorder_def_default();
    if (record) assert_non_null(*record = sn_recorder_create(world, &record_def, NULL));
    for (int i = 0; i < 360; i++) {
        assert_int_equal(sn_world_step(world), SN_OK);
        if (record) assert_int_equal(sn_recorder_take(*record, sn_world_time(world)), SN_OK);
    }
    sn_world_get_state(world, it, now, NULL);
    sn_world_free(world);
    return sqrt((now[0] - q[0]) * (now[0] - q[0]) + (now[1] - q[1]) * (now[1] - q[1]) +
                (now[2] - q[2]) * (now[2] - q[2]));
}

TEST(a_robot_of_meshes_weighs_and_stands) {
    struct warnings warnings;
    write_parts();
    write_in_room("robot.xml", robot_xml, sizeof robot_xml - 1);
    sn_model *model = load("robot.xml", &warnings);
    if (warnings.count) fail_msg("%s", warnings.text);
    assert_int_equal(sn_model_get(model)->nshape, 5);
    assert_near(body_of(model, "trunk")->mass, 400 * 0.4 * 0.3 * 0.2, 1e-5);
    assert_near(body_of(model, "l")->mass, 1000 * 0.06 * 0.06 * 0.3, 1e-9);
    assert_near_n(body_of(model, "l")->com, (double[]){0, 0, -0.15}, 3, 1e-12);
    assert_near(body_of(model, "lf")->mass, 1000 * 0.16 * 0.08 * 0.03, 1e-6);
    for (int contact = SN_CONTACT_IMPLICIT; contact <= SN_CONTACT_ROWS; contact++)
        for (int precision = 0; precision < 2; precision++) {
            const double moved = stands(model, (sn_contact_method)contact, precision, NULL);
            if (getenv("SINEW_VERBOSE")) printf("moved %.4f m\n", moved);
            assert_true(moved < 0.02);
        }
    sn_model_free(model);
}

/* package:// beside the file or in a folder above it, scale, mass without inertia; a file that is not there is reported. */
TEST(urdf_finds_its_meshes) {
    struct warnings warnings;
    write_parts();
    mkdir(in_room("arm"), 0700), mkdir(in_room("arm/meshes"), 0700), mkdir(in_room("arm/urdf"), 0700);
    write_box("arm/meshes/foot.stl", 80, 40, 15, (double[]){20, 0, -15});
    static const char urdf[] =
        "<robot name='r'><link name='base'><inertial><mass value='2'/></inertial>"
        "<collision><origin xyz='0 0 1'/><geometry><mesh filename='package://arm/meshes/foot.stl' "
        "scale='.001 .001 .002'/>"
        "</geometry></collision>"
        "<collision><geometry><mesh filename='leg.obj'/></geometry></collision>"
        "<collision><geometry><mesh filename='%s'/></geometry></collision></link></robot>";
    char text[2048];
    for (int missing = 0; missing < 2; missing++) {
        snprintf(text, sizeof text, urdf, missing ? "package://other/none.stl" : "file://trunk.stl");
        write_in_room("robot.urdf", text, strlen(text));
        sn_model *model = load("robot.urdf", &warnings);
        assert_has_warning(&warnings, "it gets that of its collision shapes");
        if (missing)
            assert_has_warning(
                &warnings,
                "1 collision meshes (of link 'base' first: there is no file 'package://other/none.stl')");
        assert_int_equal(warnings.count, 1 + missing);
        assert_int_equal(sn_model_get(model)->nshape, 3 - missing);
        const sn_hull_info *foot = sn_hull_get(sn_model_get(model)->shape[0].hull);
        assert_near(foot->volume, 0.16 * 0.08 * 0.06, 1e-9);
        assert_near(foot->centre[2], -0.03, 1e-6);
        assert_near(sn_model_get(model)->shape[0].pos[2], 1, 0);
        sn_model_free(model);
    }
    /* a document deeper down finds the package above it */
    sn_error error;
    char *found = sn__mesh_find(in_room("arm/urdf/robot.urdf"), "package://arm/meshes/foot.stl", &error);
    assert_non_null(found);
    assert_non_null(strstr(found, "/arm/meshes/foot.stl"));
    sn__free(found);
    found = sn__mesh_find(in_room("robot.urdf"), "package://no/such/folder/leg.obj", &error);
    assert_non_null(found); /* by its bare name */
    sn__free(found);
    assert_null(sn__mesh_find("robot.urdf", "package://", &error));
    assert_null(sn__mesh_find("robot.urdf", "/", &error));
    assert_null(sn__mesh_find("robot.urdf", "", &error));
    assert_null(sn__mesh_find("/robot.urdf", "package://a/b", &error));
    assert_int_equal(error.status, SN_ERROR_FILE);
}

/* A hull is weighed whole where the file asks for that, and touches with few vertices. */
TEST(fine_meshes_touch_with_few_vertices) {
    enum { N = 40 };
    static double triangle[2 * N * N][3][3];
    static char stl[84 + 50 * 2 * N * N];
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int upper = 0; upper < 2; upper++) {
                const int a[3][2] = {{i, j}, {i + 1, upper ? j + 1 : j}, {upper ? i : i + 1, j + 1}};
                for (int c = 0; c < 3; c++) {
                    const double u = M_PI * a[c][0] / N, v = 2 * M_PI * a[c][1] / N;
                    triangle[n][c][0] = sin(u) * cos(v), triangle[n][c][1] = sin(u) * sin(v),
                    triangle[n][c][2] = cos(u);
                }
                n++;
            }
    write_in_room("ball.stl", stl, stl_binary((const double(*)[3][3])triangle, n, stl));
    const char *text =
        "<mujoco><asset><mesh name='b' file='ball.stl' inertia='convex'/><mesh name='c' file='ball.stl' "
        "maxhullvert='20'/></asset><worldbody><body name='b'><freejoint/><geom type='mesh' mesh='b' "
        "density='1'/></body><body name='c'><freejoint/><geom type='mesh' mesh='c' density='1'/></body>"
        "</worldbody></mujoco>";
    struct warnings warnings;
    write_in_room("robot.xml", text, strlen(text));
    sn_model *model = load("robot.xml", &warnings);
    assert_near(body_of(model, "b")->mass, 4.1887902, 0.05);
    assert_near(body_of(model, "c")->mass, body_of(model, "b")->mass, 1e-5);
    assert_near(body_of(model, "b")->inertia[0], 0.4 * body_of(model, "b")->mass, 0.02);
    const sn_hull_info *hull = sn_hull_get(sn_model_get(model)->shape[0].hull);
    assert_int_equal(hull->nvertex, SN__MESH_HULL);
    assert_true(hull->apart > 0 && hull->apart < 0.15 && hull->volume > 3.5);
    assert_int_equal(sn_hull_get(sn_model_get(model)->shape[1].hull)->nvertex, 20);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------ out again */

TEST(hulls_come_back_from_models_and_recordings) {
    struct warnings warnings;
    write_parts();
    write_in_room("robot.xml", robot_xml, sizeof robot_xml - 1);
    sn_model *model = load("robot.xml", &warnings);
    const char *const as[] = {"model.json", "model.xml"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sn_model_save(model, in_room(as[i]), NULL), SN_OK);
        sn_model *again = load(as[i], &warnings);
        assert_int_equal(sn_model_get(again)->nshape, sn_model_get(model)->nshape);
        for (int k = 0; k < sn_model_get(model)->nshape; k++) {
            const sn_hull_info *x = sn_hull_get(sn_model_get(model)->shape[k].hull),
                               *y = sn_hull_get(sn_model_get(again)->shape[k].hull);
            assert_non_null(y);
            assert_int_equal(x->nvertex, y->nvertex);
            assert_int_equal(x->nface, y->nface);
            assert_memory_equal(x->vertex, y->vertex, sizeof *x->vertex * (size_t)x->nvertex);
        }
        sn_model_free(again);
    }
    sn_recorder *recorder = NULL;
    stands(model, SN_CONTACT_IMPLICIT, 0, &recorder);
    assert_int_equal(sn_recorder_save(recorder, in_room("run.json"), NULL), SN_OK);
    sn_recorder_free(recorder);
    sn_error error;
    recorder = sn_recorder_load(in_room("run.json"), &error);
    if (!recorder) fail_msg("%s", error.message);
    assert_int_equal(sn_recorder_save(recorder, in_room("run.glb"), NULL), SN_OK);
    sn_recorder_free(recorder);
    sn_model_free(model);

    static char glb[1 << 20];
    FILE *file = fopen(in_room("run.glb"), "rb");
    assert_non_null(file);
    const size_t size = fread(glb, 1, sizeof glb - 1, file);
    fclose(file);
    assert_true(size > 1000);
    /* five boxes of flat faces: 24 corners, 36 indices each */
    int meshes = 0;
    for (const char *at = glb + 20; (at = strstr(at, "\"count\":36,")); at++)
        meshes++;
    assert_int_equal(meshes, 5);
}

int main(void) {
    return run_all_between("mesh", make_room, remove_folder);
}
