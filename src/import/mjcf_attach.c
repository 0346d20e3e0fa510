/* Parts that are repeated, and parts that come from other models. Nothing is copied: the same elements are read again, with
 * other names and in another place. */
#include "import/attributes.h"
#include "import/mjcf.h"

#include "base/memory.h"
#include "import/load.h"

#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------- replicate */

/* As many digits as the count has. */
static const char *number_of(struct mjcf *mjcf, const char *separator, int number, int count,
                             const char *outer) {
    char digits[16], text[16];
    int width = snprintf(digits, sizeof digits, "%d", count);
    snprintf(text, sizeof text, "%0*d", width, number);
    return sn__mjcf_keep(mjcf, separator, text, outer, "");
}

/* Copy k stands where k steps of offset and turn lead, each seen from the one before. */
bool sn__mjcf_replicate(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                        int class, enum mjcf_pass pass, struct mjcf_body *body) {
    int count = 0;
    struct mjcf_frame step = sn__mjcf_frame_identity;
    struct mjcf_place at = {.quat = {1, 0, 0, 0}};
    double turn[4];
    const char *separator = sn__xml_string(node, "sep"), *outer = mjcf->scope.copy;
    int given = sn__xml_integer(node, "count", &count, mjcf->error);
    if (given < 0 || sn__xml_vector(node, "offset", 3, step.pos, mjcf->error) < 0) return false;
    int turned = sn__xml_vector(node, "euler", 3, step.euler, mjcf->error);
    step.has_euler = turned > 0;
    if (turned < 0 || !sn__mjcf_frame_resolve(mjcf, node, &step, turn)) return false;
    if (given == 0 || count < 0 || count > MJCF_MAX_COPIES) {
        sn__xml_fail_attribute(node, "count", mjcf->error, "should be a number from 0 to %d",
                               (int)MJCF_MAX_COPIES);
        return false;
    }
    class = sn__mjcf_class_of(mjcf, node, "childclass", class);
    if (class < 0) return false;
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        struct mjcf_place inner = at, next = {.pos = {step.pos[0], step.pos[1], step.pos[2]}};
        sn__mjcf_frame_carry(place->pos, place->quat, inner.pos, inner.quat);
        mjcf->scope.copy = number_of(mjcf, separator ? separator : "", k, count, outer);
        if (++mjcf->ncopied > MJCF_MAX_COPIED)
            good = !sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                                 "makes more than %d copies with the others", (int)MJCF_MAX_COPIED);
        good = good && mjcf->scope.copy && sn__mjcf_contents_read(mjcf, node, &inner, class, pass, body);
        memcpy(next.quat, turn, sizeof turn);
        sn__mjcf_frame_carry(at.pos, at.quat, next.pos, next.quat);
        at = next;
    }
    mjcf->scope.copy = outer;
    return good;
}

/* ------------------------------------------------------------------------------------------------- models */

/* What a model without a name is called: as its file says, or else as the file is called. NULL: out of memory. */
static const char *own_name(struct mjcf *mjcf, const struct sn__xml_node *root, const char *file) {
    const char *given = sn__xml_string(root, "model");
    if (given && given[0]) return sn__mjcf_keep(mjcf, given, "", "", "");
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
    char stem[256];
    snprintf(stem, sizeof stem, "%.*s", dot ? (int)(dot - start) : (int)strlen(start), start);
    return sn__mjcf_keep(mjcf, stem, "", "", "");
}

bool sn__mjcf_model_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    const char *file = sn__mjcf_file(mjcf, node), *name = sn__xml_string(node, "name");
    if (!file || !sn__mjcf_may_add(mjcf, node, mjcf->nmodel, MJCF_MAX_ATTACHED, "models are read"))
        return false;
    struct mjcf_model *grown = sn__grow(mjcf->model, &mjcf->model_capacity, mjcf->nmodel + 1, sizeof *grown);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    mjcf->model = grown;
    struct mjcf_model *model = &mjcf->model[mjcf->nmodel++];
    *model = (struct mjcf_model){.name = name ? name : "", .path = sn__mjcf_path_from(mjcf, node, "", file)};
    if (!model->path) return sn__mjcf_no_memory(mjcf);
    sn_error reason = {.status = SN_OK};
    size_t size = 0;
    char *text = NULL;
    if (!sn__mjcf_is_file(model->path))
        sn__xml_fail(node, &reason, SN_ERROR_FILE, "'%.200s' is not a file", file);
    else if (!(text = sn__file_read(model->path, &size, &reason))) {
        sn_error why = reason;
        sn__xml_fail(node, &reason, why.status, "%s", why.message);
    } else if ((mjcf->included_bytes += size) > SN__XML_MAX_BYTES)
        sn__xml_fail(node, &reason, SN_ERROR_TOO_LARGE, "the files are too large together");
    else
        model->xml = sn__xml_parse(text, size, model->path, &reason);
    sn__free(text);
    if (model->xml && strcmp(model->xml->root->name, "mujoco") != 0)
        sn__xml_fail(model->xml->root, &reason, SN_ERROR_FORMAT, "is not <mujoco>");
    if (reason.status != SN_OK) {
        if (mjcf->error) *mjcf->error = reason;
        return false;
    }
    sn__mjcf_warn_attributes(model->xml->root, mjcf->options);
    const char *path = mjcf->path;
    const struct sn__xml_node *root = model->xml->root;
    if (!name && !(model->name = own_name(mjcf, root, file))) return false;
    mjcf->path = model->path; /* its own files stand beside it */
    const bool good = sn__mjcf_include_all(mjcf, root);
    mjcf->path = path;
    return good;
}

void sn__mjcf_models_free(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->nmodel; i++) {
        sn__xml_free(mjcf->model[i].xml);
        sn__free(mjcf->model[i].path);
    }
    sn__free(mjcf->model);
}

/* ------------------------------------------------------------------------------------------------- attach */

/* The body or frame of a name below a node, as its file calls it, or NULL. */
static const struct sn__xml_node *find_part(const struct mjcf *mjcf, const struct sn__xml_node *node,
                                            const char *kind, const char *name) {
    const struct sn__xml_node *child, *found;
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        const char *own = sn__xml_string(child, "name");
        bool body = strcmp(child->name, "body") == 0;
        if (strcmp(child->name, kind) == 0 && own && strcmp(own, name) == 0) return child;
        if (!body && strcmp(child->name, "frame") != 0 && strcmp(child->name, "worldbody") != 0) continue;
        if ((found = find_part(mjcf, child, kind, name))) return found;
    }
    return NULL;
}

/* What belongs to a file rather than to the whole: put aside while another is read. */
struct aside {
    const char *path;
    struct mjcf_compiler compiler;
    struct mjcf_scope scope;
    struct mjcf_class *class;
    int nclass, class_capacity;
    struct mjcf_mesh *mesh;
    int nmesh, mesh_capacity;
    struct mjcf_hfield *hfield;
    int nhfield, hfield_capacity;
    double *control;
    int ncontrol, nactuator;
};

static struct aside put_aside(struct mjcf *mjcf) {
    struct aside a = {
        mjcf->path,          mjcf->compiler,       mjcf->scope,     mjcf->class,
        mjcf->nclass,        mjcf->class_capacity, mjcf->mesh,      mjcf->nmesh,
        mjcf->mesh_capacity, mjcf->hfield,         mjcf->nhfield,   mjcf->hfield_capacity,
        mjcf->control,       mjcf->ncontrol,       mjcf->nactuator,
    };
    mjcf->class = NULL, mjcf->nclass = mjcf->class_capacity = 0;
    mjcf->mesh = NULL, mjcf->nmesh = mjcf->mesh_capacity = 0;
    mjcf->hfield = NULL, mjcf->nhfield = mjcf->hfield_capacity = 0;
    mjcf->control = NULL, mjcf->ncontrol = 0;
    return a;
}

static void take_back(struct mjcf *mjcf, const struct aside *a) {
    sn__free(mjcf->class);
    sn__mjcf_mesh_free(mjcf);
    sn__mjcf_hfields_free(mjcf);
    mjcf->path = a->path, mjcf->compiler = a->compiler, mjcf->scope = a->scope;
    mjcf->class = a->class, mjcf->nclass = a->nclass, mjcf->class_capacity = a->class_capacity;
    mjcf->mesh = a->mesh, mjcf->nmesh = a->nmesh, mjcf->mesh_capacity = a->mesh_capacity;
    mjcf->hfield = a->hfield, mjcf->nhfield = a->nhfield, mjcf->hfield_capacity = a->hfield_capacity;
    mjcf->control = a->control, mjcf->ncontrol = a->ncontrol, mjcf->nactuator = a->nactuator;
}

/* All that stands in a part of the model. */
static bool read_contents(struct mjcf *mjcf, const struct sn__xml_node *part, const struct mjcf_place *place,
                          int class, struct mjcf_body *body) {
    return (body || sn__mjcf_contents_read(mjcf, part, place, class, MJCF_PASS_GEOMS, NULL)) &&
           sn__mjcf_contents_read(mjcf, part, place, class, MJCF_PASS_BODIES, body);
}

/* One frame of the model, where it is in what holds it. */
static bool read_frame(struct mjcf *mjcf, const struct sn__xml_node *node, const struct sn__xml_node *root,
                       const struct mjcf_place *place, struct mjcf_body *body) {
    const char *wanted = sn__xml_string(node, "frame");
    const struct sn__xml_node *found = find_part(mjcf, root, "frame", wanted);
    struct mjcf_frame frame = sn__mjcf_frame_identity;
    struct mjcf_place inner;
    if (!found) {
        sn__xml_fail_attribute(node, "frame", mjcf->error, "there is no frame '%.63s' in that model", wanted);
        return false;
    }
    int class = sn__mjcf_class_of(mjcf, found, "childclass", 0);
    if (class < 0 || !sn__mjcf_frame_read(mjcf, found, &frame) ||
        !sn__mjcf_frame_resolve(mjcf, found, &frame, inner.quat))
        return false;
    memcpy(inner.pos, frame.pos, sizeof inner.pos);
    sn__mjcf_frame_carry(place->pos, place->quat, inner.pos, inner.quat);
    return read_contents(mjcf, found, &inner, class, body);
}

/* The body, the frame or everything in the world, with what refers to it. */
static bool read_attached(struct mjcf *mjcf, const struct sn__xml_node *node, const struct sn__xml_node *root,
                          const struct mjcf_place *place, struct mjcf_body *body) {
    const char *wanted = sn__xml_string(node, "body");
    const struct sn__xml_node *section = NULL;
    if (!sn__mjcf_setup_read(mjcf, root)) return false;
    if (wanted && wanted[0]) {
        const struct sn__xml_node *found = find_part(mjcf, root, "body", wanted);
        if (!found) {
            sn__xml_fail_attribute(node, "body", mjcf->error, "there is no body '%.63s' in that model",
                                   wanted);
            return false;
        }
        if (!sn__mjcf_body_read(mjcf, found, place, 0, body ? body->last : -1)) return false;
    } else if (sn__xml_string(node, "frame") && sn__xml_string(node, "frame")[0]) {
        if (!read_frame(mjcf, node, root, place, body)) return false;
    } else {
        for (struct mjcf_walk walk = sn__mjcf_walk(root); (section = sn__mjcf_next(mjcf, &walk));)
            if (strcmp(section->name, "worldbody") == 0 && !read_contents(mjcf, section, place, 0, body))
                return false;
    }
    return sn__mjcf_links_read(mjcf, root);
}

bool sn__mjcf_attach(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                     struct mjcf_body *body) {
    const char *name = sn__xml_string(node, "model"), *prefix = sn__xml_string(node, "prefix");
    const struct mjcf_model *model = NULL;
    for (int i = mjcf->nmodel - 1; i >= 0 && !model; i--)
        if (name && strcmp(mjcf->model[i].name, name) == 0) model = &mjcf->model[i];
    if (!model) {
        sn__xml_fail_attribute(node, "model", mjcf->error, "there is no model '%.63s'", name ? name : "");
        return false;
    }
    if (mjcf->depth == 8 || mjcf->nattached == MJCF_MAX_ATTACHED) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                     "is one too many: models are attached at most %d times, and 8 deep",
                     (int)MJCF_MAX_ATTACHED);
        return false;
    }
    const struct sn__xml_node *root = model->xml->root;
    const char *path = model->path;
    struct aside before = put_aside(mjcf);
    mjcf->path = path;
    mjcf->compiler = sn__mjcf_compiler_default;
    mjcf->scope = (struct mjcf_scope){
        .prefix = sn__mjcf_keep(mjcf, before.scope.prefix, prefix ? prefix : "", "", ""),
        .copy = "",
        .suffix = sn__mjcf_keep(mjcf, before.scope.copy, before.scope.suffix, "", ""),
        .file = ++mjcf->nattached,
    };
    mjcf->depth++;
    bool good = mjcf->scope.prefix && mjcf->scope.suffix && read_attached(mjcf, node, root, place, body);
    mjcf->depth--;
    take_back(mjcf, &before);
    return good;
}
