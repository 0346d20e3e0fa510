/* Random numbers by counters: the published values, and what they should look like. */
#include "model_helpers.h"

#include "learn/random.h"

/* Known answers that come with the generator's publication. */
TEST(philox_gives_the_published_values) {
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        uint32_t out[4];
        sn__philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

/* Over the numbers of many cells, as a training draws them: a few from each. */
TEST(numbers_of_many_cells_are_uniform_and_normal) {
    enum { CELLS = 50000, EACH = 5, BINS = 20 };
    double moment[5] = {0};
    int bin[BINS] = {0};
    for (int i = 0; i < CELLS; i++) {
        struct sn__random r = sn__random_at(7, SN__STREAM_ACTION, (uint32_t)(i % 256), (uint64_t)(i / 256));
        for (int k = 0; k < EACH; k++) {
            const double z = sn__random_normal(&r);
            double power = 1;
            for (int m = 1; m < 5; m++)
                moment[m] += (power *= z);
        }
        struct sn__random u = sn__random_at(7, SN__STREAM_RESET, (uint32_t)(i % 256), (uint64_t)(i / 256));
        bin[(int)(sn__random_uniform(&u) * BINS)]++;
    }
    const double n = CELLS * EACH, mean[5] = {0, 0, 1, 0, 3}, spread[5] = {0, 1, 1.42, 3.9, 9.8};
    for (int m = 1; m < 5; m++)
        assert_true(fabs(moment[m] / n - mean[m]) < 4 * spread[m] / sqrt(n));
    double chi = 0;
    for (int b = 0; b < BINS; b++)
        chi += pow(bin[b] - (double)CELLS / BINS, 2) / ((double)CELLS / BINS);
    assert_true(chi < 43.8); /* 19 degrees of freedom: once in a thousand */
}

TEST(cells_differ_by_seed_stream_item_and_step_alone) {
    struct sn__random a = sn__random_at(1, SN__STREAM_ACTION, 2, 3), again = a;
    const uint32_t first = sn__random_word(&a);
    assert_int_equal(first, sn__random_word(&again));
    struct sn__random other[] = {
        sn__random_at(2, SN__STREAM_ACTION, 2, 3),
        sn__random_at(1, SN__STREAM_RESET, 2, 3),
        sn__random_at(1, SN__STREAM_ACTION, 3, 3),
        sn__random_at(1, SN__STREAM_ACTION, 2, 4),
        sn__random_at(1ull << 32, SN__STREAM_ACTION, 2, 3),
        sn__random_at(1, SN__STREAM_ACTION, 2, 3ull << 32),
    };
    for (size_t i = 0; i < COUNT(other); i++)
        assert_int_not_equal(first, sn__random_word(&other[i]));
}

TEST(numbers_below_an_end_are_all_alike) {
    int count[7] = {0};
    struct sn__random r = sn__random_at(3, SN__STREAM_SHUFFLE, 0, 0);
    for (int i = 0; i < 70000; i++)
        count[sn__random_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(count[i], 9600, 10400);
    assert_int_equal(sn__random_below(&r, 1), 0);
}

int main(void) {
    return run_all("learn_random");
}
