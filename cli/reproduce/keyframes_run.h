/* The toy mouse of spd-2011 section 4.2: its keyframes, and one run of it. */
#ifndef SINEW_CLI_REPRODUCE_KEYFRAMES_RUN_H
#define SINEW_CLI_REPRODUCE_KEYFRAMES_RUN_H

#include "scenes/toys.h"

enum { MOUSE_RATE = 60, MOUSE_SAMPLES = 8 * MOUSE_RATE };

struct mouse_trial {
    struct mouse_def mouse;
    sn_form form;
    int substeps; /* of 1/60 s                                       */
    bool spline;  /* no simulation: cubic splines                    */
};

struct mouse_outcome {
    bool finite;
    double diverged_at;      /* s                                                                 */
    double miss[MOUSE_KEYS]; /* place and angle at each key but the first, part of the way to it: the larger */
    double worst;            /* of them                                                           */
    double amplitude;        /* m: farthest that the tip of the tail is from where a rigid tail has it */
    double lag;              /* s by which the tail's heading follows the body's: best correlation */
    double energy, tail_energy; /* J: largest kinetic energy; of the tail's motion against the body  */
    double speed;               /* m/s: the body's fastest                                           */
    double conditioning;        /* of M, the worst of the run                                        */
};

void mouse_run(const struct mouse_trial *trial, struct mouse_outcome *outcome);

#endif
