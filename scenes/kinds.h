/* The functions in the table of scenes.c: characters.c has those with a humanoid, bodies.c those without, reactions.c those
 * of characters that are hit, of keyframes and of the tinkertoy. */
#ifndef SINEW_SCENES_KINDS_H
#define SINEW_SCENES_KINDS_H

#include "scenes.h"

void build_driven(struct scene *s);
void build_limp(struct scene *s);
void build_track(struct scene *s);
void build_hills(struct scene *s);
void build_slopes(struct scene *s);
void build_meet(struct scene *s);
void build_balls(struct scene *s);
void build_heap(struct scene *s);
void build_held(struct scene *s);
void build_pile(struct scene *s);
void build_stack(struct scene *s);
void build_slope(struct scene *s);
void build_chain(struct scene *s);
void build_bounce(struct scene *s);
void build_hit(struct scene *s);
void build_kick(struct scene *s);
void build_mouse(struct scene *s);
void build_tinkertoy(struct scene *s);

void start_stand(struct scene *s, int copy, uint64_t who);
void start_fall(struct scene *s, int copy, uint64_t who);
void start_own(struct scene *s, int copy, uint64_t who);
void start_tangle(struct scene *s, int copy, uint64_t who);
void start_track(struct scene *s, int copy, uint64_t who);
void start_hills(struct scene *s, int copy, uint64_t who);
void start_meet(struct scene *s, int copy, uint64_t who);
void start_balls(struct scene *s, int copy, uint64_t who);
void start_heap(struct scene *s, int copy, uint64_t who);
void start_pile(struct scene *s, int copy, uint64_t who);
void start_stack(struct scene *s, int copy, uint64_t who);
void start_slope(struct scene *s, int copy, uint64_t who);
void start_chain(struct scene *s, int copy, uint64_t who);
void start_bounce(struct scene *s, int copy, uint64_t who);
void start_hit(struct scene *s, int copy, uint64_t who);
void start_kick(struct scene *s, int copy, uint64_t who);
void start_mouse(struct scene *s, int copy, uint64_t who);
void start_tinkertoy(struct scene *s, int copy, uint64_t who);

void act_shove(struct scene *s, int copy, uint64_t who, int step);
void act_balls(struct scene *s, int copy, uint64_t who, int step);
void act_heap(struct scene *s, int copy, uint64_t who, int step);
void act_held(struct scene *s, int copy, uint64_t who, int step);
void act_hit(struct scene *s, int copy, uint64_t who, int step);
void act_mouse(struct scene *s, int copy, uint64_t who, int step);

#endif
