#include "learn/random.h"

#include <math.h>

#include "base/elementary.h"

/* One round: two products of 32 by 32 bits, whose upper halves meet the other words and the key. */
static void philox_round(uint32_t c[4], const uint32_t k[2]) {
    const uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    const uint32_t c1 = c[1], c3 = c[3];
    c[0] = (uint32_t)(b >> 32) ^ c1 ^ k[0];
    c[1] = (uint32_t)b;
    c[2] = (uint32_t)(a >> 32) ^ c3 ^ k[1];
    c[3] = (uint32_t)a;
}

void sn__philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t k[2] = {key[0], key[1]};
    for (int i = 0; i < 4; i++)
        out[i] = counter[i];
    for (int round = 0; round < 10; round++) {
        philox_round(out, k);
        k[0] += 0x9E3779B9u; /* the golden ratio */
        k[1] += 0xBB67AE85u; /* sqrt(3) - 1 */
    }
}

struct sn__random sn__random_at(uint64_t seed, enum sn__stream kind, uint32_t item, uint64_t step) {
    return (struct sn__random){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, (uint32_t)kind << 24 | (item & 0xffffff), (uint32_t)step, (uint32_t)(step >> 32)},
        .used = 4,
    };
}

uint32_t sn__random_word(struct sn__random *r) {
    if (r->used == 4) {
        sn__philox(r->counter, r->key, r->word);
        r->counter[0]++;
        r->used = 0;
    }
    return r->word[r->used++];
}

double sn__random_uniform(struct sn__random *r) {
    return (sn__random_word(r) + 0.5) * 0x1p-32;
}

/* Box and Muller: a radius and an angle make two numbers. */
double sn__random_normal(struct sn__random *r) {
    if (r->spare_there) {
        r->spare_there = false;
        return r->spare;
    }
    const double radius = sqrt(-2 * sn__log(sn__random_uniform(r)));
    const double angle = 6.283185307179586477 * sn__random_uniform(r);
    r->spare = radius * sn__sin(angle);
    r->spare_there = true;
    return radius * sn__cos(angle);
}

/* The upper half of a product; words that would make some numbers likelier than others are thrown away (Lemire 2019). */
uint32_t sn__random_below(struct sn__random *r, uint32_t end) {
    const uint32_t few = (uint32_t)-end % end;
    for (;;) {
        const uint64_t product = (uint64_t)sn__random_word(r) * end;
        if ((uint32_t)product >= few) return (uint32_t)(product >> 32);
    }
}
