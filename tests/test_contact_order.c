/* Contacts are put in order by pair and feature; equal ones stay as they came. */
#include "run_tests.h"
#include "world/copy.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const struct sn__contact *x = a, *y = b;
    if (sn__contact_before(x, y)) return -1;
    if (sn__contact_before(y, x)) return 1;
    return x->solid[0] < y->solid[0] ? -1 : x->solid[0] > y->solid[0]; /* as they came */
}

/* Sorted by the library and by qsort: the same contacts in the same places. */
static void assert_sorts(struct sn__contact *c, int n) {
    struct sn__contact *twin = calloc((size_t)n + 1, sizeof *twin);
    assert_non_null(twin);
    for (int i = 0; i < n; i++) {
        c[i].solid[0] = i;
        c[i].gap = 0.5 * i;
        twin[i] = c[i];
    }
    qsort(twin, (size_t)n, sizeof *twin, compare);
    sn__contacts_sort(c, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(c[i].solid[0], twin[i].solid[0]);
        assert_true(c[i].gap == twin[i].gap && c[i].pair == twin[i].pair && c[i].feature == twin[i].feature);
    }
    free(twin);
}

static uint32_t seed = 1;

static uint32_t some(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

TEST(contacts_in_any_order_are_sorted_and_equal_ones_stay_as_they_came) {
    struct sn__contact *c = calloc(700, sizeof *c);
    for (int n = 0; n < 700; n = n < 40 ? n + 1 : n + 61)
        for (uint32_t pairs = 1; pairs < 2000; pairs *= 5) {
            for (int i = 0; i < n; i++)
                c[i] = (struct sn__contact){.pair = some(pairs), .feature = some(3)};
            assert_sorts(c, n);
        }
    free(c);
}

/* In step of their number: by insertion either of these would take minutes. */
TEST(many_contacts_in_two_runs_or_the_wrong_way_round_are_sorted) {
    enum { MANY = 60000 };
    struct sn__contact *c = calloc(MANY, sizeof *c);
    for (int i = 0; i < MANY; i++) /* what rows have, then what kernels report */
        c[i] = (struct sn__contact){.pair = i < MANY / 2 ? UINT64_C(1) << 63 | (uint32_t)i
                                                         : (uint64_t)(uint32_t)i};
    assert_sorts(c, MANY);
    for (int i = 0; i < MANY; i++)
        c[i] = (struct sn__contact){.pair = (uint64_t)(MANY - i)};
    assert_sorts(c, MANY);
    free(c);
}

int main(void) {
    return run_all("contact order");
}
