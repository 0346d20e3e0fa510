/* Ranks for tests: threads of one process that exchange by copying, in place of machines with MPI. */
#ifndef SINEW_TESTS_RANK_HELPERS_H
#define SINEW_TESTS_RANK_HELPERS_H

#include <sinew/learn.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 24 };

/* What all have in common. */
struct gathering {
    int ranks;
    pthread_barrier_t barrier;
    unsigned char *data[MOST_RANKS]; /* of the current exchange */
    int exchanges;                   /* so far */
    size_t bytes;                    /* that all ranks have got from others */
    int lost_after;                  /* exchanges: then rank 1 is said to be gone; 0: never */
};

struct gathered {
    struct gathering *all;
    int rank;
    sn_exchange exchange;
    void *task; /* of the test */
};

static inline sn_status share_by_copying(void *user, void *data, const size_t *begin, sn_error *error) {
    const struct gathered *own = user;
    struct gathering *all = own->all;
    all->data[own->rank] = data;
    pthread_barrier_wait(&all->barrier);
    for (int r = 0; r < all->ranks; r++)
        if (r != own->rank)
            memcpy((unsigned char *)data + begin[r], all->data[r] + begin[r], begin[r + 1] - begin[r]);
    if (own->rank == 0) {
        all->exchanges++;
        all->bytes += (size_t)(all->ranks - 1) * begin[all->ranks];
    }
    pthread_barrier_wait(&all->barrier);
    if (!all->lost_after || all->exchanges < all->lost_after) return SN_OK;
    if (error) {
        error->status = SN_ERROR_UNSUPPORTED;
        snprintf(error->message, sizeof error->message, "rank 1 is gone");
    }
    return SN_ERROR_UNSUPPORTED;
}

/* Runs a function in several threads, each with an exchange and one of the tasks, which have this size. */
static inline void gather_ranks(struct gathering *all, void *(*run)(void *gathered), void *tasks,
                                size_t size) {
    pthread_t thread[MOST_RANKS];
    struct gathered own[MOST_RANKS];
    pthread_barrier_init(&all->barrier, NULL, (unsigned)all->ranks);
    for (int r = 0; r < all->ranks; r++) {
        own[r] = (struct gathered){all, r, {0}, (unsigned char *)tasks + (size_t)r * size};
        own[r].exchange = (sn_exchange){r, all->ranks, share_by_copying, &own[r]};
        pthread_create(&thread[r], NULL, run, &own[r]);
    }
    for (int r = 0; r < all->ranks; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&all->barrier);
}

#endif
