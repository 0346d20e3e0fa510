/* A worker is one thread's bench: it takes up one copy, or one block of copies, after the other, with a hand for each
 * member. If the scene needs rows, every copy has a block of lanes of its own, and step_time.c or step_event.c steps it.
 * If it needs none, copies share the lanes of a vector, and one kernel steps them (step.c). */
#ifndef SINEW_WORLD_WORKER_H
#define SINEW_WORLD_WORKER_H

#include "solve/problem.h"
#include "world/copy.h"
#include "world/hand.h"
#include "world/scene.h"

enum { SN__EQUIPPED = 64 }; /* as many members have working memory through the whole step: equip.c */

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
    int copy; /* the current one */
    int hands, hand_room;
    struct sn__hand *hand; /* [nmember of the world] */
    int crew, seats;       /* current members: the first, which leads on to the others, -1: none; how many */
    int *seated;           /* [2 block_room] which they are: blocks of the bounded problem are numbered so */
    int nisle;
    struct sn__isle *isle; /* [block_room] crew.c */
    struct sn__loan loan;  /* of packs that no worker uses */
    size_t loan_bytes, loan_values;
    void *store; /* what the crew is lent */
    size_t store_bytes;
    double share;  /* that the crew has of all contacts */
    bool equipped; /* all who take part have theirs, from the start of the step on */
    enum sn__level level;
    int solid_room;
    struct sn__solid *solid; /* [nsolid of the world] placed for the current copy */
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
    struct sn__contact *contact, *last; /* of the current copy */
    struct sn__contact *told;           /* [told_room] contacts that kernels found in this step */
    int ntold, told_room;
    struct sn__contact *before; /* the event stepper's: those before the step */
    int nbefore, before_room;
    struct sn__tied *tied; /* of the current copy */
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
    bool postponed;      /* recovery is solved for when the velocities are known */
    int ntension, first_tension;
    struct sn__tension *tension; /* [row_room] of the current step; their rows stand together: tension.c */
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
    bool bad;          /* some member is: struct sn__hand */
    int iterations;    /* the most that any solve of this step took */
    bool near;         /* the solve that is under way has an answer of nearly the same problem: refine.c */
    int used;          /* by the solve that is under way, recovery and all */
    double residual;   /* of the last solve */
    double work;       /* multiplications that subspace steps may still cost */
    double later_work; /* and those of rounds after the first, together */
    int *island;       /* [3 block_room] scratch of sleep.c, slow.c and crew.c */
    sn_world_stats stats;
    sn_step_part part; /* under way since `since`, where time is measured; SN_STEP_PART_ALL: none */
    int64_t since, spent[SN_STEP_PART_COUNT]; /* ns */
};

/* From now on the worker's time counts for this part; SN_STEP_PART_ALL: for none. engine.c */
void sn__worker_time(struct sn__worker *w, sn_step_part part);

/* Memory of a worker, reserve.c: grows by what its last step lacked; frees it; how much it has. */
bool sn__worker_grow(struct sn__worker *w);
void sn__worker_release(struct sn__worker *worker);
size_t sn__worker_memory(const struct sn__worker *worker);

/* Lane 0 of an array in lanes; n values into every lane, from place `at` on. */
void sn__hand_gather(const struct sn__hand *h, const void *lanes, int n, double *values);
void sn__hand_spread(const struct sn__hand *h, void *lanes, int at, int n, const double *values);
/* What the kernels need to know about the current copy. */
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
void sn__worker_filter_contacts(struct sn__worker *w); /* velocities of surfaces, the user's filter: filter.c */
void sn__solid_velocity(const struct sn__worker *w, const struct sn__solid *s, const double point[3],
                        double v[3]);
/* All who take part become the crew; islands of them; one of these becomes the crew, with its part of all seats and
   contacts: crew.c. */
void sn__worker_call_all(struct sn__worker *w);
void sn__worker_find_isles(struct sn__worker *w);
void sn__worker_turn_to(struct sn__worker *w, const struct sn__isle *isle, int *seated,
                        struct sn__contact *contact);
/* Memory for a member while it is stepped, equip.c: of the whole crew; false: there is none. And none any more. */
bool sn__worker_equip(struct sn__worker *w);
void sn__worker_unequip(struct sn__worker *w);
size_t sn__hand_needs(const sn_world *w, struct sn__hand *h); /* at most, in bytes */
bool sn__worker_reserve_store(struct sn__worker *w, size_t bytes);
/* Freezes the members of the current copy that are bad, and those that constraints join to them: freeze.c. */
void sn__worker_freeze(struct sn__worker *w);
void sn__worker_place_others(struct sn__worker *w); /* that do not take part: they are walls */
/* A worker takes a copy up, and puts it down: step.c. */
void sn__worker_take_up(struct sn__worker *w, int copy);
void sn__worker_put_down(struct sn__worker *w);
/* Who sleeps, who wakes: sleep.c. */
bool sn__worker_wake(struct sn__worker *w); /* members that sleep and are touched; false: none */
void sn__worker_rest(struct sn__worker *w, double h);

#endif
