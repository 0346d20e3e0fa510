/* Values on their way into the bytes of a state and out of them: rollback.c. Every piece fills whole words. */
#ifndef SINEW_WORLD_SHUTTLE_H
#define SINEW_WORLD_SHUTTLE_H

#include <string.h>

#include "world/copy.h"
#include "world/stream.h"

enum { WORD = 8 }; /* bytes */

struct sn__shuttle {
    enum sn__task task; /* SN__WRITE, SN__CHECK or SN__TAKE */
    unsigned char *to;
    const unsigned char *from;
    size_t size, room; /* bytes passed, and bytes there are; what is written beyond them is only counted */
    int contacts;      /* the most of any copy */
    const char *wrong; /* or NULL */
};

/* Room for that many bytes, made full words, or NULL: nothing is to be copied. */
static inline unsigned char *step_over(struct sn__shuttle *s, size_t bytes) {
    const size_t all = (bytes + WORD - 1) / WORD * WORD, at = s->size;
    if (s->wrong) return NULL;
    if (s->task != SN__WRITE && all > s->room - at) {
        s->wrong = "it ends in the middle";
        return NULL;
    }
    s->size += all;
    if (s->task == SN__CHECK || (s->task == SN__WRITE && s->size > s->room)) return NULL;
    if (s->task == SN__TAKE) return (unsigned char *)s->from + at;
    if (all > bytes) memset(s->to + at + all - WORD, 0, WORD);
    return s->to + at;
}

static inline void carry(struct sn__shuttle *s, void *x, size_t bytes) {
    unsigned char *there = step_over(s, bytes);
    if (there && bytes) memcpy(s->task == SN__WRITE ? there : x, s->task == SN__WRITE ? x : there, bytes);
}

/* A number that checking needs, too. */
static inline void carry_number(struct sn__shuttle *s, uint64_t *x) {
    const size_t at = s->size;
    carry(s, x, sizeof *x);
    if (s->task == SN__CHECK && !s->wrong) memcpy(x, s->from + at, sizeof *x);
}

/* n <= 56 words, of which those that are not zero are kept; `note` goes with them, one byte. */
static inline uint64_t carry_sparse(struct sn__shuttle *s, uint64_t *word, int n, uint64_t note) {
    const uint64_t all = (UINT64_C(1) << n) - 1;
    uint64_t mask = note << 56;
    for (int i = 0; i < n && s->task == SN__WRITE; i++)
        mask |= (uint64_t)(word[i] != 0) << i;
    carry_number(s, &mask);
    const size_t kept = (size_t)__builtin_popcountll(mask & all), at = s->size;
    unsigned char *there = step_over(s, kept * WORD);
    if (s->task == SN__CHECK && !s->wrong) there = (unsigned char *)s->from + at;
    if (s->task != SN__WRITE) memset(word, 0, (size_t)n * WORD);
    for (uint64_t bits = mask & all; there && bits; bits &= bits - 1, there += WORD) {
        uint64_t *x = &word[__builtin_ctzll(bits)];
        if (s->task == SN__WRITE)
            memcpy(there, x, WORD);
        else
            memcpy(x, there, WORD);
    }
    return mask >> 56;
}

/* Contacts and constraints of a copy: rollback_contacts.c. */
void sn__carry_copy(struct sn__shuttle *s, const sn_world *w, struct sn__copy *c);

#endif
