/* What the command gets from the module that knows MPI (module.c). The module is a file of its own, looked for when ranks were
 * started: the command itself starts without MPI. */
#ifndef SINEW_CLI_MPI_MODULE_H
#define SINEW_CLI_MPI_MODULE_H

#include <sinew/learn.h>

struct mpi_module {
    int version; /* of this struct: SINEW_MPI_VERSION */
    /* Meets the other ranks. *here: how many of them are on this machine. */
    sn_status (*open)(sn_exchange *exchange, int *here, sn_error *error);
    void (*close)(void);     /* waits until all come to it */
    void (*abort)(int code); /* ends all ranks, and does not return */
};

enum { SINEW_MPI_VERSION = 1 };
#define SINEW_MPI_SYMBOL "sinew_mpi_module"

#endif
