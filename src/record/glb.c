/* A recording as glTF 2.0 in one binary file (.glb): characters as mannequins of nodes that move.
 *
 * One node on top turns Z up to Y up, as glTF has it. Below it each character is a tree of nodes, one per body, whose
 * rotations, and places where they change, are keys of one animation; a node of its own carries each shape's triangles.
 * With B_b and p_b orientation and place of a body, a node has
 *
 *     rotation B_parent^-1 B_b,   translation B_parent^-1 (p_b - p_parent)
 *
 * A character that is not there in all frames has the size 0 in the others. File: a header of 12 bytes, a chunk of JSON, a
 * chunk of numbers (glTF 2.0 section 4.4); all little-endian. */
#include "record/shape_mesh.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/quat.h"

#include <string.h>

enum { BYTE_LIMIT = 1 << 30 };
enum { COMPONENT_U16 = 5123, COMPONENT_F32 = 5126, TARGET_POINTS = 34962, TARGET_CORNERS = 34963 };

/* The lists of the JSON grow side by side, each element with a comma before it. */
struct glb {
    const sn_recorder *recorder;
    struct sn__text bytes;                           /* the chunk of numbers */
    struct sn__text nodes, meshes, accessors, views; /* of the JSON */
    struct sn__text samplers, channels, top;         /* top: the nodes of whole characters */
    int nnode, nmesh, naccessor, nview, nsampler;
    int times; /* accessor of all frames' times */
};

/* --------------------------------------------------------------------------------------------------- numbers */

static void add_u32(struct sn__text *text, uint32_t word) {
    const char four[4] = {(char)(word & 255), (char)(word >> 8 & 255), (char)(word >> 16 & 255),
                          (char)(word >> 24 & 255)};
    sn__text_bytes(text, four, 4);
}

static void add_f32(struct sn__text *text, float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    add_u32(text, word);
}

static void fill_up(struct sn__text *text, char with) {
    while (text->length % 4 != 0 && !text->failed)
        sn__text_bytes(text, &with, 1);
}

/* The view of the bytes from `start` to the end; target 0: none. */
static int add_view(struct glb *g, int start, int target) {
    if (g->bytes.length > BYTE_LIMIT) g->bytes.failed = true;
    sn__text_add(&g->views, "%s{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d", g->nview ? "," : "", start,
                 g->bytes.length - start);
    if (target) sn__text_add(&g->views, ",\"target\":%d", target);
    sn__text_add(&g->views, "}");
    fill_up(&g->bytes, 0);
    return g->nview++;
}

static int add_accessor(struct glb *g, int view, int component, int count, const char *type,
                        const char *bounds) {
    sn__text_add(&g->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}",
                 g->naccessor ? "," : "", view, component, count, type, bounds);
    return g->naccessor++;
}

/* Floats with as many components as the type has; with bounds where glTF wants them. */
static int add_floats(struct glb *g, const float *value, int count, int width, int target, bool bounded) {
    static const char *const type[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    const int start = g->bytes.length;
    struct sn__text bounds = {0};
    for (int i = 0; i < count * width; i++)
        add_f32(&g->bytes, value[i]);
    for (int most = 0; most < 2 && bounded; most++) {
        sn__text_add(&bounds, ",\"%s\":[", most ? "max" : "min");
        for (int k = 0; k < width; k++) {
            float edge = value[k];
            for (int i = 1; i < count; i++)
                if (most ? value[i * width + k] > edge : value[i * width + k] < edge)
                    edge = value[i * width + k];
            if (k) sn__text_add(&bounds, ",");
            sn__text_number(&bounds, (double)edge);
        }
        sn__text_add(&bounds, "]");
    }
    const int view = add_view(g, start, target);
    if (bounds.failed) g->bytes.failed = true;
    const int accessor =
        add_accessor(g, view, COMPONENT_F32, count, type[width], bounds.data ? bounds.data : "");
    sn__free(bounds.data);
    return accessor;
}

/* ---------------------------------------------------------------------------------------------------- meshes */

static void add_mesh(struct glb *g, const struct sn__figure_shape *shape, int material) {
    struct sn__shape_mesh mesh = {0};
    if (!sn__shape_mesh_of(&mesh, shape)) {
        g->bytes.failed = true;
        sn__shape_mesh_free(&mesh);
        return;
    }
    const int points = add_floats(g, mesh.point, mesh.npoint, 3, TARGET_POINTS, true);
    const int normals = add_floats(g, mesh.normal, mesh.npoint, 3, TARGET_POINTS, false);
    const int start = g->bytes.length;
    for (int i = 0; i < 3 * mesh.ntriangle; i++) {
        const char two[2] = {(char)(mesh.corner[i] & 255), (char)(mesh.corner[i] >> 8)};
        sn__text_bytes(&g->bytes, two, 2);
    }
    const int view = add_view(g, start, TARGET_CORNERS);
    const int corners = add_accessor(g, view, COMPONENT_U16, 3 * mesh.ntriangle, "SCALAR", "");
    sn__text_add(&g->meshes,
                 "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,"
                 "\"material\":%d}]}",
                 g->nmesh ? "," : "", points, normals, corners, material);
    g->nmesh++;
    sn__shape_mesh_free(&mesh);
}

/* ----------------------------------------------------------------------------------------------------- nodes */

static void write_vector(struct sn__text *text, const char *key, const double *v, int n) {
    sn__text_add(text, ",\"%s\":[", key);
    sn__text_numbers(text, v, n, ",");
    sn__text_add(text, "]");
}

/* glTF has (x, y, z, w). */
static void write_rotation(struct sn__text *text, const double q[4]) {
    const double turned[4] = {q[1], q[2], q[3], q[0]};
    write_vector(text, "rotation", turned, 4);
}

static void open_node(struct glb *g, const char *name) {
    sn__text_add(&g->nodes, "%s{\"name\":", g->nnode ? "," : "");
    sn__text_json_string(&g->nodes, name);
    g->nnode++;
}

static void add_shape_node(struct glb *g, const char *body, const struct sn__figure_shape *shape) {
    open_node(g, body);
    sn__text_add(&g->nodes, ",\"mesh\":%d", g->nmesh - 1);
    write_vector(&g->nodes, "translation", shape->pos, 3);
    write_rotation(&g->nodes, shape->rot);
    sn__text_add(&g->nodes, "}");
}

static void add_channel(struct glb *g, int node, const char *path, int input, int output, const char *how) {
    sn__text_add(&g->samplers, "%s{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}",
                 g->nsampler ? "," : "", input, output, how);
    sn__text_add(&g->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                 g->nsampler ? "," : "", g->nsampler, node, path);
    g->nsampler++;
}

/* ----------------------------------------------------------------------------------------------------- poses */

/* The body's place and orientation in a frame of its character, in double. */
static void body_pose(const struct sn__record_character *c, int nbody, int frame, int body, double pos[3],
                      double rot[4]) {
    const size_t at = (size_t)frame * (size_t)nbody + (size_t)body;
    for (int k = 0; k < 3; k++)
        pos[k] = (double)c->root.value[3 * (size_t)frame + (size_t)k] +
                 (double)c->position.value[3 * at + (size_t)k];
    for (int k = 0; k < 4; k++)
        rot[k] = (double)c->rotation.value[4 * at + (size_t)k];
    if (!dquat_normalise(rot)) dquat_identity(rot);
}

/* Against the parent's. translation[3], rotation[4] as glTF writes it. */
static void local_pose(const struct sn__figure *f, const struct sn__record_character *c, int frame, int body,
                       float *translation, float *rotation) {
    double pos[3], rot[4], above[3], back[4];
    body_pose(c, f->nbody, frame, body, pos, rot);
    if (f->body[body].parent >= 0) {
        body_pose(c, f->nbody, frame, f->body[body].parent, above, back);
        dquat_conjugate(back, back);
        for (int k = 0; k < 3; k++)
            pos[k] -= above[k];
        dquat_rotate(back, pos, pos);
        dquat_multiply(back, rot, rot);
        dquat_normalise(rot);
    }
    for (int k = 0; k < 3; k++)
        translation[k] = (float)pos[k], rotation[k] = (float)rot[k + 1];
    rotation[3] = (float)rot[0];
}

/* Of q and -q the one nearer to the key before. */
static void keep_half(float *rotation, const float *before) {
    float dot = 0;
    for (int k = 0; k < 4; k++)
        dot += rotation[k] * before[k];
    for (int k = 0; k < 4 && dot < 0; k++)
        rotation[k] = -rotation[k];
}

static bool changes(const float *value, int count, int width, float tolerance) {
    for (int i = width; i < count * width; i++) {
        const float change = value[i] - value[i % width];
        if (change > tolerance || change < -tolerance) return true;
    }
    return false;
}

/* Node and keys of a body; `first` is the node of body 0. Nodes of bodies come before those of shapes. */
static void add_body_node(struct glb *g, const struct sn__figure *f, const struct sn__record_character *c,
                          int body, int first, int times, float *room) {
    float *translation = room, *rotation = room + 3 * (size_t)c->frames;
    const struct sn__figure_body *info = &f->body[body];
    for (int k = 0; k < c->frames; k++) {
        local_pose(f, c, k, body, translation + 3 * (size_t)k, rotation + 4 * (size_t)k);
        if (k > 0) keep_half(rotation + 4 * (size_t)k, rotation + 4 * (size_t)(k - 1));
    }
    const double at[3] = {(double)translation[0], (double)translation[1], (double)translation[2]};
    const double turn[4] = {(double)rotation[3], (double)rotation[0], (double)rotation[1],
                            (double)rotation[2]};
    open_node(g, info->name);
    write_vector(&g->nodes, "translation", at, 3);
    write_rotation(&g->nodes, turn);
    int children = 0;
    for (int i = body + 1; i < f->nbody; i++)
        if (f->body[i].parent == body)
            sn__text_add(&g->nodes, "%s%d", children++ ? "," : ",\"children\":[", first + i);
    for (int s = info->first_shape; s < info->first_shape + info->nshape; s++)
        sn__text_add(&g->nodes, "%s%d", children++ ? "," : ",\"children\":[", first + f->nbody + s);
    sn__text_add(&g->nodes, "%s}", children ? "]" : "");
    if (changes(rotation, c->frames, 4, 1e-7f))
        add_channel(g, first + body, "rotation", times, add_floats(g, rotation, c->frames, 4, 0, false),
                    "LINEAR");
    if (changes(translation, c->frames, 3, 2e-6f))
        add_channel(g, first + body, "translation", times, add_floats(g, translation, c->frames, 3, 0, false),
                    "LINEAR");
}

/* Size 0 before it comes and after it is gone. */
static void add_presence(struct glb *g, const struct sn__record_character *c, int node) {
    const int frames = g->recorder->frames;
    if (c->frames == frames) return;
    float *size = sn__alloc((size_t)frames, 3 * sizeof *size);
    if (!size) {
        g->bytes.failed = true;
        return;
    }
    for (int k = 0; k < 3 * frames; k++)
        size[k] = k / 3 >= c->first && k / 3 < c->first + c->frames ? 1 : 0;
    add_channel(g, node, "scale", g->times, add_floats(g, size, frames, 3, 0, false), "STEP");
    sn__free(size);
}

static int add_times(struct glb *g, int first, int count) {
    float *time = sn__alloc((size_t)count, sizeof *time);
    if (!time) {
        g->bytes.failed = true;
        return 0;
    }
    for (int k = 0; k < count; k++)
        time[k] = (float)((double)g->recorder->time.value[first + k] - (double)g->recorder->time.value[0]);
    const int accessor = add_floats(g, time, count, 1, 0, true);
    sn__free(time);
    return accessor;
}

static void add_character(struct glb *g, const struct sn__record_character *c, int number) {
    const struct sn__figure *f = &g->recorder->model[c->model].figure;
    const int material = strcmp(c->role, "simulated") == 0 ? 0 : 1, node = g->nnode, first = node + 1;
    float *room = sn__alloc((size_t)c->frames, 7 * sizeof *room);
    if (!room) {
        g->bytes.failed = true;
        return;
    }
    open_node(g, c->role);
    int children = 0;
    for (int i = 0; i < f->nbody; i++)
        if (f->body[i].parent < 0)
            sn__text_add(&g->nodes, "%s%d", children++ ? "," : ",\"children\":[", first + i);
    sn__text_add(&g->nodes, "%s}", children ? "]" : "");
    sn__text_add(&g->top, "%s%d", number ? "," : "", node);
    const int times = c->frames == g->recorder->frames ? g->times : add_times(g, c->first, c->frames);
    for (int i = 0; i < f->nbody; i++)
        add_body_node(g, f, c, i, first, times, room);
    for (int i = 0; i < f->nbody; i++)
        for (int s = f->body[i].first_shape; s < f->body[i].first_shape + f->body[i].nshape; s++) {
            add_mesh(g, &f->shape[s], material);
            add_shape_node(g, f->body[i].name, &f->shape[s]);
        }
    add_presence(g, c, node);
    sn__free(room);
}

/* --------------------------------------------------------------------------------------------------- in all */

static const char materials[] =
    "{\"name\":\"simulated\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.35,0.5,0.75,1],"
    "\"metallicFactor\":0,\"roughnessFactor\":0.7}},"
    "{\"name\":\"reference\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
    "[0.9,0.6,0.2,0.35],\"metallicFactor\":0,\"roughnessFactor\":0.9}}";

static void write_json(struct glb *g, struct sn__text *json, int top) {
    sn__text_add(json,
                 "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew %s\"},\"scene\":0,"
                 "\"scenes\":[{\"nodes\":[%d]}],\"nodes\":[%s]",
                 sn_version(), top, g->nodes.data);
    if (g->nmesh) sn__text_add(json, ",\"meshes\":[%s],\"materials\":[%s]", g->meshes.data, materials);
    if (g->nsampler)
        sn__text_add(json, ",\"animations\":[{\"name\":\"take\",\"samplers\":[%s],\"channels\":[%s]}]",
                     g->samplers.data, g->channels.data);
    sn__text_add(json, ",\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%d}]}",
                 g->accessors.data, g->views.data, g->bytes.length);
    fill_up(json, ' ');
}

static bool failed(const struct glb *g) {
    return g->bytes.failed || g->nodes.failed || g->meshes.failed || g->accessors.failed || g->views.failed ||
           g->samplers.failed || g->channels.failed || g->top.failed;
}

/* header: magic "glTF", version 2, length of all; each chunk: its length and kind */
static char *join(struct glb *g, const struct sn__text *json, size_t *size) {
    struct sn__text file = {0};
    sn__text_bytes(&file, "glTF", 4);
    add_u32(&file, 2);
    add_u32(&file, (uint32_t)(12 + 8 + json->length + 8 + g->bytes.length));
    add_u32(&file, (uint32_t)json->length);
    sn__text_bytes(&file, "JSON", 4);
    sn__text_bytes(&file, json->data, json->length);
    add_u32(&file, (uint32_t)g->bytes.length);
    sn__text_bytes(&file, "BIN\0", 4);
    sn__text_bytes(&file, g->bytes.data, g->bytes.length);
    return sn__text_take(&file, size);
}

char *sn__record_glb(const sn_recorder *r, size_t *size) {
    struct glb g = {.recorder = r};
    struct sn__text json = {0};
    const double upright[4] = {sqrt(0.5), -sqrt(0.5), 0, 0};
    char *file = NULL;
    g.times = add_times(&g, 0, r->frames);
    int count = 0;
    for (int i = 0; i < r->ncharacter && r->character[i].frames > 0; i++)
        add_character(&g, &r->character[i], count++);
    const int top = g.nnode;
    open_node(&g, "sinew");
    write_rotation(&g.nodes, upright);
    if (count > 0) sn__text_add(&g.nodes, ",\"children\":[%s]", g.top.data ? g.top.data : "");
    sn__text_add(&g.nodes, "}");
    if (!failed(&g)) write_json(&g, &json, top);
    if (!failed(&g) && !json.failed) file = join(&g, &json, size);
    sn__free_all(g.bytes.data, g.nodes.data, g.meshes.data, g.accessors.data, g.views.data, g.samplers.data,
                 g.channels.data, g.top.data, json.data);
    return file;
}
