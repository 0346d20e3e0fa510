/* Random numbers that are a function of where they are used: (seed, stream, step) names a cell, and the numbers of a cell
 * come one after the other. Nothing is carried from cell to cell, so the order in which threads come to them does not
 * matter, and a run that is resumed needs no state of a generator. */
#ifndef SINEW_LEARN_RANDOM_H
#define SINEW_LEARN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* What the random numbers of a stream are for stands in its upper 8 bits, which copy or other item they are for below. */
enum sn__stream {
    SN__STREAM_ACTION = 1, /* exploration */
    SN__STREAM_SHUFFLE,    /* the order of samples in an epoch */
    SN__STREAM_WEIGHTS,    /* the start of a network */
    SN__STREAM_RESET,      /* where an episode begins */
    SN__STREAM_CMA,
    SN__STREAM_TASK, /* pushes */
    SN__STREAM_BALL,
    SN__STREAM_VARY,    /* masses, friction and gains of an episode */
    SN__STREAM_COMMAND, /* when, and which */
    SN__STREAM_PLACE,   /* on the terrain */
    SN__STREAM_TERRAIN, /* its heights */
    SN__STREAM_EPISODE, /* sn_episode_random */
    SN__STREAM_NOISE,   /* on observations */
};

struct sn__random {
    uint32_t key[2];     /* the seed */
    uint32_t counter[4]; /* block within the cell, stream, step */
    uint32_t word[4];    /* the block's numbers */
    int used;            /* of them */
    bool spare_there;    /* normal numbers come in pairs */
    double spare;
};

/* Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). */
void sn__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

struct sn__random sn__random_at(uint64_t seed, enum sn__stream kind, uint32_t item, uint64_t step);
uint32_t sn__random_word(struct sn__random *r);
double sn__random_uniform(struct sn__random *r);               /* in (0, 1), 32 bits */
double sn__random_normal(struct sn__random *r);                /* mean 0, variance 1 */
uint32_t sn__random_below(struct sn__random *r, uint32_t end); /* 0 to end - 1, each alike */

#endif
