/* Acclaim skeletons.
 *
 * Each bone has a direction and a length, and axes C of its own against the world, in which an AMC's angles count: the
 * angles turn first about the axis named first. A bone begins where its parent ends. In the clip the joint called as
 * the bone is the one at its beginning.
 * Lengths: a unit is 0.0254 m / length, with the `length` of the file (CMU: 0.45). Y is up. */
#include "import/asf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "import/load.h"
#include "import/readers.h"

#include <stdio.h>
#include <string.h>

#define QUOTE(word) ((word).length < 20 ? (word).length : 20), (word).text

int sn__asf_find(const struct asf *asf, struct sn__word name, int near) {
    for (int i = 0; i < asf->nbone; i++) {
        const int at = near >= 0 && near < asf->nbone ? (near + i) % asf->nbone : i;
        const size_t length = strlen(asf->bone[at].name);
        if (length == (size_t)name.length && memcmp(asf->bone[at].name, name.text, length) == 0) return at;
    }
    return -1;
}

void sn__asf_release(struct asf *asf) {
    sn__free(asf->bone);
    *asf = (struct asf){0};
}

static bool at_section(const struct sn__scan *scan) {
    struct sn__word word = sn__scan_peek(scan);
    return word.length == 0 || word.text[0] == ':';
}

static struct asf_bone *add_bone(struct asf *asf, sn_error *error) {
    struct asf_bone *grown = NULL;
    if (asf->nbone < SN_MAX_BODIES) grown = sn__grow(asf->bone, &asf->room, asf->nbone + 1, sizeof *grown);
    if (!grown) {
        sn__fail(error, SN_ERROR_TOO_LARGE, "out of memory, or more than %d bones", SN_MAX_BODIES);
        return NULL;
    }
    asf->bone = grown;
    asf->bone[asf->nbone] = (struct asf_bone){.order = {0, 1, 2}, .parent = -2};
    return &asf->bone[asf->nbone++];
}

/* "XYZ" */
static bool read_order(struct sn__scan *scan, unsigned char order[3], sn_error *error) {
    struct sn__word word = sn__scan_word(scan);
    int seen = 0;
    for (int i = 0; i < 3 && word.length == 3; i++) {
        const int axis = (word.text[i] | 32) - 'x';
        if (axis < 0 || axis > 2) break;
        order[i] = (unsigned char)axis;
        seen |= 1 << axis;
    }
    return seen == 7 || sn__scan_fail(scan, error, "'%.*s' is not an order of axes such as XYZ", QUOTE(word));
}

/* Words up to the end of the line. */
static bool read_dofs(struct sn__scan *scan, struct asf_bone *bone, sn_error *error) {
    static const char *const kinds[] = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
    bone->ndof = 0;
    for (struct sn__word word; (word = sn__scan_word_in_line(scan)).length > 0;) {
        int kind = 0;
        while (kind < ASF_DOF_KINDS && !sn__word_is(word, kinds[kind]))
            kind++;
        if (kind == ASF_DOF_KINDS || memchr(bone->dof, kind, (size_t)bone->ndof))
            return sn__scan_fail(scan, error, "degree of freedom '%.*s' is %s", QUOTE(word),
                                 kind == ASF_DOF_KINDS ? "not known" : "given twice");
        bone->dof[bone->ndof++] = (unsigned char)kind;
    }
    return true;
}

static bool read_units(struct asf *asf, struct sn__scan *scan, sn_error *error) {
    while (!at_section(scan)) {
        struct sn__word key = sn__scan_word(scan), value = sn__scan_word(scan);
        double number = 0;
        if (sn__word_is(key, "angle")) {
            asf->degrees = sn__word_is(value, "deg") || sn__word_is(value, "degrees");
            if (!asf->degrees && !sn__word_is(value, "rad") && !sn__word_is(value, "radians"))
                return sn__scan_fail(scan, error, "angle '%.*s' is neither deg nor rad", QUOTE(value));
        } else if (sn__word_is(key, "length")) {
            if (!sn__word_number(value, &number) || !(number > 1e-9) || !(number < 1e9))
                return sn__scan_fail(scan, error, "length '%.*s' is not a number above 0", QUOTE(value));
            asf->metres = 0.0254 / number;
        }
    }
    return true;
}

static bool read_root(struct asf *asf, struct sn__scan *scan, sn_error *error) {
    struct asf_bone *root = &asf->bone[0];
    while (!at_section(scan)) {
        struct sn__word key = sn__scan_word(scan);
        bool good = true;
        if (sn__word_is(key, "order"))
            good = read_dofs(scan, root, error);
        else if (sn__word_is(key, "axis"))
            good = read_order(scan, root->order, error);
        else if (sn__word_is(key, "position"))
            good = sn__scan_numbers(scan, 3, asf->position, "position", error);
        else if (sn__word_is(key, "orientation"))
            good = sn__scan_numbers(scan, 3, root->angle, "orientation", error);
        else
            good = sn__scan_fail(scan, error, "'%.*s' is not known in :root", QUOTE(key));
        if (!good) return false;
    }
    return true;
}

static bool read_bone(struct asf *asf, struct sn__scan *scan, sn_error *error) {
    struct asf_bone *bone = add_bone(asf, error);
    if (!bone) return false;
    for (;;) {
        struct sn__word key = sn__scan_word(scan);
        bool good = true;
        if (sn__word_is(key, "end")) break;
        if (key.length == 0) return sn__scan_fail(scan, error, "the file ends inside a bone");
        if (sn__word_is(key, "name")) {
            struct sn__word name = sn__scan_word(scan);
            if (sn__asf_find(asf, name, 0) >= 0)
                return sn__scan_fail(scan, error, "two bones are called '%.*s'", QUOTE(name));
            good = sn__word_copy(name, bone->name, sizeof bone->name) ||
                   sn__scan_fail(scan, error, "a bone's name is longer than %d bytes", SN_MAX_NAME);
        } else if (sn__word_is(key, "direction")) {
            good = sn__scan_numbers(scan, 3, bone->direction, "direction", error);
        } else if (sn__word_is(key, "length")) {
            good = sn__scan_numbers(scan, 1, &bone->length, "length", error);
        } else if (sn__word_is(key, "axis")) {
            good =
                sn__scan_numbers(scan, 3, bone->angle, "axis", error) && read_order(scan, bone->order, error);
        } else if (sn__word_is(key, "dof")) {
            good = read_dofs(scan, bone, error);
        }
        /* id, limits, bodymass, cofmass and what else there may be has no counterpart: over it word by word */
        if (!good) return false;
    }
    return bone->name[0] || sn__scan_fail(scan, error, "a bone has no name");
}

static bool read_bones(struct asf *asf, struct sn__scan *scan, sn_error *error) {
    while (!at_section(scan)) {
        struct sn__word word = sn__scan_word(scan);
        if (!sn__word_is(word, "begin"))
            return sn__scan_fail(scan, error, "'begin' is expected, not '%.*s'", QUOTE(word));
        if (!read_bone(asf, scan, error)) return false;
    }
    return true;
}

/* A line is a parent and its children. */
static bool read_hierarchy(struct asf *asf, struct sn__scan *scan, sn_error *error) {
    while (!at_section(scan)) {
        struct sn__word word = sn__scan_word(scan);
        if (sn__word_is(word, "begin") || sn__word_is(word, "end")) continue;
        const int parent = sn__asf_find(asf, word, 0);
        if (parent < 0) return sn__scan_fail(scan, error, "there is no bone '%.*s'", QUOTE(word));
        while ((word = sn__scan_word_in_line(scan)).length > 0) {
            const int child = sn__asf_find(asf, word, parent + 1);
            if (child < 0) return sn__scan_fail(scan, error, "there is no bone '%.*s'", QUOTE(word));
            if (asf->bone[child].parent != -2)
                return sn__scan_fail(scan, error, "bone '%.*s' has a parent already", QUOTE(word));
            asf->bone[child].parent = parent;
        }
    }
    return true;
}

static void make_axes(struct asf *asf) {
    for (int i = 0; i < asf->nbone; i++) {
        struct asf_bone *bone = &asf->bone[i];
        dquat_identity(bone->axes);
        for (int k = 0; k < 3; k++) { /* later ones turn about the world's axes */
            double turn[3] = {0}, q[4];
            turn[bone->order[k]] = bone->angle[k] * (asf->degrees ? M_PI / 180 : 1);
            dquat_exp(turn, q);
            dquat_multiply(q, bone->axes, bone->axes);
        }
    }
}

bool sn__asf_parse(struct asf *asf, const char *text, size_t size, const char *path, sn_error *error) {
    struct sn__scan scan = sn__scan_start(text, size, path, true);
    *asf = (struct asf){.metres = 0.0254, .degrees = true};
    struct asf_bone *root = add_bone(asf, error);
    if (!root) return false;
    strcpy(root->name, "root");
    root->parent = -1;
    for (int i = 0; i < 6; i++)
        root->dof[root->ndof++] = (unsigned char)i;
    bool bones = false;
    for (struct sn__word word; (word = sn__scan_word(&scan)).length > 0;) {
        bool good = true;
        if (sn__word_is(word, ":units"))
            good = read_units(asf, &scan, error);
        else if (sn__word_is(word, ":root"))
            good = read_root(asf, &scan, error);
        else if (sn__word_is(word, ":bonedata"))
            good = bones = read_bones(asf, &scan, error);
        else if (sn__word_is(word, ":hierarchy"))
            good = read_hierarchy(asf, &scan, error);
        if (!good) return false;
        /* other sections: over them word by word */
    }
    if (!bones) return sn__scan_fail(&scan, error, "there is no :bonedata");
    make_axes(asf);
    return true;
}

/* Depth first, so that parents stand before children. */
bool sn__asf_joints(struct asf *asf, struct clip_draft *draft, sn_error *error) {
    int *next = sn__alloc((size_t)asf->nbone, sizeof *next); /* where the search for the next child goes on */
    if (!next) return sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false;
    const double zero[3] = {0};
    bool good = sn__draft_add_joint(draft, asf->bone[0].name, -1, zero, error);
    for (int at = 0; at >= 0 && good;) {
        struct asf_bone *bone = &asf->bone[at];
        double tip[3];
        for (int k = 0; k < 3; k++)
            tip[k] = at == 0 ? 0 : asf->metres * bone->length * bone->direction[k];
        asf_turn(tip);
        int child = next[at] > 0 ? next[at] : 1;
        while (child < asf->nbone && asf->bone[child].parent != at)
            child++;
        if (child < asf->nbone) {
            asf->bone[child].joint = draft->njoint;
            good = sn__draft_add_joint(draft, asf->bone[child].name, bone->joint, tip, error);
            next[at] = child + 1;
            at = child;
            continue;
        }
        if (next[at] == 0 && at > 0) { /* no children at all */
            clip_name name;
            snprintf(name, sizeof name, "%.58s_end", bone->name);
            good = sn__draft_add_joint(draft, name, bone->joint, tip, error);
        }
        at = bone->parent;
    }
    sn__free(next);
    for (int i = 1; i < asf->nbone && good; i++)
        if (asf->bone[i].joint == 0) {
            sn__fail(error, SN_ERROR_FORMAT, "bone '%s' does not hang on the root in :hierarchy",
                     asf->bone[i].name);
            good = false;
        }
    return good;
}

sn_clip *sn__asf_skeleton_read(const char *text, size_t size, const char *path, const sn_load_def *options,
                               sn_error *error) {
    (void)options;
    struct asf asf;
    struct clip_draft draft = {0};
    char where[960];
    sn_clip *clip = NULL;
    sn_error why = {0};
    snprintf(where, sizeof where, "%.950s: ", path);
    if (!sn__asf_parse(&asf, text, size, path, error)) {
        sn__asf_release(&asf);
        return NULL;
    }
    if (sn__asf_joints(&asf, &draft, &why) && sn__draft_add_frame(&draft, 0, &why)) {
        for (int k = 0; k < 3; k++)
            draft.position[k] = asf.metres * asf.position[k];
        asf_turn(draft.position);
        clip = sn__draft_finish(&draft, where, error);
    } else {
        sn__fail(error, why.status, "%s%s", where, why.message);
    }
    sn__draft_release(&draft);
    sn__asf_release(&asf);
    return clip;
}
