/* Ranks by MPI: one exchange is one MPI_Allgatherv. */
#include "mpi/module.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int ranks;
    int *count, *at; /* [ranks] of the current message */
} all;

static sn_status fail(sn_error *error, const char *what, int code) {
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
    if (error) {
        error->status = SN_ERROR_UNSUPPORTED;
        snprintf(error->message, sizeof error->message, "%s%s%s", what, text[0] ? ": " : "", text);
    }
    return SN_ERROR_UNSUPPORTED;
}

static sn_status answer(int code, sn_error *error) {
    return code == MPI_SUCCESS ? SN_OK : fail(error, "another rank is gone", code);
}

/* MPI counts in int: what is larger than that goes in turns. */
static sn_status share_large(unsigned char *data, const size_t *begin, sn_error *error) {
    const size_t most = 1 << 30;
    for (int r = 0; r < all.ranks; r++)
        for (size_t at = begin[r]; at < begin[r + 1]; at += most) {
            const size_t some = begin[r + 1] - at < most ? begin[r + 1] - at : most;
            const int code = MPI_Bcast(data + at, (int)some, MPI_BYTE, r, MPI_COMM_WORLD);
            if (code != MPI_SUCCESS) return answer(code, error);
        }
    return SN_OK;
}

static sn_status share(void *user, void *data, const size_t *begin, sn_error *error) {
    (void)user;
    if (begin[all.ranks] > INT_MAX) return share_large(data, begin, error);
    for (int r = 0; r < all.ranks; r++) {
        all.at[r] = (int)begin[r];
        all.count[r] = (int)(begin[r + 1] - begin[r]);
    }
    return answer(
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, all.count, all.at, MPI_BYTE, MPI_COMM_WORLD),
        error);
}

static int ranks_here(void) {
    MPI_Comm machine;
    int here = 1;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) != MPI_SUCCESS)
        return 1;
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    return here;
}

static sn_status open_ranks(sn_exchange *exchange, int *here, sn_error *error) {
    int level, rank = 0;
    const int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    if (code != MPI_SUCCESS) return fail(error, "MPI does not start", code);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &all.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all.count = malloc(2 * (size_t)all.ranks * sizeof(int));
    if (!all.count) return fail(error, "out of memory", MPI_SUCCESS);
    all.at = all.count + all.ranks;
    *exchange = (sn_exchange){.rank = rank, .ranks = all.ranks, .share = share};
    *here = ranks_here();
    return SN_OK;
}

static void close_ranks(void) {
    MPI_Finalize();
    free(all.count);
}

static void abort_ranks(int code) {
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}

__attribute__((visibility("default"))) extern const struct mpi_module sinew_mpi_module;
const struct mpi_module sinew_mpi_module = {SINEW_MPI_VERSION, open_ranks, close_ranks, abort_ranks};
