/* Sets that are joined; rows that share no member are problems of their own. */
#include "run_tests.h"
#include "solve/islands.h"

#include <stdlib.h>

static uint32_t seed = 7;

static int some(int below) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint32_t)below);
}

TEST(an_island_is_known_by_its_smallest_number_in_whatever_order_it_is_joined) {
    enum { N = 200 };
    int parent[N], label[N];
    for (int round = 0; round < 200; round++) {
        sn__islands_begin(parent, N);
        for (int i = 0; i < N; i++)
            label[i] = i;
        for (int j = 0; j < round; j++) {
            const int a = some(N), b = some(N), x = label[a], y = label[b];
            sn__islands_join(parent, a, b);
            for (int i = 0; i < N; i++) /* the plain way */
                if (label[i] == x || label[i] == y) label[i] = x < y ? x : y;
        }
        for (int i = 0; i < N; i++)
            assert_int_equal(sn__islands_root(parent, i), label[i]);
    }
}

/* A chain joined from its far end is the longest way to a root there can be: a walk along it shortens it. */
TEST(a_long_chain_is_joined_in_no_time) {
    enum { N = 1 << 20 };
    int *parent = malloc(sizeof *parent * N);
    sn__islands_begin(parent, N);
    for (int i = N - 1; i > 0; i--)
        sn__islands_join(parent, i, i - 1);
    for (int i = 0; i < N; i++)
        assert_int_equal(sn__islands_root(parent, i), 0);
    free(parent);
}

TEST(rows_come_island_by_island_and_keep_their_order_within_each) {
    enum { ROWS = 120, BLOCKS = 60 };
    struct sn__pgs_row row[ROWS];
    int parent[BLOCKS], island[BLOCKS], begin[BLOCKS + 2], order[ROWS];
    for (int round = 0; round < 300; round++) {
        const int n = some(ROWS + 1), nblock = 1 + some(BLOCKS);
        for (int i = 0; i < n; i++) {
            row[i] = (struct sn__pgs_row){.normal = -1};
            row[i].side[0].block = some(3) ? some(nblock) : -1;
            row[i].side[1].block = some(3) && row[i].side[0].block >= 0 ? -1 : some(nblock);
        }
        const int islands = sn__islands_of_rows(row, n, nblock, parent, island, begin, order);
        int seen[ROWS] = {0}, first = -1;
        assert_int_equal(begin[0], 0);
        assert_int_equal(begin[islands], n);
        for (int k = 0; k < islands; k++) {
            assert_true(begin[k + 1] > begin[k] && order[begin[k]] > first);
            first = order[begin[k]]; /* islands by their first row */
            for (int j = begin[k]; j < begin[k + 1]; j++) {
                const struct sn__pgs_row *r = &row[order[j]];
                seen[order[j]]++;
                assert_true(j == begin[k] || order[j] > order[j - 1]);
                for (int s = 0; s < 2; s++)
                    if (r->side[s].block >= 0) assert_int_equal(island[r->side[s].block], k);
            }
        }
        for (int i = 0; i < n; i++)
            assert_int_equal(seen[i], 1);
    }
}

/* None is larger than it must be: contacts of a row of boxes, each on the ground, are as many islands. */
TEST(ground_joins_nobody) {
    enum { BLOCKS = 5 };
    struct sn__pgs_row row[3 * BLOCKS];
    int parent[BLOCKS], island[BLOCKS], begin[BLOCKS + 2], order[3 * BLOCKS];
    for (int i = 0; i < 3 * BLOCKS; i++) {
        row[i] = (struct sn__pgs_row){.normal = -1};
        row[i].side[0].block = i % BLOCKS, row[i].side[1].block = -1;
    }
    assert_int_equal(sn__islands_of_rows(row, 3 * BLOCKS, BLOCKS, parent, island, begin, order), BLOCKS);
    row[4].side[1].block = 0; /* one that holds two together */
    assert_int_equal(sn__islands_of_rows(row, 3 * BLOCKS, BLOCKS, parent, island, begin, order), BLOCKS - 1);
    assert_int_equal(island[0], island[4]);
}

int main(void) {
    return run_all("islands");
}
