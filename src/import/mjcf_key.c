/* Keyframes: the pose, velocity and controls to start with. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <stdio.h>
#include <string.h>

/* The one that the options name, or the first. NULL: none; *missing: one was asked for that is not there. */
static const struct sn__xml_node *find_key(const struct mjcf *mjcf, const struct sn__xml_node *root,
                                           bool *missing) {
    const char *wanted = mjcf->options->keyframe;
    const struct sn__xml_node *section, *key;
    int number = 0;
    for (struct mjcf_walk walk = sn__mjcf_walk(root); (section = sn__mjcf_next(mjcf, &walk));) {
        if (strcmp(section->name, "keyframe") != 0) continue;
        for (struct mjcf_walk inner = sn__mjcf_walk(section); (key = sn__mjcf_next(mjcf, &inner)); number++) {
            char digits[16];
            const char *name = sn__xml_string(key, "name");
            snprintf(digits, sizeof digits, "%d", number);
            if (!wanted || (name && strcmp(name, wanted) == 0) || strcmp(digits, wanted) == 0) return key;
        }
    }
    *missing = wanted != NULL;
    return NULL;
}

bool sn__mjcf_key_controls(struct mjcf *mjcf, const struct sn__xml_node *root) {
    bool missing = false;
    const struct sn__xml_node *key = find_key(mjcf, root, &missing);
    if (missing) {
        sn__fail(mjcf->error, SN_ERROR_ARGUMENT, "%.200s: there is no keyframe '%.63s'", mjcf->path,
                 mjcf->options->keyframe);
        return false;
    }
    if (!key || !sn__xml_string(key, "ctrl")) return true;
    mjcf->control = sn__alloc(MJCF_MAX_CONTROLS, sizeof *mjcf->control);
    if (!mjcf->control) return sn__mjcf_no_memory(mjcf);
    int count = sn__xml_numbers(key, "ctrl", 1, MJCF_MAX_CONTROLS, mjcf->control, mjcf->error);
    mjcf->ncontrol = count > 0 ? count : 0;
    return count >= 0;
}

static void set_home(struct mjcf *mjcf, const struct sn__xml_node *node, const double *q) {
    for (int i = 0; i < mjcf->nlink; i++) {
        sn_joint_def *joint = &mjcf->link[i].def.joint;
        const struct joint_kind *kind = &sn__joint_kind[joint->type];
        for (int k = 0; k < kind->nq; k++)
            joint->home[k] = q[k] - (kind->nq == 1 ? mjcf->link[i].ref : 0);
        if (kind->quaternion >= 0 && !dquat_normalise(joint->home + kind->quaternion)) {
            sn__mjcf_warn_once(mjcf, node, "zero quaternion",
                               "has a quaternion of zeros, which is taken as no turn");
            dquat_identity(joint->home + kind->quaternion);
        }
        joint->home_given = kind->nq > 0;
        q += kind->nq;
    }
}

bool sn__mjcf_key_pose(struct mjcf *mjcf, const struct sn__xml_node *root) {
    bool missing = false;
    const struct sn__xml_node *key = find_key(mjcf, root, &missing);
    if (!key) return true;
    if (mjcf->incomplete) {
        sn__mjcf_warn_once(mjcf, key, "key", "is left out, because parts of the model are");
        return true;
    }
    int nq = 0, nv = 0;
    for (int i = 0; i < mjcf->nlink; i++) {
        nq += sn__joint_kind[mjcf->link[i].def.joint.type].nq;
        nv += sn__joint_kind[mjcf->link[i].def.joint.type].nv;
    }
    double *q = sn__alloc((size_t)nq + 1, sizeof *q);
    if (!q) return sn__mjcf_no_memory(mjcf);
    int pose = sn__xml_vector(key, "qpos", nq, q, mjcf->error);
    if (pose > 0) set_home(mjcf, key, q);
    bool good = pose >= 0;
    sn__free(q);
    if (!good || !mjcf->scene || !sn__xml_string(key, "qvel")) return good;
    mjcf->scene->qd = sn__alloc((size_t)nv + 1, sizeof *q);
    if (!mjcf->scene->qd) return sn__mjcf_no_memory(mjcf);
    return sn__xml_vector(key, "qvel", nv, mjcf->scene->qd, mjcf->error) >= 0;
}
