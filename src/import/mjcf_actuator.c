/* Actuators as gains and limits of the joints they drive.
 *
 * An actuator with gear g exerts g (gain ctrl + bias0 + bias1 g q + bias2 g qd), so that it is a PD drive with
 * kp = -bias1 g^2 and kd = -bias2 g^2. What limits its force limits the torque, times |g|; where the force is nothing
 * but gain times control, what limits the control does so too. Actuators of one joint add up. What is left of the force,
 * g (gain ctrl + bias0), is where a drive with gains goes to: kp target. Controls are those of the keyframe, or zero.
 *
 * A damping ratio r stands for kd = 2 r sqrt(kp m), m = M / g^2 with the diagonal M of the mass matrix where the file places
 * the joints. */
#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { MAX_ACTUATORS = 16 * 1024 };

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

/* The control of the next actuator, within its range. */
static double next_control(struct mjcf *mjcf, const struct mjcf_actuator *actuator) {
    const int index = mjcf->nactuator++;
    double control = index < mjcf->ncontrol ? mjcf->control[index] : 0;
    if (sn__mjcf_is_limited(mjcf, actuator->ctrl_limited, actuator->ctrl_range))
        control = fmin(fmax(control, actuator->ctrl_range[0]), actuator->ctrl_range[1]);
    return control;
}

static void add_gains(sn_joint_def *joint, int axes, double kp, double kd, double limit) {
    if (axes == 1) {
        joint->kp += fmax(0, kp), joint->kd += fmax(0, kd);
        joint->torque_limit += limit;
    } else { /* usually one actuator an axis */
        joint->kp = fmax(joint->kp, kp), joint->kd = fmax(joint->kd, kd);
        joint->torque_limit = fmax(joint->torque_limit, limit);
    }
}

static void drive(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_actuator *actuator,
                  struct mjcf_link *link, double force) {
    sn_joint_def *joint = &link->def.joint;
    int axes = sn__joint_kind[joint->type].nv;
    double squares = 0;
    for (int i = 0; i < axes; i++) {
        squares += actuator->gear[i] * actuator->gear[i];
        link->push[i] += actuator->gear[i] * force;
    }
    double gear = sqrt(squares), kp = 0, kd = 0;
    if (actuator->has_bias) {
        kp = -actuator->bias[1] * squares, kd = -actuator->bias[2] * squares;
        if (kp < 0 || kd < 0)
            sn__mjcf_warn_once(mjcf, node, "negative gain", "has a negative gain, which is left out");
    }
    if (actuator->dampratio > 0 && axes == 1)
        link->ratio_kd += 2 * actuator->dampratio * gear * sqrt(fmax(0, -actuator->bias[1]));
    else if (actuator->dampratio > 0)
        sn__mjcf_warn_once(mjcf, node, "dampratio",
                           "has a dampratio for more than one axis, which is left out");
    if (!link->driven) joint->torque_limit = 0;
    add_gains(joint, axes, kp, kd, torque_limit(mjcf, actuator, gear));
    link->driven = true;
}

/* A servo on a tendon is a spring on it. Its length counts gear times. A motor pushes its joints and no more. */
static void drive_rope(struct mjcf *mjcf, const struct sn__xml_node *node,
                       const struct mjcf_actuator *actuator, const struct mjcf_rope *rope, double force) {
    const double gear = actuator->gear[0], squares = gear * gear;
    const double kp = actuator->has_bias ? -actuator->bias[1] * squares : 0;
    const double kd = actuator->has_bias ? -actuator->bias[2] * squares : 0;
    if (actuator->dampratio > 0)
        sn__mjcf_warn_once(mjcf, node, "dampratio", "has a dampratio on a tendon, which is left out");
    if (kp > 0 || kd > 0) {
        sn__mjcf_rope_spring(mjcf, rope, fmax(0, kp), fmax(0, kd), kp > 0 ? gear * force / kp : rope->length,
                             kp > 0 || !(kd > 0) ? 0 : gear * force / kd,
                             torque_limit(mjcf, actuator, fabs(gear)));
        return;
    }
    for (int i = 0; i < rope->njoint; i++)
        mjcf->link[rope->link[i]].push[0] += rope->coef[i] * gear * force;
}

static bool use_actuator(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy) {
    int class = sn__mjcf_class_of(mjcf, node, "class", 0);
    if (class < 0) return false;
    struct mjcf_actuator actuator = mjcf->class[class].actuator;
    if (!sn__mjcf_actuator_read(mjcf, node, &actuator)) return false;
    const bool on_joint = actuator.target == MJCF_TARGET_JOINT;
    const char *attribute = !on_joint ? "tendon" : sn__xml_string(node, "joint") ? "joint" : "jointinparent";
    const struct mjcf_name *name;
    if (!sn__mjcf_need(mjcf, node, attribute, on_joint ? MJCF_JOINT : MJCF_TENDON, copy, &name)) return false;
    const double control = next_control(mjcf, &actuator);
    if (!name || (!on_joint && name->index < 0)) return true; /* a tendon that was warned about */
    if (!actuator.fixed_gain) {
        sn__mjcf_warn_once(mjcf, node, "actuator gain", "has a gain that is not constant and is left out");
        return true;
    }
    if (actuator.has_bias && actuator.bias[2] > 0 && actuator.gain == -actuator.bias[1])
        actuator.dampratio = actuator.bias[2], actuator.bias[2] = 0; /* MuJoCo's own way to write one */
    const double force = actuator.gain * control + (actuator.has_bias ? actuator.bias[0] : 0);
    if (on_joint)
        drive(mjcf, node, &actuator, &mjcf->link[name->index], force);
    else
        drive_rope(mjcf, node, &actuator, &mjcf->rope[name->index], force);
    return true;
}

static bool read_actuator(struct mjcf *mjcf, const struct sn__xml_node *node) {
    static const char *const names[] = {"joint", "jointinparent", "tendon"};
    for (int i = 0; i < 3; i++)
        if (sn__xml_string(node, names[i]))
            return sn__mjcf_each(mjcf, node, names[i], i < 2 ? MJCF_JOINT : MJCF_TENDON, use_actuator);
    struct mjcf_actuator actuator = mjcf->class[0].actuator;
    if (!sn__mjcf_actuator_read(mjcf, node, &actuator)) return false;
    mjcf->nactuator++;
    sn__mjcf_warn_once(mjcf, node, "actuator target", "drives neither a joint nor a tendon and is left out");
    return true;
}

bool sn__mjcf_actuators_read(struct mjcf *mjcf, const struct sn__xml_node *section) {
    static const char *const kinds[] = {"general", "motor", "position", "velocity", "intvelocity"};
    const struct sn__xml_node *node;
    for (struct mjcf_walk inner = sn__mjcf_walk(section); (node = sn__mjcf_next(mjcf, &inner));) {
        bool known = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            known |= strcmp(node->name, kinds[i]) == 0;
        if (!known) {
            sn__mjcf_skip(mjcf, node);
            mjcf->nactuator++;
        } else if (mjcf->nactuator >= MAX_ACTUATORS) {
            sn__xml_fail(node, mjcf->error, SN_ERROR_TOO_LARGE,
                         "is one too many: at most %d actuators are read", (int)MAX_ACTUATORS);
            return false;
        } else if (!read_actuator(mjcf, node)) {
            return false;
        }
    }
    return true;
}

void sn__mjcf_actuators_end(struct mjcf *mjcf) {
    for (int i = 0; i < mjcf->nlink; i++) {
        sn_joint_def *joint = &mjcf->link[i].def.joint;
        joint->torque_limit = fmin(joint->torque_limit, mjcf->link[i].force_limit);
    }
}

/* ---------------------------------------------------------------------------------------------------- the draft */

/* The diagonal of the mass matrix at a hinge or slide where the file places all joints: what hangs on it, about its axis. */
static double inertia_at(const sn_model *model, int joint) {
    const sn_body_info *body = &model->body[joint];
    double sum = body->joint.armature;
    for (int i = joint; i < model->nbody && (i == joint || model->body[i].parent >= joint); i++) {
        const sn_body_info *b = &model->body[i];
        double com[3], rot[4] = {1, 0, 0, 0}, axis[3], arm[3];
        memcpy(com, b->com, sizeof com);
        for (int k = i; k != joint; k = model->body[k].parent)
            sn__mjcf_frame_carry(model->body[k].pos, model->body[k].rot, com, rot);
        if (body->joint.type == SN_JOINT_SLIDE) {
            sum += b->mass;
            continue;
        }
        for (int k = 0; k < 3; k++)
            arm[k] = com[k] - body->joint.anchor[k];
        dvec_cross(body->joint.axis, arm, axis);
        sum += b->mass * dvec_dot(axis, axis);
        dquat_conjugate(rot, rot);
        dquat_rotate(rot, body->joint.axis, axis);
        const double *J = b->inertia;
        sum += J[0] * axis[0] * axis[0] + J[1] * axis[1] * axis[1] + J[2] * axis[2] * axis[2] +
               2 * (J[3] * axis[0] * axis[1] + J[4] * axis[0] * axis[2] + J[5] * axis[1] * axis[2]);
    }
    return sum;
}

/* F = kp target for drives that have a kp, kd target' for others that have a kd, and else a torque: with F - kp q - kd qd
   all three are the actuators'. */
static void aim(const struct mjcf_link *link, const sn_body_info *body, struct sn__scene *scene) {
    const double kp = body->joint.kp, kd = body->joint.kd;
    double *q = scene->target_q + body->q_index, turn[3];
    if (body->nv == 1 && kp > 0)
        q[0] = link->push[0] / kp - link->ref;
    else if (body->joint.type == SN_JOINT_BALL && kp > 0) {
        for (int i = 0; i < 3; i++)
            turn[i] = link->push[i] / kp;
        dquat_exp(turn, q);
    } else
        for (int i = 0; i < body->nv; i++)
            (kd > 0 ? scene->target_qd : scene->forward)[body->v_index + i] =
                link->push[i] / (kd > 0 ? kd : 1);
}

void sn__mjcf_actuators_finish(struct mjcf *mjcf, sn_model *draft) {
    for (int i = 0; i < mjcf->nlink; i++) {
        const struct mjcf_link *link = &mjcf->link[i];
        const int at =
            strcmp(draft->body[i].name, link->name) == 0 ? i : sn_model_find_body(draft, link->name);
        sn_body_info *body = &draft->body[at];
        if (link->ratio_kd > 0) body->joint.kd += link->ratio_kd * sqrt(fmax(0, inertia_at(draft, at)));
        if (mjcf->scene) aim(link, body, mjcf->scene);
    }
}
