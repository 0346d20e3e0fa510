/* The parts of a snapshot, each passed by one function (stream.h). */
#ifndef SINEW_WORLD_SNAPSHOT_H
#define SINEW_WORLD_SNAPSHOT_H

#include "world/scene.h"
#include "world/stream.h"

/* What a snapshot says of the structure: read before anything is changed. */
struct sn__plan {
    int nmember, nground, ntie, nsolid;
    size_t state; /* where in the block the state begins */
    int contacts; /* the most of any copy */
    bool same;    /* as the world's own, except for constraints and poses of ground */
    struct sn__planned {
        bool used;
        uint64_t model; /* hash */
        int known;      /* number among the world's known models, -1: unknown */
        int first_solid, nsolid;
        bool active;
        int motion; /* number of its table among the world's, -1: none */
    } * member;
    struct sn__solid *ground; /* [nground]; member SN__NOBODY where there is none */
    int *place;               /* [nground] */
    double (*belt)[3];        /* [nground] */
    struct sn__tie *tie;      /* [ntie] */
    int ngeneration;
    const int *generation; /* [ngeneration] of members' numbers: the world's own, or `read` */
    int *read;             /* NULL: not of a block */
};

bool sn__plan_make(struct sn__plan *p, int nmember, int nground, int ntie); /* room; false: out of memory */
void sn__plan_free(struct sn__plan *p);
void sn__plan_of(struct sn__plan *p, const sn_world *w); /* of the world as it is */
void sn__pass_plan(struct sn__stream *s, const sn_world *w, struct sn__plan *p);
bool sn__plan_is_same(const sn_world *w, const struct sn__plan *p);
/* What a copy of a member knows of sleep, and how far it is in its motion: sleep.c. */
void sn__member_pass_sleep(struct sn__stream *s, const sn_world *w, struct sn__member *m, int nv, int copy);
/* Room for the values of a copy on their way. SN_OK or SN_ERROR_MEMORY. */
sn_status sn__snapshot_make_room(sn_world *w);
/* Contacts and constraints of one copy, at most `room` contacts in each list: snapshot_copy.c. */
void sn__copy_pass(struct sn__stream *s, sn_world *w, const struct sn__plan *p, int room, int number);
/* What one copy has in a world whose structure stays: counted, written or taken over. */
void sn__world_pass_one(struct sn__stream *s, sn_world *w, const struct sn__plan *p, int copy);
/* Makes the world's structure that of the plan. */
sn_status sn__plan_carry_out(sn_world *w, const struct sn__plan *p, sn_error *error);

#endif
