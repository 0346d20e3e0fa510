/* Islands: things that hold together, directly or through others, found as sets that are joined (Tarjan). parent[i] leads
 * from each thing towards the smallest number of its island, which stands for it; every walk there halves its own way, so
 * that n joins cost little more than n. What stands for an island does not depend on the order of the joins. */
#include "solve/islands.h"

void sn__islands_begin(int *parent, int n) {
    for (int i = 0; i < n; i++)
        parent[i] = i;
}

int sn__islands_root(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

void sn__islands_join(int *parent, int a, int b) {
    const int x = sn__islands_root(parent, a), y = sn__islands_root(parent, b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

/* The island of a row. */
static int island_of(const struct sn__pgs_row *row, int *parent, const int *island) {
    const int block = row->side[0].block >= 0 ? row->side[0].block : row->side[1].block;
    return block >= 0 ? island[sn__islands_root(parent, block)] : 0;
}

/* Numbers for the islands, by their first row. */
static int number_islands(const struct sn__pgs_row *row, int nrow, int nblock, int *parent, int *island) {
    int n = 0;
    sn__islands_begin(parent, nblock);
    for (int c = 0; c < nblock; c++)
        island[c] = -1;
    for (int i = 0; i < nrow; i++)
        if (row[i].side[0].block >= 0 && row[i].side[1].block >= 0)
            sn__islands_join(parent, row[i].side[0].block, row[i].side[1].block);
    for (int i = 0; i < nrow; i++)
        for (int s = 0; s < 2; s++) {
            if (row[i].side[s].block < 0) continue;
            int *number = &island[sn__islands_root(parent, row[i].side[s].block)];
            if (*number < 0) *number = n++;
            island[row[i].side[s].block] = *number;
        }
    return n > 0 || nrow == 0 ? n : 1;
}

int sn__islands_of_rows(const struct sn__pgs_row *row, int nrow, int nblock, int *parent, int *island,
                        int *begin, int *order) {
    const int islands = number_islands(row, nrow, nblock, parent, island);
    for (int k = 0; k <= islands; k++)
        begin[k] = 0;
    for (int i = 0; i < nrow; i++)
        begin[island_of(&row[i], parent, island) + 1]++;
    for (int k = 0; k < islands; k++)
        begin[k + 1] += begin[k];
    for (int i = 0; i < nrow; i++) /* begin[k] is where island k goes on, and then where it ends */
        order[begin[island_of(&row[i], parent, island)]++] = i;
    for (int k = islands; k > 0; k--)
        begin[k] = begin[k - 1];
    begin[0] = 0;
    return islands;
}
