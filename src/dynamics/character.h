/* What a character is made of, for those who step it: itself, or the world it belongs to. */
#ifndef SINEW_WORLD_CHARACTER_H
#define SINEW_WORLD_CHARACTER_H

#include "dynamics/pack.h"

struct sn_character {
    struct sn__pack pack;
    void *out;   /* lanes: what a kernel answers, largest of 13 nbody, 6 nv, 11 values */
    double *row; /* the same for one character, [.] */
    bool member; /* of a world, which alone may step it */
};

struct sn__pack_def sn__pack_def_of(const sn_character_def *def);

#endif
