/* The state of one copy of a world, apart from what is in lanes: contacts and constraints. */
#ifndef SINEW_WORLD_COPY_H
#define SINEW_WORLD_COPY_H

#include "base/pool.h"
#include "collide/collide.h"

/* Contacts as the user sees them: report.c. */
struct sn__report {
    uint64_t version; /* of the world it was filled from */
    int count, room;
    sn_contact *contact; /* [room], or NULL: nobody has asked */
};

/* A contact point, and what it brings from the last step. */
struct sn__contact {
    uint64_t pair; /* orders contacts, with the feature */
    int solid[2];
    uint32_t feature;
    bool implicit; /* solved inside MABA */
    bool probe;    /* found by a kernel, and only kept for reports */
    bool sliding;
    bool old;    /* was there in the last step */
    bool waits;  /* has no rows since it will not be reached: waiting.c */
    bool called; /* and has them after all */
    double pos[3], normal[3], gap;
    double other[3]; /* the point of the second where it is now; pos is then the first's. As a rule the same */
    double apart[3]; /* from the second solid's centre to the first's, when it was found */
    double mu, restitution;
    double force[3]; /* mean over the last step, on the first, world axes */
    double begun[3]; /* the force that a round of newton.c starts with */
    double lambda;   /* one-way friction: eq. 20, 21 */
    union {
        double anchor[3]; /* implicit: how far its material must go back to where it stuck */
        double impact[3]; /* event stepper: impulses of the impacts of this step */
    };
    double belt[3]; /* velocity of the second's surface against the first's, across the normal: filter.c */
    double tangent[2][3];
    double approach; /* normal velocity at the beginning of the step */
    int row;         /* the first of its rows, -1: none */
    int link;        /* scratch of contact_order.c */
};

/* And what each copy has of it. */
struct sn__tied {
    double target[7], target_velocity[6];
    bool followed;  /* a path: the three below are of the last step */
    double last[7]; /* target */
    double was[6];  /* target_velocity at its end */
    double mean[6]; /* the target's mean velocity in it */
    bool spent;     /* an impulse that has acted */
    bool broken;    /* it does nothing until it is mended */
    double arc[3];  /* filled with the rows: half the acceleration that a point, or a body turning, has
                      by its path being curved */
    int row, rows;  /* the first of them, in the current step; how many */
    double force[6];
    int rows_before; /* should the step fail */
    double force_before[6];
};

/* One copy of the scene beyond what stands in lanes. */
struct sn__copy {
    int left;                            /* substeps of this step that are still to be made */
    bool followed;                       /* targets of the next one follow their motions already */
    const struct sn__worker *stepped_by; /* the last time */
    int ncontact, nlast;
    int contact_room;                   /* no less than the world's */
    struct sn__contact *contact, *last; /* [contact_room] of the last step, and of the one before */
    struct sn__tied *tied;              /* [tie_room] */
    struct sn__report report;
};

void sn__contacts_sort(struct sn__contact *c, int n); /* contact_order.c */
void sn__contacts_move(struct sn__contact *c, int n); /* each to the place that its link says */
bool sn__contact_before(const struct sn__contact *a, const struct sn__contact *b);

#endif
