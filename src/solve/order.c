/* An order of the rows in which those that touch each other stand close together, by Cuthill and McKee's way through the
 * blocks: from the least connected block to its neighbours, to theirs, and so on. A row stands where the later of its
 * two blocks does. The factors of a stack or a chain then cost as much as its length, not its cube. */
#include <string.h>

#include "solve/problem.h"

/* Two-sided rows as the edges of a graph of blocks: edge[begin[c] ... begin[c + 1]] are the neighbours of block c, as
   often as there are rows. */
struct graph {
    int *begin; /* [nblock + 2] */
    int *edge;  /* [2 n] */
};

static bool links(const struct sn__pgs_row *r) {
    return r->side[0].block >= 0 && r->side[1].block >= 0 && r->side[0].block != r->side[1].block;
}

static void make_graph(const struct sn__problem *p, struct graph g) {
    memset(g.begin, 0, sizeof *g.begin * (size_t)(p->nblock + 2));
    for (int i = 0; i < p->n; i++)
        for (int s = 0; s < 2 && links(&p->row[i]); s++)
            g.begin[p->row[i].side[s].block + 2]++;
    for (int c = 0; c < p->nblock; c++)
        g.begin[c + 2] += g.begin[c + 1];
    for (int i = 0; i < p->n; i++)
        for (int s = 0; s < 2 && links(&p->row[i]); s++)
            g.edge[g.begin[p->row[i].side[s].block + 1]++] = p->row[i].side[1 - s].block;
}

/* Block c and all it reaches get the places from `place` on; the next free place. */
static int walk(const struct sn__problem *p, struct graph g, int c, int place, int *queue, int *placed) {
    int head = place, tail = place;
    queue[tail] = c, placed[c] = tail++;
    while (head < tail) {
        const int at = queue[head++];
        for (int k = g.begin[at]; k < g.begin[at + 1]; k++)
            if (placed[g.edge[k]] < 0) placed[g.edge[k]] = tail, queue[tail++] = g.edge[k];
    }
    (void)p;
    return tail;
}

/* The least connected of the blocks that c reaches: an end of a stack. */
static int end_of(const struct sn__problem *p, struct graph g, int c, int place, int *queue, int *placed) {
    const int tail = walk(p, g, c, place, queue, placed);
    int best = queue[tail - 1], least = g.begin[best + 1] - g.begin[best];
    for (int k = tail - 1; k >= place; k--) {
        const int degree = g.begin[queue[k] + 1] - g.begin[queue[k]];
        if (degree < least) best = queue[k], least = degree;
        placed[queue[k]] = -1;
    }
    return best;
}

void sn__problem_order(struct sn__problem *p) {
    struct sn__problem_room *room = p->room;
    const struct graph g = {room->begin, room->edge};
    int *placed = room->placed, *queue = room->queue, *order = room->order, place = 0;
    make_graph(p, g);
    for (int c = 0; c < p->nblock; c++)
        placed[c] = -1;
    for (int c = 0; c < p->nblock; c++)
        if (placed[c] < 0) place = walk(p, g, end_of(p, g, c, place, queue, placed), place, queue, placed);
    /* rows by counting, in the order they have among those of one place */
    int *count = room->begin;
    memset(count, 0, sizeof *count * (size_t)(p->nblock + 2));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n; i++) {
            const struct sn__side *side = p->row[i].side;
            int at = 0;
            for (int s = 0; s < 2; s++)
                if (side[s].block >= 0 && placed[side[s].block] > at) at = placed[side[s].block];
            if (pass)
                order[count[at]++] = i;
            else
                count[at + 1]++;
        }
        for (int c = 0; c < p->nblock && !pass; c++)
            count[c + 1] += count[c];
    }
}
