/* What the name of a body or joint means. */
#ifndef SINEW_MOTION_MEANING_H
#define SINEW_MOTION_MEANING_H

#include "sinew/sinew.h"

/* Parts of a body. Of a quadruped the fore limbs are arms; its hips are hinges that spread a leg of a robot. */
enum sn__role {
    SN__PELVIS,
    SN__LOIN,
    SN__CHEST,
    SN__NECK,
    SN__HEAD,
    SN__TAIL,
    SN__TAIL_TIP,
    SN__SCAPULA,
    SN__UPPER_ARM,
    SN__FOREARM,
    SN__HAND,
    SN__THIGH,
    SN__SHIN,
    SN__HOCK, /* between shin and foot, where an animal has four parts in a hind leg */
    SN__FOOT,
    SN__TOE,
    SN__FORE_HIP,
    SN__HIND_HIP,
    SN__ROLES
};

struct sn__meaning {
    int role;  /* -1: none               */
    int side;  /* 1 left, -1 right, 0    */
    int rank;  /* place in the role's list of names: the first is meant most surely */
    bool axis; /* one of several hinges in a row: yaw, roll, pitch */
    bool leg;  /* of a quadruped, named by where it is */
};

struct sn__meaning sn__meaning_of(const char *name);

#endif
