/* A crowd from inside: characters in lanes, or in worlds of their own, and what the files of this folder share. */
#ifndef SINEW_CROWD_CROWD_H
#define SINEW_CROWD_CROWD_H

#include "base/pool.h"
#include "dynamics/pack.h"

/* Values of a field as the user sees them, [character][value]. */
struct sn__view {
    void *memory;     /* NULL: never asked for */
    uint64_t version; /* of the crowd it was filled from */
};

struct sn_crowd {
    sn_crowd_def def;
    const sn_model *model;
    size_t elem_size;
    struct sn__pack pack;      /* all characters, or none of them when there are arenas */
    struct sn__arenas *arenas; /* contact by rows: arena.c; else NULL */
    struct sn__pool *pool;     /* who steps it */
    struct sn__pack *clone;    /* [threads - 1] what the other threads have of the pack */
    void **lanes;   /* [threads] scratch: values of one block in lanes, as many as the largest field */
    size_t largest; /* values of a character in the largest field, and room for more */
    double *row;    /* [threads][largest] scratch: values of one character */
    double *phase;  /* [count] s into the motion */
    struct sn__table *motion; /* that targets follow, or NULL: motion.c */
    bool stale;               /* clones must follow the pack */
    uint64_t version;         /* counts changes and steps, from 1 */
    uint64_t posed;           /* the version at which lanes[0] holds the poses of a block */
    int posed_block;          /* which one */
    struct sn__view view[SN_CROWD_FIELDS];
};

/* Where the values of a character stand: its pack, and its place there. */
struct sn__place {
    struct sn__pack *pack;
    int index;
};
struct sn__place sn__crowd_place(const sn_crowd *c, int character);
/* The crowd has changed: views are old, and the clones perhaps, too. */
void sn__crowd_touch(sn_crowd *c);
/* Clones are as the pack is. */
sn_status sn__crowd_sync(sn_crowd *c);
/* The pack of a thread. */
struct sn__pack *sn__crowd_pack(sn_crowd *c, int thread);
bool sn__crowd_has_range(const sn_crowd *c, int first, int count);
bool sn__crowd_frozen(const sn_crowd *c, int character);

/* ------------------------------------------------------------------------------------------ fields: fields.c */

/* What values of a field may be. */
enum sn__rule {
    SN__RULE_READ_ONLY,
    SN__RULE_FINITE,
    SN__RULE_POSE,         /* quaternions that can be made of unit length */
    SN__RULE_NOT_NEGATIVE, /* and finite */
    SN__RULE_POSITIVE,     /* and finite */
    SN__RULE_GAINS,        /* not negative, equal for the three axes of a ball */
    SN__RULE_LIMITS        /* the same, or infinite */
};

struct sn__field_info {
    enum sn__array array; /* in the pack; SN__FIELDS: none */
    enum sn__rule rule;
};
const struct sn__field_info *sn__crowd_field(sn_crowd_field field);

/* Whether the values may be put there, one character's. SN_OK, SN_ERROR_ARGUMENT or SN_ERROR_UNSUPPORTED. */
sn_status sn__crowd_check(const sn_crowd *c, sn_crowd_field field, const double *values);
/* Before values that have been checked are put: memory, and flags. */
sn_status sn__crowd_prepare(sn_crowd *c, sn_crowd_field field);
/* Values that have been checked. Quaternions are taken as they are. */
void sn__crowd_write(sn_crowd *c, sn_crowd_field field, int character, const double *values);
void sn__crowd_read(sn_crowd *c, sn_crowd_field field, int character, double *values);
/* What everybody has of a field that has no memory. */
void sn__crowd_default(const struct sn__pack *p, enum sn__array array, int n, double *values);
/* Gains changed, of one or of all. */
void sn__crowd_mark_axes(sn_crowd *c);
/* Makes quaternions of unit length; `exact`: even those that are so nearly. */
void sn__crowd_tidy(const sn_crowd *c, double *q, bool exact);
double sn__crowd_unit_tolerance(const sn_crowd *c); /* of |q|^2 */
/* Where the joint's quaternion starts in its q, -1: none. */
int sn__quaternion_of(const sn_body_info *body);
/* n values of the crowd's precision to doubles and back. */
void sn__crowd_widen(const sn_crowd *c, int n, const void *from, double *to);
void sn__crowd_narrow(const sn_crowd *c, int n, const double *from, void *to);

/* ------------------------------------------------------------------------------------------ motions: motion.c */

void sn__table_free(struct sn__table *table);
size_t sn__table_memory(const struct sn__table *table);
/* Moves the phases of characters first .. first + n - 1, which stand in a block, on by dt, and sets their targets. */
void sn__crowd_follow(sn_crowd *c, struct sn__pack *p, int block, int first, int n);

/* ------------------------------------------------------------------------------------- contact by rows: arena.c */

/* Ground: a plane, or a height field where there is one. */
struct sn__floor {
    const double *point, *normal;
    const sn_heightfield_def *field;
    const sn_shape_def *material;
};

sn_status sn__arenas_create(sn_crowd *c, sn_error *error);
void sn__arenas_free(struct sn__arenas *arenas);
size_t sn__arenas_memory(const struct sn__arenas *arenas);
struct sn__pack *sn__arenas_pack(const struct sn__arenas *arenas, int character);
sn_status sn__arenas_set_floor(sn_crowd *c, const struct sn__floor *floor, sn_error *error);
sn_status sn__arenas_step(sn_crowd *c);
/* Takes part again, and has touched nothing. */
void sn__arenas_restart(sn_crowd *c, int character);
bool sn__arenas_frozen(const struct sn__arenas *arenas, int character);
/* Of the ground on each body, [nbody][3]. */
void sn__arenas_contact_force(const sn_crowd *c, int character, double *force);

#endif
