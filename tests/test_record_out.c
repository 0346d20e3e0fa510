/* Simulated motion for other programs: BVH and binary glTF of recordings, against the poses the world had. */
#include "clip_helpers.h"
#include "room.h"

#include "clip/clip.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <sys/wait.h>

enum { FRAMES = 31, BODIES = 64 };

/* A world that falls and flails, recorded at 60 Hz, and the poses of all bodies in each frame. */
struct run {
    sn_world *world;
    sn_model *model;
    sn_recorder *recorder;
    double pose[FRAMES][BODIES][7];
};

static void simulate(struct run *r, const char *name) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 240;
    memset(r, 0, sizeof *r);
    r->world = sn_world_create(&def, NULL);
    r->model = sn_builtin_create(name, NULL);
    const int nv = sn_model_get(r->model)->nv, nq = sn_model_get(r->model)->nq;
    assert_int_equal(sn_world_add(r->world, r->model, NULL), 0);
    double *q = calloc((size_t)nq, sizeof *q), *v = calloc((size_t)nv, sizeof *v);
    sn_model_home_pose(r->model, q);
    q[2] += 1;
    for (int i = 0; i < nv; i++)
        v[i] = 2 * sin(1.7 * i);
    sn_world_set_state(r->world, 0, q, v);
    r->recorder = sn_recorder_create(r->world, NULL, NULL);
    for (int k = 0; k < 4 * (FRAMES - 1) + 1; k++) {
        assert_int_equal(sn_recorder_take(r->recorder, k * def.dt), SN_OK);
        if (k % 4 == 0)
            assert_int_equal(sn_world_get(r->world, 0, SN_FIELD_BODY_POSE, 0, 1, r->pose[k / 4][0]), SN_OK);
        assert_int_equal(sn_world_step(r->world), SN_OK);
    }
    free(q);
    free(v);
}

static void finish(struct run *r) {
    sn_recorder_free(r->recorder);
    sn_world_free(r->world);
    sn_model_free(r->model);
}

/* The model and the world may be gone when a recording is saved. */
static void close_world(struct run *r) {
    sn_world_free(r->world);
    r->world = NULL;
}

TEST(a_bvh_of_a_run_has_the_joints_where_the_bodies_were) {
    static const char *const name[] = {"humanoid", "dog", "snake36"};
    for (int n = 0; n < COUNT(name); n++) {
        static struct run r;
        sn_error error;
        simulate(&r, name[n]);
        close_world(&r);
        if (sn_recorder_save(r.recorder, in_room("run.bvh"), &error) != SN_OK) fail_msg("%s", error.message);
        sn_load_def options = sn_load_def_default();
        options.up = "y", options.scale = 1, options.keep_first = true;
        sn_clip *clip = sn_clip_load(in_room("run.bvh"), &options, &error);
        if (!clip) fail_msg("%s", error.message);
        const sn_clip_def *def = sn_clip_data(clip);
        double worst = 0;
        assert_int_equal(def->nframe, FRAMES);
        for (int k = 0; k < FRAMES; k++) {
            double pos[3 * 256], rot[4 * 256];
            sn__clip_globals(def, def->position + 3 * k, def->rotation + 4 * k * def->njoint, pos, rot);
            for (int i = 0; i < sn_model_get(r.model)->nbody; i++) {
                const sn_body_info *body = sn_model_body(r.model, i);
                double joint[3];
                dquat_rotate(r.pose[k][i] + 3, body->joint.anchor, joint);
                for (int c = 0; c < 3; c++)
                    worst = fmax(worst,
                                 fabs(joint[c] + r.pose[k][i][c] - pos[3 * joint_of(clip, body->name) + c]));
            }
        }
        print_message("%s: joints to %.2g m\n", name[n], worst);
        assert_true(worst < 1e-5);
        sn_clip_free(clip);
        remove(in_room("run.bvh"));
        finish(&r);
    }
}

/* ------------------------------------------------------------------------------------------------------------ glTF */

struct glb {
    cJSON *json;
    const uint8_t *bytes;
    uint8_t *file;
};

static uint32_t word_at(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static struct glb open_glb(const char *path) {
    struct glb g = {0};
    size_t size;
    g.file = (uint8_t *)read_whole(path, &size);
    assert_memory_equal(g.file, "glTF", 4);
    assert_int_equal(word_at(g.file + 4), 2);
    assert_int_equal(word_at(g.file + 8), size);
    const uint32_t length = word_at(g.file + 12);
    assert_memory_equal(g.file + 16, "JSON", 4);
    g.json = cJSON_ParseWithLength((const char *)g.file + 20, length);
    assert_non_null(g.json);
    assert_int_equal(length % 4, 0);
    assert_memory_equal(g.file + 24 + length, "BIN\0", 4);
    g.bytes = g.file + 28 + length;
    return g;
}

static void close_glb(struct glb *g) {
    cJSON_Delete(g->json);
    free(g->file);
}

static const cJSON *item(const struct glb *g, const char *list, int index) {
    const cJSON *element = cJSON_GetArrayItem(cJSON_GetObjectItem(g->json, list), index);
    assert_non_null(element);
    return element;
}

static int whole(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItem(object, key);
    return cJSON_IsNumber(value) ? value->valueint : -1;
}

/* Key `frame` of the animation of a node; the node's own where it has none. */
static void value_of(const struct glb *g, int node, const char *path, int frame, int width, double *value) {
    const cJSON *animation = item(g, "animations", 0), *channel, *own;
    int i = 0;
    own = cJSON_GetObjectItem(item(g, "nodes", node), path);
    for (int k = 0; k < width; k++)
        value[k] = own ? cJSON_GetArrayItem(own, k)->valuedouble : 0;
    cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels")) {
        const cJSON *target = cJSON_GetObjectItem(channel, "target");
        if (whole(target, "node") != node ||
            strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(target, "path")), path) != 0)
            continue;
        const cJSON *sampler =
            cJSON_GetArrayItem(cJSON_GetObjectItem(animation, "samplers"), whole(channel, "sampler"));
        const cJSON *accessor = item(g, "accessors", whole(sampler, "output"));
        const cJSON *view = item(g, "bufferViews", whole(accessor, "bufferView"));
        const uint8_t *at = g->bytes + whole(view, "byteOffset") + 4 * width * frame;
        for (i = 0; i < width; i++) {
            const uint32_t bits = word_at(at + 4 * i);
            float number;
            memcpy(&number, &bits, sizeof number);
            value[i] = (double)number;
        }
    }
}

/* Where a node is in the world of the file, and how it is turned. */
static void global_of(const struct glb *g, int node, int frame, double pos[3], double rot[4]) {
    memset(pos, 0, 3 * sizeof *pos);
    dquat_identity(rot);
    const int count = cJSON_GetArraySize(cJSON_GetObjectItem(g->json, "nodes"));
    while (node >= 0) {
        double t[3], r[4];
        value_of(g, node, "translation", frame, 3, t);
        value_of(g, node, "rotation", frame, 4, r);
        double q[4] = {r[3], r[0], r[1], r[2]};
        if (!dquat_normalise(q)) dquat_identity(q);
        dquat_rotate(q, pos, pos);
        for (int k = 0; k < 3; k++)
            pos[k] += t[k];
        dquat_multiply(q, rot, rot);
        int parent = -1;
        for (int i = 0; i < count && parent < 0; i++) {
            const cJSON *child;
            cJSON_ArrayForEach(child, cJSON_GetObjectItem(item(g, "nodes", i), "children")) {
                if (child->valueint == node) parent = i;
            }
        }
        node = parent;
    }
}

TEST(a_gltf_of_a_run_has_the_bodies_where_they_were) {
    static struct run r;
    sn_error error;
    simulate(&r, "humanoid");
    close_world(&r);
    if (sn_recorder_save(r.recorder, in_room("run.glb"), &error) != SN_OK) fail_msg("%s", error.message);
    struct glb g = open_glb(in_room("run.glb"));
    double worst = 0, turned = 0;
    for (int k = 0; k < FRAMES; k += 10)
        for (int i = 0; i < sn_model_get(r.model)->nbody; i++) {
            const double *wanted = r.pose[k][i], there[3] = {wanted[0], wanted[2], -wanted[1]}; /* Y up */
            const double quarter[4] = {sqrt(0.5), -sqrt(0.5), 0, 0};
            double pos[3], rot[4], turn[4];
            assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(item(&g, "nodes", 1 + i), "name")),
                                sn_model_body(r.model, i)->name);
            global_of(&g, 1 + i, k, pos, rot);
            dquat_multiply(quarter, wanted + 3, turn);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, fabs(pos[c] - there[c]));
            turned = fmax(turned, angle_between(turn, rot));
        }
    print_message("bodies to %.2g m, %.2g rad\n", worst, turned);
    assert_true(worst < 1e-5);
    assert_true(turned < 1e-5);
    close_glb(&g);
    remove(in_room("run.glb"));
    finish(&r);
}

/* Volume by the divergence theorem: positive when all triangles face outward, and that of the shape. */
static double mesh_volume(const struct glb *g, int mesh) {
    const cJSON *primitive =
        cJSON_GetArrayItem(cJSON_GetObjectItem(item(g, "meshes", mesh), "primitives"), 0);
    const cJSON *points =
        item(g, "accessors", whole(cJSON_GetObjectItem(primitive, "attributes"), "POSITION"));
    const cJSON *corners = item(g, "accessors", whole(primitive, "indices"));
    const uint8_t *p = g->bytes + whole(item(g, "bufferViews", whole(points, "bufferView")), "byteOffset");
    const uint8_t *c = g->bytes + whole(item(g, "bufferViews", whole(corners, "bufferView")), "byteOffset");
    double volume = 0;
    for (int i = 0; i < whole(corners, "count"); i += 3) {
        double at[3][3], cross[3];
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++) {
                const int corner = c[2 * (i + n)] | c[2 * (i + n) + 1] << 8;
                const uint32_t bits = word_at(p + 12 * corner + 4 * k);
                float number;
                memcpy(&number, &bits, sizeof number);
                at[n][k] = (double)number;
            }
        dvec_cross(at[1], at[2], cross);
        volume += dvec_dot(at[0], cross) / 6;
    }
    return volume;
}

TEST(shapes_are_closed_meshes_of_their_volume) {
    sn_builder *builder = sn_builder_create();
    static const double size[5][3] = {
        {0.3, 0, 0}, {0.2, 0.4, 0}, {0.1, 0.2, 0.3}, {0.2, 0.5, 0}, {0.3, 0.2, 0.1}};
    const double volume[5] = {4 * M_PI / 3 * 0.027, M_PI * 0.04 * (4.0 / 3 * 0.2 + 0.8), 8 * 0.006,
                              M_PI * 0.04 * 1.0, 4 * M_PI / 3 * 0.006};
    add(builder, "one", NULL, SN_JOINT_FREE);
    for (int i = 0; i < 5; i++) {
        sn_shape_def shape = sn_shape_def_default((sn_shape_type)i);
        memcpy(shape.size, size[i], sizeof shape.size);
        sn_builder_add_shape(builder, "one", &shape);
    }
    sn_model *model = sn_builder_build(builder, NULL);
    assert_non_null(model);
    sn_recorder *recorder = sn_recorder_create(NULL, NULL, NULL);
    double q[7];
    sn_model_zero_pose(model, q);
    for (int k = 0; k < 2; k++) {
        q[0] = k;
        sn_recorder_pose(recorder, "simulated", model, q, NULL);
        sn_recorder_take(recorder, k);
    }
    assert_int_equal(sn_recorder_save(recorder, in_room("shapes.glb"), NULL), SN_OK);
    struct glb g = open_glb(in_room("shapes.glb"));
    for (int i = 0; i < 5; i++) /* inscribed: up to 4 % less for 24 corners around */
        assert_near(mesh_volume(&g, i) / volume[i], 0.98, 0.021);
    close_glb(&g);
    remove(in_room("shapes.glb"));
    sn_recorder_free(recorder);
    sn_model_free(model);
    sn_builder_free(builder);
}

TEST(a_recording_read_back_gives_the_same_file) {
    static struct run r;
    sn_error error;
    simulate(&r, "humanoid");
    assert_int_equal(sn_recorder_save(r.recorder, in_room("run.json"), NULL), SN_OK);
    sn_recorder *again = sn_recorder_load(in_room("run.json"), &error);
    if (!again) fail_msg("%s", error.message);
    assert_int_equal(sn_recorder_save(again, in_room("again.glb"), NULL), SN_OK);
    assert_int_equal(sn_recorder_take(again, 10), SN_ERROR_ARGUMENT);
    struct glb g = open_glb(in_room("again.glb"));
    double pos[3], rot[4];
    global_of(&g, 1 + 5, FRAMES - 1, pos, rot);
    assert_near(pos[1], r.pose[FRAMES - 1][5][2], 1e-4); /* 16-bit places */
    close_glb(&g);
    sn_recorder_free(again);
    remove(in_room("again.glb"));

    FILE *file = fopen(in_room("run.json"), "r+b"); /* damaged: a digit of the data */
    static char text[1 << 22];
    const size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    char *data = strstr(text, "\"data\":\"");
    assert_non_null(data);
    data[12] = data[12] == 'A' ? 'B' : 'A';
    rewind(file);
    fwrite(text, 1, size, file);
    fclose(file);
    assert_null(sn_recorder_load(in_room("run.json"), &error));
    assert_message_has(&error, "checksum");
    assert_null(sn_recorder_load(in_room("nothing.json"), &error));
    remove(in_room("run.json"));
    finish(&r);
}

/* ------------------------------------------------------------------------------------------------- the validator */

/* gltf-validator of npm, where it is there: NODE_PATH or web/node_modules (docs/formats.md). */
TEST(the_validator_of_khronos_finds_nothing_to_say) {
    static struct run r;
    char command[512];
    simulate(&r, "dog");
    /* a ghost that is there for a part of the time, and a second model */
    double q[64];
    sn_model *other = sn_builtin_create("humanoid", NULL);
    sn_model_home_pose(other, q);
    assert_int_equal(sn_recorder_pose(r.recorder, "reference", other, q, NULL), SN_OK);
    for (int k = 0; k < 5; k++)
        assert_int_equal(sn_recorder_take(r.recorder, 1 + k / 60.0), SN_OK);
    assert_int_equal(sn_recorder_save(r.recorder, in_room("two.glb"), NULL), SN_OK);
    snprintf(command, sizeof command, "timeout 120 node tests/gltf/validate.cjs %s", in_room("two.glb"));
    const int status = system(command);
    remove(in_room("two.glb"));
    sn_model_free(other);
    finish(&r);
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127)) {
        print_message("skipped: there is no node, or no gltf-validator for it\n");
        skip();
    }
    assert_int_equal(status, 0);
}

int main(void) {
    return run_all_between("record_out", make_room, leave_room);
}
