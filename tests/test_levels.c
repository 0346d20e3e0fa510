/* Levels from files: meshes of the world that are hollow, from MJCF and glTF, are ground of triangles. */
#include "parse_helpers.h"
#include "room.h"
#include "world_helpers.h"

/* A trough: a floor of 2 m by 2 m with four walls of 1 m, seen from inside. z up. */
static const double corner[8][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0},
                                    {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static const int face[10][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {1, 4, 5}, {2, 1, 5},
                                {2, 5, 6}, {3, 2, 6}, {3, 6, 7}, {0, 3, 7}, {0, 7, 4}};

/* A ball that is dropped at x, y from 2 m: where it comes to rest. */
static void drop(sn_world *world, double x, double y, double end[3]) {
    sn_model *ball = body_of(sphere_of(0.1, 1));
    const int member = member_of(world, ball);
    put_body(world, member, (const double[3]){x, y, 2}, NULL, NULL);
    for (int i = 0; i < 3000; i++)
        step_world(world);
    body_pose(world, member, 0, end, NULL);
    assert_int_equal(sn_world_remove(world, member), SN_OK);
    end_scene(world, ball);
}

static void level_xml(char *text, size_t most, const char *more) {
    size_t n = (size_t)snprintf(text, most, "<mujoco><asset><mesh name='trough' vertex='");
    for (int i = 0; i < 8; i++)
        n += (size_t)snprintf(text + n, most - n, "%g %g %g ", corner[i][0], corner[i][1], corner[i][2]);
    n += (size_t)snprintf(text + n, most - n, "' face='");
    for (int i = 0; i < 10; i++)
        n += (size_t)snprintf(text + n, most - n, "%d %d %d ", face[i][0], face[i][1], face[i][2]);
    snprintf(text + n, most - n, "'/></asset><worldbody>%s</worldbody></mujoco>", more);
}

TEST(a_hollow_mesh_of_an_mjcf_world_holds_what_falls_into_it) {
    char text[4096];
    double end[3];
    level_xml(text, sizeof text, "<geom type='mesh' mesh='trough' pos='3 0 .5' euler='0 0 45'/>");
    sn_error error;
    sn_world *world = world_from(text, strlen(text), "level.xml", NULL, NULL, &error);
    if (!world) print_message("%s\n", error.message);
    assert_non_null(world);
    assert_int_equal(sn_world_get_info(world).grounds, 1);
    drop(world, 3.4, 0.3, end);
    assert_near(end[2], 0.6, 2e-3); /* on the floor of the trough, not on a lid at 1.5 */
}

/* A mesh that is convex is its hull, as before. */
TEST(a_convex_mesh_of_an_mjcf_world_is_its_hull) {
    static const char text[] = "<mujoco><asset><mesh name='block' vertex='-1 -1 0  1 -1 0  1 1 0  -1 1 0  -1 "
                               "-1 1  1 -1 1  1 1 1  -1 1 1'/>"
                               "</asset><worldbody><geom type='mesh' mesh='block'/></worldbody></mujoco>";
    sn_world *world = world_from(text, sizeof text - 1, "block.xml", NULL, NULL, NULL);
    double end[3];
    assert_non_null(world);
    drop(world, 0.2, 0.3, end);
    assert_near(end[2], 1.1, 2e-3);
}

/* ------------------------------------------------------------------------------------------------------- glTF */

/* Positions with y up, then indices. */
static size_t level_bytes(unsigned char *data) {
    size_t n = 0;
    for (int i = 0; i < 8; i++) {
        const float p[3] = {(float)corner[i][0], (float)corner[i][2], (float)-corner[i][1]};
        memcpy(data + n, p, sizeof p);
        n += sizeof p;
    }
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 3; k++) {
            const uint16_t v = (uint16_t)face[i][k];
            memcpy(data + n, &v, sizeof v);
            n += sizeof v;
        }
    return n;
}

static void base64_of(const unsigned char *data, size_t size, char *text) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) { /* the size is a multiple of three */
        const unsigned bits = (unsigned)data[i] << 16 | (unsigned)data[i + 1] << 8 | data[i + 2];
        for (int k = 0; k < 4; k++)
            *text++ = digit[bits >> (18 - 6 * k) & 63];
    }
    *text = '\0';
}

/* The node moves the trough by 1 along x (glTF) and 0.25 up, within a node that has it twice as large. */
static void level_json(char *text, size_t most, const char *buffer) {
    snprintf(text, most,
             "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],"
             "\"nodes\": [{\"scale\": [2, 2, 2], \"children\": [1]}, {\"mesh\": 0, \"translation\": [1, "
             "0.25, 0]}],"
             "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],"
             "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 8, \"type\": \"VEC3\"},"
             "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 30, \"type\": \"SCALAR\"}],"
             "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 96},"
             "{\"buffer\": 0, \"byteOffset\": 96, \"byteLength\": 60}],"
             "\"buffers\": [{%s\"byteLength\": 156}]}",
             buffer);
}

static void put32(unsigned char *to, uint32_t x) {
    for (int k = 0; k < 4; k++)
        to[k] = (unsigned char)(x >> 8 * k);
}

/* The same level as a binary file. */
static size_t level_glb(unsigned char *glb) {
    char json[2048];
    level_json(json, sizeof json, "");
    size_t length = strlen(json);
    while (length % 4)
        json[length++] = ' ';
    memcpy(glb, "glTF", 4);
    put32(glb + 4, 2);
    put32(glb + 12, (uint32_t)length);
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + 20, json, length);
    unsigned char *bin = glb + 20 + length;
    put32(bin, (uint32_t)level_bytes(bin + 8));
    memcpy(bin + 4, "BIN\0", 4);
    const size_t size = 20 + length + 8 + 156;
    put32(glb + 8, (uint32_t)size);
    return size;
}

static void check_level(const char *name) {
    sn_error error;
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 120;
    sn_world *world = sn_world_load(in_room(name), &def, NULL, &error);
    double end[3];
    if (!world) print_message("%s\n", error.message);
    assert_non_null(world);
    assert_near(sn_world_get_info(world).dt, 1.0 / 120, 0);
    drop(world, 2.5, 0.7, end);
    assert_near(end[2], 0.6, 2e-3); /* twice a quarter, and the radius */
}

TEST(a_level_of_gltf_is_ground_whatever_holds_its_bytes) {
    unsigned char data[256], glb[4096];
    char json[4096], buffer[1024], text[512];
    const size_t size = level_bytes(data);
    level_json(json, sizeof json, "\"uri\": \"the%20level.bin\", ");
    write_in_room("level.gltf", json, strlen(json));
    write_in_room("the level.bin", data, size);
    check_level("level.gltf");
    base64_of(data, size, text);
    snprintf(buffer, sizeof buffer, "\"uri\": \"data:application/octet-stream;base64,%s\", ", text);
    level_json(json, sizeof json, buffer);
    write_in_room("inside.gltf", json, strlen(json));
    check_level("inside.gltf");
    write_in_room("level.glb", glb, level_glb(glb));
    check_level("level.glb");
    remove(in_room("level.gltf")), remove(in_room("the level.bin")), remove(in_room("inside.gltf"));
    remove(in_room("level.glb"));
}

/* What is cut off anywhere, or has a number too large, is refused in words. */
TEST(damaged_gltf_is_refused) {
    unsigned char glb[4096];
    const size_t size = level_glb(glb);
    sn_error error;
    for (size_t n = 4; n < size; n += 7) {
        sn_world *world = world_from((const char *)glb, n, "cut.glb", NULL, NULL, &error);
        assert_null(world);
        assert_true(error.status != SN_OK && strstr(error.message, "cut.glb"));
    }
    char json[4096], *at;
    level_json(json, sizeof json, "\"uri\": \"data:,AAAA\", ");
    assert_null(world_from(json, strlen(json), "short.gltf", NULL, NULL, &error));
    assert_non_null(strstr(error.message, "not in its buffers"));
    level_json(json, sizeof json, "");
    at = strstr(json, "\"children\": [1]");
    memcpy(at, "\"children\": [0]", 15);
    assert_null(world_from(json, strlen(json), "circle.gltf", NULL, NULL, &error));
    assert_non_null(strstr(error.message, "circle"));
    assert_null(model_from((const char *)glb, size, "model.glb", NULL, &error));
    assert_non_null(strstr(error.message, "a glTF scene, not a model"));
}

int main(void) {
    return run_all_between("levels", make_room, leave_room);
}
