/* Points of members that kernels test against planes and height fields, and joints with limits. */
#ifndef SINEW_WORLD_PROBES_H
#define SINEW_WORLD_PROBES_H

#include "world/scene.h"

struct sn__hand;

struct sn__contact;

/* Points that are looked up over planes and height fields, and joints with limits: probes.c. */
sn_status sn__probes_make(sn_world *w, struct sn__member *m);
/* Solids over a height field, for kernels (edges.c): how many slots one needs; `memory`: of sn__edge_own_size() */
int sn__edge_slots(const struct sn__geom *g);
size_t sn__edge_own_size(void);
void sn__edge_solid_make(const struct sn__solid *s, const struct sn__solid *ground, double mu, int first,
                         void *memory, struct sn__edge_solid *solid);
void sn__probes_release(struct sn__pack *p);
void sn__world_forget_probes(
    sn_world *w); /* ground has changed: what members of a model had in common is old */
struct sn__ground sn__probes_of(const struct sn__pack *p, int block);
size_t sn__probes_bytes(const struct sn__pack *p); /* of records, with p->extras */
/* Counts the copies of a block, in the working memory, whose solve has ended unsettled. */
void sn__probes_settled(const struct sn__pack *p, int copies, sn_world_stats *stats);
/* Appends the contacts of a lane as its kernel found them to list[n ...]; the new n. */
int sn__probes_report(const sn_world *w, const struct sn__hand *h, int lane, int n, struct sn__contact *list,
                      int room);
void sn__probes_force(const struct sn__pack *p, int copy, double *force); /* adds to [nbody][3] */
void sn__probes_forget(struct sn__pack *p, int copy);
void sn__probes_enliven(struct sn__pack *p); /* what is remembered has been set from outside */

#endif
