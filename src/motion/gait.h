/* Tools for the motions that come with the library: curves, limbs, feet, and figures made of them.
 *
 * X is forward, Y left, Z up. Bodies of the built-in figures have the world's axes in the zero pose, so that a pitch is a
 * turn about Y: positive lowers what points forward and moves what hangs down backward. */
#ifndef SINEW_MOTION_GAIT_H
#define SINEW_MOTION_GAIT_H

#include "sinew/sinew.h"

/* -------------------------------------------------------------------------------------------------------- curves */

/* A key of a smooth curve. A slope of NAN is chosen: 0 at ends and turning points, else so that nothing overshoots. */
struct curve_key {
    double t, value, slope;
};

/* The C1 curve through n keys, constant outside. */
double sn__curve(const struct curve_key *key, int n, double t);
/* The cubic from a with slope da to b with slope db over the time h, at the fraction u. */
double sn__hermite(double a, double da, double b, double db, double h, double u);
/* 0 to 1 with no slope at either end: 3 u^2 - 2 u^3, and 0 or 1 outside. */
double sn__ease(double u);

/* --------------------------------------------------------------------------------------------------------- turns */

void sn__turn_xyz(double x, double y, double z, double q[4]); /* about Z last: R = Rz Ry Rx */
void sn__turn_y(double angle, double q[4]);

/* --------------------------------------------------------------------------------------------------------- limbs */

/* Two links, the second turning on the first about Y. */
struct limb {
    double a[3], b[3]; /* each link from its joint to its end, in its own axes; without y */
    int sense;         /* the way it bends: +1 knees, -1 elbows                            */
};

/* The orientation of the first link and the angle of the second that bring the end from `joint` to `target`. The first
   link's Y axis comes as near to `side` as it can. What is out of reach is pointed at. */
void sn__limb_solve(const struct limb *limb, const double joint[3], const double target[3],
                    const double side[3], double rot[4], double *angle);

/* ---------------------------------------------------------------------------------------------------------- feet */

/* A foot's sole seen from its joint: x of heel and toe, and how deep it lies. */
struct sole {
    double heel, toe, depth;
};

/* How a foot goes through a step. */
struct tread {
    double duty;            /* part of the round on the ground                                */
    double strike, lift;    /* pitch at touch-down (toe up: negative) and at lift-off         */
    double flat, heel_off;  /* parts of the stance: when the sole is flat, when it ends being */
    double clearance, skew; /* of the swing: height added, and how much of it comes early     */
};

/* Place of the foot's joint at = (x, z) and pitch at the phase 0 <= phase < 1, which starts at touch-down, with the
   joint at x = 0 when the sole is flat; in a round of the time T the foot moves on by `stride`. */
void sn__tread_sample(const struct tread *tread, const struct sole *sole, double stride, double T,
                      double phase, double at[2], double *pitch);
/* The same sole standing on its heel or its toe at a pitch. */
void sn__sole_pivot(const struct sole *sole, double pitch, double *x, double *z);

/* ------------------------------------------------------------------------------------------------------- figures */

enum { FIGURE_MOST = 64 }; /* bodies */

/* A pose in the making: orientations in the world, from which the joints follow. */
struct figure_pose {
    const sn_model *model;
    double root[3];
    double rot[FIGURE_MOST][4];
    bool given[FIGURE_MOST];
};

/* Index of the body, which must be there with that joint; -1 and a message otherwise. motion names it there. */
int sn__figure_body(const sn_model *model, const char *name, sn_joint_type joint, const char *motion,
                    sn_error *error);
void sn__figure_start(struct figure_pose *pose, const sn_model *model);
/* The body turned against its parent, which must be given already; or in the world. */
void sn__figure_turn(struct figure_pose *pose, int body, const double turn[4]);
void sn__figure_set(struct figure_pose *pose, int body, const double rot[4]);
/* World place of the body's joint. */
void sn__figure_joint(const struct figure_pose *pose, int body, double place[3]);
/* A point of the body in the world. */
void sn__figure_point(const struct figure_pose *pose, int body, const double local[3], double place[3]);
/* upper and its child lower so that `end`, seen from lower's joint, is at target, or nearly there when the limb would have
   to be stretched beyond 0.975 of its length. */
void sn__figure_reach(struct figure_pose *pose, int upper, int lower, const double end[3],
                      const double target[3], const double side[3], int sense);
/* The centre of mass. */
void sn__figure_com(const struct figure_pose *pose, double com[3]);
/* The pose in the model's q. */
void sn__figure_finish(const struct figure_pose *pose, double *q);

/* A figure at a time of its gait: the trunk comes first, then the two limbs of each side. */
struct figure_parts {
    void (*trunk)(const void *gait, struct figure_pose *pose, double t);
    void (*limb[2])(const void *gait, struct figure_pose *pose, int side, double t);
};
void sn__figure_pose(const sn_model *model, const struct figure_parts *parts, const void *gait, double t,
                     double *q);

/* ------------------------------------------------------------------------------------------------------- motions */

/* One round of T seconds, from a function of the time that is sampled `rate` times per second. Between keys a foot that rolls
   strays from its path by the square of what it turns in that time. */
enum { GAIT_RATE = 480 };
typedef void gait_pose(void *gait, double time, double *q);
sn_motion *sn__gait_record(const sn_model *model, double T, double rate, gait_pose *pose, void *gait,
                           sn_error *error);

typedef sn_motion *gait_maker(const char *name, const sn_model *model, sn_error *error);
gait_maker sn__gait_human, sn__gait_cartwheel, sn__gait_backflip, sn__gait_ball, sn__gait_dog, sn__gait_snake;

#endif
