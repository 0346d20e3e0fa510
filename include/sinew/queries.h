/* Sinew: what touches in a world, and what a ray or a shape would meet. The second half of section 4 of sinew.h, which includes
   this file. */
#ifndef SINEW_QUERIES_H
#define SINEW_QUERIES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------- 4. Contacts and casts */

typedef enum sn_contact_phase {
    SN_CONTACT_PHASE_NEAR,  /* looked at in the step, but carried no force */
    SN_CONTACT_PHASE_BEGAN, /* carries force, and did not in the step before */
    SN_CONTACT_PHASE_STAYED,
    SN_CONTACT_PHASE_ENDED /* carried force in the step before and does not any more; comes once, with zero force */
} sn_contact_phase;

typedef struct sn_contact {
    int copy;
    int member[2];    /* of the first and the second body; -1: ground */
    int body[2];      /* or the number of the ground */
    int shape[2];     /* in the model; 0 for ground */
    uint32_t feature; /* the same from step to step while the same corner, end or edge touches */
    sn_contact_phase phase;
    double pos[3];    /* in the world, halfway between the surfaces, when the step began */
    double normal[3]; /* from the second to the first */
    double gap;       /* m; negative: penetration */
    double force[3];  /* on the first body, mean over the last step, N, world axes */
    bool sliding;     /* friction is at its bound */
    double slip_speed; /* SN_FRICTION_ONE_WAY: the lambda of kokkevis-2004 eq. 20, 21 as a velocity, m/s: what friction at its
                         bound leaves of the sliding at the end of the step; 0 where it sticks, and for all other friction */
} sn_contact;

/* Of the last step in one copy, or in all of them one after the other (copy -1), ordered by bodies; valid until the next call
   that changes the world. */
SN_API const sn_contact *sn_world_contacts(const sn_world *world, int copy, int *count);

/* What a ray or a moving shape meets. */
typedef struct sn_hit {
    double t;        /* part of the way, 0 to 1 */
    int member;      /* -1: ground */
    int body, shape; /* or the number of the ground, and 0 */
    double pos[3], normal[3];
} sn_hit;

/* In one copy, over members and ground whose group has a bit in the mask. A cast finds the first thing on the way
   origin + t way; what it starts in is met at t = 0. Shapes are solids of any kind, and do not turn on their
   way. True: something was met. */
SN_API bool sn_world_cast_ray(const sn_world *world, int copy, const double origin[3], const double way[3],
                              uint32_t mask, sn_hit *hit);
SN_API bool sn_world_cast_shape(const sn_world *world, int copy, const sn_shape_def *shape,
                                const double pos[3], const double rot[4], const double way[3], uint32_t mask,
                                sn_hit *hit);
/* Everything that overlaps a shape: at most `room` hits (t = 0); returns how many there are. */
SN_API int sn_world_overlap(const sn_world *world, int copy, const sn_shape_def *shape, const double pos[3],
                            const double rot[4], uint32_t mask, sn_hit *hits, int room);

#ifdef __cplusplus
}
#endif

#endif
