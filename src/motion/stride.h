/* A gait that is made while it is walked: a stick steers it, and it feels the character that follows it.
 *
 * A clip plays on whatever happens to the character. This reference does not: its pelvis and its standing feet follow where
 * the character really is, and its swinging foot lands where it catches the character (the capture point: Pratt and others
 * 2006). So a character that only follows it already walks, and a policy has to learn the rest. docs/puppets.md explains the
 * rules and shows what each of them is worth. Sides: 0 right, 1 left. */
#ifndef SINEW_MOTION_STRIDE_H
#define SINEW_MOTION_STRIDE_H

#include "motion/human.h"

enum { STRIDE_NQ = 43, STRIDE_NV = 34, STRIDE_EFFECTORS = 4 };

/* The figure: a built-in humanoid, in any size. */
struct stride {
    struct human human;
    int effector[STRIDE_EFFECTORS]; /* hands and feet, as the model orders its bodies */
};

/* What a character does at the moment. Plain data: a copy of it goes on in the same way. */
struct stride_state {
    double stick[3];        /* m/s ahead, m/s to the left, rad/s: as it was given last                */
    double phase;           /* 0 to 1; at 0 the left foot touches down, at .5 the right               */
    double going, activity; /* 1: it steps, 0: it stands; the same, smoothed                          */
    double heading, turn;   /* rad, rad/s                                                             */
    double velocity[2], acceleration[2]; /* planned, m/s and m/s^2, ahead and to the left             */
    double pelvis[2];                    /* m, without its sway                                       */
    double foot[2][2], foot_heading[2];  /* where each foot stands, or was lifted                     */
    double off[2];                       /* velocity of the character less the planned one, world     */
    double tilt[3];                      /* rad, by which its pelvis is turned away, without heading  */
};

/* A pose, and how it moves. */
struct stride_frame {
    double q[STRIDE_NQ], qd[STRIDE_NV];
    double effector[STRIDE_EFFECTORS][3]; /* centres of mass, world */
};

/* The character as the gait feels it. All in the world. */
struct stride_felt {
    double pelvis[3], rotation[4]; /* frame of the pelvis */
    double velocity[2];            /* of the centre of mass */
    double ankle[2][3];
};

/* False and a message when the model is not the built-in humanoid. */
bool sn__stride_find(struct stride *stride, const sn_model *model, sn_error *error);
/* Stands at a place, with a heading. */
void sn__stride_begin(const struct stride *stride, struct stride_state *s, const double place[2],
                      double heading);
/* Time goes on by dt under a stick. */
void sn__stride_advance(const struct stride *stride, struct stride_state *s, const double stick[3],
                        double dt);
/* The plan comes to where the character is, as far as dt allows. */
void sn__stride_feel(const struct stride *stride, struct stride_state *s, const struct stride_felt *felt,
                     double dt);
/* The pose after the time `ahead` under the last stick, and the velocity from `before`, dt earlier (NULL: at rest). */
void sn__stride_frame(const struct stride *stride, const struct stride_state *s, double ahead,
                      const struct stride_frame *before, double dt, struct stride_frame *frame);
/* Where an ankle is now, with the pitch and the heading of its sole; true: it stands. */
bool sn__stride_foot(const struct stride *stride, const struct stride_state *s, int side, double ankle[3],
                     double *pitch, double *heading);

#endif
