/* A motion as rows of targets, for steps to follow: motion.c. */
#ifndef SINEW_WORLD_TABLE_H
#define SINEW_WORLD_TABLE_H

#include "clip/keys.h"
#include "motion/motion.h"

struct sn__table {
    int pieces;
    bool loop, moves_on;
    double duration, onward[3];
    struct round_gain gain; /* turns the root where its angle is not 0; else onward is all */
    double rounds, rows;    /* a second: 1 / duration, pieces / duration */
    size_t stride;          /* bytes of a row */
    size_t bytes;
    char *row; /* [pieces + 1], then the rest before and the rest after */
};

#endif
