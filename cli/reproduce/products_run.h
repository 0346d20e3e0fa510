/* Spinning bodies: the scenes of sinew/products and one run of them. */
#ifndef SINEW_CLI_REPRODUCE_PRODUCTS_RUN_H
#define SINEW_CLI_REPRODUCE_PRODUCTS_RUN_H

#include "experiment.h"

#include <sinew/sinew.h>

enum {
    SPIN_PLATE,
    SPIN_TOP,
    SPIN_LIMP,
    SPIN_HELD,
    SPIN_HELD_FAST,
    SPIN_CHAIN,
    SPIN_CHAIN_COARSE,
    SPIN_SCENES
};

/* Velocity products of a run: at the start of the step, halfway through it, or polarised. */
enum spin_products { SPIN_EXPLICIT, SPIN_MIDPOINT, SPIN_IMPLICIT, SPIN_PRODUCTS };

struct spin_seen {
    double lost; /* s, when a value stopped being finite; NAN: never */
    double value; /* energy at the end over that at the start; of the top: energy gained over 25 J; of chains: rms
                        error of the joints, rad */
    double momentum; /* change of the angular momentum about the centre of mass, relative; NAN where it is not kept */
};

double spin_dt(int scene);
void spin_run(int scene, sn_precision precision, enum spin_products products, double dt,
              const struct run_settings *settings, struct spin_seen *seen);
/* The value to compare with: by the laws of motion where they say, else by two explicit runs with small steps, whose
   error falls with the step, extrapolated to 0; NAN: there is none. */
double spin_fine(int scene, const struct run_settings *settings);

#endif
