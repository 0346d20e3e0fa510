/* Several copies of the command, the ranks, that work on one task: `mpirun -n 4 sinew train ...`. Only the first one prints and
 * writes files. Alone, which is the first of one, all of it does nothing. */
#ifndef SINEW_CLI_RANKS_H
#define SINEW_CLI_RANKS_H

#include "platform.h"

#include <sinew/learn.h>
#include <stdbool.h>

/* Meets the others where the command was started as one of several. From then on the complaints of all but the first rank are
   kept until ranks_agree; SIGTERM and SIGUSR1 ask to stop, as Ctrl-C does. Returns an exit code. */
int ranks_open(void);
/* Leaves the ranks. The exit code of the first rank is the result; the others exit with 0. */
int ranks_close(int code);

/* Whether this build could, as far as files tell. */
bool ranks_possible(void);
int ranks_number(void);                  /* 1: alone */
bool ranks_leader(void);                 /* this is the first one */
const sn_exchange *ranks_exchange(void); /* NULL: alone */
/* Threads for this rank where none are asked for: the machine's cores, shared with its other ranks; 0, alone: the usual. */
int ranks_threads(void);

/* The exit code of the first rank that has one, with its complaint. */
int ranks_agree(int code);
/* What the first rank has, all have. */
void ranks_tell(void *data, size_t size);
/* Items in blocks of some, dealt evenly: the rank's first one. ranks_share then gives all to all. */
int ranks_begin(int items, int block, int rank);
void ranks_share(void *data, int items, int block, size_t item_size);
/* The first rank's file, to be freed; NULL after a complaint. */
char *ranks_read(const char *path);

/* Once after the first rank got a sign that the ranks may soon be ended: all should be kept. */
bool ranks_hurry(void);
/* What the first rank says, and exits with, if it is ended before it could end by itself. */
void ranks_last_words(int code, const char *format, ...) LIKE_PRINTF(2, 3);

#endif
