/* Meshes of URDF: their convex hulls, found by what their files are called. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "import/load.h"
#include "import/urdf.h"

void sn__urdf_meshes_free(struct urdf_meshes *m) {
    for (int i = 0; i < m->nhull; i++)
        sn_hull_free(m->hull[i].hull);
    sn__free(m->hull);
    *m = (struct urdf_meshes){0};
}

/* Scales the vertices; a mirror image has the hull of its own points. */
static sn_hull *read_hull(const struct sn__xml_node *node, const struct urdf_hull *what, sn_error *why) {
    char *path = sn__mesh_find(node->file, what->file, why);
    struct sn__mesh_file *mesh = path ? sn__mesh_load(path, why) : NULL;
    for (int i = 0; mesh && i < mesh->nvertex; i++)
        for (int k = 0; k < 3; k++)
            mesh->vertex[i][k] *= what->scale[k];
    sn_hull *hull = mesh ? sn__mesh_hull(mesh, SN__MESH_HULL, why) : NULL;
    sn__free(path);
    sn__mesh_file_free(mesh);
    return hull;
}

static const struct urdf_hull *find(const struct urdf_meshes *m, const struct urdf_hull *what) {
    for (int i = 0; i < m->nhull; i++)
        if (strcmp(m->hull[i].file, what->file) == 0 &&
            memcmp(m->hull[i].scale, what->scale, sizeof what->scale) == 0)
            return &m->hull[i];
    return NULL;
}

int sn__urdf_mesh(const struct sn__xml_node *node, struct urdf_meshes *m, const sn_load_def *options,
                  const sn_hull **hull, sn_error *error) {
    struct urdf_hull what = {.file = sn__xml_string(node, "filename"), .scale = {1, 1, 1}};
    sn_error why = {.status = SN_OK};
    (void)options; /* told for all meshes together */
    *hull = NULL;
    if (!what.file) what.file = "";
    if (sn__xml_vector(node, "scale", 3, what.scale, error) < 0) return -1;
    const struct urdf_hull *known = find(m, &what);
    if (!known) {
        struct urdf_hull *grown = sn__grow(m->hull, &m->room, m->nhull + 1, sizeof *grown);
        if (grown) m->hull = grown, what.hull = read_hull(node, &what, &why);
        if (!grown || why.status == SN_ERROR_MEMORY) {
            sn__fail(error, SN_ERROR_MEMORY, "%.200s: out of memory", node->file);
            return -1;
        }
        m->hull[m->nhull] = what;
        known = &m->hull[m->nhull++];
        const double apart = what.hull ? sn_hull_get(what.hull)->apart : 0;
        m->coarse += apart > 0;
        if (apart > m->by) {
            m->by = apart;
            snprintf(m->coarsest, sizeof m->coarsest, "%.120s", what.file);
        }
    }
    *hull = known->hull;
    if (known->hull) return 1;
    m->missing++;
    if (!m->why[0]) snprintf(m->why, sizeof m->why, "%.200s", why.message);
    return 0;
}
