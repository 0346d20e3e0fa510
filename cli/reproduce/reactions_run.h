/* One run of a scene of spd-2011 section 4.1. */
#ifndef SINEW_CLI_REPRODUCE_REACTIONS_RUN_H
#define SINEW_CLI_REPRODUCE_REACTIONS_RUN_H

#include "scenes/throws.h"

struct reaction_trial {
    const struct reaction_scene *scene;
    double dt, kt, ratio; /* step; gain of all joints; kd / (kp dt) */
    bool stable;          /* the stable form; else the classical PD                  */
    bool ball;            /* false: what happens without it                          */
    bool reacts;          /* false: tracking gains throughout                        */
    bool limits;          /* of the elbows                                           */
    bool momentum;        /* look at the momentum of every step with an impact       */
    double seconds;       /* 0: as long as the scene wants it                       */
    const char *record;   /* a recording of the run goes there; NULL: nowhere    */
    double *error; /* [steps] tracking error, rad, root mean square over the joints; NULL: nobody asks */
};

enum { REACTION_STEPS_MOST = 512 }; /* of a trial at 1/30 s */

struct reaction_outcome {
    bool finite;
    int steps;
    double hit;           /* s: end of the step of the first impact; NAN: there was none          */
    double last;          /* s: as above, of the last impact                                      */
    int impacts;          /* all that counted                                                     */
    double before, after; /* speed of the limb's end before that step and after it, m/s           */
    double slowest;       /* the least it falls to in the 0.1 s after                             */
    double passed;        /* kg m/s: momentum that the ball got in that step                      */
    double ball_speed;    /* after it, m/s                                                        */
    double later, moves;  /* speeds of ball and limb 0.2 s later                                  */
    double off;           /* momentum unaccounted for, of what was passed: the worst such step    */
    double root;          /* N s: what the root's drive gave because of it, in that step          */
    double give;          /* largest deviation of any joint from the run's target after it, rad   */
    double hands;         /* least distance between ball's centre and the line between the hands  */
    double apart;         /* m: distance of the hands then                                        */
    double gap; /* m: the farther hand from the ball, surface to surface, the most until t_e + 0.5 s after it */
    double held;    /* s for which both hands are within 1 cm of the ball, from 0.1 s after it on */
    double elbow;   /* rad: how far an elbow passed its limit at most                       */
    double largest; /* tracking error of any step, rad                                      */
};

double reaction_seconds(const struct reaction_trial *trial);
/* False with a message when the scene cannot be made. */
void reaction_run(const struct reaction_trial *trial, struct reaction_outcome *outcome);

#endif
