/* What the tests of snapshots share: scenes of every kind, what the user does in them, and their bits. */
#ifndef SINEW_TESTS_SNAPSHOT_HELPERS_H
#define SINEW_TESTS_SNAPSHOT_HELPERS_H

#include "world_helpers.h"

enum { MAX_MEMBERS = 6, MAX_TIES = 4, MAX_VALUES = 128 };

/* ------------------------------------------------------------------------------------------------- scenes */

struct scene {
    sn_world *world;
    sn_model *model[MAX_MEMBERS];
    sn_constraint tie[MAX_TIES];
};

enum kind {
    STANDS,
    STANDS_IMPLICIT,
    STANDS_FLOAT,
    STANDS_FLOAT_IMPLICIT,
    CROWDED,
    TIED,
    MOVING_GROUND,
    MOVING_GROUND_IMPLICIT,
    FIELD,
    DIRECT,
    EVENTS,
    SMALL,
    KINDS
};

extern const char *const kind_name[KINDS];

sn_model *one_body(const char *name, sn_shape_type type, double a, double b, double c);
struct scene make_scene(enum kind kind);
void free_scene(struct scene *s);
/* All bits a user can see. */
uint64_t hash_scene(const struct scene *s);
/* Steps, each with what the user does before it; the hash after each, where not NULL. */
void run_snapshot_scene(struct scene *s, enum kind kind, int first, int steps, uint64_t *hash);

enum { BEFORE = 200, AFTER = 200 };

/* Fails where the hashes of AFTER steps differ. */
void compare_hashes(const uint64_t *a, const uint64_t *b, enum kind kind, const char *which);

#endif
