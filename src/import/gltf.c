/* glTF 2.0, as text or binary (GLB): positions and triangles of all nodes of the default scene, carried into the world. glTF has
 * y up and looks along z; (x, y, z) becomes (x, -z, y). Materials, skins and animations are left out. */
#include "import/gltf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "import/load.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_NODES = 1 << 18, MOST_BUFFERS = 256 };
enum { TYPE_U8 = 5121, TYPE_U16 = 5123, TYPE_U32 = 5125, TYPE_FLOAT = 5126 };
enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/* The columns of a linear map, and where the origin comes to. */
struct affine {
    double column[4][3];
};

struct bytes {
    const unsigned char *data;
    size_t size;
    void *owned;
};

struct gltf {
    const struct cJSON *root;
    const struct sn__source *source;
    const sn_load_def *options;
    struct sn__mesh_file *mesh;
    int nbuffer;
    struct bytes buffer[MOST_BUFFERS];
    int visited, skinned;
    sn_error *error;
};

static bool fail(const struct gltf *g, const char *what) {
    sn__fail(g->error, SN_ERROR_FORMAT, "%.200s: %s", g->source->path, what);
    return false;
}

/* ------------------------------------------------------------------------------------------------ container */

static uint32_t u32_at(const char *data) {
    const unsigned char *x = (const unsigned char *)data;
    return x[0] | (uint32_t)x[1] << 8 | (uint32_t)x[2] << 16 | (uint32_t)x[3] << 24;
}

bool sn__gltf_is_binary(const char *data, size_t size) {
    return size >= 4 && memcmp(data, "glTF", 4) == 0;
}

/* The chunk of a binary file whose type is given. */
static const char *chunk(const char *data, size_t size, const char type[4], size_t *length) {
    for (size_t at = 12; at + 8 <= size;) {
        const size_t n = u32_at(data + at);
        if (n > size - at - 8) return NULL;
        if (memcmp(data + at + 4, type, 4) == 0) {
            *length = n;
            return data + at + 8;
        }
        at += 8 + n;
    }
    return NULL;
}

const char *sn__gltf_json(const char *data, size_t size, size_t *json_size) {
    *json_size = 0;
    if (size < 20 || u32_at(data + 4) != 2) return NULL;
    return chunk(data, size, "JSON", json_size);
}

/* ------------------------------------------------------------------------------------------------------ values */

static const struct cJSON *member(const struct cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Element `index` of an array of the root; NULL: there is none. */
static const struct cJSON *entry(const struct gltf *g, const char *array, int index) {
    return index >= 0 ? cJSON_GetArrayItem(member(g->root, array), index) : NULL;
}

/* A whole number of an object that is not negative; `usual` where it is not given, -1 where it is something else. */
static double whole(const struct cJSON *object, const char *key, double usual) {
    const struct cJSON *value = member(object, key);
    if (!value) return usual;
    const double x = cJSON_IsNumber(value) ? value->valuedouble : -1;
    return x >= 0 && x <= 1e15 && x == floor(x) ? x : -1;
}

static int number(const struct cJSON *object, const char *key) {
    const double x = whole(object, key, -1);
    return x >= 0 && x < 1 << 30 ? (int)x : -1;
}

/* Exactly n numbers; false: there are none, and `values` stays. */
static bool numbers(const struct cJSON *object, const char *key, int n, double *values) {
    const struct cJSON *array = member(object, key), *item;
    int i = 0;
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != n) return false;
    cJSON_ArrayForEach(item, array) {
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return false;
    }
    cJSON_ArrayForEach(item, array) values[i++] = item->valuedouble;
    return true;
}

/* ----------------------------------------------------------------------------------------------------- buffers */

static int sextet(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static bool decode(struct gltf *g, const char *text, struct bytes *out) {
    const size_t length = strlen(text);
    unsigned char *data = sn__alloc(length * 3 / 4 + 4, 1);
    uint32_t bits = 0;
    int held = 0;
    if (!data) return fail(g, "out of memory");
    *out = (struct bytes){data, 0, data};
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        const int six = sextet(text[i]);
        if (six < 0) return fail(g, "a buffer is not base64");
        bits = bits << 6 | (uint32_t)six, held += 6;
        if (held < 8) continue;
        held -= 8;
        data[out->size++] = (unsigned char)(bits >> held);
    }
    return true;
}

/* Names in an address may have %20 and the like. */
static void unescape(char *name) {
    char *to = name;
    for (const char *at = name; *at; at++, to++) {
        unsigned code = 0;
        bool hex = at[0] == '%' && at[1] && at[2];
        for (int k = 1; k < 3 && hex; k++) {
            const char *digits = "0123456789abcdef",
                       c = at[k] >= 'A' && at[k] <= 'F' ? (char)(at[k] + 32) : at[k];
            const char *found = strchr(digits, c);
            hex = found != NULL;
            code = 16 * code + (unsigned)(found ? found - digits : 0);
        }
        *to = hex && code ? (char)code : *at;
        if (hex && code) at += 2;
    }
    *to = '\0';
}

static bool read_file(struct gltf *g, const char *uri, struct bytes *out) {
    const size_t length = strlen(uri);
    char *name = sn__alloc(length + 1, 1);
    if (!name) return fail(g, "out of memory");
    memcpy(name, uri, length);
    unescape(name);
    char *path = sn__path_beside(g->source->path, name);
    out->owned = path ? sn__file_read(path, &out->size, g->error) : NULL;
    out->data = out->owned;
    sn__free(path);
    sn__free(name);
    return out->owned || (path ? false : fail(g, "out of memory"));
}

static bool open_buffers(struct gltf *g) {
    const struct cJSON *item;
    cJSON_ArrayForEach(item, member(g->root, "buffers")) {
        const char *uri = cJSON_GetStringValue(member(item, "uri"));
        if (g->nbuffer == MOST_BUFFERS) return fail(g, "it has too many buffers");
        struct bytes *out = &g->buffer[g->nbuffer++];
        const char *comma = uri && strncmp(uri, "data:", 5) == 0 ? strchr(uri, ',') : NULL;
        if (comma) {
            if (!decode(g, comma + 1, out)) return false;
        } else if (uri) {
            if (!read_file(g, uri, out)) return false;
        } else if (sn__gltf_is_binary(g->source->text, g->source->size)) {
            out->data = (const unsigned char *)chunk(g->source->text, g->source->size, "BIN\0", &out->size);
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------- accessors */

/* Values of some type in a buffer. */
struct column {
    const unsigned char *data;
    size_t count, stride;
    int type;
};

static size_t size_of_type(int type) {
    return type == TYPE_U8 ? 1 : type == TYPE_U16 ? 2 : type == TYPE_U32 || type == TYPE_FLOAT ? 4 : 0;
}

static bool open_column(const struct gltf *g, int accessor, const char *kind, int parts, struct column *c) {
    const struct cJSON *a = entry(g, "accessors", accessor),
                       *view = a ? entry(g, "bufferViews", number(a, "bufferView")) : NULL;
    const char *type = a ? cJSON_GetStringValue(member(a, "type")) : NULL;
    if (!view || member(a, "sparse"))
        return fail(g, "a mesh is compressed or sparse, which is not read. Export it without compression.");
    const int buffer = number(view, "buffer");
    const double start = whole(view, "byteOffset", 0), length = whole(view, "byteLength", -1),
                 first = whole(a, "byteOffset", 0), count = whole(a, "count", -1);
    c->type = number(a, "componentType");
    const size_t unit = (size_t)parts * size_of_type(c->type);
    const double stride = whole(view, "byteStride", (double)unit);
    if (!type || strcmp(type, kind) != 0 || !unit || buffer < 0 || buffer >= g->nbuffer || start < 0 ||
        length < 0 || first < 0 || count < 0 || stride < (double)unit || !g->buffer[buffer].data ||
        start + length > (double)g->buffer[buffer].size ||
        (count > 0 && first + (count - 1) * stride + (double)unit > length))
        return fail(g, "the values of a mesh are not in its buffers");
    c->data = g->buffer[buffer].data + (size_t)start + (size_t)first;
    c->count = (size_t)count, c->stride = (size_t)stride;
    return true;
}

static uint32_t index_at(const struct column *c, size_t i) {
    const unsigned char *x = c->data + i * c->stride;
    if (c->type == TYPE_U8) return x[0];
    return c->type == TYPE_U16 ? x[0] | (uint32_t)x[1] << 8 : u32_at((const char *)x);
}

/* ------------------------------------------------------------------------------------------------------ meshes */

static void carry(const struct affine *m, const double p[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = m->column[0][k] * p[0] + m->column[1][k] * p[1] + m->column[2][k] * p[2] + m->column[3][k];
}

static bool add_vertices(struct gltf *g, const struct column *c, const struct affine *at) {
    for (size_t i = 0; i < c->count; i++) {
        double p[3], q[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t bits = u32_at((const char *)c->data + i * c->stride + 4 * (size_t)k);
            float x;
            memcpy(&x, &bits, sizeof x);
            p[k] = (double)x;
        }
        carry(at, p, q);
        const double up[3] = {q[0], -q[2], q[1]};
        if (!(fabs(up[0]) < 1e9 && fabs(up[1]) < 1e9 && fabs(up[2]) < 1e9))
            return fail(g, "a vertex is not finite, or too far away");
        if (!sn__mesh_add_vertex(g->mesh, up)) return fail(g, "its meshes are too large, or out of memory");
    }
    return true;
}

/* A mirror image has its triangles the other way round. */
static bool is_mirrored(const struct affine *m) {
    double x[3];
    dvec_cross(m->column[0], m->column[1], x);
    return dvec_dot(x, m->column[2]) < 0;
}

static bool add_triangle(struct gltf *g, int base, const size_t corner[3], const struct column *index,
                         size_t most, bool flip) {
    int v[3];
    for (int k = 0; k < 3; k++) {
        const size_t i = index->data ? index_at(index, corner[k]) : corner[k];
        if (i >= most) return fail(g, "a triangle names a vertex that does not exist");
        v[k] = base + (int)i;
    }
    if (!sn__mesh_add_face(g->mesh, v[0], v[flip ? 2 : 1], v[flip ? 1 : 2]))
        return fail(g, "its meshes are too large, or out of memory");
    return true;
}

static bool add_primitive(struct gltf *g, const struct cJSON *primitive, const struct affine *at) {
    const double mode = whole(primitive, "mode", MODE_TRIANGLES);
    const int position = number(member(primitive, "attributes"), "POSITION"), base = g->mesh->nvertex;
    struct column vertices, index = {0};
    if (mode != MODE_TRIANGLES && mode != MODE_STRIP && mode != MODE_FAN) return true; /* points, lines */
    if (!open_column(g, position, "VEC3", 3, &vertices)) return false;
    if (vertices.type != TYPE_FLOAT)
        return fail(g, "positions are not floats. Export it without quantization.");
    if (member(primitive, "indices") && !open_column(g, number(primitive, "indices"), "SCALAR", 1, &index))
        return false;
    if (index.data && index.type == TYPE_FLOAT) return fail(g, "indices of a mesh are not whole numbers");
    if (!add_vertices(g, &vertices, at)) return false;
    const size_t n = index.data ? index.count : vertices.count;
    const bool mirrored = is_mirrored(at);
    for (size_t i = 0; i + 2 < n; i += mode == MODE_TRIANGLES ? 3 : 1) {
        const size_t corner[3] = {mode == MODE_FAN ? 0 : i, i + 1, i + 2};
        const bool flip = mirrored != (mode == MODE_STRIP && i % 2 == 1);
        if (!add_triangle(g, base, corner, &index, vertices.count, flip)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- nodes */

/* What a node does to points: turn, scale and move, or a matrix by columns. */
static struct affine own_of(const struct cJSON *node) {
    double m[16], move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1}, R[3][3];
    struct affine a;
    if (numbers(node, "matrix", 16, m)) {
        for (int c = 0; c < 4; c++)
            memcpy(a.column[c], m + 4 * c, sizeof a.column[c]);
        return a;
    }
    numbers(node, "translation", 3, move);
    numbers(node, "rotation", 4, turn);
    numbers(node, "scale", 3, scale);
    double rot[4] = {turn[3], turn[0], turn[1], turn[2]};
    if (!dquat_normalise(rot)) dquat_identity(rot);
    dquat_to_matrix(rot, R);
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            a.column[c][k] = R[k][c] * scale[c];
        a.column[3][k] = move[k];
    }
    return a;
}

static struct affine joined(const struct affine *outer, const struct affine *inner) {
    struct affine a;
    for (int c = 0; c < 4; c++) {
        carry(outer, inner->column[c], a.column[c]);
        for (int k = 0; k < 3 && c < 3; k++) /* directions are not moved */
            a.column[c][k] -= outer->column[3][k];
    }
    return a;
}

static bool visit(struct gltf *g, int index, const struct affine *outer, int depth) {
    const struct cJSON *node = entry(g, "nodes", index), *item;
    if (!node) return fail(g, "a scene names a node that does not exist");
    if (depth > MOST_DEPTH || g->visited++ > MOST_NODES)
        return fail(g, "it has too many nodes, or nodes in a circle");
    const struct affine own = own_of(node), at = joined(outer, &own);
    const int mesh = number(node, "mesh");
    if (mesh >= 0 && member(node, "skin")) {
        g->skinned++;
    } else if (mesh >= 0) {
        const struct cJSON *shape = entry(g, "meshes", mesh);
        if (!shape) return fail(g, "a node names a mesh that does not exist");
        cJSON_ArrayForEach(item, member(shape, "primitives")) {
            if (!add_primitive(g, item, &at)) return false;
        }
    }
    cJSON_ArrayForEach(item, member(node, "children")) {
        if (!cJSON_IsNumber(item) || !visit(g, (int)fmax(-1, fmin(item->valuedouble, 1e9)), &at, depth + 1))
            return g->error && g->error->status ? false : fail(g, "a node has children that are not numbers");
    }
    return true;
}

static bool visit_scene(struct gltf *g) {
    static const struct affine none = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    const int first = member(g->root, "scene") ? number(g->root, "scene") : 0;
    const struct cJSON *scene = entry(g, "scenes", first), *item;
    if (!scene) return fail(g, "it has no scene");
    cJSON_ArrayForEach(item, member(scene, "nodes")) {
        if (!cJSON_IsNumber(item)) return fail(g, "a scene has nodes that are not numbers");
        if (!visit(g, (int)fmax(-1, fmin(item->valuedouble, 1e9)), &none, 0)) return false;
    }
    return true;
}

struct sn__mesh_file *sn__gltf_read(const struct sn__source *source, const sn_load_def *options,
                                    sn_error *error) {
    sn_error own = {.status = SN_OK};
    struct gltf *g = sn__alloc(1, sizeof *g);
    struct sn__mesh_file *mesh = sn__alloc(1, sizeof *mesh);
    bool good = g && mesh;
    if (g)
        *g = (struct gltf){
            .root = source->json, .source = source, .options = options, .mesh = mesh, .error = &own};
    if (!good) sn__fail(&own, SN_ERROR_MEMORY, "%.200s: out of memory", source->path);
    good = good && open_buffers(g) && visit_scene(g);
    if (good && !mesh->nface) good = fail(g, "it has no triangles");
    if (good && g->skinned)
        sn__warn(options, "%.200s: %d mesh%s that a skeleton moves %s left out", source->path, g->skinned,
                 g->skinned == 1 ? "" : "es", g->skinned == 1 ? "is" : "are");
    for (int i = 0; g && i < g->nbuffer; i++)
        sn__free(g->buffer[i].owned);
    sn__free(g);
    if (good) return mesh;
    sn__mesh_file_free(mesh);
    if (error) *error = own;
    return NULL;
}
