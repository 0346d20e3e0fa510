/* How a member conducts itself beyond its gains: reactions to impacts, modes of its limbs, assistance of its root. */
#ifndef SINEW_WORLD_CONDUCT_H
#define SINEW_WORLD_CONDUCT_H

#include "world/stream.h"
#include "world/worker.h"

enum { SN__SHARES = 2, SN__DRIVEN = 0, SN__ANIMATED = 1 };

/* What one copy knows of a body and its joint. */
struct sn__limb {
    double since;            /* s since its last impact; negative: there was none, or it is over */
    double felt[3];          /* impulse on the body, with the memory of the window, N s, world axes */
    bool hit;                /* the body, in the current step */
    double was[SN__SHARES];  /* driven, animated: when the blend began */
    double will[SN__SHARES]; /* and when it ends */
    double gone, lasts;      /* s of the blend */
    double scale, held; /* as the drives have it: part of the gains; part of the stiffness that animates */
};

struct sn__conduct {
    bool reacts, assisted, animates;
    sn_reaction_def def;
    double budget[2];
    double *kp, *kd;           /* [copies][nv] gains to track with */
    double *stiff;             /* [nv] of an animated joint, times h^2 */
    struct sn__limb *limb;     /* [copies][nbody] */
    struct sn_assistance *aid; /* [copies] */
    double *impacts;           /* [copies] how many there were */
    double *force;             /* [copies][nbody][3] on the bodies in a step: scratch */
    uint64_t *seen;            /* [copies] changes of the world when the drives were set last */
};

/* The member's, made when it is not there yet; NULL: out of memory. */
struct sn__conduct *sn__conduct_need(sn_world *w, struct sn__member *m);
void sn__conduct_free(struct sn__conduct *c);
size_t sn__conduct_memory(const sn_world *w, const struct sn__member *m);
/* The user has given gains: of one copy (SN_FIELD_KP or SN_FIELD_KD), or of all. */
void sn__conduct_take_gains(struct sn__member *m, sn_field field, int copy, const double *values);
/* A copy starts afresh. */
void sn__conduct_forget(struct sn__member *m, int copy);

/* An impact on a body, from the coming gains on. */
void sn__conduct_strike(struct sn__member *m, int copy, int body);
/* Before a step of h: pushes are felt, and the drives of the copy get their gains. */
void sn__conduct_begin(const sn_world *w, struct sn__member *m, int copy, double h);
/* When the impulses of the rows are known: whether some body is hit for the first time in this step, which is then to be
   made again. */
bool sn__conduct_hit(struct sn__worker *w);
/* After a step that went well: ground is felt, clocks go on, and the books of the root are kept. */
void sn__conduct_end(const sn_world *w, struct sn__member *m, int copy, double h);

/* Snapshots: what all copies share, with *there telling whether there is any; and what each copy has. */
void sn__conduct_pass_shared(struct sn__stream *s, struct sn__member *m, bool *there,
                             struct sn__conduct *shared);
sn_status sn__conduct_take_shared(sn_world *w, struct sn__member *m, bool there,
                                  const struct sn__conduct *shared);
void sn__conduct_pass_copy(struct sn__stream *s, const sn_model *model, struct sn__member *m, int copy);

#endif
