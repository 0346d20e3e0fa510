/* What belongs to the world rather than to a model: its geoms, which are ground, gravity and the step. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/hull.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- ground */

static struct sn__scene_ground *new_ground(struct mjcf *mjcf, const struct sn__xml_node *node) {
    struct sn__scene *scene = mjcf->scene;
    if (scene->nground == MJCF_MAX_GROUND) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                     "is one too many: at most %d geoms of the world are read", (int)MJCF_MAX_GROUND);
        return NULL;
    }
    struct sn__scene_ground *grown =
        sn__grow(scene->ground, &scene->ground_capacity, scene->nground + 1, sizeof *grown);
    if (!grown) {
        sn__mjcf_no_memory(mjcf);
        return NULL;
    }
    scene->ground = grown;
    memset(&grown[scene->nground], 0, sizeof *grown);
    return &grown[scene->nground];
}

/* Height fields lie level: a turn about z by quarters could be had, others not. */
static bool is_level(const double rot[4]) {
    return fabs(rot[1]) < 1e-9 && fabs(rot[2]) < 1e-9 && fabs(rot[3]) < 1e-9;
}

static bool add_field(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                      const sn_shape_def *shape) {
    if (!geom->hfield) {
        sn__xml_fail_attribute(node, "hfield", mjcf->error, "is missing");
        return false;
    }
    if (!is_level(shape->rot)) {
        sn__mjcf_warn_once(mjcf, node, "turned field", "is a height field that is turned, and is left out");
        return true;
    }
    struct sn__scene_ground *ground = new_ground(mjcf, node);
    if (!ground) return false;
    ground->kind = SN__SCENE_FIELD;
    ground->shape = *shape;
    ground->shape.type = SN_SHAPE_SPHERE; /* a material */
    ground->shape.size[0] = 1;
    if (!sn__mjcf_hfield_ground(mjcf, node, geom->hfield, ground)) return false;
    for (int i = 0; i < 3; i++)
        ground->field.origin[i] += shape->pos[i];
    return sn__mjcf_geom_name(mjcf, node, -1, mjcf->scene->nground++);
}

/* A mesh that is hollow, as levels are: its triangles are ground. */
static bool add_level(struct mjcf *mjcf, const struct sn__xml_node *node, struct sn__scene_ground *level) {
    struct sn__scene_ground *ground = new_ground(mjcf, node);
    if (!ground) {
        sn__free_all((void *)level->mesh.vertex, (void *)level->mesh.triangle);
        return false;
    }
    *ground = *level;
    ground->shape.type = SN_SHAPE_SPHERE; /* a material */
    ground->shape.size[0] = 1;
    return sn__mjcf_geom_name(mjcf, node, -1, mjcf->scene->nground++);
}

bool sn__mjcf_ground_read(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                          const struct mjcf_place *place) {
    sn_shape_def shape;
    bool is_shape;
    if (geom->contype == 0 && geom->conaffinity == 0) return true; /* for the eye */
    if (!sn__mjcf_geom_shape(mjcf, node, geom, place, &shape, &is_shape)) return false;
    if (geom->type == MJCF_HFIELD) return add_field(mjcf, node, geom, &shape);
    if (geom->type == MJCF_MESH && geom->mesh) {
        struct sn__scene_ground level = {.shape = shape};
        if (sn__mjcf_mesh_ground(mjcf, geom, &shape, &level)) return add_level(mjcf, node, &level);
    }
    if (geom->mesh && !sn__mjcf_mesh_shape(mjcf, node, geom, &shape, &is_shape)) return false;
    if (!is_shape && geom->type != MJCF_PLANE) return true; /* a mesh that is not there, which is reported */
    struct sn__scene_ground *ground = new_ground(mjcf, node);
    if (!ground) return false;
    ground->kind = geom->type == MJCF_PLANE ? SN__SCENE_PLANE : SN__SCENE_SHAPE;
    ground->shape = shape;
    sn__hull_share(shape.hull);
    if (geom->type == MJCF_PLANE) ground->shape.size[0] = 1;
    return sn__mjcf_geom_name(mjcf, node, -1, mjcf->scene->nground++);
}

/* ----------------------------------------------------------------------------------------------------- option */

static bool disabled(const struct sn__xml_node *flag, const char *name) {
    const char *word = flag ? sn__xml_string(flag, name) : NULL;
    return word && strcmp(word, "disable") == 0;
}

/* Gravity that only a world can have. */
static void warn_gravity(struct mjcf *mjcf, const struct sn__xml_node *node, const double g[3]) {
    if (g[0] != 0 || g[1] != 0 || g[2] != -9.81)
        sn__mjcf_warn_once(mjcf, node, "gravity",
                           "asks for gravity %g %g %g: a model holds none, set it in the character", g[0],
                           g[1], g[2]);
}

bool sn__mjcf_option_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    struct sn__scene *scene = mjcf->scene;
    double gravity[3] = {0, 0, -9.81}, density = 0, viscosity = 0, wind[3] = {0}, dt = 0.002;
    int given = sn__xml_vector(node, "gravity", 3, gravity, mjcf->error);
    int stepped = sn__xml_number(node, "timestep", &dt, mjcf->error);
    if (given < 0 || stepped < 0 || sn__xml_number(node, "density", &density, mjcf->error) < 0 ||
        sn__xml_number(node, "viscosity", &viscosity, mjcf->error) < 0 ||
        sn__xml_vector(node, "wind", 3, wind, mjcf->error) < 0)
        return false;
    if (stepped > 0 && !(dt > 0)) {
        sn__xml_fail_attribute(node, "timestep", mjcf->error, "is not positive");
        return false;
    }
    const struct sn__xml_node *flag = sn__xml_child(node, "flag");
    if (disabled(flag, "gravity")) memset(gravity, 0, sizeof gravity), given = 1;
    if (density != 0 || viscosity != 0)
        sn__mjcf_warn_once(mjcf, node, "fluid", "asks for a fluid, which is left out");
    if (!scene) {
        warn_gravity(mjcf, node, gravity);
        return true;
    }
    if (given > 0) memcpy(scene->gravity, gravity, sizeof gravity);
    if (stepped > 0) scene->dt = dt;
    if (disabled(flag, "contact") || disabled(flag, "constraint")) scene->contact = false;
    if (disabled(flag, "limit") || disabled(flag, "constraint")) scene->limits = false;
    if (disabled(flag, "equality") || disabled(flag, "frictionloss") || disabled(flag, "actuation"))
        sn__mjcf_warn_once(mjcf, flag, "flag", "switches off parts of the model, which stay on here");
    return true;
}
