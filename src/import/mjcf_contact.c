/* The contact section: which bodies do not touch each other, and which geoms do whatever else is said. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "model/builder.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------- excludes */

static bool is_world(const char *name) {
    return name && strcmp(name, "world") == 0;
}

/* A body that never touches what belongs to the world. */
static bool free_body(struct mjcf *mjcf, const struct sn__xml_node *node, const char *name) {
    struct sn__scene *scene = mjcf->scene;
    if (!scene) {
        sn__mjcf_warn_once(mjcf, node, "exclude world",
                           "names the world, which is not a body of this model, and is left out");
        return true;
    }
    void *grown = sn__grow(scene->free, &scene->free_capacity, scene->nfree + 1, sizeof *scene->free);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    scene->free = grown;
    memcpy(scene->free[scene->nfree], name, strlen(name) + 1);
    scene->nfree++;
    return true;
}

static bool use_exclude(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    static const char *const attribute[] = {"body1", "body2"};
    const struct mjcf_name *name[2] = {NULL, NULL};
    bool world = false;
    for (int i = 0; i < 2; i++) {
        if (is_world(sn__xml_string(node, attribute[i])))
            world = true;
        else if (!sn__mjcf_need(mjcf, node, attribute[i], MJCF_BODY, copy, &name[i]))
            return false;
    }
    if (++mjcf->nexclude > BUILDER_MAX_EXCLUSIONS) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE, "is one too many: at most %d are read",
                     (int)BUILDER_MAX_EXCLUSIONS);
        return false;
    }
    const struct mjcf_name *one = name[0] ? name[0] : name[1];
    if (world && one) return free_body(mjcf, node, one->full);
    if (name[0] && name[1]) sn_builder_exclude(mjcf->builder, name[0]->full, name[1]->full);
    return true;
}

static bool read_exclude(struct mjcf *mjcf, const struct sn__xml_node *node) {
    const char *one = sn__xml_string(node, "body1"), *two = sn__xml_string(node, "body2");
    if (is_world(one) && is_world(two)) return true;
    if (one && !two) {
        sn__xml_fail_attribute(node, "body2", mjcf->error, "is missing");
        return false;
    }
    return sn__mjcf_each(mjcf, node, is_world(one) ? "body2" : "body1", MJCF_BODY, use_exclude);
}

/* ----------------------------------------------------------------------------------------------------- pairs */

static struct sn__scene_solid solid_of(const struct mjcf *mjcf, const struct mjcf_name *name) {
    const struct mjcf_named_geom *geom = &mjcf->geom[name->index];
    return (struct sn__scene_solid){geom->link, geom->number};
}

static bool use_pair(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    const struct mjcf_name *one, *two;
    struct sn__scene *scene = mjcf->scene;
    if (!sn__mjcf_need(mjcf, node, "geom1", MJCF_GEOM, copy, &one) ||
        !sn__mjcf_need(mjcf, node, "geom2", MJCF_GEOM, copy, &two))
        return false;
    if (!one || !two) return true;
    void *grown = sn__grow(scene->pair, &scene->pair_capacity, scene->npair + 1, sizeof *scene->pair);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    scene->pair = grown;
    scene->pair[scene->npair][0] = solid_of(mjcf, one);
    scene->pair[scene->npair++][1] = solid_of(mjcf, two);
    if (sn__xml_string(node, "friction"))
        sn__mjcf_warn_once(mjcf, node, "pair friction",
                           "has a friction of its own, which is left out: that of its geoms counts");
    return true;
}

/* Meshes and what else is left out among shapes may be named as well: such a pair never touches here. */
static bool read_pair(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const attribute[] = {"geom1", "geom2"};
    if (!mjcf->scene) {
        sn__mjcf_skip(mjcf, node);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        const char *raw = sn__xml_string(node, attribute[i]);
        bool there = false;
        for (int k = 0; raw && k < mjcf->nname && !there; k++)
            there = mjcf->name[k].kind == MJCF_GEOM &&
                    (strcmp(mjcf->name[k].raw, raw) == 0 || strcmp(mjcf->name[k].full, raw) == 0);
        if (there || mjcf->depth > 0) continue;
        sn__mjcf_warn_once(mjcf, node, "pair", "names a geom that did not become a shape, and is left out");
        return true;
    }
    return sn__mjcf_each(mjcf, node, "geom1", MJCF_GEOM, use_pair);
}

bool sn__mjcf_contact_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const struct mjcf_child known[] = {{"exclude", read_exclude}, {"pair", read_pair}, {NULL, NULL}};
    return sn__mjcf_children(mjcf, node, known);
}
