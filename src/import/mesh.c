#include "import/mesh.h"

#include "base/memory.h"
#include "base/quat.h"
#include "import/load.h"
#include "import/xml.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* --------------------------------------------------------------------------------------------- the mesh */

bool sn__mesh_add_vertex(struct sn__mesh_file *mesh, const double vertex[3]) {
    if (mesh->nvertex == SN__MESH_MAX) return false;
    double(*grown)[3] = sn__grow(mesh->vertex, &mesh->vertex_capacity, mesh->nvertex + 1, sizeof *grown);
    if (!grown) return false;
    mesh->vertex = grown;
    memcpy(mesh->vertex[mesh->nvertex++], vertex, sizeof *grown);
    return true;
}

bool sn__mesh_add_face(struct sn__mesh_file *mesh, int a, int b, int c) {
    if (mesh->nface == SN__MESH_MAX) return false;
    int(*grown)[3] = sn__grow(mesh->face, &mesh->face_capacity, mesh->nface + 1, sizeof *grown);
    if (!grown) return false;
    mesh->face = grown;
    int *face = mesh->face[mesh->nface++];
    face[0] = a, face[1] = b, face[2] = c;
    return true;
}

void sn__mesh_file_free(struct sn__mesh_file *mesh) {
    if (!mesh) return;
    sn__free(mesh->vertex);
    sn__free(mesh->face);
    sn__free(mesh);
}

/* Three new corners. */
static bool add_triangle(struct sn__mesh_file *mesh, double corner[3][3]) {
    int first = mesh->nvertex;
    for (int i = 0; i < 3; i++)
        if (!sn__mesh_add_vertex(mesh, corner[i])) return false;
    return sn__mesh_add_face(mesh, first, first + 1, first + 2);
}

/* ---------------------------------------------------------------------------------------------- binaries */

/* Little-endian, as the formats have it. */
static uint32_t read_u32(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

static double read_f32(const char *at) {
    uint32_t bits = read_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* 80 bytes of anything, the number of triangles, then for each a normal, three corners and two bytes. */
static const char *read_stl_binary(struct sn__mesh_file *mesh, const char *text, size_t size) {
    uint32_t count = read_u32(text + 80);
    if (count > SN__MESH_MAX / 3) return "the STL file has too many triangles";
    if (size - 84 != (size_t)count * 50) return "the STL file does not have the size it should";
    for (uint32_t t = 0; t < count; t++) {
        double corner[3][3];
        for (int i = 0; i < 9; i++)
            corner[i / 3][i % 3] = read_f32(text + 84 + 50 * (size_t)t + 12 + 4 * (size_t)i);
        if (!add_triangle(mesh, corner)) return "out of memory";
    }
    return NULL;
}

/* Numbers of vertices, normals, texture coordinates and triangles, then all of these. */
static const char *read_msh(struct sn__mesh_file *mesh, const char *text, size_t size) {
    if (size < 16) return "the MSH file is too short";
    uint32_t count[4];
    for (int i = 0; i < 4; i++) {
        count[i] = read_u32(text + 4 * i);
        if (count[i] > SN__MESH_MAX) return "the MSH file is too large";
    }
    size_t nvertex = count[0], nnormal = count[1], ntexture = count[2], nface = count[3];
    if (size != 16 + 12 * nvertex + 12 * nnormal + 8 * ntexture + 12 * nface)
        return "the MSH file does not have the size it should";
    for (size_t i = 0; i < nvertex; i++) {
        const char *at = text + 16 + 12 * i;
        double vertex[3] = {read_f32(at), read_f32(at + 4), read_f32(at + 8)};
        if (!sn__mesh_add_vertex(mesh, vertex)) return "out of memory";
    }
    text += 16 + 12 * nvertex + 12 * nnormal + 8 * ntexture;
    for (size_t i = 0; i < nface; i++) {
        uint32_t index[3];
        for (size_t k = 0; k < 3; k++) {
            index[k] = read_u32(text + 12 * i + 4 * k);
            if (index[k] >= nvertex) return "a triangle of the MSH file has a vertex that does not exist";
        }
        if (!sn__mesh_add_face(mesh, (int)index[0], (int)index[1], (int)index[2])) return "out of memory";
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------------- texts */

const char *sn__mesh_skip_blanks(const char *text) {
    return text + strspn(text, " \t\r");
}

const char *sn__mesh_next_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

bool sn__mesh_read_three(const char *text, double value[3]) {
    for (int i = 0; i < 3; i++) {
        text = sn__mesh_skip_blanks(text);
        if (!sn__xml_parse_number(&text, &value[i])) return false;
    }
    return true;
}

/* "vertex x y z", three times a triangle; all other lines say nothing that is needed. */
static const char *read_stl_text(struct sn__mesh_file *mesh, const char *text) {
    double corner[3][3];
    int have = 0;
    for (; *text; text = sn__mesh_next_line(text)) {
        const char *word = sn__mesh_skip_blanks(text);
        if (strncasecmp(word, "vertex", 6) != 0) continue;
        if (!sn__mesh_read_three(word + 6, corner[have]))
            return "a vertex of the STL file is not three numbers";
        if (++have < 3) continue;
        have = 0;
        if (!add_triangle(mesh, corner)) return "too large, or out of memory";
    }
    return NULL;
}

/* -------------------------------------------------------------------------------------------------- files */

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), part = strlen(ending);
    return length >= part && strcasecmp(path + length - part, ending) == 0;
}

/* The text has a '\0' behind it. */
static const char *read_mesh(struct sn__mesh_file *mesh, const char *path, const char *text, size_t size) {
    if (ends_with(path, ".msh")) return read_msh(mesh, text, size);
    if (ends_with(path, ".obj")) return sn__mesh_read_obj(mesh, text);
    if (!ends_with(path, ".stl")) return "only STL, OBJ and MSH meshes are read";
    bool binary = size >= 84 && size - 84 == (size_t)read_u32(text + 80) * 50;
    if (!binary && size > 6 && strncasecmp(sn__mesh_skip_blanks(text), "solid", 5) == 0)
        return read_stl_text(mesh, text);
    return size < 84 ? "the STL file is too short" : read_stl_binary(mesh, text, size);
}

struct sn__mesh_file *sn__mesh_load(const char *path, sn_error *error) {
    size_t size;
    char *text = sn__file_read(path, &size, error);
    if (!text) return NULL;
    struct sn__mesh_file *mesh = sn__mesh_parse(path, text, size, error);
    sn__free(text);
    return mesh;
}

struct sn__mesh_file *sn__mesh_parse(const char *path, const char *text, size_t size, sn_error *error) {
    struct sn__mesh_file *mesh = sn__alloc(1, sizeof *mesh);
    const char *wrong = mesh ? read_mesh(mesh, path, text, size) : "out of memory";
    for (int i = 0; !wrong && i < mesh->nvertex; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(mesh->vertex[i][k]) < 1e9)) wrong = "a vertex is not finite, or too far away";
    if (!wrong && mesh->nface == 0) wrong = "there are no triangles";
    if (!wrong) return mesh;
    sn__fail(error, SN_ERROR_FORMAT, "%.200s: %s", path, wrong);
    sn__mesh_file_free(mesh);
    return NULL;
}

bool sn__mesh_inertia(const struct sn__mesh_file *mesh, enum sn__mesh_fill fill, struct inertia *inertia) {
    const struct sn__triangles triangles = {(const double(*)[3])mesh->vertex, (const int(*)[3])mesh->face,
                                            mesh->nface};
    return sn__triangles_inertia(&triangles, fill, inertia);
}
