/* What the scenes of kokkevis/impact have in common. */
#ifndef SINEW_CLI_KOKKEVIS_IMPACT_H
#define SINEW_CLI_KOKKEVIS_IMPACT_H

#include "experiment.h"

#include "scenes/papers.h"

enum { STEPPERS = 2 };
extern const char *const impact_steppers[STEPPERS]; /* "time", "event" */
extern const sn_stepper impact_stepper[STEPPERS];

/* Worst values over all rows of a stepper, for the claims. */
struct bodies_seen {
    double ball[STEPPERS];    /* height of the rebound, largest relative error    */
    double box[STEPPERS];     /* the same for a box on its four corners           */
    double tilt[STEPPERS];    /* rad/s that the box turns after it                */
    double oblique[STEPPERS]; /* velocity after an oblique impact, error, m/s      */
    double row[STEPPERS];     /* balls in a row: error of the last one's speed    */
    double momentum[STEPPERS];
};
void impact_bodies(struct bodies_seen *seen, struct result *result);

struct characters_seen {
    double momentum[STEPPERS], angular[STEPPERS]; /* of two characters that collide: relative change */
    double gain[STEPPERS];                        /* J gained by the impact, largest */
    double approach[STEPPERS];                    /* m/s at which contacts still close after an impact */
    double contacts[STEPPERS];                    /* most contacts at once */
};
/* M alone against M + K: kp = 1000, kd = 100. */
struct inertia_seen {
    double corner,
        impulse; /* M + K over M alone at 1/240 s: inertia of a corner, impulse of the whole landing */
    double coarse, fine; /* what the first is above 1 at 1/983040 and at 1/3932160 s */
};
void impact_inertia(struct inertia_seen *seen, struct result *result);

void impact_characters(const struct run_settings *settings, struct characters_seen *seen,
                       struct result *result);

#endif
