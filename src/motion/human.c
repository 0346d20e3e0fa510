#include "motion/human.h"

#include "base/error.h"
#include "base/quat.h"

#include <stdio.h>
#include <string.h>

static bool find_sides(const sn_model *model, const char *name, sn_joint_type joint, const char *motion,
                       int body[2], sn_error *error) {
    for (int side = 0; side < 2; side++) {
        char full[SN_MAX_NAME + 1];
        snprintf(full, sizeof full, "%s_%s", side ? "left" : "right", name);
        body[side] = sn__figure_body(model, full, joint, motion, error);
        if (body[side] < 0) return false;
    }
    return true;
}

static bool find_bodies(struct human *human, const char *motion, sn_error *error) {
    const sn_model *model = human->model;
    return (human->pelvis = sn__figure_body(model, "pelvis", SN_JOINT_FREE, motion, error)) >= 0 &&
           (human->chest = sn__figure_body(model, "chest", SN_JOINT_BALL, motion, error)) >= 0 &&
           (human->head = sn__figure_body(model, "head", SN_JOINT_BALL, motion, error)) >= 0 &&
           find_sides(model, "thigh", SN_JOINT_BALL, motion, human->thigh, error) &&
           find_sides(model, "shin", SN_JOINT_HINGE, motion, human->shin, error) &&
           find_sides(model, "foot", SN_JOINT_BALL, motion, human->foot, error) &&
           find_sides(model, "upper_arm", SN_JOINT_BALL, motion, human->upper_arm, error) &&
           find_sides(model, "forearm", SN_JOINT_HINGE, motion, human->forearm, error);
}

bool sn__human_find(struct human *human, const sn_model *model, const char *motion, sn_error *error) {
    human->model = model;
    if (!find_bodies(human, motion, error)) return false;
    const sn_body_info *foot = sn_model_body(model, human->foot[0]);
    const sn_body_info *forearm = sn_model_body(model, human->forearm[0]);
    const sn_shape_def *sole = foot->nshape > 0 ? (&sn_model_get(model)->shape[foot->first_shape]) : NULL;
    const sn_shape_def *hand = forearm->nshape > 1
                                   ? (&sn_model_get(model)->shape[forearm->first_shape + forearm->nshape - 1])
                                   : NULL;
    if (!sole || sole->type != SN_SHAPE_BOX || !hand || hand->type != SN_SHAPE_SPHERE) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "the motion '%s' does not fit the model: its feet should be boxes, its hands spheres",
                 motion);
        return false;
    }
    memcpy(human->ankle, foot->pos, sizeof human->ankle);
    memcpy(human->hand, hand->pos, sizeof human->hand);
    human->palm = hand->size[0];
    human->sole = (struct sole){sole->pos[0] - sole->size[0], sole->pos[0] + sole->size[0],
                                sole->size[2] - sole->pos[2]};
    human->leg = dvec_length(foot->pos) + dvec_length(sn_model_body(model, human->shin[0])->pos);
    human->hip = fabs(sn_model_body(model, human->thigh[0])->pos[1]);
    return true;
}

void sn__human_leg(const struct human *human, struct figure_pose *pose, int side, const double ankle[3],
                   const double sole[4]) {
    double across[3] = {0, 1, 0};
    dquat_rotate(pose->rot[human->pelvis], across, across);
    sn__figure_reach(pose, human->thigh[side], human->shin[side], human->ankle, ankle, across, 1);
    sn__figure_set(pose, human->foot[side], sole);
}

void sn__human_arm(const struct human *human, struct figure_pose *pose, int side, double pitch, double apart,
                   double elbow) {
    double turn[4], swing[4];
    sn__turn_y(pitch, swing);
    sn__turn_xyz(side ? apart : -apart, 0, 0, turn);
    dquat_multiply(swing, turn, turn);
    sn__figure_turn(pose, human->upper_arm[side], turn);
    sn__turn_y(elbow, turn);
    sn__figure_turn(pose, human->forearm[side], turn);
}
