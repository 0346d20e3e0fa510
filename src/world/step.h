/* How a copy, or a block of copies, is stepped: what the steppers of steppers.h are made of. */
#ifndef SINEW_WORLD_STEP_H
#define SINEW_WORLD_STEP_H

#include "world/worker.h"

/* A step that fails leaves the copy as it was. */
/* SN__SHORT: for lack of room, see struct sn__lack. SN__AGAIN: somebody is hit, and gives way in this very step. */
enum { SN__SHORT = -1, SN__AGAIN = -2 };
/* A copy with rows about: step_time.c, step_event.c. */
sn_status sn__worker_step_time(struct sn__worker *w);
sn_status sn__worker_step_event(struct sn__worker *w);
/* One member in a block of copies in lanes: step_time.c, step_position.c. */
void sn__worker_step_lanes(struct sn__worker *w, struct sn__hand *h, int block);
void sn__worker_step_position(struct sn__worker *w, struct sn__hand *h, int block);
/* Copies that stand in a block; their contacts, as a kernel left them: step.c. */
int sn__world_copies_in(const sn_world *w, int block);
void sn__worker_report_block(struct sn__worker *w, const struct sn__hand *h, int block);
void sn__worker_back_up(struct sn__worker *w);
void sn__worker_go_back(struct sn__worker *w);
/* Whether all velocities and positions are within bounds; those before rows, so that the overflow of one member is not blamed on
   another that it touches. Members that are not are marked as bad, and the first is named. */
sn_status sn__worker_check(struct sn__worker *w);
sn_status sn__worker_check_free(struct sn__worker *w);
void sn__worker_remember(struct sn__worker *w); /* at the end of a step that went well, of the crew */
double sn__world_touch_gap(const sn_world *w);  /* below it the event stepper takes surfaces to touch */
/* The islands of a step, each by itself: step_isles.c. */
sn_status sn__worker_step_isles(struct sn__worker *w, double h);
sn_status sn__worker_step_crew(struct sn__worker *w, double h); /* step_time.c */

#endif
