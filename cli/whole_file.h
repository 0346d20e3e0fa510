/* A file that appears whole or not at all: it is written under another name and moved into place at the end. */
#ifndef SINEW_CLI_WHOLE_FILE_H
#define SINEW_CLI_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *file; /* NULL: not open */
    char *path, *partial;
};

/* Both return false after a complaint. What is not open may be closed or dropped, which does nothing. */
bool whole_file_open(struct whole_file *whole, const char *path);
bool whole_file_close(struct whole_file *whole);
/* Takes back what was written so far; what stood there before stays. */
void whole_file_drop(struct whole_file *whole);

/* The whole text of a file, ended by NUL, to be freed; NULL after a complaint. size may be NULL. */
char *whole_file_read(const char *path, size_t *size);

#endif
