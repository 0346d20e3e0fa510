/* Mesh files, by the first byte STL, OBJ or MSH; and hulls of what they hold, or of the bytes as points. */
#include "fuzz_helpers.h"

#include "import/mesh.h"

/* A hull closes (Euler), has volume, and is the hull of its own vertices. */
static void check_hull(sn_hull *hull) {
    if (!hull) return;
    const sn_hull_info *h = sn_hull_get(hull);
    MUST(h->nvertex >= 4 && h->nface >= 4 && h->volume > 0);
    MUST(h->nvertex + h->nface - h->first[h->nface] / 2 == 2);
    sn_hull *again = sn_hull_create(h->vertex[0], h->nvertex, 0, NULL);
    MUST(again && sn_hull_get(again)->nvertex == h->nvertex);
    MUST(memcmp(sn_hull_get(again)->vertex, h->vertex, sizeof *h->vertex * (size_t)h->nvertex) == 0);
    sn_hull_free(again);
    sn_hull_free(hull);
}

/* Bytes as coordinates on a coarse raster: everything ties with everything. */
static void hull_of_bytes(const uint8_t *data, size_t size) {
    double point[600];
    const int n = size / 3 < 200 ? (int)(size / 3) : 200;
    for (int i = 0; i < 3 * n; i++)
        point[i] = (data[i] & 15) + (data[i] & 128 ? 1e-7 * (data[i] >> 4) : 0);
    check_hull(sn_hull_create(point, n, 0, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const name[] = {"fuzz.stl", "fuzz.obj", "fuzz.msh"};
    if (size < 1) return 0;
    const int kind = data[0] % 4;
    if (kind == 3) {
        hull_of_bytes(data + 1, size - 1);
        return 0;
    }
    char *text = malloc(size);
    MUST(text);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    sn_error error = {.status = SN_OK};
    struct sn__mesh_file *mesh = sn__mesh_parse(name[kind], text, size - 1, &error);
    if (mesh) {
        struct inertia inertia;
        for (int fill = SN__MESH_SOLID; fill <= SN__MESH_SHELL; fill++)
            sn__mesh_inertia(mesh, (enum sn__mesh_fill)fill, &inertia);
        check_hull(sn__mesh_hull(mesh, SN__MESH_HULL, NULL));
    } else {
        fuzz_must_explain(&error);
    }
    sn__mesh_file_free(mesh);
    free(text);
    return 0;
}
