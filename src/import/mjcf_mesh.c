#include "import/mjcf.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/quat.h"
#include "import/load.h"
#include "model/hull.h"

#include <string.h>
#include <stdio.h>

enum { MAX_MESHES = 4096 };

struct mjcf_mesh {
    const struct sn__xml_node *node;
    char *name; /* given, or that of the file without folders and ending */
    double scale[3], refpos[3], refquat[4];
    int fill;    /* sn__mesh_fill */
    bool convex; /* what is weighed is the hull */
    int most;    /* vertices of its hull */
    enum { UNREAD, READ, ABSENT } state[3];
    struct inertia inertia[2]; /* solid and shell, for density 1 */
    sn_hull *hull;             /* the third */
    bool absent;               /* counted as one that cannot be read */
};

/* ------------------------------------------------------------------------------------------------- assets */

char *sn__mjcf_asset_name(const struct sn__xml_node *node) {
    const char *name = sn__xml_string(node, "name"), *file = sn__xml_string(node, "file");
    size_t length;
    if (name) {
        length = strlen(name);
    } else {
        const char *slash = file ? strrchr(file, '/') : NULL, *dot;
        name = slash ? slash + 1 : file ? file : "";
        dot = strrchr(name, '.');
        length = dot ? (size_t)(dot - name) : strlen(name);
    }
    char *copy = sn__alloc(length + 1, 1);
    if (copy) memcpy(copy, name, length);
    return copy;
}

bool sn__mjcf_mesh_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const fills[] = {"exact", "legacy", "shell", "convex", NULL};
    sn_error *error = mjcf->error;
    int class = sn__mjcf_class_of(mjcf, node, "class", 0);
    if (class < 0) return false;
    struct mjcf_mesh mesh = {.node = node,
                             .refquat = {1, 0, 0, 0},
                             .fill = mjcf->compiler.exact_mesh_inertia ? SN__MESH_SOLID : SN__MESH_ABSOLUTE};
    double most = -1;
    memcpy(mesh.scale, mjcf->class[class].mesh_scale, sizeof mesh.scale);
    if (sn__xml_vector(node, "scale", 3, mesh.scale, error) < 0 ||
        sn__xml_vector(node, "refpos", 3, mesh.refpos, error) < 0 ||
        sn__xml_vector(node, "refquat", 4, mesh.refquat, error) < 0 ||
        sn__xml_choice(node, "inertia", fills, &mesh.fill, error) < 0 ||
        sn__xml_number(node, "maxhullvert", &most, error) < 0)
        return false;
    if (!dquat_normalise(mesh.refquat)) {
        sn__xml_fail_attribute(node, "refquat", error, "is zero");
        return false;
    }
    if (mesh.fill > SN__MESH_SHELL) {
        mesh.fill = SN__MESH_SOLID;
        mesh.convex = true;
    }
    mesh.most = most >= 4 && most <= SN_MAX_HULL_VERTICES ? (int)most : SN__MESH_HULL;
    if (mjcf->nmesh == MAX_MESHES) {
        sn__xml_fail(node, error, SN_ERROR_TOO_LARGE, "is one too many: at most %d are read",
                     (int)MAX_MESHES);
        return false;
    }
    struct mjcf_mesh *grown = sn__grow(mjcf->mesh, &mjcf->mesh_capacity, mjcf->nmesh + 1, sizeof *grown);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    mjcf->mesh = grown;
    mesh.name = sn__mjcf_asset_name(node);
    if (!mesh.name) return sn__mjcf_no_memory(mjcf);
    mjcf->mesh[mjcf->nmesh++] = mesh;
    return true;
}

void sn__mjcf_mesh_free(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->nmesh; i++) {
        sn__free(mjcf->mesh[i].name);
        sn_hull_free(mjcf->mesh[i].hull);
    }
    sn__free(mjcf->mesh);
}

/* ------------------------------------------------------------------------------------------------- reading */

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t\r\n");
}

/* Vertices and triangles given in the MJCF file itself. */
static struct sn__mesh_file *read_inline(const struct mjcf_mesh *from, const char *vertices,
                                         sn_error *error) {
    const char *faces = sn__xml_string(from->node, "face"), *wrong = NULL;
    struct sn__mesh_file *mesh = sn__alloc(1, sizeof *mesh);
    double value[3];
    if (!mesh) wrong = "out of memory";
    for (const char *text = skip_blanks(vertices); !wrong && *text;) {
        for (int i = 0; !wrong && i < 3; i++, text = skip_blanks(text))
            if (!sn__xml_parse_number(&text, &value[i]) || !(fabs(value[i]) < 1e9))
                wrong = "the vertices are not threes of numbers";
        if (!wrong && !sn__mesh_add_vertex(mesh, value)) wrong = "too large, or out of memory";
    }
    for (const char *text = wrong || !faces ? "" : skip_blanks(faces); !wrong && *text;) {
        for (int i = 0; !wrong && i < 3; i++, text = skip_blanks(text))
            if (!sn__xml_parse_number(&text, &value[i]) || !(value[i] >= 0 && value[i] < mesh->nvertex))
                wrong = "the faces are not threes of vertices";
        if (!wrong && !sn__mesh_add_face(mesh, (int)value[0], (int)value[1], (int)value[2]))
            wrong = "too large, or out of memory";
    }
    if (!wrong && (faces || sn__mesh_close(mesh, error))) return mesh;
    if (wrong) sn__xml_fail(from->node, error, SN_ERROR_FORMAT, "%s", wrong);
    sn__mesh_file_free(mesh);
    return NULL;
}

static struct sn__mesh_file *load(const struct mjcf *mjcf, const struct mjcf_mesh *from, sn_error *error) {
    const char *file = sn__xml_string(from->node, "file"), *vertices = sn__xml_string(from->node, "vertex");
    if (!file && vertices) return read_inline(from, vertices, error);
    if (!file) {
        sn__xml_fail_attribute(from->node, "file", error, "is missing");
        return NULL;
    }
    char *path = sn__mjcf_path_from(mjcf, from->node, mjcf->compiler.meshdir, file);
    if (!path) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    struct sn__mesh_file *mesh = NULL;
    sn_error unused;
    char *beside = sn__platform_exists(path) ? NULL : sn__mesh_find(mjcf->path, file, &unused);
    if (beside)
        mesh = sn__mesh_load(beside, error);
    else if (sn__mjcf_is_file(path))
        mesh = sn__mesh_load(path, error);
    else
        sn__fail(error, SN_ERROR_FILE, "%.200s: is not a file", path);
    sn__free(beside);
    sn__free(path);
    return mesh;
}

/* From the file's frame to the asset's: moved, turned, scaled. A mirror image has its triangles the other way round. */
static void transform(const struct mjcf_mesh *from, struct sn__mesh_file *mesh) {
    double back[4];
    dquat_conjugate(from->refquat, back);
    for (int i = 0; i < mesh->nvertex; i++) {
        double *vertex = mesh->vertex[i];
        for (int k = 0; k < 3; k++)
            vertex[k] -= from->refpos[k];
        dquat_rotate(back, vertex, vertex);
        for (int k = 0; k < 3; k++)
            vertex[k] *= from->scale[k];
    }
    if (from->scale[0] * from->scale[1] * from->scale[2] >= 0) return;
    for (int f = 0; f < mesh->nface; f++) {
        int *face = mesh->face[f], kept = face[1];
        face[1] = face[2], face[2] = kept;
    }
}

static struct mjcf_mesh *find(const struct mjcf *mjcf, const char *name) {
    for (int i = 0; i < mjcf->nmesh; i++)
        if (strcmp(mjcf->mesh[i].name, name) == 0) return &mjcf->mesh[i];
    return NULL;
}

/* The mesh in the asset's frame, or NULL and why. */
static struct sn__mesh_file *load_asset(const struct mjcf *mjcf, const struct mjcf_mesh *asset,
                                        sn_error *why) {
    struct sn__mesh_file *mesh = load(mjcf, asset, why);
    if (mesh) transform(asset, mesh);
    return mesh;
}

/* Counts a mesh that cannot be read, and keeps the message about the first. */
static void count_absent(struct mjcf *mjcf, struct mjcf_mesh *asset, const struct sn__xml_node *node,
                         const char *why) {
    if (asset->absent) return;
    asset->absent = true;
    if (mjcf->nabsent++ == 0)
        snprintf(mjcf->absent, sizeof mjcf->absent, "%.120s:%d: <%.20s> is left out: %.200s", node->file,
                 node->line, node->name, why);
}

/* Of the mesh as it is, or of its hull. */
static void weigh(const struct mjcf_mesh *asset, const struct sn__mesh_file *mesh, enum sn__mesh_fill fill,
                  struct inertia *inertia, sn_error *why) {
    sn_hull *hull = asset->convex && fill != SN__MESH_SHELL ? sn__mesh_hull(mesh, 0, why) : NULL;
    if (hull)
        *inertia = sn__hull_inertia(hull);
    else if (why->status == SN_OK && !sn__mesh_inertia(mesh, fill, inertia))
        sn__xml_fail(asset->node, why, SN_ERROR_FORMAT, "encloses nothing, so that it has no mass");
    sn_hull_free(hull);
}

bool sn__mjcf_mesh_inertia(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                           struct inertia *inertia) {
    struct mjcf_mesh *asset = geom->mesh ? find(mjcf, geom->mesh) : NULL;
    *inertia = (struct inertia){0};
    if (!asset) {
        sn__xml_fail_attribute(node, "mesh", mjcf->error, "there is no mesh '%.63s'",
                               geom->mesh ? geom->mesh : "");
        return false;
    }
    int shell = geom->shell || asset->fill == SN__MESH_SHELL;
    if (asset->state[shell] == UNREAD) {
        sn_error why = {.status = SN_OK};
        struct sn__mesh_file *mesh = load_asset(mjcf, asset, &why);
        enum sn__mesh_fill fill = shell ? SN__MESH_SHELL : (enum sn__mesh_fill)asset->fill;
        if (mesh) weigh(asset, mesh, fill, &asset->inertia[shell], &why);
        sn__mesh_file_free(mesh);
        if (why.status != SN_OK && !mjcf->options->allow_missing_mesh) {
            sn__xml_fail_attribute(node, "mesh", mjcf->error, "its body has its mass from this mesh, but %s",
                                   why.message);
            if (mjcf->error) mjcf->error->status = why.status;
            return false;
        }
        if (why.status != SN_OK) {
            count_absent(mjcf, asset, node, why.message);
            mjcf->nunweighed++;
        }
        asset->state[shell] = why.status == SN_OK ? READ : ABSENT;
    }
    if (asset->state[shell] == READ) *inertia = asset->inertia[shell];
    return true;
}

bool sn__mjcf_mesh_hull(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                        const sn_hull **hull) {
    struct mjcf_mesh *asset = geom->mesh ? find(mjcf, geom->mesh) : NULL;
    *hull = NULL;
    if (!asset) {
        sn__xml_fail_attribute(node, "mesh", mjcf->error, "there is no mesh '%.63s'",
                               geom->mesh ? geom->mesh : "");
        return false;
    }
    if (asset->state[2] == UNREAD) {
        sn_error why = {.status = SN_OK};
        struct sn__mesh_file *mesh = load_asset(mjcf, asset, &why);
        asset->hull = mesh ? sn__mesh_hull(mesh, asset->most, &why) : NULL;
        asset->state[2] = asset->hull ? READ : ABSENT;
        sn__mesh_file_free(mesh);
        if (why.status == SN_ERROR_MEMORY) return sn__mjcf_no_memory(mjcf);
        if (!asset->hull) count_absent(mjcf, asset, node, why.message);
        const double apart = asset->hull ? sn_hull_get(asset->hull)->apart : 0;
        mjcf->ncoarse += apart > 0;
        if (apart > mjcf->coarse_by) {
            mjcf->coarse_by = apart;
            snprintf(mjcf->coarse_name, sizeof mjcf->coarse_name, "%.63s", asset->name);
        }
    }
    *hull = asset->hull;
    return true;
}

bool sn__mjcf_mesh_ground(struct mjcf *mjcf, const struct mjcf_geom *geom, const sn_shape_def *place,
                          struct sn__scene_ground *ground) {
    struct mjcf_mesh *asset = geom->mesh ? find(mjcf, geom->mesh) : NULL;
    sn_error why = {.status = SN_OK};
    struct sn__mesh_file *mesh = asset ? load_asset(mjcf, asset, &why) : NULL;
    const bool hollow = mesh && sn__mesh_is_hollow(mesh);
    if (hollow) {
        for (int i = 0; i < mesh->nvertex; i++) {
            double turned[3];
            dquat_rotate(place->rot, mesh->vertex[i], turned);
            for (int k = 0; k < 3; k++)
                mesh->vertex[i][k] = place->pos[k] + turned[k];
        }
        sn__mesh_to_ground(mesh, ground);
        sn__note(mjcf->options,
                 "%.200s: mesh '%.63s' of the world is hollow: its triangles are ground, not its hull",
                 mjcf->path, asset->name);
    }
    sn__mesh_file_free(mesh);
    return hollow;
}

void sn__mjcf_mesh_tell(const struct mjcf *mjcf) {
    char more[64] = "", mass[64] = "";
    if (mjcf->nabsent > 1) snprintf(more, sizeof more, "; and so are %d meshes more", mjcf->nabsent - 1);
    if (mjcf->nunweighed > 0)
        snprintf(mass, sizeof mass, "; bodies lack the mass of %d of them", mjcf->nunweighed);
    if (mjcf->nabsent > 0) sn__warn(mjcf->options, "%s%s%s", mjcf->absent, more, mass);
    if (mjcf->ncoarse > 0)
        sn__note(mjcf->options,
                 "%.200s: %d mesh%s as a hull of fewer vertices than its own, up to %.2g m within it ('%s')",
                 mjcf->path, mjcf->ncoarse, mjcf->ncoarse == 1 ? " touches" : "es touch, each",
                 mjcf->coarse_by, mjcf->coarse_name);
}
