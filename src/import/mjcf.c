/* MJCF, the format of MuJoCo.
 *
 * Read are the tree of bodies with their joints, geoms and inertias, default classes, included files, frames, and what
 * the compiler element says about them; parts that are repeated or attached; actuators on joints and fixed tendons become
 * gains, torque limits and springs between joints, a keyframe becomes the pose to start from; equalities become constraints
 * of the model. The first number of a geom's friction counts; contype and conaffinity are a shape's group and
 * mask. Excluded pairs of bodies stay so.
 *
 * Positions. MuJoCo's qpos of a hinge or slide shows ref where the body stands as the file places it; here that is
 * q = 0. So q = qpos - ref, also for limits, spring rests and the keyframe; all other values agree, and both count
 * degrees of freedom in the same order.
 *
 * Limits count where a range is given and nothing else is said, as in MuJoCo 3. The limit of a ball joint bounds its
 * swing, and its twist either way.
 *
 * Meshes are read where a body has its mass from them, and only then. MuJoCo's own way to weigh them is kept: pyramids
 * seen from the middle of the surface, all counted as positive, unless the file asks for exactmeshinertia.
 *
 * What has no counterpart is left out with one warning a kind. Geoms of the world are ground of a scene (sn_world_load); a
 * model alone is without them. */
#include "import/attributes.h"
#include "import/mjcf.h"

#include "base/memory.h"
#include "import/load.h"
#include "import/readers.h"
#include "model/builder.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- compiler */

static bool read_eulerseq(struct mjcf *mjcf, const struct sn__xml_node *node) {
    const char *sequence = sn__xml_string(node, "eulerseq");
    if (!sequence) return true;
    if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
        sn__xml_fail_attribute(node, "eulerseq", mjcf->error, "'%.20s' is not three of x, y, z, X, Y and Z",
                               sequence);
        return false;
    }
    memcpy(mjcf->compiler.eulerseq, sequence, 4);
    return true;
}

static bool read_compiler(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const angles[] = {"radian", "degree", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};
    static const char *const sources[] = {"false", "true", "auto", NULL};
    struct mjcf_compiler *compiler = &mjcf->compiler;
    sn_error *error = mjcf->error;
    int angle = compiler->degree, global = 0;
    bool fuse = false, align = false, fit = false;
    double groups[2] = {compiler->group_range[0], compiler->group_range[1]};
    if (sn__xml_choice(node, "angle", angles, &angle, error) < 0 ||
        sn__xml_choice(node, "coordinate", coordinates, &global, error) < 0 ||
        sn__xml_choice(node, "inertiafromgeom", sources, &compiler->inertia_source, error) < 0 ||
        sn__xml_bool(node, "autolimits", &compiler->autolimits, error) < 0 ||
        sn__xml_bool(node, "balanceinertia", &compiler->balanceinertia, error) < 0 ||
        sn__xml_bool(node, "discardvisual", &compiler->discardvisual, error) < 0 ||
        sn__xml_bool(node, "exactmeshinertia", &compiler->exact_mesh_inertia, error) < 0 ||
        sn__xml_bool(node, "fusestatic", &fuse, error) < 0 ||
        sn__xml_bool(node, "alignfree", &align, error) < 0 ||
        sn__xml_bool(node, "fitaabb", &fit, error) < 0 ||
        sn__xml_vector(node, "inertiagrouprange", 2, groups, error) < 0 ||
        sn__xml_number(node, "boundmass", &compiler->boundmass, error) < 0 ||
        sn__xml_number(node, "boundinertia", &compiler->boundinertia, error) < 0 ||
        sn__xml_number(node, "settotalmass", &compiler->settotalmass, error) < 0 ||
        !read_eulerseq(mjcf, node))
        return false;
    compiler->degree = angle == 1;
    for (int i = 0; i < 2; i++)
        compiler->group_range[i] = (int)fmax(-1e6, fmin(1e6, groups[i]));
    if (global) {
        sn__xml_fail_attribute(
            node, "coordinate", error,
            "global coordinates are not read; MuJoCo itself gave them up in version 2.3.4");
        return false;
    }
    const char *assetdir = sn__xml_string(node, "assetdir"), *meshdir = sn__xml_string(node, "meshdir");
    if (assetdir) compiler->meshdir = assetdir;
    if (meshdir) compiler->meshdir = meshdir;
    if (fuse) sn__mjcf_warn_once(mjcf, node, "fusestatic", "asks for fusestatic: bodies without joints stay");
    if (align) sn__mjcf_warn_once(mjcf, node, "align", "asks for alignfree: bodies keep their own axes");
    if (fit)
        sn__mjcf_warn_once(mjcf, node, "fitaabb",
                           "asks for fitaabb: shapes are fitted to the inertia of a mesh");
    return true;
}

/* ------------------------------------------------------------------------------------------------- assets */

bool sn__mjcf_children(struct mjcf *mjcf, const struct sn__xml_node *parent, const struct mjcf_child *known) {
    const struct sn__xml_node *node;
    for (struct mjcf_walk walk = sn__mjcf_walk(parent); (node = sn__mjcf_next(mjcf, &walk));) {
        const struct mjcf_child *child = known;
        while (child->name && strcmp(child->name, node->name) != 0)
            child++;
        if (!child->name) sn__mjcf_skip(mjcf, node);
        if (child->read && !child->read(mjcf, node)) return false;
    }
    return true;
}

static bool read_assets(struct mjcf *mjcf, const struct sn__xml_node *asset) {
    static const struct mjcf_child known[] = {{"mesh", sn__mjcf_mesh_read},
                                              {"model", sn__mjcf_model_read},
                                              {"hfield", sn__mjcf_hfield_read},
                                              {"texture", NULL},
                                              {"material", NULL},
                                              {NULL, NULL}};
    return sn__mjcf_children(mjcf, asset, known);
}

/* ----------------------------------------------------------------------------------------------- sections */

/* Sections are read kind by kind, whatever their order in the file. */
bool sn__mjcf_sections(struct mjcf *mjcf, const struct sn__xml_node *root, const char *name,
                       bool (*read)(struct mjcf *, const struct sn__xml_node *)) {
    const struct sn__xml_node *section;
    for (struct mjcf_walk walk = sn__mjcf_walk(root); (section = sn__mjcf_next(mjcf, &walk));)
        if (strcmp(section->name, name) == 0 && !read(mjcf, section)) return false;
    return true;
}

static void skip_sections(struct mjcf *mjcf, const struct sn__xml_node *root) {
    static const char *const known[] = {"compiler", "option",   "default", "asset",  "worldbody",
                                        "actuator", "keyframe", "size",    "visual", "statistic",
                                        "contact",  "equality", "tendon",  NULL};
    const struct sn__xml_node *section;
    for (struct mjcf_walk walk = sn__mjcf_walk(root); (section = sn__mjcf_next(mjcf, &walk));) {
        bool skip = true;
        for (int i = 0; known[i]; i++)
            skip &= strcmp(section->name, known[i]) != 0;
        if (skip) sn__mjcf_skip(mjcf, section);
    }
}

bool sn__mjcf_setup_read(struct mjcf *mjcf, const struct sn__xml_node *root) {
    return sn__mjcf_class_init(mjcf) && sn__mjcf_sections(mjcf, root, "compiler", read_compiler) &&
           sn__mjcf_sections(mjcf, root, "default", sn__mjcf_class_read) &&
           sn__mjcf_sections(mjcf, root, "asset", read_assets);
}

bool sn__mjcf_links_read(struct mjcf *mjcf, const struct sn__xml_node *root) {
    return sn__mjcf_sections(mjcf, root, "contact", sn__mjcf_contact_read) &&
           sn__mjcf_sections(mjcf, root, "tendon", sn__mjcf_tendons_read) &&
           sn__mjcf_sections(mjcf, root, "equality", sn__mjcf_equality_read) &&
           sn__mjcf_sections(mjcf, root, "actuator", sn__mjcf_actuators_read);
}

static bool read_all(struct mjcf *mjcf, const struct sn__xml_node *root) {
    if (!sn__mjcf_include_all(mjcf, root)) return false;
    skip_sections(mjcf, root);
    if (!sn__mjcf_sections(mjcf, root, "option", sn__mjcf_option_read) || !sn__mjcf_setup_read(mjcf, root) ||
        !sn__mjcf_key_controls(mjcf, root) ||
        !sn__mjcf_sections(mjcf, root, "worldbody", sn__mjcf_world_read) || !sn__mjcf_links_read(mjcf, root))
        return false;
    if (mjcf->nscenery > 0)
        sn__warn(mjcf->options, "%.200s: %d shape%s fixed to the world %s left out", mjcf->path,
                 mjcf->nscenery, mjcf->nscenery == 1 ? "" : "s", mjcf->nscenery == 1 ? "is" : "are");
    sn__mjcf_mesh_tell(mjcf);
    sn__mjcf_mass_scale_all(mjcf);
    sn__mjcf_actuators_end(mjcf);
    return sn__mjcf_key_pose(mjcf, root);
}

/* -------------------------------------------------------------------------------------------------- model */

/* Puts file and line before a message of the builder that is about a body of this name. */
static void place_error(const struct mjcf *mjcf, const char *culprit, sn_error *error) {
    const sn_error why = *error;
    for (int i = 0; i < mjcf->nlink; i++)
        if (strcmp(mjcf->link[i].name, culprit) == 0) {
            sn__xml_fail(mjcf->link[i].node, error, why.status, "%s", why.message);
            return;
        }
    sn__fail(error, why.status, "%.120s: %.360s", mjcf->path, why.message);
}

static sn_model *make_draft(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->nlink; i++) {
        struct mjcf_link *link = &mjcf->link[i];
        link->def.name = link->name;
        link->def.parent = link->has_parent ? link->parent : NULL;
        sn_builder_add_body(mjcf->builder, &link->def);
    }
    sn_error error;
    char culprit[SN_MAX_NAME + 1];
    sn_model *draft = sn__model_draft(mjcf->builder, culprit, &error);
    if (!draft) place_error(mjcf, culprit, &error);
    if (mjcf->error) *mjcf->error = error;
    return draft;
}

/* Arrays for the drives, and pairs by bodies of the model instead of links. */
static bool finish_scene(struct mjcf *mjcf, const sn_model *model) {
    struct sn__scene *scene = mjcf->scene;
    scene->target_q = sn__alloc((size_t)model->nq + 1, sizeof(double));
    scene->target_qd = sn__alloc((size_t)model->nv + 1, sizeof(double));
    scene->forward = sn__alloc((size_t)model->nv + 1, sizeof(double));
    if (!scene->target_q || !scene->target_qd || !scene->forward) return sn__mjcf_no_memory(mjcf);
    sn_model_home_pose(model, scene->target_q);
    for (int i = 0; i < 2 * scene->npair; i++) {
        struct sn__scene_solid *solid = &scene->pair[i / 2][i % 2];
        if (solid->body >= 0) solid->body = sn__model_find_body(model, mjcf->link[solid->body].name);
    }
    return true;
}

const struct mjcf_compiler sn__mjcf_compiler_default = {
    .degree = true,
    .autolimits = true,
    .eulerseq = "xyz",
    .inertia_source = MJCF_INERTIA_AUTO,
    .group_range = {0, 5},
    .meshdir = "",
};

sn_model *sn__mjcf_read_scene(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                              struct sn__scene *scene, sn_error *error) {
    struct mjcf mjcf = {
        .path = path,
        .options = options,
        .error = error,
        .scene = scene,
        .compiler = sn__mjcf_compiler_default,
        .scope = {"", "", "", 0},
        .builder = sn_builder_create(),
    };
    sn_model *draft = NULL;
    sn__mjcf_warn_attributes(root, options);
    if (!mjcf.builder)
        sn__mjcf_no_memory(&mjcf);
    else if (read_all(&mjcf, root) && (!scene || mjcf.nlink > 0))
        draft = make_draft(&mjcf);
    if (draft && scene && !finish_scene(&mjcf, draft)) {
        sn_model_free(draft);
        draft = NULL;
    }
    if (draft) sn__mjcf_actuators_finish(&mjcf, draft);
    sn_builder_free(mjcf.builder);
    sn__mjcf_mesh_free(&mjcf);
    sn__mjcf_include_free(&mjcf);
    sn__mjcf_models_free(&mjcf);
    sn__mjcf_hfields_free(&mjcf);
    sn__mjcf_names_free(&mjcf);
    sn__free_all(mjcf.class, mjcf.link, mjcf.rope, mjcf.geom, mjcf.control);
    return draft;
}

sn_model *sn__mjcf_read(const struct sn__xml_node *root, const char *path, const sn_load_def *options,
                        sn_error *error) {
    sn_model *model = sn__mjcf_read_scene(root, path, options, NULL, error);
    if (!model || sn__model_compile(model) == SN_OK) return model;
    sn__fail(error, SN_ERROR_MEMORY, "%.200s: out of memory", path);
    sn_model_free(model);
    return NULL;
}
