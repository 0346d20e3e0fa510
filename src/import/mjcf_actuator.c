/* Actuators as gains and limits of the joints they drive, and the first keyframe as the pose to start from.
 *
 * An actuator with gear g exerts g (gain ctrl + bias0 + bias1 g q + bias2 g qd), so that it is a PD drive with
 * kp = -bias1 g^2 and kd = -bias2 g^2. What limits its force limits the torque, times |g|; where the force is nothing
 * but gain times control, what limits the control does so too. Actuators of one joint add up. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

enum { MAX_ACTUATORS = 16 * 1024 };

static struct mjcf_link *find_joint(const struct mjcf *mjcf, const char *name) {
    for (int i = 0; i < mjcf->nlink; i++)
        if (mjcf->link[i].joint_name && strcmp(mjcf->link[i].joint_name, name) == 0) return &mjcf->link[i];
    return NULL;
}

static double largest(const double range[2]) {
    return fmax(fabs(range[0]), fabs(range[1]));
}

/* The largest torque or force on the joint. */
static double torque_limit(const struct mjcf *mjcf, const struct mjcf_actuator *actuator, double gear) {
    double limit = (double)INFINITY;
    if (sn__mjcf_is_limited(mjcf, actuator->force_limited, actuator->force_range))
        limit = largest(actuator->force_range);
    if (!actuator->has_bias && sn__mjcf_is_limited(mjcf, actuator->ctrl_limited, actuator->ctrl_range))
        limit = fmin(limit, largest(actuator->ctrl_range) * fabs(actuator->gain));
    return gear > 0 ? limit * gear : 0;
}

static void drive(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_actuator *actuator,
                  struct mjcf_link *link) {
    sn_joint_def *joint = &link->def.joint;
    int axes = sn__joint_kind[joint->type].nv;
    double squares = 0;
    for (int i = 0; i < axes; i++)
        squares += actuator->gear[i] * actuator->gear[i];
    double gear = sqrt(squares), kp = 0, kd = 0;
    if (actuator->has_bias) {
        kp = -actuator->bias[1] * squares, kd = -actuator->bias[2] * squares;
        if (kp < 0 || kd < 0)
            sn__mjcf_warn_once(mjcf, node, "negative gain", "has a negative gain, which is left out");
    }
    double limit = torque_limit(mjcf, actuator, gear);
    if (!link->driven) joint->torque_limit = 0;
    if (axes == 1) {
        joint->kp += fmax(0, kp), joint->kd += fmax(0, kd);
        joint->torque_limit += limit;
    } else { /* usually one actuator an axis */
        joint->kp = fmax(joint->kp, kp), joint->kd = fmax(joint->kd, kd);
        joint->torque_limit = fmax(joint->torque_limit, limit);
    }
    link->driven = true;
}

static bool read_actuator(struct mjcf *mjcf, const struct sn__xml_node *node) {
    int class = sn__mjcf_class_of(mjcf, node, "class", 0);
    if (class < 0) return false;
    struct mjcf_actuator actuator = mjcf->class[class].actuator;
    if (!sn__mjcf_actuator_read(mjcf, node, &actuator)) return false;
    if (actuator.target != MJCF_TARGET_JOINT) {
        sn__mjcf_warn_once(mjcf, node, "actuator target", "does not drive a joint and is left out");
        return true;
    }
    struct mjcf_link *link = find_joint(mjcf, actuator.target_name);
    if (!link && mjcf->incomplete) {
        sn__mjcf_warn_once(mjcf, node, "actuator joint", "drives a joint that was left out");
        return true;
    }
    if (!link) {
        sn__xml_fail_attribute(node, "joint", mjcf->error, "there is no joint '%.63s'", actuator.target_name);
        return false;
    }
    if (!actuator.fixed_gain) {
        sn__mjcf_warn_once(mjcf, node, "actuator gain", "has a gain that is not constant and is left out");
        return true;
    }
    if (actuator.has_dampratio)
        sn__mjcf_warn_once(mjcf, node, "dampratio", "has a dampratio, which is left out: its kd is 0");
    drive(mjcf, node, &actuator, link);
    return true;
}

bool sn__mjcf_actuators_apply(struct mjcf *mjcf, const struct sn__xml_node *root) {
    static const char *const kinds[] = {"general", "motor", "position", "velocity", "intvelocity"};
    const struct sn__xml_node *section, *node;
    int count = 0;
    for (struct mjcf_walk walk = sn__mjcf_walk(root); (section = sn__mjcf_next(mjcf, &walk));) {
        if (strcmp(section->name, "actuator") != 0) continue;
        for (struct mjcf_walk inner = sn__mjcf_walk(section); (node = sn__mjcf_next(mjcf, &inner));) {
            bool known = false;
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
                known |= strcmp(node->name, kinds[i]) == 0;
            if (!known) {
                sn__mjcf_skip(mjcf, node);
            } else if (++count > MAX_ACTUATORS) {
                sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                             "is one too many: at most %d actuators are read", (int)MAX_ACTUATORS);
                return false;
            } else if (!read_actuator(mjcf, node)) {
                return false;
            }
        }
    }
    for (int i = 0; i < mjcf->nlink; i++) {
        sn_joint_def *joint = &mjcf->link[i].def.joint;
        joint->torque_limit = fmin(joint->torque_limit, mjcf->link[i].force_limit);
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------- keyframe */

static bool set_home(const struct mjcf *mjcf, const struct sn__xml_node *node, const double *q) {
    for (int i = 0; i < mjcf->nlink; i++) {
        sn_joint_def *joint = &mjcf->link[i].def.joint;
        const struct joint_kind *kind = &sn__joint_kind[joint->type];
        for (int k = 0; k < kind->nq; k++)
            joint->home[k] = q[k] - (kind->nq == 1 ? mjcf->link[i].ref : 0);
        if (kind->quaternion >= 0 && !dquat_normalise(joint->home + kind->quaternion)) {
            sn__xml_fail_attribute(node, "qpos", mjcf->error, "a quaternion is zero");
            return false;
        }
        joint->home_given = kind->nq > 0;
        q += kind->nq;
    }
    return true;
}

bool sn__mjcf_keyframe_apply(struct mjcf *mjcf, const struct sn__xml_node *root) {
    const struct sn__xml_node *section, *key = NULL;
    for (struct mjcf_walk walk = sn__mjcf_walk(root); !key && (section = sn__mjcf_next(mjcf, &walk));)
        if (strcmp(section->name, "keyframe") == 0) {
            struct mjcf_walk inner = sn__mjcf_walk(section);
            key = sn__mjcf_next(mjcf, &inner);
        }
    if (!key || !sn__xml_string(key, "qpos")) return true;
    if (mjcf->incomplete) {
        sn__mjcf_warn_once(mjcf, key, "key", "is left out, because parts of the model are");
        return true;
    }
    int nq = 0;
    for (int i = 0; i < mjcf->nlink; i++)
        nq += sn__joint_kind[mjcf->link[i].def.joint.type].nq;
    double *q = sn__alloc((size_t)nq, sizeof *q);
    if (!q) return sn__mjcf_no_memory(mjcf);
    bool good = sn__xml_vector(key, "qpos", nq, q, mjcf->error) >= 0 && set_home(mjcf, key, q);
    sn__free(q);
    return good;
}
