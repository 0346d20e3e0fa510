/* Sinew: what touches in a world, and what a ray or a shape would meet. sinew.h includes this file. */
#ifndef SINEW_QUERIES_H
#define SINEW_QUERIES_H

#include "sinew/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sn_contact_phase {
    /* Considered in the step, but it carried no force. */
    SN_CONTACT_PHASE_NEAR,
    /* Carries force, and did not in the step before. */
    SN_CONTACT_PHASE_BEGAN,
    /* Carries force, as in the step before. */
    SN_CONTACT_PHASE_STAYED,
    /* Carried force in the step before and does not any more. It is reported once, with zero force. */
    SN_CONTACT_PHASE_ENDED
} sn_contact_phase;

typedef struct sn_contact {
    /* Number of the copy. */
    int copy;
    /* Members of the first and the second body; -1: ground. */
    sn_member member[2];
    /* Their bodies, or the number of the ground. */
    int body[2];
    /* Their shapes in the model; 0 for ground. */
    int shape[2];
    /* Stays the same from step to step while the same corner, end or edge touches. */
    uint32_t feature;
    sn_contact_phase phase;
    /* Position in the world, halfway between the surfaces, when the step began. */
    double pos[3];
    /* From the second to the first. */
    double normal[3];
    /* m. Negative: penetration. */
    double gap;
    /* Force on the first body, mean over the last step, N, world axes. */
    double force[3];
    /* Whether friction is at its bound. */
    bool sliding;
    /* SN_FRICTION_ONE_WAY: sliding speed that friction at its bound leaves at the end of the step, m/s
       (kokkevis-2004 eq. 20, 21). 0 where it sticks, and for all other friction. */
    double slip_speed;
} sn_contact;

/* Contacts of the last step in one copy, or in all of them one after the other (copy -1), ordered by
   bodies. You can read them until the next call that changes the world. */
SN_API const sn_contact *sn_world_contacts(const sn_world *world, int copy, int *count);

/* What a ray or a moving shape meets. */
typedef struct sn_hit {
    /* Part of the way, 0 to 1. */
    double t;
    /* -1: ground. */
    sn_member member;
    /* Body and shape, or the number of the ground and 0. */
    int body, shape;
    double pos[3], normal[3];
} sn_hit;

/* Casts work in one copy, over members and ground whose group has a bit in the mask. A cast finds the
   first thing on the way origin + t way; what it starts in is met at t = 0. Shapes are solids of any kind
   and do not turn on their way. Returns true if something was met. */
SN_API bool sn_world_cast_ray(const sn_world *world, int copy, const double origin[3], const double way[3],
                              uint32_t mask, sn_hit *hit);
SN_API bool sn_world_cast_shape(const sn_world *world, int copy, const sn_shape_def *shape,
                                const double pos[3], const double rot[4], const double way[3], uint32_t mask,
                                sn_hit *hit);
/* Finds everything that overlaps a shape. Fills at most `room` hits (t = 0) and returns how many there
   are. */
SN_API int sn_world_overlap(const sn_world *world, int copy, const sn_shape_def *shape, const double pos[3],
                            const double rot[4], uint32_t mask, sn_hit *hits, int room);

#ifdef __cplusplus
}
#endif

#endif
