/* The scenes that tests, benchmarks, experiments, fuzz programs and the playground share, each written once.
 *
 *     struct scene s;
 *     sn_world_def def = sn_world_def_default();
 *     def.copies = 16;
 *     if (!scene_create(&s, "meet", &def, 1)) puts(s.error.message);
 *     scene_run(&s, 240);
 *     scene_free(&s);
 *
 * A scene is built once and started copy by copy. What a copy does depends on its `who` alone, not on its place or its
 * company: two copies with the same who do the same, wherever they stand. Only the public API is used, so a scene is also
 * an example. parts.h has what scenes are made of. */
#ifndef SINEW_SCENES_SCENES_H
#define SINEW_SCENES_SCENES_H

#include <sinew/sinew.h>

enum {
    SCENE_MODELS = 8,
    SCENE_VALUES = 256, /* room for any field of any member of a scene */
};

struct scene;

struct scene_kind {
    const char *name;
    const char *what;                                               /* what happens, in one sentence */
    void (*build)(struct scene *s);                                 /* members, ground and constraints */
    void (*start)(struct scene *s, int copy, uint64_t who);         /* states of one copy */
    void (*act)(struct scene *s, int copy, uint64_t who, int step); /* before a step; NULL: nothing is done */
};

extern const struct scene_kind scene_kinds[]; /* the last has no name */

struct scene {
    sn_world *world;
    sn_model *model[SCENE_MODELS]; /* freed with the scene */
    sn_motion *motion;             /* what member 0 follows, or NULL */
    sn_keyframes *keys;            /* what drives it instead, or NULL */
    sn_constraint constraint;      /* the first one, or 0 */
    const struct scene_kind *kind;
    uint64_t seed; /* copy k draws its random numbers with seed + k */
    int models, step;
    sn_error error; /* what failed first; nothing is done after that */
};

/* Copy k of the world starts as who = seed + k. False: s->error says why, and nothing has to be freed. */
bool scene_create(struct scene *s, const char *name, const sn_world_def *def, uint64_t seed);
void scene_free(struct scene *s);
/* Lets one copy start again, as anybody. */
void scene_start(struct scene *s, int copy, uint64_t who);
/* What happens to this copy before that step: pushes and balls; most scenes have nothing of the kind. */
void scene_act(struct scene *s, int copy, uint64_t who, int step);
/* Steps of the whole scene, with what happens in them; false: a call failed, see s->error. */
bool scene_run(struct scene *s, int steps);

#endif
