/* The world from inside: the structure that all copies share, the state of each copy, and the workers that step them.
 *
 * A worker is one thread's bench: it takes up one copy (or one block of copies) after the other, with a hand for each
 * member. Where the scene needs rows, every copy has a block of lanes of its own and is stepped by step_time.c or
 * step_event.c; where it needs none, copies stand side by side in lanes and one kernel steps them (step.c). */
#ifndef SINEW_WORLD_WORLD_H
#define SINEW_WORLD_WORLD_H

#include "base/pool.h"
#include "collide/collide.h"
#include "dynamics/pack.h"
#include "solve/problem.h"
#include "world/hand.h"

enum { SN__GROUND = -1, SN__NOBODY = -2 };
enum { SN__EQUIPPED = 64 }; /* as many members have working memory through the whole step: equip.c */

/* A shape in the world: of a member's body, or ground. */
struct sn__solid {
    struct sn__geom geom;    /* where it is now, in the copy a worker has at hand */
    double reach;            /* of the sphere around its centre that holds it */
    double arm;              /* of the sphere around its body's joint that holds it */
    double pos[3], R[3][3];  /* in the frame of its body that stands at the joint */
    int member, body, shape; /* member SN__GROUND: ground number `body`; SN__NOBODY: a place that is free */
    bool moves;              /* ground that has a velocity */
    bool probed;             /* ground that points are looked up over, in lanes: probes.c */
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
    bool probe;    /* found by a kernel, and only kept for reports */
    bool sliding;
    bool old;    /* was there in the last step */
    bool waits;  /* has no rows since it will not be reached: waiting.c */
    bool called; /* and has them after all */
    double pos[3], normal[3], gap;
    double other[3]; /* the point of the second where it is now; pos is then the first's. As a rule the same */
    double apart[3]; /* from the second solid's centre to the first's, when it was found */
    double mu, restitution;
    double force[3];  /* mean over the last step, on the first, world axes */
    double begun[3];  /* the force that a round of newton.c starts with */
    double lambda;    /* one-way friction: eq. 20, 21 */
    double anchor[3]; /* implicit: how far its material must go back to where it stuck */
    double tangent[2][3];
    double approach;  /* normal velocity at the beginning of the step */
    double impact[3]; /* event stepper: impulses of the impacts of this step */
    int row;          /* the first of its rows, -1: none */
    int link;         /* scratch of contact_order.c */
};

/* A row beyond what the solver reads. */
struct sn__world_row {
    double softness; /* its compliance as a part of its response, which is known only later; 0: in the row */
    double bias;     /* velocity that only moves positions: recovery from penetration */
    double *owner;   /* where its force goes after the solve, or NULL */
    double *impulse; /* where its impulse goes when the step has gone well, or NULL */
    bool still;      /* a constraint's that asks for no motion, and so gives no energy: slow.c */
    const struct sn__contact *contact; /* whose normal it is, or NULL */
    double asked, best;                /* refine.c: b before a round, and that of the best one */
    double change;                     /* refine.c: of b in the last round */
    double kept[2]; /* solve_rows.c: b and soft without what draws an impulse to where it is */
    double wanted;  /* the velocity it shall have, which its b is without */
    /* bounce.c: wanted, b and bounds as they were at first, b before a round, the part of its impulse that positions get,
       and how much that is at least */
    double surface, b, lo, hi, middle, before, part, least;
};

/* Rows of joint limits that a step adds as it finds that it needs them, behind those of constraints and contacts. */
struct sn__added {
    int member, body;
    int side;       /* of the limit, as the kernels count them */
    double axis[3]; /* away from the limit */
    double gap;     /* what is left before it; negative: beyond it */
    double rest;    /* the velocity it may have towards the limit */
    double impulse; /* in the last round */
};

/* A turn of a body that is damped as far as the pull of constraints needs it: tension.c. */
struct sn__tension {
    int member, body;
    double axis[3];
    double E;           /* h times its damping */
    double asked, best; /* refine.c: the E before a round, and that of the best one */
    double torque;      /* of the last solve */
};

/* A model that some member has or had, for snapshots; its joints' inertias, for limits. */
struct sn__known {
    const sn_model *model;
    uint64_t hash;
    double *inertia;                /* [nv] */
    bool owned;                     /* the model goes with the world: sn_world_load */
    struct sn__gains *gains;        /* that its members share: dynamics/share.c */
    struct sn__pack_ground *ground; /* likewise what may touch what, or NULL: probes.c */
};

/* Values of a field as the user sees them, [copy][value]. */
struct sn__view {
    void *memory;     /* NULL: never asked for */
    uint64_t version; /* of the world it was filled from */
};

/* A character or a free body, in all copies. */
struct sn__member {
    int number, known; /* its own, and its model's among those the world knows */
    const sn_model *model;
    struct sn__pack pack; /* state in lanes */
    bool active;
    int first_solid, nsolid;
    int braces;               /* constraints inside MABA: brace.c */
    int rows_wanted;          /* by a step that had too little room for its rows */
    double *phase;            /* [copies] s into the motion */
    struct sn__table *motion; /* of the world's tables, that targets follow, or NULL: motion.c */
    double *still;            /* [copies] s it has been slow: sleep.c */
    uint8_t *asleep;          /* [copies] */
    int *island;              /* [copies] with whom it fell asleep */
    double *mean;             /* [copies][nv] velocity, over some time */
    double arm;               /* of one free body: to its farthest point, m; 1 at most, and for all others */
    bool sleeps;              /* the four are there */
    struct sn__conduct *conduct; /* reactions, limbs, assistance; NULL: none. conduct.h */
    struct sn__view *view;       /* [SN_FIELD_COUNT], or NULL: nobody has asked for any */
};

/* A constraint of the user's: what all copies share. */
struct sn__tie {
    sn_constraint_def def; /* its curve and surface are NULL: */
    const struct sn__guide *guide;
    uint32_t generation;
    bool used;
    int origin; /* which of its member's model it is, from 1; 0: the user's own */
};

/* Two members, or bodies of one, that a constraint joins: joined.c. */
struct sn__join {
    uint64_t members, bodies;
    int tie;
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
    int row, rows;  /* the first of them, in the step at hand; how many */
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
};

/* What rows are built for. */
enum sn__level {
    SN__LEVEL_STEP,         /* velocities at the end of a whole step */
    SN__LEVEL_ACCELERATION, /* of what touches now, over a substep */
    SN__LEVEL_IMPACT        /* velocities changed at once */
};

/* What a step found too little room for. It has then changed nothing, and is made again when there is more. */
struct sn__lack {
    bool any, memory;          /* memory: there is none */
    int contacts, pairs, rows; /* as many would have been enough, as far as is known */
    size_t pool;
};

/* Members whom contacts join, and how the step went for them: crew.c. */
struct sn__isle {
    int crew, seats, seated; /* as a worker has them; `seated` from there on */
    int first, ncontact;     /* of the worker's contacts */
    int rows, status;        /* how many it had; of the step */
    int bad_member, bad_dof; /* if it failed */
    double share;            /* of all contacts */
};

struct sn__worker {
    sn_world *world;
    struct sn__lack lack;
    int copy; /* at hand */
    int hands, hand_room;
    struct sn__hand *hand; /* [nmember of the world] */
    int crew, seats;       /* members at hand: the first, which leads on to the others, -1: none; how many */
    int *seated;           /* [2 block_room] which they are: blocks of the bounded problem are numbered so */
    int nisle;
    struct sn__isle *isle; /* [block_room] crew.c */
    struct sn__loan loan;  /* of packs that nobody has at hand */
    size_t loan_bytes, loan_values;
    void *store; /* what the crew is lent */
    size_t store_bytes;
    double share;  /* that the crew has of all contacts */
    bool equipped; /* all who take part have theirs, from the start of the step on */
    enum sn__level level;
    int solid_room;
    struct sn__solid *solid; /* [nsolid of the world] placed for the copy at hand */
    uint64_t solids_of;      /* the structure they were copied from */
    int placed;              /* the copy they were placed for last, -1: none */
    struct sn__sweeper *sweeper;
    int sweeper_room;
    struct sn__box *box;
    bool *moving;
    int *swept; /* box -> solid */
    struct sn__pair *pair;
    int pair_room;
    int ncontact, nlast;
    struct sn__contact *contact, *last; /* of the copy at hand */
    struct sn__contact *told;           /* [told_room] contacts that kernels found in this step */
    int ntold, told_room;
    struct sn__contact *before; /* the event stepper's: those before the step */
    int nbefore, before_room;
    struct sn__tied *tied; /* of the copy at hand */
    bool fires;            /* the user's impulses are among the rows that are built */
    int nrow, row_room;
    int lasting; /* rows before those of contacts that were called */
    int waiting; /* contacts that wait */
    int calls;   /* times that some were called in this step */
    struct sn__pgs_row *row;
    struct sn__world_row *more;
    double *f, *f_moved; /* [row_room] impulses */
    double *f_start;     /* [row_room] those that a round of newton.c starts with */
    double *df, *way;    /* [row_room] where it goes from there, and what of it the dual sees */
    double *goal;        /* [row_room] b of each row less its free velocity */
    int round;           /* of newton.c */
    bool bounced;        /* something bounces in this step */
    int ntension, first_tension;
    struct sn__tension *tension; /* [row_room] of the step at hand; their rows stand together: tension.c */
    int nadded, added_room;
    struct sn__added *added;
    struct sn__pgs_block *block;
    int block_room;
    double *pool; /* matrices of all members */
    float *pool_float;
    void *pool_memory, *pool_float_memory; /* which they lie in, on a boundary */
    size_t pool_size, pool_used;
    int tie_room; /* that the rows of hands were made for */
    struct sn__problem_room problem_room;
    bool bad;        /* some member is: struct sn__hand */
    int iterations;  /* the most that any solve of this step took */
    bool near;       /* the solve that is under way has an answer of nearly the same problem: refine.c */
    int used;        /* by the solve that is under way, recovery and all */
    double residual; /* of the last solve */
    double work;     /* multiplications that subspace steps may still cost */
    int *island;     /* [3 block_room] scratch of sleep.c, slow.c and crew.c */
    sn_world_stats stats;
};

/* What all members want of the workers' memory: reserve.c. */
struct sn__wanted {
    long points;    /* that kernels look up */
    size_t largest; /* values of one member on their way in or out */
    size_t store;   /* bytes that the first members are lent */
    int rows;       /* of joints: limits, and a tie per degree of freedom */
    int added;      /* of limits, eight times over: solve_rows.c */
    size_t pool;    /* of values of matrices: half of the worst; it grows where that is too little */
};

struct sn_world {
    sn_world_def def;
    char lanes[8];                    /* def.lanes, kept */
    const struct sn__kernels *k;      /* of all members; NULL: none so far */
    const struct sn__kernels *solver; /* of double: Gauss-Seidel */
    bool spread;                      /* one copy per block: layout.c */
    int blocks;
    double time;
    uint64_t version;   /* counts changes and steps, from 1 */
    uint64_t structure; /* counts changes of solids and ground, from 1 */
    int ntable, table_room;
    struct sn__table **table; /* of all motions there ever were: snapshots may want them back */
    double *snapshot_values;  /* [snapshot_room] */
    size_t snapshot_room;
    int nknown, known_room;
    struct sn__known *known;
    int nmember, member_room;
    struct sn__member **member; /* NULL where one was removed */
    int nsolid, solid_room;
    struct sn__solid *solid;
    int nground, ground_room;
    int *ground; /* number of ground -> solid; -1 where it was removed */
    int nfield, field_room;
    int nmesh, mesh_room;
    struct sn__mesh **mesh;   /* likewise all meshes */
    struct sn__field **field; /* of all height fields there ever were: snapshots may want them back */
    int nhull, hull_room;
    const sn_hull **hull; /* likewise of ground that is a hull; a share of each */
    int nsurface, surface_room;
    struct sn__surface *surface; /* what points are looked up over */
    struct sn__terrain *terrain; /* [surface_room] */
    int *surface_ground;         /* [surface_room] -> number of ground */
    int ntie, tie_room;
    struct sn__tie *tie;
    int njoin, join_room;
    struct sn__join *join; /* sorted: joined.c */
    int nguide, guide_room;
    struct sn__guide **guide; /* of all curves and surfaces there ever were: snapshots may want them back */
    struct sn__copy *copy;    /* [copies] */
    int contact_room;         /* contacts of each copy that there is memory for: grows as steps find more */
    int contact_first;        /* what follows from the structure */
    struct sn__wanted wanted;
    int pairs_wanted, rows_wanted; /* by steps that had too little room: reserve.c */
    size_t pool_wanted;
    int free_solids;                  /* places below nsolid */
    int first_hole, first_free_solid; /* no place below is free: of members, of solids */
    int members;                      /* that are there */
    int shaped, bouncy, moving,
        used_ties;            /* members with shapes; solids that bounce; ground that moves; constraints */
    int unprobed;             /* ground that is no plane and no height field */
    bool surfaces_stale;      /* ground has come, gone or begun to move */
    uint64_t changed, synced; /* counts changes between steps; what the workers' clones have seen of them */
    struct sn__pool *pool;
    int threads;
    struct sn__worker *worker;
    sn_contact *report;
    int report_room;
    void **scratch; /* [threads] lanes: values of one block, as many as the largest field */
    double *values; /* [threads][largest] values of one copy */
    size_t scratch_bytes;
    size_t largest;
    double *poses; /* [nbody][7] of one member: query.c */
    int pose_room;
    sn_world_stats stats;
};

/* --------------------------------------------------------------------------------------- structure */

/* The member of a number, or NULL. */
struct sn__member *sn__world_member(const sn_world *w, int member);
/* Values of the world have changed: views are old, and clones of the members' packs. */
void sn__world_touch(sn_world *w);
/* After a change of structure: the layout it needs, and memory for everything a step may want; layout.c. */
sn_status sn__world_settle(sn_world *w, sn_error *error);
sn_status sn__world_settle_member(sn_world *w, int number, sn_error *error); /* after one has come */
/* Memory of a member's hands, and of the workers: reserve.c. */
bool sn__world_reserve(sn_world *w);
bool sn__world_reserve_last(sn_world *w);            /* where only the last member is new */
bool sn__world_grow(sn_world *w);                    /* by what the workers' last steps lacked */
bool sn__worker_grow(struct sn__worker *w);          /* likewise, what is its own */
bool sn__world_grow_contacts(sn_world *w, int room); /* of each copy */
bool sn__copy_grow_contacts(struct sn__copy *c, int room);
bool sn__hands_are_made(const sn_world *w, const struct sn__member *m);
bool sn__hands_make(sn_world *w, struct sn__member *m);
void sn__hands_drop(sn_world *w, int member);
sn_status sn__hands_follow(sn_world *w, struct sn__member *m); /* clones are as the pack is */
void sn__worker_release(struct sn__worker *worker);
size_t sn__worker_memory(const struct sn__worker *worker);
/* Members: members.c. */
sn_status sn__member_insert(sn_world *w, const sn_model *model, int number, int first_solid, sn_error *error);
void sn__member_release(sn_world *w, struct sn__member *m);
void sn__member_take_out(sn_world *w,
                         struct sn__member *m); /* of the structure; the caller settles the layout */
sn_status sn__member_make_pack(sn_world *w, struct sn__member *m, sn_error *error);
int sn__world_know(sn_world *w, const sn_model *model); /* its number among the known, -1: out of memory */
void sn__world_forget_solid(sn_world *w, int solid);    /* contacts with it, in every copy */
void sn__world_forget_copy(sn_world *w, int copy);      /* contacts and limits of the last step */
/* Places for n solids in a row; -1: out of memory. */
int sn__solids_take(sn_world *w, int n);
void sn__solids_give_back(sn_world *w, int first, int n);
void sn__solid_set_material(struct sn__solid *s, const sn_shape_def *shape);
bool sn__solids_meet(const struct sn__solid *a, const struct sn__solid *b);
/* Ground: ground.c. */
void sn__solid_place_ground(struct sn__solid *s);
bool sn__solid_moves(const struct sn__solid *s);
sn_status sn__ground_insert(sn_world *w, int number, int place, const struct sn__solid *solid);
void sn__ground_take_out(sn_world *w, int number);
void sn__world_move_grounds(struct sn__solid *solid, const sn_world *w, double h);
/* Points that are looked up over planes and height fields, and joints with limits: probes.c. */
sn_status sn__surfaces_make(sn_world *w); /* from ground, and the probes of all members */
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
/* Counts the copies of a block, at hand in the working memory, whose solve has ended unsettled. */
void sn__probes_settled(const struct sn__pack *p, int copies, sn_world_stats *stats);
/* Appends the contacts of a lane as its kernel found them to list[n ...]; the new n. */
int sn__probes_report(const sn_world *w, const struct sn__member *m, const struct sn__pack *p,
                      const struct sn__ground *g, int lane, int n, struct sn__contact *list, int room);
void sn__probes_force(const struct sn__pack *p, int copy, double *force); /* adds to [nbody][3] */
void sn__probes_forget(struct sn__pack *p, int copy);
void sn__probes_enliven(struct sn__pack *p); /* what is remembered has been set from outside */

/* ---------------------------------------------------------------------------- a step of one copy, by rows */

/* Lane 0 of an array in lanes; n values into every lane, from place `at` on. */
void sn__hand_gather(const struct sn__hand *h, const void *lanes, int n, double *values);
void sn__hand_spread(const struct sn__hand *h, void *lanes, int at, int n, const double *values);
/* What the kernels need to know about the copy at hand. */
struct sn__args sn__hand_args(const struct sn__worker *w, const struct sn__hand *h);
/* What the free solve finds contacts with, or NULL. */
struct sn__ground *sn__hand_ground(struct sn__hand *h);
void *sn__hand_at(const struct sn__worker *w, const struct sn__hand *h, enum sn__array field);
void sn__hand_save(const struct sn__worker *w, const struct sn__hand *h, void *to);
void sn__hand_load(const struct sn__worker *w, const struct sn__hand *h, const void *from);

/* Where every body and shape is; contact points, matched with those of the last step: contacts.c. */
void sn__worker_place(struct sn__worker *w);
void sn__worker_place_member(struct sn__worker *w, int member);
void sn__worker_find_contacts(struct sn__worker *w, double h);
void sn__worker_take_contacts_back(struct sn__worker *w); /* those before the last find */
void sn__worker_match_contacts(struct sn__worker *w);     /* again, as they were found */
void sn__contacts_sort(struct sn__contact *c, int n);     /* contact_order.c */
void sn__contacts_move(struct sn__contact *c, int n);     /* each to the place that its link says */
bool sn__contact_before(const struct sn__contact *a, const struct sn__contact *b);
void sn__solid_velocity(const struct sn__worker *w, const struct sn__solid *s, const double point[3],
                        double v[3]);
/* Accelerations under the drives and implicit contacts; fills free_qd, and rate and qd when there may be rows:
   implicit.c. */
void sn__worker_solve_free(struct sn__worker *w, double h);
void sn__hand_take_pushes(const struct sn__hand *m, struct sn__args *args);
void sn__worker_solve_member(struct sn__worker *w, int member,
                             double h); /* again, under the forces it is given */
/* Forces of rows as wrenches of a push: torque.c. */
void sn__hand_add_wrench(const struct sn__hand *m, int body, const double moment[3], const double force[3],
                         double *push);
void sn__worker_read_extras(struct sn__worker *w, struct sn__hand *h);
bool sn__worker_has_rows(const struct sn__worker *w);
bool sn__worker_has_limits(const struct sn__worker *w); /* whether any torque has one */
/* Rows of contacts, limits and constraints: rows.c, limit_rows.c, constraint_rows.c. */
void sn__worker_build_rows(struct sn__worker *w, double h);
/* Limits near enough to matter, into the added rows; those that are passed all the same under impulses f, whether there
   were any; a row of one. */
void sn__worker_find_stops(struct sn__worker *w, double h);
bool sn__worker_see_stops(struct sn__worker *w, double h, const double *f);
/* The event stepper's: whether a joint runs into a limit it stands at; and the part of the substep of h just made after
   which the first limit was reached that was passed in it, 1: none. */
bool sn__worker_hits_stops(const struct sn__worker *w);
double sn__worker_passes_stops(const struct sn__worker *w, double h);
void sn__worker_limit_row(struct sn__worker *w, const struct sn__added *a, double h);
void sn__worker_tie_rows(struct sn__worker *w, double h);
/* Contacts without rows: waiting.c. Whether one waits that has this speed along its normal without rows; those that must
   not under impulses f are called, whether there are any. */
bool sn__contact_waits(const struct sn__worker *w, const struct sn__contact *c, double speed, double h);
bool sn__worker_call_contacts(struct sn__worker *w, double h, const double *f);
struct sn__pgs_row *sn__worker_add_row(struct sn__worker *w); /* NULL when there is no room */
/* A row's side on a member; false when there is no room. */
bool sn__worker_add_side(struct sn__worker *w, struct sn__pgs_row *row, int side, int member,
                         const struct sn__row *r);
struct sn__row sn__point_row(const struct sn__hand *h, int body, const double point[3], const double d[3],
                             double sign);
/* The member on a side of a row. */
static inline struct sn__hand *sn__worker_seat(const struct sn__worker *w, struct sn__side side) {
    return &w->hand[w->seated[side.block]];
}
double sn__worker_row_velocity(const struct sn__worker *w,
                               const struct sn__pgs_row *row); /* under the free velocities */
/* Relative acceleration along the normal of members that fall freely; gravity of the copy at hand. */
double sn__contact_fall(const struct sn__worker *w, const struct sn__contact *c);
void sn__hand_gravity(const struct sn__worker *w, const struct sn__hand *h, double gravity[3]);
double sn__world_recovery(const sn_world *w, double h);    /* time constant of recovery */
void sn__worker_read_rows(struct sn__worker *w, double h); /* forces from impulses */
void sn__worker_read_contact(const struct sn__worker *w, struct sn__contact *c, double h); /* of one */
/* Matrices of all members; false when they do not fit: respond.c. */
bool sn__worker_respond(struct sn__worker *w, sn__respond *respond); /* NULL: by deltas */
/* What impulses f do to the velocities of a member, in lanes; what they are together, as wrenches about the origins of its
   bodies and on its joints; what such do: respond.c. */
void sn__worker_impulse(struct sn__worker *w, int member, const double *f, void *change);
void sn__worker_sum_rows(const struct sn__worker *w, int member, const double *f, double *wrench,
                         double *tau);
void sn__worker_apply(const struct sn__worker *w, int member, const double *wrench, const double *tau,
                      void *change);
struct sn__problem sn__worker_problem(struct sn__worker *w); /* solve_rows.c */
/* Solves for f, with or without what only moves positions, by `share` of the iterations that are left: solve_rows.c. */
void sn__worker_solve_rows(struct sn__worker *w, double *f, bool biased, double share);
/* The same, without, for a step in which something bounces; false: nothing does, and nothing is done: bounce.c. */
bool sn__worker_bounce(struct sn__worker *w, double h);
/* Impulses of an impact, made smaller where friction would give a contact energy: with restitution by velocities,
   v+ = -e v-, it can, where the impact itself turns the sliding round. The work at a contact is f . (u- + u+) / 2. Leaves
   b of the rows as the velocities after the impact have it. */
void sn__worker_tame(struct sn__worker *w, double *f);
/* The drives' torque under contacts and rows: torque.c. */
void sn__worker_torque(struct sn__worker *w, int member, double h);

/* Steppers, and what they share: step_time.c, step_event.c. A step that fails leaves the copy as it was. */
/* SN__SHORT: for want of room, see struct sn__lack. SN__AGAIN: somebody is hit, and gives way in this very step. */
enum { SN__SHORT = -1, SN__AGAIN = -2 };
sn_status sn__worker_step_time(struct sn__worker *w);
sn_status sn__worker_step_event(struct sn__worker *w);
/* Of a block of copies in lanes: step_position.c. */
void sn__worker_step_position(struct sn__worker *w, struct sn__hand *h, int block, int copies);
/* What it needs beside the pack; memory for it, behind that of contacts in ground_work. */
bool sn__position_make(const sn_world *w, struct sn__member *m, const struct sn__ground *g, int nside);
void sn__position_release(struct sn__pack *p);
int sn__world_past(const sn_world *w); /* poses it keeps of the past, beside the present one */
sn_status sn__world_check_position(const sn_world *w, sn_error *error);
void sn__member_restart(struct sn__member *m, int copy); /* a copy's history is no longer its own */
void sn__worker_back_up(struct sn__worker *w);
void sn__worker_go_back(struct sn__worker *w);
/* Whether all velocities and positions are within bounds; those before rows, so that the overflow of one member is not blamed on
   another that it touches. Members that are not are marked as bad, and the first is named. */
sn_status sn__worker_check(struct sn__worker *w);
sn_status sn__worker_check_free(struct sn__worker *w);
void sn__worker_remember(struct sn__worker *w); /* at the end of a step that went well, of the crew */
double sn__world_touch_gap(const sn_world *w);  /* below it the event stepper takes surfaces to touch */
/* Rows built, answered and solved for the members' free velocities; tells whether positions move on their own
   (f_moved): solve_rows.c. */
bool sn__worker_solve_constraints(struct sn__worker *w, double h);
/* The whole scene, rows and members in turn; the same. Leaves the velocities in `known`: newton.c. */
bool sn__worker_solve_scene(struct sn__worker *w, double h);
/* After all have moved: slows down members that gained energy nothing gave them. Whether there were any: slow.c. */
bool sn__worker_slow(struct sn__worker *w, double h);
/* The step of a member once more, with a part of its velocities. */
void sn__worker_move_less(struct sn__worker *w, int member, double part, double h);
void sn__worker_substep_less(struct sn__worker *w, int member, double part, double h); /* step_event.c */
/* How much of the change of velocity in `change` that only moves positions a member may have: recover.c. */
double sn__worker_recovery_part(struct sn__worker *w, int member, double h);
void sn__worker_expect_forces(struct sn__worker *w,
                              double h); /* before the first solve: contacts push as they did */
void sn__worker_begin_rows(struct sn__worker *w,
                           double h); /* solve_rows.c: those of limits, for the first round */
bool sn__worker_solve_round(struct sn__worker *w, double h);
/* All who take part become the crew; islands of them; one of these becomes the crew, with its part of all seats and
   contacts: crew.c. */
void sn__worker_call_all(struct sn__worker *w);
void sn__worker_find_isles(struct sn__worker *w);
void sn__worker_turn_to(struct sn__worker *w, const struct sn__isle *isle, int *seated,
                        struct sn__contact *contact);
/* The islands of a step, each by itself: step_isles.c. */
sn_status sn__worker_step_isles(struct sn__worker *w, double h);
sn_status sn__worker_step_crew(struct sn__worker *w, double h); /* step_time.c */
/* Memory for a member while it is at hand, equip.c: of the whole crew; false: there is none. And none any more. */
bool sn__worker_equip(struct sn__worker *w);
void sn__worker_unequip(struct sn__worker *w);
size_t sn__hand_needs(const sn_world *w, struct sn__hand *h); /* at most, in bytes */
bool sn__worker_reserve_store(struct sn__worker *w, size_t bytes);
bool sn__world_lend(sn_world *w, const sn_model *model); /* packs of it have what they need at other times */
/* Members that are frozen, or no longer: those of the copy at hand that are bad, with those that constraints join to them; of
   any copy; whether one is: freeze.c. */
void sn__worker_freeze(struct sn__worker *w);
void sn__world_thaw_member(sn_world *w, const struct sn__member *m, int copy);
bool sn__member_frozen(const struct sn__member *m, int copy);
void sn__worker_place_others(struct sn__worker *w); /* that do not take part: they are walls */
/* A worker takes a copy up, and puts it down: step.c. */
void sn__worker_take_up(struct sn__worker *w, int copy);
void sn__worker_put_down(struct sn__worker *w);
/* Who sleeps, who wakes: sleep.c. */
bool sn__worker_wake(struct sn__worker *w); /* members that sleep and are touched; false: none */
void sn__worker_rest(struct sn__worker *w, double h);
void sn__member_wake(struct sn__member *m, int first, int count);
void sn__world_wake_all(sn_world *w); /* something changes that anyone may rest on */

/* Constraints: constraints.c. */
/* How many values the targets of a kind have, and what else it is. */
struct sn__tie_kind {
    int target, velocity; /* values; -1: as many as the joint has */
    bool two_ended, directed, path, acceleration, impulse, joint;
    bool holds, motor; /* constraint_hold.c */
    int forces;        /* how many of its rows, the first ones, are forces; the others are torques */
    int turn;          /* where in the target a quaternion stands, -1: nowhere, or as the joint says */
};
const struct sn__tie_kind *sn__tie_kind(sn_constraint_type type);
static inline bool sn__tie_couples(sn_constraint_type type) { /* two joints of one degree of freedom */
    return type == SN_COUPLING || type == SN_COUPLING_LIMIT;
}
struct sn__tie *sn__tie_find(const sn_world *w, sn_constraint c); /* NULL: no such constraint */
/* Rows of such a constraint on the joint of b, or on b, that are forces. */
int sn__tie_forces(sn_constraint_type type, const sn_body_info *b);
bool sn__tie_is_soft(const sn_constraint_def *d);
/* Whether it is a term inside MABA and has no rows: brace.c. */
bool sn__tie_is_inside(const sn_world *w, const struct sn__tie *t);
/* The numbers of a definition, for a body that it holds. */
sn_status sn__tie_check_numbers(const sn_constraint_def *d, const sn_body_info *b, sn_error *error);
/* Where a body is in the pose: constraint_pose.c. */
struct sn__frame sn__frame_now(const struct sn__pack *p, int copy, int body);
/* Where it is at one of the moments t = -h, -h/2, 0, h/2, h, of the pose q (+) t (qd + bend qdd), or after a step of the
   free velocity; kept until they are forgotten. */
struct sn__frame sn__hand_frame(const struct sn__worker *w, struct sn__hand *m, int body, int moment,
                                double h, double bend);
void sn__worker_forget_frames(struct sn__worker *w);
/* Constraints inside MABA, brace.c: how many each member has; memory for them; those of the step, for the kernels, where there were none; their
   forces under the velocities in rate, which join the impulses of the rows in wrench. */
void sn__ties_count_inside(sn_world *w);
/* Finds what constraints join; whether two members, or two bodies of one, are joined in the copy at hand: joined.c. */
bool sn__ties_join(sn_world *w);
bool sn__worker_joins(const struct sn__worker *w, int member, int body, int member2, int body2);
int sn__body_whole(const sn_model *model, int body); /* the body that welds make it part of: contacts.c */
bool sn__braces_reserve(struct sn__hand *h);
void sn__worker_brace(struct sn__worker *w, double h);
void sn__worker_read_braces(struct sn__worker *w, int member, double h);
/* After a step that went well: constraint_rows.c. */
void sn__worker_ties_end(struct sn__worker *w);
/* After a solve: rows of paths for the velocities that it came to. The largest change, m/s or rad/s. */
double sn__worker_ties_refine(struct sn__worker *w, double h);
bool sn__worker_impulses_wait(const struct sn__worker *w); /* some of the user's impulses have not acted yet */
void sn__ties_drop(sn_world *w, int member);               /* those of a member that goes */
bool sn__ties_hold(const sn_world *w, int member);         /* whether any says where a body of it shall be */
/* And whether any says so of a body or of one that it carries. */
bool sn__ties_hold_beyond(const sn_world *w, int member, int body);
bool sn__ties_reserve(sn_world *w, int ties);
sn_status sn__ties_of_model(sn_world *w, int member, sn_error *error); /* those that come with a new member */

/* ------------------------------------------------------------------------------------------ fields: fields.c */

/* What values of a field may be. */
enum sn__rule {
    SN__RULE_READ_ONLY,
    SN__RULE_FINITE,
    SN__RULE_POSE,         /* quaternions that can be made of unit length */
    SN__RULE_NOT_NEGATIVE, /* and finite */
    SN__RULE_POSITIVE,     /* and finite */
    SN__RULE_GAINS,        /* not negative, equal for the three axes of a ball */
    SN__RULE_LIMITS        /* not negative, perhaps infinite */
};

struct sn__field_info {
    enum sn__array array; /* in the pack; SN__FIELDS: none */
    enum sn__rule rule;
};
const struct sn__field_info *sn__field(sn_field field);
/* Whether the values may be put there, one copy's. SN_OK, SN_ERROR_ARGUMENT or SN_ERROR_UNSUPPORTED. */
sn_status sn__field_check(const sn_world *w, const struct sn__member *m, sn_field field,
                          const double *values);
/* Before values that have been checked are put: memory, and flags. */
sn_status sn__field_prepare(sn_world *w, struct sn__member *m, sn_field field);
/* Values that have been checked. Quaternions are taken as they are. */
void sn__field_write(sn_world *w, struct sn__member *m, sn_field field, int copy, const double *values);
void sn__field_read(sn_world *w, struct sn__member *m, sn_field field, int copy, double *values);
/* What every copy has of a field that has no memory. */
void sn__field_default(const struct sn__pack *p, enum sn__array array, int n, double *values);
bool sn__field_drives(sn_field field); /* the factors of qd and qdd are made of it */
/* States have been set: copies first .. go on if they were frozen, and wake. */
void sn__world_thaw(sn_world *w, struct sn__member *m, int first, int count);
bool sn__world_frozen(const sn_world *w, int copy); /* some member of the copy: freeze.c */
bool sn__world_moves(const sn_world *w);            /* some member of some copy is not */
/* The degree of freedom of a copy whose gains its form bears least, or -1: stiff.c. */
void sn__world_stiffest(const sn_world *w, int copy, int *member, int *dof);
void sn__member_mark_axes(const sn_world *w, struct sn__member *m);
/* Makes quaternions of unit length; `exact`: even those that are so nearly. */
void sn__pose_tidy(const sn_model *model, sn_precision precision, double *q, bool exact);
double sn__unit_tolerance(sn_precision precision); /* of |q|^2 */
int sn__quaternion_of(const sn_body_info *body);   /* where it starts in the joint's q, -1: none */
/* n values of the world's precision to doubles and back. */
void sn__world_widen(const sn_world *w, int n, const void *from, double *to);
void sn__world_narrow(const sn_world *w, int n, const double *from, void *to);

/* Motions: motion.c. */
void sn__table_free(struct sn__table *table);
size_t sn__table_memory(const struct sn__table *table);
int sn__table_number(const sn_world *w, const struct sn__table *table); /* -1: none */
/* Moves the phases of copies first .. first + n - 1, which stand in a block, on by dt, and sets their targets. */
void sn__member_follow(const sn_world *w, struct sn__member *m, struct sn__pack *p, int block, int first,
                       int n);

#endif
