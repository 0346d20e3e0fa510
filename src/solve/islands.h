/* Sets that are joined, for islands of members and of rows: islands.c. */
#ifndef SINEW_SOLVE_ISLANDS_H
#define SINEW_SOLVE_ISLANDS_H

#include "kernels/table.h"

/* parent [n]: each thing an island of its own. */
void sn__islands_begin(int *parent, int n);
void sn__islands_join(int *parent, int a, int b);
/* The smallest number of the island of thing i, which stands for it. */
int sn__islands_root(int *parent, int i);

/* Rows that share a block, directly or through others, are one problem; those of two islands do not know of each other.
   Fills island [nblock] with the number of each block's island, -1 where no row touches it; order [nrow] with the rows,
   island by island and ascending within each, so that those of one contact stay together; begin [islands + 1] with where
   each island begins there. Islands are numbered by their first row. A row on no block is the first island's. parent
   [nblock] is scratch, begin needs room for nblock + 2. Returns the number of islands. */
int sn__islands_of_rows(const struct sn__pgs_row *row, int nrow, int nblock, int *parent, int *island,
                        int *begin, int *order);

#endif
