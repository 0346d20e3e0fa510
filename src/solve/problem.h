/* The bounded problem: impulses f of n rows, each row one scalar constraint, with
 *
 *     w = A f + b,   lo <= f <= hi,   w >= 0 where f = lo,   w <= 0 where f = hi,   w = 0 between.
 *
 * w are the velocities of the rows beyond what is wanted. A is known in blocks: row i touches one or two of them, at
 * side[0] and side[1], and with K_c the matrix of block c
 *
 *     A_ij = soft_i [i = j] + sum over the sides x of i and y of j on the same block c of K_c[x.index][y.index].
 *
 * The bounds of a friction row follow the impulse of the normal row of its contact: |f| <= mu f[normal], alone or, with
 * `cone`, together with the friction row after it. The structs of a row and of a block are in kernels/table.h.
 *
 * Nothing here knows where the rows came from, and nothing is shared between problems but what the caller shares: two
 * threads may solve at the same time when each has memory (struct sn__problem_room), rows and blocks of its own. */
#ifndef SINEW_SOLVE_PROBLEM_H
#define SINEW_SOLVE_PROBLEM_H

#include "kernels/table.h"

enum {
    SN__METHOD_ROWS = 256, /* larger problems are only for Gauss-Seidel, and the caller is informed */
    SN__FACTOR_VALUES =
        1 << 17, /* of either factor of a subspace step: 512 rows that all touch each other, and any
                                    number of those in stacks and chains; larger ones are not made */
    SN__FACTOR_WORK = 100000 /* multiplications that subspace steps may cost per iteration that is allowed */
};

/* A row of a block as part of an unknown of a subspace step. */
struct sn__term {
    int unknown, index;
    double part;
};

/* Rows and blocks, island by island: apart.c. */
struct sn__apart {
    struct sn__pgs_row *row;     /* [rows] */
    struct sn__pgs_block *block; /* [blocks] */
    double *f;                   /* [rows] */
    int *order, *place;          /* [rows] rows by islands; where each row stands there */
    int *parent, *begin;         /* [blocks + 2] */
    int *island, *local;         /* [blocks] of each block: its island, its number there */
};

/* Working memory of one solve at a time, so that a solve need not allocate. All zero: empty, but valid. */
struct sn__problem_room {
    int rows, blocks; /* the largest problem that fits */
    int method_rows;  /* the largest that fits another method; 0: none */
    size_t method_values;
    double *kept;    /* [rows] impulses before a subspace step */
    double *best;    /* [rows] the best impulses of several subspace steps */
    double *w;       /* [rows] velocities of the rows */
    double *x, *y;   /* [rows] a subspace step, in the order of rows and in the order it is solved in */
    double *along;   /* [rows] how far sliding friction goes with its normal row */
    int *kind;       /* [rows] free, at a bound, sliding */
    int *order;      /* [rows] rows that touch each other close together: order.c */
    int *list;       /* [rows] the free rows in that order */
    int *first, *at; /* [rows] envelope of their matrix */
    int *edge;       /* [2 rows] order.c */
    int *begin;      /* [blocks + 2] */
    int *placed;     /* [blocks] places of the blocks in that order */
    int *queue;      /* [blocks] blocks by place; scratch afterwards */
    struct sn__term *asks, *moves; /* [2 rows], [4 rows] by blocks: subspace.c */
    int *asks_of, *moves_of;       /* [blocks + 2] where they begin */
    double *L, *U;                 /* [sn__factor_room(rows)] factors of a subspace step */
    double *method;                /* [method_values] of another method */
    struct sn__apart apart;
};

struct sn__problem {
    int (*gauss_seidel)(struct sn__pgs *); /* kernels/contact/pgs.h: the kernel of a double table */
    struct sn__problem_room *room;         /* made by sn__problem_reserve; NULL: coupling and soften only */

    int n, nblock;
    struct sn__pgs_row *row; /* [n] given, except for d and most, which Gauss-Seidel fills in */
    /* [nblock] K given, v filled in by Gauss-Seidel. Both begin on a boundary of 64 bytes, and the stride is a
       multiple of 16 values, or 0 where no row touches the block. */
    const struct sn__pgs_block *block;

    int max_iterations;
    double tolerance;                    /* of the residual, in units of w */
    const struct sn__row_method *method; /* another method first, where the room allows; or NULL */
    bool may_contradict; /* rows may ask for what cannot be: no more iterations than bring something */

    bool near; /* the guess answers nearly the same problem: a subspace step comes first */

    double work; /* multiplications that subspace steps may cost, and what is left of them; 0: SN__FACTOR_WORK for every
                    iteration that is allowed */

    int iterations; /* filled in by the solve: of Gauss-Seidel, or of the other method */
    bool fell_back; /* filled in by the solve: the other method did not solve it, Gauss-Seidel did */
    double residual; /* filled in by the solve: the largest |f - P(f - w / d)| d, P the projection onto the bounds */
};

/* Memory for problems of up to `rows` rows on `blocks` blocks; never shrinks, and keeps nothing that was in it.
   False when there is no memory: the room is then as large as it was. */
bool sn__problem_reserve(struct sn__problem_room *room, int rows, int blocks,
                         const struct sn__row_method *method);
void sn__problem_release(struct sn__problem_room *room); /* leaves it empty */
size_t sn__problem_room_bytes(const struct sn__problem_room *room);

/* Solves for f [n], which holds a first guess: the impulses of the last step, or zero. Fills in iterations and
   residual. A problem without a solution ends with finite impulses within their bounds. */
void sn__problem_solve(struct sn__problem *p, double *f);

/* The same for each island of rows by itself: iterations and residual are the largest of any. One island alone is solved as
   above: apart.c. */
void sn__problem_solve_apart(struct sn__problem *p, double *f);

/* A_ij. */
double sn__problem_coupling(const struct sn__problem *p, int i, int j);

/* Every row gets a compliance of at least `part` of its diagonal: a matrix that was computed in float is positive only
   up to its rounding. */
void sn__problem_soften(struct sn__problem *p, double part);

/* ------------------------------------------------------------------------------------ the ways to solve it */

/* Another method than Gauss-Seidel, as studies have them. Only for n <= room->method_rows, and without balls (cone 2). */
struct sn__row_method {
    size_t (*room)(int n); /* values of working memory for n rows: room->method */
    int (*solve)(struct sn__problem *p,
                 double *f); /* iterations; -1: no solution was found. Fills in p->residual */
};

/* The kernel of a double table where no such table was built: pgs_plain.c. */
int sn__pgs_plain(struct sn__pgs *p);
/* Projected Gauss-Seidel with subspace steps where it is slow; iterations: gauss_seidel.c. */
int sn__problem_gauss_seidel(struct sn__problem *p, double *f);

/* Newton steps over the rows that are not at a bound, as many as p->work allows. No step is made that would leave an
   impulse above `most`: subspace.c. */
void sn__problem_subspace(struct sn__problem *p, double *f, double most);
/* Fills in room->order and room->placed: order.c. */
void sn__problem_order(struct sn__problem *p);

/* w = A f + b, or A f alone. */
void sn__problem_velocities(const struct sn__problem *p, const double *f, bool with_b, double *w);

/* The largest |b|: the velocity the rows have to deal with. */
double sn__problem_largest_velocity(const struct sn__problem *p);

/* No impulse of a sound solution is larger: what stops every block at once at the largest velocity, a hundred times over,
   each by its heaviest row,

       100 max |b| sum over the blocks of 1 / min K_ii.

   Rows that contradict each other push against each other beyond every bound; a light body between heavy ones does not. */
double sn__problem_largest_impulse(const struct sn__problem *p);

#endif
