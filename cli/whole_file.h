/* A file the command writes. What can be replaced appears whole or not at all: it is written under another name beside its
 * place and moved there at the end. What cannot be replaced is written through: a link's target instead of the link, and
 * devices, pipes and sockets as they stand. "-" is standard output. */
#ifndef SINEW_CLI_WHOLE_FILE_H
#define SINEW_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *file;    /* NULL: not open                                                       */
    char *path;    /* as the user named it                                                 */
    char *target;  /* what the path leads to: links followed                               */
    char *partial; /* where it is written until it is whole; NULL: the target is written */
};

/* Both return false after a complaint; main complains of standard output, once for all that goes there. What is not open
   may be closed or dropped, which does nothing. */
bool whole_file_open(struct whole_file *whole, const char *path);
bool whole_file_close(struct whole_file *whole);
/* Takes back what was written so far; what stood there before stays, unless it was written through. */
void whole_file_drop(struct whole_file *whole);

/* "-": what else a command has to say then goes to standard error. */
bool is_standard_output(const char *path);
FILE *beside_output(const char *path);

/* The whole text of a file, ended by NUL, to be freed; NULL after a complaint. size may be NULL. */
char *whole_file_read(const char *path, size_t *size);

#endif
