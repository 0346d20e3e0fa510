/* The contact section: which bodies do not touch each other. */
#include "import/mjcf.h"

#include "model/builder.h"

#include <string.h>

/* A body of the file, which is the last of its links. */
static bool is_body(const struct mjcf *mjcf, const char *name) {
    for (int i = 0; i < mjcf->nlink; i++)
        if (strcmp(mjcf->link[i].name, name) == 0) return true;
    return false;
}

/* The world has no shapes here, and what the file leaves to other files or to composites has no bodies: an exclusion of
   either says nothing. */
static bool read_exclude(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const attribute[] = {"body1", "body2"};
    const char *name[2];
    bool known = true;
    for (int i = 0; i < 2; i++) {
        name[i] = sn__xml_string(node, attribute[i]);
        if (!name[i] || !name[i][0]) {
            sn__xml_fail_attribute(node, attribute[i], mjcf->error, "is missing");
            return false;
        }
        if (is_body(mjcf, name[i])) continue;
        known = false;
        if (strcmp(name[i], "world") == 0) {
            sn__mjcf_warn_once(mjcf, node, "exclude world",
                               "names the world, which is no body here, and is left out");
        } else if (mjcf->incomplete) {
            sn__mjcf_warn_once(mjcf, node, "exclude unknown",
                               "names a body that was left out, and is left out too");
        } else {
            sn__xml_fail_attribute(node, attribute[i], mjcf->error, "there is no body '%.63s'", name[i]);
            return false;
        }
    }
    if (++mjcf->nexclude > BUILDER_MAX_EXCLUSIONS) {
        sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE, "is one too many: at most %d are read",
                     (int)BUILDER_MAX_EXCLUSIONS);
        return false;
    }
    if (known) sn_builder_exclude(mjcf->builder, name[0], name[1]);
    return true;
}

bool sn__mjcf_contact_read(struct mjcf *mjcf, const struct sn__xml_node *node) {
    const struct sn__xml_node *child;
    for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) {
        if (strcmp(child->name, "exclude") != 0)
            sn__mjcf_skip(mjcf, child);
        else if (!read_exclude(mjcf, child))
            return false;
    }
    return true;
}
