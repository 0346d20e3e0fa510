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
    SN__DIRECT_ROWS = 256,  /* larger problems are never solved directly */
    SN__SUBSPACE_ROWS = 128 /* larger problems do without subspace steps */
};

/* Working memory of one solve at a time, so that a solve need not allocate. All zero: empty, but valid. */
struct sn__problem_room {
    int rows;         /* the largest problem that fits */
    int direct_rows;  /* the largest that fits the direct solver; 0: none */
    double *kept;     /* [rows] impulses before a subspace step */
    double *subspace; /* [m * m], m = min(rows, SN__SUBSPACE_ROWS): matrix of the free rows */
    double *direct;   /* dense matrix, right side, bounds, and what lcp.h asks for */
};

struct sn__problem {
    int (*gauss_seidel)(struct sn__pgs *); /* kernels/pgs.h: the kernel of a double table */
    struct sn__problem_room *room;         /* made by sn__problem_reserve; NULL: coupling and soften only */

    int n, nblock;
    struct sn__pgs_row *row; /* [n] given, but for d and most, which Gauss-Seidel fills in */
    /* [nblock] K given, v filled in by Gauss-Seidel. Both begin on a boundary of 64 bytes, and the stride is a
       multiple of 16 values, or 0 where no row touches the block. */
    const struct sn__pgs_block *block;

    int max_iterations;
    double tolerance;    /* of the residual, in units of w */
    bool direct;         /* Lemke's algorithm first, where the room allows */
    bool dantzig;        /* and Dantzig's in its place */
    bool may_contradict; /* rows may ask for what cannot be: no more iterations than bring something */

    int iterations; /* filled in by the solve: of Gauss-Seidel, or the pivots of Lemke's algorithm */
    double residual; /* filled in by the solve: the largest |f - P(f - w / d)| d, P the projection onto the bounds */
};

/* Memory for problems of up to `rows` rows; never shrinks, and keeps nothing that was in it. False when there is no
   memory: the room is then as large as it was. */
bool sn__problem_reserve(struct sn__problem_room *room, int rows, bool direct);
void sn__problem_release(struct sn__problem_room *room); /* leaves it empty */
size_t sn__problem_room_bytes(const struct sn__problem_room *room);

/* Solves for f [n], which holds a first guess: the impulses of the last step, or zero. Fills in iterations and
   residual. A problem without a solution ends with finite impulses within their bounds. */
void sn__problem_solve(struct sn__problem *p, double *f);

/* A_ij. */
double sn__problem_coupling(const struct sn__problem *p, int i, int j);

/* Every row gets a compliance of at least `part` of its diagonal: a matrix that was computed in float is positive only
   up to its rounding. */
void sn__problem_soften(struct sn__problem *p, double part);

/* ------------------------------------------------------------------------------------ the ways to solve it */

/* Lemke's algorithm, or Dantzig's, on the dense matrix; pivots, or -1 when no sound solution was found. Friction is bounded by axis
   even where rows are marked as a cone. Only for n <= room->direct_rows: direct.c. */
int sn__problem_direct(struct sn__problem *p, double *f);
size_t sn__problem_direct_room(int n); /* values of working memory for n rows */

/* Projected Gauss-Seidel with subspace steps where it is slow; iterations: gauss_seidel.c. */
int sn__problem_gauss_seidel(struct sn__problem *p, double *f);

/* Newton steps over the rows that are not at a bound. No step is made that would leave an impulse above what changes
   the velocity of its own row by `most`: subspace.c. */
void sn__problem_subspace(struct sn__problem *p, double *f, double most);

/* The largest |b|: the velocity the rows have to deal with. */
double sn__problem_largest_velocity(const struct sn__problem *p);

/* Whether no impulse alone changes the velocity of its row by more than `most`. One that does so many times over
   belongs to no sound solution: contradictory rows push against each other without end. */
bool sn__problem_is_sound(const struct sn__problem *p, const double *f, double most);

#endif
