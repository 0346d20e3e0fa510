/* The built-in humanoid with hands: five fingers of three small links on either forearm, 15 bodies a hand. Light chains on
 * heavy limbs, limp: what a solver of impacts finds hardest. */
#ifndef SINEW_SCENES_HANDS_H
#define SINEW_SCENES_HANDS_H

#include <sinew/sinew.h>

/* How its fingers are made. */
struct hands {
    sn_joint_type knuckle,
        others;     /* of a finger's first link, and of the two behind it: balls, universals or hinges */
    double mass;    /* kg, of a first link; the next have 0.6 and 0.3 of it */
    double damping; /* passive, N m s / rad, of all their joints */
};

/* Balls at the knuckles, hinges behind them; 20, 12 and 6 g, undamped. */
struct hands hands_default(void);
sn_model *hands_model(const struct hands *hands, sn_error *error);

#endif
