/* Hulls of meshes, and where the files of meshes are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/quat.h"
#include "import/mesh.h"
#include "import/scene.h"
#include "model/hull.h"
#include "model/quickhull.h"

sn_hull *sn__mesh_hull(const struct sn__mesh_file *mesh, int most, sn_error *error) {
    return sn_hull_create(mesh->vertex[0], mesh->nvertex, most, error);
}

bool sn__mesh_close(struct sn__mesh_file *mesh, sn_error *error) {
    struct sn__quickhull q = {0};
    const enum sn__quickhull_result result =
        mesh->nvertex < 4 ? SN__QUICKHULL_FLAT
                          : sn__quickhull((const double(*)[3])mesh->vertex, mesh->nvertex, mesh->nvertex, &q);
    bool good = result == SN__QUICKHULL_GOOD;
    if (result == SN__QUICKHULL_MEMORY) sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    if (!good && result != SN__QUICKHULL_MEMORY)
        sn__fail(error, SN_ERROR_FORMAT, "there are no faces, and the vertices lie in one plane");
    for (int f = 0; f < q.nface && good; f++)
        if (!sn__mesh_add_face(mesh, q.face[f][0], q.face[f][1], q.face[f][2])) {
            sn__fail(error, SN_ERROR_MEMORY, "out of memory");
            good = false;
        }
    sn__free(q.face);
    return good;
}

/* ----------------------------------------------------------------------------------------------------- places */

/* folder/a/b, where `folder` is the first `length` bytes of a path, or nothing. */
static char *join(const char *folder, size_t length, const char *a, size_t a_length, const char *b) {
    const size_t size = length + a_length + strlen(b) + 3;
    char *path = sn__alloc(size, 1);
    if (path)
        snprintf(path, size, "%.*s%s%.*s%s%s", (int)length, folder,
                 length && folder[length - 1] != '/' ? "/" : "", (int)a_length, a, a_length ? "/" : "", b);
    return path;
}

/* Takes the path where there is such a file, and frees it where not. */
static bool take(char *path, char **found, bool *memory) {
    if (!path) *memory = true;
    if (path && sn__platform_is_file(path)) {
        *found = path;
        return true;
    }
    sn__free(path);
    return false;
}

/* In the folder of the document and those above it, ever shorter: folder/package/rest, folder/rest. */
static bool look_above(const char *document, const char *package, size_t length, const char *rest,
                       char **found, bool *memory) {
    const char *slash = strrchr(document, '/');
    size_t folder = slash ? (size_t)(slash - document) : 0;
    for (int level = 0; level < 64; level++) {
        const size_t at = folder ? folder : slash ? 1 : 0; /* "/" itself */
        if (take(join(document, at, package, length, rest), found, memory) ||
            take(join(document, at, "", 0, rest), found, memory))
            return true;
        if (folder == 0) return false;
        while (folder > 0 && document[folder - 1] != '/')
            folder--;
        while (folder > 0 && document[folder - 1] == '/')
            folder--;
    }
    return false;
}

char *sn__mesh_find(const char *document, const char *name, sn_error *error) {
    const char *scheme = strstr(name, "://"), *rest = scheme ? scheme + 3 : name;
    char *found = NULL;
    bool memory = false;
    if (scheme && strncmp(name, "file:", 5) != 0) { /* package://name/rest, model://name/rest */
        const size_t package = strcspn(rest, "/");
        const char *within = rest[package] ? rest + package + 1 : "";
        look_above(document, rest, package, within, &found, &memory);
    } else if (rest[0] == '/') {
        take(join("", 0, "", 0, rest), &found, &memory);
    } else {
        const char *slash = strrchr(document, '/');
        take(join(document, slash ? (size_t)(slash - document) + 1 : 0, "", 0, rest), &found, &memory);
    }
    if (!found && !memory) { /* where files were put together without their folders */
        const char *slash = strrchr(document, '/'), *bare = strrchr(rest, '/');
        take(join(document, slash ? (size_t)(slash - document) + 1 : 0, "", 0, bare ? bare + 1 : rest),
             &found, &memory);
    }
    if (!found && memory) sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    if (!found && !memory) sn__fail(error, SN_ERROR_FILE, "there is no file '%.200s'", name);
    return found;
}

/* ------------------------------------------------------------------------------------------------ as ground */

void sn__mesh_to_ground(struct sn__mesh_file *mesh, struct sn__scene_ground *ground) {
    ground->kind = SN__SCENE_MESH;
    ground->mesh = (sn_mesh_def){sizeof(sn_mesh_def), mesh->nvertex, mesh->nface,
                                 (const double(*)[3])mesh->vertex, (const int(*)[3])mesh->face};
    mesh->vertex = NULL, mesh->face = NULL;
    mesh->nvertex = mesh->nface = mesh->vertex_capacity = mesh->face_capacity = 0;
}

/* How far a point is within a hull, m, and the normal of the nearest face. */
static double depth_in(const sn_hull *hull, const double p[3], const double **normal) {
    double least = HUGE_VAL;
    for (int f = 0; f < hull->info.nface; f++) {
        const struct sn__hull_plane *plane = &hull->plane[f];
        double d = plane->offset;
        for (int k = 0; k < 3; k++)
            d -= plane->normal[k] * (p[k] - hull->info.centre[k]);
        if (d < least) least = d, *normal = plane->normal;
    }
    return least;
}

bool sn__mesh_is_hollow(const struct sn__mesh_file *mesh) {
    static const double DEEP = 0.1,
                        PART = 0.05; /* of half the thickness of the hull; of the area of the mesh */
    sn_hull *hull = mesh->nvertex ? sn__mesh_hull(mesh, SN__MESH_HULL, NULL) : NULL;
    double all = 0, within = 0;
    if (!hull) return mesh->nface > 0; /* flat, as floors are */
    for (int i = 0; i < mesh->nface; i++) {
        const double *a = mesh->vertex[mesh->face[i][0]], *b = mesh->vertex[mesh->face[i][1]],
                     *c = mesh->vertex[mesh->face[i][2]];
        double u[3], v[3], n[3], middle[3];
        for (int k = 0; k < 3; k++)
            u[k] = b[k] - a[k], v[k] = c[k] - a[k], middle[k] = (a[k] + b[k] + c[k]) / 3;
        dvec_cross(u, v, n);
        const double area = dvec_length(n);
        all += area;
        const double *out =
            n; /* a part of the surface of the hull that looks inwards is the inside of a room */
        const double depth = depth_in(hull, middle, &out);
        if (depth > DEEP * hull->inner || dvec_dot(n, out) < 0) within += area;
    }
    sn_hull_free(hull);
    return within > PART * all;
}
