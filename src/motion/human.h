/* The built-in humanoid as its motions see it. Sides: 0 right, 1 left. */
#ifndef SINEW_MOTION_HUMAN_H
#define SINEW_MOTION_HUMAN_H

#include "motion/gait.h"

struct human {
    const sn_model *model;
    int pelvis, chest, head;
    int thigh[2], shin[2], foot[2], upper_arm[2], forearm[2];
    double ankle[3]; /* of the foot in the shin's axes              */
    double hand[3];  /* centre of the hand in the forearm's axes    */
    double palm;     /* its radius                                  */
    struct sole sole;
    double leg; /* hip to ankle, stretched                     */
    double hip; /* half the distance between the hips          */
};

/* How the humanoid goes at a speed. All numbers, so that a style between two others can be made. */
struct human_style {
    double speed, T;            /* m/s; s a round (two steps)                                     */
    struct tread tread;         /* how a foot rolls and swings                                    */
    double ahead;               /* where a foot comes down before the pelvis, in stances covered  */
    double width;               /* between the feet, in widths of the hips                        */
    double height, bob, lowest; /* pelvis: in leg lengths above the ankles, m, phase              */
    double sway, yaw, roll;     /* pelvis: m to the side of the stance, rad                       */
    double lean, chest_yaw;     /* rad                                                            */
    double arm, arm_middle, apart, elbow, elbow_swing; /* rad                                     */
};

/* False and a message when the model is no such figure. */
bool sn__human_find(struct human *human, const sn_model *model, const char *motion, sn_error *error);
/* Both feet with the ankle at the place given and the sole in the orientation given. */
void sn__human_leg(const struct human *human, struct figure_pose *pose, int side, const double ankle[3],
                   const double sole[4]);
/* The arm hanging from the shoulder: swung forward (pitch negative), held off the body, the elbow bent. */
void sn__human_arm(const struct human *human, struct figure_pose *pose, int side, double pitch, double apart,
                   double elbow);

#endif
