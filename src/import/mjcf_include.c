#include "import/attributes.h"
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/platform.h"
#include "import/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INCLUDE_DEPTH = 16 };

/* ----------------------------------------------------------------------------------------------- messages */

bool sn__mjcf_no_memory(const struct mjcf *mjcf) {
    sn__fail(mjcf->error, SN_ERROR_MEMORY, "%.200s: out of memory", mjcf->path);
    return false;
}

void sn__mjcf_warn_once(struct mjcf *mjcf, const struct sn__xml_node *node, const char *kind,
                        const char *format, ...) {
    for (int i = 0; i < mjcf->nwarned; i++)
        if (strcmp(mjcf->warned[i], kind) == 0) return;
    if (mjcf->nwarned == MJCF_MAX_WARNED) return;
    mjcf->warned[mjcf->nwarned++] = kind;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sn__warn(mjcf->options, "%.200s:%d: <%.40s> %s", node->file, node->line, node->name, message);
}

void sn__mjcf_skip(struct mjcf *mjcf, const struct sn__xml_node *node) {
    sn__mjcf_warn_once(mjcf, node, node->name, "has no counterpart and is left out");
}

/* -------------------------------------------------------------------------------------------------- files */

char *sn__mjcf_path(const struct mjcf *mjcf, const char *folder, const char *file) {
    const char *slash = strrchr(mjcf->path, '/');
    size_t main_folder = slash ? (size_t)(slash - mjcf->path) + 1 : 0;
    if (file[0] == '/') folder = "", main_folder = 0;
    if (folder[0] == '/') main_folder = 0;
    size_t size = main_folder + strlen(folder) + 1 + strlen(file) + 1;
    char *path = sn__alloc(size, 1);
    if (!path) return NULL;
    memcpy(path, mjcf->path, main_folder);
    size_t length = strlen(folder);
    const char *between = length > 0 && folder[length - 1] != '/' ? "/" : "";
    snprintf(path + main_folder, size - main_folder, "%s%s%s", folder, between, file);
    return path;
}

bool sn__mjcf_is_file(const char *path) {
    return !sn__platform_is_other(path); /* what is missing is reported when it is opened */
}

char *sn__mjcf_path_from(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *folder,
                         const char *file) {
    char *path = sn__mjcf_path(mjcf, folder, file);
    if (!path || strcmp(node->file, mjcf->path) == 0 || sn__platform_exists(path)) return path;
    char *beside = sn__path_beside(node->file, file);
    if (beside && sn__platform_exists(beside)) {
        sn__free(path);
        return beside;
    }
    sn__free(beside);
    return path; /* the usual place is reported as missing */
}

const char *sn__mjcf_file(const struct mjcf *mjcf, const struct sn__xml_node *node) {
    const char *file = sn__xml_string(node, "file");
    if (file && file[0]) return file;
    sn__xml_fail_attribute(node, "file", mjcf->error, "is missing");
    return NULL;
}

bool sn__mjcf_may_add(const struct mjcf *mjcf, const struct sn__xml_node *node, int count, int most,
                      const char *what) {
    if (count < most) return true;
    sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE, "is one too many: at most %d %s", most, what);
    return false;
}

/* The file of one <include>, remembered. */
static bool include_file(struct mjcf *mjcf, const struct sn__xml_node *node, int within) {
    const char *file = sn__mjcf_file(mjcf, node);
    if (!file || !sn__mjcf_may_add(mjcf, node, mjcf->ninclude, MJCF_MAX_INCLUDES, "files are included"))
        return false;
    char *path = sn__mjcf_path_from(mjcf, node, "", file);
    if (!path) return sn__mjcf_no_memory(mjcf);

    int depth = 1;
    bool again = strcmp(path, mjcf->path) == 0;
    for (int outer = within; outer >= 0; outer = mjcf->include[outer].within, depth++)
        again |= strcmp(path, mjcf->include[outer].path) == 0;
    sn_error reason = {.status = SN_OK};
    size_t size = 0;
    char *text = NULL;
    struct sn__xml *xml = NULL;
    if (again)
        sn__xml_fail(node, &reason, SN_ERROR_FORMAT, "'%.200s' includes itself", file);
    else if (!sn__mjcf_is_file(path))
        sn__xml_fail(node, &reason, SN_ERROR_FILE, "'%.200s' is not a file", file);
    else if (depth > MAX_INCLUDE_DEPTH)
        sn__xml_fail(node, &reason, SN_ERROR_TOO_LARGE, "files are included too deeply");
    else if (!(text = sn__file_read(path, &size, &reason))) {
        sn_error why = reason;
        sn__xml_fail(node, &reason, why.status, "%s", why.message);
    } else if ((mjcf->included_bytes += size) > SN__XML_MAX_BYTES)
        sn__xml_fail(node, &reason, SN_ERROR_TOO_LARGE, "the included files are too large together");
    else
        xml = sn__xml_parse(text, size, path, &reason);
    sn__free(text);
    if (!xml) {
        if (mjcf->error) *mjcf->error = reason;
        sn__free(path);
        return false;
    }
    sn__mjcf_warn_attributes(xml->root, mjcf->options);
    mjcf->include[mjcf->ninclude].at = node;
    mjcf->include[mjcf->ninclude].xml = xml;
    mjcf->include[mjcf->ninclude].path = path;
    mjcf->include[mjcf->ninclude].within = within;
    mjcf->ninclude++;
    return true;
}

static bool include_within(struct mjcf *mjcf, const struct sn__xml_node *node, int within) {
    for (const struct sn__xml_node *child = node->child; child; child = child->next) {
        if (strcmp(child->name, "include") != 0) {
            if (!include_within(mjcf, child, within)) return false;
        } else {
            if (!include_file(mjcf, child, within)) return false;
            int index = mjcf->ninclude - 1;
            if (!include_within(mjcf, mjcf->include[index].xml->root, index)) return false;
        }
    }
    return true;
}

bool sn__mjcf_include_all(struct mjcf *mjcf, const struct sn__xml_node *root) {
    return include_within(mjcf, root, -1);
}

void sn__mjcf_include_free(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->ninclude; i++) {
        sn__xml_free(mjcf->include[i].xml);
        sn__free(mjcf->include[i].path);
    }
}

/* ------------------------------------------------------------------------------------------------ walking */

struct mjcf_walk sn__mjcf_walk(const struct sn__xml_node *node) {
    return (struct mjcf_walk){.next = node->child, .within = node, .top = node};
}

const struct sn__xml_node *sn__mjcf_next(const struct mjcf *mjcf, struct mjcf_walk *walk) {
    for (;;) {
        if (!walk->next) {
            /* The end of the node itself, or of a file that was included somewhere in it. */
            if (walk->within == walk->top) return NULL;
            int i = 0;
            while (mjcf->include[i].xml->root != walk->within)
                i++;
            walk->next = mjcf->include[i].at->next;
            walk->within = mjcf->include[i].at->parent;
        } else if (strcmp(walk->next->name, "include") == 0) {
            int i = 0;
            while (mjcf->include[i].at != walk->next)
                i++;
            walk->within = mjcf->include[i].xml->root;
            walk->next = walk->within->child;
        } else {
            const struct sn__xml_node *node = walk->next;
            walk->next = node->next;
            return node;
        }
    }
}
