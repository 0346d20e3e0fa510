/* The world from inside: what it holds, and the stages of its step. */
#ifndef SINEW_WORLD_WORLD_H
#define SINEW_WORLD_WORLD_H

#include "collide/collide.h"
#include "world/character.h"

/* A shape in the world: of a character's body, or ground. */
struct sn__solid {
    struct sn__geom geom;         /* where it is now */
    double reach;                 /* of the sphere around its centre that holds it */
    double arm;                   /* of the sphere around its body's joint that holds it */
    double pos[3], R[3][3];       /* in the frame of its body that stands at the joint */
    int member, body, shape;      /* member -1: ground number `body` */
    bool moves;                   /* ground that has a velocity */
    double linear[3], angular[3]; /* of moving ground */
    double base[3], rot[4];       /* of ground: where the user put it */
    double friction, restitution;
    uint32_t group, mask;
};

/* A contact point, and what it brings from the last step. */
struct sn__contact {
    uint64_t pair; /* orders contacts, with the feature */
    int solid[2];
    uint32_t feature;
    bool implicit; /* solved inside MABA */
    bool sliding;
    bool old; /* was there in the last step */
    bool anchored;
    double pos[3], normal[3], gap;
    double mu, restitution;
    double force[3];  /* mean over the last step, on the first, world axes */
    double anchor[3]; /* how far its material must go back to where it stuck */
    double tangent[2][3];
    double approach; /* normal velocity at the beginning of the step */
    int row;         /* the first of its rows, -1: none */
};

/* One row of the complementarity problem beyond what PGS reads. */
struct sn__world_row {
    double bias;   /* velocity that only moves positions: recovery from penetration */
    double *owner; /* where its force goes after the solve, or NULL */
};

/* A joint with limits, and what tells at a glance that a ball is far from them. */
struct sn__limited {
    int body;
    double cos_swing, sin_lower, sin_upper; /* of the cone; of half the twist */
    unsigned pushing;                       /* bit by bit, the sides that pushed in the last step */
    unsigned pushed;                        /* and in the one before, should this one fail */
};

struct sn__member {
    sn_character *character;
    sn_member_def def;
    bool active;
    int first_solid, nsolid;
    int nlimit;
    struct sn__limited *limit; /* joints with limits */
    void *lanes;               /* one block of the arrays below */
    void *push_lanes;          /* [nbody][6] for the drives' torque */
    void *free_qd;             /* [nv] velocity without rows */
    void *moved_qd;            /* [nv] velocity that moves positions */
    void *change;              /* [nv] */
    void *zero;                /* [nv] */
    double *place;             /* [nbody][SN__PLACE] */
    double *rate;              /* [nbody][6] with the free velocity: linear, angular */
    double *qd;                /* [nv] the free velocity */
    double *wrench, *tau;      /* [nbody][6], [nv] impulses of the rows */
    void *start;               /* event stepper: q and qd where the substep starts, in lanes */
    double *backup;            /* state before the step: in sn__member_backup bytes of lanes */
    int nrow;                  /* rows that touch it in this step */
    int row_room;
    struct sn__row *row;
    double *K; /* [nrow][stride] in the pool */
    int stride;
    double *v;                    /* [stride] */
    struct sn__contacts contacts; /* with ground, and limits: implicit */
    int implicit_room, limit_room;
    void *implicit_lanes, *limit_lanes; /* their records */
    int32_t *implicit_body, *limit_body;
    int *limit_side;       /* which of the joints with limits, times SN__SIDES, and which side of it */
    double *inertia;       /* [nv] each degree of freedom's own, about */
    int *implicit_contact; /* which of the world's contacts each one is */
    int sweeps;
};

struct sn__tie { /* a constraint of the user's */
    sn_constraint_def def;
    uint32_t generation;
    bool used;
    int rows;
    double force[6];
    int rows_before; /* should the step fail */
    double force_before[6];
};

/* What rows are built for. */
enum sn__level {
    SN__LEVEL_STEP,         /* velocities at the end of a whole step */
    SN__LEVEL_ACCELERATION, /* of what touches now, over a substep */
    SN__LEVEL_IMPACT        /* velocities changed at once */
};

struct sn_world {
    sn_world_def def;
    enum sn__level level;
    const struct sn__kernels *solver; /* of double: PGS */
    double time;
    int nmember, member_room;
    struct sn__member *member;
    int nsolid, solid_room;
    struct sn__solid *solid; /* ground and bodies' shapes in the order they were added */
    int nground, ground_room;
    int *ground;                     /* number of ground -> solid */
    struct sn__solid *ground_backup; /* [nground] before the step */
    struct sn__field **field;
    int nfield, field_room;
    struct sn__sweeper *sweeper;
    int sweeper_room;
    struct sn__box *box;
    bool *moving;
    int *swept; /* box -> solid */
    struct sn__pair *pair;
    int pair_room;
    int ncontact, nlast;
    struct sn__contact *contact, *last; /* [def.max_contacts] */
    struct sn__contact *before;         /* the event stepper's: those before the step */
    int nbefore;
    sn_contact *report;
    int nrow, row_room;
    struct sn__pgs_row *row;
    struct sn__world_row *more;
    double *f_kept;      /* [row_room] before a subspace step */
    double *f, *f_moved; /* [row_room] impulses */
    struct sn__pgs_block *block;
    double *pool; /* matrices of all members */
    float *pool_float;
    size_t pool_size, pool_used;
    double *polish; /* [SN__POLISH_ROWS^2] */
    double *direct; /* working memory of the direct solver */
    size_t direct_size;
    int direct_rows;
    int ntie, tie_room;
    struct sn__tie *tie;
    sn_world_stats stats;
};

enum { SN__DIRECT_ROWS = 256 }; /* more than that goes to PGS */

enum {
    SN__POLISH_ROWS = 128,
    SN__POLISH_AFTER = 20,
    SN__POLISH_STEPS = 24
}; /* PGS gets help after so many sweeps, of so many rows */

/* Memory for what the world holds: reserve.c. */
bool sn__world_reserve(sn_world *w);
size_t sn__world_direct_room(int rows);
void sn__member_release(struct sn__member *m);
void sn__solid_place_ground(struct sn__solid *s);
bool sn__solid_moves(const struct sn__solid *s);
struct sn__solid *sn__world_add_solid(sn_world *w); /* NULL: out of memory */
void sn__solid_set_material(struct sn__solid *s, const sn_shape_def *shape);

/* Lane 0 of an array in lanes. */
void sn__member_gather(const struct sn__member *m, const void *lanes, int n, double *values);
/* n values into every lane, from place `at` on. */
void sn__member_spread(const struct sn__member *m, void *lanes, int at, int n, const double *values);
/* What the kernels need to know about a member, its implicit contacts included: free.c. */
struct sn__args sn__member_args(const struct sn__member *m);

/* Each stage of a step is one file; h is the length of the step or substep. */

/* Where every body and shape is; contact points, matched with those of the last step: contacts.c. */
void sn__world_place(sn_world *w);
void sn__world_find_contacts(sn_world *w, double h);
void sn__world_take_contacts_back(sn_world *w); /* those before the last find */
void sn__world_refresh_approach(sn_world *w);   /* after velocities have changed */
void sn__world_report(const sn_world *w);
void sn__solid_velocity(const sn_world *w, const struct sn__solid *s, const double point[3], double v[3]);
/* Accelerations under the drives and implicit contacts; fills free_qd, and rate and qd when there may be
   rows: free.c. */
void sn__world_solve_free(sn_world *w, double h);
bool sn__world_has_rows(const sn_world *w);
/* Rows of contacts, limits and constraints: rows.c, joint_limits.c, ties.c. */
void sn__world_build_rows(sn_world *w, double h);
void sn__world_limit_rows(sn_world *w, int member, double h);
void sn__world_limit_dampers(sn_world *w, int member, double h); /* the same for implicit contact */
void sn__world_tie_rows(sn_world *w, double h);
struct sn__pgs_row *sn__world_add_row(sn_world *w); /* NULL when there is no room */
/* A row's side on a member; false when there is no room. */
bool sn__world_add_side(sn_world *w, struct sn__pgs_row *row, int side, int member, const struct sn__row *r);
struct sn__row sn__point_row(const struct sn__member *m, int body, const double point[3], const double d[3],
                             double sign);
double sn__world_row_velocity(const sn_world *w,
                              const struct sn__pgs_row *row); /* under the free velocities */
double sn__world_recovery(const sn_world *w, double h);       /* time constant of recovery */
void sn__world_read_rows(sn_world *w, double h);              /* forces from impulses */
/* Matrices of all members; false when even without contacts they do not fit: respond.c. */
bool sn__world_respond(sn_world *w, sn_row_response response, double h);
/* What impulses f do to the velocities of a member, in lanes: respond.c. */
void sn__world_impulse(sn_world *w, int member, const double *f, void *change);
/* Impulses, with or without what only moves positions: solve_rows.c. */
void sn__world_solve_rows(sn_world *w, double *f, bool biased);
/* A step over the free rows that leaves no impulse above what changes its row's velocity by `most`:
   polish.c. */
void sn__world_polish(sn_world *w, double *f, double most);
double sn__world_coupling(const sn_world *w, int i, int j);
sn_status sn__tie_check(const sn_world *w, const sn_constraint_def *d, sn_error *error);

/* Steppers, and what they share: step_time.c, step_event.c. */
sn_status sn__world_step_time(sn_world *w);
sn_status sn__world_step_event(sn_world *w);
void sn__world_back_up(sn_world *w);
void sn__world_go_back(sn_world *w);
sn_status sn__world_check_finite(sn_world *w);
void sn__world_move_grounds(sn_world *w, double h);
double sn__world_touch(const sn_world *w); /* gap below which the event stepper takes surfaces to touch */
/* Rows built, answered and solved for the members' free velocities: biased tells whether positions move on
   their own (f_moved): step_time.c. */
bool sn__world_solve_constraints(sn_world *w, double h);
void sn__member_torque(sn_world *w, int member, double h);

#endif
